//! The convex problem of dry friction: what holds, what slides, and whither.
//!
//! For terms with w_k = 0 the direction of the friction force is not given by w_k. The right
//! derivative a of the velocity is the one that dissipates least:
//!
//! ```text
//! a = argmin ½ aᵀM a − F·a + Σ c_k ‖J_k a + γ_k‖        A a + γ_A = 0
//! ```
//!
//! F holds every force but those of these terms. The problem is strictly convex; its conditions are
//!
//! ```text
//! M a = F − Σ J_kᵀ λ_k + Aᵀμ        r_k = J_k a + γ_k = dw_k/dt
//! ‖λ_k‖ ≤ c_k where r_k = 0 (it sticks)        λ_k = c_k r_k/‖r_k‖ where not (it starts to slide)
//! ```
//!
//! A body at rest stays iff a = 0 for all of its terms, that is iff F·w ≤ Σ c_k ‖J_k w‖ for every
//! w in ker A. How near it is to moving says the load,
//!
//! ```text
//! θ = max F·w / Σ c_k ‖J_k w‖        θ ≤ 1: it stays;  the w of the maximum: how it starts
//! ```
//!
//! In the coordinates y of ker A that are orthonormal in the metric M the problem is
//! min ½‖y‖² − f·y + Σ c_k‖G_k y + h_k‖: `Frame` goes there and back, `reduced` solves it, and
//! `whole` the one whose dissipation is known by its values and gradients only, an integral.

mod error;
mod frame;
mod reduced;
pub(crate) mod slip_state;
mod whole;

pub use error::FrictionError;
use frame::Frame;
use reduced::{Reduced, Term};

/// A term c‖J a + γ‖ whose w is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held<'a> {
    /// c ≥ 0.
    pub coefficient: f64,
    /// J, r×m.
    pub rows: &'a [f64],
    /// γ, r.
    pub drift: &'a [f64],
}

/// The data of the problem, m speeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Problem<'a> {
    /// M, m×m.
    pub metric: &'a [f64],
    /// F, m: every force but those of the terms, −h included.
    pub force: &'a [f64],
    /// A, k×m.
    pub rows: &'a [f64],
    /// γ_A, k.
    pub drift: &'a [f64],
    /// The terms.
    pub terms: &'a [Held<'a>],
}

/// What happens right after.
#[derive(Debug, Clone, PartialEq)]
pub struct Onset {
    /// a, m.
    pub acceleration: Vec<f64>,
    /// λ of each term, r numbers each: the force on the body is −Jᵀλ.
    pub reactions: Vec<Vec<f64>>,
    /// r = J a + γ of each term, zero where it sticks.
    pub rates: Vec<Vec<f64>>,
    /// Whether each term sticks.
    pub sticks: Vec<bool>,
    /// The largest violation of the conditions, relative to the forces.
    pub residual: f64,
}

/// How near a body at rest is to moving.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// θ, infinite beyond 10⁸: then nothing holds against a part of F.
    pub ratio: f64,
    /// w of the maximum, m, of any length; zero where θ = 0.
    pub direction: Vec<f64>,
}

impl Problem<'_> {
    /// The acceleration, and which terms stick.
    ///
    /// Solved to a relative residual of about 10⁻¹³; 10⁻⁶ and less is accepted where F is as
    /// strong as the terms can just hold, more is [`FrictionError::Unsolved`].
    pub fn solve(&self) -> Result<Onset, FrictionError> {
        let frame = self.frame()?;
        let problem = self.reduce(&frame)?;
        let solution = problem.solve()?;
        let rates = |(term, sticks): (&Term, &bool)| match sticks {
            true => vec![0.0; term.shift.len()],
            false => term.rate(&solution.y),
        };
        Ok(Onset {
            acceleration: frame.lift(&solution.y),
            rates: problem.terms.iter().zip(&solution.sticks).map(rates).collect(),
            reactions: solution.reactions,
            sticks: solution.sticks,
            residual: solution.residual,
        })
    }

    /// θ and the w of its maximum. The drifts γ and γ_A are taken as zero: a body at rest has none.
    pub fn load(&self) -> Result<Load, FrictionError> {
        let frame = self.frame()?;
        let mut problem = self.reduce(&frame)?;
        for term in &mut problem.terms {
            term.shift.fill(0.0);
        }
        let (ratio, y) = problem.load()?;
        Ok(Load { ratio, direction: frame.direction(&y) })
    }

    fn frame(&self) -> Result<Frame, FrictionError> {
        Frame::new(self.metric, self.rows, self.drift).map_err(FrictionError::Metric)
    }

    fn reduce(&self, frame: &Frame) -> Result<Reduced, FrictionError> {
        let terms = self.terms.iter().map(|term| {
            let mut shift = frame.rates(term.rows);
            shift.iter_mut().zip(term.drift).for_each(|(shift, γ)| *shift += γ);
            Term::new(term.coefficient, frame.covectors(term.rows), shift)
        });
        let problem = Reduced { force: frame.covectors(self.force), terms: terms.collect() };
        problem.check()?;
        Ok(problem)
    }
}

/// The load θ of a body at rest whose dissipation D₁, homogeneous of degree one, is given by its
/// value and −∂D₁/∂w at a direction w, both m numbers; rows A w = 0.
///
/// Solved to about 10⁻¹⁰ where D₁ is smooth beside 0.
pub fn load_of(
    metric: &[f64],
    force: &[f64],
    rows: &[f64],
    dissipation: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> Result<Load, FrictionError> {
    let count = rows.len() / force.len().max(1);
    let frame = Frame::new(metric, rows, &vec![0.0; count])?;
    let f = frame.covectors(force);
    let (ratio, y) = whole::load(&f, &mut support_of(&frame, force.len(), dissipation))?;
    Ok(Load { ratio, direction: frame.direction(&y) })
}

/// The acceleration of a body at rest whose dissipation is given as in [`load_of`]: zero where it
/// stays, else a = argmin ½ aᵀM a − F·a + D₁(a), A a = 0.
pub fn onset_of(
    metric: &[f64],
    force: &[f64],
    rows: &[f64],
    dissipation: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> Result<Vec<f64>, FrictionError> {
    let count = rows.len() / force.len().max(1);
    let frame = Frame::new(metric, rows, &vec![0.0; count])?;
    let f = frame.covectors(force);
    let y = whole::onset(&f, 1.0, &mut support_of(&frame, force.len(), dissipation))?;
    Ok(frame.direction(&y))
}

/// D₁ and ∂D₁/∂y in the coordinates of a frame, from D₁(w) and its force −∂D₁/∂w, m.
fn support_of<'f>(
    frame: &'f Frame,
    m: usize,
    mut dissipation: impl FnMut(&[f64], &mut [f64]) -> f64 + 'f,
) -> impl FnMut(&[f64]) -> (f64, Vec<f64>) + 'f {
    let mut slope = vec![0.0; m];
    move |y| {
        let value = dissipation(&frame.direction(y), &mut slope);
        for slope in &mut slope {
            *slope = -*slope;
        }
        (value, frame.covectors(&slope))
    }
}
