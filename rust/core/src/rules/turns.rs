//! The results of one decision, and how a game ended.

use std::fmt;

use super::walk::Mid;
use crate::movegen::PlayBuf;
use crate::position::Position;

/// How a game of the family ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The loser has borne off a checker, or the game knows no other class.
    Single,
    /// The loser has borne off none (mars).
    Gammon,
    /// The loser has borne off none and has a checker waiting or far from home (koks, katmerli mars).
    Backgammon,
    /// The loser's last checker on its start is pinned (Plakoto).
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

/// Who acts after results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The other player.
    Handed,
    /// The same player.
    Kept,
}

/// The distinct results of one decision, in memory that is reused from call to call.
#[derive(Default)]
pub struct Turns {
    handed: Vec<Position>,
    kept: Vec<Position>,
    pass: bool,
    /// Whose results `plays` holds, instead of the list.
    in_plays: Option<Whose>,
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
        if self.in_plays == Some(Whose::Handed) { self.plays.positions() } else { &self.handed }
    }

    /// Results after which the same player acts again; he sees them.
    pub fn kept(&self) -> &[Position] {
        if self.in_plays == Some(Whose::Kept) { self.plays.positions() } else { &self.kept }
    }

    /// How many results there are; never none.
    pub fn len(&self) -> usize {
        self.handed().len() + self.kept().len()
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
            Some(rest) => self.kept().get(rest).map(|&position| (position, true)),
        }
    }

    /// All results, with whether the same player acts again.
    pub fn iter(&self) -> impl Iterator<Item = (Position, bool)> + '_ {
        let handed = self.handed().iter().map(|&position| (position, false));
        handed.chain(self.kept().iter().map(|&position| (position, true)))
    }

    /// Whether nothing could be played.
    pub fn is_pass(&self) -> bool {
        self.pass
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.handed.clear();
        self.kept.clear();
        (self.pass, self.in_plays) = (false, None);
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

    /// Lets the vector generator find the results, which are handed over.
    #[inline(always)]
    pub(crate) fn by_vectors(&mut self, generate: impl FnOnce(&mut PlayBuf)) {
        self.by_parts(|plays| {
            generate(plays);
            Some(false)
        });
    }

    /// Lets the vectors find the results, and whether they are kept; `false` if they cannot.
    #[inline(always)]
    pub(crate) fn by_parts(&mut self, generate: impl FnOnce(&mut PlayBuf) -> Option<bool>) -> bool {
        let found = generate(&mut self.plays);
        self.in_plays = found.map(|kept| if kept { Whose::Kept } else { Whose::Handed });
        self.pass = found.is_some() && self.plays.is_pass();
        found.is_some()
    }

    /// The results that the vectors have found, to be changed.
    pub(crate) fn plays_mut(&mut self) -> &mut [Position] {
        self.plays.positions_mut()
    }

    /// Says whether nothing could be played, where all results are known to be distinct.
    pub(crate) fn settled(&mut self, pass: bool) {
        self.pass = pass;
    }
}
