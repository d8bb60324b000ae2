//! How errors that name every problem at once are written.

use std::fmt;

/// `what: first problem; second problem`.
pub(crate) fn write_all(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    problems: &[impl fmt::Display],
) -> fmt::Result {
    write!(f, "{what}: ")?;
    for (i, problem) in problems.iter().enumerate() {
        let separator = if i > 0 { "; " } else { "" };
        write!(f, "{separator}{problem}")?;
    }
    Ok(())
}
