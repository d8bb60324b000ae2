//! The board line of the First Internet Backgammon Server: 53 fields between colons.
//!
//! ```text
//! 0 "board"   1, 2 names: you, your opponent   3 match length (9999 = unlimited)   4, 5 your and his score
//! 6-31  the board: bar, points 1 to 24, bar; X negative, O positive
//! 32    whose turn: -1 X, 1 O, 0 the game is over
//! 33-36 your dice, his dice (0 = not thrown)       37 cube   38, 39 you, he may double
//! 40    he has doubled and you are to answer       41 your colour (-1 X, 1 O)
//! 42    your direction: -1 from point 24 down to 1, 1 up   43, 44 your home and bar: place 0 or 25
//! 45-48 your, his checkers home; yours, his on the bar     49 checkers you can move
//! 50    forced   51 post-Crawford   52 redoubles
//! ```
//!
//! "You" is read as player 1 (bottom) and the opponent as player 0. The cube is centred if both may
//! double, or neither. Field 51 is used only where a player is one point from winning: there 0 means the
//! Crawford game, as servers and GNU Backgammon write it. Fields 45 to 50 and 52 are not read.
//!
//! Not held: Jacoby, beavers, cube limit, resignations, how a game ended, names.

use super::Encoded;
use super::losses::as_double;
use super::piece::{Piece, shorten};
use crate::dice::Roll;
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::{Counts, Position};
use crate::score::{MatchState, Player};
use crate::situation::{GameState, Offer, Parts, Seat, Situation};
use crate::steps::{DiceLeft, most_dice};

const FORMAT: &str = "fibs board";

/// Fields of a board line, with the word `board`.
const FIELDS: usize = 53;

/// The match length that means unlimited.
const UNLIMITED: i32 = 9999;

/// The FIBS board line of a situation, the names being `You` and `Opponent`.
///
/// Written for player 1, except when player 1 has doubled: the line is always written for the one who
/// answers a double.
pub fn print(situation: &Situation) -> Encoded {
    let you = if as_double(situation.offer) { Player::Opponent } else { situation.player_at(Seat::Bottom) };
    Encoded::of(encode(situation, you), situation, parse)
}

/// Reads a FIBS board line.
///
/// # Errors
/// If it has not 53 fields, one of them cannot be read, or they contradict one another.
pub fn parse(text: &str) -> Result<Situation, ParseError> {
    let piece = Piece::whole(text).trim();
    let line = Line { fields: piece.split(|c| c == ':') };
    if line.fields.len() != FIELDS || !line.fields[0].text().eq_ignore_ascii_case("board") {
        let why = format!("{} of {FIELDS} fields, the first being \"board\"", line.fields.len());
        return Err(piece.error(FORMAT, ParseErrorKind::Invalid(why)));
    }
    Situation::new(line.parts()?)
        .map_err(|error| piece.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))
}

struct Line<'a> {
    fields: Vec<Piece<'a>>,
}

