//! The vectors against single steps, on positions of random games of every game and its options.

use super::marks::Asks;
use super::variant::{Game, staged};
use super::{AnyVariant, Ruleset, Turns, Variant, random_game};
use crate::dice::Roll;
use crate::position::Position;
use crate::rng::Stream;

/// Each game, and options that change how its checkers move.
const SETTINGS: &[(&str, &[(&str, &str)])] = &[
    ("nackgammon", &[]),
    ("longgammon", &[]),
    ("hypergammon", &[]),
    ("portes", &[]),
    ("portes", &[("hit_and_run", "forbidden_home")]),
    ("plakoto", &[]),
    ("plakoto", &[("mother_rule", "false")]),
    ("plakoto", &[("bear_off_with_pin", "home_pin_ok"), ("mother_rule", "false")]),
    ("fevga", &[]),
    ("fevga", &[("start_quarter", "unless_passed"), ("start_front", "true")]),
    ("fevga", &[("start_quarter", "free"), ("runner", "none")]),
    ("fevga", &[("preset", "moultezim")]),
    ("tavla", &[]),
    ("kirik_tavla", &[]),
    ("kirik_tavla", &[("six_hit_mars", "true")]),
    ("gul_bara", &[]),
    ("gul_bara", &[("leftover", "opponent"), ("normal_turns", "0")]),
    ("gul_bara", &[("prime", "nardi"), ("runner", "true")]),
    ("gul_bara", &[("celebi", "true")]),
    ("nardi_short", &[]),
    ("nardi_long", &[]),
    ("nardi_long", &[("head_exception", "blocked"), ("block", "never_six")]),
    ("nardi_long", &[("block_check", "step"), ("head_exception", "none")]),
    ("nardi_long", &[("block", "free"), ("doubles", "2")]),
    ("jacquet", &[]),
    ("jacquet", &[("prime", "nardi")]),
    ("jacquet", &[("prime", "never_six"), ("doubles", "value")]),
    ("jacquet", &[("prime", "free"), ("must_bear_off", "true")]),
    ("dutch", &[]),
    ("dutch", &[("hit_right", "current")]),
    ("acey_deucey", &[]),
    ("acey_deucey", &[("double_on_acey", "true"), ("version", "european")]),
    ("acey_deucey", &[("bar_first", "true"), ("exact_bear_off", "true")]),
];

/// Compares both on each position of a random game, with every throw it may ask for.
fn compare<G: Game>(game: &G, trial: u64, seen: &mut [u64; 3]) {
    let (mut quick, mut slow, mut turns) = (Turns::new(), Turns::new(), Turns::new());
    let mut positions: Vec<Position> = Vec::new();
    random_game(game, Stream::new(6, trial), true, 2_000, &mut turns, |position, _| {
        positions.push(*position)
    });
    for position in positions {
        let throws = if game.asks(&position) == Asks::Throw { &Roll::ALL[..] } else { &Roll::ALL[..1] };
        for &roll in throws {
            game.plays(&position, roll, &mut quick);
            slow.clear();
            staged(game, &position, roll, &mut slow);
            for (found, expected) in [(quick.handed(), slow.handed()), (quick.kept(), slow.kept())] {
                let mut found = found.to_vec();
                found.sort_unstable();
                let mut expected = expected.to_vec();
                expected.sort_unstable();
                let context = || format!("{:?} {:?} {roll}", game.shape().game, position.0);
                assert_eq!(found, expected, "{}", context());
            }
            assert_eq!(quick.is_pass(), slow.is_pass(), "{:?} {roll}", position.0);
            seen[0] += slow.len() as u64;
            seen[1] += slow.kept().len() as u64;
            seen[2] += u64::from(slow.is_pass());
        }
    }
}

#[test]
fn vectors_find_what_single_steps_find() {
    // Further games by `GAMMON_VARIANT_GAMES=200 cargo test --release vectors_find`.
    let games = std::env::var("GAMMON_VARIANT_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for (name, options) in SETTINGS {
        let options: Vec<_> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        let rules = Ruleset::new(name, &options).unwrap();
        let mut seen = [0; 3];
        for trial in 0..games {
            match rules.game() {
                AnyVariant::Plain(game) => compare(game, trial, &mut seen),
                AnyVariant::Tavla(game) => compare(game, trial, &mut seen),
                AnyVariant::Dutch(game) => compare(game, trial, &mut seen),
                AnyVariant::AceyDeucey(game) => compare(game, trial, &mut seen),
                AnyVariant::Plakoto(game) => compare(game, trial, &mut seen),
                AnyVariant::Fevga(game) => compare(game, trial, &mut seen),
                AnyVariant::NardiLong(game) => compare(game, trial, &mut seen),
                AnyVariant::GulBara(game) => compare(game, trial, &mut seen),
                AnyVariant::Jacquet(game) => compare(game, trial, &mut seen),
                AnyVariant::Trictrac(_) => unreachable!("trictrac is no walk of single checkers"),
            }
        }
        assert!(seen[0] > 500 * games, "{name}: {seen:?}");
        let stages = matches!(*name, "gul_bara" | "acey_deucey");
        assert_eq!(stages, seen[1] > 0, "{name}: {seen:?}");
    }
}
