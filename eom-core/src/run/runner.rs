//! Runs of one system, one after another in the same room: each is admitted, driven to its end, and its
//! end explained.

use super::Run;
use super::admission::{Room, admitted};
use super::options::Options;
use super::progress::Progress;
use super::start::check;
use crate::error::StartError;
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;
use std::ops::ControlFlow;

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

    /// Whether it makes the runs of a system with inputs and options: the very same ones, none that only equal them.
    #[cfg(feature = "batch")]
    pub(crate) fn serves(&self, system: &dyn System, inputs: &[f64], options: &Options) -> bool {
        // Types without a field may share a place, and have infos of their own.
        std::ptr::addr_eq(self.system, system)
            && std::ptr::eq(self.system.info(), system.info())
            && std::ptr::eq(self.inputs, inputs)
            && std::ptr::eq(self.options, options)
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
        let (start, room) = admitted(system, start, inputs, options, &mut self.room)?;
        Ok(Run::at(start, room))
    }

    /// What came of a run that has ended.
    pub(crate) fn finish(&mut self, run: Run<'a>) -> Trajectory {
        let (trajectory, room) = run.close();
        self.room = Some(room);
        trajectory
    }
}
