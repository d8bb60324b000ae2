//! `Position`, and everything that is taken for one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use gammon_core::board_text::draw;
use gammon_core::codec::{self, fibs, posid, xgid};
use gammon_core::eval::Phase;
use gammon_core::movegen::PlayBuf;
use gammon_core::position::{BAR, Counts};
use gammon_core::rng::Stream;
use gammon_core::study::random_position;
use gammon_core::{Position, Situation};
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString};

use crate::arrays;
use crate::dice::roll_like;
use crate::errors::{Error, Result, shown};
use crate::play::{PyPlay, PyPlays};
use crate::runtime::{self, whole};
use crate::situation::PySituation;
use crate::steps::{self, PyStep};

/// A position's bytes without its alignment of 32, which Python's allocator does not promise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stored([u8; 32]);

impl Stored {
    /// Takes the bytes.
    pub fn new(position: Position) -> Stored {
        // SAFETY: `Position` is 32 bytes without padding (its size is asserted in the core), so every
        // byte is initialised.
        Stored(unsafe { std::mem::transmute::<Position, [u8; 32]>(position) })
    }

    /// Gives the position back.
    pub fn get(self) -> Position {
        // SAFETY: the bytes were a `Position` in `new`, the only way to make a `Stored`.
        unsafe { std::mem::transmute::<[u8; 32], Position>(self.0) }
    }
}

/// Where all checkers stand, seen by the player about to roll.
///
/// Two positions are equal if all checkers stand alike. `Position(text)` reads any identifier.
///
/// Raises `ParseError` for a text that is none, `TypeError` for anything that is no position.
#[pyclass(name = "Position", module = "gammon", frozen, eq)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PyPosition(Stored);

impl PyPosition {
    /// Wraps a position of the core.
    pub fn new(position: Position) -> PyPosition {
        PyPosition(Stored::new(position))
    }

    /// The position of the core.
    pub fn get(&self) -> Position {
        self.0.get()
    }

    /// An expression that makes it again.
    pub fn repr(&self) -> String {
        format!("Position('{}')", posid::print(&self.get()))
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    fn py_new(position: &Bound<'_, PyAny>) -> Result<PyPosition> {
        position_like(position).map(PyPosition::new)
    }

    /// The start of the standard game.
    #[staticmethod]
    fn start() -> PyPosition {
        PyPosition::new(Position::START)
    }

    /// The position with these checkers.
    ///
    /// Each side is a mapping of points, counted from that side's own ace point (1) to 24 and the bar
    /// (25 or 'bar'), to the number of checkers there. Those missing from 15 are borne off.
    ///
    /// Raises `IllegalPositionError`, naming every reason found.
    ///
    /// >>> import gammon
    /// >>> gammon.Position.from_points({6: 2, "bar": 1}, {1: 2}).pip_count
    /// (37, 2)
    #[staticmethod]
    fn from_points(roller: &Bound<'_, PyAny>, opponent: &Bound<'_, PyAny>) -> Result<PyPosition> {
        let sides = (counts("roller", roller)?, counts("opponent", opponent)?);
        Ok(PyPosition::new(Position::from_counts(&sides.0, &sides.1)?))
    }

    /// The position of a `uint8[2, 25]`: the player on roll first, each side from its own ace point.
    ///
    /// A row holds the checkers on the side's points 1 to 24 and, last, on the bar. Those missing from 15 are
    /// borne off.
    ///
    /// Raises `ArrayError` for another dtype or shape, `IllegalPositionError` for checkers that are no
    /// position.
    ///
    /// >>> import gammon
    /// >>> start = gammon.Position.start()
    /// >>> gammon.Position.from_board(start.board) == start
    /// True
    #[staticmethod]
    fn from_board(board: &Bound<'_, PyAny>) -> Result<PyPosition> {
        arrays::position(board).map(PyPosition::new)
    }

    /// The position of a Position ID: 14 characters, as GNU Backgammon prints them.
    ///
    /// Raises `ParseError`.
    ///
    /// >>> import gammon
    /// >>> gammon.Position.from_id("4HPwATDgc/ABMA") == gammon.Position.start()
    /// True
    #[staticmethod]
    fn from_id(text: &Bound<'_, PyString>) -> Result<PyPosition> {
        let text = runtime::text("Position ID", text)?;
        Ok(PyPosition::new(posid::parse(&text)?))
    }

    /// The position of an XGID, seen by the player whose roll it is; `parse` gives the rest as well.
    ///
    /// Raises `ParseError`.
    ///
    /// >>> import gammon
    /// >>> gammon.Position.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10").pip_count
    /// (167, 167)
    #[staticmethod]
    fn from_xgid(text: &Bound<'_, PyString>) -> Result<PyPosition> {
        let text = runtime::text("xgid", text)?;
        Ok(PyPosition::new(xgid::parse(&text)?.position))
    }

    /// The position of a FIBS board line, seen by the player whose roll it is; `parse` gives the rest as well.
    ///
    /// Raises `ParseError`.
    ///
    /// >>> import gammon
    /// >>> line = gammon.parse("start").to("fibs")[0]
    /// >>> line[:18], gammon.Position.from_fibs(line).pip_count
    /// ('board:You:Opponent', (167, 167))
    #[staticmethod]
    fn from_fibs(text: &Bound<'_, PyString>) -> Result<PyPosition> {
        let text = runtime::text("fibs", text)?;
        Ok(PyPosition::new(fibs::parse(&text)?.position))
    }

    /// The Position ID.
    #[getter]
    fn id(&self) -> String {
        posid::print(&self.get())
    }

    /// The checkers as a new `uint8[2, 25]`.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        arrays::board(py, &self.get())
    }

