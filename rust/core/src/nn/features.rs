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
//! The layout is frozen: a net names the set it was trained for.

use super::masks::Masks;
use super::primes;
use super::sets::{ActiveRows, Encoder, Summary, Writer};
use super::shots::shots;
use crate::position::{CHECKERS, Position};

/// Rows of the set.
pub(super) const ROWS: usize = 1318;

/// Kinds of position with an output layer of their own; see `Summary::bucket`.
pub(super) const BUCKETS: usize = 12;

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

/// The names of the groups, in the order of [`groups`].
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    std::iter::repeat_n("places", 26)
        .chain(["off"; 2])
        .chain(["pips"; 3])
        .chain(["primes"; 2])
        .chain(["shots"; 2])
}

/// Buckets beyond the 3 x 3 of contact.
const BUCKET_CONTACT_OFF: usize = 9;
const BUCKET_RACE: usize = 10;
const BUCKET_BOTH_HOME: usize = 11;

/// Feature set 1, as a type.
pub(crate) struct Core;

impl Encoder for Core {
    const ROWS: usize = ROWS;

    #[inline(always)]
    fn extract(position: &Position, masks: Masks, rows: &mut ActiveRows) -> Summary {
        let mut rows = Writer::new(rows);
        let sums = checkers_and_pips(position, masks, &mut rows);
        let race = masks.is_race();
        if !race {
            let theirs = masks.flipped();
            let places = position.places();
            primes_of(masks, theirs, &mut rows);
            let [ours, their] = [shots(masks, places[25]), shots(theirs, places[0])];
            hits(ours.rolls, their.rolls, &mut rows);
        }
        let bucket = match kind(masks, &sums, race) {
            Kind::BothHome => BUCKET_BOTH_HOME,
            Kind::Race => BUCKET_RACE,
            Kind::ContactOff => BUCKET_CONTACT_OFF,
            Kind::Contact => by_checkers_back(&sums),
        };
        Summary { len: rows.len, bucket, possible: possible(&sums, race) }
    }
}

/// The sides' sums that rows and buckets are made of; `[roller, opponent]` each.
pub(super) struct Sums {
    pips: [usize; 2],
    /// Checkers not borne off.
    pub(super) on: [usize; 2],
    /// Checkers beyond the owner's 18-point or on the bar.
    pub(super) back: [usize; 2],
}

/// The rows of places, checkers off and pips.
#[inline(always)]
pub(super) fn checkers_and_pips(position: &Position, masks: Masks, rows: &mut Writer<'_>) -> Sums {
    let mut sums = Sums { pips: [0; 2], on: [0; 2], back: [0; 2] };
    for (owner, held) in [masks.own, masks.opp].into_iter().enumerate() {
        let mut rest = held;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            let n = usize::from(position.0[place].unsigned_abs());
            rows.push(place * 2 * STACK + owner * STACK + n.min(STACK) - 1);
            let point = if owner == 0 { place } else { 25 - place };
            sums.pips[owner] += point * n;
            sums.on[owner] += n;
            sums.back[owner] += if point > 18 { n } else { 0 };
        }
    }
    let all = CHECKERS as usize;
    for (off, on) in base::OFF.into_iter().zip(sums.on) {
        if on < all {
            rows.push(off + all - on - 1);
        }
    }
    let [own, opp] = sums.pips;
    rows.push(base::PIPS[0] + (own / 2).min(PIP_ROWS - 1));
    rows.push(base::PIPS[1] + (opp / 2).min(PIP_ROWS - 1));
    rows.push(base::PIPS[2] + ((own + PIP_ROWS).saturating_sub(opp) / 2).min(PIP_ROWS - 1));
    sums
}

/// The rows of primes and escapes; contact only.
#[inline(always)]
pub(super) fn primes_of(ours: Masks, theirs: Masks, rows: &mut Writer<'_>) {
    rows.push(base::PRIME[0] + primes::row(ours));
    rows.push(base::PRIME[1] + primes::row(theirs));
}

/// The rows of rolls that hit; contact only.
#[inline(always)]
pub(super) fn hits(ours: usize, theirs: usize, rows: &mut Writer<'_>) {
    for (first, rolls) in base::SHOTS.into_iter().zip([ours, theirs]) {
        if rolls > 0 {
            rows.push(first + rolls);
        }
    }
}

/// Kinds of position with output layers of their own.
pub(super) enum Kind {
    Contact,
    ContactOff,
    Race,
    BothHome,
}

#[inline(always)]
pub(super) fn kind(masks: Masks, sums: &Sums, race: bool) -> Kind {
    if race {
        let home = masks.own >> 7 == 0 && masks.opp & 0x7_ffff == 0;
        if home { Kind::BothHome } else { Kind::Race }
    } else if sums.on[0] + sums.on[1] < 2 * CHECKERS as usize {
        Kind::ContactOff
    } else {
        Kind::Contact
    }
}

/// 3 x 3 by checkers of the roller and of the opponent beyond their 18-point: none, 1 or 2, more.
#[inline(always)]
pub(super) fn by_checkers_back(sums: &Sums) -> usize {
    const CLASS: [u8; 16] = [0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
    let [own, opp] = sums.back.map(|n| usize::from(CLASS[n & 15]));
    own * 3 + opp
}

/// Whether the roller can win a gammon, a backgammon, and the opponent likewise.
#[inline(always)]
pub(super) fn possible(sums: &Sums, race: bool) -> [bool; 4] {
    let all = CHECKERS as usize;
    let (win_gammon, lose_gammon) = (sums.on[1] == all, sums.on[0] == all);
    [
        win_gammon,
        win_gammon && !(race && sums.back[1] == 0),
        lose_gammon,
        lose_gammon && !(race && sums.back[0] == 0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::sets::MAX_ACTIVE;
    use crate::testing::position;

    #[test]
    fn opening_rows() {
        // 8 held points, three pip rows, two primes; no blot, so no shots.
        let mut rows = [0; MAX_ACTIVE];
        let summary = Core::extract(&Position::START, Masks::of(&Position::START), &mut rows);
        assert_eq!(summary.len, 8 + 3 + 2);
        // Two checkers back each: class 1 of 0 to 2 for both.
        assert_eq!(summary.bucket, 4);
        assert_eq!(summary.possible, [true; 4]);
    }

    #[test]
    fn impossible_results_are_known() {
        let put = |mine: &[(usize, u8)], theirs: &[(usize, u8)]| {
            let position = position(mine, theirs);
            Core::extract(&position, Masks::of(&position), &mut [0; MAX_ACTIVE]).possible
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
