//! The sets of features a net can be made for, and what all of them share.
//!
//! A set turns a position into a short list of active rows, a bucket (which second layer to use) and what
//! can still happen. Sets are frozen once a net of theirs is published; a new idea is a new set.

use super::features::{self, Core};
use super::full::{self, Full};
use super::game::Game;
use super::masks::Masks;
use super::plan::{self, Plan};
use super::{family, family_rows};
use crate::parallel::{Cancelled, Watch, run_blocks};
use crate::position::Position;

/// No position has more active rows, in any set.
pub const MAX_ACTIVE: usize = 64;

/// Positions a thread takes at a time.
const BLOCK: usize = 4096;

/// Room for the active rows of a position.
pub type ActiveRows = [u16; MAX_ACTIVE];

/// A set of features. Its number stands in every net file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSet {
    /// Checkers, pips, shots, primes: 1,318 rows, some 20 active.
    Core,
    /// These and what a position is made of: patterns, danger, containment: 3,166 rows, some 44 active.
    Full,
    /// Set 2, its checkers' rows told apart by the kind of position: 7,222 rows, some 44 active.
    Plan,
    /// Another game of the family: 868 rows, some 30 active. Each game is a set of its own, with its own number.
    Family(Game),
}

impl FeatureSet {
    /// The sets of the standard game.
    pub const ALL: [FeatureSet; 3] = [FeatureSet::Core, FeatureSet::Full, FeatureSet::Plan];

    /// The set with this number.
    pub fn from_id(id: u32) -> Option<FeatureSet> {
        let family = || Game::from_id(id).map(FeatureSet::Family);
        FeatureSet::ALL.into_iter().find(|set| set.id() == id).or_else(family)
    }

    /// The set's number in net files.
    pub const fn id(self) -> u32 {
        match self {
            FeatureSet::Core => 1,
            FeatureSet::Full => 2,
            FeatureSet::Plan => 3,
            FeatureSet::Family(game) => game.id(),
        }
    }

    /// The game that the set is for; `None` is the standard one.
    pub const fn game(self) -> Option<Game> {
        match self {
            FeatureSet::Family(game) => Some(game),
            _ => None,
        }
    }

    /// The set of the standard game with this name.
    pub fn from_name(name: &str) -> Option<FeatureSet> {
        FeatureSet::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The set's name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureSet::Core => "core",
            FeatureSet::Full => "full",
            FeatureSet::Plan => "plan",
            FeatureSet::Family(_) => "family",
        }
    }

    /// Rows of the first layer.
    pub const fn rows(self) -> usize {
        match self {
            FeatureSet::Core => features::ROWS,
            FeatureSet::Full => full::ROWS,
            FeatureSet::Plan => plan::ROWS,
            FeatureSet::Family(_) => family_rows::ROWS,
        }
    }

    /// Kinds of position with an output layer of their own.
    pub const fn buckets(self) -> usize {
        match self {
            FeatureSet::Core => features::BUCKETS,
            FeatureSet::Full | FeatureSet::Plan => full::BUCKETS,
            FeatureSet::Family(_) => family::BUCKETS,
        }
    }

    /// The active rows of an unfinished position into `rows`; returns how many there are.
    pub fn active_rows(self, position: &Position, rows: &mut ActiveRows) -> usize {
        self.extract(position, rows).len
    }

    /// The active rows of many unfinished positions one after another, and where each one's begin: one
    /// number more than positions, the last the end.
    ///
    /// # Errors
    /// If the watcher broke.
    pub fn active_rows_of_many(
        self,
        positions: &[Position],
        threads: usize,
        watch: &mut Watch<'_>,
    ) -> Result<(Vec<u16>, Vec<usize>), Cancelled> {
        let blocks = positions.len().div_ceil(BLOCK);
        let work = |(): &mut (), block: usize| {
            let positions = &positions[block * BLOCK..((block + 1) * BLOCK).min(positions.len())];
            let (mut all, mut counts) = (Vec::new(), Vec::with_capacity(positions.len()));
            for position in positions {
                let mut rows = [0; MAX_ACTIVE];
                let count = self.active_rows(position, &mut rows);
                all.extend_from_slice(&rows[..count]);
                counts.push(count);
            }
            (all, counts)
        };
        let blocks = run_blocks(threads, blocks, watch, || (), work).complete()?;
        let mut rows = Vec::with_capacity(blocks.iter().map(|(rows, _)| rows.len()).sum());
        let mut starts = Vec::with_capacity(positions.len() + 1);
        starts.push(0);
        for (some, counts) in blocks {
            for count in counts {
                starts.push(starts[starts.len() - 1] + count);
            }
            rows.extend(some);
        }
        Ok((rows, starts))
    }

    pub(crate) fn extract(self, position: &Position, rows: &mut ActiveRows) -> Summary {
        match self {
            FeatureSet::Core => Core::extract(position, Masks::of(position), rows),
            FeatureSet::Full => Full::extract(position, Masks::of(position), rows),
            FeatureSet::Plan => Plan::extract(position, Masks::of(position), rows),
            FeatureSet::Family(game) => family::extract(game, position, rows),
        }
    }

    /// The groups of rows of which at most one is active.
    pub(crate) fn groups(self) -> Vec<Group> {
        let once = |(first, count)| Group { first, count, times: 1, apart: 0 };
        match self {
            FeatureSet::Core => features::groups().map(once).collect(),
            FeatureSet::Full => full::groups().map(once).collect(),
            FeatureSet::Plan => plan::groups().collect(),
            FeatureSet::Family(_) => family_rows::groups().map(once).collect(),
        }
    }
}

