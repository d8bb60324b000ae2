//! See `checks::data_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::data_file::check(bytes);
});
