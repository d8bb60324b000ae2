use super::*;
use crate::bearoff::{OneSided, Storage, TwoSided};
use crate::cube::formula::PostCrawford;
use crate::cube::{CubeLife, Met};
use crate::eval::{EvalError, Evaluator};
use crate::outcome::Probs;
use crate::parallel::unwatched;
use crate::position::Position;
use crate::race::RaceEvaluator;
use crate::rollout::testing::Rough;
use crate::rollout::{CubeTable, Estimate, Kind, Luck, Prefilter, Quantity, Strata, Strength, Trials};
use crate::rules::Backgammon;
use crate::score::{MatchState, Player};
use crate::testing::position;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

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
            Rollout { part: done.part, complete: done.complete, stopped: done.stopped }
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
        .map(|done| Rollout { part: done.part, complete: done.complete, stopped: done.stopped })
        .collect();
    for threads in [1, 3] {
        let many = run_many::<Backgammon>(
            &positions,
            &settings,
            &Rough::new(1),
            &Plan::default(),
            threads,
            &mut watch,
        )
        .unwrap();
        assert_eq!(many.rollouts, alone);
        assert!(many.evaluations > 12 * 72 * 6);
    }
    let none = run_many::<Backgammon>(&[], &settings, &Rough::new(1), &Plan::default(), 2, &mut watch);
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

#[test]
fn rules_end_a_rollout_at_the_same_trial_on_any_number_of_threads() {
    let race = [(8, 4), (6, 5), (3, 3)];
    let subject: Subject = position(&race, &race).into();
    let stop = Stop { every: 72, least: 576, error: Some(0.016), jsd: None, decided: None };
    let plan = Plan { stop: Some(stop), before: None };
    let with = |plan: &Plan<'_>, settings: &Settings, threads| {
        run_plan::<Backgammon>(&subject, settings, &Rough::new(1), plan, threads, &mut on).unwrap()
    };
    let alone = with(&plan, &full(100_000), 1);
    assert_eq!((alone.stopped, alone.complete), (Some(Reason::Error), false));
    let trials = alone.part.trials();
    assert!(trials > 576 && trials.is_multiple_of(72) && equity(&alone.part).error <= 0.016, "{trials}");
    for threads in [2, 4] {
        let found = with(&plan, &full(100_000), threads);
        assert_eq!(found.part, alone.part);
    }
    // Broken off and gone on with it ends where it would have ended.
    let begun = with(&Plan::default(), &full(250), 1).part;
    let plan = Plan { before: Some(&begun), ..plan };
    let resumed = with(&plan, &Settings { first: 250, ..full(90_000) }, 2);
    assert_eq!((resumed.part, resumed.stopped), (alone.part, alone.stopped));
}

fn money_cube(state: MatchState) -> Arc<CubeTable> {
    Arc::new(CubeTable::new(&state, None, CubeLife::MEASURED).unwrap())
}

fn cubeful(part: &Part, branch: usize) -> Estimate {
    part.estimate(branch, Quantity::Cubeful, Kind::Adjusted).unwrap()
}

/// The last roll of a game: what the cube is worth can be counted.
#[test]
fn cube_decisions_that_can_be_counted() {
    // Wins 27 of 36, the opponent the rest: double, take; equities .5 and 1.
    let last = position(&[(6, 1)], &[(1, 1)]);
    let subject = Subject::decision(last, money_cube(MatchState::MONEY));
    assert_eq!(subject.branches().len(), 2);
    let tables = exact_tables();
    for settings in [full(720), Settings { luck: Luck::Off, ..full(720) }] {
        let part = run::<Backgammon>(&subject, &settings, &tables, 1, &mut on).unwrap().part;
        let [held, taken] = [0, 1].map(|branch| cubeful(&part, branch));
        assert!((held.mean - 0.5).abs() < 1e-4 && (taken.mean - 1.0).abs() < 1e-4, "{held:?} {taken:?}");
        assert!((part.difference(1, 0, Quantity::Cubeful).unwrap().mean - 0.5).abs() < 1e-4);
    }
    // An owned cube of the opponent gives nothing to decide.
    let theirs = MatchState { cube_log2: 1, cube_owner: Some(Player::Opponent), ..MatchState::MONEY };
    assert_eq!(Subject::decision(last, money_cube(theirs)).branches().len(), 1);
}

fn exact_tables() -> RaceEvaluator {
    let one_sided = OneSided::build(6, 15, 1, &mut unwatched).unwrap();
    let two_sided = TwoSided::build(6, 5, Storage::F32, 1, &mut unwatched).unwrap();
    RaceEvaluator::new(Arc::new(one_sided), Some(Arc::new(two_sided))).unwrap()
}

