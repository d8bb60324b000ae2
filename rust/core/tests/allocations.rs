//! Move generation allocates nothing: a counter in the allocator says so.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use gammon_core::movegen::{PlayBuf, random_game};
use gammon_core::{Backgammon, rng::Stream};

struct Counting;

thread_local! {
    /// Allocations of this thread; those of others, the test runner's say, are none of our business.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending may still allocate when its counter is gone.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
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
    let before = ALLOCATIONS.get();
    let mut buf = PlayBuf::new();
    let after_buffer = ALLOCATIONS.get();
    for trial in 0..100 {
        turns += random_game::<Backgammon>(Stream::new(4, trial), 10_000, &mut buf, |_, _, _| {}).turns;
    }
    let after = ALLOCATIONS.get();
    assert!(turns > 5_000);
    assert_eq!((after_buffer - before, after - after_buffer), (1, 0));
}
