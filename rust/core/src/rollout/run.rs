//! Rollouts over threads, of which only unbroken prefixes count.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::eval::EvalError;
use crate::outcome::Outcome;
use crate::parallel::{TICK, cores};
use crate::rollout::lockstep::{Halt, Pool};
use crate::rollout::pair::Pair;
use crate::rollout::stop::{Reason, Stop};
use crate::rollout::subject::Subject;
use crate::rollout::{Part, Settings, SettingsError};
use crate::rules::Rules;

/// What a rollout found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// The sums over the first trials, all of them unless the watcher broke off.
    pub part: Part,
    /// Whether all trials asked for are in.
    pub complete: bool,
    /// The rule that ended it.
    pub stopped: Option<Reason>,
}

/// What a call has done that rolled out one subject.
#[derive(Clone, Debug)]
pub struct Single {
    /// The sums over the first trials, all of them unless the watcher broke off.
    pub part: Part,
    /// Whether all trials asked for are in.
    pub complete: bool,
    /// The rule that ended it.
    pub stopped: Option<Reason>,
    /// Positions evaluated in all, those of unfinished games included: a measure of the work, which depends on
    /// how games were batched.
    pub evaluations: u64,
}

/// How a rollout begins and ends, if not with trial `settings.first` and when all are in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// The sums of the trials before the first one, which belong to what is shown and judged.
    pub before: Option<&'a Part>,
    /// Rules for ending it earlier.
    pub stop: Option<Stop>,
}

/// What a call has done that rolled out many.
#[derive(Clone, Debug)]
pub struct Rollouts {
    /// One a subject, in order.
    pub rollouts: Vec<Rollout>,
    /// Positions evaluated in all, those of unfinished games included: a measure of the work, which depends on
    /// how games were batched.
    pub evaluations: u64,
}

/// Why a rollout could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RolloutError {
    /// The settings cannot be followed.
    Settings(SettingsError),
    /// A game is over already.
    Finished {
        /// Number of the subject.
        subject: usize,
        /// Whether the player on roll has won it.
        won: bool,
        /// What the winner won.
        outcome: Outcome,
    },
    /// An evaluator failed.
    Evaluator(EvalError),
}

impl std::fmt::Display for RolloutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RolloutError::Settings(error) => error.fmt(f),
            RolloutError::Finished { won, outcome, .. } => {
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
/// If the settings are impossible, the game is over, or an evaluator fails.
pub fn run<'a, R: Rules>(
    subject: &Subject,
    settings: &Settings,
    pair: impl Into<Pair<'a, R>>,
    threads: usize,
    watch: &mut dyn FnMut(&Part) -> ControlFlow<()>,
) -> Result<Single, RolloutError> {
    run_plan(subject, settings, pair, &Plan::default(), threads, watch)
}

/// The same beginning with the sums of earlier trials, or ending by a rule.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// If the earlier sums are not of such a rollout.
pub fn run_plan<'a, R: Rules>(
    subject: &Subject,
    settings: &Settings,
    pair: impl Into<Pair<'a, R>>,
    plan: &Plan<'_>,
    threads: usize,
    watch: &mut dyn FnMut(&Part) -> ControlFlow<()>,
) -> Result<Single, RolloutError> {
    let job = Job::new(std::slice::from_ref(subject), settings, pair.into(), plan)?;
    job.drive(threads, &mut || {
        // A copy, so that threads need not wait for a slow watcher.
        let part = job.prefixes()[0].part.clone();
        watch(&part)
    });
    let Rollouts { mut rollouts, evaluations } = job.finish()?;
    let Rollout { part, complete, stopped } = rollouts.remove(0);
    Ok(Single { part, complete, stopped, evaluations })
}

/// Plays many positions out `settings.trials` times each, threads sharing the work.
///
/// The calling thread tells `watch` about twenty times a second how many trials are done of all; if it breaks,
/// what is finished by then is returned.
///
/// # Errors
/// If the settings are impossible, a game is over, or an evaluator fails.
pub fn run_many<'a, R: Rules>(
    subjects: &[Subject],
    settings: &Settings,
    pair: impl Into<Pair<'a, R>>,
    plan: &Plan<'_>,
    threads: usize,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Rollouts, RolloutError> {
    let job = Job::new(subjects, settings, pair.into(), plan)?;
    job.drive(threads, &mut || watch(job.trials.load(Ordering::Relaxed)));
    job.finish()
}

/// Some trials of a subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub subject: usize,
    /// Counted from 0 for each subject.
    pub number: u64,
    /// Numbers of the first trial and of the one after the last.
    pub start: u64,
    pub end: u64,
}

/// What the threads of a call share.
pub(crate) struct Job<'a, R: Rules> {
    pub subjects: &'a [Subject],
    pub settings: &'a Settings,
    pub pair: Pair<'a, R>,
    /// Blocks a subject, and those taken so far of all.
    blocks: u64,
    taken: AtomicU64,
    stop: AtomicBool,
    rule: Option<Stop>,
    /// Which subjects have come to their end, and how many.
    closed: Vec<AtomicBool>,
    ends: AtomicUsize,
    evaluations: AtomicU64,
    /// Trials handed in.
    trials: AtomicU64,
    prefixes: Mutex<Vec<Prefix>>,
    failure: Mutex<Option<(Block, EvalError)>>,
}

