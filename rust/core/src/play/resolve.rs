//! From what was written to what is played, or to the reason why it cannot be.

use std::fmt;

use super::text::{self, Way};
use super::{Move, Play};
use crate::dice::Roll;
use crate::parse::ParseError;
use crate::position::Position;
use crate::steps::{BAR, DiceLeft, OFF, Refusal, most_dice, step};

/// Why a readable play may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayProblem {
    /// Moves do not start from, or do not end on, a point of this number.
    NoSuchPoint(i64),
    /// No checker stands on this point.
    NoChecker(u8),
    /// Two or more opposing checkers stand on this point.
    Blocked(u8),
    /// A checker on the bar must enter first.
    BarFirst,
    /// A checker is still outside the home board, on this point.
    NotHome(u8),
    /// The die is larger than needed and a checker on this point is further back.
    HigherChecker(u8),
    /// This move does not lead towards home.
    Backwards(Move),
    /// The dice cannot make this move.
    NotOnDice(Move),
    /// This move is one more than there are dice.
    NoDieLeft(Move),
    /// More dice can be played.
    MustPlayMore {
        /// How many dice can be played.
        possible: usize,
        /// How many this plays.
        played: usize,
    },
    /// Only one of the dice can be played, and the larger can.
    MustUseLarger(u8),
    /// A pass although the roll can be played.
    NotAPass,
    /// One side has borne off everything.
    GameOver,
    /// The moves can be made in ways that hit different blots.
    Ambiguous,
}

/// A readable play that may not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayError {
    /// The play as it was given, shortened if it is long.
    pub play: String,
    /// The roll it was given for.
    pub roll: Roll,
    /// Why it is illegal.
    pub problem: PlayProblem,
}

/// Why a text is no legal play: it cannot be read, or it is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayTextError {
    /// The text cannot be read.
    Parse(ParseError),
    /// The play is illegal.
    Illegal(PlayError),
}

impl Move {
    /// The number of this move that no move has, if there is one.
    fn outside(&self) -> Option<i64> {
        if !(1..=BAR).contains(&self.from) {
            Some(self.from.into())
        } else if self.to >= BAR {
            Some(self.to.into())
        } else {
            None
        }
    }
}

impl Play {
    /// The play that `text` means in `position` for `roll`, and the position after it (opponent on roll).
    ///
    /// The text may name the moves in any order, joined or one by one, with or without hit marks, with
    /// `bar` or `25`, `off` or `0`, `/` or `-`, and counts as in `8/5(2)`; nothing or `pass` is a pass.
    ///
    /// # Errors
    /// If the text cannot be read, or names no legal play; the error says why.
    pub fn resolve(position: &Position, roll: Roll, text: &str) -> Result<(Play, Position), PlayTextError> {
        let ways = text::read(text).map_err(PlayTextError::Parse)?;
        resolve_ways(position, roll, &ways).map_err(|problem| {
            let play = if ways.is_empty() { "pass" } else { text.trim() };
            PlayTextError::Illegal(PlayError { play: ParseError::shortened(play).to_owned(), roll, problem })
        })
    }

    /// The play that consists of `moves`, in any order and joined or one by one, and the position after it.
    ///
    /// # Errors
    /// Says why the moves are no legal play.
    pub fn resolve_moves(
        position: &Position,
        roll: Roll,
        moves: &[Move],
    ) -> Result<(Play, Position), PlayError> {
        let error = |problem| {
            // Four moves and the first that is too many are enough to recognise it.
            let words: Vec<String> = moves.iter().take(5).map(Move::to_string).collect();
            let play = if words.is_empty() { "pass".to_owned() } else { words.join(" ") };
            PlayError { play, roll, problem }
        };
        if let Some(number) = moves.iter().find_map(Move::outside) {
            return Err(error(PlayProblem::NoSuchPoint(number)));
        }
        if let Some(&fifth) = moves.get(4) {
            return Err(error(PlayProblem::NoDieLeft(fifth)));
        }
        let ways: Vec<Way> = moves.iter().map(|&m| Way::from(m)).collect();
        resolve_ways(position, roll, &ways).map_err(error)
    }
}

