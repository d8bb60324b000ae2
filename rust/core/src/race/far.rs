//! Sides with checkers beyond the bear-off table: mean, variance and skewness of their rolls, estimated.
//!
//! Pushing every outside checker to the six point, and counting the pips that takes at 49/6 a roll, is
//! already close: bringing checkers home wastes little, and what is wasted at home is in the table. A
//! small net corrects the rest. Its inputs say how many checkers stand on each point; as each point
//! contributes on its own, the first layer is one table row a point, added up. The weights (`far.bin`)
//! are fitted by `examples/fit_race` to exact values; it says how, and makes the same bytes again.
//!
//! A distribution is then made from them: a normal one, corrected for skewness, cut into whole rolls.

use std::sync::LazyLock;

use super::counts::normal;
use crate::bearoff::{Moments, PIPS_A_ROLL, Rolls};
use crate::position::Counts;

/// Hidden units.
pub const HIDDEN: usize = 64;

/// Numbers the net gives: for bearing everything off corrections to the mean in pips and to the variance
/// (times 3), and the skewness; for the first checker a correction to the mean in rolls, the variance and
/// the skewness.
pub const OUTPUTS: usize = 6;

/// Inputs a point: a third of the checkers, and whether there are at least 1, 2, 3.
pub const PER_POINT: usize = 4;

/// All inputs: 24 points and the table's waste, a quarter of it in pips.
pub const INPUTS: usize = 24 * PER_POINT + 1;

/// Variance of the number of rolls that a pip adds in the long run: the variance of a roll's pips (665/36)
/// over the cube of its mean.
pub const VARIANCE_A_PIP: f64 = (665.0 / 36.0) / (PIPS_A_ROLL * PIPS_A_ROLL * PIPS_A_ROLL);

/// What is estimated of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Rolls to bear everything off.
    pub all_off: Moments,
    /// Rolls until the first checker is off, if all fifteen are still there.
    pub first_off: Moments,
}

/// Outputs as computed with.
const PADDED: usize = 8;

/// The net, ready to use.
pub struct Far {
    /// First layer by point and checkers on it.
    rows: Vec<[f32; HIDDEN]>,
    waste: [f32; HIDDEN],
    bias: [f32; HIDDEN],
    /// Second layer, filled up with zeros to whole vectors.
    out: [[f32; PADDED]; HIDDEN],
    out_bias: [f32; PADDED],
}

/// Weights in the order of the file: first layer by input, bias, second layer by unit, bias.
pub const WEIGHTS: usize = INPUTS * HIDDEN + HIDDEN + HIDDEN * OUTPUTS + OUTPUTS;

static FITTED: LazyLock<Far> = LazyLock::new(|| {
    let (weights, rest) = include_bytes!("far.bin").as_chunks::<4>();
    assert!(weights.len() == WEIGHTS && rest.is_empty());
    let weights: Vec<f32> = weights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    Far::new(&weights)
});

/// Inputs of one point.
pub fn point_inputs(n: u8) -> [f32; PER_POINT] {
    let at_least = |k| if n >= k { 1.0 } else { 0.0 };
    [f32::from(n) / 3.0, at_least(1), at_least(2), at_least(3)]
}

/// The side with everything beyond the six point moved there, and the pips that takes.
pub fn pushed_home(side: &Counts) -> (Counts, u32) {
    let mut home = [0; 25];
    home[..6].copy_from_slice(&side[..6]);
    let mut pips = 0;
    for (i, &n) in side.iter().enumerate().skip(6) {
        home[5] += n;
        pips += (i as u32 - 5) * u32::from(n);
    }
    (home, pips)
}

