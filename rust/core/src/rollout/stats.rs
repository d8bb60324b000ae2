//! Exact sums of trials, and what they estimate.
//!
//! A trial's numbers are whole multiples of a small unit and summed as integers, so parts merge into the
//! same bits in any order. Where dice are stratified the trials of a replication depend on one another; then
//! the sums of whole replications, which do not, give the standard errors.

use std::collections::BTreeMap;

use crate::outcome::Outcome;
use crate::rollout::score::{QUANTITIES, Quantity, Score};

/// Numbers summed up for every branch: with the luck taken out, then as they came.
const NUMBERS: usize = 2 * QUANTITIES;

/// Fewer complete replications than this say too little about their own spread.
pub const LEAST_REPLICATIONS: u64 = 16;

/// Sums of one number over trials, and over complete replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Moments {
    sum: i128,
    squares: i128,
    /// Sum over the complete replications, and of the squares of their sums.
    whole: i128,
    whole_squares: i128,
}

/// Sums of products of two branches' numbers, of trials and of complete replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cross {
    products: [i128; 2],
    whole_products: [i128; 2],
}

/// The numbers for which differences between branches are wanted.
const COMPARED: [Quantity; 2] = [Quantity::Equity, Quantity::Cubeful];

/// Sums of one branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    moments: [Moments; NUMBERS],
    outcomes: [[u64; 3]; 2],
    turns: u64,
}

/// A replication of which some trials are in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    trials: u64,
    /// The sums of each branch.
    sums: Vec<[i64; NUMBERS]>,
}

/// A mean over trials with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Standard error of the mean; infinite for a single trial.
    pub error: f64,
}

/// Whether a number has the luck taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has, if the rollout did that.
    Adjusted,
    /// As the games ended.
    Raw,
}

/// How one game of a trial ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ended {
    pub score: Score,
    /// Whether it was won, and what, seen by the player whose numbers are summed; `None` if it was broken off.
    pub result: Option<(bool, Outcome)>,
    pub turns: u32,
}

/// The sums of some trials of a rollout.
///
/// A trial plays one game of each *branch*: a plain rollout has one, a comparison of plays one a play, all with
/// the same dice. Parts of different trials of one rollout add up to the whole, whatever the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    trials: u64,
    /// Trials a replication; 1 if the dice are independent.
    size: u64,
    /// Replications of which all trials are in.
    complete: u64,
    branches: Vec<Tally>,
    /// Pairs of branches: 0 and 1, 0 and 2, …, 1 and 2, …
    pairs: Vec<Cross>,
    open: BTreeMap<u64, Open>,
}

impl Part {
    /// Nothing yet, of a rollout of so many branches and with so many trials a replication.
    ///
    /// # Panics
    /// If either is 0.
    pub fn new(branches: usize, size: u64) -> Part {
        assert!(branches > 0 && size > 0, "a rollout has branches and replications");
        Part {
            trials: 0,
            size,
            complete: 0,
            branches: vec![Tally::default(); branches],
            pairs: vec![Cross::default(); branches * (branches - 1) / 2],
            open: BTreeMap::new(),
        }
    }

    /// Trials summed up.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// Branches of each trial.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// Trials a replication; 1 if the dice are independent.
    pub fn replication(&self) -> u64 {
        self.size
    }

    /// Replications of which all trials are in.
    pub fn complete_replications(&self) -> u64 {
        if self.size == 1 { self.trials } else { self.complete }
    }

    /// Games of a branch won single, gammon, backgammon; then lost likewise. Those broken off are not in here.
    pub fn outcomes(&self, branch: usize) -> [[u64; 3]; 2] {
        self.branches[branch].outcomes
    }

    /// Games of a branch that were broken off.
    pub fn unfinished(&self, branch: usize) -> u64 {
        self.trials - self.branches[branch].outcomes.as_flattened().iter().sum::<u64>()
    }

    /// Turns played in all games of a branch.
    pub fn turns(&self, branch: usize) -> u64 {
        self.branches[branch].turns
    }

