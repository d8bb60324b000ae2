//! A training under way: the pipeline of playing and learning, its progress, its interruption.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::eval::Evaluator;
use crate::nn::{self, GameNet, Net, Parts};
use crate::outcome::Probs;
use crate::parallel::{Cancelled, run_blocks};
use crate::position::Position;
use crate::train::config::Config;
use crate::train::games::{Arena, Table};
use crate::train::lesson::Lesson;
use crate::train::model::Model;
use crate::train::report::{Report, Tally};
use crate::train::selfplay::{Played, Workspace};
use crate::train::settings::ConfigError;
use crate::train::weights::{Diverged, Weights};

/// Games a thread plays at a time: a few milliseconds.
const GAMES_PER_BLOCK: u64 = 4;

/// What the watcher of a training is told.
pub enum Progress<'a> {
    /// About every twentieth of a second: games played.
    Games(u64),
    /// A chunk has been learned from: the moment to save a checkpoint, if one is due.
    Chunk(&'a Session),
    /// [`Session::report_every`] more games have been learned from.
    Report(&'a Report),
}

/// Told about the progress of a training; breaking stops it.
pub type Watch<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'a;

/// A training that can be run, stopped, saved and continued.
pub struct Session {
    config: Config,
    /// The game that is played, if it is not the standard one.
    arena: Option<Arena>,
    model: Model,
    /// The net the next chunk is played with.
    player: Parts,
    /// Games of the chunks learned from.
    learned: u64,
    /// Games between two reports.
    pub report_every: u64,
}

/// Why a training ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// The watcher broke.
    Cancelled,
    /// The weights are no net any more.
    Diverged(Diverged),
}

