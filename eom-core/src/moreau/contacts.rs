//! Which rows a step has: contacts whose gap is not open at its middle, with their own rows and friction, and dry friction.

use super::problem::{Cone, Problem};
use crate::contact::rows::Rows;
use crate::friction::slip_state::Terms;
use crate::linear::linalg::dot;
use crate::snapshot::words::part;
use crate::system::{Law, System};

/// A gap counts as closed within this part of the way on which a step takes it.
const TOUCHES: f64 = 1e-6;

/// Units of rounding of a gap.
const ROUNDINGS: f64 = 64.0;

/// A contact has come to rest where its gap opens by no more than this part of the speed, a slip where it is no more.
const RESTS: f64 = 1e-9;

/// What one step leaves for the next: what was closed, what stuck, and impulses by time.
#[derive(Debug, Clone)]
pub(super) struct Carried {
    /// Whether each contact is closed.
    pub(super) closed: Vec<bool>,
    /// Whether each term of friction sticks.
    pub(super) sticking: Vec<bool>,
    /// P/h of each contact, Ψ/h of each own row, Φ/h of each component of friction.
    normal: Vec<f64>,
    own: Vec<f64>,
    friction: Vec<f64>,
}

impl Carried {
    pub(super) fn new(rows: &Rows, terms: &Terms, contacts: usize) -> Self {
        Self {
            closed: vec![false; contacts],
            sticking: vec![false; terms.count()],
            normal: vec![0.0; contacts],
            own: vec![0.0; rows.own().count()],
            friction: vec![0.0; terms.all_components()],
        }
    }

    /// Nothing is known of a step before.
    pub(super) fn forget(&mut self) {
        let Self { closed, sticking, normal, own, friction } = self;
        closed.fill(false);
        sticking.fill(false);
        for list in [normal, own, friction] {
            list.fill(0.0);
        }
    }

    /// The same of another, in its own room.
    pub(super) fn copy(&mut self, other: &Self) {
        self.closed.copy_from_slice(&other.closed);
        self.sticking.copy_from_slice(&other.sticking);
        self.normal.copy_from_slice(&other.normal);
        self.own.copy_from_slice(&other.own);
        self.friction.copy_from_slice(&other.friction);
    }

    /// Takes the impulses of a step h that has been solved to the velocity v. Those of an impact, where something is `struck`,
    /// say nothing of the next step.
    pub(super) fn take(
        &mut self,
        problem: &Problem,
        (rows, terms): (&mut Rows, &Terms),
        (h, struck): (f64, bool),
        (v, speed): (&[f64], f64),
    ) {
        self.forget();
        let h = if struck { f64::INFINITY } else { h };
        for block in &problem.blocks {
            let impulses = &problem.impulses[block.rows.clone()];
            match block.cone {
                Cone::Normal { contact } => {
                    self.normal[contact] = impulses[0] / h;
                    let rests = RESTS * speed * rows.mobility(contact).sqrt();
                    self.closed[contact] = impulses[0] > 0.0 && rows.gap_rate(contact, v) <= rests;
                }
                Cone::Tied { own, .. } => self.own[own] = impulses[0] / h,
                Cone::Friction { term, .. } | Cone::Dry { term, .. } => {
                    self.sticking[term] = problem.sticks(block);
                    let components = &mut self.friction[terms.components(term)];
                    components.iter_mut().zip(impulses).for_each(|(to, p)| *to = p / h);
                }
            }
        }
    }
}

/// The middle of a step, with what is known there.
pub(super) struct Middle<'m> {
    pub(super) system: &'m dyn System,
    /// The law of all contacts in place of those declared.
    pub(super) law: Option<Law>,
    pub(super) h: f64,
    pub(super) q: &'m [f64],
    /// The velocity before the step.
    pub(super) v: &'m [f64],
    pub(super) gaps: &'m [f64],
    /// The size of the velocities of the step, in the metric.
    pub(super) speed: f64,
    pub(super) carried: &'m Carried,
}

