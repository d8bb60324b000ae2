//! What every result of the game at hand is worth, at every value the cube can reach.

use crate::cube::error::{CubeError, MetError, Refusal};
use crate::cube::met::{MAX_AWAY, Met};
use crate::score::{MatchState, Player};

/// Values the cube can have from where it stands: at most 2^0 to 2^15.
pub(crate) const RUNGS: usize = 16;

/// What results are worth to the roller at one value of the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rung {
    /// A single game, a gammon, a backgammon won.
    pub win: [f64; 3],
    /// A single game, a gammon, a backgammon lost.
    pub lose: [f64; 3],
    /// Whether the cube may be turned from here.
    pub open: bool,
    /// Whether the roller, or the opponent, doubles from here without any risk: the other wins the match with
    /// a single game, he does not.
    pub free: [bool; 2],
}

/// Everything about the score that a cube decision needs, looked up once.
///
/// Money play counts in points for a cube at its present value, a match in match winning chances. One value
/// serves for any number of positions at that score.
#[derive(Clone, Debug, PartialEq)]
pub struct Stakes {
    pub(crate) state: MatchState,
    pub(crate) rungs: [Rung; RUNGS],
    /// Index of the highest rung.
    pub(crate) top: usize,
    /// Money play without a cube limit: cash points are those of an endless sequence of doubles.
    pub(crate) endless: bool,
    /// Half-way between winning and losing the cube's present value, and half their distance.
    pub(crate) middle: f64,
    pub(crate) half: f64,
}

impl Stakes {
    /// The stakes at `state`; a match needs a match equity table whose first player is the roller.
    ///
    /// # Errors
    /// If the state contradicts itself or is over, or the table does not reach the score.
    pub fn new(state: &MatchState, met: Option<&Met>) -> Result<Stakes, CubeError> {
        state.check().map_err(CubeError::Score)?;
        if state.is_over() {
            return Err(CubeError::MatchOver);
        }
        if state.cube_log2 == 0 && state.cube_owner.is_some() {
            return Err(CubeError::OwnedCubeOfOne);
        }
        let mut stakes = Stakes {
            state: *state,
            rungs: [Rung::default(); RUNGS],
            top: 0,
            endless: false,
            middle: 0.0,
            half: 1.0,
        };
        if state.is_money() {
            stakes.fill_money();
        } else {
            stakes.fill_match(met.ok_or(CubeError::NoMet)?)?;
        }
        let single = &stakes.rungs[0];
        stakes.middle = (single.win[0] + single.lose[0]) / 2.0;
        stakes.half = (single.win[0] - single.lose[0]) / 2.0;
        Ok(stakes)
    }

    /// The score these stakes belong to.
    pub const fn state(&self) -> &MatchState {
        &self.state
    }

    /// Whether the roller may double now.
    ///
    /// # Errors
    /// Says why not.
    pub fn may_double(&self) -> Result<(), Refusal> {
        may_double(&self.state, Player::Roller)
    }

    /// A value on these stakes as an equity per unit of the cube's present value: 1 is winning the cube now.
    ///
    /// For a match this is the normalised equity ("EMG").
    pub fn to_equity(&self, value: f64) -> f64 {
        if self.half > 0.0 { (value - self.middle) / self.half } else { 0.0 }
    }

    /// The value of an equity per unit of the cube.
    pub fn from_equity(&self, equity: f64) -> f64 {
        self.middle + equity * self.half
    }

    fn fill_money(&mut self) {
        let headroom = self.state.cube_limit.map(|limit| usize::from(limit - self.state.cube_log2));
        self.endless = headroom.is_none();
        // Endless doubling looks the same from every rung; a raccoon is the third.
        self.top = headroom.unwrap_or(4).min(RUNGS - 1);
        for i in 0..=self.top {
            let unit = (1u32 << i) as f64;
            self.rungs[i] = Rung {
                win: [unit, 2.0 * unit, 3.0 * unit],
                lose: [-unit, -2.0 * unit, -3.0 * unit],
                open: i < self.top || self.endless,
                free: [false; 2],
            };
        }
        if self.state.jacoby && self.state.cube_owner.is_none() {
            self.rungs[0].win = [1.0; 3];
            self.rungs[0].lose = [-1.0; 3];
        }
    }

    fn fill_match(&mut self, met: &Met) -> Result<(), CubeError> {
        let away = [Player::Roller, Player::Opponent]
            .map(|player| i64::from(self.state.length) - i64::from(self.state.score(player)));
        for n in away {
            if n > MAX_AWAY as i64 {
                return Err(MetError::TooFar { away: n as u32 }.into());
            }
        }
        let [me, opp] = away;
        let post = self.state.crawford || self.state.is_post_crawford();
        for i in 0..RUNGS {
            let cube = 1i64 << (usize::from(self.state.cube_log2) + i);
            let open = allowed(&self.state, usize::from(self.state.cube_log2) + i).is_ok();
            self.rungs[i] = Rung {
                win: [1, 2, 3].map(|n| met.at(me - n * cube, opp, post)),
                lose: [1, 2, 3].map(|n| met.at(me, opp - n * cube, post)),
                open,
                free: [open && opp <= cube && me > cube, open && me <= cube && opp > cube],
            };
            self.top = i;
            if !open {
                break;
            }
        }
        Ok(())
    }
}

