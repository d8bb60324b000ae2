//! Rollouts: the calls that make them.

use std::ops::ControlFlow;

use gammon_core::Backgammon;
use gammon_core::rollout::{
    self, Branch, Estimate, Kind, Pair, Part, Quantity, Rollout, RolloutError, Subject, Trials,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::position::position_like;
use crate::rollout_part::PyPart;
use crate::rollout_settings::settings_of;
use crate::runtime::{self, interruptible, keep};

/// The evaluators of a rollout, as Python gave them.
struct Evaluators {
    large: AnyEvaluator,
    small: Option<AnyEvaluator>,
}

impl Evaluators {
    fn of(large: &Bound<'_, PyAny>, small: Option<&Bound<'_, PyAny>>) -> Result<Evaluators> {
        Ok(Evaluators { large: AnyEvaluator::of(large)?, small: small.map(AnyEvaluator::of).transpose()? })
    }

    fn pair(&self) -> Pair<'_> {
        Pair { large: self.large.as_core(), small: self.small.as_ref().map(AnyEvaluator::as_core) }
    }

    /// What to raise for an error of the core.
    fn failure(&self, error: RolloutError) -> Error {
        let RolloutError::Evaluator(error) = error else { return Error::Setting(error.to_string()) };
        match self.large.failure(error.clone()) {
            Error::Python(raised) => Error::Python(raised),
            other => self.small.as_ref().map_or(other, |small| small.failure(error)),
        }
    }
}

/// Play games from some positions many times, all with the same dice.
///
/// Whether all trials asked for are in comes second, and positions evaluated third.
///
/// `progress` is told some twenty times a second what is finished. Raises what `gammon.rollout.run` does.
#[pyfunction]
#[pyo3(signature = (positions, evaluator, small, settings, *, after_play, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are what a rollout is made of")]
pub fn roll_out(
    py: Python<'_>,
    positions: Vec<Bound<'_, PyAny>>,
    evaluator: &Bound<'_, PyAny>,
    small: Option<&Bound<'_, PyAny>>,
    settings: &Bound<'_, PyAny>,
    after_play: bool,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<(PyPart, bool, u64)> {
    let branch = |position: &Bound<'_, PyAny>| -> Result<Branch> {
        Ok(Branch { position: position_like(position)?, after_play })
    };
    let branches = positions.iter().map(branch).collect::<Result<Vec<_>>>()?;
    let none = || Error::Setting("nothing to roll out: no position is given".to_owned());
    let subject = Subject::of(branches).ok_or_else(none)?;
    let evaluators = Evaluators::of(evaluator, small)?;
    let settings = settings_of(settings)?;
    let threads = runtime::threads(threads)?;
    let pair = evaluators.pair();
    let id = pair.id();
    let labelled = |part| PyPart(Box::new(Trials::new(&subject, &settings, &id, part)));
    let mut failure = None;
    let outcome = interruptible(py, None, |watch| {
        rollout::run::<Backgammon>(&subject, &settings, pair, threads, &mut |part: &Part| {
            watch(usize::try_from(part.trials()).unwrap_or(usize::MAX))?;
            let tell = |told| keep(&mut failure, tell(told, labelled(part.clone())));
            progress.as_ref().map_or(ControlFlow::Continue(()), tell)
        })
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    let found = outcome.map_err(|error| evaluators.failure(error))?;
    Ok((labelled(found.part), found.complete, found.evaluations))
}

/// Tells a callback about the finished trials; `false` if it wants to stop.
fn tell(callback: &Py<PyAny>, part: PyPart) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((part,))?;
        Ok(runtime::goes_on(&answer)?)
    })
}

/// What many rollouts found: trials; chances and errors, adjusted; equity and error, adjusted and raw; positions
/// evaluated.
type Many<'py> =
    (Bound<'py, PyArray1<u64>>, [Bound<'py, PyArray2<f64>>; 2], [Bound<'py, PyArray1<f64>>; 4], u64);

/// Roll many positions out, threads sharing the work: arrays with a row a position.
///
/// `progress` is told how many trials are done of all. Raises what `gammon.rollout.run_many` does.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, small, settings, *, threads = None, progress = None))]
pub fn roll_out_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    small: Option<&Bound<'py, PyAny>>,
    settings: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<Many<'py>> {
    let subjects: Vec<Subject> = arrays::positions(boards)?.into_iter().map(Subject::position).collect();
    let evaluators = Evaluators::of(evaluator, small)?;
    let settings = settings_of(settings)?;
    let threads = runtime::threads(threads)?;
    let done = interruptible(py, progress.as_ref(), |watch| {
        let mut told = |trials| watch(usize::try_from(trials).unwrap_or(usize::MAX));
        rollout::run_many::<Backgammon>(&subjects, &settings, evaluators.pair(), threads, &mut told)
    })?
    .map_err(|error| match error {
        RolloutError::Finished { subject, .. } => Error::Setting(format!("boards[{subject}]: {error}")),
        error => evaluators.failure(error),
    })?;
    let trials = done.rollouts.iter().map(|rollout| rollout.part.trials()).collect();
    let column = |number: &dyn Fn(&Part) -> f64| -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, done.rollouts.iter().map(|rollout| number(&rollout.part)))
    };
    let equity = |kind: Kind, of: &dyn Fn(Estimate) -> f64| {
        column(&|part| part.estimate(0, Quantity::Equity, kind).map_or(f64::NAN, of))
    };
    let chances = |of: &dyn Fn(Estimate) -> f64| -> PyResult<Bound<'py, PyArray2<f64>>> {
        let row = |rollout: &Rollout| {
            rollout.part.chances(0, Kind::Adjusted).map_or([f64::NAN; 5], |chances| chances.map(of))
        };
        let numbers: Vec<f64> = done.rollouts.iter().flat_map(row).collect();
        PyArray1::from_vec(py, numbers).reshape([done.rollouts.len(), 5])
    };
    let (mean, error) = (|estimate: Estimate| estimate.mean, |estimate: Estimate| estimate.error);
    let equities = [Kind::Adjusted, Kind::Raw].map(|kind| [equity(kind, &mean), equity(kind, &error)]);
    let [[equity, equity_error], [raw, raw_error]] = equities;
    Ok((
        PyArray1::from_vec(py, trials),
        [chances(&mean)?, chances(&error)?],
        [equity, equity_error, raw, raw_error],
        done.evaluations,
    ))
}
