//! A net: weights in memory, an instruction set chosen, batches answered.

use crate::eval::{EvalError, Evaluator};
use crate::nn::kernels::{Instance, InstructionSet};
use crate::nn::{FeatureSet, Game, NetFormatError, NetInfo, format};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::Backgammon;

/// Numbers a net puts out: win, gammon given win, backgammon given gammon, the same two for losing.
pub const OUTPUTS: usize = 5;

/// Units of the second hidden layer.
pub(crate) const MIDDLE: usize = 32;

/// Hidden units handled together; the width of a net is a multiple of it.
pub(crate) const TILE: usize = 64;

/// A stretch of 64 first-layer weights, aligned to a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Stretch(pub [i16; TILE]);

/// The weights from one unit to the second layer, aligned likewise.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Fan(pub [f32; MIDDLE]);

/// The numbers of a net, in the order of its file.
#[derive(Clone, PartialEq)]
pub(crate) struct Parts {
    pub features: FeatureSet,
    pub hidden: usize,
    /// First-layer numbers are the real ones times 2 to this power.
    pub shift: u32,
    pub seed: u64,
    pub recipe: String,
    /// `hidden` biases.
    pub bias: Vec<i16>,
    /// A row of `hidden` weights for each of the set's rows.
    pub rows: Vec<i16>,
    /// `buckets x MIDDLE` biases.
    pub mid_bias: Vec<f32>,
    /// `buckets x hidden` rows of `MIDDLE` weights.
    pub mid_rows: Vec<f32>,
    /// `buckets x OUTPUTS` biases.
    pub out_bias: Vec<f32>,
    /// `buckets x OUTPUTS` rows of `MIDDLE` weights.
    pub out_rows: Vec<f32>,
}

impl Parts {
    /// Largest absolute first-layer sum any position could have; beyond `i16::MAX` it would wrap.
    pub(crate) fn largest_sum(features: FeatureSet, hidden: usize, bias: &[i16], rows: &[i16]) -> i64 {
        let mut low: Vec<i64> = bias.iter().map(|&b| i64::from(b)).collect();
        let mut high = low.clone();
        let (mut least, mut most) = (vec![0i16; hidden], vec![0i16; hidden]);
        for group in features.groups() {
            least.fill(0);
            most.fill(0);
            for row in group.rows() {
                let weights = &rows[row * hidden..][..hidden];
                for ((least, most), &weight) in least.iter_mut().zip(&mut most).zip(weights) {
                    *least = weight.min(*least);
                    *most = weight.max(*most);
                }
            }
            for unit in 0..hidden {
                low[unit] += i64::from(least[unit]);
                high[unit] += i64::from(most[unit]);
            }
        }
        high.into_iter().chain(low.into_iter().map(|low| -low)).max().unwrap_or(0)
    }
}

/// The weights as the kernels read them.
pub(crate) struct Layers {
    pub tiles: usize,
    /// One stretch of biases a tile.
    pub bias: Vec<Stretch>,
    /// Tile by tile, a stretch for each of the set's rows.
    pub rows: Vec<Stretch>,
    /// One fan a bucket.
    pub mid_bias: Vec<Fan>,
    /// Bucket by bucket, one fan a hidden unit, scaled back from the first layer's integers.
    pub mid_rows: Vec<Fan>,
    /// One row a bucket, padded to eight.
    pub out_bias: Vec<[f32; 8]>,
    /// One fan an output, bucket by bucket.
    pub out_rows: Vec<[Fan; OUTPUTS]>,
}

impl Layers {
    fn new(parts: &Parts) -> Layers {
        let (hidden, tiles) = (parts.hidden, parts.hidden / TILE);
        let stretch =
            |weights: &[i16], tile: usize| Stretch(std::array::from_fn(|i| weights[tile * TILE + i]));
        let mut rows = Vec::with_capacity(tiles * parts.features.rows());
        for tile in 0..tiles {
            rows.extend(parts.rows.chunks_exact(hidden).map(|row| stretch(row, tile)));
        }
        // A power of two: the scaling is exact.
        let scale = 1.0 / (1u32 << parts.shift) as f32;
        let fans = |weights: &[f32], scale: f32| -> Vec<Fan> {
            weights.as_chunks::<MIDDLE>().0.iter().map(|fan| Fan(fan.map(|w| w * scale))).collect()
        };
        let out_bias = parts.out_bias.as_chunks::<OUTPUTS>().0.iter();
        Layers {
            tiles,
            bias: (0..tiles).map(|tile| stretch(&parts.bias, tile)).collect(),
            rows,
            mid_bias: fans(&parts.mid_bias, 1.0),
            mid_rows: fans(&parts.mid_rows, scale),
            out_bias: out_bias.map(|&[a, b, c, d, e]| [a, b, c, d, e, 0.0, 0.0, 0.0]).collect(),
            out_rows: fans(&parts.out_rows, 1.0).as_chunks().0.to_vec(),
        }
    }
}

