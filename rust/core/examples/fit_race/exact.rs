//! Exact values by playing out: all 21 rolls at every turn, results remembered, until a table takes over.

use std::collections::HashMap;

use gammon_core::bearoff::{Moments, OneSided, PIPS_A_ROLL};
use gammon_core::movegen::{PlayBuf, plays};
use gammon_core::position::Counts;
use gammon_core::{Backgammon, Position, Roll};

/// What a side plays for.
#[derive(Clone, Copy, PartialEq)]
pub enum Goal {
    /// The fewest mean rolls until everything is off.
    AllOff,
    /// The fewest mean rolls until the first checker is off.
    FirstOff,
}

/// Exact distributions; the play is the one the table likes best with what is beyond it pushed onto its
/// last point.
pub struct Exact<'a> {
    /// What takes over.
    pub table: &'a OneSided,
    /// Every side met so far that the table does not cover, with its chances.
    pub known: HashMap<Counts, Vec<f64>>,
    goal: Goal,
    buf: PlayBuf,
}

impl<'a> Exact<'a> {
    pub fn new(table: &'a OneSided, goal: Goal) -> Self {
        Exact { table, goal, known: HashMap::new(), buf: PlayBuf::new() }
    }

    /// The table's mean of a side, with checkers beyond it pushed onto its last point.
    pub fn guess(&self, side: &Counts) -> f64 {
        let last = self.table.points();
        let (mut inside, mut pips) = (*side, 0);
        for i in last..25 {
            pips += (i + 1 - last) * inside[i] as usize;
            inside[last - 1] += std::mem::take(&mut inside[i]);
        }
        let index = self.table.find(&inside).expect("at most fifteen on the table's points");
        let mean = match self.goal {
            Goal::AllOff => self.table.mean(index),
            Goal::FirstOff => self.table.mean_first_off(index),
        };
        mean + pips as f64 / PIPS_A_ROLL
    }

    /// The side after its best play; the first of equals.
    pub fn best(&mut self, side: &Counts, roll: Roll) -> Counts {
        plays::<Backgammon>(&alone(side), roll, &mut self.buf);
        let sides = self.buf.positions().iter().map(|after| after.opponent());
        let judged = sides.map(|side| (self.guess(&side), side));
        judged.min_by(|a, b| a.0.total_cmp(&b.0)).expect("some play").1
    }

    /// Chance of 0, 1, 2, … rolls.
    pub fn chances(&mut self, side: &Counts) -> Vec<f64> {
        if let Some(index) = self.table.find(side) {
            let rolls = match self.goal {
                Goal::AllOff => self.table.rolls(index),
                Goal::FirstOff => self.table.first_off(index),
            };
            return (0..=rolls.last()).map(|n| rolls.chance(n)).collect();
        }
        if let Some(known) = self.known.get(side) {
            return known.clone();
        }
        let mut total = vec![0.0; 100];
        for roll in Roll::ALL {
            let after = self.best(side, roll);
            for (n, chance) in self.chances(&after).into_iter().enumerate() {
                total[n + 1] += chance * f64::from(roll.weight()) / 36.0;
            }
        }
        while total.last() == Some(&0.0) {
            total.pop();
        }
        self.known.insert(*side, total.clone());
        total
    }
}

/// The side against a single checker it has passed.
fn alone(side: &Counts) -> Position {
    let mut last = [0; 25];
    last[0] = 1;
    Position::from_counts(side, &last).expect("nobody on the 24 point")
}

/// Whether a checker is outside the home board.
pub fn outside(side: &Counts) -> bool {
    side[6..].iter().any(|&n| n > 0)
}

/// Mean, variance and skewness of these chances of 0, 1, 2, … rolls.
pub fn moments(chances: &[f64]) -> Moments {
    let mean = chances.iter().enumerate().map(|(n, p)| p * n as f64).sum();
    let (mut variance, mut third) = (0.0f64, 0.0);
    for (n, p) in chances.iter().enumerate() {
        let off = n as f64 - mean;
        variance += p * off * off;
        third += p * off * off * off;
    }
    let skewness = if variance > 1e-9 { third / (variance * variance.sqrt()) } else { 0.0 };
    Moments { mean, variance, skewness }
}
