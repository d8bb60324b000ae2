//! How a prime holds the rearmost checker: its length, and the rolls that get past it.

use super::features::{PRIME_LENGTHS, ROLL_COUNTS};
use super::masks::Masks;

/// Prime length and escaping rolls of the rearmost checker, as a row of their group.
#[inline(always)]
pub(super) fn row(masks: Masks) -> usize {
    let rearmost = 31 - (masks.own | 1).leading_zeros();
    // Bit 10 of the window is the place right ahead of the checker, bit 0 the one 11 pips ahead.
    let window = ((u64::from(masks.opp_made & 0x1ff_fffe) << 11) >> rearmost) & 0x7ff;
    usize::from(PRIMES[window as usize])
}

/// Row of the prime group for each window of 11 points ahead of a checker.
///
/// ```text
/// window bit 10  9  8 …  0      one pip ahead of the checker … eleven pips ahead
/// ```
static PRIMES: [u16; 2048] = {
    let mut rows = [0; 2048];
    let mut window = 0;
    while window < 2048 {
        let (mut longest, mut run, mut ahead) = (0, 0, 1);
        while ahead <= 11 {
            run = if blocked(window, ahead) { run + 1 } else { 0 };
            longest = if run > longest { run } else { longest };
            ahead += 1;
        }
        longest = if longest < PRIME_LENGTHS { longest } else { PRIME_LENGTHS - 1 };
        rows[window] = (longest * ROLL_COUNTS + escapes(window)) as u16;
        window += 1;
    }
    rows
};

/// Rolls of 36 that carry a checker six pips or more, for each window of 11 points ahead of it.
pub(super) static ESCAPES: [u8; 2048] = {
    let mut rolls = [0; 2048];
    let mut window = 0;
    while window < 2048 {
        rolls[window] = escapes(window) as u8;
        window += 1;
    }
    rolls
};

const fn blocked(window: usize, ahead: usize) -> bool {
    ahead >= 1 && ahead <= 11 && window >> (11 - ahead) & 1 == 1
}

/// Rolls of 36 with which a checker can move six pips or more past these blocked points.
const fn escapes(window: usize) -> usize {
    let mut rolls = 0;
    let mut a = 1;
    while a <= 6 {
        let mut b = 1;
        while b <= 6 {
            rolls += escapes_with(window, a, b) as usize;
            b += 1;
        }
        a += 1;
    }
    rolls
}

const fn escapes_with(window: usize, a: usize, b: usize) -> bool {
    if a == b {
        let (mut moved, mut steps) = (0, 0);
        while steps < 4 && !blocked(window, moved + a) {
            moved += a;
            steps += 1;
        }
        return moved >= 6;
    }
    let (six_a, six_b) = (a == 6 && !blocked(window, 6), b == 6 && !blocked(window, 6));
    let through = !blocked(window, a) || !blocked(window, b);
    six_a || six_b || (a + b >= 6 && through && !blocked(window, a + b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_a_prime() {
        // A full prime right ahead: nothing escapes. Five points with the sixth open: any 6, 11 rolls.
        assert_eq!(escapes(0b111_1110_0000), 0);
        assert_eq!(escapes(0b111_1100_0000), 11);
        // Nothing ahead: six pips or more come from 5-1, 4-2 and anything larger, 2-2 and larger doubles.
        let total: usize = (1..=6)
            .flat_map(|a| (1..=6).map(move |b| (a, b)))
            .filter(|&(a, b)| if a == b { a >= 2 } else { a + b >= 6 })
            .count();
        assert_eq!(escapes(0), total);
        assert_eq!(usize::from(PRIMES[0b111_1110_0000]), 6 * ROLL_COUNTS);
    }
}
