//! The cube inside a search.

use crate::cube::janowski::{Cube, Lines, Odds};
use crate::cube::{CubeDecision, CubeLife, Met, Stakes, assemble};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::{MatchState, Player};
use crate::search::MAX_PLIES;

pub(crate) use crate::cube::CubeError;

/// A side of the search: who is on roll where it begins, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    First = 0,
    Second = 1,
}

impl Side {
    pub(crate) const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Cubes a search of the greatest depth can meet: the one at hand, and one more turn a ply for either owner.
pub(crate) const MAX_CUBES: usize = 1 + 2 * MAX_PLIES;

/// Equities of the player on roll with each of the cubes, per unit of the cube where the search begins.
pub(crate) type CubeValues = [f64; MAX_CUBES];

/// Score, cube and cube life of a cubeful search.
///
/// Equities are those of the player on roll, per unit of the cube at hand; in a match normalised, as in
/// [`CubeDecision`](crate::cube::CubeDecision). Beavers are not part of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeUse {
    /// As the player on roll where the search begins sees them, and as the other does.
    stakes: [Stakes; 2],
    life: CubeLife,
}

impl CubeUse {
    /// The cube of a search that begins with a player on roll at `state`.
    ///
    /// # Errors
    /// As [`Stakes::new`].
    pub fn new(state: &MatchState, met: Option<&Met>, life: CubeLife) -> Result<CubeUse, CubeError> {
        let exchanged = met.map(Met::exchanged);
        let stakes = [Stakes::new(state, met)?, Stakes::new(&state.flip(), exchanged.as_ref())?];
        Ok(CubeUse { stakes, life })
    }

    /// The cube life of a position.
    pub(crate) fn life(&self, position: &Position) -> f64 {
        self.life.of(position)
    }

    /// The stakes as the player on roll where the search begins sees them.
    pub const fn stakes(&self) -> &Stakes {
        &self.stakes[0]
    }

    /// The same cube in a search that begins with the other player on roll.
    #[must_use]
    pub fn flipped(&self) -> CubeUse {
        let [first, second] = self.stakes.clone();
        CubeUse { stakes: [second, first], life: self.life }
    }

    /// Cube number `index`, seen by `side`: the one at hand, then once turned and owned by the first side, by
    /// the second, then twice turned, and so on.
    fn cube(&self, index: usize, side: Side) -> Cube {
        if index == 0 {
            return Cube { turns: 0, owner: self.stakes[side as usize].state().cube_owner };
        }
        let first_owns = index % 2 == 1;
        let mine = first_owns == (side == Side::First);
        Cube { turns: index.div_ceil(2), owner: Some(if mine { Player::Roller } else { Player::Opponent }) }
    }

    /// The number of the cube that `side` hands over by turning one that was turned `turns` times.
    fn handed_over(turns: usize, side: Side) -> usize {
        let owner_is_first = side == Side::Second;
        2 * turns + if owner_is_first { 1 } else { 2 }
    }

    /// The best result for the mover, `side` being on roll in the candidates: the first of the best.
    pub(crate) fn best_for_mover<R: Rules>(
        &self,
        candidates: &[Position],
        values: &[Probs],
        side: Side,
    ) -> Result<usize, CubeError> {
        if candidates.len() == 1 {
            return Ok(0);
        }
        let mut best = (0, f64::INFINITY);
        for (i, (position, probs)) in candidates.iter().zip(values).enumerate() {
            let equity = self.equities::<R>(position, probs, side, 1)?[0];
            if equity < best.1 {
                best = (i, equity);
            }
        }
        Ok(best.0)
    }

    /// The equities of `side`, on roll in `position` with these chances, by Janowski's model.
    pub(crate) fn leaf<R: Rules>(
        &self,
        position: &Position,
        probs: &Probs,
        side: Side,
    ) -> Result<CubeValues, CubeError> {
        self.equities::<R>(position, probs, side, MAX_CUBES)
    }

    /// The same for the first `count` cubes alone.
    fn equities<R: Rules>(
        &self,
        position: &Position,
        probs: &Probs,
        side: Side,
        count: usize,
    ) -> Result<CubeValues, CubeError> {
        let stakes = &self.stakes[side as usize];
        let odds = Odds::new(probs)?;
        let lines = Lines::new(stakes, &odds);
        let over = R::result(position).is_some();
        let life = self.life(position);
        let mut values = [0.0; MAX_CUBES];
        for (index, value) in values.iter_mut().enumerate().take(count) {
            let cube = self.cube(index, side);
            if cube.turns > stakes.top {
                continue;
            }
            *value = stakes.to_equity(if over {
                lines.dead(odds.win, cube.turns)
            } else {
                lines.value(odds.win, cube, life)
            });
        }
        Ok(values)
    }

    /// The equities of `side` if he, on roll, holds the cube or has turned it, by Janowski's model: `None` for a
    /// double that may not be offered.
    pub(crate) fn at_the_root<R: Rules>(
        &self,
        position: &Position,
        probs: &Probs,
    ) -> Result<(f64, Option<f64>), CubeError> {
        let side = Side::First;
        let values = self.leaf::<R>(position, probs, side)?;
        let stakes = self.stakes();
        if stakes.may_double().is_err() || R::result(position).is_some() {
            return Ok((values[0], None));
        }
        let odds = Odds::new(probs)?;
        let lines = Lines::new(stakes, &odds);
        let held = lines.held(odds.win, self.cube(0, side), self.life(position));
        Ok((stakes.to_equity(held), Some(values[CubeUse::handed_over(0, side)])))
    }

    /// The decision at a root with these chances, whose cubes have these values.
    pub(crate) fn decision(&self, probs: &Probs, values: &CubeValues) -> Result<CubeDecision, CubeError> {
        let stakes = self.stakes();
        let odds = Odds::new(probs)?;
        let lines = Lines::new(stakes, &odds);
        let cubeless = |turns| stakes.to_equity(lines.dead(odds.win, turns));
        let turned = |turns: usize| values[CubeUse::handed_over(turns - 1, Side::First)];
        Ok(assemble(stakes, values[0], cubeless, turned))
    }

    /// The equity of double and take at a root whose cubes have these values.
    pub(crate) fn double_take(&self, values: &CubeValues) -> Option<f64> {
        self.stakes().may_double().is_ok().then(|| values[CubeUse::handed_over(0, Side::First)])
    }

    /// Equities with the best decision of `side` about each cube, from those without a double this time.
    ///
    /// Cubes that were turned so often that the search does not know the next are left as they are.
    pub(crate) fn decided(&self, held: &CubeValues, side: Side) -> CubeValues {
        let stakes = &self.stakes[side as usize];
        let mut values = *held;
        for (index, value) in values.iter_mut().enumerate() {
            let cube = self.cube(index, side);
            let next = CubeUse::handed_over(cube.turns, side);
            let turned = cube.turns < stakes.top && stakes.rungs[cube.turns].open && next < MAX_CUBES;
            if turned && cube.owner != Some(Player::Opponent) {
                let passed = stakes.to_equity(stakes.rungs[cube.turns].win[0]);
                *value = value.max(held[next].min(passed));
            }
        }
        values
    }
}
