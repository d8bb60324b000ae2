//! Tavla (Uzun Tavla): the standard game, but whoever hits on a point of his home leaves a man there.

use super::Backgammon;
use super::kind::{Kind, Later, Opening};
use super::options::Flag;
use super::plain::{Plain, hitting_result};
use super::turns::{Class, End, Turns};
use super::variant::{Game, staged};
use super::view::{Shape, holds};
use super::walk::{Contact, Mid, WAIT, Walk};
use crate::dice::Roll;
use crate::movegen;
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "tavla",
    aliases: &["uzun_tavla"],
    prefix: "tavla",
    flags: &[
        Flag::words("hit_and_run", &["forbidden_home", "allowed"]),
        Flag::off("triple"),
        Flag::words("opening", &["reroll", "use_dice"]),
        Flag::number("target", 5, 1, 25),
        Flag::words("uzun_meaning", &["standard", "long"]),
        Flag::words("preset", &["none", "rulebook"]),
    ],
    opening: Opening::Reroll,
    later: Later::WinnerStarts,
    cube: false,
    build: |chosen| {
        let triple = chosen.yes("triple");
        if chosen.is("hit_and_run", "allowed") || chosen.is("preset", "rulebook") {
            Plain { game: "tavla", start: Position::START, men: 15, triple }.into()
        } else {
            Tavla { triple, ..Tavla::staying("tavla") }.into()
        }
    },
};

/// Tavla, and Kirik Tavla, which restricts how hit men enter.
///
/// The memory of a turn is the set of home points on which a man was hit.
#[derive(Clone, Copy, Debug)]
pub struct Tavla {
    pub(crate) game: &'static str,
    pub(crate) triple: bool,
    /// Whether hit men may not enter where their own men stand.
    pub(crate) own_points_closed: bool,
    /// Whether six men on the bar lose at once.
    pub(crate) six_hit_mars: bool,
}

impl Tavla {
    /// The rule that a man who hits at home stays, and nothing else.
    pub(crate) fn staying(game: &'static str) -> Tavla {
        Tavla { game, triple: false, own_points_closed: false, six_hit_mars: false }
    }
}

const HOME: std::ops::RangeInclusive<usize> = 1..=6;

impl Walk for Tavla {
    fn contact(&self) -> Contact {
        Contact::Hit
    }

    #[inline(always)]
    fn may_enter(&self, mid: &Mid, point: usize) -> bool {
        if !self.open(mid, point) || !self.own_points_closed {
            return self.open(mid, point);
        }
        let free = |entry: usize| mid.mine[entry] == 0 && self.open(mid, entry);
        // Where no point is free for entry, the ordinary rule holds: else both sides could wait for ever.
        free(point) || !(19..=24).any(free)
    }

    #[inline(always)]
    fn may_leave(&self, mid: &Mid, point: usize) -> bool {
        mid.memory >> point & 1 == 0 || mid.mine[point] > 1
    }

    #[inline(always)]
    fn moved(&self, mid: &mut Mid, _: usize, to: usize, hit: bool) {
        if hit && HOME.contains(&to) {
            mid.memory |= 1 << to;
        }
    }
}

impl Game for Tavla {
    fn shape(&self) -> Shape {
        Shape { game: self.game, men: 15, parallel: false, holds: holds::BAR }
    }

    fn start(&self) -> Position {
        Position::START
    }

    #[inline(always)]
    fn result(&self, position: &Position) -> Option<End> {
        if self.six_hit_mars {
            let winner = match (position.places()[WAIT], position.places()[0]) {
                (6.., _) => Some(false),
                (_, ..=-6) => Some(true),
                _ => None,
            };
            if winner.is_some() {
                return Some(End { winner, class: Class::Gammon, points: 2 });
            }
        }
        hitting_result(position, 15, self.triple)
    }

    /// Where entering is not restricted the results are those of the standard game but for those that leave a home
    /// point on which they hit.
    ///
    /// Whether a man is left there at the end is all that matters: taking steps from the rearmost man on, all who
    /// come to a point do so before anyone leaves it. Only if no result is left may fewer dice be legal.
    #[inline(always)]
    fn decide(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        let places = position.places();
        if self.own_points_closed && places[WAIT] > 0 {
            return staged(self, position, roll, turns);
        }
        if !places[HOME].contains(&-1) {
            return turns.by_vectors(|plays| movegen::plays::<Backgammon>(position, roll, plays));
        }
        turns.by_standard(position, roll);
        let blots: u32 = HOME.map(|point| u32::from(places[point] == -1) << (25 - point)).sum();
        turns.results(false).retain(|after| {
            let mut rest = blots;
            while rest != 0 {
                if after.places()[rest.trailing_zeros() as usize] == 0 {
                    return false;
                }
                rest &= rest - 1;
            }
            true
        });
        if turns.handed().is_empty() {
            staged(self, position, roll, turns);
        }
    }
}
