//! The generator's frame on nibbles, the check, and the clock.

use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::time::Instant;

use gammon_core::movegen::{self, MAX_PLAYS, PlayBuf};
use gammon_core::position::Counts;
use gammon_core::rows::{self, ROW_BYTES};
use gammon_core::{Backgammon, Position, Roll};

use crate::lanes::{Lanes, Nibbles, Register, Words, write_rows};
use crate::{doubles, mixed};

/// GNU Backgammon Position IDs of random games, every phase.
const IDS: &str = include_str!("../../../../benches/positions/speed_positions.txt");

/// Distinct results of all of them with all 21 rolls.
const RESULTS: usize = 913_440;

/// Most positions that may be stored before it is known whether they count.
pub(crate) const SLACK: usize = 6;

/// Results, as the library's `Stack`.
pub(crate) struct Stack {
    memory: Box<[MaybeUninit<Nibbles>]>,
    pub(crate) len: usize,
}

impl Stack {
    pub(crate) fn as_slice(&self) -> &[Nibbles] {
        // SAFETY: the first `len` have been written.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }

    #[inline(always)]
    pub(crate) fn end(&mut self) -> *mut Nibbles {
        // SAFETY: `len` never exceeds the capacity.
        unsafe { self.memory.as_mut_ptr().add(self.len).cast() }
    }

    /// # Safety
    /// There is room, and `L` may be used on this CPU.
    #[inline(always)]
    pub(crate) unsafe fn push<L: Lanes>(&mut self, lanes: L) {
        // SAFETY: the caller's promise.
        unsafe { lanes.store(self.end()) };
        self.len += 1;
    }
}

/// The same test as the library's, before every expansion.
#[inline(always)]
fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// # Safety
/// The CPU has the features named.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn plays<L: Lanes>(position: &Nibbles, roll: Roll, out: &mut Stack) {
    out.len = 0;
    // SAFETY: the caller promises the CPU, and the stack holds the longest list.
    unsafe {
        let start = L::load_flipped(position);
        if roll.is_double() {
            doubles::generate::<L, true, true>(start, start.masks(), u32::from(roll.high()), 4, out);
        } else {
            let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
            mixed::generate::<L, true, true>(start, start.masks(), high, low, out);
        }
        if out.len == 0 {
            out.push(start);
        }
    }
}

/// A form of positions with all that is measured of it.
trait Form {
    const NAME: &str;
    fn new(positions: &[Position]) -> Self;
    /// Number of results of a roll in a position.
    fn expand(&mut self, position: usize, roll: Roll) -> usize;
    /// Appends the results of the last expansion.
    fn write(&self, rows: &mut Vec<u8>);
}

struct Bytes {
    positions: Vec<Position>,
    buf: PlayBuf,
}

impl Form for Bytes {
    const NAME: &str = "bytes (library)";

    fn new(positions: &[Position]) -> Self {
        Bytes { positions: positions.to_vec(), buf: PlayBuf::new() }
    }

    #[inline(always)]
    fn expand(&mut self, position: usize, roll: Roll) -> usize {
        movegen::plays::<Backgammon>(&self.positions[position], roll, &mut self.buf);
        self.buf.positions().len()
    }

    fn write(&self, rows: &mut Vec<u8>) {
        rows::write(self.buf.positions(), rows);
    }
}

struct InNibbles<L> {
    positions: Vec<Nibbles>,
    out: Stack,
    lanes: PhantomData<L>,
}

trait Named: Lanes {
    const NAME: &str;
}

impl Named for Register {
    const NAME: &str = "nibbles, vector";
}

impl Named for Words {
    const NAME: &str = "nibbles, words";
}

impl<L: Named> Form for InNibbles<L> {
    const NAME: &str = L::NAME;

    fn new(positions: &[Position]) -> Self {
        let word = |counts: Counts| counts.iter().rev().fold(0, |word, &n| word << 4 | u128::from(n));
        InNibbles {
            positions: positions.iter().map(|p| Nibbles([word(p.roller()), word(p.opponent())])).collect(),
            out: Stack { memory: Box::new_uninit_slice(MAX_PLAYS + SLACK), len: 0 },
            lanes: PhantomData,
        }
    }

    #[inline(always)]
    fn expand(&mut self, position: usize, roll: Roll) -> usize {
        assert!(available(), "the nibble forms need AVX2 and BMI2");
        // SAFETY: the CPU has them.
        unsafe { plays::<L>(&self.positions[position], roll, &mut self.out) };
        self.out.len
    }

    fn write(&self, rows: &mut Vec<u8>) {
        assert!(available());
        // SAFETY: the CPU has AVX2.
        unsafe { write_rows(self.out.as_slice(), rows) }
    }
}

