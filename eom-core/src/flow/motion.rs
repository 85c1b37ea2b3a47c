//! The flow of one system: a base point xₙ, and the state Φ_τ(xₙ) that the last trial reached.

use super::angle_wrap::Turns;
use super::failure::StepFailure;
use super::field::Field;
use super::forces::{Ends, Watch, hermite};
use super::methods::Methods;
use super::methods::stepper::{Pace, Stepper, Tolerance};
use super::point::Point;
use super::projection::keep;
use crate::constraints::Manifold;
use crate::contact::ContactForces;
use crate::error::{NotPositiveDefinite, Residual};
use crate::friction::slip_state::SlipState;
use crate::integrate::control::first_step;
use crate::integrate::implicit::Work;
use crate::integrate::sum::Compensated;
use crate::mode::Mode;
use crate::run::on_demand::OnDemand;
use crate::run::options::Options;
use crate::snapshot::words::{Broken, Part, Reader, Value, Writer};
use crate::state::State;
use crate::system::System;
use crate::system::conserved::Conserved;
use crate::system::enclosure::Tape;
use crate::system::jacobian::StateJacobian;
use std::sync::Arc;

/// Quantities, and how a step is brought to their level: named where they are given, so that a program that keeps none does
/// not carry the linear algebra of it.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) quantities: Arc<dyn Conserved>,
    pub(super) keep: fn(&mut Flow<'_>, &dyn Conserved, f64),
}

/// What a flow keeps. Levels are empty until an arc has begun.
#[derive(Clone, Default)]
pub(crate) struct Levels {
    pub(super) kept: Option<Kept>,
    pub(super) levels: Vec<f64>,
}

impl std::fmt::Debug for Levels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Levels").field("levels", &self.levels).finish_non_exhaustive()
    }
}

/// What constraints leave of a velocity is its rounding below so many units.
const LEFT: f64 = 16.0;

/// The flow of one system from a base point xₙ, with the state `next` that the last trial reached.
#[derive(Clone)]
pub(crate) struct Flow<'a> {
    pub(super) field: Field<'a>,
    pub(super) method: Methods,
    pub(super) manifold: Manifold,
    /// xₙ.
    pub(crate) base: Point,
    /// Φ_τ(xₙ) of the last trial.
    pub(crate) next: Point,
    /// Those taken from the angles of xₙ.
    pub(super) turns: Turns,
    /// What tells whether steps see the forces, where that is asked.
    pub(super) watch: Option<Watch<'a>>,
    /// Whether forces may jump along an arc, and rows of constraints.
    pub(super) breaks: bool,
    pub(super) rows_break: bool,
    /// [`System::pairing_sign`] at the last start.
    pub(super) pairing: Option<f64>,
    pub(super) pace: Pace,
    pub(super) tolerance: Tolerance,
    /// Sizes of the errors of the velocities over a step.
    pub(super) sizes: Vec<f64>,
    /// Conserved quantities that are kept.
    pub(super) levels: Levels,
}

impl<'a> Flow<'a> {
    /// Room for runs; [`Flow::rewind`] begins one.
    pub(crate) fn new(system: &'a dyn System, inputs: &[f64], options: &Options) -> Self {
        let info = system.info();
        let (positions, dimension) = (info.positions(), info.positions() + info.speeds());
        let base = Point::new(positions, dimension);
        let λ = vec![0.0; info.rows.len()];
        let mut prepared = vec![0.0; system.prepared()];
        system.prepare(&mut prepared);
        let tolerance = Tolerance::new(
            options.relative_tolerance,
            options.absolute(info),
            options.absolute_of_all(),
        );
        Self {
            watch: Watch::new(system, inputs, options),
            field: Field {
                system,
                inputs: inputs.to_vec(),
                positions,
                speeds_are_rates: info.is_plain(),
                prepared,
                λ,
                mode: Mode::default(),
                slip_state: SlipState::default(),
                forces: ContactForces::on_demand(system),
                evaluations: 0,
                jacobian: OnDemand::new(system, StateJacobian::without_inputs),
            },
            method: Methods::new(system, options, &tolerance),
            manifold: Manifold::new(system, &options.floors(info)),
            next: base.clone(),
            turns: Turns::new(info.angles, positions),
            base,
            breaks: system.programs().forces.is_some_and(Tape::has_breaks),
            rows_break: system.programs().constraint_rows.is_some_and(Tape::has_breaks),
            pairing: None,
            pace: Pace::default(),
            tolerance,
            sizes: vec![0.0; info.speeds()],
            levels: Levels::default(),
        }
    }

