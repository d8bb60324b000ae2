//! One checker at a time, as a board that is clicked on needs it.

use gammon_core::Position;
use gammon_core::steps::{DiceLeft, Step, step, steps};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result, shown};
use crate::position::{PyPosition, Stored};
use crate::runtime::whole;

/// One checker moved by one die.
#[pyclass(name = "Step", module = "gammon", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyStep {
    step: Step,
    after: Stored,
    left: DiceLeft,
}

#[pymethods]
impl PyStep {
    /// Where the checker stands: 1 to 24, or 25 for the bar.
    #[getter]
    fn source(&self) -> u8 {
        self.step.from
    }

    /// Where it goes: 1 to 24, or 0 for off.
    #[getter]
    fn target(&self) -> u8 {
        self.step.to
    }

    /// The die that is used.
    #[getter]
    fn die(&self) -> u8 {
        self.step.die
    }

    /// Whether it hits a blot.
    #[getter]
    fn is_hit(&self) -> bool {
        self.step.hit
    }

    /// The position after it, still seen by the player who is moving.
    #[getter]
    fn after(&self) -> PyPosition {
        PyPosition::new(self.after.get())
    }

    /// The dice left after it.
    #[getter]
    fn dice_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.left.as_slice())
    }

    fn __repr__(&self) -> String {
        let Step { from, to, die, hit } = self.step;
        format!("<Step {from}/{to}{} with a {die}>", if hit { "*" } else { "" })
    }
}

/// The steps after which the whole turn can still be legal.
pub fn legal_steps(position: &Position, dice: DiceLeft) -> Vec<PyStep> {
    let result = |found: Step| {
        let (step, after) = step(position, found.from, found.die).ok()?;
        Some(PyStep { step, after: Stored::new(after), left: dice.without(step.die) })
    };
    steps(position, dice).into_iter().filter_map(result).collect()
}

/// A whole roll (a `Roll` or a text), or the numbers that are left of one.
pub fn dice_left(value: &Bound<'_, PyAny>) -> Result<DiceLeft> {
    if value.is_instance_of::<PyRoll>() || value.is_instance_of::<PyString>() {
        return roll_like(value).map(DiceLeft::of);
    }
    let wrong = || {
        let expected = "expected a roll, two different numbers at most, or up to four equal ones";
        format!("no turn has the dice {} left: {expected}", shown(value))
    };
    let items = value.try_iter().map_err(|_| PyTypeError::new_err(wrong()))?;
    let numbers: Vec<Bound<'_, PyAny>> = items.take(5).collect::<PyResult<_>>()?;
    let dice: Option<Vec<i64>> = numbers.iter().map(whole).collect();
    let dice = dice.ok_or_else(|| PyTypeError::new_err(wrong()))?;
    let dice: Vec<u8> = dice.into_iter().map(|die| u8::try_from(die).unwrap_or(0)).collect();
    DiceLeft::new(&dice).ok_or_else(|| Error::Roll(wrong()))
}
