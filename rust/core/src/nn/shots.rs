//! How many rolls hit, as nets see it: from bit masks alone, without generating plays.

use super::masks::Masks;

/// What a side's 36 rolls do to the other side's blots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hits {
    /// Rolls that hit.
    pub rolls: usize,
    /// Rolls that reach two blots or more (whether one play can hit both is not looked at).
    pub twice: usize,
    /// Pips the other side loses by the dearest blot each roll reaches, summed over the rolls.
    pub loss: usize,
}

/// Rolls of 36 that hit a blot; with one checker on the bar it must enter first, with more only
/// entering checkers are counted to hit. Passing up a hit because the rules demand both dice is not seen.
///
/// `on_bar` is the number of the roller's checkers there, in either sign.
#[inline(always)]
pub(super) fn shots(masks: Masks, on_bar: i8) -> Hits {
    const POINTS: u32 = 0x1ff_fffe;
    let blots = masks.opp & !masks.opp_made & POINTS;
    if blots == 0 {
        return Hits::default();
    }
    let open = !masks.opp_made & POINTS;
    match on_bar {
        0 => shots_in_play(masks.own, blots, open),
        _ => shots_from_bar(masks.own & POINTS, blots, open, on_bar.unsigned_abs()),
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

/// Sums over rolls, in words that vectorise.
#[derive(Default)]
struct Tally {
    rolls: u32,
    twice: u32,
    loss: u32,
}

impl Tally {
    /// Adds `weight` rolls that reach these blots.
    #[inline(always)]
    fn add(&mut self, blots: u32, weight: u32) {
        self.rolls += weight * u32::from(blots != 0);
        self.twice += weight * u32::from(blots & blots.wrapping_sub(1) != 0);
        // The highest place, from the exponent of a float: 24 bits are exact, and bit 0 is no point.
        let exponent = ((blots >> 1) as f32).to_bits() >> 23;
        self.loss += weight * (exponent.max(126) - 126);
    }

    /// Both together.
    #[inline(always)]
    fn and(&self, other: &Tally) -> Hits {
        Hits {
            rolls: (self.rolls + other.rolls) as usize,
            twice: (self.twice + other.twice) as usize,
            loss: (self.loss + other.loss) as usize,
        }
    }
}

#[inline(always)]
fn shots_in_play(own: u32, blots: u32, open: u32) -> Hits {
    let (mut plain, mut doubles) = (Tally::default(), Tally::default());
    for (a, b) in DICE {
        let (after_a, after_b) = ((own >> a) & open, (own >> b) & open);
        let reached = after_a | after_b | (after_a >> b) | (after_b >> a);
        plain.add(reached & blots, 2);
    }
    for die in 1..7 {
        let first = (own >> die) & open;
        let second = (first >> die) & open;
        let third = (second >> die) & open;
        let reached = first | second | third | (third >> die);
        doubles.add(reached & blots, 1);
    }
    plain.and(&doubles)
}

/// `own` is without the bar here. No loop depends on what is on the board, so both vectorise.
#[inline(always)]
fn shots_from_bar(own: u32, blots: u32, open: u32, on_bar: u8) -> Hits {
    // With more than one checker there only those that enter move.
    let free = if on_bar == 1 { u32::MAX } else { 0 };
    let enter = |die: u32| ((1u32 << 25) >> die) & open;
    let entered_then = |entered: u32| if entered != 0 { free } else { 0 };
    let (mut plain, mut doubles) = (Tally::default(), Tally::default());
    for (a, b) in DICE {
        let (by_a, by_b) = (enter(a), enter(b));
        let then_b = entered_then(by_a) & ((own | by_a) >> b);
        let then_a = entered_then(by_b) & ((own | by_b) >> a);
        plain.add((by_a | by_b | then_a | then_b) & blots, 2);
    }
    for die in 1..7 {
        let entered = enter(die);
        let first = entered_then(entered) & ((own | entered) >> die) & open;
        let second = (first >> die) & open;
        doubles.add((entered | first | second | (second >> die)) & blots, 1);
    }
    plain.and(&doubles)
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
            let fast = shots(masks, position.places()[25]);
            assert_eq!(fast.rolls, naive_shots(&position), "{position:?}");
            compared += 1;
        }
        assert!(compared > 1_000, "{compared}");
    }

    #[test]
    fn the_dearest_blot_is_counted() {
        for place in 1..25 {
            let mut tally = Tally::default();
            tally.add(1 << place | 2, 2);
            assert_eq!(tally.loss, 2 * place, "a blot {place} pips from its bar has made them all");
            assert_eq!(tally.twice, if place > 1 { 2 } else { 0 });
        }
        // Every place at once is still told apart from the next power of two.
        let mut tally = Tally::default();
        tally.add(0x1ff_fffe, 1);
        tally.add(0, 1);
        assert_eq!(tally.and(&Tally::default()), Hits { rolls: 1, twice: 1, loss: 24 });
    }
}
