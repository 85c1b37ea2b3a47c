//! A slip that turns in its plane while the impulse of its contact grows, with its variations.
//!
//! In polar coordinates s = r u(θ), with dΛ = r dτ, what is left where r → 0 is regular:
//!
//! ```text
//! y = (θ, ln r, Λ, ġ, W, Φ)        dy/dτ = f(y, p)        p of what is given
//! dθ/dτ = u′·(b − μ C u)        d ln r/dτ = u·(b − μ C u)        dΛ/dτ = r
//! dġ/dτ = r (a − μ p·u)         dW/dτ = r ġ                      dΦ/dτ = r μ u
//!
//! dδy/dτ = ∂f/∂y δy + ∂f/∂p δp
//! a phase ends, h(y) = 0        δτ = −δh/ḣ,  δy⁺ = δy + f δτ
//! comes to rest, τ → ∞          r → 0, and with it all that δθ and δ ln r do
//! ```
//!
//! which is integrated by extrapolation of the midpoint rule, with steps so short that values and variations are right to their
//! rounding.
//!
//! Beside a slip that comes to rest in a direction from which others turn away, ∂(dθ/dτ)/∂θ = κ > 0, δθ grows as e^(κτ), and r
//! falls as e^(−λτ), λ = −d ln r/dτ. κ = λ − μ u′·C u′ < λ, so that r δθ dies out there, too, and it is integrated until it has. A
//! slip that has all but come to rest and turns has no variations that rounding leaves.

use super::{EDGE, NoImpulses, Process, Response, Varied, direction, dot, root, without_value};
use crate::integrate::midpoint::extrapolated;
use crate::system::Restitution;
use eom_elementary::{Elementary, exp};

/// Steps of a slip that turns.
const STEPS_MAX: usize = 10_000;

/// A slip that turns has come to rest at e to this power of what it was.
const AT_REST: f64 = -42.0;

/// What has been at e to this power of what it was, and grows again, has passed its rest nearer than can be told.
const PASSES: f64 = -25.0;

/// What of variations a slip that has come to rest may still carry.
const CARRIED: f64 = 1e-16;

/// The error of a step, as a part of the sizes of what it changes.
const TOLERANCE: f64 = 1e-14;

/// What the error of variations may be, by that of values.
const OF_VARIATIONS: f64 = 10.0;

/// The first step, as a part of the time in which θ, ln r or Λ change.
const FIRST_STEP: f64 = 0.1;

/// A step with an error below this part of the tolerance is followed by a longer one.
const LONGER: f64 = 1e-2;

/// θ, ln r beside where it was, Λ, ġ, W, Φ.
type Turning<N> = [N; 7];

impl<N: Varied> Response<N> {
    /// dy/dτ of what was r at the start.
    fn turning(&self, y: &Turning<N>, r: N) -> Turning<N> {
        let (u, [across, along]) = (direction(y[0]), self.polar(y[0]));
        let (r, μ) = (r * y[1].call(Elementary::Exp), self.friction);
        [across, along, r, r * self.gap_rate(u), r * y[3], r * μ * u[0], r * μ * u[1]]
    }
}

