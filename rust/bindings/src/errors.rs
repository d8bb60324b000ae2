//! The exception classes, and the only conversion of the core's errors to them.

use std::path::Path;

use gammon_core::bearoff::TableError;
use gammon_core::cube::{CubeError as CoreCubeError, MetError as CoreMetError};
use gammon_core::eval::UnknownPhase;
use gammon_core::movegen::ExpandError;
use gammon_core::nn::NetFormatError as CoreNetFormatError;
use gammon_core::parallel::Cancelled;
use gammon_core::rows::RowError;
use gammon_core::situation::{SituationError, SituationProblem};
use gammon_core::train::{
    CheckpointError as CoreCheckpointError, ConfigError, DataError, Diverged, SaveError,
};
use gammon_core::{OutOfMemory, ParseError as CoreParseError, PlayError, PlayTextError, PositionError};
use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

create_exception!(gammon.errors, GammonError, PyValueError, "Base of the errors gammon raises.");
create_exception!(
    gammon.errors,
    ParseError,
    GammonError,
    "A text could not be read.\n\nAttributes: `format` (what was expected, e.g. 'xgid'), `text`, `offset` (where \
     reading failed) and `reason`."
);
create_exception!(
    gammon.errors,
    IllegalPositionError,
    GammonError,
    "Checkers that are no position.\n\nAttribute: `problems`, one sentence for every reason found."
);
create_exception!(
    gammon.errors,
    IllegalSituationError,
    GammonError,
    "Score, cube, dice and offer that contradict one another.\n\nAttribute: `problems`, one sentence for every \
     reason found."
);
create_exception!(gammon.errors, IllegalRollError, GammonError, "Two numbers that are no throw of two dice.");
create_exception!(
    gammon.errors,
    IllegalPlayError,
    GammonError,
    "A play that the position and the roll do not allow.\n\nAttributes: `play`, `roll` and `reason`."
);
create_exception!(
    gammon.errors,
    ArrayError,
    GammonError,
    "An array of the wrong dtype or shape, or with numbers that are no chances.\n\nA bad row of points or dice is an \
     `IllegalPositionError` or an `IllegalRollError`."
);
create_exception!(gammon.errors, SettingError, GammonError, "An option outside its range.");
create_exception!(
    gammon.errors,
    EvaluatorError,
    GammonError,
    "An evaluator that returned something unusable; an exception it raises itself comes out as it is."
);
create_exception!(
    gammon.errors,
    CheckpointError,
    GammonError,
    "Bytes that are no checkpoint of a training this build can continue."
);
create_exception!(
    gammon.errors,
    DivergedError,
    GammonError,
    "A training or fit whose weights have grown beyond what a net can hold: its learning rates are too high."
);
create_exception!(
    gammon.errors,
    MetError,
    GammonError,
    "A match equity table that is unknown, unusable, or does not reach a score."
);
create_exception!(
    gammon.errors,
    CubeError,
    GammonError,
    "A cube decision that cannot be made: no chances, a finished game, or a double that may not be offered."
);
create_exception!(
    gammon.errors,
    DataFormatError,
    GammonError,
    "A file that is no training data, another version of it, or damaged."
);
create_exception!(gammon.errors, NetFormatError, GammonError, "Bytes that are no net this build can use.");
create_exception!(
    gammon.errors,
    TableFormatError,
    GammonError,
    "A file that is no bear-off table, another kind or version of one, or a damaged one."
);
create_exception!(
    gammon.errors,
    MissingTableError,
    PyLookupError,
    "A position outside the table that was asked, or a table that is not there."
);
create_exception!(
    gammon.errors,
    Stopped,
    PyRuntimeError,
    "A progress callback stopped a call that has no partial result."
);

