use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use super::*;
use crate::dice::Roll;
use crate::movegen::{PlayBuf, plays};
use crate::outcome::Outcome;
use crate::parallel::{TICK, unwatched};
use crate::rng::Stream;
use crate::rules::Backgammon;

/// All positions with so many places a side, given by places of both sides.
fn positions(checkers: usize) -> Vec<Position> {
    let sides = Sides::new(checkers).unwrap();
    let counts = |side: usize| {
        let mut counts = [0; 25];
        for &place in sides.places(side).iter().filter(|&&place| place > 0) {
            counts[usize::from(place) - 1] += 1;
        }
        counts
    };
    let all = (1..sides.len() * sides.len()).map(|pair| (pair / sides.len(), pair % sides.len()));
    all.filter_map(|(me, he)| Position::from_counts(&counts(me), &counts(he)).ok()).collect()
}

/// How a game of so many checkers a side ended: points of the player on roll.
fn ended(position: &Position, checkers: u32) -> Option<f64> {
    let (mine, his) = (position.roller(), position.opponent());
    let count = |side: &[u8]| side.iter().map(|&n| u32::from(n)).sum::<u32>();
    let lost = |loser: &[u8; 25]| match (count(loser) == checkers, count(&loser[18..]) > 0) {
        (true, true) => 3.0,
        (true, false) => 2.0,
        _ => 1.0,
    };
    match (count(&mine), count(&his)) {
        (0, _) => Some(lost(&his)),
        (_, 0) => Some(-lost(&mine)),
        _ => None,
    }
}

/// Equities of one position from those of what it leads to: cubeless; centred and owned, not doubling; owned by
/// the opponent.
fn improved(position: &Position, buf: &mut PlayBuf, known: impl Fn(&Position) -> [f64; 4]) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for roll in Roll::ALL {
        plays::<Backgammon>(position, roll, buf);
        let mut best = [f64::NEG_INFINITY; 4];
        for after in buf.positions() {
            let [cubeless, centred, owned, opponent_owned] = known(after);
            for (best, theirs) in best.iter_mut().zip([cubeless, centred, opponent_owned, owned]) {
                *best = best.max(-theirs);
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += f64::from(roll.weight()) * best / 36.0;
        }
    }
    sums
}

/// With the best decision before the roll.
fn decided([cubeless, centred, owned, opponent_owned]: [f64; 4]) -> [f64; 4] {
    let double = (2.0 * opponent_owned).min(1.0);
    [cubeless, centred.max(double), owned.max(double), opponent_owned]
}

fn four(known: &Known) -> [f64; 4] {
    [known.cubeless(), known.centred_no_double, known.owned_no_double, known.opponent_owned]
}

#[test]
fn one_man_is_as_plain_iteration_finds() {
    let table = Hypergammon::build(1, 1, &mut unwatched).unwrap();
    let positions = positions(1);
    assert_eq!(positions.len(), 26 * 26 - 1 - 24);
    let mut values: HashMap<Position, [f64; 4]> = HashMap::new();
    let mut buf = PlayBuf::new();
    let value = |values: &HashMap<Position, [f64; 4]>, position: &Position| match ended(position, 1) {
        Some(points) => [points; 4],
        None => values.get(position).copied().unwrap_or([0.0; 4]),
    };
    loop {
        let mut change: f64 = 0.0;
        let mut next = HashMap::new();
        for position in positions.iter().filter(|position| !position.is_over()) {
            let new = improved(position, &mut buf, |after| decided(value(&values, after)));
            for (new, old) in new.iter().zip(value(&values, position)) {
                change = change.max((new - old).abs());
            }
            next.insert(*position, new);
        }
        values = next;
        if change < 1e-13 {
            break;
        }
    }
    for position in &positions {
        let found = four(&table.find(position).unwrap());
        for (found, expected) in found.into_iter().zip(value(&values, position)) {
            assert!((found - expected).abs() < 3e-7, "{position:?}: {found} {expected}");
        }
    }
    assert_eq!(table.opening().sweeps, SWEEPS[0]);
}

#[test]
fn two_men_are_worth_what_their_best_plays_are() {
    let table = Hypergammon::build(2, 2, &mut unwatched).unwrap();
    assert_eq!(table.opening().sweeps, SWEEPS[1]);
    // The same on any number of threads, and on any machine.
    assert_eq!(table.id, "hypergammon-2-a84a6bda9664a9a0");
    let positions = positions(2);
    let mut buf = PlayBuf::new();
    for trial in 0..1500 {
        let position = &positions[Stream::new(3, trial).below(positions.len() as u32, 0) as usize];
        let known = table.find(position).unwrap();
        let expected = match ended(position, 2) {
            Some(points) => [points; 4],
            None => improved(position, &mut buf, |after| decided(four(&table.find(after).unwrap()))),
        };
        for (found, expected) in four(&known).into_iter().zip(expected) {
            assert!((found - expected).abs() < 5e-7, "{position:?}: {found} {expected}");
        }
        let [win, won, won_more, lost, lost_more] = known.probs.to_array();
        let slack = 1e-7;
        assert!(0.0 <= won_more && won_more <= won + slack && won <= win + slack && win <= 1.0);
        assert!(0.0 <= lost_more && lost_more <= lost + slack && lost <= 1.0 - win + slack);
    }
}

#[test]
fn finished_games_are_certain() {
    let table = Hypergammon::build(1, 1, &mut unwatched).unwrap();
    let mut back = [0; 25];
    back[24] = 1;
    let lost = Position::from_counts(&back, &[0; 25]).unwrap();
    assert_eq!(table.find(&lost).unwrap().probs, Probs::certain(false, Outcome::Backgammon));
    assert_eq!(table.find(&lost.flip()).unwrap().probs, Probs::certain(true, Outcome::Backgammon));
    assert_eq!(table.find(&Position::START), None);
}

#[test]
fn a_watcher_stops_it_soon() {
    let mut asked = None;
    let mut watch = |_: usize| {
        asked = Some(Instant::now());
        ControlFlow::Break(())
    };
    assert_eq!(Hypergammon::build(2, 1, &mut watch).unwrap_err(), BuildError::Cancelled);
    assert!(asked.unwrap().elapsed() < 4 * TICK);
    let wrong = Hypergammon::build(4, 1, &mut unwatched).unwrap_err();
    assert_eq!(wrong.to_string(), "hypergammon is played with 1, 2 or 3 checkers a side, not 4");
}

#[test]
fn a_file_is_read_back_or_refused() {
    let folder = std::env::temp_dir().join(format!("gammon-hyper-{}", std::process::id()));
    let path = folder.join("one.bo");
    let table = Hypergammon::build(1, 1, &mut unwatched).unwrap();
    table.save(&path).unwrap();
    let read = Hypergammon::open(&path).unwrap();
    assert_eq!((read.opening(), &read.id), (table.opening(), &table.id));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(Hypergammon::open(&path), Err(TableError::Length { .. })));
    std::fs::write(&path, b"something else").unwrap();
    assert!(matches!(Hypergammon::open(&path), Err(TableError::Foreign)));
    let other = crate::bearoff::OneSided::build(2, 2, 1, &mut unwatched).unwrap();
    other.save(&path).unwrap();
    let error = Hypergammon::open(&path).unwrap_err().to_string();
    assert!(error.contains("kind 1, wanted a hypergammon one"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
