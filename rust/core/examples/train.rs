//! Trains a net from a config file: `train CONFIG OUT.net [--log LOG.csv] [--checkpoint FILE] [--threads N]
//! [--reference POSITIONS.csv]`.
//!
//! An existing checkpoint is taken up again. A reference line holds 50 counts (the roller's 24 points
//! and bar, then the opponent's, each from his own ace point) and the five chances.

#[path = "reference/mod.rs"]
mod reference;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use gammon_core::train::{Config, Progress, Report, Session};

/// Names of the columns of [`row`].
const HEADER: &str =
    "games,positions,evaluations,seconds,games_per_second,loss,single,gammon,backgammon,rate,lambda,error";

/// A report as a line of the log.
fn row(report: &Report) -> String {
    let Report { games, positions, evaluations, seconds, games_per_second, loss, rate, lambda, .. } = report;
    let [single, gammon, backgammon] = report.outcomes;
    let error = report.error.map_or(String::new(), |error| format!("{error:.5}"));
    format!(
        "{games},{positions},{evaluations},{seconds:.3},{games_per_second:.0},{loss:.6},{single:.4},{gammon:.4},\
         {backgammon:.4},{rate:.3e},{lambda:.3},{error}"
    )
}

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [config, out, options @ ..] = args.as_slice() else {
        return Err(
            "usage: train CONFIG OUT.net [--log F] [--checkpoint F] [--threads N] [--reference F]".into()
        );
    };
    let option = |name: &str| options.iter().position(|o| o == name).and_then(|i| options.get(i + 1));
    let threads = option("--threads").map_or(Ok(1), |n| n.parse())?;
    let reference = option("--reference").map_or(Ok(Vec::new()), |path| reference::read(Path::new(path)))?;
    let checkpoint = option("--checkpoint").map(Path::new);
    let mut session = match checkpoint.filter(|path| path.exists()) {
        Some(path) => Session::from_checkpoint(&std::fs::read(path)?)?,
        None => Session::new(Config::from_text(&std::fs::read_to_string(config)?)?)?,
    };
    let mut log =
        option("--log").map(|p| std::fs::OpenOptions::new().append(true).create(true).open(p)).transpose()?;
    if let Some(log) = log.as_mut().filter(|log| log.metadata().is_ok_and(|m| m.len() == 0)) {
        writeln!(log, "{HEADER}")?;
    }
    println!("{HEADER}");

    let mut saved = Instant::now();
    let mut failure = None;
    let mut watch = |progress: Progress<'_>| {
        let result: Result<(), Failure> = match progress {
            Progress::Games(_) => Ok(()),
            Progress::Chunk(session) => match checkpoint {
                Some(path) if saved.elapsed() > Duration::from_secs(30) => {
                    saved = Instant::now();
                    session.save(path).map_err(Failure::from)
                }
                _ => Ok(()),
            },
            Progress::Report(report) => {
                let row = row(report);
                println!("{row}");
                log.as_mut().map_or(Ok(()), |log| writeln!(log, "{row}")).map_err(Failure::from)
            }
        };
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let finished = session.run(threads, &reference, &mut watch);
    if let Some(error) = failure {
        return Err(error);
    }
    finished?;
    std::fs::write(out, session.net_bytes()?)?;
    Ok(())
}
