//! Why a search has no result.

use crate::cube::CubeError;
use crate::eval::{BatchError, EvalError};
use crate::parallel::Cancelled;
use crate::search::MAX_PLIES;

/// Why a search has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError {
    /// More plies than [`MAX_PLIES`].
    TooDeep(usize),
    /// The game is over.
    Finished,
    /// A cube decision was asked of a search without a cube.
    NoCube,
    /// The watcher stopped it.
    Cancelled(Cancelled),
    /// The evaluator, or that of the pre-filter, failed.
    Evaluator(EvalError),
    /// An evaluator's answer, or the score, that a cube cannot be played with.
    Cube(CubeError),
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SearchError::TooDeep(plies) => write!(f, "plies must be from 0 to {MAX_PLIES}, got {plies}"),
            SearchError::Finished => f.write_str("the game is over: there is nothing left to play"),
            SearchError::NoCube => f.write_str("a search without a cube has no cube decision"),
            SearchError::Cancelled(error) => error.fmt(f),
            SearchError::Evaluator(error) => error.fmt(f),
            SearchError::Cube(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<EvalError> for SearchError {
    fn from(error: EvalError) -> SearchError {
        SearchError::Evaluator(error)
    }
}

impl From<CubeError> for SearchError {
    fn from(error: CubeError) -> SearchError {
        SearchError::Cube(error)
    }
}

impl From<Cancelled> for SearchError {
    fn from(error: Cancelled) -> SearchError {
        SearchError::Cancelled(error)
    }
}

impl From<BatchError> for SearchError {
    fn from(error: BatchError) -> SearchError {
        match error {
            BatchError::Cancelled(error) => SearchError::Cancelled(error),
            BatchError::Evaluator(error) => SearchError::Evaluator(error),
        }
    }
}
