//! The extension module `gammon._native`: converts types, releases the interpreter lock, maps errors.
//!
//! There is no backgammon in here; that is `gammon-core`.

#![allow(
    clippy::doc_lazy_continuation,
    reason = "what Python sees are its docstrings, with examples after >>>"
)]

mod arrays;
mod batch;
mod bearoff;
mod chance;
mod composite;
mod cube;
mod dice;
mod errors;
mod evaluator;
mod family;
mod fit;
mod game_rollout;
mod judge;
mod met;
mod play;
mod position;
mod rollout;
mod rollout_part;
mod rollout_settings;
mod rollout_subject;
mod runtime;
mod search;
mod situation;
mod steps;
mod stop_flag;
mod study;
mod train;
mod training_data;
mod values;
mod variants;

use pyo3::prelude::*;

/// Python's allocator aligns what classes hold to 16 bytes, and positions want 32: a class boxes what contains one.
const PYTHON_ALIGNMENT: usize = 16;

macro_rules! aligned_for_python {
    ($($class:ty),* $(,)?) => {
        $(const _: () = assert!(align_of::<$class>() <= PYTHON_ALIGNMENT, "it holds a position: box it");)*
    };
}

aligned_for_python!(
    bearoff::PyEquities,
    bearoff::PyHypergammon,
    bearoff::PyRace,
    composite::PyComposite,
    cube::PyCubeDecision,
    evaluator::PyNet,
    fit::PyFit,
    judge::PyGameNet,
    judge::PyPipCount,
    play::PyPlay,
    play::PyPlays,
    position::PyPosition,
    rollout_part::PyPart,
    rollout_subject::PySubject,
    situation::PySituation,
    steps::PyStep,
    train::PyTraining,
    training_data::PyData,
    variants::PyRules,
    variants::PyState,
);

#[pymodule]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use super::batch::{PyPerft, PyRandomGames, expand, perft, random_games};
    #[pymodule_export]
    use super::bearoff::{
        PyBearoff, PyEquities, PyHypergammon, PyOneSided, PyRace, PyRaceCount, PyTwoSided,
        race_count_columns, race_counts, verdict_on_epc,
    };
    #[pymodule_export]
    use super::chance::{random_numbers, rolls};
    #[pymodule_export]
    use super::composite::PyComposite;
    #[pymodule_export]
    use super::cube::{
        PyCubeDecision, PyCubeDecisions, PyCubePoints, cube_decision, cube_decisions, cube_matrix,
        cube_points,
    };
    #[pymodule_export]
    use super::dice::{PyRoll, seeded_throw};
    #[pymodule_export]
    use super::errors::{
        ArrayError, CheckpointError, CubeError, DataFormatError, DivergedError, EvaluatorError, GammonError,
        IllegalPlayError, IllegalPositionError, IllegalRollError, IllegalSituationError, MetError,
        MissingTableError, NetFormatError, ParseError, SettingError, Stopped, TableFormatError,
    };
    #[pymodule_export]
    use super::evaluator::{PyBuiltIn, PyNet, evaluate_with};
    #[pymodule_export]
    use super::family::{variant_choices, variant_duel, variant_numbers, variant_prizes};
    #[pymodule_export]
    use super::fit::{PyFit, PyFitReport};
    #[pymodule_export]
    use super::judge::{PyGameNet, PyPipCount};
    #[pymodule_export]
    use super::met::PyMet;
    #[pymodule_export]
    use super::play::{PyPlay, PyPlays};
    #[pymodule_export]
    use super::position::PyPosition;
    #[pymodule_export]
    use super::rollout::{roll_out, roll_out_many};
    #[pymodule_export]
    use super::rollout_part::PyPart;
    #[pymodule_export]
    use super::rollout_subject::PySubject;
    #[pymodule_export]
    use super::runtime::{build_info, thread_count};
    #[pymodule_export]
    use super::search::{
        PyCache, PyRankedPlay, PyRanking, rank_at_scores, rank_plays, rank_rolls, search_cube, search_cubes,
        search_values,
    };
    #[pymodule_export]
    use super::situation::{PySituation, parse};
    #[pymodule_export]
    use super::steps::PyStep;
    #[pymodule_export]
    use super::stop_flag::PyStopFlag;
    #[pymodule_export]
    use super::study::{PyFeatures, features, shots};
    #[pymodule_export]
    use super::train::{PyReport, PyTraining};
    #[pymodule_export]
    use super::training_data::{PyData, active_rows, label_games, label_settings, row_count};
    #[pymodule_export]
    use super::variants::{PyRules, PyState};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("PHASES", super::study::phase_names(module.py())?)
    }
}
