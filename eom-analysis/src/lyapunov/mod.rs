//! Lyapunov exponents, through impacts.
//!
//! ```text
//! Φⱼ Qⱼ₋₁ = Qⱼ Rⱼ          λᵢ = (1/Στⱼ) Σ ln Rⱼ,ᵢᵢ          Φⱼ the transition over the j-th span τ
//! ```
//!
//! Directions are those on the constraints, to which variations are brought after each span: there are no others. Where a contact
//! stays closed, friction sticks or a jump loses some (`losses`), directions of the motion are lost for good: of the spans that are
//! counted there are as many exponents as directions are left at least, the others are −∞.
//!
//! A motion that has come to rest to its last digit has the exponents of that rest, Re λ: where each part of ẏ is below so many
//! roundings of the largest that was seen of it, or where a run ends for it. What changes with the time has no rest.
//!
//! The errors are those of the mean over batches of spans, which are long enough to count as independent, one standard
//! deviation; and no less than the sums S of ln R allow for, which of a regular motion are bounded, or grow as ln t, and tell
//! the exponent by 1/T only:
//!
//! ```text
//! w/√(π/2) T,  min(1, 2 w)/T          w = max − min of Sⱼ − j S/n
//! ```
//!
//! where √(π/2) is what a bridge of independent steps has of w in units of its deviation. What grows as a power of the time,
//! as of most regular motions, has S = p ln(1 + t/T₀), T₀ the time that is left out before, with
//!
//! ```text
//! w = |S| (ln(a/L) − 1 + L/a)/(L T)          a = T/T₀, L = ln(1 + a)
//! ```
//!
//! and so an exponent whose sum is no more than that, and not by far straighter, is not told from 0.

mod losses;

use crate::error::AnalysisError;
use crate::space::StateSpace;
use crate::variation::Variations;
use crate::variation::course::Instant;
use eom_core::{Mode, Options, Run, State, elementary};
use losses::orthonormalise;
use nalgebra::DMatrix;

/// Batches of which the mean is taken.
const BATCHES: usize = 20;

/// √(π/2).
const BRIDGE: f64 = 1.253_314_137_315_500_3;

/// The largest power of the time by which variations of a regular motion are taken to grow.
const POWER: f64 = 2.0;

/// Below this part of the wandering of such a power a sum is straight.
const STRAIGHT: f64 = 0.125;

/// Roundings of the largest ẏ that is seen, below which a motion is at rest.
const STILL: f64 = 64.0 * f64::EPSILON;

/// Times of each later span at which what rests is looked at.
const LOOKS: f64 = 16.0;

/// Parts of a span after which what rests is looked at again, and by which part of it its eigenvalues may differ there.
const LATER: [f64; 2] = [0.377, 0.811];
const SAME: f64 = 1e-9;

/// How exponents are measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LyapunovOptions {
    /// How many exponents, the largest ones.
    pub count: usize,
    /// The time between two orthonormalisations.
    pub span: f64,
    /// How many spans are counted.
    pub spans: usize,
    /// How many are left out before, while the variations find their directions.
    pub transient: usize,
}

/// An exponent with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponent {
    /// λ, in 1/time; −∞ of a direction that is lost.
    pub value: f64,
    /// One standard deviation of the mean, and what is left of the sums that it is the mean of.
    pub error: f64,
}

/// Exponents, with what they are of.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponents {
    /// The largest first.
    pub all: Vec<Exponent>,
    /// The time at which the run has come to a steady motion whose they are; none where they are means over spans.
    pub rest: Option<f64>,
}

