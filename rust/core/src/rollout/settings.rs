//! What is asked of a rollout.

/// How a position is rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Games to play.
    pub trials: u64,
    /// Number of the first one; parts with adjoining numbers merge into one rollout.
    pub first: u64,
    /// Seed of the dice.
    pub seed: u64,
    /// Turns after which a game is broken off and valued by the evaluator.
    pub max_turns: u32,
    /// Whether the position is the beginning of a game, whose first roll is never a double.
    pub opening: bool,
}

impl Default for Settings {
    /// 1,296 games to the end.
    fn default() -> Settings {
        Settings { trials: 1_296, first: 0, seed: 1, max_turns: 5_000, opening: false }
    }
}

/// Why settings cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// No trials are asked for.
    NoTrials,
    /// The numbers of the trials leave the range of 64 bits.
    TooManyTrials,
    /// Games may not last even one turn.
    NoTurns,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SettingsError::NoTrials => "a rollout needs at least one trial",
            SettingsError::TooManyTrials => "trial numbers must stay below 2^48",
            SettingsError::NoTurns => "games must be allowed at least one turn",
        })
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Trial numbers stay below this, so that sums cannot overflow.
    const LIMIT: u64 = 1 << 48;

    /// Whether these settings can be followed.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.trials == 0 {
            Err(SettingsError::NoTrials)
        } else if self.trials > Self::LIMIT || self.first > Self::LIMIT - self.trials {
            Err(SettingsError::TooManyTrials)
        } else if self.max_turns == 0 {
            Err(SettingsError::NoTurns)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_settings_are_refused() {
        let good = Settings::default();
        assert_eq!(good.check(), Ok(()));
        assert_eq!(Settings { trials: 0, ..good }.check(), Err(SettingsError::NoTrials));
        assert_eq!(Settings { max_turns: 0, ..good }.check(), Err(SettingsError::NoTurns));
        assert_eq!(Settings { first: u64::MAX, ..good }.check(), Err(SettingsError::TooManyTrials));
        assert_eq!(Settings { trials: u64::MAX, ..good }.check(), Err(SettingsError::TooManyTrials));
    }
}
