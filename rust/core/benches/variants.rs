//! Results a second of each game's move generator, beside the standard game's.
//!
//! Each game is given positions of its own random games times all 21 rolls, or the decision they ask for. Trictrac
//! has a second row, in which throws are not marked: there the points come before the moves, and take longer.

use std::time::Instant;

use gammon_core::movegen::{self, PlayBuf, plays};
use gammon_core::rng::Stream;
use gammon_core::rules::{AnyVariant, Asks, KINDS, Ruleset, Trictrac, Turns, Variant, random_game};
use gammon_core::{Backgammon, Position, Roll, with_variant};

const POSITIONS: usize = 300;
const PASSES: usize = 12;

/// Positions of random games: every seventh decision.
fn sample<V: Variant>(game: &V) -> Vec<Position> {
    let (mut positions, mut turns, mut trial) = (Vec::new(), Turns::new(), 0);
    while positions.len() < POSITIONS {
        let mut count = 0;
        random_game(game, Stream::new(9, trial), true, 5_000, &mut turns, |position, _| {
            count += 1;
            if count % 7 == 0 && positions.len() < POSITIONS {
                positions.push(*position);
            }
        });
        trial += 1;
    }
    positions
}

/// Positions that are timed together. A busy machine interrupts long stretches, short ones are now and then not.
const TOGETHER: usize = 5;

/// Calls `expand` with stretches of positions; expansions and results of one pass, and the sum of each stretch's
/// quickest time in seconds.
fn timed(positions: &[Position], mut expand: impl FnMut(&Position) -> (u64, u64)) -> (u64, u64, f64) {
    let (mut expansions, mut results, mut seconds) = (0, 0, 0.0);
    for stretch in positions.chunks(TOGETHER) {
        let (mut counts, mut best) = ((0, 0), f64::INFINITY);
        for _ in 0..PASSES {
            counts = (0, 0);
            let begun = Instant::now();
            for position in stretch {
                let (more, found) = expand(position);
                counts = (counts.0 + more, counts.1 + found);
            }
            best = best.min(begun.elapsed().as_secs_f64());
        }
        (expansions, results, seconds) = (expansions + counts.0, results + counts.1, seconds + best);
    }
    (expansions, results, seconds)
}

fn measure<V: Variant>(game: &V, positions: &[Position]) -> (u64, u64, f64) {
    let mut turns = Turns::new();
    timed(positions, |position| {
        let rolls = if game.asks(position) == Asks::Throw { &Roll::ALL[..] } else { &Roll::ALL[..1] };
        let mut results = 0;
        for &roll in rolls {
            game.plays(position, roll, &mut turns);
            results += turns.len() as u64;
        }
        (rolls.len() as u64, results)
    })
}

/// The turns of Trictrac alone.
fn measure_moves(game: &Trictrac, positions: &[Position]) -> (u64, u64, f64) {
    let mut turns = Turns::new();
    timed(positions, |position| {
        let mut results = 0;
        for roll in Roll::ALL {
            game.moves(position, roll, &mut turns);
            results += turns.len() as u64;
        }
        (21, results)
    })
}

/// Results a second of the standard game.
fn standard() -> f64 {
    let mut positions = Vec::new();
    let mut buf = PlayBuf::new();
    for trial in 0.. {
        movegen::random_game::<Backgammon>(Stream::new(9, trial), 5_000, &mut buf, |position, _, turn| {
            if turn % 7 == 6 && positions.len() < POSITIONS {
                positions.push(*position);
            }
        });
        if positions.len() == POSITIONS {
            break;
        }
    }
    let (_, results, seconds) = timed(&positions, |position| {
        let mut results = 0;
        for roll in Roll::ALL {
            plays::<Backgammon>(position, roll, &mut buf);
            results += buf.positions().len() as u64;
        }
        (21, results)
    });
    results as f64 / seconds
}

fn main() {
    let standard = standard();
    println!("{:<12} {:>7.1} million results a second", "standard", standard / 1e6);
    let show = |name: &str, (expansions, results, seconds): (u64, u64, f64)| {
        assert!(results >= expansions && expansions >= POSITIONS as u64);
        let (rate, each) = (results as f64 / seconds, results as f64 / expansions as f64);
        let (million, share) = (rate / 1e6, 100.0 * rate / standard);
        println!(
            "{name:<12} {million:>7.1} million results a second, {share:>3.0} %, {each:.1} an expansion"
        );
    };
    for kind in KINDS {
        let rules = Ruleset::new(kind.name, &[]).expect("it is listed");
        show(kind.name, with_variant!(rules.game(), game => measure(game, &sample(game))));
        if let AnyVariant::Trictrac(game) = rules.game() {
            show("  its moves", measure_moves(game, &sample(game)));
        }
    }
}
