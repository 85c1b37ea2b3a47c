//! What derivatives and inverse dynamics give: written where they are asked for, see
//! [`SystemPrograms::with_derivatives`](eom_symbolic::program::SystemPrograms::with_derivatives).

use super::{Operation, Part, Results, Sizes, operation, part, sizes};
use crate::pipeline::Derivation;
use eom_symbolic::program::Kernel;

/// One of these kernels.
#[derive(Debug)]
pub(crate) struct Motion {
    /// Its row of the table.
    pub(crate) kernel: Kernel,
    /// What it computes.
    pub(crate) about: &'static str,
    /// Its results, one after another.
    pub(crate) parts: Vec<Part>,
}

/// All of them.
pub(crate) fn motions(derivation: &Derivation) -> Vec<Motion> {
    let Sizes { n, m, k, r, .. } = sizes(derivation);
    let p = derivation.model.parameters.len();
    let (of_a, of_λ) = ("one row an acceleration", "one row a multiplier");
    let by = |name, rows: (&str, usize), columns: (&str, usize)| {
        let about = format!("{}, columns in the order of {}", rows.0, columns.0);
        part(name, about, &[rows.1, columns.1])
    };
    let (a, λ) = ((of_a, m), (of_λ, k));
    let (q, v, u, p) = (("q", n), ("v", m), ("u", r), ("the parameters", p));
    vec![
        Motion {
            kernel: Kernel::Derivatives,
            about: "Accelerations and multipliers with their derivatives by q, v and u, each entry of q by itself.\n\
                    Not numbers where the accelerations are none, nor where dry friction is at rest.",
            parts: vec![
                part("a", "accelerations, in the order of v", &[m]),
                part("lambda", "multipliers, in the order of the rows", &[k]),
                by("a_by_q", a, q),
                by("a_by_v", a, v),
                by("a_by_u", a, u),
                by("lambda_by_q", λ, q),
                by("lambda_by_v", λ, v),
                by("lambda_by_u", λ, u),
            ],
        },
        Motion {
            kernel: Kernel::ParameterDerivatives,
            about: "Derivatives of the accelerations and multipliers by the parameters, each by itself: a default is\n\
                    no function of others here.",
            parts: vec![by("a_by_p", a, p), by("lambda_by_p", λ, p)],
        },
        Motion {
            kernel: Kernel::InverseDynamics,
            about: "The forces that must be added for the accelerations a: M a + h - (Q - dD/dv). Those of the\n\
                    constraints, A^T lambda, are among them.",
            parts: vec![part("forces", "in the order of v", &[m])],
        },
        Motion {
            kernel: Kernel::Regressor,
            about: "Derivatives of `inverse_dynamics` by the parameters: where it is linear in them, the regressor Y\n\
                    of Y p.",
            parts: vec![by("regressor", ("one row a force", m), p)],
        },
        Motion {
            kernel: Kernel::CoriolisMatrix,
            about: "C of the forces that are quadratic in v: C v is that part of h, and dM/dt - 2 C is skew.",
            parts: vec![part("coriolis", "by rows, in the order of v", &[m, m])],
        },
    ]
}

/// The operations.
pub(super) fn of_motions(derivation: &Derivation) -> Vec<Operation<'_>> {
    let all = motions(derivation).into_iter();
    let one = |Motion { kernel, about, parts }| {
        operation(derivation, kernel, None, about, Results::Parts(parts))
    };
    all.filter_map(one).collect()
}
