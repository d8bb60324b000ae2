//! Evaluations a second of a net, one thread: `cargo bench -p gammon-core --bench eval [NET]`.
//!
//! Positions are the candidates of random games, by phase; without a file the net is the shipped one.
//! A signature of the answers is printed, and all instruction sets must give the same.

#[path = "shipped/mod.rs"]
mod shipped;

use std::time::Instant;

use gammon_core::eval::{Evaluator, Phase};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::nn::{InstructionSet, Net};
use gammon_core::rng::Stream;
use gammon_core::{Backgammon, Position, Probs};

const COUNT: usize = 20_000;

/// Candidates of the rolls of random games, as a player would have them evaluated.
fn candidates(wanted: Phase) -> Vec<Position> {
    let (mut games, mut buf, mut list) = (PlayBuf::new(), PlayBuf::new(), Vec::new());
    for game in 0.. {
        movegen::random_game::<Backgammon>(Stream::new(5, game), 1_000, &mut games, |position, roll, _| {
            if Phase::of(position) == wanted {
                movegen::plays::<Backgammon>(position, roll, &mut buf);
                list.extend_from_slice(buf.positions());
            }
        });
        if list.len() >= COUNT {
            list.truncate(COUNT);
            return list;
        }
    }
    unreachable!("random games reach every phase")
}

fn sum_of_bits(answers: &[Probs]) -> u64 {
    answers.iter().flat_map(|p| p.to_array()).fold(0, |sum, x| sum.wrapping_mul(31) + u64::from(x.to_bits()))
}

fn main() {
    let bytes = shipped::net_bytes();
    println!("{:10} {:10} {:>12} {:>10}  signature", "phase", "set", "evals/s", "ns each");
    for phase in [Phase::Contact, Phase::Crashed, Phase::Race] {
        let positions = candidates(phase);
        let mut signatures = Vec::new();
        for set in InstructionSet::available() {
            let net = Net::from_bytes(&bytes).expect("a readable net").on(set).expect("an available set");
            let mut out = vec![Probs::default(); positions.len()];
            let mut best = f64::INFINITY;
            for _ in 0..15 {
                let start = Instant::now();
                for (positions, out) in positions.chunks(64).zip(out.chunks_mut(64)) {
                    net.evaluate(positions, out).expect("a net covers every position");
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            let each = best / positions.len() as f64;
            let signature = sum_of_bits(&out);
            println!(
                "{:10} {:10} {:12.0} {:10.1}  {signature:016x}",
                phase.to_string(),
                format!("{set:?}"),
                1.0 / each,
                each * 1e9
            );
            signatures.push(signature);
        }
        assert!(signatures.windows(2).all(|pair| pair[0] == pair[1]), "instruction sets disagree");
    }
}
