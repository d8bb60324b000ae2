//! Chances in every race.

use std::sync::Arc;

use gammon_core::race::RaceEvaluator;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::{PyOneSided, PyTwoSided, counts, not_pickled, pairs};
use crate::errors::{Error, Result};
use crate::evaluator::PyBuiltIn;

/// The id of `gammon.bearoff.race()`, whose tables any process can build.
const PACKAGED: &str = "race-6-6x6-f32";

/// Chances in every race, from bear-off tables.
#[pyclass(name = "Race", module = "gammon.bearoff", frozen, extends = PyBuiltIn)]
pub struct PyRace(Arc<RaceEvaluator>);

impl PyRace {
    /// As evaluators go.
    pub fn evaluator(&self) -> Arc<RaceEvaluator> {
        self.0.clone()
    }
}

#[pymethods]
impl PyRace {
    #[new]
    #[pyo3(signature = (one_sided, two_sided = None))]
    fn new(one_sided: &PyOneSided, two_sided: Option<&PyTwoSided>) -> Result<PyClassInitializer<PyRace>> {
        RaceEvaluator::new(one_sided.0.clone(), two_sided.map(|table| table.0.clone()))
            .map(|race| PyBuiltIn::base_of(PyRace(Arc::new(race))))
            .ok_or_else(|| {
                Error::Setting(
                    "a race needs a one-sided table of 6 points or more and 15 checkers".to_owned(),
                )
            })
    }

    /// Which tables answer.
    #[getter]
    fn id(&self) -> &str {
        gammon_core::eval::Evaluator::<gammon_core::Backgammon>::id(self.0.as_ref())
    }

    /// Effective pip counts of both sides, `float64[n, 2]`: exact where the one-sided table reaches, an
    /// estimate beyond.
    fn epc<'py>(&self, py: Python<'py>, boards: &Bound<'py, PyAny>) -> Result<Bound<'py, PyArray2<f64>>> {
        pairs(py, boards, |side| {
            self.0.moments(side).map_or(f64::NAN, |m| m.mean * gammon_core::bearoff::PIPS_A_ROLL)
        })
    }

    /// Whether the side's effective pip count comes from the table.
    fn covers(&self, side: Vec<i64>) -> Result<bool> {
        Ok(self.0.one_sided().find(&counts(&side)?).is_some())
    }

    fn __repr__(&self) -> String {
        format!("<Race {}>", self.id())
    }

    /// On the package's own tables it is made anew in the other process; others stay in theirs.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if self.id() == PACKAGED {
            return Ok((py.import("gammon.bearoff")?.getattr("race")?, PyTuple::empty(py)));
        }
        Err(not_pickled("a race evaluator", "open its tables and make it there"))
    }
}
