//! One game of the family with its options: what all of them can be asked.

use super::marks::{self, Asks, Marks};
use super::turns::{Class, End, Turns};
use super::view::{Shape, View, ViewError};
use super::walk::{self, Mid, Moved, Numbers, Walk};
use crate::dice::Roll;
use crate::position::Position;

/// A game of the family with its options chosen, as a value.
///
/// Implemented by the games of this crate. Code that plays any of them is generic over it and is built once
/// for each; `with_variant!` chooses.
pub trait Variant: Copy + Send + Sync + 'static {
    /// Where the checkers stand before the first throw.
    fn start(&self) -> Position;

    /// What the player to act has to do.
    fn asks(&self, position: &Position) -> Asks {
        marks::asks(position)
    }

    /// Fills `turns` with the distinct results of what the player to act can do: with `roll` if he
    /// [throws](Asks::Throw), which else is not looked at.
    ///
    /// Never none: what cannot be played is handed over unchanged, and so is a finished game.
    fn plays(&self, position: &Position, roll: Roll, turns: &mut Turns);

    /// How the game ended, if it has.
    fn result(&self, position: &Position) -> Option<End>;

    /// What a position shows.
    fn view(&self, position: &Position) -> View;

    /// The position that a view shows.
    ///
    /// # Errors
    /// Every reason why it is none of this game.
    fn position(&self, view: &View) -> Result<Position, ViewError>;

    /// The steps that lead to a result of [`Variant::plays`], or the word for it.
    ///
    /// `None` if it is no such result, or one that no checker was moved for.
    fn steps(&self, position: &Position, roll: Roll, after: &Position, kept: bool) -> Option<Steps>;

    /// The result of exactly these steps in this order, if they are a whole legal turn.
    fn follow(&self, position: &Position, roll: Roll, steps: &Steps) -> Option<(Position, bool)>;

    /// Whether neither side can move a checker, whatever is thrown.
    fn stuck(&self, position: &Position) -> bool {
        let mut turns = Turns::new();
        let mut blocked = |position: &Position| {
            Roll::ALL.iter().all(|&roll| {
                self.plays(position, roll, &mut turns);
                turns.is_pass()
            })
        };
        if !blocked(position) {
            return false;
        }
        self.plays(position, Roll::ALL[0], &mut turns);
        turns.handed().first().copied().is_some_and(|other| {
            let mut turns = Turns::new();
            Roll::ALL.iter().all(|&roll| {
                self.plays(&other, roll, &mut turns);
                turns.is_pass()
            })
        })
    }
}

/// What was done in one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// The checkers moved, in order.
    pub moves: Vec<Moved>,
    /// A word for what moves no checker: `stay` or `leave`, or the double that is named, as `66`.
    pub word: Option<&'static str>,
}

/// A game whose turns are walks of single checkers.
pub(crate) trait Game: Walk + Send + Sync + 'static {
    fn shape(&self) -> Shape;

    fn start(&self) -> Position;

    fn result(&self, position: &Position) -> Option<End>;

    /// The position before a turn.
    #[inline(always)]
    fn open_turn(&self, position: &Position) -> Mid {
        Mid::new(position, self.shape().checkers)
    }

    /// Sets what is remembered within the turn.
    #[inline(always)]
    fn begin(&self, _: &mut Mid, _: Roll) {}

    /// The numbers of a throw.
    #[inline(always)]
    fn numbers(&self, roll: Roll) -> Numbers {
        numbers(roll)
    }

    /// The marks after a turn, still the mover's first.
    #[inline(always)]
    fn end(&self, end: &Mid) -> Marks {
        end.marks
    }

    /// The position in the middle of a turn as the mover sees it, with these marks.
    #[inline(always)]
    fn seen_by_mover(&self, mid: &Mid, marks: &Marks) -> Position {
        let mut position = mid.position();
        marks::set(&mut position, marks);
        position
    }

    /// The position as the other player sees it.
    #[inline(always)]
    fn flip(&self, position: &Position) -> Position {
        let mut flipped = if self.shape().parallel { walk::flip_parallel(position) } else { position.flip() };
        marks::set(&mut flipped, &marks::flip(&marks::of(position)));
        flipped
    }

    /// The results of a throw, or of another decision.
    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        staged(self, position, roll, turns);
    }

    /// More reasons why a view is no position of this game.
    fn more_problems(&self, _: &View, _: &mut Vec<String>) {}

    /// The position of a view of the right shape.
    fn build(&self, view: &View) -> Result<Position, ViewError> {
        self.shape().position(view)
    }

    /// What a position shows.
    fn show(&self, position: &Position) -> View {
        self.shape().view(position)
    }

    /// The numbers that are played in a decision.
    #[inline(always)]
    fn way(&self, _: &Position, roll: Roll) -> Numbers {
        self.numbers(roll)
    }

    /// The results of a decision in which no checker is moved, with the word for each; the same player acts again.
    fn words(&self, _: &Position) -> Option<Vec<(&'static str, Position)>> {
        None
    }

    /// What a turn of `used` numbers that ends so leads to, and whether the same player acts again.
    #[inline(always)]
    fn after(
        &self,
        _before: &Position,
        _roll: Roll,
        _numbers: Numbers,
        _used: usize,
        end: &Mid,
    ) -> (Position, bool) {
        let marks = self.end(end);
        (self.flip(&self.seen_by_mover(end, &marks)), false)
    }
}

