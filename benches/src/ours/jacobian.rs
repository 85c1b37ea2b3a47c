//! Accelerations and multipliers with their derivatives by the state, through the methods that generated Rust has.

use super::evaluate::{feed, function, in_chain};
use crate::contest::{Contestant, Role};
use crate::problem::Problem;
use crate::systems::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny};
use eom_core::nalgebra::{SMatrix, SVector};
use std::hint::black_box;

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

/// A method of generated Rust as a function of a list. Its results stay where it returns them; v̇ goes on to the next call.
fn of_state<S: Default + 'static, R: Results, const N: usize>(
    problem: Problem,
    derivatives: impl Fn(&S, f64, &SVector<f64, N>, &SVector<f64, N>, &SVector<f64, 0>) -> R + 'static,
) -> Contestant<'static> {
    let system = S::default();
    let at = move |state: &[f64]| {
        let (q, v) = state.split_at(N);
        let [q, v] = [q, v].map(SVector::from_column_slice);
        derivatives(&system, 0.0, &q, &v, &SVector::zeros())
    };
    let outputs = at(&problem.state()).parts().concat();
    in_chain("ours", problem, outputs, move |start, s| {
        let results = at(s);
        feed(start, s, black_box(&results).accelerations());
    })
}

/// What a method returns: matrices.
trait Results {
    /// v̇.
    fn accelerations(&self) -> &[f64];
    /// The entries of all, each by columns.
    fn parts(&self) -> Vec<&[f64]>;
}

/// v̇, ∂v̇/∂q, ∂v̇/∂v.
impl<const N: usize> Results for (SVector<f64, N>, SMatrix<f64, N, N>, SMatrix<f64, N, N>) {
    fn accelerations(&self) -> &[f64] {
        self.0.as_slice()
    }

    fn parts(&self) -> Vec<&[f64]> {
        vec![self.0.as_slice(), self.1.as_slice(), self.2.as_slice()]
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
    fn accelerations(&self) -> &[f64] {
        self.0.as_slice()
    }

    fn parts(&self) -> Vec<&[f64]> {
        let of_a = [self.2.as_slice(), self.3.as_slice()];
        let of_λ = [self.4.as_slice(), self.5.as_slice()];
        [&[self.0.as_slice(), self.1.as_slice()], &of_a[..], &of_λ].concat()
    }
}
