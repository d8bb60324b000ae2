//! Plays are written as GNU Backgammon writes them, and what is written reads back.

use gammon_core::{Play, Roll, codec::posid};

const ROWS: &str = include_str!("data/plays.csv");

#[test]
fn plays_print_as_gnu_backgammon_prints_them() {
    let mut rows = 0;
    for line in ROWS.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [position, roll, after, theirs] = fields[..] else { panic!("{line}") };
        let position = posid::parse(position).unwrap();
        let after = posid::parse(after).unwrap();
        let roll: Roll = roll.parse().unwrap();
        let play = Play::between(&position, roll, &after).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(play.to_string(), if theirs.is_empty() { "pass" } else { theirs }, "{line}");
        assert_eq!(Play::resolve(&position, roll, theirs), Ok((play, after)), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 1348);
}
