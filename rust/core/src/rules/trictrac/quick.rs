//! A throw for the vectors: its points and its turns, but for the jans that have to be looked at turn by turn.
//!
//! As in `movegen`, whose steps these are, places count up along the mover's way: his point `p` is place `25 - p`,
//! so that his corner is place 12, and places 19 to 24 are the return jan. The other side's own points are places
//! under their own numbers.

use crate::dice::Roll;
use crate::lanes::{Lanes, POINTS};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{Board, OUTSIDE, Task};
use crate::position::Position;

/// The mover's corner, and the other side's.
const CORNER: u32 = 12;
const THEIR_CORNER: u32 = 13;
/// The jans: petit, grand, and that of return.
const JANS: [u32; 3] = [0b11_1111 << 1, 0b11_1111 << 7, RETURN];
const RETURN: u32 = 0b11_1111 << 19;
const THEIR_GRAND: u32 = 0b11_1111 << 13;
/// Where a hit counts less: the outer tables.
const BIG_TABLE: u32 = 0b1111_1111_1111 << 7;
/// More turns than two numbers can be played in while checkers are borne off: six places each, in both orders, and
/// those of one checker.
const MOST_TURNS: usize = 128;

/// What a throw is asked for.
pub(crate) struct Throw<'a> {
    pub(crate) position: &'a Position,
    pub(crate) roll: Roll,
    /// Turns completed since the last start.
    pub(crate) turns: u8,
}

/// What it brings, with the boards after its turns, seen by the other player and without marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brought {
    /// Points of the thrower and of the other player.
    pub(crate) points: [u32; 2],
    /// Numbers played.
    pub(crate) used: u32,
    /// Whether the last checker leaves.
    pub(crate) exit: bool,
}

/// Only the turns of a throw.
pub(crate) struct Moves<'a> {
    pub(crate) position: &'a Position,
    pub(crate) roll: Roll,
}

impl Task for Throw<'_> {
    type Found = Option<Brought>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<Brought> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let table = Table::<L>::of(self.position, self.roll);
            let (used, jans) = table.legal(out)?;
            let exit = table.leaves(out);
            let [mine, theirs] = table.hits();
            let [first, contre] = table.first_moves(self.turns);
            let unplayed = if exit { 0 } else { 2 * (2 - used) };
            let points = [
                mine + first + table.corner_hit() + jans + table.value() * u32::from(exit),
                theirs + contre + unplayed,
            ];
            Some(Brought { points, used, exit })
        }
    }
}

impl Task for Moves<'_> {
    type Found = Option<u32>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<u32> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let table = Table::<L>::of(self.position, self.roll);
            let (used, _) = table.legal(out)?;
            table.leaves(out);
            Some(used)
        }
    }
}

/// A board before a throw.
struct Table<L> {
    board: Board<L>,
    /// Places with at least 1, 2, 3 and 4 of the mover's checkers.
    held: [u32; 4],
    high: u32,
    low: u32,
    /// Where a checker may stay, and where it may rest on its way.
    stops: u32,
    rests: u32,
}

/// Turns by which checkers may leave, each with the numbers that were larger than needed.
struct Leaving {
    wasted: [u8; MOST_TURNS],
}

// SAFETY (all methods): the caller promises that `L` may be used on this CPU.
#[allow(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]
impl<L: Lanes> Table<L> {
    #[inline(always)]
    unsafe fn of(position: &Position, roll: Roll) -> Self {
        let mut checkers = *position;
        checkers.0[31] = 0; // the generator takes the other spare bytes from it
        unsafe {
            let board = Board::<L>::of(&checkers).closed();
            let enemies = board.masks.blocked;
            let [petit, grand] = fillable(position);
            let closed = if petit { RETURN } else { 0 };
            let rests = POINTS & !enemies & !closed;
            let stops = rests & !(1 << THEIR_CORNER) & !if grand { THEIR_GRAND } else { 0 };
            let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
            Table { board, held: board.lanes.held(), high, low, stops, rests }
        }
    }

