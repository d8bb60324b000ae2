//! Fits a net to training data: `fit CONFIG OUT.net DATA... [--log LOG.csv] [--checkpoint FILE] [--after CHECKPOINT]`.
//!
//! An existing checkpoint is taken up again; `--after` begins with the weights another fit has reached,
//! given several times with their mean.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use gammon_core::train::{Data, Fit, FitConfig, FitProgress};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [config, out, rest @ ..] = args.as_slice() else {
        return Err("usage: fit CONFIG OUT.net DATA... [--log F]".into());
    };
    let (mut log, mut checkpoint, mut after) = (None, None, Vec::new());
    let (mut records, mut provenance) = (Vec::new(), String::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if word == "--log" {
            let path = rest.next().ok_or("--log needs a file")?;
            log = Some(std::fs::File::create(path)?);
        } else if word == "--checkpoint" {
            checkpoint = Some(Path::new(rest.next().ok_or("--checkpoint needs a file")?));
        } else if word == "--after" {
            after.push(Path::new(rest.next().ok_or("--after needs a checkpoint")?));
        } else {
            let data = Data::read(Path::new(word))?;
            provenance += &data.provenance();
            records.extend(data.records);
        }
    }
    println!("{} positions", records.len());
    let config = FitConfig::from_text(&std::fs::read_to_string(config)?)?;
    let read = |path: &Path| -> Result<Fit, Failure> { Ok(Fit::from_checkpoint(&std::fs::read(path)?)?) };
    let mut fit = match checkpoint.filter(|path| path.exists()) {
        Some(path) => read(path)?,
        None => {
            let others = after.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
            Fit::after(config, &others.iter().collect::<Vec<_>>())?
        }
    };
    fit.report_every = fit.all_updates(records.len()).div_ceil(40);
    let mut saved = Instant::now();
    let mut watch = |progress: FitProgress<'_>| {
        if let (FitProgress::Updates(fit), Some(path)) = (&progress, checkpoint)
            && saved.elapsed().as_secs() >= 30
        {
            saved = Instant::now();
            if let Err(error) = fit.save(path) {
                eprintln!("{}: {error}", path.display());
                return ControlFlow::Break(());
            }
        }
        if let FitProgress::Report(report) = progress {
            let [rmse, mae] =
                [0, 1].map(|i| report.held_out.map_or(String::new(), |error| format!("{:.5}", error[i])));
            let line = format!(
                "{},{},{:.1},{:.6},{rmse},{mae},{:.2e}",
                report.updates, report.all, report.seconds, report.loss, report.rate
            );
            println!("{line}");
            if let Some(log) = &mut log {
                let _ = writeln!(log, "{line}");
            }
        }
        ControlFlow::Continue(())
    };
    fit.run(&records, &mut watch)?;
    if let Some(path) = checkpoint {
        fit.save(path)?;
    }
    std::fs::write(out, fit.net_bytes(&provenance)?)?;
    Ok(())
}
