//! The loop that evaluates a batch, written once and compiled for several instruction sets.
//!
//! ```text
//! rows of the position  ->  i16 sums, 64 hidden units at a time (exact, so order does not matter)
//!                       ->  ReLU, to f32
//!                       ->  5 dot products, each in 64 lanes summed by halves
//!                       ->  squash
//! ```
//!
//! Lanes are explicit and nothing is fused, so every instruction set gives identical bits.

use crate::nn::features::{self, MAX_ACTIVE, ROWS};
use crate::nn::masks::Masks;
use crate::nn::net::{Layers, OUTPUTS, TILE};
use crate::nn::{compose, sigmoid};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// The instruction sets kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// What the build targets; on every CPU that runs the program.
    Baseline,
    /// AVX2, on x86-64.
    Avx2,
    /// AVX-512 F, BW and VL, on x86-64.
    Avx512,
}

impl InstructionSet {
    /// The sets this CPU has, slowest first.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        [InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512]
            .into_iter()
            .filter(|&set| Instance::of(set).is_some())
    }

    /// The fastest this CPU has.
    pub fn best() -> InstructionSet {
        InstructionSet::available().last().unwrap_or(InstructionSet::Baseline)
    }
}

type Kernel = unsafe fn(&Layers, &[Position], &mut [Probs]);

/// A kernel this CPU can run.
#[derive(Clone, Copy)]
pub(crate) struct Instance {
    set: InstructionSet,
    kernel: Kernel,
}

impl Instance {
    /// The kernel for `set`, or `None` if this CPU lacks it.
    pub(crate) fn of(set: InstructionSet) -> Option<Instance> {
        let kernel: Kernel = match set {
            InstructionSet::Baseline => baseline,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 if has_avx2() => avx2,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 if has_avx2() && has_avx512() => avx512,
            _ => return None,
        };
        Some(Instance { set, kernel })
    }

    /// The fastest kernel this CPU can run.
    pub(crate) fn best() -> Instance {
        Instance::of(InstructionSet::best()).expect("an available set has a kernel")
    }

    pub(crate) fn set(&self) -> InstructionSet {
        self.set
    }

    pub(crate) fn run(&self, layers: &Layers, positions: &[Position], out: &mut [Probs]) {
        // SAFETY: `of` hands out a kernel only if this CPU has its instructions.
        unsafe { (self.kernel)(layers, positions, out) }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512f") && has!("avx512bw") && has!("avx512vl")
}

fn baseline(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    evaluate(layers, positions, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    evaluate(layers, positions, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
fn avx512(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    evaluate(layers, positions, out);
}

/// Positions whose logits are squashed together: enough to fill vectors, few enough to stay in cache.
const CHUNK: usize = 32;

#[inline(always)]
fn evaluate(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    let mut rows = [0; MAX_ACTIVE];
    let mut logits = [[0.0; 8]; CHUNK];
    let mut possible = [[false; 4]; CHUNK];
    for (positions, out) in positions.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut any_over = false;
        for (i, position) in positions.iter().enumerate() {
            let masks = Masks::of(position);
            if masks.is_over() {
                any_over = true;
                continue;
            }
            let summary = features::extract(position, masks, &mut rows);
            logits[i] = forward(layers, &rows[..summary.len], summary.bucket);
            possible[i] = summary.possible;
        }
        for x in logits.as_flattened_mut() {
            *x = sigmoid(*x);
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = compose(&logits[i], &possible[i]);
        }
        if any_over {
            finished(positions, out);
        }
    }
}

/// Puts the certain results of finished games where they belong.
#[cold]
fn finished(positions: &[Position], out: &mut [Probs]) {
    for (position, out) in positions.iter().zip(out) {
        if let Some((won, outcome)) = Backgammon::result(position) {
            *out = Probs::certain(won, outcome);
        }
    }
}

#[inline(always)]
fn forward(layers: &Layers, rows: &[u16], bucket: usize) -> [f32; 8] {
    // A lane a hidden unit of the tile: the order of the additions is the same whatever the vectors.
    let mut sums = [[0.0f32; TILE]; OUTPUTS];
    for tile in 0..layers.tiles {
        let weights = &layers.rows[tile * ROWS..][..ROWS];
        let mut hidden = layers.bias[tile].0;
        for &row in rows {
            let row = &weights[usize::from(row)].0;
            for i in 0..TILE {
                hidden[i] = hidden[i].wrapping_add(row[i]);
            }
        }
        let mut active = [0.0f32; TILE];
        for i in 0..TILE {
            active[i] = f32::from(hidden[i].max(0));
        }
        let out_rows = &layers.out_rows[bucket * layers.tiles + tile];
        for output in 0..OUTPUTS {
            for i in 0..TILE {
                sums[output][i] += active[i] * out_rows[output].0[i];
            }
        }
    }
    let mut logits = layers.out_bias[bucket];
    for output in 0..OUTPUTS {
        logits[output] += sum_lanes(&mut sums[output]);
    }
    logits
}

/// Sum of the lanes, by halves.
#[inline(always)]
pub(crate) fn sum_lanes(lanes: &mut [f32; TILE]) -> f32 {
    let mut width = TILE / 2;
    while width >= 8 {
        let (left, right) = lanes.split_at_mut(width);
        for i in 0..width {
            left[i] += right[i];
        }
        width /= 2;
    }
    let four: [f32; 4] = std::array::from_fn(|i| lanes[i] + lanes[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}
