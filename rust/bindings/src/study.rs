//! What people look at in positions, as numpy columns.

use gammon_core::Backgammon;
use gammon_core::eval::Phase;
use gammon_core::study::{Columns, ShotColumns};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};

use crate::arrays;
use crate::errors::Result;
use crate::runtime::{self, interruptible};

/// Features of `n` positions; but for `phase` each is an `(n, 2)` array, the player on roll first.
///
/// Pips are `uint16`, sets of points `uint32`, `crunched` is `bool`, counts are `uint8`.
#[pyclass(name = "Features", module = "gammon", frozen, get_all)]
pub struct PyFeatures {
    /// Number of each position's phase in `PHASES`, `uint8[n]`.
    phase: Py<PyArray1<u8>>,
    /// Pips still needed.
    pips: Py<PyArray2<u16>>,
    /// Checkers on the bar.
    bar: Py<PyArray2<u8>>,
    /// Checkers borne off.
    off: Py<PyArray2<u8>>,
    /// How many blots there are.
    blots: Py<PyArray2<u8>>,
    /// Where they are: bit `p` for the owner's point `p`.
    blot_set: Py<PyArray2<u32>>,
    /// How many points are made.
    points: Py<PyArray2<u8>>,
    /// Which: bit `p` for the owner's point `p`.
    point_set: Py<PyArray2<u32>>,
    /// Points made in the own home board.
    home_points: Py<PyArray2<u8>>,
    /// Points made in the opponent's home board.
    anchors: Py<PyArray2<u8>>,
    /// Length of the longest row of neighbouring points made.
    prime: Py<PyArray2<u8>>,
    /// Whether at most six checkers are still of use.
    crunched: Py<PyArray2<bool>>,
}

/// What the columns are called, in the order of their fields.
const NAMES: [&str; 12] = [
    "phase",
    "pips",
    "bar",
    "off",
    "blots",
    "blot_set",
    "points",
    "point_set",
    "home_points",
    "anchors",
    "prime",
    "crunched",
];

/// The columns in the order of their fields.
type ColumnsOf = (
    Py<PyArray1<u8>>,
    Py<PyArray2<u16>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u32>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u32>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<u8>>,
    Py<PyArray2<bool>>,
);

impl PyFeatures {
    /// All columns, in the order of their fields.
    fn columns<'a, 'py>(&'a self, py: Python<'py>) -> [&'a Bound<'py, PyAny>; 12] {
        [
            self.phase.bind(py),
            self.pips.bind(py),
            self.bar.bind(py),
            self.off.bind(py),
            self.blots.bind(py),
            self.blot_set.bind(py),
            self.points.bind(py),
            self.point_set.bind(py),
            self.home_points.bind(py),
            self.anchors.bind(py),
            self.prime.bind(py),
            self.crunched.bind(py),
        ]
    }
}

#[pymethods]
impl PyFeatures {
    #[staticmethod]
    fn _from_columns(columns: ColumnsOf) -> PyFeatures {
        let (
            phase,
            pips,
            bar,
            off,
            blots,
            blot_set,
            points,
            point_set,
            home_points,
            anchors,
            prime,
            crunched,
        ) = columns;
        PyFeatures {
            phase,
            pips,
            bar,
            off,
            blots,
            blot_set,
            points,
            point_set,
            home_points,
            anchors,
            prime,
            crunched,
        }
    }

    /// The features as flat columns, for a table: `pandas.DataFrame(features.to_dict())`, or polars'.
    ///
    /// `phase` is a column of its own; every other feature is two, such as `pips_roller` and `pips_opponent`.
    ///
    /// >>> import gammon
    /// >>> columns = gammon.features(gammon.Position.start().board[None]).to_dict()
    /// >>> list(columns)[:5], columns["pips_roller"].tolist()
    /// (['phase', 'pips_roller', 'pips_opponent', 'bar_roller', 'bar_opponent'], [167])
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("phase", self.phase.bind(py))?;
        for (name, pairs) in NAMES.into_iter().zip(self.columns(py)).skip(1) {
            for (side, number) in [("roller", 0), ("opponent", 1)] {
                let column = pairs.get_item((PySlice::full(py), number))?.call_method0("copy")?;
                columns.set_item(format!("{name}_{side}"), column)?;
            }
        }
        Ok(columns)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Features of {} positions>", self.phase.bind(py).len())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<PyFeatures>() {
            Ok(other) => arrays::equal(py, self.columns(py), other.get().columns(py)),
            Err(_) => Ok(false),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let columns = PyTuple::new(py, self.columns(py))?;
        Ok((py.get_type::<PyFeatures>().getattr("_from_columns")?, (columns,)))
    }
}

