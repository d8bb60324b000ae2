//! The caller's table of values.

use std::sync::{Arc, Mutex};

use gammon_core::search::Cache;
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::runtime::integer;

/// Most values of a cache: some 10 GB.
const MAX_ENTRIES: i64 = 1 << 26;

/// Values worked out by searches, for later ones.
#[pyclass(name = "SearchCache", module = "gammon.search", frozen)]
pub struct PyCache(pub(super) Arc<Mutex<Cache>>);

#[pymethods]
impl PyCache {
    #[new]
    #[pyo3(signature = (entries = None))]
    fn new(entries: Option<&Bound<'_, PyAny>>) -> Result<PyCache> {
        let entries = entries.map_or(Ok(1 << 16), |value| integer("entries", value, 1..=MAX_ENTRIES))?;
        Ok(PyCache(Arc::new(Mutex::new(Cache::new(entries as usize)))))
    }

    /// How often a value was found.
    #[getter]
    fn hits(&self) -> Result<u64> {
        using(&self.0, |cache| cache.hits())
    }

    /// How often a value was not there.
    #[getter]
    fn misses(&self) -> Result<u64> {
        using(&self.0, |cache| cache.misses())
    }

    /// Forgets everything.
    fn clear(&self) -> Result<()> {
        using(&self.0, Cache::clear)
    }
}

/// Something done with a cache that no search is using.
///
/// Never waits: the search that holds the cache may itself be waiting for the interpreter.
pub(super) fn using<T>(cache: &Mutex<Cache>, work: impl FnOnce(&mut Cache) -> T) -> Result<T> {
    let mut cache = cache
        .try_lock()
        .map_err(|_| Error::Setting("the cache is in use by another search: give each its own".to_owned()))?;
    Ok(work(&mut cache))
}
