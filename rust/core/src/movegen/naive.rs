//! The obvious generator: every sequence of single steps is tried. The judge of the fast one.

use crate::dice::Roll;
use crate::position::Position;
use crate::steps::{DiceLeft, steps_with};

/// Every distinct result of `roll`, the opponent on roll, sorted: each sequence of steps is tried.
///
/// An unplayable roll gives the unchanged position with the roll handed over.
pub fn naive_plays(position: &Position, roll: Roll) -> Vec<Position> {
    let mut leaves = Vec::new();
    collect(position, DiceLeft::of(roll), 0, 0, &mut leaves);
    let most = leaves.iter().map(|&(_, used, _)| used).max().unwrap_or(0);
    leaves.retain(|&(_, used, _)| used == most);
    if most == 1 && !roll.is_double() && leaves.iter().any(|&(_, _, first)| first == roll.high()) {
        leaves.retain(|&(_, _, first)| first == roll.high());
    }
    let mut plays: Vec<Position> = leaves.iter().map(|(after, _, _)| after.flip()).collect();
    plays.sort_unstable();
    plays.dedup();
    plays
}

/// Notes every position on the way with the number of dice used and the first of them.
fn collect(position: &Position, dice: DiceLeft, used: u32, first: u8, leaves: &mut Vec<(Position, u32, u8)>) {
    leaves.push((*position, used, first));
    for &die in dice.distinct() {
        for (_, after) in steps_with(position, die) {
            collect(&after, dice.without(die), used + 1, if used == 0 { die } else { first }, leaves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{PlayBuf, plays, random_game};
    use crate::rng::Stream;
    use crate::rules::Backgammon;

    #[test]
    fn the_fast_generator_agrees_in_random_games() {
        let (mut game_buf, mut buf) = (PlayBuf::new(), PlayBuf::new());
        let mut compared = 0;
        for trial in 0..12 {
            random_game::<Backgammon>(Stream::new(11, trial), 400, &mut game_buf, |position, roll, _| {
                plays::<Backgammon>(position, roll, &mut buf);
                let mut fast = buf.positions().to_vec();
                fast.sort_unstable();
                assert_eq!(fast, naive_plays(position, roll), "{position:?} {roll}");
                compared += 1;
            });
        }
        assert!(compared > 500, "{compared}");
    }
}
