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
    /// The moves can be made in ways that hit different blots.
    Ambiguous,
}

/// A readable play that may not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayError {
    /// The play as it was given.
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
            PlayTextError::Illegal(PlayError { play: play.to_owned(), roll, problem })
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
            let words: Vec<String> = moves.iter().map(Move::to_string).collect();
            PlayError { play: words.join(" "), roll, problem }
        };
        if let Some(&odd) = moves.iter().find(|m| m.from > BAR) {
            return Err(error(PlayProblem::NoChecker(odd.from)));
        }
        if let Some(&fifth) = moves.get(4) {
            return Err(error(PlayProblem::NoDieLeft(fifth)));
        }
        let ways: Vec<Way> = moves.iter().map(|&m| Way::from(m)).collect();
        resolve_ways(position, roll, &ways).map_err(error)
    }
}

fn resolve_ways(position: &Position, roll: Roll, ways: &[Way]) -> Result<(Play, Position), PlayProblem> {
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
mod tests {
    use super::*;

    /// A position from `(point, checkers)` of the mover and of the opponent, all numbered by the mover.
    fn board(mover: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
        let (mut mine, mut theirs) = ([0; 25], [0; 25]);
        for &(point, n) in mover {
            mine[point - 1] = n;
        }
        for &(point, n) in opponent {
            theirs[24 - point] = n;
        }
        Position::from_counts(&mine, &theirs).unwrap()
    }

    fn resolve(position: &Position, roll: &str, text: &str) -> Result<String, String> {
        let roll = roll.parse().unwrap();
        match Play::resolve(position, roll, text) {
            Ok((play, after)) => {
                assert_eq!(Play::between(position, roll, &after), Some(play));
                Ok(play.to_string())
            }
            Err(PlayTextError::Illegal(error)) => Err(error.problem.to_string()),
            Err(PlayTextError::Parse(error)) => Err(format!("unreadable: {}", error.kind)),
        }
    }

    fn text(position: &Position, roll: &str, text: &str) -> String {
        resolve(position, roll, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn one_text_for_every_way_of_writing() {
        let start = Position::START;
        for written in ["8/5 6/5", "6/5 8/5", "6-5 8-5", " 8/5,6/5 ", "8/5*, 6/5"] {
            assert_eq!(text(&start, "31", written), "8/5 6/5");
        }
        for written in ["24/13", "24/18/13", "24/18 18/13", "18/13 24/18", "24-13"] {
            assert_eq!(text(&start, "65", written), "24/13");
        }
        for written in ["13/7(2) 8/2(2)", "8/2 (2) 13/7 13/7", "13/7 8/2 13/7 8/2"] {
            assert_eq!(text(&start, "66", written).as_str(), "13/7(2) 8/2(2)");
        }
        assert_eq!(text(&start, "44", "24/16(2)"), "24/16(2)");
        assert_eq!(text(&start, "33", "13/10 13/10 10/7 13/10"), "13/7 13/10(2)");
    }

    #[test]
    fn bar_off_and_hits() {
        let entering = board(&[(25, 2), (6, 3)], &[(22, 1), (20, 2)]);
        for written in ["bar/22*(2)", "25/22 25/22", "BAR/22(2)*", "Bar/22* bar/22", "b/22(2)"] {
            assert_eq!(text(&entering, "33", &format!("{written} 6/3(2)")), "bar/22*(2) 6/3(2)");
        }
        let home = board(&[(6, 2), (3, 1)], &[(24, 2)]);
        for written in ["6/off 3/2", "6/0 3/2", "3/2 6/OFF", "6-o 3-2"] {
            assert_eq!(text(&home, "61", written), "6/off 3/2");
        }
        // The 6 alone would end the game, 6/5 and then off uses both dice: the same result.
        let last = board(&[(6, 1)], &[(24, 2)]);
        assert_eq!(text(&last, "61", "6/off"), "6/off");
        // A checker that moves to a point where another one continues is written as one that moves on.
        let stacked = board(&[(13, 1), (7, 1)], &[(1, 2)]);
        assert_eq!(text(&stacked, "61", "13/7 7/6"), "13/6");
        let chain = board(&[(24, 2)], &[(18, 1), (13, 1), (19, 2)]);
        assert_eq!(text(&chain, "65", "24/13"), "24/18*/13*");
        assert_eq!(text(&chain, "65", "24/18*/13*"), "24/18*/13*");
    }

    #[test]
    fn hit_marks_choose_between_ways() {
        let position = board(&[(24, 1)], &[(20, 1), (6, 2)]);
        // By way of 22 nothing is hit, by way of 20 a blot.
        assert_eq!(text(&position, "42", "24/18"), "24/18");
        assert_eq!(text(&position, "42", "24/20*/18"), "24/20*/18");
        assert_eq!(text(&position, "42", "24/20/18"), "24/20*/18");
        let both = board(&[(24, 1)], &[(20, 1), (22, 1)]);
        assert!(resolve(&both, "42", "24/18").unwrap_err().contains("different blots"));
        assert_eq!(text(&both, "42", "24/22/18"), "24/22*/18");
    }

    #[test]
    fn passes() {
        let closed = board(&[(25, 1)], &[(19, 2), (20, 2), (21, 2), (22, 2), (23, 2), (24, 2)]);
        for written in ["", "pass", "Cannot Move", "  "] {
            assert_eq!(text(&closed, "31", written), "pass");
        }
        assert_eq!(resolve(&Position::START, "31", "").unwrap_err(), PlayProblem::NotAPass.to_string());
    }

    #[test]
    fn illegal_plays_name_the_reason() {
        let start = Position::START;
        let blocked = board(&[(13, 5), (6, 5)], &[(8, 2), (1, 2)]);
        let one_die = board(&[(20, 1)], &[(9, 2)]);
        let entering = board(&[(25, 1), (6, 4)], &[(22, 2)]);
        let home = board(&[(6, 2), (3, 1)], &[(24, 2)]);
        for (position, roll, written, reason) in [
            (&blocked, "52", "13/8 6/4", "the 8-point is blocked"),
            (&blocked, "52", "13/11 13/8", "the 8-point is blocked"),
            (&start, "61", "13/7 12/11", "there is no checker on the 12-point"),
            (&start, "65", "24/18/13 24/18", "no die is left for 24/18"),
            (&start, "61", "13/8 6/5", "the dice cannot make 13/8"),
            (&start, "61", "8/7 8/7", "the dice cannot make 8/7"),
            (&start, "61", "6/off 8/7", "no bearing off while a checker is on the 24-point"),
            (&start, "61", "6/9 6/5", "6/9 does not lead towards home"),
            (&start, "61", "8/8", "8/8 does not lead towards home"),
            (&start, "51", "bar/20", "there is no checker on the bar"),
            (&start, "51", "24/19", "the 19-point is blocked"),
            (&start, "61", "13/7", "2 dice can be played, this plays 1"),
            (&start, "61", "", "the roll can be played, so passing is not allowed"),
            (&one_die, "65", "20/15", "only one die can be played, and it must be the larger, 6"),
            (&one_die, "65", "20/9", "the 9-point is blocked"),
            (&entering, "31", "6/5 6/3", "a checker on the bar must enter first"),
            (&entering, "31", "bar/22 6/5", "the 22-point is blocked"),
            (&home, "54", "3/off 6/1", "the die is too large while a checker is on the 6-point"),
        ] {
            assert_eq!(resolve(position, roll, written), Err(reason.to_owned()), "{roll}: {written}");
        }
        let error = Play::resolve(&blocked, "52".parse().unwrap(), "13/8 6/4").unwrap_err();
        assert_eq!(error.to_string(), "illegal play 13/8 6/4 for roll 52: the 8-point is blocked");
    }

    #[test]
    fn moves_that_cannot_be_are_errors() {
        let roll = "31".parse().unwrap();
        for (from, to) in [(26, 1), (255, 0), (5, 8), (5, 5), (0, 0), (24, 25)] {
            assert!(Play::resolve_moves(&Position::START, roll, &[Move { from, to }]).is_err());
        }
        let five = [Move { from: 6, to: 5 }; 5];
        assert!(Play::resolve_moves(&Position::START, roll, &five).is_err());
    }

    #[test]
    fn unreadable_plays_say_where() {
        for (written, offset) in [
            ("8", 1),
            ("8/", 2),
            ("/5", 0),
            ("8/5 x", 4),
            ("0/5", 0),
            ("26/20", 0),
            ("off/5", 0),
            ("8/bar", 2),
            ("8/5(", 4),
            ("8/5(9)", 4),
            ("8/5(2", 5),
            ("6/5(3) 8/5(2)", 7),
            ("13/12/11/10/9/8", 14),
            ("8/5 \u{2013} 6/5", 4),
            ("\u{fe0f}", 0),
            ("*", 0),
            (",", 1),
        ] {
            match Play::resolve(&Position::START, "31".parse().unwrap(), written) {
                Err(PlayTextError::Parse(error)) => assert_eq!(error.offset, offset, "{written:?}: {error}"),
                other => panic!("{written:?}: {other:?}"),
            }
        }
        assert!(Play::resolve(&Position::START, "31".parse().unwrap(), &"8/5 ".repeat(100_000)).is_err());
        assert!(Play::resolve(&Position::START, "31".parse().unwrap(), &"8".repeat(100_000)).is_err());
    }

    /// Random scraps of notation are read, refused as illegal or refused as unreadable; none panics.
    #[test]
    fn scraps_of_notation_do_not_panic() {
        let scraps = [
            "24", "13", "8", "6", "5", "1", "0", "25", "bar", "off", "/", "/", "/", "-", "*", "(2)", "(4)",
            " ", " ", ",", "(", "x", "\u{e9}",
        ];
        let ends = ["", "", "*", "(2)"];
        let positions = [
            Position::START,
            board(&[(25, 2), (6, 3)], &[(22, 1), (20, 2)]),
            board(&[(6, 2), (3, 1)], &[(24, 2)]),
        ];
        let (mut legal, mut illegal, mut unreadable) = (0, 0, 0);
        for trial in 0..40_000 {
            let stream = crate::rng::Stream::new(41, trial);
            let draw =
                |counter, from: &[&'static str]| from[stream.below(from.len() as u32, counter) as usize];
            // Half of them a jumble, half moves of any points.
            let text: String = if trial % 2 == 0 {
                (1..=u64::from(stream.below(11, 0))).map(|i| draw(i, &scraps)).collect()
            } else {
                let one = |i| {
                    format!("{}/{}{} ", draw(i, &scraps[..9]), draw(i + 1, &scraps[..10]), draw(i + 2, &ends))
                };
                (0..1 + u64::from(stream.below(3, 0))).map(|i| one(10 * i + 1)).collect()
            };
            let position = &positions[(trial % 3) as usize];
            match Play::resolve(position, stream.roll(99), &text) {
                Ok(_) => legal += 1,
                Err(PlayTextError::Illegal(error)) => {
                    illegal += 1;
                    assert!(!error.to_string().is_empty());
                }
                Err(PlayTextError::Parse(error)) => {
                    unreadable += 1;
                    assert!(error.offset <= text.len());
                }
            }
        }
        assert!(legal > 20 && illegal > 1_000 && unreadable > 10_000, "{legal} {illegal} {unreadable}");
    }
}
