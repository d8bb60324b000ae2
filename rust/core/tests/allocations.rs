//! Move generation allocates nothing: a counter in the allocator says so.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use gammon_core::movegen::{PlayBuf, random_game};
use gammon_core::{Backgammon, rng::Stream};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_buffer_is_the_only_allocation_of_a_hundred_games() {
    let mut turns = 0;
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let mut buf = PlayBuf::new();
    let after_buffer = ALLOCATIONS.load(Ordering::Relaxed);
    for trial in 0..100 {
        turns += random_game::<Backgammon>(Stream::new(4, trial), 10_000, &mut buf, |_, _, _| {}).turns;
    }
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    assert!(turns > 5_000);
    assert_eq!((after_buffer - before, after - after_buffer), (1, 0));
}
