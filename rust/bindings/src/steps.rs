//! One checker at a time, as a board that is clicked on needs it.

use gammon_core::Position;
use gammon_core::codec::posid;
use gammon_core::steps::{BAR, DiceLeft, OFF, Step, step, steps};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result, illegal_play, shown};
use crate::position::{PyPosition, Stored, position_like};
use crate::runtime::whole;

/// One checker moved by one die, as `Position.steps` gives them; `str()` writes it as `24/21` or `bar/20*`.
///
/// `Step(position, dice, source, die)` raises `IllegalPlayError` if that step is not among them.
#[pyclass(name = "Step", module = "gammon", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyStep {
    before: Stored,
    dice: DiceLeft,
    step: Step,
    after: Stored,
    left: DiceLeft,
}

/// What a step is made from: position, dice, source and die.
type Arguments<'py> = (PyPosition, Bound<'py, PyTuple>, u8, u8);

#[pymethods]
impl PyStep {
    #[new]
    fn py_new(position: &Bound<'_, PyAny>, dice: &Bound<'_, PyAny>, source: u8, die: u8) -> Result<PyStep> {
        let (position, dice) = (position_like(position)?, dice_left(dice)?);
        let mut legal = legal_steps(&position, dice).into_iter();
        legal.find(|found| (found.step.from, found.step.die) == (source, die)).ok_or_else(|| {
            let (written, left) = (format!("{source} with a {die}"), text(dice));
            let reason = "it is not among the steps that keep the turn legal".to_owned();
            Error::Python(illegal_play(
                format!("illegal step {written}, dice left {left}: {reason}"),
                written,
                left,
                reason,
            ))
        })
    }

    /// The position before it, seen by the player who is moving.
    #[getter]
    fn before(&self) -> PyPosition {
        PyPosition::new(self.before.get())
    }

    /// The dice left before it, the larger first.
    #[getter]
    fn dice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.dice.as_slice())
    }

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
        let Step { from, die, .. } = self.step;
        format!("Step('{}', {}, {from}, {die})", posid::print(&self.before.get()), text(self.dice))
    }

    fn __str__(&self) -> String {
        let Step { from, to, hit, .. } = self.step;
        let name = |place| match place {
            BAR => "bar".to_owned(),
            OFF => "off".to_owned(),
            point => point.to_string(),
        };
        format!("{}/{}{}", name(from), name(to), if hit { "*" } else { "" })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Arguments<'py>)> {
        let parts = (self.before(), self.dice(py)?, self.step.from, self.step.die);
        Ok((py.get_type::<PyStep>().into_any(), parts))
    }
}

/// Dice as Python writes a tuple of them.
fn text(dice: DiceLeft) -> String {
    match dice.as_slice() {
        [die] => format!("({die},)"),
        dice => format!("({})", dice.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The steps after which the whole turn can still be legal.
pub fn legal_steps(position: &Position, dice: DiceLeft) -> Vec<PyStep> {
    let result = |found: Step| {
        let (step, after) = step(position, found.from, found.die).ok()?;
        let (before, after) = (Stored::new(*position), Stored::new(after));
        Some(PyStep { before, dice, step, after, left: dice.without(step.die) })
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
