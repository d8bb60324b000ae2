//! Cube decisions a second, one thread: `cargo bench -p gammon-core --bench cube`.
//!
//! Chances are random; a decision is everything the decision table says about one position. The verdicts are
//! counted and must be what they were: the figures below are the bench's signature.

use std::hint::black_box;
use std::time::Instant;

use gammon_core::cube::formula::PostCrawford;
use gammon_core::cube::{Action, Answer, CubeDecision, Met, Stakes, decide_many};
use gammon_core::rng::Stream;
use gammon_core::{MatchState, Player, Probs};

const COUNT: usize = 100_000;
const ROUNDS: usize = 15;

/// Doubles, passes and beavers among the decisions of one score.
type Counts = [usize; 3];

fn chances() -> (Vec<Probs>, Vec<f64>) {
    let stream = Stream::new(17, 0);
    let draw = |i: usize| {
        let unit = |k: usize| stream.unit((6 * i + k) as u64) as f32;
        let win = unit(0);
        let (win_gammon, lose_gammon) = (0.5 * win * unit(1), 0.5 * (1.0 - win) * unit(2));
        Probs {
            win,
            win_gammon,
            win_backgammon: 0.1 * win_gammon * unit(3),
            lose_gammon,
            lose_backgammon: 0.1 * lose_gammon * unit(4),
        }
    };
    let life = |i: usize| 0.6 + 0.2 * stream.unit((6 * i + 5) as u64);
    ((0..COUNT).map(draw).collect(), (0..COUNT).map(life).collect())
}

fn count(decisions: &[CubeDecision]) -> Counts {
    let verdicts = || decisions.iter().filter_map(|decision| Some(decision.doubled.as_ref().ok()?.verdict));
    [
        verdicts().filter(|verdict| verdict.action == Action::Double).count(),
        verdicts().filter(|verdict| verdict.answer == Answer::Pass).count(),
        verdicts().filter(|verdict| verdict.answer == Answer::Beaver).count(),
    ]
}

fn main() {
    let met = Met::normal("normal", [PostCrawford::ZADEH; 2]);
    let endless = MatchState { cube_limit: None, ..MatchState::MONEY };
    let scores: [(&str, MatchState, Counts); 5] = [
        ("money", endless, [17458, 26340, 0]),
        ("money, limit", MatchState::MONEY, [17457, 26340, 0]),
        ("money, all rules", MatchState { jacoby: true, beavers: true, ..endless }, [34832, 26340, 39566]),
        ("4-away, 5-away", MatchState::at_score(7, 3, 2), [15201, 26660, 0]),
        (
            "25 points, owned",
            MatchState { cube_log2: 1, cube_owner: Some(Player::Roller), ..MatchState::at_score(25, 0, 0) },
            [15393, 26475, 0],
        ),
    ];
    let (probs, lives) = chances();
    let mut out = Vec::new();
    println!("{:18} {:>12} {:>10}", "score", "decisions/s", "ns each");
    for (name, state, expected) in scores {
        let stakes = Stakes::new(&state, Some(&met)).expect("a score");
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            decide_many(&stakes, black_box(&probs), &lives, &mut out).expect("chances");
            best = best.min(start.elapsed().as_secs_f64());
        }
        assert_eq!(count(&out), expected, "doubles, passes and beavers at {name}");
        let each = best / COUNT as f64;
        println!("{name:18} {:12.0} {:10.1}", 1.0 / each, each * 1e9);
    }
}
