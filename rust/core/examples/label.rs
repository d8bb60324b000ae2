//! Makes training data: `label CONFIG OUT.data --strong NET [--quick NET] [--threads N]`.
//!
//! The strong net is joined by exact tables where there is no contact. An existing file is continued.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use gammon_core::bearoff::{OneSided, Storage, TwoSided};
use gammon_core::eval::{Composite, Evaluator};
use gammon_core::nn::Net;
use gammon_core::parallel::unwatched;
use gammon_core::race::RaceEvaluator;
use gammon_core::train::{Judges, LabelConfig, LabelProgress, Labelling};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [config, out, options @ ..] = args.as_slice() else {
        return Err("usage: label CONFIG OUT.data --strong NET [--quick NET] [--threads N]".into());
    };
    let option = |name: &str| options.iter().position(|o| o == name).and_then(|i| options.get(i + 1));
    let threads = option("--threads").map_or(Ok(1), |n| n.parse())?;
    let config = LabelConfig::from_text(&std::fs::read_to_string(config)?)?;
    let read = |path: &String| -> Result<Arc<Net>, Failure> {
        Ok(Arc::new(Net::from_bytes(&std::fs::read(path)?)?))
    };
    let strong = read(option("--strong").ok_or("--strong is missing")?)?;
    let quick = option("--quick").map_or_else(|| Ok(strong.clone()), read)?;
    let one_sided = OneSided::build(6, 15, threads, &mut unwatched)?;
    let two_sided = TwoSided::build(6, 6, Storage::Bits16, threads, &mut unwatched)?;
    let race =
        RaceEvaluator::new(Arc::new(one_sided), Some(Arc::new(two_sided))).ok_or("tables too small")?;
    let race: Arc<dyn Evaluator> = Arc::new(race);
    let recipe = config.recipe(strong.id(), quick.id());
    let strong: Arc<dyn Evaluator> = Arc::new(Composite::new(strong.clone(), strong, race.clone(), race));
    let mut labelling = Labelling::open(Path::new(out), config, Judges { strong, quick }, recipe)?;
    let (started, mut told) = (Instant::now(), Instant::now());
    let mut tell = |progress: LabelProgress| {
        if told.elapsed().as_secs() >= 10 {
            told = Instant::now();
            let LabelProgress { games, positions } = progress;
            println!("{games} games, {positions} positions, {:.0} s", started.elapsed().as_secs_f64());
        }
        ControlFlow::Continue(())
    };
    labelling.run(threads, &mut tell)?;
    let LabelProgress { games, positions } = labelling.progress();
    println!("{games} games, {positions} positions, {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}
