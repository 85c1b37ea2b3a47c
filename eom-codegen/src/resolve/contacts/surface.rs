//! A point of a body that touches a surface: gap and slip from its kinematics.
//!
//! ```text
//! P(t,q), a surface S(x) = 0 that moves with W along itself      n = ∇S/‖∇S‖ at P,  w = Ṗ − W
//!
//! gap      g = S(P)/‖∇S(P)‖       the distance to first order: ġ = n·w where g = 0, so λ is the normal force
//! slip     s = n_y w_x − n_x w_y                                             in the plane, and where n_z = w_z = 0
//!          s = (b₁·w, b₂·w)                                                  in space
//!
//! a = −1/(σ + n_z),  b = a n_x n_y:    b₁ = (1 + σ a n_x², σ b, −σ n_x),   b₂ = (b, σ + a n_y², −n_y)
//! ```
//!
//! b₁, b₂, n are an orthonormal basis (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017), smooth but
//! where n_z = −σ: σ = −1 where n_z is a negative number, else 1. Of a floor they are the axes x and y.

use crate::ast::{Expr, Gap, Surface};
use crate::diagnostic::Errors;
use crate::resolve::expression::Resolver;
use crate::resolve::expression::context::ExprContext;
use crate::resolve::expression::value::Value;
use crate::resolve::mistake::{Mistake, SurfaceFault};
use crate::resolve::scope::Scope;
use eom_symbolic::diff::Tangent;
use eom_symbolic::mechanics::Resisted;
use eom_symbolic::simplify::simplify;
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Rational, SymbolId, SymbolKind};

/// What a contact says of its gap.
pub(in crate::resolve) struct Touch {
    pub(in crate::resolve) gap: ExprId,
    /// The slip, where a surface tells it.
    pub(in crate::resolve) slip: Option<Vec<ExprId>>,
}

/// The gap of a contact, and its slip where it is that of a point on a surface.
pub(in crate::resolve) fn touch(
    resolver: &mut Resolver<'_>,
    gap: &Gap,
    has_friction: bool,
    errors: &mut Errors,
) -> Touch {
    match gap {
        Gap::Value(gap) => {
            Touch { gap: resolver.scalar(gap, ExprContext::Gap, errors), slip: None }
        }
        Gap::Surface(surface) => on_surface(resolver, surface, has_friction, errors)
            .unwrap_or(Touch { gap: ExprPool::UNDEFINED, slip: Some(Vec::new()) }),
    }
}

fn on_surface(
    resolver: &mut Resolver<'_>,
    surface: &Surface,
    has_friction: bool,
    errors: &mut Errors,
) -> Option<Touch> {
    let before = errors.len();
    let point = vector(resolver, &surface.point, (surface, ExprContext::Gap), errors)?;
    let places = places(resolver, surface, errors);
    let outer = resolver.variables.len();
    let names = surface.arguments.iter().map(|argument| argument.name().key);
    resolver.variables.extend(names.zip(places.iter().copied()));
    let height = height(resolver, surface, &places, errors);
    let context = ExprContext::Slip(Resisted::Slip);
    let velocity = surface.velocity.as_ref();
    let velocity = velocity.map(|written| vector(resolver, written, (surface, context), errors));
    resolver.variables.truncate(outer);
    let height = height?;
    let moving = moves_with(resolver, height).filter(|_| surface.velocity.is_none());
    if let Some(with) = moving.filter(|_| has_friction) {
        Mistake::Surface(SurfaceFault::Moves { with, size: point.len() })
            .report(errors, surface.height.region);
    }
    let pool = &mut resolver.pool;
    let slopes: Vec<ExprId> =
        places.iter().map(|place| Tangent::partial(*place).derivative(pool, height)).collect();
    let images: Vec<(SymbolId, ExprId)> = places.into_iter().zip(point.iter().copied()).collect();
    let mut at_point = Substitution::new(images);
    let height = at_point.apply(pool, height);
    let slopes: Vec<ExprId> = slopes.into_iter().map(|e| at_point.apply(pool, e)).collect();
    let squares: Vec<ExprId> = slopes.iter().map(|e| pool.powi(*e, 2)).collect();
    let square = pool.sum_of(&squares);
    let square = simplify(pool, square);
    let size = pool.sqrt(square);
    let gap = pool.div(height, size);
    let normal: Vec<ExprId> = slopes.into_iter().map(|e| pool.div(e, size)).collect();
    let mut along = resolver.along_motion(&Value::Vector(point)).entries();
    if let Some(velocity) = velocity {
        for (w, velocity) in along.iter_mut().zip(velocity?) {
            let velocity = at_point.apply(&mut resolver.pool, velocity);
            *w = resolver.pool.sub(*w, velocity);
        }
    }
    if errors.len() > before {
        return None;
    }
    let slip = slip(&mut resolver.pool, &normal, &along);
    Some(Touch { gap, slip: Some(slip) })
}

