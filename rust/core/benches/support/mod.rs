//! What the benches share: a clock, rounds, a table, and positions to work on.

pub mod sets;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// CPU and wall time that went by.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    pub cpu: Duration,
    pub wall: Duration,
}

/// Starts of both clocks.
struct Clock {
    cpu: Duration,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { cpu: process_time(), wall: Instant::now() }
    }

    fn spent(&self) -> Spent {
        Spent { cpu: process_time().saturating_sub(self.cpu), wall: self.wall.elapsed() }
    }
}

/// CPU time of the process, all threads: what other programs do on the machine does not count.
#[cfg(target_os = "linux")]
fn process_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec to write to.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "the process has a CPU clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where the CPU clock is not known, wall time from the first look stands in.
#[cfg(not(target_os = "linux"))]
fn process_time() -> Duration {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// One thing to measure.
pub struct Case<'a> {
    /// As in the table and in `--only`.
    pub name: &'static str,
    /// What one unit is: `expansion`, `game`, `row`.
    pub unit: &'static str,
    /// Units in one run.
    pub units: u64,
    /// What one run must count.
    pub expected: u64,
    /// What is counted: `results`, `turns`, `rows`.
    pub counted: &'static str,
    /// Whether it runs on several threads, so that wall time is what matters.
    pub threaded: bool,
    /// One run; returns its count.
    pub run: Box<dyn FnMut() -> u64 + 'a>,
}

/// Seconds a unit takes, one entry a round, sorted.
struct Sample {
    per_unit: Vec<f64>,
}

impl Sample {
    fn median(&self) -> f64 {
        self.per_unit[self.per_unit.len() / 2]
    }

    fn spread(&self) -> (f64, f64) {
        (self.per_unit[0], self.per_unit[self.per_unit.len() - 1])
    }
}

/// What the command line asks for.
pub struct Options {
    rounds: usize,
    only: Option<String>,
    json: bool,
}

impl Options {
    /// Reads `--rounds N`, `--only NAME` (cases whose name starts so) and `--json`; `cargo bench` adds
    /// `--bench`, which means nothing here.
    pub fn from_args() -> Options {
        let mut options = Options { rounds: 9, only: None, json: false };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_else(|| fail(&format!("{arg} needs a value")));
            match arg.as_str() {
                "--rounds" => {
                    let text = value();
                    options.rounds = match text.parse() {
                        Ok(n) if n > 0 => n,
                        _ => fail(&format!("--rounds {text}: a whole number above 0 is needed")),
                    };
                }
                "--only" => options.only = Some(value()),
                "--json" => options.json = true,
                "--bench" => {}
                _ => fail(&format!("{arg}: known are --rounds N, --only NAME and --json")),
            }
        }
        options
    }

    fn wants(&self, case: &Case<'_>) -> bool {
        self.only.as_deref().is_none_or(|start| case.name.starts_with(start))
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}

/// Least CPU time of one measurement.
const LEAST: Duration = Duration::from_millis(60);

/// Runs the cases in turn, round after round, so that slow minutes of the machine hit all alike, and
/// prints the table.
///
/// # Panics
/// If a case counts something else than it must.
pub fn run(mut cases: Vec<Case<'_>>, options: &Options) {
    cases.retain(|case| options.wants(case));
    let mut samples: Vec<Sample> = cases.iter().map(|_| Sample { per_unit: Vec::new() }).collect();
    for case in &mut cases {
        once(case); // warm-up
    }
    for _ in 0..options.rounds {
        for (case, sample) in cases.iter_mut().zip(&mut samples) {
            let clock = Clock::start();
            let mut runs = 0;
            let spent = loop {
                once(case);
                runs += 1;
                let spent = clock.spent();
                if spent.cpu >= LEAST {
                    break spent;
                }
            };
            let time = if case.threaded { spent.wall } else { spent.cpu };
            sample.per_unit.push(time.as_secs_f64() / (runs * case.units) as f64);
        }
    }
    for sample in &mut samples {
        sample.per_unit.sort_by(f64::total_cmp);
    }
    if options.json { print_json(&cases, &samples) } else { print_table(&cases, &samples, options.rounds) }
}

fn once(case: &mut Case<'_>) {
    let count = black_box((case.run)());
    assert_eq!(count, case.expected, "{}: {} counted", case.name, case.counted);
}

fn print_table(cases: &[Case<'_>], samples: &[Sample], rounds: usize) {
    println!(
        "{:<26} {:>10} {:>10} {:>10}  {:>9} (least, most)      {:>10} {:>14}",
        "", "units", "", "counted", "ns/unit", "units/s", "counted/s"
    );
    for (case, sample) in cases.iter().zip(samples) {
        let (least, most) = sample.spread();
        println!(
            "{:<26} {:>10} {:<10} {:>10}  {:>9.1} ({:.1}, {:.1}){:pad$} {:>10} {:>10} {}",
            case.name,
            case.units,
            format!("{}s", case.unit),
            case.expected,
            sample.median() * 1e9,
            least * 1e9,
            most * 1e9,
            "",
            magnitude(1.0 / sample.median()),
            magnitude(case.expected as f64 / case.units as f64 / sample.median()),
            format_args!("{}{}", case.counted, if case.threaded { " (wall)" } else { "" }),
            pad = 18usize.saturating_sub(format!("({:.1}, {:.1})", least * 1e9, most * 1e9).len()),
        );
    }
    println!("Median of {rounds} rounds; CPU time, but wall time where several threads work.");
}

/// `7.94 M`, `812 k`, `96.0`.
fn magnitude(value: f64) -> String {
    match value {
        v if v >= 100e6 => format!("{:.0} M", v / 1e6),
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e3 => format!("{:.1} k", v / 1e3),
        v => format!("{v:.1}"),
    }
}

fn print_json(cases: &[Case<'_>], samples: &[Sample]) {
    let rows: Vec<String> = cases
        .iter()
        .zip(samples)
        .map(|(case, sample)| {
            let (least, most) = sample.spread();
            format!(
                "  {{\"name\": \"{}\", \"unit\": \"{}\", \"units\": {}, \"counted\": \"{}\", \"count\": {}, \
                 \"clock\": \"{}\", \"seconds_per_unit\": {:e}, \"least\": {least:e}, \"most\": {most:e}}}",
                case.name,
                case.unit,
                case.units,
                case.counted,
                case.expected,
                if case.threaded { "wall" } else { "cpu" },
                sample.median(),
            )
        })
        .collect();
    println!("[\n{}\n]", rows.join(",\n"));
}