/// What the standard game is called where nets are told apart.
const STANDARD: &str = "standard backgammon";

/// A trained net for standard backgammon.
///
/// Its answers depend on its bytes and the position only, never on the CPU, the batch or the thread.
pub struct Net {
    layers: Layers,
    info: NetInfo,
    instance: Instance,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net").field("info", &self.info).field("instructions", &self.instance.set()).finish()
    }
}

impl Net {
    /// Reads a net file's bytes and picks the fastest instruction set this CPU has.
    ///
    /// # Errors
    /// Says what is wrong with the bytes, one thing being that the net plays another game; nothing is allocated
    /// for sizes they merely claim.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetFormatError> {
        let (parts, digest) = format::read(bytes)?;
        match parts.features.game() {
            Some(game) => Err(NetFormatError::Game { found: game.name(), wanted: STANDARD }),
            None => Ok(Net::with_digest(&parts, digest)),
        }
    }

    /// A net from numbers that satisfy the format's promises (the trainer's, already quantised).
    pub(crate) fn from_parts(parts: &Parts) -> Net {
        Net::with_digest(parts, format::digest_of_file(&format::write(parts)))
    }

    fn with_digest(parts: &Parts, digest: [u64; 2]) -> Net {
        let info = NetInfo {
            features: parts.features,
            digest: format!("{:016x}{:016x}", digest[0], digest[1]),
            hidden: parts.hidden,
            seed: parts.seed,
            recipe: parts.recipe.clone(),
        };
        Net { layers: Layers::new(parts), info, instance: Instance::best(parts.features) }
    }

    /// The same net on one given instruction set; `None` if this CPU lacks it. For tests and benches.
    #[must_use]
    pub fn on(mut self, set: InstructionSet) -> Option<Net> {
        self.instance = Instance::of(set, self.info.features)?;
        Some(self)
    }

    /// What the file says about itself.
    pub fn info(&self) -> &NetInfo {
        &self.info
    }

    /// The instruction set in use.
    pub fn instructions(&self) -> InstructionSet {
        self.instance.set()
    }
}

/// A trained net for another game of the family.
///
/// Of its five numbers the first is the chance to win, a draw counting half; what the others mean is said by
/// [`Prizes`](crate::family::Prizes).
#[derive(Debug)]
pub struct GameNet {
    net: Net,
    game: Game,
}

impl GameNet {
    /// Reads a net file's bytes.
    ///
    /// # Errors
    /// As [`Net::from_bytes`], and for a net of the standard game.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameNet, NetFormatError> {
        let (parts, digest) = format::read(bytes)?;
        let wanted = "another game of the family";
        let game = parts.features.game().ok_or(NetFormatError::Game { found: STANDARD, wanted })?;
        Ok(GameNet { net: Net::with_digest(&parts, digest), game })
    }

    /// A net from numbers that satisfy the format's promises; `None` if they are of the standard game.
    pub(crate) fn from_parts(parts: &Parts) -> Option<GameNet> {
        Some(GameNet { net: Net::from_parts(parts), game: parts.features.game()? })
    }

    /// The game it was trained for.
    pub fn game(&self) -> Game {
        self.game
    }

    /// What the file says about itself.
    pub fn info(&self) -> &NetInfo {
        &self.net.info
    }

    /// Fills `out[i]` with the numbers of the player to act in `positions[i]`, none of which is finished.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn evaluate(&self, positions: &[Position], out: &mut [Probs]) {
        assert_eq!(positions.len(), out.len(), "one result a position");
        self.net.instance.run(&self.net.layers, positions, out);
    }
}

