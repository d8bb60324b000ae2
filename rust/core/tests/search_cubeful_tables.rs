//! The cube inside a search that meets two-sided tables, whose equities are known for certain.

mod mets;
mod players;

use gammon_core::bearoff::{Storage, TwoSided};
use gammon_core::cube::{CubeLife, ExactEquities, decide, decide_exact};
use gammon_core::eval::{EvalError, Evaluator, Exact};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::parallel::unwatched;
use gammon_core::search::{Cache, CubeUse, Search};
use gammon_core::{Backgammon, MatchState, Player, Position, Probs, Roll, Rules};
use players::{Plain, position};

/// Knows a two-sided table, and elsewhere plays like [`Plain`].
struct Table(TwoSided);

impl Evaluator for Table {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        Plain.evaluate(positions, out)?;
        for (position, out) in positions.iter().zip(out) {
            *out = self.exact(position).map_or(*out, |exact| exact.probs);
        }
        Ok(())
    }

    fn exact(&self, position: &Position) -> Option<Exact> {
        let found = self.0.find_position(position)?;
        Some(Exact {
            probs: Probs { win: found.win() as f32, ..Probs::default() },
            centred: found.centred_no_double,
            owned: found.owned_no_double,
            opponent_owned: found.opponent_owned,
        })
    }

    fn id(&self) -> &str {
        "table"
    }
}

fn table(checkers: usize) -> Table {
    Table(TwoSided::build(6, checkers, Storage::F32, 1, &mut unwatched).unwrap())
}

/// Bear-offs of so many checkers a side.
fn bear_offs(checkers: u8) -> Vec<Position> {
    (0..40u8)
        .map(|i| {
            let side = |k: u8| {
                let (near, far) = (1 + usize::from(k) % 3, 4 + usize::from(k) % 3);
                let few = (k / 3) % checkers;
                vec![(near, checkers - few), (far, few)]
            };
            position(&side(i), &side(i / 2 + 5))
        })
        .collect()
}

#[test]
fn what_is_known_exactly_is_not_searched() {
    let table = table(3);
    let positions = bear_offs(3);
    for plies in 0..=4 {
        let search: Search = Search { plies, ..Search::new(&table) };
        let found = search.evaluate(&positions, None, &mut |_| panic!("nothing to do")).unwrap();
        for (position, found) in positions.iter().zip(found) {
            assert_eq!(found.probs, table.exact(position).unwrap().probs);
        }
        for (owner, column) in [(None, 1), (Some(Player::Roller), 3), (Some(Player::Opponent), 5)] {
            let cube_log2 = u8::from(owner.is_some());
            let state = MatchState { cube_log2, cube_owner: owner, jacoby: true, ..MatchState::MONEY };
            let cube = CubeUse::new(&state, None, CubeLife::MEASURED).unwrap();
            let search = Search { cube: Some(&cube), ..search };
            let found = search.evaluate(&positions, None, &mut unwatched).unwrap();
            for (position, found) in positions.iter().zip(found) {
                let known = table.0.find_position(position).unwrap();
                assert_eq!(found.equity, known.columns()[column], "{owner:?} {position:?}");
                let take = (owner != Some(Player::Opponent)).then(|| known.double_take());
                assert_eq!(found.double_take, take);
                let decision = search.decide_cube(position, None, &mut unwatched).unwrap();
                let exact = ExactEquities {
                    cubeless: f64::from(found.probs.equity()),
                    no_double: known.columns()[column],
                    opponent_owned: known.opponent_owned,
                };
                let expected = decide_exact(cube.stakes(), &exact).unwrap();
                assert!((decision.cubeless - expected.cubeless).abs() < 1e-7);
                assert_eq!(
                    gammon_core::cube::CubeDecision { cubeless: expected.cubeless, ..decision },
                    expected
                );
            }
        }
    }
}

