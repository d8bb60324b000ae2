//! A position of any game as people write it: each side's checkers by its own points, and what a game remembers.

use std::fmt;

use super::marks::{self, Asks};
use super::trictrac::Marking;
use crate::position::Position;
use crate::problems::write_all;

/// A position taken apart. The first of every pair is the player to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Checkers on each side's own points 1 to 24 (index 0 is unused), pinned ones included.
    pub checkers: [[u8; 25]; 2],
    /// Checkers that were hit and wait to enter.
    pub bar: [u8; 2],
    /// Checkers that wait to enter and were never hit, or whose game has no bar.
    pub hand: [u8; 2],
    /// Checkers borne off.
    pub off: [u8; 2],
    /// Points, in their owner's numbering, where a checker lies pinned (bit `p` for point `p`).
    pub pinned: [u32; 2],
    /// Has had a checker home: Dutch, and Jacquet with hits.
    pub reached: [bool; 2],
    /// Turns completed, told apart up to 3: Gul bara, Nardi long, Trictrac.
    pub turns: [u8; 2],
    /// Has built six in a row: Jacquet.
    pub six_seen: [bool; 2],
    /// Has held all home points: Gul bara with `config_bonus`.
    pub closed_home_seen: [bool; 2],
    /// Has held six points in a row outside home: Gul bara with `config_bonus`.
    pub six_outside_seen: [bool; 2],
    /// Throws of 1-2 so far: Acey-deucey with `double_on_acey`.
    pub acey_rolled: u8,
    /// Whether the player to act threw first: Nardi long with `last_throw_draw`.
    pub started: Option<bool>,
    /// What the player to act has to do.
    pub asks: Asks,
    /// Points and holes: Trictrac.
    pub marking: Option<Marking>,
}

impl Default for View {
    fn default() -> View {
        View {
            checkers: [[0; 25]; 2],
            bar: [0; 2],
            hand: [0; 2],
            off: [0; 2],
            pinned: [0; 2],
            reached: [false; 2],
            turns: [0; 2],
            six_seen: [false; 2],
            closed_home_seen: [false; 2],
            six_outside_seen: [false; 2],
            acey_rolled: 0,
            started: None,
            asks: Asks::Throw,
            marking: None,
        }
    }
}

/// Why a position is none of a game's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    /// The game.
    pub game: &'static str,
    /// Every reason found, in words.
    pub problems: Vec<String>,
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(f, &format!("illegal {} position", self.game), &self.problems)
    }
}

impl std::error::Error for ViewError {}

/// What positions of a game hold beside checkers on points: bits to be combined.
pub(crate) mod holds {
    /// Checkers on the bar.
    pub(crate) const BAR: u32 = 1;
    /// Checkers in hand.
    pub(crate) const HAND: u32 = 1 << 1;
    /// Pinned checkers.
    pub(crate) const PINS: u32 = 1 << 2;
    /// Whether a side has had a checker home.
    pub(crate) const REACHED: u32 = 1 << 3;
    /// Turns completed.
    pub(crate) const TURNS: u32 = 1 << 4;
    /// Whether a side has built six in a row.
    pub(crate) const SIX: u32 = 1 << 5;
    /// Whether a side has held all home points, or six outside.
    pub(crate) const BONUS: u32 = 1 << 6;
    /// Throws of 1-2.
    pub(crate) const ACEYS: u32 = 1 << 7;
    /// Who threw first.
    pub(crate) const STARTED: u32 = 1 << 8;
    /// Points and holes.
    pub(crate) const MARKING: u32 = 1 << 9;
    /// Both sides may be off: the game was drawn.
    pub(crate) const BOTH_OFF: u32 = 1 << 10;
    /// A double to be named.
    pub(crate) const NAMES: u32 = 1 << 11;
    /// Four moves of a number to be played.
    pub(crate) const FOURS: u32 = 1 << 12;
    /// What a cascade has left to the other side.
    pub(crate) const GIFTS: u32 = 1 << 13;
    /// Staying or leaving.
    pub(crate) const STAYS: u32 = 1 << 14;
}

/// The shape of a game's positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The game, for messages.
    pub(crate) game: &'static str,
    /// Checkers a side has.
    pub(crate) checkers: u8,
    /// Whether both sides run the same way round.
    pub(crate) parallel: bool,
    /// What its positions hold beside checkers on points.
    pub(crate) holds: u32,
}

impl Shape {
    pub(crate) fn holds(&self, what: u32) -> bool {
        self.holds & what != 0
    }

    /// The other side's number of a point.
    pub(crate) fn across(&self, point: usize) -> usize {
        if self.parallel { super::walk::across(point) } else { 25 - point }
    }

    /// The position that a view shows, for the games whose marks are the usual ones.
    pub(crate) fn position(&self, view: &View) -> Result<Position, ViewError> {
        let problems = self.problems(view);
        if !problems.is_empty() {
            return Err(ViewError { game: self.game, problems });
        }
        let mut bytes = [0; 32];
        for point in 1..=24 {
            bytes[point] += view.checkers[0][point] as i8;
            bytes[self.across(point)] -= view.checkers[1][point] as i8;
        }
        let waiting: [u8; 2] = std::array::from_fn(|side| view.bar[side] + view.hand[side]);
        (bytes[25], bytes[0]) = (waiting[0] as i8, -(waiting[1] as i8));
        let mut position = Position(bytes);
        marks::set(&mut position, &self.marks(view));
        Ok(position)
    }

