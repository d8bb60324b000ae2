//! Gul bara: from a player's fourth turn on a double is played together with all higher ones.

use super::blocking::{self, Against, POINTS, Quick, has_come, is_runner, placed, runner_problem};
use super::kind::{Kind, Later, Opening};
use super::marks::{self, Asks, Marks};
use super::options::Flag;
use super::plain::hitting_result;
use super::turns::{End, Turns};
use super::variant::{Game, numbers, staged};
use super::view::{Shape, View, holds};
use super::walk::{Contact, Mid, Numbers, Walk, sixes};
use crate::dice::Roll;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "gul_bara",
    aliases: &["gul_bar", "gulbahar", "rosespring"],
    prefix: "gul_bara",
    flags: &[
        Flag::words("leftover", &["forfeit", "opponent"]),
        Flag::words("normal_turns", &["3", "0"]),
        Flag::words("prime", &["none", "nardi"]),
        Flag::off("runner"),
        Flag::off("celebi"),
        Flag::off("config_bonus"),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let celebi = chosen.yes("celebi");
        GulBara {
            leftover: chosen.is("leftover", "opponent"),
            normal_turns: chosen.number("normal_turns") as u8,
            prime: chosen.is("prime", "nardi") && !celebi,
            runner: chosen.yes("runner") && !celebi,
            celebi,
            config_bonus: chosen.yes("config_bonus"),
        }
        .into()
    },
};

/// Gul bara, and with hits the Celebi game. Each stage of a cascade is a decision of its own.
#[derive(Clone, Copy, Debug)]
pub struct GulBara {
    leftover: bool,
    normal_turns: u8,
    prime: bool,
    runner: bool,
    celebi: bool,
    config_bonus: bool,
}

/// How far the first checker must come before others move, with the option `runner`.
const FAR: u8 = 11;
const HOME: u32 = 0x7e;

impl GulBara {
    /// What is played in a decision, and whether it is a stage of the player's own cascade.
    fn played(self, position: &Position, roll: Roll) -> (Numbers, bool) {
        let marks = marks::of(position);
        match Asks::from_byte(marks[marks::ASKS]) {
            Some(Asks::Four(number)) => (Numbers::Equal(usize::from(number), 4), true),
            Some(Asks::Gift { number, count }) => {
                (Numbers::Equal(usize::from(number), usize::from(count)), false)
            }
            _ => {
                let turns = marks::nibbles(marks[marks::TURNS])[0];
                (numbers(roll), roll.is_double() && turns >= self.normal_turns)
            }
        }
    }

    /// What comes after `used` of the numbers of a decision, and whether the mover does it.
    #[inline(always)]
    fn follows(self, asks: Asks, numbers: Numbers, cascade: bool, used: usize, won: bool) -> (Asks, bool) {
        match (asks, numbers) {
            (Asks::Gift { .. }, _) if won => (Asks::Throw, false),
            (Asks::Gift { number: 6, .. }, _) => (Asks::Throw, true),
            (Asks::Gift { number, .. }, _) => (Asks::Gift { number: number + 1, count: 4 }, true),
            (_, Numbers::Equal(number, 4)) if cascade && !won => {
                let moved = used > 0 || asks != Asks::Throw;
                match used {
                    4 if number < 6 => (Asks::Four(number as u8 + 1), true),
                    0..4 if self.leftover && moved => {
                        (Asks::Gift { number: number as u8, count: 4 - used as u8 }, false)
                    }
                    _ => (Asks::Throw, false),
                }
            }
            _ => (Asks::Throw, false),
        }
    }

    /// Marks of a turn that has ended, with what the opponent has to do.
    fn ended(self, end: &Mid, asks: Asks) -> Marks {
        let mut marks = end.marks;
        if self.config_bonus {
            let outside = end.held & POINTS & !HOME;
            marks[marks::PAIRS] |= u8::from(end.held & HOME == HOME) * marks::SIX;
            marks[marks::PAIRS] |= u8::from(sixes(outside) != 0) * marks::OUTSIDE;
        }
        marks::count_turn(&mut marks);
        marks[marks::ASKS] = asks.byte();
        marks
    }
}

impl Walk for GulBara {
    #[inline(always)]
    fn contact(&self) -> Contact {
        if self.celebi { Contact::Hit } else { Contact::Block }
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        !self.runner || has_come(mid, u32::from(FAR)) || is_runner(mid, point)
    }

    #[inline(always)]
    fn forbidden(&self, mid: &Mid) -> bool {
        self.prime && Against::of(mid).is_blocked_by(placed(mid.held & POINTS))
    }

    #[inline(always)]
    fn ordered(&self, mid: &Mid) -> bool {
        !self.runner || has_come(mid, u32::from(FAR))
    }
}

impl Game for GulBara {
    fn shape(&self) -> Shape {
        let bar = if self.celebi { holds::BAR } else { 0 };
        let bonus = if self.config_bonus { holds::BONUS } else { 0 };
        let asked = holds::FOURS | holds::GIFTS;
        Shape {
            game: "gul_bara",
            checkers: 15,
            parallel: !self.celebi,
            holds: holds::TURNS | asked | bar | bonus,
        }
    }

    fn start(&self) -> Position {
        if self.celebi { Position::START } else { blocking::start() }
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        let end = if self.celebi { hitting_result(position, 15, false) } else { blocking::result(position) }?;
        let pairs = marks::of(position)[marks::PAIRS];
        let side = usize::from(end.winner == Some(false));
        let bonus = [marks::SIX, marks::OUTSIDE].map(|bit| u32::from(marks::pair(pairs, bit)[side]));
        Some(End { points: end.points + bonus[0] + bonus[1], ..end })
    }

    #[inline(always)]
    fn way(&self, position: &Position, roll: Roll) -> Numbers {
        self.played(position, roll).0
    }

    #[inline(always)]
    fn after(
        &self,
        before: &Position,
        roll: Roll,
        numbers: Numbers,
        used: usize,
        end: &Mid,
    ) -> (Position, bool) {
        let asks = marks::asks(before);
        let (_, cascade) = self.played(before, roll);
        let (next, kept) = self.follows(asks, numbers, cascade, used, end.off[0] == 15);
        let mut marks = end.marks;
        marks[marks::ASKS] = next.byte();
        if kept {
            return (self.seen_by_mover(end, &marks), true);
        }
        // Playing what the other side's cascade has left is no turn of its own, even if it wins.
        if !matches!(asks, Asks::Gift { .. }) {
            marks = self.ended(end, next);
        }
        (self.flip(&self.seen_by_mover(end, &marks)), false)
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let (asks, before) = (marks::asks(position), marks::of(position));
        let (numbers, cascade) = self.played(position, roll);
        let quick = Quick {
            position,
            numbers,
            head: 15,
            far: self.runner.then_some(FAR),
            forbidden: |held, against: &Against| self.prime && against.is_blocked_by(held),
            end: |used, won| {
                let (next, kept) = self.follows(asks, numbers, cascade, used, won);
                let mut marks = before;
                marks[marks::ASKS] = next.byte();
                if !kept && !matches!(asks, Asks::Gift { .. }) {
                    marks::count_turn(&mut marks);
                }
                (marks, kept)
            },
        };
        if self.celebi || self.config_bonus || !quick.fill(turns) {
            staged(self, position, roll, turns);
        }
    }

    fn more_problems(&self, view: &View, problems: &mut Vec<String>) {
        if self.runner {
            for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
                problems.extend(runner_problem(&view.checkers[side], view.off[side], usize::from(FAR), who));
            }
        }
    }
}
