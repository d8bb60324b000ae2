//! Playing the other games: values of positions and of plays, and duels.

use gammon_core::eval::EvalError;
use gammon_core::family::{self, Contest, Contestant, PairPlayed, Prizes, plays_like_the_standard_game};
use gammon_core::rules::Opening;
use gammon_core::{Probs, with_variant};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::judge::AnyJudge;
use crate::runtime::{self, integer, interruptible};
use crate::variants::{PyRules, PyState};

/// What a duel is played by if it is not by an evaluator.
const RANDOM: &str = "random";

/// Pairs are numbered below this.
const MOST_PAIRS: i64 = i64::MAX;

/// Positions valued between two looks at Ctrl-C: a few milliseconds of a net's work.
const LOOKED_AT_ONCE: usize = 1024;

/// A result of a decision: the position after it, whether the same player acts there, five numbers and an equity of
/// the player who decides.
type Chosen = (PyState, bool, [f32; 5], f32);

/// Points, luck, decisions and games without a winner.
type DuelColumns<'py> = (Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<f64>>, u64, u64);

/// Five numbers a position, and what they are worth.
type Judged<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// What the wins of a game are worth: the most points told apart, whether these are stakes of many sizes, and whether
/// evaluators of the standard game can play it.
#[pyfunction]
pub fn variant_prizes(rules: &PyRules) -> (u32, bool, bool) {
    let prizes = Prizes::of(rules.ruleset());
    (prizes.most(), prizes.are_stakes(), plays_like_the_standard_game(rules.ruleset()))
}

/// The five numbers of the player to act in each position, and what they are worth: `float32[n, 5]`, `float32[n]`.
#[pyfunction]
pub fn variant_numbers<'py>(
    py: Python<'py>,
    rules: &PyRules,
    states: Vec<PyRef<'_, PyState>>,
    evaluator: &Bound<'py, PyAny>,
) -> Result<Judged<'py>> {
    let known = rules.ruleset();
    let (prizes, judge) = (Prizes::of(known), AnyJudge::of(evaluator, known)?);
    let positions = states.iter().map(|state| rules.own(state)).collect::<Result<Vec<_>>>()?;
    let found = interruptible(py, None, |watch| {
        let mut found: Vec<Probs> = Vec::with_capacity(positions.len());
        for some in positions.chunks(LOOKED_AT_ONCE) {
            // What is stopped is raised: nobody sees how far this came.
            if watch(found.len()).is_break() {
                break;
            }
            let numbers = with_variant!(known.game(), game => family::numbers(game, &prizes, &judge, some));
            found.extend(numbers?);
        }
        Ok(found)
    })?;
    let found = found.map_err(|error: EvalError| judge.failure(error))?;
    let equities = PyArray1::from_iter(py, found.iter().map(|numbers| prizes.equity(numbers)));
    let numbers = found.iter().flat_map(|numbers: &Probs| numbers.to_array()).collect();
    Ok((PyArray1::from_vec(py, numbers).reshape([found.len(), 5])?, equities))
}

/// The results of a decision in the order of `VariantRules.plays`, valued for the player who decides.
#[pyfunction]
#[pyo3(signature = (rules, state, roll, evaluator))]
pub fn variant_choices(
    py: Python<'_>,
    rules: &PyRules,
    state: &PyState,
    roll: Option<&Bound<'_, PyAny>>,
    evaluator: &Bound<'_, PyAny>,
) -> Result<Vec<Chosen>> {
    let known = rules.ruleset();
    let (prizes, judge) = (Prizes::of(known), AnyJudge::of(evaluator, known)?);
    let position = rules.own(state)?;
    let roll = rules.throw(&position, roll)?;
    let found = interruptible(
        py,
        None,
        |_| with_variant!(known.game(), game => family::choices(game, &prizes, &judge, &position, roll)),
    )?;
    let found = found.map_err(|error| judge.failure(error))?;
    let shown = |choice: &family::Choice| {
        let equity = prizes.equity(&choice.numbers);
        (rules.state(choice.after), choice.kept, choice.numbers.to_array(), equity)
    };
    Ok(found.iter().map(shown).collect())
}

/// Whoever plays a duel.
enum Anyone {
    Random,
    Judge(AnyJudge),
}

impl Anyone {
    fn of(value: &Bound<'_, PyAny>, rules: &PyRules) -> Result<Anyone> {
        match value.extract::<&str>() {
            Ok(RANDOM) => Ok(Anyone::Random),
            _ => AnyJudge::of(value, rules.ruleset()).map(Anyone::Judge),
        }
    }

    fn contestant(&self) -> Contestant<'_> {
        match self {
            Anyone::Random => Contestant::Random,
            Anyone::Judge(judge) => judge.contestant(),
        }
    }

    fn failure(&self) -> Option<&AnyJudge> {
        match self {
            Anyone::Random => None,
            Anyone::Judge(judge) => Some(judge),
        }
    }
}

/// Play pairs of games with the same dice, in the first of which the first player begins.
///
/// Points of the first player `int32[n, 2]`, points by which the dice of both games were better for him
/// `float64[n]`, decisions made, games without a winner. After a stop by `progress`, told the number of pairs
/// done, those before the first that is not finished.
#[pyfunction]
#[pyo3(signature = (rules, first, second, judge, *, seed, begin, pairs, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are what a duel is made of")]
pub fn variant_duel<'py>(
    py: Python<'py>,
    rules: &PyRules,
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
    judge: Option<&Bound<'py, PyAny>>,
    seed: &Bound<'py, PyAny>,
    begin: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Result<DuelColumns<'py>> {
    let known = rules.ruleset();
    let players = [Anyone::of(first, rules)?, Anyone::of(second, rules)?];
    let luck = judge.map(|judge| AnyJudge::of(judge, known)).transpose()?;
    let seed = runtime::seed(seed)?;
    let begin = integer("begin", begin, 0..=MOST_PAIRS)?;
    let pairs = integer("pairs", pairs, 0..=MOST_PAIRS - begin)?;
    let threads = runtime::threads(threads)?;
    let prizes = Prizes::of(known);
    let numbers = begin as u64..(begin + pairs) as u64;
    let found = interruptible(py, progress.as_ref(), |watch| {
        with_variant!(known.game(), game => {
            let contest = Contest {
                game,
                prizes: &prizes,
                double_first: known.opening() == Opening::Reroll,
                players: [players[0].contestant(), players[1].contestant()],
                luck: luck.as_ref().map(|judge| judge as &dyn family::Judge),
                seed,
            };
            family::duel(&contest, numbers.clone(), threads, watch)
        })
    })?;
    let found = found.map_err(|error| {
        // The one that raised has its exception at hand; the others have none.
        let all = players.iter().filter_map(Anyone::failure).chain(luck.as_ref());
        let raised = all.map(|judge| judge.failure(error.clone()));
        let mut raised = raised.collect::<Vec<_>>();
        let python = raised.iter().position(|error| matches!(error, Error::Python(_)));
        raised.swap_remove(python.unwrap_or(0))
    })?;
    let points = found.iter().flat_map(|pair: &PairPlayed| pair.points).collect();
    Ok((
        PyArray1::from_vec(py, points).reshape([found.len(), 2])?,
        PyArray1::from_iter(py, found.iter().map(|pair| pair.luck)),
        found.iter().map(|pair| u64::from(pair.decisions)).sum(),
        found.iter().map(|pair| u64::from(pair.without_winner)).sum(),
    ))
}
