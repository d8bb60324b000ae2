use super::*;
use crate::outcome::Probs;
use crate::rng::Stream;
use crate::rollout::score::chances;

fn game(won: bool, outcome: Outcome) -> Ended {
    let value = chances(&Probs::certain(won, outcome));
    let points = if won { 1.0 } else { -1.0 } * f64::from(outcome as u8);
    Ended { score: Score::new(&value, &[0.0; 5], points, 0.0), result: Some((won, outcome)), turns: 10 }
}

/// A game whose numbers are those of a stream, and follow their trial's to some extent.
fn drawn(trial: u64, branch: u64) -> Ended {
    let common = Stream::new(9, trial).unit(0);
    let win = (common + Stream::new(9, trial).unit(1 + branch)) / 2.0;
    Ended {
        score: Score::new(&[win, 0.0, 0.0, 0.0, 0.0], &[0.1 * common; 5], win, 0.0),
        result: None,
        turns: 3,
    }
}

#[test]
fn means_and_errors_of_a_handful() {
    let mut part = Part::new(1, 1);
    let equity = |part: &Part| part.estimate(0, Quantity::Equity, Kind::Raw);
    assert_eq!(equity(&part), None);
    part.add(0, &[game(true, Outcome::Gammon)]);
    assert_eq!(equity(&part), Some(Estimate { mean: 2.0, error: f64::INFINITY }));
    part.add(1, &[game(false, Outcome::Single)]);
    part.add(2, &[game(true, Outcome::Single)]);
    part.add(3, &[game(false, Outcome::Backgammon)]);
    // 2, -1, 1, -3: mean -1/4, squared deviations 14.75 in all, so error^2 = 14.75 / 3 / 4.
    for quantity in COMPARED {
        let estimate = part.estimate(0, quantity, Kind::Adjusted).unwrap();
        assert_eq!(estimate.mean, -0.25);
        assert!((estimate.error - (14.75f64 / 12.0).sqrt()).abs() < 1e-12);
    }
    let means = Quantity::ALL.map(|quantity| part.estimate(0, quantity, Kind::Raw).unwrap().mean);
    assert_eq!(means[..5], [0.5, 0.25, 0.0, 0.25, 0.25]);
    assert_eq!(part.outcomes(0), [[1, 1, 0], [1, 0, 1]]);
    assert_eq!((part.trials(), part.unfinished(0), part.turns(0)), (4, 0, 40));
}

#[test]
fn merging_is_the_same_in_any_order_and_however_it_is_cut() {
    let sum = |numbers: std::ops::Range<u64>, size: u64| {
        let mut part = Part::new(2, size);
        numbers.for_each(|number| part.add(number, &[drawn(number, 0), drawn(number, 1)]));
        part
    };
    for size in [1, 36, 1_296] {
        let whole = sum(0..2_000, size);
        let parts = [sum(0..20, size), sum(20..71, size), sum(71..2_000, size)];
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut merged = Part::new(2, size);
            order.iter().for_each(|&i| merged.merge(&parts[i]));
            assert_eq!(merged, whole);
        }
        assert_eq!(Part::from_numbers(&whole.numbers()), Some(whole.clone()));
        let numbers = whole.numbers();
        assert_eq!(Part::from_numbers(&numbers[..numbers.len() - 1]), None);
        let mut wrong = numbers.clone();
        wrong[0] += 1;
        // Independent trials leave no trace of their number.
        assert_eq!(Part::from_numbers(&wrong).is_none(), size > 1);
        wrong = numbers.clone();
        wrong[3] = 1 << 60;
        assert_eq!(Part::from_numbers(&wrong), None);
    }
    assert_eq!(Part::from_numbers(&[]), None);
}

