//! Laws of the search, by an obvious recursion, by hand, and by repetition.

mod players;

use std::ops::ControlFlow;

use gammon_core::cube::CubeLife;
use gammon_core::eval::{EvalError, Evaluator};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::parallel::unwatched;
use gammon_core::search::{Cache, CubeUse, Filter, Search, SearchError, Stage};
use gammon_core::{Backgammon, MatchState, Position, Probs, Roll, Rules};
use players::{Flat, Plain, position, positions, rank, search, static_value};

/// The definition, word by word.
fn by_definition(position: &Position, plies: usize) -> [f64; 5] {
    if plies == 0 || Backgammon::result(position).is_some() {
        return static_value(&Plain, position).to_array().map(f64::from);
    }
    let mut buf = PlayBuf::new();
    let mut sum = [0.0; 5];
    for roll in Roll::ALL {
        movegen::plays::<Backgammon>(position, roll, &mut buf);
        let mut best = buf.positions()[0];
        for after in buf.positions() {
            if static_value(&Plain, after).equity() < static_value(&Plain, &best).equity() {
                best = *after;
            }
        }
        let [win, wg, wb, lg, lb] = by_definition(&best, plies - 1);
        for (sum, chance) in sum.iter_mut().zip([1.0 - win, lg, lb, wg, wb]) {
            *sum += f64::from(roll.weight()) / 36.0 * chance;
        }
    }
    sum
}

#[test]
fn values_are_those_of_the_definition() {
    let positions = positions();
    for plies in 0..=2 {
        let found = search(plies).evaluate(&positions, None, &mut unwatched).unwrap();
        for (position, found) in positions.iter().zip(found) {
            let expected = by_definition(position, plies);
            for (a, b) in found.probs.to_array().into_iter().zip(expected) {
                assert!(
                    (f64::from(a) - b).abs() < 1e-6,
                    "{plies} plies, {position:?}: {found:?} {expected:?}"
                );
            }
            assert_eq!(found.equity, f64::from(found.probs.equity()));
        }
    }
}

#[test]
fn threads_and_caches_change_no_bit() {
    let positions = positions();
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    let mut cache = Cache::new(1 << 12);
    for cube in [None, Some(&cube)] {
        for plies in 0..=3 {
            let alone = Search { cube, ..search(plies) };
            let some = if plies < 3 { &positions[..] } else { &positions[8..] };
            let expected = alone.evaluate(some, None, &mut unwatched).unwrap();
            let together = Search { threads: 3, ..alone };
            assert_eq!(together.evaluate(some, None, &mut unwatched).unwrap(), expected);
            for _ in 0..2 {
                assert_eq!(alone.evaluate(some, Some(&mut cache), &mut unwatched).unwrap(), expected);
            }
            let roll = Roll::new(2, 1).unwrap();
            let ranked = rank(&alone, &some[0], roll);
            assert_eq!(rank(&together, &some[0], roll), ranked);
            assert_eq!(alone.rank(&some[0], roll, Some(&mut cache), &mut unwatched).unwrap(), ranked);
        }
    }
    assert!(cache.hits() > 0 && cache.misses() > 0);
    cache.clear();
}

#[test]
fn a_small_cache_forgets_but_does_not_confuse() {
    let positions = positions();
    let mut cache = Cache::new(2);
    let expected = search(2).evaluate(&positions, None, &mut unwatched).unwrap();
    assert_eq!(search(2).evaluate(&positions, Some(&mut cache), &mut unwatched).unwrap(), expected);
    let flat = Flat::singly(0.25);
    let other = Search { plies: 1, ..Search::new(&flat) };
    let plain = other.evaluate(&positions[..3], None, &mut unwatched).unwrap();
    assert_eq!(other.evaluate(&positions[..3], Some(&mut cache), &mut unwatched).unwrap(), plain);
}

/// Two checkers on the 5- and the 2-point, all or nothing: 19 of the 36 throws bear both off.
#[test]
fn last_rolls_are_exact() {
    let last = position(&[(5, 1), (2, 1)], &[(1, 1)]);
    let value = search(2).evaluate(&[last], None, &mut unwatched).unwrap()[0];
    assert_eq!(value.probs, Probs { win: (19.0f64 / 36.0) as f32, ..Probs::default() });
    // One ply is enough after a play: the opponent bears off whatever he throws.
    let ranking = rank(&search(1), &last, Roll::new(4, 1).unwrap());
    assert!(ranking.plays.iter().filter(|play| play.plies == 1).all(|play| play.equity == -1.0));
    let over = position(&[], &[(6, 15)]);
    let certain = search(3).evaluate(&[over], None, &mut unwatched).unwrap()[0];
    assert_eq!(certain.equity, 2.0);
}

