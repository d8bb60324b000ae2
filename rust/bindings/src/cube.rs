//! Cube decisions.

use gammon_core::cube::janowski::Odds;
use gammon_core::cube::{
    self, Action, Answer, BeaverReply, CubeDecision, CubeError, CubeLife, Stakes, Verdict,
};
use gammon_core::parallel::run_blocks;
use gammon_core::{Offer, Player, Probs, Situation};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::met::PyMet;
use crate::runtime::{self, interruptible};
use crate::situation::PySituation;

/// Decisions made between two looks at the caller: about a millisecond.
const BLOCK: usize = 8_192;

/// The stakes of a situation in which a cube decision is due.
fn stakes(situation: &Situation, met: Option<&Bound<'_, PyMet>>) -> Result<Stakes> {
    let met = met.map(|met| met.get().seen_from(situation.seat));
    Ok(Stakes::new(&situation.score, met)?)
}

/// The cube life of a situation, unless it is given.
fn life_of(situation: &PySituation, given: Option<f64>) -> f64 {
    given.unwrap_or_else(|| CubeLife::MEASURED.of(&situation.core_position()))
}

/// A cube decision: all equities and what is right.
#[pyclass(name = "CubeDecision", module = "gammon", frozen)]
pub struct PyCubeDecision {
    decision: CubeDecision,
    life: f64,
}

/// Decides about the cube before the player on roll throws.
#[pyfunction]
#[pyo3(signature = (situation, probs, *, life = None, met = None))]
pub fn cube_decision(
    situation: &Bound<'_, PySituation>,
    probs: [f32; 5],
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
) -> Result<PyCubeDecision> {
    PyCubeDecision::checked(situation, life, met, |stakes, life| {
        Ok(cube::decide(stakes, &Probs::from_array(probs), life)?)
    })
}

impl PyCubeDecision {
    /// The decision that `decide` makes from stakes and cube life, where one is due.
    pub fn checked(
        situation: &Bound<'_, PySituation>,
        life: Option<f64>,
        met: Option<&Bound<'_, PyMet>>,
        decide: impl FnOnce(&Stakes, f64) -> Result<CubeDecision>,
    ) -> Result<PyCubeDecision> {
        let known = situation.get();
        let core = known.core();
        if core.is_over() {
            return Err(Error::Cube("the game is over: there is no cube decision left".to_owned()));
        }
        if core.roll.is_some() {
            return Err(Error::Cube(
                "the dice have been thrown: the cube can only be turned before".to_owned(),
            ));
        }
        let stakes = stakes(core, met)?;
        if matches!(core.offer, Some(Offer::Double | Offer::Beaver | Offer::Raccoon)) {
            stakes.may_double().map_err(CubeError::Refused)?;
        }
        let life = life_of(known, life);
        Ok(PyCubeDecision { decision: decide(&stakes, life)?, life })
    }

    fn verdict(&self) -> Option<&Verdict> {
        Some(&self.decision.doubled.as_ref().ok()?.verdict)
    }

    fn error(&self, pick: impl Fn(&cube::Errors) -> f64) -> f64 {
        self.verdict().map_or(0.0, |verdict| pick(&verdict.errors))
    }
}

#[pymethods]
impl PyCubeDecision {
    /// The cube life used.
    #[getter]
    fn life(&self) -> f64 {
        self.life
    }

    /// Equity if nobody ever turns the cube.
    #[getter]
    fn cubeless_equity(&self) -> f64 {
        self.decision.cubeless
    }

    /// Equity without a double this turn.
    #[getter]
    fn no_double_equity(&self) -> f64 {
        self.decision.no_double
    }

    /// Equity if the cube is doubled and never turned again.
    #[getter]
    fn doubled_cubeless_equity(&self) -> Option<f64> {
        Some(self.decision.doubled.as_ref().ok()?.cubeless)
    }

    /// Equity of double and take.
    #[getter]
    fn double_take_equity(&self) -> Option<f64> {
        Some(self.decision.doubled.as_ref().ok()?.take)
    }

    /// Equity of double and pass.
    #[getter]
    fn double_pass_equity(&self) -> Option<f64> {
        Some(self.decision.doubled.as_ref().ok()?.pass)
    }

    /// Equity of double and beaver, the doubler replying best.
    #[getter]
    fn double_beaver_equity(&self) -> Option<f64> {
        self.decision.doubled.as_ref().ok()?.beaver
    }

    /// Equity of double, beaver and raccoon.
    #[getter]
    fn raccoon_equity(&self) -> Option<f64> {
        self.decision.doubled.as_ref().ok()?.raccoon
    }

