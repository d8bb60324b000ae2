//! The 32 bytes of a position as a vector: AVX2, SSE2, or plain arrays.
//!
//! [`Portable`] is the definition; the tests hold the others to it.

use crate::position::{Counts, Position};

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Sse2};

/// Bytes of a position as two rows of 25 counts, the roller's first.
pub const ROW_BYTES: usize = 50;

/// 32 bytes to add to a position.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Delta(pub(crate) [i8; 32]);

/// Bits of the 24 points, without the two bars.
pub(crate) const POINTS: u32 = 0x01ff_fffe;

/// Places of a flipped position as masks, bit `i` for place `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Places with the mover's checkers (0 is the mover's bar).
    pub(crate) mine: u32,
    /// Points with exactly one opposing checker.
    pub(crate) blots: u32,
    /// Points the mover may not land on.
    pub(crate) blocked: u32,
}

/// A position's bytes in registers.
///
/// # Safety
/// Every method requires that the CPU has the instructions the implementing type names; those that take
/// a pointer say what else.
pub(crate) trait Lanes: Copy {
    unsafe fn load(position: &Position) -> Self;
    /// # Safety
    /// `to` is aligned to 32 bytes and valid for writing them; what was there need not be a position.
    unsafe fn store(self, to: *mut Position);
    /// Seen by the other player: places 0 to 25 reversed, signs changed.
    unsafe fn flip(self) -> Self;
    unsafe fn plus(self, delta: &Delta) -> Self;
    unsafe fn masks(self) -> Masks;
    /// Places with the mover's checkers.
    unsafe fn mine(self) -> u32;
    /// Points with exactly one opposing checker.
    unsafe fn blots(self) -> u32;
    /// Places where the mover has exactly one checker.
    unsafe fn singles(self) -> u32;
    /// Places where the mover has at least 1, 2, 3 and 4 checkers.
    unsafe fn held(self) -> [u32; 4];
    unsafe fn equals(self, other: &Position) -> bool;
    /// A flipped position as the other player sees it if both sides run the same way round: places 1 to 12
    /// backwards, and places 13 to 24.
    unsafe fn halves_back(self) -> Self;
    /// Places that are empty.
    unsafe fn empty(self) -> u32;
    /// -1 at each of these places, 0 elsewhere.
    unsafe fn spread(places: u32) -> Self;
    unsafe fn sum(self, other: Self) -> Self;
    /// One more at each place that is empty and where `places`, which [`Lanes::spread`] made, has -1.
    unsafe fn one_where_empty(self, places: Self) -> Self;
    /// Writes the two rows of counts.
    ///
    /// # Safety
    /// `to` is valid for writing [`ROW_BYTES`] bytes and [`ROW_SLACK`] more, which may be spoilt.
    unsafe fn write_rows(position: &Position, to: *mut u8);
    /// Reads two rows of counts; `None` if they are not a position.
    ///
    /// Every byte is read once, so that the counts checked are the counts used whoever writes meanwhile.
    ///
    /// # Safety
    /// `from` is valid for reading [`ROW_BYTES`] bytes.
    unsafe fn read_rows(from: *const u8) -> Option<Self>;
}

/// Bytes after a pair of rows that [`Lanes::write_rows`] may spoil.
pub(crate) const ROW_SLACK: usize = 7;

/// Where each byte of [`Lanes::halves_back`] comes from; 26 to 31 take the zero of byte 31.
static HALVES_BACK: [u8; 32] = {
    let mut places = [31; 32];
    let mut i = 0;
    while i < 26 {
        places[i] = match i {
            1..=12 => 13 - i as u8,
            13..=24 => 37 - i as u8,
            _ => i as u8,
        };
        i += 1;
    }
    places
};

/// Plain arrays, for every other CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable([i8; 32]);

impl Portable {
    #[inline(always)]
    fn bits(self, condition: impl Fn(i8) -> bool) -> u32 {
        let mut bits = 0;
        for (i, &n) in self.0.iter().enumerate() {
            bits |= u32::from(condition(n)) << i;
        }
        bits
    }
}

impl Lanes for Portable {
    #[inline(always)]
    unsafe fn load(position: &Position) -> Self {
        Portable(position.0)
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Position) {
        // SAFETY: the caller passes an aligned place to write to.
        unsafe { to.write(Position(self.0)) }
    }

    #[inline(always)]
    unsafe fn flip(self) -> Self {
        Portable(Position(self.0).flip().0)
    }

    #[inline(always)]
    unsafe fn plus(self, delta: &Delta) -> Self {
        let mut sum = self.0;
        for (n, d) in sum.iter_mut().zip(delta.0) {
            *n += d;
        }
        Portable(sum)
    }

    #[inline(always)]
    unsafe fn masks(self) -> Masks {
        Masks {
            mine: self.bits(|n| n < 0),
            blots: self.bits(|n| n == 1) & POINTS,
            blocked: self.bits(|n| n > 1) & POINTS,
        }
    }

    #[inline(always)]
    unsafe fn mine(self) -> u32 {
        self.bits(|n| n < 0)
    }

    #[inline(always)]
    unsafe fn blots(self) -> u32 {
        self.bits(|n| n == 1) & POINTS
    }

    #[inline(always)]
    unsafe fn singles(self) -> u32 {
        self.bits(|n| n == -1)
    }

    #[inline(always)]
    unsafe fn held(self) -> [u32; 4] {
        [-1, -2, -3, -4].map(|most| self.bits(|n| n <= most))
    }

    #[inline(always)]
    unsafe fn equals(self, other: &Position) -> bool {
        self.0 == other.0
    }

    #[inline(always)]
    unsafe fn halves_back(self) -> Self {
        Portable(std::array::from_fn(|i| self.0[usize::from(HALVES_BACK[i])]))
    }

    #[inline(always)]
    unsafe fn empty(self) -> u32 {
        self.bits(|n| n == 0)
    }

    #[inline(always)]
    unsafe fn spread(places: u32) -> Self {
        Portable(std::array::from_fn(|i| -((places >> i & 1) as i8)))
    }

    #[inline(always)]
    unsafe fn sum(self, other: Self) -> Self {
        Portable(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline(always)]
    unsafe fn one_where_empty(self, places: Self) -> Self {
        Portable(std::array::from_fn(|i| if self.0[i] == 0 { -places.0[i] } else { self.0[i] }))
    }

    #[inline(always)]
    unsafe fn write_rows(position: &Position, to: *mut u8) {
        // SAFETY: the caller passes room for 50 bytes; rows of bytes have no alignment.
        unsafe {
            to.cast::<Counts>().write(position.roller());
            to.add(25).cast::<Counts>().write(position.opponent());
        }
    }

    #[inline(always)]
    unsafe fn read_rows(from: *const u8) -> Option<Self> {
        // SAFETY: the caller passes 50 bytes, which are copied before anything is asked of them.
        let [roller, opponent] = unsafe { from.cast::<[Counts; 2]>().read_volatile() };
        Position::from_counts(&roller, &opponent).ok().map(|position| Portable(position.0))
    }
}