    fn marks(&self, view: &View) -> marks::Marks {
        let mut found = marks::Marks::default();
        if self.holds(holds::HAND) && self.holds(holds::BAR) {
            found[marks::WAITING] = marks::from_nibbles(view.hand);
        }
        found[marks::PAIRS] = marks::from_pair(marks::ARRIVED, view.reached)
            | marks::from_pair(marks::SIX, view.six_seen)
            | marks::from_pair(marks::SIX, view.closed_home_seen)
            | marks::from_pair(marks::OUTSIDE, view.six_outside_seen)
            | view.started.map_or(0, |started| marks::from_pair(marks::STARTED, [started, !started]));
        found[marks::TURNS] = marks::from_nibbles(view.turns.map(|turns| turns.min(marks::MOST_TURNS)));
        found[marks::ASKS] = view.asks.byte();
        found[marks::ACEYS] = view.acey_rolled;
        found
    }

    /// What a position shows, for the games whose marks are the usual ones.
    pub(crate) fn view(&self, position: &Position) -> View {
        let mut view = View { off: [self.checkers; 2], ..View::default() };
        let mut waiting = [0; 2];
        for (place, &n) in position.places().iter().enumerate() {
            let (side, count) = (usize::from(n < 0), n.unsigned_abs());
            view.off[side] -= count;
            match (side, place) {
                (_, 0 | 25) => waiting[side] = count,
                (0, point) => view.checkers[0][point] = count,
                (_, point) => view.checkers[1][self.across(point)] = count,
            }
        }
        let found = marks::of(position);
        view.hand = match (self.holds(holds::HAND), self.holds(holds::BAR)) {
            (true, true) => marks::nibbles(found[marks::WAITING]),
            (true, false) => waiting,
            (false, _) => [0; 2],
        };
        view.bar = std::array::from_fn(|side| waiting[side].saturating_sub(view.hand[side]));
        let pair = |what, bit| {
            if self.holds(what) { marks::pair(found[marks::PAIRS], bit) } else { [false; 2] }
        };
        view.reached = pair(holds::REACHED, marks::ARRIVED);
        view.six_seen = pair(holds::SIX, marks::SIX);
        view.closed_home_seen = pair(holds::BONUS, marks::SIX);
        view.six_outside_seen = pair(holds::BONUS, marks::OUTSIDE);
        if self.holds(holds::STARTED) {
            let [me, opponent] = marks::pair(found[marks::PAIRS], marks::STARTED);
            view.started = (me || opponent).then_some(me);
        }
        view.turns = marks::nibbles(found[marks::TURNS]);
        view.acey_rolled = found[marks::ACEYS];
        view.asks = Asks::from_byte(found[marks::ASKS]).unwrap_or(Asks::Throw);
        view
    }

    /// Every reason why a view is none of a position of this shape.
    pub(crate) fn problems(&self, view: &View) -> Vec<String> {
        let mut problems = Vec::new();
        let (game, all) = (self.game, u32::from(self.checkers));
        for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
            let on_points: u32 = view.checkers[side].iter().map(|&n| u32::from(n)).sum();
            let others = [view.bar[side], view.hand[side], view.off[side]];
            let count = on_points + others.iter().map(|&n| u32::from(n)).sum::<u32>();
            if count != all {
                problems.push(format!("{who} has {count} checkers, on the board and off it, and not {all}"));
            }
        }
        if view.off == [self.checkers; 2] && !self.holds(holds::BOTH_OFF) {
            problems.push("both sides have borne off everything".to_owned());
        }
        for point in 1..=24 {
            let his = self.across(point);
            let pins = view.pinned[0] >> point & 1 | view.pinned[1] >> his & 1;
            if view.checkers[0][point] > 0 && view.checkers[1][his] > 0 && pins == 0 {
                problems.push(format!("both sides have checkers on point {point} of the player to act"));
            }
        }
        let mut refuse = |what: u32, present: bool, name: &str| {
            if present && !self.holds(what) {
                problems.push(format!("{game} has no {name}"));
            }
        };
        refuse(holds::BAR, view.bar != [0; 2], "checkers on the bar");
        refuse(holds::HAND, view.hand != [0; 2], "checkers in hand");
        refuse(holds::PINS, view.pinned != [0; 2], "pinned checkers");
        refuse(holds::REACHED, view.reached != [false; 2], "note of who has had a checker home");
        refuse(holds::TURNS, view.turns != [0; 2], "count of turns");
        refuse(holds::SIX, view.six_seen != [false; 2], "note of who has built six in a row");
        refuse(holds::BONUS, view.closed_home_seen != [false; 2], "note of who has closed his home");
        refuse(holds::BONUS, view.six_outside_seen != [false; 2], "note of six points in a row outside home");
        refuse(holds::ACEYS, view.acey_rolled != 0, "count of throws of 1-2");
        refuse(holds::STARTED, view.started.is_some(), "note of who threw first");
        refuse(holds::MARKING, view.marking.is_some(), "points and holes");
        refuse(holds::NAMES, view.asks == Asks::Name, "double to be named");
        refuse(holds::FOURS, matches!(view.asks, Asks::Four(_)), "four of a number to be played");
        refuse(holds::GIFTS, matches!(view.asks, Asks::Gift { .. }), "gift to be played");
        let stays = matches!(view.asks, Asks::Play(_) | Asks::Mark(_) | Asks::Nothing);
        refuse(holds::STAYS, stays, "staying or leaving");
        if view.acey_rolled > marks::MOST_ACEYS {
            let (count, most) = (view.acey_rolled, marks::MOST_ACEYS);
            problems.push(format!("{count} throws of 1-2 are more than the {most} that are counted"));
        }
        problems
    }
}
