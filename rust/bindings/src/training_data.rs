//! Training data: made by look-ahead or by hand, read, written, and turned into rows for other trainers.

use std::path::PathBuf;

use gammon_core::nn::FeatureSet;
use gammon_core::train::{Data, Judges, LabelConfig, LabelError, Labelling, RECORD, Record};
use gammon_core::{Position, rows};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arrays;
use crate::errors::{Error, Result};
use crate::evaluator::{AnyEvaluator, InTurn, fault};
use crate::runtime::{self, interruptible};

/// Positions with the chances they should have.
///
/// `boards` is `uint8[n, 2, 25]`, unfinished games seen by the player on roll; `chances` is `float32[n, 5]`, his,
/// and is kept in 65,535ths. `recipe` is a text on how they were made, `games` how many games they are from.
///
/// Raises `ArrayError` for arrays of another dtype, shape or length or numbers that are no chances,
/// `IllegalPositionError` for a row that is no position or a finished game, `SettingError` for a negative
/// number of games.
///
/// >>> import gammon, numpy as np
/// >>> from gammon.training import TrainingData
/// >>> boards = gammon.Position.start().board[None]
/// >>> data = TrainingData(boards, np.array([[0.525, 0.15, 0.007, 0.14, 0.006]], np.float32), recipe="by hand")
/// >>> len(data), [round(float(chance), 3) for chance in data.chances[0]]
/// (1, [0.525, 0.15, 0.007, 0.14, 0.006])
#[pyclass(name = "TrainingData", module = "gammon.training", frozen)]
pub struct PyData(pub Data);

#[pymethods]
impl PyData {
    #[new]
    #[pyo3(signature = (boards, chances, *, recipe = None, games = None))]
    fn new(
        boards: &Bound<'_, PyAny>,
        chances: &Bound<'_, PyAny>,
        recipe: Option<&Bound<'_, PyString>>,
        games: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyData> {
        let positions = unfinished(boards)?;
        let probs = arrays::probs(chances)?;
        if probs.len() != positions.len() {
            let (boards, chances) = (positions.len(), probs.len());
            return Err(Error::Array(format!("chances: expected {boards} rows, one a board, got {chances}")));
        }
        if let Some((row, fault)) =
            probs.iter().enumerate().find_map(|(row, probs)| Some((row, fault(probs)?)))
        {
            return Err(Error::Array(format!("chances[{row}]: {fault}, got {:?}", probs[row].to_array())));
        }
        let recipe = recipe.map_or(Ok(String::new()), |text| text.to_cow().map(|text| text.into_owned()))?;
        let games = games.map_or(Ok(0), |games| runtime::integer("games", games, 0..=i64::MAX))? as u64;
        let records = positions.iter().zip(&probs).map(|(position, probs)| Record::new(position, probs));
        Ok(PyData(Data { recipe, games, records: records.collect() }))
    }

    /// Read a file, such as `gammon label` and `write` make.
    ///
    /// What follows its last complete part is left out: the file may be one that is still being made.
    ///
    /// Raises `OSError` if it cannot be read, `DataFormatError` if it is no training data or damaged.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> Result<PyData> {
        let found = interruptible(py, None, |watch| Data::read_watched(&path, watch))?;
        found.map(PyData).map_err(|error| Error::of_data(error, &path))
    }

    /// Write a file, which replaces what was there once it is whole.
    ///
    /// Raises `OSError` if it cannot be written, `SettingError` if the recipe is longer than 65,536 bytes.
    fn write(&self, py: Python<'_>, path: PathBuf) -> Result<()> {
        interruptible(py, None, |_| self.0.write(&path))?.map_err(|error| Error::of_data(error, &path))
    }

