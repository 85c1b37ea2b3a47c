//! The unrolled solution of the equations of motion by their [forms](crate::mechanics::forms): as many
//! operations as the chain has bodies, where the factors of M take the cube.
//!
//! The accelerations are where Q = ½ xᵀHx − gᵀx is least over x = (v̇, ẇ), with H = diag(M₀, c) and
//! g = (F − h₀, 0), each ẇ given by earlier variables. Variables are taken out of Q one after the other,
//! none before all that are made of it:
//!
//! ```text
//! a form    ẇ = d·x + r:                 H += η d dᵀ + d hᵀ + h dᵀ,  g += d (g_w − η r) − r h
//! a speed   v̇ = (g_v − h·x)/η:          H −= h hᵀ/η,                g −= h g_v/η
//! ```
//!
//! with η the variable's own entry of H and h the others of its row. For a chain of bodies these are
//! Featherstone's articulated bodies: H of the forms that are left is the inertia that a body feels,
//! with all behind it. What is taken out is found in the opposite order.
//!
//! Rows add a column Aᵀ each to g: v̇ = v̇₀ + X λ, (A X) λ = −γ − A v̇₀.

use super::solve::{Rows, constrain};
use crate::mechanics::EquationsOfMotion;
use crate::mechanics::lagrange::velocity_forms::{Form, Forms, Variable};
use crate::node::ExprId;
use crate::program::lower::Lowering;
use crate::program::{Builder, Value};
use std::cmp::Reverse;

/// ẇ = Σ coefficient·variable + rate, and c.
#[derive(Debug)]
struct Body {
    terms: Vec<(Variable, Value)>,
    rate: Value,
    inertia: Value,
}

/// The values of M₀ (n×n), F − h₀, A, γ, and the forms with their inertia.
#[derive(Debug)]
struct Articulated {
    mass: Vec<Vec<Value>>,
    force: Vec<Value>,
    rows: Vec<Vec<Value>>,
    drift: Vec<Value>,
    bodies: Vec<Body>,
    /// C_kl.
    couplings: Vec<(Variable, Variable, Value)>,
}

/// A program with v̇ and λ; `None` where a pivot is 0 as it stands.
pub(in crate::program) fn lower(
    equations: &EquationsOfMotion,
    force: &[ExprId],
    forms: &Forms,
) -> Option<(Builder, Vec<Value>, Vec<Value>)> {
    let mut lowering = Lowering::guarding(&forms.pool, &equations.friction.guarded);
    let system = Articulated {
        mass: lowering.matrix(&forms.mass),
        force: lowering.differences(force, &forms.bias),
        rows: lowering.matrix(&equations.rows),
        drift: lowering.list(&equations.drift),
        bodies: forms.list.iter().map(|form| Body::new(&mut lowering, form)).collect(),
        couplings: forms.couplings.iter().map(|&(k, l, c)| (k, l, lowering.lower(c))).collect(),
    };
    let mut b = lowering.into_builder();
    let (accelerations, multipliers) = system.solve(&mut b)?;
    Some((b, accelerations, multipliers))
}

impl Body {
    fn new(lowering: &mut Lowering<'_>, form: &Form) -> Self {
        let mut term = |(j, d): &(Variable, ExprId)| (*j, lowering.lower(*d));
        Self {
            terms: form.terms.iter().map(&mut term).collect(),
            rate: lowering.lower(form.rate),
            inertia: lowering.lower(form.inertia),
        }
    }
}

impl Articulated {
    /// Accelerations and multipliers.
    fn solve(&self, b: &mut Builder) -> Option<(Vec<Value>, Vec<Value>)> {
        let n = self.mass.len();
        let mut elimination = Elimination::new(b, self);
        while let Some(next) = elimination.next(b) {
            match next.checked_sub(n) {
                Some(body) => elimination.take_form(b, next, &self.bodies[body]),
                None => elimination.take_speed(b, next)?,
            }
        }
        let mut columns = elimination.found(b);
        let mut accelerations = columns.remove(0);
        let weights = vec![b.constant(1.0); accelerations.len()];
        let rows = Rows { entries: &self.rows, weights: &weights };
        let multipliers = constrain(b, &mut accelerations, &columns, &rows, &self.drift);
        Some((accelerations, multipliers))
    }
}

