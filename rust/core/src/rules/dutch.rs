//! Dutch backgammon: all checkers start in hand, and only a side that has had a checker home may hit.

use super::kind::{Kind, Later, Opening};
use super::marks::{self, Marks};
use super::options::Flag;
use super::plain::{hitting_result, mirrored};
use super::turns::{End, Turns};
use super::variant::{Game, left, staged};
use super::view::{Shape, holds};
use super::walk::{Contact, Mid, WAIT, Walk};
use crate::dice::Roll;
use crate::lanes::{Delta, Lanes};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{self, Board, OUTSIDE, Task};
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "dutch",
    aliases: &["dutch_backgammon"],
    prefix: "dutch",
    flags: &[
        Flag::words("opening", &["reroll", "use_dice"]),
        Flag::words("hit_right", &["latched", "current"]),
        Flag::on("cube"),
    ],
    opening: Opening::Reroll,
    later: Later::Opening,
    cube: true,
    build: |chosen| Dutch { latched: chosen.is("hit_right", "latched") }.into(),
};

/// Dutch backgammon.
///
/// Checkers on the bar and in hand wait at the same place of a position, and the marks say how many of them are in
/// hand: those on the bar enter first. The memory of a turn is whether the mover has had a checker home.
#[derive(Clone, Copy, Debug)]
pub struct Dutch {
    /// Whether the right to hit is kept once it was won.
    latched: bool,
}

impl Dutch {
    fn home_now(mid: &Mid) -> bool {
        mid.held & 0x7e != 0 || mid.off[0] > 0
    }

    fn may_hit(self, mid: &Mid) -> bool {
        if self.latched { mid.memory != 0 } else { Dutch::home_now(mid) }
    }
}

impl Walk for Dutch {
    fn contact(&self) -> Contact {
        Contact::Hit
    }

    #[inline(always)]
    fn open(&self, mid: &Mid, point: usize) -> bool {
        match mid.theirs[point] {
            0 => true,
            1 => self.may_hit(mid),
            _ => false,
        }
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, _: usize, to: usize, _: bool) {
        mid.memory |= u32::from(to <= 6);
    }

    /// Only a right to hit that is won or lost within the turn makes the order matter.
    #[inline(always)]
    fn ordered(&self, mid: &Mid) -> bool {
        self.latched && mid.memory != 0
    }
}

impl Game for Dutch {
    fn shape(&self) -> Shape {
        let holds = holds::BAR | holds::HAND | holds::REACHED;
        Shape { game: "dutch", checkers: 15, parallel: false, holds }
    }

    fn start(&self) -> Position {
        let mut start = mirrored(&[(WAIT, 15)]);
        marks::set(&mut start, &[marks::from_nibbles([15, 15]), 0, 0, 0, 0, 0]);
        start
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        hitting_result(position, 15, true)
    }

    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        let mut mid = Mid::new(position, 15);
        let had_one = mid.marks[marks::PAIRS] & marks::ARRIVED != 0;
        mid.memory = u32::from(had_one || Dutch::home_now(&mid));
        mid
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let quick = Quick { position, roll, latched: self.latched };
        if !turns.by_parts(|plays| turn::on_this_cpu(quick, plays)) {
            staged(self, position, roll, turns);
        }
    }

    #[inline(always)]
    fn end(&self, end: &Mid) -> Marks {
        let mut marks = end.marks;
        let [mine, theirs] = marks::nibbles(marks[marks::WAITING]);
        marks[marks::WAITING] = marks::from_nibbles([mine.min(end.mine[WAIT]), theirs]);
        marks[marks::PAIRS] |= u8::from(end.memory != 0) * marks::ARRIVED;
        marks
    }
}

/// A turn for the vectors.
struct Quick<'a> {
    position: &'a Position,
    roll: Roll,
    latched: bool,
}

/// The home points as places of the generator.
const HOME_PLACES: u32 = 0b11_1111 << 19;

impl Task for Quick<'_> {
    type Found = Option<bool>;

    /// With the right to hit, or nobody to hit, the checkers move as in the standard game: those on the bar and in
    /// hand are the same to it. Without it single checkers close their points, until a checker has come home.
    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<bool> {
        let before = marks::of(self.position);
        let waiting = self.position.places()[WAIT] as u8;
        // SAFETY: the caller promises the CPU.
        unsafe {
            let board = Board::<L>::of(self.position);
            let had_one = before[marks::PAIRS] & marks::ARRIVED != 0;
            let right = had_one || board.masks.mine & HOME_PLACES != 0 || left(self.position)[0] < 15;
            let used = match (self.latched, board.masks.blots) {
                (_, 0) => self.generate(board, out),
                (true, _) if right => self.generate(board, out),
                (true, _) => self.without_right(board, u32::from(waiting), out),
                (false, _) => return None,
            };
            if used == 0 {
                board.push(out);
            }
            // Checkers that wait enter before anything else is done, so as many as there are numbers.
            let mut marks = before;
            let [mine, theirs] = marks::nibbles(marks[marks::WAITING]);
            let still = waiting.saturating_sub(used as u8);
            marks[marks::WAITING] = marks::from_nibbles([mine.min(still), theirs]);
            let [not_home, home] = [0, marks::ARRIVED].map(|arrived| {
                let mut more = Position([0; 32]);
                marks[marks::PAIRS] |= arrived;
                marks::set(&mut more, &marks::flip(&marks));
                Delta(more.0)
            });
            let mut results = out.rewrite();
            while let Some(result) = results.next::<L>() {
                let at_home = right || result.mine() & HOME_PLACES != 0;
                results.keep(result.plus(if at_home { &home } else { &not_home }), true);
            }
            out.set_pass(used == 0);
            Some(false)
        }
    }
}

