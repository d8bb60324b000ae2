//! Marking by hand: a player says how many points he marks, and is sent to school for what is wrong.
//!
//! Who marks less than he is due loses the rest, who marks more the excess; either way the other player marks
//! the difference, at once. Not marking a school is none. Turns that do not fill or keep what was credited are not
//! legal, so that there is no school for those. What a player who is due nothing could mark in excess after the
//! other one's throw is not asked.

use std::sync::LazyLock;

use super::{Marking, Named, State, Thrown, Trictrac};
use crate::dice::Roll;
use crate::rules::marks::Asks;

/// Every even number of points to this one can be marked, and more where a throw is worth more.
const USUAL: u32 = 24;
/// No throw is worth more: fifteen checkers hit thrice each, and all else, are less.
const MOST: u32 = 254;

/// The words for marking 0, 2, 4, ... points, alone and with leaving.
static WORDS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let words = |points: u32| [format!("mark {points}"), format!("mark {points} and leave")];
    (0..=MOST).step_by(2).map(words).collect()
});

/// The word that is written like this, if any game has it.
pub fn known_word(text: &str) -> Option<&'static str> {
    const OTHERS: [&str; 8] = ["stay", "leave", "11", "22", "33", "44", "55", "66"];
    let others = OTHERS.into_iter().find(|known| *known == text);
    others.or_else(|| WORDS.iter().flatten().map(String::as_str).find(|known| *known == text))
}

fn word(points: u32, leaves: bool) -> &'static str {
    &WORDS[(points.min(MOST) / 2) as usize][usize::from(leaves)]
}

/// What may be marked by who is due so much.
fn choices(due: u32) -> impl Iterator<Item = u32> {
    (0..=due.clamp(USUAL, MOST)).step_by(2)
}

impl Trictrac {
    /// Player `who` marks `claim` points where he is due `due`, and goes to school for the difference; the holes
    /// he wins himself.
    fn claim(self, marking: &mut Marking, who: usize, claim: u32, due: u32) -> u8 {
        let holes = marking.mark(who, claim.min(due), self.keeps_runs());
        if !self.is_won(marking) {
            marking.mark(1 - who, claim.abs_diff(due), self.keeps_runs());
        }
        holes
    }

    /// What the thrower can mark, and where that wins a hole, whether he leaves.
    pub(super) fn marked_by_hand(self, state: &State, roll: Roll, thrown: &Thrown) -> Vec<Named> {
        let due = thrown.points(true);
        let mut found = Vec::new();
        for claim in choices(due) {
            let mut marked = *state;
            let holes = self.claim(&mut marked.marking, 0, claim, due);
            let over = self.is_won(&marked.marking);
            let after = if over { marked.handed(Asks::Throw) } else { marked.kept(Asks::Play(roll)) };
            found.push(Named { word: Some(word(claim, false)), after, kept: !over });
            if holes > 0 && !over {
                found.push(self.leaves(&marked, word(claim, true)));
            }
        }
        found
    }

    /// What the player to act can mark of the other one's throw; he throws next, unless that was the other's last
    /// checker, which then does.
    pub(super) fn marked_by_other(self, state: &State, due: u32) -> Vec<Named> {
        let checkers = state.mid();
        let restarted = state.turns == [0; 2] && checkers.mine[24] == 15 && checkers.theirs[1] == 15;
        let result = |claim| {
            let mut marked = *state;
            self.claim(&mut marked.marking, 0, claim, due);
            let after = if restarted { marked.handed(Asks::Throw) } else { marked.kept(Asks::Throw) };
            Named { word: Some(word(claim, false)), after, kept: !restarted }
        };
        choices(due).map(result).collect()
    }
}
