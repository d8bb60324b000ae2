//! Cube life: how much of the cube's full worth a position leaves its owner.

use crate::eval::Phase;
use crate::position::Position;

/// Janowski's cube life index for each kind of position: 0 is a dead cube, 1 a perfectly live one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeLife {
    /// Contact, both sides still building.
    pub contact: f64,
    /// Contact, a side crunched.
    pub crashed: f64,
    /// A race: at no pips at all.
    pub race: f64,
    /// A race: what every pip of the player on roll adds.
    pub race_per_pip: f64,
    /// A race: the lowest and the highest value.
    pub race_bounds: [f64; 2],
    /// Both sides bearing off.
    pub bearoff: f64,
}

impl CubeLife {
    /// The values GNU Backgammon uses without lookahead, as its manual gives them.
    ///
    /// Janowski himself estimates 0.6 to 0.75 ("Take-Points in Money Games", 1993).
    pub const GNUBG: CubeLife = CubeLife {
        contact: 0.68,
        crashed: 0.68,
        race: 0.55,
        race_per_pip: 0.00125,
        race_bounds: [0.6, 0.7],
        bearoff: 0.6,
    };

    /// The values at which the model comes closest to cubeful search.
    ///
    /// Least squares, in steps of 0.02, over the two-ply money equities of `tests/data/evals.jsonl.gz` (no double
    /// with the cube centred, with and without Jacoby, and owned; half of double and take) from the two-ply
    /// chances: 0.74, 0.72, 0.74, 0.76 in 599, 122, 124 and 120 positions. `docs/cube.md` has the figures.
    pub const MEASURED: CubeLife = CubeLife {
        contact: 0.74,
        crashed: 0.72,
        race: 0.74,
        race_per_pip: 0.0,
        race_bounds: [0.74, 0.74],
        bearoff: 0.76,
    };

    /// The same value everywhere.
    pub const fn constant(life: f64) -> CubeLife {
        CubeLife {
            contact: life,
            crashed: life,
            race: life,
            race_per_pip: 0.0,
            race_bounds: [life, life],
            bearoff: life,
        }
    }

    /// The index of a position of the standard game; a finished game has none (0).
    pub fn of(&self, position: &Position) -> f64 {
        match Phase::of(position) {
            Phase::Over => 0.0,
            Phase::BearOff => self.bearoff,
            Phase::Race => {
                let [low, high] = self.race_bounds;
                let pips = f64::from(position.pip_counts().0);
                (self.race + self.race_per_pip * pips).max(low).min(high)
            }
            Phase::Crashed => self.crashed,
            Phase::Contact => self.contact,
        }
    }
}

impl Default for CubeLife {
    fn default() -> CubeLife {
        CubeLife::MEASURED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_lie_between_their_bounds() {
        let race = |point: usize| {
            let mut counts = [0; 25];
            counts[point - 1] = 10;
            Position::from_counts(&counts, &counts).unwrap()
        };
        assert_eq!(CubeLife::GNUBG.of(&Position::START), 0.68);
        assert_eq!(CubeLife::GNUBG.of(&race(12)), 0.7);
        assert_eq!(CubeLife::GNUBG.of(&race(7)), 0.55 + 0.00125 * 70.0);
        assert_eq!(CubeLife::GNUBG.of(&race(6)), 0.6);
        assert_eq!(CubeLife::constant(0.3).of(&race(7)), 0.3);
    }
}
