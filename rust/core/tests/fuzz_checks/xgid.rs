//! XGIDs.

use gammon_core::codec::xgid::{parse, print};

use super::text::check_format;

/// A text that is an XGID reads back after printing.
pub fn check(bytes: &[u8]) -> bool {
    check_format(bytes, parse, print).is_some()
}
