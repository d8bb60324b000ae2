//! Checkers moved one by one: the turn rules that most games share, each game saying what differs.
//!
//! This is the generator for whatever the vectors of `movegen` cannot do: restrictions that depend on what was
//! done earlier in the turn, and positions a turn may not end in.

use super::marks::{self, Marks};
use crate::position::Position;

/// Where checkers wait that are not on the board: hit, or not yet entered.
pub(crate) const WAIT: usize = 25;

/// What happens between the sides on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// A single checker is hit, two close a point.
    Hit,
    /// A single checker is pinned, two close a point, so does one on top of a pinned checker.
    Pin,
    /// A single checker closes a point.
    Block,
}

/// A position in the middle of a turn, numbered by the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mid {
    /// The mover's checkers that can move: on points 1 to 24, and waiting at [`WAIT`].
    pub(crate) mine: [u8; 26],
    /// The other side's by the mover's points; waiting at [`WAIT`].
    pub(crate) theirs: [u8; 26],
    /// Places with checkers of `mine`.
    pub(crate) held: u32,
    /// Points where a checker of the mover lies under one of the other side's.
    pub(crate) under_mine: u32,
    /// Points where a checker of the other side lies under one of the mover's.
    pub(crate) under_theirs: u32,
    /// The mover's and the other side's checkers borne off.
    pub(crate) off: [u8; 2],
    /// What a game remembers within the turn.
    pub(crate) memory: u32,
    /// The marks of the position before the turn, the mover's first.
    pub(crate) marks: Marks,
}

impl Mid {
    /// The position before a turn, without pins; `checkers` is how many a side has.
    pub(crate) fn new(position: &Position, checkers: u8) -> Mid {
        let mut mid = Mid {
            mine: [0; 26],
            theirs: [0; 26],
            held: 0,
            under_mine: 0,
            under_theirs: 0,
            off: [checkers; 2],
            memory: 0,
            marks: marks::of(position),
        };
        for (place, &n) in position.places().iter().enumerate() {
            if n > 0 {
                mid.mine[place] = n as u8;
                mid.held |= 1 << place;
                mid.off[0] -= n as u8;
            } else if n < 0 {
                // The other side's waiting checkers are at place 0 of a position.
                mid.theirs[if place == 0 { WAIT } else { place }] = n.unsigned_abs();
                mid.off[1] -= n.unsigned_abs();
            }
        }
        mid
    }

    /// The checkers as a position that the mover still sees, without marks.
    pub(crate) fn position(&self) -> Position {
        let mut bytes = [0; 32];
        for (place, (mine, theirs)) in self.mine.iter().zip(self.theirs).enumerate().take(WAIT).skip(1) {
            bytes[place] = *mine as i8 - theirs as i8;
        }
        bytes[WAIT] = self.mine[WAIT] as i8;
        bytes[0] = -(self.theirs[WAIT] as i8);
        Position(bytes)
    }

    /// The mover's highest point with a checker, pinned or not; 0 if there is none.
    pub(crate) fn rearmost(&self) -> usize {
        ((self.held | self.under_mine) & 0x01ff_ffff).checked_ilog2().unwrap_or(0) as usize
    }

    /// Whether all the mover's checkers are home or off.
    pub(crate) fn all_home(&self) -> bool {
        (self.held | self.under_mine) >> 7 == 0
    }

    /// Points where the other side has checkers on top, in the mover's numbering.
    pub(crate) fn enemy_points(&self) -> u32 {
        (1..=24).map(|point| u32::from(self.theirs[point] > 0) << point).sum()
    }

    fn take(&mut self, place: usize) {
        self.mine[place] -= 1;
        self.held &= !(u32::from(self.mine[place] == 0) << place);
    }

    fn put(&mut self, place: usize) {
        self.mine[place] += 1;
        self.held |= 1 << place;
    }
}

