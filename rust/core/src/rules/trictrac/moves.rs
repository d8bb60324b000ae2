//! Which turns a throw allows (the rules' 15.3).

use crate::rules::view::Shape;
use crate::rules::walk::Mid;

/// The mover's corner.
pub(crate) const CORNER: usize = 13;
/// The other side's corner.
pub(crate) const THEIR_CORNER: usize = 12;

/// One checker's way: by one number, or by both with a rest between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leg {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Where it rests; nowhere if it plays one number.
    pub(crate) rest: Option<usize>,
}

/// The checkers moved in a turn, and what it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) legs: [Option<Leg>; 2],
    pub(crate) after: Mid,
    overflows: u8,
}

impl Turn {
    /// The ways of the checkers.
    pub(crate) fn legs(&self) -> impl Iterator<Item = Leg> + '_ {
        self.legs.iter().flatten().copied()
    }

    /// Whether one checker comes from `from` to `to`, be it told as the way of two that take turns.
    pub(crate) fn brings(&self, from: usize, to: usize) -> bool {
        self.legs().any(|leg| (leg.from, leg.to) == (from, to))
            || matches!(self.legs, [Some(one), Some(two)]
                if (one.from, two.to) == (from, to) && one.to == two.from)
    }
}

/// The turns left after the obligations to play as many numbers as possible, the larger one, and as few overflows
/// as possible.
pub(crate) struct Playable {
    /// How many numbers they use.
    pub(crate) used: u32,
    /// Never none: where nothing can be played, the turn without a move.
    pub(crate) turns: Vec<Turn>,
}

/// A position of the mover with what does not change while he moves.
pub(crate) struct Board {
    pub(crate) mid: Mid,
    /// Whether the other side can still fill its petit jan (the mover's 1 to 6), and its grand jan (7 to 12).
    petit_forbidden: bool,
    grand_forbidden: bool,
}

impl Board {
    pub(crate) fn new(mid: Mid, shape: &Shape) -> Board {
        let able = |highest: usize| {
            let mut checkers =
                (highest + 1..=24).map(|p| u32::from(mid.theirs[shape.across(p)])).sum::<u32>();
            (0..6).all(|down| {
                checkers += u32::from(mid.theirs[shape.across(highest - down)]);
                checkers >= 2 * (down as u32 + 1)
            })
        };
        Board { mid, petit_forbidden: able(24), grand_forbidden: able(18) }
    }

    /// Whether a checker on its way may rest here.
    fn rests(&self, point: usize) -> bool {
        self.mid.theirs[point] == 0 && (point > 6 || !self.petit_forbidden)
    }

    /// Whether a checker may stay here; that the corner holds no single checker is asked of the whole turn.
    fn stops(&self, point: usize) -> bool {
        if self.mid.theirs[point] > 0 || point == THEIR_CORNER {
            return false;
        }
        match point {
            ..=6 => !self.petit_forbidden,
            7..=12 => !self.grand_forbidden,
            _ => true,
        }
    }

    fn single(&self, before: &Turn, die: usize, out: &mut Vec<Turn>) {
        for from in (1..=24).rev() {
            if before.after.mine[from] == 0 {
                continue;
            }
            if let Some((after, overflow)) = self.moved(&before.after, from, die) {
                let leg = Leg { from, to: from.saturating_sub(die), rest: None };
                let legs =
                    if before.legs[0].is_none() { [Some(leg), None] } else { [before.legs[0], Some(leg)] };
                out.push(Turn { legs, after, overflows: before.overflows + overflow });
            }
        }
    }

    fn chains(&self, one: usize, two: usize, out: &mut Vec<Turn>) {
        for from in (one + 1..=24).rev() {
            let rest = from - one;
            if self.mid.mine[from] == 0 || !self.rests(rest) {
                continue;
            }
            let resting = moved_to(&self.mid, from, rest);
            if let Some((after, overflows)) = self.moved(&resting, rest, two) {
                let leg = Leg { from, to: rest.saturating_sub(two), rest: Some(rest) };
                out.push(Turn { legs: [Some(leg), None], after, overflows });
            }
        }
    }

    /// A checker moved by one number to stay there, or off; and whether the number was larger than needed.
    fn moved(&self, mid: &Mid, from: usize, die: usize) -> Option<(Mid, u8)> {
        if from > die {
            let to = from - die;
            return self.stops(to).then(|| (moved_to(mid, from, to), 0));
        }
        let leaves = mid.all_home() && (die == from || mid.rearmost() == from);
        leaves.then(|| (moved_to(mid, from, 0), u8::from(die > from)))
    }

    /// The corner taken by power: two checkers that could come to the other side's empty corner.
    fn power(&self, high: usize, low: usize, out: &mut Vec<Turn>) {
        let corners_empty = self.mid.mine[CORNER] == 0 && self.mid.theirs[THEIR_CORNER] == 0;
        if !corners_empty
            || two_checkers(&self.mid, CORNER, high, low)
            || !two_checkers(&self.mid, 12, high, low)
        {
            return;
        }
        let leg = |die: usize| Some(Leg { from: 12 + die, to: CORNER, rest: None });
        let after = moved_to(&moved_to(&self.mid, 12 + high, CORNER), 12 + low, CORNER);
        out.push(Turn { legs: [leg(high), leg(low)], after, overflows: 0 });
    }

    /// The turns of a throw that the obligations to play leave.
    pub(crate) fn playable(&self, high: usize, low: usize) -> Playable {
        let none = Turn { legs: [None; 2], after: self.mid, overflows: 0 };
        let mut turns = Vec::new();
        let mut first = Vec::new();
        for (one, two) in [(high, low), (low, high)] {
            first.clear();
            self.single(&none, one, &mut first);
            for turn in &first {
                self.single(turn, two, &mut turns);
            }
            self.chains(one, two, &mut turns);
            if high == low {
                break;
            }
        }
        self.power(high, low, &mut turns);
        turns.retain(settled);
        let mut used = 2;
        for die in [high, low] {
            if turns.is_empty() {
                used = 1;
                self.single(&none, die, &mut turns);
                turns.retain(settled);
            }
        }
        if turns.is_empty() {
            return Playable { used: 0, turns: vec![none] };
        }
        let fewest = turns.iter().map(|turn| turn.overflows).min().unwrap_or(0);
        turns.retain(|turn| turn.overflows == fewest);
        Playable { used, turns }
    }
}

/// A single checker may not stay on the own corner.
fn settled(turn: &Turn) -> bool {
    turn.after.mine[CORNER] != 1
}

/// Whether two checkers stand where the two numbers bring them to `point`.
pub(crate) fn two_checkers(mid: &Mid, point: usize, high: usize, low: usize) -> bool {
    if high == low {
        mid.mine[point + high] >= 2
    } else {
        mid.mine[point + high] >= 1 && mid.mine[point + low] >= 1
    }
}

/// The position after a checker went from one point to another, or off (0).
fn moved_to(mid: &Mid, from: usize, to: usize) -> Mid {
    let mut after = *mid;
    after.mine[from] -= 1;
    after.held &= !(u32::from(after.mine[from] == 0) << from);
    if to == 0 {
        after.off[0] += 1;
    } else {
        after.mine[to] += 1;
        after.held |= 1 << to;
    }
    after
}
