//! Table files and processes: killed in the middle of it, several at once, one map for all threads.
//!
//! Not run by the test harness, because it starts itself again as the process to be killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use gammon_core::bearoff::{OneSided, Storage, TableError, TwoSided};
use gammon_core::parallel::unwatched;
use gammon_core::rng::Stream;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, flag, path] = &args[..]
        && flag == "--write-for-ever"
    {
        write_for_ever(Path::new(path));
    }
    let folder = std::env::temp_dir().join(format!("gammon-bearoff-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable temporary folder");
    killing_a_build_leaves_no_file_or_a_whole_one(&folder);
    processes_at_once_do_not_disturb_each_other(&folder);
    damage_is_noticed(&folder);
    threads_share_a_table(&folder);
    std::fs::remove_dir_all(&folder).expect("a folder of ours");
    println!("bearoff_files: ok");
}

/// Builds and saves the default table again and again; ends only by being killed.
fn write_for_ever(path: &Path) -> ! {
    loop {
        build().save(path).expect("a writable path");
    }
}

fn build() -> OneSided {
    OneSided::build(6, 15, 1, &mut unwatched).expect("a size there is")
}

fn start(path: &Path) -> Child {
    let exe = std::env::current_exe().expect("our own path");
    Command::new(exe).arg("--write-for-ever").arg(path).spawn().expect("a process")
}

fn kill(mut child: Child) {
    child.kill().expect("a running child");
    child.wait().expect("a killed child");
}

fn missing_or_whole(path: &Path) -> bool {
    match OneSided::open(path) {
        Ok(table) => {
            assert_eq!(table.mean(1), 1.0);
            true
        }
        Err(TableError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn killing_a_build_leaves_no_file_or_a_whole_one(folder: &Path) {
    let stream = Stream::new(1, 1);
    let (mut missing, mut whole, mut cut) = (0, 0, 0);
    // Until a write has been cut short at least five times, seen by the temporary file it leaves.
    for trial in 0.. {
        let path = folder.join(format!("killed-{trial}.bo"));
        let child = start(&path);
        std::thread::sleep(Duration::from_micros(u64::from(stream.below(400_000, trial))));
        kill(child);
        if missing_or_whole(&path) {
            whole += 1;
        } else {
            missing += 1;
        }
        cut += leftovers(folder, &path).len();
        if trial >= 20 && cut >= 5 && missing > 0 && whole > 0 {
            break;
        }
        assert!(trial < 400, "{missing} missing, {whole} whole, {cut} cut short");
    }
    println!("killed: {missing} left no file, {whole} a whole one, {cut} were writing");
}

fn leftovers(folder: &Path, path: &Path) -> Vec<PathBuf> {
    let prefix = format!("{}.tmp-", path.file_name().expect("a name").to_string_lossy());
    let entries = std::fs::read_dir(folder).expect("our folder").flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
        .collect()
}

fn processes_at_once_do_not_disturb_each_other(folder: &Path) {
    let path = folder.join("shared.bo");
    let children = [start(&path), start(&path)];
    let mut read = 0;
    for _ in 0..4000 {
        read += usize::from(missing_or_whole(&path));
        if read == 100 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    children.into_iter().for_each(kill);
    assert_eq!(read, 100, "a table to read all the while");
    assert!(missing_or_whole(&path));
}

fn damage_is_noticed(folder: &Path) {
    let path = folder.join("damaged.bo");
    build().save(&path).expect("a writable path");
    let good = std::fs::read(&path).expect("just written");
    let stream = Stream::new(2, 2);
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a writable path");
        OneSided::open(&path)
    };
    for trial in 0..50 {
        let mut bytes = good.clone();
        let bit = stream.below(bytes.len() as u32 * 8, trial) as usize;
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(open(&bytes).is_err(), "bit {bit} flipped");
        let len = stream.fork(1).below(good.len() as u32, trial) as usize;
        assert!(open(&good[..len]).is_err(), "cut to {len} bytes");
    }
    assert!(matches!(open(b""), Err(TableError::Foreign | TableError::Io(_))));
    assert!(matches!(open(b"GNUbg-OS-06-15-1-1-0xxxxxxxxxxxxxxxxxxxxxx"), Err(TableError::Foreign)));
    let mut newer = good.clone();
    newer[8] = 2;
    let error = open(&newer).expect_err("another version").to_string();
    assert!(error.contains("version 2"), "{error}");
    TwoSided::build(6, 2, Storage::F32, 1, &mut unwatched)
        .expect("a size")
        .save(&path)
        .expect("a writable path");
    assert!(matches!(OneSided::open(&path), Err(TableError::Kind { .. })));
    assert!(open(&good).is_ok());
}

fn threads_share_a_table(folder: &Path) {
    let path = folder.join("threads.bo");
    build().save(&path).expect("a writable path");
    let table = OneSided::open(&path).expect("just written");
    let sum = |table: &OneSided| (0..table.ranking().len() as u32).map(|i| table.mean(i)).sum::<f64>();
    let expected = sum(&build());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| sum(&table))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), expected);
        }
    });
}
