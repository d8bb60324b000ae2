//! Backgammon positions, legal moves, evaluation and rollouts.
//!
//! A [`Position`] is always seen by the player about to roll; positive numbers are good for that
//! player. Everything else follows from it: evaluators take such positions, and what a move generator
//! returns is already handed over to the opponent.

pub mod bearoff;
pub mod board_text;
pub mod codec;
pub mod cpu;
pub mod cube;
pub mod dice;
pub mod eval;
mod lanes;
mod memory;
pub mod movegen;
pub mod nn;
pub mod outcome;
pub mod parallel;
pub mod parse;
pub mod play;
pub mod position;
mod problems;
pub mod race;
pub mod rng;
pub mod rollout;
pub mod rows;
pub mod rules;
pub mod score;
pub mod search;
pub mod situation;
pub mod steps;
pub mod study;
#[cfg(test)]
mod testing;
pub mod train;

pub use dice::Roll;
pub use memory::OutOfMemory;
pub use outcome::{Outcome, Probs};
pub use parse::{ParseError, ParseErrorKind};
pub use play::{Move, Play, PlayError, PlayProblem, PlayTextError};
pub use position::{Position, PositionError, PositionProblem};
pub use rules::{Backgammon, Rules};
pub use score::{MatchState, Player};
pub use situation::{GameState, Offer, Seat, Situation};