/// Rows of which at most one is active: `times` stretches of `count` rows, the first at `first`, `apart` rows from
/// one to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub first: usize,
    pub count: usize,
    pub times: usize,
    pub apart: usize,
}

impl Group {
    /// The rows.
    pub(crate) fn rows(self) -> impl Iterator<Item = usize> {
        (0..self.times).flat_map(move |i| {
            let first = self.first + i * self.apart;
            first..first + self.count
        })
    }
}

impl FeatureSet {
    /// The groups by name: several groups of one kind have one name.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let core = features::names();
        match self {
            FeatureSet::Core => core.collect(),
            FeatureSet::Full | FeatureSet::Plan => core.chain(full::NAMES).chain(full::NAMES).collect(),
            FeatureSet::Family(_) => family_rows::groups().map(|_| "family").collect(),
        }
    }
}

/// A set as a type, for loops compiled for it.
pub(crate) trait Encoder {
    /// Rows of the first layer.
    const ROWS: usize;

    /// Whether a position is that of a finished game, as far as it is the encoder's to say.
    #[inline(always)]
    fn is_over(masks: Masks) -> bool {
        masks.is_over()
    }

    /// The active rows of an unfinished position.
    fn extract(position: &Position, masks: Masks, rows: &mut ActiveRows) -> Summary;
}

/// What an evaluation needs besides the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Active rows written.
    pub len: usize,
    /// The second layer to use.
    pub bucket: usize,
    /// Whether the roller can still win a gammon, a backgammon, and the opponent likewise.
    pub possible: [bool; 4],
}

/// Rows being listed.
pub(super) struct Writer<'a> {
    rows: &'a mut ActiveRows,
    pub(super) len: usize,
}

impl Writer<'_> {
    #[inline(always)]
    pub(super) fn new(rows: &mut ActiveRows) -> Writer<'_> {
        Writer { rows, len: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, row: usize) {
        debug_assert!(self.len < MAX_ACTIVE);
        // No position has more rows than fit; the condition saves the check of bounds and its panic.
        if self.len < MAX_ACTIVE {
            self.rows[self.len] = row as u16;
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(super) fn push_if(&mut self, condition: bool, row: usize) {
        if condition {
            self.push(row);
        }
    }

    /// The row of a number from 1 to `most` (more count as that) in a group that begins at `first`; none of 0.
    #[inline(always)]
    pub(super) fn count(&mut self, first: usize, number: usize, most: usize) {
        if number > 0 {
            self.push(first + number.min(most) - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::unwatched;
    use crate::testing::scattered;

    #[test]
    fn rows_of_many_are_those_of_each() {
        let positions = scattered(BLOCK as u64 + 50);
        for threads in [1, 3] {
            let found = FeatureSet::Full.active_rows_of_many(&positions, threads, &mut unwatched);
            let (rows, starts) = found.unwrap();
            assert_eq!((starts.len(), starts[positions.len()]), (positions.len() + 1, rows.len()));
            for (position, ends) in positions.iter().zip(starts.windows(2)) {
                let mut alone = [0; MAX_ACTIVE];
                let count = FeatureSet::Full.active_rows(position, &mut alone);
                assert_eq!(rows[ends[0]..ends[1]], alone[..count]);
            }
        }
        let none = FeatureSet::Core.active_rows_of_many(&[], 1, &mut unwatched);
        assert_eq!(none, Ok((vec![], vec![0])));
    }

    #[test]
    fn rows_are_few_distinct_and_one_a_group() {
        for set in FeatureSet::ALL {
            let groups = set.groups();
            // Every row belongs to one group.
            let mut owner = vec![usize::MAX; set.rows()];
            let members: Vec<usize> = (0..groups.len()).collect();
            for (number, group) in groups.iter().enumerate() {
                for row in group.rows() {
                    assert_eq!(std::mem::replace(&mut owner[row], number), usize::MAX);
                }
            }
            assert!(!owner.contains(&usize::MAX));
            for position in scattered(3_000) {
                let mut rows = [0; MAX_ACTIVE];
                let summary = set.extract(&position, &mut rows);
                let rows = &rows[..summary.len];
                assert!(summary.bucket < set.buckets());
                assert!(rows.iter().all(|&row| usize::from(row) < set.rows()));
                for (group, &all) in groups.iter().zip(&members) {
                    let here = rows.iter().filter(|&&row| owner[usize::from(row)] == all);
                    assert!(here.count() <= 1, "{set:?} {position:?} {group:?}");
                }
            }
            assert_eq!(set.names().len(), groups.len());
            assert_eq!(FeatureSet::from_id(set.id()), Some(set));
            assert_eq!(FeatureSet::from_name(set.name()), Some(set));
        }
        assert_eq!(FeatureSet::from_id(4), None);
        assert_eq!(FeatureSet::from_name("best"), None);
    }
}
