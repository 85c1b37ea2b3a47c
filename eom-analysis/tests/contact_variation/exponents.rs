//! The limit cycle of what sticks and slides, and exponents of what sticks, rests or is held by constraints.

use crate::common::interpreted;
use crate::{BELT, letters, options};
use eom_analysis::{LyapunovOptions, Section, Variations};
use eom_core::{Options, StartPolicy, State};

fn belt_period() -> (f64, f64) {
    let (ω, v, lag): (f64, f64, f64) = (3.0, 0.4, 0.2 * 20.0 / 18.0);
    let α = (v / (ω * lag)).atan();
    let period = (std::f64::consts::PI + 2.0 * α) / ω + 2.0 * lag / v;
    (period, 0.3 * 20.0 / 18.0 + lag.hypot(v / ω))
}

#[test]
fn the_limit_cycle_of_a_mass_on_a_belt() {
    let belt = interpreted(BELT);
    let variations = Variations::new(&belt).unwrap();
    let options = Options { until_time: Some(100.0), ..options() };
    let (period, top) = belt_period();
    let section = Section::Events { event: 0, count: 1 };
    let guess = State::new(0.0, [top + 0.02, 0.0], [0.0, 0.0]);
    let orbit = variations.orbit(&guess, &[], &options, section).unwrap();
    assert!(
        (orbit.period - period).abs() < 1e-11 && (orbit.state.q[0] - top).abs() < 1e-11,
        "{orbit:?}"
    );
    assert_eq!(orbit.multipliers.len(), 1, "{orbit:?}");
    assert!(orbit.multipliers[0].norm_sqr() < 1e-26, "{orbit:?}");
    // A guess that sticks to the belt leads to it by its first arrival.
    let sticking = State::new(0.0, [0.1, 0.0], [0.4, 0.0]);
    let found = variations.orbit(&sticking, &[], &options, section).unwrap();
    assert!((found.period - period).abs() < 1e-11, "{found:?}");
    // Where the start is on the section but for rounding, its own event is not the return.
    for v in [0.5, 0.7, 0.8] {
        let faster = belt.clone().with_parameters(&[None, None, None, None, Some(v)]).unwrap();
        let found =
            Variations::new(&faster).unwrap().orbit(&guess, &[], &options, section).unwrap();
        let (lag, α) = (0.2 * 20.0 / 18.0, (v / (0.6 * 20.0 / 18.0)).atan());
        let expected = (std::f64::consts::PI + 2.0 * α) / 3.0 + 2.0 * lag / v;
        assert!((found.period - expected).abs() < 1e-11, "{v}: {expected} {found:?}");
    }
    // Over a period, along the motion and across it.
    let whole = variations.transition(&orbit.state, &[], &options, orbit.period).unwrap();
    assert_eq!(letters(&whole), "sg");
    let values = [0, 2].map(|i| [0, 2].map(|j| whole.matrix[(i, j)]));
    let (trace, determinant) =
        (values[0][0] + values[1][1], values[0][0] * values[1][1] - values[0][1] * values[1][0]);
    assert!((trace - 1.0).abs() < 1e-10 && determinant.abs() < 1e-12, "{values:?}");
}

/// One exponent of the cycle is 0, the others are lost.
#[test]
fn exponents_of_what_sticks() {
    let belt = interpreted(BELT);
    let variations = Variations::new(&belt).unwrap();
    let (period, top) = belt_period();
    let asked = LyapunovOptions { count: 2, span: period, spans: 30, transient: 5 };
    let start = State::new(0.0, [top, 0.0], [0.0, 0.0]);
    let found = variations.lyapunov(&start, &[], &options(), asked).unwrap();
    assert!(found[0].value.abs() < 1e-9, "{found:?}");
    assert_eq!(found[1].value, f64::NEG_INFINITY);
    assert_eq!(found[1].error, 0.0);
    // Where it slides on for good what stuck before does not count: ẍ = −ω²x + μ g − c ẋ.
    let slides = interpreted(
        "/// A belt. \n system B { coordinates { x, y } parameters { c = 0.2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9*x^2/2 + 10*y;
        dissipation = c/2*ẋ^2; contact belt { gap = y; slip = ẋ - 2; friction = 0.5; impact = restitution(0); } }",
    );
    let variations = Variations::new(&slides).unwrap();
    let asked = LyapunovOptions { count: 2, span: 1.0, spans: 40, transient: 60 };
    let start = State::new(0.0, [0.0, 0.0], [2.0, 0.0]);
    let found = variations.lyapunov(&start, &[], &options(), asked).unwrap();
    assert!((found[0].value + found[1].value + 0.2).abs() < 1e-10, "{found:?}");
}

