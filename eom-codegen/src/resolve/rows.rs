//! Constraint rows: a 1-form or an equation of velocities becomes A v + b.

use super::expression::Resolver;
use super::mistake::Mistake;
use super::named;
use super::words::Words;
use crate::ast;
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{Row, RowKind};
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, SymbolId, SymbolKind};

/// The rows: those on velocities first, then the holonomic ones.
pub(crate) fn resolve_rows(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Row> {
    let n = system.coordinates.len();
    let mut rows = Vec::new();
    for declared in &system.constraints {
        rows.extend(velocity_row(resolver, declared, n, errors));
    }
    for declared in &system.holonomic {
        rows.extend(holonomic_row(resolver, declared, n, errors));
    }
    rows
}

/// lhs − rhs, unscaled.
fn residual(
    resolver: &mut Resolver<'_>,
    row: &ast::Row,
    words: Words,
    errors: &mut Errors,
) -> ExprId {
    let lhs = resolver.scalar(&row.lhs, words, errors);
    match &row.rhs {
        Some(rhs) => {
            let rhs = resolver.scalar(rhs, words, errors);
            resolver.pool.sub(lhs, rhs)
        }
        None => lhs,
    }
}

fn velocity_row(
    resolver: &mut Resolver<'_>,
    declared: &ast::Row,
    n: usize,
    errors: &mut Errors,
) -> Option<Row> {
    let at = super::row_region(declared);
    let residual = residual(resolver, declared, Words::Row, errors);
    if residual == ExprPool::UNDEFINED {
        return None;
    }
    if residual == ExprPool::ZERO {
        Mistake::EmptyRow { name: declared.name.text.clone() }.report(errors, at);
        return None;
    }
    match linear_parts(&mut resolver.pool, residual, n, &declared.name.text) {
        Ok((coefficients, affine)) => Some(Row {
            named: named(&declared.name, &declared.docs),
            kind: RowKind::Velocity,
            coefficients,
            affine,
        }),
        Err(mistake) => {
            mistake.report(errors, at);
            None
        }
    }
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

/// φ = 0 with its differential as the row.
fn holonomic_row(
    resolver: &mut Resolver<'_>,
    declared: &ast::Row,
    n: usize,
    errors: &mut Errors,
) -> Option<Row> {
    let residual = residual(resolver, declared, Words::Holonomic, errors);
    if residual == ExprPool::UNDEFINED {
        return None;
    }
    let pool = &mut resolver.pool;
    let symbols: Vec<Option<SymbolId>> = (0..n)
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
        let name = declared.name.text.clone();
        let mistake = match residual {
            ExprPool::ZERO => Mistake::EmptyRow { name },
            _ => Mistake::NoCoordinate { name },
        };
        mistake.report(errors, super::row_region(declared));
        return None;
    }
    Some(Row {
        named: named(&declared.name, &declared.docs),
        kind: RowKind::Holonomic { residual },
        coefficients,
        affine,
    })
}
