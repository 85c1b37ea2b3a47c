//! Impacts by Poisson's and Stronge's laws whose slip turns in its plane, against differences of runs and closed forms.

use crate::common::interpreted;
use crate::drawn::drawn;
use crate::random::Numbers;
use crate::{end, letters, moved, options, transition};
use eom_analysis::Variations;
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{Contacts, State, System};
use eom_interpreter::Interpreted;

/// A sphere with angular velocities as speeds, which its energy allows.
const SPHERE: &str = "/// A sphere. \n system S { coordinates { x, y, z, a, b, c } parameters { m = 1, J = 0.4, r = 1, g = 0, μ = 0.3, ν = 0.3, e = 0.5 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ȧ^2 + ḃ^2 + ċ^2); potential = m*g*z;
    contact floor { gap = z - r; slip = [ẋ - r*ḃ, ẏ + r*ȧ]; FRICTION impact = LAW(e); } }";

/// A rod that falls on its end, with the angles of its axis from and about the vertical.
const ROD: &str = "/// A rod. \n system R { coordinates { x, y, z, θ, φ } parameters { m = 1, J = 0.0833, l = 0.5, g = 0, μ = 0.3, ν = 0.3, e = 0.5 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(θ̇^2 + sin(θ)^2*φ̇^2); potential = m*g*z;
    contact floor { gap = z - l*cos(θ);
        slip = [ẋ - l*(cos(θ)*cos(φ)*θ̇ - sin(θ)*sin(φ)*φ̇), ẏ - l*(cos(θ)*sin(φ)*θ̇ + sin(θ)*cos(φ)*φ̇)];
        FRICTION impact = LAW(e); } }";

/// An ellipsoid with three axes: Rz(a) Ry(b) Rx(c), n the normal and p the point of contact, both in the body.
const ELLIPSOID: &str = "/// An ellipsoid. \n system E { coordinates { x, y, z, a, b, c }
    parameters { m = 1, A = 0.6, B = 0.5, C = 0.3, D = 0.3, E = 0.45, F = 0.2, g = 0, μ = 0.3, ν = 0.3, e = 0.5 }
    let n1 = -sin(b); let n2 = cos(b)*sin(c); let n3 = cos(b)*cos(c);
    let w1 = ċ - ȧ*sin(b); let w2 = ḃ*cos(c) + ȧ*cos(b)*sin(c); let w3 = -ḃ*sin(c) + ȧ*cos(b)*cos(c);
    let h = sqrt(D^2*n1^2 + E^2*n2^2 + F^2*n3^2);
    let p1 = -D^2*n1/h; let p2 = -E^2*n2/h; let p3 = -F^2*n3/h;
    let v1 = w2*p3 - w3*p2; let v2 = w3*p1 - w1*p3; let v3 = w1*p2 - w2*p1;
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + (A*w1^2 + B*w2^2 + C*w3^2)/2; potential = m*g*z;
    contact floor { gap = z - h;
        slip = [ẋ + cos(a)*cos(b)*v1 + (cos(a)*sin(b)*sin(c) - sin(a)*cos(c))*v2 + (cos(a)*sin(b)*cos(c) + sin(a)*sin(c))*v3,
                ẏ + sin(a)*cos(b)*v1 + (sin(a)*sin(b)*sin(c) + cos(a)*cos(c))*v2 + (sin(a)*sin(b)*cos(c) - cos(a)*sin(c))*v3];
        FRICTION impact = LAW(e); } }";

fn body(source: &str, friction: &str, law: &str) -> Interpreted {
    interpreted(&source.replace("FRICTION", friction).replace("LAW", law))
}

/// The values of the parameters, some of them others.
fn with(system: &Interpreted, values: &[(&str, f64)]) -> Interpreted {
    let known = system.info().parameters;
    let mut all = vec![0.0; known.len()];
    system.parameters(&mut all);
    for (name, value) in values {
        all[known.iter().position(|parameter| parameter.name == *name).unwrap()] = *value;
    }
    system.clone().with_parameters(&all.into_iter().map(Some).collect::<Vec<_>>()).unwrap()
}

