//! Makes training data: `label CONFIG OUT.data --strong NET [--quick NET] [--threads N]`.
//!
//! The strong net is joined by exact tables where there is no contact. An existing file is continued.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gammon_core::bearoff::{OneSided, Storage, TwoSided};
use gammon_core::eval::{Composite, Evaluator};
use gammon_core::nn::Net;
use gammon_core::parallel::{run_blocks, unwatched};
use gammon_core::race::RaceEvaluator;
use gammon_core::train::{DataFile, Judges, LabelConfig, Labeller, Record};

/// Games of a part, and of a block a thread takes.
const PART: u64 = 4_000;
const BLOCK: u64 = 4;

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
    let recipe = format!("{}strong = {:?}\nquick = {:?}\n", config.to_text(), strong.id(), quick.id());
    let strong: Arc<dyn Evaluator> = Arc::new(Composite::new(strong.clone(), strong, race.clone(), race));
    let judges = Judges { strong, quick };

    let mut file = DataFile::open(Path::new(out), &recipe)?;
    let started = Instant::now();
    while file.games() < config.games {
        let first = file.games();
        let games = PART.min(config.games - first);
        let failure = Mutex::new(None);
        let work = |labeller: &mut Labeller, block: usize| {
            let mut records = Vec::new();
            let start = first + block as u64 * BLOCK;
            for game in start..(start + BLOCK).min(first + games) {
                if let Err(error) = labeller.play(game, &mut records) {
                    *failure.lock().expect("no panic while it is held") = Some(error);
                }
            }
            records
        };
        let blocks = games.div_ceil(BLOCK) as usize;
        let run = run_blocks(threads, blocks, &mut unwatched, || Labeller::new(&config, &judges), work);
        if let Some(error) = failure.into_inner()? {
            return Err(error.into());
        }
        let records: Vec<Record> = run.results.into_iter().flatten().collect();
        file.append(games as u32, &records)?;
        println!(
            "{} games, {} positions, {:.0} s",
            file.games(),
            file.records(),
            started.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