fn resolve_ways(position: &Position, roll: Roll, ways: &[Way]) -> Result<(Play, Position), PlayProblem> {
    if position.is_over() && !ways.is_empty() {
        return Err(PlayProblem::GameOver);
    }
    if let Some(backwards) = ways.iter().find_map(|way| way.backwards) {
        return Err(PlayProblem::Backwards(backwards));
    }
    let dice = DiceLeft::of(roll);
    let mut search = Search { ways, results: Vec::new(), stuck: None };
    let mut places: [u8; 4] = [0; 4];
    for (place, way) in places.iter_mut().zip(ways) {
        *place = way.points()[0];
    }
    search.walk(position, dice, Walk { places, next: [1; 4] });
    let plays = search.legal_plays(position, roll);
    if plays.is_empty() {
        return Err(search.problem(position, roll));
    }
    choose(ways, &plays).ok_or(PlayProblem::Ambiguous)
}

/// Of plays that make the same moves, the one whose hits differ least from those marked.
fn choose(ways: &[Way], plays: &[(Play, Position)]) -> Option<(Play, Position)> {
    let marked = ways.iter().fold(0, |all, way| all | way.hits);
    let misses = |play: &Play| {
        let hits = (0..4).filter(|&i| play.hits(i)).fold(0u32, |all, i| all | 1 << play.moves()[i].to);
        (hits ^ marked).count_ones()
    };
    let least = plays.iter().map(|(play, _)| misses(play)).min()?;
    let mut best = plays.iter().filter(|(play, _)| misses(play) == least);
    let found = best.next()?;
    best.next().is_none().then_some(*found)
}

/// How far each checker has come: where it is, and which of its written points is next.
#[derive(Clone, Copy)]
struct Walk {
    places: [u8; 4],
    next: [usize; 4],
}

impl Walk {
    fn progress(&self) -> usize {
        self.next.iter().sum()
    }
}

/// Tries the written ways in every order with every assignment of the dice.
struct Search<'a> {
    ways: &'a [Way],
    /// Distinct positions (mover's frame) in which every way has been gone to its end, with the number of dice left.
    results: Vec<(Position, usize)>,
    /// Where most of the written points had been touched without reaching an end.
    stuck: Option<(Position, DiceLeft, Walk)>,
}

impl Search<'_> {
    fn walk(&mut self, now: &Position, dice: DiceLeft, walk: Walk) {
        let ways = self.ways;
        let unfinished = |i: usize| Some((i, *ways[i].points().get(walk.next[i])?));
        if (0..ways.len()).all(|i| unfinished(i).is_none()) {
            if !self.results.contains(&(*now, dice.len())) {
                self.results.push((*now, dice.len()));
            }
            return;
        }
        if self.stuck.is_none_or(|(_, _, furthest)| walk.progress() > furthest.progress()) {
            self.stuck = Some((*now, dice, walk));
        }
        for (i, target) in (0..ways.len()).filter_map(unfinished) {
            for &die in dice.distinct() {
                let Ok((step, after)) = step(now, walk.places[i], die) else { continue };
                if step.to < target {
                    continue;
                }
                let mut further = walk;
                further.places[i] = step.to;
                further.next[i] += usize::from(step.to == target);
                self.walk(&after, dice.without(die), further);
            }
        }
    }

    fn legal_plays(&self, position: &Position, roll: Roll) -> Vec<(Play, Position)> {
        let mut plays: Vec<(Play, Position)> = Vec::new();
        for (end, _) in &self.results {
            let after = end.flip();
            if let Some(play) = Play::between(position, roll, &after)
                && !plays.contains(&(play, after))
            {
                plays.push((play, after));
            }
        }
        plays
    }

    /// Why nothing was found that is legal.
    fn problem(&self, position: &Position, roll: Roll) -> PlayProblem {
        let dice = DiceLeft::of(roll);
        if self.ways.is_empty() {
            return PlayProblem::NotAPass;
        }
        if let Some(left) = self.results.iter().map(|&(_, left)| left).min() {
            let (possible, played) = (most_dice(position, dice), dice.len() - left);
            return if played < possible {
                PlayProblem::MustPlayMore { possible, played }
            } else {
                PlayProblem::MustUseLarger(roll.high())
            };
        }
        match &self.stuck {
            Some((now, left, walk)) => self.obstacle(now, *left, walk),
            None => PlayProblem::NotAPass,
        }
    }

    /// What stops the first checker, as written, that has not come to its end.
    fn obstacle(&self, now: &Position, dice: DiceLeft, walk: &Walk) -> PlayProblem {
        let next = |i: usize| Some((walk.places[i], *self.ways[i].points().get(walk.next[i])?));
        let Some((from, target)) = (0..self.ways.len()).find_map(next) else {
            return PlayProblem::NotAPass;
        };
        let wanted = Move { from, to: target };
        if dice.is_empty() {
            return PlayProblem::NoDieLeft(wanted);
        }
        match step(now, from, dice.as_slice()[0]) {
            Err(Refusal::NoChecker) => return PlayProblem::NoChecker(from),
            Err(Refusal::BarFirst) => return PlayProblem::BarFirst,
            _ => {}
        }
        match refusal_on_the_way(now, wanted, dice) {
            Some(Refusal::Blocked(point)) => PlayProblem::Blocked(point),
            Some(Refusal::NotHome(point)) => PlayProblem::NotHome(point),
            Some(Refusal::HigherChecker(point)) => PlayProblem::HigherChecker(point),
            _ => PlayProblem::NotOnDice(wanted),
        }
    }
}

