//! Hypergammon: the standard game with three checkers a side (or two, or one), on the 24, 23 and 22.

use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::plain::{Plain, mirrored};

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "hypergammon",
    aliases: &["hyper-backgammon"],
    prefix: "hypergammon",
    flags: &[Flag::number("checkers", 3, 1, 3)],
    opening: Opening::UseDice,
    later: Later::Opening,
    cube: true,
    build: |chosen| {
        let checkers = chosen.number("checkers").clamp(1, 3) as u8;
        let start = mirrored(&[(24, 1), (23, 1), (22, 1)][..usize::from(checkers)]);
        Plain { game: "hypergammon", start, checkers, triple: true }.into()
    },
};
