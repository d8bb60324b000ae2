//! GNU Backgammon's Position ID.

use gammon_core::codec::posid;

use super::bytes::position_and_roll;
use super::text::check_round_trip;

/// A text that is a Position ID reads back after printing; every position has one.
pub fn check(bytes: &[u8]) -> bool {
    if let Some((position, _)) = position_and_roll(bytes) {
        let text = posid::print(&position);
        assert_eq!(text.len(), posid::LENGTH);
        assert_eq!(posid::parse(&text), Ok(position));
    }
    check_round_trip(bytes, posid::parse, posid::print).is_some()
}