/// What refuses to let one checker go all the way; `None` if the dice do not add up to it.
fn refusal_on_the_way(now: &Position, wanted: Move, dice: DiceLeft) -> Option<Refusal> {
    let mut found = None;
    for &die in dice.distinct() {
        if !adds_up(wanted, die, dice.without(die)) {
            continue;
        }
        match step(now, wanted.from, die) {
            Err(refusal) => found = found.or(Some(refusal)),
            Ok((step, after)) => {
                let rest = Move { from: step.to, to: wanted.to };
                // What stops the checker further on says more than what stops it at once.
                if let Some(refusal) = refusal_on_the_way(&after, rest, dice.without(die)) {
                    return Some(refusal);
                }
            }
        }
    }
    found
}

/// Whether `die`, with some of the other dice, is as much as the move needs.
fn adds_up(wanted: Move, die: u8, others: DiceLeft) -> bool {
    let distance = wanted.from - wanted.to;
    if wanted.to == OFF {
        return die + others.as_slice().iter().sum::<u8>() >= distance;
    }
    let Some(rest) = distance.checked_sub(die) else { return false };
    rest == 0
        || others
            .distinct()
            .iter()
            .any(|&next| adds_up(Move { from: wanted.to + rest, to: wanted.to }, next, others.without(next)))
}

impl fmt::Display for PlayProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PlayProblem::NoSuchPoint(number) => write!(
                f,
                "no move has the number {number}: moves go from 1 to 24 or 25, the bar, to 1 to 24 or 0, off"
            ),
            PlayProblem::NoChecker(25) => f.write_str("there is no checker on the bar"),
            PlayProblem::NoChecker(point) => write!(f, "there is no checker on the {point}-point"),
            PlayProblem::Blocked(point) => write!(f, "the {point}-point is blocked"),
            PlayProblem::BarFirst => f.write_str("a checker on the bar must enter first"),
            PlayProblem::NotHome(25) => f.write_str("no bearing off while a checker is on the bar"),
            PlayProblem::NotHome(point) => {
                write!(f, "no bearing off while a checker is on the {point}-point")
            }
            PlayProblem::HigherChecker(point) => {
                write!(f, "the die is too large while a checker is on the {point}-point")
            }
            PlayProblem::Backwards(wanted) => write!(f, "{wanted} does not lead towards home"),
            PlayProblem::NotOnDice(wanted) => write!(f, "the dice cannot make {wanted}"),
            PlayProblem::NoDieLeft(wanted) => write!(f, "no die is left for {wanted}"),
            PlayProblem::MustPlayMore { possible, played } => {
                write!(f, "{possible} dice can be played, this plays {played}")
            }
            PlayProblem::MustUseLarger(die) => {
                write!(f, "only one die can be played, and it must be the larger, {die}")
            }
            PlayProblem::NotAPass => f.write_str("the roll can be played, so passing is not allowed"),
            PlayProblem::GameOver => f.write_str("the game is over"),
            PlayProblem::Ambiguous => {
                f.write_str("it can be played hitting different blots; name the point in between")
            }
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal play {} for roll {}: {}", self.play, self.roll, self.problem)
    }
}

impl std::error::Error for PlayError {}

impl fmt::Display for PlayTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayTextError::Parse(error) => error.fmt(f),
            PlayTextError::Illegal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayTextError {}

#[cfg(test)]
mod tests;
