//! Bounds of the forces of a mode on a part of a step, and of the guards that are made of them.
//!
//! In a mode accelerations a and multipliers y of the rows B in force solve
//!
//! ```text
//! M a − Rᵀy = F − h + Σ F_c − Σ c Jᵀu          B a + γ = 0          γ = Ḃ v + ḃ
//! ```
//!
//! with B the constraints, the gaps and own rows of closed contacts, J of what sticks; R is B with what acts in proportion
//! to a multiplier: the friction −μ Jᵀu that slides at a contact, −μ σ Jᵀu at a row, ∂Q/∂λ, ∂Q/∂f of what sticks; where a force
//! holds f, J is C = J + (∂Q/∂f)ᵀ in what slides. All entries are programs of the
//! system, which are run over the part; γ comes of the rates of the rows. The problem is solved over these bounds, with its rates:
//! those of γ need second derivatives of the rows, which jets have. The guards are
//!
//! ```text
//! closed       μ + κ              sticks       c_s²N² − ‖f‖² + κ, N what bears it, or 1
//! slides       σ w                presses      σλ + κ
//! ```
//!
//! A slip in a plane has no guard: steps end before it stops. That it does not pass zero within one is looked at all the same.

use crate::flow::UNKNOWN;
use crate::hybrid::event::guards::{Guards, Held};
use crate::info::SystemInfo;
use crate::system::enclosure::{Dual, Evaluator, Interval, Jet, Number, Solve, Tape};
use crate::system::{Bearer, System, parameters_of};
use std::ops::Range;

/// The programs of all that forces are solved from.
#[derive(Debug, Clone)]
pub(super) struct ForcePrograms<'a> {
    info: &'static SystemInfo,
    mass: Evaluator<'a, Jet>,
    acting: Evaluator<'a, Jet>,
    constraints: Option<Evaluator<'a, Jet>>,
    contacts: Option<Evaluator<'a, Jet>>,
    damping: Option<Evaluator<'a, Jet>>,
    borne: Option<Evaluator<'a, Jet>>,
    frictions: Option<Evaluator<'a, Jet>>,
    /// Where the rows of each contact begin among those of all.
    starts: Vec<usize>,
    /// B, R, γ and the force of the present part.
    rows: Vec<Bound>,
    reactions: Vec<Bound>,
    drift: Vec<Bound>,
    force: Vec<Bound>,
    entries: Vec<Bound>,
    solution: Vec<Bound>,
    work: Vec<Bound>,
    multipliers: Vec<Bound>,
    direction: Vec<Bound>,
}

/// Bounds of a value and of its rate.
pub(super) type Bound = Dual<Interval, 1>;

fn bound(Jet { value, rate, .. }: Jet) -> Bound {
    Dual::moving(value, rate)
}

/// d/dt of what bounds tell.
fn rate(of: Jet) -> Bound {
    let of = of.certain();
    Dual::moving(of.rate, of.bend + of.bend)
}

/// What is known of a value with its rate.
fn jet(of: Bound) -> Jet {
    Jet { value: of.value, rate: of.rates[0], bend: Interval::WHOLE }
}

impl<'a> ForcePrograms<'a> {
    /// None where something that acts has no program.
    pub(super) fn new(system: &'a dyn System, inputs: &[f64]) -> Option<Self> {
        let (info, programs) = (system.info(), system.programs());
        let parameters = parameters_of(system);
        let evaluator =
            |tape: Option<&'a Tape>| tape.map(|tape| Evaluator::new(tape, &parameters, inputs));
        let missing = [
            !info.rows.is_empty() && programs.constraint_rows.is_none(),
            !info.contacts.is_empty() && programs.contact_rows.is_none(),
            info.has_borne_forces() && programs.borne_forces.is_none(),
            !info.frictions.is_empty() && programs.frictions.is_none(),
            info.frictions.iter().any(|friction| friction.components == 0),
            // A dissipation of contacts by a function given at run time has none either.
            !info.functions.is_empty() && programs.contact_forces.is_none(),
        ];
        if missing.contains(&true) {
            return None;
        }
        let m = info.speeds();
        let mut starts = vec![0];
        for contact in info.contacts {
            starts.push(starts[starts.len() - 1] + (m + 1) * (1 + contact.rows.len()));
        }
        Some(Self {
            info,
            mass: evaluator(programs.mass_matrix)?,
            acting: evaluator(programs.forces)?,
            constraints: evaluator(programs.constraint_rows),
            contacts: evaluator(programs.contact_rows),
            damping: evaluator(programs.contact_forces),
            borne: evaluator(programs.borne_forces),
            frictions: evaluator(programs.frictions),
            starts,
            rows: Vec::new(),
            reactions: Vec::new(),
            drift: Vec::new(),
            force: Vec::new(),
            entries: Vec::new(),
            solution: vec![Bound::of(0.0); m],
            work: Vec::new(),
            multipliers: Vec::new(),
            direction: Vec::new(),
        })
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Evaluator<'a, Jet>> {
        let Self { mass, acting, constraints, contacts, damping, borne, frictions, .. } = self;
        let others = [constraints, contacts, damping, borne, frictions];
        [mass, acting].into_iter().chain(others.into_iter().flatten())
    }

