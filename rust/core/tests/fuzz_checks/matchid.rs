//! GNU Backgammon's Match ID, alone and after a Position ID.

use gammon_core::Position;
use gammon_core::codec::matchid::{parse, parse_pair, print, print_pair};

use super::text::check_format;

/// A text that is a Match ID, or both ids, reads back after printing.
pub fn check(bytes: &[u8]) -> bool {
    let pair = check_format(bytes, parse_pair, print_pair);
    let alone = check_format(bytes, |text| parse(text, Position::START), print);
    pair.or(alone).is_some()
}