    /// What the doubler should reply to a beaver.
    #[getter]
    fn beaver_reply(&self) -> Option<&'static str> {
        Some(match self.decision.doubled.as_ref().ok()?.reply? {
            BeaverReply::PlayOn => "play on",
            BeaverReply::Raccoon => "raccoon",
            BeaverReply::Drop => "drop",
        })
    }

    /// Equity if both choose best.
    #[getter]
    fn optimal_equity(&self) -> f64 {
        self.decision.optimal()
    }

    /// What the player on roll should do.
    #[getter]
    fn action(&self) -> Option<&'static str> {
        Some(match self.verdict()?.action {
            Action::NoDouble => "no double",
            Action::TooGood => "too good",
            Action::Double => "double",
        })
    }

    /// What the opponent should answer to a double.
    #[getter]
    fn answer(&self) -> Option<&'static str> {
        Some(match self.verdict()?.answer {
            Answer::Take => "take",
            Answer::Pass => "pass",
            Answer::Beaver => "beaver",
        })
    }

    /// Why no double may be offered.
    #[getter]
    fn refusal(&self) -> Option<&'static str> {
        self.decision.doubled.as_ref().err().map(|refusal| refusal.name())
    }

    /// The decision in words.
    #[getter]
    fn label(&self) -> String {
        self.decision.label()
    }

    /// Whether doubling and not doubling are equally good.
    #[getter]
    fn is_optional_double(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.optional_double)
    }

    /// Whether taking and passing are equally good.
    #[getter]
    fn is_optional_take(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.optional_take)
    }

    /// Whether the choice about doubling gains little.
    #[getter]
    fn is_close_double(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.close_double)
    }

    /// Whether the choice between taking and passing gains little.
    #[getter]
    fn is_close_take(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.close_take)
    }

    /// Whether the right pass is a free drop.
    #[getter]
    fn is_free_drop(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.free_drop)
    }

    /// What doubling gains over holding the cube.
    #[getter]
    fn double_gain(&self) -> Option<f64> {
        Some(self.verdict()?.double_gain)
    }

    /// What the answerer gains by taking rather than passing.
    #[getter]
    fn take_gain(&self) -> Option<f64> {
        Some(self.verdict()?.take_gain)
    }

    /// Share of wrong answers that would make a wrong double right.
    #[getter]
    fn wrong_answers_needed(&self) -> Option<f64> {
        self.verdict()?.wrong_answers_needed
    }

    /// Cost of not doubling.
    #[getter]
    fn missed_double_error(&self) -> f64 {
        self.error(|errors| errors.missed_double)
    }

    /// Cost of doubling.
    #[getter]
    fn wrong_double_error(&self) -> f64 {
        self.error(|errors| errors.wrong_double)
    }

    /// Cost of taking.
    #[getter]
    fn wrong_take_error(&self) -> f64 {
        self.error(|errors| errors.wrong_take)
    }

    /// Cost of passing.
    #[getter]
    fn wrong_pass_error(&self) -> f64 {
        self.error(|errors| errors.wrong_pass)
    }

    /// Cost of beavering.
    #[getter]
    fn wrong_beaver_error(&self) -> f64 {
        self.error(|errors| errors.wrong_beaver)
    }

    /// The match winning chance of one of the equities; `None` in money play.
    fn mwc(&self, equity: f64) -> Option<f64> {
        self.decision.mwc(equity)
    }

    /// The points of one of the equities, the cube counted; `None` in a match.
    fn points(&self, equity: f64) -> Option<f64> {
        self.decision.points(equity)
    }

    fn __repr__(&self) -> String {
        format!("<CubeDecision {}: {:+.4}>", self.decision.label(), self.decision.optimal())
    }
}

/// Cube decisions of many positions at one score, one entry a position.
#[pyclass(name = "CubeDecisions", module = "gammon", frozen, get_all)]
pub struct PyCubeDecisions {
    /// Equity without a double, `float64[n]`.
    no_double_equity: Py<PyArray1<f64>>,
    /// Equity of double and take; NaN if no double may be offered.
    double_take_equity: Py<PyArray1<f64>>,
    /// Equity if both choose best.
    optimal_equity: Py<PyArray1<f64>>,
    /// 0 no double, 1 too good, 2 double; 255 if no double may be offered.
    action: Py<PyArray1<u8>>,
    /// 0 take, 1 pass, 2 beaver; 255 if no double may be offered.
    answer: Py<PyArray1<u8>>,
}

