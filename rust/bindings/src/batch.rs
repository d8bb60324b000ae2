//! Calls on many positions or games at once: the interpreter is let go, results do not depend on
//! the number of threads.

use gammon_core::Backgammon;
use gammon_core::movegen::{self, Game};
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;

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

/// What a perft found.
#[pyclass(name = "Perft", module = "gammon", frozen, eq, get_all)]
#[derive(Clone, Copy, PartialEq, Eq)]
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

#[pymethods]
impl PyPerft {
    fn __repr__(&self) -> String {
        let PyPerft { depth, paths, passes, unique } = self;
        let unique = unique.map_or("None".to_owned(), |unique| unique.to_string());
        format!("Perft(depth={depth}, paths={paths}, passes={passes}, unique={unique})")
    }
}

/// Counts the positions that `depth` rolls lead to.
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

/// The distinct results of each roll in its position, as boards and the offsets that part them.
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

/// How random games went, one entry a game.
#[pyclass(name = "RandomGames", module = "gammon", frozen, get_all)]
pub struct PyRandomGames {
    /// Points won by the player who rolled first; 0 is a game given up.
    points: Py<PyArray1<i8>>,
    /// Rolls thrown.
    turns: Py<PyArray1<u32>>,
}

/// Plays games of uniformly random plays from the start.
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
