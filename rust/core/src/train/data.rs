//! Positions with the chances they should have, as a file: what a fit learns from.
//!
//! All numbers little-endian:
//!
//! ```text
//! 8 bytes    magic "GAMMPOS\n"
//! u32        format version (1)
//! u32        length of the recipe, then the recipe (UTF-8 text: settings and evaluators)
//! then parts, each
//!   u64, u32   first game, games
//!   u32        records, 20 bytes each:
//!     10 bytes   the position, as a Position ID codes it
//!     u16 x 5    win, win gammon, win backgammon, lose gammon, lose backgammon, in 65,535ths
//!   u64 x 2    digest of the part
//! ```
//!
//! A file grows by whole parts; one cut short in its last part is good up to there. Chances include the next
//! of their side, and positions are unfinished games.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use crate::codec::posid;
use crate::files::write_whole;
use crate::nn::digest;
use crate::outcome::Probs;
use crate::parallel::{TICK, Watch, unwatched};
use crate::position::Position;
use crate::train::data_error::DataError;
use crate::train::model::Sample;

const MAGIC: &[u8; 8] = b"GAMMPOS\n";
pub(super) const VERSION: u32 = 1;
pub(super) const LONGEST_RECIPE: usize = 1 << 16;
/// Records of a part: 200 MB.
const LARGEST_PART: u32 = 10_000_000;
/// Records of a part where nothing else decides.
const RECORDS_PER_PART: usize = 1_000_000;
const HEAD: usize = 16;
const DIGEST: usize = 16;

/// Bytes of a record.
pub const RECORD: usize = 20;

/// How far chances may leave their order in a file: what rounding and other people's evaluators do.
const SLACK: f32 = 1e-3;

/// A position with its chances, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Record(pub [u8; RECORD]);

impl Record {
    /// Packs a position and its chances, which are rounded to 65,535ths.
    pub fn new(position: &Position, chances: &Probs) -> Record {
        let mut bytes = [0; RECORD];
        bytes[..10].copy_from_slice(&posid::to_bytes(position));
        for (bytes, chance) in bytes[10..].chunks_exact_mut(2).zip(chances.to_array()) {
            bytes.copy_from_slice(&((chance.clamp(0.0, 1.0) * 65_535.0).round() as u16).to_le_bytes());
        }
        Record(bytes)
    }

    /// The position; `None` if the bytes are none.
    pub fn position(&self) -> Option<Position> {
        posid::from_bytes(self.0.first_chunk().expect("a record has ten bytes and more")).ok()
    }

    /// The chances.
    pub fn chances(&self) -> Probs {
        let pairs = self.0[10..].as_chunks::<2>().0;
        Probs::from_array(std::array::from_fn(|i| f32::from(u16::from_le_bytes(pairs[i])) / 65_535.0))
    }

    /// The bytes of many records.
    pub(super) fn bytes(records: &[Record]) -> &[u8] {
        // SAFETY: a record is its bytes and nothing else (`repr(transparent)`), and bytes need no alignment.
        unsafe { std::slice::from_raw_parts(records.as_ptr().cast(), records.len() * RECORD) }
    }

    pub(super) fn sample(&self) -> Option<Sample> {
        self.position()
            .filter(|position| !position.is_over())
            .map(|position| Sample { position, target: self.chances() })
    }

    /// Whether it holds an unfinished position with chances in their order.
    fn is_sound(&self) -> bool {
        let Probs { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = self.chances();
        let ordered = |all: f32, some: f32| some <= all + SLACK;
        self.sample().is_some()
            && ordered(win, win_gammon)
            && ordered(win_gammon, win_backgammon)
            && ordered(1.0 - win, lose_gammon)
            && ordered(lose_gammon, lose_backgammon)
    }
}

/// Training data in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// How it was made.
    pub recipe: String,
    /// Games whose positions are in.
    pub games: u64,
    /// The positions.
    pub records: Vec<Record>,
}

