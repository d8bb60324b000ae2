//! The cube in a rollout: where it stands, who turns it when, and what games are worth with it.
//!
//! Before every roll the player who may double decides by Janowski's model on his chances, and the other answers by
//! the same; a beaver and what follows it are turned at once. When a double is passed the game has its cubeful
//! value and is played on for the cubeless figures alone.

use crate::cube::janowski::{Cube, Lines, Odds};
use crate::cube::{
    Action, Answer, BeaverReply, CubeDecision, CubeError, CubeLife, ExactEquities, Met, Stakes, decide,
    decide_exact,
};
use crate::eval::Exact;
use crate::outcome::{Outcome, Probs};
use crate::position::Position;
use crate::rollout::look::Reply;
use crate::rules::Rules;
use crate::score::{MatchState, Player};
use crate::search::CubeUse;

/// Where the cube stands in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CubeState {
    /// Its value, as a power of two.
    pub log2: u8,
    /// Whether its owner is the player whose numbers are wanted; `None` is a centred cube.
    pub ours: Option<bool>,
}

/// Score, match equity table and cube life of a cubeful rollout, seen by the player whose numbers are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeTable {
    state: MatchState,
    life: CubeLife,
    /// As the player whose numbers are wanted sees it, and as the other.
    met: Option<[Met; 2]>,
    /// For every cube: as the player whose numbers are wanted sees it, and as the other.
    stakes: Vec<Option<[Stakes; 2]>>,
}

/// What happens to the cube before a roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// Nothing.
    Hold,
    /// It is turned, and stands there now.
    Turned(CubeState),
    /// The game ends with this value to the player whose numbers are wanted.
    Ended(f64),
}

impl CubeTable {
    /// The cube of a game at `state`, seen by the player whose numbers are wanted.
    ///
    /// # Errors
    /// As [`Stakes::new`].
    pub fn new(state: &MatchState, met: Option<&Met>, life: CubeLife) -> Result<CubeTable, CubeError> {
        Stakes::new(state, met)?;
        let exchanged = met.map(Met::exchanged);
        let mut stakes = Vec::new();
        for log2 in 0..=MatchState::MAX_CUBE {
            for owner in [None, Some(Player::Roller), Some(Player::Opponent)] {
                let cube = MatchState { cube_log2: log2, cube_owner: owner, ..*state };
                let both = || -> Option<[Stakes; 2]> {
                    let theirs = Stakes::new(&cube.flip(), exchanged.as_ref()).ok()?;
                    Some([Stakes::new(&cube, met).ok()?, theirs])
                };
                stakes.push(if log2 < state.cube_log2 { None } else { both() });
            }
        }
        let met = met.cloned().zip(exchanged).map(|(met, exchanged)| [met, exchanged]);
        Ok(CubeTable { state: *state, life, met, stakes })
    }

    /// The score, and the cube at the beginning.
    pub const fn state(&self) -> &MatchState {
        &self.state
    }

    /// The cube life of every kind of position.
    pub const fn life(&self) -> &CubeLife {
        &self.life
    }

    /// The cube at the beginning.
    pub fn start(&self) -> CubeState {
        let ours = self.state.cube_owner.map(|owner| owner == Player::Roller);
        CubeState { log2: self.state.cube_log2, ours }
    }

    /// The cube at the beginning, if the player whose numbers are wanted has turned it once and it was taken.
    pub fn turned(&self) -> CubeState {
        CubeState { log2: self.state.cube_log2 + 1, ours: Some(false) }
    }

    /// The stakes at the beginning, seen by the player whose numbers are wanted.
    pub fn stakes_at_start(&self) -> &Stakes {
        let stakes = self.stakes(self.start(), true);
        stakes.expect("the table was made for this cube")
    }

    /// The stakes with a cube, seen by either player; `None` beyond what the cube can be.
    fn stakes(&self, cube: CubeState, ours: bool) -> Option<&Stakes> {
        let owner = match cube.ours {
            None => 0,
            Some(true) => 1,
            Some(false) => 2,
        };
        let both = self.stakes.get(3 * usize::from(cube.log2) + owner)?.as_ref()?;
        Some(&both[usize::from(!ours)])
    }

    /// The match equity table, as the player whose numbers are wanted sees it.
    pub fn met(&self) -> Option<&Met> {
        self.met.as_ref().map(|met| &met[0])
    }

