//! What is known of a position, not estimated.

use crate::outcome::Probs;

/// Values that no lookahead would change: those of a solved table.
///
/// The equities are of money play, seen by the player on roll and per unit of the cube as it stands, both sides
/// handling the cube perfectly, with nothing to stop the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// His chances.
    pub probs: Probs,
    /// The cube is in the middle, and he does not turn it this time.
    pub centred: f64,
    /// The cube is his, and he does not turn it this time.
    pub owned: f64,
    /// The cube is the opponent's.
    pub opponent_owned: f64,
}
