//! What positions are worth to the player on roll, and what he should do about the cube.

use crate::cube::CubeDecision;
use crate::eval::evaluate_batch;
use crate::outcome::Probs;
use crate::parallel::Watch;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::{Cache, Value};
use crate::search::cubeful::Leaf;
use crate::search::{CubeUse, Search, SearchError};

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
        if self.plies == 0 {
            let probs = evaluate_batch(self.evaluator, positions, self.threads, watch)?;
            return positions
                .iter()
                .zip(probs)
                .map(|(position, probs)| self.at_rest(position, probs))
                .collect();
        }
        let values = self.values(positions, cache, watch)?;
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
        if self.plies == 0 {
            let probs = evaluate_batch(self.evaluator, positions, self.threads, watch)?;
            let decide = |(position, probs)| Ok(cube.decide(&self.at(position, probs))?);
            return positions.iter().zip(&probs).map(decide).collect();
        }
        let values = self.values(positions, cache, watch)?;
        values.iter().map(|value| Ok(cube.decision(&value.probs, &value.cubes)?)).collect()
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
