//! When a rollout has found out enough.
//!
//! Rules are asked at fixed numbers of trials about the complete prefix up to there, never in between: so where a
//! rollout ends does not depend on threads. Looking more often than once makes a rollout end early by chance
//! more often than a single look would; [`Stop::least`] keeps that small.

use crate::cube::janowski::{Lines, Odds};
use crate::cube::{CubeDecision, assemble};
use crate::outcome::Probs;
use crate::rollout::stats::{Estimate, Kind, Part};
use crate::rollout::{Quantity, Subject};

/// Rules for ending a rollout before all trials are in; any that is given and satisfied ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Asked at multiples of so many trials; itself a multiple of what has every throw once, 36 or 30.
    pub every: u64,
    /// And not before so many.
    pub least: u64,
    /// No branch's equity has a larger standard error.
    pub error: Option<f64>,
    /// The best play is so many standard errors of the difference better than the second.
    pub jsd: Option<f64>,
    /// Both parts of a cube decision are right by so many standard errors.
    pub decided: Option<f64>,
}

/// Which rule ended a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// [`Stop::error`].
    Error,
    /// [`Stop::jsd`].
    Jsd,
    /// [`Stop::decided`].
    Decided,
}

/// The equity a subject is judged by, and what turns its numbers into equities.
pub fn headline(subject: &Subject) -> (Quantity, f64) {
    match subject.cube() {
        None => (Quantity::Equity, 1.0),
        // In a match the chances to win it, of which half the distance between winning and losing the cube is 1.
        Some(table) if !table.state().is_money() => (Quantity::Cubeful, 1.0 / table.stakes_at_start().half),
        Some(_) => (Quantity::Cubeful, 1.0),
    }
}

/// What the sums of a cube decision say is right; `None` without trials, or if the subject is no decision.
///
/// Beavers and raccoons are taken to be worth what so many more turns of a taken double are.
pub fn decision(part: &Part, subject: &Subject) -> Option<CubeDecision> {
    let table = subject.cube().filter(|_| subject.branches()[0].hold)?;
    let stakes = table.stakes_at_start();
    let equity = |branch: usize| {
        let estimate = part.estimate(branch, Quantity::Cubeful, Kind::Adjusted)?;
        Some(stakes.to_equity(estimate.mean))
    };
    let no_double = equity(0)?;
    let take = if part.branches() > 1 { equity(1)? } else { 0.0 };
    let chances = part.chances(0, Kind::Adjusted)?.map(|chance| chance.mean as f32);
    let odds = Odds::new(&Probs::from_array(chances)).ok()?;
    let lines = Lines::new(stakes, &odds);
    let cubeless = |turns| stakes.to_equity(lines.dead(odds.win, turns));
    Some(assemble(stakes, no_double, cubeless, |turns| take * f64::from(1u32 << (turns - 1))))
}

impl Stop {
    /// Which rule is satisfied by these sums, if any is to be asked now.
    pub fn asked(&self, part: &Part, subject: &Subject) -> Option<Reason> {
        let trials = part.trials();
        if trials < self.least || self.every == 0 || !trials.is_multiple_of(self.every) {
            return None;
        }
        let (quantity, unit) = headline(subject);
        let equity = |branch| part.estimate(branch, quantity, Kind::Adjusted);
        let all: Vec<Estimate> = (0..part.branches()).filter_map(equity).collect();
        let narrow = |most: f64| all.iter().all(|estimate| estimate.error * unit <= most);
        if self.error.is_some_and(narrow) {
            return Some(Reason::Error);
        }
        let is_decision = subject.branches()[0].hold;
        if let [no_double, take] = all[..]
            && is_decision
            && let Some(times) = self.decided
            && self::decided(part, subject, quantity, no_double, take, times)
        {
            return Some(Reason::Decided);
        }
        let apart = |times: f64| !is_decision && best_is_apart(part, &all, quantity, times);
        self.jsd.is_some_and(apart).then_some(Reason::Jsd)
    }
}

fn best_is_apart(part: &Part, all: &[Estimate], quantity: Quantity, times: f64) -> bool {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| all[b].mean.total_cmp(&all[a].mean));
    let [best, second, ..] = order[..] else { return false };
    part.difference(best, second, quantity).is_some_and(|gap| gap.mean >= times * gap.error)
}

fn decided(
    part: &Part,
    subject: &Subject,
    quantity: Quantity,
    no_double: Estimate,
    take: Estimate,
    times: f64,
) -> bool {
    let Some(table) = subject.cube() else { return false };
    let stakes = table.stakes_at_start();
    let pass = stakes.from_equity(1.0);
    let answer = (take.mean - pass).abs() >= times * take.error;
    let action = if take.mean < pass {
        part.difference(1, 0, quantity).is_some_and(|gap| gap.mean.abs() >= times * gap.error)
    } else {
        (pass - no_double.mean).abs() >= times * no_double.error
    };
    answer && action
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rng::Stream;
    use crate::rollout::score::Score;
    use crate::rollout::stats::Ended;

    fn sums(trials: u64, means: &[f64]) -> Part {
        let mut part = Part::new(means.len(), 36);
        for number in 0..trials {
            let noise = Stream::new(1, number).unit(0) - 0.5;
            let game = |(branch, mean): (usize, &f64)| {
                let own = 0.1 * (Stream::new(2, number).unit(branch as u64) - 0.5);
                let win = mean + noise + own;
                let score = Score::new(&[win, 0.0, 0.0, 0.0, 0.0], &[0.0; 5], win, 0.0);
                Ended { score, result: None, turns: 1 }
            };
            let games: Vec<Ended> = means.iter().enumerate().map(game).collect();
            part.add(number, &games);
        }
        part
    }

    #[test]
    fn rules_are_asked_at_their_times_and_answered_by_the_sums() {
        let plays = Subject::plays(&[Position::START; 3]).unwrap();
        let none = Stop { every: 72, least: 576, error: None, jsd: None, decided: None };
        let part = sums(720, &[0.5, 0.6, 0.55]);
        assert_eq!(none.asked(&part, &plays), None);
        // The noise is common to all: differences are much surer than the equities themselves.
        assert_eq!(Stop { jsd: Some(2.5), ..none }.asked(&part, &plays), Some(Reason::Jsd));
        assert_eq!(Stop { jsd: Some(250.0), ..none }.asked(&part, &plays), None);
        let error = part.estimate(0, Quantity::Equity, Kind::Adjusted).unwrap().error;
        assert_eq!(Stop { error: Some(1.3 * error), ..none }.asked(&part, &plays), Some(Reason::Error));
        assert_eq!(Stop { error: Some(0.7 * error), ..none }.asked(&part, &plays), None);
        let eager = Stop { error: Some(1.0), ..none };
        assert_eq!(eager.asked(&part, &plays), Some(Reason::Error));
        assert_eq!(eager.asked(&sums(720 + 36, &[0.5, 0.6, 0.55]), &plays), None);
        assert_eq!(eager.asked(&sums(504, &[0.5, 0.6, 0.55]), &plays), None);
        assert_eq!(Stop { decided: Some(0.1), ..none }.asked(&part, &plays), None, "no cube decision");
    }
}
