use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::*;
use crate::eval::Evaluator;
use crate::nn::{FeatureSet, Net};
use crate::outcome::Probs;
use crate::position::Position;
use crate::train::model::Model;

fn judges() -> Judges {
    let parts = Model::new(FeatureSet::Core, 64, 1).quantised(1, "").unwrap();
    let net: Arc<dyn Evaluator> = Arc::new(Net::from_parts(&parts));
    Judges { strong: net.clone(), quick: net }
}

/// Few games, most of them late in the game, looked at without looking ahead.
fn config() -> LabelConfig {
    LabelConfig { games: 23, keep: 0.3, many: 1.0, few: 0.0, plies: 0, ..LabelConfig::default() }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gammon-labelling-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A labelling in parts of ten games.
fn open(path: &Path, config: LabelConfig, judges: Judges) -> Result<Labelling, DataError> {
    let recipe = config.recipe("strong", "quick");
    let mut labelling = Labelling::open(path, config, judges, recipe)?;
    labelling.part_games = 10;
    Ok(labelling)
}

fn go_on(_: LabelProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn whole(path: &Path, threads: usize) -> Vec<u8> {
    let mut labelling = open(path, config(), judges()).unwrap();
    labelling.run(threads, &mut go_on).unwrap();
    assert!(labelling.is_done());
    assert_eq!(labelling.progress().games, 23);
    std::fs::read(path).unwrap()
}

#[test]
fn what_lies_in_the_way_is_left_alone() {
    let folder = folder("in-the-way");
    let (path, beside) = (folder.join("x.data"), folder.join("x.data.part"));
    let other = Data { recipe: "other = 1\n".to_owned(), records: Vec::new(), games: 0 };
    for foreign in [b"precious".to_vec(), b"G".to_vec(), other.to_bytes().unwrap()] {
        std::fs::write(&beside, &foreign).unwrap();
        let error = open(&path, config(), judges()).err().unwrap();
        assert!(matches!(&error, DataError::InTheWay { path } if *path == beside), "{error}");
        assert!(error.to_string().contains("x.data.part"), "{error}");
        assert_eq!(std::fs::read(&beside).unwrap(), foreign);
    }
    std::fs::write(&beside, b"").unwrap(); // a process was killed before it wrote the first byte
    assert!(open(&path, config(), judges()).is_ok());
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = folder("threads");
    let one = whole(&folder.join("1"), 1);
    for threads in [2, 3] {
        assert!(whole(&folder.join(threads.to_string()), threads) == one, "{threads} threads");
    }
    let data = Data::from_bytes(&one).unwrap();
    assert_eq!(data.games, 23);
    // Game by game as a labeller gives them.
    let (config, judges) = (config(), judges());
    let (mut labeller, mut records) = (Labeller::new(&config, &judges), Vec::new());
    (0..23).for_each(|game| labeller.play(game, &mut records).unwrap());
    assert!(data.records == records && records.len() > 50);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing is left beside the files");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// An evaluator that takes its time: interruptions come in the middle of a part.
struct Slow(Arc<dyn Evaluator>, AtomicU64);

impl Evaluator for Slow {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(1));
        self.0.evaluate(positions, out)
    }

    fn id(&self) -> &str {
        "slow"
    }
}

#[test]
fn an_interruption_loses_little_and_changes_no_byte() {
    let folder = folder("interrupted");
    let expected = whole(&folder.join("whole"), 1);
    let path = folder.join("broken");
    let slow = || Judges { quick: Arc::new(Slow(judges().quick, AtomicU64::new(0))), ..judges() };
    let (mut breaks, mut last) = (0, 0);
    loop {
        let mut labelling = open(&path, config(), slow()).unwrap();
        let begun = labelling.progress();
        assert_eq!(begun.games, last, "all games done are kept");
        let mut stop_at_the_next = |progress: LabelProgress| {
            assert!(progress.games >= begun.games);
            if progress.games > begun.games + 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let found = labelling.run(2, &mut stop_at_the_next);
        last = labelling.progress().games;
        if found.is_ok() {
            break;
        }
        assert!(matches!(found, Err(LabelError::Cancelled)));
        breaks += 1;
        if breaks == 2 {
            // The same labelling can go on, too; what lay in the neighbouring file is not taken twice.
            labelling.run(1, &mut go_on).unwrap();
            break;
        }
    }
    assert!(breaks > 0);
    assert!(std::fs::read(&path).unwrap() == expected);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside the files");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Copies of both files taken while it runs are what a killed process leaves.
#[test]
fn a_killed_process_leaves_files_that_are_continued() {
    let folder = folder("killed");
    let expected = whole(&folder.join("whole"), 1);
    let path = folder.join("running");
    let slow = Judges { quick: Arc::new(Slow(judges().quick, AtomicU64::new(0))), ..judges() };
    let mut labelling = open(&path, config(), slow).unwrap();
    labelling.save_every = Duration::ZERO;
    let mut copies = 0;
    let neighbour = |path: &Path| path.with_extension("part");
    let mut copy = |progress: LabelProgress| {
        if progress.games > 4 * copies && neighbour(&path).exists() {
            copies += 1;
            let copy = folder.join(format!("copy{copies}"));
            // In this order a process may have been killed between the two.
            std::fs::copy(neighbour(&path), neighbour(&copy)).unwrap();
            std::fs::copy(&path, &copy).unwrap();
        }
        ControlFlow::Continue(())
    };
    labelling.run(1, &mut copy).unwrap();
    assert!(copies >= 2, "{copies}");
    let mut taken_up = 0;
    for number in 1..=copies {
        let path = folder.join(format!("copy{number}"));
        let in_parts = DataFile::open(&path, &config().recipe("strong", "quick")).unwrap().games();
        let mut labelling = open(&path, config(), judges()).unwrap();
        taken_up += labelling.progress().games - in_parts;
        labelling.run(2, &mut go_on).unwrap();
        assert!(std::fs::read(&path).unwrap() == expected, "{number}");
        assert!(!neighbour(&path).exists());
    }
    assert!(taken_up > 0);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A look-ahead of three plies with a slow evaluator takes minutes: a break is answered within it.
#[test]
fn a_break_is_answered_at_once() {
    let folder = folder("at-once");
    let slow = Judges { strong: Arc::new(Slow(judges().strong, AtomicU64::new(0))), ..judges() };
    let config = LabelConfig { keep: 1.0, plies: 3, few: 0.0, many: 0.0, scattered: 0.0, ..config() };
    for threads in [1, 2] {
        let path = folder.join(threads.to_string());
        let mut labelling = open(&path, config.clone(), slow.clone()).unwrap();
        let (mut looks, mut broken) = (0, Instant::now());
        let mut third = |_: LabelProgress| {
            (looks, broken) = (looks + 1, Instant::now());
            if looks == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let found = labelling.run(threads, &mut third);
        let answered = broken.elapsed();
        assert!(matches!(found, Err(LabelError::Cancelled)));
        assert!(answered < Duration::from_millis(500), "{answered:?}"); // 0.2 s where the machine is idle
        assert_eq!((looks, labelling.progress().games), (3, 0));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_failing_evaluator_and_other_settings_are_errors() {
    struct Broken(AtomicU64);
    impl Evaluator for Broken {
        fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
            out.fill(Probs { win: 0.5, ..Probs::default() });
            match self.0.fetch_add(1, Ordering::Relaxed) {
                200 => Err(EvalError::Uncovered(positions[0])),
                _ => Ok(()),
            }
        }

        fn id(&self) -> &str {
            "broken"
        }
    }
    let folder = folder("errors");
    let path = folder.join("x");
    let broken = Judges { quick: Arc::new(Broken(AtomicU64::new(0))), ..judges() };
    let found = open(&path, config(), broken).unwrap().run(2, &mut go_on);
    assert!(matches!(found, Err(LabelError::Evaluator(EvalError::Uncovered(_)))), "{found:?}");
    let other = LabelConfig { keep: 0.5, ..config() };
    let error = open(&path, other, judges()).err().unwrap().to_string();
    assert!(error.contains("`keep = 0.3`, asked for is `keep = 0.5`"), "{error}");
    std::fs::write(&path, b"somebody's letters").unwrap();
    assert!(matches!(open(&path, config(), judges()), Err(DataError::NotData)));
    assert_eq!(std::fs::read(&path).unwrap(), b"somebody's letters");
    std::fs::remove_dir_all(&folder).unwrap();
}
