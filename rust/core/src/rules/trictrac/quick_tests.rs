//! The vectors against the look at each turn.

use super::*;
use crate::rng::Stream;
use crate::rules::{Ruleset, random_game};

/// What both find in positions of random games with every throw; how many the vectors could not answer.
fn compare(game: &Trictrac, games: u64) -> [u64; 2] {
    let (mut quick, mut slow, mut turns) = (Turns::new(), Turns::new(), Turns::new());
    let mut asked = [0; 2];
    for trial in 0..games {
        let mut positions = Vec::new();
        random_game(game, Stream::new(8, trial), false, 600, &mut turns, |position, _| {
            positions.push(*position)
        });
        for position in positions {
            let throws = if game.asks(&position) == Asks::Throw { &Roll::ALL[..] } else { &Roll::ALL[..1] };
            for &roll in throws {
                let (state, context) = (State::of(&position), || format!("{:?} {roll}", position.0));
                let thrown = game.thrown(&state, roll);
                let throw = Throw { position: &position, roll, turns: state.turns[0] };
                let found = turns.by_parts(|plays| {
                    turn::on_this_cpu(throw, plays).map(|brought| {
                        let points = [true, false].map(|thrower| thrown.points(thrower));
                        assert!(
                            game.misery_pile || brought.points == points,
                            "{}: {:?} {points:?} {:?}",
                            context(),
                            brought.points,
                            thrown.events
                        );
                        false
                    })
                });
                asked[usize::from(!found)] += 1;
                let mut expected: Vec<Position> =
                    thrown.legal.iter().map(|turn| turn.after.position().flip()).collect();
                expected.sort_unstable();
                expected.dedup();
                let sorted = |turns: &Turns| {
                    let mut found = turns.handed().to_vec();
                    found.sort_unstable();
                    found
                };
                if found && !game.misery_pile {
                    assert_eq!(sorted(&turns), expected, "{}", context());
                }
                game.moves(&position, roll, &mut turns);
                assert_eq!(sorted(&turns), expected, "{}", context());

                let (roll, marked) = match game.asks(&position) {
                    Asks::Play(roll) => (roll, true),
                    _ => (roll, false),
                };
                if game.result(&position).is_none() {
                    game.plays(&position, roll, &mut quick);
                    slow.clear();
                    let pass = game.decide_slowly(&position, roll, marked, &mut slow);
                    assert_eq!((sorted(&quick), quick.is_pass()), (sorted(&slow), pass), "{}", context());
                    let mut kept = [quick.kept().to_vec(), slow.kept().to_vec()];
                    kept.iter_mut().for_each(|kept| kept.sort_unstable());
                    assert_eq!(kept[0], kept[1], "{}", context());
                }
            }
        }
    }
    asked
}

#[test]
fn vectors_find_what_looking_at_each_turn_finds() {
    // Further games by `GAMMON_VARIANT_GAMES=200 cargo test --release vectors_find`.
    let games = std::env::var("GAMMON_VARIANT_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for options in [&[][..], &[("misery_pile", "true"), ("stake", "quadruple")], &[("mode", "ecrire")]] {
        let options: Vec<_> =
            options.iter().map(|&(k, v): &(&str, &str)| (k.to_owned(), v.to_owned())).collect();
        let rules = Ruleset::new("trictrac", &options).unwrap();
        let crate::rules::AnyVariant::Trictrac(game) = rules.game() else { panic!("it is trictrac") };
        let [answered, left] = compare(game, games);
        assert!(answered > 1_000 * games && left < answered / 10, "{answered} {left}");
    }
}
