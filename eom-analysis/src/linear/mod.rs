//! The linear system along a steady motion.
//!
//! ```text
//! ẋ = g(x, u),  δx = N δz:      A = E G N,  B = E ∂g/∂u,  C = ∂o/∂x N,  D = ∂o/∂u
//! ```
//!
//! G = ∂g/∂x, E takes the entries z out of x, o are the outputs.

pub(crate) mod doubt;
pub(crate) mod eigen;
mod observed;
pub(crate) mod question;
pub(crate) mod scaled;
pub(crate) mod second_order;
pub(crate) mod stability;

use crate::error::AnalysisError;
use crate::mode::ModePart;
use crate::names::Entry;
use crate::space::{Local, StateSpace};
use crate::steady::symmetry::{Relative, Turning};
use eom_core::State;
use nalgebra::{DMatrix, DVector};

/// The roundings of what a turn leaves of an entry of A.
const ROUNDINGS: f64 = 16.0;

/// ż = A z + B u, outputs = C z + D u, for small deviations from a steady motion; in the units of the declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearisation {
    /// The names of z, the free entries of the state.
    pub free: Vec<Entry>,
    /// The names of x, all entries on which the motion depends.
    pub entries: Vec<Entry>,
    /// A, r×r with r the number of free entries.
    pub a: DMatrix<f64>,
    /// How far each entry of A is known, where the place of the motion is not to rounding; an entry that is no larger is 0.
    pub doubt: DMatrix<f64>,
    /// B, r×(inputs).
    pub b: DMatrix<f64>,
    /// C, (outputs)×r.
    pub c: DMatrix<f64>,
    /// D, (outputs)×(inputs).
    pub d: DMatrix<f64>,
    /// The names of the rows of C and D: the outputs that depend on nothing but x and u.
    pub outputs: Vec<&'static str>,
    /// The other outputs, and why they have no rows there.
    pub left_out: Vec<(&'static str, String)>,
    /// N: δx = N δz.
    pub embedding: DMatrix<f64>,
    /// What is in force beside the constraints, each with the condition under which the system holds; nothing in free motion.
    pub mode: Vec<ModePart>,
    /// The turns with which z moves, where the motion is steady but for these; nothing where it is steady.
    pub turns: Vec<Turning>,
}

/// A steady motion: the states in its mode, the values, the directions, and what it turns with.
struct AtSteady<'s> {
    space: StateSpace<'s>,
    local: Local,
    directions: DMatrix<f64>,
    relative: Option<Relative>,
}

/// What is seen of outputs, and what of them is not, with the reason.
pub(crate) struct Observed {
    pub(crate) names: Vec<&'static str>,
    pub(crate) left_out: Vec<(&'static str, String)>,
    pub(crate) c: DMatrix<f64>,
    pub(crate) d: DMatrix<f64>,
}

impl StateSpace<'_> {
    /// The linear system along a steady motion, by free entries that are chosen: coordinates first, in their order,
    /// then their velocities.
    ///
    /// # Errors
    /// Where the state is off its constraints, the motion is not steady, at the edge of its mode, or a value is not a
    /// number.
    pub fn linearise(&self, state: &State, inputs: &[f64]) -> Result<Linearisation, AnalysisError> {
        let at = self.at_steady(state, inputs)?;
        let chosen = at.space.choose(&at.directions);
        at.linear_system(state, inputs, &chosen)
    }

    /// The same by free entries of these names.
    ///
    /// # Errors
    /// Those of [`StateSpace::linearise`], and names that are not as many as are free, or depend on each other.
    pub fn linearise_by(
        &self,
        free: &[&str],
        state: &State,
        inputs: &[f64],
    ) -> Result<Linearisation, AnalysisError> {
        let at = self.at_steady(state, inputs)?;
        let mut chosen = Vec::with_capacity(free.len());
        for name in free {
            let place = self.place(name)?;
            let row = at.space.relevant.iter().position(|known| *known == place);
            chosen.push(row.ok_or_else(|| AnalysisError::LeftOut { name: (*name).to_owned() })?);
        }
        at.linear_system(state, inputs, &chosen)
    }

