use super::*;
use crate::bearoff::{OneSided, Storage, TwoSided};
use crate::eval::Evaluator;
use crate::outcome::Probs;
use crate::parallel::unwatched;
use crate::position::Position;
use crate::race::RaceEvaluator;
use crate::rollout::testing::Rough;
use crate::rollout::{Estimate, Kind, Luck, Prefilter, Quantity, Strata, Trials};
use crate::rules::Backgammon;
use crate::testing::position;
use std::sync::Arc;

fn on(_: &Part) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Independent dice, luck left in.
fn plain(trials: u64) -> Settings {
    Settings { trials, seed: 42, luck: Luck::Off, strata: Strata::None, ..Settings::default() }
}

fn full(trials: u64) -> Settings {
    Settings { trials, seed: 42, ..Settings::default() }
}

fn roll_out(position: Position, settings: &Settings) -> Part {
    run::<Backgammon>(&position.into(), settings, &Rough::new(1), 1, &mut on).unwrap().part
}

fn win(part: &Part) -> Estimate {
    part.estimate(0, Quantity::Win, Kind::Adjusted).unwrap()
}

fn equity(part: &Part) -> Estimate {
    part.estimate(0, Quantity::Equity, Kind::Adjusted).unwrap()
}

#[test]
fn certain_games_are_certain() {
    for settings in [plain(500), full(500)] {
        // One checker each on the ace point: whoever rolls wins.
        let part = roll_out(position(&[(1, 1)], &[(1, 1)]), &settings);
        assert_eq!(part.outcomes(0), [[500, 0, 0], [0, 0, 0]]);
        assert_eq!(equity(&part), Estimate { mean: 1.0, error: 0.0 });
        // The loser has borne off none: a gammon; with a checker in the winner's home a backgammon.
        let part = roll_out(position(&[(1, 2)], &[(6, 15)]), &settings);
        assert_eq!(part.outcomes(0), [[0, 500, 0], [0, 0, 0]]);
        let part = roll_out(position(&[(1, 2)], &[(6, 14), (20, 1)]), &settings);
        assert_eq!(part.outcomes(0), [[0, 0, 500], [0, 0, 0]]);
    }
}

#[test]
fn chances_derived_by_hand_are_met() {
    let cases = [
        // One checker on the 6-point fails with 1-1 and eight throws below six pips: 27 of 36.
        (position(&[(6, 1)], &[(1, 1)]), 27.0 / 36.0),
        // Four on the ace point need a double, six throws.
        (position(&[(1, 4)], &[(1, 1)]), 6.0 / 36.0),
        // Both have four: a double now, or none by the opponent and any roll after.
        (position(&[(1, 4)], &[(1, 4)]), 1.0 / 6.0 + 5.0 / 6.0 * 5.0 / 6.0),
    ];
    for (position, exact) in cases {
        let part = roll_out(position, &plain(20_000));
        let found = win(&part);
        assert!((found.mean - exact).abs() < 5.0 * found.error, "{position:?}: {found:?} for {exact}");
        // The error is the binomial one.
        let binomial = (found.mean * (1.0 - found.mean) / 19_999.0).sqrt();
        assert!((found.error - binomial).abs() < 1e-9);
        let found = win(&roll_out(position, &full(1_296)));
        assert!((found.mean - exact).abs() < 5.0 * found.error + 1e-6, "{position:?}: {found:?} for {exact}");
    }
    // With the first roll exactly as often as it should come, one roll's chance is exact.
    for luck in [Luck::Off, Luck::Large] {
        let found = win(&roll_out(cases[0].0, &Settings { luck, ..full(36) }));
        assert!((found.mean - 0.75).abs() < 1e-6, "{found:?}");
    }
}

