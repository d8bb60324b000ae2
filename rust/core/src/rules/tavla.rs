//! Tavla (Uzun Tavla): the standard game, but whoever hits on a point of his home leaves a checker there.

use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::plain::{Plain, hitting_result};
use super::turns::{Class, End, Turns};
use super::variant::{Game, staged};
use super::view::{Shape, holds};
use super::walk::{Contact, Mid, WAIT, Walk};
use crate::dice::Roll;
use crate::lanes::{Lanes, Masks};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{self, Board, Task};
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "tavla",
    aliases: &["uzun_tavla"],
    prefix: "tavla",
    flags: &[
        Flag::words("hit_and_run", &["forbidden_home", "allowed"]),
        Flag::off("triple"),
        Flag::words("opening", &["reroll", "use_dice"]),
        Flag::number("target", 5, 1, 25),
        Flag::words("uzun_meaning", &["standard", "long"]),
        Flag::words("preset", &["none", "rulebook"]),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let triple = chosen.yes("triple");
        if chosen.is("hit_and_run", "allowed") || chosen.is("preset", "rulebook") {
            Plain { game: "tavla", start: Position::START, checkers: 15, triple }.into()
        } else {
            Tavla { triple, ..Tavla::staying("tavla") }.into()
        }
    },
};

/// Tavla, and Kirik Tavla, which restricts how hit checkers enter.
///
/// The memory of a turn is the set of home points on which a checker was hit.
#[derive(Clone, Copy, Debug)]
pub struct Tavla {
    pub(crate) game: &'static str,
    pub(crate) triple: bool,
    /// Whether hit checkers may not enter where their own checkers stand.
    pub(crate) own_points_closed: bool,
    /// Whether six checkers on the bar lose at once.
    pub(crate) six_hit_mars: bool,
}

impl Tavla {
    /// The rule that a checker that hits at home stays, and nothing else.
    pub(crate) fn staying(game: &'static str) -> Tavla {
        Tavla { game, triple: false, own_points_closed: false, six_hit_mars: false }
    }
}

const HOME: std::ops::RangeInclusive<usize> = 1..=6;

impl Walk for Tavla {
    fn contact(&self) -> Contact {
        Contact::Hit
    }

    #[inline(always)]
    fn may_enter(&self, mid: &Mid, point: usize) -> bool {
        if !self.open(mid, point) || !self.own_points_closed {
            return self.open(mid, point);
        }
        let free = |entry: usize| mid.mine[entry] == 0 && self.open(mid, entry);
        // Where no point is free for entry, the ordinary rule holds: else both sides could wait for ever.
        free(point) || !(19..=24).any(free)
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        mid.memory >> point & 1 == 0 || mid.mine[point] > 1
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, _: usize, to: usize, hit: bool) {
        if hit && HOME.contains(&to) {
            mid.memory |= 1 << to;
        }
    }
}

impl Game for Tavla {
    fn shape(&self) -> Shape {
        Shape { game: self.game, checkers: 15, parallel: false, holds: holds::BAR }
    }

    fn start(&self) -> Position {
        Position::START
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        if self.six_hit_mars {
            let winner = match (position.places()[WAIT], position.places()[0]) {
                (6.., _) => Some(false),
                (_, ..=-6) => Some(true),
                _ => None,
            };
            if winner.is_some() {
                return Some(End { winner, class: Class::Gammon, points: 2 });
            }
        }
        hitting_result(position, 15, self.triple)
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let quick = Quick { position, roll, own_points_closed: self.own_points_closed };
        if !turns.by_parts(|plays| turn::on_this_cpu(quick, plays)) {
            staged(self, position, roll, turns);
        }
    }
}

/// A turn for the vectors: that of the standard game, but for checkers that enter and results that are left out.
struct Quick<'a> {
    position: &'a Position,
    roll: Roll,
    own_points_closed: bool,
}

impl Task for Quick<'_> {
    type Found = Option<bool>;

    /// Left out is what leaves a home point on which it hit. Whether a checker is there at the end is all that matters:
    /// taking steps from the rearmost checker on, all that come to a point do so before any leaves it. Only if no
    /// result is left may fewer dice be legal.
    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<bool> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let board = Board::<L>::of(self.position);
            let (high, low) = (u32::from(self.roll.high()), u32::from(self.roll.low()));
            if self.own_points_closed && board.masks.mine & 1 != 0 {
                Entering(board).play(high, low, out);
            } else if high == low {
                board.equal::<true, true>(high, 4, out);
            } else {
                board.mixed::<true, true>(high, low, out);
            }
            if out.len() == 0 {
                board.push(out);
                out.set_pass(true);
                return Some(false);
            }
            let blots = board.masks.blots & HOME_PLACES;
            if blots != 0 {
                let mut results = out.rewrite();
                while let Some(result) = results.next::<L>() {
                    results.keep(result, result.empty() & blots == 0);
                }
            }
            (out.len() > 0).then_some(false)
        }
    }
}

/// The home points as places of the generator, and those on which checkers enter.
const HOME_PLACES: u32 = 0b11_1111 << 19;
const ENTRIES: u32 = 0b11_1111 << 1;

/// A board with checkers on the bar, which may not enter where others of their side stand.
#[derive(Clone, Copy)]
struct Entering<L>(Board<L>);

// SAFETY (all methods): the caller promises that `L` may be used on this CPU.
#[allow(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]
impl<L: Lanes> Entering<L> {
    /// The board after a checker has entered with `die`, if it may.
    #[inline(always)]
    unsafe fn enter(self, die: u32) -> Option<Self> {
        let Masks { mine, blocked, .. } = self.0.masks;
        let free = ENTRIES & !(mine | blocked);
        // Where no point is free for entry, the ordinary rule holds: else both sides could wait for ever.
        let may = if free == 0 { !blocked } else { free };
        if may >> die & 1 == 0 {
            return None;
        }
        Some(Entering(unsafe { self.0.step(0, die) }))
    }

    fn waits(self) -> bool {
        self.0.masks.mine & 1 != 0
    }

    #[inline(always)]
    unsafe fn play(self, high: u32, low: u32, out: &mut PlayBuf) {
        unsafe {
            if high == low {
                return self.double(high, out);
            }
            for (first, second) in [(high, low), (low, high)] {
                let Some(entered) = self.enter(first) else { continue };
                if entered.waits() {
                    if let Some(end) = entered.enter(second) {
                        end.0.push_new(out);
                    }
                    continue;
                }
                let mut from = entered.0.sources(second);
                let no_hits = self.0.masks.blots & (1 << high | 1 << low) == 0;
                if first == low && no_hits && self.enter(high).is_some() {
                    from &= !(1 << low); // the same checker going on: found with the larger number first
                }
                entered.0.push_steps(from, second, out);
            }
            for die in [high, low] {
                if out.len() == 0
                    && let Some(end) = self.enter(die)
                {
                    end.0.push(out);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn double(self, die: u32, out: &mut PlayBuf) {
        unsafe {
            let (mut now, mut used) = (self, 0);
            while used < 4
                && now.waits()
                && let Some(next) = now.enter(die)
            {
                (now, used) = (next, used + 1);
            }
            let more = if now.waits() { 0 } else { now.0.equal::<true, true>(die, 4 - used, out) };
            if more == 0 && used > 0 {
                now.0.push(out);
            }
        }
    }
}
