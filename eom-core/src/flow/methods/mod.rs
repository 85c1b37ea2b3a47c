//! The methods of integration, and which of them makes the next step.
//!
//! A method is a file and a line here. Power series are those of free motion: in other modes the stages
//! beside them go on. Where the run leaves the method open, an implicit one stands by (`choice`), and stages go on where
//! series have no numbers: of a motion of the rate ω their terms are as ωᵏ, beyond all doubles for ω = 10¹³ and k = 24, and
//! below them for ω = 10⁻¹³. Time stepping is none of them: it makes steps of a run, not of a flow (`moreau`).

pub(super) mod choice;
mod explicit;
pub(super) mod launch;
pub(super) mod series;
pub(super) mod stepper;
mod stiff;

use self::choice::{Choice, Question};
use self::explicit::Explicit;
use self::series::BySeries;
use self::stepper::{Pace, Stepper, Tolerance};
use self::stiff::Stiff;
use super::failure::StepFailure;
use super::field::Field;
use super::point::Point;
use crate::integrate::implicit::Work;
use crate::integrate::radau::Stage;
use crate::run::options::{Method, Options};
use crate::snapshot::words::{Broken, Part, Reader, Writer, part};
use crate::system::System;

/// Those that need nothing but slopes.
#[derive(Debug, Clone)]
enum Stages {
    Explicit(Box<Explicit>),
    Stiff(Box<Stiff>),
}

/// A step by collocation: its stages, and its end before the projection.
#[derive(Debug, Clone)]
pub(super) struct Collocated {
    pub(super) stages: Vec<Stage>,
    pub(super) end: Vec<f64>,
}

/// The methods of a run.
#[derive(Debug, Clone)]
pub(super) struct Methods {
    stages: Stages,
    /// Where steps are to be made by series, and the system has them.
    series: Option<Box<BySeries>>,
    /// What goes on where the motion is stiff, in a run that leaves the method open.
    standby: Option<Box<Stiff>>,
    /// That of the present mode, and of the others: those of free motion, or all with something in force.
    choice: Choice,
    other: Choice,
    /// Whether terms of a series of this run were beyond all numbers, or below.
    lost: bool,
    /// Whether the present mode is one of free motion.
    is_free: bool,
    /// The last trial, where it was one by collocation.
    collocated: Option<Collocated>,
}

/// A call of the method that makes the next step, without a table.
macro_rules! chosen {
    ($self:ident, $method:ident => $call:expr) => {
        match $self {
            Methods { standby: Some($method), choice: Choice { is_stiff: true, .. }, .. } => $call,
            Methods { series: Some($method), is_free: true, lost: false, .. } => $call,
            Methods { stages: Stages::Explicit($method), .. } => $call,
            Methods { stages: Stages::Stiff($method), .. } => $call,
        }
    };
}

impl Methods {
    pub(super) fn new(system: &dyn System, options: &Options, tolerance: &Tolerance) -> Self {
        let dimension = tolerance.absolute.len();
        let stages = match options.method {
            Method::RungeKutta | Method::Taylor | Method::Automatic | Method::Moreau => {
                Stages::Explicit(Box::new(Explicit::new(dimension)))
            }
            Method::Radau => Stages::Stiff(Box::new(Stiff::new(dimension))),
        };
        let series = BySeries::new(system, options, tolerance).map(Box::new);
        let standby =
            (options.method == Method::Automatic).then(|| Box::new(Stiff::new(dimension)));
        let (choice, other) = (Choice::default(), Choice::in_force());
        let (is_free, lost) = (true, false);
        Self { stages, series, standby, choice, other, lost, is_free, collocated: None }
    }

    /// Nothing is left of the run before.
    pub(super) fn rewind(&mut self) {
        match &mut self.stages {
            Stages::Explicit(method) => method.rewind(),
            Stages::Stiff(method) => method.rewind(),
        }
        if let Some(series) = &mut self.series {
            series.rewind();
        }
        if let Some(standby) = &mut self.standby {
            standby.rewind();
        }
        self.lost = false;
        self.choose_anew();
    }

    /// The motion has jumped.
    pub(super) fn begin_arc(&mut self) {
        if let Some(series) = &mut self.series {
            series.begin_arc();
        }
    }

    /// The absolute tolerances are these.
    pub(super) fn set_floors(&mut self, tolerance: &Tolerance) {
        if let Some(series) = &mut self.series {
            series.set_floors(tolerance);
        }
    }

    /// Nothing is known of how stiff the motion is.
    fn choose_anew(&mut self) {
        (self.choice, self.other) = (Choice::default(), Choice::in_force());
        if !self.is_free {
            std::mem::swap(&mut self.choice, &mut self.other);
        }
        self.collocated = None;
    }