    /// Pips the player on roll and the opponent still need.
    #[getter]
    fn pip_count(&self) -> (u32, u32) {
        self.get().pip_counts()
    }

    /// Checkers the player on roll and the opponent have borne off.
    #[getter]
    fn borne_off(&self) -> (u32, u32) {
        self.get().borne_off()
    }

    /// The same checkers seen by the other player: the roll is handed over.
    fn flip(&self) -> PyPosition {
        PyPosition::new(self.get().flip())
    }

    /// The legal plays of a roll: a sequence, distinct by the position they lead to, never empty.
    ///
    /// A roll is a `Roll`, a text such as '31', '3-1' or '3 1', or two numbers: a tuple, a list or an array,
    /// in either order. A roll that cannot be played has one play, which hands the position over.
    ///
    /// Raises `ParseError` for a text that is no roll, `IllegalRollError` for anything else that is none.
    ///
    /// >>> import gammon
    /// >>> plays = gammon.Position.start().plays("31")
    /// >>> len(plays), plays.is_forced, plays == gammon.Position.start().plays((1, 3))
    /// (16, False, True)
    fn plays(&self, roll: &Bound<'_, PyAny>) -> Result<PyPlays> {
        Ok(PyPlays::new(self.get(), roll_like(roll)?))
    }

    /// The play that a text such as '8/5 6/5', a `Play` of any position, or pairs of points mean.
    ///
    /// Moves may come in any order, joined or one by one, with or without hit marks; 25 and 0 serve for
    /// the bar and off. The roll is what `plays` takes.
    ///
    /// Raises `ParseError` for a text that is no play or no roll, `IllegalPlayError` for a play that the
    /// roll does not allow, `IllegalRollError` for numbers that are no roll.
    ///
    /// >>> import gammon
    /// >>> play = gammon.Position.start().play([(6, 5), (8, 5)], (3, 1))
    /// >>> str(play), play.after.id
    /// ('8/5 6/5', 'sGfwATDgc/ABMA')
    fn play(&self, play: &Bound<'_, PyAny>, roll: &Bound<'_, PyAny>) -> Result<PyPlay> {
        PyPlay::resolve(self.get(), roll_like(roll)?, play)
    }

    /// The single checkers that may move now so that the whole turn stays legal.
    ///
    /// `dice` is a whole roll (a `Roll` or a text), or the numbers that are left of one. Nothing to step
    /// means that the turn is complete.
    ///
    /// Raises `ParseError` for a text that is no roll, `IllegalRollError` for dice no turn can have left.
    ///
    /// >>> import gammon
    /// >>> step = gammon.Position.start().steps("66")[0]
    /// >>> str(step), step.dice_left, len(step.after.steps(step.dice_left))
    /// ('24/18', (6, 6, 6), 3)
    fn steps(&self, dice: &Bound<'_, PyAny>) -> Result<Vec<PyStep>> {
        Ok(steps::legal_steps(&self.get(), steps::dice_left(dice)?))
    }