/// Decides about the cube in many positions at the score of one situation.
#[pyfunction]
#[pyo3(signature = (situation, probs, life, *, met = None, threads = None))]
pub fn cube_decisions(
    py: Python<'_>,
    situation: &Bound<'_, PySituation>,
    probs: &Bound<'_, PyAny>,
    life: &Bound<'_, PyAny>,
    met: Option<&Bound<'_, PyMet>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> Result<PyCubeDecisions> {
    let stakes = stakes(situation.get().core(), met)?;
    let probs = arrays::probs(probs)?;
    let lives = arrays::floats("life", life, probs.len())?;
    let blocks = probs.len().div_ceil(BLOCK);
    let threads = runtime::threads(threads)?;
    let decided = interruptible(py, None, |watch| {
        run_blocks(
            threads,
            blocks,
            watch,
            || (),
            |(), block| {
                let rows = block * BLOCK..probs.len().min((block + 1) * BLOCK);
                let mut out = Vec::new();
                let done = cube::decide_many(&stakes, &probs[rows.clone()], &lives[rows.clone()], &mut out);
                done.map(|()| out.clone()).map_err(|error| (rows.start + out.len(), error))
            },
        )
        .complete()
    })??;
    let decided = decided.into_iter().collect::<std::result::Result<Vec<_>, _>>();
    let decided = decided.map_err(|(row, error)| Error::Array(format!("row {row}: {error}")))?.concat();
    let column = |pick: fn(&CubeDecision) -> f64| PyArray1::from_iter(py, decided.iter().map(pick)).unbind();
    let codes = |pick: fn(&Verdict) -> u8| {
        let code = |decision: &CubeDecision| decision.doubled.as_ref().map_or(255, |d| pick(&d.verdict));
        PyArray1::from_iter(py, decided.iter().map(code)).unbind()
    };
    Ok(PyCubeDecisions {
        no_double_equity: column(|decision| decision.no_double),
        double_take_equity: column(|decision| decision.doubled.as_ref().map_or(f64::NAN, |d| d.take)),
        optimal_equity: column(CubeDecision::optimal),
        action: codes(|verdict| verdict.action as u8),
        answer: codes(|verdict| verdict.answer as u8),
    })
}

/// Where decisions change, as the player on roll's chance to win at a fixed mix of gammons.
#[pyclass(name = "CubePoints", module = "gammon", frozen, get_all)]
pub struct PyCubePoints {
    /// From here he may take if the opponent doubles.
    take: Option<f64>,
    /// How much his redouble lowers that point.
    recube_vig: Option<f64>,
    /// From here he should beaver that double.
    beaver: Option<f64>,
    /// From here he should raccoon a beaver of his own double.
    raccoon: Option<f64>,
    /// From here he should double.
    double: Option<f64>,
    /// From here the opponent should pass.
    cash: Option<f64>,
    /// From here he should play on for a gammon.
    too_good: Option<f64>,
    /// His double and cash point if the cube is turned once and never again.
    dead_window: Option<(f64, f64)>,
    /// The same if the opponent redoubles at once because it costs him nothing.
    redoubled_window: Option<(f64, f64)>,
    /// What a gammon and a backgammon of his add to a win (money: 0.5 and 1).
    gammon_value: (f64, f64),
    /// The same for the opponent.
    opponent_gammon_value: (f64, f64),
}

#[pymethods]
impl PyCubePoints {
    fn __repr__(&self) -> String {
        let show = |point: Option<f64>| point.map_or("none".to_owned(), |point| format!("{point:.4}"));
        format!(
            "<CubePoints take {}, double {}, cash {}, too good {}>",
            show(self.take),
            show(self.double),
            show(self.cash),
            show(self.too_good)
        )
    }
}

/// The points at which cube decisions change in a situation with these chances.
#[pyfunction]
#[pyo3(signature = (situation, probs, *, life = None, met = None))]
pub fn cube_points(
    situation: &Bound<'_, PySituation>,
    probs: [f32; 5],
    life: Option<f64>,
    met: Option<&Bound<'_, PyMet>>,
) -> Result<PyCubePoints> {
    let known = situation.get();
    let stakes = stakes(known.core(), met)?;
    let life = life_of(known, life);
    if !(0.0..=1.0).contains(&life) {
        return Err(CubeError::CubeLife(life).into());
    }
    let odds = Odds::new(&Probs::from_array(probs))?;
    let points = cube::points(&stakes, &odds, life);
    let window = cube::market_window(&stakes, &odds, Player::Roller);
    let value = |player| {
        let value = cube::gammon_value(&stakes, player);
        (value.gammon, value.backgammon)
    };
    Ok(PyCubePoints {
        take: points.take,
        recube_vig: points.recube_vig,
        beaver: points.beaver,
        raccoon: points.raccoon,
        double: points.double,
        cash: points.cash,
        too_good: points.too_good,
        dead_window: window.map(|window| window.dead),
        redoubled_window: window.and_then(|window| window.redoubled),
        gammon_value: value(Player::Roller),
        opponent_gammon_value: value(Player::Opponent),
    })
}
