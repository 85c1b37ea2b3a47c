//! Kernels of the table by their rows, as they are: for what no method of [`System`](eom_core::System) has.

use crate::Interpreted;
use crate::run::with_registers;
use eom_core::private::check_length;
use eom_symbolic::program::Kernel;

/// What a kernel may read; what it does not read may be missing, but for t, q, v, u.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct At<'a> {
    /// The time.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Inputs.
    pub u: &'a [f64],
    /// Accelerations.
    pub a: &'a [f64],
    /// A weight for each of v̇ and λ.
    pub weights: &'a [f64],
    /// A direction of q, v, u.
    pub direction: &'a [f64],
}

impl Interpreted {
    /// The results of a kernel that is one for the whole system, in the order of its program; none where this system has
    /// no such kernel. Those of derivatives and inverse dynamics are there where the derivation has them, see
    /// [`Derivation::with_derivatives`](eom_codegen::Derivation::with_derivatives).
    ///
    /// # Panics
    /// Where a slice has not the length that the system asks for.
    #[track_caller]
    pub fn kernel(&self, kernel: Kernel, at: At<'_>) -> Vec<f64> {
        let At { t, q, v, u, a, weights, direction } = at;
        let model = &self.source.derivation.model;
        let Some(program) = kernel.programs(&self.source.derivation.programs).first() else {
            return Vec::new();
        };
        let lengths = [model.positions().len(), model.speeds.len(), model.inputs.len()];
        for ((name, length), given) in ["q", "v", "u"].iter().zip(lengths).zip([q, v, u]) {
            check_length(name, length, given.len());
        }
        let forces = self.no_forces(self.holds_forces(program));
        let behind: [&[f64]; 2] = if program.reads_accelerations(&model.pool) {
            check_length("a", model.speeds.len(), a.len());
            [a, &[]]
        } else if program.reads_direction(&model.pool) {
            check_length("weights", model.speeds.len() + model.rows.len(), weights.len());
            check_length("direction", lengths.iter().sum(), direction.len());
            [weights, direction]
        } else {
            [&forces, &[]]
        };
        let tape = self.source.tapes.one(kernel);
        with_registers(tape.space(), |registers| {
            tape.outputs(&self.context(), &[&[t], q, v, u, behind[0], behind[1]], registers)
                .to_vec()
        })
    }
}
