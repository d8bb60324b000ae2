//! Races: chances to win, gammons, and the counts people use.

pub mod counts;
mod evaluator;
pub mod far;

pub use counts::{Count, Method, Verdict, epc_verdict, pip_count};
pub use evaluator::RaceEvaluator;
