//! The dice of a rollout: which roll trial `i` throws at turn `t`.
//!
//! *Independent* dice are drawn for every trial and turn alone. *Stratified* dice are drawn for a
//! **replication** of trials together. With 36 strata a replication is 36 trials, and at every turn their 36
//! throws are the 36 possible ones in a random order: so each first roll comes equally often, and at later
//! turns no replication is luckier than another. With 1,296 strata a replication is 1,296 trials, in which
//! each pair of first two rolls comes once:
//!
//! ```text
//!                 trial i of 36 in sub-block k of 36
//! first roll      a[i]                    a, b, c: random orders of 36,
//! second roll     b[(i + c[k]) mod 36]    drawn anew for each replication
//! later rolls     a random order of 36 for each sub-block and turn
//! ```
//!
//! A game's opening has 30 throws instead of 36, so replications are 30 or 1,080 trials; of a later turn's 36
//! throws they then have the first 30 of a random order.
//!
//! Orders of different turns and of different replications are drawn independently. So within one trial all
//! rolls are independent and each throw equally likely, which is what makes any mean over trials unbiased; and
//! replications are independent of one another, which is what their spread is an honest standard error for.

use crate::dice::Roll;
use crate::rng::Stream;
use crate::rollout::lockstep::KEPT_TURNS;
use crate::rollout::settings::{Settings, Strata};

/// What the streams of replications are forked for, so that they are not the streams of trials.
const REPLICATION: u64 = 0x7265_706c_6963_6174;
/// Orders of the second roll's sub-blocks.
const OFFSETS: u64 = 0x6f66_6673_6574;

/// The dice of a rollout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dice {
    seed: u64,
    strata: Strata,
    opening: bool,
}

impl Dice {
    pub(crate) fn new(settings: &Settings) -> Dice {
        Dice { seed: settings.seed, strata: settings.strata, opening: settings.opening }
    }

    /// The roll of `turn` in trial number `trial`.
    pub(crate) fn roll(&self, trial: u64, turn: u32) -> Roll {
        let first = turn == 0 && self.opening;
        match self.strata {
            Strata::None if first => Stream::new(self.seed, trial).opening_roll(0),
            Strata::None => Stream::new(self.seed, trial).roll(u64::from(turn)),
            Strata::One => {
                let (block, place) = self.split(trial, self.throws());
                self.ordered(self.stream(block).fork(u64::from(turn)), place, first)
            }
            Strata::Two => self.of_pairs(trial, turn, first),
        }
    }

    fn of_pairs(&self, trial: u64, turn: u32, first: bool) -> Roll {
        let (block, place) = self.split(trial, 36 * self.throws());
        let (sub, place) = (place / self.throws(), place % self.throws());
        let stream = self.stream(block);
        match turn {
            0 => self.ordered(stream.fork(0), place, first),
            1 => {
                let offset = shuffled::<36>(stream.fork(OFFSETS), sub);
                self.ordered(stream.fork(1), (place + u64::from(offset)) % 36, false)
            }
            // Turns are below 2^32.
            _ => self.ordered(stream.fork(u64::from(turn) | (sub + 1) << 32), place, false),
        }
    }

    /// Throws a first roll can be.
    fn throws(&self) -> u64 {
        if self.opening { 30 } else { 36 }
    }

    fn split(&self, trial: u64, size: u64) -> (u64, u64) {
        (trial / size, trial % size)
    }

    fn stream(&self, block: u64) -> Stream {
        Stream::new(self.seed, block).fork(REPLICATION)
    }

    /// The throw at `place` in a random order of all.
    fn ordered(&self, stream: Stream, place: u64, opening: bool) -> Roll {
        if opening {
            opening_throw(shuffled::<30>(stream, place))
        } else {
            Roll::from_ordinal(shuffled::<36>(stream, place))
        }
    }
}

/// What the streams are forked for that say in which turns luck is measured.
const LOOKS: u64 = 0x006c_6f6f_6b73;

/// How often the luck of a turn counts: `one_in` times if it is measured, else 0; once in the first turns, whose looks
/// trials share.
///
/// Turns go in pairs, since what an evaluator thinks of being on roll is wrong for both players alike. Of `one_in`
/// trials that follow one another each measures other pairs. No roll has anything to do with it.
pub(crate) fn times_looked(settings: &Settings, trial: u64, turn: u32) -> u32 {
    let one_in = u32::from(settings.one_look_in.max(1));
    if one_in == 1 || turn < KEPT_TURNS {
        return 1;
    }
    let group = Stream::new(settings.seed, trial / u64::from(one_in)).fork(LOOKS);
    let offset = (group.below(one_in, 0) + (trial % u64::from(one_in)) as u32) % one_in;
    let pair = (turn - KEPT_TURNS) / 2;
    if (pair + offset).is_multiple_of(one_in) { one_in } else { 0 }
}

/// The opening throw numbered `n` of 30: no double.
fn opening_throw(n: u8) -> Roll {
    let (first, second) = (n / 5, n % 5);
    Roll::from_ordinal(first * 6 + if second >= first { second + 1 } else { second })
}

