//! Runs that are saved and go on elsewhere: a run that is restored leaves the same, to the bit, as the one that was
//! never left, and whatever is saved of both later is equal. The oracle is the run that goes on.

use eom_core::{
    Event, EventCount, EventKind, ForceCheck, Law, Ledger, Method, Mode, ModeSpan, Options,
    RestoreError, Run, Sampling, Snapshot, State, Stats, System, Trajectory, start_scenario,
};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use serde_json::Value;

/// From so many stops of a run it is restored, and from as many with events.
const RESTORED: usize = 6;

/// What a run is asked for: how many stops, and whether its state is replaced at some.
struct Way {
    stops: usize,
    replaces: bool,
}

const LEFT_ALONE: Way = Way { stops: 220, replaces: false };
const REPLACED: Way = Way { stops: 220, replaces: true };
/// Steps with more samples than are taken at once: the run stops within them.
const SAMPLED: Way = Way { stops: 16, replaces: false };

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

fn system(text: &str) -> Interpreted {
    Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {}", mistakes[0]))
}

/// The run of the first scenario of a system.
fn begin<'a>(system: &'a Interpreted, options: &Options) -> Run<'a> {
    let scenario = system.scenario(0).expect("a scenario");
    let start = start_scenario(system, system.info().scenarios[0].name).expect("a start");
    Run::with_inputs(system, &start, &scenario.u, options).expect("it starts")
}

/// The same, read from the text that serde makes of it.
fn over_the_wire(saved: &Snapshot) -> Snapshot {
    let text = serde_json::to_string(saved).expect("it is written");
    serde_json::from_str(&text).expect("it is read")
}

/// Stop number k: a step, or a way of a given length; now and then other inputs, what is left is taken, a
/// state is replaced.
fn go_on(run: &mut Run<'_>, k: usize, inputs: usize, way: &Way) {
    if k % 9 == 4 && inputs > 0 {
        let u: Vec<f64> = (0..inputs).map(|i| ((k * 7 + i * 3) % 11) as f64 - 5.0).collect();
        run.set_inputs(&u).expect("they are finite");
    }
    if way.replaces && k % 31 == 30 {
        let state = run.state().clone();
        let other = State { v: state.v.iter().map(|v| -0.5 * v).collect(), ..state };
        // It may not be on the constraints.
        let _ = run.apply(&other);
    }
    if k % 11 == 10 {
        let _ = (run.take_events(), run.take_samples(), run.take_modes());
    }
    let _ = if k % 5 == 3 { run.advance_to(run.t() + 1e-3 * k as f64) } else { run.step() };
}

/// Where two snapshots differ, if they do.
fn same(name: &str, found: &Snapshot, wanted: &Snapshot) {
    if found != wanted {
        let words =
            |saved| match serde_json::to_value(saved).expect("it is written")["words"].take() {
                Value::Array(words) => words,
                _ => Vec::new(),
            };
        let (a, b) = (words(found), words(wanted));
        let first = a.iter().zip(&b).position(|(a, b)| a != b);
        panic!(
            "{name}: at t = {} word {first:?} of {} and {} differs",
            found.t(),
            a.len(),
            b.len()
        );
    }
}

