//! A search in which a quick evaluator says what the good one looks at.

mod players;

use std::sync::atomic::{AtomicUsize, Ordering};

use gammon_core::cube::CubeLife;
use gammon_core::eval::{EvalError, Evaluator};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::parallel::unwatched;
use gammon_core::search::{Cache, CubeUse, Filter, Prefilter, RankedPlay, Search, SearchError, Stage};
use gammon_core::{Backgammon, MatchState, Position, Probs, Roll};
use players::{Plain, positions, search, static_value};

/// Likes best what the other likes least.
struct Contrary;

impl Evaluator for Contrary {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        Plain.evaluate(positions, out)?;
        out.iter_mut().for_each(|probs| *probs = probs.flipped());
        Ok(())
    }

    fn id(&self) -> &str {
        "contrary"
    }
}

/// Counts what it is asked.
#[derive(Default)]
struct Counted(AtomicUsize);

impl Evaluator for Counted {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        self.0.fetch_add(positions.len(), Ordering::Relaxed);
        Plain.evaluate(positions, out)
    }

    fn id(&self) -> &str {
        "counted"
    }
}

fn through(evaluator: &dyn Evaluator, inside: Stage) -> Prefilter<'_> {
    Prefilter { evaluator, inside, top: Stage::ALL }
}

#[test]
fn an_evaluator_before_itself_changes_no_bit() {
    let cube = CubeUse::new(&MatchState::MONEY, None, CubeLife::MEASURED).unwrap();
    let positions = positions();
    for cube in [None, Some(&cube)] {
        for plies in 0..=2 {
            let alone = Search { cube, ..search(plies) };
            let expected = alone.evaluate(&positions, None, &mut unwatched).unwrap();
            for inside in [Stage::new(1, 0.0), Stage::new(3, 0.05), Stage::INSIDE, Stage::ALL] {
                let both = Search { prefilter: Some(through(&Plain, inside)), ..alone };
                assert_eq!(both.evaluate(&positions, None, &mut unwatched), Ok(expected.clone()));
                let threads = Search { threads: 2, ..both };
                assert_eq!(threads.evaluate(&positions, None, &mut unwatched), Ok(expected.clone()));
                for roll in [Roll::new(2, 1).unwrap(), Roll::new(3, 3).unwrap()] {
                    let ranking =
                        |search: &Search<'_>| search.rank(&positions[1], roll, None, &mut unwatched);
                    assert_eq!(ranking(&both), ranking(&alone));
                }
            }
        }
    }
}

#[test]
fn a_bad_one_costs_nothing_if_everything_passes() {
    let positions = positions();
    for plies in 0..=2 {
        let both = Search { prefilter: Some(through(&Contrary, Stage::ALL)), ..search(plies) };
        let expected = search(plies).evaluate(&positions, None, &mut unwatched);
        assert_eq!(both.evaluate(&positions, None, &mut unwatched), expected);
        let roll = Roll::new(6, 1).unwrap();
        let ranking = |search: &Search<'_>| search.rank(&Position::START, roll, None, &mut unwatched);
        assert_eq!(ranking(&both), ranking(&search(plies)));
    }
}

#[test]
fn a_bad_one_makes_the_replies_bad() {
    // At one ply the player on roll plays what is left to him, and that is never better.
    let (positions, mut worse) = (positions(), 0);
    let both = Search { prefilter: Some(through(&Contrary, Stage::new(2, 0.0))), ..search(1) };
    let bad = both.evaluate(&positions, None, &mut unwatched).unwrap();
    let good = search(1).evaluate(&positions, None, &mut unwatched).unwrap();
    for (bad, good) in bad.iter().zip(good) {
        assert!(bad.equity <= good.equity + 1e-9, "{bad:?} {good:?}");
        worse += usize::from(bad.equity < good.equity - 0.01);
    }
    assert!(worse > positions.len() / 2, "{worse} of {}", positions.len());
}

#[test]
fn the_evaluator_is_spared_most_of_its_work() {
    let asked = |inside: Option<Stage>| {
        let counted = Counted::default();
        let prefilter = inside.map(|inside| through(&Plain, inside));
        let search: Search = Search { plies: 2, prefilter, ..Search::new(&counted) };
        search.evaluate(&[Position::START], None, &mut unwatched).unwrap();
        counted.0.into_inner()
    };
    let (all, narrow) = (asked(None), asked(Some(Stage::new(1, 0.0))));
    // 22 nodes, some of them equal, with 21 rolls each and one result a roll.
    assert!(narrow <= 22 * 21 && narrow > 20 * 21, "{narrow}");
    assert!(all > 15 * narrow, "{all} {narrow}");
}

#[test]
fn what_did_not_pass_stays_in_the_list_and_says_so() {
    let top = Stage::new(4, 10.0);
    for plies in 0..=1 {
        let filter = Filter { stages: [Stage::new(2, 10.0); 4] };
        let prefilter = Some(Prefilter { top, ..Prefilter::new(&Contrary) });
        let both = Search { filter, prefilter, ..search(plies) };
        let ranking = both.rank(&Position::START, Roll::new(4, 2).unwrap(), None, &mut unwatched).unwrap();
        let mut buf = PlayBuf::new();
        movegen::plays::<Backgammon>(&Position::START, Roll::new(4, 2).unwrap(), &mut buf);
        assert_eq!(ranking.plays.len(), buf.positions().len());
        let passed = ranking.plays.iter().filter(|play| !play.prefiltered).count();
        assert_eq!(passed, 4);
        assert!(ranking.plays[..4].iter().all(|play| !play.prefiltered));
        assert_eq!(ranking.plays.iter().filter(|play| play.plies == 1).count(), 2 * plies);
        let plain = |play: &RankedPlay| static_value(&Plain, &play.after).flipped().equity();
        for play in &ranking.plays {
            // The contrary one likes the four worst.
            let better = |other: &RankedPlay| plain(other) >= plain(play);
            assert!(play.prefiltered || ranking.plays[4..].iter().all(better));
            let judge: &dyn Evaluator = if play.prefiltered { &Contrary } else { &Plain };
            assert!(play.plies > 0 || play.probs == static_value(judge, &play.after).flipped());
        }
    }
}

#[test]
fn a_cache_does_not_confuse_widths() {
    let positions = positions();
    let mut cache = Cache::new(1 << 12);
    let filters =
        [None, Some(through(&Contrary, Stage::new(1, 0.0))), Some(through(&Contrary, Stage::new(2, 0.0)))];
    for _ in 0..2 {
        for prefilter in filters {
            let search = Search { prefilter, ..search(2) };
            let expected = search.evaluate(&positions[..3], None, &mut unwatched);
            assert_eq!(search.evaluate(&positions[..3], Some(&mut cache), &mut unwatched), expected);
        }
    }
    assert!(cache.hits() > 0);
}

#[test]
fn its_failures_are_the_searchs() {
    struct Fails;
    impl Evaluator for Fails {
        fn evaluate(&self, _: &[Position], _: &mut [Probs]) -> Result<(), EvalError> {
            Err(EvalError::Foreign("out of order".into()))
        }
        fn id(&self) -> &str {
            "fails"
        }
    }
    let expected = SearchError::Evaluator(EvalError::Foreign("out of order".into()));
    let both = Search { prefilter: Some(Prefilter::new(&Fails)), ..search(1) };
    assert_eq!(both.evaluate(&[Position::START], None, &mut unwatched), Err(expected.clone()));
    let roll = Roll::new(3, 1).unwrap();
    let ranked = Search { plies: 0, ..both }.rank(&Position::START, roll, None, &mut unwatched);
    assert_eq!(ranked, Err(expected));
}
