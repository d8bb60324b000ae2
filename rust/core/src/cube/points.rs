//! Points on the scale of winning chances: take, double, cash and too-good points, and gammon values.

use crate::cube::janowski::{Cube, Lines, Odds};
use crate::cube::stakes::Stakes;
use crate::score::Player;

/// Janowski's closed formulas for money play, as chances to win of the player named in the odds.
///
/// They depend on the average points of a win `w` and of a loss `l` alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoneyPoints {
    /// From here he may take.
    pub take: f64,
    /// From here he may beaver.
    pub beaver: f64,
    /// From here he may raccoon a beaver.
    pub raccoon: f64,
    /// From here he may double a centred cube.
    pub initial_double: f64,
    /// From here he may redouble.
    pub redouble: f64,
    /// From here the other should pass.
    pub cash: f64,
    /// From here he should play on for a gammon.
    pub too_good: f64,
}

impl MoneyPoints {
    /// The points of a cube that is not turned again.
    ///
    /// The initial double under the Jacoby rule is just right when it equals the gammons given up; with beavers
    /// Janowski's formula takes the double to be beavered.
    pub fn dead(w: f64, l: f64, jacoby: bool, beavers: bool) -> MoneyPoints {
        let all = w + l;
        MoneyPoints {
            take: (l - 0.5) / all,
            beaver: l / all,
            raccoon: l / all,
            initial_double: match (jacoby, beavers) {
                (false, _) => l / all,
                (true, true) => (l - 0.25) / (all - 0.5),
                (true, false) if all > 2.0 => ((l - 0.5) / (all - 1.0)).clamp(0.0, 1.0),
                (true, false) => 0.5,
            },
            redouble: l / all,
            cash: (l + 0.5) / all,
            too_good: (l + 1.0) / all,
        }
    }

    /// The points of a cube that is always turned at the perfect moment.
    pub fn live(w: f64, l: f64) -> MoneyPoints {
        let all = w + l + 0.5;
        let cash = (l + 1.0) / all;
        MoneyPoints {
            take: (l - 0.5) / all,
            beaver: l / all,
            raccoon: (l + 0.5) / all,
            initial_double: cash,
            redouble: cash,
            cash,
            too_good: cash,
        }
    }
}

/// Where the roller's decisions change, as his chance to win at a fixed mix of gammons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    /// From here he may take if the opponent doubles; `None` if the opponent may not double.
    pub take: Option<f64>,
    /// How much the cube he gets lowers that point: his recube vigorish.
    pub recube_vig: Option<f64>,
    /// From here he should beaver that double; `None` where beavers are not played.
    pub beaver: Option<f64>,
    /// From here he should raccoon a beaver of his own double; `None` where that is not played.
    pub raccoon: Option<f64>,
    /// From here he should double; `None` if he may not double, or never should.
    pub double: Option<f64>,
    /// From here the opponent should pass; `None` if the roller may not double, or he never should.
    pub cash: Option<f64>,
    /// From here he should play on for a gammon; `None` if never.
    pub too_good: Option<f64>,
}

/// The points at which decisions change, with this much cube life.
///
/// All equities are straight lines between a few bends, so the crossings are exact.
pub fn points(stakes: &Stakes, odds: &Odds, life: f64) -> Points {
    let lines = Lines::new(stakes, odds);
    let rung = &stakes.rungs[0];
    let owner = stakes.state.cube_owner;
    let bends = bends(stakes, &lines);
    let (may_double, may_be_doubled) =
        (rung.open && owner != Some(Player::Opponent), rung.open && owner != Some(Player::Roller));
    let turned = |owner| Cube { turns: 1, owner: Some(owner) };
    let take_at = |life| {
        let kept = |win| lines.value(win, turned(Player::Roller), life) - rung.lose[0];
        first_crossing(&bends, kept)
    };
    let take = if may_be_doubled { take_at(life) } else { None };
    let beavers = |turns| stakes.state.beavers && (stakes.top >= turns || stakes.endless);
    let from_even = |cube| first_crossing(&bends, |win| lines.value(win, cube, life) - stakes.middle);
    let beaver = if may_be_doubled && beavers(2) { from_even(turned(Player::Roller)) } else { None };
    let raccoon = if may_double && beavers(3) {
        from_even(Cube { turns: 2, owner: Some(Player::Opponent) })
    } else {
        None
    };
    let dead_take = if may_be_doubled { take_at(0.0) } else { None };
    let held = |win| lines.held(win, Cube { turns: 0, owner }, life);
    let taken = |win| {
        let equity = stakes.to_equity(lines.value(win, turned(Player::Opponent), life));
        let beavered = beavers(2) && equity < 0.0;
        stakes.from_equity(if beavered { 2.0 * equity } else { equity })
    };
    let mut all = bends.clone();
    all.extend(first_crossing(&bends, |win| taken(win) - stakes.middle));
    let cash = first_crossing(&bends, |win| taken(win) - rung.win[0]).filter(|_| may_double);
    all.extend(cash);
    all.sort_by(f64::total_cmp);
    let double = first_crossing(&all, |win| taken(win).min(rung.win[0]) - held(win)).filter(|_| may_double);
    let too_good = cash
        .and_then(|cash| {
            let beyond: Vec<f64> = all.iter().copied().filter(|&win| win >= cash).collect();
            first_crossing(&beyond, |win| held(win) - rung.win[0])
        })
        .filter(|&win| win < 1.0);
    let recube_vig = dead_take.zip(take).map(|(dead, take)| dead - take);
    Points { take, recube_vig, beaver, raccoon, double, cash, too_good }
}

