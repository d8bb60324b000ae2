//! `Situation`: what an identifier says, and the identifiers it can be written as.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use gammon_core::board_text::draw;
use gammon_core::codec::{self, Encoded, Format};
use gammon_core::outcome::Outcome;
use gammon_core::situation::Parts;
use gammon_core::{GameState, MatchState, Offer, ParseError, Player, Position, Seat, Situation};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result, shown};
use crate::position::{PyPosition, position_like};
use crate::runtime::{self, integer};

/// A moment of a game: position, score, cube, dice, pending offer, and who sits where.
///
/// `Situation(text)`, like `gammon.parse(text)`, reads any identifier; `str()` gives that identifier back.
/// Everything is named from the point of view of the player whose roll it is. Two situations are equal if
/// all their parts are, whatever they were read from.
///
/// Raises `ParseError`, naming the format, the place and the reason.
#[pyclass(name = "Situation", module = "gammon", frozen)]
pub struct PySituation {
    /// Boxed: a position wants an alignment that Python's allocator does not promise.
    situation: Box<Situation>,
    /// What it was read from, and is printed as.
    format: Format,
}

impl PySituation {
    fn new(situation: Situation, format: Format) -> PySituation {
        PySituation { situation: Box::new(situation), format }
    }

    /// The position, seen by the player whose roll it is.
    pub fn core_position(&self) -> Position {
        self.situation.position
    }

    /// The situation itself.
    pub fn core(&self) -> &Situation {
        &self.situation
    }

    fn encode(&self, format: Format) -> Encoded {
        codec::print(&self.situation, format)
    }
}

/// Read any identifier: an XGID, GNU Backgammon's ids, a FIBS board line, an OGID, or the word 'start'.
///
/// The lines `Position ID: …` and `Match ID: …` that GNU Backgammon prints may be pasted as they are.
///
/// Raises `ParseError`, naming the format, the place and the reason.
///
/// >>> import gammon
/// >>> situation = gammon.parse("Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAE")
/// >>> situation.format, situation.cube, situation.length
/// ('gnuid', 1, 0)
#[pyfunction]
pub fn parse(text: &Bound<'_, PyString>) -> Result<PySituation> {
    let (situation, format) = codec::parse(&runtime::text("identifier", text)?)?;
    Ok(PySituation::new(situation, format))
}

#[pymethods]
impl PySituation {
    #[new]
    fn py_new(text: &Bound<'_, PyAny>) -> Result<PySituation> {
        let Ok(text) = text.cast::<PyString>() else {
            let text = format!(
                "a Situation is read from an identifier, got {}; Situation.from_parts makes one of a position",
                text.get_type().name()?
            );
            return Err(PyTypeError::new_err(text).into());
        };
        parse(text)
    }

