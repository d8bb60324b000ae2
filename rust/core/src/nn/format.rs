//! The net file: layout, writer, reader.
//!
//! All numbers little-endian:
//!
//! ```text
//! 8 bytes   magic "GAMMNET\n"
//! u32       format version (1, or 2: the same numbers more tightly, as `compact` says, from the biases on)
//! u32       feature set
//! u32 x 5   rows, hidden units, buckets, units of the second layer, outputs
//! u32       shift: first-layer integers are real weights x 2^shift
//! u64       seed of the training
//! u32       length of the recipe, then the recipe (UTF-8 text: the trainer's settings)
//! i16       hidden biases, then rows x hidden weights
//! f32       second layer: a bias a bucket and unit, then buckets x hidden x units weights
//! f32       outputs: a bias a bucket and output, then buckets x outputs x units weights
//! u64 x 2   digest of everything before
//! ```
//!
//! The digest finds damage and names files; it is no protection against forgery.

use crate::nn::compact;
use crate::nn::net::{MIDDLE, OUTPUTS, Parts, TILE};
use crate::nn::sets::FeatureSet;

const MAGIC: &[u8; 8] = b"GAMMNET\n";
const VERSION: u32 = 1;
const COMPACT: u32 = 2;
const LARGEST_HIDDEN: u32 = 4096;
const LARGEST_SHIFT: u32 = 14;
pub(crate) const LONGEST_RECIPE: u32 = 1 << 16;
/// Keeps sums beyond the first layer finite.
pub(crate) const LARGEST_WEIGHT: f32 = 1e6;
const DIGEST_BYTES: usize = 16;

/// What a net file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetInfo {
    /// The set of features it was trained for.
    pub features: FeatureSet,
    /// 32 hexadecimal digits that name the net's bytes.
    pub digest: String,
    /// Hidden units.
    pub hidden: usize,
    /// Seed of the training.
    pub seed: u64,
    /// The trainer's settings, as text.
    pub recipe: String,
}

/// Why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetFormatError {
    /// The bytes do not begin like a net file.
    NotANet,
    /// The file's format version is not one this build reads.
    Version {
        /// The version found.
        found: u32,
    },
    /// The net was trained for features this build does not have.
    FeatureSet {
        /// The feature set found.
        found: u32,
    },
    /// The net plays another game.
    Game {
        /// The game it was trained for.
        found: &'static str,
        /// The game it was to play.
        wanted: &'static str,
    },
    /// A size is not what the feature set needs, or absurd.
    Shape {
        /// Which size.
        what: &'static str,
        /// The value found.
        found: u32,
        /// What would have been right.
        expected: String,
    },
    /// The file ends early.
    Truncated {
        /// Bytes needed.
        needed: u64,
        /// Bytes there.
        found: u64,
    },
    /// Bytes follow the end of the net.
    TrailingBytes {
        /// How many.
        extra: u64,
    },
    /// The bytes do not match the digest at their end: the file is damaged.
    Digest,
    /// The recipe is not UTF-8 text.
    Recipe,
    /// A weight beyond the first layer is not a number or absurdly large.
    Weight {
        /// Its place among them, in file order.
        index: usize,
    },
    /// First-layer sums could leave the range of 16 bits.
    Overflow {
        /// The largest sum possible.
        sum: i64,
    },
}

impl std::fmt::Display for NetFormatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unusable net file: ")?;
        match self {
            NetFormatError::NotANet => f.write_str("it does not begin with the mark of a net"),
            NetFormatError::Version { found } => {
                write!(f, "format version {found}, this build reads versions {VERSION} and {COMPACT}")
            }
            NetFormatError::Game { found, wanted } => {
                write!(f, "it was trained for {found} and cannot play {wanted}")
            }
            NetFormatError::FeatureSet { found } => {
                let known = FeatureSet::ALL.map(|set| set.id().to_string()).join(" and ");
                write!(
                    f,
                    "made for feature set {found}, this build has sets {known} and those of other games"
                )
            }
            NetFormatError::Shape { what, found, expected } => {
                write!(f, "{what} is {found}, expected {expected}")
            }
            NetFormatError::Truncated { needed, found } => {
                write!(f, "cut short: {found} bytes of {needed}")
            }
            NetFormatError::TrailingBytes { extra } => write!(f, "{extra} bytes too many"),
            NetFormatError::Digest => f.write_str("the contents do not match the digest, it is damaged"),
            NetFormatError::Recipe => f.write_str("the recipe is not UTF-8 text"),
            NetFormatError::Weight { index } => {
                write!(f, "weight {index} beyond the first layer is unusable")
            }
            NetFormatError::Overflow { sum } => {
                write!(f, "first-layer sums can reach {sum}, beyond {}", i16::MAX)
            }
        }
    }
}