/// Against the definition, in double precision.
#[test]
fn errors_are_those_of_the_groups_sums() {
    for (size, trials) in [(1u64, 500u64), (36, 36 * 20), (36, 36 * 20 + 7), (36, 36 * 5)] {
        let mut part = Part::new(3, size);
        let games = |number: u64| [0, 1, 2].map(|branch| drawn(number, branch));
        (0..trials).for_each(|number| part.add(number, &games(number)));
        assert_eq!(part.by_replications(), size > 1 && trials >= 36 * 16);
        let group = if part.by_replications() { size } else { 1 };
        let expected = |value: &dyn Fn(u64) -> f64| {
            let mean = (0..trials).map(value).sum::<f64>() / trials as f64;
            let groups = trials.div_ceil(group);
            let deviation = |g: u64| {
                let members = g * group..((g + 1) * group).min(trials);
                members.map(|i| value(i) - mean).sum::<f64>()
            };
            let squares: f64 = (0..groups).map(|g| deviation(g).powi(2)).sum();
            (mean, (squares * groups as f64 / (groups as f64 - 1.0)).sqrt() / trials as f64)
        };
        let check = |found: Estimate, value: &dyn Fn(u64) -> f64| {
            let (mean, error) = expected(value);
            assert!(
                (found.mean - mean).abs() < 1e-7 && (found.error / error - 1.0).abs() < 1e-5,
                "{found:?} {error}"
            );
        };
        let one = Quantity::Equity.one();
        let equity = |i: u64, branch: u64| drawn(i, branch).score.0[Quantity::Equity as usize] as f64 / one;
        for branch in [0, 2] {
            let found = part.estimate(branch as usize, Quantity::Equity, Kind::Adjusted).unwrap();
            check(found, &|i| equity(i, branch));
        }
        for (a, b) in [(0u64, 1u64), (2, 1), (0, 2)] {
            let found = part.difference(a as usize, b as usize, Quantity::Equity).unwrap();
            check(found, &|i| equity(i, a) - equity(i, b));
        }
        assert_eq!(part.difference(1, 1, Quantity::Equity), Some(Estimate { mean: 0.0, error: 0.0 }));
    }
}

#[test]
fn a_certain_number_has_no_error() {
    let mut part = Part::new(1, 36);
    (0..36 * 17).for_each(|number| part.add(number, &[game(true, Outcome::Single)]));
    let estimate = part.estimate(0, Quantity::Equity, Kind::Adjusted).unwrap();
    assert_eq!(estimate, Estimate { mean: 1.0, error: 0.0 });
    assert_eq!(part.complete_replications(), 17);
}

#[test]
fn chances_are_reported_as_chances() {
    let mut part = Part::new(1, 1);
    let luck = [-0.25, 0.0, -0.5, 0.125, 0.0];
    let score = Score::new(&[1.0, 1.0, 0.75, 0.0, 0.0], &luck, 0.0, 0.0);
    (0..2).for_each(|number| part.add(number, &[Ended { score, result: None, turns: 1 }]));
    let means = part.chances(0, Kind::Adjusted).unwrap().map(|chance| chance.mean);
    assert_eq!(means, [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(part.estimate(0, Quantity::Win, Kind::Adjusted).unwrap().mean, 1.25);
    assert_eq!(part.chances(0, Kind::Raw).unwrap()[2].mean, 0.75);
    assert_eq!(Part::new(1, 1).chances(0, Kind::Raw), None);
}

#[test]
fn some_branches_alone_are_as_they_were() {
    let mut part = Part::new(3, 36);
    (0..700).for_each(|trial| part.add(trial, &[0, 1, 2].map(|branch| drawn(trial, branch))));
    let two = part.of_branches(&[2, 0]);
    assert_eq!((two.branches(), two.trials()), (2, 700));
    for (branch, whole) in [(0, 2), (1, 0)] {
        let [a, b] = [(&two, branch), (&part, whole)].map(|(part, n)| {
            (part.estimate(n, Quantity::Win, Kind::Adjusted), part.turns(n), part.outcomes(n))
        });
        assert_eq!(a, b);
    }
    assert_eq!(two.difference(0, 1, Quantity::Equity), part.difference(2, 0, Quantity::Equity));
    // Further trials of these branches add up as if the other had never been.
    let mut alone = Part::new(2, 36);
    (0..800).for_each(|trial| alone.add(trial, &[2, 0].map(|branch| drawn(trial, branch))));
    let mut more = two;
    let mut rest = Part::new(2, 36);
    (700..800).for_each(|trial| rest.add(trial, &[2, 0].map(|branch| drawn(trial, branch))));
    more.merge(&rest);
    assert_eq!(more, alone);
}
