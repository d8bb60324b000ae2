//! Fitting a net to training data.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gammon_core::train::{Data, Fit, FitConfig, FitError, FitProgress, FitReport, Record};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Error, Result};
use crate::evaluator::PyNet;
use crate::runtime::{self, interruptible, keep};
use crate::train::noted;
use crate::training_data::PyData;

/// Reports of a fit if nobody asks for another number.
const REPORTS: u64 = 40;

/// What a stretch of a fit did.
#[pyclass(name = "FitReport", module = "gammon.training", frozen, get_all, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyFitReport {
    /// Updates made so far.
    updates: u64,
    /// Updates in all.
    updates_wanted: u64,
    /// Seconds since the last report.
    seconds: f64,
    /// Mean squared error of the five chances on what was learned from since the last report.
    loss: f64,
    /// Root mean squared error in equity, in points, on the positions held out; `None` if there are none.
    rms_error: Option<f64>,
    /// Mean absolute error in equity, in points, on the positions held out; `None` if there are none.
    mean_error: Option<f64>,
    /// Learning rate now.
    rate: f64,
}

/// Equal reports have equal counts.
impl Hash for PyFitReport {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.updates, self.updates_wanted).hash(state);
    }
}

/// The fields in their order: what a report is pickled as.
type Fields = (u64, u64, f64, f64, Option<f64>, Option<f64>, f64);

#[pymethods]
impl PyFitReport {
    #[new]
    fn new(
        updates: u64,
        updates_wanted: u64,
        seconds: f64,
        loss: f64,
        rms_error: Option<f64>,
        mean_error: Option<f64>,
        rate: f64,
    ) -> PyFitReport {
        PyFitReport { updates, updates_wanted, seconds, loss, rms_error, mean_error, rate }
    }

    fn __repr__(&self) -> String {
        let PyFitReport { updates, updates_wanted, seconds, loss, rms_error, mean_error, rate } = self;
        let [rms_error, mean_error] = [rms_error, mean_error]
            .map(|error| error.map_or("None".to_owned(), |error| format!("{error:?}")));
        format!(
            "FitReport(updates={updates}, updates_wanted={updates_wanted}, seconds={seconds:?}, loss={loss:?}, \
             rms_error={rms_error}, mean_error={mean_error}, rate={rate:?})"
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Fields) {
        let &PyFitReport { updates, updates_wanted, seconds, loss, rms_error, mean_error, rate } = self;
        let fields = (updates, updates_wanted, seconds, loss, rms_error, mean_error, rate);
        (py.get_type::<PyFitReport>().into_any(), fields)
    }
}

impl From<&FitReport> for PyFitReport {
    fn from(report: &FitReport) -> PyFitReport {
        let [rms_error, mean_error] = [0, 1].map(|i| report.held_out.map(|errors| errors[i]));
        let &FitReport { updates, all, seconds, loss, rate, .. } = report;
        PyFitReport { updates, updates_wanted: all, seconds, loss, rms_error, mean_error, rate }
    }
}

/// A fit of a net to training data that can be run, stopped, saved and continued.
///
/// `settings` is a text of lines `name = value`; what is not named keeps its default. With `after` it begins with
/// the weights those fits have reached, the mean of them if they are several, and forgets everything else of
/// them. Raises `SettingError`, naming the line or the setting, also if the features or hidden units are not
/// those of `after`.
#[pyclass(name = "Fit", module = "gammon.training", frozen)]
pub struct PyFit {
    fit: Mutex<Fit>,
    /// What never changes, and what can be asked while the fit runs.
    config: FitConfig,
    updates: AtomicU64,
    /// What nets say of the data.
    provenance: Mutex<String>,
}

impl From<Fit> for PyFit {
    fn from(fit: Fit) -> PyFit {
        let (config, updates) = (fit.config().clone(), AtomicU64::new(fit.updates()));
        PyFit { fit: Mutex::new(fit), config, updates, provenance: Mutex::default() }
    }
}

impl PyFit {
    /// The fit, unless a call is running it: waiting would keep that call from ever looking up.
    fn fit(&self) -> Result<MutexGuard<'_, Fit>> {
        self.fit
            .try_lock()
            .map_err(|_| PyRuntimeError::new_err("this fit is being run by another call").into())
    }
}

/// The fits that one may begin with.
fn fits<'py>(after: &Bound<'py, PyAny>) -> Result<Vec<Bound<'py, PyFit>>> {
    if let Ok(one) = after.cast::<PyFit>() {
        return Ok(vec![one.clone()]);
    }
    let several = after.extract::<Vec<Bound<'py, PyFit>>>();
    Ok(several.map_err(|_| PyTypeError::new_err("after has to be a Fit or a sequence of them"))?)
}

#[pymethods]
impl PyFit {
    #[new]
    #[pyo3(signature = (settings = "", *, after = None))]
    fn new(settings: &str, after: Option<&Bound<'_, PyAny>>) -> Result<PyFit> {
        let config = FitConfig::from_text(settings)?;
        let after = after.map_or_else(|| Ok(Vec::new()), fits)?;
        // One that is named twice counts twice, but can be locked only once.
        let mut locked: Vec<(&Bound<'_, PyFit>, MutexGuard<'_, Fit>)> = Vec::new();
        let mut places = Vec::with_capacity(after.len());
        for other in &after {
            let place = locked.iter().position(|(known, _)| known.is(other));
            places.push(place.unwrap_or(locked.len()));
            if place.is_none() {
                locked.push((other, other.get().fit()?));
            }
        }
        let others: Vec<&Fit> = places.iter().map(|&place| &*locked[place].1).collect();
        Ok(Fit::after(config, &others)?.into())
    }

