//! The other games of the family: `gammon.variants` is their Python face.

mod fields;

use std::sync::Arc;

use gammon_core::movegen::Perft;
use gammon_core::rng::Stream;
use gammon_core::rules::{
    self, AnyVariant, Asks, Later, Moved, Opening, Played, Ruleset, Steps, Turns, Variant,
};
use gammon_core::{Position, Roll, with_variant};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::batch::PyPerft;
use crate::dice::{PyRoll, roll_like};
use crate::errors::{Error, Result, shown};
use crate::position::Stored;
use crate::runtime::{self, integer, interruptible, text};

use fields::{fields_of, marking_fields, marking_of, view_of};

/// Most games of one call; their results are kept in memory.
const MAX_GAMES: i64 = 100_000_000;
/// Deepest perft asked for.
const MAX_DEPTH: i64 = 8;
/// No throw brings as many points as this.
const MOST_POINTS: u32 = 1_000;

/// Points, decisions and kinds of ends of games.
type GameColumns<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<u32>>, Vec<Option<String>>);
/// Moves as triples of place left, place reached and hit.
type MoveList = Vec<(u8, u8, bool)>;

/// One game of the family with its options: what `gammon.variants` is built on.
#[pyclass(name = "VariantRules", module = "gammon", frozen)]
pub struct PyRules {
    rules: Arc<Ruleset>,
}

/// A position of one game.
#[pyclass(name = "VariantState", module = "gammon._native", frozen, eq, hash)]
#[derive(Clone)]
pub struct PyState {
    position: Stored,
    rules: Arc<Ruleset>,
}

impl PartialEq for PyState {
    fn eq(&self, other: &PyState) -> bool {
        self.position == other.position && same(&self.rules, &other.rules)
    }
}

impl std::hash::Hash for PyState {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.position.hash(state);
        self.rules.name().hash(state);
    }
}

fn same(one: &Ruleset, other: &Ruleset) -> bool {
    one.name() == other.name() && one.options() == other.options()
}

#[pymethods]
impl PyState {
    /// The 32 bytes of the position.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let position = self.position.get();
        PyBytes::new(py, &rules::position_bytes(&position))
    }

    /// Its id.
    #[getter]
    fn id(&self) -> String {
        rules::print_id(self.rules.name(), &self.position.get())
    }

    /// The position of a game with these options that an id stands for.
    #[staticmethod]
    fn _of(name: &str, options: Vec<(String, String)>, id: &str) -> Result<PyState> {
        let rules = Ruleset::new(name, &options).map_err(|error| Error::Setting(error.to_string()))?;
        let position = with_variant!(rules.game(), game => rules::parse_id(rules.name(), game, id))?;
        Ok(PyState { position: Stored::new(position), rules: Arc::new(rules) })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, StateParts)> {
        let options = self.rules.options().iter();
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let parts = (self.rules.name().to_owned(), options, self.id());
        Ok((py.get_type::<PyState>().getattr("_of")?, parts))
    }
}

/// Game, options and id: what a position is made of again by.
type StateParts = (String, Vec<(String, String)>, String);

impl PyState {
    /// The game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.rules
    }

    /// The position as the core has it.
    pub fn core(&self) -> Position {
        self.position.get()
    }

    /// Whether both are of the same game with the same options.
    pub fn is_same_game(&self, other: &PyState) -> bool {
        same(&self.rules, &other.rules)
    }
}

impl PyRules {
    /// The game with its options.
    pub fn ruleset(&self) -> &Ruleset {
        &self.rules
    }

    fn game(&self) -> &AnyVariant {
        self.rules.game()
    }

    pub fn state(&self, position: Position) -> PyState {
        PyState { position: Stored::new(position), rules: Arc::clone(&self.rules) }
    }

    pub fn own(&self, state: &PyState) -> Result<Position> {
        if same(&self.rules, &state.rules) {
            return Ok(state.position.get());
        }
        let (one, other) = (state.rules.name(), self.rules.name());
        Err(Error::Setting(format!("a position of {one}, with its options, is none of {other} with these")))
    }

    /// The throw of a decision: given where one is asked for, and only there.
    pub fn throw(&self, position: &Position, roll: Option<&Bound<'_, PyAny>>) -> Result<Roll> {
        let asks = with_variant!(self.game(), game => game.asks(position));
        match (asks, roll) {
            (Asks::Throw, Some(roll)) => roll_like(roll),
            (Asks::Throw, None) => {
                Err(Error::Roll("this position has to be thrown for: a roll is missing".to_owned()))
            }
            (_, Some(roll)) => Err(Error::Roll(format!(
                "this position is decided without a throw, but one was given: {}",
                shown(roll)
            ))),
            (_, None) => Ok(Roll::ALL[0]),
        }
    }
}