/// In a bear-off the table knows the equities with the cube, both sides handling it perfectly.
#[test]
fn cubeful_equities_of_bear_offs_are_near_the_exact_ones() {
    let tables = exact_tables();
    let played_out = Settings { stop_at_exact: false, ..full(1_296) };
    for (mine, theirs) in [([(6, 2), (4, 2)], [(5, 2), (3, 2)]), ([(5, 1), (4, 2)], [(6, 1), (3, 2)])] {
        let start = position(&mine, &theirs);
        let exact = tables.two_sided().unwrap().find_position(&start).unwrap();
        let subject = Subject::decision(start, money_cube(MatchState::MONEY));
        let part = run::<Backgammon>(&subject, &played_out, &tables, 2, &mut on).unwrap().part;
        let short = run::<Backgammon>(&subject, &full(720), &tables, 2, &mut on).unwrap().part;
        let [held, taken] = [0, 1].map(|branch| cubeful(&part, branch));
        for (branch, exact) in [exact.centred_no_double, exact.double_take()].into_iter().enumerate() {
            for part in [&part, &short] {
                let found = cubeful(part, branch);
                assert!((found.mean - exact).abs() < 4.0 * found.error + 1e-4, "{found:?} {exact}");
            }
            assert!(cubeful(&short, branch).error < 0.5 * cubeful(&part, branch).error);
        }
        assert_ne!(held, taken);
        // The cubeless figures do not feel the cube.
        assert!((win(&part).mean - exact.win()).abs() < 1e-4 + 4.0 * win(&part).error);
        assert_eq!(part.unfinished(0), 0);
        assert!(short.turns(0) < part.turns(0));
        let raw = part.estimate(0, Quantity::Cubeful, Kind::Raw).unwrap();
        assert!(held.error < raw.error && (held.mean - raw.mean).abs() < 4.0 * raw.error);
    }
}

#[test]
fn matches_are_counted_in_chances_to_win_them() {
    let met = Met::normal("normal", [PostCrawford::ZADEH; 2]);
    let race = [(6, 3), (4, 3), (2, 2)];
    let start = position(&race, &race);
    let roll = |state: &MatchState| {
        let table = Arc::new(CubeTable::new(state, Some(&met), CubeLife::MEASURED).unwrap());
        let subject = Subject::position(start).with_cube(table);
        run::<Backgammon>(&subject, &full(720), &Rough::new(1), 2, &mut on).unwrap().part
    };
    // At double match point the match is won as often as the game.
    let dmp = roll(&MatchState::at_score(3, 2, 2));
    assert!((cubeful(&dmp, 0).mean - win(&dmp).mean).abs() < 1e-6);
    let even = cubeful(&roll(&MatchState::at_score(5, 0, 0)), 0).mean;
    assert!(even > 0.5 && even < win(&dmp).mean + 0.2);
    let behind = cubeful(&roll(&MatchState::at_score(5, 0, 3)), 0).mean;
    assert!(behind < even - 0.1);
}

#[test]
fn deeper_play_is_other_play_and_reproducible() {
    let bear_off = [(6, 3), (3, 2)];
    let start: Subject = position(&bear_off, &bear_off).into();
    let one_ply = [Strength { checker: 1, cube: 1 }; 2];
    let deep = Settings { strength: one_ply, ..full(36) };
    let with = |settings: &Settings, threads| {
        run::<Backgammon>(&start, settings, &Rough::new(1), threads, &mut on).unwrap().part
    };
    let found = with(&deep, 1);
    assert_eq!(found, with(&deep, 2));
    assert_ne!(found, with(&full(36), 1));
    let early = Settings { strength: full(36).strength, early_strength: one_ply, early_turns: 1, ..deep };
    assert!(![found, with(&full(36), 1)].contains(&with(&early, 1)));
}

/// Plays as [`Rough`], takes so long for every batch, and counts them.
struct Slow {
    rough: Rough,
    pause: Duration,
    batches: AtomicUsize,
}

impl Evaluator for Slow {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.pause);
        self.rough.evaluate(positions, out)
    }

    fn id(&self) -> &str {
        "slow"
    }
}

/// A turn of thirty-six games that look ahead is seconds of work in searches each of which is over in a moment.
#[test]
fn a_break_is_answered_between_the_searches_of_a_turn() {
    let pause = Duration::from_millis(1);
    let ahead = [Strength { checker: 1, cube: 0 }; 2];
    for threads in [1, 2] {
        let slow = Slow { rough: Rough::new(1), pause, batches: AtomicUsize::new(0) };
        let settings = Settings { strength: ahead, ..plain(720) };
        // Somebody wants to stop when so many batches have been looked at: in the middle of the first turn.
        let wanted = 60;
        let mut watch = |_: &Part| match slow.batches.load(Ordering::Relaxed) >= wanted {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let found =
            run::<Backgammon>(&Position::START.into(), &settings, &slow, threads, &mut watch).unwrap();
        assert!(!found.complete);
        let late = slow.batches.into_inner() - wanted;
        // Each thread looks every few milliseconds, and the one that watches asks twenty times a second.
        let most = (TICK + 2 * Duration::from_millis(10)).as_millis() as usize;
        assert!(late <= threads * most, "{late} batches later");
    }
}
