//! Shots: with how many of the 36 rolls a blot is hit.
//!
//! A roll hits a blot if some legal play of it does, at any step. So a direct shot that would leave the
//! other die unplayed does not count when both could be played, an indirect shot needs an open
//! stop, a double makes up to four steps, and checkers on the bar enter before anything else moves.
//! An opponent's checker can only leave its place by being hit: a blot is hit by a play exactly if it is
//! missing from the result, so the results of all plays tell everything.

use crate::dice::Roll;
use crate::movegen::{PlayBuf, plays};
use crate::position::{BAR, Position};
use crate::rules::Rules;

/// Rolls of 36 that hit, were the player on roll to throw now.
///
/// Points are those of the player whose blots they are, the opponent of the player on roll.
///
/// ```
/// use gammon_core::{Backgammon, Position, movegen::PlayBuf, study::Shots};
///
/// // The opponent's only blot is on his 5-point, 4 pips from the roller's ace-point anchor.
/// let (mut roller, mut opponent) = ([0; 25], [0; 25]);
/// (roller[23], roller[5], opponent[4], opponent[12]) = (2, 13, 1, 14);
/// let position = Position::from_counts(&roller, &opponent).unwrap();
/// let shots = Shots::of::<Backgammon>(&position, &mut PlayBuf::new());
/// assert_eq!((shots.at(5), shots.any), (15, 15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shots {
    /// Rolls that hit the blot on each point; 0 where there is none.
    pub points: [u8; 24],
    /// Rolls that hit at least one blot.
    pub any: u8,
}

impl Shots {
    /// No blot can be hit.
    pub const NONE: Shots = Shots { points: [0; 24], any: 0 };

    /// The player on roll's shots at the opponent's blots.
    ///
    /// Shots at the roller's own blots are those of the flipped position.
    pub fn of<R: Rules>(position: &Position, buf: &mut PlayBuf) -> Shots {
        let mut shots = Shots::NONE;
        let blots = blots(position);
        if blots == 0 || position.is_race() {
            return shots;
        }
        for roll in Roll::ALL {
            plays::<R>(position, roll, buf);
            let mut hit = blots & !always_there(buf.positions());
            let weight = roll.weight() as u8;
            shots.any += if hit != 0 { weight } else { 0 };
            while hit != 0 {
                shots.points[hit.trailing_zeros() as usize - 1] += weight;
                hit &= hit - 1;
            }
        }
        shots
    }

    /// Rolls that hit the blot on `point` of the player whose blots they are.
    ///
    /// # Panics
    /// If `point` is not 1 to 24.
    pub fn at(&self, point: usize) -> u8 {
        self.points[point - 1]
    }
}

/// The opponent's single checkers, bit `p` for the opponent's point `p`.
fn blots(position: &Position) -> u32 {
    let places = position.places();
    (1..=BAR).fold(0, |bits, point| bits | u32::from(places[25 - point] == -1) << point)
}

/// Points on which the player on roll has a checker in all of these positions.
fn always_there(positions: &[Position]) -> u32 {
    let mut least = [i8::MAX; 32];
    for position in positions {
        for (least, &n) in least.iter_mut().zip(&position.0) {
            *least = (*least).min(n);
        }
    }
    (1..=BAR).fold(0, |bits, point| bits | u32::from(least[point] > 0) << point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Backgammon;
    use crate::testing::position;

    fn shots(roller: &[(usize, u8)], opponent: &[(usize, u8)]) -> Shots {
        Shots::of::<Backgammon>(&position(roller, opponent), &mut PlayBuf::new())
    }

    /// The table every player learns (Magriel, "Backgammon", 1976, chapter on hitting and being hit): one
    /// checker, one blot so many pips away, nothing in between.
    #[test]
    fn shots_by_distance_with_an_open_board() {
        let table = [
            (1, 11),
            (2, 12),
            (3, 14),
            (4, 15),
            (5, 15),
            (6, 17),
            (7, 6),
            (8, 6),
            (9, 5),
            (10, 3),
            (11, 2),
            (12, 3),
            (13, 0),
            (14, 0),
            (15, 1),
            (16, 1),
            (17, 0),
            (18, 1),
            (19, 0),
            (20, 1),
            (24, 1),
        ];
        for (distance, rolls) in table {
            // The hitter stands on 24, or on the bar for a blot 24 away; the blot on his 25 - `point`.
            let from = if distance == 24 { 25 } else { 24 };
            let point = 25 - (from - distance);
            let shots = shots(&[(from, 1)], &[(point, 1)]);
            assert_eq!((shots.at(point), shots.any), (rolls, rolls), "{distance} pips away");
        }
    }

    #[test]
    fn blocked_stops_take_indirect_shots_away() {
        let clear = shots(&[(24, 2), (6, 13)], &[(9, 1)]);
        assert_eq!(clear.at(9), 6, "8 pips away: 6-2, 5-3, 4-4 and 2-2");
        let one_way = shots(&[(24, 2), (6, 13)], &[(9, 1), (7, 2)]);
        assert_eq!(one_way.at(9), 5, "6-2 by 24/22/16 is left, 2-2 is not");
        let no_way = shots(&[(24, 2), (6, 13)], &[(9, 1), (7, 2), (3, 2)]);
        assert_eq!(no_way.at(9), 3, "5-3 and 4-4 are left");
    }

    #[test]
    fn checkers_on_the_bar_enter_first() {
        let two = shots(&[(25, 2), (24, 2)], &[(4, 1)]);
        assert_eq!(
            two.at(4),
            13,
            "every 4, 2-2 by bar/23(2)/21, 3-3 by bar/22(2) 24/21; 3-1 is spent on entering"
        );
    }

    #[test]
    fn a_hit_must_belong_to_a_legal_play() {
        // With 6-5 the hit 20/14* would leave no 5, while 20/15 8/2 plays both dice.
        let shots = shots(&[(20, 1), (8, 1), (1, 13)], &[(11, 1), (16, 2), (22, 2)]);
        assert_eq!(shots.at(11), 17 - 2);
    }

    #[test]
    fn one_roll_may_hit_either_of_two_blots() {
        let shots = shots(&[(24, 2), (6, 13)], &[(2, 1), (3, 1)]);
        assert_eq!((shots.at(2), shots.at(3)), (11, 12));
        assert_eq!(shots.any, 20, "any 1 or 2");
        assert_eq!(shots.points.iter().filter(|&&n| n > 0).count(), 2);
    }
}