/// Saved at stops, at every stop with an event and before it among them, and restored.
fn check(name: &str, text: &str, tweak: impl Fn(&mut Options), way: &Way) -> Vec<EventKind> {
    let (system, mut kinds) = (system(text), Vec::new());
    let inputs = system.info().inputs.len();
    for method in METHODS {
        let name = format!("{name} by {method:?}");
        let until_time = system.scenario(0).and_then(|scenario| scenario.until_time);
        let mut options = Options { method, until_time, ..Options::default() };
        tweak(&mut options);
        let mut run = begin(&system, &options);
        let mut saved = vec![run.save()];
        let (mut eventful, mut waiting) = (Vec::new(), 0);
        for k in 0..way.stops {
            let before = run.event_count();
            go_on(&mut run, k, inputs, way);
            saved.push(run.save());
            let waits = saved[k].t() == run.t() && run.end().is_none();
            waiting += usize::from(waits);
            if run.event_count() > before || waits {
                kinds.extend(run.events_since(before).iter().map(|event| event.kind.clone()));
                eventful.extend([k, k + 1]);
            }
            if run.end().is_some() {
                break;
            }
        }
        assert!(way.stops > SAMPLED.stops || waiting > 3, "{name} waits {waiting} times");
        let mut rng = Rng::with_seed(saved.len() as u64);
        let any = (0..RESTORED).map(|_| rng.usize(..saved.len()));
        // The last ones are those at which impacts accumulate.
        let spread = eventful.iter().step_by(eventful.len() / RESTORED + 1);
        let eventful = spread.chain(eventful.iter().rev().take(4)).copied();
        let wanted = run.finish();
        let text = serde_json::to_string(&wanted.save(&system)).expect("it is written");
        let kept = serde_json::from_str(&text).expect("it is read");
        assert_eq!(Trajectory::restore(&system, &kept).expect("it is whole"), wanted, "{name}");
        for from in any.collect::<Vec<_>>().into_iter().chain(eventful) {
            let mut other = Run::restore(&system, &over_the_wire(&saved[from]))
                .unwrap_or_else(|error| panic!("{name} from stop {from}: {error}"));
            same(&name, &other.save(), &saved[from]);
            for k in from..saved.len() - 1 {
                go_on(&mut other, k, inputs, way);
                same(
                    &format!("{name} from stop {from} at {}", k + 1),
                    &other.save(),
                    &saved[k + 1],
                );
            }
            assert_eq!(other.finish(), wanted, "{name} from stop {from}");
        }
    }
    kinds
}

const PENDULUM: &str = "system P { coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ);
    scenario s { θ = 3; θ̇ = 1; until t = 30; } }";

const WHIRLS: &str = "system W { coordinates { θ, φ } kinetic = θ̇^2 + φ̇^2/2 + cos(θ - φ)*θ̇*φ̇;
    potential = -2*cos(θ) - cos(φ); event turns { guard = sin(φ) - 1/2; both; }
    scenario s { θ = 1; θ̇ = 20; φ̇ = -31; until t = 20; } }";

const BALL: &str = "system B { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
    contact floor { gap = y; impact = restitution(1/2); } scenario s { y = 1; until t = 3; } }";

const WEDGE: &str = "system W { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
    contact left { gap = y + x/2; impact = restitution(3/5); }
    contact right { gap = y - x/2; impact = restitution(3/5); }
    scenario s { x = 0.1; y = 1; ẋ = 0.3; until t = 4; } }";

const CRADLE: &str = "system C { coordinates { x0, x1, x2, x3 }
    kinetic = (ẋ0^2 + ẋ1^2 + 2*ẋ2^2 + ẋ3^2)/2; potential = (x0^2 + x1^2 + 2*x2^2 + x3^2)/2;
    contact a { gap = x1 - x0 - 1; impact = restitution(9/10); }
    contact b { gap = x2 - x1 - 1; impact = restitution(9/10); }
    contact c { gap = x3 - x2 - 1; impact = restitution(9/10); }
    impacts = sequential;
    scenario s { x0 = -1; x1 = 1; x2 = 2; x3 = 3; ẋ0 = 1; until t = 8; } }";

/// A table on four legs, one of which is carried; it is pushed, slides on a rough floor, and is lifted.
const TABLE: &str = "system T { coordinates { x, y, z, a, b } inputs { p, f }
    kinetic = (ẋ^2 + ẏ^2 + ż^2 + ȧ^2 + ḃ^2)/2; potential = 4*z; force x = p; force z = f;
    contact c1 { gap = z + a + b; impact = plastic; } contact c2 { gap = z + a - b; impact = plastic; }
    contact c3 { gap = z - a + b; impact = plastic; } contact c4 { gap = z - a - b; impact = plastic; }
    dissipation = 2*norm([ẋ, ẏ]);
    scenario s { z = 0.1; ẋ = 1; ẏ = 0.5; until t = 6; } }";

const STICKS: &str = "system S { coordinates { x, y } inputs { u }
    kinetic = ẋ^2/2 + ẏ^2/2; potential = 2*(y - x)^2; dissipation = abs(ẋ) + ẏ^2/20;
    force y = 3*cos(2*t) + u; scenario s { ẏ = 2; until t = 20; } }";

const RESETS: &str = "system R { coordinates { x, y } inputs { u } kinetic = (ẋ^2 + ẏ^2)/2;
    potential = x^2 + y^2/2; force x = u*cos(3*t);
    event kick { guard = x; falling; reset { ẏ = -ẏ/2 + 1; } }
    event wraps { guard = y - 1/2; both; reset { y = y - 1/4*ẏ; } }
    event mark { guard = ẋ - ẏ/2; rising; }
    scenario s { x = 1; ẏ = 1; until t = 20; } }";

