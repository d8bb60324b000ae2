//! Saving a training and taking it up again.
//!
//! ```text
//! 8 bytes   magic "GAMMTRN\n"
//! u32       format version (1)
//! u32       length of the config, then its text
//! u64 x 2   games learned from, updates made
//! f32       weights, Adam's two means, averages: a matrix each; decays: two columns
//! u32       length of the net the next chunk is played with, then its file
//! u64 x 2   digest of everything before
//! ```

use std::io::Write;
use std::path::Path;

use crate::nn::{self, NetFormatError};
use crate::train::config::{Config, ConfigError};
use crate::train::model::Model;
use crate::train::session::Session;
use crate::train::weights::{MATRIX_ROWS, Weights};

const MAGIC: &[u8; 8] = b"GAMMTRN\n";
const VERSION: u32 = 1;
const LONGEST_CONFIG: usize = 1 << 16;

/// Why bytes are not a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The bytes do not begin like a checkpoint.
    NotACheckpoint,
    /// Written in a format this build does not read.
    Version {
        /// The version found.
        found: u32,
    },
    /// Cut short, too long or damaged.
    Damaged,
    /// The settings inside are unusable.
    Config(ConfigError),
    /// The net inside is unusable.
    Net(NetFormatError),
}

impl std::fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unusable checkpoint: ")?;
        match self {
            CheckpointError::NotACheckpoint => f.write_str("it does not begin with the mark of one"),
            CheckpointError::Version { found } => {
                write!(f, "format version {found}, this build reads version {VERSION}")
            }
            CheckpointError::Damaged => f.write_str("it is cut short or damaged"),
            CheckpointError::Config(error) => error.fmt(f),
            CheckpointError::Net(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl Session {
    /// The training as bytes.
    pub fn checkpoint(&self) -> Vec<u8> {
        let (config, weights, player, learned) = self.state();
        let mut bytes = MAGIC.to_vec();
        let chunk = |bytes: &mut Vec<u8>, part: &[u8]| {
            bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part);
        };
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        chunk(&mut bytes, config.to_text().as_bytes());
        for number in [learned, weights.updates] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for column in columns(weights) {
            column.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        }
        chunk(&mut bytes, &nn::write(player));
        let digest = nn::digest(&bytes);
        digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
        bytes
    }

    /// Writes the checkpoint to a file, which at every moment holds either the old or the new one.
    ///
    /// # Errors
    /// If the file or its neighbour with `.new` added to the name cannot be written.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let mut file = std::fs::File::create(&name)?;
        file.write_all(&self.checkpoint())?;
        file.sync_all()?;
        std::fs::rename(&name, path)
    }

    /// The training a checkpoint holds.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<Session, CheckpointError> {
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointError::NotACheckpoint);
        }
        let mut rest = Rest(&bytes[MAGIC.len()..]);
        let version = u32::from_le_bytes(rest.number()?);
        if version != VERSION {
            return Err(CheckpointError::Version { found: version });
        }
        let body = bytes.len().checked_sub(16).ok_or(CheckpointError::Damaged)?;
        let mut end = Rest(&bytes[body..]);
        let digest = [u64::from_le_bytes(end.number()?), u64::from_le_bytes(end.number()?)];
        if nn::digest(&bytes[..body]) != digest {
            return Err(CheckpointError::Damaged);
        }
        let text = rest.part(LONGEST_CONFIG)?;
        let text = std::str::from_utf8(text).map_err(|_| CheckpointError::Damaged)?;
        let config = Config::from_text(text).map_err(CheckpointError::Config)?;
        if config.to_text() != text {
            return Err(CheckpointError::Damaged); // not as this build writes it, so not written by it
        }
        let learned = u64::from_le_bytes(rest.number()?);
        let mut weights = Weights::new(config.hidden as usize, config.seed);
        weights.updates = u64::from_le_bytes(rest.number()?);
        let matrix = MATRIX_ROWS * weights.hidden;
        weights.values = rest.numbers(matrix)?;
        weights.means = [rest.numbers(matrix)?, rest.numbers(matrix)?];
        weights.averages = rest.numbers(matrix)?;
        weights.decays = [rest.numbers(MATRIX_ROWS)?, rest.numbers(MATRIX_ROWS)?];
        let (player, _) = nn::read(rest.part(usize::MAX)?).map_err(CheckpointError::Net)?;
        let fits = learned <= config.games && player.hidden == weights.hidden && rest.0.len() == 16;
        if !fits {
            return Err(CheckpointError::Damaged);
        }
        let session = Session::from_state(config, Model::new(weights), player, learned);
        // Weights that no net can hold would only be found when the training ends.
        nn::read(&session.net_bytes()).map_err(CheckpointError::Net)?;
        Ok(session)
    }
}

/// All columns of weights, in file order.
fn columns(weights: &Weights) -> [&[f32]; 6] {
    let [mean, square] = &weights.means;
    let [decay, square_decay] = &weights.decays;
    [&weights.values, mean, square, &weights.averages, decay, square_decay]
}

/// Bytes not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        Ok(self.take(N)?.as_chunks().0[0])
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f32>, CheckpointError> {
        let bytes = self.take(count.checked_mul(4).ok_or(CheckpointError::Damaged)?)?;
        let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect();
        if numbers.iter().all(|x| x.is_finite()) { Ok(numbers) } else { Err(CheckpointError::Damaged) }
    }

    /// A part that begins with its length.
    fn part(&mut self, longest: usize) -> Result<&'a [u8], CheckpointError> {
        let length = u32::from_le_bytes(self.number()?) as usize;
        if length > longest { Err(CheckpointError::Damaged) } else { self.take(length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_found() {
        let session = Session::new(Config { hidden: 64, ..Config::default() }).unwrap();
        let good = session.checkpoint();
        let error = |bytes: &[u8]| Session::from_checkpoint(bytes).err().unwrap();
        assert_eq!(error(b"GAMMNET\n"), CheckpointError::NotACheckpoint);
        assert_eq!(error(MAGIC), CheckpointError::Damaged);
        for len in [9, 12, 20, 200, good.len() - 1] {
            assert_eq!(error(&good[..len]), CheckpointError::Damaged, "{len}");
        }
        let mut bytes = good.clone();
        bytes[8] = 9;
        assert_eq!(error(&bytes), CheckpointError::Version { found: 9 });
        for at in [30, 5_000, good.len() - 3] {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            assert_eq!(error(&bytes), CheckpointError::Damaged, "{at}");
        }
    }

    /// A right digest does not make the numbers usable.
    #[test]
    fn weights_no_net_can_hold_are_found() {
        let good = Session::new(Config { hidden: 64, ..Config::default() }).unwrap().checkpoint();
        let config = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
        let averages = 16 + config + 16 + 3 * 4 * MATRIX_ROWS * 64;
        let with = |weight: f32| {
            let mut bytes = good[..good.len() - 16].to_vec();
            bytes[averages..averages + 4].copy_from_slice(&weight.to_le_bytes());
            let digest = nn::digest(&bytes);
            digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
            Session::from_checkpoint(&bytes)
        };
        assert!(with(0.01).is_ok());
        assert_eq!(with(f32::NAN).err(), Some(CheckpointError::Damaged));
        let overflow = with(40_000.0).err();
        assert!(
            matches!(overflow, Some(CheckpointError::Net(NetFormatError::Overflow { .. }))),
            "{overflow:?}"
        );
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("gammon-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("training.checkpoint");
        std::fs::write(&path, b"old").unwrap();
        let session = Session::new(Config { hidden: 64, ..Config::default() }).unwrap();
        session.save(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == session.checkpoint());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
