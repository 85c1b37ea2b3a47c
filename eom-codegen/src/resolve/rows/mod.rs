//! Constraint rows: a 1-form or an equation of velocities becomes A v + b.

pub(super) mod friction;

use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::expression::value::{MISTAKEN, Shaped, Value};
use super::layout::Layout;
use super::mistake::Mistake;
use crate::ast::{self, Region};
use crate::diagnosis::Diagnosis;
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{Named, Row, RowKind};
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, SymbolId, SymbolKind, simplify};

/// What the rows of a declaration have become.
#[derive(Debug, Default)]
pub(crate) struct Resolution {
    /// Those on velocities first, then the holonomic ones.
    pub(crate) rows: Vec<Row>,
    /// The place of each.
    pub(crate) places: Vec<Region>,
    /// The place of its name.
    pub(crate) names: Vec<Region>,
    /// What each declared row has become, by its components.
    pub(crate) declared: Vec<Shaped<Option<usize>>>,
    /// The components that are 0 = 0.
    pub(crate) empty: Vec<String>,
    /// Components that hold nothing that moves: a mistake, unless they are 0 = 0.
    pub(crate) bare: Vec<Bare>,
    /// Components that are known to be 0 = 0.
    vanishing: Vec<String>,
}

/// A component that holds nothing that moves.
#[derive(Debug)]
pub(crate) struct Bare {
    /// Its name, `roll[3]`; in a contact `foot.roll[3]`.
    pub(crate) name: String,
    /// What would be 0.
    pub(crate) residual: ExprId,
    /// What it is where that is not 0, and where it stands.
    pub(crate) mistake: (Mistake, Region),
}

/// Components that are known to be 0 = 0, by their names.
pub(crate) type Vanishing<'v> = &'v [String];

/// What a component becomes.
enum Component {
    /// A row.
    Row(Row),
    /// 0 = 0.
    Empty,
    /// It holds nothing that moves, and is no number: a mistake, unless it is 0 = 0.
    Bare(Mistake),
    Wrong(Mistake),
}

/// The rows: a vector or matrix equation gives one a component.
pub(crate) fn resolve_rows(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    vanishing: Vanishing<'_>,
    errors: &mut Errors,
) -> Resolution {
    let n = resolver.scope.layout.speeds.len();
    let layout = resolver.scope.layout.clone();
    let mut rows = Resolution { vanishing: vanishing.to_vec(), ..Resolution::default() };
    for declared in &system.constraints {
        let residual = residual(resolver, declared, ExprContext::Row, errors);
        let pool = &mut resolver.pool;
        let row = |named: Named, e| {
            let nonlinear = if crate::diagnosis::allows(system, Diagnosis::Chetaev, &named.name) {
                Nonlinear::ByChetaev
            } else {
                Nonlinear::Asks
            };
            velocity_row(pool, named, e, n, nonlinear)
        };
        rows.take(declared, &residual, row, errors);
    }
    for declared in &system.holonomic {
        let residual = residual(resolver, declared, ExprContext::Holonomic, errors);
        let pool = &mut resolver.pool;
        rows.take(declared, &residual, |named, e| holonomic_row(pool, named, e, &layout), errors);
    }
    rows
}

/// The own rows of a contact; what vanishes has its name before its own, `foot.roll[3]`.
pub(crate) fn resolve_contact_rows(
    resolver: &mut Resolver<'_>,
    contact: &ast::Contact,
    vanishing: Vanishing<'_>,
    errors: &mut Errors,
) -> Resolution {
    let n = resolver.scope.layout.speeds.len();
    let prefix = format!("{}.", contact.name.text);
    let own = vanishing.iter().filter_map(|name| name.strip_prefix(&prefix));
    let vanishing = own.map(str::to_owned).collect();
    let mut rows = Resolution { vanishing, ..Resolution::default() };
    for declared in &contact.rows {
        let residual = residual(resolver, declared, ExprContext::Row, errors);
        let pool = &mut resolver.pool;
        let row = |named, e| velocity_row(pool, named, e, n, Nonlinear::Never);
        rows.take(declared, &residual, row, errors);
    }
    let full = |name: &String| format!("{prefix}{name}");
    rows.empty = rows.empty.iter().map(full).collect();
    rows.bare.iter_mut().for_each(|bare| bare.name = full(&bare.name));
    rows
}

