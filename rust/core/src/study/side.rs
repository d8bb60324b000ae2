//! One player's checkers, described without regard to the other's.

use crate::eval::is_crunched;
use crate::position::{BAR, CHECKERS, Counts};

/// What one player's checkers look like, in that player's own numbering.
///
/// Points are sets of bits: bit `p` stands for point `p`, so bits 1 to 24 are used.
///
/// ```
/// use gammon_core::{Position, study::Side};
///
/// let side = Side::of(&Position::START.roller());
/// assert_eq!((side.pips, side.blots), (167, 0));
/// assert_eq!(side.points, 1 << 24 | 1 << 13 | 1 << 8 | 1 << 6);
/// assert_eq!(side.anchors(), 1 << 24);
/// assert_eq!(side.prime, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Pips still needed, a checker on the bar counting 25.
    pub pips: u16,
    /// Checkers on the bar.
    pub bar: u8,
    /// Checkers borne off, of 15.
    pub off: u8,
    /// Points held by a single checker.
    pub blots: u32,
    /// Points made: held by two checkers or more.
    pub points: u32,
    /// Length of the longest row of neighbouring points made; 6 or more is a full prime.
    pub prime: u8,
    /// Whether at most six checkers are still of use: see [`is_crunched`].
    pub crunched: bool,
}

/// The bits of a player's own home board, points 1 to 6.
const HOME: u32 = 0x7e;

/// The bits of the opponent's home board, points 19 to 24.
const OPPOSING_HOME: u32 = 0x3f << 19;

impl Side {
    /// Describes these checkers.
    pub fn of(counts: &Counts) -> Side {
        let (mut pips, mut checkers, mut blots, mut points) = (0, 0, 0, 0);
        for (i, &n) in counts.iter().enumerate() {
            pips += (i as u32 + 1) * u32::from(n);
            checkers += u32::from(n);
            blots |= u32::from(n == 1) << (i + 1);
            points |= u32::from(n >= 2) << (i + 1);
        }
        let on_points = (1 << (BAR + 1)) - 1; // leaves the bar out
        Side {
            pips: pips as u16,
            bar: counts[BAR],
            off: CHECKERS.saturating_sub(checkers) as u8,
            blots: blots & on_points,
            points: points & on_points,
            prime: longest_row(points & on_points),
            crunched: is_crunched(counts),
        }
    }

    /// Points made in the player's own home board.
    pub const fn home_points(&self) -> u32 {
        self.points & HOME
    }

    /// Points made in the opponent's home board.
    pub const fn anchors(&self) -> u32 {
        self.points & OPPOSING_HOME
    }
}

/// The longest row of neighbouring bits.
fn longest_row(mut bits: u32) -> u8 {
    let mut length = 0;
    while bits != 0 {
        bits &= bits << 1;
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::side;

    #[test]
    fn a_prime_is_a_row_of_points() {
        for (points, prime) in [
            (vec![], 0),
            (vec![(6, 1)], 0),
            (vec![(6, 2), (8, 3), (13, 5)], 1),
            (vec![(4, 2), (5, 2), (6, 3), (8, 3)], 3),
            (vec![(4, 2), (5, 2), (6, 3), (7, 1), (8, 3), (9, 2)], 3),
            (vec![(4, 2), (5, 2), (6, 3), (7, 2), (8, 3), (9, 2)], 6),
            (vec![(18, 2), (19, 2), (20, 2), (21, 2), (22, 2), (23, 2), (24, 2)], 7),
            (vec![(24, 2), (25, 2)], 1), // the bar is no point
        ] {
            assert_eq!(Side::of(&side(&points)).prime, prime, "{points:?}");
        }
    }

    #[test]
    fn blots_points_and_anchors() {
        let side = Side::of(&side(&[(1, 1), (6, 4), (5, 2), (18, 2), (20, 3), (24, 1), (25, 1)]));
        assert_eq!(side.blots, 1 << 1 | 1 << 24);
        assert_eq!(side.home_points(), 1 << 5 | 1 << 6);
        assert_eq!(side.anchors(), 1 << 20);
        assert_eq!((side.bar, side.off), (1, 1));
        assert_eq!(side.pips, 1 + 24 + 10 + 36 + 60 + 24 + 25);
    }
}
