//! Tables on disk: one header, one checksum, never half a file.
//!
//! ```text
//! 0   8 bytes  magic "gammonBO"
//! 8   u32      format version
//! 12  u32      kind of table
//! 16  u64      length of the body
//! 24  u64      checksum of the rest of the header and the body
//! 32  8 x u32  parameters, by kind
//! 64           body
//! ```
//!
//! All numbers are little-endian. A file is written under a temporary name of its own in the same
//! folder, flushed to the disk and renamed, so whoever opens the final name sees a whole table or none,
//! however many processes write it and whenever they are killed. Tables are read through a memory
//! map: processes share one copy, and nothing is loaded before it is looked at (but for the
//! checksum, which reads everything once).

use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::files::{TEMPORARY, write_whole};

const MAGIC: [u8; 8] = *b"gammonBO";
const VERSION: u32 = 1;
const HEADER: usize = 64;

/// What a file's parameters mean.
pub(crate) type Params = [u32; 8];

/// What kind of table a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`OneSided`](super::OneSided).
    OneSided = 1,
    /// [`TwoSided`](super::TwoSided).
    TwoSided = 2,
    /// [`Hypergammon`](crate::hyper::Hypergammon).
    Hypergammon = 3,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::OneSided => "one-sided",
            Kind::TwoSided => "two-sided",
            Kind::Hypergammon => "hypergammon",
        })
    }
}

