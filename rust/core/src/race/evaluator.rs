//! Chances in a race: from the two-sided table where it reaches, else from each side's rolls.

use std::sync::{Arc, OnceLock};

use super::far::{Estimate, Far, outside_rolls, pushed_home};
use crate::bearoff::{Equities, Moments, OneSided, Rolls, Storage, TwoSided};
use crate::eval::{EvalError, Evaluator, Exact};
use crate::outcome::Probs;
use crate::position::{CHECKERS, Counts, Position};
use crate::rules::{Backgammon, Rules};

/// Chances to win, win gammons and backgammons in every race position.
///
/// * Both sides in the two-sided table: exact. No gammon is possible there.
/// * Else the sides' rolls are compared as if each played for its own fewest mean rolls: the roller
///   wins with the sum over n of P(roller needs n) P(opponent needs n or more), wins a gammon with the
///   same sum over the opponent's first checker off, and a backgammon over the opponent's leaving the
///   roller's home board. Each is its own optimisation, so a loser is taken to save the game, the
///   gammon and the backgammon as well as he could save that one alone.
/// * A side with checkers beyond the one-sided table has its rolls estimated ([`super::far`]).
///
/// Outcomes that cannot happen have chance exactly 0, certain ones exactly 1.
pub struct RaceEvaluator {
    one_sided: Arc<OneSided>,
    two_sided: Option<Arc<TwoSided>>,
    leaving: OnceLock<OneSided>,
    id: String,
}

/// Room for one estimated distribution.
pub(super) type Buffer = [[u8; 4]; 64];

const EMPTY: Buffer = [[0; 4]; 64];

impl RaceEvaluator {
    /// An evaluator on these tables; `None` unless the one-sided one covers the home board with
    /// fifteen checkers.
    pub fn new(one_sided: Arc<OneSided>, two_sided: Option<Arc<TwoSided>>) -> Option<RaceEvaluator> {
        if one_sided.points() < 6 || one_sided.checkers() < CHECKERS as usize {
            return None;
        }
        let mut id = format!("race-{}", one_sided.points());
        if let Some(two) = &two_sided {
            let storage = if two.storage() == Storage::F32 { "-f32" } else { "" };
            id += &format!("-{}x{}{storage}", two.points(), two.checkers());
        }
        Some(RaceEvaluator { one_sided, two_sided, leaving: OnceLock::new(), id })
    }

    /// The one-sided table.
    pub fn one_sided(&self) -> &OneSided {
        &self.one_sided
    }

    /// The two-sided table.
    pub fn two_sided(&self) -> Option<&TwoSided> {
        self.two_sided.as_deref()
    }

    /// Chances of the player on roll; `None` if the position is no race.
    pub fn chances(&self, position: &Position) -> Option<Probs> {
        // Where the table reaches there is no contact, and finished games have their certain values.
        if let Some(equities) = self.two_sided.as_ref().and_then(|table| table.find_position(position)) {
            return Some(won_singly(&equities));
        }
        if !position.is_race() {
            return None;
        }
        if let Some((won, outcome)) = Backgammon::result(position) {
            return Some(Probs::certain(won, outcome));
        }
        Some(self.compare(&position.roller(), &position.opponent()))
    }

    /// Rolls the side needs to bear everything off, exact where the table reaches.
    ///
    /// `None` for more than fifteen checkers or checkers on the bar.
    pub fn moments(&self, side: &Counts) -> Option<Moments> {
        if side.iter().map(|&n| u32::from(n)).sum::<u32>() > CHECKERS || side[24] > 0 {
            return None;
        }
        if let Some(index) = self.one_sided.find(side) {
            let moments = self.one_sided.rolls(index).moments();
            return Some(Moments { mean: self.one_sided.mean(index), ..moments });
        }
        let (home, pushed) = pushed_home(side);
        Some(self.estimate(side, pushed, &home).all_off)
    }

