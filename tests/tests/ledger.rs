//! The ledger of runs: it closes on every system and changes no motion; works and jumps against
//! closed forms.

use eom_core::{
    AbsoluteTolerance, Cause, Kept, Ledger, Options, Source, StartPolicy, State, System,
};
use eom_tests::systems::{Ball, BeltBlock, Fixture, Paddle, every_system, nonlinear};
use eom_tests::{run_with, start_of, until};

/// Longer runs end with these many steps: the ledger of what was done has to close all the same.
const STEPS_MAX: u64 = 1_000;

fn keeping(options: Options) -> Options {
    Options { ledger: true, ..options }
}

/// The runs of a system: its scenarios, or from some state where it has none.
fn runs(system: &dyn System) -> Vec<(State, Vec<f64>, Options)> {
    let info = system.info();
    if info.scenarios.is_empty() {
        let q = (0..info.positions()).map(|j| 0.3 + 0.1 * j as f64);
        let v = (0..info.speeds()).map(|j| 0.5 - 0.2 * j as f64);
        let start = State::new(0.0, q.collect::<Vec<f64>>(), v.collect::<Vec<f64>>());
        let options = Options { start: StartPolicy::Project, ..until(2.0) };
        return vec![(start, vec![0.7; info.inputs.len()], options)];
    }
    (0..info.scenarios.len())
        .filter_map(|scenario| {
            let numbers = system.scenario(scenario)?;
            let (start, inputs) = start_of(system, scenario);
            let mut options = Options::default();
            options.end_as(&numbers);
            Some((start, inputs, options))
        })
        .collect()
}

fn check_closes(fixture: &Fixture, coarse: bool) {
    let system = (fixture.build)(&vec![None; fixture.info.parameters.len()]);
    let system = system.expect("the defaults are valid");
    for (index, (start, inputs, options)) in runs(&*system).into_iter().enumerate() {
        let options = if coarse {
            Options {
                relative_tolerance: 1e-9,
                absolute_tolerance: AbsoluteTolerance::All(1e-11),
                ..options
            }
        } else {
            options
        };
        let options = Options { steps_max: STEPS_MAX, ..options };
        let what = format!("{} {index}", fixture.name);
        let plain = run_with(&*system, &start, &inputs, &options);
        let kept = run_with(&*system, &start, &inputs, &keeping(options));
        let ledger = kept.ledger.clone().expect("it was asked for");
        assert_eq!(plain.samples, kept.samples, "{what}");
        assert_eq!(plain.events, kept.events, "{what}");
        assert_eq!((&plain.modes, &plain.end), (&kept.modes, &kept.end), "{what}");
        assert!(plain.ledger.is_none());
        assert!(ledger.closes(), "{what}: {ledger:#?}");
        // A tolerance that allows everything says nothing.
        let turnover: f64 = ledger.works.iter().map(|work| work.turnover).sum();
        let size = ledger.start.abs() + ledger.end.abs() + turnover;
        let part = if coarse { 1e-4 } else { 1e-9 };
        let says = ledger.tolerance <= part * (1.0 + size);
        assert!(says || !kept.end.is_complete(), "{what}: {ledger:#?}");
    }
}

#[test]
fn the_ledger_of_every_system_closes() {
    for fixture in every_system().into_iter().chain(nonlinear()) {
        check_closes(&fixture, false);
    }
}

#[test]
fn the_ledger_closes_to_the_tolerance_of_the_run() {
    for fixture in every_system().into_iter().chain(nonlinear()) {
        check_closes(&fixture, true);
    }
}

