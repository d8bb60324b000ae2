//! The two inner loops of an evaluation: rows into hidden sums, and active sums into the second layer.
//!
//! [`Plain`] is the definition; [`Avx2`] and [`Avx512`] make the same additions, in the same order where order
//! matters, so they give the same bits.

use crate::nn::kernels::sum_lanes;
use crate::nn::net::{Fan, MIDDLE, OUTPUTS, Stretch, TILE};

/// The inner loops, on some instruction set.
pub(crate) trait Lanes {
    /// The sums of a tile: its biases and the active rows.
    ///
    /// # Safety
    /// The CPU has the instructions the implementing type names.
    unsafe fn sum_rows(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE];

    /// Adds the products of the positive sums of a tile with their fans, in the order of the units: the first
    /// of them, the third and so on to one half, the others to the other. Two sums, so that an addition need not
    /// wait for the one before.
    ///
    /// # Safety
    /// The CPU has the instructions the implementing type names.
    unsafe fn fan_in(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]);

    /// The outputs of a net, from both halves of the second layer's sums.
    ///
    /// # Safety
    /// The CPU has the instructions the implementing type names.
    unsafe fn outputs(middle: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8];
}

/// The outputs, in a form that compilers vectorise.
#[inline(always)]
fn outputs([first, rest]: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8] {
    let active: [f32; MIDDLE] = std::array::from_fn(|i| {
        let sum = first[i] + rest[i];
        if sum > 0.0 { sum } else { 0.0 }
    });
    let mut logits = *bias;
    for (logit, fan) in logits.iter_mut().zip(fans) {
        let mut lanes = [0.0; MIDDLE];
        for i in 0..MIDDLE {
            lanes[i] = active[i] * fan.0[i];
        }
        *logit += sum_lanes(&mut lanes);
    }
    logits
}

/// Two halves of the second layer's sums.
pub(crate) type Halves = [[f32; MIDDLE]; 2];

/// The sums of a tile, in a form that compilers vectorise.
#[inline(always)]
fn sum_rows(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE] {
    let mut hidden = bias.0;
    for &row in rows {
        let row = &weights[usize::from(row)].0;
        for i in 0..TILE {
            hidden[i] = hidden[i].wrapping_add(row[i]);
        }
    }
    hidden
}

/// Arrays only.
pub(crate) struct Plain;

impl Lanes for Plain {
    #[inline(always)]
    unsafe fn sum_rows(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE] {
        sum_rows(bias, weights, rows)
    }

    #[inline(always)]
    unsafe fn fan_in(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]) {
        // Unseen by the compiler, the width keeps the loop a loop, which it then vectorises.
        let width = std::hint::black_box(MIDDLE).min(MIDDLE);
        let active = hidden.iter().zip(fans).filter(|&(&sum, _)| sum > 0);
        for (i, (&sum, fan)) in active.enumerate() {
            let sum = f32::from(sum);
            for (middle, weight) in middle[i % 2][..width].iter_mut().zip(&fan.0[..width]) {
                *middle += sum * weight;
            }
        }
    }

    #[inline(always)]
    unsafe fn outputs(middle: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8] {
        outputs(middle, bias, fans)
    }
}

