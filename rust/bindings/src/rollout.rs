//! Rollouts: the sums over trials, and the call that makes them.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use gammon_core::Backgammon;
use gammon_core::rollout::{self, Moments, Part, RolloutError, Settings};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::position::position_like;
use crate::runtime::{self, integer, interruptible, keep};

/// Largest trial number.
const MAX_TRIALS: i64 = Settings::MAX_TRIALS as i64;

/// The sums of some trials of a rollout, seen by the player on roll at its start.
#[pyclass(name = "RolloutPart", module = "gammon.rollout", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq)]
pub struct PyPart(Part);

/// Equal parts have equal counts.
impl Hash for PyPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.trials, self.0.outcomes, self.0.turns, self.0.evaluations).hash(state);
    }
}

/// Sums, counts and outcomes: what a part is pickled as.
type State = (u64, Vec<(i128, u128)>, [[u64; 3]; 2], u64, u64);

#[pymethods]
impl PyPart {
    /// Trials summed up.
    #[getter]
    fn trials(&self) -> u64 {
        self.0.trials
    }

    /// Mean and standard error of the five chances, cumulative; none without trials.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let chances = self.0.chances().into_iter().flatten();
        PyTuple::new(py, chances.map(|chance| (chance.mean, chance.error)).collect::<Vec<_>>())
    }

    /// Mean and standard error of the cubeless money equity; not a number without trials.
    #[getter]
    fn equity(&self) -> (f64, f64) {
        self.0.equity().map_or((f64::NAN, f64::INFINITY), |equity| (equity.mean, equity.error))
    }

    /// Games won single, gammon, backgammon; then lost likewise.
    #[getter]
    fn outcomes(&self) -> ((u64, u64, u64), (u64, u64, u64)) {
        let [[a, b, c], [d, e, f]] = self.0.outcomes;
        ((a, b, c), (d, e, f))
    }

    /// Games broken off by the turn limit and valued by the evaluator.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.0.unfinished()
    }

    /// Turns played in all.
    #[getter]
    fn turns(&self) -> u64 {
        self.0.turns
    }

    /// Positions evaluated in all.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.0.evaluations
    }

    /// One part of both, for different trials of the same rollout; exact in any order.
    fn merge(&self, other: &PyPart) -> PyPart {
        let mut all = self.0.clone();
        all.merge(&other.0);
        PyPart(all)
    }

    fn __repr__(&self) -> String {
        let (mean, error) = self.equity();
        format!("<RolloutPart of {} trials, equity {mean:+.4} ± {error:.4}>", self.0.trials)
    }

    #[staticmethod]
    fn _from_state(state: State) -> Result<PyPart> {
        let (trials, moments, outcomes, turns, evaluations) = state;
        let moments: Vec<Moments> =
            moments.into_iter().map(|(sum, squares)| Moments { sum, squares }).collect();
        let Ok([a, b, c, d, e, equity]) = <[Moments; 6]>::try_from(moments) else {
            return Err(Error::Setting("a rollout part has six sums".to_owned()));
        };
        Ok(PyPart(Part { trials, chances: [a, b, c, d, e], equity, outcomes, turns, evaluations }))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (State,))> {
        let part = &self.0;
        let moments = part.chances.iter().chain([&part.equity]).map(|m| (m.sum, m.squares)).collect();
        let state = (part.trials, moments, part.outcomes, part.turns, part.evaluations);
        Ok((py.get_type::<PyPart>().getattr("_from_state")?, (state,)))
    }
}

/// Play a position to the end many times; whether all trials asked for are in comes second.
///
/// `progress` is told some twenty times a second what is finished. Raises what `gammon.rollout.run` does.
#[pyfunction]
#[pyo3(signature = (position, evaluator, *, trials, seed, first, max_turns, opening, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are the settings")]
pub fn roll_out(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    evaluator: &Bound<'_, PyAny>,
    trials: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
    max_turns: &Bound<'_, PyAny>,
    opening: bool,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<(PyPart, bool)> {
    let position = position_like(position)?;
    let evaluator = AnyEvaluator::of(evaluator)?;
    let settings = Settings {
        trials: integer("trials", trials, 1..=MAX_TRIALS)? as u64,
        seed: runtime::seed(seed)?,
        first: integer("first", first, 0..=MAX_TRIALS)? as u64,
        max_turns: integer("max_turns", max_turns, 1..=i64::from(u32::MAX))? as u32,
        opening,
    };
    let threads = runtime::threads(threads)?;
    let core = evaluator.as_core();
    let mut failure = None;
    let outcome = interruptible(py, None, |watch| {
        rollout::run::<Backgammon>(&position, &settings, core, threads, &mut |part| {
            watch(usize::try_from(part.trials).unwrap_or(usize::MAX))?;
            progress.as_ref().map_or(ControlFlow::Continue(()), |told| keep(&mut failure, tell(told, part)))
        })
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    match outcome {
        Ok(found) => Ok((PyPart(found.part), found.complete)),
        Err(RolloutError::Evaluator(error)) => Err(evaluator.failure(error)),
        Err(error) => Err(Error::Setting(error.to_string())),
    }
}

/// Tells a callback about the finished trials; `false` if it wants to stop.
fn tell(callback: &Py<PyAny>, part: &Part) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((PyPart(part.clone()),))?;
        Ok(!runtime::is_false(&answer))
    })
}
