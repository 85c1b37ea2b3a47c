//! What several contacts that are struck together do until one of them changes (`work_process`), as power series of the
//! inner time τ.
//!
//! With coordinates y of what they can change, Q the rows of what sticks made orthonormal, and k of a spring that of its phase,
//!
//! ```text
//! y′ = (1 − QᵀQ) (Σ ∇gᵢᵀλᵢ − Σ μ λ Jᵀu)        λᵢ′ = −kᵢ ġᵢ        u = s/‖s‖, or kept in one direction
//! ```
//!
//! gives each coefficient from those before it; products are Cauchy's, and ‖s‖⁻¹ = w^(−1/2), w = s·s, has
//!
//! ```text
//! ρₙ = Σ (−j/2 − (n − j)) wⱼ ρₙ₋ⱼ/(n w₀),  j = 1 … n
//! ```

use super::state::{Process, Way};
use crate::impact::process::{Varied, product};
use eom_elementary as elementary;

/// The degree of the series.
const DEGREE: usize = 24;

/// The last coefficients of y add no more than this part of the speed.
const TAIL: f64 = 1e-18;

/// Parts of a step at whose ends the sign of a guard is looked at.
const PARTS: u32 = 16;

/// Cuts of an interval to a root.
const CUTS_MAX: usize = 100;

/// The coefficients of one quantity.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Powers<N>([N; DEGREE + 1]);

/// All quantities: y, λ and ġ of the springs, s and u of the terms by their components.
pub(in crate::hybrid) struct Series<N> {
    pub(in crate::hybrid) y: Vec<Powers<N>>,
    pub(super) loads: Vec<Powers<N>>,
    pub(in crate::hybrid) rates: Vec<Powers<N>>,
    pub(in crate::hybrid) slips: Vec<Vec<Powers<N>>>,
    pub(in crate::hybrid) directions: Vec<Vec<Powers<N>>>,
    /// w and ρ of each term that turns.
    lengths: Vec<[Powers<N>; 2]>,
}

impl<N: Varied> Powers<N> {
    fn zero() -> Self {
        Self([N::of(0.0); DEGREE + 1])
    }

    /// What it is at τ.
    pub(in crate::hybrid) fn at(&self, τ: f64) -> N {
        self.0.iter().rev().fold(N::of(0.0), |sum, c| sum * N::of(τ) + *c)
    }

    /// Its value at τ.
    pub(in crate::hybrid) fn value(&self, τ: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * τ + c.value())
    }

    /// The integral to τ.
    pub(in crate::hybrid) fn integral(&self, τ: f64) -> N {
        let terms = self.0.iter().enumerate().rev();
        let part = |sum: N, (n, c): (usize, &N)| sum * N::of(τ) + *c / N::of((n + 1) as f64);
        N::of(τ) * terms.fold(N::of(0.0), part)
    }

    /// The derivative at τ.
    pub(in crate::hybrid) fn slope(&self, τ: f64) -> N {
        let terms = self.0.iter().enumerate().skip(1).rev();
        terms.fold(N::of(0.0), |sum, (n, c)| sum * N::of(τ) + *c * N::of(n as f64))
    }

    /// The value of the derivative at the start.
    pub(super) fn first_slope(&self) -> f64 {
        self.0[1].value()
    }

    /// The coefficient of this degree in the product with another.
    fn product(&self, other: &Self, n: usize) -> N {
        (0..=n).fold(N::of(0.0), |sum, j| sum + self.0[j] * other.0[n - j])
    }
}

impl<N: Varied> Series<N> {
    /// From where a process stands.
    pub(in crate::hybrid) fn new(process: &mut Process<'_, N>) -> Self {
        let zeros = |count: usize| vec![Powers::zero(); count];
        let terms = process.terms;
        let components = || terms.iter().map(|term| zeros(term.slip.len())).collect();
        let springs = process.springs.len();
        let mut series = Self {
            y: zeros(process.y.len()),
            loads: zeros(springs),
            rates: zeros(springs),
            slips: components(),
            directions: components(),
            lengths: vec![[Powers::zero(); 2]; terms.len()],
        };
        series.y.iter_mut().zip(&process.y).for_each(|(series, y)| series.0[0] = *y);
        series.loads.iter_mut().zip(&process.loads).for_each(|(series, λ)| series.0[0] = *λ);
        for n in 0..=DEGREE {
            series.find(process, n);
        }
        series
    }

