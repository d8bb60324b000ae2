//! What is rolled out, as Python gives it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use gammon_core::cube::CubeLife;
use gammon_core::rollout::{Branch, CubeTable, Subject};
use gammon_core::rules::Ruleset;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors::{Error, Result};
use crate::met::PyMet;
use crate::position::{PyPosition, position_like};
use crate::situation::PySituation;
use crate::variants::PyState;

/// What a rollout is of: a position, the positions after some plays, or a cube decision.
///
/// With a situation the cube counts: its score and cube are those of the player whose numbers are wanted. Of another
/// game `of_variant` makes one.
#[pyclass(name = "RolloutSubject", module = "gammon.rollout", frozen, eq, hash)]
pub struct PySubject {
    /// Boxed: a position wants an alignment that Python's allocator does not promise.
    pub subject: Box<Subject>,
    kind: Kind,
    situation: Option<Py<PySituation>>,
    met: Option<Py<PyMet>>,
    life: Option<f64>,
    /// The positions, if they are those of another game; they know which.
    states: Vec<PyState>,
}

/// What the numbers are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Position,
    Plays,
    Decision,
}

const KINDS: [(&str, Kind); 3] =
    [("position", Kind::Position), ("plays", Kind::Plays), ("decision", Kind::Decision)];

impl PartialEq for PySubject {
    fn eq(&self, other: &PySubject) -> bool {
        self.subject == other.subject && self.is_same_game(other)
    }
}

/// Equal subjects have equal branches.
impl Hash for PySubject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.subject.branches().iter().for_each(|branch| branch.position.hash(state));
    }
}

impl PySubject {
    /// The positions given, of the standard game.
    fn standard(&self) -> Vec<PyPosition> {
        let branches = self.subject.branches();
        let given = if self.kind == Kind::Decision { &branches[..1] } else { branches };
        given.iter().map(|branch| PyPosition::new(branch.position)).collect()
    }
}

/// The cube of a situation, seen by its player on roll.
pub fn table(
    situation: &Bound<'_, PySituation>,
    met: Option<&Bound<'_, PyMet>>,
    life: Option<f64>,
) -> Result<CubeTable> {
    let known = situation.get().core();
    let life = match life {
        Some(life) if !(0.0..=1.0).contains(&life) => {
            return Err(gammon_core::cube::CubeError::CubeLife(life).into());
        }
        Some(life) => CubeLife::constant(life),
        None => CubeLife::MEASURED,
    };
    Ok(CubeTable::new(&known.score, met.map(|met| met.get().seen_from(known.seat)), life)?)
}

impl PySubject {
    /// The positions of some of the branches, compared as plays; `None` if this is no comparison. `subject` is of
    /// `branches` alone.
    pub fn of_branches(&self, py: Python<'_>, branches: &[usize], subject: Subject) -> Option<PySubject> {
        (self.kind == Kind::Plays).then(|| PySubject {
            subject: Box::new(subject),
            kind: self.kind,
            situation: self.situation(py),
            met: self.met(py),
            life: self.life,
            states: branches.iter().filter_map(|&branch| self.states.get(branch).cloned()).collect(),
        })
    }

    /// The game, if it is not the standard one.
    pub fn rules(&self) -> Option<&Ruleset> {
        self.states.first().map(PyState::ruleset)
    }

    /// Whether both are of the same game with the same options.
    pub fn is_same_game(&self, other: &PySubject) -> bool {
        match (self.states.first(), other.states.first()) {
            (Some(one), Some(other)) => one.is_same_game(other),
            (None, None) => true,
            _ => false,
        }
    }
}

