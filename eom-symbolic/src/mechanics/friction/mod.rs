//! Dry friction: the terms of the dissipation function that are homogeneous of degree one.
//!
//! ```text
//! D(t,q,v) = D_smooth + Σ c_k ‖w_k‖        w_k = J_k v + b_k,  c_k, J_k, b_k functions of (t, q)
//! −∂D/∂v ∋ −Σ c_k J_kᵀ u_k                 u_k = w_k/‖w_k‖ where w_k ≠ 0, else any ‖u_k‖ ≤ 1
//! γ_k = dJ_k/dt v + db_k/dt                dw_k/dt = J_k v̇ + γ_k
//! D₁(t,q,v) = Σ c_k ‖J_k v‖                what holds a body at rest: F·v ≤ D₁(t,q,v) for all v
//! ```
//!
//! A term is found where the dissipation has a *kink*: |w|, or a root of a sum of squares of forms
//! affine in v. A power of it above one has none, nor has w|w|; and a root that a number under it
//! keeps from zero is smooth. An integral of such terms over a body (`spread`) has one only where all of
//! the body is at rest: its force stays among the smooth ones, and D₁ has it.
//!
//! The friction of a contact, −μ λ Jᵀs/‖s‖, is a term of the same form, whose strength μ λ is known only with
//! the normal force λ: c is then μ, and the term says of which contact it is. It is in no dissipation function. That of a
//! constraint row is the same with |λ| of its multiplier, of a vector of rows with the length of theirs, whatever touches.
//! Resistance against rolling and spinning is the same with an angular velocity for s and a length for μ. Coefficients μᵢ
//! of two directions are factors of the slip, with c = 1.
//!
//! A force f on the slip that stands in a `force` acts on all that is declared with it: with Jᵀf the speeds get (∂Q/∂f) f, so that
//! what they answer to is C = J + (∂Q/∂f)ᵀ, while J alone tells the slip.

mod spread;

use super::system::SystemModel;
use super::system::contact::{Contact, ContactFriction, Resisted, RowFriction};
use super::system::declared::Norm;
use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::subst::Substitution;
use rustc_hash::FxHashMap;
use std::fmt;

/// A point term c‖w‖.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointFriction {
    /// c(t,q).
    pub coefficient: ExprId,
    /// w(t,q,v), affine in v; r of them.
    pub components: Vec<ExprId>,
    /// J = ∂w/∂v, r×m.
    pub rows: Vec<Vec<ExprId>>,
    /// γ = dJ/dt v + db/dt, r.
    pub drift: Vec<ExprId>,
    /// The force that c is multiplied with, by what bears it.
    pub borne: Option<Borne>,
    /// μᵢ where w = (μᵢsᵢ) is a slip of which each component is told with its own coefficient.
    pub weights: Vec<ExprId>,
    /// C − J: what `force` lines make of a force of 1 on each component of w, r×m; empty where none of them holds it.
    pub beside: Vec<Vec<ExprId>>,
}

/// What bears the force that a term grows with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearer {
    /// A contact, by its index: its normal force.
    Contact(usize),
    /// A constraint row, by its index: the size of its multiplier.
    Row(usize),
    /// Rows one behind the other: the length of their multipliers.
    Rows {
        /// The index of the first.
        first: usize,
        /// How many.
        count: usize,
    },
}

impl fmt::Display for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contact(contact) => write!(f, "contact {contact}"),
            Self::Row(row) | Self::Rows { first: row, .. } => write!(f, "constraint {row}"),
        }
    }
}

impl RowFriction {
    /// What bears it.
    pub fn bearer(&self) -> Bearer {
        match self.count {
            1 => Bearer::Row(self.row),
            count => Bearer::Rows { first: self.row, count },
        }
    }
}

/// What a term in proportion to a force is besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Borne {
    /// What bears the force.
    pub bearer: Bearer,
    /// What it is against.
    pub resisted: Resisted,
    /// μ_s, where c = μ is the coefficient of what slides.
    pub at_rest: ExprId,
}

/// The part of the dissipation function that is homogeneous of degree one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DryFriction {
    /// Terms c‖w‖: those of the dissipation function, then those of contacts, then those of constraint rows.
    pub points: Vec<PointFriction>,
    /// The part of D₁ that is made of integrals.
    pub spread: Option<ExprId>,
    /// Q − ∂D/∂v without the point terms; empty where D has none.
    pub frictionless: Vec<ExprId>,
    /// D₁(t,q,v).
    pub value: Option<ExprId>,
    /// −∂D₁/∂v.
    pub force: Vec<ExprId>,
    /// The w·w whose inverse root is taken as 0 at 0.
    pub guarded: Vec<ExprId>,
}

