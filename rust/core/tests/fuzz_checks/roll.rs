//! `Roll::from_str`.

use gammon_core::Roll;

use super::text::check_round_trip;

/// A text that is a roll prints as one of the 21 and reads back.
pub fn check(bytes: &[u8]) -> bool {
    let Some(roll) = check_round_trip(bytes, str::parse::<Roll>, Roll::to_string) else { return false };
    assert_eq!(Roll::ALL[roll.index()], roll);
    let digits: Vec<u8> = bytes.iter().filter(|b| b.is_ascii_digit()).map(|b| b - b'0').collect();
    assert_eq!(Roll::new(digits[0], digits[1]), Some(roll), "{bytes:?}");
    true
}
