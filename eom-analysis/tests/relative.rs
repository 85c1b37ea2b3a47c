//! Motions that are steady but for a turn that is a symmetry, against closed forms.

mod common;

use common::interpreted;
use eom_analysis::{
    AnalysisError, CrossingKind, Linearisation, StateSpace, SteadyOptions, critical_values,
};
use eom_core::nalgebra::DMatrix;
use eom_core::{State, System as _};
use eom_interpreter::Interpreted;

const TOP: &str = "/// A top.
    system Top {
        rotation R { body: p, q, r }
        parameters { A = 2 where A > 0, B = 2 where B > 0, C = 1 where C > 0, mgl = 5 }
        kinetic = A/2*p^2 + B/2*q^2 + C/2*r^2;
        potential = mgl*R[3][3];
        output height = R[3][3];
        output side = R[1][3];
    }";

/// Asleep upright about the vertical: (1, 0, 0, 0) turned by an angle about it.
fn asleep(n: f64) -> State {
    let half = 0.35_f64;
    State::new(0.0, [half.cos(), 0.0, 0.0, half.sin()], [0.0, 0.0, n])
}

fn matrix(top: &Interpreted, n: f64) -> Result<DMatrix<f64>, AnalysisError> {
    Ok(StateSpace::new(top)?.linearise(&asleep(n), &[])?.a)
}

/// Lagrange's top sleeps where C² n² > 4 A m g l. As it turns about the vertical its swings have the frequencies
/// (C n ± √(C² n² − 4 A m g l))/(2 A) − n (Goldstein, section 5.7: ψ̇ of the axis in space, less that of the frame).
#[test]
fn a_top_asleep() {
    let top = interpreted(TOP);
    let (a, c, mgl) = (2.0, 1.0, 5.0);
    let n: f64 = 8.0;
    let linear = StateSpace::new(&top).unwrap().linearise(&asleep(n), &[]).unwrap();
    let [turn] = &linear.turns[..] else { panic!("{:?}", linear.turns) };
    assert_eq!(turn.what, "R about axis 3 in space");
    assert!((turn.rate - n).abs() < 1e-13, "{turn:?}");
    // The height stays as it turns, the place beside it does not.
    assert_eq!(linear.outputs, ["height"]);
    let found = linear.eigenvalues().unwrap();
    let root = (c * c * n * n - 4.0 * a * mgl).sqrt();
    let mut swings = [1.0, -1.0].map(|sign| ((c * n + sign * root) / (2.0 * a) - n).abs());
    swings.sort_by(|one, other| other.total_cmp(one));
    for (pair, ω) in found.chunks(2).zip(swings) {
        assert!((pair[0].im - ω).abs() < 1e-11 && pair[0].re.abs() < 1e-12, "{found:?} {swings:?}");
    }
    // Awake: growth √(4 A m g l − C² n²)/(2 A).
    let n: f64 = 3.0;
    let growth = (4.0 * a * mgl - c * c * n * n).sqrt() / (2.0 * a);
    let values = eom_analysis::eigenvalues(&matrix(&top, n).unwrap()).unwrap();
    assert!((values[0].re - growth).abs() < 1e-12, "{values:?}");
    let found = critical_values(&[4.0, 5.0, 6.0, 7.0, 8.0], |n| matrix(&top, n)).unwrap();
    let [crossing] = found[..] else { panic!("{found:?}") };
    assert!((crossing.at - (4.0 * a * mgl).sqrt() / c).abs() < 1e-9, "{crossing:?}");
    assert!(matches!(crossing.kind, CrossingKind::Meeting { .. }), "{crossing:?}");
}

/// One that is not symmetric turns about a principal axis: with hardly any weight about the middle one it falls over at
/// n √((C − A)(B − C)/(A B)), Euler.
#[test]
fn a_body_that_is_not_symmetric() {
    let changed = [("A = 2", "A = 1"), ("B = 2", "B = 3"), ("C = 1", "C = 2"), ("= 5", "= 1e-6")];
    let source = changed.iter().fold(TOP.to_owned(), |source, (from, to)| source.replace(from, to));
    let top = interpreted(&source);
    let n = 4.0;
    let values = eom_analysis::eigenvalues(&matrix(&top, n).unwrap()).unwrap();
    let growth = n * ((2.0_f64 - 1.0) * (3.0 - 2.0) / 3.0).sqrt();
    assert!((values[0].re - growth).abs() < 1e-6, "{values:?}");
    // Tilted it does not stay.
    let half = 0.2_f64;
    let tilted = State::new(0.0, [half.cos(), half.sin(), 0.0, 0.0], [0.0, 0.0, n]);
    let refused = StateSpace::new(&top).unwrap().linearise(&tilted, &[]);
    assert!(matches!(refused, Err(AnalysisError::NotSteady { .. })), "{refused:?}");
}

