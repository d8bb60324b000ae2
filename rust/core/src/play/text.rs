//! Reading a play as people write it, before anything is known about the position.

use super::Move;
use crate::parse::{ParseError, ParseErrorKind};
use crate::steps::{BAR, OFF};

/// A checker's way as written: the points it is said to touch, and where a hit is claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    points: [u8; 5],
    len: usize,
    /// Bit `p` says that a hit was marked on point `p`.
    pub hits: u32,
    /// A part of the way that does not lead towards home.
    pub backwards: Option<Move>,
}

impl Way {
    pub fn points(&self) -> &[u8] {
        &self.points[..self.len]
    }
}

impl From<Move> for Way {
    fn from(played: Move) -> Way {
        let backwards = (played.to >= played.from).then_some(played);
        Way { points: [played.from, played.to, 0, 0, 0], len: 2, hits: 0, backwards }
    }
}

const NO_PLAY: [&str; 7] = ["", "pass", "cannot move", "can't move", "no move", "no play", "dance"];

/// Reads `8/5(2) 6/3*(2)`, `bar/22 13/7`, `25/22`, `8-5 6-5`, `13/7, 7/6`, …; nothing for a pass.
///
/// # Errors
/// If the text is not of that kind, or names more than four moves.
pub(super) fn read(text: &str) -> Result<Vec<Way>, ParseError> {
    if NO_PLAY.iter().any(|word| text.trim().eq_ignore_ascii_case(word)) {
        return Ok(Vec::new());
    }
    let mut cursor = Cursor { text, at: 0 };
    let mut ways: Vec<Way> = Vec::with_capacity(4);
    loop {
        cursor.skip_separators();
        if cursor.at == text.len() {
            break;
        }
        let start = cursor.at;
        let mut way = cursor.way()?;
        let count = cursor.count()?;
        if cursor.take(b'*') {
            way.hits |= 1 << way.points[way.len - 1];
        }
        if ways.len() + count > 4 {
            return Err(cursor.invalid(start, "more than four moves"));
        }
        ways.resize(ways.len() + count, way);
    }
    if ways.is_empty() { Err(cursor.unexpected("a move like 8/5")) } else { Ok(ways) }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip_separators(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace() || c == b',' || c == b';') {
            self.at += 1;
        }
    }

    fn unexpected(&self, what: &'static str) -> ParseError {
        ParseError::new("play", self.text, self.at, ParseErrorKind::Unexpected(what))
    }

    fn invalid(&self, at: usize, why: &str) -> ParseError {
        ParseError::new("play", self.text, at, ParseErrorKind::Invalid(why.to_owned()))
    }

    /// `24/18*/13`: at least two points.
    fn way(&mut self) -> Result<Way, ParseError> {
        let mut way = Way::default();
        loop {
            let start = self.at;
            let place = self.place(way.len == 0)?;
            if way.len > 0 && place >= way.points[way.len - 1] {
                way.backwards = way.backwards.or(Some(Move { from: way.points[way.len - 1], to: place }));
            }
            if way.len == way.points.len() {
                return Err(self.invalid(start, "more than four moves"));
            }
            way.points[way.len] = place;
            way.len += 1;
            if self.take(b'*') && way.len > 1 {
                way.hits |= 1 << place;
            }
            if !(self.take(b'/') || self.take(b'-')) {
                break;
            }
        }
        if way.len < 2 { Err(self.unexpected("a / and the point the checker goes to")) } else { Ok(way) }
    }

    /// A point, or the bar at the start of a way, or the tray at its end.
    fn place(&mut self, first: bool) -> Result<u8, ParseError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let place = match word.to_ascii_lowercase().as_str() {
            "bar" | "b" => Some(BAR),
            "off" | "o" => Some(OFF),
            digits if digits.len() <= 2 && digits.bytes().all(|c| c.is_ascii_digit()) => digits.parse().ok(),
            _ => None,
        };
        let allowed = if first { 1..=BAR } else { OFF..=BAR - 1 };
        match place {
            Some(place) if allowed.contains(&place) => Ok(place),
            _ => {
                self.at = start;
                Err(self.unexpected(if first {
                    "a point from 1 to 24 or bar"
                } else {
                    "a point from 1 to 24 or off"
                }))
            }
        }
    }

    /// `(2)`, also after blanks; 1 if there is none. A hit mark may follow it.
    fn count(&mut self) -> Result<usize, ParseError> {
        let before = self.at;
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
        if !self.take(b'(') {
            self.at = before;
            return Ok(1);
        }
        let count = match self.peek() {
            Some(digit @ b'1'..=b'4') => usize::from(digit - b'0'),
            _ => return Err(self.unexpected("a number from 1 to 4")),
        };
        self.at += 1;
        if !self.take(b')') {
            return Err(self.unexpected("a closing bracket"));
        }
        Ok(count)
    }
}
