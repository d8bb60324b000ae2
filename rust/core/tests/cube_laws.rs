//! What holds of every cube decision: bounds, monotony, symmetry.

mod mets;

use gammon_core::cube::janowski::{Cube, Lines, Odds};
use gammon_core::cube::{BeaverReply, Refusal, Stakes, decide};
use gammon_core::rng::Stream;
use gammon_core::{MatchState, Player, Probs};

/// A cube of 2 to the power of `cube` that belongs to `owner`.
fn owned(state: MatchState, cube: u8, owner: Player) -> MatchState {
    MatchState { cube_log2: cube, cube_owner: Some(owner), ..state }
}

/// Away scores instead of points scored.
fn away(me: u16, opp: u16) -> MatchState {
    let length = me.max(opp);
    MatchState::at_score(length, length - me, length - opp)
}

/// A sequence of random numbers.
struct Numbers(Stream, u64);

impl Numbers {
    fn new(seed: u64) -> Numbers {
        Numbers(Stream::new(seed, 0), 0)
    }

    fn unit(&mut self) -> f64 {
        self.1 += 1;
        self.0.unit(self.1)
    }

    /// Chances: gammons within wins and backgammons within gammons.
    fn probs(&mut self) -> Probs {
        let mut unit = || self.unit() as f32;
        let win = unit();
        let (wg, lg) = (win * unit(), (1.0 - win) * unit());
        Probs {
            win,
            win_gammon: wg,
            win_backgammon: wg * unit(),
            lose_gammon: lg,
            lose_backgammon: lg * unit(),
        }
    }
}

/// Scores of every kind: money with all rules, matches with all cubes, Crawford and after.
fn states() -> Vec<MatchState> {
    let mut all = Vec::new();
    for (jacoby, beavers, cube_limit) in [(false, false, None), (true, true, None), (false, true, Some(3))] {
        let state = MatchState { jacoby, beavers, cube_limit, ..MatchState::MONEY };
        all.extend([state, owned(state, 1, Player::Roller), owned(state, 2, Player::Opponent)]);
    }
    for (me, opp) in [(2, 2), (3, 5), (1, 4), (5, 1), (7, 7), (9, 2), (25, 25), (64, 30), (1, 1)] {
        all.push(away(me, opp));
        for cube in 1..4 {
            all.extend([Player::Roller, Player::Opponent].map(|owner| owned(away(me, opp), cube, owner)));
        }
    }
    all.push(MatchState { crawford: true, ..away(1, 4) });
    all.push(MatchState { crawford: true, ..away(6, 1) });
    all
}

/// The match winning chances after the worst and the best end of a game: backgammons if the cube cannot be
/// turned any more, else the match lost or won.
fn reachable(state: &MatchState, stakes: &Stakes) -> [f64; 2] {
    use gammon_core::Outcome::Backgammon;
    let dead = matches!(stakes.may_double(), Err(Refusal::Crawford | Refusal::DeadCube));
    if state.is_money() || !dead {
        return [0.0, 1.0];
    }
    [false, true].map(|won| {
        let end = decide(stakes, &Probs::certain(won, Backgammon), 0.0).unwrap();
        end.mwc(end.no_double).unwrap()
    })
}

#[test]
fn equities_stay_between_the_worst_and_the_best_result() {
    let met = mets::load("kazaross-xg2");
    let mut numbers = Numbers::new(5);
    for state in states() {
        let stakes = Stakes::new(&state, Some(&met)).unwrap();
        let [low, high] = reachable(&state, &stakes);
        for _ in 0..200 {
            let life = numbers.unit();
            let decision = decide(&stakes, &numbers.probs(), life).unwrap();
            let mut all = vec![(decision.no_double, 3.0), (decision.cubeless, 3.0)];
            if let Ok(doubled) = &decision.doubled {
                all.extend([(doubled.take, 6.0), (doubled.cubeless, 6.0), (doubled.pass, 1.0)]);
                let raccooned = doubled.reply == Some(BeaverReply::Raccoon);
                all.extend(doubled.beaver.map(|beaver| (beaver, if raccooned { 24.0 } else { 12.0 })));
                all.extend(doubled.raccoon.map(|raccoon| (raccoon, 24.0)));
                let errors = doubled.verdict.errors;
                for error in [errors.missed_double, errors.wrong_double, errors.wrong_take, errors.wrong_pass]
                {
                    assert!(error >= 0.0, "{state:?} {decision:?}");
                }
            }
            for (equity, bound) in all {
                assert!(equity.is_finite());
                if state.is_money() {
                    assert!(equity.abs() <= bound + 1e-9, "{state:?} {decision:?}");
                } else {
                    let mwc = stakes.from_equity(equity);
                    assert!((low - 1e-9..=high + 1e-9).contains(&mwc), "{mwc} {state:?} {decision:?}");
                }
            }
        }
    }
}

#[test]
fn values_do_not_fall_with_the_chance_to_win() {
    let met = mets::load("kazaross-xg2");
    let mut numbers = Numbers::new(6);
    for state in states() {
        let stakes = Stakes::new(&state, Some(&met)).unwrap();
        for _ in 0..40 {
            let odds = Odds::new(&numbers.probs()).unwrap();
            let life = numbers.unit();
            let lines = Lines::new(&stakes, &odds);
            for owner in [None, Some(Player::Roller), Some(Player::Opponent)] {
                let value = |i: u32| lines.value(f64::from(i) / 50.0, Cube { turns: 0, owner }, life);
                for i in 0..50 {
                    assert!(value(i + 1) >= value(i) - 1e-12, "{state:?} {odds:?} at {i}");
                }
            }
        }
    }
}

#[test]
fn model_changes_sign_with_the_players_exchanged() {
    let met = mets::load("kazaross-xg2");
    let mut numbers = Numbers::new(7);
    for state in states() {
        let stakes = Stakes::new(&state, Some(&met)).unwrap();
        let flipped = Stakes::new(&state.flip(), Some(&met)).unwrap();
        for _ in 0..100 {
            let odds = Odds::new(&numbers.probs()).unwrap();
            let life = numbers.unit();
            let cube = Cube { turns: 0, owner: state.cube_owner };
            let other = Cube { turns: 0, owner: state.flip().cube_owner };
            let mine = Lines::new(&stakes, &odds).value(odds.win, cube, life);
            let his = Lines::new(&flipped, &odds.flipped()).value(1.0 - odds.win, other, life);
            let sum = if state.is_money() { 0.0 } else { 1.0 };
            assert!((mine + his - sum).abs() < 1e-9, "{state:?} {odds:?}: {mine} {his}");
        }
    }
}
