//! The net the package ships: its file, its sense, its exact numbers.

use std::ops::ControlFlow;
use std::path::PathBuf;

use gammon_core::eval::{Evaluator, best_for_mover};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::nn::Net;
use gammon_core::rng::Stream;
use gammon_core::rollout::{Kind, Part, Quantity, Settings, run};
use gammon_core::{Backgammon, Play, Position, Probs, Roll, Rules};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../python/gammon/data/nets")
}

/// Name and contents of the default net.
fn shipped() -> (String, Vec<u8>) {
    let manifest = std::fs::read_to_string(folder().join("manifest.toml")).unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix("default = \"")).unwrap();
    let name = line.trim_end_matches('"').to_owned();
    let bytes = std::fs::read(folder().join(&name)).unwrap();
    (name, bytes)
}

fn net() -> Net {
    Net::from_bytes(&shipped().1).unwrap()
}

#[test]
fn the_name_carries_the_digest_and_the_file_is_small() {
    let (name, bytes) = shipped();
    let net = Net::from_bytes(&bytes).unwrap();
    let digest = &net.info().digest[..12];
    assert!(name.ends_with(&format!("-{digest}.net")), "{name} {digest}");
    assert!(bytes.len() < 1_000_000);
}

#[test]
fn its_recipe_is_the_committed_one() {
    let committed = std::fs::read_to_string(folder().join("first.toml")).unwrap();
    let config = gammon_core::train::Config::from_text(&committed).unwrap();
    assert_eq!(net().info().recipe, config.to_text());
    assert_eq!(net().info().seed, config.seed);
}

/// The play of a roll from the start that a net prefers.
fn opening_play(net: &Net, roll: Roll) -> String {
    let mut buf = PlayBuf::new();
    movegen::plays::<Backgammon>(&Position::START, roll, &mut buf);
    let mut values = vec![Probs::default(); buf.positions().len()];
    net.evaluate(buf.positions(), &mut values).unwrap();
    let best = buf.positions()[best_for_mover(&values)];
    Play::between(&Position::START, roll, &best).unwrap().to_string()
}

#[test]
fn it_knows_the_openings_that_make_points() {
    let net = net();
    for (roll, expected) in
        [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("53", "8/3 6/3"), ("65", "24/13")]
    {
        assert_eq!(opening_play(&net, roll.parse().unwrap()), expected, "{roll}");
    }
}

#[test]
fn its_games_end_as_games_do() {
    let settings = Settings { trials: 1_080, opening: true, ..Settings::default() };
    let mut watch = |_: &Part| ControlFlow::Continue(());
    let part = run::<Backgammon>(&Position::START.into(), &settings, &net(), 2, &mut watch).unwrap().part;
    let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, _, _] =
        Quantity::ALL.map(|quantity| part.estimate(0, quantity, Kind::Raw).unwrap().mean);
    assert!((0.47..0.57).contains(&win), "{win}");
    assert!((0.20..0.32).contains(&(win_gammon + lose_gammon)), "{win_gammon} {lose_gammon}");
    assert!(win_backgammon + lose_backgammon < 0.03);
    assert_eq!(part.unfinished(0), 0);
}

#[test]
fn it_beats_random_play() {
    let (net, mut buf, mut values, mut points) = (net(), PlayBuf::new(), Vec::new(), 0);
    for game in 0..200u64 {
        let dice = Stream::new(17, game);
        let choices = dice.fork(1);
        let mut position = Position::START;
        for turn in 0.. {
            movegen::plays::<Backgammon>(&position, dice.roll(turn), &mut buf);
            let candidates = buf.positions();
            let net_moves = turn % 2 == game % 2;
            let chosen = if net_moves {
                values.resize(candidates.len(), Probs::default());
                net.evaluate(candidates, &mut values).unwrap();
                best_for_mover(&values)
            } else {
                choices.below(candidates.len() as u32, turn) as usize
            };
            position = candidates[chosen];
            if let Some((_, outcome)) = Backgammon::result(&position) {
                points += if net_moves { outcome as i64 } else { -(outcome as i64) };
                break;
            }
        }
    }
    // Mostly gammons and backgammons.
    assert!(points > 350, "{points} points in 200 games");
}

/// Recorded with the net; every instruction set and platform must give these bits.
const SIGNATURE: u64 = 0x96e3_7d7c_1067_5f3f;

#[test]
fn its_numbers_are_the_recorded_bits() {
    let (mut buf, mut positions) = (PlayBuf::new(), Vec::new());
    for game in 0..20 {
        movegen::random_game::<Backgammon>(Stream::new(23, game), 1_000, &mut buf, |position, _, _| {
            positions.push(*position);
        });
    }
    let mut out = vec![Probs::default(); positions.len()];
    net().evaluate(&positions, &mut out).unwrap();
    let signature = out
        .iter()
        .flat_map(|p| p.to_array())
        .fold(0u64, |sum, x| sum.wrapping_mul(31).wrapping_add(u64::from(x.to_bits())));
    assert_eq!(signature, SIGNATURE, "{signature:#018x}");
}