    #[inline(always)]
    fn mine(&self) -> u32 {
        self.board.masks.mine
    }

    #[inline(always)]
    fn is_double(&self) -> bool {
        self.high == self.low
    }

    /// What most things are worth.
    #[inline(always)]
    fn value(&self) -> u32 {
        if self.is_double() { 6 } else { 4 }
    }

    /// Points for single checkers that could be hit: true hits, and false ones for the other player.
    #[inline(always)]
    unsafe fn hits(&self) -> [u32; 2] {
        let (mine, &Self { high, low, .. }) = (self.mine(), self);
        let (blots, two) = unsafe { (self.board.lanes.blots(), self.board.lanes.masks().blocked) };
        let by_high = blots & mine << high;
        let by_low = if self.is_double() { 0 } else { blots & mine << low };
        let by_both = blots & mine << (high + low);
        let closed = two << high & two << low;
        let worth = |hit: u32| {
            let extra = if self.is_double() { 2 } else { 0 };
            (4 + extra) * (hit & !BIG_TABLE).count_ones() + (2 + extra) * (hit & BIG_TABLE).count_ones()
        };
        let truly = worth(by_high) + worth(by_low) + worth(by_both & !closed);
        [truly, worth(by_both & closed & !by_high & !by_low)]
    }

    /// Whether there are so many of the mover's checkers on a place.
    #[inline(always)]
    fn has(&self, place: u32, checkers: usize) -> bool {
        self.held[checkers - 1] >> place & 1 != 0
    }

    /// Whether two checkers could come to a place, beside so many there that are not to be moved.
    #[inline(always)]
    fn two_come(&self, place: u32, corner_stays: bool) -> bool {
        let spared = |die: u32| if corner_stays && place - die == CORNER { 2 } else { 0 };
        if self.is_double() {
            return self.has(place - self.high, 2 + spared(self.high));
        }
        self.has(place - self.high, 1 + spared(self.high)) && self.has(place - self.low, 1 + spared(self.low))
    }

    /// Points for the other side's empty corner.
    #[inline(always)]
    fn corner_hit(&self) -> u32 {
        let open = self.board.is_open(THEIR_CORNER);
        if open && self.has(CORNER, 2) && self.two_come(THEIR_CORNER, true) { self.value() } else { 0 }
    }

    /// Points for the first checkers that leave the talon, of the thrower and of the other player.
    #[inline(always)]
    unsafe fn first_moves(&self, turns: u8) -> [u32; 2] {
        let mut checkers = Position([0; 32]);
        unsafe { self.board.lanes.store(&mut checkers) };
        let on = |place: u32| -checkers.0[place as usize];
        let Self { high, low, .. } = *self;
        let mut points = [0; 2];
        // Four single checkers on the places 2 to 7 and the throw brings checkers to the two others.
        let few = self.held[0] & !self.held[1] & 0xfc;
        if turns == 2 && on(1) == 11 && few.count_ones() == 4 && !self.is_double() {
            let missing = 0xfc & !self.mine();
            points[0] += 4 * u32::from(missing == (1 << (1 + high) | 1 << (1 + low)));
        }
        let all_there = || checkers.0[1..25].iter().map(|&n| i32::from(n.min(0))).sum::<i32>() == -15;
        if on(1) != 13 || !all_there() {
            return points;
        }
        let against = usize::from(!self.board.is_open(THEIR_CORNER));
        let stand = |one: u32, two: u32| {
            if one == two { on(one) == 2 } else { on(one) == 1 && on(two) == 1 }
        };
        if on(CORNER) == 0 {
            let (by_high, by_low) = (CORNER - high, CORNER - low);
            if stand(by_high, THEIR_CORNER - low) || stand(by_low, THEIR_CORNER - high) {
                points[against] += self.value();
            }
        } else if on(CORNER) == 2 && low == 1 {
            points[against] += self.value();
        }
        points
    }

