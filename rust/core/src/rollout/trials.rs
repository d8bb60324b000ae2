//! Sums of trials that know whose they are, so that only what belongs together is added up.

use std::fmt;
use std::ops::Range;

use crate::rollout::{Part, Settings, Subject};

/// The sums of some trials, with the rollout they are of and their numbers.
///
/// Adding a trial twice, or one of another rollout, would make the errors smaller than they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// What was rolled out.
    pub subject: Subject,
    /// How; which and how many trials is said by `numbers`.
    settings: Settings,
    /// Who chose the plays.
    pub evaluator: String,
    numbers: Vec<Range<u64>>,
    part: Part,
}

/// Why the trials of two parts are not added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// They differ in this: "the position", "the seed", …
    Differ(&'static str),
    /// Both have these trials.
    Overlap(Range<u64>),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Differ(what) => write!(f, "these are not parts of one rollout: {what} differs"),
            MergeError::Overlap(Range { start, end }) => {
                write!(f, "both parts have the trials {start} to {}, which count only once", end - 1)
            }
        }
    }
}

impl std::error::Error for MergeError {}

impl Trials {
    /// The trials that a rollout with these settings has made so far: `part`.
    pub fn new(subject: &Subject, settings: &Settings, evaluator: &str, part: Part) -> Trials {
        let first = settings.first;
        let mut numbers = Vec::new();
        if part.trials() > 0 {
            numbers.push(first..first + part.trials());
        }
        Trials {
            subject: subject.clone(),
            settings: Settings { trials: 1, first: 0, ..*settings },
            evaluator: evaluator.to_owned(),
            numbers,
            part,
        }
    }

    /// The sums.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// How the position was rolled out; `trials` and `first` mean nothing here.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The numbers of the trials: ranges in rising order, none touching the next.
    pub fn numbers(&self) -> &[Range<u64>] {
        &self.numbers
    }

    /// The same rollout with other trials; `None` if `part` does not sum up as many as there are numbers, or
    /// these are not in order, or it is of a rollout of another kind.
    pub fn with(self, numbers: Vec<Range<u64>>, part: Part) -> Option<Trials> {
        let counts = numbers.iter().map(|range| range.end.checked_sub(range.start).filter(|&n| n > 0));
        let count = counts.sum::<Option<u64>>()?;
        let in_order = numbers.windows(2).all(|pair| pair[0].end < pair[1].start);
        let fits = part.branches() == self.subject.branches().len()
            && part.replication() == self.settings.replication();
        (in_order && fits && count == part.trials()).then_some(Trials { numbers, part, ..self })
    }

    /// The same trials of some of the branches alone, in this order; `None` if there is no such branch, or none is named.
    pub fn of_branches(&self, branches: &[usize]) -> Option<Trials> {
        let all = self.subject.branches();
        let chosen = branches.iter().map(|&branch| all.get(branch).copied()).collect::<Option<Vec<_>>>()?;
        let subject = Subject::of(chosen, self.subject.cube().cloned())?;
        Some(Trials { subject, part: self.part.of_branches(branches), ..self.clone() })
    }

