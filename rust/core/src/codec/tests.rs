//! Tests that concern all formats at once.

use super::*;
use crate::dice::Roll;
use crate::movegen::{PlayBuf, random_game};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::Backgammon;
use crate::score::{MatchState, Player};
use crate::situation::{GameState, Offer, Parts, Seat};

/// XGIDs with the GNU Backgammon ids of the same situation; the last column says which seat rolls.
const PAIRS: [(&str, &str, Seat); 5] = [
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAE", Seat::Bottom),
    ("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10", "b9sBCIC5bYDQAA:QQnlAGAAGAAE", Seat::Bottom),
    ("XGID=-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10", "Mw5jkCQyz+AhAg:cAkgAUAAEAAE", Seat::Bottom),
    ("XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:10", "4TcAALDeAAAAAA:UQngAAAAIAAE", Seat::Bottom),
    ("XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8", "ewMAAD4gAAAAAA:AQGqAAAAAAAE", Seat::Top),
];

#[test]
fn xgid_and_gnu_ids_name_the_same_situations() {
    for (xgid_text, gnu_text, seat) in PAIRS {
        let (from_xgid, format) = parse(xgid_text).unwrap();
        assert_eq!(format, Format::Xgid);
        assert_eq!(from_xgid.seat, seat);
        let (from_gnu, format) = parse(gnu_text).unwrap();
        assert_eq!(format, Format::GnuId);
        let limit = from_xgid.score.cube_limit;
        let mut same = from_gnu.parts();
        same.score.cube_limit = limit;
        assert_eq!(from_xgid.parts(), same, "{xgid_text}");
        assert_eq!(xgid::print(&from_xgid), Encoded { text: xgid_text.to_owned(), lost: vec![] });
        let gnu = matchid::print_pair(&from_xgid);
        assert_eq!(gnu.text, gnu_text);
        assert_eq!(gnu.lost.len(), usize::from(limit != Some(10)), "{gnu:?}");
        assert_eq!(parse(&gnu_text.replace(':', " ")), parse(gnu_text));
        assert_eq!(
            parse(&gnu_text[..14]).unwrap(),
            (Situation::money(from_xgid.position), Format::PositionId)
        );
    }
}

/// The smaller die first, as BGBlitz writes it.
#[test]
fn dice_come_in_either_order() {
    let low_first = parse("b9sBCIC5bYDQAA:QYnoAGAAGAAE").unwrap().0;
    let high_first = parse("b9sBCIC5bYDQAA:QQnlAGAAGAAE").unwrap().0;
    assert_eq!(low_first, high_first);
    let xgid = |dice| xgid::parse(&format!("-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:0:0:10")).unwrap();
    assert_eq!(xgid("61"), xgid("16"));
}

#[test]
fn what_people_paste_is_read() {
    let start = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    for text in [
        format!("XGID={start}"),
        format!("xgid={start}"),
        format!("  XGID = {start}  "),
        format!("XGID={start}@"),
        format!("{start}\r\n"),
        start[..start.len() - 3].to_owned(),
        start.replace(":1:00", ":0:00"),
        "start".to_owned(),
        "START ".to_owned(),
        "4HPwATDgc/ABMA".to_owned(),
        " 4HPwATDgc/ABMA== ".to_owned(),
        "4HPwATDgc/ABMA:cAkAAAAAAAAE".to_owned(),
        "4HPwATDgc/ABMA  cAkAAAAAAAAE\n".to_owned(),
        "GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAE".to_owned(),
        "gnubgid=4HPwATDgc/ABMA:cAkAAAAAAAAE".to_owned(),
    ] {
        match parse(&text) {
            Ok((situation, _)) => assert_eq!(situation, Situation::START, "{text:?}"),
            Err(error) => panic!("{text:?}: {error}"),
        }
    }
}

#[test]
fn a_finished_match_parses_as_over() {
    let over = parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:3:0:5:10").unwrap().0;
    assert!(over.is_over() && over.state == GameState::Over);
    let beyond = parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:9:0:5:10").unwrap().0;
    assert!(beyond.is_over());
}

