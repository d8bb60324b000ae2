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
    /// The numbers of the trials go beyond [`Settings::MAX_TRIALS`].
    TooManyTrials {
        /// Number of the first trial.
        first: u64,
        /// Trials asked for.
        trials: u64,
    },
    /// Games may not last even one turn.
    NoTurns,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingsError::NoTrials => f.write_str("trials must be at least 1, got 0"),
            SettingsError::TooManyTrials { first, trials } => {
                write!(f, "first + trials must be at most 2^48, got {first} + {trials}")
            }
            SettingsError::NoTurns => f.write_str("max_turns must be at least 1, got 0"),
        }
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Trial numbers stay below this, so that sums cannot overflow.
    pub const MAX_TRIALS: u64 = 1 << 48;

    /// Whether these settings can be followed.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.trials == 0 {
            Err(SettingsError::NoTrials)
        } else if self.trials > Self::MAX_TRIALS || self.first > Self::MAX_TRIALS - self.trials {
            Err(SettingsError::TooManyTrials { first: self.first, trials: self.trials })
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
        let most = Settings { first: Settings::MAX_TRIALS - 5, trials: 5, ..good };
        assert_eq!(most.check(), Ok(()));
        for (first, trials) in [(u64::MAX, 1), (0, u64::MAX), (most.first, 6)] {
            let error = Settings { first, trials, ..good }.check().unwrap_err();
            assert_eq!(error, SettingsError::TooManyTrials { first, trials });
            assert!(error.to_string().contains(&format!("{first} + {trials}")), "{error}");
        }
    }
}
