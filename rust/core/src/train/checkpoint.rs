//! Saving a training and taking it up again.
//!
//! ```text
//! 8 bytes   magic "GAMMTRN\n" (self-play) or "GAMMFIT\n" (a fit)
//! u32       format version (2)
//! u32       length of the config, then its text
//! u64 x 2   games learned from (a fit: batches), updates made
//! f32       weights, Adam's two means, averages: a matrix each; decays: two columns
//! u32       length of what follows: the net the next chunk is played with, or a digest of the data
//! u64 x 2   digest of everything before
//! ```

use std::path::Path;

use crate::files::write_whole;
use crate::nn::{self, NetFormatError};
use crate::train::config::Config;
use crate::train::fit::{Fit, FitConfig};
use crate::train::model::Model;
use crate::train::session::Session;
use crate::train::settings::ConfigError;
use crate::train::weights::{Diverged, Weights};

const MAGIC: &[u8; 8] = b"GAMMTRN\n";
const FIT_MAGIC: &[u8; 8] = b"GAMMFIT\n";
const VERSION: u32 = 2;
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
    /// The weights inside are no net.
    Diverged(Diverged),
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
            CheckpointError::Diverged(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}

/// Why a checkpoint was not saved.
#[derive(Debug)]
pub enum SaveError {
    /// It could not be continued: the training has diverged. The file is what it was.
    Diverged(Diverged),
    /// The file could not be written.
    Io(std::io::Error),
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SaveError::Diverged(error) => error.fmt(f),
            SaveError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SaveError {}

impl Session {
    /// The training as bytes.
    ///
    /// # Errors
    /// If the training has diverged: nothing could be made of it.
    pub fn checkpoint(&self) -> Result<Vec<u8>, Diverged> {
        let (config, weights, player, learned) = self.state();
        self.net_bytes()?;
        written(MAGIC, &config.to_text(), learned, weights, &nn::write(player))
    }

    /// Writes the checkpoint to a file, which at every moment holds either the old or the new one.
    ///
    /// # Errors
    /// If the training has diverged, or if the file or a neighbour of it cannot be
    /// written.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        write_whole(path, &self.checkpoint().map_err(SaveError::Diverged)?).map_err(SaveError::Io)
    }

    /// The training a checkpoint holds.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<Session, CheckpointError> {
        let mut opened = open(MAGIC, bytes)?;
        let config = Config::from_text(opened.text).map_err(CheckpointError::Config)?;
        if config.to_text() != opened.text {
            return Err(CheckpointError::Damaged); // not as this build writes it, so not written by it
        }
        let model = opened.model(Model::new(config.set(), config.hidden as usize, config.seed))?;
        let (player, _) = nn::read(opened.rest.part(usize::MAX)?).map_err(CheckpointError::Net)?;
        let fits = opened.done <= config.games
            && player.features == config.set()
            && player.hidden == model.weights.shape.hidden;
        if !fits || !opened.rest.0.is_empty() {
            return Err(CheckpointError::Damaged);
        }
        let session = Session::from_state(config, model, player, opened.done);
        // Weights that no net can hold would only be found when the training ends.
        session.net_bytes().map_err(CheckpointError::Diverged)?;
        Ok(session)
    }
}

impl Fit {
    /// The fit as bytes.
    ///
    /// # Errors
    /// If the fit has diverged: nothing could be made of it.
    pub fn checkpoint(&self) -> Result<Vec<u8>, Diverged> {
        self.net_bytes("")?;
        let data = self.data.map_or([0; 16], |halves| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&halves[0].to_le_bytes());
            bytes[8..].copy_from_slice(&halves[1].to_le_bytes());
            bytes
        });
        written(FIT_MAGIC, &self.config().to_text(), self.done, &self.model.weights, &data)
    }

    /// Writes the checkpoint to a file, which at every moment holds either the old or the new one.
    ///
    /// # Errors
    /// If the fit has diverged, or if the file or a neighbour of it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        write_whole(path, &self.checkpoint().map_err(SaveError::Diverged)?).map_err(SaveError::Io)
    }

    /// The fit a checkpoint holds. It continues on the data it began with, and on no other.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<Fit, CheckpointError> {
        let mut opened = open(FIT_MAGIC, bytes)?;
        let config = FitConfig::from_text(opened.text).map_err(CheckpointError::Config)?;
        if config.to_text() != opened.text {
            return Err(CheckpointError::Damaged);
        }
        let model = opened.model(config.model())?;
        let data = opened.rest.part(16)?;
        let (halves, _) = data.as_chunks::<8>();
        let &[first, second] = halves else { return Err(CheckpointError::Damaged) };
        let data = [u64::from_le_bytes(first), u64::from_le_bytes(second)];
        if !opened.rest.0.is_empty() {
            return Err(CheckpointError::Damaged);
        }
        let mut fit = Fit::from_state(config, model, opened.done);
        fit.data = (data != [0; 2]).then_some(data);
        fit.net_bytes("").map_err(CheckpointError::Diverged)?;
        Ok(fit)
    }
}

