//! The games that nets are trained for beside the standard one, and their numbers in net files.

use crate::rules::Ruleset;

/// A game that a net can be trained for. Its number stands in net files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game(u8);

/// How a game's checkers stand and what its spare bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The sides run opposite ways, two checkers close a point.
    Contrary,
    /// The sides run the same way round, one checker closes a point.
    Parallel,
    /// Opposite ways, and checkers are pinned.
    Pinned,
    /// Trictrac: opposite ways, points and holes.
    Marked,
}

/// The games with their numbers in net files, which are never given to another game.
const GAMES: [(&str, Layout); 16] = [
    ("plakoto", Layout::Pinned),
    ("fevga", Layout::Parallel),
    ("nardi_long", Layout::Parallel),
    ("gul_bara", Layout::Parallel),
    ("jacquet", Layout::Parallel),
    ("portes", Layout::Contrary),
    ("nackgammon", Layout::Contrary),
    ("longgammon", Layout::Contrary),
    ("hypergammon", Layout::Contrary),
    ("tavla", Layout::Contrary),
    ("kirik_tavla", Layout::Contrary),
    ("nardi_short", Layout::Contrary),
    ("dutch", Layout::Contrary),
    ("acey_deucey", Layout::Contrary),
    ("trictrac", Layout::Marked),
    (CELEBI, Layout::Contrary),
];

/// Gul bara's other game: with hits, and the sides run opposite ways.
const CELEBI: &str = "celebi";

/// The number of the first game's set.
const FIRST_ID: u32 = 257;

impl Game {
    /// The game of this name. The Celebi game is one of its own, though its rules are options of Gul bara.
    pub fn of_name(name: &str) -> Option<Game> {
        GAMES.iter().position(|&(known, _)| known == name).map(|at| Game(at as u8))
    }

    /// The game of a set of rules.
    pub fn of(rules: &Ruleset) -> Game {
        let celebi = rules.options().iter().any(|(name, value)| name == "celebi" && value == "true");
        let name = if celebi { CELEBI } else { rules.name() };
        // Every game of the family has its number; a test holds the list to that.
        Game::of_name(name).unwrap_or(Game(0))
    }

    /// The game whose set has this number.
    pub(super) fn from_id(id: u32) -> Option<Game> {
        let at = id.checked_sub(FIRST_ID).filter(|&at| (at as usize) < GAMES.len())?;
        Some(Game(at as u8))
    }

    /// The number of its set.
    pub(super) const fn id(self) -> u32 {
        FIRST_ID + self.0 as u32
    }

    /// The game's name.
    pub const fn name(self) -> &'static str {
        GAMES[self.0 as usize].0
    }

    pub(crate) const fn layout(self) -> Layout {
        GAMES[self.0 as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::KINDS;

    fn game(name: &str, options: &[(&str, &str)]) -> Game {
        let given: Vec<_> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        Game::of(&Ruleset::new(name, &given).unwrap())
    }

    #[test]
    fn games_are_known_by_name_and_number() {
        for kind in KINDS {
            assert_eq!(game(kind.name, &[]).name(), kind.name);
        }
        assert_eq!(game("gul_bara", &[("celebi", "true")]).name(), "celebi");
        for number in 0..GAMES.len() {
            let game = Game(number as u8);
            assert_eq!((Game::of_name(game.name()), Game::from_id(game.id())), (Some(game), Some(game)));
        }
        assert_eq!(
            (Game::from_id(3), Game::from_id(FIRST_ID + 16), Game::of_name("poker")),
            (None, None, None)
        );
    }
}
