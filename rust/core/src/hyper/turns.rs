//! What one side can do with a roll, whoever stands in its way.
//!
//! A side's plays are listed once with nobody in the way, each with the points it lands on. Against a given
//! opponent those that land on his closed point fall away (three checkers close one at most), and those that
//! land on his single checkers hit. As long as one play of the most dice is left, these are all legal plays: being in
//! the way never makes a longer one. For closed points that leave none the legal plays are listed apart.

use super::numbering::{BAR, MOST_CHECKERS, Places, Sides};
use crate::dice::Roll;

/// A play: the side it leads to, and the points it lands on (bit `p` for point `p`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Played {
    pub(super) to: u16,
    pub(super) landings: u32,
}

/// A stretch of one of the lists.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: u32,
    end: u32,
}

impl Stretch {
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }
}

/// What a roll can do for one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// All points that a play lands on.
    pub(super) landings: u32,
    /// Points of which each, if closed, leaves no play of the most dice.
    needed: u32,
    /// Distinct ends, for opponents on none of the points.
    ends: Stretch,
    plays: Stretch,
    /// The first of the stretches for the needed points, lowest first.
    stopped: u32,
}

/// The plays of all rolls for all sides.
pub(super) struct Turns {
    options: Vec<Options>,
    ends: Vec<u16>,
    plays: Vec<Played>,
    stopped: Vec<Stretch>,
}

impl Turns {
    /// Lists everything; a few hundredths of a second for three checkers.
    pub(super) fn of(sides: &Sides) -> Turns {
        let mut turns =
            Turns { options: Vec::new(), ends: Vec::new(), plays: Vec::new(), stopped: Vec::new() };
        let mut found = Vec::new();
        for side in 0..sides.len() {
            for roll in Roll::ALL {
                turns.add(sides, side, roll, &mut found);
            }
        }
        turns
    }

    fn add(&mut self, sides: &Sides, side: usize, roll: Roll, found: &mut Vec<Played>) {
        legal(sides, side, roll, 0, found);
        let landings = found.iter().fold(0, |all, play| all | play.landings);
        let needed = found.iter().fold(landings, |all, play| all & play.landings);
        let plays = self.keep(found);
        let start = self.ends.len() as u32;
        // Sorted by where they lead to, so equal ones are neighbours.
        let mut ends: Vec<u16> = found.iter().map(|play| play.to).collect();
        ends.dedup();
        self.ends.extend_from_slice(&ends);
        let ends = Stretch { start, end: self.ends.len() as u32 };
        let stopped = self.stopped.len() as u32;
        for point in (1..BAR).filter(|point| needed >> point & 1 != 0) {
            legal(sides, side, roll, 1 << point, found);
            let stretch = self.keep(found);
            self.stopped.push(stretch);
        }
        self.options.push(Options { landings, needed, ends, plays, stopped });
    }

    fn keep(&mut self, found: &[Played]) -> Stretch {
        let start = self.plays.len() as u32;
        self.plays.extend_from_slice(found);
        Stretch { start, end: self.plays.len() as u32 }
    }

    /// What each roll of [`Roll::ALL`] can do for a side.
    #[inline]
    pub(super) fn rolls(&self, side: usize) -> &[Options] {
        &self.options[21 * side..21 * (side + 1)]
    }

    /// Where a roll leads if nobody stands on any of its points.
    #[inline]
    pub(super) fn ends(&self, options: &Options) -> &[u16] {
        options.ends.of(&self.ends)
    }

    /// The plays of a roll against the closed point `closed` (its bit, or 0), of which those that land on it are
    /// still to be left out.
    #[inline]
    pub(super) fn plays(&self, options: &Options, closed: u32) -> &[Played] {
        if options.needed & closed == 0 {
            return options.plays.of(&self.plays);
        }
        let lower = (options.needed & (closed - 1)).count_ones();
        self.stopped[(options.stopped + lower) as usize].of(&self.plays)
    }
}

/// The legal plays of a side with these points closed, sorted, distinct by where they lead to and land.
///
/// Never none: where nothing can be played the side stays as it is.
fn legal(sides: &Sides, side: usize, roll: Roll, closed: u32, found: &mut Vec<Played>) {
    let mut ends = Vec::new();
    let start = Walked { places: *sides.places(side), landings: 0, used: 0 };
    let (high, low) = (roll.high(), roll.low());
    let larger = if roll.is_double() {
        walk(start, &[high; 4], closed, &mut ends);
        0
    } else {
        walk(start, &[high, low], closed, &mut ends);
        let larger = ends.len();
        walk(start, &[low, high], closed, &mut ends);
        larger
    };
    let most = ends.iter().map(|end| end.used).max().unwrap_or(0);
    // If one die alone can be played, and either could, it is the larger one.
    if most == 1 && ends[..larger].iter().any(|end| end.used == 1) {
        ends.truncate(larger);
    }
    found.clear();
    let best = ends.iter().filter(|end| end.used == most);
    found.extend(best.map(|end| Played { to: sides.number(&end.places) as u16, landings: end.landings }));
    found.sort_unstable();
    found.dedup();
}

