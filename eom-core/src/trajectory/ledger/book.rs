//! The books of a run under way: filled step by step and instant by instant, closed at its end.

use super::drift::Watch;
use super::powers::Powers;
use super::{Cause, Jump, Ledger, Source, Work};
use crate::flow::{Flow, Point};
use crate::friction::slip_state::SlipState;
use crate::info::{PowerKind, SystemInfo};
use crate::integrate::sum::Compensated;
use crate::mode::Mode;
use crate::run::options::Options;
use crate::snapshot::words::part;
use crate::system::System;
use crate::trajectory::event::EventKind;

/// The part of its magnitude by which a component is moved, to see how much of the energy
/// depends on it.
const MOVED: f64 = 1.0 / (1 << 20) as f64;

/// Units of rounding of an energy.
const ROUNDINGS: f64 = 8.0;

/// The books of one run.
#[derive(Debug, Clone)]
pub(crate) struct Book {
    powers: Powers,
    watch: Watch,
    /// Work and its magnitudes, one a source.
    works: Vec<(Compensated, f64)>,
    /// The works of the present step.
    step: Vec<f64>,
    jumps: Vec<(Cause, usize, Compensated)>,
    start: f64,
    /// h where the books stand.
    energy: f64,
    projections: Compensated,
    tolerance: f64,
    relative: f64,
    absolute: Vec<f64>,
    point: Vec<f64>,
}

impl Book {
    /// Opens the books at the start of a run.
    pub(crate) fn open(system: &dyn System, start: &Point, options: &Options) -> Self {
        let powers = Powers::new(system);
        let (count, energy) = (powers.sources.len(), energy(system, start));
        Self {
            powers,
            watch: Watch::new(system),
            works: vec![(Compensated::default(), 0.0); count],
            step: vec![0.0; count],
            jumps: Vec::new(),
            start: energy,
            energy,
            projections: Compensated::default(),
            tolerance: 0.0,
            relative: options.relative_tolerance,
            absolute: options.absolute(system.info()),
            point: vec![0.0; start.y.len()],
        }
    }

    /// Enters the last trial of the flow, a step τ in this mode which is about to be taken.
    pub(crate) fn step(
        &mut self,
        (system, inputs): (&dyn System, &[f64]),
        flow: &mut Flow<'_>,
        (mode, slip_state): (&Mode, &SlipState),
        τ: f64,
    ) {
        self.balance(system, &flow.base, mode);
        let Self { powers, step, .. } = self;
        powers.enter(mode, slip_state);
        step.fill(0.0);
        let positions = system.info().positions();
        flow.stages(τ, &mut |weight, t, y| {
            let powers = powers.at(system, inputs, t, y.split_at(positions));
            step.iter_mut().zip(powers).for_each(|(sum, power)| *sum += weight * power);
        });
        let mut turnover = 0.0;
        for ((sum, magnitude), work) in self.works.iter_mut().zip(&self.step) {
            *sum = sum.plus(*work);
            *magnitude += work.abs();
            turnover += work.abs();
        }
        let (base, next) = (&flow.base, &flow.next);
        self.energy = energy(system, next);
        if flow.unprojected(&mut self.point) {
            let (q, v) = self.point.split_at(positions);
            let before = system.energy(next.t.high, q, v).jacobi;
            self.projections = self.projections.plus(self.energy - before);
        }
        self.tolerance += self.relative * turnover + self.allowance(system, base, next);
        self.watch.see(system, mode, next.t.high, next.parts());
    }

    /// Σⱼ |∂h/∂yⱼ| (aⱼ + r|yⱼ|) + 8ε (|T| + |V|) of a step. The derivatives are differences over a
    /// part η of the scale of yⱼ: |h(y + η (|yⱼ| + aⱼ/r) eⱼ) − h(y)| r/η.
    fn allowance(&mut self, system: &dyn System, base: &Point, next: &Point) -> f64 {
        let (positions, t) = (system.info().positions(), next.t.high);
        let at = |y: &[f64]| {
            let (q, v) = y.split_at(positions);
            system.energy(t, q, v)
        };
        let here = at(&next.y);
        let mut sum = 0.0;
        self.point.copy_from_slice(&next.y);
        for j in 0..self.point.len() {
            let scale = base.y[j].abs().max(next.y[j].abs()) + self.absolute[j] / self.relative;
            let changes = [MOVED, -MOVED].map(|part| {
                self.point[j] = next.y[j] + part * scale;
                (at(&self.point).jacobi - here.jacobi).abs()
            });
            self.point[j] = next.y[j];
            // Where one side is outside of what h is defined on, the other tells.
            sum += changes[0].max(changes[1]) * self.relative / MOVED;
        }
        let size = here.kinetic.abs() + here.potential.abs() + here.jacobi.abs();
        sum + ROUNDINGS * f64::EPSILON * size
    }

