//! Whether the means are right and the errors honest, on positions whose chances are known exactly.
//!
//! Plays and cube actions are the exact table's, so that only the dice and the luck adjustment are on trial; luck is
//! measured by an evaluator that is deliberately wrong, or by a net. Seeds are fixed: a failure is not bad luck but a change.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::bearoff::{OneSided, Storage, TwoSided};
use crate::cube::CubeLife;
use crate::dice::Roll;
use crate::eval::{EvalError, Evaluator};
use crate::nn::Net;
use crate::outcome::Probs;
use crate::parallel::unwatched;
use crate::position::Position;
use crate::race::RaceEvaluator;
use crate::rng::Stream;
use crate::rollout::game::{ALL_TAKEN, DROPPED_ROLL};
use crate::rollout::{
    CubeTable, Kind, Luck, Pair, Part, Prefilter, Quantity, Settings, Strata, Subject, run,
};
use crate::rules::Backgammon;
use crate::score::MatchState;

static TABLES: LazyLock<RaceEvaluator> = LazyLock::new(|| {
    let one_sided = OneSided::build(6, 15, 1, &mut unwatched).unwrap();
    let two_sided = TwoSided::build(6, 5, Storage::F32, 1, &mut unwatched).unwrap();
    RaceEvaluator::new(Arc::new(one_sided), Some(Arc::new(two_sided))).unwrap()
});

/// A logistic curve over the difference of the pips, with the wrong slope and a bias.
struct Pips;

impl Evaluator for Pips {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        for (position, out) in positions.iter().zip(out) {
            let (roller, opponent) = position.pip_counts();
            let ahead = (f64::from(opponent) - f64::from(roller) + 6.0) / 5.0;
            *out = Probs { win: (1.0 / (1.0 + (-ahead).exp())) as f32, ..Probs::default() };
        }
        Ok(())
    }

    fn id(&self) -> &str {
        "pips"
    }
}

/// Sixty bear-offs with chances from 10 to 90 per cent, and those chances.
fn positions() -> Vec<(Position, f64)> {
    let mut found = Vec::new();
    for trial in 0.. {
        let stream = Stream::new(60, trial);
        let mut sides = [[0u8; 25]; 2];
        for (i, side) in sides.iter_mut().enumerate() {
            let checkers = 4 + stream.below(2, i as u64);
            for n in 0..checkers {
                side[stream.below(6, 10 + 10 * i as u64 + u64::from(n)) as usize] += 1;
            }
        }
        let position = Position::from_counts(&sides[0], &sides[1]).unwrap();
        let win = TABLES.two_sided().unwrap().find_position(&position).unwrap().win();
        // Long enough that the first roll never decides: where it does, stratified dice leave no error at all.
        let (roller, opponent) = position.pip_counts();
        if (0.1..0.9).contains(&win) && roller.min(opponent) >= 13 {
            found.push((position, win));
        }
        if found.len() == 60 {
            break;
        }
    }
    found
}

/// The errors of all sixty rollouts in units of their standard errors, by the reported one and by the naive one.
fn ratios(settings: &Settings) -> (Vec<f64>, Vec<f64>) {
    ratios_by(&Pips, settings)
}

/// The same with luck measured by `small`.
fn ratios_by(small: &dyn Evaluator, settings: &Settings) -> (Vec<f64>, Vec<f64>) {
    let all = Prefilter { most: u8::MAX, within: u16::MAX };
    let settings = Settings { prefilter: all, stop_at_exact: false, ..*settings };
    let pair = Pair { large: &*TABLES, small: Some(small) };
    let mut watch = |_: &Part| ControlFlow::Continue(());
    let ratio = |(i, (position, exact)): (usize, (Position, f64))| {
        let settings = Settings { seed: i as u64, ..settings };
        let part = run::<Backgammon>(&position.into(), &settings, pair, 1, &mut watch).unwrap().part;
        let found = part.estimate(0, Quantity::Win, Kind::Adjusted).unwrap();
        let naive = part.naive_estimate(0, Quantity::Win, Kind::Adjusted).unwrap();
        ((found.mean - exact) / found.error, (found.mean - exact) / naive.error)
    };
    positions().into_iter().enumerate().map(ratio).unzip()
}

fn sum_of_squares(ratios: &[f64]) -> f64 {
    ratios.iter().map(|ratio| ratio * ratio).sum()
}

/// Whether ratios are what they are if means are unbiased and errors honest: the sum of their squares in the central
/// 99.9 % of chi-square with 60 degrees of freedom, their mean near 0.
fn are_honest(ratios: &[f64]) -> bool {
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    (30.34..102.69).contains(&sum_of_squares(ratios)) && mean.abs() < 0.4
}

fn settings(luck: Luck, strata: Strata) -> Settings {
    Settings { trials: 1_296, luck, strata, ..Settings::default() }
}

#[test]
fn means_are_unbiased_and_errors_honest() {
    for luck in [Luck::Off, Luck::Small] {
        for strata in [Strata::None, Strata::One] {
            let (ratios, _) = ratios(&settings(luck, strata));
            assert!(are_honest(&ratios), "{luck:?} {strata:?}: {} {ratios:?}", sum_of_squares(&ratios));
        }
    }
}

/// The small net of the package, as it is, without the tables that are better in bear-offs.
#[test]
fn luck_measured_by_our_own_net_is_honest_too() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/gammon/data/nets");
    let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_small = |path: &PathBuf| {
        path.extension().is_some_and(|kind| kind == "net")
            && path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("small-"))
    };
    let net = Net::from_bytes(&std::fs::read(files.find(is_small).unwrap()).unwrap()).unwrap();
    for strata in [Strata::None, Strata::One] {
        let (ratios, _) = ratios_by(&net, &settings(Luck::Small, strata));
        assert!(are_honest(&ratios), "{strata:?}: {} {ratios:?}", sum_of_squares(&ratios));
    }
}

