//! Lookahead: rankings of plays, deeper values, cube decisions.

mod asked;
mod cache;
mod many;
mod ranking;
mod scores;

pub use cache::PyCache;
pub use many::{rank_rolls, search_cube, search_cubes, search_values};
pub use ranking::{PyRankedPlay, PyRanking, rank_plays};
pub use scores::rank_at_scores;
