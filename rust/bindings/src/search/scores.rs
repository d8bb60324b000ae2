//! The plays of one roll at many scores.

use gammon_core::search::{CubeUse, ScoreTable};
use gammon_core::{MatchState, Seat};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::asked::{Asked, cube_life, filter_like};
use super::cache::PyCache;
use super::ranking::PyRanking;
use crate::cube::score_size;
use crate::dice::roll_like;
use crate::errors::Result;
use crate::met::PyMet;
use crate::position::position_like;

/// The ranking by cubeless points; for each score the number of its best play, equities and match winning chances;
/// and the equities in money play.
type Scores<'py> = (
    PyRanking,
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Ranks the plays of a roll at every score up to `size` points away, the cube in the middle.
#[pyfunction]
#[pyo3(signature = (position, roll, evaluator, size, met, *, plies, filter, prefilter = None, life = None,
    cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn rank_at_scores<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    roll: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    size: &Bound<'py, PyAny>,
    met: &Bound<'py, PyMet>,
    plies: &Bound<'py, PyAny>,
    filter: &Bound<'py, PyAny>,
    prefilter: Option<&Bound<'py, PyAny>>,
    life: Option<f64>,
    cache: Option<&Bound<'py, PyCache>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Scores<'py>> {
    let (position, roll, size) = (position_like(position)?, roll_like(roll)?, score_size(size)?);
    let mut asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    asked.filter = filter_like(filter, asked.plies)?;
    let (life, met) = (cube_life(life)?, met.get().seen_from(Seat::Bottom));
    let states = MatchState::grid(size as u16).chain([MatchState::MONEY]);
    let scores: Vec<CubeUse> =
        states.map(|state| CubeUse::new(&state, Some(met), life)).collect::<Result<_, _>>()?;
    let table = asked
        .run(py, |search, cache, watch| search.rank_at_scores(&position, roll, &scores, cache, watch))?;
    let n = table.ranking.plays.len();
    let cells = size * size;
    let best: Vec<i64> = (0..cells).map(|score| table.best(score) as i64).collect();
    let ScoreTable { ranking, equities } = table;
    let of_cells = || scores.iter().zip(&equities).take(cells);
    let mwc =
        of_cells().flat_map(|(score, equities)| equities.iter().map(|e| score.stakes().from_equity(*e)));
    Ok((
        PyRanking::new(position, roll, ranking),
        PyArray1::from_vec(py, best).reshape([size, size])?,
        PyArray1::from_iter(py, of_cells().flat_map(|(_, equities)| equities.iter().copied()))
            .reshape([size, size, n])?,
        PyArray1::from_iter(py, mwc).reshape([size, size, n])?,
        PyArray1::from_slice(py, &equities[cells]),
    ))
}
