//! Options of a game: their names, what they may be, and what was chosen.

use std::fmt;

/// What an option may be; the first choice, or the number given, is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A whole number.
    Number {
        /// What it is if nothing is said.
        default: u32,
        /// The least it may be.
        least: u32,
        /// The most it may be.
        most: u32,
    },
}

/// One option of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name without the game's prefix.
    pub name: &'static str,
    /// What it may be.
    pub values: Values,
}

impl Flag {
    /// An option that is one of several words, the first by default.
    pub const fn words(name: &'static str, words: &'static [&'static str]) -> Flag {
        Flag { name, values: Values::Words(words) }
    }

    /// An option that is off unless it is asked for.
    pub const fn off(name: &'static str) -> Flag {
        Flag::words(name, &["false", "true"])
    }

    /// An option that is on unless it is switched off.
    pub const fn on(name: &'static str) -> Flag {
        Flag::words(name, &["true", "false"])
    }

    /// An option that is a number.
    pub const fn number(name: &'static str, default: u32, least: u32, most: u32) -> Flag {
        Flag { name, values: Values::Number { default, least, most } }
    }

    /// What it is if nothing is said.
    pub fn default(&self) -> String {
        match self.values {
            Values::Words(words) => words[0].to_owned(),
            Values::Number { default, .. } => default.to_string(),
        }
    }

    fn allows(&self, value: &str) -> bool {
        match self.values {
            Values::Words(words) => words.contains(&value),
            Values::Number { least, most, .. } => {
                value.parse().is_ok_and(|number: u32| (least..=most).contains(&number))
            }
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Words(words) => f.write_str(&words.join(", ")),
            Values::Number { least, most, .. } => write!(f, "a whole number from {least} to {most}"),
        }
    }
}

/// Why options are none of a game's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The game has no such option; also the names of those it has.
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// The options there are, with their prefix.
        known: Vec<String>,
    },
    /// The option cannot be that.
    Value {
        /// The option with its prefix.
        name: String,
        /// What it was to be.
        value: String,
        /// What it may be.
        allowed: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { game, name, known } if known.is_empty() => {
                write!(f, "{game} has no options, so none called {name:?}")
            }
            OptionError::Unknown { game, name, known } => {
                write!(f, "{game} has no option {name:?}; it has {}", known.join(", "))
            }
            OptionError::Value { name, value, allowed } => {
                write!(f, "{name} cannot be {value:?}; it may be {allowed}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// What was chosen for each option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chosen(Vec<(&'static str, String)>);

impl Chosen {
    /// The defaults, but for the options given by name, with the prefix (`fevga.runner`) or without.
    ///
    /// # Errors
    /// Names the first option that the game does not have, or that cannot be what it is to be.
    pub fn new(
        game: &'static str,
        prefix: &str,
        flags: &[Flag],
        given: &[(String, String)],
    ) -> Result<Chosen, OptionError> {
        let mut chosen: Vec<_> = flags.iter().map(|flag| (flag.name, flag.default())).collect();
        for (name, value) in given {
            let short = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
            let Some(at) = flags.iter().position(|flag| flag.name == short) else {
                let known = flags.iter().map(|flag| format!("{prefix}.{}", flag.name)).collect();
                return Err(OptionError::Unknown { game, name: name.clone(), known });
            };
            if !flags[at].allows(value) {
                let (name, allowed) = (format!("{prefix}.{short}"), flags[at].values.to_string());
                return Err(OptionError::Value { name, value: value.clone(), allowed });
            }
            chosen[at].1.clone_from(value);
        }
        Ok(Chosen(chosen))
    }

    /// Each option with what was chosen for it.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// What was chosen; nothing for an option the game does not have.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// Whether this was chosen.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == value
    }

    /// Whether a yes or no is yes.
    pub(crate) fn yes(&self, name: &str) -> bool {
        self.is(name, "true")
    }

    /// A number.
    pub(crate) fn number(&self, name: &str) -> u32 {
        self.get(name).parse().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: &[Flag] =
        &[Flag::words("way", &["up", "down"]), Flag::off("fast"), Flag::number("most", 7, 1, 25)];

    fn chosen(given: &[(&str, &str)]) -> Result<Chosen, String> {
        let given: Vec<_> = given.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Chosen::new("stairs", "st", FLAGS, &given).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_defaults_unless_given() {
        let all = chosen(&[("st.way", "down"), ("most", "25")]).unwrap();
        assert!(all.is("way", "down") && !all.yes("fast"));
        assert_eq!((all.number("most"), chosen(&[]).unwrap().number("most")), (25, 7));
    }

    #[test]
    fn unknown_options_and_values_are_named() {
        let unknown = chosen(&[("lift.way", "up")]).unwrap_err();
        assert_eq!(unknown, "stairs has no option \"lift.way\"; it has st.way, st.fast, st.most");
        let value = chosen(&[("way", "left")]).unwrap_err();
        assert_eq!(value, "st.way cannot be \"left\"; it may be up, down");
        assert!(chosen(&[("most", "26")]).unwrap_err().contains("a whole number from 1 to 25"));
    }
}