/// How a variable is found of those that were taken out after it.
#[derive(Debug)]
enum Step<'s> {
    /// x = Σ coefficient·variable + rate, the rate in the first column only.
    Form { at: Variable, body: &'s Body },
    /// x = own − Σ coefficient·variable, with its own of each column.
    Speed { at: Variable, terms: Vec<(Variable, Value)>, own: Vec<Value> },
}

#[derive(Debug)]
struct Elimination<'s> {
    system: &'s Articulated,
    /// H, both triangles.
    matrix: Vec<Vec<Value>>,
    /// Of each row where entries beside the diagonal stand that are or were not 0, in order.
    links: Vec<Vec<Variable>>,
    /// The columns of g.
    right: Vec<Vec<Value>>,
    /// What is in Q.
    open: Vec<bool>,
    /// How many in Q are made of each variable.
    users: Vec<usize>,
    steps: Vec<Step<'s>>,
}

impl<'s> Elimination<'s> {
    fn new(b: &mut Builder, system: &'s Articulated) -> Self {
        let Articulated { mass, bodies, force, rows, .. } = system;
        let (speeds, count) = (mass.len(), mass.len() + bodies.len());
        let zero = b.constant(0.0);
        let mut matrix = vec![vec![zero; count]; count];
        for (row, mass) in matrix.iter_mut().zip(mass) {
            row[..speeds].copy_from_slice(mass);
        }
        for (at, body) in bodies.iter().enumerate() {
            matrix[speeds + at][speeds + at] = body.inertia;
        }
        for (k, l, c) in &system.couplings {
            let sum = b.add(matrix[*k][*l], *c);
            (matrix[*k][*l], matrix[*l][*k]) = (sum, sum);
        }
        let column = |entries: &Vec<Value>| [&entries[..], &vec![zero; bodies.len()]].concat();
        let right = std::iter::once(force).chain(rows).map(column).collect();
        let mut users = vec![0; count];
        bodies.iter().flat_map(|body| &body.terms).for_each(|(j, _)| users[*j] += 1);
        let link = |(i, row): (usize, &Vec<Value>)| {
            let entries = row.iter().enumerate();
            let entries = entries.filter(|(j, entry)| *j != i && !b.is_zero(**entry));
            entries.map(|(j, _)| j).collect()
        };
        let links = matrix.iter().enumerate().map(link).collect();
        Self { system, matrix, links, right, open: vec![true; count], users, steps: Vec::new() }
    }

    /// Of the variables of which nothing left is made the one with the fewest neighbours afterwards, the
    /// last among equals.
    fn next(&self, b: &Builder) -> Option<Variable> {
        let open = || (0..self.open.len()).filter(|i| self.open[*i]);
        let degree = |i: Variable| {
            let body = i.checked_sub(self.system.mass.len()).map(|at| &self.system.bodies[at]);
            let terms = body.into_iter().flat_map(|body| &body.terms);
            let is_apart = |j: &Variable| b.is_zero(self.matrix[i][*j]);
            let made_of = terms.map(|(j, _)| *j).filter(|j| self.open[*j] && is_apart(j));
            self.neighbours(b, i).count() + made_of.count()
        };
        open().filter(|i| self.users[*i] == 0).min_by_key(|i| (degree(*i), Reverse(*i)))
    }

    /// The others in Q that are linked with a variable, and h.
    fn neighbours(&self, b: &Builder, at: Variable) -> impl Iterator<Item = (Variable, Value)> {
        let row = self.links[at].iter().map(move |j| (*j, self.matrix[at][*j]));
        row.filter(|(j, h)| self.open[*j] && !b.is_zero(*h))
    }

    fn add(&mut self, b: &mut Builder, i: Variable, j: Variable, term: Value) {
        let sum = b.add(self.matrix[i][j], term);
        (self.matrix[i][j], self.matrix[j][i]) = (sum, sum);
        for (i, j) in [(i, j), (j, i)] {
            if i != j
                && let Err(place) = self.links[i].binary_search(&j)
            {
                self.links[i].insert(place, j);
            }
        }
    }

