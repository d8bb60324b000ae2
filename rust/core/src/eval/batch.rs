//! Asking an evaluator about many positions, of which some may be finished games.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{EvalError, Evaluator};
use crate::outcome::Probs;
use crate::parallel::{Cancelled, Watch, run_blocks};
use crate::position::Position;
use crate::rules::Rules;

/// Fills `out[i]` with the chances of the player on roll in `positions[i]`.
///
/// Finished games get their certain result; the evaluator is asked about the others, in one batch.
///
/// # Errors
/// If the evaluator fails; `out` is then unspecified.
///
/// # Panics
/// If the slices differ in length.
pub fn values<R: Rules>(
    evaluator: &dyn Evaluator<R>,
    positions: &[Position],
    out: &mut [Probs],
) -> Result<(), EvalError> {
    assert_eq!(positions.len(), out.len(), "one result a position");
    if !positions.iter().any(|position| R::result(position).is_some()) {
        return if positions.is_empty() { Ok(()) } else { evaluator.evaluate(positions, out) };
    }
    let (mut open, mut places) = (Vec::new(), Vec::new());
    for (i, position) in positions.iter().enumerate() {
        match R::result(position) {
            Some((won, outcome)) => out[i] = Probs::certain(won, outcome),
            None => {
                open.push(*position);
                places.push(i);
            }
        }
    }
    let mut answers = vec![Probs::default(); open.len()];
    if !open.is_empty() {
        evaluator.evaluate(&open, &mut answers)?;
    }
    for (place, answer) in places.into_iter().zip(answers) {
        out[place] = answer;
    }
    Ok(())
}

/// Why [`evaluate_batch`] has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// The watcher stopped it.
    Cancelled(Cancelled),
    /// The evaluator failed.
    Evaluator(EvalError),
}

impl std::fmt::Display for BatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BatchError::Cancelled(error) => error.fmt(f),
            BatchError::Evaluator(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BatchError {}

/// The chances of the player on roll in each position, worked out on `threads` threads.
///
/// The evaluator gets [`Evaluator::batch_hint`] positions at a time, finished games excepted (see
/// [`values`]); the watcher is told how many positions are done. Once the evaluator has failed it is not
/// asked again, but for batches begun by then.
///
/// # Errors
/// The evaluator's, or [`Cancelled`] if the watcher stops it.
pub fn evaluate_batch<R: Rules>(
    evaluator: &dyn Evaluator<R>,
    positions: &[Position],
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Probs>, BatchError> {
    let size = evaluator.batch_hint().max(1);
    let batches: Vec<&[Position]> = positions.chunks(size).collect();
    let failed = AtomicBool::new(false);
    let work = |(): &mut (), batch: usize| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let mut out = vec![Probs::default(); batches[batch].len()];
        let answer = values(evaluator, batches[batch], &mut out).map(|()| out);
        failed.fetch_or(answer.is_err(), Ordering::Relaxed);
        Some(answer)
    };
    let mut tick = |done: usize| {
        if failed.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        watch((done * size).min(positions.len()))
    };
    let run = run_blocks(threads, batches.len(), &mut tick, || (), work);
    let mut all = Vec::with_capacity(positions.len());
    for answer in run.results.into_iter().flatten() {
        all.extend(answer.map_err(BatchError::Evaluator)?);
    }
    if all.len() == positions.len() { Ok(all) } else { Err(BatchError::Cancelled(Cancelled)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::parallel::unwatched;
    use crate::rules::Backgammon;
    use crate::testing::position;
    use std::sync::atomic::AtomicUsize;

    /// Answers with the roller's pips, and fails at a position of one pip.
    #[derive(Default)]
    struct Pips {
        asked: AtomicUsize,
    }

    impl Evaluator for Pips {
        fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            for (position, out) in positions.iter().zip(out) {
                assert!(!position.is_over(), "finished games are answered by the core");
                if position.pip_counts().0 == 1 {
                    return Err(EvalError::Uncovered(*position));
                }
                *out = Probs { win: position.pip_counts().0 as f32 / 1_000.0, ..Probs::default() };
            }
            Ok(())
        }

        fn batch_hint(&self) -> usize {
            7
        }

        fn id(&self) -> &str {
            "pips"
        }
    }

    fn mixed(count: usize) -> Vec<Position> {
        let over = position(&[], &[(6, 15)]);
        let all = [Position::START, over, position(&[(6, 2)], &[(3, 1)]), over.flip()];
        all.into_iter().cycle().take(count).collect()
    }

    #[test]
    fn finished_games_are_answered_without_the_evaluator() {
        let positions = mixed(4);
        let mut out = [Probs::default(); 4];
        values::<Backgammon>(&Pips::default(), &positions, &mut out).unwrap();
        let wins: Vec<f32> = out.iter().map(|p| p.win).collect();
        assert_eq!(wins, [0.167, 1.0, 0.012, 0.0]);
        assert_eq!(out[3], Probs::certain(false, Outcome::Gammon));
        let nobody = Pips::default();
        values::<Backgammon>(&nobody, &positions[1..2], &mut out[..1]).unwrap();
        assert_eq!((out[0].win, nobody.asked.into_inner()), (1.0, 0));
    }

    #[test]
    fn batches_give_the_same_on_any_number_of_threads() {
        let positions = mixed(1_000);
        let mut expected = vec![Probs::default(); 1_000];
        values::<Backgammon>(&Pips::default(), &positions, &mut expected).unwrap();
        for threads in [1, 2, 5] {
            let found = evaluate_batch::<Backgammon>(&Pips::default(), &positions, threads, &mut unwatched);
            assert_eq!(found.as_ref(), Ok(&expected), "{threads} threads");
        }
        assert_eq!(evaluate_batch::<Backgammon>(&Pips::default(), &[], 2, &mut unwatched), Ok(vec![]));
    }

    #[test]
    fn a_failed_evaluator_is_not_asked_again() {
        let mut positions = mixed(70_000);
        positions[20] = position(&[(1, 1)], &[(6, 1)]);
        for threads in [1, 3] {
            let evaluator = Pips::default();
            let found = evaluate_batch::<Backgammon>(&evaluator, &positions, threads, &mut unwatched);
            assert_eq!(found, Err(BatchError::Evaluator(EvalError::Uncovered(positions[20]))));
            let asked = evaluator.asked.into_inner();
            assert!(asked < 5_000, "{asked} of 10,000 batches");
        }
    }

    #[test]
    fn the_watcher_can_stop_it() {
        struct Slow;
        impl Evaluator for Slow {
            fn evaluate(&self, _: &[Position], _: &mut [Probs]) -> Result<(), EvalError> {
                std::thread::sleep(std::time::Duration::from_millis(5));
                Ok(())
            }
            fn id(&self) -> &str {
                "slow"
            }
        }
        let positions = vec![Position::START; 10_000_000];
        let mut told = 0;
        let mut watch = |done: usize| {
            told = done;
            ControlFlow::Break(())
        };
        let stopped = evaluate_batch::<Backgammon>(&Slow, &positions, 2, &mut watch);
        assert_eq!(stopped, Err(BatchError::Cancelled(Cancelled)));
        assert!(told > 0 && told < positions.len());
    }
}
