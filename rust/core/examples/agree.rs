//! How far a net is from known chances: `agree NET POSITIONS.csv ...`, the files in `train`'s form.
//!
//! Prints mean absolute differences in equity and in each of the five chances, the mean difference, and
//! the plays of the 15 opening rolls.

#[path = "reference/mod.rs"]
mod reference;

use std::path::Path;

use gammon_core::eval::{Evaluator, best_for_mover};
use gammon_core::movegen::{self, PlayBuf};
use gammon_core::nn::Net;
use gammon_core::{Backgammon, Play, Position, Probs, Roll};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [net, files @ ..] = args.as_slice() else {
        return Err("usage: agree NET POSITIONS.csv ...".into());
    };
    let net = Net::from_bytes(&std::fs::read(net)?)?;
    println!("file,positions,equity,win,win_gammon,win_backgammon,lose_gammon,lose_backgammon,bias");
    for file in files {
        let known = reference::read(Path::new(file))?;
        let positions: Vec<Position> = known.iter().map(|&(position, _)| position).collect();
        let mut out = vec![Probs::default(); positions.len()];
        net.evaluate(&positions, &mut out)?;
        let n = known.len() as f64;
        let (mut sums, mut bias) = ([0.0; 6], 0.0);
        for (ours, (_, theirs)) in out.iter().zip(&known) {
            let difference = f64::from(ours.equity() - theirs.equity());
            bias += difference / n;
            sums[0] += difference.abs() / n;
            for (sum, (a, b)) in sums[1..].iter_mut().zip(ours.to_array().iter().zip(theirs.to_array())) {
                *sum += f64::from((a - b).abs()) / n;
            }
        }
        let sums: Vec<String> = sums.iter().map(|sum| format!("{sum:.4}")).collect();
        println!("{file},{},{},{bias:+.4}", known.len(), sums.join(","));
    }
    let mut buf = PlayBuf::new();
    for roll in Roll::ALL.into_iter().filter(|roll| !roll.is_double()) {
        movegen::plays::<Backgammon>(&Position::START, roll, &mut buf);
        let mut values = vec![Probs::default(); buf.positions().len()];
        net.evaluate(buf.positions(), &mut values)?;
        let best = best_for_mover(&values);
        if let Some(play) = Play::between(&Position::START, roll, &buf.positions()[best]) {
            println!("{roll}: {play} ({:+.3})", -values[best].equity());
        }
    }
    Ok(())
}
