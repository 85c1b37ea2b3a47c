//! Why a run does not start, and why it ends before its end: with numbers, in the names of the
//! declaration, with one thing to do. The snapshots are the table.

use eom_core::{
    EventCount, Method, Options, Sampling, ScenarioError, StartError, System, run_scenario,
};
use eom_interpreter::Interpreted;
use std::fmt::Write;

/// One thing that goes wrong: the declaration, values of its parameters, options.
struct Case {
    items: &'static str,
    parameters: &'static [f64],
    options: Options,
}

fn case(items: &'static str) -> Case {
    Case { items, parameters: &[], options: Options::default() }
}

impl Case {
    fn with(self, parameters: &'static [f64]) -> Self {
        Self { parameters, ..self }
    }

    fn options(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.options.clone();
        change(&mut options);
        Self { options, ..self }
    }

    /// What is said of it, and what to do.
    fn outcome(&self) -> (String, Option<&'static str>) {
        let source = format!("system S {{ {} }}", self.items);
        let system = Interpreted::new(&source).expect("the declaration has no mistake");
        let overrides: Vec<Option<f64>> = self.parameters.iter().copied().map(Some).collect();
        let system = match system.with_parameters(&overrides) {
            Ok(system) => system,
            Err(error) => {
                let start = StartError::from(error);
                return (start.to_string(), start.help());
            }
        };
        assert!(!system.info().scenarios.is_empty());
        match run_scenario(&system, "s", &self.options) {
            Ok(run) => {
                let finite = |x: &f64| x.is_finite();
                assert!(run.samples.iter().all(|s| s.q.iter().chain(&s.v).all(finite)));
                assert!(!run.end.is_complete(), "{}: {}", self.items, run.end);
                (run.end.to_string(), run.end.help())
            }
            Err(ScenarioError::Start(error)) => (error.to_string(), error.help()),
            Err(error) => (error.to_string(), None),
        }
    }
}

fn check(name: &str, cases: &[Case]) {
    let mut out = String::new();
    for case in cases {
        let (said, help) = case.outcome();
        let values = if case.parameters.is_empty() {
            String::new()
        } else {
            format!("  with {:?}", case.parameters)
        };
        let _ = writeln!(out, "{}{values}\n    {said}", case.items);
        let _ = writeln!(out, "    help: {}\n", help.expect("one thing to do"));
    }
    insta::assert_snapshot!(name, out);
}

const BALL: &str = "coordinates { x } kinetic = ẋ^2; potential = x;
contact floor { gap = x; impact = elastic; } scenario s { x = 1; until t = 1; }";

const PARTICLE: &str = "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);";

