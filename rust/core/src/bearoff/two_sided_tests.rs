use std::ops::ControlFlow;

use super::*;
use crate::bearoff::OneSided;
use crate::parallel::unwatched;
use std::sync::OnceLock;

/// The default table, built once for all tests.
fn six() -> &'static TwoSided {
    static TABLE: OnceLock<TwoSided> = OnceLock::new();
    TABLE.get_or_init(|| TwoSided::build(6, 6, Storage::Bits16, 2, &mut unwatched).unwrap())
}

fn side(points: &[u8]) -> Counts {
    let mut counts = [0; 25];
    counts[..points.len()].copy_from_slice(points);
    counts
}

/// Everything in `f64`, by roller and opponent.
fn exact(points: usize, checkers: usize) -> Vec<Vec<Equities>> {
    let ranking = size(points, checkers).unwrap();
    let mut all = vec![vec![Equities::all(f64::NAN); ranking.len()]; ranking.len()];
    solve(&ranking, 2, &mut unwatched, &mut |i, j, equities| all[i][j] = equities).unwrap();
    all
}

#[test]
fn agrees_with_an_independent_solution_within_1e_9() {
    let exact = exact(6, 6);
    let data = include_str!("../../../../tests/data/bearoff/twosided.csv");
    let mut checked = 0;
    for line in data.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let fields: Vec<&str> = line.split(',').collect();
        let index = |text: &str| {
            let points: Vec<u8> = text.split(' ').map(|n| n.parse().unwrap()).collect();
            six().ranking().rank(&side(&points)).unwrap()
        };
        let number = |i: usize| fields[i].parse::<f64>().unwrap();
        let (roller, opponent) = (index(fields[0]), index(fields[1]));
        let ours = exact[roller as usize][opponent as usize];
        let named = [
            ours.cubeless,
            ours.owned_best(),
            ours.centred_best(),
            ours.opponent_owned,
            ours.owned_no_double,
            ours.centred_no_double,
        ];
        for (i, value) in named.into_iter().enumerate() {
            // The file has nine decimals.
            assert!((value - number(2 + i)).abs() < 1.5e-9, "{line}: {value}");
        }
        let stored = six().equities(roller, opponent);
        let printed =
            [stored.cubeless, stored.owned_no_double, stored.centred_no_double, stored.opponent_owned];
        for (i, value) in printed.into_iter().enumerate() {
            assert!((value - number(8 + i)).abs() < 2e-4, "{line}: {value}");
        }
        checked += 1;
    }
    assert_eq!(checked, 322);
}

#[test]
fn storing_costs_at_most_the_stated_errors() {
    let exact = exact(6, 4);
    for (storage, stated, stated_best) in [(Storage::Bits16, 1.53e-5, 3.06e-5), (Storage::F32, 3e-8, 6e-8)] {
        let table = TwoSided::build(6, 4, storage, 1, &mut unwatched).unwrap();
        let (mut worst, mut worst_best) = (0.0f64, 0.0f64);
        for (i, row) in exact.iter().enumerate() {
            for (j, equities) in row.iter().enumerate() {
                let stored = table.equities(i as u32, j as u32);
                for (a, b) in stored.to_array().into_iter().zip(equities.to_array()) {
                    worst = worst.max((a - b).abs());
                }
                worst_best = worst_best
                    .max((stored.centred_best() - equities.centred_best()).abs())
                    .max((stored.owned_best() - equities.owned_best()).abs());
            }
        }
        assert!(worst > 0.0 && worst < stated && worst_best < stated_best, "{worst} {worst_best}");
    }
}

#[test]
fn one_checker_each_by_hand() {
    // One checker on the six point (3 in 4 to bear off) against one sure to come off next turn.
    let equities = six().find(&side(&[0, 0, 0, 0, 0, 1]), &side(&[1])).unwrap();
    let close = |value: f64, expected: f64| (value - expected).abs() < 1.6e-5;
    assert!(close(equities.win(), 0.75) && close(equities.cubeless, 0.5));
    // Last roll: nobody uses the cube later, so every no-double value is the cubeless one ...
    assert!(close(equities.centred_no_double, 0.5) && close(equities.owned_no_double, 0.5));
    // ... and doubling is worth twice as much, a point: take and pass are equal.
    assert!((equities.centred_best() - 1.0).abs() < 3.1e-5);
    // Ace against ace: sure.
    let sure = six().find(&side(&[1]), &side(&[1])).unwrap();
    assert_eq!((sure.win(), sure.centred_best(), sure.opponent_owned), (1.0, 1.0, 1.0));
    assert!(sure.should_double(sure.centred_no_double) && !sure.should_take());
}

