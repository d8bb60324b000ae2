//! Counting all positions to a depth: the golden check of a move generator.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::parallel::{Cancelled, TICK, Watch, run_blocks};
use crate::position::Position;
use crate::rules::Rules;

/// What a count of `depth` rolls found. Each of the 21 rolls counts once, whatever its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of rolls and plays; an unplayable roll counts as one play.
    pub paths: u64,
    /// Those whose last roll was unplayable.
    pub passes: u64,
    /// Different positions at the end, if they were to be told apart.
    pub unique: Option<u64>,
}

/// Counts the paths of `depth` rolls from `position`, and with `unique` the different positions they
/// end in.
///
/// Games that are over are not played on. Telling positions apart takes memory for all of them, from the
/// start position some 10 MB at depth 2 and some 5 GB at depth 3; plain counting takes none to speak of.
/// The watcher is told how many paths have been counted.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
pub fn perft<R: Rules>(
    position: &Position,
    depth: u32,
    unique: bool,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Perft, Cancelled> {
    let counted = AtomicU64::new(0);
    let mut counting =
        Counting { unique, threads, counted: &counted, watch, looked: Instant::now(), stopped: false };
    let tally = counting.count::<R>(position, depth)?;
    let unique = tally.ends.map(|ends| ends.len() as u64);
    Ok(Perft { paths: tally.paths, passes: tally.passes, unique })
}

/// Rolls a run of blocks looks ahead: two below each first play, so that a block takes milliseconds.
const DEPTH_OF_A_RUN: u32 = 3;

/// How a count is made, and how it is watched from run to run.
struct Counting<'a, 'w> {
    unique: bool,
    threads: usize,
    /// Paths of all finished blocks.
    counted: &'a AtomicU64,
    watch: &'a mut Watch<'w>,
    /// When the watcher was last told.
    looked: Instant,
    /// Whether it broke: a run that was finished by then does not say so.
    stopped: bool,
}

impl Counting<'_, '_> {
    fn count<R: Rules>(&mut self, position: &Position, depth: u32) -> Result<Tally, Cancelled> {
        let mut total = Tally::new(self.unique);
        let mut buf = PlayBuf::new();
        if depth == 0 || R::result(position).is_some() {
            total.walk::<R>(position, 0, false, &mut buf);
            self.counted.fetch_add(total.paths, Ordering::Relaxed);
            return Ok(total);
        }
        // One block for each first roll and each of its plays keeps blocks short and even.
        let mut starts = Vec::new();
        for roll in Roll::ALL {
            plays::<R>(position, roll, &mut buf);
            starts.extend(buf.positions().iter().map(|&after| (after, depth == 1 && buf.is_pass())));
        }
        if depth > DEPTH_OF_A_RUN {
            for (after, _) in starts {
                total.add(self.count::<R>(&after, depth - 1)?);
                // A run may be over before its threads ever come to look up.
                if !self.stopped && self.looked.elapsed() >= TICK {
                    let _ = self.look();
                }
                if self.stopped {
                    return Err(Cancelled);
                }
            }
            return Ok(total);
        }
        let (unique, counted) = (self.unique, self.counted);
        let work = |buf: &mut PlayBuf, block: usize| {
            let mut tally = Tally::new(unique);
            let (after, passed): (Position, bool) = starts[block];
            tally.walk::<R>(&after, depth - 1, passed, buf);
            counted.fetch_add(tally.paths, Ordering::Relaxed);
            tally
        };
        let tallies = run_blocks(self.threads, starts.len(), &mut |_| self.look(), PlayBuf::new, work);
        tallies.complete()?.into_iter().for_each(|tally| total.add(tally));
        Ok(total)
    }

    fn look(&mut self) -> ControlFlow<()> {
        self.looked = Instant::now();
        let counted = usize::try_from(self.counted.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        let flow = (self.watch)(counted);
        self.stopped = flow.is_break();
        flow
    }
}

/// A count in progress.
struct Tally {
    paths: u64,
    passes: u64,
    /// The positions at the end, if they are told apart.
    ends: Option<HashSet<Position>>,
}

impl Tally {
    fn new(unique: bool) -> Tally {
        Tally { paths: 0, passes: 0, ends: unique.then(HashSet::new) }
    }

    fn add(&mut self, other: Tally) {
        self.paths += other.paths;
        self.passes += other.passes;
        if let (Some(ends), Some(more)) = (&mut self.ends, other.ends) {
            ends.extend(more);
        }
    }

    /// Counts what `depth` more rolls lead to; `passed` says that the last roll was unplayable.
    fn walk<R: Rules>(&mut self, position: &Position, depth: u32, passed: bool, buf: &mut PlayBuf) {
        if depth == 0 || R::result(position).is_some() {
            self.note(std::slice::from_ref(position), passed);
            return;
        }
        for roll in Roll::ALL {
            plays::<R>(position, roll, buf);
            let pass = buf.is_pass();
            if depth == 1 {
                self.note(buf.positions(), pass);
            } else {
                for after in buf.positions().to_vec() {
                    self.walk::<R>(&after, depth - 1, pass, buf);
                }
            }
        }
    }

    /// Counts positions at the end of their paths.
    fn note(&mut self, positions: &[Position], passed: bool) {
        self.paths += positions.len() as u64;
        self.passes += u64::from(passed);
        if let Some(ends) = &mut self.ends {
            ends.extend(positions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::unwatched;
    use crate::rules::Backgammon;
    use crate::testing::position;

    /// Counts of the start position, equal to those of an independent generator
    /// (GNU Backgammon 1.07.001's move lists, and a brute-force search).
    #[test]
    fn start_counts() {
        let count = |depth, unique, threads| {
            perft::<Backgammon>(&Position::START, depth, unique, threads, &mut unwatched).unwrap()
        };
        let found = |paths, unique| Perft { paths, passes: 0, unique };
        assert_eq!(count(0, true, 1), found(1, Some(1)));
        assert_eq!(count(1, true, 1), found(447, Some(406)));
        for threads in [1, 2, 3] {
            assert_eq!(count(2, true, threads), found(202_782, Some(163_706)));
            assert_eq!(count(2, false, threads), found(202_782, None));
        }
    }

    /// Three checkers each: deep enough for a run of runs, and games end on the way.
    #[test]
    fn deep_counts_are_sums_of_shallow_ones() {
        let position = position(&[(1, 2), (6, 1)], &[(1, 2), (6, 1)]);
        let count = |position: &Position, depth| {
            perft::<Backgammon>(position, depth, true, 2, &mut unwatched).unwrap()
        };
        let mut buf = PlayBuf::new();
        let mut paths = 0;
        for roll in Roll::ALL {
            plays::<Backgammon>(&position, roll, &mut buf);
            paths += buf.positions().iter().map(|after| count(after, 3).paths).sum::<u64>();
        }
        let deep = count(&position, 4);
        assert_eq!(deep.paths, paths);
        assert!(deep.unique.unwrap() < deep.paths);
    }

    /// Depth 5 is counted in many short runs: what is told goes on from run to run.
    #[test]
    fn the_watcher_is_told_of_paths_and_never_of_fewer() {
        let mut told = Vec::new();
        let mut watch = |done: usize| {
            told.push(done);
            if told.len() == 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = perft::<Backgammon>(&position(&[(24, 2)], &[(24, 3)]), 5, false, 2, &mut watch);
        assert_eq!(stopped, Err(Cancelled));
        assert!(told.is_sorted() && told[5] > told[0], "{told:?}");
    }
}
