//! The step with which friction begins to slide: by collocation (`integrate::radau`).

use super::Collocated;
use crate::flow::failure::StepFailure;
use crate::flow::motion::Flow;
use crate::integrate::radau::{Radau, Step};

/// Rounds of a guess.
const ROUNDS: usize = 4;

/// Units of rounding of the forces in what they leave.
const ROUNDINGS: f64 = 16.0;

/// Halvings of a step with which friction begins to slide.
const LAUNCH_HALVINGS: usize = 40;

impl Flow<'_> {
    /// Makes a step of at most `longest` by collocation, where friction begins to slide in a plane,
    /// and leaves its end in `next`; one step agrees with its two halves to the tolerance. Returns
    /// its size, or nothing where no step is accurate.
    pub(crate) fn launch(&mut self, longest: f64) -> Result<Option<f64>, StepFailure> {
        let radau = Radau::new();
        let mut h = longest.min(self.pace.size);
        let (t, base) = (self.base.t, self.base.y.clone());
        for _ in 0..LAUNCH_HALVINGS {
            let whole = self.collocate(&radau, (t.high, &base, h), None);
            let half = whole.and_then(|(whole, slopes)| {
                let [first, second] = [0.0, 0.5].map(|from| radau.within(&slopes, from, 0.5));
                let (middle, of_first) =
                    self.collocate(&radau, (t.high, &base, 0.5 * h), Some(first))?;
                let after = t.plus(0.5 * h).high;
                let (end, of_second) =
                    self.collocate(&radau, (after, &middle, 0.5 * h), Some(second))?;
                let positions = self.field.positions;
                let step = |t, y, h| Step { t, y, h, positions };
                let mut stages = radau.stages(&step(t.high, &base, 0.5 * h), &of_first);
                stages.extend(radau.stages(&step(after, &middle, 0.5 * h), &of_second));
                Some((whole, end, stages))
            });
            if let Some((whole, halves, stages)) = half {
                let allowed = |j: usize| self.tolerance(j, base[j].abs().max(halves[j].abs()));
                if (0..base.len()).all(|j| (whole[j] - halves[j]).abs() <= allowed(j)) {
                    self.next.t = t.plus(h);
                    self.next.y.copy_from_slice(&halves);
                    self.next.low.fill(0.0);
                    self.method.set_collocated(Some(Collocated { stages, end: halves }));
                    self.project()?;
                    return Ok(Some(h));
                }
            }
            h *= 0.5;
        }
        Ok(None)
    }

    /// A step by collocation, from a guess of its slopes; at the start of the arc that is made with the directions in which
    /// friction begins to slide. Returns its end and its slopes.
    fn collocate(
        &mut self,
        radau: &Radau,
        (t, y, h): (f64, &[f64], f64),
        guess: Option<Vec<Vec<f64>>>,
    ) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let free = self.field.forces.free().iter().fold(0.0_f64, |size, a| size.max(a.abs()));
        let rounding = ROUNDINGS * f64::EPSILON * free;
        let step = Step { t, y, h, positions: self.field.positions };
        let mut slopes = guess.unwrap_or_else(|| self.guess(radau, &step));
        let Self { field, .. } = self;
        let positions = field.positions;
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| {
            field.slope(t, y, dy);
            field.forces.smallest_slip(&y[positions..])
        };
        let end = radau.solve(&step, &mut slopes, rounding, &mut f)?;
        Some((end, slopes))
    }

    /// The slopes of a step with which friction begins to slide, in the directions in which it begins: with these held the motion
    /// is smooth, and each round knows the slip at the stages by one order more.
    fn guess(&mut self, radau: &Radau, step: &Step<'_>) -> Vec<Vec<f64>> {
        let Self { field, .. } = self;
        let (sticking, slip_state) = (field.mode.sticking().to_vec(), field.slip_state.clone());
        field.forces.set_slip_state(&sticking, &slip_state.forced());
        let mut first = vec![0.0; step.y.len()];
        field.slope(step.t, step.y, &mut first);
        let mut slopes = vec![first; radau.nodes.len()];
        for _ in 0..ROUNDS {
            let stages: Vec<(f64, Vec<f64>)> =
                radau.stages(step, &slopes).into_iter().map(|stage| (stage.t, stage.y)).collect();
            for (slope, (t, y)) in slopes.iter_mut().zip(&stages) {
                field.slope(*t, y, slope);
                field.forces.align(&mut slope[field.positions..]);
            }
        }
        field.forces.set_slip_state(&sticking, &slip_state);
        slopes
    }
}
