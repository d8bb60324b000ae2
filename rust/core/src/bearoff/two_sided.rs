//! Both sides at once: money equities with and without the cube, for every pair of short sides.
//!
//! With few checkers a side no gammon is possible, so a pair of sides and the owner of the cube say
//! everything. All four equities are solved together, from small sides to large:
//!
//! ```text
//! for side j, smallest first
//!     row j:     V[j][s] for every side s >= j: reads only V[s][t] with t < j, finished columns
//!     column j:  V[i][j] for every side i >  j: reads only V[j][t], the row just finished
//! ```
//!
//! Rows of finished columns are read as long streams, columns gather from one row that fits the
//! first-level cache, and one list of the results of each roll serves every opponent.

use std::path::Path;

use super::BuildError;
use super::file::{Image, Kind, TableError, blank, body_mut};
use super::index::Ranking;
use super::solve::{Goal, moves};
use crate::dice::Roll;
use crate::parallel::{Cancelled, Lookout, Watch, run_blocks};
use crate::position::Counts;

/// Most sides a table may pair: 6 points with 10 checkers are 8008.
const MAX_SIDES: usize = 10_000;

/// Most checkers a side: with fewer than fifteen left no gammon is possible.
const MAX_CHECKERS: usize = 14;

/// Money equities of the player on roll, in units of the cube as it stands.
///
/// "No double" is the value if the player on roll does not double *this turn* (both sides handle the
/// cube perfectly afterwards); "best" is the value before that decision. No beavers, no limit to the
/// cube, no gammons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equities {
    /// Without a cube: 2 P(win) - 1.
    pub cubeless: f64,
    /// Cube in the middle, not doubling this turn.
    pub centred_no_double: f64,
    /// Cube owned by the player on roll, not doubling this turn.
    pub owned_no_double: f64,
    /// Cube owned by the opponent (nothing to decide now).
    pub opponent_owned: f64,
}

impl Equities {
    /// Chance to win.
    pub fn win(&self) -> f64 {
        (1.0 + self.cubeless) / 2.0
    }

    /// Doubling now and being taken: the opponent owns the cube at twice the stake.
    pub fn double_take(&self) -> f64 {
        2.0 * self.opponent_owned
    }

    /// Cube in the middle, with the best decision this turn.
    pub fn centred_best(&self) -> f64 {
        decide(self.centred_no_double, self.opponent_owned)
    }

    /// Cube owned by the player on roll, with the best decision this turn.
    pub fn owned_best(&self) -> f64 {
        decide(self.owned_no_double, self.opponent_owned)
    }

    /// Whether doubling now is at least as good as waiting, given the value of waiting.
    pub fn should_double(&self, no_double: f64) -> bool {
        self.double_take().min(1.0) >= no_double
    }

    /// Whether the opponent should take a double.
    pub fn should_take(&self) -> bool {
        self.double_take() <= 1.0
    }

    const fn all(equity: f64) -> Equities {
        Equities {
            cubeless: equity,
            centred_no_double: equity,
            owned_no_double: equity,
            opponent_owned: equity,
        }
    }

    fn to_array(self) -> [f64; 4] {
        [self.cubeless, self.centred_no_double, self.owned_no_double, self.opponent_owned]
    }
}

/// The better of waiting and of doubling, which the opponent answers with a take or a pass.
pub(crate) fn decide(no_double: f64, opponent_owned: f64) -> f64 {
    no_double.max((2.0 * opponent_owned).min(1.0))
}

/// How equities are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// 16-bit steps of 2/65535: off by at most 1.53e-5, the "best" values by at most 3.06e-5.
    #[default]
    Bits16 = 2,
    /// `f32`: off by at most 3e-8, the "best" values by at most 6e-8.
    F32 = 4,
}

/// Exact equities for every pair of sides with few checkers.
pub struct TwoSided {
    ranking: Ranking,
    image: Image,
    storage: Storage,
}

impl std::fmt::Debug for TwoSided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TwoSided({} points, {} checkers)", self.points(), self.checkers())
    }
}

/// The numbering if such a table exists.
fn size(points: usize, checkers: usize) -> Option<Ranking> {
    Ranking::new(points, checkers).filter(|ranking| ranking.len() <= MAX_SIDES && checkers <= MAX_CHECKERS)
}

