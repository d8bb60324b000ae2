//! What the fuzz targets share. The checks themselves are those of the core's tests, which replay the
//! committed corpus.

#[path = "../../core/tests/fuzz_checks/mod.rs"]
pub mod checks;
