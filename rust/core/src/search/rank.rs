//! All plays of a roll, best first.

use std::ops::Range;

use crate::dice::Roll;
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::parallel::{Lookout, Watch, unwatched};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::{Cache, Value};
use crate::search::cubeful::{CubeUse, Side};
use crate::search::{MAX_PLIES, Prefilter, Search, SearchError, Stage};

/// One legal play and its value to the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedPlay {
    /// The position after the play, the opponent on roll.
    pub after: Position,
    /// The mover's chances after it.
    pub probs: Probs,
    /// The mover's equity after it: cubeless money points, or in a cubeful search points or normalised equity
    /// per unit of the cube, the opponent free to double if he may.
    pub equity: f64,
    /// The depth at which the play was judged.
    pub plies: usize,
    /// Whether only the pre-filter has looked at it, so that the numbers are its.
    pub prefiltered: bool,
}

/// All legal plays of a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Those judged more deeply first, those that did not pass a pre-filter last; those of one depth by equity,
    /// equal ones in the order of [`movegen::plays`]. An unplayable roll has one entry, the position handed over.
    pub plays: Vec<RankedPlay>,
    /// Whether nothing can be played.
    pub pass: bool,
}

impl Ranking {
    /// How many plays are best, with exactly equal equities: 1 unless there is a tie.
    pub fn ties(&self) -> usize {
        let Some(best) = self.plays.first() else { return 0 };
        let equal = |play: &&RankedPlay| {
            (play.prefiltered, play.plies, play.equity) == (best.prefiltered, best.plies, best.equity)
        };
        self.plays.iter().take_while(equal).count()
    }
}

/// Plays that all decisions of a roll have, about.
const PLAYS_A_DECISION: usize = 20;

/// Decisions searched at once, at each depth: enough for large batches, few enough for their trees to be small.
const AT_ONCE: [usize; MAX_PLIES + 1] = [0, 256, 32, 4, 1];

