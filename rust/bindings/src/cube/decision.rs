//! One cube decision.

use std::hash::{Hash, Hasher};

use gammon_core::cube::{
    self, Action, Answer, BeaverReply, Choices, CubeDecision, CubeError, Doubled, Refusal, Stakes, Verdict,
};
use gammon_core::{Offer, Player, Probs};
use pyo3::prelude::*;

use super::{life_of, stakes};
use crate::errors::{Error, Result};
use crate::met::PyMet;
use crate::situation::PySituation;
use crate::values::hash_numbers;

/// A cube decision: all equities and what is right.
#[pyclass(name = "CubeDecision", module = "gammon.cube", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyCubeDecision {
    decision: CubeDecision,
    life: f64,
}

/// Equal decisions have equal equities.
impl Hash for PyCubeDecision {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_numbers([self.decision.cubeless, self.decision.no_double, self.life], state);
    }
}

/// What a decision is pickled as: cube life, equities without a double, what a double leads to or why there is
/// none, and the scale.
type State = (f64, [f64; 2], Option<DoubledState>, Option<RefusalState>, (f64, f64, u32, bool));

/// Equities without further turns of the cube, of take and of pass, those of a beaver and a raccoon, the reply to a
/// beaver, and whether the pass is free: the verdict follows.
type DoubledState = ([f64; 3], [Option<f64>; 2], Option<u8>, bool);

/// The refusal's number, and the player or the limit it names.
type RefusalState = (u8, u8);

const REPLIES: [BeaverReply; 3] = [BeaverReply::PlayOn, BeaverReply::Raccoon, BeaverReply::Drop];

fn doubled_state(doubled: &Doubled) -> DoubledState {
    let Doubled { cubeless, take, pass, beaver, reply, raccoon, verdict } = *doubled;
    ([cubeless, take, pass], [beaver, raccoon], reply.map(|reply| reply as u8), verdict.free_drop)
}

fn doubled_of(state: DoubledState, no_double: f64) -> Option<Doubled> {
    let ([cubeless, take, pass], [beaver, raccoon], reply, free_drop) = state;
    let reply = match reply {
        Some(number) => Some(*REPLIES.get(usize::from(number))?),
        None => None,
    };
    let verdict = Verdict::of(&Choices { no_double, take, pass, beaver }, free_drop);
    Some(Doubled { cubeless, take, pass, beaver, reply, raccoon, verdict })
}

fn refusal_state(refusal: Refusal) -> RefusalState {
    match refusal {
        Refusal::Crawford => (0, 0),
        Refusal::NotOwned { player } => (1, u8::from(player == Player::Opponent)),
        Refusal::DeadCube => (2, 0),
        Refusal::AtLimit { limit } => (3, limit),
    }
}

fn refusal_of((number, named): RefusalState) -> Option<Refusal> {
    Some(match (number, named) {
        (0, _) => Refusal::Crawford,
        (1, 0) => Refusal::NotOwned { player: Player::Roller },
        (1, _) => Refusal::NotOwned { player: Player::Opponent },
        (2, _) => Refusal::DeadCube,
        (3, limit) => Refusal::AtLimit { limit },
        _ => return None,
    })
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
    /// A decision made with this cube life.
    pub const fn of(decision: CubeDecision, life: f64) -> PyCubeDecision {
        PyCubeDecision { decision, life }
    }

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

    #[staticmethod]
    fn _from_state(state: State) -> Result<PyCubeDecision> {
        let (life, [cubeless, no_double], doubled, refusal, (middle, half, cube, money)) = state;
        let doubled = doubled.and_then(|doubled| doubled_of(doubled, no_double)).map(Ok);
        let Some(doubled) = doubled.or_else(|| refusal.and_then(refusal_of).map(Err)) else {
            return Err(Error::Cube("this is no state of a cube decision".to_owned()));
        };
        let decision = CubeDecision { cubeless, no_double, doubled, middle, half, cube, money };
        Ok(PyCubeDecision { decision, life })
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("gammon.viz._notebook")?.call_method1("cube_decision", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<CubeDecision {}: {:+.4}>", self.decision.label(), self.decision.optimal())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (State,))> {
        let CubeDecision { cubeless, no_double, doubled, middle, half, cube, money } = self.decision;
        let refusal = doubled.err().map(refusal_state);
        let doubled = doubled.ok().map(|doubled| doubled_state(&doubled));
        let state = (self.life, [cubeless, no_double], doubled, refusal, (middle, half, cube, money));
        Ok((py.get_type::<PyCubeDecision>().getattr("_from_state")?, (state,)))
    }
}
