//! What is drawn of a declaration: numbers of shapes against closed forms, curves and heights on their equations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::{Mode, Options, Sampling, SmoothFunction, State, System, simulate};
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::{Drawing, Instant, Numbers};
use eom_interpreter::motion;
use std::ops::ControlFlow;

/// The numbers of the shapes of a declaration at a state in free flight.
fn numbers(source: &str, state: &State) -> Vec<f64> {
    let system = Interpreted::new(source).map_err(|found| found[0].to_string()).unwrap();
    let inputs = vec![0.5; system.info().inputs.len()];
    let at =
        Instant { system: &system, functions: &[], inputs: &inputs, state, mode: &Mode::default() };
    let drawing = Drawing::new(source).unwrap();
    let mut numbers = vec![f64::NAN; drawing.count()];
    drawing.numbers(&at, &mut numbers);
    numbers
}

fn check(source: &str, state: &State, expected: &[f64]) {
    let found = numbers(source, state);
    assert_eq!(found.len(), expected.len(), "{source}\n{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{source}\n{found} for {expected}");
    }
}

/// A point of mass 1 on a rod of length 2 in x and y, with what is drawn of it.
fn rod(shapes: &str) -> String {
    format!(
        "system Rod {{
            coordinates {{ x, y }}
            parameters {{ m = 3, g = 9.81, l = 2 }}
            inputs {{ u }}
            let p = [x, y];
            let r = sqrt(x^2 + y^2);
            kinetic = m/2*(ẋ^2 + ẏ^2);
            potential = m*g*y;
            holonomic {{ rod: x^2 + y^2 = l^2; }}
            force x = u;
            draw {{ {shapes} }}
        }}"
    )
}

#[test]
fn shapes_are_their_numbers() {
    // At 60° from the vertical, with θ̇ = 1.5.
    let (l, θ, ω, m, g) = (2.0, 1.047_f64, 1.5, 3.0, 9.81);
    let (sin, cos) = θ.sin_cos();
    let state = State::new(0.25, [l * sin, -l * cos], [l * ω * cos, l * ω * sin]);
    let (x, y) = (l * sin, -l * cos);
    // The force of the rod, m (l ω² + g cos θ) less that of u = 1/2 along it, is λ (2x, 2y).
    let tension = m * (l * ω * ω + g * cos) + 0.5 * sin;
    let λ = -tension / (2.0 * l);
    // shapes, their numbers
    let table: &[(&str, &[f64])] = &[
        ("point [x, y];", &[x, y]),
        ("point p;", &[x, y]),
        ("line [0, 0], p;", &[0.0, 0.0, x, y]),
        ("path [[0, 0], [x, 0], [x, y]];", &[0.0, 0.0, x, 0.0, x, y]),
        ("path [0, 0], [x, 0], [x, y], color teal;", &[0.0, 0.0, x, 0.0, x, y]),
        ("disk [x, y] m/4, spoke ẏ, label \"bob\";", &[x, y, 0.75, l * ω * sin]),
        ("box p, 0.1, 0.2, t;", &[x, y, 0.1, 0.2, 0.25]),
        ("box p, 0.1, 0.2;", &[x, y, 0.1, 0.2]),
        ("ellipse p, 0.1, 0.2;", &[x, y, 0.1, 0.2]),
        ("ellipse p, l, m, t;", &[x, y, l, m, 0.25]),
        ("arrow p, 2*λ(rod)*p, scale 1/10;", &[x, y, 2.0 * λ * x, 2.0 * λ * y, 0.1]),
        ("arrow p, [u, ṙ], color \"#00ff80\";", &[x, y, 0.5, 0.0]),
        ("circle[i in 1..=2] [i, y], i*r;", &[1.0, y, l, 2.0, y, 2.0 * l]),
        ("spring [0, 1], p; trace p;", &[0.0, 1.0, x, y, x, y]),
        ("arrow p, [0, ÿ];", &[x, y, 0.0, -g + 2.0 * λ * y / m]),
        ("ground y = -2; point p;", &[x, y]),
    ];
    for (shapes, expected) in table {
        check(&rod(shapes), &state, expected);
    }
}

#[test]
fn what_is_not_drawn_has_its_point() {
    let source = rod("").replace("draw {  }", "");
    check(&source, &State::new(0.0, [2.0, 0.0], [0.0; 2]), &[2.0, 0.0, 2.0, 0.0]);
    let drawing = Drawing::new(&source).unwrap();
    let words: Vec<&str> = drawing.shapes().iter().map(|shape| shape.primitive.name).collect();
    assert_eq!(words, ["trace", "point"]);
}

