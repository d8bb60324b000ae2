//! Rollouts of the other games.

use gammon_core::family::{self, GameSubject, Prizes};
use gammon_core::rollout::{Plan, RolloutError, Settings, Strength};
use gammon_core::rules::Ruleset;
use gammon_core::with_variant;
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::judge::AnyJudge;
use crate::rollout::{Asked, Found, PartWatch, rolled_out};
use crate::rollout_settings::settings_of;
use crate::rollout_subject::PySubject;

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
    let settings = settings_of(asked.settings)?;
    check(&settings, asked.small.is_some(), rules)?;
    let (prizes, of) = (Prizes::of(rules), &subject.get().subject);
    let id = family::Judge::id(&judge).to_owned();
    let play = |settings: &Settings, plan: &Plan<'_>, threads: usize, watch: &mut PartWatch<'_>| {
        with_variant!(rules.game(), game => {
            let playing = GameSubject { game, prizes: &prizes, judge: &judge };
            family::roll_out(&playing, of, settings, plan, threads, watch)
        })
    };
    let failure = |error| match error {
        RolloutError::Evaluator(error) => judge.failure(error),
        other => Error::Setting(other.to_string()),
    };
    rolled_out(py, subject, asked, settings, &id, play, failure)
}
