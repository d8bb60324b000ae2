//! Training a net from zero by self-play.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use gammon_core::parallel::TICK;
use gammon_core::train::{Config, Progress, Report, Session, TrainError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Error, Result};
use crate::evaluator::PyNet;
use crate::judge::PyGameNet;
use crate::runtime::{self, interruptible, keep};

/// What a stretch of training did.
#[pyclass(name = "TrainingReport", module = "gammon.training", frozen, get_all, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyReport {
    /// Games learned from so far.
    games: u64,
    /// Positions learned from since the last report.
    positions: u64,
    /// Candidate plays evaluated since the last report.
    evaluations: u64,
    /// Seconds since the last report.
    seconds: f64,
    /// Games a second since the last report.
    games_per_second: f64,
    /// Mean squared error of the chances against their targets since the last report.
    loss: f64,
    /// Shares of single games, gammons and backgammons since the last report; in other games, of wins of one
    /// point, of two and of more.
    outcomes: (f64, f64, f64),
}

/// Equal reports have equal counts.
impl Hash for PyReport {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.games, self.positions, self.evaluations).hash(state);
    }
}

/// The fields in their order: what a report is pickled as.
type Fields = (u64, u64, u64, f64, f64, f64, (f64, f64, f64));

#[pymethods]
impl PyReport {
    #[new]
    fn new(
        games: u64,
        positions: u64,
        evaluations: u64,
        seconds: f64,
        games_per_second: f64,
        loss: f64,
        outcomes: (f64, f64, f64),
    ) -> PyReport {
        PyReport { games, positions, evaluations, seconds, games_per_second, loss, outcomes }
    }

    fn __repr__(&self) -> String {
        let PyReport { games, positions, evaluations, seconds, games_per_second, loss, outcomes } = self;
        format!(
            "TrainingReport(games={games}, positions={positions}, evaluations={evaluations}, seconds={seconds:?}, \
             games_per_second={games_per_second:?}, loss={loss:?}, outcomes={outcomes:?})"
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Fields) {
        let &PyReport { games, positions, evaluations, seconds, games_per_second, loss, outcomes } = self;
        let fields = (games, positions, evaluations, seconds, games_per_second, loss, outcomes);
        (py.get_type::<PyReport>().into_any(), fields)
    }
}

impl From<&Report> for PyReport {
    fn from(report: &Report) -> PyReport {
        let [single, gammon, backgammon] = report.outcomes;
        PyReport {
            games: report.games,
            positions: report.positions,
            evaluations: report.evaluations,
            seconds: report.seconds,
            games_per_second: report.games_per_second,
            loss: report.loss,
            outcomes: (single, gammon, backgammon),
        }
    }
}

/// A training that can be run, stopped, saved and continued.
///
/// `settings` is a text of lines `name = value`; what is not named keeps its default. Raises `SettingError`,
/// naming the line or the setting.
#[pyclass(name = "Training", module = "gammon.training", frozen)]
pub struct PyTraining {
    /// Boxed: the rules of another game may hold a position, which wants an alignment that Python's allocator does
    /// not promise.
    session: Box<Mutex<Session>>,
    /// What never changes, and what can be asked while the training runs.
    config: Config,
    games: AtomicU64,
}

impl From<Session> for PyTraining {
    fn from(session: Session) -> PyTraining {
        let (config, games) = (session.config().clone(), AtomicU64::new(session.games()));
        PyTraining { session: Box::new(Mutex::new(session)), config, games }
    }
}

impl PyTraining {
    /// The training, unless a call is running it: waiting would keep that call from ever looking up.
    fn session(&self) -> Result<MutexGuard<'_, Session>> {
        self.session
            .try_lock()
            .map_err(|_| PyRuntimeError::new_err("this training is being run by another call").into())
    }
}

#[pymethods]
impl PyTraining {
    #[new]
    #[pyo3(signature = (settings = ""))]
    fn new(settings: &str) -> Result<PyTraining> {
        Ok(Session::new(Config::from_text(settings)?)?.into())
    }

    /// The training a checkpoint holds. Raises `CheckpointError`.
    #[staticmethod]
    fn from_checkpoint(data: &[u8]) -> Result<PyTraining> {
        Ok(Session::from_checkpoint(data)?.into())
    }

    /// All settings, as text.
    #[getter]
    fn settings(&self) -> String {
        self.config.to_text()
    }

    /// Games learned from so far.
    #[getter]
    fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Games to learn from.
    #[getter]
    fn games_wanted(&self) -> u64 {
        self.config.games
    }