#[test]
fn a_body_in_space_turns() {
    let body = |shape: &str| {
        format!(
            "system Top {{
                rotation R {{ body: ω1, ω2, ω3 }}
                kinetic = (ω1^2 + ω2^2 + 2*ω3^2)/2;
                draw {{ {shape} }}
            }}"
        )
    };
    // A quarter turn about z.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let state = State::new(0.0, [half, 0.0, 0.0, half], [0.0; 3]);
    let turned = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let with = |head: &[f64]| [head, &turned[..]].concat();
    check(
        &body("box [0, 0, 1], 1, 2, 3, rotation R;"),
        &state,
        &with(&[0.0, 0.0, 1.0, 1.0, 2.0, 3.0]),
    );
    check(
        &body("ellipsoid [0, 0, 1], 1, 2, 3, rotation R;"),
        &state,
        &with(&[0.0, 0.0, 1.0, 1.0, 2.0, 3.0]),
    );
    check(&body("ellipse [0, 0, 1], 1, 2, rotation R;"), &state, &with(&[0.0, 0.0, 1.0, 1.0, 2.0]));
    check(&body("sphere [0, 0, 0], 1, rotation R;"), &state, &with(&[0.0, 0.0, 0.0, 1.0]));
    check(&body("arrow [0, 0, 0], R*[1, 0, 0];"), &state, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

/// The rink of the centre of mass, a floor that moves, a wall of more than the plane.
#[test]
fn contacts_draw_their_boundaries() {
    let source = "system Rink {
        coordinates { x, y, θ }
        parameters { c = 0.2, r = 3 }
        let X = x + c*cos(θ);
        let Y = y + c*sin(θ);
        kinetic = (Ẋ^2 + Ẏ^2 + θ̇^2)/2;
        contact boards { gap = r^2 - X^2 - Y^2; impact = elastic; }
        contact floor { gap = y - sin(t)/2; impact = elastic; }
        contact wall { gap = x + cos(θ); impact = elastic; }
        draw { point [X, Y]; }
    }";
    let system = Interpreted::new(source).unwrap();
    let drawing = Drawing::new(source).unwrap();
    let texts: Vec<&str> = drawing.shapes().iter().map(|shape| shape.text.as_str()).collect();
    assert_eq!(texts, ["point [X, Y]", "contact boards", "contact floor"]);
    assert_eq!([1, 2].map(|shape| drawing.field_moves(shape)), [false, true]);
    let state = State::new(2.0, [0.3, 0.4, 0.5], [0.0; 3]);
    let at = Instant {
        system: &system,
        functions: &[],
        inputs: &[],
        state: &state,
        mode: &Mode::default(),
    };
    let boards = drawing.curve(1, &at, [[-4.0, 4.0]; 2], 40);
    assert_eq!(boards.len(), 1);
    assert!(boards[0].iter().all(|[x, y]| (x.hypot(*y) - 3.0).abs() < 1e-12));
    let floor = drawing.curve(2, &at, [[-4.0, 4.0]; 2], 8);
    assert!(floor.concat().iter().all(|[_, y]| (y - 2.0_f64.sin() / 2.0).abs() < 1e-12));
    assert!(drawing.curve(0, &at, [[-4.0, 4.0]; 2], 8).is_empty());
}

/// The height of a function that is given at run time, over its declared coordinates.
#[test]
fn surfaces_are_functions() {
    let source = "system Bead {
        coordinates { x, y }
        function h(x, y) = x^2/2;
        kinetic = (ẋ^2 + ẏ^2 + ḣ^2)/2;
        potential = h;
        draw { surface h; sphere [x, y, h], 0.1; ground z = -h(y, x); }
    }";
    let system = Interpreted::new(source).unwrap();
    let drawing = Drawing::new(source).unwrap();
    let state = State::new(0.0, [0.5, 0.7], [0.0; 2]);
    let given = [SmoothFunction::of(|[x, y]| x * y)];
    let range = [[0.0, 1.0], [0.0, 2.0]];
    let free = Mode::default();
    let at =
        |functions| Instant { system: &system, functions, inputs: &[], state: &state, mode: &free };
    assert_eq!(
        drawing.heights(0, &at(&[]), range, 2),
        [0.0, 0.125, 0.5, 0.0, 0.125, 0.5, 0.0, 0.125, 0.5]
    );
    assert_eq!(drawing.heights(2, &at(&[]), range, 1), [0.0, 0.0, -2.0, -2.0]);
    assert_eq!(drawing.heights(0, &at(&given), range, 1), [0.0, 0.0, 0.0, 2.0]);
    assert_eq!(drawing.dimension(), 3);
}

