//! The cube inside a search: by an obvious recursion and by hand (`search_cubeful_tables` is against solved tables).

mod mets;
mod players;

use gammon_core::cube::janowski::{Cube, Lines, Odds};
use gammon_core::cube::{CubeLife, Met, Stakes, decide};
use gammon_core::eval::Evaluator;
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::parallel::unwatched;
use gammon_core::search::{CubeUse, Filter, RankedPlay, Search, SearchError};
use gammon_core::{Backgammon, MatchState, Player, Position, Probs, Roll, Rules};
use players::{Flat, Plain, position, positions, rank, search, static_value};

/// The definition, word by word. Values are those of the player on roll, in points or match winning chances.
struct Definition<'a> {
    met: &'a Met,
    evaluator: &'a dyn Evaluator,
    life: CubeLife,
}

impl Definition<'_> {
    fn stakes(&self, state: &MatchState) -> Stakes {
        Stakes::new(state, Some(self.met)).unwrap()
    }

    /// From the unit of one state's stakes: a cube of 1, or winning chances.
    fn flipped(value: f64, state: &MatchState) -> f64 {
        if state.is_money() { -value } else { 1.0 - value }
    }

    /// The static value.
    fn leaf(&self, position: &Position, state: &MatchState) -> f64 {
        let stakes = self.stakes(state);
        let odds = Odds::new(&static_value(self.evaluator, position)).unwrap();
        let cube = Cube { turns: 0, owner: state.cube_owner };
        let lines = Lines::new(&stakes, &odds);
        let value = match Backgammon::result(position) {
            Some(_) => lines.dead(odds.win, 0),
            None => lines.value(odds.win, cube, self.life.of(position)),
        };
        if state.is_money() { value * f64::from(state.cube_value()) } else { value }
    }

    /// The value without a double this time. Replies are chosen with the cube as it stands at the root, `seen`.
    fn held(&self, position: &Position, plies: usize, state: &MatchState, seen: &MatchState) -> f64 {
        if plies == 0 || Backgammon::result(position).is_some() {
            return self.leaf(position, state);
        }
        let mut buf = PlayBuf::new();
        let mut sum = 0.0;
        for roll in Roll::ALL {
            movegen::plays::<Backgammon>(position, roll, &mut buf);
            let values: Vec<f64> =
                buf.positions().iter().map(|after| self.leaf(after, &seen.flip())).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let best = values.iter().position(|&value| value == least).unwrap();
            let after = buf.positions()[best];
            let value = self.decided(&after, plies - 1, &state.flip(), &seen.flip());
            sum += f64::from(roll.weight()) * Self::flipped(value, state);
        }
        sum / 36.0
    }

    /// The value before the decision about the cube.
    fn decided(&self, position: &Position, plies: usize, state: &MatchState, seen: &MatchState) -> f64 {
        let held = self.held(position, plies, state, seen);
        let may_double = gammon_core::cube::may_double(state, Player::Roller).is_ok();
        if plies == 0 || Backgammon::result(position).is_some() || !may_double {
            return held;
        }
        let cashed = self.stakes(state).from_equity(1.0)
            * if state.is_money() { f64::from(state.cube_value()) } else { 1.0 };
        held.max(self.doubled(position, plies, state, seen).min(cashed))
    }

    /// The value of a double that is taken or beavered, whichever the other likes better.
    fn doubled(&self, position: &Position, plies: usize, state: &MatchState, seen: &MatchState) -> f64 {
        let (take, beaver, _) = self.answers(position, plies, state, seen);
        beaver.map_or(take, |beaver| take.min(beaver))
    }

    /// The values of a take, of a beaver, and of a raccoon.
    fn answers(
        &self,
        position: &Position,
        plies: usize,
        state: &MatchState,
        seen: &MatchState,
    ) -> (f64, Option<f64>, Option<f64>) {
        let turned = |times: u8| {
            let cube_log2 = state.cube_log2 + times;
            let allowed = state.cube_limit.is_none_or(|limit| cube_log2 <= limit);
            let turned = MatchState { cube_log2, cube_owner: Some(Player::Opponent), ..*state };
            allowed.then(|| self.held(position, plies, &turned, seen))
        };
        let take = turned(1).expect("a double is allowed");
        let beavered = if state.beavers { turned(2) } else { None };
        let raccoon = beavered.and(turned(3));
        let given_up = -2.0 * f64::from(state.cube_value());
        let beaver = beavered.map(|beavered| beavered.max(given_up).max(raccoon.unwrap_or(beavered)));
        (take, beaver, raccoon)
    }
}

