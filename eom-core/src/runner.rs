//! Runs of one system, one after another in the same room: each is admitted, driven to its end, and its
//! end explained.

use crate::end::End;
use crate::error::StartError;
use crate::hybrid::automaton::Automaton;
use crate::options::Options;
use crate::run::Run;
use crate::simulate::Progress;
use crate::singular::SingularMass;
use crate::start::{admit, check};
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;
use std::ops::ControlFlow;

/// Where a mass matrix is as good as singular when a run gets stuck, it is why.
const SINGULAR: f64 = 1e-10;

/// The room of a run.
type Room<'a> = Option<Box<Automaton<'a>>>;

/// Runs with the same inputs and options.
pub(crate) struct Runner<'a> {
    system: &'a dyn System,
    inputs: &'a [f64],
    options: &'a Options,
    /// None before the first run, and during one. A run is moved from place to place, its room is not.
    room: Room<'a>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(system: &'a dyn System, inputs: &'a [f64], options: &'a Options) -> Self {
        Self { system, inputs, options, room: None }
    }

    /// One run.
    pub(crate) fn run(
        &mut self,
        start: &State,
        observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<Trajectory, StartError> {
        let mut run = self.begin(start)?;
        run.begin();
        while run.end().is_none() {
            run.go_on();
            if run.automaton.is_pending() {
                continue;
            }
            if observer(&run.progress()).is_break() {
                run.interrupt();
            }
        }
        Ok(self.finish(run))
    }

    /// A run from a start, of which nothing has been done.
    pub(crate) fn begin(&mut self, start: &State) -> Result<Run<'a>, StartError> {
        let Self { system, inputs, options, .. } = *self;
        check(system, start, inputs, options)?;
        options.check_end()?;
        admitted(system, start, inputs, options, &mut self.room)
    }

    /// What came of a run that has ended.
    pub(crate) fn finish(&mut self, run: Run<'a>) -> Trajectory {
        let (trajectory, room) = run.close();
        self.room = Some(room);
        trajectory
    }
}

/// A run at a start that [`check`] let pass, in this room where there is one; a start that is refused leaves it.
pub(crate) fn admitted<'a>(
    system: &'a dyn System,
    start: &State,
    inputs: &[f64],
    options: &Options,
    room: &mut Room<'a>,
) -> Result<Run<'a>, StartError> {
    let mut start = start.clone();
    let mut automaton =
        room.take().unwrap_or_else(|| Box::new(Automaton::new(system, inputs, options)));
    match admit(system, automaton.manifold(), &mut start, inputs, options) {
        Ok(()) => Ok(Run::at(start, automaton)),
        Err(error) => {
            *room = Some(automaton);
            Err(named(system, &start, error))
        }
    }
}

/// A metric that is lost at the start, by its state and velocities.
pub(crate) fn named(system: &dyn System, start: &State, error: StartError) -> StartError {
    match error {
        StartError::Metric(lost) => {
            SingularMass::find(system, (start.t, &start.q), None, f64::INFINITY)
                .map_or(StartError::Metric(lost), StartError::Singular)
        }
        error => error,
    }
}

/// The end of a run that got stuck, by its reason.
pub(crate) fn explained(run: &mut Automaton<'_>, start: &State, end: End) -> End {
    let stuck = match &end {
        End::NonFinite { .. } | End::StepUnderflow { .. } => true,
        End::OffConstraints { residuals, .. } => residuals.is_empty(),
        _ => false,
    };
    let (system, t) = (run.system(), run.t());
    let lost = || SingularMass::find(system, (t, run.parts().0), Some(start), SINGULAR);
    match stuck.then(lost).flatten() {
        Some(mass) => End::SingularMass { t, mass },
        None => end,
    }
}
