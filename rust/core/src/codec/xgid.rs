//! The XGID of eXtreme Gammon: `position:cube:owner:turn:dice:score:score:rules:length:limit`.
//!
//! The frame is absolute. Of the 26 places of the board, 0 is the bar of the top player, 1 to 24 are the
//! points as the bottom player numbers them, 25 is the bottom player's bar; upper case is the bottom
//! player (player 1 here), lower case the top player, `A` to `O` 1 to 15 checkers. Owner and turn are 1
//! for the bottom player and -1 for the top player, the bottom player's score comes first.
//!
//! * The dice are `00` before the throw, two digits (in any order; the larger is written first), or an
//!   offer that waits for an answer: `D` doubled, `B` beavered, `R` raccooned. The turn stays with the
//!   player who doubled, and the cube is as it was before.
//! * The rules are 1 for the Crawford game in a match; in money play 1 is Jacoby, 2 beavers, 3 both.
//! * The limit is a power of two; 0 is read as no limit (it stands beside turned cubes in the wild). If
//!   the tenth field is missing the limit is 10, a cube of 1024.
//!
//! Not held: resignations, and how a game ended (a finished board or match is read as over).

use super::Encoded;
use super::piece::{Piece, shorten};
use crate::dice::Roll;
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::{Counts, Position};
use crate::score::{MatchState, Player};
use crate::situation::{GameState, Offer, Parts, Seat, Situation};

const FORMAT: &str = "xgid";

/// Places on the board field.
const PLACES: usize = 26;

/// The XGID of a situation, with its prefix `XGID=`.
///
/// ```
/// use gammon_core::{Situation, codec::xgid};
/// let id = xgid::print(&Situation::START).text;
/// assert_eq!(id, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
/// ```
pub fn print(situation: &Situation) -> Encoded {
    Encoded::of(encode(situation), situation, parse)
}

/// Reads an XGID; the prefix, the tenth field and blanks or `@` after it are optional.
///
/// # Errors
/// If a field cannot be read or they contradict one another. Ids whose dashes were lost in copying
/// cannot be repaired; the error says so.
pub fn parse(text: &str) -> Result<Situation, ParseError> {
    let piece = Piece::whole(text).trim_end(&[' ', '\t', '\r', '\n', '@']).trim();
    let piece = piece.without_prefix("XGID").trim().without_prefix("=").trim();
    let fields = piece.split(|c| c == ':');
    let (board, fields) = match fields[..] {
        [board, ref rest @ ..] if (8..=9).contains(&rest.len()) => (board, rest),
        _ => {
            let why = format!("{} of 10 fields between colons", fields.len());
            return Err(piece.error(FORMAT, ParseErrorKind::Invalid(why)));
        }
    };
    let number = |i: usize, name: &str, least, most| fields[i].number(FORMAT, name, least, most);
    let (bottom, top) = read_board(&board)?;
    // A turn of 0 is met in the wild; the bottom player is the one the board is drawn for.
    let seat = if number(2, "the turn", -1, 1)? < 0 { Seat::Top } else { Seat::Bottom };
    let (roller, opponent) = if seat == Seat::Bottom { (bottom, top) } else { (top, bottom) };
    let position = Position::from_counts(&roller, &opponent)
        .map_err(|error| board.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))?;
    let (roll, offer) = read_dice(&fields[3])?;
    let score = read_score(fields, seat)?;
    let over = position.is_over() || score.is_over();
    let parts = Parts {
        position,
        score,
        roll,
        offer,
        to_act: offer.and_then(Offer::answered_by).unwrap_or(Player::Roller),
        seat,
        state: if over { GameState::Over } else { GameState::Playing },
    };
    Situation::new(parts).map_err(|error| piece.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))
}

/// The checkers of the bottom and of the top player.
fn read_board(board: &Piece) -> Result<(Counts, Counts), ParseError> {
    let (mut bottom, mut top) = ([0; 25], [0; 25]);
    let length = board.text().chars().count();
    if length != PLACES {
        let hint = if length < PLACES { ", dashes lost in copying?" } else { "" };
        let why = format!("{length} of {PLACES} characters{hint}");
        return Err(board.error(FORMAT, ParseErrorKind::Invalid(why)));
    }
    for (place, (offset, c)) in board.text().char_indices().enumerate() {
        let error = |what| board.error_at(FORMAT, offset, ParseErrorKind::Unexpected(what));
        match c {
            '-' => {}
            'A'..='P' if place > 0 => bottom[place - 1] = c as u8 - b'A' + 1,
            'a'..='p' if place < PLACES - 1 => top[24 - place] = c as u8 - b'a' + 1,
            'A'..='P' => return Err(error("a small letter or a dash: this is the top player's bar")),
            'a'..='p' => return Err(error("a capital letter or a dash: this is the bottom player's bar")),
            _ => return Err(error("a dash or a letter from A to O")),
        }
    }
    Ok((bottom, top))
}

