//! The fit: Adam (Kingma and Ba, 2015) on the squared error.
//!
//! Sums are taken in one order and no function of a mathematics library is called but the square root,
//! so the same examples give the same bytes everywhere.

use gammon_core::bearoff::PIPS_A_ROLL;
use gammon_core::race::far::{self, Far};
use gammon_core::rng::Stream;

use crate::examples::Example;

/// Inputs that are not 0, and what the net is to give.
type Row = (Vec<(usize, f32)>, [f32; far::OUTPUTS]);

fn inputs(example: &Example) -> Vec<(usize, f32)> {
    let points = example.side[..24].iter().enumerate();
    let mut inputs: Vec<(usize, f32)> = points
        .flat_map(|(p, &n)| {
            far::point_inputs(n).into_iter().enumerate().map(move |(k, x)| (p * far::PER_POINT + k, x))
        })
        .filter(|&(_, x)| x != 0.0)
        .collect();
    let pips = (1..).zip(&example.side).map(|(p, &n)| p * u32::from(n)).sum();
    inputs.push((far::INPUTS - 1, example.start().waste_input(pips)));
    inputs
}

/// Fits the net to `examples`, judging it by `tests` now and then; returns its file.
pub fn fit(examples: &[Example], tests: &[Example]) -> Vec<u8> {
    use far::{HIDDEN, INPUTS, OUTPUTS, WEIGHTS};
    const EPOCHS: usize = 80;
    const BATCH: usize = 256;
    let stream = Stream::new(20_261_129, 0);
    let rows: Vec<Row> =
        examples.iter().map(|example| (inputs(example), example.start().target(&example.exact))).collect();
    let mut weights = vec![0f32; WEIGHTS];
    for (i, weight) in weights[..INPUTS * HIDDEN].iter_mut().enumerate() {
        *weight = 0.5 * (stream.unit(i as u64) as f32 - 0.5);
    }
    let second = INPUTS * HIDDEN + HIDDEN;
    for (i, weight) in weights[second..second + HIDDEN * OUTPUTS].iter_mut().enumerate() {
        *weight = 0.1 * (stream.fork(1).unit(i as u64) as f32 - 0.5);
    }
    let (mut mean, mut square) = (vec![0f32; WEIGHTS], vec![0f32; WEIGHTS]);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let (mut mean_left, mut square_left) = (1f32, 1f32);
    for epoch in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            order.swap(i, stream.fork(2 + epoch as u64).below(i as u32 + 1, i as u64) as usize);
        }
        // Falls slowly, then fast, then slowly to nothing.
        let gone = epoch as f32 / EPOCHS as f32;
        let rate = 3e-3 * (1.0 - gone * gone * (3.0 - 2.0 * gone));
        for batch in order.chunks(BATCH) {
            let mut slope = vec![0f32; WEIGHTS];
            for &row in batch {
                backward(&weights, &rows[row].0, &rows[row].1, &mut slope);
            }
            (mean_left, square_left) = (0.9 * mean_left, 0.999 * square_left);
            let (near, far) = (1.0 - mean_left, 1.0 - square_left);
            for i in 0..WEIGHTS {
                let slope = slope[i] / batch.len() as f32;
                mean[i] += 0.1 * (slope - mean[i]);
                square[i] += 0.001 * (slope * slope - square[i]);
                weights[i] -= rate * (mean[i] / near) / ((square[i] / far).sqrt() + 1e-8);
            }
        }
        if epoch % 10 == 9 {
            println!("epoch {}", epoch + 1);
            judge(&Far::new(&weights), tests);
        }
    }
    weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
}

/// How much the outputs matter: a tenth of a pip or a hundredth of a roll moves chances more than any
/// likely error of a skewness.
const CARE: [f32; far::OUTPUTS] = [3.0, 1.0, 0.3, 5.0, 2.0, 0.05];

/// Adds the slope of half the weighted squared error of one example.
fn backward(weights: &[f32], inputs: &[(usize, f32)], target: &[f32; far::OUTPUTS], slope: &mut [f32]) {
    use far::{HIDDEN, INPUTS, OUTPUTS};
    let second = INPUTS * HIDDEN + HIDDEN;
    let last = second + HIDDEN * OUTPUTS;
    let mut hidden: Vec<f32> = weights[INPUTS * HIDDEN..second].to_vec();
    for &(input, x) in inputs {
        for (sum, weight) in hidden.iter_mut().zip(&weights[input * HIDDEN..]) {
            *sum += x * weight;
        }
    }
    let mut error: [f32; OUTPUTS] = weights[last..].try_into().expect("the last weights");
    for (unit, row) in hidden.iter().zip(weights[second..last].as_chunks::<OUTPUTS>().0) {
        for (sum, weight) in error.iter_mut().zip(row) {
            *sum += unit.max(0.0) * weight;
        }
    }
    for (error, target) in error.iter_mut().zip(target) {
        *error = if target.is_nan() { 0.0 } else { *error - target.clamp(-9.0, 9.0) };
    }
    for (error, care) in error.iter_mut().zip(CARE) {
        *error *= care;
    }
    let mut back = vec![0f32; HIDDEN];
    for (h, unit) in hidden.iter().enumerate().filter(|(_, unit)| **unit > 0.0) {
        for (k, error) in error.iter().enumerate() {
            slope[second + h * OUTPUTS + k] += unit * error;
            back[h] += weights[second + h * OUTPUTS + k] * error;
        }
    }
    for (slope, error) in slope[last..].iter_mut().zip(&error) {
        *slope += error;
    }
    for (slope, back) in slope[INPUTS * HIDDEN..second].iter_mut().zip(&back) {
        *slope += back;
    }
    for &(input, x) in inputs {
        for (slope, back) in slope[input * HIDDEN..].iter_mut().zip(&back) {
            *slope += x * back;
        }
    }
}

/// Prints the mean absolute errors.
fn judge(net: &Far, tests: &[Example]) {
    let (mut sums, mut full) = ([0.0; 6], 0.0);
    for test in tests {
        let ours = net.estimate(&test.side, test.pushed, test.home.mean, test.home.variance);
        let error = |ours: f64, exact: f64| (ours - exact).abs();
        sums[0] += error(ours.all_off.mean, test.exact.all_off.mean) * PIPS_A_ROLL;
        sums[1] += error(ours.all_off.variance, test.exact.all_off.variance);
        sums[5] += error(ours.all_off.skewness, test.exact.all_off.skewness);
        if !test.exact.first_off.mean.is_nan() {
            sums[2] += error(ours.first_off.mean, test.exact.first_off.mean);
            sums[3] += error(ours.first_off.variance, test.exact.first_off.variance);
            sums[4] += error(ours.first_off.skewness, test.exact.first_off.skewness);
            full += 1.0;
        }
    }
    let n = tests.len() as f64;
    println!(
        "mean absolute error over {n} sides: effective pips {:.4}, variance {:.4}, skewness {:.4}; first off: rolls {:.4}, variance {:.4}, skewness {:.4}",
        sums[0] / n,
        sums[1] / n,
        sums[5] / n,
        sums[2] / full,
        sums[3] / full,
        sums[4] / full
    );
}
