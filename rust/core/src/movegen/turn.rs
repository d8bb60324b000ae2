//! The generator's tricks for the other games: turns in parts, and results changed once they are found.
//!
//! Boards are seen as in the rest of this module, by the player who acts after the turn, the mover's checkers being
//! the negative bytes. What a game does differently it says by the masks it hands over (a point that only looks open
//! is closed there), by stepping checkers itself before the rest of the turn is generated, and by [`PlayBuf::rewrite`],
//! which leaves results out and turns the others to whoever sees them.

use super::doubles::{self, sources};
use super::tables::steps;
use super::{MAX_PLAYS, PlayBuf, mixed};
use crate::cpu;
use crate::lanes::{self, Lanes, Masks};
use crate::position::Position;

/// What is done with a board in the registers of this CPU.
pub(crate) trait Task {
    /// What comes of it.
    type Found;

    /// Does it.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    unsafe fn run<L: Lanes>(self, out: &mut PlayBuf) -> Self::Found;
}

/// Does it with the instructions of this CPU; `out` is empty before.
#[inline]
pub(crate) fn on_this_cpu<T: Task>(task: T, out: &mut PlayBuf) -> T::Found {
    out.results.clear();
    out.pass = false;
    #[cfg(target_arch = "x86_64")]
    {
        if cpu::has_avx2() {
            // SAFETY: AVX2, BMI and POPCNT were found on this CPU.
            unsafe { with_avx2(task, out) }
        } else {
            // SAFETY: SSE2 belongs to every x86-64 CPU.
            unsafe { task.run::<lanes::Sse2>(out) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the portable lanes need nothing of the CPU.
    unsafe {
        task.run::<lanes::Portable>(out)
    }
}

/// # Safety
/// The CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn with_avx2<T: Task>(task: T, out: &mut PlayBuf) -> T::Found {
    // SAFETY: the caller promises the CPU.
    unsafe { task.run::<lanes::Avx2>(out) }
}

/// A board in registers, with its masks.
#[derive(Clone, Copy)]
pub(crate) struct Board<L> {
    pub(crate) lanes: L,
    pub(crate) masks: Masks,
}

/// Places outside the mover's home, the bar among them.
pub(crate) const OUTSIDE: u32 = doubles::OUTSIDE;

// SAFETY (all methods): the caller promises that `L` may be used on this CPU.
#[allow(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]
impl<L: Lanes> Board<L> {
    /// The board of a position whose roller moves; its spare bytes are left out.
    #[inline(always)]
    pub(crate) unsafe fn of(position: &Position) -> Self {
        unsafe { Board::from_lanes(L::load(position).flip()) }
    }

    #[inline(always)]
    pub(crate) unsafe fn from_lanes(lanes: L) -> Self {
        Board { lanes, masks: unsafe { lanes.masks() } }
    }

    /// The same where a single checker closes a point.
    #[inline(always)]
    pub(crate) fn closed(mut self) -> Self {
        self.masks.blocked |= self.masks.blots;
        self.masks.blots = 0;
        self
    }

    /// Whether a checker may land on a place.
    #[inline(always)]
    pub(crate) fn is_open(&self, place: u32) -> bool {
        self.masks.blocked >> place & 1 == 0
    }

    /// Places from which a checker may go on by `die` and stay on the board.
    #[inline(always)]
    pub(crate) fn inside(&self, die: u32) -> u32 {
        self.masks.mine & ((1 << (25 - die)) - 1) & !(self.masks.blocked >> die)
    }

    /// Places from which `die` can be played; checkers on the bar come first.
    #[inline(always)]
    pub(crate) fn sources(&self, die: u32) -> u32 {
        sources::<true, true>(self.masks.mine, self.masks.blocked, die)
    }

    /// The board after a checker has gone on by `die` from a place it may leave.
    #[inline(always)]
    pub(crate) unsafe fn step(self, place: u32, die: u32) -> Self {
        let Masks { blots, blocked, .. } = self.masks;
        let hit = (blots >> (place + die)) & 1;
        unsafe {
            let lanes = self.lanes.plus(&steps(die)[place as usize][hit as usize]);
            let masks = Masks { mine: lanes.mine(), blots: blots & !(1 << (place + die)), blocked };
            Board { lanes, masks }
        }
    }

    /// Stores what two different numbers lead to, or else the larger, or the smaller; how many that is.
    ///
    /// `BAR` says that checkers on the bar come first, `OFF` that checkers may be borne off once all are home.
    #[inline(always)]
    pub(crate) unsafe fn mixed<const BAR: bool, const OFF: bool>(
        &self,
        high: u32,
        low: u32,
        out: &mut PlayBuf,
    ) -> usize {
        unsafe { mixed::generate::<L, BAR, OFF>(self.lanes, self.masks, high, low, &mut out.results) }
    }

    /// Stores what as many steps of `die` as can be played lead to, up to four; how many that is.
    #[inline(always)]
    pub(crate) unsafe fn equal<const BAR: bool, const OFF: bool>(
        &self,
        die: u32,
        most: usize,
        out: &mut PlayBuf,
    ) -> usize {
        debug_assert!(most <= 4);
        unsafe { doubles::generate::<L, BAR, OFF>(self.lanes, self.masks, die, most, &mut out.results) }
    }

    /// Stores the boards after `die` from each of these places.
    #[inline(always)]
    pub(crate) unsafe fn push_steps(&self, from: u32, die: u32, out: &mut PlayBuf) {
        unsafe { doubles::push_steps::<L, 6>(self.lanes, from, die, self.masks.blots, &mut out.results) }
    }

    /// The same without those that are there already.
    #[inline(always)]
    pub(crate) unsafe fn push_new_steps(&self, from: u32, die: u32, out: &mut PlayBuf) {
        unsafe { mixed::push_new(self.lanes, from, die, self.masks.blots, &mut out.results) }
    }

    /// Stores the board.
    #[inline(always)]
    pub(crate) unsafe fn push(&self, out: &mut PlayBuf) {
        assert!(out.results.len < MAX_PLAYS, "no turn has so many results");
        unsafe { out.results.push(self.lanes) }
    }

    /// Stores the board unless it is there already.
    #[inline(always)]
    pub(crate) unsafe fn push_new(&self, out: &mut PlayBuf) {
        unsafe {
            if !mixed::holds(&out.results, self.lanes) {
                self.push(out);
            }
        }
    }
}

impl PlayBuf {
    /// Goes through the results to change them or leave them out.
    #[inline(always)]
    pub(crate) fn rewrite(&mut self) -> Rewriting<'_> {
        Rewriting { buf: self, at: 0, kept: 0 }
    }

    /// Removes the first so many results.
    pub(crate) fn remove_first(&mut self, count: usize) {
        self.positions_mut().copy_within(count.., 0);
        self.results.len -= count;
    }

    /// How many results there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.results.len
    }

    /// Says whether nothing could be played.
    #[inline(always)]
    pub(crate) fn set_pass(&mut self, pass: bool) {
        self.pass = pass;
    }

    /// The results, to be changed one by one.
    #[inline(always)]
    pub(crate) fn positions_mut(&mut self) -> &mut [Position] {
        // SAFETY: `push` has written the first `len`.
        unsafe { std::slice::from_raw_parts_mut(self.results.memory.as_mut_ptr().cast(), self.results.len) }
    }
}

