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
//! A file grows by whole parts; one cut short in its last part is good up to there.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::codec::posid;
use crate::nn::digest;
use crate::outcome::Probs;
use crate::position::Position;
use crate::train::model::Sample;

const MAGIC: &[u8; 8] = b"GAMMPOS\n";
const VERSION: u32 = 1;
const LONGEST_RECIPE: u32 = 1 << 16;
/// Records of a part: 200 MB.
const LARGEST_PART: u32 = 10_000_000;
const HEAD: usize = 16;

/// Bytes of a record.
pub const RECORD: usize = 20;

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
}

/// Why a file is no training data.
#[derive(Debug)]
pub enum DataError {
    /// It does not begin like one.
    NotData,
    /// Written in a format this build does not read.
    Version {
        /// The version found.
        found: u32,
    },
    /// A part is damaged.
    Damaged {
        /// The part's number, from 0.
        part: usize,
    },
    /// It was made by other settings than those it should be continued with.
    Recipe {
        /// The recipe in the file.
        found: String,
    },
    /// It cannot be read or written.
    Io(std::io::Error),
}

impl std::fmt::Display for DataError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DataError::NotData => {
                f.write_str("unusable training data: it does not begin with the mark of such a file")
            }
            DataError::Version { found } => {
                write!(
                    f,
                    "unusable training data: format version {found}, this build reads version {VERSION}"
                )
            }
            DataError::Damaged { part } => write!(f, "unusable training data: part {part} is damaged"),
            DataError::Recipe { found } => {
                write!(f, "the file was made by other settings, and only the same can continue it:\n{found}")
            }
            DataError::Io(error) => write!(f, "training data: {error}"),
        }
    }
}

impl std::error::Error for DataError {}

impl From<std::io::Error> for DataError {
    fn from(error: std::io::Error) -> DataError {
        DataError::Io(error)
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
        let mut file = std::io::BufReader::new(std::fs::File::open(path)?);
        let mut data = Data { recipe: head(&mut file)?, ..Data::default() };
        while let Some((games, records)) = part(&mut file, data.games)? {
            data.games += u64::from(games);
            data.records.extend(records);
        }
        Ok(data)
    }
}

/// A file of training data that is being made.
#[derive(Debug)]
pub struct DataFile {
    file: std::fs::File,
    games: u64,
    records: u64,
}

impl DataFile {
    /// Opens a file to be continued, or begins it. What an interruption left unfinished is cut off.
    ///
    /// # Errors
    /// If the file is no training data or was made by another recipe.
    pub fn open(path: &Path, recipe: &str) -> Result<DataFile, DataError> {
        let mut file =
            std::fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() == 0 {
            file.write_all(MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            file.write_all(&(recipe.len() as u32).to_le_bytes())?;
            file.write_all(recipe.as_bytes())?;
        }
        file.rewind()?;
        let mut reader = std::io::BufReader::new(&file);
        let found = head(&mut reader)?;
        if found != recipe {
            return Err(DataError::Recipe { found });
        }
        let (mut games, mut records) = (0, 0);
        let mut end = reader.stream_position()?;
        while let Some((more, found)) = part(&mut reader, games)? {
            games += u64::from(more);
            records += found.len() as u64;
            end = reader.stream_position()?;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok(DataFile { file, games, records })
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
    /// If the file cannot be written.
    pub fn append(&mut self, games: u32, records: &[Record]) -> Result<(), DataError> {
        let mut bytes = Vec::with_capacity(HEAD + records.len() * RECORD + 16);
        bytes.extend_from_slice(&self.games.to_le_bytes());
        bytes.extend_from_slice(&games.to_le_bytes());
        bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
        records.iter().for_each(|record| bytes.extend_from_slice(&record.0));
        let digest = digest(&bytes);
        digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        self.games += u64::from(games);
        self.records += records.len() as u64;
        Ok(())
    }
}

/// The recipe.
fn head(file: &mut impl Read) -> Result<String, DataError> {
    let mut bytes = [0; HEAD];
    file.read_exact(&mut bytes).map_err(|_| DataError::NotData)?;
    if !bytes.starts_with(MAGIC) {
        return Err(DataError::NotData);
    }
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    if number(8) != VERSION {
        return Err(DataError::Version { found: number(8) });
    }
    let length = number(12);
    if length > LONGEST_RECIPE {
        return Err(DataError::NotData);
    }
    let mut recipe = vec![0; length as usize];
    file.read_exact(&mut recipe).map_err(|_| DataError::NotData)?;
    String::from_utf8(recipe).map_err(|_| DataError::NotData)
}

/// The next part's games and records; `None` at the end of the file or of what is complete.
fn part(file: &mut impl Read, first: u64) -> Result<Option<(u32, Vec<Record>)>, DataError> {
    let damaged = DataError::Damaged { part: usize::try_from(first).unwrap_or(usize::MAX) };
    let mut bytes = vec![0; HEAD];
    if file.read_exact(&mut bytes).is_err() {
        return Ok(None);
    }
    let games = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    let records = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes"));
    if records > LARGEST_PART || bytes[..8] != first.to_le_bytes() {
        return Err(damaged);
    }
    bytes.resize(HEAD + records as usize * RECORD, 0);
    let mut found = [[0; 8]; 2];
    if file.read_exact(&mut bytes[HEAD..]).is_err() || file.read_exact(found.as_flattened_mut()).is_err() {
        return Ok(None);
    }
    if digest(&bytes) != found.map(u64::from_le_bytes) {
        return Err(damaged);
    }
    Ok(Some((games, bytes[HEAD..].as_chunks().0.iter().map(|&bytes| Record(bytes)).collect())))
}

#[cfg(test)]
mod tests {
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

        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut file = DataFile::open(&path, "recipe").unwrap();
        assert_eq!((file.games(), file.records()), (3, 10));
        file.append(2, &all[10..]).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole);
        let error = DataFile::open(&path, "another").unwrap_err();
        assert!(error.to_string().contains("recipe"), "{error}");

        let mut bent = whole.clone();
        bent[60] ^= 1;
        std::fs::write(&path, &bent).unwrap();
        assert!(matches!(Data::read(&path), Err(DataError::Damaged { part: 0 })));
        for other in [&b"GAMMNET\n"[..], b"", &whole[..12]] {
            std::fs::write(&path, other).unwrap();
            assert!(matches!(Data::read(&path), Err(DataError::NotData)));
        }
        std::fs::remove_file(&path).unwrap();
    }
}
