//! See `checks::config`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::config::check(bytes);
});