impl PointFriction {
    /// Whether what it holds by at rest is more than parameters and numbers.
    pub fn varies(&self, pool: &ExprPool) -> bool {
        let at_rest = self.borne.map_or(self.coefficient, |borne| borne.at_rest);
        [at_rest].iter().chain(&self.weights).any(|e| !pool.is_fixed(*e))
    }
}

impl DryFriction {
    /// Visits every expression; a new field is listed here.
    pub(crate) fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        let Self { points, spread, frictionless, value, force, guarded } = self;
        for point in points {
            let PointFriction { coefficient, components, rows, drift, borne, weights, beside } =
                point;
            let rows = rows.iter_mut().chain(beside).flatten();
            let at_rest = borne.iter_mut().map(|borne| &mut borne.at_rest);
            let all = rows.chain(components).chain(drift).chain([coefficient]).chain(at_rest);
            all.chain(weights).for_each(&mut *visit);
        }
        let whole = spread.iter_mut().chain(value);
        frictionless.iter_mut().chain(whole).chain(force).chain(guarded).for_each(visit);
    }

    /// Whether the dissipation function has any.
    pub fn is_some(&self) -> bool {
        self.value.is_some()
    }

    /// Whether the dissipation function has point terms, without which the accelerations are solved too.
    pub fn has_constant_points(&self) -> bool {
        !self.frictionless.is_empty()
    }

    /// The terms of contacts and constraint rows.
    pub fn borne(&self) -> impl Iterator<Item = (&PointFriction, Borne)> {
        self.points.iter().filter_map(|point| Some((point, point.borne?)))
    }
}

/// Why a kink of the dissipation function is no dry friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KinkError {
    /// Not of the form c‖w‖.
    Form,
    /// c depends on the velocities.
    Coefficient,
    /// w is not affine in the velocities.
    Affine,
    /// c is a negative number.
    Negative,
}

impl fmt::Display for KinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => "is neither smooth nor dry friction",
            Self::Coefficient => "is dry friction whose coefficient depends on the velocities",
            Self::Affine => "is dry friction of what is not linear in the velocities",
            Self::Negative => "is dry friction with a negative coefficient",
        })
    }
}

/// ‖w‖ as it stands in the declaration.
#[derive(Debug, Clone)]
struct Atom {
    /// |w|, or (w·w)^(1/2).
    value: ExprId,
    components: Vec<ExprId>,
}

/// What the terms of a dissipation function are.
#[derive(Debug, Clone, Default)]
struct Split {
    /// The norms of the declaration, whose components need not be found again.
    norms: Vec<Norm>,
    kinks: Kinks,
    smooth: Vec<ExprId>,
    points: Vec<(ExprId, Atom)>,
}

/// A term of the dissipation that is refused, and why.
pub type Refused = (ExprId, KinkError);

/// Splits the dissipation of a model. Adds nothing to its pool where it has no kink and no integral.
pub fn split(model: &mut SystemModel) -> Result<DryFriction, Refused> {
    let mut split = Split { norms: model.norms.clone(), ..Split::default() };
    let velocities = model.velocities();
    let spread = spread::spread(&mut model.pool, &velocities, model.dissipation);
    if spread.is_none() && !split.kinks.at(&model.pool, model.dissipation) {
        return Ok(DryFriction::default());
    }
    split.take(&mut model.pool, ExprPool::ONE, model.dissipation)?;
    let mut dry = DryFriction { spread, ..DryFriction::default() };
    let mut value: Vec<ExprId> = spread.into_iter().collect();
    for (coefficient, atom) in split.points {
        let (point, term) = point(model, coefficient, &atom, &mut dry.guarded)?;
        dry.points.push(point);
        value.push(term);
    }
    if !dry.points.is_empty() {
        let smooth = model.pool.sum_of(&split.smooth);
        dry.frictionless = negative_gradient(&mut model.pool, smooth, &velocities);
        for (free, applied) in dry.frictionless.iter_mut().zip(&model.forces) {
            *free = model.pool.add(*applied, *free);
        }
    }
    let value = model.pool.sum_of(&value);
    dry.force = negative_gradient(&mut model.pool, value, &velocities);
    dry.value = Some(value);
    Ok(dry)
}

/// A term of the dissipation without its point terms, `None` where nothing is left.
pub(super) fn smooth_part(model: &mut SystemModel, term: ExprId) -> Option<ExprId> {
    let mut split = Split { norms: model.norms.clone(), ..Split::default() };
    split.take(&mut model.pool, ExprPool::ONE, term).ok()?;
    let smooth = model.pool.sum_of(&split.smooth);
    (smooth != ExprPool::ZERO).then_some(smooth)
}

