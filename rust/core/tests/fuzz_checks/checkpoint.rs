//! The reader of training checkpoints.

use std::sync::LazyLock;

use gammon_core::nn::Net;
use gammon_core::train::{Config, Session};

use super::files::changed;

static GOOD_FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let config = Config { hidden: 64, games: 1_000, ..Config::default() };
    Session::new(config).expect("sound settings").checkpoint().expect("first weights are small")
});

/// Damaged, cut and forged checkpoints are refused; what is accepted is the same bytes when saved again,
/// and holds a net that can be read.
///
/// The first byte says what the rest is: a whole file if it is even, else changes to a good file, after
/// which the digest is made right again if bit 1 is set.
pub fn check(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else { return false };
    let file = if kind & 1 == 0 { rest.to_vec() } else { changed(&GOOD_FILE, rest, kind & 2 != 0) };
    match Session::from_checkpoint(&file) {
        Ok(session) => {
            assert!(session.checkpoint().is_ok_and(|saved| saved == file), "{bytes:?} is saved differently");
            assert!(session.games() <= session.config().games);
            let net = session.net_bytes().unwrap_or_else(|error| panic!("{bytes:?}: {error}"));
            if let Err(error) = Net::from_bytes(&net) {
                panic!("{bytes:?}: {error}");
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
