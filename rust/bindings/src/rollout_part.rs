//! The sums of a rollout, as Python holds them.

use std::hash::{Hash, Hasher};

use gammon_core::codec::posid;
use gammon_core::rollout::{Branch, Estimate, Kind, Part, Quantity, Subject, Trials};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{Error, Result};
use crate::rollout_settings::{settings_of, settings_to};

/// The sums of some trials of a rollout.
///
/// Chances and equity are those of the player on roll, in a comparison of plays those of the player who made
/// them. Parts of the same rollout with adjoining `Settings.first` are merged exactly, whoever made them.
///
/// >>> from gammon import rollout
/// >>> parts = [rollout.run("start", rollout.Settings(trials=30, first=first)).part for first in (0, 30)]
/// >>> parts[0].merge(parts[1]) == rollout.run("start", rollout.Settings(trials=60)).part
/// True
#[pyclass(name = "RolloutPart", module = "gammon.rollout", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq)]
pub struct PyPart(
    /// Boxed: a position wants an alignment that Python's allocator does not promise.
    pub Box<Trials>,
);

/// Equal parts have equal numbers.
impl Hash for PyPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.part().numbers().hash(state);
    }
}

/// Branches (Position ID, whether after a play), evaluator, and the numbers of the trials.
type Source = (Vec<(String, bool)>, String, Vec<(u64, u64)>);

/// Single games, gammons, backgammons.
type Counts = (u64, u64, u64);

/// What a part is made of again by.
type State<'py> = (Source, Bound<'py, PyAny>, Vec<i128>);

impl PyPart {
    fn part(&self) -> &Part {
        self.0.part()
    }

    fn branch(&self, branch: usize) -> Result<usize> {
        let branches = self.part().branches();
        if branch < branches {
            return Ok(branch);
        }
        Err(Error::Setting(format!("branch must be from 0 to {}, got {branch}", branches - 1)))
    }
}

fn pair(estimate: Option<Estimate>) -> (f64, f64) {
    estimate.map_or((f64::NAN, f64::INFINITY), |estimate| (estimate.mean, estimate.error))
}

const fn kind(raw: bool) -> Kind {
    if raw { Kind::Raw } else { Kind::Adjusted }
}

#[pymethods]
impl PyPart {
    /// Trials summed up.
    #[getter]
    fn trials(&self) -> u64 {
        self.part().trials()
    }

    /// Games a trial: the plays compared, or 1.
    #[getter]
    fn branches(&self) -> usize {
        self.part().branches()
    }

