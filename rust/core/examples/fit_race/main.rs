//! Makes the numbers in `src/race/far.bin` and `tests/data/race/reference.csv`.
//!
//! ```text
//! fit_race ship FOLDER                       everything below for far.bin, with the constants in this file
//! fit_race near TABLE SIDES SEED OUT         exact values of sides with checkers outside, within the table
//! fit_race data TABLE GAMES SEED BEYOND OUT  the same of sides beyond the table, played out
//! fit_race fit DATA TEST OUT                 fits the net to DATA, judges it by TEST
//! fit_race reference TABLE GAMES SEED OUT    exact values of race positions from played games
//! ```
//!
//! TABLE is a one-sided table of 15 checkers and at least 10 points, built (with 10) if there is no such
//! file. Exact means: the side is played out, all 21 rolls at every turn, with results remembered, until
//! the table takes over; the play is chosen by the table's mean with what is beyond it pushed onto its
//! last point. Files of examples may be joined.
//!
//! `cargo run --release -p gammon-core --example fit_race -- ship FOLDER` gives the shipped bytes, on any
//! number of threads; nothing is computed by a mathematics library, whose last bits differ between systems.
//! It takes 6 minutes of CPU time. The digest is in `src/race/far.rs`. On 5,036 other sides the mean absolute
//! error is 0.058 effective pips, and 0.022 rolls for the first checker.

mod exact;
mod examples;
mod fit;
mod reference;
mod sides;

use std::fs;
use std::path::Path;

use gammon_core::bearoff::OneSided;
use gammon_core::parallel::unwatched;

/// What `ship` fits to: sides within the table, and sides played out, most of them from near and some from
/// far; and what it judges by. Numbers of sides or games, seeds, most pips beyond the table.
const NEAR: (u64, u64) = (300_000, 41);
const FAR: (u64, u64, usize) = (1_500, 42, 30);
const FARTHER: (u64, u64, usize) = (200, 44, 45);
const TEST: (u64, u64, usize) = (60, 43, 30);

/// Points of the table that takes over.
const POINTS: usize = 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["ship", folder] => ship(Path::new(folder)),
        ["data", table, games, seed, beyond, out] => {
            let what = (number(games), number(seed), number(beyond) as usize);
            write(out, &played(&open(table), what));
        }
        ["near", table, sides, seed, out] => {
            write(out, &examples::near(&open(table), number(sides), number(seed)));
        }
        ["fit", data, test, out] => {
            write(out, &fit::fit(&examples::read(&read(data)), &examples::read(&read(test))));
        }
        ["reference", table, games, seed, out] => {
            write(out, reference::reference(&open(table), number(games), number(seed)).as_bytes());
        }
        _ => eprintln!("see the comment at the top of {}", file!()),
    }
}

/// Makes `far.bin`, and the files it is made from.
fn ship(folder: &Path) {
    let table = OneSided::build(POINTS, 15, threads(), &mut unwatched).expect("a size there is");
    let keep = |name: &str, bytes: Vec<u8>| {
        fs::write(folder.join(name), &bytes).expect("a writable folder");
        println!("{name}: {} bytes", bytes.len());
        bytes
    };
    let mut data = keep("near", examples::near(&table, NEAR.0, NEAR.1));
    data.extend(keep("far", played(&table, FAR)));
    data.extend(keep("farther", played(&table, FARTHER)));
    let test = keep("test", played(&table, TEST));
    drop(table);
    keep("far.bin", fit::fit(&examples::read(&data), &examples::read(&test)));
}

fn played(table: &OneSided, (games, seed, beyond): (u64, u64, usize)) -> Vec<u8> {
    examples::data(table, games, seed, beyond, threads())
}

/// `GAMMON_THREADS`, else all cores.
fn threads() -> usize {
    let asked = std::env::var("GAMMON_THREADS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn number(text: &str) -> u64 {
    text.parse().expect("a whole number")
}

fn read(path: &str) -> Vec<u8> {
    fs::read(path).expect("a readable file")
}

fn write(path: &str, bytes: &[u8]) {
    fs::write(path, bytes).expect("a writable path");
}

fn open(path: &str) -> OneSided {
    OneSided::open(Path::new(path)).unwrap_or_else(|_| {
        let table = OneSided::build(POINTS, 15, threads(), &mut unwatched).expect("a size there is");
        table.save(Path::new(path)).expect("a writable path");
        table
    })
}
