//! Quasi-velocities and rotations: what q and v hold, and how q̇ follows from v.

use super::expression::context::ExprContext;
use super::expression::value::Value;
use super::expression::{Motion, Resolver};
use super::mistake::Mistake;
use super::scope::Scope;
use crate::ast::{self, Expr, ExprKind, Ident, Region};
use crate::diagnostic::Errors;
use eom_symbolic::diff::Tangent;
use eom_symbolic::mechanics::system::kinematics::{Quasi, QuasiError, rotation_matrix};
use eom_symbolic::mechanics::{Frame, Kinematics, Rotation, Speed};
use eom_symbolic::name::{self, Name, Side};
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, SymbolId, SymbolKind};

/// Determines S, and which speed each quasi-velocity is, before anything else is resolved.
pub(crate) fn resolve_kinematics(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) {
    if system.velocities.is_empty() && system.rotations.is_empty() {
        return;
    }
    resolver.scope.layout.defining = true;
    let quasi = quasi_velocities(resolver, system, errors);
    resolver.scope.layout.defining = false;
    resolver.forget_lets();
    let Some(quasi) = quasi else { return };
    for (declared, &speed) in system.velocities.iter().zip(&quasi.covered) {
        let named = declared.name.named(&declared.docs);
        resolver.scope.layout.speeds[speed] = (named, 0, declared.name.region);
        resolver.scope.place_speed(&declared.name, speed);
    }
    resolver.scope.layout.covered.clone_from(&quasi.covered);
    rotations(resolver, system);
    let layout = resolver.scope.layout.clone();
    let positions: Vec<SymbolId> =
        (0..layout.positions.len()).map(|i| resolver.position_symbol(i)).collect();
    let velocities: Vec<SymbolId> =
        (0..layout.speeds.len()).map(|j| resolver.velocity_symbol(j)).collect();
    let pool = &mut resolver.pool;
    match Kinematics::new(pool, &positions, &velocities, &quasi, &layout.rotations) {
        Ok(kinematics) => resolver.scope.layout.kinematics = Some(kinematics),
        Err(error) => {
            let covered = quasi.covered.iter().map(|i| layout.positions[*i].clone()).collect();
            let mistake = match error {
                QuasiError::Singular => Mistake::QuasiSingular { coordinates: covered },
                QuasiError::Coupled { count } => Mistake::QuasiCoupled { count },
            };
            mistake.report(errors, block(system));
        }
    }
}

/// The definitions of the quasi-velocities, from the first to the last.
fn block(system: &ast::System) -> Region {
    let region = |definition: &ast::Definition| definition.name.region.to(definition.value.region);
    let first = system.velocities.first().map_or(system.name.region, region);
    system.velocities.last().map_or(first, |last| first.to(region(last)))
}

fn rotations(resolver: &mut Resolver<'_>, system: &ast::System) {
    let (mut position, mut speed) = (system.coordinates.len(), system.coordinates.len());
    for declared in &system.rotations {
        let quaternion = [0, 1, 2, 3].map(|c| resolver.position_symbol(position + c));
        let frame = match declared.frame {
            ast::Frame::Body => Frame::Body,
            ast::Frame::Space => Frame::Space,
        };
        let named = declared.name.named(&declared.docs);
        let rotation = Rotation { named, frame, quaternion, position, speed };
        resolver.scope.layout.rotations.push(rotation);
        (position, speed) = (position + 4, speed + 3);
    }
}

