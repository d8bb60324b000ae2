//! How errors that name every problem at once are written.

use std::fmt;

/// Most problems one message writes out; a board of other numbers has one for every point.
const SHOWN: usize = 5;

/// `what: first problem; second problem`, and how many more there are beyond the first few.
pub(crate) fn write_all(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    problems: &[impl fmt::Display],
) -> fmt::Result {
    write!(f, "{what}: ")?;
    for (i, problem) in problems.iter().take(SHOWN).enumerate() {
        let separator = if i > 0 { "; " } else { "" };
        write!(f, "{separator}{problem}")?;
    }
    match problems.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => write!(f, "; and {more} more"),
    }
}
