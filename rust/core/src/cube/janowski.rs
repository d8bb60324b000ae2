//! Cubeful equities by Janowski's model.
//!
//! Rick Janowski, "Take-Points in Money Games" (1993): a cube is worth something between nothing (it is never
//! turned again: *dead*) and everything (it is turned exactly at the point where the other may as well pass:
//! *live*). Both are easy to compute; cube life says where between them a position lies.
//!
//! ```text
//!   value                    dead: a straight line from the mean loss to the mean win
//!     ^              ___ win
//!     |       cash _/        live: bends where a player cashes the game. A player who may double
//!     |         __/                cashes at his cash point and is "too good" above it
//!     | drop __/
//!     |   __/
//!   lose /                    lose ... drop ... cash ... win, at 0, at one less the
//!     +------------------->   opponent's cash point, at the roller's cash point, and at 1
//!              chance to win
//! ```
//!
//! The extension to matches replaces points by match winning chances, as GNU Backgammon's manual describes it
//! (appendix "Cubeful equities"): the lines bend at cash points that are computed from the cube that is dead
//! for both players down to the present one. One thing is added here: a cube that its owner turns without any
//! risk, because the other wins the match with a single game anyway, counts as turned.

use crate::cube::error::CubeError;
use crate::cube::stakes::{RUNGS, Stakes};
use crate::outcome::Probs;
use crate::score::Player;

/// Chances as a chance to win and the mix of results on either side.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// Chance to win.
    pub win: f64,
    /// Shares of single games, gammons and backgammons among the wins.
    pub wins: [f64; 3],
    /// Shares of single games, gammons and backgammons among the losses.
    pub losses: [f64; 3],
}

/// How far chances may stray out of order: what an evaluator that works in single precision may do.
const SLACK: f64 = 1e-5;

impl Odds {
    /// The odds of `probs`.
    ///
    /// # Errors
    /// If the numbers are not finite, out of range or out of order by more than rounding.
    pub fn new(probs: &Probs) -> Result<Odds, CubeError> {
        let [win, wg, wb, lg, lb] = probs.to_array().map(f64::from);
        let ordered = |outer: f64, gammon: f64, backgammon: f64| {
            // Written so that NaN fails.
            backgammon >= -SLACK && backgammon <= gammon + SLACK && gammon <= outer + SLACK
        };
        if !(ordered(win, wg, wb) && ordered(1.0 - win, lg, lb)) {
            return Err(CubeError::NotChances(probs.to_array()));
        }
        let win = win.clamp(0.0, 1.0);
        Ok(Odds { win, wins: shares(win, wg, wb), losses: shares(1.0 - win, lg, lb) })
    }

    /// The same odds seen by the other player.
    #[must_use]
    pub fn flipped(&self) -> Odds {
        Odds { win: 1.0 - self.win, wins: self.losses, losses: self.wins }
    }

    /// Average number of points of a win and of a loss, the cube at 1.
    pub fn mean_points(&self) -> (f64, f64) {
        let mean = |shares: [f64; 3]| 1.0 + shares[1] + 2.0 * shares[2];
        (mean(self.wins), mean(self.losses))
    }
}

/// Shares of the three results, from cumulative chances; all single games when there are none at all.
fn shares(all: f64, gammon: f64, backgammon: f64) -> [f64; 3] {
    if all <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let gammon = (gammon / all).clamp(0.0, 1.0);
    let backgammon = (backgammon / all).clamp(0.0, gammon);
    [1.0 - gammon, gammon - backgammon, backgammon]
}

fn mean(shares: &[f64; 3], worth: &[f64; 3]) -> f64 {
    shares[0] * worth[0] + shares[1] * worth[1] + shares[2] * worth[2]
}

/// One position on one set of stakes: the mean results and the cash points at every value of the cube.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    stakes: &'a Stakes,
    win: [f64; RUNGS],
    lose: [f64; RUNGS],
    cash: [[f64; 2]; RUNGS],
}

/// A cube after `turns` more turns that belongs to `owner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// How often it was turned from where it stands.
    pub turns: usize,
    /// Its owner, `None` if it is centred.
    pub owner: Option<Player>,
}

