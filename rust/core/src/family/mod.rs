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
//! All of it is generic over [`Variant`](crate::rules::Variant) and knows no game by name, but for what wins
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