/// An evaluator that is never wrong leaves no luck at all.
#[test]
fn exact_numbers_take_out_all_luck() {
    let one_sided = OneSided::build(6, 15, 1, &mut unwatched).unwrap();
    let two_sided = TwoSided::build(6, 4, Storage::F32, 1, &mut unwatched).unwrap();
    let tables = RaceEvaluator::new(Arc::new(one_sided), Some(Arc::new(two_sided))).unwrap();
    let start = position(&[(6, 1), (5, 1), (3, 1), (1, 1)], &[(4, 2), (2, 2)]);
    assert!(Evaluator::<Backgammon>::is_exact(&tables, &start));
    let mut exact = [Probs::default()];
    tables.evaluate(&[start], &mut exact).unwrap();
    let whole = Settings { stop_at_exact: false, ..full(72) };
    let lucky = run::<Backgammon>(&start.into(), &whole, &tables, 1, &mut on).unwrap().part;
    let found = win(&lucky);
    assert!((found.mean - f64::from(exact[0].win)).abs() < 1e-6 && found.error < 1e-6, "{found:?}");
    assert!(lucky.estimate(0, Quantity::Win, Kind::Raw).unwrap().error > 0.02);
    // Broken off where numbers are exact, a game lasts one turn.
    let short = run::<Backgammon>(&start.into(), &full(72), &tables, 1, &mut on).unwrap().part;
    // 6-6 ends the game.
    assert_eq!((short.turns(0), short.unfinished(0)), (72, 70));
    assert!((win(&short).mean - found.mean).abs() < 1e-6);
}

#[test]
fn luck_adjustment_finds_the_same_with_less_noise() {
    let race = [(11, 5), (8, 5), (6, 5)];
    let race = position(&race, &race);
    let raw = equity(&roll_out(race, &plain(2_880)));
    for strata in [Strata::None, Strata::One, Strata::Two] {
        let part = roll_out(race, &Settings { strata, ..full(720) });
        let (adjusted, before) = (equity(&part), part.estimate(0, Quantity::Equity, Kind::Raw).unwrap());
        assert!(adjusted.error < 0.8 * before.error, "{adjusted:?} {before:?}");
        let spread = adjusted.error.hypot(raw.error);
        assert!((adjusted.mean - raw.mean).abs() < 4.0 * spread, "{adjusted:?} {raw:?}");
        assert!((adjusted.mean - before.mean).abs() < 4.0 * before.error, "{adjusted:?} {before:?}");
    }
}

#[test]
fn a_pair_of_evaluators_plays_what_the_large_one_chooses() {
    let (large, small) = (Rough::new(1), Rough::new(2));
    let settings = Settings { prefilter: Prefilter { most: 200, within: 60_000 }, ..full(72) };
    let alone = roll_out(Position::START, &settings);
    let run_pair = |settings: &Settings| {
        let pair = Pair { large: &large, small: Some(&small) };
        run::<Backgammon>(&Position::START.into(), settings, pair, 1, &mut on).unwrap().part
    };
    // When all candidates pass the filter the large one decides everything.
    assert_eq!(run_pair(&settings), alone);
    let by_small = run_pair(&Settings { luck: Luck::Small, ..settings });
    for kind in [Kind::Raw, Kind::Adjusted] {
        let same = by_small.estimate(0, Quantity::Equity, kind) == alone.estimate(0, Quantity::Equity, kind);
        assert_eq!(same, kind == Kind::Raw, "the games are the same, the luck is measured otherwise");
    }
    // A narrow filter lets less through, and then other plays are made.
    let narrow = Prefilter { most: 2, within: 500 };
    assert_ne!(run_pair(&Settings { prefilter: narrow, ..settings }), alone);
}

#[test]
fn plays_are_compared_by_the_same_dice_and_seen_by_the_mover() {
    let one = position(&[(6, 2)], &[(1, 2)]);
    let after = [position(&[(1, 2)], &[(6, 1)]), position(&[(1, 2)], &[(6, 2)])];
    // Two checkers on the ace point roll first and win at once: the mover has lost either way.
    let lost = Subject::plays(&after).unwrap();
    let part = run::<Backgammon>(&lost, &full(72), &Rough::new(1), 1, &mut on).unwrap().part;
    assert_eq!(part.branches(), 2);
    assert_eq!(part.estimate(1, Quantity::Equity, Kind::Adjusted), Some(Estimate { mean: -1.0, error: 0.0 }));
    assert_eq!(part.difference(0, 1, Quantity::Equity).unwrap().mean, 0.0);
    // A position compared with itself never differs.
    let twice = Subject::plays(&[one, one]).unwrap();
    let part = run::<Backgammon>(&twice, &plain(500), &Rough::new(1), 1, &mut on).unwrap().part;
    assert!(part.estimate(0, Quantity::Equity, Kind::Raw).unwrap().error > 0.01);
    assert_eq!(part.difference(0, 1, Quantity::Equity), Some(Estimate { mean: 0.0, error: 0.0 }));
    assert!(Subject::plays(&[]).is_none());
}

