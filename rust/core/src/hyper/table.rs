//! The solved game as a table: built, saved, mapped, looked into.
//!
//! ```text
//! body   32 bytes a position: the roller's side times how many sides there are plus the opponent's
//!          5 x f32  chances (win, win gammon, win backgammon, lose gammon, lose backgammon)
//!          3 x f32  equities (centred without doubling, owned without doubling, owned by the opponent)
//!        64 bytes  the opening: equity, 4 chances, last change of an equity and of a chance, 0, as f64
//! ```

use std::path::Path;

use super::numbering::Sides;
use super::solve::{CELL, Change, Solver, chance};
use crate::bearoff::{BuildError, Equities, Image, Kind, TableError, body_mut};
use crate::eval::{EvalError, Evaluator};
use crate::outcome::Probs;
use crate::parallel::{Lookout, Watch};
use crate::position::Position;
use crate::rules::Rules;

/// Bytes of the opening.
const OPENING: usize = 64;
/// Sweeps that the tables of one, two and three checkers take.
const SWEEPS: [usize; 3] = [16, 45, 91];

/// All that is known of a position, seen by the player on roll, who is yet to throw.
///
/// Equities are for money, in units of the cube as it stands, without Jacoby's rule, beavers or a limit to the
/// cube; each with the best plays and decisions of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Chances with the plays that are best without a cube.
    pub probs: Probs,
    /// Cube in the middle, not doubling this turn.
    pub centred_no_double: f64,
    /// Cube owned by the player on roll, not doubling this turn.
    pub owned_no_double: f64,
    /// Cube owned by the opponent.
    pub opponent_owned: f64,
}

impl Known {
    /// Names of [`Known::columns`].
    pub const COLUMNS: [&str; 6] = Equities::COLUMNS;

    /// Without a cube.
    pub fn cubeless(&self) -> f64 {
        let [win, gammon, backgammon, lost, lost_more] = self.probs.to_array().map(f64::from);
        2.0 * win - 1.0 + gammon + backgammon - lost - lost_more
    }

    /// Its equities, as those of a bear-off.
    pub fn equities(&self) -> Equities {
        let Known { centred_no_double, owned_no_double, opponent_owned, .. } = *self;
        Equities { cubeless: self.cubeless(), centred_no_double, owned_no_double, opponent_owned }
    }

    /// Cube in the middle, with the best decision this turn.
    pub fn centred_best(&self) -> f64 {
        self.equities().centred_best()
    }

    /// Cube owned by the player on roll, with the best decision this turn.
    pub fn owned_best(&self) -> f64 {
        self.equities().owned_best()
    }

    /// All values that are not multiples of others.
    pub fn columns(&self) -> [f64; 6] {
        self.equities().columns()
    }
}

/// The start, for the winner of the opening roll, who plays the two dice that decided it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Without a cube.
    pub equity: f64,
    /// Chances: win, win gammon, win backgammon, lose gammon, lose backgammon.
    pub chances: [f64; 5],
    /// By how much the most changed equity changed in the last sweep.
    pub change: f64,
    /// By how much the most changed chance did.
    pub chance_change: f64,
    /// Sweeps made.
    pub sweeps: usize,
}

/// All positions of Hypergammon with one, two or three checkers a side.
pub struct Hypergammon {
    sides: Sides,
    image: Image,
    id: String,
}

impl std::fmt::Debug for Hypergammon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hypergammon({} checkers)", self.checkers())
    }
}

impl Hypergammon {
    /// Solves the game with so many checkers a side.
    ///
    /// Takes 64 bytes a pair of sides while it works, which for three checkers are 0.69 GB. The same on any number of
    /// threads. The watcher is told how many of [`Hypergammon::work`] steps are done.
    ///
    /// # Errors
    /// For another number of checkers than 1 to 3, and if the watcher stops it.
    pub fn build(checkers: usize, threads: usize, watch: &mut Watch<'_>) -> Result<Hypergammon, BuildError> {
        let sides = Sides::new(checkers).ok_or(BuildError::Checkers { checkers })?;
        let mut solver = Solver::new(sides, OPENING);
        let mut lookout = Lookout::new(watch);
        let (sweeps, change) = solver.run(threads, &mut lookout)?;
        let opening = opening(&solver, &change);
        for cell in 0..solver.four.len() {
            let values = values(&solver, cell);
            let bytes = &mut body_mut(&mut solver.bytes)[cell * CELL..][..CELL];
            for (bytes, value) in bytes.chunks_exact_mut(4).zip(values) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
            if cell % 0x1_0000 == 0 {
                lookout.look(sweeps * solver.four.len())?;
            }
        }
        let at = solver.four.len() * CELL;
        for (bytes, value) in body_mut(&mut solver.bytes)[at..].chunks_exact_mut(8).zip(opening) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        let params = [checkers as u32, sweeps as u32, 0, 0, 0, 0, 0, 0];
        Ok(Hypergammon::of(solver.sides, Image::new(Kind::Hypergammon, params, solver.bytes)))
    }

