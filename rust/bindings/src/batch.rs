//! Calls on many positions or games at once: the interpreter is let go, results do not depend on
//! the number of threads.

use gammon_core::Backgammon;
use gammon_core::movegen::{self, Game};
use numpy::{PyArray1, PyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::errors::Result;
use crate::position::position_like;
use crate::runtime::{self, integer, interruptible};

/// Boards, and the offsets that part them.
type Rows<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray1<i64>>);

/// Expansions that take about as long as starting a thread; fewer are not worth one.
const EXPANSIONS_A_THREAD: usize = 1_000;

/// Most games of one call; their results are kept in memory.
const MAX_GAMES: i64 = 1_000_000_000;

/// Deepest perft asked for: depth 4 from the start is 4 * 10^10 paths.
const MAX_DEPTH: i64 = 8;

/// What a perft counted.
#[pyclass(name = "Perft", module = "gammon", frozen, eq, hash, get_all)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyPerft {
    /// Rolls counted.
    depth: u32,
    /// Sequences of rolls and plays.
    paths: u64,
    /// Those whose last roll was unplayable.
    passes: u64,
    /// Different positions at the end; `None` if they were not told apart.
    unique: Option<u64>,
}

impl PyPerft {
    /// What was counted.
    pub fn of(depth: u32, paths: u64, passes: u64, unique: Option<u64>) -> PyPerft {
        PyPerft { depth, paths, passes, unique }
    }
}

#[pymethods]
impl PyPerft {
    #[new]
    fn new(depth: u32, paths: u64, passes: u64, unique: Option<u64>) -> PyPerft {
        PyPerft { depth, paths, passes, unique }
    }

    fn __repr__(&self) -> String {
        let PyPerft { depth, paths, passes, unique } = self;
        let unique = unique.map_or("None".to_owned(), |unique| unique.to_string());
        format!("Perft(depth={depth}, paths={paths}, passes={passes}, unique={unique})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (u32, u64, u64, Option<u64>)) {
        let PyPerft { depth, paths, passes, unique } = *self;
        (py.get_type::<PyPerft>().into_any(), (depth, paths, passes, unique))
    }
}

/// Count the sequences of `depth` rolls and plays from a position, and the different positions they end in.
///
/// Each of the 21 rolls counts once, an unplayable roll as one play. Telling positions apart (`unique`)
/// takes memory for all of them: from the start some 10 MB at depth 2 and some 5 GB at depth 3.
///
/// `progress` is told some twenty times a second how many paths are counted.
///
/// Raises `SettingError` for a depth that is not from 0 to 8, `ParseError` for a text that is no identifier,
/// `Stopped` if `progress` asks to stop.
///
/// >>> import gammon
/// >>> gammon.perft("start", 1)
/// Perft(depth=1, paths=447, passes=0, unique=406)
#[pyfunction]
#[pyo3(signature = (position, depth, *, unique = true, threads = None, progress = None))]
pub fn perft(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    depth: &Bound<'_, PyAny>,
    unique: bool,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<PyPerft> {
    let position = position_like(position)?;
    let depth = integer("depth", depth, 0..=MAX_DEPTH)? as u32;
    let threads = runtime::threads(threads)?;
    let counts = interruptible(py, progress.as_ref(), |watch| {
        movegen::perft::<Backgammon>(&position, depth, unique, threads, watch)
    })??;
    Ok(PyPerft { depth, paths: counts.paths, passes: counts.passes, unique: counts.unique })
}

/// All distinct results of each roll in its position.
///
/// Takes positions `uint8[n, 2, 25]` (the player on roll first, each side from its own ace point to the bar)
/// and rolls `uint8[n, 2]`, either die first. Returns `uint8[m, 2, 25]`, the opponent on roll, and offsets
/// `int64[n + 1]`: the results of pair `i` are rows `offsets[i]` to `offsets[i + 1]`. A roll that cannot be
/// played has one result, the position handed over. The same bytes for any number of threads.
///
/// Raises `ArrayError` for another dtype or shape, `IllegalPositionError` and `IllegalRollError` for a row
/// that is no position or no roll, naming the first.
///
/// >>> import gammon, numpy as np
/// >>> boards = np.stack([gammon.Position.start().board] * 2)
/// >>> results, offsets = gammon.expand(boards, np.array([[3, 1], [6, 6]], np.uint8))
/// >>> results.shape, offsets.tolist()
/// ((27, 2, 25), [0, 16, 27])
#[pyfunction]
#[pyo3(signature = (boards, rolls, *, threads = None))]
pub fn expand<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    rolls: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Rows<'py>> {
    let positions = arrays::positions(boards)?;
    let rolls = arrays::rolls(rolls, positions.len())?;
    let useful = positions.len().div_ceil(EXPANSIONS_A_THREAD).max(1);
    let threads = runtime::threads(threads)?.min(useful);
    let results =
        interruptible(py, None, |watch| movegen::expand::<Backgammon>(&positions, &rolls, threads, watch))??;
    Ok((arrays::boards_from_rows(py, results.rows)?, PyArray1::from_vec(py, results.offsets)))
}

/// Points and turns of games.
type GameColumns = (Py<PyArray1<i8>>, Py<PyArray1<u32>>);

/// How random games went, one entry a game.
#[pyclass(name = "RandomGames", module = "gammon", frozen, get_all)]
pub struct PyRandomGames {
    /// Points won by the player who rolled first; 0 is a game given up.
    points: Py<PyArray1<i8>>,
    /// Rolls thrown.
    turns: Py<PyArray1<u32>>,
}

#[pymethods]
impl PyRandomGames {
    #[staticmethod]
    fn _from_columns(points: Py<PyArray1<i8>>, turns: Py<PyArray1<u32>>) -> PyRandomGames {
        PyRandomGames { points, turns }
    }

