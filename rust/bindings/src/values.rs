//! How small values of numbers are printed and hashed.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// A number, or some, as Python writes them; `None` where there is none.
pub fn shown<T: Debug>(value: Option<T>) -> String {
    value.map_or("None".to_owned(), |value| format!("{value:?}"))
}

/// Hashes numbers such that equal ones hash alike: 0 and -0 are equal.
pub fn hash_numbers<H: Hasher>(numbers: impl IntoIterator<Item = f64>, state: &mut H) {
    numbers.into_iter().for_each(|number| (number + 0.0).to_bits().hash(state));
}
