//! The nets the package ships: their files, their sense, their exact numbers.

use std::ops::ControlFlow;
use std::path::PathBuf;

use gammon_core::eval::{Evaluator, best_for_mover};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::nn::Net;
use gammon_core::rng::Stream;
use gammon_core::rollout::{Kind, Luck, Part, Quantity, Settings, run};
use gammon_core::{Backgammon, Play, Position, Probs, Roll, Rules};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../python/gammon/data/nets")
}

/// The shipped nets by their names in the manifest.
const NAMES: [&str; 2] = ["strong", "small"];

/// File name and contents of a shipped net.
fn shipped(name: &str) -> (String, Vec<u8>) {
    let manifest = std::fs::read_to_string(folder().join("manifest.toml")).unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \"")).unwrap();
    let file = line.trim_end_matches('"').to_owned();
    let bytes = std::fs::read(folder().join(&file)).unwrap();
    (file, bytes)
}

fn net(name: &str) -> Net {
    Net::from_bytes(&shipped(name).1).unwrap()
}

#[test]
fn names_carry_digests_and_the_files_are_small() {
    let mut total = 0;
    for name in NAMES {
        let (file, bytes) = shipped(name);
        let digest = net(name).info().digest[..12].to_owned();
        assert_eq!(file, format!("{name}-{digest}.net"));
        total += bytes.len();
    }
    assert!(total <= 5_000_000, "{total} bytes");
}

#[test]
fn recipes_are_the_committed_ones() {
    for name in NAMES {
        let committed = std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap();
        let config = gammon_core::train::FitConfig::from_text(&committed).unwrap();
        let net = net(name);
        assert!(net.info().recipe.starts_with(&config.to_text()), "{name}: {}", net.info().recipe);
        assert_eq!((net.info().seed, net.info().features), (config.seed, config.features));
        assert_eq!(net.info().hidden as u64, config.hidden);
    }
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

/// What every strong player plays; where two plays are as good as each other, both.
const OPENINGS: [(&str, &[&str]); 15] = [
    ("21", &["13/11 6/5", "24/23 13/11"]),
    ("31", &["8/5 6/5"]),
    ("32", &["24/21 13/11", "13/11 13/10"]),
    ("41", &["24/23 13/9", "13/9 6/5"]),
    ("42", &["8/4 6/4"]),
    ("43", &["24/20 13/10", "24/21 13/9", "13/10 13/9", "24/23 13/10"]),
    ("51", &["24/23 13/8", "13/8 6/5"]),
    ("52", &["13/11 13/8", "24/22 13/8"]),
    ("53", &["8/3 6/3"]),
    ("54", &["24/20 13/8", "13/8 13/9"]),
    ("61", &["13/7 8/7"]),
    ("62", &["24/18 13/11"]),
    ("63", &["24/18 13/10", "24/15"]),
    ("64", &["24/14", "24/18 13/9", "8/2 6/2"]),
    ("65", &["24/13"]),
];

#[test]
fn they_open_as_strong_players_do() {
    for name in NAMES {
        let net = net(name);
        for (roll, good) in OPENINGS {
            let play = opening_play(&net, roll.parse().unwrap());
            assert!(good.contains(&play.as_str()), "{name}: {roll} {play}");
        }
    }
}

/// Position `mxmAQ4PbAQAAAA`: each side has borne off a checker or more, so nobody can win a gammon.
#[test]
fn what_cannot_happen_has_no_chance() {
    let position = gammon_core::codec::posid::parse("mxmAQ4PbAQAAAA").unwrap();
    let (own, opp) = position.borne_off();
    for name in NAMES {
        let mut out = [Probs::default()];
        net(name).evaluate(&[position], &mut out).unwrap();
        let Probs { win_gammon, win_backgammon, lose_gammon, lose_backgammon, .. } = out[0];
        assert!(opp == 0 || (win_gammon, win_backgammon) == (0.0, 0.0), "{name}: {out:?}");
        assert!(own == 0 || (lose_gammon, lose_backgammon) == (0.0, 0.0), "{name}: {out:?}");
    }
    assert!(own > 0 || opp > 0);
}

#[test]
fn their_games_end_as_games_do() {
    NAMES.into_iter().for_each(games_end_as_they_should);
}

fn games_end_as_they_should(name: &str) {
    let settings = Settings { trials: 1_080, opening: true, luck: Luck::Off, ..Settings::default() };
    let mut watch = |_: &Part| ControlFlow::Continue(());
    let part = run::<Backgammon>(&Position::START.into(), &settings, &net(name), 2, &mut watch).unwrap().part;
    let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, _, _] =
        Quantity::ALL.map(|quantity| part.estimate(0, quantity, Kind::Raw).unwrap().mean);
    assert!((0.47..0.57).contains(&win), "{win}");
    assert!((0.20..0.32).contains(&(win_gammon + lose_gammon)), "{win_gammon} {lose_gammon}");
    assert!(win_backgammon + lose_backgammon < 0.03);
    assert_eq!(part.unfinished(0), 0);
}

#[test]
fn the_small_one_beats_random_play() {
    let (net, mut buf, mut values, mut points) = (net("small"), PlayBuf::new(), Vec::new(), 0);
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

/// Recorded with the nets; every instruction set and platform must give these bits.
const SIGNATURES: [u64; 2] = [0x5ec4_3dc4_26a9_a66d, 0x4519_6394_40cb_78e8];

#[test]
fn their_numbers_are_the_recorded_bits() {
    let (mut buf, mut positions) = (PlayBuf::new(), Vec::new());
    for game in 0..20 {
        movegen::random_game::<Backgammon>(Stream::new(23, game), 1_000, &mut buf, |position, _, _| {
            positions.push(*position);
        });
    }
    let signatures = NAMES.map(|name| {
        let mut out = vec![Probs::default(); positions.len()];
        net(name).evaluate(&positions, &mut out).unwrap();
        out.iter()
            .flat_map(|p| p.to_array())
            .fold(0u64, |sum, x| sum.wrapping_mul(31).wrapping_add(u64::from(x.to_bits())))
    });
    assert_eq!(signatures, SIGNATURES, "{signatures:#018x?}");
}
