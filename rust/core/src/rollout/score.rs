//! What one game of a trial gives: its numbers as whole multiples of a small unit, so that sums are exact.

use crate::outcome::Probs;

/// The numbers a rollout estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Quantity {
    /// Games won, however.
    Win,
    /// Gammons and backgammons won.
    WinGammon,
    /// Backgammons won.
    WinBackgammon,
    /// Gammons and backgammons lost.
    LoseGammon,
    /// Backgammons lost.
    LoseBackgammon,
    /// Cubeless money equity.
    Equity,
    /// With the cube: points per unit of the cube at the start, in a match the chance to win it.
    Cubeful,
}

impl Quantity {
    /// All, in order.
    pub const ALL: [Quantity; QUANTITIES] = [
        Quantity::Win,
        Quantity::WinGammon,
        Quantity::WinBackgammon,
        Quantity::LoseGammon,
        Quantity::LoseBackgammon,
        Quantity::Equity,
        Quantity::Cubeful,
    ];

    /// What one is, in the whole numbers summed up: 2^30, or 2^24 with the cube, which may multiply it by 2^15.
    pub(crate) const fn one(self) -> f64 {
        match self {
            Quantity::Cubeful => (1u64 << 24) as f64,
            _ => (1u64 << 30) as f64,
        }
    }
}

/// How many there are.
pub const QUANTITIES: usize = 7;

/// Five chances in double precision, in the order of [`Probs`].
pub(crate) type Chances = [f64; 5];

pub(crate) fn chances(probs: &Probs) -> Chances {
    probs.to_array().map(f64::from)
}

/// The same chances seen by the other player.
pub(crate) fn flipped([win, wg, wb, lg, lb]: Chances) -> Chances {
    [1.0 - win, lg, lb, wg, wb]
}

/// A difference of chances seen by the other player.
pub(crate) fn flipped_difference([win, wg, wb, lg, lb]: Chances) -> Chances {
    [-win, lg, lb, wg, wb]
}

/// The numbers of one game: first with the luck taken out, then as they came.
///
/// Without luck adjustment both are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score(pub [i64; 2 * QUANTITIES]);

impl Score {
    /// From what the game ended with and the luck in it, both seen by the player whose numbers are wanted.
    pub(crate) fn new(value: &Chances, luck: &Chances, cubeful: f64, cubeful_luck: f64) -> Score {
        let mut score = Score::default();
        let adjusted: Chances = std::array::from_fn(|i| value[i] - luck[i]);
        let (first, second) = score.0.split_at_mut(QUANTITIES);
        fill(first, &adjusted, cubeful - cubeful_luck);
        fill(second, value, cubeful);
        score
    }
}

impl Score {
    /// The same without a cube, where the equity does not follow from the chances.
    pub(crate) fn worth(value: &Chances, luck: &Chances, equity: f64, equity_luck: f64) -> Score {
        let mut score = Score::new(value, luck, 0.0, 0.0);
        for (first, equity) in [(0, equity - equity_luck), (QUANTITIES, equity)] {
            score.0[first + Quantity::Equity as usize] = (equity * Quantity::Equity.one()).round() as i64;
        }
        score
    }
}

fn fill(out: &mut [i64], chances: &Chances, cubeful: f64) {
    for ((out, chance), quantity) in out.iter_mut().zip(chances).zip(Quantity::ALL) {
        *out = (chance * quantity.one()).round() as i64;
    }
    let one = Quantity::Equity.one() as i64;
    out[Quantity::Equity as usize] = 2 * out[0] - one + out[1] + out[2] - out[3] - out[4];
    out[Quantity::Cubeful as usize] = (cubeful * Quantity::Cubeful.one()).round() as i64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equity_follows_from_the_chances() {
        let score = Score::new(&[1.0, 1.0, 0.0, 0.0, 0.0], &[0.25, 0.0, 0.0, -0.5, 0.0], 2.0, 0.5);
        let one = 1i64 << 30;
        let cube = 1i64 << 24;
        assert_eq!(score.0[..5], [one * 3 / 4, one, 0, one / 2, 0]);
        assert_eq!(score.0[5..9], [one / 2 + one - one / 2, cube * 3 / 2, one, one]);
        assert_eq!(score.0[12..], [2 * one, 2 * cube]);
    }

    #[test]
    fn an_equity_can_be_its_own() {
        let score = Score::worth(&[1.0, 0.0, 0.0, 0.0, 0.0], &[0.25, 0.0, 0.0, 0.0, 0.0], 15.0, 0.5);
        let one = 1i64 << 30;
        assert_eq!([score.0[0], score.0[5], score.0[6]], [one * 3 / 4, one * 29 / 2, 0]);
        assert_eq!([score.0[7], score.0[12], score.0[13]], [one, 15 * one, 0]);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let p = [0.75, 0.25, 0.125, 0.0, 0.0];
        assert_eq!(flipped(flipped(p)), p);
        assert_eq!(flipped(p), [0.25, 0.0, 0.0, 0.25, 0.125]);
        assert_eq!(flipped_difference(flipped_difference(p)), p);
    }
}
