//! The cube inside a search.

use crate::cube::janowski::{Cube, Lines, Odds};
use crate::cube::{
    CubeDecision, CubeError, CubeLife, ExactEquities, Met, Stakes, assemble, decide, decide_exact,
    reply_to_beaver,
};
use crate::eval::Exact;
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::{MatchState, Player};
use crate::search::MAX_PLIES;

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

/// A position whose equities are asked for: its chances, and what is known for certain and holds at the score.
pub(crate) struct Leaf<'p> {
    pub position: &'p Position,
    pub probs: &'p Probs,
    pub exact: Option<Exact>,
}

/// Score, cube and cube life of a cubeful search.
///
/// Equities are those of the player on roll, per unit of the cube at hand; in a match normalised, as in
/// [`CubeDecision`]. Beavers are turned wherever the rules in force allow them.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeUse {
    /// As the player on roll where the search begins sees them, and as the other does.
    stakes: [Stakes; 2],
    life: CubeLife,
    by_table: bool,
}

impl CubeUse {
    /// From so many doublings below its limit the cube is taken to have none: exact equities, which know of no
    /// limit, are then off by less than 1e-6.
    const FREE: u8 = 8;

    /// The cube of a search that begins with a player on roll at `state`.
    ///
    /// # Errors
    /// As [`Stakes::new`].
    pub fn new(state: &MatchState, met: Option<&Met>, life: CubeLife) -> Result<CubeUse, CubeError> {
        let exchanged = met.map(Met::exchanged);
        let stakes = [Stakes::new(state, met)?, Stakes::new(&state.flip(), exchanged.as_ref())?];
        let far = state.cube_limit.is_none_or(|limit| limit - state.cube_log2 >= CubeUse::FREE);
        Ok(CubeUse { stakes, life, by_table: state.is_money() && far })
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
        CubeUse { stakes: [second, first], ..*self }
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

    /// Whether exact money equities hold here.
    pub(crate) const fn by_table(&self) -> bool {
        self.by_table
    }

    /// The equity of `side`, on roll, with the cube at hand.
    pub(crate) fn equity<R: Rules>(&self, leaf: &Leaf<'_>, side: Side) -> Result<f64, CubeError> {
        Ok(self.equities::<R>(leaf, side, 1)?[0])
    }

    /// The equities of `side`, on roll, with each of the cubes: exact, or by Janowski's model.
    pub(crate) fn leaf<R: Rules>(&self, leaf: &Leaf<'_>, side: Side) -> Result<CubeValues, CubeError> {
        self.equities::<R>(leaf, side, MAX_CUBES)
    }

    /// The same for the first `count` cubes alone.
    fn equities<R: Rules>(&self, leaf: &Leaf<'_>, side: Side, count: usize) -> Result<CubeValues, CubeError> {
        if let Some(exact) = &leaf.exact {
            let best = |held: f64| held.max((2.0 * exact.opponent_owned).min(1.0));
            return Ok(self
                .by_cube(&Exact { centred: best(exact.centred), owned: best(exact.owned), ..*exact }, side));
        }
        let stakes = &self.stakes[side as usize];
        let odds = Odds::new(leaf.probs)?;
        let lines = Lines::new(stakes, &odds);
        let over = R::result(leaf.position).is_some();
        let life = self.life(leaf.position);
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

    /// Exact equities of `side`, on roll, with each of the cubes.
    fn by_cube(&self, exact: &Exact, side: Side) -> CubeValues {
        std::array::from_fn(|index| {
            let cube = self.cube(index, side);
            let unit = (1u32 << cube.turns) as f64;
            unit * match cube.owner {
                None => exact.centred,
                Some(Player::Roller) => exact.owned,
                Some(Player::Opponent) => exact.opponent_owned,
            }
        })
    }

    /// Exact equities of the side on roll where the search begins, who does not double this time.
    pub(crate) fn held(&self, leaf: &Leaf<'_>) -> Option<CubeValues> {
        leaf.exact.as_ref().map(|exact| self.by_cube(exact, Side::First))
    }

    /// The equities at a root if the player on roll holds the cube, or has turned it: `None` for a double that
    /// may not be offered.
    pub(crate) fn at_the_root<R: Rules>(&self, leaf: &Leaf<'_>) -> Result<(f64, Option<f64>), CubeError> {
        let side = Side::First;
        let stakes = self.stakes();
        let may_double = stakes.may_double().is_ok() && R::result(leaf.position).is_none();
        if let Some(held) = self.held(leaf) {
            return Ok((held[0], may_double.then(|| held[CubeUse::handed_over(0, side)])));
        }
        let values = self.leaf::<R>(leaf, side)?;
        if !may_double {
            return Ok((values[0], None));
        }
        let odds = Odds::new(leaf.probs)?;
        let lines = Lines::new(stakes, &odds);
        let held = lines.held(odds.win, self.cube(0, side), self.life(leaf.position));
        Ok((stakes.to_equity(held), Some(values[CubeUse::handed_over(0, side)])))
    }

    /// The decision at a root without lookahead.
    pub(crate) fn decide(&self, leaf: &Leaf<'_>) -> Result<CubeDecision, CubeError> {
        let (Some(exact), Some(held)) = (&leaf.exact, self.held(leaf)) else {
            return decide(self.stakes(), leaf.probs, self.life(leaf.position));
        };
        let cubeless = f64::from(leaf.probs.equity());
        let opponent_owned = exact.opponent_owned;
        decide_exact(self.stakes(), &ExactEquities { cubeless, no_double: held[0], opponent_owned })
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
                let beavered = self.beavered(held, side, cube.turns).unwrap_or(f64::INFINITY);
                *value = value.max(held[next].min(beavered).min(passed));
            }
        }
        values
    }

    /// What is left to `side` of a double that is beavered, if beavers are played and the limit allows one.
    fn beavered(&self, held: &CubeValues, side: Side, turns: usize) -> Option<f64> {
        let stakes = &self.stakes[side as usize];
        if !stakes.state().beavers {
            return None;
        }
        let unit = (1u32 << turns) as f64;
        // Per unit of the cube before the double, the cube the other's after so many turns in all.
        let after = |times: usize| {
            let turned = turns + times;
            let known = turned.min(MAX_PLIES);
            let value = held[CubeUse::handed_over(known - 1, side)] * (1u32 << (turned - known)) as f64;
            (turned <= stakes.top || stakes.endless).then_some(value / unit)
        };
        let (_, equity) = reply_to_beaver(after(2)?, after(3));
        Some(equity * unit)
    }
}