    /// The positions, `uint8[n, 2, 25]`; unpacked anew each time.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray3<u8>>> {
        let bytes = interruptible(py, None, |_| {
            // Every record was checked when it came in.
            let positions: Vec<Position> = self.0.records.iter().filter_map(Record::position).collect();
            let mut bytes = Vec::new();
            rows::write(&positions, &mut bytes);
            bytes
        })?;
        arrays::boards_from_rows(py, bytes)
    }

    /// Their chances, `float32[n, 5]`; unpacked anew each time.
    ///
    /// Games won, gammons, backgammons, then gammons and backgammons lost, each including the next of its side.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray2<f32>>> {
        let numbers: Vec<f32> =
            self.0.records.iter().flat_map(|record| record.chances().to_array()).collect();
        Ok(PyArray1::from_vec(py, numbers).reshape([self.0.records.len(), 5])?)
    }

    /// How they were made, as text.
    #[getter]
    fn recipe(&self) -> &str {
        &self.0.recipe
    }

    /// Games they are from.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    fn __len__(&self) -> usize {
        self.0.records.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyData>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __repr__(&self) -> String {
        format!("<TrainingData, {} positions of {} games>", self.0.records.len(), self.0.games)
    }

    #[staticmethod]
    fn _from_bytes(data: &[u8]) -> Result<PyData> {
        Data::from_bytes(data).map(PyData).map_err(|error| Error::Data(error.to_string()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = self.0.to_bytes().map_err(|error| Error::Setting(error.to_string()))?;
        Ok((py.get_type::<PyData>().getattr("_from_bytes")?, (PyBytes::new(py, &bytes),)))
    }

    fn __sizeof__(&self) -> usize {
        size_of::<PyData>() + self.0.records.len() * RECORD + self.0.recipe.len()
    }
}

/// A `uint8[n, 2, 25]` as positions of unfinished games.
fn unfinished(boards: &Bound<'_, PyAny>) -> Result<Vec<Position>> {
    let positions = arrays::positions(boards)?;
    match positions.iter().position(Position::is_over) {
        Some(row) => {
            Err(Error::Points(format!("boards[{row}] is a finished game, of which nothing is learned")))
        }
        None => Ok(positions),
    }
}

/// Make training data: the rest of the games that `settings` ask for, into a file that may have been begun.
///
/// Returns how many games and positions are in, and whether these are all. Raises what `gammon.training.label`
/// does.
#[pyfunction]
#[pyo3(signature = (path, settings, strong, quick, *, threads = None, progress = None))]
pub fn label_games(
    py: Python<'_>,
    path: PathBuf,
    settings: &str,
    strong: &Bound<'_, PyAny>,
    quick: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<(u64, u64, bool)> {
    let threads = runtime::threads(threads)?;
    let config = LabelConfig::from_text(settings)?;
    let strong_one = AnyEvaluator::of(strong)?;
    let quick_one = if quick.is(strong) { None } else { Some(AnyEvaluator::of(quick)?) };
    let judges = match &quick_one {
        None => Judges { strong: strong_one.to_core(), quick: strong_one.to_core() },
        Some(other) if strong_one.asks_python() && other.asks_python() => {
            let [strong, quick] = InTurn::two(strong_one.to_core(), other.to_core());
            Judges { strong, quick }
        }
        Some(other) => Judges { strong: strong_one.to_core(), quick: other.to_core() },
    };
    let recipe = config.recipe(judges.strong.id(), judges.quick.id());
    let (outcome, told) = interruptible(py, progress.as_ref(), |watch| {
        let mut labelling = Labelling::open(&path, config, judges, recipe)?;
        let mut tell = |told: gammon_core::train::LabelProgress| {
            watch(usize::try_from(told.games).unwrap_or(usize::MAX))
        };
        let outcome = labelling.run(threads, &mut tell);
        Ok((outcome, labelling.progress()))
    })?
    .map_err(|error| Error::of_data(error, &path))?;
    match outcome {
        Ok(()) => Ok((told.games, told.positions, true)),
        Err(LabelError::Cancelled) => Ok((told.games, told.positions, false)),
        Err(LabelError::Data(error)) => Err(Error::of_data(error, &path)),
        Err(LabelError::Evaluator(error)) => {
            let failures = [Some(&strong_one), quick_one.as_ref()].into_iter().flatten();
            let mut failures = failures.map(|evaluator| evaluator.failure(error.clone()));
            let raised = failures.find(|failure| matches!(failure, Error::Python(_)));
            Err(raised.unwrap_or_else(|| Error::Evaluator(error.to_string())))
        }
    }
}

/// All settings of a labelling as text, those not named with their defaults.
///
/// Raises `SettingError`, naming the line or the setting.
#[pyfunction]
#[pyo3(signature = (settings = ""))]
pub fn label_settings(settings: &str) -> Result<String> {
    Ok(LabelConfig::from_text(settings)?.to_text())
}

/// How many rows there are in a set of features: the numbers `gammon.training.features` gives are below it.
///
/// Raises `SettingError` for an unknown set.
#[pyfunction]
#[pyo3(signature = (set = "full"))]
pub fn row_count(set: &str) -> Result<usize> {
    Ok(set_of(set)?.rows())
}

fn set_of(name: &str) -> Result<FeatureSet> {
    FeatureSet::from_name(name).ok_or_else(|| {
        let known = FeatureSet::ALL.map(FeatureSet::name).join(", ");
        Error::Setting(format!("set must be one of {known}, got {name:?}"))
    })
}

/// A position's active rows and where each position's begin.
type Rows<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i64>>);

/// The rows a net of this set of features adds up for each position; see `gammon.training.features`.
#[pyfunction]
#[pyo3(signature = (boards, set, *, threads = None))]
pub fn active_rows<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    set: &str,
    threads: Option<&Bound<'py, PyAny>>,
) -> Result<Rows<'py>> {
    let set = set_of(set)?;
    let threads = runtime::threads(threads)?;
    let positions = unfinished(boards)?;
    let (rows, starts) = interruptible(py, None, |watch| {
        let (rows, starts) = set.active_rows_of_many(&positions, threads, watch)?;
        let rows: Vec<i32> = rows.into_iter().map(i32::from).collect();
        let starts: Vec<i64> = starts.into_iter().map(|start| start as i64).collect();
        Ok::<_, Error>((rows, starts))
    })??;
    Ok((PyArray1::from_vec(py, rows), PyArray1::from_vec(py, starts)))
}
