//! Sensitivities and gradients against closed forms, differences of whole runs, and each other.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{LyapunovOptions, Section, Variations};
use eom_core::nalgebra::DVector;
use eom_core::{Options, State, System};
use eom_interpreter::Interpreted;

/// A ball on a floor: with V = √(v² + 2gh), t₁ = (v + V)/g, s = t − t₁ the height is e V s − g s²/2.
#[test]
fn a_bouncing_ball_in_closed_form() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } parameters { e = 0.7, g = 9.81 }
        kinetic = ẏ^2/2; potential = g*y; contact floor { gap = y; impact = restitution(e); } }",
    );
    let (h, v, e, g, t): (f64, f64, f64, f64, f64) = (1.0, 0.5, 0.7, 9.81, 0.8);
    let speed = (v * v + 2.0 * g * h).sqrt();
    let t1 = (v + speed) / g;
    let (s, d_speed) = (t - t1, h / speed);
    let d_t1 = (d_speed - t1) / g;
    let by_g =
        [e * d_speed * s - (e * speed - g * s) * d_t1 - s * s / 2.0, e * d_speed - s + g * d_t1];
    let expected = [[speed * s, speed], by_g];
    let variations = Variations::new(&ball).unwrap();
    let (start, options) = (State::new(0.0, [h], [v]), Options::default());
    let found = variations.sensitivities(&start, &[], &options, t, &["e", "g"]).unwrap();
    for (j, column) in expected.iter().enumerate() {
        for (i, value) in column.iter().enumerate() {
            assert!((found.matrix[(i, j)] - value).abs() < 1e-12, "{} {expected:?}", found.matrix);
        }
    }
    for (i, outcome) in [[1.0, 0.0], [0.0, 1.0]].iter().enumerate() {
        let outcome = DVector::from_row_slice(outcome);
        let found = variations.gradient(&start, &[], &options, t, &outcome).unwrap();
        for (j, column) in expected.iter().enumerate() {
            assert!((found.by_parameters[j] - column[i]).abs() < 1e-11, "{found:?} {expected:?}");
        }
    }
}

/// A ball that an input F carries: as without it, with g − F for g. Forwards, backwards, by the start, with an orbit and an
/// exponent of systems that have inputs.
#[test]
fn inputs_in_closed_form() {
    let source = |force: &str, g: &str| {
        format!(
            "/// A ball. \n system B {{ coordinates {{ y }} parameters {{ g = {g} }} inputs {{ {force} }}
            kinetic = ẏ^2/2; potential = g*y; force y = {force};
            contact floor {{ gap = y; impact = elastic; }} }}"
        )
    };
    let (carried, plain) = (interpreted(&source("F", "9.81")), interpreted(&source("F", "7.81")));
    let (start, options) = (State::new(0.0, [1.0], [0.5]), Options::default());
    let variations = Variations::new(&carried).unwrap();
    let found = variations.sensitivities(&start, &[2.0], &options, 2.0, &["F", "g"]).unwrap();
    assert_eq!(found.events.len(), 2);
    let expected = Variations::new(&plain).unwrap();
    let expected = expected.sensitivities(&start, &[0.0], &options, 2.0, &["g"]).unwrap();
    let outcome = DVector::from_row_slice(&[1.0, 0.0]);
    let gradient = variations.gradient(&start, &[2.0], &options, 2.0, &outcome).unwrap();
    for i in 0..2 {
        let by_g = expected.matrix[(i, 0)];
        assert!((found.matrix[(i, 0)] + by_g).abs() < 1e-11, "{found:?} {expected:?}");
        assert!((found.matrix[(i, 1)] - by_g).abs() < 1e-11, "{found:?} {expected:?}");
    }
    assert!((gradient.by_inputs[0] + expected.matrix[(0, 0)]).abs() < 1e-10, "{gradient:?}");
    // From its highest point it comes back: the period is 2√(2 y/(g − F)), and nothing near it grows.
    let section = Section::Impacts { contact: 0, count: 1 };
    let bounce = State::new(0.0, [0.0], [3.0]);
    let orbit = variations.orbit(&bounce, &[2.0], &options, section).unwrap();
    assert!((orbit.period - 6.0 / 7.81).abs() < 1e-13, "{orbit:?}");
    let asked = LyapunovOptions { count: 2, span: 1.0, spans: 50, transient: 0 };
    let exponents = variations.lyapunov(&start, &[2.0], &options, asked).unwrap();
    assert!(exponents.iter().all(|one| one.value.abs() < 0.2), "{exponents:?}");
}

/// The end of a run at t, with a parameter moved.
fn end(system: &Interpreted, name: &str, h: f64, start: &State, t: f64) -> DVector<f64> {
    let parameters = system.info().parameters;
    let mut values = vec![0.0; parameters.len()];
    system.parameters(&mut values);
    let moved = parameters.iter().zip(values);
    let moved =
        moved.map(|(known, value)| Some(if known.name == name { value + h } else { value }));
    let system = system.with_parameters(&moved.collect::<Vec<_>>()).unwrap();
    let options = Options { until_time: Some(t), ..Options::default() };
    let mut run = eom_core::Run::new(&system, start, &options).unwrap();
    let _ = run.advance_to(t);
    DVector::from_vec([&run.state().q[..], &run.state().v].concat())
}

