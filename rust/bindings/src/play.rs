//! `Plays`: what a roll can lead to, made into Python objects only where looked at; and `Play`.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use gammon_core::codec::posid;
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::{Backgammon, Move, ParseError, Play, PlayError, PlayProblem, Position, Roll};
use numpy::PyArray3;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString, PyTuple};

use crate::arrays;
use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result, shown};
use crate::position::{PyPosition, Stored, position_like};
use crate::runtime::{text as text_of, whole};
use crate::values::{Picked, picked};

thread_local! {
    /// One generator buffer a thread, so that a call allocates nothing but its own results.
    static BUFFER: RefCell<PlayBuf> = RefCell::new(PlayBuf::new());
}

/// One way to play a roll.
///
/// Plays are equal if they lead from the same position with the same roll to the same position; `str()`
/// writes one the usual way, as `24/18*/13`, `bar/22(2)` or `6/off`. `Play(position, roll, play)` is
/// `position.play(play, roll)`, and raises what that does.
#[pyclass(name = "Play", module = "gammon", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyPlay {
    before: Stored,
    after: Stored,
    roll: Roll,
}

impl PyPlay {
    /// The play that leads from `before` with `roll` to `after`, which is known to be one of its results.
    pub fn new(before: Stored, roll: Roll, after: &Position) -> PyPlay {
        PyPlay { before, after: Stored::new(*after), roll }
    }

    /// The play that `written` means: a text, a play of another position or roll, or pairs of points.
    pub fn resolve(position: Position, roll: Roll, written: &Bound<'_, PyAny>) -> Result<PyPlay> {
        let before = Stored::new(position);
        if let Ok(text) = written.cast::<PyString>() {
            let (_, after) = Play::resolve(&position, roll, &text_of("play", text)?)?;
            return Ok(PyPlay::new(before, roll, &after));
        }
        if let Ok(play) = written.cast::<PyPlay>() {
            let (_, after) = Play::resolve(&position, roll, &play.get().words()?.to_string())?;
            return Ok(PyPlay::new(before, roll, &after));
        }
        let moves = moves_of(written, roll)?;
        let (_, after) = Play::resolve_moves(&position, roll, &moves)?;
        Ok(PyPlay::new(before, roll, &after))
    }

    /// Whether it is a play of `roll` from `before`.
    pub fn is_of(&self, before: Stored, roll: Roll) -> bool {
        self.before == before && self.roll == roll
    }

    /// The position after the play.
    pub fn result(&self) -> Position {
        self.after.get()
    }

    /// The moves, worked out from the two positions: nobody looks at those of most plays.
    fn words(&self) -> Result<Play> {
        let (before, after) = (self.before.get(), self.after.get());
        Play::between(&before, self.roll, &after).ok_or_else(|| {
            Error::Internal(format!(
                "internal error, please report it: no play {} {before:?} {after:?}",
                self.roll
            ))
        })
    }
}

/// The moves that pairs of points mean; at most five, one more than any play has.
fn moves_of(written: &Bound<'_, PyAny>, roll: Roll) -> Result<Vec<Move>> {
    let wrong = || {
        PyTypeError::new_err(format!(
            "a play is a text such as '8/5 6/5', a Play, or pairs of points such as [(8, 5), (6, 5)]; got {}",
            shown(written)
        ))
    };
    let point = |number: &Bound<'_, PyAny>| -> Result<u8> {
        let number = whole(number).ok_or_else(wrong)?;
        u8::try_from(number).map_err(|_| {
            let play = ParseError::shortened(&shown(written)).to_owned();
            Error::Play(PlayError { play, roll, problem: PlayProblem::NoSuchPoint(number) })
        })
    };
    let mut moves = Vec::new();
    for pair in written.try_iter().map_err(|_| wrong())?.take(5) {
        let ends = pair?.try_iter().map_err(|_| wrong())?.take(3).collect::<PyResult<Vec<_>>>()?;
        let [from, to] = ends.as_slice() else { return Err(wrong().into()) };
        moves.push(Move { from: point(from)?, to: point(to)? });
    }
    Ok(moves)
}

#[pymethods]
impl PyPlay {
    #[new]
    fn py_new(
        position: &Bound<'_, PyAny>,
        roll: &Bound<'_, PyAny>,
        play: &Bound<'_, PyAny>,
    ) -> Result<PyPlay> {
        PyPlay::resolve(position_like(position)?, roll_like(roll)?, play)
    }

    /// The position before the play, the player on roll.
    #[getter]
    fn before(&self) -> PyPosition {
        PyPosition::new(self.before.get())
    }

    /// The position after the play, the opponent on roll.
    #[getter]
    fn after(&self) -> PyPosition {
        PyPosition::new(self.after.get())
    }

    /// The roll that was played.
    #[getter]
    fn roll(&self) -> PyRoll {
        PyRoll(self.roll)
    }

