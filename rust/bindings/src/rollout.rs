//! Rollouts: the sums over trials, and the call that makes them.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use gammon_core::Backgammon;
use gammon_core::codec::posid;
use gammon_core::rollout::{self, Moments, Part, RolloutError, Settings, Trials};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::position::position_like;
use crate::runtime::{self, integer, interruptible, keep};

/// Largest trial number.
const MAX_TRIALS: i64 = Settings::MAX_TRIALS as i64;

/// The sums of some trials of a rollout, seen by the player on roll at its start.
///
/// Parts of the same rollout with adjoining `Settings.first` are merged exactly, whoever made them.
///
/// >>> from gammon import rollout
/// >>> parts = [rollout.run("start", rollout.Settings(trials=36, first=first)).part for first in (0, 36)]
/// >>> parts[0].merge(parts[1]) == rollout.run("start", rollout.Settings(trials=72)).part
/// True
#[pyclass(name = "RolloutPart", module = "gammon.rollout", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq)]
pub struct PyPart(
    /// Boxed: a position wants an alignment that Python's allocator does not promise.
    Box<Trials>,
);

/// Equal parts have equal counts.
impl Hash for PyPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let part = self.part();
        (part.trials, part.outcomes, part.turns, part.evaluations).hash(state);
    }
}

/// Sums, counts and outcomes: what the sums of a part are pickled as.
type Sums = (u64, Vec<(i128, u128)>, [[u64; 3]; 2], u64, u64);

/// Whose trials they are: Position ID, evaluator, seed, turn limit, opening; and their numbers.
type Source = (String, String, u64, u32, bool, Vec<(u64, u64)>);

impl PyPart {
    fn part(&self) -> &Part {
        self.0.part()
    }
}

#[pymethods]
impl PyPart {
    /// Trials summed up.
    #[getter]
    fn trials(&self) -> u64 {
        self.part().trials
    }

    /// Mean and standard error of the five chances, cumulative; none without trials.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let chances = self.part().chances().into_iter().flatten();
        PyTuple::new(py, chances.map(|chance| (chance.mean, chance.error)).collect::<Vec<_>>())
    }

    /// Mean and standard error of the cubeless money equity; not a number without trials.
    #[getter]
    fn equity(&self) -> (f64, f64) {
        self.part().equity().map_or((f64::NAN, f64::INFINITY), |equity| (equity.mean, equity.error))
    }

    /// Games won single, gammon, backgammon; then lost likewise.
    #[getter]
    fn outcomes(&self) -> ((u64, u64, u64), (u64, u64, u64)) {
        let [[a, b, c], [d, e, f]] = self.part().outcomes;
        ((a, b, c), (d, e, f))
    }

    /// Games broken off by the turn limit and valued by the evaluator.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.part().unfinished()
    }

    /// Turns played in all.
    #[getter]
    fn turns(&self) -> u64 {
        self.part().turns
    }

    /// Positions evaluated in all.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.part().evaluations
    }

    /// One part of both, for different trials of the same rollout; exact in any order.
    ///
    /// Raises `SettingError` if they share a trial, or differ in position, evaluator, seed, `max_turns` or
    /// `opening`: their errors would come out too small.
    fn merge(&self, other: &PyPart) -> Result<PyPart> {
        let merged = self.0.merged(&other.0).map_err(|error| Error::Setting(error.to_string()))?;
        Ok(PyPart(Box::new(merged)))
    }

    fn __repr__(&self) -> String {
        let (mean, error) = self.equity();
        format!("<RolloutPart of {} trials, equity {mean:+.4} ± {error:.4}>", self.trials())
    }

    #[staticmethod]
    fn _from_state(source: Source, sums: Sums) -> Result<PyPart> {
        let (position, evaluator, seed, max_turns, opening, numbers) = source;
        let (trials, moments, outcomes, turns, evaluations) = sums;
        let unsound = || Error::Setting("no sums of a rollout".to_owned());
        let moments: Vec<Moments> =
            moments.into_iter().map(|(sum, squares)| Moments { sum, squares }).collect();
        let [a, b, c, d, e, equity] = <[Moments; 6]>::try_from(moments).map_err(|_| unsound())?;
        let part = Part { trials, chances: [a, b, c, d, e], equity, outcomes, turns, evaluations };
        let settings = Settings { seed, max_turns, opening, ..Settings::default() };
        let none = Trials::new(&posid::parse(&position)?, &settings, &evaluator, Part::default());
        let numbers = numbers.into_iter().map(|(start, end)| start..end).collect();
        Ok(PyPart(Box::new(none.with(numbers, part).ok_or_else(unsound)?)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Source, Sums))> {
        let (all, part) = (&self.0, self.part());
        let numbers = all.numbers().iter().map(|range| (range.start, range.end)).collect();
        let position = posid::print(&all.position);
        let source = (position, all.evaluator.clone(), all.seed, all.max_turns, all.opening, numbers);
        let moments = part.chances.iter().chain([&part.equity]).map(|m| (m.sum, m.squares)).collect();
        let sums = (part.trials, moments, part.outcomes, part.turns, part.evaluations);
        Ok((py.get_type::<PyPart>().getattr("_from_state")?, (source, sums)))
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
    let labelled = |part| PyPart(Box::new(Trials::new(&position, &settings, core.id(), part)));
    let mut failure = None;
    let outcome = interruptible(py, None, |watch| {
        rollout::run::<Backgammon>(&position, &settings, core, threads, &mut |part| {
            watch(usize::try_from(part.trials).unwrap_or(usize::MAX))?;
            let tell = |told| keep(&mut failure, tell(told, labelled(part.clone())));
            progress.as_ref().map_or(ControlFlow::Continue(()), tell)
        })
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    match outcome {
        Ok(found) => Ok((labelled(found.part), found.complete)),
        Err(RolloutError::Evaluator(error)) => Err(evaluator.failure(error)),
        Err(error) => Err(Error::Setting(error.to_string())),
    }
}

/// Tells a callback about the finished trials; `false` if it wants to stop.
fn tell(callback: &Py<PyAny>, part: PyPart) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((part,))?;
        Ok(runtime::goes_on(&answer)?)
    })
}