/// Where both know everything, a search that ends in a small table finds what a larger one holds.
#[test]
fn a_search_to_the_edge_of_a_table_is_exact() {
    let (small, large) = (table(3), table(4));
    for (owner, column) in [(None, 1), (Some(Player::Roller), 3), (Some(Player::Opponent), 5)] {
        let cube_log2 = u8::from(owner.is_some());
        let state = MatchState { cube_log2, cube_owner: owner, ..MatchState::MONEY };
        let cube = CubeUse::new(&state, None, CubeLife::MEASURED).unwrap();
        let mut cache = Cache::new(1 << 10);
        // The roller's four checkers on low points: each roll bears one off.
        for ours in [[(1, 4), (2, 0)], [(1, 1), (2, 3)], [(1, 3), (2, 1)]] {
            for theirs in [[(1, 3), (6, 0)], [(4, 2), (6, 1)], [(5, 1), (6, 2)]] {
                let position = position(&ours, &theirs);
                let known = large.0.find_position(&position).unwrap();
                for plies in 1..=3 {
                    let search: Search = Search { plies, cube: Some(&cube), ..Search::new(&small) };
                    let found = search.evaluate(&[position], Some(&mut cache), &mut unwatched).unwrap()[0];
                    assert!(
                        (found.equity - known.columns()[column]).abs() < 1e-6,
                        "{plies} {position:?}: {found:?}"
                    );
                    if owner != Some(Player::Opponent) {
                        assert!((found.double_take.unwrap() - known.double_take()).abs() < 1e-6);
                    }
                }
            }
        }
    }
}

#[test]
fn in_a_match_and_near_the_limit_tables_give_chances_only() {
    let met = mets::load("kazaross-xg2");
    let table = table(3);
    let near = MatchState { cube_limit: Some(2), ..MatchState::MONEY };
    for state in [near, MatchState::at_score(5, 3, 2)] {
        let cube = CubeUse::new(&state, Some(&met), CubeLife::MEASURED).unwrap();
        let search: Search = Search { cube: Some(&cube), ..Search::new(&table) };
        for position in bear_offs(3) {
            let probs = table.exact(&position).unwrap().probs;
            let expected = decide(cube.stakes(), &probs, CubeLife::MEASURED.of(&position)).unwrap();
            assert_eq!(search.decide_cube(&position, None, &mut unwatched), Ok(expected));
            let deeper = Search { plies: 1, ..search }.evaluate(&[position], None, &mut unwatched).unwrap();
            assert_ne!(deeper[0].equity, expected.no_double);
        }
    }
}

/// Equities with a cube that can be turned `doublings` more times: centred, owned, owned by the other.
struct Limited {
    known: std::collections::HashMap<(Position, usize), [f64; 3]>,
}

impl Limited {
    fn held(&mut self, position: &Position, doublings: usize) -> [f64; 3] {
        if let Some((won, _)) = Backgammon::result(position) {
            return [if won { 1.0 } else { -1.0 }; 3];
        }
        if let Some(known) = self.known.get(&(*position, doublings)) {
            return *known;
        }
        let (mut sums, mut buf) = ([0.0; 3], PlayBuf::new());
        for roll in Roll::ALL {
            movegen::plays::<Backgammon>(position, roll, &mut buf);
            let mut best = [f64::NEG_INFINITY; 3];
            for after in buf.positions().to_vec() {
                let [centred, owned, other] = self.best(&after, doublings);
                for (best, theirs) in best.iter_mut().zip([centred, other, owned]) {
                    *best = best.max(-theirs);
                }
            }
            sums.iter_mut().zip(best).for_each(|(sum, best)| *sum += f64::from(roll.weight()) / 36.0 * best);
        }
        self.known.insert((*position, doublings), sums);
        sums
    }

    fn best(&mut self, position: &Position, doublings: usize) -> [f64; 3] {
        let [centred, owned, other] = self.held(position, doublings);
        if doublings == 0 || Backgammon::result(position).is_some() {
            return [centred, owned, other];
        }
        let doubled = (2.0 * self.held(position, doublings - 1)[2]).min(1.0);
        [centred.max(doubled), owned.max(doubled), other]
    }
}

/// Tables know of no limit to the cube; [`CubeUse`] takes them from eight doublings below one.
#[test]
fn a_limit_eight_doublings_away_is_far() {
    let table = table(3);
    let mut limited = Limited { known: Default::default() };
    let mut worst = [0.0f64; 9];
    for position in bear_offs(3) {
        let known = table.0.find_position(&position).unwrap();
        let free = [known.centred_no_double, known.owned_no_double, known.opponent_owned];
        for (doublings, worst) in worst.iter_mut().enumerate() {
            for (held, free) in limited.held(&position, doublings).into_iter().zip(free) {
                *worst = worst.max((held - free).abs());
            }
        }
    }
    assert!(worst[0] > 0.01 && worst[8] < 1e-6, "{worst:?}");
}