/// Whether an expression has dry friction or another kink in the velocities.
pub(super) fn has_kink(pool: &ExprPool, expr: ExprId) -> bool {
    Kinks::default().at(pool, expr)
}

fn negative_gradient(
    pool: &mut ExprPool,
    value: ExprId,
    velocities: &[crate::SymbolId],
) -> Vec<ExprId> {
    let gradient = pool.gradient(value, velocities);
    gradient.into_iter().map(|slope| pool.neg(slope)).collect()
}

/// A term c‖w‖ with its rows, and its part c‖J v‖ of D₁.
fn point(
    model: &mut SystemModel,
    coefficient: ExprId,
    atom: &Atom,
    guarded: &mut Vec<ExprId>,
) -> Result<(PointFriction, ExprId), Refused> {
    if model.pool.as_number(coefficient).is_some_and(Rational::is_negative) {
        return Err((atom.value, KinkError::Negative));
    }
    let Some(Affine { rows, drift, linear }) = affine(model, &atom.components) else {
        return Err((atom.value, KinkError::Affine));
    };
    let pool = &mut model.pool;
    let value = if linear == atom.components { atom.value } else { norm(pool, &linear) };
    for root in [atom.value, value] {
        guarded.extend(radicand(pool, root).filter(|square| !guarded.contains(square)));
    }
    let term = pool.mul(coefficient, value);
    let components = atom.components.clone();
    let (borne, weights, beside) = (None, Vec::new(), Vec::new());
    Ok((PointFriction { coefficient, components, rows, drift, borne, weights, beside }, term))
}

/// w = J v + b.
struct Affine {
    rows: Vec<Vec<ExprId>>,
    drift: Vec<ExprId>,
    /// J v.
    linear: Vec<ExprId>,
}

/// J, γ and J v of components; none where one is not affine in the velocities.
fn affine(model: &mut SystemModel, components: &[ExprId]) -> Option<Affine> {
    let velocities = model.velocities();
    let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
    let mut direction = model.time_direction();
    let (mut rows, mut drift, mut linear) = (Vec::new(), Vec::new(), Vec::new());
    for component in components {
        let pool = &mut model.pool;
        let row = pool.gradient(*component, &velocities);
        if row.iter().any(|entry| pool.holds_velocity(*entry)) {
            return None;
        }
        let affine = at_rest.apply(pool, *component);
        let mut terms = vec![(ExprPool::ONE, direction.derivative(pool, affine))];
        for (entry, velocity) in row.iter().zip(&velocities) {
            let rate = direction.derivative(pool, *entry);
            let v = pool.symbol_expr(*velocity);
            terms.push((ExprPool::ONE, pool.mul(rate, v)));
        }
        drift.push(pool.sum(&terms));
        linear.push(pool.sub(*component, affine));
        rows.push(row);
    }
    Some(Affine { rows, drift, linear })
}

/// The terms of the contacts, then those of the constraint rows; the first that is not affine in the velocities.
pub(super) fn of_bearers(
    model: &mut SystemModel,
) -> Result<Vec<PointFriction>, (Bearer, Resisted)> {
    let of_contact = |(contact, declared): (usize, &Contact)| {
        let frictions = declared.frictions.iter().cloned();
        frictions.map(move |friction| (Bearer::Contact(contact), friction)).collect::<Vec<_>>()
    };
    let of_row = |declared: &RowFriction| (declared.bearer(), declared.friction.clone());
    let mut declared: Vec<(Bearer, ContactFriction)> =
        model.contacts.iter().enumerate().flat_map(of_contact).collect();
    declared.extend(model.row_frictions.iter().map(of_row));
    let mut points = Vec::new();
    for (bearer, friction) in declared {
        let ContactFriction { resisted, slip, at_rest, sliding, weights, texts: _, borne } =
            friction;
        let beside = weighed(&mut model.pool, &weights, borne);
        let weighed = slip.iter().zip(&weights).map(|(s, μ)| model.pool.mul(*μ, *s)).collect();
        let components = if weights.is_empty() { slip } else { weighed };
        let Some(Affine { rows, drift, .. }) = affine(model, &components) else {
            return Err((bearer, resisted));
        };
        let borne = Some(Borne { bearer, resisted, at_rest });
        points.push(PointFriction {
            coefficient: sliding,
            components,
            rows,
            drift,
            borne,
            weights,
            beside,
        });
    }
    Ok(points)
}

