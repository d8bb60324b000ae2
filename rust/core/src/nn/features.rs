//! Feature set 1: a position as a short list of active rows.
//!
//! Every feature is 0 or 1, so the first layer of a net is the sum of the rows listed here. Each group
//! has at most one active row, and a row stands for an exact value (a point with its number of
//! checkers, a pip count, …); training shares weights between the rows of a group (thermometers, hat
//! functions; see `train::sharing`), which costs nothing once the rows are summed up.
//!
//! ```text
//! rows          group                                                     active
//!    0 ..  312  place 0 to 25 (roller's frame) x owner x checkers 1 to 6+  about 13
//!  312 ..  342  checkers off, 1 to 15, roller then opponent                0 to 2
//!  342 ..  726  pips of the roller, of the opponent, difference (by 2)     3
//!  726 .. 1244  in contact: longest enemy prime ahead of the rearmost
//!               checker x rolls that carry it six pips or more             2
//! 1244 .. 1318  in contact: rolls of 36 that hit, 1 to 36 (none: no row)   0 to 2
//! ```
//!
//! The layout is frozen: a net names the set it was trained for by [`FEATURE_SET`].

use super::masks::Masks;
use super::primes;
use super::shots::shots;
use crate::position::{CHECKERS, Position};

/// The id of this feature set in net files.
pub const FEATURE_SET: u32 = 1;

/// Rows of the set.
pub const ROWS: usize = 1318;

/// No position has more active rows: 26 places, 2 off, 3 pips, 2 primes, 2 shots.
pub const MAX_ACTIVE: usize = 35;

/// Kinds of position with an output layer of their own; see `Summary::bucket`.
pub const BUCKETS: usize = 12;

/// Checkers on a place told apart; more count as this many.
pub(crate) const STACK: usize = 6;

/// Values of a pip row (two pips each; more count as the last).
pub(crate) const PIP_ROWS: usize = 128;

/// Prime lengths told apart (0 to 6) and counts of rolls (0 to 36).
pub(crate) const PRIME_LENGTHS: usize = 7;
pub(crate) const ROLL_COUNTS: usize = 37;

/// First row of each group.
pub(crate) mod base {
    use super::{PIP_ROWS, PRIME_LENGTHS, ROLL_COUNTS, STACK};
    pub(crate) const PLACES: usize = 0;
    pub(crate) const OFF: [usize; 2] = [26 * 2 * STACK, 26 * 2 * STACK + 15];
    pub(crate) const PIPS: [usize; 3] = [OFF[1] + 15, OFF[1] + 15 + PIP_ROWS, OFF[1] + 15 + 2 * PIP_ROWS];
    pub(crate) const PRIME: [usize; 2] =
        [PIPS[2] + PIP_ROWS, PIPS[2] + PIP_ROWS + PRIME_LENGTHS * ROLL_COUNTS];
    pub(crate) const SHOTS: [usize; 2] =
        [PRIME[1] + PRIME_LENGTHS * ROLL_COUNTS, PRIME[1] + PRIME_LENGTHS * ROLL_COUNTS + ROLL_COUNTS];
    const _: () = assert!(SHOTS[1] + ROLL_COUNTS == super::ROWS);
}

/// The groups of rows of which at most one is active, as (first, count).
pub(crate) fn groups() -> impl Iterator<Item = (usize, usize)> {
    (0..26)
        .map(|place| (base::PLACES + place * 2 * STACK, 2 * STACK))
        .chain(base::OFF.map(|first| (first, 15)))
        .chain(base::PIPS.map(|first| (first, PIP_ROWS)))
        .chain(base::PRIME.map(|first| (first, PRIME_LENGTHS * ROLL_COUNTS)))
        .chain(base::SHOTS.map(|first| (first, ROLL_COUNTS)))
}

/// What an evaluation needs besides the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Active rows written.
    pub len: usize,
    /// The output layer to use: 3 x 3 by checkers of the roller and of the opponent beyond their
    /// 18-point or on the bar (none, 1 or 2, more), or one of the three last.
    pub bucket: usize,
    /// Whether the roller can still win a gammon, a backgammon, and the opponent likewise.
    pub possible: [bool; 4],
}

/// Buckets beyond the 3 x 3 of contact.
const BUCKET_CONTACT_OFF: usize = 9;
const BUCKET_RACE: usize = 10;
const BUCKET_BOTH_HOME: usize = 11;

/// The active rows of an unfinished position, in increasing order within each group, into `rows`.
///
/// Returns how many there are.
pub fn active_rows(position: &Position, rows: &mut [u16; MAX_ACTIVE]) -> usize {
    extract(position, Masks::of(position), rows).len
}

