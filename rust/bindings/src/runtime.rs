//! Long calls: the only place that lets go of the interpreter, and where `threads=` is resolved.

use std::any::Any;
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use gammon_core::parallel::Watch;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::{Error, Result};

/// More threads than this is taken for a mistake.
const MAX_THREADS: i64 = 1024;

/// Runs `work` without the interpreter lock and keeps the caller in control.
///
/// About every 50 ms the watcher given to `work` attaches on the calling thread, lets Python handle
/// its signals and calls `progress(done)`, where `done` is what `work` tells it. Ctrl-C or an exception
/// in the callback stops the work and is raised; a callback that returns `False` only stops the work.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Watch<'_>) -> T + Send,
) -> Result<T> {
    let (outcome, raised) = py.detach(|| {
        let mut raised: Option<PyErr> = None;
        let mut watch = |done: usize| match Python::attach(|py| look(py, progress, done)) {
            Ok(flow) => flow,
            Err(error) => {
                raised = Some(error);
                ControlFlow::Break(())
            }
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut watch)));
        (outcome.map_err(panic_text), raised)
    });
    match (raised, outcome) {
        (Some(error), _) => Err(Error::Python(error)),
        (None, Err(text)) => Err(Error::Internal(text)),
        (None, Ok(value)) => Ok(value),
    }
}

/// One look at the outside world: signals first, then the callback.
fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, done: usize) -> PyResult<ControlFlow<()>> {
    py.check_signals()?;
    match progress {
        Some(callback) if is_false(&callback.bind(py).call1((done,))?) => Ok(ControlFlow::Break(())),
        _ => Ok(ControlFlow::Continue(())),
    }
}

/// Whether a callback answered `False`, which asks to stop; any other answer, `None` too, goes on.
pub fn is_false(answer: &Bound<'_, PyAny>) -> bool {
    answer.is(PyBool::new(answer.py(), false))
}

/// Goes on if a callback said so; stops if it said so, or failed, and then keeps the error.
pub fn keep(failure: &mut Option<Error>, go_on: Result<bool>) -> ControlFlow<()> {
    match go_on {
        Ok(true) => ControlFlow::Continue(()),
        Ok(false) => ControlFlow::Break(()),
        Err(error) => {
            *failure = Some(error);
            ControlFlow::Break(())
        }
    }
}

fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("internal error, please report it: {text}")
}

/// A whole number given as the option `name`, within `range`.
pub fn integer(name: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<i64>) -> Result<i64> {
    let outside = || {
        let (low, high) = (range.start(), range.end());
        Error::Setting(match *high {
            i64::MAX => format!("{name} must be at least {low}, got {value}"),
            _ => format!("{name} must be from {low} to {high}, got {value}"),
        })
    };
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{name} must be a whole number, got {value}")).into());
    }
    match value.extract::<i64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) => Err(outside()),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Err(outside()),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{name} must be a whole number, got {}",
            value.get_type().name()?
        ))
        .into()),
    }
}

/// A seed: any whole number from 0 to 2^64 - 1.
pub fn seed(value: &Bound<'_, PyAny>) -> Result<u64> {
    match value.extract::<u64>() {
        Ok(seed) => Ok(seed),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Err(Error::Setting(format!("seed must be from 0 to 2**64 - 1, got {value}")))
        }
        Err(_) => Err(PyTypeError::new_err(format!(
            "seed must be a whole number, got {}",
            value.get_type().name()?
        ))
        .into()),
    }
}

/// The number of threads to use: the one given, else `GAMMON_THREADS`, else all cores.
pub fn threads(given: Option<&Bound<'_, PyAny>>) -> Result<usize> {
    if let Some(value) = given {
        return integer("threads", value, 1..=MAX_THREADS).map(|n| n as usize);
    }
    match std::env::var_os("GAMMON_THREADS") {
        Some(value) if !value.is_empty() => value
            .to_str()
            .and_then(|text| text.trim().parse::<i64>().ok())
            .filter(|n| (1..=MAX_THREADS).contains(n))
            .map(|n| n as usize)
            .ok_or_else(|| {
                Error::Setting(format!(
                    "the environment variable GAMMON_THREADS must be from 1 to {MAX_THREADS}, got {value:?}"
                ))
            }),
        _ => Ok(cores()),
    }
}

/// Cores this process may use, asked once: the answer takes the system some 20 microseconds.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// How many threads a call with this `threads=` uses: the number given, else GAMMON_THREADS, else all cores.
///
/// Raises `SettingError` for a number that is not from 1 to 1024, given or in the environment.
#[pyfunction]
#[pyo3(signature = (threads = None))]
pub fn thread_count(threads: Option<&Bound<'_, PyAny>>) -> Result<usize> {
    self::threads(threads)
}

/// What this build is: version, profile, target, and the instruction sets found on this CPU.
#[pyfunction]
pub fn build_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("profile", if cfg!(debug_assertions) { "debug" } else { "release" })?;
    info.set_item("target", format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS))?;
    info.set_item("cpu_features", gammon_core::cpu::features())?;
    Ok(info)
}
