//! The decision table: from the equities of all choices to what is right and what each error costs.

use std::fmt;

/// Two choices whose equities differ by no more than this are both right.
pub const OPTIONAL: f64 = 1e-6;

/// A choice that gains less than this is called close.
pub const CLOSE: f64 = 0.02;

/// What the player with the cube should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Hold the cube.
    NoDouble,
    /// Play on for a gammon, because holding the cube is worth more than cashing the game.
    TooGood,
    /// Double.
    Double,
}

/// What the other should answer to a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Take.
    Take,
    /// Pass.
    Pass,
    /// Take, turn the cube once more and keep it.
    Beaver,
}

/// What the doubler should do about a beaver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BeaverReply {
    /// Play on.
    PlayOn,
    /// Turn the cube once more; the other keeps it.
    Raccoon,
    /// Give up the game at the doubled value.
    Drop,
}

/// The equities of all choices, per unit of the cube before the double, for the player with the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choices {
    /// Not doubling.
    pub no_double: f64,
    /// Double and take.
    pub take: f64,
    /// Double and pass.
    pub pass: f64,
    /// Double and beaver, where that is allowed.
    pub beaver: Option<f64>,
}

/// What each error costs, in equity per unit of the cube before the double; 0 for what is no error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Not doubling when doubling is right.
    pub missed_double: f64,
    /// Doubling when holding the cube is right.
    pub wrong_double: f64,
    /// Taking when passing (or beavering) is right.
    pub wrong_take: f64,
    /// Passing when taking (or beavering) is right.
    pub wrong_pass: f64,
    /// Beavering when taking or passing is right.
    pub wrong_beaver: f64,
}

/// What is right, by how much, and what the errors cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What the player with the cube should do.
    pub action: Action,
    /// What the other should answer to a double.
    pub answer: Answer,
    /// Whether doubling and not doubling are equally good, within [`OPTIONAL`].
    pub optional_double: bool,
    /// Whether taking and passing are equally good, within [`OPTIONAL`].
    pub optional_take: bool,
    /// Whether the choice about doubling gains less than [`CLOSE`].
    pub close_double: bool,
    /// Whether the choice between taking and passing gains less than [`CLOSE`].
    pub close_take: bool,
    /// Whether the pass is a free drop: it costs the leader nothing after the Crawford game.
    pub free_drop: bool,
    /// What doubling gains over holding the cube; negative if it loses.
    pub double_gain: f64,
    /// What the answerer gains by taking rather than passing; negative if he loses.
    pub take_gain: f64,
    /// Share of wrong answers at which a double that is wrong becomes right: wrong passes where the right
    /// answer is a take, wrong takes where the position is too good. `None` where doubling is right already or
    /// no wrong answer would make it so.
    pub wrong_answers_needed: Option<f64>,
    /// What each error costs.
    pub errors: Errors,
}

impl Verdict {
    /// The verdict on these choices; `free_drop` says whether a pass now costs the answerer nothing.
    pub fn of(choices: &Choices, free_drop: bool) -> Verdict {
        let Choices { no_double, take, pass, beaver } = *choices;
        let kept = beaver.map_or(take, |beaver| beaver.min(take));
        let doubled = kept.min(pass);
        let answer = if pass < kept - OPTIONAL {
            Answer::Pass
        } else if beaver.is_some_and(|beaver| beaver < take - OPTIONAL) {
            Answer::Beaver
        } else {
            Answer::Take
        };
        let double_gain = doubled - no_double;
        let optional_double = double_gain.abs() <= OPTIONAL;
        let action = if double_gain > OPTIONAL {
            Action::Double
        } else if no_double > pass + OPTIONAL {
            Action::TooGood
        } else {
            Action::NoDouble
        };
        let take_gain = pass - kept;
        Verdict {
            action,
            answer,
            optional_double,
            optional_take: take_gain.abs() <= OPTIONAL,
            close_double: double_gain.abs() < CLOSE,
            close_take: take_gain.abs() < CLOSE,
            free_drop: free_drop && answer == Answer::Pass,
            double_gain,
            take_gain,
            wrong_answers_needed: wrong_answers_needed(no_double, kept, pass),
            errors: Errors {
                missed_double: double_gain.max(0.0),
                wrong_double: (-double_gain).max(0.0),
                wrong_take: take - doubled,
                wrong_pass: pass - doubled,
                wrong_beaver: beaver.map_or(0.0, |beaver| (beaver - doubled).max(0.0)),
            },
        }
    }
}

