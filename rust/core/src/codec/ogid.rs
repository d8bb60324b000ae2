//! The OGID of OpenGammon: `white:black:cube:dice:turn:state:white score:black score:length:move[:checkers]`.
//!
//! The frame is absolute: White is the top player here and Black the bottom one. Each side is one letter a
//! checker, `0` to `9` and `a` to `p` for the places 0 to 25 as Black numbers them, 0 being White's bar and 25
//! Black's; `q` is a checker borne off, and checkers not named are off too. The cube is its owner (`N`, `W`,
//! `B`), its power of two and what is done with it (`N` nothing, `O` offered, `T` taken, `P` passed).
//! The length is followed by `C` in the Crawford game.
//!
//! Two writers disagree about the turn. Without a state it names the player on roll, which is what is written
//! here. With a state it names the one who acted last: of one letter (`R` rolled, `C` to double or roll, `D`
//! doubled), and of two (`IW`, `IB`) if the dice ascend, as that writer sorts them. All fields after the cube
//! may be missing.
//!
//! Not held: Jacoby, beavers, cube limit, resignations, and how a game ended, but for a passed double.

use super::Encoded;
use super::losses::as_double;
use super::piece::{Piece, shorten};
use crate::dice::Roll;
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::{Counts, Position};
use crate::score::{MatchState, Player};
use crate::situation::{GameState, Offer, Parts, Seat, Situation};

const FORMAT: &str = "ogid";

/// Fewest and most fields.
const FIELDS: (usize, usize) = (3, 11);

/// The places of a board, as letters.
const PLACES: &[u8; 26] = b"0123456789abcdefghijklmnop";

/// The OGID of a situation, without a prefix.
///
/// ```
/// use gammon_core::{Situation, codec::ogid};
/// let id = ogid::print(&Situation::START).text;
/// assert_eq!(id, "11ccccchhhjjjjj:66666888dddddoo:N0N::B::0:0:0:");
/// ```
pub fn print(situation: &Situation) -> Encoded {
    Encoded::of(encode(situation), situation, parse)
}

/// Reads an OGID; the prefix `OGID=` is optional.
///
/// # Errors
/// If a field cannot be read or they contradict one another.
pub fn parse(text: &str) -> Result<Situation, ParseError> {
    let piece = Piece::whole(text).trim();
    let piece = piece.without_prefix("OGID").trim().without_prefix("=").trim();
    let fields = piece.split(|c| c == ':');
    if !(FIELDS.0..=FIELDS.1).contains(&fields.len()) {
        let why = format!("{} fields between colons, expected {} to {}", fields.len(), FIELDS.0, FIELDS.1);
        return Err(piece.error(FORMAT, ParseErrorKind::Invalid(why)));
    }
    let seat = read_seat(&fields)?;
    let (roller, opponent) = match (read_side(&fields[0], Seat::Top)?, read_side(&fields[1], Seat::Bottom)?) {
        (top, bottom) if seat == Seat::Top => (top, bottom),
        (top, bottom) => (bottom, top),
    };
    let position = Position::from_counts(&roller, &opponent)
        .map_err(|error| piece.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))?;
    let roll = fields.get(3).map_or(Ok(None), read_dice)?;
    let cube = read_cube(&fields[2])?;
    let score = read_score(&fields, &cube, seat)?;
    // An offer beside dice has been dealt with.
    let offer = (cube.action == b'O' && roll.is_none()).then_some(Offer::Double);
    let state = if cube.action == b'P' {
        GameState::Dropped
    } else if position.is_over() || score.is_over() {
        GameState::Over
    } else {
        GameState::Playing
    };
    let to_act = offer.and_then(Offer::answered_by).unwrap_or(Player::Roller);
    Situation::new(Parts { position, score, roll, offer, to_act, seat, state })
        .map_err(|error| piece.error(FORMAT, ParseErrorKind::Invalid(error.to_string())))
}

/// Whether a text without the prefix is meant for an OGID: its third field is a cube.
pub(super) fn looks_like(text: &str) -> bool {
    text.split(':').nth(2).is_some_and(|cube| {
        let cube = cube.trim().as_bytes();
        cube.len() >= 3
            && matches!(cube[0], b'N' | b'W' | b'B')
            && matches!(cube[cube.len() - 1], b'N' | b'O' | b'T' | b'P')
            && cube[1..cube.len() - 1].iter().all(u8::is_ascii_digit)
    })
}

/// The checkers of one side, from its own ace point.
fn read_side(field: &Piece, seat: Seat) -> Result<Counts, ParseError> {
    let mut counts: Counts = [0; 25];
    for (offset, c) in field.text().trim_end().char_indices() {
        let unexpected = |what| Err(field.error_at(FORMAT, offset, ParseErrorKind::Unexpected(what)));
        let place = match (u8::try_from(c), seat) {
            (Ok(b'q'), _) => continue,
            (Ok(c), _) => PLACES.iter().position(|&letter| letter == c),
            _ => None,
        };
        let index = match (place, seat) {
            (Some(place @ 0..=24), Seat::Top) => 24 - place,
            (Some(place @ 1..=25), Seat::Bottom) => place - 1,
            (Some(_), Seat::Top) => return unexpected("a place other than Black's bar"),
            (Some(_), Seat::Bottom) => return unexpected("a place other than White's bar"),
            (None, _) => return unexpected("a digit or a letter from a to q"),
        };
        counts[index] = counts[index].saturating_add(1);
    }
    Ok(counts)
}

