use super::*;
use crate::family::PipCount;
use crate::nn::Game as Tag;
use crate::rollout::{Kind, Quantity, Stop, Strata};
use crate::rules::{End, Ruleset, Steps, Turns, View, ViewError};
use crate::with_variant;

fn rules(name: &str, options: &[(&str, &str)]) -> Ruleset {
    let given: Vec<_> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    Ruleset::new(name, &given).unwrap()
}

fn run(rules: &Ruleset, subject: &Subject, settings: &Settings, plan: &Plan<'_>, threads: usize) -> Single {
    let (prizes, judge) = (Prizes::of(rules), PipCount { game: Tag::of(rules) });
    with_variant!(rules.game(), game => {
        let of = GameSubject { game, prizes: &prizes, judge: &judge };
        roll_out(&of, subject, settings, plan, threads, &mut |_| ControlFlow::Continue(())).unwrap()
    })
}

fn start(rules: &Ruleset) -> Position {
    with_variant!(rules.game(), game => game.start())
}

#[test]
fn threads_and_parts_change_nothing() {
    for (name, options) in
        [("plakoto", &[][..]), ("acey_deucey", &[]), ("nardi_long", &[]), ("trictrac", &[("target", "1")])]
    {
        let rules = rules(name, options);
        let subject = Subject::position(start(&rules));
        let settings = Settings { trials: 12, strata: Strata::One, ..Settings::default() };
        let whole = run(&rules, &subject, &settings, &Plan::default(), 1);
        assert!(whole.complete && whole.part.trials() == 12);
        assert_eq!(run(&rules, &subject, &settings, &Plan::default(), 3).part, whole.part, "{name}");
        let first = run(&rules, &subject, &Settings { trials: 5, ..settings }, &Plan::default(), 2).part;
        let rest = Settings { first: 5, trials: 7, ..settings };
        let plan = Plan { before: Some(&first), stop: None };
        assert_eq!(run(&rules, &subject, &rest, &plan, 2).part, whole.part, "{name}");
    }
}

/// A last checker each, who is off with the next throw that has a six or a sum of six: the chance can be worked out.
#[test]
fn chances_of_a_known_ending_are_found_with_and_without_luck() {
    for name in ["plakoto", "nardi_long", "portes", "acey_deucey"] {
        let rules = rules(name, &[]);
        let mut view = View { off: [14, 14], ..View::default() };
        (view.checkers[0][6], view.checkers[1][6]) = (1, 1);
        let position = with_variant!(rules.game(), game => game.position(&view)).unwrap();
        // Off at once in 27 of 36 throws: those with a six, a sum of six or more, and 2-2; then the other throws.
        let p = f64::from(
            Roll::ALL
                .iter()
                .filter(|roll| roll.high() + roll.low() >= 6 || (roll.is_double() && roll.high() == 2))
                .map(|roll| roll.weight())
                .sum::<u32>(),
        ) / 36.0;
        let settings = Settings { trials: 720, ..Settings::default() };
        for luck in [Luck::Off, Luck::Large] {
            let found = run(
                &rules,
                &Subject::position(position),
                &Settings { luck, ..settings },
                &Plan::default(),
                2,
            );
            let win = found.part.estimate(0, Quantity::Win, Kind::Adjusted).unwrap();
            // Who is not off at once is so in the next turn, nearly always.
            assert!(win.mean > p && win.mean < p + (1.0 - p) * 0.4, "{name} {win:?} {p}");
            let equity = found.part.estimate(0, Quantity::Equity, Kind::Adjusted).unwrap();
            assert!(
                (equity.mean - (2.0 * win.mean - 1.0)).abs() < 1e-6,
                "{name}: a single game whoever wins"
            );
        }
    }
}

/// With luck taken out the mean is the same, within the errors of both.
#[test]
fn luck_changes_errors_and_not_means() {
    for (name, options) in [("nackgammon", &[][..]), ("acey_deucey", &[]), ("gul_bara", &[])] {
        let rules = rules(name, options);
        let subject = Subject::position(start(&rules));
        let settings = Settings { trials: 36, strata: Strata::None, ..Settings::default() };
        let part = run(&rules, &subject, &settings, &Plan::default(), 2).part;
        let [adjusted, raw] =
            [Kind::Adjusted, Kind::Raw].map(|kind| part.estimate(0, Quantity::Equity, kind).unwrap());
        let apart = (adjusted.mean - raw.mean).abs();
        assert!(apart < 4.0 * (adjusted.error + raw.error), "{name} {adjusted:?} {raw:?}");
        assert!(apart > 0.0 && adjusted.error.is_finite());
    }
}

