//! All plays of a roll, best first.

use crate::dice::Roll;
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::parallel::Watch;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::{Cache, Value};
use crate::search::cubeful::{CubeUse, Side};
use crate::search::{MAX_PLIES, Search, SearchError};

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
}

/// All legal plays of a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Those judged more deeply first, those of one depth by equity, equal ones in the order of
    /// [`movegen::plays`]. An unplayable roll has one entry, the position handed over.
    pub plays: Vec<RankedPlay>,
    /// Whether nothing can be played.
    pub pass: bool,
}

impl Ranking {
    /// How many plays are best, with exactly equal equities: 1 unless there is a tie.
    pub fn ties(&self) -> usize {
        let Some(best) = self.plays.first() else { return 0 };
        let equal = |play: &&RankedPlay| play.plies == best.plies && play.equity == best.equity;
        self.plays.iter().take_while(equal).count()
    }
}

impl<R: Rules> Search<'_, R> {
    /// All plays of `roll` in `position`, best first, those that pass the filter looked at more deeply.
    ///
    /// The cube, if any, is seen by the mover.
    ///
    /// # Errors
    /// If the game is over, the evaluator fails, `watch` stops the search, or there are too many plies.
    pub fn rank(
        &self,
        position: &Position,
        roll: Roll,
        mut cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Ranking, SearchError> {
        if self.plies > MAX_PLIES {
            return Err(SearchError::TooDeep(self.plies));
        }
        if R::result(position).is_some() {
            return Err(SearchError::Finished);
        }
        let mut buf = PlayBuf::new();
        movegen::plays::<R>(position, roll, &mut buf);
        // After a play the opponent is on roll, and the search begins with him.
        let cube = self.cube.map(CubeUse::flipped);
        let search = Search { cube: cube.as_ref(), ..*self };
        let mut plays = search.judged(buf.positions(), 0, cache.as_deref_mut(), watch)?;
        let mut entering = plays.len();
        for plies in 1..=self.plies {
            let equities: Vec<f64> = plays[..entering].iter().map(|play| play.equity).collect();
            entering = self.filter.stages[plies - 1].count(&equities);
            // In the order of generation again, so that a stable sort settles ties by it.
            let chosen: Vec<Position> = buf
                .positions()
                .iter()
                .filter(|after| plays[..entering].iter().any(|play| play.after == **after))
                .copied()
                .collect();
            let deeper = search.judged(&chosen, plies, cache.as_deref_mut(), watch)?;
            plays[..entering].copy_from_slice(&deeper);
        }
        Ok(Ranking { plays, pass: buf.is_pass() })
    }

    /// Results of a roll at one depth, best for the mover first, equal ones in the order given.
    fn judged(
        &self,
        results: &[Position],
        plies: usize,
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<RankedPlay>, SearchError> {
        let values = Search { plies, ..*self }.values(results, cache, watch)?;
        let of = |(after, value): (&Position, &Value)| RankedPlay {
            after: *after,
            probs: value.probs.flipped(),
            equity: self.mover_equity(after, value, plies),
            plies,
        };
        let mut plays: Vec<RankedPlay> = results.iter().zip(&values).map(of).collect();
        plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        Ok(plays)
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
