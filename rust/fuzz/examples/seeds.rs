//! Writes the corpus that fuzzing starts from: `cargo run --example seeds`, in `rust/fuzz`.
//!
//! The same files every time; other files in the corpus (inputs that once failed) are left alone.

use std::fs;
use std::path::Path;

use gammon_core::codec::{fibs, matchid, posid, xgid};
use gammon_core::movegen::{PlayBuf, plays, random_game};
use gammon_core::rng::Stream;
use gammon_core::situation::Parts;
use gammon_core::train::Config;
use gammon_core::{Backgammon, Offer, Outcome, Play, Player, Position, Roll, Situation, rows};
use gammon_fuzz::checks::bytes;

const XGIDS: [&str; 12] = [
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:3:0:10",
    "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10",
    "XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8",
    "XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:0",
    "XGID=a-B-B-CaA--BeC---b-d-b-AA-:0:0:1:D:2:1:0:5:10",
    "XGID=-b--B-D-B---cC---c-eb---AA:0:0:-1:B:7:12:3:0:10",
    "XGID=-b--B-D-B---cC---c-eb---A-:1:-1:-1:R:0:0:2:0:6",
    "XGID=---aBBBBB----------bbbbb--:0:0:1:65:4:2:1:5:10",
    "XGID=-A---------------------a--:2:0:1:11:9:24:0:25:15",
    "XGID=-A------------------------:0:0:1:00:0:0:0:0:10",
    "-b----E-C---eE---c-e----B-:0:0:0:16:7:3:0:7",
];

const PLAYS_AT_START: [(&str, (u8, u8)); 11] = [
    ("8/5 6/5", (3, 1)),
    ("6-5,8-5", (3, 1)),
    ("24/18/13", (6, 5)),
    ("13/7(2) 8/2(2)", (6, 6)),
    ("24/16 (2)", (4, 4)),
    ("13/10 13/10 10/7 13/10", (3, 3)),
    ("pass", (2, 1)),
    ("bar/22* 6/off", (3, 1)),
    ("25/22 6/0", (6, 1)),
    ("8/5* 6/5*", (3, 1)),
    ("13/8 6/2", (5, 2)),
];

fn main() -> std::io::Result<()> {
    for (i, text) in ["31", "66", "1-2", "5 4", "6,1", "7-1", "3--", "é1"].iter().enumerate() {
        save("roll", i, text.as_bytes())?;
    }
    let moments = moments();
    for (i, (position, roll)) in moments.iter().enumerate() {
        save("movegen", i, &bytes::from_position(position, *roll))?;
    }
    for (i, some) in moments.chunks(4).enumerate() {
        let mut contents = Vec::new();
        rows::write(&some.iter().map(|(position, _)| *position).collect::<Vec<_>>(), &mut contents);
        contents[137] ^= (i % 2) as u8;
        save("rows", i, &contents)?;
    }
    save_plays(&moments)?;
    save_identifiers(&moments)?;
    save_training()
}

/// One file of a target's corpus.
fn save(target: &str, number: usize, contents: &[u8]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("seed-{number:02}")), contents)
}

/// Texts of legal plays, and some written as people write them.
fn save_plays(moments: &[(Position, Roll)]) -> std::io::Result<()> {
    let mut cases = Vec::new();
    let mut buf = PlayBuf::new();
    for (i, (position, roll)) in moments.iter().enumerate() {
        plays::<Backgammon>(position, *roll, &mut buf);
        // Sorted: the order of the generator is its own affair.
        let mut results = buf.positions().to_vec();
        results.sort_unstable();
        let after = results[i % results.len()];
        let play = Play::between(position, *roll, &after).expect("results of the generator have plays");
        cases.push((*position, *roll, play.to_string()));
    }
    for (text, (high, low)) in PLAYS_AT_START {
        cases.push((Position::START, Roll::new(high, low).expect("dice"), text.to_owned()));
    }
    for (i, (position, roll, text)) in cases.iter().enumerate() {
        let head = bytes::from_position(position, *roll);
        let contents = [&[head.len() as u8][..], &head, text.as_bytes()].concat();
        save("play", i, &contents)?;
    }
    Ok(())
}

/// Every format by itself, and all of them for the function that tells them apart.
fn save_identifiers(moments: &[(Position, Roll)]) -> std::io::Result<()> {
    for (i, (position, _)) in moments.iter().step_by(2).enumerate() {
        save("posid", i, posid::print(position).as_bytes())?;
    }
    let mut any =
        ["start", " 4HPwATDgc/ABMA== ", "GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAE"].map(str::to_owned).to_vec();
    for (i, text) in XGIDS.into_iter().enumerate() {
        save("xgid", i, text.as_bytes())?;
        let situation = xgid::parse(text).expect("a sound XGID");
        let pair = matchid::print_pair(&situation).text;
        let line = fibs::print(&situation).text;
        save("matchid", 2 * i, pair.as_bytes())?;
        save("matchid", 2 * i + 1, matchid::print(&situation).text.as_bytes())?;
        save("fibs", i, line.as_bytes())?;
        any.push([text.to_owned(), pair, line][i % 3].clone());
    }
    let resigned = Parts {
        offer: Some(Offer::Resignation(Outcome::Gammon)),
        to_act: Player::Opponent,
        ..Situation::START.parts()
    };
    let resigned = Situation::new(resigned).expect("a resignation may always be offered");
    any.push(matchid::print_pair(&resigned).text);
    for (i, text) in any.iter().enumerate() {
        save("parse", i, text.as_bytes())?;
    }
    Ok(())
}

