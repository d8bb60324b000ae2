//! The results of one decision, and how a game ended.

use std::fmt;

use super::Backgammon;
use super::walk::Mid;
use crate::dice::Roll;
use crate::movegen::{self, PlayBuf};
use crate::position::Position;

/// How a game of the family ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The loser has borne off a man, or the game knows no other class.
    Single,
    /// The loser has borne off none (mars).
    Gammon,
    /// The loser has borne off none and has a man waiting or far from home (koks, katmerli mars).
    Backgammon,
    /// The loser's last man on his start is pinned (Plakoto).
    Mother,
    /// All holes were won in one run (Trictrac).
    Bredouille,
    /// Nobody has won.
    Draw,
    /// Neither side can ever move again: the game does not count.
    Void,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::Single => "single",
            Class::Gammon => "gammon",
            Class::Backgammon => "backgammon",
            Class::Mother => "mother",
            Class::Bredouille => "bredouille",
            Class::Draw => "draw",
            Class::Void => "void",
        })
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// Whether the player to act has won; nobody in a draw.
    pub winner: Option<bool>,
    /// What kind of end it is.
    pub class: Class,
    /// What the winner gets, without a cube.
    pub points: u32,
}

impl End {
    /// The end seen by the other player.
    #[must_use]
    pub fn flipped(self) -> End {
        End { winner: self.winner.map(|me| !me), ..self }
    }
}

/// The distinct results of one decision, in memory that is reused from call to call.
#[derive(Default)]
pub struct Turns {
    handed: Vec<Position>,
    kept: Vec<Position>,
    pass: bool,
    /// Whether `plays` holds the results instead of `handed`.
    by_vectors: bool,
    plays: PlayBuf,
    pub(crate) ends: Vec<Mid>,
}

impl Turns {
    /// An empty buffer.
    pub fn new() -> Turns {
        Turns::default()
    }

    /// Results after which the other player acts; he sees them.
    pub fn handed(&self) -> &[Position] {
        if self.by_vectors { self.plays.positions() } else { &self.handed }
    }

    /// Results after which the same player acts again; he sees them.
    pub fn kept(&self) -> &[Position] {
        &self.kept
    }

    /// How many results there are; never none.
    pub fn len(&self) -> usize {
        self.handed().len() + self.kept.len()
    }

    /// Whether nothing was asked yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Result number `index`, and whether the same player acts again: those handed over come first.
    pub fn get(&self, index: usize) -> Option<(Position, bool)> {
        let handed = self.handed();
        match index.checked_sub(handed.len()) {
            None => Some((handed[index], false)),
            Some(rest) => self.kept.get(rest).map(|&position| (position, true)),
        }
    }

    /// All results, with whether the same player acts again.
    pub fn iter(&self) -> impl Iterator<Item = (Position, bool)> + '_ {
        let handed = self.handed().iter().map(|&position| (position, false));
        handed.chain(self.kept.iter().map(|&position| (position, true)))
    }

    /// Whether nothing could be played.
    pub fn is_pass(&self) -> bool {
        self.pass
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.handed.clear();
        self.kept.clear();
        (self.pass, self.by_vectors) = (false, false);
    }

    pub(crate) fn hand(&mut self, position: Position) {
        self.handed.push(position);
    }

    pub(crate) fn keep(&mut self, position: Position) {
        self.kept.push(position);
    }

    /// Removes what was found twice; `pass` says that nothing could be played.
    pub(crate) fn settle(&mut self, pass: bool) {
        for found in [&mut self.handed, &mut self.kept] {
            found.sort_unstable();
            found.dedup();
        }
        self.pass = pass;
    }

    /// Where distinct results go, those handed over or those kept.
    pub(crate) fn results(&mut self, kept: bool) -> &mut Vec<Position> {
        if kept { &mut self.kept } else { &mut self.handed }
    }

    /// Says whether nothing could be played, where all results are known to be distinct.
    pub(crate) fn settled(&mut self, pass: bool) {
        self.pass = pass;
    }

    /// The results of the standard game, to be marked.
    pub(crate) fn by_standard(&mut self, men: &Position, roll: Roll) {
        movegen::plays::<Backgammon>(men, roll, &mut self.plays);
        self.handed.extend_from_slice(self.plays.positions());
        self.pass = self.plays.is_pass();
    }

    /// Lets the vector generator find the results.
    pub(crate) fn by_vectors(&mut self, generate: impl FnOnce(&mut PlayBuf)) {
        self.clear();
        generate(&mut self.plays);
        (self.by_vectors, self.pass) = (true, self.plays.is_pass());
    }
}
