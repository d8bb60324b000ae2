//! Feature set 1: a position as a short list of active rows.
//!
//! Every feature is 0 or 1, so the first layer of a net is the sum of the rows listed here. Each group
//! has at most one active row, and a row stands for an exact value (a point with its number of
//! checkers, a pip count, …); training shares weights between the rows of a group (thermometers, hat
//! functions; see `train::sharing`), which costs nothing once the rows are summed up.
//!
//! ```text
//! rows          group                                                     active
//!    0 ..  312  place 0 to 25 (roller's frame) x owner x checkers 1 to 6+  about 13
//!  312 ..  342  checkers off, 1 to 15, roller then opponent                0 to 2
//!  342 ..  726  pips of the roller, of the opponent, difference (by 2)     3
//!  726 .. 1244  in contact: longest enemy prime ahead of the rearmost
//!               checker x rolls that carry it six pips or more             2
//! 1244 .. 1318  in contact: rolls of 36 that hit, 1 to 36 (none: no row)   0 to 2
//! ```
//!
//! The layout is frozen: a net names the set it was trained for by [`FEATURE_SET`].

use super::masks::Masks;
use crate::position::{CHECKERS, Position};

/// The id of this feature set in net files.
pub const FEATURE_SET: u32 = 1;

/// Rows of the set.
pub const ROWS: usize = 1318;

/// No position has more active rows: 26 places, 2 off, 3 pips, 2 primes, 2 shots.
pub const MAX_ACTIVE: usize = 35;

/// Kinds of position with an output layer of their own; see `Summary::bucket`.
pub const BUCKETS: usize = 12;

/// Checkers on a place told apart; more count as this many.
pub(crate) const STACK: usize = 6;

/// Values of a pip row (two pips each; more count as the last).
pub(crate) const PIP_ROWS: usize = 128;

/// Prime lengths told apart (0 to 6) and counts of rolls (0 to 36).
pub(crate) const PRIME_LENGTHS: usize = 7;
pub(crate) const ROLL_COUNTS: usize = 37;

/// First row of each group.
pub(crate) mod base {
    use super::{PIP_ROWS, PRIME_LENGTHS, ROLL_COUNTS, STACK};
    pub(crate) const PLACES: usize = 0;
    pub(crate) const OFF: [usize; 2] = [26 * 2 * STACK, 26 * 2 * STACK + 15];
    pub(crate) const PIPS: [usize; 3] = [OFF[1] + 15, OFF[1] + 15 + PIP_ROWS, OFF[1] + 15 + 2 * PIP_ROWS];
    pub(crate) const PRIME: [usize; 2] =
        [PIPS[2] + PIP_ROWS, PIPS[2] + PIP_ROWS + PRIME_LENGTHS * ROLL_COUNTS];
    pub(crate) const SHOTS: [usize; 2] =
        [PRIME[1] + PRIME_LENGTHS * ROLL_COUNTS, PRIME[1] + PRIME_LENGTHS * ROLL_COUNTS + ROLL_COUNTS];
    const _: () = assert!(SHOTS[1] + ROLL_COUNTS == super::ROWS);
}

/// The groups of rows of which at most one is active, as (first, count).
pub(crate) fn groups() -> impl Iterator<Item = (usize, usize)> {
    (0..26)
        .map(|place| (base::PLACES + place * 2 * STACK, 2 * STACK))
        .chain(base::OFF.map(|first| (first, 15)))
        .chain(base::PIPS.map(|first| (first, PIP_ROWS)))
        .chain(base::PRIME.map(|first| (first, PRIME_LENGTHS * ROLL_COUNTS)))
        .chain(base::SHOTS.map(|first| (first, ROLL_COUNTS)))
}

/// What an evaluation needs besides the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Active rows written.
    pub len: usize,
    /// The output layer to use: 3 x 3 by checkers of the roller and of the opponent beyond their
    /// 18-point or on the bar (none, 1 or 2, more), or one of the three last.
    pub bucket: usize,
    /// Whether the roller can still win a gammon, a backgammon, and the opponent likewise.
    pub possible: [bool; 4],
}

/// Buckets beyond the 3 x 3 of contact.
const BUCKET_CONTACT_OFF: usize = 9;
const BUCKET_RACE: usize = 10;
const BUCKET_BOTH_HOME: usize = 11;

/// The active rows of an unfinished position, in increasing order within each group, into `rows`.
///
/// Returns how many there are.
pub fn active_rows(position: &Position, rows: &mut [u16; MAX_ACTIVE]) -> usize {
    extract(position, Masks::of(position), rows).len
}