impl TwoSided {
    /// Solves all pairs of sides of up to `checkers` checkers on points 1 to `points`.
    ///
    /// Takes 64 bytes a pair while it works. The same on any number of threads. The watcher is told how
    /// many of [`TwoSided::work`] steps are done.
    ///
    /// # Errors
    /// If the table would be larger than 10,000 sides, or the watcher stops it.
    pub fn build(
        points: usize,
        checkers: usize,
        storage: Storage,
        threads: usize,
        watch: &mut Watch<'_>,
    ) -> Result<TwoSided, BuildError> {
        let ranking = size(points, checkers).ok_or(BuildError::Size { points, checkers })?;
        let sides = ranking.len();
        let mut bytes = blank(sides * sides * 4 * storage as usize);
        let body = body_mut(&mut bytes);
        solve(&ranking, threads, watch, &mut |roller, opponent, equities| {
            let cell = (roller * sides + opponent) * 4 * storage as usize;
            for (i, equity) in equities.to_array().into_iter().enumerate() {
                match storage {
                    Storage::Bits16 => {
                        body[cell + 2 * i..][..2].copy_from_slice(&to_bits(equity).to_le_bytes())
                    }
                    Storage::F32 => body[cell + 4 * i..][..4].copy_from_slice(&(equity as f32).to_le_bytes()),
                }
            }
        })?;
        let params = [points as u32, checkers as u32, storage as u32, 0, 0, 0, 0, 0];
        Ok(TwoSided { ranking, image: Image::new(Kind::TwoSided, params, bytes), storage })
    }

    /// Steps that [`TwoSided::build`] reports progress in.
    pub fn work(points: usize, checkers: usize) -> Option<usize> {
        size(points, checkers).map(|ranking| ranking.len() * ranking.len())
    }

    /// Maps a table written by [`TwoSided::save`].
    ///
    /// # Errors
    /// If it cannot be read, or is not exactly such a table.
    pub fn open(path: &Path) -> Result<TwoSided, TableError> {
        TwoSided::from_image(Image::open(path, Kind::TwoSided)?)
    }

    fn from_image(image: Image) -> Result<TwoSided, TableError> {
        let [points, checkers, storage, ..] = image.params;
        let ranking =
            size(points as usize, checkers as usize).ok_or(TableError::Malformed("no such size"))?;
        let storage = match storage {
            2 => Storage::Bits16,
            4 => Storage::F32,
            _ => return Err(TableError::Malformed("no such storage")),
        };
        if image.body().len() != ranking.len() * ranking.len() * 4 * storage as usize {
            return Err(TableError::Malformed("its size does not fit its parameters"));
        }
        Ok(TwoSided { ranking, image, storage })
    }

    /// Writes the table under a temporary name in the same folder and renames it.
    ///
    /// # Errors
    /// If the system refuses; `path` is then as before.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        self.image.save(path)
    }

    /// Points covered.
    pub fn points(&self) -> usize {
        self.ranking.points()
    }

    /// Most checkers a side covered.
    pub fn checkers(&self) -> usize {
        self.ranking.checkers()
    }

    /// How equities are stored.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// How sides are numbered.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Bytes of the table, in memory or on disk.
    pub fn size(&self) -> usize {
        self.image.body().len() + 64
    }

    /// Equities of the side numbered `roller` on roll against the side numbered `opponent`.
    ///
    /// A side with everything off has won; two such sides are no position, and have no meaning here.
    ///
    /// # Panics
    /// If a number is not one of [`TwoSided::ranking`].
    #[inline]
    pub fn equities(&self, roller: u32, opponent: u32) -> Equities {
        let sides = self.ranking.len() as u32;
        assert!(roller < sides && opponent < sides);
        self.at(roller * sides + opponent)
    }

    /// Equities in a cell: [`MAX_SIDES`] squared is less than 2^32.
    #[inline]
    pub(super) fn at(&self, cell: u32) -> Equities {
        let size = 4 * self.storage as usize;
        let bytes = &self.image.body()[cell as usize * size..][..size];
        let [cubeless, centred_no_double, owned_no_double, opponent_owned] = match self.storage {
            Storage::Bits16 => {
                let (values, _) = bytes.as_chunks::<2>();
                std::array::from_fn(|i| from_bits(u16::from_le_bytes(values[i])))
            }
            Storage::F32 => {
                let (values, _) = bytes.as_chunks::<4>();
                std::array::from_fn(|i| f64::from(f32::from_le_bytes(values[i])))
            }
        };
        Equities { cubeless, centred_no_double, owned_no_double, opponent_owned }
    }

    /// Equities of these sides if the table covers both.
    pub fn find(&self, roller: &Counts, opponent: &Counts) -> Option<Equities> {
        Some(self.equities(self.ranking.rank(roller)?, self.ranking.rank(opponent)?))
    }
}