    /// A position of a phase, drawn from semi-random games; the same seed gives the same position.
    ///
    /// `phase` is one of `PHASES`.
    ///
    /// Raises `SettingError` for an unknown phase or a seed that is not from 0 to 2**64 - 1.
    ///
    /// >>> import gammon
    /// >>> gammon.Position.random("bearoff", 1).phase
    /// 'bearoff'
    #[staticmethod]
    fn random(phase: &str, seed: &Bound<'_, PyAny>) -> Result<PyPosition> {
        let stream = Stream::new(runtime::seed(seed)?, 0);
        Ok(PyPosition::new(random_position(phase.parse()?, stream, &mut PlayBuf::new())))
    }

    /// What kind of position it is: one of `PHASES`.
    #[getter]
    fn phase(&self) -> &'static str {
        Phase::of(&self.get()).name()
    }

    /// Whether the sides can no longer hit each other (true of a finished game too).
    #[getter]
    fn is_race(&self) -> bool {
        self.get().is_race()
    }

    /// Whether one side has borne off everything.
    #[getter]
    fn is_over(&self) -> bool {
        self.get().is_over()
    }

    fn __repr__(&self) -> String {
        self.repr()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<PyPosition>().into_any(), (self.id(),))
    }

    fn __str__(&self) -> String {
        draw(&Situation::money(self.get())).trim_end().to_owned()
    }

    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("gammon.viz")?.call_method1("svg", (*self,))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// Whatever is taken for a position, as one.
pub fn position_like(value: &Bound<'_, PyAny>) -> Result<Position> {
    if let Ok(position) = value.cast::<PyPosition>() {
        return Ok(position.get().get());
    }
    if let Ok(situation) = value.cast::<PySituation>() {
        return Ok(situation.get().core_position());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(codec::parse(&runtime::text("identifier", text)?)?.0.position);
    }
    let kind = value.get_type().name()?;
    let hint = match value.hasattr("__array__")? || value.is_instance_of::<PyList>() {
        true => "; Position.from_board makes a position of a board",
        false => "",
    };
    let text = format!("expected a Position, a Situation or an identifier, got {kind}{hint}");
    Err(PyTypeError::new_err(text).into())
}

/// One side given as a mapping of points to checkers.
fn counts(side: &str, value: &Bound<'_, PyAny>) -> Result<Counts> {
    let bad = |text: String| Error::Points(format!("{side}: {text}"));
    let wrong = |text: String| -> Error { PyTypeError::new_err(format!("{side}: {text}")).into() };
    let mapping = value.cast::<PyMapping>().map_err(|_| {
        let expected = "expected a mapping of points to checkers, such as {24: 2, 13: 5}";
        wrong(format!("{expected}, got {}", shown(value)))
    })?;
    let mut counts = [None; BAR + 1];
    for item in mapping.items()? {
        let (point, checkers): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let no_point = || format!("no point {}: expected 1 to 24, or 25 or 'bar'", shown(&point));
        let place = match whole(&point) {
            Some(number @ 1..=25) => number as usize - 1,
            None if point.is_instance_of::<PyString>() && point.eq("bar")? => BAR,
            None if !point.is_instance_of::<PyString>() => return Err(wrong(no_point())),
            _ => return Err(bad(no_point())),
        };
        let no_checkers =
            || format!("{} checkers on point {}: expected 0 to 15", shown(&checkers), shown(&point));
        let number = match whole(&checkers) {
            // More than 15 is for the position to refuse, with its other problems.
            Some(number @ 0..=255) => number as u8,
            Some(_) => return Err(bad(no_checkers())),
            None => return Err(wrong(no_checkers())),
        };
        if counts[place].replace(number).is_some() {
            return Err(bad("the bar is given twice, as 25 and as 'bar'".to_owned()));
        }
    }
    Ok(counts.map(Option::unwrap_or_default))
}