impl<R: Rules> Search<'_, R> {
    /// All plays of `roll` in `position`, best first, those that pass the filter looked at more deeply.
    ///
    /// The cube, if any, is seen by the mover.
    ///
    /// # Errors
    /// If the game is over, an evaluator fails, `watch` stops the search, or there are too many plies.
    pub fn rank(
        &self,
        position: &Position,
        roll: Roll,
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Ranking, SearchError> {
        self.rank_under(position, roll, cache, &mut Lookout::new(watch))
    }

    /// [`Search::rank`], looked at as often as a lookout wants.
    pub(crate) fn rank_under(
        &self,
        position: &Position,
        roll: Roll,
        cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Ranking, SearchError> {
        self.check(&[(*position, roll)])?;
        let mut rankings =
            self.seen_by_opponent(|search| search.ranked(&[(*position, roll)], cache, lookout))?;
        Ok(rankings.swap_remove(0))
    }

    /// The rankings of many decisions, each what [`Search::rank`] finds, all at the score and with the cube of the
    /// search.
    ///
    /// `watch` is told how many decisions are done.
    ///
    /// # Errors
    /// As [`Search::rank`].
    pub fn rank_many(
        &self,
        decisions: &[(Position, Roll)],
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Ranking>, SearchError> {
        self.check(decisions)?;
        let mut lookout = Lookout::new(watch);
        self.seen_by_opponent(|search| {
            if search.plies == 0 {
                search.ranked_statically(decisions, &mut lookout)
            } else {
                search.ranked_in_turn(decisions, cache, &mut lookout)
            }
        })
    }

    pub(super) fn check(&self, decisions: &[(Position, Roll)]) -> Result<(), SearchError> {
        if self.plies > MAX_PLIES {
            return Err(SearchError::TooDeep(self.plies));
        }
        let over = decisions.iter().any(|(position, _)| R::result(position).is_some());
        if over { Err(SearchError::Finished) } else { Ok(()) }
    }

    /// What `work` does with the search that begins after a play, with the opponent on roll.
    fn seen_by_opponent<T>(&self, work: impl FnOnce(&Search<'_, R>) -> T) -> T {
        let cube = self.cube.map(CubeUse::flipped);
        work(&Search { cube: cube.as_ref(), ..*self })
    }

    /// Many decisions without lookahead: blocks of them shared out among the threads.
    fn ranked_statically(
        &self,
        decisions: &[(Position, Roll)],
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Ranking>, SearchError> {
        let size = (self.evaluator.batch_hint() / PLAYS_A_DECISION).max(1);
        let blocks: Vec<_> = decisions.chunks(size).collect();
        let alone = Search { threads: 1, ..*self };
        let done = |blocks: usize| (blocks * size).min(decisions.len());
        let work =
            |(): &mut (), block: usize| alone.ranked(blocks[block], None, &mut Lookout::new(&mut unwatched));
        let run = lookout.run_blocks(self.threads, blocks.len(), done, || (), work);
        let mut all = Vec::with_capacity(decisions.len());
        for rankings in run.results {
            all.extend(rankings?);
        }
        lookout.look(all.len())?;
        Ok(all)
    }

    /// Many decisions with lookahead: some at a time, each time on all threads.
    fn ranked_in_turn(
        &self,
        decisions: &[(Position, Roll)],
        mut cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Ranking>, SearchError> {
        let mut all = Vec::with_capacity(decisions.len());
        for decisions in decisions.chunks(AT_ONCE[self.plies]) {
            lookout.tell(all.len());
            all.extend(self.ranked(decisions, cache.as_deref_mut(), lookout)?);
        }
        Ok(all)
    }

    /// The rankings of some decisions at once, the search being the opponent's.
    fn ranked(
        &self,
        decisions: &[(Position, Roll)],
        mut cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Ranking>, SearchError> {
        let mut lists = Lists::new::<R>(decisions);
        match &self.prefilter {
            None => self.judge_all(&mut lists.plays, lookout)?,
            Some(prefilter) => {
                self.judge_quickly(prefilter, &mut lists.plays, lookout)?;
                lists.narrow(prefilter.top);
                self.judge(&mut lists, 0, None, lookout)?;
            }
        }
        for plies in 1..=self.plies {
            lists.narrow(self.filter.stages[plies - 1]);
            self.judge(&mut lists, plies, cache.as_deref_mut(), lookout)?;
        }
        Ok(lists.rankings())
    }

    /// Judges all plays by the pre-filter.
    pub(super) fn judge_quickly(
        &self,
        prefilter: &Prefilter<'_, R>,
        plays: &mut [RankedPlay],
        lookout: &mut Lookout<'_>,
    ) -> Result<(), SearchError> {
        let quick = Search { evaluator: prefilter.evaluator, prefilter: None, ..*self };
        quick.judge_all(plays, lookout)?;
        plays.iter_mut().for_each(|play| play.prefiltered = true);
        Ok(())
    }

    /// Judges all plays without lookahead.
    pub(super) fn judge_all(
        &self,
        plays: &mut [RankedPlay],
        lookout: &mut Lookout<'_>,
    ) -> Result<(), SearchError> {
        let results: Vec<Position> = plays.iter().map(|play| play.after).collect();
        let values = self.chances(&results, lookout)?;
        let mut equities = Vec::with_capacity(results.len());
        self.mover_equities(&results, &values, Side::First, &mut equities)?;
        for ((play, probs), equity) in plays.iter_mut().zip(values).zip(equities) {
            *play = RankedPlay { probs: probs.flipped(), equity, ..*play };
        }
        Ok(())
    }

    /// Judges those plays that are still of interest, at one depth.
    pub(super) fn judge(
        &self,
        lists: &mut Lists,
        plies: usize,
        cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<(), SearchError> {
        let plays = &mut lists.plays;
        let results: Vec<Position> = lists.open.iter().map(|&place| plays[place as usize].after).collect();
        let values = Search { plies, ..*self }.values(&results, cache, lookout)?;
        for (&place, value) in lists.open.iter().zip(&values) {
            let play = &mut plays[place as usize];
            let equity = self.mover_equity(&play.after, value, plies);
            *play = RankedPlay { probs: value.probs.flipped(), equity, plies, prefiltered: false, ..*play };
        }
        Ok(())
    }

    /// The mover's equity of a result, at which the opponent decides about the cube before he rolls.
    fn mover_equity(&self, after: &Position, value: &Value, plies: usize) -> f64 {
        // Taken from the opponent's own numbers, so that ties and order are those of the replies in a search.
        let opponent = match self.cube {
            None => f64::from(value.probs.equity()),
            Some(cube) if plies > 0 && R::result(after).is_none() => {
                cube.decided(&value.cubes, Side::First)[0]
            }
            Some(_) => value.cubes[0],
        };
        // Not -0.0, which is printed as such.
        0.0 - opponent
    }
}

/// The plays of some decisions, in the order they were generated.
pub(super) struct Lists {
    pub plays: Vec<RankedPlay>,
    /// Where the plays of each decision end, and whether there was nothing to play.
    ends: Vec<(usize, bool)>,
    /// Places of the plays that reached the present depth, in order.
    pub open: Vec<u32>,
    /// Where those of each decision end.
    open_ends: Vec<usize>,
}

impl Lists {
    pub(super) fn new<R: Rules>(decisions: &[(Position, Roll)]) -> Lists {
        let mut buf = PlayBuf::new();
        let (mut plays, mut ends) = (Vec::new(), Vec::with_capacity(decisions.len()));
        for (position, roll) in decisions {
            movegen::plays::<R>(position, *roll, &mut buf);
            let unjudged = |&after| RankedPlay {
                after,
                probs: Probs::default(),
                equity: 0.0,
                plies: 0,
                prefiltered: false,
            };
            plays.extend(buf.positions().iter().map(unjudged));
            ends.push((plays.len(), buf.is_pass()));
        }
        let open = (0..plays.len() as u32).collect();
        let open_ends = ends.iter().map(|&(end, _)| end).collect();
        Lists { plays, ends, open, open_ends }
    }

    /// Leaves open, of each decision, what passes a stage.
    fn narrow(&mut self, stage: Stage) {
        let (mut equities, mut chosen) = (Vec::new(), Vec::new());
        self.narrow_by(|plays, open, enter| {
            equities.clear();
            equities.extend(open.iter().map(|&place| plays[place as usize].equity));
            stage.choose(&equities, &mut chosen);
            enter.extend_from_slice(&chosen);
        });
    }

    /// Leaves open, of each decision, what `choose` puts in its last argument: numbers among the open plays.
    pub(super) fn narrow_by(&mut self, mut choose: impl FnMut(&[RankedPlay], &[u32], &mut Vec<u32>)) {
        let (mut start, mut open, mut enter) = (0, Vec::new(), Vec::new());
        for end in &mut self.open_ends {
            let before = &self.open[start..*end];
            enter.clear();
            choose(&self.plays, before, &mut enter);
            open.extend(enter.iter().map(|&number| before[number as usize]));
            (start, *end) = (*end, open.len());
        }
        self.open = open;
    }

    /// Each decision's plays, best first.
    pub(super) fn rankings(self) -> Vec<Ranking> {
        let mut start = 0;
        let ranking = |(end, pass): (usize, bool)| {
            let range: Range<usize> = std::mem::replace(&mut start, end)..end;
            let mut plays = self.plays[range].to_vec();
            plays.sort_by(|a, b| {
                let depth = |play: &RankedPlay| (play.prefiltered, std::cmp::Reverse(play.plies));
                depth(a).cmp(&depth(b)).then(b.equity.total_cmp(&a.equity))
            });
            Ranking { plays, pass }
        };
        self.ends.into_iter().map(ranking).collect()
    }
}
