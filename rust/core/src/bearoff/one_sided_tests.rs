use super::*;
use crate::bearoff::naive::{Naive, mean, variance};
use crate::parallel::unwatched;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The default table, built once for all tests.
fn six() -> &'static OneSided {
    static TABLE: OnceLock<OneSided> = OnceLock::new();
    TABLE.get_or_init(|| OneSided::build(6, 15, 2, &mut unwatched).unwrap())
}

fn side(points: &[u8]) -> Counts {
    let mut counts = [0; 25];
    counts[..points.len()].copy_from_slice(points);
    counts
}

/// Every solved position of a size: mean, variance, chances from 0 rolls on.
fn exact(points: usize, checkers: usize, goal: Goal) -> Vec<Option<(f64, f64, Vec<f64>)>> {
    let ranking = Ranking::new(points, checkers).unwrap();
    let mut all = vec![None; ranking.len()];
    solve(&ranking, goal, 2, &mut unwatched, &mut |solved| {
        let mut chances = vec![0.0; solved.first];
        chances.extend_from_slice(solved.chances);
        all[solved.index as usize] = Some((solved.mean, variance(&chances), chances));
    })
    .unwrap();
    all
}

#[test]
fn the_solver_agrees_with_listing_every_play() {
    for (points, checkers, goal) in [
        (6, 4, Goal::AllOff),
        (8, 3, Goal::AllOff),
        (6, 4, Goal::FirstOff),
        (9, 3, Goal::FirstOff),
        (6, 4, Goal::Leave),
    ] {
        let ranking = Ranking::new(points, checkers).unwrap();
        let mut naive = Naive::new(goal, points, checkers as u8);
        for (index, solved) in exact(points, checkers, goal).into_iter().enumerate() {
            let Some((its_mean, its_variance, chances)) = solved else {
                assert!(goal == Goal::FirstOff && index < ranking.first_with(checkers));
                continue;
            };
            let counts = ranking.unrank(index as u32).unwrap();
            let expected = naive.solve(&counts);
            assert!((its_mean - mean(&expected)).abs() < 1e-12, "{goal:?} {counts:?}");
            assert!((its_variance - variance(&expected)).abs() < 1e-11, "{goal:?} {counts:?}");
            for n in 0..expected.len().max(chances.len()) {
                let at = |chances: &[f64]| chances.get(n).copied().unwrap_or(0.0);
                assert!((at(&chances) - at(&expected)).abs() < 1e-12, "{goal:?} {counts:?} {n}");
            }
        }
    }
}

/// Splits a data line, `None` for comments and the heading.
fn fields(line: &str) -> Option<Vec<&str>> {
    (!line.starts_with('#') && !line.starts_with("points")).then(|| line.split(',').collect())
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|n| n.parse().ok().expect("a number")).collect()
}

#[test]
fn agrees_with_an_independent_solution_within_1e_9() {
    let exact = exact(6, 15, Goal::AllOff);
    let data = include_str!("../../../../tests/data/bearoff/onesided.csv");
    let mut checked = 0;
    for row in data.lines().filter_map(fields) {
        let index = six().find(&side(&numbers(row[0]))).unwrap();
        let (mean, _, chances) = exact[index as usize].as_ref().unwrap();
        let expected: f64 = row[1].parse().unwrap();
        // The file has nine decimals.
        assert!((mean - expected).abs() < 1.5e-9, "{}: {mean} {expected}", row[0]);
        let expected: Vec<f64> = numbers(row[2]);
        for n in 0..expected.len().max(chances.len()) {
            let (ours, theirs) = (chances.get(n).unwrap_or(&0.0), expected.get(n).unwrap_or(&0.0));
            assert!((ours - theirs).abs() < 1.5e-9, "{} {n} {ours} {theirs}", row[0]);
        }
        assert!((mean - row[3].parse::<f64>().unwrap()).abs() < 1.2e-3);
        for (n, percent) in numbers::<f64>(row[4]).into_iter().enumerate() {
            let ours = 100.0 * six().first_off(index).chance(n);
            assert!((ours - percent).abs() < 0.01, "{} {n}: {ours} {percent}", row[0]);
        }
        checked += 1;
    }
    assert_eq!(checked, 327);
}

