//! The set of features for the other games of the family: one set, whatever the game.
//!
//! Which row stands for what [`family_rows`](super::family_rows) says; here a position's rows are found. A net's
//! file says which game it was trained for by the number of its set; see [`Game`].

use super::family_rows::{BLOT_ROWS, CHECKERS, MOVE_ROWS, MOVES_A_ROW, PIP_ROWS, PIPS_A_ROW, ROWS, base};
use super::features::STACK;
use super::game::{Game, Layout};
use super::masks::Masks;
use super::sets::{ActiveRows, Encoder, Summary, Writer};
use crate::position::Position;
use crate::rules::{Asks, Marking, pins};

/// Kinds of position with an output layer of their own: by how many sides have all their checkers home.
pub(super) const BUCKETS: usize = 3;

/// What the spare bytes of positions hold.
pub(super) const USUAL: u8 = 0;
pub(super) const PINS: u8 = 1;
pub(super) const MARKING: u8 = 2;

/// The set as a type, by how the checkers stand: whether both sides run the same way, how many checkers close a point, and
/// what the spare bytes hold.
pub(crate) struct Family<const PARALLEL: bool, const BLOCK: u8, const MARKS: u8>;

pub(crate) type Contrary = Family<false, 2, USUAL>;
pub(crate) type Parallel = Family<true, 1, USUAL>;
pub(crate) type Pinned = Family<false, 2, PINS>;
pub(crate) type Marked = Family<false, 1, MARKING>;

/// The points 1 to 24 among the 26 places.
const BOARD: u32 = 0x01ff_fffe;
const HOME: u32 = 0x7e;
/// Where checkers wait.
const WAIT: usize = 25;

/// Places numbered by the other side.
#[inline(always)]
fn turned<const PARALLEL: bool>(places: u32) -> u32 {
    if PARALLEL {
        let points = (places & 0x1ffe) << 12 | (places >> 12) & 0x1ffe;
        points | (places & 1) << WAIT | places >> WAIT & 1
    } else {
        places.reverse_bits() >> 6
    }
}

/// A place as the other side numbers it.
#[inline(always)]
fn across<const PARALLEL: bool>(place: usize) -> usize {
    match place {
        0 => WAIT,
        WAIT => 0,
        _ if !PARALLEL => WAIT - place,
        1..=12 => place + 12,
        _ => place - 12,
    }
}

/// One side in its own numbering.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Places with a checker of his on top, and with several.
    held: u32,
    made: u32,
    /// Points closed to him.
    barred: u32,
    pips: usize,
    checkers: usize,
    home: usize,
    head: usize,
    waiting: usize,
}

impl Side {
    #[inline(always)]
    fn add(&mut self, point: usize, checkers: usize) {
        self.pips += point * checkers;
        self.checkers += checkers;
        self.home += if point <= 6 { checkers } else { 0 };
        self.head += if point == 24 { checkers } else { 0 };
        self.waiting += if point == WAIT { checkers } else { 0 };
    }

    /// The longest row of points closed to him before his rearmost checker, up to 6.
    #[inline(always)]
    fn run(&self) -> usize {
        let before = 0x7fff_ffff >> self.held.leading_zeros().min(31);
        let mut rest = self.barred & before & BOARD;
        let mut length = 0;
        while rest != 0 && length < 6 {
            rest &= rest >> 1;
            length += 1;
        }
        length
    }

    /// Single steps that are open, checkers being borne off apart.
    #[inline(always)]
    fn moves(&self) -> usize {
        let open = BOARD & !self.barred;
        (1..=6).map(|number| (self.held >> number & open).count_ones() as usize).sum()
    }
}

impl<const PARALLEL: bool, const BLOCK: u8, const MARKS: u8> Family<PARALLEL, BLOCK, MARKS> {
    /// Both sides, and the rows of places and pins.
    #[inline(always)]
    fn sides(position: &Position, masks: Masks, rows: &mut Writer<'_>) -> [Side; 2] {
        let under = if MARKS == PINS { pins(position) } else { 0 };
        let closed = |held: u32, made: u32| if BLOCK == 1 { held } else { made | held & under };
        let turn = turned::<PARALLEL>;
        let mine = Side {
            held: masks.own,
            made: masks.own_made | masks.own & under,
            barred: closed(masks.opp, masks.opp_made),
            ..Side::default()
        };
        let theirs = Side {
            held: turn(masks.opp),
            made: turn(masks.opp_made | masks.opp & under),
            barred: turn(closed(masks.own, masks.own_made)),
            ..Side::default()
        };
        let mut sides = [mine, theirs];
        for (owner, held) in [masks.own, masks.opp].into_iter().enumerate() {
            let mut rest = held;
            while rest != 0 {
                let place = rest.trailing_zeros() as usize & 31;
                rest &= rest - 1;
                let n = usize::from(position.0[place].unsigned_abs());
                rows.push(place * 2 * STACK + owner * STACK + n.min(STACK) - 1);
                sides[owner].add(if owner == 0 { place } else { across::<PARALLEL>(place) }, n);
            }
        }
        let mut rest = under;
        while rest != 0 {
            let point = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            // Whoever lies underneath belongs to the other side than the one on top.
            let owner = usize::from(masks.own >> point & 1 != 0);
            let own = if owner == 0 { point } else { across::<PARALLEL>(point) };
            rows.push(base::PINS + owner * 24 + own - 1);
            sides[owner].add(own, 1);
        }
        sides
    }

