//! How many rolls hit, as nets see it: from bit masks alone, without generating plays.

use super::masks::Masks;

/// Rolls of 36 that hit a blot; with one checker on the bar it must enter first, with more only
/// entering checkers are counted to hit. Passing up a hit because the rules demand both dice is not seen.
#[inline(always)]
pub(super) fn shots(masks: Masks, on_bar: u8) -> usize {
    const POINTS: u32 = 0x1ff_fffe;
    let blots = masks.opp & !masks.opp_made & POINTS;
    if blots == 0 {
        return 0;
    }
    let open = !masks.opp_made & POINTS;
    match on_bar {
        0 => shots_in_play(masks.own, blots, open),
        _ => shots_from_bar(masks.own & POINTS, blots, open, on_bar),
    }
}

/// The 15 rolls without doubles, padded to 16 by a roll that reaches nothing.
const DICE: [(u32, u32); 16] = [
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (3, 4),
    (3, 5),
    (3, 6),
    (4, 5),
    (4, 6),
    (5, 6),
    (31, 31),
];

#[inline(always)]
fn shots_in_play(own: u32, blots: u32, open: u32) -> usize {
    let mut plain = 0;
    for (a, b) in DICE {
        let (after_a, after_b) = ((own >> a) & open, (own >> b) & open);
        let reached = after_a | after_b | (after_a >> b) | (after_b >> a);
        plain += u32::from(reached & blots != 0);
    }
    let mut doubles = 0;
    for die in 1..7 {
        let first = (own >> die) & open;
        let second = (first >> die) & open;
        let third = (second >> die) & open;
        let reached = first | second | third | (third >> die);
        doubles += u32::from(reached & blots != 0);
    }
    (2 * plain + doubles) as usize
}

/// `own` is without the bar here.
#[inline(never)]
fn shots_from_bar(own: u32, blots: u32, open: u32, on_bar: u8) -> usize {
    let one = on_bar == 1;
    let enter = |die: u32| (1u32 << (25 - die)) & open;
    let mut rolls = 0;
    for &(a, b) in &DICE[..15] {
        let mut reached = 0;
        for (a, b) in [(a, b), (b, a)] {
            let entered = enter(a);
            reached |= entered;
            if one && entered != 0 {
                reached |= (own | entered) >> b;
            }
        }
        rolls += 2 * usize::from(reached & blots != 0);
    }
    for die in 1..7 {
        let entered = enter(die);
        let mut reached = entered;
        if one && entered != 0 {
            let first = ((own | entered) >> die) & open;
            let second = (first >> die) & open;
            reached |= first | second | (second >> die);
        }
        rolls += usize::from(reached & blots != 0);
    }
    rolls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::testing::scattered;

    /// Rolls that hit, by moving checkers one at a time.
    fn naive_shots(position: &Position) -> usize {
        fn hits(places: [i8; 26], dice: &[usize]) -> bool {
            let Some((&die, rest)) = dice.split_first() else { return false };
            (1..26).any(|from| {
                let on_bar = places[25] > 0;
                if places[from] <= 0 || (on_bar && from != 25) || from <= die {
                    return false;
                }
                let to = from - die;
                if places[to] < -1 {
                    return false;
                }
                let mut next = places;
                next[from] -= 1;
                next[to] = next[to].max(0) + 1;
                places[to] == -1 || hits(next, rest)
            })
        }
        let places = *position.places();
        // A hit with the second die alone is found by the other order, or needs the first unplayed.
        (0..36)
            .filter(|i| {
                let (a, b) = (i / 6 + 1, i % 6 + 1);
                if a == b {
                    return hits(places, &[a; 4]);
                }
                hits(places, &[a, b]) || hits(places, &[b, a])
            })
            .count()
    }

    #[test]
    fn shots_equal_a_search_of_single_moves() {
        let mut compared = 0;
        for position in scattered(4_000) {
            let masks = Masks::of(&position);
            if masks.is_race() || position.places()[25] > 1 {
                continue;
            }
            let fast = shots(masks, position.places()[25].unsigned_abs());
            assert_eq!(fast, naive_shots(&position), "{position:?}");
            compared += 1;
        }
        assert!(compared > 1_000, "{compared}");
    }
}