    /// Both together.
    ///
    /// # Errors
    /// If they are not of the same rollout, or share a trial.
    pub fn merged(&self, other: &Trials) -> Result<Trials, MergeError> {
        let (a, b) = (&self.settings, &other.settings);
        for (same, what) in [
            (self.subject == other.subject, "the position"),
            (self.evaluator == other.evaluator, "the evaluator"),
            (a.seed == b.seed, "the seed"),
            (a.truncate == b.truncate, "truncate"),
            (a.opening == b.opening, "opening"),
            (a.strata == b.strata, "strata"),
            (a.luck == b.luck, "luck"),
            (a.one_look_in == b.one_look_in, "one_look_in"),
            (a.prefilter == b.prefilter, "the prefilter"),
            (a == b, "a setting"),
        ] {
            if !same {
                return Err(MergeError::Differ(what));
            }
        }
        let mut all: Vec<Range<u64>> = self.numbers.iter().chain(&other.numbers).cloned().collect();
        all.sort_unstable_by_key(|range| range.start);
        let mut numbers: Vec<Range<u64>> = Vec::with_capacity(all.len());
        for range in all {
            match numbers.last_mut() {
                Some(last) if range.start < last.end => {
                    return Err(MergeError::Overlap(range.start..range.end.min(last.end)));
                }
                Some(last) if range.start == last.end => last.end = range.end,
                _ => numbers.push(range),
            }
        }
        let mut part = self.part.clone();
        part.merge(&other.part);
        Ok(Trials { numbers, part, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rollout::stats::Ended;
    use crate::rollout::{Luck, Prefilter, Strata};

    fn part(numbers: Range<u64>) -> Part {
        let mut part = Part::new(1, 36);
        numbers.for_each(|number| part.add(number, &[Ended::default()]));
        part
    }

    fn trials(first: u64, count: u64) -> Trials {
        let settings = Settings { first, trials: count, ..Settings::default() };
        Trials::new(&Position::START.into(), &settings, "plain", part(first..first + count))
    }

    #[test]
    fn adjoining_trials_are_one_rollout_in_any_order() {
        let whole = trials(0, 60);
        let (a, b, c) = (trials(0, 10), trials(10, 20), trials(30, 30));
        assert_eq!(a.merged(&b).unwrap().merged(&c), Ok(whole.clone()));
        let gap = c.merged(&a).unwrap();
        assert_eq!(gap.numbers(), [0..10, 30..60]);
        assert_eq!(b.merged(&gap), Ok(whole.clone()));
        assert_eq!(whole.merged(&trials(5, 0)), Ok(whole));
    }

    #[test]
    fn nothing_counts_twice_and_nothing_foreign_at_all() {
        let part = trials(0, 10);
        assert_eq!(part.merged(&part), Err(MergeError::Overlap(0..10)));
        let gap = part.merged(&trials(20, 10)).unwrap();
        assert_eq!(trials(9, 5).merged(&gap), Err(MergeError::Overlap(9..10)));
        assert_eq!(trials(5, 30).merged(&gap), Err(MergeError::Overlap(5..10)));
        let next = trials(10, 10);
        let with = |settings: Settings| Trials { settings, ..next.clone() };
        let usual = next.settings;
        let elsewhere = Subject::position(crate::testing::position(&[(1, 1)], &[(1, 1)]));
        for (other, what) in [
            (with(Settings { seed: 2, ..usual }), "the seed"),
            (with(Settings { opening: true, ..usual }), "opening"),
            (with(Settings { truncate: 7, ..usual }), "truncate"),
            (with(Settings { strata: Strata::None, ..usual }), "strata"),
            (with(Settings { luck: Luck::Off, ..usual }), "luck"),
            (with(Settings { prefilter: Prefilter { most: 9, within: 9 }, ..usual }), "the prefilter"),
            (with(Settings { stop_at_exact: false, ..usual }), "a setting"),
            (Trials { evaluator: "other".to_owned(), ..next.clone() }, "the evaluator"),
            (Trials { subject: elsewhere, ..next.clone() }, "the position"),
        ] {
            assert_eq!(part.merged(&other), Err(MergeError::Differ(what)));
        }
    }

    #[test]
    fn numbers_and_sums_must_fit() {
        let sums = |trials| part(0..trials);
        assert!(trials(0, 1).with(vec![0..2, 5..8], sums(5)).is_some());
        for numbers in [vec![0..2, 5..9], vec![0..2, 2..5], vec![5..8, 0..2], vec![0..5, 9..9]] {
            assert!(trials(0, 1).with(numbers.clone(), sums(5)).is_none(), "{numbers:?}");
        }
        let five = || std::iter::once(0..5).collect();
        assert!(trials(0, 1).with(five(), Part::new(2, 36)).is_none());
        assert!(trials(0, 1).with(five(), Part::new(1, 1)).is_none());
    }
}