    /// A run begins at this state, in free motion; nothing is left of the one before.
    pub(crate) fn rewind(&mut self, start: &State) {
        self.turns.rewind();
        self.levels = Levels::default();
        self.base.set(start);
        self.turns.take(&mut self.base);
        self.begin_tolerance();
        self.next.clone_from(&self.base);
        self.set_mode(&Mode::default(), &SlipState::default());
        self.manifold.rank().forget();
        self.method.rewind();
        (self.pairing, self.pace, self.field.evaluations) = (None, Pace::default(), 0);
        if let Some(watch) = &mut self.watch {
            watch.rewind();
        }
    }

    /// The inputs are these from the base point on; [`Flow::restart`] has to follow.
    pub(crate) fn set_inputs(&mut self, inputs: &[f64]) {
        self.field.inputs.copy_from_slice(inputs);
        self.begin_arc();
        if let Some(watch) = &mut self.watch {
            watch.set_inputs(inputs);
        }
    }

    /// The base point is this state from here on, in free motion, and nothing is known of the motion;
    /// [`Flow::restart`] has to follow.
    pub(crate) fn place(&mut self, state: &State) {
        let t = self.base.t;
        self.begin_arc();
        self.base.set(state);
        self.base.t = t;
        self.turns.restart(&mut self.base);
        self.begin_tolerance();
        self.set_mode(&Mode::default(), &SlipState::default());
        self.manifold.rank().forget();
        self.method.begin();
        self.pace.size = 0.0;
    }

    /// The constraints, to look at states before a run begins.
    pub(crate) fn manifold(&mut self) -> &mut Manifold {
        &mut self.manifold
    }

    /// The time of the base point.
    pub(crate) fn t(&self) -> f64 {
        self.base.t.high
    }

    /// Evaluations of the accelerations so far.
    pub(crate) fn evaluations(&self) -> u64 {
        self.field.evaluations
    }

    /// What only implicit methods do, so far.
    pub(crate) fn work(&self) -> Work {
        self.method.work()
    }

    /// Series of the motion so far.
    pub(crate) fn expansions(&self) -> u64 {
        self.method.expansions()
    }

    /// The part of the time to a stop that the next step may take.
    pub(crate) fn part_of_stop(&self) -> f64 {
        self.method.part_of_stop()
    }

    /// ẏ at the base point.
    pub(crate) fn slope(&self) -> &[f64] {
        self.method.slope()
    }

    /// The mode of the flow from the base point on; [`Flow::restart`] or a jump has to follow.
    pub(crate) fn set_mode(&mut self, mode: &Mode, slip_state: &SlipState) {
        self.manifold.set_closed(mode.closed());
        self.manifold.set_sticking(mode.sticking());
        self.field.forces.set_slip_state(mode.sticking(), slip_state);
        self.field.mode.clone_from(mode);
        self.field.slip_state.clone_from(slip_state);
        self.method.set_free(self.field.is_plain());
    }

    /// Makes the base point a new start: after construction and after every jump.
    pub(crate) fn restart(&mut self) -> Result<(), StepFailure> {
        self.method.restart();
        let Self { field, method, base, .. } = self;
        field.slope(base.t.high, &base.y, method.slope_mut());
        if let Some(what) = self.field.not_finite(self.method.slope()) {
            return Err(StepFailure::NonFinite { what });
        }
        let Self { manifold, field, base, .. } = self;
        let (q, v) = base.parts();
        manifold.begin(field.system, base.t.high, q, v);
        let (q, v) = self.base.parts();
        self.pairing = self.field.pairing_sign(self.base.t.high, q, v);
        if self.pace.size == 0.0 {
            let Self { field, method, base, tolerance, .. } = self;
            let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
            let weights = tolerance.at(&base.y);
            self.pace.size = first_step(&mut f, base.t.high, &base.y, method.slope(), weights);
            self.pace.first = self.pace.size;
        }
        Ok(())
    }