/// A swing that dies out, ẍ = −4 x − c ẋ beside ÿ = −k ẏ, whose turning points are recorded until they are below the last digit: at
/// rest it has −c/2 twice, −k, and 0 of the place of y.
#[test]
fn exponents_of_what_has_come_to_rest() {
    let system = interpreted(
        "/// A swing. \n system S { coordinates { x, y } parameters { c = 0.4, k = 0.7 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 2*x^2;
        force x = -c*ẋ; force y = -k*ẏ; event top { guard = ẋ; falling; } }",
    );
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let asked = LyapunovOptions { count: 4, span: 1.0, spans: 1000, transient: 100 };
    let found = Variations::new(&system).unwrap().lyapunov(&start, &[], &options(), asked).unwrap();
    let found: Vec<f64> = found.iter().map(|one| one.value).collect();
    for (found, expected) in found.iter().zip([0.0, -0.2, -0.2, -0.7]) {
        assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
    }
    assert_eq!(found.len(), 4);
    // Without the event it comes to the same rest; pushed once more, long after, it has not come to it; nor is it one where the
    // spring changes with the time.
    let swing = |spring: &str, force: &str, spans: usize| {
        let text = format!(
            "/// A swing. \n system S {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = ({spring})*x^2/2;
            force x = -0.4*ẋ + {force}; }}"
        );
        let asked = LyapunovOptions { count: 2, span: 1.0, spans, transient: 10 };
        let swing = interpreted(&text);
        let start = State::new(0.0, [1.0], [0.0]);
        Variations::new(&swing).unwrap().exponents(&start, &[], &options(), asked).unwrap()
    };
    let plain = swing("4", "0", 400);
    assert!(plain.rest.is_some_and(|t| t > 100.0 && t < 300.0), "{plain:?}");
    assert!(plain.all.iter().all(|one| (one.value + 0.2).abs() < 1e-14), "{plain:?}");
    for (spring, force) in [("4", "exp(-((t - 390)/0.5)^2)"), ("4 + sin(t)", "0")] {
        let found = swing(spring, force, 400);
        assert!(found.rest.is_none(), "{force}: {found:?}");
        let sum: f64 = found.all.iter().map(|one| one.value).sum();
        assert!((sum + 0.4).abs() < 1e-9, "{found:?}");
    }
}

/// Without friction, too, what leaves the constraints has no exponent: a pendulum on a rod in its plane with damping c has −c/2
/// twice, a skate that is damped has one for each of x, y, φ and two speeds, −c and −k among them.
#[test]
fn exponents_on_constraints() {
    for (text, q, v, spans, expected) in [
        (
            "/// A pendulum. \n system P { coordinates { x, y } parameters { c = 0.2 } kinetic = (ẋ^2 + ẏ^2)/2;
            potential = 9*y; force x = -c*ẋ + cos(3*t)/2; force y = -c*ẏ; holonomic { rod: x^2 + y^2 = 1; } }",
            vec![0.0, -1.0],
            vec![0.3, 0.0],
            30,
            (2, -0.2),
        ),
        (
            "/// A skate. \n system S { coordinates { x, y, φ } parameters { c = 0.2, k = 0.3 } kinetic = (ẋ^2 + ẏ^2 + φ̇^2)/2;
            force x = (1 - c*ẋ*cos(φ) - c*ẏ*sin(φ))*cos(φ); force y = (1 - c*ẋ*cos(φ) - c*ẏ*sin(φ))*sin(φ);
            force φ = 0.1 - k*φ̇; constraints { edge: sin(φ)*dx - cos(φ)*dy; } }",
            vec![0.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0],
            30,
            (5, -0.5),
        ),
    ] {
        let system = interpreted(text);
        let variations = Variations::new(&system).unwrap();
        let span = std::f64::consts::TAU / 3.0;
        let asked = LyapunovOptions { count: 9, span, spans, transient: 30 };
        let start = State::new(0.0, q, v);
        let found = variations.lyapunov(&start, &[], &options(), asked).unwrap();
        let sum = found.iter().map(|exponent| exponent.value).sum::<f64>();
        assert_eq!(found.len(), expected.0, "{found:?}");
        assert!((sum - expected.1).abs() < 1e-2, "{sum}: {found:?}");
        assert!(found.is_sorted_by(|a, b| a.value >= b.value), "{found:?}");
    }
}

/// Round a ring with friction there are two exponents, those of the angle: what leaves the ring has none.
#[test]
fn exponents_beside_a_constraint() {
    let ring = interpreted(
        "/// A ring. \n system R { coordinates { x, y } parameters { μ = 0.15 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y - 6*cos(3*t)*x;
        holonomic { ring: (x^2 + y^2)/2 = 1/2; } row ring { slip = x*ẏ - y*ẋ; friction = μ; } }",
    );
    let variations = Variations::new(&ring).unwrap();
    let period = std::f64::consts::TAU / 3.0;
    let start =
        State::new(0.0, [-0.836_970_522, -0.547_247_974_272_3], [1.530_626_146, -2.340_966_116]);
    let run = Options { start: StartPolicy::Project, ..options() };
    let orbit = variations.orbit(&start, &[], &run, Section::Period(period)).unwrap();
    let product = orbit.multipliers[0] * orbit.multipliers[1];
    let asked = LyapunovOptions { count: 4, span: period, spans: 4, transient: 1 };
    let found = variations.lyapunov(&orbit.state, &[], &run, asked).unwrap();
    let sum = found.iter().map(|exponent| exponent.value).sum::<f64>() * period;
    assert!(found.len() == 2 && (sum.exp() - product.re).abs() < 1e-9, "{found:?} {product}");
}

