//! Learning from samples: gradients, and Adam.
//!
//! A row of the weights moves only in batches that touch it (Kingma and Ba, "Adam", 2015, with the bias
//! correction of each row counted by its own updates).

use crate::nn::{FeatureSet, InstructionSet, MAX_ACTIVE, MIDDLE, OUTPUTS, Parts, TILE, sigmoid, sum_lanes};
use crate::outcome::Probs;
use crate::position::Position;
use crate::train::sharing::Sharing;
use crate::train::weights::{Diverged, Shape, Weights, add_scaled};

/// A position with the chances it should have had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub position: Position,
    pub target: Probs,
}

/// Adam's decay rates and the term against division by zero.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Updates between two steps of the running average.
const AVERAGE_EVERY: u64 = 16;

/// Weights with the memory that learning needs.
pub(crate) struct Model {
    pub weights: Weights,
    /// Share of the squared error of equity in the loss.
    pub equity: f32,
    sharing: Sharing,
    gradients: Vec<f32>,
    touched: Vec<bool>,
}

impl Model {
    /// A model that has learned nothing yet.
    pub(crate) fn new(features: FeatureSet, hidden: usize, seed: u64) -> Model {
        Model::blind(features, hidden, seed, &[])
    }

    /// A model without some groups of features.
    pub(crate) fn blind(features: FeatureSet, hidden: usize, seed: u64, without: &[&str]) -> Model {
        let sharing = Sharing::new(features, without);
        let weights = Weights::new(Shape::new(features, hidden, &sharing), seed);
        let (gradients, touched) = (vec![0.0; weights.values.len()], vec![false; weights.shape.rows]);
        Model { weights, equity: 0.0, sharing, gradients, touched }
    }

    /// Learns from one batch of samples, those numbered in `batch`, in that order.
    ///
    /// Returns the sum over samples of the squared errors of the five chances. `average` is the step
    /// of the running average; without one, [`Model::follow`] is due after a lesson.
    pub(crate) fn learn(
        &mut self,
        samples: &[Sample],
        batch: &[u32],
        rate: f32,
        average: Option<f32>,
    ) -> f64 {
        let loss = self.update(samples, batch, rate);
        if let Some(step) = average
            && self.weights.updates.is_multiple_of(AVERAGE_EVERY)
        {
            self.step_average(step);
        }
        loss
    }

    /// Lets the running average be the weights themselves.
    pub(crate) fn follow(&mut self) {
        self.weights.averages.copy_from_slice(&self.weights.values);
    }

    fn step_average(&mut self, step: f32) {
        for (average, value) in self.weights.averages.iter_mut().zip(&self.weights.values) {
            *average += step * (value - *average);
        }
    }

    /// One batch, on the fastest instruction set; all give the same bits.
    fn update(&mut self, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
        self.update_on(InstructionSet::best(), samples, batch, rate)
    }

    /// The same on a set this CPU has.
    fn update_on(&mut self, set: InstructionSet, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
        match set {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this CPU has AVX2 and what belongs to it.
            InstructionSet::Avx2 => unsafe { update_avx2(self, samples, batch, rate) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this CPU has AVX-512 and what belongs to it.
            InstructionSet::Avx512 => unsafe { update_avx512(self, samples, batch, rate) },
            _ => update(self, samples, batch, rate),
        }
    }

    /// The integer net of the averaged weights.
    ///
    /// # Errors
    /// If they are none.
    pub(crate) fn quantised(&self, seed: u64, recipe: &str) -> Result<Parts, Diverged> {
        self.weights.quantised(&self.weights.averages, &self.sharing, seed, recipe)
    }

    /// The integer net of the averaged weights, where those that no sample has touched, which are as random as they
    /// began, count nothing.
    ///
    /// # Errors
    /// If they are none.
    pub(crate) fn quantised_seen(&self, seed: u64, recipe: &str) -> Result<Parts, Diverged> {
        let mut matrix = self.weights.averages.clone();
        let shape = self.weights.shape;
        for (row, weights) in matrix[..shape.bias * shape.hidden].chunks_exact_mut(shape.hidden).enumerate() {
            // The decay is a power of the number of updates.
            if self.weights.decays[0][row] == 1.0 {
                weights.fill(0.0);
            }
        }
        self.weights.quantised(&matrix, &self.sharing, seed, recipe)
    }

    /// The integer net of the weights as they are now.
    ///
    /// # Errors
    /// If they are none.
    pub(crate) fn quantised_now(&self, seed: u64, recipe: &str) -> Result<Parts, Diverged> {
        self.weights.quantised(&self.weights.values, &self.sharing, seed, recipe)
    }
}

/// # Safety
/// The CPU has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn update_avx2(model: &mut Model, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
    update(model, samples, batch, rate)
}