    /// Inputs from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        self.all().for_each(|evaluator| evaluator.set_inputs(inputs));
    }

    /// Whether a guard is bounded in the present mode.
    pub(super) fn bounds(&self, held: Held<'_>, guards: &Guards<'_>, guard: usize) -> bool {
        let is_damped = held.is_damped && self.damping.is_none();
        if is_damped || guards.is_idle(guard) || guards.is_carried(guard) {
            return false;
        }
        guards.friction(guard).map_or_else(
            || guards.is_of_forces(guard),
            |term| held.mode.sticks(term) || guards.sliding(guard).is_some(),
        )
    }

    /// Whether the forces of a mode are told by a linear problem.
    pub(super) fn is_linear(held: Held<'_>) -> bool {
        let Held { mode, slip_state, terms, .. } = held;
        let slides = |term: &usize| !mode.sticks(*term);
        !terms.of_lengths().any(|term| slides(&term))
            && (!slip_state.presses.is_empty() || !terms.of_signs().any(|term| slides(&term)))
    }

    /// Solves for the forces on a part, with those given that the motion leaves open.
    pub(super) fn run(&mut self, held: Held<'_>, t: Jet, y: &[Jet], given: &[(usize, Bound)]) {
        self.all().for_each(|evaluator| evaluator.run(t, &[y]));
        self.collect(held, y);
        self.slide(held, t);
        self.solve(given);
    }

    /// B, R and γ of what is in force, and the force without friction.
    fn collect(&mut self, held: Held<'_>, y: &[Jet]) {
        let Self { info, acting, constraints, contacts, damping, frictions, starts, .. } = self;
        let Self { rows, drift, force, .. } = self;
        let (m, k) = (info.speeds(), info.rows.len());
        let v = &y[info.positions()..];
        rows.clear();
        drift.clear();
        let mut add = |of: &Evaluator<'_, Jet>, row: usize, affine: usize| {
            let mut γ = rate(of.result(affine));
            for (j, v) in v.iter().enumerate() {
                let entry = of.result(row + j);
                let change = rate(entry);
                rows.push(bound(entry));
                if !change.is_nothing() {
                    γ = γ + change * bound(*v);
                }
            }
            drift.push(γ);
        };
        if let Some(of) = constraints {
            (0..k).for_each(|row| add(of, row * m, k * m + row));
        }
        for &contact in held.mode.closed() {
            let (Some(of), at) = (&*contacts, starts[contact]) else { continue };
            let own = info.contacts[contact].rows.len();
            add(of, at, at + m);
            (0..own).for_each(|row| add(of, at + m + 1 + row * m, at + m + 1 + own * m + row));
        }
        if let Some(of) = frictions {
            let places = Places::of(held, m);
            for component in held.components() {
                rows.extend((0..m).map(|j| bound(of.result(places.rows + component * m + j))));
                drift.push(bound(of.result(places.drift + component)));
            }
        }
        force.clear();
        force.extend((0..m).map(|j| bound(acting.result(j)) - bound(acting.result(m + j))));
        for (contact, of) in held.mode.closed().iter().zip(std::iter::repeat(&*damping)) {
            let Some(of) = of else { break };
            force
                .iter_mut()
                .enumerate()
                .for_each(|(j, f)| *f = *f + bound(of.result(contact * m + j)));
        }
        self.reactions.clone_from(&self.rows);
        self.bear(held);
        self.bear_by_friction(held);
    }

    /// Adds what acts with normal forces, and with the multipliers of rows.
    fn bear(&mut self, held: Held<'_>) {
        let m = self.info.speeds();
        let first = self.info.contacts.len();
        let rows = self.info.rows.iter().enumerate().filter(|(_, row)| row.bears);
        for (row, of) in rows
            .zip(std::iter::repeat(&self.borne))
            .filter_map(|((row, _), of)| Some((row, of.as_ref()?)))
        {
            for j in 0..m {
                let entry = bound(of.result((first + row) * m + j));
                self.reactions[row * m + j] = self.reactions[row * m + j] + entry;
            }
        }
        for (place, &contact) in held.mode.closed().iter().enumerate() {
            let Some(of) = self.borne.as_ref().filter(|_| held.terms.bears(contact)) else {
                continue;
            };
            let row = self.place(held, place) * m;
            for j in 0..m {
                self.reactions[row + j] =
                    self.reactions[row + j] + bound(of.result(contact * m + j));
            }
        }
    }

    /// Adds what acts with the forces of what sticks, whose rows stand last.
    fn bear_by_friction(&mut self, held: Held<'_>) {
        let m = self.info.speeds();
        let first = self.drift.len() - held.components().count();
        for (place, component) in (first..).zip(held.components()) {
            for j in 0..m {
                let Some(beside) = self.beside(held, component, j) else { break };
                self.reactions[place * m + j] = self.reactions[place * m + j] + beside;
            }
        }
    }

    /// An entry of ∂Q/∂f of a component, where forces act with its term.
    fn beside(&self, held: Held<'_>, component: usize, j: usize) -> Option<Bound> {
        let of = self.borne.as_ref()?;
        let place = (self.info.first_component() + component) * self.info.speeds() + j;
        held.terms.term_bears(held.terms.term(component)).then(|| bound(of.result(place)))
    }

    /// The place of ∇g of a closed contact among the rows.
    fn place(&self, held: Held<'_>, closed: usize) -> usize {
        let before = held.mode.closed()[..closed].iter();
        let own: usize = before.map(|contact| self.info.contacts[*contact].rows.len()).sum();
        self.info.rows.len() + closed + own
    }

    /// Adds the friction of what slides.
    fn slide(&mut self, held: Held<'_>, t: Jet) {
        let Held { mode, slip_state, terms, .. } = held;
        let m = self.info.speeds();
        let places = Places::of(held, m);
        for term in (0..terms.count()).filter(|term| !mode.sticks(*term)) {
            if !terms.acts(term, mode.closed()) {
                continue;
            }
            self.direct(held, term, t);
            let Some(of) = &self.frictions else { return };
            let c = bound(of.result(term));
            let (to, factor) = match terms.bearer(term) {
                None => (None, c),
                Some(Bearer::Contact(contact)) => {
                    let closed = mode.closed().iter().position(|other| *other == contact);
                    let Some(closed) = closed else { continue };
                    (Some(self.place(held, closed)), c)
                }
                Some(Bearer::Row(row)) => {
                    let σ = slip_state.presses.get(term).copied().unwrap_or(1.0);
                    (Some(row), c * Bound::of(σ))
                }
                Some(Bearer::Rows { .. }) => continue,
            };
            for (component, u) in terms.components(term).zip(&self.direction) {
                let (row, factor) = (places.rows + component * m, factor * *u);
                for j in 0..m {
                    let entry = bound(of.result(row + j));
                    let entry = match self.beside(held, component, j) {
                        Some(beside) => entry + beside,
                        None => entry,
                    };
                    let to = match to {
                        Some(place) => &mut self.reactions[place * m + j],
                        None => &mut self.force[j],
                    };
                    *to = *to - factor * entry;
                }
            }
        }
    }

    /// u of a term that slides: w/‖w‖, or any unit vector where w may be zero.
    fn direct(&mut self, held: Held<'_>, term: usize, t: Jet) {
        let Self { frictions, direction, .. } = self;
        direction.clear();
        let components = held.terms.components(term);
        if let (1, Some(σ)) = (components.len(), held.slip_state.sign(term)) {
            return direction.push(Bound::of(σ));
        }
        let Some(of) = frictions else { return };
        let places = Places::of(held, 0);
        direction.extend(components.map(|component| bound(of.result(places.slips + component))));
        let square = direction.iter().fold(Bound::of(0.0), |sum, w| sum + w.square());
        let floor = held.slip_state.floor(term, [t.value.low(), t.value.high()]);
        let is_told = square.value.low() > floor * floor;
        let length = square.sqrt();
        for u in direction {
            *u = if is_told {
                *u / length
            } else {
                Dual::moving(Interval::new(-1.0, 1.0), Interval::WHOLE)
            };
        }
    }

    /// Solves for the forces but those that are given, which act as they are.
    fn solve(&mut self, given: &[(usize, Bound)]) {
        let Self { info, mass, rows, reactions, drift, force, entries, .. } = self;
        let Self { solution, work, multipliers, .. } = self;
        let (m, count) = (info.speeds(), drift.len());
        for (row, y) in given {
            let reaction = &reactions[row * m..][..m];
            force.iter_mut().zip(reaction).for_each(|(f, r)| *f = *f + *r * *y);
        }
        let given_of = |row: usize| given.iter().find(|(place, _)| *place == row).map(|of| of.1);
        let open = (0..count).filter(|row| given_of(*row).is_none());
        let solve = Solve { unknowns: m, rows: count - given.len(), coupled: true };
        entries.clear();
        entries.extend(mass.results().map(bound));
        for list in [&*rows, &*reactions] {
            open.clone().for_each(|row| entries.extend_from_slice(&list[row * m..][..m]));
        }
        entries.extend_from_slice(force);
        entries.extend(open.map(|row| drift[row]));
        solve.run(entries, solution, work);
        multipliers.clear();
        let mut solved = solve.multipliers(work);
        multipliers.extend((0..count).map_while(|row| match given_of(row) {
            Some(y) => Some(y),
            None => solved.next(),
        }));
    }

    /// A guard on the last part; of what is not a function of the state no bend is known.
    pub(super) fn result(&self, held: Held<'_>, guards: &Guards<'_>, guard: usize) -> Jet {
        let [contacts, frictions, rows] = held.shifts;
        if let Some(contact) = guards.force(guard) {
            let place = held.mode.closed().iter().position(|closed| *closed == contact);
            return place.map_or(UNKNOWN, |place| {
                jet(self.multiplier(self.place(held, place)) + Bound::of(contacts[contact]))
            });
        }
        if let Some(term) = guards.friction(guard) {
            if held.mode.sticks(term) {
                return self
                    .cone(held, term)
                    .map_or(UNKNOWN, |cone| jet(cone + Bound::of(frictions[term])));
            }
            return self.slip(held, term);
        }
        let row = guards.row(guard).and_then(|term| Some((term, held.terms.row_of(term)?)));
        row.map_or(UNKNOWN, |(term, row)| {
            let σ = held.slip_state.presses.get(term).copied().unwrap_or(1.0);
            let shift = rows[guard - guards.of_rows().start];
            jet(Bound::of(σ) * self.multiplier(row) + Bound::of(shift))
        })
    }

    /// σ w of a term that slides. That in a plane, where w has no sign, is 1 as long as w is not zero.
    fn slip(&self, held: Held<'_>, term: usize) -> Jet {
        let Some(of) = &self.frictions else { return UNKNOWN };
        let slips = Places::of(held, 0).slips;
        let mut w = held.terms.components(term).map(|component| of.result(slips + component));
        if let (1, Some(σ)) = (w.len(), held.slip_state.sign(term)) {
            return w.next().map_or(UNKNOWN, |w| Jet::of(σ) * w);
        }
        let square = w.fold(Interval::ZERO, |sum, w| sum + w.value.square());
        if square.low() > 0.0 { Jet::of(1.0) } else { UNKNOWN }
    }

    fn multiplier(&self, place: usize) -> Bound {
        self.multipliers[place]
    }

    /// c_s²N² − ‖f‖² of a term that sticks.
    fn cone(&self, held: Held<'_>, term: usize) -> Option<Bound> {
        let Held { mode, terms, .. } = held;
        let of = self.frictions.as_ref()?;
        let normal = match terms.bearer(term) {
            None => Bound::of(1.0),
            Some(Bearer::Contact(contact)) => {
                let place = mode.closed().iter().position(|closed| *closed == contact);
                self.multiplier(self.place(held, place?)).square()
            }
            Some(Bearer::Row(_) | Bearer::Rows { .. }) => {
                let squares = terms.rows_of(term).map(|row| self.multiplier(row).square());
                squares.fold(Bound::of(0.0), |sum, square| sum + square)
            }
        };
        let first = self.multipliers.len() - held.components().count();
        let all = held.components().zip(first..);
        let own = all.filter(|(component, _)| terms.components(term).contains(component));
        let f = own.fold(Bound::of(0.0), |sum, (_, place)| sum + self.multiplier(place).square());
        let limit = bound(of.result(terms.place_at_rest(term))).square() * normal;
        Some(limit - f)
    }
}

/// Where the lists of the program of friction begin.
struct Places {
    slips: usize,
    rows: usize,
    drift: usize,
}

impl Places {
    fn of(held: Held<'_>, m: usize) -> Self {
        let (slips, components) = (held.terms.all_coefficients(), held.terms.all_components());
        let rows = slips + components;
        Self { slips, rows, drift: rows + components * m }
    }
}

impl Held<'_> {
    /// The components that stick.
    fn components(self) -> impl Iterator<Item = usize> {
        let points = self.terms.count();
        let sticking = self.mode.sticking().iter().filter(move |term| **term < points);
        sticking.flat_map(move |term| -> Range<usize> { self.terms.components(*term) })
    }
}
