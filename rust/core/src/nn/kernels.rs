//! The loop that evaluates a batch, written once and compiled for several instruction sets.
//!
//! ```text
//! rows of the position  ->  i16 sums, 64 hidden units at a time (exact, so order does not matter)
//!                       ->  the active units (sum above 0) fan out into 32 sums, in order, by turns to two halves
//!                       ->  ReLU, 5 dot products of 32 lanes summed by halves
//!                       ->  logistic function, chances
//! ```
//!
//! Lanes are explicit and nothing is fused, so every instruction set gives identical bits.

use crate::nn::family::{Contrary, Marked, Parallel, Pinned};
use crate::nn::features::Core;
use crate::nn::full::Full;
use crate::nn::game::Layout;
use crate::nn::masks::Masks;
use crate::nn::net::{Layers, MIDDLE, TILE};
use crate::nn::plan::Plan;
#[cfg(target_arch = "x86_64")]
use crate::nn::second::{Avx2, Avx512};
use crate::nn::second::{Halves, Lanes, Plain};
use crate::nn::sets::{ActiveRows, Encoder, FeatureSet, MAX_ACTIVE, Summary};
use crate::nn::{compose, sigmoid};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// The instruction sets kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// What the build targets; on every CPU that runs the program.
    Baseline,
    /// AVX2 and BMI, on x86-64.
    Avx2,
    /// AVX-512 F, BW, DQ and VL beside these.
    Avx512,
}

impl InstructionSet {
    /// The sets this CPU has, slowest first.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        [InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512]
            .into_iter()
            .filter(|&set| set.is_here())
    }

    /// The fastest this CPU has.
    pub fn best() -> InstructionSet {
        InstructionSet::available().last().unwrap_or(InstructionSet::Baseline)
    }

    fn is_here(self) -> bool {
        match self {
            InstructionSet::Baseline => true,
            InstructionSet::Avx2 => crate::cpu::has_avx2(),
            InstructionSet::Avx512 => crate::cpu::has_avx512(),
        }
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
    /// The kernel for an instruction set and a set of features, or `None` if this CPU lacks it.
    pub(crate) fn of(set: InstructionSet, features: FeatureSet) -> Option<Instance> {
        if !set.is_here() {
            return None;
        }
        let kernel = match features {
            FeatureSet::Core => compiled::<Core>(set),
            FeatureSet::Full => compiled::<Full>(set),
            FeatureSet::Plan => compiled::<Plan>(set),
            FeatureSet::Family(game) => match game.layout() {
                Layout::Contrary => compiled::<Contrary>(set),
                Layout::Parallel => compiled::<Parallel>(set),
                Layout::Pinned => compiled::<Pinned>(set),
                Layout::Marked => compiled::<Marked>(set),
            },
        };
        Some(Instance { set, kernel })
    }

    /// The fastest kernel this CPU can run.
    pub(crate) fn best(features: FeatureSet) -> Instance {
        Instance::of(InstructionSet::best(), features).expect("an available set has a kernel")
    }

    pub(crate) fn set(&self) -> InstructionSet {
        self.set
    }

    pub(crate) fn run(&self, layers: &Layers, positions: &[Position], out: &mut [Probs]) {
        // SAFETY: `of` hands out a kernel only if this CPU has its instructions.
        unsafe { (self.kernel)(layers, positions, out) }
    }
}

/// The kernel of an encoder for an instruction set that this CPU has.
fn compiled<E: Encoder>(set: InstructionSet) -> Kernel {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => avx2::<E>,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => avx512::<E>,
        _ => baseline::<E>,
    }
}

fn baseline<E: Encoder>(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    // SAFETY: plain arrays need nothing of the CPU.
    unsafe { evaluate::<Plain, E>(layers, positions, out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<E: Encoder>(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    // SAFETY: this function is compiled for, and so only called on, CPUs with AVX2.
    unsafe { evaluate::<Avx2, E>(layers, positions, out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<E: Encoder>(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    // SAFETY: this function is compiled for, and so only called on, CPUs with AVX-512.
    unsafe { evaluate::<Avx512, E>(layers, positions, out) }
}

/// Positions worked on together: enough that a tile's weights, once in the cache, serve many of them.
const CHUNK: usize = 64;

/// What the steps of an evaluation hand on, for a chunk of positions.
struct Chunk {
    rows: [ActiveRows; CHUNK],
    summaries: [Summary; CHUNK],
    middle: [Halves; CHUNK],
    logits: [[f32; 8]; CHUNK],
}

/// # Safety
/// `V` may be used on this CPU.
#[inline(always)]
unsafe fn evaluate<V: Lanes, E: Encoder>(layers: &Layers, positions: &[Position], out: &mut [Probs]) {
    let mut chunk = Chunk {
        rows: [[0; MAX_ACTIVE]; CHUNK],
        summaries: [Summary { len: 0, bucket: 0, possible: [false; 4] }; CHUNK],
        middle: [[[0.0; MIDDLE]; 2]; CHUNK],
        logits: [[0.0; 8]; CHUNK],
    };
    for (positions, out) in positions.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut any_over = false;
        for (i, position) in positions.iter().enumerate() {
            let masks = Masks::of(position);
            // The values of finished games are put right at the end; until then they are as if nobody stood
            // anywhere.
            let is_over = E::is_over(masks);
            any_over |= is_over;
            chunk.summaries[i] = if is_over {
                Summary { len: 0, bucket: 0, possible: [false; 4] }
            } else {
                E::extract(position, masks, &mut chunk.rows[i])
            };
        }
        // SAFETY: the caller promises the CPU.
        unsafe { chunk.forward::<V, E>(layers, positions.len()) };
        for x in chunk.logits[..positions.len()].as_flattened_mut() {
            *x = sigmoid(*x);
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = compose(&chunk.logits[i], &chunk.summaries[i].possible);
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

impl Chunk {
    /// From rows to logits, for the first `count` positions: tile by tile, and in each tile position by position,
    /// for all weights of a tile fit into a core's cache and those of a wide net do not.
    ///
    /// # Safety
    /// `V` may be used on this CPU.
    #[inline(always)]
    unsafe fn forward<V: Lanes, E: Encoder>(&mut self, layers: &Layers, count: usize) {
        for (middle, summary) in self.middle[..count].iter_mut().zip(&self.summaries) {
            *middle = [layers.mid_bias[summary.bucket].0, [0.0; MIDDLE]];
        }
        for tile in 0..layers.tiles {
            let weights = &layers.rows[tile * E::ROWS..][..E::ROWS];
            let positions = self.middle[..count].iter_mut().zip(&self.summaries).zip(&self.rows);
            for ((middle, summary), rows) in positions {
                let rows = &rows[..summary.len.min(MAX_ACTIVE)];
                // SAFETY: the caller promises the CPU.
                let hidden = unsafe { V::sum_rows(&layers.bias[tile], weights, rows) };
                // A quarter of the units or so are active; the others would add zero.
                let fans = &layers.mid_rows[(summary.bucket * layers.tiles + tile) * TILE..][..TILE];
                // SAFETY: the caller promises the CPU.
                unsafe { V::fan_in(middle, &hidden, fans) };
            }
        }
        let positions = self.middle[..count].iter().zip(&self.summaries).zip(&mut self.logits);
        for ((middle, summary), logits) in positions {
            let (bias, fans) = (&layers.out_bias[summary.bucket], &layers.out_rows[summary.bucket]);
            // SAFETY: the caller promises the CPU.
            *logits = unsafe { V::outputs(middle, bias, fans) };
        }
    }
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