const ROD: &str = "system D { coordinates { x, y, θ } parameters { l = 1/2 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/24; potential = 9.81*y + 3*x^2;
    holonomic { length: x^2 + y^2 = l^2; } constraints { roll: ẋ - θ̇/3 - ẏ/5 = 0; }
    scenario s { x = 1/2; y = 0; solve ẋ, ẏ; θ̇ = 2; until t = 6; } }";

/// A wheel on a floor on which it does not slip, between two walls.
const WHEEL: &str = "system W { coordinates { x, y, θ } inputs { p, f }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/5; potential = 3*y; force x = p; force y = f;
    contact floor { gap = y; impact = restitution(1/2); constraints { no_slip: ẋ - θ̇ = 0; } }
    contact wall { gap = 3 - x; impact = elastic; } contact other { gap = 3 + x; impact = elastic; }
    scenario s { y = 1; ẋ = 1; θ̇ = 2; until t = 40; } }";

/// Two blades that come to be parallel, and a parallelogram that folds.
const BLADES: &str = "system Blades { coordinates { x, y, θ, φ }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/5 + φ̇^2/20;
    constraints { front: -sin(θ)*ẋ + cos(θ)*ẏ = 0; rear: -sin(θ + φ)*ẋ + cos(θ + φ)*ẏ = 0; }
    scenario s { φ = 1; φ̇ = -1; θ̇ = 0.3; until t = 5; } }";
const FOUR_BAR: &str = "system FourBar { coordinates { a, b, c }
    let X1 = cos(a); let Y1 = sin(a); let X2 = 1 + cos(c); let Y2 = sin(c);
    let Cx = X1 + cos(b)/2; let Cy = Y1 + sin(b)/2;
    kinetic = (ȧ^2 + ċ^2)/6 + (Cx_dot^2 + Cy_dot^2)/2 + ḃ^2/24; potential = 4.9*(Y1 + Y2) + 9.8*Cy;
    holonomic { lx: X1 + cos(b) - X2 = 0; ly: Y1 + sin(b) - Y2 = 0; }
    scenario s { a = pi/2; c = pi/2; ȧ = -1; solve ḃ, ċ; until t = 3; } }";

const BARRIER: &str = "system Q { coordinates { x, y } inputs { u } kinetic = (ẋ^2 + ẏ^2)/2;
    potential = 2*exp(-((x - 0.37)/1e-3)^2) + 9*y; force x = u*exp(-((t - 1)/1e-3)^2);
    contact floor { gap = y - exp(-((x + 0.2)/0.01)^2)/10; impact = restitution(1/2); }
    scenario s { ẋ = 1; x = 0; y = 1; until t = 4; } }";

/// A block slides over a ledge on to a floor that drags it: guards of extents stand before those of friction.
const LEDGE: &str = "system L { coordinates { x, y } inputs { u }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y; force x = u - λ(floor)*ẋ/20;
    contact ledge { gap = y - 1; when x < 1; slip = ẋ; friction = 1/5; impact = plastic; }
    contact floor { gap = y; slip = ẋ; friction(0.6, 0.5); impact = restitution(0.4); }
    scenario s { y = 1; ẋ = 2.5; until t = 4; } }";

fn nothing(_: &mut Options) {}

fn dense(options: &mut Options) {
    options.sampling = Sampling::Every(1e-3);
}

/// More samples than are taken at once in most steps.
fn waiting(options: &mut Options) {
    (options.sampling, options.relative_tolerance) = (Sampling::Every(2e-5), 1e-6);
    options.ledger = true;
}

#[test]
fn smooth_runs_go_on_to_the_bit() {
    check("pendulum", PENDULUM, nothing, &REPLACED);
    check(
        "dense pendulum",
        PENDULUM,
        |o| (o.sampling, o.ledger) = (Sampling::Every(1e-4), true),
        &LEFT_ALONE,
    );
    check("waiting pendulum", PENDULUM, waiting, &SAMPLED);
    check("whirls", WHIRLS, dense, &REPLACED);
    check("rough", include_str!("../../models/eom/surface-particle.eom"), nothing, &LEFT_ALONE);
}