/// Results on their way to other ones.
///
/// Not a function that takes a closure: closures are not sure to be compiled for the CPU of the function they are in.
pub(crate) struct Rewriting<'a> {
    buf: &'a mut PlayBuf,
    at: usize,
    kept: usize,
}

impl Rewriting<'_> {
    /// The next result; nothing, and the results left out are gone, after the last.
    ///
    /// # Safety
    /// `L` may be used on this CPU.
    #[inline(always)]
    pub(crate) unsafe fn next<L: Lanes>(&mut self) -> Option<L> {
        let results = &mut self.buf.results;
        if self.at == results.len {
            results.len = self.kept;
            return None;
        }
        // SAFETY: the first `len` were written. The caller promises the CPU.
        let lanes = unsafe { L::load(&*results.memory.as_ptr().cast::<Position>().add(self.at)) };
        self.at += 1;
        Some(lanes)
    }

    /// Keeps what the last result was made into, if it is to be kept.
    ///
    /// # Safety
    /// As [`Rewriting::next`], once after each of its results.
    #[inline(always)]
    pub(crate) unsafe fn keep<L: Lanes>(&mut self, changed: L, keep: bool) {
        // SAFETY: no more are kept than were read. The caller promises the CPU.
        unsafe { changed.store(self.buf.results.memory.as_mut_ptr().cast::<Position>().add(self.kept)) };
        self.kept += usize::from(keep);
    }
}
