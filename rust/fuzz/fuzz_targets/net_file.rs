//! See `checks::net_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::net_file::check(bytes);
});
