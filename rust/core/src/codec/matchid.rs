//! GNU Backgammon's Match ID: 12 characters for score, cube, dice and who is to act.
//!
//! 72 bits, the lowest of each byte first:
//!
//! ```text
//! 0-3   log2 of the cube         8-10   game state              15-17, 18-20  dice, 0 = not thrown
//! 4-5   owner, 3 = centred       11     player to act           21-35         match length, 0 = money
//! 6     player who has the roll  12     a double is pending     36-50, 51-65  scores of player 0 and 1
//! 7     Crawford game            13-14  resignation offered     66            Jacoby rule is *off*
//! ```
//!
//! Not held: beavers (and so pending beavers and raccoons) and the cube's limit. The dice have no order
//! here; the larger is written first, as GNU Backgammon does, and either is read. Ids from before the
//! Jacoby bit end in `AAAA`: in money play they read as Jacoby on, in a match the bit means nothing.

use super::losses::as_double;
use super::piece::Piece;
use super::{Encoded, posid};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::Position;
use crate::score::{MatchState, Player};
use crate::situation::{GameState, Offer, Parts, Seat, Situation};

/// Characters of a Match ID.
pub const LENGTH: usize = 12;

const FORMAT: &str = "match id";

/// The Match ID of a situation, without its position.
pub fn print(situation: &Situation) -> Encoded {
    let text = encode(situation);
    let position = posid::print(&situation.position);
    let Encoded { lost, .. } = Encoded::of(format!("{position}:{text}"), situation, parse_pair);
    Encoded { text, lost }
}

/// Position ID and Match ID of a situation, joined by a colon.
///
/// ```
/// use gammon_core::{Situation, codec::matchid};
/// assert_eq!(matchid::print_pair(&Situation::START).text, "4HPwATDgc/ABMA:cAkAAAAAAAAE");
/// ```
pub fn print_pair(situation: &Situation) -> Encoded {
    let text = format!("{}:{}", posid::print(&situation.position), encode(situation));
    Encoded::of(text, situation, parse_pair)
}

/// Reads `position:match` or `position match`; a leading `GNUBGID` is accepted, and so are the labels
/// `Position ID:` and `Match ID:` that GNU Backgammon prints before them.
///
/// # Errors
/// If either id cannot be read, or they contradict themselves.
pub fn parse_pair(text: &str) -> Result<Situation, ParseError> {
    let piece = Piece::whole(text).trim().without_prefix("GNUBGID").trim().without_prefix("=").trim();
    let words = words(&piece);
    let ids = after(after(&words, PROGRAM), POSITION_LABEL);
    match ids.split_first().map(|(position, rest)| (position, after(rest, MATCH_LABEL))) {
        Some((position, [score])) => read(score, posid::read(position)?),
        _ => Err(piece.error(
            "gnu id",
            ParseErrorKind::Unexpected("a position id and a match id with a colon between them"),
        )),
    }
}

/// What GNU Backgammon prints before the ids.
const PROGRAM: [&str; 2] = ["GNU", "Backgammon"];
const POSITION_LABEL: [&str; 2] = ["Position", "ID"];
const MATCH_LABEL: [&str; 2] = ["Match", "ID"];

/// The words of a text, which blanks and colons part.
fn words<'a>(piece: &Piece<'a>) -> Vec<Piece<'a>> {
    let mut words = piece.split(|c| c == ':' || c.is_whitespace());
    words.retain(|word| !word.text().is_empty());
    words
}

/// What follows a label; everything if it does not begin with it.
fn after<'p, 'a>(words: &'p [Piece<'a>], label: [&str; 2]) -> &'p [Piece<'a>] {
    match words {
        [first, second, rest @ ..]
            if first.text().eq_ignore_ascii_case(label[0])
                && second.text().eq_ignore_ascii_case(label[1]) =>
        {
            rest
        }
        _ => words,
    }
}

/// How many words follow a `Position ID:`; none if the text does not begin with it.
pub(super) fn labelled(piece: &Piece) -> Option<usize> {
    let words = words(piece);
    let label = after(&words, PROGRAM);
    let ids = after(label, POSITION_LABEL);
    (ids.len() < label.len()).then_some(ids.len())
}

/// Whether a text is a Match ID without its Position ID.
pub(super) fn stands_alone(piece: &Piece) -> bool {
    let words = words(piece);
    let ids = after(&words, MATCH_LABEL);
    ids.len() < words.len()
        || matches!(ids, [one] if one.text().len() == LENGTH && one.text().bytes().all(posid::is_digit))
}

/// Reads a Match ID that belongs to `position`.
///
/// # Errors
/// If it has not 12 characters of base 64, or they contradict one another.
pub fn parse(text: &str, position: Position) -> Result<Situation, ParseError> {
    read(&Piece::whole(text).trim(), position)
}

fn read(piece: &Piece, position: Position) -> Result<Situation, ParseError> {
    let parts = Bits::read(piece)?.parts(piece, position)?;
    Situation::new(parts).map_err(|error| piece.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))
}