/// Sensitivities against (y(p + h) − y(p − h))/2h with one step of Richardson; the gradient of an outcome against
/// both kinds of variations.
fn check(source: &str, start: &State, t: f64) {
    let system = interpreted(source);
    let names: Vec<&str> = system.info().parameters.iter().map(|known| known.name).collect();
    let variations = Variations::new(&system).unwrap();
    let options = Options::default();
    let found = variations.sensitivities(start, &[], &options, t, &names).unwrap();
    for (j, name) in names.iter().enumerate() {
        let central = |h: f64| {
            (end(&system, name, h, start, t) - end(&system, name, -h, start, t)) / (2.0 * h)
        };
        let expected = (central(1e-4) * 4.0 - central(2e-4)) / 3.0;
        let off = (found.matrix.column(j) - &expected).amax();
        assert!(off < 1e-8 * (1.0 + expected.amax()), "{name}: {off:e}\n{found:?}\n{expected}");
    }
    let whole = variations.transition(start, &[], &options, t).unwrap().matrix;
    let n = whole.nrows();
    let outcome = DVector::from_fn(n, |i, _| 1.0 + 0.3 * i as f64);
    let gradient = variations.gradient(start, &[], &options, t, &outcome).unwrap();
    let (by_start, by_parameters) = (whole.tr_mul(&outcome), found.matrix.tr_mul(&outcome));
    let size = 1.0 + by_start.amax() + by_parameters.amax();
    assert!((&gradient.by_start - &by_start).amax() < 1e-9 * size, "{gradient:?} {by_start}");
    assert!((&gradient.by_parameters - &by_parameters).amax() < 1e-9 * size, "{gradient:?}");
    assert_eq!(gradient.events.len(), found.events.len());
}

#[test]
fn through_impacts_and_resets() {
    check(
        "/// Two links and a wall. \n system D { coordinates { a, b } parameters { g = 9.81, m = 2, w = 1.2 }
        kinetic = m*ȧ^2/2 + ḃ^2/2 + ȧ*ḃ*cos(a - b); potential = -g*(m*cos(a) + cos(b));
        contact wall { gap = w - sin(a) - sin(b); impact = elastic; } }",
        &State::new(0.0, [0.3, -0.4], [0.5, 1.0]),
        3.0,
    );
    check(
        "/// A ball on a table that shakes, with spin that its own row turns round. \n
        system T { coordinates { x, z, φ } parameters { g = 9.81, A = 0.1, e = 0.8, k = 0.3, J = 0.4 }
        kinetic = (ẋ^2 + ż^2)/2 + J*φ̇^2/2; potential = g*z;
        contact table { gap = z - A*sin(5*t); constraints { grip: ẋ + φ̇; } impact = restitution(e, k); } }",
        &State::new(0.0, [0.0, 1.0, 0.0], [0.4, 0.0, 2.0]),
        1.2,
    );
    check(
        "/// Jumps. \n system J { coordinates { a, b } parameters { k = 2, c = 0.3, d = 0.9 }
        kinetic = (ȧ^2 + ḃ^2)/2; potential = k*(a^2 + b^2)/2 + a*b^3;
        event jump { guard = a + 0.2*ḃ - c*sin(t); rising;
            reset { a = -0.5 - 0.1*b^2; ȧ = d*ȧ + 0.1*a*b; b = b + 0.1*ḃ; } } }",
        &State::new(0.0, [-0.5, 0.7], [0.3, -0.4]),
        4.0,
    );
}

/// Closed contacts, friction that sticks and slides, surfaces that end, and free motion between them.
#[test]
fn through_contacts_and_friction() {
    let block = "/// A block. \n system B { coordinates { x, y } parameters { μ_s = 0.5, μ = 0.4, g = 9.81, k = 12, V = 2 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k*x^2/2 + x*y;
        contact floor { gap = y; slip = ẋ - V*cos(2*t); friction(μ_s, μ); impact = restitution(0); } }";
    check(block, &State::new(0.0, [0.2, 0.3], [0.5, 0.1]), 3.0);
    let hill = "/// A hill. \n system H { coordinates { x, y } parameters { g = 9.81, h = 0.4, μ = 0.2 }
        let hill = h*exp(-x^2); kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
        contact hill { gap = y - hill; slip = ẋ + ẏ*(-2*x*h*exp(-x^2)); friction = μ; impact = restitution(0); } }";
    check(hill, &State::new(0.0, [-2.0, 0.2], [7.0, -0.5]), 0.8);
    let table = "/// A table with a floor. \n system T { coordinates { x, y, z } parameters { g = 9.81, L = 1, μ = 0.2, e = 0.6 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z + x*y;
        contact table { gap = z; slip = [ẋ, ẏ]; friction = μ; when x + y^2/2 < L; impact = restitution(0); }
        contact floor { gap = z + 1/2; impact = restitution(e); } }";
    check(table, &State::new(0.0, [0.1, 0.2, 0.1], [3.0, 0.4, 0.0]), 0.9);
    let puck =
        "/// A puck. \n system P { coordinates { x, y, z } parameters { g = 10, V = 0.5, μ = 0.3 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z;
        contact belt { gap = z; slip = [ẋ - V, ẏ]; friction = μ; impact = restitution(0); } }";
    check(puck, &State::new(0.0, [0.1, 0.2, 0.2], [-1.0, 2.0, 0.1]), 1.5);
    let joint = "/// A joint. \n system J { coordinates { θ } parameters { F = 3, c = 0.7 }
        kinetic = θ̇^2/2; potential = -9*cos(θ) - F*sin(2*t)*θ; dissipation = c*abs(θ̇); }";
    check(joint, &State::new(0.0, [0.4], [0.3]), 6.0);
}

