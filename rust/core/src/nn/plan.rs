//! Feature set 3: set 2 with a set of checkers' rows for each kind of position.
//!
//! ```text
//! rows            group
//!    0 ..  4,368  the places of set 1, 14 times: by what the sides are up to (see [`PLANS`])
//! 4368 ..         all other rows of set 2, in order
//! ```
//!
//! A checker on a point means one thing against a back game and another in a blitz. Which rows stand for it
//! costs nothing to choose, so this net is as fast as one of set 2; it is only larger.

use super::features;
use super::full::{self, Full};
use super::masks::Masks;
use super::sets::{ActiveRows, Encoder, Group, Summary};
use crate::position::Position;

/// Rows of the places in set 1.
pub(crate) const PLACES: usize = features::base::OFF[0];

/// Kinds of position with rows of their own for checkers.
pub(crate) const KINDS: usize = 14;

/// The kind of each bucket of set 2: nine kinds of contact; the roller crunched, the opponent or both; the
/// roller with checkers off, the opponent or both; no contact.
pub(crate) const PLANS: [u8; full::BUCKETS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 12, 13, 13];

/// Added to the number of every other row of set 2.
pub(crate) const SHIFT: usize = (KINDS - 1) * PLACES;

/// Rows of the set.
pub(super) const ROWS: usize = full::ROWS + SHIFT;

/// The groups of rows of which at most one is active: a place has one row, whatever the kind of position.
pub(super) fn groups() -> impl Iterator<Item = Group> {
    full::groups().map(|(first, count)| {
        if first < PLACES {
            Group { first, count, times: KINDS, apart: PLACES }
        } else {
            Group { first: first + SHIFT, count, times: 1, apart: 0 }
        }
    })
}

/// Feature set 3, as a type.
pub(crate) struct Plan;

impl Encoder for Plan {
    const ROWS: usize = ROWS;

    #[inline(always)]
    fn extract(position: &Position, masks: Masks, rows: &mut ActiveRows) -> Summary {
        let summary = Full::extract(position, masks, rows);
        // The places come first.
        let held = (masks.own.count_ones() + masks.opp.count_ones()) as usize;
        let kind = usize::from(PLANS[summary.bucket]);
        // All of them, though those beyond the last hold whatever was there: so it is a few vector additions.
        for (i, row) in rows.iter_mut().enumerate() {
            *row = row.wrapping_add(if i < held { kind * PLACES } else { SHIFT } as u16);
        }
        summary
    }
}
