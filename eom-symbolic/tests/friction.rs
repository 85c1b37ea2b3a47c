//! Dry friction found in a dissipation function, against the function itself: values, slopes and
//! rates by differences at random states, what is refused, what counts as smooth.

mod support;

use eom_symbolic::mechanics::friction::PointFriction;
use eom_symbolic::mechanics::{DeriveError, EquationsOfMotion, KinkError, SystemModel, lagrange};
use eom_symbolic::program::SystemPrograms;
use eom_symbolic::{ExprId, SymbolId, SymbolKind};
use fastrand::Rng;
use support::Declaration;

const STATES: usize = 20;

/// A step of central differences and what they then agree to.
const STEP: f64 = 1e-6;
const TOLERANCE: f64 = 1e-8;

fn declaration(dissipation: &str) -> Declaration {
    Declaration::new(&["x", "y", "θ"], &["m", "c", "a", "u"])
        .energies("m/2*(ẋ^2 + ẏ^2 + a^2*θ̇^2)", "0")
        .force(0, "cos(t)")
        .dissipation(dissipation)
}

/// t, q, v and parameters.
#[derive(Clone)]
struct Point {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    parameters: Vec<f64>,
}

impl Point {
    fn draw(rng: &mut Rng) -> Self {
        let mut some = |n: usize, low: f64| (0..n).map(|_| low + 1.5 * rng.f64()).collect();
        let (q, v): (Vec<f64>, Vec<f64>) = (some(3, -1.0), some(3, -1.0));
        Self { t: q[0] + v[0], q, v, parameters: some(4, 0.5) }
    }

    fn value(&self, model: &SystemModel, symbol: SymbolId) -> f64 {
        match model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => self.t,
            SymbolKind::Coordinate(i) => self.q[i],
            SymbolKind::Velocity(i) => self.v[i],
            SymbolKind::Parameter(i) => self.parameters[i],
            kind => panic!("{kind:?}"),
        }
    }

    fn evaluate(&self, model: &SystemModel, expressions: &[ExprId]) -> Vec<f64> {
        model.pool.evaluate(expressions, |symbol| self.value(model, symbol))
    }
}

