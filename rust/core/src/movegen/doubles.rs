//! Doubles: up to four steps of the same length.
//!
//! A play of equal steps is a multiset of places left, and any legal order of the steps may be
//! sorted by place: a checker further back never waits for one further on, hits open points rather
//! than close them, and bearing off only gets easier as the rearmost checkers move first. So taking
//! places in ascending order finds every play; and since the multiset can be read off the result (from
//! the rearmost place onwards), it finds each result once.

use super::tables::steps;
use super::{SLACK, Stack};
use crate::lanes::{Lanes, Masks};

/// Places on the board and the mover's bar.
const PLACES: u32 = (1 << 25) - 1;

/// Places outside the mover's home board: the bar and points 1 to 18 of the flipped position.
pub(super) const OUTSIDE: u32 = (1 << 19) - 1;

/// Places from which `die` can be played: a step to an open point, or a checker borne off.
///
/// `masks.mine` is of now, `masks.blocked` may be of the beginning of the turn. `BAR` says that checkers on
/// the bar come first, `OFF` that they may be borne off, as in the standard game.
#[inline(always)]
pub(super) fn sources<const BAR: bool, const OFF: bool>(mine: u32, blocked: u32, die: u32) -> u32 {
    let inside = (1 << (25 - die)) - 1; // places from which the step ends on the board
    let steps = mine & inside & !(blocked >> die);
    if BAR && mine & 1 != 0 {
        return steps & 1;
    }
    if !OFF || mine & OUTSIDE != 0 {
        return steps;
    }
    let exact = mine & (1 << (25 - die));
    if mine & inside == 0 && exact == 0 {
        return mine & mine.wrapping_neg(); // all nearer than the die: the rearmost goes off
    }
    steps | exact
}

/// Pushes the positions after one more step of `die` from each place of `from`.
///
/// Stores `ALWAYS` positions whatever the number of places, then counts only the real ones: a loop that
/// ends at an unpredictable place costs more than some idle stores (88 ns an expansion became 70).
///
/// # Safety
/// `L` may be used on this CPU and `out` has room for one position a bit of `from`.
#[inline(always)]
pub(super) unsafe fn push_steps<L: Lanes, const ALWAYS: usize>(
    lanes: L,
    mut from: u32,
    die: u32,
    blots: u32,
    out: &mut Stack,
) {
    const { assert!(ALWAYS <= SLACK) };
    let steps = steps(die);
    let hits = blots >> die; // by the place left
    let count = from.count_ones() as usize;
    let to = out.end();
    // No closure: the compiler is not sure to put one into the function whose instructions it needs.
    macro_rules! store {
        ($i:expr) => {
            let place = from.trailing_zeros();
            // SAFETY: `trailing_zeros` is at most 32, which the table has room for; the stack has `SLACK` places
            // more than it may hold. The rest is the caller's promise.
            unsafe {
                let delta =
                    steps.get_unchecked(place as usize).get_unchecked((hits.wrapping_shr(place) & 1) as usize);
                lanes.plus(delta).store(to.add($i));
            }
            from &= from.wrapping_sub(1);
        };
    }
    for i in 0..ALWAYS {
        store!(i);
    }
    for i in ALWAYS..count {
        store!(i);
    }
    out.len += count;
}

/// What does not change while a double is played.
#[derive(Clone, Copy)]
struct Turn {
    die: u32,
    blocked: u32,
}

/// A position within the turn.
///
/// Its masks are carried along from step to step, which is quicker than taking them from the vector:
/// where to go on is then known without waiting for it (164 ns a double became 127).
#[derive(Clone, Copy)]
struct Node<L, const BAR: bool, const OFF: bool> {
    lanes: L,
    /// Opposing single checkers not yet hit.
    blots: u32,
    /// Places the next step may leave: none further back than the last step's.
    allowed: u32,
    /// Places with at least 1, 2, 3 and 4 of the mover's checkers; after each step one mask fewer is
    /// kept, since one step fewer is left.
    held: [u32; 4],
}

impl<L: Lanes, const BAR: bool, const OFF: bool> Node<L, BAR, OFF> {
    /// Places the next step leaves. If the turn is `FREE`, `allowed` knows all that forbids one.
    #[inline(always)]
    fn sources<const FREE: bool>(self, turn: Turn) -> u32 {
        let mine = self.held[0];
        self.allowed & if FREE { mine } else { sources::<BAR, OFF>(mine, turn.blocked, turn.die) }
    }