/// # Safety
/// The CPU has AVX-512 F, DQ, BW and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512bw,avx512vl")]
unsafe fn update_avx512(model: &mut Model, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
    update(model, samples, batch, rate)
}

#[inline(always)]
fn update(model: &mut Model, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
    let Shape { features, hidden, bias, mid, mid_bias, out, out_bias, .. } = model.weights.shape;
    let (mut sums, mut active, mut back) = (vec![0.0; hidden], vec![0.0; hidden], vec![0.0; hidden]);
    let mut terms: Vec<(u16, f32)> = Vec::with_capacity(64);
    let mut loss = 0.0;
    for &index in batch {
        let sample = &samples[index as usize];
        let mut rows = [0; MAX_ACTIVE];
        let summary = features.extract(&sample.position, &mut rows);
        terms.clear();
        rows[..summary.len].iter().for_each(|&row| terms.extend(model.sharing.row(usize::from(row))));

        // Forward.
        sums.copy_from_slice(&model.weights.values[bias * hidden..mid * hidden]);
        for &(parameter, share) in &terms {
            add_scaled(&mut sums, &model.weights.values[usize::from(parameter) * hidden..][..hidden], share);
        }
        for (active, sum) in active.iter_mut().zip(&sums) {
            *active = if *sum > 0.0 { *sum } else { 0.0 };
        }
        let bucket = summary.bucket;
        let mut middle = [0.0; MIDDLE];
        for (unit, middle) in middle.iter_mut().enumerate() {
            let row = &model.weights.values[(mid + bucket * MIDDLE + unit) * hidden..][..hidden];
            let sum = model.weights.values[(mid_bias + bucket) * hidden + unit] + dot(&active, row);
            *middle = if sum > 0.0 { sum } else { 0.0 };
        }
        let mut numbers = [0.0; 8];
        for (output, number) in numbers.iter_mut().enumerate().take(OUTPUTS) {
            let row = &model.weights.values[(out + bucket * OUTPUTS + output) * hidden..][..MIDDLE];
            let constant = model.weights.values[(out_bias + bucket) * hidden + output];
            let mut lanes = [0.0; MIDDLE];
            for i in 0..MIDDLE {
                lanes[i] = middle[i] * row[i];
            }
            *number = sigmoid(constant + sum_lanes(&mut lanes));
        }

        // Backward.
        let (mut errors, squared) = errors(&numbers, &sample.target, &summary.possible);
        if model.equity > 0.0 {
            add_equity(&mut errors, model.equity, &numbers, &sample.target, &summary.possible);
        }
        loss += f64::from(squared);
        let mut mid_back = [0.0; MIDDLE];
        for (output, &error) in errors.iter().enumerate() {
            let row = out + bucket * OUTPUTS + output;
            let weights = &model.weights.values[row * hidden..][..MIDDLE];
            let gradients = &mut model.gradients[row * hidden..][..MIDDLE];
            for i in 0..MIDDLE {
                mid_back[i] += error * weights[i];
                gradients[i] += error * middle[i];
            }
            model.gradients[(out_bias + bucket) * hidden + output] += error;
            model.touched[row] = true;
        }
        back.fill(0.0);
        for (unit, &error) in mid_back.iter().enumerate() {
            let row = mid + bucket * MIDDLE + unit;
            if middle[unit] > 0.0 {
                add_scaled(&mut back, &model.weights.values[row * hidden..][..hidden], error);
                add_scaled(&mut model.gradients[row * hidden..][..hidden], &active, error);
                model.gradients[(mid_bias + bucket) * hidden + unit] += error;
                model.touched[row] = true;
            }
        }
        model.touched[mid_bias + bucket] = true;
        model.touched[out_bias + bucket] = true;
        for (back, sum) in back.iter_mut().zip(&sums) {
            *back = if *sum > 0.0 { *back } else { 0.0 };
        }
        add_scaled(&mut model.gradients[bias * hidden..mid * hidden], &back, 1.0);
        for &(parameter, share) in &terms {
            let parameter = usize::from(parameter);
            add_scaled(&mut model.gradients[parameter * hidden..][..hidden], &back, share);
            model.touched[parameter] = true;
        }
    }
    model.touched[bias] = true;
    adam(model, 1.0 / batch.len() as f32, rate);
    loss
}