/// Everything that can go wrong behind a binding.
#[derive(Debug)]
pub enum Error {
    /// A text could not be read.
    Parse(CoreParseError),
    /// Checkers that are no position.
    Position(PositionError),
    /// Parts that contradict one another.
    Situation(SituationError),
    /// A play that is not allowed.
    Play(PlayError),
    /// A row of an array that is no position.
    Row(RowError),
    /// Points that cannot hold checkers as asked; the text says which.
    Points(String),
    /// A position that another game cannot have: the whole text, and each reason.
    Problems(String, Vec<String>),
    /// Numbers that are no roll; the text says which.
    Roll(String),
    /// An unusable array; the text says why and where.
    Array(String),
    /// An option outside its range; the text names it.
    Setting(String),
    /// An evaluator that could not answer, or not usably.
    Evaluator(String),
    /// A match equity table that cannot be used; the text says why.
    Met(String),
    /// A cube decision that cannot be made; the text says why.
    Cube(String),
    /// Bytes that are no net.
    Net(CoreNetFormatError),
    /// A file that is no bear-off table.
    Table(TableError),
    /// A position outside a table; the text says which.
    Missing(String),
    /// Bytes that are no checkpoint.
    Checkpoint(CoreCheckpointError),
    /// Weights that are no net any more.
    Diverged(Diverged),
    /// A file that is no training data; the text says which, and why.
    Data(String),
    /// Stopped by a progress callback that returned `False`.
    Stopped(Cancelled),
    /// Results that do not fit into memory.
    Memory(OutOfMemory),
    /// A broken promise inside the core, caught before it could cross the boundary.
    Internal(String),
    /// An exception raised by Python code on the way: passed through unchanged.
    Python(PyErr),
}

/// Result of a binding.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<CoreParseError> for Error {
    fn from(error: CoreParseError) -> Error {
        Error::Parse(error)
    }
}

impl From<PositionError> for Error {
    fn from(error: PositionError) -> Error {
        Error::Position(error)
    }
}

impl From<SituationError> for Error {
    fn from(error: SituationError) -> Error {
        Error::Situation(error)
    }
}

impl From<PlayError> for Error {
    fn from(error: PlayError) -> Error {
        Error::Play(error)
    }
}

impl From<PlayTextError> for Error {
    fn from(error: PlayTextError) -> Error {
        match error {
            PlayTextError::Parse(error) => Error::Parse(error),
            PlayTextError::Illegal(error) => Error::Play(error),
        }
    }
}

impl From<RowError> for Error {
    fn from(error: RowError) -> Error {
        Error::Row(error)
    }
}

impl From<UnknownPhase> for Error {
    fn from(error: UnknownPhase) -> Error {
        Error::Setting(error.to_string())
    }
}

impl From<CoreNetFormatError> for Error {
    fn from(error: CoreNetFormatError) -> Error {
        Error::Net(error)
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        match error {
            TableError::Io(error) => Error::Python(error.into()),
            other => Error::Table(other),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Python(error.into())
    }
}

impl Error {
    /// An error about a file, which it names as Python's own do.
    pub fn of_file(error: std::io::Error, path: &Path) -> Error {
        // On Windows the numbers are not those that Python's errors begin with.
        let Some(number) = error.raw_os_error().filter(|_| !cfg!(windows)) else {
            return Error::Python(error.into());
        };
        let text = error.to_string();
        let reason = text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned();
        Error::Python(PyOSError::new_err((number, reason, path.as_os_str().to_owned())))
    }

    /// An error about a checkpoint being saved.
    pub fn of_save(error: SaveError, path: &Path) -> Error {
        match error {
            SaveError::Diverged(error) => error.into(),
            SaveError::Io(error) => Error::of_file(error, path),
        }
    }

    /// An error about a file of training data.
    pub fn of_data(error: DataError, path: &Path) -> Error {
        let text = format!("{}: {error}", path.display());
        match error {
            DataError::Io(error) => Error::of_file(error, path),
            DataError::Cancelled => Error::Stopped(Cancelled),
            DataError::Recipe { .. }
            | DataError::LongRecipe { .. }
            | DataError::InUse
            | DataError::InTheWay { .. } => Error::Setting(text),
            DataError::NotData
            | DataError::Version { .. }
            | DataError::Damaged { .. }
            | DataError::Record { .. } => Error::Data(text),
        }
    }

