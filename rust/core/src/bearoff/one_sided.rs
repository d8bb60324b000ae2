//! One side on its own: how many rolls it needs, for every side on the lowest points.

use std::path::Path;

use super::BuildError;
use super::file::{Image, Kind, TableError, blank, body_mut};
use super::index::{MAX_CHECKERS, Ranking};
use super::solve::{Goal, Solved, solve};
use crate::parallel::{Watch, unwatched};
use crate::position::Counts;

/// Mean pips of a roll; a mean number of rolls times this is the effective pip count.
pub const PIPS_A_ROLL: f64 = 49.0 / 6.0;

/// Chances below this are not stored; the neighbour that is stored gets them.
const NEGLIGIBLE: f64 = 1e-10;

/// Bytes of one record: offset of the chances (u32), first number of rolls (u8), how many chances (u8),
/// two bytes unused, mean (f64).
const RECORD: usize = 16;

/// Distributions of the rolls needed to bear everything off and to bear the first checker off.
///
/// Two independent optimisations: play to have the fewest mean rolls until all checkers are off, and
/// play to have the fewest mean rolls until the first is. Means within 1e-12 count as equal; then the
/// smaller variance, then the smaller position number is played.
///
/// Solved in `f64`. Chances are stored as `f32` without ends below 1e-10, which are added to their
/// neighbours: a stored chance is off by at most 3.1e-8 (half a unit of an `f32` below 1, and the ends), a
/// mean is stored in full.
pub struct OneSided {
    ranking: Ranking,
    image: Image,
    /// Number of the first side with a first-off distribution.
    full_from: usize,
}

impl std::fmt::Debug for OneSided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OneSided({} points, {} checkers)", self.points(), self.checkers())
    }
}

/// A distribution of numbers of rolls.
#[derive(Clone, Copy, Debug)]
pub struct Rolls<'a> {
    first: usize,
    chances: &'a [[u8; 4]],
}

/// Mean, variance and skewness of a number of rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Mean number of rolls.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
    /// Its skewness: the third central moment over the variance to the power of 3/2.
    pub skewness: f64,
}

impl<'a> Rolls<'a> {
    /// No rolls at all, for certain.
    pub const NONE: Rolls<'static> = Rolls { first: 0, chances: &[1f32.to_le_bytes()] };

    /// A distribution from its parts, which must not be empty.
    pub(crate) fn new(first: usize, chances: &'a [[u8; 4]]) -> Rolls<'a> {
        debug_assert!(!chances.is_empty());
        Rolls { first, chances }
    }

    /// Fewest rolls that may do.
    pub fn first(self) -> usize {
        self.first
    }

    /// Most rolls that may be needed (but for a negligible chance).
    pub fn last(self) -> usize {
        self.first + self.chances.len() - 1
    }

    /// Chance that exactly `n` rolls are needed.
    pub fn chance(self, n: usize) -> f64 {
        n.checked_sub(self.first).and_then(|i| self.chances.get(i)).map_or(0.0, |&c| value(c))
    }

    /// Chances of `first()`, `first() + 1`, … rolls.
    pub fn chances(self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + 'a {
        self.chances.iter().map(|&c| value(c))
    }

    /// Mean, variance and skewness of the number of rolls.
    pub fn moments(self) -> Moments {
        let total: f64 = self.chances().sum();
        let about = |centre: f64, power: i32| {
            let terms = self.chances().zip(self.first..).map(|(p, n)| p * (n as f64 - centre).powi(power));
            terms.sum::<f64>() / total
        };
        let mean = about(0.0, 1);
        let variance = about(mean, 2);
        let skewness = if variance > 0.0 { about(mean, 3) / variance.powf(1.5) } else { 0.0 };
        Moments { mean, variance, skewness }
    }

    /// Mean squared distance from `mean`: the variance if that is the mean.
    pub fn variance_about(self, mean: f64) -> f64 {
        let square = |away: f64| away * away;
        self.chances().zip(self.first..).map(|(p, n)| p * square(n as f64 - mean)).sum()
    }

    /// Chance that these rolls are done before the other's, who starts `head_start` rolls ahead: the sum
    /// over n of P(these = n) P(the other's >= n + head_start).
    ///
    /// Exactly 1 or 0 where the distributions do not overlap.
    pub fn beats(self, other: Rolls<'_>, head_start: usize) -> f64 {
        if self.last() + head_start <= other.first {
            return 1.0;
        }
        if self.first + head_start > other.last() {
            return 0.0;
        }
        // The numbers of rolls (the other's count) where both matter, from the most down.
        let low = (self.first + head_start).max(other.first + 1);
        let high = (self.last() + head_start).min(other.last());
        let sum = |chances: &[[u8; 4]]| chances.iter().map(|&c| value(c)).sum::<f64>();
        let mut tail = sum(&other.chances[high + 1 - other.first..]);
        let mut total = 0.0;
        let ours = &self.chances[low - head_start - self.first..=high - head_start - self.first];
        let theirs = &other.chances[low - other.first..=high - other.first];
        for (&chance, &more) in ours.iter().zip(theirs).rev() {
            tail += value(more);
            total += value(chance) * tail;
        }
        // Done before the other can be.
        total += sum(&self.chances[..low - head_start - self.first]);
        total.min(1.0)
    }
}

fn value(bytes: [u8; 4]) -> f64 {
    f64::from(f32::from_le_bytes(bytes))
}

impl OneSided {
    /// Solves all sides of up to `checkers` checkers on points 1 to `points`.
    ///
    /// The same on any number of threads. The watcher is told how many of [`OneSided::work`] steps are
    /// done.
    ///
    /// # Errors
    /// If the size is not covered (1 to 12 points, 1 to 15 checkers) or the watcher stops it.
    pub fn build(
        points: usize,
        checkers: usize,
        threads: usize,
        watch: &mut Watch<'_>,
    ) -> Result<OneSided, BuildError> {
        let ranking = Ranking::new(points, checkers).ok_or(BuildError::Size { points, checkers })?;
        let full_from = full_from(&ranking);
        let records = 2 * ranking.len() - full_from;
        let mut store = Store { bytes: blank(records * RECORD), chances: 0 };
        solve(&ranking, Goal::AllOff, threads, watch, &mut |solved| {
            store.put(solved.index as usize, &solved);
        })?;
        if full_from < ranking.len() {
            let before = ranking.len();
            let mut watch = |done| watch(before + done);
            solve(&ranking, Goal::FirstOff, threads, &mut watch, &mut |solved| {
                if solved.index > 0 {
                    store.put(ranking.len() + solved.index as usize - full_from, &solved);
                }
            })?;
        }
        let params = [points as u32, checkers as u32, store.chances, 0, 0, 0, 0, 0];
        let image = Image::new(Kind::OneSided, params, store.bytes);
        Ok(OneSided { ranking, image, full_from })
    }

