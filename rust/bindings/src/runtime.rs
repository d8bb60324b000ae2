//! Long calls: the only place that lets go of the interpreter, and where `threads=` is resolved.

use std::any::Any;
use std::borrow::Cow;
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};

use gammon_core::parallel::{Watch, cores};
use gammon_core::{ParseError, parse::ParseErrorKind};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::errors::{Error, Result, shown};
use crate::stop_flag::Flag;

/// More threads than this is taken for a mistake.
const MAX_THREADS: i64 = 1024;

/// Runs `work` without the interpreter lock and keeps the caller in control.
///
/// About every 50 ms the watcher given to `work` attaches on the calling thread, lets Python handle
/// its signals and calls `progress(done)`, where `done` is what `work` tells it. Ctrl-C or an exception in the
/// callback stops the work and is raised; a callback whose answer does not [go on](goes_on) only stops it.
/// Once stopped, work is not gone on with, and the callback not asked again. On a thread that heeds a
/// [flag](crate::stop_flag), which signals do not reach, that stops the work too.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Watch<'_>) -> T + Send,
) -> Result<T> {
    let flag = Flag::heeded();
    let (outcome, raised) = py.detach(|| {
        let mut raised: Option<PyErr> = None;
        let mut flow = ControlFlow::Continue(());
        let mut watch = |done: usize| {
            if flag.as_ref().is_some_and(Flag::is_set) {
                flow = ControlFlow::Break(());
            }
            if flow.is_continue() {
                flow = Python::attach(|py| look(py, progress, done)).unwrap_or_else(|error| {
                    raised = Some(error);
                    ControlFlow::Break(())
                });
            }
            flow
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
        Some(callback) if !goes_on(&callback.bind(py).call1((done,))?)? => Ok(ControlFlow::Break(())),
        _ => Ok(ControlFlow::Continue(())),
    }
}

/// What a callback's answer means: `None` and whatever is true go on, whatever else is false (`False`,
/// numpy's too, or 0) stops.
pub fn goes_on(answer: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(answer.is_none() || answer.is_truthy()?)
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
    match whole(value) {
        Some(number) if range.contains(&number) => Ok(number),
        Some(_) => {
            let (low, high, value) = (range.start(), range.end(), shown(value));
            Err(Error::Setting(match *high {
                i64::MAX => format!("{name} must be at least {low}, got {value}"),
                _ => format!("{name} must be from {low} to {high}, got {value}"),
            }))
        }
        None => Err(not_whole(name, value)),
    }
}

/// A whole number, the nearest that 64 bits hold; `None` for anything else, `True` and `1.0` included.
pub fn whole(value: &Bound<'_, PyAny>) -> Option<i64> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    match value.extract::<i64>() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Some(if value.lt(0).unwrap_or(false) { i64::MIN } else { i64::MAX })
        }
        Err(_) => None,
    }
}

fn not_whole(name: &str, value: &Bound<'_, PyAny>) -> Error {
    PyTypeError::new_err(format!("{name} must be a whole number, got {}", shown(value))).into()
}

/// A seed: any whole number from 0 to 2^64 - 1.
pub fn seed(value: &Bound<'_, PyAny>) -> Result<u64> {
    match whole(value).map(|_| value.extract::<u64>()) {
        Some(Ok(seed)) => Ok(seed),
        Some(Err(_)) => {
            Err(Error::Setting(format!("seed must be from 0 to 2**64 - 1, got {}", shown(value))))
        }
        None => Err(not_whole("seed", value)),
    }
}

/// A text of the format `format`; one that Python holds but UTF-8 cannot is unreadable.
pub fn text<'a>(format: &'static str, value: &'a Bound<'_, PyString>) -> Result<Cow<'a, str>> {
    value.to_cow().map_err(|_| {
        let readable = value.to_string_lossy();
        let offset = readable.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
        ParseError::new(format, &readable, offset, ParseErrorKind::Unexpected("a Unicode character")).into()
    })
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