/// Derivatives of the loss by the five logits, and the squared errors of the five chances.
///
/// The loss is the cross-entropy of the six ways a game can end. Its derivative by a conditional
/// chance's logit is weighted by the condition's target. What is impossible teaches nothing.
#[inline(always)]
fn errors(numbers: &[f32; 8], target: &Probs, possible: &[bool; 4]) -> ([f32; OUTPUTS], f32) {
    let keep = |yes: bool, x: f32| if yes { x } else { 0.0 };
    let [win, gammon, backgammon, lost_gammon, lost_backgammon, ..] = *numbers;
    let errors = [
        win - target.win,
        keep(possible[0], target.win * gammon - target.win_gammon),
        keep(possible[1], target.win_gammon * backgammon - target.win_backgammon),
        keep(possible[2], (1.0 - target.win) * lost_gammon - target.lose_gammon),
        keep(possible[3], target.lose_gammon * lost_backgammon - target.lose_backgammon),
    ];
    let answer = crate::nn::compose(numbers, possible).to_array();
    let squared = answer.iter().zip(target.to_array()).map(|(a, t)| (a - t) * (a - t)).sum();
    (errors, squared)
}

/// Mixes into the derivatives, with this share, those of half the squared error of equity.
#[inline(always)]
fn add_equity(
    errors: &mut [f32; OUTPUTS],
    share: f32,
    numbers: &[f32; 8],
    target: &Probs,
    possible: &[bool; 4],
) {
    let answer = crate::nn::compose(numbers, possible);
    let [win, gammon, backgammon, lost_gammon, lost_backgammon, ..] = *numbers;
    let lose = 1.0 - win;
    // What a little more of each conditional chance does to equity.
    let won = 2.0 + (answer.win_gammon + answer.win_backgammon) / win.max(1e-9);
    let lost = (answer.lose_gammon + answer.lose_backgammon) / lose.max(1e-9);
    let slopes = [
        win * lose * (won + lost),
        (answer.win_gammon + answer.win_backgammon) * (1.0 - gammon),
        answer.win_backgammon * (1.0 - backgammon),
        -(answer.lose_gammon + answer.lose_backgammon) * (1.0 - lost_gammon),
        -answer.lose_backgammon * (1.0 - lost_backgammon),
    ];
    let off = answer.equity() - target.equity();
    for (error, slope) in errors.iter_mut().zip(slopes) {
        *error = (1.0 - share) * *error + share * off * slope;
    }
}

/// Moves every touched row against its gradient, which is cleared.
#[inline(always)]
fn adam(model: &mut Model, scale: f32, rate: f32) {
    let Weights { shape, values, means, decays, updates, .. } = &mut model.weights;
    let hidden = shape.hidden;
    let ([means, squares], [decay, square_decay]) = (means, decays);
    let columns = decay.iter_mut().zip(square_decay).zip(&mut model.touched);
    for (row, ((decay, square_decay), touched)) in columns.enumerate() {
        if !std::mem::take(touched) {
            continue;
        }
        *decay *= BETA[0];
        *square_decay *= BETA[1];
        let mean_scale = rate / (1.0 - *decay);
        let square_scale = 1.0 / (1.0 - *square_decay);
        let at = row * hidden..(row + 1) * hidden;
        let moments = means[at.clone()].iter_mut().zip(&mut squares[at.clone()]);
        let numbers = values[at.clone()].iter_mut().zip(&mut model.gradients[at]);
        for ((mean, square), (value, gradient)) in moments.zip(numbers) {
            let g = *gradient * scale;
            *gradient = 0.0;
            *mean = BETA[0] * *mean + (1.0 - BETA[0]) * g;
            *square = BETA[1] * *square + (1.0 - BETA[1]) * (g * g);
            *value -= mean_scale * *mean / ((*square * square_scale).sqrt() + EPSILON);
        }
    }
    *updates += 1;
}

