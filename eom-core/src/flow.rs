//! The flow between events: Φ_τ(xₙ) = Π ∘ RK_τ(xₙ), a step of the method followed by the
//! orthogonal projection Π on the constraints, and the choice of the step.

mod bounds;
mod explicit;
mod field;
mod forces;
mod launch;
mod point;
mod projection;
mod series;
mod stepper;
mod stiff;
mod turns;

use crate::constraints::Manifold;
use crate::contact::ContactForces;
use crate::end::End;
use crate::error::{NotPositiveDefinite, Residual};
use crate::grip::Grip;
use crate::integrate::control::{first_step, weights};
use crate::integrate::implicit::Work;
use crate::integrate::radau::Stage;
use crate::integrate::sum::Compensated;
use crate::mode::Mode;
use crate::options::Options;
use crate::state::State;
use crate::system::System;
pub(crate) use bounds::StepBounds;
use field::Field;
use forces::{Watch, unseen};
pub(crate) use point::Point;
use projection::keep;
use series::Expansion;
use stepper::{Methods, Stepper, Tolerance};
use turns::Turns;

/// Why there is no next state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stuck {
    /// The error stays too large down to this step.
    Underflow { step: f64 },
    /// A quantity is not finite however short the step.
    NonFinite { what: String },
    /// The constraints cannot be kept however short the step.
    OffConstraints { residuals: Vec<Residual> },
    /// The rows that are kept become dependent within the step; `lost` where no shorter one would pass.
    DependentRows { rows: Vec<&'static str>, lost: bool },
}

impl Stuck {
    /// The end of a run that got stuck after t.
    pub(crate) fn end(self, t: f64) -> End {
        match self {
            Self::Underflow { step } => End::StepUnderflow { t, step },
            Self::NonFinite { what } => End::NonFinite { t, what },
            Self::OffConstraints { residuals } => End::OffConstraints { t, residuals },
            Self::DependentRows { rows, .. } => End::DependentRows { t, rows },
        }
    }

    /// Whether a shorter step would not help.
    fn is_final(&self) -> bool {
        matches!(self, Self::DependentRows { lost: true, .. })
    }
}

/// A step by collocation: its stages, and its end before the projection.
#[derive(Debug, Clone)]
struct Collocated {
    stages: Vec<Stage>,
    end: Vec<f64>,
}

