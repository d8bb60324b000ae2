//! Positions in the vector registers of x86-64.

use std::arch::x86_64::*;

use super::{Delta, HALVES_BACK, Lanes, Masks, POINTS, Portable, Position};
use crate::position::CHECKERS;

/// Byte places that reverse 0..=25 of a position; 26 to 31 take the zero of byte 31.
static REVERSED: [u8; 32] = {
    let mut places = [31; 32];
    let mut i = 0;
    while i < 26 {
        places[i] = 25 - i as u8;
        i += 1;
    }
    places
};

/// All 32 bytes backwards.
static BACKWARDS: [u8; 32] = {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        places[i] = 31 - i as u8;
        i += 1;
    }
    places
};

/// Bytes 15 to 0 of one 16-byte half, 8 to 0 of the other.
static ROWS_BACK: Delta = {
    let mut places = [-128; 32];
    let mut i = 0;
    while i < 25 {
        places[i] = if i < 16 { 15 - i as i8 } else { 24 - i as i8 };
        i += 1;
    }
    Delta(places)
};

/// Places 1 to 25, where the roller's checkers can be.
static ROLLER_PLACES: [i8; 32] = places_from(1);

/// Places 0 to 24, where the opponent's checkers can be.
static OPPONENT_PLACES: [i8; 32] = places_from(0);

/// All bits of the 25 bytes from `first`.
const fn places_from(first: usize) -> [i8; 32] {
    let mut mask = [0; 32];
    let mut i = 0;
    while i < 25 {
        mask[first + i] = -1;
        i += 1;
    }
    mask
}

/// Sum of the 32 unsigned bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn total(v: __m256i) -> u32 {
    // SAFETY: the caller promises AVX2.
    unsafe {
        let sums = _mm256_sad_epu8(v, _mm256_setzero_si256());
        let halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        (_mm_cvtsi128_si32(halves) + _mm_extract_epi32(halves, 2)) as u32
    }
}

/// One 256-bit register; used where [`cpu::has_avx2`](crate::cpu::has_avx2) says so.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

/// The bytes of `v` that `places` names, whichever half they are in.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn shuffled(v: __m256i, places: &[u8; 32]) -> __m256i {
    // SAFETY: the caller promises AVX2.
    unsafe {
        // A byte shuffle stays within its 16-byte half: take each byte from the half it is in.
        let places = _mm256_loadu_si256(places.as_ptr().cast());
        let low = _mm256_permute2x128_si256(v, v, 0x00);
        let high = _mm256_permute2x128_si256(v, v, 0x11);
        let from_high = _mm256_cmpgt_epi8(places, _mm256_set1_epi8(15));
        _mm256_blendv_epi8(_mm256_shuffle_epi8(low, places), _mm256_shuffle_epi8(high, places), from_high)
    }
}