/// What acts with a force on each component of w = (μᵢsᵢ), of what acts with one on sᵢ.
fn weighed(
    pool: &mut ExprPool,
    weights: &[ExprId],
    mut borne: Vec<Vec<ExprId>>,
) -> Vec<Vec<ExprId>> {
    for (forces, μ) in borne.iter_mut().zip(weights) {
        for force in forces {
            *force = pool.mul(*μ, *force);
        }
    }
    borne
}

/// ‖w‖: |w| of one component, a root of several.
fn norm(pool: &mut ExprPool, components: &[ExprId]) -> ExprId {
    if let [component] = components {
        return pool.call(Function::Abs, &[*component]);
    }
    let squares: Vec<ExprId> = components.iter().map(|w| pool.powi(*w, 2)).collect();
    let sum = pool.sum_of(&squares);
    pool.sqrt(sum)
}

/// a of a^(1/2).
fn radicand(pool: &ExprPool, root: ExprId) -> Option<ExprId> {
    match pool.view(root) {
        View::Product { factors: &[(base, ExprPool::HALF)], .. } => Some(base),
        _ => None,
    }
}

impl Split {
    /// Takes the terms of factor·expr, factor free of kinks.
    fn take(&mut self, pool: &mut ExprPool, factor: ExprId, expr: ExprId) -> Result<(), Refused> {
        if !self.kinks.at(pool, expr) {
            let term = pool.mul(factor, expr);
            self.smooth.push(term);
            return Ok(());
        }
        match pool.view(expr) {
            View::Sum(terms) => {
                let terms = terms.to_vec();
                for (c, term) in terms {
                    let factor = pool.scale(c, factor);
                    self.take(pool, factor, term)?;
                }
                Ok(())
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                self.take_product(pool, factor, expr, coefficient, &factors)
            }
            View::Call(Function::Abs, &[argument]) => {
                let atom = Atom { value: expr, components: vec![argument] };
                self.take_atom(pool, factor, atom)
            }
            _ => Err((expr, KinkError::Form)),
        }
    }

    /// The kink of a product stands in one factor to the power 1, or is a root.
    fn take_product(
        &mut self,
        pool: &mut ExprPool,
        factor: ExprId,
        expr: ExprId,
        coefficient: ExprId,
        factors: &[(ExprId, ExprId)],
    ) -> Result<(), Refused> {
        let kinks: Vec<usize> =
            (0..factors.len()).filter(|i| self.kinks.in_factor(pool, factors[*i])).collect();
        let &[kink] = &kinks[..] else { return Err((expr, KinkError::Form)) };
        let (base, exponent) = factors[kink];
        let rest: Vec<_> =
            factors.iter().enumerate().filter(|(i, _)| *i != kink).map(|(_, f)| *f).collect();
        let rest = pool.product(coefficient, &rest);
        let factor = pool.mul(factor, rest);
        match exponent {
            ExprPool::ONE => self.take(pool, factor, base),
            ExprPool::HALF => {
                let value = pool.sqrt(base);
                let declared = self.norms.iter().find(|norm| norm.value == value);
                let components = match declared {
                    Some(norm) => Some(norm.components.clone()),
                    None => components(pool, base),
                };
                let Some(mut components) = components else {
                    return Err((expr, KinkError::Form));
                };
                components.retain(|w| *w != ExprPool::ZERO);
                self.take_atom(pool, factor, Atom { value, components })
            }
            _ => Err((expr, KinkError::Form)),
        }
    }

    /// factor·‖w‖; terms of one w are one term.
    fn take_atom(
        &mut self,
        pool: &mut ExprPool,
        factor: ExprId,
        atom: Atom,
    ) -> Result<(), Refused> {
        if pool.holds_velocity(factor) {
            return Err((atom.value, KinkError::Coefficient));
        }
        match self.points.iter_mut().find(|(_, known)| known.value == atom.value) {
            Some((coefficient, _)) => *coefficient = pool.add(*coefficient, factor),
            None => self.points.push((factor, atom)),
        }
        Ok(())
    }
}

/// Which nodes have a kink where a velocity passes through some value; keeps what it has found.
#[derive(Debug, Clone, Default)]
struct Kinks {
    known: FxHashMap<ExprId, bool>,
}

