//! Evaluators: nets of the core, and any Python object that behaves like one.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use gammon_core::eval::{BatchError, EvalError, Evaluator, evaluate_batch};
use gammon_core::files::write_whole;
use gammon_core::hyper::Hypergammon;
use gammon_core::nn::Net;
use gammon_core::race::RaceEvaluator;
use gammon_core::{Backgammon, Position, Probs};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::bearoff::{PyHypergammon, PyRace};
use crate::composite::{Joined, PyComposite};
use crate::errors::{Error, Result};
use crate::runtime::{self, interruptible};

/// Positions handed to a Python evaluator at once.
const FOREIGN_BLOCK: usize = 65_536;

/// How far probabilities may leave their order before they are refused: rounding, not nonsense.
const SLACK: f32 = 1e-4;

/// The base of the evaluators of this package, which are asked as any other is.
#[pyclass(name = "BuiltIn", module = "gammon.evaluators", subclass, frozen)]
pub struct PyBuiltIn;

#[pymethods]
impl PyBuiltIn {
    /// Chances of the player on roll in each position, who is yet to throw: `float32[n, 5]`.
    ///
    /// The columns are games won, gammons and backgammons won, gammons and backgammons lost; each includes
    /// the next of its side.
    ///
    /// Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position,
    /// `EvaluatorError` for one that it does not cover.
    #[pyo3(signature = (boards, *, threads = None))]
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        boards: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyArray2<f32>>> {
        run(slf.py(), &AnyEvaluator::of(slf.as_any())?, boards, threads)
    }
}

impl PyBuiltIn {
    /// An evaluator on this base.
    pub fn base_of<T: pyo3::PyClass<BaseType = PyBuiltIn>>(evaluator: T) -> PyClassInitializer<T> {
        PyClassInitializer::from(PyBuiltIn).add_subclass(evaluator)
    }
}

/// A trained net: `Net(data)` reads the bytes of a net file, and raises `NetFormatError` if they are none.
#[pyclass(name = "Net", module = "gammon", frozen, extends = PyBuiltIn)]
pub struct PyNet {
    net: Arc<Net>,
    bytes: Py<PyBytes>,
}

#[pymethods]
impl PyNet {
    #[new]
    pub fn new(data: Bound<'_, PyBytes>) -> Result<PyClassInitializer<PyNet>> {
        let net = Net::from_bytes(data.as_bytes())?;
        Ok(PyBuiltIn::base_of(PyNet { net: Arc::new(net), bytes: data.unbind() }))
    }

    /// The digest of the net's bytes.
    #[getter]
    fn id(&self) -> &str {
        self.net.id()
    }

    /// Hidden units.
    #[getter]
    fn hidden(&self) -> usize {
        self.net.info().hidden
    }

    /// The set of features it sees of a position: `"core"`, `"full"` or `"plan"`.
    #[getter]
    fn features(&self) -> &str {
        self.net.info().features.name()
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
        other.cast::<PyNet>().is_ok_and(|other| other.get().net.id() == self.net.id())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, self.net.id()).hash()
    }

    fn __repr__(&self) -> String {
        format!("<Net {} with {} hidden units>", &self.net.id()[..12], self.net.info().hidden)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<PyBytes>,)) {
        (py.get_type::<PyNet>().into_any(), (self.to_bytes(py),))
    }
}

/// Whatever can evaluate, for the length of one call.
pub enum AnyEvaluator {
    /// A net of the core.
    Net(Arc<Net>),
    /// Bear-off tables.
    Race(Arc<RaceEvaluator>),
    /// The table of Hypergammon.
    Hypergammon(Arc<Hypergammon>),
    /// Several, by kind of position.
    Composite(Joined),
    /// A Python object.
    Foreign(Arc<ForeignEvaluator>),
}

