//! One step: to its middle, the problem there, and on.

use super::contacts::{Carried, Middle};
use super::problem::{Cone, Problem};
use crate::contact::rows::{Row, Rows};
use crate::error::NotPositiveDefinite;
use crate::friction::FrictionError;
use crate::friction::slip_state::Terms;
use crate::info::SystemInfo;
use crate::linear::linalg::dot;
use crate::snapshot::words::part;
use crate::system::kinematics::normalise;
use crate::system::{Law, System};
use crate::trajectory::end::End;
use crate::trajectory::event::Hit;

/// Why a step leads nowhere.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is no metric.
    Metric(NotPositiveDefinite),
    /// Accelerations or velocities are not finite.
    NotFinite,
    /// The impulses of these contacts do not come to rest.
    Unsolved(Vec<&'static str>),
    /// The friction of a step is none.
    Friction(&'static SystemInfo, FrictionError),
}

impl Fault {
    /// The end of a run after t.
    pub(crate) fn end(self, t: f64) -> End {
        match self {
            Self::Metric(error) => End::NonFinite { t, what: error.to_string() },
            Self::NotFinite => End::NonFinite { t, what: "a velocity".to_owned() },
            Self::Unsolved(contacts) => End::UnsolvedStep { t, contacts },
            Self::Friction(info, error) => End::impossible_friction(t, info, error),
        }
    }
}

/// A state with what its next step takes from the one before.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(super) carried: Carried,
}

impl Side {
    /// The same as another, in its own room.
    pub(super) fn copy(&mut self, other: &Self) {
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.carried.copy(&other.carried);
    }
}

/// The room of steps of one system; nothing is allocated after it is made, unless more rows act than there are.
#[derive(Clone)]
pub(super) struct Moreau<'a> {
    system: &'a dyn System,
    law: Option<Law>,
    rows: Rows,
    terms: Terms,
    problem: Problem,
    /// q_M.
    pub(super) middle: Vec<f64>,
    gaps: Vec<f64>,
    rates: Vec<f64>,
    /// v̇ of free motion, λ of its constraints.
    a: Vec<f64>,
    λ: Vec<f64>,
    /// Own dissipations of contacts.
    damping: Vec<f64>,
    damped: Vec<f64>,
    /// A v + b.
    residuals: Vec<f64>,
    /// The velocity on its way.
    pub(super) next: Vec<f64>,
    /// What was struck in the last step.
    pub(super) hits: Vec<Hit>,
}

impl<'a> Moreau<'a> {
    pub(super) fn new(system: &'a dyn System, law: Option<Law>) -> Self {
        let info = system.info();
        let (n, m, k, contacts) =
            (info.positions(), info.speeds(), info.rows.len(), info.contacts.len());
        let (rows, terms) = (Rows::new(system), Terms::new(system));
        let most = contacts + rows.own().count() + terms.all_components();
        let zeros = |count: usize| vec![0.0; count];
        Self {
            system,
            law,
            problem: Problem::new(m, k, most),
            rows,
            terms,
            middle: zeros(n),
            gaps: zeros(contacts),
            rates: zeros(n),
            a: zeros(m),
            λ: zeros(k),
            damping: zeros(contacts * m),
            damped: zeros(m),
            residuals: zeros(k),
            next: zeros(m),
            hits: Vec::with_capacity(contacts),
        }
    }

    /// A state of which nothing is known before.
    pub(super) fn side(&self) -> Side {
        Side {
            q: vec![0.0; self.middle.len()],
            v: vec![0.0; self.next.len()],
            carried: Carried::new(&self.rows, &self.terms, self.gaps.len()),
        }
    }

    /// A step h from t.
    pub(super) fn step(
        &mut self,
        (t, h): (f64, f64),
        inputs: &[f64],
        side: &mut Side,
    ) -> Result<(), Fault> {
        let middle = t + 0.5 * h;
        self.hits.clear();
        self.middle.copy_from_slice(&side.q);
        self.go_on(t, 0.5 * h, &side.v);
        self.rows.load(self.system, (middle, &self.middle, &side.v)).map_err(Fault::Metric)?;
        self.rows.close(&[]);
        self.terms.load(self.system, middle, &self.middle, &side.v);
        self.see_coefficients()?;
        self.system.gaps(middle, &self.middle, &mut self.gaps);
        self.move_freely((middle, h), inputs, &side.v);
        let speed = self.rows.norm(&side.v).max(self.rows.norm(&self.next));
        if !speed.is_finite() {
            return Err(Fault::NotFinite);
        }
        self.damp((middle, h), side, speed);
        self.pose(h, side, speed);
        if self.problem.solve(&mut self.next, speed).is_none() {
            return Err(Fault::Unsolved(self.active()));
        }
        self.constrain();
        if !self.next.iter().all(|v| v.is_finite()) {
            return Err(Fault::NotFinite);
        }
        self.see_hits(h, side, speed);
        let Self { rows, terms, problem, next, hits, .. } = self;
        side.carried.take(problem, (rows, terms), (h, !hits.is_empty()), (next, speed));
        side.v.copy_from_slice(next);
        // q_M stays in the middle, the end of the step goes to the side.
        side.q.copy_from_slice(&self.middle);
        self.go_on(middle, 0.5 * h, &side.v);
        std::mem::swap(&mut side.q, &mut self.middle);
        Ok(())
    }

