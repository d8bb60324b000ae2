//! A piece of a text that knows where it stands in the whole, so that errors can say it.

use crate::parse::{ParseError, ParseErrorKind};

/// Part of a text, with its place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    whole: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Piece<'a> {
    pub fn whole(text: &'a str) -> Piece<'a> {
        Piece { whole: text, start: 0, end: text.len() }
    }

    pub fn text(&self) -> &'a str {
        &self.whole[self.start..self.end]
    }

    /// The place of `part`, a slice of this piece's text, in the whole.
    fn part(&self, part: &'a str) -> Piece<'a> {
        let start = part.as_ptr() as usize - self.whole.as_ptr() as usize;
        Piece { whole: self.whole, start, end: start + part.len() }
    }

    /// Without blanks at either end.
    pub fn trim(&self) -> Piece<'a> {
        self.part(self.text().trim())
    }

    /// Without any of these characters at the end.
    pub fn trim_end(&self, unwanted: &[char]) -> Piece<'a> {
        self.part(self.text().trim_end_matches(unwanted))
    }

    /// Without this word at the start, whatever its case.
    pub fn without_prefix(&self, word: &str) -> Piece<'a> {
        match self.text().get(..word.len()) {
            Some(head) if head.eq_ignore_ascii_case(word) => self.part(&self.text()[word.len()..]),
            _ => *self,
        }
    }

    /// The parts between `separator`s.
    pub fn split(&self, separator: impl Fn(char) -> bool) -> Vec<Piece<'a>> {
        self.text().split(separator).map(|part| self.part(part)).collect()
    }

    /// An error about this piece as a whole.
    pub fn error(&self, format: &'static str, kind: ParseErrorKind) -> ParseError {
        ParseError::new(format, self.whole, self.start, kind)
    }

    /// An error at `offset` bytes into this piece.
    pub fn error_at(&self, format: &'static str, offset: usize, kind: ParseErrorKind) -> ParseError {
        ParseError::new(format, self.whole, self.start + offset, kind)
    }

    /// The whole number this piece is, from `least` to `most`; `name` is what it is called in errors.
    pub fn number(&self, format: &'static str, name: &str, least: i32, most: i32) -> Result<i32, ParseError> {
        let text = self.text().trim();
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
            let why = format!("{name} must be a whole number, not {:?}", shorten(text));
            return Err(self.error(format, ParseErrorKind::Invalid(why)));
        }
        match text.parse::<i32>() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            _ => {
                let why = format!("{name} must be from {least} to {most}, not {}", shorten(text));
                Err(self.error(format, ParseErrorKind::OutOfRange(why)))
            }
        }
    }
}

/// The start of a text, short enough for an error message.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(20).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
