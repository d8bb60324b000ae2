//! The text id of a position of any game: `gammon-id`, version 1.
//!
//! `plakoto:1:` and 43 characters, the 32 bytes of the position in base64 with the URL alphabet and without
//! padding. The bytes are those of [`Position`]: 26 signed counts (the opponent's waiting checkers, the points 1 to
//! 24 of the player to act, his waiting checkers), then what the game remembers (`marks`).

use super::variant::Variant;
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::Position;

const VERSION: &str = "1";
const FORMAT: &str = "gammon-id";
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGITS: usize = 43;

/// The id of a position of the game called `name`.
pub fn print_id(name: &str, position: &Position) -> String {
    let mut text = format!("{name}:{VERSION}:");
    for three in position.0.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).map_or(0, |&n| n as u8));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..=three.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

/// The position of `game`, called `name`, that an id stands for.
///
/// # Errors
/// For a text of another game or version, one that is no id, and an id of what is no position of the game.
pub fn parse_id<V: Variant>(name: &str, game: &V, text: &str) -> Result<Position, ParseError> {
    let wrong = |offset, kind| Err(ParseError::new(FORMAT, text, offset, kind));
    let mut parts = text.splitn(3, ':');
    let (variant, version, digits) = (parts.next(), parts.next(), parts.next());
    let (Some(variant), Some(version), Some(digits)) = (variant, version, digits) else {
        return wrong(0, ParseErrorKind::Unexpected("a game, a version and 43 characters, parted by colons"));
    };
    if variant != name {
        let kind = format!("this is a position of {variant:?}, and {name} is played");
        return wrong(0, ParseErrorKind::Invalid(kind));
    }
    if version != VERSION {
        return wrong(variant.len() + 1, ParseErrorKind::Unexpected("version 1"));
    }
    let begin = text.len() - digits.len();
    if digits.len() != DIGITS {
        return wrong(begin, ParseErrorKind::Unexpected("43 characters"));
    }
    let mut bytes = [0u8; 33];
    for (i, digit) in digits.bytes().enumerate() {
        let Some(value) = ALPHABET.iter().position(|&known| known == digit) else {
            return wrong(begin + i, ParseErrorKind::Unexpected("a letter, a digit, - or _"));
        };
        let (bits, at) = ((value as u32) << 10, i * 6);
        let shifted = bits >> (at % 8);
        bytes[at / 8] |= (shifted >> 8) as u8;
        bytes[at / 8 + 1] |= shifted as u8;
    }
    let position = Position(std::array::from_fn(|i| bytes[i] as i8));
    // Only what the game's own view of it gives back is one of its positions.
    let checkers = |side: fn(&&i8) -> bool| -> u32 {
        position.places().iter().filter(side).map(|n| u32::from(n.unsigned_abs())).sum()
    };
    let few = checkers(|&&n| n > 0) <= 15 && checkers(|&&n| n < 0) <= 15;
    let sane = few && bytes[32] == 0;
    let checked = if sane {
        game.position(&game.view(&position)).map_err(|error| error.to_string())
    } else {
        Err("a side has more than 15 checkers".to_owned())
    };
    match checked {
        Ok(again) if again == position => Ok(position),
        Ok(_) => wrong(begin, ParseErrorKind::Invalid("bytes that the game does not use are set".to_owned())),
        Err(problem) => wrong(begin, ParseErrorKind::Invalid(problem)),
    }
}

/// The 32 bytes of a position.
pub fn position_bytes(position: &Position) -> [u8; 32] {
    position.0.map(|n| n as u8)
}
