//! Board lines of the FIBS server.

use gammon_core::codec::fibs::{parse, print};

use super::text::check_format;

/// A text that is a board line reads back after printing.
pub fn check(bytes: &[u8]) -> bool {
    check_format(bytes, parse, print).is_some()
}