/// All results of all rolls as rows, those of each expansion sorted, and how many there are.
fn results<F: Form>(positions: &[Position]) -> (Vec<u8>, usize) {
    let mut form = F::new(positions);
    let (mut all, mut rows, mut total) = (Vec::new(), Vec::new(), 0);
    for position in 0..positions.len() {
        for roll in Roll::ALL {
            let count = form.expand(position, roll);
            rows.clear();
            form.write(&mut rows);
            assert_eq!(rows.len(), count * ROW_BYTES);
            let mut sorted: Vec<&[u8]> = rows.chunks_exact(ROW_BYTES).collect();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), count, "{}: equal results of position {position} {roll}", F::NAME);
            all.extend(sorted.concat());
            total += count;
        }
    }
    (all, total)
}

/// What is timed: a name, the rolls, and whether results are written as rows.
fn columns() -> [(&'static str, Vec<Roll>, bool); 4] {
    let (doubles, mixed): (Vec<Roll>, Vec<Roll>) = Roll::ALL.iter().partition(|roll| roll.is_double());
    [
        ("non-doubles", mixed, false),
        ("doubles", doubles, false),
        ("all", Roll::ALL.to_vec(), false),
        ("all to rows", Roll::ALL.to_vec(), true),
    ]
}

/// Nanoseconds an expansion takes in one pass over some positions.
fn pass<F: Form>(
    form: &mut F,
    positions: Range<usize>,
    rolls: &[Roll],
    write: bool,
    rows: &mut Vec<u8>,
) -> f64 {
    let expansions = positions.len() * rolls.len();
    let start = Instant::now();
    for position in positions {
        for &roll in rolls {
            black_box(form.expand(position, roll));
            if write {
                rows.clear();
                form.write(rows);
                black_box(rows.as_ptr());
            }
        }
    }
    start.elapsed().as_nanos() as f64 / expansions as f64
}

/// Positions in a pass: a fraction of a millisecond, so that most passes are not interrupted.
const SLICE: usize = 200;

/// Times of a form in a column, for each slice of the positions.
type Times = Vec<Vec<f64>>;

/// Mean over the slices of their best and median times.
fn summary(times: &mut Times) -> (f64, f64) {
    let slices = times.len() as f64;
    let (mut best, mut median) = (0.0, 0.0);
    for times in times {
        times.sort_by(f64::total_cmp);
        best += times[0] / slices;
        median += times[times.len() / 2] / slices;
    }
    (best, median)
}

pub(crate) fn run() {
    let passes = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(200);
    let positions: Vec<Position> = IDS.lines().map(from_id).collect();
    let (expected, total) = results::<Bytes>(&positions);
    assert_eq!(total, RESULTS);
    assert!(
        results::<InNibbles<Register>>(&positions).0 == expected,
        "other results from {}",
        Register::NAME
    );
    assert!(results::<InNibbles<Words>>(&positions).0 == expected, "other results from {}", Words::NAME);
    println!("{} positions x 21 rolls: {total} distinct results in every form", positions.len());
    if passes > 0 {
        compare(&positions, passes);
    }
}

fn compare(positions: &[Position], passes: usize) {
    let (mut bytes, mut rows) = (Bytes::new(positions), Vec::new());
    let mut register = InNibbles::<Register>::new(positions);
    let mut words = InNibbles::<Words>::new(positions);
    let columns = columns();
    let slices = positions.len().div_ceil(SLICE);
    let mut times: [[Times; 3]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| vec![vec![]; slices]));
    for _ in 0..passes {
        for slice in 0..slices {
            let range = slice * SLICE..positions.len().min((slice + 1) * SLICE);
            for (times, (_, rolls, write)) in times.iter_mut().zip(&columns) {
                times[0][slice].push(pass(&mut bytes, range.clone(), rolls, *write, &mut rows));
                times[1][slice].push(pass(&mut register, range.clone(), rolls, *write, &mut rows));
                times[2][slice].push(pass(&mut words, range.clone(), rolls, *write, &mut rows));
            }
        }
    }
    println!("ns an expansion, best / median of {passes} alternating passes, one thread\n");
    print!("{:16}", "");
    columns.iter().for_each(|(name, ..)| print!("{name:>16}"));
    for (form, name) in [Bytes::NAME, Register::NAME, Words::NAME].into_iter().enumerate() {
        print!("\n{name:16}");
        for times in &mut times {
            let (best, median) = summary(&mut times[form]);
            print!("{:>16}", format!("{best:.1} / {median:.1}"));
        }
    }
    println!();
}

/// A Position ID's 80 bits, least significant first in each byte, are the opponent's points 1 to 24 and
/// bar, then the roller's: a one for every checker, a zero after each point.
fn from_id(id: &str) -> Position {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |c: u8| DIGITS.iter().position(|&digit| digit == c).expect("a base64 digit");
    let bits: Vec<bool> =
        id.bytes().flat_map(|c| (0..6).rev().map(move |i| value(c) >> i & 1 == 1)).collect();
    let mut counts = [[0; 25]; 2];
    let mut point = 0;
    let mut i = 0;
    while point < 50 {
        match bits[i ^ 7] {
            true => counts[point / 25][point % 25] += 1,
            false => point += 1,
        }
        i += 1;
    }
    let [opponent, roller] = counts;
    Position::from_counts(&roller, &opponent).expect("a position of the game")
}
