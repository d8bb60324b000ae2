//! How positions are searched.

use crate::eval::{Evaluator, Exact};
use crate::position::Position;
use crate::rules::{Backgammon, Rules};
use crate::search::{CubeUse, Filter, Prefilter};

/// The deepest search.
pub const MAX_PLIES: usize = 4;

/// How positions are searched.
#[derive(Clone, Copy)]
pub struct Search<'a, R: Rules = Backgammon> {
    /// Rolls looked ahead, 0 to [`MAX_PLIES`].
    pub plies: usize,
    /// Which candidates of a ranking are looked at more deeply.
    pub filter: Filter,
    /// What puts numbers on positions.
    pub evaluator: &'a dyn Evaluator<R>,
    /// A quicker evaluator that says which results of a roll the other is asked about; without it, all are.
    pub prefilter: Option<Prefilter<'a, R>>,
    /// The cube at hand, seen by the player on roll; `None` searches without one.
    pub cube: Option<&'a CubeUse>,
    /// Threads to use; the results do not depend on them.
    pub threads: usize,
}

impl<'a, R: Rules> Search<'a, R> {
    /// A static search, cubeless, on one thread.
    pub fn new(evaluator: &'a dyn Evaluator<R>) -> Search<'a, R> {
        Search { plies: 0, filter: Filter::default(), evaluator, prefilter: None, cube: None, threads: 1 }
    }

    /// What the evaluator knows of a position for certain, if that is all the search wants to know: with a cube
    /// its equities have to hold at the score.
    pub(crate) fn exact(&self, position: &Position) -> Option<Exact> {
        if self.cube.is_some_and(|cube| !cube.by_table()) {
            return None;
        }
        self.evaluator.exact(position)
    }
}