/// A difference of ends, Richardson of three steps.
fn difference(of: &dyn Fn(f64) -> Vec<f64>, h: f64) -> DVector<f64> {
    let central = |h: f64| (DVector::from(of(h)) - DVector::from(of(-h))) / (2.0 * h);
    let [far, middle, near] = [h, h / 2.0, h / 4.0].map(central);
    let first = (&middle * 4.0 - far) / 3.0;
    ((near * 4.0 - middle) / 3.0 * 16.0 - first) / 15.0
}

/// By all of the start and by parameters: how far the derivatives are off, as a part of the largest.
fn off(system: &Interpreted, start: &State, t: f64, names: &[&str]) -> f64 {
    let found = transition(system, start, t);
    let variations = Variations::new(system).unwrap();
    let by = variations.sensitivities(start, &[], &options(), t, names).unwrap();
    let scale = found.matrix.amax().max(by.matrix.amax()).max(1.0);
    // Where the larger step sees another course of the slip, the smaller one has to agree.
    let closest = |of: &dyn Fn(f64) -> Vec<f64>, wanted: &DVector<f64>| {
        let off = |h: f64| (difference(of, h) - wanted).amax();
        let far = off(2e-3);
        if far < 1e-9 * scale { far } else { off(4e-4) }
    };
    let n = start.q.len() + start.v.len();
    let mut most: f64 = 0.0;
    for j in 0..n {
        let direction: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
        let of = |h: f64| end(system, &moved(start, &direction, h), t);
        most = most.max(closest(&of, &found.matrix.column(j).into_owned()));
    }
    for (j, name) in names.iter().enumerate() {
        let known = system.info().parameters;
        let mut all = vec![0.0; known.len()];
        system.parameters(&mut all);
        let value = all[known.iter().position(|parameter| parameter.name == *name).unwrap()];
        let of = |h: f64| end(&with(system, &[(name, value + h)]), start, t);
        most = most.max(closest(&of, &by.matrix.column(j).into_owned()));
    }
    most / scale
}

const BODIES: [(&str, &[&str]); 3] = [
    (SPHERE, &["μ", "e", "m", "r", "J"]),
    (ROD, &["μ", "e", "m", "l", "J"]),
    (ELLIPSOID, &["μ", "e", "m", "A", "B", "D", "F"]),
];

/// A body above the floor, which it meets soon with a slip and a spin.
fn thrown(numbers: &mut Numbers, system: &Interpreted) -> State {
    let n = system.info().positions();
    let mut q: Vec<f64> = (0..n).map(|_| numbers.between(-0.9, 0.9)).collect();
    let mut v: Vec<f64> = (0..n).map(|_| numbers.between(-2.0, 2.0)).collect();
    q[2] = 0.0;
    v[2] = -numbers.between(1.0, 3.0);
    let mut gap = [0.0];
    system.gaps(0.0, &q, &mut gap);
    q[2] = 0.05 - gap[0];
    State::new(0.0, q, v)
}

/// Bodies, masses, coefficients and states at random, by both laws, with one coefficient and with two.
#[test]
fn random_bodies_agree_with_differences_of_runs() {
    let mut numbers = Numbers(11);
    let mut answered = 0;
    for (source, names) in BODIES {
        for law in ["poisson", "stronge"] {
            for friction in ["friction = μ;", "friction([μ, ν]);"] {
                let system = body(source, friction, law);
                for _ in drawn(5) {
                    let mut near = |name: &'static str, low: f64, high: f64| {
                        (name, numbers.between(low, high))
                    };
                    let values = [
                        near("m", 0.7, 1.5),
                        near("μ", 0.1, 0.9),
                        near("ν", 0.1, 0.9),
                        near("e", 0.2, 0.9),
                    ];
                    let system = with(&system, &values);
                    let start = thrown(&mut numbers, &system);
                    let names: Vec<&str> = names.iter().copied().chain(["ν"]).collect();
                    let names = if friction.contains('ν') {
                        &names[..]
                    } else {
                        &names[..names.len() - 1]
                    };
                    assert_eq!(letters(&transition(&system, &start, 0.1)), "i");
                    let off = off(&system, &start, 0.1, names);
                    assert!(off < 1e-9, "{off:e}: {law} {friction} {values:?} {start:?}\n{source}");
                    answered += 1;
                }
            }
        }
    }
    assert_eq!(answered, 12 * drawn(5).len());
}

