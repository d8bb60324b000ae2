//! From positions to the best replies to their rolls, many positions at once.
//!
//! ```text
//! wishes      positions of games in flight, each once, with the roll thrown or all 21
//!   plays     candidates of all rolls; equal ones of a batch are one
//!   values    by the small evaluator, if there is one, else by the large
//!   filter    the best few of each roll go to the large evaluator
//!   look      the best replies to each roll, and their mean
//! ```

use crate::dice::Roll;
use crate::eval::{EvalError, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rollout::pair::Pair;
use crate::rollout::score::{Chances, chances, flipped};
use crate::rollout::settings::Prefilter;
use crate::rules::Rules;

/// A position whose replies are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    pub position: Position,
    /// The only roll wanted; none is all of them.
    pub roll: Option<Roll>,
    /// What the five chances count, as bits; none as in money play.
    weights: Option<[u32; 5]>,
}

impl Wish {
    pub(crate) fn new(position: &Position, roll: Option<Roll>, weights: Option<[f32; 5]>) -> Wish {
        Wish { position: *position, roll, weights: weights.map(|weights| weights.map(f32::to_bits)) }
    }

    /// What a candidate is worth to whoever is on roll in it.
    fn judge(&self) -> impl Fn(&Probs) -> f32 + use<> {
        let weights = self.weights.map(|weights| weights.map(f32::from_bits));
        move |value| match weights {
            None => value.equity(),
            Some(weights) => {
                let [a, b, c, d, e] = value.to_array();
                weights[0] * a + weights[1] * b + weights[2] * c + weights[3] * d + weights[4] * e
            }
        }
    }
}

/// A reply, the opponent of whoever made it on roll, and its value to that opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub after: Position,
    pub value: Probs,
}

/// The best replies to the rolls of a wish.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The replies kept, roll by roll, the best first.
    replies: Vec<Reply>,
    /// Where those of each roll end.
    ends: Vec<u16>,
    /// The mean over all rolls of the best replies' chances, seen by the player on roll; unused for one roll.
    pub mean: Chances,
}

impl Look {
    /// The replies kept for a roll, the best first; never none.
    pub(crate) fn replies(&self, roll: Roll) -> &[Reply] {
        let place = if self.ends.len() == 1 { 0 } else { roll.index() };
        let start = if place == 0 { 0 } else { usize::from(self.ends[place - 1]) };
        &self.replies[start..usize::from(self.ends[place])]
    }
}

/// How replies are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Replies kept of each roll.
    pub keep: usize,
    /// What the small evaluator passes on.
    pub filter: Prefilter,
    /// Whether the small evaluator's word is the last.
    pub small_decides: bool,
}

/// Memory a thread reuses.
pub(crate) struct Looker {
    plays: PlayBuf,
    /// Distinct candidates, and their values by whoever is asked first.
    candidates: Vec<Position>,
    values: Vec<Probs>,
    /// Places among the distinct candidates, roll by roll, and where those of each roll end.
    places: Vec<u32>,
    ends: Vec<usize>,
    /// Open addressing: a candidate's place + 1.
    table: Vec<u32>,
    /// Candidates passed on to the large evaluator, and their values.
    passed: Vec<Position>,
    passed_values: Vec<Probs>,
    /// For each candidate its place among those passed on + 1.
    passed_places: Vec<u32>,
    /// Places among those passed on, roll by roll, and where those of each roll end. (What was passed on for one
    /// roll is not looked at for another, or what else is in a batch would make a difference.)
    picks: Vec<u32>,
    pick_ends: Vec<usize>,
    best: Vec<(f32, u32)>,
    /// Positions evaluated so far.
    pub evaluations: u64,
}

impl Looker {
    pub(crate) fn new() -> Looker {
        Looker {
            plays: PlayBuf::new(),
            candidates: Vec::new(),
            values: Vec::new(),
            places: Vec::new(),
            ends: Vec::new(),
            table: Vec::new(),
            passed: Vec::new(),
            passed_values: Vec::new(),
            passed_places: Vec::new(),
            picks: Vec::new(),
            pick_ends: Vec::new(),
            best: Vec::new(),
            evaluations: 0,
        }
    }

