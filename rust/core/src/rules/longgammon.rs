//! Longgammon: the standard game with all fifteen checkers on the 24-point.

use super::kind::{Kind, Later, Opening};
use super::plain::{Plain, mirrored};

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "longgammon",
    aliases: &[],
    prefix: "longgammon",
    flags: &[],
    opening: Opening::UseDice,
    later: Later::Opening,
    cube: true,
    build: |_| Plain { game: "longgammon", start: mirrored(&[(24, 15)]), checkers: 15, triple: true }.into(),
};