    /// The situation with these parts.
    ///
    /// By default it is money play with a centred cube that may go up to 1024, and the player in seat 1 is
    /// about to roll: what a position's identifier alone means. `cube_limit=None` is no limit.
    ///
    /// Raises `SettingError` for a part outside its range, `IllegalSituationError` for parts that contradict
    /// one another, naming every contradiction.
    #[staticmethod]
    #[pyo3(signature = (position, *, length = None, score = None, crawford = false, cube = None, cube_owner = None,
        jacoby = false, beavers = false, cube_limit = Some(CubeLimit::Usual), roll = None, offer = None, to_act = None, seat = None,
        state = "playing"))]
    #[expect(clippy::too_many_arguments, reason = "a situation has this many parts")]
    fn from_parts(
        position: &Bound<'_, PyAny>,
        length: Option<&Bound<'_, PyAny>>,
        score: Option<&Bound<'_, PyAny>>,
        crawford: bool,
        cube: Option<&Bound<'_, PyAny>>,
        cube_owner: Option<&str>,
        jacoby: bool,
        beavers: bool,
        cube_limit: Option<CubeLimit<'_>>,
        roll: Option<&Bound<'_, PyAny>>,
        offer: Option<&str>,
        to_act: Option<&str>,
        seat: Option<&Bound<'_, PyAny>>,
        state: &str,
    ) -> Result<PySituation> {
        let offer = offer.map(offer_named).transpose()?;
        let answers = offer.and_then(Offer::answered_by).unwrap_or(Player::Roller);
        let (roller_score, opponent_score) = score.map_or(Ok((0, 0)), score_of)?;
        let parts = Parts {
            position: position_like(position)?,
            score: MatchState {
                length: length.map_or(Ok(0), |value| points("length", value))?,
                roller_score,
                opponent_score,
                crawford,
                cube_log2: cube.map_or(Ok(0), |value| exponent("cube", value))?,
                cube_owner: cube_owner.map(|name| player_named("cube_owner", name)).transpose()?,
                jacoby,
                beavers,
                cube_limit: cube_limit.map(|limit| limit.exponent()).transpose()?,
            },
            roll: roll.map(roll_like).transpose()?,
            offer,
            to_act: to_act.map_or(Ok(answers), |name| player_named("to_act", name))?,
            seat: match seat.map_or(Ok(1), |value| integer("seat", value, 0..=1))? {
                0 => Seat::Top,
                _ => Seat::Bottom,
            },
            state: one_of("state", &STATES, state)?,
        };
        Ok(PySituation::new(Situation::new(parts)?, Format::Xgid))
    }

    /// Where the checkers stand, seen by the player whose roll it is.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(self.situation.position)
    }

    /// Points the match is played to; 0 is money play.
    #[getter]
    fn length(&self) -> u16 {
        self.situation.score.length
    }

    /// Points of the player on roll and of the opponent.
    #[getter]
    fn score(&self) -> (u16, u16) {
        (self.situation.score.roller_score, self.situation.score.opponent_score)
    }

    /// Points the player on roll and the opponent still need; `None` in money play.
    #[getter]
    fn away(&self) -> Option<(u16, u16)> {
        let score = &self.situation.score;
        Some((score.away(Player::Roller)?, score.away(Player::Opponent)?))
    }

    /// Whether this is the Crawford game.
    #[getter]
    fn crawford(&self) -> bool {
        self.situation.score.crawford
    }

    /// The value of the cube: 1, 2, 4, …; while an offer is pending, before it.
    #[getter]
    fn cube(&self) -> u32 {
        self.situation.score.cube_value()
    }

    /// Who owns the cube; `None` is a centred cube.
    #[getter]
    fn cube_owner(&self) -> Option<&'static str> {
        self.situation.score.cube_owner.map(player_name)
    }

    /// Whether gammons count only once the cube has been turned (money play).
    #[getter]
    fn jacoby(&self) -> bool {
        self.situation.score.jacoby
    }

    /// Whether beavers are played (money play).
    #[getter]
    fn beavers(&self) -> bool {
        self.situation.score.beavers
    }

    /// The highest cube allowed; `None` is no limit.
    #[getter]
    fn cube_limit(&self) -> Option<u32> {
        self.situation.score.cube_limit.map(|power| 1 << power)
    }

    /// The dice on the table; `None` before the throw.
    #[getter]
    fn roll(&self) -> Option<PyRoll> {
        self.situation.roll.map(PyRoll)
    }

    /// The offer that waits for an answer.
    #[getter]
    fn offer(&self) -> Option<&'static str> {
        let offer = self.situation.offer?;
        OFFERS.iter().find(|(_, known)| *known == offer).map(|(name, _)| *name)
    }

    /// Who has to decide next.
    #[getter]
    fn to_act(&self) -> &'static str {
        player_name(self.situation.to_act)
    }

    /// Which absolute player has the roll: 1 is the bottom player of an XGID, 0 the top one.
    #[getter]
    fn seat(&self) -> u8 {
        self.situation.seat as u8
    }

    /// How far the game has got.
    #[getter]
    fn state(&self) -> &'static str {
        STATES[self.situation.state as usize].0
    }

    /// Whether there is nothing left to decide: the game has ended, or the match.
    #[getter]
    fn is_over(&self) -> bool {
        self.situation.is_over()
    }

    /// What it was read from, and is printed as: 'xgid', 'gnuid', 'posid', 'fibs', 'ogid' or 'start'.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    /// The XGID.
    #[getter]
    fn xgid(&self) -> String {
        self.encode(Format::Xgid).text
    }

    /// Position ID and Match ID, joined by a colon.
    #[getter]
    fn gnuid(&self) -> String {
        self.encode(Format::GnuId).text
    }

    /// The text in a format, and what that format cannot hold, one phrase each.
    ///
    /// `format` is 'xgid', 'gnuid' (Position ID:Match ID), 'posid', 'fibs' or 'ogid'.
    ///
    /// Raises `SettingError` for an unknown format.
    ///
    /// >>> import gammon
    /// >>> gammon.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10").to("gnuid")
    /// ('4HPwATDgc/ABMA:cAkAAAAAAAAA', ['beavers on'])
    fn to(&self, format: &str) -> Result<(String, Vec<String>)> {
        let written = Format::ALL.into_iter().filter(|format| *format != Format::Start);
        let names: Vec<(&str, Format)> = written.map(|format| (format.name(), format)).collect();
        let Encoded { text, lost } = self.encode(one_of("format", &names, format)?);
        Ok((text, lost))
    }

    /// The board in plain text, with score, cube and what is to be done.
    fn draw(&self) -> String {
        draw(&self.situation).trim_end().to_owned()
    }

    fn __str__(&self) -> String {
        self.encode(self.format).text
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("gammon.viz._notebook")?.call_method1("situation", (slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Encoded { text, lost } = self.encode(self.format);
        if lost.is_empty() {
            return Ok(format!("Situation('{text}')"));
        }
        let mut parts = vec![self.position().repr()];
        for (name, value) in self.parts(py)? {
            parts.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("Situation.from_parts({})", parts.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PySituation>().is_ok_and(|other| other.get().situation == self.situation)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.situation.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<PySituation>();
        let Encoded { text, lost } = self.encode(self.format);
        if lost.is_empty() {
            return Ok((class.into_any(), PyTuple::new(py, [text])?));
        }
        let make = class.getattr("from_parts")?;
        let partial = py.import("functools")?.getattr("partial")?;
        let made = partial.call((make, self.position()), Some(&self.parts(py)?))?;
        Ok((made, PyTuple::empty(py)))
    }
}

impl PySituation {
    /// The arguments of `from_parts` but for the position.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        parts.set_item("length", self.length())?;
        parts.set_item("score", self.score())?;
        parts.set_item("crawford", self.crawford())?;
        parts.set_item("cube", self.cube())?;
        parts.set_item("cube_owner", self.cube_owner())?;
        parts.set_item("jacoby", self.jacoby())?;
        parts.set_item("beavers", self.beavers())?;
        parts.set_item("cube_limit", self.cube_limit())?;
        parts.set_item("roll", self.roll().map(|roll| (roll.0.high(), roll.0.low())))?;
        parts.set_item("offer", self.offer())?;
        parts.set_item("to_act", self.to_act())?;
        parts.set_item("seat", self.seat())?;
        parts.set_item("state", self.state())?;
        Ok(parts)
    }
}

/// The highest cube, where `None` says that there is no limit.
enum CubeLimit<'py> {
    /// Not named: what identifiers mean that do not say it.
    Usual,
    /// A value as it was given.
    Given(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for CubeLimit<'py> {
    type Error = std::convert::Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<CubeLimit<'py>, Self::Error> {
        Ok(CubeLimit::Given(value.to_owned()))
    }
}

impl CubeLimit<'_> {
    /// The limit as a power of two.
    fn exponent(&self) -> Result<u8> {
        match self {
            CubeLimit::Usual => Ok(MatchState::USUAL_LIMIT),
            CubeLimit::Given(value) => exponent("cube_limit", value),
        }
    }
}