#[test]
fn constrained_runs_go_on_to_the_bit() {
    check(
        "ball",
        include_str!("../../models/eom/rolling-ball.eom"),
        |o| (o.ledger, o.least_gaps) = (true, true),
        &LEFT_ALONE,
    );
    check("rod", ROD, dense, &REPLACED);
    check("waiting rod", ROD, waiting, &SAMPLED);
    check("blades", BLADES, nothing, &LEFT_ALONE);
    check("four-bar", FOUR_BAR, |o| o.relative_tolerance = 1e-10, &LEFT_ALONE);
}

#[test]
fn runs_with_impacts_go_on_to_the_bit() {
    let kinds = check("ball", BALL, |o| (o.ledger, o.least_gaps) = (true, true), &LEFT_ALONE);
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Accumulation { .. })), "{kinds:?}");
    check("thrown ball", BALL, dense, &REPLACED);
    check("waiting ball", BALL, waiting, &SAMPLED);
    check("wedge", WEDGE, |o| o.sampling = Sampling::Every(1e-2), &LEFT_ALONE);
    check("cradle", CRADLE, nothing, &REPLACED);
    let law = |o: &mut Options| o.law = Some(Law::Restitution(0.9));
    check("penny", include_str!("../../models/eom/penny.eom"), law, &LEFT_ALONE);
}

#[test]
fn runs_with_closed_contacts_go_on_to_the_bit() {
    let kinds = check("table", TABLE, |o| (o.ledger, o.least_gaps) = (true, true), &REPLACED);
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Closing { .. })), "{kinds:?}");
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Opening { .. })), "{kinds:?}");
    let kinds = check("wheel", WHEEL, |o| o.ledger = true, &REPLACED);
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Opening { .. })), "{kinds:?}");
}

#[test]
fn runs_with_friction_go_on_to_the_bit() {
    let kinds = check("sticks", STICKS, |o| o.ledger = true, &REPLACED);
    assert!(kinds.iter().any(|kind| matches!(kind, EventKind::Slip { .. })), "{kinds:?}");
    check(
        "rough particles",
        include_str!("../../models/eom/rough-particles.eom"),
        dense,
        &LEFT_ALONE,
    );
    check("rod", include_str!("../../models/eom/thin-rod.eom"), nothing, &LEFT_ALONE);
    let kinds = check("ledge", LEDGE, |o| o.ledger = true, &LEFT_ALONE);
    let has = |wanted: fn(&EventKind) -> bool| kinds.iter().any(wanted);
    assert!(has(|kind| matches!(kind, EventKind::Opening { .. })), "{kinds:?}");
    assert!(has(|kind| matches!(kind, EventKind::Impact { .. })), "{kinds:?}");
    assert!(has(|kind| matches!(kind, EventKind::Stick { .. })), "{kinds:?}");
}

/// What a step leaves to the next is saved with it: boxes in which guards are known to keep their sides, too.
#[test]
fn each_step_is_that_of_a_run_restored_before_it() {
    let falling = "system D { coordinates { x, y, z } parameters { a = 0.911, b = 1.475, c = 1.637 }
        kinetic = a/2*ẋ^2 + b/2*ẏ^2 + c/2*ż^2; potential = 1.237*z;
        dissipation = 0.24*abs(ẋ) + 0.15*abs(ẏ) + 0.275*abs(ż);
        contact floor { gap = -(1/(z + 0.6316631643249839)^2 - 0.069/0.0003); impact = plastic; }
        scenario s { x = 0.209; ẋ = 1.371; y = -0.215; ẏ = -0.976; z = -0.251; ż = -0.219; until t = 3; } }";
    let dragged = "system D { coordinates { x, y, z } parameters { a = 0.863, b = 1.079, c = 1.877 }
        kinetic = a/2*ẋ^2 + b/2*ẏ^2 + c/2*ż^2; potential = 1.819/2*(x^2 + y^2 + z^2);
        dissipation = 0.787*abs(ẋ) + 0.707*abs(ẏ);
        contact wall { gap = x - 0.7071401099365174 - 0.176*exp(-((t - 0.75)/0.001)^2); impact = plastic; }
        contact lid { gap = -(z - 0.81104214742991 - 0.484*exp(-((t - 3.15)/0.03)^2)); impact = elastic; }
        scenario s { x = 0.864; ẋ = 0.632; y = 0.039; ẏ = -1.121; z = -0.991; ż = 1.523; until t = 6; } }";
    for (name, text) in [
        ("falling", falling),
        ("dragged", dragged),
        ("sticks", STICKS),
        ("table", TABLE),
        ("ball", BALL),
    ] {
        let system = system(text);
        for method in METHODS {
            let mut run = begin(&system, &Options { method, ..Options::default() });
            for k in 0..200 {
                let mut other = Run::restore(&system, &run.save()).expect("it is restored");
                let _ = (run.step(), other.step());
                assert!(run.save() == other.save(), "{name} {method:?}: step {k} to {}", run.t());
            }
        }
    }
}