eom_core::lagrangian! {
    /// A damped oscillator beside a cart that is driven and braked.
    system Oscillator {
        coordinates { x, y }
        inputs { F }
        parameters { m = 1.5, c = 0.3, k = 2, f = 0.25, ω = 3 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = k/2*x^2;
        dissipation = c/2*ẋ^2;
        force y = F*sin(ω*t);
        // A line without power.
        force x = 0*f;
        allow unused_parameter(f);
    }
}

eom_core::lagrangian! {
    /// A pendulum under a torque and a constant force.
    system Driven {
        coordinates { θ, s }
        inputs { τ }
        parameters { m = 0.7, l = 1.2, g = 9.81, f = 0.25 }
        kinetic = m/2*(l^2*θ̇^2 + ṡ^2);
        potential = -m*g*l*cos(θ);
        force θ = τ;
        force s = -f;
    }
}

eom_core::lagrangian! {
    /// A bead on a hoop that turns ever faster, by the angle a t²/2.
    system Hoop {
        coordinates { θ }
        parameters { m = 1.5, R = 0.8, a = 0.7, g = 0 }
        let X = R*sin(θ)*cos(a*t^2/2);
        let Y = R*sin(θ)*sin(a*t^2/2);
        kinetic = m/2*(Ẋ^2 + Ẏ^2 + R^2*sin(θ)^2*θ̇^2);
        potential = -m*g*R*cos(θ);
    }
}

eom_core::lagrangian! {
    /// A mass on a spring, dragged at a constant velocity, and one that is shaken.
    system Dragged {
        coordinates { x, y }
        parameters { m = 1.5, k = 2, w = 0.4, A = 0.3, ω = 2 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = k/2*(x^2 + y^2);
        constraints { pull: ẋ - w; }
        // A row of velocities beside a holonomic one.
        allow integrable_row(pull);
        holonomic { shake: y - A*sin(ω*t); }
    }
}

eom_core::lagrangian! {
    /// A mass on a lift that starts with the acceleration a.
    system Lift {
        coordinates { y }
        parameters { m = 1.5, g = 9.81, a = 0.8 }
        kinetic = m/2*ẏ^2;
        potential = m*g*y;
        contact floor { gap = y - a*t^2/2; impact = plastic; }
    }
}

eom_core::lagrangian! {
    /// A mass on a spring that a belt carries, and one that is braked on a floor.
    system Carried {
        coordinates { x, y, s, z }
        parameters { m = 1.5, g = 9.81, k = 2, w = 0.4, c = 0.9 }
        kinetic = m/2*(ẋ^2 + ẏ^2 + ṡ^2 + ż^2);
        potential = m*g*(y + z) + k/2*x^2;
        contact belt { gap = y; impact = plastic; constraints { grip: ẋ - w; } }
        contact floor { gap = z; impact = plastic; dissipation = c/2*ṡ^2; }
    }
}

eom_core::lagrangian! {
    /// A block on a plane with a friction in proportion to the normal force.
    system Block {
        coordinates { x, y }
        parameters { m = 1.5, g = 9.81, μ = 0.2 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        force x = -μ*λ(plane);
        holonomic { plane: y; }
    }
}

fn ledger_of(system: &dyn System, q: &[f64], v: &[f64], inputs: &[f64], end: f64) -> Ledger {
    let start = State::new(0.0, q, v);
    let run = run_with(system, &start, inputs, &keeping(until(end)));
    assert_eq!(run.end.to_string(), format!("reached t = {end}"), "{}", system.info().name);
    let ledger = run.ledger.expect("it was asked for");
    assert!(ledger.closes(), "{}: {ledger:#?}", system.info().name);
    ledger
}

/// One run with the works that closed forms give.
struct Case<'a> {
    system: &'a dyn System,
    q: &'a [f64],
    v: &'a [f64],
    inputs: &'a [f64],
    end: f64,
    works: &'a [(Source, f64)],
}

impl Case<'_> {
    fn check(&self, tolerance: f64) {
        let ledger = ledger_of(self.system, self.q, self.v, self.inputs, self.end);
        let name = self.system.info().name;
        for &(source, work) in self.works {
            let found = ledger.work(source);
            assert!((found - work).abs() <= tolerance, "{name}, {source:?}: {found:e}, {work:e}");
        }
        let others = ledger.works.iter().filter(|w| self.works.iter().all(|c| c.0 != w.source));
        for other in others {
            assert!(other.turnover <= tolerance, "{name}: {other:?}");
        }
    }
}

/// x = e^{−γt}(cos νt + γ/ν sin νt), γ = c/2m, ν² = k/m − γ²; ẏ = F(1 − cos ωt)/(mω).
#[test]
fn dissipation_and_inputs_by_closed_forms() {
    let system = Oscillator::default();
    let Oscillator { m, c, k, ω, .. } = system;
    let (t, input) = (4.0_f64, 2.5);
    let γ = c / (2.0 * m);
    let ν = (k / m - γ * γ).sqrt();
    let decay = (-γ * t).exp();
    let x = decay * ((ν * t).cos() + γ / ν * (ν * t).sin());
    let v = -decay * k / (m * ν) * (ν * t).sin();
    let lost = m / 2.0 * v * v + k / 2.0 * (x * x - 1.0);
    let speed = input * (1.0 - (ω * t).cos()) / (m * ω);
    let names: Vec<&str> = system.info().powers.iter().map(|power| power.name).collect();
    assert_eq!(names, ["y", "c/2*ẋ^2"]);
    let works = &[(Source::Line(0), m / 2.0 * speed * speed), (Source::Line(1), lost)];
    let case =
        Case { system: &system, q: &[1.0, 0.0], v: &[0.0; 2], inputs: &[input], end: t, works };
    case.check(1e-13);
}

/// A constant torque does τ(θ₁ − θ₀); s = v t − f t²/2m.
#[test]
fn a_constant_torque_does_work_by_its_angle() {
    let system = Driven::default();
    let Driven { m, f, .. } = system;
    let (torque, end, speed) = (3.0, 2.5, 1.0);
    let start = State::new(0.0, [0.4, 0.0], [0.0, speed]);
    let run = run_with(&system, &start, &[torque], &keeping(until(end)));
    let θ = run.last().expect("it ended somewhere").q[0];
    let s = speed * end - f * end * end / (2.0 * m);
    let works = &[(Source::Line(0), torque * (θ - 0.4)), (Source::Line(1), -f * s)];
    let case = Case { system: &system, q: &start.q, v: &start.v, inputs: &[torque], end, works };
    case.check(1e-12);
}

/// What moves by itself: −∂L/∂t, rows, holonomic constraints, contacts, their rows.
#[test]
fn what_moves_by_itself_does_work() {
    let t = 3.0_f64;
    let hoop = Hoop::default();
    let h = -hoop.m / 2.0 * (hoop.R * hoop.a * t).powi(2);
    let works = &[(Source::Line(0), h)];
    // At θ = π/2 without gravity the bead stays: h = −m R² a² t²/2.
    let q = &[std::f64::consts::FRAC_PI_2];
    Case { system: &hoop, q, v: &[0.0], inputs: &[], end: t, works }.check(1e-13);

    let dragged = Dragged::default();
    let Dragged { m, k, w, A, ω } = dragged;
    let pulled = k / 2.0 * (w * t).powi(2);
    let (y, v) = (A * (ω * t).sin(), A * ω * (ω * t).cos());
    let shaken = m / 2.0 * (v * v - (A * ω).powi(2)) + k / 2.0 * y * y;
    let works = &[(Source::Row(0), pulled), (Source::Row(1), shaken)];
    let case = Case { system: &dragged, q: &[0.0; 2], v: &[w, A * ω], inputs: &[], end: t, works };
    case.check(1e-12);

    let lift = Lift::default();
    let Lift { m, g, a } = lift;
    let works = &[(Source::Contact(0), m * (g + a) * a * t * t / 2.0)];
    Case { system: &lift, q: &[0.0], v: &[0.0], inputs: &[], end: t, works }.check(1e-11);

    let carried = Carried::default();
    let Carried { m, k, w, c, .. } = carried;
    let braked = -m / 2.0 * (1.0 - (-2.0 * c * t / m).exp());
    let works = &[
        (Source::ContactRows(0), k / 2.0 * (w * t).powi(2)),
        (Source::ContactDissipation(1), braked),
    ];
    let v = &[w, 0.0, 1.0, 0.0];
    Case { system: &carried, q: &[0.0; 4], v, inputs: &[], end: t, works }.check(1e-12);
}

/// λ = m g: the block does −μ m g x.
#[test]
fn a_force_with_a_multiplier_does_work() {
    let block = Block::default();
    let Block { m, g, μ } = block;
    let (t, v) = (1.0, 3.0);
    let x = v * t - μ * g * t * t / 2.0;
    let works = &[(Source::Line(0), -μ * m * g * x)];
    Case { system: &block, q: &[0.0; 2], v: &[v, 0.0], inputs: &[], end: t, works }.check(1e-12);
}

/// Sliding friction does −c times the path; a belt that holds stretches the spring.
#[test]
fn dry_friction_by_closed_forms() {
    let free = BeltBlock { k: 0.0, ..BeltBlock::default() };
    let works = &[(Source::Friction(0), -2.0)];
    // m = c = 1: it stops at t = 2, after v²/2c.
    Case { system: &free, q: &[0.0], v: &[2.0], inputs: &[], end: 5.0, works }.check(1e-13);
    let belt = BeltBlock { u: 0.1, ..BeltBlock::default() };
    let works = &[(Source::Friction(0), 0.125)];
    Case { system: &belt, q: &[0.0], v: &[0.1], inputs: &[], end: 5.0, works }.check(1e-13);
    let ledger = ledger_of(&belt, &[0.0], &[0.1], &[], 5.0);
    let slips = ledger.drifts.iter().filter(|drift| matches!(drift.kept, Kept::Friction(0)));
    assert_eq!(slips.count(), 1, "{ledger:#?}");
}

/// Impacts: (1 − e²) of what a bounce has; with a wall that moves, 2 m w (w − v); in the end all.
#[test]
fn impacts_by_closed_forms() {
    let ball = Ball::default();
    let Ball { m, g, e, .. } = ball;
    let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
    let options = Options { until_impacts: Some(6), ..Options::default() };
    let ledger = run_with(&ball, &start, &[], &keeping(options)).ledger.expect("a ledger");
    let lost = -m * g * (1.0 - e.powi(12));
    assert!(ledger.closes() && (ledger.impacts(0) - lost).abs() < 1e-13, "{ledger:#?}");
    assert_eq!((ledger.jumps.len(), ledger.jumps[0].count), (1, 6));

    // Without the horizontal part what is left at the limit of the bounces is told.
    let ledger = ledger_of(&ball, &start.q, &[0.0; 2], &[], 6.0);
    let jumps: f64 = ledger.jumps.iter().map(|jump| jump.change).sum();
    assert!((jumps + m * g).abs() < 1e-12 && (ledger.impacts(0) + m * g).abs() < 1e-9);
    let last = &ledger.jumps[1].cause;
    assert_eq!(*last, Cause::Settling { closed: vec![0], sticking: vec![] });

    let paddle = Paddle::default();
    let Paddle { m, A, ω, .. } = paddle;
    let start = State::new(0.0, [1.0], [0.0]);
    let options = Options { until_impacts: Some(10), ..Options::default() };
    let run = run_with(&paddle, &start, &[], &keeping(options));
    let wanted: f64 = run
        .events
        .iter()
        .map(|event| {
            let w = A * ω * (ω * event.t).cos();
            2.0 * m * w * (w - event.v_minus()[0])
        })
        .sum();
    let ledger = run.ledger.expect("a ledger");
    assert!(ledger.closes() && (ledger.impacts(0) - wanted).abs() < 1e-12, "{ledger:#?} {wanted}");
}

#[test]
fn entries_say_what_they_are() {
    let info = Carried::default().info();
    let cause = Cause::Settling { closed: vec![0, 1], sticking: vec![] };
    let said = [
        Source::Contact(0).describe(info),
        Source::ContactRows(0).describe(info),
        Source::ContactDissipation(1).describe(info),
        Source::Line(0).describe(Oscillator::default().info()),
        Source::Line(1).describe(Oscillator::default().info()),
        Source::Line(0).describe(Hoop::default().info()),
        Source::Line(1).describe(Driven::default().info()),
        Source::Friction(0).describe(BeltBlock::default().info()),
        Source::Row(0).describe(Dragged::default().info()),
        Cause::Impact(vec![0, 1]).describe(info),
        cause.describe(info),
        Kept::Holonomic(1).describe(Dragged::default().info()),
        Kept::ContactRow(0).describe(info),
    ];
    let wanted = [
        "contact belt moves",
        "rows of contact belt",
        "dissipation of contact floor",
        "input force y",
        "dissipation c/2*ẋ^2",
        "-∂L/∂t",
        "force s",
        "friction abs(ẋ - u)",
        "constraint pull",
        "impact belt+floor",
        "settling belt+floor",
        "φ of shake",
        "rows of belt",
    ];
    assert_eq!(said, wanted);
}