    /// The position one step on from the lowest place of `from`.
    ///
    /// # Safety
    /// `L` may be used on this CPU; `from` has a place that may be left.
    #[inline(always)]
    unsafe fn next(self, turn: Turn, from: u32) -> Self {
        let place = from.trailing_zeros();
        let left = from & from.wrapping_neg();
        let to = (left << turn.die) & PLACES;
        let hits = (self.blots >> (place + turn.die)) & 1;
        // SAFETY: places are below 25 and `hits` is 0 or 1.
        let lanes = unsafe {
            self.lanes.plus(steps(turn.die).get_unchecked(place as usize).get_unchecked(hits as usize))
        };
        let [one, two, three, four] = self.held;
        let held = [
            one & !(left & !two) | to,
            two & !(left & !three) | to & one,
            three & !(left & !four) | to & two,
            0,
        ];
        Node { lanes, held, blots: self.blots & !to, allowed: self.allowed & left.wrapping_neg() }
    }

    /// Stores each position one step on.
    ///
    /// # Safety
    /// `L` may be used on this CPU and `out` has room.
    #[inline(always)]
    unsafe fn push_one<const FREE: bool>(self, turn: Turn, out: &mut Stack) {
        // SAFETY: the caller's promise.
        unsafe { push_steps::<L, 4>(self.lanes, self.sources::<FREE>(turn), turn.die, self.blots, out) }
    }

    /// Stores each position two steps on.
    ///
    /// # Safety
    /// As [`generate`].
    #[inline(always)]
    unsafe fn push_two<const FREE: bool>(self, turn: Turn, out: &mut Stack) {
        let mut from = self.sources::<FREE>(turn);
        while from != 0 {
            // SAFETY: the caller's promise, passed on.
            unsafe { self.next(turn, from).push_one::<FREE>(turn, out) };
            from &= from - 1;
        }
    }

    /// Stores each position three steps on.
    ///
    /// # Safety
    /// As [`generate`].
    #[inline(always)]
    unsafe fn push_three<const FREE: bool>(self, turn: Turn, out: &mut Stack) {
        let mut from = self.sources::<FREE>(turn);
        while from != 0 {
            // SAFETY: the caller's promise, passed on.
            unsafe { self.next(turn, from).push_two::<FREE>(turn, out) };
            from &= from - 1;
        }
    }

    /// Stores each position four steps on.
    ///
    /// # Safety
    /// As [`generate`].
    #[inline(always)]
    unsafe fn push_four<const FREE: bool>(self, turn: Turn, out: &mut Stack) {
        let mut from = self.sources::<FREE>(turn);
        while from != 0 {
            // SAFETY: the caller's promise, passed on.
            unsafe { self.next(turn, from).push_three::<FREE>(turn, out) };
            from &= from - 1;
        }
    }

    /// Stores each position as many steps on as can be played, up to `most`; how many steps that is.
    ///
    /// # Safety
    /// As [`generate`].
    #[inline(always)]
    unsafe fn push_all<const FREE: bool>(self, turn: Turn, most: usize, out: &mut Stack) -> usize {
        // SAFETY: the caller's promise, passed on.
        unsafe {
            // Four steps if any order of four is legal, else three, and so on.
            if most >= 4 {
                self.push_four::<FREE>(turn, out);
                if out.len > 0 {
                    return 4;
                }
            }
            if most >= 3 {
                self.push_three::<FREE>(turn, out);
                if out.len > 0 {
                    return 3;
                }
            }
            if most >= 2 {
                self.push_two::<FREE>(turn, out);
                if out.len > 0 {
                    return 2;
                }
            }
            if most >= 1 {
                self.push_one::<FREE>(turn, out);
            }
            usize::from(out.len > 0)
        }
    }
}

/// Stores the positions as many steps on as can be played, up to `most`; how many steps that is.
///
/// # Safety
/// `L` may be used on this CPU and `out` holds [`MAX_PLAYS`](super::MAX_PLAYS); `most` is at most four.
#[inline(always)]
pub(super) unsafe fn generate<L: Lanes, const BAR: bool, const OFF: bool>(
    start: L,
    masks: Masks,
    die: u32,
    most: usize,
    out: &mut Stack,
) -> usize {
    // SAFETY: the caller promises the CPU, and room for the most that four steps can lead to.
    unsafe {
        let Masks { mine, blots, blocked } = masks;
        let turn = Turn { die, blocked };
        if sources::<BAR, OFF>(mine, blocked, die) == 0 {
            return 0;
        }
        let held = start.held();
        // With four checkers outside, one is left there when the last step is chosen: none bears off.
        let outside: u32 = held.iter().map(|places| (places & OUTSIDE).count_ones()).sum();
        if !OFF || ((!BAR || mine & 1 == 0) && outside >= 4) {
            let allowed = !(blocked >> die) & ((1 << (25 - die)) - 1);
            Node::<L, BAR, OFF> { lanes: start, blots, allowed, held }.push_all::<true>(turn, most, out)
        } else {
            Node::<L, BAR, OFF> { lanes: start, blots, allowed: u32::MAX, held }
                .push_all::<false>(turn, most, out)
        }
    }
}