impl Line<'_> {
    fn number(&self, field: usize, name: &str, least: i32, most: i32) -> Result<i32, ParseError> {
        self.fields[field].number(FORMAT, name, least, most)
    }

    fn flag(&self, field: usize, name: &str) -> Result<bool, ParseError> {
        Ok(self.number(field, name, 0, 1)? == 1)
    }

    /// 1 or -1.
    fn sign(&self, field: usize, name: &str) -> Result<i32, ParseError> {
        match self.number(field, name, -1, 1)? {
            0 => Err(self.fields[field]
                .error(FORMAT, ParseErrorKind::OutOfRange(format!("{name} must be -1 or 1, not 0")))),
            sign => Ok(sign),
        }
    }

    fn parts(&self) -> Result<Parts, ParseError> {
        let colour = self.sign(41, "your colour")?;
        let turn = self.number(32, "the turn", -1, 1)?;
        let doubled = self.flag(40, "the double")?;
        if doubled && turn == 0 {
            let why = "a double is to be answered although the game is over".to_owned();
            return Err(self.fields[40].error(FORMAT, ParseErrorKind::Invalid(why)));
        }
        let yours = if doubled { false } else { turn == colour || turn == 0 };
        let seat = if yours { Seat::Bottom } else { Seat::Top };
        let (you, opponent) = self.board(colour)?;
        let (roller, other) = if yours { (you, opponent) } else { (opponent, you) };
        let position = Position::from_counts(&roller, &other)
            .map_err(|error| self.fields[6].error(FORMAT, ParseErrorKind::Invalid(error.to_string())))?;
        let score = self.score(yours)?;
        let offer = doubled.then_some(Offer::Double);
        let over = turn == 0 || position.is_over() || score.is_over();
        Ok(Parts {
            position,
            score,
            roll: self.roll(if yours { 33 } else { 35 })?,
            offer,
            to_act: offer.and_then(Offer::answered_by).unwrap_or(Player::Roller),
            seat,
            state: if over { GameState::Over } else { GameState::Playing },
        })
    }

    /// Your checkers and your opponent's, each from his own side.
    fn board(&self, colour: i32) -> Result<(Counts, Counts), ParseError> {
        let downwards = self.sign(42, "your direction")? < 0;
        let (mut you, mut opponent) = ([0; 25], [0; 25]);
        for place in 0..26 {
            let n = self.number(6 + place, "a place on the board", -15, 15)? * colour;
            let point = if downwards { place } else { 25 - place };
            // A checker at either end is on the bar: those borne off are not on the board.
            let own = |point: usize| if (1..=24).contains(&point) { point - 1 } else { 24 };
            let (counts, index) =
                if n > 0 { (&mut you, own(point)) } else { (&mut opponent, own(25 - point)) };
            counts[index] += n.unsigned_abs() as u8;
        }
        Ok((you, opponent))
    }

    fn roll(&self, field: usize) -> Result<Option<Roll>, ParseError> {
        let a = self.number(field, "a die", 0, 6)?;
        let b = self.number(field + 1, "a die", 0, 6)?;
        if (a, b) == (0, 0) {
            return Ok(None);
        }
        let roll = Roll::new(a as u8, b as u8);
        roll.map(Some).ok_or_else(|| {
            let why = format!("one die is thrown and the other not: {a} and {b}");
            self.fields[field].error(FORMAT, ParseErrorKind::OutOfRange(why))
        })
    }

    fn score(&self, yours: bool) -> Result<MatchState, ParseError> {
        let most = i32::from(MatchState::MAX_POINTS);
        let length = match self.number(3, "the match length", 0, most)? {
            UNLIMITED => 0,
            length => length as u16,
        };
        let scores = [
            self.number(4, "your score", 0, most)? as u16,
            self.number(5, "your opponent's score", 0, most)? as u16,
        ];
        let cube = self.number(37, "the cube", 1, 1 << MatchState::MAX_CUBE)? as u32;
        if !cube.is_power_of_two() {
            let why = format!("the cube must be a power of two, not {}", shorten(self.fields[37].text()));
            return Err(self.fields[37].error(FORMAT, ParseErrorKind::OutOfRange(why)));
        }
        let may = (self.flag(38, "you may double")?, self.flag(39, "your opponent may double")?);
        let owner = match may {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        let cube_log2 = cube.trailing_zeros() as u8;
        let mut state = MatchState {
            cube_log2,
            cube_owner: owner.map(|own| if own == yours { Player::Roller } else { Player::Opponent }),
            cube_limit: (cube_log2 < MatchState::USUAL_LIMIT).then_some(MatchState::USUAL_LIMIT),
            ..MatchState::at_score(length, scores[usize::from(!yours)], scores[usize::from(yours)])
        };
        state.crawford = self.number(51, "post-Crawford", 0, 1)? == 0 && can_be_crawford(&state);
        Ok(state)
    }
}

/// Whether a state is the Crawford game unless something says that it comes after it.
///
/// At double match point the Crawford game is over, except in a match to one point, where the flag makes
/// no difference and is left off.
fn can_be_crawford(state: &MatchState) -> bool {
    let away = (state.away(Player::Roller), state.away(Player::Opponent));
    let one_away = matches!(away, (Some(1), Some(2..)) | (Some(2..), Some(1)));
    one_away && state.cube_log2 == 0 && state.cube_owner.is_none()
}

fn encode(situation: &Situation, you: Player) -> String {
    let score = &situation.score;
    let (yours, he) = (you == Player::Roller, you.other());
    let position = if yours { situation.position } else { situation.position.flip() };
    let length = if score.is_money() { UNLIMITED } else { i32::from(score.length) };
    let turn = match (yours, situation.is_over()) {
        (true, true) => 0,
        (true, false) => 1,
        (false, _) => -1,
    };
    let dice = situation.roll.map_or([0, 0], |roll| [i32::from(roll.high()), i32::from(roll.low())]);
    let may_double = |player| i32::from(score.cube_owner.is_none_or(|owner| owner == player));
    let off = position.borne_off();
    let places = position.places();
    let movable = match situation.roll {
        Some(roll) if yours => most_dice(&position, DiceLeft::of(roll)) as i32,
        _ => 0,
    };
    // Crawford or not is only asked at one away, and only "after" can be said.
    let after_crawford = can_be_crawford(&MatchState { crawford: false, ..*score }) && !score.crawford;

    let mut text = "board:You:Opponent".to_owned();
    let mut add = |n: i32| text += &format!(":{n}");
    add(length);
    add(score.score(you).into());
    add(score.score(he).into());
    places.iter().for_each(|&n| add(n.into()));
    add(turn);
    for of in [you, he] {
        dice.into_iter().for_each(|die| add(if of == Player::Roller { die } else { 0 }));
    }
    add(score.cube_value() as i32);
    add(may_double(you));
    add(may_double(he));
    add(i32::from(as_double(situation.offer)));
    // You are O and move down from 24 to the home at 0; the bar is at 25.
    [1, -1, 0, 25].into_iter().for_each(&mut add);
    add(off.0 as i32);
    add(off.1 as i32);
    add(places[25].into());
    add(-i32::from(places[0]));
    add(movable);
    add(0);
    add(i32::from(after_crawford));
    add(0);
    text
}