#[test]
fn runs_with_events_and_inputs_go_on_to_the_bit() {
    let kinds = check("resets", RESETS, |o| o.ledger = true, &REPLACED);
    assert!(kinds.len() > 20, "{kinds:?}");
    let counted = |o: &mut Options| {
        o.until_events = Some(EventCount { event: Some(2), count: 3 });
    };
    check("counted", RESETS, counted, &LEFT_ALONE);
    check(
        "watched",
        BARRIER,
        |o| (o.forces, o.relative_tolerance) = (ForceCheck::Bounded, 1e-9),
        &REPLACED,
    );
}

type Tweak = fn(&mut Options);

/// Runs that have ended stay as they are, with the reason and its names.
#[test]
fn ends_are_kept() {
    let ball = "coordinates { x } kinetic = ẋ^2/2; potential = x;
        contact floor { gap = x; impact = elastic; } event apex { guard = ẋ; falling; }";
    let free = "coordinates { x } kinetic = ẋ^2/2;";
    let few = |options: &mut Options| (options.steps_max, options.events_max) = (40, 6);
    let counted = |options: &mut Options| {
        options.until_events = Some(EventCount { event: Some(0), count: 2 });
    };
    let cases: [(&str, &str, &str, Tweak); 15] = [
        ("reached t = 1", ball, "x = 1; until t = 1;", nothing),
        ("reached 2 impacts", ball, "x = 1; until impacts = 2;", nothing),
        ("reached 2 events of `apex`", ball, "x = 1; ẋ = 1; until t = 99;", counted),
        ("budget of 6 events", ball, "x = 1; until t = 99;", few),
        ("budget of 40 steps", free, "ẋ = 1; until t = 9;", |o| {
            (o.steps_max, o.step_size_max) = (40, 0.1);
        }),
        (
            "nothing that would end it came",
            &[free, "contact c { gap = x + 1; impact = elastic; }"].concat(),
            "ẋ = 1; until impacts = 1;",
            nothing,
        ),
        (
            "at rest",
            &[free, "contact c { gap = x + 1; impact = elastic; }"].concat(),
            "until impacts = 1;",
            nothing,
        ),
        (
            "the mass matrix is singular",
            "coordinates { x } kinetic = x^2*ẋ^2;",
            "x = 1; ẋ = -1; until t = 1;",
            nothing,
        ),
        (
            "the velocity of x is not finite",
            &[free, "force x = x^2;"].concat(),
            "x = 1; ẋ = 1; until t = 9;",
            nothing,
        ),
        (
            "acceleration of x is not finite",
            &[free, "force x = sqrt(x);"].concat(),
            "x = 1; ẋ = -3; until t = 9;",
            nothing,
        ),
        ("impact of `floor` is impossible", &[free, "constraints { lift: ẋ = -1; } contact floor { gap = x; impact = elastic; } allow idle_contact(floor);"].concat(), "x = 1; solve ẋ; until t = 9;", nothing),
        ("even a step of", &[free, "force x = 1/(t - 1)^2;"].concat(), "until t = 9;", nothing),
        (
            "`touch` = ",
            &[free, "event touch { guard = x^2; }"].concat(),
            "x = -1; ẋ = 1; until t = 9;",
            nothing,
        ),
        (
            "gap of `floor` is",
            &[ball, "event sink { guard = x - 1; reset { x = -1; } }"].concat(),
            "x = 2; until t = 9;",
            nothing,
        ),
        (
            "the guard of e is not finite",
            &[free, "event e { guard = ln(1 - t); }"].concat(),
            "until t = 2;",
            nothing,
        ),
    ];
    for (said, items, scenario, tweak) in cases {
        let system = system(&format!("system S {{ {items} scenario s {{ {scenario} }} }}"));
        let scenario = system.scenario(0).expect("a scenario");
        let (until_time, until_impacts) = (scenario.until_time, scenario.until_impacts);
        let mut options = Options { until_time, until_impacts, ..Options::default() };
        tweak(&mut options);
        let mut run = begin(&system, &options);
        let end = run.advance_to(f64::INFINITY).break_value().cloned().expect("an end");
        assert!(end.to_string().contains(said), "{said}: {end}");
        let mut other = begin(&system, &options);
        other.restore_to(&over_the_wire(&run.save())).expect("it is of this system");
        assert_eq!(other.advance_to(f64::INFINITY).break_value(), Some(&end));
        let told: String = serde_json::to_string(&end).expect("it is written");
        assert!(told.starts_with('{') && told.contains("\"t\":"), "{told}");
        assert_eq!(other.finish(), run.finish(), "{said}");
    }
}