// SAFETY (all methods): the caller promises AVX2; loads and stores are of 32 aligned bytes, the
// size and alignment of `Position` and `Delta`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Avx2 {
    #[inline(always)]
    unsafe fn load(position: &Position) -> Self {
        unsafe { Avx2(_mm256_load_si256(position.0.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Position) {
        unsafe { _mm256_store_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn flip(self) -> Self {
        unsafe { Avx2(_mm256_sub_epi8(_mm256_setzero_si256(), shuffled(self.0, &REVERSED))) }
    }

    #[inline(always)]
    unsafe fn plus(self, delta: &Delta) -> Self {
        unsafe { Avx2(_mm256_add_epi8(self.0, _mm256_load_si256(delta.0.as_ptr().cast()))) }
    }

    #[inline(always)]
    unsafe fn masks(self) -> Masks {
        unsafe {
            let blocked =
                _mm256_movemask_epi8(_mm256_cmpgt_epi8(self.0, _mm256_set1_epi8(1))) as u32 & POINTS;
            Masks { mine: self.mine(), blots: self.blots(), blocked }
        }
    }

    #[inline(always)]
    unsafe fn mine(self) -> u32 {
        unsafe { _mm256_movemask_epi8(self.0) as u32 }
    }

    #[inline(always)]
    unsafe fn blots(self) -> u32 {
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(1))) as u32 & POINTS }
    }

    #[inline(always)]
    unsafe fn singles(self) -> u32 {
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(-1))) as u32 }
    }

    #[inline(always)]
    unsafe fn held(self) -> [u32; 4] {
        let below =
            |n| unsafe { _mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_set1_epi8(n), self.0)) as u32 };
        [below(0), below(-1), below(-2), below(-3)]
    }

    #[inline(always)]
    unsafe fn equals(self, other: &Position) -> bool {
        unsafe {
            let other = _mm256_load_si256(other.0.as_ptr().cast());
            let difference = _mm256_xor_si256(self.0, other);
            _mm256_testz_si256(difference, difference) == 1
        }
    }

    #[inline(always)]
    unsafe fn halves_back(self) -> Self {
        unsafe { Avx2(shuffled(self.0, &HALVES_BACK)) }
    }

    #[inline(always)]
    unsafe fn empty(self) -> u32 {
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256())) as u32 }
    }

    #[inline(always)]
    unsafe fn spread(places: u32) -> Self {
        unsafe {
            // Byte i is to hold bits 8 (i / 8) to 8 (i / 8) + 7, then only its own of them.
            let all = _mm256_set1_epi32(places as i32);
            let eighths =
                _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
            let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let found = _mm256_and_si256(_mm256_shuffle_epi8(all, eighths), own);
            Avx2(_mm256_cmpeq_epi8(found, own))
        }
    }

    #[inline(always)]
    unsafe fn sum(self, other: Self) -> Self {
        unsafe { Avx2(_mm256_add_epi8(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn one_where_empty(self, places: Self) -> Self {
        unsafe {
            let empty = _mm256_cmpeq_epi8(self.0, _mm256_setzero_si256());
            Avx2(_mm256_sub_epi8(self.0, _mm256_and_si256(empty, places.0)))
        }
    }

    #[inline(always)]
    unsafe fn write_rows(position: &Position, to: *mut u8) {
        unsafe {
            let places = position.0.as_ptr();
            let zero = _mm_setzero_si128();
            for count in [0, 9] {
                let counts = _mm_loadu_si128(places.add(1 + count).cast());
                _mm_storeu_si128(to.add(count).cast(), _mm_max_epi8(counts, zero));
            }
            // Places 24 to 9, then 8 to 0: each half backwards by itself.
            let halves = _mm256_loadu2_m128i(places.cast(), places.add(9).cast());
            let backwards = _mm256_shuffle_epi8(halves, _mm256_load_si256((&raw const ROWS_BACK).cast()));
            let zero = _mm256_setzero_si256();
            let counts = _mm256_max_epi8(_mm256_sub_epi8(zero, backwards), zero);
            _mm256_storeu_si256(to.add(25).cast(), counts);
        }
    }

    #[inline(always)]
    unsafe fn read_rows(from: *const u8) -> Option<Self> {
        unsafe {
            let places = |mask: &[i8; 32]| _mm256_loadu_si256(mask.as_ptr().cast());
            // Bytes 0 to 31, up by one: count 0 becomes place 1.
            let head = _mm256_loadu_si256(from.cast());
            let low_half = _mm256_permute2x128_si256(head, head, 0x08);
            let roller = _mm256_and_si256(_mm256_alignr_epi8(head, low_half, 15), places(&ROLLER_PLACES));
            // Bytes 18 to 49, reversed: count 24 becomes place 0.
            let tail = shuffled(_mm256_loadu_si256(from.add(18).cast()), &BACKWARDS);
            let opponent = _mm256_and_si256(tail, places(&OPPONENT_PLACES));

            let zero = _mm256_setzero_si256();
            let (ours, theirs) = (total(roller), total(opponent));
            let shared =
                _mm256_testz_si256(_mm256_cmpgt_epi8(roller, zero), _mm256_cmpgt_epi8(opponent, zero)) == 0;
            if ours > CHECKERS || theirs > CHECKERS || ours + theirs == 0 || shared {
                return None;
            }
            Some(Avx2(_mm256_sub_epi8(roller, opponent)))
        }
    }
}

/// Two 128-bit registers: what every x86-64 CPU has.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128i, __m128i);

impl Sse2 {
    #[inline(always)]
    fn bits(low: __m128i, high: __m128i) -> u32 {
        // SAFETY: SSE2 belongs to every x86-64 CPU.
        unsafe { _mm_movemask_epi8(low) as u32 | (_mm_movemask_epi8(high) as u32) << 16 }
    }

    #[inline(always)]
    fn equal_to(self, n: i8) -> u32 {
        // SAFETY: SSE2 belongs to every x86-64 CPU.
        unsafe {
            let n = _mm_set1_epi8(n);
            Self::bits(_mm_cmpeq_epi8(self.0, n), _mm_cmpeq_epi8(self.1, n))
        }
    }
}

// SAFETY (all methods): SSE2 belongs to every x86-64 CPU; loads and stores are of 16 aligned
// bytes within the 32 of `Position` and `Delta`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Sse2 {
    #[inline(always)]
    unsafe fn load(position: &Position) -> Self {
        let bytes: *const __m128i = position.0.as_ptr().cast();
        unsafe { Sse2(_mm_load_si128(bytes), _mm_load_si128(bytes.add(1))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Position) {
        let to: *mut __m128i = to.cast();
        unsafe {
            _mm_store_si128(to, self.0);
            _mm_store_si128(to.add(1), self.1);
        }
    }

    #[inline(always)]
    unsafe fn flip(self) -> Self {
        let mut position = Position([0; 32]);
        unsafe {
            self.store(&mut position);
            Self::load(&position.flip())
        }
    }

    #[inline(always)]
    unsafe fn plus(self, delta: &Delta) -> Self {
        let delta: *const __m128i = delta.0.as_ptr().cast();
        unsafe {
            Sse2(
                _mm_add_epi8(self.0, _mm_load_si128(delta)),
                _mm_add_epi8(self.1, _mm_load_si128(delta.add(1))),
            )
        }
    }

    #[inline(always)]
    unsafe fn masks(self) -> Masks {
        unsafe {
            let one = _mm_set1_epi8(1);
            let blocked = Self::bits(_mm_cmpgt_epi8(self.0, one), _mm_cmpgt_epi8(self.1, one)) & POINTS;
            Masks { mine: self.mine(), blots: self.blots(), blocked }
        }
    }

    #[inline(always)]
    unsafe fn mine(self) -> u32 {
        Self::bits(self.0, self.1)
    }

    #[inline(always)]
    unsafe fn blots(self) -> u32 {
        self.equal_to(1) & POINTS
    }

    #[inline(always)]
    unsafe fn singles(self) -> u32 {
        self.equal_to(-1)
    }

    #[inline(always)]
    unsafe fn held(self) -> [u32; 4] {
        let below = |n| unsafe {
            let n = _mm_set1_epi8(n);
            Self::bits(_mm_cmpgt_epi8(n, self.0), _mm_cmpgt_epi8(n, self.1))
        };
        [below(0), below(-1), below(-2), below(-3)]
    }

    #[inline(always)]
    unsafe fn equals(self, other: &Position) -> bool {
        unsafe {
            let other = Self::load(other);
            Self::bits(_mm_cmpeq_epi8(self.0, other.0), _mm_cmpeq_epi8(self.1, other.1)) == u32::MAX
        }
    }

    #[inline(always)]
    unsafe fn halves_back(self) -> Self {
        let mut position = Position([0; 32]);
        unsafe {
            self.store(&mut position);
            Portable(position.0).halves_back().store(&mut position);
            Self::load(&position)
        }
    }

    #[inline(always)]
    unsafe fn empty(self) -> u32 {
        self.equal_to(0)
    }

    #[inline(always)]
    unsafe fn spread(places: u32) -> Self {
        let mut position = Position([0; 32]);
        unsafe {
            Portable::spread(places).store(&mut position);
            Self::load(&position)
        }
    }

    #[inline(always)]
    unsafe fn sum(self, other: Self) -> Self {
        unsafe { Sse2(_mm_add_epi8(self.0, other.0), _mm_add_epi8(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn one_where_empty(self, places: Self) -> Self {
        unsafe {
            let zero = _mm_setzero_si128();
            let one = |half, places| _mm_sub_epi8(half, _mm_and_si128(_mm_cmpeq_epi8(half, zero), places));
            Sse2(one(self.0, places.0), one(self.1, places.1))
        }
    }

    #[inline(always)]
    unsafe fn write_rows(position: &Position, to: *mut u8) {
        unsafe { Portable::write_rows(position, to) }
    }

    #[inline(always)]
    unsafe fn read_rows(from: *const u8) -> Option<Self> {
        unsafe {
            let portable = Portable::read_rows(from)?;
            let mut position = Position([0; 32]);
            portable.store(&mut position);
            Some(Self::load(&position))
        }
    }
}