impl Variations<'_> {
    /// The largest Lyapunov exponents of the motion from a start, the largest first.
    ///
    /// # Errors
    /// Those of a run, a run that ends before, and what has no derivative.
    pub fn lyapunov(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        asked: LyapunovOptions,
    ) -> Result<Vec<Exponent>, AnalysisError> {
        self.exponents(start, inputs, options, asked).map(|found| found.all)
    }

    /// The same, with what they are of.
    ///
    /// # Errors
    /// Those of a run, a run that ends before, and what has no derivative.
    pub fn exponents(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        asked: LyapunovOptions,
    ) -> Result<Exponents, AnalysisError> {
        let size = start.q.len() + start.v.len();
        let mut run = self.run(start, inputs, options)?;
        let free = self.tangent(&Mode::default(), run.state(), inputs)?.ncols();
        let count = asked.count.min(free);
        let mut matrix = DMatrix::from_fn(size, count, seed);
        let mut left = free;
        self.keep(&run, inputs, &[], (&mut matrix, &mut left))?;
        orthonormalise(&mut matrix, left);
        let mut growths: Vec<Vec<f64>> = Vec::with_capacity(asked.spans);
        let mut largest = vec![0.0; size];
        self.is_still(&run, inputs, &mut largest)?;
        let end = start.t + asked.span * (asked.transient + asked.spans) as f64;
        // Before it what is still is known to be no rest.
        let mut moves_until = start.t;
        for index in 0..asked.transient + asked.spans {
            if index == asked.transient && left < count {
                // What was lost before is asked anew.
                self.renew(&run, inputs, (&mut matrix, &mut left))?;
            }
            let t = start.t + asked.span * (index + 1) as f64;
            let (from, before) = (self.place(&run), matrix.clone());
            let instants = match self.advance(&mut run, inputs, t, &mut matrix) {
                // Where a run is at rest to its last digit, an event may be one that cannot be told: the exponents can.
                Err(error @ AnalysisError::Ended { .. }) => {
                    let is_still = self.is_still(&run, inputs, &mut largest).unwrap_or(false);
                    let rest = || self.of_rest(&run, inputs, (count, asked.span));
                    let all = is_still.then(rest).flatten().ok_or(error)?;
                    return Ok(Exponents { all, rest: Some(run.t()) });
                }
                found => found?,
            };
            if self.is_still(&run, inputs, &mut largest)? && run.t() >= moves_until {
                let moves = self.moves_again(&run, inputs, (&largest, end, asked.span))?;
                let rest = || self.of_rest(&run, inputs, (count, asked.span));
                if let Some(all) = moves.is_none().then(rest).flatten() {
                    return Ok(Exponents { all, rest: Some(run.t()) });
                }
                moves_until = moves.unwrap_or(f64::INFINITY);
            }
            self.keep(&run, inputs, &instants, (&mut matrix, &mut left))?;
            let (passed, carried) = ((&run, &instants[..]), (&from, &before));
            let growth =
                self.made_orthonormal(passed, carried, inputs, (&mut matrix, &mut left))?;
            let lost = |i: usize, growth: f64| i >= left && growth == f64::NEG_INFINITY;
            let mut growths_here = growth.iter().enumerate();
            if !growths_here.all(|(i, growth)| growth.is_finite() || lost(i, *growth)) {
                let what = format!("the growth of a variation before t = {t}");
                return Err(AnalysisError::NotFinite { what });
            }
            if index >= asked.transient {
                growths.push(growth);
            }
            let _ = (run.take_events(), run.take_samples(), run.take_modes());
        }
        let before = asked.transient.max(1);
        let mean = |i: usize| mean(growths.iter().map(|growth| growth[i]), asked.span, before);
        let mut all: Vec<Exponent> = (0..count).map(mean).collect();
        // Those that are nearly alike have not come into their order in so many spans.
        all.sort_by(|a, b| b.value.total_cmp(&a.value));
        Ok(Exponents { all, rest: None })
    }
}