    /// The motion begins anew at another state.
    pub(super) fn begin(&mut self) {
        match &mut self.stages {
            Stages::Explicit(method) => method.rewind(),
            Stages::Stiff(method) => method.restart(),
        }
        self.forget();
        self.choose_anew();
    }

    /// The base point is another one: what is known ahead is not that of its motion.
    pub(super) fn forget(&mut self) {
        if let Some(series) = &mut self.series {
            series.restart();
        }
    }

    /// What is known ahead of the base point, and was made elsewhere, is made here.
    pub(super) fn renew(&mut self, field: &Field<'_>, base: &Point) {
        if let Some(series) = &mut self.series {
            series.renew(field, base);
        }
    }

    /// The next step is in a mode of free motion, or not.
    pub(super) fn set_free(&mut self, is_free: bool) {
        if self.is_free != is_free {
            self.is_free = is_free;
            std::mem::swap(&mut self.choice, &mut self.other);
        }
    }

    /// The series, where they make the next step.
    pub(super) fn series(&self) -> Option<&BySeries> {
        self.series.as_deref().filter(|_| self.go_by_series())
    }

    pub(super) fn series_mut(&mut self) -> Option<&mut BySeries> {
        let present = self.go_by_series();
        self.series.as_deref_mut().filter(|_| present)
    }

    fn go_by_series(&self) -> bool {
        self.is_free && !self.choice.is_stiff && !self.lost
    }

    /// Expands at the base point. Where terms are beyond all numbers, or below, as where the time scale of the motion is 1e-150,
    /// stages go on from there.
    pub(super) fn expand(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
    ) -> Result<(), StepFailure> {
        let Some(series) = self.series_mut() else { return Ok(()) };
        if series.expand(field, base) {
            return Ok(());
        }
        if let Some(what) = field.not_finite(&series.slopes[0]) {
            return Err(StepFailure::NonFinite { what });
        }
        self.lost = true;
        field.slope(base.t.high, &base.y, self.slope_mut());
        Ok(())
    }

    /// Series of the motion so far.
    pub(super) fn expansions(&self) -> u64 {
        self.series.as_ref().map_or(0, |series| series.expansions)
    }

    /// Writes y(t + τ), where the motion is known ahead.
    pub(super) fn state_ahead(&self, τ: f64, y: &mut [f64]) {
        if let Some(series) = self.series() {
            series.at(τ, y);
        }
    }

    /// The base point is the end of an accepted step: which method makes the next one, where that is open.
    pub(super) fn choose(&mut self, field: &mut Field<'_>, base: &Point, tolerance: &Tolerance) {
        if self.standby.is_none() {
            return;
        }
        let was_stiff = self.choice.is_stiff;
        let question = self.choice.advance();
        if let (Some(question), Some(standby)) = (question, &mut self.standby) {
            if question == Question::IsStiff {
                standby.begin(field, base);
            }
            let eigenvalues = standby.eigenvalues(field, base, tolerance);
            self.choice.answer(question, &eigenvalues.unwrap_or_default());
        }
        if let (Some(standby), Stages::Explicit(stages)) = (&self.standby, &mut self.stages)
            && was_stiff
            && !self.choice.is_stiff
        {
            stages.slope_mut().copy_from_slice(standby.slope());
        }
    }

    /// No explicit step from the base point is accurate. Whether the implicit method goes on instead, where contacts or
    /// friction are in force.
    pub(super) fn insist(&mut self, field: &mut Field<'_>, base: &Point) -> bool {
        let Some(standby) = self.standby.as_mut() else { return false };
        if self.is_free || self.choice.is_stiff {
            return false;
        }
        standby.begin(field, base);
        self.choice.insist();
        true
    }

    /// Whether the step h to `next`, which was just accepted, is short for a stiff motion.
    fn shows_stiffness(&self, h: f64, next: &Point) -> bool {
        match (self.series(), &self.stages) {
            (Some(series), _) => series.is_bent_by_rounding(),
            (None, Stages::Explicit(stages)) => stages.is_at_edge_of_stability(h, next),
            (None, Stages::Stiff(_)) => false,
        }
    }

    /// The last trial was this one.
    pub(super) fn set_collocated(&mut self, collocated: Option<Collocated>) {
        self.collocated = collocated;
    }

    /// Writes the end of the last trial as it was before the projection.
    pub(super) fn end(&self, base: &[f64], y: &mut [f64]) {
        if let Some(collocated) = &self.collocated {
            return y.copy_from_slice(&collocated.end);
        }
        for (y, (base, change)) in y.iter_mut().zip(base.iter().zip(self.increment())) {
            *y = base + change;
        }
    }
}

impl Stepper for Methods {
    fn restart(&mut self) {
        self.forget();
        match &mut self.stages {
            Stages::Explicit(method) => method.restart(),
            Stages::Stiff(method) => method.restart(),
        }
        if let Some(standby) = &mut self.standby {
            standby.restart();
        }
    }