    /// The rows of what a position says beside where checkers stand.
    #[inline(always)]
    fn marks(position: &Position, rows: &mut Writer<'_>) {
        let bytes: [u8; 6] = std::array::from_fn(|i| position.0[26 + i] as u8);
        if MARKS == PINS {
            return;
        }
        if MARKS == MARKING {
            let (marking, turns) = Marking::from_marks(&bytes);
            for (side, &turns) in turns.iter().enumerate() {
                rows.push(base::POINTS + side * 12 + usize::from(marking.pts[side]).min(11));
                rows.push(base::HOLES + side * 13 + usize::from(marking.holes[side]).min(12));
                rows.push_if(marking.clean[side], base::CLEAN + side);
                rows.push_if(marking.gclean[side], base::CLEAN + 2 + side);
                rows.count(base::TURNS + side * 3, turns.into(), 3);
            }
        } else {
            for (side, nibble) in [(0, 0), (1, 4)] {
                rows.count(base::HANDS + side * CHECKERS, usize::from(bytes[0] >> nibble & 15), CHECKERS);
                rows.count(base::TURNS + side * 3, usize::from(bytes[2] >> nibble & 15), 3);
            }
            (0..8).for_each(|bit| rows.push_if(bytes[1] >> bit & 1 != 0, base::BITS + bit));
            rows.count(base::ACEYS, usize::from(bytes[4]), 15);
        }
        let asked = match Asks::from_byte(bytes[3]) {
            None | Some(Asks::Throw) => return,
            Some(Asks::Name) => 0,
            Some(Asks::Four(number)) => usize::from(number),
            Some(Asks::Gift { number, count }) => 7 + (usize::from(number) - 1) * 4 + usize::from(count) - 1,
            Some(Asks::Play(roll)) => 31 + roll.index(),
            // Games in which nothing is asked are over, so the last number is free for points to be marked by hand.
            Some(Asks::Nothing | Asks::Mark(_)) => 52,
        };
        rows.push(base::ASKS + asked);
    }
}

impl<const PARALLEL: bool, const BLOCK: u8, const MARKS: u8> Encoder for Family<PARALLEL, BLOCK, MARKS> {
    const ROWS: usize = ROWS;

    /// Whether a game is over its rules say, not the places.
    #[inline(always)]
    fn is_over(_: Masks) -> bool {
        false
    }

    #[inline(always)]
    fn extract(position: &Position, masks: Masks, rows: &mut ActiveRows) -> Summary {
        let mut rows = Writer::new(rows);
        let sides = Self::sides(position, masks, &mut rows);
        let [mine, theirs] = &sides;
        let pips = [mine.pips, theirs.pips, (mine.pips + 192).saturating_sub(theirs.pips)];
        for (i, pips) in pips.into_iter().enumerate() {
            rows.push(base::PIPS + i * PIP_ROWS + (pips / PIPS_A_ROW).min(PIP_ROWS - 1));
        }
        for (i, side) in sides.iter().enumerate() {
            rows.count(base::OFF + i * CHECKERS, CHECKERS.saturating_sub(side.checkers), CHECKERS);
            rows.count(base::HEADS + i * CHECKERS, side.head, CHECKERS);
            rows.count(base::WAITS + i * CHECKERS, side.waiting, CHECKERS);
            rows.push(base::RUNS + i * 7 + side.run());
            rows.push(base::MOVES + i * MOVE_ROWS + (side.moves() / MOVES_A_ROW).min(MOVE_ROWS - 1));
            let home = if BLOCK == 1 { side.held } else { side.made };
            rows.push(base::HOME + i * 7 + (home & HOME).count_ones() as usize);
            if !PARALLEL {
                // Whoever stands on a lower number of this side's than the checker has yet to pass it.
                let others = turned::<PARALLEL>(sides[1 - i].held);
                let behind = others.trailing_zeros().min(31);
                let blots = side.held & !side.made & BOARD;
                let exposed = (blots >> behind).count_ones() as usize;
                rows.push(base::BLOTS + i * BLOT_ROWS + exposed.min(BLOT_ROWS - 1));
            }
        }
        Self::marks(position, &mut rows);
        let bucket = sides.iter().filter(|side| side.home == side.checkers).count();
        Summary { len: rows.len, bucket, possible: [true; 4] }
    }
}

/// The active rows of a position of a game.
pub(super) fn extract(game: Game, position: &Position, rows: &mut ActiveRows) -> Summary {
    let masks = Masks::of(position);
    match game.layout() {
        Layout::Contrary => Contrary::extract(position, masks, rows),
        Layout::Parallel => Parallel::extract(position, masks, rows),
        Layout::Pinned => Pinned::extract(position, masks, rows),
        Layout::Marked => Marked::extract(position, masks, rows),
    }
}