    /// The moves of single checkers by single dice, as pairs of points; 25 is the bar, 0 is off.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyTuple>> {
        Ok(PyTuple::new(py, self.words()?.moves().iter().map(|part| (part.from, part.to)))?)
    }

    /// How many blots are hit.
    #[getter]
    fn hits(&self) -> Result<u32> {
        Ok(self.words()?.hit_count())
    }

    /// Whether nothing could be played.
    #[getter]
    pub fn is_pass(&self) -> bool {
        self.before.get().flip() == self.after.get()
    }

    pub fn __str__(&self) -> Result<String> {
        Ok(self.words()?.to_string())
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("gammon.viz._notebook")?.call_method1("play", (slf,))
    }

    fn __repr__(&self) -> Result<String> {
        Ok(format!("Play('{}', '{}', '{}')", posid::print(&self.before.get()), self.roll, self.words()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, (PyPosition, PyRoll, String))> {
        let parts = (self.before(), PyRoll(self.roll), self.words()?.to_string());
        Ok((py.get_type::<PyPlay>().into_any(), parts))
    }
}

/// The legal plays of one roll, distinct by the position they lead to.
///
/// `Plays(position, roll)` is `position.plays(roll)`. Two are equal if position and roll are.
#[pyclass(name = "Plays", module = "gammon", frozen, sequence, eq, hash)]
pub struct PyPlays {
    before: Stored,
    roll: Roll,
    is_pass: bool,
    results: Box<[Position]>,
}

/// The plays follow from the position and the roll.
impl PartialEq for PyPlays {
    fn eq(&self, other: &PyPlays) -> bool {
        (self.before, self.roll) == (other.before, other.roll)
    }
}

impl Hash for PyPlays {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.before, self.roll).hash(state);
    }
}

impl PyPlays {
    /// All plays of `roll` from `position`.
    pub fn new(position: Position, roll: Roll) -> PyPlays {
        BUFFER.with_borrow_mut(|buffer| {
            movegen::plays::<Backgammon>(&position, roll, buffer);
            PyPlays {
                before: Stored::new(position),
                roll,
                is_pass: buffer.is_pass(),
                results: buffer.positions().into(),
            }
        })
    }

    fn play(&self, after: &Position) -> PyPlay {
        PyPlay::new(self.before, self.roll, after)
    }

    fn place(&self, play: &PyPlay) -> Option<usize> {
        let after = play.after.get();
        let same = self.before == play.before && self.roll == play.roll;
        self.results.iter().position(|result| *result == after).filter(|_| same)
    }
}

#[pymethods]
impl PyPlays {
    #[new]
    fn py_new(position: &Bound<'_, PyAny>, roll: &Bound<'_, PyAny>) -> Result<PyPlays> {
        Ok(PyPlays::new(position_like(position)?, roll_like(roll)?))
    }

    fn __repr__(&self) -> String {
        format!("Plays('{}', '{}')", posid::print(&self.before.get()), self.roll)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (PyPosition, PyRoll)) {
        (py.get_type::<PyPlays>().into_any(), (self.before(), self.roll()))
    }

    fn __len__(&self) -> usize {
        self.results.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        match picked(index, self.results.len())? {
            Picked::One(place) => Ok(Bound::new(py, self.play(&self.results[place]))?.into_any()),
            Picked::Some(places) => {
                let plays = places.into_iter().map(|place| Py::new(py, self.play(&self.results[place])));
                Ok(PyList::new(py, plays.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let plays: Vec<Py<PyPlay>> =
            self.results.iter().map(|after| Py::new(py, self.play(after))).collect::<PyResult<_>>()?;
        PyList::new(py, plays)?.try_iter()
    }

    fn __contains__(&self, play: &Bound<'_, PyAny>) -> bool {
        play.cast::<PyPlay>().is_ok_and(|play| self.place(play.get()).is_some())
    }

    /// The number of the play in this sequence. Raises `ValueError` if it is not among them.
    fn index(&self, play: &Bound<'_, PyAny>) -> Result<usize> {
        let found = play.cast::<PyPlay>().ok().and_then(|play| self.place(play.get()));
        match found {
            Some(place) => Ok(place),
            None => Err(PyValueError::new_err(format!("{} is not among these plays", shown(play))).into()),
        }
    }

    /// 1 if the play is in this sequence, else 0.
    fn count(&self, play: &Bound<'_, PyAny>) -> usize {
        usize::from(self.__contains__(play))
    }

    /// The position before the roll is played.
    #[getter]
    fn before(&self) -> PyPosition {
        PyPosition::new(self.before.get())
    }

    /// The roll.
    #[getter]
    fn roll(&self) -> PyRoll {
        PyRoll(self.roll)
    }

    /// Whether nothing can be played: the only entry then hands the position over.
    #[getter]
    fn is_pass(&self) -> bool {
        self.is_pass
    }

    /// Whether there is nothing to choose: one play, or none.
    #[getter]
    fn is_forced(&self) -> bool {
        self.results.len() == 1
    }

    /// The positions after each play, the opponent on roll, as a new `uint8[n, 2, 25]`.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray3<u8>>> {
        arrays::boards(py, &self.results)
    }
}
