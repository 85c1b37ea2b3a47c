//! The same motion in other units: lengths, times and masses from 1e-9 to 1e9 times as large. With absolute tolerances in
//! these units, the one number of a run that has some, the same happens at the same time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::{
    AbsoluteTolerance, EventKind, Method, Options, Sampling, State, Trajectory, simulate,
};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// Powers of length, time and mass.
type Unit = [i32; 3];

const NUMBER: Unit = [0, 0, 0];
const LENGTH: Unit = [1, 0, 0];
const SPEED: Unit = [1, -1, 0];
const RATE: Unit = [0, -1, 0];
const PULL: Unit = [1, -2, 0];
const MASS: Unit = [0, 0, 1];
const STIFFNESS: Unit = [0, -2, 1];
const FORCE: Unit = [1, -2, 1];

/// Units of length, time and mass, in metres, seconds and kilograms.
type Scale = [f64; 3];

const SI: Scale = [1.0; 3];

fn in_units(value: f64, unit: Unit, scale: Scale) -> f64 {
    unit.iter().zip(scale).fold(value, |value, (power, one)| value * one.powi(*power))
}

struct Motion {
    items: &'static str,
    parameters: &'static [(&'static str, f64, Unit)],
    /// q and v at the start.
    start: [&'static [(f64, Unit)]; 2],
    until: f64,
}

impl Motion {
    fn run(&self, scale: Scale) -> Trajectory {
        let told = |(name, value, unit): &(&str, f64, Unit)| {
            format!("{name} = {:e}", in_units(*value, *unit, scale))
        };
        let parameters: Vec<String> = self.parameters.iter().map(told).collect();
        let text =
            format!("system S {{ parameters {{ {} }} {} }}", parameters.join(", "), self.items);
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let [q, v] = self.start;
        let scaled = |all: &[(f64, Unit)]| -> Vec<f64> {
            all.iter().map(|(value, unit)| in_units(*value, *unit, scale)).collect()
        };
        let units = q.iter().chain(v).map(|(_, unit)| in_units(1e-16, *unit, scale));
        let options = Options {
            absolute_tolerance: AbsoluteTolerance::Each(units.collect()),
            until_time: Some(self.until * scale[1]),
            sampling: Sampling::Ends,
            ..Options::default()
        };
        let start = State::new(0.0, scaled(q), scaled(v));
        let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.unwrap();
        assert!(run.end.is_complete(), "{}: {} in {scale:?}", self.items, run.end);
        run
    }
}

/// Times of what happens, in units of time, and the last state in SI units.
fn told(motion: &Motion, scale: Scale) -> (Vec<(&'static str, f64)>, Vec<f64>) {
    let run = motion.run(scale);
    let kind = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => "impact",
        EventKind::Accumulation { .. } => "accumulation",
        _ => "other",
    };
    let events = run.events.iter().map(|event| (kind(&event.kind), event.t / scale[1]));
    let last = run.last().unwrap();
    let units = motion.start[0].iter().chain(motion.start[1]);
    let values = last.q.iter().chain(&last.v).zip(units);
    (
        events.collect(),
        values.map(|(value, (_, unit))| value / in_units(1.0, *unit, scale)).collect(),
    )
}

