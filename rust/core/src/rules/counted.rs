//! Plays where nothing but the mover's own men changes: the quick way for Plakoto and the games without hits.
//!
//! There the closed points stay closed all turn, so a result is named by how many men leave each point, and each
//! is generated once, by the arguments of `movegen::doubles` and `movegen::mixed` without their hits. A step is one
//! addition to the 32 bytes, which are in the view of whoever acts next from the start. Restrictions that depend on
//! the order of steps (a runner under way, say) are left to [`walk`](super::walk): the caller asks
//! [`Counted::plays`] only where it can answer.

use crate::position::Position;

/// What one man's step adds to the 32 bytes, by number and point left.
type Steps = [[[i8; 32]; 25]; 6];

/// Whose view the bytes are, and how it is related to the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The other player's, who runs the other way.
    Contrary,
    /// The other player's, who runs the same way.
    Parallel,
    /// The mover's own.
    Own,
}

const fn steps(view: Seen) -> Steps {
    let sign = if matches!(view, Seen::Own) { -1 } else { 1 };
    let mut all = [[[0; 32]; 25]; 6];
    let mut die = 1;
    while die <= 6 {
        let mut from = 1;
        while from <= 24 {
            all[die - 1][from][seen(from, view)] += sign;
            if from > die {
                all[die - 1][from][seen(from - die, view)] -= sign;
            }
            from += 1;
        }
        die += 1;
    }
    all
}

/// Where a view has a point of the mover.
const fn seen(point: usize, view: Seen) -> usize {
    match view {
        Seen::Contrary => 25 - point,
        Seen::Parallel if point <= 12 => point + 12,
        Seen::Parallel => point - 12,
        Seen::Own => point,
    }
}

static CONTRARY: Steps = steps(Seen::Contrary);
static PARALLEL: Steps = steps(Seen::Parallel);
static OWN: Steps = steps(Seen::Own);

/// Points 7 to 24.
const OUTSIDE: u32 = 0x01ff_ff80;

/// A mover's men and what stands in their way, for one turn.
pub(crate) struct Counted {
    /// The position before the turn in the view of whoever acts after it, with the marks it will have then.
    pub(crate) start: Position,
    /// Points with at least 1, 2, 3 and 4 of the mover's men who may leave them.
    pub(crate) held: [u32; 4],
    /// Points on which a man may land.
    pub(crate) open: u32,
    /// Whether men may be borne off once all are home.
    pub(crate) bears_off: bool,
    /// Whose view that is.
    pub(crate) view: Seen,
}

/// A position within the turn; one mask fewer is right after each step, since one step fewer is left.
#[derive(Clone, Copy)]
struct Node {
    bytes: Position,
    held: [u32; 4],
}

/// Where results go, and which may not be there.
pub(crate) struct Asked<'a, F: Fn(u32) -> bool> {
    /// Where the results go.
    pub(crate) out: &'a mut Vec<Position>,
    /// Whether a turn may not end with the mover's men on these points.
    pub(crate) forbidden: F,
    /// Whether a result was left out for that.
    pub(crate) left_out: bool,
}

impl<F: Fn(u32) -> bool> Asked<'_, F> {
    #[inline(always)]
    fn push(&mut self, node: &Node) {
        if (self.forbidden)(node.held[0]) {
            self.left_out = true;
        } else {
            self.out.push(node.bytes);
        }
    }
}

impl Counted {
    /// Points from which a man can play `die`.
    #[inline(always)]
    fn sources(&self, held: u32, die: usize) -> u32 {
        let steps = held & (self.open << die) & (!0 << (die + 1));
        if held & OUTSIDE != 0 || !self.bears_off {
            return steps;
        }
        let exact = held & 1 << die;
        if held >> die == 0 && held != 0 {
            return 1 << held.ilog2(); // all nearer than the die: the rearmost goes off
        }
        steps | exact
    }

    #[inline(always)]
    fn step(&self, node: &Node, from: usize, die: usize) -> Node {
        let table = match self.view {
            Seen::Contrary => &CONTRARY,
            Seen::Parallel => &PARALLEL,
            Seen::Own => &OWN,
        };
        let delta = &table[die - 1][from];
        let bytes = Position(std::array::from_fn(|i| node.bytes.0[i] + delta[i]));
        let (left, to) = (1u32 << from, if from > die { 1u32 << (from - die) } else { 0 });
        let [one, two, three, four] = node.held;
        let held = [
            one & !(left & !two) | to,
            two & !(left & !three) | to & one,
            three & !(left & !four) | to & two,
            0,
        ];
        Node { bytes, held }
    }

    /// Notes all positions `count` steps of `die` on, from `allowed` points in descending order.
    fn equal<F: Fn(u32) -> bool>(
        &self,
        node: &Node,
        die: usize,
        count: usize,
        allowed: u32,
        asked: &mut Asked<'_, F>,
    ) {
        let mut from = self.sources(node.held[0], die) & allowed;
        while from != 0 {
            let point = from.ilog2() as usize;
            from &= !(1 << point);
            let after = self.step(node, point, die);
            if count == 1 {
                asked.push(&after);
            } else {
                self.equal(&after, die, count - 1, (2 << point) - 1, asked);
            }
        }
    }