/// u = W(q) q̇, as many as the coordinates whose velocities occur in them.
fn quasi_velocities(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Option<Quasi> {
    let found = errors.len();
    let n = system.coordinates.len();
    let (mut forms, mut mistaken) = (Vec::new(), false);
    for declared in &system.velocities {
        let value = resolver.scalar(&declared.value, ExprContext::Quasi, errors);
        if value == ExprPool::UNDEFINED {
            // Its mistake has been reported: here, or where what it speaks of did not parse.
            mistaken = true;
            continue;
        }
        match linear(&mut resolver.pool, value, n) {
            Some(form) => forms.push(form),
            None => Mistake::QuasiNotLinear { name: declared.name.text.clone() }
                .report(errors, declared.value.region),
        }
    }
    let occurs = |i: &usize| forms.iter().any(|form| form[*i] != ExprPool::ZERO);
    let covered: Vec<usize> = (0..n).filter(occurs).collect();
    if mistaken || errors.len() > found {
        return None;
    }
    if covered.len() != forms.len() {
        let coordinates = covered.iter().map(|i| resolver.scope.layout.positions[*i].clone());
        let coordinates = coordinates.collect();
        let missing = missing_speeds(&resolver.scope, system, &forms, &covered);
        Mistake::QuasiCount { count: forms.len(), coordinates, missing }
            .report(errors, block(system));
        return None;
    }
    let forms = forms.iter().map(|form| covered.iter().map(|i| form[*i]).collect()).collect();
    Some(Quasi { covered, forms })
}

/// Velocities of coordinates that make the quasi-velocities whole, with names that are free: those of coordinates
/// that no form is solved for.
fn missing_speeds(
    scope: &Scope,
    system: &ast::System,
    forms: &[Vec<ExprId>],
    covered: &[usize],
) -> Vec<(String, String)> {
    let mut left = covered.to_vec();
    for form in forms {
        let solved = left.iter().rposition(|i| form[*i] != ExprPool::ZERO);
        solved.map(|place| left.remove(place));
    }
    let first = system.velocities.first().map_or("w", |declared| declared.name.text.as_str());
    let free = (2..).map(|k: usize| format!("{first}_{k}"));
    let free = free.filter(|name| scope.find(&name::key(name)).is_none());
    let speeds = left.iter().map(|i| name::dotted(&scope.layout.positions[*i], 1));
    free.zip(speeds).collect()
}

/// The coefficients of a value that is linear in the rates of n coordinates.
fn linear(pool: &mut ExprPool, value: ExprId, n: usize) -> Option<Vec<ExprId>> {
    let rates: Vec<Option<SymbolId>> =
        (0..n).map(|i| pool.find_symbol(SymbolKind::Rate(i))).collect();
    let present: Vec<SymbolId> = rates.iter().flatten().copied().collect();
    let mut gradient = pool.gradient(value, &present).into_iter();
    let form: Vec<ExprId> = rates
        .iter()
        .map(|rate| rate.and_then(|_| gradient.next()).unwrap_or(ExprPool::ZERO))
        .collect();
    let affine = form.iter().all(|c| !pool.contains(*c, |s| present.contains(&s)));
    let mut without = Substitution::new(present.iter().map(|s| (*s, ExprPool::ZERO)));
    let rest = without.apply(pool, value);
    (affine && rest == ExprPool::ZERO).then_some(form)
}

impl Resolver<'_> {
    pub(crate) fn position_symbol(&mut self, index: usize) -> SymbolId {
        let Self { pool, scope, .. } = self;
        pool.symbol(SymbolKind::Coordinate(index), &scope.layout.positions[index])
    }

    pub(crate) fn velocity_symbol(&mut self, speed: usize) -> SymbolId {
        let kind = SymbolKind::Velocity(speed);
        if let Some(symbol) = self.pool.find_symbol(kind) {
            return symbol;
        }
        self.pool.symbol(kind, &self.scope.layout.speed_name(speed))
    }

    pub(crate) fn acceleration_symbol(&mut self, speed: usize) -> SymbolId {
        let kind = SymbolKind::Acceleration(speed);
        if let Some(symbol) = self.pool.find_symbol(kind) {
            return symbol;
        }
        let (named, dots, _) = &self.scope.layout.speeds[speed];
        self.pool.symbol(kind, &name::dotted(&named.name, dots + 1))
    }

    /// The speeds, their symbols interned.
    pub(crate) fn speed(&mut self, index: usize) -> Speed {
        let (velocity, acceleration) =
            (self.velocity_symbol(index), self.acceleration_symbol(index));
        let (named, dots, _) = self.scope.layout.speeds[index].clone();
        Speed { named, dots, velocity, acceleration }
    }

    /// q̇ of an entry of q.
    pub(crate) fn rate(&mut self, index: usize) -> ExprId {
        if self.scope.layout.defining {
            let shown = name::dotted(&self.scope.layout.positions[index], 1);
            let symbol = self.pool.symbol(SymbolKind::Rate(index), &shown);
            return self.pool.symbol_expr(symbol);
        }
        if let Some(kinematics) = &self.scope.layout.kinematics {
            return kinematics.rates[index];
        }
        let symbol = self.velocity_symbol(index);
        self.pool.symbol_expr(symbol)
    }

    /// dq of an entry of q: q̇ with the 1-forms of the speeds in their places.
    pub(crate) fn differential_of_position(&mut self, index: usize) -> ExprId {
        let Some(kinematics) = self.scope.layout.kinematics.clone() else {
            return self.form_of_speed(index);
        };
        let mut terms = Vec::new();
        for (speed, entry) in kinematics.map[index].iter().enumerate() {
            if *entry != ExprPool::ZERO {
                let form = self.form_of_speed(speed);
                terms.push((ExprPool::ONE, self.pool.mul(*entry, form)));
            }
        }
        self.pool.sum(&terms)
    }

    /// The 1-form of a speed: dx, or that whose value along a motion is u.
    pub(crate) fn form_of_speed(&mut self, speed: usize) -> ExprId {
        let shown = name::differential(&self.scope.layout.speeds[speed].0.name);
        let symbol = self.pool.symbol(SymbolKind::Differential(speed), &shown);
        self.pool.symbol_expr(symbol)
    }

    /// q, q̇, q̈ of an entry of q, and q̇ on either side of an impact.
    pub(crate) fn coordinate(&mut self, name: &Name, index: usize) -> Option<Value> {
        match (name.dots, name.side) {
            (0, Side::None | Side::Minus) => {
                let symbol = self.position_symbol(index);
                Some(Value::Scalar(self.pool.symbol_expr(symbol)))
            }
            (0, Side::Plus) => Some(self.coordinate_after(index)),
            (1, Side::None | Side::Minus) => Some(Value::Scalar(self.rate(index))),
            (1, Side::Plus) => {
                let rate = Value::Scalar(self.rate(index));
                Some(self.after_impact(&rate))
            }
            (2, Side::None) if !self.scope.layout.defining => {
                let rate = Value::Scalar(self.rate(index));
                Some(self.along_motion(&rate))
            }
            _ => None,
        }
    }

    /// A speed with a name of its own: u, u̇, and u on either side of an impact.
    pub(crate) fn speed_value(&mut self, name: &Name, speed: usize) -> Option<Value> {
        let symbol = match (name.dots, name.side) {
            (0, Side::None | Side::Minus) => self.velocity_symbol(speed),
            (0, Side::Plus) => {
                let symbol = self.velocity_symbol(speed);
                let before = Value::Scalar(self.pool.symbol_expr(symbol));
                return Some(self.after_impact(&before));
            }
            (1, Side::None) => self.acceleration_symbol(speed),
            _ => return None,
        };
        Some(Value::Scalar(self.pool.symbol_expr(symbol)))
    }

    /// R, and with Ω̂ x = ω × x: Ṙ = R Ω̂ in axes of the body, Ω̂ R in those of space.
    pub(crate) fn rotation_value(&mut self, name: &Name, index: usize) -> Option<Value> {
        let rotation = self.scope.layout.rotations.get(index)?.clone();
        let pool = &mut self.pool;
        let quaternion = rotation.quaternion.map(|symbol| pool.symbol_expr(symbol));
        let matrix = Value::Matrix(rotation_matrix(pool, quaternion));
        if name.dots == 0 {
            return (name.side == Side::None).then_some(matrix);
        }
        let [a, b, c] = [0, 1, 2].map(|axis| {
            let symbol = self.velocity_symbol(rotation.speed + axis);
            self.pool.symbol_expr(symbol)
        });
        let pool = &mut self.pool;
        let (o, [l, m, n]) = (ExprPool::ZERO, [a, b, c].map(|e| pool.neg(e)));
        let turn = Value::Matrix(vec![vec![o, n, b], vec![c, o, l], vec![m, a, o]]);
        let rate = match rotation.frame {
            Frame::Body => matrix.times(&turn, pool),
            Frame::Space => turn.times(&matrix, pool),
        };
        let mut rate = rate.ok()?;
        for _ in 1..name.dots {
            rate = self.along_motion(&rate);
        }
        Some(if name.side == Side::Plus { self.after_impact(&rate) } else { rate })
    }

    /// The total time derivative.
    pub(crate) fn along_motion(&mut self, value: &Value) -> Value {
        // It is another one only where symbols have come since its seeds were made.
        let symbols = self.pool.symbols().len();
        let mut motion = match self.motion.take() {
            Some(motion) if motion.symbols == symbols => motion,
            _ => Motion { symbols, along: Tangent::new(self.motion_seeds()) },
        };
        let rate = value.map(|e| motion.along.derivative(&mut self.pool, e));
        self.motion = Some(motion);
        rate
    }

    /// The unit quaternion of a product of turns:
    ///
    /// ```text
    /// rot_x(a) = (cos a/2, sin a/2, 0, 0)        transpose(r) = (w, −x, −y, −z)
    /// ```
    pub(crate) fn orientation(&mut self, expr: &Expr, errors: &mut Errors) -> Option<[ExprId; 4]> {
        match &expr.kind {
            ExprKind::Product(factors) if factors.iter().all(|factor| !factor.divides) => {
                let mut turns = factors.iter().map(|factor| self.orientation(&factor.expr, errors));
                let mut all = Vec::new();
                for turn in turns.by_ref() {
                    all.push(turn?);
                }
                let mut all = all.into_iter();
                let mut product = all.next()?;
                for turn in all {
                    product = hamilton(&mut self.pool, product, turn);
                }
                Some(product)
            }
            ExprKind::Call { function, arguments } if arguments.len() == 1 => {
                match (turn_axis(function), function.name().key.as_str()) {
                    (Some(axis), _) => self.turn(axis, &arguments[0], errors),
                    (None, "transpose") => {
                        let [w, x, y, z] = self.orientation(&arguments[0], errors)?;
                        let pool = &mut self.pool;
                        Some([w, pool.neg(x), pool.neg(y), pool.neg(z)])
                    }
                    _ => not_a_turn(expr, errors),
                }
            }
            _ => not_a_turn(expr, errors),
        }
    }

    fn turn(&mut self, axis: usize, angle: &Expr, errors: &mut Errors) -> Option<[ExprId; 4]> {
        let angle = self.scalar(angle, ExprContext::Initial, errors);
        let half = self.pool.scale(ExprPool::HALF, angle);
        let mut quaternion = [ExprPool::ZERO; 4];
        quaternion[0] = self.pool.call(Function::Cos, &[half]);
        quaternion[1 + axis] = self.pool.call(Function::Sin, &[half]);
        (angle != ExprPool::UNDEFINED).then_some(quaternion)
    }
}

