//! `codec::parse`, which tells the formats apart.

use gammon_core::Situation;
use gammon_core::codec::{self, Format};

use super::text::check_round_trip;

/// What is read prints in its own format and reads back as the same, of the same format. In every
/// other format it prints to something readable, which differs exactly if a loss is reported.
pub fn check(bytes: &[u8]) -> bool {
    let own = |&(situation, format): &(Situation, Format)| codec::print(&situation, format).text;
    let Some((situation, _)) = check_round_trip(bytes, codec::parse, own) else { return false };
    for format in [Format::Xgid, Format::GnuId, Format::Fibs, Format::Ogid] {
        let encoded = codec::print(&situation, format);
        let (read, found) =
            codec::parse(&encoded.text).unwrap_or_else(|error| panic!("{situation:?}: {error}"));
        assert_eq!(found, format);
        assert_eq!(read == situation, encoded.lost.is_empty(), "{situation:?} {encoded:?} {read:?}");
        let again = codec::print(&read, format);
        assert_eq!(
            (again.text, again.lost.len()),
            (encoded.text, 0),
            "{situation:?} {read:?} {:?}",
            again.lost
        );
    }
    true
}