impl Data {
    /// Reads a file. What follows its last complete part is left out.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Data, DataError> {
        Data::read_watched(path, &mut unwatched)
    }

    /// The same; the watcher is told of the records read so far.
    ///
    /// # Errors
    /// Says what is wrong with the file, or that the watcher broke.
    pub fn read_watched(path: &Path, watch: &mut Watch<'_>) -> Result<Data, DataError> {
        Data::read_from(std::io::BufReader::new(std::fs::File::open(path)?), watch)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Data, DataError> {
        Data::read_from(bytes, &mut unwatched)
    }

    fn read_from(mut file: impl Read, watch: &mut Watch<'_>) -> Result<Data, DataError> {
        let mut data = Data { recipe: head(&mut file)?, ..Data::default() };
        let mut looked = None::<Instant>;
        for number in 0.. {
            let Some((games, records)) = part(&mut file, number, data.games)? else { break };
            if let Some(record) = records.iter().position(|record| !record.is_sound()) {
                return Err(DataError::Record { part: number, record });
            }
            data.games += u64::from(games);
            data.records.extend(records);
            if looked.is_none_or(|looked| looked.elapsed() >= TICK) {
                looked = Some(Instant::now());
                if watch(data.records.len()).is_break() {
                    return Err(DataError::Cancelled);
                }
            }
        }
        Ok(data)
    }

    /// What a net that is fitted to the data says of them in its recipe.
    pub fn provenance(&self) -> String {
        format!("\n# {} positions of\n{}", self.records.len(), self.recipe)
    }

    /// The file.
    ///
    /// # Errors
    /// If the recipe is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, DataError> {
        let mut bytes = head_bytes(&self.recipe)?;
        let (mut first, mut games) = (0, self.games);
        let mut parts = self.records.chunks(RECORDS_PER_PART);
        // All games are said to be in the first part, or in as many as their number takes.
        loop {
            let some = u32::try_from(games).unwrap_or(u32::MAX);
            match parts.next() {
                Some(records) => add_part(&mut bytes, first, some, records),
                None if some > 0 => add_part(&mut bytes, first, some, &[]),
                None => return Ok(bytes),
            }
            (first, games) = (first + u64::from(some), games - u64::from(some));
        }
    }

    /// Writes the file whole, in place of what was there.
    ///
    /// # Errors
    /// If the recipe is too long or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DataError> {
        Ok(write_whole(path, &self.to_bytes()?)?)
    }
}

/// A file of training data that is being made, by one process at a time.
#[derive(Debug)]
pub struct DataFile {
    file: std::fs::File,
    games: u64,
    records: u64,
    /// Bytes of what is whole.
    end: u64,
}

impl DataFile {
    /// Opens a file to be continued, or begins it. What an interruption left unfinished is cut off.
    ///
    /// # Errors
    /// If the file is no training data, was made by another recipe, or is being made by someone else.
    pub fn open(path: &Path, recipe: &str) -> Result<DataFile, DataError> {
        let begun = head_bytes(recipe)?;
        let mut file =
            std::fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        // On Windows others could not even read a locked file.
        if !cfg!(windows) && matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
            return Err(DataError::InUse);
        }
        if file.metadata()?.len() < begun.len() as u64 {
            let mut there = Vec::new();
            file.read_to_end(&mut there)?;
            // A new file, or one whose beginning was interrupted.
            if begun.starts_with(&there) {
                file.rewind()?;
                file.write_all(&begun)?;
            }
        }
        file.rewind()?;
        let mut reader = std::io::BufReader::new(&file);
        let found = head(&mut reader)?;
        if found != recipe {
            return Err(DataError::Recipe { found, asked: recipe.to_owned() });
        }
        let (mut games, mut records) = (0, 0);
        let mut end = reader.stream_position()?;
        for number in 0.. {
            let Some((more, found)) = part(&mut reader, number, games)? else { break };
            games += u64::from(more);
            records += found.len() as u64;
            end = reader.stream_position()?;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok(DataFile { file, games, records, end })
    }