impl Variations<'_> {
    /// Whether a run in free motion is at rest beside the largest ẏ that has been seen, which it adds to.
    fn is_still(
        &self,
        run: &Run<'_>,
        inputs: &[f64],
        largest: &mut [f64],
    ) -> Result<bool, AnalysisError> {
        let here = self.place(run);
        if !self.is_plain(&here.course) {
            return Ok(false);
        }
        let slopes = self.slopes(&here.course, &here.state, inputs)?;
        let mut is_still = true;
        for (slope, largest) in slopes.iter().zip(largest) {
            *largest = slope.abs().max(*largest);
            is_still &= slope.abs() <= STILL * *largest;
        }
        Ok(is_still)
    }

    /// When before an end it would be at rest no more, as far as looks at later times show: where a force comes later.
    fn moves_again(
        &self,
        run: &Run<'_>,
        inputs: &[f64],
        (largest, end, span): (&[f64], f64, f64),
    ) -> Result<Option<f64>, AnalysisError> {
        let here = self.place(run);
        let step = span / LOOKS;
        let mut t = here.state.t + step;
        while t < end {
            let later = State { t, ..here.state.clone() };
            let slopes = self.slopes(&here.course, &later, inputs)?;
            if slopes.iter().zip(largest).any(|(slope, largest)| slope.abs() > STILL * largest) {
                return Ok(Some(t));
            }
            t += step;
        }
        Ok(None)
    }

    /// The real parts of the eigenvalues at a state, the largest first.
    fn real_parts(&self, state: &State, inputs: &[f64]) -> Option<Vec<f64>> {
        let space = StateSpace::new(self.programs.system).ok()?;
        let eigenvalues = space.linearise(state, inputs).ok()?.eigenvalues().ok()?;
        let mut values: Vec<f64> = eigenvalues.iter().map(|value| value.re).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        Some(values)
    }

    /// The exponents of the steady motion that a run has come to, the real parts of its eigenvalues; none where it moves on, and
    /// where they are others at another time.
    fn of_rest(
        &self,
        run: &Run<'_>,
        inputs: &[f64],
        (count, span): (usize, f64),
    ) -> Option<Vec<Exponent>> {
        let mut values = self.real_parts(run.state(), inputs)?;
        for part in LATER {
            let state = State { t: run.t() + part * span, ..run.state().clone() };
            let later = self.real_parts(&state, inputs)?;
            let size = values.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
            let differs = |(a, b): (&f64, &f64)| (a - b).abs() > SAME * size;
            if later.len() != values.len() || values.iter().zip(&later).any(differs) {
                return None;
            }
        }
        // Coordinates on which nothing depends stay moved, what is held is lost.
        let directions = |mode: &Mode| Some(self.tangent(mode, run.state(), inputs).ok()?.ncols());
        let (here, free) = (directions(run.mode())?, directions(&Mode::default())?);
        values.resize(here.max(values.len()), 0.0);
        values.sort_by(|a, b| b.total_cmp(a));
        values.resize(free.max(values.len()), f64::NEG_INFINITY);
        values.truncate(count);
        Some(values.into_iter().map(|value| Exponent { value, error: 0.0 }).collect())
    }

    /// Fills the columns that are lost with directions in which the motion can be moved where a run is.
    fn renew(
        &self,
        run: &Run<'_>,
        inputs: &[f64],
        (matrix, left): (&mut DMatrix<f64>, &mut usize),
    ) -> Result<(), AnalysisError> {
        let here = self.place(run);
        let tangent = self.tangent(&here.course.mode, &here.state, inputs)?;
        let (rows, kept) = (matrix.nrows(), *left);
        let fresh = DMatrix::from_fn(rows, matrix.ncols() - kept, |i, j| seed(i, kept + j));
        matrix.columns_mut(kept, fresh.ncols()).copy_from(&(&tangent * tangent.tr_mul(&fresh)));
        *left = tangent.ncols();
        orthonormalise(matrix, *left);
        Ok(())
    }

    /// Brings variations to the directions in which the motion can be moved where a run is, and counts those that are
    /// left of all through the instants before. Of free motion without constraints nothing changes.
    pub(crate) fn keep(
        &self,
        run: &Run<'_>,
        inputs: &[f64],
        instants: &[Instant],
        (matrix, left): (&mut DMatrix<f64>, &mut usize),
    ) -> Result<(), AnalysisError> {
        for instant in instants.iter().filter(|instant| !self.is_plain(&instant.course)) {
            let mode = &instant.course.mode;
            *left = (*left).min(self.tangent(mode, &instant.after, inputs)?.ncols());
        }
        let here = self.place(run);
        let is_free = self.programs.info.rows.is_empty()
            && self.programs.info.positions() == self.programs.info.speeds();
        if is_free
            && self.is_plain(&here.course)
            && instants.iter().all(|i| self.is_plain(&i.course))
        {
            return Ok(());
        }
        let tangent = self.tangent(&here.course.mode, &here.state, inputs)?;
        *left = (*left).min(tangent.ncols());
        *matrix = &tangent * tangent.tr_mul(matrix);
        Ok(())
    }
}

/// Directions in which no system is special.
fn seed(i: usize, j: usize) -> f64 {
    let mixed = (i as u64 + 1)
        .wrapping_mul(0x9E37_79B9)
        .wrapping_add((j as u64 + 1).wrapping_mul(0x85EB_CA6B));
    f64::from(u8::from(i == j)) + 0.1 * ((mixed % 1009) as f64 / 1009.0 - 0.5)
}

/// That of growths over spans, behind so many that are left out.
fn mean(growths: impl Iterator<Item = f64>, span: f64, before: usize) -> Exponent {
    let rates: Vec<f64> = growths.map(|growth| growth / span).collect();
    let average = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    let value = average(&rates);
    if value == f64::NEG_INFINITY {
        return Exponent { value, error: 0.0 };
    }
    let length = rates.len().div_ceil(BATCHES).max(1);
    let batches: Vec<f64> = rates.chunks(length).map(average).collect();
    let n = batches.len() as f64;
    let spread = batches.iter().map(|batch| (batch - value).powi(2)).sum::<f64>();
    let error = if n > 1.0 { (spread / (n * (n - 1.0))).sqrt() } else { value.abs() };
    let wander = wandering(&rates, value);
    let time = span * rates.len() as f64;
    let least = (2.0 * wander).min(1.0 / time);
    let is_told = is_no_power(value, (time, span * before as f64), wander);
    let least = if is_told { least } else { least.max(0.5 * value.abs()) };
    Exponent { value, error: error.max(wander / BRIDGE).max(least) }
}

/// Whether an exponent over a time is none that a power of the time has, behind a time before: its sum is larger, or by far
/// straighter.
fn is_no_power(value: f64, (time, before): (f64, f64), wander: f64) -> bool {
    let of_one = elementary::ln(1.0 + time / before);
    let bend = (elementary::ln(time / before / of_one) - 1.0 + of_one * before / time) / of_one;
    (value * time).abs() > POWER * of_one + 1.0 || wander < STRAIGHT * bend * value.abs()
}

/// How far the sums of rates are from those of their mean, over their number.
fn wandering(rates: &[f64], mean: f64) -> f64 {
    let (mut sum, mut low, mut high) = (0.0_f64, 0.0_f64, 0.0_f64);
    for rate in rates {
        sum += rate - mean;
        (low, high) = (low.min(sum), high.max(sum));
    }
    (high - low) / rates.len().max(1) as f64
}
