//! What people look at in a position: pips, blots, anchors, primes, shots, and positions drawn at random
//! to look at.
//!
//! [`Side`] describes one player's checkers, [`Shots`] the rolls that hit, [`Columns`] and
//! [`ShotColumns`] the same for many positions at once, ready to become arrays.

mod columns;
mod draw;
mod shots;
mod side;

pub use columns::{Columns, ShotColumns};
pub use draw::random_position;
pub use shots::Shots;
pub use side::Side;
