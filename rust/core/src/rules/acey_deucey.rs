//! Acey-deucey: checkers enter when their owner likes, and a throw of 1-2 is worth a double and another throw.

use super::kind::{Kind, Later, Opening};
use super::marks::{self, Asks, Marks};
use super::options::Flag;
use super::plain::mirrored;
use super::turns::{Class, End, Turns};
use super::variant::{Game, is_over, left, numbers, staged};
use super::view::{Shape, holds};
use super::walk::{Contact, Mid, Numbers, WAIT, Walk};
use crate::dice::Roll;
use crate::lanes::{Delta, Lanes};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{self, Board, Task};
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "acey_deucey",
    aliases: &["acey"],
    prefix: "acey",
    flags: &[
        Flag::words("count", &["remaining", "on_board"]),
        Flag::off("double_on_acey"),
        Flag::off("bar_first"),
        Flag::off("exact_bear_off"),
        Flag::words("version", &["american", "european"]),
        Flag::words("opening", &["reroll", "use_dice"]),
    ],
    opening: Opening::Reroll,
    later: Later::Opening,
    cube: false,
    build: |chosen| {
        AceyDeucey {
            on_board: chosen.is("count", "on_board"),
            double_on_acey: chosen.yes("double_on_acey"),
            bar_first: chosen.yes("bar_first"),
            exact: chosen.yes("exact_bear_off"),
            european: chosen.is("version", "european"),
        }
        .into()
    },
};

/// Acey-deucey.
///
/// With `bar_first` the marks say how many of the waiting checkers are in hand; the others were hit and enter before
/// anything else, and the memory of a turn is how many of the mover's there still are.
#[derive(Clone, Copy, Debug)]
pub struct AceyDeucey {
    on_board: bool,
    double_on_acey: bool,
    bar_first: bool,
    exact: bool,
    european: bool,
}

impl Walk for AceyDeucey {
    fn contact(&self) -> Contact {
        Contact::Hit
    }

    #[inline(always)]
    fn enters_first(&self, mid: &Mid) -> bool {
        mid.memory > 0
    }

    #[inline(always)]
    fn bears_off(&self, mid: &Mid, point: usize, die: usize) -> bool {
        mid.all_home() && (die == point || (!self.exact && mid.rearmost() == point))
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, from: usize, _: usize, _: bool) {
        if from == WAIT {
            mid.memory = mid.memory.saturating_sub(1);
        }
    }
}

impl AceyDeucey {
    fn is_acey(roll: Roll) -> bool {
        (roll.high(), roll.low()) == (2, 1)
    }

    /// Marks after a part of the turn, the mover's first, with what comes next.
    fn marked(self, end: &Mid, thrown: Option<Roll>, asks: Asks) -> Marks {
        let mut marks = self.thrown_marks(end.marks, thrown);
        if self.bar_first {
            let theirs = marks::nibbles(marks[marks::WAITING])[1];
            marks[marks::WAITING] = marks::from_nibbles([end.mine[WAIT] - end.memory as u8, theirs]);
        }
        marks[marks::ASKS] = asks.byte();
        marks
    }

    /// Marks with one more throw of 1-2 if it was one and they are counted.
    #[inline(always)]
    fn thrown_marks(self, mut marks: Marks, thrown: Option<Roll>) -> Marks {
        if self.double_on_acey && thrown.is_some_and(AceyDeucey::is_acey) {
            marks[marks::ACEYS] = marks::MOST_ACEYS.min(marks[marks::ACEYS] + 1);
        }
        marks
    }

    /// What follows a part of the turn for the same player; nothing if the turn is over.
    fn follows(self, asks: Asks, roll: Roll, way: Numbers, used: usize, end: &Mid) -> Option<Asks> {
        if used < way.len() || end.off[0] == 15 { None } else { self.goes_on(asks, roll) }
    }

    /// What follows a part of the turn that was played in full and has not won; nothing if the turn is over.
    #[inline(always)]
    fn goes_on(self, asks: Asks, roll: Roll) -> Option<Asks> {
        match asks {
            Asks::Throw if AceyDeucey::is_acey(roll) => Some(Asks::Name),
            Asks::Throw if self.european && roll.is_double() => Some(Asks::Four(7 - roll.high())),
            Asks::Throw => None,
            _ => Some(Asks::Throw),
        }
    }
}

