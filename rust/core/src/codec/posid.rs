//! GNU Backgammon's Position ID: 14 characters for the checkers, seen by the player on roll.
//!
//! 80 bits, the lowest of each byte first. For the opponent and then for the player on roll: one 1 for
//! each checker on points 1 to 24 and the bar (from that player's own ace point), each place closed by a
//! 0. The ten bytes are written in base 64 without padding. Checkers borne off are those missing from 15.

use super::Encoded;
use super::piece::{Piece, shorten};
use crate::parse::{ParseError, ParseErrorKind};
use crate::position::{Counts, Position};
use crate::situation::Situation;

/// Characters of a Position ID.
pub const LENGTH: usize = 14;

const FORMAT: &str = "position id";
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether a byte is one of the 64 digits.
pub(super) const fn is_digit(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'+' || c == b'/'
}

/// The Position ID of `position`, which it holds in full.
///
/// ```
/// use gammon_core::{Position, codec::posid};
/// assert_eq!(posid::print(&Position::START), "4HPwATDgc/ABMA");
/// ```
pub fn print(position: &Position) -> String {
    to_digits(&to_bytes(position))
}

/// The ten bytes a Position ID spells.
pub(crate) fn to_bytes(position: &Position) -> [u8; 10] {
    let mut bits = 0u128;
    let mut end = 0;
    for n in position.opponent().into_iter().chain(position.roller()) {
        bits |= ((1 << n) - 1) << end;
        end += u32::from(n) + 1;
    }
    *bits.to_le_bytes().first_chunk().expect("sixteen bytes are more than ten")
}

/// The position that ten bytes spell, or what is wrong with them.
pub(crate) fn from_bytes(bytes: &[u8; 10]) -> Result<Position, String> {
    let mut whole = [0; 16];
    whole[..10].copy_from_slice(bytes);
    let mut bits = u128::from_le_bytes(whole);
    let mut left = 80;
    let mut sides: [Counts; 2] = [[0; 25]; 2];
    for n in sides.iter_mut().flatten() {
        let ones = bits.trailing_ones();
        if ones + 1 > left {
            return Err("too many checkers: the places do not end within 80 bits".to_owned());
        }
        *n = ones as u8;
        bits >>= ones + 1;
        left -= ones + 1;
    }
    if bits != 0 {
        return Err("there are checkers beyond the last place".to_owned());
    }
    let [opponent, roller] = sides;
    Position::from_counts(&roller, &opponent).map_err(|error| error.to_string())
}

/// The Position ID of a situation's position; all the rest is lost, unless it is money play with nothing
/// thrown, offered or turned.
pub fn print_situation(situation: &Situation) -> Encoded {
    let lost = if *situation == Situation::money(situation.position) {
        Vec::new()
    } else {
        vec!["everything but the position: score, cube, dice, offer and seat".to_owned()]
    };
    Encoded { text: print(&situation.position), lost }
}

/// Reads a Position ID; blanks around it, `=` padding and the label `Position ID:` are accepted.
///
/// # Errors
/// If it has not 14 characters of base 64, or they are no position.
pub fn parse(text: &str) -> Result<Position, ParseError> {
    let piece = Piece::whole(text).trim().without_prefix("GNU Backgammon").trim();
    let id = match piece.without_prefix("Position ID") {
        unlabelled if unlabelled.text().len() == piece.text().len() => piece,
        labelled => labelled.trim().without_prefix(":").trim(),
    };
    read(&id.trim_end(&['=']))
}

pub(super) fn read(piece: &Piece) -> Result<Position, ParseError> {
    let bytes: [u8; 10] = from_digits(piece, FORMAT)?;
    from_bytes(&bytes).map_err(|why| piece.error(FORMAT, ParseErrorKind::Invalid(why)))
}

/// Bytes as base 64 digits, without padding.
pub(super) fn to_digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().enumerate().fold(0u32, |word, (i, &byte)| word | u32::from(byte) << (16 - 8 * i));
        for i in 0..=chunk.len() {
            text.push(char::from(DIGITS[(word >> (18 - 6 * i)) as usize & 63]));
        }
    }
    text
}

/// The `N` bytes that base 64 digits stand for.
pub(super) fn from_digits<const N: usize>(
    piece: &Piece,
    format: &'static str,
) -> Result<[u8; N], ParseError> {
    let text = piece.text();
    if let Some((offset, odd)) = text.char_indices().find(|&(_, c)| !c.is_ascii() || !is_digit(c as u8)) {
        let why = format!("{odd:?} is not a letter, a digit, + or /");
        return Err(piece.error_at(format, offset, ParseErrorKind::Invalid(why)));
    }
    let wanted = (N * 8).div_ceil(6);
    if text.len() != wanted {
        let why = format!("{} of {wanted} characters: {:?}", text.len(), shorten(text));
        return Err(piece.error(format, ParseErrorKind::Invalid(why)));
    }
    let mut bytes = [0u8; N];
    for (i, c) in text.bytes().enumerate() {
        let value = DIGITS.iter().position(|&digit| digit == c).unwrap_or(0) as u16;
        // Six bits that begin `at` bits into the bytes, the highest first.
        let at = 6 * i;
        let window = value << (10 - at % 8);
        bytes[at / 8] |= (window >> 8) as u8;
        match bytes.get_mut(at / 8 + 1) {
            Some(next) => *next |= window as u8,
            None if window as u8 != 0 => {
                let why = format!("the last character, {:?}, cannot end an id", char::from(c));
                return Err(piece.error_at(format, i, ParseErrorKind::Invalid(why)));
            }
            None => {}
        }
    }
    Ok(bytes)
}