    /// Rolls that checkers on points 1 to 6 need to get past point 1, with no rules of bearing off: what a
    /// side needs to leave the other's home board. There is no first-off part.
    pub(crate) fn leaving() -> OneSided {
        let ranking = Ranking::new(6, MAX_CHECKERS).expect("a size there is");
        let full_from = ranking.len();
        let mut store = Store { bytes: blank(ranking.len() * RECORD), chances: 0 };
        let sink = &mut |solved: Solved<'_>| store.put(solved.index as usize, &solved);
        solve(&ranking, Goal::Leave, 1, &mut unwatched, sink).expect("nobody stops it");
        let params = [6, MAX_CHECKERS as u32, store.chances, 0, 0, 0, 0, 0];
        OneSided { ranking, image: Image::new(Kind::OneSided, params, store.bytes), full_from }
    }

    /// Steps that [`OneSided::build`] reports progress in.
    pub fn work(points: usize, checkers: usize) -> Option<usize> {
        let ranking = Ranking::new(points, checkers)?;
        Some(2 * ranking.len() - full_from(&ranking))
    }

    /// Maps a table written by [`OneSided::save`].
    ///
    /// # Errors
    /// If it cannot be read, or is not exactly such a table.
    pub fn open(path: &Path) -> Result<OneSided, TableError> {
        OneSided::from_image(Image::open(path, Kind::OneSided)?)
    }

    /// Writes the table under a temporary name in the same folder and renames it.
    ///
    /// # Errors
    /// If the system refuses; `path` is then as before.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        self.image.save(path)
    }

    fn from_image(image: Image) -> Result<OneSided, TableError> {
        let [points, checkers, chances, ..] = image.params.map(|param| param as usize);
        let ranking = Ranking::new(points, checkers).ok_or(TableError::Malformed("no such size"))?;
        let full_from = full_from(&ranking);
        let records = 2 * ranking.len() - full_from;
        if image.body().len() != records * RECORD + chances * 4 {
            return Err(TableError::Malformed("its size does not fit its parameters"));
        }
        let table = OneSided { ranking, image, full_from };
        if (0..records).all(|record| table.checked_record(record, chances)) {
            Ok(table)
        } else {
            Err(TableError::Malformed("a distribution lies outside the table"))
        }
    }

