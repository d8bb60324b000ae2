//! Backgammon positions, legal moves, evaluation and rollouts.
//!
//! A [`Position`] is always seen by the player about to roll; positive numbers are good for that
//! player. Everything else follows from it: evaluators take such positions, and what a move generator
//! returns is already handed over to the opponent.

pub mod bearoff;
pub mod dice;
pub mod eval;
mod lanes;
mod memory;
pub mod movegen;
pub mod outcome;
pub mod parallel;
pub mod parse;
pub mod position;
pub mod race;
pub mod rng;
pub mod rows;
pub mod rules;
pub mod study;

pub use dice::Roll;
pub use outcome::{Outcome, Probs};
pub use parse::{ParseError, ParseErrorKind};
pub use position::{Position, PositionError, PositionProblem};
pub use rules::{Backgammon, Rules};
