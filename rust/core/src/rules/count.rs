//! Perft and random games of any variant.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use super::marks::Asks;
use super::turns::{Class, End, Turns};
use super::variant::Variant;
use crate::dice::Roll;
use crate::movegen::Perft;
use crate::parallel::{Cancelled, Watch, run_blocks};
use crate::position::Position;
use crate::rng::Stream;

/// The throws a decision has to be counted with: all 21, or any one if none is thrown.
fn throws(asks: Asks) -> &'static [Roll] {
    if asks == Asks::Throw { &Roll::ALL } else { &Roll::ALL[..1] }
}

/// Counts the paths of `depth` decisions from a position, and with `unique` the different positions at their
/// ends.
///
/// Each of the 21 throws counts once; a decision without a throw, as the stages of a turn are, is one of the
/// `depth`. Games that are over are not played on. The watcher is told how many paths have been counted.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
pub fn perft<V: Variant>(
    game: &V,
    position: &Position,
    depth: u32,
    unique: bool,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Perft, Cancelled> {
    let new = || Tally { paths: 0, passes: 0, ends: unique.then(HashSet::new) };
    let mut total = new();
    if depth <= 1 || game.result(position).is_some() {
        total.walk(game, position, depth, false, &mut Turns::new());
        return Ok(total.perft());
    }
    let mut starts = Vec::new();
    let mut turns = Turns::new();
    for &roll in throws(game.asks(position)) {
        game.plays(position, roll, &mut turns);
        starts.extend(turns.iter().map(|(after, _)| after));
    }
    let counted = AtomicU64::new(0);
    let work = |turns: &mut Turns, block: usize| {
        let mut tally = new();
        tally.walk(game, &starts[block], depth - 1, false, turns);
        counted.fetch_add(tally.paths, Ordering::Relaxed);
        tally
    };
    let mut tick = |_| watch(usize::try_from(counted.load(Ordering::Relaxed)).unwrap_or(usize::MAX));
    for tally in run_blocks(threads, starts.len(), &mut tick, Turns::new, work).complete()? {
        total.paths += tally.paths;
        total.passes += tally.passes;
        if let (Some(ends), Some(more)) = (&mut total.ends, tally.ends) {
            ends.extend(more);
        }
    }
    Ok(total.perft())
}

struct Tally {
    paths: u64,
    passes: u64,
    ends: Option<HashSet<Position>>,
}

impl Tally {
    fn perft(self) -> Perft {
        Perft { paths: self.paths, passes: self.passes, unique: self.ends.map(|ends| ends.len() as u64) }
    }

    fn walk<V: Variant>(
        &mut self,
        game: &V,
        position: &Position,
        depth: u32,
        passed: bool,
        turns: &mut Turns,
    ) {
        if depth == 0 || game.result(position).is_some() {
            self.paths += 1;
            self.passes += u64::from(passed);
            if let Some(ends) = &mut self.ends {
                ends.insert(*position);
            }
            return;
        }
        for &roll in throws(game.asks(position)) {
            game.plays(position, roll, turns);
            let pass = turns.is_pass();
            if depth == 1 {
                self.paths += turns.len() as u64;
                self.passes += u64::from(pass);
                if let Some(ends) = &mut self.ends {
                    ends.extend(turns.iter().map(|(after, _)| after));
                }
            } else {
                let afters: Vec<Position> = turns.iter().map(|(after, _)| after).collect();
                for after in afters {
                    self.walk(game, &after, depth - 1, pass, turns);
                }
            }
        }
    }
}

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Decisions made.
    pub decisions: u32,
    /// How it ended, the winner being the player who began; nothing if it was given up.
    pub end: Option<End>,
}

/// Which stream of a trial's random words chooses among plays (the dice use the trial's own).
const CHOICES: u64 = 1;

/// Plays one game from the start, each distinct result of a decision equally likely, at most `most` of them.
///
/// `double_first` says whether the first throw may be a double. `visit` sees each position before it is
/// decided, and the throw, which matters only where the position asks for one. A game in which neither side
/// can move any more is void.
pub fn random_game<V: Variant>(
    game: &V,
    stream: Stream,
    double_first: bool,
    most: u32,
    turns: &mut Turns,
    mut visit: impl FnMut(&Position, Roll),
) -> Played {
    let choices = stream.fork(CHOICES);
    let mut position = game.start();
    let (mut beginner_acts, mut passes) = (true, 0);
    for decision in 0..most {
        let counter = u64::from(decision);
        let roll = match decision {
            0 if !double_first => stream.opening_roll(0),
            _ => stream.roll(counter),
        };
        visit(&position, roll);
        game.plays(&position, roll, turns);
        let chosen = choices.below(turns.len() as u32, counter) as usize;
        let Some((after, kept)) = turns.get(chosen) else { break };
        passes = if turns.is_pass() { passes + 1 } else { 0 };
        position = after;
        beginner_acts ^= !kept;
        let end = game.result(&position);
        if let Some(end) = end {
            let end = if beginner_acts { end } else { end.flipped() };
            return Played { decisions: decision + 1, end: Some(end) };
        }
        if passes >= 2 && game.asks(&position) == Asks::Throw && game.stuck(&position) {
            let void = End { winner: None, class: Class::Void, points: 0 };
            return Played { decisions: decision + 1, end: Some(void) };
        }
    }
    Played { decisions: most, end: None }
}

/// Random games in a block: some milliseconds.
const GAMES_A_BLOCK: u64 = 16;

/// Decisions after which a game is broken off, as no game of sense comes near. A random game is given up then; in a
/// duel nobody has won it; in a rollout it counts what the judge says of the position it has come to.
pub const MOST_DECISIONS: u32 = 20_000;

/// Plays the random games `0..count` of a seed, game `i` by [`Stream::new(seed, i)`](Stream::new).
///
/// The same games on any number of threads. The watcher is told how many are done.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
pub fn random_games<V: Variant>(
    game: &V,
    double_first: bool,
    seed: u64,
    count: u64,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Played>, Cancelled> {
    let blocks = usize::try_from(count.div_ceil(GAMES_A_BLOCK)).unwrap_or(usize::MAX);
    let done = AtomicU64::new(0);
    let play = |turns: &mut Turns, block: usize| {
        let first = block as u64 * GAMES_A_BLOCK;
        let end = count.min(first + GAMES_A_BLOCK);
        let one = |trial| {
            random_game(game, Stream::new(seed, trial), double_first, MOST_DECISIONS, turns, |_, _| {})
        };
        let games: Vec<Played> = (first..end).map(one).collect();
        done.fetch_add(end - first, Ordering::Relaxed);
        games
    };
    let mut tick = |_| watch(usize::try_from(done.load(Ordering::Relaxed)).unwrap_or(usize::MAX));
    let games = run_blocks(threads, blocks, &mut tick, Turns::new, play).complete()?;
    Ok(games.into_iter().flatten().collect())
}
