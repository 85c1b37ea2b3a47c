//! Accelerations and multipliers with their derivatives by the state, through the methods that generated Rust has.

use super::evaluate::{function, in_chain};
use crate::contest::{Contestant, Role};
use crate::problem::Problem;
use crate::reference::jacobian;
use crate::systems::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny};
use eom_core::nalgebra::{SMatrix, SVector};

/// The name of the function alone, which is timed beside its derivatives.
pub(crate) const FUNCTION: &str = "ours, the function alone";

/// The derivatives in a chain of calls, and the function alone.
pub(super) fn contestants(problem: Problem) -> Vec<Contestant<'static>> {
    let all = match problem {
        Problem::DoublePendulum => of_state(problem, DoublePendulum::derivatives),
        Problem::Pendulum6 => of_state(problem, Pendulum6::derivatives),
        Problem::Pendulum12 => of_state(problem, Pendulum12::derivatives),
        Problem::Penny => of_state(problem, Penny::derivatives),
        Problem::Particle => of_state(problem, Particle::derivatives),
        Problem::Ball => of_state(problem, Ball::derivatives),
    };
    vec![all, function(FUNCTION, problem).as_role(Role::Aside)]
}

/// A method of generated Rust as a function of a list, which writes its results one after another, each by columns.
fn of_state<S: Default + 'static, R: Results, const N: usize>(
    problem: Problem,
    derivatives: impl Fn(&S, f64, &SVector<f64, N>, &SVector<f64, N>, &SVector<f64, 0>) -> R + 'static,
) -> Contestant<'static> {
    let system = S::default();
    in_chain("ours", problem, jacobian(problem).len(), move |state, out| {
        let (q, v) = state.split_at(N);
        let [q, v] = [q, v].map(SVector::from_column_slice);
        derivatives(&system, 0.0, &q, &v, &SVector::zeros()).write(out);
    })
}

/// What a method returns: matrices.
trait Results {
    fn write(&self, out: &mut [f64]);
}

/// Writes a matrix and returns the room behind it.
fn put<'o, const R: usize, const C: usize>(
    matrix: &SMatrix<f64, R, C>,
    out: &'o mut [f64],
) -> &'o mut [f64] {
    let (own, behind) = out.split_at_mut(R * C);
    own.copy_from_slice(matrix.as_slice());
    behind
}

/// v̇, ∂v̇/∂q, ∂v̇/∂v.
impl<const N: usize> Results for (SVector<f64, N>, SMatrix<f64, N, N>, SMatrix<f64, N, N>) {
    fn write(&self, out: &mut [f64]) {
        put(&self.2, put(&self.1, put(&self.0, out)));
    }
}

/// v̇, λ, ∂v̇/∂q, ∂v̇/∂v, ∂λ/∂q, ∂λ/∂v.
impl<const N: usize, const K: usize> Results
    for (
        SVector<f64, N>,
        SVector<f64, K>,
        SMatrix<f64, N, N>,
        SMatrix<f64, N, N>,
        SMatrix<f64, K, N>,
        SMatrix<f64, K, N>,
    )
{
    fn write(&self, out: &mut [f64]) {
        let of_v = put(&self.3, put(&self.2, put(&self.1, put(&self.0, out))));
        put(&self.5, put(&self.4, of_v));
    }
}
