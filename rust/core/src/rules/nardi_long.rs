//! Long nardi: no hits, one checker a turn from the head, no block in front of everybody.

use super::blocking::{self, Against, POINTS, Quick, has_six, placed};
use super::kind::{Kind, Later, Opening};
use super::marks::{self, Marks};
use super::options::Flag;
use super::turns::{Class, End, Turns};
use super::variant::{Game, is_over, left, numbers, staged};
use super::view::{Shape, holds};
use super::walk::{self, Contact, Mid, Numbers, Walk};
use crate::dice::Roll;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "nardi_long",
    aliases: &["long_nardi"],
    prefix: "nardi_long",
    flags: &[
        Flag::words("opening", &["reroll", "use_dice"]),
        Flag::words("head_exception", &["three_doubles", "blocked", "none"]),
        Flag::words("block", &["need_enemy_ahead", "never_six", "free"]),
        Flag::words("block_check", &["end", "step"]),
        Flag::off("last_throw_draw"),
        Flag::off("home_mars"),
        Flag::off("koks"),
        Flag::off("cube"),
        Flag::words("doubles", &["4", "2"]),
    ],
    opening: Opening::Reroll,
    later: Later::Opening,
    cube: false,
    build: |chosen| {
        NardiLong {
            exception: match chosen.get("head_exception") {
                "none" => Exception::None,
                "blocked" => Exception::Blocked,
                _ => Exception::ThreeDoubles,
            },
            block: match chosen.get("block") {
                "free" => Block::Free,
                "never_six" => Block::NeverSix,
                _ => Block::NeedEnemyAhead,
            },
            each_step: chosen.is("block_check", "step"),
            last_throw_draw: chosen.yes("last_throw_draw"),
            home_mars: chosen.yes("home_mars"),
            koks: chosen.yes("koks"),
            moves_of_a_double: chosen.number("doubles") as u8,
        }
        .into()
    },
};

/// When two checkers may leave the head on a player's first turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exception {
    ThreeDoubles,
    Blocked,
    None,
}

/// Which blocks of six are not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    NeedEnemyAhead,
    NeverSix,
    Free,
}

/// Long nardi. The memory of a turn is how many checkers may still leave the head.
#[derive(Clone, Copy, Debug)]
pub struct NardiLong {
    exception: Exception,
    block: Block,
    each_step: bool,
    last_throw_draw: bool,
    home_mars: bool,
    koks: bool,
    moves_of_a_double: u8,
}

const HEAD: usize = 24;

impl NardiLong {
    #[inline(always)]
    fn is_block(self, held: u32, against: &Against) -> bool {
        match self.block {
            Block::NeedEnemyAhead => against.is_blocked_by(held),
            Block::NeverSix => has_six(held),
            Block::Free => false,
        }
    }

    #[inline(always)]
    fn blocks(self, mid: &Mid) -> bool {
        self.is_block(placed(mid.held & POINTS), &Against::of(mid))
    }

    /// Whether one checker from the head is not enough for the throw, because a checker off the head stands before one
    /// of the other side's.
    fn stopped_by_enemies(self, mid: &Mid, roll: Roll) -> bool {
        let (one, numbers) = (Mid { memory: 1, ..*mid }, self.numbers(roll));
        let mut ends = Vec::new();
        let used = walk::ends(&self, &one, numbers, &mut ends);
        if used == numbers.len() {
            return false;
        }
        let orders = match numbers {
            Numbers::Two(high, low) => [(high, low), (low, high)],
            Numbers::Equal(number, _) => [(number, number); 2],
        };
        orders.iter().any(|&(first, second)| {
            let next = if used == 0 { first } else { second };
            walk::layer(&self, &one, first, used)
                .iter()
                .any(|end| (next + 1..HEAD).any(|point| end.mine[point] > 0 && end.theirs[point - next] > 0))
        })
    }

