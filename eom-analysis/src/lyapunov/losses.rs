//! Variations made orthonormal, and which of them a motion loses for good.
//!
//! ```text
//! Φ Q = Q′ R by Gram and Schmidt, twice          what is left of a column beside those before it: Rⱼⱼ/|Φ qⱼ|
//! ```
//!
//! Little is left where a direction is lost, as of a speed that a reset gives, and where it falls fast beside the others. There
//! the span is gone through again in parts that are short enough, orthonormal before each jump: behind it one that is lost is
//! what rounding makes of it.

use crate::error::AnalysisError;
use crate::variation::Variations;
use crate::variation::course::{Instant, Place};
use eom_core::{Run, elementary};
use nalgebra::DMatrix;

/// Where less than this part of a column is left over a span, it has few digits.
const FALLS: f64 = 1e-8;

/// Where less is left behind a jump, nothing is.
const NOTHING: f64 = 1e-13;

/// The most parts of a span.
const PARTS: u32 = 1 << 12;

/// ln of the diagonal of R, −∞ behind the columns that are kept; which they are, and the least part of one of them that is left.
struct Orthonormal {
    growth: Vec<f64>,
    kept: Vec<usize>,
    least: f64,
}

/// Gram and Schmidt, twice, of the first columns. Those of which no more than a part is left make room for those behind them;
/// what is not left vanishes.
fn gram_schmidt(matrix: &mut DMatrix<f64>, left: usize, dropped: Option<f64>) -> Orthonormal {
    let (mut kept, mut least) = (Vec::with_capacity(left), 1.0_f64);
    let mut growth = vec![f64::NEG_INFINITY; matrix.ncols()];
    for j in 0..left.min(matrix.ncols()) {
        let mut column = matrix.column(j).into_owned();
        let size = column.norm();
        for _ in 0..2 {
            for i in 0..kept.len() {
                let other = matrix.column(i);
                let part = other.dot(&column);
                column -= other * part;
            }
        }
        let length = column.norm();
        if dropped.is_some_and(|part| length <= part * size) {
            continue;
        }
        least = least.min(if length > 0.0 { length / size } else { 0.0 });
        matrix.set_column(kept.len(), &(column / length));
        growth[kept.len()] = elementary::ln(length);
        kept.push(j);
    }
    let behind = matrix.ncols() - kept.len();
    matrix.columns_mut(kept.len(), behind).fill(0.0);
    Orthonormal { growth, kept, least }
}

/// The same of all that are left: ln of the diagonal of R.
pub(crate) fn orthonormalise(matrix: &mut DMatrix<f64>, left: usize) -> Vec<f64> {
    gram_schmidt(matrix, left, None).growth
}

/// Variations that are gone through a span again.
struct Again {
    matrix: DMatrix<f64>,
    growth: Vec<f64>,
    left: usize,
}

impl Again {
    /// Adds what has grown since.
    fn add(&mut self, growth: &[f64]) {
        self.growth.iter_mut().zip(growth).for_each(|(sum, part)| *sum += part);
    }
}

impl Variations<'_> {
    /// Makes variations orthonormal that have come to where a run is from a place, where they were those of `before`, and
    /// counts those that are left: ln of the diagonal of R.
    pub(crate) fn made_orthonormal(
        &self,
        (run, instants): (&Run<'_>, &[Instant]),
        (from, before): (&Place, &DMatrix<f64>),
        inputs: &[f64],
        (matrix, left): (&mut DMatrix<f64>, &mut usize),
    ) -> Result<Vec<f64>, AnalysisError> {
        let mut scaled = matrix.clone();
        let found = gram_schmidt(matrix, *left, None);
        // Speeds by the time of the span, whatever its unit is.
        let span = run.t() - from.state.t;
        if found.least >= FALLS || self.scaled(&mut scaled, *left, span, None).least >= FALLS {
            return Ok(found.growth);
        }
        let mut parts = 1;
        while parts < PARTS {
            parts *= 2;
            // Variations that cannot be followed in parts are what they are.
            let again = self.in_parts((run, instants), (from, before), inputs, parts);
            let Some(mut again) = again.ok().flatten() else { continue };
            self.keep(run, inputs, &[], (&mut again.matrix, &mut again.left))?;
            *left = again.left.min(*left);
            let growth = orthonormalise(&mut again.matrix, *left);
            again.add(&growth);
            *matrix = again.matrix;
            return Ok(again.growth);
        }
        Ok(found.growth)
    }

    /// The same in units of positions and of what speeds are over a span.
    fn scaled(
        &self,
        matrix: &mut DMatrix<f64>,
        left: usize,
        span: f64,
        dropped: Option<f64>,
    ) -> Orthonormal {
        let (n, m) = (self.programs.info.positions(), self.programs.info.speeds());
        matrix.rows_mut(n, m).scale_mut(span);
        gram_schmidt(matrix, left, dropped)
    }

    /// Goes through a span again in so many parts; nothing where in one of them a variation falls fast.
    fn in_parts(
        &self,
        (run, instants): (&Run<'_>, &[Instant]),
        (from, before): (&Place, &DMatrix<f64>),
        inputs: &[f64],
        parts: u32,
    ) -> Result<Option<Again>, AnalysisError> {
        let (since, span) = (from.state.t, run.t() - from.state.t);
        let left = before.column_iter().filter(|column| column.norm() > 0.0).count();
        let (mut at, growth) = (from.clone(), vec![0.0; before.ncols()]);
        let mut again = Again { matrix: before.clone(), growth, left };
        let mut next = 0;
        for part in 1..=parts {
            let t = since + span * (f64::from(part) / f64::from(parts));
            while let Some(instant) = instants.get(next).filter(|instant| instant.before.t <= t) {
                // Where forces jump the sides are those of the arc.
                if self.jumps.is_none() {
                    let state = self.arc(&at, inputs, instant.before.t, &mut again.matrix)?;
                    if self.falls(&mut again, span) {
                        return Ok(None);
                    }
                    at = Place::new(state, at.course);
                    at.state = instant.before.clone();
                }
                let alone = std::slice::from_ref(instant);
                at = self.through(alone, (since, at), inputs, &mut again.matrix)?;
                self.drop_lost(&mut again, span);
                next += 1;
            }
            let state = self.arc(&at, inputs, t, &mut again.matrix)?;
            if self.falls(&mut again, span) {
                return Ok(None);
            }
            at = Place::new(state, at.course);
        }
        Ok(Some(again))
    }

    /// Makes variations orthonormal along an arc; whether one of them falls fast.
    fn falls(&self, again: &mut Again, span: f64) -> bool {
        let least = self.scaled(&mut again.matrix.clone(), again.left, span, None).least;
        let growth = orthonormalise(&mut again.matrix, again.left);
        again.add(&growth);
        least < FALLS
    }

    /// The same behind a jump, without those that it loses.
    fn drop_lost(&self, again: &mut Again, span: f64) {
        let scaled = self.scaled(&mut again.matrix.clone(), again.left, span, Some(NOTHING));
        let (size, columns) = again.matrix.shape();
        let kept = again.matrix.select_columns(&scaled.kept);
        again.left = kept.ncols();
        again.matrix = kept.resize(size, columns, 0.0);
        let growth = orthonormalise(&mut again.matrix, again.left);
        again.add(&growth);
    }
}
