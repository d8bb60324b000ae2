//! Kirik Tavla: Tavla, where a hit checker enters only on a point that is empty or holds a single enemy checker.

use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::tavla::Tavla;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "kirik_tavla",
    aliases: &["kirik"],
    prefix: "kirik",
    flags: &[Flag::words("entry", &["empty_or_blot", "standard"]), Flag::off("six_hit_mars")],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let own_points_closed = chosen.is("entry", "empty_or_blot");
        let six_hit_mars = chosen.yes("six_hit_mars");
        Tavla { own_points_closed, six_hit_mars, ..Tavla::staying("kirik_tavla") }.into()
    },
};