    /// How many checkers may leave the head in a turn.
    #[inline(always)]
    fn head_checkers(self, position: &Position, roll: Roll) -> u8 {
        if marks::nibbles(marks::of(position)[marks::TURNS])[0] > 0 {
            return 1;
        }
        let two = match self.exception {
            Exception::None => false,
            Exception::ThreeDoubles => roll.is_double() && matches!(roll.high(), 3 | 4 | 6),
            Exception::Blocked => self.stopped_by_enemies(&self.open_turn(position), roll),
        };
        1 + u8::from(two)
    }

    /// What a loser without a checker off loses.
    fn lost(self, position: &Position, winner: bool) -> (Class, u32) {
        // The loser's points beyond his home, in whose numbering they are.
        let away =
            (7..=24).any(
                |point: usize| {
                    if winner { position.0[walk::across(point)] < 0 } else { position.0[point] > 0 }
                },
            );
        match away {
            true if self.koks => (Class::Backgammon, 3),
            false if self.home_mars => (Class::Gammon, 3),
            _ => (Class::Gammon, 2),
        }
    }
}

impl Walk for NardiLong {
    fn contact(&self) -> Contact {
        Contact::Block
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        point != HEAD || mid.memory > 0
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, from: usize, _: usize, _: bool) {
        mid.memory -= u32::from(from == HEAD);
    }

    #[inline(always)]
    fn step_allowed(&self, mid: &Mid) -> bool {
        !self.each_step || !self.blocks(mid)
    }

    #[inline(always)]
    fn forbidden(&self, mid: &Mid) -> bool {
        !self.each_step && self.blocks(mid)
    }

    #[inline(always)]
    fn ordered(&self, _: &Mid) -> bool {
        !self.each_step
    }
}

impl Game for NardiLong {
    fn shape(&self) -> Shape {
        let draw = if self.last_throw_draw { holds::STARTED | holds::BOTH_OFF } else { 0 };
        Shape { game: "nardi_long", checkers: 15, parallel: true, holds: holds::TURNS | draw }
    }

    fn start(&self) -> Position {
        let mut start = blocking::start();
        let started = if self.last_throw_draw { marks::STARTED } else { 0 };
        marks::set(&mut start, &[0, started, 0, 0, 0, 0]);
        start
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        if !is_over(position) {
            return None;
        }
        let [me, opponent] = left(position);
        if me == 0 && opponent == 0 {
            return Some(End { winner: None, class: Class::Draw, points: 0 });
        }
        let winner = me == 0;
        let loser_off = 15 - me.max(opponent);
        let [i_started, he_started] = marks::pair(marks::of(position)[marks::PAIRS], marks::STARTED);
        if self.last_throw_draw && he_started && !i_started && !winner && loser_off > 0 {
            return None; // the second player's last throw
        }
        let (class, points) = if loser_off > 0 { (Class::Single, 1) } else { self.lost(position, winner) };
        Some(End { winner: Some(winner), class, points })
    }

    #[inline(always)]
    fn begin(&self, mid: &mut Mid, roll: Roll) {
        let mut before = mid.position();
        marks::set(&mut before, &mid.marks);
        mid.memory = u32::from(self.head_checkers(&before, roll));
    }

    #[inline(always)]
    fn numbers(&self, roll: Roll) -> Numbers {
        match numbers(roll) {
            Numbers::Equal(number, _) => Numbers::Equal(number, usize::from(self.moves_of_a_double)),
            two => two,
        }
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let mut marks = marks::of(position);
        marks::count_turn(&mut marks);
        let quick = Quick {
            position,
            numbers: self.numbers(roll),
            head: self.head_checkers(position, roll),
            far: None,
            forbidden: |held, against: &Against| self.is_block(held, against),
            end: |_, _| (marks, false),
        };
        if self.each_step || !quick.fill(turns) {
            staged(self, position, roll, turns);
        }
    }

    #[inline(always)]
    fn end(&self, end: &Mid) -> Marks {
        let mut marks = end.marks;
        marks::count_turn(&mut marks);
        marks
    }
}
