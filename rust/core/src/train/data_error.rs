//! What can be wrong with a file of training data.

use std::path::PathBuf;

use crate::train::data::{LONGEST_RECIPE, VERSION};

/// Why a file is no training data, or cannot be made.
#[derive(Debug)]
pub enum DataError {
    /// It does not begin like one.
    NotData,
    /// Written in a format this build does not read.
    Version {
        /// The version found.
        found: u32,
    },
    /// A part is damaged.
    Damaged {
        /// The part's number, from 0.
        part: usize,
    },
    /// A record holds no unfinished position, or no chances.
    Record {
        /// The part's number, from 0.
        part: usize,
        /// The record's number in it, from 0.
        record: usize,
    },
    /// It was made by other settings than those it should be continued with.
    Recipe {
        /// The recipe in the file.
        found: String,
        /// The recipe it should be continued with.
        asked: String,
    },
    /// A recipe that does not fit into a file.
    LongRecipe {
        /// Its length.
        bytes: usize,
    },
    /// Someone else is making it.
    InUse,
    /// The file its unfinished games are kept in is something else.
    InTheWay {
        /// That file.
        path: PathBuf,
    },
    /// The watcher broke.
    Cancelled,
    /// It cannot be read or written.
    Io(std::io::Error),
}

impl std::fmt::Display for DataError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNUSABLE: &str = "unusable training data:";
        match self {
            DataError::NotData => write!(f, "{UNUSABLE} it does not begin with the mark of such a file"),
            DataError::Version { found } => {
                write!(f, "{UNUSABLE} format version {found}, this build reads version {VERSION}")
            }
            DataError::Damaged { part } => write!(f, "{UNUSABLE} part {part} is damaged"),
            DataError::Record { part, record } => write!(
                f,
                "{UNUSABLE} record {record} of part {part} is no unfinished position with chances in order"
            ),
            DataError::Recipe { found, asked } => {
                f.write_str("the file was begun with other settings, and only the same can continue it: ")?;
                f.write_str(&difference(found, asked))
            }
            DataError::LongRecipe { bytes } => {
                write!(f, "a recipe has at most {LONGEST_RECIPE} bytes, this one has {bytes} bytes")
            }
            DataError::InUse => f.write_str("another process is making this file"),
            DataError::InTheWay { path } => write!(
                f,
                "unfinished games are kept in {}, but that file is something else: it has to be moved away",
                path.display()
            ),
            DataError::Cancelled => f.write_str("stopped before the work was done"),
            DataError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DataError {}

impl From<std::io::Error> for DataError {
    fn from(error: std::io::Error) -> DataError {
        DataError::Io(error)
    }
}

/// The first line in which two recipes differ.
fn difference(found: &str, asked: &str) -> String {
    let line = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("`{line}`"));
    let (mut found, mut asked) = (found.lines(), asked.lines());
    loop {
        match (found.next(), asked.next()) {
            (None, None) => return "their lines end differently".to_owned(),
            (there, here) if there == here => {}
            (there, here) => return format!("it has {}, asked for is {}", line(there), line(here)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let differ = |found: &str, asked: &str| {
            DataError::Recipe { found: found.to_owned(), asked: asked.to_owned() }.to_string()
        };
        let all = "a = 1\nwidth = 4\n";
        assert!(differ(all, "a = 1\nwidth = 3\n").ends_with("it has `width = 4`, asked for is `width = 3`"));
        assert!(differ(all, "a = 1\n").ends_with("it has `width = 4`, asked for is nothing"));
        assert!(differ("", all).ends_with("it has nothing, asked for is `a = 1`"));
        assert!(differ("a", "a\n").ends_with("end differently"));
    }
}
