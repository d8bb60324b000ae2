//! Expanding many (position, roll) pairs into rows of bytes.

use std::sync::{Condvar, Mutex, RwLock};
use std::time::Instant;

use super::{PlayBuf, plays};
use crate::dice::Roll;
use crate::memory::advise_huge_pages;
use crate::parallel::{Cancelled, TICK, Watch, run_blocks};
use crate::position::Position;
use crate::rows::{self, ROW_BYTES};
use crate::rules::Rules;

/// Pairs in a block: some ten microseconds of work, and results (70 kB) that stay in a near cache.
const BLOCK: usize = 64;

/// Results of a roll on average, to guess the size of the output; a wrong guess costs a reallocation.
const EXPECTED_RESULTS: usize = 24;

/// Results of many rolls: those of pair `i` are the rows `offsets[i]..offsets[i + 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Positions after each play, the opponent on roll, [`ROW_BYTES`] each (see [`rows`]).
    pub rows: Vec<u8>,
    /// Numbers of rows, rising from 0 to their total; one more than there are pairs.
    pub offsets: Vec<i64>,
}

/// All distinct results of each roll in its position.
///
/// The same bytes for any number of threads. A roll that cannot be played has one result, the
/// position handed over.
///
/// # Errors
/// [`Cancelled`] if the watcher stops it.
///
/// # Panics
/// If there are not as many positions as rolls.
pub fn expand<R: Rules>(
    positions: &[Position],
    rolls: &[Roll],
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Expansion, Cancelled> {
    assert_eq!(positions.len(), rolls.len(), "a roll for every position");
    let blocks = positions.len().div_ceil(BLOCK);
    if threads <= 1 || blocks <= 1 {
        return expand_here::<R>(positions, rolls, watch);
    }
    let output = Output::new(positions.len() * EXPECTED_RESULTS * ROW_BYTES);
    let counts = run_blocks(threads.max(1), blocks, watch, Workspace::default, |space, block| {
        let place = output.place(block);
        let pairs = block * BLOCK..positions.len().min((block + 1) * BLOCK);
        space.rows.clear();
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
    let mut offsets = Vec::with_capacity(positions.len() + 1);
    offsets.push(0);
    let mut total = 0;
    for count in counts.iter().flatten() {
        total += count;
        offsets.push(total);
    }
    Ok(Expansion { rows: output.into_rows(), offsets })
}

/// [`expand`] on the calling thread alone: every result goes straight to its place.
fn expand_here<R: Rules>(
    positions: &[Position],
    rolls: &[Roll],
    watch: &mut Watch<'_>,
) -> Result<Expansion, Cancelled> {
    let mut buf = PlayBuf::new();
    let mut rows = Vec::with_capacity(positions.len() * EXPECTED_RESULTS * ROW_BYTES);
    let mut offsets = Vec::with_capacity(positions.len() + 1);
    offsets.push(0);
    advise_huge_pages(rows.as_mut_ptr(), rows.capacity());
    let mut last = Instant::now();
    for (block, (positions, rolls)) in positions.chunks(BLOCK).zip(rolls.chunks(BLOCK)).enumerate() {
        for (position, &roll) in positions.iter().zip(rolls) {
            plays::<R>(position, roll, &mut buf);
            rows::write(buf.positions(), &mut rows);
            offsets.push((rows.len() / ROW_BYTES) as i64);
        }
        if last.elapsed() >= TICK {
            last = Instant::now();
            if watch(block).is_break() {
                return Err(Cancelled);
            }
        }
    }
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
    turn: Condvar,
    memory: RwLock<Memory>,
}

struct Next {
    block: usize,
    length: usize,
    /// A block ended without filling its place, so those after it never get theirs.
    broken: bool,
}

impl Output {
    fn new(capacity: usize) -> Output {
        Output {
            next: Mutex::new(Next { block: 0, length: 0, broken: false }),
            turn: Condvar::new(),
            memory: RwLock::new(Memory::new(capacity)),
        }
    }

    /// The place of block `block`, which must be filled.
    fn place(&self, block: usize) -> Place<'_> {
        Place { output: self, block }
    }

    fn into_rows(self) -> Vec<u8> {
        let length = self.next.into_inner().unwrap_or_else(|e| e.into_inner()).length;
        let memory = self.memory.into_inner().unwrap_or_else(|e| e.into_inner());
        // SAFETY: every block was appended, so all bytes up to `length` are written.
        unsafe { memory.into_bytes(length) }
    }
}

/// The place of one block, yet to be filled. Dropping it without doing so, because the thread panics,
/// lets go of all who would wait for it.
struct Place<'a> {
    output: &'a Output,
    block: usize,
}

impl Place<'_> {
    /// Waits until all blocks before this one have their places, then copies `rows` behind them.
    fn fill(self, rows: &[u8]) {
        const UNBROKEN: &str = "no thread panics while holding this lock";
        let Output { next, turn, memory } = self.output;
        let mut next = next.lock().expect(UNBROKEN);
        while next.block != self.block && !next.broken {
            next = turn.wait(next).expect(UNBROKEN);
        }
        if next.broken {
            return;
        }
        let start = next.length;
        next.length += rows.len();
        next.block += 1;
        if memory.read().expect(UNBROKEN).capacity() < next.length {
            memory.write().expect(UNBROKEN).grow(start, next.length);
        }
        drop(next);
        turn.notify_all();
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
            self.output.turn.notify_all();
        }
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
    fn new(capacity: usize) -> Memory {
        let mut bytes = Vec::with_capacity(capacity);
        advise_huge_pages(bytes.as_mut_ptr(), bytes.capacity());
        Memory { base: bytes.as_mut_ptr(), bytes }
    }

    fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Makes room for `length` bytes, keeping the first `used`.
    fn grow(&mut self, used: usize, length: usize) {
        let mut larger = Memory::new(length.max(2 * self.capacity()));
        // SAFETY: both hold at least `used` bytes and do not overlap. Some may not be written yet; they
        // are copied as they are.
        unsafe { std::ptr::copy_nonoverlapping(self.base, larger.base, used) };
        std::mem::swap(self, &mut larger);
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
        let spread = {
            let mut counts = [0; 25];
            for point in [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22] {
                counts[point] = 1;
            }
            Position::from_counts(&counts, &{
                let mut c = [0; 25];
                c[0] = 2;
                c
            })
            .unwrap()
        };
        let positions = vec![spread; 2_000];
        let rolls = vec![Roll::new(1, 1).unwrap(); 2_000];
        let one = expand::<Backgammon>(&positions, &rolls, 1, &mut unwatched).unwrap();
        assert!(one.offsets[1] > 4 * EXPECTED_RESULTS as i64);
        assert_eq!(expand::<Backgammon>(&positions, &rolls, 4, &mut unwatched).unwrap(), one);
    }

    #[test]
    fn a_panic_in_one_block_keeps_no_other_waiting() {
        let output = Output::new(16);
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
