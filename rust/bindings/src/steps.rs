//! One checker at a time, as a board that is clicked on needs it.

use gammon_core::Position;
use gammon_core::steps::{DiceLeft, Step, step, steps};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result};
use crate::position::{PyPosition, Stored};

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
    let wrong = || -> PyResult<Error> {
        Ok(Error::Roll(format!(
            "no turn has the dice {} left: expected a roll, two different numbers at most, or up to four equal ones",
            value.repr()?
        )))
    };
    let Ok(numbers) = value.extract::<Vec<u8>>() else { return Err(wrong()?) };
    match DiceLeft::new(&numbers) {
        Some(dice) => Ok(dice),
        None => Err(wrong()?),
    }
}
