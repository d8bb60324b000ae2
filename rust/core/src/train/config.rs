//! All settings of a training, with a text form that nets carry as their recipe.

use crate::nn::{FeatureSet, Game};
use crate::rules::Ruleset;
use crate::train::settings::{self, ConfigError, Settings, Slot};

/// The settings of a training. Nothing else influences the net that comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Seed of all games and of the first weights.
    pub seed: u64,
    /// Another game of the family that is played, by its name; empty for the standard one.
    pub variant: String,
    /// Options of that game, `name=value` with commas between.
    pub options: String,
    /// What the net sees of a position of the standard game; other games have one set for all.
    pub features: FeatureSet,
    /// Games to play.
    pub games: u64,
    /// Hidden units, a multiple of 64.
    pub hidden: u64,
    /// Positions a weight update averages over.
    pub batch: u64,
    /// Learning rate at the start; it falls in a straight line to `rate_last`.
    pub rate_first: f64,
    /// Learning rate at the end.
    pub rate_last: f64,
    /// Lambda at the start; it falls in a straight line to `lambda_last`.
    pub lambda_first: f64,
    /// Lambda from the share `lambda_until` of the games on.
    pub lambda_last: f64,
    /// Share of the games over which lambda falls.
    pub lambda_until: f64,
    /// Games played with one frozen net at the start; grows to `chunk_last`.
    pub chunk_first: u64,
    /// Games played with one frozen net from the share `chunk_until` of the games on.
    pub chunk_last: u64,
    /// Share of the games over which chunks grow.
    pub chunk_until: f64,
    /// Share of the games after which play uses a running average of the weights.
    pub average_from: f64,
    /// Step of that average, taken every 16 updates, at the start; falls to `average_last`.
    pub average_first: f64,
    /// Step of that average at the end.
    pub average_last: f64,
    /// Share of the games that begin with random plays.
    pub random_openings: f64,
    /// Most random plays at the beginning of such a game.
    pub random_plays: u64,
    /// Share of the turns at which the play is drawn: one half of them takes the second best, the other any,
    /// the best included.
    pub exploration: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 1,
            variant: String::new(),
            options: String::new(),
            features: FeatureSet::Core,
            games: 200_000,
            hidden: 128,
            batch: 256,
            rate_first: 2e-3,
            rate_last: 5e-6,
            lambda_first: 0.9,
            lambda_last: 0.5,
            lambda_until: 0.6,
            chunk_first: 20,
            chunk_last: 300,
            chunk_until: 0.25,
            average_from: 0.15,
            average_first: 0.1,
            average_last: 0.03,
            random_openings: 0.3,
            random_plays: 10,
            exploration: 0.1,
        }
    }
}

impl Settings for Config {
    fn slots(&mut self) -> Vec<(&'static str, Slot<'_>)> {
        use Slot::{Features, Share, Text, Units, Whole};
        vec![
            ("seed", Whole(&mut self.seed, 0..=u64::MAX)),
            ("variant", Text(&mut self.variant)),
            ("options", Text(&mut self.options)),
            ("features", Features(&mut self.features)),
            ("games", Whole(&mut self.games, 1..=1 << 40)),
            ("hidden", Units(&mut self.hidden)),
            ("batch", Whole(&mut self.batch, 1..=100_000)),
            ("rate_first", Share(&mut self.rate_first)),
            ("rate_last", Share(&mut self.rate_last)),
            ("lambda_first", Share(&mut self.lambda_first)),
            ("lambda_last", Share(&mut self.lambda_last)),
            ("lambda_until", Share(&mut self.lambda_until)),
            ("chunk_first", Whole(&mut self.chunk_first, 1..=100_000)),
            ("chunk_last", Whole(&mut self.chunk_last, 1..=100_000)),
            ("chunk_until", Share(&mut self.chunk_until)),
            ("average_from", Share(&mut self.average_from)),
            ("average_first", Share(&mut self.average_first)),
            ("average_last", Share(&mut self.average_last)),
            ("random_openings", Share(&mut self.random_openings)),
            ("random_plays", Whole(&mut self.random_plays, 0..=1_000)),
            ("exploration", Share(&mut self.exploration)),
        ]
    }
}

impl Config {
    /// `name = value` lines, one a setting; [`Config::from_text`] reads them back exactly.
    pub fn to_text(&self) -> String {
        let text = settings::to_text(self);
        if self.variant.is_empty() {
            return text;
        }
        // The set of features is then the game's.
        text.lines().filter(|line| !line.starts_with("features = ")).map(|line| format!("{line}\n")).collect()
    }

    /// Reads `name = value` lines (a subset of TOML); what is not named keeps its default.
    ///
    /// # Errors
    /// Names the line or the setting at fault.
    pub fn from_text(text: &str) -> Result<Config, ConfigError> {
        let config: Config = settings::from_text(text)?;
        config.check()?;
        Ok(config)
    }

