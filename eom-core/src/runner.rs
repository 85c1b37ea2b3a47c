//! Runs of one system, one after another in the same room: each is admitted, driven to its end, and its
//! end explained.

use crate::end::End;
use crate::error::StartError;
use crate::hybrid::automaton::Automaton;
use crate::options::Options;
use crate::simulate::Progress;
use crate::singular::SingularMass;
use crate::start::{admit, check};
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;
use std::ops::ControlFlow;

/// Where a mass matrix is as good as singular when a run gets stuck, it is why.
const SINGULAR: f64 = 1e-10;

/// Runs with the same inputs and options.
pub(crate) struct Runner<'a> {
    system: &'a dyn System,
    inputs: &'a [f64],
    options: &'a Options,
    /// None before the first run, and during one. A run is moved from place to place, its room is not.
    automaton: Option<Box<Automaton<'a>>>,
}

/// A run under way.
pub(crate) struct Run<'a> {
    /// Where it was admitted.
    start: State,
    /// Whether its first instant is over.
    begun: bool,
    pub(crate) automaton: Box<Automaton<'a>>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(system: &'a dyn System, inputs: &'a [f64], options: &'a Options) -> Self {
        Self { system, inputs, options, automaton: None }
    }

    /// One run.
    pub(crate) fn run(
        &mut self,
        start: &State,
        observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<Trajectory, StartError> {
        let mut run = self.begin(start)?;
        let end = run.drive(observer);
        Ok(self.finish(run, end))
    }

    /// A run from a start, of which nothing has been done.
    pub(crate) fn begin(&mut self, start: &State) -> Result<Run<'a>, StartError> {
        let Self { system, inputs, options, .. } = *self;
        let mut start = start.clone();
        check(system, &start, inputs, options)?;
        let room = self.automaton.take();
        let mut automaton =
            room.unwrap_or_else(|| Box::new(Automaton::new(system, inputs, options)));
        let admitted = admit(system, automaton.manifold(), &mut start, inputs, options);
        if let Err(error) = admitted {
            self.automaton = Some(automaton);
            return Err(named(system, &start, error));
        }
        automaton.rewind(&start);
        Ok(Run { start, begun: false, automaton })
    }

    /// What came of a run that has ended.
    pub(crate) fn finish(&mut self, run: Run<'a>, end: End) -> Trajectory {
        let Run { start, automaton: mut run, .. } = run;
        let end = explained(self.system, &mut run, &start, end);
        let (stats, rest, ledger) = (run.stats(), run.rest, run.close_books());
        let (samples, events, modes) = run.finish();
        self.automaton = Some(run);
        Trajectory { samples, events, modes, end, rest, stats, ledger }
    }
}

impl Run<'_> {
    /// The first instant, once.
    pub(crate) fn begin(&mut self) -> Result<(), End> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        self.automaton.begin()
    }

    /// Arc after arc, until something ends the run.
    fn drive(&mut self, observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>) -> End {
        let mut outcome = self.begin();
        let run = &mut self.automaton;
        loop {
            if let Err(end) = outcome {
                return end;
            }
            outcome = run.advance();
            let (t, stats) = (run.t(), run.stats());
            let (q, v) = run.parts();
            let progress = Progress { t, q, v, stats };
            if observer(&progress).is_break() && outcome.is_ok() {
                return End::Interrupted { t: run.t() };
            }
        }
    }
}

/// A metric that is lost at the start, by its state and velocities.
fn named(system: &dyn System, start: &State, error: StartError) -> StartError {
    match error {
        StartError::Metric(lost) => {
            SingularMass::find(system, (start.t, &start.q), None, f64::INFINITY)
                .map_or(StartError::Metric(lost), StartError::Singular)
        }
        error => error,
    }
}

/// The end of a run that got stuck, by its reason.
fn explained(system: &dyn System, run: &mut Automaton<'_>, start: &State, end: End) -> End {
    let stuck = match &end {
        End::NonFinite { .. } | End::StepUnderflow { .. } => true,
        End::OffConstraints { residuals, .. } => residuals.is_empty(),
        _ => false,
    };
    let t = run.t();
    let lost = || SingularMass::find(system, (t, run.parts().0), Some(start), SINGULAR);
    match stuck.then(lost).flatten() {
        Some(mass) => End::SingularMass { t, mass },
        None => end,
    }
}
