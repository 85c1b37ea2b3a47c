//! The linear system as a user asks for it: along a start that is steady, or along the steady motion that is found near it,
//! by free entries that are named or not.

use super::Linearisation;
use super::second_order::SecondOrder;
use crate::error::AnalysisError;
use crate::space::StateSpace;
use crate::steady::SteadyOptions;
use eom_core::{State, System};

/// What is asked of a start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinearQuestion<'n> {
    /// Whether a steady motion is looked for near the start, and what may change on the way.
    pub find: Option<SteadyOptions<'n>>,
    /// The free entries by name; without any coordinates in their order, then their velocities.
    pub free: Vec<&'n str>,
    /// Coordinates that are kept though nothing depends on them.
    pub keep: Vec<&'n str>,
}

/// A steady motion with its linear system.
#[derive(Debug)]
pub struct LinearAnswer {
    /// Its state.
    pub state: State,
    /// Its inputs.
    pub inputs: Vec<f64>,
    /// The steps of Newton's method, and the largest residual that is left, where it was found.
    pub found: Option<(usize, f64)>,
    /// Of one that is degenerate, a multiple root, how far each entry of (q, v, u) is known.
    pub uncertainty: Option<Vec<f64>>,
    /// The linear system.
    pub linear: Linearisation,
    /// The same as one of second order, where there is such a form.
    pub second_order: Option<SecondOrder>,
}

impl LinearQuestion<'_> {
    /// The answer for a system at a start.
    ///
    /// # Errors
    /// Those of [`StateSpace::new`], [`StateSpace::steady`] and [`StateSpace::linearise`].
    pub fn ask(
        &self,
        system: &dyn System,
        start: State,
        inputs: Vec<f64>,
    ) -> Result<LinearAnswer, AnalysisError> {
        let space = StateSpace::new(system)?.keeping(&self.keep)?;
        let (state, inputs, found, uncertainty) = match &self.find {
            Some(options) => {
                let found = space.steady(&start, &inputs, options)?;
                (found.state, found.inputs, Some((found.steps, found.residual)), found.uncertainty)
            }
            None => (start, inputs, None, None),
        };
        let linear = match self.free[..] {
            [] => space.linearise(&state, &inputs)?,
            _ => space.linearise_by(&self.free, &state, &inputs)?,
        };
        let linear = match &uncertainty {
            Some(uncertainty) => space.doubted(linear, (&state, &inputs), uncertainty)?,
            None => linear,
        };
        let second_order = linear.second_order(system, &state);
        Ok(LinearAnswer { state, inputs, found, uncertainty, linear, second_order })
    }
}