    /// Coefficients of friction have to be numbers that are not negative.
    fn see_coefficients(&self) -> Result<(), Fault> {
        for term in 0..self.terms.count() {
            for coefficient in [self.terms.coefficient(term), self.terms.at_rest(term)] {
                if coefficient.is_nan() || coefficient < 0.0 {
                    let error = FrictionError::Coefficient { term, coefficient };
                    return Err(Fault::Friction(self.system.info(), error));
                }
            }
        }
        Ok(())
    }

    /// q_M moves by h S(q_M) v.
    fn go_on(&mut self, t: f64, h: f64, v: &[f64]) {
        let Self { system, middle, rates, .. } = self;
        system.rates(t, middle, v, rates);
        middle.iter_mut().zip(rates).for_each(|(q, rate)| *q += h * *rate);
        normalise(system.info(), middle);
    }

    /// The velocity after a step without contacts and dry friction, by the midpoint rule.
    fn move_freely(&mut self, (t, h): (f64, f64), u: &[f64], v: &[f64]) {
        let Self { system, middle, a, λ, next, .. } = self;
        system.frictionless(t, middle, v, u, a, λ);
        next.iter_mut().zip(v).zip(&*a).for_each(|((next, v), a)| *next = v + 0.5 * h * a);
        system.frictionless(t, middle, next, u, a, λ);
        next.iter_mut().zip(v).zip(&*a).for_each(|((next, v), a)| *next = v + h * a);
        self.constrain();
    }

    /// The velocity on its way to A v + b = 0.
    fn constrain(&mut self) {
        let Self { rows, residuals, next, .. } = self;
        if residuals.is_empty() {
            return;
        }
        for (i, residual) in residuals.iter_mut().enumerate() {
            let (row, offset) = rows.constraint(i);
            *residual = dot(row, next) + offset;
        }
        let change = rows.change(|row| match row {
            Row::Constraint(row) => residuals[row],
            Row::Gap(_) | Row::Own(_) => 0.0,
        });
        next.iter_mut().zip(change).for_each(|(v, change)| *v += change);
    }

    /// The dissipations of contacts that were closed, for the time of the step.
    fn damp(&mut self, (t, h): (f64, f64), side: &Side, speed: f64) {
        if !side.carried.closed.contains(&true) || speed == 0.0 {
            return;
        }
        let Self { system, rows, middle, damping, damped, .. } = self;
        system.contact_forces(t, middle, &side.v, damping);
        damped.fill(0.0);
        let m = damped.len();
        for (contact, _) in side.carried.closed.iter().enumerate().filter(|(_, closed)| **closed) {
            let forces = &damping[contact * m..][..m];
            damped.iter_mut().zip(forces).for_each(|(sum, force)| *sum += h * force);
        }
        if damped.iter().all(|force| *force == 0.0) {
            return;
        }
        let change = rows.acceleration(damped);
        self.next.iter_mut().zip(change).for_each(|(v, change)| *v += change);
        self.constrain();
    }

    fn pose(&mut self, h: f64, side: &Side, speed: f64) {
        let Self { system, law, rows, terms, problem, middle, gaps, .. } = self;
        let (v, carried) = (&side.v, &side.carried);
        let middle = Middle { system: *system, law: *law, h, q: middle, v, gaps, speed, carried };
        middle.pose(rows, terms, problem);
    }

    /// The contacts that act.
    fn active(&self) -> Vec<&'static str> {
        let contacts = self.problem.blocks.iter().filter_map(|block| match block.cone {
            Cone::Normal { contact } => Some(self.system.info().contacts[contact].name),
            _ => None,
        });
        contacts.collect()
    }

    /// What closed and was not closed before, and took an impulse.
    fn see_hits(&mut self, h: f64, side: &Side, speed: f64) {
        let Self { system, law, rows, problem, middle, gaps, hits, next, .. } = self;
        let (v, carried) = (&side.v, &side.carried);
        let middle = Middle { system: *system, law: *law, h, q: middle, v, gaps, speed, carried };
        for block in &problem.blocks {
            let Cone::Normal { contact } = block.cone else { continue };
            let impulse = problem.impulses[block.rows.start];
            if let Some(rate_minus) = middle.struck_at(contact, rows).filter(|_| impulse > 0.0) {
                let rate_plus = rows.gap_rate(contact, next);
                hits.push(Hit { contact, is_struck: true, rate_minus, rate_plus, impulse });
            }
        }
    }

    /// The gaps at a state.
    pub(super) fn gaps(&mut self, t: f64, q: &[f64]) -> &[f64] {
        self.system.gaps(t, q, &mut self.gaps);
        &self.gaps
    }
}

part! { Side { parts: [q, v, carried], values: [], room: [] } }
