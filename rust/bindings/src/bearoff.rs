//! Bear-off tables, race chances and race counts.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use gammon_core::Position;
use gammon_core::bearoff::{BuildError, Equities, OneSided, Rolls, Storage, TwoSided};
use gammon_core::position::Counts;
use gammon_core::race::{Count, Method, RaceEvaluator, epc_verdict, pip_count};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::evaluator::{AnyEvaluator, run};
use crate::position::position_like;
use crate::runtime::{self, integer, interruptible};
use crate::values::{hash_numbers, shown};

/// Rolls one side needs, for every side on the lowest points.
#[pyclass(name = "OneSided", module = "gammon.bearoff", frozen)]
pub struct PyOneSided(Arc<OneSided>);

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
        let threads = runtime::threads(threads)?;
        let table =
            interruptible(py, progress.as_ref(), |watch| OneSided::build(points, checkers, threads, watch))??;
        Ok(PyOneSided(Arc::new(table)))
    }

    /// Steps in which a build reports its progress.
    #[staticmethod]
    fn work(points: usize, checkers: usize) -> Option<usize> {
        OneSided::work(points, checkers)
    }

    /// Maps a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> Result<PyOneSided> {
        let table = interruptible(py, None, |_| OneSided::open(&path))?
            .map_err(|error| Error::of_table(error, &path))?;
        Ok(PyOneSided(Arc::new(table)))
    }

    /// Writes a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        interruptible(py, None, |_| self.0.save(&path))?.map_err(|error| Error::of_file(error, &path))
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
        self.find(py, &side)?.ok_or_else(|| {
            Error::Missing(format!(
                "the table of {} points and {} checkers does not cover {side:?}",
                self.0.points(),
                self.0.checkers()
            ))
        })
    }

    /// The same, or a default outside the table.
    #[pyo3(signature = (side, default = None))]
    fn get(&self, py: Python<'_>, side: Vec<i64>, default: Option<Py<PyAny>>) -> Result<Option<Py<PyAny>>> {
        match self.find(py, &side)? {
            Some(found) => Ok(Some(Py::new(py, found)?.into_any())),
            None => Ok(default),
        }
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

/// Exact money equities of both sides.
#[pyclass(name = "TwoSided", module = "gammon.bearoff", frozen)]
pub struct PyTwoSided(Arc<TwoSided>);

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
        let threads = runtime::threads(threads)?;
        let table = interruptible(py, progress.as_ref(), |watch| {
            TwoSided::build(points, checkers, storage, threads, watch)
        })??;
        Ok(PyTwoSided(Arc::new(table)))
    }

    /// Steps in which a build reports its progress.
    #[staticmethod]
    fn work(points: usize, checkers: usize) -> Option<usize> {
        TwoSided::work(points, checkers)
    }

    /// Maps a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> Result<PyTwoSided> {
        let table = interruptible(py, None, |_| TwoSided::open(&path))?
            .map_err(|error| Error::of_table(error, &path))?;
        Ok(PyTwoSided(Arc::new(table)))
    }

    /// Writes a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        interruptible(py, None, |_| self.0.save(&path))?.map_err(|error| Error::of_file(error, &path))
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
        let found = self.0.find(&position.roller(), &position.opponent());
        found.map(PyEquities::new).ok_or_else(|| {
            Error::Missing(format!(
                "the table of {} points and {} checkers a side does not cover {position:?}",
                self.0.points(),
                self.0.checkers()
            ))
        })
    }

    /// The same, or a default outside the table.
    #[pyo3(signature = (position, default = None))]
    fn get(&self, position: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> Result<Option<Py<PyAny>>> {
        let py = position.py();
        let position = position_like(position)?;
        match self.0.find(&position.roller(), &position.opponent()) {
            Some(found) => Ok(Some(Py::new(py, PyEquities::new(found))?.into_any())),
            None => Ok(default),
        }
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
        let Some(kind) = kind else {
            let all = |positions: &[Position], out: &mut [[f64; 6]]| self.0.columns(positions, out);
            return Ok(table(py, arrays::map_positions(boards, [f64::NAN; 6], all)?)?.into_any());
        };
        let value: fn(Equities) -> f64 = match kind {
            "cubeless" => |equities| equities.cubeless,
            "centred_no_double" => |equities| equities.centred_no_double,
            "centred_best" => |equities| equities.centred_best(),
            "owned_no_double" => |equities| equities.owned_no_double,
            "owned_best" => |equities| equities.owned_best(),
            "opponent_owned" => |equities| equities.opponent_owned,
            other => {
                let names = Equities::COLUMNS.join(", ");
                return Err(Error::Setting(format!("kind must be one of {names}; got '{other}'")));
            }
        };
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

/// Chances in every race, from bear-off tables.
#[pyclass(name = "Race", module = "gammon.bearoff", frozen)]
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
    fn new(one_sided: &PyOneSided, two_sided: Option<&PyTwoSided>) -> Result<PyRace> {
        RaceEvaluator::new(one_sided.0.clone(), two_sided.map(|table| table.0.clone()))
            .map(|race| PyRace(Arc::new(race)))
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

    /// Chances of the player on roll in each position, `float32[n, 5]`; raises if one is no race.
    #[pyo3(signature = (boards, *, threads = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyArray2<f32>>> {
        run(py, &AnyEvaluator::Race(self.0.clone()), boards, threads)
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

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a race evaluator", "open its tables and make it there"))
    }
}

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

/// The error for something that stays in the process that opened it.
fn not_pickled(what: &str, instead: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} is not copied to another process; {instead}"))
}