    /// The shortest step that can be told from none.
    pub(crate) fn shortest_step(&self) -> f64 {
        4.0 * f64::EPSILON * self.t().abs().max(f64::MIN_POSITIVE)
    }

    /// The size of the step that was tried first.
    pub(crate) fn first_step(&self) -> f64 {
        self.pace.first
    }

    /// The size with which the next step is tried.
    pub(crate) fn step_size(&self) -> f64 {
        self.pace.size
    }

    /// Steps that were tried in vain.
    pub(crate) fn rejected(&self) -> u64 {
        self.pace.rejected
    }

    /// A step that was made is to be made again, shorter.
    pub(crate) fn reject(&mut self, size: Option<f64>) {
        self.pace.rejected += 1;
        self.pace.size = size.unwrap_or(self.pace.size);
    }

    /// next = Φ_τ(base).
    pub(crate) fn trial(&mut self, τ: f64) -> Result<(), StepFailure> {
        self.lead(τ, true)?;
        self.arrive(τ)
    }

    /// next is where a step τ leads, before Π; it may not be finite.
    pub(crate) fn lead(&mut self, τ: f64, exact: bool) -> Result<(), StepFailure> {
        let Self { field, method, base, next, tolerance, .. } = self;
        method.trial(field, base, τ, (tolerance, exact))?;
        next.t = base.t.plus(τ);
        next.set_sum(base, method.increment());
        Ok(())
    }

    /// next is where a step τ led: it has to be finite, and is brought to the constraints.
    pub(crate) fn arrive(&mut self, τ: f64) -> Result<(), StepFailure> {
        self.finite()?;
        self.keep(τ)
    }

    /// next has to be finite.
    pub(super) fn finite(&self) -> Result<(), StepFailure> {
        match self.field.not_finite(&self.next.y) {
            Some(what) => Err(StepFailure::NonFinite { what }),
            None => Ok(()),
        }
    }

    /// The size of the next step, of at most `longest`.
    pub(crate) fn reach(&mut self, longest: f64) -> Result<f64, StepFailure> {
        let Self { field, method, base, pace, .. } = self;
        let h = method.propose(field, base, pace, longest)?;
        self.shorten_to_forces(h)
    }

    /// Prepares the dense output of the step h that was just accepted; a series is one.
    pub(crate) fn interpolate(&mut self, h: f64) {
        let Self { field, method, base, next, .. } = self;
        method.interpolate(field, base, h, next);
    }

    /// Writes the dense output at the part s of the step.
    pub(crate) fn dense(&self, s: f64, y: &mut [f64]) {
        self.method.state(s, y);
    }

    /// y at the part s of the step h just accepted, by what is at hand without dense output.
    pub(crate) fn sketch(&self, s: f64, h: f64, y: &mut [f64]) {
        self.method.sketch(s, (&self.base, h, &self.next), y);
    }

    /// y at the middle of that step in another way, which shows the error of the first.
    pub(crate) fn sketch_middle(&self, h: f64, y: &mut [f64]) {
        self.method.sketch_middle((&self.base, h, &self.next), y);
    }

    /// The tolerance a + r|y| of component j where it has this size.
    pub(crate) fn tolerance(&self, j: usize, size: f64) -> f64 {
        self.tolerance.of(j, size)
    }

    /// The stages of the last trial τ, with which an integral over it is made: the weight, time and
    /// state of each.
    pub(crate) fn stages(&mut self, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        self.method.stages(&self.base, τ, visit);
    }

