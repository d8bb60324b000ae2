//! The games of the family, each a type.
//!
//! Move generation, search and rollouts are generic over [`Rules`]; the compiler builds one copy per
//! game, so what a game does not use costs nothing. A new game is a new file here.

mod backgammon;

pub use backgammon::Backgammon;

use crate::outcome::Outcome;
use crate::position::Position;

/// How the checkers of a game move and meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The sides move in opposite directions; a single checker is hit and enters again from the bar.
    Hitting,
}

/// What distinguishes one game of the family from another.
///
/// Implemented by the games of this crate; the constants describe the movement rules, the functions
/// what cannot be said by a constant.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The game's name, as users write it.
    const NAME: &'static str;
    /// How checkers move and meet.
    const MOVEMENT: Movement = Movement::Hitting;
    /// Checkers a side has.
    const CHECKERS: u32 = 15;

    /// Where the checkers stand before the first roll.
    fn start() -> Position;

    /// How the game ended, if it has: who won (`true` for the player on roll) and what.
    fn result(position: &Position) -> Option<(bool, Outcome)>;
}
