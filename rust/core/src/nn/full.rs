//! Feature set 2: set 1, and what strong players look at, both ways.
//!
//! ```text
//! rows   group, for the roller then for the opponent                      active
//! 1318   the rows of set 1                                                about 20
//!
//!  192   points made at home x enemy checkers on the bar (0, 1, 2+)       1   contact only, and so on
//!  256   made points of 4 windows of six: 4-9, 7-12, 13-18, 19-24         4
//!   56   enemy checkers in one's home or on the bar x points made at home 1
//!   64   pips to bring all checkers home, by 4                            1
//!   64   pips of checkers on the 7- to 18-point to come home, by 2        1
//!   48   mobility: rolls that carry each checker outside six pips, summed 1
//!   37   least number of rolls that escape from any place up to the 12    1
//!   60   the sum of these numbers over the 13 places                      1
//!  112   pips the other side loses by being hit, mean over rolls          1
//!   37   rolls that hit twice or could                                    0 or 1
//! ```
//!
//! The buckets are finer than those of set 1: crunched sides and sides with checkers off have their own.

use super::features::{
    self, Kind, Sums, by_checkers_back, checkers_and_pips, hits, kind, possible, primes_of,
};
use super::masks::Masks;
use super::primes::ESCAPES;
use super::sets::{ActiveRows, Encoder, Summary, Writer};
use super::shots::{Hits, shots};
use crate::eval::few_of_use;
use crate::position::{CHECKERS, Position};

/// Windows of six points: their lowest point.
const WINDOWS: [u32; 4] = [4, 7, 13, 19];

/// Rows of each group, in order.
mod size {
    pub(crate) const HOME: usize = 64 * 3;
    pub(crate) const WINDOW: usize = 64;
    pub(crate) const TRAPPED: usize = 8 * 7;
    pub(crate) const OUTSIDE: usize = 64;
    pub(crate) const TIMING: usize = 64;
    pub(crate) const MOBILITY: usize = 48;
    pub(crate) const LEAST: usize = 37;
    pub(crate) const CONTAIN: usize = 60;
    pub(crate) const LOSS: usize = 112;
    pub(crate) const TWICE: usize = 37;
}

/// One side's groups in order.
const SIDE: [usize; 13] = [
    size::HOME,
    size::WINDOW,
    size::WINDOW,
    size::WINDOW,
    size::WINDOW,
    size::TRAPPED,
    size::OUTSIDE,
    size::TIMING,
    size::MOBILITY,
    size::LEAST,
    size::CONTAIN,
    size::LOSS,
    size::TWICE,
];

/// One side's groups by name, for measuring what each brings.
pub(crate) const NAMES: [&str; 13] = [
    "home",
    "windows",
    "windows",
    "windows",
    "windows",
    "trapped",
    "outside",
    "timing",
    "mobility",
    "least",
    "containment",
    "loss",
    "twice",
];

/// Rows between two trained parameters of a group; 1 if each row has its own.
pub(crate) const STEPS: [usize; 13] = [1, 1, 1, 1, 1, 1, 4, 4, 3, 1, 3, 3, 2];

const SIDE_ROWS: usize = start(SIDE.len());

/// Rows of the set.
pub(super) const ROWS: usize = features::ROWS + 2 * SIDE_ROWS;

/// 3 x 3 kinds of contact with all checkers on and nobody crunched; the roller, the opponent, both
/// crunched; the roller, the opponent, both with checkers off; race; race with both sides home.
pub(super) const BUCKETS: usize = 9 + 3 + 3 + 2;

const BUCKET_CRUNCHED: usize = 9;
const BUCKET_OFF: usize = 12;
const BUCKET_RACE: usize = 15;
const BUCKET_BOTH_HOME: usize = 16;

/// Where a side's group begins within the side's rows.
const fn start(group: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < group {
        sum += SIDE[i];
        i += 1;
    }
    sum
}