/// Forces that friction bears: along it, across it, upwards, and about an axis, which goes with where the body is.
const SERVOS: &str =
    "let f = friction(floor); force x = K*f[1] - H*f[2]; force y = H*f[1] + K*cos(a)*f[2];
    force z = 0.1*f[1] - 0.05*f[2]; force a = 0.1*H*sin(b)*f[2]; contact floor";

/// The same where friction bears forces, so that C is not symmetric, and p not b.
#[test]
fn what_friction_bears_varies_as_differences_of_runs_do() {
    let mut numbers = Numbers(23);
    let mut answered = 0;
    for law in ["poisson", "stronge"] {
        for friction in ["friction = μ;", "friction([μ, ν]);"] {
            for source in [SPHERE, ELLIPSOID] {
                let source = source
                    .replace("contact floor", SERVOS)
                    .replace("m = 1,", "m = 1, K = 0, H = 0,");
                let system = body(&source, friction, law);
                for _ in drawn(5) {
                    let mut near = |name: &'static str, low: f64, high: f64| {
                        (name, numbers.between(low, high))
                    };
                    let values = [
                        near("K", -0.5, 1.0),
                        near("H", -0.8, 0.8),
                        near("μ", 0.1, 0.9),
                        near("ν", 0.1, 0.9),
                        near("e", 0.2, 0.9),
                    ];
                    let system = with(&system, &values);
                    let start = thrown(&mut numbers, &system);
                    assert_eq!(letters(&transition(&system, &start, 0.1)), "i");
                    let off = off(&system, &start, 0.1, &["μ", "e", "m", "K", "H"]);
                    assert!(off < 1e-9, "{off:e}: {law} {friction} {values:?} {start:?}\n{source}");
                    answered += 1;
                }
            }
        }
    }
    assert_eq!(answered, 8 * drawn(5).len());
}

