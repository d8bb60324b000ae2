//! Jacquet: a courier goes ahead, and six in a row have to be earned.

use super::blocking::{self, Against, POINTS, Quick, has_come, has_six, is_runner, placed, runner_problem};
use super::kind::{Kind, Later, Opening};
use super::marks::{self, Marks};
use super::options::Flag;
use super::turns::{Class, End, Turns};
use super::variant::{Game, is_over, left, numbers, staged};
use super::view::{Shape, View, holds};
use super::walk::{self, Contact, Mid, Numbers, Walk};
use crate::dice::Roll;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "jacquet",
    aliases: &[],
    prefix: "jacquet",
    flags: &[
        Flag::words("prime", &["needs_last_two", "free", "never_six", "nardi"]),
        Flag::off("must_bear_off"),
        Flag::off("triple_no_prime"),
        Flag::words("doubles", &["4", "value"]),
        Flag::words("style", &["block", "hitting"]),
    ],
    opening: Opening::Reroll,
    later: Later::Opening,
    cube: false,
    build: |chosen| {
        let hits = chosen.is("style", "hitting");
        Jacquet {
            prime: match chosen.get("prime") {
                "free" => Prime::Free,
                "never_six" => Prime::NeverSix,
                "nardi" => Prime::Nardi,
                _ => Prime::NeedsLastTwo,
            },
            must_bear_off: hits || chosen.yes("must_bear_off"),
            triple_no_prime: chosen.yes("triple_no_prime"),
            by_value: chosen.is("doubles", "value"),
            hits,
        }
        .into()
    },
};

/// When six in a row are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prime {
    NeedsLastTwo,
    Free,
    NeverSix,
    Nardi,
}

/// Jacquet, and with hits its early form. The memory of a turn is whether the courier has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Jacquet {
    prime: Prime,
    must_bear_off: bool,
    triple_no_prime: bool,
    /// Whether a double is as many moves as its number.
    by_value: bool,
    hits: bool,
}

/// Where the courier must have come: the last quarter.
const FAR: u8 = 6;
const TWELFTH: usize = 13;
const LAST_TWO: u32 = placed(0b110);

impl Jacquet {
    /// Whether a turn may not end with the mover's checkers on these places (without hits).
    #[inline(always)]
    fn is_forbidden(self, held: u32, against: &Against) -> bool {
        match self.prime {
            Prime::NeedsLastTwo => has_six(held) && held & LAST_TWO != LAST_TWO,
            Prime::Free => false,
            Prime::NeverSix => has_six(held),
            Prime::Nardi => against.is_blocked_by(held),
        }
    }
}

impl Walk for Jacquet {
    #[inline(always)]
    fn contact(&self) -> Contact {
        if self.hits { Contact::Hit } else { Contact::Block }
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        mid.memory != 0 || is_runner(mid, point)
    }

    #[inline(always)]
    fn must_bear_off(&self) -> bool {
        self.must_bear_off
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, _: usize, to: usize, _: bool) {
        mid.memory |= u32::from(to <= usize::from(FAR));
    }

    #[inline(always)]
    fn forbidden(&self, mid: &Mid) -> bool {
        if self.hits {
            let closed = (19..=24).filter(|&point: &usize| mid.mine[point] >= 2).count();
            return mid.off[0] == 0 && (closed > 2 || mid.mine[TWELFTH] > 2);
        }
        self.is_forbidden(placed(mid.held & POINTS), &Against::of(mid))
    }

    #[inline(always)]
    fn ordered(&self, mid: &Mid) -> bool {
        mid.memory != 0 && !self.must_bear_off
    }
}

impl Game for Jacquet {
    fn shape(&self) -> Shape {
        let bar = if self.hits { holds::BAR | holds::REACHED } else { 0 };
        let six = if self.triple_no_prime { holds::SIX } else { 0 };
        Shape { game: "jacquet", checkers: 15, parallel: true, holds: bar | six }
    }

    fn start(&self) -> Position {
        blocking::start()
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        if !is_over(position) {
            return None;
        }
        let [me, opponent] = left(position);
        let winner = me == 0;
        let ended = |class, points| Some(End { winner: Some(winner), class, points });
        if me.max(opponent) < 15 {
            return ended(Class::Single, 1);
        }
        let far = (TWELFTH..=25).any(|point| match (winner, point) {
            (true, 25) => position.0[0] < 0,
            (true, point) => position.0[walk::across(point)] < 0,
            (false, point) => position.0[point] > 0,
        });
        if self.hits && far {
            return ended(Class::Backgammon, 3);
        }
        let built = marks::pair(marks::of(position)[marks::PAIRS], marks::SIX)[usize::from(!winner)];
        ended(Class::Gammon, if self.triple_no_prime && !built { 3 } else { 2 })
    }

    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        let mut mid = Mid::new(position, 15);
        let arrived = mid.marks[marks::PAIRS] & marks::ARRIVED != 0;
        mid.memory = u32::from(arrived || has_come(&mid, u32::from(FAR)));
        mid
    }

    #[inline(always)]
    fn numbers(&self, roll: Roll) -> Numbers {
        match numbers(roll) {
            Numbers::Equal(number, _) if self.by_value => Numbers::Equal(number, number),
            numbers => numbers,
        }
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let marks = marks::of(position);
        let quick = Quick {
            position,
            numbers: self.numbers(roll),
            head: 15,
            far: Some(FAR),
            forbidden: |held, against: &Against| self.is_forbidden(held, against),
            end: |_, _| (marks, false),
        };
        let simple = !(self.hits || self.must_bear_off || self.triple_no_prime);
        if !(simple && quick.fill(turns)) {
            staged(self, position, roll, turns);
        }
    }

    #[inline(always)]
    fn end(&self, end: &Mid) -> Marks {
        let mut marks = end.marks;
        if self.hits {
            marks[marks::PAIRS] |= u8::from(end.memory != 0) * marks::ARRIVED;
        }
        if self.triple_no_prime {
            marks[marks::PAIRS] |= u8::from(has_six(placed(end.held & POINTS))) * marks::SIX;
        }
        marks
    }

    fn more_problems(&self, view: &View, problems: &mut Vec<String>) {
        for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
            if !view.reached[side] {
                problems.extend(runner_problem(&view.checkers[side], view.off[side], usize::from(FAR), who));
            }
        }
    }
}
