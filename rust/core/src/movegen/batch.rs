//! Expanding many (position, roll) pairs into rows of bytes.

use std::sync::{Mutex, RwLock};
use std::time::Instant;

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::memory::{OutOfMemory, advise_huge_pages, reserve};
use crate::parallel::{Cancelled, TICK, Watch, run_blocks};
use crate::position::Position;
use crate::rows::{self, ROW_BYTES};
use crate::rules::Rules;

/// Pairs in a block: some twenty microseconds of work, and results (280 kB) that stay in the second-level
/// cache.
const BLOCK: usize = 256;

/// Results of a roll on average, to guess the size of the output; a wrong guess costs a reallocation.
const EXPECTED_RESULTS: usize = 24;

/// Most bytes asked for on a guess alone; results that need more grow into it.
const LARGEST_GUESS: usize = 1 << 30;

/// Unused memory below this is not given back: it has never been touched, so that it costs addresses, and
/// what it costs to get it anew for every call has made small ones five times slower.
const WASTE: usize = 64 << 20;

/// Results of many rolls: those of pair `i` are the rows `offsets[i]..offsets[i + 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Positions after each play, the opponent on roll, [`ROW_BYTES`] each (see [`rows`]).
    pub rows: Vec<u8>,
    /// Numbers of rows, rising from 0 to their total; one more than there are pairs.
    pub offsets: Vec<i64>,
}

/// Why [`expand`] has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpandError {
    /// The watcher stopped it.
    Cancelled(Cancelled),
    /// There is no memory for the results.
    OutOfMemory(OutOfMemory),
}

impl std::fmt::Display for ExpandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExpandError::Cancelled(error) => error.fmt(f),
            ExpandError::OutOfMemory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExpandError {}

impl From<Cancelled> for ExpandError {
    fn from(error: Cancelled) -> ExpandError {
        ExpandError::Cancelled(error)
    }
}

impl From<OutOfMemory> for ExpandError {
    fn from(error: OutOfMemory) -> ExpandError {
        ExpandError::OutOfMemory(error)
    }
}

/// All distinct results of each roll in its position.
///
/// The same bytes for any number of threads. A roll that cannot be played has one result, the
/// position handed over.
///
/// # Errors
/// If the watcher stops it, or the results do not fit into memory.
///
/// # Panics
/// If there are not as many positions as rolls.
pub fn expand<R: Rules>(
    positions: &[Position],
    rolls: &[Roll],
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Expansion, ExpandError> {
    assert_eq!(positions.len(), rolls.len(), "a roll for every position");
    let blocks = positions.len().div_ceil(BLOCK);
    if threads <= 1 || blocks <= 1 {
        return expand_here::<R>(positions, rolls, watch);
    }
    let output = Output::new(first_guess(positions.len()))?;
    let counts = run_blocks(threads.max(1), blocks, watch, Workspace::default, |space, block| {
        let place = output.place(block);
        let pairs = block * BLOCK..positions.len().min((block + 1) * BLOCK);
        space.rows.clear();
        if output.is_broken() {
            return Vec::new();
        }
        let mut counts = Vec::with_capacity(pairs.len());
        for (position, &roll) in positions[pairs.clone()].iter().zip(&rolls[pairs]) {
            plays::<R>(position, roll, &mut space.buf);
            rows::write(space.buf.positions(), &mut space.rows);
            counts.push(space.buf.positions().len() as i64);
        }
        place.fill(&space.rows);
        counts
    })
    .complete()?;
    let mut rows = output.into_rows()?;
    give_back(&mut rows);
    let mut offsets = Vec::new();
    reserve(&mut offsets, positions.len() + 1)?;
    offsets.push(0);
    let mut total = 0;
    for count in counts.iter().flatten() {
        total += count;
        offsets.push(total);
    }
    Ok(Expansion { rows, offsets })
}

/// Bytes to begin with for the results of so many pairs.
fn first_guess(pairs: usize) -> usize {
    pairs.saturating_mul(EXPECTED_RESULTS * ROW_BYTES).min(LARGEST_GUESS)
}

/// Lets go of memory that a wrong guess has left over: the results may be kept for long.
fn give_back(rows: &mut Vec<u8>) {
    if rows.capacity() - rows.len() > WASTE.max(rows.len() / 2) {
        rows.shrink_to_fit();
    }
}

/// [`expand`] on the calling thread alone: every result goes straight to its place.
fn expand_here<R: Rules>(
    positions: &[Position],
    rolls: &[Roll],
    watch: &mut Watch<'_>,
) -> Result<Expansion, ExpandError> {
    let mut buf = PlayBuf::new();
    let (mut rows, mut offsets) = (Vec::new(), Vec::new());
    reserve(&mut rows, first_guess(positions.len()))?;
    advise_huge_pages(&mut rows);
    reserve(&mut offsets, positions.len() + 1)?;
    offsets.push(0);
    let mut last = Instant::now();
    for (block, (positions, rolls)) in positions.chunks(BLOCK).zip(rolls.chunks(BLOCK)).enumerate() {
        for (position, &roll) in positions.iter().zip(rolls) {
            plays::<R>(position, roll, &mut buf);
            rows::try_write(buf.positions(), &mut rows)?;
            offsets.push((rows.len() / ROW_BYTES) as i64);
        }
        if last.elapsed() >= TICK {
            last = Instant::now();
            if watch(block).is_break() {
                return Err(Cancelled.into());
            }
        }
    }
    give_back(&mut rows);
    Ok(Expansion { rows, offsets })
}

/// What a thread keeps from block to block.
#[derive(Default)]
struct Workspace {
    buf: PlayBuf,
    rows: Vec<u8>,
}

/// Rows that blocks are appended to in the order of their numbers, each by the thread that made it.
///
/// A block's place is known as soon as all blocks before it are, so places are handed out under one
/// lock; the bytes are copied outside it, side by side. Only growing the memory keeps copies out.
struct Output {
    next: Mutex<Next>,
    memory: RwLock<Memory>,
}

struct Next {
    block: usize,
    length: usize,
    /// A block ended without filling its place, so those after it never get theirs.
    broken: bool,
    /// The growth that was refused, which is one way to break.
    refused: Option<OutOfMemory>,
}

impl Output {
    fn new(capacity: usize) -> Result<Output, OutOfMemory> {
        Ok(Output {
            next: Mutex::new(Next { block: 0, length: 0, broken: false, refused: None }),
            memory: RwLock::new(Memory::new(capacity)?),
        })
    }

    /// Whether it is no use to go on.
    fn is_broken(&self) -> bool {
        self.next.lock().unwrap_or_else(|e| e.into_inner()).broken
    }

    /// The place of block `block`, which must be filled.
    fn place(&self, block: usize) -> Place<'_> {
        Place { output: self, block }
    }

    /// All rows, once every block has filled its place or memory was refused.
    fn into_rows(self) -> Result<Vec<u8>, OutOfMemory> {
        let next = self.next.into_inner().unwrap_or_else(|e| e.into_inner());
        let memory = self.memory.into_inner().unwrap_or_else(|e| e.into_inner());
        if let Some(refused) = next.refused {
            return Err(refused);
        }
        // SAFETY: every block was appended, so all bytes up to `length` are written.
        Ok(unsafe { memory.into_bytes(next.length) })
    }
}

