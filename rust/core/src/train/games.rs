//! One game of a net of another game of the family against itself.

use crate::family::{self, Looker, Prizes};
use crate::nn::GameNet;
use crate::outcome::Probs;
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::{Opening, Ruleset, Variant};
use crate::train::config::Config;
use crate::train::model::Sample;
use crate::train::selfplay::{EXPLORATION, OPENING, Played, mixed};
use crate::with_variant;

/// Decisions after which a game is broken off; the last value stands for the rest.
const LEARNED_DECISIONS: u64 = 5_000;

/// A game with its options, and what its results are.
pub(crate) struct Arena {
    rules: Ruleset,
    prizes: Prizes,
}

impl Arena {
    pub(crate) fn new(rules: Ruleset) -> Arena {
        Arena { prizes: Prizes::of(&rules), rules }
    }
}

/// What a decision leaves behind.
struct Decision {
    position: Position,
    /// The numbers of the best result, seen by the player who decided.
    best: Probs,
    /// Whether another one was chosen.
    explored: bool,
    /// Whether the same player decided next.
    kept: bool,
}

/// Memory a thread reuses from game to game.
pub(crate) struct Table {
    looker: Looker,
    decisions: Vec<Decision>,
    equities: Vec<f32>,
}

impl Table {
    pub(crate) fn new() -> Table {
        Table { looker: Looker::new(), decisions: Vec::new(), equities: Vec::new() }
    }

    /// Plays game `number` and adds its samples.
    pub(crate) fn play(
        &mut self,
        arena: &Arena,
        net: &GameNet,
        config: &Config,
        number: u64,
        lambda: f32,
        played: &mut Played,
    ) {
        with_variant!(arena.rules.game(), game => {
            let last = self.decide_all(game, arena, net, config, number, played);
            self.learnable(last, lambda, &mut played.samples);
        });
    }

    /// Plays a game; the numbers of its last position, to the player to act, if it came to no end of its own.
    fn decide_all<V: Variant>(
        &mut self,
        game: &V,
        arena: &Arena,
        net: &GameNet,
        config: &Config,
        number: u64,
        played: &mut Played,
    ) -> Option<Probs> {
        let dice = Stream::new(config.seed, number);
        let (words, choices) = (dice.fork(OPENING), dice.fork(EXPLORATION));
        let random = if config.random_plays > 0 && words.unit(0) < config.random_openings {
            1 + u64::from(words.below(config.random_plays as u32, 1))
        } else {
            0
        };
        self.decisions.clear();
        let (mut position, mut passes, before) = (game.start(), 0, self.looker.evaluations);
        let mut void = false;
        for turn in 0..LEARNED_DECISIONS {
            let roll = match turn {
                0 if arena.rules.opening() == Opening::UseDice => dice.opening_roll(0),
                _ => dice.roll(turn),
            };
            self.looker.clear();
            let all = self.looker.add(game, &position, roll);
            let count = all.len() as u32;
            let chosen = if turn < random {
                all.start + words.below(count, 2 + turn) as usize
            } else {
                self.looker.judge(game, &arena.prizes, net).expect("a net answers every position");
                self.decide(&arena.prizes, &position, config, choices, turn)
            };
            passes = if self.looker.was_pass() { passes + 1 } else { 0 };
            position = self.looker.choices[chosen].after;
            if let Some(end) = game.result(&position) {
                if end.winner.is_some() {
                    played.outcomes[end.points.clamp(1, 3) as usize - 1] += 1;
                }
                break;
            }
            void = family::is_void(game, &position, passes);
            if void {
                break;
            }
        }
        played.evaluations += self.looker.evaluations - before;
        // Nobody wins a game in which nobody can move.
        void.then_some(Probs { win: 0.5, ..Probs::default() })
    }

    /// Chooses among the results that are valued, and notes the decision.
    fn decide(
        &mut self,
        prizes: &Prizes,
        position: &Position,
        config: &Config,
        choices: Stream,
        turn: u64,
    ) -> usize {
        self.equities.clear();
        self.equities.extend(self.looker.choices.iter().map(|choice| prizes.equity(&choice.numbers)));
        let best = best_but(&self.equities, None);
        let draw = choices.unit(turn);
        let chosen = if self.equities.len() < 2 || draw >= config.exploration {
            best
        } else if draw < config.exploration / 2.0 {
            choices.fork(turn).below(self.equities.len() as u32, 0) as usize
        } else {
            best_but(&self.equities, Some(best))
        };
        self.decisions.push(Decision {
            position: *position,
            best: self.looker.choices[best].numbers,
            explored: chosen != best,
            kept: self.looker.choices[chosen].kept,
        });
        chosen
    }

    /// The lambda returns, from the last decision backwards.
    fn learnable(&self, last: Option<Probs>, lambda: f32, samples: &mut Vec<Sample>) {
        let (mut later, first) = (last, samples.len());
        for decision in self.decisions.iter().rev() {
            let target = match later {
                Some(later) if !decision.explored => {
                    mixed(decision.best, if decision.kept { later } else { later.flipped() }, lambda)
                }
                _ => decision.best,
            };
            samples.push(Sample { position: decision.position, target });
            later = Some(target);
        }
        samples[first..].reverse();
    }
}

/// The highest of some numbers, the first of equals, one of them left out.
fn best_but(equities: &[f32], but: Option<usize>) -> usize {
    let mut best: Option<(usize, f32)> = None;
    for (i, &equity) in equities.iter().enumerate() {
        if Some(i) != but && best.is_none_or(|(_, highest)| equity > highest) {
            best = Some((i, equity));
        }
    }
    best.map_or(0, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(win: f32, kept: bool) -> Decision {
        let best = Probs { win, ..Probs::default() };
        Decision { position: Position::START, best, explored: false, kept }
    }

    #[test]
    fn later_numbers_are_turned_only_when_the_other_player_acts() {
        let mut table = Table::new();
        table.decisions = vec![decision(0.5, true), decision(0.25, false), decision(1.0, false)];
        let mut samples = Vec::new();
        table.learnable(None, 0.5, &mut samples);
        let wins: Vec<f32> = samples.iter().map(|sample| sample.target.win).collect();
        // Decision 1 lost to the win of decision 2; decision 0 was the same player's.
        assert_eq!(wins, [0.3125, 0.125, 1.0]);
        samples.clear();
        table.learnable(Some(Probs { win: 0.5, ..Probs::default() }), 1.0, &mut samples);
        assert_eq!(samples.iter().map(|sample| sample.target.win).collect::<Vec<_>>(), [0.5; 3]);
    }

    #[test]
    fn one_can_be_left_out() {
        assert_eq!([None, Some(1), Some(2)].map(|but| best_but(&[0.1, 0.4, 0.4, -1.0], but)), [1, 2, 1]);
        assert_eq!(best_but(&[f32::NAN, 0.0], Some(0)), 1);
    }
}