impl Far {
    /// The fitted net.
    pub fn fitted() -> &'static Far {
        &FITTED
    }

    /// A net from [`WEIGHTS`] numbers.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn new(weights: &[f32]) -> Far {
        assert_eq!(weights.len(), WEIGHTS);
        let (first, rest) = weights.split_at(INPUTS * HIDDEN);
        let (bias, rest) = rest.split_at(HIDDEN);
        let (out, out_bias) = rest.split_at(HIDDEN * OUTPUTS);
        let first = first.as_chunks::<HIDDEN>().0;
        let mut rows = vec![[0.0; HIDDEN]; 24 * 16];
        for point in 0..24 {
            for n in 1..16u8 {
                let row = &mut rows[point * 16 + n as usize];
                for (k, input) in point_inputs(n).into_iter().enumerate() {
                    for (sum, weight) in row.iter_mut().zip(&first[point * PER_POINT + k]) {
                        *sum += input * weight;
                    }
                }
            }
        }
        Far {
            rows,
            waste: first[INPUTS - 1],
            bias: bias.try_into().expect("split there"),
            out: std::array::from_fn(|unit| padded(&out[unit * OUTPUTS..][..OUTPUTS])),
            out_bias: padded(out_bias),
        }
    }

    /// Estimates a side from the table's mean and variance of the side pushed home.
    pub fn estimate(&self, side: &Counts, pushed: u32, mean: f64, variance: f64) -> Estimate {
        let (mut pips, mut hidden) = (0, self.bias);
        for (point, &n) in side[..24].iter().enumerate() {
            if n > 0 {
                pips += (point as u32 + 1) * u32::from(n);
                let row = &self.rows[point * 16 + (n & 15) as usize];
                for (sum, weight) in hidden.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        let start = start(pushed, mean, variance);
        let waste = start.waste_input(pips);
        let mut out = self.out_bias;
        for ((sum, weight), row) in hidden.iter().zip(&self.waste).zip(&self.out) {
            let unit = (sum + waste * weight).max(0.0);
            for (out, weight) in out.iter_mut().zip(row) {
                *out += unit * weight;
            }
        }
        start.corrected(out)
    }
}

fn padded(outputs: &[f32]) -> [f32; PADDED] {
    let mut all = [0.0; PADDED];
    all[..OUTPUTS].copy_from_slice(outputs);
    all
}

/// What the net corrects.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Effective pip count.
    pub epc: f64,
    /// Variance of the rolls.
    pub variance: f64,
    /// Mean rolls until the first checker is off, without waste.
    pub first_off: f64,
}

/// The estimate without correction.
pub fn start(pushed: u32, mean: f64, variance: f64) -> Start {
    let pushed = f64::from(pushed);
    Start {
        epc: mean * PIPS_A_ROLL + pushed,
        variance: variance + pushed * VARIANCE_A_PIP,
        first_off: 1.0 + pushed / PIPS_A_ROLL,
    }
}

impl Start {
    /// The net's last input.
    pub fn waste_input(&self, pips: u32) -> f32 {
        (self.epc - f64::from(pips)) as f32 / 4.0
    }

    /// What the net is to give for these exact values.
    pub fn target(&self, exact: &Estimate) -> [f32; OUTPUTS] {
        [
            (exact.all_off.mean * PIPS_A_ROLL - self.epc) as f32,
            (3.0 * (exact.all_off.variance - self.variance)) as f32,
            exact.all_off.skewness as f32,
            (exact.first_off.mean - self.first_off) as f32,
            exact.first_off.variance as f32,
            exact.first_off.skewness as f32,
        ]
    }

    fn corrected(&self, out: [f32; PADDED]) -> Estimate {
        let out = out.map(f64::from);
        Estimate {
            all_off: Moments {
                mean: ((self.epc + out[0]) / PIPS_A_ROLL).max(1.0),
                variance: (self.variance + out[1] / 3.0).max(0.0),
                skewness: out[2].clamp(-1.0, 1.0),
            },
            first_off: Moments {
                mean: (self.first_off + out[3]).max(1.0),
                variance: out[4].max(0.0),
                skewness: out[5].clamp(-1.0, 1.0),
            },
        }
    }
}

/// Steps of the tables in a standard deviation, and where they end.
const STEPS: f64 = 128.0;
const END: f64 = 6.0;

/// On a grid: the normal distribution function, and what a skewness of 1 adds to it (the first term of
/// Edgeworth's series). Straight lines in between are off by at most 2e-6.
static DISTRIBUTION: LazyLock<Vec<[f64; 2]>> = LazyLock::new(|| {
    let steps = (2.0 * END * STEPS) as usize;
    let at = |i: usize| {
        let z = i as f64 / STEPS - END;
        let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        [normal(z), (1.0 - z * z) / 6.0 * density]
    };
    (0..=steps + 1).map(at).collect()
});

