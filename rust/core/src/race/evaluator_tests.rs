use super::*;
use crate::bearoff::Storage;
use crate::outcome::Outcome;
use crate::parallel::unwatched;

fn tables(two: bool) -> RaceEvaluator {
    let one = OneSided::build(6, 15, 2, &mut unwatched).unwrap();
    let two = two.then(|| Arc::new(TwoSided::build(6, 6, Storage::F32, 2, &mut unwatched).unwrap()));
    RaceEvaluator::new(Arc::new(one), two).unwrap()
}

fn side(points: &[(usize, u8)]) -> Counts {
    let mut counts = [0; 25];
    for &(point, n) in points {
        counts[point - 1] = n;
    }
    counts
}

fn position(roller: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    Position::from_counts(&side(roller), &side(opponent)).unwrap()
}

#[test]
fn exact_where_the_two_sided_table_reaches() {
    let race = tables(true);
    let probs = race.chances(&position(&[(6, 1)], &[(1, 1)])).unwrap();
    assert_eq!(probs, Probs { win: 0.75, ..Probs::default() });
    let probs = race.chances(&position(&[(1, 2)], &[(6, 6)])).unwrap();
    assert_eq!(probs, Probs { win: 1.0, ..Probs::default() });
    let probs = race.chances(&position(&[(6, 6)], &[(1, 2)])).unwrap();
    assert_eq!(probs, Probs::default());
}

#[test]
fn finished_games_are_certain_and_contact_is_not_covered() {
    let race = tables(false);
    let over = position(&[], &[(6, 14), (20, 1)]);
    assert_eq!(race.chances(&over), Some(Probs::certain(true, Outcome::Backgammon)));
    assert_eq!(race.chances(&over.flip()), Some(Probs::certain(false, Outcome::Backgammon)));
    assert_eq!(race.chances(&Position::START), None);
    let mut out = [Probs::default(); 2];
    assert_eq!(race.evaluate(&[over, Position::START], &mut out), Err(EvalError::Uncovered(Position::START)));
}

#[test]
fn a_gammon_by_hand() {
    // The roller bears off his last two next turn; the opponent, all fifteen on, then has lost a gammon.
    let race = tables(false);
    let probs = race.chances(&position(&[(1, 2)], &[(6, 15)])).unwrap();
    assert_eq!(probs, Probs { win: 1.0, win_gammon: 1.0, ..Probs::default() });
    // With three on the ace point only a double (1/6) is in time; else the opponent rolls once: all on
    // the ace point, he saves the gammon for certain.
    let probs = race.chances(&position(&[(1, 3)], &[(1, 15)])).unwrap();
    assert_eq!(probs.win, 1.0);
    assert!((probs.win_gammon - 1.0 / 6.0).abs() < 1e-6);
    // The same with the opponent to roll first: he takes one off.
    let probs = race.chances(&position(&[(1, 15)], &[(1, 3)])).unwrap();
    assert_eq!(probs, Probs::default());
    // One checker off already: no gammon.
    assert_eq!(race.chances(&position(&[(1, 2)], &[(6, 14)])).unwrap().win_gammon, 0.0);
}

#[test]
fn a_backgammon_by_hand() {
    let race = tables(false);
    // Next turn the roller is off; a checker is in his home board: certain.
    let probs = race.chances(&position(&[(1, 2)], &[(6, 14), (22, 1)])).unwrap();
    assert_eq!(probs, Probs { win: 1.0, win_gammon: 1.0, win_backgammon: 1.0, ..Probs::default() });
    // Seen by the other: his checker on the 23 point needs 5 pips, so 1-1, 2-1 and 3-1 (5 of 36) leave it
    // there, once; the winner needs a double (1/6) right then, later it is gone for certain.
    let probs = race.chances(&position(&[(6, 14), (23, 1)], &[(1, 3)])).unwrap();
    assert_eq!((probs.win, probs.win_gammon), (0.0, 0.0));
    assert!((probs.lose_backgammon - 5.0 / 216.0).abs() < 1e-6, "{probs:?}");
    // He has one roll, or with 5/6 two, to bear a checker off: chances 1/36 and 143/1296 by counting all
    // rolls. The side is beyond the table, so ours is an estimate.
    let exact = 1.0 - (1.0 / 36.0 + 5.0 * 143.0 / 1296.0) / 6.0;
    assert!((f64::from(probs.lose_gammon) - exact).abs() < 0.05, "{probs:?}, exactly {exact}");
    // Nobody in the home board: exactly none.
    let probs = race.chances(&position(&[(1, 2)], &[(6, 14), (18, 1)])).unwrap();
    assert_eq!((probs.win_gammon, probs.win_backgammon), (1.0, 0.0));
}

#[test]
fn chances_are_ordered_and_sides_agree() {
    let race = tables(true);
    let mut checked = 0;
    let mut buf = crate::movegen::PlayBuf::new();
    for trial in 0..300 {
        crate::movegen::random_game::<Backgammon>(
            crate::rng::Stream::new(5, trial),
            2000,
            &mut buf,
            |position, _, _| {
                let Some(probs) = race.chances(position) else { return };
                checked += 1;
                let p = probs.to_array();
                assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "{position:?} {p:?}");
                assert!(
                    p[0] >= p[1] && p[1] >= p[2] && 1.0 - p[0] >= p[3] - 1e-6 && p[3] >= p[4],
                    "{position:?} {p:?}"
                );
                let (mine, his) = position.borne_off();
                assert!(his == 0 || p[1] == 0.0);
                assert!(mine == 0 || p[3] == 0.0);
            },
        );
    }
    assert!(checked > 1000, "{checked}");
}

/// Published in docs/bearoff.md; the file says how its exact values were made.
#[test]
fn races_outside_the_tables_are_close_to_the_exact_values() {
    let race = tables(true);
    let data = include_str!("../../../../tests/data/race/reference.csv");
    let (mut n, mut sums, mut worst) = (0.0, [0.0f64; 3], [0.0f64; 3]);
    for line in data.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let fields: Vec<&str> = line.split(',').collect();
        let side = |text: &str| {
            let mut counts = [0; 25];
            text.split(' ').zip(&mut counts).for_each(|(n, count)| *count = n.parse().unwrap());
            counts
        };
        let position = Position::from_counts(&side(fields[1]), &side(fields[2])).unwrap();
        let probs = race.chances(&position).unwrap();
        let ours = [probs.win, probs.win_gammon, probs.lose_gammon];
        for (i, value) in ours.into_iter().enumerate() {
            let error = (f64::from(value) - fields[3 + i].parse::<f64>().unwrap()).abs();
            sums[i] += error;
            worst[i] = worst[i].max(error);
        }
        n += 1.0;
    }
    let means = sums.map(|sum| sum / n);
    println!("{n} positions, win, win gammon, lose gammon: mean error {means:.5?}, worst {worst:.5?}");
    assert!(n >= 300.0 && means[0] <= 0.002 && means[1] <= 0.002 && means[2] <= 0.002);
}

#[test]
fn tables_that_are_too_small_are_refused() {
    let small = OneSided::build(5, 15, 1, &mut unwatched).unwrap();
    assert!(RaceEvaluator::new(Arc::new(small), None).is_none());
    let few = OneSided::build(6, 14, 1, &mut unwatched).unwrap();
    assert!(RaceEvaluator::new(Arc::new(few), None).is_none());
}