impl<'a> Lines<'a> {
    /// The lines of a position with these odds (their shares; the chance to win is given later).
    pub fn new(stakes: &'a Stakes, odds: &Odds) -> Lines<'a> {
        let mut lines = Lines { stakes, win: [0.0; RUNGS], lose: [0.0; RUNGS], cash: [[1.0; 2]; RUNGS] };
        for i in 0..=stakes.top {
            lines.win[i] = mean(&odds.wins, &stakes.rungs[i].win);
            lines.lose[i] = mean(&odds.losses, &stakes.rungs[i].lose);
        }
        if stakes.endless {
            let (w, l) = odds.mean_points();
            lines.cash = [[(l + 1.0) / (w + l + 0.5), (w + 1.0) / (w + l + 0.5)]; RUNGS];
        } else {
            for i in (0..stakes.top).rev() {
                lines.cash[i] = [lines.cash_point(i, Player::Roller), lines.cash_point(i, Player::Opponent)];
            }
        }
        lines
    }

    /// The chance of `player` to win at which the other may as well pass his double from rung `i`.
    ///
    /// On the line of the doubled cube, which bends where the other would cash it in turn.
    fn cash_point(&self, i: usize, player: Player) -> f64 {
        let (now, next) = (&self.stakes.rungs[i], &self.stakes.rungs[i + 1]);
        // Everything seen by `player`: his win, what he cashes now, and what he loses to a redouble.
        let (sign, cashed, won, lost, redoubled) = match player {
            Player::Roller => (1.0, now.win[0], self.win[i + 1], self.lose[i + 1], next.lose[0]),
            Player::Opponent => (-1.0, now.lose[0], self.lose[i + 1], self.win[i + 1], next.win[0]),
        };
        let (low, reach) =
            if next.open { (redoubled, self.cash[i + 1][player.other() as usize]) } else { (lost, 1.0) };
        let span = sign * (won - low);
        // The share first: it does not depend on the rung above, and division is slow.
        if span <= 0.0 { 1.0 } else { (1.0 - reach * (sign * (won - cashed) / span)).clamp(0.0, 1.0) }
    }

    /// The value of the doubled-out game: what `player` gets when the other passes his double now.
    pub fn cashed(&self, player: Player, turns: usize) -> f64 {
        let rung = &self.stakes.rungs[turns];
        match player {
            Player::Roller => rung.win[0],
            Player::Opponent => rung.lose[0],
        }
    }

    /// The chance to win at which `player` cashes a live cube after `turns` turns.
    pub fn cash(&self, player: Player, turns: usize) -> f64 {
        self.cash[turns][player as usize]
    }

    /// The value of a cube that nobody ever turns again.
    pub fn dead(&self, win: f64, turns: usize) -> f64 {
        self.lose[turns] + (self.win[turns] - self.lose[turns]) * win
    }

    /// The value of a cube that is always turned at the perfect moment.
    pub fn live(&self, win: f64, cube: Cube) -> f64 {
        let i = cube.turns;
        let rung = &self.stakes.rungs[i];
        let mine = rung.open && cube.owner != Some(Player::Opponent);
        let his = rung.open && cube.owner != Some(Player::Roller);
        let (mut left, mut right) = ((0.0, self.lose[i]), (1.0, self.win[i]));
        if his {
            let bend = (1.0 - self.cash[i][Player::Opponent as usize], rung.lose[0]);
            if win < bend.0 {
                return between(left, bend, win);
            }
            left = bend;
        }
        if mine {
            let bend = (self.cash[i][Player::Roller as usize], rung.win[0]);
            if win > bend.0 {
                return between(bend, right, win);
            }
            right = bend;
        }
        between(left, right, win)
    }

    /// The value of a cube with this much life.
    pub fn value(&self, win: f64, cube: Cube, life: f64) -> f64 {
        self.blend(win, cube, life, None)
    }

    /// The value of keeping a cube that the roller could turn, but does not, this time.
    ///
    /// The same as [`value`](Self::value), but that a free double of the roller's is not taken as made.
    pub fn held(&self, win: f64, cube: Cube, life: f64) -> f64 {
        self.blend(win, cube, life, Some(Player::Roller))
    }

    fn blend(&self, win: f64, cube: Cube, life: f64, holding: Option<Player>) -> f64 {
        let mut dead = self.dead(win, cube.turns);
        for player in [Player::Roller, Player::Opponent] {
            let free = self.stakes.rungs[cube.turns].free[player as usize];
            if free && cube.owner != Some(player.other()) && holding != Some(player) {
                dead = self.freely_turned(win, cube.turns, player, dead);
            }
        }
        if life == 0.0 {
            return dead;
        }
        life * self.live(win, cube) + (1.0 - life) * dead
    }

    /// The value when `player` may turn the cube without risk and does so unless `held` is better for him.
    fn freely_turned(&self, win: f64, turns: usize, player: Player, held: f64) -> f64 {
        let (taken, passed) = (self.dead(win, turns + 1), self.cashed(player, turns));
        match player {
            Player::Roller => held.max(taken.min(passed)),
            Player::Opponent => held.min(taken.max(passed)),
        }
    }
}

/// The height at `x` of the line through two points; of a single point if they coincide.
fn between(a: (f64, f64), b: (f64, f64), x: f64) -> f64 {
    if b.0 <= a.0 { b.1 } else { a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)) }
}
