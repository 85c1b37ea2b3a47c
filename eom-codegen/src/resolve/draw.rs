//! What is drawn: points, lengths and angles as expressions, curves and heights in the variables of the plane.
//!
//! Resolved last, since nothing else depends on it and what it adds to the pool moves nothing there.

use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::expression::value::{Shaped, Value};
use super::mistake::Mistake;
use super::relation;
use super::scope::{Entity, Scope};
use crate::ast::{self, Drawn, Equation, Expr, ExprKind, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::SystemModel;
use eom_symbolic::mechanics::drawing::{Argument, Drawing, Primitive, Shape, Takes, Times};
use eom_symbolic::name::Name;
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, SymbolId, SymbolKind};

/// Resolves `draw` into a drawing of the model; with mistakes there is none.
pub(crate) fn resolve_drawing(
    system: &ast::System,
    model: &mut SystemModel,
    scope: Scope,
    errors: &mut Errors,
) -> Option<Drawing> {
    let found = errors.len();
    let axes = plane_of(system);
    let pool = std::mem::take(&mut model.pool);
    let mut resolver = Resolver::new(pool, scope, &system.lets);
    let plane = axes.map(|axis| resolver.pool.new_variable(axis));
    let mut sketch = Sketch { resolver, axes, plane, dimension: None, shapes: Vec::new() };
    let usual = usual(system, axes);
    let drawn = if system.drawn.is_empty() { &usual } else { &system.drawn };
    sketch.dimension = sketch.dimension_of(drawn);
    for drawn in drawn {
        sketch.shape(drawn, errors);
    }
    let has_ground = drawn.iter().any(|drawn| drawn.curve.is_some());
    if !has_ground && sketch.dimension != Some(3) {
        sketch.boundaries(system);
    }
    let Sketch { resolver, dimension, shapes, .. } = sketch;
    model.pool = resolver.pool;
    (errors.len() == found).then(|| Drawing { dimension: dimension.unwrap_or(2), plane, shapes })
}

/// Resolves expressions as those of a drawing are, each with its place in its own text.
pub(crate) fn resolve_numbers(
    system: &ast::System,
    model: &mut SystemModel,
    scope: Scope,
    expressions: &[Expr],
    errors: &mut Errors,
) -> Vec<ExprId> {
    let pool = std::mem::take(&mut model.pool);
    let mut resolver = Resolver::new(pool, scope, &system.lets);
    let each = expressions.iter().map(|e| resolver.scalar(e, ExprContext::Drawing, errors));
    let numbers = each.collect();
    model.pool = resolver.pool;
    numbers
}

/// The names of the plane: x and y, or x and z, y and z where coordinates or `let`s are called so.
fn plane_of(system: &ast::System) -> [&'static str; 2] {
    let coordinates = system.coordinates.iter().map(|declared| &declared.name);
    let names = coordinates.chain(system.lets.iter().map(|declared| &declared.name));
    let keys: Vec<String> = names.map(|name| name.name().key.to_ascii_lowercase()).collect();
    let has = |name: &str| keys.iter().any(|key| key == name);
    match (has("x"), has("y"), has("z")) {
        (true, false, true) => ["x", "z"],
        (false, true, true) => ["y", "z"],
        _ => ["x", "y"],
    }
}

/// What is drawn of a system that does not say so: the point of its plane, and where it has been.
fn usual(system: &ast::System, axes: [&str; 2]) -> Vec<Drawn> {
    let region = system.name.region;
    let named = |axis: &str| {
        let declared = system.coordinates.iter().find(|declared| declared.name.name().key == axis);
        declared.map(|declared| {
            let name = Ident { text: declared.name.text.clone(), region };
            Expr { kind: ExprKind::Name(name), region }
        })
    };
    let [Some(x), Some(y)] = axes.map(named) else { return Vec::new() };
    let at = Expr { kind: ExprKind::Array(vec![x, y]), region };
    let shape = |word: &str| {
        let primitive = Primitive::of(word)?;
        let arguments = vec![at.clone()];
        Some(Drawn { primitive, word: region, arguments, curve: None, options: Vec::new() })
    };
    ["trace", "point"].into_iter().filter_map(shape).collect()
}

