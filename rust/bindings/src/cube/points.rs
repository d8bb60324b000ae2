//! The chances to win at which decisions change.

use std::hash::{Hash, Hasher};

use gammon_core::cube::janowski::Odds;
use gammon_core::cube::{self, CubeError};
use gammon_core::{Player, Probs};
use pyo3::prelude::*;

use super::{life_of, stakes};
use crate::errors::Result;
use crate::met::PyMet;
use crate::situation::PySituation;
use crate::values::{hash_numbers, shown};

/// Where decisions change, as the player on roll's chance to win at a fixed mix of gammons.
#[pyclass(name = "CubePoints", module = "gammon.cube", frozen, get_all, eq, hash)]
#[derive(Clone, Copy, PartialEq)]
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

/// Eleven fields in their order.
type PointFields = (Point, Point, Point, Point, Point, Point, Point, Window, Window, (f64, f64), (f64, f64));
type Point = Option<f64>;
type Window = Option<(f64, f64)>;

/// Equal points have equal numbers.
impl Hash for PyCubePoints {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let points = [self.take, self.double, self.cash, self.too_good];
        points.map(|point| point.is_some()).hash(state);
        hash_numbers(points.into_iter().flatten(), state);
    }
}

#[pymethods]
impl PyCubePoints {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the fields")]
    fn new(
        take: Point,
        recube_vig: Point,
        beaver: Point,
        raccoon: Point,
        double: Point,
        cash: Point,
        too_good: Point,
        dead_window: Window,
        redoubled_window: Window,
        gammon_value: (f64, f64),
        opponent_gammon_value: (f64, f64),
    ) -> PyCubePoints {
        PyCubePoints {
            take,
            recube_vig,
            beaver,
            raccoon,
            double,
            cash,
            too_good,
            dead_window,
            redoubled_window,
            gammon_value,
            opponent_gammon_value,
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "CubePoints(take={}, recube_vig={}, beaver={}, raccoon={}, double={}, cash={}, too_good={}, \
             dead_window={}, redoubled_window={}, gammon_value={:?}, opponent_gammon_value={:?})",
            shown(self.take),
            shown(self.recube_vig),
            shown(self.beaver),
            shown(self.raccoon),
            shown(self.double),
            shown(self.cash),
            shown(self.too_good),
            shown(self.dead_window),
            shown(self.redoubled_window),
            self.gammon_value,
            self.opponent_gammon_value
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, PointFields) {
        let fields = (
            self.take,
            self.recube_vig,
            self.beaver,
            self.raccoon,
            self.double,
            self.cash,
            self.too_good,
            self.dead_window,
            self.redoubled_window,
            self.gammon_value,
            self.opponent_gammon_value,
        );
        (py.get_type::<PyCubePoints>().into_any(), fields)
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
