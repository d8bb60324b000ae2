//! A rollout over threads, of which only the unbroken prefix counts.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::{EvalError, Evaluator};
use crate::outcome::Outcome;
use crate::parallel::run_blocks;
use crate::position::Position;
use crate::rollout::lockstep::Workspace;
use crate::rollout::{Part, Settings, SettingsError};
use crate::rules::Rules;

/// Trials a thread plays together: enough for large batches, a few milliseconds with a fast net.
const TRIALS_PER_BLOCK: u64 = 36;

/// What a rollout found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// The sums over the first trials, all of them unless the watcher broke off.
    pub part: Part,
    /// Whether all trials asked for are in.
    pub complete: bool,
}

/// Why a rollout could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RolloutError {
    /// The settings cannot be followed.
    Settings(SettingsError),
    /// The game is over already.
    Finished {
        /// Whether the player on roll has won it.
        won: bool,
        /// What the winner won.
        outcome: Outcome,
    },
    /// The evaluator failed.
    Evaluator(EvalError),
}

impl std::fmt::Display for RolloutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RolloutError::Settings(error) => error.fmt(f),
            RolloutError::Finished { won, outcome } => {
                let how = if *won { "won" } else { "lost" };
                write!(f, "nothing to roll out: the game is over, the player on roll has {how} a {outcome}")
            }
            RolloutError::Evaluator(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RolloutError {}

impl From<SettingsError> for RolloutError {
    fn from(error: SettingsError) -> RolloutError {
        RolloutError::Settings(error)
    }
}

/// Plays a position out `settings.trials` times.
///
/// The calling thread tells `watch` about the finished prefix about twenty times a second; if it breaks,
/// what is finished by then is returned.
///
/// # Errors
/// If the settings are impossible, the game is over, or the evaluator fails.
pub fn run<R: Rules>(
    position: &Position,
    settings: &Settings,
    evaluator: &dyn Evaluator<R>,
    threads: usize,
    watch: &mut dyn FnMut(&Part) -> ControlFlow<()>,
) -> Result<Rollout, RolloutError> {
    settings.check()?;
    if let Some((won, outcome)) = R::result(position) {
        return Err(RolloutError::Finished { won, outcome });
    }
    let end = settings.first + settings.trials;
    let prefix = Mutex::new(Prefix::default());
    let failed = AtomicBool::new(false);
    let work = |space: &mut Workspace, block: usize| {
        if failed.load(Ordering::Relaxed) {
            return;
        }
        let first = settings.first + block as u64 * TRIALS_PER_BLOCK;
        let result = space.play(position, settings, first..(first + TRIALS_PER_BLOCK).min(end), evaluator);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        prefix.lock().expect("adding to a prefix does not panic").add(block, result);
    };
    let mut tick = |_| {
        if failed.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        // A copy, so that threads need not wait for a slow watcher.
        let part = prefix.lock().expect("adding to a prefix does not panic").part.clone();
        watch(&part)
    };
    let blocks = usize::try_from(settings.trials.div_ceil(TRIALS_PER_BLOCK)).unwrap_or(usize::MAX);
    run_blocks(threads, blocks, &mut tick, Workspace::new, work);
    let prefix = prefix.into_inner().expect("adding to a prefix does not panic");
    match prefix.failure {
        Some((_, error)) => Err(RolloutError::Evaluator(error)),
        None => Ok(Rollout { complete: prefix.part.trials == settings.trials, part: prefix.part }),
    }
}

/// The blocks finished without a gap from the first, summed up, and those waiting for the gap to close.
#[derive(Default)]
struct Prefix {
    part: Part,
    next: usize,
    waiting: BTreeMap<usize, Part>,
    /// The first block that failed.
    failure: Option<(usize, EvalError)>,
}

impl Prefix {
    fn add(&mut self, block: usize, result: Result<Part, EvalError>) {
        match result {
            Ok(part) => {
                self.waiting.insert(block, part);
            }
            Err(error) => {
                if self.failure.as_ref().is_none_or(|(first, _)| block < *first) {
                    self.failure = Some((block, error));
                }
            }
        }
        while let Some(part) = self.waiting.remove(&self.next) {
            self.part.merge(&part);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Probs;
    use crate::rules::Backgammon;
    use crate::testing::position;

    /// Leads a checker player who wants few pips and few blots, and does not care for hits.
    struct Plain;

    impl Evaluator for Plain {
        fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
            for (position, out) in positions.iter().zip(out) {
                let blots = position.places().iter().filter(|&&n| n == -1).count();
                let faults = position.pip_counts().1 as f32 + 8.0 * blots as f32;
                *out = Probs { win: 0.25 + faults / 1_000.0, ..Probs::default() };
            }
            Ok(())
        }

        fn id(&self) -> &str {
            "plain"
        }
    }

    fn on(_: &Part) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn settings(trials: u64) -> Settings {
        Settings { trials, seed: 42, ..Settings::default() }
    }

    fn roll_out(position: &Position, trials: u64) -> Part {
        run::<Backgammon>(position, &settings(trials), &Plain, 1, &mut on).unwrap().part
    }

    #[test]
    fn certain_games_are_certain() {
        // One checker each on the ace point: whoever rolls wins.
        let part = roll_out(&position(&[(1, 1)], &[(1, 1)]), 500);
        assert_eq!(part.outcomes, [[500, 0, 0], [0, 0, 0]]);
        let equity = part.equity().unwrap();
        assert_eq!((equity.mean, equity.error), (1.0, 0.0));
        // The loser has borne off none: a gammon; with a checker in the winner's home a backgammon.
        let part = roll_out(&position(&[(1, 2)], &[(6, 15)]), 100);
        assert_eq!(part.outcomes, [[0, 100, 0], [0, 0, 0]]);
        let part = roll_out(&position(&[(1, 2)], &[(6, 14), (20, 1)]), 100);
        assert_eq!(part.outcomes, [[0, 0, 100], [0, 0, 0]]);
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
            let win = roll_out(&position, 20_000).chances().unwrap()[0];
            assert!((win.mean - exact).abs() < 5.0 * win.error, "{position:?}: {win:?} for {exact}");
            // The error is the binomial one.
            let binomial = (win.mean * (1.0 - win.mean) / 19_999.0).sqrt();
            assert!((win.error - binomial).abs() < 1e-9);
        }
    }

    #[test]
    fn a_symmetric_game_favours_whoever_rolls_first_a_little() {
        let part = roll_out(&Position::START, 4_000);
        let chances = part.chances().unwrap();
        assert!((chances[0].mean - 0.53).abs() < 0.05, "{chances:?}");
        assert!(part.equity().unwrap().mean.abs() < 0.25);
        assert_eq!(part.unfinished(), 0);
        assert!(part.turns / part.trials > 20);
    }

    #[test]
    fn threads_and_parts_change_nothing() {
        let start = Position::START;
        let whole = roll_out(&start, 400);
        let threaded = run::<Backgammon>(&start, &settings(400), &Plain, 3, &mut on).unwrap();
        assert_eq!(threaded, Rollout { part: whole.clone(), complete: true });
        let mut merged = Part::default();
        for (first, trials) in [(250, 150), (0, 1), (1, 249)] {
            let settings = Settings { first, ..settings(trials) };
            merged.merge(&run::<Backgammon>(&start, &settings, &Plain, 2, &mut on).unwrap().part);
        }
        assert_eq!(merged, whole);
    }

    #[test]
    fn breaking_off_leaves_the_first_trials() {
        let start = Position::START;
        let mut seen = Vec::new();
        let mut watch = |part: &Part| {
            seen.push(part.clone());
            if part.trials > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let rollout = run::<Backgammon>(&start, &settings(10_000_000), &Plain, 2, &mut watch).unwrap();
        assert!(!rollout.complete && rollout.part.trials > 0);
        assert_eq!(rollout.part, roll_out(&start, rollout.part.trials));
        let last = seen.last().unwrap();
        assert_eq!(*last, roll_out(&start, last.trials));
    }

    #[test]
    fn the_turn_limit_values_what_is_left() {
        let limited = Settings { max_turns: 1, ..settings(100) };
        let start = Position::START;
        let part = run::<Backgammon>(&start, &limited, &Plain, 1, &mut on).unwrap().part;
        assert_eq!((part.unfinished(), part.turns), (100, 100));
        // The roller's chances are what the opponent, now on roll, lacks: .25 and 159 pips or so.
        let win = part.chances().unwrap()[0].mean;
        assert!((0.57..0.60).contains(&win), "{win}");
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
        let error = |position: &Position, settings: &Settings| {
            run::<Backgammon>(position, settings, &Fails, 2, &mut on).unwrap_err()
        };
        let failure = RolloutError::Evaluator(EvalError::Foreign("out of order".into()));
        assert_eq!(error(&Position::START, &settings(1_000_000)), failure);
        let finished = error(&position(&[], &[(1, 1)]), &settings(10));
        assert_eq!(finished, RolloutError::Finished { won: true, outcome: Outcome::Single });
        assert!(finished.to_string().ends_with("has won a single game"), "{finished}");
        let none = RolloutError::Settings(SettingsError::NoTrials);
        assert_eq!(error(&Position::START, &settings(0)), none);
    }
}
