//! The steps of an arc as guards see them: values at the ends, the sketch, sides, how exactly a guard is
//! known; and what is found on them.

use super::guards::Guards;
use super::polynomial::Basis;
use super::scan::{Scan, Side, Verdict};
use crate::flow::Flow;
use crate::series::Observed;
use crate::snapshot::words::{part, value};
use std::sync::LazyLock;

/// Far more than the dense output and the steps differ, as a part of the step: crossings whose
/// roots are closer than this are compared on steps, and brackets are wider by this.
pub(in crate::hybrid) const NEAR: f64 = 1e-6;

/// What dense output says of a side is told where it is so many times as far from zero as that is off there.
pub(super) const MISMATCHES: f64 = 4.0;

/// τ is told apart to this part of the step.
pub(in crate::hybrid) const RESOLUTION: f64 = 2.0 * f64::EPSILON;

/// Units of rounding of each yⱼ: one for the state, which has been rounded many times, one for the
/// guard. The penny's grazing gaps are seen to be wrong by up to 0.7 ε Σ|∂g/∂qⱼ||qⱼ|.
const ROUNDINGS: f64 = 2.0;

/// The part of the rounding of a guard to which its root is solved.
pub(in crate::hybrid) const ROOT_SHARE: f64 = 0.125;

/// Points of the sketch.
pub(super) const SKETCH: usize = 5;

/// The sketch decides where it keeps off zero by this part of the guard's largest value.
const SKETCH_MARGIN: f64 = 1e-3;

static BASIS: LazyLock<Basis<SKETCH>> = LazyLock::new(Basis::new);

/// A guard at a part s of the step h, on its dense output.
pub(super) fn dense_value(
    flow: &Flow<'_>,
    guards: &mut Guards<'_>,
    (guard, h): (usize, f64),
    s: f64,
    (values, point): (&mut [f64], &mut [f64]),
) -> f64 {
    flow.dense(s, point);
    guards.value(guard, flow.base.t.high + s * h, point, values)
}

/// Tables and workspace of the steps.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Arc {
    pub(super) scan: Scan,
    basis: &'static Basis<SKETCH>,
    /// Guards at the points of the sketch, and at its middle from the parabola.
    pub(super) sketch: Vec<f64>,
    /// Guards at one point.
    pub(in crate::hybrid) values: Vec<f64>,
    pub(super) point: Vec<f64>,
    /// ε |yⱼ| and uⱼ of the last step, |yⱼ| the larger of both ends.
    pub(super) roundings: Vec<f64>,
    pub(super) uncertainties: Vec<f64>,
    /// Sides at the end of the step, where it has no crossing.
    pub(in crate::hybrid) sides: Vec<Side>,
    /// Whether the dense output is that of the present step.
    pub(super) dense: bool,
    /// Whether polynomials told the present step, and whether they showed that no gap is less within it than it has
    /// been.
    pub(super) told: bool,
    pub(super) above: bool,
    pub(super) resolution: f64,
    /// To which part of the last step its root was solved.
    pub(super) part: f64,
    /// How long the way to the last root was on its step.
    pub(in crate::hybrid) way: f64,
    /// The last steps, and how far they led.
    pub(super) crawl: (u64, f64),
    /// The slope of the last crossing that polynomials told, and their step.
    pub(in crate::hybrid) root: Option<(f64, f64)>,
    /// Guards on a step by series, in powers of the part of the step.
    pub(in crate::hybrid) polynomials: Vec<Observed>,
}

/// Where an arc's step was cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) struct Cut {
    pub(in crate::hybrid) τ: f64,
    /// The guard that crosses there.
    pub(in crate::hybrid) guard: usize,
    /// Its value and ρ, where it cannot be told whether it does.
    pub(in crate::hybrid) touch: Option<(f64, f64)>,
    /// The side from which it comes, where it crosses: it may have been another at the start of the step.
    pub(super) side: Option<f64>,
}

/// What comes of a step that has been looked at again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Checked {
    /// It is as it was made, with its first crossing.
    Made(Option<Cut>),
    /// It has to be at most so long.
    Shorter(f64),
}

