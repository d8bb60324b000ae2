//! The reader of net files.

use std::sync::LazyLock;

use gammon_core::eval::Evaluator;
use gammon_core::nn::{FeatureSet, GameNet, InstructionSet, Net, OUTPUTS};
use gammon_core::train::{Config, Session};
use gammon_core::{Position, Probs};

use super::bytes::position_and_roll;
use super::files::{changed, sign};

const HIDDEN: usize = 64;
/// Units of the second layer.
const SECOND: usize = 32;

/// Damaged, cut and forged nets are refused, and what is accepted evaluates to chances, the same ones on
/// every set of instructions.
///
/// The first byte says what the rest is: a whole file if it is even, else changes to a good file, after
/// which the digest is made right again if bit 1 is set; with bit 2 it is the compact file of a net of another game.
pub fn check(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else { return false };
    if kind & 1 == 0 {
        return accepts(rest, &Position::START) || accepts_game(rest);
    }
    if kind & 4 != 0 {
        return accepts_game(&changed(&GOOD_GAME, rest, kind & 2 != 0));
    }
    let position = position_and_roll(rest).map_or(Position::START, |(position, _)| position);
    accepts(&changed(&GOOD_FILE, rest, kind & 2 != 0), &position)
}

fn accepts(file: &[u8], position: &Position) -> bool {
    match Net::from_bytes(file) {
        Ok(net) => {
            let info = net.info().clone();
            assert_eq!(info.digest.len(), 32);
            let expected = evaluate(&net, position);
            for set in InstructionSet::available() {
                let net =
                    Net::from_bytes(file).expect("it was read before").on(set).expect("it is available");
                assert_eq!(evaluate(&net, position).map(f32::to_bits), expected.map(f32::to_bits), "{set:?}");
            }
            let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = expected;
            for chain in [[win, win_gammon, win_backgammon], [1.0 - win, lose_gammon, lose_backgammon]] {
                assert!((0.0..=1.0).contains(&chain[0]), "{expected:?}");
                assert!(
                    chain[1] <= chain[0] + 1e-6 && chain[2] <= chain[1] && chain[2] >= 0.0,
                    "{expected:?}"
                );
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Likewise of another game, in a position of its own.
fn accepts_game(file: &[u8]) -> bool {
    match GameNet::from_bytes(file) {
        Ok(net) => {
            let mut probs = [Probs::default()];
            net.evaluate(&[Position::START], &mut probs);
            let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = probs[0].to_array();
            for chain in [[win, win_gammon, win_backgammon], [1.0 - win, lose_gammon, lose_backgammon]] {
                assert!((0.0..=1.0).contains(&chain[0]), "{probs:?}");
                assert!(chain[1] <= chain[0] + 1e-6 && chain[2] <= chain[1] && chain[2] >= 0.0, "{probs:?}");
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

static GOOD_GAME: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let config = Config { variant: "fevga".to_owned(), games: 1, hidden: 64, ..Config::default() };
    let session = Session::new(config).expect("these settings are good");
    session.net_bytes().expect("first weights are small")
});

fn evaluate(net: &Net, position: &Position) -> [f32; 5] {
    let mut probs = [Probs::default()];
    net.evaluate(&[*position], &mut probs).expect("a net always answers");
    probs[0].to_array()
}

static GOOD_FILE: LazyLock<Vec<u8>> = LazyLock::new(good_file);

/// A small net of small numbers, written as the format's description says, not by the library.
fn good_file() -> Vec<u8> {
    let mut file = b"GAMMNET\n".to_vec();
    let shift = 9;
    let set = FeatureSet::Core;
    let (rows, buckets) = (set.rows(), set.buckets());
    let sizes = [rows, HIDDEN, buckets, SECOND, OUTPUTS].map(|size| size as u32);
    for number in [1, set.id()].into_iter().chain(sizes).chain([shift]) {
        file.extend(number.to_le_bytes());
    }
    file.extend(7u64.to_le_bytes());
    let recipe = "a recipe";
    file.extend((recipe.len() as u32).to_le_bytes());
    file.extend(recipe.bytes());
    for i in 0..HIDDEN * (1 + rows) {
        file.extend((i as i16 % 37 - 18).to_le_bytes());
    }
    for i in 0..buckets * (SECOND * (1 + HIDDEN) + OUTPUTS * (1 + SECOND)) {
        file.extend(((i % 29) as f32 / 14.0 - 1.0).to_le_bytes());
    }
    sign(&mut file);
    file
}