/// A point or a velocity, of as many components as the surface has arguments.
fn vector(
    resolver: &mut Resolver<'_>,
    written: &Expr,
    (surface, context): (&Surface, ExprContext),
    errors: &mut Errors,
) -> Option<Vec<ExprId>> {
    let value = resolver.value(written, context, errors);
    if value.is_mistaken() {
        return None;
    }
    let places = surface.arguments.len();
    match value {
        Value::Vector(components) if components.len() == places && (2..=3).contains(&places) => {
            Some(components)
        }
        other => {
            Mistake::Surface(SurfaceFault::Places { found: other.shape(), places })
                .report(errors, written.region);
            None
        }
    }
}

/// A variable for each argument, which is a place whatever else is called so.
fn places(resolver: &mut Resolver<'_>, surface: &Surface, errors: &mut Errors) -> Vec<SymbolId> {
    for (index, argument) in surface.arguments.iter().enumerate() {
        Scope::check_bound(argument, errors);
        let twice = surface.arguments[..index].iter().any(|a| a.name().key == argument.name().key);
        if twice {
            Mistake::ArgumentTwice { name: argument.text.clone() }.report(errors, argument.region);
        }
    }
    let names = surface.arguments.iter().map(|argument| argument.name().display);
    names.map(|name| resolver.pool.new_variable(&name)).collect()
}

/// S, in which the arguments are places.
fn height(
    resolver: &mut Resolver<'_>,
    surface: &Surface,
    places: &[SymbolId],
    errors: &mut Errors,
) -> Option<ExprId> {
    let before = errors.len();
    let height = resolver.scalar(&surface.height, ExprContext::Gap, errors);
    if errors.len() > before {
        return None;
    }
    if !resolver.pool.contains(height, |symbol| places.contains(&symbol)) {
        let names = surface.arguments.iter().map(|argument| argument.text.clone()).collect();
        Mistake::Surface(SurfaceFault::WithoutPlaces { names })
            .report(errors, surface.height.region);
        return None;
    }
    Some(height)
}

/// The time or the coordinate with which the surface is another one.
fn moves_with(resolver: &Resolver<'_>, height: ExprId) -> Option<String> {
    let mut symbols = resolver.pool.symbols_in(&[height]).into_iter();
    symbols.find_map(|symbol| {
        let found = resolver.pool.symbol_info(symbol);
        let moves = matches!(found.kind, SymbolKind::Time | SymbolKind::Coordinate(_));
        moves.then(|| found.name.clone())
    })
}

/// s of w beside a normal.
fn slip(pool: &mut ExprPool, normal: &[ExprId], w: &[ExprId]) -> Vec<ExprId> {
    let dot = |pool: &mut ExprPool, direction: &[ExprId]| {
        let terms: Vec<ExprId> = direction.iter().zip(w).map(|(b, w)| pool.mul(*b, *w)).collect();
        pool.sum_of(&terms)
    };
    let &[x, y, z] = normal else {
        let tangent = [normal[1], pool.neg(normal[0])];
        return vec![dot(pool, &tangent)];
    };
    // What moves in a plane of space, on a surface across it, slips along one line.
    let flat = (0..3).find(|i| normal[*i] == ExprPool::ZERO && w[*i] == ExprPool::ZERO);
    if let Some(flat) = flat {
        let (first, second) = ((flat + 1) % 3, (flat + 2) % 3);
        let mut tangent = [ExprPool::ZERO; 3];
        tangent[first] = normal[second];
        tangent[second] = pool.neg(normal[first]);
        return vec![dot(pool, &tangent)];
    }
    let is_below = pool.as_number(z).is_some_and(Rational::is_negative);
    let σ = if is_below { ExprPool::MINUS_ONE } else { ExprPool::ONE };
    let height = pool.add(σ, z);
    let inverse = pool.div(ExprPool::MINUS_ONE, height);
    let [xx, xy, yy] = [(x, x), (x, y), (y, y)].map(|(a, b)| pool.product_of(&[inverse, a, b]));
    let [xx, turned, back] = [xx, xy, x].map(|e| pool.mul(σ, e));
    let first = [pool.add(ExprPool::ONE, xx), turned, pool.neg(back)];
    let second = [xy, pool.add(σ, yy), pool.neg(y)];
    [first, second].iter().map(|direction| dot(pool, direction)).collect()
}
