//! Rollouts of the other games.

use std::ops::ControlFlow;

use gammon_core::family::{self, GameSubject, Prizes};
use gammon_core::rollout::{Part, Plan, RolloutError, Settings, Strength, Trials};
use gammon_core::rules::Ruleset;
use gammon_core::with_variant;
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::judge::AnyJudge;
use crate::rollout::{Found, continued, reason, tell};
use crate::rollout_part::PyPart;
use crate::rollout_settings::{settings_of, stop_of};
use crate::rollout_subject::PySubject;
use crate::runtime::{self, interruptible, keep};

/// What a rollout of another game is made of, beside its subject.
pub struct Asked<'a, 'py> {
    pub evaluator: &'a Bound<'py, PyAny>,
    pub small: Option<&'a Bound<'py, PyAny>>,
    pub settings: &'a Bound<'py, PyAny>,
    pub before: Option<&'a Bound<'py, PyPart>>,
    pub until: Option<&'a Bound<'py, PyAny>>,
    pub threads: Option<&'a Bound<'py, PyAny>>,
    pub progress: Option<Py<PyAny>>,
}

/// Refuses what rollouts of other games do not do.
fn check(settings: &Settings, has_small: bool, rules: &Ruleset) -> Result<()> {
    let name = rules.name();
    let deep = |strengths: &[Strength; 2]| strengths.iter().any(|strength| strength.checker > 0);
    if deep(&settings.strength) || (settings.early_turns > 0 && deep(&settings.early_strength)) {
        return Err(Error::Setting(format!(
            "rollouts of {name} play without looking ahead: plies must be 0"
        )));
    }
    if has_small {
        return Err(Error::Setting(format!(
            "rollouts of {name} take no small evaluator beside the other one"
        )));
    }
    Ok(())
}

/// What `roll_out` does, for another game.
pub fn roll_out(
    py: Python<'_>,
    subject: &Bound<'_, PySubject>,
    rules: &Ruleset,
    asked: Asked<'_, '_>,
) -> Result<Found> {
    let judge = AnyJudge::of(asked.evaluator, rules)?;
    let mut settings = settings_of(asked.settings)?;
    check(&settings, asked.small.is_some(), rules)?;
    let stop = asked.until.map(|until| stop_of(until, &settings)).transpose()?;
    let threads = runtime::threads(asked.threads)?;
    let of = &subject.get().subject;
    let id = family::Judge::id(&judge).to_owned();
    let none = Part::new(of.branches().len(), settings.replication());
    let begun = match asked.before {
        None => Trials::new(of, &settings, &id, none),
        Some(before) => continued(&before.get().trials, of, &mut settings, &id)?,
    };
    let kept = subject.clone().unbind();
    let labelled = |part: &Part| {
        let first = settings.first - begun.part().trials();
        let all = Trials::new(of, &Settings { first, ..settings }, &id, part.clone());
        Python::attach(|py| PyPart { trials: Box::new(all), subject: kept.clone_ref(py) })
    };
    if settings.trials == 0 {
        return Ok((labelled(begun.part()), true, None, 0));
    }
    let plan = Plan { before: Some(begun.part()), stop };
    let prizes = Prizes::of(rules);
    let mut failure = None;
    let outcome = interruptible(py, None, |watch| {
        let mut told = |part: &Part| {
            watch(usize::try_from(part.trials()).unwrap_or(usize::MAX))?;
            let tell = |told| keep(&mut failure, tell(told, labelled(part)));
            asked.progress.as_ref().map_or(ControlFlow::Continue(()), tell)
        };
        with_variant!(rules.game(), game => {
            let playing = GameSubject { game, prizes: &prizes, judge: &judge };
            family::roll_out(&playing, of, &settings, &plan, threads, &mut told)
        })
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    let found = outcome.map_err(|error| match error {
        RolloutError::Evaluator(error) => judge.failure(error),
        other => Error::Setting(other.to_string()),
    })?;
    Ok((labelled(&found.part), found.complete, found.stopped.map(reason), found.evaluations))
}
