//! Sensitivities by what a start depends on, against differences of runs that are begun anew.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod lengths;
mod resets;

use common::interpreted;
use eom_analysis::Variations;
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{
    AbsoluteTolerance, Given, Method, Options, Run, StartPolicy, StartRule, State, System,
    solve_unknowns,
};
use eom_interpreter::Interpreted;

/// The first scenario of a system, begun, with what is given in its place.
fn begin(system: &Interpreted, rule: &StartRule, given: &[f64]) -> (State, Vec<f64>) {
    let numbers = system.scenario(0).unwrap();
    let (mut start, mut inputs) = (State::new(numbers.t, numbers.q, numbers.v), numbers.u);
    for (place, value) in rule.given.iter().zip(given) {
        *match *place {
            Given::Time => &mut start.t,
            Given::Position(i) => &mut start.q[i],
            Given::Velocity(i) => &mut start.v[i],
            Given::Input(i) => &mut inputs[i],
        } = *value;
    }
    solve_unknowns(system, &rule.solved, &mut start).unwrap();
    (start, inputs)
}

/// The system with a parameter moved.
fn moved(system: &Interpreted, name: &str, h: f64) -> Interpreted {
    let parameters = system.info().parameters;
    let mut values = vec![0.0; parameters.len()];
    system.parameters(&mut values);
    let all = parameters.iter().zip(values);
    let all = all.map(|(known, value)| Some(if known.name == name { value + h } else { value }));
    system.with_parameters(&all.collect::<Vec<_>>()).unwrap()
}

fn options() -> Options {
    Options {
        method: Method::RungeKutta,
        relative_tolerance: 1e-13,
        absolute_tolerance: AbsoluteTolerance::All(1e-14),
        start: StartPolicy::Project,
        ..Options::default()
    }
}

/// The end of a run that is begun anew.
fn end(system: &Interpreted, (rule, given): (&StartRule, &[f64]), t: f64) -> DVector<f64> {
    let (start, inputs) = begin(system, rule, given);
    let options = Options { until_time: Some(t), ..options() };
    let mut run = Run::with_inputs(system, &start, &inputs, &options).unwrap();
    let _ = run.advance_to(t);
    assert!(run.t() >= t, "{:?}", run.end());
    DVector::from_vec([&run.state().q[..], &run.state().v].concat())
}

/// Weights of central differences over h, 2h, 4h: what is left of odd powers of h, or of all, beside the slope.
const SMOOTH: [f64; 3] = [64.0 / 45.0, -20.0 / 45.0, 1.0 / 45.0];
const KINKED: [f64; 3] = [8.0 / 3.0, -2.0, 1.0 / 3.0];

/// ∂y(t)/∂p of all parameters of scenario 0, forwards, against differences and backwards.
fn check_by(
    source: &str,
    (rule, given): (&StartRule, &[f64]),
    weights: [f64; 3],
    t: f64,
) -> DMatrix<f64> {
    let system = interpreted(source);
    let names: Vec<&str> = system.info().parameters.iter().map(|known| known.name).collect();
    let (start, inputs) = begin(&system, rule, given);
    let variations = Variations::new(&system).unwrap().begun(rule.clone());
    let found = variations.sensitivities(&start, &inputs, &options(), t, &names).unwrap();
    for (j, name) in names.iter().enumerate() {
        let at = |h: f64| end(&moved(&system, name, h), (rule, given), t);
        let central = |h: f64| (at(h) - at(-h)) / (2.0 * h);
        let [fine, middle, coarse] = weights;
        let expected = central(1e-3) * fine + central(2e-3) * middle + central(4e-3) * coarse;
        let off = (found.matrix.column(j) - &expected).amax();
        let size = 1.0 + expected.amax();
        assert!(off < 1e-9 * size, "{name}: {off:e}\n{}\n{expected}", found.matrix);
    }
    let count = found.matrix.nrows();
    let outcome = DVector::from_fn(count, |i, _| 1.0 + 0.3 * i as f64);
    let gradient = variations.gradient(&start, &inputs, &options(), t, &outcome).unwrap();
    let expected = found.matrix.tr_mul(&outcome);
    let off = (&gradient.by_parameters - &expected).amax();
    assert!(off < 1e-10 * (1.0 + expected.amax()), "{off:e} {gradient:?} {expected}");
    found.matrix
}