/// For kernels compiled for AVX2 and what it implies.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    #[inline(always)]
    unsafe fn sum_rows(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE] {
        sum_rows(bias, weights, rows)
    }

    #[inline(always)]
    unsafe fn fan_in(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]) {
        // SAFETY: the caller promises AVX2.
        unsafe { fan_in_avx2(middle, hidden, fans) }
    }

    #[inline(always)]
    unsafe fn outputs(middle: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8] {
        outputs(middle, bias, fans)
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
fn fan_in_avx2(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]) {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_storeu_ps,
    };
    const VECTORS: usize = MIDDLE / 8;
    let load = |numbers: &[f32; MIDDLE], i: usize| {
        let eight: &[f32; 8] = &numbers.as_chunks().0[i];
        // SAFETY: eight numbers are 32 bytes; the load needs no alignment.
        unsafe { _mm256_loadu_ps(eight.as_ptr()) }
    };
    let [mut first, mut second]: [[_; VECTORS]; 2] =
        std::array::from_fn(|half| std::array::from_fn(|i| load(&middle[half], i)));
    let mut active = positive(hidden);
    while active != 0 {
        let unit = active.trailing_zeros() as usize;
        active &= active - 1;
        let (sum, fan) = (_mm256_set1_ps(f32::from(hidden[unit])), &fans[unit].0);
        for (i, sums) in first.iter_mut().enumerate() {
            *sums = _mm256_add_ps(*sums, _mm256_mul_ps(sum, load(fan, i)));
        }
        if active == 0 {
            break;
        }
        let unit = active.trailing_zeros() as usize;
        active &= active - 1;
        let (sum, fan) = (_mm256_set1_ps(f32::from(hidden[unit])), &fans[unit].0);
        for (i, sums) in second.iter_mut().enumerate() {
            *sums = _mm256_add_ps(*sums, _mm256_mul_ps(sum, load(fan, i)));
        }
    }
    for (middle, sums) in middle.iter_mut().zip([first, second]) {
        let (eights, _) = middle.as_chunks_mut::<8>();
        for (eight, sums) in eights.iter_mut().zip(sums) {
            // SAFETY: eight numbers are 32 bytes; the store needs no alignment.
            unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), sums) };
        }
    }
}

