//! The one interface by which positions get their numbers.

mod batch;
mod choice;
mod composite;
mod exact;
mod phase;

pub use batch::{BatchError, evaluate_batch, values};
pub use choice::best_for_mover;
pub use composite::Composite;
pub use exact::Exact;
pub use phase::{Phase, UnknownPhase, is_crunched};

pub(crate) use phase::few_of_use;

use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// Why an evaluator could not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A position lies outside what the evaluator covers (a bear-off table, say).
    Uncovered(Position),
    /// An evaluator supplied from outside failed or returned something unusable; the text says what.
    Foreign(String),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::Uncovered(position) => write!(f, "the evaluator does not cover {position:?}"),
            EvalError::Foreign(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for EvalError {}

/// Something that puts numbers on positions: a net, a table, a user's own object.
///
/// Always a batch, in input order, into the caller's buffer. Users of the crate may implement it.
pub trait Evaluator<R: Rules = Backgammon>: Send + Sync {
    /// Fills `out[i]` with the chances of the player on roll in `positions[i]`, who is yet to throw.
    ///
    /// Finished games are not this function's business: whoever may have some asks through [`values`] or
    /// [`evaluate_batch`], which answer them and pass on the rest.
    ///
    /// # Errors
    /// If a position is not covered or a foreign evaluator fails; `out` is then unspecified.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError>;

    /// How many of many positions [`evaluate_batch`] hands over at once: a millisecond or two of work.
    fn batch_hint(&self) -> usize {
        1024
    }

    /// What is known of a position for certain, so that looking ahead would find nothing else.
    ///
    /// Where there is an answer, [`Evaluator::evaluate`] gives the same chances. By default there is none.
    fn exact(&self, position: &Position) -> Option<Exact> {
        let _ = position;
        None
    }

    /// Whether the answer for a position is exact, so that a game need not be played on to know its value.
    fn is_exact(&self, position: &Position) -> bool {
        self.exact(position).is_some()
    }

    /// Whether the answer for a position comes from a table of bear-offs: exact, or, where each side is played for its own
    /// fewest rolls, as good as.
    fn is_tabled(&self, position: &Position) -> bool {
        self.is_exact(position)
    }

    /// A short name for results to carry: a net's digest, a table's name.
    fn id(&self) -> &str;
}