/// The 72 bits as a number.
struct Bits(u128);

impl Bits {
    fn read(piece: &Piece) -> Result<Bits, ParseError> {
        let bytes: [u8; 9] = posid::from_digits(piece, FORMAT)?;
        Ok(Bits(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))))
    }

    fn get(&self, first: u32, bits: u32) -> u16 {
        (self.0 >> first) as u16 & ((1u32 << bits) - 1) as u16
    }

    fn set(&mut self, first: u32, value: u16) {
        self.0 |= u128::from(value) << first;
    }

    fn parts(&self, piece: &Piece, position: Position) -> Result<Parts, ParseError> {
        let wrong = |what: &str, value: u16| {
            piece.error(FORMAT, ParseErrorKind::OutOfRange(format!("{what} cannot be {value}")))
        };
        let roller = self.get(6, 1);
        let seat = if roller == 0 { Seat::Top } else { Seat::Bottom };
        let player = |number: u16| if number == roller { Player::Roller } else { Player::Opponent };
        let state = match self.get(8, 3) {
            0 => GameState::NotStarted,
            1 => GameState::Playing,
            2 => GameState::Over,
            3 => GameState::Resigned,
            4 => GameState::Dropped,
            other => return Err(wrong("the game state", other)),
        };
        let resignation = match self.get(13, 2) {
            0 => None,
            1 => Some(Outcome::Single),
            2 => Some(Outcome::Gammon),
            _ => Some(Outcome::Backgammon),
        };
        let offer = match (self.get(12, 1) == 1, resignation) {
            (true, Some(_)) => {
                let why = "a double and a resignation are both pending".to_owned();
                return Err(piece.error(FORMAT, ParseErrorKind::Invalid(why)));
            }
            (true, None) => Some(Offer::Double),
            (false, resignation) => resignation.map(Offer::Resignation),
        };
        let roll = match (self.get(15, 3), self.get(18, 3)) {
            (0, 0) => None,
            (a, b) => {
                let odd = if (1..=6).contains(&a) { b } else { a };
                Some(Roll::new(a as u8, b as u8).ok_or_else(|| wrong("a die beside a thrown one", odd))?)
            }
        };
        if self.get(67, 5) != 0 {
            return Err(wrong("bits 67 to 71", self.get(67, 5)));
        }
        let to_act = player(self.get(11, 1));
        Ok(Parts { position, score: self.score(piece, player, offer)?, roll, offer, to_act, seat, state })
    }

    fn score(
        &self,
        piece: &Piece,
        player: impl Fn(u16) -> Player,
        offer: Option<Offer>,
    ) -> Result<MatchState, ParseError> {
        let cube_owner = match self.get(4, 2) {
            3 => None,
            2 => {
                let why = "the cube's owner cannot be 2".to_owned();
                return Err(piece.error(FORMAT, ParseErrorKind::OutOfRange(why)));
            }
            owner => Some(player(owner)),
        };
        let (length, scores) = (self.get(21, 15), [self.get(36, 15), self.get(51, 15)]);
        let of = |wanted: Player| if player(0) == wanted { scores[0] } else { scores[1] };
        let cube_log2 = self.get(0, 4) as u8;
        let highest = cube_log2 + u8::from(offer == Some(Offer::Double));
        Ok(MatchState {
            length,
            roller_score: of(Player::Roller),
            opponent_score: of(Player::Opponent),
            crawford: self.get(7, 1) == 1,
            cube_log2,
            cube_owner,
            jacoby: length == 0 && self.get(66, 1) == 0,
            beavers: false,
            cube_limit: (highest <= MatchState::USUAL_LIMIT).then_some(MatchState::USUAL_LIMIT),
        })
    }
}

fn encode(situation: &Situation) -> String {
    let score = &situation.score;
    let number = |player: Player| situation.seat_of(player) as u16;
    let mut bits = Bits(0);
    bits.set(0, u16::from(score.cube_log2));
    bits.set(4, score.cube_owner.map_or(3, number));
    bits.set(6, number(Player::Roller));
    bits.set(7, u16::from(score.crawford));
    bits.set(8, situation.state as u16);
    bits.set(12, u16::from(as_double(situation.offer)));
    // A beaver is written as the double it answers, so the answer to that is what is waited for.
    let to_act = if as_double(situation.offer) { Player::Opponent } else { situation.to_act };
    bits.set(11, number(to_act));
    if let Some(Offer::Resignation(outcome)) = situation.offer {
        bits.set(13, outcome as u16);
    }
    if let Some(roll) = situation.roll {
        bits.set(15, u16::from(roll.high()));
        bits.set(18, u16::from(roll.low()));
    }
    bits.set(21, score.length);
    for player in [Player::Roller, Player::Opponent] {
        let first = if number(player) == 0 { 36 } else { 51 };
        bits.set(first, score.score(player));
    }
    bits.set(66, u16::from(!score.jacoby));
    posid::to_digits(&bits.0.to_le_bytes()[..9])
}