/// Describe positions: pips, blots, points, anchors, primes, phase; a row of each column a position.
///
/// Takes `uint8[n, 2, 25]`. The columns are arrays `(n, 2)`, the player on roll first; `Features.to_dict` has
/// them as flat columns for a table.
///
/// Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.
///
/// >>> import gammon
/// >>> found = gammon.features(gammon.Position.start().board[None])
/// >>> found.pips.tolist(), found.anchors.tolist(), gammon.PHASES[found.phase[0]]
/// ([[167, 167]], [[1, 1]], 'contact')
#[pyfunction]
#[pyo3(signature = (boards, *, threads = None))]
pub fn features(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyFeatures> {
    let positions = arrays::positions(boards)?;
    let threads = runtime::threads(threads)?;
    let found = interruptible(py, None, |watch| Columns::of(&positions, threads, watch))??;
    let phases = found.phase.iter().map(|&phase| phase as u8);
    Ok(PyFeatures {
        phase: PyArray1::from_iter(py, phases).unbind(),
        pips: pairs(py, found.pips)?,
        bar: pairs(py, found.bar)?,
        off: pairs(py, found.off)?,
        blots: pairs(py, found.blots)?,
        blot_set: pairs(py, found.blot_set)?,
        points: pairs(py, found.points)?,
        point_set: pairs(py, found.point_set)?,
        home_points: pairs(py, found.home_points)?,
        anchors: pairs(py, found.anchors)?,
        prime: pairs(py, found.prime)?,
        crunched: pairs(py, found.crunched)?,
    })
}

fn pairs<T: Element>(py: Python<'_>, values: Vec<T>) -> Result<Py<PyArray2<T>>> {
    let n = values.len() / 2;
    Ok(PyArray1::from_vec(py, values).reshape([n, 2])?.unbind())
}

/// Rolls that hit each blot, and any.
type Shots<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray2<u8>>);

/// How many of the 36 rolls hit.
///
/// Takes `uint8[n, 2, 25]`.
/// Returns `uint8[n, 2, 24]`, the rolls that hit each blot by its owner's points, the player on roll's blots
/// first; and `uint8[n, 2]`, those that hit any of a side's blots. In a position the player on roll throws
/// next: the shots at the opponent's blots are real, those at his own say how exposed he stands.
///
/// Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for a row that is no position.
///
/// >>> import gammon
/// >>> after = gammon.Position.start().play("13/11 6/5", "21").after  # seen by the opponent, who rolls
/// >>> at_each, at_any = gammon.shots(after.board[None])
/// >>> at_each[0, 1, [4, 10]].tolist(), at_any.tolist()  # the blots on his 5-point and 11-point
/// ([15, 2], [[0, 15]])
#[pyfunction]
#[pyo3(signature = (boards, *, threads = None))]
pub fn shots<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Shots<'py>> {
    let positions = arrays::positions(boards)?;
    let threads = runtime::threads(threads)?;
    let n = positions.len();
    let found = interruptible(py, None, |watch| ShotColumns::of::<Backgammon>(&positions, threads, watch))??;
    let points = PyArray1::from_vec(py, found.points).reshape([n, 2, 24])?;
    Ok((points, PyArray1::from_vec(py, found.any).reshape([n, 2])?))
}

/// The names of the phases, in the order of their numbers.
pub fn phase_names(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Phase::ALL.map(Phase::name))
}
