//! The plays of one roll, best first.

use std::hash::{Hash, Hasher};

use gammon_core::search::{RankedPlay, Ranking};
use gammon_core::{Position, Probs, Roll};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use super::asked::{Asked, cube_use, filter_like};
use super::cache::PyCache;
use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result};
use crate::met::PyMet;
use crate::play::PyPlay;
use crate::position::{PyPosition, Stored, position_like};
use crate::runtime::integer;
use crate::situation::PySituation;
use crate::values::{Picked, picked};

/// Ranks all plays of a roll.
#[pyfunction]
#[pyo3(signature = (position, roll, evaluator, *, plies, filter, prefilter = None, score = None, life = None,
    met = None, max_candidates = None, cache = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn rank_plays(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    roll: &Bound<'_, PyAny>,
    evaluator: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    filter: &Bound<'_, PyAny>,
    prefilter: Option<&Bound<'_, PyAny>>,
    score: Option<&Bound<'_, PySituation>>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
    max_candidates: Option<&Bound<'_, PyAny>>,
    cache: Option<&Bound<'_, PyCache>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyRanking> {
    let (position, roll) = (position_like(position)?, roll_like(roll)?);
    let mut asked = Asked::new(evaluator, prefilter, plies, cache, threads)?;
    asked.filter = filter_like(filter, asked.plies)?;
    asked.cube = score.map(|score| cube_use(score, life, met)).transpose()?;
    let shown = most(max_candidates)?;
    let mut ranking = asked.run(py, |search, cache, watch| search.rank(&position, roll, cache, watch))?;
    ranking.plays.truncate(shown);
    Ok(PyRanking::new(position, roll, ranking))
}

/// How many plays of a decision are handed out; all, unless a number is given.
pub(super) fn most(max_candidates: Option<&Bound<'_, PyAny>>) -> Result<usize> {
    max_candidates
        .map_or(Ok(usize::MAX), |value| Ok(integer("max_candidates", value, 1..=i64::MAX)? as usize))
}

/// What a ranked play is made from.
type Parts = (PyPlay, [f32; 5], f64, usize, f64, bool);

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
    prefiltered: bool,
}

impl Hash for PyRankedPlay {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.play, self.plies).hash(state);
    }
}

#[pymethods]
impl PyRankedPlay {
    #[new]
    #[pyo3(signature = (play, probs, equity, plies, loss, is_prefiltered = false))]
    fn py_new(
        play: &Bound<'_, PyPlay>,
        probs: [f32; 5],
        equity: f64,
        plies: usize,
        loss: f64,
        is_prefiltered: bool,
    ) -> PyRankedPlay {
        let (play, probs) = (*play.get(), Probs::from_array(probs));
        PyRankedPlay { play, probs, equity, plies, loss, prefiltered: is_prefiltered }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Parts) {
        let parts = (self.play, self.probs(), self.equity, self.plies, self.loss, self.prefiltered);
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

    /// Whether only the pre-filter has looked at it.
    #[getter]
    fn is_prefiltered(&self) -> bool {
        self.prefiltered
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
    pub(super) fn new(position: Position, roll: Roll, ranking: Ranking) -> PyRanking {
        PyRanking { before: Stored::new(position), roll, ranking }
    }

    fn play(&self, ranked: &RankedPlay) -> PyRankedPlay {
        PyRankedPlay {
            play: PyPlay::new(self.before, self.roll, &ranked.after),
            probs: ranked.probs,
            equity: ranked.equity,
            plies: ranked.plies,
            loss: self.ranking.plays[0].equity - ranked.equity,
            prefiltered: ranked.prefiltered,
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
            prefiltered: ranked.prefiltered,
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

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        let plays = &self.ranking.plays;
        match picked(index, plays.len())? {
            Picked::One(place) => Ok(Bound::new(py, self.play(&plays[place]))?.into_any()),
            Picked::Some(places) => {
                let some = places.into_iter().map(|place| Py::new(py, self.play(&plays[place])));
                Ok(PyList::new(py, some.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
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

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("gammon.viz._notebook")?.call_method1("ranking", (slf,))
    }

    fn __repr__(&self) -> Result<String> {
        Ok(format!("<Ranking of {} plays, best {}>", self.ranking.plays.len(), self.best().__repr__()?))
    }
}
