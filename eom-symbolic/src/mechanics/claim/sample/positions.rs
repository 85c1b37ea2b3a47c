//! States that satisfy the constraints on positions only, for whoever looks at functions of (t, q).

use super::conditions::Conditions;
use super::{NEWTON_STEPS_MAX, Place, Sample, Sampler};
use crate::dense;
use crate::mechanics::system::contact::{ImpactOf, Law};
use crate::node::SymbolKind;

/// How often such a draw is repeated.
const DRAWS_MAX: usize = 12;

impl Sampler<'_> {
    /// A state with φ = 0, and g = 0 at a contact; `None` where none was found.
    pub(crate) fn positioned(&mut self, contact: Option<usize>) -> Option<Sample> {
        let conditions = Conditions::default();
        let at = contact.map(|contact| (contact, ImpactOf::Law(Law::ELASTIC)));
        let place = Place { on_constraints: true, at, conditions: &conditions };
        (0..DRAWS_MAX).find_map(|_| {
            let mut sample = self.free().ok()?;
            self.place_on_constraints(&mut sample, place).map(|()| sample)
        })
    }

    /// Gives the parameters that have a default that value.
    pub(crate) fn set_defaults(&self, sample: &mut Sample) {
        for (index, parameter) in self.model.parameters.iter().enumerate() {
            if let Some(default) = parameter.default {
                let value = self.evaluate(&[default], sample)[0];
                sample.set(SymbolKind::Parameter(index), value);
            }
        }
    }

    /// The same with φ = 0 of those holonomic rows that do not depend on others, and what is left of
    /// all φ then, each over its size.
    pub(crate) fn settled(&self, sample: &mut Sample) -> Vec<f64> {
        let unknowns = self.functions.unknowns.clone();
        for _ in 0..NEWTON_STEPS_MAX {
            let mut residuals: Vec<f64> = self.evaluate(&self.functions.holonomic, sample);
            residuals.extend(self.lengths(sample).iter().map(|length| length.value));
            let mut rows = self.position_rows(sample, None);
            rows.extend(self.length_rows(sample));
            let step = dense::least_norm_of_independent(&rows, &residuals, unknowns.len());
            for (unknown, step) in unknowns.iter().zip(step) {
                sample.set(*unknown, sample.value(*unknown) - step);
            }
        }
        let values = self.evaluate_with_error(&self.functions.holonomic, sample);
        values.iter().map(|φ| φ.value / φ.size.max(f64::MIN_POSITIVE)).collect()
    }

    /// The values of all functions that equations and contacts are made of, and of the holonomic residuals:
    /// the length of a rod stands in its residual alone, on which starts and steps are moved.
    pub(crate) fn all_values(&self, sample: &Sample) -> Vec<f64> {
        let programs = self.functions.programs();
        let values = programs.flat_map(|program| self.run(program, sample));
        values.chain(self.evaluate(&self.functions.holonomic, sample)).collect()
    }
}

impl Sample {
    /// Takes the values of another state.
    pub(crate) fn overwrite(&mut self, other: &Self) {
        self.values.extend(&other.values);
    }
}
