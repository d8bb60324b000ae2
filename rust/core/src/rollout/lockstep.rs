//! Many games advanced together, so that an evaluator sees large batches.

use crate::eval::{EvalError, Evaluator, best_for_mover, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rollout::trial::Trial;
use crate::rollout::{Part, Settings};
use crate::rules::Rules;

/// Memory a thread reuses from block to block.
pub(crate) struct Workspace {
    plays: PlayBuf,
    games: Vec<Trial>,
    /// Candidates of all games at this turn, one after the other.
    candidates: Vec<Position>,
    values: Vec<Probs>,
    /// Where each game's candidates end.
    ends: Vec<usize>,
}

impl Workspace {
    pub(crate) fn new() -> Workspace {
        Workspace {
            plays: PlayBuf::new(),
            games: Vec::new(),
            candidates: Vec::new(),
            values: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Plays trials `numbers` to their ends.
    pub(crate) fn play<R: Rules>(
        &mut self,
        position: &Position,
        settings: &Settings,
        numbers: std::ops::Range<u64>,
        evaluator: &dyn Evaluator<R>,
    ) -> Result<Part, EvalError> {
        let mut part = Part::default();
        self.games.clear();
        self.games.extend(numbers.map(|number| Trial::new(position, settings, number)));
        while !self.games.is_empty() {
            self.expand::<R>(settings);
            self.values.resize(self.candidates.len(), Probs::default());
            values(evaluator, &self.candidates, &mut self.values)?;
            part.evaluations += self.candidates.len() as u64;
            self.choose();
            self.settle::<R>(settings, evaluator, &mut part)?;
        }
        Ok(part)
    }

    /// Rolls for every game and lists its candidates; a forced play is made at once.
    fn expand<R: Rules>(&mut self, settings: &Settings) {
        self.candidates.clear();
        self.ends.clear();
        for game in &mut self.games {
            movegen::plays::<R>(game.position(), game.roll(settings), &mut self.plays);
            match self.plays.positions() {
                [only] => game.play(*only),
                several => self.candidates.extend_from_slice(several),
            }
            self.ends.push(self.candidates.len());
        }
    }

    /// Makes the best play of every game that has a choice.
    fn choose(&mut self) {
        let mut start = 0;
        for (game, &end) in self.games.iter_mut().zip(&self.ends) {
            if start < end {
                game.play(self.candidates[start + best_for_mover(&self.values[start..end])]);
            }
            start = end;
        }
    }

    /// Takes out the games that have ended or lasted too long.
    fn settle<R: Rules>(
        &mut self,
        settings: &Settings,
        evaluator: &dyn Evaluator<R>,
        part: &mut Part,
    ) -> Result<(), EvalError> {
        let mut i = 0;
        while i < self.games.len() {
            let game = &self.games[i];
            if let Some((won, outcome)) = game.result::<R>() {
                part.add_result(won, outcome);
            } else if game.turns() >= settings.max_turns {
                let mut value = [Probs::default()];
                evaluator.evaluate(std::slice::from_ref(game.position()), &mut value)?;
                part.evaluations += 1;
                part.add_value(&game.seen_from_start(value[0]));
            } else {
                i += 1;
                continue;
            }
            part.turns += u64::from(game.turns());
            self.games.swap_remove(i);
        }
        Ok(())
    }
}