#[inline(always)]
pub(crate) fn extract(position: &Position, masks: Masks, rows: &mut [u16; MAX_ACTIVE]) -> Summary {
    let places = position.places();
    let mut len = 0;
    // No position has more rows than fit; the condition saves the check of bounds and its panic.
    let mut push = |row: usize| {
        debug_assert!(len < MAX_ACTIVE && row < ROWS);
        if len < MAX_ACTIVE {
            rows[len] = row as u16;
            len += 1;
        }
    };
    let (mut own_pips, mut own_on, mut own_back) = (0, 0, 0);
    let mut rest = masks.own;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize & 31;
        rest &= rest - 1;
        let n = position.0[place] as usize;
        push(place * 2 * STACK + n.min(STACK) - 1);
        own_pips += place * n;
        own_on += n;
        own_back += if place > 18 { n } else { 0 };
    }
    let (mut opp_pips, mut opp_on, mut opp_back) = (0, 0, 0);
    let mut rest = masks.opp;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize & 31;
        rest &= rest - 1;
        let n = position.0[place].unsigned_abs() as usize;
        push(place * 2 * STACK + STACK + n.min(STACK) - 1);
        opp_pips += (25 - place) * n;
        opp_on += n;
        opp_back += if place < 7 { n } else { 0 };
    }
    let all = CHECKERS as usize;
    if own_on < all {
        push(base::OFF[0] + all - own_on - 1);
    }
    if opp_on < all {
        push(base::OFF[1] + all - opp_on - 1);
    }
    push(base::PIPS[0] + (own_pips / 2).min(PIP_ROWS - 1));
    push(base::PIPS[1] + (opp_pips / 2).min(PIP_ROWS - 1));
    push(base::PIPS[2] + ((own_pips + PIP_ROWS).saturating_sub(opp_pips) / 2).min(PIP_ROWS - 1));

    let race = masks.is_race();
    if !race {
        let theirs = masks.flipped();
        push(base::PRIME[0] + primes::row(masks));
        push(base::PRIME[1] + primes::row(theirs));
        let hits = shots(masks, places[25].unsigned_abs());
        if hits > 0 {
            push(base::SHOTS[0] + hits);
        }
        let hits = shots(theirs, places[0].unsigned_abs());
        if hits > 0 {
            push(base::SHOTS[1] + hits);
        }
    }
    let bucket = if race {
        let home = masks.own >> 7 == 0 && masks.opp & 0x7_ffff == 0;
        if home { BUCKET_BOTH_HOME } else { BUCKET_RACE }
    } else if own_on + opp_on < 2 * all {
        BUCKET_CONTACT_OFF
    } else {
        const CLASS: [u8; 16] = [0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
        usize::from(CLASS[own_back & 15]) * 3 + usize::from(CLASS[opp_back & 15])
    };
    let (win_gammon, lose_gammon) = (opp_on == all, own_on == all);
    let possible = [
        win_gammon,
        win_gammon && !(race && opp_back == 0),
        lose_gammon,
        lose_gammon && !(race && own_back == 0),
    ];
    Summary { len, bucket, possible }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{position, scattered};

    #[test]
    fn rows_are_few_distinct_and_one_a_group() {
        for position in scattered(3_000) {
            let mut rows = [0; MAX_ACTIVE];
            let len = active_rows(&position, &mut rows);
            for (first, count) in groups() {
                let here =
                    rows[..len].iter().filter(|&&r| (first..first + count).contains(&usize::from(r))).count();
                assert!(here <= 1, "{position:?}");
            }
            assert!(rows[..len].iter().all(|&row| usize::from(row) < ROWS));
        }
        assert_eq!(groups().map(|(_, count)| count).sum::<usize>(), ROWS);
    }

    #[test]
    fn opening_rows() {
        // 8 held points, three pip rows, two primes; no blot, so no shots.
        let mut rows = [0; MAX_ACTIVE];
        assert_eq!(active_rows(&Position::START, &mut rows), 8 + 3 + 2);
        let summary = extract(&Position::START, Masks::of(&Position::START), &mut rows);
        // Two checkers back each: class 1 of 0 to 2 for both.
        assert_eq!(summary.bucket, 4);
        assert_eq!(summary.possible, [true; 4]);
    }

    #[test]
    fn impossible_results_are_known() {
        let put = |mine: &[(usize, u8)], theirs: &[(usize, u8)]| {
            let position = position(mine, theirs);
            extract(&position, Masks::of(&position), &mut [0; MAX_ACTIVE]).possible
        };
        // Opponent all at home, none off; roller has borne off: only gammons won are possible.
        assert_eq!(put(&[(1, 3)], &[(6, 15)]), [true, false, false, false]);
        // Opponent's last checkers in the roller's home, race: backgammon possible.
        assert_eq!(put(&[(1, 3)], &[(6, 13), (22, 2)]), [true, true, false, false]);
        // Contact (the roller's bar checker): everything possible for whoever has none off.
        assert_eq!(put(&[(1, 14), (25, 1)], &[(6, 15)]), [true, true, true, true]);
        assert_eq!(put(&[(1, 13), (25, 1)], &[(6, 15)]), [true, true, false, false]);
    }
}
