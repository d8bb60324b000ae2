//! Evaluators of the other games: nets, the pip count, and for games that move alike those of the standard game.

use std::path::PathBuf;
use std::sync::Arc;

use gammon_core::eval::EvalError;
use gammon_core::family::{Contestant, Judge, PipCount, plays_like_the_standard_game};
use gammon_core::files::write_whole;
use gammon_core::nn::{Game, GameNet};
use gammon_core::rules::Ruleset;
use gammon_core::{Position, Probs};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{Error, Result, shown};
use crate::evaluator::AnyEvaluator;

/// A trained net for another game of the family: `VariantNet(data)` reads the bytes of a net file, and raises
/// `NetFormatError` if they are none, or those of a net of the standard game.
#[pyclass(name = "VariantNet", module = "gammon.evaluators", frozen)]
pub struct PyGameNet {
    net: Arc<GameNet>,
    bytes: Py<PyBytes>,
}

#[pymethods]
impl PyGameNet {
    #[new]
    pub fn new(data: Bound<'_, PyBytes>) -> Result<PyGameNet> {
        let net = GameNet::from_bytes(data.as_bytes())?;
        Ok(PyGameNet { net: Arc::new(net), bytes: data.unbind() })
    }

    /// The digest of the net's bytes.
    #[getter]
    fn id(&self) -> &str {
        &self.net.info().digest
    }

    /// The game it was trained for; `celebi` is Gul bara with that option.
    #[getter]
    fn variant(&self) -> &str {
        self.net.game().name()
    }

    /// Hidden units.
    #[getter]
    fn hidden(&self) -> usize {
        self.net.info().hidden
    }

    /// Seed of the training.
    #[getter]
    fn seed(&self) -> u64 {
        self.net.info().seed
    }

    /// The trainer's settings, as text.
    #[getter]
    fn recipe(&self) -> &str {
        &self.net.info().recipe
    }

    /// Write the net's file, which `gammon.evaluators.load` reads.
    ///
    /// The path names a whole net or what it named before: the file is written under another name first.
    ///
    /// Raises `OSError` if it cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        write_whole(&path, self.bytes.as_bytes(py)).map_err(|error| Error::of_file(error, &path))
    }

    /// The net's file.
    fn to_bytes(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGameNet>().is_ok_and(|other| other.get().id() == self.id())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.id()).hash()
    }

    fn __repr__(&self) -> String {
        format!("<VariantNet {} of {} with {} hidden units>", &self.id()[..12], self.variant(), self.hidden())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<PyBytes>,)) {
        (py.get_type::<PyGameNet>().into_any(), (self.to_bytes(py),))
    }
}

/// An evaluator for any game that counts pips and nothing else: `PipCount()`.
#[pyclass(name = "PipCount", module = "gammon.evaluators", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyPipCount;

#[pymethods]
impl PyPipCount {
    #[new]
    fn new() -> PyPipCount {
        PyPipCount
    }

    /// `"pips"`.
    #[getter]
    fn id(&self) -> &'static str {
        "pips"
    }

    fn __repr__(&self) -> &'static str {
        "PipCount()"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, ()) {
        (py.get_type::<PyPipCount>().into_any(), ())
    }
}

/// Whatever can judge positions of one game, for the length of one call.
pub enum AnyJudge {
    Net(Arc<GameNet>),
    Pips(PipCount),
    /// An evaluator of the standard game, for games whose positions are such.
    Standard(AnyEvaluator),
}

impl AnyJudge {
    /// A judge for a game, or why this is none.
    pub fn of(value: &Bound<'_, PyAny>, rules: &Ruleset) -> Result<AnyJudge> {
        let game = Game::of(rules);
        if let Ok(net) = value.cast::<PyGameNet>() {
            let net = &net.get().net;
            if net.game() != game {
                let (found, wanted) = (net.game().name(), game.name());
                return Err(Error::Setting(format!("a net trained for {found} cannot play {wanted}")));
            }
            return Ok(AnyJudge::Net(Arc::clone(net)));
        }
        if value.is_instance_of::<PyPipCount>() {
            return Ok(AnyJudge::Pips(PipCount { game }));
        }
        if plays_like_the_standard_game(rules) {
            return Ok(AnyJudge::Standard(AnyEvaluator::of(value)?));
        }
        let (name, shown) = (rules.name(), shown(value));
        Err(Error::Setting(format!(
            "{name} is played by a net trained for it (`gammon train --variant {name}`) or a PipCount, not by {shown}"
        )))
    }

    /// What to raise for an error of the core.
    pub fn failure(&self, error: EvalError) -> Error {
        match self {
            AnyJudge::Standard(evaluator) => evaluator.failure(error),
            _ => Error::Evaluator(error.to_string()),
        }
    }

    /// As a player of duels: who counts pips alone plays any of the plays that are equally good.
    pub fn contestant(&self) -> Contestant<'_> {
        match self {
            AnyJudge::Pips(_) => Contestant::AnyBest(self),
            _ => Contestant::Best(self),
        }
    }
}

impl Judge for AnyJudge {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        match self {
            AnyJudge::Net(net) => Judge::evaluate(net.as_ref(), positions, out),
            AnyJudge::Pips(pips) => pips.evaluate(positions, out),
            AnyJudge::Standard(evaluator) => evaluator.as_core().evaluate(positions, out),
        }
    }

    fn id(&self) -> &str {
        match self {
            AnyJudge::Net(net) => Judge::id(net.as_ref()),
            AnyJudge::Pips(pips) => pips.id(),
            AnyJudge::Standard(evaluator) => evaluator.as_core().id(),
        }
    }
}