    /// Whether every number is in its range, and the game is one.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), ConfigError> {
        settings::check(self)?;
        if self.variant.is_empty() && !self.options.is_empty() {
            return Err(ConfigError::Beside { name: "options", other: "the standard game" });
        }
        if !self.variant.is_empty() && self.features != Config::default().features {
            return Err(ConfigError::Beside { name: "features", other: "variant" });
        }
        self.rules().map(|_| ())
    }

    /// The game that is played; `None` for the standard one.
    ///
    /// # Errors
    /// If there is no such game, or it has no such option.
    pub fn rules(&self) -> Result<Option<Ruleset>, ConfigError> {
        if self.variant.is_empty() {
            return Ok(None);
        }
        let mut options = Vec::new();
        for option in self.options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let value = || ConfigError::Value { name: "options", value: option.to_owned() };
            let (name, value) = option.split_once('=').ok_or_else(value)?;
            options.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        Ruleset::new(&self.variant, &options).map(Some).map_err(ConfigError::Game)
    }

    /// The set of features of the net.
    pub fn set(&self) -> FeatureSet {
        match self.rules() {
            Ok(Some(rules)) => FeatureSet::Family(Game::of(&rules)),
            _ => self.features,
        }
    }

    /// Share of the training done after `games`.
    fn share(&self, games: u64) -> f64 {
        games as f64 / self.games as f64
    }

    pub(crate) fn rate(&self, games: u64) -> f64 {
        between(self.rate_first, self.rate_last, self.share(games))
    }

    pub(crate) fn lambda(&self, games: u64) -> f64 {
        between(self.lambda_first, self.lambda_last, ramp(self.share(games), self.lambda_until))
    }

    /// Games of the chunk that starts after `games`.
    pub(crate) fn chunk(&self, games: u64) -> u64 {
        let grown = ramp(self.share(games), self.chunk_until);
        let size = between(self.chunk_first as f64, self.chunk_last as f64, grown);
        (size as u64).clamp(1, self.games - games)
    }

    /// Step of the running average, or `None` while weights are used as they are.
    pub(crate) fn average(&self, games: u64) -> Option<f64> {
        let share = self.share(games);
        (share >= self.average_from).then(|| between(self.average_first, self.average_last, share))
    }
}

fn ramp(share: f64, until: f64) -> f64 {
    if share < until { share / until } else { 1.0 }
}

fn between(first: f64, last: f64, share: f64) -> f64 {
    first + (last - first) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back() {
        let config = Config { seed: u64::MAX, rate_first: 1.0 / 3.0, games: 12_345, ..Config::default() };
        assert_eq!(Config::from_text(&config.to_text()), Ok(config));
        let text = "# a comment\n\ngames = 1_000 # another\n";
        assert_eq!(Config::from_text(text).unwrap().games, 1_000);
    }

    #[test]
    fn faults_are_named() {
        for (text, expected) in [
            ("games", "line 1 is not"),
            ("\ngmaes = 3", "line 2: no setting is called \"gmaes\""),
            ("games = many", "games: \"many\""),
            ("games = 1__0", "games: \"1__0\""),
            ("games = 10_", "games: \"10_\""),
            ("games = _10", "games: \"_10\""),
            ("rate_first = 0_.1", "rate_first: \"0_.1\""),
            ("games = 10\nseed = 1\ngames = 10", "line 3: games is given twice"),
            ("games = 0", "games is 0, allowed is 1 to 1099511627776"),
            ("games = -1", "games: \"-1\""),
            ("hidden = 100", "hidden is 100"),
            ("features = \"best\"", "features: \"\\\"best"),
            ("exploration = 1.5", "exploration is 1.5"),
            ("exploration = nan", "exploration is NaN"),
        ] {
            let message = Config::from_text(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn another_game_is_read_back_and_checked() {
        let text = "variant = \"fevga\"\noptions = \"fevga.runner=none, prime_open=false\"\ngames = 10\n";
        let config = Config::from_text(text).unwrap();
        assert_eq!(config.set().game().map(Game::name), Some("fevga"));
        assert_eq!(
            config.rules().unwrap().unwrap().options().iter().filter(|(_, v)| *v == "none").count(),
            2
        );
        assert!(!config.to_text().contains("features"));
        assert_eq!(Config::from_text(&config.to_text()), Ok(config));
        assert!(!Config::default().to_text().contains("variant"));
        for (text, expected) in [
            ("variant = \"poker\"", "no variant is called \"poker\""),
            ("variant = \"fevga\"\noptions = \"mother_rule=false\"", "fevga has no option \"mother_rule\""),
            ("variant = \"fevga\"\noptions = \"runner\"", "options: \"runner\""),
            ("variant = \"fevga\"\nfeatures = \"full\"", "features cannot be chosen beside variant"),
            ("options = \"fevga.runner=none\"", "options cannot be chosen beside the standard game"),
            ("variant = \"a\"b\"", "variant: "),
        ] {
            let message = Config::from_text(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn schedules_start_and_end_as_asked() {
        let config = Config::default();
        assert_eq!(config.rate(0), config.rate_first);
        assert!((config.rate(config.games) - config.rate_last).abs() < 1e-12);
        assert_eq!(config.lambda(config.games), config.lambda_last);
        assert_eq!((config.chunk(0), config.chunk(config.games / 2)), (20, 300));
        assert_eq!(config.chunk(config.games - 7), 7);
        assert_eq!(config.average(0), None);
    }
}
