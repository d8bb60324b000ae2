//! Lookahead: what a position is worth some rolls on, and which play is best.
//!
//! The value of a position at 0 plies is the evaluator's. At n plies it is the mean over the 21 rolls, by
//! their weights, of the value at n-1 plies after the reply that is best by the evaluator (at 0 plies) alone.
//! So the replies are chosen without lookahead and only what follows them is looked at more deeply: a node
//! costs about 420 evaluations, and depth n visits at most `1 + 21 + … + 21^(n-1)` nodes.
//!
//! A level of that tree is worked out at once: equal positions are one node, the nodes are shared out among
//! threads, and the results of all rolls of a node (or of many, if the evaluator wants large batches) are one
//! batch. Finished games are certain at every depth, and what an evaluator knows
//! [exactly](crate::eval::Evaluator::exact) is not looked at any more deeply. A [pre-filter](Prefilter) spares the
//! evaluator most results of a roll.
//!
//! A *cubeful* search carries equities beside the chances: at the leaves those of
//! [Janowski's model](crate::cube::janowski) or exact ones, and the player on roll at an inner node doubles where
//! it is right, and is beavered where that is. Replies are then chosen by the cubeful equity.
//!
//! ```
//! use gammon_core::search::{Filter, Search};
//! use gammon_core::{Backgammon, Position, Roll, parallel::unwatched};
//! # use gammon_core::{Probs, eval::{EvalError, Evaluator}};
//! # struct Pips;
//! # impl Evaluator for Pips {
//! #     fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
//! #         for (position, out) in positions.iter().zip(out) {
//! #             let (roller, opponent) = position.pip_counts();
//! #             *out = Probs { win: opponent as f32 / (roller + opponent) as f32, ..Probs::default() };
//! #         }
//! #         Ok(())
//! #     }
//! #     fn id(&self) -> &str { "pips" }
//! # }
//! let search: Search = Search { plies: 1, filter: Filter::NORMAL, ..Search::new(&Pips) };
//! let roll = Roll::new(3, 1).unwrap();
//! let ranking = search.rank(&Position::START, roll, None, &mut unwatched).unwrap();
//! assert_eq!(ranking.plays.len(), 16);
//! assert_eq!(ranking.plays[0].plies, 1);
//! ```

mod cache;
mod cubeful;
mod error;
mod evaluate;
mod expand;
mod filter;
mod prefilter;
mod rank;
mod scores;
mod settings;
mod tree;

pub use cache::Cache;
pub use cubeful::CubeUse;
pub use error::SearchError;
pub use evaluate::Evaluation;
pub use filter::{Filter, Stage, UnknownFilter};
pub use prefilter::Prefilter;
pub use rank::{RankedPlay, Ranking};
pub use scores::ScoreTable;
pub use settings::{MAX_PLIES, Search};
