//! `rows::read`, the vector code, against `Position::from_counts`, the plain one.

use gammon_core::Position;
use gammon_core::rows::{self, ROW_BYTES, RowError};

/// Rows are positions exactly if their counts are; the first bad one is named; good ones are written
/// back byte by byte. Returns whether the first row is a position.
pub fn check(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len() / ROW_BYTES * ROW_BYTES];
    let expected: Result<Vec<Position>, RowError> = bytes
        .chunks_exact(ROW_BYTES)
        .enumerate()
        .map(|(index, row)| {
            let (roller, opponent) = row.split_at(ROW_BYTES / 2);
            Position::from_counts(roller.try_into().unwrap(), opponent.try_into().unwrap())
                .map_err(|error| RowError { index, error })
        })
        .collect();
    assert_eq!(rows::read(bytes), expected, "{bytes:?}");
    let good = match &expected {
        Ok(positions) => positions.len(),
        Err(error) => error.index,
    };
    let good_bytes = &bytes[..good * ROW_BYTES];
    let mut positions = vec![Position::START];
    let appended = rows::read_into(bytes, &mut positions);
    assert_eq!(appended.err(), expected.err());
    assert_eq!(positions.len(), 1 + good);
    let mut written = vec![7];
    rows::write(&positions[1..], &mut written);
    assert_eq!(written[1..], *good_bytes);
    assert_eq!(written[0], 7);
    good > 0
}
