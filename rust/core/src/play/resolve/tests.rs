//! Ways of writing plays, and the reasons why plays are refused.

use super::*;
use crate::testing::board;

fn resolve(position: &Position, roll: &str, text: &str) -> Result<String, String> {
    let roll = roll.parse().unwrap();
    match Play::resolve(position, roll, text) {
        Ok((play, after)) => {
            assert_eq!(Play::between(position, roll, &after), Some(play));
            Ok(play.to_string())
        }
        Err(PlayTextError::Illegal(error)) => Err(error.problem.to_string()),
        Err(PlayTextError::Parse(error)) => Err(format!("unreadable: {}", error.kind)),
    }
}

fn text(position: &Position, roll: &str, text: &str) -> String {
    resolve(position, roll, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn one_text_for_every_way_of_writing() {
    let start = Position::START;
    for written in ["8/5 6/5", "6/5 8/5", "6-5 8-5", " 8/5,6/5 ", "8/5*, 6/5"] {
        assert_eq!(text(&start, "31", written), "8/5 6/5");
    }
    for written in ["24/13", "24/18/13", "24/18 18/13", "18/13 24/18", "24-13"] {
        assert_eq!(text(&start, "65", written), "24/13");
    }
    for written in ["13/7(2) 8/2(2)", "8/2 (2) 13/7 13/7", "13/7 8/2 13/7 8/2"] {
        assert_eq!(text(&start, "66", written).as_str(), "13/7(2) 8/2(2)");
    }
    assert_eq!(text(&start, "44", "24/16(2)"), "24/16(2)");
    assert_eq!(text(&start, "33", "13/10 13/10 10/7 13/10"), "13/7 13/10(2)");
}

#[test]
fn a_finished_game_is_not_played_on() {
    let lost = board(&[(6, 2), (3, 1)], &[]);
    for position in [lost, lost.flip()] {
        assert_eq!(text(&position, "61", "pass"), "pass");
        for written in ["6/off 3/2", "6/5", "5/6", "bar/24"] {
            assert_eq!(resolve(&position, "61", written).unwrap_err(), "the game is over");
        }
    }
}

#[test]
fn bar_off_and_hits() {
    let entering = board(&[(25, 2), (6, 3)], &[(22, 1), (20, 2)]);
    for written in ["bar/22*(2)", "25/22 25/22", "BAR/22(2)*", "Bar/22* bar/22", "b/22(2)"] {
        assert_eq!(text(&entering, "33", &format!("{written} 6/3(2)")), "bar/22*(2) 6/3(2)");
    }
    let home = board(&[(6, 2), (3, 1)], &[(24, 2)]);
    for written in ["6/off 3/2", "6/0 3/2", "3/2 6/OFF", "6-o 3-2"] {
        assert_eq!(text(&home, "61", written), "6/off 3/2");
    }
    // The 6 alone would end the game, 6/5 and then off uses both dice: the same result.
    let last = board(&[(6, 1)], &[(24, 2)]);
    assert_eq!(text(&last, "61", "6/off"), "6/off");
    // A checker that moves to a point where another one continues is written as one that moves on.
    let stacked = board(&[(13, 1), (7, 1)], &[(1, 2)]);
    assert_eq!(text(&stacked, "61", "13/7 7/6"), "13/6");
    let chain = board(&[(24, 2)], &[(18, 1), (13, 1), (19, 2)]);
    assert_eq!(text(&chain, "65", "24/13"), "24/18*/13*");
    assert_eq!(text(&chain, "65", "24/18*/13*"), "24/18*/13*");
}

#[test]
fn hit_marks_choose_between_ways() {
    let position = board(&[(24, 1)], &[(20, 1), (6, 2)]);
    // By way of 22 nothing is hit, by way of 20 a blot.
    assert_eq!(text(&position, "42", "24/18"), "24/18");
    assert_eq!(text(&position, "42", "24/20*/18"), "24/20*/18");
    assert_eq!(text(&position, "42", "24/20/18"), "24/20*/18");
    let both = board(&[(24, 1)], &[(20, 1), (22, 1)]);
    assert!(resolve(&both, "42", "24/18").unwrap_err().contains("different blots"));
    assert_eq!(text(&both, "42", "24/22/18"), "24/22*/18");
}

#[test]
fn passes() {
    let closed = board(&[(25, 1)], &[(19, 2), (20, 2), (21, 2), (22, 2), (23, 2), (24, 2)]);
    for written in ["", "pass", "Cannot Move", "  "] {
        assert_eq!(text(&closed, "31", written), "pass");
    }
    assert_eq!(resolve(&Position::START, "31", "").unwrap_err(), PlayProblem::NotAPass.to_string());
}

#[test]
fn illegal_plays_name_the_reason() {
    let start = Position::START;
    let blocked = board(&[(13, 5), (6, 5)], &[(8, 2), (1, 2)]);
    let one_die = board(&[(20, 1)], &[(9, 2)]);
    let entering = board(&[(25, 1), (6, 4)], &[(22, 2)]);
    let home = board(&[(6, 2), (3, 1)], &[(24, 2)]);
    for (position, roll, written, reason) in [
        (&blocked, "52", "13/8 6/4", "the 8-point is blocked"),
        (&blocked, "52", "13/11 13/8", "the 8-point is blocked"),
        (&start, "61", "13/7 12/11", "there is no checker on the 12-point"),
        (&start, "65", "24/18/13 24/18", "no die is left for 24/18"),
        (&start, "61", "13/8 6/5", "the dice cannot make 13/8"),
        (&start, "61", "8/7 8/7", "the dice cannot make 8/7"),
        (&start, "61", "6/off 8/7", "no bearing off while a checker is on the 24-point"),
        (&start, "61", "6/9 6/5", "6/9 does not lead towards home"),
        (&start, "61", "8/8", "8/8 does not lead towards home"),
        (&start, "51", "bar/20", "there is no checker on the bar"),
        (&start, "51", "24/19", "the 19-point is blocked"),
        (&start, "61", "13/7", "2 dice can be played, this plays 1"),
        (&start, "61", "", "the roll can be played, so passing is not allowed"),
        (&one_die, "65", "20/15", "only one die can be played, and it must be the larger, 6"),
        (&one_die, "65", "20/9", "the 9-point is blocked"),
        (&entering, "31", "6/5 6/3", "a checker on the bar must enter first"),
        (&entering, "31", "bar/22 6/5", "the 22-point is blocked"),
        (&home, "54", "3/off 6/1", "the die is too large while a checker is on the 6-point"),
    ] {
        assert_eq!(resolve(position, roll, written), Err(reason.to_owned()), "{roll}: {written}");
    }
    let error = Play::resolve(&blocked, "52".parse().unwrap(), "13/8 6/4").unwrap_err();
    assert_eq!(error.to_string(), "illegal play 13/8 6/4 for roll 52: the 8-point is blocked");
}

#[test]
fn moves_that_cannot_be_are_errors() {
    let roll = "31".parse().unwrap();
    for (from, to) in [(26, 1), (255, 0), (5, 8), (5, 5), (0, 0), (24, 25)] {
        assert!(Play::resolve_moves(&Position::START, roll, &[Move { from, to }]).is_err());
    }
    let five = [Move { from: 6, to: 5 }; 5];
    assert!(Play::resolve_moves(&Position::START, roll, &five).is_err());
}

#[test]
fn unreadable_plays_say_where() {
    for (written, offset) in [
        ("8", 1),
        ("8/", 2),
        ("/5", 0),
        ("8/5 x", 4),
        ("0/5", 0),
        ("26/20", 0),
        ("off/5", 0),
        ("8/bar", 2),
        ("8/5(", 4),
        ("8/5(9)", 4),
        ("8/5(2", 5),
        ("6/5(3) 8/5(2)", 7),
        ("13/12/11/10/9/8", 14),
        ("8/5 \u{2013} 6/5", 4),
        ("\u{fe0f}", 0),
        ("*", 0),
        (",", 1),
    ] {
        match Play::resolve(&Position::START, "31".parse().unwrap(), written) {
            Err(PlayTextError::Parse(error)) => assert_eq!(error.offset, offset, "{written:?}: {error}"),
            other => panic!("{written:?}: {other:?}"),
        }
    }
    assert!(Play::resolve(&Position::START, "31".parse().unwrap(), &"8/5 ".repeat(100_000)).is_err());
    assert!(Play::resolve(&Position::START, "31".parse().unwrap(), &"8".repeat(100_000)).is_err());
}

/// Random scraps of notation are read, refused as illegal or refused as unreadable; none panics.
#[test]
fn scraps_of_notation_do_not_panic() {
    let scraps = [
        "24", "13", "8", "6", "5", "1", "0", "25", "bar", "off", "/", "/", "/", "-", "*", "(2)", "(4)", " ",
        " ", ",", "(", "x", "\u{e9}",
    ];
    let ends = ["", "", "*", "(2)"];
    let positions = [
        Position::START,
        board(&[(25, 2), (6, 3)], &[(22, 1), (20, 2)]),
        board(&[(6, 2), (3, 1)], &[(24, 2)]),
    ];
    let (mut legal, mut illegal, mut unreadable) = (0, 0, 0);
    for trial in 0..40_000 {
        let stream = crate::rng::Stream::new(41, trial);
        let draw = |counter, from: &[&'static str]| from[stream.below(from.len() as u32, counter) as usize];
        // Half of them a jumble, half moves of any points.
        let text: String = if trial % 2 == 0 {
            (1..=u64::from(stream.below(11, 0))).map(|i| draw(i, &scraps)).collect()
        } else {
            let one = |i| {
                format!("{}/{}{} ", draw(i, &scraps[..9]), draw(i + 1, &scraps[..10]), draw(i + 2, &ends))
            };
            (0..1 + u64::from(stream.below(3, 0))).map(|i| one(10 * i + 1)).collect()
        };
        let position = &positions[(trial % 3) as usize];
        match Play::resolve(position, stream.roll(99), &text) {
            Ok(_) => legal += 1,
            Err(PlayTextError::Illegal(error)) => {
                illegal += 1;
                assert!(!error.to_string().is_empty());
            }
            Err(PlayTextError::Parse(error)) => {
                unreadable += 1;
                assert!(error.offset <= text.len());
            }
        }
    }
    assert!(legal > 20 && illegal > 1_000 && unreadable > 10_000, "{legal} {illegal} {unreadable}");
}
