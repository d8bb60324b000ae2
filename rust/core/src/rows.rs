//! Positions as rows of bytes, the form arrays have outside the core.
//!
//! A position is 50 bytes: 25 counts of the player on roll (points 1 to 24 from his own ace point,
//! then the bar), then 25 of the opponent, from the opponent's own ace point.

use crate::cpu;
use crate::lanes::{self, Lanes, ROW_SLACK};
use crate::memory::{OutOfMemory, reserve};
use crate::position::{Position, PositionError};

pub use crate::lanes::ROW_BYTES;

/// A pair of rows that is no position: which, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// Number of the position in the array.
    pub index: usize,
    /// What is wrong with it.
    pub error: PositionError,
}

impl std::fmt::Display for RowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "position {}: {}", self.index, self.error)
    }
}

impl std::error::Error for RowError {}

/// Reads an array of positions.
///
/// # Errors
/// The first one that is not a position.
///
/// # Panics
/// If the length is not a multiple of [`ROW_BYTES`].
pub fn read(rows: &[u8]) -> Result<Vec<Position>, RowError> {
    let mut positions = Vec::with_capacity(rows.len() / ROW_BYTES);
    read_into(rows, &mut positions)?;
    Ok(positions)
}

/// Reads an array of positions to the end of `positions`.
///
/// # Errors
/// The first one that is not a position; `positions` then ends before it.
///
/// # Panics
/// If the length is not a multiple of [`ROW_BYTES`].
pub fn read_into(rows: &[u8], positions: &mut Vec<Position>) -> Result<(), RowError> {
    assert!(rows.len().is_multiple_of(ROW_BYTES), "{} bytes are no whole number of positions", rows.len());
    let before = positions.len();
    positions.reserve(rows.len() / ROW_BYTES);
    loop {
        let done = positions.len() - before;
        let rest = &rows[done * ROW_BYTES..];
        read_some(rest, positions);
        let done = positions.len() - before;
        let Some(bad) = rows[done * ROW_BYTES..].first_chunk::<ROW_BYTES>() else { return Ok(()) };
        // Judged by a copy: a caller's array may be written to by others meanwhile, and then it can even
        // turn out to be a position after all.
        let bad = *bad;
        let (roller, opponent) = bad.split_at(ROW_BYTES / 2);
        let counts = |row: &[u8]| row.try_into().expect("half of 50 bytes are 25");
        match Position::from_counts(&counts(roller), &counts(opponent)) {
            Err(error) => return Err(RowError { index: done, error }),
            Ok(position) => positions.push(position),
        }
    }
}

/// Reads positions up to the first that is none.
fn read_some(rows: &[u8], positions: &mut Vec<Position>) {
    #[cfg(target_arch = "x86_64")]
    if cpu::has_avx2() {
        // SAFETY: AVX2 was found on this CPU.
        return unsafe { read_avx2(rows, positions) };
    }
    // SAFETY: the portable lanes need nothing of the CPU.
    unsafe { read_lanes::<lanes::Portable>(rows, positions) }
}

/// Appends positions to an array of rows.
pub fn write(positions: &[Position], rows: &mut Vec<u8>) {
    rows.reserve(positions.len() * ROW_BYTES + ROW_SLACK);
    // SAFETY: room has just been made.
    unsafe { write_here(positions, rows) }
}

/// [`write`], or an error if there is no memory for them.
pub(crate) fn try_write(positions: &[Position], rows: &mut Vec<u8>) -> Result<(), OutOfMemory> {
    reserve(rows, positions.len() * ROW_BYTES + ROW_SLACK)?;
    // SAFETY: room has just been made.
    unsafe { write_here(positions, rows) };
    Ok(())
}

/// # Safety
/// `rows` has the room that [`write_lanes`] asks for.
#[inline(always)]
unsafe fn write_here(positions: &[Position], rows: &mut Vec<u8>) {
    #[cfg(target_arch = "x86_64")]
    if cpu::has_avx2() {
        // SAFETY: AVX2 was found on this CPU, and the caller promises room.
        return unsafe { write_avx2(positions, rows) };
    }
    // SAFETY: the portable lanes need nothing of the CPU, and the caller promises room.
    unsafe { write_lanes::<lanes::Portable>(positions, rows) }
}