/// From a start in contact only what stays in it is a direction.
#[test]
fn from_a_start_in_contact() {
    let system = interpreted(
        "/// A block. \n system B { coordinates { x, y } parameters { μ = 0.2, g = 10 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
        contact floor { gap = y; slip = ẋ; friction = μ; impact = restitution(0); } }",
    );
    let variations = Variations::new(&system).unwrap();
    let start = State::new(0.0, [0.5, 0.0], [3.0, 0.0]);
    let outcome = DVector::from_row_slice(&[1.0, 5.0, 10.0, 7.0]);
    let found = variations.gradient(&start, &[], &Options::default(), 0.5, &outcome).unwrap();
    // x = x₀ + ẋ₀ t − μ g t²/2, of which 10 ẋ is the larger part.
    let expected = DVector::from_row_slice(&[1.0, 0.0, 0.5 + 10.0, 0.0]);
    assert!((found.by_start - expected).amax() < 1e-11);
    let by_μ = -10.0 * (0.125 + 10.0 * 0.5);
    assert!((found.by_parameters[0] - by_μ).abs() < 1e-10, "{}", found.by_parameters);
}

/// Speeds of its own, a rotation, and a mass matrix that is solved in a loop.
#[test]
fn of_other_kinds() {
    check(
        "/// A body. \n system B { rotation R { body: p, q, r } parameters { A = 1, C = 3, g = 2 }
        kinetic = (A*p^2 + 2*q^2 + C*r^2)/2; potential = -g*R[3][3] - R[1][2]; }",
        &State::new(0.0, [0.5_f64.cos(), 0.5_f64.sin(), 0.0, 0.0], [0.3, 0.4, -0.7]),
        2.0,
    );
    check(
        "/// Many in a ring. \n system M { coordinates { a, b, c, d, e, f, h, w } parameters { k = 2, m = 3 }
        kinetic = m*(ȧ^2 + ḃ^2 + ċ^2 + ḋ^2 + ė^2 + ḟ^2 + ḣ^2 + ẇ^2)/2 + ȧ*ḃ*cos(a - b) + ḃ*ċ*cos(b - c)
            + ċ*ḋ*cos(c - d) + ḋ*ė*cos(d - e) + ė*ḟ*cos(e - f) + ḟ*ḣ*cos(f - h) + ḣ*ẇ*cos(h - w) + ẇ*ȧ*cos(w - a);
        potential = k*(a^2 + b^2 + c^2 + d^2 + e^2 + f^2 + h^2 + w^2)/2 - cos(a - d); }",
        &State::new(0.0, [0.1, -0.2, 0.3, 0.4, -0.5, 0.2, 0.1, 0.3], [0.3, 0.1, -0.2, 0.4, 0.0, 0.1, 0.2, -0.3]),
        1.0,
    );
}

/// What is not there, and what is not known.
#[test]
fn refusals() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } parameters { e = 0.7, g = 9.81 }
        kinetic = ẏ^2/2; potential = g*y; contact floor { gap = y; impact = restitution(e^2); } }",
    );
    let variations = Variations::new(&ball).unwrap();
    let (start, options) = (State::new(0.0, [1.0], [0.0]), Options::default());
    let cases = [("m", "no entry `m`; there are: e, g"), ("e", "changes with `e` is not known")];
    for (name, said) in cases {
        let found = variations.sensitivities(&start, &[], &options, 0.8, &[name]);
        let text = found.map(|_| ()).unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
    assert!(variations.sensitivities(&start, &[], &options, 0.8, &["g"]).is_ok());
    let board = interpreted(
        "/// A board. \n system B { coordinates { x, φ } parameters { c = 0.4 } kinetic = (ẋ^2 + φ̇^2/12)/2;
        dissipation = integral(c*abs(ẋ + s*φ̇), s in -1..1); }",
    );
    let said = Variations::new(&board).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("is an integral"), "{said}");
    let short = variations.gradient(&start, &[], &options, 0.8, &DVector::zeros(1));
    assert!(short.map(|_| ()).unwrap_err().to_string().contains("the outcome"));
}