/// For kernels compiled for AVX-512 F, BW, DQ and VL.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx512 {
    #[inline(always)]
    unsafe fn sum_rows(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE] {
        // SAFETY: the caller promises AVX-512.
        unsafe { sum_rows_avx512(bias, weights, rows) }
    }

    #[inline(always)]
    unsafe fn fan_in(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]) {
        // SAFETY: the caller promises AVX-512.
        unsafe { fan_in_avx512(middle, hidden, fans) }
    }

    #[inline(always)]
    unsafe fn outputs(middle: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8] {
        // SAFETY: the caller promises AVX-512.
        unsafe { outputs_avx512(middle, bias, fans) }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_rows_avx512(bias: &Stretch, weights: &[Stretch], rows: &[u16]) -> [i16; TILE] {
    use std::arch::x86_64::{_mm512_add_epi16, _mm512_loadu_si512, _mm512_storeu_si512};
    let halves = |stretch: &Stretch| {
        let (halves, _) = stretch.0.as_chunks::<32>();
        // SAFETY: each half is 64 bytes; the loads need no alignment.
        unsafe {
            [_mm512_loadu_si512(halves[0].as_ptr().cast()), _mm512_loadu_si512(halves[1].as_ptr().cast())]
        }
    };
    let [mut low, mut high] = halves(bias);
    for &row in rows {
        let [more_low, more_high] = halves(&weights[usize::from(row)]);
        low = _mm512_add_epi16(low, more_low);
        high = _mm512_add_epi16(high, more_high);
    }
    let mut hidden = [0; TILE];
    let (halves, _) = hidden.as_chunks_mut::<32>();
    // SAFETY: each half is 64 bytes; the stores need no alignment.
    unsafe {
        _mm512_storeu_si512(halves[0].as_mut_ptr().cast(), low);
        _mm512_storeu_si512(halves[1].as_mut_ptr().cast(), high);
    }
    hidden
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn fan_in_avx512(middle: &mut Halves, hidden: &[i16; TILE], fans: &[Fan]) {
    use std::arch::x86_64::{
        _mm512_add_ps, _mm512_cmpgt_epi16_mask, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mul_ps,
        _mm512_set1_ps, _mm512_setzero_si512, _mm512_storeu_ps,
    };
    let load = |numbers: &[f32; MIDDLE]| {
        let (sixteens, _) = numbers.as_chunks::<16>();
        // SAFETY: sixteen numbers are 64 bytes; the loads need no alignment.
        unsafe { [_mm512_loadu_ps(sixteens[0].as_ptr()), _mm512_loadu_ps(sixteens[1].as_ptr())] }
    };
    let positive = |half: usize| {
        // SAFETY: thirty-two numbers are 64 bytes; the load needs no alignment.
        let sums = unsafe { _mm512_loadu_si512(hidden.as_chunks::<32>().0[half].as_ptr().cast()) };
        u64::from(_mm512_cmpgt_epi16_mask(sums, _mm512_setzero_si512()))
    };
    let [mut first, mut second] = [load(&middle[0]), load(&middle[1])];
    let mut active = positive(0) | positive(1) << 32;
    while active != 0 {
        let unit = active.trailing_zeros() as usize;
        active &= active - 1;
        let (sum, fan) = (_mm512_set1_ps(f32::from(hidden[unit])), load(&fans[unit].0));
        for (sums, fan) in first.iter_mut().zip(fan) {
            *sums = _mm512_add_ps(*sums, _mm512_mul_ps(sum, fan));
        }
        if active == 0 {
            break;
        }
        let unit = active.trailing_zeros() as usize;
        active &= active - 1;
        let (sum, fan) = (_mm512_set1_ps(f32::from(hidden[unit])), load(&fans[unit].0));
        for (sums, fan) in second.iter_mut().zip(fan) {
            *sums = _mm512_add_ps(*sums, _mm512_mul_ps(sum, fan));
        }
    }
    for (middle, sums) in middle.iter_mut().zip([first, second]) {
        let (sixteens, _) = middle.as_chunks_mut::<16>();
        for (sixteen, sums) in sixteens.iter_mut().zip(sums) {
            // SAFETY: sixteen numbers are 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_ps(sixteen.as_mut_ptr(), sums) };
        }
    }
}

/// The sums of [`sum_lanes`] for four outputs side by side: lane by lane the same additions.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn outputs_avx512([first, rest]: &Halves, bias: &[f32; 8], fans: &[Fan; OUTPUTS]) -> [f32; 8] {
    use std::arch::x86_64::{
        __m128, _mm_add_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps, _mm_unpacklo_ps,
        _mm256_add_ps, _mm256_castps256_ps128, _mm256_extractf128_ps, _mm512_add_ps, _mm512_castps512_ps256,
        _mm512_extractf32x8_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_setzero_ps,
    };
    let load = |numbers: &[f32; MIDDLE]| {
        let (sixteens, _) = numbers.as_chunks::<16>();
        // SAFETY: sixteen numbers are 64 bytes; the loads need no alignment.
        unsafe { [_mm512_loadu_ps(sixteens[0].as_ptr()), _mm512_loadu_ps(sixteens[1].as_ptr())] }
    };
    let ([a, b], [c, d], zero) = (load(first), load(rest), _mm512_setzero_ps());
    // The second operand is what comes of sums that are not above it, as in the definition.
    let active = [_mm512_max_ps(_mm512_add_ps(a, c), zero), _mm512_max_ps(_mm512_add_ps(b, d), zero)];
    let fours = |fan: &Fan| -> __m128 {
        let [low, high] = load(&fan.0);
        let sixteen = _mm512_add_ps(_mm512_mul_ps(active[0], low), _mm512_mul_ps(active[1], high));
        let eight = _mm256_add_ps(_mm512_castps512_ps256(sixteen), _mm512_extractf32x8_ps::<1>(sixteen));
        _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight))
    };
    let [p, q, r, s, t] = [0, 1, 2, 3, 4].map(|i| fours(&fans[i]));
    let (low, high) = (_mm_unpacklo_ps(p, q), _mm_unpacklo_ps(r, s));
    let (low_2, high_2) = (_mm_unpackhi_ps(p, q), _mm_unpackhi_ps(r, s));
    // Lane by lane of the four outputs: 0 + 2 and 1 + 3, and then both.
    let even = _mm_add_ps(_mm_movelh_ps(low, high), _mm_movelh_ps(low_2, high_2));
    let odd = _mm_add_ps(_mm_movehl_ps(high, low), _mm_movehl_ps(high_2, low_2));
    let store = |lanes: __m128| {
        let mut out = [0.0f32; 4];
        // SAFETY: four numbers are 16 bytes; the store needs no alignment.
        unsafe { _mm_storeu_ps(out.as_mut_ptr(), lanes) };
        out
    };
    let (sums, last) = (store(_mm_add_ps(even, odd)), store(t));
    let mut logits = *bias;
    for (logit, sum) in logits.iter_mut().zip(sums) {
        *logit += sum;
    }
    logits[4] += (last[0] + last[2]) + (last[1] + last[3]);
    logits
}
