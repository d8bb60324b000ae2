//! The same descriptions for many positions, one column a feature.

use super::{Shots, Side};
use crate::eval::Phase;
use crate::movegen::PlayBuf;
use crate::parallel::{Cancelled, Watch, run_blocks};
use crate::position::Position;
use crate::rules::Rules;

/// Positions a block of plain columns holds: about a millisecond of work.
const BLOCK: usize = 4096;

/// Positions a block of shots holds: a few milliseconds of work.
const SHOTS_BLOCK: usize = 512;

/// Features of `n` positions. But for `phase`, every column has two values a position, the player on
/// roll's first: read as an array it is `(n, 2)`.
///
/// Sets of points are bits: bit `p` for the owner's point `p`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// What kind of position it is, one value a position.
    pub phase: Vec<Phase>,
    /// Pips still needed.
    pub pips: Vec<u16>,
    /// Checkers on the bar.
    pub bar: Vec<u8>,
    /// Checkers borne off.
    pub off: Vec<u8>,
    /// How many blots there are.
    pub blots: Vec<u8>,
    /// Where they are.
    pub blot_set: Vec<u32>,
    /// How many points are made.
    pub points: Vec<u8>,
    /// Which.
    pub point_set: Vec<u32>,
    /// How many of them are in the own home board.
    pub home_points: Vec<u8>,
    /// How many are in the opponent's home board.
    pub anchors: Vec<u8>,
    /// Length of the longest prime.
    pub prime: Vec<u8>,
    /// Whether at most six checkers are still of use: see [`is_crunched`](crate::eval::is_crunched).
    pub crunched: Vec<bool>,
}

impl Columns {
    /// Describes all positions.
    ///
    /// # Errors
    /// [`Cancelled`] if the watcher stops it.
    pub fn of(positions: &[Position], threads: usize, watch: &mut Watch<'_>) -> Result<Columns, Cancelled> {
        let blocks = run_blocks(
            threads,
            positions.len().div_ceil(BLOCK),
            watch,
            || (),
            |(), block| {
                let mut columns = Columns::default();
                for position in block_of(positions, block, BLOCK) {
                    columns.push(position);
                }
                columns
            },
        )
        .complete()?;
        let mut all = Columns::default();
        for block in blocks {
            all.append(block);
        }
        Ok(all)
    }

    fn push(&mut self, position: &Position) {
        self.phase.push(Phase::of(position));
        for side in [Side::of(&position.roller()), Side::of(&position.opponent())] {
            self.pips.push(side.pips);
            self.bar.push(side.bar);
            self.off.push(side.off);
            self.blots.push(side.blots.count_ones() as u8);
            self.blot_set.push(side.blots);
            self.points.push(side.points.count_ones() as u8);
            self.point_set.push(side.points);
            self.home_points.push(side.home_points().count_ones() as u8);
            self.anchors.push(side.anchors().count_ones() as u8);
            self.prime.push(side.prime);
            self.crunched.push(side.crunched);
        }
    }

    fn append(&mut self, mut more: Columns) {
        self.phase.append(&mut more.phase);
        self.pips.append(&mut more.pips);
        self.bar.append(&mut more.bar);
        self.off.append(&mut more.off);
        self.blots.append(&mut more.blots);
        self.blot_set.append(&mut more.blot_set);
        self.points.append(&mut more.points);
        self.point_set.append(&mut more.point_set);
        self.home_points.append(&mut more.home_points);
        self.anchors.append(&mut more.anchors);
        self.prime.append(&mut more.prime);
        self.crunched.append(&mut more.crunched);
    }
}

/// Shots at the blots of both sides in `n` positions: of each side's blots, the rolls of 36 with which
/// the other side would hit, were it to throw now.
///
/// In a position the player on roll throws next: the shots at the opponent's blots (side 1) are
/// real; those at the roller's own (side 0) say how exposed the roller stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShotColumns {
    /// Rolls that hit on each point, `(n, 2, 24)`: position, whose blot, on which of his points.
    pub points: Vec<u8>,
    /// Rolls that hit at least one blot, `(n, 2)`.
    pub any: Vec<u8>,
}