fn check(source: &str, t: f64) -> DMatrix<f64> {
    let rule = StartRule::of_scenario(interpreted(source).info(), 0);
    check_by(source, (&rule, &[]), SMOOTH, t)
}

/// x² + y² = l² with y solved for, and its speed; as an angle, l sin θ₀ = x₀ stays.
#[test]
fn a_pendulum_on_its_rod() {
    let rod = "/// A pendulum. \n system P { coordinates { x, y } parameters { l = 1, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; holonomic { rod: x^2 + y^2 = l^2; }
        scenario a { x = 0.6; y = -0.8; ẋ = 0.5; solve y, ẏ; until t = 2; } }";
    let angle = "/// A pendulum. \n system A { coordinates { θ } parameters { l = 1, g = 9.81 }
        kinetic = l^2*θ̇^2/2; potential = -g*l*cos(θ);
        scenario a { θ = asin(0.6/l); θ̇ = 0.5/(l*cos(asin(0.6/l))); until t = 2; } }";
    let found = check(rod, 2.0);
    let by = check(angle, 2.0);
    let end = end(
        &interpreted(angle),
        (&StartRule { scenario: Some(0), ..StartRule::default() }, &[]),
        2.0,
    );
    // x = l sin θ.
    let expected = end[0].sin() + end[0].cos() * by[(0, 0)];
    assert!((found[(0, 0)] - expected).abs() < 1e-10, "{found} {expected}");
}

/// Nothing is solved for: what is left beside the rod is taken away in the metric of the kinetic energy.
#[test]
fn what_is_projected() {
    let rod = |start: &str| {
        format!(
            "/// A pendulum. \n system P {{ coordinates {{ x, y }} parameters {{ l = 1, g = 9.81, m = 3 }}
        kinetic = (ẋ^2 + m*ẏ^2)/2; potential = g*y; holonomic {{ rod: x^2 + y^2 = l^2; }}
        scenario a {{ {start} until t = 2; }} }}"
        )
    };
    check(&rod("x = 0.6; y = -0.8; ẋ = 0.5; ẏ = 0.375;"), 1.3);
    check(&rod("x = 0.6*l; y = -0.8*l; ẋ = 0.5; ẏ = 0.375;"), 1.3);
    check(&rod("x = 0.6; y = -sqrt(l^2 - 0.36); ẋ = 0.5; solve ẏ;"), 1.3);
}

/// Rows of velocities, with speeds of their own, a rotation, several rows, a row that moves with t, a start t₀(p), u(p).
#[test]
fn of_other_kinds() {
    // A knife edge that turns with a speed of its own, its arm a parameter.
    check(
        "/// A knife. \n system K { coordinates { x, y, θ } parameters { a = 0.3, g = 2, α = 0.4 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4; potential = g*x*sin(α);
        constraints { edge: -ẋ*sin(θ) + ẏ*cos(θ) - a*θ̇ = 0; }
        scenario a { θ = 0.2; ẋ = 0.4; θ̇ = 0.7; solve ẏ; until t = 2; } }",
        2.0,
    );
    // A wheel that rolls down.
    check(
        "/// A wheel. \n system W { coordinates { x, φ } parameters { R = 0.5, g = 9.81, k = 0.3 }
        kinetic = ẋ^2/2 + φ̇^2/5; potential = -g*x/2 + k*φ^2; constraints { rolls: ẋ - R*φ̇ = 0; }
        scenario a { x = 0.2; ẋ = 0.7*R; φ = 0.1; solve φ̇; until t = 1; } }",
        1.0,
    );
    check(
        "/// A four-bar. \n system F { coordinates { α, β, γ } parameters { a = 0.4, b = 1, c = 0.8, d = 1.1 }
        kinetic = (α̇^2 + β̇^2 + γ̇^2)/2 + α̇*β̇*cos(α - β)/5; potential = 3*sin(α) + sin(β);
        holonomic { across: a*cos(α) + b*cos(β) - c*cos(γ) = d; up: a*sin(α) + b*sin(β) = c*sin(γ); }
        scenario a { α = 1; β = 0.4; γ = 1.5; α̇ = 2; solve β, γ, β̇, γ̇; until t = 1; } }",
        1.0,
    );
    check(
        "/// A bead on a hoop that grows. \n system H { coordinates { x, y } parameters { l = 1, w = 0.7, t0 = 0.3 } inputs { F }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 9*y; force x = F; holonomic { hoop: x^2 + y^2 = (l + w*t)^2; }
        scenario a { t = t0; x = 0.6; y = -1; ẋ = 0.1; F = 2*w; solve y, ẏ; until t = 2; } }",
        1.2,
    );
    check(
        "/// A ball that rolls. \n system B { coordinates { x, y } rotation R { body: p, q, r } parameters { a = 0.4, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2 + (p^2 + 2*q^2 + 1.5*r^2)*a^2/5; potential = -g*x/3;
        constraints { roll: ẋ - a*(R[2][1]*p + R[2][2]*q + R[2][3]*r) = 0; pitch: ẏ + a*(R[1][1]*p + R[1][2]*q + R[1][3]*r) = 0; }
        scenario a { p = 0.5; q = 0.2; r = 1; ẋ = 0.1; solve ẋ, ẏ; until t = 1; } }",
        0.8,
    );
}

