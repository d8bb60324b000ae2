//! What a checker's step adds to a flipped position.

use crate::lanes::Delta;

/// Number of places a mover's checker can stand on: the bar and 24 points.
const PLACES: usize = 25;

/// Entries for each die: one for every number of trailing zeros a 32-bit mask can have. Those past
/// [`PLACES`] are never part of a play.
const ENTRIES: usize = 33;

/// The steps of one die: `[place][hits]`.
pub(super) type DieSteps = [[Delta; 2]; ENTRIES];

/// The steps of dice 1 to 6, at index `die - 1`.
static STEPS: [DieSteps; 6] = {
    let mut steps = [[[Delta([0; 32]); 2]; ENTRIES]; 6];
    let mut die = 1;
    while die <= 6 {
        let mut from = 0;
        while from < PLACES {
            steps[die - 1][from] = [step(from, die, false), step(from, die, true)];
            from += 1;
        }
        die += 1;
    }
    steps
};

/// A checker leaves `from` and arrives `die` places further on, or goes off past place 24. A hit turns
/// the opponent's single checker there into one on the opponent's bar.
const fn step(from: usize, die: usize, hits: bool) -> Delta {
    let mut delta = [0; 32];
    delta[from] += 1;
    let to = from + die;
    if to <= 24 {
        delta[to] -= 1;
        if hits {
            delta[to] -= 1;
            delta[25] += 1;
        }
    }
    Delta(delta)
}

/// The steps of `die`.
#[inline(always)]
pub(super) fn steps(die: u32) -> &'static DieSteps {
    &STEPS[die as usize - 1]
}
