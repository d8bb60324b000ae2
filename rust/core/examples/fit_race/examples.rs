//! Sides and their exact values: made, written, read.

use std::collections::BTreeSet;

use gammon_core::bearoff::{Moments, OneSided};
use gammon_core::parallel::{run_blocks, unwatched};
use gammon_core::position::Counts;
use gammon_core::race::far::{self, Estimate};
use gammon_core::rng::Stream;

use crate::exact::{Exact, Goal, moments, outside};
use crate::sides::{play_game, played_side, random_side};

/// One example: a side and its exact values. The first-off ones are NaN if a checker is off.
pub struct Example {
    /// The side.
    pub side: Counts,
    /// What is known of it.
    pub exact: Estimate,
    /// The table's values for the side pushed home.
    pub home: Moments,
    /// Pips that takes.
    pub pushed: u32,
}

impl Example {
    /// What the net is to correct.
    pub fn start(&self) -> far::Start {
        far::start(self.pushed, self.home.mean, self.home.variance)
    }
}

/// About how many of the sides met in playing one out are taken.
const MET: f64 = 200.0;

/// Values of sides met when `games` sides are played out, half of them drawn, half from played games.
///
/// Drawn sides have at most `most_beyond` pips beyond the table. Playing a side out solves all sides it may
/// lead to: some hundred for played sides, 15,000 and more for those with 40 such pips.
pub fn data(table: &OneSided, games: u64, seed: u64, most_beyond: usize, threads: usize) -> Vec<u8> {
    let one = |(): &mut (), game: usize| played_out(table, game as u64, seed, most_beyond);
    run_blocks(threads, games as usize, &mut unwatched, || (), one).results.concat()
}

fn played_out(table: &OneSided, game: u64, seed: u64, most_beyond: usize) -> Vec<u8> {
    let stream = Stream::new(seed, game);
    let (mut all, mut first) = (Exact::new(table, Goal::AllOff), Exact::new(table, Goal::FirstOff));
    let start = if game.is_multiple_of(2) {
        let mut drawn = (0..).map(|i| random_side(stream.fork(1).fork(i), 23));
        drawn.find(|side| beyond(side, table) <= most_beyond).expect("some such side")
    } else {
        played_side(table, stream)
    };
    all.chances(&start);
    let mut sides = BTreeSet::new();
    for line in 0..12 {
        let (mut side, mut turn) = (start, 0);
        while outside(&side) {
            sides.insert(side);
            side = all.best(&side, stream.fork(2 + line).roll(turn));
            turn += 1;
        }
    }
    // And some of the many sides met on the way.
    let mut met: Vec<Counts> = all.known.keys().copied().collect();
    met.sort_unstable();
    let share = MET / met.len() as f64;
    sides.extend((0..).zip(&met).filter(|&(i, _)| stream.fork(20).unit(i) < share).map(|(_, side)| *side));
    let mut bytes = Vec::new();
    for side in sides {
        record(&mut bytes, &side, &mut all, &mut first);
    }
    bytes
}

/// Pips that a side needs to come within the table.
fn beyond(side: &Counts, table: &OneSided) -> usize {
    let places = side.iter().enumerate().skip(table.points());
    places.map(|(i, &n)| (i + 1 - table.points()) * usize::from(n)).sum()
}

/// Values of sides within the table, half of them drawn, half from played games.
pub fn near(table: &OneSided, count: u64, seed: u64) -> Vec<u8> {
    let mut sides = BTreeSet::new();
    let inside = |side: &Counts| outside(side) && table.find(side).is_some();
    let drawn = |i| random_side(Stream::new(seed, i).fork(3), table.points());
    sides.extend((0..).map(drawn).filter(inside).take(count as usize / 2));
    let mut game = 0;
    while sides.len() < count as usize {
        play_game(table, Stream::new(seed, game), |position| {
            if position.is_race() {
                sides.extend([position.roller(), position.opponent()].into_iter().filter(inside));
            }
        });
        game += 1;
    }
    let (mut all, mut first) = (Exact::new(table, Goal::AllOff), Exact::new(table, Goal::FirstOff));
    let mut bytes = Vec::new();
    for side in sides {
        record(&mut bytes, &side, &mut all, &mut first);
    }
    bytes
}

/// Adds an example to a file's bytes.
fn record(bytes: &mut Vec<u8>, side: &Counts, all: &mut Exact<'_>, first: &mut Exact<'_>) {
    let full = side.iter().map(|&n| u32::from(n)).sum::<u32>() == 15;
    let nothing = Moments { mean: f64::NAN, variance: f64::NAN, skewness: f64::NAN };
    let first = if full { moments(&first.chances(side)) } else { nothing };
    let table = all.table;
    let home = table.rolls(table.find(&far::pushed_home(side).0).expect("at home"));
    let home = moments(&(0..=home.last()).map(|n| home.chance(n)).collect::<Vec<_>>());
    bytes.extend_from_slice(side);
    for moments in [moments(&all.chances(side)), first, home] {
        for number in [moments.mean, moments.variance, moments.skewness] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
}

/// Examples from a file's bytes.
pub fn read(bytes: &[u8]) -> Vec<Example> {
    let example = |bytes: &[u8; 97]| {
        let side: Counts = bytes[..25].try_into().expect("25 bytes");
        let numbers: Vec<f64> = bytes[25..].as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect();
        let moments =
            |i: usize| Moments { mean: numbers[i], variance: numbers[i + 1], skewness: numbers[i + 2] };
        let exact = Estimate { all_off: moments(0), first_off: moments(3) };
        Example { side, exact, home: moments(6), pushed: far::pushed_home(&side).1 }
    };
    bytes.as_chunks().0.iter().map(example).collect()
}
