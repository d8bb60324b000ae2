//! What is asked of a rollout.

use crate::search::{Filter, MAX_PLIES};

/// How a position is rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Games to play.
    pub trials: u64,
    /// Number of the first one; parts with adjoining numbers merge into one rollout.
    pub first: u64,
    /// Seed of the dice.
    pub seed: u64,
    /// Turns after which a game is broken off and valued by the evaluator; more than [`Settings::LONGEST`] are as many.
    pub truncate: u32,
    /// Whether games are broken off where the evaluator's numbers are exact.
    pub stop_at_exact: bool,
    /// Whether games are broken off where the evaluator's numbers are a bear-off table's, exact or as good as.
    pub stop_at_bear_off: bool,
    /// Whether the position is the beginning of a game, whose first roll is never a double.
    pub opening: bool,
    /// Which rolls come equally often.
    pub strata: Strata,
    /// Whether, and by whose numbers, what the dice gave is taken out of the results.
    pub luck: Luck,
    /// Of so many pairs of turns one is looked at whose luck is measured, and counts for all of them.
    ///
    /// What is taken out of the others is how far the evaluator's value of a position is from its value after the
    /// roll: wrong on average by as much as the looks are counted too often. A trial's number says which pairs are
    /// looked at, and that is independent of its dice, so means stay unbiased.
    pub one_look_in: u8,
    /// Which candidates a small evaluator passes on to the large one, if there are two.
    pub prefilter: Prefilter,
    /// How deep the player whose numbers are wanted looks, and the other.
    pub strength: [Strength; 2],
    /// The same for the first turns of a game, and how many those are.
    pub early_strength: [Strength; 2],
    /// Turns that are played with `early_strength`.
    pub early_turns: u32,
    /// Candidates that a deeper look at plays considers.
    pub width: Width,
}

/// How deep a side looks before it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strength {
    /// Plies for plays, 0 being the evaluator's own values.
    pub checker: u8,
    /// Plies for the cube. The one-ply chances are at hand where luck is taken out.
    pub cube: u8,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { checker: 0, cube: 1 }
    }
}

/// How many candidates a deeper look considers: the named [filters](crate::search::Filter).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Width {
    /// [`Filter::NARROW`].
    #[default]
    Narrow,
    /// [`Filter::NORMAL`].
    Normal,
    /// [`Filter::WIDE`].
    Wide,
    /// [`Filter::ALL`].
    All,
}

impl Width {
    /// The filter.
    pub const fn filter(self) -> Filter {
        match self {
            Width::Narrow => Filter::NARROW,
            Width::Normal => Filter::NORMAL,
            Width::Wide => Filter::WIDE,
            Width::All => Filter::ALL,
        }
    }
}

/// Which rolls of a rollout come equally often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strata {
    /// None: every trial's dice are independent of all others.
    None,
    /// Each throw once at every turn of 36 trials.
    #[default]
    One,
    /// Each pair of first two rolls once in 1,296 trials.
    Two,
}

/// Whose numbers luck is measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Luck {
    /// Luck stays in the results.
    Off,
    /// The small evaluator's, if there is one: cheaper, and less of the luck is seen.
    Small,
    /// The large evaluator's.
    #[default]
    Large,
}

/// Which candidates of a roll a small evaluator passes on to the large one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefilter {
    /// The most.
    pub most: u8,
    /// Only those within so many thousandths of a point of the best.
    pub within: u16,
}

impl Default for Prefilter {
    fn default() -> Prefilter {
        Prefilter { most: 4, within: 120 }
    }
}

impl Default for Settings {
    /// 1,296 games to the end, each first roll equally often, without the luck.
    fn default() -> Settings {
        Settings {
            trials: 1_296,
            first: 0,
            seed: 1,
            truncate: Settings::LONGEST,
            stop_at_exact: true,
            stop_at_bear_off: false,
            opening: false,
            strata: Strata::default(),
            luck: Luck::default(),
            one_look_in: 1,
            prefilter: Prefilter::default(),
            strength: [Strength::default(); 2],
            early_strength: [Strength::default(); 2],
            early_turns: 0,
            width: Width::default(),
        }
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
    /// The prefilter passes nothing on.
    NoCandidates,
    /// Luck is to be measured in one turn of none.
    NoLooks,
    /// More plies than a search can look ahead.
    TooDeep {
        /// The plies asked for.
        plies: u8,
    },
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingsError::NoTrials => f.write_str("trials must be at least 1, got 0"),
            SettingsError::TooManyTrials { first, trials } => {
                write!(f, "first + trials must be at most 2^32, got {first} + {trials}")
            }
            SettingsError::NoTurns => f.write_str("truncate must be at least 1, got 0"),
            SettingsError::NoLooks => f.write_str("one_look_in must be at least 1, got 0"),
            SettingsError::TooDeep { plies } => {
                write!(f, "plies must be from 0 to {MAX_PLIES}, got {plies}")
            }
            SettingsError::NoCandidates => f.write_str("prefilter must pass on at least 1 candidate, got 0"),
        }
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Trial numbers stay below this, so that sums cannot overflow.
    pub const MAX_TRIALS: u64 = 1 << 32;

