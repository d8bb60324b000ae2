//! From the active hidden units to the second layer: the one loop that compilers do not vectorise well.
//!
//! [`Plain`] is the definition; [`Avx2`] makes the same additions in the same order, so it gives the
//! same bits.

use crate::nn::net::{Fan, MIDDLE, TILE};

/// Adds the products of the positive sums of a tile with their fans, in the order of the units.
pub(crate) trait SecondLayer {
    /// # Safety
    /// The CPU has the instructions the implementing type names.
    unsafe fn fan_in(middle: &mut [f32; MIDDLE], hidden: &[i16; TILE], fans: &[Fan]);
}

/// Arrays only.
pub(crate) struct Plain;

impl SecondLayer for Plain {
    #[inline(always)]
    unsafe fn fan_in(middle: &mut [f32; MIDDLE], hidden: &[i16; TILE], fans: &[Fan]) {
        // Unseen by the compiler, the width keeps the loop a loop, which it then vectorises.
        let width = std::hint::black_box(MIDDLE).min(MIDDLE);
        for (&sum, fan) in hidden.iter().zip(fans) {
            if sum > 0 {
                let sum = f32::from(sum);
                for (middle, weight) in middle[..width].iter_mut().zip(&fan.0[..width]) {
                    *middle += sum * weight;
                }
            }
        }
    }
}

/// For kernels compiled for AVX2 and what it implies.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl SecondLayer for Avx2 {
    #[inline(always)]
    unsafe fn fan_in(middle: &mut [f32; MIDDLE], hidden: &[i16; TILE], fans: &[Fan]) {
        // SAFETY: the caller promises AVX2.
        unsafe { fan_in_avx2(middle, hidden, fans) }
    }
}

/// Bit `i` says whether `hidden[i]` is positive.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn positive(hidden: &[i16; TILE]) -> u64 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpgt_epi16, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_packs_epi16,
        _mm256_permute4x64_epi64, _mm256_setzero_si256,
    };
    let (sixteens, _) = hidden.as_chunks::<16>();
    let above = |i: usize| {
        let sixteen: &[i16; 16] = &sixteens[i];
        // SAFETY: sixteen numbers are 32 bytes; the load needs no alignment.
        let sums = unsafe { _mm256_loadu_si256(sixteen.as_ptr().cast::<__m256i>()) };
        _mm256_cmpgt_epi16(sums, _mm256_setzero_si256())
    };
    let half = |i: usize| {
        // Packing works on 128-bit lanes; the permutation puts the quarters back in order.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(above(i), above(i + 1)));
        u64::from(_mm256_movemask_epi8(packed) as u32)
    };
    half(0) | half(2) << 32
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn fan_in_avx2(middle: &mut [f32; MIDDLE], hidden: &[i16; TILE], fans: &[Fan]) {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_storeu_ps,
    };
    const VECTORS: usize = MIDDLE / 8;
    let load = |numbers: &[f32; MIDDLE], i: usize| {
        let eight: &[f32; 8] = &numbers.as_chunks().0[i];
        // SAFETY: eight numbers are 32 bytes; the load needs no alignment.
        unsafe { _mm256_loadu_ps(eight.as_ptr()) }
    };
    let mut sums: [_; VECTORS] = std::array::from_fn(|i| load(middle, i));
    let mut active = positive(hidden);
    while active != 0 {
        let unit = active.trailing_zeros() as usize;
        active &= active - 1;
        let (sum, fan) = (_mm256_set1_ps(f32::from(hidden[unit])), &fans[unit].0);
        for (i, sums) in sums.iter_mut().enumerate() {
            *sums = _mm256_add_ps(*sums, _mm256_mul_ps(sum, load(fan, i)));
        }
    }
    let (eights, _) = middle.as_chunks_mut::<8>();
    for (eight, sums) in eights.iter_mut().zip(sums) {
        // SAFETY: eight numbers are 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), sums) };
    }
}
