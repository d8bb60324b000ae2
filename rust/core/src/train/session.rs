//! A training under way: the pipeline of playing and learning, its progress, its interruption.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::eval::Evaluator;
use crate::nn::{self, GameNet, Net, Parts};
use crate::outcome::Probs;
use crate::parallel::{Cancelled, run_blocks};
use crate::position::Position;
use crate::rng::Stream;
use crate::train::config::Config;
use crate::train::games::{Arena, Table};
use crate::train::model::{Model, Sample};
use crate::train::selfplay::{Played, Workspace};
use crate::train::settings::ConfigError;
use crate::train::weights::{Diverged, Weights};

/// Games a thread plays at a time: a few milliseconds.
const GAMES_PER_BLOCK: u64 = 4;

/// Which stream of the seed shuffles samples; games use the numbers from 0 up.
const SHUFFLE: u64 = 1 << 63;

/// What a stretch of training did, for a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Games learned from so far.
    pub games: u64,
    /// Positions learned from since the last report.
    pub positions: u64,
    /// Candidate plays evaluated since the last report.
    pub evaluations: u64,
    /// Seconds since the last report.
    pub seconds: f64,
    /// Games a second since the last report.
    pub games_per_second: f64,
    /// Mean squared error of the five chances against their targets since the last report.
    pub loss: f64,
    /// Shares of single games, gammons and backgammons since the last report; in other games, of wins of one
    /// point, of two and of more.
    pub outcomes: [f64; 3],
    /// Learning rate now.
    pub rate: f64,
    /// Lambda now.
    pub lambda: f64,
    /// Mean absolute difference in equity to the reference positions, if there are any.
    pub error: Option<f64>,
}

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

/// What is summed up between two reports.
struct Tally {
    since: Instant,
    games: u64,
    positions: u64,
    evaluations: u64,
    loss: f64,
    outcomes: [u64; 3],
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
                let report = self.report(&tally, reference)?;
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

    fn report(&self, tally: &Tally, reference: &[(Position, Probs)]) -> Result<Report, Diverged> {
        let seconds = tally.since.elapsed().max(Duration::from_micros(1)).as_secs_f64();
        let ended = tally.outcomes.iter().sum::<u64>().max(1) as f64;
        let positions = tally.positions.max(1) as f64;
        Ok(Report {
            games: self.learned,
            positions: tally.positions,
            evaluations: tally.evaluations,
            seconds,
            games_per_second: tally.games as f64 / seconds,
            loss: tally.loss / (5.0 * positions),
            outcomes: tally.outcomes.map(|n| n as f64 / ended),
            rate: self.config.rate(self.learned),
            lambda: self.config.lambda(self.learned),
            error: self.error(reference)?,
        })
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

/// A chunk's samples, shuffled, and how many batches of them have been learned from.
struct Lesson<'a> {
    model: &'a mut Model,
    samples: &'a [Sample],
    order: Vec<u32>,
    batches: usize,
    done: usize,
    rate: f32,
    /// Step of the running average, which follows the weights themselves while there is none.
    average: Option<f32>,
    /// Sum of squared errors so far.
    loss: f64,
}

impl<'a> Lesson<'a> {
    fn new(model: &'a mut Model, config: &Config, learned: u64, samples: &'a [Sample]) -> Lesson<'a> {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let words = Stream::new(config.seed, SHUFFLE + learned);
        for i in (1..order.len()).rev() {
            order.swap(i, words.below(i as u32 + 1, i as u64) as usize);
        }
        let batch = config.batch as usize;
        let batches = if samples.is_empty() { 0 } else { ((order.len() + batch / 2) / batch).max(1) };
        let rate = config.rate(learned) as f32;
        let average = config.average(learned).map(|step| step as f32);
        Lesson { model, samples, order, batches, done: 0, rate, average, loss: 0.0 }
    }

    fn is_done(&self) -> bool {
        self.done == self.batches
    }

    /// Learns from one batch more; `false` if there is none.
    fn learn(&mut self) -> bool {
        if self.is_done() {
            return false;
        }
        let place = |i: usize| i * self.order.len() / self.batches;
        let batch = &self.order[place(self.done)..place(self.done + 1)];
        self.loss += self.model.learn(self.samples, batch, self.rate, self.average);
        self.done += 1;
        if self.is_done() && self.average.is_none() {
            self.model.follow();
        }
        true
    }
}