#[test]
fn three_aces_each_by_hand() {
    // Roller needs a double now (1/6), else the opponent does, else the roller wins.
    let equities = six().find(&side(&[3]), &side(&[3])).unwrap();
    assert!((equities.win() - (1.0 - 5.0 / 36.0)).abs() < 1e-5);
}

#[test]
fn finished_games_are_won_or_lost() {
    let none = side(&[]);
    let some = side(&[0, 2]);
    assert_eq!(six().find(&none, &some), Some(Equities::all(1.0)));
    assert_eq!(six().find(&some, &none), Some(Equities::all(-1.0)));
    assert_eq!(six().find(&some, &side(&[7])), None);
    assert_eq!(six().find(&some, &side(&[0, 0, 0, 0, 0, 0, 1])), None);
}

#[test]
fn where_it_does_not_matter_how_one_plays_both_tables_agree() {
    let one = OneSided::build(6, 6, 1, &mut unwatched).unwrap();
    for mine in 1..=6 {
        for his in 1..=6 {
            let (mine, his) = (side(&[mine]), side(&[his]));
            let win = one.rolls(one.find(&mine).unwrap()).beats(one.rolls(one.find(&his).unwrap()), 0);
            assert!((six().find(&mine, &his).unwrap().win() - win).abs() < 1e-5);
        }
    }
}

/// The price of looking at each side alone, published in docs/bearoff.md.
#[test]
fn mean_minimising_play_is_close_to_the_best() {
    let one = OneSided::build(6, 6, 2, &mut unwatched).unwrap();
    let (mut sum, mut worst, mut pairs) = (0.0, 0.0f64, 0);
    for i in 1..924u32 {
        for j in 1..924u32 {
            let error = (six().equities(i, j).win() - one.rolls(i).beats(one.rolls(j), 0)).abs();
            sum += error;
            worst = worst.max(error);
            pairs += 1;
        }
    }
    let mean = sum / f64::from(pairs);
    println!("win probability, both sides minimising means: mean error {mean:.2e}, worst {worst:.2e}");
    assert!(mean < 9e-4 && worst < 0.0142);
}

#[test]
fn the_same_table_on_any_number_of_threads() {
    // Large enough for several threads to be used.
    let build = |threads| TwoSided::build(7, 6, Storage::Bits16, threads, &mut unwatched).unwrap();
    assert!(build(1).image.body() == build(3).image.body());
}

#[test]
fn sizes_that_cannot_be_built_are_refused_and_builds_can_be_stopped() {
    for (points, checkers) in [(0, 6), (6, 0), (6, 11), (6, 15), (13, 2)] {
        let built = TwoSided::build(points, checkers, Storage::Bits16, 1, &mut unwatched);
        assert_eq!(built.unwrap_err(), BuildError::Size { points, checkers });
    }
    let mut stop = |_| ControlFlow::Break(());
    let built = TwoSided::build(6, 7, Storage::Bits16, 1, &mut stop);
    assert_eq!(built.unwrap_err(), BuildError::Cancelled);
}

#[test]
fn a_saved_table_is_the_same_table() {
    let path = std::env::temp_dir().join(format!("gammon-two-sided-{}.bo", std::process::id()));
    let table = TwoSided::build(5, 3, Storage::F32, 1, &mut unwatched).unwrap();
    table.save(&path).unwrap();
    let read = TwoSided::open(&path).unwrap();
    assert!(read.image.body() == table.image.body() && read.storage() == Storage::F32);
    assert!(matches!(OneSided::open(&path), Err(TableError::Kind { .. })));
    std::fs::remove_file(&path).unwrap();
    let malformed = |params| {
        let mut bytes = blank(table.image.body().len());
        body_mut(&mut bytes).copy_from_slice(table.image.body());
        TwoSided::from_image(Image::new(Kind::TwoSided, params, bytes)).is_err()
    };
    assert!(malformed([5, 4, 4, 0, 0, 0, 0, 0]) && malformed([5, 3, 3, 0, 0, 0, 0, 0]));
    assert!(malformed([5, 99, 4, 0, 0, 0, 0, 0]) && !malformed([5, 3, 4, 0, 0, 0, 0, 0]));
}