/// The groups of rows of which at most one is active, as (first, count).
pub(super) fn groups() -> impl Iterator<Item = (usize, usize)> {
    let sides = [SIDE, SIDE].into_iter().flatten();
    features::groups().chain(sides.scan(features::ROWS, |next, count| {
        *next += count;
        Some((*next - count, count))
    }))
}

/// Feature set 2, as a type.
pub(crate) struct Full;

impl Encoder for Full {
    const ROWS: usize = ROWS;

    #[inline(always)]
    fn extract(position: &Position, masks: Masks, rows: &mut ActiveRows) -> Summary {
        let mut rows = Writer::new(rows);
        let sums = checkers_and_pips(position, masks, &mut rows);
        let race = masks.is_race();
        if !race {
            let places = position.places();
            let sides = [masks, masks.flipped()];
            primes_of(sides[0], sides[1], &mut rows);
            let shots = [shots(sides[0], places[25]), shots(sides[1], places[0])];
            hits(shots[0].rolls, shots[1].rolls, &mut rows);
            for (owner, hits) in shots.into_iter().enumerate() {
                let (ours, theirs) = (sides[owner], sides[1 - owner]);
                let side = Side { position, owner, ours, theirs, trapped: sums.back[1 - owner] };
                side.rows(&hits, &mut rows);
            }
        }
        Summary {
            len: rows.len,
            bucket: bucket(position, masks, &sums, race),
            possible: possible(&sums, race),
        }
    }
}

/// One side in contact, seen by its owner.
struct Side<'a> {
    position: &'a Position,
    /// 0 for the roller.
    owner: usize,
    ours: Masks,
    theirs: Masks,
    /// Enemy checkers in this side's home or on the bar.
    trapped: usize,
}

impl Side<'_> {
    #[inline(always)]
    fn rows(&self, hits: &Hits, rows: &mut Writer<'_>) {
        let first = features::ROWS + self.owner * SIDE_ROWS;
        let made = self.ours.own_made;
        let home = (made >> 1 & 63) as usize;
        let their_bar = usize::from(self.checkers(0));
        rows.push(first + home * 3 + their_bar.min(2));
        for (i, point) in WINDOWS.into_iter().enumerate() {
            rows.push(first + const { start(1) } + i * size::WINDOW + (made >> point & 63) as usize);
        }
        rows.push(first + const { start(5) } + self.trapped.min(7) * 7 + home.count_ones() as usize);

        let (mut outside, mut timing, mut mobility) = (0, 0, 0);
        let mut rest = self.ours.own & !0x7f;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            let n = usize::from(self.checkers(place));
            outside += (place - 6) * n;
            timing += if place <= 18 { (place - 6) * n } else { 0 };
            mobility += n * self.ours.escapes(place);
        }
        rows.push(first + const { start(6) } + (outside / 4).min(size::OUTSIDE - 1));
        rows.push(first + const { start(7) } + (timing / 2).min(size::TIMING - 1));
        rows.push(first + const { start(8) } + (mobility / 10).min(size::MOBILITY - 1));

        // How an enemy checker on each place from the bar to our 12-point would get away.
        let (mut least, mut sum) = (36, 0);
        for place in 13..26 {
            let rolls = self.theirs.escapes(place);
            least = rolls.min(least);
            sum += rolls;
        }
        rows.push(first + const { start(9) } + least);
        rows.push(first + const { start(10) } + (sum / 8).min(size::CONTAIN - 1));

        rows.push(first + const { start(11) } + (hits.loss / 8).min(size::LOSS - 1));
        if hits.twice > 0 {
            rows.push(first + const { start(12) } + hits.twice);
        }
    }

    /// Checkers of either side on a place of this side's frame.
    #[inline(always)]
    fn checkers(&self, place: usize) -> u8 {
        let place = if self.owner == 0 { place } else { 25 - place };
        self.position.0[place & 31].unsigned_abs()
    }
}

