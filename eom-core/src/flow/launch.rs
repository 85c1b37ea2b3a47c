//! The step with which friction begins to slide: by collocation (`integrate::radau`).

use super::failure::StepFailure;
use super::methods::Collocated;
use super::motion::Flow;
use crate::integrate::radau::{Radau, Stage, Step};

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
            let whole = self.collocate(&radau, t.high, &base, h, true);
            let half = whole.and_then(|(whole, _)| {
                let (middle, mut stages) = self.collocate(&radau, t.high, &base, 0.5 * h, true)?;
                let after = t.plus(0.5 * h).high;
                let (end, others) = self.collocate(&radau, after, &middle, 0.5 * h, false)?;
                stages.extend(others);
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

    /// A step by collocation; at the start of the arc its guess is made with the directions in
    /// which friction begins to slide. Returns its end and its stages.
    fn collocate(
        &mut self,
        radau: &Radau,
        t: f64,
        y: &[f64],
        h: f64,
        begins: bool,
    ) -> Option<(Vec<f64>, Vec<Stage>)> {
        let Self { field, .. } = self;
        let (sticking, slip_state) = (field.mode.sticking().to_vec(), field.slip_state.clone());
        let mut first = vec![0.0; y.len()];
        if begins {
            field.forces.set_slip_state(&sticking, &slip_state.forced());
        }
        field.slope(t, y, &mut first);
        let guess = radau.nodes.iter().map(|c| {
            let moved: Vec<f64> = y.iter().zip(&first).map(|(y, k)| y + c * h * k).collect();
            let mut slope = vec![0.0; y.len()];
            field.slope(t + c * h, &moved, &mut slope);
            if begins {
                field.forces.align(&mut slope[field.positions..]);
            }
            slope
        });
        let mut slopes: Vec<Vec<f64>> = guess.collect();
        field.forces.set_slip_state(&sticking, &slip_state);
        let positions = field.positions;
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| {
            field.slope(t, y, dy);
            field.forces.smallest_slip(&y[positions..])
        };
        let step = Step { t, y, h, positions };
        let end = radau.solve(&step, &mut slopes, &mut f)?;
        Some((end, radau.stages(&step, &slopes)))
    }
}
