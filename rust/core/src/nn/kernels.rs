//! The loop that evaluates a batch, written once and compiled for several instruction sets.
//!
//! ```text
//! rows of the position  ->  i16 sums, 64 hidden units at a time (exact, so order does not matter)
//!                       ->  the active units (sum above 0) fan out into 32 sums, in order
//!                       ->  ReLU, 5 dot products of 32 lanes summed by halves
//!                       ->  logistic function, chances
//! ```
//!
//! Lanes are explicit and nothing is fused, so every instruction set gives identical bits.

use crate::nn::features::{self, MAX_ACTIVE, ROWS};
use crate::nn::masks::Masks;
use crate::nn::net::{Layers, MIDDLE, TILE};
#[cfg(target_arch = "x86_64")]
use crate::nn::second::Avx2;
use crate::nn::second::{Plain, SecondLayer};
use crate::nn::{compose, sigmoid};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// The instruction sets kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// What the build targets; on every CPU that runs the program.
    Baseline,
    /// AVX2 and BMI, on x86-64. (A build for AVX-512 came out slower.)
    Avx2,
}

impl InstructionSet {
    /// The sets this CPU has, slowest first.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        [InstructionSet::Baseline, InstructionSet::Avx2]
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
            InstructionSet::Avx2 if crate::cpu::has_avx2() => avx2,
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

fn baseline(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    // SAFETY: plain arrays need nothing of the CPU.
    unsafe { evaluate::<Plain>(layers, positions, out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    // SAFETY: this function is compiled for, and so only called on, CPUs with AVX2.
    unsafe { evaluate::<Avx2>(layers, positions, out) }
}

/// Positions whose logits are squashed together: enough to fill vectors, few enough to stay in cache.
const CHUNK: usize = 32;

/// # Safety
/// `V` may be used on this CPU.
#[inline(always)]
unsafe fn evaluate<V: SecondLayer>(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
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
            // SAFETY: the caller promises the CPU.
            logits[i] = unsafe { forward::<V>(layers, &rows[..summary.len], summary.bucket) };
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

/// # Safety
/// `V` may be used on this CPU.
#[inline(always)]
unsafe fn forward<V: SecondLayer>(layers: &Layers, rows: &[u16], bucket: usize) -> [f32; 8] {
    let mut middle = layers.mid_bias[bucket].0;
    for tile in 0..layers.tiles {
        let weights = &layers.rows[tile * ROWS..][..ROWS];
        let mut hidden = layers.bias[tile].0;
        for &row in rows {
            let row = &weights[usize::from(row)].0;
            for i in 0..TILE {
                hidden[i] = hidden[i].wrapping_add(row[i]);
            }
        }
        // A quarter of the units or so are active; the others would add zero.
        let fans = &layers.mid_rows[(bucket * layers.tiles + tile) * TILE..][..TILE];
        // SAFETY: the caller promises the CPU.
        unsafe { V::fan_in(&mut middle, &hidden, fans) };
    }
    for sum in &mut middle {
        *sum = if *sum > 0.0 { *sum } else { 0.0 };
    }
    let mut logits = layers.out_bias[bucket];
    for (logit, fan) in logits.iter_mut().zip(&layers.out_rows[bucket]) {
        let mut lanes = [0.0; MIDDLE];
        for i in 0..MIDDLE {
            lanes[i] = middle[i] * fan.0[i];
        }
        *logit += sum_lanes(&mut lanes);
    }
    logits
}

/// Sum of the lanes, by halves; their number is a power of two, at least 8.
#[inline(always)]
pub(crate) fn sum_lanes<const N: usize>(lanes: &mut [f32; N]) -> f32 {
    let mut width = N / 2;
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
