//! See `checks::fit_checkpoint`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gammon_fuzz::checks::fit_checkpoint::check(bytes);
});
