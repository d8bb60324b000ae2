//! The rules of movement, slow and obvious: every order, every checker, one step at a time.

use std::collections::BTreeSet;

use gammon_core::position::{BAR, Counts};
use gammon_core::{Position, Roll};

/// A position within a turn, and what has been hit so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    mover: Counts,
    other: Counts,
    /// Points on which a blot was hit, bit `p` for the other player's point `p`.
    pub hits: u32,
}

impl Turn {
    fn of(position: &Position) -> Turn {
        Turn { mover: position.roller(), other: position.opponent(), hits: 0 }
    }

    /// The position once the turn is over: the other player is on roll.
    pub fn after(&self) -> Position {
        Position::from_counts(&self.other, &self.mover).expect("steps keep positions legal")
    }

    /// Checkers on the mover's `point`; 25 is the bar.
    fn on(&self, point: usize) -> u8 {
        self.mover[point - 1]
    }

    fn may_step(&self, point: usize, die: usize) -> bool {
        if self.on(point) == 0 || (self.mover[BAR] > 0 && point != BAR + 1) {
            return false;
        }
        if self.other.iter().all(|&n| n == 0) {
            return false; // a finished game is not played on
        }
        if point > die {
            // The mover's point `point - die` is the other's 25 less that.
            return self.other[24 - (point - die)] < 2;
        }
        let all_home = self.mover[6..].iter().all(|&n| n == 0);
        let none_behind = self.mover[point..].iter().all(|&n| n == 0);
        all_home && (point == die || none_behind)
    }

    fn step(mut self, point: usize, die: usize) -> Turn {
        self.mover[point - 1] -= 1;
        if point > die {
            let target = point - die;
            self.mover[target - 1] += 1;
            if self.other[24 - target] == 1 {
                self.other[24 - target] = 0;
                self.other[BAR] += 1;
                self.hits |= 1 << (25 - target);
            }
        }
        self
    }

    fn steps(&self, die: usize) -> impl Iterator<Item = Turn> {
        let turn = *self;
        (1..=25).filter(move |&point| turn.may_step(point, die)).map(move |point| turn.step(point, die))
    }
}

/// Every way to play a legal turn, each result with all that may be hit on the way to it.
pub fn legal_turns(position: &Position, roll: Roll) -> BTreeSet<Turn> {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    let orders = if roll.is_double() { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
    // For each order, what is reached after 0, 1, 2, … steps.
    let ways: Vec<Vec<BTreeSet<Turn>>> = orders
        .iter()
        .map(|order| {
            let mut reached = vec![BTreeSet::from([Turn::of(position)])];
            for &die in order {
                let next = reached[reached.len() - 1].iter().flat_map(|turn| turn.steps(die)).collect();
                reached.push(next);
            }
            reached
        })
        .collect();
    // As many dice as possible; the larger if only one can be played.
    let longest = |way: &Vec<BTreeSet<Turn>>| way.iter().rposition(|turns| !turns.is_empty()).unwrap_or(0);
    let used = ways.iter().map(longest).max().unwrap_or(0);
    if used == 1 && !roll.is_double() && !ways[0][1].is_empty() {
        return ways[0][1].clone();
    }
    ways.iter().flat_map(|way| way[used].clone()).collect()
}