#[test]
fn unusual_fields_of_an_xgid() {
    let parsed = |fields: &str| xgid::parse(&format!("-b----E-C---eE---c-e----B-:{fields}")).unwrap();
    let money = parsed("0:0:-1:00:7:3:3:0:10");
    assert_eq!((money.score.roller_score, money.score.opponent_score), (3, 7));
    assert!(money.score.jacoby && money.score.beavers && !money.score.crawford);
    assert_eq!(parsed("1:-1:1:00:0:0:0:7:0").score.cube_limit, None);
    assert!(parsed("0:0:1:00:2:1:1:3:10").score.crawford);
    let offer = |fields| (parsed(fields).offer, parsed(fields).to_act);
    assert_eq!(offer("0:0:1:D:0:0:3:0:10"), (Some(Offer::Double), Player::Opponent));
    assert_eq!(offer("0:0:-1:B:0:0:3:0:10"), (Some(Offer::Beaver), Player::Roller));
    assert_eq!(offer("0:0:-1:R:0:0:3:0:10"), (Some(Offer::Raccoon), Player::Opponent));
}

#[test]
fn conversions_say_what_they_lose() {
    let beavers = parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:3:0:8").unwrap().0;
    assert_eq!(xgid::print(&beavers).lost, [""; 0]);
    let lost = matchid::print_pair(&beavers).lost;
    assert_eq!(lost, ["the pending beaver", "beavers on", "cube limit 256"]);
    let resigned = Parts {
        offer: Some(Offer::Resignation(Outcome::Gammon)),
        to_act: Player::Opponent,
        ..Situation::START.parts()
    };
    let resigned = Situation::new(resigned).unwrap();
    assert_eq!(xgid::print(&resigned).lost, ["the pending resignation of a gammon"]);
    assert_eq!(matchid::print_pair(&resigned).lost, [""; 0]);
    let dropped = Situation::new(Parts { state: GameState::Dropped, ..Situation::START.parts() }).unwrap();
    assert_eq!(xgid::print(&dropped).lost, ["the state of the game (Dropped)"]);
    let jacoby = parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10").unwrap().0;
    assert_eq!(fibs::print(&jacoby).lost, ["Jacoby rule on"]);
}

/// Lines of the FIBS server's documentation and of public clients' tests, names changed.
#[test]
fn fibs_lines() {
    let start = ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:";
    let you_are_o = format!("board:You:him:3:0:1{start}1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0");
    let (situation, format) = parse(&you_are_o).unwrap();
    assert_eq!(format, Format::Fibs);
    assert_eq!(situation.position, Position::START);
    assert_eq!((situation.seat, situation.roll), (Seat::Bottom, Roll::new(6, 2)));
    assert_eq!(situation.score, MatchState::at_score(3, 0, 1));
    // The other colour and direction: 25 is home, so X runs upwards.
    let you_are_x = format!("board:You:him:1:0:0{start}-1:2:6:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:2:0:0:0");
    let situation = parse(&you_are_x).unwrap().0;
    assert_eq!((situation.seat, situation.roll), (Seat::Bottom, Roll::new(6, 2)));
    assert_eq!(situation.position, Position::START);
    // A blot of the opponent's on the bar, as X at place 0.
    let bars = "board:You:him:1:1:2:-1:0:0:2:2:2:3:0:0:0:0:1:0:3:1:-1:0:-2:-3:-3:1:0:-2:-2:0:0:\
                -1:0:0:1:6:1:1:1:0:1:-1:0:25:0:0:0:1:2:0:0:0";
    let situation = parse(bars).unwrap().0;
    assert_eq!((situation.seat, situation.roll), (Seat::Top, Roll::new(6, 1)));
    assert_eq!(situation.position.roller()[24], 1);
    assert!(situation.is_over());
    // The Crawford game is told by the score and a post-Crawford flag of 0.
    let crawford = "board:You:him:2:0:1:0:0:0:-1:0:-1:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:1:0:0:0:1:0:1:0:0:0:0:1:1:\
                    1:0:-1:1:25:0:0:0:0:0:2:0:0:0";
    let situation = parse(crawford).unwrap().0;
    assert!(situation.score.crawford && situation.seat == Seat::Top);
    let doubled = format!("board:You:him:9999:4:7{start}-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:0");
    let situation = parse(&doubled).unwrap().0;
    assert_eq!((situation.offer, situation.to_act), (Some(Offer::Double), Player::Opponent));
    assert_eq!((situation.score.cube_log2, situation.score.cube_owner), (1, Some(Player::Roller)));
    assert_eq!((situation.score.length, situation.score.roller_score), (0, 7));
}

