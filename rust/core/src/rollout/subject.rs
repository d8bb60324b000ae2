//! What is rolled out: the positions that each trial plays a game from.

use std::sync::Arc;

use crate::position::Position;
use crate::rollout::cube::{CubeState, CubeTable};

/// Where a game of every trial begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Seen by the player on roll.
    pub position: Position,
    /// Whether the numbers wanted are those of the other player, who has just moved.
    pub after_play: bool,
    /// The cube; without a [`CubeTable`] it does not count.
    pub cube: CubeState,
    /// Whether the player on roll does not double this turn, whatever he thinks of it.
    pub hold: bool,
}

impl Branch {
    /// A game without a cube.
    pub fn new(position: Position, after_play: bool) -> Branch {
        Branch { position, after_play, cube: CubeState::default(), hold: false }
    }
}

/// What a rollout is of: one position, or several to be compared by games with the same dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    branches: Vec<Branch>,
    cube: Option<Arc<CubeTable>>,
}

impl Subject {
    /// The numbers of the player on roll in a position.
    pub fn position(position: Position) -> Subject {
        Subject { branches: vec![Branch::new(position, false)], cube: None }
    }

    /// The positions after some plays of one roll, with the numbers of the player who made them.
    ///
    /// `None` if there are no plays.
    pub fn plays(after: &[Position]) -> Option<Subject> {
        Subject::of(after.iter().map(|&position| Branch::new(position, true)).collect(), None)
    }

    /// The same with the cube, which whoever is on roll may turn before the first roll.
    #[must_use]
    pub fn with_cube(mut self, table: Arc<CubeTable>) -> Subject {
        let cube = table.start();
        self.branches.iter_mut().for_each(|branch| branch.cube = cube);
        Subject { cube: Some(table), ..self }
    }

    /// A cube decision: first the game in which the player on roll does not double this turn, then, if he may double,
    /// the one after double and take.
    pub fn decision(position: Position, table: Arc<CubeTable>) -> Subject {
        let hold = Branch { cube: table.start(), hold: true, ..Branch::new(position, false) };
        let mut branches = vec![hold];
        if table.may_double(table.start(), true) {
            branches.push(Branch { cube: table.turned(), ..hold });
        }
        Subject { branches, cube: Some(table) }
    }

    /// Games from all of these; `None` if there are none.
    pub fn of(branches: Vec<Branch>, cube: Option<Arc<CubeTable>>) -> Option<Subject> {
        (!branches.is_empty()).then_some(Subject { branches, cube })
    }

    /// Where the games of each trial begin.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The cube; `None` if the rollout is without one.
    pub fn cube(&self) -> Option<&Arc<CubeTable>> {
        self.cube.as_ref()
    }
}

impl From<Position> for Subject {
    fn from(position: Position) -> Subject {
        Subject::position(position)
    }
}
