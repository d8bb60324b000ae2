//! Tables of both sides.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use gammon_core::Position;
use gammon_core::bearoff::{Equities, Storage, TwoSided};
use gammon_core::parallel::Watch;
use numpy::PyArray1;
use pyo3::prelude::*;

use super::{built, column_named, not_covered, not_pickled, opened, or_default, saved, size, table};
use crate::arrays;
use crate::errors::{Error, Result};
use crate::position::position_like;
use crate::values::hash_numbers;

/// Exact money equities of both sides.
#[pyclass(name = "TwoSided", module = "gammon.bearoff", frozen)]
pub struct PyTwoSided(pub(super) Arc<TwoSided>);

/// Money equities of the player on roll, in units of the cube as it stands.
///
/// `win`, the best decisions and `double_take` follow from the other four, which make it: `Equities(cubeless,
/// centred_no_double, owned_no_double, opponent_owned)`.
#[pyclass(name = "Equities", module = "gammon.bearoff", frozen, get_all, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyEquities {
    /// Chance to win.
    win: f64,
    /// Without a cube.
    cubeless: f64,
    /// Cube in the middle, not doubling this turn.
    centred_no_double: f64,
    /// Cube in the middle, best decision this turn.
    centred_best: f64,
    /// Cube owned by the player on roll, not doubling this turn.
    owned_no_double: f64,
    /// Cube owned by the player on roll, best decision this turn.
    owned_best: f64,
    /// Cube owned by the opponent.
    opponent_owned: f64,
    /// Doubling this turn and being taken.
    double_take: f64,
}

/// What equities are made of.
type EquitiesFields = (f64, f64, f64, f64);

/// Equal equities have equal parts.
impl Hash for PyEquities {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (cubeless, centred, owned, opponent_owned) = self.fields();
        hash_numbers([cubeless, centred, owned, opponent_owned], state);
    }
}

impl PyEquities {
    fn fields(&self) -> EquitiesFields {
        (self.cubeless, self.centred_no_double, self.owned_no_double, self.opponent_owned)
    }

    fn new(equities: Equities) -> PyEquities {
        PyEquities {
            win: equities.win(),
            cubeless: equities.cubeless,
            centred_no_double: equities.centred_no_double,
            centred_best: equities.centred_best(),
            owned_no_double: equities.owned_no_double,
            owned_best: equities.owned_best(),
            opponent_owned: equities.opponent_owned,
            double_take: equities.double_take(),
        }
    }
}

#[pymethods]
impl PyEquities {
    #[new]
    fn py_new(
        cubeless: f64,
        centred_no_double: f64,
        owned_no_double: f64,
        opponent_owned: f64,
    ) -> PyEquities {
        PyEquities::new(Equities { cubeless, centred_no_double, owned_no_double, opponent_owned })
    }

    fn __repr__(&self) -> String {
        let (cubeless, centred, owned, opponent_owned) = self.fields();
        format!(
            "Equities(cubeless={cubeless:?}, centred_no_double={centred:?}, owned_no_double={owned:?}, \
             opponent_owned={opponent_owned:?})"
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, EquitiesFields) {
        (py.get_type::<PyEquities>().into_any(), self.fields())
    }
}

#[pymethods]
impl PyTwoSided {
    /// Solves a table.
    #[staticmethod]
    #[pyo3(signature = (points = None, checkers = None, *, storage = "u16", threads = None, progress = None))]
    fn build(
        py: Python<'_>,
        points: Option<&Bound<'_, PyAny>>,
        checkers: Option<&Bound<'_, PyAny>>,
        storage: &str,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Result<PyTwoSided> {
        let (points, checkers) = (size("points", points, 6)?, size("checkers", checkers, 6)?);
        let storage = match storage {
            "u16" => Storage::Bits16,
            "f32" => Storage::F32,
            other => return Err(Error::Setting(format!("storage must be 'u16' or 'f32', got '{other}'"))),
        };
        let build =
            |threads, watch: &mut Watch<'_>| TwoSided::build(points, checkers, storage, threads, watch);
        Ok(PyTwoSided(built(py, threads, progress.as_ref(), build)?))
    }

    /// Steps in which a build reports its progress.
    #[staticmethod]
    fn work(points: usize, checkers: usize) -> Option<usize> {
        TwoSided::work(points, checkers)
    }

    /// Maps a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> Result<PyTwoSided> {
        Ok(PyTwoSided(opened(py, &path, TwoSided::open)?))
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

    /// Most checkers a side covered.
    #[getter]
    fn checkers(&self) -> usize {
        self.0.checkers()
    }

    /// How equities are stored: `u16` or `f32`.
    #[getter]
    fn storage(&self) -> &'static str {
        match self.0.storage() {
            Storage::Bits16 => "u16",
            Storage::F32 => "f32",
        }
    }

    /// Bytes of the table.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    fn __len__(&self) -> usize {
        self.0.ranking().len().pow(2)
    }

    /// Equities of a position; raises outside the table.
    fn probe(&self, position: &Bound<'_, PyAny>) -> Result<PyEquities> {
        let position = position_like(position)?;
        self.find(&position).ok_or_else(|| not_covered(self.points(), self.checkers(), &position))
    }

    /// The same, or a default outside the table.
    #[pyo3(signature = (position, default = None))]
    fn get(&self, position: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> Result<Option<Py<PyAny>>> {
        let py = position.py();
        let position = position_like(position)?;
        or_default(py, self.find(&position), default)
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
        let Some(column) = column_named(kind)? else {
            let all = |positions: &[Position], out: &mut [[f64; 6]]| self.0.columns(positions, out);
            return Ok(table(py, arrays::map_positions(boards, [f64::NAN; 6], all)?)?.into_any());
        };
        let value = |equities: Equities| equities.columns()[column];
        let one = |positions: &[Position], out: &mut [f64]| self.0.look_up(positions, out, f64::NAN, value);
        Ok(PyArray1::from_vec(py, arrays::map_positions(boards, f64::NAN, one)?).into_any())
    }

    fn __repr__(&self) -> String {
        format!("<TwoSided table of {} points, {} checkers a side>", self.0.points(), self.0.checkers())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a table", "save it and open the file there"))
    }
}

impl PyTwoSided {
    fn find(&self, position: &Position) -> Option<PyEquities> {
        self.0.find_position(position).map(PyEquities::new)
    }
}
