//! The rods of a chain, found in the forms of its velocities.

use crate::mechanics::lagrange::velocity_forms::{Form, Forms, Variable};
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use crate::rewrite::pythagoras;

pub(super) type Vector = [ExprId; 2];

pub(super) const ZERO: Vector = [ExprPool::ZERO; 2];

/// A rod with the mass at its end.
#[derive(Debug)]
pub(super) struct Rod {
    /// v_k.
    pub(super) speed: usize,
    /// c_k.
    pub(super) inertia: ExprId,
    /// The components that are known of what follows.
    pub(super) known: [bool; 2],
    /// l_k, once both components of a_k are known; 1 until then.
    pub(super) length: ExprId,
    pub(super) a: Vector,
    pub(super) r: Vector,
    /// p(k).
    pub(super) before: Option<usize>,
    /// u and B_ku.
    pub(super) others: Vec<(usize, Vector)>,
    /// |a_k|².
    pub(super) square: ExprId,
    /// K_k and s_k.
    pub(super) constant: Vector,
    pub(super) along: ExprId,
}

/// A form of speeds with inertia alone: Σ b_u u̇ + r, c.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) terms: Vec<(usize, ExprId)>,
    pub(super) rate: ExprId,
    pub(super) inertia: ExprId,
}

/// What a form is: a component of the mass of a rod, or one of those that are carried.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Rod { rod: usize, component: usize },
    Carried(usize),
}

/// A form by what it is made of beside a speed of its own.
struct Rest {
    /// The mass before, and its component.
    before: Option<(usize, usize)>,
    /// Speeds with inertia.
    terms: Vec<(usize, ExprId)>,
    rate: ExprId,
}

impl Rod {
    pub(super) fn new(speed: usize, inertia: ExprId) -> Self {
        let (before, others, square) = (None, Vec::new(), ExprPool::ZERO);
        let known = [false; 2];
        let (length, along, [a, r, constant]) = (ExprPool::ONE, ExprPool::ZERO, [ZERO; 3]);
        Self { speed, inertia, known, length, a, r, before, others, square, constant, along }
    }

    /// Takes one of the components; `None` where it does not fit to the other.
    fn take(&mut self, component: usize, along: ExprId, inertia: ExprId, rest: Rest) -> Option<()> {
        let before = rest.before.map(|(rod, _)| rod);
        let fits = self.known == [false; 2] || self.before == before;
        if !fits || self.known[component] || self.inertia != inertia {
            return None;
        }
        (self.known[component], self.before) = (true, before);
        (self.a[component], self.r[component]) = (along, rest.rate);
        for (speed, coefficient) in rest.terms {
            let known = self.others.iter().position(|(other, _)| *other == speed);
            let place = known.unwrap_or_else(|| {
                self.others.push((speed, ZERO));
                self.others.len() - 1
            });
            self.others[place].1[component] = coefficient;
        }
        Some(())
    }

    /// Takes what is fixed of the first component of a out of both.
    fn take_length(&mut self, pool: &mut ExprPool) {
        let Some(first) = self.a.into_iter().find(|a| *a != ExprPool::ZERO) else { return };
        let View::Product { coefficient, factors } = pool.view(first) else { return };
        let is_fixed = |(base, power): &&Pair| pool.is_fixed(*base) && pool.is_fixed(*power);
        let fixed: Vec<Pair> = factors.iter().filter(is_fixed).copied().collect();
        self.length = pool.product(coefficient, &fixed);
        self.a = self.a.map(|a| pool.div(a, self.length));
    }

    /// m_k.
    pub(super) fn across(&self, pool: &mut ExprPool) -> Vector {
        [self.a[1], pool.neg(self.a[0])]
    }

    /// B_ku.
    pub(super) fn on(&self, speed: usize) -> Vector {
        let found = self.others.iter().find(|(other, _)| *other == speed);
        found.map_or(ZERO, |(_, vector)| *vector)
    }
}

impl Carried {
    /// b_u.
    pub(super) fn of(&self, speed: usize) -> ExprId {
        let found = self.terms.iter().find(|(known, _)| *known == speed);
        found.map_or(ExprPool::ZERO, |(_, coefficient)| *coefficient)
    }
}

/// The derivation.
pub(super) struct Chain {
    pub(super) pool: ExprPool,
    pub(super) rods: Vec<Rod>,
    pub(super) carried: Vec<Carried>,
    pub(super) places: Vec<Place>,
    /// The mass by which others are divided, and forces.
    pub(super) unit: ExprId,
    /// The speeds u.
    pub(super) heavy: Vec<usize>,
    /// What the K give to ẇ_k.
    pub(super) free: Vec<Vector>,
}

