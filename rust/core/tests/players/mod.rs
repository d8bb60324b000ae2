//! Evaluators that need no net, and positions to try them on.

// Each test file uses its own part of it.
#![allow(dead_code, reason = "shared by several test files")]

use gammon_core::eval::{EvalError, Evaluator};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::parallel::unwatched;
use gammon_core::rng::Stream;
use gammon_core::search::{Ranking, Search};
use gammon_core::{Backgammon, Position, Probs, Roll, Rules};

/// A checker player of few ideas: pips, and what stands on the bar or is made at home.
pub struct Plain;

impl Evaluator for Plain {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        for (position, out) in positions.iter().zip(out) {
            let (roller, opponent) = position.pip_counts();
            let made = |side: [u8; 25]| side[..6].iter().filter(|&&n| n >= 2).count() as f32;
            let lead = opponent as f32 - roller as f32 + 4.0;
            let win = (0.5 + lead / 300.0 + 0.03 * (made(position.roller()) - made(position.opponent())))
                .clamp(0.05, 0.95);
            *out = Probs { win, win_gammon: 0.3 * win, lose_gammon: 0.2 * (1.0 - win), ..Probs::default() };
        }
        Ok(())
    }

    fn id(&self) -> &str {
        "plain"
    }
}

pub fn position(roller: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    let side = |points: &[(usize, u8)]| {
        let mut counts = [0; 25];
        for &(point, n) in points {
            counts[point - 1] = n;
        }
        counts
    };
    Position::from_counts(&side(roller), &side(opponent)).unwrap()
}

/// Some positions of random games, near their end too.
pub fn positions() -> Vec<Position> {
    let (mut all, mut buf) = (Vec::new(), PlayBuf::new());
    for trial in 0..6 {
        movegen::random_game::<Backgammon>(Stream::new(4, trial), 10_000, &mut buf, |p, _, _| all.push(*p));
    }
    let step = all.len() / 8;
    all.into_iter().step_by(step).chain([position(&[(1, 3)], &[(2, 5), (5, 1)])]).collect()
}

/// What an evaluator says of a position, or how the game ended.
pub fn static_value(evaluator: &dyn Evaluator, position: &Position) -> Probs {
    if let Some((won, outcome)) = Backgammon::result(position) {
        return Probs::certain(won, outcome);
    }
    let mut out = [Probs::default()];
    evaluator.evaluate(&[*position], &mut out).unwrap();
    out[0]
}

/// The same chances everywhere.
pub struct Flat(pub Probs);

impl Flat {
    /// Games are won singly, with this chance.
    pub fn singly(win: f32) -> Flat {
        Flat(Probs { win, ..Probs::default() })
    }
}

impl Evaluator for Flat {
    fn evaluate(&self, _: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        out.fill(self.0);
        Ok(())
    }

    fn id(&self) -> &str {
        "flat"
    }
}

/// A search by [`Plain`].
pub fn search(plies: usize) -> Search<'static> {
    Search { plies, ..Search::new(&Plain) }
}

/// The ranking of one roll.
pub fn rank(search: &Search<'_>, position: &Position, roll: Roll) -> Ranking {
    search.rank(position, roll, None, &mut unwatched).unwrap()
}
