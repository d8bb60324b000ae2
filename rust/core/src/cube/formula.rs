//! Match equity tables that are computed, and how known tables are extended.

use crate::cube::MAX_AWAY;

/// Standard deviation of a game's result in points, at 1, 2, ... points away: David Montgomery's figures.
///
/// Scores further away than the list use its last entry.
const DEVIATION: [f64; 11] = [1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77];

fn deviation(away: usize) -> f64 {
    DEVIATION[away.min(DEVIATION.len()) - 1]
}

/// Pre-Crawford chance to win the match by David Montgomery's normal approximation.
///
/// The rest of the match is taken as `(away + opp_away) / 2` games whose results add up to a normal variable;
/// the player wins if he makes up the difference of the scores.
pub fn montgomery(away: usize, opp_away: usize) -> f64 {
    if away < opp_away {
        return 1.0 - montgomery(opp_away, away);
    }
    let games = (away + opp_away) as f64 / 2.0;
    let (a, b) = (deviation(away), deviation(opp_away));
    let sigma = ((a * a + b * b) * games).sqrt();
    upper_tail((away - opp_away) as f64 / sigma)
}

/// Chance that a standard normal variable exceeds `x` >= 0.
///
/// Basic arithmetic only apart from `exp`; the continued fraction of Laplace beyond 3, the power series of
/// the distribution (Abramowitz and Stegun 26.2.11) below.
fn upper_tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x > 3.0 {
        let fraction = (1..=60).rev().fold(x, |tail, k| x + f64::from(k) / tail);
        return density / fraction;
    }
    let (mut term, mut sum) = (x, x);
    for k in 1..60 {
        term *= x * x / f64::from(2 * k + 1);
        sum += term;
    }
    0.5 - density * sum
}

/// How the trailer's chances after the Crawford game are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PostCrawford {
    /// Share of the trailer's wins that are gammons.
    pub gammons: f64,
    /// What the leader's free drop costs the trailer at 2-away and at 4-away.
    pub free_drop: [f64; 2],
    /// Whether scores further away feel the free drop too, or only those two.
    pub carried_on: bool,
}

impl PostCrawford {
    /// Norman Zadeh, "On doubling in tournament backgammon", Management Science 23 (1977), page 986.
    pub const ZADEH: PostCrawford =
        PostCrawford { gammons: 0.25, free_drop: [0.015, 0.004], carried_on: true };

    /// GNU Backgammon's `mec`, for the first player: at 4-away the trailer gains, and nothing is carried on.
    pub const MEC: PostCrawford =
        PostCrawford { gammons: 0.26, free_drop: [0.015, -0.004], carried_on: false };

    /// The chances at 1, 2, ... [`MAX_AWAY`] points away: every game is doubled at once and even.
    pub fn table(&self) -> Vec<f64> {
        self.extend(&[])
    }

    /// The same, the first entries being given.
    pub fn extend(&self, known: &[f64]) -> Vec<f64> {
        let mut table = known.to_vec();
        for away in known.len() + 1..=MAX_AWAY {
            let after = |points: usize| if away <= points { 1.0 } else { table[away - points - 1] };
            let chance = 0.5 * (self.gammons * after(4) + (1.0 - self.gammons) * after(2));
            table.push(if self.carried_on { chance - self.drop_at(away) } else { chance });
        }
        if !self.carried_on {
            for away in known.len() + 1..=4 {
                table[away - 1] -= self.drop_at(away);
            }
        }
        table
    }

    fn drop_at(&self, away: usize) -> f64 {
        match away {
            2 => self.free_drop[0],
            4 => self.free_drop[1],
            _ => 0.0,
        }
    }
}

/// The parameters of Zadeh's recursion for the scores before the Crawford game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zadeh {
    /// Share of gammons among the wins of the player who doubled.
    pub doubler_gammons: f64,
    /// Share of gammons among the wins of the player who took.
    pub taker_gammons: f64,
    /// How far beyond the perfect point redoubles are cashed, in chance to win.
    pub redouble_waste: f64,
    /// How far beyond the perfect point first doubles are cashed, in chance to win.
    pub double_waste: f64,
}

impl Zadeh {
    /// Zadeh's formula with the parameters GNU Backgammon's manual gives for it.
    pub const STANDARD: Zadeh =
        Zadeh { doubler_gammons: 0.25, taker_gammons: 0.15, redouble_waste: 0.08, double_waste: 0.06 };