#[test]
fn agrees_with_a_printed_eight_point_table() {
    let table = OneSided::build(8, 15, 2, &mut unwatched).unwrap();
    let data = include_str!("../../../../tests/data/bearoff/onesided8.csv");
    // Percent with three decimals of 16-bit fractions. That program also chooses plays by its rounded means,
    // so two of the 200 sides play a near tie the other way (0.03 points); the others agree to 0.01.
    let close = |rolls: Rolls<'_>, text: &str, tolerance: f64| {
        let printed: Vec<f64> = numbers(text);
        (0..printed.len().max(rolls.last() + 1))
            .all(|n| (100.0 * rolls.chance(n) - printed.get(n).copied().unwrap_or(0.0)).abs() < tolerance)
    };
    let mut checked = 0;
    for row in data.lines().filter_map(fields) {
        let index = table.find(&side(&numbers(row[0]))).unwrap();
        assert!((table.mean(index) - row[1].parse::<f64>().unwrap()).abs() < 1.2e-3, "{row:?}");
        assert!(close(table.rolls(index), row[2], 0.03), "{row:?} {:?}", table.rolls(index));
        let (ours, theirs) = (table.mean_first_off(index), row[3].parse::<f64>().unwrap());
        assert!((ours - theirs).abs() < 1.2e-3, "{row:?} {ours}");
        assert!(close(table.first_off(index), row[4], 0.01), "{row:?}");
        checked += 1;
    }
    assert_eq!(checked, 200);
}

#[test]
fn known_values() {
    let mean = |points: &[u8]| six().mean(six().find(&side(points)).unwrap());
    assert_eq!(mean(&[]), 0.0);
    assert_eq!(mean(&[1]), 1.0);
    // A 5 or 6 showing (20 throws), 2-2, 3-3, 4-4, 4-2, 5-1 … bear off in one roll: 27 throws of 36.
    assert_eq!(mean(&[0, 0, 0, 0, 0, 1]), 1.25);
    assert!((mean(&[7]) - 3.550_925_9).abs() < 5e-8);
    assert!((mean(&[7]) * PIPS_A_ROLL - 28.999_23).abs() < 5e-6);
    assert!((mean(&[13]) * PIPS_A_ROLL - 50.0).abs() < 5e-5);
    assert!((mean(&[5, 4]) - 4.410_129_5).abs() < 5e-8);
}

#[test]
fn a_two_roll_position_by_hand() {
    // Three checkers on the ace point: a double (1 in 6) takes all of them, else two rolls.
    let table = six();
    let rolls = table.rolls(table.find(&side(&[3])).unwrap());
    assert_eq!((rolls.first(), rolls.last()), (1, 2));
    assert_eq!(rolls.chance(1), f64::from(1f32 / 6.0));
    assert_eq!(rolls.chance(2), f64::from(5f32 / 6.0));
    assert_eq!((rolls.chance(0), rolls.chance(3)), (0.0, 0.0));
    // Roller against the same: wins at once with 1/6, else unless the opponent doubles: 1 - 5/6 * 1/6.
    assert!((rolls.beats(rolls, 0) - (1.0 - 5.0 / 36.0)).abs() < 1e-7);
    // One checker each on the ace point.
    let one = table.rolls(table.find(&side(&[1])).unwrap());
    assert_eq!(one.beats(one, 0), 1.0);
    assert_eq!(one.beats(one, 1), 0.0);
    assert_eq!(one.beats(rolls, 0), 1.0);
    assert!((rolls.beats(one, 0) - 1.0 / 6.0).abs() < 1e-7);
}

#[test]
fn beats_is_the_double_sum() {
    let table = six();
    let pick = |i: usize| table.rolls((i * 7919 % table.ranking().len()) as u32);
    for i in 0..2000 {
        let (a, b) = (pick(i), pick(i * 31 + 7));
        for head_start in 0..3 {
            let mut expected = 0.0;
            for (i, p) in a.chances().enumerate() {
                let n = a.first() + i + head_start;
                let tail: f64 =
                    b.chances().enumerate().filter(|(k, _)| b.first() + k >= n).map(|(_, q)| q).sum();
                expected += p * tail;
            }
            assert!((a.beats(b, head_start) - expected).abs() < 3e-7, "{a:?} {b:?} {head_start}");
        }
    }
}

