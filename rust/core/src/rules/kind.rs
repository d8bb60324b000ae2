//! The list of the games, and one of them with its options chosen.

use std::fmt;

use super::acey_deucey::AceyDeucey;
use super::dutch::Dutch;
use super::fevga::Fevga;
use super::gul_bara::GulBara;
use super::jacquet::Jacquet;
use super::nardi_long::NardiLong;
use super::options::{Chosen, Flag, OptionError};
use super::plain::Plain;
use super::plakoto::Plakoto;
use super::tavla::Tavla;
use super::trictrac::Trictrac;
use super::{
    acey_deucey, dutch, fevga, gul_bara, hypergammon, jacquet, kirik_tavla, longgammon, nackgammon,
    nardi_long, nardi_short, plakoto, portes, tavla, trictrac,
};

/// What the dice that decided who starts are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The winner plays them.
    UseDice,
    /// The winner throws both anew.
    Reroll,
}

/// Who starts the games of a match after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// Whoever wins the opening throw.
    Opening,
    /// The winner of the game before.
    WinnerStarts,
}

/// What there is to know of a game before its options are chosen.
pub struct Kind {
    /// Its name, as users write it.
    pub name: &'static str,
    /// Other names it is known by.
    pub aliases: &'static [&'static str],
    /// What its options begin with.
    pub prefix: &'static str,
    /// Its options.
    pub flags: &'static [Flag],
    pub(crate) opening: Opening,
    pub(crate) later: Later,
    pub(crate) cube: bool,
    pub(crate) build: fn(&Chosen) -> AnyVariant,
}

/// All games, in the order they are listed.
pub static KINDS: [&Kind; 15] = [
    &nackgammon::KIND,
    &longgammon::KIND,
    &hypergammon::KIND,
    &portes::KIND,
    &plakoto::KIND,
    &fevga::KIND,
    &tavla::KIND,
    &kirik_tavla::KIND,
    &gul_bara::KIND,
    &nardi_short::KIND,
    &nardi_long::KIND,
    &jacquet::KIND,
    &dutch::KIND,
    &acey_deucey::KIND,
    &trictrac::KIND,
];

/// Any game with its options.
#[derive(Clone, Copy, Debug)]
pub enum AnyVariant {
    /// Moves as the standard game does.
    Plain(Plain),
    /// Tavla and Kirik Tavla, and Portes without hit-and-run.
    Tavla(Tavla),
    /// Dutch backgammon.
    Dutch(Dutch),
    /// Acey-deucey.
    AceyDeucey(AceyDeucey),
    /// Plakoto.
    Plakoto(Plakoto),
    /// Fevga and Moultezim.
    Fevga(Fevga),
    /// Long nardi.
    NardiLong(NardiLong),
    /// Gul bara and the Celebi game.
    GulBara(GulBara),
    /// Jacquet.
    Jacquet(Jacquet),
    /// Trictrac.
    Trictrac(Trictrac),
}

macro_rules! into_any {
    ($($name:ident),*) => {
        $(impl From<$name> for AnyVariant {
            fn from(game: $name) -> AnyVariant {
                AnyVariant::$name(game)
            }
        })*
    };
}

into_any!(Plain, Tavla, Dutch, AceyDeucey, Plakoto, Fevga, NardiLong, GulBara, Jacquet, Trictrac);

/// Runs an expression with a game bound to a name: the one place where a game becomes a type.
#[macro_export]
macro_rules! with_variant {
    ($any:expr, $game:ident => $run:expr) => {
        match $any {
            $crate::rules::AnyVariant::Plain($game) => $run,
            $crate::rules::AnyVariant::Tavla($game) => $run,
            $crate::rules::AnyVariant::Dutch($game) => $run,
            $crate::rules::AnyVariant::AceyDeucey($game) => $run,
            $crate::rules::AnyVariant::Plakoto($game) => $run,
            $crate::rules::AnyVariant::Fevga($game) => $run,
            $crate::rules::AnyVariant::NardiLong($game) => $run,
            $crate::rules::AnyVariant::GulBara($game) => $run,
            $crate::rules::AnyVariant::Jacquet($game) => $run,
            $crate::rules::AnyVariant::Trictrac($game) => $run,
        }
    };
}