/// A ball that has come to rest presses on the floor with its weight; in flight it does not.
#[test]
fn contacts_push_while_they_are_closed() {
    let source = "system Ball {
        coordinates { x, y }
        parameters { m = 2, g = 9.81 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        contact floor { gap = y; impact = plastic; }
        draw { ground y = 0; arrow [x, 0], [0, λ(floor)]; }
    }";
    let system = Interpreted::new(source).unwrap();
    let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
    let options =
        Options { until_time: Some(1.0), sampling: Sampling::Steps, ..Options::default() };
    let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap();
    let drawing = Drawing::new(source).unwrap();
    let written = Numbers::new(source, &["λ(floor)", "m*ẍ"]).unwrap();
    let mut pushes = Vec::new();
    for (index, state) in run.samples.iter().enumerate() {
        let mode = run.mode_of_sample(index).unwrap();
        let at = Instant { system: &system, functions: &[], inputs: &[], state, mode };
        let (mut arrow, mut same) = ([f64::NAN; 4], [f64::NAN; 2]);
        drawing.numbers(&at, &mut arrow);
        written.values(&at, &mut same);
        let push = if mode.is_free() { 0.0 } else { 2.0 * 9.81 };
        assert!((arrow[3] - push).abs() < 1e-12, "{arrow:?}");
        assert_eq!(same, [arrow[3], 0.0]);
        if pushes.last() != Some(&push) {
            pushes.push(push);
        }
    }
    assert_eq!(pushes, [0.0, 2.0 * 9.81]);
}

/// What the momenta of a system are called, their symbols, their values.
type Momenta = [(&'static str, &'static str, f64); 2];

/// ∂L/∂v by hand: of coupled speeds, in a magnetic field, in a frame that time moves, of quasi-velocities.
#[test]
fn momenta_are_those_of_the_lagrangian() {
    let (t, q, v) = (0.7_f64, [0.3_f64, -1.2], [0.9_f64, 0.4]);
    let ([a, b], [c, d]) = (q, v);
    // a declaration, its momenta: what they are called, their symbols, their values
    let table: [(&str, Momenta); 4] = [
        (
            "system Cart {
                coordinates { X, θ }
                parameters { M = 2, m = 3, l = 1/2, g = 9.81 }
                kinetic = M/2*Ẋ^2 + m/2*((Ẋ + l*θ̇*cos(θ))^2 + (l*θ̇*sin(θ))^2);
                potential = -m*g*l*cos(θ);
            }",
            [
                ("momentum_X", "momentum(X)", 5.0 * c + 1.5 * d * b.cos()),
                ("momentum_theta", "momentum(θ)", 0.75 * d + 1.5 * c * b.cos()),
            ],
        ),
        (
            "system Charge {
                coordinates { x, y }
                parameters { m = 3, B = 0.8 }
                lagrangian = m/2*(ẋ^2 + ẏ^2) + B/2*(x*ẏ - y*ẋ);
            }",
            [
                ("momentum_x", "momentum(x)", 3.0 * c - 0.4 * b),
                ("momentum_y", "momentum(y)", 3.0 * d + 0.4 * a),
            ],
        ),
        (
            "system Lift {
                coordinates { x, y }
                parameters { m = 3, k = 5 }
                kinetic = m/2*((ẋ + k*t)^2 + (ẏ + x*t)^2);
            }",
            [
                ("momentum_x", "momentum(x)", 3.0 * (c + 5.0 * t)),
                ("momentum_y", "momentum(y)", 3.0 * (d + a * t)),
            ],
        ),
        (
            "system Turned {
                coordinates { x, θ }
                parameters { m = 3, I = 2 }
                velocities { u = 2*ẋ, w = θ̇ - ẋ }
                kinetic = m/2*ẋ^2 + I/2*θ̇^2;
            }",
            // ẋ = u/2, θ̇ = w + u/2.
            [
                ("momentum_u", "momentum(u)", 3.0 * c / 4.0 + d + c / 2.0),
                ("momentum_w", "momentum(w)", 2.0 * (d + c / 2.0)),
            ],
        ),
    ];
    for (source, momenta) in table {
        let system = Interpreted::new(source).map_err(|found| found[0].to_string()).unwrap();
        let known = motion::numbers(system.info());
        let state = State::new(t, q, v);
        for (name, symbol, expected) in momenta {
            let found = known.iter().find(|(known, ..)| known == name);
            let (_, part, shown) = found.unwrap_or_else(|| panic!("{name} is not in {known:?}"));
            assert_eq!(shown, symbol);
            let free = Mode::default();
            let found = part.value(&mut motion::Observer::new(&system, &[]).see(&state, &free));
            assert!((found - expected).abs() < 1e-13, "{name}: {found} for {expected}");
        }
    }
}