/// The place of one block, yet to be filled. Dropping it without doing so, because the thread panics,
/// lets go of all who would wait for it.
struct Place<'a> {
    output: &'a Output,
    block: usize,
}

impl Place<'_> {
    /// Waits until all blocks before this one have their places, then copies `rows` behind them; if there
    /// is no memory for them, this and all later blocks go without.
    fn fill(self, rows: &[u8]) {
        const UNBROKEN: &str = "no thread panics while holding this lock";
        let Output { next: state, memory } = self.output;
        let mut next = state.lock().expect(UNBROKEN);
        let mut looks = 0;
        while next.block != self.block && !next.broken {
            drop(next);
            pause(looks);
            looks += 1;
            next = state.lock().expect(UNBROKEN);
        }
        if next.broken {
            return;
        }
        let start = next.length;
        let end = start + rows.len();
        if memory.read().expect(UNBROKEN).capacity() < end
            && let Err(refused) = memory.write().expect(UNBROKEN).grow(start, end)
        {
            (next.broken, next.refused) = (true, Some(refused));
            return;
        }
        (next.length, next.block) = (end, next.block + 1);
        drop(next);
        let memory = memory.read().expect(UNBROKEN);
        // SAFETY: the memory has been grown to hold these bytes, no other block is given the same ones,
        // and growing waits for this read lock.
        unsafe { memory.write(start, rows) };
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.output.next.lock().unwrap_or_else(|e| e.into_inner()).broken = true;
        }
    }
}

/// Waits for another thread's block, which takes microseconds: falling asleep and being woken takes longer,
/// and made two threads slower than one. If the other thread is not running, it is let run.
fn pause(looks: u32) {
    const SPINS: u32 = 100;
    if looks < SPINS {
        (0..20).for_each(|_| std::hint::spin_loop());
    } else {
        std::thread::yield_now();
    }
}

/// Bytes that several threads write to in different places.
struct Memory {
    bytes: Vec<u8>,
    /// Start of `bytes`, taken from it mutably.
    base: *mut u8,
}

