//! The settings of labelling: which positions are taken, and how they are valued.

use crate::train::settings::{self, ConfigError, Settings, Slot};

/// What positions are taken and how they are valued.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelConfig {
    /// Seed of all games.
    pub seed: u64,
    /// Games to play.
    pub games: u64,
    /// Share of the turns whose positions are kept.
    pub keep: f64,
    /// Share of the games that begin with 1 to `few_plays` random plays.
    pub few: f64,
    /// Most random plays of such an opening.
    pub few_plays: u64,
    /// Share of the games that begin with more random plays, up to `many_plays`.
    pub many: f64,
    /// Most random plays of such an opening.
    pub many_plays: u64,
    /// Share of the games that begin like those, but then some checkers of each side are put elsewhere.
    pub scattered: f64,
    /// Most checkers a side has put elsewhere.
    pub scattered_checkers: u64,
    /// Share of the games that begin with checkers thrown on points, of either side any number.
    pub thrown: f64,
    /// Share of the turns at which the play is drawn: half of them the second best, half any.
    pub exploration: f64,
    /// Share of the games in which each side misjudges every play at random.
    pub noisy: f64,
    /// The largest such misjudgement in points, drawn anew for each game and side from 0 up.
    pub noise: f64,
    /// Turns looked ahead for a position's chances.
    pub plies: u64,
    /// Share of what the next position's look-ahead found other than expected that a position's chances take over.
    pub carry: f64,
    /// Replies of each roll that the strong evaluator chooses among; the quick one picks them.
    pub width: u64,
    /// Replies this many points behind the quick one's best are not picked.
    pub margin: f64,
}

impl Default for LabelConfig {
    fn default() -> LabelConfig {
        LabelConfig {
            seed: 1,
            games: 100_000,
            keep: 0.25,
            few: 0.25,
            few_plays: 10,
            many: 0.12,
            many_plays: 60,
            scattered: 0.15,
            scattered_checkers: 6,
            thrown: 0.05,
            exploration: 0.1,
            noisy: 0.4,
            noise: 0.3,
            plies: 1,
            carry: 0.0,
            width: 4,
            margin: 0.15,
        }
    }
}

impl Settings for LabelConfig {
    fn slots(&mut self) -> Vec<(&'static str, Slot<'_>)> {
        use Slot::{Share, Whole};
        vec![
            ("seed", Whole(&mut self.seed, 0..=u64::MAX)),
            ("games", Whole(&mut self.games, 1..=1 << 40)),
            ("keep", Share(&mut self.keep)),
            ("few", Share(&mut self.few)),
            ("few_plays", Whole(&mut self.few_plays, 1..=1_000)),
            ("many", Share(&mut self.many)),
            ("many_plays", Whole(&mut self.many_plays, 1..=1_000)),
            ("scattered", Share(&mut self.scattered)),
            ("scattered_checkers", Whole(&mut self.scattered_checkers, 1..=15)),
            ("thrown", Share(&mut self.thrown)),
            ("exploration", Share(&mut self.exploration)),
            ("noisy", Share(&mut self.noisy)),
            ("noise", Share(&mut self.noise)),
            ("plies", Whole(&mut self.plies, 0..=3)),
            ("carry", Share(&mut self.carry)),
            ("width", Whole(&mut self.width, 1..=1_000)),
            ("margin", Share(&mut self.margin)),
        ]
    }
}

impl LabelConfig {
    /// `name = value` lines, one a setting; [`LabelConfig::from_text`] reads them back exactly.
    pub fn to_text(&self) -> String {
        settings::to_text(self)
    }

    /// Reads `name = value` lines; what is not named keeps its default.
    ///
    /// # Errors
    /// Names the line or the setting at fault.
    pub fn from_text(text: &str) -> Result<LabelConfig, ConfigError> {
        let config: LabelConfig = settings::from_text(text)?;
        let openings = config.few + config.many + config.scattered + config.thrown;
        if openings > 1.0 + 1e-9 {
            let allowed = "at most 1 together with few, many and scattered".to_owned();
            return Err(ConfigError::Range { name: "thrown", value: config.thrown.to_string(), allowed });
        }
        if config.carry > 0.0 && config.plies == 0 {
            let allowed = "0 where no turn is looked ahead (plies = 0)".to_owned();
            return Err(ConfigError::Range { name: "carry", value: config.carry.to_string(), allowed });
        }
        Ok(config)
    }

    /// The recipe of a file: the settings, and the names of the judges.
    pub fn recipe(&self, strong: &str, quick: &str) -> String {
        format!("{}strong = {strong:?}\nquick = {quick:?}\n", self.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back() {
        let config = LabelConfig { seed: 9, width: 3, ..LabelConfig::default() };
        assert_eq!(LabelConfig::from_text(&config.to_text()), Ok(config));
        assert!(LabelConfig::from_text("plies = 4").is_err());
        assert!(LabelConfig::from_text("keep = 2").is_err());
        assert!(LabelConfig::from_text("carry = 0.5\nplies = 0").is_err());
        assert!(LabelConfig::from_text("few = 0.6\nmany = 0.4").is_err());
    }
}
