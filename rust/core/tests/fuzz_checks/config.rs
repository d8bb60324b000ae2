//! The text of training settings.

use gammon_core::train::Config;

/// A text that is settings prints and reads back exactly, and the settings pass their own check.
pub fn check(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match Config::from_text(text) {
        Ok(config) => {
            assert_eq!(config.check(), Ok(()));
            assert_eq!(Config::from_text(&config.to_text()), Ok(config));
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
