//! Rollouts: the calls that make them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::Arc;

use gammon_core::rollout::{
    self, CubeTable, Estimate, Kind, Pair, Part, Plan, Quantity, Reason, Rollout, RolloutError, Settings,
    Single, Subject, Trials,
};
use gammon_core::{Backgammon, MatchState, Seat};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::game_rollout;
use crate::met::PyMet;
use crate::rollout_part::PyPart;
use crate::rollout_settings::{settings_of, stop_of};
use crate::rollout_subject::{PySubject, table};
use crate::runtime::{self, interruptible, keep};
use crate::situation::PySituation;

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

/// Play the games of a subject many times, all branches with the same dice.
///
/// The sums come first, of all trials up to `settings.trials` and those `before` among them; then whether all are
/// in, the rule of `until` that ended it, and the positions evaluated.
///
/// `progress` is told some twenty times a second what is finished. Raises what `gammon.rollout.run` does.
#[pyfunction]
#[pyo3(signature = (subject, evaluator, small, settings, *, before = None, until = None, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are what a rollout is made of")]
pub fn roll_out(
    py: Python<'_>,
    subject: &Bound<'_, PySubject>,
    evaluator: &Bound<'_, PyAny>,
    small: Option<&Bound<'_, PyAny>>,
    settings: &Bound<'_, PyAny>,
    before: Option<&Bound<'_, PyPart>>,
    until: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<Found> {
    let asked = Asked { evaluator, small, settings, before, until, threads, progress };
    if let Some(rules) = subject.get().rules() {
        return game_rollout::roll_out(py, subject, rules, asked);
    }
    let evaluators = Evaluators::of(evaluator, small)?;
    let settings = settings_of(settings)?;
    let (pair, of) = (evaluators.pair(), &subject.get().subject);
    let play = |settings: &Settings, plan: &Plan<'_>, threads: usize, watch: &mut PartWatch<'_>| {
        rollout::run_plan::<Backgammon>(of, settings, pair, plan, threads, watch)
    };
    rolled_out(py, subject, asked, settings, &pair.id(), play, |error| evaluators.failure(error))
}

/// What a rollout is made of beside its subject, as Python gave it.
pub struct Asked<'a, 'py> {
    pub evaluator: &'a Bound<'py, PyAny>,
    pub small: Option<&'a Bound<'py, PyAny>>,
    pub settings: &'a Bound<'py, PyAny>,
    pub before: Option<&'a Bound<'py, PyPart>>,
    pub until: Option<&'a Bound<'py, PyAny>>,
    pub threads: Option<&'a Bound<'py, PyAny>>,
    pub progress: Option<Py<PyAny>>,
}

/// Told about the finished trials; breaking stops the rollout.
pub type PartWatch<'a> = dyn FnMut(&Part) -> ControlFlow<()> + 'a;

/// The rollout of any game by evaluators of this id: `play` plays the trials that are not there yet, and `failure` says
/// what to raise for its error.
pub fn rolled_out(
    py: Python<'_>,
    subject: &Bound<'_, PySubject>,
    asked: Asked<'_, '_>,
    mut settings: Settings,
    id: &str,
    play: impl FnOnce(&Settings, &Plan<'_>, usize, &mut PartWatch<'_>) -> Result<Single, RolloutError> + Send,
    failure: impl FnOnce(RolloutError) -> Error,
) -> Result<Found> {
    let Asked { before, until, threads, progress, .. } = asked;
    let of = &subject.get().subject;
    let stop = until.map(|until| stop_of(until, &settings)).transpose()?;
    let threads = runtime::threads(threads)?;
    let none = Part::new(of.branches().len(), settings.replication());
    let begun = match before {
        None => Trials::new(of, &settings, id, none),
        Some(before) => continued(&before.get().trials, of, &mut settings, id)?,
    };
    let kept = subject.clone().unbind();
    let labelled = |part: &Part| {
        let first = settings.first - begun.part().trials();
        let all = Trials::new(of, &Settings { first, ..settings }, id, part.clone());
        Python::attach(|py| PyPart { trials: Box::new(all), subject: kept.clone_ref(py) })
    };
    if settings.trials == 0 {
        return Ok((labelled(begun.part()), true, None, 0));
    }
    let plan = Plan { before: Some(begun.part()), stop };
    let mut raised = None;
    let outcome = interruptible(py, None, |watch| {
        play(&settings, &plan, threads, &mut |part: &Part| {
            watch(usize::try_from(part.trials()).unwrap_or(usize::MAX))?;
            let tell = |told| keep(&mut raised, tell(told, labelled(part)));
            progress.as_ref().map_or(ControlFlow::Continue(()), tell)
        })
    })?;
    if let Some(error) = raised {
        return Err(error);
    }
    let found = outcome.map_err(failure)?;
    Ok((labelled(&found.part), found.complete, found.stopped.map(reason), found.evaluations))
}

/// The earlier trials of a rollout, whose first one must be that of the settings; these then ask for the rest.
fn continued(before: &Trials, of: &Subject, settings: &mut Settings, id: &str) -> Result<Trials> {
    let none = Part::new(of.branches().len(), settings.replication());
    let same = before.merged(&Trials::new(of, settings, id, none));
    let begun = same.map_err(|error| Error::Setting(error.to_string()))?;
    let done = begun.part().trials();
    match begun.numbers() {
        [] => {}
        [one] if one.start == settings.first => {}
        other => {
            return Err(Error::Setting(format!(
                "only a rollout without gaps from trial {} on can be gone on with, not one of the trials {other:?}",
                settings.first
            )));
        }
    }
    settings.first += done;
    settings.trials = settings.trials.saturating_sub(done);
    Ok(begun)
}

/// A rule's name.
pub const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Error => "error",
        Reason::Jsd => "jsd",
        Reason::Decided => "decided",
    }
}