/// The dot product, in lanes summed in a fixed order.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; TILE];
    let (a, _) = a.as_chunks::<TILE>();
    let (b, _) = b.as_chunks::<TILE>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..TILE {
            lanes[i] += a[i] * b[i];
        }
    }
    sum_lanes(&mut lanes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::nn::Net;
    use crate::testing::scattered;

    fn samples(count: u64) -> Vec<Sample> {
        scattered(count)
            .into_iter()
            .map(|position| {
                let (own, opp) = position.pip_counts();
                let win = (0.5 + (opp as f32 - own as f32) / 200.0).clamp(0.05, 0.95);
                let (own_off, opp_off) = position.borne_off();
                let target = Probs {
                    win,
                    win_gammon: if opp_off == 0 { win * 0.25 } else { 0.0 },
                    win_backgammon: if opp_off == 0 && !position.is_race() { win * 0.05 } else { 0.0 },
                    lose_gammon: if own_off == 0 { (1.0 - win) * 0.5 } else { 0.0 },
                    lose_backgammon: 0.0,
                };
                Sample { position, target }
            })
            .collect()
    }

    /// Cross-entropy of the six ways to end, with the squared error of equity, in double precision, straight from the
    /// definitions.
    fn loss(model: &Model, samples: &[Sample]) -> f64 {
        let Shape { features, hidden, bias, mid, mid_bias, out, out_bias, .. } = model.weights.shape;
        let value = |row: usize, unit: usize| f64::from(model.weights.values[row * hidden + unit]);
        let mut total = 0.0;
        for sample in samples {
            let mut rows = [0; MAX_ACTIVE];
            let summary = features.extract(&sample.position, &mut rows);
            let active: Vec<f64> = (0..hidden)
                .map(|unit| {
                    let mut sum = value(bias, unit);
                    for &row in &rows[..summary.len] {
                        for &(parameter, share) in model.sharing.row(usize::from(row)) {
                            sum += f64::from(share) * value(usize::from(parameter), unit);
                        }
                    }
                    sum.max(0.0)
                })
                .collect();
            let middle: Vec<f64> = (0..MIDDLE)
                .map(|m| {
                    let row = mid + summary.bucket * MIDDLE + m;
                    let sum: f64 = (0..hidden).map(|unit| active[unit] * value(row, unit)).sum();
                    (sum + value(mid_bias + summary.bucket, m)).max(0.0)
                })
                .collect();
            let chance = |output: usize| {
                let row = out + summary.bucket * OUTPUTS + output;
                let sum: f64 = (0..MIDDLE).map(|m| middle[m] * value(row, m)).sum();
                let logit = sum + value(out_bias + summary.bucket, output);
                1.0 / (1.0 + (-logit).exp())
            };
            let part = |yes: bool, weight: f32, hit: f32, chance: f64| {
                let (weight, hit) = (f64::from(weight), f64::from(hit));
                if yes { -(hit * chance.ln() + (weight - hit) * (1.0 - chance).ln()) } else { 0.0 }
            };
            let t = &sample.target;
            let given = |output: usize| if summary.possible[output - 1] { chance(output) } else { 0.0 };
            let win = chance(0) * (2.0 + given(1) * (1.0 + given(2))) - 1.0;
            let off = win - (1.0 - chance(0)) * given(3) * (1.0 + given(4)) - f64::from(t.equity());
            let share = f64::from(model.equity);
            let crossed = part(true, 1.0, t.win, chance(0))
                + part(summary.possible[0], t.win, t.win_gammon, chance(1))
                + part(summary.possible[1], t.win_gammon, t.win_backgammon, chance(2))
                + part(summary.possible[2], 1.0 - t.win, t.lose_gammon, chance(3))
                + part(summary.possible[3], t.lose_gammon, t.lose_backgammon, chance(4));
            total += (1.0 - share) * crossed + share * off * off / 2.0;
        }
        total
    }

    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        for equity in [0.0, 0.6, 1.0] {
            gradients_are_the_slopes(equity);
        }
    }

    fn gradients_are_the_slopes(equity: f32) {
        let samples = samples(20);
        let mut model = Model::new(FeatureSet::Full, 64, 4);
        model.equity = equity;
        // With a rate of zero nothing moves, and Adam's first mean is a tenth of the mean gradient.
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        model.update(&samples, &order, 0.0);
        let mut compared = 0;
        for at in (0..model.weights.values.len()).step_by(31) {
            let slope = f64::from(model.weights.means[0][at]) * 10.0 * samples.len() as f64;
            let (kept, step) = (model.weights.values[at], 1e-4);
            model.weights.values[at] = kept + step;
            let above = loss(&model, &samples);
            model.weights.values[at] = kept - step;
            let below = loss(&model, &samples);
            model.weights.values[at] = kept;
            let numeric = (above - below) / f64::from(2.0 * step);
            // A unit that switches within the step bends the numeric slope a little.
            assert!((slope - numeric).abs() < 0.005 + 0.02 * numeric.abs(), "{at}: {slope} {numeric}");
            compared += usize::from(numeric.abs() > 0.05);
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn learning_reduces_the_error_and_the_integer_net_agrees() {
        let samples = samples(300);
        let mut model = Model::new(FeatureSet::Full, 64, 4);
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut lesson =
            || -> f64 { order.chunks(30).map(|batch| model.learn(&samples, batch, 3e-3, None)).sum() };
        let first = lesson();
        let last = (0..60).map(|_| lesson()).last().unwrap();
        model.follow();
        assert!(last < first / 1_000.0, "{first} {last}");
        let net = Net::from_parts(&model.quantised(0, "").unwrap());
        let positions: Vec<Position> = samples.iter().map(|s| s.position).collect();
        let mut out = vec![Probs::default(); positions.len()];
        net.evaluate(&positions, &mut out).unwrap();
        let integer: f32 = out
            .iter()
            .zip(&samples)
            .flat_map(|(p, s)| p.to_array().into_iter().zip(s.target.to_array()))
            .map(|(a, t)| (a - t) * (a - t))
            .sum();
        assert!(f64::from(integer) < first / 1_000.0, "{integer} {first}");
    }

    #[test]
    fn weights_that_no_net_can_hold_are_refused() {
        let good = Model::new(FeatureSet::Core, 64, 4);
        assert!(good.quantised(0, "").is_ok());
        let with = |at: usize, weight: f32| {
            let mut model = Model::new(FeatureSet::Core, 64, 4);
            model.weights.values[at] = weight;
            model.follow();
            assert_eq!(model.quantised(0, "").err(), model.quantised_now(0, "").err());
            model.quantised(0, "").map(|parts| Net::from_bytes(&crate::nn::write(&parts)).unwrap())
        };
        let last = good.weights.values.len() - 1;
        for weight in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2e6] {
            assert_eq!(with(0, weight).err(), Some(Diverged::Weight), "{weight}");
            assert_eq!(with(last, weight).err(), Some(Diverged::Weight), "{weight}");
        }
        assert!(matches!(with(0, 40_000.0), Err(Diverged::Sum { largest: 40_000.. })));
        assert!(matches!(with(0, -40_000.0), Err(Diverged::Sum { largest: 40_000.. })));
        assert!(with(0, 30_000.0).is_ok() && with(last, 40_000.0).is_ok());
    }

    #[test]
    fn every_instruction_set_learns_the_same_bits() {
        let samples = samples(100);
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut reference = Model::new(FeatureSet::Plan, 64, 4);
        (0..3).for_each(|_| _ = update(&mut reference, &samples, &order, 1e-3));
        for set in InstructionSet::available() {
            let mut other = Model::new(FeatureSet::Plan, 64, 4);
            (0..3).for_each(|_| _ = other.update_on(set, &samples, &order, 1e-3));
            assert!(reference.weights == other.weights, "{set:?}");
        }
    }
}
