//! Bear-off tables, race chances and race counts.

mod count;
mod hyper;
mod one_sided;
mod race;
mod two_sided;

pub use count::{PyRaceCount, race_count_columns, race_counts, verdict_on_epc};
pub use hyper::PyHypergammon;
pub use one_sided::{PyBearoff, PyOneSided};
pub use race::PyRace;
pub use two_sided::{PyEquities, PyTwoSided};

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use gammon_core::Position;
use gammon_core::bearoff::{BuildError, Equities, TableError};
use gammon_core::parallel::Watch;
use gammon_core::position::Counts;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::runtime::{self, integer, interruptible};

/// A table that `build` solves with so many threads, telling `progress` how far it is.
fn built<T: Send>(
    py: Python<'_>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Py<PyAny>>,
    build: impl FnOnce(usize, &mut Watch<'_>) -> Result<T, BuildError> + Send,
) -> Result<Arc<T>> {
    let threads = runtime::threads(threads)?;
    Ok(Arc::new(interruptible(py, progress, |watch| build(threads, watch))??))
}

/// A table from its file.
fn opened<T: Send>(
    py: Python<'_>,
    path: &Path,
    open: impl FnOnce(&Path) -> Result<T, TableError> + Send,
) -> Result<Arc<T>> {
    let table = interruptible(py, None, |_| open(path))?;
    table.map(Arc::new).map_err(|error| Error::of_table(error, path))
}

/// Writes a table's file.
fn saved(py: Python<'_>, path: &Path, save: impl FnOnce(&Path) -> std::io::Result<()> + Send) -> Result<()> {
    interruptible(py, None, |_| save(path))?.map_err(|error| Error::of_file(error, path))
}

/// What a table holds, or a default outside it.
fn or_default<T: pyo3::PyClass + Into<PyClassInitializer<T>>>(
    py: Python<'_>,
    found: Option<T>,
    default: Option<Py<PyAny>>,
) -> Result<Option<Py<PyAny>>> {
    match found {
        Some(found) => Ok(Some(Py::new(py, found)?.into_any())),
        None => Ok(default),
    }
}

/// Which of the columns of equities is meant; all of them without a name.
fn column_named(kind: Option<&str>) -> Result<Option<usize>> {
    let known = |kind: &str| Equities::COLUMNS.iter().position(|&name| name == kind);
    kind.map(|kind| {
        known(kind).ok_or_else(|| {
            let names = Equities::COLUMNS.join(", ");
            Error::Setting(format!("kind must be one of {names}; got '{kind}'"))
        })
    })
    .transpose()
}

/// The error for what lies outside a table of this size.
fn not_covered(points: usize, checkers: usize, what: &dyn Debug) -> Error {
    Error::Missing(format!(
        "the table of {points} points and {checkers} checkers a side does not cover {what:?}"
    ))
}

/// The error for something that stays in the process that opened it.
fn not_pickled(what: &str, instead: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} is not copied to another process; {instead}"))
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
            BuildError::Size { .. } | BuildError::Checkers { .. } => Error::Setting(error.to_string()),
            BuildError::Cancelled => Error::Stopped(gammon_core::parallel::Cancelled),
        }
    }
}