/// Changes to the good files (see the checks for what the bytes mean), and texts of settings.
fn save_training() -> std::io::Result<()> {
    let nets: [&[u8]; 10] = [
        &[1],
        &[3],
        &[3, 60, 0, 0, 1],
        &[3, 61, 0, 0, 127],
        &[3, 200, 3, 0, 129, 201, 30, 1, 2],
        &[3, 36, 0, 0, 0],
        &[3, 40, 0, 0, 255, 48, 0, 0, 7],
        &[1, 60, 0, 0, 1],
        &[3, 254, 255, 255, 40],
        &[0],
    ];
    // Bytes from 16 on are the text of the settings; 24 is the first digit of its seed.
    let checkpoints: [&[u8]; 7] = [
        &[1],
        &[3],
        &[3, 23, 0, 0, b'7'],
        &[3, 0, 4, 0, 1, 0, 0, 8, 200],
        &[3, 0, 0, 4, 63, 1, 0, 4, 0],
        &[1, 60, 0, 0, 1],
        &[3, 254, 255, 255, 40],
    ];
    let fits: [&[u8]; 7] = [
        &[1],
        &[3],
        &[3, 23, 0, 0, b'7'],
        &[3, 0, 8, 0, 1, 0, 0, 12, 200],
        &[3, 0, 0, 4, 63, 1, 0, 4, 0],
        &[1, 60, 0, 0, 1],
        &[3, 254, 255, 255, 40],
    ];
    // The head has 24 bytes; a part of the good file 72: 16, two records of 20, 16. Signed changes count from
    // the last part.
    let data: [&[u8]; 12] = [
        &[1],
        &[3],
        &[1, 17, 0, 0, b'R'],
        &[1, 36, 0, 0, 255],
        &[1, 254, 255, 255, 7],
        &[1, 254, 255, 255, 72],
        &[1, 255, 255, 255, 9],
        &[3, 8, 0, 0, 200],
        &[3, 26, 0, 0, 1],
        &[3, 12, 0, 0, 1],
        &[3, 46, 0, 0, 7, 47, 0, 0, 1],
        &[0, b'G', b'A', b'M', b'M', b'P', b'O', b'S', b'\n', 1, 0, 0, 0, 0, 0, 0, 0],
    ];
    let texts = [
        Config::default().to_text(),
        Config { seed: u64::MAX, hidden: 64, rate_first: 1.0 / 3.0, ..Config::default() }.to_text(),
        "# a comment\n\ngames = 1_000 # another\n".to_owned(),
        "exploration = 1e-3\nlambda_last = .5\nbatch=+7".to_owned(),
        "games = many".to_owned(),
        "random_plays = 1000\r\nchunk_until = 0\r\n".to_owned(),
    ];
    for (i, contents) in nets.into_iter().enumerate() {
        save("net_file", i, contents)?;
    }
    for (i, contents) in checkpoints.into_iter().enumerate() {
        save("checkpoint", i, contents)?;
    }
    for (i, contents) in fits.into_iter().enumerate() {
        save("fit_checkpoint", i, contents)?;
    }
    for (i, contents) in data.into_iter().enumerate() {
        save("data_file", i, contents)?;
    }
    for (i, text) in texts.iter().enumerate() {
        save("config", i, text.as_bytes())?;
    }
    Ok(())
}

/// How many checkers stand on which points.
type Points = &'static [(usize, u8)];

/// Positions from random games and a few that games seldom come to.
fn moments() -> Vec<(Position, Roll)> {
    let mut moments = Vec::new();
    for trial in 0..2 {
        random_game::<Backgammon>(
            Stream::new(8, trial),
            2_000,
            &mut PlayBuf::new(),
            |position, roll, turn| {
                if turn % 9 == 0 && moments.len() < 12 * (trial as usize + 1) {
                    moments.push((*position, roll));
                }
            },
        );
    }
    let rare: [(Points, Points, (u8, u8)); 11] = [
        (&[(25, 4), (6, 11)], &[(1, 2), (2, 1), (3, 1), (24, 1)], (2, 1)),
        (&[(25, 15)], &[(24, 1), (23, 2), (22, 1)], (3, 3)),
        (&[(6, 3), (5, 2), (2, 4)], &[(25, 1), (3, 1), (1, 1)], (6, 5)),
        (&[(7, 1), (1, 2)], &[(4, 1), (2, 1)], (6, 1)),
        (&[(24, 1), (6, 1)], &[(18, 1), (20, 1), (12, 2)], (6, 4)),
        (&[(10, 1), (11, 1), (12, 1), (13, 1), (14, 1), (15, 1), (16, 1)], &[(25, 3), (9, 1)], (1, 1)),
        (&[(2, 1)], &[(1, 15)], (2, 1)),
        (&[(13, 2)], &[(7, 2), (12, 2)], (6, 1)),
        (&[(7, 1), (6, 3)], &[(1, 2)], (6, 6)),
        (&[(7, 1), (6, 2), (5, 1)], &[(1, 2), (2, 2)], (6, 5)),
        (&[(9, 1), (1, 14)], &[(24, 15)], (1, 1)),
    ];
    for (roller, opponent, (high, low)) in rare {
        let mut sides = [[0; 25]; 2];
        for &(place, count) in roller {
            sides[0][place - 1] = count;
        }
        for &(place, count) in opponent {
            // Numbered by the roller; his 25 stands for the opponent's bar.
            sides[1][if place == 25 { 24 } else { 24 - place }] = count;
        }
        let position = Position::from_counts(&sides[0], &sides[1]).expect("a legal position");
        moments.push((position, Roll::new(high, low).expect("dice")));
    }
    moments
}