    /// Stores the boards after all legal turns; how many numbers they use, and the points for their jans.
    ///
    /// Nothing where it matters by which checkers a jan is filled.
    #[inline(always)]
    unsafe fn legal(&self, out: &mut PlayBuf) -> Option<(u32, u32)> {
        unsafe {
            let used = self.playable(out);
            if used == 0 {
                self.board.push(out);
            }
            let mut some = 0;
            for result in out.positions() {
                some |= full_jans(L::load(result).held()[1]);
            }
            if some == 0 {
                return Some((used, 0));
            }
            let mut worth = [0; 3];
            for jan in (0..3).filter(|&jan| some >> jan & 1 != 0) {
                let there = (self.held[0] & JANS[jan]).count_ones() + (self.held[1] & JANS[jan]).count_ones();
                if there == 11 {
                    return None;
                }
                worth[jan] = self.value();
            }
            let points = |full: u32| (0..3).map(|jan| (full >> jan & 1) * worth[jan]).sum::<u32>();
            let mut best = 0;
            for result in out.positions() {
                best = best.max(points(full_jans(L::load(result).held()[1])));
            }
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                results.keep(result, points(full_jans(result.held()[1])) == best);
            }
            Some((used, best))
        }
    }

    /// Whether the last checker can leave; then it does.
    #[inline(always)]
    unsafe fn leaves(&self, out: &mut PlayBuf) -> bool {
        let checkers: u32 = self.held.iter().map(|places| places.count_ones()).sum();
        let mut exit = false;
        if checkers <= 2 {
            unsafe {
                for result in out.positions() {
                    exit |= L::load(result).mine() == 0;
                }
                let mut results = out.rewrite();
                while let Some(result) = results.next::<L>() {
                    results.keep(result, !exit || result.mine() == 0);
                }
            }
        }
        exit
    }

    /// Stores the boards after the turns that the obligations to play leave; how many numbers they use.
    #[inline(always)]
    unsafe fn playable(&self, out: &mut PlayBuf) -> u32 {
        let outside = self.mine() & OUTSIDE;
        unsafe {
            if outside & outside.wrapping_sub(1) != 0 || outside & self.held[1] != 0 {
                self.inside(out);
                self.power(out);
                self.settle(out);
            } else {
                self.leaving(out);
            }
            if out.len() > 0 {
                return 2;
            }
            for die in [self.high, self.low] {
                self.board.push_steps(self.sources(self.mine(), die), die, out);
                self.settle(out);
                if out.len() > 0 {
                    return 1;
                }
            }
            0
        }
    }

    /// Leaves out the boards with a single checker on the own corner.
    #[inline(always)]
    unsafe fn settle(&self, out: &mut PlayBuf) {
        unsafe {
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                results.keep(result, result.singles() >> CORNER & 1 == 0);
            }
        }
    }

    /// Places from which a checker may go on by `die` to stay, or leave.
    #[inline(always)]
    fn sources(&self, mine: u32, die: u32) -> u32 {
        let steps = mine & self.stops >> die;
        if mine & OUTSIDE != 0 {
            return steps;
        }
        let rearmost = mine & mine.wrapping_neg();
        steps | mine & 1 << (25 - die) | if mine & ((1 << (25 - die)) - 1) == 0 { rearmost } else { 0 }
    }

    /// Places from which one checker may play both numbers and stay on the board.
    #[inline(always)]
    fn through(&self) -> u32 {
        let rests = self.rests >> self.high | self.rests >> self.low;
        self.mine() & rests & self.stops >> (self.high + self.low)
    }

    /// Both numbers where two checkers are outside, so that none can leave.
    ///
    /// One checker with both numbers is told apart from two checkers; the same boards by two, one of which comes to
    /// where the other leaves, are left out.
    #[inline(always)]
    unsafe fn inside(&self, out: &mut PlayBuf) {
        let (mine, &Self { high, low, .. }) = (self.mine(), self);
        let (by_high, by_low) = (mine & self.stops >> high, mine & self.stops >> low);
        unsafe {
            let mut rest = by_high;
            while rest != 0 {
                let place = rest.trailing_zeros();
                let left = rest & rest.wrapping_neg();
                rest &= rest - 1;
                let gone = left & !self.held[1];
                let mut second = by_low & !gone & !(left << high) & !(left >> low);
                if high == low {
                    second &= left.wrapping_neg(); // each pair once
                }
                self.board.step(place, high).push_steps(second, low, out);
            }
            let mut rest = self.through();
            while rest != 0 {
                let place = rest.trailing_zeros();
                rest &= rest - 1;
                self.board.step(place, high).step(place + high, low).push(out);
            }
        }
    }

    /// The corner taken by power: two checkers that could come to the other side's empty corner.
    #[inline(always)]
    unsafe fn power(&self, out: &mut PlayBuf) {
        let empty = !self.has(CORNER, 1) && self.board.is_open(THEIR_CORNER);
        if !empty || self.two_come(CORNER, false) || !self.two_come(THEIR_CORNER, false) {
            return;
        }
        // Neither number is an ace, whose checker would come from the corner.
        let Self { high, low, .. } = *self;
        unsafe {
            let one = self.board.step(THEIR_CORNER - high, high - 1);
            one.step(THEIR_CORNER - low, low - 1).push_new(out);
        }
    }

    /// Both numbers where at most one checker is outside, with as few numbers larger than needed as can be.
    #[inline(always)]
    unsafe fn leaving(&self, out: &mut PlayBuf) {
        let mut found = Leaving { wasted: [0; MOST_TURNS] };
        unsafe {
            for (one, two) in [(self.high, self.low), (self.low, self.high)] {
                let mut from = self.sources(self.mine(), one) | self.mine() & self.rests >> one;
                while from != 0 {
                    let place = from.trailing_zeros();
                    from &= from - 1;
                    let next = self.board.step(place, one);
                    let mut then = self.sources(next.masks.mine, two);
                    // Where it may rest but not stay it has to go on.
                    if place + one <= 24 && self.stops >> (place + one) & 1 == 0 {
                        then &= 1 << (place + one);
                    }
                    while then != 0 {
                        let second = then.trailing_zeros();
                        then &= then - 1;
                        let wasted = u8::from(place + one > 25) + u8::from(second + two > 25);
                        found.note(next.step(second, two), wasted, out);
                    }
                }
                if self.is_double() {
                    break;
                }
            }
            self.power(out);
            let fewest = found.wasted[..out.len()].iter().copied().min().unwrap_or(0);
            let mut wasted = found.wasted.iter();
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                results.keep(result, wasted.next() == Some(&fewest));
            }
        }
    }
}

