//! Portes: the standard game without cube and triple game, the first of the Tavli games.

use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::plain::Plain;
use super::tavla::Tavla;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "portes",
    aliases: &[],
    prefix: "portes",
    flags: &[
        Flag::off("triple"),
        Flag::words("hit_and_run", &["allowed", "forbidden_home"]),
        Flag::words("opening", &["reroll", "use_dice"]),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let triple = chosen.yes("triple");
        if chosen.is("hit_and_run", "allowed") {
            Plain { game: "portes", start: Position::START, checkers: 15, triple }.into()
        } else {
            Tavla { triple, ..Tavla::staying("portes") }.into()
        }
    },
};
