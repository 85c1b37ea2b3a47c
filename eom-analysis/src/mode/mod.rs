//! The mode in which a motion is linearised, and the conditions under which it holds.
//!
//! ```text
//! closed     g = 0, and N > 0
//! sticks     w = 0, and ‖f‖ < c_s N; of a constraint ‖f‖ < c_s |λ|, of friction that nothing bears ‖f‖ < c
//! slides     ‖w‖ > 0
//! ```
//!
//! The mode is that which the runtime selects at the state. At the edge of a condition the motion is not smooth.

pub(crate) mod balance;
pub(crate) mod drift;
pub(crate) mod in_mode;
pub(crate) mod lengths;
pub(crate) mod lines;
pub(crate) mod open;

use crate::error::AnalysisError;
use crate::space::StateSpace;
use crate::steady::TOLERANCE;
use crate::tapes::friction::Terms;
use crate::tapes::relevant_of;
use eom_core::contact::Reactions;
use eom_core::elementary;
use eom_core::info::FrictionKind;
use eom_core::span::kernel;
use eom_core::system::Bearer;
use eom_core::{EventKind, Mode, Options, Run, StartPolicy, State};
use in_mode::InMode;
use lines::RowOf;

/// A load this near to 1 is at the edge of the cone; a normal force below this part of all forces is none.
const EDGE: f64 = 1e-9;

/// A velocity below this part of the largest, of 1 where all are less, is what Newton's method leaves of none.
const ROUNDING: f64 = 1e-12;

/// A contact or a term of friction in a mode, and what keeps it there.
#[derive(Debug, Clone, PartialEq)]
pub struct ModePart {
    /// As the declaration names it.
    pub name: &'static str,
    /// What it does.
    pub kind: ModePartKind,
}

/// What a contact or a term of friction does in a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModePartKind {
    /// The contact is closed: while its normal force is positive.
    Closed {
        /// N, per unit gap.
        force: f64,
    },
    /// The friction sticks: while its load is below 1.
    Sticks {
        /// The part of the friction that it can have, ‖f‖/(c_s N), or ‖f‖/(c_s |λ|) of a constraint.
        load: f64,
    },
    /// The friction slides: while it is faster than 0.
    Slides {
        /// ‖w‖.
        speed: f64,
    },
}