/// The same checkers seen by the other player where both sides run the same way round; marks are left out.
pub(crate) fn flip_parallel(position: &Position) -> Position {
    let (from, mut to) = (&position.0, [0; 32]);
    for i in 1..=12 {
        to[i] = -from[i + 12];
        to[i + 12] = -from[i];
    }
    (to[0], to[WAIT]) = (-from[WAIT], -from[0]);
    Position(to)
}

/// A point in the other side's numbering where both run the same way round.
pub(crate) const fn across(point: usize) -> usize {
    if point <= 12 { point + 12 } else { point - 12 }
}

/// A set of points in the other side's numbering, likewise.
pub(crate) const fn across_mask(points: u32) -> u32 {
    (points & 0x1ffe) << 12 | (points >> 12) & 0x1ffe
}

/// The lowest points of every six in a row within a set of points.
pub(crate) fn sixes(points: u32) -> u32 {
    let two = points & points >> 1;
    let four = two & two >> 2;
    four & two >> 4
}

/// How the checkers of one game move; what is not said is as in the standard game.
pub(crate) trait Walk: Copy {
    /// What happens between the sides on a point.
    fn contact(&self) -> Contact;

    /// Whether a checker may land on a point.
    #[inline(always)]
    fn open(&self, mid: &Mid, point: usize) -> bool {
        match (self.contact(), mid.theirs[point]) {
            (_, 0) => true,
            (Contact::Hit, 1) => true,
            (Contact::Pin, 1) => mid.under_mine & 1 << point == 0,
            _ => false,
        }
    }

    /// Whether a waiting checker may enter on a point.
    #[inline(always)]
    fn may_enter(&self, mid: &Mid, point: usize) -> bool {
        self.open(mid, point)
    }

    /// Whether nothing else may be moved before a waiting checker.
    #[inline(always)]
    fn enters_first(&self, mid: &Mid) -> bool {
        mid.mine[WAIT] > 0
    }

    /// Whether a checker may leave a point at all.
    #[inline(always)]
    fn may_leave(&self, _: &Mid, _point: usize) -> bool {
        true
    }

    /// Whether a checker on `point`, not beyond the reach of `die`, may be borne off with it.
    #[inline(always)]
    fn bears_off(&self, mid: &Mid, point: usize, die: usize) -> bool {
        mid.all_home() && (die == point || mid.rearmost() == point)
    }

    /// Whether a number that bears a checker off may be used for nothing else.
    #[inline(always)]
    fn must_bear_off(&self) -> bool {
        false
    }

    /// Remembers a step that was made; `to` is 0 for a checker borne off.
    #[inline(always)]
    fn moved(&self, _: &mut Mid, _from: usize, _to: usize, _hit: bool) {}

    /// Whether a step may lead here, whatever follows.
    #[inline(always)]
    fn step_allowed(&self, _: &Mid) -> bool {
        true
    }

    /// Whether a turn may not end here.
    #[inline(always)]
    fn forbidden(&self, _: &Mid) -> bool {
        false
    }

    /// Whether equal steps may be taken from the rearmost checker on without losing or repeating a result.
    #[inline(always)]
    fn ordered(&self, _: &Mid) -> bool {
        true
    }
}

/// Places that may be left with `die`.
#[inline(always)]
pub(crate) fn sources<W: Walk>(walk: &W, mid: &Mid, die: usize) -> u32 {
    let enters = mid.mine[WAIT] > 0 && walk.may_enter(mid, WAIT - die);
    let waiting = u32::from(enters) << WAIT;
    if walk.enters_first(mid) {
        return waiting;
    }
    let (mut steps, mut off) = (waiting, 0);
    let mut rest = mid.held & ((1 << WAIT) - 1);
    while rest != 0 {
        let point = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if !walk.may_leave(mid, point) {
            continue;
        }
        if point > die {
            steps |= u32::from(walk.open(mid, point - die)) << point;
        } else if walk.bears_off(mid, point, die) {
            off |= 1 << point;
        }
    }
    if walk.must_bear_off() && off != 0 { off } else { steps | off }
}