    /// Puts d·x + r for a form.
    fn take_form(&mut self, b: &mut Builder, at: Variable, body: &'s Body) {
        self.open[at] = false;
        body.terms.iter().for_each(|(j, _)| self.users[*j] -= 1);
        let neighbours: Vec<(Variable, Value)> = self.neighbours(b, at).collect();
        self.pass_on(b, at, body, &neighbours);
        let own = self.matrix[at][at];
        let entry = |j: Variable| neighbours.iter().find(|(i, _)| *i == j).map(|(_, h)| *h);
        for (place, &(i, d)) in body.terms.iter().enumerate() {
            // t = η d + h_i:  H_ii += d (t + h_i),  H_ij += d_j t + d h_j.
            let mut t = b.mul(own, d);
            let mut sum = t;
            if let Some(h) = entry(i) {
                t = b.add(t, h);
                sum = b.add(t, h);
            }
            let term = b.mul(d, sum);
            self.add(b, i, i, term);
            for &(j, other) in &body.terms[place + 1..] {
                let term = b.mul(other, t);
                self.add(b, i, j, term);
            }
            let done = |j: Variable| body.terms[..=place].iter().any(|(i, _)| *i == j);
            for &(j, h) in neighbours.iter().filter(|(j, _)| !done(*j)) {
                let term = b.mul(d, h);
                self.add(b, i, j, term);
            }
        }
        self.steps.push(Step::Form { at, body });
    }

    /// g += d (g_w − η r) − r h
    fn pass_on(
        &mut self,
        b: &mut Builder,
        at: Variable,
        body: &Body,
        neighbours: &[(Variable, Value)],
    ) {
        let own = self.matrix[at][at];
        for (column, right) in self.right.iter_mut().enumerate() {
            let mut force = right[at];
            if column == 0 {
                let inertia = b.mul(own, body.rate);
                force = b.sub(force, inertia);
                for (j, h) in neighbours {
                    let term = b.mul(*h, body.rate);
                    right[*j] = b.sub(right[*j], term);
                }
            }
            for (j, d) in &body.terms {
                let term = b.mul(*d, force);
                right[*j] = b.add(right[*j], term);
            }
        }
    }

    /// Takes the speed at which Q is least.
    fn take_speed(&mut self, b: &mut Builder, at: Variable) -> Option<()> {
        self.open[at] = false;
        let own = self.matrix[at][at];
        if b.is_zero(own) {
            return None;
        }
        let one = b.constant(1.0);
        let inverse = b.div(one, own);
        let neighbours: Vec<(Variable, Value)> = self.neighbours(b, at).collect();
        let scaled: Vec<(Variable, Value)> =
            neighbours.iter().map(|(j, h)| (*j, b.mul(*h, inverse))).collect();
        for (place, (i, l)) in scaled.iter().enumerate() {
            for (j, h) in &neighbours[place..] {
                let product = b.mul(*l, *h);
                let term = b.neg(product);
                self.add(b, *i, *j, term);
            }
        }
        let mut found = Vec::with_capacity(self.right.len());
        for right in &mut self.right {
            for (j, l) in &scaled {
                let term = b.mul(*l, right[at]);
                right[*j] = b.sub(right[*j], term);
            }
            found.push(b.mul(right[at], inverse));
        }
        self.steps.push(Step::Speed { at, terms: scaled, own: found });
        Some(())
    }

    /// v̇ of each column.
    fn found(&self, b: &mut Builder) -> Vec<Vec<Value>> {
        (0..self.right.len()).map(|column| self.column(b, column)).collect()
    }

    fn column(&self, b: &mut Builder, column: usize) -> Vec<Value> {
        let zero = b.constant(0.0);
        let mut x = vec![zero; self.open.len()];
        for step in self.steps.iter().rev() {
            match step {
                Step::Form { at, body } => {
                    x[*at] = if column == 0 { body.rate } else { zero };
                    for (j, d) in &body.terms {
                        let term = b.mul(*d, x[*j]);
                        x[*at] = b.add(x[*at], term);
                    }
                }
                Step::Speed { at, terms, own } => {
                    x[*at] = own[column];
                    for (j, l) in terms {
                        let term = b.mul(*l, x[*j]);
                        x[*at] = b.sub(x[*at], term);
                    }
                }
            }
        }
        x.truncate(self.system.mass.len());
        x
    }
}
