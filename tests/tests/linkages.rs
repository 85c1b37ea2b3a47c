//! Linkages that come to positions in which their constraints depend on each other: the energy is kept
//! up to there, and the end names the rows; those that only come near go on. The oracles are the
//! conserved energy and the places of the positions, which are closed forms.

use eom_core::{AbsoluteTolerance, End, Method, Options, System, Trajectory, run_scenario};
use eom_interpreter::Interpreted;

/// Three rods of a parallelogram, with another length and gravity.
const FOUR_BAR: &str = "system FourBar {
    coordinates { a, b, c }
    parameters { m = 1, L = 1, g = 9.81 }
    let X1 = L*cos(a); let Y1 = L*sin(a);
    let X2 = L + L*cos(c); let Y2 = L*sin(c);
    let Cx = X1 + L/2*cos(b); let Cy = Y1 + L/2*sin(b);
    kinetic = m*L^2/6*(ȧ^2 + ċ^2) + m/2*(Cx_dot^2 + Cy_dot^2) + m*L^2/24*ḃ^2;
    potential = m*g/2*(Y1 + Y2) + m*g*Cy;
    holonomic { lx: X1 + L*cos(b) - X2 = 0; ly: Y1 + L*sin(b) - Y2 = 0; }
    scenario go { a = pi/2; c = pi/2; ȧ = -1; solve ḃ, ċ; until t = 3; }
}";

/// Three cranks with two couplers.
const CHAIN: &str = "system Chain {
    coordinates { a, b, c, d, e }
    parameters { m = 1, L = 2.5, K = 4, g = 9.81 }
    let X1 = L*cos(a); let Y1 = L*sin(a);
    let X2 = X1 + K*cos(b); let Y2 = Y1 + K*sin(b);
    let X3 = K + L*cos(c); let Y3 = L*sin(c);
    let X4 = X3 + K*cos(d); let Y4 = Y3 + K*sin(d);
    let X5 = 2*K + L*cos(e); let Y5 = L*sin(e);
    kinetic = m/2*(X1_dot^2 + Y1_dot^2 + X3_dot^2 + Y3_dot^2 + X5_dot^2 + Y5_dot^2)
        + m*K^2/24*(ḃ^2 + ḋ^2);
    potential = m*g*(Y1 + Y3 + Y5);
    holonomic { x1: X2 - X3 = 0; y1: Y2 - Y3 = 0; x2: X4 - X5 = 0; y2: Y4 - Y5 = 0; }
    scenario go { a = pi/2; c = pi/2; e = pi/2; ȧ = -2; solve ḃ, ċ, ḋ, ė; until t = 3; }
    scenario swing { a = -1; c = -1; e = -1; ȧ = -1; solve ḃ, ċ, ḋ, ė; until t = 10; }
}";

/// A five-bar of two degrees of freedom, whose couplers never stretch.
const FIVE_BAR: &str = "system FiveBar {
    coordinates { a, b, c, d }
    parameters { m = 1, L = 1, B = 1.2, g = 9.81 }
    let X1 = L*cos(a); let Y1 = L*sin(a);
    let X2 = X1 + L*cos(b); let Y2 = Y1 + L*sin(b);
    let X3 = B + L*cos(d); let Y3 = L*sin(d);
    kinetic = m*L^2/24*(ċ^2 + ḃ^2) + m/2*(X1_dot^2 + Y1_dot^2 + X2_dot^2 + Y2_dot^2 + X3_dot^2 + Y3_dot^2);
    potential = m*g*(Y1 + Y2 + Y3);
    holonomic { x: X2 - X3 - L*cos(c) = 0; y: Y2 - Y3 - L*sin(c) = 0; }
    scenario go {
        a = pi/2; b = 0.6; c = 1.1697594997946719; d = 2.441895884479872;
        ȧ = 0.3; ḃ = 0.2; solve ċ, ḋ; until t = 10;
    }
}";

/// A slider-crank; with rods of one length it folds at a = π/2.
const SLIDER: &str = "system Slider {
    coordinates { a, b, x }
    parameters { m = 1, r = 1, l = 2, g = 9.81 }
    let Cx = r*cos(a) + l/2*cos(b); let Cy = r*sin(a) + l/2*sin(b);
    kinetic = m*r^2/6*ȧ^2 + m/2*(Cx_dot^2 + Cy_dot^2) + m*l^2/24*ḃ^2 + m/2*ẋ^2;
    potential = m*g*(r/2*sin(a) + Cy);
    holonomic { px: r*cos(a) + l*cos(b) - x = 0; py: r*sin(a) + l*sin(b) = 0; }
    scenario turns { a = pi/2; b = -pi/6; x = 1.7320508075688774; ȧ = 3; solve ḃ, ẋ; until t = 20; }
    scenario folds { a = 1; b = -1; x = 1.0806046117362795; ȧ = 3; solve ḃ, ẋ; until t = 20; }
}";

/// Two blades whose directions are those of θ and θ + φ: parallel at φ = 0.
const BLADES: &str = "system Blades {
    coordinates { x, y, θ, φ }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/5 + φ̇^2/20;
    constraints {
        front: -sin(θ)*ẋ + cos(θ)*ẏ = 0;
        rear: -sin(θ + φ)*ẋ + cos(θ + φ)*ẏ = 0;
    }
    scenario go { φ = 1; φ̇ = -1; θ̇ = 0.3; until t = 5; }
}";