impl Resolution {
    /// Adds the components of a declared row.
    fn take(
        &mut self,
        declared: &ast::Row,
        residual: &Value,
        mut component: impl FnMut(Named, ExprId) -> Component,
        errors: &mut Errors,
    ) {
        let at = super::row_region(declared);
        let base = declared.name.named(&declared.docs);
        let mut suffixes = residual.places().into_iter();
        let (before, bare) = (errors.len(), self.bare.len());
        let found = residual.map(|e| {
            let suffix = suffixes.next().unwrap_or_default();
            let named = Named {
                name: format!("{}{suffix}", base.name),
                key: format!("{}{suffix}", base.key),
                doc: base.doc.clone(),
            };
            if e == ExprPool::UNDEFINED {
                return None;
            }
            let name = named.name.clone();
            if self.vanishing.contains(&name) {
                self.empty.push(name);
                return None;
            }
            let of_vector = name.len() > base.name.len();
            match component(named, e) {
                Component::Row(row) => {
                    self.rows.push(row);
                    self.places.push(at);
                    self.names.push(declared.name.region);
                    return Some(self.rows.len() - 1);
                }
                Component::Empty => self.empty.push(name),
                Component::Bare(mistake) if of_vector => {
                    self.bare.push(Bare { name, residual: e, mistake: (mistake, at) });
                }
                Component::Bare(mistake) | Component::Wrong(mistake) => mistake.report(errors, at),
            }
            None
        });
        let none = found.entries().iter().all(Option::is_none);
        if none && (errors.len(), self.bare.len()) == (before, bare) && !residual.is_mistaken() {
            Mistake::EmptyRow { name: declared.name.text.clone() }.report(errors, at);
        }
        self.declared.push(found);
    }
}

/// lhs − rhs, unscaled.
fn residual(
    resolver: &mut Resolver<'_>,
    row: &ast::Row,
    context: ExprContext,
    errors: &mut Errors,
) -> Value {
    let lhs = resolver.value(&row.lhs, context, errors);
    let Some(rhs) = &row.rhs else { return lhs };
    let rhs = resolver.value(rhs, context, errors);
    lhs.plus(&rhs, true, &mut resolver.pool).unwrap_or_else(|_| {
        let (left, right) = (lhs.shape(), rhs.shape());
        Mistake::Shapes { operation: "an equation", left, right }
            .report(errors, super::row_region(row));
        MISTAKEN
    })
}

/// Whether a row is 0 = 0. Components of vectors often cancel by cos² + sin² = 1 only.
fn is_empty(pool: &mut ExprPool, residual: ExprId, named: &Named) -> bool {
    let component = named.name.ends_with(']');
    residual == ExprPool::ZERO || component && simplify::is_zero(pool, residual) == Some(true)
}

/// What becomes of a row on velocities that is not affine in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nonlinear {
    /// A mistake: what impacts keep is affine.
    Never,
    /// A mistake, unless the declaration allows it.
    Asks,
    /// A row by Chetaev's rule.
    ByChetaev,
}

fn velocity_row(
    pool: &mut ExprPool,
    named: Named,
    residual: ExprId,
    n: usize,
    nonlinear: Nonlinear,
) -> Component {
    if is_empty(pool, residual, &named) {
        return Component::Empty;
    }
    match linear_parts(pool, residual, n, &named.name) {
        Err(Mistake::NotAffine) if is_in_velocities(pool, residual) => match nonlinear {
            Nonlinear::Never => Component::Wrong(Mistake::NotAffine),
            Nonlinear::Asks => Component::Wrong(Mistake::Nonlinear { name: named.name }),
            Nonlinear::ByChetaev => Component::Row(chetaev_row(pool, named, residual, n)),
        },
        Ok((coefficients, affine)) => {
            let kind = RowKind::Velocity;
            Component::Row(Row { named, kind, coefficients, affine, declared: residual })
        }
        Err(mistake @ Mistake::NoVelocity { .. }) if pool.as_number(residual).is_none() => {
            Component::Bare(mistake)
        }
        Err(mistake) => Component::Wrong(mistake),
    }
}

/// Whether a residual is one of velocities, not of differentials.
fn is_in_velocities(pool: &ExprPool, residual: ExprId) -> bool {
    let mut kinds = pool.symbols_in(&[residual]).into_iter().map(|s| pool.symbol_info(s).kind);
    kinds.any(|kind| matches!(kind, SymbolKind::Velocity(_)))
}

