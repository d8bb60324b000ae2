//! Plakoto: a single checker that is landed on is not hit but pinned.

use super::kind::{Kind, Later, Opening};
use super::marks::{Asks, Marks};
use super::options::Flag;
use super::plain::mirrored;
use super::turns::{Class, End, Turns};
use super::variant::{Game, class, count, is_over, left, staged};
use super::view::{Shape, View, ViewError, holds};
use super::walk::{Contact, Mid, Walk};
use crate::dice::Roll;
use crate::lanes::{Lanes, Masks};
use crate::movegen::PlayBuf;
use crate::movegen::turn::{self, Board, Task};
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "plakoto",
    aliases: &["tapa", "mahbusa"],
    prefix: "plakoto",
    flags: &[
        Flag::on("mother_rule"),
        Flag::number("mother_points", 2, 1, 2),
        Flag::words("bear_off_with_pin", &["never", "home_pin_ok"]),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let mother = chosen.yes("mother_rule").then(|| chosen.number("mother_points"));
        Plakoto { mother, pin_stops_all: chosen.is("bear_off_with_pin", "never") }.into()
    },
};

/// Plakoto.
///
/// A position's signed places count the checkers on top; its first three spare bytes are a set of points,
/// bit `p - 1` for the point `p` of the player to act, where one checker of the other side lies underneath.
#[derive(Clone, Copy, Debug)]
pub struct Plakoto {
    /// Points for a pinned mother, if that ends the game.
    mother: Option<u32>,
    /// Whether a pin anywhere stops bearing off.
    pin_stops_all: bool,
}

/// A side's starting point.
const START: usize = 24;

/// The pins of a position, bit `p` for point `p`.
pub(crate) fn pins(position: &Position) -> u32 {
    let bytes = [26, 27, 28].map(|i: usize| position.0[i] as u8);
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) << 1
}

pub(crate) fn set_pins(position: &mut Position, pins: u32) {
    for (i, byte) in (pins >> 1).to_le_bytes()[..3].iter().enumerate() {
        position.0[26 + i] = *byte as i8;
    }
}

/// Points numbered from the other side.
fn turned(points: u32) -> u32 {
    (points >> 1).reverse_bits() >> 8 << 1
}

/// Points with checkers of the player to act on top, and of the opponent.
fn tops(position: &Position) -> [u32; 2] {
    let mut tops = [0; 2];
    for point in 1..=24 {
        let n = position.0[point];
        tops[0] |= u32::from(n > 0) << point;
        tops[1] |= u32::from(n < 0) << point;
    }
    tops
}

impl Plakoto {
    /// Checkers of each side, those pinned included, the player to act first.
    fn checkers(position: &Position) -> [u8; 2] {
        let pins = pins(position);
        let [mine, theirs] = tops(position);
        let [me, opponent] = left(position);
        [me + (pins & theirs).count_ones() as u8, opponent + (pins & mine).count_ones() as u8]
    }
}

impl Walk for Plakoto {
    fn contact(&self) -> Contact {
        Contact::Pin
    }

    #[inline(always)]
    fn bears_off(&self, mid: &Mid, point: usize, die: usize) -> bool {
        let pinned = self.pin_stops_all && mid.under_mine != 0;
        !pinned && mid.all_home() && (die == point || mid.rearmost() == point)
    }
}

impl Game for Plakoto {
    fn shape(&self) -> Shape {
        Shape { game: "plakoto", checkers: 15, parallel: false, holds: holds::PINS }
    }