    /// The cube of a search that begins with either player on roll.
    pub(crate) fn search(&self, cube: CubeState, ours: bool) -> Option<CubeUse> {
        let met = self.met.as_ref().map(|met| &met[usize::from(!ours)]);
        CubeUse::new(self.stakes(cube, ours)?.state(), met, self.life).ok()
    }

    /// A value on the stakes of either player as one of the player whose numbers are wanted: points per unit of the
    /// cube at the beginning, or the chance to win the match.
    fn to_ours(&self, value: f64, cube: CubeState, ours: bool) -> f64 {
        if self.state.is_money() {
            let unit = f64::from(1u32 << (cube.log2 - self.state.cube_log2));
            if ours { unit * value } else { -unit * value }
        } else if ours {
            value
        } else {
            1.0 - value
        }
    }

    /// What a finished game is worth.
    pub(crate) fn result(&self, won: bool, outcome: Outcome, cube: CubeState) -> f64 {
        let Some(stakes) = self.stakes(cube, true) else { return 0.0 };
        let rung = &stakes.rungs[0];
        let worth = if won { rung.win } else { rung.lose };
        self.to_ours(worth[outcome as usize - 1], cube, true)
    }

    /// What a position is worth by the model, `ours` being whether the player whose numbers are wanted is on roll.
    pub(crate) fn worth<R: Rules>(
        &self,
        position: &Position,
        probs: &Probs,
        cube: CubeState,
        ours: bool,
    ) -> f64 {
        if let Some((won, outcome)) = R::result(position) {
            return self.result(won == ours, outcome, cube);
        }
        self.stakes(cube, ours)
            .map_or(0.0, |stakes| self.to_ours(self.value(stakes, position, probs), cube, ours))
    }

    fn value(&self, stakes: &Stakes, position: &Position, probs: &Probs) -> f64 {
        let odds = odds(probs);
        let here = Cube { turns: 0, owner: stakes.state().cube_owner };
        Lines::new(stakes, &odds).value(odds.win, here, self.life.of(position))
    }

    /// Which of some replies is best with the cube, the first of equals; whoever is on roll after them is `ours` or
    /// not.
    pub(crate) fn best<R: Rules>(&self, replies: &[Reply], cube: CubeState, ours: bool) -> usize {
        if replies.len() == 1 {
            return 0;
        }
        let mut best = (0, f64::INFINITY);
        for (i, reply) in replies.iter().enumerate() {
            let worth = self.worth::<R>(&reply.after, &reply.value, cube, ours);
            // What is good for us is bad for a mover who is not we.
            let to_opponent = if ours { worth } else { -worth };
            if to_opponent < best.1 {
                best = (i, to_opponent);
            }
        }
        best.0
    }

    /// The same where the equities after all replies that do not end the game are known exactly; `None` where they are
    /// not.
    pub(crate) fn best_exactly<R: Rules>(
        &self,
        replies: &[Reply],
        known: &[Option<Exact>],
        cube: CubeState,
        ours: bool,
    ) -> Option<usize> {
        let mut best = (0, f64::INFINITY);
        for (i, (reply, known)) in replies.iter().zip(known).enumerate() {
            let worth = match R::result(&reply.after) {
                Some((won, outcome)) => self.result(won == ours, outcome, cube),
                None => self.worth_exactly(known.as_ref()?, cube, ours),
            };
            let to_opponent = if ours { worth } else { -worth };
            if to_opponent < best.1 {
                best = (i, to_opponent);
            }
        }
        Some(best.0)
    }

    /// What the five chances count on these stakes without further turns of the cube, for whoever is on roll after a
    /// play; `None` if as in money play.
    pub(crate) fn weights(&self, cube: CubeState, ours: bool) -> Option<[f32; 5]> {
        let stakes = self.stakes(cube, ours)?;
        let [w, l] = [&stakes.rungs[0].win, &stakes.rungs[0].lose];
        if stakes.half <= 0.0 {
            return None;
        }
        let weights = [w[0] - l[0], w[1] - w[0], w[2] - w[1], l[1] - l[0], l[2] - l[1]];
        let weights = weights.map(|weight| (weight / stakes.half) as f32);
        (weights != [2.0, 1.0, 1.0, -1.0, -1.0]).then_some(weights)
    }

