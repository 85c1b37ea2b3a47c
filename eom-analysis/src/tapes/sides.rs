//! The sides of kinks: of the signs in forces, and of |u|. On given sides what acts is smooth (`Sides`); at a kink the derivatives
//! on both are compared.

use super::{Tapes, derivatives};
use crate::error::AnalysisError;
use eom_core::State;
use eom_core::enclosure::{Derivative, Elementary, Sides};
use nalgebra::DMatrix;

/// A number that is no farther from its kink is on it.
const ON_A_KINK: f64 = 1e-12;

/// Entries of two derivatives that differ by no more of the largest are the same.
const SAME_SLOPE: f64 = 1e-9;

/// The accelerations of a system whose forces jump with the sides of their signs given, and the forces.
#[derive(Debug, Clone)]
pub(crate) struct Jumps {
    accelerations: Sides,
    forces: Sides,
}

/// The accelerations on given sides, and what the sides are of.
pub(crate) struct OnSides<'s> {
    accelerations: Derivative<'s>,
    arguments: Derivative<'s>,
    sides: Vec<f64>,
}

impl Jumps {
    /// Those of a system; none where a force takes no sign of what moves. That of dry friction is none: it has modes.
    pub(crate) fn of(programs: &Tapes<'_>) -> Option<Self> {
        let forces = programs.system.programs().forces?.with_sides(&[Elementary::Sign])?;
        let accelerations = programs.accelerations.with_sides(&[Elementary::Sign])?;
        Some(Self { accelerations, forces })
    }

    /// What signs of forces are taken of, at x = (t, q, v, u, p).
    pub(crate) fn arguments_of_forces(&self, x: &[f64]) -> Vec<f64> {
        let mut arguments = Derivative::new(&self.forces.arguments);
        let with_sides = [x, &vec![1.0; arguments.results()]].concat();
        let mut values = vec![0.0; arguments.results()];
        arguments.along(&with_sides, &[], &mut values, &mut []);
        values
    }

    /// On these sides.
    pub(crate) fn on(&self, sides: &[f64]) -> OnSides<'_> {
        let Sides { tape, arguments } = &self.accelerations;
        let [accelerations, arguments] = [tape, arguments].map(Derivative::new);
        OnSides { accelerations, arguments, sides: sides.to_vec() }
    }

    /// How many sides there are.
    pub(crate) fn count(&self) -> usize {
        self.accelerations.arguments.outputs.len()
    }
}

impl OnSides<'_> {
    pub(crate) fn count(&self) -> usize {
        self.sides.len()
    }

    /// v̇ and its variations along directions of x = (t, q, v, u, p), one after another.
    pub(crate) fn accelerations(&mut self, at: (&[f64], &[f64]), into: (&mut [f64], &mut [f64])) {
        along(&mut self.accelerations, &self.sides, at, into);
    }

    /// The same of what the sides are of.
    pub(crate) fn arguments(&mut self, at: (&[f64], &[f64]), into: (&mut [f64], &mut [f64])) {
        along(&mut self.arguments, &self.sides, at, into);
    }
}

fn along(
    tape: &mut Derivative<'_>,
    sides: &[f64],
    (x, directions): (&[f64], &[f64]),
    (values, variations): (&mut [f64], &mut [f64]),
) {
    let fixed = vec![0.0; sides.len()];
    let with_sides = [x, sides].concat();
    let directions: Vec<f64> = directions
        .chunks_exact(x.len())
        .flat_map(|direction| direction.iter().chain(&fixed))
        .copied()
        .collect();
    tape.along(&with_sides, &directions, values, variations);
}

/// Refuses a state at which the forces have other derivatives on one side of a kink than on the other.
pub(crate) fn check_kinks(
    programs: &Tapes<'_>,
    state: &State,
    inputs: &[f64],
) -> Result<(), AnalysisError> {
    let forces = programs.system.programs().forces;
    let kinks = forces.and_then(|tape| tape.with_sides(&[Elementary::Sign, Elementary::Abs]));
    let Some(Sides { tape, arguments }) = kinks else { return Ok(()) };
    let count = arguments.outputs.len();
    let given = programs.given(state, inputs);
    let places = 1..1 + state.q.len() + state.v.len() + inputs.len();
    let with = |sides: &[f64]| [&given[..], sides].concat();
    let mut sides = vec![1.0; count];
    let (σ, _) = derivatives(&arguments, &with(&sides), 0..0);
    sides.iter_mut().zip(σ.iter()).for_each(|(side, σ)| *side = if *σ < 0.0 { -1.0 } else { 1.0 });
    for i in (0..count).filter(|i| σ[*i].abs() <= ON_A_KINK) {
        let [one, other] = [1.0, -1.0].map(|side| {
            sides[i] = side;
            derivatives(&tape, &with(&sides), places.clone())
        });
        let size = |a: &DMatrix<f64>| if a.is_empty() { 0.0 } else { a.amax() };
        let largest = size(&one.1).max(size(&other.1)).max(one.0.amax());
        let apart = size(&(one.1 - other.1)).max((one.0 - other.0).amax());
        if apart > SAME_SLOPE * largest {
            return Err(AnalysisError::not_smooth("a force bends or jumps there"));
        }
    }
    Ok(())
}
