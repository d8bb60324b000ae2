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
    /// Different positions at the end.
    pub unique: u64,
}

/// Positions reached from one position with one first roll.
struct Branch {
    paths: u64,
    passes: u64,
    ends: HashSet<Position>,
}

/// Counts the paths of `depth` rolls from `position`, and the different positions they end in.
///
/// Games that are over are not played on. Memory grows with the number of different positions: depth
/// 2 holds some 10 MB, depth 3 from the start some 5 GB.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
pub fn perft<R: Rules>(
    position: &Position,
    depth: u32,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Perft, Cancelled> {
    if depth == 0 || R::result(position).is_some() {
        return Ok(Perft { paths: 1, passes: 0, unique: 1 });
    }
    // One block for each first roll and each of its plays keeps blocks short and even.
    let mut buf = PlayBuf::new();
    let mut starts = Vec::new();
    for roll in Roll::ALL {
        plays::<R>(position, roll, &mut buf);
        starts.extend(buf.positions().iter().map(|&after| (after, depth == 1 && buf.is_pass())));
    }
    let branches = run_blocks(threads, starts.len(), watch, PlayBuf::new, |buf, block| {
        let mut branch = Branch { paths: 0, passes: 0, ends: HashSet::new() };
        let (after, passed) = starts[block];
        branch.walk::<R>(&after, depth - 1, passed, buf);
        branch
    })
    .complete()?;
    let mut total = Perft::default();
    let mut ends: HashSet<Position> = HashSet::new();
    for branch in branches {
        total.paths += branch.paths;
        total.passes += branch.passes;
        ends.extend(branch.ends);
    }
    total.unique = ends.len() as u64;
    Ok(total)
}

impl Branch {
    fn walk<R: Rules>(&mut self, position: &Position, depth: u32, passed: bool, buf: &mut PlayBuf) {
        if depth == 0 || R::result(position).is_some() {
            self.paths += 1;
            self.passes += u64::from(passed);
            self.ends.insert(*position);
            return;
        }
        for roll in Roll::ALL {
            plays::<R>(position, roll, buf);
            let pass = buf.is_pass();
            if depth == 1 {
                self.paths += buf.positions().len() as u64;
                self.passes += u64::from(pass);
                self.ends.extend(buf.positions());
            } else {
                for after in buf.positions().to_vec() {
                    self.walk::<R>(&after, depth - 1, pass, buf);
                }
            }
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
        let count =
            |depth, threads| perft::<Backgammon>(&Position::START, depth, threads, &mut unwatched).unwrap();
        assert_eq!(count(0, 1), Perft { paths: 1, passes: 0, unique: 1 });
        assert_eq!(count(1, 1), Perft { paths: 447, passes: 0, unique: 406 });
        for threads in [1, 2, 3] {
            assert_eq!(count(2, threads), Perft { paths: 202_782, passes: 0, unique: 163_706 });
        }
    }
}