    /// The fit a checkpoint holds. Raises `CheckpointError`.
    #[staticmethod]
    fn from_checkpoint(data: &[u8]) -> Result<PyFit> {
        Ok(Fit::from_checkpoint(data)?.into())
    }

    /// All settings, as text.
    #[getter]
    fn settings(&self) -> String {
        self.config.to_text()
    }

    /// Updates made so far, each of one batch of positions.
    #[getter]
    fn updates(&self) -> u64 {
        self.updates.load(Ordering::Relaxed)
    }

    /// Updates in all that so many positions need.
    fn updates_wanted(&self, positions: usize) -> Result<u64> {
        Ok(self.fit()?.all_updates(positions))
    }

    /// The net as it is now; its recipe tells the settings, and the recipes of the data it was last run on.
    ///
    /// Raises `DivergedError` if the weights are no net any more.
    fn net(&self, py: Python<'_>) -> Result<Py<PyNet>> {
        let provenance = self.provenance.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let bytes = self.fit()?.net_bytes(&provenance)?;
        Ok(Py::new(py, PyNet::new(PyBytes::new(py, &bytes))?)?)
    }

    /// The fit as bytes, to be continued another time with the same data. Raises `DivergedError`.
    fn checkpoint<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.fit()?.checkpoint()?))
    }

    /// Learn from the data until all epochs are done (`True`) or a callback asks to stop (`False`).
    ///
    /// `data` are parts in their order; after a stop the same parts continue it. `progress` is told the number of
    /// updates made so far some twenty times a second, `report` every `report_every` updates how it goes, and how
    /// well the positions held out are known; by default that is forty times in all. `save` is a file for
    /// checkpoints, written every `save_seconds` and at the end, whatever ends it, Ctrl-C and other exceptions too.
    /// One thread does it all.
    ///
    /// Raises `SettingError` if there are no positions, or if they are not those the fit began with,
    /// `DivergedError` if the weights grow beyond what a net can hold (the file then is what it was before),
    /// `OSError` if the file cannot be written, `RuntimeError` if another call is running this fit.
    #[pyo3(signature = (data, *, progress = None, report = None, report_every = None, save = None, save_seconds = 30.0))]
    #[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
    fn run(
        &self,
        py: Python<'_>,
        data: Vec<Py<PyData>>,
        progress: Option<Py<PyAny>>,
        report: Option<Py<PyAny>>,
        report_every: Option<&Bound<'_, PyAny>>,
        save: Option<PathBuf>,
        save_seconds: f64,
    ) -> Result<bool> {
        let pause = Duration::try_from_secs_f64(save_seconds).map_err(|_| {
            Error::Setting(format!("save_seconds must be a number of seconds, got {save_seconds}"))
        })?;
        let report_every =
            report_every.map(|every| runtime::integer("report_every", every, 1..=i64::MAX)).transpose()?;
        let mut fit = self.fit()?;
        let fit = &mut *fit;
        let data: Vec<&Data> = data.iter().map(|part| &part.get().0).collect();
        let provenance: String = data.iter().map(|part| part.provenance()).collect();
        let mut failure: Option<Error> = None;
        let outcome = interruptible(py, progress.as_ref(), |watch| {
            let records: Cow<'_, [Record]> = match &data[..] {
                [all] => Cow::Borrowed(&all.records),
                parts => Cow::Owned(parts.iter().flat_map(|part| part.records.iter().copied()).collect()),
            };
            let all = fit.all_updates(records.len());
            fit.report_every = report_every.map_or(all.div_ceil(REPORTS).max(1), |every| every as u64);
            let mut saved = Instant::now();
            fit.run(&records, &mut |progress| match progress {
                FitProgress::Updates(fit) => {
                    self.updates.store(fit.updates(), Ordering::Relaxed);
                    watch(usize::try_from(fit.updates()).unwrap_or(usize::MAX))?;
                    match &save {
                        Some(path) if saved.elapsed() >= pause => {
                            saved = Instant::now();
                            let written = fit.save(path).map_err(|error| Error::of_save(error, path));
                            keep(&mut failure, written.map(|()| true))
                        }
                        _ => ControlFlow::Continue(()),
                    }
                }
                FitProgress::Report(told) => match &report {
                    Some(callback) => keep(&mut failure, tell(callback, told)),
                    None => ControlFlow::Continue(()),
                },
            })
        });
        self.updates.store(fit.updates(), Ordering::Relaxed);
        // Data that were refused taught it nothing.
        if !matches!(outcome, Ok(Err(FitError::NoData | FitError::OtherData))) {
            *self.provenance.lock().unwrap_or_else(PoisonError::into_inner) = provenance;
        }
        let ended = match (failure, outcome) {
            // After a broken promise nobody knows what the fit is worth.
            (_, Err(Error::Internal(text))) => return Err(Error::Internal(text)),
            (_, Ok(Err(FitError::Diverged(error)))) => return Err(error.into()),
            (_, Ok(Err(error @ (FitError::NoData | FitError::OtherData)))) => {
                return Err(Error::Setting(error.to_string()));
            }
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(outcome)) => Ok(outcome.is_ok()),
        };
        let saved = save.map_or(Ok(()), |path| fit.save(&path).map_err(|error| Error::of_save(error, &path)));
        match (ended, saved) {
            (Err(error), Err(unsaved)) => Err(noted(py, error, unsaved)),
            (Err(error), Ok(())) | (Ok(_), Err(error)) => Err(error),
            (Ok(done), Ok(())) => Ok(done),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Fit, {} updates>", self.updates())
    }
}

fn tell(callback: &Py<PyAny>, report: &FitReport) -> Result<bool> {
    Python::attach(|py| {
        let answer = callback.bind(py).call1((PyFitReport::from(report),))?;
        Ok(runtime::goes_on(&answer)?)
    })
}
