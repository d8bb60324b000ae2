//! The net a bench measures: the file named on the command line, else the one the package ships.

use std::path::Path;

/// The bytes of the net.
pub fn net_bytes() -> Vec<u8> {
    let named = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let path = named.unwrap_or_else(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/gammon/data/nets");
        let manifest = std::fs::read_to_string(folder.join("manifest.toml")).expect("the list of nets");
        let file = manifest
            .lines()
            .find_map(|line| line.strip_prefix("strong = \"")?.strip_suffix('"'))
            .expect("the list names a file");
        folder.join(file).to_string_lossy().into_owned()
    });
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