    /// Turns after which any game is broken off, whatever is asked: no game of sense comes near. It then counts what
    /// the evaluator says of the position it has come to, as where a game is broken off sooner.
    pub const LONGEST: u32 = 5_000;

    /// Whether these settings can be followed.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.trials == 0 {
            Err(SettingsError::NoTrials)
        } else if self.trials > Self::MAX_TRIALS || self.first > Self::MAX_TRIALS - self.trials {
            Err(SettingsError::TooManyTrials { first: self.first, trials: self.trials })
        } else if self.truncate == 0 {
            Err(SettingsError::NoTurns)
        } else if self.one_look_in == 0 {
            Err(SettingsError::NoLooks)
        } else if self.prefilter.most == 0 {
            Err(SettingsError::NoCandidates)
        } else {
            let all = self.strength.iter().chain(&self.early_strength);
            let deepest = all.map(|strength| strength.checker.max(strength.cube)).max().unwrap_or(0);
            let within = usize::from(deepest) <= MAX_PLIES;
            if within { Ok(()) } else { Err(SettingsError::TooDeep { plies: deepest }) }
        }
    }

    /// Trials whose dice are drawn together: those of a replication; 1 if all are independent.
    pub const fn replication(&self) -> u64 {
        let throws = if self.opening { 30 } else { 36 };
        match self.strata {
            Strata::None => 1,
            Strata::One => throws,
            Strata::Two => 36 * throws,
        }
    }

    /// Turns after which a game is broken off.
    pub(crate) const fn last_turn(&self) -> u32 {
        if self.truncate < Settings::LONGEST { self.truncate } else { Settings::LONGEST }
    }

    /// How deep a side looks at a turn, `ours` being the player whose numbers are wanted.
    pub(crate) const fn strength(&self, turn: u32, ours: bool) -> Strength {
        let both = if turn < self.early_turns { &self.early_strength } else { &self.strength };
        both[if ours { 0 } else { 1 }]
    }

    /// Trials a thread takes at a time, beginning at a multiple of it: a third of those that have every throw once, few
    /// enough that threads end together.
    pub(crate) const fn block(&self) -> u64 {
        if self.opening { 10 } else { 12 }
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
        assert_eq!(Settings { truncate: 0, ..good }.check(), Err(SettingsError::NoTurns));
        let deep = [Strength { checker: 5, cube: 0 }; 2];
        assert_eq!(Settings { strength: deep, ..good }.check(), Err(SettingsError::TooDeep { plies: 5 }));
        assert_eq!(Settings { one_look_in: 0, ..good }.check(), Err(SettingsError::NoLooks));
        let nothing = Prefilter { most: 0, within: 100 };
        assert_eq!(Settings { prefilter: nothing, ..good }.check(), Err(SettingsError::NoCandidates));
        let most = Settings { first: Settings::MAX_TRIALS - 5, trials: 5, ..good };
        assert_eq!(most.check(), Ok(()));
        for (first, trials) in [(u64::MAX, 1), (0, u64::MAX), (most.first, 6)] {
            let error = Settings { first, trials, ..good }.check().unwrap_err();
            assert_eq!(error, SettingsError::TooManyTrials { first, trials });
            assert!(error.to_string().contains(&format!("{first} + {trials}")), "{error}");
        }
    }

    #[test]
    fn replications_are_as_large_as_their_dice_need() {
        let size = |strata, opening| Settings { strata, opening, ..Settings::default() }.replication();
        assert_eq!([size(Strata::None, false), size(Strata::None, true)], [1, 1]);
        assert_eq!([size(Strata::One, false), size(Strata::One, true)], [36, 30]);
        assert_eq!([size(Strata::Two, false), size(Strata::Two, true)], [1_296, 1_080]);
    }
}