/// A drawing that is being made.
struct Sketch<'a> {
    resolver: Resolver<'a>,
    axes: [&'static str; 2],
    plane: [SymbolId; 2],
    /// The components of its points, once there is one.
    dimension: Option<usize>,
    shapes: Vec<Shape>,
}

/// The numbers of a shape as they are read.
#[derive(Default)]
struct Numbers {
    points: Vec<ExprId>,
    count: usize,
    sizes: Vec<ExprId>,
}

impl Sketch<'_> {
    /// The components of the points: those of the first, and three where something is drawn in space only.
    fn dimension_of(&mut self, drawn: &[Drawn]) -> Option<usize> {
        // What is wrong with a point is told where it is drawn.
        let mut mistakes = Errors::new();
        let mut points = drawn.iter().flat_map(|drawn| &drawn.arguments);
        let first = points.find_map(|point| {
            components(&self.resolver.value(point, ExprContext::Drawing, &mut mistakes))
        });
        mistakes.into_diagnostics();
        let in_space = drawn.iter().any(|drawn| drawn.primitive.in_space).then_some(3);
        first.or(in_space)
    }

    fn shape(&mut self, drawn: &Drawn, errors: &mut Errors) {
        let before = errors.len();
        let primitive = drawn.primitive;
        let values: Vec<Value> = match primitive.arguments {
            [Argument { takes: Takes::Height, .. }] => Vec::new(),
            _ => {
                let each = drawn.arguments.iter();
                each.map(|e| self.resolver.value(e, ExprContext::Drawing, errors)).collect()
            }
        };
        if primitive.in_space && self.dimension == Some(2) {
            let shape = primitive.name;
            Mistake::ShapeInSpace { shape, form: primitive.form(true) }.report(errors, drawn.word);
            return;
        }
        let field = self.field(drawn, errors);
        if errors.len() > before {
            return;
        }
        let Some(numbers) = self.numbers(drawn, &values, errors) else { return };
        let sizes = numbers.sizes.len();
        let mut all = numbers.points;
        all.extend(numbers.sizes);
        let [spoke, scale] = ["spoke", "scale"].map(|word| {
            let value = drawn.expression(word)?;
            Some(self.resolver.scalar(value, ExprContext::Drawing, errors))
        });
        let rotation = self.rotation(drawn, errors);
        all.extend(spoke);
        all.extend(rotation.iter().flatten());
        all.extend(scale);
        if errors.len() > before {
            return;
        }
        self.shapes.push(Shape {
            primitive,
            points: numbers.count,
            sizes,
            has_spoke: spoke.is_some(),
            has_rotation: rotation.is_some(),
            has_scale: scale.is_some(),
            numbers: all,
            field,
            label: drawn.text("label").to_owned(),
            color: drawn.text("color").to_owned(),
            text: drawn.to_string(),
        });
    }

    /// Points, lengths and angles as the table has them.
    fn numbers(&mut self, drawn: &Drawn, values: &[Value], errors: &mut Errors) -> Option<Numbers> {
        let dimension = self.dimension.unwrap_or(2);
        let mut numbers = Numbers::default();
        let mut given = values.iter().zip(&drawn.arguments).peekable();
        for argument in drawn.primitive.arguments {
            let times = match argument.times {
                Times::Once => 1..=1,
                Times::InSpace => 1..=usize::from(dimension == 3),
                Times::OptionalInPlane => 0..=usize::from(dimension == 2),
                Times::AtLeast(least) => least..=usize::MAX,
            };
            if matches!(argument.takes, Takes::Curve | Takes::Height) {
                continue;
            }
            let mut count = 0;
            while count < *times.end()
                && let Some((value, expr)) = given.next()
            {
                let given = (argument.takes, value, expr);
                count += self.take(drawn.primitive, given, &mut numbers, errors)?;
            }
            if count < (*times.start()).min(*times.end()) {
                self.wrong_arguments(drawn, errors);
                return None;
            }
        }
        if given.next().is_some() {
            self.wrong_arguments(drawn, errors);
            return None;
        }
        Some(numbers)
    }

    fn wrong_arguments(&self, drawn: &Drawn, errors: &mut Errors) {
        let shape = drawn.primitive.name;
        let form = drawn.primitive.form(self.dimension == Some(3));
        let found = drawn.arguments.len();
        Mistake::ShapeArguments { shape, form, found }.report(errors, drawn.word);
    }

    /// Takes in a number, a point, or a matrix that has a point in each row; how many these are.
    fn take(
        &mut self,
        primitive: &Primitive,
        (takes, value, expr): (Takes, &Value, &Expr),
        numbers: &mut Numbers,
        errors: &mut Errors,
    ) -> Option<usize> {
        let dimension = self.dimension.unwrap_or(2);
        match (takes, value) {
            (Takes::Number, Shaped::Scalar(number)) => numbers.sizes.push(*number),
            (Takes::Point | Takes::Vector, Shaped::Vector(point)) if point.len() == dimension => {
                numbers.points.extend(point);
                numbers.count += 1;
            }
            (Takes::Point, Shaped::Matrix(rows)) if rows.iter().all(|r| r.len() == dimension) => {
                numbers.points.extend(rows.concat());
                numbers.count += rows.len();
                return Some(rows.len());
            }
            (Takes::Number, _) => {
                let form = primitive.form(dimension == 3);
                Mistake::ShapeNumber { form, found: value.shape() }.report(errors, expr.region);
                return None;
            }
            _ => {
                let expected = if dimension == 2 { "[x, y]" } else { "[x, y, z]" };
                Mistake::ShapePoint { expected, found: value.shape() }.report(errors, expr.region);
                return None;
            }
        }
        Some(1)
    }

    /// The matrix of a rotation by its rows.
    fn rotation(&mut self, drawn: &Drawn, errors: &mut Errors) -> Option<Vec<ExprId>> {
        let written = drawn.expression("rotation")?;
        let value = self.resolver.value(written, ExprContext::Drawing, errors);
        if self.dimension != Some(3) {
            let form = drawn.primitive.form(true);
            let shape = "rotation";
            Mistake::ShapeInSpace { shape, form }.report(errors, written.region);
            return None;
        }
        match &value {
            Shaped::Matrix(rows) if rows.len() == 3 && rows.iter().all(|row| row.len() == 3) => {
                Some(rows.concat())
            }
            value if value.is_mistaken() => None,
            _ => {
                Mistake::Shape { expected: "a 3×3 matrix", found: value.shape() }
                    .report(errors, written.region);
                None
            }
        }
    }

    /// What is 0 on the curve of a shape, or its height.
    fn field(&mut self, drawn: &Drawn, errors: &mut Errors) -> Option<ExprId> {
        match (&drawn.curve, &drawn.arguments[..]) {
            (Some(Equation { lhs, rhs }), _) if self.dimension == Some(3) => {
                let is_height = matches!(&lhs.kind, ExprKind::Name(name) if is_axis(name, "z"));
                if !is_height {
                    Mistake::GroundInSpace.report(errors, lhs.region);
                    return None;
                }
                self.in_plane(rhs, errors)
            }
            (Some(Equation { lhs, rhs }), _) => {
                let (lhs, rhs) = (self.in_plane(lhs, errors)?, self.in_plane(rhs, errors)?);
                Some(self.resolver.pool.sub(lhs, rhs))
            }
            (None, [height]) if matches!(drawn.primitive.arguments, [only] if only.takes == Takes::Height) => {
                self.in_plane(height, errors)
            }
            _ => None,
        }
    }

    /// An expression in which the names of the plane are its variables.
    fn in_plane(&mut self, expr: &Expr, errors: &mut Errors) -> Option<ExprId> {
        let names = self.axes.into_iter().zip(self.plane).flat_map(|(axis, variable)| {
            [axis.to_owned(), axis.to_ascii_uppercase()].map(|name| (name, variable))
        });
        self.among(names.collect(), expr, errors)
    }

    /// An expression in which these names are variables of the plane.
    fn among(
        &mut self,
        names: Vec<(String, SymbolId)>,
        expr: &Expr,
        errors: &mut Errors,
    ) -> Option<ExprId> {
        let before = errors.len();
        self.resolver.variables.extend(names);
        let value = self.resolver.scalar(expr, ExprContext::Curve, errors);
        self.resolver.variables.clear();
        if errors.len() > before {
            return None;
        }
        // What a `let` or a function mentions as x is the coordinate of that name.
        let value = self.with_variables(value);
        let pool = &self.resolver.pool;
        let left = pool
            .symbols_in(&[value])
            .into_iter()
            .find(|symbol| matches!(pool.symbol_info(*symbol).kind, SymbolKind::Coordinate(_)));
        if let Some(symbol) = left {
            let (place, allowed) = ExprContext::Curve.words();
            let name = pool.symbol_info(symbol).name.clone();
            Mistake::NotHere { name, what: "a coordinate", place, allowed }
                .report(errors, expr.region);
            return None;
        }
        Some(value)
    }

    fn with_variables(&mut self, value: ExprId) -> ExprId {
        let pool = &mut self.resolver.pool;
        let mut images = Vec::new();
        for (axis, variable) in self.axes.into_iter().zip(self.plane) {
            let Some(Entity::Coordinate(index)) = self.resolver.scope.find(axis) else { continue };
            if let Some(symbol) = pool.find_symbol(SymbolKind::Coordinate(index)) {
                images.push((symbol, pool.symbol_expr(variable)));
            }
        }
        Substitution::new(images).apply(pool, value)
    }

    /// What is zero at the boundary of a contact in the plane.
    fn boundary(&mut self, gap: &ast::Gap, mistakes: &mut Errors) -> Option<ExprId> {
        match gap {
            ast::Gap::Value(gap) => self.in_plane(gap, mistakes),
            ast::Gap::Surface(surface) => {
                let [first, second] = &surface.arguments[..] else { return None };
                let names = [first, second].into_iter().zip(self.plane);
                let names = names.map(|(name, variable)| (name.name().key, variable)).collect();
                self.among(names, &surface.height, mistakes)
            }
        }
    }

    /// A field that is infinite where conditions of the plane do not hold, f/(½ + ½ sign(e)) with e > 0 where one holds: there
    /// is no curve of it.
    fn as_far_as(&mut self, when: &[ast::Bound], field: ExprId) -> ExprId {
        let mut field = field;
        for bound in when {
            // What else a condition holds, such as a velocity, is no place.
            let mut mistakes = Errors::new();
            let sides = [&bound.lhs, &bound.rhs].map(|side| self.in_plane(side, &mut mistakes));
            let (&[Some(left), Some(right)], []) = (&sides, &mistakes.into_diagnostics()[..])
            else {
                continue;
            };
            let pool = &mut self.resolver.pool;
            let extent = relation(bound.relation).excess(pool, left, right);
            let sign = pool.call(Function::Sign, &[extent]);
            let sum = pool.add(ExprPool::ONE, sign);
            let half = pool.mul(ExprPool::HALF, sum);
            field = pool.div(field, half);
        }
        field
    }

    /// The boundaries of contacts whose gaps are functions of the plane.
    fn boundaries(&mut self, system: &ast::System) {
        let Some(primitive) = Primitive::of("ground") else { return };
        for contact in &system.contacts {
            // A gap of more than the plane is no curve, and no mistake.
            let mut mistakes = Errors::new();
            let field = self.boundary(&contact.gap, &mut mistakes);
            let (Some(field), []) = (field, &mistakes.into_diagnostics()[..]) else { continue };
            let pool = &self.resolver.pool;
            let symbols = pool.symbols_in(&[field]);
            if !self.plane.iter().any(|variable| symbols.contains(variable))
                || field == ExprPool::UNDEFINED
            {
                continue;
            }
            let field = self.as_far_as(&contact.when, field);
            self.shapes.push(Shape {
                primitive,
                points: 0,
                sizes: 0,
                has_spoke: false,
                has_rotation: false,
                has_scale: false,
                numbers: Vec::new(),
                field: Some(field),
                label: String::new(),
                color: String::new(),
                text: format!("contact {}", contact.name.text),
            });
        }
    }
}

/// The components of a point.
fn components(value: &Value) -> Option<usize> {
    let count = match value {
        Shaped::Vector(point) => point.len(),
        Shaped::Matrix(rows) => rows.first()?.len(),
        Shaped::Row(_) | Shaped::Scalar(_) => return None,
    };
    (2..=3).contains(&count).then_some(count)
}

/// Whether a name is that of an axis, small or capital.
fn is_axis(name: &Ident, axis: &str) -> bool {
    let Name { key, .. } = name.name();
    key.eq_ignore_ascii_case(axis)
}
