//! `Roll`, and everything that is taken for one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use gammon_core::Roll;
use gammon_core::rng::Stream;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors::{Error, Result, shown};
use crate::runtime::{integer, seed as seed_of, text, whole};

/// One throw of two dice, the larger number first: `Roll(3, 1)`.
///
/// Raises `IllegalRollError` for numbers that are not from 1 to 6.
#[pyclass(name = "Roll", module = "gammon", frozen, eq, ord)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyRoll(pub Roll);

#[pymethods]
impl PyRoll {
    #[new]
    fn new(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> Result<PyRoll> {
        pair(first, second).map(PyRoll)
    }

    /// All 21 rolls: 11, 21, 22, 31, … 66.
    #[staticmethod]
    fn all(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, Roll::ALL.map(PyRoll))
    }

    /// The larger number.
    #[getter]
    fn high(&self) -> u8 {
        self.0.high()
    }

    /// The smaller number (the same for a double).
    #[getter]
    fn low(&self) -> u8 {
        self.0.low()
    }

    /// Whether both dice show the same number.
    #[getter]
    fn is_double(&self) -> bool {
        self.0.is_double()
    }

    /// How many of the 36 ordered throws are this roll: 1 or 2.
    #[getter]
    fn weight(&self) -> u32 {
        self.0.weight()
    }

    /// The numbers that may be played: two, or four of a double.
    #[getter]
    fn dice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers = [self.0.high(), self.0.low(), self.0.high(), self.0.low()];
        PyTuple::new(py, &numbers[..if self.0.is_double() { 4 } else { 2 }])
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Roll({}, {})", self.0.high(), self.0.low())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (u8, u8)) {
        (py.get_type::<PyRoll>().into_any(), (self.0.high(), self.0.low()))
    }
}

/// Both dice of throw `turn` of trial `trial` under a seed, in the order they were thrown.
///
/// The roll of rollouts and of seeded matches: whoever asks, in whatever order, gets the same.
///
/// Raises `SettingError` for a seed that is not from 0 to 2**64 - 1, or a number below 0.
#[pyfunction]
pub fn seeded_throw(
    seed: &Bound<'_, PyAny>,
    trial: &Bound<'_, PyAny>,
    turn: &Bound<'_, PyAny>,
) -> Result<(u8, u8)> {
    let trial = integer("trial", trial, 0..=i64::MAX)?.unsigned_abs();
    let turn = integer("turn", turn, 0..=i64::MAX)?.unsigned_abs();
    Ok(Stream::new(seed_of(seed)?, trial).throw(turn))
}

/// A `Roll`, a text such as `"31"`, or two numbers.
pub fn roll_like(value: &Bound<'_, PyAny>) -> Result<Roll> {
    if let Ok(roll) = value.cast::<PyRoll>() {
        return Ok(roll.get().0);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(self::text("roll", text)?.parse()?);
    }
    let wrong = || {
        let expected = "expected a Roll, two numbers such as (3, 1), or a text such as '31'";
        format!("not a roll: {}; {expected}", shown(value))
    };
    let items = value.try_iter().map_err(|_| PyTypeError::new_err(wrong()))?;
    let parts: Vec<Bound<'_, PyAny>> = items.take(3).collect::<PyResult<_>>()?;
    match parts.as_slice() {
        [first, second] => pair(first, second),
        _ => Err(Error::Roll(wrong())),
    }
}

fn pair(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> Result<Roll> {
    let wrong = || {
        let (first, second) = (shown(first), shown(second));
        format!("illegal roll ({first}, {second}): a die shows a whole number from 1 to 6")
    };
    let (Some(a), Some(b)) = (whole(first), whole(second)) else {
        return Err(PyTypeError::new_err(wrong()).into());
    };
    let roll = u8::try_from(a).ok().zip(u8::try_from(b).ok()).and_then(|(a, b)| Roll::new(a, b));
    roll.ok_or_else(|| Error::Roll(wrong()))
}
