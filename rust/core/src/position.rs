//! A position: where all checkers stand, seen by the player about to roll.
//!
//! One signed byte a place, in the roller's frame:
//!
//! ```text
//! byte   0            1 .. 24                 25           26 .. 31
//!        opponent's   points, ace point       roller's     zero (spare bytes
//!        bar (<= 0)   first; + roller,        bar (>= 0)   for variants)
//!                     - opponent
//! ```
//!
//! The opponent's point `q` is the roller's `25 - q`, so handing over the roll reverses bytes 0 to 25
//! and changes every sign. `docs/architecture.md` says why this form was chosen over nibbles.

use std::fmt;

use crate::problems::write_all;

/// Checkers a side has in the standard game.
pub const CHECKERS: u32 = 15;

/// Index of the bar in one side's 25 counts (indices 0 to 23 are the points 1 to 24).
pub const BAR: usize = 24;

/// One side's checkers: points 1 to 24 from that side's own ace point, then the bar.
pub type Counts = [u8; 25];

/// Where all checkers stand, seen by the player about to roll. 32 bytes, `Copy`.
///
/// Checkers borne off are implied: those missing from 15.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C, align(32))]
pub struct Position(pub(crate) [i8; 32]);

const _: () = assert!(std::mem::size_of::<Position>() == 32);

/// One reason why counts are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionProblem {
    /// A side has more checkers than the game gives it.
    TooManyCheckers {
        /// Whether it is the player on roll (else the opponent).
        roller: bool,
        /// Checkers counted.
        count: u32,
        /// Checkers allowed.
        allowed: u32,
    },
    /// Both sides have checkers on one point.
    SharedPoint {
        /// The point, numbered by the player on roll.
        point: u8,
    },
    /// Both sides have borne off everything.
    NobodyLeft,
}

/// All reasons why counts are not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// Every problem found, in the order of the enum.
    pub problems: Vec<PositionProblem>,
}

impl Position {
    /// The start of the standard game, the same for both sides: 24:2 13:5 8:3 6:5.
    pub const START: Position = {
        let mut bytes = [0; 32];
        let checkers = [(24, 2), (13, 5), (8, 3), (6, 5)];
        let mut i = 0;
        while i < checkers.len() {
            let (point, n): (usize, i8) = checkers[i];
            bytes[point] = n;
            bytes[25 - point] = -n;
            i += 1;
        }
        Position(bytes)
    };

    /// The position with these checkers, the roller's first.
    ///
    /// # Errors
    /// Names every problem: more than 15 checkers, a point held by both, no checkers at all.
    pub fn from_counts(roller: &Counts, opponent: &Counts) -> Result<Position, PositionError> {
        let mut problems = Vec::new();
        for (counts, is_roller) in [(roller, true), (opponent, false)] {
            let count = total(counts);
            if count > CHECKERS {
                problems.push(PositionProblem::TooManyCheckers {
                    roller: is_roller,
                    count,
                    allowed: CHECKERS,
                });
            }
        }
        for point in 1..=24u8 {
            if roller[point as usize - 1] > 0 && opponent[24 - point as usize] > 0 {
                problems.push(PositionProblem::SharedPoint { point });
            }
        }
        if total(roller) == 0 && total(opponent) == 0 {
            problems.push(PositionProblem::NobodyLeft);
        }
        if !problems.is_empty() {
            return Err(PositionError { problems });
        }
        let mut bytes = [0i8; 32];
        for i in 0..25 {
            bytes[i + 1] += roller[i] as i8;
            bytes[24 - i] -= opponent[i] as i8;
        }
        Ok(Position(bytes))
    }

    /// The roller's checkers on each point and the bar.
    pub fn roller(&self) -> Counts {
        std::array::from_fn(|i| self.0[i + 1].max(0) as u8)
    }

    /// The opponent's checkers on each point and the bar, from the opponent's own ace point.
    pub fn opponent(&self) -> Counts {
        std::array::from_fn(|i| self.0[24 - i].min(0).unsigned_abs())
    }

    /// The 26 signed places: opponent's bar, points 1 to 24, roller's bar; positive for the roller.
    pub fn places(&self) -> &[i8; 26] {
        self.0.first_chunk().expect("32 bytes hold 26")
    }

    /// The same checkers seen by the other player: the roll is handed over.
    #[must_use]
    pub fn flip(&self) -> Position {
        let mut bytes = [0; 32];
        for (to, from) in bytes.iter_mut().zip(self.places().iter().rev()) {
            *to = -from;
        }
        Position(bytes)
    }

    /// Pips the roller and the opponent still need, a checker on the bar counting 25.
    pub fn pip_counts(&self) -> (u32, u32) {
        let (mut roller, mut opponent) = (0, 0);
        for (place, &n) in self.places().iter().enumerate() {
            roller += place as u32 * n.max(0) as u32;
            opponent += (25 - place as u32) * u32::from(n.min(0).unsigned_abs());
        }
        (roller, opponent)
    }

