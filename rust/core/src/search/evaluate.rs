//! What positions are worth to the player on roll, and what he should do about the cube.

use crate::cube::CubeDecision;
use crate::eval::evaluate_batch;
use crate::outcome::Probs;
use crate::parallel::{Lookout, Watch};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::{Cache, Value};
use crate::search::cubeful::Leaf;
use crate::search::{CubeUse, Search, SearchError};

/// Positions or nodes that are gone through between two looks at the time: a millisecond's work at most.
const LOOK_EVERY: usize = 256;

/// What a position is worth to the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// His chances.
    pub probs: Probs,
    /// His equity: cubeless money points, or in a cubeful search that of not doubling this time.
    pub equity: f64,
    /// His equity after double and take, in a cubeful search where a double may be offered.
    pub double_take: Option<f64>,
}

impl<R: Rules> Search<'_, R> {
    /// What each position is worth to the player on roll.
    ///
    /// Values looked up in `cache` and stored there have the same bits as those worked out anew. `watch` is told
    /// how many nodes have been expanded.
    ///
    /// # Errors
    /// If an evaluator fails, `watch` stops the search, or there are too many plies.
    pub fn evaluate(
        &self,
        positions: &[Position],
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Evaluation>, SearchError> {
        self.evaluate_under(positions, cache, &mut Lookout::new(watch))
    }

    /// [`Search::evaluate`], looked at as often as a lookout wants.
    pub(crate) fn evaluate_under(
        &self,
        positions: &[Position],
        cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Evaluation>, SearchError> {
        if self.plies == 0 {
            let probs = self.chances(positions, lookout)?;
            return each(positions.iter().zip(probs), lookout, |(position, probs)| {
                self.at_rest(position, probs)
            });
        }
        let values = self.values(positions, cache, lookout)?;
        let of = |value: &Value| match self.cube {
            None => {
                Evaluation { probs: value.probs, equity: f64::from(value.probs.equity()), double_take: None }
            }
            Some(cube) => Evaluation {
                probs: value.probs,
                equity: value.cubes[0],
                double_take: cube.double_take(&value.cubes),
            },
        };
        Ok(values.iter().map(of).collect())
    }

    /// The cube decision of the player on roll in each position, all at the score and with the cube of the search.
    ///
    /// Without lookahead they are those of [`decide`](crate::cube::decide), or of
    /// [`decide_exact`](crate::cube::decide_exact) where the evaluator knows for certain; otherwise the equities are
    /// means over the rolls.
    ///
    /// # Errors
    /// As [`Search::evaluate`]; or if the search has no cube, or a game is over.
    pub fn decide_cubes(
        &self,
        positions: &[Position],
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<CubeDecision>, SearchError> {
        let cube = self.cube.ok_or(SearchError::NoCube)?;
        if positions.iter().any(|position| R::result(position).is_some()) {
            return Err(SearchError::Finished);
        }
        let lookout = &mut Lookout::new(watch);
        if self.plies == 0 {
            let probs = self.chances(positions, lookout)?;
            let decide = |(position, probs)| Ok(cube.decide(&self.at(position, probs))?);
            return each(positions.iter().zip(&probs), lookout, decide);
        }
        let values = self.values(positions, cache, lookout)?;
        each(values.iter(), lookout, |value| Ok(cube.decision(&value.probs, &value.cubes)?))
    }

    /// The evaluator's chances in each position.
    pub(super) fn chances(
        &self,
        positions: &[Position],
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Probs>, SearchError> {
        let found = evaluate_batch(self.evaluator, positions, self.threads, &mut |done| lookout.ask(done))?;
        lookout.look(positions.len())?;
        Ok(found)
    }

    /// The cube decision of the player on roll in one position.
    ///
    /// # Errors
    /// As [`Search::decide_cubes`].
    pub fn decide_cube(
        &self,
        position: &Position,
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<CubeDecision, SearchError> {
        Ok(self.decide_cubes(std::slice::from_ref(position), cache, watch)?[0])
    }

    fn at<'p>(&self, position: &'p Position, probs: &'p Probs) -> Leaf<'p> {
        Leaf { position, probs, exact: self.exact(position) }
    }

    /// The static value of a position.
    fn at_rest(&self, position: &Position, probs: Probs) -> Result<Evaluation, SearchError> {
        let (equity, double_take) = match self.cube {
            None => (f64::from(probs.equity()), None),
            Some(cube) => CubeUse::at_the_root::<R>(cube, &self.at(position, &probs))?,
        };
        Ok(Evaluation { probs, equity, double_take })
    }
}

/// What becomes of each of many things in turn, the watcher looked at now and then.
pub(super) fn each<I, T>(
    things: impl Iterator<Item = I>,
    lookout: &mut Lookout<'_>,
    mut of: impl FnMut(I) -> Result<T, SearchError>,
) -> Result<Vec<T>, SearchError> {
    let mut all = Vec::with_capacity(things.size_hint().0);
    for thing in things {
        all.push(of(thing)?);
        if all.len().is_multiple_of(LOOK_EVERY) {
            lookout.look(all.len())?;
        }
    }
    Ok(all)
}