fn to_bits(equity: f64) -> u16 {
    ((equity + 1.0) * 32767.5).round() as u16
}

fn from_bits(bits: u16) -> f64 {
    f64::from(bits) / 32767.5 - 1.0
}

/// The four numbers the player who has just moved looks at: cubeless; and with best decisions, cube
/// centred, owned by the one on roll, owned by the other.
type Four = [f64; 4];

/// A pair just solved, with the numbers kept for later.
struct Cell {
    kept: Four,
    equities: Equities,
}

impl Cell {
    /// From the mean over rolls of the least of the opponent's numbers, `sum`.
    fn new(sum: Four) -> Cell {
        // What the opponent owns before his roll, he owns after ours: owners change places.
        let [cubeless, centred_no_double, opponent_owned, owned_no_double] = sum.map(|sum| -sum / 36.0);
        Cell {
            kept: [
                cubeless,
                decide(centred_no_double, opponent_owned),
                decide(owned_no_double, opponent_owned),
                opponent_owned,
            ],
            equities: Equities { cubeless, centred_no_double, owned_no_double, opponent_owned },
        }
    }
}

/// Pairs a block.
const BLOCK: usize = 128;

/// Below this many pairs, a tenth of a millisecond, a stage is not worth a second thread.
const PARALLEL_FROM: usize = 8 * BLOCK;

/// What is known while solving. Both parts are triangles: row `j` starts at its own diagonal.
struct Solver {
    sides: usize,
    /// `rows[j][s]` is side `j` on roll against side `s >= j`.
    rows: Vec<Four>,
    /// `columns[j][i]` is side `i > j` on roll against side `j`.
    columns: Vec<Four>,
    results: Results,
}

/// Solves all pairs and hands each to `sink(roller, opponent, equities)`.
fn solve(
    ranking: &Ranking,
    threads: usize,
    watch: &mut Watch<'_>,
    sink: &mut dyn FnMut(usize, usize, Equities),
) -> Result<(), Cancelled> {
    let sides = ranking.len();
    let cells = sides * (sides + 1) / 2;
    let mut solver = Solver {
        sides,
        rows: vec![[1.0; 4]; cells],
        columns: vec![[-1.0; 4]; cells],
        results: Results::of(ranking),
    };
    for s in 0..sides {
        // Whoever has nothing left has won.
        sink(s, 0, Equities::all(-1.0));
        sink(0, s, Equities::all(1.0));
    }
    let mut lookout = Lookout::new(watch);
    for j in 1..sides {
        let row = solver.stage(threads, sides - j, |from, to| solver.solve_row(j, j + from, j + to));
        for (s, cell) in (j..).zip(row) {
            let at = solver.at(j, s);
            solver.rows[at] = cell.kept;
            sink(j, s, cell.equities);
        }
        let row = solver.full_row(j);
        let after = j + 1;
        let column = solver
            .stage(threads, sides - after, |from, to| solver.solve_column(&row, after + from, after + to));
        for (i, cell) in (after..).zip(column) {
            let at = solver.at(j, i);
            solver.columns[at] = cell.kept;
            sink(i, j, cell.equities);
        }
        let left = sides - after;
        lookout.look(sides * sides - left * left)?;
    }
    Ok(())
}

impl Solver {
    /// Place of a pair in its triangle.
    fn at(&self, j: usize, s: usize) -> usize {
        j * self.sides - j * (j + 1) / 2 + s
    }

    /// Solves `len` pairs in blocks. A stage takes milliseconds, so the watcher is asked between them.
    fn stage(
        &self,
        threads: usize,
        len: usize,
        work: impl Fn(usize, usize) -> Vec<Cell> + Sync,
    ) -> Vec<Cell> {
        let threads = if len < PARALLEL_FROM { 1 } else { threads };
        let blocks = run_blocks(
            threads,
            len.div_ceil(BLOCK),
            &mut crate::parallel::unwatched,
            || (),
            |(), block| work(block * BLOCK, len.min((block + 1) * BLOCK)),
        );
        blocks.results.into_iter().flatten().collect()
    }

