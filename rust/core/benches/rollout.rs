//! Rollouts of the opening to the end of the game: `cargo bench -p gammon-core --bench rollout [NET]`.
//!
//! Counts games, turns and evaluations a second on one thread; the sums of two threads must be equal.

#[path = "shipped/mod.rs"]
mod shipped;

use std::ops::ControlFlow;
use std::time::Instant;

use gammon_core::nn::Net;
use gammon_core::rollout::{Part, Settings, run};
use gammon_core::{Backgammon, Position};

fn main() {
    let net = Net::from_bytes(&shipped::net_bytes()).expect("a readable net");
    let settings = Settings { trials: 3_600, opening: true, ..Settings::default() };
    let roll_out = |threads: usize| -> (Part, f64) {
        let start = Instant::now();
        let mut watch = |_: &Part| ControlFlow::Continue(());
        let rollout = run::<Backgammon>(&Position::START, &settings, &net, threads, &mut watch);
        let part = rollout.expect("a net covers every position").part;
        (part, start.elapsed().as_secs_f64())
    };
    let (mut best, mut part) = (f64::INFINITY, Part::default());
    for _ in 0..5 {
        let (sums, seconds) = roll_out(1);
        (best, part) = (best.min(seconds), sums);
    }
    assert_eq!(part.trials, settings.trials);
    assert_eq!(roll_out(2).0, part, "the number of threads changed the sums");
    let equity = part.equity().expect("there are trials");
    println!(
        "{:.0} games/s, {:.0} turns/s, {:.0} evaluations/s; {:.1} turns and {:.0} evaluations a game",
        part.trials as f64 / best,
        part.turns as f64 / best,
        part.evaluations as f64 / best,
        part.turns as f64 / part.trials as f64,
        part.evaluations as f64 / part.trials as f64,
    );
    println!("equity {:+.4} +- {:.4}; {:?}", equity.mean, equity.error, part.outcomes);
}
