//! What games begin from when they are played for their positions.

use crate::movegen::{self, PlayBuf};
use crate::position::{Counts, Position};
use crate::rng::Stream;
use crate::rules::{Backgammon, Rules};
use crate::train::label_config::LabelConfig;

/// Streams of a game's random words beside its dice; those of its turns are numbered in `label`.
mod purpose {
    pub(super) const OPENING: u64 = 11;
    pub(super) const SCATTER: u64 = 15;
}

/// The position and turn a game is played from.
pub(super) fn open(config: &LabelConfig, dice: Stream, buf: &mut PlayBuf) -> (Position, u64) {
    let words = dice.fork(purpose::OPENING);
    let LabelConfig { few, few_plays, many, many_plays, scattered, scattered_checkers, .. } = *config;
    let kind = words.unit(0);
    let thrown_from = few + many + scattered;
    if (thrown_from..thrown_from + config.thrown).contains(&kind) {
        return (thrown(dice.fork(purpose::SCATTER)), 1);
    }
    let draw = |most: u64| 1 + u64::from(words.below(most as u32, 1));
    let plays = if kind < few {
        draw(few_plays)
    } else if kind < few + many + scattered {
        draw(many_plays)
    } else {
        0
    };
    let mut position = Backgammon::start();
    for turn in 0..plays {
        let roll = if turn == 0 { dice.opening_roll(0) } else { dice.roll(turn) };
        movegen::plays::<Backgammon>(&position, roll, buf);
        let candidates = buf.positions();
        position = candidates[words.below(candidates.len() as u32, 2 + turn) as usize];
        if position.is_over() {
            return (position, turn + 1);
        }
    }
    if kind >= few + many && kind < few + many + scattered {
        position = scatter(&position, dice.fork(purpose::SCATTER), scattered_checkers as u32);
    }
    (position, plays)
}

/// Checkers thrown on points: from one to all fifteen of a side, anywhere or near its home, now and then some on
/// the bar.
fn thrown(words: Stream) -> Position {
    let mut counter = 0;
    let mut draw = |bound: u32| {
        counter += 1;
        words.below(bound, counter)
    };
    let mut sides: [Counts; 2] = [[0; 25]; 2];
    for side in 0..2 {
        let all = draw(2) == 0;
        let checkers = if all { 15 } else { 1 + draw(15) };
        let on_bar = if draw(4) == 0 { draw(5).min(checkers) } else { 0 };
        sides[side][24] = on_bar as u8;
        let reach = 3 + draw(22);
        // Two in three go where the side is already: stacks and made points, not blots alone.
        let mut last = draw(reach.min(24)) as usize;
        for _ in on_bar..checkers {
            if draw(3) == 0 {
                last = if draw(6) == 0 { draw(24) } else { draw(reach.min(24)) } as usize;
            } else if draw(2) == 0 {
                last = (last + draw(3) as usize).min(23);
            }
            let place = if sides[1 - side][23 - last] > 0 { 24 } else { last };
            sides[side][place] += 1;
        }
    }
    Position::from_counts(&sides[0], &sides[1]).expect("fifteen checkers a side at most, no point shared")
}

/// Takes up to `most` checkers of each side from their places and puts them on others, not rarely the bar.
fn scatter(position: &Position, words: Stream, most: u32) -> Position {
    let mut sides: [Counts; 2] = [position.roller(), position.opponent()];
    let mut counter = 0;
    let mut draw = |bound: u32| {
        counter += 1;
        words.below(bound, counter)
    };
    for side in 0..2 {
        let to_bar = draw(4) == 0;
        for _ in 0..=draw(most) {
            let from = draw(25) as usize;
            let to = if to_bar && draw(2) == 0 { 24 } else { draw(25) as usize };
            let blocked = to < 24 && sides[1 - side][23 - to] > 0;
            if sides[side][from] > 0 && !blocked {
                sides[side][from] -= 1;
                sides[side][to] += 1;
            }
        }
    }
    Position::from_counts(&sides[0], &sides[1]).unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Phase;

    #[test]
    fn thrown_checkers_are_of_every_kind() {
        let positions: Vec<Position> = (0..2_000).map(|i| thrown(Stream::new(3, i))).collect();
        for phase in Phase::ALL[1..].iter() {
            assert!(positions.iter().any(|position| Phase::of(position) == *phase), "{phase}");
        }
        assert!(positions.iter().any(|position| position.borne_off().0 > 10));
        assert!(positions.iter().any(|position| position.places()[25] > 3));
        let contact = positions.iter().filter(|position| !position.is_race()).count();
        assert!(contact > 1_500, "{contact}");
    }
}