/// The steady precession of a symmetric top at a tilt, the slow one: A cos θ Ω² − C r Ω + m g l = 0 (Goldstein 5.76). It
/// turns about the vertical and about its own axis.
#[test]
fn a_top_that_precesses() {
    let top = interpreted(TOP);
    let (a, c, mgl, r, tilt) = (2.0, 1.0, 5.0, 9.0, 0.6_f64);
    let root: f64 = c * r * c * r - 4.0 * a * tilt.cos() * mgl;
    let precession = (c * r - root.sqrt()) / (2.0 * a * tilt.cos());
    // Tilted about axis 1: the vertical in the body is (0, sin θ, cos θ).
    let half = 0.5 * tilt;
    let v = [0.0, precession * tilt.sin(), r];
    let state = State::new(0.0, [half.cos(), half.sin(), 0.0, 0.0], v);
    let linear = StateSpace::new(&top).unwrap().linearise(&state, &[]).unwrap();
    let rate = |what: &str| {
        linear.turns.iter().find(|turn| turn.what == what).map_or(0.0, |turn| turn.rate)
    };
    assert!((rate("R about axis 3 in space") - precession).abs() < 1e-11, "{:?}", linear.turns);
    let spin = r - precession * tilt.cos();
    assert!((rate("R about axis 3 of its own") - spin).abs() < 1e-11, "{:?}", linear.turns);
    // It nods at A ω² = (C r − 2 A Ω cos θ)²/A + A Ω² sin²θ: of the effective potential of the tilt.
    let nod = ((c * r - 2.0 * a * precession * tilt.cos()).powi(2) / (a * a)
        + (precession * tilt.sin()).powi(2))
    .sqrt();
    let found = linear.eigenvalues().unwrap();
    assert!((found[0].im - nod).abs() < 1e-9, "{found:?} {nod}");
}

/// A conical pendulum in the coordinates of its point: it nods at Ω √(1 + 3 cos²θ), Ω² = g/(l cos θ).
#[test]
fn a_conical_pendulum() {
    let pendulum = interpreted(
        "/// A pendulum.
        system Pendulum {
            coordinates { x, y, z }
            parameters { l = 2 where l > 0, g = 9.81 where g > 0 }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
            potential = g*z;
            holonomic { rod: x^2 + y^2 + z^2 = l^2; }
        }",
    );
    let (l, g, tilt) = (2.0, 9.81, 0.8_f64);
    let rate = (g / (l * tilt.cos())).sqrt();
    let (q, v) = ([l * tilt.sin(), 0.0, -l * tilt.cos()], [0.0, rate * l * tilt.sin(), 0.0]);
    let linear =
        StateSpace::new(&pendulum).unwrap().linearise(&State::new(0.0, q, v), &[]).unwrap();
    let [turn] = &linear.turns[..] else { panic!("{:?}", linear.turns) };
    assert_eq!(turn.what, "the plane of x, y");
    assert!((turn.rate - rate).abs() < 1e-12, "{turn:?}");
    let found = linear.eigenvalues().unwrap();
    let nod = rate * (1.0 + 3.0 * tilt.cos().powi(2)).sqrt();
    // Beside it 0 twice with one vector, which rounding tells to its root: another cone, and where on it.
    assert_eq!(found.len(), 4);
    assert_eq!(found.iter().filter(|value| value.norm_sqr() < 1e-14).count(), 2, "{found:?}");
    let fastest = found.iter().map(|value| value.im).fold(0.0, f64::max);
    assert!((fastest - nod).abs() < 1e-9, "{found:?} {nod}");
    // A wind across: nothing turns on.
    let blown = interpreted(
        "/// A pendulum in a wind.
        system Blown {
            coordinates { x, y, z }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
            potential = 9.81*z - 1e-3*x;
            holonomic { rod: x^2 + y^2 + z^2 = 4; }
        }",
    );
    let refused = StateSpace::new(&blown).unwrap().linearise(&State::new(0.0, q, v), &[]);
    assert!(matches!(refused, Err(AnalysisError::NotSteady { .. })), "{refused:?}");
}