    /// Side `j` on roll against each side of a stretch, all at once along the stretch.
    fn solve_row(&self, j: usize, from: usize, to: usize) -> Vec<Cell> {
        let mut sums = vec![[0.0; 4]; to - from];
        let mut least = vec![[0.0; 4]; to - from];
        for (roll, results) in Roll::ALL.iter().zip(self.results.rolls(j)) {
            for (n, &t) in results.iter().enumerate() {
                let start = self.at(t as usize, from);
                let theirs = &self.columns[start..start + (to - from)];
                if n == 0 {
                    least.copy_from_slice(theirs);
                    continue;
                }
                for (least, theirs) in least.as_flattened_mut().iter_mut().zip(theirs.as_flattened()) {
                    *least = lesser(*least, *theirs);
                }
            }
            let weight = f64::from(roll.weight());
            for (sum, least) in sums.as_flattened_mut().iter_mut().zip(least.as_flattened()) {
                *sum += weight * least;
            }
        }
        sums.into_iter().map(Cell::new).collect()
    }

    /// Side `j` on roll against every side, smaller ones included.
    fn full_row(&self, j: usize) -> Vec<Four> {
        let mut row: Vec<Four> = (0..j).map(|t| self.columns[self.at(t, j)]).collect();
        let start = self.at(j, j);
        row.extend_from_slice(&self.rows[start..start + self.sides - j]);
        row
    }

    /// Each side of a stretch on roll against the side whose row is given.
    fn solve_column(&self, row: &[Four], from: usize, to: usize) -> Vec<Cell> {
        let solve = |i: usize| {
            let mut sums = [0.0; 4];
            for (roll, results) in Roll::ALL.iter().zip(self.results.rolls(i)) {
                let mut least = [f64::INFINITY; 4];
                for &t in results {
                    let theirs = &row[t as usize];
                    for (least, theirs) in least.iter_mut().zip(theirs) {
                        *least = lesser(*least, *theirs);
                    }
                }
                let weight = f64::from(roll.weight());
                for (sum, least) in sums.iter_mut().zip(least) {
                    *sum += weight * least;
                }
            }
            Cell::new(sums)
        };
        (from..to).map(solve).collect()
    }
}

/// The smaller of two numbers that are not NaN; compiles to one instruction.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The distinct results of each roll, for every side.
struct Results {
    /// Where the results of roll `r` of side `i` end, at `21 i + r + 1`.
    ends: Vec<u32>,
    sides: Vec<u32>,
}

impl Results {
    fn of(ranking: &Ranking) -> Results {
        let mut all = Results { ends: vec![0], sides: Vec::new() };
        let mut found = Vec::new();
        for side in 0..ranking.len() as u32 {
            for roll in Roll::ALL {
                let (high, low) = (roll.high() as usize - 1, roll.low() as usize - 1);
                found.clear();
                if roll.is_double() {
                    play(ranking, side, &[high; 4], &mut found);
                } else {
                    play(ranking, side, &[high, low], &mut found);
                    play(ranking, side, &[low, high], &mut found);
                }
                found.sort_unstable();
                found.dedup();
                all.sides.extend_from_slice(&found);
                all.ends.push(all.sides.len() as u32);
            }
        }
        all
    }

    fn rolls(&self, side: usize) -> impl Iterator<Item = &[u32]> {
        let ends = &self.ends[21 * side..];
        (0..21).map(|roll| &self.sides[ends[roll] as usize..ends[roll + 1] as usize])
    }
}

/// Adds every side that playing `dice` in order leads to; a side that is done needs no more dice.
fn play(ranking: &Ranking, side: u32, dice: &[usize], found: &mut Vec<u32>) {
    match dice.split_first() {
        Some((&die, rest)) if side > 0 => moves(ranking, Goal::AllOff, side, |any, next| {
            if any == die {
                play(ranking, next, rest, found);
            }
        }),
        _ => found.push(side),
    }
}

#[cfg(test)]
#[path = "two_sided_tests.rs"]
mod tests;