/// Pips of both sides, pinned and waiting checkers among them; the player to act first.
pub(crate) fn pip_counts(game: Game, position: &Position) -> [usize; 2] {
    let masks = Masks::of(position);
    let mut room = [0; super::MAX_ACTIVE];
    let mut rows = Writer::new(&mut room);
    let sides = match game.layout() {
        Layout::Contrary => Contrary::sides(position, masks, &mut rows),
        Layout::Parallel => Parallel::sides(position, masks, &mut rows),
        Layout::Pinned => Pinned::sides(position, masks, &mut rows),
        Layout::Marked => Marked::sides(position, masks, &mut rows),
    };
    sides.map(|side| side.pips)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::MAX_ACTIVE;
    use crate::nn::family_rows::groups;
    use crate::rng::Stream;
    use crate::rules::{KINDS, Opening, Ruleset, Turns, Variant, random_game};
    use crate::with_variant;

    fn rules(name: &str, options: &[(&str, &str)]) -> Ruleset {
        let given: Vec<_> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        Ruleset::new(name, &given).unwrap()
    }

    /// Every set of rules that changes what positions hold.
    fn all() -> Vec<Ruleset> {
        let mut all: Vec<_> = KINDS.iter().map(|kind| rules(kind.name, &[])).collect();
        all.push(rules("gul_bara", &[("celebi", "true"), ("config_bonus", "true")]));
        all.push(rules("gul_bara", &[("leftover", "opponent"), ("config_bonus", "true")]));
        all.push(rules("acey_deucey", &[("bar_first", "true"), ("double_on_acey", "true")]));
        all.push(rules("jacquet", &[("style", "hitting"), ("triple_no_prime", "true")]));
        all.push(rules("nardi_long", &[("last_throw_draw", "true")]));
        all.push(rules("trictrac", &[("mode", "ecrire")]));
        all
    }

    /// Calls with the positions of some random games of every set of rules.
    fn met(mut visit: impl FnMut(&Ruleset, &Position)) {
        for rules in all() {
            let double_first = rules.opening() == Opening::Reroll;
            for trial in 0..4 {
                with_variant!(rules.game(), game => {
                    let mut turns = Turns::new();
                    let stream = Stream::new(8, trial);
                    random_game(game, stream, double_first, 5_000, &mut turns, |position, _| {
                        visit(&rules, position);
                    })
                });
            }
        }
    }

    #[test]
    fn rows_are_few_distinct_and_one_a_group() {
        let mut owner = vec![0; ROWS];
        for (number, (first, count)) in groups().enumerate() {
            owner[first..first + count].fill(number);
        }
        let mut seen = vec![false; ROWS];
        met(|rules, position| {
            let mut rows = [0; MAX_ACTIVE];
            let summary = extract(Game::of(rules), position, &mut rows);
            let rows = &rows[..summary.len];
            assert!(summary.len < MAX_ACTIVE && summary.bucket < BUCKETS, "{}", rules.name());
            let mut owners: Vec<_> = rows.iter().map(|&row| owner[usize::from(row)]).collect();
            owners.sort_unstable();
            owners.dedup();
            assert_eq!(owners.len(), rows.len(), "{} {position:?}", rules.name());
            rows.iter().for_each(|&row| seen[usize::from(row)] = true);
        });
        let all = seen.iter().filter(|&&seen| seen).count();
        assert!(all > ROWS * 3 / 4, "{all} of {ROWS} rows are ever active");
    }

    /// What a position shows, from the rules' own view, is what the encoder sees.
    #[test]
    fn pips_and_men_off_are_those_of_the_view() {
        met(|rules, position| {
            let view = with_variant!(rules.game(), game => game.view(position));
            let pips: [usize; 2] = std::array::from_fn(|side| {
                let on: usize = (1..=24).map(|p| p * usize::from(view.checkers[side][p])).sum();
                on + WAIT * usize::from(view.bar[side] + view.hand[side])
            });
            assert_eq!(pip_counts(Game::of(rules), position), pips, "{} {position:?}", rules.name());
            let mut rows = [0; MAX_ACTIVE];
            let len = extract(Game::of(rules), position, &mut rows).len;
            for side in 0..2 {
                let first = base::OFF + side * CHECKERS;
                let here =
                    rows[..len].iter().find(|&&row| (first..first + CHECKERS).contains(&usize::from(row)));
                let missing = if rules.name() == "hypergammon" { 12 } else { 0 };
                let off = usize::from(view.off[side]) + missing;
                assert_eq!(here.map_or(0, |&row| usize::from(row) - first + 1), off, "{}", rules.name());
            }
        });
    }

    #[test]
    fn places_are_turned_as_points_are() {
        for place in 0..26 {
            assert_eq!(turned::<false>(1 << place), 1 << across::<false>(place));
            assert_eq!(turned::<true>(1 << place), 1 << across::<true>(place));
        }
    }
}
