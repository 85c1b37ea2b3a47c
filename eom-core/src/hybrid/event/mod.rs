//! The event engine: steps of the flow, each to its end or to the first point at which a guard crosses.
//!
//! ```text
//! step(flow, longest) → (h, none | the first crossing in (0, h])
//! ```
//!
//! A step is looked at by what is cheapest and tells: polynomials of the guards where the method knows them
//! ahead (`series`); else a box around it, on which most are clear (`clearance`), a sketch, the dense output in Bernstein
//! form (`crossing`, `scan`, `polynomial`). The root is solved on steps of the flow (`cut`, `locate`). What samples and
//! polynomials say is proven, of polynomials by a bound of what follows their terms (`tail`), else by bounds of the guards'
//! programs (`proof`), of forces by the problem that they solve (`forces`); a step for which that fails is made shorter.
//! Where a jump has turned the motion at a root, the guard goes back (`departure`, `turned`).

mod arc;
mod carried;
mod clearance;
mod crossing;
mod cut;
mod departure;
mod forces;
mod guards;
mod least;
mod locate;
mod polynomial;
mod programs;
mod proof;
mod scan;
mod series;
mod tail;
mod turned;

use crate::flow::Flow;
use crate::snapshot::words::part;
use crate::system::System;
pub(super) use arc::{Arc, Cut, NEAR, RESOLUTION};
use clearance::Clearance;
pub(super) use departure::Simultaneous;
use forces::{ForceProof, Kept};
pub(super) use guards::Guards;
use guards::underflows;
use least::LeastGaps;
use proof::Proof;
pub(super) use scan::Side;
use tail::Tails;
use turned::Turned;

/// A root leaves so many roundings of what its guard is on the step.
const ROOTS: f64 = 16.0;

/// The guards of a run with what is known of them at the base point of the flow.
#[derive(Clone)]
pub(super) struct Events<'a> {
    pub(super) guards: Guards<'a>,
    pub(super) arc: Arc,
    pub(super) clearance: Clearance<'a>,
    pub(super) proof: Proof<'a>,
    pub(super) tails: Tails<'a>,
    /// Where something is held.
    forces: Option<Box<ForceProof<'a>>>,
    kept: Kept,
    /// The least gaps, where they are kept.
    pub(super) least: Option<LeastGaps<'a>>,
    /// Guards at the base point.
    pub(super) values: Vec<f64>,
    /// ρ of each guard there, as of the last instant.
    pub(super) roundings: Vec<f64>,
    /// What the search for the root of the present instant may have left of each declared event, beside ρ.
    left: Vec<f64>,
    /// Declared events that jumps have turned back.
    pub(super) turned: Turned,
    /// Which guards were only sampled on some step, by their kind: gaps, events, …, then forces of contacts.
    pub(super) sampled: Vec<bool>,
    /// Steps with which roots were solved.
    pub(super) root_iterations: u64,
}

