//! Tables of one side.

use std::path::PathBuf;
use std::sync::Arc;

use gammon_core::bearoff::{OneSided, Rolls};
use gammon_core::parallel::Watch;
use gammon_core::position::Counts;
use gammon_core::race::pip_count;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use super::{built, column, counts, not_covered, not_pickled, opened, or_default, pairs, saved, size};
use crate::arrays;
use crate::errors::Result;

/// Rolls one side needs, for every side on the lowest points.
#[pyclass(name = "OneSided", module = "gammon.bearoff", frozen)]
pub struct PyOneSided(pub(super) Arc<OneSided>);

/// What one side needs.
#[pyclass(name = "Bearoff", module = "gammon.bearoff", frozen, get_all)]
pub struct PyBearoff {
    /// Pips left.
    pips: u32,
    /// Mean rolls to bear everything off.
    mean_rolls: f64,
    /// Standard deviation of those rolls.
    sd_rolls: f64,
    /// Effective pip count: mean rolls times 49/6.
    epc: f64,
    /// Effective pips beyond the pips.
    wastage: f64,
    /// Chance to need exactly 0, 1, 2, … rolls.
    rolls: Py<PyArray1<f64>>,
    /// Mean rolls until the first checker is off; 0 if one is.
    mean_first_off: f64,
    /// Chance that the first checker comes off with roll 0 (one is off already), 1, 2, ….
    first_off: Py<PyArray1<f64>>,
}

/// The fields in their order: what it is pickled as.
type BearoffFields = (u32, f64, f64, f64, f64, Py<PyArray1<f64>>, f64, Py<PyArray1<f64>>);

impl PyBearoff {
    fn numbers(&self) -> [f64; 6] {
        let pips = f64::from(self.pips);
        [pips, self.mean_rolls, self.sd_rolls, self.epc, self.wastage, self.mean_first_off]
    }
}

#[pymethods]
impl PyBearoff {
    #[staticmethod]
    fn _from_fields(fields: BearoffFields) -> PyBearoff {
        let (pips, mean_rolls, sd_rolls, epc, wastage, rolls, mean_first_off, first_off) = fields;
        PyBearoff { pips, mean_rolls, sd_rolls, epc, wastage, rolls, mean_first_off, first_off }
    }

    fn __repr__(&self) -> String {
        format!("<Bearoff: {:.4} rolls, {:.3} effective pips>", self.mean_rolls, self.epc)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyBearoff>().map(Bound::get) else { return Ok(false) };
        if self.numbers() != other.numbers() {
            return Ok(false);
        }
        arrays::equal(
            py,
            [self.rolls.bind(py).as_any(), self.first_off.bind(py)],
            [other.rolls.bind(py).as_any(), other.first_off.bind(py)],
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (BearoffFields,))> {
        let fields = (
            self.pips,
            self.mean_rolls,
            self.sd_rolls,
            self.epc,
            self.wastage,
            self.rolls.clone_ref(py),
            self.mean_first_off,
            self.first_off.clone_ref(py),
        );
        Ok((py.get_type::<PyBearoff>().getattr("_from_fields")?, (fields,)))
    }
}

#[pymethods]
impl PyOneSided {
    /// Solves a table.
    #[staticmethod]
    #[pyo3(signature = (points = None, checkers = None, *, threads = None, progress = None))]
    fn build(
        py: Python<'_>,
        points: Option<&Bound<'_, PyAny>>,
        checkers: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Result<PyOneSided> {
        let (points, checkers) = (size("points", points, 6)?, size("checkers", checkers, 15)?);
        let build = |threads, watch: &mut Watch<'_>| OneSided::build(points, checkers, threads, watch);
        Ok(PyOneSided(built(py, threads, progress.as_ref(), build)?))
    }

    /// Steps in which a build reports its progress.
    #[staticmethod]
    fn work(points: usize, checkers: usize) -> Option<usize> {
        OneSided::work(points, checkers)
    }

    /// Maps a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> Result<PyOneSided> {
        Ok(PyOneSided(opened(py, &path, OneSided::open)?))
    }

    /// Writes a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        saved(py, &path, |path| self.0.save(path))
    }

    /// Points covered.
    #[getter]
    fn points(&self) -> usize {
        self.0.points()
    }

    /// Most checkers covered.
    #[getter]
    fn checkers(&self) -> usize {
        self.0.checkers()
    }

    /// Bytes of the table.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    fn __len__(&self) -> usize {
        self.0.ranking().len()
    }

    /// What a side needs, checkers on points 1, 2, … given; raises outside the table.
    fn probe(&self, py: Python<'_>, side: Vec<i64>) -> Result<PyBearoff> {
        self.find(py, &side)?.ok_or_else(|| not_covered(self.points(), self.checkers(), &side))
    }

    /// The same, or a default outside the table.
    #[pyo3(signature = (side, default = None))]
    fn get(&self, py: Python<'_>, side: Vec<i64>, default: Option<Py<PyAny>>) -> Result<Option<Py<PyAny>>> {
        or_default(py, self.find(py, &side)?, default)
    }

    /// Mean rolls of both sides, `float64[n, 2]`; not a number outside the table.
    fn mean_rolls<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyArray2<f64>>> {
        pairs(py, boards, |side| self.0.find(side).map_or(f64::NAN, |index| self.0.mean(index)))
    }

    /// Chance of the player on roll to bear off first, both playing for their fewest mean rolls,
    /// `float64[n]`; not a number outside the table.
    fn win<'py>(&self, py: Python<'py>, boards: &Bound<'py, PyAny>) -> Result<Bound<'py, PyArray1<f64>>> {
        let rolls = |side: &Counts| self.0.find(side).map(|index| self.0.rolls(index));
        column(py, boards, |position| match (rolls(&position.roller()), rolls(&position.opponent())) {
            (Some(ours), Some(theirs)) => ours.beats(theirs, 0),
            _ => f64::NAN,
        })
    }

    fn __repr__(&self) -> String {
        format!("<OneSided table of {} points, {} checkers>", self.0.points(), self.0.checkers())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a table", "save it and open the file there"))
    }
}

impl PyOneSided {
    fn find(&self, py: Python<'_>, side: &[i64]) -> Result<Option<PyBearoff>> {
        let counts = counts(side)?;
        let Some(index) = self.0.find(&counts) else { return Ok(None) };
        let rolls = self.0.rolls(index);
        let (mean, pips) = (self.0.mean(index), pip_count(&counts));
        Ok(Some(PyBearoff {
            pips,
            mean_rolls: mean,
            sd_rolls: rolls.moments().variance.sqrt(),
            epc: self.0.epc(index),
            wastage: self.0.epc(index) - f64::from(pips),
            rolls: chances(py, rolls),
            mean_first_off: self.0.mean_first_off(index),
            first_off: chances(py, self.0.first_off(index)),
        }))
    }
}

fn chances(py: Python<'_>, rolls: Rolls<'_>) -> Py<PyArray1<f64>> {
    PyArray1::from_iter(py, (0..=rolls.last()).map(|n| rolls.chance(n))).unbind()
}
