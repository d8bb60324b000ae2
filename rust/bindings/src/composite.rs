//! An evaluator made of several, one for each kind of position.

use std::sync::Arc;

use gammon_core::eval::{Composite, EvalError, Evaluator};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use crate::errors::{Error, Result};
use crate::evaluator::{AnyEvaluator, PyBuiltIn};

/// Composites within composites: more are a mistake, and would use up the stack.
const MAX_DEPTH: usize = 16;

/// Evaluators for contact, crashed positions, races and bear-offs, as one.
#[pyclass(name = "Composite", module = "gammon.evaluators", frozen, extends = PyBuiltIn)]
pub struct PyComposite {
    /// Answers while both sides can still hit and build.
    #[pyo3(get)]
    contact: Py<PyAny>,
    /// Answers contact in which a side has at most six checkers of use.
    #[pyo3(get)]
    crashed: Py<PyAny>,
    /// Answers races with checkers outside the home boards.
    #[pyo3(get)]
    race: Py<PyAny>,
    /// Answers races with all checkers at home.
    #[pyo3(get)]
    bearoff: Py<PyAny>,
    /// Who answers what.
    #[pyo3(get)]
    id: String,
    /// How deep composites are nested in it.
    depth: usize,
}

#[pymethods]
impl PyComposite {
    #[new]
    fn new(
        py: Python<'_>,
        contact: Py<PyAny>,
        crashed: Py<PyAny>,
        race: Py<PyAny>,
        bearoff: Py<PyAny>,
    ) -> Result<PyClassInitializer<PyComposite>> {
        let depth = |part: &Py<PyAny>| part.bind(py).cast::<PyComposite>().map_or(0, |part| part.get().depth);
        let depth = 1 + [&contact, &crashed, &race, &bearoff].into_iter().map(depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(Error::Setting(format!("composites may be nested {MAX_DEPTH} deep, not {depth}")));
        }
        let made = PyComposite { contact, crashed, race, bearoff, id: String::new(), depth };
        let id = made.joined(py)?.core.id().to_owned();
        Ok(PyBuiltIn::base_of(PyComposite { id, ..made }))
    }

    fn __repr__(&self) -> String {
        format!("<Composite {}>", self.id)
    }

    /// A part may lead back here; whoever else is in the circle breaks it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> std::result::Result<(), PyTraverseError> {
        self.parts().into_iter().try_for_each(|part| visit.call(part))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<PyComposite>().into_any(), PyTuple::new(py, self.parts())?))
    }
}

impl PyComposite {
    fn parts(&self) -> [&Py<PyAny>; 4] {
        [&self.contact, &self.crashed, &self.race, &self.bearoff]
    }

    /// The evaluators as the core sees them, for the length of one call.
    pub fn joined(&self, py: Python<'_>) -> Result<Joined> {
        let mut parts: Vec<(&Py<PyAny>, AnyEvaluator)> = Vec::new();
        let mut core = Vec::new();
        for object in self.parts() {
            if !parts.iter().any(|(known, _)| known.is(object)) {
                parts.push((object, AnyEvaluator::of(object.bind(py))?));
            }
            let part = parts.iter().find(|(known, _)| known.is(object));
            core.extend(part.map(|(_, part)| part.to_core()));
        }
        let Ok([contact, crashed, race, bear_off]) = <[Arc<dyn Evaluator>; 4]>::try_from(core) else {
            return Err(Error::Internal("four evaluators are not four".to_owned()));
        };
        let core = Arc::new(Composite::new(contact, crashed, race, bear_off));
        Ok(Joined { core, parts: parts.into_iter().map(|(_, part)| part).collect() })
    }
}

/// A composite and what it is made of.
pub struct Joined {
    /// As the core sees it.
    pub core: Arc<Composite>,
    parts: Vec<AnyEvaluator>,
}

impl Joined {
    /// What to raise for an error: the exception of the part that raised one.
    pub fn failure(&self, error: &EvalError) -> Error {
        let failures = self.parts.iter().map(|part| part.failure(error.clone()));
        let raised = failures.into_iter().find(|failure| matches!(failure, Error::Python(_)));
        raised.unwrap_or_else(|| Error::Evaluator(error.to_string()))
    }
}
