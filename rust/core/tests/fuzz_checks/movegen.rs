//! The fast move generator against the slow one, and the names of plays.

use std::collections::HashSet;

use gammon_core::movegen::{PlayBuf, naive_plays, plays};
use gammon_core::{Backgammon, Play, Position};

use super::bytes::{from_position, position_and_roll};
use super::play::check_play;

/// Both generators find the same results, each once; each result has a play, the text of which names
/// nothing else.
pub fn check(bytes: &[u8]) -> bool {
    let Some((position, roll)) = position_and_roll(bytes) else { return false };
    assert_eq!(position_and_roll(&from_position(&position, roll)), Some((position, roll)));
    let mut buf = PlayBuf::new();
    plays::<Backgammon>(&position, roll, &mut buf);
    let mut fast = buf.positions().to_vec();
    fast.sort_unstable();
    assert_eq!(fast, naive_plays(&position, roll), "{position:?} {roll}");
    assert_eq!(buf.is_pass(), fast == [position.flip()], "{position:?} {roll}");
    let mut texts = HashSet::new();
    for after in &fast {
        assert_eq!(Position::from_counts(&after.roller(), &after.opponent()), Ok(*after));
        let Some(play) = Play::between(&position, roll, after) else {
            panic!("no play from {position:?} with {roll} to {after:?}");
        };
        assert_eq!(play.is_pass(), buf.is_pass());
        check_play(&position, roll, after, play);
        assert!(texts.insert(play.to_string()), "{position:?} {roll} {play}");
    }
    true
}
