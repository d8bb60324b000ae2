//! What the CPU can do, found at run time: the only place that asks.

/// Whether code compiled for AVX2, BMI1, BMI2, LZCNT and POPCNT may run: every CPU with the first has the
/// others, but they are asked one by one.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Whether code compiled for AVX-512 F, DQ, BW and VL may run, beside what [`has_avx2`] asks for.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
}

/// No other kind of CPU has them.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const fn has_avx2() -> bool {
    false
}

/// No other kind of CPU has them.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const fn has_avx512() -> bool {
    false
}

/// The instruction sets of this CPU beyond what every CPU of its kind has, by their usual names, among
/// those that make a difference to this crate.
///
/// ```
/// let found = gammon_core::cpu::features();
/// assert!(found.iter().all(|name| ["avx2", "avx512", "bmi1", "bmi2", "lzcnt", "popcnt"].contains(name)));
/// ```
pub fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let found = [
            ("avx2", is_x86_feature_detected!("avx2")),
            ("avx512", has_avx512()),
            ("bmi1", is_x86_feature_detected!("bmi1")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("lzcnt", is_x86_feature_detected!("lzcnt")),
            ("popcnt", is_x86_feature_detected!("popcnt")),
        ];
        found.into_iter().filter(|&(_, present)| present).map(|(name, _)| name).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        Vec::new()
    }
}
