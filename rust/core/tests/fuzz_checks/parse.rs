//! `codec::parse`, which tells the formats apart.

use gammon_core::Situation;
use gammon_core::codec::{Encoded, Format, fibs, matchid, parse, posid, xgid};

use super::text::check_round_trip;

/// What is read prints in its own format and reads back as the same, of the same format. In every
/// other format it prints to something readable, which differs exactly if a loss is reported.
pub fn check(bytes: &[u8]) -> bool {
    let own = |&(situation, format): &(Situation, Format)| match format {
        Format::Start => format.name().to_owned(),
        Format::Xgid => xgid::print(&situation).text,
        Format::GnuId => matchid::print_pair(&situation).text,
        Format::PositionId => posid::print(&situation.position),
        Format::Fibs => fibs::print(&situation).text,
    };
    let Some((situation, _)) = check_round_trip(bytes, parse, own) else { return false };
    type Print = fn(&Situation) -> Encoded;
    let prints: [(Format, Print); 3] =
        [(Format::Xgid, xgid::print), (Format::GnuId, matchid::print_pair), (Format::Fibs, fibs::print)];
    for (format, print) in prints {
        let encoded = print(&situation);
        let (read, found) = parse(&encoded.text).unwrap_or_else(|error| panic!("{situation:?}: {error}"));
        assert_eq!(found, format);
        assert_eq!(read == situation, encoded.lost.is_empty(), "{situation:?} {encoded:?} {read:?}");
        let again = print(&read);
        assert_eq!(
            (again.text, again.lost.len()),
            (encoded.text, 0),
            "{situation:?} {read:?} {:?}",
            again.lost
        );
    }
    true
}
