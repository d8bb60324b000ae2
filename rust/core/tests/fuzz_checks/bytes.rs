//! Positions and rolls from arbitrary bytes, and back.
//!
//! ```text
//! byte 0      roll: 0 to 20 in the order of `Roll::ALL`
//! bytes 1, 2  where the roller's, the opponent's checkers go that nothing else places
//! the rest    one pile each: place + 25 x side + 50 x (checkers - 1)
//! ```
//!
//! Places are a side's own: 0 to 23 the points 1 to 24, 24 the bar, 25 (in bytes 1 and 2) off. A byte
//! is taken modulo its range, and a pile that the position has no room for is left out: there is no
//! illegal input, every legal position has bytes, and a changed byte changes little.

use gammon_core::position::{BAR, CHECKERS, Counts};
use gammon_core::{Position, Roll};

const HEADER: usize = 3;
const OFF: usize = 25;

/// The position and the roll that `bytes` mean; `None` if too short or nobody has a checker.
pub fn position_and_roll(bytes: &[u8]) -> Option<(Position, Roll)> {
    let (&[roll, roller_rest, opponent_rest], piles) = bytes.split_first_chunk::<HEADER>()?;
    let mut sides = [[0u8; 25]; 2];
    for &pile in piles {
        let (place, side) = (usize::from(pile) % 25, usize::from(pile) / 25 % 2);
        put(&mut sides, side, place, pile / 50 + 1);
    }
    for (side, rest) in [roller_rest, opponent_rest].into_iter().enumerate() {
        let place = usize::from(rest) % 26;
        if place != OFF {
            put(&mut sides, side, place, CHECKERS as u8);
        }
    }
    let position = Position::from_counts(&sides[0], &sides[1]).ok()?;
    Some((position, Roll::ALL[usize::from(roll) % 21]))
}

/// Adds checkers to a place, as many as the side has left; none if the other side holds the point.
fn put(sides: &mut [Counts; 2], side: usize, place: usize, count: u8) {
    if place != BAR && sides[1 - side][23 - place] > 0 {
        return;
    }
    let room = CHECKERS as u8 - sides[side].iter().sum::<u8>();
    sides[side][place] += count.min(room);
}

/// Bytes that [`position_and_roll`] reads as this.
pub fn from_position(position: &Position, roll: Roll) -> Vec<u8> {
    let mut bytes = vec![roll.index() as u8, OFF as u8, OFF as u8];
    for (side, counts) in [position.roller(), position.opponent()].into_iter().enumerate() {
        for (place, &count) in counts.iter().enumerate() {
            let pile = |count: u8| place as u8 + 25 * side as u8 + 50 * (count - 1);
            bytes.extend(std::iter::repeat_n(pile(5), usize::from(count / 5)));
            bytes.extend((count % 5 > 0).then(|| pile(count % 5)));
        }
    }
    bytes
}
