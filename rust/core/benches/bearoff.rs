//! Speed of the bear-off tables and race chances. Every case checks a checksum of what it computed.
//!
//! ```text
//! cargo bench -p gammon-core --bench bearoff -- [--rounds N] [--only NAME] [--json]
//! ```
//!
//! Large builds take seconds to minutes and run only when named: `--only "build, one-sided 10"`.

#[allow(dead_code, reason = "its sets of contact positions are for other benches")]
mod support;

use std::sync::Arc;

use gammon_core::bearoff::{OneSided, Storage, TwoSided};
use gammon_core::eval::Evaluator;
use gammon_core::parallel::unwatched;
use gammon_core::position::Counts;
use gammon_core::race::{Method, RaceEvaluator};
use gammon_core::rng::Stream;
use gammon_core::{Position, Probs};

use support::{Case, Options, run};

/// Look-ups a run.
const MANY: usize = 1 << 18;

fn main() {
    let options = Options::from_args();
    let named = std::env::args().any(|arg| arg.starts_with("build"));
    let one = Arc::new(OneSided::build(6, 15, 2, &mut unwatched).expect("a size there is"));
    let two = Arc::new(TwoSided::build(6, 6, Storage::Bits16, 2, &mut unwatched).expect("a size there is"));
    let mut cases = vec![
        one_sided("build, one-sided 6", 6, 1, 713_984_583),
        one_sided("build, one-sided 6, 2 threads", 6, 2, 713_984_583),
        one_sided("build, one-sided 8", 8, 1, 683_941_878),
        two_sided("build, two-sided 6", 6, 1, 91_233_450),
        two_sided("build, two-sided 6, 2 threads", 6, 2, 91_233_450),
    ];
    if named {
        cases.extend([
            one_sided("build, one-sided 8, 2 threads", 8, 2, 683_941_878),
            one_sided("build, one-sided 10", 10, 1, 860_561_260),
            one_sided("build, one-sided 10, 2 threads", 10, 2, 860_561_260),
        ]);
        cases.extend([
            two_sided("build, two-sided 8", 8, 1, 286_230_574),
            two_sided("build, two-sided 8, 2 threads", 8, 2, 286_230_574),
        ]);
    }
    let race =
        Arc::new(RaceEvaluator::new(one.clone(), Some(two.clone())).expect("tables of the home board"));
    let home = positions(15, 6);
    let short = positions(6, 6);
    let long = positions(15, 12);
    cases.push(two_sided_look_ups(&two, &short));
    cases.push(two_sided_batch(&two, &short));
    cases.push(one_sided_look_ups(&one, &home));
    cases.push(convolutions(&one, &home));
    cases.push(race_chances("race, two-sided", &race, short, 168_364_876));
    cases.push(race_chances("race, both at home", &race, home, 153_081_165));
    cases.push(race_chances("race, both outside", &race, long.clone(), 146_340_479));
    cases.push(counts(long));
    run(cases, &options);
}

