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
//! set 2                    a hat function for pips, mobility, containment and the like,
//!                          one parameter a row for all else
//! the other games          a thermometer a place, a hat function for open steps, one parameter a row for all else
//! ```

use crate::nn::family_rows;
use crate::nn::features::{PIP_ROWS, PRIME_LENGTHS, ROLL_COUNTS, STACK, base};
use crate::nn::full;
use crate::nn::plan;
use crate::nn::{FeatureSet, Group};

/// Rows of a pip group between two parameters (two pips each).
const PIP_STEP: usize = 4;
/// Rolls of 36 between two parameters.
const ROLL_STEP: usize = 2;
/// Rows of open steps, in the other games, between two parameters.
const MOVE_STEP: usize = 4;

const ROLL_PARAMETERS: usize = ROLL_COUNTS.div_ceil(ROLL_STEP);

/// Parameters that begin with random weights: the checkers. All others begin at zero.
pub(crate) const RANDOM_PARAMETERS: usize = 26 * 2 * STACK;

/// The parameters of every row, with their shares.
pub(crate) struct Sharing {
    /// Parameters of the first layer, without the biases.
    pub parameters: usize,
    terms: Vec<(u16, f32)>,
    /// Where each row's terms begin; one more entry than rows.
    starts: Vec<u32>,
}

impl Sharing {
    /// The sharing of a set of features.
    ///
    /// Rows of the groups named in `without` have no parameters: the net is blind to them.
    pub(crate) fn new(features: FeatureSet, without: &[&str]) -> Sharing {
        if features.game().is_some() {
            return Sharing::of(Builder::family(features.rows()));
        }
        let full = features != FeatureSet::Core;
        let set = if full { FeatureSet::Full } else { FeatureSet::Core };
        let mut builder = Builder { rows: vec![Vec::new(); set.rows()], next: 0 };
        builder.core();
        if full {
            builder.full();
        }
        if features == FeatureSet::Plan {
            builder.plan();
        }
        for (group, name) in features.groups().into_iter().zip(features.names()) {
            if without.contains(&name) {
                group.rows().for_each(|row| builder.rows[row].clear());
            }
        }
        Sharing::of(builder)
    }

    fn of(builder: Builder) -> Sharing {
        let (mut terms, mut starts) = (Vec::new(), vec![0]);
        for row in builder.rows {
            terms.extend(row.into_iter().map(|(parameter, share)| (parameter as u16, share)));
            starts.push(terms.len() as u32);
        }
        Sharing { parameters: builder.next, terms, starts }
    }