impl<N: Varied> Process<'_, N> {
    /// Goes on with a slip that turns in its plane: to rest, or to the end of a phase. Whether all is over.
    pub(super) fn turn(&mut self) -> Result<bool, NoImpulses> {
        let (response, start) = (self.response, dot(self.slip, self.slip).sqrt());
        let θ = self.slip[1].atan2(self.slip[0]);
        let [x, z] = self.friction;
        let mut y = [θ, N::of(0.0), self.impulse, self.rate, self.work, x, z];
        let rates = |y: &Turning<N>| response.turning(y, start);
        let (mut h, mut least) = (self.first_step(θ.value(), start.value()), 0.0_f64);
        for _ in 0..STEPS_MAX {
            let (next, change) = extrapolated(&rates, &y, h);
            let error = self.error(&change, &next);
            if error.is_nan() || error > TOLERANCE {
                h *= 0.5;
                continue;
            }
            if self.missing(&next.map(N::value)) <= 0.0 {
                return self.end(&self.ended(&y, h, start)?, start);
            }
            y = next;
            least = least.min(y[1].value());
            if N::VARIES && least < PASSES && y[1].value() > least + 1.0 {
                return Err(NoImpulses::Passes);
            }
            if self.has_come_to_rest(&y) {
                return self.rest(&y);
            }
            if error < LONGER * TOLERANCE {
                h *= 1.5;
            }
        }
        Err(NoImpulses::Endless)
    }

    fn first_step(&self, θ: f64, r: f64) -> f64 {
        let response = self.response.values();
        let [across, along] = response.polar(θ);
        let span = self.impulse.value().max(self.rate.value().abs() / response.normal);
        // From ġ = 0 nothing but the slip has a span.
        let fastest = if span > 0.0 { r / span } else { 0.0 };
        FIRST_STEP / across.abs().max(along.abs()).max(fastest)
    }

    /// Takes Λ, ġ, W and Φ over.
    fn take(&mut self, [_, _, impulse, rate, work, x, z]: &Turning<N>) {
        (self.impulse, self.rate, self.work) = (*impulse, *rate, *work);
        self.friction = [*x, *z];
    }

    /// Goes on from rest: nothing is over.
    fn rest(&mut self, y: &Turning<N>) -> Result<bool, NoImpulses> {
        self.take(y);
        self.slip = [N::of(0.0); 2];
        if N::VARIES {
            let left = self.left(&self.straight()?);
            if left.is_some_and(|left| left.value() <= EDGE * self.impulse.value()) {
                return Err(NoImpulses::Meets);
            }
        }
        Ok(false)
    }

    /// Goes on from the end of a phase: whether all is over.
    fn end(&mut self, y: &Turning<N>, start: N) -> Result<bool, NoImpulses> {
        self.take(y);
        let r = start * y[1].call(Elementary::Exp);
        if N::VARIES {
            let along = self.response.values().polar(y[0].value())[1];
            if along < 0.0 && r.value() <= EDGE * -along * self.impulse.value() {
                return Err(NoImpulses::Meets);
            }
        }
        self.slip = direction(y[0]).map(|u| r * u);
        Ok(self.end_phase())
    }

    /// The end of a phase within a step, whenever that is.
    fn ended(&self, y: &Turning<N>, h: f64, start: N) -> Result<Turning<N>, NoImpulses> {
        let (response, values) = (self.response, self.response.values());
        let (from, r) = (y.map(N::value), start.value());
        let of_values = |y: &Turning<f64>| values.turning(y, r);
        let cut = root(|h| self.missing(&extrapolated(&of_values, &from, h).0), 0.0, h);
        let rates = |y: &Turning<N>| response.turning(y, start);
        let mut there = extrapolated(&rates, y, cut).0;
        if N::VARIES {
            let slopes = of_values(&there.map(N::value));
            let (goal, place) = self.goal();
            if slopes[place] <= EDGE * slopes[2] * self.size_of_rate(place, &there) {
                return Err(NoImpulses::WithoutRate);
            }
            let delay = without_value(goal - there[place]) / N::of(slopes[place]);
            for (entry, slope) in there.iter_mut().zip(slopes) {
                *entry = *entry + N::of(slope) * delay;
            }
        }
        Ok(there)
    }

    /// What dġ/dΛ or dW/dΛ at the end of a phase is beside.
    fn size_of_rate(&self, place: usize, y: &Turning<N>) -> f64 {
        match place {
            3 => self.response.normal.value(),
            4 => y[3].value().abs() + self.response.normal.value() * y[2].value(),
            _ => 1.0,
        }
    }

    /// The value at which a phase ends, and which of y it is of.
    fn goal(&self) -> (N, usize) {
        match (self.compressed, self.law) {
            (None, _) => (N::of(0.0), 3),
            (Some([_, work]), Restitution::Stronge) => (-(self.e * self.e * work), 4),
            (Some([impulse, _]), Restitution::Newton | Restitution::Poisson) => {
                ((N::of(1.0) + self.e) * impulse, 2)
            }
        }
    }

    /// What is missing to the end of a phase.
    fn missing(&self, y: &Turning<f64>) -> f64 {
        let (goal, place) = self.goal();
        goal.value() - y[place]
    }

    /// What y is measured by, and its variations: of θ and ln r by what they do to s.
    fn sizes(&self, at: &Turning<N>) -> [Turning<f64>; 2] {
        let (normal, μ) = (self.response.normal.value(), self.response.friction.value());
        let (rest, impulse) = (at[1].value(), at[2].value());
        let rate = self.rate.value().abs() + normal * impulse;
        let friction = μ * impulse + f64::MIN_POSITIVE;
        // ln r falls far, where it has the rounding of its size and r no weight.
        let of = |θ: f64, rest: f64| [θ, rest, impulse, rate, rate * impulse, friction, friction];
        let weight = 1.0 / exp(rest.clamp(10.0 * AT_REST, 0.0));
        [of(1.0, 1.0 + rest.abs()), of(weight, weight)]
    }

    /// The error of a step beside what it changes.
    fn error(&self, change: &Turning<N>, at: &Turning<N>) -> f64 {
        let [of_values, of_variations] = self.sizes(at);
        let worst = |sizes: &Turning<f64>, entry: &dyn Fn(usize) -> f64| {
            let parts = sizes.iter().enumerate().map(|(i, size)| entry(i).abs() / size);
            parts
                .fold(0.0, |most: f64, part| if part > most || part.is_nan() { part } else { most })
        };
        let mut error = worst(&of_values, &|i| change[i].value());
        for k in 0..change[0].rates().len() {
            let size = OF_VARIATIONS * worst(&of_variations, &|i| at[i].rates()[k]);
            let part = worst(&of_variations, &|i| change[i].rates()[k]);
            if part.is_nan() || part > error * size {
                error = part / size;
            }
        }
        error
    }

    /// Whether nothing of a slip is left, nor of what it carries of variations.
    fn has_come_to_rest(&self, y: &Turning<N>) -> bool {
        if y[1].value() >= AT_REST {
            return false;
        }
        let [_, sizes] = self.sizes(y);
        let part = |i: usize, k: usize| y[i].rates()[k].abs() / sizes[i];
        (0..y[0].rates().len()).all(|k| {
            let kept = (2..y.len()).map(|i| part(i, k)).fold(0.0, f64::max);
            part(0, k).max(part(1, k)) <= CARRIED * kept
        })
    }
}
