//! Numpy arrays in, checked row by row, and out, moved rather than copied.
//!
//! Strided arrays are read through numpy, as numpy users expect; a wrong dtype is refused, since
//! converting silently would hide a 256 or a negative number. Input is copied into positions while the
//! interpreter is held, so nothing another thread writes can be seen half-way.

use gammon_core::Position;
use gammon_core::position::Counts;
use numpy::{Element, Ix2, Ix3};
use numpy::{
    PyArray, PyArray2, PyArray3, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{Error, Result};

/// Bytes of one position: two sides of 24 points and the bar.
pub const ROW: usize = 50;

/// An array of `T` with `D` dimensions, or a word on what was given instead.
fn typed<'py, T: Element, D: numpy::ndarray::Dimension>(
    name: &str,
    shape: &str,
    value: &Bound<'py, PyAny>,
) -> Result<PyReadonlyArray<'py, T, D>> {
    if let Ok(array) = value.cast::<PyArray<T, D>>() {
        return array.try_readonly().map_err(|error| Error::Array(format!("{name}: {error}")));
    }
    let wanted = T::get_dtype(value.py());
    let Ok(array) = value.cast::<PyUntypedArray>() else {
        let kind = value.get_type().name()?;
        return Err(Error::Array(format!(
            "{name}: expected a numpy array of dtype {wanted} and shape {shape}, got {kind}"
        )));
    };
    let found = array.dtype();
    if !found.is_equiv_to(&wanted) {
        return Err(Error::Array(format!(
            "{name}: expected dtype {wanted}, got {found}; convert with .astype({wanted:?}) if the values fit",
            wanted = wanted.str()?.to_cow()?
        )));
    }
    Err(Error::Array(format!("{name}: expected shape {shape}, got {}", shape_text(array.shape()))))
}

fn shape_text(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The bytes of an array in row order, copied only when it is strided.
fn bytes_of<D: numpy::ndarray::Dimension>(array: &PyReadonlyArray<'_, u8, D>) -> Vec<u8> {
    match array.as_slice() {
        Ok(slice) => slice.to_vec(),
        Err(_) => array.as_array().iter().copied().collect(),
    }
}

/// One `uint8[2, 25]` as a position.
pub fn position(value: &Bound<'_, PyAny>) -> Result<Position> {
    let array = typed::<u8, Ix2>("board", "(2, 25)", value)?;
    if array.shape() != [2, 25] {
        return Err(Error::Array(format!(
            "board: expected shape (2, 25), got {}",
            shape_text(array.shape())
        )));
    }
    Ok(from_row(&bytes_of(&array))?)
}

/// A `uint8[n, 2, 25]` as positions; the error names the first bad row.
pub fn positions(value: &Bound<'_, PyAny>) -> Result<Vec<Position>> {
    let array = typed::<u8, Ix3>("boards", "(n, 2, 25)", value)?;
    if array.shape()[1..] != [2, 25] {
        return Err(Error::Array(format!(
            "boards: expected shape (n, 2, 25), got {}",
            shape_text(array.shape())
        )));
    }
    let strided;
    let bytes = match array.as_slice() {
        Ok(slice) => slice,
        Err(_) => {
            strided = bytes_of(&array);
            &strided
        }
    };
    bytes
        .chunks_exact(ROW)
        .enumerate()
        .map(|(row, bytes)| from_row(bytes).map_err(|error| Error::Array(format!("boards[{row}]: {error}"))))
        .collect()
}

fn from_row(bytes: &[u8]) -> Result<Position, gammon_core::PositionError> {
    let (roller, opponent) = bytes.split_at(ROW / 2);
    let counts = |side: &[u8]| -> Counts { std::array::from_fn(|i| side[i]) };
    Position::from_counts(&counts(roller), &counts(opponent))
}

/// A position as a new `uint8[2, 25]`.
pub fn board<'py>(py: Python<'py>, position: &Position) -> Bound<'py, PyArray2<u8>> {
    let rows = [position.roller(), position.opponent()];
    PyArray2::from_array(py, &numpy::ndarray::arr2(&rows))
}

/// Positions as a new `uint8[n, 2, 25]`.
pub fn boards<'py>(py: Python<'py>, positions: &[Position]) -> Result<Bound<'py, PyArray3<u8>>> {
    let mut bytes = Vec::with_capacity(positions.len() * ROW);
    for position in positions {
        bytes.extend_from_slice(&position.roller());
        bytes.extend_from_slice(&position.opponent());
    }
    boards_from_bytes(py, bytes)
}

/// Rows of 50 bytes, moved into a `uint8[n, 2, 25]`.
pub fn boards_from_bytes<'py>(py: Python<'py>, bytes: Vec<u8>) -> Result<Bound<'py, PyArray3<u8>>> {
    let n = bytes.len() / ROW;
    Ok(numpy::PyArray1::from_vec(py, bytes).reshape([n, 2, 25])?)
}