/// The numbers of a throw where a double counts four times.
#[inline(always)]
pub(crate) fn numbers(roll: Roll) -> Numbers {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    if high == low { Numbers::Equal(high, 4) } else { Numbers::Two(high, low) }
}

/// The results of a decision that is one walk, whatever follows it.
#[inline(always)]
pub(crate) fn staged<G: Game>(game: &G, position: &Position, roll: Roll, turns: &mut Turns) {
    if let Some(words) = game.words(position) {
        words.iter().for_each(|&(_, after)| turns.keep(after));
        turns.settle(false);
        return;
    }
    let mut mid = game.open_turn(position);
    game.begin(&mut mid, roll);
    let numbers = game.way(position, roll);
    let mut ends = std::mem::take(&mut turns.ends);
    let used = walk::ends(game, &mid, numbers, &mut ends);
    for end in &ends {
        match game.after(position, roll, numbers, used, end) {
            (after, true) => turns.keep(after),
            (after, false) => turns.hand(after),
        }
    }
    turns.ends = ends;
    turns.settle(used == 0);
}

impl<G: Game> Variant for G {
    fn start(&self) -> Position {
        Game::start(self)
    }

    #[inline]
    fn plays(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        turns.clear();
        if Game::result(self, position).is_some() {
            turns.hand(self.flip(position));
            turns.settle(true);
        } else {
            self.decide(position, roll, turns);
        }
    }

    fn asks(&self, position: &Position) -> Asks {
        self.show(position).asks
    }

    fn result(&self, position: &Position) -> Option<End> {
        Game::result(self, position)
    }

    fn view(&self, position: &Position) -> View {
        self.show(position)
    }

    fn position(&self, view: &View) -> Result<Position, ViewError> {
        let position = self.build(view)?;
        let mut problems = Vec::new();
        self.more_problems(view, &mut problems);
        if problems.is_empty() { Ok(position) } else { Err(ViewError { game: self.shape().game, problems }) }
    }

    fn steps(&self, position: &Position, roll: Roll, after: &Position, kept: bool) -> Option<Steps> {
        if Game::result(self, position).is_some() {
            return None;
        }
        if let Some(words) = self.words(position) {
            let (word, _) = words.into_iter().find(|(_, result)| kept && result == after)?;
            return Some(Steps { moves: Vec::new(), word: Some(word) });
        }
        let mut mid = self.open_turn(position);
        self.begin(&mut mid, roll);
        let (numbers, mut ends) = (self.way(position, roll), Vec::new());
        let used = walk::ends(self, &mid, numbers, &mut ends);
        let wanted = |end: &Mid| self.after(position, roll, numbers, used, end) == (*after, kept);
        if !ends.iter().any(wanted) {
            return None;
        }
        let moves = walk::path(self, &mid, numbers, used, &wanted)?;
        Some(Steps { moves, word: None })
    }

    fn follow(&self, position: &Position, roll: Roll, steps: &Steps) -> Option<(Position, bool)> {
        if Game::result(self, position).is_some() {
            return None;
        }
        if let Some(words) = self.words(position) {
            let found = words.into_iter().find(|&(word, _)| steps.word == Some(word))?;
            return Some((found.1, true));
        }
        let mut mid = self.open_turn(position);
        self.begin(&mut mid, roll);
        let (numbers, mut ends) = (self.way(position, roll), Vec::new());
        let used = walk::ends(self, &mid, numbers, &mut ends);
        if steps.word.is_some() || steps.moves.len() != used {
            return None;
        }
        let pairs: Vec<(u8, u8)> = steps.moves.iter().map(|moved| (moved.from, moved.to)).collect();
        let result = |end: &Mid| self.after(position, roll, numbers, used, end);
        let legal: Vec<_> = ends.iter().map(result).collect();
        walk::follow(self, &mid, numbers, &pairs).iter().map(result).find(|found| legal.contains(found))
    }
}

/// The class of a win where a loser without a checker off loses a gammon, and one who is `trapped` as well more.
pub(crate) fn class(loser_off: u8, trapped: bool) -> Class {
    match (loser_off, trapped) {
        (0, true) => Class::Backgammon,
        (0, false) => Class::Gammon,
        _ => Class::Single,
    }
}

/// The points of a class where a triple game is counted, or else is double; the class as it is then called.
pub(crate) fn count(class: Class, triple: bool) -> (Class, u32) {
    match class {
        Class::Single => (Class::Single, 1),
        Class::Backgammon if triple => (Class::Backgammon, 3),
        _ => (Class::Gammon, 2),
    }
}

/// Checkers of each side still there, the player to act first.
#[inline(always)]
pub(crate) fn left(position: &Position) -> [u8; 2] {
    position
        .places()
        .iter()
        .fold([0, 0], |[me, opponent], &n| [me + n.max(0) as u8, opponent + n.min(0).unsigned_abs()])
}

/// Whether a side has no checker on top of a point, nor one waiting.
#[inline(always)]
pub(crate) fn is_over(position: &Position) -> bool {
    // As `Position::is_over`, but without the spare bytes, which are not checkers.
    const SIGNS: u64 = 0x8080_8080_8080_8080;
    let mut eights =
        position.0.as_chunks::<8>().0.iter().map(|&eight| u64::from_le_bytes(eight.map(|n| n as u8)));
    let (mut above, mut below) = (0, 0);
    for checkers in [!0, !0, !0, 0xffff] {
        let eight = eights.next().unwrap_or(0) & checkers;
        above |= ((eight & !SIGNS) + !SIGNS) & !eight;
        below |= eight;
    }
    above & SIGNS == 0 || below & SIGNS == 0
}
