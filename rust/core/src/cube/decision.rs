//! The cube decision of a position: all equities and the verdict.

use crate::cube::error::{CubeError, Refusal};
use crate::cube::janowski::{Cube, Lines, Odds};
use crate::cube::stakes::Stakes;
use crate::cube::verdict::{Answer, BeaverReply, Choices, Verdict};
use crate::outcome::Probs;
use crate::score::{MatchState, Player};

/// Whether to double, and what to answer, before the roller throws.
///
/// Equities are the roller's, per unit of the cube's present value; in a match they are normalised, so that
/// winning the cube now is 1 and losing it -1. [`CubeDecision::mwc`] gives the match winning chance of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeDecision {
    /// Nobody ever turns the cube.
    pub cubeless: f64,
    /// The roller does not double this turn.
    pub no_double: f64,
    /// What a double leads to, or why none may be offered.
    pub doubled: Result<Doubled, Refusal>,
    /// The match winning chance that equity 0 stands for; money play does not use it.
    pub middle: f64,
    /// What an equity of 1 adds to it.
    pub half: f64,
    /// The present value of the cube.
    pub cube: u32,
    /// Whether it is money play.
    pub money: bool,
}

/// What a double leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubled {
    /// The cube is doubled, and nobody ever turns it again.
    pub cubeless: f64,
    /// The opponent takes.
    pub take: f64,
    /// The opponent passes.
    pub pass: f64,
    /// The opponent beavers (and the roller replies best), if beavers are played and the limit allows one.
    pub beaver: Option<f64>,
    /// What the roller should reply to a beaver.
    pub reply: Option<BeaverReply>,
    /// The roller raccoons a beaver, if the limit allows it.
    pub raccoon: Option<f64>,
    /// What is right, and what errors cost.
    pub verdict: Verdict,
}

impl CubeDecision {
    /// The equity with the best choice of both players.
    pub fn optimal(&self) -> f64 {
        match &self.doubled {
            Ok(doubled) => self.no_double + doubled.verdict.double_gain.max(0.0),
            Err(_) => self.no_double,
        }
    }

    /// The match winning chance that belongs to one of the equities; `None` in money play.
    pub fn mwc(&self, equity: f64) -> Option<f64> {
        (!self.money).then(|| (self.middle + equity * self.half).clamp(0.0, 1.0))
    }

    /// The points that belong to one of the equities; `None` in a match.
    pub fn points(&self, equity: f64) -> Option<f64> {
        self.money.then(|| equity * f64::from(self.cube))
    }

    /// The decision in words: "double, take", or why there is none.
    pub fn label(&self) -> String {
        match &self.doubled {
            Ok(doubled) => doubled.verdict.to_string(),
            Err(Refusal::Crawford) => "Crawford game".to_owned(),
            Err(Refusal::NotOwned { .. }) => "cube not available".to_owned(),
            Err(Refusal::DeadCube) => "dead cube".to_owned(),
            Err(Refusal::AtLimit { .. }) => "cube at its limit".to_owned(),
        }
    }

    /// What a double leads to.
    ///
    /// # Errors
    /// If none may be offered.
    pub fn require_double(&self) -> Result<&Doubled, CubeError> {
        self.doubled.as_ref().map_err(|&refusal| CubeError::Refused(refusal))
    }
}

/// The cube decision for a position with these chances and this [cube life](crate::cube::CubeLife).
///
/// # Errors
/// If the chances or the cube life are none. That no double may be offered is not an error.
pub fn decide(stakes: &Stakes, probs: &Probs, life: f64) -> Result<CubeDecision, CubeError> {
    if !(0.0..=1.0).contains(&life) {
        return Err(CubeError::CubeLife(life));
    }
    let odds = Odds::new(probs)?;
    let lines = Lines::new(stakes, &odds);
    let here = Cube { turns: 0, owner: stakes.state.cube_owner };
    let no_double = stakes.to_equity(match stakes.may_double() {
        Ok(()) => lines.held(odds.win, here, life),
        Err(_) => lines.value(odds.win, here, life),
    });
    let cubeless = |turns| stakes.to_equity(lines.dead(odds.win, turns));
    let turned = |turns| {
        let cube = Cube { turns, owner: Some(Player::Opponent) };
        stakes.to_equity(lines.value(odds.win, cube, life))
    };
    Ok(assemble(stakes, no_double, cubeless, turned))
}

