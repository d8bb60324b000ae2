//! Counting all positions to a depth: the golden check of a move generator.

use std::collections::HashSet;

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::parallel::{Cancelled, Watch, run_blocks};
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
    let tally = count::<R>(position, depth, unique, threads, watch)?;
    let unique = tally.ends.map(|ends| ends.len() as u64);
    Ok(Perft { paths: tally.paths, passes: tally.passes, unique })
}

/// Rolls a run of blocks looks ahead: two below each first play, so that a block takes milliseconds.
const DEPTH_OF_A_RUN: u32 = 3;

fn count<R: Rules>(
    position: &Position,
    depth: u32,
    unique: bool,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Tally, Cancelled> {
    let mut total = Tally::new(unique);
    let mut buf = PlayBuf::new();
    if depth == 0 || R::result(position).is_some() {
        total.walk::<R>(position, 0, false, &mut buf);
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
            total.add(count::<R>(&after, depth - 1, unique, threads, watch)?);
        }
        return Ok(total);
    }
    let tallies = run_blocks(threads, starts.len(), watch, PlayBuf::new, |buf, block| {
        let mut tally = Tally::new(unique);
        let (after, passed) = starts[block];
        tally.walk::<R>(&after, depth - 1, passed, buf);
        tally
    })
    .complete()?;
    tallies.into_iter().for_each(|tally| total.add(tally));
    Ok(total)
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
        let mut counts = [0; 25];
        counts[0] = 2;
        counts[5] = 1;
        let position = Position::from_counts(&counts, &counts).unwrap();
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
}