/// The cube field.
struct Cube {
    owner: Option<Seat>,
    log2: u8,
    /// `N`, `O`, `T` or `P`.
    action: u8,
}

fn read_cube(field: &Piece) -> Result<Cube, ParseError> {
    let text = field.text().trim();
    let wrong = || {
        let why =
            format!("the cube must be N, W or B, a power of two, and N, O, T or P, not {:?}", shorten(text));
        field.error(FORMAT, ParseErrorKind::Invalid(why))
    };
    let (&[owner, ref digits @ .., action], true) = (text.as_bytes(), text.is_ascii()) else {
        return Err(wrong());
    };
    let owner = match owner {
        b'N' => None,
        b'W' => Some(Seat::Top),
        b'B' => Some(Seat::Bottom),
        _ => return Err(wrong()),
    };
    let log2 = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u8>().ok());
    match (log2, action) {
        (Some(log2), b'N' | b'O' | b'T' | b'P') => Ok(Cube { owner, log2, action }),
        _ => Err(wrong()),
    }
}

fn read_dice(field: &Piece) -> Result<Option<Roll>, ParseError> {
    match *field.text().trim().as_bytes() {
        [] | [b'0', b'0'] => Ok(None),
        [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Ok(Roll::new(a - b'0', b - b'0')),
        _ => {
            let why = format!("the dice must be two digits from 1 to 6, not {:?}", shorten(field.text()));
            Err(field.error(FORMAT, ParseErrorKind::OutOfRange(why)))
        }
    }
}

/// Who is on roll; see the head of this file.
fn read_seat(fields: &[Piece]) -> Result<Seat, ParseError> {
    let text = |i: usize| fields.get(i).map_or("", |field| field.text().trim());
    let named = match text(4) {
        "W" | "w" => Seat::Top,
        "B" | "b" | "" => Seat::Bottom,
        other => {
            let why = format!("the turn must be W or B, not {:?}", shorten(other));
            return Err(fields[4].error(FORMAT, ParseErrorKind::Invalid(why)));
        }
    };
    let dice = text(3).as_bytes();
    let acted = match text(5).len() {
        0 => false,
        1 => true,
        _ => matches!(dice, [low, high] if low < high),
    };
    // Who offers a double has acted, and it is still his turn.
    let doubled = dice.is_empty() && text(2).ends_with('O');
    Ok(if acted && !doubled && !text(4).is_empty() { named.other() } else { named })
}

fn read_score(fields: &[Piece], cube: &Cube, seat: Seat) -> Result<MatchState, ParseError> {
    let most = i32::from(MatchState::MAX_POINTS);
    let points = |i: usize, name: &str| match fields.get(i) {
        Some(field) if !field.text().trim().is_empty() => field.number(FORMAT, name, 0, most),
        _ => Ok(0),
    };
    if cube.log2 > MatchState::MAX_CUBE {
        let why = format!("the cube must be from 0 to {}, not {}", MatchState::MAX_CUBE, cube.log2);
        return Err(fields[2].error(FORMAT, ParseErrorKind::OutOfRange(why)));
    }
    let (top, bottom) = (points(6, "White's score")? as u16, points(7, "Black's score")? as u16);
    let (roller, opponent) = if seat == Seat::Bottom { (bottom, top) } else { (top, bottom) };
    let (mut length, mut crawford) = (0, false);
    if let Some(field) = fields.get(8) {
        let number = field.trim_end(&['C', 'c', 'L', 'l', ' ']);
        crawford = field.text().contains(['C', 'c']);
        if !number.text().trim().is_empty() {
            length = number.number(FORMAT, "the match length", 0, most)? as u16;
        }
    }
    Ok(MatchState {
        cube_log2: cube.log2,
        cube_owner: cube.owner.map(|owner| if owner == seat { Player::Roller } else { Player::Opponent }),
        cube_limit: (cube.log2 < MatchState::USUAL_LIMIT).then_some(MatchState::USUAL_LIMIT),
        crawford,
        ..MatchState::at_score(length, roller, opponent)
    })
}

fn encode(situation: &Situation) -> String {
    let score = &situation.score;
    let places = situation.position.places();
    let (mut white, mut black) = (String::new(), String::new());
    for (place, &letter) in PLACES.iter().enumerate() {
        let n = match situation.seat {
            Seat::Bottom => places[place],
            Seat::Top => -places[PLACES.len() - 1 - place],
        };
        let side = if n > 0 { &mut black } else { &mut white };
        (0..n.unsigned_abs()).for_each(|_| side.push(char::from(letter)));
    }
    let owner = match score.cube_owner.map(|owner| situation.seat_of(owner)) {
        None => 'N',
        Some(Seat::Top) => 'W',
        Some(Seat::Bottom) => 'B',
    };
    let action = match situation.state {
        _ if as_double(situation.offer) => 'O',
        GameState::Dropped => 'P',
        _ => 'N',
    };
    let dice = situation.roll.map_or(String::new(), |roll| format!("{}{}", roll.low(), roll.high()));
    let turn = if situation.seat == Seat::Top { 'W' } else { 'B' };
    let points = |seat| score.score(situation.player_at(seat));
    format!(
        "{white}:{black}:{owner}{}{action}:{dice}:{turn}::{}:{}:{}{}:",
        score.cube_log2,
        points(Seat::Top),
        points(Seat::Bottom),
        score.length,
        if score.crawford { "C" } else { "" },
    )
}
