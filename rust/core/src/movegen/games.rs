//! Games of uniformly random plays: a load for benchmarks, a source of positions for tests.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::parallel::{Cancelled, Watch, run_blocks};
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

impl Game {
    /// Points won by the player who rolled first, negative if he lost; 0 is a game given up.
    pub fn points(&self) -> i8 {
        match self.result {
            Some((true, outcome)) => outcome as i8,
            Some((false, outcome)) => -(outcome as i8),
            None => 0,
        }
    }
}

/// Turns after which [`random_games`] gives a game up; random games end within some hundred.
pub const MAX_TURNS: u32 = 10_000;

/// Random games in a block: about a millisecond.
const GAMES_A_BLOCK: u64 = 64;

/// Plays the random games `0..count` of a seed, game `i` by [`Stream::new(seed, i)`](Stream::new).
///
/// The same games on any number of threads. The watcher is told how many are done.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
pub fn random_games<R: Rules>(
    seed: u64,
    count: u64,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Game>, Cancelled> {
    let blocks = usize::try_from(count.div_ceil(GAMES_A_BLOCK)).unwrap_or(usize::MAX);
    let done = AtomicU64::new(0);
    let play = |buf: &mut PlayBuf, block: usize| {
        let first = block as u64 * GAMES_A_BLOCK;
        let end = count.min(first + GAMES_A_BLOCK);
        let game = |trial| random_game::<R>(Stream::new(seed, trial), MAX_TURNS, buf, |_, _, _| {});
        let games: Vec<Game> = (first..end).map(game).collect();
        done.fetch_add(end - first, Ordering::Relaxed);
        games
    };
    let mut tick = |_| watch(usize::try_from(done.load(Ordering::Relaxed)).unwrap_or(usize::MAX));
    let games = run_blocks(threads, blocks, &mut tick, PlayBuf::new, play).complete()?;
    Ok(games.into_iter().flatten().collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::unwatched;
    use crate::rules::Backgammon;
    use std::ops::ControlFlow;

    #[test]
    fn games_are_those_of_their_streams_on_any_number_of_threads() {
        let games = random_games::<Backgammon>(3, 150, 1, &mut unwatched).unwrap();
        let mut buf = PlayBuf::new();
        for (trial, game) in games.iter().enumerate() {
            let stream = Stream::new(3, trial as u64);
            assert_eq!(random_game::<Backgammon>(stream, MAX_TURNS, &mut buf, |_, _, _| {}), *game);
            assert_eq!(game.result.unwrap().0, game.points() > 0);
            assert_eq!(game.result.unwrap().1 as u8, game.points().unsigned_abs());
        }
        assert_eq!(random_games::<Backgammon>(3, 150, 3, &mut unwatched).unwrap(), games);
        let given_up = Game { turns: 5, result: None };
        assert_eq!((games.len(), given_up.points()), (150, 0));
    }

    #[test]
    fn the_watcher_is_told_of_games() {
        let mut told = Vec::new();
        let mut watch = |done: usize| {
            told.push(done);
            if told.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = random_games::<Backgammon>(3, 1 << 40, 2, &mut watch);
        assert_eq!(stopped, Err(Cancelled));
        assert!(told.is_sorted() && told[0] > 0 && told.iter().all(|done| done % 64 == 0), "{told:?}");
    }
}