/// A checkpoint's bytes.
fn written(
    magic: &[u8; 8],
    config: &str,
    done: u64,
    weights: &Weights,
    end: &[u8],
) -> Result<Vec<u8>, Diverged> {
    if !columns(weights).iter().all(|column| column.iter().all(|x| x.is_finite())) {
        return Err(Diverged::Weight);
    }
    let mut bytes = magic.to_vec();
    let chunk = |bytes: &mut Vec<u8>, part: &[u8]| {
        bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
        bytes.extend_from_slice(part);
    };
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    chunk(&mut bytes, config.as_bytes());
    for number in [done, weights.updates] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for column in columns(weights) {
        column.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
    }
    chunk(&mut bytes, end);
    let digest = nn::digest(&bytes);
    digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
    Ok(bytes)
}

/// A checkpoint whose mark, version and digest are right.
struct Opened<'a> {
    text: &'a str,
    /// Games or updates.
    done: u64,
    /// What is not read yet, without the digest.
    rest: Rest<'a>,
}

fn open<'a>(magic: &[u8; 8], bytes: &'a [u8]) -> Result<Opened<'a>, CheckpointError> {
    if !bytes.starts_with(magic) {
        return Err(CheckpointError::NotACheckpoint);
    }
    let mut rest = Rest(&bytes[magic.len()..]);
    let version = u32::from_le_bytes(rest.number()?);
    if version != VERSION {
        return Err(CheckpointError::Version { found: version });
    }
    let body = rest.0.len().checked_sub(16).ok_or(CheckpointError::Damaged)?;
    let mut end = Rest(&rest.0[body..]);
    let digest = [u64::from_le_bytes(end.number()?), u64::from_le_bytes(end.number()?)];
    if nn::digest(&bytes[..bytes.len() - 16]) != digest {
        return Err(CheckpointError::Damaged);
    }
    rest.0 = &rest.0[..body];
    let text = rest.part(LONGEST_CONFIG)?;
    let text = std::str::from_utf8(text).map_err(|_| CheckpointError::Damaged)?;
    let done = u64::from_le_bytes(rest.number()?);
    Ok(Opened { text, done, rest })
}

impl Opened<'_> {
    /// A new model with the weights that follow.
    fn model(&mut self, mut model: Model) -> Result<Model, CheckpointError> {
        model.weights.updates = u64::from_le_bytes(self.rest.number()?);
        self.rest.columns(&mut model.weights)?;
        Ok(model)
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

    /// The columns of weights, in file order.
    fn columns(&mut self, weights: &mut Weights) -> Result<(), CheckpointError> {
        let (matrix, rows) = (weights.values.len(), weights.shape.rows);
        weights.values = self.numbers(matrix)?;
        weights.means = [self.numbers(matrix)?, self.numbers(matrix)?];
        weights.averages = self.numbers(matrix)?;
        weights.decays = [self.numbers(rows)?, self.numbers(rows)?];
        Ok(())
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
    use crate::nn::FeatureSet;

    #[test]
    fn damage_is_found() {
        let session = Session::new(Config { hidden: 64, ..Config::default() }).unwrap();
        let good = session.checkpoint().unwrap();
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
        let session = Session::new(Config { hidden: 64, ..Config::default() }).unwrap();
        let good = session.checkpoint().unwrap();
        let config = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
        let matrix = Model::new(FeatureSet::Core, 64, 1).weights.values.len();
        let averages = 16 + config + 16 + 3 * 4 * matrix;
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
        assert!(matches!(overflow, Some(CheckpointError::Diverged(Diverged::Sum { .. }))), "{overflow:?}");
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("gammon-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("training.checkpoint");
        std::fs::write(&path, b"old").unwrap();
        let session = Session::new(Config { hidden: 64, ..Config::default() }).unwrap();
        session.save(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == session.checkpoint().unwrap());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
