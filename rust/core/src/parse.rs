//! What every text parser of the crate reports when it cannot read its input.

use std::fmt;

/// A text that could not be read: which format, where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Name of the format that was expected: `"roll"`, `"play"`, `"xgid"`, …
    pub format: &'static str,
    /// The offending text, shortened to [`ParseError::MAX_TEXT`] bytes.
    pub text: String,
    /// Byte offset in the text at which reading failed.
    pub offset: usize,
    /// What went wrong there.
    pub kind: ParseErrorKind,
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// Something else was expected; the string says what.
    Unexpected(&'static str),
    /// A field holds a value outside its range; the string names value and range.
    OutOfRange(String),
    /// The parts are readable but contradict one another or the rules.
    Invalid(String),
}

impl ParseError {
    /// Longest piece of the offending text an error carries.
    pub const MAX_TEXT: usize = 120;

    /// An error in `text` at byte `offset`.
    pub fn new(format: &'static str, text: &str, offset: usize, kind: ParseErrorKind) -> ParseError {
        ParseError { format, text: Self::shortened(text).to_owned(), offset, kind }
    }

    /// The first [`ParseError::MAX_TEXT`] bytes of a text, for a message that quotes it.
    pub fn shortened(text: &str) -> &str {
        &text[..text.floor_char_boundary(Self::MAX_TEXT)]
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseErrorKind::Unexpected(what) => write!(f, "expected {what}"),
            ParseErrorKind::OutOfRange(what) | ParseErrorKind::Invalid(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a valid {}: {:?}, at offset {}: {}", self.format, self.text, self.offset, self.kind)
    }
}

impl std::error::Error for ParseError {}