    /// Adds trial `number`, one game a branch.
    pub(crate) fn add(&mut self, number: u64, games: &[Ended]) {
        debug_assert_eq!(games.len(), self.branches.len());
        self.trials += 1;
        for (tally, game) in self.branches.iter_mut().zip(games) {
            for (moments, &value) in tally.moments.iter_mut().zip(&game.score.0) {
                moments.sum += i128::from(value);
                moments.squares += i128::from(value).pow(2);
            }
            if let Some((won, outcome)) = game.result {
                tally.outcomes[usize::from(!won)][outcome as usize - 1] += 1;
            }
            tally.turns += u64::from(game.turns);
        }
        for (cross, (a, b)) in self.pairs.iter_mut().zip(pairs(games.len())) {
            for (product, quantity) in cross.products.iter_mut().zip(COMPARED) {
                let value = |branch: usize| i128::from(games[branch].score.0[quantity as usize]);
                *product += value(a) * value(b);
            }
        }
        if self.size > 1 {
            self.open_up(number / self.size, 1, |branch| &games[branch].score.0);
        }
    }

    /// Adds to a replication that is not complete, and closes it if it is then.
    fn open_up<'a>(&mut self, number: u64, trials: u64, sums: impl Fn(usize) -> &'a [i64; NUMBERS]) {
        let branches = self.branches.len();
        let empty = || Open { trials: 0, sums: vec![[0; NUMBERS]; branches] };
        let open = self.open.entry(number).or_insert_with(empty);
        open.trials += trials;
        for (branch, mine) in open.sums.iter_mut().enumerate() {
            mine.iter_mut().zip(sums(branch)).for_each(|(mine, value)| *mine += value);
        }
        if open.trials == self.size
            && let Some(full) = self.open.remove(&number)
        {
            self.close(&full);
        }
    }

    fn close(&mut self, full: &Open) {
        self.complete += 1;
        for (tally, sums) in self.branches.iter_mut().zip(&full.sums) {
            for (moments, &sum) in tally.moments.iter_mut().zip(sums) {
                moments.whole += i128::from(sum);
                moments.whole_squares += i128::from(sum).pow(2);
            }
        }
        for (cross, (a, b)) in self.pairs.iter_mut().zip(pairs(full.sums.len())) {
            for (product, quantity) in cross.whole_products.iter_mut().zip(COMPARED) {
                let sum = |branch: usize| i128::from(full.sums[branch][quantity as usize]);
                *product += sum(a) * sum(b);
            }
        }
    }

    /// Adds the trials of another part of the same rollout.
    ///
    /// # Panics
    /// If it has other branches or replications of another size: then it is not of the same rollout.
    pub fn merge(&mut self, other: &Part) {
        assert_eq!((self.branches.len(), self.size), (other.branches.len(), other.size));
        self.trials += other.trials;
        self.complete += other.complete;
        for (tally, others) in self.branches.iter_mut().zip(&other.branches) {
            for (moments, others) in tally.moments.iter_mut().zip(&others.moments) {
                moments.sum += others.sum;
                moments.squares += others.squares;
                moments.whole += others.whole;
                moments.whole_squares += others.whole_squares;
            }
            let counts = tally.outcomes.as_flattened_mut().iter_mut();
            counts.zip(others.outcomes.as_flattened()).for_each(|(count, others)| *count += others);
            tally.turns += others.turns;
        }
        for (cross, others) in self.pairs.iter_mut().zip(&other.pairs) {
            for i in 0..COMPARED.len() {
                cross.products[i] += others.products[i];
                cross.whole_products[i] += others.whole_products[i];
            }
        }
        for (&number, open) in &other.open {
            self.open_up(number, open.trials, |branch| &open.sums[branch]);
        }
    }

    /// One number of a branch, with its standard error; `None` without trials.
    ///
    /// The error comes from the spread of the replications if at least [`LEAST_REPLICATIONS`] are complete, else
    /// from that of the trials, as if their dice were independent: which makes it rather too large.
    pub fn estimate(&self, branch: usize, quantity: Quantity, kind: Kind) -> Option<Estimate> {
        let place = place(quantity, kind);
        let spread = self.spread(branch, place, self.by_replications());
        self.finished(spread, quantity)
    }

    /// The five chances of a branch, kept within what chances can be; `None` without trials.
    ///
    /// Taking out luck can leave a sum below 0 or above 1, and more gammons than games: such means are reported as
    /// the nearest that are possible. The sums, and equities, stay as they are.
    pub fn chances(&self, branch: usize, kind: Kind) -> Option<[Estimate; 5]> {
        let mut chances = [Estimate { mean: 0.0, error: 0.0 }; 5];
        for (chance, quantity) in chances.iter_mut().zip(Quantity::ALL) {
            *chance = self.estimate(branch, quantity, kind)?;
        }
        for (i, within) in [(0, None), (1, Some(0)), (2, Some(1)), (3, None), (4, Some(3))] {
            let most = match (i, within) {
                (3, _) => 1.0 - chances[0].mean,
                (_, Some(outer)) => chances[outer].mean,
                _ => 1.0,
            };
            chances[i].mean = chances[i].mean.clamp(0.0, most);
        }
        Some(chances)
    }

    /// The same with the error that independent dice would have.
    pub fn naive_estimate(&self, branch: usize, quantity: Quantity, kind: Kind) -> Option<Estimate> {
        self.finished(self.spread(branch, place(quantity, kind), false), quantity)
    }

    /// What branch `a` has more of `quantity` (an equity, luck taken out) than branch `b`; `None` without trials.
    ///
    /// # Panics
    /// If the quantity is a chance.
    pub fn difference(&self, a: usize, b: usize, quantity: Quantity) -> Option<Estimate> {
        let by_replications = self.by_replications();
        if a == b {
            return (self.trials > 0).then_some(Estimate { mean: 0.0, error: 0.0 });
        }
        let compared = COMPARED.iter().position(|&known| known == quantity).expect("equities are compared");
        let place = quantity as usize;
        let (first, second) =
            (self.spread(a, place, by_replications), self.spread(b, place, by_replications));
        let cross = &self.pairs[self.pair(a, b)];
        let products = if by_replications {
            let open: i128 = self
                .open
                .values()
                .map(|open| i128::from(open.sums[a][place]) * i128::from(open.sums[b][place]))
                .sum();
            cross.whole_products[compared] + open
        } else {
            cross.products[compared]
        };
        let spread = Spread {
            sum: first.sum - second.sum,
            squares: first.squares + second.squares - 2 * products,
            weighted: first.weighted - second.weighted,
            ..first
        };
        self.finished(spread, quantity)
    }

    /// Whether standard errors come from the spread of replications.
    pub fn by_replications(&self) -> bool {
        self.size > 1 && self.complete >= LEAST_REPLICATIONS
    }

    fn spread(&self, branch: usize, place: usize, by_replications: bool) -> Spread {
        let moments = &self.branches[branch].moments[place];
        if !by_replications {
            let trials = self.trials as f64;
            let (sum, squares) = (moments.sum, moments.squares);
            return Spread { sum, squares, weighted: sum, weights: trials, groups: trials };
        }
        let size = self.size as f64;
        let mut spread = Spread {
            sum: moments.sum,
            squares: moments.whole_squares,
            weighted: moments.whole * i128::from(self.size),
            weights: self.complete as f64 * size * size,
            groups: (self.complete + self.open.len() as u64) as f64,
        };
        for open in self.open.values() {
            let sum = i128::from(open.sums[branch][place]);
            spread.squares += sum * sum;
            spread.weighted += sum * i128::from(open.trials);
            spread.weights += (open.trials as f64).powi(2);
        }
        spread
    }

    fn finished(&self, spread: Spread, quantity: Quantity) -> Option<Estimate> {
        if self.trials == 0 {
            return None;
        }
        let (trials, one) = (self.trials as f64, quantity.one());
        let mean = spread.sum as f64 / trials;
        // Squared deviations of the groups' sums from what the mean would give them.
        let deviations =
            spread.squares as f64 - 2.0 * mean * spread.weighted as f64 + mean * mean * spread.weights;
        // Of one trial nothing is known about the spread.
        let error = if spread.groups > 1.0 {
            (deviations.max(0.0) * spread.groups / (spread.groups - 1.0)).sqrt() / trials
        } else {
            f64::INFINITY
        };
        Some(Estimate { mean: mean / one, error: error / one })
    }

    /// The sums of some of the branches alone, in this order.
    ///
    /// # Panics
    /// If there is no such branch, or none is named.
    #[must_use]
    pub fn of_branches(&self, branches: &[usize]) -> Part {
        let mut part =
            Part { trials: self.trials, complete: self.complete, ..Part::new(branches.len(), self.size) };
        for (tally, &branch) in part.branches.iter_mut().zip(branches) {
            *tally = self.branches[branch].clone();
        }
        for (cross, (a, b)) in part.pairs.iter_mut().zip(pairs(branches.len())) {
            // A branch beside itself is never compared.
            if branches[a] != branches[b] {
                *cross = self.pairs[self.pair(branches[a], branches[b])];
            }
        }
        let chosen = |open: &Open| Open {
            trials: open.trials,
            sums: branches.iter().map(|&branch| open.sums[branch]).collect(),
        };
        part.open = self.open.iter().map(|(&number, open)| (number, chosen(open))).collect();
        part
    }

    /// Where the products of two branches stand.
    fn pair(&self, a: usize, b: usize) -> usize {
        let low = a.min(b);
        low * (2 * self.branches.len() - low - 1) / 2 + a.max(b) - low - 1
    }

    /// All sums as whole numbers, from which [`Part::from_numbers`] makes the same part again.
    pub fn numbers(&self) -> Vec<i128> {
        let counts = [self.trials, self.size, self.complete, self.branches.len() as u64];
        let mut numbers: Vec<i128> = counts.map(i128::from).to_vec();
        for tally in &self.branches {
            for m in &tally.moments {
                numbers.extend([m.sum, m.squares, m.whole, m.whole_squares]);
            }
            numbers.extend(tally.outcomes.as_flattened().iter().map(|&n| i128::from(n)));
            numbers.push(i128::from(tally.turns));
        }
        for cross in &self.pairs {
            numbers.extend(cross.products.iter().chain(&cross.whole_products));
        }
        for (&number, open) in &self.open {
            numbers.extend([i128::from(number), i128::from(open.trials)]);
            numbers.extend(open.sums.as_flattened().iter().map(|&sum| i128::from(sum)));
        }
        numbers
    }

    /// A part from its numbers; `None` if they are those of none.
    pub fn from_numbers(numbers: &[i128]) -> Option<Part> {
        let mut rest = Reader(numbers);
        let (trials, size, complete) = (rest.count()?, rest.count()?, rest.count()?);
        let branches = usize::try_from(rest.count()?).ok()?;
        // So many numbers there must be at least; nothing is allocated for more than that.
        if branches == 0 || size == 0 || branches.checked_mul(NUMBERS * 4)? > numbers.len() {
            return None;
        }
        let mut part = Part { trials, size, complete, ..Part::new(branches, size) };
        for tally in &mut part.branches {
            for m in &mut tally.moments {
                *m = Moments {
                    sum: rest.next()?,
                    squares: rest.next()?,
                    whole: rest.next()?,
                    whole_squares: rest.next()?,
                };
            }
            for count in tally.outcomes.as_flattened_mut() {
                *count = rest.count()?;
            }
            tally.turns = rest.count()?;
            let finished = tally.outcomes.as_flattened().iter();
            if finished.clone().try_fold(0u64, |sum, &n| sum.checked_add(n))? > trials {
                return None;
            }
        }
        for cross in &mut part.pairs {
            for number in cross.products.iter_mut().chain(&mut cross.whole_products) {
                *number = rest.next()?;
            }
        }
        let mut counted = if size == 1 { trials } else { complete.checked_mul(size)? };
        while !rest.0.is_empty() {
            let (number, trials) = (rest.count()?, rest.count()?);
            let mut sums = vec![[0; NUMBERS]; branches];
            for sum in sums.as_flattened_mut() {
                *sum = i64::try_from(rest.next()?).ok()?;
            }
            counted = counted.checked_add(trials)?;
            let sound = size > 1 && trials > 0 && trials < size;
            if !sound || part.open.insert(number, Open { trials, sums }).is_some() {
                return None;
            }
        }
        (counted == trials).then_some(part)
    }
}

/// Numbers read one by one.
struct Reader<'a>(&'a [i128]);

impl Reader<'_> {
    fn next(&mut self) -> Option<i128> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn count(&mut self) -> Option<u64> {
        u64::try_from(self.next()?).ok()
    }
}

/// What a variance is worked out from: groups of trials that are independent of one another.
#[derive(Clone, Copy)]
struct Spread {
    /// Over all trials.
    sum: i128,
    /// Of the groups' sums.
    squares: i128,
    /// Each group's sum times its size, summed.
    weighted: i128,
    /// The groups' sizes squared, summed.
    weights: f64,
    groups: f64,
}

fn place(quantity: Quantity, kind: Kind) -> usize {
    match kind {
        Kind::Adjusted => quantity as usize,
        Kind::Raw => QUANTITIES + quantity as usize,
    }
}

/// All pairs of `n` branches.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