impl Tally {
    fn new() -> Tally {
        Tally { since: Instant::now(), games: 0, positions: 0, evaluations: 0, loss: 0.0, outcomes: [0; 3] }
    }

    fn add(&mut self, played: &Played, games: u64, loss: f64) {
        self.games += games;
        self.loss += loss;
        self.positions += played.samples.len() as u64;
        self.evaluations += played.evaluations;
        for (sum, n) in self.outcomes.iter_mut().zip(played.outcomes) {
            *sum += n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> Config {
        Config {
            seed: 3,
            games: 60,
            hidden: 64,
            batch: 64,
            chunk_first: 5,
            chunk_last: 13,
            ..Config::default()
        }
    }

    /// Trains a net from beginning to end and returns its file.
    fn run(config: Config, threads: usize, watch: &mut Watch<'_>) -> Result<Vec<u8>, TrainError> {
        let mut session = Session::new(config).unwrap();
        session.run(threads, &[], watch)?;
        Ok(session.net_bytes()?)
    }

    fn watch_nothing(_: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn the_same_config_gives_the_same_net_on_any_number_of_threads() {
        let net = run(tiny(), 1, &mut watch_nothing).unwrap();
        for threads in [2, 3] {
            assert!(run(tiny(), threads, &mut watch_nothing).unwrap() == net, "{threads} threads");
        }
        assert!(run(Config { seed: 4, ..tiny() }, 1, &mut watch_nothing).unwrap() != net);
        Net::from_bytes(&net).unwrap();
    }

    /// Every game with turns, marks or prizes of another shape.
    fn of_other_games() -> Vec<Config> {
        [("plakoto", ""), ("nardi_long", ""), ("acey_deucey", ""), ("trictrac", "target=1"), ("gul_bara", "")]
            .map(|(variant, options)| Config {
                variant: variant.to_owned(),
                options: options.to_owned(),
                games: 40,
                chunk_first: 3,
                chunk_last: 7,
                ..tiny()
            })
            .into()
    }

    #[test]
    fn nets_of_other_games_are_the_same_on_any_number_of_threads() {
        for config in of_other_games() {
            let net = run(config.clone(), 1, &mut watch_nothing).unwrap();
            assert!(run(config.clone(), 3, &mut watch_nothing).unwrap() == net, "{}", config.variant);
            let known = GameNet::from_bytes(&net).unwrap();
            assert_eq!((known.game().name(), known.info().hidden), (config.variant.as_str(), 64));
            assert!(Net::from_bytes(&net).is_err() && known.info().recipe == config.to_text());
            // Of rows that no position has shown the file holds nothing.
            assert!(net.len() < 60_000, "{}", net.len());
        }
    }

    /// A few hundred short games teach who is ahead.
    #[test]
    fn every_game_learns() {
        for kind in crate::rules::KINDS {
            let options = if kind.name == "trictrac" { "target=1" } else { "" };
            let config =
                Config { variant: kind.name.to_owned(), options: options.to_owned(), games: 60, ..tiny() };
            let mut session = Session::new(config).unwrap();
            session.report_every = 20;
            let mut losses = Vec::new();
            let mut watch = |progress: Progress<'_>| {
                if let Progress::Report(report) = progress {
                    losses.push(report.loss);
                    assert!(report.positions > 0 && report.evaluations > report.positions);
                }
                ControlFlow::Continue(())
            };
            session.run(2, &[], &mut watch).unwrap();
            assert!(losses.len() >= 2 && losses[losses.len() - 1] < losses[0], "{} {losses:?}", kind.name);
        }
    }

    #[test]
    fn stopping_saving_and_continuing_changes_nothing() {
        of_other_games().into_iter().take(2).chain([tiny()]).for_each(stopped_and_continued);
    }

    fn stopped_and_continued(config: Config) {
        let whole = run(config.clone(), 1, &mut watch_nothing).unwrap();
        let all = config.games;
        for stop_after in [1, 2, 4] {
            let mut session = Session::new(config.clone()).unwrap();
            let mut chunks = 0;
            let mut watch = |progress: Progress<'_>| {
                chunks += usize::from(matches!(progress, Progress::Chunk(_)));
                if chunks == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            assert_eq!(session.run(2, &[], &mut watch), Err(TrainError::Cancelled));
            let games = session.games();
            assert!(games > 0 && games < all);
            let mut restored = Session::from_checkpoint(&session.checkpoint().unwrap()).unwrap();
            assert_eq!(restored.games(), games);
            restored.run(1, &[], &mut watch_nothing).unwrap();
            assert!(restored.is_done() && restored.net_bytes().unwrap() == whole);
            // The stopped session itself can go on, too.
            session.run(3, &[], &mut watch_nothing).unwrap();
            assert!(session.net_bytes().unwrap() == whole);
        }
    }

    /// Chunks of a hundred thousand games would take a minute: a break is answered in the middle of one.
    #[test]
    fn a_break_while_playing_is_answered_before_the_chunk_ends() {
        let chunk = 100_000;
        let config = Config { games: 1_000_000, chunk_first: chunk, chunk_last: chunk, ..tiny() };
        let mut session = Session::new(config).unwrap();
        let mut told = Vec::new();
        let mut watch = |progress: Progress<'_>| {
            if let Progress::Games(games) = progress {
                told.push(games);
            }
            if told.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(session.run(2, &[], &mut watch), Err(TrainError::Cancelled));
        assert_eq!((told.len(), session.games()), (3, 0), "nothing was told or learned after the break");
        assert!(told.is_sorted() && told[2] < chunk, "{told:?}");
    }

    #[test]
    fn a_break_while_learning_is_answered_at_once_and_undoes_the_lesson() {
        let mut session = Session::new(Config { games: 1_000, hidden: 512, ..tiny() }).unwrap();
        let player = Player::new(&session.player);
        let chunk = session.step(2, &player, None, 0, 40, &mut watch_nothing).played.unwrap();
        let before = session.model.weights.clone();
        for threads in [1, 2] {
            let begun = Instant::now();
            let mut stop = |_: Progress<'_>| ControlFlow::Break(());
            let step = session.step(threads, &player, Some(&chunk), 40, 0, &mut stop);
            assert!(step.learned.is_none() && step.played.is_none());
            assert!(session.model.weights == before);
            assert!(begun.elapsed() < Duration::from_millis(500));
        }
        // Not stopped, it is a lesson of more than one look at the watcher.
        let begun = Instant::now();
        let step = session.step(1, &player, Some(&chunk), 40, 0, &mut watch_nothing);
        assert!(step.learned.is_some() && session.model.weights != before);
        assert!(begun.elapsed() > 2 * crate::parallel::TICK);
    }

    #[test]
    fn a_training_that_diverges_says_so_and_keeps_its_last_checkpoint() {
        // One game a chunk and a batch: wild steps.
        let wild = Config { rate_first: 1.0, rate_last: 1.0, games: 100_000, ..tiny() };
        let mut session = Session::new(wild).unwrap();
        session.model.weights.values[0] = 3e38;
        assert!(matches!(session.run(1, &[], &mut watch_nothing), Err(TrainError::Diverged(_))));
        assert!(session.net_bytes().is_err() && session.checkpoint().is_err());
        let path = std::env::temp_dir().join(format!("gammon-diverged-{}", std::process::id()));
        std::fs::write(&path, b"the last good one").unwrap();
        let error = session.save(&path).unwrap_err().to_string();
        assert!(error.contains("diverged"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"the last good one");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn reports_add_up() {
        let mut session = Session::new(tiny()).unwrap();
        session.report_every = 20;
        let reference = [(Position::START, Probs { win: 0.525, ..Probs::default() })];
        let (mut reports, mut last) = (0, 0);
        let mut watch = |progress: Progress<'_>| {
            if let Progress::Report(report) = progress {
                assert!(report.games >= last + 20 || report.games == 60);
                assert!((report.outcomes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(report.loss > 0.0 && report.error.unwrap() >= 0.0);
                (reports, last) = (reports + 1, report.games);
            }
            ControlFlow::Continue(())
        };
        session.run(1, &reference, &mut watch).unwrap();
        assert!(reports >= 2 && last == 60);
    }
}