    /// Checkers the roller and the opponent have borne off, of 15 each.
    pub fn borne_off(&self) -> (u32, u32) {
        (CHECKERS.saturating_sub(total(&self.roller())), CHECKERS.saturating_sub(total(&self.opponent())))
    }

    /// Whether one side has no checker left.
    pub fn is_over(&self) -> bool {
        // Asked of every candidate play, so eight places at a time: a byte below 0 has its sign bit set, one
        // above 0 has not and gets it when 127 is added to its other bits.
        const SIGNS: u64 = 0x8080_8080_8080_8080;
        let (mut above, mut below) = (0, 0);
        for eight in self.0.as_chunks::<8>().0 {
            let eight = u64::from_ne_bytes(eight.map(|n| n as u8));
            above |= ((eight & !SIGNS) + !SIGNS) & !eight;
            below |= eight;
        }
        above & SIGNS == 0 || below & SIGNS == 0
    }

    /// Whether the sides can no longer hit each other: every roller's checker is past every opponent's.
    ///
    /// True of a finished game too.
    pub fn is_race(&self) -> bool {
        match self.rearmost() {
            [Some(roller), Some(opponent)] => roller < opponent,
            _ => true,
        }
    }

    /// The places of the roller's and of the opponent's rearmost checkers; `None` for who has none left.
    #[inline]
    pub(crate) fn rearmost(&self) -> [Option<usize>; 2] {
        // Eight places at a time, as in `is_over`; the product gathers the lowest bits of eight bytes in one.
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (mut above, mut below) = (0u32, 0u32);
        for (i, eight) in self.0.as_chunks::<8>().0.iter().enumerate() {
            let eight = u64::from_le_bytes(eight.map(|n| n as u8));
            let (positive, negative) = (((eight & !(LOWEST << 7)) + !(LOWEST << 7)) & !eight, eight);
            let gathered = |signs: u64| ((signs >> 7 & LOWEST).wrapping_mul(GATHER) >> 56) as u32;
            above |= gathered(positive) << (8 * i);
            below |= gathered(negative) << (8 * i);
        }
        [
            above.checked_ilog2().map(|place| place as usize),
            (below != 0).then(|| below.trailing_zeros() as usize),
        ]
    }
}

fn total(counts: &Counts) -> u32 {
    counts.iter().map(|&n| u32::from(n)).sum()
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({:?})", self.places())
    }
}

impl fmt::Display for PositionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PositionProblem::TooManyCheckers { roller, count, allowed } => {
                let who = if roller { "the player on roll" } else { "the opponent" };
                write!(f, "{who} has {count} checkers, at most {allowed} are allowed")
            }
            PositionProblem::SharedPoint { point } => {
                write!(f, "both sides have checkers on the roller's {point}-point")
            }
            PositionProblem::NobodyLeft => f.write_str("neither side has a checker left"),
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(f, "illegal position", &self.problems)
    }
}

impl std::error::Error for PositionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_symmetric_and_167_pips() {
        assert_eq!(Position::START.flip(), Position::START);
        assert_eq!(Position::START.pip_counts(), (167, 167));
        let (roller, opponent) = (Position::START.roller(), Position::START.opponent());
        assert_eq!(roller, opponent);
        assert_eq!(Position::from_counts(&roller, &opponent), Ok(Position::START));
        assert!(!Position::START.is_race() && !Position::START.is_over());
    }

    #[test]
    fn every_problem_is_named() {
        let mut roller = [0; 25];
        let mut opponent = [0; 25];
        roller[5] = 16;
        opponent[24 - 6] = 1;
        let error = Position::from_counts(&roller, &opponent).unwrap_err();
        assert_eq!(error.problems.len(), 2);
        let text = error.to_string();
        assert!(text.contains("16 checkers") && text.contains("6-point"), "{text}");
        assert!(Position::from_counts(&[0; 25], &[0; 25]).is_err());
        let many = Position::from_counts(&[255; 25], &[255; 25]).unwrap_err();
        assert_eq!(many.problems.len(), 26);
        assert!(many.to_string().ends_with("; and 21 more"), "{many}");
    }

    /// Against the definition, with every place and number of checkers once the only one of its side.
    #[test]
    fn games_end_when_a_side_has_nothing_left() {
        for place in 0..26 {
            for n in 1..=15 {
                let mut bytes = [0; 32];
                bytes[place] = n;
                assert!(Position(bytes).is_over() && Position(bytes.map(|n: i8| -n)).is_over());
                for other in (0..26).filter(|&other| other != place) {
                    let mut both = bytes;
                    both[other] = n - 16;
                    assert!(!Position(both).is_over(), "{both:?}");
                }
            }
        }
    }

    #[test]
    fn contact_ends_when_the_sides_have_passed() {
        let (mut roller, mut opponent) = ([0; 25], [0; 25]);
        roller[11] = 15; // the roller's 12-point; the opponent's 12-point is the roller's 13-point
        opponent[11] = 15;
        assert!(Position::from_counts(&roller, &opponent).unwrap().is_race());
        roller[11] = 14;
        roller[13] = 1;
        assert!(!Position::from_counts(&roller, &opponent).unwrap().is_race());
    }
}
