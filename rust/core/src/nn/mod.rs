//! Neural nets: sparse 0/1 features, an integer first layer, a small second one, five chances out.
//!
//! A [`Net`] is read from bytes ([`Net::from_bytes`]) and then evaluates batches of positions; the same
//! bytes give the same numbers, bit for bit, on every CPU.

mod compact;
pub(crate) mod family;
pub(crate) mod family_rows;
pub(crate) mod features;
mod format;
pub(crate) mod full;
mod game;
mod kernels;
mod masks;
mod net;
pub(crate) mod plan;
mod primes;
mod second;
mod sets;
mod shots;
mod squash;

pub use format::{NetFormatError, NetInfo};
pub use game::Game;
pub use kernels::InstructionSet;
pub use net::{GameNet, Net, OUTPUTS};
pub use sets::{ActiveRows, FeatureSet, MAX_ACTIVE};

pub(crate) use compact::rounded;
pub(crate) use format::{LARGEST_WEIGHT, LONGEST_RECIPE, digest, read, write, write_compact};
pub(crate) use kernels::sum_lanes;
pub(crate) use net::{MIDDLE, Parts, TILE};
pub(crate) use sets::Group;
pub(crate) use squash::{compose, sigmoid};
