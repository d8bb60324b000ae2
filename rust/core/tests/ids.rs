//! Every identifier that GNU Backgammon printed is decoded to its fields and printed again unchanged.

use gammon_core::codec::{Format, fibs, matchid, parse, posid, xgid};
use gammon_core::{Offer, Outcome, Player, Roll, Seat, Situation};

const ROWS: &str = include_str!("data/ids.csv");

struct Row<'a>(Vec<&'a str>);

impl<'a> Row<'a> {
    fn all() -> impl Iterator<Item = Row<'a>> {
        let lines = ROWS.lines().filter(|line| !line.starts_with('#'));
        lines.skip(1).map(|line| Row(line.split(',').collect()))
    }

    fn text(&self, name: &str) -> &'a str {
        let header = ROWS.lines().find(|line| !line.starts_with('#')).unwrap();
        self.0[header.split(',').position(|column| column == name).unwrap()]
    }

    fn number(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap()
    }

    fn flag(&self, name: &str) -> bool {
        self.number(name) != 0
    }

    fn counts(&self, name: &str) -> Vec<u8> {
        self.text(name).split(' ').map(|n| n.parse().unwrap()).collect()
    }

    fn ids(&self) -> String {
        format!("{}:{}", self.text("position_id"), self.text("match_id"))
    }
}

fn check_fields(row: &Row, read: &Situation) {
    let ids = row.ids();
    let seat = |n: i64| if n == 0 { Seat::Top } else { Seat::Bottom };
    assert_eq!(read.position.roller().to_vec(), row.counts("board_me"), "{ids}");
    assert_eq!(read.position.opponent().to_vec(), row.counts("board_opp"), "{ids}");
    assert_eq!(read.seat, seat(row.number("player_on_roll")), "{ids}");
    assert_eq!(read.seat_of(read.to_act), seat(row.number("turn")), "{ids}");
    let dice = (row.number("die") as u8, row.number("die2") as u8);
    assert_eq!(read.roll, Roll::new(dice.0, dice.1), "{ids}");
    assert_eq!(read.state as i64, row.number("gamestate"), "{ids}");
    let offer = match (row.flag("doubled"), row.number("resigned")) {
        (true, _) => Some(Offer::Double),
        (_, 1) => Some(Offer::Resignation(Outcome::Single)),
        (_, 2) => Some(Offer::Resignation(Outcome::Gammon)),
        (_, 3) => Some(Offer::Resignation(Outcome::Backgammon)),
        _ => None,
    };
    assert_eq!(read.offer, offer, "{ids}");
    let score = &read.score;
    assert_eq!(i64::from(score.length), row.number("length"), "{ids}");
    for (at, column) in [(Seat::Top, "score0"), (Seat::Bottom, "score1")] {
        assert_eq!(i64::from(score.score(read.player_at(at))), row.number(column), "{ids}");
    }
    assert_eq!(i64::from(score.cube_value()), row.number("cube"), "{ids}");
    let owner = row.number("owner");
    assert_eq!(score.cube_owner, (owner >= 0).then(|| read.player_at(seat(owner))), "{ids}");
    assert_eq!(score.crawford, row.flag("crawford"), "{ids}");
    assert_eq!(score.jacoby, row.flag("jacoby"), "{ids}");
}

#[test]
fn every_pair_decodes_to_its_fields_and_prints_back() {
    let mut rows = 0;
    for row in Row::all() {
        let ids = row.ids();
        let (read, format) = parse(&ids).unwrap_or_else(|error| panic!("{ids}: {error}"));
        assert_eq!(format, Format::GnuId);
        check_fields(&row, &read);
        assert_eq!(posid::print(&read.position), row.text("position_id"));
        let printed = matchid::print_pair(&read);
        assert_eq!((printed.text, printed.lost.len()), (ids, 0));
        rows += 1;
    }
    assert_eq!(rows, 246);
}

/// GNU Backgammon read these XGIDs; it seats the player on roll as player 1 and takes a double as not
/// yet offered.
#[test]
fn xgids_are_the_situations_that_gnu_backgammon_made_of_them() {
    let mut rows = 0;
    for row in Row::all().filter(|row| !row.text("xgid").is_empty()) {
        let text = row.text("xgid");
        let read = xgid::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut parts = read.parts();
        parts.seat = Seat::Bottom;
        if parts.offer == Some(Offer::Double) {
            (parts.offer, parts.to_act) = (None, Player::Roller);
        }
        check_fields(&row, &Situation::new(parts).unwrap());
        // The larger die comes first in what is printed.
        let fields: Vec<&str> = text.split(':').collect();
        let dice = read.roll.map_or(fields[4].to_owned(), |roll| roll.to_string());
        let expected = [&fields[..4], &[dice.as_str()], &fields[5..]].concat().join(":");
        let printed = xgid::print(&read);
        assert_eq!((printed.text, printed.lost.len()), (expected, 0));
        rows += 1;
    }
    assert_eq!(rows, 81);
}

#[test]
fn fibs_lines_keep_what_they_can() {
    let mut whole = 0;
    for row in Row::all() {
        let read = parse(&row.ids()).unwrap().0;
        let line = fibs::print(&read);
        let back = fibs::parse(&line.text).unwrap();
        assert_eq!(back == read, line.lost.is_empty(), "{} {line:?}", row.ids());
        assert_eq!((back.position, back.roll), (read.position, read.roll));
        whole += u32::from(line.lost.is_empty());
    }
    assert!(whole > 150, "{whole}");
}