    /// The best replies of each wish, appended to `looks` in order.
    pub(crate) fn look<R: Rules>(
        &mut self,
        wishes: &[Wish],
        pair: &Pair<'_, R>,
        manner: &Manner,
        looks: &mut Vec<Look>,
    ) -> Result<(), EvalError> {
        self.gather::<R>(wishes);
        self.values.resize(self.candidates.len(), Probs::default());
        values(pair.first(), &self.candidates, &mut self.values)?;
        self.evaluations += self.candidates.len() as u64;
        let passes_on = pair.small.is_some() && !manner.small_decides;
        if passes_on {
            self.pass_on(wishes, &manner.filter);
            self.passed_values.resize(self.passed.len(), Probs::default());
            values(pair.large, &self.passed, &mut self.passed_values)?;
            self.evaluations += self.passed.len() as u64;
        }
        let (mut start, mut done) = (0, 0);
        for wish in wishes {
            let rolls = if wish.roll.is_some() { 1 } else { Roll::ALL.len() };
            let mut look = Look { replies: Vec::new(), ends: Vec::with_capacity(rolls), mean: [0.0; 5] };
            let judge = wish.judge();
            for i in done..done + rolls {
                let end = if passes_on { self.pick_ends[i] } else { self.ends[i] };
                self.keep(start..end, passes_on, manner.keep, &judge, &mut look);
                start = end;
            }
            done += rolls;
            if wish.roll.is_none() {
                look.mean = mean(&look);
            }
            looks.push(look);
        }
        Ok(())
    }

    /// All candidates of all wishes, equal ones once.
    fn gather<R: Rules>(&mut self, wishes: &[Wish]) {
        self.candidates.clear();
        self.places.clear();
        self.ends.clear();
        self.table.fill(0);
        for wish in wishes {
            match wish.roll {
                Some(roll) => self.gather_roll::<R>(&wish.position, roll),
                None => Roll::ALL.iter().for_each(|&roll| self.gather_roll::<R>(&wish.position, roll)),
            }
        }
    }

    fn gather_roll<R: Rules>(&mut self, position: &Position, roll: Roll) {
        movegen::plays::<R>(position, roll, &mut self.plays);
        for i in 0..self.plays.positions().len() {
            let candidate = self.plays.positions()[i];
            let place = self.place(&candidate);
            self.places.push(place);
        }
        self.ends.push(self.places.len());
    }

