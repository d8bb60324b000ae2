//! What the games share in which both sides run the same way round and a single man closes a point.

pub(crate) use super::counted::POINTS;
use super::counted::{Asked, Counted, Points, Seen};
use super::marks::{self, Marks};
use super::turns::{End, Turns};
use super::variant::{class, count, is_over, left};
use super::walk::{self, Mid, Numbers, across_mask, flip_parallel, sixes};
use crate::position::Position;

/// The start: all men on the 24, which is the other side's 12.
pub(crate) fn start() -> Position {
    let mut bytes = [0; 32];
    bytes[24] = 15;
    bytes[walk::across(24)] = -15;
    Position(bytes)
}

/// The result where nothing but the men borne off counts.
#[inline(always)]
pub(crate) fn result(position: &Position) -> Option<End> {
    if !is_over(position) {
        return None;
    }
    let [me, opponent] = left(position);
    let (class, points) = count(class(15 - me.max(opponent), false), false);
    Some(End { winner: Some(me == 0), class, points })
}

/// Whether men on these points are free of a runner who has to come as far as `far` first.
///
/// Who has borne off a man has all others at home, so the points tell, unless the game is over.
#[inline(always)]
pub(crate) fn are_free(held: u32, far: u32) -> bool {
    held & ((2 << far) - 2) != 0
}

/// Whether a man of the mover has come as far as `far` (that point or lower, or off).
#[inline(always)]
pub(crate) fn has_come(mid: &Mid, far: u32) -> bool {
    mid.off[0] > 0 || mid.held & ((2 << far) - 2) != 0
}

/// Whether the man on `point` may move while only the first to leave the 24 may.
#[inline(always)]
pub(crate) fn is_runner(mid: &Mid, point: usize) -> bool {
    let out = mid.held & POINTS & !(1 << 24);
    if out == 0 { point == 24 } else { out >> point & 1 != 0 }
}

/// What decides whether men on some points are allowed there: the other side, which does not move.
#[derive(Clone, Copy)]
pub(crate) struct Against {
    /// The other side's points in its own numbering.
    pub(crate) points: u32,
    /// The other side's men: negative counts, one a place.
    men: Position,
}

impl Against {
    pub(crate) fn of(mid: &Mid) -> Against {
        Against { points: across_mask(mid.enemy_points()), men: mid.position() }
    }

    /// Read off the position before the turn.
    #[inline(always)]
    pub(crate) fn in_position(position: &Position, points: &Points) -> Against {
        Against { points: across_mask(points.theirs[0]), men: *position }
    }

    /// Whether the other side has borne off a man. Rarely asked.
    #[cold]
    pub(crate) fn off(&self) -> bool {
        left(&self.men)[1] < 15
    }

    /// Whether a block of six or more among these points of the mover has nobody past it.
    #[inline(always)]
    pub(crate) fn is_blocked_by(&self, held: u32) -> bool {
        let blocks = sixes(across_mask(held));
        if blocks == 0 {
            return false;
        }
        // Whoever is past the lowest block is past all of them that matter: a man past a higher one alone still
        // has the lowest in front of him.
        self.points & ((1 << blocks.trailing_zeros()) - 1) == 0 && !self.off()
    }
}

/// Whether these points of the mover are six in a row along the other side's route.
#[inline(always)]
pub(crate) fn has_six(held: u32) -> bool {
    sixes(across_mask(held & POINTS)) != 0
}

/// A turn without a runner under way, for [`Counted`].
pub(crate) struct Simple {
    /// The numbers to be played.
    pub(crate) numbers: Numbers,
    /// How many men may leave the 24.
    pub(crate) head: u8,
    /// The marks of the position after it, the mover's first.
    pub(crate) marks: Marks,
    /// Whether the mover acts after it.
    pub(crate) kept: bool,
}

/// The results of such a turn and how many numbers they use; nothing if it has to be looked at step by step.
#[inline(always)]
pub(crate) fn quick(
    position: &Position,
    points: &Points,
    turn: &Simple,
    forbidden: impl Fn(u32) -> bool,
    turns: &mut Turns,
) -> Option<usize> {
    let Simple { numbers, head, ref marks, kept } = *turn;
    let (high, low, count) = match numbers {
        Numbers::Two(high, low) => (high, low, 2),
        Numbers::Equal(number, count) if count <= 4 => (number, number, count),
        Numbers::Equal(..) => return None,
    };
    let mut held = points.held;
    // Of the men on the 24 only those that may leave are counted; the others stay, and keep all from bearing off.
    let stay = position.0[24] > head as i8;
    for (more, mask) in held.iter_mut().enumerate() {
        *mask &= !(u32::from(more >= usize::from(head)) << 24);
    }
    let there = u32::from(stay) << 24;
    let mut start = if kept { *position } else { flip_parallel(position) };
    marks::set(&mut start, &if kept { *marks } else { marks::flip(marks) });
    let view = if kept { Seen::Own } else { Seen::Parallel };
    let counted = Counted { start, held, open: POINTS & !points.theirs[0], bears_off: !stay, view };
    let forbidden = |points: u32| forbidden(points | there);
    let mut asked = Asked { out: turns.results(kept), forbidden, left_out: false };
    let used = counted.plays(high, low, count, &mut asked);
    if used > 0 {
        return Some(used);
    }
    if asked.left_out {
        return None;
    }
    asked.out.push(start);
    Some(0)
}

/// Why the men of a side cannot stand so while only the first to leave the 24 may move.
pub(crate) fn runner_problem(men: &[u8; 25], off: u8, far: usize, who: &str) -> Option<String> {
    let come = off > 0 || men[1..=far].iter().any(|&n| n > 0);
    let out: u8 = men[1..24].iter().sum();
    (!come && out > 1).then(|| {
        format!("{who} has {out} men off his 24-point and none on his {far}-point or further, but only one may move till then")
    })
}
