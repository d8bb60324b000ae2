//! Hypergammon, solved: the chances and the money equities of every position with one, two or three checkers a side.
//!
//! The game is small, but a hit sends a checker back and so positions come round again: there is no order in which
//! each could be worked out once. [`Hypergammon::build`] begins with nothing known and improves all
//! positions sweep by sweep until nothing changes any more (`solve`). The table is saved and mapped like the
//! bear-off tables.

mod numbering;
mod solve;
mod table;
mod turns;

pub use numbering::{MOST_CHECKERS, Sides};
pub use solve::{CHANCE_UNITS, CLOSE_ENOUGH, EQUAL};
pub use table::{Hypergammon, Known, Opening};
