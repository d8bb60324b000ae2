//! From positions to the best reply to each of their rolls.

use crate::dice::Roll;
use crate::eval::{best_for_mover, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cubeful::{CubeUse, Leaf, Side};
use crate::search::{Prefilter, Search, SearchError};

/// The best reply to a roll, the opponent of the replying player on roll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub after: Position,
    /// Its static value, where it is a leaf.
    pub probs: Probs,
}

/// The best replies to all rolls, in the order of [`Roll::ALL`].
pub(crate) type Replies = [Reply; ROLLS];

const ROLLS: usize = Roll::ALL.len();

/// Memory a thread reuses from batch to batch.
pub(crate) struct Scratch {
    plays: PlayBuf,
    /// The results of all rolls of all positions, and then those among them that passed the pre-filter.
    candidates: Vec<Position>,
    /// Where the candidates of each roll end.
    ends: Vec<u32>,
    values: Vec<Probs>,
    equities: Vec<f64>,
    chosen: Vec<u32>,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch {
            plays: PlayBuf::new(),
            candidates: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
            equities: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// The best replies to all rolls in each of `positions`, where `side` is on roll.
    ///
    /// All results of all rolls are one batch. Of equal replies the first generated is taken. Replies have a
    /// value if they are `leaves`, and may be without one otherwise.
    pub(crate) fn replies<R: Rules>(
        &mut self,
        search: &Search<'_, R>,
        positions: &[Position],
        side: Side,
        leaves: bool,
    ) -> Result<Vec<Replies>, SearchError> {
        self.expand::<R>(positions);
        if let Some(prefilter) = &search.prefilter {
            self.thin_out(search, prefilter, side.other())?;
        }
        self.values.resize(self.candidates.len(), Probs::default());
        // Nothing to choose, nothing to know: a roll is answered and looked at more deeply in any case.
        let asked = leaves || self.candidates.len() > self.ends.len();
        if asked {
            values(search.evaluator, &self.candidates, &mut self.values)?;
        }
        let mut start = 0;
        let mut all = Vec::with_capacity(positions.len());
        for ends in self.ends.chunks_exact(ROLLS) {
            let mut replies = [Reply { after: Position::START, probs: Probs::default() }; ROLLS];
            for (reply, &end) in replies.iter_mut().zip(ends) {
                let range = start..end as usize;
                let (results, values) = (&self.candidates[range.clone()], &self.values[range.clone()]);
                let best = search.best(results, values, side.other(), &mut self.equities)?;
                *reply = Reply { after: results[best], probs: values[best] };
                start = range.end;
            }
            all.push(replies);
        }
        Ok(all)
    }

    /// All results of all rolls.
    fn expand<R: Rules>(&mut self, positions: &[Position]) {
        self.candidates.clear();
        self.ends.clear();
        for position in positions {
            for roll in Roll::ALL {
                movegen::plays::<R>(position, roll, &mut self.plays);
                self.candidates.extend_from_slice(self.plays.positions());
                self.ends.push(self.candidates.len() as u32);
            }
        }
    }

    /// Leaves of each roll the candidates that pass the pre-filter, in their order.
    fn thin_out<R: Rules>(
        &mut self,
        search: &Search<'_, R>,
        prefilter: &Prefilter<'_, R>,
        side: Side,
    ) -> Result<(), SearchError> {
        self.values.resize(self.candidates.len(), Probs::default());
        values(prefilter.evaluator, &self.candidates, &mut self.values)?;
        self.equities.clear();
        search.mover_equities(&self.candidates, &self.values, side, &mut self.equities)?;
        let (mut start, mut kept) = (0, 0);
        for end in &mut self.ends {
            let next = *end as usize;
            prefilter.inside.choose(&self.equities[start..next], &mut self.chosen);
            for &place in &self.chosen {
                // Places only move down, so nothing is overwritten that is still to be read.
                self.candidates[kept] = self.candidates[start + place as usize];
                kept += 1;
            }
            (start, *end) = (next, kept as u32);
        }
        self.candidates.truncate(kept);
        Ok(())
    }
}

impl<R: Rules> Search<'_, R> {
    /// The mover's equities of results in which `side` is on roll, by their values alone.
    pub(crate) fn mover_equities(
        &self,
        results: &[Position],
        values: &[Probs],
        side: Side,
        equities: &mut Vec<f64>,
    ) -> Result<(), SearchError> {
        let Some(cube) = self.cube else {
            equities.extend(values.iter().map(|probs| 0.0 - f64::from(probs.equity())));
            return Ok(());
        };
        for (position, probs) in results.iter().zip(values) {
            let leaf = Leaf { position, probs, exact: self.exact(position) };
            equities.push(0.0 - CubeUse::equity::<R>(cube, &leaf, side)?);
        }
        Ok(())
    }

    /// The best of a roll's results, in which `side` is on roll, for the mover: the first of the best.
    fn best(
        &self,
        results: &[Position],
        values: &[Probs],
        side: Side,
        equities: &mut Vec<f64>,
    ) -> Result<usize, SearchError> {
        if self.cube.is_none() || results.len() == 1 {
            return Ok(best_for_mover(values));
        }
        equities.clear();
        self.mover_equities(results, values, side, equities)?;
        let mut best = 0;
        for (place, equity) in equities.iter().enumerate() {
            if *equity > equities[best] {
                best = place;
            }
        }
        Ok(best)
    }
}
