//! What a game remembers beside where the checkers stand: the six spare bytes of a position.
//!
//! Most games use the bytes alike; Plakoto keeps its pins there and Trictrac its marking (`plakoto`,
//! `trictrac`). Pairs belong to the roller and the opponent and change places when the roll is handed over:
//!
//! ```text
//! byte 26   nibbles   waiting checkers that are in hand (Dutch, Acey-deucey with bar_first)
//! byte 27   bits 0,1  has arrived home once (Dutch, Jacquet with hits)
//!           bits 2,3  has held all home points (Gul bara), has built six in a row (Jacquet)
//!           bits 4,5  has held six points in a row outside home (Gul bara)
//!           bits 6,7  threw first (Nardi long with last_throw_draw)
//! byte 28   nibbles   turns completed, up to 3
//! byte 29             what the player to act has to decide, see `Asks`
//! byte 30             throws of 1-2 so far, up to 15 (Acey-deucey with double_on_acey)
//! ```

use crate::dice::Roll;
use crate::position::Position;

/// Where the spare bytes begin.
pub(crate) const FIRST: usize = 26;

/// The spare bytes.
pub(crate) type Marks = [u8; 6];

/// Index of the nibbles of waiting checkers among the marks.
pub(crate) const WAITING: usize = 0;
/// Index of the pairs of bits.
pub(crate) const PAIRS: usize = 1;
/// Index of the completed turns.
pub(crate) const TURNS: usize = 2;
/// Index of what has to be decided.
pub(crate) const ASKS: usize = 3;
/// Index of the throws of 1-2.
pub(crate) const ACEYS: usize = 4;

/// Bits of [`PAIRS`] that belong to the roller; the opponent's are one higher.
pub(crate) const ARRIVED: u8 = 1;
/// Has held all home points, or built six in a row.
pub(crate) const SIX: u8 = 1 << 2;
/// Has held six points in a row outside home.
pub(crate) const OUTSIDE: u8 = 1 << 4;
/// Threw first.
pub(crate) const STARTED: u8 = 1 << 6;

/// Turns are counted up to here.
pub(crate) const MOST_TURNS: u8 = 3;

/// The most throws of 1-2 that are counted: the stake is then 32,768-fold.
pub(crate) const MOST_ACEYS: u8 = 15;

/// The marks of a position.
pub(crate) fn of(position: &Position) -> Marks {
    std::array::from_fn(|i| position.0[FIRST + i] as u8)
}

/// Writes the marks of a position.
pub(crate) fn set(position: &mut Position, marks: &Marks) {
    for (i, &mark) in marks.iter().enumerate() {
        position.0[FIRST + i] = mark as i8;
    }
}

/// The nibbles of a byte, the roller's first.
pub(crate) fn nibbles(byte: u8) -> [u8; 2] {
    [byte & 15, byte >> 4]
}

/// The byte of two nibbles.
pub(crate) fn from_nibbles([roller, opponent]: [u8; 2]) -> u8 {
    roller & 15 | opponent << 4
}

/// The two bits of a pair, `bit` being the roller's.
pub(crate) fn pair(byte: u8, bit: u8) -> [bool; 2] {
    [byte & bit != 0, byte & (bit << 1) != 0]
}

/// The bits of a pair.
pub(crate) fn from_pair(bit: u8, [roller, opponent]: [bool; 2]) -> u8 {
    (u8::from(roller) * bit) | (u8::from(opponent) * (bit << 1))
}

/// The same marks seen by the other player.
pub(crate) fn flip(marks: &Marks) -> Marks {
    let mut flipped = *marks;
    flipped[WAITING] = marks[WAITING].rotate_left(4);
    flipped[PAIRS] = (marks[PAIRS] & 0x55) << 1 | (marks[PAIRS] >> 1) & 0x55;
    flipped[TURNS] = marks[TURNS].rotate_left(4);
    flipped
}

