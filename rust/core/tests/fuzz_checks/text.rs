//! What all text parsers promise.

use std::fmt::Debug;

use gammon_core::codec::Encoded;
use gammon_core::{ParseError, ParseErrorKind, Situation};

/// Checks that an error names the format and a place in the text, and that it has words.
pub fn check_error(error: &ParseError, text: &str) {
    assert!(!error.format.is_empty());
    assert!(error.offset <= text.len(), "{error:?}");
    assert!(text.is_char_boundary(error.offset), "{error:?}");
    assert!(text.starts_with(&error.text) && error.text.len() <= ParseError::MAX_TEXT, "{error:?}");
    assert!(error.text.len() == text.len() || error.text.len() > ParseError::MAX_TEXT - 4, "{error:?}");
    match &error.kind {
        ParseErrorKind::Unexpected(what) => assert!(!what.is_empty()),
        ParseErrorKind::OutOfRange(what) | ParseErrorKind::Invalid(what) => assert!(!what.is_empty()),
    }
    assert!(!error.to_string().is_empty());
}

/// Reads `bytes` as text; what can be read must print to something that reads back as the same.
/// Returns what was read.
pub fn check_round_trip<T: PartialEq + Debug>(
    bytes: &[u8],
    parse: impl Fn(&str) -> Result<T, ParseError>,
    print: impl Fn(&T) -> String,
) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?;
    match parse(text) {
        Ok(value) => {
            let printed = print(&value);
            let again = parse(&printed).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(again, value, "{text:?} printed as {printed:?}");
            assert_eq!(print(&again), printed);
            Some(value)
        }
        Err(error) => {
            check_error(&error, text);
            None
        }
    }
}

/// As [`check_round_trip`], for a format of situations: what was read from a format, the format can hold.
pub fn check_format(
    bytes: &[u8],
    parse: fn(&str) -> Result<Situation, ParseError>,
    print: fn(&Situation) -> Encoded,
) -> Option<Situation> {
    let situation = check_round_trip(bytes, parse, |situation| print(situation).text)?;
    assert_eq!(print(&situation).lost, [""; 0], "{situation:?}");
    assert_eq!(Situation::new(situation.parts()), Ok(situation));
    Some(situation)
}