/// What is given in place of a scenario's number stays.
#[test]
fn what_is_given_stays() {
    let source = "/// A block. \n system B { coordinates { x } parameters { p = 0.5, k = 3 }
        kinetic = ẋ^2/2; potential = k*x^2/2; scenario a { x = p; ẋ = p^2; until t = 1; } }";
    let given = StartRule {
        given: vec![Given::Position(0)],
        ..StartRule::of_scenario(interpreted(source).info(), 0)
    };
    check(source, 0.7);
    let found = check_by(source, (&given, &[0.25]), SMOOTH, 0.7);
    let w = 3.0_f64.sqrt();
    assert!((found[(0, 0)] - (0.7 * w).sin() / w).abs() < 1e-12, "{found}");
}

/// Closed contacts, what sticks and slides there, and impacts behind them.
#[test]
fn with_contacts() {
    // A block on a floor of a height that is a parameter, with an own row, and a wall behind.
    check(
        "/// A block. \n system B { coordinates { x, y } parameters { h = 0.2, μ = 0.3, g = 9.81, w = 1, e = 0.6, v0 = 3 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
        contact floor { gap = y - h*(1 + x/5); slip = ẋ; friction = μ; impact = restitution(0); }
        contact wall { gap = w - x; impact = restitution(e); }
        scenario a { x = 0.1; y = h*(1 + 0.1/5); ẋ = v0; ẏ = h*v0/5; until t = 2; } }",
        0.6,
    );
    // On a belt that it stands on: V + δV slides, and sticks at once.
    check(
        "/// A belt. \n system B { coordinates { x, y } parameters { V = 0.4, μ = 0.5, g = 9.81, k = 2 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k*x^2/2;
        contact floor { gap = y; slip = ẋ - V; friction = μ; impact = restitution(0); }
        scenario a { x = 0.1; ẋ = V; until t = 2; } }",
        0.6,
    );
    // Two rods and an impact: by their lengths.
    check(
        "/// Two links and a wall. \n system D { coordinates { x, y, z, w } parameters { a = 1, b = 0.7, d = 0.9, e = 0.5 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2)/2; potential = 9.81*(y + w);
        holonomic { upper: x^2 + y^2 = a^2; lower: (z - x)^2 + (w - y)^2 = b^2; }
        contact wall { gap = d - z; impact = restitution(e); }
        scenario a { x = 0.3; y = -1; z = 0.1; w = -2; ẋ = 1.5; ż = 3; solve y, w, ẏ, ẇ; until t = 2; } }",
        0.7,
    );
}

/// The numbers of the start stay, and the belt does not: it slides for δt, and sticks, with x off by ± δt²/2. In a plane, too.
#[test]
fn a_belt_that_changes_under_what_stands_on_it() {
    let check = |source: &str, t: f64| {
        let rule = StartRule::of_scenario(interpreted(source).info(), 0);
        check_by(source, (&rule, &[]), KINKED, t);
    };
    check(
        "/// A belt. \n system B { coordinates { x, y } parameters { V = 0.4, μ = 0.5, g = 9.81, k = 2 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k*x^2/2;
        contact floor { gap = y; slip = ẋ - V; friction = μ; impact = restitution(0); }
        scenario a { x = 0.1; ẋ = 0.4; until t = 2; } }",
        0.6,
    );
    // The block tilts where it sticks: the slip is that of its foot.
    check(
        "/// A foot. \n system F { coordinates { x, y, z, s } parameters { V = 0.4, U = 0.1, μ = 0.5, g = 9.81, k = 2 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + ṡ^2/4 + ẋ*ṡ/5; potential = g*z + k*(x^2 + y^2 + s^2)/2;
        contact floor { gap = z; slip = [ẋ + ṡ/3 - V, ẏ - U]; friction = μ; impact = restitution(0); }
        scenario a { x = 0.1; ẋ = 0.4; ẏ = 0.1; until t = 2; } }",
        0.4,
    );
}