impl AnyEvaluator {
    /// A `Net`, or an object with `id` and `evaluate(boards)`.
    pub fn of(value: &Bound<'_, PyAny>) -> Result<AnyEvaluator> {
        if let Ok(net) = value.cast::<PyNet>() {
            return Ok(AnyEvaluator::Net(net.get().net.clone()));
        }
        if let Ok(race) = value.cast::<PyRace>() {
            return Ok(AnyEvaluator::Race(race.get().evaluator()));
        }
        if let Ok(table) = value.cast::<PyHypergammon>() {
            return Ok(AnyEvaluator::Hypergammon(table.get().table()));
        }
        if let Ok(composite) = value.cast::<PyComposite>() {
            return Ok(AnyEvaluator::Composite(composite.get().joined(value.py())?));
        }
        let id = value.getattr("id").and_then(|id| id.extract::<String>());
        match id {
            Ok(id) if value.hasattr("evaluate")? => Ok(AnyEvaluator::Foreign(Arc::new(ForeignEvaluator {
                object: value.clone().unbind(),
                id,
                turns: Turns::default(),
                raised: Mutex::new(None),
            }))),
            _ => Err(PyTypeError::new_err(format!(
                "an evaluator is a Net, or an object with a text `id` and a method `evaluate(boards)`; got {}",
                value.get_type().name()?
            ))
            .into()),
        }
    }

    /// As the core sees it.
    pub fn as_core(&self) -> &dyn Evaluator {
        match self {
            AnyEvaluator::Net(net) => net.as_ref(),
            AnyEvaluator::Race(race) => race.as_ref(),
            AnyEvaluator::Hypergammon(table) => table.as_ref(),
            AnyEvaluator::Composite(joined) => joined.core.as_ref(),
            AnyEvaluator::Foreign(foreign) => foreign.as_ref(),
        }
    }

    /// The same, to be kept.
    pub fn to_core(&self) -> Arc<dyn Evaluator> {
        match self {
            AnyEvaluator::Net(net) => net.clone(),
            AnyEvaluator::Race(race) => race.clone(),
            AnyEvaluator::Hypergammon(table) => table.clone(),
            AnyEvaluator::Composite(joined) => joined.core.clone(),
            AnyEvaluator::Foreign(foreign) => foreign.clone(),
        }
    }

    /// Whether it may ask a Python object.
    pub fn asks_python(&self) -> bool {
        match self {
            AnyEvaluator::Net(_) | AnyEvaluator::Race(_) | AnyEvaluator::Hypergammon(_) => false,
            AnyEvaluator::Composite(joined) => joined.asks_python(),
            AnyEvaluator::Foreign(_) => true,
        }
    }

    /// What to raise for an error of the core: an exception raised by a Python evaluator is that exception.
    pub fn failure(&self, error: EvalError) -> Error {
        if let AnyEvaluator::Composite(joined) = self {
            return joined.failure(&error);
        }
        if let AnyEvaluator::Foreign(foreign) = self
            && let Some(raised) = foreign.raised().take()
        {
            return Error::Python(raised);
        }
        Error::Evaluator(error.to_string())
    }
}

/// A Python object, asked batch by batch, by one thread at a time: it need not know of threads.
pub struct ForeignEvaluator {
    object: Py<PyAny>,
    id: String,
    /// Whose turn it is to ask.
    turns: Turns,
    /// The first exception it raised; after that it is not asked again.
    raised: Mutex<Option<PyErr>>,
}

impl Evaluator for ForeignEvaluator {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        // Waited for while not attached to the interpreter, which whoever has the turn needs.
        let _turn = self.turns.wait();
        if self.raised().is_some() {
            return Err(EvalError::Foreign(format!("evaluator {} failed before", self.id)));
        }
        Python::attach(|py| self.ask(py, positions, out)).map_err(|error| {
            let text = error.to_string();
            self.raised().get_or_insert(error);
            EvalError::Foreign(text)
        })
    }

    fn batch_hint(&self) -> usize {
        FOREIGN_BLOCK
    }

    fn id(&self) -> &str {
        &self.id
    }
}

