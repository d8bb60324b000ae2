//! One game of a trial.

use std::sync::Arc;

use crate::dice::Roll;
use crate::eval::Exact;
use crate::outcome::{Outcome, Probs};
use crate::position::Position;
use crate::rollout::cube::{Act, CubeState, CubeTable};
use crate::rollout::look::{Look, Reply};
use crate::rollout::score::{Chances, Score, chances, flipped, flipped_difference};
use crate::rollout::stats::Ended;
use crate::rollout::subject::Branch;
use crate::rules::Rules;
use crate::search::CubeUse;

#[cfg(test)]
thread_local! {
    /// A mutant for the tests of the statistics: the luck of this roll is forgotten.
    pub(crate) static DROPPED_ROLL: std::cell::Cell<Option<Roll>> = const { std::cell::Cell::new(None) };
    /// Another: nobody passes a double.
    pub(crate) static ALL_TAKEN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A game under way.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The trial's number, which its dice depend on.
    pub trial: u64,
    /// Seen by whoever is on roll now.
    pub position: Position,
    pub turn: u32,
    /// Whether the player whose numbers are wanted is on roll.
    pub ours: bool,
    /// The value of the position to the player on roll, once the evaluator has said it.
    pub value: Option<Probs>,
    /// What the dice have given the player whose numbers are wanted.
    luck: Chances,
    /// Chances that are 0 from the beginning: gammons of a side whose opponent has borne off.
    possible: [bool; 5],
    cube: Option<Turning>,
}

/// The cube of a game.
#[derive(Clone, Debug)]
struct Turning {
    table: Arc<CubeTable>,
    at: CubeState,
    /// Whether the cube may be turned before the next roll.
    due: bool,
    luck: f64,
    /// What the game was worth when a double was passed.
    ended: Option<f64>,
}

impl Turning {
    fn follow(&mut self, act: Act) {
        #[cfg(test)]
        let act = if ALL_TAKEN.get() && matches!(act, Act::Ended(_)) { Act::Hold } else { act };
        match act {
            Act::Hold => {}
            Act::Turned(at) => self.at = at,
            Act::Ended(value) => self.ended = Some(value),
        }
    }
}

impl Game {
    pub(crate) fn new(branch: &Branch, cube: Option<&Arc<CubeTable>>, trial: u64) -> Game {
        let (roller_off, opponent_off) = branch.position.borne_off();
        let (win, lose) =
            if branch.after_play { (roller_off, opponent_off) } else { (opponent_off, roller_off) };
        let turning = |table: &Arc<CubeTable>| Turning {
            table: table.clone(),
            at: branch.cube,
            due: !branch.hold,
            luck: 0.0,
            ended: None,
        };
        Game {
            trial,
            position: branch.position,
            turn: 0,
            ours: !branch.after_play,
            value: None,
            luck: [0.0; 5],
            possible: [true, win == 0, win == 0, lose == 0, lose == 0],
            cube: cube.map(turning),
        }
    }

    /// The cube while it counts.
    fn turning(&self) -> Option<&Turning> {
        self.cube.as_ref().filter(|cube| cube.ended.is_none())
    }

    /// What the chances of whoever is on roll after a play count; `None` as in money play.
    pub(crate) fn weights(&self) -> Option<[f32; 5]> {
        self.turning().and_then(|cube| cube.table.weights(cube.at, !self.ours))
    }

    /// Whether the player on roll has to decide about the cube.
    pub(crate) fn may_double(&self) -> bool {
        self.turning().is_some_and(|cube| cube.due && cube.table.may_double(cube.at, self.ours))
    }

    /// Whether the cube can still be turned by anybody.
    pub(crate) fn has_live_cube(&self) -> bool {
        self.turning().is_some_and(|cube| cube.table.is_live(cube.at))
    }

    /// The player on roll decides about the cube, having these chances.
    pub(crate) fn decide(&mut self, probs: &Probs) {
        let (position, ours) = (self.position, self.ours);
        if let Some(cube) = self.cube.as_mut() {
            cube.due = false;
            cube.follow(cube.table.act(&position, probs, cube.at, ours));
        }
    }

    /// The player on roll decides about the cube, all equities being known.
    pub(crate) fn decide_exactly(&mut self, known: &Exact) {
        let ours = self.ours;
        if let Some(cube) = self.cube.as_mut() {
            cube.due = false;
            cube.follow(cube.table.act_exactly(known, cube.at, ours));
        }
    }

    /// Whether exact money equities would hold in this game.
    pub(crate) fn is_like_a_table(&self) -> bool {
        self.turning().is_some_and(|cube| cube.table.is_like_a_table(cube.at))
    }

    /// The cube of a search from here.
    pub(crate) fn search_cube(&self) -> Option<CubeUse> {
        self.turning().and_then(|cube| cube.table.search(cube.at, self.ours))
    }

    /// The number of the best reply of those kept, with the cube if there is one.
    ///
    /// `known` is what is known for certain of a position, where that holds in this game.
    pub(crate) fn best<R: Rules>(
        &self,
        replies: &[Reply],
        known: impl Fn(&Position) -> Option<Exact>,
    ) -> usize {
        let Some(cube) = self.turning() else { return 0 };
        if replies.len() > 1 && cube.table.is_like_a_table(cube.at) {
            let exact: Vec<Option<Exact>> = replies.iter().map(|reply| known(&reply.after)).collect();
            if let Some(best) = cube.table.best_exactly::<R>(replies, &exact, cube.at, !self.ours) {
                return best;
            }
        }
        cube.table.best::<R>(replies, cube.at, !self.ours)
    }

