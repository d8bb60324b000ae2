//! From positions to the best reply to each of their rolls.

use crate::dice::Roll;
use crate::eval::{EvalError, Evaluator, best_for_mover, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cubeful::{CubeError, CubeUse, Side};

/// The best reply to a roll, the opponent of the replying player on roll, and its static value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub after: Position,
    pub probs: Probs,
}

/// The best replies to all rolls, in the order of [`Roll::ALL`].
pub(crate) type Replies = [Reply; 21];

/// What goes wrong while replies are chosen.
pub(crate) enum Failure {
    Evaluator(EvalError),
    Cube(CubeError),
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        Failure::Evaluator(error)
    }
}

impl From<CubeError> for Failure {
    fn from(error: CubeError) -> Failure {
        Failure::Cube(error)
    }
}

/// Memory a thread reuses from batch to batch.
pub(crate) struct Scratch {
    plays: PlayBuf,
    candidates: Vec<Position>,
    values: Vec<Probs>,
    /// Where the candidates of each roll end.
    ends: Vec<usize>,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { plays: PlayBuf::new(), candidates: Vec::new(), values: Vec::new(), ends: Vec::new() }
    }

    /// The best replies to all rolls in each of `positions`, where `side` is on roll.
    ///
    /// All results of all rolls are one batch. Of equal replies the first generated is taken.
    pub(crate) fn replies<R: Rules>(
        &mut self,
        positions: &[Position],
        evaluator: &dyn Evaluator<R>,
        cube: Option<&CubeUse>,
        side: Side,
    ) -> Result<Vec<Replies>, Failure> {
        self.candidates.clear();
        self.ends.clear();
        for position in positions {
            for roll in Roll::ALL {
                movegen::plays::<R>(position, roll, &mut self.plays);
                self.candidates.extend_from_slice(self.plays.positions());
                self.ends.push(self.candidates.len());
            }
        }
        self.values.resize(self.candidates.len(), Probs::default());
        values(evaluator, &self.candidates, &mut self.values)?;
        let mut start = 0;
        let mut all = Vec::with_capacity(positions.len());
        for ends in self.ends.chunks_exact(21) {
            let mut replies = [Reply { after: Position::START, probs: Probs::default() }; 21];
            for (reply, &end) in replies.iter_mut().zip(ends) {
                let (candidates, values) = (&self.candidates[start..end], &self.values[start..end]);
                let best = match cube {
                    None => best_for_mover(values),
                    Some(cube) => cube.best_for_mover::<R>(candidates, values, side.other())?,
                };
                *reply = Reply { after: candidates[best], probs: values[best] };
                start = end;
            }
            all.push(replies);
        }
        Ok(all)
    }
}
