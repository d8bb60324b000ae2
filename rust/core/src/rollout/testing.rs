//! What the tests of rollouts are played by.

use crate::eval::{EvalError, Evaluator};
use crate::outcome::Probs;
use crate::position::Position;

/// Leads a checker player who wants few pips and few blots, and whose opinions are all a little off, each seed's
/// otherwise.
pub(crate) struct Rough {
    seed: u64,
    id: String,
}

impl Rough {
    pub(crate) fn new(seed: u64) -> Rough {
        Rough { seed, id: format!("rough-{seed}") }
    }

    fn value(&self, position: &Position) -> Probs {
        let (roller, opponent) = position.pip_counts();
        let blots = position.places().iter().filter(|&&n| n == -1).count() as f32;
        let blots = if position.is_race() { 0.0 } else { blots };
        let reach = 4.0 + (roller + opponent) as f32 / 12.0;
        let lead = (opponent as f32 + 4.0 - roller as f32) / reach + 0.3 * blots;
        let noise = position.places().iter().fold(self.seed, |hash, &n| {
            (hash ^ u64::from(n as u8)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        let lead = lead + (noise >> 40) as f32 / (1u64 << 24) as f32 * 0.05;
        let win = 0.5 + 0.5 * lead / (1.0 + lead.abs());
        let [none_off, theirs_none_off] = [position.borne_off().0 == 0, position.borne_off().1 == 0];
        Probs {
            win,
            win_gammon: if theirs_none_off { 0.3 * win * win } else { 0.0 },
            lose_gammon: if none_off { 0.3 * (1.0 - win) * (1.0 - win) } else { 0.0 },
            ..Probs::default()
        }
    }
}

impl Evaluator for Rough {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        for (position, out) in positions.iter().zip(out) {
            *out = self.value(position);
        }
        Ok(())
    }

    fn id(&self) -> &str {
        &self.id
    }
}