/// Two feet that stand: y = (a + b)/2, θ = (b − a)/(2 w). A third does not come along.
#[test]
fn feet_on_floors_that_move() {
    let source = |third: &str| {
        format!(
            "/// Feet. \n system F {{ coordinates {{ x, y, θ }} parameters {{ a = 0, b = 0, w = 0.5, c = 0 }}
        kinetic = (ẋ^2 + ẏ^2 + θ̇^2/3)/2; potential = 9.81*y;
        contact left {{ gap = y - w*sin(θ) - a; slip = ẋ; friction = 1/2; impact = restitution(0); }}
        contact right {{ gap = y + w*sin(θ) - b; slip = ẋ; friction = 1/2; impact = restitution(0); }}
        {third} scenario a {{ until t = 1; }} }}"
        )
    };
    let rule = StartRule { scenario: Some(0), ..StartRule::default() };
    let sensitivities = |source: &str| {
        let system = interpreted(source);
        let (start, inputs) = begin(&system, &rule, &[]);
        let variations = Variations::new(&system).unwrap().begun(rule.clone());
        let found = variations.sensitivities(&start, &inputs, &options(), 0.5, &["a", "b", "w"]);
        found.map(|found| found.matrix)
    };
    let found = sensitivities(&source("")).unwrap();
    let expected = DMatrix::from_row_slice(3, 3, &[0.0, 0.0, 0.0, 0.5, 0.5, 0.0, -1.0, 1.0, 0.0]);
    assert!((found.rows(0, 3) - expected).amax() < 1e-12, "{found}");
    assert!(found.rows(3, 3).amax() < 1e-12, "{found}");
    let third = "contact middle { gap = y - c; impact = restitution(0); }";
    let refused = sensitivities(&source(third)).unwrap_err().to_string();
    assert!(refused.contains("does not hold beside the others where `a` changes"), "{refused}");
}

mod compiled {
    eom_core::lagrangian! {
        /// A bead on a rail.
        pub system Bead {
            coordinates { x, y }
            parameters { c = 0.5, u = 1 }
            kinetic = (ẋ^2 + ẏ^2)/2;
            holonomic { rail: y = c*x; }
            scenario glide { x = 2; ẋ = u^2; solve y, ẏ; until t = 3; }
        }
    }
}

/// y = c (2 + u² t) of a compiled system.
#[test]
fn a_compiled_system() {
    let bead = compiled::Bead::default();
    let rule = StartRule::of_scenario(bead.info(), 0);
    let variations = Variations::new(&bead).unwrap().begun(rule);
    let start = bead.start("glide").unwrap();
    let found = variations.sensitivities(&start, &[], &options(), 3.0, &["c", "u"]).unwrap();
    let expected = DMatrix::from_row_slice(4, 2, &[0.0, 6.0, 5.0, 3.0, 0.0, 2.0, 1.0, 1.0]);
    assert!((&found.matrix - expected).amax() < 1e-12, "{}", found.matrix);
}

/// What just begins to slide turns on one side and not on the other.
#[test]
fn a_slip_that_begins() {
    let system = interpreted(
        "/// A belt. \n system B { coordinates { x, y } parameters { V = 0, F = 8 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y - F*x;
        contact floor { gap = y; slip = ẋ - V; friction = 1/2; impact = restitution(0); }
        scenario a { until t = 2; } }",
    );
    let variations = Variations::new(&system).unwrap();
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let found = |name| variations.sensitivities(&start, &[], &options(), 0.5, &[name]);
    let refused = found("V").unwrap_err().to_string();
    assert!(refused.contains("begins to slide, and its slip changes with `V`"), "{refused}");
    assert!((found("F").unwrap().matrix[(0, 0)] - 0.125).abs() < 1e-12);
}