/// A game with its options chosen.
#[derive(Clone)]
pub struct Ruleset {
    kind: &'static Kind,
    chosen: Chosen,
    game: AnyVariant,
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesetError {
    /// No game has this name.
    Unknown(String),
    /// Its options are not right.
    Option(OptionError),
}

impl fmt::Display for RulesetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesetError::Unknown(name) => {
                let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
                write!(f, "no variant is called {name:?}; there are {}", names.join(", "))
            }
            RulesetError::Option(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RulesetError {}

impl Ruleset {
    /// The game of this name (or alias) with these options, the others by default.
    ///
    /// `moultezim` is Fevga with that preset; Tavla whose `uzun_meaning` is `long` is long nardi.
    ///
    /// # Errors
    /// Names a game that is unknown, an option it does not have, or a value the option cannot be.
    pub fn new(name: &str, options: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let named = |kind: &&&Kind| kind.name == name || kind.aliases.contains(&name);
        let kind: &'static Kind =
            KINDS.iter().find(named).ok_or_else(|| RulesetError::Unknown(name.to_owned()))?;
        let mut given = Vec::new();
        if name == "moultezim" {
            given.push(("preset".to_owned(), "moultezim".to_owned()));
        }
        given.extend_from_slice(options);
        let chosen = Chosen::new(kind.name, kind.prefix, kind.flags, &given).map_err(RulesetError::Option)?;
        if chosen.is("uzun_meaning", "long") {
            return Ruleset::new("nardi_long", &[]);
        }
        Ok(Ruleset { kind, game: (kind.build)(&chosen), chosen })
    }

    /// The game's name.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// What its options begin with.
    pub fn prefix(&self) -> &'static str {
        self.kind.prefix
    }

    /// What was chosen for each option.
    pub fn options(&self) -> &Chosen {
        &self.chosen
    }

    /// The game itself.
    pub fn game(&self) -> &AnyVariant {
        &self.game
    }

    /// What the opening dice are used for.
    pub fn opening(&self) -> Opening {
        let plays_them = self.chosen.is("opening", "use_dice") || self.chosen.is("preset", "rulebook");
        match self.chosen.get("opening") {
            _ if plays_them => Opening::UseDice,
            "reroll" => Opening::Reroll,
            _ => self.kind.opening,
        }
    }

    /// Who starts later games.
    pub fn later(&self) -> Later {
        self.kind.later
    }

    /// Whether it is played with the doubling cube.
    pub fn has_cube(&self) -> bool {
        match self.chosen.get("cube") {
            "true" => true,
            "false" => false,
            _ => self.kind.cube,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(options: &[(&str, &str)]) -> Vec<(String, String)> {
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn games_are_found_by_name_and_alias() {
        for kind in KINDS {
            assert_eq!(Ruleset::new(kind.name, &[]).unwrap().name(), kind.name);
        }
        assert_eq!(Ruleset::new("moultezim", &[]).unwrap().options().get("preset"), "moultezim");
        let long = Ruleset::new("uzun_tavla", &given(&[("tavla.uzun_meaning", "long")])).unwrap();
        assert_eq!(long.name(), "nardi_long");
        let unknown = Ruleset::new("poker", &[]).err().unwrap().to_string();
        assert!(unknown.contains("\"poker\"") && unknown.contains("plakoto"), "{unknown}");
    }

    #[test]
    fn options_of_other_games_are_refused() {
        let wrong = Ruleset::new("portes", &given(&[("fevga.runner", "none")])).err().unwrap().to_string();
        assert!(wrong.contains("portes has no option \"fevga.runner\""), "{wrong}");
    }

    #[test]
    fn openings_and_cubes_follow_the_options() {
        let rules = |name, options: &[(&str, &str)]| Ruleset::new(name, &given(options)).unwrap();
        assert_eq!(rules("tavla", &[("preset", "rulebook")]).opening(), Opening::UseDice);
        assert_eq!(rules("tavla", &[]).opening(), Opening::Reroll);
        assert!(
            rules("nardi_short", &[]).has_cube() && !rules("nardi_short", &[("cube", "false")]).has_cube()
        );
        assert!(rules("nardi_long", &[("cube", "true")]).has_cube() && !rules("acey_deucey", &[]).has_cube());
    }
}
