//! Dutch backgammon: all men start in hand, and only a side that has had a man home may hit.

use super::kind::{Kind, Later, Opening};
use super::marks::{self, Marks};
use super::options::Flag;
use super::plain::{hitting_result, mirrored};
use super::turns::{End, Turns};
use super::variant::{Game, left, staged};
use super::view::{Shape, holds};
use super::walk::{Contact, Mid, WAIT, Walk};
use crate::dice::Roll;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "dutch",
    aliases: &["dutch_backgammon"],
    prefix: "dutch",
    flags: &[
        Flag::words("opening", &["reroll", "use_dice"]),
        Flag::words("hit_right", &["latched", "current"]),
        Flag::on("cube"),
    ],
    opening: Opening::Reroll,
    later: Later::Opening,
    cube: true,
    build: |chosen| Dutch { latched: chosen.is("hit_right", "latched") }.into(),
};

/// Dutch backgammon.
///
/// Men on the bar and in hand wait at the same place of a position, and the marks say how many of them are in
/// hand: those on the bar enter first. The memory of a turn is whether the mover has had a man home.
#[derive(Clone, Copy, Debug)]
pub struct Dutch {
    /// Whether the right to hit is kept once it was won.
    latched: bool,
}

impl Dutch {
    fn home_now(mid: &Mid) -> bool {
        mid.held & 0x7e != 0 || mid.off[0] > 0
    }

    fn may_hit(self, mid: &Mid) -> bool {
        if self.latched { mid.memory != 0 } else { Dutch::home_now(mid) }
    }
}

impl Walk for Dutch {
    fn contact(&self) -> Contact {
        Contact::Hit
    }

    #[inline(always)]
    fn open(&self, mid: &Mid, point: usize) -> bool {
        match mid.theirs[point] {
            0 => true,
            1 => self.may_hit(mid),
            _ => false,
        }
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, _: usize, to: usize, _: bool) {
        mid.memory |= u32::from(to <= 6);
    }

    /// Only a right to hit that is won or lost within the turn makes the order matter.
    #[inline(always)]
    fn ordered(&self, mid: &Mid) -> bool {
        self.latched && mid.memory != 0
    }
}

impl Game for Dutch {
    fn shape(&self) -> Shape {
        let holds = holds::BAR | holds::HAND | holds::REACHED;
        Shape { game: "dutch", men: 15, parallel: false, holds }
    }

    fn start(&self) -> Position {
        let mut start = mirrored(&[(WAIT, 15)]);
        marks::set(&mut start, &[marks::from_nibbles([15, 15]), 0, 0, 0, 0, 0]);
        start
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        hitting_result(position, 15, true)
    }

    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        let mut mid = Mid::new(position, 15);
        let had_one = mid.marks[marks::PAIRS] & marks::ARRIVED != 0;
        mid.memory = u32::from(had_one || Dutch::home_now(&mid));
        mid
    }

    /// With the right to hit, or nobody to hit, the men move as in the standard game: those on the bar and in
    /// hand are the same to it.
    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let before = marks::of(position);
        let blots = position.places()[1..25].contains(&-1);
        let right = before[marks::PAIRS] & marks::ARRIVED != 0;
        if blots && !(self.latched && right) {
            return staged(self, position, roll, turns);
        }
        let mut men = *position;
        marks::set(&mut men, &Marks::default());
        turns.by_standard(&men, roll);
        let flipped = marks::flip(&before);
        let home = position.places()[1..7].iter().any(|&n| n > 0);
        for after in turns.results(false) {
            let places = after.places();
            let mut marks = flipped;
            let [theirs, mine] = marks::nibbles(marks[marks::WAITING]);
            marks[marks::WAITING] = marks::from_nibbles([theirs, mine.min(places[0].unsigned_abs())]);
            let arrived = home || left(after)[1] < 15 || places[19..25].iter().any(|&n| n < 0);
            marks[marks::PAIRS] |= u8::from(arrived) * (marks::ARRIVED << 1);
            marks::set(after, &marks);
        }
    }

    #[inline(always)]
    fn end(&self, end: &Mid) -> Marks {
        let mut marks = end.marks;
        let [mine, theirs] = marks::nibbles(marks[marks::WAITING]);
        marks[marks::WAITING] = marks::from_nibbles([mine.min(end.mine[WAIT]), theirs]);
        marks[marks::PAIRS] |= u8::from(end.memory != 0) * marks::ARRIVED;
        marks
    }
}
