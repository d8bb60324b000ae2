//! Positions worth learning from, and what look-ahead says they are worth.
//!
//! Positions come from games that an evaluator plays against itself with exploration, from openings of
//! several kinds; a share of the turns is kept. A kept position's chances are the mean over the 21 rolls of
//! the best reply's, which is nearer the truth than any value of the position itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Roll;
use crate::eval::{EvalError, Evaluator, Phase, best_for_mover, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::{Backgammon, Rules};
use crate::train::carry::{Step, carry_back};
use crate::train::data::Record;
use crate::train::label_config::LabelConfig;
use crate::train::openings;

/// Who values positions: a strong evaluator, and a quick one that plays the games and picks the replies the
/// strong one looks at.
#[derive(Clone)]
pub struct Judges {
    /// Values what is picked.
    pub strong: Arc<dyn Evaluator>,
    /// Plays and picks.
    pub quick: Arc<dyn Evaluator>,
}

/// Turns after its opening at which a game is broken off.
const LABELLED_TURNS: u64 = 1_000;

/// Streams of a game's random words beside its dice.
mod purpose {
    pub(super) const CHOICES: u64 = 12;
    pub(super) const KEEP: u64 = 13;
    pub(super) const NOISE: u64 = 14;
}

/// Makes records from games, one after another.
pub struct Labeller<'a> {
    config: &'a LabelConfig,
    judges: &'a Judges,
    plays: PlayBuf,
    values: Vec<Probs>,
    looks: Vec<Look>,
    stop: Option<&'a AtomicBool>,
}

/// Memory of one level of look-ahead.
#[derive(Default)]
struct Look {
    replies: Vec<Position>,
    quick: Vec<Probs>,
    /// Where each roll's replies end.
    ends: Vec<usize>,
    picked: Vec<Position>,
    picked_ends: Vec<usize>,
    strong: Vec<Probs>,
}

