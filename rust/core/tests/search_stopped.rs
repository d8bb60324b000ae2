//! Whoever wants a search to stop does not wait: looks at the watcher are bounded by time and by evaluations.

mod players;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use gammon_core::cube::CubeLife;
use gammon_core::eval::{EvalError, Evaluator};
use gammon_core::parallel::TICK;
use gammon_core::search::{CubeUse, Filter, Prefilter, Search, SearchError};
use gammon_core::{MatchState, Position, Probs, Roll};
use players::Plain;

/// Plays as [`Plain`], takes so long for every batch, and counts them.
struct Slow {
    pause: Duration,
    batches: AtomicUsize,
}

impl Slow {
    fn new(pause: Duration) -> Slow {
        Slow { pause, batches: AtomicUsize::new(0) }
    }

    fn batches(&self) -> usize {
        self.batches.load(Ordering::Relaxed)
    }
}

impl Evaluator for Slow {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        sleep(self.pause);
        Plain.evaluate(positions, out)
    }

    fn id(&self) -> &str {
        "slow"
    }
}

/// The watcher of a search.
type Watch<'a> = dyn FnMut(usize) -> ControlFlow<()> + 'a;

/// Everything that can be asked of a search, by name, whatever comes of it.
type Asked = (&'static str, fn(&Search<'_>, &mut Watch<'_>) -> Option<SearchError>);

const START: Position = Position::START;

fn roll() -> Roll {
    Roll::new(4, 3).unwrap()
}

const ALL: [Asked; 7] = [
    ("rank", |search, watch| search.rank(&START, roll(), None, watch).err()),
    ("rank many", |search, watch| search.rank_many(&[(START, roll()); 600], None, watch).err()),
    ("rank at scores", |search, watch| {
        let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
        search.rank_at_scores(&START, roll(), &[cube], None, watch).err()
    }),
    ("evaluate", |search, watch| search.evaluate(&[START], None, watch).err()),
    ("evaluate many", |search, watch| search.evaluate(&players::positions(), None, watch).err()),
    ("decide", |search, watch| {
        let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
        Search { cube: Some(&cube), ..*search }.decide_cubes(&[START], None, watch).err()
    }),
    ("rank a few", |search, watch| search.rank_many(&[(START, roll()); 2], None, watch).err()),
];

/// A batch that takes longer than it is between two looks is followed by one, whatever part of the search it ends.
#[test]
fn after_a_long_batch_no_other_is_begun() {
    for (name, ask) in ALL {
        for plies in 0..=3 {
            let evaluator = Slow::new(TICK + Duration::from_millis(5));
            let search = Search { plies, filter: Filter::ALL, ..Search::new(&evaluator) };
            let mut looks = 0;
            let found = ask(&search, &mut |_| {
                looks += 1;
                ControlFlow::Break(())
            });
            assert!(matches!(found, Some(SearchError::Cancelled(_))), "{name} at {plies}: {found:?}");
            assert_eq!((looks, evaluator.batches()), (1, 1), "{name} at {plies}");
        }
    }
}

/// Those of the pre-filter are batches like others.
#[test]
fn a_pre_filter_is_watched_too() {
    for (name, ask) in &ALL[..3] {
        let quick = Slow::new(TICK + Duration::from_millis(5));
        let prefilter = Some(Prefilter::new(&quick));
        let search = Search { plies: 2, prefilter, ..Search::new(&Plain) };
        let found = ask(&search, &mut |_| ControlFlow::Break(()));
        assert!(matches!(found, Some(SearchError::Cancelled(_))), "{name}: {found:?}");
        assert_eq!(quick.batches(), 1, "{name}");
    }
}

/// Short batches are looked up from before long: within a tick no more of them fit than each takes of it.
#[test]
fn short_batches_are_looked_up_from_before_long() {
    let pause = Duration::from_millis(2);
    let within_a_tick = (TICK.as_millis() / pause.as_millis()) as usize;
    for (name, ask) in [ALL[0], ALL[1], ALL[4]] {
        for threads in [1, 2] {
            let evaluator = Slow::new(pause);
            let search = Search { plies: 2, filter: Filter::ALL, threads, ..Search::new(&evaluator) };
            // Somebody wants to stop when so many batches have been looked at.
            let wanted = 40;
            let found = ask(&search, &mut |_| match evaluator.batches() >= wanted {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            assert!(matches!(found, Some(SearchError::Cancelled(_))), "{name}: {found:?}");
            let late = evaluator.batches() - wanted;
            assert!(late <= threads * (within_a_tick + 2), "{name}: {late} batches later");
        }
    }
}
