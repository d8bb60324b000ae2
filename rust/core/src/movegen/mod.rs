//! Legal plays: all distinct positions that a roll can lead to.
//!
//! The generator works on the flipped position, so that what it stores is already seen by the
//! opponent, who rolls next. There the mover's checkers are the negative bytes, walk upwards from the
//! bar at place 0, and bear off past place 24:
//!
//! ```text
//! place   0          1 ........ 18   19 ..... 24   25
//!         mover's    the way home    mover's       opponent's
//!         bar                        home board    bar
//! ```
//!
//! The tricks, in order of what they bring:
//!
//! 1. One checker's step is one vector addition: a table holds, for every die, place and "does it
//!    hit", the 32 bytes to add (`tables`).
//! 2. Where a die can be played from is `mine & !(blocked >> die)`, on 32-bit masks taken from the
//!    vector (`lanes`).
//! 3. Equal results are never generated instead of being removed. For doubles, steps are taken in
//!    the order of their places, which makes them unique (`doubles`); for two different dice the few
//!    coincidences are known beforehand (`mixed`). Only bearing off with two dice compares results.
//! 4. The last step of a play is only an addition and a store; masks are not taken again.

mod batch;
mod doubles;
mod games;
mod mixed;
mod naive;
mod perft;
mod tables;
pub(crate) mod turn;

use std::mem::MaybeUninit;

pub use batch::{ExpandError, Expansion, expand};
pub use games::{Game, MAX_TURNS, random_game, random_games};
pub use naive::naive_plays;
pub use perft::{Perft, perft};

use crate::cpu;
use crate::dice::Roll;
use crate::lanes::{self, Lanes};
use crate::position::Position;
use crate::rules::{Movement, Rules};

/// The most positions one roll can lead to: four equal steps shared out among 15 checkers that stand
/// apart, `C(18, 4)`. (The most met in 42,000 rolls of random games is 533.)
pub const MAX_PLAYS: usize = 3060;

/// Most positions that may be stored before it is known whether they count.
const SLACK: usize = 6;

/// The results of one roll, in memory that is reused from call to call.
///
/// Holds the positions after each legal play, the opponent on roll, distinct and in an order that
/// depends on position and roll alone.
pub struct PlayBuf {
    results: Stack,
    pass: bool,
}

impl Default for PlayBuf {
    fn default() -> Self {
        Self::new()
    }
}

impl PlayBuf {
    /// A buffer large enough for any roll; the only allocation move generation ever makes.
    pub fn new() -> PlayBuf {
        PlayBuf { results: Stack::new(MAX_PLAYS), pass: false }
    }

    /// The distinct positions after the legal plays, the opponent on roll.
    ///
    /// Never empty after a call of [`plays`]: if nothing can be played it holds the position handed over.
    pub fn positions(&self) -> &[Position] {
        self.results.as_slice()
    }

    /// Whether nothing could be played.
    pub fn is_pass(&self) -> bool {
        self.pass
    }
}

/// Positions in a fixed piece of memory, which is not written before it is used.
struct Stack {
    memory: Box<[MaybeUninit<Position>]>,
    len: usize,
}

impl Stack {
    fn new(capacity: usize) -> Stack {
        Stack { memory: Box::new_uninit_slice(capacity + SLACK), len: 0 }
    }

    fn as_slice(&self) -> &[Position] {
        // SAFETY: `push` has written the first `len`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    /// Where the next position goes.
    #[inline(always)]
    fn end(&mut self) -> *mut Position {
        debug_assert!(self.len + SLACK <= self.memory.len());
        // SAFETY: `len` never exceeds the capacity.
        unsafe { self.memory.as_mut_ptr().add(self.len).cast() }
    }

    /// Stores one more position.
    ///
    /// # Safety
    /// There is room: `len` is below the capacity. And `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn push<L: Lanes>(&mut self, lanes: L) {
        // SAFETY: the caller promises room and CPU.
        unsafe { lanes.store(self.end()) };
        self.len += 1;
    }
}

/// Fills `buf` with the positions that `roll` can lead to from `position`.
///
/// Legal means: as many dice as possible are played, and the larger one if only one can be. See
/// [`PlayBuf::positions`] for what is stored. A finished game is not played on: it is handed over, like
/// an unplayable roll.
///
/// ```
/// use gammon_core::{Backgammon, Position, Roll, movegen};
///
/// let mut buf = movegen::PlayBuf::new();
/// movegen::plays::<Backgammon>(&Position::START, Roll::new(3, 1).unwrap(), &mut buf);
/// assert_eq!(buf.positions().len(), 16);
/// ```
#[inline]
pub fn plays<R: Rules>(position: &Position, roll: Roll, buf: &mut PlayBuf) {
    match R::MOVEMENT {
        Movement::Hitting => hitting(position, roll, buf),
    }
}