    fn compare(&self, roller: &Counts, opponent: &Counts) -> Probs {
        let (mut room_r, mut room_o) = ([EMPTY; 2], [EMPTY; 2]);
        let ours = self.side(roller, &mut room_r);
        let theirs = self.side(opponent, &mut room_o);
        let chance = |other: Option<Rolls<'_>>, rolls: Rolls<'_>, head_start| {
            other.map_or(0.0, |other| rolls.beats(other, head_start))
        };
        let win = ours.all_off.beats(theirs.all_off, 0);
        let win_gammon = chance(theirs.first_off, ours.all_off, 0).min(win);
        let lose_gammon = chance(ours.first_off, theirs.all_off, 1).min(1.0 - win);
        let win_backgammon = chance(self.leaves(&theirs, opponent), ours.all_off, 0).min(win_gammon);
        let lose_backgammon = chance(self.leaves(&ours, roller), theirs.all_off, 1).min(lose_gammon);
        Probs {
            win: win as f32,
            win_gammon: win_gammon as f32,
            win_backgammon: win_backgammon as f32,
            lose_gammon: lose_gammon as f32,
            lose_backgammon: lose_backgammon as f32,
        }
    }

    /// The side's distributions, from the table or estimated into `room`.
    fn side<'a>(&'a self, side: &Counts, room: &'a mut [Buffer; 2]) -> Side<'a> {
        let checkers: u32 = side.iter().map(|&n| u32::from(n)).sum();
        let full = checkers == CHECKERS;
        if let Some(index) = self.one_sided.find(side) {
            let first_off = full.then(|| self.one_sided.first_off(index));
            return Side { all_off: self.one_sided.rolls(index), first_off };
        }
        let (home, pushed) = pushed_home(side);
        let estimate = self.estimate(side, pushed, &home);
        let pips: u32 = (1..).zip(side).map(|(point, &n)| point * u32::from(n)).sum();
        let [all_room, first_room] = room;
        let least = pips.div_ceil(24).max(checkers.div_ceil(4));
        let all_off = outside_rolls(estimate.all_off, least as usize, all_room);
        let first_off = full.then(|| {
            // One checker has to be borne off after all others outside have come home.
            outside_rolls(estimate.first_off, (pushed + 1).div_ceil(24) as usize, first_room)
        });
        Side { all_off, first_off }
    }

    fn estimate(&self, side: &Counts, pushed: u32, home: &Counts) -> Estimate {
        let index = self.one_sided.find(home).expect("fifteen checkers or fewer, all at home");
        let mean = self.one_sided.mean(index);
        Far::fitted().estimate(side, pushed, mean, self.one_sided.rolls(index).variance_about(mean))
    }

    /// Rolls until the last checker has left the other side's home board, if a backgammon is possible.
    fn leaves(&self, side: &Side<'_>, counts: &Counts) -> Option<Rolls<'_>> {
        if side.first_off.is_none() || counts[18..24].iter().all(|&n| n == 0) {
            return None;
        }
        let mut there = [0; 25];
        there[..6].copy_from_slice(&counts[18..24]);
        let table = self.leaving.get_or_init(OneSided::leaving);
        Some(table.rolls(table.find(&there).expect("fifteen checkers or fewer on six points")))
    }
}

/// The chances that belong to equities of a two-sided table, where no gammon is possible.
fn won_singly(equities: &Equities) -> Probs {
    Probs { win: equities.win() as f32, ..Probs::default() }
}

/// What is known of one side.
struct Side<'a> {
    all_off: Rolls<'a>,
    /// `None` once a checker is off.
    first_off: Option<Rolls<'a>>,
}

impl Evaluator for RaceEvaluator {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        assert_eq!(positions.len(), out.len());
        for (position, out) in positions.iter().zip(out) {
            *out = self.chances(position).ok_or(EvalError::Uncovered(*position))?;
        }
        Ok(())
    }

    /// What the two-sided table holds.
    fn exact(&self, position: &Position) -> Option<Exact> {
        let equities = self.two_sided.as_ref()?.find_position(position)?;
        Some(Exact {
            probs: won_singly(&equities),
            centred: equities.centred_no_double,
            owned: equities.owned_no_double,
            opponent_owned: equities.opponent_owned,
        })
    }

    /// What either table holds.
    fn is_tabled(&self, position: &Position) -> bool {
        let known = |side: &Counts| self.one_sided.find(side).is_some();
        self.is_exact(position)
            || position.is_race() && known(&position.roller()) && known(&position.opponent())
    }

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
#[path = "evaluator_tests.rs"]
mod tests;
