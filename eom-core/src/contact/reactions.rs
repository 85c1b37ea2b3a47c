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
//! Who asks along a motion has asked about a state before, in the same mode, and there it slid to a side: so it does to its end,
//! of which rounding may have left a slip to the other.

use super::ContactForces;
use crate::error::NotPositiveDefinite;
use crate::friction::slip_state::{Slide, SlipState, norm};
use crate::info::FrictionKind;
use crate::mode::Mode;
use crate::state::State;
use crate::system::{Bearer, System};

/// Slips that begin at one time, of which all directions are tried.
const TRIED: usize = 6;

/// A slip below this part of the largest since its mode began has come to rest.
const RESTS: f64 = 1e-9;

/// The forces of one system in a mode, of states by themselves or in the order of a motion.
#[derive(Debug, Clone)]
pub struct Reactions {
    forces: ContactForces,
    all: Vec<f64>,
    /// Whether there were forces.
    solved: bool,
    past: Past,
}

/// What was asked about last, and how each term slid since its mode began: to which side, and how fast at most.
#[derive(Debug, Clone)]
struct Past {
    t: f64,
    mode: Mode,
    slips: Vec<(f64, f64)>,
}

impl Past {
    fn new() -> Self {
        Self { t: f64::INFINITY, mode: Mode::default(), slips: Vec::new() }
    }

    /// How a term slid up to a state of a mode; to no side where that is not the motion asked about.
    fn slip(&self, term: usize, (t, mode): (f64, &Mode)) -> (f64, f64) {
        let goes_on = self.t <= t && self.mode == *mode;
        self.slips.get(term).copied().filter(|_| goes_on).unwrap_or_default()
    }
}

impl Reactions {
    /// Room for one system.
    pub fn new(system: &dyn System) -> Self {
        Self {
            forces: ContactForces::new(system),
            all: Vec::new(),
            solved: false,
            past: Past::new(),
        }
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
        let at = (*t, &q[..], &v[..], inputs);
        self.forces.set_slip_state(mode.sticking(), &SlipState::default());
        let mut solved = self.forces.solve(system, mode, at);
        if solved.is_ok() {
            let slides = self.sliding(mode, v);
            let (rests, begins) = self.at_rest(&slides, (*t, mode));
            self.remember(&slides, &rests, (*t, mode));
            if !(rests.is_empty() && begins.is_empty()) {
                solved = self.begin(system, mode, at, (&rests, &begins));
            }
        }
        self.solved = solved.is_ok() && self.forces.fits;
        self.forces.determine(mode.closed());
        self.forces.write_all(solved, &mut self.all);
        &self.all
    }

    /// The forces that were asked for last.
    pub fn all(&self) -> &[f64] {
        &self.all
    }

    /// The terms of one component that slide in a mode, and whether the w of each is zero.
    fn sliding(&mut self, mode: &Mode, v: &[f64]) -> Vec<(usize, bool)> {
        let forces = &mut self.forces;
        let slides = |term: &usize| {
            let terms = &forces.terms;
            let acts = terms.contact(*term).is_none_or(|contact| mode.is_closed(contact));
            acts && terms.components(*term).len() == 1 && !mode.sticks(*term)
        };
        let sliding: Vec<usize> = (0..forces.terms.count()).filter(slides).collect();
        let speed = if sliding.is_empty() { 0.0 } else { forces.norm(v) };
        let mut is_still =
            |term: usize| norm(forces.terms.w(term)) <= forces.slip_rounding(term, v, speed);
        sliding.into_iter().map(|term| (term, is_still(term))).collect()
    }

    /// Those that come to rest, with the side to which they slid, and those that begin to slide, where they are few.
    fn at_rest(
        &self,
        slides: &[(usize, bool)],
        now: (f64, &Mode),
    ) -> (Vec<(usize, f64)>, Vec<usize>) {
        let (mut rests, mut begins) = (Vec::new(), Vec::new());
        for &(term, is_still) in slides {
            let (side, largest) = self.past.slip(term, now);
            let is_small = norm(self.forces.terms.w(term)) <= RESTS * largest;
            if side != 0.0 && (is_still || is_small) {
                rests.push((term, side));
            } else if is_still {
                begins.push(term);
            }
        }
        if begins.len() > TRIED {
            begins.clear();
        }
        (rests, begins)
    }

    /// Keeps how terms slide; what has come to rest may slide to either side from there on.
    fn remember(
        &mut self,
        slides: &[(usize, bool)],
        rests: &[(usize, f64)],
        (t, mode): (f64, &Mode),
    ) {
        let mut slips = vec![(0.0, 0.0); self.forces.terms.count()];
        for &(term, is_still) in slides {
            let w = self.forces.terms.w(term)[0];
            if !is_still && rests.iter().all(|(rests, _)| *rests != term) {
                let (_, largest) = self.past.slip(term, (t, mode));
                slips[term] = (w.signum(), w.abs().max(largest));
            }
        }
        self.past = Past { t, mode: mode.clone(), slips };
    }

    /// Solves with the sides to which terms slid that come to rest, and the directions in which others begin to slide; as these
    /// stand where they do not.
    fn begin(
        &mut self,
        system: &dyn System,
        mode: &Mode,
        at: (f64, &[f64], &[f64], &[f64]),
        (rests, begins): (&[(usize, f64)], &[usize]),
    ) -> Result<(), NotPositiveDefinite> {
        let slide = |direction: f64| {
            let (direction, turning) = (vec![direction], Vec::new());
            Some(Slide { direction, turning, since: at.0, floor: 0.0, growth: 0.0 })
        };
        let mut known = vec![None; self.forces.terms.count()];
        for (term, side) in rests {
            known[*term] = slide(*side);
        }
        for signs in 0..1_usize << begins.len() {
            let sign = |place: usize| if signs >> place & 1 == 0 { 1.0 } else { -1.0 };
            let mut slides = known.clone();
            for (place, &term) in begins.iter().enumerate() {
                slides[term] = slide(sign(place));
            }
            self.solve_with(system, mode, at, slides)?;
            let fits = self.forces.fits;
            let mut begun = begins.iter().enumerate().map(|(place, term)| {
                let (rate, rounding) = self.forces.slip_rate(*term, &[sign(place)]);
                rate > rounding
            });
            if begun.all(|begins| begins) && fits {
                return Ok(());
            }
        }
        self.solve_with(system, mode, at, known)
    }

    fn solve_with(
        &mut self,
        system: &dyn System,
        mode: &Mode,
        at: (f64, &[f64], &[f64], &[f64]),
        slides: Vec<Option<Slide>>,
    ) -> Result<(), NotPositiveDefinite> {
        let state = SlipState { slides, ..SlipState::default() };
        self.forces.set_slip_state(mode.sticking(), &state);
        self.forces.solve(system, mode, at)
    }

    /// The side to which a term of one component slides at the state asked about last: that of its w, or in which it begins
    /// to slide; 0 where it does not.
    pub fn side(&self, term: usize) -> f64 {
        let ContactForces { slip_state, terms, t, .. } = &self.forces;
        match slip_state.direction(term, *t, terms.w(term))[..] {
            [side] => side,
            _ => 0.0,
        }
    }

    /// The sign with which the constraint row presses there that bears a term.
    pub fn pressing_sign(&self, term: usize) -> f64 {
        self.forces.presses[term]
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
