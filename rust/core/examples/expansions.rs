//! Expands positions of the standard game so many times over, for a tool that counts instructions.
//!
//! ```text
//! cargo run --release -p gammon-core --example expansions -- contact|mixed|doubles|race|bear-off PASSES
//! ```
//!
//! Prints the expansions of a pass. `benches/instructions.sh` runs it under callgrind, here and at an earlier commit,
//! so that it uses nothing that was not always there.

#[path = "../benches/support/sets.rs"]
#[allow(dead_code, reason = "the benches use all of it")]
mod sets;

use gammon_core::eval::Phase;
use gammon_core::movegen::{PlayBuf, plays};
use gammon_core::{Backgammon, Roll};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, passes] = arguments.as_slice() else { return usage() };
    let contact = sets::speed_positions;
    let pairs = match set.as_str() {
        "contact" => sets::with_rolls(&contact(), |_| true),
        "mixed" => sets::with_rolls(&contact(), |roll| !roll.is_double()),
        "doubles" => sets::with_rolls(&contact(), Roll::is_double),
        "race" => sets::with_rolls(&sets::of_phase(Phase::Race), |_| true),
        "bear-off" => sets::with_rolls(&sets::of_phase(Phase::BearOff), |_| true),
        _ => return usage(),
    };
    let Ok(passes) = passes.parse::<u32>() else { return usage() };
    let mut buf = PlayBuf::new();
    let mut results = 0;
    for _ in 0..passes {
        for (position, roll) in &pairs {
            plays::<Backgammon>(position, *roll, &mut buf);
            results += buf.positions().len() as u64;
        }
    }
    assert!(results >= u64::from(passes) * pairs.len() as u64, "every expansion has a result");
    println!("{}", pairs.len());
}

fn usage() {
    eprintln!("usage: expansions contact|mixed|doubles|race|bear-off PASSES");
    std::process::exit(2);
}
