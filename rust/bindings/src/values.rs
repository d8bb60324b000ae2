//! How small values of numbers are printed and hashed, and what an index picks from a list of plays.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::errors::Result;

/// A number, or some, as Python writes them; `None` where there is none.
pub fn shown<T: Debug>(value: Option<T>) -> String {
    value.map_or("None".to_owned(), |value| format!("{value:?}"))
}

/// Hashes numbers such that equal ones hash alike: 0 and -0 are equal.
pub fn hash_numbers<H: Hasher>(numbers: impl IntoIterator<Item = f64>, state: &mut H) {
    numbers.into_iter().for_each(|number| (number + 0.0).to_bits().hash(state));
}

/// Places of a list of plays.
pub enum Picked {
    /// That of a whole number.
    One(usize),
    /// Those of a slice.
    Some(Vec<usize>),
}

/// What an index picks from a list of plays.
pub fn picked(index: &Bound<'_, PyAny>, len: usize) -> Result<Picked> {
    let count = len as isize;
    if let Ok(slice) = index.cast::<PySlice>() {
        let part = slice.indices(count)?;
        let places = (0..part.slicelength as isize).map(|i| (part.start + i * part.step) as usize);
        return Ok(Picked::Some(places.collect()));
    }
    let place = match index.extract::<isize>() {
        Ok(number) if number < 0 => number + count,
        Ok(number) => number,
        Err(error) if error.is_instance_of::<PyOverflowError>(index.py()) => count,
        Err(_) => {
            let text = "plays are numbered: an index is a whole number or a slice";
            return Err(PyTypeError::new_err(text).into());
        }
    };
    match usize::try_from(place) {
        Ok(place) if place < len => Ok(Picked::One(place)),
        _ => Err(PyIndexError::new_err(format!("no play number {index}: there are {len}")).into()),
    }
}