/// XGIDs with the OGID of the same situation, the turn in OGID's first reading: the player on roll.
#[test]
fn xgid_and_ogid_name_the_same_situations() {
    for (xgid_text, ogid_text) in [
        (
            "-b----E-C---eE---c-e----B-:0:0:1:51:0:0:0:7:10",
            "11ccccchhhjjjjj:66666888dddddoo:N0N:51:B::0:0:7:",
        ),
        (
            "--ABBaBBC--B--a----bbbeb-A:0:0:1:64:0:0:0:7:10",
            "5ejjkkllmmmmmnn:233446677888bbp:N0N:64:B::0:0:7:",
        ),
        (
            "a-aAaBCAB---bCA--b-ec---B-:1:-1:1:63:1:0:0:7:10",
            "024cchhjjjjjkkk:355666788dddeoo:W1N:63:B::0:1:7:",
        ),
        ("-A---A---------------ba---:1:-1:1:54:0:1:0:4:10", "llm:15:W1N:54:B::1:0:4:"),
        (
            "-b----E-C---eE---c-e----B-:0:0:-1:43:1:6:0:9:10",
            "11ccccchhhjjjjj:66666888dddddoo:N0N:43:W::6:1:9:",
        ),
        ("-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:5:10", "11ccccchhhjjjjj:66666888dddddoo:N0O::W::0:0:5:"),
        ("-A---A---------------ba---:0:0:-1:00:2:3:1:4:10", "llm:15:N0N::W::3:2:4C:"),
    ] {
        let (from_ogid, format) = parse(ogid_text).unwrap();
        assert_eq!(format, Format::Ogid);
        let from_xgid = xgid::parse(xgid_text).unwrap();
        assert_eq!(from_ogid.parts(), from_xgid.parts(), "{xgid_text}");
        let printed = ogid::print(&from_xgid);
        assert_eq!(printed.lost, [""; 0]);
        // Dice are written in ascending order.
        assert_eq!(parse(&printed.text).unwrap().0, from_ogid);
        assert_eq!(printed.text.len(), ogid_text.len());
        assert_eq!(parse(&format!(" OGID={ogid_text} ")).unwrap().0, from_ogid);
    }
}

/// The other writer names the player who acted last and gives a state.
#[test]
fn an_ogid_with_a_state_names_who_acted() {
    for (text, on_roll) in [
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:3:0", Seat::Top),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:46:W:IB:2:1:3C:0", Seat::Bottom),
        ("cccccgghhhjjjjj:112233666777dll:N0N::W:C:0:0:3:11", Seat::Bottom),
        ("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", Seat::Bottom),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:0", Seat::Bottom),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0", Seat::Top),
        ("cccccggggg:ddddiiiiii:N0N:63:W:IW:4:3:7:1:15", Seat::Top),
        ("jjjjkk:od88866:W2O:43:B:IW:2:1:7:15", Seat::Bottom),
        ("11jjjjjhhhccccq:ooddddd88866666:W1N", Seat::Bottom),
    ] {
        let situation = ogid::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(situation.seat, on_roll, "{text}");
    }
    let offered = ogid::parse("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11").unwrap();
    assert_eq!((offered.offer, offered.to_act), (Some(Offer::Double), Player::Opponent));
    let off = ogid::parse("11jjjjjhhhccccq:ooddddd88866666:W1N").unwrap();
    assert_eq!((off.position.borne_off(), off.score.cube_log2), ((0, 1), 1));
    assert!(ogid::parse("llm:15:W1P:54:B::1:0:4:").unwrap().state == GameState::Dropped);
}

/// The lines that GNU Backgammon prints beside its board.
#[test]
fn labelled_ids_are_read() {
    let pair = parse("4HPwATDgc/ABMA:cAkAAAAAAAAE").unwrap();
    for text in [
        "Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAE",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAE\n",
        "position id:4HPwATDgc/ABMA\r\nmatch id:cAkAAAAAAAAE",
    ] {
        assert_eq!(parse(text).as_ref(), Ok(&pair), "{text}");
    }
    let alone = (Situation::money(Position::START), Format::PositionId);
    for text in ["Position ID: 4HPwATDgc/ABMA", "GNU Backgammon  Position ID: 4HPwATDgc/ABMA=="] {
        assert_eq!(parse(text), Ok(alone), "{text}");
    }
}