    fn slope(&self) -> &[f64] {
        chosen!(self, method => method.slope())
    }

    fn slope_mut(&mut self) -> &mut [f64] {
        chosen!(self, method => method.slope_mut())
    }

    fn end_slope(&self) -> &[f64] {
        chosen!(self, method => method.end_slope())
    }

    fn end_slope_mut(&mut self) -> &mut [f64] {
        chosen!(self, method => method.end_slope_mut())
    }

    fn has_end_slope(&self) -> bool {
        chosen!(self, method => method.has_end_slope())
    }

    fn propose(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        pace: &mut Pace,
        longest: f64,
    ) -> Result<f64, StepFailure> {
        self.expand(field, base)?;
        chosen!(self, method => method.propose(field, base, pace, longest))
    }

    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        measure: (&Tolerance, bool),
    ) -> Result<(), StepFailure> {
        self.collocated = None;
        self.expand(field, base)?;
        chosen!(self, method => method.trial(field, base, τ, measure))
    }

    fn increment(&self) -> &[f64] {
        chosen!(self, method => method.increment())
    }

    fn error(
        &mut self,
        field: &mut Field<'_>,
        step: (&Point, f64, &Point),
        tolerance: &mut Tolerance,
    ) -> f64 {
        chosen!(self, method => method.error(field, step, tolerance))
    }

    fn judge(&mut self, error: f64, h: f64, pace: &mut Pace) -> bool {
        chosen!(self, method => method.judge(error, h, pace))
    }

    fn accept(&mut self, base: &Point, h: f64, next: &Point) {
        if self.standby.is_some() {
            let sign = !self.choice.is_stiff && self.shows_stiffness(h, next);
            self.choice.note(h, sign);
        }
        chosen!(self, method => method.accept(base, h, next));
    }

    fn advance(&mut self) {
        chosen!(self, method => method.advance());
        self.forget();
    }

    fn interpolate(&mut self, field: &mut Field<'_>, base: &Point, h: f64, next: &Point) {
        chosen!(self, method => method.interpolate(field, base, h, next));
    }

    fn state(&self, s: f64, y: &mut [f64]) {
        chosen!(self, method => method.state(s, y));
    }

    fn sample(
        &self,
        field: &mut Field<'_>,
        step: (&Point, f64, &Tolerance),
        s: f64,
        y: &mut [f64],
    ) {
        chosen!(self, method => method.sample(field, step, s, y));
    }

    fn degree(&self, end: f64, errors: &[f64]) -> usize {
        chosen!(self, method => method.degree(end, errors))
    }

    fn coefficients(&self, rows: &mut [f64]) {
        chosen!(self, method => method.coefficients(rows));
    }

    fn is_polynomial(&self) -> bool {
        chosen!(self, method => method.is_polynomial())
    }

    fn polynomial_errors(&self, errors: &mut [f64]) {
        chosen!(self, method => method.polynomial_errors(errors));
    }

    fn derivative_factors(&self) -> [f64; 2] {
        chosen!(self, method => method.derivative_factors())
    }

    fn excursions(&self, step: (&Point, f64, &Point), to: &mut [f64]) -> bool {
        chosen!(self, method => method.excursions(step, to))
    }

    fn sketch(&self, s: f64, step: (&Point, f64, &Point), y: &mut [f64]) {
        chosen!(self, method => method.sketch(s, step, y));
    }

    fn sketch_middle(&self, step: (&Point, f64, &Point), y: &mut [f64]) {
        chosen!(self, method => method.sketch_middle(step, y));
    }

    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        if let Some(collocated) = &self.collocated {
            return collocated
                .stages
                .iter()
                .for_each(|stage| visit(stage.weight, stage.t, &stage.y));
        }
        chosen!(self, method => method.stages(base, τ, visit));
    }

    fn part_of_stop(&self) -> f64 {
        chosen!(self, method => method.part_of_stop())
    }

    fn share_of_tolerance(&self) -> f64 {
        chosen!(self, method => method.share_of_tolerance())
    }

    fn work(&self) -> Work {
        let standby = self.standby.as_ref().map(|method| method.work());
        standby.unwrap_or_else(|| match &self.stages {
            Stages::Explicit(method) => method.work(),
            Stages::Stiff(method) => method.work(),
        })
    }
}

impl Part for Stages {
    fn save(&self, to: &mut Writer) {
        match self {
            Self::Explicit(method) => method.save(to),
            Self::Stiff(method) => method.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        match self {
            Self::Explicit(method) => method.restore(from),
            Self::Stiff(method) => method.restore(from),
        }
    }
}

// A step by collocation is taken at once.
part! {
    Methods { parts: [stages, series, standby], values: [is_free, choice, other, lost], room: [collocated] }
}
