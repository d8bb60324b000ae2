//! Positions of any game as the mappings Python writes and reads.

use gammon_core::Roll;
use gammon_core::rules::{Asks, Marking, View};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{Error, Result, shown};
use crate::runtime::whole;

/// A pair of whole numbers that a byte holds.
fn pair(name: &str, value: &Bound<'_, PyAny>) -> Result<[u8; 2]> {
    let wrong = || field_error(name, value, "two whole numbers from 0 to 255");
    let parts = value.try_iter().map_err(|_| wrong())?.take(3).collect::<PyResult<Vec<_>>>()?;
    let [one, two] = parts.as_slice() else { return Err(wrong()) };
    let number = |part| whole(part).and_then(|number| u8::try_from(number).ok()).ok_or_else(wrong);
    Ok([number(one)?, number(two)?])
}

fn flags(name: &str, value: &Bound<'_, PyAny>) -> Result<[bool; 2]> {
    value.extract::<[bool; 2]>().map_err(|_| field_error(name, value, "two of True and False"))
}

fn field_error(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> Error {
    Error::Points(format!("{name} is {}, expected {expected}", shown(value)))
}

/// Checkers by point: a mapping whose keys are numbers or the texts of such, each point once.
fn checkers(name: &str, value: &Bound<'_, PyAny>) -> Result<[u8; 25]> {
    let wrong = || field_error(name, value, "a mapping from the points 1 to 24 to numbers of checkers");
    let (mut found, mut seen) = ([0; 25], 0);
    for (key, count) in value.cast::<PyDict>().map_err(|_| wrong())? {
        let point = point_of(&key).ok_or_else(|| {
            field_error(
                &format!("a point of {name}"),
                &key,
                "one of the points 1 to 24, without zeros before it",
            )
        })?;
        note(&mut seen, name, point)?;
        let count_wrong = || field_error(&format!("point {point} of {name}"), &count, "a number of checkers");
        found[point] = whole(&count).and_then(|count| u8::try_from(count).ok()).ok_or_else(count_wrong)?;
    }
    Ok(found)
}

/// A point from 1 to 24, as a number or as its text.
fn point_of(value: &Bound<'_, PyAny>) -> Option<usize> {
    let point = match value.cast::<PyString>() {
        Ok(text) => {
            let text = text.to_string_lossy();
            // No sign and no zero before it, or one point could be written twice.
            text.parse::<usize>().ok().filter(|point| point.to_string() == text)
        }
        Err(_) => whole(value).and_then(|point| usize::try_from(point).ok()),
    };
    point.filter(|point| (1..=24).contains(point))
}

/// Notes that a point was named; an error if it has been before.
fn note(seen: &mut u32, name: &str, point: usize) -> Result<()> {
    if *seen >> point & 1 != 0 {
        return Err(Error::Points(format!("{name} has point {point} twice")));
    }
    *seen |= 1 << point;
    Ok(())
}

fn points(name: &str, value: &Bound<'_, PyAny>) -> Result<u32> {
    let wrong = || field_error(name, value, "a list of points from 1 to 24");
    let mut found = 0;
    for point in value.try_iter().map_err(|_| wrong())? {
        match whole(&point?) {
            Some(point @ 1..=24) => note(&mut found, name, point as usize)?,
            _ => return Err(wrong()),
        }
    }
    Ok(found)
}

/// A view from its fields; each but the checkers on points may be missing.
pub(super) fn view_of(fields: &Bound<'_, PyDict>) -> Result<View> {
    for (name, whose) in [("me", "the player to act"), ("opp", "the opponent")] {
        if !fields.contains(name)? {
            return Err(Error::Points(format!("{name}, the checkers of {whose} by his points, is missing")));
        }
    }
    let mut view = View::default();
    for (key, value) in fields {
        let name = key.cast::<PyString>().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match name.as_str() {
            "me" => view.checkers[0] = checkers("me", &value)?,
            "opp" => view.checkers[1] = checkers("opp", &value)?,
            "bar" => view.bar = pair("bar", &value)?,
            "hand" => view.hand = pair("hand", &value)?,
            "off" => view.off = pair("off", &value)?,
            "turns" => view.turns = pair("turns", &value)?,
            "reached" => view.reached = flags("reached", &value)?,
            "six_seen" => view.six_seen = flags("six_seen", &value)?,
            "closed_home_seen" => view.closed_home_seen = flags("closed_home_seen", &value)?,
            "six_outside_seen" => view.six_outside_seen = flags("six_outside_seen", &value)?,
            "acey_rolled" => {
                let wrong = || field_error("acey_rolled", &value, "a whole number from 0 to 255");
                let count = whole(&value).and_then(|count| u8::try_from(count).ok());
                view.acey_rolled = count.ok_or_else(wrong)?;
            }
            "started" if value.is_none() => {}
            "started" => {
                let wrong = || field_error("started", &value, "True, False or None");
                view.started = Some(value.extract::<bool>().map_err(|_| wrong())?);
            }
            "pinned" => view.pinned = pins(&value)?,
            "asks" => view.asks = asks_of(&value)?,
            "tt" => view.marking = Some(marking_of(&value, &mut view.turns)?),
            _ => {
                return Err(Error::Points(format!("a position has no field {}", shown(&key))));
            }
        }
    }
    Ok(view)
}

fn pins(value: &Bound<'_, PyAny>) -> Result<[u32; 2]> {
    let wrong = || field_error("pinned", value, "a mapping from 'me' and 'opp' to lists of points");
    let mut found = [0; 2];
    for (side, list) in value.cast::<PyDict>().map_err(|_| wrong())? {
        match side.extract::<String>().ok().as_deref() {
            Some("me") => found[0] = points("me of pinned", &list)?,
            Some("opp") => found[1] = points("opp of pinned", &list)?,
            _ => return Err(wrong()),
        }
    }
    Ok(found)
}

/// A marking from its fields, and the turns among them.
pub(super) fn marking_of(value: &Bound<'_, PyAny>, turns: &mut [u8; 2]) -> Result<Marking> {
    let wrong = || field_error("tt", value, "a mapping with the marking");
    let mut marking = Marking::default();
    for (key, value) in value.cast::<PyDict>().map_err(|_| wrong())? {
        match key.extract::<String>().ok().as_deref() {
            Some("pts") => marking.pts = pair("pts", &value)?,
            Some("clean") => marking.clean = flags("clean", &value)?,
            Some("holes") => marking.holes = pair("holes", &value)?,
            Some("gclean") => marking.gclean = flags("gclean", &value)?,
            Some("runs") => marking.runs = pair("runs", &value)?,
            Some("best_runs") => marking.best_runs = pair("best_runs", &value)?,
            Some("turns") => *turns = pair("turns", &value)?,
            _ => return Err(Error::Points(format!("a marking has no field {}", shown(&key)))),
        }
    }
    Ok(marking)
}

/// What the player to act has to do, from the list that `asks_list` makes.
fn asks_of(value: &Bound<'_, PyAny>) -> Result<Asks> {
    let wrong = || field_error("asks", value, "what a position's own field says");
    let parts = value.try_iter().map_err(|_| wrong())?.take(4).collect::<PyResult<Vec<_>>>()?;
    let (word, numbers) = parts.split_first().ok_or_else(wrong)?;
    let word: String = word.extract().map_err(|_| wrong())?;
    let byte = |part| whole(part).and_then(|number| u8::try_from(number).ok());
    let numbers: Option<Vec<u8>> = numbers.iter().map(byte).collect();
    let in_range = |number: &u8| (1..=6).contains(number);
    match (word.as_str(), numbers.ok_or_else(wrong)?.as_slice()) {
        ("throw", []) => Ok(Asks::Throw),
        ("name", []) => Ok(Asks::Name),
        ("nothing", []) => Ok(Asks::Nothing),
        ("four", [number]) if in_range(number) => Ok(Asks::Four(*number)),
        ("gift", [number, count]) if in_range(number) && (1..=4).contains(count) => {
            Ok(Asks::Gift { number: *number, count: *count })
        }
        ("mark", [points]) if *points > 0 && points % 2 == 0 && *points <= 126 => Ok(Asks::Mark(*points)),
        ("play", [one, two]) => Roll::new(*one, *two).map(Asks::Play).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn asks_list(py: Python<'_>, asks: Asks) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    let (word, numbers): (&str, Vec<u8>) = match asks {
        Asks::Throw => ("throw", vec![]),
        Asks::Name => ("name", vec![]),
        Asks::Nothing => ("nothing", vec![]),
        Asks::Four(number) => ("four", vec![number]),
        Asks::Gift { number, count } => ("gift", vec![number, count]),
        Asks::Play(roll) => ("play", vec![roll.high(), roll.low()]),
        Asks::Mark(points) => ("mark", vec![points]),
    };
    list.append(word)?;
    for number in numbers {
        list.append(number)?;
    }
    Ok(list)
}

fn bits(py: Python<'_>, points: u32) -> PyResult<Bound<'_, PyList>> {
    PyList::new(py, (1..=24).filter(|point| points >> point & 1 != 0))
}

/// The fields of a view that say something.
pub(super) fn fields_of<'py>(py: Python<'py>, view: &View) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, checkers) in [("me", &view.checkers[0]), ("opp", &view.checkers[1])] {
        let points = PyDict::new(py);
        for point in (1..=24).rev().filter(|&point| checkers[point] > 0) {
            points.set_item(point.to_string(), checkers[point])?;
        }
        fields.set_item(name, points)?;
    }
    for (name, pair) in [("bar", view.bar), ("hand", view.hand), ("off", view.off), ("turns", view.turns)] {
        if pair != [0; 2] && (name != "turns" || view.marking.is_none()) {
            fields.set_item(name, PyList::new(py, pair)?)?;
        }
    }
    let notes = [
        ("reached", view.reached),
        ("six_seen", view.six_seen),
        ("closed_home_seen", view.closed_home_seen),
        ("six_outside_seen", view.six_outside_seen),
    ];
    for (name, pair) in notes {
        if pair != [false; 2] {
            fields.set_item(name, PyList::new(py, pair)?)?;
        }
    }
    if view.pinned != [0; 2] {
        let pinned = PyDict::new(py);
        pinned.set_item("me", bits(py, view.pinned[0])?)?;
        pinned.set_item("opp", bits(py, view.pinned[1])?)?;
        fields.set_item("pinned", pinned)?;
    }
    if view.acey_rolled > 0 {
        fields.set_item("acey_rolled", view.acey_rolled)?;
    }
    if let Some(started) = view.started {
        fields.set_item("started", started)?;
    }
    if let Some(marking) = &view.marking {
        let tt = marking_fields(py, marking, view.turns)?;
        fields.set_item("tt", tt)?;
    }
    if view.asks != Asks::Throw {
        fields.set_item("asks", asks_list(py, view.asks)?)?;
    }
    Ok(fields)
}

/// The fields of a marking.
pub(super) fn marking_fields<'py>(
    py: Python<'py>,
    marking: &Marking,
    turns: [u8; 2],
) -> PyResult<Bound<'py, PyDict>> {
    let tt = PyDict::new(py);
    tt.set_item("pts", PyList::new(py, marking.pts)?)?;
    tt.set_item("clean", PyList::new(py, marking.clean)?)?;
    tt.set_item("holes", PyList::new(py, marking.holes)?)?;
    tt.set_item("gclean", PyList::new(py, marking.gclean)?)?;
    tt.set_item("turns", PyList::new(py, turns)?)?;
    if marking.runs != [0; 2] || marking.best_runs != [0; 2] {
        tt.set_item("runs", PyList::new(py, marking.runs)?)?;
        tt.set_item("best_runs", PyList::new(py, marking.best_runs)?)?;
    }
    Ok(tt)
}
