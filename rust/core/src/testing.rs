//! What the tests of several modules build positions with.

use crate::position::{Counts, Position};
use crate::rng::Stream;

/// One side's checkers from `(point, checkers)`, numbered by that side; 25 is the bar.
pub(crate) fn side(checkers: &[(usize, u8)]) -> Counts {
    let mut counts = [0; 25];
    for &(point, n) in checkers {
        counts[point - 1] = n;
    }
    counts
}

/// A position from `(point, checkers)` of the roller and of the opponent, each numbered by himself.
pub(crate) fn position(roller: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    Position::from_counts(&side(roller), &side(opponent)).expect("a test's position is one")
}

/// A position from `(point, checkers)` of both sides, all numbered by the roller; the opponent's bar is 0.
pub(crate) fn board(roller: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    let theirs: Vec<(usize, u8)> = opponent.iter().map(|&(point, n)| (25 - point, n)).collect();
    position(roller, &theirs)
}

/// Unfinished positions of every kind, drawn without playing: checkers thrown on points.
pub(crate) fn scattered(count: u64) -> Vec<Position> {
    (0..count)
        .map(|trial| {
            let stream = Stream::new(11, trial);
            let mut counter = 0;
            let mut draw = |bound: u32| {
                counter += 1;
                stream.below(bound, counter)
            };
            let (mut roller, mut opponent): (Counts, Counts) = ([0; 25], [0; 25]);
            let (mine, theirs) = (1 + draw(15), 1 + draw(15));
            // Small reaches give bear-offs and races, large ones contact.
            let (reach, spread) = (3 + draw(23), 1 + draw(8));
            for _ in 0..mine.max(draw(16)) {
                let near = draw(spread) as usize;
                roller[(draw(reach.min(25)) as usize + near).min(24)] += 1;
            }
            for _ in 0..theirs.max(draw(16)) {
                let near = draw(spread) as usize;
                let point = (draw(reach.min(25)) as usize + near).min(24);
                let place = if point < 24 && roller[23 - point] > 0 { 24 } else { point };
                opponent[place] += 1;
            }
            Position::from_counts(&roller, &opponent).unwrap()
        })
        .collect()
}