/// One more turn completed by the roller.
pub(crate) fn count_turn(marks: &mut Marks) {
    let [roller, opponent] = nibbles(marks[TURNS]);
    marks[TURNS] = from_nibbles([MOST_TURNS.min(roller + 1), opponent]);
}

/// What the player to act has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asks {
    /// Throw the dice.
    Throw,
    /// Name a double and play it (Acey-deucey after 1-2).
    Name,
    /// Play four moves of this number: a stage of a Gul bara cascade, or the complementary double of European
    /// Acey-deucey.
    Four(u8),
    /// Play what the opponent's cascade has left: `count` moves of `number`, after them four of each higher one.
    Gift {
        /// The number played now.
        number: u8,
        /// Moves of it.
        count: u8,
    },
    /// Play this throw, whose points are marked: the player has stayed (Trictrac).
    Play(Roll),
    /// Mark what the other player's throw has given: so many points are due (Trictrac with schools).
    Mark(u8),
    /// Nothing: the round was ended by leaving (Trictrac in rounds).
    Nothing,
}

const NAME: u8 = 0x08;
const FOUR: u8 = 0x10;
const NOTHING: u8 = 0x20;
const GIFT: u8 = 0x40;
const PLAY: u8 = 0x80;
/// Points to be marked are even, and kept halved.
const MARK: u8 = 0xc0;
/// The most that can be due: fifteen false hits and all else are less.
pub(crate) const MOST_DUE: u8 = 126;

impl Asks {
    /// The byte that stands for it.
    pub(crate) fn byte(self) -> u8 {
        match self {
            Asks::Throw => 0,
            Asks::Name => NAME,
            Asks::Four(number) => FOUR | number,
            Asks::Gift { number, count } => GIFT | count << 3 | number,
            Asks::Play(roll) => PLAY | roll.index() as u8,
            Asks::Mark(points) => MARK | (points.min(MOST_DUE) / 2),
            Asks::Nothing => NOTHING,
        }
    }

    /// What a byte stands for; `None` for one that stands for nothing.
    pub(crate) fn from_byte(byte: u8) -> Option<Asks> {
        let number = byte & 7;
        let asks = match byte {
            0 => Asks::Throw,
            NAME => Asks::Name,
            NOTHING => Asks::Nothing,
            _ if byte & MARK == MARK => Asks::Mark((byte & !MARK) * 2),
            _ if byte & PLAY != 0 => Asks::Play(*Roll::ALL.get(usize::from(byte & !PLAY))?),
            _ if byte & GIFT != 0 => Asks::Gift { number, count: byte >> 3 & 7 },
            _ => Asks::Four(number),
        };
        let numbered = match asks {
            Asks::Four(number) => (1..=6).contains(&number),
            Asks::Gift { number, count } => (1..=6).contains(&number) && (1..=4).contains(&count),
            Asks::Mark(points) => points > 0,
            _ => true,
        };
        (numbered && asks.byte() == byte).then_some(asks)
    }
}

/// What the player to act in a position of most games has to do (not Plakoto, which has no such byte).
pub(crate) fn asks(position: &Position) -> Asks {
    Asks::from_byte(of(position)[ASKS]).unwrap_or(Asks::Throw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        for byte in 0..=255u8 {
            let marks = [byte, byte.wrapping_mul(7), byte.wrapping_add(9), byte, byte, 0];
            assert_eq!(flip(&flip(&marks)), marks);
            let [roller, opponent] = pair(byte, SIX);
            assert_eq!(pair(flip(&[0, byte, 0, 0, 0, 0])[PAIRS], SIX), [opponent, roller]);
            assert_eq!(from_nibbles(nibbles(byte)), byte);
        }
    }

    #[test]
    fn each_byte_asks_for_one_thing_or_none() {
        let all: Vec<_> = (0..=255).filter_map(Asks::from_byte).collect();
        assert_eq!(all.len(), 3 + 6 + 24 + 21 + 63);
        for asks in all {
            assert_eq!(Asks::from_byte(asks.byte()), Some(asks));
        }
    }
}