#[pymethods]
impl PyRules {
    #[new]
    fn new(name: &Bound<'_, PyString>, options: Vec<(String, String)>) -> Result<PyRules> {
        let name = text("variant", name)?;
        let rules = Ruleset::new(&name, &options).map_err(|error| Error::Setting(error.to_string()))?;
        Ok(PyRules { rules: Arc::new(rules) })
    }

    /// The names of all games, each with its other names.
    #[staticmethod]
    fn names() -> Vec<(&'static str, Vec<&'static str>)> {
        rules::KINDS.iter().map(|kind| (kind.name, kind.aliases.to_vec())).collect()
    }

    /// The options of a game: name, what it may be, and what it is by default.
    #[staticmethod]
    fn flags(name: &str) -> Vec<(String, String, String)> {
        let kind = rules::KINDS.iter().find(|kind| kind.name == name);
        let flags = kind.map_or(&[][..], |kind| kind.flags);
        flags.iter().map(|flag| (flag.name.to_owned(), flag.values.to_string(), flag.default())).collect()
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    /// What its options begin with.
    #[getter]
    fn prefix(&self) -> &'static str {
        self.rules.prefix()
    }

    /// What was chosen for each option.
    #[getter]
    fn options(&self) -> Vec<(&'static str, String)> {
        self.rules.options().iter().map(|(name, value)| (name, value.to_owned())).collect()
    }