fn norm(w: &[f64]) -> f64 {
    w.iter().map(|w| w * w).sum::<f64>().sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn near(what: &str, found: f64, wanted: f64) {
    let error = (found - wanted).abs();
    assert!(error <= TOLERANCE * wanted.abs().max(1.0), "{what}: {found} for {wanted}");
}

/// c, J, w of a term at a point agree with differences of w, and γ with those along the motion.
fn check_point(what: &str, model: &SystemModel, point: &PointFriction, at: &Point) {
    let w = |at: &Point| at.evaluate(model, &point.components);
    for (i, row) in point.rows.iter().enumerate() {
        for (j, entry) in at.evaluate(model, row).into_iter().enumerate() {
            let (mut left, mut right) = (at.clone(), at.clone());
            left.v[j] -= STEP;
            right.v[j] += STEP;
            near(what, entry, (w(&right)[i] - w(&left)[i]) / (2.0 * STEP));
        }
    }
    let moved = |h: f64| {
        let mut at = at.clone();
        at.t += h;
        at.q.iter_mut().zip(&at.v).for_each(|(q, v)| *q += h * v);
        at
    };
    let rate = w(&moved(STEP)).into_iter().zip(w(&moved(-STEP)));
    for (drift, (right, left)) in at.evaluate(model, &point.drift).into_iter().zip(rate) {
        near(what, drift, (right - left) / (2.0 * STEP));
    }
}

/// F = F without friction − Σ c Jᵀw/‖w‖, and D₁ with its force at velocities that are not the
/// state's.
fn check_forces(what: &str, model: &SystemModel, equations: &EquationsOfMotion, at: &Point) {
    let friction = &equations.friction;
    let mut force = at.evaluate(model, &friction.frictionless);
    let mut whole = 0.0;
    let mut slope = vec![0.0; 3];
    for point in &friction.points {
        let c = at.evaluate(model, &[point.coefficient])[0];
        let w = at.evaluate(model, &point.components);
        let rows: Vec<Vec<f64>> = point.rows.iter().map(|row| at.evaluate(model, row)).collect();
        let linear: Vec<f64> = rows.iter().map(|row| dot(row, &at.v)).collect();
        whole += c * norm(&linear);
        for j in 0..3 {
            for (i, row) in rows.iter().enumerate() {
                force[j] -= c * row[j] * w[i] / norm(&w);
                slope[j] -= c * row[j] * linear[i] / norm(&linear);
            }
        }
    }
    for (found, wanted) in at.evaluate(model, &equations.force).iter().zip(&force) {
        near(what, *found, *wanted);
    }
    let value = friction.value.expect("there is friction");
    near(what, at.evaluate(model, &[value])[0], whole);
    for (found, wanted) in at.evaluate(model, &friction.force).iter().zip(&slope) {
        near(what, *found, *wanted);
    }
}

/// The number of components of each term.
fn check(dissipation: &str, components: &[usize]) {
    let mut model = declaration(dissipation).model;
    let equations = lagrange::derive(&mut model).unwrap_or_else(|e| panic!("{dissipation}: {e}"));
    let friction = &equations.friction;
    let found: Vec<usize> = friction.points.iter().map(|p| p.components.len()).collect();
    assert_eq!(found, components, "{dissipation}");
    assert_eq!(friction.is_some(), !components.is_empty(), "{dissipation}");
    if components.is_empty() {
        assert!(SystemPrograms::new(&model, &equations).frictions.outputs.is_empty());
        return;
    }
    let mut rng = Rng::with_seed(0xD4);
    for _ in 0..STATES {
        let at = Point::draw(&mut rng);
        friction.points.iter().for_each(|point| check_point(dissipation, &model, point, &at));
        check_forces(dissipation, &model, &equations, &at);
    }
}

#[test]
fn terms_are_found_with_their_rows_and_rates() {
    check("c*abs(ẋ)", &[1]);
    check("c*abs(ẋ - u*sin(t))", &[1]);
    check("c*m*abs(ẋ*cos(θ) + ẏ*sin(θ))/3", &[1]);
    check("c*sqrt(ẋ^2 + ẏ^2)", &[2]);
    check("c*sqrt(4*ẋ^2 + m*ẏ^2)", &[2]);
    check("c*sqrt(a^2*(ẋ^2 + ẏ^2))", &[2]);
    check("c*sqrt(a^2*(ẋ - θ̇)^2)", &[1]);
    check("c*sqrt(ẋ^2 + ẏ^2 + (a*θ̇)^2)", &[3]);
    check("c*sqrt((ẋ - a*θ̇*sin(θ))^2 + (ẏ + a*θ̇*cos(θ))^2)", &[2]);
    check("c*sqrt((ẋ - u*x)^2 + (ẏ + y)^2)", &[2]);
    check("(1 + x^2)*c*abs(ẋ) + c*θ̇^2 + m*sqrt(ẏ^2 + θ̇^2)", &[1, 2]);
    check("c*(abs(ẋ) + 2*(abs(ẏ) + m*abs(θ̇)))", &[1, 1, 1]);
    check("c*abs(ẋ) + m*abs(ẋ)", &[1]);
    check("c*abs(ẋ)/sqrt(1 + x^2)", &[1]);
}

#[test]
fn what_has_a_tangent_is_smooth() {
    for smooth in [
        "0",
        "c*ẋ^2",
        "c*abs(ẋ)^3",
        "c*(ẋ^2 + ẏ^2)^(3/2)",
        "c*ẋ*abs(ẋ)",
        "c*ẋ^3*abs(ẋ)",
        "c*sqrt(1 + ẋ^2)",
        "c*sqrt(ẋ^2 + a^2)",
        "c*abs(x)*ẋ^2",
        "c*sqrt(x^2 + y^2)*ẋ^2",
        "c*ẋ^2*exp(-ẏ^2)",
        "c*ln(cosh(ẋ))",
    ] {
        check(smooth, &[]);
    }
}

fn refused(dissipation: &str, wanted: KinkError) {
    let mut model = declaration(dissipation).model;
    match lagrange::derive(&mut model) {
        Err(DeriveError::Kink { error, .. }) => assert_eq!(error, wanted, "{dissipation}"),
        other => panic!("{dissipation}: {other:?}"),
    }
}

#[test]
fn other_kinks_are_refused() {
    refused("c*ẏ*abs(ẋ)", KinkError::Coefficient);
    refused("c*(1 + exp(-ẋ^2))*abs(ẋ)", KinkError::Coefficient);
    refused("c*abs(ẋ^2 - ẏ^2)", KinkError::Affine);
    refused("c*abs(ẋ*ẏ)", KinkError::Affine);
    refused("c*sqrt((ẋ^2 - ẏ)^2)", KinkError::Affine);
    refused("-2*abs(ẋ)", KinkError::Negative);
    refused("c*ẋ*sign(ẋ)", KinkError::Form);
    refused("c*abs(ẋ)*abs(ẏ)", KinkError::Form);
    refused("exp(abs(ẋ))", KinkError::Form);
    refused("sqrt(abs(ẋ))", KinkError::Form);
    refused("c*sqrt(ẋ^2 + 2*ẋ*ẏ + ẏ^2)", KinkError::Form);
    refused("c*(ẋ^2)^(1/4)", KinkError::Form);
}

/// The programs take w/‖w‖ as 0 at w = 0, the expressions do not.
#[test]
fn programs_have_no_force_where_nothing_slides() {
    for dissipation in ["c*sqrt(ẋ^2 + ẏ^2)", "c*sqrt((ẋ - a*θ̇)^2 + ẏ^2)", "c*abs(ẋ)"] {
        let mut model = declaration(dissipation).model;
        let equations = lagrange::derive(&mut model).expect("it derives");
        let programs = SystemPrograms::new(&model, &equations);
        let mut at = Point::draw(&mut Rng::with_seed(7));
        at.v = vec![0.0; 3];
        let run = |program: &eom_symbolic::program::Program| {
            program.evaluate(|symbol| at.value(&model, symbol))
        };
        assert_eq!(run(&programs.dynamics), run(&programs.frictionless), "{dissipation}");
        assert!(run(&programs.dynamics).iter().all(|a| a.is_finite()), "{dissipation}");
        assert_eq!(run(&programs.dry_friction), [0.0; 4], "{dissipation}");
    }
}