    /// Whether anybody could still turn the cube.
    pub(crate) fn is_live(&self, cube: CubeState) -> bool {
        [true, false].into_iter().any(|ours| self.may_double(cube, ours))
    }

    /// Whether the player on roll may double.
    pub(crate) fn may_double(&self, cube: CubeState, ours: bool) -> bool {
        self.stakes(cube, ours).is_some_and(|stakes| stakes.may_double().is_ok())
    }

    /// What happens to the cube before the roll of a player with these chances.
    pub(crate) fn act(&self, position: &Position, probs: &Probs, cube: CubeState, ours: bool) -> Act {
        let Some(stakes) = self.stakes(cube, ours) else { return Act::Hold };
        let decision = decide(stakes, &tidy(probs), self.life.of(position));
        decision.map_or(Act::Hold, |decision| self.follow(&decision, stakes, cube, ours))
    }

    /// The same where equities are known exactly.
    pub(crate) fn act_exactly(&self, known: &Exact, cube: CubeState, ours: bool) -> Act {
        let Some(stakes) = self.stakes(cube, ours) else { return Act::Hold };
        let no_double = if cube.ours.is_some() { known.owned } else { known.centred };
        let (cubeless, opponent_owned) = (f64::from(known.probs.equity()), known.opponent_owned);
        let decision = decide_exact(stakes, &ExactEquities { cubeless, no_double, opponent_owned });
        decision.map_or(Act::Hold, |decision| self.follow(&decision, stakes, cube, ours))
    }

    /// Whether exact money equities hold here: the cube is alive, and its limit out of reach.
    pub(crate) fn is_like_a_table(&self, cube: CubeState) -> bool {
        let limit = self.state.cube_limit.unwrap_or(MatchState::MAX_CUBE);
        self.state.is_money() && !self.state.beavers && cube.log2 + 5 <= limit
    }

    /// What a position is worth whose equities are known exactly, whoever may double deciding right.
    pub(crate) fn worth_exactly(&self, known: &Exact, cube: CubeState, ours: bool) -> f64 {
        let decided = |held: f64| held.max((2.0 * known.opponent_owned).min(1.0));
        let value = match cube.ours {
            None => decided(known.centred),
            Some(owner) if owner == ours => decided(known.owned),
            Some(_) => known.opponent_owned,
        };
        self.to_ours(value, cube, ours)
    }

    fn follow(&self, decision: &CubeDecision, stakes: &Stakes, cube: CubeState, ours: bool) -> Act {
        let Ok(doubled) = decision.doubled else { return Act::Hold };
        if doubled.verdict.action != Action::Double {
            return Act::Hold;
        }
        let turned = |times: u8| CubeState { log2: cube.log2 + times, ours: Some(!ours) };
        let known = |times: u8| self.stakes(turned(times), ours).is_some();
        let ended = |equity: f64| Act::Ended(self.to_ours(stakes.from_equity(equity), cube, ours));
        match (doubled.verdict.answer, doubled.reply) {
            (Answer::Pass, _) => ended(1.0),
            (Answer::Beaver, Some(BeaverReply::Drop)) => ended(-2.0),
            (Answer::Beaver, Some(BeaverReply::Raccoon)) if known(3) => Act::Turned(turned(3)),
            (Answer::Beaver, _) if known(2) => Act::Turned(turned(2)),
            _ if known(1) => Act::Turned(turned(1)),
            _ => Act::Hold,
        }
    }
}

/// Chances in order, whatever rounding or an evaluator of one's own has done to them.
fn tidy(probs: &Probs) -> Probs {
    let win = probs.win.clamp(0.0, 1.0);
    let win_gammon = probs.win_gammon.clamp(0.0, win);
    let lose_gammon = probs.lose_gammon.clamp(0.0, 1.0 - win);
    Probs {
        win,
        win_gammon,
        win_backgammon: probs.win_backgammon.clamp(0.0, win_gammon),
        lose_gammon,
        lose_backgammon: probs.lose_backgammon.clamp(0.0, lose_gammon),
    }
}