fn method_named(name: &str) -> Result<Method> {
    Method::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = Method::ALL.map(Method::name).join(", ");
        Error::Setting(format!("method must be one of {names}; got '{name}'"))
    })
}

fn size(name: &str, value: Option<&Bound<'_, PyAny>>, default: usize) -> Result<usize> {
    value.map_or(Ok(default), |value| Ok(integer(name, value, 1..=100)? as usize))
}

/// Up to 25 counts as a side.
fn counts(side: &[i64]) -> Result<Counts> {
    let mut counts = [0; 25];
    if side.len() > 25 {
        return Err(Error::Setting(format!("a side has at most 25 counts, got {}", side.len())));
    }
    for (count, &n) in counts.iter_mut().zip(side) {
        *count = u8::try_from(n)
            .map_err(|_| Error::Setting(format!("a side is numbers of checkers from 0 to 255, got {n}")))?;
    }
    Ok(counts)
}

fn chances(py: Python<'_>, rolls: Rolls<'_>) -> Py<PyArray1<f64>> {
    PyArray1::from_iter(py, (0..=rolls.last()).map(|n| rolls.chance(n))).unbind()
}

/// One number a position.
fn column<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    look_up: impl Fn(&Position) -> f64 + Send + Sync,
) -> Result<Bound<'py, PyArray1<f64>>> {
    let numbers = arrays::map_positions(boards, f64::NAN, |positions, out| {
        out.iter_mut().zip(positions).for_each(|(out, position)| *out = look_up(position));
    })?;
    Ok(PyArray1::from_vec(py, numbers))
}

/// Two numbers a position, of the player on roll and of the opponent.
fn pairs<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    look_up: impl Fn(&Counts) -> f64 + Send + Sync,
) -> Result<Bound<'py, PyArray2<f64>>> {
    let pairs = arrays::map_positions(boards, [f64::NAN; 2], |positions, out| {
        for (out, position) in out.iter_mut().zip(positions) {
            *out = [look_up(&position.roller()), look_up(&position.opponent())];
        }
    })?;
    table(py, pairs)
}

/// Some numbers a row.
fn table<const N: usize>(py: Python<'_>, rows: Vec<[f64; N]>) -> Result<Bound<'_, PyArray2<f64>>> {
    let count = rows.len();
    Ok(PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])?)
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        match error {
            BuildError::Size { .. } => Error::Setting(error.to_string()),
            BuildError::Cancelled => Error::Stopped(gammon_core::parallel::Cancelled),
        }
    }
}