impl std::fmt::Display for TrainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TrainError::Cancelled => Cancelled.fmt(f),
            TrainError::Diverged(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<Cancelled> for TrainError {
    fn from(_: Cancelled) -> TrainError {
        TrainError::Cancelled
    }
}

impl From<Diverged> for TrainError {
    fn from(error: Diverged) -> TrainError {
        TrainError::Diverged(error)
    }
}

/// The net that a chunk is played with.
enum Player {
    Standard(Net),
    Game(GameNet),
}

impl Player {
    fn new(parts: &Parts) -> Player {
        GameNet::from_parts(parts).map_or_else(|| Player::Standard(Net::from_parts(parts)), Player::Game)
    }
}

/// What one step of the pipeline did.
struct Step {
    /// The sum of squared errors if all of the chunk has been learned from; else nothing of it counts.
    learned: Option<f64>,
    /// The next chunk; `None` if the watcher broke off the playing.
    played: Option<Played>,
}

impl Session {
    /// A training from the beginning.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(config: Config) -> Result<Session, ConfigError> {
        config.check()?;
        let model = Model::new(config.set(), config.hidden as usize, config.seed);
        let player = model.quantised(config.seed, &config.to_text()).expect("first weights are small");
        Ok(Session::from_state(config, model, player, 0))
    }

    pub(crate) fn from_state(config: Config, model: Model, player: Parts, learned: u64) -> Session {
        let arena = config.rules().ok().flatten().map(Arena::new);
        Session { report_every: (config.games / 100).max(1), config, arena, model, player, learned }
    }

    pub(crate) fn state(&self) -> (&Config, &Weights, &Parts, u64) {
        (&self.config, &self.model.weights, &self.player, self.learned)
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Games learned from so far.
    pub fn games(&self) -> u64 {
        self.learned
    }

    /// Whether all games have been learned from.
    pub fn is_done(&self) -> bool {
        self.learned == self.config.games
    }

    /// The file of the net as it is now.
    ///
    /// # Errors
    /// If the weights are no net any more.
    pub fn net_bytes(&self) -> Result<Vec<u8>, Diverged> {
        let (seed, recipe) = (self.config.seed, self.config.to_text());
        match self.arena {
            None => Ok(nn::write(&self.model.quantised(seed, &recipe)?)),
            Some(_) => {
                let parts = self.model.quantised_seen(seed, &recipe)?;
                Ok(nn::write_compact(&nn::rounded(&parts)))
            }
        }
    }

    /// Trains until all games are done or the watcher breaks.
    ///
    /// After a break the session stands at the end of a chunk, and running it again gives the net that
    /// an unbroken run would have given; so does one restored from a checkpoint taken by then. The
    /// `reference` positions with their true chances are only reported on, never learned from.
    ///
    /// # Errors
    /// If the watcher broke, or if the weights are no net any more; nothing helps then.
    pub fn run(
        &mut self,
        threads: usize,
        reference: &[(Position, Probs)],
        watch: &mut Watch<'_>,
    ) -> Result<(), TrainError> {
        if self.is_done() {
            return Ok(());
        }
        let mut tally = Tally::new();
        // Fill the pipeline with the chunk to be learned from first.
        let player = Player::new(&self.player);
        let mut size = self.config.chunk(self.learned);
        let first = self.step(threads, &player, None, self.learned, size, watch);
        let mut pending = first.played.ok_or(Cancelled)?;
        while !self.is_done() {
            let parts = self.model.quantised(self.config.seed, &self.config.to_text())?;
            let player = Player::new(&parts);
            let start = self.learned + size;
            let next = if start < self.config.games { self.config.chunk(start) } else { 0 };
            let step = self.step(threads, &player, Some(&pending), start, next, watch);
            let loss = step.learned.ok_or(Cancelled)?;
            tally.add(&pending, size, loss);
            // What has been learned counts even if playing was broken off.
            (self.learned, self.player, size) = (start, parts, next);
            pending = step.played.ok_or(Cancelled)?;
            let mut stop = watch(Progress::Chunk(self)).is_break();
            if tally.games >= self.report_every || self.is_done() {
                let report = tally.report(&self.config, self.learned, self.error(reference)?);
                tally = Tally::new();
                stop |= watch(Progress::Report(&report)).is_break();
            }
            if stop && !self.is_done() {
                return Err(TrainError::Cancelled);
            }
        }
        Ok(())
    }

    /// Learns from one chunk while the next is played. If the watcher breaks before all of the chunk has been
    /// learned from, the model is what it was.
    fn step(
        &mut self,
        threads: usize,
        player: &Player,
        learn: Option<&Played>,
        from: u64,
        size: u64,
        watch: &mut Watch<'_>,
    ) -> Step {
        let (config, arena) = (&self.config, self.arena.as_ref());
        let lambda = config.lambda(from.min(config.games)) as f32;
        let before = learn.map(|_| self.model.weights.clone());
        let samples = learn.map_or(&[][..], |played| played.samples.as_slice());
        let lesson = Lesson::new(&mut self.model, config, self.learned, samples);
        let blocks = lesson.batches + size.div_ceil(GAMES_PER_BLOCK) as usize;
        let (lesson, next, games) = (Mutex::new(lesson), AtomicU64::new(0), AtomicU64::new(0));
        // As many calls as there are batches and blocks of games. Each does one: a batch if no other thread
        // is at the lesson, so that the calling thread comes to look at the watcher between batches.
        let work = |(space, table): &mut (Workspace, Table), _: usize| {
            if lesson.try_lock().is_ok_and(|mut lesson| lesson.learn()) {
                return None;
            }
            let first = next.fetch_add(GAMES_PER_BLOCK, Ordering::Relaxed);
            if first >= size {
                lesson.lock().expect("a panic while learning ends the step").learn();
                return None;
            }
            let mut played = Played::default();
            for game in first..(first + GAMES_PER_BLOCK).min(size) {
                match (player, arena) {
                    (Player::Game(net), Some(arena)) => {
                        table.play(arena, net, config, from + game, lambda, &mut played);
                    }
                    (Player::Standard(net), _) => {
                        space.play(net, config, from + game, lambda, &mut played);
                    }
                    (Player::Game(_), None) => unreachable!("a net of a game has its rules beside it"),
                }
                games.fetch_add(1, Ordering::Relaxed);
            }
            Some((first, played))
        };
        let mut tick = |_: usize| watch(Progress::Games(from + games.load(Ordering::Relaxed)));
        let space = || (Workspace::new(), Table::new());
        let run = run_blocks(threads, blocks, &mut tick, space, work);
        let lesson = lesson.into_inner().expect("a panic while learning ends the step");
        let learned = lesson.is_done().then_some(lesson.loss);
        if let (None, Some(before)) = (learned, before) {
            self.model.weights = before;
        }
        let mut parts: Vec<(u64, Played)> = run.results.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|&(first, _)| first);
        let mut all = Played::default();
        parts.into_iter().for_each(|(_, played)| all.append(played));
        Step { learned, played: (!run.cancelled).then_some(all) }
    }

    /// Mean absolute difference in equity to positions with known chances.
    fn error(&self, reference: &[(Position, Probs)]) -> Result<Option<f64>, Diverged> {
        if reference.is_empty() || self.arena.is_some() {
            return Ok(None);
        }
        let net = Net::from_parts(&self.model.quantised(0, "")?);
        let positions: Vec<Position> = reference.iter().map(|&(position, _)| position).collect();
        let mut out = vec![Probs::default(); positions.len()];
        net.evaluate(&positions, &mut out).expect("a net covers every position");
        let sum: f64 = out
            .iter()
            .zip(reference)
            .map(|(ours, (_, theirs))| f64::from((ours.equity() - theirs.equity()).abs()))
            .sum();
        Ok(Some(sum / positions.len() as f64))
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