    /// An error about a table file.
    pub fn of_table(error: TableError, path: &Path) -> Error {
        match error {
            TableError::Io(error) => Error::of_file(error, path),
            other => other.into(),
        }
    }
}

impl From<CoreCheckpointError> for Error {
    fn from(error: CoreCheckpointError) -> Error {
        Error::Checkpoint(error)
    }
}

impl From<Diverged> for Error {
    fn from(error: Diverged) -> Error {
        Error::Diverged(error)
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Error {
        Error::Setting(error.to_string())
    }
}

impl From<CoreMetError> for Error {
    fn from(error: CoreMetError) -> Error {
        Error::Met(error.to_string())
    }
}

impl From<CoreCubeError> for Error {
    fn from(error: CoreCubeError) -> Error {
        match error {
            CoreCubeError::Met(error) => error.into(),
            other => Error::Cube(other.to_string()),
        }
    }
}

impl From<Cancelled> for Error {
    fn from(error: Cancelled) -> Error {
        Error::Stopped(error)
    }
}

impl From<ExpandError> for Error {
    fn from(error: ExpandError) -> Error {
        match error {
            ExpandError::Cancelled(error) => Error::Stopped(error),
            ExpandError::OutOfMemory(error) => Error::Memory(error),
        }
    }
}

impl From<PyErr> for Error {
    fn from(error: PyErr) -> Error {
        Error::Python(error)
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        match error {
            Error::Parse(error) => Python::attach(|py| {
                let raised = ParseError::new_err(error.to_string());
                let value = raised.value(py);
                let filled = value
                    .setattr("format", error.format)
                    .and_then(|()| value.setattr("text", error.text))
                    .and_then(|()| value.setattr("offset", error.offset))
                    .and_then(|()| value.setattr("reason", error.kind.to_string()));
                filled.err().unwrap_or(raised)
            }),
            Error::Position(error) => {
                illegal_position(error.to_string(), error.problems.iter().map(ToString::to_string).collect())
            }
            Error::Situation(error) => {
                let mut problems = Vec::new();
                for problem in &error.problems {
                    match problem {
                        SituationProblem::Score(error) => {
                            problems.extend(error.problems.iter().map(ToString::to_string));
                        }
                        other => problems.push(other.to_string()),
                    }
                }
                with_problems(IllegalSituationError::new_err(error.to_string()), problems)
            }
            Error::Play(error) => illegal_play(
                error.to_string(),
                error.play.to_string(),
                error.roll.to_string(),
                error.problem.to_string(),
            ),
            Error::Row(RowError { index, error }) => illegal_position(
                format!("boards[{index}]: {error}"),
                error.problems.iter().map(ToString::to_string).collect(),
            ),
            Error::Points(text) => illegal_position(format!("illegal position: {text}"), vec![text]),
            Error::Problems(text, problems) => illegal_position(text, problems),
            Error::Roll(text) => IllegalRollError::new_err(text),
            Error::Array(text) => ArrayError::new_err(text),
            Error::Setting(text) => SettingError::new_err(text),
            Error::Evaluator(text) => EvaluatorError::new_err(text),
            Error::Met(text) => MetError::new_err(text),
            Error::Cube(text) => CubeError::new_err(text),
            Error::Net(error) => NetFormatError::new_err(error.to_string()),
            Error::Table(error) => TableFormatError::new_err(error.to_string()),
            Error::Missing(text) => MissingTableError::new_err(text),
            Error::Checkpoint(error) => CheckpointError::new_err(error.to_string()),
            Error::Data(text) => DataFormatError::new_err(text),
            Error::Diverged(error) => DivergedError::new_err(error.to_string()),
            Error::Stopped(error) => Stopped::new_err(error.to_string()),
            Error::Memory(error) => PyMemoryError::new_err(error.to_string()),
            Error::Internal(text) => PyRuntimeError::new_err(text),
            Error::Python(error) => error,
        }
    }
}

/// A value as a message quotes it: its `repr`, shortened if it is long.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().and_then(|text| text.extract::<String>());
    let text = text.unwrap_or_else(|_| format!("<{}>", value.get_type()));
    let short = CoreParseError::shortened(&text);
    if short.len() < text.len() { format!("{short}...") } else { text }
}

/// An `IllegalPlayError` with its attributes.
pub fn illegal_play(text: String, play: String, roll: String, reason: String) -> PyErr {
    Python::attach(|py| {
        let raised = IllegalPlayError::new_err(text);
        let value = raised.value(py);
        let filled = value
            .setattr("play", play)
            .and_then(|()| value.setattr("roll", roll))
            .and_then(|()| value.setattr("reason", reason));
        filled.err().unwrap_or(raised)
    })
}

fn illegal_position(text: String, problems: Vec<String>) -> PyErr {
    with_problems(IllegalPositionError::new_err(text), problems)
}

fn with_problems(raised: PyErr, problems: Vec<String>) -> PyErr {
    Python::attach(|py| {
        let filled = PyTuple::new(py, problems).and_then(|all| raised.value(py).setattr("problems", all));
        filled.err().unwrap_or(raised)
    })
}
