//! The one-sided solver: what a side that only wants to be quick needs, for every side of a table.
//!
//! Pip by pip upwards, so that everything a position depends on is finished, and all positions of one
//! pip count can be worked on at the same time. Three things keep it quick:
//!
//! * *One die at a time.* For every position the solver keeps the best end of playing one die, the same
//!   die twice and thrice. The best play of two dice is then the best over first moves of a kept
//!   number, so about nine comparisons a first move serve all 21 rolls, and no play is listed twice.
//! * *Means first.* Only means are compared (variances when means tie); distributions are added up
//!   along the 21 chosen ends.
//! * *Windows.* One die moves at most 6 pips and a roll at most 24, so the kept ends of 6 pip counts and
//!   the distributions of 24 are all that is in memory besides the result.
//!
//! Playing dice one by one is legal play here: with nobody in the way every die can be played until the
//! last checker is off, so no order of the dice can leave one unused that another order would use.

use super::index::{MAX_POINTS, Ranking, pips};
use crate::dice::Roll;
use crate::parallel::{Cancelled, Lookout, Watch};

/// Means (and variances) this close count as equal; the smaller variance, then the smaller number wins.
pub const TIE: f64 = 1e-12;

/// Chances below this are dropped from the ends of a distribution while solving.
const NEGLIGIBLE: f64 = 1e-18;

/// What a side is trying to do quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Bear everything off.
    AllOff,
    /// Bear the first checker off, starting from the most checkers the table holds.
    FirstOff,
    /// Move everything past point 1: no bearing-off rules, a die of at least its point takes a checker out.
    Leave,
}

/// One solved position, handed over as soon as it is known. Positions come pip by pip.
pub(crate) struct Solved<'a> {
    /// The position's number.
    pub index: u32,
    /// Mean number of rolls.
    pub mean: f64,
    /// Number of rolls that the first entry of `chances` is about.
    pub first: usize,
    /// Chance of each number of rolls from `first` on.
    pub chances: &'a [f64],
}

/// Positions a block: well under a millisecond each way.
const BLOCK: usize = 256;

/// Below this many positions a level is not worth a second thread.
const PARALLEL_FROM: usize = 8 * BLOCK;

/// Best ends of one die, the die twice, the die thrice, for each die.
#[derive(Clone, Copy)]
struct Ends {
    mean: [f64; 18],
    index: [u32; 18],
}

const ONCE: usize = 0;
const TWICE: usize = 6;
const THRICE: usize = 12;

/// Where a distribution lies in its block.
#[derive(Clone, Copy)]
struct Span {
    offset: u32,
    first: u8,
    len: u8,
}

/// Up to [`BLOCK`] positions of one pip count.
struct Block {
    ends: Vec<Ends>,
    means: Vec<f64>,
    variances: Vec<f64>,
    spans: Vec<Span>,
    chances: Vec<f64>,
}

impl Block {
    fn with_capacity(n: usize) -> Block {
        Block {
            ends: Vec::with_capacity(n),
            means: Vec::with_capacity(n),
            variances: Vec::with_capacity(n),
            spans: Vec::with_capacity(n),
            chances: Vec::with_capacity(n * 24),
        }
    }

    fn chances(&self, slot: usize) -> (usize, &[f64]) {
        let span = self.spans[slot];
        let start = span.offset as usize;
        (span.first as usize, &self.chances[start..start + span.len as usize])
    }
}

/// Everything known so far.
struct Solver<'a> {
    ranking: &'a Ranking,
    goal: Goal,
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// Pip count (high byte) and place within its level, by position.
    place: Vec<u32>,
    /// Solved levels; emptied once nothing above can reach them.
    levels: Vec<Vec<Block>>,
}