    /// Games whose positions are in.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Positions in.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds the positions of the next games.
    ///
    /// # Errors
    /// If the file cannot be written; it then is what it was.
    pub fn append(&mut self, games: u32, records: &[Record]) -> Result<(), DataError> {
        let mut bytes = Vec::with_capacity(HEAD + records.len() * RECORD + DIGEST);
        add_part(&mut bytes, self.games, games, records);
        if let Err(error) = self.file.write_all(&bytes).and_then(|()| self.file.sync_data()) {
            // If this fails too, the next one to open the file cuts it off.
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(error.into());
        }
        self.games += u64::from(games);
        self.records += records.len() as u64;
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// What a file begins with.
fn head_bytes(recipe: &str) -> Result<Vec<u8>, DataError> {
    if recipe.len() > LONGEST_RECIPE {
        return Err(DataError::LongRecipe { bytes: recipe.len() });
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(recipe.len() as u32).to_le_bytes());
    bytes.extend_from_slice(recipe.as_bytes());
    Ok(bytes)
}

/// Adds the bytes of a part.
fn add_part(bytes: &mut Vec<u8>, first: u64, games: u32, records: &[Record]) {
    let start = bytes.len();
    bytes.extend_from_slice(&first.to_le_bytes());
    bytes.extend_from_slice(&games.to_le_bytes());
    bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
    bytes.extend_from_slice(Record::bytes(records));
    let digest = digest(&bytes[start..]);
    digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
}

/// The recipe.
fn head(file: &mut impl Read) -> Result<String, DataError> {
    let mut bytes = [0; HEAD];
    file.read_exact(&mut bytes).map_err(|_| DataError::NotData)?;
    if !bytes.starts_with(MAGIC) {
        return Err(DataError::NotData);
    }
    if number(&bytes, 8) != VERSION {
        return Err(DataError::Version { found: number(&bytes, 8) });
    }
    let length = number(&bytes, 12) as usize;
    if length > LONGEST_RECIPE {
        return Err(DataError::NotData);
    }
    let mut recipe = vec![0; length];
    file.read_exact(&mut recipe).map_err(|_| DataError::NotData)?;
    String::from_utf8(recipe).map_err(|_| DataError::NotData)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// The next part's games and records; `None` at the end of the file or of what is complete.
fn part(file: &mut impl Read, part: usize, first: u64) -> Result<Option<(u32, Vec<Record>)>, DataError> {
    let mut bytes = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut bytes)?;
    if bytes.len() < HEAD {
        return Ok(None);
    }
    let (games, records) = (number(&bytes, 8), number(&bytes, 12));
    if records > LARGEST_PART || bytes[..8] != first.to_le_bytes() {
        return Err(DataError::Damaged { part });
    }
    let end = HEAD + records as usize * RECORD;
    file.take((end + DIGEST - HEAD) as u64).read_to_end(&mut bytes)?;
    if bytes.len() < end + DIGEST {
        let next = (first + u64::from(games)).to_le_bytes();
        return if has_another_count(&mut bytes, next) { Err(DataError::Damaged { part }) } else { Ok(None) };
    }
    if !is_signed(&bytes) {
        return Err(DataError::Damaged { part });
    }
    Ok(Some((games, bytes[HEAD..end].as_chunks().0.iter().map(|&bytes| Record(bytes)).collect())))
}

/// Whether a part ends in its digest.
fn is_signed(part: &[u8]) -> bool {
    let (body, found) = part.split_at(part.len() - DIGEST);
    digest(body).map(u64::to_le_bytes).as_flattened() == found
}

/// Whether what seems a part cut short is a whole one, and maybe more, whose number of records is damaged.
///
/// Then cutting it off would throw away what is good. `next` is the number the next part begins with.
fn has_another_count(rest: &mut [u8], next: [u8; 8]) -> bool {
    let ends = (HEAD + DIGEST..=rest.len()).step_by(RECORD);
    let plausible = ends.filter(|&end| rest.len() == end || rest[end..].starts_with(&next));
    let plausible: Vec<usize> = plausible.collect();
    plausible.into_iter().any(|end| {
        let count = ((end - HEAD - DIGEST) / RECORD) as u32;
        rest[12..HEAD].copy_from_slice(&count.to_le_bytes());
        is_signed(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::testing::scattered;

    fn records(count: u64) -> Vec<Record> {
        let chances =
            Probs { win: 0.6, win_gammon: 0.2, win_backgammon: 0.01, lose_gammon: 0.1, lose_backgammon: 0.0 };
        scattered(count).iter().map(|position| Record::new(position, &chances)).collect()
    }

    fn path(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("gammon-data-{name}-{}", std::process::id()))
    }

    #[test]
    fn records_give_back_what_they_hold() {
        for (record, position) in records(500).iter().zip(scattered(500)) {
            assert_eq!(record.position(), Some(position));
            assert!((record.chances().win - 0.6).abs() < 1e-5 && record.chances().lose_backgammon == 0.0);
        }
        assert_eq!(Record([255; RECORD]).position(), None);
    }

    #[test]
    fn a_file_cut_short_is_continued_and_another_recipe_is_not() {
        let path = path("continued");
        let _ = std::fs::remove_file(&path);
        let all = records(30);
        let mut file = DataFile::open(&path, "recipe").unwrap();
        file.append(3, &all[..10]).unwrap();
        file.append(2, &all[10..]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let data = Data::read(&path).unwrap();
        assert_eq!((data.recipe.as_str(), data.games, data.records), ("recipe", 5, all.clone()));

        drop(file);

        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut file = DataFile::open(&path, "recipe").unwrap();
        assert_eq!((file.games(), file.records()), (3, 10));
        file.append(2, &all[10..]).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole);
        if !cfg!(windows) {
            assert!(matches!(DataFile::open(&path, "recipe"), Err(DataError::InUse)));
        }
        drop(file);
        let error = DataFile::open(&path, "another").unwrap_err();
        assert!(error.to_string().contains("other settings"), "{error}");
        assert!(std::fs::read(&path).unwrap() == whole);

        let mut bent = whole.clone();
        bent[60] ^= 1;
        std::fs::write(&path, &bent).unwrap();
        assert!(matches!(Data::read(&path), Err(DataError::Damaged { part: 0 })));
        for other in [&b"GAMMNET\n"[..], b"", &whole[..12]] {
            std::fs::write(&path, other).unwrap();
            assert!(matches!(Data::read(&path), Err(DataError::NotData)));
        }
        // Begun, and interrupted before the head was whole.
        std::fs::write(&path, &whole[..19]).unwrap();
        assert_eq!(DataFile::open(&path, "recipe").unwrap().games(), 0);
        assert!(std::fs::read(&path).unwrap() == whole[..22]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_damaged_part_is_named_and_never_taken_for_the_end() {
        let all = records(30);
        let mut bytes = head_bytes("recipe").unwrap();
        let starts: Vec<usize> = (0..3)
            .map(|i| {
                let start = bytes.len();
                add_part(&mut bytes, 7 * i, 7, &all[10 * i as usize..][..10]);
                start
            })
            .collect();
        assert_eq!(Data::from_bytes(&bytes).unwrap().records, all);
        for (part, start) in starts.into_iter().enumerate() {
            for (at, change) in [(3, 1), (8, 1), (13, 1), (12, 1), (12, 255), (15, 255), (40, 1), (230, 1)] {
                let mut bent = bytes.clone();
                bent[start + at] ^= change;
                let found = Data::from_bytes(&bent);
                assert!(matches!(found, Err(DataError::Damaged { part: n }) if n == part), "{part} {at}");
            }
        }
        // Wherever it is cut, whole parts stay.
        for length in 22..bytes.len() {
            let data = Data::from_bytes(&bytes[..length]).unwrap();
            let whole = (length - 22) / (HEAD + 10 * RECORD + DIGEST);
            assert_eq!((data.games, data.records.len()), (7 * whole as u64, 10 * whole), "{length}");
        }
    }

    #[test]
    fn records_that_are_no_unfinished_position_with_chances_are_refused() {
        let mut all = records(5);
        let with = |record: Record, all: &mut Vec<Record>| {
            all[3] = record;
            Data { records: all.clone(), ..Data::default() }.to_bytes().unwrap()
        };
        let over = Position::from_counts(&[0; 25], &Position::START.roller()).unwrap();
        let more_gammons = Probs { win: 0.1, win_gammon: 0.2, ..Probs::default() };
        let more_lost = Probs { win: 0.9, lose_gammon: 0.2, ..Probs::default() };
        for bad in [
            Record([255; RECORD]),
            Record::new(&over, &Probs::default()),
            Record::new(&Position::START, &more_gammons),
            Record::new(&Position::START, &more_lost),
        ] {
            let found = Data::from_bytes(&with(bad, &mut all));
            assert!(matches!(found, Err(DataError::Record { part: 0, record: 3 })), "{found:?}");
        }
    }

    #[test]
    fn data_of_ones_own_is_written_and_read_back() {
        let path = path("own");
        for (games, count) in [(0, 0), (0, 3), (9, 0), (9, 3), (u64::from(u32::MAX) + 5, 3)] {
            let data = Data { recipe: "by hand\n".to_owned(), games, records: records(count) };
            data.write(&path).unwrap();
            assert_eq!(Data::read(&path).unwrap(), data);
        }
        std::fs::remove_file(&path).unwrap();
        let recipe = "x".repeat(LONGEST_RECIPE + 1);
        let error = Data { recipe: recipe.clone(), ..Data::default() }.to_bytes().unwrap_err();
        assert!(error.to_string().contains("65537 bytes"), "{error}");
        assert!(matches!(DataFile::open(&path, &recipe), Err(DataError::LongRecipe { .. })));
        assert!(!path.exists());
        let mut stop = |_: usize| ControlFlow::Break(());
        let data = Data { records: records(3), ..Data::default() };
        data.write(&path).unwrap();
        assert!(matches!(Data::read_watched(&path, &mut stop), Err(DataError::Cancelled)));
        std::fs::remove_file(&path).unwrap();
    }
}