/// The flow of one system from a base point xₙ, with the state `next` that the last trial reached.
#[derive(Clone)]
pub(crate) struct Flow<'a> {
    field: Field<'a>,
    method: Methods,
    manifold: Manifold,
    /// xₙ.
    pub(crate) base: Point,
    /// Φ_τ(xₙ) of the last trial.
    pub(crate) next: Point,
    /// Those taken from the angles of xₙ.
    turns: Turns,
    /// The last trial, where it was one by collocation.
    collocated: Option<Collocated>,
    /// The series at the base point, where steps are made by series.
    expansion: Option<Expansion>,
    /// What tells whether steps see the forces, where that is asked.
    watch: Option<Watch<'a>>,
    /// [`System::pairing_sign`] at the last start.
    pairing: Option<f64>,
    /// The size with which the next step is tried.
    pub(crate) step_size: f64,
    /// The first that was tried: the time in which the motion changes at the start.
    first_step: f64,
    tolerance: Tolerance,
    weights: Vec<f64>,
    /// Sizes of the errors of the velocities over a step.
    sizes: Vec<f64>,
    pub(crate) rejected: u64,
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
        let absolute = options.absolute(info);
        Self {
            expansion: Expansion::new(system, options, &absolute),
            watch: Watch::new(system, inputs, options),
            field: Field {
                system,
                inputs: inputs.to_vec(),
                positions,
                speeds_are_rates: info.is_plain(),
                prepared,
                λ,
                mode: Mode::default(),
                grip: Grip::default(),
                forces: ContactForces::on_demand(system),
                evaluations: 0,
            },
            method: Methods::new(options.method, dimension),
            manifold: Manifold::new(system, &options.floors(info)),
            next: base.clone(),
            turns: Turns::new(info.angles, positions),
            collocated: None,
            base,
            pairing: None,
            step_size: 0.0,
            first_step: 0.0,
            tolerance: Tolerance { relative: options.relative_tolerance, absolute },
            weights: vec![0.0; dimension],
            sizes: vec![0.0; info.speeds()],
            rejected: 0,
        }
    }

    /// A run begins at this state, in free motion; nothing is left of the one before.
    pub(crate) fn rewind(&mut self, start: &State) {
        self.turns.rewind();
        self.base.set(start);
        self.turns.take(&mut self.base);
        self.next.clone_from(&self.base);
        self.set_mode(&Mode::default(), &Grip::default());
        self.manifold.rank().forget();
        self.method.rewind();
        (self.collocated, self.pairing) = (None, None);
        (self.step_size, self.first_step) = (0.0, 0.0);
        (self.rejected, self.field.evaluations) = (0, 0);
        self.forget_series();
        if let Some(expansion) = &mut self.expansion {
            expansion.rewind();
        }
        if let Some(watch) = &mut self.watch {
            watch.rewind();
        }
    }

    /// The inputs are these from the base point on; [`Flow::restart`] has to follow.
    pub(crate) fn set_inputs(&mut self, inputs: &[f64]) {
        self.field.inputs.copy_from_slice(inputs);
        if let Some(watch) = &mut self.watch {
            watch.set_inputs(inputs);
        }
    }

    /// The base point is this state from here on, in free motion, and nothing is known of the motion;
    /// [`Flow::restart`] has to follow.
    pub(crate) fn place(&mut self, state: &State) {
        let t = self.base.t;
        self.base.set(state);
        self.base.t = t;
        self.turns.restart(&mut self.base);
        self.set_mode(&Mode::default(), &Grip::default());
        self.manifold.rank().forget();
        self.method.rewind();
        (self.collocated, self.step_size) = (None, 0.0);
        self.forget_series();
    }

    /// The constraints, to look at states before a run begins.
    pub(crate) fn manifold(&mut self) -> &mut Manifold {
        &mut self.manifold
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
        self.expansion.as_ref().map_or(0, |expansion| expansion.expansions)
    }

    /// ẏ at the base point.
    pub(crate) fn slope(&self) -> &[f64] {
        self.method.slope()
    }

    /// The mode of the flow from the base point on; [`Flow::restart`] or a jump has to follow.
    pub(crate) fn set_mode(&mut self, mode: &Mode, grip: &Grip) {
        self.manifold.set_closed(mode.closed());
        self.manifold.set_sticking(mode.sticking());
        self.field.forces.hold(mode.sticking(), grip);
        self.field.mode.clone_from(mode);
        self.field.grip.clone_from(grip);
    }

    /// Makes the base point a new start: after construction and after every jump.
    pub(crate) fn restart(&mut self) -> Result<(), Stuck> {
        self.forget_series();
        self.method.restart();
        let Self { field, method, base, .. } = self;
        field.slope(base.t.high, &base.y, method.slope_mut());
        if let Some(what) = self.not_finite(self.method.slope()) {
            return Err(Stuck::NonFinite { what });
        }
        let Self { manifold, field, base, .. } = self;
        manifold.begin(field.system, base.t.high, base.parts().0);
        let (q, v) = self.base.parts();
        self.pairing = self.field.pairing_sign(self.base.t.high, q, v);
        if self.step_size == 0.0 {
            let Tolerance { relative, absolute } = &self.tolerance;
            weights(*relative, absolute, &self.base.y, &mut self.weights);
            let Self { field, method, base, .. } = self;
            let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
            self.step_size =
                first_step(&mut f, base.t.high, &base.y, method.slope(), &self.weights);
            self.first_step = self.step_size;
        }
        Ok(())
    }

    /// The size of the step that was tried first.
    pub(crate) fn first_step(&self) -> f64 {
        self.first_step
    }

    /// The name of the first slope that is not finite.
    fn not_finite(&self, slope: &[f64]) -> Option<String> {
        let index = slope.iter().position(|x| !x.is_finite())?;
        let info = self.field.system.info();
        let name = |index: usize| info.position_name(index);
        Some(match index.checked_sub(self.field.positions) {
            None => format!("the velocity of {}", name(index)),
            Some(speed) if info.is_plain() => format!("the acceleration of {}", name(speed)),
            Some(speed) => format!("the rate of {}", info.speed_name(speed)),
        })
    }

    /// next = Φ_τ(base).
    pub(crate) fn trial(&mut self, τ: f64) -> Result<(), Stuck> {
        self.collocated = None;
        if self.follows_series() {
            self.try_series(τ)?;
            return self.arrive(τ);
        }
        self.try_stages(τ, true)?;
        self.keep(τ)
    }

    /// next = RK_τ(base), which has to be finite.
    fn try_stages(&mut self, τ: f64, exact: bool) -> Result<(), Stuck> {
        let Self { field, method, base, next, tolerance, .. } = self;
        if !method.trial(field, base, τ, (tolerance, exact)) {
            return Err(Stuck::Underflow { step: τ });
        }
        next.t = base.t.plus(τ);
        next.set_sum(base, method.increment());
        self.finite()
    }

    /// next is where a step τ led: it has to be finite, and is brought to the constraints.
    pub(crate) fn arrive(&mut self, τ: f64) -> Result<(), Stuck> {
        self.finite()?;
        self.keep(τ)
    }

    /// next has to be finite.
    fn finite(&self) -> Result<(), Stuck> {
        match self.not_finite(&self.next.y) {
            Some(what) => Err(Stuck::NonFinite { what }),
            None => Ok(()),
        }
    }

    /// Makes an accepted step of at most `longest` and leaves its end in `next`. Returns its size.
    pub(crate) fn step(&mut self, longest: f64) -> Result<f64, Stuck> {
        if self.follows_series() {
            return self.step_series(longest);
        }
        loop {
            let h = self.step_size.min(longest);
            let tried = self.attempt(h);
            let (accepted, size) = self.method.judge(*tried.as_ref().unwrap_or(&f64::NAN), h);
            if accepted {
                // A step cut short at the end of the run says nothing about the next size.
                if h == self.step_size || size < self.step_size {
                    self.step_size = size;
                }
                return Ok(h);
            }
            self.rejected += 1;
            self.step_size = size;
            if tried.as_ref().is_err_and(Stuck::is_final)
                || h <= 4.0 * f64::EPSILON * self.base.t.high.abs().max(f64::MIN_POSITIVE)
            {
                return Err(tried.err().unwrap_or(Stuck::Underflow { step: h }));
            }
        }
    }

    /// The error of a step h, which is brought to the constraints and closed where the error allows it.
    fn attempt(&mut self, h: f64) -> Result<f64, Stuck> {
        self.collocated = None;
        self.try_stages(h, false)?;
        let error = self.error(h);
        if error <= 1.0 {
            self.keep(h)?;
            self.close()?;
            self.pairs()?;
            if !self.sees_forces(h) {
                return Err(unseen());
            }
            self.method.accept(&self.base, h, &self.next);
        }
        Ok(error)
    }

    /// k₁₃ at next.
    fn close(&mut self) -> Result<(), Stuck> {
        let Self { field, method, next, .. } = self;
        field.slope(next.t.high, &next.y, method.end_slope_mut());
        match self.not_finite(self.method.end_slope()) {
            Some(what) => Err(Stuck::NonFinite { what }),
            None => Ok(()),
        }
    }

    /// The step must not pass a state where there are no multipliers, however close it is to its ends.
    fn pairs(&self) -> Result<(), Stuck> {
        let Some(sign) = self.pairing else { return Ok(()) };
        let (q, v) = self.next.parts();
        if self.field.pairing_sign(self.next.t.high, q, v) == Some(sign) {
            return Ok(());
        }
        Err(Stuck::NonFinite { what: "a constraint force".to_owned() })
    }

    /// The error of the step in its weights aᵢ + r max(|yᵢ|, |y⁺ᵢ|).
    fn error(&mut self, h: f64) -> f64 {
        let Self { field, method, base, next, tolerance, weights, .. } = self;
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = tolerance.of(i, base.y[i].abs().max(next.y[i].abs()));
        }
        method.error(field, base, h, weights)
    }

    /// Prepares the dense output of the step h that was just accepted; a series is one.
    pub(crate) fn interpolate(&mut self, h: f64) {
        if self.tried_series().is_some() {
            return;
        }
        let Self { field, method, base, next, .. } = self;
        method.interpolate(field, base, h, next);
    }

    /// Writes the dense output at the part s of the step.
    pub(crate) fn dense(&self, s: f64, y: &mut [f64]) {
        match self.tried_series() {
            Some(expansion) => expansion.dense(s, &self.base.y, y),
            None => self.method.state(s, y),
        }
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
        let Self { method, base, collocated, expansion, .. } = self;
        if let Some(expansion) = expansion.as_ref().filter(|expansion| expansion.tried) {
            return expansion.stages((base.t.high, &base.y, τ), visit);
        }
        match collocated {
            Some(collocated) => {
                collocated.stages.iter().for_each(|Stage { weight, t, y }| visit(*weight, *t, y));
            }
            None => method.stages(base, τ, visit),
        }
    }

    /// Writes the end of the last trial as it was before Π. False where Π does nothing.
    pub(crate) fn unprojected(&self, y: &mut [f64]) -> bool {
        let Self { method, base, collocated, manifold, field, .. } = self;
        match collocated {
            Some(collocated) => y.copy_from_slice(&collocated.end),
            None => {
                let by_series = self.tried_series().map(Expansion::increment);
                let increment = by_series.unwrap_or(method.increment());
                for (y, (base, change)) in y.iter_mut().zip(base.y.iter().zip(increment)) {
                    *y = base + change;
                }
            }
        }
        !manifold.is_free() || !field.system.info().rotations.is_empty()
    }

    /// Makes an accepted step h again, after trials of other sizes.
    pub(crate) fn repeat(&mut self, h: f64) -> Result<(), Stuck> {
        self.trial(h)?;
        if self.tried_series().is_some() { Ok(()) } else { self.close() }
    }

    /// The state on the constraints at the part s of a step h, from the dense output.
    pub(crate) fn sample(&mut self, s: f64, h: f64) -> Result<State, Stuck> {
        let low = vec![0.0; self.base.y.len()];
        let (y, positions) = (low.clone(), self.field.positions);
        let mut point = Point { t: self.base.t.plus(s * h), y, low, positions };
        let Self { field, method, base, expansion, .. } = self;
        match expansion.as_ref().filter(|expansion| expansion.tried) {
            Some(expansion) => expansion.dense(s, &base.y, &mut point.y),
            None => method.sample(field, (base, s * h, &self.tolerance), s, &mut point.y),
        }
        keep(self.field.system, &mut self.manifold, &mut point)
            .map_err(|failure| self.lost(&failure))?;
        Ok(point.state())
    }

    /// The base point stays until a time.
    pub(crate) fn stay(&mut self, t: f64) {
        self.base.t = Compensated::new(t);
        self.forget_series();
    }

    /// The step just made ends at exactly this time.
    pub(crate) fn land(&mut self, t: f64) {
        self.next.t = Compensated::new(t);
    }

    /// base = next, after a whole step.
    pub(crate) fn advance(&mut self) {
        self.method.advance();
        self.forget_series();
        self.arrived();
    }

    /// base = next, after a step cut short at τ.
    pub(crate) fn cut(&mut self) -> Result<(), Stuck> {
        self.arrived();
        self.restart()
    }

    /// The same where only a series goes on from there, or [`Flow::restart`] follows.
    pub(crate) fn cut_series(&mut self) {
        self.arrived();
        self.forget_series();
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

    /// Replaces the base point's q and v and brings it to the constraints.
    pub(crate) fn jump(&mut self, q: &[f64], v: &[f64]) -> Result<(), Stuck> {
        let n = q.len();
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
        self.cut()
    }
}
