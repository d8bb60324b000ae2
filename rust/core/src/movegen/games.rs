//! Games of uniformly random plays: a load for benchmarks, a source of positions for tests.

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::Rules;

/// How a game of random plays went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Rolls thrown, unplayable ones included.
    pub turns: u32,
    /// Whether the player who rolled first won, and what; `None` if the turn limit came first.
    pub result: Option<(bool, Outcome)>,
}

/// Which stream of a trial's random words chooses among plays (the dice use the trial's own).
const CHOICES: u64 = 1;

/// Plays one game from the start, each distinct result of a roll equally likely, at most `max_turns`.
///
/// The first roll is never a double. `visit` sees each position before its roll is played, the turn's
/// roll, and the number of the turn.
pub fn random_game<R: Rules>(
    stream: Stream,
    max_turns: u32,
    buf: &mut PlayBuf,
    mut visit: impl FnMut(&Position, Roll, u32),
) -> Game {
    let choices = stream.fork(CHOICES);
    let mut position = R::start();
    for turn in 0..max_turns {
        let counter = u64::from(turn);
        let roll = if turn == 0 { stream.opening_roll(0) } else { stream.roll(counter) };
        visit(&position, roll, turn);
        plays::<R>(&position, roll, buf);
        let results = buf.positions();
        position = results[choices.below(results.len() as u32, counter) as usize];
        // Only the player who has just moved can have finished, so the position is the loser's.
        if let Some((roller_won, outcome)) = R::result(&position) {
            let first_to_roll_next = turn % 2 == 1;
            return Game { turns: turn + 1, result: Some((roller_won == first_to_roll_next, outcome)) };
        }
    }
    Game { turns: max_turns, result: None }
}
