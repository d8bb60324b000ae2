//! One evaluator made of several: one for each kind of position.

use std::sync::Arc;

use super::{EvalError, Evaluator, Exact, Phase};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{Backgammon, Rules};

/// An evaluator for each phase of the game, asked together.
///
/// Every batch is sorted by who answers; each evaluator gets its positions as one batch, in the order they
/// came, and the answers go back to their places. Finished games get their certain result without asking
/// anyone. As good evaluators give a position the same bits in any company, so does this one.
#[derive(Clone)]
pub struct Composite {
    /// Each evaluator once.
    parts: Vec<Arc<dyn Evaluator>>,
    /// Which part answers a phase, by the phase's number.
    answers: [u8; Phase::ALL.len()],
    id: String,
}

/// In the place of a part: the game is over.
const NOBODY: u8 = u8::MAX;

impl Composite {
    /// Joins four evaluators, of which some may be the same one: that is then asked once a batch.
    pub fn new(
        contact: Arc<dyn Evaluator>,
        crashed: Arc<dyn Evaluator>,
        race: Arc<dyn Evaluator>,
        bear_off: Arc<dyn Evaluator>,
    ) -> Composite {
        let mut parts: Vec<Arc<dyn Evaluator>> = Vec::new();
        let mut answers = [NOBODY; Phase::ALL.len()];
        let mut names: Vec<Vec<&str>> = Vec::new();
        for (phase, evaluator) in [
            (Phase::Contact, contact),
            (Phase::Crashed, crashed),
            (Phase::Race, race),
            (Phase::BearOff, bear_off),
        ] {
            let known = parts.iter().position(|part| is_same(part, &evaluator));
            let part = known.unwrap_or_else(|| {
                parts.push(evaluator);
                names.push(Vec::new());
                parts.len() - 1
            });
            answers[phase as usize] = part as u8;
            names[part].push(phase.name());
        }
        let named = parts.iter().zip(names);
        let named: Vec<String> = named.map(|(part, names)| names.join("+") + ": " + part.id()).collect();
        Composite { parts, answers, id: format!("composite({})", named.join(", ")) }
    }

    /// The evaluator of a phase; `None` for finished games.
    pub fn part(&self, phase: Phase) -> Option<&dyn Evaluator> {
        self.parts.get(usize::from(self.answers[phase as usize])).map(AsRef::as_ref)
    }
}

/// Whether two pointers lead to one object.
fn is_same(a: &Arc<dyn Evaluator>, b: &Arc<dyn Evaluator>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b))
}