impl<'a> Labeller<'a> {
    /// A labeller with memory of its own.
    pub fn new(config: &'a LabelConfig, judges: &'a Judges) -> Labeller<'a> {
        let looks = (0..config.plies).map(|_| Look::default()).collect();
        Labeller { config, judges, plays: PlayBuf::new(), values: Vec::new(), looks, stop: None }
    }

    /// The same, but once `stop` is set it comes back at once, and what it gives is worth nothing.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Labeller<'a> {
        Labeller { stop: Some(stop), ..self }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Plays game `number` and adds its records.
    ///
    /// # Errors
    /// If an evaluator fails.
    pub fn play(&mut self, number: u64, records: &mut Vec<Record>) -> Result<(), EvalError> {
        let dice = Stream::new(self.config.seed, number);
        let keep = dice.fork(purpose::KEEP);
        let (mut position, mut turn) = openings::open(self.config, dice, &mut self.plays);
        let sides = self.noise_of_sides(dice);
        let until = turn + LABELLED_TURNS;
        let carries = self.config.carry > 0.0;
        let mut steps = Vec::new();
        while turn < until && Backgammon::result(&position).is_none() && !self.is_stopped() {
            let kept = keep.unit(turn) < self.config.keep;
            let mut value = None;
            if kept || carries {
                value = Some(self.value(&position, self.config.plies as usize)?);
            }
            let roll = if turn == 0 { dice.opening_roll(0) } else { dice.roll(turn) };
            let best = if carries { self.best_reply(&position, roll) } else { None };
            let noise = sides[turn as usize % 2];
            let reply = self.choose(&position, roll, dice, turn, noise, best.map(|(reply, _)| reply))?;
            if let Some(value) = value {
                let expected = best.filter(|&(best, _)| best == reply).map(|(_, value)| value);
                steps.push(Step { position, value, expected, kept });
            }
            position = reply;
            turn += 1;
        }
        carry_back(&mut steps, self.config.carry);
        records.extend(steps.iter().filter(|step| step.kept).map(|s| Record::new(&s.position, &s.value)));
        Ok(())
    }

    /// The reply to `roll` that the look-ahead just made of `position` chose, and its chances for whoever is then on roll;
    /// `None` where nothing was looked ahead.
    fn best_reply(&self, position: &Position, roll: Roll) -> Option<(Position, Probs)> {
        let look = self.looks.last().filter(|_| Phase::of(position) > Phase::Race)?;
        let index = Roll::ALL.iter().position(|&other| other == roll)?;
        let end = *look.picked_ends.get(index)?;
        let start = if index == 0 { 0 } else { look.picked_ends[index - 1] };
        let best = start + best_for_mover(look.strong.get(start..end)?);
        Some((look.picked[best], look.strong[best]))
    }

    /// The chances that look-ahead of `plies` turns gives a position.
    ///
    /// # Errors
    /// If an evaluator fails.
    pub fn value(&mut self, position: &Position, plies: usize) -> Result<Probs, EvalError> {
        if self.is_stopped() {
            return Ok(Probs::default());
        }
        // Without contact the strong evaluator has nothing to gain from looking ahead: it asks tables.
        if plies == 0 || Phase::of(position) <= Phase::Race {
            let mut value = [Probs::default()];
            values(&*self.judges.strong, &[*position], &mut value)?;
            return Ok(value[0]);
        }
        let mut look = std::mem::take(&mut self.looks[plies - 1]);
        let sum = self.look_ahead(position, plies, &mut look);
        self.looks[plies - 1] = look;
        sum
    }

    fn look_ahead(&mut self, position: &Position, plies: usize, look: &mut Look) -> Result<Probs, EvalError> {
        look.replies.clear();
        look.ends.clear();
        for roll in Roll::ALL {
            movegen::plays::<Backgammon>(position, roll, &mut self.plays);
            look.replies.extend_from_slice(self.plays.positions());
            look.ends.push(look.replies.len());
        }
        look.quick.resize(look.replies.len(), Probs::default());
        values(&*self.judges.quick, &look.replies, &mut look.quick)?;
        self.pick(look);
        look.strong.resize(look.picked.len(), Probs::default());
        values(&*self.judges.strong, &look.picked, &mut look.strong)?;

        let mut sum = [0.0f64; 5];
        let mut start = 0;
        for (roll, &end) in Roll::ALL.into_iter().zip(&look.picked_ends) {
            let best = start + best_for_mover(&look.strong[start..end]);
            start = end;
            let reply = if plies > 1 && Backgammon::result(&look.picked[best]).is_none() {
                let reply = look.picked[best];
                self.value(&reply, plies - 1)?
            } else {
                look.strong[best]
            };
            let weight = if roll.is_double() { 1.0 } else { 2.0 };
            for (sum, chance) in sum.iter_mut().zip(reply.flipped().to_array()) {
                *sum += weight * f64::from(chance);
            }
        }
        Ok(Probs::from_array(sum.map(|sum| (sum / 36.0) as f32)))
    }

    /// The replies of each roll that the quick evaluator likes best, in the order they came.
    fn pick(&self, look: &mut Look) {
        let (width, margin) = (self.config.width as usize, self.config.margin as f32);
        look.picked.clear();
        look.picked_ends.clear();
        let mut start = 0;
        let mut order: Vec<(f32, usize)> = Vec::new();
        for &end in &look.ends {
            order.clear();
            order.extend((start..end).map(|i| (look.quick[i].equity(), i)));
            start = end;
            let by_value = |a: &(f32, usize), b: &(f32, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if order.len() > width {
                order.select_nth_unstable_by(width - 1, by_value);
                order.truncate(width);
            }
            let best = order.iter().copied().min_by(by_value).expect("a roll has a result");
            order.retain(|&(equity, _)| equity <= best.0 + margin);
            order.sort_unstable_by_key(|&(_, i)| i);
            look.picked.extend(order.iter().map(|&(_, i)| look.replies[i]));
            look.picked_ends.push(look.picked.len());
        }
    }

    /// The position after a turn of the quick evaluator's play, with exploration and misjudgement; where neither is at
    /// work, `best` if there is one.
    fn choose(
        &mut self,
        position: &Position,
        roll: Roll,
        dice: Stream,
        turn: u64,
        noise: f32,
        best: Option<Position>,
    ) -> Result<Position, EvalError> {
        let words = dice.fork(purpose::CHOICES);
        let draw = words.unit(turn);
        if let Some(best) = best.filter(|_| draw >= self.config.exploration && noise == 0.0) {
            return Ok(best);
        }
        movegen::plays::<Backgammon>(position, roll, &mut self.plays);
        let candidates = self.plays.positions();
        if draw < self.config.exploration / 2.0 {
            return Ok(candidates[words.fork(turn).below(candidates.len() as u32, 0) as usize]);
        }
        self.values.resize(candidates.len(), Probs::default());
        values(&*self.judges.quick, candidates, &mut self.values)?;
        let misjudged = dice.fork(purpose::NOISE).fork(turn);
        // The opponent's equity: the least is the best.
        let judged = |i: usize| self.values[i].equity() + noise * triangular(misjudged, i as u64);
        let mut order: Vec<(f32, usize)> = (0..candidates.len()).map(|i| (judged(i), i)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let second = draw < self.config.exploration && order.len() > 1;
        Ok(candidates[order[usize::from(second)].1])
    }

    /// How far each side misjudges plays in a game.
    fn noise_of_sides(&self, dice: Stream) -> [f32; 2] {
        let words = dice.fork(purpose::NOISE);
        let noisy = words.unit(0) < self.config.noisy;
        [1, 2].map(|i| if noisy { (words.unit(i) * self.config.noise) as f32 } else { 0.0 })
    }
}

/// A number between -1 and 1, small ones likelier.
fn triangular(stream: Stream, counter: u64) -> f32 {
    (stream.unit(2 * counter) - stream.unit(2 * counter + 1)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::{FeatureSet, Net};
    use crate::testing::scattered;

    /// A net of small weights: values that differ, and not by chance alone.
    fn judges() -> Judges {
        let net = |seed| -> Arc<dyn Evaluator> {
            let model = crate::train::model::Model::new(FeatureSet::Core, 64, seed);
            Arc::new(Net::from_parts(&model.quantised(seed, "").unwrap()))
        };
        Judges { strong: net(1), quick: net(2) }
    }

    /// The mean over all 36 rolls of the best reply's value, straight from the definition.
    fn naive(evaluator: &dyn Evaluator, position: &Position, plies: usize) -> Probs {
        let value = |position: &Position| {
            if let Some((won, outcome)) = Backgammon::result(position) {
                return Probs::certain(won, outcome);
            }
            let mut out = [Probs::default()];
            evaluator.evaluate(&[*position], &mut out).unwrap();
            out[0]
        };
        if plies == 0 || Backgammon::result(position).is_some() || position.is_race() {
            return value(position);
        }
        let mut sum = [0.0f64; 5];
        let mut plays = PlayBuf::new();
        for ordinal in 0..36 {
            movegen::plays::<Backgammon>(position, Roll::from_ordinal(ordinal), &mut plays);
            let values: Vec<Probs> = plays.positions().iter().map(value).collect();
            let reply = plays.positions()[best_for_mover(&values)];
            for (sum, chance) in sum.iter_mut().zip(naive(evaluator, &reply, plies - 1).flipped().to_array())
            {
                *sum += f64::from(chance) / 36.0;
            }
        }
        Probs::from_array(sum.map(|sum| sum as f32))
    }

    fn assert_near(a: Probs, b: Probs) {
        for (a, b) in a.to_array().into_iter().zip(b.to_array()) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }

    #[test]
    fn look_ahead_is_the_mean_of_the_best_replies() {
        let judges = judges();
        let strong = Judges { quick: judges.strong.clone(), ..judges };
        let config = LabelConfig { plies: 2, ..LabelConfig::default() };
        let mut labeller = Labeller::new(&config, &strong);
        for position in scattered(60).into_iter().chain([Position::START]) {
            assert_near(labeller.value(&position, 1).unwrap(), naive(&*strong.strong, &position, 1));
        }
        let position = Position::START;
        assert_near(labeller.value(&position, 2).unwrap(), naive(&*strong.strong, &position, 2));
    }

    #[test]
    fn with_all_replies_picked_the_quick_evaluator_has_no_say() {
        let judges = judges();
        let config = LabelConfig { width: 1_000, margin: 1.0, ..LabelConfig::default() };
        let narrow = LabelConfig { width: 1, ..LabelConfig::default() };
        let (mut wide, mut narrow) = (Labeller::new(&config, &judges), Labeller::new(&narrow, &judges));
        let mut different = 0;
        for position in scattered(100).into_iter().filter(|position| !position.is_race()) {
            let all = wide.value(&position, 1).unwrap();
            let one = narrow.value(&position, 1).unwrap();
            // What the quick one picks is never better for the player on roll.
            assert!(one.equity() <= all.equity() + 1e-5);
            different += usize::from(one != all);
        }
        assert!(different > 20, "{different}");
    }

    #[test]
    fn games_depend_on_their_number_alone_and_are_of_every_kind() {
        let judges = judges();
        let config = LabelConfig { keep: 0.3, ..LabelConfig::default() };
        let mut records = Vec::new();
        let mut labeller = Labeller::new(&config, &judges);
        let mut ends = Vec::new();
        for number in 0..20 {
            labeller.play(number, &mut records).unwrap();
            ends.push(records.len());
        }
        let mut again = Vec::new();
        Labeller::new(&config, &judges).play(13, &mut again).unwrap();
        assert!(!again.is_empty() && again == records[ends[12]..ends[13]]);
        let positions: Vec<Position> = records.iter().map(|record| record.position().unwrap()).collect();
        assert!(positions.iter().all(|position| !position.is_over()));
        for phase in [Phase::Contact, Phase::Race, Phase::BearOff] {
            assert!(positions.iter().any(|position| Phase::of(position) == phase), "{phase}");
        }
        assert!(positions.iter().any(|position| position.places()[25] > 1));
    }

    #[test]
    fn all_carried_back_is_the_result_without_its_luck() {
        let judges = judges();
        let strong = Judges { quick: judges.strong.clone(), ..judges };
        let config = LabelConfig {
            keep: 1.0,
            carry: 1.0,
            width: 1_000,
            margin: 1.0,
            exploration: 0.0,
            noisy: 0.0,
            few: 0.0,
            many: 0.0,
            scattered: 0.0,
            thrown: 1.0,
            ..LabelConfig::default()
        };
        let mut long = 0;
        for number in 0..40 {
            let mut records = Vec::new();
            Labeller::new(&config, &strong).play(number, &mut records).unwrap();
            let positions: Vec<Position> = records.iter().map(|record| record.position().unwrap()).collect();
            let contact = positions.iter().take_while(|position| !position.is_race()).count();
            // The end of what is looked ahead: a race, or a game that is over (its last record the turn before).
            let Some(&race) = positions.get(contact) else { continue };
            let mut without_luck = naive(&*strong.strong, &race, 0).equity();
            for turn in (0..contact).rev() {
                // From the mover's side: what came out less the luck of the roll between.
                let after = naive(&*strong.strong, &positions[turn + 1], 0).equity();
                let before = naive(&*strong.strong, &positions[turn], 1).equity();
                without_luck = -without_luck - (-after - before);
                let record = records[turn].chances().equity();
                let clamped = records[turn].chances().to_array().iter().any(|&p| p == 0.0 || p == 1.0);
                assert!(
                    clamped || (record - without_luck).abs() < 1e-3,
                    "{number} {turn}: {record} {without_luck}"
                );
                long += usize::from(!clamped);
            }
        }
        assert!(long > 200, "{long}");
    }
}
