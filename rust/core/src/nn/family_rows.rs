//! What each row of the set of features for the other games stands for.
//!
//! ```text
//! rows      what                                                                  active
//! 0..312    place 0 to 25 (the player's frame) x owner x checkers 1 to 6+              up to 30
//! OFF       checkers borne off, 1 to 15, the player to act first (so are all pairs)    0 to 2
//! HEADS     checkers on the own 24, 1 to 15                                            0 to 2
//! WAITS     checkers waiting, 1 to 15                                                  0 to 2
//! HANDS     of these in hand and never hit, 1 to 15                               0 to 2
//! PIPS      pips by eight: of both, and the difference                            3
//! PINS      own point where a checker lies pinned, of both                            one a pin
//! RUNS      longest row of closed points before the rearmost checker, 0 to 6          2
//! MOVES     steps open to single checkers, all six numbers together, by three          2
//! HOME      points held at home, 0 to 6                                           2
//! BLOTS     single checkers that an enemy checker has yet to pass, 0 to 7+                 2
//! BITS      what the marks note of the sides (has come home, ...), 8 bits         0 to 8
//! TURNS     turns completed, 1 to 3                                               0 to 2
//! ACEYS     throws of 1-2, 1 to 15                                                0 or 1
//! ASKS      what is to be decided, if not a throw                                 0 or 1
//! POINTS    points of Trictrac, 0 to 11                                           0 or 2
//! HOLES     holes, 0 to 12+                                                       0 or 2
//! CLEAN     runs of points and of holes not interrupted, 4 bits                   0 to 4
//! ```
//!
//! The layout is frozen, as those of the other sets are.

use super::features::STACK;

/// Pips that one row stands for.
pub(super) const PIPS_A_ROW: usize = 8;
pub(super) const PIP_ROWS: usize = 48;
pub(super) const MOVES_A_ROW: usize = 3;
pub(super) const MOVE_ROWS: usize = 32;
pub(super) const BLOT_ROWS: usize = 8;
pub(super) const CHECKERS: usize = 15;

/// First row of each part; each begins where the one before ends.
pub(crate) mod base {
    use super::{BLOT_ROWS, CHECKERS, MOVE_ROWS, PIP_ROWS, STACK};
    pub(crate) const PLACES: usize = 0;
    pub(crate) const OFF: usize = 26 * 2 * STACK;
    pub(crate) const HEADS: usize = OFF + 2 * CHECKERS;
    pub(crate) const WAITS: usize = HEADS + 2 * CHECKERS;
    pub(crate) const HANDS: usize = WAITS + 2 * CHECKERS;
    pub(crate) const PIPS: usize = HANDS + 2 * CHECKERS;
    pub(crate) const PINS: usize = PIPS + 3 * PIP_ROWS;
    pub(crate) const RUNS: usize = PINS + 2 * 24;
    pub(crate) const MOVES: usize = RUNS + 2 * 7;
    pub(crate) const HOME: usize = MOVES + 2 * MOVE_ROWS;
    pub(crate) const BLOTS: usize = HOME + 2 * 7;
    pub(crate) const BITS: usize = BLOTS + 2 * BLOT_ROWS;
    pub(crate) const TURNS: usize = BITS + 8;
    pub(crate) const ACEYS: usize = TURNS + 2 * 3;
    pub(crate) const ASKS: usize = ACEYS + 15;
    pub(crate) const POINTS: usize = ASKS + super::ASKED;
    pub(crate) const HOLES: usize = POINTS + 2 * 12;
    pub(crate) const CLEAN: usize = HOLES + 2 * 13;
    pub(crate) const END: usize = CLEAN + 4;
}

/// Things that may be asked beside a throw: a double to be named, four of a number, a gift, a throw to be played,
/// nothing.
const ASKED: usize = 1 + 6 + 6 * 4 + 21 + 1;

/// Rows of the set.
pub(super) const ROWS: usize = base::END;

/// The groups of rows of which at most one is active, as (first, count).
pub(super) fn groups() -> impl Iterator<Item = (usize, usize)> {
    let places = (0..26).map(|place| (base::PLACES + place * 2 * STACK, 2 * STACK));
    places.chain(
        PARTS.iter().flat_map(|part| (0..part.groups).map(|i| (part.first + i * part.rows, part.rows))),
    )
}

/// Groups of the same kind, one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) first: usize,
    pub(crate) groups: usize,
    pub(crate) rows: usize,
}

const fn part(first: usize, groups: usize, rows: usize) -> Part {
    Part { first, groups, rows }
}

/// All groups beside the places.
pub(crate) const PARTS: [Part; 17] = [
    part(base::OFF, 2, CHECKERS),
    part(base::HEADS, 2, CHECKERS),
    part(base::WAITS, 2, CHECKERS),
    part(base::HANDS, 2, CHECKERS),
    part(base::PIPS, 3, PIP_ROWS),
    part(base::PINS, 48, 1),
    part(base::RUNS, 2, 7),
    part(base::MOVES, 2, MOVE_ROWS),
    part(base::HOME, 2, 7),
    part(base::BLOTS, 2, BLOT_ROWS),
    part(base::BITS, 8, 1),
    part(base::TURNS, 2, 3),
    part(base::ACEYS, 1, 15),
    part(base::ASKS, 1, ASKED),
    part(base::POINTS, 2, 12),
    part(base::HOLES, 2, 13),
    part(base::CLEAN, 4, 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another_and_cover_all_rows() {
        let mut next = 0;
        for (first, count) in groups() {
            assert_eq!(first, next);
            next += count;
        }
        assert_eq!(next, ROWS);
    }
}
