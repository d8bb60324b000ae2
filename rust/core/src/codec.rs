//! Identifiers: positions and situations as short texts that other programs read.
//!
//! One module a format, all alike: `parse` is tolerant of what people paste, `print` writes one strict
//! form. What a format cannot hold is not dropped silently: `print` returns it in [`Encoded::lost`].

pub mod fibs;
mod losses;
pub mod matchid;
pub mod ogid;
mod piece;
pub mod posid;
pub mod xgid;

use std::fmt;

use crate::parse::{ParseError, ParseErrorKind};
use crate::situation::Situation;
use piece::Piece;

/// The kinds of text that [`parse`] tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The word `start` (or `opening`): the start of a money game.
    Start,
    /// An XGID.
    Xgid,
    /// A GNU Backgammon Position ID and Match ID.
    GnuId,
    /// A GNU Backgammon Position ID alone.
    PositionId,
    /// A board line of the FIBS server.
    Fibs,
    /// An OGID of OpenGammon.
    Ogid,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Start, Format::Xgid, Format::GnuId, Format::PositionId, Format::Fibs, Format::Ogid];

    /// The format's short name: `start`, `xgid`, `gnuid`, `posid`, `fibs`, `ogid`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Start => "start",
            Format::Xgid => "xgid",
            Format::GnuId => "gnuid",
            Format::PositionId => "posid",
            Format::Fibs => "fibs",
            Format::Ogid => "ogid",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(f, "unknown format {:?}: expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

/// A text and what it could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// The identifier.
    pub text: String,
    /// What reading it back will not give again, one phrase each; empty if nothing is lost.
    pub lost: Vec<String>,
}

/// Reads any identifier and says which kind it was.
///
/// An XGID (with or without `XGID=`), `position:match` or `position match` in GNU Backgammon's ids, the
/// lines `Position ID: …` and `Match ID: …` it prints, a Position ID alone (money play, centred cube), a
/// FIBS board line, an OGID, or the word `start`.
///
/// # Errors
/// If the text is none of these, or one of them with a fault; the error then names the format and place.
pub fn parse(text: &str) -> Result<(Situation, Format), ParseError> {
    let piece = Piece::whole(text).trim();
    let format = sniff(&piece).ok_or_else(|| {
        let why = match matchid::stands_alone(&piece) {
            true => "a Match ID (12 characters) needs a Position ID (14) before it: Position ID:Match ID",
            false => {
                "no known identifier: expected an XGID (XGID=…), a Position ID (14 characters), \
                 Position ID:Match ID, a FIBS board line (board:…), an OGID or the word start"
            }
        };
        piece.error("identifier", ParseErrorKind::Invalid(why.to_owned()))
    })?;
    let situation = match format {
        Format::Start => Situation::START,
        Format::Xgid => xgid::parse(text)?,
        Format::GnuId => matchid::parse_pair(text)?,
        Format::PositionId => Situation::money(posid::parse(text)?),
        Format::Fibs => fibs::parse(text)?,
        Format::Ogid => ogid::parse(text)?,
    };
    Ok((situation, format))
}

/// The text of a situation in a format.
///
/// ```
/// use gammon_core::{Position, Situation, codec};
///
/// let (situation, _) = codec::parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")?;
/// let printed = codec::print(&situation, codec::Format::PositionId);
/// assert_eq!(printed.text, "4HPwATDgc/ABMA");
/// assert_eq!(printed.lost.len(), 1); // the roll, among everything but the position
/// # Ok::<(), gammon_core::ParseError>(())
/// ```
pub fn print(situation: &Situation, format: Format) -> Encoded {
    match format {
        Format::Start => word(situation),
        Format::Xgid => xgid::print(situation),
        Format::GnuId => matchid::print_pair(situation),
        Format::PositionId => posid::print_situation(situation),
        Format::Fibs => fibs::print(situation),
        Format::Ogid => ogid::print(situation),
    }
}

/// The word `start`, which is lost on every other situation.
fn word(situation: &Situation) -> Encoded {
    let text = Format::Start.name().to_owned();
    Encoded::of(text, situation, |_| Ok(Situation::START))
}

/// Fewest characters that are taken for a Position ID or a Match ID with a fault.
const SHORTEST: usize = 10;

/// What a text looks like, before it is read.
fn sniff(piece: &Piece) -> Option<Format> {
    let text = piece.text();
    let starts = |word: &str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let colons = text.bytes().filter(|&c| c == b':').count();
    let words = text.split(|c: char| c == ':' || c.is_whitespace()).filter(|word| !word.is_empty());
    // Long enough to be meant for a Position ID, with some characters lost or added.
    let meant = |word: &str| word.len() >= SHORTEST;
    if text.eq_ignore_ascii_case("start") || text.eq_ignore_ascii_case("opening") {
        Some(Format::Start)
    } else if let Some(words) = matchid::labelled(piece) {
        Some(if words == 1 { Format::PositionId } else { Format::GnuId })
    } else if matchid::stands_alone(piece) {
        None
    } else if starts("board:") {
        Some(Format::Fibs)
    } else if starts("OGID") || !starts("XGID") && ogid::looks_like(text) {
        Some(Format::Ogid)
    } else if starts("XGID") || colons > 1 {
        Some(Format::Xgid)
    } else if starts("GNUBGID") || (colons == 1 || words.clone().count() == 2) && words.clone().all(meant) {
        Some(Format::GnuId)
    } else if meant(text) && text.bytes().all(|c| posid::is_digit(c) || c == b'=') {
        Some(Format::PositionId)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