    /// The pre-Crawford table of `length` points a side, row by row, from the post-Crawford chances.
    ///
    /// A score is worth what lies halfway between the two points at which a player can cash the game; those
    /// come from the cash points at twice the cube, down from the cube that is dead for somebody.
    pub fn table(&self, length: usize, post: &[f64]) -> Vec<f64> {
        let mut table = Growing { length, cells: vec![0.5; length * length] };
        let after = |away: usize| if away == 0 { 1.0 } else { post[away - 1] };
        for away in 2..=length {
            let trailer = 0.5
                * (self.doubler_gammons * after(away.saturating_sub(2))
                    + (1.0 - self.doubler_gammons) * after(away - 1));
            table.set(away, 1, trailer);
        }
        table.set(1, 1, 0.5);
        for away in 2..=length {
            for opp_away in 2..=away {
                let [mine, his] = self.cash_points(&table, away, opp_away);
                let (mine, his) = (mine + self.double_waste, his + self.double_waste);
                let (won, lost) = (
                    table.get(away as isize - 1, opp_away as isize),
                    table.get(away as isize, opp_away as isize - 1),
                );
                let share = (his - 0.5) / (mine + his - 1.0);
                table.set(away, opp_away, lost + (won - lost) * share);
            }
        }
        table.cells
    }

    /// Both players' chances to win at which the other is just right to pass a first double.
    fn cash_points(&self, table: &Growing, away: usize, opp_away: usize) -> [f64; 2] {
        let mut cash = [1.0, 1.0];
        let top = usize::BITS - away.max(opp_away).leading_zeros();
        for level in (0..=top).rev() {
            let cube = 1 << level;
            let mine = self.dead_cash_point(table, away, opp_away, cube);
            let his = self.dead_cash_point(table, opp_away, away, cube);
            let alive = away > 2 * cube && opp_away > 2 * cube;
            cash = if alive {
                [
                    1.0 + (cash[1] + self.redouble_waste) * (mine - 1.0),
                    1.0 + (cash[0] + self.redouble_waste) * (his - 1.0),
                ]
            } else {
                [mine, his]
            };
        }
        cash
    }

    /// The cash point of a player who turns the cube from `cube` for the last time.
    ///
    /// If winning the doubled cube is enough for him but not for the other, the other redoubles at once.
    fn dead_cash_point(&self, table: &Growing, away: usize, opp_away: usize, cube: usize) -> f64 {
        let redoubled = away <= 2 * cube && opp_away > 2 * cube;
        let stake = if redoubled { 4 * cube } else { 2 * cube } as isize;
        let (me, opp) = (away as isize, opp_away as isize);
        let won = (1.0 - self.doubler_gammons) * table.get(me - stake, opp)
            + self.doubler_gammons * table.get(me - 2 * stake, opp);
        let lost = (1.0 - self.taker_gammons) * table.get(me, opp - stake)
            + self.taker_gammons * table.get(me, opp - 2 * stake);
        let cashed = table.get(me - cube as isize, opp);
        if won > lost { (cashed - lost) / (won - lost) } else { 1.0 }
    }
}

/// A table that is filled from the end of the match towards its beginning.
struct Growing {
    length: usize,
    cells: Vec<f64>,
}

impl Growing {
    fn get(&self, away: isize, opp_away: isize) -> f64 {
        if away <= 0 {
            1.0
        } else if opp_away <= 0 {
            0.0
        } else {
            self.cells[(away as usize - 1) * self.length + opp_away as usize - 1]
        }
    }

    fn set(&mut self, away: usize, opp_away: usize, chance: f64) {
        self.cells[(away - 1) * self.length + opp_away - 1] = chance;
        self.cells[(opp_away - 1) * self.length + away - 1] = 1.0 - chance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_tail_has_its_known_values() {
        // Abramowitz and Stegun, table 26.1.
        for (x, tail) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457),
            (2.0, 0.022_750_131_948_179),
            (2.999, 0.001_354_336_533_73),
            (3.5, 0.000_232_629_079_035_5),
            (6.0, 9.865_876_45e-10),
        ] {
            assert!((upper_tail(x) - tail).abs() < 1e-11, "{x}: {}", upper_tail(x));
        }
    }

    #[test]
    fn zadeh_needs_one_game_at_two_away() {
        // 2-away, 1-away Crawford: half the games are won, a quarter of those by a gammon; else a fair last game.
        let table = Zadeh::STANDARD.table(25, &PostCrawford::ZADEH.table());
        assert!((table[25] - 0.5 * (0.25 + 0.75 * 0.5)).abs() < 1e-12);
        for away in 0..25 {
            assert_eq!(table[away * 25 + away], 0.5);
        }
    }
}