impl<'a, R: Rules> Job<'a, R> {
    fn new(
        subjects: &'a [Subject],
        settings: &'a Settings,
        pair: Pair<'a, R>,
        plan: &Plan<'_>,
    ) -> Result<Job<'a, R>, RolloutError> {
        settings.check()?;
        for (number, subject) in subjects.iter().enumerate() {
            for branch in subject.branches() {
                if let Some((won, outcome)) = R::result(&branch.position) {
                    return Err(RolloutError::Finished { subject: number, won, outcome });
                }
            }
        }
        let (size, end) = (settings.block(), settings.first + settings.trials);
        let prefix = |subject: &Subject| {
            let mut prefix = Prefix::new(subject.branches().len(), settings.replication());
            if let Some(before) = plan.before {
                prefix.part.merge(before);
            }
            prefix
        };
        Ok(Job {
            subjects,
            settings,
            pair,
            blocks: end.div_ceil(size) - settings.first / size,
            taken: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            rule: plan.stop,
            closed: subjects.iter().map(|_| AtomicBool::new(false)).collect(),
            ends: AtomicUsize::new(0),
            evaluations: AtomicU64::new(0),
            trials: AtomicU64::new(0),
            prefixes: Mutex::new(subjects.iter().map(prefix).collect()),
            failure: Mutex::new(None),
        })
    }

    /// The next block to play.
    pub(crate) fn take(&self) -> Option<Block> {
        let (subject, number) = loop {
            let taken = self.taken.fetch_add(1, Ordering::Relaxed);
            let (subject, number) = ((taken / self.blocks) as usize, taken % self.blocks);
            if !self.closed.get(subject)?.load(Ordering::Relaxed) {
                break (subject, number);
            }
        };
        let Settings { first, trials, .. } = *self.settings;
        let size = self.settings.block();
        let start = (first / size + number) * size;
        Some(Block { subject, number, start: start.max(first), end: (start + size).min(first + trials) })
    }

    /// Takes the sums of a block.
    pub(crate) fn hand_in(&self, block: Block, part: Part) {
        self.trials.fetch_add(part.trials(), Ordering::Relaxed);
        let ended = {
            let prefix = &mut self.prefixes()[block.subject];
            let was = prefix.stopped;
            prefix.add(block.number, part, self.rule.as_ref(), &self.subjects[block.subject]);
            was.is_none() && prefix.stopped.is_some()
        };
        if ended {
            self.closed[block.subject].store(true, Ordering::Relaxed);
            if self.ends.fetch_add(1, Ordering::Relaxed) + 1 == self.subjects.len() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Counts positions evaluated.
    pub(crate) fn count(&self, evaluations: u64) {
        self.evaluations.fetch_add(evaluations, Ordering::Relaxed);
    }

    fn prefixes(&self) -> MutexGuard<'_, Vec<Prefix>> {
        self.prefixes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays everything on `threads` threads, the calling one among them, which asks `watch` about every
    /// [`TICK`] whether to go on.
    fn drive(&self, threads: usize, watch: &mut dyn FnMut() -> ControlFlow<()>) {
        let most = (4 * cores()).max(16);
        let blocks = self.blocks.saturating_mul(self.subjects.len() as u64);
        let helpers = threads.min(most).min(usize::try_from(blocks).unwrap_or(usize::MAX)).saturating_sub(1);
        let running = AtomicUsize::new(helpers);
        std::thread::scope(|scope| {
            let help = || {
                let _leaving = Leaving { running: Some(&running), stop: &self.stop };
                self.work(&mut || self.going());
            };
            for started in 0..helpers {
                if std::thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    // Those that run, at least the caller, do it all.
                    running.fetch_sub(helpers - started, Ordering::Release);
                    break;
                }
            }
            let _leaving = Leaving { running: None, stop: &self.stop };
            let mut last = Instant::now();
            let mut look_up = || {
                if last.elapsed() >= TICK && self.going().is_continue() {
                    last = Instant::now();
                    if watch().is_break() {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                self.going()
            };
            self.work(&mut look_up);
            while running.load(Ordering::Acquire) > 0 {
                std::thread::sleep(Duration::from_micros(100));
                let _ = look_up();
            }
        });
    }

    fn going(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn work(&self, pause: &mut dyn FnMut() -> ControlFlow<()>) {
        if let Err(Halt::Failed(block, error)) = Pool::new(self).run(pause) {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            if failure.as_ref().is_none_or(|(first, _)| block < *first) {
                *failure = Some((block, error));
            }
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn finish(self) -> Result<Rollouts, RolloutError> {
        if let Some((_, error)) = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(RolloutError::Evaluator(error));
        }
        let rollout = |prefix: Prefix| Rollout {
            complete: prefix.next == self.blocks,
            stopped: prefix.stopped,
            part: prefix.part,
        };
        let prefixes = self.prefixes.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Rollouts {
            rollouts: prefixes.into_iter().map(rollout).collect(),
            evaluations: self.evaluations.into_inner(),
        })
    }
}

/// Stops all other threads if its own panics, and counts a helper out however it ends.
struct Leaving<'a> {
    running: Option<&'a AtomicUsize>,
    stop: &'a AtomicBool,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if let Some(running) = self.running {
            running.fetch_sub(1, Ordering::Release);
        }
    }
}

/// The blocks of a subject finished without a gap from the first, summed up, and those waiting for the gap to
/// close.
struct Prefix {
    part: Part,
    next: u64,
    waiting: BTreeMap<u64, Part>,
    stopped: Option<Reason>,
}

impl Prefix {
    fn new(branches: usize, replication: u64) -> Prefix {
        Prefix { part: Part::new(branches, replication), next: 0, waiting: BTreeMap::new(), stopped: None }
    }

    fn add(&mut self, block: u64, part: Part, stop: Option<&Stop>, subject: &Subject) {
        if self.stopped.is_some() {
            return;
        }
        self.waiting.insert(block, part);
        while let Some(part) = self.waiting.remove(&self.next) {
            self.part.merge(&part);
            self.next += 1;
            self.stopped = stop.and_then(|stop| stop.asked(&self.part, subject));
            if self.stopped.is_some() {
                self.waiting.clear();
            }
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