/// What stands at `place` when the numbers 0 to `N - 1` are put into a random order (Fisher and Yates).
fn shuffled<const N: usize>(stream: Stream, place: u64) -> u8 {
    let mut order: [u8; N] = std::array::from_fn(|i| i as u8);
    let place = place as usize % N;
    for i in 0..=place {
        // The last has only one place left.
        let other = i + stream.below((N - i) as u32, i as u64) as usize;
        order.swap(i, other);
    }
    order[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(strata: Strata, opening: bool) -> Dice {
        Dice::new(&Settings { strata, opening, seed: 7, ..Settings::default() })
    }

    fn counts(rolls: impl Iterator<Item = Roll>) -> [u32; 21] {
        let mut counts = [0; 21];
        rolls.for_each(|roll| counts[roll.index()] += 1);
        counts
    }

    fn each(times: u32, opening: bool) -> [u32; 21] {
        Roll::ALL.map(|roll| if opening && roll.is_double() { 0 } else { times * roll.weight() })
    }

    #[test]
    fn a_replication_has_each_throw_once_at_every_turn() {
        let dice = dice(Strata::One, false);
        for block in [0, 1, 50] {
            for turn in [0, 1, 2, 40] {
                let rolls = (block * 36..(block + 1) * 36).map(|trial| dice.roll(trial, turn));
                assert_eq!(counts(rolls), each(1, false), "replication {block}, turn {turn}");
            }
        }
        let opening = super::tests::dice(Strata::One, true);
        assert_eq!(counts((30..60).map(|trial| opening.roll(trial, 0))), each(1, true));
        // 30 of the 36 throws of a later turn, none twice (a throw of two numbers counts two).
        let later = counts((30..60).map(|trial| opening.roll(trial, 1)));
        assert!(later.iter().zip(Roll::ALL).all(|(&n, roll)| n <= roll.weight()), "{later:?}");
    }

    #[test]
    fn two_strata_have_each_pair_of_throws_once() {
        for (opening, size) in [(false, 1_296), (true, 1_080)] {
            let dice = dice(Strata::Two, opening);
            let mut pairs = [[0u32; 21]; 21];
            for trial in size..2 * size {
                pairs[dice.roll(trial, 0).index()][dice.roll(trial, 1).index()] += 1;
            }
            for (first, row) in Roll::ALL.iter().zip(pairs) {
                let times = if opening && first.is_double() { 0 } else { first.weight() };
                assert_eq!(row, each(times, false), "{first}");
            }
            for turn in [0, 1, 2, 30] {
                let sub = counts((size..size + size / 36).map(|trial| dice.roll(trial, turn)));
                assert!(sub.iter().zip(Roll::ALL).all(|(&n, roll)| n <= roll.weight()));
            }
        }
    }

    /// Within a trial successive rolls are independent: all pairs of turns 2 and 3 are equally likely.
    #[test]
    fn rolls_of_one_trial_are_independent() {
        for strata in [Strata::None, Strata::One, Strata::Two] {
            let dice = dice(strata, false);
            for turn in [0, 2] {
                let mut chi = 0.0;
                let mut pairs = [[0f64; 21]; 21];
                let trials = 129_600;
                for trial in 0..trials {
                    pairs[dice.roll(trial, turn).index()][dice.roll(trial, turn + 1).index()] += 1.0;
                }
                for (first, row) in Roll::ALL.iter().zip(pairs) {
                    for (second, n) in Roll::ALL.iter().zip(row) {
                        let expected = trials as f64 * f64::from(first.weight() * second.weight()) / 1_296.0;
                        chi += (n - expected).powi(2) / expected;
                    }
                }
                // 440 degrees of freedom at most: 539 is exceeded once in a thousand seeds.
                assert!(chi < 539.0, "{strata:?}, turns {turn} and {}: {chi}", turn + 1);
            }
        }
    }

    #[test]
    fn independent_dice_are_those_of_the_streams() {
        let dice = dice(Strata::None, true);
        assert_eq!(dice.roll(5, 0), Stream::new(7, 5).opening_roll(0));
        assert_eq!(dice.roll(5, 9), Stream::new(7, 5).roll(9));
    }

    #[test]
    fn luck_is_measured_in_one_pair_of_turns_of_several() {
        let settings = Settings { one_look_in: 3, ..Settings::default() };
        let times = |trial: u64, turn: u32| times_looked(&settings, trial, turn);
        for group in 0..50 {
            for turn in KEPT_TURNS..40 {
                // Each turn in one trial of three, and counted three times there.
                let all: Vec<u32> = (0..3).map(|i| times(3 * group + i, turn)).collect();
                assert!(all.iter().all(|&n| n == 0 || n == 3) && all.iter().sum::<u32>() == 3, "{all:?}");
                assert_eq!(times(group, turn), times(group, turn + (turn + 1 - KEPT_TURNS) % 2));
            }
            assert!((0..KEPT_TURNS).all(|turn| times(group, turn) == 1));
        }
        let first: u32 = (0..900).map(|group| times(3 * group, KEPT_TURNS) / 3).sum();
        assert!((220..380).contains(&first), "{first}");
        assert_eq!(times_looked(&Settings::default(), 5, 7), 1);
    }
}
