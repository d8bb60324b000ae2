//! The reader of training data.

use std::sync::LazyLock;

use gammon_core::train::{Data, RECORD, Record};
use gammon_core::{Position, Probs};

use super::files::{changed, sign};

/// Bytes of a part beside its records: numbers before, digest after.
const AROUND: usize = 16 + 16;

/// Damaged, cut and forged data are refused or cut where a part ends; what is accepted holds positions with
/// chances, reads back as written, and is a beginning of what was there.
///
/// The first byte says what the rest is: a whole file if it is even, else changes to a good file, after
/// which the digest of the last part is made right again if bit 1 is set.
pub fn check(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else { return false };
    let file = if kind & 1 == 0 { rest.to_vec() } else { changed_part(rest, kind & 2 != 0) };
    match Data::from_bytes(&file) {
        Ok(data) => {
            for record in &data.records {
                let position = record.position().expect("what is read holds positions");
                assert!(!position.is_over());
                let chances = record.chances().to_array();
                assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
                assert!(Record::new(&position, &record.chances()) == *record);
                assert!(file.windows(RECORD).any(|bytes| bytes == record.0));
            }
            let again = data.to_bytes().expect("a recipe that was read fits");
            assert!(
                Data::from_bytes(&again).is_ok_and(|again| again == data),
                "{bytes:?} is read differently"
            );
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Where the last part of the good file begins.
static LAST: LazyLock<usize> = LazyLock::new(|| GOOD_FILE.len() - AROUND - 2 * RECORD);

/// Two parts of two positions each, written as the format's description says.
static GOOD_FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let recipe = "a recipe";
    let mut file = b"GAMMPOS\n".to_vec();
    file.extend(1u32.to_le_bytes());
    file.extend((recipe.len() as u32).to_le_bytes());
    file.extend(recipe.bytes());
    let chances =
        Probs { win: 0.6, win_gammon: 0.2, win_backgammon: 0.01, lose_gammon: 0.1, lose_backgammon: 0.0 };
    for first in [0u64, 3] {
        let mut part = first.to_le_bytes().to_vec();
        part.extend(3u32.to_le_bytes());
        part.extend(2u32.to_le_bytes());
        for position in [Position::START, Position::START.flip()] {
            part.extend(Record::new(&position, &chances).0);
        }
        sign(&mut part);
        file.extend(part);
    }
    file
});

/// The good file with changes; signed again, its last part alone is.
fn changed_part(changes: &[u8], signed: bool) -> Vec<u8> {
    if !signed {
        return changed(&GOOD_FILE, changes, false);
    }
    let (before, part) = GOOD_FILE.split_at(*LAST);
    [before, &changed(part, changes, true)].concat()
}
