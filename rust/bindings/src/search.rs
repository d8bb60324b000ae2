//! Lookahead: rankings of plays, deeper values, cube decisions.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use gammon_core::cube::CubeLife;
use gammon_core::parallel::Watch;
use gammon_core::search::{
    Cache, CubeUse, Filter, MAX_PLIES, RankedPlay, Ranking, Search, SearchError, Stage,
};
use gammon_core::{Probs, Roll};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString};

use crate::arrays;
use crate::cube::PyCubeDecision;
use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::met::PyMet;
use crate::play::PyPlay;
use crate::position::{PyPosition, Stored, position_like};
use crate::runtime::{self, integer, interruptible};
use crate::situation::PySituation;

/// Most values of a cache: some 10 GB.
const MAX_ENTRIES: i64 = 1 << 26;

/// Values worked out by searches, for later ones.
#[pyclass(name = "SearchCache", module = "gammon.search", frozen)]
pub struct PyCache(Arc<Mutex<Cache>>);

#[pymethods]
impl PyCache {
    #[new]
    #[pyo3(signature = (entries = None))]
    fn new(entries: Option<&Bound<'_, PyAny>>) -> Result<PyCache> {
        let entries = entries.map_or(Ok(1 << 16), |value| integer("entries", value, 1..=MAX_ENTRIES))?;
        Ok(PyCache(Arc::new(Mutex::new(Cache::new(entries as usize)))))
    }

    /// How often a value was found.
    #[getter]
    fn hits(&self) -> Result<u64> {
        using(&self.0, |cache| cache.hits())
    }

    /// How often a value was not there.
    #[getter]
    fn misses(&self) -> Result<u64> {
        using(&self.0, |cache| cache.misses())
    }

    /// Forgets everything.
    fn clear(&self) -> Result<()> {
        using(&self.0, Cache::clear)
    }
}

/// Something done with a cache that no search is using.
///
/// Never waits: the search that holds the cache may itself be waiting for the interpreter.
fn using<T>(cache: &Mutex<Cache>, work: impl FnOnce(&mut Cache) -> T) -> Result<T> {
    let mut cache = cache
        .try_lock()
        .map_err(|_| Error::Setting("the cache is in use by another search: give each its own".to_owned()))?;
    Ok(work(&mut cache))
}

/// What every search is asked.
struct Asked {
    evaluator: AnyEvaluator,
    plies: usize,
    filter: Filter,
    cube: Option<CubeUse>,
    cache: Option<Arc<Mutex<Cache>>>,
    threads: usize,
}

impl Asked {
    fn new(
        evaluator: &Bound<'_, PyAny>,
        plies: &Bound<'_, PyAny>,
        cache: Option<&Bound<'_, PyCache>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> Result<Asked> {
        Ok(Asked {
            evaluator: AnyEvaluator::of(evaluator)?,
            plies: integer("plies", plies, 0..=MAX_PLIES as i64)? as usize,
            filter: Filter::default(),
            cube: None,
            cache: cache.map(|cache| cache.get().0.clone()),
            threads: runtime::threads(threads)?,
        })
    }

    /// Searches, the interpreter let go.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Search<'_>, Option<&mut Cache>, &mut Watch<'_>) -> Result<T, SearchError> + Send,
    ) -> Result<T> {
        let search: Search = Search {
            plies: self.plies,
            filter: self.filter,
            evaluator: self.evaluator.as_core(),
            cube: self.cube.as_ref(),
            threads: self.threads,
        };
        let found = interruptible(py, None, |watch| match &self.cache {
            None => Ok(work(&search, None, watch)),
            Some(cache) => using(cache, |cache| work(&search, Some(cache), watch)),
        })??;
        found.map_err(|error| match error {
            SearchError::Evaluator(error) => self.evaluator.failure(error),
            SearchError::Cancelled(error) => error.into(),
            SearchError::Cube(error) => error.into(),
            other => Error::Setting(other.to_string()),
        })
    }
}

/// The cube of a situation, seen by its player on roll.
fn cube_use(
    situation: &Bound<'_, PySituation>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
) -> Result<CubeUse> {
    let known = situation.get().core();
    let life = match life {
        Some(life) if !(0.0..=1.0).contains(&life) => {
            return Err(gammon_core::cube::CubeError::CubeLife(life).into());
        }
        Some(life) => CubeLife::constant(life),
        None => CubeLife::MEASURED,
    };
    Ok(CubeUse::new(&known.score, met.map(|met| met.get().seen_from(known.seat)), life)?)
}