    /// Writes the end of the last trial as it was before Π. False where Π does nothing.
    pub(crate) fn unprojected(&self, y: &mut [f64]) -> bool {
        let Self { method, base, manifold, field, .. } = self;
        method.end(&base.y, y);
        !manifold.is_free() || !field.system.info().rotations.is_empty()
    }

    /// Makes an accepted step h again, after trials of other sizes.
    pub(crate) fn repeat(&mut self, h: f64) -> Result<(), StepFailure> {
        self.trial(h)?;
        if self.method.has_end_slope() { self.close() } else { Ok(()) }
    }

    /// The state on the constraints at the part s of a step h, from the dense output.
    pub(crate) fn sample(&mut self, s: f64, h: f64) -> Result<State, StepFailure> {
        let low = vec![0.0; self.base.y.len()];
        let (y, positions) = (low.clone(), self.field.positions);
        let mut point = Point { t: self.base.t.plus(s * h), y, low, positions };
        let Self { field, method, base, .. } = self;
        method.sample(field, (base, s * h, &self.tolerance), s, &mut point.y);
        keep(self.field.system, &mut self.manifold, &mut point)
            .map_err(|failure| self.lost(&failure))?;
        Ok(point.state())
    }

    /// The base point stays until a time.
    pub(crate) fn stay(&mut self, t: f64) {
        self.base.t = Compensated::new(t);
        self.method.forget();
    }

    /// Whether a step h leaves the motion where it is, to its rounding: it is so short a part of the time in which that changes.
    pub(crate) fn is_faint(&self, h: f64) -> bool {
        h <= f64::EPSILON.powi(2) * self.pace.first
    }

    /// The base point is at a time so short after its own, where its slope leads.
    pub(crate) fn drift(&mut self, t: f64) {
        let h = self.base.t.until(t);
        for i in 0..self.base.y.len() {
            let change = h * self.method.slope()[i];
            self.base.add(i, change);
        }
        self.stay(t);
    }

    /// The step just made ends at exactly this time.
    pub(crate) fn land(&mut self, t: f64) {
        self.next.t = Compensated::new(t);
    }

    /// next is this state after a step τ that is not of its methods, on the constraints; there it is written back.
    pub(crate) fn settle(
        &mut self,
        τ: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), StepFailure> {
        self.next.t = self.base.t.plus(τ);
        let (to_q, to_v) = self.next.y.split_at_mut(q.len());
        to_q.copy_from_slice(q);
        to_v.copy_from_slice(v);
        self.next.low.fill(0.0);
        self.finite()?;
        self.project()?;
        let (from_q, from_v) = self.next.parts();
        q.copy_from_slice(from_q);
        v.copy_from_slice(from_v);
        Ok(())
    }

    /// base = next, after a whole step.
    pub(crate) fn advance(&mut self) {
        self.method.advance();
        self.arrived();
        let Self { field, method, base, tolerance, .. } = self;
        method.choose(field, base, tolerance);
    }

    /// base = next, after a step cut short at τ.
    pub(crate) fn cut(&mut self) -> Result<(), StepFailure> {
        self.arrived();
        self.restart()
    }

    /// The same where nothing is asked of the motion before [`Flow::restart`], or the method needs no start.
    pub(crate) fn cut_short(&mut self) {
        self.arrived();
        self.method.forget();
    }

    /// What (q, v) violates of the constraints at the time of the base point, by more than a
    /// tolerance.
    pub(crate) fn violations(
        &mut self,
        q: &[f64],
        v: &[f64],
        tolerance: f64,
    ) -> Result<Vec<Residual>, NotPositiveDefinite> {
        self.manifold.violations(self.field.system, self.base.t.high, q, v, tolerance)
    }

    /// The first own row of a closed contact that the base point violates.
    pub(crate) fn slip(
        &mut self,
        tolerance: f64,
    ) -> Result<Option<(usize, usize, f64)>, NotPositiveDefinite> {
        let (q, v) = self.base.parts();
        self.manifold.slip(self.field.system, (self.base.t.high, q, v), tolerance)
    }