/// Whether `player` may double at `state`, before he throws.
///
/// # Errors
/// Says why not: the Crawford game, the other's cube, a dead cube, the limit.
pub fn may_double(state: &MatchState, player: Player) -> Result<(), Refusal> {
    if state.cube_owner == Some(player.other()) && !state.crawford {
        return Err(Refusal::NotOwned { player });
    }
    allowed(state, usize::from(state.cube_log2))
}

/// Whether somebody could turn a cube that stands at 2^`cube`.
fn allowed(state: &MatchState, cube: usize) -> Result<(), Refusal> {
    if state.crawford {
        return Err(Refusal::Crawford);
    }
    let enough = |player| state.length.saturating_sub(state.score(player)) as u64 <= 1u64 << cube;
    if !state.is_money() && enough(Player::Roller) && enough(Player::Opponent) {
        return Err(Refusal::DeadCube);
    }
    let limit = state.cube_limit.unwrap_or(MatchState::MAX_CUBE);
    if !(state.is_money() && state.cube_limit.is_none()) && cube >= usize::from(limit) {
        return Err(Refusal::AtLimit { limit });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::formula::PostCrawford;

    fn met() -> Met {
        Met::normal("normal", [PostCrawford::ZADEH; 2])
    }

    fn owned(cube: u8, owner: Player, state: MatchState) -> MatchState {
        MatchState { cube_log2: cube, cube_owner: Some(owner), ..state }
    }

    #[test]
    fn doubles_that_may_not_be_offered_are_named() {
        let crawford = MatchState { crawford: true, ..MatchState::at_score(5, 4, 0) };
        let limited = MatchState { cube_log2: 3, cube_limit: Some(3), ..MatchState::MONEY };
        for (state, refusal) in [
            (crawford, Refusal::Crawford),
            (owned(1, Player::Opponent, MatchState::MONEY), Refusal::NotOwned { player: Player::Roller }),
            (MatchState::at_score(1, 0, 0), Refusal::DeadCube),
            (MatchState::at_score(5, 4, 4), Refusal::DeadCube),
            (owned(1, Player::Roller, MatchState::at_score(5, 3, 3)), Refusal::DeadCube),
            (limited, Refusal::AtLimit { limit: 3 }),
        ] {
            assert_eq!(may_double(&state, Player::Roller), Err(refusal), "{state:?}");
            let stakes = Stakes::new(&state, Some(&met())).unwrap();
            assert_eq!(stakes.may_double(), Err(refusal));
        }
        // 4-3 to five is no dead cube, and even the leader may double.
        assert_eq!(may_double(&MatchState::at_score(5, 4, 3), Player::Roller), Ok(()));
        assert_eq!(may_double(&owned(1, Player::Roller, MatchState::MONEY), Player::Roller), Ok(()));
    }

    #[test]
    fn scores_that_cannot_be_are_errors() {
        let too_far = MatchState::at_score(100, 0, 0);
        assert_eq!(Stakes::new(&too_far, Some(&met())).unwrap_err(), MetError::TooFar { away: 100 }.into());
        let over = MatchState::at_score(5, 5, 0);
        assert_eq!(Stakes::new(&over, Some(&met())).unwrap_err(), CubeError::MatchOver);
        assert_eq!(Stakes::new(&MatchState::at_score(5, 0, 0), None).unwrap_err(), CubeError::NoMet);
        let of_one = MatchState { cube_owner: Some(Player::Roller), ..MatchState::MONEY };
        assert_eq!(Stakes::new(&of_one, None).unwrap_err(), CubeError::OwnedCubeOfOne);
        let crawford = MatchState { crawford: true, ..MatchState::at_score(5, 3, 0) };
        assert!(matches!(Stakes::new(&crawford, Some(&met())), Err(CubeError::Score(_))));
    }

    #[test]
    fn rungs_end_where_the_cube_is_dead() {
        let top = |state: MatchState| Stakes::new(&state, Some(&met())).unwrap().top;
        assert_eq!(top(MatchState::at_score(7, 0, 0)), 3, "a cube of 8 is dead");
        assert_eq!(top(MatchState::at_score(5, 3, 3)), 1);
        assert_eq!(top(MatchState::at_score(5, 4, 1)), 2, "the leader's opponent may go to 4");
        assert_eq!(top(MatchState { cube_limit: Some(2), ..MatchState::MONEY }), 2);
    }
}
