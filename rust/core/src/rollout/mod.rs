//! Rollouts: a position played to the end many times, plays chosen by an evaluator.
//!
//! Trial `i` draws its dice by a function of the seed, of `i` and of the turn; its numbers go into sums of
//! whole numbers; and only the longest unbroken run of finished trials from the first one on is ever
//! shown. So the result depends on what is rolled out, settings and evaluators alone: threads, machines, the
//! order of merging and interruptions change nothing but how many trials there are. Counting whatever games
//! happen to have ended would favour short games.
//!
//! **Luck adjustment.** Before each roll the best replies to all 21 are valued; what the roll thrown is worth
//! beyond their mean is its luck, which has mean 0 whatever the evaluator thinks, and is taken out of the
//! game's result. What is left varies only as far as the evaluator contradicts itself from one turn to the next.
//! The candidates of the roll thrown are among those looked at, so choosing the play costs nothing more.
//!
//! ```text
//! run       blocks of trials over threads; keeps the prefixes
//! lockstep  games advance together, a turn at a time
//! look      from positions to the best replies of their rolls, in batches
//! cube      who turns it when, and what games are worth with it
//! dice      which roll a trial throws at a turn, stratified or not
//! game      one game: whose turn, its luck so far, how it ended
//! score     the numbers of a game in fixed point
//! stop      when enough is known
//! stats     a `Part`: exact sums, means and standard errors
//! trials    `Trials`: a part that knows whose it is, so that only what belongs together is merged
//! ```

mod cube;
mod dice;
mod game;
mod lockstep;
mod look;
mod pair;
mod run;
mod score;
mod settings;
#[cfg(test)]
mod statistics_tests;
mod stats;
mod stop;
mod subject;
#[cfg(test)]
mod testing;
mod trials;

pub use cube::{CubeState, CubeTable};
pub use pair::Pair;
pub use run::{Plan, Rollout, RolloutError, Rollouts, Single, run, run_many, run_plan};
pub use score::{QUANTITIES, Quantity};
pub use settings::{Luck, Prefilter, Settings, SettingsError, Strata, Strength, Width};
pub use stats::{Estimate, Kind, LEAST_REPLICATIONS, Part};
pub use stop::{Reason, Stop, decision, headline};
pub use subject::{Branch, Subject};
pub use trials::{MergeError, Trials};

// What rollouts of the other games are made of.
pub(crate) use dice::Dice;
pub(crate) use score::{Chances, Score, chances, flipped, flipped_difference};
pub(crate) use stats::Ended;
