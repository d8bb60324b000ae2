//! Rollouts of any game: a position played to the end many times, without the cube.
//!
//! Sums, dice, stopping rules and standard errors are those of [`rollout`](crate::rollout); here games are played by
//! their own rules. The results of all 21 throws of a decision are valued in one batch, so that what the throw
//! gave beyond their mean is known and taken out; decisions without a throw have no luck. Draws, and games in
//! which nobody can move any more, count half a win and no points.
//!
//! No game goes on for ever: one that has come to the turn at which it is to be cut short, to
//! [`Settings::LONGEST`] throws or to [`MOST_DECISIONS`] (some of which throw no dice) is broken off. It counts what
//! the judge says of the position, as rollouts of the standard game have it, and not what its end would have been: what
//! the judge is wrong by on average is no error that more games take away. [`Part::unfinished`] counts these games,
//! with those that nobody won.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::look::Looker;
use super::{Judge, Prizes};
use crate::dice::Roll;
use crate::eval::EvalError;
use crate::outcome::{Outcome, Probs};
use crate::parallel::run_blocks;
use crate::position::Position;
use crate::rollout::{
    Branch, Chances, Dice, Ended, Luck, Part, Plan, Reason, RolloutError, Score, Settings, Single, Subject,
    chances, flipped, flipped_difference,
};
use crate::rules::{Asks, End, MOST_DECISIONS, Variant};

/// A game to be rolled out: its rules, what its results are, and who chooses.
#[derive(Clone, Copy)]
pub struct GameSubject<'a, V: Variant> {
    /// The rules.
    pub game: &'a V,
    /// What its results are.
    pub prizes: &'a Prizes,
    /// Who chooses the plays.
    pub judge: &'a dyn Judge,
}

/// Plays each branch of a subject `settings.trials` times, as [`run_plan`](crate::rollout::run_plan) does for the
/// standard game; of the settings those about cubes, lookahead and a small evaluator mean nothing here.
///
/// The result depends on none but subject, settings and judge. `watch` is told about the finished prefix.
///
/// # Errors
/// If the settings are impossible, or the judge fails.
///
/// # Panics
/// If earlier sums are not of such a rollout.
pub fn roll_out<V: Variant>(
    of: &GameSubject<'_, V>,
    subject: &Subject,
    settings: &Settings,
    plan: &Plan<'_>,
    threads: usize,
    watch: &mut dyn FnMut(&Part) -> ControlFlow<()>,
) -> Result<Single, RolloutError> {
    settings.check()?;
    let branches = subject.branches();
    let mut part = Part::new(branches.len(), settings.replication());
    if let Some(before) = plan.before {
        part.merge(before);
    }
    let sums = Mutex::new(Sums { part, next: 0, waiting: BTreeMap::new(), row: Vec::new(), stopped: None });
    let (closed, failure) = (AtomicBool::new(false), Mutex::new(None));
    let evaluations = AtomicU64::new(0);
    let dice = Dice::new(settings);
    let count = settings.trials.saturating_mul(branches.len() as u64);
    let lock = || sums.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |table: &mut Table, number: usize| {
        if closed.load(Ordering::Relaxed) {
            return;
        }
        let trial = settings.first + number as u64 / branches.len() as u64;
        let branch = &branches[number % branches.len()];
        let before = table.looker.evaluations;
        let ended = table.play(of, branch, settings, &dice, trial);
        evaluations.fetch_add(table.looker.evaluations - before, Ordering::Relaxed);
        match ended {
            Ok(ended) => {
                let asked = |part: &Part| plan.stop.and_then(|stop| stop.asked(part, subject));
                if lock().add(number as u64, ended, settings.first, branches.len(), asked) {
                    closed.store(true, Ordering::Relaxed);
                }
            }
            Err(error) => {
                let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                closed.store(true, Ordering::Relaxed);
            }
        }
    };
    let mut tick = |_: usize| {
        if closed.load(Ordering::Relaxed) {
            return ControlFlow::Continue(());
        }
        // A copy, so that threads need not wait for a slow watcher.
        let part = lock().part.clone();
        watch(&part)
    };
    let blocks = usize::try_from(count).unwrap_or(usize::MAX);
    run_blocks(threads, blocks, &mut tick, Table::new, work);
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(RolloutError::Evaluator(error));
    }
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Single {
        complete: sums.next == count,
        stopped: sums.stopped,
        part: sums.part,
        evaluations: evaluations.into_inner(),
    })
}

/// The trials finished without a gap from the first, summed up, and games that wait for the gap to close.
struct Sums {
    part: Part,
    /// Games in the sums, or in the row.
    next: u64,
    waiting: BTreeMap<u64, Ended>,
    /// The games of the trial that comes next.
    row: Vec<Ended>,
    stopped: Option<Reason>,
}

impl Sums {
    /// Takes a game; whether a rule has ended the rollout.
    fn add(
        &mut self,
        number: u64,
        ended: Ended,
        first: u64,
        branches: usize,
        asked: impl Fn(&Part) -> Option<Reason>,
    ) -> bool {
        self.waiting.insert(number, ended);
        while self.stopped.is_none()
            && let Some(ended) = self.waiting.remove(&self.next)
        {
            self.row.push(ended);
            if self.row.len() == branches {
                self.part.add(first + self.next / branches as u64, &self.row);
                self.row.clear();
                self.stopped = asked(&self.part);
            }
            self.next += 1;
        }
        self.stopped.is_some()
    }
}