    fn mixed<F: Fn(u32) -> bool>(&self, start: &Node, high: usize, low: usize, asked: &mut Asked<'_, F>) {
        let one = start.held[0];
        let mut from = one & (self.open << high) & (!0 << (high + 1));
        let same = from & (self.open << (high + low)) & (!0 << (high + low + 1));
        while from != 0 {
            let point = from.ilog2() as usize;
            let left = 1 << point;
            from &= !left;
            let moved = self.step(start, point, high);
            // All that the smaller number can leave now, but for a man who would come to where this one was: that
            // is one man with both numbers, generated as such.
            let mut second = self.sources(moved.held[0], low) & !(left << low);
            while second != 0 {
                let next = second.ilog2() as usize;
                second &= !(1 << next);
                asked.push(&self.step(&moved, next, low));
            }
        }
        // One man, the smaller number first, where the larger one first is not the same.
        let through = one & (self.open << low) & (self.open << (high + low)) & (!0 << (high + low + 1));
        let mut rest = through & !same;
        while rest != 0 {
            let point = rest.ilog2() as usize;
            rest &= !(1 << point);
            let stop = self.step(start, point, low);
            asked.push(&self.step(&stop, point - low, high));
        }
    }

    fn bearing_off<F: Fn(u32) -> bool>(
        &self,
        start: &Node,
        high: usize,
        low: usize,
        asked: &mut Asked<'_, F>,
    ) {
        for (one, two) in [(high, low), (low, high)] {
            let mut from = self.sources(start.held[0], one);
            while from != 0 {
                let point = from.ilog2() as usize;
                from &= !(1 << point);
                let moved = self.step(start, point, one);
                let mut then = self.sources(moved.held[0], two);
                while then != 0 {
                    let next = then.ilog2() as usize;
                    then &= !(1 << next);
                    let end = self.step(&moved, next, two);
                    if !asked.out.contains(&end.bytes) {
                        asked.push(&end);
                    }
                }
            }
        }
    }

    /// Fills `asked` with the results of two different numbers, the larger first, or of `count` (up to four) equal
    /// ones; how many numbers they use.
    ///
    /// If that is none nothing is filled in; if something was left out then, whoever asked has to see whether the
    /// turn may end where it began.
    pub(crate) fn plays<F: Fn(u32) -> bool>(
        &self,
        high: usize,
        low: usize,
        count: usize,
        asked: &mut Asked<'_, F>,
    ) -> usize {
        let start = Node { bytes: self.start, held: self.held };
        if high == low {
            for used in (1..=count).rev() {
                self.equal(&start, high, used, !0, asked);
                if !asked.out.is_empty() {
                    return used;
                }
            }
            return 0;
        }
        let outside = start.held[0] & OUTSIDE;
        let several = outside & outside.wrapping_sub(1) != 0 || start.held[1] & outside != 0;
        if several || !self.bears_off {
            self.mixed(&start, high, low, asked);
        } else {
            self.bearing_off(&start, high, low, asked);
        }
        if !asked.out.is_empty() {
            return 2;
        }
        for die in [high, low] {
            self.equal(&start, die, 1, !0, asked);
            if !asked.out.is_empty() {
                return 1;
            }
        }
        0
    }
}

/// The points of a position as sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Points {
    /// Points with at least 1, 2, 3 and 4 men of the player to act.
    pub(crate) held: [u32; 4],
    /// Points with at least 1 and 2 men of the other side.
    pub(crate) theirs: [u32; 2],
}

/// The points 1 to 24 as a set.
pub(crate) const POINTS: u32 = 0x01ff_fffe;

impl Points {
    /// Reads them off a position, one place after the other: what the vectors are held to.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn one_by_one(position: &Position) -> Points {
        let at = |condition: &dyn Fn(i8) -> bool| {
            (1..=24).map(|point| u32::from(condition(position.0[point])) << point).sum()
        };
        Points {
            held: [1, 2, 3, 4].map(|least| at(&|n| n >= least)),
            theirs: [1, 2].map(|least| at(&|n| n <= -least)),
        }
    }

    /// Reads them off a position.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Points {
        use std::arch::x86_64::{
            __m128i, _mm_cmpgt_epi8, _mm_cmplt_epi8, _mm_load_si128, _mm_movemask_epi8, _mm_set1_epi8,
        };
        // SAFETY: SSE2 belongs to every x86-64 CPU, and a position is 32 bytes aligned to as many.
        unsafe {
            let halves = position.0.as_ptr().cast::<__m128i>();
            let (low, high) = (_mm_load_si128(halves), _mm_load_si128(halves.add(1)));
            let above = |n: i8| {
                let n = _mm_set1_epi8(n);
                let low = _mm_movemask_epi8(_mm_cmpgt_epi8(low, n)) as u32;
                (low | (_mm_movemask_epi8(_mm_cmpgt_epi8(high, n)) as u32) << 16) & POINTS
            };
            let below = |n: i8| {
                let n = _mm_set1_epi8(n);
                let low = _mm_movemask_epi8(_mm_cmplt_epi8(low, n)) as u32;
                (low | (_mm_movemask_epi8(_mm_cmplt_epi8(high, n)) as u32) << 16) & POINTS
            };
            Points { held: [above(0), above(1), above(2), above(3)], theirs: [below(0), below(-1)] }
        }
    }

    /// Reads them off a position.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn of(position: &Position) -> Points {
        Points::one_by_one(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::walk::across;

    #[test]
    fn the_other_player_sees_points_across() {
        for point in 1..=24 {
            assert_eq!(seen(point, Seen::Parallel), across(point));
            assert_eq!(seen(point, Seen::Contrary), 25 - point);
        }
    }

    #[test]
    fn vectors_read_the_points_that_are_there() {
        for shift in 0..32 {
            let position = Position(std::array::from_fn(|i| ((i as i32 * 7 + shift) % 11 - 5) as i8));
            assert_eq!(Points::of(&position), Points::one_by_one(&position));
        }
    }
}
