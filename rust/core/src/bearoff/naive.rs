//! The one-sided solution again, slow and obvious: every play of every roll is listed by the rules of
//! the game, and whole distributions are compared. The fast solver must agree with it.

use std::collections::{HashMap, HashSet};

use super::solve::{Goal, TIE};
use crate::dice::Roll;
use crate::position::Counts;

/// Chance of 0, 1, 2, … rolls.
pub(crate) type Chances = Vec<f64>;

/// A slow solver for one goal, remembering what it has found.
pub(crate) struct Naive {
    goal: Goal,
    checkers: u8,
    points: usize,
    known: HashMap<Counts, Chances>,
}

pub(crate) fn mean(chances: &Chances) -> f64 {
    chances.iter().enumerate().map(|(n, p)| n as f64 * p).sum()
}

pub(crate) fn variance(chances: &Chances) -> f64 {
    let mean = mean(chances);
    chances.iter().enumerate().map(|(n, p)| p * (n as f64 - mean).powi(2)).sum()
}

impl Naive {
    /// `checkers` is what a side starts with, for the first-off goal.
    pub(crate) fn new(goal: Goal, points: usize, checkers: u8) -> Naive {
        Naive { goal, checkers, points, known: HashMap::new() }
    }

    fn finished(&self, side: &Counts) -> bool {
        let left: u8 = side.iter().sum();
        left == 0 || (self.goal == Goal::FirstOff && left < self.checkers)
    }

    /// The distribution of rolls under the best play.
    pub(crate) fn solve(&mut self, side: &Counts) -> Chances {
        if self.finished(side) {
            return vec![1.0];
        }
        if let Some(chances) = self.known.get(side) {
            return chances.clone();
        }
        let mut total = vec![0.0; 64];
        for roll in Roll::ALL {
            let ends = self.ends(side, roll);
            let solved: Vec<(Chances, Counts)> =
                ends.into_iter().map(|end| (self.solve(&end), end)).collect();
            let best = solved
                .into_iter()
                .reduce(|best, other| if self.better(&other, &best) { other } else { best });
            for (n, p) in best.expect("some end").0.iter().enumerate() {
                total[n + 1] += f64::from(roll.weight()) / 36.0 * p;
            }
        }
        while total.last() == Some(&0.0) {
            total.pop();
        }
        self.known.insert(*side, total.clone());
        total
    }

    /// Smaller mean; else smaller variance; else the side that comes first in the numbering.
    fn better(&self, a: &(Chances, Counts), b: &(Chances, Counts)) -> bool {
        let close = |x: f64, y: f64| (x - y).abs() <= TIE;
        if !close(mean(&a.0), mean(&b.0)) {
            return mean(&a.0) < mean(&b.0);
        }
        if !close(variance(&a.0), variance(&b.0)) {
            return variance(&a.0) < variance(&b.0);
        }
        let heights =
            |side: &Counts| -> Vec<u8> { (0..self.points).map(|p| side[p..].iter().sum()).collect() };
        heights(&a.1) < heights(&b.1)
    }

    /// All sides a roll can lead to, playing as many dice as can be played.
    fn ends(&self, side: &Counts, roll: Roll) -> HashSet<Counts> {
        let (high, low) = (roll.high() as usize, roll.low() as usize);
        let orders =
            if roll.is_double() { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
        let mut reached: Vec<(usize, Counts)> = Vec::new();
        for dice in orders {
            self.play(side, &dice, 0, &mut reached);
        }
        let most = reached.iter().map(|&(played, _)| played).max().unwrap_or(0);
        // A side that is done needs no more dice.
        reached
            .into_iter()
            .filter(|(played, end)| *played == most || self.finished(end))
            .map(|(_, end)| end)
            .collect()
    }

    fn play(&self, side: &Counts, dice: &[usize], played: usize, reached: &mut Vec<(usize, Counts)>) {
        let mut stuck = true;
        if let (Some((&die, rest)), false) = (dice.split_first(), self.finished(side)) {
            for point in 1..=24 {
                if side[point - 1] == 0 || !self.legal(side, point, die) {
                    continue;
                }
                stuck = false;
                let mut next = *side;
                next[point - 1] -= 1;
                if point > die {
                    next[point - die - 1] += 1;
                }
                self.play(&next, rest, played + 1, reached);
            }
        }
        if stuck {
            reached.push((played, *side));
        }
    }

    fn legal(&self, side: &Counts, point: usize, die: usize) -> bool {
        if point > die || self.goal == Goal::Leave {
            return true;
        }
        let all_home = side[6..].iter().all(|&n| n == 0);
        all_home && (point == die || side[point..].iter().all(|&n| n == 0))
    }
}