/// A filter: its name, or a stage `(least, most, within)` a ply.
fn filter_like(value: &Bound<'_, PyAny>, plies: usize) -> Result<Filter> {
    if let Ok(name) = value.cast::<PyString>() {
        return name
            .to_cow()?
            .parse()
            .map_err(|error: gammon_core::search::UnknownFilter| Error::Setting(error.to_string()));
    }
    let stages: Vec<(usize, usize, f64)> = value.extract().map_err(|_| {
        PyTypeError::new_err(
            "a filter is a name such as 'normal', or a stage (least, most, within) for each ply",
        )
    })?;
    if stages.len() < plies || stages.len() > MAX_PLIES {
        let n = stages.len();
        return Err(Error::Setting(format!("a filter needs a stage for each of {plies} plies, got {n}")));
    }
    let mut filter = Filter::ALL;
    for (stage, &(least, most, within)) in filter.stages.iter_mut().zip(&stages) {
        if most == 0 || least > most || within.is_nan() || within < 0.0 {
            return Err(Error::Setting(format!(
                "a stage is (least, most, within) with least <= most, most >= 1 and within >= 0, got ({least}, \
                 {most}, {within})"
            )));
        }
        *stage = Stage { least, most, within };
    }
    Ok(filter)
}

/// Ranks all plays of a roll.
#[pyfunction]
#[pyo3(signature = (position, roll, evaluator, *, plies, filter, score = None, life = None, met = None,
    cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn rank_plays(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    roll: &Bound<'_, PyAny>,
    evaluator: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    filter: &Bound<'_, PyAny>,
    score: Option<&Bound<'_, PySituation>>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
    cache: Option<&Bound<'_, PyCache>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyRanking> {
    let (position, roll) = (position_like(position)?, roll_like(roll)?);
    let mut asked = Asked::new(evaluator, plies, cache, threads)?;
    asked.filter = filter_like(filter, asked.plies)?;
    asked.cube = score.map(|score| cube_use(score, life, met)).transpose()?;
    let ranking = asked.run(py, |search, cache, watch| search.rank(&position, roll, cache, watch))?;
    Ok(PyRanking { before: Stored::new(position), roll, ranking })
}

/// Chances of the player on roll in each position, some plies deep.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, *, plies, cache = None, threads = None))]
pub fn search_values<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    plies: &Bound<'py, PyAny>,
    cache: Option<&Bound<'py, PyCache>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyArray2<f32>>> {
    let positions = arrays::positions(boards)?;
    let asked = Asked::new(evaluator, plies, cache, threads)?;
    let found = asked.run(py, |search, cache, watch| search.evaluate(&positions, cache, watch))?;
    let numbers: Vec<f32> = found.iter().flat_map(|value| value.probs.to_array()).collect();
    Ok(PyArray1::from_vec(py, numbers).reshape([positions.len(), 5])?)
}

/// Decides about the cube with lookahead.
#[pyfunction]
#[pyo3(signature = (situation, evaluator, *, plies, life = None, met = None, cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn search_cube(
    py: Python<'_>,
    situation: &Bound<'_, PySituation>,
    evaluator: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
    cache: Option<&Bound<'_, PyCache>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyCubeDecision> {
    let mut asked = Asked::new(evaluator, plies, cache, threads)?;
    asked.cube = Some(cube_use(situation, life, met)?);
    let position = situation.get().core_position();
    PyCubeDecision::checked(situation, life, met, |_, _| {
        asked.run(py, |search, cache, watch| search.decide_cube(&position, cache, watch))
    })
}

/// What a ranked play is made from.
type Parts = (PyPlay, [f32; 5], f64, usize, f64);

/// A legal play and what it is worth to the mover.
#[pyclass(name = "RankedPlay", module = "gammon.search", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyRankedPlay {
    play: PyPlay,
    probs: Probs,
    equity: f64,
    plies: usize,
    /// What it loses against the best.
    loss: f64,
}

impl Hash for PyRankedPlay {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.play, self.plies).hash(state);
    }
}

#[pymethods]
impl PyRankedPlay {
    #[new]
    fn py_new(
        play: &Bound<'_, PyPlay>,
        probs: [f32; 5],
        equity: f64,
        plies: usize,
        loss: f64,
    ) -> PyRankedPlay {
        PyRankedPlay { play: *play.get(), probs: Probs::from_array(probs), equity, plies, loss }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Parts) {
        let parts = (self.play, self.probs(), self.equity, self.plies, self.loss);
        (py.get_type::<PyRankedPlay>().into_any(), parts)
    }

