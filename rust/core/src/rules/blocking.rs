//! What the games share in which both sides run the same way round and a single checker closes a point.

use super::marks::{self, Marks};
use super::turns::{End, Turns};
use super::variant::{class, count, is_over, left};
use super::walk::{self, Mid, Numbers, across_mask, sixes};
use crate::lanes::{Delta, Lanes, Masks};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{self, Board, Task};
use crate::position::Position;

pub(crate) use crate::lanes::POINTS;

/// The start: all checkers on the 24, which is the other side's 12.
pub(crate) fn start() -> Position {
    let mut bytes = [0; 32];
    bytes[24] = 15;
    bytes[walk::across(24)] = -15;
    Position(bytes)
}

/// The result where nothing but the checkers borne off counts.
#[inline(always)]
pub(crate) fn result(position: &Position) -> Option<End> {
    if !is_over(position) {
        return None;
    }
    let [me, opponent] = left(position);
    let (class, points) = count(class(15 - me.max(opponent), false), false);
    Some(End { winner: Some(me == 0), class, points })
}

/// Whether a checker of the mover has come as far as `far` (that point or lower, or off).
#[inline(always)]
pub(crate) fn has_come(mid: &Mid, far: u32) -> bool {
    mid.off[0] > 0 || mid.held & ((2 << far) - 2) != 0
}

/// Whether the checker on `point` may move while only the first to leave the 24 may.
#[inline(always)]
pub(crate) fn is_runner(mid: &Mid, point: usize) -> bool {
    let out = mid.held & POINTS & !(1 << 24);
    if out == 0 { point == 24 } else { out >> point & 1 != 0 }
}

/// A set of points as a set of places of the generator, which counts them the other way, from the 24.
pub(crate) const fn placed(points: u32) -> u32 {
    points.reverse_bits() >> 6
}

/// What decides whether checkers on some points are allowed there: the other side, which does not move.
#[derive(Clone, Copy)]
pub(crate) struct Against {
    /// Places with checkers of the other side.
    pub(crate) theirs: u32,
    /// The other side's checkers: negative counts, one a place.
    checkers: Position,
}

impl Against {
    pub(crate) fn of(mid: &Mid) -> Against {
        Against { theirs: placed(mid.enemy_points()), checkers: mid.position() }
    }

    /// Whether the other side has borne off a checker. Rarely asked.
    #[cold]
    pub(crate) fn off(&self) -> bool {
        left(&self.checkers)[1] < 15
    }

    /// Whether a block of six or more among these places of the mover has nobody past it.
    #[inline(always)]
    pub(crate) fn is_blocked_by(&self, held: u32) -> bool {
        let blocks = sixes(across_mask(held));
        if blocks == 0 {
            return false;
        }
        // Places across go down along the other side's route. Whoever is past the lowest block of that route is past
        // all of them that matter: a checker past another one alone still has that one in front of it.
        across_mask(self.theirs) >> (blocks.ilog2() + 6) == 0 && !self.off()
    }
}

/// Whether these places of the mover have six in a row along the other side's route.
#[inline(always)]
pub(crate) fn has_six(held: u32) -> bool {
    sixes(across_mask(held)) != 0
}

/// A turn that the vectors can play.
pub(crate) struct Quick<'a, F, E> {
    /// The position before it.
    pub(crate) position: &'a Position,
    /// The numbers to be played.
    pub(crate) numbers: Numbers,
    /// How many checkers may leave the 24.
    pub(crate) head: u8,
    /// How far the first checker must come before others move, if it must.
    pub(crate) far: Option<u8>,
    /// Whether a turn may not end with the mover's checkers on these places.
    pub(crate) forbidden: F,
    /// The marks of the position after so many numbers, the mover's first, and whether the mover acts again; said
    /// with it is whether he has won.
    pub(crate) end: E,
}

/// Place of the head.
const HEAD: u32 = 1;

/// What is added to a board whose checkers on the head stay there, by their number: they are taken away.
static STAYING: [Delta; 16] = {
    let mut all = [const { Delta([0; 32]) }; 16];
    let mut checkers = 0;
    while checkers < 16 {
        all[checkers].0[HEAD as usize] = checkers as i8;
        checkers += 1;
    }
    all
};

impl<F, E> Quick<'_, F, E>
where
    F: Fn(u32, &Against) -> bool,
    E: Fn(usize, bool) -> (Marks, bool),
{
    /// Fills `turns` with the results; `false` if the turn has to be looked at step by step.
    #[inline(always)]
    pub(crate) fn fill(self, turns: &mut Turns) -> bool {
        turns.by_parts(|plays| turn::on_this_cpu(self, plays))
    }

    /// Stores what the numbers lead to while nothing is forbidden; how many they use.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn generate<L: Lanes, const OFF: bool>(
        &self,
        board: Board<L>,
        out: &mut PlayBuf,
    ) -> Option<usize> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let mine = board.masks.mine;
            match (self.far, self.numbers) {
                (Some(far), _) if mine >> (25 - far) == 0 => {
                    Runner::of(board, far)?.generate(self.numbers, out)
                }
                (_, Numbers::Two(high, low)) => Some(board.mixed::<false, OFF>(high as u32, low as u32, out)),
                (_, Numbers::Equal(die, count)) => Some(board.equal::<false, OFF>(die as u32, count, out)),
            }
        }
    }
}

