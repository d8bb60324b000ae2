//! Two different dice.
//!
//! Results are named by which place each die leaves. Away from bearing off, two plays lead to the
//! same position only if one of them moves a single checker with both dice (or lets one checker
//! arrive where the other leaves from, which looks the same):
//!
//! - `s` plays `a` then `b`, or `b` then `a`, and neither stop on the way is a hit;
//! - one checker goes from `s` to `s + a` while another, already there, goes on with `b`.
//!
//! So: for each place the larger die can leave, every place the smaller die can then leave, except the
//! one from which it would arrive where the larger die left; then the single checkers that go the
//! other way round, if that differs. Bearing off adds more coincidences; there results are compared.

use super::Stack;
use super::doubles::{OUTSIDE, push_steps, sources};
use super::tables::steps;
use crate::lanes::{Lanes, Masks};

/// Stores what both dice lead to, or else the larger, or the smaller; how many dice that is.
///
/// # Safety
/// `L` may be used on this CPU and `out` has room for every play.
#[inline(always)]
pub(super) unsafe fn generate<L: Lanes, const BAR: bool, const OFF: bool>(
    start: L,
    masks: Masks,
    high: u32,
    low: u32,
    out: &mut Stack,
) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        let singles = start.singles();
        let outside = masks.mine & OUTSIDE;
        let one_outside = outside & (outside.wrapping_sub(1)) == 0 && outside & !singles == 0;
        if OFF && one_outside {
            bearing_off::<L, BAR>(start, masks, high, low, out);
        } else if BAR && masks.mine & 1 != 0 {
            from_the_bar(start, masks, singles, high, low, out);
        } else {
            free(start, masks, singles, high, low, out);
        }
        if out.len > 0 { 2 } else { one_die::<L, BAR, OFF>(start, masks, high, low, out) }
    }
}

/// Only one die can be played: the larger if possible.
///
/// # Safety
/// As [`generate`].
#[inline(always)]
unsafe fn one_die<L: Lanes, const BAR: bool, const OFF: bool>(
    start: L,
    masks: Masks,
    high: u32,
    low: u32,
    out: &mut Stack,
) -> usize {
    for die in [high, low] {
        let from = sources::<BAR, OFF>(masks.mine, masks.blocked, die);
        if from != 0 {
            // SAFETY: the caller's promise, passed on.
            unsafe { push_steps::<L, 6>(start, from, die, masks.blots, out) };
            return 1;
        }
    }
    0
}

/// At least two checkers outside the home board, none on the bar: nothing bears off.
///
/// # Safety
/// As [`generate`].
#[inline(always)]
unsafe fn free<L: Lanes>(start: L, masks: Masks, singles: u32, high: u32, low: u32, out: &mut Stack) {
    let Masks { mine, blots, blocked } = masks;
    let ends_inside = |pips: u32| (1u32 << (25 - pips)) - 1;
    let open_high = !(blocked >> high) & ends_inside(high);
    let open_low = !(blocked >> low) & ends_inside(low);
    let from_high = mine & open_high;
    let from_low = mine & open_low;
    let high_steps = steps(high);
    let mut rest = from_high;
    while rest != 0 {
        let place = rest.trailing_zeros();
        let left = rest & rest.wrapping_neg();
        rest &= rest - 1;
        let to = left << high;
        let hits = usize::from(blots & to != 0);
        // SAFETY: places are below 25; the rest is the caller's promise.
        unsafe {
            let moved = start.plus(high_steps.get_unchecked(place as usize).get_unchecked(hits));
            let still_there = from_low & !(left & singles);
            let second = (still_there | (to & open_low)) & !(left >> low);
            push_steps::<L, 6>(moved, second, low, blots & !to, out);
        }
    }
    // One checker, smaller die first. The larger die first gives the same unless a stop hits.
    let through = from_low & (open_high >> low);
    let same = from_high & (open_low >> high) & !(blots >> high) & !(blots >> low);
    let mut rest = through & !same;
    while rest != 0 {
        let place = rest.trailing_zeros();
        rest &= rest - 1;
        // SAFETY: as above.
        unsafe { push_two(start, place, low, high, blots, out) };
    }
}