    /// Steps that [`Hypergammon::build`] reports progress in.
    pub fn work(checkers: usize) -> Option<usize> {
        let sides = Sides::new(checkers)?;
        Some(SWEEPS[checkers - 1] * sides.len() * sides.len())
    }

    /// Maps a table written by [`Hypergammon::save`].
    ///
    /// # Errors
    /// If it cannot be read, or is not exactly such a table.
    pub fn open(path: &Path) -> Result<Hypergammon, TableError> {
        Hypergammon::from_image(Image::open(path, Kind::Hypergammon)?)
    }

    fn from_image(image: Image) -> Result<Hypergammon, TableError> {
        let sides = Sides::new(image.params[0] as usize).ok_or(TableError::Malformed("no such size"))?;
        if image.body().len() != sides.len() * sides.len() * CELL + OPENING {
            return Err(TableError::Malformed("its size does not fit its parameters"));
        }
        Ok(Hypergammon::of(sides, image))
    }

    fn of(sides: Sides, image: Image) -> Hypergammon {
        let id = format!("hypergammon-{}-{:016x}", sides.checkers(), image.digest());
        Hypergammon { sides, image, id }
    }

    /// Writes the table under a temporary name in the same folder and renames it.
    ///
    /// # Errors
    /// If the system refuses; `path` is then as before.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        self.image.save(path)
    }

    /// Checkers a side.
    pub fn checkers(&self) -> usize {
        self.sides.checkers()
    }

    /// How sides are numbered.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// Bytes of the table, in memory or on disk.
    pub fn size(&self) -> usize {
        self.image.body().len() + 64
    }

    /// The start.
    pub fn opening(&self) -> Opening {
        let body = self.image.body();
        let (numbers, _) = body[body.len() - OPENING..].as_chunks::<8>();
        let number = |i: usize| f64::from_le_bytes(numbers[i]);
        let [equity, won, won_more, lost, lost_more] = std::array::from_fn(number);
        let win = (1.0 + equity - won - won_more + lost + lost_more) / 2.0;
        Opening {
            equity,
            chances: [win, won, won_more, lost, lost_more],
            change: number(5),
            chance_change: number(6),
            sweeps: self.image.params[1] as usize,
        }
    }

    /// What is known of a position, checkers that are missing being off; `None` if a side has too many.
    pub fn find(&self, position: &Position) -> Option<Known> {
        self.sides.of(position).map(|(roller, opponent)| self.at(roller, opponent))
    }

    /// What is known of the side numbered `roller` on roll against the side numbered `opponent`.
    ///
    /// Two sides on one point, or both off, are no position, and have no meaning here.
    ///
    /// # Panics
    /// If a number is not one of [`Hypergammon::sides`].
    #[inline]
    pub fn at(&self, roller: usize, opponent: usize) -> Known {
        let sides = self.sides.len();
        assert!(roller < sides && opponent < sides);
        let (values, _) = self.image.body()[(roller * sides + opponent) * CELL..][..CELL].as_chunks::<4>();
        let value = |i: usize| f32::from_le_bytes(values[i]);
        Known {
            probs: Probs::from_array(std::array::from_fn(value)),
            centred_no_double: f64::from(value(5)),
            owned_no_double: f64::from(value(6)),
            opponent_owned: f64::from(value(7)),
        }
    }
}

/// The opening's eight numbers.
fn opening(solver: &Solver, change: &Change) -> [f64; OPENING / 8] {
    let checkers = solver.sides.checkers() as u8;
    let start = [24, 23, 22].map(|place| if place > 24 - checkers { place } else { 0 });
    let (equity, [won, won_more, lost, lost_more]) = solver.opening(solver.sides.number(&start));
    [equity, won, won_more, lost, lost_more, change.equity, chance(change.chance), 0.0]
}

/// The eight numbers of a position.
fn values(solver: &Solver, cell: usize) -> [f32; CELL / 4] {
    let [cubeless, .., opponent_owned] = solver.four[cell];
    let (chances, [centred, owned]) = solver.chances(cell);
    let [won, won_more, lost, lost_more] = chances.map(chance);
    let win = ((1.0 + cubeless - won - won_more + lost + lost_more) / 2.0).clamp(0.0, 1.0);
    let [win, won, won_more, lost, lost_more, opponent_owned] =
        [win, won, won_more, lost, lost_more, opponent_owned].map(|value| value as f32);
    [win, won, won_more, lost, lost_more, centred, owned, opponent_owned]
}

impl<R: Rules> Evaluator<R> for Hypergammon {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        assert_eq!(positions.len(), out.len());
        for (position, out) in positions.iter().zip(out) {
            *out = self.find(position).ok_or(EvalError::Uncovered(*position))?.probs;
        }
        Ok(())
    }

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