impl ShotColumns {
    /// Counts the shots in all positions; some fifty times the work of [`Columns::of`].
    ///
    /// # Errors
    /// [`Cancelled`] if the watcher stops it.
    pub fn of<R: Rules>(
        positions: &[Position],
        threads: usize,
        watch: &mut Watch<'_>,
    ) -> Result<ShotColumns, Cancelled> {
        let count = positions.len().div_ceil(SHOTS_BLOCK);
        let blocks = run_blocks(threads, count, watch, PlayBuf::new, |buf, block| {
            let mut columns = ShotColumns::default();
            for position in block_of(positions, block, SHOTS_BLOCK) {
                for hitter in [position.flip(), *position] {
                    let shots = Shots::of::<R>(&hitter, buf);
                    columns.points.extend(shots.points);
                    columns.any.push(shots.any);
                }
            }
            columns
        })
        .complete()?;
        let mut all = ShotColumns::default();
        for mut block in blocks {
            all.points.append(&mut block.points);
            all.any.append(&mut block.any);
        }
        Ok(all)
    }
}

fn block_of(positions: &[Position], block: usize, size: usize) -> &[Position] {
    &positions[block * size..positions.len().min((block + 1) * size)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::random_game;
    use crate::parallel::unwatched;
    use crate::rng::Stream;
    use crate::rules::Backgammon;

    fn positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for trial in 0..games {
            let visit = |position: &Position, _, _| positions.push(*position);
            random_game::<Backgammon>(Stream::new(11, trial), 500, &mut PlayBuf::new(), visit);
        }
        positions
    }

    #[test]
    fn columns_are_the_sides_of_each_position_for_any_thread_count() {
        let positions = positions(100);
        assert!(positions.len() > 2 * BLOCK);
        let columns = Columns::of(&positions, 1, &mut unwatched).unwrap();
        assert_eq!(Columns::of(&positions, 3, &mut unwatched).unwrap(), columns);
        assert_eq!(columns.phase.len(), positions.len());
        for (i, position) in positions.iter().enumerate() {
            assert_eq!(columns.phase[i], Phase::of(position));
            for (j, counts) in [position.roller(), position.opponent()].iter().enumerate() {
                let (side, at) = (Side::of(counts), 2 * i + j);
                assert_eq!(columns.pips[at], side.pips);
                assert_eq!((columns.bar[at], columns.off[at]), (side.bar, side.off));
                assert_eq!((columns.blot_set[at], columns.point_set[at]), (side.blots, side.points));
                assert_eq!(u32::from(columns.blots[at]), side.blots.count_ones());
                assert_eq!(u32::from(columns.points[at]), side.points.count_ones());
                assert_eq!(u32::from(columns.home_points[at]), side.home_points().count_ones());
                assert_eq!(u32::from(columns.anchors[at]), side.anchors().count_ones());
                assert_eq!((columns.prime[at], columns.crunched[at]), (side.prime, side.crunched));
            }
        }
    }

    #[test]
    fn shots_are_those_of_each_side_for_any_thread_count() {
        let positions = positions(12);
        let columns = ShotColumns::of::<Backgammon>(&positions, 1, &mut unwatched).unwrap();
        assert_eq!(ShotColumns::of::<Backgammon>(&positions, 3, &mut unwatched).unwrap(), columns);
        let mut buf = PlayBuf::new();
        for (i, position) in positions.iter().enumerate() {
            for (side, hitter) in [position.flip(), *position].iter().enumerate() {
                let shots = Shots::of::<Backgammon>(hitter, &mut buf);
                assert_eq!(columns.points[(2 * i + side) * 24..][..24], shots.points);
                assert_eq!(columns.any[2 * i + side], shots.any);
            }
        }
        assert!(columns.any.contains(&36));
    }
}
