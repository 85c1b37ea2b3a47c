//! The forces of a mode as one list, which outputs and guards of events read.
//!
//! ```text
//! λ of the constraint rows, k        λ of the contacts, c        friction of the contacts, 5c        of the rows that have it, as many as they slip
//! ```
//!
//! λ of a contact is 0 where it is open. Its friction is the force on its slip s, −μ λ s/‖s‖ where it slides and the
//! reaction where it sticks, two components for each contact of which those that it has not are 0; then two of the moment
//! against its roll and one of that against its spin. That of a row is the force on its slip, a number for each component of it.
//!
//! Where a slip s of one component is zero and the mode has it slide, it has just begun to, or comes to rest. It begins in the
//! direction u with
//!
//! ```text
//! u ṡ > 0        under −μ λ u, of all such slips together
//! ```
//!
//! Where no directions have that it comes to rest, and a state alone does not tell from where: then there is no such friction.

use super::ContactForces;
use crate::error::NotPositiveDefinite;
use crate::info::FrictionKind;
use crate::mode::Mode;
use crate::slip_state::{Slide, SlipState, norm};
use crate::state::State;
use crate::system::{Bearer, System};

/// Slips that begin at one time, of which all directions are tried.
const TRIED: usize = 6;

/// The forces of one system in a mode. All memory is taken by [`Reactions::new`].
#[derive(Debug, Clone)]
pub struct Reactions {
    forces: ContactForces,
    all: Vec<f64>,
    /// Whether there were forces.
    solved: bool,
}

impl Reactions {
    /// Room for one system.
    pub fn new(system: &dyn System) -> Self {
        Self { forces: ContactForces::new(system), all: Vec::new(), solved: false }
    }

    /// All forces at a state in a mode with inputs; not numbers where the mass matrix is not positive definite, or where
    /// Coulomb's law has no solution.
    pub fn at(
        &mut self,
        system: &dyn System,
        inputs: &[f64],
        State { t, q, v }: &State,
        mode: &Mode,
    ) -> &[f64] {
        self.forces.set_slip_state(mode.sticking(), &SlipState::default());
        let mut solved = self.forces.solve(system, mode, (*t, q, v, inputs));
        let begins = if solved.is_ok() { self.still(mode, v) } else { Vec::new() };
        if (1..=TRIED).contains(&begins.len()) {
            solved = self.begin(system, mode, (*t, q, v, inputs), &begins);
        }
        self.solved = solved.is_ok() && self.forces.fits;
        self.forces.determine(mode.closed());
        self.forces.write_all(solved, &mut self.all);
        &self.all
    }

    /// The terms of one component that slide in a mode, and whose w is zero.
    fn still(&mut self, mode: &Mode, v: &[f64]) -> Vec<usize> {
        let forces = &mut self.forces;
        let slides = |term: &usize| {
            let terms = &forces.terms;
            let acts = terms.contact(*term).is_none_or(|contact| mode.is_closed(contact));
            acts && terms.components(*term).len() == 1 && !mode.sticks(*term)
        };
        let sliding: Vec<usize> = (0..forces.terms.count()).filter(slides).collect();
        let speed = if sliding.is_empty() { 0.0 } else { forces.norm(v) };
        let is_still =
            |term: &usize| norm(forces.terms.w(*term)) <= forces.slip_rounding(*term, v, speed);
        sliding.into_iter().filter(is_still).collect()
    }

    /// Solves with the directions in which these terms begin to slide; as they stand where they do not.
    fn begin(
        &mut self,
        system: &dyn System,
        mode: &Mode,
        at: (f64, &[f64], &[f64], &[f64]),
        begins: &[usize],
    ) -> Result<(), NotPositiveDefinite> {
        for signs in 0..1_usize << begins.len() {
            let sign = |place: usize| if signs >> place & 1 == 0 { 1.0 } else { -1.0 };
            let mut slides = vec![None; self.forces.terms.count()];
            for (place, &term) in begins.iter().enumerate() {
                let direction = vec![sign(place)];
                let (turning, since) = (Vec::new(), at.0);
                slides[term] = Some(Slide { direction, turning, since, floor: 0.0, growth: 0.0 });
            }
            let state = SlipState { slides, ..SlipState::default() };
            self.forces.set_slip_state(mode.sticking(), &state);
            self.forces.solve(system, mode, at)?;
            let fits = self.forces.fits;
            let mut begun = begins.iter().enumerate().map(|(place, term)| {
                let (rate, rounding) = self.forces.slip_rate(*term, &[sign(place)]);
                rate > rounding
            });
            if begun.all(|begins| begins) && fits {
                return Ok(());
            }
        }
        self.forces.set_slip_state(mode.sticking(), &SlipState::default());
        self.forces.solve(system, mode, at)
    }

