//! Exact sums of trials, and what they estimate.
//!
//! A trial's chances and equity are turned into whole multiples of 2^-30 once and summed as integers,
//! so parts merge into the same bits in any order. A game played to its end contributes exact zeros
//! and ones.

use crate::outcome::{Outcome, Probs};

/// One, in fixed point.
const ONE: f64 = (1u64 << 30) as f64;

/// Sum and sum of squares of a fixed-point quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// Sum of the values, in units of 2^-30.
    pub sum: i128,
    /// Sum of their squares, in units of 2^-60.
    pub squares: u128,
}

impl Moments {
    fn add(&mut self, value: i64) {
        self.sum += i128::from(value);
        self.squares += u128::from(value.unsigned_abs()).pow(2);
    }

    fn merge(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn estimate(&self, trials: u64) -> Estimate {
        let n = trials as f64;
        let mean = self.sum as f64 / ONE / n;
        let squares = self.squares as f64 / (ONE * ONE) / n;
        // Of one trial nothing is known about the spread.
        let error =
            if trials > 1 { ((squares - mean * mean).max(0.0) / (n - 1.0)).sqrt() } else { f64::INFINITY };
        Estimate { mean, error }
    }
}

/// A mean over trials with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Standard error of the mean; infinite for a single trial.
    pub error: f64,
}

/// The sums of some trials of a rollout, seen by the player on roll at its start.
///
/// Parts of different trials of one rollout add up to the whole, whatever the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Trials summed up.
    pub trials: u64,
    /// The five chances, cumulative: win, gammons and backgammons won, gammons and backgammons lost.
    pub chances: [Moments; 5],
    /// Cubeless money equity.
    pub equity: Moments,
    /// Games won single, gammon, backgammon; then lost likewise. Games broken off are not in here.
    pub outcomes: [[u64; 3]; 2],
    /// Turns played in all.
    pub turns: u64,
    /// Positions evaluated in all.
    pub evaluations: u64,
}

impl Part {
    /// Adds a finished game.
    pub(crate) fn add_result(&mut self, won: bool, outcome: Outcome) {
        self.outcomes[usize::from(!won)][outcome as usize - 1] += 1;
        self.add_value(&Probs::certain(won, outcome));
    }

    /// Adds a trial by the chances it ended with.
    pub(crate) fn add_value(&mut self, value: &Probs) {
        let whole = value.to_array().map(|p| (f64::from(p) * ONE).round() as i64);
        for (moments, value) in self.chances.iter_mut().zip(whole) {
            moments.add(value);
        }
        let [win, gammons, backgammons, lost_gammons, lost_backgammons] = whole;
        self.equity.add(2 * win - ONE as i64 + gammons + backgammons - lost_gammons - lost_backgammons);
        self.trials += 1;
    }

    /// Adds the trials of another part of the same rollout.
    pub fn merge(&mut self, other: &Part) {
        self.trials += other.trials;
        for (moments, others) in self.chances.iter_mut().zip(&other.chances) {
            moments.merge(others);
        }
        self.equity.merge(&other.equity);
        for (count, others) in self.outcomes.as_flattened_mut().iter_mut().zip(other.outcomes.as_flattened())
        {
            *count += others;
        }
        self.turns += other.turns;
        self.evaluations += other.evaluations;
    }

    /// Games that were broken off by the turn limit.
    pub fn unfinished(&self) -> u64 {
        self.trials - self.outcomes.as_flattened().iter().sum::<u64>()
    }

    /// The five chances with their standard errors; `None` without trials.
    pub fn chances(&self) -> Option<[Estimate; 5]> {
        (self.trials > 0).then(|| self.chances.map(|moments| moments.estimate(self.trials)))
    }

    /// Cubeless money equity with its standard error; `None` without trials.
    pub fn equity(&self) -> Option<Estimate> {
        (self.trials > 0).then(|| self.equity.estimate(self.trials))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_errors_of_a_handful() {
        let mut part = Part::default();
        assert_eq!((part.equity(), part.chances()), (None, None));
        part.add_result(true, Outcome::Gammon);
        assert_eq!(part.equity(), Some(Estimate { mean: 2.0, error: f64::INFINITY }));
        part.add_result(false, Outcome::Single);
        part.add_result(true, Outcome::Single);
        part.add_result(false, Outcome::Backgammon);
        // 2, -1, 1, -3: mean -1/4, squared deviations 14.75 in all, so error^2 = 14.75 / 3 / 4.
        let equity = part.equity().unwrap();
        assert_eq!(equity.mean, -0.25);
        assert!((equity.error - (14.75f64 / 12.0).sqrt()).abs() < 1e-12);
        let means = part.chances().unwrap().map(|estimate| estimate.mean);
        assert_eq!(means, [0.5, 0.25, 0.0, 0.25, 0.25]);
        assert_eq!(part.outcomes, [[1, 1, 0], [1, 0, 1]]);
        assert_eq!((part.trials, part.unfinished()), (4, 0));
    }

    #[test]
    fn merging_is_the_same_in_any_order() {
        let values: Vec<Probs> = (0..90)
            .map(|i| {
                let win = i as f32 / 90.0;
                Probs { win, win_gammon: win * 0.3, lose_gammon: (1.0 - win) * 0.1, ..Probs::default() }
            })
            .collect();
        let sum = |values: &[Probs]| {
            let mut part = Part::default();
            values.iter().for_each(|value| part.add_value(value));
            part
        };
        let whole = sum(&values);
        let parts = [sum(&values[..20]), sum(&values[20..71]), sum(&values[71..])];
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut merged = Part::default();
            order.iter().for_each(|&i| merged.merge(&parts[i]));
            assert_eq!(merged, whole);
        }
        assert_eq!(whole.unfinished(), 90);
    }
}
