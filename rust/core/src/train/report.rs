//! What a stretch of training did: summed up chunk by chunk, and told.

use std::time::{Duration, Instant};

use crate::train::config::Config;
use crate::train::selfplay::Played;

/// What a stretch of training did, for a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Games learned from so far.
    pub games: u64,
    /// Positions learned from since the last report.
    pub positions: u64,
    /// Candidate plays evaluated since the last report.
    pub evaluations: u64,
    /// Seconds since the last report.
    pub seconds: f64,
    /// Games a second since the last report.
    pub games_per_second: f64,
    /// Mean squared error of the five chances against their targets since the last report.
    pub loss: f64,
    /// Shares of single games, gammons and backgammons since the last report; in other games, of wins of one
    /// point, of two and of more.
    pub outcomes: [f64; 3],
    /// Learning rate now.
    pub rate: f64,
    /// Lambda now.
    pub lambda: f64,
    /// Mean absolute difference in equity to the reference positions, if there are any.
    pub error: Option<f64>,
}

/// What is summed up between two reports.
pub(super) struct Tally {
    since: Instant,
    pub games: u64,
    positions: u64,
    evaluations: u64,
    loss: f64,
    outcomes: [u64; 3],
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally { since: Instant::now(), games: 0, positions: 0, evaluations: 0, loss: 0.0, outcomes: [0; 3] }
    }

    /// Adds a chunk of so many games, and the sum of its squared errors.
    pub(super) fn add(&mut self, played: &Played, games: u64, loss: f64) {
        self.games += games;
        self.loss += loss;
        self.positions += played.samples.len() as u64;
        self.evaluations += played.evaluations;
        for (sum, n) in self.outcomes.iter_mut().zip(played.outcomes) {
            *sum += n;
        }
    }

    /// The report once so many games have been learned from, with the error to reference positions.
    pub(super) fn report(&self, config: &Config, learned: u64, error: Option<f64>) -> Report {
        let seconds = self.since.elapsed().max(Duration::from_micros(1)).as_secs_f64();
        let ended = self.outcomes.iter().sum::<u64>().max(1) as f64;
        let positions = self.positions.max(1) as f64;
        Report {
            games: learned,
            positions: self.positions,
            evaluations: self.evaluations,
            seconds,
            games_per_second: self.games as f64 / seconds,
            loss: self.loss / (5.0 * positions),
            outcomes: self.outcomes.map(|n| n as f64 / ended),
            rate: config.rate(learned),
            lambda: config.lambda(learned),
            error,
        }
    }
}