#[test]
fn threads_and_parts_change_nothing() {
    let start: Subject = Position::START.into();
    for base in [plain(400), full(400), Settings { strata: Strata::Two, opening: true, ..full(400) }] {
        let with = |settings: Settings, threads| {
            let done = run::<Backgammon>(&start, &settings, &Rough::new(1), threads, &mut on).unwrap();
            Rollout { part: done.part, complete: done.complete }
        };
        let whole = with(base, 1);
        assert!(whole.complete);
        assert_eq!(with(base, 3), whole);
        let mut merged = Part::new(1, base.replication());
        for (first, trials) in [(250, 150), (0, 1), (1, 249)] {
            merged.merge(&with(Settings { first, trials, ..base }, 2).part);
        }
        assert_eq!(merged, whole.part);
    }
}

#[test]
fn many_positions_are_rolled_out_as_each_alone() {
    let positions: Vec<Subject> =
        crate::testing::scattered(12).iter().map(|&position| Subject::position(position)).collect();
    let settings = Settings { truncate: 6, ..full(72) };
    let mut told = 0;
    let mut watch = |done: u64| {
        told = done;
        ControlFlow::Continue(())
    };
    let alone: Vec<Rollout> = positions
        .iter()
        .map(|one| run::<Backgammon>(one, &settings, &Rough::new(1), 1, &mut on).unwrap())
        .map(|done| Rollout { part: done.part, complete: done.complete })
        .collect();
    for threads in [1, 3] {
        let many =
            run_many::<Backgammon>(&positions, &settings, &Rough::new(1), threads, &mut watch).unwrap();
        assert_eq!(many.rollouts, alone);
        assert!(many.evaluations > 12 * 72 * 6);
    }
    let none = run_many::<Backgammon>(&[], &settings, &Rough::new(1), 2, &mut watch);
    assert!(none.unwrap().rollouts.is_empty());
    assert!(told <= 12 * 72);
}

#[test]
fn breaking_off_leaves_the_first_trials() {
    let mut seen = Vec::new();
    let mut watch = |part: &Part| {
        seen.push(part.clone());
        if part.trials() > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let settings = full(10_000_000);
    let rollout =
        run::<Backgammon>(&Position::START.into(), &settings, &Rough::new(1), 2, &mut watch).unwrap();
    assert!(!rollout.complete && rollout.part.trials() > 0);
    assert_eq!(rollout.part, roll_out(Position::START, &full(rollout.part.trials())));
    let last = seen.last().unwrap();
    assert_eq!(*last, roll_out(Position::START, &full(last.trials())));
    // Sums that know their trials can be continued.
    let label = |settings: &Settings, part| Trials::new(&Position::START.into(), settings, "rough", part);
    let first = label(&settings, rollout.part.clone());
    let rest = Settings { first: rollout.part.trials(), ..full(50) };
    let all = first.merged(&label(&rest, roll_out(Position::START, &rest))).unwrap();
    assert_eq!(*all.part(), roll_out(Position::START, &full(rest.first + 50)));
}

#[test]
fn truncated_games_have_the_evaluators_value() {
    let limited = Settings { truncate: 1, ..plain(100) };
    let part = roll_out(Position::START, &limited);
    assert_eq!((part.unfinished(0), part.turns(0)), (100, 100));
    assert!((0.3..0.7).contains(&win(&part).mean), "{part:?}");
    // One turn, luck taken out: what is left is the mean over the rolls, the same in every trial.
    let one_ply = roll_out(Position::START, &Settings { truncate: 1, ..full(720) });
    assert!(equity(&one_ply).error < 1e-6, "{:?}", equity(&one_ply));
}

#[test]
fn failures_are_passed_on() {
    struct Fails;
    impl Evaluator for Fails {
        fn evaluate(&self, _: &[Position], _: &mut [Probs]) -> Result<(), EvalError> {
            Err(EvalError::Foreign("out of order".into()))
        }
        fn id(&self) -> &str {
            "fails"
        }
    }
    let error = |position: Position, settings: &Settings| {
        run::<Backgammon>(&position.into(), settings, &Fails, 2, &mut on).unwrap_err()
    };
    let failure = RolloutError::Evaluator(EvalError::Foreign("out of order".into()));
    assert_eq!(error(Position::START, &full(1_000_000)), failure);
    let finished = error(position(&[], &[(1, 1)]), &full(10));
    assert_eq!(finished, RolloutError::Finished { subject: 0, won: true, outcome: Outcome::Single });
    assert!(finished.to_string().ends_with("has won a single game"), "{finished}");
    let none = RolloutError::Settings(SettingsError::NoTrials);
    assert_eq!(error(Position::START, &full(0)), none);
}
