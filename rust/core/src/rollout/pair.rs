//! Who puts numbers on positions in a rollout: one evaluator, or a small one that spares a large one work.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::eval::{EvalError, Evaluator, Exact};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// The evaluators of a rollout.
///
/// With a small one beside it the large one is only asked about the candidates that the small one likes best
/// (see [`Prefilter`](crate::rollout::Prefilter)).
pub struct Pair<'a, R: Rules = Backgammon> {
    /// Chooses the plays and values games that are broken off.
    pub large: &'a dyn Evaluator<R>,
    /// Picks the candidates the large one is asked about.
    pub small: Option<&'a dyn Evaluator<R>>,
}

impl<R: Rules> Clone for Pair<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules> Copy for Pair<'_, R> {}

impl<'a, R: Rules> Pair<'a, R> {
    /// One evaluator for everything.
    pub fn one(evaluator: &'a dyn Evaluator<R>) -> Pair<'a, R> {
        Pair { large: evaluator, small: None }
    }

    /// The one asked first about any candidate.
    pub(crate) fn first(&self) -> &'a dyn Evaluator<R> {
        self.small.unwrap_or(self.large)
    }

    /// A name for results to carry.
    pub fn id(&self) -> String {
        match self.small {
            None => self.large.id().to_owned(),
            Some(small) => format!("{}, filtered by {}", self.large.id(), small.id()),
        }
    }
}

impl<'a, R: Rules, E: Evaluator<R>> From<&'a E> for Pair<'a, R> {
    fn from(evaluator: &'a E) -> Pair<'a, R> {
        Pair::one(evaluator)
    }
}

/// An evaluator, and how many positions it has been asked about.
pub(crate) struct Counted<'a, R: Rules> {
    evaluator: &'a dyn Evaluator<R>,
    asked: AtomicU64,
}

impl<'a, R: Rules> Counted<'a, R> {
    pub(crate) fn new(evaluator: &'a dyn Evaluator<R>) -> Counted<'a, R> {
        Counted { evaluator, asked: AtomicU64::new(0) }
    }

    pub(crate) fn asked(self) -> u64 {
        self.asked.into_inner()
    }
}

impl<R: Rules> Evaluator<R> for Counted<'_, R> {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.asked.fetch_add(positions.len() as u64, Ordering::Relaxed);
        self.evaluator.evaluate(positions, out)
    }

    fn batch_hint(&self) -> usize {
        self.evaluator.batch_hint()
    }

    fn exact(&self, position: &Position) -> Option<Exact> {
        self.evaluator.exact(position)
    }

    fn is_exact(&self, position: &Position) -> bool {
        self.evaluator.is_exact(position)
    }

    fn is_tabled(&self, position: &Position) -> bool {
        self.evaluator.is_tabled(position)
    }

    fn id(&self) -> &str {
        self.evaluator.id()
    }
}
