//! Match equity tables.

use std::hash::{DefaultHasher, Hash, Hasher};

use gammon_core::Seat;
use gammon_core::cube::formula::{PostCrawford, Zadeh};
use gammon_core::cube::{MAX_AWAY, Met};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{Error, Result};
use crate::runtime::integer;
use crate::values::hash_numbers;

/// Pre-Crawford cells and post-Crawford chances.
type Tables<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// A match equity table.
#[pyclass(name = "Met", module = "gammon", frozen)]
pub struct PyMet {
    /// As the player in seat 1 sees it, and as the one in seat 0 does.
    met: [Met; 2],
}

impl PyMet {
    fn of(met: Met) -> PyMet {
        let exchanged = met.exchanged();
        PyMet { met: [met, exchanged] }
    }

    /// The table as the player at `seat` sees it.
    pub fn seen_from(&self, seat: Seat) -> &Met {
        match seat {
            Seat::Bottom => &self.met[0],
            Seat::Top => &self.met[1],
        }
    }

    fn cells(&self) -> impl Iterator<Item = f64> + '_ {
        let [pre, first, second] = self.met[0].cells();
        pre.iter().chain(first).chain(second).copied()
    }
}

#[pymethods]
impl PyMet {
    #[new]
    #[pyo3(signature = (name, pre, post, *, known = None))]
    fn py_new(
        name: &str,
        pre: Vec<Vec<f64>>,
        post: Vec<Vec<f64>>,
        known: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyMet> {
        let length = pre.len();
        let ragged = pre.iter().find(|row| row.len() != length).map(Vec::len);
        if let Some(cells) = ragged {
            return Err(Error::Met(format!("a row of the pre-Crawford table has {cells} of {length} cells")));
        }
        let [first, second] = match post.as_slice() {
            [both] => [both, both],
            [first, second] => [first, second],
            other => {
                let n = other.len();
                return Err(Error::Met(format!("post must hold one or two rows of chances, got {n}")));
            }
        };
        let mut met = Met::new(name, length, &pre.concat(), [first, second])?;
        if let Some(known) = known {
            met = met.with_known(integer("known", known, 1..=MAX_AWAY as i64)? as usize);
        }
        Ok(PyMet::of(met))
    }

    /// The table of the normal approximation before the Crawford game and a recursion after it.
    #[staticmethod]
    #[pyo3(signature = (name, *, gammons, free_drop, carried_on))]
    fn normal(name: &str, gammons: [f64; 2], free_drop: [f64; 2], carried_on: bool) -> Result<PyMet> {
        let after = gammons.map(|gammons| PostCrawford { gammons, free_drop, carried_on });
        sound(Met::normal(name, after))
    }

    /// Zadeh's formula.
    #[staticmethod]
    #[pyo3(signature = (name, *, doubler_gammons, taker_gammons, redouble_waste, double_waste, gammons, free_drop,
        carried_on))]
    #[expect(clippy::too_many_arguments, reason = "the formula has this many parameters")]
    fn zadeh(
        name: &str,
        doubler_gammons: f64,
        taker_gammons: f64,
        redouble_waste: f64,
        double_waste: f64,
        gammons: f64,
        free_drop: [f64; 2],
        carried_on: bool,
    ) -> Result<PyMet> {
        let before = Zadeh { doubler_gammons, taker_gammons, redouble_waste, double_waste };
        let after = PostCrawford { gammons, free_drop, carried_on };
        sound(Met::zadeh(name, before, after))
    }

    /// The table's name.
    #[getter]
    fn name(&self) -> &str {
        self.met[0].name()
    }

    /// Points away up to which the cells are the table's own; beyond, they are extended.
    #[getter]
    fn known(&self) -> usize {
        self.met[0].known()
    }

    /// The first player's chance to win the match at a score.
    #[pyo3(signature = (away, opp_away, *, crawford = false))]
    fn mwc(&self, away: &Bound<'_, PyAny>, opp_away: &Bound<'_, PyAny>, crawford: bool) -> Result<f64> {
        let points = |name, value| integer(name, value, 0..=MAX_AWAY as i64);
        let (away, opp_away) = (points("away", away)? as u16, points("opp_away", opp_away)? as u16);
        Ok(self.met[0].mwc(away, opp_away, crawford)?)
    }

    /// All pre-Crawford cells, `float64[64, 64]`, and each player's post-Crawford chances, `float64[2, 64]`.
    fn tables<'py>(&self, py: Python<'py>) -> Result<Tables<'py>> {
        let [pre, first, second] = self.met[0].cells();
        Ok((
            PyArray1::from_slice(py, pre).reshape([MAX_AWAY, MAX_AWAY])?,
            PyArray1::from_vec(py, [first, second].concat()).reshape([2, MAX_AWAY])?,
        ))
    }

    /// The same table seen by the other player.
    fn exchanged(&self) -> PyMet {
        let [met, exchanged] = self.met.clone();
        PyMet { met: [exchanged, met] }
    }

    /// What is odd about the table, one sentence each.
    fn issues(&self) -> Vec<String> {
        self.met[0].check().iter().map(ToString::to_string).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyMet>().is_ok_and(|other| other.get().met[0] == self.met[0])
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name().hash(&mut hasher);
        hash_numbers(self.cells(), &mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<Met {:?}, known to {} points>", self.name(), self.known())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let [pre, first, second] = self.met[0].cells();
        let rows: Vec<&[f64]> = pre.chunks(MAX_AWAY).collect();
        let kwargs = PyDict::new(py);
        kwargs.set_item("known", self.known())?;
        let class = py.get_type::<PyMet>();
        let arguments = (class, self.name(), rows, [first, second]);
        let made = py.import("functools")?.getattr("partial")?.call(arguments, Some(&kwargs))?;
        Ok((made, PyTuple::empty(py)))
    }
}

/// A computed table, if its parameters made chances of it.
fn sound(met: Met) -> Result<PyMet> {
    let met = PyMet::of(met);
    if met.cells().all(|cell| (0.0..=1.0).contains(&cell)) {
        Ok(met)
    } else {
        Err(Error::Met(format!("the parameters of {:?} give cells that are no chances", met.name())))
    }
}