impl Evaluator for Composite {
    fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
        assert_eq!(positions.len(), out.len());
        let answerer = |position: &Position| self.answers[Phase::of(position) as usize];
        let answerers: Vec<u8> = positions.iter().map(answerer).collect();
        // Most batches are of one kind: all candidates of a play in the middle of a game, say.
        if let Some((&first, rest)) = answerers.split_first()
            && first != NOBODY
            && rest.iter().all(|&other| other == first)
        {
            return self.parts[usize::from(first)].evaluate(positions, out);
        }
        let mut gathered = Vec::with_capacity(positions.len());
        let mut values = vec![Probs::default(); positions.len()];
        for (number, part) in (0..).zip(&self.parts) {
            gathered.clear();
            gathered.extend(of_part(&answerers, number).map(|i| positions[i]));
            if gathered.is_empty() {
                continue;
            }
            let values = &mut values[..gathered.len()];
            part.evaluate(&gathered, values)?;
            of_part(&answerers, number).zip(values).for_each(|(i, value)| out[i] = *value);
        }
        for i in of_part(&answerers, NOBODY) {
            let (won, outcome) =
                Backgammon::result(&positions[i]).ok_or(EvalError::Uncovered(positions[i]))?;
            out[i] = Probs::certain(won, outcome);
        }
        Ok(())
    }

    fn batch_hint(&self) -> usize {
        self.parts.iter().map(|part| part.batch_hint()).max().unwrap_or(1)
    }

    fn exact(&self, position: &Position) -> Option<Exact> {
        self.part(Phase::of(position))?.exact(position)
    }

    fn is_exact(&self, position: &Position) -> bool {
        self.part(Phase::of(position)).is_none_or(|part| part.is_exact(position))
    }

    fn is_tabled(&self, position: &Position) -> bool {
        self.part(Phase::of(position)).is_none_or(|part| part.is_tabled(position))
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// Places of the positions that a part answers.
fn of_part(answerers: &[u8], part: u8) -> impl Iterator<Item = usize> + '_ {
    answerers.iter().enumerate().filter(move |&(_, &answerer)| answerer == part).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::bearoff::OneSided;
    use crate::movegen::{PlayBuf, random_game};
    use crate::parallel::unwatched;
    use crate::race::RaceEvaluator;
    use crate::rng::Stream;
    use crate::rollout;

    /// Answers with the roller's pips and a number of its own, and remembers what it was asked.
    struct Pips {
        id: &'static str,
        number: f32,
        asked: Mutex<Vec<Vec<Position>>>,
    }

    fn pips(id: &'static str, number: f32) -> Arc<Pips> {
        Arc::new(Pips { id, number, asked: Mutex::default() })
    }

    impl Evaluator for Pips {
        fn evaluate(&self, positions: &[Position], out: &mut [Probs]) -> Result<(), EvalError> {
            for (position, out) in positions.iter().zip(out) {
                *out = Probs { win: position.pip_counts().0 as f32 / 1e4 + self.number, ..Probs::default() };
            }
            self.asked.lock().unwrap().push(positions.to_vec());
            Ok(())
        }

        fn id(&self) -> &str {
            self.id
        }
    }

    /// Positions of all phases, as random games come by them.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        let mut buf = PlayBuf::new();
        for trial in 0..30 {
            random_game::<Backgammon>(Stream::new(8, trial), 1_000, &mut buf, |p, _, _| positions.push(*p));
            let over = Position::from_counts(&[0; 25], &crate::position::Position::START.roller()).unwrap();
            positions.extend([over, over.flip()]);
        }
        for phase in Phase::ALL {
            assert!(positions.iter().any(|position| Phase::of(position) == phase), "{phase}");
        }
        positions
    }

    #[test]
    fn every_phase_is_answered_by_its_own() {
        let parts = [pips("a", 0.1), pips("b", 0.2), pips("c", 0.3), pips("d", 0.4)];
        let [a, b, c, d] = parts.clone();
        let composite = Composite::new(a, b, c, d);
        assert_eq!(composite.id(), "composite(contact: a, crashed: b, race: c, bearoff: d)");
        let positions = positions();
        let mut out = vec![Probs::default(); positions.len()];
        composite.evaluate(&positions, &mut out).unwrap();
        for (position, value) in positions.iter().zip(&out) {
            let expected = match (Backgammon::result(position), Phase::of(position)) {
                (Some((won, outcome)), _) => Probs::certain(won, outcome),
                (None, phase) => {
                    let mut alone = [Probs::default()];
                    composite.part(phase).unwrap().evaluate(&[*position], &mut alone).unwrap();
                    alone[0]
                }
            };
            assert_eq!(*value, expected, "{position:?}");
        }
        assert!(composite.part(Phase::Over).is_none());
        // Each was asked about all of its positions first, in one batch and in order.
        let of = |phase| positions.iter().filter(move |p| Phase::of(p) == phase).copied().collect();
        let batches: [Vec<Position>; 4] =
            [of(Phase::Contact), of(Phase::Crashed), of(Phase::Race), of(Phase::BearOff)];
        for (part, batch) in parts.iter().zip(batches) {
            assert_eq!(part.asked.lock().unwrap()[0], batch, "{}", part.id);
        }
    }

    #[test]
    fn an_evaluator_of_several_phases_is_asked_once() {
        let (net, tables) = (pips("net", 0.1), pips("tables", 0.2));
        let composite = Composite::new(net.clone(), net.clone(), tables.clone(), tables.clone());
        assert_eq!(composite.id(), "composite(contact+crashed: net, race+bearoff: tables)");
        let positions = positions();
        let mut out = vec![Probs::default(); positions.len()];
        composite.evaluate(&positions, &mut out).unwrap();
        assert_eq!((net.asked.lock().unwrap().len(), tables.asked.lock().unwrap().len()), (1, 1));
        // A batch of one kind is passed on as it is; an empty one to nobody.
        composite.evaluate(&positions[..3], &mut out[..3]).unwrap();
        composite.evaluate(&[], &mut []).unwrap();
        assert_eq!(net.asked.lock().unwrap()[1..], [positions[..3].to_vec()]);
    }

    #[test]
    fn order_and_batches_change_no_bit() {
        let tables = Arc::new(tables());
        let contact = pips("contact", 0.1);
        let composite = Composite::new(contact.clone(), contact, tables.clone(), tables);
        let positions = positions();
        let mut expected = vec![Probs::default(); positions.len()];
        composite.evaluate(&positions, &mut expected).unwrap();
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_by_key(|&i| Stream::new(1, 1).word(i as u64));
        for size in [1, 2, 7, 1000] {
            for places in order.chunks(size) {
                let batch: Vec<Position> = places.iter().map(|&i| positions[i]).collect();
                let mut out = vec![Probs::default(); batch.len()];
                composite.evaluate(&batch, &mut out).unwrap();
                for (&i, value) in places.iter().zip(out) {
                    assert_eq!(value.to_array().map(f32::to_bits), expected[i].to_array().map(f32::to_bits));
                }
            }
        }
    }

    #[test]
    fn a_part_that_fails_fails_the_batch() {
        let tables = Arc::new(tables());
        let composite = Composite::new(tables.clone(), tables.clone(), tables.clone(), tables);
        let mut out = [Probs::default()];
        let failed = composite.evaluate(&[Position::START], &mut out);
        assert_eq!(failed, Err(EvalError::Uncovered(Position::START)));
    }

    #[test]
    fn a_race_is_rolled_out_as_by_its_own_evaluator() {
        let tables = Arc::new(tables());
        let contact = pips("contact", 0.1);
        let composite = Composite::new(contact.clone(), contact.clone(), tables.clone(), tables.clone());
        let mut side = [0; 25];
        (side[4], side[5], side[7]) = (4, 6, 2);
        let race = Position::from_counts(&side, &side).unwrap();
        let settings = rollout::Settings { trials: 144, ..rollout::Settings::default() };
        let mut watch = |_: &rollout::Part| std::ops::ControlFlow::Continue(());
        let subject = race.into();
        let alone = rollout::run::<Backgammon>(&subject, &settings, &*tables, 1, &mut watch).unwrap();
        for threads in [1, 3] {
            let found = rollout::run::<Backgammon>(&subject, &settings, &composite, threads, &mut watch);
            assert_eq!(found.unwrap().part, alone.part);
        }
        assert!(contact.asked.lock().unwrap().is_empty());
    }

    fn tables() -> RaceEvaluator {
        RaceEvaluator::new(Arc::new(OneSided::build(6, 15, 1, &mut unwatched).unwrap()), None).unwrap()
    }
}