impl Evaluator<Backgammon> for Net {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        assert_eq!(positions.len(), out.len(), "one result a position");
        self.instance.run(&self.layers, positions, out);
        Ok(())
    }

    fn id(&self) -> &str {
        &self.info.digest
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::nn::{MAX_ACTIVE, compose, sigmoid};
    use crate::rng::Stream;
    use crate::rules::Rules;
    use crate::testing::{position, scattered};

    /// A net of random numbers, different for every seed.
    pub(crate) fn random_parts(features: FeatureSet, hidden: usize, seed: u64) -> Parts {
        let (rows, buckets) = (features.rows(), features.buckets());
        let stream = Stream::new(seed, 0);
        let mut counter = 0;
        let mut draw = |bound: u32| {
            counter += 1;
            stream.below(2 * bound + 1, counter) as i32 - bound as i32
        };
        Parts {
            features,
            hidden,
            shift: 9,
            seed,
            recipe: "random numbers".into(),
            bias: (0..hidden).map(|_| draw(300) as i16).collect(),
            rows: (0..hidden * rows).map(|_| draw(500) as i16).collect(),
            mid_bias: (0..buckets * MIDDLE).map(|_| draw(1000) as f32 / 2000.0).collect(),
            mid_rows: (0..buckets * MIDDLE * hidden).map(|_| draw(1000) as f32 / 5000.0).collect(),
            out_bias: (0..buckets * OUTPUTS).map(|_| draw(1000) as f32 / 500.0).collect(),
            out_rows: (0..buckets * OUTPUTS * MIDDLE).map(|_| draw(1000) as f32 / 2000.0).collect(),
        }
    }

    /// The net's function in double precision, one unit at a time.
    fn naive(parts: &Parts, position: &Position) -> Probs {
        if let Some((won, outcome)) = Backgammon::result(position) {
            return Probs::certain(won, outcome);
        }
        let mut rows = [0; MAX_ACTIVE];
        let summary = parts.features.extract(position, &mut rows);
        let active: Vec<f64> = (0..parts.hidden)
            .map(|unit| {
                let row = |&r: &u16| i32::from(parts.rows[usize::from(r) * parts.hidden + unit]);
                let sum = i32::from(parts.bias[unit]) + rows[..summary.len].iter().map(row).sum::<i32>();
                f64::from(sum.max(0)) / f64::from(1 << parts.shift)
            })
            .collect();
        let middle: Vec<f64> = (0..MIDDLE)
            .map(|m| {
                let weight =
                    |unit: usize| parts.mid_rows[(summary.bucket * parts.hidden + unit) * MIDDLE + m];
                let sum: f64 = (0..parts.hidden).map(|unit| active[unit] * f64::from(weight(unit))).sum();
                (sum + f64::from(parts.mid_bias[summary.bucket * MIDDLE + m])).max(0.0)
            })
            .collect();
        let mut logits = [0.0f32; 8];
        for (output, logit) in logits.iter_mut().enumerate().take(OUTPUTS) {
            let row = summary.bucket * OUTPUTS + output;
            let sum: f64 = (0..MIDDLE).map(|m| middle[m] * f64::from(parts.out_rows[row * MIDDLE + m])).sum();
            *logit = (sum + f64::from(parts.out_bias[row])) as f32;
        }
        compose(&logits.map(sigmoid), &summary.possible)
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits_and_the_naive_numbers() {
        let mut positions = scattered(2_000);
        positions.push(Position::START);
        for (features, hidden) in
            [(FeatureSet::Core, 64), (FeatureSet::Core, 128), (FeatureSet::Full, 192), (FeatureSet::Plan, 64)]
        {
            let parts = random_parts(features, hidden, 3);
            let reference = {
                let net = Net::from_parts(&parts).on(InstructionSet::Baseline).unwrap();
                let mut out = vec![Probs::default(); positions.len()];
                net.evaluate(&positions, &mut out).unwrap();
                out
            };
            for (position, fast) in positions.iter().zip(&reference) {
                let slow = naive(&parts, position);
                for (a, b) in fast.to_array().iter().zip(slow.to_array()) {
                    assert!((a - b).abs() < 2e-5, "{position:?}: {fast:?} {slow:?}");
                }
            }
            for set in InstructionSet::available() {
                let net = Net::from_parts(&parts).on(set).unwrap();
                let mut out = vec![Probs::default(); positions.len()];
                net.evaluate(&positions, &mut out).unwrap();
                let bits = |all: &[Probs]| -> Vec<[u32; 5]> {
                    all.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
                };
                assert_eq!(bits(&out), bits(&reference), "{set:?}");
            }
        }
    }

    #[test]
    fn finished_games_get_their_result() {
        let net = Net::from_parts(&random_parts(FeatureSet::Full, 64, 1));
        let over = position(&[], &[(6, 15)]);
        let mut out = [Probs::default(); 2];
        net.evaluate(&[over, over.flip()], &mut out).unwrap();
        assert_eq!(out[0].equity(), 2.0);
        assert_eq!(out[1].equity(), -2.0);
    }

    #[test]
    fn the_bound_on_sums_holds_for_real_positions() {
        let parts = random_parts(FeatureSet::Full, 64, 2);
        let bound = Parts::largest_sum(parts.features, parts.hidden, &parts.bias, &parts.rows);
        for position in scattered(1_000) {
            let mut rows = [0; MAX_ACTIVE];
            let len = parts.features.active_rows(&position, &mut rows);
            for unit in 0..parts.hidden {
                let sum = i64::from(parts.bias[unit])
                    + rows[..len]
                        .iter()
                        .map(|&r| i64::from(parts.rows[usize::from(r) * parts.hidden + unit]))
                        .sum::<i64>();
                assert!(sum.abs() <= bound);
            }
        }
    }
}