/// The position after a step that [`sources`] allows.
#[inline(always)]
pub(crate) fn step<W: Walk>(walk: &W, mid: &Mid, from: usize, die: usize) -> Mid {
    let mut after = *mid;
    after.take(from);
    let contact = walk.contact();
    if contact == Contact::Pin && after.under_theirs & !after.held & 1 << from != 0 {
        after.under_theirs &= !(1 << from);
        after.theirs[from] = 1;
    }
    let to = from.saturating_sub(die);
    let mut hit = false;
    if to == 0 {
        after.off[0] += 1;
    } else {
        if after.theirs[to] > 0 {
            hit = true;
            after.theirs[to] = 0;
            match contact {
                Contact::Pin => after.under_theirs |= 1 << to,
                _ => after.theirs[WAIT] += 1,
            }
        }
        after.put(to);
    }
    walk.moved(&mut after, from, to, hit);
    after
}

/// The numbers of a turn: two different ones in any order, or several equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Two numbers, the larger first.
    Two(usize, usize),
    /// So many times the same number.
    Equal(usize, usize),
}

impl Numbers {
    /// How many they are.
    pub(crate) fn len(self) -> usize {
        match self {
            Numbers::Two(..) => 2,
            Numbers::Equal(_, count) => count,
        }
    }
}

/// Fills `ends` with the ends of all legal turns, some perhaps more than once; how many numbers they use.
///
/// As many numbers as possible are played, and the larger if only one of two can be. Ends that are forbidden do
/// not count, unless there are no others, the beginning included.
pub(crate) fn ends<W: Walk>(walk: &W, start: &Mid, numbers: Numbers, ends: &mut Vec<Mid>) -> usize {
    for restricted in [true, false] {
        for used in (0..=numbers.len()).rev() {
            for way in 0..2 {
                if collect(walk, start, numbers, used, way, restricted, ends) {
                    return used;
                }
            }
        }
    }
    0
}

/// Collects the ends after exactly `used` numbers: if it is one of two, the larger on the first `way` and
/// the smaller on the second.
fn collect<W: Walk>(
    walk: &W,
    start: &Mid,
    numbers: Numbers,
    used: usize,
    way: usize,
    restricted: bool,
    ends: &mut Vec<Mid>,
) -> bool {
    ends.clear();
    let mut note = |end: &Mid| {
        if !(restricted && walk.forbidden(end)) {
            ends.push(*end);
        }
    };
    match (numbers, used, way) {
        (_, 0, 0) => note(start),
        (Numbers::Two(high, low), 2, 0) => {
            each(walk, start, high, |after| each(walk, &after, low, |end| note(&end)));
            each(walk, start, low, |after| each(walk, &after, high, |end| note(&end)));
        }
        (Numbers::Two(high, low), 1, _) => {
            each(walk, start, if way == 0 { high } else { low }, |end| note(&end));
        }
        (Numbers::Equal(number, _), _, 0) => {
            let highest = if walk.ordered(start) { WAIT } else { usize::MAX };
            equal(walk, start, number, used, highest, &mut note);
        }
        _ => {}
    }
    !ends.is_empty()
}

/// Calls `then` with each position one step on.
fn each<W: Walk>(walk: &W, mid: &Mid, die: usize, mut then: impl FnMut(Mid)) {
    let mut from = sources(walk, mid, die);
    while from != 0 {
        let place = from.ilog2() as usize;
        from &= !(1 << place);
        let after = step(walk, mid, place, die);
        if walk.step_allowed(&after) {
            then(after);
        }
    }
}

/// Notes each position `count` steps of the same number on, from `highest` down; `usize::MAX`: in any order.
fn equal<W: Walk>(
    walk: &W,
    mid: &Mid,
    number: usize,
    count: usize,
    highest: usize,
    note: &mut impl FnMut(&Mid),
) {
    if count == 0 {
        note(mid);
        return;
    }
    let mut from = sources(walk, mid, number);
    if highest <= WAIT {
        from &= (2 << highest) - 1;
    }
    while from != 0 {
        let place = from.ilog2() as usize;
        from &= !(1 << place);
        let after = step(walk, mid, place, number);
        if walk.step_allowed(&after) {
            let highest = if highest <= WAIT { place } else { highest };
            equal(walk, &after, number, count - 1, highest, note);
        }
    }
}