    /// The rates of this degree, and what follows of the next one.
    fn find(&mut self, process: &mut Process<'_, N>, n: usize) {
        let y: Vec<N> = self.y.iter().map(|y| y.0[n]).collect();
        for (i, spring) in process.springs.iter().enumerate() {
            let at_start = if n == 0 { spring.rate } else { N::of(0.0) };
            self.rates[i].0[n] = product(&spring.row, &y) + at_start;
        }
        for (t, term) in process.terms.iter().enumerate() {
            for (c, row) in term.rows.iter().enumerate() {
                let at_start = if n == 0 { term.slip[c] } else { N::of(0.0) };
                self.slips[t][c].0[n] = product(row, &y) + at_start;
            }
            self.direct(t, &process.ways[t], n);
        }
        if n == DEGREE {
            return;
        }
        let loads: Vec<N> = self.loads.iter().map(|λ| λ.0[n]).collect();
        let friction = |t: usize, c: usize| {
            let bearing = &self.loads[process.terms[t].spring];
            bearing.product(&self.directions[t][c], n)
        };
        let mut change = process.force(&loads, &friction);
        process.hold(&mut change);
        let next = N::of((n + 1) as f64);
        self.y.iter_mut().zip(&change).for_each(|(y, change)| y.0[n + 1] = *change / next);
        for i in 0..loads.len() {
            self.loads[i].0[n + 1] = -process.stiffness(i) * self.rates[i].0[n] / next;
        }
    }

    /// u of this degree.
    fn direct(&mut self, t: usize, way: &Way, n: usize) {
        match way {
            Way::Slides(u) if n == 0 => {
                self.directions[t]
                    .iter_mut()
                    .zip(u)
                    .for_each(|(series, u)| series.0[0] = N::of(*u));
            }
            Way::Turns => {
                let [w, ρ] = &mut self.lengths[t];
                let squares = self.slips[t].iter().map(|s| s.product(s, n));
                w.0[n] = squares.fold(N::of(0.0), |sum, square| sum + square);
                ρ.0[n] = if n == 0 {
                    N::of(1.0) / w.0[0].sqrt()
                } else {
                    let part = |j: usize| N::of(0.5 * j as f64 - n as f64) * w.0[j] * ρ.0[n - j];
                    let sum = (1..=n).fold(N::of(0.0), |sum, j| sum + part(j));
                    sum / (N::of(n as f64) * w.0[0])
                };
                for (u, s) in self.directions[t].iter_mut().zip(&self.slips[t]) {
                    u.0[n] = s.product(ρ, n);
                }
            }
            Way::Slides(_) | Way::Sticks | Way::Idle => {}
        }
    }

    /// How far the series of a motion with this speed is one.
    pub(in crate::hybrid) fn reach(&self, speed: f64) -> f64 {
        let of = |n: usize| {
            let last = self.y.iter().map(|y| y.0[n].value().abs()).fold(0.0, f64::max);
            elementary::powf(TAIL * speed / last, (n as f64).recip())
        };
        let [one, other] = [of(DEGREE), of(DEGREE - 1)];
        // Of a coefficient that is zero nothing follows.
        let bound = |reach: f64| if reach.is_nan() { 0.0 } else { reach };
        bound(one).min(bound(other))
    }
}

/// Where in [0, h] a guard that was positive, or zero to this tolerance, is negative.
pub(in crate::hybrid) fn crossing(
    guard: &dyn Fn(f64) -> f64,
    h: f64,
    tolerance: f64,
) -> Option<f64> {
    let lift = if guard(0.0) > tolerance { 0.0 } else { tolerance };
    let guard = |τ: f64| guard(τ) + lift;
    if guard(0.0) < 0.0 {
        return Some(0.0);
    }
    let mut is_beyond = |τ: f64| guard(τ) < 0.0;
    let place = |part: u32| h * f64::from(part) / f64::from(PARTS);
    let (mut before, mut here) = (guard(0.0), guard(0.0));
    for part in 1..=PARTS {
        let (low, τ) = (place(part - 1), place(part));
        let next = guard(τ);
        // Between its neighbours a minimum may be lower than all three: the vertex of their parabola.
        let bend = before - 2.0 * here + next;
        if part > 1 && here < before && here < next && bend > 0.0 {
            let lowest = low + 0.5 * (before - next) / bend * place(1);
            if guard(lowest) < 0.0 {
                return Some(halved(&mut is_beyond, [place(part - 2), lowest]));
            }
        }
        if next < 0.0 {
            return Some(halved(&mut is_beyond, [low, τ]));
        }
        (before, here) = (here, next);
    }
    None
}

/// Where a change is that low is before and high beyond, by halves: beyond it.
pub(in crate::hybrid) fn halved(
    is_beyond: &mut dyn FnMut(f64) -> bool,
    [mut low, mut high]: [f64; 2],
) -> f64 {
    for _ in 0..CUTS_MAX {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if is_beyond(middle) { high = middle } else { low = middle }
    }
    high
}
