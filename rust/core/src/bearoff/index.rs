//! Numbering of one side's checkers on its lowest points.
//!
//! A side is written as heights: `h[p]` is how many checkers stand on point `p` or higher, so that
//! `h[1] >= h[2] >= … >= h[points]`. The number of a side is a sum of one table entry a point,
//!
//! ```text
//! index = sum over p of binomial(h[p] + points - p, points + 1 - p)
//! ```
//!
//! which is the combinatorial number system (D. E. Knuth, "The Art of Computer Programming", volume
//! 4A, section 7.2.1.3) read from the point with the most checkers. It has three useful properties: the
//! number does not depend on how many checkers the table allows; sides are sorted by checkers left, so
//! those with all fifteen are one stretch at the end; and every move lowers some heights and raises
//! none, so a side's successors have smaller numbers, found by subtracting differences of one
//! running sum.

use crate::position::{Counts, Position};

/// Most points a table may cover.
pub const MAX_POINTS: usize = 12;

/// Most checkers a table may cover.
pub const MAX_CHECKERS: usize = 15;

/// Heights by point; entry 0 is unused, the entry past the last point is always 0.
pub(crate) type Heights = [u8; MAX_POINTS + 2];

/// The numbering for one size of table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    points: usize,
    checkers: usize,
    len: u32,
    /// `sum[p][h]`: what height `h` on point `p` adds to the index.
    sum: [[u32; 16]; MAX_POINTS + 1],
    /// `step[p][h]`: by how much the index falls when that height falls by one.
    step: [[u32; 16]; MAX_POINTS + 1],
}

impl Ranking {
    /// Numbering of up to `checkers` checkers on points 1 to `points`; `None` outside
    /// 1 to [`MAX_POINTS`] and 1 to [`MAX_CHECKERS`].
    pub fn new(points: usize, checkers: usize) -> Option<Ranking> {
        if !(1..=MAX_POINTS).contains(&points) || !(1..=MAX_CHECKERS).contains(&checkers) {
            return None;
        }
        let mut sum = [[0; 16]; MAX_POINTS + 1];
        let mut step = [[0; 16]; MAX_POINTS + 1];
        for p in 1..=points {
            for h in 0..16 {
                sum[p][h] = binomial((h + points - p) as u64, (points + 1 - p) as u64) as u32;
                step[p][h] = if h == 0 { 0 } else { sum[p][h] - sum[p][h - 1] };
            }
        }
        let len = binomial((points + checkers) as u64, points as u64) as u32;
        Some(Ranking { points, checkers, len, sum, step })
    }

    /// Points covered.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Most checkers covered.
    pub fn checkers(&self) -> usize {
        self.checkers
    }

    /// How many sides there are; they are numbered from 0, the side with everything off.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Never true: a table holds at least two sides.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// First number of a side with exactly `checkers` checkers.
    pub fn first_with(&self, checkers: usize) -> usize {
        if checkers > self.checkers { self.len() } else { self.sum[1][checkers] as usize }
    }

    /// The number of these checkers; `None` if there are too many or one stands beyond the last point.
    pub fn rank(&self, counts: &Counts) -> Option<u32> {
        if counts[self.points..].iter().any(|&n| n > 0) {
            return None;
        }
        let (mut height, mut index) = (0u32, 0u32);
        for p in (1..=self.points).rev() {
            height += u32::from(counts[p - 1]);
            if height as usize > self.checkers {
                return None;
            }
            index += self.sum[p][(height & 15) as usize];
        }
        Some(index)
    }

    /// The numbers of both sides of a position; `None` if one is outside.
    ///
    /// The same as [`Ranking::rank`] of each, in one go and without taking the sides apart.
    #[inline]
    pub fn ranks(&self, position: &Position) -> Option<(u32, u32)> {
        let places = position.places();
        let between = &places[self.points + 1..25 - self.points];
        let mut outside = places[0] | places[25] | between.iter().fold(0, |any, n| any | n);
        let (mut ours, mut theirs) = (0u32, 0u32);
        let (mut roller, mut opponent) = (0, 0);
        for p in (1..=self.points).rev() {
            let (mine, his) = (places[p], -places[25 - p]);
            // A checker of the other side on a low point shows as a negative number.
            outside |= (mine | his) & i8::MIN;
            ours = (ours + u32::from(mine as u8)) & 15;
            theirs = (theirs + u32::from(his as u8)) & 15;
            roller += self.sum[p][ours as usize];
            opponent += self.sum[p][theirs as usize];
        }
        // With no checker of the other side among them, heights of at most 15 have not wrapped.
        let most = ours.max(theirs) as usize;
        (outside == 0 && most <= self.checkers).then_some((roller, opponent))
    }

