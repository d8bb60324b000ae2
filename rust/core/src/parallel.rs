//! Threads started for one call, and the way a long call is watched and stopped.
//!
//! Work is cut into numbered blocks that do not depend on the number of threads; results come back in
//! block order, so any thread count gives the same bits. The calling thread works too: with one thread
//! nothing is started at all, and nothing outlives the call.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The call was stopped by its watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped before the work was done")
    }
}

impl std::error::Error for Cancelled {}

/// Told about progress by the calling thread, about every [`TICK`]; breaking stops the work, and then it
/// is not called again.
///
/// Blocks should take well under a tenth of a second, so that a stop is answered quickly.
pub type Watch<'a> = dyn FnMut(usize) -> ControlFlow<()> + 'a;

/// Least time between two looks at the watcher.
pub const TICK: Duration = Duration::from_millis(50);

/// A watcher of work in several parts, of which some may be over before they look at it themselves, and some
/// not look at all.
///
/// Between the parts it is asked no more often than every so often, whoever asked last; once it broke it is not
/// asked again. A part that keeps the time itself (a run of blocks, a batch of evaluations) begins anew to count it, so
/// two looks may be nearly twice as far apart; and batches of evaluations look every [`TICK`] whatever is wanted here.
pub(crate) struct Lookout<'w> {
    watch: &'w mut Watch<'w>,
    every: Duration,
    looked: Instant,
    /// What the watcher is told, whatever a part says of itself.
    told: Option<usize>,
    stopped: bool,
}

