//! Evaluators: nets of the core, and any Python object that behaves like one.

use std::sync::{Arc, Mutex};

use gammon_core::eval::{EvalError, Evaluator};
use gammon_core::nn::Net;
use gammon_core::parallel::run_blocks;
use gammon_core::race::RaceEvaluator;
use gammon_core::{Position, Probs};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::bearoff::PyRace;
use crate::composite::{Joined, PyComposite};
use crate::errors::{Error, Result};
use crate::runtime::{self, interruptible};

/// Positions a net evaluates between two looks at the caller: a millisecond or two.
const NET_BLOCK: usize = 1024;

/// Positions handed to a Python evaluator at once.
const FOREIGN_BLOCK: usize = 65_536;

/// How far probabilities may leave their order before they are refused: rounding, not nonsense.
const SLACK: f32 = 1e-4;

/// A trained net.
#[pyclass(name = "Net", module = "gammon", frozen)]
pub struct PyNet {
    net: Arc<Net>,
    bytes: Py<PyBytes>,
}

#[pymethods]
impl PyNet {
    #[new]
    pub fn new(data: Bound<'_, PyBytes>) -> Result<PyNet> {
        let net = Net::from_bytes(data.as_bytes())?;
        Ok(PyNet { net: Arc::new(net), bytes: data.unbind() })
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

    /// The net's file.
    fn to_bytes(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    /// Chances of the player on roll in each position, `float32[n, 5]`.
    #[pyo3(signature = (boards, *, threads = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyArray2<f32>>> {
        run(py, &AnyEvaluator::Net(self.net.clone()), boards, threads)
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
        if let Ok(composite) = value.cast::<PyComposite>() {
            return Ok(AnyEvaluator::Composite(composite.get().joined(value.py())?));
        }
        let id = value.getattr("id").and_then(|id| id.extract::<String>());
        match id {
            Ok(id) if value.hasattr("evaluate")? => Ok(AnyEvaluator::Foreign(Arc::new(ForeignEvaluator {
                object: value.clone().unbind(),
                id,
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
            AnyEvaluator::Composite(joined) => joined.core.as_ref(),
            AnyEvaluator::Foreign(foreign) => foreign.as_ref(),
        }
    }

    /// The same, to be kept.
    pub fn to_core(&self) -> Arc<dyn Evaluator> {
        match self {
            AnyEvaluator::Net(net) => net.clone(),
            AnyEvaluator::Race(race) => race.clone(),
            AnyEvaluator::Composite(joined) => joined.core.clone(),
            AnyEvaluator::Foreign(foreign) => foreign.clone(),
        }
    }

    /// What to raise for an error of the core: an exception raised by a Python evaluator is that exception.
    pub fn failure(&self, error: EvalError) -> Error {
        if let AnyEvaluator::Composite(joined) = self {
            return joined.failure(&error);
        }
        if let AnyEvaluator::Foreign(foreign) = self
            && let Some(raised) = foreign.raised.lock().ok().and_then(|mut slot| slot.take())
        {
            return Error::Python(raised);
        }
        Error::Evaluator(error.to_string())
    }

    fn block(&self) -> usize {
        match self {
            AnyEvaluator::Net(_) | AnyEvaluator::Race(_) => NET_BLOCK,
            AnyEvaluator::Composite(joined) => joined.core.batch_hint().max(NET_BLOCK),
            AnyEvaluator::Foreign(_) => FOREIGN_BLOCK,
        }
    }
}

/// A Python object, asked batch by batch.
pub struct ForeignEvaluator {
    object: Py<PyAny>,
    id: String,
    /// The first exception it raised.
    raised: Mutex<Option<PyErr>>,
}

impl Evaluator for ForeignEvaluator {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        Python::attach(|py| self.ask(py, positions, out)).map_err(|error| {
            let text = error.to_string();
            if let Ok(mut slot) = self.raised.lock() {
                slot.get_or_insert(error);
            }
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
    fn ask(&self, py: Python<'_>, positions: &[Position], out: &mut [Probs]) -> PyResult<()> {
        let boards = arrays::boards(py, positions)?;
        let answer = self.object.bind(py).call_method1("evaluate", (boards,))?;
        let bad = |text: String| PyErr::from(Error::Evaluator(format!("evaluator {}: {text}", self.id)));
        let Ok(array) = answer.cast::<PyArray2<f32>>() else {
            return Err(bad(format!(
                "evaluate() must return a numpy array of dtype float32 and shape ({}, 5), got {}",
                positions.len(),
                answer.repr()?.to_string().chars().take(80).collect::<String>()
            )));
        };
        if array.shape() != [positions.len(), 5] {
            let text =
                format!("evaluate() must return shape ({}, 5), got {:?}", positions.len(), array.shape());
            return Err(bad(text));
        }
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

/// Why five numbers are not chances.
fn fault(p: &Probs) -> Option<&'static str> {
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

/// Chances of the player on roll in each position by any evaluator.
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
    let blocks: Vec<&[Position]> = positions.chunks(evaluator.block()).collect();
    let core = evaluator.as_core();
    let results = interruptible(py, None, |watch| {
        run_blocks(
            threads,
            blocks.len(),
            watch,
            || (),
            |(), block| {
                let mut out = vec![Probs::default(); blocks[block].len()];
                core.evaluate(blocks[block], &mut out).map(|()| out)
            },
        )
        .complete()
    })??;
    let mut numbers = Vec::with_capacity(positions.len() * 5);
    for block in results {
        for probs in block.map_err(|error| evaluator.failure(error))? {
            numbers.extend(probs.to_array());
        }
    }
    Ok(PyArray1::from_vec(py, numbers).reshape([positions.len(), 5])?)
}
