//! The weights being trained, and the integer net made of them.
//!
//! All parameters are rows of `hidden` numbers in one matrix:
//!
//! ```text
//! 0 .. PARAMETERS             first layer
//! BIAS                        hidden biases
//! MID ..                      weights into the second layer, buckets x units
//! MID_BIAS ..                 its biases, a row a bucket
//! OUT ..                      output weights, buckets x outputs
//! OUT_BIAS                    output biases, buckets x outputs
//!
//! (rows from MID_BIAS on use their first few numbers only)
//! ```

use crate::nn::features::{BUCKETS, ROWS};
use crate::nn::{MIDDLE, OUTPUTS, Parts, TILE};
use crate::rng::Stream;
use crate::train::sharing::{PARAMETERS, RANDOM_PARAMETERS, Sharing};

pub(super) const BIAS: usize = PARAMETERS;
pub(super) const MID: usize = BIAS + 1;
pub(super) const MID_BIAS: usize = MID + BUCKETS * MIDDLE;
pub(super) const OUT: usize = MID_BIAS + BUCKETS;
pub(super) const OUT_BIAS: usize = OUT + BUCKETS * OUTPUTS;
/// Rows of the matrix.
pub(crate) const MATRIX_ROWS: usize = OUT_BIAS + 1;

/// The output biases share one row, which must hold them.
const _: () = assert!(BUCKETS * OUTPUTS <= TILE);

/// What a training changes from batch to batch, and what a checkpoint holds of it.
#[derive(Clone, PartialEq)]
pub(crate) struct Weights {
    pub hidden: usize,
    pub values: Vec<f32>,
    /// Adam's running means of the gradient and of its square.
    pub means: [Vec<f32>; 2],
    /// `BETA` to the power of the row's updates.
    pub decays: [Vec<f32>; 2],
    pub averages: Vec<f32>,
    pub updates: u64,
}

impl Weights {
    /// The weights a training begins with: small random ones for checkers, sensible gammon rates.
    pub(crate) fn new(hidden: usize, seed: u64) -> Weights {
        let mut values = vec![0.0; MATRIX_ROWS * hidden];
        let stream = Stream::new(seed, u64::MAX);
        let mut fill = |rows: std::ops::Range<usize>, size: f32| {
            let first = rows.start * hidden;
            for (i, value) in values[first..rows.end * hidden].iter_mut().enumerate() {
                *value = (stream.unit((first + i) as u64) as f32 * 2.0 - 1.0) * size;
            }
        };
        fill(0..RANDOM_PARAMETERS, 0.15);
        fill(MID..MID + MIDDLE, 0.2);
        fill(OUT..OUT + OUTPUTS, 0.2);
        values[BIAS * hidden..MID * hidden].fill(0.1);
        // All buckets begin alike.
        for bucket in 1..BUCKETS {
            for (first, rows) in [(MID, MIDDLE), (OUT, OUTPUTS)] {
                values.copy_within(first * hidden..(first + rows) * hidden, (first + bucket * rows) * hidden);
            }
        }
        values[MID_BIAS * hidden..OUT * hidden].fill(0.1);
        for bucket in 0..BUCKETS {
            // A quarter of the games won are gammons, one in twenty of those a backgammon.
            values[OUT_BIAS * hidden + bucket * OUTPUTS..][..OUTPUTS]
                .copy_from_slice(&[0.0, -1.1, -3.0, -1.1, -3.0]);
        }
        Weights {
            hidden,
            means: [vec![0.0; values.len()], vec![0.0; values.len()]],
            decays: [vec![1.0; MATRIX_ROWS], vec![1.0; MATRIX_ROWS]],
            averages: values.clone(),
            values,
            updates: 0,
        }
    }

    /// The integer net of the averaged weights.
    pub(super) fn quantised(&self, sharing: &Sharing, seed: u64, recipe: &str) -> Parts {
        let Weights { hidden, averages, .. } = self;
        let hidden = *hidden;
        let mut merged = vec![0.0f32; ROWS * hidden];
        for (row, merged) in merged.chunks_exact_mut(hidden).enumerate() {
            for &(parameter, share) in sharing.row(row) {
                add_scaled(merged, &averages[usize::from(parameter) * hidden..][..hidden], share);
            }
        }
        let bias = &averages[BIAS * hidden..MID * hidden];
        let whole = |numbers: &[f32], shift: u32| -> Vec<i16> {
            let scale = (1u32 << shift) as f32;
            numbers.iter().map(|x| (x * scale).round() as i16).collect()
        };
        // The finest scale at which no position's sums can leave 16 bits.
        let mut shift = 11;
        let (bias, rows) = loop {
            let (bias, rows) = (whole(bias, shift), whole(&merged, shift));
            if shift == 0 || Parts::largest_sum(hidden, &bias, &rows) <= i64::from(i16::MAX) {
                break (bias, rows);
            }
            shift -= 1;
        };
        let starts_of_rows = |rows: std::ops::Range<usize>| -> Vec<f32> {
            rows.flat_map(|row| &averages[row * hidden..][..MIDDLE]).copied().collect()
        };
        // From a row a unit of the second layer to a row a hidden unit.
        let mut mid_rows = Vec::with_capacity(BUCKETS * hidden * MIDDLE);
        for bucket in 0..BUCKETS {
            for unit in 0..hidden {
                mid_rows.extend((0..MIDDLE).map(|m| averages[(MID + bucket * MIDDLE + m) * hidden + unit]));
            }
        }
        Parts {
            hidden,
            shift,
            seed,
            recipe: recipe.to_owned(),
            bias,
            rows,
            mid_bias: starts_of_rows(MID_BIAS..OUT),
            mid_rows,
            out_bias: averages[OUT_BIAS * hidden..][..BUCKETS * OUTPUTS].to_vec(),
            out_rows: starts_of_rows(OUT..OUT_BIAS),
        }
    }
}

/// `to += scale * from`, a tile at a time.
#[inline(always)]
pub(super) fn add_scaled(to: &mut [f32], from: &[f32], scale: f32) {
    let (to, _) = to.as_chunks_mut::<TILE>();
    let (from, _) = from.as_chunks::<TILE>();
    for (to, from) in to.iter_mut().zip(from) {
        for i in 0..TILE {
            to[i] += scale * from[i];
        }
    }
}
