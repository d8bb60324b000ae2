//! Plays from text.

use gammon_core::movegen::{PlayBuf, plays};
use gammon_core::steps::step;
use gammon_core::{Backgammon, Play, PlayProblem, PlayTextError, Position, Roll};

use super::bytes::position_and_roll;
use super::text::check_error;

/// A text that is a legal play leads to a result of the generator, and prints to what reads as the same.
/// The first byte says how many bytes more are position and roll; the rest is the text.
pub fn check(bytes: &[u8]) -> bool {
    let Some((&length, rest)) = bytes.split_first() else { return false };
    let Some((head, text)) = rest.split_at_checked(usize::from(length % 64)) else { return false };
    let Some((position, roll)) = position_and_roll(head) else { return false };
    let Ok(text) = std::str::from_utf8(text) else { return false };
    match Play::resolve(&position, roll, text) {
        Ok((play, after)) => {
            let mut buf = PlayBuf::new();
            plays::<Backgammon>(&position, roll, &mut buf);
            assert!(buf.positions().contains(&after), "{position:?} {roll} {text:?} {play}");
            check_play(&position, roll, &after, play);
            true
        }
        Err(PlayTextError::Parse(error)) => {
            check_error(&error, text);
            false
        }
        Err(PlayTextError::Illegal(error)) => {
            assert_eq!(error.roll, roll);
            assert!(!error.to_string().is_empty());
            true
        }
    }
}

/// A legal play is named by its result, step by step legal, and what it prints and its moves read back.
pub fn check_play(position: &Position, roll: Roll, after: &Position, play: Play) {
    let text = play.to_string();
    let shown = || format!("{position:?} {roll} {text:?} {after:?}");
    assert_eq!(Play::between(position, roll, after), Some(play), "{}", shown());
    assert_eq!(Play::resolve(position, roll, &text), Ok((play, *after)), "{}", shown());
    match Play::resolve_moves(position, roll, play.moves()) {
        Ok(found) => assert_eq!(found, (play, *after), "{}", shown()),
        Err(error) => assert_eq!(error.problem, PlayProblem::Ambiguous, "{}", shown()),
    }
    let mut now = *position;
    let dice = [roll.high(), roll.low()];
    for (i, moved) in play.moves().iter().enumerate() {
        let steps = dice.map(|die| step(&now, moved.from, die).ok().filter(|(step, _)| step.to == moved.to));
        let (step, next) = steps.into_iter().flatten().next().unwrap_or_else(|| panic!("{} {i}", shown()));
        assert_eq!(step.hit, play.hits(i), "{}", shown());
        now = next;
    }
    assert_eq!(now.flip(), *after, "{}", shown());
}