#[test]
fn rankings_keep_all_plays_and_say_how_deep() {
    let roll = Roll::new(6, 2).unwrap();
    let mut buf = PlayBuf::new();
    movegen::plays::<Backgammon>(&Position::START, roll, &mut buf);
    for filter in [Filter::NARROW, Filter::WIDE, Filter::ALL] {
        let ranking = rank(&Search { filter, ..search(2) }, &Position::START, roll);
        let mut found: Vec<Position> = ranking.plays.iter().map(|play| play.after).collect();
        let mut expected = buf.positions().to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        let order = |a: &gammon_core::search::RankedPlay, b: &gammon_core::search::RankedPlay| {
            (a.plies, a.equity) >= (b.plies, b.equity)
        };
        assert!(ranking.plays.is_sorted_by(order), "{ranking:?}");
        assert_eq!(ranking.plays[0].plies, 2);
        let deepest = ranking.plays.iter().filter(|play| play.plies == 2).count();
        assert_eq!(deepest == ranking.plays.len(), filter == Filter::ALL);
        for play in &ranking.plays {
            let value = search(play.plies).evaluate(&[play.after], None, &mut unwatched).unwrap()[0];
            assert_eq!((play.probs, play.equity), (value.probs.flipped(), 0.0 - value.equity));
        }
    }
    // One stage that lets three in: three entries of depth 1, whatever their equities.
    let mut filter = Filter::ALL;
    filter.stages[0] = Stage { least: 3, most: 3, within: 0.0 };
    let ranking = rank(&Search { filter, ..search(1) }, &Position::START, roll);
    assert_eq!(ranking.plays.iter().filter(|play| play.plies == 1).count(), 3);
}

#[test]
fn ties_are_counted_and_keep_the_order_of_generation() {
    let roll = Roll::new(3, 1).unwrap();
    let mut buf = PlayBuf::new();
    movegen::plays::<Backgammon>(&Position::START, roll, &mut buf);
    let flat = Flat::singly(0.5);
    for plies in 0..=1 {
        let search: Search = Search { plies, filter: Filter::ALL, ..Search::new(&flat) };
        let ranking = rank(&search, &Position::START, roll);
        assert_eq!(ranking.ties(), 16);
        assert!(ranking.plays.iter().map(|play| play.after).eq(buf.positions().iter().copied()));
    }
    assert_eq!(rank(&search(0), &Position::START, roll).ties(), 1);
    let closed = position(&[(25, 1), (6, 14)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 3)]);
    let ranking = rank(&search(1), &closed, roll);
    assert!(ranking.pass && ranking.plays.len() == 1 && ranking.plays[0].after == closed.flip());
}

#[test]
fn what_cannot_be_searched_is_an_error() {
    struct Fails;
    impl Evaluator for Fails {
        fn evaluate(&self, _: &[Position], _: &mut [Probs]) -> Result<(), EvalError> {
            Err(EvalError::Foreign("out of order".into()))
        }
        fn id(&self) -> &str {
            "fails"
        }
    }
    let start = [Position::START];
    let roll = Roll::new(3, 1).unwrap();
    for plies in 0..=2 {
        for threads in [1, 2] {
            let failing: Search = Search { plies, threads, ..Search::new(&Fails) };
            let expected = SearchError::Evaluator(EvalError::Foreign("out of order".into()));
            assert_eq!(failing.evaluate(&start, None, &mut unwatched), Err(expected.clone()));
            assert_eq!(failing.rank(&start[0], roll, None, &mut unwatched), Err(expected));
        }
    }
    assert_eq!(search(5).evaluate(&start, None, &mut unwatched), Err(SearchError::TooDeep(5)));
    assert_eq!(search(5).rank(&start[0], roll, None, &mut unwatched), Err(SearchError::TooDeep(5)));
    let over = position(&[], &[(6, 15)]);
    assert_eq!(search(1).rank(&over, roll, None, &mut unwatched), Err(SearchError::Finished));
    let stopped = search(4).evaluate(&start, None, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(SearchError::Cancelled(_))), "{stopped:?}");
}

#[test]
fn many_decisions_are_each_what_one_is() {
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    let rolls = Roll::ALL.into_iter().cycle();
    let decisions: Vec<(Position, Roll)> = positions().into_iter().cycle().zip(rolls).take(200).collect();
    let mut cache = Cache::new(1 << 10);
    for cube in [None, Some(&cube)] {
        for (plies, count) in [(0, 200), (1, 30), (2, 10)] {
            let search = Search { cube, filter: Filter::NARROW, ..search(plies) };
            let alone = |&(position, roll): &(Position, Roll)| rank(&search, &position, roll);
            let expected: Vec<_> = decisions[..count].iter().map(alone).collect();
            for threads in [1, 3] {
                let many = Search { threads, ..search };
                let found = many.rank_many(&decisions[..count], Some(&mut cache), &mut unwatched);
                assert_eq!(found.as_ref(), Ok(&expected));
            }
        }
    }
    assert_eq!(search(2).rank_many(&[], None, &mut unwatched), Ok(vec![]));
    let over = (position(&[], &[(6, 15)]), Roll::new(3, 1).unwrap());
    let mixed = [decisions[0], over];
    assert_eq!(search(0).rank_many(&mixed, None, &mut unwatched), Err(SearchError::Finished));
    for plies in 0..=1 {
        let stopped = Search { filter: Filter::ALL, ..search(plies) };
        let decisions: Vec<_> = decisions.iter().copied().cycle().take(100_000).collect();
        let stopped = stopped.rank_many(&decisions, None, &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(SearchError::Cancelled(_))), "{:?}", stopped.map(|all| all.len()));
    }
}