impl Chain {
    /// The rods of the forms, without forces.
    pub(super) fn new(forms: &Forms) -> Option<Self> {
        let n = forms.mass.len();
        let is_light = |i: &usize| forms.mass[*i].iter().all(|entry| *entry == ExprPool::ZERO);
        let (light, heavy): (Vec<usize>, Vec<usize>) = (0..n).partition(is_light);
        let (rods, carried, places, free) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (pool, unit) = (forms.pool.clone(), ExprPool::ONE);
        let mut chain = Self { pool, rods, carried, places, unit, heavy, free };
        for form in &forms.list {
            let mut own = form.terms.iter().filter(|(variable, _)| light.contains(variable));
            match (own.next(), own.next()) {
                (Some(own), None) => chain.take_rod(form, *own, n)?,
                (None, _) => chain.carry(form, n)?,
                _ => return None,
            }
        }
        let Self { pool, rods, carried, unit, .. } = &mut chain;
        *unit = rods.first()?.inertia;
        let inertias = carried.iter_mut().map(|form| &mut form.inertia);
        for inertia in inertias.chain(rods.iter_mut().map(|rod| &mut rod.inertia)) {
            *inertia = pool.div(*inertia, *unit);
        }
        // A mass that may be 0 is no divisor, unless it is 0 with all others.
        let is_number = |rod: &Rod| pool.as_number(rod.inertia).is_some();
        if !forms.are_massive && !rods.iter().all(is_number) {
            return None;
        }
        for rod in rods.iter_mut() {
            rod.take_length(pool);
            rod.square = dot(pool, rod.a, rod.a);
            let is_constant = pool.is_fixed(rod.square) && rod.square != ExprPool::ZERO;
            if rod.known != [true; 2] || !is_constant {
                return None;
            }
        }
        (light.len() == rods.len()).then_some(chain)
    }

    /// Takes a form with a speed of its own.
    fn take_rod(&mut self, form: &Form, (own, along): (Variable, ExprId), n: usize) -> Option<()> {
        let rest = self.rest(form, own, n)?;
        let known = self.rods.iter().position(|rod| rod.speed == own);
        let rod = known.unwrap_or(self.rods.len());
        if known.is_none() {
            self.rods.push(Rod::new(own, form.inertia));
        }
        // Beside the component of the mass before, if there is one; else they come in order.
        let component = match rest.before {
            Some((_, component)) => component,
            None => usize::from(self.rods[rod].known[0]),
        };
        self.rods[rod].take(component, along, form.inertia, rest)?;
        self.places.push(Place::Rod { rod, component });
        (form.inertia != ExprPool::ZERO).then_some(())
    }

    /// Takes a form without one.
    fn carry(&mut self, form: &Form, n: usize) -> Option<()> {
        let Rest { before: None, terms, rate } = self.rest(form, Variable::MAX, n)? else {
            return None;
        };
        self.places.push(Place::Carried(self.carried.len()));
        self.carried.push(Carried { terms, rate, inertia: form.inertia });
        Some(())
    }

    /// A form but for a speed, by masses and speeds with inertia; `None` where it goes on several masses, or a
    /// part of one.
    fn rest(&mut self, form: &Form, own: Variable, n: usize) -> Option<Rest> {
        let Self { pool, carried, places, .. } = self;
        let (mut before, mut terms, mut rates) =
            (None, Vec::new(), vec![(ExprPool::ONE, form.rate)]);
        for &(variable, coefficient) in form.terms.iter().filter(|term| term.0 != own) {
            match variable.checked_sub(n).map(|form| places[form]) {
                None => terms.push((variable, coefficient)),
                Some(Place::Carried(carries)) => {
                    let Carried { terms: inner, rate, .. } = &carried[carries];
                    rates.push((ExprPool::ONE, pool.mul(coefficient, *rate)));
                    terms.extend(inner.iter().map(|(u, b)| (*u, pool.mul(coefficient, *b))));
                }
                Some(Place::Rod { rod, component }) => {
                    if coefficient != ExprPool::ONE || before.is_some() {
                        return None;
                    }
                    before = Some((rod, component));
                }
            }
        }
        let mut merged: Vec<(usize, ExprId)> = Vec::new();
        for (speed, coefficient) in terms {
            match merged.iter_mut().find(|(known, _)| *known == speed) {
                Some((_, known)) => *known = pool.add(*known, coefficient),
                None => merged.push((speed, coefficient)),
            }
        }
        Some(Rest { before, terms: merged, rate: pool.sum(&rates) })
    }
}

/// The terms of an expression as a sum.
pub(super) fn terms_of(pool: &ExprPool, expr: ExprId) -> Vec<Pair> {
    match pool.view(expr) {
        View::Sum(terms) => terms.to_vec(),
        _ => vec![(ExprPool::ONE, expr)],
    }
}

/// x·y, term by term, so that sin² + cos² is seen.
pub(super) fn dot(pool: &mut ExprPool, x: Vector, y: Vector) -> ExprId {
    let mut products = Vec::new();
    for (x, y) in x.into_iter().zip(y) {
        for (c, term) in terms_of(pool, y) {
            products.push((c, pool.mul(x, term)));
        }
    }
    let sum = pool.sum(&products);
    pythagoras(pool, sum)
}

/// e/d, term by term.
pub(super) fn over(pool: &mut ExprPool, e: ExprId, d: ExprId) -> ExprId {
    let terms = terms_of(pool, e);
    let divided: Vec<Pair> = terms.into_iter().map(|(c, term)| (c, pool.div(term, d))).collect();
    pool.sum(&divided)
}

pub(super) fn difference(pool: &mut ExprPool, x: Vector, y: Vector) -> Vector {
    [pool.sub(x[0], y[0]), pool.sub(x[1], y[1])]
}
