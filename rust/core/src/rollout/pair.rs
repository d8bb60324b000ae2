//! Who puts numbers on positions in a rollout: one evaluator, or a small one that spares a large one work.

use crate::eval::Evaluator;
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