/// A situation drawn at random, with every kind of score, cube, dice and offer.
fn random_situation(stream: Stream, position: Position, roll: Roll) -> Option<Situation> {
    let draw = |counter: u64, bound: u32| stream.below(bound, counter);
    let player = |n: u32| if n == 0 { Player::Roller } else { Player::Opponent };
    let length = [0, 0, 1, 3, 7, 25][draw(0, 6) as usize];
    let score = MatchState {
        roller_score: draw(1, 8) as u16,
        opponent_score: draw(2, 8) as u16,
        crawford: draw(3, 3) == 0,
        cube_log2: draw(4, 12) as u8,
        cube_owner: (draw(5, 3) > 0).then(|| player(draw(6, 2))),
        jacoby: length == 0 && draw(7, 2) == 0,
        beavers: length == 0 && draw(8, 2) == 0,
        cube_limit: [Some(10), Some(10), Some(6), None][draw(9, 4) as usize],
        ..MatchState::at_score(length, 0, 0)
    };
    let score = if score.crawford { MatchState { cube_log2: 0, cube_owner: None, ..score } } else { score };
    let offer = match draw(10, 8) {
        0 => Some(Offer::Double),
        1 => Some(Offer::Beaver),
        2 => Some(Offer::Raccoon),
        3 => Some(Offer::Resignation(Outcome::Gammon)),
        _ => None,
    };
    let state = [
        GameState::Playing,
        GameState::Playing,
        GameState::Over,
        GameState::Resigned,
        GameState::Dropped,
        GameState::NotStarted,
    ][draw(11, 6) as usize];
    let to_act = match offer {
        Some(Offer::Double | Offer::Raccoon) => Player::Opponent,
        Some(Offer::Resignation(_)) => player(draw(12, 2)),
        _ => Player::Roller,
    };
    let seat = if draw(13, 2) == 0 { Seat::Top } else { Seat::Bottom };
    let roll = (draw(14, 2) == 0).then_some(roll);
    Situation::new(Parts { position, score, roll, offer, to_act, seat, state }).ok()
}

/// Whatever is not reported as lost is read back, and a text read and printed again is the same text.
#[test]
fn printing_and_reading_agree() {
    let mut buf = PlayBuf::new();
    let (mut seen, mut whole) = (0, [0; 4]);
    for trial in 0..60 {
        let stream = Stream::new(23, trial);
        random_game::<Backgammon>(stream, 400, &mut buf, |position, roll, turn| {
            assert_eq!(posid::parse(&posid::print(position)), Ok(*position));
            let Some(situation) = random_situation(stream.fork(u64::from(turn) + 7), *position, roll) else {
                return;
            };
            seen += 1;
            let printers = [xgid::print, matchid::print_pair, fibs::print, ogid::print];
            for (i, print) in printers.into_iter().enumerate() {
                let encoded = print(&situation);
                let (read, _) = parse(&encoded.text).unwrap_or_else(|error| panic!("{situation:?}: {error}"));
                assert_eq!(read == situation, encoded.lost.is_empty(), "{situation:?} {encoded:?}");
                whole[i] += u32::from(encoded.lost.is_empty());
                let again = print(&read);
                assert_eq!(again.text, encoded.text);
                assert!(again.lost.is_empty(), "{again:?}");
            }
        });
    }
    assert!(seen > 1_000 && whole.iter().all(|&n| n > 50), "{seen} {whole:?}");
}

