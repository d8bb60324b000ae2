//! A board drawn with letters, for terminals and error messages.
//!
//! The player whose roll it is sits below and moves from the upper right (24) to the lower right (1), so
//! the numbers are those in which plays are written. `X` is player 1, `O` player 0, whoever rolls. A
//! stack of more than five shows its height in place of the fifth checker.

use std::fmt::Write;

use crate::score::Player;
use crate::situation::{Offer, Seat, Situation};

/// Checkers drawn on one point before a number takes over.
const ROWS: usize = 5;

/// The board of a situation with pips, score, cube and what is to be done; plain ASCII, several lines.
///
/// ```text
///  +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
///  |  X           O    |   |  O              X |  O: 167 pips, 0 off
///  |  X           O    |   |  O              X |
///  |  X           O    |   |  O                |
///  |  X                |   |  O                |
///  |  X                |   |  O                |
///  |                   |BAR|                   |  cube at 1, centred
///  |  O                |   |  X                |
///  |  O                |   |  X                |
///  |  O           X    |   |  X                |
///  |  O           X    |   |  X              O |
///  |  O           X    |   |  X              O |  X: 167 pips, 0 off
///  +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+
///  Money play. X to roll or double.
/// ```
pub fn draw(situation: &Situation) -> String {
    let mut text = String::with_capacity(1024);
    // Writing to a string cannot fail.
    let _ = write_board(&mut text, situation);
    let _ = writeln!(text, " {} {}", stakes(situation), task(situation));
    text
}

fn write_board(text: &mut String, situation: &Situation) -> std::fmt::Result {
    writeln!(text, "{}", border(|i| 13 + i))?;
    for row in 0..ROWS {
        let half = |first: usize| cells(situation, (first..first + 6).collect::<Vec<_>>(), row);
        let bar = bar_cell(situation, Player::Opponent, ROWS - 1 - row);
        let side = if row == 0 { player_line(situation, Player::Opponent) } else { String::new() };
        writeln!(text, "{}", format!(" |{}|{bar}|{}|  {side}", half(13), half(19)).trim_end())?;
    }
    writeln!(text, " |{0:19}|BAR|{0:19}|  {1}", "", cube_line(situation))?;
    for row in (0..ROWS).rev() {
        let half = |first: usize| cells(situation, (first - 5..=first).rev().collect(), row);
        let bar = bar_cell(situation, Player::Roller, ROWS - 1 - row);
        let side = if row == 0 { player_line(situation, Player::Roller) } else { String::new() };
        writeln!(text, "{}", format!(" |{}|{bar}|{}|  {side}", half(12), half(6)).trim_end())?;
    }
    writeln!(text, "{}", border(|i| 12 - i))
}

/// An edge of the board with its twelve numbers.
fn border(number: impl Fn(usize) -> usize) -> String {
    let mut line = " +".to_owned();
    for i in 0..12 {
        let _ = write!(line, "-{:->2}", number(i));
        match i {
            5 => line.push_str("-+---+"),
            11 => line.push_str("-+"),
            _ => {}
        }
    }
    line
}

/// Six points of one row; row 0 is at the edge.
fn cells(situation: &Situation, points: Vec<usize>, row: usize) -> String {
    let mut line = String::new();
    for point in points {
        let n = situation.position.places()[point];
        line += &cell(situation, n, row);
    }
    line.push(' ');
    line
}

/// The bar of `player`; row 0 is next to the middle.
fn bar_cell(situation: &Situation, player: Player, row: usize) -> String {
    let place = if player == Player::Roller { 25 } else { 0 };
    cell(situation, situation.position.places()[place], row)[1..].to_owned() + " "
}

/// Three characters: a checker, the height of a tall stack, or nothing.
fn cell(situation: &Situation, n: i8, row: usize) -> String {
    let height = usize::from(n.unsigned_abs());
    let player = if n > 0 { Player::Roller } else { Player::Opponent };
    if height > ROWS && row == ROWS - 1 {
        format!("{height:3}")
    } else if height > row {
        format!("  {}", letter(situation, player))
    } else {
        "   ".to_owned()
    }
}

fn letter(situation: &Situation, player: Player) -> char {
    if situation.seat_of(player) == Seat::Bottom { 'X' } else { 'O' }
}

fn player_line(situation: &Situation, player: Player) -> String {
    let (pips, off) = (situation.position.pip_counts(), situation.position.borne_off());
    let (pips, off) = if player == Player::Roller { (pips.0, off.0) } else { (pips.1, off.1) };
    let mut line = format!("{}: {pips} pips, {off} off", letter(situation, player));
    let score = &situation.score;
    if !score.is_money() || score.roller_score > 0 || score.opponent_score > 0 {
        let _ = write!(line, ", score {}", score.score(player));
    }
    line
}

fn cube_line(situation: &Situation) -> String {
    let score = &situation.score;
    match score.cube_owner {
        None if score.crawford => "no cube".to_owned(),
        None => format!("cube at {}, centred", score.cube_value()),
        Some(owner) => format!("cube at {}, {} owns it", score.cube_value(), letter(situation, owner)),
    }
}

