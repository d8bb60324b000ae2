//! Bytes against nibbles: the two candidate forms of a position, measured in one run.
//!
//! The library holds a position as 32 signed bytes in the roller's frame. The other candidate is two
//! 128-bit words of 25 nibbles, each side in its own frame: nibble 0 the ace point, nibble 24 the bar;
//! words swapped hand over the roll. Here the library's own generator (`movegen/mixed.rs` and
//! `movegen/doubles.rs`, compiled a second time) runs on nibbles, held in two ways:
//!
//! - [`Register`]: both words in one 256-bit register, a step one vector addition, as with bytes;
//! - [`Words`]: four 64-bit words in general registers, masks by bit extraction (`pext`).
//!
//! All forms must find the same results, 913,440 on the speed positions, before any is timed.
//! `cargo bench --bench nibbles -- 400` does 400 alternating passes; with 0, it only checks, which is
//! what to count instructions of (`valgrind --tool=callgrind`).

#[cfg(target_arch = "x86_64")]
#[path = "../src/movegen/doubles.rs"]
mod doubles;
#[cfg(target_arch = "x86_64")]
#[path = "../src/movegen/mixed.rs"]
mod mixed;

#[cfg(target_arch = "x86_64")]
use {
    measure::{SLACK, Stack},
    x86 as lanes,
};

#[cfg(target_arch = "x86_64")]
fn main() {
    measure::run();
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("the nibble forms are written for x86-64 only");
}

