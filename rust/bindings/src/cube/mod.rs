//! Cube decisions.

mod decision;
mod many;
mod points;

pub use decision::{PyCubeDecision, cube_decision};
pub use many::{PyCubeDecisions, cube_decisions, cube_matrix, score_size};
pub use points::{PyCubePoints, cube_points};

use gammon_core::Situation;
use gammon_core::cube::{CubeLife, Stakes};
use pyo3::prelude::*;

use crate::errors::Result;
use crate::met::PyMet;
use crate::situation::PySituation;

/// The stakes of a situation in which a cube decision is due.
fn stakes(situation: &Situation, met: Option<&Bound<'_, PyMet>>) -> Result<Stakes> {
    let met = met.map(|met| met.get().seen_from(situation.seat));
    Ok(Stakes::new(&situation.score, met)?)
}

/// The cube life of a situation, unless it is given.
fn life_of(situation: &PySituation, given: Option<f64>) -> f64 {
    given.unwrap_or_else(|| CubeLife::MEASURED.of(&situation.core_position()))
}