#[test]
fn starts() {
    check(
        "starts",
        &[
            case(
                "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
constraints { blade: ẋ = ẏ; } scenario s { ẋ = 1; until t = 1; }",
            ),
            case(
                "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
holonomic { rod: x^2 + y^2 = 4; } scenario s { x = 1; ẏ = 1; until t = 1; }",
            ),
            case(
                "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
contact wall { gap = x; impact = elastic; } scenario s { x = -0.1; until t = 1; }",
            ),
            case(
                "coordinates { x } parameters { m = 1 where m > 0 } kinetic = m*ẋ^2;
scenario s { until t = 1; }",
            )
            .with(&[-1.0]),
            case(
                "coordinates { x } parameters { k = 1, l = 1/k } kinetic = ẋ^2; potential = l*x;
scenario s { until t = 1; }",
            )
            .with(&[0.0]),
            case(
                "coordinates { x } parameters { m = 1 } kinetic = m*ẋ^2;
scenario s { until t = 1; }",
            )
            .with(&[f64::NAN]),
            case(
                "coordinates { x, y } parameters { m = 1 } kinetic = m*ẋ^2 + ẏ^2;
scenario s { x = 2; until t = 1; }",
            )
            .with(&[0.0]),
            case(
                "coordinates { x, θ } parameters { l = 1 } kinetic = ẋ^2/2 + l^2*θ̇^2/2;
scenario s { until t = 1; }",
            )
            .with(&[0.0]),
            case(
                "coordinates { φ, θ, ψ }
kinetic = 1/2*((φ̇*sin(θ)*sin(ψ) + θ̇*cos(ψ))^2 + (φ̇*sin(θ)*cos(ψ) - θ̇*sin(ψ))^2) + (ψ̇ + φ̇*cos(θ))^2;
scenario s { φ̇ = 1; until t = 1; }",
            ),
            case(
                "coordinates { x } parameters { e = 1 } kinetic = ẋ^2;
contact c { gap = x; impact = restitution(e); } scenario s { x = 1; until t = 1; }",
            )
            .with(&[2.0]),
            case(
                "coordinates { x } parameters { k = 1 } kinetic = ẋ^2;
scenario s { x = sqrt(k); until t = 1; }",
            )
            .with(&[-1.0]),
            case(
                "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
constraints { a: ẋ = 1; } scenario s { solve ẏ; until t = 1; }",
            ),
            case(
                "coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
holonomic { rod: x^2 + y^2 = 1; } scenario s { x = 2; solve y; until t = 1; }",
            ),
            case("coordinates { x } kinetic = ẋ^2; scenario s { until t = 1; }")
                .options(|o| o.relative_tolerance = 1e-20),
            case("coordinates { x } kinetic = ẋ^2; scenario s { until t = -1; }"),
            // A snakeboard with both axles across.
            case(
                "coordinates { x, y, θ, φ, ψ } kinetic = ẋ^2 + ẏ^2 + θ̇^2/2 + φ̇^2/8 + ψ̇^2/8;
constraints { front: -sin(θ + φ)*ẋ + cos(θ + φ)*ẏ + cos(φ)*θ̇ = 0; back: -sin(θ + ψ)*ẋ + cos(θ + ψ)*ẏ - cos(ψ)*θ̇ = 0; }
scenario s { φ = pi/2; ψ = -pi/2; θ̇ = 1; until t = 1; }",
            ),
            case(
                "coordinates { x, y, z } kinetic = ẋ^2 + ẏ^2 + ż^2;
constraints { a: ẋ + ẏ = 0; b: ż = 0; c: (1 + x)*(ẋ + ẏ) + 2*ż + x*ẏ = 0; } scenario s { until t = 1; }",
            ),
            // The first row alone is zero.
            case("coordinates { x, y } kinetic = ẋ^2 + ẏ^2; holonomic { curve: x^2 = y^3; } scenario s { until t = 1; }"),
            case("coordinates { x, y } parameters { m = 1 } kinetic = m*(ẋ^2 + ẏ^2); scenario s { until t = 1; }")
                .with(&[-1.0]),
            case("coordinates { x, y } parameters { c = 1 } kinetic = (ẋ^2 + ẏ^2)/2 + c*ẋ*ẏ; scenario s { x = 3; until t = 1; }")
                .with(&[2.0]),
            case("coordinates { x, y } parameters { m = 1 } kinetic = m*ẋ^2 + ẏ^2; scenario s { until t = 1; }")
                .with(&[-3.0]),
            // The forces have values there: 1/x.
            case("coordinates { x } kinetic = ẋ^2/2; potential = ln(x); scenario s { x = -1; until t = 1; }"),
            case("coordinates { x } kinetic = ẋ^2/2; potential = integral(1/s, s in 0..x); scenario s { x = 1; until t = 1; }"),
            case("coordinates { x } lagrangian = ẋ^2/2 - ln(x); scenario s { x = -1; until t = 1; }"),
            case("coordinates { x } kinetic = ẋ^2/2; potential = x^2; scenario s { x = 1e200; until t = 1; }"),
            case(BALL).options(|o| o.until_impacts = Some(0)),
            case(BALL).options(|o| o.steps_max = 0),
            case(BALL).options(|o| o.events_max = 0),
            case(BALL).options(|o| o.until_events = Some(EventCount { event: None, count: 0 })),
            case(BALL).options(|o| o.sampling = Sampling::At(vec![0.5, 0.25].into())),
            case(BALL).options(|o| o.sampling = Sampling::At(vec![f64::NAN].into())),
        ],
    );
}

