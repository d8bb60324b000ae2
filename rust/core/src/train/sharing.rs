//! Which trained weights make up each row of a net.
//!
//! A net has a row for every exact value (a pip count, say), far more than games teach one by one. In
//! training a row is a weighted sum of shared parameters, so that neighbouring values learn together:
//!
//! ```text
//! n checkers on a place    the first n parameters of the place (a thermometer)
//! checkers off             one parameter a number
//! pips, rolls that hit,    a hat function: the two nearest of evenly spaced parameters
//! rolls that escape
//! prime length             one parameter a length
//! ```

use crate::nn::features::{PIP_ROWS, PRIME_LENGTHS, ROLL_COUNTS, ROWS, STACK, base};

/// Rows of a pip group between two parameters (two pips each).
const PIP_STEP: usize = 4;
/// Rolls of 36 between two parameters.
const ROLL_STEP: usize = 2;

const PIP_PARAMETERS: usize = PIP_ROWS / PIP_STEP + 1;
const ROLL_PARAMETERS: usize = ROLL_COUNTS.div_ceil(ROLL_STEP);

/// Parameters of the first layer, without the biases.
pub(crate) const PARAMETERS: usize = 26 * 2 * STACK
    + 2 * 15
    + 3 * PIP_PARAMETERS
    + 2 * (PRIME_LENGTHS + ROLL_PARAMETERS)
    + 2 * ROLL_PARAMETERS;

/// Parameters that begin with random weights: the checkers. All others begin at zero.
pub(crate) const RANDOM_PARAMETERS: usize = 26 * 2 * STACK;

/// The parameters of every row, with their shares.
pub(crate) struct Sharing {
    terms: Vec<(u16, f32)>,
    /// Where each row's terms begin; one more entry than rows.
    starts: Vec<u32>,
}

impl Sharing {
    pub(crate) fn new() -> Sharing {
        let mut rows: Vec<Vec<(usize, f32)>> = vec![Vec::new(); ROWS];
        let mut next = 0;
        for stack in 0..26 * 2 {
            for n in 0..STACK {
                rows[base::PLACES + stack * STACK + n] = (0..=n).map(|k| (next + k, 1.0)).collect();
            }
            next += STACK;
        }
        for first in base::OFF {
            for n in 0..15 {
                rows[first + n].push((next + n, 1.0));
            }
            next += 15;
        }
        for first in base::PIPS {
            for value in 0..PIP_ROWS {
                rows[first + value] = hat(next, value, PIP_STEP);
            }
            next += PIP_PARAMETERS;
        }
        for first in base::PRIME {
            for length in 0..PRIME_LENGTHS {
                for rolls in 0..ROLL_COUNTS {
                    let row = &mut rows[first + length * ROLL_COUNTS + rolls];
                    row.push((next + length, 1.0));
                    row.extend(hat(next + PRIME_LENGTHS, rolls, ROLL_STEP));
                }
            }
            next += PRIME_LENGTHS + ROLL_PARAMETERS;
        }
        for first in base::SHOTS {
            // Row 0 stays empty: no shot, no row.
            for rolls in 1..ROLL_COUNTS {
                rows[first + rolls] = hat(next, rolls, ROLL_STEP);
            }
            next += ROLL_PARAMETERS;
        }
        debug_assert_eq!(next, PARAMETERS);

        let (mut terms, mut starts) = (Vec::new(), vec![0]);
        for row in rows {
            terms.extend(row.into_iter().map(|(parameter, share)| (parameter as u16, share)));
            starts.push(terms.len() as u32);
        }
        Sharing { terms, starts }
    }

    /// Parameters and shares of one row.
    pub(crate) fn row(&self, row: usize) -> &[(u16, f32)] {
        &self.terms[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// The one or two of the parameters from `first`, `step` apart, that a value lies on or between.
fn hat(first: usize, value: usize, step: usize) -> Vec<(usize, f32)> {
    let (below, beyond) = (value / step, (value % step) as f32 / step as f32);
    let mut terms = vec![(first + below, 1.0 - beyond)];
    if beyond > 0.0 {
        terms.push((first + below + 1, beyond));
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_used_and_hats_add_up_to_one() {
        let sharing = Sharing::new();
        let mut used = [false; PARAMETERS];
        for row in 0..ROWS {
            for &(parameter, share) in sharing.row(row) {
                used[usize::from(parameter)] = true;
                assert!(share > 0.0 && share <= 1.0);
            }
        }
        assert!(used.iter().all(|&u| u));
        for group in base::PIPS {
            for row in group..group + PIP_ROWS {
                assert_eq!(sharing.row(row).iter().map(|&(_, share)| share).sum::<f32>(), 1.0);
            }
        }
        // Three checkers are one more parameter than two.
        assert_eq!(sharing.row(2)[..2], *sharing.row(1));
        assert_eq!(sharing.row(base::SHOTS[0]), []);
    }
}