/// A guard's crossing or touch on the dense output, at the part s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) s: f64,
    pub(super) guard: usize,
    pub(super) noise: f64,
    pub(super) rounding: f64,
    pub(super) verdict: Verdict,
}

impl Arc {
    pub(in crate::hybrid) fn new(dimension: usize, guards: usize) -> Self {
        Self {
            scan: Scan::new(),
            basis: &BASIS,
            sketch: vec![0.0; (SKETCH + 1) * guards],
            values: vec![0.0; guards],
            point: vec![0.0; dimension],
            roundings: vec![0.0; dimension],
            uncertainties: vec![0.0; dimension],
            sides: Vec::with_capacity(guards),
            dense: false,
            told: false,
            above: false,
            resolution: 0.0,
            part: 1.0,
            way: 0.0,
            crawl: (0, 0.0),
            root: None,
            polynomials: vec![Observed::unknown(); guards],
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(in crate::hybrid) fn rewind(&mut self) {
        let Self { sketch, values, roundings, uncertainties, .. } = self;
        for list in [sketch, values, roundings, uncertainties] {
            list.fill(0.0);
        }
        self.sides.clear();
        (self.dense, self.resolution, self.root) = (false, 0.0, None);
        (self.told, self.above, self.crawl) = (false, false, (0, 0.0));
    }

    /// uⱼ of the last step.
    pub(in crate::hybrid) fn uncertainties(&self) -> &[f64] {
        &self.uncertainties
    }

    /// Two times closer than this were one in the last search for a root.
    pub(in crate::hybrid) fn resolution(&self) -> f64 {
        self.resolution
    }

    /// ε |yⱼ| of the last step.
    pub(in crate::hybrid) fn roundings(&self) -> &[f64] {
        &self.roundings
    }

    /// No root has been looked for on the step h. One that begins at the last instant is the rest of the step to that.
    pub(in crate::hybrid) fn begin_resolution(&mut self, h: f64, is_rest: bool) {
        let of_root = if is_rest { self.resolution } else { 0.0 };
        self.resolution = of_root.max(RESOLUTION * h);
    }

    pub(in crate::hybrid) fn set_resolution(&mut self, resolution: f64) {
        self.resolution = resolution;
    }

    /// The values of the guards at the start of the step.
    pub(in crate::hybrid) fn set_start(&mut self, values: &[f64]) {
        self.sketch[..values.len()].copy_from_slice(values);
    }

    /// The value of a guard at the end of the step.
    pub(in crate::hybrid) fn set_end(&mut self, guard: usize, value: f64) {
        self.ends_mut()[guard] = value;
    }

    /// That value.
    pub(in crate::hybrid) fn end(&self, guard: usize) -> f64 {
        self.ends()[guard]
    }

    /// The values of the guards at the end of the step.
    pub(super) fn ends(&self) -> &[f64] {
        let count = self.values.len();
        &self.sketch[(SKETCH - 1) * count..SKETCH * count]
    }

    /// Room for them.
    pub(super) fn ends_mut(&mut self) -> &mut [f64] {
        let count = self.values.len();
        &mut self.sketch[(SKETCH - 1) * count..SKETCH * count]
    }

    /// The larger magnitude of a guard at the ends of the last step.
    pub(in crate::hybrid) fn largest(&self, guard: usize) -> f64 {
        self.sketch[guard].abs().max(self.end(guard).abs())
    }

    /// Whether a value is above this part of the magnitude of a guard, which is looked at up to where the last step was cut
    /// if its polynomial tells: behind that, a fall that is a polynomial itself goes on for a step of any size.
    pub(in crate::hybrid) fn exceeds(&self, value: f64, part: f64, guard: usize) -> bool {
        let polynomial = || self.polynomials.get(guard).filter(|_| self.told);
        value > part * self.largest(guard)
            || polynomial().is_some_and(|polynomial| value > part * polynomial.size(self.part))
    }

    /// Sets uⱼ = 2ε|yⱼ| + c (a + r|yⱼ|) of a step, c the share of its tolerance by which one errs, or of one state given twice; |yⱼ| is at least 2π for
    /// an angle that has been turned back.
    pub(in crate::hybrid) fn measure(&mut self, flow: &Flow<'_>, base: &[f64], next: &[f64]) {
        let share = flow.share_of_tolerance();
        for j in 0..base.len() {
            let size = flow.size(j, base, next);
            self.roundings[j] = f64::EPSILON * size;
            self.uncertainties[j] = ROUNDINGS * self.roundings[j] + share * flow.tolerance(j, size);
        }
    }

    /// The noise of a guard on the step just made, and its ρ: the larger ones of both ends.
    pub(super) fn spreads(
        &mut self,
        flow: &Flow<'_>,
        guards: &mut Guards<'_>,
        guard: usize,
    ) -> (f64, f64) {
        let (base, next) = (&flow.base, &flow.next);
        self.measure(flow, &base.y, &next.y);
        let mut spread = |sizes: &[f64]| {
            let end = guards.spread(guard, next.t.high, &next.y, sizes);
            guards.spread(guard, base.t.high, &base.y, sizes).max(end)
        };
        (spread(&self.roundings), spread(&self.uncertainties))
    }

    /// Whether a value at the start of a step, on its side, is beyond ρ there. At the end of the step ρ may be far
    /// larger, where the guard is steep there or has a pole just behind: then the step is too long to tell.
    pub(super) fn is_off(
        &mut self,
        flow: &Flow<'_>,
        guards: &mut Guards<'_>,
        guard: usize,
        value: f64,
    ) -> bool {
        self.measure(flow, &flow.base.y, &flow.base.y);
        value > guards.spread(guard, flow.base.t.high, &flow.base.y, &self.uncertainties)
    }

    /// Samples all guards on the sketch of the step h, whose values at both ends are known.
    pub(super) fn draw(&mut self, flow: &Flow<'_>, guards: &mut Guards<'_>, h: f64) {
        let count = guards.count();
        let Self { basis, sketch, point, .. } = self;
        let t = flow.base.t.high;
        for (i, values) in sketch.chunks_exact_mut(count).enumerate().skip(1) {
            if i == SKETCH {
                flow.sketch_middle(h, point);
                guards.values(t + 0.5 * h, point, values);
            } else if i < SKETCH - 1 {
                flow.sketch(basis.points[i], h, point);
                guards.values(t + basis.points[i] * h, point, values);
            }
        }
    }

    /// Whether the sketch keeps a guard on its side.
    pub(super) fn is_clear(&self, guard: usize, side: Side) -> bool {
        let count = self.values.len();
        let samples: [f64; SKETCH] = std::array::from_fn(|i| self.sketch[i * count + guard]);
        let middle = self.sketch[SKETCH * count + guard];
        let fit = self.basis.fit(&samples);
        let largest = samples.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let error = (samples[SKETCH / 2] - middle).abs();
        !side.leaving && fit.clears(side.sign, fit.tail + error + SKETCH_MARGIN * largest)
    }
}

/// What the polynomials of a step tell.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) enum Known {
    /// No guard crosses.
    Nothing,
    First(First),
    /// Some guard is too near to zero.
    Unclear,
}

/// Where a step by series went.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) enum Stepped {
    /// To its end, or to a crossing.
    To(Option<Cut>),
    /// It is left to the scan of the guards.
    Unclear,
}

/// A crossing.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct First {
    pub(super) s: f64,
    pub(super) guard: usize,
    pub(super) side: f64,
    /// dγ/ds.
    pub(super) slope: f64,
}

// The sides at the end of a step have been taken where it has been made.
part! { Arc {
    parts: [sketch, values, roundings, uncertainties],
    values: [dense, above, resolution, crawl, root],
    room: [scan, basis, point, sides, polynomials, told, part, way],
} }

value! { Cut { τ, guard, touch, side }, |it, from| from.guard(it.guard) }