    /// What is known at a state that is steady, or turns, and is on its constraints.
    fn at_steady(&self, state: &State, inputs: &[f64]) -> Result<AtSteady<'_>, AnalysisError> {
        self.check(state, inputs)?;
        let space = self.in_mode_of(state, inputs)?;
        let mut local = space.local(state, inputs)?;
        let directions = space.directions(&local);
        let mut relative = None;
        if !space.is_steady_in_any_units(state, &local) {
            let units = space.units(state, inputs);
            space.check_constraints(units.as_ref(), state, &local)?;
            if let Err(error) = space.check_steady(units.as_ref(), state, &local) {
                let found = space.relative(state, inputs)?.ok_or(error)?;
                local.by_state.copy_from(&found.by_state);
                relative = Some(found);
            }
        }
        Ok(AtSteady { space, local, directions, relative })
    }
}

impl AtSteady<'_> {
    fn linear_system(
        &self,
        state: &State,
        inputs: &[f64],
        chosen: &[usize],
    ) -> Result<Linearisation, AnalysisError> {
        let Self { space, local, directions, relative } = self;
        let embedding = space.embedding(directions, chosen)?;
        let mut a = space.matrix(&local.by_state, &embedding, chosen);
        let mut doubt = DMatrix::zeros(a.nrows(), a.ncols());
        if let Some(relative) = relative {
            let terms = space.matrix(&relative.terms, &embedding.abs(), chosen);
            doubt = terms * (ROUNDINGS * f64::EPSILON);
            clear(&mut a, &doubt);
        }
        let b = local.by_input.select_rows(&space.relevant).select_rows(chosen);
        let Observed { names: outputs, left_out, c, d } =
            space.observe(state, inputs, &embedding, relative.as_ref())?;
        let named = |rows: &[usize]| {
            rows.iter().map(|row| space.entries[space.relevant[*row]].clone()).collect()
        };
        let all: Vec<usize> = (0..space.relevant.len()).collect();
        Ok(Linearisation {
            mode: space.parts(state, inputs)?,
            turns: relative.as_ref().map(|relative| relative.turns.clone()).unwrap_or_default(),
            free: named(chosen),
            entries: named(&all),
            doubt,
            a,
            b,
            c,
            d,
            outputs,
            left_out,
            embedding,
        })
    }
}

impl StateSpace<'_> {
    /// A = E G N.
    fn matrix(
        &self,
        by_state: &DMatrix<f64>,
        embedding: &DMatrix<f64>,
        chosen: &[usize],
    ) -> DMatrix<f64> {
        let square = by_state.select_rows(&self.relevant).select_columns(&self.relevant);
        square.select_rows(chosen) * embedding
    }

    /// The linear system of a motion whose place (q, v, u) is known so far only: what A is on either side.
    pub(crate) fn doubted(
        &self,
        mut linear: Linearisation,
        (state, inputs): (&State, &[f64]),
        uncertainty: &[f64],
    ) -> Result<Linearisation, AnalysisError> {
        let space = self.in_mode_of(state, inputs)?;
        let row = |entry: &Entry| {
            space.relevant.iter().position(|place| space.entries[*place].name == entry.name)
        };
        let chosen: Vec<usize> = linear.free.iter().filter_map(row).collect();
        for sign in [1.0, -1.0] {
            let step =
                DVector::from_iterator(uncertainty.len(), uncertainty.iter().map(|x| sign * x));
            let (beside, inputs) = space.moved(state, inputs, &step);
            let local = space.local(&beside, &inputs)?;
            let embedding = space.embedding(&space.directions(&local), &chosen)?;
            let off = (space.matrix(&local.by_state, &embedding, &chosen) - &linear.a).abs();
            linear.doubt.zip_apply(&off, |doubt: &mut f64, off| *doubt = doubt.max(off));
        }
        clear(&mut linear.a, &linear.doubt);
        Ok(linear)
    }
}

/// Takes for 0 what is no larger than what it is known to.
fn clear(a: &mut DMatrix<f64>, doubt: &DMatrix<f64>) {
    a.zip_apply(doubt, |a: &mut f64, doubt| {
        if a.abs() <= doubt {
            *a = 0.0;
        }
    });
}
