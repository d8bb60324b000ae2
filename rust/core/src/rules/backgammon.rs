//! Standard backgammon.

use super::Rules;
use crate::outcome::Outcome;
use crate::position::Position;

/// The standard game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backgammon;

impl Rules for Backgammon {
    const NAME: &'static str = "backgammon";

    fn start() -> Position {
        Position::START
    }

    /// Bearing off every checker wins: a single game if the loser has borne off any, else a gammon, or
    /// a backgammon if the loser still has a checker on the bar or in the winner's home board.
    fn result(position: &Position) -> Option<(bool, Outcome)> {
        if !position.is_over() {
            return None;
        }
        let places = position.places();
        let roller: i32 = places.iter().map(|&n| i32::from(n.max(0))).sum();
        let opponent: i32 = places.iter().map(|&n| -i32::from(n.min(0))).sum();
        let all = Self::CHECKERS as i32;
        Some(if roller == 0 {
            // The roller's home board is places 1 to 6, the opponent's bar place 0.
            let trapped = places[..=6].iter().any(|&n| n < 0);
            (true, class(opponent < all, trapped))
        } else {
            let trapped = places[19..].iter().any(|&n| n > 0);
            (false, class(roller < all, trapped))
        })
    }
}

/// The value of a game by what the loser achieved.
fn class(loser_bore_off: bool, loser_trapped: bool) -> Outcome {
    match (loser_bore_off, loser_trapped) {
        (true, _) => Outcome::Single,
        (false, false) => Outcome::Gammon,
        (false, true) => Outcome::Backgammon,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    #[test]
    fn classes_of_a_finished_game() {
        let finished = |loser: &[(usize, u8)]| {
            let position = position(&[], loser);
            let result = Backgammon::result(&position);
            // The same game seen by the loser.
            assert_eq!(Backgammon::result(&position.flip()), result.map(|(won, outcome)| (!won, outcome)));
            result
        };
        assert_eq!(finished(&[(6, 14)]), Some((true, Outcome::Single)));
        assert_eq!(finished(&[(6, 15)]), Some((true, Outcome::Gammon)));
        assert_eq!(finished(&[(18, 15)]), Some((true, Outcome::Gammon)));
        assert_eq!(finished(&[(6, 14), (19, 1)]), Some((true, Outcome::Backgammon)));
        assert_eq!(finished(&[(6, 14), (25, 1)]), Some((true, Outcome::Backgammon)));
        assert_eq!(finished(&[(6, 13), (25, 1)]), Some((true, Outcome::Single)));
        assert_eq!(Backgammon::result(&Position::START), None);
    }
}