    /// Parameters and shares of one row.
    pub(crate) fn row(&self, row: usize) -> &[(u16, f32)] {
        &self.terms[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// The terms of every row, and the next unused parameter.
struct Builder {
    rows: Vec<Vec<(usize, f32)>>,
    next: usize,
}

impl Builder {
    /// The rows of the other games: a thermometer a place, hat functions over pips and open steps.
    fn family(rows: usize) -> Builder {
        let mut builder = Builder { rows: vec![Vec::new(); rows], next: 0 };
        builder.places();
        for part in family_rows::PARTS {
            let step = if part.first == family_rows::base::MOVES { MOVE_STEP } else { 1 };
            for group in 0..part.groups {
                let first = part.first + group * part.rows;
                if step == 1 {
                    builder.single(first, part.rows)
                } else {
                    builder.hats(first, part.rows, step)
                }
            }
        }
        builder
    }

    fn places(&mut self) {
        for stack in 0..26 * 2 {
            for n in 0..STACK {
                self.rows[base::PLACES + stack * STACK + n] = (0..=n).map(|k| (self.next + k, 1.0)).collect();
            }
            self.next += STACK;
        }
    }

    fn core(&mut self) {
        self.places();
        base::OFF.into_iter().for_each(|first| self.single(first, 15));
        base::PIPS.into_iter().for_each(|first| self.hats(first, PIP_ROWS, PIP_STEP));
        for first in base::PRIME {
            for length in 0..PRIME_LENGTHS {
                for rolls in 0..ROLL_COUNTS {
                    let row = &mut self.rows[first + length * ROLL_COUNTS + rolls];
                    row.push((self.next + length, 1.0));
                    row.extend(hat(self.next + PRIME_LENGTHS, rolls, ROLL_STEP));
                }
            }
            self.next += PRIME_LENGTHS + ROLL_PARAMETERS;
        }
        for first in base::SHOTS {
            self.rolls(first);
        }
    }

    fn full(&mut self) {
        // The groups of set 2 follow those of set 1, each side's in order.
        let groups = FeatureSet::Full.groups();
        let steps = full::STEPS.into_iter().chain(full::STEPS);
        let added = groups.len() - 2 * full::STEPS.len();
        for (&Group { first, count, .. }, step) in groups[added..].iter().zip(steps) {
            if step == 1 {
                self.single(first, count);
            } else {
                self.hats(first, count, step);
            }
        }
    }

    /// Rows of set 3 from those of set 2: a place's row is what all kinds of position share and what is this
    /// kind's own.
    fn plan(&mut self) {
        let places: Vec<Vec<(usize, f32)>> = self.rows.drain(..plan::PLACES).collect();
        let mut rows = Vec::new();
        for _ in 0..plan::KINDS {
            for terms in &places {
                // Places have the first parameters, so a kind's own follow in the same order.
                let own = terms.iter().map(|&(parameter, share)| (self.next + parameter, share));
                rows.push(terms.iter().copied().chain(own).collect());
            }
            self.next += plan::PLACES;
        }
        rows.append(&mut self.rows);
        self.rows = rows;
    }

    /// One parameter a row.
    fn single(&mut self, first: usize, count: usize) {
        for n in 0..count {
            self.rows[first + n].push((self.next + n, 1.0));
        }
        self.next += count;
    }

    /// A number from 0 to `count - 1`, with a parameter every `step`.
    fn hats(&mut self, first: usize, count: usize, step: usize) {
        for value in 0..count {
            self.rows[first + value] = hat(self.next, value, step);
        }
        self.next += (count - 1).div_ceil(step) + 1;
    }

    /// Rolls of 36, of which none has no row.
    fn rolls(&mut self, first: usize) {
        for rolls in 1..ROLL_COUNTS {
            self.rows[first + rolls] = hat(self.next, rolls, ROLL_STEP);
        }
        self.next += ROLL_PARAMETERS;
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
        for features in FeatureSet::ALL {
            let sharing = Sharing::new(features, &[]);
            let mut used = vec![false; sharing.parameters];
            for row in 0..features.rows() {
                for &(parameter, share) in sharing.row(row) {
                    used[usize::from(parameter)] = true;
                    assert!(share > 0.0 && share <= 1.0);
                }
            }
            assert!(used.iter().all(|&used| used));
            let shift = if features == FeatureSet::Plan { plan::SHIFT } else { 0 };
            for group in base::PIPS {
                for row in group + shift..group + shift + PIP_ROWS {
                    assert_eq!(sharing.row(row).iter().map(|&(_, share)| share).sum::<f32>(), 1.0);
                }
            }
            // Three checkers are one more parameter than two.
            let n = sharing.row(1).len();
            assert_eq!(sharing.row(2).len(), n + n / 2);
            assert_eq!(sharing.row(base::SHOTS[0] + shift), []);
            let blind = Sharing::new(features, &["pips"]);
            assert_eq!(blind.row(base::PIPS[0] + shift), []);
            assert_eq!(blind.row(0), sharing.row(0));
            // Whatever is active, some parameter stands for it.
            let with_none = (0..features.rows()).filter(|&row| sharing.row(row).is_empty()).count();
            assert_eq!(with_none, 2, "no shots, either way");
        }
    }
}