#[inline(always)]
pub(crate) fn extract(position: &Position, masks: Masks, rows: &mut [u16; MAX_ACTIVE]) -> Summary {
    let places = position.places();
    let mut len = 0;
    // No position has more rows than fit; the condition saves the check of bounds and its panic.
    let mut push = |row: usize| {
        debug_assert!(len < MAX_ACTIVE && row < ROWS);
        if len < MAX_ACTIVE {
            rows[len] = row as u16;
            len += 1;
        }
    };
    let (mut own_pips, mut own_on, mut own_back) = (0, 0, 0);
    let mut rest = masks.own;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize & 31;
        rest &= rest - 1;
        let n = position.0[place] as usize;
        push(place * 2 * STACK + n.min(STACK) - 1);
        own_pips += place * n;
        own_on += n;
        own_back += if place > 18 { n } else { 0 };
    }
    let (mut opp_pips, mut opp_on, mut opp_back) = (0, 0, 0);
    let mut rest = masks.opp;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize & 31;
        rest &= rest - 1;
        let n = position.0[place].unsigned_abs() as usize;
        push(place * 2 * STACK + STACK + n.min(STACK) - 1);
        opp_pips += (25 - place) * n;
        opp_on += n;
        opp_back += if place < 7 { n } else { 0 };
    }
    let all = CHECKERS as usize;
    if own_on < all {
        push(base::OFF[0] + all - own_on - 1);
    }
    if opp_on < all {
        push(base::OFF[1] + all - opp_on - 1);
    }
    push(base::PIPS[0] + (own_pips / 2).min(PIP_ROWS - 1));
    push(base::PIPS[1] + (opp_pips / 2).min(PIP_ROWS - 1));
    push(base::PIPS[2] + ((own_pips + PIP_ROWS).saturating_sub(opp_pips) / 2).min(PIP_ROWS - 1));

    let race = masks.is_race();
    if !race {
        let theirs = masks.flipped();
        push(base::PRIME[0] + prime_row(masks));
        push(base::PRIME[1] + prime_row(theirs));
        let hits = shots(masks, places[25].unsigned_abs());
        if hits > 0 {
            push(base::SHOTS[0] + hits);
        }
        let hits = shots(theirs, places[0].unsigned_abs());
        if hits > 0 {
            push(base::SHOTS[1] + hits);
        }
    }
    let bucket = if race {
        let home = masks.own >> 7 == 0 && masks.opp & 0x7_ffff == 0;
        if home { BUCKET_BOTH_HOME } else { BUCKET_RACE }
    } else if own_on + opp_on < 2 * all {
        BUCKET_CONTACT_OFF
    } else {
        const CLASS: [u8; 16] = [0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
        usize::from(CLASS[own_back & 15]) * 3 + usize::from(CLASS[opp_back & 15])
    };
    let (win_gammon, lose_gammon) = (opp_on == all, own_on == all);
    let possible = [
        win_gammon,
        win_gammon && !(race && opp_back == 0),
        lose_gammon,
        lose_gammon && !(race && own_back == 0),
    ];
    Summary { len, bucket, possible }
}

/// Prime length and escaping rolls of the rearmost checker, as a row of their group.
#[inline(always)]
fn prime_row(masks: Masks) -> usize {
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

/// Rolls of 36 that hit a blot; with one checker on the bar it must enter first, with more only
/// entering checkers are counted to hit. Passing up a hit because the rules demand both dice is not seen.
#[inline(always)]
fn shots(masks: Masks, on_bar: u8) -> usize {
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
    use crate::testing::{position, scattered};

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

    #[test]
    fn rows_are_few_distinct_and_one_a_group() {
        for position in scattered(3_000) {
            let mut rows = [0; MAX_ACTIVE];
            let len = active_rows(&position, &mut rows);
            for (first, count) in groups() {
                let here =
                    rows[..len].iter().filter(|&&r| (first..first + count).contains(&usize::from(r))).count();
                assert!(here <= 1, "{position:?}");
            }
            assert!(rows[..len].iter().all(|&row| usize::from(row) < ROWS));
        }
        assert_eq!(groups().map(|(_, count)| count).sum::<usize>(), ROWS);
    }

    #[test]
    fn opening_rows() {
        // 8 held points, three pip rows, two primes; no blot, so no shots.
        let mut rows = [0; MAX_ACTIVE];
        assert_eq!(active_rows(&Position::START, &mut rows), 8 + 3 + 2);
        let summary = extract(&Position::START, Masks::of(&Position::START), &mut rows);
        // Two checkers back each: class 1 of 0 to 2 for both.
        assert_eq!(summary.bucket, 4);
        assert_eq!(summary.possible, [true; 4]);
    }

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

    #[test]
    fn impossible_results_are_known() {
        let put = |mine: &[(usize, u8)], theirs: &[(usize, u8)]| {
            let position = position(mine, theirs);
            extract(&position, Masks::of(&position), &mut [0; MAX_ACTIVE]).possible
        };
        // Opponent all at home, none off; roller has borne off: only gammons won are possible.
        assert_eq!(put(&[(1, 3)], &[(6, 15)]), [true, false, false, false]);
        // Opponent's last checkers in the roller's home, race: backgammon possible.
        assert_eq!(put(&[(1, 3)], &[(6, 13), (22, 2)]), [true, true, false, false]);
        // Contact (the roller's bar checker): everything possible for whoever has none off.
        assert_eq!(put(&[(1, 14), (25, 1)], &[(6, 15)]), [true, true, true, true]);
        assert_eq!(put(&[(1, 13), (25, 1)], &[(6, 15)]), [true, true, false, false]);
    }
}
