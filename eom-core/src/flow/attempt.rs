//! One step of the flow: attempts of a size until one is accurate, and what is asked of its end.

use super::failure::StepFailure;
use super::methods::stepper::Stepper;
use super::motion::Flow;

/// An implicit step begins with so many times the size of the explicit one that was not accurate.
const IMPLICIT: f64 = 1e4;

/// Steps in a row that may pass a jump of the forces by the rounding of the time.
const PASSED_MAX: u64 = 4;

impl Flow<'_> {
    /// Makes an accepted step of at most `longest` and leaves its end in `next`. Returns its size.
    pub(crate) fn step(&mut self, longest: f64) -> Result<f64, StepFailure> {
        loop {
            let h = self.reach(longest)?;
            if self.pace.size == 0.0 {
                return Err(StepFailure::Underflow { step: 0.0 });
            }
            let tried = self.attempt(h);
            let error = *tried.as_ref().unwrap_or(&f64::NAN);
            if self.method.judge(error, h, &mut self.pace) {
                self.pace.passed = 0;
                return Ok(h);
            }
            self.pace.rejected += 1;
            if self.breaks
                && error.is_finite()
                && h <= self.shortest_step()
                && self.pace.passed < PASSED_MAX
            {
                self.pace.passed += 1;
                self.arrive_at_end(h)?;
                self.pace.size = h;
                return Ok(h);
            }
            let is_final = tried.as_ref().is_err_and(StepFailure::is_final);
            if is_final || h <= self.shortest_step() && !self.insists(h) {
                return Err(tried.err().unwrap_or(StepFailure::Underflow { step: h }));
            }
        }
    }

    /// Whether an implicit method goes on where no step of the size h is accurate.
    fn insists(&mut self, h: f64) -> bool {
        let insists = self.insist();
        if insists {
            self.pace.size = IMPLICIT * h;
        }
        insists
    }

    /// An implicit method goes on, where one stands by.
    pub(crate) fn insist(&mut self) -> bool {
        let Self { field, method, base, .. } = self;
        method.insist(field, base)
    }

    /// The error of a step h, which is brought to the constraints and closed where the error allows it.
    fn attempt(&mut self, h: f64) -> Result<f64, StepFailure> {
        self.lead(h, false)?;
        self.finite()?;
        let Self { field, method, base, next, tolerance, .. } = self;
        let error = method.error(field, (base, h, next), tolerance);
        if error <= 1.0 {
            self.arrive_at_end(h)?;
        }
        Ok(error)
    }

    /// The step h is one: it is brought to the constraints and closed.
    fn arrive_at_end(&mut self, h: f64) -> Result<(), StepFailure> {
        self.keep(h)?;
        if self.method.has_end_slope() {
            self.close()?;
            self.pairs()?;
            self.sees_forces(h)?;
        }
        self.method.accept(&self.base, h, &self.next);
        Ok(())
    }

    /// k₁₃ at next.
    pub(super) fn close(&mut self) -> Result<(), StepFailure> {
        let Self { field, method, next, .. } = self;
        field.slope(next.t.high, &next.y, method.end_slope_mut());
        match self.field.not_finite(self.method.end_slope()) {
            Some(what) => Err(StepFailure::NonFinite { what }),
            None => Ok(()),
        }
    }

    /// The step must not pass a state where there are no multipliers, however close it is to its ends.
    fn pairs(&self) -> Result<(), StepFailure> {
        let Some(sign) = self.pairing else { return Ok(()) };
        let (q, v) = self.next.parts();
        if self.field.pairing_sign(self.next.t.high, q, v) == Some(sign) {
            return Ok(());
        }
        Err(StepFailure::NonFinite { what: "a constraint force".to_owned() })
    }
}
