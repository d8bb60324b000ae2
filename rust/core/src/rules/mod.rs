//! The games of the family, each a type.
//!
//! Move generation, search and rollouts of the standard game are generic over [`Rules`]; the compiler builds
//! one copy per game, so what a game does not use costs nothing.
//!
//! The other games have options, turns of other shapes and more to remember than where the checkers stand. They
//! are [`Variant`]s: values, chosen by name as a [`Ruleset`] and made a type once a call by
//! [`with_variant!`](crate::with_variant). A new game is a new file here and a line in `kind`.

mod acey_deucey;
mod backgammon;
mod blocking;
mod count;
mod dutch;
mod fevga;
mod gul_bara;
mod hypergammon;
mod jacquet;
mod kind;
mod kirik_tavla;
mod longgammon;
mod marks;
mod nackgammon;
mod nardi_long;
mod nardi_short;
mod options;
mod plain;
mod plakoto;
mod portes;
#[cfg(test)]
mod quick_tests;
mod tavla;
mod text;
mod trictrac;
mod turns;
mod variant;
mod view;
mod walk;

pub use acey_deucey::AceyDeucey;
pub use backgammon::Backgammon;
pub use count::{MOST_DECISIONS, Played, perft, random_game, random_games};
pub use dutch::Dutch;
pub use fevga::Fevga;
pub use gul_bara::GulBara;
pub use jacquet::Jacquet;
pub use kind::{AnyVariant, KINDS, Kind, Later, Opening, Ruleset, RulesetError};
pub use marks::Asks;
pub use nardi_long::NardiLong;
pub use options::{Chosen, Flag, OptionError, Values};
pub use plain::Plain;
pub use plakoto::Plakoto;
pub(crate) use plakoto::pins;
pub use tavla::Tavla;
pub use text::{parse_id, position_bytes, print_id};
pub use trictrac::{Event, EventKind, Jan, Marking, Trictrac, known_word};
pub use turns::{Class, End, Turns};
pub(crate) use variant::left;
pub use variant::{Steps, Variant};
pub use view::{View, ViewError};
pub use walk::Moved;

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
