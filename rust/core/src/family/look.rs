//! The results of decisions, valued, and the best of them.

use std::ops::Range;

use super::{Judge, Prizes};
use crate::dice::Roll;
use crate::eval::EvalError;
use crate::outcome::Probs;
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::{Turns, Variant};

/// One result of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The position that it leads to, seen by whoever acts there.
    pub after: Position,
    /// Whether that is the player who decides now.
    pub kept: bool,
    /// Its numbers, seen by the player who decides now.
    pub numbers: Probs,
}

/// The results of a decision with their numbers, in the order of [`Variant::plays`].
///
/// # Errors
/// The judge's.
pub fn choices<V: Variant>(
    game: &V,
    prizes: &Prizes,
    judge: &dyn Judge,
    position: &Position,
    roll: Roll,
) -> Result<Vec<Choice>, EvalError> {
    let mut looker = Looker::new();
    let all = looker.add(game, position, roll);
    looker.judge(game, prizes, judge)?;
    Ok(looker.choices[all].to_vec())
}

/// The numbers of positions to the player to act in each, finished ones among them.
///
/// # Errors
/// The judge's.
pub fn numbers<V: Variant>(
    game: &V,
    prizes: &Prizes,
    judge: &dyn Judge,
    positions: &[Position],
) -> Result<Vec<Probs>, EvalError> {
    let mut looker = Looker::new();
    // As if whoever acts had got there by a decision of his own.
    let seen = |&after: &Position| Choice { after, kept: true, numbers: Probs::default() };
    looker.choices.extend(positions.iter().map(seen));
    looker.judge(game, prizes, judge)?;
    Ok(looker.choices.iter().map(|choice| choice.numbers).collect())
}

/// Results of several decisions, valued in one batch, in memory that is reused.
pub(crate) struct Looker {
    turns: Turns,
    pub(crate) choices: Vec<Choice>,
    open: Vec<Position>,
    places: Vec<usize>,
    answers: Vec<Probs>,
    /// Positions that the judge was asked about in all.
    pub(crate) evaluations: u64,
}

impl Looker {
    pub(crate) fn new() -> Looker {
        Looker {
            turns: Turns::new(),
            choices: Vec::new(),
            open: Vec::new(),
            places: Vec::new(),
            answers: Vec::new(),
            evaluations: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.choices.clear();
    }

    /// Adds the results of a decision.
    pub(crate) fn add<V: Variant>(&mut self, game: &V, position: &Position, roll: Roll) -> Range<usize> {
        let first = self.choices.len();
        game.plays(position, roll, &mut self.turns);
        let all = self.turns.iter();
        self.choices.extend(all.map(|(after, kept)| Choice { after, kept, numbers: Probs::default() }));
        first..self.choices.len()
    }

    /// Whether nothing could be played in the decision added last.
    pub(crate) fn was_pass(&self) -> bool {
        self.turns.is_pass()
    }

    /// Values all results.
    pub(crate) fn judge<V: Variant>(
        &mut self,
        game: &V,
        prizes: &Prizes,
        judge: &dyn Judge,
    ) -> Result<(), EvalError> {
        self.open.clear();
        self.places.clear();
        for (place, choice) in self.choices.iter_mut().enumerate() {
            match game.result(&choice.after) {
                Some(end) => choice.numbers = prizes.certain(&end),
                None => {
                    self.open.push(choice.after);
                    self.places.push(place);
                }
            }
        }
        self.answers.clear();
        self.answers.resize(self.open.len(), Probs::default());
        if !self.open.is_empty() {
            judge.evaluate(&self.open, &mut self.answers)?;
            self.evaluations += self.open.len() as u64;
        }
        for ((&place, position), answer) in self.places.iter().zip(&self.open).zip(&mut self.answers) {
            prizes.settle(position, answer);
            self.choices[place].numbers = *answer;
        }
        let handed = self.choices.iter_mut().filter(|choice| !choice.kept);
        handed.for_each(|choice| choice.numbers = choice.numbers.flipped());
        Ok(())
    }

    /// The best of some results, the first of equals; with `ties` any of equals, as `ties` draws at `counter`.
    pub(crate) fn best(&self, prizes: &Prizes, range: Range<usize>, ties: Option<(Stream, u64)>) -> Choice {
        let worth = |choice: &Choice| prizes.equity(&choice.numbers);
        let all = &self.choices[range];
        let highest = all.iter().map(worth).fold(f32::NEG_INFINITY, f32::max);
        let mut equals = all.iter().filter(|choice| worth(choice) == highest);
        let picked = match ties {
            None => 0,
            Some((stream, counter)) => stream.below(equals.clone().count().max(1) as u32, counter) as usize,
        };
        // A decision has results; without a number among their values it is the first.
        *equals.nth(picked).unwrap_or(&all[0])
    }
}