    /// Notes what the roll gave beside what was to be expected: the mean of all rolls, where the look has them; where
    /// it counts several `times`, or not at all, so often the mean's distance from the value before the roll.
    pub(crate) fn note_luck<R: Rules>(&mut self, look: &Look, roll: Roll, times: u32) {
        let got = flipped(chances(&look.replies(roll)[0].value));
        let before = self.value.filter(|_| times != 1);
        let expected = |before: f64, mean: f64| before + f64::from(times) * (mean - before);
        let luck: Chances = match before.map(|value| chances(&value)) {
            None => std::array::from_fn(|i| got[i] - look.mean[i]),
            Some(before) => std::array::from_fn(|i| got[i] - expected(before[i], look.mean[i])),
        };
        #[cfg(test)]
        let luck = if DROPPED_ROLL.get() == Some(roll) { [0.0; 5] } else { luck };
        let luck = if self.ours { luck } else { flipped_difference(luck) };
        self.luck.iter_mut().zip(luck).for_each(|(sum, luck)| *sum += luck);
        #[cfg(test)]
        if DROPPED_ROLL.get() == Some(roll) {
            return;
        }
        let ours = self.ours;
        if let Some(cube) = self.cube.as_mut().filter(|cube| cube.ended.is_none()) {
            let worth = |roll: Roll| {
                let replies = look.replies(roll);
                let best = &replies[cube.table.best::<R>(replies, cube.at, !ours)];
                cube.table.worth::<R>(&best.after, &best.value, cube.at, !ours)
            };
            let mean = || {
                let sum: f64 = Roll::ALL.iter().map(|&roll| f64::from(roll.weight()) * worth(roll)).sum();
                sum / 36.0
            };
            let worth_before = |value: &Probs| cube.table.worth::<R>(&self.position, value, cube.at, ours);
            cube.luck += match before {
                None => worth(roll) - mean(),
                Some(value) if times == 0 => worth(roll) - worth_before(&value),
                Some(value) => worth(roll) - expected(worth_before(&value), mean()),
            };
        }
    }

    /// Plays: the opponent is on roll in `after`, worth `value` to him.
    pub(crate) fn play(&mut self, after: Position, value: Option<Probs>) {
        self.position = after;
        self.value = value;
        self.ours = !self.ours;
        self.turn += 1;
        if let Some(cube) = &mut self.cube {
            cube.due = true;
        }
    }

    /// How the game ended for the player whose numbers are wanted, if it has.
    pub(crate) fn result<R: Rules>(&self) -> Option<(bool, Outcome)> {
        let (roller_won, outcome) = R::result(&self.position)?;
        Some((roller_won == self.ours, outcome))
    }

    /// The numbers of a game that ended.
    pub(crate) fn finished(&self, won: bool, outcome: Outcome) -> Ended {
        let cubeful = self.cubeful(|cube| cube.table.result(won, outcome, cube.at));
        self.ended(chances(&Probs::certain(won, outcome)), cubeful, Some((won, outcome)))
    }

    /// The numbers of a game that is broken off, where the position has this value to the player on roll, and
    /// perhaps exact equities with the cube.
    pub(crate) fn broken_off<R: Rules>(&self, value: &Probs, known: Option<&Exact>) -> Ended {
        let cubeful = self.cubeful(|cube| match known {
            Some(known) => cube.table.worth_exactly(known, cube.at, self.ours),
            None => cube.table.worth::<R>(&self.position, value, cube.at, self.ours),
        });
        let value = chances(value);
        self.ended(if self.ours { value } else { flipped(value) }, cubeful, None)
    }

    /// The cubeful value, and the luck in it; without a cube nothing.
    fn cubeful(&self, worth: impl Fn(&Turning) -> f64) -> (f64, f64) {
        self.cube.as_ref().map_or((0.0, 0.0), |cube| (cube.ended.unwrap_or_else(|| worth(cube)), cube.luck))
    }

    fn ended(&self, value: Chances, cubeful: (f64, f64), result: Option<(bool, Outcome)>) -> Ended {
        let within = |numbers: Chances| -> Chances {
            std::array::from_fn(|i| if self.possible[i] { numbers[i] } else { 0.0 })
        };
        let score = Score::new(&within(value), &within(self.luck), cubeful.0, cubeful.1);
        Ended { score, result, turns: self.turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Quantity;
    use crate::rules::Backgammon;
    use crate::testing::position;

    fn game(position: Position, after_play: bool) -> Game {
        Game::new(&Branch::new(position, after_play), None, 0)
    }

    #[test]
    fn results_are_seen_by_whose_numbers_are_wanted() {
        let start = position(&[(1, 1)], &[(1, 1)]);
        for after_play in [false, true] {
            let mut game = game(start, after_play);
            assert_eq!(game.result::<Backgammon>(), None);
            // The player on roll bears off: the other is on roll and has lost.
            game.play(position(&[(1, 1)], &[]), None);
            assert_eq!(game.result::<Backgammon>(), Some((!after_play, Outcome::Single)));
            let half = game.broken_off::<Backgammon>(&Probs { win: 0.25, ..Probs::default() }, None);
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
            let ended = game(start, after_play).broken_off::<Backgammon>(&nonsense, None);
            let one = Quantity::Win.one();
            assert_eq!([1, 3].map(|i| ended.score.0[i] as f64 / one), expected);
        }
    }
}