    /// The candidate's place among the distinct ones.
    fn place(&mut self, candidate: &Position) -> u32 {
        if self.table.len() < 2 * (self.candidates.len() + 1) {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(candidate) as usize & mask;
        loop {
            match self.table[slot] {
                0 => {
                    self.candidates.push(*candidate);
                    self.table[slot] = self.candidates.len() as u32;
                    return self.candidates.len() as u32 - 1;
                }
                known if self.candidates[known as usize - 1] == *candidate => return known - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (4 * self.table.len()).max(4_096);
        self.table.clear();
        self.table.resize(size, 0);
        for (place, candidate) in (1..).zip(&self.candidates) {
            let mut slot = hash(candidate) as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = place;
        }
    }

    /// Picks each roll's best candidates by the small evaluator's values.
    fn pass_on(&mut self, wishes: &[Wish], filter: &Prefilter) {
        self.passed.clear();
        self.passed_places.clear();
        self.passed_places.resize(self.candidates.len(), 0);
        self.picks.clear();
        self.pick_ends.clear();
        let (most, within) = (usize::from(filter.most), f32::from(filter.within) / 1_000.0);
        let rolls = |wish: &Wish| if wish.roll.is_some() { 1 } else { Roll::ALL.len() };
        let judges = wishes.iter().flat_map(|wish| std::iter::repeat_with(|| wish.judge()).take(rolls(wish)));
        let mut start = 0;
        for (i, judge) in judges.enumerate() {
            let end = self.ends[i];
            let places = &self.places[start..end];
            few_best(&mut self.best, most, places, |place| judge(&self.values[place as usize]));
            let limit = self.best[0].0 + within;
            self.best.retain(|&(equity, _)| equity <= limit);
            // In the order of generation again, by which ties are settled.
            self.best.sort_unstable_by_key(|&(_, i)| i);
            for &(_, i) in &self.best {
                let place = places[i as usize];
                let known = &mut self.passed_places[place as usize];
                if *known == 0 {
                    self.passed.push(self.candidates[place as usize]);
                    *known = self.passed.len() as u32;
                }
                self.picks.push(*known - 1);
            }
            self.pick_ends.push(self.picks.len());
            start = end;
        }
    }

    /// Appends the best replies of a roll, given by where its candidates or picks stand, to a look.
    fn keep(
        &mut self,
        range: std::ops::Range<usize>,
        passed_on: bool,
        keep: usize,
        judge: &impl Fn(&Probs) -> f32,
        look: &mut Look,
    ) {
        let (places, positions, values) = if passed_on {
            (&self.picks[range], &self.passed, &self.passed_values)
        } else {
            (&self.places[range], &self.candidates, &self.values)
        };
        few_best(&mut self.best, keep, places, |place| judge(&values[place as usize]));
        look.replies.extend(self.best.iter().map(|&(_, i)| {
            let place = places[i as usize] as usize;
            Reply { after: positions[place], value: values[place] }
        }));
        // At most a few replies for each of 21 rolls.
        look.ends.push(look.replies.len() as u16);
    }
}

/// The numbers of the few with the lowest equities, lowest first, the first of equals first.
fn few_best(best: &mut Vec<(f32, u32)>, most: usize, places: &[u32], equity: impl Fn(u32) -> f32) {
    best.clear();
    for (i, &place) in (0..).zip(places) {
        let equity = equity(place);
        if best.len() >= most && best.last().is_some_and(|last| equity >= last.0) {
            continue;
        }
        let at = best.partition_point(|known| known.0 <= equity);
        if best.len() == most {
            best.pop();
        }
        best.insert(at, (equity, i));
    }
}

/// The mean over the 21 rolls of the best replies' chances, seen by whoever makes them.
fn mean(look: &Look) -> Chances {
    let mut sums = [0.0; 5];
    for roll in Roll::ALL {
        let best = chances(&look.replies(roll)[0].value);
        sums.iter_mut().zip(best).for_each(|(sum, p)| *sum += f64::from(roll.weight()) * p);
    }
    flipped(sums.map(|sum| sum / 36.0))
}

/// Mixes the 32 bytes of a position.
fn hash(position: &Position) -> u64 {
    let (eights, _) = position.0.as_chunks::<8>();
    let mut hash = 0u64;
    for eight in eights {
        let word = u64::from_le_bytes(eight.map(|n| n as u8));
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::best_for_mover;
    use crate::rollout::testing::Rough;
    use crate::rules::Backgammon;
    use crate::testing::scattered;

    fn manner(keep: usize) -> Manner {
        Manner { keep, filter: Prefilter::default(), small_decides: false }
    }

    fn looks(wishes: &[Wish], pair: &Pair<'_>, manner: &Manner) -> (Vec<Look>, u64) {
        let (mut looker, mut looks) = (Looker::new(), Vec::new());
        looker.look(wishes, pair, manner, &mut looks).unwrap();
        (looks, looker.evaluations)
    }

    /// The same one roll after another, without any of the tricks.
    #[test]
    fn best_replies_are_those_of_every_roll_alone() {
        let net = Rough::new(3);
        let positions = scattered(40);
        let wishes: Vec<Wish> = positions.iter().map(|position| Wish::new(position, None, None)).collect();
        let (found, evaluations) = looks(&wishes, &Pair::from(&net), &manner(3));
        let (mut buf, mut all) = (PlayBuf::new(), 0);
        for (position, look) in positions.iter().zip(&found) {
            let mut mean = [0.0; 5];
            for roll in Roll::ALL {
                movegen::plays::<Backgammon>(position, roll, &mut buf);
                let mut answers = vec![Probs::default(); buf.positions().len()];
                values::<Backgammon>(&net, buf.positions(), &mut answers).unwrap();
                let best = best_for_mover(&answers);
                let kept = look.replies(roll);
                assert_eq!((kept[0].after, kept[0].value), (buf.positions()[best], answers[best]));
                assert_eq!(kept.len(), answers.len().min(3));
                assert!(kept.is_sorted_by(|a, b| a.value.equity() <= b.value.equity()));
                let seen = chances(&answers[best].flipped());
                mean.iter_mut().zip(seen).for_each(|(sum, p)| *sum += p * f64::from(roll.weight()) / 36.0);
                all += answers.len() as u64;
            }
            assert!(mean.iter().zip(look.mean).all(|(a, b)| (a - b).abs() < 1e-6));
        }
        // Different rolls often lead to the same position.
        assert!(evaluations < all * 95 / 100, "{evaluations} of {all}");
    }

    #[test]
    fn a_small_evaluator_that_is_the_large_one_changes_nothing() {
        let net = Rough::new(3);
        let wishes: Vec<Wish> =
            scattered(30).iter().map(|position| Wish::new(position, None, None)).collect();
        let (expected, _) = looks(&wishes, &Pair::from(&net), &manner(1));
        let pair = Pair { large: &net, small: Some(&net) };
        let (found, _) = looks(&wishes, &pair, &manner(1));
        for (a, b) in expected.iter().zip(&found) {
            for roll in Roll::ALL {
                assert_eq!(a.replies(roll)[0].value, b.replies(roll)[0].value);
            }
            assert_eq!(a.mean, b.mean);
        }
    }

    #[test]
    fn the_large_evaluator_chooses_among_what_the_small_one_likes() {
        let (large, small) = (Rough::new(3), Rough::new(8));
        let wishes: Vec<Wish> =
            scattered(30).iter().map(|position| Wish::new(position, None, None)).collect();
        let filter = Prefilter { most: 2, within: 10_000 };
        let pair = Pair { large: &large, small: Some(&small) };
        let (found, _) = looks(&wishes, &pair, &Manner { keep: 1, filter, small_decides: false });
        let by_small = Manner { keep: 2, filter, small_decides: true };
        let (short, _) = looks(&wishes, &pair, &by_small);
        let mut differing = 0;
        for (look, short) in found.iter().zip(&short) {
            for roll in Roll::ALL {
                let [best] = look.replies(roll) else { panic!("one is kept") };
                let liked = short.replies(roll).iter().map(|reply| {
                    let mut value = [Probs::default()];
                    values::<Backgammon>(&large, &[reply.after], &mut value).unwrap();
                    value[0].equity()
                });
                let expected = liked.fold(f32::INFINITY, f32::min);
                assert!(best.value.equity() <= expected);
                differing += usize::from(best.after != short.replies(roll)[0].after);
            }
        }
        assert!(differing > 100, "{differing}");
    }

    #[test]
    fn one_roll_alone() {
        let net = Rough::new(3);
        let roll = Roll::new(4, 2).unwrap();
        let wishes: Vec<Wish> =
            scattered(30).iter().map(|position| Wish::new(position, Some(roll), None)).collect();
        let all: Vec<Wish> = wishes.iter().map(|wish| Wish { roll: None, ..*wish }).collect();
        let (alone, _) = looks(&wishes, &Pair::from(&net), &manner(1));
        let (together, _) = looks(&all, &Pair::from(&net), &manner(1));
        for (a, b) in alone.iter().zip(&together) {
            assert_eq!(a.replies(roll)[0].after, b.replies(roll)[0].after);
        }
    }
}