/// x = cos t passes zero at π/2 + kπ, and turns at kπ; of a ball of e = 1 above a floor, y = 1 − t²/2 at first.
#[test]
fn scenarios_end_by_events() {
    const SPRING: &str = "coordinates { x } kinetic = ẋ^2/2; potential = x^2/2;
event zero { guard = x; both; } event turn { guard = ẋ; both; }";
    const BOUNCES: &str = "coordinates { y } kinetic = ẏ^2/2; potential = y;
contact floor { gap = y; impact = elastic; } event top { guard = ẏ; }";
    let half = std::f64::consts::FRAC_PI_2;
    let table = [
        (SPRING, "x = 1; until zero;", half, "1 event of `zero`"),
        (SPRING, "x = 1; until zero = 4;", 7.0 * half, "4 events of `zero`"),
        (SPRING, "x = 1; until events = 4; until t = 99;", 4.0 * half, "4 events"),
        (SPRING, "x = 1; until turn = 9; until t = 1;", 1.0, "t = 1"),
        (BOUNCES, "y = 1; until events = 3;", 3.0 * 2.0_f64.sqrt(), "3 events"),
        (
            BOUNCES,
            "y = 1; until top = 2; until impacts = 9;",
            4.0 * 2.0_f64.sqrt(),
            "2 events of `top`",
        ),
        (BOUNCES, "y = 1; until top = 2; until impacts = 1;", 2.0_f64.sqrt(), "1 impact"),
    ];
    for (items, settings, t, said) in table {
        let source = format!("system S {{ {items} scenario s {{ {settings} }} }}");
        let system = Interpreted::new(&source).expect("the declaration has no mistake");
        for method in [Method::Taylor, Method::RungeKutta, Method::Radau] {
            let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
            let run = run_scenario(&system, "s", &options).expect("it starts");
            assert!(run.end.to_string().starts_with(&format!("reached {said}")), "{}", run.end);
            assert!((run.end.t() - t).abs() < 1e-9, "{settings} {method:?}: {}", run.end);
        }
    }
}

#[test]
fn ends() {
    check(
        "ends",
        &[
            case("coordinates { x } kinetic = ẋ^2;
contact c { gap = x + 1; impact = elastic; } scenario s { ẋ = 1; until impacts = 3; }"),
            case("coordinates { x } kinetic = ẋ^2;
contact c { gap = x + 1; impact = elastic; } scenario s { until impacts = 3; }"),
            case("coordinates { x } kinetic = x^2*ẋ^2; scenario s { x = 1; ẋ = -1; until t = 1; }"),
            case("coordinates { x } kinetic = ẋ^2/2; force x = x^2; scenario s { x = 1; ẋ = 1; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; force x = sqrt(x); scenario s { x = 1; ẋ = -3; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; force x = 1/(t - 1); scenario s { until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; potential = 50*x^2; scenario s { x = 1; until t = 9; }")
                .options(|o| o.steps_max = 10),
            case("coordinates { x } kinetic = ẋ^2/2; potential = x;
contact floor { gap = x; impact = elastic; } scenario s { x = 1; until impacts = 9; }")
                .options(|o| o.events_max = 3),
            case("coordinates { x, y } kinetic = 1/2*(ẋ^2 + ẏ^2);
holonomic { rail: y = sqrt(1 - x); } scenario s { solve y, ẏ; ẋ = 1; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; event touch { guard = x^2; }
scenario s { x = -1; ẋ = 1; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; potential = x; event sink { guard = x - 1; reset { x = -1; } }
contact floor { gap = x; impact = elastic; } scenario s { x = 2; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2;
constraints { lift: ẋ = -1; } contact floor { gap = x; impact = elastic; } allow idle_contact(floor); scenario s { x = 1; solve ẋ; until t = 9; }"),
            case("coordinates { x } kinetic = ẋ^2/2; event e { guard = ln(1 - t); } scenario s { until t = 2; }"),
            case("coordinates { x } kinetic = ẋ^2/2; potential = ln(x); event e { guard = 1 - t; reset { x = -x; } } scenario s { x = 1; until t = 2; }"),
        ],
    );
}

/// What the table is about stands beside a run that does what it should.
#[test]
fn a_run_that_reaches_its_end_needs_no_help() {
    let source = format!("system S {{ {PARTICLE} scenario s {{ ẋ = 1; until t = 1; }} }}");
    let system = Interpreted::new(&source).expect("no mistake");
    let run = run_scenario(&system, "s", &Options::default()).expect("it starts");
    assert!(run.end.is_complete() && run.end.help().is_none());
}
