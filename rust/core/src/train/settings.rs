//! Settings as text: `name = value` lines, a subset of TOML, read and written for every kind of config.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use crate::nn::{FeatureSet, TILE};
use crate::parse::ParseError;
use crate::rules::RulesetError;

/// Why a text or a set of numbers is no training config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// A line that is neither empty, a comment (`#`) nor `name = value`.
    Line {
        /// The line's number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A setting that does not exist.
    Unknown {
        /// The line's number, from 1.
        line: usize,
        /// The name found.
        name: String,
    },
    /// A setting that an earlier line gave already.
    Twice {
        /// The line's number, from 1.
        line: usize,
        /// The setting.
        name: &'static str,
    },
    /// The game to be played, or its options, are none.
    Game(RulesetError),
    /// A setting that means nothing beside another.
    Beside {
        /// The setting.
        name: &'static str,
        /// The other one.
        other: &'static str,
    },
    /// A value that is not a number, or not a word, of the kind needed.
    Value {
        /// The setting.
        name: &'static str,
        /// The value found.
        value: String,
    },
    /// A number outside the setting's range.
    Range {
        /// The setting.
        name: &'static str,
        /// The value found.
        value: String,
        /// The range, in words.
        allowed: String,
    },
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unusable training settings: ")?;
        match self {
            ConfigError::Line { line, text } => write!(f, "line {line} is not `name = value`: {text:?}"),
            ConfigError::Unknown { line, name } => write!(f, "line {line}: no setting is called {name:?}"),
            ConfigError::Twice { line, name } => write!(f, "line {line}: {name} is given twice"),
            ConfigError::Game(error) => error.fmt(f),
            ConfigError::Beside { name, other } => write!(f, "{name} cannot be chosen beside {other}"),
            ConfigError::Value { name, value } => write!(f, "{name}: {value:?} is not a value it takes"),
            ConfigError::Range { name, value, allowed } => {
                write!(f, "{name} is {value}, allowed is {allowed}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// A setting of a config: where it is kept, and what it may be.
pub(crate) enum Slot<'a> {
    Whole(&'a mut u64, RangeInclusive<u64>),
    /// Hidden units: a multiple of a tile.
    Units(&'a mut u64),
    /// From 0 to 1.
    Share(&'a mut f64),
    /// The same; not written while it is 0, so that older files read as what they are.
    RareShare(&'a mut f64),
    /// A set of features by its name.
    Features(&'a mut FeatureSet),
    /// Names of groups of features, with commas between.
    Groups(&'a mut String),
    /// Any text of one line without quotation marks; not written while it is empty.
    Text(&'a mut String),
}

/// A config whose settings are read from text.
pub(crate) trait Settings: Default + Clone {
    /// The settings by name, in the order of the text form.
    fn slots(&mut self) -> Vec<(&'static str, Slot<'_>)>;
}

/// `name = value` lines, one a setting; [`from_text`] reads them back exactly.
pub(crate) fn to_text(config: &impl Settings) -> String {
    let mut text = String::new();
    for (name, slot) in config.clone().slots() {
        let written = match slot {
            Slot::Whole(value, _) | Slot::Units(value) => writeln!(text, "{name} = {value}"),
            Slot::RareShare(&mut 0.0) => Ok(()),
            Slot::Share(value) | Slot::RareShare(value) => writeln!(text, "{name} = {value}"),
            Slot::Features(set) => writeln!(text, "{name} = {:?}", set.name()),
            Slot::Groups(groups) => writeln!(text, "{name} = {groups:?}"),
            Slot::Text(value) if value.is_empty() => Ok(()),
            Slot::Text(value) => writeln!(text, "{name} = \"{value}\""),
        };
        written.expect("writing to a string succeeds");
    }
    text
}

/// Reads `name = value` lines; what is not named keeps its default.
pub(crate) fn from_text<S: Settings>(text: &str) -> Result<S, ConfigError> {
    let mut config = S::default();
    let mut given = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            let text = ParseError::shortened(line).to_owned();
            return Err(ConfigError::Line { line: number + 1, text });
        };
        let name = set(&mut config, name.trim(), value.trim(), number + 1)?;
        if given.contains(&name) {
            return Err(ConfigError::Twice { line: number + 1, name });
        }
        given.push(name);
    }
    check(&config)?;
    Ok(config)
}

/// Sets what a line says and returns which setting that was.
fn set(
    config: &mut impl Settings,
    name: &str,
    value: &str,
    line: usize,
) -> Result<&'static str, ConfigError> {
    let Some((name, slot)) = config.slots().into_iter().find(|(known, _)| *known == name) else {
        return Err(ConfigError::Unknown { line, name: ParseError::shortened(name).to_owned() });
    };
    let digits = without_underscores(value).unwrap_or_default();
    let parsed = match slot {
        Slot::Whole(number, _) | Slot::Units(number) => digits.parse().map(|parsed| *number = parsed).is_ok(),
        Slot::Share(number) | Slot::RareShare(number) => {
            digits.parse().map(|parsed| *number = parsed).is_ok()
        }
        Slot::Features(set) => {
            let named = FeatureSet::ALL.into_iter().find(|set| value.trim_matches('"') == set.name());
            named.map(|named| *set = named).is_some()
        }
        Slot::Groups(groups) => {
            let list = value.trim_matches('"');
            let known = FeatureSet::Full.names();
            let fine = list.is_empty() || list.split(',').all(|group| known.contains(&group));
            fine.then(|| list.clone_into(groups)).is_some()
        }
        Slot::Text(text) => {
            let given = value.trim_matches('"');
            let fine = !given.contains(['"', '\\']);
            fine.then(|| given.clone_into(text)).is_some()
        }
    };
    let value = ParseError::shortened(value).to_owned();
    if parsed { Ok(name) } else { Err(ConfigError::Value { name, value }) }
}

/// Whether every number is in its range; the error names the first that is not.
pub(crate) fn check(config: &impl Settings) -> Result<(), ConfigError> {
    for (name, slot) in config.clone().slots() {
        let wrong = match slot {
            Slot::Whole(&mut value, range) => (!range.contains(&value))
                .then(|| (value.to_string(), format!("{} to {}", range.start(), range.end()))),
            Slot::Units(&mut value) => (!value.is_multiple_of(TILE as u64) || !(64..=1024).contains(&value))
                .then(|| (value.to_string(), "a multiple of 64 up to 1024".to_owned())),
            // A comparison with NaN fails, as it should.
            Slot::Share(&mut value) | Slot::RareShare(&mut value) => {
                (!(0.0..=1.0).contains(&value)).then(|| (value.to_string(), "0 to 1".to_owned()))
            }
            Slot::Features(_) | Slot::Groups(_) | Slot::Text(_) => None,
        };
        if let Some((value, allowed)) = wrong {
            return Err(ConfigError::Range { name, value, allowed });
        }
    }
    Ok(())
}

/// A number without its underscores, which, as in TOML, stand singly between digits.
fn without_underscores(number: &str) -> Option<String> {
    let parts: Vec<&str> = number.split('_').collect();
    let digit_at = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    let sound = parts
        .windows(2)
        .all(|pair| digit_at(pair[0].bytes().next_back()) && digit_at(pair[1].bytes().next()));
    sound.then(|| parts.concat())
}