fn check(motion: &Motion, times: f64) {
    let (events, last) = told(motion, SI);
    let sizes = [1e-9, 1.0, 1e9];
    for index in 0..27 {
        let scale = [sizes[index % 3], sizes[index / 3 % 3], sizes[index / 9]];
        let (other, state) = told(motion, scale);
        let kinds =
            |all: &[(&'static str, f64)]| -> Vec<&str> { all.iter().map(|e| e.0).collect() };
        assert_eq!(kinds(&events), kinds(&other), "{} in {scale:?}", motion.items);
        for ((_, t), (_, same)) in events.iter().zip(&other) {
            assert!((t - same).abs() <= times, "{}: {t} {same} in {scale:?}", motion.items);
        }
        for (value, same) in last.iter().zip(&state) {
            let off = (value - same).abs();
            assert!(off <= 1e-9 * (1.0 + value.abs()), "{}: {value} {same}", motion.items);
        }
    }
}

#[test]
fn bounces_to_rest() {
    let ball = Motion {
        items: "coordinates { y } kinetic = m/2*ẏ^2; potential = m*g*y;
            contact floor { gap = y; impact = restitution(e); }",
        parameters: &[("m", 1.0, MASS), ("g", 9.81, PULL), ("e", 0.5, NUMBER)],
        start: [&[(1.0, LENGTH)], &[(0.0, SPEED)]],
        until: 2.0,
    };
    check(&ball, 1e-13);
    // h = 1: at rest after √(2/g) (1 + e)/(1 − e).
    let (events, _) = told(&ball, [1e-9, 1e9, 1e9]);
    let (kind, t) = *events.last().unwrap();
    assert_eq!(kind, "accumulation");
    assert!((t - 3.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-13, "{t}");
}

#[test]
fn a_block_slides_to_rest_on_an_incline() {
    let block = Motion {
        items: "coordinates { x, y } kinetic = m/2*(ẋ^2 + ẏ^2);
            potential = m*g*(y*cos(φ) - x*sin(φ));
            contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; }",
        parameters: &[("m", 1.0, MASS), ("g", 9.81, PULL), ("φ", 0.3, NUMBER), ("μ", 0.4, NUMBER)],
        start: [&[(0.0, LENGTH), (0.0, LENGTH)], &[(1.0, SPEED), (0.0, SPEED)]],
        until: 2.0,
    };
    check(&block, 1e-13);
}

#[test]
fn a_throw_with_friction() {
    let throw = Motion {
        items: "coordinates { x, y, z } kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2);
            potential = m*g*(z*cos(φ) - x*sin(φ));
            contact floor { gap = z; slip = [ẋ, ẏ]; friction = μ; impact = restitution(e); }",
        parameters: &[
            ("m", 1.0, MASS),
            ("g", 9.81, PULL),
            ("φ", 0.2, NUMBER),
            ("μ", 0.3, NUMBER),
            ("e", 0.4, NUMBER),
        ],
        start: [
            &[(0.0, LENGTH), (0.0, LENGTH), (0.3, LENGTH)],
            &[(1.0, SPEED), (2.0, SPEED), (0.0, SPEED)],
        ],
        until: 5.0,
    };
    check(&throw, 1e-10);
}

#[test]
fn a_block_on_a_belt() {
    let belt = Motion {
        items: "coordinates { x, y } kinetic = m/2*(ẋ^2 + ẏ^2); potential = k/2*x^2 + m*g*y;
            contact belt { gap = y; slip = ẋ - u; friction(μs, μk); impact = plastic; }",
        parameters: &[
            ("m", 1.0, MASS),
            ("g", 1.0, PULL),
            ("k", 1.0, STIFFNESS),
            ("u", 0.5, SPEED),
            ("μs", 0.6, NUMBER),
            ("μk", 0.4, NUMBER),
        ],
        start: [&[(0.0, LENGTH), (0.0, LENGTH)], &[(0.2, SPEED), (0.0, SPEED)]],
        until: 30.0,
    };
    check(&belt, 1e-10);
}

#[test]
fn three_in_a_row_and_a_wedge() {
    let row = Motion {
        items: "coordinates { a, b, c } kinetic = m/2*(ȧ^2 + ḃ^2 + ċ^2);
            potential = k/2*(a^2 + b^2 + c^2); impacts = sequential;
            contact ab { gap = b - a; impact = restitution(e); }
            contact bc { gap = c - b; impact = restitution(e); }",
        parameters: &[("m", 1.0, MASS), ("k", 10.0, STIFFNESS), ("e", 0.9, NUMBER)],
        start: [
            &[(-0.5, LENGTH), (0.0, LENGTH), (0.0, LENGTH)],
            &[(0.0, SPEED), (0.0, SPEED), (0.0, SPEED)],
        ],
        until: 1.2,
    };
    check(&row, 1e-10);
    let guide = Motion {
        items: "coordinates { x } kinetic = m/2*ẋ^2; let N = m*g; dissipation = μ*N*abs(ẋ);
            contact left { gap = x + b; impact = restitution(e); }
            contact right { gap = b - x; impact = restitution(e); }",
        parameters: &[
            ("m", 1.0, MASS),
            ("g", 9.81, PULL),
            ("μ", 0.2, NUMBER),
            ("b", 1.0, LENGTH),
            ("e", 0.5, NUMBER),
        ],
        start: [&[(0.0, LENGTH)], &[(10.0, SPEED)]],
        until: 10.0,
    };
    check(&guide, 1e-12);
}

#[test]
fn a_spring_beats_against_a_wall() {
    let wall = Motion {
        items: "coordinates { x } kinetic = m/2*ẋ^2; potential = k/2*x^2;
            force x = -F*(1 + cos(ω*t)/2); contact wall { gap = x; impact = restitution(e); }",
        parameters: &[
            ("m", 1.0, MASS),
            ("k", 2.0, STIFFNESS),
            ("F", 1.0, FORCE),
            ("ω", 0.5, RATE),
            ("e", 0.7, NUMBER),
        ],
        start: [&[(1.0, LENGTH)], &[(0.0, SPEED)]],
        until: 30.0,
    };
    check(&wall, 1e-10);
}

/// Squares of slopes in units of their errors are beyond the numbers: a ball falls from 5 to 0 in one unit of time.
#[test]
fn slopes_whose_squares_overflow() {
    const EXPLICIT: &[Method] = &[Method::Taylor, Method::RungeKutta];
    // table
    let cases: [(f64, f64, &[Method]); 3] =
        [(1e150, 1.0, EXPLICIT), (1.0, 1e-140, EXPLICIT), (1.0, 1e-75, &[Method::Radau])];
    for (length, time, methods) in cases {
        let text = format!(
            "system S {{ coordinates {{ y }} parameters {{ L = {length:e}, T = {time:e} }}
            kinetic = ẏ^2*T/2*T; potential = 10*L*y; contact floor {{ gap = y; impact = restitution(0.5); }} }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for &method in methods {
            let options = Options {
                until_time: Some(2.7 * time),
                method,
                steps_max: 3000,
                ..Options::default()
            };
            let start = State::new(0.0, [5.0 * length], [0.0]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.unwrap();
            assert!(run.end.is_complete(), "{method:?} in {length:e} and {time:e}: {}", run.end);
            let last = run.last().unwrap();
            assert_eq!(run.events.len(), 3);
            assert!((last.q[0] / length - 0.05).abs() < 1e-9, "{}", last.q[0]);
            assert!((last.v[0] * time / length + 0.75).abs() < 1e-9, "{}", last.v[0]);
        }
    }
}

/// A spring whose time is far from 1: powers of it are beyond the numbers from the third on.
#[test]
fn springs_of_all_times() {
    for time in [1e-150, 1e-100, 1e100, 1e150] {
        let text = format!(
            "system S {{ coordinates {{ x }} parameters {{ T = {time:e} }} kinetic = ẋ^2/2; potential = x^2/(2*T^2); }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { until_time: Some(time), method, ..Options::default() };
            let start = State::new(0.0, [1.0], [0.0]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.unwrap();
            assert!(run.end.is_complete(), "{method:?} in {time:e}: {}", run.end);
            let x = run.last().unwrap().q[0];
            assert!((x - 1.0_f64.cos()).abs() < 1e-12, "{method:?} in {time:e}: {x}");
        }
    }
}

/// What rests, pressed by a force that changes, has slopes that are rounding of that force: no step is as exact as an
/// absolute tolerance that this is above, and steps are no shorter than that tells.
#[test]
fn what_a_large_force_presses_stays_in_few_steps() {
    let text = "system S { coordinates { x } parameters { m = 1e-9, k = 2e9, c = 0.1, F = 1e9, ω = 0.5e9 }
        kinetic = m/2*ẋ^2; potential = k/2*x^2; dissipation = c/2*ẋ^2; force x = -F*(1 + cos(ω*t)/2);
        contact wall { gap = x; impact = restitution(0.7); } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let options = Options { until_time: Some(3e-8), steps_max: 3000, ..Options::default() };
    let start = State::new(0.0, [1.0], [0.0]);
    let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert!(run.end.is_complete(), "{}", run.end);
    let last = run.last().unwrap();
    assert_eq!((last.q[0], last.v[0]), (0.0, 0.0));
}

/// A gap at the start is touching within the absolute tolerance, not within what is small in metres: a ball that is let go
/// 5·10⁻¹² above the floor falls, and bounces as from any height.
#[test]
fn a_small_gap_at_the_start_is_a_gap() {
    let text = "system S { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
        contact floor { gap = y; impact = restitution(0.5); } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let run = |y: f64| {
        let options = Options { until_time: Some(1.0), ..Options::default() };
        let start = State::new(0.0, [y], [0.0]);
        simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap()
    };
    for height in [5e-12_f64, 1e-10, 1e-6] {
        let run = run(height);
        assert!(run.end.is_complete(), "{}", run.end);
        let fall = (2.0 * height / 9.81).sqrt();
        let (first, last) = (run.events.first().unwrap(), run.events.last().unwrap());
        assert!((first.t - fall).abs() < 1e-6 * fall, "{height}: {} for {fall}", first.t);
        assert!(matches!(last.kind, EventKind::Accumulation { .. }));
        // What is left out is below the tolerance.
        assert!((last.t - 3.0 * fall).abs() < 1e-5 * fall, "{height}: {} for {fall}", last.t);
    }
    let rests = run(1e-16);
    assert!(rests.end.is_complete() && rests.events.is_empty());
}

/// x = s cos t with the one absolute tolerance of all, of which s is next to nothing: it is a part of s then.
#[test]
fn what_is_far_below_the_tolerance_of_all_is_told() {
    let text = "system S { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let (cos, sin) = (10.0_f64.cos(), 10.0_f64.sin());
    for size in [1e-17, 1e-30, 1e-100, 1e-140] {
        for method in [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, until_time: Some(10.0), ..Options::default() };
            let start = State::new(0.0, [size], [0.0]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.unwrap();
            let last = run.last().unwrap();
            let off = (last.q[0] / size - cos).abs().max((last.v[0] / size + sin).abs());
            assert!(off < 1e-11, "{method:?} {size:e}: {off:e}");
        }
    }
}

/// Two bodies that bounce and slide, joined by a spring. A foot leaves its incline where its force has come to zero, within the
/// rounding of its place: on steps as short as that tells the place says nothing of its rate, of which the speed does.
#[test]
fn a_foot_leaves_an_incline_within_rounding() {
    let last = |[l, t, m]: Scale| {
        let text = format!(
            "system S {{ coordinates {{ h, x, X, y, Y, H }}
            parameters {{ l = {l:e}, t_0 = {t:e}, M = {m:e}, T = M/t_0^2 }}
            kinetic = M*(0.2153745*Ḣ^2 + 0.054823*ḣ^2) + M/l^2*(1.2595*(ẋ^2 + ẏ^2) + 0.751*(Ẋ^2 + Ẏ^2));
            potential = T*(24.71139*y/l + 14.73462*Y/l + 20.75*((y - Y)^2/l^2 + ((x - X)/l + 3)^2));
            force h = T*0.62*sin(2.48*t/t_0);
            force x = -T/l*7.99*sin(4.15*t/t_0 + 2.82);
            force X = T/l*2.16*sin(2.1*t/t_0 + 5.71);
            let a = 0.133*sin(h) - 0.222*cos(h);
            let b = 0.411*sin(H) - 0.37*cos(H);
            contact rear {{ gap = Y + l*a; slip = Ẋ - l*a*ḣ + 1.52*l/t_0; friction = 0.39; impact = plastic; }}
            contact foot {{ gap = y + l*b; slip = ẋ - l*b*Ḣ; friction(0.104, 0.08); impact = restitution(0.3); }}
            contact incline {{
                gap = 0.8*y - 0.6*x + l*(0.0016*sin(H) - 0.1812*cos(H)); friction = 0.38; impact = restitution(0.3);
                slip = 0.8*ẋ + 0.6*ẏ + l*Ḣ*(0.1812*cos(H) - 0.0016*sin(H));
            }} }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let lengths = [1.0, l, l, l, l, 1.0];
        let q = [2.457, 0.0, 3.0, 1.431_041_950_781_397, 1.479_821_164_532_131_7, -1.364];
        let v = [1.157, 1.811, 0.088, 0.0, 0.0, 1.839];
        let times = |of: [f64; 6], one: f64| -> Vec<f64> {
            of.iter().zip(lengths).map(|(value, length)| value * length * one).collect()
        };
        let options = Options { until_time: Some(2.0 * t), steps_max: 4000, ..Options::default() };
        let start = State::new(0.0, times(q, 1.0), times(v, 1.0 / t));
        let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.unwrap();
        assert!(run.end.is_complete(), "{} in {l} and {t}", run.end);
        let last = run.last().unwrap();
        let places: Vec<f64> = last.q.iter().zip(lengths).map(|(q, length)| q / length).collect();
        places
    };
    let places = last(SI);
    for scale in [[4096.0, 1.0 / 256.0, 1.0 / 262_144.0], [131_072.0, 8.0, 1.0 / 256.0]] {
        for (place, same) in places.iter().zip(last(scale)) {
            assert!((place - same).abs() < 1e-7, "{place} {same} in {scale:?}");
        }
    }
}
