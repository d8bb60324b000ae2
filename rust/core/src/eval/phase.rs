//! The kinds of position that call for different knowledge.

use crate::position::Position;

/// What stage a game has reached. Every position has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// A side has borne off everything.
    Over,
    /// A race with all checkers in the two home boards.
    BearOff,
    /// The sides have passed each other.
    Race,
    /// Contact, but a side's game has collapsed: at most six of its checkers are neither borne off nor
    /// on its ace and deuce points.
    Crashed,
    /// Any other contact.
    Contact,
}

/// Checkers a side needs off its two lowest points to have a game left.
const USEFUL: u32 = 7;

impl Phase {
    /// All phases, from the end of a game backwards.
    pub const ALL: [Phase; 5] = [Phase::Over, Phase::BearOff, Phase::Race, Phase::Crashed, Phase::Contact];

    /// The phase of a position; the same for both sides.
    pub fn of(position: &Position) -> Phase {
        if position.is_over() {
            return Phase::Over;
        }
        let places = position.places();
        if position.is_race() {
            let home = places[7..].iter().all(|&n| n <= 0) && places[..19].iter().all(|&n| n >= 0);
            return if home { Phase::BearOff } else { Phase::Race };
        }
        let own: u32 = places[3..].iter().map(|&n| u32::from(n.max(0).unsigned_abs())).sum();
        let opp: u32 = places[..23].iter().map(|&n| u32::from(n.min(0).unsigned_abs())).sum();
        if own.min(opp) < USEFUL { Phase::Crashed } else { Phase::Contact }
    }

    /// The name in lower case: `over`, `bearoff`, `race`, `crashed`, `contact`.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Over => "over",
            Phase::BearOff => "bearoff",
            Phase::Race => "race",
            Phase::Crashed => "crashed",
            Phase::Contact => "contact",
        }
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Counts;

    fn phase(mine: &[(usize, u8)], theirs: &[(usize, u8)]) -> Phase {
        let side = |men: &[(usize, u8)]| {
            let mut counts: Counts = [0; 25];
            men.iter().for_each(|&(point, n)| counts[point - 1] = n);
            counts
        };
        let position = Position::from_counts(&side(mine), &side(theirs)).unwrap();
        assert_eq!(Phase::of(&position), Phase::of(&position.flip()));
        Phase::of(&position)
    }

    #[test]
    fn phases_of_a_game_backwards() {
        assert_eq!(Phase::of(&Position::START), Phase::Contact);
        assert_eq!(phase(&[], &[(3, 2)]), Phase::Over);
        assert_eq!(phase(&[(6, 15)], &[(3, 2), (6, 13)]), Phase::BearOff);
        assert_eq!(phase(&[(6, 14), (7, 1)], &[(3, 2), (6, 13)]), Phase::Race);
        assert_eq!(phase(&[(6, 14), (20, 1)], &[(3, 2), (6, 13)]), Phase::Contact);
        // Seven checkers beyond the deuce point are a game, six are none.
        assert_eq!(phase(&[(1, 5), (2, 3), (6, 6), (24, 1)], &[(6, 15)]), Phase::Contact);
        assert_eq!(phase(&[(1, 5), (2, 4), (6, 5), (24, 1)], &[(6, 15)]), Phase::Crashed);
        // A checker on the bar of a side that has borne off eight.
        assert_eq!(phase(&[(3, 6), (25, 1)], &[(6, 15)]), Phase::Contact);
        assert_eq!(phase(&[(3, 5), (25, 1)], &[(6, 15)]), Phase::Crashed);
    }
}