/// Money by all rules, and matches in which the cube matters.
fn states() -> Vec<MatchState> {
    let owned = |cube_log2, owner, state| MatchState { cube_log2, cube_owner: Some(owner), ..state };
    let money = MatchState { cube_limit: None, ..MatchState::MONEY };
    let rules = MatchState { jacoby: true, beavers: true, ..money };
    vec![
        money,
        rules,
        MatchState { cube_limit: Some(3), ..rules },
        owned(1, Player::Roller, rules),
        owned(1, Player::Opponent, money),
        MatchState::at_score(5, 2, 1),
        owned(1, Player::Opponent, MatchState::at_score(7, 3, 5)),
        MatchState::at_score(5, 4, 2),
        MatchState { crawford: true, ..MatchState::at_score(5, 2, 4) },
    ]
}

#[test]
fn values_are_those_of_the_definition() {
    let met = mets::load("kazaross-xg2");
    let (definition, positions) =
        (Definition { met: &met, evaluator: &Plain, life: CubeLife::MEASURED }, positions());
    for state in states() {
        let cube = CubeUse::new(&state, Some(&met), CubeLife::MEASURED).unwrap();
        let stakes = Stakes::new(&state, Some(&met)).unwrap();
        let unit = if state.is_money() { f64::from(state.cube_value()) } else { 1.0 };
        let equity = |value: f64| stakes.to_equity(value / unit);
        for (plies, positions) in [(1, &positions[..]), (2, &positions[5..])] {
            let search = Search { cube: Some(&cube), ..search(plies) };
            let found = search.evaluate(positions, None, &mut unwatched).unwrap();
            for (position, found) in positions.iter().zip(found) {
                let near = |found: f64, value: f64| {
                    let expected = equity(value);
                    assert!(
                        (found - expected).abs() < 1e-6,
                        "{state:?} {plies} {position:?}: {found} {expected}"
                    );
                };
                near(found.equity, definition.held(position, plies, &state, &state));
                if let Some(take) = found.double_take {
                    let answers = definition.answers(position, plies, &state, &state);
                    near(take, answers.0);
                    if Backgammon::result(position).is_none() {
                        let decision = search.decide_cube(position, None, &mut unwatched).unwrap();
                        let doubled = decision.doubled.unwrap();
                        assert_eq!(doubled.beaver.is_some(), answers.1.is_some());
                        if let Some(beaver) = answers.1 {
                            near(doubled.beaver.unwrap(), beaver);
                        }
                    }
                }
            }
        }
    }
}

/// Under Jacoby a double may be right although it is beavered, for it makes gammons count (Kauder's paradox).
#[test]
fn a_beaver_below_the_root_counts() {
    let met = mets::load("kazaross-xg2");
    // The model's live cube counts the gammons of a centred cube too: it expects a double in time.
    let life = CubeLife::constant(0.0);
    let mut differ = [0, 0];
    for gammons in [0.11f32, 0.13, 0.14, 0.15, 0.17] {
        // The opponent, on roll after one ply, wins 42 % and many gammons.
        let flat = Flat(Probs { win: 0.58, lose_gammon: gammons, ..Probs::default() });
        for jacoby in [false, true] {
            let equity = |beavers: bool| {
                let state = MatchState { jacoby, beavers, cube_limit: None, ..MatchState::MONEY };
                let cube = CubeUse::new(&state, None, life).unwrap();
                let search: Search = Search { plies: 2, cube: Some(&cube), ..Search::new(&flat) };
                let found = search.evaluate(&[Position::START], None, &mut unwatched).unwrap()[0].equity;
                let definition = Definition { met: &met, evaluator: &flat, life };
                let expected = definition.held(&Position::START, 2, &state, &state);
                assert!((found - expected).abs() < 1e-6, "{jacoby} {beavers} {gammons}: {found} {expected}");
                found
            };
            let (without, with) = (equity(false), equity(true));
            assert!(with >= without, "a beaver is a choice of the player at the root");
            differ[usize::from(jacoby)] += usize::from(with > without);
        }
    }
    assert_eq!(differ[0], 0, "without Jacoby a double that is worth a beaver is no double");
    assert!(differ[1] > 0);
}