    /// Enters what an event has changed, the base point being the state after it.
    pub(crate) fn event(
        &mut self,
        system: &dyn System,
        kind: &EventKind,
        after: &Point,
        mode: &Mode,
    ) {
        let cause = match kind {
            EventKind::Impact { contact, others, .. } => {
                let struck = others.iter().filter(|hit| hit.is_struck).map(|hit| hit.contact);
                let mut contacts: Vec<usize> = [*contact].into_iter().chain(struck).collect();
                contacts.sort_unstable();
                Cause::Impact(contacts)
            }
            EventKind::Declared { event } if system.info().events[*event].resets => {
                Cause::Reset(*event)
            }
            _ => return self.balance(system, after, mode),
        };
        self.jump(cause, energy(system, after));
    }

    /// Enters that the base point is another one.
    pub(crate) fn replaced(&mut self, system: &dyn System, point: &Point) {
        self.jump(Cause::Replaced, energy(system, point));
    }

    /// Enters what has changed besides: contacts closed, friction sticks.
    fn balance(&mut self, system: &dyn System, point: &Point, mode: &Mode) {
        let energy = energy(system, point);
        if energy != self.energy {
            let (closed, sticking) = (mode.closed().to_vec(), mode.sticking().to_vec());
            self.jump(Cause::Settling { closed, sticking }, energy);
        }
    }

    fn jump(&mut self, cause: Cause, energy: f64) {
        let change = energy - self.energy;
        self.energy = energy;
        match self.jumps.iter_mut().find(|(known, ..)| *known == cause) {
            Some((_, count, sum)) => {
                *count += 1;
                *sum = sum.plus(change);
            }
            None => self.jumps.push((cause, 1, Compensated::new(change))),
        }
    }

    /// The base point stays until t at rest. With v = 0 the energy is −L(t,q), and −∂L/∂t its rate.
    pub(crate) fn stay(&mut self, system: &dyn System, point: &Point, t: f64) {
        let (q, v) = point.parts();
        let after = system.energy(t, q, v).jacobi;
        let time = system.info().powers.iter().position(|line| line.kind == PowerKind::Time);
        if let Some((sum, magnitude)) = time.map(|line| &mut self.works[line]) {
            *sum = sum.plus(after - self.energy);
            *magnitude += (after - self.energy).abs();
            self.energy = after;
        }
    }

    /// Closes the books at the end of the run.
    pub(crate) fn close(mut self, system: &dyn System, end: &Point, mode: &Mode) -> Ledger {
        self.balance(system, end, mode);
        let works = self.powers.sources.iter().zip(&self.works);
        let works: Vec<Work> = works
            .filter(|(source, (_, turnover))| is_listed(**source, system.info(), *turnover))
            .map(|(source, (sum, turnover))| Work {
                source: *source,
                work: sum.high,
                turnover: *turnover,
            })
            .collect();
        let jumps: Vec<Jump> = self
            .jumps
            .into_iter()
            .map(|(cause, count, sum)| Jump { cause, count, change: sum.high })
            .collect();
        let entries = works.iter().map(|work| work.work).chain(jumps.iter().map(|j| j.change));
        let open = Compensated::new(self.energy).plus(-self.start);
        let error = entries.fold(open, |sum, entry| sum.plus(-entry));
        Ledger {
            start: self.start,
            end: self.energy,
            works,
            jumps,
            drifts: self.watch.worst(),
            projections: self.projections.high,
            error: error.high,
            tolerance: self.tolerance + ROUNDINGS * f64::EPSILON * self.start.abs(),
        }
    }
}

/// h of a state.
fn energy(system: &dyn System, point: &Point) -> f64 {
    let (q, v) = point.parts();
    system.energy(point.t.high, q, v).jacobi
}

/// Lines and friction are always told, what moves by itself where it did work.
fn is_listed(source: Source, info: &SystemInfo, turnover: f64) -> bool {
    let declared = match source {
        Source::Line(line) => line < info.powers.len(),
        Source::Friction(_) => true,
        _ => false,
    };
    declared || turnover != 0.0
}

part! { Book {
    parts: [watch, works],
    values: [jumps, start, energy, projections, tolerance],
    room: [powers, step, relative, absolute, point],
} }
