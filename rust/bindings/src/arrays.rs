//! Numpy arrays in, checked row by row, and out, moved rather than copied.
//!
//! Strided arrays are read through numpy, as numpy users expect; a wrong dtype is refused, since
//! converting silently would hide a 256 or a negative number.
//!
//! An array belongs to its caller, who may write to it from another thread whenever the interpreter is
//! let go, and with numpy's own loops even while it is held. So memory is borrowed for one chunk at a time,
//! and every row is copied before it is judged: what such a caller gets is one of the rows that were there
//! or a mixture of them, but always a position or an error.

use std::array::from_fn;
use std::ops::Range;

use gammon_core::rows::{self, ROW_BYTES, RowError};
use gammon_core::{ParseError, Position, Probs, Roll};
use numpy::ndarray::{Axis, Dimension, RemoveAxis, arr2};
use numpy::{
    Element, Ix1, Ix2, Ix3, PyArray, PyArray1, PyArray2, PyArray3, PyArrayDescrMethods, PyArrayMethods,
    PyReadonlyArray, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::runtime::interruptible;

/// Rows read between two looks at Python's signals: some milliseconds, some tens of column-ordered ones.
const ROWS_AT_ONCE: usize = 1 << 16;

/// An array of `T` with `D` dimensions, or a word on what was given instead.
fn typed<'py, T: Element, D: Dimension>(
    name: &str,
    shape: &str,
    value: &Bound<'py, PyAny>,
) -> Result<PyReadonlyArray<'py, T, D>> {
    if is_masked(value)? {
        return Err(Error::Array(format!(
            "{name}: masked arrays are not read; fill them, with .filled(0) say"
        )));
    }
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
        let (found, wanted) = (found.str()?.to_string(), wanted.str()?.to_string());
        return Err(Error::Array(format!(
            "{name}: expected dtype {wanted}, got {}; convert with .astype({wanted:?}) if the values fit",
            ParseError::shortened(&found)
        )));
    }
    Err(wrong_shape(name, shape, array.shape()))
}

/// Whether it is a masked array, whose hidden values would be read as if they were not hidden.
fn is_masked(value: &Bound<'_, PyAny>) -> Result<bool> {
    let py = value.py();
    // Only a subclass can be one, and numpy.ma is not asked for without need.
    if value.get_type().is(py.get_type::<PyUntypedArray>()) || value.cast::<PyUntypedArray>().is_err() {
        return Ok(false);
    }
    Ok(value.is_instance(&py.import("numpy.ma")?.getattr("MaskedArray")?)?)
}

/// What kind of value it is: of an array its dtype and shape, of anything else its type.
pub fn described(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyUntypedArray>() {
        Ok(array) => {
            let dtype = array.dtype().str()?.to_string();
            Ok(format!("dtype {} and shape {}", ParseError::shortened(&dtype), shape_text(array.shape())))
        }
        Err(_) => Ok(value.get_type().name()?.to_string()),
    }
}

/// A vector with room for `count` values, or Python's `MemoryError`.
fn with_room<T>(count: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(count).map_err(|_| {
        PyMemoryError::new_err(format!("the system has not got memory for {count} rows of input"))
    })?;
    Ok(vector)
}

fn wrong_shape(name: &str, wanted: &str, found: &[usize]) -> Error {
    Error::Array(format!("{name}: expected shape {wanted}, got {}", shape_text(found)))
}

fn shape_text(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The bytes of some rows of an array of `count`, in their order.
///
/// They are borrowed if they lie so (`as_slice` alone would also give the bytes of an array in column
/// order), else gathered.
fn piece<'a, D: Dimension + RemoveAxis>(
    name: &str,
    array: &'a PyReadonlyArray<'_, u8, D>,
    count: usize,
    rows: Range<usize>,
    gathered: &'a mut Vec<u8>,
) -> Result<&'a [u8]> {
    if array.shape()[0] != count {
        return Err(Error::Array(format!("{name}: the array was resized while it was read")));
    }
    let width: usize = array.shape()[1..].iter().product();
    match array.as_slice() {
        Ok(bytes) if array.is_c_contiguous() => Ok(&bytes[rows.start * width..rows.end * width]),
        _ => {
            gathered.clear();
            gathered.extend(array.as_array().slice_axis(Axis(0), rows.into()));
            Ok(gathered)
        }
    }
}

/// Calls `read` with the bytes of all rows in their order, some at a time, and the number of the first;
/// looks at Python's signals in between.
fn each_piece<D: Dimension + RemoveAxis>(
    name: &str,
    array: &PyReadonlyArray<'_, u8, D>,
    mut read: impl FnMut(usize, &[u8]) -> Result<()>,
) -> Result<()> {
    let count = array.shape()[0];
    let mut gathered = Vec::new();
    for first in (0..count).step_by(ROWS_AT_ONCE) {
        let end = count.min(first + ROWS_AT_ONCE);
        read(first, piece(name, array, count, first..end, &mut gathered)?)?;
        array.py().check_signals()?;
    }
    Ok(())
}

