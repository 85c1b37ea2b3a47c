//! The derivatives of free motion by its state.

use super::enclosure::Jacobian;
use super::{System, parameters_of};

/// ∂ẏ/∂y of y = (q, v), ẏ = (S v, v̇), with the declared constraints in force and no contact: of the programs of a
/// system, exact to rounding.
#[derive(Debug, Clone)]
pub struct StateJacobian<'s> {
    /// Of S v, where q̇ is not v.
    rates: Option<Jacobian<'s>>,
    accelerations: Jacobian<'s>,
    positions: usize,
    values: Vec<f64>,
    inputs: usize,
}

impl<'s> StateJacobian<'s> {
    /// That of a system at its inputs u; none where a function of it has no program: those written by hand, with
    /// integrals, or given at run time.
    ///
    /// # Panics
    /// Where u has another length than the inputs.
    pub fn of(system: &'s dyn System, u: &[f64]) -> Option<Self> {
        let (programs, info) = (system.programs(), system.info());
        assert_eq!(u.len(), info.inputs.len(), "the length of u");
        let parameters = parameters_of(system);
        let accelerations = Jacobian::new(programs.accelerations?, &parameters, u);
        let rates = if info.is_plain() { None } else { Some(programs.rates?) };
        let rates = rates.map(|tape| Jacobian::new(tape, &parameters, u));
        let positions = info.positions();
        let values = vec![0.0; positions + info.speeds()];
        Some(Self { rates, accelerations, positions, values, inputs: u.len() })
    }

    /// That at inputs that are zero until [`Self::set_inputs`].
    pub(crate) fn without_inputs(system: &'s dyn System) -> Option<Self> {
        Self::of(system, &vec![0.0; system.info().inputs.len()])
    }

    /// Sets the inputs u.
    ///
    /// # Panics
    /// Where u has another length than the inputs.
    pub fn set_inputs(&mut self, u: &[f64]) {
        assert_eq!(u.len(), self.inputs, "the length of u");
        self.accelerations.set_inputs(u);
    }

    /// Writes ∂ẏᵢ/∂yⱼ by rows i.
    ///
    /// # Panics
    /// Where y has another length than q and v together, or `rows` than its square.
    pub fn evaluate(&mut self, t: f64, y: &[f64], rows: &mut [f64]) {
        let (n, d) = (self.positions, self.values.len());
        assert_eq!(y.len(), d, "the length of y");
        assert_eq!(rows.len(), d * d, "the length of rows");
        let (rates, slopes) = rows.split_at_mut(n * d);
        let (velocities, accelerations) = self.values.split_at_mut(n);
        self.accelerations.evaluate(t, y, accelerations, slopes);
        match &mut self.rates {
            Some(tape) => tape.evaluate(t, y, velocities, rates),
            None => {
                rates.fill(0.0);
                (0..n).for_each(|i| rates[i * d + n + i] = 1.0);
            }
        }
    }
}
