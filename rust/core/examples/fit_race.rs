//! Makes the numbers in `src/race/far.bin` and `tests/data/race/reference.csv`.
//!
//! ```text
//! fit_race data TABLE SIDES SEED OUT       exact values of sides with checkers outside, played out
//! fit_race near TABLE SIDES SEED OUT       the same of many sides within the table
//! fit_race fit DATA TEST OUT               fits the net to DATA, judges it by TEST
//! fit_race reference TABLE GAMES SEED OUT  exact values of race positions from played games
//! ```
//!
//! TABLE is a one-sided table of 15 checkers and at least 10 points (12 make short work of it), built if
//! there is no such file. Exact means: the side is played out, all 21 rolls at every turn, with results
//! remembered, until the table takes over; the play is chosen by the table's mean with what is beyond it
//! pushed onto its last point.
//!
//! Files of examples may be joined. The numbers shipped were fitted to 300,000 sides of `near` (seed 41, a
//! table of 12 points) and 79,000 played-out sides, half of them drawn by an earlier form of
//! [`random_side`], so they can be made again as good, but not to the bit. On 9,815 other sides the mean
//! absolute error is 0.064 effective pips, and 0.030 rolls for the first checker.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gammon_core::bearoff::{Moments, OneSided, PIPS_A_ROLL};
use gammon_core::movegen::{PlayBuf, plays};
use gammon_core::parallel::unwatched;
use gammon_core::position::Counts;
use gammon_core::race::far::{self, Estimate, Far};
use gammon_core::rng::Stream;
use gammon_core::{Backgammon, Position, Roll};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["data", table, games, seed, out] => data(&open(table), number(games), number(seed), out),
        ["near", table, sides, seed, out] => near(&open(table), number(sides), number(seed), out),
        ["fit", data, test, out] => fit(&read(data), &read(test), out),
        ["reference", table, games, seed, out] => reference(&open(table), number(games), number(seed), out),
        _ => eprintln!("see the comment at the top of this file"),
    }
}

fn number(text: &str) -> u64 {
    text.parse().expect("a whole number")
}