/// The nibble forms, in the place of the library's `lanes.rs`.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Roller's and opponent's nibbles.
    #[derive(Clone, Copy)]
    #[repr(C, align(32))]
    pub(crate) struct Nibbles(pub(crate) [u128; 2]);

    /// What to add, without carries from word to word.
    #[derive(Clone, Copy)]
    #[repr(C, align(32))]
    pub(crate) struct Delta(pub(crate) [u64; 4]);

    /// As in the library: bit `i` for place `i` on the mover's way, 0 the bar.
    #[derive(Clone, Copy)]
    pub(crate) struct Masks {
        pub(crate) mine: u32,
        pub(crate) blots: u32,
        pub(crate) blocked: u32,
    }

    /// # Safety
    /// Every method requires AVX2 and BMI2.
    pub(crate) trait Lanes: Copy {
        unsafe fn load_flipped(position: &Nibbles) -> Self;
        unsafe fn store(self, to: *mut Nibbles);
        unsafe fn plus(self, delta: &Delta) -> Self;
        unsafe fn masks(self) -> Masks;
        unsafe fn mine(self) -> u32;
        unsafe fn singles(self) -> u32;
        unsafe fn held(self) -> [u32; 4];
        unsafe fn equals(self, other: &Nibbles) -> bool;
    }

    /// How to spread a word's nibbles over 32 bytes, one a place: no shift, a nibble stays in its half.
    #[repr(C, align(32))]
    struct Spread {
        /// The byte each place takes.
        byte: [u8; 32],
        /// The nibble's bits in that byte.
        bits: [u8; 32],
        /// One checker there.
        one: [u8; 32],
    }

    const fn spread(mover: bool) -> Spread {
        let mut spread = Spread { byte: [0x80; 32], bits: [0; 32], one: [1; 32] };
        let mut place = if mover { 0 } else { 1 };
        while place <= 24 {
            let nibble = if mover { 24 - place } else { place - 1 };
            spread.byte[place] = nibble as u8 / 2;
            spread.one[place] = 1 << (4 * (nibble % 2));
            spread.bits[place] = 15 * spread.one[place];
            place += 1;
        }
        spread
    }

    static MOVER: Spread = spread(true);
    static OTHER: Spread = spread(false);

    /// Both words in one register.
    #[derive(Clone, Copy)]
    pub(crate) struct Register(__m256i);

    // SAFETY (whole block): the caller promises AVX2; constants are 32 aligned bytes.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Register {
        #[inline(always)]
        unsafe fn mover(self) -> __m256i {
            unsafe { Self::counts(_mm256_permute4x64_epi64(self.0, 0xee), &MOVER) }
        }

        #[inline(always)]
        unsafe fn counts(word_twice: __m256i, spread: &Spread) -> __m256i {
            unsafe {
                let bytes = _mm256_shuffle_epi8(word_twice, constant(&spread.byte));
                _mm256_and_si256(bytes, constant(&spread.bits))
            }
        }

        #[inline(always)]
        unsafe fn equal(counts: __m256i, to: __m256i) -> u32 {
            unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(counts, to)) as u32 }
        }
    }

    #[inline(always)]
    unsafe fn constant(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: 32 bytes are read; the caller promises AVX2.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    // SAFETY (all methods): the caller promises AVX2; `Nibbles` and `Delta` are 32 aligned bytes.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Lanes for Register {
        #[inline(always)]
        unsafe fn load_flipped(position: &Nibbles) -> Self {
            let bytes = (&raw const *position).cast();
            unsafe { Register(_mm256_permute4x64_epi64(_mm256_load_si256(bytes), 0x4e)) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut Nibbles) {
            unsafe { _mm256_store_si256(to.cast(), self.0) }
        }

        #[inline(always)]
        unsafe fn plus(self, delta: &Delta) -> Self {
            unsafe { Register(_mm256_add_epi64(self.0, _mm256_load_si256(delta.0.as_ptr().cast()))) }
        }

        #[inline(always)]
        unsafe fn masks(self) -> Masks {
            unsafe {
                let other = Self::counts(_mm256_permute4x64_epi64(self.0, 0x44), &OTHER);
                let blots = Self::equal(other, constant(&OTHER.one));
                let open = Self::equal(other, _mm256_setzero_si256()) | blots;
                Masks { mine: self.mine(), blots, blocked: !open }
            }
        }

        #[inline(always)]
        unsafe fn mine(self) -> u32 {
            unsafe { !Self::equal(self.mover(), _mm256_setzero_si256()) }
        }

        #[inline(always)]
        unsafe fn singles(self) -> u32 {
            unsafe { Self::equal(self.mover(), constant(&MOVER.one)) }
        }

        #[inline(always)]
        unsafe fn held(self) -> [u32; 4] {
            unsafe {
                let (counts, one) = (self.mover(), constant(&MOVER.one));
                let two = _mm256_add_epi8(one, one);
                let at_least = |n| Self::equal(_mm256_max_epu8(counts, n), counts);
                let (three, four) = (_mm256_add_epi8(two, one), _mm256_add_epi8(two, two));
                [self.mine(), at_least(two), at_least(three), at_least(four)]
            }
        }

        #[inline(always)]
        unsafe fn equals(self, other: &Nibbles) -> bool {
            unsafe {
                let other = _mm256_load_si256((&raw const *other).cast());
                let difference = _mm256_xor_si256(self.0, other);
                _mm256_testz_si256(difference, difference) == 1
            }
        }
    }

    /// Both words in general registers.
    #[derive(Clone, Copy)]
    pub(crate) struct Words([u64; 4]);

    /// One side's nibbles by bits: `planes[k]` has bit `i` if nibble `i` has bit `k`.
    ///
    /// # Safety
    /// The CPU has BMI2.
    #[inline(always)]
    unsafe fn planes(low: u64, high: u64) -> [u32; 4] {
        // SAFETY: the caller promises BMI2.
        let plane = |w: u64, k: i32| unsafe { _pext_u64(w, 0x1111_1111_1111_1111 << k) as u32 };
        [0, 1, 2, 3].map(|k| plane(low, k) | plane(high, k) << 16)
    }

    // SAFETY (all methods): the caller promises BMI2, and a place to write to.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Lanes for Words {
        #[inline(always)]
        unsafe fn load_flipped(position: &Nibbles) -> Self {
            let [roller, opponent] = position.0;
            Words([opponent as u64, (opponent >> 64) as u64, roller as u64, (roller >> 64) as u64])
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut Nibbles) {
            unsafe { *to.cast::<[u64; 4]>() = self.0 }
        }

        #[inline(always)]
        unsafe fn plus(self, delta: &Delta) -> Self {
            let ([a, b, c, d], [e, f, g, h]) = (self.0, delta.0);
            Words([a.wrapping_add(e), b.wrapping_add(f), c.wrapping_add(g), d.wrapping_add(h)])
        }

        #[inline(always)]
        unsafe fn masks(self) -> Masks {
            let [one, two, four, eight] = unsafe { planes(self.0[0], self.0[1]) };
            let several = two | four | eight;
            let place = |nibbles: u32| nibbles << 1 & 0x01ff_fffe; // his ace point is the mover's place 1
            Masks { mine: unsafe { self.mine() }, blots: place(one & !several), blocked: place(several) }
        }

        #[inline(always)]
        unsafe fn mine(self) -> u32 {
            let [mine, ..] = unsafe { self.held() };
            mine
        }

        #[inline(always)]
        unsafe fn singles(self) -> u32 {
            let [least_one, least_two, ..] = unsafe { self.held() };
            least_one & !least_two
        }

        #[inline(always)]
        unsafe fn held(self) -> [u32; 4] {
            let [one, two, four, eight] = unsafe { planes(self.0[2], self.0[3]) };
            let least_four = four | eight;
            let least_two = two | least_four;
            // Nibble 24 is place 0.
            [one | least_two, least_two, one & two | least_four, least_four].map(|m| m.reverse_bits() >> 7)
        }

        #[inline(always)]
        unsafe fn equals(self, other: &Nibbles) -> bool {
            unsafe { self.0 == *(&raw const *other).cast::<[u64; 4]>() }
        }
    }

    /// Appends positions as rows of 50 counts.
    ///
    /// # Safety
    /// The CPU has AVX2.
    #[target_feature(enable = "avx2")]
    pub(crate) unsafe fn write_rows(positions: &[Nibbles], rows: &mut Vec<u8>) {
        let length = rows.len();
        rows.reserve(50 * positions.len() + 7); // stores of 32 bytes reach 7 past the last row
        // SAFETY: the caller promises AVX2, and all bytes up to the new length are written.
        unsafe {
            let end = rows.as_mut_ptr().add(length);
            for (i, position) in positions.iter().enumerate() {
                for side in 0..2 {
                    let pairs = _mm256_cvtepu8_epi16(_mm_load_si128((&raw const position.0[side]).cast()));
                    let both = _mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4));
                    let counts = _mm256_and_si256(both, _mm256_set1_epi8(15));
                    _mm256_storeu_si256(end.add((2 * i + side) * 25).cast(), counts);
                }
            }
            rows.set_len(length + 50 * positions.len());
        }
    }
}