impl std::error::Error for NetFormatError {}

/// The file of a net.
pub(crate) fn write(parts: &Parts) -> Vec<u8> {
    signed(parts, VERSION, |bytes| {
        for weight in parts.bias.iter().chain(&parts.rows) {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
        for weight in real_numbers(parts) {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
    })
}

/// The compact file of a net, whose numbers are [`rounded`](compact::rounded).
pub(crate) fn write_compact(parts: &Parts) -> Vec<u8> {
    signed(parts, COMPACT, |bytes| compact::write(parts, bytes))
}

/// The head of a net file, its body, and the digest.
fn signed(parts: &Parts, version: u32, body: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let set = parts.features;
    let sizes = [set.rows(), parts.hidden, set.buckets(), MIDDLE, OUTPUTS].map(|size| size as u32);
    for number in [version, set.id()].into_iter().chain(sizes).chain([parts.shift]) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&parts.seed.to_le_bytes());
    bytes.extend_from_slice(&(parts.recipe.len() as u32).to_le_bytes());
    bytes.extend_from_slice(parts.recipe.as_bytes());
    body(&mut bytes);
    let digest = digest(&bytes);
    digest.iter().for_each(|half| bytes.extend_from_slice(&half.to_le_bytes()));
    bytes
}

/// Bytes of weights and digest.
fn body_bytes(features: FeatureSet, hidden: u64) -> u64 {
    let first = 2 * hidden * (1 + features.rows() as u64);
    let units = features.buckets() as u64 * MIDDLE as u64 * (1 + hidden);
    let outputs = (features.buckets() * OUTPUTS) as u64 * (1 + MIDDLE as u64);
    first + 4 * (units + outputs) + DIGEST_BYTES as u64
}

/// The numbers beyond the first layer, in file order.
fn real_numbers(parts: &Parts) -> impl Iterator<Item = &f32> {
    [&parts.mid_bias, &parts.mid_rows, &parts.out_bias, &parts.out_rows].into_iter().flatten()
}

/// The numbers and the digest of a net file.
pub(crate) fn read(bytes: &[u8]) -> Result<(Parts, [u64; 2]), NetFormatError> {
    let known = MAGIC.len().min(bytes.len());
    if bytes[..known] != MAGIC[..known] || bytes.is_empty() {
        return Err(NetFormatError::NotANet);
    }
    let mut reader = Reader { bytes, at: MAGIC.len() };
    let version = reader.u32()?;
    if version != VERSION && version != COMPACT {
        return Err(NetFormatError::Version { found: version });
    }
    let found = reader.u32()?;
    let features = FeatureSet::from_id(found).ok_or(NetFormatError::FeatureSet { found })?;
    let (rows, buckets) = (features.rows(), features.buckets());
    let exact = |what, found, expected: usize| {
        if found == expected as u32 {
            Ok(())
        } else {
            Err(NetFormatError::Shape { what, found, expected: expected.to_string() })
        }
    };
    exact("the number of rows", reader.u32()?, rows)?;
    let hidden = reader.u32()?;
    if hidden == 0 || hidden > LARGEST_HIDDEN || hidden % TILE as u32 != 0 {
        let expected = format!("a multiple of {TILE} up to {LARGEST_HIDDEN}");
        return Err(NetFormatError::Shape { what: "the number of hidden units", found: hidden, expected });
    }
    exact("the number of buckets", reader.u32()?, buckets)?;
    exact("the number of units of the second layer", reader.u32()?, MIDDLE)?;
    exact("the number of outputs", reader.u32()?, OUTPUTS)?;
    let at_most = |what, found, limit| {
        if found <= limit {
            Ok(found)
        } else {
            Err(NetFormatError::Shape { what, found, expected: format!("at most {limit}") })
        }
    };
    let shift = at_most("the shift", reader.u32()?, LARGEST_SHIFT)?;
    let seed = reader.u64()?;
    let recipe_bytes = at_most("the length of the recipe", reader.u32()?, LONGEST_RECIPE)?;

    // The whole length is known now: compare it before reading on or allocating anything.
    let body = match version {
        VERSION => body_bytes(features, u64::from(hidden)),
        _ => {
            let mut body = reader.clone();
            body.take(recipe_bytes as usize)?;
            compact::length(&body, features, hidden as usize)? + DIGEST_BYTES as u64
        }
    };
    let needed = reader.at as u64 + u64::from(recipe_bytes) + body;
    let found = bytes.len() as u64;
    if found < needed {
        return Err(NetFormatError::Truncated { needed, found });
    }
    if found > needed {
        return Err(NetFormatError::TrailingBytes { extra: found - needed });
    }
    let digest = digest(&bytes[..bytes.len() - DIGEST_BYTES]);
    if digest != digest_of_file(bytes) {
        return Err(NetFormatError::Digest);
    }
    let recipe = reader.take(recipe_bytes as usize)?;
    let recipe = std::str::from_utf8(recipe).map_err(|_| NetFormatError::Recipe)?.to_owned();
    let hidden = hidden as usize;
    let compact::Body { bias, rows, mid_bias, mid_rows, out_bias, out_rows } = match version {
        VERSION => compact::Body {
            bias: reader.i16s(hidden)?,
            rows: reader.i16s(rows * hidden)?,
            mid_bias: reader.f32s(buckets * MIDDLE)?,
            mid_rows: reader.f32s(buckets * MIDDLE * hidden)?,
            out_bias: reader.f32s(buckets * OUTPUTS)?,
            out_rows: reader.f32s(buckets * OUTPUTS * MIDDLE)?,
        },
        _ => compact::read(&mut reader, features, hidden)?,
    };
    let parts =
        Parts { features, hidden, shift, seed, recipe, bias, rows, mid_bias, mid_rows, out_bias, out_rows };
    check(&parts)?;
    Ok((parts, digest))
}

fn check(parts: &Parts) -> Result<(), NetFormatError> {
    if let Some(index) = real_numbers(parts).position(|w| w.is_nan() || w.abs() > LARGEST_WEIGHT) {
        return Err(NetFormatError::Weight { index });
    }
    let sum = Parts::largest_sum(parts.features, parts.hidden, &parts.bias, &parts.rows);
    if sum > i64::from(i16::MAX) {
        return Err(NetFormatError::Overflow { sum });
    }
    Ok(())
}

/// The digest written at the end of a net file of at least 16 bytes.
pub(crate) fn digest_of_file(bytes: &[u8]) -> [u64; 2] {
    let (halves, _) = bytes[bytes.len() - DIGEST_BYTES..].as_chunks::<8>();
    [u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])]
}