/// All chances to win at which some equity bends.
fn bends(stakes: &Stakes, lines: &Lines<'_>) -> Vec<f64> {
    let mut bends = vec![0.0, 1.0];
    for turns in 0..=stakes.top.min(2) {
        bends.push(lines.cash(Player::Roller, turns));
        bends.push(1.0 - lines.cash(Player::Opponent, turns));
    }
    bends.sort_by(f64::total_cmp);
    bends
}

/// The first place from which a function is not negative that is straight between `bends`.
fn first_crossing(bends: &[f64], f: impl Fn(f64) -> f64) -> Option<f64> {
    /// Rounding of equities near 1; a live cube touches its cash point without crossing it.
    const TOUCH: f64 = 1e-12;
    let mut before: Option<(f64, f64)> = None;
    for &x in bends {
        let y = f(x);
        if y >= -TOUCH {
            return Some(match before {
                Some((x0, y0)) if y > 0.0 => x0 + (x - x0) * (y0 / (y0 - y)),
                _ => x,
            });
        }
        before = Some((x, y));
    }
    None
}

/// What gammons and backgammons are worth beside a single win: half a point in money play is 0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GammonValue {
    /// What a gammon adds to a win, as a share of what a win is better than a loss.
    pub gammon: f64,
    /// What a backgammon adds to a single win.
    pub backgammon: f64,
}

impl GammonValue {
    /// The gammon price: twice the value, 1 in money play.
    pub fn gammon_price(&self) -> f64 {
        2.0 * self.gammon
    }

    /// The price of a backgammon on top of that of a gammon, 1 in money play.
    pub fn backgammon_price(&self) -> f64 {
        2.0 * (self.backgammon - self.gammon)
    }
}

/// What `player`'s gammons are worth at the cube's present value.
pub fn gammon_value(stakes: &Stakes, player: Player) -> GammonValue {
    let rung = &stakes.rungs[0];
    let results = if player == Player::Roller { &rung.win } else { &rung.lose };
    let span = rung.win[0] - rung.lose[0];
    let value = |n: usize| if span > 0.0 { ((results[n] - results[0]).abs()) / span } else { 0.0 };
    GammonValue { gammon: value(1), backgammon: value(2) }
}

/// Between which chances to win a player doubles, at a match score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarketWindow {
    /// Double and cash point of a cube that is not turned again.
    pub dead: (f64, f64),
    /// The same if the other redoubles at once, where that costs him nothing.
    pub redoubled: Option<(f64, f64)>,
    /// The cash point of a live cube, where the doubled cube may still be turned by both.
    pub live_cash: Option<f64>,
}

/// `player`'s doubling window from the cube's present value, whoever owns it; `None` where it has no width.
///
/// Dead windows compare risk and gain of the last turn of the cube (Kleinman's classic argument).
pub fn market_window(stakes: &Stakes, odds: &Odds, player: Player) -> Option<MarketWindow> {
    if stakes.top == 0 {
        return None;
    }
    let lines = Lines::new(stakes, odds);
    let dead = window(stakes, odds, player, 1)?;
    let free = stakes.rungs[1].free[player.other() as usize];
    let redoubled = if free { window(stakes, odds, player, 2) } else { None };
    let next = &stakes.rungs[1];
    // At twice the cube neither wins the match with a single game: both still have a use for it.
    let alive = next.open && next.win[0] < 1.0 && next.lose[0] > 0.0 && !stakes.state.is_money();
    let live_cash = (alive || stakes.state.is_money()).then(|| lines.cash(player, 0));
    Some(MarketWindow { dead, redoubled, live_cash })
}

/// Double and cash point when the cube goes up by `turns` and no further.
fn window(stakes: &Stakes, odds: &Odds, player: Player, turns: usize) -> Option<(f64, f64)> {
    let rung = |i: usize| &stakes.rungs[i];
    let mean =
        |shares: &[f64; 3], worth: &[f64; 3]| shares.iter().zip(worth).map(|(s, w)| s * w).sum::<f64>();
    let (mine, his, sign) = match player {
        Player::Roller => (odds.wins, odds.losses, 1.0),
        Player::Opponent => (odds.losses, odds.wins, -1.0),
    };
    let won = |i: usize| sign * mean(&mine, if sign > 0.0 { &rung(i).win } else { &rung(i).lose });
    let lost = |i: usize| sign * mean(&his, if sign > 0.0 { &rung(i).lose } else { &rung(i).win });
    let cashed = sign * if sign > 0.0 { rung(0).win[0] } else { rung(0).lose[0] };
    let (risk, gain) = (lost(0) - lost(turns), won(turns) - won(0));
    let span = won(turns) - lost(turns);
    if risk + gain <= 0.0 || span <= 0.0 {
        return None;
    }
    Some((risk / (risk + gain), (cashed - lost(turns)) / span))
}
