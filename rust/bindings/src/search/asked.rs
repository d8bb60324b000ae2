//! What every search is asked, and how its settings are read.

use std::sync::{Arc, Mutex};

use gammon_core::cube::{CubeError, CubeLife};
use gammon_core::eval::EvalError;
use gammon_core::parallel::Watch;
use gammon_core::search::{
    Cache, CubeUse, Filter, MAX_PLIES, Prefilter, Search, SearchError, Stage, UnknownFilter,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::cache::{PyCache, using};
use crate::errors::{Error, Result};
use crate::evaluator::AnyEvaluator;
use crate::met::PyMet;
use crate::runtime::{self, integer, interruptible};
use crate::situation::PySituation;

/// What every search is asked.
pub(super) struct Asked {
    evaluator: AnyEvaluator,
    prefilter: Option<(AnyEvaluator, Stage, Stage)>,
    pub plies: usize,
    pub filter: Filter,
    pub cube: Option<CubeUse>,
    cache: Option<Arc<Mutex<Cache>>>,
    threads: usize,
}

impl Asked {
    pub(super) fn new(
        evaluator: &Bound<'_, PyAny>,
        prefilter: Option<&Bound<'_, PyAny>>,
        plies: &Bound<'_, PyAny>,
        cache: Option<&Bound<'_, PyCache>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> Result<Asked> {
        Ok(Asked {
            evaluator: AnyEvaluator::of(evaluator)?,
            prefilter: prefilter.map(prefilter_like).transpose()?,
            plies: integer("plies", plies, 0..=MAX_PLIES as i64)? as usize,
            filter: Filter::default(),
            cube: None,
            cache: cache.map(|cache| cache.get().0.clone()),
            threads: runtime::threads(threads)?,
        })
    }

    /// What to raise for an evaluator's error: the exception of the one that raised one.
    fn failure(&self, error: EvalError) -> Error {
        match (self.evaluator.failure(error.clone()), &self.prefilter) {
            (Error::Evaluator(_), Some((prefilter, ..))) => prefilter.failure(error),
            (failure, _) => failure,
        }
    }

    /// Searches, the interpreter let go.
    pub(super) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Search<'_>, Option<&mut Cache>, &mut Watch<'_>) -> Result<T, SearchError> + Send,
    ) -> Result<T> {
        let search: Search = Search {
            plies: self.plies,
            filter: self.filter,
            evaluator: self.evaluator.as_core(),
            prefilter: self.prefilter.as_ref().map(|(evaluator, inside, top)| Prefilter {
                evaluator: evaluator.as_core(),
                inside: *inside,
                top: *top,
            }),
            cube: self.cube.as_ref(),
            threads: self.threads,
        };
        let found = interruptible(py, None, |watch| match &self.cache {
            None => Ok(work(&search, None, watch)),
            Some(cache) => using(cache, |cache| work(&search, Some(cache), watch)),
        })??;
        found.map_err(|error| match error {
            SearchError::Evaluator(error) => self.failure(error),
            SearchError::Cancelled(error) => error.into(),
            SearchError::Cube(error) => error.into(),
            other => Error::Setting(other.to_string()),
        })
    }
}

/// The cube of a situation, seen by its player on roll.
pub(super) fn cube_use(
    situation: &Bound<'_, PySituation>,
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
) -> Result<CubeUse> {
    let known = situation.get().core();
    let life = cube_life(life)?;
    Ok(CubeUse::new(&known.score, met.map(|met| met.get().seen_from(known.seat)), life)?)
}

/// The cube life of all positions, by phase unless it is given.
pub(super) fn cube_life(given: Option<f64>) -> Result<CubeLife> {
    match given {
        Some(life) if !(0.0..=1.0).contains(&life) => Err(CubeError::CubeLife(life).into()),
        Some(life) => Ok(CubeLife::constant(life)),
        None => Ok(CubeLife::MEASURED),
    }
}

/// A filter: its name, or a stage `(least, most, within)` a ply.
pub(super) fn filter_like(value: &Bound<'_, PyAny>, plies: usize) -> Result<Filter> {
    if let Ok(name) = value.cast::<PyString>() {
        return name.to_cow()?.parse().map_err(|error: UnknownFilter| Error::Setting(error.to_string()));
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
    for (stage, &numbers) in filter.stages.iter_mut().zip(&stages) {
        *stage = stage_like(numbers)?;
    }
    Ok(filter)
}

/// A stage of a filter.
fn stage_like((least, most, within): (usize, usize, f64)) -> Result<Stage> {
    if most == 0 || least > most || within.is_nan() || within < 0.0 {
        return Err(Error::Setting(format!(
            "a stage is (least, most, within) with least <= most, most >= 1 and within >= 0, got ({least}, \
             {most}, {within})"
        )));
    }
    Ok(Stage { least, most, within })
}

/// An object with an evaluator and two stages.
fn prefilter_like(value: &Bound<'_, PyAny>) -> Result<(AnyEvaluator, Stage, Stage)> {
    let stage = |name: &str| stage_like(value.getattr(name)?.extract()?);
    Ok((AnyEvaluator::of(&value.getattr("evaluator")?)?, stage("inside")?, stage("top")?))
}
