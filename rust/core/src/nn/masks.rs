//! Where each side stands, as bit masks of the 26 places.

use crate::position::Position;

/// Bits of places in the roller's frame: bit 0 the opponent's bar, 1 to 24 the points, 25 the roller's bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Places the roller holds.
    pub own: u32,
    /// Places the roller holds with two or more.
    pub own_made: u32,
    /// Places the opponent holds.
    pub opp: u32,
    /// Places the opponent holds with two or more.
    pub opp_made: u32,
}

/// All 26 places.
const PLACES: u32 = (1 << 26) - 1;

impl Masks {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Masks {
        use std::arch::x86_64::{__m128i, _mm_cmpgt_epi8, _mm_load_si128, _mm_movemask_epi8, _mm_set1_epi8};
        let half = |i: usize| {
            // SAFETY: a position is 32 bytes aligned to 32, so both halves are readable and aligned to 16;
            // SSE2 is part of every x86-64 CPU.
            unsafe { _mm_load_si128(position.0.as_ptr().cast::<__m128i>().add(i)) }
        };
        let (low, high) = (half(0), half(1));
        // SAFETY: SSE2 is part of every x86-64 CPU.
        let (zero, one, minus_one) = unsafe { (_mm_set1_epi8(0), _mm_set1_epi8(1), _mm_set1_epi8(-1)) };
        let greater = |a: [__m128i; 2], b: [__m128i; 2]| {
            // SAFETY: SSE2 is part of every x86-64 CPU.
            let (l, h) = unsafe {
                (_mm_movemask_epi8(_mm_cmpgt_epi8(a[0], b[0])), _mm_movemask_epi8(_mm_cmpgt_epi8(a[1], b[1])))
            };
            (l as u32 | (h as u32) << 16) & PLACES
        };
        let all = [low, high];
        Masks {
            own: greater(all, [zero; 2]),
            own_made: greater(all, [one; 2]),
            opp: greater([zero; 2], all),
            opp_made: greater([minus_one; 2], all),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Masks {
        Masks::portable(position)
    }

    /// The obvious way, for other CPUs and for tests.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    pub(crate) fn portable(position: &Position) -> Masks {
        let mut masks = Masks { own: 0, own_made: 0, opp: 0, opp_made: 0 };
        for (place, &n) in position.places().iter().enumerate() {
            masks.own |= u32::from(n > 0) << place;
            masks.own_made |= u32::from(n > 1) << place;
            masks.opp |= u32::from(n < 0) << place;
            masks.opp_made |= u32::from(n < -1) << place;
        }
        masks
    }

    /// The same masks in the opponent's frame.
    #[inline(always)]
    pub(crate) fn flipped(self) -> Masks {
        let turn = |mask: u32| mask.reverse_bits() >> 6;
        Masks {
            own: turn(self.opp),
            own_made: turn(self.opp_made),
            opp: turn(self.own),
            opp_made: turn(self.own_made),
        }
    }

    /// Whether one side has no checker left.
    #[inline(always)]
    pub(crate) fn is_over(self) -> bool {
        self.own == 0 || self.opp == 0
    }

    /// Whether the sides have passed each other (true of a finished game too).
    #[inline(always)]
    pub(crate) fn is_race(self) -> bool {
        // The roller's rearmost place lies below the opponent's rearmost, its lowest bit.
        self.is_over() || 31 - self.own.leading_zeros() < self.opp.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::scattered;

    #[test]
    fn masks_agree_with_the_obvious_loop() {
        for position in scattered(3_000) {
            let masks = Masks::of(&position);
            assert_eq!(masks, Masks::portable(&position), "{position:?}");
            assert_eq!(masks.flipped(), Masks::of(&position.flip()), "{position:?}");
            assert_eq!(masks.is_race(), position.is_race(), "{position:?}");
            assert_eq!(masks.is_over(), position.is_over(), "{position:?}");
        }
    }
}
