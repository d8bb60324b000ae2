//! Speed of move generation. Every case checks what it counted.
//!
//! ```text
//! cargo bench -p gammon-core --bench movegen -- [--rounds N] [--only NAME] [--json]
//! ```
//!
//! An *expansion* is one position with one roll, made into all its distinct results; an unplayable roll
//! has one. The 2,000 positions of `benches/positions/speed_positions.txt` with all 21 rolls have 913,440.

mod support;

use gammon_core::eval::Phase;
use gammon_core::movegen::{PlayBuf, expand, plays, random_game};
use gammon_core::parallel::unwatched;
use gammon_core::rng::Stream;
use gammon_core::rows;
use gammon_core::{Backgammon, Position, Roll};

use support::sets::{self, Pair};
use support::{Case, Options, run};

/// Distinct results of the speed positions with every roll.
const ALL: u64 = 913_440;
/// Those of rolls that are no doubles, and of doubles.
const MIXED: u64 = 425_673;
const DOUBLES: u64 = ALL - MIXED;
/// Those of the races and of the bear-offs of seeded random games.
const RACE: u64 = 738743;
const BEAROFF: u64 = 107648;
/// Those of 42,000 speed positions drawn with dice as in a game.
const DICE: u64 = 776470;

/// Games in one run, and the rolls thrown in them.
const GAMES: u64 = 2_000;
const TURNS: u64 = 193095;

fn main() {
    let options = Options::from_args();
    let positions = sets::speed_positions();
    assert_eq!(positions.len(), 2_000);
    let all = sets::with_rolls(&positions, |_| true);
    let results = results_of(&all);
    let results_as_rows = {
        let mut rows = Vec::new();
        rows::write(&results, &mut rows);
        rows
    };

    let race = sets::with_rolls(&sets::of_phase(Phase::Race), |_| true);
    let bearoff = sets::with_rolls(&sets::of_phase(Phase::BearOff), |_| true);
    let mut cases = vec![
        expansions("contact", all.clone(), ALL),
        expansions("contact, not doubles", sets::with_rolls(&positions, |roll| !roll.is_double()), MIXED),
        expansions("contact, doubles", sets::with_rolls(&positions, Roll::is_double), DOUBLES),
        expansions("contact, thrown dice", sets::with_dice(&positions, 42_000), DICE),
        expansions("race", race, RACE),
        expansions("bear-off", bearoff, BEAROFF),
        games(),
    ];
    for (name, batch, threads) in [
        ("expand, batches of 16", 16, 1),
        ("expand, batches of 256", 256, 1),
        ("expand, batches of 4,096", 4_096, 1),
        ("expand, one batch", all.len(), 1),
        ("expand 4,096, 2 threads", 4_096, 2),
        ("expand all, 2 threads", all.len(), 2),
    ] {
        cases.push(batches(name, &all, batch, threads));
    }
    cases.push(write_rows(&results));
    cases.push(read_rows(&results_as_rows));
    run(cases, &options);
}

/// Every result of every pair.
fn results_of(pairs: &[Pair]) -> Vec<Position> {
    let mut buf = PlayBuf::new();
    let mut results = Vec::new();
    for &(position, roll) in pairs {
        plays::<Backgammon>(&position, roll, &mut buf);
        results.extend_from_slice(buf.positions());
    }
    results
}

/// One call of the generator a pair, results into one buffer.
fn expansions(name: &'static str, pairs: Vec<Pair>, expected: u64) -> Case<'static> {
    let mut buf = PlayBuf::new();
    Case {
        name,
        unit: "expansion",
        units: pairs.len() as u64,
        expected,
        counted: "results",
        threaded: false,
        run: Box::new(move || {
            let mut count = 0;
            for (position, roll) in &pairs {
                plays::<Backgammon>(position, *roll, &mut buf);
                count += buf.positions().len() as u64;
            }
            count
        }),
    }
}

/// Games from the start to the end, every play equally likely.
fn games() -> Case<'static> {
    let mut buf = PlayBuf::new();
    Case {
        name: "random games",
        unit: "game",
        units: GAMES,
        expected: TURNS,
        counted: "turns",
        threaded: false,
        run: Box::new(move || {
            let mut turns = 0;
            for trial in 0..GAMES {
                let game = random_game::<Backgammon>(Stream::new(3, trial), 10_000, &mut buf, |_, _, _| {});
                assert!(game.result.is_some(), "random games end");
                turns += u64::from(game.turns);
            }
            turns
        }),
    }
}

/// All pairs, handed over so many at a time; results as rows in new memory, as Python gets them.
fn batches<'a>(name: &'static str, pairs: &[Pair], batch: usize, threads: usize) -> Case<'a> {
    let (positions, rolls): (Vec<Position>, Vec<Roll>) = pairs.iter().copied().unzip();
    Case {
        name,
        unit: "expansion",
        units: pairs.len() as u64,
        expected: ALL,
        counted: "results",
        threaded: threads > 1,
        run: Box::new(move || {
            let mut count = 0;
            for (positions, rolls) in positions.chunks(batch).zip(rolls.chunks(batch)) {
                let expansion =
                    expand::<Backgammon>(positions, rolls, threads, &mut unwatched).expect("nobody stops it");
                count += *expansion.offsets.last().expect("there is a first offset") as u64;
            }
            count
        }),
    }
}

/// Positions to the bytes of a `uint8[n, 2, 25]`.
fn write_rows(positions: &[Position]) -> Case<'_> {
    let mut bytes = Vec::with_capacity((positions.len() + 1) * rows::ROW_BYTES);
    Case {
        name: "rows, written",
        unit: "row",
        units: positions.len() as u64,
        expected: ALL,
        counted: "rows",
        threaded: false,
        run: Box::new(move || {
            bytes.clear();
            rows::write(positions, &mut bytes);
            (bytes.len() / rows::ROW_BYTES) as u64
        }),
    }
}

/// The bytes of a `uint8[n, 2, 25]` to positions, each checked.
fn read_rows(bytes: &[u8]) -> Case<'_> {
    let mut positions = Vec::with_capacity(bytes.len() / rows::ROW_BYTES);
    Case {
        name: "rows, read and checked",
        unit: "row",
        units: (bytes.len() / rows::ROW_BYTES) as u64,
        expected: ALL,
        counted: "rows",
        threaded: false,
        run: Box::new(move || {
            positions.clear();
            rows::read_into(bytes, &mut positions).expect("they were written from positions");
            positions.len() as u64
        }),
    }
}