/// A disc that rolls round a point, its centre at rest where Ω² = 4 g/(R sin α) (Euler's disk; Moffatt 2000), in coordinates of
/// space: it turns in the plane with its heading. Along speeds of its own the same motion is steady, and nods alike.
#[test]
fn a_disc_that_rolls_in_a_turn() {
    let (m, r, g, α) = (1.3_f64, 0.5_f64, 9.81_f64, 0.3_f64);
    let disc = |velocities: &str, along: &str, across: &str| {
        interpreted(&format!(
            "/// A disc. \n system Disc {{ coordinates {{ x, y, φ, α, ψ }} {velocities}
            parameters {{ m = {m}, R = {r}, g = {g} }}
            let w = φ̇*cos(α) + ψ̇;
            kinetic = m/2*(ẋ^2 + ẏ^2 + R^2*cos(α)^2*α̇^2) + m*R^2/8*(α̇^2 + φ̇^2*sin(α)^2) + m*R^2/4*w^2;
            potential = m*g*R*sin(α);
            constraints {{ along: {along} + R*w = 0; across: {across} + R*α̇*sin(α) = 0; }} }}"
        ))
    };
    let in_space = disc("", "cos(φ)*ẋ + sin(φ)*ẏ", "cos(φ)*ẏ - sin(φ)*ẋ");
    let own = "velocities { u = cos(φ)*ẋ + sin(φ)*ẏ, n = cos(φ)*ẏ - sin(φ)*ẋ }";
    let along_own = disc(own, "u", "n");
    let rate = 2.0 * (g / (r * α.sin())).sqrt();
    let q = [0.2, -0.4, 0.7, α, 0.1];
    // Of the disc in space: x, y, φ, α, ψ; of the other one its speeds stand behind the coordinates that keep theirs.
    let linear = |disc: &Interpreted| {
        let names = disc.info();
        let place = |name: &str| (0..names.speeds()).find(|i| names.speed_name(*i).contains(name));
        let mut v = vec![0.0; names.speeds()];
        v[place("φ").unwrap()] = rate;
        v[place("ψ").unwrap()] = -rate * α.cos();
        StateSpace::new(disc).unwrap().linearise(&State::new(0.0, q, v), &[]).unwrap()
    };
    let (turned, steady) = (linear(&in_space), linear(&along_own));
    assert!(steady.turns.is_empty());
    for what in ["the plane of x, y", "φ"] {
        let turn = turned.turns.iter().find(|turn| turn.what == what).unwrap();
        assert!((turn.rate - rate).abs() < 1e-11, "{:?}", turned.turns);
    }
    let fastest = |linear: &Linearisation| {
        let values = linear.eigenvalues().unwrap();
        let unstable = values.iter().map(|value| value.re).fold(0.0, f64::max);
        (values.iter().map(|value| value.im).fold(0.0, f64::max), unstable)
    };
    let ((nods, grows), (wanted, _)) = (fastest(&turned), fastest(&steady));
    assert!((nods - wanted).abs() < 1e-9 && nods > 1.0, "{nods} {wanted}");
    assert!(grows < 1e-5, "{grows}");
}

/// In a turn the rows turn, too: a conical pendulum swings about its circle with ω √(1 + 3 cos²θ), whether a row, a contact or
/// both sides of a bowl hold it, and the force of the row is as the motion has it: λ = m (g cos θ + v²/l) of a length l.
#[test]
fn a_conical_pendulum_held() {
    let (l, g, θ) = (2.0_f64, 9.81_f64, 0.5_f64);
    let ω = (g / (l * θ.cos())).sqrt();
    let start = State::new(0.0, [l * θ.sin(), 0.0, -l * θ.cos()], [0.0, l * θ.sin() * ω, 0.0]);
    let body = "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*z;";
    let linear = |held: &str| {
        let system = interpreted(&format!("/// Held. \n system P {{ {body} {held} }}"));
        StateSpace::new(&system).unwrap().linearise(&start, &[]).unwrap()
    };
    let row = linear("holonomic { rod: sqrt(x^2 + y^2 + z^2) = 2; } output N = λ(rod);");
    let contact = linear(
        "contact bowl { gap = 2 - sqrt(x^2 + y^2 + z^2); impact = plastic; } output N = λ(bowl);",
    );
    let square = linear("holonomic { rod: x^2 + y^2 + z^2 = 4; }");
    let expected = ω * (1.0 + 3.0 * θ.cos().powi(2)).sqrt();
    for found in [&row, &contact, &square] {
        let values = found.eigenvalues().unwrap();
        assert!((values[0].im - expected).abs() < 1e-12, "{values:?} {expected}");
        assert_eq!(found.is_stable().unwrap(), None, "{values:?}");
    }
    // ∂N/∂ẏ = 2 v/l along the circle, with the sign of the row.
    for (found, sign) in [(&row, -1.0), (&contact, 1.0)] {
        let place = found.free.iter().position(|entry| entry.ascii == "y_dot").unwrap();
        let slope = 2.0 * l * θ.sin() * ω / l;
        assert!((found.c[(0, place)] - sign * slope).abs() < 1e-11, "{} {slope}", found.c);
    }
}

