//! `gammon.rollout.Settings` as the core's, and back.

use gammon_core::rollout::{Luck, Prefilter, Settings, Stop, Strata, Strength, Width};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::{Error, Result, shown};
use crate::runtime::{self, integer};

/// Largest trial number.
const MAX_TRIALS: i64 = Settings::MAX_TRIALS as i64;

/// Whose numbers luck is measured by, as users write it.
const LUCK: [(&str, Luck); 3] = [("off", Luck::Off), ("small", Luck::Small), ("large", Luck::Large)];

/// First rolls, or pairs of them, that come equally often.
const STRATA: [(i64, Strata); 3] = [(1, Strata::None), (36, Strata::One), (1_296, Strata::Two)];

/// Candidates that a deeper look considers.
const WIDTHS: [(&str, Width); 4] =
    [("narrow", Width::Narrow), ("normal", Width::Normal), ("wide", Width::Wide), ("all", Width::All)];

/// Reads a `gammon.rollout.Settings`, whose `opening` is decided.
pub fn settings_of(given: &Bound<'_, PyAny>) -> Result<Settings> {
    let number =
        |name: &str, low: i64, high: i64| -> Result<i64> { integer(name, &given.getattr(name)?, low..=high) };
    let flag = |name: &str| -> Result<bool> {
        let value = given.getattr(name)?;
        Ok(value
            .cast::<PyBool>()
            .map_err(|_| {
                PyTypeError::new_err(format!("{name} must be True or False, got {}", shown(&value)))
            })?
            .is_true())
    };
    let truncate = given.getattr("truncate")?;
    let longest = i64::from(Settings::LONGEST);
    let truncate = if truncate.is_none() { longest } else { number("truncate", 1, longest)? };
    Ok(Settings {
        trials: number("trials", 1, MAX_TRIALS)? as u64,
        first: number("first", 0, MAX_TRIALS)? as u64,
        seed: runtime::seed(&given.getattr("seed")?)?,
        truncate: truncate as u32,
        stop_at_exact: flag("stop_at_exact")?,
        stop_at_bear_off: flag("stop_at_bear_off")?,
        opening: flag("opening")?,
        strata: strata(&given.getattr("strata")?)?,
        luck: luck(&given.getattr("luck")?)?,
        one_look_in: number("one_look_in", 1, i64::from(u8::MAX))? as u8,
        prefilter: prefilter(&given.getattr("prefilter")?)?,
        strength: strengths("plies", &given.getattr("plies")?, "cube_plies", &given.getattr("cube_plies")?)?,
        early_strength: strengths(
            "early_plies",
            &given.getattr("early_plies")?,
            "early_cube_plies",
            &given.getattr("early_cube_plies")?,
        )?,
        early_turns: number("early_turns", 0, longest)? as u32,
        width: width(&given.getattr("filter")?)?,
    })
}

/// Plies of both sides for plays and for the cube: a number, or one a side.
fn strengths(
    name: &str,
    plies: &Bound<'_, PyAny>,
    cube_name: &str,
    cube: &Bound<'_, PyAny>,
) -> Result<[Strength; 2]> {
    let both = |name: &str, value: &Bound<'_, PyAny>| -> Result<[u8; 2]> {
        let one = |value: &Bound<'_, PyAny>| integer(name, value, 0..=4).map(|plies| plies as u8);
        match value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
            Ok((first, second)) => Ok([one(&first)?, one(&second)?]),
            Err(_) => one(value).map(|plies| [plies; 2]),
        }
    };
    let (checker, cube) = (both(name, plies)?, both(cube_name, cube)?);
    Ok([0, 1].map(|side| Strength { checker: checker[side], cube: cube[side] }))
}

fn width(value: &Bound<'_, PyAny>) -> Result<Width> {
    let name = value.extract::<String>().ok();
    let known = WIDTHS.into_iter().find(|(known, _)| name.as_deref() == Some(known));
    known.map(|(_, width)| width).ok_or_else(|| {
        Error::Setting(format!("filter must be 'narrow', 'normal', 'wide' or 'all', got {}", shown(value)))
    })
}