/// # Safety
/// The CPU has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn read_avx2(rows: &[u8], positions: &mut Vec<Position>) {
    // SAFETY: the caller promises the CPU.
    unsafe { read_lanes::<lanes::Avx2>(rows, positions) }
}

/// # Safety
/// The CPU has AVX2, and `rows` has the room that [`write_lanes`] asks for.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn write_avx2(positions: &[Position], rows: &mut Vec<u8>) {
    // SAFETY: the caller's promise.
    unsafe { write_lanes::<lanes::Avx2>(positions, rows) }
}

/// Reads positions up to the first that is none.
///
/// # Safety
/// `L` may be used on this CPU.
#[inline(always)]
unsafe fn read_lanes<L: Lanes>(rows: &[u8], positions: &mut Vec<Position>) {
    for row in rows.chunks_exact(ROW_BYTES) {
        let mut position = Position([0; 32]);
        // SAFETY: `row` is 50 bytes; the caller promises the CPU.
        match unsafe { L::read_rows(row.as_ptr()) } {
            // SAFETY: as above.
            Some(lanes) => unsafe { lanes.store(&mut position) },
            None => break,
        }
        positions.push(position);
    }
}

/// # Safety
/// `L` may be used on this CPU, and `rows` has spare room for the positions and [`ROW_SLACK`] more.
#[inline(always)]
unsafe fn write_lanes<L: Lanes>(positions: &[Position], rows: &mut Vec<u8>) {
    let length = rows.len();
    debug_assert!(rows.capacity() - length >= positions.len() * ROW_BYTES + ROW_SLACK);
    // SAFETY: the caller promises CPU and room; every byte up to the new length has been written.
    unsafe {
        let end = rows.as_mut_ptr().add(length);
        for (i, position) in positions.iter().enumerate() {
            L::write_rows(position, end.add(i * ROW_BYTES));
        }
        rows.set_len(length + positions.len() * ROW_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{PlayBuf, random_game};
    use crate::rng::Stream;
    use crate::rules::Backgammon;

    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        let mut buf = PlayBuf::new();
        for trial in 0..20 {
            random_game::<Backgammon>(Stream::new(5, trial), 1_000, &mut buf, |p, _, _| positions.push(*p));
        }
        positions
    }

    #[test]
    fn rows_are_the_counts_and_read_back() {
        let positions = positions();
        let mut rows = Vec::new();
        write(&positions, &mut rows);
        for (position, row) in positions.iter().zip(rows.chunks_exact(ROW_BYTES)) {
            assert_eq!(row[..25], position.roller());
            assert_eq!(row[25..], position.opponent());
        }
        assert_eq!(read(&rows).unwrap(), positions);
    }

    #[test]
    fn the_first_bad_row_is_named() {
        let good = positions();
        let mut rows = Vec::new();
        write(&good[..10], &mut rows);
        for (byte, value) in [(0, 16), (24, 200), (49, 15), (5, 255)] {
            let mut bad = rows.clone();
            bad[7 * ROW_BYTES + byte] = value;
            let error = read(&bad).unwrap_err();
            assert_eq!(error.index, 7);
            assert!(error.to_string().contains("position 7"), "{error}");
        }
        let mut empty = rows.clone();
        empty[3 * ROW_BYTES..4 * ROW_BYTES].fill(0);
        assert_eq!(read(&empty).unwrap_err().index, 3);
    }

    /// One changed byte anywhere is judged alike by the vector code and by `from_counts`.
    #[test]
    fn every_set_of_instructions_refuses_the_same_rows() {
        let mut rows = Vec::new();
        write(&positions()[..200], &mut rows);
        for (i, row) in rows.chunks_exact(ROW_BYTES).enumerate() {
            let mut row = row.to_vec();
            row[i * 7 % ROW_BYTES] = (i * 13 % 256) as u8;
            let (roller, opponent) = row.split_at(25);
            let expected = Position::from_counts(roller.try_into().unwrap(), opponent.try_into().unwrap());
            assert_eq!(read(&row).map_err(|e| e.error), expected.map(|p| vec![p]));
        }
    }
}
