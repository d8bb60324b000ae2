//! One game of a rollout.

use crate::dice::Roll;
use crate::outcome::{Outcome, Probs};
use crate::position::Position;
use crate::rng::Stream;
use crate::rollout::Settings;
use crate::rules::Rules;

/// A game under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    dice: Stream,
    /// Seen by whoever is on roll now.
    position: Position,
    turn: u32,
}

impl Trial {
    /// Trial `number` from the position of the rollout.
    pub(crate) fn new(position: &Position, settings: &Settings, number: u64) -> Trial {
        Trial { dice: Stream::new(settings.seed, number), position: *position, turn: 0 }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn turns(&self) -> u32 {
        self.turn
    }

    /// The roll of the turn at hand.
    pub(crate) fn roll(&self, settings: &Settings) -> Roll {
        if self.turn == 0 && settings.opening {
            self.dice.opening_roll(0)
        } else {
            self.dice.roll(u64::from(self.turn))
        }
    }

    /// Plays: the opponent is on roll in `after`.
    pub(crate) fn play(&mut self, after: Position) {
        self.position = after;
        self.turn += 1;
    }

    /// Whether the player who was on roll at the beginning of the rollout is on roll now.
    fn is_first_on_roll(&self) -> bool {
        self.turn.is_multiple_of(2)
    }

    /// How the game ended for the player on roll at the beginning, if it has.
    pub(crate) fn result<R: Rules>(&self) -> Option<(bool, Outcome)> {
        let (roller_won, outcome) = R::result(&self.position)?;
        Some((roller_won == self.is_first_on_roll(), outcome))
    }

    /// A value of the position at hand, seen by the player on roll at the beginning.
    pub(crate) fn seen_from_start(&self, value: Probs) -> Probs {
        if self.is_first_on_roll() { value } else { value.flipped() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Backgammon;
    use crate::testing::position;

    #[test]
    fn results_are_seen_from_the_start() {
        let settings = Settings::default();
        let start = position(&[(1, 1)], &[(1, 1)]);
        let mut trial = Trial::new(&start, &settings, 0);
        assert_eq!(trial.result::<Backgammon>(), None);
        // The first player bears off: the other is on roll and has lost.
        trial.play(position(&[(1, 1)], &[]));
        assert_eq!(trial.result::<Backgammon>(), Some((true, Outcome::Single)));
        let value = Probs { win: 0.25, ..Probs::default() };
        assert_eq!(trial.seen_from_start(value).win, 0.75);
    }

    #[test]
    fn first_rolls_follow_the_settings() {
        let opening = Settings { opening: true, ..Settings::default() };
        let doubles = |settings: &Settings| {
            (0..2_000)
                .filter(|&i| Trial::new(&Position::START, settings, i).roll(settings).is_double())
                .count()
        };
        assert_eq!(doubles(&opening), 0);
        assert!((250..420).contains(&doubles(&Settings::default())));
    }
}