/// A blade whose end slides along a wall, into whose direction it turns: the force of the wall has a pole there, at
/// which it changes its sign.
const WALL: &str = "system Wall {
    coordinates { x, y, θ }
    kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2;
    potential = x + y;
    constraints { blade: sin(θ)*ẋ - cos(θ)*ẏ = 0; }
    contact wall { gap = y; impact = restitution(0); }
    scenario go { θ = 1; θ̇ = -1; until t = 2; }
}";

struct Case {
    text: &'static str,
    scenario: &'static str,
    set: &'static [(&'static str, f64)],
    /// The last row named, one of these where several loops fold at once, and where the coordinate of this
    /// index is where its rank is lost.
    lost: Option<(&'static [&'static str], usize, f64)>,
}

fn run(case: &Case, options: &Options) -> (Interpreted, Trajectory) {
    let system = Interpreted::new(case.text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let value = |name: &str| case.set.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
    let values: Vec<_> = system.info().parameters.iter().map(|p| value(p.name)).collect();
    let system = system.with_parameters(&values).expect("parameters");
    let run = run_scenario(&system, case.scenario, options).expect("it starts");
    (system, run)
}

/// Energy changes by no more than `part` of its turnover; the end is what the case says.
fn check(case: &Case, options: &Options, part: f64) {
    let (system, run) = run(case, options);
    let what = format!("{} by {:?}: {}", case.scenario, options.method, run.end);
    let energy = |state: &eom_core::State| {
        let energy = system.energy(state.t, &state.q, &state.v);
        (energy.total(), energy.kinetic)
    };
    let turnover = run.samples.iter().map(|state| energy(state).1).fold(0.0, f64::max);
    let start = energy(&run.samples[0]).0;
    for state in &run.samples {
        let change = energy(state).0 - start;
        assert!(change.abs() <= part * turnover, "{what}: {change:e} at {}", state.t);
    }
    match (&run.end, case.lost) {
        (End::ReachedTime { .. }, None) => {}
        (End::DependentRows { rows, .. }, Some((names, angle, place))) => {
            assert!(rows.last().is_some_and(|row| names.contains(row)), "{what}");
            let q = run.samples.last().expect("samples").q[angle];
            assert!((q - place).abs() < 1e-2, "{what}: {q}");
        }
        _ => panic!("{what}"),
    }
}

fn options(method: Method, tolerance: f64) -> Options {
    let absolute_tolerance = AbsoluteTolerance::All(tolerance / 100.0);
    Options { method, relative_tolerance: tolerance, absolute_tolerance, ..Options::default() }
}

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

#[test]
fn where_rows_become_dependent_a_run_ends_with_its_energy() {
    let half = std::f64::consts::FRAC_PI_2;
    let cases = [
        Case { text: FOUR_BAR, scenario: "go", set: &[], lost: Some((&["lx"], 0, 0.0)) },
        Case { text: FOUR_BAR, scenario: "go", set: &[("L", 30.0)], lost: Some((&["lx"], 0, 0.0)) },
        Case { text: FOUR_BAR, scenario: "go", set: &[("m", 1e-3)], lost: Some((&["lx"], 0, 0.0)) },
        Case { text: CHAIN, scenario: "go", set: &[], lost: Some((&["x1", "x2"], 0, 0.0)) },
        Case {
            text: SLIDER,
            scenario: "folds",
            set: &[("l", 1.0)],
            lost: Some((&["py"], 0, half)),
        },
        Case { text: BLADES, scenario: "go", set: &[], lost: Some((&["rear"], 3, 0.0)) },
        Case { text: WALL, scenario: "go", set: &[], lost: Some((&["wall"], 2, 0.0)) },
    ];
    for case in &cases {
        for method in METHODS {
            for (tolerance, part) in [(1e-14, 1e-10), (1e-11, 1e-7), (1e-8, 1e-4)] {
                check(case, &options(method, tolerance), part);
            }
        }
    }
}

/// A larger tolerance ends no later than the position itself: it is not stepped over.
#[test]
fn a_looser_tolerance_does_not_step_over_the_position() {
    let case = Case { text: FOUR_BAR, scenario: "go", set: &[], lost: None };
    for method in METHODS {
        let exact = run(&case, &options(method, 1e-14)).1.end.t();
        for tolerance in [1e-4, 1e-3, 1e-2] {
            let end = run(&case, &options(method, tolerance)).1.end;
            assert!(matches!(end, End::DependentRows { .. }), "{method:?} {tolerance}: {end}");
            assert!((end.t() - exact).abs() < 0.2, "{method:?} {tolerance}: {end}");
        }
    }
}

#[test]
fn linkages_that_stay_away_from_such_positions_go_on() {
    let cases = [
        Case { text: CHAIN, scenario: "swing", set: &[], lost: None },
        Case { text: FIVE_BAR, scenario: "go", set: &[], lost: None },
        Case { text: SLIDER, scenario: "turns", set: &[], lost: None },
        Case { text: SLIDER, scenario: "turns", set: &[("g", 0.0)], lost: None },
    ];
    for case in &cases {
        for method in METHODS {
            check(case, &options(method, 1e-13), 1e-9);
        }
    }
}