/// A snapshot whose JSON has been changed.
fn changed(saved: &Snapshot, change: impl FnOnce(&mut Value)) -> Snapshot {
    let mut json = serde_json::to_value(saved).expect("it is written");
    change(&mut json);
    serde_json::from_value(json).expect("it has the form of one")
}

#[test]
fn what_is_not_of_the_system_is_refused() {
    let ball = system(BALL);
    let mut run = begin(&ball, &Options::default());
    let _ = run.advance_to(0.7);
    let saved = run.save();
    assert_eq!((saved.system(), saved.t()), ("B", 0.7));
    let refused = |text: &str| {
        let system = system(text);
        Run::restore(&system, &saved).map(drop).unwrap_err().to_string()
    };
    for (from, to, said) in [
        ("system B", "system C", "the snapshot has the name `B`, the system `C`"),
        (
            "{ y } kinetic = ",
            "{ y, z } kinetic = ż^2 + ",
            "the snapshot has the coordinates `y`, the system `y, z`",
        ),
        ("contact floor", "contact ground", "the contacts `floor`, the system `ground`"),
        ("9.81", "9.8", "the snapshot is of a `B` that has other equations"),
        ("1/2)", "1/3)", "the snapshot is of a `B` that has other equations"),
        ("kinetic", "inputs { u } force y = u; kinetic", "the inputs ``, the system `u`"),
        ("contact", "event e { guard = y - 9; } contact", "the events ``, the system `e`"),
        ("contact", "dissipation = abs(ẏ); contact", "terms of friction ``, the system `abs(ẏ)`"),
    ] {
        let found = refused(&BALL.replacen(from, to, 1));
        assert!(found.contains(said), "{found}");
    }
    let with = |m: f64| {
        system(
            "system M { coordinates { x } parameters { m = 1 } kinetic = m*ẋ^2;
        scenario s { ẋ = 1; until t = 1; } }",
        )
        .with_parameters(&[Some(m)])
        .expect("a parameter")
    };
    let (light, heavy) = (with(1.0), with(2.0));
    let saved_light = begin(&light, &Options::default()).save();
    let refused = Run::restore(&heavy, &saved_light).map(drop).unwrap_err();
    assert_eq!(refused, RestoreError::Parameter { name: "m", snapshot: 1.0, system: 2.0 });
    let version = Run::restore(&ball, &changed(&saved, |json| json["version"] = 1.into()));
    assert_eq!(version.map(drop), Err(RestoreError::Version { found: 1, expected: 12 }));
    assert!(run.restore_to(&saved_light).is_err());
    assert_eq!(run.save(), saved, "a snapshot that is refused changes nothing");
}

/// The sum over a snapshot as the format has it, written here anew.
fn sum(json: &Value) -> u64 {
    let fold =
        |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    let text = |text: &Value, words: &mut Vec<u64>| {
        let bytes = text.as_str().expect("a text").as_bytes();
        words.push(bytes.len() as u64);
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            words.push(u64::from_le_bytes(word));
        }
    };
    let list = |list: &Value| list.as_array().expect("a list").clone();
    let number = |number: &Value| number.as_u64().expect("a word");
    let (owner, mut words) = (&json["owner"], Vec::new());
    text(&owner["name"], &mut words);
    let names = list(&owner["names"]);
    words.push(names.len() as u64);
    for names in &names {
        words.push(list(names).len() as u64);
        for name in list(names) {
            text(&name, &mut words);
        }
    }
    words.push(number(&owner["equations"]));
    words.push(list(&owner["parameters"]).len() as u64);
    words.extend(list(&owner["parameters"]).iter().map(number));
    let own = words.into_iter().fold(0, fold);
    let words = list(&json["words"]);
    let first = [number(&json["version"]), number(&json["t"]), words.len() as u64];
    words.iter().map(number).fold(first.into_iter().fold(own, fold), fold)
}