    /// Replaces the base point's q and v and brings it to the constraints. A velocity of which they leave no more than
    /// rounding is zero: it has no direction in which friction could act.
    pub(crate) fn jump(&mut self, q: &[f64], v: &[f64]) -> Result<(), StepFailure> {
        let n = q.len();
        self.begin_arc();
        self.next.t = self.base.t;
        self.next.y[..n].copy_from_slice(q);
        self.next.y[n..].copy_from_slice(v);
        if self.base.y[..n] == *q {
            self.next.low[..n].copy_from_slice(&self.base.low[..n]);
        } else {
            self.next.low[..n].fill(0.0);
        }
        self.next.low[n..].fill(0.0);
        self.project()?;
        for (i, given) in v.iter().enumerate() {
            if self.next.y[n + i].abs() <= LEFT * f64::EPSILON * given.abs() {
                (self.next.y[n + i], self.next.low[n + i]) = (0.0, 0.0);
            }
        }
        self.cut()
    }

    /// base = next, its angles without whole turns.
    pub(super) fn arrived(&mut self) {
        std::mem::swap(&mut self.base, &mut self.next);
        self.manifold.rank().accept();
        self.turns.take(&mut self.base);
        self.grow_tolerance();
    }

    /// A state between base and next, or one of them, as it is reported.
    pub(crate) fn reported(&self, mut state: State) -> State {
        self.report(&mut state.q);
        state
    }

    /// The same of q alone.
    pub(crate) fn report(&self, q: &mut [f64]) {
        self.turns.give_back(q);
    }

    /// The size by which an entry of y is rounded on the step from base to next.
    pub(crate) fn size(&self, entry: usize, base: &[f64], next: &[f64]) -> f64 {
        base[entry].abs().max(next[entry].abs()).max(self.turns.least_size(entry))
    }

    /// (q, v) of the base point, as it is reported.
    pub(crate) fn reported_parts(&mut self) -> (&[f64], &[f64]) {
        let Self { base, turns, .. } = self;
        let (q, v) = base.parts();
        if !turns.is_any() {
            return (q, v);
        }
        let mut position = std::mem::take(&mut turns.position);
        position.clear();
        position.extend_from_slice(q);
        turns.give_back(&mut position);
        turns.position = position;
        (&turns.position, v)
    }

    /// Whether the step h by stages that was just closed sees what acts on it.
    pub(super) fn sees_forces(&mut self, h: f64) -> Result<(), StepFailure> {
        let Self { watch: Some(watch), field, method, base, next, .. } = self else {
            return Ok(());
        };
        watch.set_closed(field.mode.closed());
        let slopes = [method.slope(), method.end_slope()];
        let ends = Ends { t: base.t.high, h, y: [&base.y, &next.y], slopes };
        watch.sees(&ends, |s, y| {
            for j in 0..y.len() {
                y[j] = hermite(s, [base.y[j], next.y[j]], slopes.map(|slope| h * slope[j]));
            }
        })
    }
}

/// A series that is present is that of the base point: it is made anew.
impl Part for Flow<'_> {
    fn save(&self, to: &mut Writer) {
        let Self {
            field, method, manifold, base, next, turns, watch, pairing, pace, levels, ..
        } = self;
        // Written before it is read.
        let Self { sizes: _, .. } = self;
        let parts: [&dyn Part; 7] = [field, method, manifold, base, next, turns, watch];
        for part in parts {
            part.save(to);
        }
        (*pairing, *pace).write(to);
        self.tolerance.absolute.write(to);
        // What is kept is given again.
        levels.levels.write(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        let Self { field, method, manifold, base, next, turns, watch, .. } = self;
        let parts: [&mut dyn Part; 7] = [field, method, manifold, base, next, turns, watch];
        parts.into_iter().try_for_each(|part| part.restore(from))?;
        (self.pairing, self.pace) = Value::read(from)?;
        self.tolerance.absolute = Value::read(from)?;
        self.method.set_floors(&self.tolerance);
        self.levels.levels = Value::read(from)?;
        self.method.renew(&self.field, &self.base);
        Ok(())
    }
}
