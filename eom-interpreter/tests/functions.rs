//! Functions of the language along runs: every method agrees with what holds in closed form.

use eom_core::{End, Method, Options, run_scenario};
use eom_interpreter::Interpreted;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// The last x and ẋ of a particle of mass 1 under a force, by every method with a tolerance of 10⁻¹².
fn check(force: &str, start: &str, accuracy: f64, expected: impl Fn(f64, f64) -> [f64; 2]) {
    let source = format!(
        "system F {{ coordinates {{ x }} kinetic = ẋ^2/2; force x = {force};
         scenario s {{ {start} until t = 4; }} }}"
    );
    let system = Interpreted::new(&source).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    for method in METHODS {
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, "s", &options).expect("a start");
        let last = run.last().expect("a state");
        assert_eq!(last.t, 4.0, "{force}, {method:?}: {}", run.end);
        let (x, v) = (last.q[0], last.v[0]);
        let [wanted, speed] = expected(x, v);
        let error = (x - wanted).abs().max((v - speed).abs());
        assert!(error < accuracy, "{force}, {method:?}: {x}, {v}; {wanted}, {speed}");
    }
}

/// ∫ erf = x erf x + e^(−x²)/√π: along a fall from rest at x = 1 the energy stays.
#[test]
fn a_force_of_erf_keeps_its_energy() {
    // By the rule of Simpson.
    let erf = |x: f64| {
        let n = 2000;
        let h = x / f64::from(n);
        let at = |k: i32| (-(h * f64::from(k)).powi(2)).exp();
        let inner: f64 = (1..n).map(|k| if k % 2 == 1 { 4.0 * at(k) } else { 2.0 * at(k) }).sum();
        (at(0) + inner + at(n)) * h / 3.0 * std::f64::consts::FRAC_2_SQRT_PI
    };
    let potential = |x: f64| x * erf(x) + (-x * x).exp() / std::f64::consts::PI.sqrt();
    check("-erf(x)", "x = 1;", 1e-11, |x, v| {
        [x, v.signum() * (2.0 * (potential(1.0) - potential(x))).sqrt()]
    });
}

/// Steps pass over where the pieces of a force meet.
const STEPPED: f64 = 1e-7;

/// ∫ from 1 to 4 of a step is 1 + 1, ∫∫ is 4/7 + 1 + ½; of its fall what is left of t.
#[test]
fn steps_give_their_momentum() {
    let (x, v) = (4.0 / 7.0 + 1.0 + 0.5, 2.0);
    check("smoothstep(t, 1, 3)", "", STEPPED, |_, _| [x, v]);
    check("smoothstep(t, 3, 1)", "", STEPPED, |_, _| [8.0 - x, 4.0 - v]);
    check("1 - smoothstep((t - 1)/2)", "", STEPPED, |_, _| [8.0 - x, 4.0 - v]);
    // ∫∫ of (t − 1)/2: 1, and 8/12 + 1 + 1/2.
    check("ramp(t, 1, 3)", "", STEPPED, |_, _| [8.0 / 12.0 + 1.5, 2.0]);
}

/// A force that sets in between x = 1 and 2 has taken ½ + (x − 2) beyond.
#[test]
fn a_spring_that_sets_in_takes_its_energy() {
    check("-smoothstep(x, 1, 2)", "ẋ = 3;", STEPPED, |x, v| {
        let energy = if x > 2.0 { 0.5 + (x - 2.0) } else { f64::NAN };
        [x, v.signum() * (9.0 - 2.0 * energy).sqrt()]
    });
}

/// A motion ends where its force has no value any more: ẋ² = 1/5 + 4/5 x^(5/2) comes to x = 0 after ∫ dx/|ẋ|, by the rule of
/// Gauss, and √(1 − t) ends at t = 1, with ẋ = 1 + 2/3. No state is beyond, and an end that is asked for just behind is not reached.
#[test]
fn a_motion_ends_with_the_domain_of_its_force() {
    let cases = [
        ("x^(3/2)", "x = 1; ẋ = -1;", 1.690_467_681_268_690_8, -(0.2_f64.sqrt())),
        ("sqrt(1 - t)", "x = 1; ẋ = 1;", 1.0, 5.0 / 3.0),
    ];
    for (force, start, edge, speed) in cases {
        let source = format!(
            "system F {{ coordinates {{ x }} kinetic = ẋ^2/2; force x = {force};
             scenario s {{ {start} until t = 4; }} }}"
        );
        let system = Interpreted::new(&source).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for (method, until) in METHODS.into_iter().flat_map(|m| [(m, 4.0), (m, edge + 1e-7)]) {
            let options = Options { method, until_time: Some(until), ..Options::default() };
            let run = run_scenario(&system, "s", &options).expect("a start");
            let told = matches!(run.end, End::NonFinite { .. } | End::StepUnderflow { .. });
            assert!(told, "{force}, {method:?}: {}", run.end);
            let last = run.last().expect("a state");
            let off = [run.end.t() - edge, last.t - edge, last.v[0] - speed];
            assert!(off.iter().all(|off| off.abs() < 1e-11), "{force}, {method:?}: {off:?}");
            assert!(last.q[0] >= 0.0, "{force}, {method:?}: {last:?}");
        }
    }
}