/// A game under way.
struct Game {
    position: Position,
    /// Whether the player whose numbers are wanted acts.
    ours: bool,
    throws: u32,
    decisions: u32,
    passes: u32,
    luck: [f64; 5],
    points_of_luck: f64,
}

/// Memory a thread reuses from game to game.
struct Table {
    looker: Looker,
    /// The results of each throw.
    throws: Vec<Range<usize>>,
}

impl Table {
    fn new() -> Table {
        Table { looker: Looker::new(), throws: Vec::new() }
    }
}

impl Table {
    /// Plays one game of a trial.
    fn play<V: Variant>(
        &mut self,
        of: &GameSubject<'_, V>,
        branch: &Branch,
        settings: &Settings,
        dice: &Dice,
        trial: u64,
    ) -> Result<Ended, EvalError> {
        let mut game = Game::new(branch);
        loop {
            if let Some(end) = of.game.result(&game.position) {
                return Ok(game.finished(of.prizes, &end));
            }
            if super::is_void(of.game, &game.position, game.passes) {
                return Ok(game.broken_off(of.prizes, &Probs { win: 0.5, ..Probs::default() }));
            }
            if game.throws >= settings.last_turn() || game.decisions >= MOST_DECISIONS {
                let numbers = super::numbers(of.game, of.prizes, of.judge, &[game.position])?;
                return Ok(game.broken_off(of.prizes, &numbers[0]));
            }
            self.decide(of, &mut game, settings.luck != Luck::Off, |throw| dice.roll(trial, throw))?;
        }
    }

    /// Makes the decision that is to be made.
    fn decide<V: Variant>(
        &mut self,
        of: &GameSubject<'_, V>,
        game: &mut Game,
        lucky: bool,
        roll: impl Fn(u32) -> Roll,
    ) -> Result<(), EvalError> {
        self.looker.clear();
        let throws = of.game.asks(&game.position) == Asks::Throw;
        let thrown = if throws { roll(game.throws) } else { Roll::ALL[0] };
        let own = self.looker.add(of.game, &game.position, thrown);
        game.passes = if self.looker.was_pass() { game.passes + 1 } else { 0 };
        self.throws.clear();
        if throws && lucky {
            for roll in Roll::ALL {
                let results =
                    if roll == thrown { own.clone() } else { self.looker.add(of.game, &game.position, roll) };
                self.throws.push(results);
            }
        }
        self.looker.judge(of.game, of.prizes, of.judge)?;
        let best = self.looker.best(of.prizes, own, None);
        if throws && lucky {
            self.note_luck(of.prizes, game, &best.numbers);
        }
        game.decisions += 1;
        game.throws += u32::from(throws);
        game.position = best.after;
        game.ours ^= !best.kept;
        Ok(())
    }

    /// Notes what the throw gave beyond the mean of all.
    fn note_luck(&self, prizes: &Prizes, game: &mut Game, got: &Probs) {
        let (mut mean, mut points) = ([0.0; 5], 0.0);
        for (roll, results) in Roll::ALL.iter().zip(&self.throws) {
            let best = self.looker.best(prizes, results.clone(), None).numbers;
            let weight = f64::from(roll.weight()) / 36.0;
            mean.iter_mut().zip(columns(prizes, &best)).for_each(|(sum, chance)| *sum += weight * chance);
            points += weight * f64::from(prizes.equity(&best));
        }
        let got_points = f64::from(prizes.equity(got));
        let got = columns(prizes, got);
        let luck: Chances = std::array::from_fn(|i| got[i] - mean[i]);
        let luck = if game.ours { luck } else { flipped_difference(luck) };
        game.luck.iter_mut().zip(luck).for_each(|(sum, luck)| *sum += luck);
        game.points_of_luck += (got_points - points) * if game.ours { 1.0 } else { -1.0 };
    }
}

/// The five chances that are reported: of stakes there are no gammons.
fn columns(prizes: &Prizes, numbers: &Probs) -> Chances {
    let all = chances(numbers);
    if prizes.are_stakes() { [all[0], 0.0, 0.0, 0.0, 0.0] } else { all }
}

impl Game {
    fn new(branch: &Branch) -> Game {
        Game {
            position: branch.position,
            ours: !branch.after_play,
            throws: 0,
            decisions: 0,
            passes: 0,
            luck: [0.0; 5],
            points_of_luck: 0.0,
        }
    }

    /// The numbers of a game that ended.
    fn finished(&self, prizes: &Prizes, end: &End) -> Ended {
        let seen = if self.ours { *end } else { end.flipped() };
        let class = match end.points.min(prizes.most()) {
            _ if prizes.are_stakes() => Outcome::Single,
            3.. => Outcome::Backgammon,
            2 => Outcome::Gammon,
            _ => Outcome::Single,
        };
        let result = seen.winner.map(|won| (won, class));
        self.ended(&columns(prizes, &prizes.certain(&seen)), Prizes::points(&seen), result)
    }

    /// The numbers of a game without an end, where the position has these to the player to act.
    fn broken_off(&self, prizes: &Prizes, numbers: &Probs) -> Ended {
        let (all, points) = (columns(prizes, numbers), f64::from(prizes.equity(numbers)));
        if self.ours { self.ended(&all, points, None) } else { self.ended(&flipped(all), -points, None) }
    }

    fn ended(&self, value: &Chances, points: f64, result: Option<(bool, Outcome)>) -> Ended {
        let score = Score::worth(value, &self.luck, points, self.points_of_luck);
        Ended { score, result, turns: self.throws }
    }
}

#[cfg(test)]
#[path = "rollout_tests.rs"]
mod tests;
