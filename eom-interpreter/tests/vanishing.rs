//! Dry friction of a slip with a factor that passes through zero, c(t, q) w: the slip is zero there and w is not, nothing stops, and
//! the friction c Jᵀ(c w)/‖c w‖ = |c| Jᵀw/‖w‖ is against the same motion behind it.

use eom_core::{Method, Options, Trajectory, run_scenario};
use eom_interpreter::Interpreted;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// What resists the velocity (ẋ, ẏ), or its part ẋ, with |c| times F = 0.3.
const RESISTS: [&str; 7] = [
    "dissipation = 0.3*norm([C*ẋ]);",
    "dissipation = abs(0.3*C*ẋ);",
    "dissipation = norm([0.3*C*ẋ, -0.3*C*ẏ]);",
    "contact floor { gap = z; slip = C*ẋ; friction = 0.03; impact = plastic; }",
    "contact floor { gap = z; slip = [C*ẋ, C*ẏ]; friction = 0.03; impact = plastic; }",
    "contact floor { gap = z; roll = C*ẋ; rolling = 0.03; impact = plastic; }",
    "holonomic { floor: z = 0; } row floor { slip = C*ẋ; friction = 0.03; }",
];

/// A body that slides on its own from x₀ with v₀ along x, with this factor.
fn run(resists: &str, factor: &str, [x, v]: [f64; 2], until: f64, method: Method) -> Trajectory {
    let text = format!(
        "system S {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z; {}
         scenario s {{ x = {x}; ẋ = {v}; until t = {until}; }} }}",
        resists.replace('C', factor)
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let options = Options { method, ..Options::default() };
    let run = run_scenario(&system, "s", &options).expect("it starts");
    assert!(run.end.is_complete(), "{method:?}: {}\n{text}", run.end);
    run
}

fn check(factor: &str, start: [f64; 2], until: f64, [x, v]: [f64; 2]) {
    for resists in RESISTS {
        for method in METHODS {
            let run = run(resists, factor, start, until, method);
            let last = run.last().expect("a state");
            let error = (last.q[0] - x).abs().max((last.v[0] - v).abs());
            assert!(error < 1e-9, "{resists} {factor} {method:?}: {error:e} {last:?}");
        }
    }
}

/// v = v₀ − F (1/2 + (t − 1)²/2) behind t = 1, and rests from there where this is zero.
#[test]
fn a_factor_of_time_passes_zero() {
    let (f, v) = (0.3, 0.4_f64);
    let rests = (2.0 * v / f - 1.0).sqrt();
    let place = |s: f64| v * (1.0 + s) - f * (1.0 / 3.0 + s / 2.0 + s.powi(3) / 6.0);
    check("(1 - t)", [0.0, v], 1.5, [place(0.5), v - f * 0.625]);
    check("(1 - t)", [0.0, v], 4.0, [place(rests), 0.0]);
}

/// ∫ |sin(3t)| = 2/3 in each third of π, its integral half of that at each of them by symmetry; the factor is zero as it begins.
#[test]
fn a_factor_is_zero_as_the_motion_begins_and_again_and_again() {
    let (f, v, until) = (0.3, 2.0, std::f64::consts::PI);
    check("sin(3*t)", [0.0, v], until, [v * until - f * until, v - 2.0 * f]);
}

/// v² = v₀² − F (1 + x²) behind x = 0, from x = −1.
#[test]
fn a_factor_of_places_passes_zero() {
    let (f, v) = (0.3_f64, 0.9_f64);
    check("x", [-1.0, v], 20.0, [(v * v / f - 1.0).sqrt(), 0.0]);
}

/// It touches zero, and stays on its side: ∫ (1 − t)² = 2/3.
#[test]
fn a_factor_touches_zero() {
    let (f, v) = (0.3, 0.9);
    check("(1 - t)^2", [0.0, v], 2.0, [2.0 * v - 2.0 / 3.0 * f, v - 2.0 / 3.0 * f]);
}

/// A norm of components that go together, ‖(s, −s)‖ = √2 |s|: two bodies go together with ẍ = ÿ = t/2 up to t₁ = 2F, from where on
/// ẍ = t − F, ÿ = F.
#[test]
fn components_that_go_together_hold_together() {
    let text = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; force x = t;
        dissipation = 0.2*norm([ẋ - ẏ, ẏ - ẋ]); scenario s { until t = 2; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let f = 0.2 * 2.0_f64.sqrt();
    let (first, until) = (2.0 * f, 2.0_f64);
    let since = until - first;
    let together = first.powi(3) / 12.0 + first * first / 4.0 * since;
    let pulled = (until.powi(3) - first.powi(3)) / 6.0 - first * first / 2.0 * since;
    let rubbed = f * since * since / 2.0;
    for method in METHODS {
        let options = Options { method, ..Options::default() };
        let run = run_scenario(&system, "s", &options).expect("it starts");
        assert!(run.end.is_complete(), "{method:?}: {}", run.end);
        let q = &run.last().expect("a state").q;
        let error = (q[0] - together - pulled + rubbed).abs().max((q[1] - together - rubbed).abs());
        assert!(error < 1e-9, "{method:?}: {error:e} {q:?}");
    }
}