impl Quick<'_> {
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn generate<L: Lanes>(&self, board: Board<L>, out: &mut PlayBuf) -> usize {
        let (high, low) = (u32::from(self.roll.high()), u32::from(self.roll.low()));
        // SAFETY: the caller promises the CPU.
        unsafe {
            match self.roll.is_double() {
                true => board.equal::<true, true>(high, 4, out),
                false => board.mixed::<true, true>(high, low, out),
            }
        }
    }

    /// A turn of a side that has had no checker home and meets single checkers of the other side.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn without_right<L: Lanes>(&self, board: Board<L>, waiting: u32, out: &mut PlayBuf) -> usize {
        let (high, low) = (u32::from(self.roll.high()), u32::from(self.roll.low()));
        let closed = board.closed();
        // SAFETY: the caller promises the CPU.
        unsafe {
            if !self.roll.is_double() {
                if waiting == 0 {
                    for (first, second) in [(high, low), (low, high)] {
                        let mut arriving = closed.inside(first) & HOME_PLACES >> first & OUTSIDE;
                        while arriving != 0 {
                            let place = arriving.trailing_zeros();
                            arriving &= arriving - 1;
                            let home = board.step(place, first);
                            let hits = home.sources(second) & home.masks.blots >> second;
                            home.push_new_steps(hits, second, out);
                        }
                    }
                }
                return self.generate(closed, out);
            }
            let used = closed.equal::<true, true>(high, 4, out);
            let found = out.len();
            let Some(chains) = Chains::of(board, high, waiting) else { return used };
            let mut start = board;
            for _ in 0..waiting {
                start = start.step(0, high);
            }
            // Who has still to come home needs one number for that and another to hit.
            let most = 4 - waiting as usize;
            for count in (2..=most).rev().take_while(|count| count + waiting as usize >= used) {
                chains.hit(start, count, out);
                if out.len() > found {
                    let all = count + waiting as usize;
                    if all > used {
                        out.remove_first(found);
                    }
                    return all;
                }
            }
            used
        }
    }
}

/// The ways in which a checker can come home by a double before anyone hits, after those that wait have entered.
struct Chains {
    die: u32,
    /// The places left on each way.
    ways: [u32; 18],
    count: usize,
    /// Single checkers of the other side before the turn.
    blots: u32,
}

impl Chains {
    /// Nothing if no checker can come home and another number be left, or there is nobody to hit then.
    #[inline(always)]
    fn of<L: Lanes>(board: Board<L>, die: u32, waiting: u32) -> Option<Chains> {
        let (blots, closed) = (board.masks.blots, board.closed());
        if waiting >= 3 || (waiting > 0 && !closed.is_open(die)) {
            return None;
        }
        let entered = u32::from(waiting > 0) << die;
        let mut chains = Chains { die, ways: [0; 18], count: 0, blots };
        let mut checkers = (closed.masks.mine | entered) & OUTSIDE & !1;
        while checkers != 0 {
            let mut place = checkers.trailing_zeros();
            checkers &= checkers - 1;
            let mut way = 0;
            for _ in 1..4 - waiting {
                if !closed.is_open(place + die) {
                    break;
                }
                way |= 1 << place;
                place += die;
                if HOME_PLACES >> place & 1 != 0 {
                    chains.ways[chains.count] = way;
                    chains.count += 1;
                    break;
                }
            }
        }
        (chains.count > 0).then_some(chains)
    }

    /// Stores the boards `count` steps on on which somebody was hit, if a checker can have come home before.
    ///
    /// As with all doubles, steps are taken in ascending order of places, which names each result once. In whatever
    /// order they were made, the first checker to come home made its own without hitting, so that they are among them.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    unsafe fn hit<L: Lanes>(&self, start: Board<L>, count: usize, out: &mut PlayBuf) {
        let ways = &self.ways[..self.count];
        let mut nodes = [(start, start.sources(self.die), 0); 4];
        let mut depth = 0;
        loop {
            let (board, from, left) = nodes[depth];
            if from == 0 {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                continue;
            }
            nodes[depth].1 = from & (from - 1);
            let (place, bit) = (from.trailing_zeros(), from & from.wrapping_neg());
            // SAFETY: the caller promises the CPU.
            let next = unsafe { board.step(place, self.die) };
            let left = left | bit;
            if depth + 1 < count {
                depth += 1;
                nodes[depth] = (next, next.sources(self.die) & bit.wrapping_neg(), left);
            } else if next.masks.blots != self.blots && ways.iter().any(|way| way & !left == 0) {
                // SAFETY: the caller promises the CPU.
                unsafe { next.push(out) };
            }
        }
    }
}
