//! Playing the other games of the family: what results are worth, who chooses, duels and rollouts.
//!
//! ```text
//! prizes    five numbers for any game's results, and what they are worth in points
//! judge     whoever puts those numbers on positions
//! look      the results of decisions, valued, and the best of them
//! duel      two players, games in pairs with the same dice
//! rollout   a position played to the end many times, luck taken out
//! ```
//!
//! All of it is generic over [`Variant`] and knows no game by name, but for what wins
//! are worth. A turn with stages is several decisions; only those that throw dice have luck.

mod duel;
mod judge;
mod look;
mod prizes;
mod rollout;

pub use duel::{Contest, Contestant, PairPlayed, duel};
pub use judge::{Judge, PipCount, Standard, plays_like_the_standard_game};
pub(crate) use look::Looker;
pub use look::{Choice, choices, numbers};
pub use prizes::Prizes;
pub use rollout::{GameSubject, roll_out};

use crate::position::Position;
use crate::rules::{Asks, Variant};

/// Passes on end after which it is asked whether anybody can ever move again.
const PASSES: u32 = 2;

/// Whether nobody can ever move again; it is not asked before so many passes on end.
pub(crate) fn is_void<V: Variant>(game: &V, position: &Position, passes: u32) -> bool {
    passes >= PASSES && game.asks(position) == Asks::Throw && game.stuck(position)
}
