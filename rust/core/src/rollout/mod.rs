//! Rollouts: a position played to the end many times, plays chosen by an evaluator.
//!
//! Trial `i` draws its dice from [`Stream::new(seed, i)`](crate::rng::Stream), its score goes into sums of
//! whole numbers, and only the longest unbroken run of finished trials from the first one on is ever
//! shown. So the result depends on position, settings and evaluator alone: threads, machines, the order
//! of merging and interruptions change nothing but how many trials there are. Counting whatever games
//! happen to have ended would favour short games.
//!
//! ```text
//! run       blocks of trials over threads; keeps the prefix
//! lockstep  the games of a block advance together, one batch of candidates a turn
//! trial     one game: whose turn, which roll, how it ended
//! stats     a `Part`: exact sums, means and standard errors
//! trials    `Trials`: a part that knows whose it is, so that only what belongs together is merged
//! ```

mod lockstep;
mod run;
mod settings;
mod stats;
mod trial;
mod trials;

pub use run::{Rollout, RolloutError, run};
pub use settings::{Settings, SettingsError};
pub use stats::{Estimate, Moments, Part};
pub use trials::{MergeError, Trials};
