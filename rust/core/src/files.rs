//! Files that are never half written.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the name of a temporary file has after the name of the file it will be.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// Writes a file so that `path` names all of it or what it named before.
///
/// A link is followed, to a file that is not there too, and the rights of a file that is replaced stay. What is there and
/// is no regular file, such as a pipe, is written to itself.
///
/// # Errors
/// If the file, or its neighbour with a name of its own, cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = match fs::metadata(path) {
        Ok(before) => before,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return put_in_place(&followed(path)?, None, bytes);
        }
        Err(error) => return Err(error),
    };
    if !before.is_file() {
        return fs::write(path, bytes);
    }
    OpenOptions::new().write(true).open(path)?; // a protected file is not replaced
    put_in_place(&fs::canonicalize(path)?, Some(before.permissions()), bytes)
}

/// Where links to a file that is not there lead; links in a ring are an error of the system's before that.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST: usize = 40; // as many as Linux follows
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        // What cannot be read as a link is no link, or not there.
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = path.with_file_name("").join(target);
    }
    Err(io::Error::other("too many links one behind the other"))
}

/// Writes a file beside `path` that then takes its place.
fn put_in_place(path: &Path, rights: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(path)?;
    if let Some(rights) = rights {
        let _ = file.set_permissions(rights); // some file systems know none
    }
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_link_and_rights_stay_and_what_is_no_file_is_not_replaced() {
        let folder = std::env::temp_dir().join(format!("gammon-files-{}", process::id()));
        let (file, link, socket) = (folder.join("file"), folder.join("link"), folder.join("socket"));
        fs::create_dir_all(&folder).unwrap();
        write_whole(&file, b"first").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, b"second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"second");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);

        let (new, far, ring) = (folder.join("new"), folder.join("far"), folder.join("ring"));
        symlink("new", &far).unwrap(); // from the link's folder, wherever the process is
        symlink(&far, folder.join("farther")).unwrap();
        write_whole(&folder.join("farther"), b"third").unwrap();
        assert_eq!(fs::read(&new).unwrap(), b"third");
        assert!(fs::symlink_metadata(&far).unwrap().is_symlink());
        symlink(&ring, &ring).unwrap();
        assert!(write_whole(&ring, b"fourth").is_err());
        assert!(fs::symlink_metadata(&ring).unwrap().is_symlink());
        assert!(write_whole(&file.join("below"), b"fourth").is_err(), "a file is no folder");

        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(write_whole(&socket, b"fifth").is_err());
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 7);
        fs::remove_dir_all(&folder).unwrap();
    }
}
