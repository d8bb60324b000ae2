//! The corpus of the fuzz targets, through the same checks: what was found once stays fixed.

mod fuzz_checks;

use std::path::Path;

use fuzz_checks as checks;

/// Every file of one target's corpus; enough of them must mean something.
fn replay(target: &str, check: fn(&[u8]) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let (mut files, mut meaningful) = (0, 0);
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        eprintln!("{}", path.display()); // shown if the check panics
        files += 1;
        meaningful += usize::from(check(&std::fs::read(path).unwrap()));
    }
    assert!(files >= 5 && meaningful * 2 >= files, "{target}: {meaningful} of {files}");
}

macro_rules! replays {
    ($($target:ident),*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target), checks::$target::check);
        })*
    };
}

replays!(
    roll,
    play,
    posid,
    matchid,
    xgid,
    fibs,
    parse,
    net_file,
    config,
    checkpoint,
    fit_checkpoint,
    data_file,
    rows,
    movegen
);