fn turn_axis(function: &Ident) -> Option<usize> {
    ["rot_x", "rot_y", "rot_z"].iter().position(|turn| *turn == function.name().key)
}

fn not_a_turn(expr: &Expr, errors: &mut Errors) -> Option<[ExprId; 4]> {
    Mistake::Orientation.report(errors, expr.region);
    None
}

/// The product of quaternions, (a, **a**)(b, **b**) = (ab − **a**·**b**, a**b** + b**a** + **a**×**b**).
fn hamilton(pool: &mut ExprPool, a: [ExprId; 4], b: [ExprId; 4]) -> [ExprId; 4] {
    let (plus, minus) = (ExprPool::ONE, ExprPool::MINUS_ONE);
    let mut sum = |terms: [(ExprId, usize, usize); 4]| {
        let terms: Vec<_> =
            terms.iter().map(|&(sign, i, j)| (sign, pool.mul(a[i], b[j]))).collect();
        pool.sum(&terms)
    };
    [
        sum([(plus, 0, 0), (minus, 1, 1), (minus, 2, 2), (minus, 3, 3)]),
        sum([(plus, 0, 1), (plus, 1, 0), (plus, 2, 3), (minus, 3, 2)]),
        sum([(plus, 0, 2), (plus, 2, 0), (plus, 3, 1), (minus, 1, 3)]),
        sum([(plus, 0, 3), (plus, 3, 0), (plus, 1, 2), (minus, 2, 1)]),
    ]
}
