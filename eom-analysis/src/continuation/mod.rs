//! Continuation: steady motions and periodic orbits along a value, a parameter, an input or an entry of the state.
//!
//! ```text
//! r(w) = 0,  w = (y, μ)          μ = (value − from)/(to − from); s the length along tangents
//! tangent    ∂r/∂w t = 0         of a family the direction nearest to the one before
//! step       w₀ + Δs t, then Newton's method in the plane tᵀ(w − w₀) = Δs
//! fold       t_μ = 0             where the branch turns back
//! crossing   eigenvalues of the linear system, or multipliers, cross: [`crossings`](crate::critical::crossings) over s
//! branch     a real one crosses where the branch does not turn, or it turns where none crosses: another branch goes
//!            through, along the n with ∂r/∂w n = 0 beside t
//! ```
//!
//! Solutions, eigenvalues and multipliers are exact to rounding. How r changes with μ is a chord between systems beside
//! each other: it steers Newton's method and the steps, and enters no answer. What crosses and comes back between two
//! points of a branch is not seen.

mod branches;
mod grazing;
mod orbits;
mod passing;
mod steady;
mod turns;
mod walk;

use crate::error::AnalysisError;
use eom_core::{State, System};
use nalgebra::Complex;

/// A system at a value, with its inputs and, of an orbit of a driven system, the period.
pub struct Member {
    /// The system.
    pub system: Box<dyn System>,
    /// Its inputs.
    pub inputs: Vec<f64>,
    /// The period of what drives it, where the section is [`Section::Period`](crate::Section::Period).
    pub period: Option<f64>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

/// What is continued along: the systems at its values.
pub type Family<'f> = dyn Fn(f64) -> Result<Member, AnalysisError> + 'f;

/// How far a continuation goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContinuationOptions {
    /// The first and the last value.
    pub range: [f64; 2],
    /// Place in y = (q, v) of the entry that is the value, where it is no parameter and no input.
    pub entry: Option<usize>,
    /// The largest change of the value from a point to the next, as a part of the range.
    pub step_max: f64,
    /// The most points of a branch.
    pub points_max: usize,
    /// The most branches.
    pub branches_max: usize,
}

impl ContinuationOptions {
    /// Between two values, with steps of a fiftieth.
    pub fn new(range: [f64; 2]) -> Self {
        Self { range, entry: None, step_max: 0.02, points_max: 2000, branches_max: 9 }
    }

    /// The value of μ.
    fn value(&self, μ: f64) -> f64 {
        let [from, to] = self.range;
        if μ == 1.0 { to } else { from + μ * (to - from) }
    }
}

/// What is known at a point of a branch.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchPoint {
    /// The value.
    pub value: f64,
    /// The state.
    pub state: State,
    /// The inputs.
    pub inputs: Vec<f64>,
    /// How long the orbit takes; 0 of a steady motion.
    pub period: f64,
    /// The eigenvalues of the linear system, or the multipliers.
    pub values: Vec<Complex<f64>>,
    /// How many of them are unstable.
    pub unstable: usize,
}

/// A point of a branch at which something happens.
#[derive(Debug, Clone, PartialEq)]
pub struct Special {
    /// What happens.
    pub kind: SpecialKind,
    /// Where.
    pub point: BranchPoint,
    /// The number of the point of the branch before it.
    pub after: usize,
    /// How many eigenvalues or multipliers are unstable before and after it.
    pub unstable: [usize; 2],
}

/// What happens at a point of a branch.
#[derive(Debug, Clone, PartialEq)]
pub enum SpecialKind {
    /// The branch turns back.
    Fold,
    /// Another branch goes through.
    Branching,
    /// A pair ± iω of steady motions crosses the axis (Hopf).
    Oscillation {
        /// ω, in rad/time.
        frequency: f64,
    },
    /// Two pairs ± iω meet and leave the axis; of orbits two pairs of multipliers e^(± iφ) the circle.
    Meeting {
        /// ω, in rad/time; φ, in rad/return.
        frequency: f64,
    },
    /// A multiplier through −1.
    Doubling,
    /// A pair of multipliers e^(± iφ) through the circle (Neimark and Sacker).
    Torus {
        /// φ, in rad/return.
        angle: f64,
    },
    /// A contact is touched without speed: the branch of these impacts ends.
    Grazing {
        /// Which.
        contact: &'static str,
    },
    /// A real one, or a pair, touches the axis or the circle and turns back.
    Tangency {
        /// ω, 0 of a real one; of a map the angle.
        frequency: f64,
    },
    /// Several at once, or what cannot be told apart.
    Several,
}

/// Why a branch ends.
#[derive(Debug, Clone, PartialEq)]
pub enum BranchEnd {
    /// It leaves the range.
    Range,
    /// It comes back to its start.
    Closed,
    /// It meets a branch that is known.
    Meets,
    /// It has as many points as were asked for.
    Points,
    /// The value stays as it is along it: the states of a family are all solutions there.
    Stays,
    /// It goes beyond all bounds.
    Unbounded,
    /// There is nothing beyond.
    Lost {
        /// The reason.
        why: String,
    },
}

/// A branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Its points, in order.
    pub points: Vec<BranchPoint>,
    /// What happens on it, in order.
    pub special: Vec<Special>,
    /// Which branch it comes from, and the number of the branching there; none of the first.
    pub from: Option<(usize, usize)>,
    /// Why it ends.
    pub end: BranchEnd,
}

pub use orbits::continue_orbit;
pub use steady::continue_steady;
