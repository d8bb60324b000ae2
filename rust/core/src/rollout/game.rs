//! One game of a trial.

use crate::outcome::{Outcome, Probs};
use crate::position::Position;
use crate::rollout::look::{Look, Reply};
use crate::rollout::score::{Chances, Score, chances, flipped, flipped_difference};
use crate::rollout::stats::Ended;
use crate::rollout::subject::Branch;
use crate::rules::Rules;

/// A game under way.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The trial's number, which its dice depend on.
    pub trial: u64,
    /// Seen by whoever is on roll now.
    pub position: Position,
    pub turn: u32,
    /// Whether the player whose numbers are wanted is on roll.
    ours: bool,
    /// The value of the position to the player on roll, once the evaluator has said it.
    pub value: Option<Probs>,
    /// What the dice have given the player whose numbers are wanted.
    luck: Chances,
    /// Chances that are 0 from the beginning: gammons of a side whose opponent has borne off.
    possible: [bool; 5],
}

impl Game {
    pub(crate) fn new(branch: &Branch, trial: u64) -> Game {
        let (roller_off, opponent_off) = branch.position.borne_off();
        let (win, lose) =
            if branch.after_play { (roller_off, opponent_off) } else { (opponent_off, roller_off) };
        Game {
            trial,
            position: branch.position,
            turn: 0,
            ours: !branch.after_play,
            value: None,
            luck: [0.0; 5],
            possible: [true, win == 0, win == 0, lose == 0, lose == 0],
        }
    }

    /// Notes what a roll gave beside the mean of all, by a reply to it and the look it is from.
    pub(crate) fn note_luck(&mut self, reply: &Reply, look: &Look) {
        let got = flipped(chances(&reply.value));
        let luck: Chances = std::array::from_fn(|i| got[i] - look.mean[i]);
        let luck = if self.ours { luck } else { flipped_difference(luck) };
        self.luck.iter_mut().zip(luck).for_each(|(sum, luck)| *sum += luck);
    }

    /// Plays: the opponent is on roll in `after`, worth `value` to him.
    pub(crate) fn play(&mut self, after: Position, value: Option<Probs>) {
        self.position = after;
        self.value = value;
        self.ours = !self.ours;
        self.turn += 1;
    }

    /// How the game ended for the player whose numbers are wanted, if it has.
    pub(crate) fn result<R: Rules>(&self) -> Option<(bool, Outcome)> {
        let (roller_won, outcome) = R::result(&self.position)?;
        Some((roller_won == self.ours, outcome))
    }

    /// The numbers of a game that ended.
    pub(crate) fn finished(&self, won: bool, outcome: Outcome) -> Ended {
        self.ended(chances(&Probs::certain(won, outcome)), Some((won, outcome)))
    }

    /// The numbers of a game that is broken off, where the position has this value to the player on roll.
    pub(crate) fn broken_off(&self, value: &Probs) -> Ended {
        let value = chances(value);
        self.ended(if self.ours { value } else { flipped(value) }, None)
    }

    fn ended(&self, value: Chances, result: Option<(bool, Outcome)>) -> Ended {
        let within = |numbers: Chances| -> Chances {
            std::array::from_fn(|i| if self.possible[i] { numbers[i] } else { 0.0 })
        };
        let score = Score::new(&within(value), &within(self.luck), 0.0, 0.0);
        Ended { score, result, turns: self.turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Quantity;
    use crate::rules::Backgammon;
    use crate::testing::position;

    fn branch(position: Position, after_play: bool) -> Branch {
        Branch { position, after_play }
    }

    #[test]
    fn results_are_seen_by_whose_numbers_are_wanted() {
        let start = position(&[(1, 1)], &[(1, 1)]);
        for after_play in [false, true] {
            let mut game = Game::new(&branch(start, after_play), 0);
            assert_eq!(game.result::<Backgammon>(), None);
            // The player on roll bears off: the other is on roll and has lost.
            game.play(position(&[(1, 1)], &[]), None);
            assert_eq!(game.result::<Backgammon>(), Some((!after_play, Outcome::Single)));
            let half = game.broken_off(&Probs { win: 0.25, ..Probs::default() });
            let win = half.score.0[Quantity::Win as usize] as f64 / Quantity::Win.one();
            assert_eq!(win, if after_play { 0.25 } else { 0.75 });
        }
    }

    #[test]
    fn impossible_gammons_stay_impossible() {
        // The roller has borne off, the opponent has not; the roller's numbers.
        let start = position(&[(6, 10)], &[(6, 15)]);
        let nonsense = Probs { win: 0.5, win_gammon: 0.25, lose_gammon: 0.25, ..Probs::default() };
        for (after_play, expected) in [(false, [0.25, 0.0]), (true, [0.0, 0.25])] {
            let game = Game::new(&branch(start, after_play), 0);
            let ended = game.broken_off(&nonsense);
            let one = Quantity::Win.one();
            assert_eq!([1, 3].map(|i| ended.score.0[i] as f64 / one), expected);
        }
    }
}
