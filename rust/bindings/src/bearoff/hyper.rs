//! The solved game of Hypergammon.

use std::path::PathBuf;
use std::sync::Arc;

use gammon_core::hyper::Hypergammon;
use gammon_core::parallel::Watch;
use gammon_core::{Position, Probs};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::{built, column_named, not_pickled, opened, saved, table};
use crate::arrays;
use crate::errors::{Error, Result};
use crate::runtime::integer;

/// Every position of Hypergammon with one, two or three checkers a side.
#[pyclass(name = "Hypergammon", module = "gammon.hypergammon", frozen)]
pub struct PyHypergammon(Arc<Hypergammon>);

/// Equity, five chances, last changes of an equity and of a chance.
type OpeningFields = (f64, [f64; 5], f64, f64);

impl PyHypergammon {
    /// As evaluators go.
    pub fn table(&self) -> Arc<Hypergammon> {
        self.0.clone()
    }
}

#[pymethods]
impl PyHypergammon {
    /// Solves the game.
    #[staticmethod]
    #[pyo3(signature = (checkers = None, *, threads = None, progress = None))]
    fn build(
        py: Python<'_>,
        checkers: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Result<PyHypergammon> {
        let checkers = checkers.map_or(Ok(3), |value| integer("checkers", value, 1..=3))? as usize;
        let build = |threads, watch: &mut Watch<'_>| Hypergammon::build(checkers, threads, watch);
        Ok(PyHypergammon(built(py, threads, progress.as_ref(), build)?))
    }

    /// Steps in which a build reports its progress.
    #[staticmethod]
    fn work(checkers: usize) -> Option<usize> {
        Hypergammon::work(checkers)
    }

    /// Maps a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> Result<PyHypergammon> {
        Ok(PyHypergammon(opened(py, &path, Hypergammon::open)?))
    }

    /// Writes a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        saved(py, &path, |path| self.0.save(path))
    }

    /// Checkers a side.
    #[getter]
    fn checkers(&self) -> usize {
        self.0.checkers()
    }

    /// Bytes of the table.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// Which table it is: the checkers and a digest.
    #[getter]
    fn id(&self) -> &str {
        gammon_core::eval::Evaluator::<gammon_core::Backgammon>::id(self.0.as_ref())
    }

    /// Sweeps it took to solve.
    #[getter]
    fn sweeps(&self) -> usize {
        self.0.opening().sweeps
    }

    fn __len__(&self) -> usize {
        self.0.sides().len().pow(2)
    }

    /// The start, for the winner of the opening roll.
    fn _opening(&self) -> OpeningFields {
        let opening = self.0.opening();
        (opening.equity, opening.chances, opening.change, opening.chance_change)
    }

    /// Chances of the player on roll in each position, `float32[n, 5]`.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyArray2<f32>>> {
        let missing = Probs { win: f32::NAN, ..Probs::default() };
        let all = arrays::map_positions(boards, missing, |positions, out| {
            for (out, position) in out.iter_mut().zip(positions) {
                if let Some(known) = self.0.find(position) {
                    *out = known.probs;
                }
            }
        })?;
        if let Some(row) = all.iter().position(|probs| probs.win.is_nan()) {
            return Err(Error::Evaluator(format!(
                "boards[{row}] is no position of hypergammon with {} checkers a side",
                self.0.checkers()
            )));
        }
        let numbers: Vec<f32> = all.iter().flat_map(|probs| probs.to_array()).collect();
        Ok(PyArray1::from_vec(py, numbers).reshape([all.len(), 5])?)
    }

    /// Cubeless, centred no double and best, owned no double and best, and opponent-owned equities,
    /// `float64[n, 6]`, or the kind asked for, `float64[n]`; not a number outside the table.
    #[pyo3(signature = (boards, kind = None))]
    fn equities<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        kind: Option<&str>,
    ) -> Result<Bound<'py, PyAny>> {
        let all = |positions: &[Position], out: &mut [[f64; 6]]| {
            for (out, position) in out.iter_mut().zip(positions) {
                *out = self.0.find(position).map_or([f64::NAN; 6], |known| known.columns());
            }
        };
        let column = column_named(kind)?;
        let rows = arrays::map_positions(boards, [f64::NAN; 6], all)?;
        Ok(match column {
            None => table(py, rows)?.into_any(),
            Some(column) => PyArray1::from_iter(py, rows.iter().map(|row| row[column])).into_any(),
        })
    }

    fn __repr__(&self) -> String {
        format!("<Hypergammon table of {} checkers a side>", self.0.checkers())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a table", "save it and open the file there"))
    }
}
