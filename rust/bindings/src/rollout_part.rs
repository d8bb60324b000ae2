//! The sums of a rollout, as Python holds them.

use std::hash::{Hash, Hasher};

use gammon_core::rollout::{self, Estimate, Kind, Part, Quantity, Trials};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::cube::PyCubeDecision;
use crate::errors::{Error, Result};
use crate::rollout::{cubeful, reason};
use crate::rollout_settings::{settings_of, settings_to, stop_of};
use crate::rollout_subject::PySubject;

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
pub struct PyPart {
    /// Boxed: a position wants an alignment that Python's allocator does not promise.
    pub trials: Box<Trials>,
    /// What was rolled out, as Python made it.
    pub subject: Py<PySubject>,
}

/// Equal if the sums and all that they depend on are.
impl PartialEq for PyPart {
    fn eq(&self, other: &PyPart) -> bool {
        self.trials == other.trials
    }
}

/// Equal parts have equal numbers.
impl Hash for PyPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.part().numbers().hash(state);
    }
}

/// What was rolled out, the evaluator, and the numbers of the trials.
type Source = (Py<PySubject>, String, Vec<(u64, u64)>);

/// Single games, gammons, backgammons.
type Counts = (u64, u64, u64);

/// What a part is made of again by.
type State<'py> = (Source, Bound<'py, PyAny>, Vec<i128>);

impl PyPart {
    fn part(&self) -> &Part {
        self.trials.part()
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
    #[pyo3(name = "trials")]
    fn count(&self) -> u64 {
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

    /// Mean and standard error of a branch's equity with the cube, per unit of the cube; in a match normalised.
    ///
    /// Not a number without a cube.
    #[pyo3(signature = (branch, *, raw = false))]
    fn cubeful_of(&self, branch: usize, raw: bool) -> Result<(f64, f64)> {
        let branch = self.branch(branch)?;
        Ok(pair(cubeful(&self.trials.subject, self.part(), branch, kind(raw))))
    }

    /// Mean and standard error of a branch's chance to win the match; `None` in money play or without a cube.
    #[pyo3(signature = (branch, *, raw = false))]
    fn mwc_of(&self, branch: usize, raw: bool) -> Result<Option<(f64, f64)>> {
        let branch = self.branch(branch)?;
        let of_match = self.trials.subject.cube().is_some_and(|table| !table.state().is_money());
        let estimate = || pair(self.part().estimate(branch, Quantity::Cubeful, kind(raw)));
        Ok(of_match.then(estimate))
    }

    /// Mean and standard error of what branch `a` has more of equity than branch `b`, with the cube if there is one.
    fn difference(&self, a: usize, b: usize) -> Result<(f64, f64)> {
        let (quantity, unit) = rollout::headline(&self.trials.subject);
        let (mean, error) = pair(self.part().difference(self.branch(a)?, self.branch(b)?, quantity));
        Ok((mean * unit, error * unit))
    }

    /// What is right about the cube; `None` without trials, or if no decision was rolled out.
    fn decision(&self) -> Option<PyCubeDecision> {
        let subject = &self.trials.subject;
        let decision = rollout::decision(self.part(), subject)?;
        let life = subject.cube()?.life().of(&subject.branches()[0].position);
        Some(PyCubeDecision::of(decision, life))
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

    /// The rule of a `gammon.rollout.Until` that ends a rollout here, if any does.
    fn ended_by(&self, until: &Bound<'_, PyAny>) -> Result<Option<&'static str>> {
        let stop = stop_of(until, self.trials.settings())?;
        Ok(stop.asked(self.part(), &self.trials.subject).map(reason))
    }

    /// One part of both, for different trials of the same rollout; exact in any order.
    ///
    /// Raises `SettingError` if they share a trial, or differ in position, evaluator, seed or another setting:
    /// their errors would come out too small.
    fn merge(&self, py: Python<'_>, other: &PyPart) -> Result<PyPart> {
        if !self.subject.get().is_same_game(other.subject.get()) {
            return Err(Error::Setting("these are not parts of one rollout: the game differs".to_owned()));
        }
        let merged = self.trials.merged(&other.trials).map_err(|error| Error::Setting(error.to_string()))?;
        Ok(PyPart { trials: Box::new(merged), subject: self.subject.clone_ref(py) })
    }

    /// The sums of some of the plays compared alone, by their numbers, as if the others had never been.
    fn of_plays(&self, py: Python<'_>, branches: Vec<usize>) -> Result<PyPart> {
        let wrong =
            || Error::Setting(format!("these are not some of the plays of a comparison: {branches:?}"));
        let trials = self.trials.of_branches(&branches).ok_or_else(wrong)?;
        let subject = self
            .subject
            .bind(py)
            .get()
            .of_branches(py, &branches, trials.subject.clone())
            .ok_or_else(wrong)?;
        Ok(PyPart { trials: Box::new(trials), subject: Py::new(py, subject)? })
    }

    fn __repr__(&self) -> String {
        let (mean, error) = self.equity();
        format!("<RolloutPart of {} trials, equity {mean:+.4} ± {error:.4}>", self.count())
    }

    /// The numbers of the trials: ranges in rising order.
    #[getter]
    fn numbers(&self) -> Vec<(u64, u64)> {
        self.trials.numbers().iter().map(|range| (range.start, range.end)).collect()
    }

    /// The numbers of what was rolled out, the evaluator, the numbers of the trials, and the sums.
    #[staticmethod]
    fn _from_state(source: Source, settings: &Bound<'_, PyAny>, sums: Vec<i128>) -> Result<PyPart> {
        let (subject, evaluator, numbers) = source;
        let unsound = || Error::Setting("these are no sums of such a rollout".to_owned());
        let settings = settings_of(settings)?;
        let part = Part::from_numbers(&sums).ok_or_else(unsound)?;
        let of = &subject.get().subject;
        let none =
            Trials::new(of, &settings, &evaluator, Part::new(of.branches().len(), settings.replication()));
        let numbers = numbers.into_iter().map(|(start, end)| start..end).collect();
        let trials = Box::new(none.with(numbers, part).ok_or_else(unsound)?);
        Ok(PyPart { trials, subject })
    }

    /// What was rolled out.
    #[getter]
    fn subject(&self, py: Python<'_>) -> Py<PySubject> {
        self.subject.clone_ref(py)
    }

    /// Who chose the plays.
    #[getter]
    fn evaluator(&self) -> &str {
        &self.trials.evaluator
    }

    /// All sums, as whole numbers.
    #[getter]
    fn sums(&self) -> Vec<i128> {
        self.part().numbers()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        let source = (self.subject.clone_ref(py), self.trials.evaluator.clone(), self.numbers());
        let settings = settings_to(py, self.trials.settings())?;
        Ok((py.get_type::<PyPart>().getattr("_from_state")?, (source, settings, self.sums())))
    }
}

impl PyPart {
    fn chances_of<'py>(&self, py: Python<'py>, branch: usize, raw: bool) -> PyResult<Bound<'py, PyTuple>> {
        let chances = self.part().chances(branch, kind(raw)).into_iter().flatten();
        PyTuple::new(py, chances.map(|chance| (chance.mean, chance.error)).collect::<Vec<_>>())
    }
}
