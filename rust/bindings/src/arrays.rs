//! Numpy arrays in, checked row by row, and out, moved rather than copied.
//!
//! Strided arrays are read through numpy, as numpy users expect; a wrong dtype is refused, since
//! converting silently would hide a 256 or a negative number.
//!
//! An array belongs to its caller, who may write to it from another thread whenever the interpreter is
//! let go, and with numpy's own loops even while it is held. So memory is borrowed for one chunk at a time,
//! and every row is copied before it is judged: what such a caller gets is one of the rows that were there
//! or a mixture of them, but always a position or an error.

use std::borrow::Cow;

use gammon_core::rows::{self, ROW_BYTES, RowError};
use gammon_core::{Position, Probs, Roll};
use numpy::ndarray::{Dimension, arr2};
use numpy::{
    Element, Ix1, Ix2, Ix3, PyArray, PyArray1, PyArray2, PyArray3, PyArrayDescrMethods, PyArrayMethods,
    PyReadonlyArray, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{Error, Result};

/// Rows read between two looks at Python's signals: some ten milliseconds.
const ROWS_AT_ONCE: usize = 1 << 18;

/// An array of `T` with `D` dimensions, or a word on what was given instead.
fn typed<'py, T: Element, D: Dimension>(
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
    Err(wrong_shape(name, shape, array.shape()))
}

fn wrong_shape(name: &str, wanted: &str, found: &[usize]) -> Error {
    let found = match found {
        [n] => format!("({n},)"),
        _ => format!("({})", found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    };
    Error::Array(format!("{name}: expected shape {wanted}, got {found}"))
}

/// The bytes of an array in row order, copied only when they do not lie so (`as_slice` alone would
/// also give the bytes of an array in column order).
fn bytes_of<'a, D: Dimension>(array: &'a PyReadonlyArray<'_, u8, D>) -> Cow<'a, [u8]> {
    match array.as_slice() {
        Ok(slice) if array.is_c_contiguous() => Cow::Borrowed(slice),
        _ => Cow::Owned(array.as_array().iter().copied().collect()),
    }
}

/// One `uint8[2, 25]` as a position.
pub fn position(value: &Bound<'_, PyAny>) -> Result<Position> {
    let array = typed::<u8, Ix2>("board", "(2, 25)", value)?;
    if array.shape() != [2, 25] {
        return Err(wrong_shape("board", "(2, 25)", array.shape()));
    }
    match rows::read(&bytes_of(&array)) {
        Ok(positions) => Ok(positions[0]),
        Err(RowError { error, .. }) => Err(error.into()),
    }
}

/// A `uint8[n, 2, 25]` as positions; the error names the first bad row.
pub fn positions(value: &Bound<'_, PyAny>) -> Result<Vec<Position>> {
    let array = typed::<u8, Ix3>("boards", "(n, 2, 25)", value)?;
    if array.shape()[1..] != [2, 25] {
        return Err(wrong_shape("boards", "(n, 2, 25)", array.shape()));
    }
    let count = array.shape()[0];
    // What does not lie in row order is copied as a whole; the rest is borrowed anew for every chunk.
    let copy = match bytes_of(&array) {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(bytes),
    };
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let bytes = copy.as_deref().map_or_else(|| bytes_of(&array), Cow::Borrowed);
        let first = positions.len();
        let end = count.min(first + ROWS_AT_ONCE);
        let Some(chunk) = bytes.get(first * ROW_BYTES..end * ROW_BYTES) else {
            return Err(Error::Array("boards: the array was resized while it was read".to_owned()));
        };
        rows::read_into(chunk, &mut positions)
            .map_err(|RowError { index, error }| RowError { index: first + index, error })?;
        value.py().check_signals()?;
    }
    Ok(positions)
}

/// A `uint8[n, 2]` as rolls; the error names the first bad row.
pub fn rolls(value: &Bound<'_, PyAny>, expected: usize) -> Result<Vec<Roll>> {
    let array = typed::<u8, Ix2>("rolls", "(n, 2)", value)?;
    if array.shape() != [expected, 2] {
        return Err(wrong_shape("rolls", &format!("({expected}, 2), a roll for each board"), array.shape()));
    }
    let dice = bytes_of(&array);
    let rolls = dice.chunks_exact(2).enumerate().map(|(row, dice)| {
        Roll::new(dice[0], dice[1]).ok_or_else(|| {
            let [a, b] = [dice[0], dice[1]];
            Error::Roll(format!("rolls[{row}]: illegal roll ({a}, {b}): a die shows a number from 1 to 6"))
        })
    });
    rolls.collect()
}

/// A `float32[n, 5]` as chances; their order is not checked here.
pub fn probs(value: &Bound<'_, PyAny>) -> Result<Vec<Probs>> {
    let array = typed::<f32, Ix2>("probs", "(n, 5)", value)?;
    if array.shape()[1] != 5 {
        return Err(wrong_shape("probs", "(n, 5)", array.shape()));
    }
    let rows = array.as_array();
    Ok(rows.rows().into_iter().map(|row| Probs::from_array(std::array::from_fn(|i| row[i]))).collect())
}

/// A `float64[n]`, or one number for all `expected` rows.
pub fn floats(name: &str, value: &Bound<'_, PyAny>, expected: usize) -> Result<Vec<f64>> {
    if let Ok(number) = value.extract::<f64>() {
        return Ok(vec![number; expected]);
    }
    let shape = format!("({expected},)");
    let array = typed::<f64, Ix1>(name, &shape, value)?;
    if array.shape() != [expected] {
        return Err(wrong_shape(name, &shape, array.shape()));
    }
    Ok(array.as_array().iter().copied().collect())
}

/// A position as a new `uint8[2, 25]`.
pub fn board<'py>(py: Python<'py>, position: &Position) -> Bound<'py, PyArray2<u8>> {
    PyArray2::from_array(py, &arr2(&[position.roller(), position.opponent()]))
}

/// Positions as a new `uint8[n, 2, 25]`.
pub fn boards<'py>(py: Python<'py>, positions: &[Position]) -> Result<Bound<'py, PyArray3<u8>>> {
    let mut bytes = Vec::new();
    rows::write(positions, &mut bytes);
    boards_from_rows(py, bytes)
}

/// Rows of bytes, moved into a `uint8[n, 2, 25]`.
pub fn boards_from_rows<'py>(py: Python<'py>, rows: Vec<u8>) -> Result<Bound<'py, PyArray3<u8>>> {
    let n = rows.len() / ROW_BYTES;
    Ok(PyArray1::from_vec(py, rows).reshape([n, 2, 25])?)
}

/// Whether arrays are equal one by one.
pub fn equal<const N: usize>(
    py: Python<'_>,
    these: [&Bound<'_, PyAny>; N],
    those: [&Bound<'_, PyAny>; N],
) -> PyResult<bool> {
    let equal = py.import("numpy")?.getattr("array_equal")?;
    for (this, that) in these.into_iter().zip(those) {
        if !equal.call1((this, that))?.is_truthy()? {
            return Ok(false);
        }
    }
    Ok(true)
}