    /// The columns `points` and `turns`, for a table: `pandas.DataFrame(games.to_dict())`, or polars'.
    ///
    /// >>> import gammon
    /// >>> sorted(gammon.random_games(10, seed=1).to_dict())
    /// ['points', 'turns']
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("points", self.points.bind(py))?;
        columns.set_item("turns", self.turns.bind(py))?;
        Ok(columns)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<{} random games>", self.points.bind(py).len())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyRandomGames>().map(Bound::get) else { return Ok(false) };
        arrays::equal(
            py,
            [self.points.bind(py).as_any(), self.turns.bind(py)],
            [other.points.bind(py).as_any(), other.turns.bind(py)],
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, GameColumns)> {
        let columns = (self.points.clone_ref(py), self.turns.clone_ref(py));
        Ok((py.get_type::<PyRandomGames>().getattr("_from_columns")?, columns))
    }
}

/// Play `n` games of uniformly random plays from the start; game `i` depends on `seed` and `i` alone.
///
/// `progress` is told some twenty times a second how many games are finished.
///
/// Raises `SettingError` for a number of games or a seed outside its range, `Stopped` if `progress`
/// asks to stop.
///
/// >>> import gammon
/// >>> games = gammon.random_games(1000, seed=1)
/// >>> games.points.shape, games.turns.dtype, set(abs(games.points).tolist())
/// ((1000,), dtype('uint32'), {1, 2, 3})
#[pyfunction]
#[pyo3(signature = (n, seed, *, threads = None, progress = None))]
pub fn random_games(
    py: Python<'_>,
    n: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<PyRandomGames> {
    let n = integer("n", n, 0..=MAX_GAMES)? as u64;
    let seed = runtime::seed(seed)?;
    let threads = runtime::threads(threads)?;
    let games = interruptible(py, progress.as_ref(), |watch| {
        movegen::random_games::<Backgammon>(seed, n, threads, watch)
    })??;
    Ok(PyRandomGames {
        points: PyArray1::from_iter(py, games.iter().map(Game::points)).unbind(),
        turns: PyArray1::from_iter(py, games.iter().map(|game| game.turns)).unbind(),
    })
}