/// Pairs of throws need sixteen replications of 1,296 trials; with fewer the naive error is reported.
#[test]
fn naive_errors_of_stratified_dice_are_too_large() {
    for strata in [Strata::One, Strata::Two] {
        let (_, naive) = ratios(&settings(Luck::Off, strata));
        // Sixty if they were right.
        assert!(sum_of_squares(&naive) < 40.0, "{strata:?}: {}", sum_of_squares(&naive));
    }
}

#[test]
fn pairs_of_strata_have_honest_errors_too() {
    let enough = Settings { trials: 16 * 1_296, ..settings(Luck::Off, Strata::Two) };
    let few: Vec<f64> = ratios(&enough).0;
    assert!(are_honest(&few), "{} {few:?}", sum_of_squares(&few));
}

/// A luck adjustment that forgets one of the 21 rolls is caught.
#[test]
fn a_dropped_branch_of_the_luck_adjustment_is_noticed() {
    DROPPED_ROLL.set(Roll::new(6, 6));
    let (ratios, _) = ratios(&settings(Luck::Small, Strata::One));
    DROPPED_ROLL.set(None);
    assert!(!are_honest(&ratios), "{} {ratios:?}", sum_of_squares(&ratios));
}

/// Looks at some turns alone, counted for all, are as unbiased as looks at every turn.
#[test]
fn luck_measured_in_some_turns_is_unbiased() {
    for (one_look_in, strata) in [(2, Strata::None), (3, Strata::One), (5, Strata::One)] {
        let some = Settings { one_look_in, ..settings(Luck::Small, strata) };
        let (ratios, _) = ratios(&some);
        assert!(are_honest(&ratios), "{one_look_in}: {} {ratios:?}", sum_of_squares(&ratios));
    }
}

/// Errors of sixty cubeful rollouts in units of their standard errors: of the game that is not doubled this turn, and
/// of the one after double and take.
fn cubeful_ratios(settings: &Settings) -> [Vec<f64>; 2] {
    let all = Prefilter { most: u8::MAX, within: u16::MAX };
    let settings = Settings { prefilter: all, stop_at_exact: false, ..*settings };
    let pair = Pair { large: &*TABLES, small: Some(&Pips) };
    let mut watch = |_: &Part| ControlFlow::Continue(());
    let cube = Arc::new(CubeTable::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap());
    let mut found = [Vec::new(), Vec::new()];
    for (i, (position, _)) in positions().into_iter().enumerate() {
        let exact = TABLES.two_sided().unwrap().find_position(&position).unwrap();
        let settings = Settings { seed: 100 + i as u64, ..settings };
        let subject = Subject::decision(position, cube.clone());
        let part = run::<Backgammon>(&subject, &settings, pair, 1, &mut watch).unwrap().part;
        for (branch, exact) in [exact.centred_no_double, exact.double_take()].into_iter().enumerate() {
            let estimate = part.estimate(branch, Quantity::Cubeful, Kind::Adjusted).unwrap();
            found[branch].push((estimate.mean - exact) / estimate.error);
        }
    }
    found
}

#[test]
fn cubeful_means_are_unbiased_and_errors_honest() {
    for (luck, strata) in [(Luck::Off, Strata::None), (Luck::Small, Strata::One)] {
        for ratios in cubeful_ratios(&settings(luck, strata)) {
            assert!(are_honest(&ratios), "{luck:?} {strata:?}: {} {ratios:?}", sum_of_squares(&ratios));
        }
    }
}

/// A player who never passes is caught, and so is a luck adjustment that forgets a roll.
#[test]
fn wrong_cube_actions_and_a_dropped_branch_are_noticed() {
    let settings = settings(Luck::Small, Strata::None);
    ALL_TAKEN.set(true);
    let taken = cubeful_ratios(&settings);
    ALL_TAKEN.set(false);
    DROPPED_ROLL.set(Roll::new(6, 6));
    let dropped = cubeful_ratios(&settings);
    DROPPED_ROLL.set(None);
    for ratios in taken.into_iter().chain(dropped) {
        assert!(!are_honest(&ratios), "{} {ratios:?}", sum_of_squares(&ratios));
    }
}

/// Of games that run side by side the short ones end first; whoever counts those is wrong.
#[test]
fn only_prefixes_are_unbiased() {
    let start = crate::testing::position(&[(6, 3), (3, 2)], &[(5, 2), (4, 3)]);
    let exact = TABLES.two_sided().unwrap().find_position(&start).unwrap().win();
    let mut watch = |_: &Part| ControlFlow::Continue(());
    let mut games: Vec<(u64, f64)> = (0..1_440)
        .map(|first| {
            let plain = Settings { trials: 1, first, ..settings(Luck::Off, Strata::None) };
            let plain = Settings { stop_at_exact: false, ..plain };
            let part = run::<Backgammon>(&start.into(), &plain, &*TABLES, 1, &mut watch).unwrap().part;
            let win = part.estimate(0, Quantity::Win, Kind::Raw).unwrap().mean;
            (part.turns(0), win)
        })
        .collect();
    let share = |games: &[(u64, f64)]| games.iter().map(|game| game.1).sum::<f64>() / games.len() as f64;
    let error = (exact * (1.0 - exact) / 720.0).sqrt();
    assert!((share(&games[..720]) - exact).abs() < 4.0 * error);
    games.sort_by_key(|&(turns, _)| turns);
    assert!((share(&games[..720]) - exact).abs() > 6.0 * error, "{} {exact}", share(&games[..720]));
}