/// What a checker's step adds to a flipped position: opponent's word first, then the mover's.
#[cfg(target_arch = "x86_64")]
mod tables {
    use super::lanes::Delta;

    type DieSteps = [[Delta; 2]; 33];

    static STEPS: [DieSteps; 6] = {
        let mut steps = [[[Delta([0; 4]); 2]; 33]; 6];
        let mut i = 0;
        while i < 6 * 25 {
            let (die, from) = (i / 25, i % 25);
            steps[die][from] = [step(from, die + 1, false), step(from, die + 1, true)];
            i += 1;
        }
        steps
    };

    const fn step(from: usize, die: usize, hits: bool) -> Delta {
        let to = from + die;
        let mut delta = add([0; 4], 32 + 24 - from, -1);
        if to <= 24 {
            delta = add(delta, 32 + 24 - to, 1);
            if hits {
                delta = add(add(delta, to - 1, -1), 24, 1);
            }
        }
        Delta(delta)
    }

    const fn add(mut words: [u64; 4], nibble: usize, n: i64) -> [u64; 4] {
        words[nibble / 16] = words[nibble / 16].wrapping_add((n as u64) << (4 * (nibble % 16)));
        words
    }

    #[inline(always)]
    pub(super) fn steps(die: u32) -> &'static DieSteps {
        &STEPS[die as usize - 1]
    }
}

#[cfg(target_arch = "x86_64")]
#[path = "nibbles/measure.rs"]
mod measure;
