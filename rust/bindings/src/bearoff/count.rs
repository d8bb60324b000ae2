//! Races counted by the methods people use.

use std::hash::{Hash, Hasher};

use gammon_core::race::{Count, Method, epc_verdict};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::position::position_like;
use crate::runtime::interruptible;
use crate::values::{hash_numbers, shown};

/// A race counted by one method.
#[pyclass(name = "RaceCount", module = "gammon.bearoff", frozen, get_all, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyRaceCount {
    /// The method's name.
    method: &'static str,
    /// Adjusted count of the player on roll.
    roller: f64,
    /// Adjusted count of the opponent.
    opponent: f64,
    /// Double with the cube in the middle.
    double: bool,
    /// Redouble with the cube owned.
    redouble: bool,
    /// Take a double.
    take: bool,
    /// Chance to win, where the method gives one.
    win: Option<f64>,
}

/// The fields in their order.
type RaceCountFields = (&'static str, f64, f64, bool, bool, bool, Option<f64>);

/// Equal counts have equal numbers by the same method.
impl Hash for PyRaceCount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.method.hash(state);
        hash_numbers([self.roller, self.opponent], state);
    }
}

impl PyRaceCount {
    fn new(method: &'static str, count: Count) -> PyRaceCount {
        PyRaceCount {
            method,
            roller: count.roller,
            opponent: count.opponent,
            double: count.verdict.double,
            redouble: count.verdict.redouble,
            take: count.verdict.take,
            win: count.win,
        }
    }
}

#[pymethods]
impl PyRaceCount {
    #[new]
    fn py_new(
        method: &str,
        roller: f64,
        opponent: f64,
        double: bool,
        redouble: bool,
        take: bool,
        win: Option<f64>,
    ) -> Result<PyRaceCount> {
        let method = method_named(method)?.name();
        Ok(PyRaceCount { method, roller, opponent, double, redouble, take, win })
    }

    fn __repr__(&self) -> String {
        let PyRaceCount { method, roller, opponent, double, redouble, take, win } = *self;
        let answer = |yes| if yes { "True" } else { "False" };
        format!(
            "RaceCount(method='{method}', roller={roller:?}, opponent={opponent:?}, double={}, redouble={}, take={}, \
             win={})",
            answer(double),
            answer(redouble),
            answer(take),
            shown(win)
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, RaceCountFields) {
        let PyRaceCount { method, roller, opponent, double, redouble, take, win } = *self;
        let fields = (method, roller, opponent, double, redouble, take, win);
        (py.get_type::<PyRaceCount>().into_any(), fields)
    }
}

/// A position counted by every method.
#[pyfunction]
pub fn race_counts(position: &Bound<'_, PyAny>) -> Result<Vec<PyRaceCount>> {
    let position = position_like(position)?;
    let (roller, opponent) = (position.roller(), position.opponent());
    Ok(Method::ALL.map(|method| PyRaceCount::new(method.name(), method.count(&roller, &opponent))).into())
}

/// The verdict on two effective pip counts: double, redouble, take.
#[pyfunction]
#[pyo3(name = "epc_verdict")]
pub fn verdict_on_epc(roller: f64, opponent: f64) -> (bool, bool, bool) {
    let verdict = epc_verdict(roller, opponent);
    (verdict.double, verdict.redouble, verdict.take)
}

/// Positions counted by one method: adjusted counts, verdicts and chances as columns.
#[pyfunction]
pub fn race_count_columns<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    method: &str,
) -> Result<Bound<'py, PyDict>> {
    let method = method_named(method)?;
    let positions = arrays::positions(boards)?;
    let counts: Vec<Count> = interruptible(py, None, |_| {
        positions.iter().map(|position| method.count(&position.roller(), &position.opponent())).collect()
    })?;
    let columns = PyDict::new(py);
    let adjusted = counts.iter().flat_map(|count| [count.roller, count.opponent]);
    columns.set_item("counts", PyArray1::from_iter(py, adjusted).reshape([counts.len(), 2])?)?;
    columns.set_item("double", PyArray1::from_iter(py, counts.iter().map(|count| count.verdict.double)))?;
    columns
        .set_item("redouble", PyArray1::from_iter(py, counts.iter().map(|count| count.verdict.redouble)))?;
    columns.set_item("take", PyArray1::from_iter(py, counts.iter().map(|count| count.verdict.take)))?;
    let win = counts.iter().map(|count| count.win.unwrap_or(f64::NAN));
    columns.set_item("win", PyArray1::from_iter(py, win))?;
    Ok(columns)
}

fn method_named(name: &str) -> Result<Method> {
    Method::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = Method::ALL.map(Method::name).join(", ");
        Error::Setting(format!("method must be one of {names}; got '{name}'"))
    })
}
