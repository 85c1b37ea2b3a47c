//! How far a slip is from rest: what bounds the steps, and what has come to it (`stick_slip`).

use crate::friction::FrictionError;
use crate::friction::slip_state::norm;
use crate::hybrid::automaton::Automaton;
use crate::trajectory::end::End;

/// τ is zero below this part of the time.
const STOP: f64 = 1e-12;

/// And below this part of that where some component of the slip takes so many times as long, or grows.
const INSTANT: f64 = 1e-3;
const APART: f64 = 100.0;

/// Terms that end within this many τ end together.
const TOGETHER: f64 = 10.0;

/// The rest to which a slip comes.
struct Stop {
    /// The time to it.
    τ: f64,
    /// Whether that is none.
    is_now: bool,
    /// Whether steps keep away from it.
    is_kept_from: bool,
}

impl Automaton<'_> {
    /// The longest step that keeps away from the next stop, and the terms that have come to it.
    pub(in crate::hybrid) fn approach(&mut self) -> Result<(f64, Vec<usize>), End> {
        if !self.has_friction() || self.course.rest.is_some() {
            return Ok((f64::INFINITY, Vec::new()));
        }
        self.load_forces(0.0, &[])?;
        self.check_coefficients()?;
        let (count, part) = (self.laws.forces.terms.count(), self.flow.part_of_stop());
        let mut rate = self.laws.forces.spare.list();
        let (mut longest, mut last): (f64, Option<f64>) = (f64::INFINITY, None);
        for term in 0..count {
            let Some(stop) = self.stop_of(term, &mut rate) else { continue };
            if stop.is_kept_from {
                longest = longest.min(part * stop.τ);
            }
            if stop.is_now {
                last = Some(last.map_or(stop.τ, |last| last.max(stop.τ)));
            }
        }
        let mut stopping = Vec::new();
        if let Some(last) = last {
            let stops = |stop: &Stop| stop.is_now || stop.τ <= TOGETHER * last;
            stopping.extend(
                (0..count)
                    .filter(|term| self.stop_of(*term, &mut rate).as_ref().is_some_and(stops)),
            );
        }
        self.laws.forces.spare.put(rate);
        if self.has_integral() && !self.mode.sticks(self.laws.forces.terms.count()) {
            let (t, now) = (self.t(), self.now());
            let (q, v) = self.flow.base.parts();
            let (v, a) = (v.to_vec(), self.flow.slope()[q.len()..].to_vec());
            let (speed, power) = self.laws.forces.speed_and_rate(&v, &a);
            let τ = if power < 0.0 { speed * speed / -power } else { f64::INFINITY };
            if τ <= now && !self.slip.state.starts_sliding(t, &v) {
                return Ok((longest, (0..self.system.info().frictions.len()).collect()));
            }
            longest = longest.min(part * τ);
        }
        Ok((longest, stopping))
    }

    /// The time that is no time.
    fn now(&self) -> f64 {
        STOP * self.t().abs().max(self.t() - self.slip.since)
    }

    /// When a term that slides and falls comes to rest; `rate` is room.
    fn stop_of(&self, term: usize, rate: &mut Vec<f64>) -> Option<Stop> {
        let (t, now, terms) = (self.t(), self.now(), &self.laws.forces.terms);
        let acts = terms.acts(term, self.mode.closed());
        // What has no friction passes through zero like any other velocity.
        if !acts || self.mode.sticks(term) || !terms.holds_by_some(term) {
            return None;
        }
        let (q, v) = self.flow.base.parts();
        let w = terms.w(term);
        rate.clear();
        rate.extend(terms.rates(term, &self.flow.slope()[q.len()..]));
        let speed = norm(w);
        let slowing = -crate::linear::linalg::dot(w, rate) / speed;
        if self.slip.state.is_leaving(term, t, speed) || slowing.is_nan() || slowing <= 0.0 {
            return None;
        }
        let (τ, plane) = (speed / slowing, w.len() > 1);
        // Where friction differs by direction one component may die out in no time while another goes on.
        let last = terms.last_to_rest(term, v, rate);
        let soon = if last <= APART * τ { now } else { INSTANT * now };
        let is_zero = last == 0.0 && speed <= terms.rounding(term, v, w);
        let is_now = plane && (τ <= soon || is_zero);
        Some(Stop { τ, is_now, is_kept_from: plane && last.is_finite() })
    }

    /// Coefficients of what acts may depend on t and coordinates, and are not negative.
    fn check_coefficients(&self) -> Result<(), End> {
        let terms = &self.laws.forces.terms;
        let mut acting = (0..terms.count()).filter(|term| terms.acts(*term, self.mode.closed()));
        let negative = acting.find(|term| terms.is_negative(*term));
        negative.map_or(Ok(()), |term| {
            let coefficient = terms.coefficient(term);
            Err(self.impossible_friction(FrictionError::Coefficient { term, coefficient }))
        })
    }
}
