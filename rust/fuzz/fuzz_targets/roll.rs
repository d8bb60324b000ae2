//! See `checks::roll`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::roll::check(bytes);
});