impl Middle<'_> {
    /// Takes all rows. `rows` are loaded, with the constraints taken and no other row, and so are the terms.
    pub(super) fn pose(&self, rows: &mut Rows, terms: &Terms, problem: &mut Problem) {
        problem.clear();
        for contact in 0..self.gaps.len() {
            if self.touches(rows, contact) {
                self.add_contact(contact, rows, terms, problem);
            }
        }
        for term in (0..terms.count()).filter(|term| terms.contact(*term).is_none()) {
            let limit = self.h * terms.coefficient(term);
            self.add_term(term, Cone::Dry { term, limit }, rows, terms, problem);
        }
    }

    /// Whether a gap is not open, to its rounding and a small part of what a step changes of it.
    pub(super) fn touches(&self, rows: &mut Rows, contact: usize) -> bool {
        let reach = self.h * rows.mobility(contact).sqrt() * self.speed;
        let gradient = rows.gap(contact).0;
        let size: f64 = gradient.iter().map(|g| g.abs()).sum();
        let largest = self.q.iter().fold(0.0, |largest: f64, q| largest.max(q.abs()));
        self.gaps[contact] <= TOUCHES * reach + ROUNDINGS * f64::EPSILON * size * largest
    }

    fn add_contact(&self, contact: usize, rows: &mut Rows, terms: &Terms, problem: &mut Problem) {
        let law = self.law.unwrap_or_else(|| self.system.law(contact));
        let [_, e, tangential] = law.restitutions().unwrap_or_default();
        let (gradient, rate) = rows.gap(contact);
        let before = self.struck_at(contact, rows).unwrap_or(0.0);
        let normal = problem.impulses.len();
        problem.offer(gradient, rate + e * before, self.h * self.carried.normal[contact]);
        problem.respond(rows, Cone::Normal { contact });
        for own in rows.own().of(contact) {
            let (row, offset) = rows.own().row(own);
            let slip = if before < 0.0 { dot(row, self.v) + offset } else { 0.0 };
            problem.offer(row, offset + tangential * slip, self.h * self.carried.own[own]);
            problem.respond(rows, Cone::Tied { own, normal });
        }
        for term in terms.of_contact(contact) {
            let c = [terms.coefficient(term), terms.at_rest(term)];
            self.add_term(term, Cone::Friction { term, normal, c }, rows, terms, problem);
        }
    }

    /// ġ⁻ of a contact that closes and was not closed before.
    pub(super) fn struck_at(&self, contact: usize, rows: &Rows) -> Option<f64> {
        let rate = rows.gap_rate(contact, self.v);
        (rate < 0.0 && !self.carried.closed[contact]).then_some(rate)
    }

    /// The rows of a term: w = w(v) + J (v⁺ − v).
    fn add_term(
        &self,
        term: usize,
        cone: Cone,
        rows: &mut Rows,
        terms: &Terms,
        problem: &mut Problem,
    ) {
        let rests = self.carried.sticking[term] || self.is_still(term, rows, terms);
        for component in terms.components(term) {
            let row = terms.row(component).0;
            let offset = terms.offset(component) - dot(row, self.v);
            problem.offer(row, offset, self.h * self.carried.friction[component]);
            problem.slips_before(if rests { 0.0 } else { terms.offset(component) });
        }
        problem.respond(rows, cone);
    }

    /// Whether the slip of a term before the step is no more than what counts as rest.
    fn is_still(&self, term: usize, rows: &mut Rows, terms: &Terms) -> bool {
        terms.components(term).all(|component| {
            let mobility = rows.row_mobility(terms.row(component).0);
            terms.offset(component).abs() <= RESTS * self.speed * mobility.sqrt()
        })
    }
}

part! { Carried { parts: [closed, sticking, normal, own, friction], values: [], room: [] } }
