//! See `checks::checkpoint`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::checkpoint::check(bytes);
});