/// A bead pushed round a wire of radius 2 against friction μ N = μ v²/2: v̇ = 2F − μ v²/2, δv̇ = −μ v δv at v² = 4F/μ.
#[test]
fn friction_of_a_row_in_a_turn() {
    let body = "coordinates { x, y } parameters { μ = 0.2, F = 0.1 } kinetic = (ẋ^2 + ẏ^2)/2;
        force x = -F*y; force y = F*x;";
    let v = 2.0_f64.sqrt();
    let start = State::new(0.0, [2.0, 0.0], [0.0, v]);
    for held in [
        "holonomic { wire: sqrt(x^2 + y^2) = 2; } row wire { slip = (x*ẏ - y*ẋ)/2; friction = μ; }",
        "contact wire { gap = 2 - sqrt(x^2 + y^2); slip = (x*ẏ - y*ẋ)/2; friction = μ; impact = plastic; }",
    ] {
        let system = interpreted(&format!("/// Pushed. \n system W {{ {body} {held} }}"));
        let found = StateSpace::new(&system).unwrap().linearise(&start, &[]).unwrap();
        let values = found.eigenvalues().unwrap();
        let least = values.iter().map(|value| value.re).fold(0.0, f64::min);
        assert!((least + 0.2 * v).abs() < 1e-12, "{held}: {values:?}");
    }
}

/// What moves at any speed along a turn is of no sign, whatever the subtraction of the turn leaves.
#[test]
fn turns_at_any_speed() {
    let table: [(&str, State); 2] = [
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; holonomic { b: sqrt(x^2 + y^2) = 2; }",
            State::new(0.0, [2.0, 0.0], [0.0, 1.0]),
        ),
        (
            "coordinates { x, y, φ, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4 + φ̇^2/8;
            constraints { a: ẋ = cos(φ)*θ̇; b: ẏ = sin(φ)*θ̇; }",
            State::new(0.0, [0.0; 4], [1.0, 0.0, 1.0, 1.0]),
        ),
    ];
    for (body, start) in table {
        let system = interpreted(&format!("/// Turns. \n system T {{ {body} }}"));
        let found = StateSpace::new(&system).unwrap().linearise(&start, &[]).unwrap();
        assert!(!found.turns.is_empty(), "{found:?}");
        assert_eq!((found.is_stable().unwrap(), found.unstable().unwrap()), (None, 0), "{found:?}");
    }
}

/// Beads on a ring that repel each other turn all alike, at any rate; carts on springs drift all alike, whatever little the
/// springs do. Planes of coordinates have no part in it.
#[test]
fn shifts_of_several_coordinates() {
    let ring = interpreted(
        "/// Beads on a ring. \n system B { coordinates { f[1..=3] } kinetic = (f1_dot^2 + f2_dot^2 + f3_dot^2)/2;
        potential = 1/(2 - 2*cos(f1 - f2)) + 1/(2 - 2*cos(f2 - f3)) + 1/(2 - 2*cos(f3 - f1)); }",
    );
    let third = std::f64::consts::TAU / 3.0;
    for rate in [0.1, 2.0, 10.0, 1e4] {
        let state = State::new(0.0, [0.0, third, 2.0 * third], [rate; 3]);
        let linear = StateSpace::new(&ring).unwrap().linearise(&state, &[]).unwrap();
        let names: Vec<&str> = linear.turns.iter().map(|turn| turn.what.as_str()).collect();
        assert_eq!(names, ["f1", "f2", "f3"]);
        assert!(
            linear.turns.iter().all(|turn| (turn.rate - rate).abs() < 1e-13 * rate),
            "{linear:?}"
        );
        // ω² = 3 U'' of U = 1/(2 − 2 cos x) at x = 2π/3: U'' = (2 + cos x)/(8 sin⁴(x/2)) = 1/3.
        let found = linear.eigenvalues().unwrap();
        assert!(
            (found[0].im - 1.0).abs() < 1e-11 && (found[1].im - 1.0).abs() < 1e-11,
            "{found:?}"
        );
    }
    for k in [1.0, 1e-6, 1e-9, 1e-12, 1e-17, -5e-17] {
        let carts = interpreted(&format!(
            "/// Carts. \n system C {{ coordinates {{ x, y, z }} parameters {{ k = {k:e} }}
            kinetic = (ẋ^2 + 3*ẏ^2 + ż^2)/2; potential = k/2*((y - x - 1)^2 + (z - y - 1)^2); }}"
        ));
        let state = State::new(0.0, [0.0, 1.0, 2.0], [0.7; 3]);
        let linear = StateSpace::new(&carts).unwrap().linearise(&state, &[]).unwrap();
        assert_eq!(linear.turns.len(), 3, "{k:e}: {:?}", linear.turns);
    }
}

