//! Whoever puts the five numbers on positions of another game.

use crate::eval::{EvalError, Evaluator};
use crate::nn::{Game, GameNet, family};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Ruleset};

/// Something that puts numbers on positions of one game; what they mean [`Prizes`](super::Prizes) says.
pub trait Judge: Send + Sync {
    /// Fills `out[i]` with the numbers of the player to act in `positions[i]`, none of which is finished.
    ///
    /// # Errors
    /// If it cannot answer; `out` is then unspecified.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError>;

    /// A short name for results to carry.
    fn id(&self) -> &str;
}

impl Judge for GameNet {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        GameNet::evaluate(self, positions, out);
        Ok(())
    }

    fn id(&self) -> &str {
        &self.info().digest
    }
}

/// Whoever has fewer pips to go has the better chances, and gammons are not thought of.
#[derive(Clone, Copy, Debug)]
pub struct PipCount {
    /// The game whose pips are counted.
    pub game: Game,
}

/// More pips than two sides can be apart.
const MOST_PIPS: f32 = 512.0;

impl Judge for PipCount {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        assert_eq!(positions.len(), out.len(), "one result a position");
        for (position, out) in positions.iter().zip(out) {
            let [mine, theirs] = family::pip_counts(self.game, position).map(|pips| pips as f32);
            *out = Probs { win: 0.5 + (theirs - mine) / (2.0 * MOST_PIPS), ..Probs::default() };
        }
        Ok(())
    }

    fn id(&self) -> &str {
        "pips"
    }
}

/// An evaluator of the standard game, for the games that move as it does.
pub struct Standard<'a>(pub &'a dyn Evaluator<Backgammon>);

impl Judge for Standard<'_> {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.0.evaluate(positions, out)
    }

    fn id(&self) -> &str {
        self.0.id()
    }
}

/// Whether positions of a game are those of the standard game, and are worth about what they are there: its checkers
/// move as there, whatever they start from and a win counts, but for small restrictions.
pub fn plays_like_the_standard_game(rules: &Ruleset) -> bool {
    matches!(
        rules.name(),
        "portes" | "nackgammon" | "longgammon" | "hypergammon" | "nardi_short" | "tavla" | "kirik_tavla"
    )
}