impl<'a> Events<'a> {
    pub(super) fn new(system: &'a dyn System, inputs: &[f64], relative_tolerance: f64) -> Self {
        let (info, guards) = (system.info(), Guards::new(system, inputs, relative_tolerance));
        let count = guards.count();
        Self {
            guards,
            arc: Arc::new(info.positions() + info.speeds(), count),
            clearance: Clearance::new(system, inputs, count),
            proof: Proof::new(system, inputs, count),
            tails: Tails::new(system, inputs),
            forces: None,
            kept: Kept::default(),
            least: None,
            values: vec![0.0; count],
            roundings: vec![0.0; count],
            left: vec![0.0; count],
            turned: Turned::new(info.events.len()),
            sampled: vec![false; count + info.contacts.len()],
            root_iterations: 0,
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(super) fn rewind(&mut self) {
        self.guards.rewind();
        self.arc.rewind();
        self.clearance.rewind();
        self.kept.forget();
        self.values.fill(0.0);
        self.roundings.fill(0.0);
        self.left.fill(0.0);
        self.turned.rewind();
        self.sampled.fill(false);
        self.root_iterations = 0;
    }

    /// Keeps the least gaps from here on, or does not.
    pub(super) fn keep_least(&mut self, keeps: bool, system: &'a dyn System, inputs: &[f64]) {
        self.least = keeps.then(|| LeastGaps::new(system, inputs));
    }

    /// Looks at the gaps on the step h just made, which is taken to τ: there the last trial was.
    pub(super) fn see_gaps(&mut self, flow: &mut Flow<'_>, h: f64, τ: f64) {
        let Self { guards, arc, least, .. } = self;
        if let Some(least) = least {
            least.see_ends(flow);
            if !arc.above {
                least.see(flow, guards, (h, τ), &mut arc.dense);
            }
        }
    }

    /// The least gaps so far.
    pub(super) fn least_gaps(&self) -> Vec<f64> {
        self.least.as_ref().map(|least| least.gaps().to_vec()).unwrap_or_default()
    }

    /// The inputs are these from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        self.guards.set_inputs(inputs);
        self.clearance.set_inputs(inputs);
        self.proof.set_inputs(inputs);
        self.tails.set_inputs(inputs);
        if let Some(forces) = &mut self.forces {
            forces.set_inputs(inputs);
        }
        self.kept.forget();
        if let Some(least) = &mut self.least {
            least.set_inputs(inputs);
        }
    }

    /// The root of a guard has been found to a few roundings of the step, or of the way to it where polynomials told it: what of
    /// a declared event is as small as that is zero at this instant.
    pub(super) fn arrive(&mut self, is_root: bool) {
        for guard in 0..self.left.len() {
            let is_event = is_root && self.guards.event(guard).is_some();
            let left = ROOTS * f64::EPSILON * self.arc.part * self.arc.largest(guard);
            self.left[guard] = if is_event { left } else { 0.0 };
        }
    }

    /// Evaluates all guards at the base point, and their rounding. The first that is not finite. Before the mode is chosen
    /// one that holds forces may have no value, f/λ of a contact that is to close: then it keeps the value that it has had.
    pub(super) fn evaluate(&mut self, flow: &Flow<'_>, is_chosen: bool) -> Option<usize> {
        let Self { guards, arc, values, roundings, left, .. } = self;
        let t = flow.t();
        let may_lack = !is_chosen && guards.with_forces().next().is_some();
        if may_lack {
            arc.values.copy_from_slice(values);
        }
        guards.values(t, &flow.base.y, values);
        for guard in guards.with_forces().filter(|_| may_lack) {
            if !values[guard].is_finite() {
                values[guard] = arc.values[guard];
            }
        }
        guards.spreads(0..roundings.len(), (t, &flow.base.y), arc.uncertainties(), roundings);
        for ((rounding, value), left) in roundings.iter_mut().zip(&*values).zip(left) {
            // Of what is smaller than all numbers no root was looked for.
            if !underflows(*value) || !underflows(*rounding) {
                *rounding = rounding.max(*left);
            }
        }
        values.iter().position(|value| !value.is_finite())
    }

    /// The extents of what is closed or carried, at the base point, on their sides.
    pub(super) fn begin_extents(&mut self, flow: &Flow<'_>, ended: &[usize]) {
        let Self { guards, arc, values, roundings, .. } = self;
        let extents = guards.of_extents();
        if extents.is_empty() {
            return;
        }
        let at = (flow.t(), flow.base.y.as_slice());
        guards.write_extents(at, &mut values[extents.clone()]);
        guards.spreads(extents.clone(), at, arc.uncertainties(), &mut roundings[extents]);
        guards.begin_extents([values, roundings], ended);
    }

    /// A guard that is zero to its rounding because it has a pole there.
    pub(super) fn at_pole(&mut self, flow: &Flow<'_>) -> Option<usize> {
        let Self { guards, arc, values, roundings, proof, .. } = self;
        let (t, y) = (flow.t(), &flow.base.y);
        (0..guards.count()).find(|&guard| {
            values[guard].abs() <= roundings[guard]
                && proof.bounds(guards, guard)
                && proof.has_pole(guard, t, y, arc.uncertainties())
        })
    }
}

// A proof is made of a step as a whole.
part! { Events<'_> {
    parts: [guards, arc, clearance, values, roundings, turned, least, sampled],
    values: [kept, root_iterations],
    room: [proof, tails, forces, left],
} }