/// Pushes the position after one checker plays `first` and then `second` from `place`.
///
/// # Safety
/// As [`generate`]; both steps end on the board.
#[inline(always)]
unsafe fn push_two<L: Lanes>(start: L, place: u32, first: u32, second: u32, blots: u32, out: &mut Stack) {
    let stop = place + first;
    let hit_at = |place: u32| ((blots >> place) & 1) as usize;
    // SAFETY: `place` and `stop` are on the board; the rest is the caller's promise.
    unsafe {
        let moved = start.plus(steps(first).get_unchecked(place as usize).get_unchecked(hit_at(stop)));
        let arrived = steps(second).get_unchecked(stop as usize).get_unchecked(hit_at(stop + second));
        out.push(moved.plus(arrived));
    }
}

/// Checkers on the bar.
///
/// # Safety
/// As [`generate`]; there is a checker on the bar.
#[inline(always)]
unsafe fn from_the_bar<L: Lanes>(start: L, masks: Masks, singles: u32, high: u32, low: u32, out: &mut Stack) {
    let Masks { blots, blocked, .. } = masks;
    let enters = |die: u32| (blocked >> die) & 1 == 0;
    let several = singles & 1 == 0;
    if several {
        if enters(high) && enters(low) {
            let hit = |die: u32| ((blots >> die) & 1) as usize;
            // SAFETY: place 0 exists; the rest is the caller's promise.
            unsafe {
                let one = start.plus(&steps(high)[0][hit(high)]);
                out.push(one.plus(&steps(low)[0][hit(low)]));
            }
        }
        return;
    }
    for (first, second) in [(high, low), (low, high)] {
        if !enters(first) {
            continue;
        }
        let to = 1u32 << first;
        // SAFETY: place 0 exists; the rest is the caller's promise.
        unsafe {
            let entered = start.plus(&steps(first)[0][usize::from(blots & to != 0)]);
            let mut from = sources::<true, true>(entered.mine(), blocked, second);
            let no_hits = blots & (1 << high | 1 << low) == 0;
            if first == low && no_hits && enters(high) {
                from &= !to; // the entered checker going on: generated with the larger die first
            }
            push_steps::<L, 6>(entered, from, second, blots & !to, out);
        }
    }
}

/// At most one checker outside the home board: the second step, or both, may bear off.
///
/// # Safety
/// As [`generate`].
#[inline(always)]
unsafe fn bearing_off<L: Lanes, const BAR: bool>(
    start: L,
    masks: Masks,
    high: u32,
    low: u32,
    out: &mut Stack,
) {
    let Masks { mine, blots, blocked } = masks;
    for (first, second) in [(high, low), (low, high)] {
        let mut from = sources::<BAR, true>(mine, blocked, first);
        while from != 0 {
            let place = from.trailing_zeros();
            from &= from - 1;
            let to = place + first;
            let hits = ((blots >> to) & 1) as usize;
            // SAFETY: places are below 25; the rest is the caller's promise.
            unsafe {
                let moved = start.plus(steps(first).get_unchecked(place as usize).get_unchecked(hits));
                let then = sources::<BAR, true>(moved.mine(), blocked, second);
                push_new(moved, then, second, blots & !(1 << to), out);
            }
        }
    }
}

/// Like [`push_steps`], but leaves out what `out` holds already.
///
/// # Safety
/// As [`push_steps`].
#[inline(always)]
pub(super) unsafe fn push_new<L: Lanes>(lanes: L, mut from: u32, die: u32, blots: u32, out: &mut Stack) {
    let steps = steps(die);
    while from != 0 {
        let place = from.trailing_zeros();
        from &= from - 1;
        let hits = ((blots >> (place + die)) & 1) as usize;
        // SAFETY: places are below 25; the rest is the caller's promise.
        unsafe {
            let result = lanes.plus(steps.get_unchecked(place as usize).get_unchecked(hits));
            if !holds(out, result) {
                out.push(result);
            }
        }
    }
}

/// Whether a position is among those stored.
///
/// # Safety
/// `L` may be used on this CPU.
#[inline(always)]
pub(super) unsafe fn holds<L: Lanes>(out: &Stack, lanes: L) -> bool {
    for known in out.as_slice() {
        // SAFETY: the caller promises the CPU.
        if unsafe { lanes.equals(known) } {
            return true;
        }
    }
    false
}
