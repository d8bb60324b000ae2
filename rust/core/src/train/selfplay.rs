//! One game of a net against itself, and what there is to learn from it.

use crate::eval::{Evaluator, best_for_mover};
use crate::movegen::{self, PlayBuf};
use crate::nn::Net;
use crate::outcome::{Outcome, Probs};
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::{Backgammon, Rules};
use crate::train::config::Config;
use crate::train::model::Sample;

/// Turns after which a game is broken off; the last value stands for the rest.
const LEARNED_TURNS: u64 = 2_000;

/// Streams of a game's random words beside its dice.
pub(super) const OPENING: u64 = 1;
pub(super) const EXPLORATION: u64 = 2;

/// Memory a thread reuses from game to game.
pub(crate) struct Workspace {
    plays: PlayBuf,
    values: Vec<Probs>,
    turns: Vec<Turn>,
}

/// What a turn leaves behind.
struct Turn {
    position: Position,
    /// The value of the best play, seen by the player who made the turn.
    best: Probs,
    /// Whether another play was made, so that the rest of the game says nothing about the best one.
    explored: bool,
}

/// Samples and results of some games.
#[derive(Default)]
pub(crate) struct Played {
    pub samples: Vec<Sample>,
    /// Games that ended single, gammon, backgammon.
    pub outcomes: [u64; 3],
    pub evaluations: u64,
}

impl Played {
    /// Adds what was played later.
    pub(crate) fn append(&mut self, later: Played) {
        self.samples.extend(later.samples);
        self.evaluations += later.evaluations;
        for (sum, n) in self.outcomes.iter_mut().zip(later.outcomes) {
            *sum += n;
        }
    }
}

impl Workspace {
    pub(crate) fn new() -> Workspace {
        Workspace { plays: PlayBuf::new(), values: Vec::new(), turns: Vec::new() }
    }

    /// Plays game `number` and adds its samples.
    pub(crate) fn play(&mut self, net: &Net, config: &Config, number: u64, lambda: f32, played: &mut Played) {
        let dice = Stream::new(config.seed, number);
        let choices = dice.fork(EXPLORATION);
        self.turns.clear();
        let (mut position, mut turn) = self.open(config, dice);
        let mut result = Backgammon::result(&position);
        while result.is_none() && turn < LEARNED_TURNS {
            let roll = if turn == 0 { dice.opening_roll(0) } else { dice.roll(turn) };
            movegen::plays::<Backgammon>(&position, roll, &mut self.plays);
            let candidates = self.plays.positions();
            self.values.resize(candidates.len(), Probs::default());
            net.evaluate(candidates, &mut self.values).expect("a net covers every position");
            played.evaluations += candidates.len() as u64;
            let best = best_for_mover(&self.values);
            let chosen = explore(config.exploration, choices, turn, &self.values, best);
            self.turns.push(Turn { position, best: self.values[best].flipped(), explored: chosen != best });
            position = candidates[chosen];
            result = Backgammon::result(&position);
            turn += 1;
        }
        if let Some((_, outcome)) = result {
            played.outcomes[match outcome {
                Outcome::Single => 0,
                Outcome::Gammon => 1,
                Outcome::Backgammon => 2,
            }] += 1;
        }
        self.learnable(lambda, &mut played.samples);
    }

    /// The position and turn a game is played from: the start, or what some random plays made of it.
    fn open(&mut self, config: &Config, dice: Stream) -> (Position, u64) {
        let words = dice.fork(OPENING);
        let mut position = Backgammon::start();
        if config.random_plays == 0 || words.unit(0) >= config.random_openings {
            return (position, 0);
        }
        let plays = 1 + u64::from(words.below(config.random_plays as u32, 1));
        for turn in 0..plays {
            let roll = if turn == 0 { dice.opening_roll(0) } else { dice.roll(turn) };
            movegen::plays::<Backgammon>(&position, roll, &mut self.plays);
            let candidates = self.plays.positions();
            position = candidates[words.below(candidates.len() as u32, 2 + turn) as usize];
            if position.is_over() {
                return (position, turn + 1);
            }
        }
        (position, plays)
    }

    /// The lambda returns, from the last turn backwards.
    fn learnable(&self, lambda: f32, samples: &mut Vec<Sample>) {
        let mut later: Option<Probs> = None;
        let first = samples.len();
        for turn in self.turns.iter().rev() {
            let target = match later {
                Some(later) if !turn.explored => mixed(turn.best, later.flipped(), lambda),
                _ => turn.best,
            };
            samples.push(Sample { position: turn.position, target });
            later = Some(target);
        }
        samples[first..].reverse();
    }
}

/// `(1 - weight) a + weight b`.
pub(super) fn mixed(a: Probs, b: Probs, weight: f32) -> Probs {
    let (a, b) = (a.to_array(), b.to_array());
    Probs::from_array(std::array::from_fn(|i| a[i] + weight * (b[i] - a[i])))
}

/// The best play for the mover but one; the first of equals. There are at least two.
fn best_but(values: &[Probs], one: usize) -> usize {
    let (before, after) = (&values[..one], &values[one + 1..]);
    match (before.is_empty(), after.is_empty()) {
        (true, _) => one + 1 + best_for_mover(after),
        (_, true) => best_for_mover(before),
        _ => {
            let (left, right) = (best_for_mover(before), one + 1 + best_for_mover(after));
            if values[right].equity() < values[left].equity() { right } else { left }
        }
    }
}

/// Now and then not the best play but the second best, or any, which can be the best again.
fn explore(share: f64, choices: Stream, turn: u64, values: &[Probs], best: usize) -> usize {
    let draw = choices.unit(turn);
    if values.len() < 2 || draw >= share {
        best
    } else if draw < share / 2.0 {
        choices.fork(turn).below(values.len() as u32, 0) as usize
    } else {
        best_but(values, best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(win: f32, explored: bool) -> Turn {
        let best = Probs { win, ..Probs::default() };
        Turn { position: Position::START, best, explored }
    }

    #[test]
    fn returns_mix_later_values_and_stop_at_exploration() {
        let mut workspace = Workspace::new();
        // The last turn wins for certain; the values are each mover's own.
        workspace.turns = vec![turn(0.5, false), turn(0.25, false), turn(1.0, false)];
        let mut samples = Vec::new();
        workspace.learnable(0.5, &mut samples);
        let wins: Vec<f32> = samples.iter().map(|s| s.target.win).collect();
        // Turn 1 lost to turn 2's win: (0.25 + 0) / 2; turn 0 gains: (0.5 + 0.875) / 2.
        assert_eq!(wins, [0.6875, 0.125, 1.0]);

        workspace.turns[1].explored = true;
        samples.clear();
        workspace.learnable(0.5, &mut samples);
        assert_eq!(samples[1].target.win, 0.25);
        assert_eq!(samples[0].target.win, 0.625);
    }

    #[test]
    fn exploration_picks_another_play() {
        let values = [0.9, 0.2, 0.3].map(|win| Probs { win, ..Probs::default() });
        assert_eq!([0, 1, 2].map(|one| best_but(&values, one)), [1, 2, 1]);
        let choices = Stream::new(1, 1);
        let mut counts = [0; 3];
        for turn in 0..4_000 {
            counts[explore(0.6, choices, turn, &values, 1)] += 1;
        }
        // 40 % best, 30 % second, 30 % any: .1, .5, .4 of 4,000.
        for (count, expected) in counts.into_iter().zip([400_i32, 2_000, 1_600]) {
            assert!((count - expected).abs() < 150, "{counts:?}");
        }
        assert_eq!(explore(1.0, choices, 0, &values[..1], 0), 0);
    }
}