/// One `uint8[2, 25]` as a position.
pub fn position(value: &Bound<'_, PyAny>) -> Result<Position> {
    let array = typed::<u8, Ix2>("board", "(2, 25)", value)?;
    if array.shape() != [2, 25] {
        return Err(wrong_shape("board", "(2, 25)", array.shape()));
    }
    let bytes: Vec<u8> = array.as_array().iter().copied().collect();
    match rows::read(&bytes) {
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
    let mut positions = with_room(array.shape()[0])?;
    each_piece("boards", &array, |first, bytes| {
        let placed = |RowError { index, error }| RowError { index: first + index, error };
        Ok(rows::read_into(bytes, &mut positions).map_err(placed)?)
    })?;
    Ok(positions)
}

/// Positions read at once where each chunk is used at once: they stay in a near cache, and so does room for
/// the next ones.
const CHUNK: usize = 4096;

/// One value for each position of a `uint8[n, 2, 25]`, chunk by chunk: read, then worked out with the
/// interpreter let go. The error names the first bad row.
pub fn map_positions<T: Clone + Send>(
    value: &Bound<'_, PyAny>,
    blank: T,
    work: impl Fn(&[Position], &mut [T]) + Send + Sync,
) -> Result<Vec<T>> {
    let py = value.py();
    let array = typed::<u8, Ix3>("boards", "(n, 2, 25)", value)?;
    if array.shape()[1..] != [2, 25] {
        return Err(wrong_shape("boards", "(n, 2, 25)", array.shape()));
    }
    let count = array.shape()[0];
    let mut values = with_room(count)?;
    values.resize(count, blank);
    let mut positions = Vec::with_capacity(CHUNK.min(count));
    let mut gathered = Vec::new();
    for (number, values) in values.chunks_mut(CHUNK).enumerate() {
        let first = number * CHUNK;
        positions.clear();
        // Borrowed anew for every chunk: others may write to the array, or even resize it, while the
        // interpreter is let go.
        let rows = piece("boards", &array, count, first..first + values.len(), &mut gathered)?;
        rows::read_into(rows, &mut positions)
            .map_err(|RowError { index, error }| RowError { index: first + index, error })?;
        interruptible(py, None, |_| work(&positions, values))?;
        py.check_signals()?;
    }
    Ok(values)
}

/// A `uint8[n, 2]` as rolls; the error names the first bad row.
pub fn rolls(value: &Bound<'_, PyAny>, expected: usize) -> Result<Vec<Roll>> {
    let array = typed::<u8, Ix2>("rolls", "(n, 2)", value)?;
    if array.shape() != [expected, 2] {
        return Err(wrong_shape("rolls", &format!("({expected}, 2), a roll for each board"), array.shape()));
    }
    let mut rolls = with_room(expected)?;
    each_piece("rolls", &array, |first, bytes| {
        for (row, dice) in bytes.as_chunks().0.iter().enumerate() {
            let [a, b] = *dice;
            rolls.push(Roll::new(a, b).ok_or_else(|| {
                let row = first + row;
                Error::Roll(format!(
                    "rolls[{row}]: illegal roll ({a}, {b}): a die shows a number from 1 to 6"
                ))
            })?);
        }
        Ok(())
    })?;
    Ok(rolls)
}

/// A `float32[n, 5]` as chances; their order is not checked here.
pub fn probs(value: &Bound<'_, PyAny>) -> Result<Vec<Probs>> {
    let array = typed::<f32, Ix2>("probs", "(n, 5)", value)?;
    if array.shape()[1] != 5 {
        return Err(wrong_shape("probs", "(n, 5)", array.shape()));
    }
    let mut probs = with_room(array.shape()[0])?;
    probs.extend(array.as_array().rows().into_iter().map(|row| Probs::from_array(from_fn(|i| row[i]))));
    Ok(probs)
}

/// A `float64[n]`, or one number for all `expected` rows.
pub fn floats(name: &str, value: &Bound<'_, PyAny>, expected: usize) -> Result<Vec<f64>> {
    if let Ok(number) = value.extract::<f64>() {
        let mut floats = with_room(expected)?;
        floats.resize(expected, number);
        return Ok(floats);
    }
    let shape = format!("({expected},)");
    let array = typed::<f64, Ix1>(name, &shape, value)?;
    if array.shape() != [expected] {
        return Err(wrong_shape(name, &shape, array.shape()));
    }
    let mut floats = with_room(expected)?;
    floats.extend(array.as_array());
    Ok(floats)
}

/// A `uint64[n]`.
pub fn whole_numbers(name: &str, value: &Bound<'_, PyAny>) -> Result<Vec<u64>> {
    let array = typed::<u64, Ix1>(name, "(n,)", value)?;
    let mut numbers = with_room(array.shape()[0])?;
    numbers.extend(array.as_array());
    Ok(numbers)
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

/// Whether arrays are equal one by one; two entries that are not a number are equal.
pub fn equal<const N: usize>(
    py: Python<'_>,
    these: [&Bound<'_, PyAny>; N],
    those: [&Bound<'_, PyAny>; N],
) -> PyResult<bool> {
    let equal = py.import("numpy")?.getattr("array_equal")?;
    for (this, that) in these.into_iter().zip(those) {
        if !equal.call1((this, that, true))?.is_truthy()? {
            return Ok(false);
        }
    }
    Ok(true)
}
