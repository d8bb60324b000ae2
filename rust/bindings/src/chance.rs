//! Dice and other chance of many trials at once, for loops over games that are written in Python.

use gammon_core::rng::Stream;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Error, Result};
use crate::runtime;

/// Keeps choices apart from the dice of the same trial.
const CHOICES: u64 = 1;

/// The rolls of some turns of some trials: `uint8[n, 2]`, the larger die first.
///
/// Row `i` is the roll that turn `turns[i]` of trial `trials[i]` has in any rollout with that seed; `opening`
/// as there: turn 0 is then a game's first roll, never a double. Both arrays are `uint64[n]`.
///
/// Raises `ArrayError` for another dtype, or arrays of different lengths, `SettingError` for no seed.
#[pyfunction]
#[pyo3(signature = (seed, trials, turns, *, opening = false))]
pub fn rolls<'py>(
    py: Python<'py>,
    seed: &Bound<'py, PyAny>,
    trials: &Bound<'py, PyAny>,
    turns: &Bound<'py, PyAny>,
    opening: bool,
) -> Result<Bound<'py, PyArray2<u8>>> {
    let seed = runtime::seed(seed)?;
    let places = places(trials, turns)?;
    let count = places.len();
    let dice = places.into_iter().flat_map(|(trial, turn)| {
        let stream = Stream::new(seed, trial);
        let roll = if opening && turn == 0 { stream.opening_roll(0) } else { stream.roll(turn) };
        [roll.high(), roll.low()]
    });
    Ok(PyArray1::from_vec(py, dice.collect()).reshape([count, 2])?)
}

/// Random numbers from 0 up to but not including 1: one of each of some trials, for choices beside the dice.
///
/// Raises what `rolls` does.
#[pyfunction]
pub fn random_numbers<'py>(
    py: Python<'py>,
    seed: &Bound<'py, PyAny>,
    trials: &Bound<'py, PyAny>,
    counters: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArray1<f64>>> {
    let seed = runtime::seed(seed)?;
    let places = places(trials, counters)?;
    let numbers =
        places.into_iter().map(|(trial, counter)| Stream::new(seed, trial).fork(CHOICES).unit(counter));
    Ok(PyArray1::from_vec(py, numbers.collect()))
}

/// Trials and places within them.
fn places(trials: &Bound<'_, PyAny>, counters: &Bound<'_, PyAny>) -> Result<Vec<(u64, u64)>> {
    let trials = arrays::whole_numbers("trials", trials)?;
    let counters = arrays::whole_numbers("counters", counters)?;
    if trials.len() != counters.len() {
        let (trials, counters) = (trials.len(), counters.len());
        return Err(Error::Array(format!("{trials} trials but {counters} places within them")));
    }
    Ok(trials.into_iter().zip(counters).collect())
}