impl Leaving {
    /// Stores a board with a legal corner, or that it can be had for less.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn note<L: Lanes>(&mut self, board: Board<L>, wasted: u8, out: &mut PlayBuf) {
        // SAFETY: the caller promises the CPU.
        unsafe {
            if board.lanes.singles() >> CORNER & 1 != 0 {
                return;
            }
            for (known, least) in out.positions().iter().zip(&mut self.wasted) {
                if board.lanes.equals(known) {
                    *least = wasted.min(*least);
                    return;
                }
            }
            self.wasted[out.len()] = wasted;
            board.push(out);
        }
    }
}

/// Which jans are full, from the places with two checkers or more.
#[inline(always)]
fn full_jans(two: u32) -> u32 {
    let full = |jan: usize| u32::from(two & JANS[jan] == JANS[jan]) << jan;
    full(0) | full(1) | full(2)
}

/// Whether the other side can still fill its petit jan (the mover's return jan), and its grand jan.
#[inline(always)]
fn fillable(position: &Position) -> [bool; 2] {
    let mut checkers = 0;
    [24, 18].map(|highest: usize| {
        let mut able = true;
        let mut wanted = 2;
        for point in (highest - 5..=highest).rev() {
            checkers += -i32::from(position.0[25 - point].min(0));
            able &= checkers >= wanted;
            wanted += 2;
        }
        able
    })
}