// SAFETY: `base` points into `bytes`, which is owned; what is written through it under a shared
// reference is disjoint by the promise of `write`.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(capacity: usize) -> Result<Memory, OutOfMemory> {
        let mut bytes = Vec::new();
        reserve(&mut bytes, capacity)?;
        advise_huge_pages(&mut bytes);
        Ok(Memory { base: bytes.as_mut_ptr(), bytes })
    }

    fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Makes room for `length` bytes, keeping the first `used`.
    fn grow(&mut self, used: usize, length: usize) -> Result<(), OutOfMemory> {
        let mut larger = Memory::new(length.max(2 * self.capacity()))?;
        // SAFETY: both hold at least `used` bytes and do not overlap. Some may not be written yet; they
        // are copied as they are.
        unsafe { std::ptr::copy_nonoverlapping(self.base, larger.base, used) };
        std::mem::swap(self, &mut larger);
        Ok(())
    }

    /// # Safety
    /// `start + bytes.len()` is within the capacity, and no other thread writes these places.
    unsafe fn write(&self, start: usize, bytes: &[u8]) {
        debug_assert!(start + bytes.len() <= self.capacity());
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(start), bytes.len()) };
    }

    /// # Safety
    /// The first `length` bytes are written.
    unsafe fn into_bytes(mut self, length: usize) -> Vec<u8> {
        // SAFETY: the caller's promise.
        unsafe { self.bytes.set_len(length) };
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::random_game;
    use crate::parallel::unwatched;
    use crate::rng::Stream;
    use crate::rules::Backgammon;
    use crate::testing::position;

    /// Positions and rolls of random games.
    fn pairs(games: u64) -> (Vec<Position>, Vec<Roll>) {
        let (mut positions, mut rolls) = (Vec::new(), Vec::new());
        let mut buf = PlayBuf::new();
        for trial in 0..games {
            random_game::<Backgammon>(Stream::new(9, trial), 10_000, &mut buf, |position, roll, _| {
                positions.push(*position);
                rolls.push(roll);
            });
        }
        (positions, rolls)
    }

    #[test]
    fn rows_are_the_plays_of_each_pair_in_order() {
        let (positions, rolls) = pairs(40);
        let one = expand::<Backgammon>(&positions, &rolls, 1, &mut unwatched).unwrap();
        assert_eq!(one.offsets.len(), positions.len() + 1);
        let results = rows::read(&one.rows).unwrap();
        let mut buf = PlayBuf::new();
        for (i, (position, &roll)) in positions.iter().zip(&rolls).enumerate() {
            plays::<Backgammon>(position, roll, &mut buf);
            assert_eq!(&results[one.offsets[i] as usize..one.offsets[i + 1] as usize], buf.positions());
        }
        for threads in [2, 3, 8] {
            assert_eq!(expand::<Backgammon>(&positions, &rolls, threads, &mut unwatched).unwrap(), one);
        }
        let none = expand::<Backgammon>(&[], &[], 2, &mut unwatched).unwrap();
        assert_eq!(none, Expansion { rows: vec![], offsets: vec![0] });
    }

    /// Many doubles from spread-out positions exceed the expected size, so the memory grows while
    /// other threads copy.
    #[test]
    fn memory_grows_under_several_threads() {
        let apart = [3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23].map(|point| (point, 1));
        let spread = position(&apart, &[(1, 2)]);
        let positions = vec![spread; 2_000];
        let rolls = vec![Roll::new(1, 1).unwrap(); 2_000];
        let one = expand::<Backgammon>(&positions, &rolls, 1, &mut unwatched).unwrap();
        assert!(one.offsets[1] > 4 * EXPECTED_RESULTS as i64);
        assert_eq!(expand::<Backgammon>(&positions, &rolls, 4, &mut unwatched).unwrap(), one);
    }

    #[test]
    fn refused_memory_is_an_error_and_keeps_no_thread_waiting() {
        let output = Output::new(16).unwrap();
        // What no machine has: the next place grows to twice as much.
        output.next.lock().unwrap().length = isize::MAX as usize;
        let run = run_blocks(3, 40, &mut unwatched, || (), |(), block| output.place(block).fill(&[1; 8]));
        assert!(!run.cancelled && output.is_broken());
        let bytes = isize::MAX as usize + 8;
        assert_eq!(output.into_rows(), Err(OutOfMemory { bytes }));
        assert_eq!(Output::new(usize::MAX).err(), Some(OutOfMemory { bytes: usize::MAX }));
        assert!(OutOfMemory { bytes }.to_string().contains(&bytes.to_string()));
    }

    /// Bearing off has few results, far fewer than guessed.
    #[test]
    fn unused_memory_is_given_back() {
        let positions = vec![position(&[(1, 2)], &[(1, 2)]); 200_000];
        let rolls = vec![Roll::new(1, 1).unwrap(); 200_000];
        for threads in [1, 2] {
            let found = expand::<Backgammon>(&positions, &rolls, threads, &mut unwatched).unwrap();
            assert_eq!(found.rows.len(), 200_000 * ROW_BYTES);
            assert!(found.rows.capacity() < 2 * found.rows.len() + WASTE, "{}", found.rows.capacity());
        }
    }

    #[test]
    fn a_panic_in_one_block_keeps_no_other_waiting() {
        let output = Output::new(16).unwrap();
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            run_blocks(
                3,
                40,
                &mut unwatched,
                || (),
                |(), block| {
                    let place = output.place(block);
                    assert!(block != 7, "deliberate");
                    place.fill(&[block as u8]);
                },
            )
        }));
        assert!(run.is_err());
    }
}