    /// Whether a record points into the table; after this, look-ups cannot fail.
    fn checked_record(&self, record: usize, chances: usize) -> bool {
        let (offset, first, len, mean) = self.record(record);
        len > 0 && offset + len <= chances && first + len <= 255 && mean.is_finite()
    }

    /// Points covered.
    pub fn points(&self) -> usize {
        self.ranking.points()
    }

    /// Most checkers covered.
    pub fn checkers(&self) -> usize {
        self.ranking.checkers()
    }

    /// How sides are numbered.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Bytes of the table, in memory or on disk.
    pub fn size(&self) -> usize {
        self.image.body().len() + 64
    }

    /// Mean rolls to bear everything off.
    ///
    /// # Panics
    /// Like the others below, if `index` is not a number of [`OneSided::ranking`].
    pub fn mean(&self, index: u32) -> f64 {
        assert!((index as usize) < self.ranking.len());
        self.record(index as usize).3
    }

    /// Rolls to bear everything off.
    pub fn rolls(&self, index: u32) -> Rolls<'_> {
        assert!((index as usize) < self.ranking.len());
        self.distribution(index as usize)
    }

    /// Mean rolls until the first checker is off: 0 if one is off already.
    pub fn mean_first_off(&self, index: u32) -> f64 {
        self.full(index).map_or(0.0, |record| self.record(record).3)
    }

    /// Rolls until the first checker is off: none if one is off already.
    pub fn first_off(&self, index: u32) -> Rolls<'_> {
        self.full(index).map_or(Rolls::NONE, |record| self.distribution(record))
    }

    /// Effective pip count: mean rolls times 49/6.
    pub fn epc(&self, index: u32) -> f64 {
        self.mean(index) * PIPS_A_ROLL
    }

    /// Number of these checkers if the table covers them.
    pub fn find(&self, counts: &Counts) -> Option<u32> {
        self.ranking.rank(counts)
    }

    fn full(&self, index: u32) -> Option<usize> {
        let index = index as usize;
        assert!(index < self.ranking.len());
        (index >= self.full_from).then(|| self.ranking.len() + index - self.full_from)
    }

    /// Offset, first number of rolls, number of chances and mean.
    #[inline]
    fn record(&self, record: usize) -> (usize, usize, usize, f64) {
        let bytes: &[u8; RECORD] =
            self.image.body()[record * RECORD..].first_chunk().expect("checked when opened");
        let [a, b, c, d, first, len, _, _, mean @ ..] = *bytes;
        (u32::from_le_bytes([a, b, c, d]) as usize, first as usize, len as usize, f64::from_le_bytes(mean))
    }

    #[inline]
    fn distribution(&self, record: usize) -> Rolls<'_> {
        let records = 2 * self.ranking.len() - self.full_from;
        let (offset, first, len, _) = self.record(record);
        let start = records * RECORD + offset * 4;
        Rolls::new(first, self.image.body()[start..start + len * 4].as_chunks().0)
    }
}

/// First number of a side with all fifteen checkers: only such a side can still lose a gammon.
fn full_from(ranking: &Ranking) -> usize {
    ranking.first_with(MAX_CHECKERS)
}

/// The table being written: header, records, then chances in the order they come.
struct Store {
    bytes: Vec<u8>,
    chances: u32,
}

impl Store {
    fn put(&mut self, record: usize, solved: &Solved<'_>) {
        let (skipped, kept) = trim(solved.chances);
        let bytes = &mut body_mut(&mut self.bytes)[record * RECORD..][..RECORD];
        bytes[..4].copy_from_slice(&self.chances.to_le_bytes());
        bytes[4] = (solved.first + skipped) as u8;
        bytes[5] = kept.len() as u8;
        bytes[8..].copy_from_slice(&solved.mean.to_le_bytes());
        let below: f64 = solved.chances[..skipped].iter().sum();
        let above: f64 = solved.chances[skipped + kept.len()..].iter().sum();
        for (i, &chance) in kept.iter().enumerate() {
            let mut chance = chance;
            if i == 0 {
                chance += below;
            }
            if i == kept.len() - 1 {
                chance += above;
            }
            self.bytes.extend_from_slice(&(chance as f32).to_le_bytes());
        }
        self.chances += kept.len() as u32;
    }
}

/// How many leading chances are negligible, and the chances between the negligible ends.
fn trim(chances: &[f64]) -> (usize, &[f64]) {
    let small = |&&chance: &&f64| chance < NEGLIGIBLE;
    let skipped = chances.iter().take_while(small).count();
    let dropped = chances[skipped..].iter().rev().take_while(small).count();
    (skipped, &chances[skipped..chances.len() - dropped])
}

#[cfg(test)]
#[path = "one_sided_tests.rs"]
mod tests;