#[test]
fn the_opponent_doubles_his_last_roll() {
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    // After the roll one checker of the mover's is left, and the opponent has 19 throws of 36.
    let before = position(&[(1, 3)], &[(5, 1), (2, 1)]);
    let search = Search { cube: Some(&cube), ..search(2) };
    let ranking = rank(&search, &before, Roll::new(2, 1).unwrap());
    assert!((ranking.plays[0].equity - -2.0 * (2.0 * 19.0 / 36.0 - 1.0)).abs() < 1e-7, "{ranking:?}");
    // He may not if the mover owns the cube.
    let owned = MatchState { cube_log2: 1, cube_owner: Some(Player::Roller), ..MatchState::MONEY };
    let cube = CubeUse::new(&owned, None, CubeLife::MEASURED).unwrap();
    let ranking = rank(&Search { cube: Some(&cube), ..search }, &before, Roll::new(2, 1).unwrap());
    assert!((ranking.plays[0].equity - -(2.0 * 19.0 / 36.0 - 1.0)).abs() < 1e-7, "{ranking:?}");
    // On roll with those 19 throws: double, take.
    let last = position(&[(5, 1), (2, 1)], &[(1, 1)]);
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    let search = Search { cube: Some(&cube), ..search };
    let value = search.evaluate(&[last], None, &mut unwatched).unwrap()[0];
    assert!(
        (value.equity - 2.0 / 36.0).abs() < 1e-7 && (value.double_take.unwrap() - 4.0 / 36.0).abs() < 1e-7
    );
}

#[test]
fn a_static_cubeful_value_is_the_cube_decision() {
    let stakes = Stakes::new(&MatchState::MONEY, None).unwrap();
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    let positions = positions();
    let found = Search { cube: Some(&cube), ..search(0) }.evaluate(&positions, None, &mut unwatched).unwrap();
    for (position, found) in positions.iter().zip(found) {
        let decision = decide(&stakes, &found.probs, CubeLife::MEASURED.of(position)).unwrap();
        assert_eq!(found.equity, decision.no_double);
        assert_eq!(found.double_take, decision.doubled.ok().map(|doubled| doubled.take));
        let decided = Search { cube: Some(&cube), ..search(0) }.decide_cube(position, None, &mut unwatched);
        assert_eq!(decided, Ok(decision));
    }
}

#[test]
fn a_cube_decision_has_the_equities_of_the_search() {
    let beavers = MatchState { beavers: true, ..MatchState::MONEY };
    let cube = CubeUse::new(&beavers, None, CubeLife::MEASURED).unwrap();
    let search = Search { cube: Some(&cube), ..search(2) };
    for position in &positions()[..4] {
        let value = search.evaluate(&[*position], None, &mut unwatched).unwrap()[0];
        let decision = search.decide_cube(position, None, &mut unwatched).unwrap();
        assert_eq!(
            (decision.no_double, decision.doubled.unwrap().take),
            (value.equity, value.double_take.unwrap())
        );
        assert!((decision.cubeless - f64::from(value.probs.equity())).abs() < 1e-6);
    }
    // Nineteen throws of 36: the favourite answers a beaver by a raccoon, and plays for eight.
    let last = position(&[(5, 1), (2, 1)], &[(1, 1)]);
    let doubled = search.decide_cube(&last, None, &mut unwatched).unwrap().doubled.unwrap();
    assert!((doubled.beaver.unwrap() - 16.0 / 36.0).abs() < 1e-6, "{doubled:?}");
    let no_cube = Search { cube: None, ..search };
    assert_eq!(no_cube.decide_cube(&last, None, &mut unwatched), Err(SearchError::NoCube));
}