/// Words that are changed, left out or put in: told from those that were saved by their sum; with the right sum they
/// are refused, or make some run. Nothing panics, and nothing takes memory for what is not there.
#[test]
fn broken_words_are_refused() {
    let mut rng = Rng::with_seed(0x05A7_ED00);
    for (text, steps) in
        [(PENDULUM, 5), (BALL, 30), (TABLE, 40), (STICKS, 60), (ROD, 9), (BARRIER, 20)]
    {
        let system = system(text);
        for method in METHODS {
            let options = Options {
                method,
                ledger: true,
                least_gaps: true,
                steps_max: u64::MAX,
                until_time: Some(9.0),
                forces: ForceCheck::Bounded,
                ..Options::default()
            };
            let mut run = begin(&system, &options);
            (0..steps).for_each(|k| go_on(&mut run, k, 0, &LEFT_ALONE));
            let saved = run.save();
            let json = serde_json::to_value(&saved).expect("it is written");
            assert_eq!(json["sum"], sum(&json));
            let mut made = 0;
            for _ in 0..300 {
                let broken = |json: &mut Value| {
                    let Value::Array(words) = &mut json["words"] else { return };
                    let (at, bit) = (rng.usize(..words.len()), rng.u32(..64));
                    match rng.u32(..5) {
                        0 => words.truncate(at),
                        1 => drop(words.remove(at)),
                        2 => words.insert(at, rng.u64(..).into()),
                        3 => words[at] = (u64::MAX - 9).into(),
                        _ => words[at] = (words[at].as_u64().unwrap_or(0) ^ 1 << bit).into(),
                    }
                };
                let broken = changed(&saved, broken);
                assert_eq!(Run::restore(&system, &broken).map(drop), Err(RestoreError::Damaged));
                let forged = changed(&broken, |json| json["sum"] = sum(json).into());
                if let Ok(mut run) = Run::restore(&system, &forged) {
                    made += 1;
                    for _ in 0..4 {
                        let _ = run.step();
                    }
                }
            }
            assert!((30..200).contains(&made), "{method:?}: {made} forged runs of {text}");
        }
    }
}

#[test]
fn options_states_and_events_are_written_and_read() {
    let times = Sampling::At(vec![0.1, 1.0 / 3.0].into());
    let other = Options { sampling: times, step_size_max: 0.1, ledger: true, ..Options::default() };
    for options in [Options::default(), other] {
        let text = serde_json::to_string(&options).expect("it is written");
        assert_eq!(serde_json::from_str::<Options>(&text).expect("it is read"), options, "{text}");
    }
    let few: Options =
        serde_json::from_str(r#"{"method": "Radau", "until_time": 2.0}"#).expect("options");
    assert_eq!(few, Options { method: Method::Radau, until_time: Some(2.0), ..Options::default() });
    assert!(serde_json::from_str::<Options>(r#"{"metod": "Radau"}"#).is_err());

    let table = system(TABLE);
    let run = begin(&table, &Options { until_time: Some(2.0), ledger: true, ..Options::default() });
    let mut run = run;
    assert!(run.advance_to(f64::INFINITY).is_break());
    let wanted = run.clone().finish();
    let all = (wanted.events, wanted.samples, wanted.modes, wanted.stats, wanted.ledger);
    let text = serde_json::to_string(&all).expect("it is written");
    assert_eq!(serde_json::from_str::<All>(&text).expect("it is read"), all);
    let uneven = r#"{"t":0.0,"kind":{"Closing":{"contact":0}},"q_minus":[1.0],"v_minus":[1.0],"q_plus":[],"v_plus":[1.0]}"#;
    assert!(serde_json::from_str::<Event>(uneven).is_err());
    let mode: Mode = serde_json::from_str(r#"{"closed":[3,1,3],"sticking":[]}"#).expect("a mode");
    assert_eq!(mode, Mode::new(vec![1, 3]));
}

type All = (Vec<Event>, Vec<State>, Vec<ModeSpan>, Stats, Option<Ledger>);