/// Why a file is not the table it should be.
#[derive(Debug)]
pub enum TableError {
    /// The system could not open, read or write it.
    Io(io::Error),
    /// It does not start like a table of ours.
    Foreign,
    /// It is a table in another format version.
    Version {
        /// The file's version.
        found: u32,
    },
    /// It is another kind of table.
    Kind {
        /// The kind asked for.
        wanted: Kind,
        /// The file's kind number.
        found: u32,
    },
    /// It is shorter or longer than its header says.
    Length {
        /// Bytes it should have.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// Its content is not what was written.
    Checksum,
    /// Its parameters contradict each other or its content.
    Malformed(&'static str),
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TableError::Io(error) => error.fmt(f),
            TableError::Foreign => f.write_str("not a bear-off table"),
            TableError::Version { found } => {
                write!(f, "bear-off table of format version {found}, this program reads version {VERSION}")
            }
            TableError::Kind { wanted, found } => {
                write!(f, "bear-off table of kind {found}, wanted a {wanted} one")
            }
            TableError::Length { expected, found } => {
                write!(f, "bear-off table is damaged: {found} bytes long, should be {expected}")
            }
            TableError::Checksum => f.write_str("bear-off table is damaged: wrong checksum"),
            TableError::Malformed(what) => write!(f, "bear-off table is damaged: {what}"),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let TableError::Io(error) = self { Some(error) } else { None }
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> TableError {
        TableError::Io(error)
    }
}

/// A table's bytes, header included: in memory or mapped.
pub(crate) struct Image {
    bytes: Bytes,
    pub params: Params,
}

enum Bytes {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

impl Image {
    /// A table just built: `body` must come from [`blank`].
    pub fn new(kind: Kind, params: Params, mut bytes: Vec<u8>) -> Image {
        let length = (bytes.len() - HEADER) as u64;
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(kind as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        for (bytes, param) in bytes[32..HEADER].chunks_exact_mut(4).zip(params) {
            bytes.copy_from_slice(&param.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
        Image { bytes: Bytes::Owned(bytes), params }
    }

    /// Maps a file and checks all of it.
    pub fn open(path: &Path, kind: Kind) -> Result<Image, TableError> {
        let file = File::open(path)?;
        // SAFETY: the map is read-only, and files under a final name are never written again, only
        // replaced by a rename, which leaves this map its old content. Somebody who truncates the file
        // in place all the same would make reads fail with a signal, as with any mapped file.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        let params = check(&map, kind)?;
        Ok(Image { bytes: Bytes::Mapped(map), params })
    }

    /// The checksum in the header, which is as good as a name.
    pub fn digest(&self) -> u64 {
        self.bytes[24..32].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// What comes after the header.
    pub fn body(&self) -> &[u8] {
        &self.bytes[HEADER..]
    }

    /// Writes the table so that `path` names all of it or what it named before.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        remove_leftovers(folder, path);
        write_whole(path, &self.bytes)
    }
}

/// Zeroed bytes with room for the header and a body of `len` bytes.
pub(crate) fn blank(len: usize) -> Vec<u8> {
    vec![0; HEADER + len]
}

/// The body part of bytes from [`blank`].
pub(crate) fn body(bytes: &[u8]) -> &[u8] {
    &bytes[HEADER..]
}

/// The same, to be written.
pub(crate) fn body_mut(bytes: &mut [u8]) -> &mut [u8] {
    &mut bytes[HEADER..]
}

/// Checks everything about a file but the meaning of its parameters.
fn check(bytes: &[u8], kind: Kind) -> Result<Params, TableError> {
    if bytes.len() < 8 || bytes[..8] != MAGIC {
        return Err(TableError::Foreign);
    }
    let length = bytes.len() as u64;
    if bytes.len() < HEADER {
        return Err(TableError::Length { expected: HEADER as u64, found: length });
    }
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
    if word(8) != VERSION {
        return Err(TableError::Version { found: word(8) });
    }
    if word(12) != kind as u32 {
        return Err(TableError::Kind { wanted: kind, found: word(12) });
    }
    let expected = long(16).saturating_add(HEADER as u64);
    if expected != length {
        return Err(TableError::Length { expected, found: length });
    }
    if long(24) != checksum(bytes) {
        return Err(TableError::Checksum);
    }
    Ok(std::array::from_fn(|i| word(32 + 4 * i)))
}

/// A 64-bit sum over a file but for the eight bytes that hold it.
///
/// Four independent lanes of `rotate((state ^ word) * odd)`. Every step is a bijection of the state for a
/// given word and of the word for a given state, so a change within one word always changes the
/// result; other damage goes unseen once in 2^64.
fn checksum(bytes: &[u8]) -> u64 {
    const ODD: [u64; 4] =
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];
    let step = |state: u64, word: u64, odd: u64| (state ^ word).wrapping_mul(odd).rotate_left(29);
    let mut lanes = ODD;
    let mut feed = |bytes: &[u8]| {
        let (blocks, rest) = bytes.as_chunks::<32>();
        for block in blocks {
            for (lane, word) in block.as_chunks::<8>().0.iter().enumerate() {
                lanes[lane] = step(lanes[lane], u64::from_le_bytes(*word), ODD[lane]);
            }
        }
        for (i, &byte) in rest.iter().enumerate() {
            lanes[i % 4] = step(lanes[i % 4], u64::from(byte), ODD[i % 4]);
        }
    };
    feed(&bytes[..24]);
    feed(&bytes[32..]);
    let mut sum = bytes.len() as u64;
    for (lane, odd) in lanes.into_iter().zip(ODD) {
        sum = step(sum, lane ^ lane >> 31, odd);
    }
    sum ^ sum >> 32
}

/// Removes temporary files for `path` that killed processes left behind an hour ago or more.
fn remove_leftovers(folder: &Path, path: &Path) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let prefix = format!("{name}{TEMPORARY}");
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix));
        let age =
            entry.metadata().and_then(|data| data.modified()).map(|at| SystemTime::now().duration_since(at));
        let old = matches!(age, Ok(Ok(age)) if age > Duration::from_secs(3600));
        if ours && old {
            // Somebody else may have been quicker; either way it is gone.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Image {
        let mut bytes = blank(1000);
        for (i, byte) in body_mut(&mut bytes).iter_mut().enumerate() {
            *byte = (i * 7 % 251) as u8;
        }
        Image::new(Kind::OneSided, [1, 2, 3, 4, 5, 6, 7, 8], bytes)
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let mut bytes = image().bytes.to_vec();
        assert!(check(&bytes, Kind::OneSided).is_ok());
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = check(&bytes, Kind::OneSided).expect_err("a flipped bit");
            match bit / 8 {
                0..8 => assert!(matches!(error, TableError::Foreign)),
                8..12 => assert!(matches!(error, TableError::Version { .. })),
                12..16 => assert!(matches!(error, TableError::Kind { .. })),
                16..24 => assert!(matches!(error, TableError::Length { .. })),
                _ => assert!(matches!(error, TableError::Checksum)),
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }

    #[test]
    fn every_truncation_is_noticed() {
        let bytes = image().bytes.to_vec();
        for len in 0..bytes.len() {
            assert!(check(&bytes[..len], Kind::OneSided).is_err(), "{len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(check(&longer, Kind::OneSided), Err(TableError::Length { .. })));
    }

    #[test]
    fn another_kind_is_named() {
        let error = check(&image().bytes, Kind::TwoSided).unwrap_err();
        assert_eq!(error.to_string(), "bear-off table of kind 1, wanted a two-sided one");
    }

    #[test]
    fn a_saved_file_is_read_back_and_leaves_no_temporary() {
        let folder = std::env::temp_dir().join(format!("gammon-file-{}", std::process::id()));
        let path = folder.join("deep").join("table.bo");
        image().save(&path).unwrap();
        image().save(&path).unwrap();
        let read = Image::open(&path, Kind::OneSided).unwrap();
        assert_eq!(read.body(), image().body());
        assert_eq!(read.params, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
        assert!(matches!(Image::open(&path, Kind::OneSided), Err(TableError::Io(_))));
    }
}