/// See [`Verdict::wrong_answers_needed`].
fn wrong_answers_needed(no_double: f64, kept: f64, pass: f64) -> Option<f64> {
    let (right, wrong) = if kept <= pass { (kept, pass) } else { (pass, kept) };
    (right < no_double && no_double < wrong).then(|| (no_double - right) / (wrong - right))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            _ if self.optional_double => "optional double",
            Action::NoDouble => "no double",
            Action::TooGood => "too good to double",
            Action::Double => "double",
        };
        let answer = match self.answer {
            Answer::Pass if self.free_drop => "free drop",
            Answer::Pass => "pass",
            Answer::Take if self.optional_take => "optional take",
            Answer::Take => "take",
            Answer::Beaver => "beaver",
        };
        write!(f, "{action}, {answer}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(no_double: f64, take: f64, beaver: Option<f64>) -> Verdict {
        Verdict::of(&Choices { no_double, take, pass: 1.0, beaver }, false)
    }

    #[test]
    fn every_row_of_the_table() {
        for (no_double, take, beaver, words) in [
            (0.4, 0.3, None, "no double, take"),
            (0.4, 0.5, None, "double, take"),
            (0.9, 1.1, None, "double, pass"),
            (1.1, 1.2, None, "too good to double, pass"),
            (1.1, 0.9, None, "too good to double, take"),
            (-0.1, -0.2, Some(-0.4), "no double, beaver"),
            (-0.5, -0.1, Some(-0.2), "double, beaver"),
            (0.1, 0.2, Some(0.4), "double, take"),
            (0.5, 0.5 + 5e-7, None, "optional double, take"),
            (1.0, 1.3, None, "optional double, pass"),
            (0.8, 1.0, None, "double, optional take"),
        ] {
            assert_eq!(verdict(no_double, take, beaver).to_string(), words, "{no_double} {take}");
        }
        let drop = Verdict::of(&Choices { no_double: 0.2, take: 1.2, pass: 1.0, beaver: None }, true);
        assert_eq!(drop.to_string(), "double, free drop");
    }

    #[test]
    fn errors_are_what_is_given_away() {
        let double = verdict(0.4, 0.5, None);
        assert!((double.errors.missed_double - 0.1).abs() < 1e-15);
        assert_eq!((double.errors.wrong_double, double.errors.wrong_take), (0.0, 0.0));
        assert_eq!(double.errors.wrong_pass, 0.5);
        let pass = verdict(0.9, 1.25, None);
        assert_eq!((pass.errors.wrong_take, pass.errors.wrong_pass), (0.25, 0.0));
        let beaver = verdict(-0.1, -0.2, Some(-0.4));
        assert!((beaver.errors.wrong_take - 0.2).abs() < 1e-15 && beaver.errors.wrong_beaver == 0.0);
        assert!((beaver.errors.wrong_double - 0.3).abs() < 1e-15);
    }

    #[test]
    fn enough_wrong_answers_justify_a_double() {
        // Passing gains 0.6 over taking; holding the cube gives away a sixth of that.
        assert!((verdict(0.5, 0.4, None).wrong_answers_needed.unwrap() - 1.0 / 6.0).abs() < 1e-12);
        assert!((verdict(1.1, 1.4, None).wrong_answers_needed.unwrap() - 0.25).abs() < 1e-12);
        assert_eq!(verdict(0.3, 0.4, None).wrong_answers_needed, None);
        assert_eq!(verdict(1.1, 0.4, None).wrong_answers_needed, None);
    }

    #[test]
    fn near_ties_have_a_flag_of_their_own() {
        let near = verdict(0.5, 0.51, None);
        assert!(near.close_double && !near.optional_double && !near.close_take);
        assert!(verdict(0.9, 0.99, None).close_take);
    }
}