fn odds(probs: &Probs) -> Odds {
    let tidy = tidy(probs);
    let even = Odds { win: 0.5, wins: [1.0, 0.0, 0.0], losses: [1.0, 0.0, 0.0] };
    // Tidy chances are chances.
    Odds::new(&tidy).unwrap_or(even)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::formula::PostCrawford;
    use crate::rules::Backgammon;
    use crate::testing::position;

    fn met() -> Met {
        Met::normal("normal", [PostCrawford::ZADEH; 2])
    }

    fn money(state: MatchState) -> CubeTable {
        CubeTable::new(&state, None, CubeLife::MEASURED).unwrap()
    }

    fn wins(win: f32) -> Probs {
        Probs { win, ..Probs::default() }
    }

    #[test]
    fn doubles_are_offered_taken_and_passed_by_both() {
        let table = money(MatchState::MONEY);
        let here = position(&[(6, 5), (5, 5)], &[(6, 5), (4, 5)]);
        for ours in [true, false] {
            let act = |win| table.act(&here, &wins(win), table.start(), ours);
            assert_eq!(act(0.5), Act::Hold);
            assert_eq!(act(0.75), Act::Turned(CubeState { log2: 1, ours: Some(!ours) }));
            assert_eq!(act(0.95), Act::Ended(if ours { 1.0 } else { -1.0 }));
            let theirs = CubeState { log2: 1, ours: Some(!ours) };
            assert_eq!(table.act(&here, &wins(0.95), theirs, ours), Act::Hold, "the other owns the cube");
            let own = CubeState { log2: 3, ours: Some(ours) };
            assert_eq!(table.act(&here, &wins(0.95), own, ours), Act::Ended(if ours { 8.0 } else { -8.0 }));
        }
    }

    #[test]
    fn games_are_worth_their_stakes() {
        let table = money(MatchState { jacoby: true, ..MatchState::MONEY });
        let centred = table.start();
        let turned = CubeState { log2: 2, ours: Some(false) };
        // Gammons count only after a double.
        assert_eq!(table.result(true, Outcome::Gammon, centred), 1.0);
        assert_eq!(table.result(false, Outcome::Backgammon, turned), -12.0);
        assert_eq!(table.weights(centred, true), Some([2.0, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(table.weights(turned, false), None);
        let dmp = CubeTable::new(&MatchState::at_score(1, 0, 0), Some(&met()), CubeLife::MEASURED).unwrap();
        assert_eq!(dmp.result(true, Outcome::Gammon, dmp.start()), 1.0);
        assert_eq!(dmp.result(false, Outcome::Gammon, dmp.start()), 0.0);
        assert!(!dmp.is_live(dmp.start()));
        let over = position(&[], &[(6, 15)]);
        assert_eq!(table.worth::<Backgammon>(&over, &wins(1.0), turned, true), 8.0);
        assert_eq!(table.worth::<Backgammon>(&over, &wins(1.0), turned, false), -8.0);
    }

    #[test]
    fn the_match_is_seen_alike_by_both() {
        let table = CubeTable::new(&MatchState::at_score(7, 2, 4), Some(&met()), CubeLife::MEASURED).unwrap();
        let here = position(&[(6, 5), (5, 5)], &[(6, 5), (4, 5)]);
        let probs = Probs { win: 0.6, win_gammon: 0.2, lose_gammon: 0.1, ..Probs::default() };
        let dead =
            CubeTable::new(&MatchState::at_score(7, 2, 4), Some(&met()), CubeLife::constant(0.0)).unwrap();
        let cube = CubeState { log2: 2, ours: Some(true) };
        let mine = dead.worth::<Backgammon>(&here, &probs, cube, true);
        let theirs = dead.worth::<Backgammon>(&here, &probs.flipped(), cube, false);
        assert!((mine - theirs).abs() < 1e-6 && mine > 0.0 && mine < 1.0);
        assert!(table.weights(table.start(), true).is_some());
    }

    #[test]
    fn beavers_are_turned_at_once() {
        let table = money(MatchState { beavers: true, ..MatchState::MONEY });
        // A free-wheeling model never doubles into a beaver; what a beaver leads to is seen by the other's reply.
        let here = position(&[(6, 5), (5, 5)], &[(6, 5), (4, 5)]);
        for win in [0.3, 0.5, 0.7, 0.8, 0.9] {
            match table.act(&here, &wins(win), table.start(), true) {
                Act::Turned(cube) => assert_eq!(cube, CubeState { log2: 1, ours: Some(false) }),
                Act::Ended(value) => assert_eq!(value, 1.0),
                Act::Hold => assert!(win < 0.75),
            }
        }
    }
}