/// A 128-bit digest: two lanes of multiply and mix over 8-byte words (the last one padded with zeros),
/// each lane its own odd multiplier, closed with the length and the SplitMix64 finaliser.
pub(crate) fn digest(bytes: &[u8]) -> [u64; 2] {
    const MULTIPLIERS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
    MULTIPLIERS.map(|multiplier| {
        let mut state = multiplier ^ bytes.len() as u64;
        let mut absorb = |word: u64| {
            state = (state ^ word).wrapping_mul(multiplier);
            state ^= state >> 29;
        };
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| absorb(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        absorb(u64::from_le_bytes(last));
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    })
}

/// Little-endian numbers from bytes.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], NetFormatError> {
        let end = self.at.saturating_add(count);
        let taken = self
            .bytes
            .get(self.at..end)
            .ok_or(NetFormatError::Truncated { needed: end as u64, found: self.bytes.len() as u64 })?;
        self.at = end;
        Ok(taken)
    }

    fn numbers<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], NetFormatError> {
        Ok(self.take(count.saturating_mul(N))?.as_chunks::<N>().0)
    }

    fn u32(&mut self) -> Result<u32, NetFormatError> {
        Ok(u32::from_le_bytes(self.numbers::<4>(1)?[0]))
    }

    fn u64(&mut self) -> Result<u64, NetFormatError> {
        Ok(u64::from_le_bytes(self.numbers::<8>(1)?[0]))
    }

    pub(super) fn i16s(&mut self, count: usize) -> Result<Vec<i16>, NetFormatError> {
        Ok(self.numbers::<2>(count)?.iter().map(|&b| i16::from_le_bytes(b)).collect())
    }

    pub(super) fn f32s(&mut self, count: usize) -> Result<Vec<f32>, NetFormatError> {
        Ok(self.numbers::<4>(count)?.iter().map(|&b| f32::from_le_bytes(b)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::net::tests::random_parts;

    fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
        let body = bytes.len() - DIGEST_BYTES;
        let [a, b] = digest(&bytes[..body]);
        bytes[body..body + 8].copy_from_slice(&a.to_le_bytes());
        bytes[body + 8..].copy_from_slice(&b.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read_back() {
        for features in FeatureSet::ALL {
            let parts = random_parts(features, 64, 9);
            let bytes = write(&parts);
            let (back, digest) = read(&bytes).unwrap();
            assert!(back == parts);
            assert_eq!(digest, digest_of_file(&bytes));
        }
    }

    #[test]
    fn every_damage_is_named() {
        let parts = random_parts(FeatureSet::Core, 64, 9);
        let good = write(&parts);
        let error = |bytes: &[u8]| read(bytes).err().unwrap();
        let with = |at: usize, value: u32| {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            bytes
        };
        assert_eq!(error(b""), NetFormatError::NotANet);
        assert_eq!(error(b"GIF89a, not a net"), NetFormatError::NotANet);
        assert_eq!(error(&with(8, 7)), NetFormatError::Version { found: 7 });
        assert_eq!(error(&with(12, 99)), NetFormatError::FeatureSet { found: 99 });
        for (at, what) in [
            (16, "rows"),
            (20, "hidden"),
            (24, "buckets"),
            (28, "second"),
            (32, "outputs"),
            (36, "shift"),
            (48, "recipe"),
        ] {
            let NetFormatError::Shape { what: named, found, .. } = error(&with(at, u32::MAX)) else {
                panic!("{what}")
            };
            assert!(named.contains(what) && found == u32::MAX);
        }
        let needed = good.len() as u64;
        for len in [0, 5, 8, 11, 40, 100, good.len() - 17, good.len() - 1] {
            match error(&good[..len]) {
                NetFormatError::NotANet => assert_eq!(len, 0),
                NetFormatError::Truncated { needed: n, found } => {
                    assert!(found == len as u64 && n > found && n <= needed);
                }
                other => panic!("{other:?}"),
            }
        }
        let mut long = good.clone();
        long.extend_from_slice(b"abc");
        assert_eq!(error(&long), NetFormatError::TrailingBytes { extra: 3 });
        for at in [40, 54, 1_000, good.len() - 20, good.len() - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            assert_eq!(error(&bytes), NetFormatError::Digest, "{at}");
        }
    }

    #[test]
    fn numbers_are_checked_even_when_signed() {
        let mut parts = random_parts(FeatureSet::Core, 64, 9);
        parts.mid_rows[5] = f32::NAN;
        assert_eq!(
            read(&write(&parts)).err(),
            Some(NetFormatError::Weight { index: parts.features.buckets() * MIDDLE + 5 })
        );
        let mut parts = random_parts(FeatureSet::Core, 64, 9);
        parts.rows.iter_mut().for_each(|w| *w = 2_000);
        assert!(matches!(read(&write(&parts)), Err(NetFormatError::Overflow { .. })));
        let mut bytes = write(&random_parts(FeatureSet::Core, 64, 9));
        bytes[52] = 0xff;
        assert_eq!(read(&signed(bytes)).err(), Some(NetFormatError::Recipe));
    }

    #[test]
    fn digest_is_the_recorded_one() {
        // A change here would orphan every net file.
        assert_eq!(digest(b"gammon"), GOLDEN);
        assert_ne!(digest(b"gammon\0"), GOLDEN);
    }

    const GOLDEN: [u64; 2] = [2_343_594_401_720_874_033, 6_490_462_475_358_034_216];
}