#[test]
fn storing_costs_at_most_the_stated_error() {
    let (table, exact) = (six(), exact(6, 15, Goal::AllOff));
    let mut worst: f64 = 0.0;
    for (index, solved) in exact.iter().enumerate() {
        let (mean, variance, chances) = solved.as_ref().unwrap();
        let rolls = table.rolls(index as u32);
        assert_eq!(table.mean(index as u32), *mean);
        assert!((rolls.moments().variance - variance).abs() < 1e-6);
        for (n, chance) in chances.iter().enumerate() {
            worst = worst.max((rolls.chance(n) - chance).abs());
        }
    }
    assert!(worst < 3.1e-8, "{worst}");
}

#[test]
fn first_off_is_only_a_question_with_all_fifteen_left() {
    let table = six();
    let index = table.find(&side(&[0, 0, 0, 0, 0, 14])).unwrap();
    assert_eq!((table.mean_first_off(index), table.first_off(index).last()), (0.0, 0));
    // All on the six point: 6-x and 3-3, 2-2 (6/4/2/off) and 5-1, 4-2 take one off; 1-1, 2-1, 3-1, … do not.
    let index = table.find(&side(&[0, 0, 0, 0, 0, 15])).unwrap();
    let at_once = (11.0 + 2.0 + 2.0 + 2.0) / 36.0;
    assert!((table.first_off(index).chance(1) - at_once).abs() < 1e-7);
    assert!(OneSided::build(6, 14, 1, &mut unwatched).unwrap().first_off(3).last() == 0);
}

#[test]
fn the_same_table_on_any_number_of_threads() {
    let build = |threads| OneSided::build(7, 15, threads, &mut unwatched).unwrap();
    let (one, three) = (build(1), build(3));
    assert!(one.image.body() == three.image.body());
}

#[test]
fn a_build_can_be_watched_and_stopped() {
    let mut last = 0;
    let mut rising = true;
    let mut watch = |done| {
        rising &= done >= last;
        last = done;
        if done > 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(OneSided::build(9, 15, 1, &mut watch).unwrap_err(), BuildError::Cancelled);
    assert!(rising && last > 1000);
    assert_eq!(
        OneSided::build(13, 15, 1, &mut unwatched).unwrap_err(),
        BuildError::Size { points: 13, checkers: 15 }
    );
}

#[test]
fn a_saved_table_is_the_same_table() {
    let path = std::env::temp_dir().join(format!("gammon-one-sided-{}.bo", std::process::id()));
    six().save(&path).unwrap();
    let read = OneSided::open(&path).unwrap();
    assert!(read.image.body() == six().image.body());
    assert_eq!(read.size() as u64, std::fs::metadata(&path).unwrap().len());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_well_formed_file_with_nonsense_inside_is_refused() {
    let table = OneSided::build(3, 2, 1, &mut unwatched).unwrap();
    let rebuilt = |params, change: &dyn Fn(&mut [u8])| {
        let mut bytes = blank(table.image.body().len());
        body_mut(&mut bytes).copy_from_slice(table.image.body());
        change(body_mut(&mut bytes));
        OneSided::from_image(Image::new(Kind::OneSided, params, bytes))
    };
    let params = table.image.params;
    assert!(rebuilt(params, &|_| ()).is_ok());
    assert!(rebuilt([99, 2, params[2], 0, 0, 0, 0, 0], &|_| ()).is_err());
    assert!(rebuilt([3, 3, params[2], 0, 0, 0, 0, 0], &|_| ()).is_err());
    assert!(rebuilt([3, 2, u32::MAX, 0, 0, 0, 0, 0], &|_| ()).is_err());
    assert!(rebuilt(params, &|body| body[0] = 200).is_err());
    assert!(rebuilt(params, &|body| body[5] = 0).is_err());
    assert!(rebuilt(params, &|body| body[8..16].copy_from_slice(&f64::NAN.to_le_bytes())).is_err());
}