fn open(path: &str) -> OneSided {
    OneSided::open(Path::new(path)).unwrap_or_else(|_| {
        let table = OneSided::build(10, 15, 2, &mut unwatched).expect("a size there is");
        table.save(Path::new(path)).expect("a writable path");
        table
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Goal {
    AllOff,
    FirstOff,
}

/// Exact distributions by playing out.
struct Exact<'a> {
    table: &'a OneSided,
    goal: Goal,
    known: HashMap<Counts, Vec<f64>>,
    buf: PlayBuf,
}

impl<'a> Exact<'a> {
    fn new(table: &'a OneSided, goal: Goal) -> Self {
        Exact { table, goal, known: HashMap::new(), buf: PlayBuf::new() }
    }

    /// The table's mean of a side, with checkers beyond it pushed onto its last point.
    fn guess(&self, side: &Counts) -> f64 {
        let last = self.table.points();
        let (mut inside, mut pips) = (*side, 0);
        for i in last..25 {
            pips += (i + 1 - last) * inside[i] as usize;
            inside[last - 1] += std::mem::take(&mut inside[i]);
        }
        let index = self.table.find(&inside).expect("at most fifteen on the table's points");
        let mean = match self.goal {
            Goal::AllOff => self.table.mean(index),
            Goal::FirstOff => self.table.mean_first_off(index),
        };
        mean + pips as f64 / PIPS_A_ROLL
    }

    fn best(&mut self, side: &Counts, roll: Roll) -> Counts {
        plays::<Backgammon>(&alone(side), roll, &mut self.buf);
        let sides = self.buf.positions().iter().map(|after| after.opponent());
        sides.min_by(|a, b| self.guess(a).total_cmp(&self.guess(b))).expect("some play")
    }

    /// Chance of 0, 1, 2, … rolls.
    fn chances(&mut self, side: &Counts) -> Vec<f64> {
        if let Some(index) = self.table.find(side) {
            let rolls = match self.goal {
                Goal::AllOff => self.table.rolls(index),
                Goal::FirstOff => self.table.first_off(index),
            };
            return (0..=rolls.last()).map(|n| rolls.chance(n)).collect();
        }
        if let Some(known) = self.known.get(side) {
            return known.clone();
        }
        let mut total = vec![0.0; 100];
        for roll in Roll::ALL {
            let after = self.best(side, roll);
            for (n, chance) in self.chances(&after).into_iter().enumerate() {
                total[n + 1] += chance * f64::from(roll.weight()) / 36.0;
            }
        }
        while total.last() == Some(&0.0) {
            total.pop();
        }
        self.known.insert(*side, total.clone());
        total
    }
}

/// The side against a single checker it has passed.
fn alone(side: &Counts) -> Position {
    let mut last = [0; 25];
    last[0] = 1;
    Position::from_counts(side, &last).expect("nobody on the 24 point")
}

fn outside(side: &Counts) -> bool {
    side[6..].iter().any(|&n| n > 0)
}

fn moments(chances: &[f64]) -> Moments {
    let about = |centre: f64, power| -> f64 {
        chances.iter().enumerate().map(|(n, p)| p * (n as f64 - centre).powi(power)).sum()
    };
    let mean = about(0.0, 1);
    let variance = about(mean, 2);
    let skewness = if variance > 1e-9 { about(mean, 3) / variance.powf(1.5) } else { 0.0 };
    Moments { mean, variance, skewness }
}

/// A side as it may stand when contact ends, or later: each checker in a quarter of the board drawn with
/// weights that are drawn too, on a point of the home board by a law that is drawn too. Points beyond
/// `last` are folded back.
fn random_side(stream: Stream, last: usize) -> Counts {
    let unit = |i| stream.unit(i);
    let weights = [0.5 + 4.0 * unit(0) * unit(8), 1.2 * unit(1), unit(2) * unit(3), 0.4 * unit(4) * unit(5)];
    let men = if unit(6) < 0.8 { 15 } else { (3.0 + 12.0 * unit(7)) as u64 };
    let law = (2.6 * unit(9) - 1.0).exp();
    // How often a checker joins the one before it: played positions have few blots.
    let joins = 0.7 * unit(10);
    let mut side = [0; 25];
    let mut before = 0;
    for man in 0..men {
        if man > 0 && unit(60 + man) < joins {
            side[before] += 1;
            continue;
        }
        let mut draw = unit(20 + 2 * man) * weights.iter().sum::<f64>();
        let quarter = (0..3).find(|&q| {
            draw -= weights[q];
            draw < 0.0
        });
        let place = unit(21 + 2 * man);
        let point = match quarter {
            Some(0) => 5 - (6.0 * place.powf(law)) as usize,
            // Not the 24 point, where the last opponent waits.
            quarter => (quarter.unwrap_or(3) * 6 + (6.0 * place) as usize).min(22),
        };
        before = if point < last { point } else { 6 + point % (last - 6) };
        side[before] += 1;
    }
    side
}

/// One example: a side and its exact values. The first-off ones are NaN if a checker is off.
struct Example {
    side: Counts,
    exact: Estimate,
    home: Moments,
    pushed: u32,
}

impl Example {
    fn start(&self) -> far::Start {
        far::start(self.pushed, self.home.mean, self.home.variance)
    }
}

fn data(table: &OneSided, games: u64, seed: u64, out: &str) {
    let mut bytes = Vec::new();
    for game in 0..games {
        let stream = Stream::new(seed, game);
        let (mut all, mut first) = (Exact::new(table, Goal::AllOff), Exact::new(table, Goal::FirstOff));
        let start = if game % 2 == 0 { random_side(stream.fork(1), 23) } else { played_side(table, stream) };
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
        let share = 100.0 / met.len() as f64;
        sides
            .extend((0..).zip(&met).filter(|&(i, _)| stream.fork(20).unit(i) < share).map(|(_, side)| *side));
        for side in sides {
            record(&mut bytes, &side, &mut all, &mut first);
        }
        fs::write(out, &bytes).expect("a writable path");
    }
}

/// Sides within the table, half of them drawn, half from played games.
fn near(table: &OneSided, count: u64, seed: u64, out: &str) {
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
    fs::write(out, &bytes).expect("a writable path");
}

/// Adds an example to a file's bytes.
fn record(bytes: &mut Vec<u8>, side: &Counts, all: &mut Exact<'_>, first: &mut Exact<'_>) {
    let full = side.iter().map(|&n| u32::from(n)).sum::<u32>() == 15;
    let nothing = Moments { mean: f64::NAN, variance: f64::NAN, skewness: f64::NAN };
    let first = if full { moments(&first.chances(side)) } else { nothing };
    let table = all.table;
    let index = table.find(&far::pushed_home(side).0).expect("at home");
    bytes.extend_from_slice(side);
    for moments in [moments(&all.chances(side)), first, table.rolls(index).moments()] {
        for number in [moments.mean, moments.variance, moments.skewness] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
}

fn read(path: &str) -> Vec<Example> {
    let bytes = fs::read(path).expect("a readable file");
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

/// Inputs that are not 0, and what the net is to give.
type Row = (Vec<(usize, f32)>, [f32; far::OUTPUTS]);

fn inputs(example: &Example) -> Vec<(usize, f32)> {
    let points = example.side[..24].iter().enumerate();
    let mut inputs: Vec<(usize, f32)> = points
        .flat_map(|(p, &n)| {
            far::point_inputs(n).into_iter().enumerate().map(move |(k, x)| (p * far::PER_POINT + k, x))
        })
        .filter(|&(_, x)| x != 0.0)
        .collect();
    let pips = (1..).zip(&example.side).map(|(p, &n)| p * u32::from(n)).sum();
    inputs.push((far::INPUTS - 1, example.start().waste_input(pips)));
    inputs
}

/// Adam (Kingma and Ba, 2015) on the squared error, learning rate falling as a cosine to nothing.
fn fit(examples: &[Example], tests: &[Example], out: &str) {
    use far::{HIDDEN, INPUTS, OUTPUTS, WEIGHTS};
    const EPOCHS: usize = 60;
    const BATCH: usize = 256;
    let stream = Stream::new(20_261_129, 0);
    let rows: Vec<Row> =
        examples.iter().map(|example| (inputs(example), example.start().target(&example.exact))).collect();
    let mut weights = vec![0f32; WEIGHTS];
    for (i, weight) in weights[..INPUTS * HIDDEN].iter_mut().enumerate() {
        *weight = 0.5 * (stream.unit(i as u64) as f32 - 0.5);
    }
    let second = INPUTS * HIDDEN + HIDDEN;
    for (i, weight) in weights[second..second + HIDDEN * OUTPUTS].iter_mut().enumerate() {
        *weight = 0.1 * (stream.fork(1).unit(i as u64) as f32 - 0.5);
    }
    let (mut mean, mut square) = (vec![0f32; WEIGHTS], vec![0f32; WEIGHTS]);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut step = 0;
    for epoch in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, stream.fork(2 + epoch as u64).below(i as u32 + 1, i as u64) as usize);
        }
        let rate = 1.5e-3 * (1.0 + (std::f32::consts::PI * epoch as f32 / EPOCHS as f32).cos());
        for batch in order.chunks(BATCH) {
            let mut slope = vec![0f32; WEIGHTS];
            for &row in batch {
                backward(&weights, &rows[row].0, &rows[row].1, &mut slope);
            }
            step += 1;
            let (near, far) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            for i in 0..WEIGHTS {
                let slope = slope[i] / batch.len() as f32;
                mean[i] += 0.1 * (slope - mean[i]);
                square[i] += 0.001 * (slope * slope - square[i]);
                weights[i] -= rate * (mean[i] / near) / ((square[i] / far).sqrt() + 1e-8);
            }
        }
        if epoch % 10 == 9 {
            println!("epoch {}", epoch + 1);
            judge(&Far::new(&weights), tests);
        }
    }
    let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    fs::write(out, bytes).expect("a writable path");
}

/// How much the outputs matter: a tenth of a pip or a hundredth of a roll moves chances more than any
/// likely error of a skewness.
const CARE: [f32; far::OUTPUTS] = [1.0, 1.0, 0.3, 5.0, 2.0, 0.05];

/// Adds the slope of half the weighted squared error of one example.
fn backward(weights: &[f32], inputs: &[(usize, f32)], target: &[f32; far::OUTPUTS], slope: &mut [f32]) {
    use far::{HIDDEN, INPUTS, OUTPUTS};
    let second = INPUTS * HIDDEN + HIDDEN;
    let last = second + HIDDEN * OUTPUTS;
    let mut hidden: Vec<f32> = weights[INPUTS * HIDDEN..second].to_vec();
    for &(input, x) in inputs {
        for (sum, weight) in hidden.iter_mut().zip(&weights[input * HIDDEN..]) {
            *sum += x * weight;
        }
    }
    let mut error: [f32; OUTPUTS] = weights[last..].try_into().expect("the last weights");
    for (unit, row) in hidden.iter().zip(weights[second..last].as_chunks::<OUTPUTS>().0) {
        for (sum, weight) in error.iter_mut().zip(row) {
            *sum += unit.max(0.0) * weight;
        }
    }
    for (error, target) in error.iter_mut().zip(target) {
        *error = if target.is_nan() { 0.0 } else { *error - target.clamp(-9.0, 9.0) };
    }
    for (error, care) in error.iter_mut().zip(CARE) {
        *error *= care;
    }
    let mut back = vec![0f32; HIDDEN];
    for (h, unit) in hidden.iter().enumerate().filter(|(_, unit)| **unit > 0.0) {
        for (k, error) in error.iter().enumerate() {
            slope[second + h * OUTPUTS + k] += unit * error;
            back[h] += weights[second + h * OUTPUTS + k] * error;
        }
    }
    for (slope, error) in slope[last..].iter_mut().zip(&error) {
        *slope += error;
    }
    for (slope, back) in slope[INPUTS * HIDDEN..second].iter_mut().zip(&back) {
        *slope += back;
    }
    for &(input, x) in inputs {
        for (slope, back) in slope[input * HIDDEN..].iter_mut().zip(&back) {
            *slope += x * back;
        }
    }
}

/// Prints the mean absolute errors.
fn judge(net: &Far, tests: &[Example]) {
    let (mut sums, mut full) = ([0.0; 6], 0.0);
    for test in tests {
        let ours = net.estimate(&test.side, test.pushed, test.home.mean, test.home.variance);
        let error = |ours: f64, exact: f64| (ours - exact).abs();
        sums[0] += error(ours.all_off.mean, test.exact.all_off.mean) * PIPS_A_ROLL;
        sums[1] += error(ours.all_off.variance, test.exact.all_off.variance);
        sums[5] += error(ours.all_off.skewness, test.exact.all_off.skewness);
        if !test.exact.first_off.mean.is_nan() {
            sums[2] += error(ours.first_off.mean, test.exact.first_off.mean);
            sums[3] += error(ours.first_off.variance, test.exact.first_off.variance);
            sums[4] += error(ours.first_off.skewness, test.exact.first_off.skewness);
            full += 1.0;
        }
    }
    let n = tests.len() as f64;
    println!(
        "mean absolute error over {n} sides: effective pips {:.4}, variance {:.4}, skewness {:.4}; first off: rolls {:.4}, variance {:.4}, skewness {:.4}",
        sums[0] / n,
        sums[1] / n,
        sums[5] / n,
        sums[2] / full,
        sums[3] / full,
        sums[4] / full
    );
}

/// Race positions of games in which both sides play safe until they have passed each other and quick
/// afterwards, three a game, with exact chances (each side alone) to win and to win and lose a gammon.
fn reference(table: &OneSided, games: u64, seed: u64, out: &str) {
    let mut text = String::from(
        "# Race positions of played games with exact chances, each side playing for its fewest mean rolls.\n\
         # Made by rust/core/examples/fit_race.rs (reference), seed in the first column.\n\
         game,roller,opponent,win,win_gammon,lose_gammon\n",
    );
    let (mut all, mut first) = (Exact::new(table, Goal::AllOff), Exact::new(table, Goal::FirstOff));
    for game in 0..games {
        let mut races = 0;
        play_game(table, Stream::new(seed, game), |position| {
            let (roller, opponent) = (position.roller(), position.opponent());
            if !position.is_race() || !(outside(&roller) || outside(&opponent)) {
                return;
            }
            races += 1;
            if races % 3 != 1 || races > 9 {
                return;
            }
            let (ours, theirs) = (all.chances(&roller), all.chances(&opponent));
            let (our_first, their_first) = (first_off(&mut first, &roller), first_off(&mut first, &opponent));
            let list = |side: &Counts| side[..24].iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            writeln!(
                text,
                "{game},{},{},{:.6},{:.6},{:.6}",
                list(&roller),
                list(&opponent),
                before(&ours, &theirs, 0),
                before(&ours, &their_first, 0),
                before(&theirs, &our_first, 1)
            )
            .expect("a string");
        });
        all.known.clear();
        first.known.clear();
    }
    fs::write(out, text).expect("a writable path");
}

/// Plays a game: safe until the sides have passed each other, quick afterwards.
fn play_game(table: &OneSided, stream: Stream, mut visit: impl FnMut(&Position)) {
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
fn played_side(table: &OneSided, stream: Stream) -> Counts {
    let mut side = None;
    play_game(table, stream, |position| {
        if position.is_race() {
            side.get_or_insert(position.roller());
        }
    });
    side.unwrap_or_else(|| random_side(stream.fork(1), 23))
}

fn first_off(exact: &mut Exact<'_>, side: &Counts) -> Vec<f64> {
    if side.iter().map(|&n| u32::from(n)).sum::<u32>() < 15 { vec![1.0] } else { exact.chances(side) }
}

/// Chance that `a` rolls are over before `b` rolls of the other, who has `head_start` more.
fn before(a: &[f64], b: &[f64], head_start: usize) -> f64 {
    let tail = |n: usize| b.iter().skip(n).sum::<f64>();
    a.iter().enumerate().map(|(n, chance)| chance * tail(n + head_start)).sum()
}

/// Few blots, then rear checkers that have come far.
fn safety(side: &Counts) -> (u64, u64) {
    let blots = side.iter().filter(|&&n| n == 1).count() as u64;
    let rear = (0..25u64).zip(side).map(|(i, &n)| i * i * i * u64::from(n)).sum();
    (blots, rear)
}