fn read_dice(field: &Piece) -> Result<(Option<Roll>, Option<Offer>), ParseError> {
    let text = field.text().trim();
    let roll = match text.as_bytes() {
        [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Roll::new(a - b'0', b - b'0'),
        _ => None,
    };
    match text {
        "00" => Ok((None, None)),
        "D" | "d" => Ok((None, Some(Offer::Double))),
        "B" | "b" => Ok((None, Some(Offer::Beaver))),
        "R" | "r" => Ok((None, Some(Offer::Raccoon))),
        _ if roll.is_some() => Ok((roll, None)),
        _ => {
            let why =
                format!("the dice must be 00, two digits from 1 to 6, D, B or R, not {:?}", shorten(text));
            Err(field.error(FORMAT, ParseErrorKind::OutOfRange(why)))
        }
    }
}

/// Score and cube from the fields after the board.
fn read_score(fields: &[Piece], seat: Seat) -> Result<MatchState, ParseError> {
    let number = |i: usize, name: &str, least, most| fields[i].number(FORMAT, name, least, most);
    let cube_most = i32::from(MatchState::MAX_CUBE);
    let points_most = i32::from(MatchState::MAX_POINTS);
    let cube_log2 = number(0, "the cube", 0, cube_most)? as u8;
    let owner = match number(1, "the cube's owner", -1, 1)? {
        0 => None,
        owner => Some(if owner > 0 { Seat::Bottom } else { Seat::Top }),
    };
    let bottom = number(4, "the bottom player's score", 0, points_most)? as u16;
    let top = number(5, "the top player's score", 0, points_most)? as u16;
    let length = number(7, "the match length", 0, points_most)? as u16;
    let rules = number(6, "the rules", 0, if length > 0 { 1 } else { 3 })?;
    let limit = match fields.get(8) {
        Some(_) => number(8, "the cube limit", 0, cube_most)? as u8,
        None => MatchState::USUAL_LIMIT,
    };
    let (roller_score, opponent_score) = if seat == Seat::Bottom { (bottom, top) } else { (top, bottom) };
    Ok(MatchState {
        length,
        roller_score,
        opponent_score,
        crawford: length > 0 && rules == 1,
        cube_log2,
        cube_owner: owner.map(|owner| if owner == seat { Player::Roller } else { Player::Opponent }),
        jacoby: length == 0 && rules & 1 != 0,
        beavers: length == 0 && rules & 2 != 0,
        cube_limit: (limit > 0).then_some(limit),
    })
}

fn encode(situation: &Situation) -> String {
    let score = &situation.score;
    let mut text = String::from("XGID=");
    let places = situation.position.places();
    for place in 0..PLACES {
        let n = match situation.seat {
            Seat::Bottom => places[place],
            Seat::Top => -places[PLACES - 1 - place],
        };
        text.push(match n {
            0 => '-',
            1.. => char::from(b'A' + (n - 1) as u8),
            _ => char::from(b'a' + (-n - 1) as u8),
        });
    }
    let side = |player: Player| if situation.seat_of(player) == Seat::Bottom { 1 } else { -1 };
    let dice = match (situation.offer, situation.roll) {
        (Some(Offer::Double), _) => "D".to_owned(),
        (Some(Offer::Beaver), _) => "B".to_owned(),
        (Some(Offer::Raccoon), _) => "R".to_owned(),
        (_, Some(roll)) => roll.to_string(),
        (_, None) => "00".to_owned(),
    };
    let rules = if score.is_money() {
        u8::from(score.jacoby) + 2 * u8::from(score.beavers)
    } else {
        u8::from(score.crawford)
    };
    let numbers = [i32::from(score.cube_log2), score.cube_owner.map_or(0, side), side(Player::Roller)];
    let after = [
        i32::from(score.score(situation.player_at(Seat::Bottom))),
        i32::from(score.score(situation.player_at(Seat::Top))),
        i32::from(rules),
        i32::from(score.length),
        i32::from(score.cube_limit.unwrap_or(0)),
    ];
    for n in numbers {
        text += &format!(":{n}");
    }
    text += &format!(":{dice}");
    for n in after {
        text += &format!(":{n}");
    }
    text
}
