//! The cube: match equity tables, cubeful equities and cube decisions.
//!
//! A [`Met`] says what a match score is worth, [`Stakes`] what every result of the game at hand is worth, in
//! points or in match winning chances. From a position's [`Probs`](crate::Probs) and a [cube life](CubeLife)
//! they give equities by [Janowski's model](janowski), and [`decide`] turns those into a verdict.
//!
//! ```
//! use gammon_core::cube::{Stakes, decide};
//! use gammon_core::{MatchState, Probs};
//!
//! // The last roll of a game: no cube life is left, and nobody can win a gammon.
//! let stakes = Stakes::new(&MatchState::MONEY, None).unwrap();
//! let decision = decide(&stakes, &Probs { win: 0.7, ..Probs::default() }, 0.0).unwrap();
//! assert_eq!(decision.label(), "double, take");
//! ```

mod decision;
mod error;
pub mod formula;
pub mod janowski;
mod life;
mod met;
mod points;
mod stakes;
mod verdict;

pub use decision::{CubeDecision, Doubled, ExactEquities, decide, decide_exact, decide_many};
pub(crate) use decision::{assemble, reply_to_beaver};
pub use error::{CubeError, MetError, Refusal};
pub use life::CubeLife;
pub use met::{MAX_AWAY, Met, MetIssue};
pub use points::{GammonValue, MarketWindow, MoneyPoints, Points, gammon_value, market_window, points};
pub use stakes::{Stakes, may_double};
pub use verdict::{Action, Answer, BeaverReply, CLOSE, Choices, Errors, OPTIONAL, Verdict};
