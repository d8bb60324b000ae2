//! Rollouts with each technique on and off: `cargo bench -p gammon-core --bench rollout [NET]`.
//!
//! For every way of rolling out: games, turns and evaluations a second on one thread, the standard error, and the
//! information a second, 1 / (error^2 x seconds). The sums of two threads must be equal.

#[path = "shipped/mod.rs"]
mod shipped;

use std::ops::ControlFlow;
use std::time::Instant;

use gammon_core::nn::Net;
use gammon_core::rollout::{Kind, Luck, Pair, Part, Quantity, Settings, Single, Strata, run};
use gammon_core::{Backgammon, Position};

fn main() {
    let net = Net::from_bytes(&shipped::net_bytes()).expect("a readable net");
    let full = Settings { trials: 1_080, opening: true, ..Settings::default() };
    let plain = Settings { luck: Luck::Off, strata: Strata::None, trials: 4_320, ..full };
    let alone = Pair::from(&net);
    let pair = Pair { large: &net, small: Some(&net) };
    let ways = [
        ("plain games", plain, alone),
        ("stratified dice", Settings { strata: Strata::One, ..plain }, alone),
        ("luck adjustment", Settings { strata: Strata::None, ..full }, alone),
        ("both", full, alone),
        ("both, truncated at 7 turns", Settings { truncate: 7, ..full }, alone),
        ("both, large evaluator filtered", full, pair),
        ("both, luck by the small one", Settings { luck: Luck::Small, ..full }, pair),
    ];
    println!(
        "{:<32}{:>8}{:>8}{:>9}{:>8}{:>10}{:>9}{:>10}",
        "", "games", "games/s", "turns/s", "Mevals/s", "evals/game", "error", "1/(e^2 s)"
    );
    for (name, settings, pair) in ways {
        let roll_out = |threads: usize| -> (Single, f64) {
            let start = Instant::now();
            let mut watch = |_: &Part| ControlFlow::Continue(());
            let done = run::<Backgammon>(&Position::START.into(), &settings, pair, threads, &mut watch);
            (done.expect("a net covers every position"), start.elapsed().as_secs_f64())
        };
        let (done, seconds) = roll_out(1);
        let part = done.part;
        assert_eq!(part.trials(), settings.trials);
        assert_eq!(roll_out(2).0.part, part, "the number of threads changed the sums");
        let error = part.estimate(0, Quantity::Equity, Kind::Adjusted).expect("there are trials").error;
        println!(
            "{name:<32}{:>8}{:>8.0}{:>9.0}{:>8.2}{:>10.0}{error:>9.5}{:>10.0}",
            part.trials(),
            part.trials() as f64 / seconds,
            part.turns(0) as f64 / seconds,
            done.evaluations as f64 / seconds / 1e6,
            done.evaluations as f64 / part.trials() as f64,
            1.0 / (error * error * seconds),
        );
    }
}