impl Game for AceyDeucey {
    fn shape(&self) -> Shape {
        let bar = if self.bar_first { holds::BAR } else { 0 };
        let aceys = if self.double_on_acey { holds::ACEYS } else { 0 };
        let asked = holds::NAMES | holds::FOURS;
        Shape { game: "acey_deucey", checkers: 15, parallel: false, holds: holds::HAND | asked | bar | aceys }
    }

    fn start(&self) -> Position {
        let mut start = mirrored(&[(WAIT, 15)]);
        if self.bar_first {
            marks::set(&mut start, &[marks::from_nibbles([15, 15]), 0, 0, 0, 0, 0]);
        }
        start
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        if !is_over(position) {
            return None;
        }
        let [me, opponent] = left(position);
        let waiting = position.places()[WAIT] - position.places()[0];
        let away = if self.on_board { waiting as u8 } else { 0 };
        let aceys = if self.double_on_acey { marks::of(position)[marks::ACEYS] } else { 0 };
        let points = u32::from(me + opponent - away) << aceys;
        Some(End { winner: Some(me == 0), class: Class::Single, points })
    }

    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        let mut mid = Mid::new(position, 15);
        if self.bar_first {
            let in_hand = marks::nibbles(mid.marks[marks::WAITING])[0];
            mid.memory = u32::from(mid.mine[WAIT].saturating_sub(in_hand));
        }
        mid
    }

    fn way(&self, position: &Position, roll: Roll) -> Numbers {
        match marks::asks(position) {
            Asks::Four(number) => Numbers::Equal(usize::from(number), 4),
            _ => numbers(roll),
        }
    }

    fn words(&self, position: &Position) -> Option<Vec<(&'static str, Position)>> {
        (marks::asks(position) == Asks::Name).then(|| {
            let named = |(number, word): (u8, &'static str)| {
                let mut after = *position;
                let mut found = marks::of(position);
                found[marks::ASKS] = Asks::Four(number).byte();
                marks::set(&mut after, &found);
                (word, after)
            };
            (1..=6).zip(["11", "22", "33", "44", "55", "66"]).map(named).collect()
        })
    }

    fn after(
        &self,
        before: &Position,
        roll: Roll,
        numbers: Numbers,
        used: usize,
        end: &Mid,
    ) -> (Position, bool) {
        let asks = marks::asks(before);
        let thrown = (asks == Asks::Throw).then_some(roll);
        let next = self.follows(asks, roll, numbers, used, end);
        let marks = self.marked(end, thrown, next.unwrap_or(Asks::Throw));
        let seen = self.seen_by_mover(end, &marks);
        if next.is_some() { (seen, true) } else { (self.flip(&seen), false) }
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let (asks, numbers) = (marks::asks(position), self.way(position, roll));
        // Who has few checkers left may finish before he would go on.
        let may_finish = self.goes_on(asks, roll).is_some() && left(position)[0] <= 4;
        let simple = !(self.bar_first || self.exact || may_finish || asks == Asks::Name);
        let thrown = (asks == Asks::Throw).then_some(roll);
        let end = |used: usize| {
            let next = if used == numbers.len() { self.goes_on(asks, roll) } else { None };
            let mut marks = self.thrown_marks(marks::of(position), thrown);
            marks[marks::ASKS] = next.unwrap_or(Asks::Throw).byte();
            (marks, next.is_some())
        };
        if !(simple && turns.by_parts(|plays| turn::on_this_cpu(Quick { position, numbers, end }, plays))) {
            staged(self, position, roll, turns);
        }
    }
}

/// A turn for the vectors: that of the standard game, but waiting checkers do not have to enter before others move.
struct Quick<'a, E> {
    position: &'a Position,
    numbers: Numbers,
    /// The marks after so many numbers, and whether the mover acts again.
    end: E,
}

impl<E: Fn(usize) -> (Marks, bool)> Task for Quick<'_, E> {
    type Found = Option<bool>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<bool> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let board = Board::<L>::of(self.position);
            let used = match self.numbers {
                Numbers::Two(high, low) => board.mixed::<false, true>(high as u32, low as u32, out),
                Numbers::Equal(die, count) => board.equal::<false, true>(die as u32, count, out),
            };
            if used == 0 {
                board.push(out);
            }
            let (marks, kept) = (self.end)(used);
            let mut more = Position([0; 32]);
            marks::set(&mut more, &if kept { marks } else { marks::flip(&marks) });
            let more = Delta(more.0);
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                let seen = if kept { result.flip() } else { result };
                results.keep(seen.plus(&more), true);
            }
            out.set_pass(used == 0);
            Some(kept)
        }
    }
}