    /// Mean and standard error of the five chances, cumulative; none without trials.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.chances_of(py, 0, false)
    }

    /// Mean and standard error of the cubeless money equity; not a number without trials.
    #[getter]
    fn equity(&self) -> (f64, f64) {
        pair(self.part().estimate(0, Quantity::Equity, Kind::Adjusted))
    }

    /// Mean and standard error of a branch's five chances, with the luck left in if `raw`.
    #[pyo3(name = "chances_of", signature = (branch, *, raw = false))]
    fn chances_by<'py>(&self, py: Python<'py>, branch: usize, raw: bool) -> Result<Bound<'py, PyTuple>> {
        Ok(self.chances_of(py, self.branch(branch)?, raw)?)
    }

    /// Mean and standard error of a branch's cubeless money equity, with the luck left in if `raw`.
    #[pyo3(signature = (branch, *, raw = false))]
    fn equity_of(&self, branch: usize, raw: bool) -> Result<(f64, f64)> {
        Ok(pair(self.part().estimate(self.branch(branch)?, Quantity::Equity, kind(raw))))
    }

    /// Mean and standard error of what branch `a` has more of equity than branch `b`.
    fn difference(&self, a: usize, b: usize) -> Result<(f64, f64)> {
        Ok(pair(self.part().difference(self.branch(a)?, self.branch(b)?, Quantity::Equity)))
    }

    /// Games of a branch won single, gammon, backgammon; then lost likewise.
    #[pyo3(signature = (branch = 0))]
    fn outcomes(&self, branch: usize) -> Result<(Counts, Counts)> {
        let [[a, b, c], [d, e, f]] = self.part().outcomes(self.branch(branch)?);
        Ok(((a, b, c), (d, e, f)))
    }

    /// Games of a branch that were broken off and valued by the evaluator.
    #[pyo3(signature = (branch = 0))]
    fn unfinished(&self, branch: usize) -> Result<u64> {
        Ok(self.part().unfinished(self.branch(branch)?))
    }

    /// Turns played in all games of a branch.
    #[pyo3(signature = (branch = 0))]
    fn turns(&self, branch: usize) -> Result<u64> {
        Ok(self.part().turns(self.branch(branch)?))
    }

    /// Whether errors come from the spread of replications of stratified dice, rather than of single trials.
    #[getter]
    fn by_replications(&self) -> bool {
        self.part().by_replications()
    }

    /// One part of both, for different trials of the same rollout; exact in any order.
    ///
    /// Raises `SettingError` if they share a trial, or differ in position, evaluator, seed or another setting:
    /// their errors would come out too small.
    fn merge(&self, other: &PyPart) -> Result<PyPart> {
        let merged = self.0.merged(&other.0).map_err(|error| Error::Setting(error.to_string()))?;
        Ok(PyPart(Box::new(merged)))
    }

    fn __repr__(&self) -> String {
        let (mean, error) = self.equity();
        format!("<RolloutPart of {} trials, equity {mean:+.4} ± {error:.4}>", self.trials())
    }

    /// The numbers of the trials: ranges in rising order.
    #[getter]
    fn numbers(&self) -> Vec<(u64, u64)> {
        self.0.numbers().iter().map(|range| (range.start, range.end)).collect()
    }

    #[staticmethod]
    fn _from_state(source: Source, settings: &Bound<'_, PyAny>, sums: Vec<i128>) -> Result<PyPart> {
        let (branches, evaluator, numbers) = source;
        let branch = |(id, after_play): (String, bool)| -> Result<Branch> {
            Ok(Branch { position: posid::parse(&id)?, after_play })
        };
        let unsound = || Error::Setting("no sums of a rollout".to_owned());
        let branches: Vec<Branch> = branches.into_iter().map(branch).collect::<Result<_>>()?;
        let subject = Subject::of(branches).ok_or_else(unsound)?;
        let settings = settings_of(settings)?;
        let part = Part::from_numbers(&sums).ok_or_else(unsound)?;
        let none = Part::new(subject.branches().len(), settings.replication());
        let none = Trials::new(&subject, &settings, &evaluator, none);
        let numbers = numbers.into_iter().map(|(start, end)| start..end).collect();
        Ok(PyPart(Box::new(none.with(numbers, part).ok_or_else(unsound)?)))
    }

    /// What `_from_state` makes the part of again, but for the settings.
    #[getter]
    fn _state(&self) -> (Source, Vec<i128>) {
        let branch = |branch: &Branch| (posid::print(&branch.position), branch.after_play);
        let branches = self.0.subject.branches().iter().map(branch).collect();
        ((branches, self.0.evaluator.clone(), self.numbers()), self.part().numbers())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        let (source, sums) = self._state();
        let settings = settings_to(py, self.0.settings())?;
        Ok((py.get_type::<PyPart>().getattr("_from_state")?, (source, settings, sums)))
    }
}

impl PyPart {
    fn chances_of<'py>(&self, py: Python<'py>, branch: usize, raw: bool) -> PyResult<Bound<'py, PyTuple>> {
        let chances = self.part().chances(branch, kind(raw)).into_iter().flatten();
        PyTuple::new(py, chances.map(|chance| (chance.mean, chance.error)).collect::<Vec<_>>())
    }
}
