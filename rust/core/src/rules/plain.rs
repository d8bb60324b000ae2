//! Games that move as the standard game does, with another start or other counts of checkers and points.

use super::Backgammon;
use super::turns::{End, Turns};
use super::variant::{Game, class, count, is_over, left};
use super::view::{Shape, holds};
use super::walk::{Contact, Walk};
use crate::dice::Roll;
use crate::movegen;
use crate::position::Position;

/// A game with the movement of the standard game.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// The game's name.
    pub(crate) game: &'static str,
    /// Where the checkers stand at first.
    pub(crate) start: Position,
    /// Checkers a side has.
    pub(crate) checkers: u8,
    /// Whether a backgammon counts three times.
    pub(crate) triple: bool,
}

impl Walk for Plain {
    fn contact(&self) -> Contact {
        Contact::Hit
    }
}

impl Game for Plain {
    fn shape(&self) -> Shape {
        Shape { game: self.game, checkers: self.checkers, parallel: false, holds: holds::BAR }
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        hitting_result(position, self.checkers, self.triple)
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        turns.by_vectors(|plays| movegen::plays::<Backgammon>(position, roll, plays));
    }
}

/// The result of a game in which checkers are hit: who has borne off all wins, by what the loser achieved.
#[inline(always)]
pub(crate) fn hitting_result(position: &Position, checkers: u8, triple: bool) -> Option<End> {
    if !is_over(position) {
        return None;
    }
    let places = position.places();
    let [me, opponent] = left(position);
    let (loser_off, trapped) = if me == 0 {
        (checkers - opponent, places[..=6].iter().any(|&n| n < 0))
    } else {
        (checkers - me, places[19..].iter().any(|&n| n > 0))
    };
    let (class, points) = count(class(loser_off, trapped), triple);
    Some(End { winner: Some(me == 0), class, points })
}

/// The position with these checkers on each side's own points, and nobody anywhere else.
pub(crate) fn mirrored(checkers: &[(usize, i8)]) -> Position {
    let mut bytes = [0; 32];
    for &(point, n) in checkers {
        bytes[point] += n;
        bytes[25 - point] -= n;
    }
    Position(bytes)
}