/// Solves every position of `ranking` that the goal is about and hands each to `sink`.
///
/// The watcher is told how many positions are done.
pub(crate) fn solve(
    ranking: &Ranking,
    goal: Goal,
    threads: usize,
    watch: &mut Watch<'_>,
    sink: &mut dyn FnMut(Solved<'_>),
) -> Result<(), Cancelled> {
    let (order, starts, place) = by_pips(ranking, goal);
    let mut solver = Solver {
        ranking,
        goal,
        mean: vec![0.0; ranking.len()],
        variance: vec![0.0; ranking.len()],
        place,
        levels: Vec::with_capacity(starts.len()),
    };
    let mut lookout = Lookout::new(watch);
    for level in 0..starts.len() - 1 {
        let members = &order[starts[level]..starts[level + 1]];
        let before = starts[level];
        if level == 0 {
            solver.levels.push(vec![done_block()]);
        } else {
            let blocks = members.len().div_ceil(BLOCK);
            let threads = if members.len() < PARALLEL_FROM { 1 } else { threads };
            let done = |blocks: usize| before + members.len().min(blocks * BLOCK);
            let work = |(): &mut (), block: usize| {
                let end = members.len().min((block + 1) * BLOCK);
                solver.solve_block(&members[block * BLOCK..end])
            };
            let solved = lookout.run_blocks(threads, blocks, done, || (), work).complete()?;
            solver.levels.push(solved);
        }
        solver.publish(level, members, sink);
        lookout.look(before + members.len())?;
    }
    Ok(())
}

/// Positions sorted by pip count, where each count starts, and each position's place.
fn by_pips(ranking: &Ranking, goal: Goal) -> (Vec<u32>, Vec<usize>, Vec<u32>) {
    let first = if goal == Goal::FirstOff { ranking.first_with(ranking.checkers()) } else { 1 };
    let wanted = || std::iter::once(0).chain(first as u32..ranking.len() as u32);
    let mut place = vec![0u32; ranking.len()];
    let mut sizes = vec![0u32; ranking.points() * ranking.checkers() + 1];
    for index in wanted() {
        let level = pips(&ranking.heights(index));
        place[index as usize] = (level as u32) << 24 | sizes[level];
        sizes[level] += 1;
    }
    let mut starts = vec![0usize];
    for size in sizes {
        starts.push(starts[starts.len() - 1] + size as usize);
    }
    let mut order = vec![0; starts[starts.len() - 1]];
    for index in wanted() {
        let (level, slot) = split(place[index as usize]);
        order[starts[level] + slot] = index;
    }
    (order, starts, place)
}

/// Pip count and place within its level.
fn split(place: u32) -> (usize, usize) {
    ((place >> 24) as usize, (place & 0xff_ffff) as usize)
}

/// The block of the side that is done: no rolls, for certain.
fn done_block() -> Block {
    Block {
        ends: vec![Ends { mean: [0.0; 18], index: [0; 18] }],
        means: vec![0.0],
        variances: vec![0.0],
        spans: vec![Span { offset: 0, first: 0, len: 1 }],
        chances: vec![1.0],
    }
}

/// Calls `visit(die - 1, successor)` for every legal move of one checker.
#[inline(always)]
pub(crate) fn moves(ranking: &Ranking, goal: Goal, index: u32, mut visit: impl FnMut(usize, u32)) {
    let points = ranking.points();
    let heights = ranking.heights(index);
    let falls = ranking.falls(&heights);
    let all_home = points <= 6 || heights[7] == 0;
    for p in 1..=points {
        if heights[p] == heights[p + 1] {
            continue;
        }
        for die in 1..=6 {
            if die < p {
                visit(die - 1, index - (falls[p] - falls[p - die]));
                continue;
            }
            let bears_off = match goal {
                Goal::Leave => true,
                Goal::AllOff | Goal::FirstOff => all_home && (die == p || heights[p + 1] == 0),
            };
            if bears_off {
                let end = if goal == Goal::FirstOff { 0 } else { index - falls[p] };
                visit(die - 1, end);
            }
        }
    }
}

/// The best end seen so far.
#[derive(Clone, Copy)]
struct Best {
    mean: f64,
    index: u32,
}

const NONE: Best = Best { mean: f64::INFINITY, index: u32::MAX };

impl Solver<'_> {
    /// Keeps the better of `best` and the offered end.
    #[inline(always)]
    fn offer(&self, best: &mut Best, mean: f64, index: u32) {
        if mean <= best.mean + TIE {
            self.offer_close(best, mean, index);
        }
    }

    #[inline(always)]
    fn offer_close(&self, best: &mut Best, mean: f64, index: u32) {
        if mean < best.mean - TIE || (index != best.index && self.breaks_tie(best.index, index)) {
            *best = Best { mean, index };
        }
    }

    fn breaks_tie(&self, old: u32, new: u32) -> bool {
        let (old_variance, new_variance) = (self.variance[old as usize], self.variance[new as usize]);
        new_variance < old_variance - TIE || (new_variance <= old_variance + TIE && new < old)
    }

    fn ends(&self, index: u32) -> &Ends {
        let (level, slot) = split(self.place[index as usize]);
        &self.levels[level][slot / BLOCK].ends[slot % BLOCK]
    }

    fn solve_block(&self, members: &[u32]) -> Block {
        let mut block = Block::with_capacity(members.len());
        for &index in members {
            let chosen = self.choose(index, &mut block);
            self.summarise(&chosen, &mut block);
            self.distribute(&chosen, &mut block);
        }
        block
    }

    /// Finds the position's ends and the best successor for each of the 21 rolls.
    fn choose(&self, index: u32, block: &mut Block) -> [u32; 21] {
        let mut once = [NONE; 6];
        let mut pair = [[NONE; 6]; 6];
        let mut thrice = [NONE; 6];
        let mut four = [NONE; 6];
        moves(self.ranking, self.goal, index, |die, next| {
            let ends = self.ends(next);
            self.offer(&mut once[die], self.mean[next as usize], next);
            for (other, best) in pair[die].iter_mut().enumerate() {
                self.offer(best, ends.mean[ONCE + other], ends.index[ONCE + other]);
            }
            self.offer(&mut thrice[die], ends.mean[TWICE + die], ends.index[TWICE + die]);
            self.offer(&mut four[die], ends.mean[THRICE + die], ends.index[THRICE + die]);
        });
        let mut chosen = [0; 21];
        for (roll, chosen) in Roll::ALL.iter().zip(&mut chosen) {
            let (high, low) = (roll.high() as usize - 1, roll.low() as usize - 1);
            let mut best = pair[high][low];
            if roll.is_double() {
                best = four[high];
            } else {
                self.offer(&mut best, pair[low][high].mean, pair[low][high].index);
            }
            *chosen = best.index;
        }
        let mut ends = Ends { mean: [0.0; 18], index: [0; 18] };
        for die in 0..6 {
            for (kind, best) in [(ONCE, once[die]), (TWICE, pair[die][die]), (THRICE, thrice[die])] {
                ends.mean[kind + die] = best.mean;
                ends.index[kind + die] = best.index;
            }
        }
        block.ends.push(ends);
        chosen
    }

    /// Mean and variance over the chosen successors.
    fn summarise(&self, chosen: &[u32; 21], block: &mut Block) {
        let mut mean = 0.0;
        for (roll, &next) in Roll::ALL.iter().zip(chosen) {
            mean += f64::from(roll.weight()) * self.mean[next as usize];
        }
        mean /= 36.0;
        let mut variance = 0.0;
        for (roll, &next) in Roll::ALL.iter().zip(chosen) {
            let away = self.mean[next as usize] - mean;
            variance += f64::from(roll.weight()) * (self.variance[next as usize] + away * away);
        }
        block.means.push(1.0 + mean);
        block.variances.push(variance / 36.0);
    }

    /// Adds up the distributions of the chosen successors, one roll later.
    fn distribute(&self, chosen: &[u32; 21], block: &mut Block) {
        let parts: [(usize, &[f64]); 21] = chosen.map(|next| {
            let (level, slot) = split(self.place[next as usize]);
            self.levels[level][slot / BLOCK].chances(slot % BLOCK)
        });
        let first = parts.iter().map(|part| part.0).min().unwrap_or(0);
        let end = parts.iter().map(|part| part.0 + part.1.len()).max().unwrap_or(0);
        let offset = block.chances.len();
        block.chances.resize(offset + end - first, 0.0);
        let total = &mut block.chances[offset..];
        for (roll, &(from, chances)) in Roll::ALL.iter().zip(&parts) {
            let weight = f64::from(roll.weight()) / 36.0;
            for (sum, chance) in total[from - first..].iter_mut().zip(chances) {
                *sum += weight * chance;
            }
        }
        let skip = total.iter().take_while(|&&chance| chance < NEGLIGIBLE).count();
        let drop = total[skip..].iter().rev().take_while(|&&chance| chance < NEGLIGIBLE).count();
        let len = total.len() - skip - drop;
        block.chances.truncate(offset + skip + len);
        block.spans.push(Span {
            offset: (offset + skip) as u32,
            first: (first + skip + 1) as u8,
            len: len as u8,
        });
    }

    /// Hands a finished level to everyone, and frees what nobody needs any more.
    fn publish(&mut self, level: usize, members: &[u32], sink: &mut dyn FnMut(Solved<'_>)) {
        for (slot, &index) in members.iter().enumerate() {
            let block = &self.levels[level][slot / BLOCK];
            let (first, chances) = block.chances(slot % BLOCK);
            let (mean, variance) = (block.means[slot % BLOCK], block.variances[slot % BLOCK]);
            self.mean[index as usize] = mean;
            self.variance[index as usize] = variance;
            sink(Solved { index, mean, first, chances });
        }
        if level > 6 {
            self.levels[level - 6].iter_mut().for_each(|block| block.ends = Vec::new());
        }
        if level > 24 {
            self.levels[level - 24] = Vec::new();
        }
    }
}

const _: () = assert!(MAX_POINTS * super::index::MAX_CHECKERS < 256, "a pip count fits a byte");
