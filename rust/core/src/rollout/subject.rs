//! What is rolled out: the positions that each trial plays a game from.

use crate::position::Position;

/// Where a game of every trial begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Seen by the player on roll.
    pub position: Position,
    /// Whether the numbers wanted are those of the other player, who has just moved.
    pub after_play: bool,
}

/// What a rollout is of: one position, or several to be compared by games with the same dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    branches: Vec<Branch>,
}

impl Subject {
    /// The numbers of the player on roll in a position.
    pub fn position(position: Position) -> Subject {
        Subject { branches: vec![Branch { position, after_play: false }] }
    }

    /// The positions after some plays of one roll, with the numbers of the player who made them.
    ///
    /// `None` if there are no plays.
    pub fn plays(after: &[Position]) -> Option<Subject> {
        Subject::of(after.iter().map(|&position| Branch { position, after_play: true }).collect())
    }

    /// Games from all of these; `None` if there are none.
    pub fn of(branches: Vec<Branch>) -> Option<Subject> {
        (!branches.is_empty()).then_some(Subject { branches })
    }

    /// Where the games of each trial begin.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }
}

impl From<Position> for Subject {
    fn from(position: Position) -> Subject {
        Subject::position(position)
    }
}