    fn start(&self) -> Position {
        // Each stack stands on the other side's ace point; no point is shared.
        mirrored(&[(START, 15)])
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        let pins = pins(position);
        if let Some(points) = self.mother
            && pins & (1 << START | 1 << 1) != 0
        {
            let mine = pins >> START & 1 != 0 && position.0[START] < 0;
            let his = pins >> 1 & 1 != 0 && position.0[1] > 0;
            let ended = |winner, class, points| Some(End { winner, class, points });
            if mine && his {
                return ended(None, Class::Draw, 0);
            }
            if his && position.0[START] <= 0 {
                return ended(Some(true), Class::Mother, points);
            }
            if mine && position.0[1] >= 0 {
                return ended(Some(false), Class::Mother, points);
            }
        }
        if !is_over(position) {
            return None;
        }
        let [me, opponent] = Plakoto::checkers(position);
        if me > 0 && opponent > 0 {
            return None;
        }
        let (class, points) = count(class(15 - me.max(opponent), false), false);
        Some(End { winner: Some(me == 0), class, points })
    }

    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        let mut mid = Mid::new(position, 15);
        let (pins, [mine, theirs]) = (pins(position), tops(position));
        (mid.under_mine, mid.under_theirs) = (pins & theirs, pins & mine);
        mid.off[0] -= mid.under_mine.count_ones() as u8;
        mid.off[1] -= mid.under_theirs.count_ones() as u8;
        mid
    }

    #[inline(always)]
    fn seen_by_mover(&self, mid: &Mid, _: &Marks) -> Position {
        let mut position = mid.position();
        set_pins(&mut position, mid.under_mine | mid.under_theirs);
        position
    }

    #[inline(always)]
    fn flip(&self, position: &Position) -> Position {
        let mut flipped = position.flip();
        set_pins(&mut flipped, turned(pins(position)));
        flipped
    }

    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let quick = Quick { position, roll, pin_stops_all: self.pin_stops_all };
        if !turns.by_parts(|plays| turn::on_this_cpu(quick, plays)) {
            staged(self, position, roll, turns);
        }
    }

    fn build(&self, view: &View) -> Result<Position, ViewError> {
        let mut problems = self.shape().problems(view);
        let mut bytes = [0i8; 32];
        let mut pins = 0;
        for (point, place) in bytes.iter_mut().enumerate().take(25).skip(1) {
            let (mine, his) = (view.checkers[0][point], view.checkers[1][25 - point]);
            let (under, over) = (view.pinned[0] >> point & 1 != 0, view.pinned[1] >> (25 - point) & 1 != 0);
            *place = match (under, over) {
                (false, false) => mine as i8 - his as i8,
                (true, false) if mine == 1 && his > 0 => -(his as i8),
                (false, true) if his == 1 && mine > 0 => mine as i8,
                _ => {
                    problems.push(format!(
                        "no pin: {mine} checkers of the player to act and {his} of the opponent on his point {point}; \
                         one checker lies under those of the other side"
                    ));
                    0
                }
            };
            pins |= u32::from(under || over) << point;
        }
        if (view.pinned[0] | view.pinned[1]) & !0x01ff_fffe != 0 {
            problems.push("a pin is on one of the points 1 to 24".to_owned());
        }
        if view.asks != Asks::Throw {
            problems.push("in plakoto every decision is a throw".to_owned());
        }
        if !problems.is_empty() {
            return Err(ViewError { game: "plakoto", problems });
        }
        let mut position = Position(bytes);
        set_pins(&mut position, pins);
        Ok(position)
    }

    fn show(&self, position: &Position) -> View {
        let (pins, [mine, theirs]) = (pins(position), tops(position));
        let [me, opponent] = Plakoto::checkers(position);
        let mut view = View { off: [15 - me, 15 - opponent], ..View::default() };
        for point in 1..=24 {
            let n = position.0[point];
            let pin = (pins >> point & 1) as u8;
            let [top, under] = if n > 0 { [n as u8, pin] } else { [pin, n.unsigned_abs()] };
            view.checkers[0][point] = top;
            view.checkers[1][25 - point] = under;
        }
        view.pinned = [pins & theirs, turned(pins & mine)];
        view
    }
}

/// A turn for the vectors.
struct Quick<'a> {
    position: &'a Position,
    roll: Roll,
    pin_stops_all: bool,
}

impl Task for Quick<'_> {
    type Found = Option<bool>;

    /// Single checkers of the other side that can be pinned, or are, do not stop anybody: they are taken off the board
    /// for the turn, and put back where it ends: free where none of the mover's checkers stands, under them where one
    /// does.
    #[inline(always)]
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Option<bool> {
        // SAFETY: the caller promises the CPU.
        unsafe {
            let mut board = Board::<L>::of(self.position);
            let Masks { mine, blots, blocked } = board.masks;
            let under = turned(pins(self.position));
            let under_mine = under & (blots | blocked);
            if under_mine != 0 && !self.pin_stops_all {
                return None;
            }
            let lone = blots & !under_mine;
            let single = lone | under & mine;
            board.lanes = board.lanes.sum(L::spread(lone));
            board.masks = Masks { mine, blots: 0, blocked: blocked | under_mine };
            let used = if under_mine == 0 {
                self.generate::<L, true>(board, out)
            } else {
                self.generate::<L, false>(board, out)
            };
            if used == 0 {
                board.push(out);
            }
            let places = L::spread(single);
            for result in out.positions_mut() {
                let checkers = L::load(result);
                checkers.one_where_empty(places).store(result);
                set_pins(result, under_mine | single & !checkers.empty());
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
    unsafe fn generate<L: Lanes, const OFF: bool>(&self, board: Board<L>, out: &mut PlayBuf) -> usize {
        let (high, low) = (u32::from(self.roll.high()), u32::from(self.roll.low()));
        // SAFETY: the caller promises the CPU.
        unsafe {
            match self.roll.is_double() {
                true => board.equal::<false, OFF>(high, 4, out),
                false => board.mixed::<false, OFF>(high, low, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_kept_and_turned() {
        let mut position = Position([0; 32]);
        for points in [0, 1 << 1, 1 << 24, 1 << 7 | 1 << 20, 0x01ff_fffe] {
            set_pins(&mut position, points);
            assert_eq!(pins(&position), points);
            assert_eq!(turned(turned(points)), points);
        }
        assert_eq!((turned(1 << 1), turned(1 << 20)), (1 << 24, 1 << 5));
    }
}
