//! Sides and games to learn from: drawn at random, and played.

use gammon_core::bearoff::OneSided;
use gammon_core::movegen::{PlayBuf, plays};
use gammon_core::position::Counts;
use gammon_core::rng::Stream;
use gammon_core::{Backgammon, Position};

use crate::exact::{Exact, Goal};

/// A side as it may stand when contact ends, or later: each checker in a quarter of the board drawn with
/// weights that are drawn too, on a point of the home board by a law that is drawn too. Points beyond
/// `last` are folded back.
pub fn random_side(stream: Stream, last: usize) -> Counts {
    let unit = |i| stream.unit(i);
    let weights = [0.5 + 4.0 * unit(0) * unit(8), 1.2 * unit(1), unit(2) * unit(3), 0.4 * unit(4) * unit(5)];
    let checkers = if unit(6) < 0.8 { 15 } else { (3.0 + 12.0 * unit(7)) as u64 };
    let law = stream.below(LAWS.len() as u32, 9) as usize;
    // How often a checker joins the one before it: played positions have few blots.
    let joins = 0.7 * unit(10);
    let mut side = [0; 25];
    let mut before = 0;
    for checker in 0..checkers {
        if checker > 0 && unit(60 + checker) < joins {
            side[before] += 1;
            continue;
        }
        let mut draw = unit(20 + 2 * checker) * weights.iter().sum::<f64>();
        let quarter = (0..3).find(|&q| {
            draw -= weights[q];
            draw < 0.0
        });
        let place = unit(21 + 2 * checker);
        let point = match quarter {
            Some(0) => 5 - (6.0 * LAWS[law](place)) as usize,
            // Not the 24 point, where the last opponent waits.
            quarter => (quarter.unwrap_or(3) * 6 + (6.0 * place) as usize).min(22),
        };
        before = if point < last { point } else { 6 + point % (last - 6) };
        side[before] += 1;
    }
    side
}

/// How checkers lie in the home board, from deep to high. Powers without a logarithm, so that every
/// machine draws the same sides.
const LAWS: [fn(f64) -> f64; 5] = [f64::sqrt, |x| x, |x| x * x, |x| x * x * x, |x| x * x * x * x];

/// Plays a game: safe until the sides have passed each other, quick afterwards.
pub fn play_game(table: &OneSided, stream: Stream, mut visit: impl FnMut(&Position)) {
    let guess = Exact::new(table, Goal::AllOff);
    let mut buf = PlayBuf::new();
    let mut position = Position::START;
    for turn in 0..400 {
        if position.is_over() {
            break;
        }
        visit(&position);
        let roll = if turn == 0 { stream.opening_roll(0) } else { stream.roll(turn) };
        plays::<Backgammon>(&position, roll, &mut buf);
        let race = position.is_race();
        let best = buf.positions().iter().min_by_key(|after| {
            let side = after.opponent();
            if race { ((guess.guess(&side) * 1e9) as u64, 0) } else { safety(&side) }
        });
        position = *best.expect("some play");
    }
}

/// The side of the player on roll when a played game becomes a race.
pub fn played_side(table: &OneSided, stream: Stream) -> Counts {
    let mut side = None;
    play_game(table, stream, |position| {
        if position.is_race() {
            side.get_or_insert(position.roller());
        }
    });
    side.unwrap_or_else(|| random_side(stream.fork(1), 23))
}

/// Few blots, then rear checkers that have come far.
fn safety(side: &Counts) -> (u64, u64) {
    let blots = side.iter().filter(|&&n| n == 1).count() as u64;
    let rear = (0..25u64).zip(side).map(|(i, &n)| i * i * i * u64::from(n)).sum();
    (blots, rear)
}