#[test]
fn a_cube_at_its_limit_changes_nothing() {
    // The cube is at its limit: the cubeful value is the cubeless one at every depth.
    let state = MatchState {
        cube_log2: 1,
        cube_owner: Some(Player::Opponent),
        cube_limit: Some(1),
        ..MatchState::MONEY
    };
    let cube = CubeUse::new(&state, None, CubeLife::MEASURED).unwrap();
    let positions = positions();
    for plies in 0..=2 {
        let cubeful = Search { cube: Some(&cube), ..search(plies) };
        let found = cubeful.evaluate(&positions, None, &mut unwatched).unwrap();
        let cubeless = search(plies).evaluate(&positions, None, &mut unwatched).unwrap();
        for (a, b) in found.iter().zip(cubeless) {
            assert!((a.equity - b.equity).abs() < 1e-6 && a.double_take.is_none(), "{plies}: {a:?} {b:?}");
        }
    }
}

/// Scores judge the chances of one search: what they say of a play is what the model says of its chances.
#[test]
fn a_table_of_scores_is_one_search_and_many_equities() {
    let met = mets::load("kazaross-xg2");
    let mut states = vec![MatchState { jacoby: true, ..MatchState::MONEY }];
    for (me, opp) in [(1, 1), (2, 4), (4, 2), (5, 5), (3, 1)] {
        states.push(MatchState::at_score(5, 5 - me, 5 - opp));
    }
    states.push(MatchState { crawford: true, ..MatchState::at_score(5, 2, 4) });
    let use_of = |state| CubeUse::new(state, Some(&met), CubeLife::MEASURED).unwrap();
    let scores: Vec<CubeUse> = states.iter().map(use_of).collect();
    let roll = Roll::new(4, 3).unwrap();
    for plies in 0..=1 {
        let search = Search { filter: Filter::NARROW, ..search(plies) };
        let table = search.rank_at_scores(&Position::START, roll, &scores, None, &mut unwatched).unwrap();
        let alone = rank(&search, &Position::START, roll);
        let deep = |plays: &[RankedPlay]| plays.iter().filter(|play| play.plies == plies).count();
        assert!(deep(&table.ranking.plays) >= deep(&alone.plays));
        assert_eq!(table.ranking.plays[0], alone.plays[0]);
        for (number, state) in states.iter().enumerate() {
            let exchanged = met.exchanged();
            let stakes = Stakes::new(&state.flip(), Some(&exchanged)).unwrap();
            let equities = &table.equities[number];
            for (play, equity) in table.ranking.plays.iter().zip(equities) {
                let odds = Odds::new(&play.probs.flipped()).unwrap();
                let cube = Cube { turns: 0, owner: None };
                let life = CubeLife::MEASURED.of(&play.after);
                let value = Lines::new(&stakes, &odds).value(odds.win, cube, life);
                assert!((equity + stakes.to_equity(value)).abs() < 1e-6, "{state:?} {play:?}");
            }
            let best = table.best(number);
            let better =
                |(play, equity): (&RankedPlay, &f64)| play.plies == plies && *equity > equities[best];
            assert!(!table.ranking.plays.iter().zip(equities).any(better));
            // Without lookahead that is the cubeful ranking at the score.
            if plies == 0 {
                let cubeful = rank(&Search { cube: Some(&scores[number]), ..search }, &Position::START, roll);
                assert!((cubeful.plays[0].equity - equities[best]).abs() < 1e-6);
            }
        }
    }
}
