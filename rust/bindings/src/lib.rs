//! The extension module `gammon._native`: converts types, releases the interpreter lock, maps errors.
//!
//! There is no backgammon in here; that is `gammon-core`.

mod arrays;
mod batch;
mod dice;
mod errors;
mod play;
mod position;
mod runtime;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::{PyPerft, perft};
    #[pymodule_export]
    use super::dice::PyRoll;
    #[pymodule_export]
    use super::errors::{
        ArrayError, GammonError, IllegalPlayError, IllegalPositionError, IllegalRollError, ParseError,
        SettingError, Stopped,
    };
    #[pymodule_export]
    use super::play::{PyPlay, PyPlays};
    #[pymodule_export]
    use super::position::PyPosition;
    #[pymodule_export]
    use super::runtime::{build_info, thread_count};
}
