//! Laws that hold in every position, tried on positions of random games and on random boards.

mod slow;

use std::collections::BTreeSet;

use gammon_core::eval::Phase;
use gammon_core::movegen::{PlayBuf, plays, random_game};
use gammon_core::position::{BAR, Counts};
use gammon_core::rng::Stream;
use gammon_core::study::{Shots, random_position};
use gammon_core::{Backgammon, Position, Roll, Rules};
use slow::legal_turns;

/// Positions from games and, half of them, boards no game would lead to, each with a roll.
fn cases(seed: u64, count: u64) -> impl Iterator<Item = (Position, Roll)> {
    let mut buf = PlayBuf::new();
    (0..count).map(move |trial| {
        let stream = Stream::new(seed, trial);
        let position = if trial % 2 == 0 {
            let phases = [Phase::BearOff, Phase::Race, Phase::Crashed, Phase::Contact];
            random_position(phases[trial as usize / 2 % phases.len()], stream, &mut buf)
        } else {
            random_board(stream)
        };
        (position, stream.roll(0))
    })
}

/// Up to 15 checkers a side, anywhere: many bars, bear-offs with contact, and blocked rolls.
fn random_board(stream: Stream) -> Position {
    let words = stream.fork(1);
    let mut counter = 0;
    let mut below = |bound| {
        counter += 1;
        words.below(bound, counter)
    };
    let mut sides: [Counts; 2] = [[0; 25]; 2];
    for side in 0..2 {
        // A near bound makes boards with everybody home, a far one boards with checkers everywhere.
        let places = [6, 12, 25][below(3) as usize];
        for _ in 0..1 + below(15) {
            let place = below(places) as usize;
            // A checker for whom there is no room stays off the board.
            if place == BAR || sides[1 - side][23 - place] == 0 {
                sides[side][place] += 1;
            }
        }
    }
    Position::from_counts(&sides[0], &sides[1]).expect("checkers were only put where there is room")
}

fn total(counts: &Counts) -> u32 {
    counts.iter().map(|&n| u32::from(n)).sum()
}

#[test]
fn flipping_twice_changes_nothing_and_once_swaps_the_sides() {
    for (position, _) in cases(1, 4_000) {
        let flipped = position.flip();
        assert_eq!(flipped.flip(), position);
        assert_eq!((flipped.roller(), flipped.opponent()), (position.opponent(), position.roller()));
        assert_eq!(Position::from_counts(&position.roller(), &position.opponent()), Ok(position));
        let (roller, opponent) = position.pip_counts();
        assert_eq!(flipped.pip_counts(), (opponent, roller));
        assert_eq!(flipped.is_race(), position.is_race());
        assert_eq!(Phase::of(&flipped), Phase::of(&position));
        let result = Backgammon::result(&position).map(|(won, outcome)| (!won, outcome));
        assert_eq!(Backgammon::result(&flipped), result);
    }
}

#[test]
fn plays_equal_the_slow_ones() {
    let mut buf = PlayBuf::new();
    for (position, roll) in cases(2, 20_000) {
        plays::<Backgammon>(&position, roll, &mut buf);
        let fast: BTreeSet<Position> = buf.positions().iter().copied().collect();
        let slow: BTreeSet<Position> = legal_turns(&position, roll).iter().map(|turn| turn.after()).collect();
        assert_eq!(fast, slow, "{position:?} {roll}");
        assert_eq!(fast.len(), buf.positions().len(), "{position:?} {roll}: a result twice");
    }
}

#[test]
fn plays_keep_the_checkers_and_spend_at_most_the_roll() {
    let mut buf = PlayBuf::new();
    for (position, roll) in cases(3, 20_000) {
        plays::<Backgammon>(&position, roll, &mut buf);
        let (mover, other) = (position.roller(), position.opponent());
        let (pips, other_pips) = position.pip_counts();
        let steps = if roll.is_double() { 4 } else { 2 };
        let spent = steps / 2 * u32::from(roll.high() + roll.low());
        for after in buf.positions() {
            let (next, moved) = (after.roller(), after.opponent());
            assert_eq!(total(&next), total(&other), "hit checkers go to the bar");
            assert!(total(&moved) <= total(&mover) && total(&moved) + steps >= total(&mover));
            let (other_pips_after, pips_after) = after.pip_counts();
            assert!(pips_after + spent >= pips && pips_after <= pips);
            assert_eq!(pips_after == pips, buf.is_pass(), "{position:?} {roll}");
            assert!(other_pips_after >= other_pips);
            assert_eq!(other_pips_after > other_pips, next[BAR] > other[BAR]);
            assert_eq!(Position::from_counts(&next, &moved), Ok(*after));
        }
        if buf.is_pass() {
            assert_eq!(buf.positions(), [position.flip()]);
        }
    }
}

#[test]
fn shots_are_the_rolls_with_a_legal_play_that_hits() {
    let mut buf = PlayBuf::new();
    for (position, _) in cases(4, 2_000) {
        let shots = Shots::of::<Backgammon>(&position, &mut buf);
        let mut expected = Shots::NONE;
        for roll in Roll::ALL {
            let hits = legal_turns(&position, roll).iter().fold(0, |hits, turn| hits | turn.hits);
            let weight = roll.weight() as u8;
            expected.any += if hits != 0 { weight } else { 0 };
            for point in 1..=24 {
                expected.points[point - 1] += if hits >> point & 1 != 0 { weight } else { 0 };
            }
        }
        assert_eq!(shots, expected, "{position:?}");
    }
}

#[test]
fn random_games_end_with_the_result_of_their_last_position() {
    let mut buf = PlayBuf::new();
    let mut wins = 0;
    for trial in 0..400 {
        let (mut turns, mut last) = (0, Position::START);
        let game = random_game::<Backgammon>(Stream::new(5, trial), 10_000, &mut buf, |position, _, turn| {
            assert_eq!(turn, turns);
            assert!(!position.is_over());
            turns += 1;
            last = *position;
        });
        assert_eq!(game.turns, turns);
        let (first_won, _) = game.result.expect("ten thousand turns are enough");
        assert_eq!(first_won, turns % 2 == 1, "whoever moved last has won");
        assert!(last.roller()[6..].iter().all(|&n| n == 0), "the winner had everybody home");
        wins += u32::from(first_won);
    }
    assert!((150..250).contains(&wins), "{wins} of 400 won by the first to roll");
}