#[test]
fn games_cut_short_are_worth_what_the_judge_says() {
    let rules = rules("fevga", &[]);
    let settings = Settings { trials: 36, truncate: 4, luck: Luck::Off, ..Settings::default() };
    let branches = vec![Branch::new(start(&rules), false), Branch::new(start(&rules), true)];
    let subject = Subject::of(branches, None).unwrap();
    let part = run(&rules, &subject, &settings, &Plan::default(), 1).part;
    assert_eq!((part.unfinished(0), part.turns(0)), (36, 36 * 4));
    // The same games, seen by either player.
    let mine = part.estimate(0, Quantity::Win, Kind::Raw).unwrap().mean;
    let his = part.estimate(1, Quantity::Win, Kind::Raw).unwrap().mean;
    assert!((mine + his - 1.0).abs() < 1e-9 && (mine - 0.5).abs() < 0.1);
}

/// A game that never ends: whoever acts plays from the start of another game, and hands that over.
#[derive(Clone, Copy)]
struct Endless<V> {
    of: V,
    throws: bool,
}

impl<V: Variant> Variant for Endless<V> {
    fn start(&self) -> Position {
        self.of.start()
    }

    fn asks(&self, _: &Position) -> Asks {
        if self.throws { Asks::Throw } else { Asks::Name }
    }

    fn plays(&self, _: &Position, roll: Roll, turns: &mut Turns) {
        self.of.plays(&self.of.start(), roll, turns);
    }

    fn result(&self, _: &Position) -> Option<End> {
        None
    }

    fn view(&self, position: &Position) -> View {
        self.of.view(position)
    }

    fn position(&self, view: &View) -> Result<Position, ViewError> {
        self.of.position(view)
    }

    fn steps(&self, position: &Position, roll: Roll, after: &Position, kept: bool) -> Option<Steps> {
        self.of.steps(position, roll, after, kept)
    }

    fn follow(&self, position: &Position, roll: Roll, steps: &Steps) -> Option<(Position, bool)> {
        self.of.follow(position, roll, steps)
    }
}

/// Whatever is asked, a game is broken off after so many throws, or so many decisions where none are thrown.
#[test]
fn no_game_goes_on_for_ever() {
    let rules = rules("portes", &[]);
    let (prizes, judge) = (Prizes::of(&rules), PipCount { game: Tag::of(&rules) });
    let subject = Subject::position(start(&rules));
    let settings = Settings {
        trials: 2,
        strata: Strata::None,
        luck: Luck::Off,
        truncate: u32::MAX,
        ..Settings::default()
    };
    with_variant!(rules.game(), game => {
        for (throws, turns) in [(true, u64::from(Settings::LONGEST)), (false, 0)] {
            let endless = Endless { of: *game, throws };
            let of = GameSubject { game: &endless, prizes: &prizes, judge: &judge };
            let plan = Plan::default();
            let go_on = &mut |_: &Part| ControlFlow::Continue(());
            let found = roll_out(&of, &subject, &settings, &plan, 2, go_on).unwrap();
            assert!(found.complete && found.part.trials() == 2);
            assert_eq!((found.part.unfinished(0), found.part.turns(0)), (2, 2 * turns), "{throws}");
            // What the judge says of a game that has just begun.
            let win = found.part.estimate(0, Quantity::Win, Kind::Raw).unwrap().mean;
            assert!((win - 0.5).abs() < 0.05, "{win}");
        }
    });
}

#[test]
fn rules_end_it_at_the_same_trial_on_any_number_of_threads() {
    let rules = rules("nackgammon", &[]);
    let subject = Subject::position(start(&rules));
    let settings = Settings { trials: 3_600, luck: Luck::Off, ..Settings::default() };
    let stop = Stop { every: 36, least: 72, error: Some(10.0), jsd: None, decided: None };
    let plan = Plan { before: None, stop: Some(stop) };
    for threads in [1, 3] {
        let found = run(&rules, &subject, &settings, &plan, threads);
        assert_eq!((found.part.trials(), found.stopped, found.complete), (72, Some(Reason::Error), false));
    }
}

#[test]
fn a_break_leaves_the_games_that_are_done() {
    let rules = rules("plakoto", &[]);
    let (prizes, judge) = (Prizes::of(&rules), PipCount { game: Tag::of(&rules) });
    let subject = Subject::position(start(&rules));
    let settings = Settings { trials: 1_000_000, ..Settings::default() };
    let found = with_variant!(rules.game(), game => {
        let of = GameSubject { game, prizes: &prizes, judge: &judge };
        let mut stop = |part: &Part| if part.trials() > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        roll_out(&of, &subject, &settings, &Plan::default(), 2, &mut stop).unwrap()
    });
    assert!(!found.complete && found.part.trials() > 0 && found.stopped.is_none());
}