    /// v̇ at the state asked about last; none where the mass matrix is not positive definite.
    pub fn accelerations(&self) -> Option<&[f64]> {
        self.solved.then(|| self.forces.accelerations())
    }

    /// The declared outputs at a state in a mode.
    pub fn outputs(
        &mut self,
        system: &dyn System,
        inputs: &[f64],
        state: &State,
        mode: &Mode,
        outputs: &mut [f64],
    ) {
        let State { t, q, v } = state;
        if system.outputs_hold_forces() {
            let forces = self.at(system, inputs, state, mode);
            system.outputs_with_forces(*t, q, v, inputs, forces, outputs);
        } else {
            system.outputs(*t, q, v, inputs, outputs);
        }
    }
}

/// The mode of a state by itself, where nothing else can be: there are no contacts and no friction.
pub fn only_mode(system: &dyn System) -> Option<Mode> {
    let info = system.info();
    (info.contacts.is_empty() && info.frictions.is_empty()).then(Mode::default)
}

/// v̇ and λ at a state with inputs u by itself, with no contact closed: those of the system, and where constraints have
/// friction, as they slide there.
pub fn open_accelerations(
    system: &dyn System,
    (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
    a: &mut [f64],
    λ: &mut [f64],
) {
    if system.info().frictions.iter().all(|term| term.kind != FrictionKind::Row) {
        return system.accelerations(t, q, v, u, a, λ);
    }
    let mut reactions = Reactions::new(system);
    let all = reactions.at(system, u, &State::new(t, q, v), &Mode::default());
    λ.iter_mut().zip(all).for_each(|(λ, found)| *λ = *found);
    match reactions.accelerations() {
        Some(found) => a.copy_from_slice(found),
        None => a.fill(f64::NAN),
    }
}

impl ContactForces {
    /// The forces of the mode that was solved last.
    pub(crate) fn write_all(&self, solved: Result<(), NotPositiveDefinite>, to: &mut Vec<f64>) {
        to.clear();
        to.extend_from_slice(&self.λ);
        to.extend_from_slice(&self.forces);
        let first = to.len();
        to.resize(first + FrictionKind::PLACES * self.forces.len(), 0.0);
        for term in 0..self.terms.count() {
            let friction = self.friction_on_slip(term);
            let place = match self.terms.bearer(term) {
                None => continue,
                // These come last among the terms, and so among the forces.
                Some(Bearer::Row(_) | Bearer::Rows { .. }) => {
                    to.extend(friction);
                    continue;
                }
                Some(Bearer::Contact(contact)) => {
                    first + FrictionKind::PLACES * contact + self.terms.place(term)
                }
            };
            to[place..].iter_mut().zip(friction).for_each(|(to, force)| *to = force);
        }
        if solved.is_err() || !self.fits {
            to.fill(f64::NAN);
        }
    }

    /// The force of a term on its slip: the reaction where it sticks, −c u where it slides.
    pub(crate) fn friction_on_slip(&self, term: usize) -> Vec<f64> {
        let mut forces: Vec<f64> = if self.sticking.contains(&term) {
            self.reactions[self.terms.components(term)].iter().map(|f| -f).collect()
        } else {
            let c = self.strength(term);
            let u = self.slip_state.direction(term, self.t, self.terms.w(term));
            u.iter().map(|u| -c * u).collect()
        };
        self.terms.to_slip(term, &mut forces);
        forces
    }
}
