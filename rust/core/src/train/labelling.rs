//! Making training data: the games of a config, labelled side by side, into a file that is continued.
//!
//! ```text
//! OUT        parts of PART games, written when all of a part is there: the same bytes whatever
//!            interrupted it and on however many threads
//! OUT.part   the games done of the part under way, added to now and then; gone when the part is whole
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::eval::EvalError;
use crate::parallel::{Cancelled, TICK, run_blocks};
use crate::train::data::{Data, DataFile, Record};
use crate::train::data_error::DataError;
use crate::train::label::{Judges, Labeller};
use crate::train::label_config::LabelConfig;

/// Games of a part.
const PART: u64 = 4_000;

/// Most of the time that can be lost when a process is killed.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Why a labelling ended early. What was done by then is kept.
#[derive(Debug)]
pub enum LabelError {
    /// The watcher broke.
    Cancelled,
    /// An evaluator failed.
    Evaluator(EvalError),
    /// The file cannot be continued or written.
    Data(DataError),
}

impl std::fmt::Display for LabelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LabelError::Cancelled => Cancelled.fmt(f),
            LabelError::Evaluator(error) => error.fmt(f),
            LabelError::Data(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabelError {}

impl From<DataError> for LabelError {
    fn from(error: DataError) -> LabelError {
        LabelError::Data(error)
    }
}

/// How far a labelling is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelProgress {
    /// Games done.
    pub games: u64,
    /// Positions they gave.
    pub positions: u64,
}

/// Told about the progress of a labelling some twenty times a second; breaking stops it.
pub type LabelWatch<'a> = dyn FnMut(LabelProgress) -> ControlFlow<()> + 'a;

/// A file of training data being made.
pub struct Labelling {
    config: LabelConfig,
    judges: Judges,
    recipe: String,
    file: DataFile,
    path: PathBuf,
    part: Part,
    part_games: u64,
    save_every: Duration,
}

/// The games done of the part under way, from its first on without a gap.
#[derive(Default)]
struct Part {
    games: u64,
    records: Vec<Record>,
    /// Those that are kept in the neighbouring file.
    kept: Option<(DataFile, usize)>,
}

/// Games that are done, but not all before them.
type Early = BTreeMap<u64, Vec<Record>>;

impl Labelling {
    /// Begins a file, or continues one that was begun with the same `recipe`; see [`LabelConfig::recipe`].
    ///
    /// # Errors
    /// If the file or the one beside it is something else, is being made by someone else, or cannot be written.
    pub fn open(
        path: &Path,
        config: LabelConfig,
        judges: Judges,
        recipe: String,
    ) -> Result<Labelling, DataError> {
        let file = DataFile::open(path, &recipe)?;
        let (path, part) = (path.to_owned(), Part::default());
        let mut labelling =
            Labelling { config, judges, recipe, file, path, part, part_games: PART, save_every: SAVE_EVERY };
        labelling.take_up()?;
        Ok(labelling)
    }

    /// How far it is.
    pub fn progress(&self) -> LabelProgress {
        LabelProgress {
            games: self.file.games() + self.part.games,
            positions: self.file.records() + self.part.records.len() as u64,
        }
    }

    /// Whether all games are in the file.
    pub fn is_done(&self) -> bool {
        self.file.games() >= self.config.games
    }

    /// Labels until all games are in the file or the watcher breaks; the games done by then are kept.
    ///
    /// # Errors
    /// If the watcher broke, an evaluator failed, or the file cannot be written.
    pub fn run(&mut self, threads: usize, watch: &mut LabelWatch<'_>) -> Result<(), LabelError> {
        while !self.is_done() {
            let games = self.part_games.min(self.config.games - self.file.games());
            let done = if self.part.games < games { self.games(games, threads, watch) } else { Ok(()) };
            if let Err(error) = done {
                // The first error is the one to report.
                let _ = self.keep();
                return Err(error);
            }
            self.file.append(games as u32, &self.part.records)?;
            if std::mem::take(&mut self.part).kept.is_some() {
                std::fs::remove_file(self.neighbour()).map_err(DataError::Io)?;
            }
        }
        Ok(())
    }