impl<F, E> Task for Quick<'_, F, E>
where
    F: Fn(u32, &Against) -> bool,
    E: Fn(usize, bool) -> (Marks, bool),
{
    type Found = Option<bool>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<bool> {
        if matches!(self.numbers, Numbers::Equal(_, 5..)) {
            return None;
        }
        // SAFETY: the caller promises the CPU.
        unsafe {
            let mut board = Board::<L>::of(self.position).closed();
            let against = Against { theirs: board.masks.blocked, checkers: *self.position };
            // Checkers on the head that stay are taken off the board for the turn; while there are any no other is
            // borne off.
            let stay = self.position.0[24].saturating_sub(self.head as i8).max(0);
            if stay > 0 {
                let lanes = board.lanes.plus(&STAYING[stay as usize & 15]);
                board = Board { lanes, masks: Masks { mine: lanes.mine(), ..board.masks } };
            }
            let used = if stay > 0 {
                self.generate::<L, false>(board, out)?
            } else {
                self.generate::<L, true>(board, out)?
            };
            let pass = out.len() == 0;
            if pass {
                board.push(out);
            }
            let won = out.len() == 1 && stay == 0 && L::load(&out.positions()[0]).mine() == 0;
            let (marks, kept) = (self.end)(used, won);
            let mut more = Position([0; 32]);
            marks::set(&mut more, &if kept { marks } else { marks::flip(&marks) });
            more.0[if kept { 24 } else { walk::across(24) }] = if kept { stay } else { -stay };
            let (more, there) = (Delta(more.0), u32::from(stay > 0) << HEAD);
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                let seen = if kept { result.flip() } else { result.halves_back() };
                results.keep(seen.plus(&more), pass || !(self.forbidden)(result.mine() | there, &against));
            }
            out.set_pass(pass);
            (out.len() > 0).then_some(kept)
        }
    }
}

/// A board on which only the first checker to leave the 24 may move until it has come far enough.
struct Runner<L> {
    board: Board<L>,
    /// Where it stands.
    place: u32,
    /// The first place that is far enough.
    far: u32,
}

// SAFETY (all methods): the caller promises that `L` may be used on this CPU.
#[allow(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]
impl<L: Lanes> Runner<L> {
    /// Nothing where more than one checker is under way.
    #[inline(always)]
    unsafe fn of(board: Board<L>, far: u8) -> Option<Self> {
        let out = board.masks.mine & !(1 << HEAD);
        let place = if out == 0 { HEAD } else { out.trailing_zeros() };
        let alone = out == 0 || (out.is_power_of_two() && out & unsafe { board.lanes.singles() } != 0);
        if !alone || out == board.masks.mine {
            return None;
        }
        Some(Runner { board, place, far: 25 - u32::from(far) })
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        self.place >= self.far
    }

    #[inline(always)]
    unsafe fn step(&self, die: u32) -> Option<Self> {
        let place = self.place + die;
        if self.has_come() || !self.board.is_open(place) {
            return None;
        }
        Some(Runner { board: unsafe { self.board.step(self.place, die) }, place, far: self.far })
    }

    #[inline(always)]
    unsafe fn generate(self, numbers: Numbers, out: &mut PlayBuf) -> Option<usize> {
        unsafe {
            match numbers {
                Numbers::Two(high, low) => Some(self.mixed(high as u32, low as u32, out)),
                Numbers::Equal(die, count) => Some(self.equal(die as u32, count, out)),
            }
        }
    }

    #[inline(always)]
    unsafe fn mixed(self, high: u32, low: u32, out: &mut PlayBuf) -> usize {
        unsafe {
            for (first, second) in [(high, low), (low, high)] {
                let Some(next) = self.step(first) else { continue };
                let movable = if next.has_come() { !0 } else { 1 << next.place };
                next.board.push_new_steps(next.board.inside(second) & movable, second, out);
            }
            if out.len() > 0 {
                return 2;
            }
            for die in [high, low] {
                if let Some(next) = self.step(die) {
                    next.board.push(out);
                    return 1;
                }
            }
            0
        }
    }

    #[inline(always)]
    unsafe fn equal(self, die: u32, count: usize, out: &mut PlayBuf) -> usize {
        unsafe {
            let (mut now, mut used) = (self, 0);
            while used < count
                && let Some(next) = now.step(die)
            {
                (now, used) = (next, used + 1);
            }
            let more =
                if now.has_come() { now.board.equal::<false, false>(die, count - used, out) } else { 0 };
            if more == 0 && used > 0 {
                now.board.push(out);
            }
            used + more
        }
    }
}

/// Why the checkers of a side cannot stand so while only the first to leave the 24 may move.
pub(crate) fn runner_problem(checkers: &[u8; 25], off: u8, far: usize, who: &str) -> Option<String> {
    let come = off > 0 || checkers[1..=far].iter().any(|&n| n > 0);
    let out: u8 = checkers[1..24].iter().sum();
    (!come && out > 1).then(|| {
        format!(
            "{who} has {out} checkers off his 24-point and none on his {far}-point or further, \
             but only one may move till then"
        )
    })
}