impl Kinks {
    fn at(&mut self, pool: &ExprPool, expr: ExprId) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let kink = pool.holds_velocity(expr) && self.node(pool, expr);
        self.known.insert(expr, kink);
        kink
    }

    fn node(&mut self, pool: &ExprPool, expr: ExprId) -> bool {
        match pool.view(expr) {
            // What is spread over a body has no kink but where all of the body is at rest.
            View::Integral { .. } | View::Number(_) | View::Symbol(_) | View::Undefined => false,
            View::Sum(terms) => terms.iter().any(|(_, term)| self.at(pool, *term)),
            View::Product { factors, .. } => {
                let mut kinks = factors.iter().filter(|factor| self.in_factor(pool, **factor));
                match (kinks.next(), kinks.next()) {
                    (None, _) => false,
                    (Some(kink), None) => !vanishes_with(pool, factors, *kink),
                    _ => true,
                }
            }
            View::Call(function, _) if function.has_corner() => true,
            View::Call(_, arguments) => arguments.iter().any(|a| self.at(pool, *a)),
        }
    }

    fn in_factor(&mut self, pool: &ExprPool, (base, exponent): (ExprId, ExprId)) -> bool {
        if !pool.holds_velocity(base) {
            return self.at(pool, exponent);
        }
        let Some(power) = pool.as_number(exponent) else {
            return self.at(pool, base) || self.at(pool, exponent);
        };
        // |w|ᵖ and (w·w)^(p/2) have a tangent at w = 0 for p > 1.
        if let View::Call(Function::Abs, _) = pool.view(base) {
            return power.to_f64() <= 1.0;
        }
        let steep = power.as_integer().is_none() && power.to_f64() <= 0.5;
        self.at(pool, base) || steep && may_vanish(pool, base)
    }
}

/// Whether no term under a root is free of velocities: it then vanishes with them.
fn may_vanish(pool: &ExprPool, base: ExprId) -> bool {
    match pool.view(base) {
        View::Sum(terms) => terms.iter().all(|(_, term)| pool.holds_velocity(*term)),
        _ => true,
    }
}

/// w|w|: a kink of one form beside that form itself.
fn vanishes_with(
    pool: &ExprPool,
    factors: &[(ExprId, ExprId)],
    (kink, exponent): (ExprId, ExprId),
) -> bool {
    let View::Call(Function::Abs, &[argument]) = pool.view(kink) else { return false };
    let whole = |e: ExprId| pool.as_number(e).and_then(Rational::as_integer);
    exponent == ExprPool::ONE
        && factors.iter().any(|(base, e)| *base == argument && whole(*e).is_some_and(|n| n > 0))
}

/// w of a sum of squares w·w, each a form affine in v with factors free of v.
fn components(pool: &mut ExprPool, base: ExprId) -> Option<Vec<ExprId>> {
    let terms = match pool.view(base) {
        View::Sum(terms) => terms.to_vec(),
        _ => vec![(ExprPool::ONE, base)],
    };
    let mut found = Vec::new();
    for (c, term) in terms {
        if pool.as_number(c)?.is_negative() {
            return None;
        }
        square_roots(pool, c, term, &mut found)?;
    }
    Some(found)
}

/// The components of c·term: √(c p)·w of c p w², and √(c p)·wᵢ of c p Σ wᵢ².
fn square_roots(
    pool: &mut ExprPool,
    c: ExprId,
    term: ExprId,
    found: &mut Vec<ExprId>,
) -> Option<()> {
    let View::Product { coefficient, factors } = pool.view(term) else { return None };
    let (mut free, mut moving) = (vec![(c, ExprPool::ONE)], Vec::new());
    for factor in factors {
        if pool.holds_velocity(factor.0) { moving.push(*factor) } else { free.push(*factor) }
    }
    if pool.as_number(coefficient)?.is_negative() {
        return None;
    }
    let root = root_of_product(pool, coefficient, &free);
    match moving[..] {
        [(form, ExprPool::TWO)] => found.push(pool.mul(root, form)),
        [(sum, ExprPool::ONE)] if matches!(pool.view(sum), View::Sum(_)) => {
            for component in components(pool, sum)? {
                found.push(pool.mul(root, component));
            }
        }
        _ => return None,
    }
    Some(())
}

/// √(c ∏ bᵉ) up to its sign: even powers are halved.
fn root_of_product(
    pool: &mut ExprPool,
    coefficient: ExprId,
    factors: &[(ExprId, ExprId)],
) -> ExprId {
    let mut parts = vec![pool.sqrt(coefficient)];
    for &(base, exponent) in factors {
        let whole = pool.as_number(exponent).and_then(Rational::as_integer);
        parts.push(match whole {
            Some(n) if n % 2 == 0 => pool.powi(base, n / 2),
            _ => {
                let power = pool.pow(base, exponent);
                pool.sqrt(power)
            }
        });
    }
    pool.product_of(&parts)
}