impl StateSpace<'_> {
    /// The same states in the mode that the runtime selects at one of them: with contacts closed that touch there, friction
    /// sticking that holds.
    ///
    /// # Errors
    /// Where no run can start there, something is struck, or there is no program of what is closed.
    pub(crate) fn in_mode_of(&self, state: &State, inputs: &[f64]) -> Result<Self, AnalysisError> {
        let system = self.programs.system;
        if !self.touches(state, inputs) && self.still(state)?.is_none() {
            return Ok(self.clone());
        }
        let options = Options { start: StartPolicy::Project, ..Options::default() };
        let run = Run::with_inputs(system, &calm(state), inputs, &options)?;
        let struck = run.events_since(0).iter().find_map(|event| match event.kind {
            EventKind::Impact { contact, .. } => Some(contact),
            _ => None,
        });
        if let Some(contact) = struck {
            let name = self.programs.info.contacts[contact].name;
            let why = format!("the contact `{name}` is struck");
            return Err(AnalysisError::NotSmooth { why });
        }
        self.with_mode(run.mode().clone())
    }

    /// The same states in a mode.
    pub(crate) fn with_mode(&self, mode: Mode) -> Result<Self, AnalysisError> {
        let mut space = self.clone();
        space.mode = mode;
        if space.has_accelerations() {
            return Ok(space);
        }
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let terms = Terms::of(self.programs.system)?;
        let (n, parameters) = (info.positions(), self.programs.parameters());
        let mut known = vec![false; n];
        self.relevant.iter().filter(|place| **place < n).for_each(|place| known[*place] = true);
        let mut depends = |tape: Option<&eom_core::enclosure::Tape>,
                           asked: &dyn Fn(usize) -> bool| {
            let lists = tape.map(|tape| tape.dependencies(&parameters)).unwrap_or_default();
            let mut timed = false;
            for (_, on) in lists.iter().enumerate().filter(|(output, _)| asked(*output)) {
                timed |= on[0];
                known.iter_mut().enumerate().for_each(|(i, known)| *known |= on[1 + i]);
            }
            timed
        };
        let m = info.speeds();
        let mut timed = depends(programs.forces, &|_| true);
        timed |= depends(programs.mass_matrix, &|_| true);
        timed |= depends(programs.contact_forces, &|output| space.mode.is_closed(output / m));
        timed |= depends(programs.borne_forces, &|output| {
            output / m >= info.contacts.len() || space.mode.is_closed(output / m)
        });
        let (mut owner, mut last) = (Vec::new(), 0);
        for (contact, described) in info.contacts.iter().enumerate() {
            last += (m + 1) * (1 + described.rows.len());
            owner.resize(last, contact);
        }
        let of_closed =
            |output: usize| owner.get(output).is_some_and(|contact| space.mode.is_closed(*contact));
        timed |= depends(programs.contact_rows, &of_closed);
        let in_force: Vec<usize> =
            (0..terms.count()).filter(|term| terms.acts(*term, &space.mode)).collect();
        timed |= depends(programs.frictions, &|output| terms.reads(&in_force, output));
        if timed {
            return Err(AnalysisError::TimeDependent { system: info.name });
        }
        let kept = relevant_of(&self.programs, known, None);
        space.relevant = kept;
        Ok(space)
    }

    /// Whether a contact touches, or is beyond that.
    pub(crate) fn touches(&self, state: &State, inputs: &[f64]) -> bool {
        self.gaps(state, inputs).iter().any(|gap| *gap <= TOLERANCE)
    }

    /// The gaps; of a surface that does not reach there an infinite one.
    fn gaps(&self, state: &State, inputs: &[f64]) -> Vec<f64> {
        let mut gaps = vec![0.0; self.programs.info.contacts.len()];
        self.programs.system.gaps(state.t, &state.q, &mut gaps);
        let ended = self.ended(state, inputs);
        gaps.iter_mut().zip(ended).for_each(|(gap, ended)| {
            if ended {
                *gap = f64::INFINITY;
            }
        });
        gaps
    }

    /// Whether the surface of each contact ends before a state.
    fn ended(&self, state: &State, inputs: &[f64]) -> Vec<bool> {
        let counts = self.programs.info.contacts.iter().map(|contact| contact.extents);
        let mut extents = vec![0.0; counts.clone().sum()];
        if !extents.is_empty() {
            self.programs.system.extents(state.t, &state.q, &state.v, inputs, &mut extents);
        }
        let mut first = 0;
        counts
            .map(|count| {
                let own = &extents[first..first + count];
                first += count;
                own.iter().any(|extent| *extent < 0.0)
            })
            .collect()
    }

    /// Friction that no contact bears and that has no speed, by its name: it sticks, or begins to slide.
    fn still(&self, state: &State) -> Result<Option<&'static str>, AnalysisError> {
        let info = self.programs.info;
        if info.frictions.is_empty() {
            return Ok(None);
        }
        let terms = Terms::of(self.programs.system)?;
        let values = terms.evaluate(self.programs.system, state);
        let is_still = |term: &usize| {
            let constant = !matches!(terms.bearer(*term), Some(Bearer::Contact(_)));
            constant && values[*term] != 0.0 && terms.speed(*term, &values) <= TOLERANCE
        };
        Ok((0..terms.count()).find(is_still).map(|term| terms.info(term).name))
    }

    /// What is in force at a state in the mode of this space, each within its condition.
    ///
    /// # Errors
    /// At the edge of a condition, and beyond it.
    pub(crate) fn parts(
        &self,
        state: &State,
        inputs: &[f64],
    ) -> Result<Vec<ModePart>, AnalysisError> {
        if self.has_accelerations() {
            if let Some(term) = self.still(state)? {
                let why = format!("the friction of {term} begins to slide");
                return Err(AnalysisError::NotSmooth { why });
            }
            self.check_touching(state, inputs)?;
            return Ok(Vec::new());
        }
        let found = self.in_mode(state, inputs)?;
        let (info, terms) = (self.programs.info, Terms::of(self.programs.system)?);
        let forces = self.forces(&found, &terms, state, inputs);
        let edge = |why: String| Err(AnalysisError::NotSmooth { why });
        let mut parts = Vec::new();
        let ended = self.ended(state, inputs);
        for &contact in self.mode.closed() {
            let (name, force) = (info.contacts[contact].name, forces.normal[contact]);
            if ended[contact] {
                return edge(format!("the surface of `{name}` ends before"));
            }
            if force.is_nan() || force <= EDGE * found.size {
                return edge(format!(
                    "the contact `{name}` is about to open, N = {:.3e}",
                    force + 0.0
                ));
            }
            parts.push(ModePart { name, kind: ModePartKind::Closed { force } });
        }
        for &term in self.mode.sticking() {
            let strength = found.friction[terms.at_rest(term)] * forces.bearing(&terms, term);
            if presses_nothing(&terms, term, &forces, found.size) {
                return edge(format!("{} has no force to grow with", terms.name(term)));
            }
            let load = forces.friction[term] / strength;
            if load.is_nan() || load >= 1.0 - EDGE {
                let name = terms.name(term);
                return edge(format!(
                    "{name} is at the edge of its cone, with a load of {load:.9}"
                ));
            }
            let name = terms.info(term).name;
            parts.push(ModePart { name, kind: ModePartKind::Sticks { load } });
        }
        for term in terms.acting(&self.mode) {
            let speed = terms.speed(term, found.friction.as_slice());
            if found.friction[term] == 0.0 {
                continue;
            }
            if speed <= TOLERANCE {
                return edge(format!("{} begins to slide", terms.name(term)));
            }
            if presses_nothing(&terms, term, &forces, found.size) {
                return edge(format!("{} has no force to grow with", terms.name(term)));
            }
            let name = terms.info(term).name;
            parts.push(ModePart { name, kind: ModePartKind::Slides { speed } });
        }
        self.check_touching(state, inputs)?;
        Ok(parts)
    }

    /// N of the contacts, |λ| of the constraints and ‖f‖ of the terms, of what is in force; where rows depend on each other those that lie deepest
    /// in the cones.
    fn forces(&self, found: &InMode, terms: &Terms, state: &State, inputs: &[f64]) -> Forces {
        let info = self.programs.info;
        let (k, c) = (info.rows.len(), info.contacts.len());
        let (mut normal, mut friction) = (vec![0.0; c], vec![0.0; terms.count()]);
        let mut constraints = vec![0.0; k];
        for (of, λ) in &found.rows {
            match *of {
                RowOf::Gap(contact) => normal[contact] = *λ,
                RowOf::Stick(term) => friction[term] = elementary::hypot(friction[term], *λ),
                RowOf::Constraint(row) => constraints[row] = λ.abs(),
                RowOf::Own(_) => {}
            }
        }
        if !found.redundant {
            return Forces { normal, constraints, friction };
        }
        let mut reactions = Reactions::new(self.programs.system);
        let all = reactions.at(self.programs.system, inputs, state, &self.mode);
        normal.copy_from_slice(&all[k..k + c]);
        constraints.iter_mut().zip(all).for_each(|(λ, found)| *λ = found.abs());
        for term in self.mode.sticking().iter().copied() {
            let kind: FrictionKind = terms.info(term).kind;
            let first = k
                + c
                + match terms.bearer(term) {
                    None => continue,
                    Some(Bearer::Contact(contact)) => FrictionKind::PLACES * contact + kind.place(),
                    Some(Bearer::Row(_) | Bearer::Rows { .. }) => {
                        FrictionKind::PLACES * c + terms.place_among_rows(term)
                    }
                };
            let factors: Vec<f64> = match terms.factors(term) {
                Some(places) => places.map(|place| found.friction[place]).collect(),
                None => vec![1.0; terms.components(term).len()],
            };
            let on_slip = factors.iter().zip(&all[first..]).map(|(factor, f)| (f / factor).powi(2));
            friction[term] = on_slip.sum::<f64>().sqrt();
        }
        Forces { normal, constraints, friction }
    }

    /// A contact that touches and bears nothing stays closed along all motions of the mode, or is refused.
    fn check_touching(&self, state: &State, inputs: &[f64]) -> Result<(), AnalysisError> {
        let info = self.programs.info;
        let gaps = self.gaps(state, inputs);
        let touches = |contact: &usize| gaps[*contact] <= TOLERANCE;
        let idle: Vec<usize> = (0..info.contacts.len())
            .filter(|contact| !self.mode.is_closed(*contact))
            .filter(touches)
            .collect();
        if idle.is_empty() {
            return Ok(());
        }
        let (local, n) = (self.local(state, inputs)?, info.positions());
        let free = self.displacement(&local) * kernel(&self.conditions(&local));
        for contact in idle {
            let (name, gap) = (info.contacts[contact].name, gaps[contact]);
            if gap < -TOLERANCE {
                let why = format!("the contact `{name}` is penetrated, its gap is {gap:e}");
                return Err(AnalysisError::NotSmooth { why });
            }
            let closed = self.with_mode(Mode::new(vec![contact]))?;
            let touching = closed.in_mode(state, inputs)?.local;
            let last = touching.rows.nrows() - 1;
            let (row, change) = (touching.rows.row(last), touching.residual_by_position.row(last));
            // δg = ∇g ξ and δġ = ∂(∇g v + ∂g/∂t)/∂q δq + ∇g δv.
            let moves = free.rows(0, n);
            let speeds = free.rows(n, info.speeds());
            let opens = (change * moves + row * speeds).amax();
            if opens > TOLERANCE * (row.norm() + change.norm()) {
                let why = format!("the contact `{name}` touches without a force");
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        Ok(())
    }
}

/// A state without the velocities that are rounding, which would begin to slide or strike.
fn calm(state: &State) -> State {
    let size = state.v.iter().fold(1.0_f64, |size, v| size.max(v.abs()));
    let mut calm = state.clone();
    calm.v.iter_mut().filter(|v| v.abs() <= ROUNDING * size).for_each(|v| *v = 0.0);
    calm
}

/// N of each contact, |λ| of each constraint, ‖f‖ of each term.
struct Forces {
    normal: Vec<f64>,
    constraints: Vec<f64>,
    friction: Vec<f64>,
}

impl Forces {
    /// The force with which a term grows; 1 where it does not.
    fn bearing(&self, terms: &Terms, term: usize) -> f64 {
        match terms.bearer(term) {
            None => 1.0,
            Some(Bearer::Contact(contact)) => self.normal[contact],
            Some(Bearer::Row(row)) => self.constraints[row],
            Some(Bearer::Rows { first, count }) => {
                let squares = self.constraints[first..first + count].iter().map(|λ| λ * λ);
                squares.sum::<f64>().sqrt()
            }
        }
    }
}

/// Whether a term grows with the multiplier of a constraint that is zero: |λ| has a kink there.
fn presses_nothing(terms: &Terms, term: usize, forces: &Forces, size: f64) -> bool {
    let is_rows = matches!(terms.bearer(term), Some(Bearer::Row(_) | Bearer::Rows { .. }));
    is_rows && forces.bearing(terms, term) <= EDGE * size
}
