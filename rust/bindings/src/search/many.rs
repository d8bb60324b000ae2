//! Searches of one position or of many: chances, cube decisions, and the plays of many rolls.

use gammon_core::search::Ranking;
use gammon_core::{Position, Roll};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::asked::{Asked, cube_use, filter_like};
use super::cache::PyCache;
use super::ranking::most;
use crate::arrays;
use crate::cube::{PyCubeDecision, PyCubeDecisions};
use crate::errors::Result;
use crate::met::PyMet;
use crate::situation::PySituation;

/// Chances of the player on roll in each position, some plies deep.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, *, plies, prefilter = None, cache = None, threads = None))]
pub fn search_values<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    plies: &Bound<'py, PyAny>,
    prefilter: Option<&Bound<'py, PyAny>>,
    cache: Option<&Bound<'py, PyCache>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyArray2<f32>>> {
    let positions = arrays::positions(boards)?;
    let asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    let found = asked.run(py, |search, cache, watch| search.evaluate(&positions, cache, watch))?;
    let numbers: Vec<f32> = found.iter().flat_map(|value| value.probs.to_array()).collect();
    Ok(PyArray1::from_vec(py, numbers).reshape([positions.len(), 5])?)
}

/// Decides about the cube with lookahead.
#[pyfunction]
#[pyo3(signature = (situation, evaluator, *, plies, prefilter = None, life = None, met = None, cache = None,
    threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn search_cube(
    py: Python<'_>,
    situation: &Bound<'_, PySituation>,
    evaluator: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    prefilter: Option<&Bound<'_, PyAny>>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
    cache: Option<&Bound<'_, PyCache>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyCubeDecision> {
    let mut asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    asked.cube = Some(cube_use(situation, life, met)?);
    let position = situation.get().core_position();
    PyCubeDecision::checked(situation, life, met, |_, _| {
        asked.run(py, |search, cache, watch| search.decide_cube(&position, cache, watch))
    })
}

/// Decides about the cube in many positions at the score of one situation.
#[pyfunction]
#[pyo3(signature = (situation, boards, evaluator, *, plies, prefilter = None, life = None, met = None,
    cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn search_cubes(
    py: Python<'_>,
    situation: &Bound<'_, PySituation>,
    boards: &Bound<'_, PyAny>,
    evaluator: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    prefilter: Option<&Bound<'_, PyAny>>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
    cache: Option<&Bound<'_, PyCache>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyCubeDecisions> {
    let mut asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    asked.cube = Some(cube_use(situation, life, met)?);
    let positions = arrays::positions(boards)?;
    let decided = asked.run(py, |search, cache, watch| search.decide_cubes(&positions, cache, watch))?;
    Ok(PyCubeDecisions::new(py, &decided))
}

/// Plays of many rolls: their boards and where those of each roll end, equities, chances, depths, and whether only
/// the pre-filter looked at them.
type Rankings<'py> = (
    Bound<'py, PyArray3<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<bool>>,
);

/// Ranks the plays of many rolls at the score of one situation.
#[pyfunction]
#[pyo3(signature = (boards, rolls, evaluator, *, plies, filter, prefilter = None, score = None, life = None,
    met = None, max_candidates = None, cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn rank_rolls<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    rolls: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    plies: &Bound<'py, PyAny>,
    filter: &Bound<'py, PyAny>,
    prefilter: Option<&Bound<'py, PyAny>>,
    score: Option<&Bound<'py, PySituation>>,
    life: Option<f64>,
    met: Option<&Bound<'py, PyMet>>,
    max_candidates: Option<&Bound<'py, PyAny>>,
    cache: Option<&Bound<'py, PyCache>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Rankings<'py>> {
    let mut asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    asked.filter = filter_like(filter, asked.plies)?;
    asked.cube = score.map(|score| cube_use(score, life, met)).transpose()?;
    let shown = most(max_candidates)?;
    let positions = arrays::positions(boards)?;
    let rolls = arrays::rolls(rolls, positions.len())?;
    let decisions: Vec<(Position, Roll)> = positions.into_iter().zip(rolls).collect();
    let mut rankings = asked.run(py, |search, cache, watch| search.rank_many(&decisions, cache, watch))?;
    rankings.iter_mut().for_each(|ranking| ranking.plays.truncate(shown));
    columns(py, &rankings)
}

/// All rankings one after the other, as arrays.
fn columns<'py>(py: Python<'py>, rankings: &[Ranking]) -> Result<Rankings<'py>> {
    let plays = || rankings.iter().flat_map(|ranking| &ranking.plays);
    let boards: Vec<Position> = plays().map(|play| play.after).collect();
    let mut end = 0;
    let ends = rankings.iter().map(|ranking| {
        end += ranking.plays.len() as i64;
        end
    });
    let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
    let probs = plays().flat_map(|play| play.probs.to_array());
    Ok((
        arrays::boards(py, &boards)?,
        PyArray1::from_vec(py, offsets),
        PyArray1::from_iter(py, plays().map(|play| play.equity)),
        PyArray1::from_iter(py, probs).reshape([boards.len(), 5])?,
        PyArray1::from_iter(py, plays().map(|play| play.plies as u8)),
        PyArray1::from_iter(py, plays().map(|play| play.prefiltered)),
    ))
}
