//! Nackgammon: the standard game from a start with two more checkers far back, after Nack Ballard.

use super::kind::{Kind, Later, Opening};
use super::plain::{Plain, mirrored};

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "nackgammon",
    aliases: &[],
    prefix: "nackgammon",
    flags: &[],
    opening: Opening::UseDice,
    later: Later::Opening,
    cube: true,
    build: |_| {
        let start = mirrored(&[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)]);
        Plain { game: "nackgammon", start, checkers: 15, triple: true }.into()
    },
};