#[pymethods]
impl PySubject {
    #[new]
    #[pyo3(signature = (kind, positions, situation = None, met = None, life = None))]
    fn new(
        kind: &str,
        positions: Vec<Bound<'_, PyAny>>,
        situation: Option<&Bound<'_, PySituation>>,
        met: Option<&Bound<'_, PyMet>>,
        life: Option<f64>,
    ) -> Result<PySubject> {
        let known = KINDS.into_iter().find(|&(known, _)| known == kind);
        let Some((_, kind)) = known else {
            return Err(Error::Setting(format!(
                "kind must be 'position', 'plays' or 'decision', got {kind:?}"
            )));
        };
        let positions =
            positions.iter().map(|position| position_like(position)).collect::<Result<Vec<_>>>()?;
        let cube = situation.map(|situation| table(situation, met, life)).transpose()?.map(Arc::new);
        let nothing = || Error::Setting("nothing to roll out: no position is given".to_owned());
        let subject = match (kind, cube, &positions[..]) {
            (Kind::Decision, Some(cube), &[position]) => Subject::decision(position, cube),
            (Kind::Decision, ..) => {
                return Err(Error::Setting(
                    "a cube decision needs one position and its situation".to_owned(),
                ));
            }
            (_, cube, all) => {
                let branch = |&position| Branch::new(position, kind == Kind::Plays);
                let subject = Subject::of(all.iter().map(branch).collect(), None).ok_or_else(nothing)?;
                cube.map_or(subject.clone(), |cube| subject.with_cube(cube))
            }
        };
        Ok(PySubject {
            subject: Box::new(subject),
            kind,
            situation: situation.map(|situation| situation.clone().unbind()),
            met: met.map(|met| met.clone().unbind()),
            life,
            states: Vec::new(),
        })
    }

    /// A position of another game, or those after some plays of one roll: `acted` says of each whether the numbers
    /// wanted are those of the other player than the one to act.
    #[staticmethod]
    fn of_variant(kind: &str, states: Vec<PyRef<'_, PyState>>, acted: Vec<bool>) -> Result<PySubject> {
        let states: Vec<PyState> = states.iter().map(|state| (*state).clone()).collect();
        let known = KINDS.into_iter().find(|&(known, kind_)| known == kind && kind_ != Kind::Decision);
        let kind = known.map(|(_, kind)| kind).ok_or_else(|| {
            Error::Setting(format!("kind must be 'position' or 'plays' in this game, got {kind:?}"))
        })?;
        let same = states.iter().all(|state| states[0].is_same_game(state));
        if states.len() != acted.len() || !same {
            return Err(Error::Setting("the positions of a rollout are of one game".to_owned()));
        }
        let branch = |(state, &acted): (&PyState, &bool)| Branch::new(state.core(), acted);
        let branches = states.iter().zip(&acted).map(branch).collect();
        let subject = Subject::of(branches, None)
            .ok_or_else(|| Error::Setting("nothing to roll out: no position is given".to_owned()))?;
        Ok(PySubject { subject: Box::new(subject), kind, situation: None, met: None, life: None, states })
    }

    /// 'position', 'plays' or 'decision'.
    #[getter]
    fn kind(&self) -> &'static str {
        KINDS.into_iter().find(|&(_, known)| known == self.kind).map_or("", |(name, _)| name)
    }

    /// The name of another game; `None` is the standard one.
    #[getter]
    fn variant(&self) -> Option<&'static str> {
        self.rules().map(Ruleset::name)
    }

    /// The positions given, each seen by the player on roll; of another game as `VariantState`.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        if self.states.is_empty() {
            PyList::new(py, self.standard())
        } else {
            PyList::new(py, self.states.clone())
        }
    }

    /// Games a trial.
    #[getter]
    fn branches(&self) -> usize {
        self.subject.branches().len()
    }

    /// Score and cube; `None` without a cube.
    #[getter]
    fn situation(&self, py: Python<'_>) -> Option<Py<PySituation>> {
        self.situation.as_ref().map(|situation| situation.clone_ref(py))
    }

    /// The match equity table.
    #[getter]
    fn met(&self, py: Python<'_>) -> Option<Py<PyMet>> {
        self.met.as_ref().map(|met| met.clone_ref(py))
    }

    /// The cube life given; `None` is the usual one of each phase.
    #[getter]
    fn life(&self) -> Option<f64> {
        self.life
    }

    fn __repr__(&self) -> String {
        format!("<RolloutSubject: {} of {} games>", self.kind(), self.branches())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if !self.states.is_empty() {
            let acted: Vec<bool> = self.subject.branches().iter().map(|branch| branch.after_play).collect();
            let parts = (self.kind(), self.states.clone(), acted);
            return Ok((py.get_type::<PySubject>().getattr("of_variant")?, parts.into_pyobject(py)?));
        }
        let parts = (self.kind(), self.standard(), self.situation(py), self.met(py), self.life);
        Ok((py.get_type::<PySubject>().into_any(), parts.into_pyobject(py)?))
    }
}