/// What so many steps with the same number lead to, some perhaps more than once.
pub(crate) fn layer<W: Walk>(walk: &W, start: &Mid, number: usize, count: usize) -> Vec<Mid> {
    let mut reached = Vec::new();
    equal(walk, start, number, count, usize::MAX, &mut |end: &Mid| reached.push(*end));
    reached
}

/// One checker moved by one number; 25 is where checkers wait, 0 is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// Where the checker stood.
    pub from: u8,
    /// Where it stands now.
    pub to: u8,
    /// Whether it hit or pinned a checker.
    pub hit: bool,
}

/// The steps of a turn that uses `used` numbers and whose end satisfies `wanted`.
pub(crate) fn path<W: Walk>(
    walk: &W,
    start: &Mid,
    numbers: Numbers,
    used: usize,
    wanted: &impl Fn(&Mid) -> bool,
) -> Option<Vec<Moved>> {
    let orders = match numbers {
        Numbers::Two(high, low) => vec![vec![high, low], vec![low, high]],
        Numbers::Equal(number, count) => vec![vec![number; count]],
    };
    orders.iter().find_map(|order| {
        let mut path = Vec::new();
        search(walk, start, &order[..used], &mut path, wanted).then_some(path)
    })
}

fn search<W: Walk>(
    walk: &W,
    mid: &Mid,
    order: &[usize],
    path: &mut Vec<Moved>,
    wanted: &impl Fn(&Mid) -> bool,
) -> bool {
    let Some((&die, rest)) = order.split_first() else { return wanted(mid) };
    let mut from = sources(walk, mid, die);
    while from != 0 {
        let place = from.ilog2() as usize;
        from &= !(1 << place);
        let after = step(walk, mid, place, die);
        let to = place.saturating_sub(die);
        if walk.step_allowed(&after) {
            let hit = to > 0 && mid.theirs[to] > 0;
            path.push(Moved { from: place as u8, to: to as u8, hit });
            if search(walk, &after, rest, path, wanted) {
                return true;
            }
            path.pop();
        }
    }
    false
}

/// The ends that exactly these steps in this order can have, given as places left and reached.
pub(crate) fn follow<W: Walk>(walk: &W, start: &Mid, numbers: Numbers, steps: &[(u8, u8)]) -> Vec<Mid> {
    let orders = match numbers {
        Numbers::Two(high, low) => vec![vec![high, low], vec![low, high]],
        Numbers::Equal(number, count) => vec![vec![number; count]],
    };
    let mut found = Vec::new();
    'orders: for order in orders {
        if steps.len() > order.len() {
            continue;
        }
        let mut mid = *start;
        for (&(from, to), &die) in steps.iter().zip(&order) {
            let from = usize::from(from);
            if from > WAIT || sources(walk, &mid, die) & 1 << from == 0 {
                continue 'orders;
            }
            mid = step(walk, &mid, from, die);
            if from.saturating_sub(die) != usize::from(to) || !walk.step_allowed(&mid) {
                continue 'orders;
            }
        }
        found.push(mid);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_in_a_row_is_named_by_its_lowest_point() {
        assert_eq!(sixes(0b111_1110), 1 << 1);
        assert_eq!(sixes(0b11_1110), 0);
        assert_eq!(sixes(0x7f << 10), 1 << 10 | 1 << 11);
    }

    #[test]
    fn points_across_are_half_a_lap_away() {
        for point in 1..=24 {
            assert_eq!(across(across(point)), point);
            assert_eq!(across_mask(1 << point), 1 << across(point));
        }
        assert_eq!((across(24), across(12)), (12, 24));
    }
}
