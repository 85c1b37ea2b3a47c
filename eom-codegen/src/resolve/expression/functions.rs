//! Declared functions: their arguments, which name coordinates or t, and their defaults.

use super::Resolver;
use super::context::ExprContext;
use crate::ast::{self, Ident};
use crate::diagnostic::Errors;
use crate::resolve::mistake::Mistake;
use crate::resolve::scope::{Entity, Scope};
use eom_symbolic::formula::Formula;
use eom_symbolic::mechanics::SmoothFunction;
use eom_symbolic::{ExprPool, Partial, SymbolId, SymbolKind};

/// Declares the functions in the pool, so that expressions may hold them.
pub(crate) fn declare(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Partial> {
    let mut partials = Vec::with_capacity(system.functions.len());
    for declared in &system.functions {
        let found = declared.arguments.len();
        if found == 0 || found > Partial::ARGUMENTS_MAX {
            Mistake::ArgumentCount { function: declared.name.text.clone(), found }
                .report(errors, declared.name.region);
        }
        let mut arguments: Vec<SymbolId> = Vec::new();
        for ident in &declared.arguments {
            let Some(symbol) = argument(resolver, system, ident, errors) else { continue };
            if arguments.contains(&symbol) {
                Mistake::ArgumentTwice { name: ident.text.clone() }.report(errors, ident.region);
            }
            arguments.push(symbol);
        }
        partials.push(resolver.pool.function(&declared.name.name().display, &arguments));
    }
    partials
}

/// The coordinate or t that an argument names.
fn argument(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    ident: &Ident,
    errors: &mut Errors,
) -> Option<SymbolId> {
    let name = ident.name();
    if name.key == "t" && name.is_plain() {
        return Some(resolver.pool.symbol(SymbolKind::Time, "t"));
    }
    match resolver.scope.find(&name.key) {
        Some(Entity::Coordinate(index)) if name.is_plain() => {
            let shown = system.coordinates[index].name.name().display;
            Some(resolver.pool.symbol(SymbolKind::Coordinate(index), &shown))
        }
        _ => {
            let near = resolver.scope.nearest_coordinate(&name);
            Mistake::NotAnArgument { name: ident.text.clone(), near }.report(errors, ident.region);
            None
        }
    }
}

/// A formula of arguments and of parameters with their values.
pub(crate) fn resolve_formula(
    expr: &ast::Expr,
    arguments: &[&str],
    parameters: &[(String, f64)],
    errors: &mut Errors,
) -> Option<Formula> {
    let mut pool = ExprPool::new();
    let mut scope = Scope::default();
    scope.layout.positions = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let mut symbols = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let is_time = *argument == "t";
        let kind = if is_time { SymbolKind::Time } else { SymbolKind::Coordinate(index) };
        if !is_time {
            scope.declare(&outside(argument), Entity::Coordinate(index), errors);
        }
        symbols.push(pool.symbol(kind, argument));
    }
    let mut fixed = Vec::new();
    for (index, (name, value)) in parameters.iter().enumerate() {
        scope.declare(&outside(name), Entity::Parameter(index), errors);
        fixed.push((pool.symbol(SymbolKind::Parameter(index), name), *value));
    }
    let kind = |i: usize| symbols.get(i).map(|s: &SymbolId| pool.symbol_info(*s).kind);
    let context = ExprContext::Function { arguments: std::array::from_fn(kind) };
    let mut resolver = Resolver::new(pool, scope, &[]);
    let value = resolver.scalar(expr, context, errors);
    errors.is_empty().then(|| Formula::new(resolver.pool, value, symbols, fixed))
}

/// The functions with their defaults.
pub(crate) fn functions(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    partials: &[Partial],
    errors: &mut Errors,
) -> Vec<SmoothFunction> {
    let declared = system.functions.iter().zip(partials);
    declared
        .map(|(declared, partial)| {
            let arguments = &resolver.pool.signature(*partial).arguments;
            let kind = |i: usize| arguments.get(i).map(|s| resolver.pool.symbol_info(*s).kind);
            let context = ExprContext::Function { arguments: std::array::from_fn(kind) };
            // Of one whose arguments are mistaken nothing more is said.
            let is_whole = arguments.len() == declared.arguments.len();
            let default = declared.default.as_ref().filter(|_| is_whole);
            SmoothFunction {
                named: declared.name.named(&declared.docs),
                partial: *partial,
                default: default.map(|value| resolver.scalar(value, context, errors)),
                default_text: default.map(ast::Expr::to_text).unwrap_or_default(),
            }
        })
        .collect()
}

/// A name that does not stand in the text.
fn outside(text: &str) -> Ident {
    Ident { text: text.to_owned(), region: proc_macro2::Span::call_site().into() }
}
