//! Calls on many positions or games at once: the interpreter is let go, results do not depend on
//! the number of threads.

use gammon_core::{Backgammon, movegen};
use pyo3::prelude::*;

use crate::errors::Result;
use crate::position::position_like;
use crate::runtime::{integer, interruptible};

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
    /// Different positions at the end.
    unique: u64,
}

#[pymethods]
impl PyPerft {
    fn __repr__(&self) -> String {
        let PyPerft { depth, paths, passes, unique } = self;
        format!("Perft(depth={depth}, paths={paths}, passes={passes}, unique={unique})")
    }
}

/// Counts the positions that `depth` rolls lead to.
#[pyfunction]
#[pyo3(signature = (position, depth, *, threads = None, progress = None))]
pub fn perft(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    depth: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<PyPerft> {
    let position = position_like(position)?;
    let depth = integer("depth", depth, 0..=MAX_DEPTH)? as u32;
    let threads = crate::runtime::threads(threads)?;
    let counts = interruptible(py, progress.as_ref(), |watch| {
        movegen::perft::<Backgammon>(&position, depth, threads, watch)
    })??;
    Ok(PyPerft { depth, paths: counts.paths, passes: counts.passes, unique: counts.unique })
}
