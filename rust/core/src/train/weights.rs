//! The weights being trained, and the integer net made of them.
//!
//! All parameters are rows of `hidden` numbers in one matrix:
//!
//! ```text
//! 0 ..            first layer, a row a parameter
//! bias            hidden biases
//! mid ..          weights into the second layer, buckets x units
//! mid_bias ..     its biases, a row a bucket
//! out ..          output weights, buckets x outputs
//! out_bias ..     output biases, a row a bucket
//!
//! (rows from mid_bias on use their first few numbers only)
//! ```

use crate::nn::{FeatureSet, LARGEST_WEIGHT, MIDDLE, OUTPUTS, Parts, TILE};
use crate::rng::Stream;
use crate::train::sharing::{RANDOM_PARAMETERS, Sharing};

/// Where the rows of the matrix begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub features: FeatureSet,
    /// Hidden units.
    pub hidden: usize,
    pub bias: usize,
    pub mid: usize,
    pub mid_bias: usize,
    pub out: usize,
    pub out_bias: usize,
    /// Rows of the matrix.
    pub rows: usize,
}

impl Shape {
    pub(super) fn new(features: FeatureSet, hidden: usize, sharing: &Sharing) -> Shape {
        let buckets = features.buckets();
        let bias = sharing.parameters;
        let mid = bias + 1;
        let mid_bias = mid + buckets * MIDDLE;
        let out = mid_bias + buckets;
        let out_bias = out + buckets * OUTPUTS;
        Shape { features, hidden, bias, mid, mid_bias, out, out_bias, rows: out_bias + buckets }
    }
}

/// Why weights are no net: they have grown beyond all reason, as they do when learning rates are too high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diverged {
    /// A weight is not a number, or larger than any net's.
    Weight,
    /// First-layer sums can leave the range of 16 bits even at the coarsest scale.
    Sum {
        /// The largest sum possible.
        largest: i64,
    },
}

impl std::fmt::Display for Diverged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the training has diverged, no net can hold its weights: ")?;
        match self {
            Diverged::Weight => f.write_str("one is not a number or beyond a million")?,
            Diverged::Sum { largest } => {
                write!(f, "first-layer sums can reach {largest}, beyond {}", i16::MAX)?;
            }
        }
        f.write_str("; lower learning rates may help")
    }
}

impl std::error::Error for Diverged {}

/// What a training changes from batch to batch, and what a checkpoint holds of it.
#[derive(Clone, PartialEq)]
pub(crate) struct Weights {
    pub shape: Shape,
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
    pub(super) fn new(shape: Shape, seed: u64) -> Weights {
        let Shape { hidden, bias, mid, mid_bias, out, out_bias, rows, .. } = shape;
        let buckets = shape.features.buckets();
        let mut values = vec![0.0; rows * hidden];
        let stream = Stream::new(seed, u64::MAX);
        let mut fill = |rows: std::ops::Range<usize>, size: f32| {
            let first = rows.start * hidden;
            for (i, value) in values[first..rows.end * hidden].iter_mut().enumerate() {
                *value = (stream.unit((first + i) as u64) as f32 * 2.0 - 1.0) * size;
            }
        };
        fill(0..RANDOM_PARAMETERS, 0.15);
        fill(mid..mid + MIDDLE, 0.2);
        fill(out..out + OUTPUTS, 0.2);
        values[bias * hidden..mid * hidden].fill(0.1);
        // All buckets begin alike.
        for bucket in 1..buckets {
            for (first, rows) in [(mid, MIDDLE), (out, OUTPUTS)] {
                values.copy_within(first * hidden..(first + rows) * hidden, (first + bucket * rows) * hidden);
            }
        }
        values[mid_bias * hidden..out * hidden].fill(0.1);
        for bucket in 0..buckets {
            // A quarter of the games won are gammons, one in twenty of those a backgammon.
            values[(out_bias + bucket) * hidden..][..OUTPUTS].copy_from_slice(&[0.0, -1.1, -3.0, -1.1, -3.0]);
        }
        Weights {
            shape,
            means: [vec![0.0; values.len()], vec![0.0; values.len()]],
            decays: [vec![1.0; rows], vec![1.0; rows]],
            averages: values.clone(),
            values,
            updates: 0,
        }
    }

    /// The integer net of a matrix of this shape: the values themselves, or their averages.
    pub(super) fn quantised(
        &self,
        matrix: &[f32],
        sharing: &Sharing,
        seed: u64,
        recipe: &str,
    ) -> Result<Parts, Diverged> {
        // A comparison with NaN fails, as it should.
        if !matrix.iter().all(|weight| weight.abs() <= LARGEST_WEIGHT) {
            return Err(Diverged::Weight);
        }
        let Shape { features, hidden, bias, mid, mid_bias, out, out_bias, rows: end } = self.shape;
        let mut merged = vec![0.0f32; features.rows() * hidden];
        for (row, merged) in merged.chunks_exact_mut(hidden).enumerate() {
            for &(parameter, share) in sharing.row(row) {
                add_scaled(merged, &matrix[usize::from(parameter) * hidden..][..hidden], share);
            }
        }
        let bias = &matrix[bias * hidden..mid * hidden];
        let largest = bias.iter().chain(&merged).fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let whole = |numbers: &[f32], shift: u32| -> Vec<i16> {
            let scale = (1u32 << shift) as f32;
            numbers.iter().map(|x| (x * scale).round() as i16).collect()
        };
        // The finest scale at which no position's sums can leave 16 bits.
        let mut shift = 11;
        let (bias, rows) = loop {
            let (bias, rows) = (whole(bias, shift), whole(&merged, shift));
            let sum = Parts::largest_sum(features, hidden, &bias, &rows);
            // A weight beyond 16 bits has been cut to fit.
            let cut = largest * (1u32 << shift) as f32 > f32::from(i16::MAX);
            if sum <= i64::from(i16::MAX) && !cut {
                break (bias, rows);
            }
            if shift == 0 {
                return Err(Diverged::Sum { largest: sum.max(largest as i64) });
            }
            shift -= 1;
        };
        let starts_of_rows = |rows: std::ops::Range<usize>, count: usize| -> Vec<f32> {
            rows.flat_map(|row| &matrix[row * hidden..][..count]).copied().collect()
        };
        // From a row a unit of the second layer to a row a hidden unit.
        let mut mid_rows = Vec::with_capacity(features.buckets() * hidden * MIDDLE);
        for bucket in 0..features.buckets() {
            for unit in 0..hidden {
                mid_rows.extend((0..MIDDLE).map(|m| matrix[(mid + bucket * MIDDLE + m) * hidden + unit]));
            }
        }
        Ok(Parts {
            features,
            hidden,
            shift,
            seed,
            recipe: recipe.to_owned(),
            bias,
            rows,
            mid_bias: starts_of_rows(mid_bias..out, MIDDLE),
            mid_rows,
            out_bias: starts_of_rows(out_bias..end, OUTPUTS),
            out_rows: starts_of_rows(out..out_bias, MIDDLE),
        })
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