const OFFERS: [(&str, Offer); 6] = [
    ("double", Offer::Double),
    ("beaver", Offer::Beaver),
    ("raccoon", Offer::Raccoon),
    ("resign-single", Offer::Resignation(Outcome::Single)),
    ("resign-gammon", Offer::Resignation(Outcome::Gammon)),
    ("resign-backgammon", Offer::Resignation(Outcome::Backgammon)),
];

/// In the order of the states' numbers.
const STATES: [(&str, GameState); 5] = [
    ("not-started", GameState::NotStarted),
    ("playing", GameState::Playing),
    ("over", GameState::Over),
    ("resigned", GameState::Resigned),
    ("dropped", GameState::Dropped),
];

const PLAYERS: [(&str, Player); 2] = [("roller", Player::Roller), ("opponent", Player::Opponent)];

/// What `value` names in a table; an error lists the names.
fn one_of<T: Copy>(name: &str, table: &[(&str, T)], value: &str) -> Result<T> {
    table.iter().find(|(known, _)| *known == value).map(|&(_, meant)| meant).ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|&(known, _)| known).collect();
        let value = ParseError::shortened(value);
        Error::Setting(format!("{name} must be one of {}, got {value:?}", known.join(", ")))
    })
}

fn offer_named(name: &str) -> Result<Offer> {
    one_of("offer", &OFFERS, name)
}

fn player_named(name: &str, value: &str) -> Result<Player> {
    one_of(name, &PLAYERS, value)
}

fn player_name(player: Player) -> &'static str {
    PLAYERS[player as usize].0
}

fn points(name: &str, value: &Bound<'_, PyAny>) -> Result<u16> {
    Ok(integer(name, value, 0..=i64::from(MatchState::MAX_POINTS))? as u16)
}

/// Points of the player on roll and of the opponent.
fn score_of(value: &Bound<'_, PyAny>) -> Result<(u16, u16)> {
    let wrong = || format!("score must be the points of both players, such as (2, 0), got {}", shown(value));
    let items = value.try_iter().map_err(|_| PyTypeError::new_err(wrong()))?;
    let sides: Vec<Bound<'_, PyAny>> = items.take(3).collect::<PyResult<_>>()?;
    match sides.as_slice() {
        [roller, opponent] => Ok((points("score", roller)?, points("score", opponent)?)),
        _ => Err(Error::Setting(wrong())),
    }
}

/// The power of two of a cube given as 1, 2, 4, …
fn exponent(name: &str, value: &Bound<'_, PyAny>) -> Result<u8> {
    let cube = integer(name, value, 1..=1 << MatchState::MAX_CUBE)? as u64;
    if !cube.is_power_of_two() {
        return Err(Error::Setting(format!("{name} must be a power of two, got {cube}")));
    }
    Ok(cube.trailing_zeros() as u8)
}