impl ForeignEvaluator {
    fn raised(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, py: Python<'_>, positions: &[Position], out: &mut [Probs]) -> PyResult<()> {
        let boards = arrays::boards(py, positions)?;
        let answer = self.object.bind(py).call_method1("evaluate", (boards,))?;
        let bad = |text: String| PyErr::from(Error::Evaluator(format!("evaluator {}: {text}", self.id)));
        let found = answer.cast::<PyArray2<f32>>().ok();
        let Some(array) = found.filter(|array| array.shape() == [positions.len(), 5]) else {
            return Err(bad(format!(
                "evaluate() must return a numpy array of dtype float32 and shape ({}, 5), got {}",
                positions.len(),
                arrays::described(&answer)?
            )));
        };
        let array = array.try_readonly()?;
        for (row, (numbers, probs)) in array.as_array().rows().into_iter().zip(out).enumerate() {
            *probs = Probs::from_array(std::array::from_fn(|i| numbers[i]));
            if let Some(fault) = fault(probs) {
                return Err(bad(format!("result {row}: {fault}, got {:?}", probs.to_array())));
            }
        }
        Ok(())
    }
}

/// Evaluators that are asked one at a time, whichever of them: they may share a Python object.
pub struct InTurn {
    inner: Arc<dyn Evaluator>,
    turns: Arc<Turns>,
}

impl InTurn {
    /// Two evaluators that take turns.
    pub fn two(one: Arc<dyn Evaluator>, other: Arc<dyn Evaluator>) -> [Arc<dyn Evaluator>; 2] {
        let turns = Arc::new(Turns::default());
        [one, other].map(|inner| -> Arc<dyn Evaluator> { Arc::new(InTurn { inner, turns: turns.clone() }) })
    }
}

impl Evaluator for InTurn {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        let _turn = self.turns.wait();
        self.inner.evaluate(positions, out)
    }

    fn batch_hint(&self) -> usize {
        self.inner.batch_hint()
    }

    fn id(&self) -> &str {
        self.inner.id()
    }
}

/// Turns in the order of asking. A plain lock may pass over the thread that looks after Ctrl-C for as long
/// as the others keep it busy.
#[derive(Default)]
struct Turns {
    /// Turns asked for, and turns that are over.
    counts: Mutex<(u64, u64)>,
    over: Condvar,
}

impl Turns {
    /// Waits for this thread's turn, which lasts as long as what is returned.
    fn wait(&self) -> Turn<'_> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = counts.0;
        counts.0 += 1;
        drop(self.over.wait_while(counts, |(_, over)| *over != mine));
        Turn(self)
    }
}

/// One thread's turn.
struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner).1 += 1;
        self.0.over.notify_all();
    }
}

/// Why five numbers are not chances.
pub fn fault(p: &Probs) -> Option<&'static str> {
    let ordered = |all: f32, some: f32| some <= all + SLACK;
    if p.to_array().iter().any(|x| !x.is_finite()) {
        Some("chances must be finite")
    } else if p.to_array().iter().any(|&x| !(-SLACK..=1.0 + SLACK).contains(&x)) {
        Some("chances must be from 0 to 1")
    } else if !ordered(p.win, p.win_gammon) || !ordered(p.win_gammon, p.win_backgammon) {
        Some("gammons won must be among games won, backgammons among gammons")
    } else if !ordered(1.0 - p.win, p.lose_gammon) || !ordered(p.lose_gammon, p.lose_backgammon) {
        Some("gammons lost must be among games lost, backgammons among gammons")
    } else {
        None
    }
}

/// Chances by a `Net`, or by any object with a text `id` and a method `evaluate(boards)`.
///
/// Raises what `gammon.evaluate` does.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, *, threads = None))]
pub fn evaluate_with<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluator: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyArray2<f32>>> {
    run(py, &AnyEvaluator::of(evaluator)?, boards, threads)
}

/// Chances by an evaluator, in blocks.
pub fn run<'py>(
    py: Python<'py>,
    evaluator: &AnyEvaluator,
    boards: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyArray2<f32>>> {
    let positions = arrays::positions(boards)?;
    let threads = runtime::threads(threads)?;
    let found = interruptible(py, None, |watch| {
        evaluate_batch::<Backgammon>(evaluator.as_core(), &positions, threads, watch)
    })?;
    let values = found.map_err(|error| match error {
        BatchError::Cancelled(error) => error.into(),
        BatchError::Evaluator(error) => evaluator.failure(error),
    })?;
    let numbers = values.iter().flat_map(|probs| probs.to_array()).collect();
    Ok(PyArray1::from_vec(py, numbers).reshape([positions.len(), 5])?)
}