/// What is played for.
fn stakes(situation: &Situation) -> String {
    let score = &situation.score;
    if score.is_money() {
        let rules: &[&str] = match (score.jacoby, score.beavers) {
            (false, false) => &[],
            (true, false) => &["Jacoby rule"],
            (false, true) => &["beavers"],
            (true, true) => &["Jacoby rule", "beavers"],
        };
        return [&["Money play"], rules].concat().join(", ") + ".";
    }
    let crawford = match (score.crawford, score.is_post_crawford()) {
        (true, _) => ", Crawford game",
        (false, true) if score.length > 1 => ", post-Crawford",
        _ => "",
    };
    let points = if score.length == 1 { "point" } else { "points" };
    format!("Match to {} {points}{crawford}.", score.length)
}

/// Who has to do what.
fn task(situation: &Situation) -> String {
    let name = |player| letter(situation, player);
    let (actor, other) = (name(situation.to_act), name(situation.to_act.other()));
    if situation.score.is_over() {
        return "The match is over.".to_owned();
    }
    if situation.is_over() {
        return "The game is over.".to_owned();
    }
    let cube = |offer: Offer| 1u64 << (situation.score.cube_log2 + offer.turns());
    match (situation.offer, situation.roll) {
        (Some(offer @ Offer::Double), _) => format!("{other} doubles to {}, {actor} to answer.", cube(offer)),
        (Some(offer @ Offer::Beaver), _) => format!("{other} beavers to {}, {actor} to answer.", cube(offer)),
        (Some(offer @ Offer::Raccoon), _) => {
            format!("{other} raccoons to {}, {actor} to answer.", cube(offer))
        }
        (Some(Offer::Resignation(outcome)), _) => format!("{other} resigns a {outcome}, {actor} to answer."),
        (None, Some(roll)) => format!("{} to play {roll}.", name(Player::Roller)),
        (None, None) if may_double(situation) => format!("{} to roll or double.", name(Player::Roller)),
        (None, None) => format!("{} to roll.", name(Player::Roller)),
    }
}

/// Whether the player on roll could turn the cube: it is his to turn, and it is not dead.
fn may_double(situation: &Situation) -> bool {
    let score = &situation.score;
    let below_limit = score.cube_limit.is_none_or(|limit| score.cube_log2 < limit);
    let wins_all = |player| score.away(player).is_some_and(|away| u32::from(away) <= score.cube_value());
    let dead = wins_all(Player::Roller) && wins_all(Player::Opponent);
    !score.crawford && !dead && score.cube_owner != Some(Player::Opponent) && below_limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    fn drawn(id: &str) -> String {
        draw(&codec::parse(id).unwrap().0)
    }

    #[test]
    fn the_start() {
        let expected = [
            " +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+",
            " |  X           O    |   |  O              X |  O: 167 pips, 0 off",
            " |  X           O    |   |  O              X |",
            " |  X           O    |   |  O                |",
            " |  X                |   |  O                |",
            " |  X                |   |  O                |",
            " |                   |BAR|                   |  cube at 1, centred",
            " |  O                |   |  X                |",
            " |  O                |   |  X                |",
            " |  O           X    |   |  X                |",
            " |  O           X    |   |  X              O |",
            " |  O           X    |   |  X              O |  X: 167 pips, 0 off",
            " +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+",
            " Money play. X to roll or double.",
        ];
        assert_eq!(drawn("start").lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tall_stacks_bars_and_letters() {
        let text = drawn("XGID=b-AB--F-----------a-bbcda-:1:-1:-1:63:2:4:0:7:10");
        assert!(text.lines().all(|line| line.is_ascii() && line.trim_end() == line), "{text}");
        assert_eq!(text.lines().count(), 14);
        // The top player rolls: he sits below as O.
        assert!(text.contains("O to play 63"), "{text}");
        assert!(text.contains("cube at 2, O owns it"), "{text}");
        assert!(text.contains("X: ") && text.contains("score 2"), "{text}");
        let below: Vec<&str> = text.lines().skip(7).collect();
        assert_eq!(below.iter().filter(|line| line.contains("| O |")).count(), 2, "{text}");
        assert!(text.contains("  6"), "a stack of six: {text}");
    }

    #[test]
    fn every_state_has_its_words() {
        for (fields, words) in [
            ("0:0:1:00:0:0:0:0:10", "Money play. X to roll or double."),
            ("0:0:1:00:0:0:3:0:10", "Money play, Jacoby rule, beavers. X to roll or double."),
            ("1:-1:1:00:0:0:1:0:10", "Money play, Jacoby rule. X to roll."),
            ("0:0:-1:D:0:0:0:0:10", "O doubles to 2, X to answer."),
            ("0:0:-1:B:0:0:2:0:10", "Money play, beavers. X beavers to 4, O to answer."),
            ("0:0:1:R:0:0:2:0:10", "X raccoons to 8, O to answer."),
            ("0:0:1:00:6:0:1:7:10", "Match to 7 points, Crawford game. X to roll."),
            ("0:0:1:00:6:0:0:7:10", "Match to 7 points, post-Crawford. X to roll or double."),
            ("0:0:1:00:0:0:0:1:10", "Match to 1 point. X to roll."),
            ("0:0:1:00:7:0:0:7:10", "The match is over."),
        ] {
            let text = drawn(&format!("XGID=-b----E-C---eE---c-e----B-:{fields}"));
            assert!(text.ends_with(&format!("{words}\n")), "{text}");
        }
        let over = drawn("XGID=------------e-------------:0:0:1:00:0:0:0:0:10");
        assert!(over.contains("The game is over."), "{over}");
    }
}