    /// Whether all games have been learned from.
    #[getter]
    fn is_done(&self) -> bool {
        self.games() == self.config.games
    }

    /// The net as it is now; of another game a `VariantNet`. Raises `DivergedError` if the weights are none any more.
    fn net(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        let bytes = PyBytes::new(py, &self.session()?.net_bytes()?);
        if self.config.variant.is_empty() {
            return Ok(Py::new(py, PyNet::new(bytes)?)?.into_any());
        }
        Ok(Py::new(py, PyGameNet::new(bytes)?)?.into_any())
    }

    /// The name of the game that is played; empty for the standard one.
    #[getter]
    fn variant(&self) -> &str {
        &self.config.variant
    }

    /// The training as bytes, to be continued another time. Raises `DivergedError`.
    fn checkpoint<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.session()?.checkpoint()?))
    }

    /// Train until all games are done (`True`) or a callback asks to stop (`False`).
    ///
    /// `progress` is told the number of games learned from so far some twenty times a second, `report` now
    /// and then how it goes. `save` is a file for checkpoints, written every `save_seconds` and at the end,
    /// whatever ends it, Ctrl-C and other exceptions too.
    ///
    /// Raises `OSError` if that file cannot be written, `DivergedError` if the weights grow beyond what a net
    /// can hold (the file then is what it was before), `RuntimeError` if another call is running this training.
    #[pyo3(signature = (*, threads = None, progress = None, report = None, save = None, save_seconds = 30.0))]
    fn run(
        &self,
        py: Python<'_>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        report: Option<Py<PyAny>>,
        save: Option<PathBuf>,
        save_seconds: f64,
    ) -> Result<bool> {
        let threads = runtime::threads(threads)?;
        let pause = Duration::try_from_secs_f64(save_seconds).map_err(|_| {
            Error::Setting(format!("save_seconds must be a number of seconds, got {save_seconds}"))
        })?;
        let mut session = self.session()?;
        let session = &mut *session;
        let mut failure: Option<Error> = None;
        let outcome = interruptible(py, progress.as_ref(), |watch| {
            let (mut saved, mut looked) = (Instant::now(), Instant::now());
            session.run(threads, &[], &mut |progress| match progress {
                Progress::Games(games) => {
                    looked = Instant::now();
                    watch(usize::try_from(games).unwrap_or(usize::MAX))
                }
                Progress::Chunk(session) => {
                    self.games.store(session.games(), Ordering::Relaxed);
                    // Chunks shorter than a tick never come to telling of games.
                    if looked.elapsed() >= TICK {
                        looked = Instant::now();
                        watch(usize::try_from(session.games()).unwrap_or(usize::MAX))?;
                    }
                    match &save {
                        Some(path) if saved.elapsed() >= pause => {
                            saved = Instant::now();
                            keep(&mut failure, written(session, path).map(|()| true))
                        }
                        _ => ControlFlow::Continue(()),
                    }
                }
                Progress::Report(told) => match &report {
                    Some(callback) => keep(&mut failure, tell(callback, told)),
                    None => ControlFlow::Continue(()),
                },
            })
        });
        // A chunk that was learned from while the next was broken off counts, and was not told of.
        self.games.store(session.games(), Ordering::Relaxed);
        let ended = match (failure, outcome) {
            // After a broken promise nobody knows what the training is worth.
            (_, Err(Error::Internal(text))) => return Err(Error::Internal(text)),
            (_, Ok(Err(TrainError::Diverged(error)))) => return Err(error.into()),
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(outcome)) => Ok(outcome.is_ok()),
        };
        match (ended, save.map_or(Ok(()), |path| written(session, &path))) {
            (Err(error), Err(unsaved)) => Err(noted(py, error, unsaved)),
            (Err(error), Ok(())) | (Ok(_), Err(error)) => Err(error),
            (Ok(done), Ok(())) => Ok(done),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Training, {} of {} games>", self.games(), self.config.games)
    }
}

fn written(session: &Session, path: &Path) -> Result<()> {
    session.save(path).map_err(|error| Error::of_save(error, path))
}

/// An error with a note that the training could not be saved either, and why.
pub fn noted(py: Python<'_>, error: Error, unsaved: Error) -> Error {
    let error = PyErr::from(error);
    let note = format!("the training was not saved: {}", PyErr::from(unsaved).value(py));
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => Error::Python(error),
        Err(failed) => Error::Python(failed),
    }
}

fn tell(callback: &Py<PyAny>, report: &Report) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((PyReport::from(report),))?;
        Ok(runtime::goes_on(&answer)?)
    })
}
