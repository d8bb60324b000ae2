//! The reader of net files.

use std::sync::LazyLock;

use gammon_core::eval::Evaluator;
use gammon_core::nn::features::{BUCKETS, FEATURE_SET, ROWS};
use gammon_core::nn::{InstructionSet, Net, OUTPUTS};
use gammon_core::{Position, Probs};

use super::bytes::position_and_roll;

const HIDDEN: usize = 64;
const DIGEST_BYTES: usize = 16;

/// Damaged, cut and forged nets are refused, and what is accepted evaluates to chances, the same ones on
/// every set of instructions.
///
/// The first byte says what the rest is: a whole file if it is even; if it is odd, changes to a good
/// file, four bytes each (three for a place, the lowest first, one for the new byte; a place beyond
/// the end cuts or lengthens the file), after which the digest is made right again if bit 1 is set.
pub fn check(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else { return false };
    if kind & 1 == 0 {
        return accepts(rest, &Position::START);
    }
    let mut file = GOOD_FILE.clone();
    let (changes, _) = rest.as_chunks::<4>();
    for &[low, middle, high, new] in changes {
        let place = u32::from_le_bytes([low, middle, high, 0]) as usize;
        match file.get_mut(place) {
            Some(byte) => *byte = new,
            None if place & 1 == 0 => file.truncate(file.len().saturating_sub(usize::from(new))),
            None => file.extend([new; 3]),
        }
    }
    if kind & 2 != 0 && file.len() >= DIGEST_BYTES {
        sign(&mut file);
    }
    let position = position_and_roll(rest).map_or(Position::START, |(position, _)| position);
    accepts(&file, &position)
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
    for number in [1, FEATURE_SET, ROWS as u32, HIDDEN as u32, BUCKETS as u32, OUTPUTS as u32, shift] {
        file.extend(number.to_le_bytes());
    }
    file.extend(7u64.to_le_bytes());
    let recipe = "a recipe";
    file.extend((recipe.len() as u32).to_le_bytes());
    file.extend(recipe.bytes());
    for i in 0..HIDDEN * (1 + ROWS) {
        file.extend((i as i16 % 37 - 18).to_le_bytes());
    }
    for i in 0..BUCKETS * OUTPUTS * (1 + HIDDEN) {
        file.extend(((i % 29) as f32 / 14.0 - 1.0).to_le_bytes());
    }
    file.extend([0; DIGEST_BYTES]);
    sign(&mut file);
    file
}

/// Puts the digest of what comes before at the end.
fn sign(file: &mut [u8]) {
    let (body, end) = file.split_at_mut(file.len() - DIGEST_BYTES);
    for (half, multiplier) in [0x9e37_79b9_7f4a_7c15_u64, 0xd1b5_4a32_d192_ed03].into_iter().enumerate() {
        let mut state = multiplier ^ body.len() as u64;
        for word in body.chunks(8).chain((body.len() % 8 == 0).then_some(&[][..])) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            state = (state ^ u64::from_le_bytes(padded)).wrapping_mul(multiplier);
            state ^= state >> 29;
        }
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
        end[half * 8..half * 8 + 8].copy_from_slice(&state.to_le_bytes());
    }
}
