//! Backgammon positions, legal moves, evaluation and rollouts.
//!
//! A [`Position`] is always seen by the player about to roll; positive numbers are good for that
//! player. Everything else follows from it: evaluators take such positions, and what a move generator
//! returns is already handed over to the opponent.
//!
//! Identifiers are read into a [`Situation`], which knows the position and all around it, and any other
//! format written ([`codec`]):
//!
//! ```
//! use gammon_core::codec::{self, Format};
//!
//! let (situation, format) = codec::parse("4HPwATDgc/ABMA:cAkAAAAAAAAE")?;
//! assert_eq!(format, Format::GnuId);
//! assert_eq!(situation.position.pip_counts(), (167, 167));
//! let xgid = codec::print(&situation, Format::Xgid);
//! assert_eq!(xgid.text, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
//! # Ok::<(), gammon_core::ParseError>(())
//! ```
//!
//! The results of a roll come from [`movegen`], the words for one of them from [`Play`]:
//!
//! ```
//! use gammon_core::movegen::{PlayBuf, plays};
//! use gammon_core::{Backgammon, Play, Position};
//!
//! let roll = "31".parse()?;
//! let (_, made) = Play::resolve(&Position::START, roll, "8/5 6/5")?;
//! let mut buf = PlayBuf::new();
//! plays::<Backgammon>(&Position::START, roll, &mut buf);
//! assert_eq!(buf.positions().len(), 16);
//! assert!(buf.positions().contains(&made));
//! let words = Play::between(&Position::START, roll, &made).unwrap();
//! assert_eq!(words.to_string(), "8/5 6/5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whatever puts numbers on positions is an [`eval::Evaluator`]: a net ([`nn::Net`]), or one's own. With
//! it plays are chosen and positions rolled out ([`rollout`]):
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use gammon_core::eval::{EvalError, Evaluator};
//! use gammon_core::rollout::{self, Kind, Quantity, Settings};
//! use gammon_core::{Backgammon, Position, Probs};
//!
//! /// Whoever is ahead in the race has the better chances.
//! struct Pips;
//!
//! impl Evaluator for Pips {
//!     fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
//!         for (position, out) in positions.iter().zip(out) {
//!             let (roller, opponent) = position.pip_counts();
//!             let ahead = opponent as f32 + 8.0 - roller as f32;
//!             *out = Probs { win: 1.0 / (1.0 + (-ahead / 20.0).exp()), ..Probs::default() };
//!         }
//!         Ok(())
//!     }
//!
//!     fn id(&self) -> &str {
//!         "pips"
//!     }
//! }
//!
//! let settings = Settings { trials: 72, opening: true, ..Settings::default() };
//! let mut watch = |_: &_| ControlFlow::Continue(());
//! let done = rollout::run::<Backgammon>(&Position::START.into(), &settings, &Pips, 1, &mut watch)?;
//! let equity = done.part.estimate(0, Quantity::Equity, Kind::Adjusted).unwrap();
//! assert!(done.complete && equity.mean.abs() < 1.0 && equity.error > 0.0);
//! # Ok::<(), rollout::RolloutError>(())
//! ```
//!
//! Nets come out of [`train`], from nothing but a seed:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use gammon_core::nn::Net;
//! use gammon_core::train::{Config, Session};
//!
//! let config = Config { games: 10, hidden: 64, ..Config::default() };
//! let mut session = Session::new(config).unwrap();
//! session.run(1, &[], &mut |_| ControlFlow::Continue(())).unwrap();
//! let net = Net::from_bytes(&session.net_bytes().unwrap()).unwrap();
//! assert_eq!(net.info().hidden, 64);
//! ```
//!
//! Many at once, on several threads, are [`eval::evaluate_batch`], [`movegen::expand`],
//! [`movegen::random_games`], [`movegen::perft`] and the columns of [`study`]; [`parallel`] says how
//! such calls are watched and stopped.

pub mod bearoff;
pub mod board_text;
pub mod codec;
pub mod cpu;
pub mod cube;
pub mod dice;
pub mod eval;
pub mod family;
pub mod files;
pub mod hyper;
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