fn one_sided(name: &'static str, points: usize, threads: usize, expected: u64) -> Case<'static> {
    Case {
        name,
        unit: "build",
        units: 1,
        counted: "micropips",
        expected,
        threaded: threads > 1,
        run: Box::new(move || {
            let table = OneSided::build(points, 15, threads, &mut unwatched).expect("a size there is");
            let last = table.ranking().len() as u32 - 1;
            (table.epc(last) * 1e6) as u64 + (table.epc(last / 2) * 1e6) as u64 * 7
        }),
    }
}

fn two_sided(name: &'static str, checkers: usize, threads: usize, expected: u64) -> Case<'static> {
    Case {
        name,
        unit: "build",
        units: 1,
        counted: "bits",
        expected,
        threaded: threads > 1,
        run: Box::new(move || {
            let table =
                TwoSided::build(6, checkers, Storage::Bits16, threads, &mut unwatched).expect("a size");
            let sides = table.ranking().len() as u32;
            let diagonal = (1..sides).map(|i| table.equities(i, i));
            diagonal.map(|e| ((e.centred_no_double + e.opponent_owned + 2.0) * 32767.5) as u64).sum()
        }),
    }
}

/// Pairs of sides of up to so many checkers on the lowest points, evenly drawn from the table of sides.
fn positions(checkers: usize, points: usize) -> Vec<Position> {
    let ranking = gammon_core::bearoff::Ranking::new(points, checkers).expect("a size there is");
    let stream = Stream::new(3, points as u64);
    let draw = |i: u64| {
        let from = if points > 6 { ranking.first_with(checkers) } else { 1 };
        let index = from as u32 + stream.below((ranking.len() - from) as u32, i);
        ranking.unrank(index).expect("below the number of sides")
    };
    let pair = |i: u64| Position::from_counts(&draw(2 * i), &draw(2 * i + 1)).expect("no contact");
    (0..MANY as u64).map(pair).collect()
}

fn sides(positions: &[Position]) -> Vec<(Counts, Counts)> {
    positions.iter().map(|position| (position.roller(), position.opponent())).collect()
}

fn look_ups<'a>(
    name: &'static str,
    unit: &'static str,
    expected: u64,
    run: impl FnMut() -> u64 + 'a,
) -> Case<'a> {
    Case {
        name,
        unit,
        units: MANY as u64,
        counted: "checksum",
        expected,
        threaded: false,
        run: Box::new(run),
    }
}

fn two_sided_look_ups<'a>(table: &Arc<TwoSided>, positions: &[Position]) -> Case<'a> {
    let (table, sides) = (table.clone(), sides(positions));
    look_ups("look up two-sided", "pair", 21_348_699_934, move || {
        let equity = |(roller, opponent): &(Counts, Counts)| {
            let equities = table.find(roller, opponent).expect("covered");
            ((equities.cubeless + equities.opponent_owned + 2.0) * 32767.5) as u64
        };
        sides.iter().map(equity).sum()
    })
}

fn two_sided_batch<'a>(table: &Arc<TwoSided>, positions: &[Position]) -> Case<'a> {
    let (table, positions) = (table.clone(), positions.to_vec());
    let mut out = vec![0; positions.len()];
    look_ups("look up two-sided, a batch", "pair", 21_348_699_934, move || {
        table.look_up(&positions, &mut out, 0, |equities| {
            ((equities.cubeless + equities.opponent_owned + 2.0) * 32767.5) as u64
        });
        out.iter().sum()
    })
}

fn one_sided_look_ups<'a>(table: &Arc<OneSided>, positions: &[Position]) -> Case<'a> {
    let (table, sides) = (table.clone(), sides(positions));
    look_ups("look up a mean", "side", 1_905_320_050, move || {
        let mean = |(roller, _): &(Counts, Counts)| table.mean(table.find(roller).expect("covered"));
        sides.iter().map(|side| (mean(side) * 1e3) as u64).sum()
    })
}

fn convolutions<'a>(table: &Arc<OneSided>, positions: &[Position]) -> Case<'a> {
    let (table, sides) = (table.clone(), sides(positions));
    look_ups("compare two sides", "pair", 153_032_836, move || {
        let rolls = |side: &Counts| table.rolls(table.find(side).expect("covered"));
        sides.iter().map(|(roller, opponent)| (rolls(roller).beats(rolls(opponent), 0) * 1e3) as u64).sum()
    })
}

fn race_chances<'a>(
    name: &'static str,
    race: &Arc<RaceEvaluator>,
    positions: Vec<Position>,
    expected: u64,
) -> Case<'a> {
    let race = race.clone();
    let mut out = vec![Probs::default(); positions.len()];
    look_ups(name, "position", expected, move || {
        race.evaluate(&positions, &mut out).expect("races");
        out.iter()
            .map(|probs| (f64::from(probs.win) * 1e3) as u64 + (f64::from(probs.win_gammon) * 1e3) as u64)
            .sum()
    })
}

fn counts<'a>(positions: Vec<Position>) -> Case<'a> {
    let sides = sides(&positions);
    look_ups("all seven counts", "position", 197_652_017, move || {
        let count = |(roller, opponent): &(Counts, Counts)| -> u64 {
            Method::ALL.iter().map(|method| method.count(roller, opponent).roller as u64).sum()
        };
        sides.iter().map(count).sum()
    })
}