impl Masks {
    /// Rolls of 36 that would carry a checker from a place six pips or more.
    #[inline(always)]
    fn escapes(self, place: usize) -> usize {
        let window = ((u64::from(self.opp_made & 0x1ff_fffe) << 11) >> place) & 0x7ff;
        usize::from(ESCAPES[window as usize])
    }
}

#[inline(always)]
fn bucket(position: &Position, masks: Masks, sums: &Sums, race: bool) -> usize {
    let all = CHECKERS as usize;
    match kind(masks, sums, race) {
        Kind::BothHome => BUCKET_BOTH_HOME,
        Kind::Race => BUCKET_RACE,
        Kind::ContactOff => {
            BUCKET_OFF - 1 + usize::from(sums.on[0] < all) + 2 * usize::from(sums.on[1] < all)
        }
        Kind::Contact => {
            let places = position.places();
            let count = |n: i8| n.max(0) as u32;
            let own = few_of_use(CHECKERS, count(places[1]), count(places[2]));
            let opp = few_of_use(CHECKERS, count(-places[24]), count(-places[23]));
            match usize::from(own) + 2 * usize::from(opp) {
                0 => by_checkers_back(sums),
                some => BUCKET_CRUNCHED - 1 + some,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{position, scattered};

    fn extract(position: &Position) -> (Vec<usize>, Summary) {
        let mut rows = [0; super::super::sets::MAX_ACTIVE];
        let summary = Full::extract(position, Masks::of(position), &mut rows);
        (rows[..summary.len].iter().map(|&row| usize::from(row)).collect(), summary)
    }

    #[test]
    fn the_roller_s_rows_are_the_opponent_s_after_the_turn() {
        for position in scattered(2_000).into_iter().filter(|p| !p.is_race()) {
            let side = |position: &Position, owner: usize| -> Vec<usize> {
                let first = features::ROWS + owner * SIDE_ROWS;
                let (rows, _) = extract(position);
                rows.into_iter()
                    .filter(|row| (first..first + SIDE_ROWS).contains(row))
                    .map(|row| row - first)
                    .collect()
            };
            assert_eq!(side(&position, 0), side(&position.flip(), 1), "{position:?}");
        }
    }

    #[test]
    fn crunched_buckets_agree_with_the_phase() {
        use crate::eval::is_crunched;
        let mut seen = [0; BUCKETS];
        for position in scattered(20_000) {
            let (_, summary) = extract(&position);
            seen[summary.bucket] += 1;
            let crunched = [position.roller(), position.opponent()].map(|side| is_crunched(&side));
            if position.borne_off() == (0, 0) && !position.is_race() {
                let expected = match crunched {
                    [false, false] => summary.bucket < 9,
                    [true, false] => summary.bucket == 9,
                    [false, true] => summary.bucket == 10,
                    [true, true] => summary.bucket == 11,
                };
                assert!(expected, "{position:?} {summary:?}");
            }
        }
        assert!(seen[12..].iter().all(|&n| n > 0), "{seen:?}");
    }

    #[test]
    fn rows_of_the_start() {
        let (rows, summary) = extract(&Position::START);
        assert_eq!(summary.bucket, 4);
        let home = 1 << 5; // the 6-point is made
        assert!(rows.contains(&(features::ROWS + home * 3)));
        // Two checkers on the 24-point, five on the 13, three on the 8: 36 + 35 + 6 pips to come home.
        assert!(rows.contains(&(features::ROWS + start(6) + 77 / 4)));
        assert!(rows.contains(&(features::ROWS + start(7) + 41 / 2)));
        // The opponent's five points made ahead of his own checkers hold nobody.
        let put = |mine: &[(usize, u8)], theirs: &[(usize, u8)]| extract(&position(mine, theirs)).0;
        // A full prime from the 4- to the 9-point: from the place before it nobody gets away.
        let prime = [(4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (9, 2), (13, 3)];
        assert!(put(&prime, &[(22, 15)]).contains(&(features::ROWS + start(9))));
    }
}
