//! From logits to chances, with basic arithmetic only.
//!
//! No `exp` of the platform and no fused multiply-add, so the bits are the same everywhere.

use crate::outcome::Probs;

/// The logistic function, to about 1e-7.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// e to the power `x` for `x` in [-60, 60], where it is cut off.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 x 2^23: adding it rounds to a whole number
    const LN2_HIGH: f32 = 0.693_145_75;
    const LN2_LOW: f32 = 1.428_606_8e-6;
    let x = x.clamp(-60.0, 60.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    // Taylor terms to r^6 / 720; |r| <= ln 2 / 2, so the remainder is below 2e-7 of the value.
    const C: [f32; 5] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5];
    let p = 1.0 + r * (1.0 + r * (C[4] + r * (C[3] + r * (C[2] + r * (C[1] + r * C[0])))));
    // The low bits of `rounded` are n; moved into the exponent they make 2^n.
    p * f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23))
}

/// Chances from the five numbers of a net, each in [0, 1]: win, gammon given win, backgammon given
/// gammon, and the last two for losing. What is impossible is exactly 0, and the order of the five
/// holds by construction.
#[inline(always)]
pub(crate) fn compose(numbers: &[f32; 8], possible: &[bool; 4]) -> Probs {
    // To a multiple of 2^-23, so that 1 - win is exact and flipping twice gives the same bits back.
    let win = (numbers[0] + 1.0) - 1.0;
    let keep = |yes: bool, x: f32| if yes { x } else { 0.0 };
    let win_gammon = keep(possible[0], win * numbers[1]);
    let lose_gammon = keep(possible[2], (1.0 - win) * numbers[3]);
    Probs {
        win,
        win_gammon,
        win_backgammon: keep(possible[1], win_gammon * numbers[2]),
        lose_gammon,
        lose_backgammon: keep(possible[3], lose_gammon * numbers[4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_follows_the_real_one() {
        for i in -6000..=6000 {
            let x = i as f32 / 100.0;
            let exact = 1.0 / (1.0 + f64::from(-x).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-7, "{x}");
        }
        assert_eq!(sigmoid(0.0), 0.5);
        assert!(sigmoid(1e9) <= 1.0 && sigmoid(-1e9) >= 0.0);
    }

    #[test]
    fn chances_are_ordered_whatever_the_net_says() {
        for i in 0..500u64 {
            let stream = crate::rng::Stream::new(5, i);
            let numbers = std::array::from_fn(|j| sigmoid((stream.unit(j as u64) as f32 - 0.5) * 40.0));
            let possible = std::array::from_fn(|j| stream.below(2, 20 + j as u64) == 1);
            let p = compose(&numbers, &possible);
            assert_eq!(p.flipped().flipped(), p);
            for p in [p, p.flipped()] {
                assert!(p.win >= p.win_gammon && p.win_gammon >= p.win_backgammon);
                assert!(1.0 - p.win >= p.lose_gammon && p.lose_gammon >= p.lose_backgammon);
                assert!(p.win_backgammon >= 0.0 && p.lose_backgammon >= 0.0);
            }
            assert!(possible[0] || p.win_gammon == 0.0);
            assert!(possible[3] || p.lose_backgammon == 0.0);
        }
    }
}