/// Of a homogeneous sphere the slip keeps its direction: C = 7/(2m) along each, b = 0. With ġ⁻ = ż and w = s/‖s‖,
///
/// ```text
/// slides    Δv = −(1 + e) ż (k − μ w)       sticks    Δv = −(1 + e) ż k − 2/7 s       J Δω = (−r k) × m Δv
/// ```
///
/// of which the end at t has derivatives in closed form, whether the law is Poisson's or Stronge's.
#[test]
fn a_sphere_that_slides_or_sticks_in_closed_form() {
    for (law, μ, sticks) in [
        ("poisson", 0.1, false),
        ("stronge", 0.1, false),
        ("poisson", 2.0, true),
        ("stronge", 2.0, true),
    ] {
        let (e, h, t) = (0.6, 0.3, 0.4);
        let system = with(&body(SPHERE, "friction = μ;", law), &[("μ", μ), ("e", e)]);
        let start =
            State::new(0.0, [0.2, -0.1, 1.0 + h, 0.0, 0.0, 0.0], [1.3, 0.4, -2.0, 0.5, -0.7, 0.9]);
        let found = transition(&system, &start, t);
        assert_eq!(letters(&found), "i");
        let by = Variations::new(&system).unwrap();
        let by = by.sensitivities(&start, &[], &options(), t, &["μ", "e"]).unwrap();
        // By the speeds (ẋ, ẏ, ż, ω): the derivative of Δ(ẋ, ẏ, ω₁, ω₂), s = (ẋ − ω₂, ẏ + ω₁).
        let (u, s) = (&start.v, [start.v[0] - start.v[4], start.v[1] + start.v[3]]);
        let size = s[0].hypot(s[1]);
        let w = s.map(|s| s / size);
        let p = -(1.0 + e) * u[2];
        let by_slip = |i: usize, j: usize| {
            let unit = f64::from(u8::from(i == j));
            if sticks { -2.0 / 7.0 * unit } else { -μ * p * (unit - w[i] * w[j]) / size }
        };
        let of_slip = [[1.0, 0.0, 0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]];
        let mut jump = DMatrix::zeros(6, 6);
        for j in 0..6 {
            let mut change =
                [0, 1].map(|i| (0..2).map(|k| by_slip(i, k) * of_slip[k][j]).sum::<f64>());
            if j == 2 && !sticks {
                change = [0, 1].map(|i| change[i] + (1.0 + e) * μ * w[i]);
            }
            // J Δω = (−k) × Δv: Δω₁ = Δẏ/J, Δω₂ = −Δẋ/J.
            let column = [change[0], change[1], 0.0, change[1] / 0.4, -change[0] / 0.4, 0.0];
            jump.set_column(j, &DVector::from_row_slice(&column));
        }
        jump[(2, 2)] = -(1.0 + e);
        let velocities = found.matrix.view((6, 6), (6, 6)).into_owned();
        let wanted = DMatrix::identity(6, 6) + &jump;
        assert!((&velocities - &wanted).amax() < 1e-13, "{law} {μ}: {velocities}{wanted}");
        // Free before it and after it: q(t) = q₀ + v τ + v⁺ (t − τ), τ = −(z₀ − r)/ż.
        let τ = h / 2.0;
        let plus = DVector::from_column_slice(&found.state.v);
        let step = DVector::from_column_slice(u) - plus;
        let by_height = &step * 0.5;
        let of_height = found.matrix.view((0, 2), (6, 1)).into_owned();
        let mut wanted = by_height.clone();
        wanted[2] += 1.0;
        assert!((of_height - wanted).amax() < 1e-13, "{law} {μ}: {}", found.matrix);
        let mut wanted = DMatrix::identity(6, 6) * τ + (DMatrix::identity(6, 6) + &jump) * (t - τ);
        let mut later = wanted.column_mut(2);
        later += step * (h / 4.0);
        let positions = found.matrix.view((0, 6), (6, 6));
        assert!((positions - wanted).amax() < 1e-13, "{law} {μ}: {positions}");
        // By μ and e.
        let tangent = |by: f64| [by * w[0], by * w[1], 0.0, by * w[1] / 0.4, -by * w[0] / 0.4, 0.0];
        let mut by_e = tangent(if sticks { 0.0 } else { μ * u[2] });
        by_e[2] = -u[2];
        for (column, wanted) in
            [tangent(if sticks { 0.0 } else { -p }), by_e].into_iter().enumerate()
        {
            let found = by.matrix.view((6, column), (6, 1)).into_owned();
            let wanted = DVector::from_row_slice(&wanted);
            assert!((&found - &wanted).amax() < 1e-12, "{law} {μ} {column}: {found}{wanted}");
        }
    }
}

/// What an impact leaves as it is, it leaves of variations: the angular momentum about the point of contact, J ω + r × m v.
#[test]
fn angular_momentum_about_the_point_of_contact_stays() {
    // With m = 1, r = (0, 0, 1), and friction that differs by direction.
    for law in ["poisson", "stronge"] {
        let system = body(SPHERE, "friction([μ, ν]);", law);
        let system = with(&system, &[("μ", 0.15), ("ν", 0.4), ("J", 0.7)]);
        let start =
            State::new(0.0, [0.0, 0.0, 1.3, 0.0, 0.0, 0.0], [1.3, 0.4, -2.0, 0.5, -0.7, 0.9]);
        let found = transition(&system, &start, 0.4);
        let about = DMatrix::from_row_slice(
            3,
            6,
            &[
                0.0, -1.0, 0.0, 0.7, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0,
                0.0, 1.0,
            ],
        );
        let velocities = found.matrix.view((6, 6), (6, 6));
        let off = (&about * velocities - &about).amax();
        assert!(off < 1e-13, "{law}: {off:e}");
        // Some of it turns: C is the same along both, but the cone is not round.
        assert!((velocities[(0, 1)] - velocities[(1, 0)]).abs() > 1e-3, "{velocities}");
    }
}