impl<'w> Lookout<'w> {
    /// A look every [`TICK`].
    pub(crate) fn new(watch: &'w mut Watch<'w>) -> Lookout<'w> {
        Lookout { watch, every: TICK, looked: Instant::now(), told: None, stopped: false }
    }

    /// The same with a look every so often: for watchers that cost nothing.
    pub(crate) fn every(self, every: Duration) -> Lookout<'w> {
        Lookout { every, ..self }
    }

    /// From now on the watcher is told that so much is done of the whole, whatever the parts say of themselves.
    pub(crate) fn tell(&mut self, done: usize) {
        self.told = Some(done);
    }

    /// As [`run_blocks`], looked at as often as this lookout wants.
    ///
    /// What the watcher is told is up to `done`, which is given the blocks that are. A stop at the last look leaves all
    /// blocks complete and is none of the run's: [`Lookout::look`] afterwards tells of it.
    pub(crate) fn run_blocks<W, T: Send>(
        &mut self,
        threads: usize,
        blocks: usize,
        done: impl Fn(usize) -> usize,
        workspace: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, usize) -> T + Sync,
    ) -> Blocks<T> {
        run_blocks_every(self.every, threads, blocks, &mut |blocks| self.ask(done(blocks)), workspace, work)
    }

    /// Looks unless somebody looked a moment ago: to be called between parts.
    ///
    /// # Errors
    /// If the watcher breaks, or has done so.
    pub(crate) fn look(&mut self, done: usize) -> Result<(), Cancelled> {
        if self.looked.elapsed() >= self.every {
            let _ = self.ask(done);
        }
        if self.stopped { Err(Cancelled) } else { Ok(()) }
    }

    /// Asks at once: as the watcher of a part that keeps the time itself.
    pub(crate) fn ask(&mut self, done: usize) -> ControlFlow<()> {
        if !self.stopped {
            self.looked = Instant::now();
            self.stopped = (self.watch)(self.told.unwrap_or(done)).is_break();
        }
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A watcher that never stops anything.
pub fn unwatched(_done: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Threads started for each core at most, and in all however few cores there are. More only cost memory.
const THREADS_PER_CORE: usize = 4;
const ALWAYS_ALLOWED: usize = 16;

/// Cores this process may use, asked once: the answer takes the system some 20 microseconds.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// What a run of blocks produced: the results of blocks 0 to `results.len()`, all of them or, after
/// a stop, the longest complete prefix.
#[derive(Debug)]
pub struct Blocks<T> {
    /// Results in block order.
    pub results: Vec<T>,
    /// Whether the watcher stopped the run.
    pub cancelled: bool,
}

impl<T> Blocks<T> {
    /// All results, or the error if the run was stopped.
    ///
    /// # Errors
    /// [`Cancelled`] after a stop.
    pub fn complete(self) -> Result<Vec<T>, Cancelled> {
        if self.cancelled { Err(Cancelled) } else { Ok(self.results) }
    }
}

/// Runs `work(workspace, block)` for blocks `0..blocks` on `threads` threads.
///
/// On fewer if there are not as many blocks, if that were far more than there are cores, or if the system
/// will not start another.
///
/// Each thread makes one `workspace` and keeps it for all its blocks. Blocks are taken in order, so
/// after a stop the finished blocks are a prefix but for at most one block a thread; those past the
/// first gap are dropped.
///
/// # Panics
/// If `work` or `watch` panics, once all threads have ended: no new block is begun by then.
pub fn run_blocks<W, T: Send>(
    threads: usize,
    blocks: usize,
    watch: &mut Watch<'_>,
    workspace: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
) -> Blocks<T> {
    run_blocks_every(TICK, threads, blocks, watch, workspace, work)
}

/// As [`run_blocks`], with so much time between two looks at the watcher.
fn run_blocks_every<W, T: Send>(
    every: Duration,
    threads: usize,
    blocks: usize,
    watch: &mut Watch<'_>,
    workspace: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
) -> Blocks<T> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let most = ALWAYS_ALLOWED.max(THREADS_PER_CORE * cores());
    let helpers = threads.min(blocks).min(most).saturating_sub(1);
    let running = AtomicUsize::new(helpers);
    let collected: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());

    let take = |space: &mut W, local: &mut Vec<(usize, T)>| -> bool {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let block = next.fetch_add(1, Ordering::Relaxed);
        if block >= blocks {
            return false;
        }
        local.push((block, work(space, block)));
        finished.fetch_add(1, Ordering::Relaxed);
        true
    };
    let hand_in = |local: Vec<(usize, T)>| {
        collected.lock().expect("no thread panics while holding this lock").extend(local);
    };

    std::thread::scope(|scope| {
        let help = || {
            let _leaving = Leaving { running: Some(&running), stop: &stop };
            let (mut space, mut local) = (workspace(), Vec::new());
            while take(&mut space, &mut local) {}
            hand_in(local);
        };
        for started in 0..helpers {
            if std::thread::Builder::new().spawn_scoped(scope, help).is_err() {
                // Those that run, at least the caller, do it all.
                running.fetch_sub(helpers - started, Ordering::Release);
                break;
            }
        }
        // Unwinding out of the scope waits for the helpers, which must not go on for long.
        let _leaving = Leaving { running: None, stop: &stop };
        let (mut space, mut local) = (workspace(), Vec::new());
        let mut last = Instant::now();
        let mut working = true;
        while working || running.load(Ordering::Acquire) > 0 {
            working = working && take(&mut space, &mut local);
            if !working && running.load(Ordering::Acquire) > 0 {
                // The others are still busy: wait without spinning, but stay responsive.
                std::thread::sleep(Duration::from_micros(20));
            }
            if !stop.load(Ordering::Relaxed) && last.elapsed() >= every {
                last = Instant::now();
                if watch(finished.load(Ordering::Relaxed)).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        hand_in(local);
    });

    let mut pairs = collected.into_inner().expect("no thread panics while holding this lock");
    pairs.sort_unstable_by_key(|&(block, _)| block);
    let prefix = pairs.iter().enumerate().take_while(|(i, (block, _))| i == block).count();
    let results: Vec<T> = pairs.into_iter().take(prefix).map(|(_, result)| result).collect();
    Blocks { cancelled: results.len() < blocks, results }
}

/// Stops all other threads if its own panics, and counts a helper out however it ends.
struct Leaving<'a> {
    /// Helpers still running; none for the calling thread, which is not counted.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_block_order_for_any_thread_count() {
        for threads in [1, 2, 5] {
            let squares = run_blocks(threads, 100, &mut unwatched, || (), |(), block| block * block)
                .complete()
                .unwrap();
            assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
        }
        assert_eq!(run_blocks(3, 0, &mut unwatched, || (), |(), block| block).complete(), Ok(vec![]));
    }

    #[test]
    fn a_stop_leaves_a_prefix() {
        for threads in [1, 3] {
            let mut ticks = 0;
            let mut watch = |_: usize| {
                ticks += 1;
                if ticks == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let slow = |(): &mut (), block: usize| {
                std::thread::sleep(Duration::from_millis(5));
                block
            };
            let run = run_blocks(threads, 10_000, &mut watch, || (), slow);
            assert!(run.cancelled && run.results.len() < 1_000);
            assert!(run.results.iter().enumerate().all(|(i, &block)| i == block));
        }
    }

    #[test]
    fn a_panic_in_a_helper_reaches_the_caller() {
        let run = std::panic::catch_unwind(|| {
            run_blocks(
                2,
                100,
                &mut unwatched,
                || (),
                |(), block| {
                    std::thread::sleep(Duration::from_millis(1));
                    assert!(block != 50, "deliberate");
                },
            )
        });
        assert!(run.is_err());
    }

    /// A thousand blocks a thread would take seconds; a few are begun before the others notice.
    #[test]
    fn a_panic_on_the_calling_thread_stops_the_helpers() {
        let caller = std::thread::current().id();
        for watcher_panics in [true, false] {
            let begun = AtomicUsize::new(0);
            let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut watch = |_: usize| -> ControlFlow<()> {
                    assert!(!watcher_panics, "deliberate");
                    ControlFlow::Continue(())
                };
                let work = |(): &mut (), _: usize| {
                    begun.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                    assert!(watcher_panics || std::thread::current().id() != caller, "deliberate");
                };
                run_blocks(3, 3_000, &mut watch, || (), work)
            }));
            assert!(run.is_err());
            assert!(begun.load(Ordering::Relaxed) < 2_000, "{begun:?} blocks begun");
        }
    }
}
