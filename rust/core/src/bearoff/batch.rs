//! Many look-ups at once in a two-sided table.
//!
//! A table of six megabytes does not fit a core's own caches, so a look-up is mostly waiting. Numbering a
//! tile of positions first and reading their cells afterwards lets the processor wait for many at a time:
//! the reads are close together and do not depend on each other.

use super::{Equities, TwoSided};
use crate::position::Position;

/// Positions numbered before their cells are read.
const TILE: usize = 64;

/// In the place of a cell: the table does not cover the position.
const OUTSIDE: u32 = u32::MAX;

impl Equities {
    /// Names of [`Equities::columns`].
    pub const COLUMNS: [&str; 6] =
        ["cubeless", "centred_no_double", "centred_best", "owned_no_double", "owned_best", "opponent_owned"];

    /// All values that are not multiples of others.
    #[inline]
    pub fn columns(&self) -> [f64; 6] {
        [
            self.cubeless,
            self.centred_no_double,
            self.centred_best(),
            self.owned_no_double,
            self.owned_best(),
            self.opponent_owned,
        ]
    }
}

impl TwoSided {
    /// Equities of a position if the table covers it.
    #[inline]
    pub fn find_position(&self, position: &Position) -> Option<Equities> {
        self.cell(position).map(|cell| self.at(cell))
    }

    /// Fills `out[i]` with what `value` makes of the equities of `positions[i]`, or with `outside` if the
    /// table does not cover it.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn look_up<T: Copy>(
        &self,
        positions: &[Position],
        out: &mut [T],
        outside: T,
        value: impl Fn(Equities) -> T,
    ) {
        assert_eq!(positions.len(), out.len());
        let mut cells = [OUTSIDE; TILE];
        for (positions, out) in positions.chunks(TILE).zip(out.chunks_mut(TILE)) {
            for (cell, position) in cells.iter_mut().zip(positions) {
                *cell = self.cell(position).unwrap_or(OUTSIDE);
            }
            for (&cell, out) in cells.iter().zip(out) {
                *out = if cell == OUTSIDE { outside } else { value(self.at(cell)) };
            }
        }
    }

    /// Equities of many positions in columns named by [`Equities::COLUMNS`]; not numbers outside the table.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn columns(&self, positions: &[Position], out: &mut [[f64; 6]]) {
        self.look_up(positions, out, [f64::NAN; 6], |equities| equities.columns());
    }

    /// The number of a position's cell if the table covers both sides.
    #[inline]
    fn cell(&self, position: &Position) -> Option<u32> {
        let (roller, opponent) = self.ranking().ranks(position)?;
        Some(roller * self.ranking().len() as u32 + opponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bearoff::{Ranking, Storage};
    use crate::movegen::{PlayBuf, random_game};
    use crate::parallel::unwatched;
    use crate::rng::Stream;
    use crate::rules::Backgammon;

    /// Whole random games, and every pair of sides of a small table.
    fn positions(ranking: &Ranking) -> Vec<Position> {
        let sides: Vec<_> = (0..ranking.len() as u32).map(|i| ranking.unrank(i).unwrap()).collect();
        let pairs = sides.iter().flat_map(|roller| sides.iter().map(move |other| (roller, other)));
        // The only pair that is no position is nothing against nothing.
        let mut positions: Vec<_> = pairs.filter_map(|(a, b)| Position::from_counts(a, b).ok()).collect();
        assert_eq!(positions.len(), sides.len().pow(2) - 1);
        let mut buf = PlayBuf::new();
        for trial in 0..40 {
            random_game::<Backgammon>(Stream::new(6, trial), 1_000, &mut buf, |p, _, _| positions.push(*p));
        }
        positions
    }

    #[test]
    fn both_sides_are_numbered_as_one_by_one() {
        for (points, checkers) in [(1, 3), (4, 4), (6, 15), (10, 15), (12, 15)] {
            let ranking = Ranking::new(points, checkers).unwrap();
            let small = Ranking::new(points.min(4), checkers.min(4)).unwrap();
            let mut inside = 0;
            for position in positions(&small) {
                let one = ranking.rank(&position.roller()).zip(ranking.rank(&position.opponent()));
                assert_eq!(
                    ranking.ranks(&position),
                    one,
                    "{points} points, {checkers} checkers: {position:?}"
                );
                inside += u32::from(one.is_some());
            }
            assert!(inside > 10);
        }
    }

    #[test]
    fn many_look_ups_are_as_many_times_one() {
        let table = TwoSided::build(4, 5, Storage::F32, 1, &mut unwatched).unwrap();
        let positions = positions(&Ranking::new(3, 4).unwrap());
        let mut all = vec![[0.0; 6]; positions.len()];
        table.columns(&positions, &mut all);
        let mut wins = vec![0.0; positions.len()];
        table.look_up(&positions, &mut wins, -1.0, |equities| equities.win());
        for ((position, six), win) in positions.iter().zip(all).zip(wins) {
            let one = table.find(&position.roller(), &position.opponent());
            assert_eq!(table.find_position(position), one);
            match one {
                Some(one) => assert_eq!((six, win), (one.columns(), one.win())),
                None => assert!(six.iter().all(|x| x.is_nan()) && win == -1.0),
            }
        }
    }
}