    /// The checkers numbered `index`; `None` if there are not so many.
    pub fn unrank(&self, index: u32) -> Option<Counts> {
        if index >= self.len {
            return None;
        }
        let heights = self.heights(index);
        let mut counts = [0; 25];
        for p in 1..=self.points {
            counts[p - 1] = heights[p] - heights[p + 1];
        }
        Some(counts)
    }

    /// Heights of the side numbered `index`, which must be below [`Ranking::len`].
    pub(crate) fn heights(&self, index: u32) -> Heights {
        debug_assert!(index < self.len);
        let mut heights = [0; MAX_POINTS + 2];
        let (mut rest, mut height) = (index, self.checkers);
        for (sum, entry) in self.sum[1..=self.points].iter().zip(&mut heights[1..]) {
            while sum[height] > rest {
                height -= 1;
            }
            rest -= sum[height];
            *entry = height as u8;
        }
        heights
    }

    /// Running sums of the index's fall: taking a checker from `p` to `q` (0 is off) leads to
    /// `index - (falls[p] - falls[q])`.
    pub(crate) fn falls(&self, heights: &Heights) -> [u32; MAX_POINTS + 1] {
        let mut falls = [0; MAX_POINTS + 1];
        for p in 1..=self.points {
            falls[p] = falls[p - 1] + self.step[p][heights[p] as usize];
        }
        falls
    }
}

/// Pips of a side: each checker on point `p` is counted by `p` heights.
pub(crate) fn pips(heights: &Heights) -> usize {
    heights.iter().map(|&h| h as usize).sum()
}

/// `n` over `k`, small enough not to overflow here.
fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (1..=k).fold(1, |product, i| product * (n - k + i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_side_and_back() {
        for (points, checkers) in [(1, 1), (6, 6), (6, 15), (3, 10), (8, 4)] {
            let ranking = Ranking::new(points, checkers).unwrap();
            let mut left_before = 0;
            for index in 0..ranking.len() as u32 {
                let counts = ranking.unrank(index).unwrap();
                assert_eq!(ranking.rank(&counts), Some(index));
                let left: u8 = counts.iter().sum();
                assert!(left >= left_before, "sorted by checkers left");
                left_before = left;
            }
            assert_eq!(ranking.unrank(ranking.len() as u32), None);
        }
    }

    #[test]
    fn sizes_are_the_known_ones() {
        for (points, checkers, len) in [
            (6, 6, 924),
            (6, 8, 3003),
            (6, 10, 8008),
            (6, 15, 54_264),
            (8, 15, 490_314),
            (10, 15, 3_268_760),
            (12, 15, 17_383_860),
        ] {
            assert_eq!(Ranking::new(points, checkers).unwrap().len(), len);
        }
        assert!(Ranking::new(0, 15).is_none() && Ranking::new(13, 15).is_none());
        assert!(Ranking::new(6, 0).is_none() && Ranking::new(6, 16).is_none());
    }

    #[test]
    fn numbers_do_not_depend_on_the_checkers_allowed() {
        let (small, large) = (Ranking::new(6, 6).unwrap(), Ranking::new(6, 15).unwrap());
        for index in 0..924 {
            assert_eq!(small.unrank(index), large.unrank(index));
        }
        assert_eq!(large.first_with(7), 924);
        assert_eq!(large.first_with(15), 54_264 - 15_504);
        assert_eq!(large.first_with(16), 54_264);
    }

    #[test]
    fn sides_outside_have_no_number() {
        let ranking = Ranking::new(6, 15).unwrap();
        let mut counts = [0; 25];
        counts[6] = 1;
        assert_eq!(ranking.rank(&counts), None);
        counts = [0; 25];
        counts[5] = 16;
        assert_eq!(ranking.rank(&counts), None);
        assert_eq!(ranking.rank(&[255; 25]), None);
    }

    #[test]
    fn a_move_is_a_difference_of_falls() {
        let ranking = Ranking::new(8, 5).unwrap();
        for index in 1..ranking.len() as u32 {
            let counts = ranking.unrank(index).unwrap();
            let heights = ranking.heights(index);
            let weighted: usize = (0..8).map(|i| (i + 1) * counts[i] as usize).sum();
            assert_eq!(pips(&heights), weighted);
            let falls = ranking.falls(&heights);
            for p in (1..=8).filter(|&p| counts[p - 1] > 0) {
                for q in 0..p {
                    let mut moved = counts;
                    moved[p - 1] -= 1;
                    if q > 0 {
                        moved[q - 1] += 1;
                    }
                    assert_eq!(ranking.rank(&moved), Some(index - (falls[p] - falls[q])));
                }
            }
        }
    }
}