/// Reads a `gammon.rollout.Until`; its rules are asked at multiples of so many trials.
pub fn stop_of(given: &Bound<'_, PyAny>, settings: &Settings) -> Result<Stop> {
    let rule = |name: &str| -> Result<Option<f64>> {
        let value: Option<f64> = given
            .getattr(name)?
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{name} must be a number or None")))?;
        match value {
            Some(number) if !(number > 0.0 && number.is_finite()) => {
                Err(Error::Setting(format!("{name} must be above 0, got {number}")))
            }
            other => Ok(other),
        }
    };
    let block = if settings.opening { 30 } else { 36 };
    let count = |name: &str, usual: u64| -> Result<u64> {
        let value = given.getattr(name)?;
        if value.is_none() {
            return Ok(usual);
        }
        let number = integer(name, &value, 1..=MAX_TRIALS)? as u64;
        Ok(number.next_multiple_of(block))
    };
    Ok(Stop {
        every: count("every", 4 * block)?,
        least: count("least", 16 * block)?,
        error: rule("error")?,
        jsd: rule("jsd")?,
        decided: rule("decided")?,
    })
}

fn strata(value: &Bound<'_, PyAny>) -> Result<Strata> {
    let number = integer("strata", value, 1..=1_296)?;
    let known = STRATA.into_iter().find(|&(known, _)| known == number);
    known
        .map(|(_, strata)| strata)
        .ok_or_else(|| Error::Setting(format!("strata must be 1, 36 or 1296, got {number}")))
}

fn luck(value: &Bound<'_, PyAny>) -> Result<Luck> {
    let name = value.extract::<String>().ok();
    let known = LUCK.into_iter().find(|(known, _)| name.as_deref() == Some(known));
    known.map(|(_, luck)| luck).ok_or_else(|| {
        Error::Setting(format!("luck must be 'off', 'small' or 'large', got {}", shown(value)))
    })
}

fn prefilter(value: &Bound<'_, PyAny>) -> Result<Prefilter> {
    if value.is_none() {
        return Ok(Prefilter::default());
    }
    let wrong = || {
        Error::Setting(format!(
            "prefilter must be None or (candidates, points) from (1, 0) to (255, 65), got {}",
            shown(value)
        ))
    };
    let (most, within) = value.extract::<(i64, f64)>().map_err(|_| wrong())?;
    let most = u8::try_from(most).ok().filter(|&most| most > 0).ok_or_else(wrong)?;
    if !(0.0..=65.0).contains(&within) {
        return Err(wrong());
    }
    Ok(Prefilter { most, within: (within * 1_000.0).round() as u16 })
}

/// The settings as a `gammon.rollout.Settings`.
pub fn settings_to<'py>(py: Python<'py>, settings: &Settings) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("trials", settings.trials)?;
    fields.set_item("first", settings.first)?;
    fields.set_item("seed", settings.seed)?;
    let truncate = (settings.truncate < Settings::LONGEST).then_some(settings.truncate);
    fields.set_item("truncate", truncate)?;
    fields.set_item("stop_at_exact", settings.stop_at_exact)?;
    fields.set_item("stop_at_bear_off", settings.stop_at_bear_off)?;
    fields.set_item("one_look_in", settings.one_look_in)?;
    fields.set_item("opening", settings.opening)?;
    let strata = STRATA.into_iter().find(|&(_, known)| known == settings.strata);
    fields.set_item("strata", strata.map(|(number, _)| number))?;
    let luck = LUCK.into_iter().find(|&(_, known)| known == settings.luck);
    fields.set_item("luck", luck.map(|(name, _)| name))?;
    let pairs = [
        ("plies", "cube_plies", &settings.strength),
        ("early_plies", "early_cube_plies", &settings.early_strength),
    ];
    for (plies, cube, strength) in pairs {
        fields.set_item(plies, (strength[0].checker, strength[1].checker))?;
        fields.set_item(cube, (strength[0].cube, strength[1].cube))?;
    }
    fields.set_item("early_turns", settings.early_turns)?;
    let width = WIDTHS.into_iter().find(|&(_, known)| known == settings.width);
    fields.set_item("filter", width.map(|(name, _)| name))?;
    let Prefilter { most, within } = settings.prefilter;
    fields.set_item("prefilter", (most, f64::from(within) / 1_000.0))?;
    py.import("gammon.rollout")?.getattr("Settings")?.call((), Some(&fields))
}
