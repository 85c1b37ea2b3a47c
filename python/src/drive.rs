//! Runs that are made without Python, and look up from time to time whether it wants to stop them.

use crate::fault::{exception, guarded, raised};
use eom_core::{Conserved, Options, Progress, Run, StartError, State, Trajectory};
use eom_interpreter::Interpreted;
use eom_interpreter::request::{Refusal, Request};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps between two looks at the clock.
const STEPS: usize = 64;

/// Time between two looks at Python.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// A run that is over, and whether Python stopped it.
pub(crate) struct Made {
    pub(crate) trajectory: Trajectory,
    pub(crate) stopped: Option<PyErr>,
}

/// A look at Python now and then: what it wants to be raised.
pub(crate) struct Looks(Instant);

impl Looks {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn look(&mut self) -> Option<PyErr> {
        if self.0.elapsed() < LOOK {
            return None;
        }
        self.0 = Instant::now();
        tell_signals().err()
    }
}

/// Lets Python handle the signals that have come.
fn tell_signals() -> PyResult<()> {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
    Python::attach(|py| py.check_signals())
}

/// Steps a run to its end, or until Python stops it.
pub(crate) fn to_end(run: &mut Run<'_>) -> Option<PyErr> {
    let mut looks = Looks::new();
    while run.end().is_none() {
        for _ in 0..STEPS {
            // How it ends is asked of the run itself.
            if run.step().is_break() {
                break;
            }
        }
        let stop = looks.look();
        if stop.is_some() {
            return stop;
        }
    }
    None
}

/// What a run keeps, where it keeps something.
pub(crate) type Kept = Option<Arc<dyn Conserved>>;

/// Begins a run of a request with these options.
pub(crate) fn begin<'s>(
    system: &'s Interpreted,
    Request { start, inputs, .. }: &Request,
    options: &Options,
    kept: &Kept,
) -> Result<Run<'s>, StartError> {
    let mut run = Run::with_inputs(system, start, inputs, options)?;
    if let Some(kept) = kept {
        run.conserve(Arc::clone(kept))?;
    }
    Ok(run)
}

/// Steps a run to its end, or until what looks at it breaks.
pub(crate) fn observed(
    mut run: Run<'_>,
    mut see: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Trajectory {
    while run.end().is_none() {
        // How it ends is asked of the run itself.
        let _ = run.step();
        let State { t, q, v } = run.state();
        if see(&Progress { t: *t, q, v, stats: run.stats() }).is_break() {
            break;
        }
    }
    run.finish()
}

/// Makes a run.
pub(crate) fn make(
    py: Python<'_>,
    system: &Interpreted,
    request: &Request,
    kept: &Kept,
) -> PyResult<Made> {
    let make = || -> Result<Made, StartError> {
        let mut run = begin(system, request, &request.options, kept)?;
        let stopped = to_end(&mut run);
        Ok(Made { trajectory: run.finish(), stopped })
    };
    let made = py.detach(|| guarded(make))?;
    made.map_err(|error| raised(py, &Refusal::Start(error)))
}

/// What is raised where Python stops something that keeps what is done.
pub(crate) fn interrupted(py: Python<'_>, stop: PyErr, said: &str, kept: Py<PyAny>) -> PyErr {
    if !stop.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) {
        return stop;
    }
    exception(py, "Interrupted", (said, kept))
}
