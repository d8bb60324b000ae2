//! Bear-off tables: exact values for the end of the race.
//!
//! [`OneSided`] knows how many rolls one side needs; [`TwoSided`] knows both sides at once, with the cube.
//! Both are built in memory, from nothing, and can be saved and mapped again.

mod batch;
mod file;
mod index;
#[cfg(test)]
mod naive;
mod one_sided;
pub(crate) mod solve;
mod two_sided;

pub use file::{Kind, TableError};
pub use index::{MAX_CHECKERS, MAX_POINTS, Ranking};
pub use one_sided::{Moments, OneSided, PIPS_A_ROLL, Rolls};
pub use solve::TIE;
pub use two_sided::{Equities, Storage, TwoSided};

pub(crate) use file::{Image, blank, body, body_mut};
pub(crate) use two_sided::decide;

use crate::parallel::Cancelled;

/// Why a table could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// No such table exists.
    Size {
        /// Points asked for.
        points: usize,
        /// Checkers a side asked for.
        checkers: usize,
    },
    /// No hypergammon is played with so many checkers.
    Checkers {
        /// Checkers a side asked for.
        checkers: usize,
    },
    /// The watcher stopped it.
    Cancelled,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BuildError::Size { points, checkers } => {
                write!(f, "no bear-off table of {points} points and {checkers} checkers can be built")
            }
            BuildError::Checkers { checkers } => {
                write!(f, "hypergammon is played with 1, 2 or 3 checkers a side, not {checkers}")
            }
            BuildError::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<Cancelled> for BuildError {
    fn from(Cancelled: Cancelled) -> BuildError {
        BuildError::Cancelled
    }
}
