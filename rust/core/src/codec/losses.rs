//! What a format could not hold: the differences between a situation and its text read back.

use super::Encoded;
use crate::parse::ParseError;
use crate::score::{Player, power};
use crate::situation::{Offer, Parts, Seat, Situation};

impl Encoded {
    /// A text with everything that reading it back gives differently.
    pub(super) fn of(
        text: String,
        meant: &Situation,
        parse: fn(&str) -> Result<Situation, ParseError>,
    ) -> Encoded {
        let lost = match parse(&text) {
            Ok(read) => losses(meant, &read),
            Err(error) => vec![format!("everything: {error}")],
        };
        Encoded { text, lost }
    }
}

fn losses(meant: &Parts, read: &Parts) -> Vec<String> {
    let mut lost = Vec::new();
    let mut note = |differs: bool, what: &dyn Fn() -> String| {
        if differs {
            lost.push(what());
        }
    };
    // Seen from the same seat, so that a lost seat is not reported as everything else too.
    let same_seat = meant.seat == read.seat;
    note(!same_seat, &|| {
        let seat = if meant.seat == Seat::Top { "0" } else { "1" };
        format!("that player {seat} is on roll")
    });
    note(meant.position != read.position, &|| "the position".to_owned());
    note(meant.roll != read.roll, &|| {
        meant.roll.map_or("that the dice are not thrown".to_owned(), |roll| format!("the roll {roll}"))
    });
    note(meant.offer != read.offer, &|| match meant.offer {
        Some(offer) => format!("the pending {offer}"),
        None => "that no offer is pending".to_owned(),
    });
    note(meant.to_act != read.to_act && meant.offer == read.offer, &|| {
        format!("that {} is to act", meant.to_act)
    });
    note(meant.state != read.state, &|| format!("the state of the game ({:?})", meant.state));
    score_losses(meant, read, &mut lost);
    lost
}

fn score_losses(meant: &Parts, read: &Parts, lost: &mut Vec<String>) {
    let (meant, read) = (&meant.score, &read.score);
    let mut note = |differs: bool, what: String| {
        if differs {
            lost.push(what);
        }
    };
    note(meant.length != read.length, format!("the match length {}", meant.length));
    let scores = (meant.roller_score, meant.opponent_score);
    note(scores != (read.roller_score, read.opponent_score), format!("the score {}-{}", scores.0, scores.1));
    let crawford = if meant.crawford { "the Crawford game" } else { "that this is not the Crawford game" };
    note(meant.crawford != read.crawford, crawford.to_owned());
    note(meant.cube_log2 != read.cube_log2, format!("the cube value {}", power(meant.cube_log2)));
    let owner = match meant.cube_owner {
        Some(Player::Roller) => "the cube's owner (the player on roll)",
        Some(Player::Opponent) => "the cube's owner (the opponent)",
        None => "that the cube is centred",
    };
    note(meant.cube_owner != read.cube_owner, owner.to_owned());
    let rule = |on: bool, name: &str| format!("{name} {}", if on { "on" } else { "off" });
    note(meant.jacoby != read.jacoby, rule(meant.jacoby, "Jacoby rule"));
    note(meant.beavers != read.beavers, rule(meant.beavers, "beavers"));
    let limit = meant.cube_limit.map_or("no cube limit".to_owned(), |n| format!("cube limit {}", power(n)));
    note(meant.cube_limit != read.cube_limit, limit);
}

/// The offer as formats without beavers write it: the double that began it.
pub(super) fn as_double(offer: Option<Offer>) -> bool {
    matches!(offer, Some(Offer::Double | Offer::Beaver | Offer::Raccoon))
}
