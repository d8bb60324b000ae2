//! A play: what is done with one roll, up to four moves of one checker by one die.
//!
//! A [`Play`] keeps single moves, from the rearmost point down, and prints them the usual way: a checker
//! that moves twice is written as one move unless it hits on the way (`24/18*/13`), equal moves are
//! counted (`8/5(2)`), the bar and the tray are `bar` and `off`, and `*` marks a hit. Two plays that
//! lead to the same position are the same `Play`. A roll that cannot be played prints as `pass`.

mod resolve;
mod text;

pub use resolve::{PlayError, PlayProblem, PlayTextError};

use std::fmt;

use crate::dice::Roll;
use crate::position::Position;
use crate::steps::{BAR, DiceLeft, OFF, most_dice, step, steps_with};

/// One checker moved by one die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the checker stood: 1 to 24, or 25 for the bar.
    pub from: u8,
    /// Where it goes: 1 to 24, or 0 for off.
    pub to: u8,
}

/// Everything done with one roll, in canonical form. See the [module](self).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play {
    moves: [Move; 4],
    len: u8,
    /// Bit `i` says that move `i` hits.
    hits: u8,
}

/// A checker's whole way within a play: one to four moves one after another.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Trail {
    points: [u8; 5],
    moves: usize,
    /// Bit `i` says that the arrival at `points[i]` hits.
    hits: u8,
}

impl Trail {
    fn start(&self) -> u8 {
        self.points[0]
    }

    fn end(&self) -> u8 {
        self.points[self.moves]
    }

    /// Whether the two can be written once with a count. On one way only the first checker can hit.
    fn counts_with(&self, first: &Trail) -> bool {
        (self.start(), self.end()) == (first.start(), first.end())
    }

    fn hits_at(&self, i: usize) -> bool {
        self.hits >> i & 1 != 0
    }
}

impl Play {
    /// The play of a roll that cannot be played.
    pub const PASS: Play = Play { moves: [Move { from: 0, to: 0 }; 4], len: 0, hits: 0 };

    /// The single moves, from the rearmost point down. They are legal in this order.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.len)]
    }

    /// Whether move number `index` hits a blot.
    pub const fn hits(&self, index: usize) -> bool {
        index < 4 && self.hits >> index & 1 != 0
    }

    /// How many blots the play hits.
    pub const fn hit_count(&self) -> u32 {
        self.hits.count_ones()
    }

    /// Whether no checker moves.
    pub const fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// The play that leads from `position` with `roll` to `after`, in which the opponent is on roll.
    ///
    /// `None` if no legal play does.
    pub fn between(position: &Position, roll: Roll, after: &Position) -> Option<Play> {
        let target = after.flip();
        let dice = DiceLeft::of(roll);
        let play = if roll.is_double() {
            equal_dice(position, roll.high(), &target)?
        } else {
            two_dice(position, roll, &target).or_else(|| one_die(position, roll, &target))?
        };
        // A play that leaves a die unused must be one that could use no more.
        let used = play.moves().len();
        (used == dice.len() || used == most_dice(position, dice)).then_some(play)
    }

    /// The play that moves from these points with these dice, if that is possible and ends in `target`.
    ///
    /// The rearmost checker goes first (of two on one point the one with the smaller die), which is legal
    /// whenever any order is: see [`most_dice`].
    fn replay(position: &Position, moves: &mut [(u8, u8)], target: &Position) -> Option<Play> {
        moves.sort_unstable_by_key(|&(from, die)| (std::cmp::Reverse(from), die));
        let (mut now, mut play) = (*position, Play::PASS);
        for (i, &(from, die)) in moves.iter().enumerate() {
            let (step, after) = step(&now, from, die).ok()?;
            play.moves[i] = Move { from: step.from, to: step.to };
            play.hits |= u8::from(step.hit) << i;
            play.len += 1;
            now = after;
        }
        (now == *target).then_some(play)
    }

    /// The way of each checker that moves, in the order of its first move.
    fn trails(&self) -> ([Trail; 4], usize) {
        let mut trails = [Trail::default(); 4];
        let (mut count, mut taken) = (0, [false; 4]);
        for first in 0..self.moves().len() {
            if taken[first] {
                continue;
            }
            let mut trail = Trail::default();
            trail.points[0] = self.moves[first].from;
            let mut next = Some(first);
            while let Some(i) = next {
                taken[i] = true;
                trail.moves += 1;
                trail.points[trail.moves] = self.moves[i].to;
                let here = self.moves[i].to;
                next = (i + 1..self.moves().len()).find(|&j| !taken[j] && self.moves[j].from == here);
            }
            trails[count] = trail;
            count += 1;
        }
        self.mark_hits(&mut trails[..count]);
        (trails, count)
    }

    /// Gives each hit to the first trail that is written as arriving there.
    fn mark_hits(&self, trails: &mut [Trail]) {
        for (i, hit) in self.moves().iter().enumerate() {
            if !self.hits(i) {
                continue;
            }
            'point: for trail in trails.iter_mut() {
                for arrival in 1..=trail.moves {
                    if trail.points[arrival] == hit.to {
                        trail.hits |= 1 << arrival;
                        break 'point;
                    }
                }
            }
        }
    }
}

