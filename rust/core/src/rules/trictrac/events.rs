//! What a throw is worth, before a checker is moved (the rules' 15.4 to 15.6).

use std::fmt;

use super::moves::{Board, CORNER, Playable, THEIR_CORNER, Turn, two_checkers};
use crate::dice::Roll;
use crate::rules::walk::Mid;

/// A jan: six points that can be full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Jan {
    /// The points 24 to 19.
    Petit,
    /// The points 18 to 13.
    Grand,
    /// The points 6 to 1.
    Retour,
}

impl Jan {
    const ALL: [Jan; 3] = [Jan::Petit, Jan::Grand, Jan::Retour];

    fn lowest(self) -> usize {
        match self {
            Jan::Petit => 19,
            Jan::Grand => 13,
            Jan::Retour => 1,
        }
    }

    fn points(self) -> std::ops::Range<usize> {
        self.lowest()..self.lowest() + 6
    }

    fn is_full(self, mid: &Mid) -> bool {
        self.points().all(|point| mid.mine[point] >= 2)
    }

    fn name(self) -> &'static str {
        match self {
            Jan::Petit => "petit",
            Jan::Grand => "grand",
            Jan::Retour => "retour",
        }
    }
}

/// What points are given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A single checker of the other side, on this point of the thrower, is hit.
    TrueHit(u8),
    /// Only both numbers together would hit him, over closed rests.
    FalseHit(u8),
    /// The other side's empty corner is hit.
    CornerHit,
    /// A jan is filled.
    Fill(Jan),
    /// A full jan is kept.
    Keep(Jan),
    /// All fifteen checkers on the own corner.
    MiseryPile,
    /// Six points with six checkers after three throws.
    SixTables,
    /// The only two checkers away from the talon could take both corners; `true`: the other side holds its own.
    TwoTables(bool),
    /// An ace with only the corner's two checkers away from the talon; `true`: the other side holds its own.
    Mezeas(bool),
    /// The last checker leaves.
    Exit,
    /// Numbers that cannot be played.
    Impotence,
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contre = |contre: bool| if contre { "contre_" } else { "" };
        match *self {
            EventKind::TrueHit(point) => write!(f, "true_hit@{point}"),
            EventKind::FalseHit(point) => write!(f, "false_hit@{point}"),
            EventKind::CornerHit => f.write_str("corner_hit"),
            EventKind::Fill(jan) => write!(f, "fill_{}", jan.name()),
            EventKind::Keep(jan) => write!(f, "conserve_{}", jan.name()),
            EventKind::MiseryPile => f.write_str("misery_pile"),
            EventKind::SixTables => f.write_str("six_tables"),
            EventKind::TwoTables(against) => write!(f, "{}two_tables", contre(against)),
            EventKind::Mezeas(against) => write!(f, "{}mezeas", contre(against)),
            EventKind::Exit => f.write_str("exit"),
            EventKind::Impotence => f.write_str("impuissance"),
        }
    }
}

/// Points of one kind in one throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// What they are for.
    pub kind: EventKind,
    /// Whether the thrower gets them, else the other player.
    pub thrower: bool,
    /// How many they are.
    pub points: u32,
}

/// All that a throw brings: its points, and the turns that may be played.
pub(crate) struct Thrown {
    pub(crate) events: Vec<Event>,
    pub(crate) legal: Vec<Turn>,
}

impl Thrown {
    /// Points of the thrower, or of the other player.
    pub(crate) fn points(&self, thrower: bool) -> u32 {
        self.events.iter().filter(|event| event.thrower == thrower).map(|event| event.points).sum()
    }
}

/// Evaluates a throw; `turns` are those the thrower has completed since the last start.
pub(crate) fn throw(board: &Board, turns: u8, roll: Roll, misery_pile: bool) -> Thrown {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    let value = if high == low { 6 } else { 4 };
    let mid = &board.mid;
    let mut events = Vec::new();
    let mut give = |kind, thrower, points| events.push(Event { kind, thrower, points });
    hits(mid, high, low, &mut give);
    if hits_the_corner(mid, high, low) {
        give(EventKind::CornerHit, true, value);
    }
    let Playable { used, turns: playable } = board.playable(high, low);
    let mut legal = jans(mid, roll, playable, misery_pile, &mut give);
    first_moves(mid, turns, high, low, &mut give);
    if legal.iter().any(|turn| turn.after.off[0] == 15) {
        legal.retain(|turn| turn.after.off[0] == 15);
        give(EventKind::Exit, true, value);
    } else if used < 2 {
        give(EventKind::Impotence, false, 2 * (2 - used));
    }
    Thrown { events, legal }
}