/// Equities known exactly, per unit of the cube: what a two-sided bear-off table holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactEquities {
    /// Nobody ever turns the cube.
    pub cubeless: f64,
    /// The roller, or nobody, owns the cube, and it is not turned this time.
    pub no_double: f64,
    /// The opponent owns the cube.
    pub opponent_owned: f64,
}

/// The money decision of a position whose equities are known exactly, the cube's limit out of reach.
///
/// # Errors
/// If an equity is none of money play, or the score is that of a match: tables hold no match equities.
pub fn decide_exact(stakes: &Stakes, exact: &ExactEquities) -> Result<CubeDecision, CubeError> {
    let ExactEquities { cubeless, no_double, opponent_owned } = *exact;
    if !stakes.state.is_money() {
        return Err(CubeError::NotMoney);
    }
    for equity in [cubeless, no_double, opponent_owned] {
        if !(-3.0..=3.0).contains(&equity) {
            return Err(CubeError::NotAnEquity(equity));
        }
    }
    let times = |turns: usize| (1u32 << turns) as f64;
    Ok(assemble(stakes, no_double, |turns| cubeless * times(turns), |turns| opponent_owned * times(turns)))
}

/// Decides many positions at one score, in order; the first error ends it.
///
/// # Errors
/// As [`decide`]; `out` then holds the decisions before it.
///
/// # Panics
/// If the slices differ in length.
pub fn decide_many(
    stakes: &Stakes,
    probs: &[Probs],
    lives: &[f64],
    out: &mut Vec<CubeDecision>,
) -> Result<(), CubeError> {
    assert_eq!(probs.len(), lives.len());
    out.clear();
    out.reserve(probs.len());
    for (probs, &life) in probs.iter().zip(lives) {
        out.push(decide(stakes, probs, life)?);
    }
    Ok(())
}

/// Puts a decision together from the equities, per unit of the cube, after so many turns of the cube.
pub(crate) fn assemble(
    stakes: &Stakes,
    no_double: f64,
    cubeless: impl Fn(usize) -> f64,
    turned: impl Fn(usize) -> f64,
) -> CubeDecision {
    CubeDecision {
        cubeless: cubeless(0),
        no_double,
        doubled: stakes.may_double().map(|()| double(stakes, no_double, cubeless(1), turned)),
        middle: stakes.middle,
        half: stakes.half,
        cube: stakes.state.cube_value(),
        money: stakes.state.is_money(),
    }
}

fn double(stakes: &Stakes, no_double: f64, cubeless: f64, turned: impl Fn(usize) -> f64) -> Doubled {
    let take = turned(1);
    // Winning the cube is the unit, exactly.
    let pass = if stakes.half > 0.0 { 1.0 } else { 0.0 };
    let within = |turns| turns <= stakes.top || stakes.endless;
    let beavered = (stakes.state.beavers && within(2)).then(|| turned(2));
    let raccoon = (beavered.is_some() && within(3)).then(|| turned(3));
    let reply = beavered.map(|beavered| reply_to_beaver(beavered, raccoon));
    let beaver = reply.map(|(_, equity)| equity);
    let choices = Choices { no_double, take, pass, beaver };
    Doubled {
        cubeless,
        take,
        pass,
        beaver,
        reply: reply.map(|(reply, _)| reply),
        raccoon,
        verdict: Verdict::of(&choices, is_free_drop(&stakes.state)),
    }
}

/// The doubler's best reply to a beaver, and its equity per unit of the cube before the double. Giving up costs
/// the doubled cube.
pub(crate) fn reply_to_beaver(beavered: f64, raccoon: Option<f64>) -> (BeaverReply, f64) {
    let given_up = -2.0;
    match raccoon {
        Some(raccoon) if raccoon > beavered => (BeaverReply::Raccoon, raccoon),
        _ if beavered < given_up => (BeaverReply::Drop, given_up),
        _ => (BeaverReply::PlayOn, beavered),
    }
}

/// Whether the opponent may pass a double without needing to win any more games than before.
///
/// He leads and needs one point; the trailer doubles every game, and with an even number of points to go the
/// single point he gets for a pass does not save him a game.
fn is_free_drop(state: &MatchState) -> bool {
    state.is_post_crawford()
        && state.cube_log2 == 0
        && state.away(Player::Opponent) == Some(1)
        && state.away(Player::Roller).is_some_and(|away| away > 1 && away % 2 == 0)
}

impl Doubled {
    /// Whether the opponent should take or beaver.
    pub fn is_kept(&self) -> bool {
        self.verdict.answer != Answer::Pass
    }
}
