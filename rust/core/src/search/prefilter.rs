//! Which results of a roll the evaluator is asked about, by a quicker one.

use crate::eval::Evaluator;
use crate::rules::{Backgammon, Rules};
use crate::search::Stage;

/// A quick evaluator that looks at all results of a roll, so that the good one need not.
///
/// Only those that it ranks among the best are evaluated, and the best of them is taken. It chooses by the equity
/// the search goes by, so with the cube if there is one. A result it misjudges so badly is lost: that is the
/// price, and the stages say how much is risked.
#[derive(Clone, Copy)]
pub struct Prefilter<'a, R: Rules = Backgammon> {
    /// What puts quick numbers on positions.
    pub evaluator: &'a dyn Evaluator<R>,
    /// Which replies to a roll within the tree are evaluated.
    pub inside: Stage,
    /// Which plays of a ranking are evaluated.
    pub top: Stage,
}

impl Stage {
    /// What passes a pre-filter within the tree, unless another width is asked for.
    pub const INSIDE: Stage = Stage { least: 2, most: 5, within: 0.08 };

    /// What passes a pre-filter in a ranking, unless another width is asked for.
    pub const TOP: Stage = Stage { least: 8, most: 16, within: 0.32 };
}

impl<'a, R: Rules> Prefilter<'a, R> {
    /// A pre-filter of the usual width.
    pub const fn new(evaluator: &'a dyn Evaluator<R>) -> Prefilter<'a, R> {
        Prefilter { evaluator, inside: Stage::INSIDE, top: Stage::TOP }
    }
}
