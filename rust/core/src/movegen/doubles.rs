//! Doubles: up to four steps of the same length.
//!
//! A play of equal steps is a multiset of places left, and any legal order of the steps may be
//! sorted by place: a checker further back never waits for one further on, hits open points rather
//! than close them, and bearing off only gets easier as the rearmost checkers move first. So taking
//! places in ascending order finds every play; and since the multiset can be read off the result (from
//! the rearmost place onwards), it finds each result once.

use super::Stack;
use super::tables::steps;
use crate::lanes::{Lanes, Masks};

/// Places outside the mover's home board: the bar and points 1 to 18 of the flipped position.
pub(super) const OUTSIDE: u32 = (1 << 19) - 1;

/// Places from which `die` can be played: a step to an open point, or a checker borne off.
///
/// `masks.mine` is of now, `masks.blocked` may be of the beginning of the turn.
#[inline(always)]
pub(super) fn sources(mine: u32, blocked: u32, die: u32) -> u32 {
    let inside = (1 << (25 - die)) - 1; // places from which the step ends on the board
    let steps = mine & inside & !(blocked >> die);
    if mine & 1 != 0 {
        return steps & 1; // the bar comes first
    }
    if mine & OUTSIDE != 0 {
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
/// # Safety
/// `L` may be used on this CPU and `out` has room for one position a bit of `from`.
#[inline(always)]
pub(super) unsafe fn push_steps<L: Lanes>(lanes: L, mut from: u32, die: u32, blots: u32, out: &mut Stack) {
    let steps = steps(die);
    while from != 0 {
        let place = from.trailing_zeros();
        from &= from - 1;
        let hits = (blots >> (place + die)) & 1;
        // SAFETY: places are below 25 (bits of `mine`), `hits` is 0 or 1; the rest is the caller's promise.
        unsafe {
            let delta = steps.get_unchecked(place as usize).get_unchecked(hits as usize);
            out.push(lanes.plus(delta));
        }
    }
}

/// What does not change while a double is played.
#[derive(Clone, Copy)]
struct Turn {
    die: u32,
    blocked: u32,
}

/// A position within the turn.
#[derive(Clone, Copy)]
struct Node<L> {
    lanes: L,
    /// Opposing single checkers not yet hit.
    blots: u32,
    /// Places the next step may leave: none further back than the last step's.
    allowed: u32,
}

impl<L: Lanes> Node<L> {
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn sources(self, turn: Turn) -> u32 {
        // SAFETY: the caller promises the CPU.
        let mine = unsafe { self.lanes.mine() };
        sources(mine, turn.blocked, turn.die) & self.allowed
    }

    /// Calls `then` with each position one step on.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn each(self, turn: Turn, mut then: impl FnMut(Node<L>)) {
        let steps = steps(turn.die);
        // SAFETY: the caller promises the CPU.
        let mut from = unsafe { self.sources(turn) };
        while from != 0 {
            let place = from.trailing_zeros();
            let to = place + turn.die;
            let hits = (self.blots >> to) & 1;
            // SAFETY: places are below 25 and `hits` is 0 or 1.
            let lanes =
                unsafe { self.lanes.plus(steps.get_unchecked(place as usize).get_unchecked(hits as usize)) };
            then(Node { lanes, blots: self.blots & !(1 << to), allowed: self.allowed & (u32::MAX << place) });
            from &= from - 1;
        }
    }

    /// Stores each position one step on.
    ///
    /// # Safety
    /// `L` may be used on this CPU and `out` has room.
    #[inline(always)]
    unsafe fn push_each(self, turn: Turn, out: &mut Stack) {
        // SAFETY: the caller's promise.
        unsafe { push_steps(self.lanes, self.sources(turn), turn.die, self.blots, out) }
    }
}

/// # Safety
/// `L` may be used on this CPU and `out` holds [`MAX_PLAYS`](super::MAX_PLAYS).
#[inline(always)]
pub(super) unsafe fn generate<L: Lanes>(start: L, die: u32, out: &mut Stack) {
    // SAFETY: the caller promises the CPU, and room for the most that four steps can lead to.
    unsafe {
        let Masks { mine: _, blots, blocked } = start.masks();
        let turn = Turn { die, blocked };
        let start = Node { lanes: start, blots, allowed: u32::MAX };
        if start.sources(turn) == 0 {
            return;
        }
        // Four steps if any order of four is legal, else three, and so on.
        start.each(turn, |one| one.each(turn, |two| two.each(turn, |three| three.push_each(turn, out))));
        if out.len == 0 {
            start.each(turn, |one| one.each(turn, |two| two.push_each(turn, out)));
        }
        if out.len == 0 {
            start.each(turn, |one| one.push_each(turn, out));
        }
        if out.len == 0 {
            start.push_each(turn, out);
        }
    }
}
