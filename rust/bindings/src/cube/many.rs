//! Cube decisions of many positions, or at many scores.

use gammon_core::cube::{self, CubeDecision, CubeLife, MAX_AWAY, Stakes, Verdict};
use gammon_core::parallel::run_blocks;
use gammon_core::{MatchState, Probs, Seat};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::{PyCubeDecision, stakes};
use crate::arrays;
use crate::errors::{Error, Result};
use crate::met::PyMet;
use crate::position::position_like;
use crate::runtime::{self, integer, interruptible};
use crate::situation::PySituation;

/// Decisions made between two looks at the caller: about a millisecond.
const BLOCK: usize = 8_192;

/// Cube decisions of many positions at one score, one entry a position.
#[pyclass(name = "CubeDecisions", module = "gammon.cube", frozen, get_all)]
pub struct PyCubeDecisions {
    /// Equity without a double, `float64[n]`.
    no_double_equity: Py<PyArray1<f64>>,
    /// Equity of double and take; NaN if no double may be offered.
    double_take_equity: Py<PyArray1<f64>>,
    /// Equity if both choose best.
    optimal_equity: Py<PyArray1<f64>>,
    /// 0 no double, 1 too good, 2 double; 255 if no double may be offered.
    action: Py<PyArray1<u8>>,
    /// 0 take, 1 pass, 2 beaver; 255 if no double may be offered.
    answer: Py<PyArray1<u8>>,
}

/// The columns in the order of their fields.
type DecisionColumns =
    (Py<PyArray1<f64>>, Py<PyArray1<f64>>, Py<PyArray1<f64>>, Py<PyArray1<u8>>, Py<PyArray1<u8>>);

impl PyCubeDecisions {
    /// The columns of some decisions.
    pub fn new(py: Python<'_>, decided: &[CubeDecision]) -> PyCubeDecisions {
        let column =
            |pick: fn(&CubeDecision) -> f64| PyArray1::from_iter(py, decided.iter().map(pick)).unbind();
        let codes = |pick: fn(&Verdict) -> u8| {
            let code = |decision: &CubeDecision| decision.doubled.as_ref().map_or(255, |d| pick(&d.verdict));
            PyArray1::from_iter(py, decided.iter().map(code)).unbind()
        };
        PyCubeDecisions {
            no_double_equity: column(|decision| decision.no_double),
            double_take_equity: column(|decision| decision.doubled.as_ref().map_or(f64::NAN, |d| d.take)),
            optimal_equity: column(CubeDecision::optimal),
            action: codes(|verdict| verdict.action as u8),
            answer: codes(|verdict| verdict.answer as u8),
        }
    }

    /// All columns, in the order of their fields.
    fn columns<'a, 'py>(&'a self, py: Python<'py>) -> [&'a Bound<'py, PyAny>; 5] {
        [
            self.no_double_equity.bind(py),
            self.double_take_equity.bind(py),
            self.optimal_equity.bind(py),
            self.action.bind(py),
            self.answer.bind(py),
        ]
    }
}

#[pymethods]
impl PyCubeDecisions {
    #[staticmethod]
    fn _from_columns(columns: DecisionColumns) -> PyCubeDecisions {
        let (no_double_equity, double_take_equity, optimal_equity, action, answer) = columns;
        PyCubeDecisions { no_double_equity, double_take_equity, optimal_equity, action, answer }
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.action.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<CubeDecisions of {} positions>", self.__len__(py))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<PyCubeDecisions>() {
            Ok(other) => arrays::equal(py, self.columns(py), other.get().columns(py)),
            Err(_) => Ok(false),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let columns = PyTuple::new(py, self.columns(py))?;
        Ok((py.get_type::<PyCubeDecisions>().getattr("_from_columns")?, (columns,)))
    }
}

/// Decides about the cube in many positions at the score of one situation.
#[pyfunction]
#[pyo3(signature = (situation, probs, life, *, met = None, threads = None))]
pub fn cube_decisions(
    py: Python<'_>,
    situation: &Bound<'_, PySituation>,
    probs: &Bound<'_, PyAny>,
    life: &Bound<'_, PyAny>,
    met: Option<&Bound<'_, PyMet>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyCubeDecisions> {
    let stakes = stakes(situation.get().core(), met)?;
    let probs = arrays::probs(probs)?;
    let lives = arrays::floats("life", life, probs.len())?;
    let blocks = probs.len().div_ceil(BLOCK);
    let threads = runtime::threads(threads)?;
    let decided = interruptible(py, None, |watch| {
        run_blocks(
            threads,
            blocks,
            watch,
            || (),
            |(), block| {
                let rows = block * BLOCK..probs.len().min((block + 1) * BLOCK);
                let mut out = Vec::new();
                let done = cube::decide_many(&stakes, &probs[rows.clone()], &lives[rows.clone()], &mut out);
                done.map(|()| out.clone()).map_err(|error| (rows.start + out.len(), error))
            },
        )
        .complete()
    })??;
    let decided = decided.into_iter().collect::<std::result::Result<Vec<_>, _>>();
    let decided = decided.map_err(|(row, error)| Error::Array(format!("row {row}: {error}")))?.concat();
    Ok(PyCubeDecisions::new(py, &decided))
}

/// Points away up to which a matrix goes.
pub fn score_size(size: &Bound<'_, PyAny>) -> Result<usize> {
    Ok(integer("size", size, 1..=MAX_AWAY as i64)? as usize)
}

/// Decides about a centred cube at every score up to `size` points away, the roller's points first.
#[pyfunction]
#[pyo3(signature = (position, probs, size, met, *, life = None))]
pub fn cube_matrix(
    position: &Bound<'_, PyAny>,
    probs: [f32; 5],
    size: &Bound<'_, PyAny>,
    met: &Bound<'_, PyMet>,
    life: Option<f64>,
) -> Result<Vec<Vec<PyCubeDecision>>> {
    let life = life.unwrap_or(CubeLife::MEASURED.of(&position_like(position)?));
    let (size, met) = (score_size(size)?, met.get().seen_from(Seat::Bottom));
    let probs = Probs::from_array(probs);
    let mut cells = Vec::with_capacity(size * size);
    for state in MatchState::grid(size as u16) {
        let decision = cube::decide(&Stakes::new(&state, Some(met))?, &probs, life)?;
        cells.push(PyCubeDecision::of(decision, life));
    }
    Ok(cells.chunks(size).map(<[PyCubeDecision]>::to_vec).collect())
}
