//! Positions drawn at random from games that look a little like games.

use super::Side;
use crate::eval::Phase;
use crate::movegen::{PlayBuf, plays};
use crate::position::{BAR, Position};
use crate::rng::Stream;
use crate::rules::{Backgammon, Rules};

/// Plays compared each turn. One would be uniformly random play, with blots everywhere; all of them
/// would be the same opening for ever.
const CANDIDATES: u32 = 4;

/// Purposes for which a trial's random words are forked.
const GAME: u64 = 0;
const CHOICE: u64 = 1;
const DRAW: u64 = 2;

/// Turns after which a game is given up and another begun (5,000 games lasted 59 on average).
const MAX_TURNS: u64 = 2_000;

/// A position of this phase, drawn from semi-random games of the standard game.
///
/// Each turn the best of four random plays is made, by a rough score of points made, blots left and
/// checkers hit; from the first game that comes to the phase one of its positions is drawn, each equally
/// likely. The start itself is never drawn. The same stream gives the same position.
///
/// ```
/// use gammon_core::{eval::Phase, movegen::PlayBuf, rng::Stream, study::random_position};
///
/// let position = random_position(Phase::Race, Stream::new(1, 0), &mut PlayBuf::new());
/// assert!(position.is_race() && !position.is_over());
/// ```
pub fn random_position(phase: Phase, stream: Stream, buf: &mut PlayBuf) -> Position {
    // Of 5,000 games 61 % came to a crashed position, 68 % to a bear-off, nearly all to the others.
    let mut game = 0;
    loop {
        if let Some(position) = drawn_from_game(phase, stream.fork(GAME).fork(game), buf) {
            return position;
        }
        game += 1;
    }
}

/// One of the positions of this phase in the stream's game, if there are any.
fn drawn_from_game(phase: Phase, stream: Stream, buf: &mut PlayBuf) -> Option<Position> {
    let (choices, draws) = (stream.fork(CHOICE), stream.fork(DRAW));
    let mut position = Backgammon::start();
    let (mut drawn, mut seen) = (None, 0);
    for turn in 0..MAX_TURNS {
        let roll = if turn == 0 { stream.opening_roll(0) } else { stream.roll(turn) };
        plays::<Backgammon>(&position, roll, buf);
        position = better_of_some(buf.positions(), choices, turn);
        if Phase::of(&position) == phase {
            // The n-th candidate replaces the one held with chance 1/n: each is equally likely in the end.
            seen += 1;
            if draws.below(seen, turn) == 0 {
                drawn = Some(position);
            }
        }
        if position.is_over() {
            break;
        }
    }
    drawn
}

/// The best of [`CANDIDATES`] plays picked at random, by [`score`].
fn better_of_some(results: &[Position], choices: Stream, turn: u64) -> Position {
    let pick = |i| results[choices.below(results.len() as u32, turn * u64::from(CANDIDATES) + i) as usize];
    let mut best = pick(0);
    for i in 1..u64::from(CANDIDATES) {
        let next = pick(i);
        if score(&next) > score(&best) {
            best = next;
        }
    }
    best
}

/// How well the player stands who has just moved; `after` has the opponent on roll.
fn score(after: &Position) -> i32 {
    let mover = Side::of(&after.opponent());
    let count = |set: u32| set.count_ones() as i32;
    let hit = i32::from(after.roller()[BAR]);
    let blots = if after.is_race() { 0 } else { count(mover.blots) };
    // A point in the own board is worth more than one elsewhere, a blot costs about a point.
    3 * count(mover.points) + 2 * count(mover.home_points()) + i32::from(mover.prime) - 3 * blots
        + 4 * hit
        + 2 * i32::from(mover.off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_phase_can_be_drawn_and_the_stream_decides() {
        let mut buf = PlayBuf::new();
        for phase in Phase::ALL {
            let mut different = HashSet::new();
            for trial in 0..100 {
                let position = random_position(phase, Stream::new(5, trial), &mut buf);
                assert_eq!(Phase::of(&position), phase);
                assert_ne!(position, Position::START);
                assert_eq!(random_position(phase, Stream::new(5, trial), &mut buf), position);
                Position::from_counts(&position.roller(), &position.opponent()).unwrap();
                different.insert(position);
            }
            assert!(different.len() > 70, "{phase}: {} different of 100", different.len());
        }
    }
}