    /// What the opening dice are used for.
    #[getter]
    fn opening(&self) -> &'static str {
        match self.rules.opening() {
            Opening::UseDice => "use_dice",
            Opening::Reroll => "reroll",
        }
    }

    /// Who starts later games.
    #[getter]
    fn later(&self) -> &'static str {
        match self.rules.later() {
            Later::Opening => "opening",
            Later::WinnerStarts => "winner_starts",
        }
    }

    /// Whether the cube is used.
    #[getter]
    fn has_cube(&self) -> bool {
        self.rules.has_cube()
    }

    /// The start.
    fn start(&self) -> PyState {
        self.state(with_variant!(self.game(), game => game.start()))
    }

    /// The position that an id stands for.
    fn parse(&self, id: &Bound<'_, PyString>) -> Result<PyState> {
        let id = text("gammon-id", id)?;
        let position = with_variant!(self.game(), game => rules::parse_id(self.rules.name(), game, &id))?;
        Ok(self.state(position))
    }

    /// The id of a position.
    fn id(&self, state: &PyState) -> Result<String> {
        Ok(rules::print_id(self.rules.name(), &self.own(state)?))
    }

    /// The position that fields say.
    fn position(&self, fields: &Bound<'_, PyDict>) -> Result<PyState> {
        let view = view_of(fields)?;
        let made = with_variant!(self.game(), game => game.position(&view));
        match made {
            Ok(position) => Ok(self.state(position)),
            Err(error) => Err(Error::Problems(error.to_string(), error.problems)),
        }
    }

    /// What a position shows.
    fn fields<'py>(&self, py: Python<'py>, state: &PyState) -> Result<Bound<'py, PyDict>> {
        let position = self.own(state)?;
        let view = with_variant!(self.game(), game => game.view(&position));
        Ok(fields_of(py, &view)?)
    }

    /// The results that hand over, those after which the same player acts, and whether nothing can be played.
    fn plays(
        &self,
        state: &PyState,
        roll: Option<&Bound<'_, PyAny>>,
    ) -> Result<(Vec<PyState>, Vec<PyState>, bool)> {
        let position = self.own(state)?;
        let roll = self.throw(&position, roll)?;
        let mut turns = Turns::new();
        with_variant!(self.game(), game => game.plays(&position, roll, &mut turns));
        let all = |positions: &[Position]| positions.iter().map(|&position| self.state(position)).collect();
        Ok((all(turns.handed()), all(turns.kept()), turns.is_pass()))
    }

    /// How the game ended: whether the player to act won, the kind of end, and the points.
    fn result(&self, state: &PyState) -> Result<Option<(Option<bool>, String, u32)>> {
        let position = self.own(state)?;
        let end = with_variant!(self.game(), game => game.result(&position));
        Ok(end.map(|end| (end.winner, end.class.to_string(), end.points)))
    }

    /// The steps that lead to a result.
    fn steps(
        &self,
        state: &PyState,
        roll: Option<&Bound<'_, PyAny>>,
        after: &PyState,
        kept: bool,
    ) -> Result<Option<(MoveList, Option<&'static str>)>> {
        let (position, after) = (self.own(state)?, self.own(after)?);
        let roll = self.throw(&position, roll)?;
        let steps = with_variant!(self.game(), game => game.steps(&position, roll, &after, kept));
        Ok(steps.map(|steps| {
            let moves = steps.moves.iter().map(|moved| (moved.from, moved.to, moved.hit)).collect();
            (moves, steps.word)
        }))
    }

    /// The result of exactly these steps, and whether the same player acts again.
    fn follow(
        &self,
        state: &PyState,
        roll: Option<&Bound<'_, PyAny>>,
        moves: Vec<(u8, u8)>,
        word: Option<&str>,
    ) -> Result<Option<(PyState, bool)>> {
        let position = self.own(state)?;
        let roll = self.throw(&position, roll)?;
        let known = word.map(rules::known_word);
        let Some(word) = known.map_or(Some(None), |known| known.map(Some)) else { return Ok(None) };
        let moves = moves.into_iter().map(|(from, to)| Moved { from, to, hit: false }).collect();
        let steps = Steps { moves, word };
        let found = with_variant!(self.game(), game => game.follow(&position, roll, &steps));
        Ok(found.map(|(after, kept)| (self.state(after), kept)))
    }

    /// The points of a throw of Trictrac: what for, whether the thrower gets them, how many.
    fn events(&self, state: &PyState, roll: &Bound<'_, PyAny>) -> Result<Vec<(String, bool, u32)>> {
        let position = self.own(state)?;
        let AnyVariant::Trictrac(game) = self.game() else {
            let name = self.rules.name();
            return Err(Error::Setting(format!(
                "a throw of {name} brings no points, only one of trictrac does"
            )));
        };
        let events = game.events(&position, roll_like(roll)?);
        Ok(events.iter().map(|event| (event.kind.to_string(), event.thrower, event.points)).collect())
    }

    /// A marking after a player (0 is the player to act) has marked points, and the holes he wins.
    #[staticmethod]
    fn mark<'py>(
        py: Python<'py>,
        marking: &Bound<'py, PyAny>,
        who: usize,
        points: u32,
    ) -> Result<(Bound<'py, PyDict>, u8)> {
        let mut turns = [0; 2];
        let mut marking = marking_of(marking, &mut turns)?;
        if who > 1 || points > MOST_POINTS || marking.pts.iter().any(|&pts| pts > 11) {
            let text = format!(
                "player {who} cannot mark {points} points: a throw brings 0 to {MOST_POINTS}, and a player has 0 to 11 before"
            );
            return Err(Error::Setting(text));
        }
        let holes = marking.mark(who, points, false);
        Ok((marking_fields(py, &marking, turns)?, holes))
    }

    /// Counts the paths of so many decisions.
    #[pyo3(signature = (state, depth, unique, threads, progress))]
    fn perft(
        &self,
        py: Python<'_>,
        state: &PyState,
        depth: &Bound<'_, PyAny>,
        unique: bool,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Result<PyPerft> {
        let position = self.own(state)?;
        let depth = integer("depth", depth, 0..=MAX_DEPTH)? as u32;
        let threads = runtime::threads(threads)?;
        let game = self.game();
        let Perft { paths, passes, unique } = interruptible(
            py,
            progress.as_ref(),
            |watch| with_variant!(game, game => rules::perft(game, &position, depth, unique, threads, watch)),
        )??;
        Ok(PyPerft::of(depth, paths, passes, unique))
    }

    /// Plays random games: points of the player who began (negative if he lost), decisions, kinds of ends.
    #[pyo3(signature = (n, seed, threads, progress))]
    fn random_games<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        seed: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Result<GameColumns<'py>> {
        let n = integer("n", n, 0..=MAX_GAMES)? as u64;
        let seed = runtime::seed(seed)?;
        let threads = runtime::threads(threads)?;
        let double_first = self.rules.opening() == Opening::Reroll;
        let game = self.game();
        let games = interruptible(
            py,
            progress.as_ref(),
            |watch| with_variant!(game, game => rules::random_games(game, double_first, seed, n, threads, watch)),
        )??;
        let points = |game: &Played| match game.end.map(|end| (end.winner, end.points as i32)) {
            Some((Some(true), points)) => points,
            Some((Some(false), points)) => -points,
            _ => 0,
        };
        Ok((
            PyArray1::from_iter(py, games.iter().map(points)),
            PyArray1::from_iter(py, games.iter().map(|game| game.decisions)),
            games.iter().map(|game| game.end.map(|end| end.class.to_string())).collect(),
        ))
    }

    /// The decisions of random game number `trial` of a seed: each position, with its throw if there is one.
    fn random_game(&self, seed: &Bound<'_, PyAny>, trial: u64) -> Result<Vec<(PyState, Option<PyRoll>)>> {
        let stream = Stream::new(runtime::seed(seed)?, trial);
        let double_first = self.rules.opening() == Opening::Reroll;
        let mut met = Vec::new();
        let mut turns = Turns::new();
        with_variant!(self.game(), game => {
            rules::random_game(game, stream, double_first, rules::MOST_DECISIONS, &mut turns, |position, roll| {
                let thrown = (game.asks(position) == Asks::Throw).then_some(PyRoll(roll));
                met.push((self.state(*position), thrown));
            })
        });
        Ok(met)
    }
}
