//! Numbering of where one side's one, two or three checkers stand.
//!
//! Sides are sorted by the pips they need; those with equal pips by the number that the combinatorial system
//! gives their places (0 is off, 25 the bar), the highest first:
//!
//! ```text
//! sum over i of binomial(place[i] + checkers - 1 - i, checkers - i)
//! ```
//!
//! Side 0 has everything off. Whatever a checker moves without hitting lowers a side's number, and the sides of
//! one pip count are one stretch.

use std::ops::Range;

use crate::position::Position;

/// Most checkers a side that are numbered.
pub const MOST_CHECKERS: usize = 3;

/// The bar's place.
pub(super) const BAR: u8 = 25;

/// The places of a side's checkers, the highest first; those it does not have are 0, as those that are off.
pub(super) type Places = [u8; MOST_CHECKERS];

/// All sides of one, two or three checkers.
#[derive(Clone, Debug)]
pub struct Sides {
    checkers: usize,
    /// Places by number.
    places: Vec<Places>,
    /// Number by the combinatorial number.
    numbers: Vec<u16>,
    /// First number with so many pips; the last entry is how many sides there are.
    starts: Vec<u16>,
}

impl Sides {
    /// The sides of so many checkers; `None` unless they are 1 to [`MOST_CHECKERS`].
    pub fn new(checkers: usize) -> Option<Sides> {
        if !(1..=MOST_CHECKERS).contains(&checkers) {
            return None;
        }
        let mut all: Vec<Places> = Vec::new();
        for first in 0..=BAR {
            for second in 0..=first {
                for third in 0..=second {
                    let places = [first, second, third];
                    if places[checkers..].iter().all(|&place| place == 0) {
                        all.push(places);
                    }
                }
            }
        }
        all.sort_by_key(|places| (pips(places), combinatorial(places, checkers)));
        let mut numbers = vec![0; all.len()];
        let mut starts = vec![0; usize::from(BAR) * checkers + 2];
        for (number, places) in all.iter().enumerate() {
            numbers[combinatorial(places, checkers)] = number as u16;
            starts[pips(places) + 1] = number as u16 + 1;
        }
        for i in 1..starts.len() {
            starts[i] = starts[i].max(starts[i - 1]);
        }
        Some(Sides { checkers, places: all, numbers, starts })
    }

    /// Checkers a side.
    pub fn checkers(&self) -> usize {
        self.checkers
    }

    /// How many sides there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Never true: everything off is a side.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Most pips of a side.
    pub(super) fn most_pips(&self) -> usize {
        usize::from(BAR) * self.checkers
    }

    /// Pips of a side.
    pub(super) fn pips(&self, side: usize) -> usize {
        pips(&self.places[side])
    }

    /// Where a side's checkers are.
    pub(super) fn places(&self, side: usize) -> &Places {
        &self.places[side]
    }

    /// The number of checkers in these places, the highest first.
    pub(super) fn number(&self, places: &Places) -> usize {
        usize::from(self.numbers[combinatorial(places, self.checkers)])
    }

    /// The sides with so many pips; none beyond the most.
    pub(super) fn with_pips(&self, pips: usize) -> Range<usize> {
        match self.starts.get(pips..pips + 2) {
            Some(&[start, end]) => usize::from(start)..usize::from(end),
            _ => 0..0,
        }
    }

    /// Checkers off.
    pub(super) fn off(&self, side: usize) -> usize {
        self.places[side][..self.checkers].iter().filter(|&&place| place == 0).count()
    }

    /// The numbers of both sides of a position, checkers that are missing being off; `None` if one has too many.
    #[inline]
    pub fn of(&self, position: &Position) -> Option<(usize, usize)> {
        let places = position.places();
        let roller = gather(places.iter().rev().copied(), self.checkers)?;
        let opponent = gather(places.iter().map(|&n| -n), self.checkers)?;
        Some((self.number(&roller), self.number(&opponent)))
    }
}

/// The places of the checkers counted by positive numbers, given from the bar down to the other side's bar.
#[inline]
fn gather(counts: impl Iterator<Item = i8>, checkers: usize) -> Option<Places> {
    let (mut found, mut next) = ([0; MOST_CHECKERS], 0);
    for (down, n) in counts.enumerate() {
        for _ in 0..n.max(0) {
            if next == checkers {
                return None;
            }
            found[next] = BAR - down as u8;
            next += 1;
        }
    }
    Some(found)
}

fn pips(places: &Places) -> usize {
    places.iter().map(|&place| usize::from(place)).sum()
}

/// The number of checkers in the combinatorial number system.
#[inline]
fn combinatorial(places: &Places, checkers: usize) -> usize {
    let [one, two, three] = places.map(usize::from);
    match checkers {
        1 => one,
        2 => one * (one + 1) / 2 + two,
        _ => one * (one + 1) * (one + 2) / 6 + two * (two + 1) / 2 + three,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    #[test]
    fn every_side_has_one_number_and_fewer_pips_have_lower_ones() {
        for (checkers, len) in [(1, 26), (2, 351), (3, 3276)] {
            let sides = Sides::new(checkers).unwrap();
            assert_eq!(sides.len(), len);
            for side in 0..len {
                assert_eq!(sides.number(sides.places(side)), side);
                assert!(side == 0 || sides.pips(side - 1) <= sides.pips(side));
                assert!(sides.with_pips(sides.pips(side)).contains(&side));
            }
            assert_eq!((sides.pips(len - 1), sides.off(0)), (sides.most_pips(), checkers));
            assert_eq!(sides.with_pips(sides.most_pips() + 1), 0..0);
            let all: usize = (0..=sides.most_pips()).map(|pips| sides.with_pips(pips).len()).sum();
            assert_eq!(all, len);
        }
        assert!(Sides::new(0).is_none() && Sides::new(4).is_none());
    }

    #[test]
    fn a_position_is_two_sides() {
        let sides = Sides::new(3).unwrap();
        let checkers = position(&[(25, 1), (6, 2)], &[(24, 1), (3, 1)]);
        let expected = (sides.number(&[25, 6, 6]), sides.number(&[24, 3, 0]));
        assert_eq!(sides.of(&checkers), Some(expected));
        assert_eq!(sides.of(&checkers.flip()), Some((expected.1, expected.0)));
        assert_eq!(sides.of(&position(&[(6, 4)], &[(1, 1)])), None);
        assert_eq!(sides.of(&position(&[(6, 1)], &[(1, 4)])), None);
        assert_eq!(Sides::new(2).unwrap().of(&checkers), None);
    }
}
