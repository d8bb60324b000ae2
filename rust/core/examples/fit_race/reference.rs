//! Race positions with exact chances, by which the evaluator is judged.

use std::fmt::Write as _;

use gammon_core::bearoff::OneSided;
use gammon_core::position::Counts;
use gammon_core::rng::Stream;

use crate::exact::{Exact, Goal, outside};
use crate::sides::play_game;

/// Race positions of games in which both sides play safe until they have passed each other and quick
/// afterwards, three a game, with exact chances (each side alone) to win and to win and lose a gammon.
pub fn reference(table: &OneSided, games: u64, seed: u64) -> String {
    let mut text = String::from(
        "# Race positions of played games with exact chances, each side playing for its fewest mean rolls.\n\
         # Made by rust/core/examples/fit_race (reference); the first column is the game.\n\
         game,roller,opponent,win,win_gammon,lose_gammon\n",
    );
    let (mut all, mut first) = (Exact::new(table, Goal::AllOff), Exact::new(table, Goal::FirstOff));
    for game in 0..games {
        let mut races = 0;
        play_game(table, Stream::new(seed, game), |position| {
            let (roller, opponent) = (position.roller(), position.opponent());
            if !position.is_race() || !(outside(&roller) || outside(&opponent)) {
                return;
            }
            races += 1;
            if races % 3 != 1 || races > 9 {
                return;
            }
            let (ours, theirs) = (all.chances(&roller), all.chances(&opponent));
            let (our_first, their_first) = (first_off(&mut first, &roller), first_off(&mut first, &opponent));
            let list = |side: &Counts| side[..24].iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            writeln!(
                text,
                "{game},{},{},{:.6},{:.6},{:.6}",
                list(&roller),
                list(&opponent),
                before(&ours, &theirs, 0),
                before(&ours, &their_first, 0),
                before(&theirs, &our_first, 1)
            )
            .expect("a string");
        });
        all.known.clear();
        first.known.clear();
    }
    text
}

fn first_off(exact: &mut Exact<'_>, side: &Counts) -> Vec<f64> {
    if side.iter().map(|&n| u32::from(n)).sum::<u32>() < 15 { vec![1.0] } else { exact.chances(side) }
}

/// Chance that `a` rolls are over before `b` rolls of the other, who has `head_start` more.
fn before(a: &[f64], b: &[f64], head_start: usize) -> f64 {
    let tail = |n: usize| b.iter().skip(n).sum::<f64>();
    a.iter().enumerate().map(|(n, chance)| chance * tail(n + head_start)).sum()
}