/// Where nothing tells directions apart a turn of the start turns the end: E Φ y₀ = Φ E y₀ about the vertical.
#[test]
fn a_turn_of_the_start_turns_the_end() {
    let system = with(&body(ROD, "friction = μ;", "stronge"), &[("μ", 0.4)]);
    let start = State::new(0.0, [0.3, -0.2, 0.55, 0.4, 0.7], [0.9, -1.3, -2.0, 1.1, -0.8]);
    let found = transition(&system, &start, 0.2);
    let turn = |y: &State| {
        let [x, y, ..] = [y.q[0], y.q[1], 0.0];
        [-y, x]
    };
    let rotated = |state: &State| {
        let [x, y] = turn(state);
        DVector::from_row_slice(&[x, y, 0.0, 0.0, 1.0, -state.v[1], state.v[0], 0.0, 0.0, 0.0])
    };
    let off = (&found.matrix * rotated(&start) - rotated(&found.state)).amax();
    assert!(off < 1e-11, "{off:e}");
}

/// In a plane of symmetry the rod is that of the plane, whose slip turns round, comes to rest and leaves: there the derivatives
/// along the plane are those of an impact in one direction.
#[test]
fn in_a_plane_of_symmetry_it_is_the_impact_in_one_direction() {
    let planar = "/// A rod. \n system R { coordinates { x, z, θ } parameters { m = 1, J = 0.0833, l = 0.5, g = 0, μ = 0.3, e = 0.5 }
        kinetic = m/2*(ẋ^2 + ż^2) + J/2*θ̇^2; potential = m*g*z;
        contact floor { gap = z - l*cos(θ); slip = ẋ - l*cos(θ)*θ̇; friction = μ; impact = LAW(e); } }";
    let places = [0, 2, 3, 5, 7, 8];
    for law in ["poisson", "stronge"] {
        for (θ, μ) in [(0.6, 0.3), (0.5, 0.7), (0.6, 0.15)] {
            for slip in [-1.0, 1.0, 2.0, -3.2, 3.2, -6.0] {
                let [space, plane] =
                    [body(ROD, "friction = μ;", law), interpreted(&planar.replace("LAW", law))]
                        .map(|system| with(&system, &[("μ", μ), ("e", 0.6)]));
                let height = 0.5 * f64::cos(θ) + 0.02;
                let start =
                    State::new(0.0, [0.1, 0.0, height, θ, 0.0], [slip, 0.0, -2.0, 0.3, 0.0]);
                let of_plane = State::new(0.0, [0.1, height, θ], [slip, -2.0, 0.3]);
                let (found, wanted) =
                    (transition(&space, &start, 0.03), transition(&plane, &of_plane, 0.03));
                let part = DMatrix::from_fn(6, 6, |i, j| found.matrix[(places[i], places[j])]);
                let off = (&part - &wanted.matrix).amax();
                assert!(off < 1e-11 * wanted.matrix.amax(), "{law} {θ} {μ} {slip}: {off:e}");
            }
        }
    }
}

/// Beside a slip that friction turns round in a plane of symmetry others turn away from it. Across it ds/dΛ = −μ C u, so that
/// Φ = Δs/C whatever the way, and s is lost: Δẏ = −ẏ/C, C = 1 + l²/J. What begins with ẏ = h passes rest at r = h^(λ/κ), where λ is
/// μ C + |b| with C of the slip along, and κ = λ − μ C, and loses s as Λ^(−μ C/ν) from there on, ν = |b| − μ C of that along:
/// differences come to the derivative as h to the power (λ/κ)(1 + μ C/ν) − 1.
#[test]
fn differences_beside_a_slip_that_turns_round_come_to_the_derivative() {
    let (θ, μ, k) = (0.6_f64, 0.15, 0.25 / 0.0833);
    let system = with(&body(ROD, "friction = μ;", "poisson"), &[("μ", μ), ("e", 0.6)]);
    let start =
        State::new(0.0, [0.1, 0.0, 0.5 * θ.cos() + 0.02, θ, 0.0], [1.0, 0.0, -2.0, 0.3, 0.0]);
    let found = transition(&system, &start, 0.03);
    let λ = μ * (1.0 + k * θ.cos().powi(2)) + k * θ.sin() * θ.cos();
    let (across, leaves) = (μ * (1.0 + k), 2.0 * k * θ.sin() * θ.cos() - λ);
    let power = λ / (λ - across) * (1.0 + across / leaves) - 1.0;
    let direction = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let wanted = 1.0 - 1.0 / (1.0 + k);
    assert!((found.matrix[(6, 6)] - wanted).abs() < 1e-13, "{}", found.matrix);
    let off = |h: f64| {
        let [up, down] = [h, -h].map(|h| end(&system, &moved(&start, &direction, h), 0.03)[6]);
        (up - down) / (2.0 * h) - wanted
    };
    let found = [1e-2, 1e-3, 1e-4, 1e-5].map(off);
    for pair in found.windows(2) {
        let ratio = (pair[1] / pair[0]).log10();
        assert!((ratio + power).abs() < 0.02, "{found:?}: {ratio}, {power}");
    }
    let nearly = State::new(0.0, start.q.clone(), [1.0, 1e-12, -2.0, 0.3, 0.0]);
    let told = Variations::new(&system).unwrap().transition(&nearly, &[], &options(), 0.03);
    let told = told.map(|found| letters(&found)).unwrap_err().to_string();
    assert!(told.contains("turns a slip that has all but come to rest"), "{told}");
}

