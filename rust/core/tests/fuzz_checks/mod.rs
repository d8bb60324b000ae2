//! What must hold for any bytes whatever: one module for each thing that is fuzzed.
//!
//! Every `check` panics if the library breaks a promise, and returns whether the bytes meant something
//! (a readable text, a legal position), so that a run can tell that it got beyond the refusals. The same
//! functions run under libFuzzer (`rust/fuzz`) and, on the committed corpus, in `cargo test`.

pub mod bytes;
pub mod checkpoint;
pub mod config;
pub mod data_file;
pub mod fibs;
pub mod files;
pub mod fit_checkpoint;
pub mod matchid;
pub mod movegen;
pub mod net_file;
pub mod parse;
pub mod play;
pub mod posid;
pub mod roll;
pub mod rows;
pub mod text;
pub mod xgid;