/// The play by equal dice between two positions of one turn.
///
/// Every move starts and ends in the same residue class, so from the rearmost point down the number of
/// moves away from a point is what stood there, plus what arrived, less what is left.
fn equal_dice(position: &Position, die: u8, target: &Position) -> Option<Play> {
    let (before, after) = (position.places(), target.places());
    let mut leaving = [0i8; 32];
    let (mut moves, mut len) = ([(0, 0); 4], 0);
    for point in (1..=usize::from(BAR)).rev() {
        let arrived = leaving[(point + usize::from(die)).min(31)];
        leaving[point] = before[point].max(0) + arrived - after[point].max(0);
        if leaving[point] < 0 || len + leaving[point] as usize > 4 {
            return None;
        }
        for _ in 0..leaving[point] {
            moves[len] = (point as u8, die);
            len += 1;
        }
    }
    Play::replay(position, &mut moves[..len], target)
}

/// The play by both of two different dice: the first move is tried from everywhere, the second follows.
fn two_dice(position: &Position, roll: Roll, target: &Position) -> Option<Play> {
    for (first, second) in [(roll.high(), roll.low()), (roll.low(), roll.high())] {
        for (step, between) in steps_with(position, first) {
            let Some(from) = only_departure(&between, target) else { continue };
            let mut moves = [(step.from, first), (from, second)];
            if let Some(play) = Play::replay(position, &mut moves, target) {
                return Some(play);
            }
        }
    }
    None
}

/// The play by one of two different dice, or by neither, as the rules allow it: the larger if possible.
fn one_die(position: &Position, roll: Roll, target: &Position) -> Option<Play> {
    if position == target {
        return Some(Play::PASS);
    }
    let from = only_departure(position, target)?;
    let high_plays = steps_with(position, roll.high()).next().is_some();
    let die = if high_plays { roll.high() } else { roll.low() };
    Play::replay(position, &mut [(from, die)], target)
}

/// The place that has fewer of the roller's checkers in `after`, if there is exactly one.
fn only_departure(before: &Position, after: &Position) -> Option<u8> {
    let mut departures = (1..=BAR).filter(|&place| {
        let place = usize::from(place);
        before.places()[place].max(0) > after.places()[place].max(0)
    });
    let found = departures.next()?;
    departures.next().is_none().then_some(found)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Place(self.from), Place(self.to))
    }
}

/// A place as plays name it.
struct Place(u8);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BAR => f.write_str("bar"),
            OFF => f.write_str("off"),
            point => write!(f, "{point}"),
        }
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Place(self.start()))?;
        for i in 1..=self.moves {
            let hit = self.hits_at(i);
            if hit || i == self.moves {
                write!(f, "/{}{}", Place(self.points[i]), if hit { "*" } else { "" })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Play {
    /// The canonical text: one for every result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("pass");
        }
        let (trails, count) = self.trails();
        let mut rest = &trails[..count];
        while let Some(trail) = rest.first() {
            if rest.len() < count {
                f.write_str(" ")?;
            }
            let equal = rest.iter().take_while(|other| other.counts_with(trail)).count();
            write!(f, "{trail}")?;
            if equal > 1 {
                write!(f, "({equal})")?;
            }
            rest = &rest[equal..];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{PlayBuf, plays, random_game};
    use crate::rng::Stream;
    use crate::rules::Backgammon;

    /// Every play of a random game is found from its result, prints once, and reads back.
    #[test]
    fn between_and_resolve_agree_with_the_generator() {
        let (mut game_buf, mut buf) = (PlayBuf::new(), PlayBuf::new());
        let mut seen = 0;
        for trial in 0..6 {
            random_game::<Backgammon>(Stream::new(17, trial), 300, &mut game_buf, |position, roll, turn| {
                plays::<Backgammon>(position, roll, &mut buf);
                let mut texts = std::collections::HashSet::new();
                let stride = 1 + buf.positions().len() / 40;
                for after in buf.positions().iter().skip(turn as usize % stride).step_by(stride) {
                    let play = Play::between(position, roll, after).unwrap();
                    let text = play.to_string();
                    assert_eq!(
                        Play::resolve(position, roll, &text),
                        Ok((play, *after)),
                        "{position:?} {roll}"
                    );
                    let moves = Play::resolve_moves(position, roll, play.moves());
                    if moves != Ok((play, *after)) {
                        // Without hit marks a play may only be refused for hitting in two ways.
                        assert!(play.hit_count() > 0, "{position:?} {roll} {text} {moves:?}");
                    }
                    assert_eq!(buf.is_pass(), play.is_pass());
                    assert!(texts.insert(text));
                    seen += 1;
                }
            });
        }
        assert!(seen > 3_000, "{seen}");
    }

    #[test]
    fn no_play_leads_to_an_unrelated_position() {
        let roll = Roll::new(3, 1).unwrap();
        assert_eq!(Play::between(&Position::START, roll, &Position::START), None);
        let after = Play::resolve(&Position::START, roll, "8/5 6/5").unwrap().1;
        for other in Roll::ALL {
            let found = Play::between(&Position::START, other, &after);
            // Four ones make it too: 8/7/6/5 and 6/5.
            assert_eq!(found.is_some(), other == roll || other.index() == 0, "{other}");
        }
        assert_eq!(Play::between(&after, roll, &Position::START), None);
    }
}