/// φ(t,q,v) = 0 with A = ∂φ/∂v, b = φ − A v.
fn chetaev_row(pool: &mut ExprPool, named: Named, residual: ExprId, n: usize) -> Row {
    let symbols: Vec<Option<SymbolId>> =
        (0..n).map(|i| pool.find_symbol(SymbolKind::Velocity(i))).collect();
    let present: Vec<SymbolId> = symbols.iter().flatten().copied().collect();
    let mut gradient = pool.gradient(residual, &present).into_iter();
    let (mut coefficients, mut affine) = (Vec::with_capacity(n), residual);
    for symbol in symbols {
        let slope = symbol.and_then(|symbol| Some((symbol, gradient.next()?)));
        if let Some((symbol, slope)) = slope {
            let v = pool.symbol_expr(symbol);
            let moved = pool.mul(slope, v);
            affine = pool.sub(affine, moved);
        }
        coefficients.push(slope.map_or(ExprPool::ZERO, |(_, slope)| slope));
    }
    Row { named, kind: RowKind::Chetaev, coefficients, affine, declared: residual }
}

/// (A, b) of a residual that is affine in the velocities, or linear in the differentials.
fn linear_parts(
    pool: &mut ExprPool,
    residual: ExprId,
    n: usize,
    name: &str,
) -> Result<(Vec<ExprId>, ExprId), Mistake> {
    let kinds: Vec<SymbolKind> =
        pool.symbols_in(&[residual]).into_iter().map(|s| pool.symbol_info(s).kind).collect();
    let form = kinds
        .iter()
        .any(|k| matches!(k, SymbolKind::Differential(_) | SymbolKind::TimeDifferential));
    let velocity = kinds.iter().any(|k| matches!(k, SymbolKind::Velocity(_)));
    match (form, velocity) {
        (true, true) => Err(Mistake::MixedRow),
        (false, false) => Err(Mistake::NoVelocity { name: name.to_owned() }),
        (true, false) => {
            let (mut coefficients, rest) =
                split_linear(pool, residual, SymbolKind::Differential, n, true)?;
            if rest != ExprPool::ZERO {
                return Err(Mistake::BareTerm);
            }
            let affine = coefficients.pop().unwrap_or(ExprPool::ZERO);
            Ok((coefficients, affine))
        }
        (false, true) => split_linear(pool, residual, SymbolKind::Velocity, n, false),
    }
}

/// The coefficients of n symbols (and of dt), and what is left without them.
fn split_linear(
    pool: &mut ExprPool,
    residual: ExprId,
    kind: impl Fn(usize) -> SymbolKind,
    n: usize,
    with_time: bool,
) -> Result<(Vec<ExprId>, ExprId), Mistake> {
    let mut kinds: Vec<SymbolKind> = (0..n).map(kind).collect();
    kinds.extend(with_time.then_some(SymbolKind::TimeDifferential));
    let symbols: Vec<Option<SymbolId>> = kinds.iter().map(|k| pool.find_symbol(*k)).collect();
    let present: Vec<SymbolId> = symbols.iter().flatten().copied().collect();
    let mut gradient = pool.gradient(residual, &present).into_iter();
    let coefficients: Vec<ExprId> = symbols
        .iter()
        .map(|symbol| symbol.and_then(|_| gradient.next()).unwrap_or(ExprPool::ZERO))
        .collect();
    if coefficients.iter().any(|c| pool.contains(*c, |s| present.contains(&s))) {
        return Err(Mistake::NotAffine);
    }
    let mut without = Substitution::new(present.iter().map(|s| (*s, ExprPool::ZERO)));
    Ok((coefficients, without.apply(pool, residual)))
}

/// φ = 0 with its differential as the row, along the speeds.
fn holonomic_row(
    pool: &mut ExprPool,
    named: Named,
    residual: ExprId,
    layout: &Layout,
) -> Component {
    if is_empty(pool, residual, &named) {
        return Component::Empty;
    }
    let symbols: Vec<Option<SymbolId>> = (0..layout.positions.len())
        .map(SymbolKind::Coordinate)
        .chain([SymbolKind::Time])
        .map(|kind| pool.find_symbol(kind))
        .collect();
    let present: Vec<SymbolId> = symbols.iter().flatten().copied().collect();
    let mut gradient = pool.gradient(residual, &present).into_iter();
    let mut coefficients: Vec<ExprId> = symbols
        .iter()
        .map(|symbol| symbol.and_then(|_| gradient.next()).unwrap_or(ExprPool::ZERO))
        .collect();
    let affine = coefficients.pop().unwrap_or(ExprPool::ZERO);
    if coefficients.iter().all(|c| *c == ExprPool::ZERO) {
        let mistake = Mistake::NoCoordinate { name: named.name };
        return match pool.as_number(residual) {
            Some(_) => Component::Wrong(mistake),
            None => Component::Bare(mistake),
        };
    }
    if let Some(kinematics) = &layout.kinematics {
        coefficients = kinematics.contract(pool, &coefficients);
    }
    let kind = RowKind::Holonomic { residual };
    Component::Row(Row { named, kind, coefficients, affine, declared: residual })
}