    /// The play.
    #[getter]
    fn play(&self) -> PyPlay {
        self.play
    }

    /// The mover's chances after it.
    #[getter]
    fn probs(&self) -> [f32; 5] {
        self.probs.to_array()
    }

    /// The mover's equity after it.
    #[getter]
    fn equity(&self) -> f64 {
        self.equity
    }

    /// The depth at which it was judged.
    #[getter]
    fn plies(&self) -> usize {
        self.plies
    }

    /// What it loses against the play ranked first.
    #[getter]
    fn loss(&self) -> f64 {
        self.loss
    }

    fn __repr__(&self) -> Result<String> {
        Ok(format!("<RankedPlay {}: {:+.4} at {} plies>", self.play.__str__()?, self.equity, self.plies))
    }
}

/// All plays of a roll, best first.
#[pyclass(name = "Ranking", module = "gammon.search", frozen, sequence, eq, hash)]
#[derive(PartialEq)]
pub struct PyRanking {
    before: Stored,
    roll: Roll,
    ranking: Ranking,
}

impl Hash for PyRanking {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.before, self.roll).hash(state);
    }
}

impl PyRanking {
    fn play(&self, ranked: &RankedPlay) -> PyRankedPlay {
        PyRankedPlay {
            play: PyPlay::new(self.before, self.roll, &ranked.after),
            probs: ranked.probs,
            equity: ranked.equity,
            plies: ranked.plies,
            loss: self.ranking.plays[0].equity - ranked.equity,
        }
    }
}

#[pymethods]
impl PyRanking {
    #[new]
    fn py_new(
        position: &Bound<'_, PyAny>,
        roll: &Bound<'_, PyAny>,
        plays: Vec<PyRankedPlay>,
    ) -> Result<PyRanking> {
        let (position, roll) = (position_like(position)?, roll_like(roll)?);
        let before = Stored::new(position);
        if plays.is_empty() || plays.iter().any(|ranked| !ranked.play.is_of(before, roll)) {
            let text = "a ranking holds at least one play, and only plays of its position and roll";
            return Err(Error::Setting(text.to_owned()));
        }
        let pass = plays.len() == 1 && plays[0].play.is_pass();
        let of = |ranked: PyRankedPlay| RankedPlay {
            after: ranked.play.result(),
            probs: ranked.probs,
            equity: ranked.equity,
            plies: ranked.plies,
        };
        let plays = plays.into_iter().map(of).collect();
        Ok(PyRanking { before, roll, ranking: Ranking { plays, pass } })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (PyPosition, PyRoll, Vec<PyRankedPlay>)) {
        let plays = self.ranking.plays.iter().map(|ranked| self.play(ranked)).collect();
        (py.get_type::<PyRanking>().into_any(), (self.before(), self.roll(), plays))
    }

    fn __len__(&self) -> usize {
        self.ranking.plays.len()
    }

    fn __getitem__(&self, index: isize) -> Result<PyRankedPlay> {
        let len = self.ranking.plays.len() as isize;
        let place = if index < 0 { index + len } else { index };
        match usize::try_from(place).ok().and_then(|place| self.ranking.plays.get(place)) {
            Some(ranked) => Ok(self.play(ranked)),
            None => Err(PyIndexError::new_err(format!("no play number {index}: there are {len}")).into()),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let plays = self.ranking.plays.iter().map(|ranked| Py::new(py, self.play(ranked)));
        PyList::new(py, plays.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    /// The play ranked first.
    #[getter]
    fn best(&self) -> PyRankedPlay {
        self.play(&self.ranking.plays[0])
    }

    /// How many plays are best with exactly equal equities; 1 unless there is a tie.
    #[getter]
    fn ties(&self) -> usize {
        self.ranking.ties()
    }

    /// Whether nothing can be played: the only entry then hands the position over.
    #[getter]
    fn is_pass(&self) -> bool {
        self.ranking.pass
    }

    /// The position before the roll was played.
    #[getter]
    fn before(&self) -> PyPosition {
        PyPosition::new(self.before.get())
    }

    /// The roll.
    #[getter]
    fn roll(&self) -> PyRoll {
        PyRoll(self.roll)
    }

    fn __repr__(&self) -> Result<String> {
        Ok(format!("<Ranking of {} plays, best {}>", self.ranking.plays.len(), self.best().__repr__()?))
    }
}
