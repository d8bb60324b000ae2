//! Gul bara: from a player's fourth turn on a double is played together with all higher ones.

use super::blocking::{self, Against, POINTS, Simple, are_free, has_come, is_runner, quick, runner_problem};
use super::counted::Points;
use super::kind::{Kind, Later, Opening};
use super::marks::{self, Asks, Marks};
use super::options::Flag;
use super::plain::hitting_result;
use super::turns::{End, Turns};
use super::variant::{Game, left, numbers, staged};
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

/// How far the first man must come before others move, with the option `runner`.
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

    /// The quick way, for a turn without a cascade, or a stage that can be completed and is followed by another.
    #[inline(always)]
    fn counted(self, position: &Position, roll: Roll, turns: &mut Turns) -> bool {
        let points = Points::of(position);
        let mut marks = marks::of(position);
        let gift = matches!(Asks::from_byte(marks[marks::ASKS]), Some(Asks::Gift { .. }));
        let runner = self.runner && !are_free(points.held[0], u32::from(FAR));
        if self.celebi || self.config_bonus || gift || runner {
            return false;
        }
        let (numbers, cascade) = self.played(position, roll);
        let kept = match numbers {
            // Who has few men left may finish in mid-cascade, and then nothing follows.
            Numbers::Equal(number, _) if cascade && number < 6 && left(position)[0] > 4 => {
                marks[marks::ASKS] = Asks::Four(number as u8 + 1).byte();
                true
            }
            Numbers::Equal(..) if cascade => return false,
            _ => {
                marks::count_turn(&mut marks);
                marks[marks::ASKS] = Asks::Throw.byte();
                false
            }
        };
        let against = Against::in_position(position, &points);
        let forbidden = |held| self.prime && against.is_blocked_by(held);
        let turn = Simple { numbers, head: 15, marks, kept };
        match quick(position, &points, &turn, forbidden, turns) {
            Some(used) if !kept || used == 4 => {
                turns.settled(used == 0);
                true
            }
            _ => false,
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
        self.prime && Against::of(mid).is_blocked_by(mid.held & POINTS)
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
        Shape { game: "gul_bara", men: 15, parallel: !self.celebi, holds: holds::TURNS | asked | bar | bonus }
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
        let kept = |asks: Asks| {
            let mut marks = end.marks;
            marks[marks::ASKS] = asks.byte();
            (self.seen_by_mover(end, &marks), true)
        };
        let handed = |marks: &Marks| (self.flip(&self.seen_by_mover(end, marks)), false);
        let won = end.off[0] == 15;
        match (asks, numbers) {
            (Asks::Gift { .. }, _) if won => {
                let mut marks = end.marks;
                marks[marks::ASKS] = 0;
                handed(&marks)
            }
            (Asks::Gift { number: 6, .. }, _) => kept(Asks::Throw),
            (Asks::Gift { number, .. }, _) => kept(Asks::Gift { number: number + 1, count: 4 }),
            (_, Numbers::Equal(number, 4)) if cascade && !won => {
                let moved = used > 0 || asks != Asks::Throw;
                match used {
                    4 if number < 6 => kept(Asks::Four(number as u8 + 1)),
                    0..4 if self.leftover && moved => {
                        let gift = Asks::Gift { number: number as u8, count: 4 - used as u8 };
                        handed(&self.ended(end, gift))
                    }
                    _ => handed(&self.ended(end, Asks::Throw)),
                }
            }
            _ => handed(&self.ended(end, Asks::Throw)),
        }
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        if self.counted(position, roll, turns) {
            return;
        }
        turns.clear();
        staged(self, position, roll, turns);
    }

    fn more_problems(&self, view: &View, problems: &mut Vec<String>) {
        if self.runner {
            for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
                problems.extend(runner_problem(&view.men[side], view.off[side], usize::from(FAR), who));
            }
        }
    }
}