/// Picks the instructions for this CPU.
#[inline]
fn hitting(position: &Position, roll: Roll, buf: &mut PlayBuf) {
    #[cfg(target_arch = "x86_64")]
    {
        if cpu::has_avx2() {
            // SAFETY: AVX2, BMI and POPCNT were found on this CPU.
            unsafe { plays_avx2(position, roll, buf) }
        } else {
            // SAFETY: SSE2 belongs to every x86-64 CPU.
            unsafe { generate::<lanes::Sse2>(position, roll, buf) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the portable lanes need nothing of the CPU.
    unsafe {
        generate::<lanes::Portable>(position, roll, buf)
    }
}

/// # Safety
/// The CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn plays_avx2(position: &Position, roll: Roll, buf: &mut PlayBuf) {
    // SAFETY: the caller promises the CPU.
    unsafe { generate::<lanes::Avx2>(position, roll, buf) }
}

/// # Safety
/// `L` may be used on this CPU.
#[inline(always)]
unsafe fn generate<L: Lanes>(position: &Position, roll: Roll, buf: &mut PlayBuf) {
    buf.results.clear();
    // SAFETY: the caller promises the CPU; the buffers hold whatever a position of at most 15 checkers
    // a side can lead to.
    unsafe {
        let start = L::load(position).flip();
        let masks = start.masks();
        if masks.blots | masks.blocked == 0 && opponent_is_off(position) {
            // Not played on, but handed over. (A mover without a checker has no steps anyway.)
        } else if roll.is_double() {
            doubles::generate::<L, true, true>(start, masks, u32::from(roll.high()), 4, &mut buf.results);
        } else {
            let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
            mixed::generate::<L, true, true>(start, masks, high, low, &mut buf.results);
        }
        buf.pass = buf.results.len == 0;
        if buf.pass {
            buf.results.push(start);
        }
    }
}

/// Whether the opponent, who has no checker on the points, has none on the bar either.
#[cold]
#[inline(never)]
fn opponent_is_off(position: &Position) -> bool {
    position.places()[0] == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::rules::Backgammon;
    use crate::testing::position;

    /// Positions of random games, so that every phase occurs.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        let mut buf = PlayBuf::new();
        for trial in 0..60 {
            random_game::<Backgammon>(Stream::new(2, trial), 10_000, &mut buf, |p, _, _| positions.push(*p));
        }
        positions
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_plays_in_the_same_order() {
        let (mut expected, mut found) = (PlayBuf::new(), PlayBuf::new());
        for position in positions() {
            for roll in Roll::ALL {
                // SAFETY: the portable lanes need nothing of the CPU.
                unsafe { generate::<lanes::Portable>(&position, roll, &mut expected) };
                plays::<Backgammon>(&position, roll, &mut found);
                assert_eq!(found.positions(), expected.positions(), "{position:?} {roll}");
                assert_eq!(found.is_pass(), expected.is_pass());
                #[cfg(target_arch = "x86_64")]
                {
                    // SAFETY: SSE2 belongs to every x86-64 CPU.
                    unsafe { generate::<lanes::Sse2>(&position, roll, &mut found) };
                    assert_eq!(found.positions(), expected.positions(), "{position:?} {roll}");
                }
            }
        }
    }

    #[test]
    fn results_are_distinct() {
        let mut buf = PlayBuf::new();
        for position in positions() {
            for roll in Roll::ALL {
                plays::<Backgammon>(&position, roll, &mut buf);
                let mut sorted = buf.positions().to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), buf.positions().len(), "{position:?} {roll}");
            }
        }
    }

    /// Whoever has borne off everything, no roll moves a checker of the other side any more.
    #[test]
    fn a_finished_game_is_handed_over() {
        let mut left = [0; 25];
        (left[0], left[20], left[24]) = (2, 1, 1);
        let lost = Position::from_counts(&left, &[0; 25]).unwrap();
        let (mut buf, mut portable) = (PlayBuf::new(), PlayBuf::new());
        for position in [lost, lost.flip()] {
            for roll in Roll::ALL {
                plays::<Backgammon>(&position, roll, &mut buf);
                assert!(buf.is_pass());
                assert_eq!(buf.positions(), [position.flip()]);
                // SAFETY: the portable lanes need nothing of the CPU.
                unsafe { generate::<lanes::Portable>(&position, roll, &mut portable) };
                assert_eq!(portable.positions(), buf.positions());
                assert_eq!(naive_plays(&position, roll), buf.positions());
            }
        }
        // Nor is a game over while the opponent still has a checker, if only on the bar.
        let mut last = [0; 25];
        last[24] = 1;
        let entering = Position::from_counts(&left, &last).unwrap();
        plays::<Backgammon>(&entering, Roll::new(2, 1).unwrap(), &mut buf);
        assert!(!buf.is_pass());
    }

    /// Fifteen single checkers and nothing in their way, about the longest list there is.
    #[test]
    fn the_longest_list_fits() {
        let apart: Vec<(usize, u8)> = (10..25).map(|point| (point, 1)).collect();
        let position = position(&apart, &[(25, 1)]);
        let mut buf = PlayBuf::new();
        plays::<Backgammon>(&position, Roll::new(1, 1).unwrap(), &mut buf);
        const { assert!(1_654 <= MAX_PLAYS) };
        assert_eq!(buf.positions().len(), 1_654);
    }
}
