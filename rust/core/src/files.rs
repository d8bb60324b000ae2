//! Files that are never half written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the name of a temporary file has after the name of the file it will be.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// Writes a file so that `path` names all of it or what it named before.
///
/// # Errors
/// If the file, or its neighbour with a name of its own, cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(path)?;
    let written =
        file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nothing to add if this fails too: the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Creates a file beside `path` under a name nobody else uses.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    loop {
        let mut temporary = name.to_os_string();
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        temporary.push(format!("{TEMPORARY}{}-{count}", process::id()));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // A killed process of the same number left it behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
