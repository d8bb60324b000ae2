//! What kind of position it is: the line along which evaluators are specialised.

use crate::position::{Counts, Position};

/// The kinds of position, from the end of a game to its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// A side has borne off everything.
    Over,
    /// No contact, and every checker is in its owner's home board.
    BearOff,
    /// No contact, but some checkers are still on their way home.
    Race,
    /// Contact, and a side has at most six checkers of use: see [`is_crunched`].
    Crashed,
    /// Contact, and both sides can still build.
    Contact,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 5] = [Phase::Over, Phase::BearOff, Phase::Race, Phase::Crashed, Phase::Contact];

    /// The phase of a position of the standard game.
    ///
    /// The lines between contact, crashed and race are GNU Backgammon's.
    pub fn of(position: &Position) -> Phase {
        let [Some(roller), Some(opponent)] = position.rearmost() else { return Phase::Over };
        if roller < opponent {
            // The home boards are the places 1 to 6 and 19 to 24.
            return if roller <= 6 && opponent >= 19 { Phase::BearOff } else { Phase::Race };
        }
        let places = position.places();
        let ours: u32 = places.iter().map(|&n| n.max(0) as u32).sum();
        let theirs: u32 = places.iter().map(|&n| u32::from(n.min(0).unsigned_abs())).sum();
        let count = |n: i8| n.max(0) as u32;
        if few_of_use(ours, count(places[1]), count(places[2]))
            || few_of_use(theirs, count(-places[24]), count(-places[23]))
        {
            Phase::Crashed
        } else {
            Phase::Contact
        }
    }

    /// The phase's name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Over => "over",
            Phase::BearOff => "bearoff",
            Phase::Race => "race",
            Phase::Crashed => "crashed",
            Phase::Contact => "contact",
        }
    }
}

/// At most this many useful checkers make a crunched side.
const USEFUL: u32 = 6;

/// Whether at most six checkers are still of use: the board has crunched, or all but six are off.
///
/// Of no use are checkers borne off, those on the ace point if it is made, and those on the deuce point
/// but for one. This is GNU Backgammon's line between its contact and its crashed positions; the
/// 992 positions classified in `tests/data/evals.jsonl.gz` agree with it.
pub fn is_crunched(counts: &Counts) -> bool {
    let on_board: u32 = counts.iter().map(|&n| u32::from(n)).sum();
    few_of_use(on_board, u32::from(counts[0]), u32::from(counts[1]))
}

/// Whether a side with so many checkers left, on its ace and on its deuce point, is crunched.
#[inline(always)]
pub(crate) fn few_of_use(on_board: u32, ace: u32, deuce: u32) -> bool {
    let buried = if ace >= 2 { ace } else { 0 } + deuce.saturating_sub(1);
    on_board - buried <= USEFUL
}

impl std::str::FromStr for Phase {
    type Err = UnknownPhase;

    fn from_str(name: &str) -> Result<Phase, UnknownPhase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name).ok_or_else(|| UnknownPhase(name.to_owned()))
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPhase(pub String);

impl std::fmt::Display for UnknownPhase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
        write!(f, "unknown phase {:?}: expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownPhase {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{position, side};

    #[test]
    fn each_phase_has_its_positions() {
        let crunched = [(20, 2), (6, 2), (5, 2), (1, 9)];
        for (phase, position) in [
            (Phase::Contact, Position::START),
            (Phase::Crashed, position(&crunched, &[(13, 15)])),
            (Phase::Race, position(&[(7, 1), (6, 14)], &[(6, 15)])),
            (Phase::BearOff, position(&[(6, 15)], &[(6, 15)])),
            (Phase::Over, position(&[], &[(25, 15)])),
        ] {
            assert_eq!(Phase::of(&position), phase);
            assert_eq!(Phase::of(&position.flip()), phase, "the phase is the same for both sides");
        }
    }

    #[test]
    fn the_phase_is_what_the_sides_say() {
        for position in crate::testing::scattered(3_000) {
            let (roller, opponent) = (position.roller(), position.opponent());
            let last = |side: &Counts| side.iter().rposition(|&n| n > 0).unwrap() + 1;
            let expected = if last(&roller) + last(&opponent) < 25 {
                let home = last(&roller).max(last(&opponent)) <= 6;
                if home { Phase::BearOff } else { Phase::Race }
            } else if is_crunched(&roller) || is_crunched(&opponent) {
                Phase::Crashed
            } else {
                Phase::Contact
            };
            assert_eq!(Phase::of(&position), expected, "{position:?}");
            assert_eq!(position.is_race(), expected <= Phase::Race);
        }
    }

    #[test]
    fn a_crunched_side_has_six_useful_checkers() {
        for (points, crunched) in [
            (vec![(24, 2), (13, 5), (8, 3), (6, 5)], false),
            (vec![(20, 2), (6, 2), (5, 2), (1, 9)], true),
            (vec![(20, 2), (6, 3), (5, 2), (1, 8)], false),
            (vec![(20, 2), (6, 3), (2, 2), (1, 8)], true), // one on the deuce point still counts
            (vec![(20, 2), (6, 3), (5, 1), (2, 2), (1, 7)], false),
            (vec![(6, 5), (1, 1)], true), // nine are off
            (vec![(6, 6), (1, 1)], false),
            (vec![(6, 6), (1, 2)], true),
        ] {
            assert_eq!(is_crunched(&side(&points)), crunched, "{points:?}");
        }
    }

    #[test]
    fn names_read_back() {
        for phase in Phase::ALL {
            assert_eq!(phase.to_string().parse(), Ok(phase));
        }
        let error = "Contact".parse::<Phase>().unwrap_err();
        assert!(error.to_string().contains("\"Contact\"") && error.to_string().contains("bearoff"));
    }
}