/// A ball that a shaking table throws up once a period, in any unit of time: of a period a variation keeps e, and so its exponents are
/// ln(e) ω/(2π). In nanoseconds impacts one after another were taken for one time.
#[test]
fn a_ball_on_a_shaking_table_in_any_unit_of_time() {
    for t in [1.0, 1e-6, 1e-9, 1e-12] {
        let ball = interpreted(&format!(
            "system Ball {{ coordinates {{ z }} parameters {{ T = {t:e}, A = 0.0041, e = 0.8 }}
            kinetic = ż^2/2; potential = 9.81*z/T^2;
            contact table {{ gap = z - A*sin(30*t/T); impact = restitution(e); }} }}"
        ));
        let variations = Variations::new(&ball).unwrap();
        let start = State::new(0.135 * t, [0.0565], [0.0]);
        let asked = LyapunovOptions { count: 2, span: t, spans: 40, transient: 40 };
        let found = variations.lyapunov(&start, &[], &Options::default(), asked);
        let found = found.unwrap_or_else(|error| panic!("{t:e}: {error}"));
        let expected = 0.8_f64.ln() * 30.0 / std::f64::consts::TAU;
        for exponent in found {
            assert!((exponent.value * t / expected - 1.0).abs() < 0.05, "{t:e}: {exponent:?}");
        }
    }
}

/// Those of directions that resets lose are −∞, and the others what they are without: of a map xₙ₊₁ = a xₙ (1 − xₙ), whose cycle of two has
/// ½ ln(4 + 2 a − a²), of what two resets lose in turn, of the gait of the simplest walker, ln |μ|/T.
#[test]
fn exponents_of_what_resets_lose() {
    let check = |source: &str, start: State, finite: &[f64], lost: usize| {
        let system = interpreted(source);
        let count = finite.len() + lost;
        let asked = LyapunovOptions { count, span: 1.0, spans: 200, transient: 20 };
        let variations = Variations::new(&system).unwrap();
        let found = variations.lyapunov(&start, &[], &Options::default(), asked).unwrap();
        let (left, gone) = found.split_at(finite.len());
        assert!(
            gone.len() == lost && gone.iter().all(|e| e.value == f64::NEG_INFINITY),
            "{found:?}"
        );
        let off =
            left.iter().zip(finite).find(|(e, x)| (e.value - **x).abs() > 3.0 * e.error + 1e-6);
        assert!(off.is_none(), "{found:?}");
    };
    let a = 3.2_f64;
    let map = "/// A map. \n system M { coordinates { x, s } kinetic = (ẋ^2 + ṡ^2)/2;
        event tick { guard = s - 1; rising; reset { s = 0; x = 3.2*x*(1 - x); ẋ = 0; ṡ = 1; } } }";
    let exponent = 0.5 * (4.0 + 2.0 * a - a * a).ln();
    check(map, State::new(0.0, [0.513_044_5, 0.0], [0.0, 1.0]), &[0.0, exponent], 2);
    let turns = "/// Two in turn. \n system T { coordinates { x, y, r, s } kinetic = (ẋ^2 + ẏ^2 + ṙ^2 + ṡ^2)/2;
        event one { guard = r - 1; rising; reset { r = 0; ẋ = 0; } }
        event other { guard = s - 1; rising; reset { s = 0; ẏ = 0; } } }";
    let start = State::new(0.0, [0.1, 0.2, 0.0, 0.3], [0.0, 0.0, 0.9, 1.2]);
    check(turns, start, &[0.0; 6], 2);
    let walker = include_str!("../../../models/gallery/simplest-walker.eom");
    let (size, period) = (0.589_113_185_5_f64, 3.882_463_752_85);
    let gait: [f64; 2] = [0.200_310_900_5, 0.400_621_801];
    let rates = [-0.199_832_472_9, -0.199_832_472_9 * (1.0 - gait[1].cos())];
    check(walker, State::new(0.0, gait, rates), &[0.0, size.ln() / period, size.ln() / period], 1);
}

/// What falls by more than the digits of a number in a span: ẍ + 60 ẋ + x = cos t, −30 ± √899.
#[test]
fn exponents_of_what_falls_fast() {
    for (c, root) in [(60.0, 899.0_f64), (400.0, 39_999.0)] {
        let falls = interpreted(&format!(
            "/// It falls. \n system F {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = x^2/2;
            force x = -{c}*ẋ + cos(t); }}"
        ));
        let asked = LyapunovOptions { count: 2, span: 1.0, spans: 20, transient: 10 };
        let start = State::new(0.0, [0.3], [0.0]);
        let variations = Variations::new(&falls).unwrap();
        let found = variations.lyapunov(&start, &[], &Options::default(), asked).unwrap();
        let expected = [-0.5 * c + root.sqrt(), -0.5 * c - root.sqrt()];
        let off = found.iter().zip(expected).any(|(e, x)| (e.value - x).abs() > 1e-8 * c);
        assert!(!off, "{found:?} {expected:?}");
    }
}