/// Several impacts of one run, whose slips turn: all of the start, and the parameters.
#[test]
fn a_body_that_bounces_and_spins() {
    for (law, friction) in [("poisson", "friction = μ;"), ("stronge", "friction([μ, ν]);")] {
        let system = body(ELLIPSOID, friction, law);
        let system = with(&system, &[("g", 9.81), ("μ", 0.4), ("ν", 0.25), ("e", 0.7)]);
        let start =
            State::new(0.0, [0.0, 0.0, 0.6, 0.2, 0.3, -0.4], [0.8, -0.5, -0.5, 0.6, 1.1, 0.7]);
        let found = transition(&system, &start, 0.8);
        assert_eq!(letters(&found), "iii", "{law}");
        let off = off(&system, &start, 0.8, &["μ", "e", "g", "D"]);
        assert!(off < 1e-9, "{law}: {off:e}");
    }
}

/// What has no derivative, and what is said.
#[test]
fn what_meets_has_no_derivative() {
    let refused = |system: &Interpreted, start: &State, said: &str| {
        let found = Variations::new(system).unwrap().transition(start, &[], &options(), 0.4);
        let told = found.map_or_else(|why| why.to_string(), |found| found.matrix.to_string());
        assert!(told.contains(said), "{told}");
    };
    for law in ["poisson", "stronge"] {
        // s comes to rest at Λ = ‖s‖/(7/2 μ) just as compression ends, Λ = −ż, or restitution, Λ = −(1 + e) ż.
        let system = with(&body(SPHERE, "friction = μ;", law), &[("μ", 0.25), ("e", 0.5)]);
        for (part, meets) in [(1.0, true), (1.5, true), (1.2, false)] {
            let s = 3.5 * 0.25 * 2.0 * part;
            let start = State::new(
                0.0,
                [0.0, 0.0, 1.3, 0.0, 0.0, 0.0],
                [0.6 * s, 0.8 * s, -2.0, 0.0, 0.0, 0.0],
            );
            if meets {
                refused(&system, &start, "ends a slip at the end of a phase");
            } else {
                transition(&system, &start, 0.4);
            }
        }
        // The end of a rod rests, and is pulled over the floor, or held, or at the edge between: tan 0.5 J-ratio by hand.
        let rod = body(ROD, "friction = μ;", law);
        let (θ, k) = (0.5_f64, 0.25 / 0.0833);
        let start =
            State::new(0.0, [0.0, 0.0, 0.5 * θ.cos() + 0.1, θ, 0.3], [0.0, 0.0, -2.0, 0.0, 0.0]);
        let φ = k * θ.sin() * θ.cos() / (1.0 + k * θ.cos().powi(2));
        refused(&with(&rod, &[("μ", 0.9 * φ)]), &start, "turns a slip that begins at zero");
        refused(&with(&rod, &[("μ", φ)]), &start, "sticks at the edge of its cone");
        transition(&with(&rod, &[("μ", 1.1 * φ)]), &start, 0.4);
    }
}
