//! The plays of a roll at many scores: chances once, match equities for each score.

use crate::dice::Roll;
use crate::outcome::Probs;
use crate::parallel::{Lookout, Watch};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::Cache;
use crate::search::cubeful::{CubeUse, Side};
use crate::search::rank::Lists;
use crate::search::{RankedPlay, Ranking, Search, SearchError, Stage};

/// What the plays of one roll are worth at many scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
    /// All plays, ranked by cubeless money points.
    pub ranking: Ranking,
    /// For each score the mover's equity of each play, in the order of the ranking: normalised, per unit of the cube,
    /// by Janowski's model on the play's chances.
    pub equities: Vec<Vec<f64>>,
}

impl ScoreTable {
    /// The number of the best play at a score, among those judged most deeply: the first of equal ones.
    ///
    /// # Panics
    /// If there is no such score.
    pub fn best(&self, score: usize) -> usize {
        let plays = &self.ranking.plays;
        let deepest = |play: &RankedPlay| !play.prefiltered && play.plies == plays[0].plies;
        let mut best = 0;
        for (number, equity) in self.equities[score].iter().enumerate() {
            if deepest(&plays[number]) && *equity > self.equities[score][best] {
                best = number;
            }
        }
        best
    }
}

impl<R: Rules> Search<'_, R> {
    /// The plays of `roll` in `position` at each of `scores`, which are seen by the mover.
    ///
    /// The search is cubeless, whatever its `cube`: chances are looked for once, and each score judges them. A play is
    /// looked at more deeply if it passes the filter at any of the scores.
    ///
    /// # Errors
    /// As [`Search::rank`].
    pub fn rank_at_scores(
        &self,
        position: &Position,
        roll: Roll,
        scores: &[CubeUse],
        mut cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<ScoreTable, SearchError> {
        let search = Search { cube: None, ..*self };
        let decision = [(*position, roll)];
        search.check(&decision)?;
        let lookout = &mut Lookout::new(watch);
        let scores: Vec<CubeUse> = scores.iter().map(CubeUse::flipped).collect();
        let mut lists = Lists::new::<R>(&decision);
        match &search.prefilter {
            None => search.judge_all(&mut lists.plays, lookout)?,
            Some(prefilter) => {
                search.judge_quickly(prefilter, &mut lists.plays, lookout)?;
                search.narrow_at(&scores, &mut lists, prefilter.top)?;
                search.judge(&mut lists, 0, None, lookout)?;
            }
        }
        for plies in 1..=search.plies {
            search.narrow_at(&scores, &mut lists, search.filter.stages[plies - 1])?;
            search.judge(&mut lists, plies, cache.as_deref_mut(), lookout)?;
        }
        let ranking = lists.rankings().swap_remove(0);
        let equities =
            scores.iter().map(|score| search.equities_at(score, &ranking.plays)).collect::<Result<_, _>>()?;
        Ok(ScoreTable { ranking, equities })
    }

    /// Leaves open what passes a stage at any of the scores, seen by the opponent, or by cubeless points.
    fn narrow_at(&self, scores: &[CubeUse], lists: &mut Lists, stage: Stage) -> Result<(), SearchError> {
        let open: Vec<RankedPlay> = lists.open.iter().map(|&place| lists.plays[place as usize]).collect();
        let mut enters = vec![false; open.len()];
        let mut chosen = Vec::new();
        let mut pass = |equities: &[f64]| {
            stage.choose(equities, &mut chosen);
            chosen.iter().for_each(|&number| enters[number as usize] = true);
        };
        pass(&open.iter().map(|play| play.equity).collect::<Vec<_>>());
        for score in scores {
            pass(&self.equities_at(score, &open)?);
        }
        let entering = (0..).zip(enters).filter(|&(_, enters)| enters).map(|(number, _)| number);
        let entering: Vec<u32> = entering.collect();
        lists.narrow_by(|_, _, enter| enter.extend_from_slice(&entering));
        Ok(())
    }

    /// The mover's equities of plays by their chances, at a score seen by the opponent.
    fn equities_at(&self, score: &CubeUse, plays: &[RankedPlay]) -> Result<Vec<f64>, SearchError> {
        let results: Vec<Position> = plays.iter().map(|play| play.after).collect();
        let values: Vec<Probs> = plays.iter().map(|play| play.probs.flipped()).collect();
        let mut equities = Vec::with_capacity(plays.len());
        let search = Search { cube: Some(score), ..*self };
        search.mover_equities(&results, &values, Side::First, &mut equities)?;
        Ok(equities)
    }
}
