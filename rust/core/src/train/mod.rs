//! Training a net from zero by self-play: TD(lambda), synchronous and reproducible.
//!
//! ```text
//! chunk k+1 of games is played with the net as it was before chunk k was learned from,
//! while one thread learns from chunk k:
//!
//!   play 0 | play 1   | play 2   | play 3   | ...
//!          | learn 0  | learn 1  | learn 2  | ...
//! ```
//!
//! What is played and learned depends on the [`Config`] alone: game `g` draws its dice and choices from
//! [`Stream::new(seed, g)`](crate::rng::Stream), chunks have fixed sizes, gradients are summed in a fixed
//! order. So the same config gives the same net, byte for byte, on any number of threads and after any
//! number of interruptions.

mod carry;
mod checkpoint;
mod config;
mod data;
mod data_error;
mod fit;
mod games;
mod label;
mod label_config;
mod labelling;
mod lesson;
mod model;
mod openings;
mod report;
mod selfplay;
mod session;
mod settings;
mod sharing;
mod weights;

pub use checkpoint::{CheckpointError, SaveError};
pub use config::Config;
pub use data::{Data, DataFile, RECORD, Record};
pub use data_error::DataError;
pub use fit::{Fit, FitConfig, FitError, FitProgress, FitReport, FitWatch};
pub use label::{Judges, Labeller};
pub use label_config::LabelConfig;
pub use labelling::{LabelError, LabelProgress, LabelWatch, Labelling};
pub use report::Report;
pub use session::{Progress, Session, TrainError, Watch};
pub use settings::ConfigError;
pub use weights::Diverged;
