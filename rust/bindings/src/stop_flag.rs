//! A flag that stops the long calls of other threads.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

thread_local! {
    /// The flag that long calls of this thread heed.
    static HEEDED: RefCell<Option<Flag>> = const { RefCell::new(None) };
}

/// A flag as a call sees it.
#[derive(Clone, Default)]
pub struct Flag(Arc<AtomicBool>);

impl Flag {
    /// The flag that this thread heeds.
    pub fn heeded() -> Option<Flag> {
        HEEDED.with_borrow(Clone::clone)
    }

    /// Whether somebody wants to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ctrl-C reaches the main thread of Python alone: a flag passes it on to threads that work for it.
#[pyclass(name = "StopFlag", module = "gammon._native", frozen)]
pub struct PyStopFlag(Flag);

#[pymethods]
impl PyStopFlag {
    #[new]
    fn new() -> PyStopFlag {
        PyStopFlag(Flag::default())
    }

    /// Have long calls of this thread stop once the flag is set, as if their `progress` had asked for it.
    fn heed(&self) {
        HEEDED.set(Some(self.0.clone()));
    }

    /// Stop what heeds the flag, now and later.
    fn set(&self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}