/// A side in the course of a turn.
#[derive(Clone, Copy)]
struct Walked {
    places: Places,
    landings: u32,
    used: usize,
}

/// Adds every end of playing the dice in order, as far as each goes.
fn walk(from: Walked, dice: &[u8], closed: u32, ends: &mut Vec<Walked>) {
    let mut stuck = true;
    if let Some((&die, rest)) = dice.split_first() {
        let highest = from.places[0];
        for checker in 0..MOST_CHECKERS {
            let place = from.places[checker];
            let repeated = checker > 0 && from.places[checker - 1] == place;
            if place == 0 || repeated || (highest == BAR && place != BAR) {
                continue;
            }
            let leaves = highest <= 6 && (place == die || (place < die && place == highest));
            if place <= die && !leaves {
                continue;
            }
            let to = place.saturating_sub(die);
            let landing = if to > 0 { 1 << to } else { 0 };
            if landing & closed != 0 {
                continue;
            }
            stuck = false;
            let mut next = Walked { landings: from.landings | landing, used: from.used + 1, ..from };
            next.places[checker] = to;
            next.places.sort_unstable_by(|a, b| b.cmp(a));
            walk(next, rest, closed, ends);
        }
    }
    if stuck {
        ends.push(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{PlayBuf, plays};
    use crate::position::Position;
    use crate::rules::Backgammon;
    use crate::testing::position;

    fn counted(places: &Places) -> Vec<(usize, u8)> {
        let on = |point: u8| places.iter().filter(|&&place| place == point).count() as u8;
        (1..=BAR).map(|point| (usize::from(point), on(point))).filter(|&(_, n)| n > 0).collect()
    }

    /// Positions after the plays of a roll, as the generator of all games finds them.
    fn expected(position: &Position, roll: Roll, buf: &mut PlayBuf) -> Vec<Position> {
        plays::<Backgammon>(position, roll, buf);
        let mut all = buf.positions().to_vec();
        all.sort_unstable();
        all
    }

    fn found(sides: &Sides, turns: &Turns, me: usize, he: usize, roll: Roll) -> Vec<Position> {
        let (mine, his) = (sides.places(me), sides.places(he));
        let on = |point: u8| his.iter().filter(|&&place| place == point).count();
        let bit = |wanted: &dyn Fn(usize) -> bool| -> u32 {
            (1..BAR).filter(|&point| wanted(on(point))).map(|point| 1u32 << (BAR - point)).sum()
        };
        let (closed, single) = (bit(&|n| n >= 2), bit(&|n| n == 1));
        let options = &turns.rolls(me)[roll.index()];
        let mut all: Vec<Position> = turns
            .plays(options, closed)
            .iter()
            .filter(|play| play.landings & closed == 0)
            .map(|play| {
                let mut hit = *his;
                for place in &mut hit {
                    if (1..BAR).contains(place) && play.landings & single & 1 << (BAR - *place) != 0 {
                        *place = BAR;
                    }
                }
                position(&counted(&hit), &counted(sides.places(usize::from(play.to))))
            })
            .collect();
        if (closed | single) & options.landings == 0 {
            let ends = turns.ends(options).iter();
            let plain: Vec<Position> =
                ends.map(|&to| position(&counted(his), &counted(sides.places(usize::from(to))))).collect();
            all.dedup();
            assert_eq!(plain, all, "{mine:?} {his:?} {roll}");
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn compare(sides: &Sides, pairs: impl Iterator<Item = (usize, usize)>) -> usize {
        let turns = Turns::of(sides);
        let mut buf = PlayBuf::new();
        let mut compared = 0;
        for (me, he) in pairs {
            let (mine, his) = (sides.places(me), sides.places(he));
            let shared = mine.iter().any(|&place| (1..BAR).contains(&place) && his.contains(&(BAR - place)));
            if me == 0 || he == 0 || shared {
                continue;
            }
            let start = position(&counted(mine), &counted(his));
            for roll in Roll::ALL {
                let expected = expected(&start, roll, &mut buf);
                assert_eq!(found(sides, &turns, me, he, roll), expected, "{start:?} {roll}");
            }
            compared += 1;
        }
        compared
    }

    #[test]
    fn plays_are_those_of_the_generator() {
        let one = Sides::new(1).unwrap();
        assert_eq!(compare(&one, (0..676).map(|pair| (pair / 26, pair % 26))), 601);
        let two = Sides::new(2).unwrap();
        assert!(compare(&two, (0..351 * 351).step_by(7).map(|pair| (pair / 351, pair % 351))) > 10_000);
        let three = Sides::new(3).unwrap();
        let all = 3276 * 3276;
        assert!(compare(&three, (0..all).step_by(1009).map(|pair| (pair / 3276, pair % 3276))) > 5_000);
    }
}