#[test]
fn bad_identifiers_are_errors() {
    let huge = "A".repeat(1_000_000);
    let many = ":".repeat(100_000);
    let xgid = |board: &str, rest: &str| format!("XGID={board}:{rest}");
    let start = "-b----E-C---eE---c-e----B-";
    let rest = "0:0:1:00:0:0:0:0:10";
    let fibs = ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:";
    for (text, reason) in [
        (String::new(), "no known identifier: expected an XGID"),
        ("   ".to_owned(), "expected an XGID"),
        ("hello world, this is text".to_owned(), "expected an XGID"),
        ("hello".to_owned(), "no known identifier: expected an XGID"),
        ("hello world".to_owned(), "no known identifier: expected an XGID"),
        ("a:b".to_owned(), "no known identifier: expected an XGID"),
        ("Match ID   : cAkAAAAAAAAE".to_owned(), "needs a Position ID"),
        ("Position ID: 4HPwATDgc/ABMA\nMatch ID   :".to_owned(), "a position id and a match id"),
        ("Position ID: 4HPwATDgc/ABM".to_owned(), "13 of 14 characters"),
        ("Position ID:".to_owned(), "a position id and a match id"),
        ("\u{1f3b2}".to_owned(), "expected an XGID"),
        (huge.clone(), "1000000 of 14 characters"),
        (many, "of 10 fields"),
        ("4HPwATDgc/ABM".to_owned(), "13 of 14 characters"),
        ("4HPwATDgc/ABMAA".to_owned(), "15 of 14 characters"),
        ("cAkAAAAAAAAE".to_owned(), "a Match ID (12 characters) needs a Position ID (14) before it"),
        ("4HPwATDgc/ABMB".to_owned(), "cannot end an id"),
        ("4HPwATDgc_ABMA:cAkAAAAAAAAE".to_owned(), "'_' is not"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA\u{e9}".to_owned(), "is not a letter"),
        ("//////////////".to_owned(), "cannot end an id"),
        ("/////////////w".to_owned(), "too many checkers"),
        ("AAAAAAAAAAAAAA".to_owned(), "neither side has a checker"),
        ("//8AAAAAAAAAAA".to_owned(), "16 checkers, at most 15"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA".to_owned(), "11 of 12 characters"),
        ("4HPwATDgc/ABMA:".to_owned(), "a position id and a match id"),
        ("4HPwATDgc/ABMA:////////////".to_owned(), "cannot be"),
        ("4HPwATDgc/ABMA:cIkAAAAAAAAE".to_owned(), "a die beside a thrown one cannot be 0"),
        ("4HPwATDgc/ABMA:8AkAAAAAAAAE".to_owned(), "a Crawford game needs a match length"),
        ("4HPwATDgc/ABMA:YAkAAAAAAAAE".to_owned(), "owner cannot be 2"),
        (xgid("bBBBCBcBbccbB", "0:0:1:00:0:0:3:0:10"), "13 of 26 characters, dashes lost in copying?"),
        (xgid(&format!("{start}-"), rest), "27 of 26 characters"),
        (xgid(start, "0:0:1:00:0:0:0"), "8 of 10 fields"),
        (xgid(start, "0:0:1:00:0:0:0:0:10:0"), "11 of 10 fields"),
        (xgid(start, "0:0:1:71:0:0:0:0:10"), "the dice must be"),
        (xgid(start, "0:0:1:0:0:0:0:0:10"), "the dice must be"),
        (xgid(start, "0:0:1:01:0:0:0:0:10"), "the dice must be"),
        (xgid(start, "0:0:1::0:0:0:0:10"), "the dice must be"),
        (xgid(start, "4:0:1:00:0:0:0:0:3"), "cube 16 is above its limit 8"),
        (xgid(start, "16:0:1:00:0:0:0:0:10"), "the cube must be from 0 to 15, not 16"),
        (xgid(start, "-1:0:1:00:0:0:0:0:10"), "the cube must be from 0"),
        (xgid(start, "0:2:1:00:0:0:0:0:10"), "the cube's owner must be from -1 to 1"),
        (xgid(start, "0:0:2:00:0:0:0:0:10"), "the turn must be from -1 to 1"),
        (xgid(start, "0:0:x:00:0:0:0:0:10"), "the turn must be a whole number"),
        (xgid(start, "0:0:1:00:99999999999:0:0:0:10"), "score must be from 0 to 32767"),
        (xgid(start, "0:0:1:00:0:0:4:0:10"), "the rules must be from 0 to 3"),
        (xgid(start, "0:0:1:00:0:0:2:7:10"), "the rules must be from 0 to 1"),
        (xgid(start, "0:0:1:00:3:3:1:7:10"), "neither player is one point from winning"),
        (xgid(start, "1:1:1:00:6:3:1:7:10"), "the cube is not centred at 1"),
        (xgid(start, "1:-1:1:D:0:0:0:0:10"), "does not own the cube"),
        (xgid(start, "0:0:1:B:0:0:1:0:10"), "beavers are not played"),
        (xgid(start, "3:0:1:D:0:0:0:0:3"), "above the cube's limit 8"),
        (xgid("-P------------------------", rest), "16 checkers"),
        (xgid("-A-----------------------A", rest).replace("-A--", "AA--"), "the top player's bar"),
        (xgid("--------------------a----a", rest), "the bottom player's bar"),
        (xgid("-b----E-C---eE---c-e----Q-", rest), "a dash or a letter"),
        (xgid("-b----E-C---eE---c-e----\u{2014}-", rest), "a dash or a letter"),
        (xgid("--------------------------", rest), "neither side has a checker"),
        ("OGID=".to_owned(), "1 fields between colons, expected 3 to 11"),
        ("11ccccc:66666:N0X".to_owned(), "of 10 fields"),
        ("OGID=11ccccc:66666:N0X".to_owned(), "the cube must be N, W or B"),
        ("OGID=11ccccc:66666:N".to_owned(), "the cube must be N, W or B"),
        ("11ccccc:66666:N16N".to_owned(), "the cube must be from 0 to 15, not 16"),
        ("11ccc!c:66666888dddddoo:N0N".to_owned(), "a digit or a letter from a to q"),
        ("11cccp:66666888dddddoo:N0N".to_owned(), "a place other than Black's bar"),
        ("11ccc:066666888dddddoo:N0N".to_owned(), "a place other than White's bar"),
        ("1111111111111111:66666888dddddoo:N0N".to_owned(), "16 checkers"),
        ("1111:1111:N0N".to_owned(), "both"),
        ("11:66:N0N:71".to_owned(), "the dice must be"),
        ("11:66:N0N:51:X".to_owned(), "the turn must be W or B"),
        ("11:66:N0N:51:W::x".to_owned(), "White's score must be a whole number"),
        ("XGID=".to_owned(), "1 of 10 fields"),
        ("board:".to_owned(), "2 of 53 fields"),
        (format!("board:You:him:3:0:1{fibs}1:6:2:0:0:3:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"), "power of two"),
        (
            format!("board:You:him:3:0:1{fibs}1:6:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"),
            "one die is thrown",
        ),
        (
            format!("board:You:him:3:0:1{fibs}1:6:2:0:0:1:1:1:0:0:-1:0:25:0:0:0:0:2:0:0:0"),
            "your colour must be",
        ),
        (format!("board:You:him:3:0:1{fibs}0:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:2:0:0:0"), "the game is over"),
        (format!("board:You:him:3:0:x{fibs}1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"), "whole number"),
        (format!("board:You:him:3:0:1{fibs}1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0"), "52 of 53 fields"),
        (
            format!("board:You:him:3:0:1{fibs}1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
                .replace(":5:0:3:", ":15:0:3:"),
            "25 checkers",
        ),
    ] {
        match parse(&text) {
            Ok(read) => panic!("{text:.60} was read as {read:?}"),
            Err(error) => assert!(error.to_string().contains(reason), "{text:.60}\n{error}"),
        }
    }
}

/// No text, however damaged, makes a reader panic.
#[test]
fn damaged_ids_do_not_panic() {
    let sources = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "4HPwATDgc/ABMA:cAkAAAAAAAAE",
        "board:You:him:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        "11ccccchhhjjjjj:66666888dddddoo:N0N:15:B::0:0:7:",
    ];
    let spare: Vec<char> = "AaPp-09:=@/ +\u{2014}\u{1f3b2}DBRWNO*".chars().collect();
    let (mut read, mut refused) = (0, 0);
    for trial in 0..20_000u64 {
        let stream = Stream::new(31, trial);
        let mut text: Vec<char> = sources[(trial % 4) as usize].chars().collect();
        for change in 0..1 + u64::from(stream.below(4, 0)) {
            let place = stream.below(text.len() as u32, 10 * change + 1) as usize;
            let other = spare[stream.below(spare.len() as u32, 10 * change + 2) as usize];
            match stream.below(3, 10 * change + 3) {
                0 => text[place] = other,
                1 => text.insert(place, other),
                _ => drop(text.remove(place)),
            }
        }
        let text: String = text.into_iter().collect();
        match parse(&text) {
            Ok((situation, _)) => {
                read += 1;
                assert_eq!(
                    parse(&matchid::print_pair(&situation).text).unwrap().0.position,
                    situation.position
                );
            }
            Err(error) => {
                refused += 1;
                assert!(error.offset <= text.len());
            }
        }
    }
    assert!(read > 500 && refused > 5_000, "{read} {refused}");
}

#[test]
fn formats_have_names_and_print_what_they_are() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
        let printed = print(&Situation::START, format);
        assert_eq!(printed.lost, Vec::<String>::new(), "{format}");
        assert_eq!(parse(&printed.text), Ok((Situation::START, format)));
    }
    let error = "sgf".parse::<Format>().unwrap_err().to_string();
    assert!(error.contains("\"sgf\"") && error.contains("start, xgid, gnuid, posid, fibs, ogid"), "{error}");
    let after = Situation::money(Position::START.flip());
    assert_eq!(print(&after, Format::Start).lost, Vec::<String>::new());
    let match_play = Situation::new(Parts::new(Position::START, MatchState::at_score(7, 3, 0))).unwrap();
    assert_eq!(print(&match_play, Format::Start).lost, ["the match length 7", "the score 3-0"]);
}