/// Tells a callback about the finished trials; `false` if it wants to stop.
fn tell(callback: &Py<PyAny>, part: PyPart) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((part,))?;
        Ok(runtime::goes_on(&answer)?)
    })
}

/// What a rollout found: its sums, whether they are complete, the rule that ended it, positions evaluated.
pub type Found = (PyPart, bool, Option<&'static str>, u64);

/// What many rollouts found: trials; chances and errors, adjusted; mean and error of equities: adjusted, raw, with the
/// cube, and of chances to win the match; positions evaluated.
type Many<'py> =
    (Bound<'py, PyArray1<u64>>, [Bound<'py, PyArray2<f64>>; 2], [[Bound<'py, PyArray1<f64>>; 2]; 4], u64);

/// The cubes of situations: one table for each score.
fn cubes(
    situations: &[Bound<'_, PySituation>],
    met: Option<&Bound<'_, PyMet>>,
    life: Option<f64>,
) -> Result<Vec<Arc<CubeTable>>> {
    let mut known: HashMap<(MatchState, Seat), Arc<CubeTable>> = HashMap::new();
    let mut all = Vec::with_capacity(situations.len());
    for situation in situations {
        let core = situation.get().core();
        let cube = match known.entry((core.score, core.seat)) {
            Entry::Occupied(found) => found.get().clone(),
            Entry::Vacant(place) => {
                let met = met.filter(|_| !core.score.is_money());
                place.insert(Arc::new(table(situation, met, life)?)).clone()
            }
        };
        all.push(cube);
    }
    Ok(all)
}

/// Roll many positions out, threads sharing the work: arrays with a row a position.
///
/// With `situations`, one a position, the score and cube of each count. `progress` is told how many trials are done of
/// all. Raises what `gammon.rollout.run_many` does.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, small, settings, *, situations = None, met = None, life = None, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are what rollouts are made of")]
pub fn roll_out_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    small: Option<&Bound<'py, PyAny>>,
    settings: &Bound<'py, PyAny>,
    situations: Option<Vec<Bound<'py, PySituation>>>,
    met: Option<&Bound<'py, PyMet>>,
    life: Option<f64>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<Many<'py>> {
    let mut subjects: Vec<Subject> = arrays::positions(boards)?.into_iter().map(Subject::position).collect();
    if let Some(situations) = situations {
        if situations.len() != subjects.len() {
            return Err(Error::Setting(format!(
                "{} positions with {} situations: each needs its own",
                subjects.len(),
                situations.len()
            )));
        }
        let cubes = cubes(&situations, met, life)?;
        subjects = subjects.into_iter().zip(cubes).map(|(one, cube)| one.with_cube(cube)).collect();
    }
    let evaluators = Evaluators::of(evaluator, small)?;
    let settings = settings_of(settings)?;
    let threads = runtime::threads(threads)?;
    let done = interruptible(py, progress.as_ref(), |watch| {
        let mut told = |trials| watch(usize::try_from(trials).unwrap_or(usize::MAX));
        let plan = Plan::default();
        rollout::run_many::<Backgammon>(&subjects, &settings, evaluators.pair(), &plan, threads, &mut told)
    })?
    .map_err(|error| match error {
        RolloutError::Finished { subject, .. } => Error::Setting(format!("boards[{subject}]: {error}")),
        error => evaluators.failure(error),
    })?;
    let trials = done.rollouts.iter().map(|rollout| rollout.part.trials()).collect();
    let columns = |number: &dyn Fn(&Subject, &Part) -> Option<Estimate>| {
        let all = || subjects.iter().zip(&done.rollouts).map(|(subject, one)| number(subject, &one.part));
        let column = |of: fn(Estimate) -> f64| {
            PyArray1::from_iter(py, all().map(|estimate| estimate.map_or(f64::NAN, of)))
        };
        [column(|estimate| estimate.mean), column(|estimate| estimate.error)]
    };
    let equity = |kind: Kind| columns(&|_, part| part.estimate(0, Quantity::Equity, kind));
    let chances = |of: &dyn Fn(Estimate) -> f64| -> PyResult<Bound<'py, PyArray2<f64>>> {
        let row = |rollout: &Rollout| {
            rollout.part.chances(0, Kind::Adjusted).map_or([f64::NAN; 5], |chances| chances.map(of))
        };
        let numbers: Vec<f64> = done.rollouts.iter().flat_map(row).collect();
        PyArray1::from_vec(py, numbers).reshape([done.rollouts.len(), 5])
    };
    let with_cube = columns(&|subject, part| cubeful(subject, part, 0, Kind::Adjusted));
    let match_won = columns(&|subject, part| won(subject, part, 0, Kind::Adjusted));
    Ok((
        PyArray1::from_vec(py, trials),
        [chances(&|estimate| estimate.mean)?, chances(&|estimate| estimate.error)?],
        [equity(Kind::Adjusted), equity(Kind::Raw), with_cube, match_won],
        done.evaluations,
    ))
}

/// A branch's equity with the cube, in a match normalised; `None` without a cube.
pub fn cubeful(subject: &Subject, part: &Part, branch: usize, kind: Kind) -> Option<Estimate> {
    let stakes = subject.cube()?.stakes_at_start();
    let Estimate { mean, error } = part.estimate(branch, Quantity::Cubeful, kind)?;
    let (_, unit) = rollout::headline(subject);
    Some(Estimate { mean: stakes.to_equity(mean), error: error * unit })
}

/// A branch's chance to win the match; `None` in money play or without a cube.
pub fn won(subject: &Subject, part: &Part, branch: usize, kind: Kind) -> Option<Estimate> {
    let of_match = !subject.cube()?.state().is_money();
    part.estimate(branch, Quantity::Cubeful, kind).filter(|_| of_match)
}