/// The distribution with these moments and no chance below `least` rolls, written into `room`.
///
/// The continuous distribution is cut at the halves; a twelfth of the variance is the cutting's own.
pub(super) fn outside_rolls(moments: Moments, least: usize, room: &mut [[u8; 4]; 64]) -> Rolls<'_> {
    let table = &*DISTRIBUTION;
    let deviation = (moments.variance - 1.0 / 12.0).max(0.01).sqrt();
    let (scale, shift) = (STEPS / deviation, END * STEPS);
    let below = |n: usize| {
        let x = ((n as f64 - 0.5 - moments.mean) * scale + shift).clamp(0.0, 2.0 * shift);
        let i = x as usize;
        let [low, high] = [table[i], table[i + 1]].map(|[normal, skew]| normal + moments.skewness * skew);
        low + (x - i as f64) * (high - low)
    };
    let first = ((moments.mean - 5.0 * deviation).round().max(1.0) as usize).max(least);
    let last = ((moments.mean + 5.0 * deviation).round() as usize).clamp(first, first + room.len() - 1);
    let start = below(first);
    let total = below(last + 1).max(start) - start;
    if total <= 0.0 {
        // The estimate lies below what is possible.
        room[0] = 1f32.to_le_bytes();
        return Rolls::new(first, &room[..1]);
    }
    let mut before = start;
    for (n, chance) in (first..=last).zip(room.iter_mut()) {
        // The series may dip a little far out.
        let up_to = below(n + 1).max(before);
        *chance = (((up_to - before) / total) as f32).to_le_bytes();
        before = up_to;
    }
    Rolls::new(first, &room[..=last - first])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_has_its_moments_and_no_impossible_part() {
        let mut room = [[0; 4]; 64];
        for (mean, variance) in [(12.3, 2.4), (8.0, 1.2), (25.7, 5.0), (4.4, 0.4)] {
            let rolls = outside_rolls(Moments { mean, variance, skewness: -0.1 }, 1, &mut room);
            let sum: f64 = rolls.chances().sum();
            let its_mean: f64 = rolls.chances().zip(rolls.first()..).map(|(p, n)| p * n as f64).sum();
            assert!((sum - 1.0).abs() < 1e-4);
            assert!(
                (its_mean - mean).abs() < 0.02 && (rolls.moments().variance - variance).abs() < 0.05,
                "{rolls:?}"
            );
        }
        assert_eq!(
            outside_rolls(Moments { mean: 4.4, variance: 1.0, skewness: 0.0 }, 4, &mut room).first(),
            4
        );
        let impossible = outside_rolls(Moments { mean: 2.0, variance: 0.1, skewness: 0.0 }, 40, &mut room);
        assert_eq!((impossible.first(), impossible.last()), (40, 40));
    }

    /// `fit_race ship` gives these bytes; another digest means that they are no longer reproducible.
    #[test]
    fn the_weights_are_those_of_the_recipe() {
        let digest = crate::nn::digest(include_bytes!("far.bin"));
        assert_eq!(digest, [0x9f6b_e479_e0d6_9cb1, 0x688c_0331_4bb7_5941], "{digest:#018x?}");
    }

    #[test]
    fn pushing_home_counts_the_pips() {
        let mut side = [0; 25];
        (side[2], side[5], side[6], side[23]) = (1, 2, 3, 1);
        let (home, pips) = pushed_home(&side);
        assert_eq!((home[2], home[5], pips), (1, 6, 3 + 18));
        assert!(home[6..].iter().all(|&n| n == 0));
    }

    #[test]
    fn a_point_is_a_row() {
        // With all weights 1 a hidden unit counts what is on.
        let far = Far::new(&vec![1.0; WEIGHTS]);
        assert_eq!(far.rows[0], [0.0; HIDDEN]);
        assert_eq!(far.rows[5 * 16 + 3], [4.0; HIDDEN]);
        assert_eq!(far.rows[23 * 16 + 1], [1.0 / 3.0 + 1.0; HIDDEN]);
    }
}