/// Points for single checkers of the other side that could be hit.
fn hits(mid: &Mid, high: usize, low: usize, give: &mut impl FnMut(EventKind, bool, u32)) {
    let double = high == low;
    let stands = |point: usize| point <= 24 && mid.mine[point] > 0;
    for point in (1..=24).rev().filter(|&point| mid.theirs[point] == 1) {
        let small_table = !(7..=18).contains(&point);
        let worth = if small_table { 4 } else { 2 } + if double { 2 } else { 0 };
        let mut ways = u32::from(stands(point + high)) + u32::from(!double && stands(point + low));
        let mut over_closed = false;
        if stands(point + high + low) {
            let passable = mid.theirs[point + high] <= 1 || mid.theirs[point + low] <= 1;
            ways += u32::from(passable);
            over_closed = !passable;
        }
        if ways > 0 {
            give(EventKind::TrueHit(point as u8), true, ways * worth);
        } else if over_closed {
            give(EventKind::FalseHit(point as u8), false, worth);
        }
    }
}

/// Whether two checkers, but for the two that hold the own corner, could come to the other side's empty one.
fn hits_the_corner(mid: &Mid, high: usize, low: usize) -> bool {
    if mid.mine[CORNER] < 2 || mid.theirs[THEIR_CORNER] > 0 {
        return false;
    }
    let mut free = *mid;
    free.mine[CORNER] -= 2;
    two_checkers(&free, THEIR_CORNER, high, low)
}

/// Gives the points for jans that are filled or kept; the turns that do what is credited.
fn jans(
    mid: &Mid,
    roll: Roll,
    playable: Vec<Turn>,
    misery_pile: bool,
    give: &mut impl FnMut(EventKind, bool, u32),
) -> Vec<Turn> {
    let worth = Jan::ALL.map(|jan| jan_points(mid, roll, &playable, jan));
    let pile = |turn: &Turn| misery_pile && turn.after.mine[CORNER] == 15;
    let single = if roll.is_double() { 6 } else { 4 };
    let realised = |turn: &Turn| -> u32 {
        let full = Jan::ALL.iter().zip(worth).filter(|(jan, _)| jan.is_full(&turn.after));
        full.map(|(_, points)| points).sum::<u32>() + u32::from(pile(turn)) * single
    };
    let best = playable.iter().map(realised).max().unwrap_or(0);
    let mut legal = playable;
    legal.retain(|turn| realised(turn) == best);
    // Of several sets of jans worth the same the thrower takes one; the first turn names it.
    if let Some(turn) = legal.first() {
        for (jan, points) in Jan::ALL.into_iter().zip(worth) {
            if points > 0 && jan.is_full(&turn.after) {
                let kept = jan.is_full(mid);
                give(if kept { EventKind::Keep(jan) } else { EventKind::Fill(jan) }, true, points);
            }
        }
        if pile(turn) {
            give(EventKind::MiseryPile, true, single);
        }
    }
    legal
}

/// What keeping or filling a jan is worth; 0 if no turn does.
fn jan_points(mid: &Mid, roll: Roll, playable: &[Turn], jan: Jan) -> u32 {
    let good = || playable.iter().filter(|turn| jan.is_full(&turn.after));
    if good().next().is_none() {
        return 0;
    }
    let value = if roll.is_double() { 6 } else { 4 };
    let missing = |point: &usize| 2 - mid.mine[*point].min(2);
    if jan.points().map(|point| missing(&point)).sum::<u8>() != 1 {
        return value;
    }
    let Some(hole) = jan.points().find(|point| missing(point) == 1) else { return value };
    let surplus =
        |point: usize| point <= 24 && mid.mine[point] > if jan.points().contains(&point) { 2 } else { 0 };
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    let mut ways = 0;
    for pips in [high, low, high + low] {
        let twice = roll.is_double() && pips == low;
        ways +=
            u32::from(!twice && surplus(hole + pips) && good().any(|turn| turn.brings(hole + pips, hole)));
    }
    if roll.is_double() {
        ways += u32::from(surplus(hole + low) && good().any(|turn| turn.brings(hole + low, hole)));
    }
    value * ways.max(1)
}

/// Points for the first checkers that leave the talon.
fn first_moves(mid: &Mid, turns: u8, high: usize, low: usize, give: &mut impl FnMut(EventKind, bool, u32)) {
    let value = if high == low { 6 } else { 4 };
    if turns == 2 && mid.mine[24] == 11 {
        let out = (18..24).filter(|&point: &usize| mid.mine[point] == 1);
        let wanted = |point: usize| point == 24 - high || point == 24 - low;
        let missing = (18..24).filter(|&point: &usize| mid.mine[point] == 0);
        if out.count() == 4 && high != low && missing.clone().count() == 2 && missing.into_iter().all(wanted)
        {
            give(EventKind::SixTables, true, 4);
        }
    }
    if mid.mine[24] != 13 || mid.off[0] > 0 {
        return;
    }
    let against = mid.theirs[THEIR_CORNER] > 0;
    if mid.mine[CORNER] == 0 {
        let stand = |one: usize, two: usize| {
            if one == two { mid.mine[one] == 2 } else { mid.mine[one] == 1 && mid.mine[two] == 1 }
        };
        if stand(CORNER + high, THEIR_CORNER + low) || stand(CORNER + low, THEIR_CORNER + high) {
            give(EventKind::TwoTables(against), !against, value);
        }
    } else if mid.mine[CORNER] == 2 && low == 1 {
        give(EventKind::Mezeas(against), !against, value);
    }
}
