//! Fevga: a single checker closes a point, one checker runs ahead, and primes are limited.

use super::blocking::{self, Against, POINTS, Quick, has_come, is_runner, placed, runner_problem};
use super::kind::{Kind, Later, Opening};
use super::marks;
use super::options::Flag;
use super::turns::{End, Turns};
use super::variant::{Game, staged};
use super::view::{Shape, View};
use super::walk::{Contact, Mid, Walk, across, across_mask};
use crate::dice::Roll;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "fevga",
    aliases: &["moultezim"],
    prefix: "fevga",
    flags: &[
        Flag::words("start_quarter", &["never_full", "unless_passed", "free"]),
        Flag::off("start_front"),
        Flag::on("prime_open"),
        Flag::words("runner", &["pass_start", "none"]),
        Flag::words("preset", &["none", "moultezim"]),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let moultezim = chosen.is("preset", "moultezim");
        let far = if moultezim { 12 } else { 11 };
        Fevga {
            quarter: match chosen.get("start_quarter") {
                "free" => Quarter::Free,
                "unless_passed" => Quarter::UnlessPassed,
                _ => Quarter::NeverFull,
            },
            start_front: chosen.yes("start_front"),
            prime_open: chosen.yes("prime_open"),
            runner: chosen.is("runner", "pass_start").then_some(far),
            moultezim,
        }
        .into()
    },
};

/// Whether all six points of the own first quarter may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quarter {
    NeverFull,
    UnlessPassed,
    Free,
}

/// Fevga, and with other limits Moultezim.
#[derive(Clone, Copy, Debug)]
pub struct Fevga {
    quarter: Quarter,
    start_front: bool,
    prime_open: bool,
    /// Where the first checker must have come before others move.
    runner: Option<u8>,
    moultezim: bool,
}

const FIRST_QUARTER: u32 = placed(0b11_1111 << 19);
const IN_FRONT_OF_THEIR_START: u32 = placed(0b11_1111 << 6);
const THEIR_FIRST_QUARTER: u32 = placed(0b11_1111 << 7);
const THEIR_START: u32 = placed(1 << across(24));
const THEIR_HOME: u32 = placed(across_mask(0x7e));

impl Fevga {
    /// Whether a turn may not end with the mover's checkers on these places.
    #[inline(always)]
    fn is_forbidden(self, held: u32, against: &Against) -> bool {
        let full = |places| held & places == places;
        // Their checkers have gone through my first quarter, their 12 to 7, when they stand on their 6 or lower.
        let quarter = match self.quarter {
            Quarter::NeverFull => full(FIRST_QUARTER),
            Quarter::UnlessPassed => {
                full(FIRST_QUARTER) && against.theirs & THEIR_HOME == 0 && !against.off()
            }
            Quarter::Free => false,
        };
        quarter
            || (self.start_front && against.theirs & THEIR_START != 0 && full(IN_FRONT_OF_THEIR_START))
            || (self.moultezim && (held & THEIR_FIRST_QUARTER).count_ones() > 4)
            || (self.prime_open && Fevga::shuts_in_everybody(held, against))
    }

    /// Whether all checkers of the other side stand on one point, right behind six of the mover's.
    #[inline(always)]
    fn shuts_in_everybody(held: u32, against: &Against) -> bool {
        let theirs = across_mask(against.theirs);
        // Six places ahead of him, which go up against his route, from the 18th on there are none.
        let six = (theirs << 7).wrapping_sub(theirs << 1);
        theirs.is_power_of_two() && theirs < 1 << 19 && across_mask(held) & six == six
    }

    fn may_leave_freely(self, mid: &Mid) -> bool {
        self.runner.is_none_or(|far| has_come(mid, u32::from(far)))
    }
}

impl Walk for Fevga {
    fn contact(&self) -> Contact {
        Contact::Block
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        self.may_leave_freely(mid) || is_runner(mid, point)
    }

    #[inline(always)]
    fn forbidden(&self, mid: &Mid) -> bool {
        self.is_forbidden(placed(mid.held & POINTS), &Against::of(mid))
    }

    #[inline(always)]
    fn ordered(&self, mid: &Mid) -> bool {
        self.may_leave_freely(mid)
    }
}

impl Game for Fevga {
    fn shape(&self) -> Shape {
        Shape { game: "fevga", checkers: 15, parallel: true, holds: 0 }
    }

    fn start(&self) -> Position {
        blocking::start()
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        blocking::result(position)
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let marks = marks::of(position);
        let quick = Quick {
            position,
            numbers: self.numbers(roll),
            head: 15,
            far: self.runner,
            forbidden: |held, against: &Against| self.is_forbidden(held, against),
            end: |_, _| (marks, false),
        };
        if !quick.fill(turns) {
            staged(self, position, roll, turns);
        }
    }

    fn more_problems(&self, view: &View, problems: &mut Vec<String>) {
        let Some(far) = self.runner else { return };
        for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
            problems.extend(runner_problem(&view.checkers[side], view.off[side], usize::from(far), who));
        }
    }
}
