//! Short nardi: the standard game under the names oyn, mars and koks.

use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::plain::Plain;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "nardi_short",
    aliases: &["short_nardi"],
    prefix: "nardi_short",
    flags: &[Flag::on("triple"), Flag::on("cube")],
    opening: Opening::UseDice,
    later: Later::Opening,
    cube: true,
    build: |chosen| {
        let triple = chosen.yes("triple");
        Plain { game: "nardi_short", start: Position::START, checkers: 15, triple }.into()
    },
};