/// A sleigh that is pushed round along speeds of its own, its energy by those in space, whose sines and cosines cancel:
/// m u̇ = m a ω² − c u + F, (J + m a²) ω̇ = −m a u ω − d ω + τ.
#[test]
fn a_turn_by_speeds_in_space() {
    let (m, a, j, c, d, u, w) = (1.3, 0.4, 0.7, 0.5, 0.2, 2.0_f64, 0.9_f64);
    let (push, torque) = (c * u - m * a * w * w, (m * a * u + d) * w);
    let sleigh = interpreted(&format!(
        "/// A sleigh. \n system S {{ coordinates {{ x, y, φ }}
        velocities {{ u = cos(φ)*ẋ + sin(φ)*ẏ, s = cos(φ)*ẏ - sin(φ)*ẋ, ω = φ̇ }}
        let X = x + {a}*cos(φ); let Y = y + {a}*sin(φ);
        kinetic = {m}/2*(Ẋ^2 + Ẏ^2) + {j}/2*φ̇^2; dissipation = {c}/2*(ẋ^2 + ẏ^2) + {d}/2*φ̇^2;
        force x = {push}*cos(φ); force y = {push}*sin(φ); force φ = {torque};
        constraints {{ blade: cos(φ)*ẏ - sin(φ)*ẋ; }} }}"
    ));
    let space = StateSpace::new(&sleigh).unwrap();
    let guess = State::new(0.0, [0.3, -0.2, 0.5], [1.9, 0.0, 1.0]);
    let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
    assert!((found.state.v[0] - u).abs() < 1e-12 && (found.state.v[2] - w).abs() < 1e-12);
    let values = space.linearise(&found.state, &[]).unwrap().eigenvalues().unwrap();
    let inertia = j + m * a * a;
    let trace = -c / m - (m * a * u + d) / inertia;
    let determinant = c / m * (m * a * u + d) / inertia + 2.0 * a * w * m * a * w / inertia;
    assert_eq!(values.len(), 2);
    assert!((values[0] + values[1] - trace).norm() < 1e-12, "{values:?}");
    assert!((values[0] * values[1] - determinant).norm() < 1e-12, "{values:?}");
}

/// What cancels about one place and not elsewhere, and what is little beside something that is large elsewhere, is there.
#[test]
fn what_a_motion_depends_on() {
    let check = |body: &str, expected: &[&str]| {
        let source = format!("/// A system. \n system S {{ coordinates {{ x, y }} {body} }}");
        let system = interpreted(&source);
        let space = StateSpace::new(&system).unwrap();
        let names: Vec<&str> = space.entries().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, [expected, &["ẋ", "ẏ"]].concat(), "{body}");
    };
    let turned = "let X = cos(y)*x_dot; let Y = sin(y)*x_dot;";
    let energy = "kinetic = (X^2 + Y^2)/2 + ẏ^2/2;";
    check(&format!("{turned} {energy}"), &[]);
    check(&format!("{turned} {energy} potential = 1e-30*x;"), &[]);
    check(&format!("{turned} {energy} potential = 1e-30*x^2;"), &["x"]);
    check(
        "kinetic = 1e24*((cos(y)*ẋ)^2 + (sin(y)*ẋ)^2)/2 + ẏ^2/2; potential = 1e3*cos(y);",
        &["y"],
    );
    check(
        "parameters { J = 1e-18, F = 1e-9 } let X = cos(y)*x_dot; let Y = sin(y)*x_dot;
        kinetic = J*(X^2 + Y^2)/2 + J*ẏ^2/2 + J*ẋ*ẏ/4; potential = 1e-21*cos(y);
        force x = F*(cos(y)^2 + sin(y)^2);",
        &["y"],
    );
    check("kinetic = (ẋ^2 + ẏ^2)/2; force x = -sign(y);", &["y"]);
    check("kinetic = (ẋ^2 + ẏ^2)/2; force x = sqrt((y - 3)^2) + y;", &["y"]);
    check("kinetic = (ẋ^2 + ẏ^2)/2; force x = abs(y - 7) + y;", &["y"]);
    check("kinetic = (ẋ^2 + ẏ^2)/2; force x = exp(y)*exp(-y) + (x + 1)^2 - x^2 - 2*x;", &[]);
}