    /// Labels the games of the part under way that are not done yet.
    fn games(&mut self, games: u64, threads: usize, watch: &mut LabelWatch<'_>) -> Result<(), LabelError> {
        let start = self.file.games() + self.part.games;
        let blocks = (games - self.part.games) as usize;
        let (config, judges) = (self.config.clone(), self.judges.clone());
        let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let (early, failure) = (Mutex::new(Early::new()), Mutex::new(None));
        let work = |labeller: &mut Labeller<'_>, block: usize| {
            let (game, mut records) = (start + block as u64, Vec::new());
            let played = labeller.play(game, &mut records);
            // Told to stop, it came back before the game was over.
            if stop.load(Ordering::Relaxed) {
                return;
            }
            match played {
                Ok(()) => drop(early.lock().expect("nobody panics holding it").insert(game, records)),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure.lock().expect("nobody panics holding it").get_or_insert(error);
                }
            }
        };
        let caller = thread::current();
        let all = || {
            let _over = AtEnd(|| {
                over.store(true, Ordering::Release);
                caller.unpark();
            });
            let mut tick = |_: usize| match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let labeller = || Labeller::new(&config, &judges).stopped_by(&stop);
            run_blocks(threads, blocks, &mut tick, labeller, work);
        };
        // Games take seconds with deep look-ahead, so the calling thread only watches.
        let watched = thread::scope(|scope| {
            thread::Builder::new().spawn_scoped(scope, all).map_err(DataError::Io)?;
            let _stop = AtEnd(|| stop.store(true, Ordering::Relaxed));
            let mut saved = Instant::now();
            while !over.load(Ordering::Acquire) {
                thread::park_timeout(TICK);
                self.collect(&early);
                if watch(self.progress()).is_break() {
                    return Err(LabelError::Cancelled);
                }
                if saved.elapsed() >= self.save_every {
                    self.keep()?;
                    saved = Instant::now();
                }
            }
            Ok(())
        });
        self.collect(&early);
        match failure.into_inner().expect("nobody panics holding it") {
            Some(error) => Err(LabelError::Evaluator(error)),
            None => watched,
        }
    }

    /// Takes over the games that are done up to the first that is not.
    fn collect(&mut self, early: &Mutex<Early>) {
        let mut early = early.lock().expect("nobody panics holding it");
        while let Some(records) = early.remove(&(self.file.games() + self.part.games)) {
            self.part.records.extend(records);
            self.part.games += 1;
        }
    }

    /// Where the games of the part under way are kept.
    fn neighbour(&self) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(".part");
        name.into()
    }

    /// What the neighbouring file calls its own recipe: it belongs to this part alone.
    fn neighbour_recipe(&self) -> String {
        format!("{}# after {} games\n", self.recipe, self.file.games())
    }

    /// Takes over what the neighbouring file kept of this part. What it has of another is worth nothing, but
    /// what was not made here is left alone.
    fn take_up(&mut self) -> Result<(), DataError> {
        let most = self.part_games.min(self.config.games.saturating_sub(self.file.games()));
        let path = self.neighbour();
        let data = match Data::read(&path) {
            Ok(data) if data.recipe.starts_with(&self.recipe) => data,
            Err(DataError::Io(error)) if error.kind() == ErrorKind::NotFound => return Ok(()),
            // Damaged, or of a process killed before all of its head was written.
            Err(DataError::Damaged { .. } | DataError::Record { .. }) => return Ok(()),
            Err(_) if std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) => return Ok(()),
            _ => return Err(DataError::InTheWay { path }),
        };
        if data.recipe == self.neighbour_recipe() && data.games <= most {
            let file = DataFile::open(&self.neighbour(), &data.recipe).ok();
            let kept = file.map(|file| (file, data.records.len()));
            self.part = Part { games: data.games, records: data.records, kept };
        } else {
            // Of a part that is whole: the process was killed before it could remove it, or so it will be.
            let _ = std::fs::remove_file(self.neighbour());
        }
        Ok(())
    }

    /// Keeps the games of the part under way in the neighbouring file.
    fn keep(&mut self) -> Result<(), DataError> {
        let (path, recipe) = (self.neighbour(), self.neighbour_recipe());
        let Part { games, records, kept } = &mut self.part;
        if kept.is_none() && *games > 0 {
            std::fs::write(&path, b"")?;
            *kept = Some((DataFile::open(&path, &recipe)?, 0));
        }
        if let Some((file, count)) = kept
            && *games > file.games()
        {
            file.append((*games - file.games()) as u32, &records[*count..])?;
            *count = records.len();
        }
        Ok(())
    }
}

/// Does something when its scope is left, however that happens.
struct AtEnd<F: Fn()>(F);

impl<F: Fn()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
#[path = "labelling_tests.rs"]
mod tests;
