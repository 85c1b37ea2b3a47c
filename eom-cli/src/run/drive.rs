//! A run as the command makes it: step by step, and what comes of it is handed on as it comes.

use crate::run::progress::Bar;
use crate::run::request::Request;
use crate::shell;
use eom_core::{Event, ModeSpan, Options, Progress, Run, StartError, State, Trajectory, simulate};
use eom_interpreter::account::Watch;
use std::ops::ControlFlow;

/// Steps between two looks at what has come: with samples at an interval some 10⁴ of them.
const STEPS: u64 = 16;

/// What has come of a run since the last look.
pub(crate) struct Come {
    /// Samples.
    pub(crate) samples: Vec<State>,
    /// Impacts and events.
    pub(crate) events: Vec<Event>,
    /// Modes.
    pub(crate) modes: Vec<ModeSpan>,
    /// The numbers of samples and events with all their digits, where these are more than doubles have.
    pub(crate) digits: Option<Digits>,
}

/// Numbers with all their digits.
pub(crate) struct Digits {
    /// t, q, v of each sample.
    pub(crate) samples: Vec<Vec<String>>,
    /// t, then q and v before and v after each event.
    pub(crate) events: Vec<Vec<String>>,
}

/// Runs to the end, to an interrupt, or until `take` has what it wanted. What `take` was given is not in
/// the trajectory.
pub(crate) fn drive(
    request: &Request,
    options: &Options,
    watch: &mut Watch<'_>,
    mut take: impl FnMut(Come) -> ControlFlow<()>,
) -> Result<Trajectory, StartError> {
    let Request { system, start, inputs, .. } = request;
    let mut run = Run::with_inputs(&**system, start, inputs, options)?;
    if let Some(kept) = &request.conserve {
        run.conserve(kept.clone())?;
    }
    if !options.has_end() {
        return Err(StartError::NoEnd);
    }
    let mut bar = Bar::new(start.t, options);
    for steps in 1_u64.. {
        if run.end().is_some() || shell::is_interrupted() {
            break;
        }
        // How it ends is asked of the run itself.
        let _ = run.step();
        let State { t, q, v } = run.state();
        watch.see(*t, q, v);
        bar.see(&Progress { t: *t, q, v, stats: run.stats() });
        if steps % STEPS == 0 {
            let (samples, events) = (run.take_samples(), run.take_events());
            if take(Come { samples, events, modes: run.take_modes(), digits: None }).is_break() {
                break;
            }
        }
    }
    bar.finish();
    let mut trajectory = run.finish();
    watch.take_gaps(&trajectory.least_gaps);
    let samples = std::mem::take(&mut trajectory.samples);
    let events = std::mem::take(&mut trajectory.events);
    let modes = std::mem::take(&mut trajectory.modes);
    // It is over: there is nothing to stop.
    let _ = take(Come { samples, events, modes, digits: None });
    Ok(trajectory)
}

/// Runs to the end, or to an interrupt, without a bar and without a look at the constraints.
pub(crate) fn execute_quietly(
    request: &Request,
    options: &Options,
) -> Result<Trajectory, StartError> {
    if let Some(kept) = &request.conserve {
        let Request { system, start, inputs, .. } = request;
        let mut run = Run::with_inputs(&**system, start, inputs, options)?;
        run.conserve(kept.clone())?;
        while run.end().is_none() && !shell::is_interrupted() {
            // How it ends is asked of the run itself.
            let _ = run.step();
        }
        return Ok(run.finish());
    }
    let mut observer = |_: &Progress<'_>| {
        if shell::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    simulate(&*request.system, &request.start, &request.inputs, options, &mut observer)
}
