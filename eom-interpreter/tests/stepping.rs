//! Runs that are stepped, of declared systems: inputs that change on the way, states that are replaced, forces,
//! copies. The oracles are closed forms.

use eom_core::{
    Event, EventKind, ForceCheck, Method, Mode, Options, Run, StartError, StartPolicy, State,
    System,
};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// A block of mass 2 that an input pushes, on a floor that it can leave.
const BLOCK: &str = "coordinates { x, z } inputs { p, f } parameters { m = 2, g = 10 }
    kinetic = m/2*(ẋ^2 + ż^2); potential = m*g*z; force x = p; force z = f;
    contact floor { gap = z; impact = plastic; }
    event mark { guard = x - 1 + 5*p; both; }";

/// The same on a rough track.
const ROUGH: &str = "coordinates { x } inputs { p } parameters { m = 2, c = 4 }
    kinetic = m/2*ẋ^2; dissipation = c*abs(ẋ); force x = p;";

/// And on a rough plane.
const PLANE: &str = "coordinates { x, y } inputs { p, r } parameters { m = 2, c = 4 }
    kinetic = m/2*(ẋ^2 + ẏ^2); dissipation = c*norm([ẋ, ẏ]); force x = p; force y = r;";

/// A cart between two walls with a pole on it.
const CART_POLE: &str = "coordinates { x, θ } inputs { u }
    parameters { M = 1, m = 1/10, l = 1/2, g = 9.81, e = 4/5, L = 3/10 }
    kinetic = M/2*ẋ^2 + m/2*((ẋ + l*θ̇*cos(θ))^2 + (l*θ̇*sin(θ))^2); potential = m*g*l*cos(θ);
    force x = u;
    contact left { gap = x + L; impact = restitution(e); }
    contact right { gap = L - x; impact = restitution(e); }";

const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

fn system(items: &str) -> Interpreted {
    let source = format!("system S {{ {items} }}");
    Interpreted::new(&source).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

fn by(method: Method) -> Options {
    Options { method, ..Options::default() }
}

fn begin<'a>(system: &'a dyn System, start: &State, inputs: &[f64], options: &Options) -> Run<'a> {
    Run::with_inputs(system, start, inputs, options).unwrap_or_else(|error| panic!("{error}"))
}

fn go(run: &mut Run<'_>, t: f64) {
    assert!(run.advance_to(t).is_continue(), "{:?}", run.end());
}

fn set(run: &mut Run<'_>, inputs: &[f64]) {
    run.set_inputs(inputs).unwrap_or_else(|error| panic!("{error}"));
}

fn near(found: &[f64], exact: &[f64], error: f64) {
    assert_eq!(found.len(), exact.len());
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() <= error, "{found} for {exact}");
    }
}

/// x⁺ = x + v h + a h²/2, v⁺ = v + a h with a = p/m of each interval.
#[test]
fn inputs_are_held_from_the_instant_at_which_they_are_set() {
    let block = system(BLOCK);
    for method in METHODS {
        let start = State::new(0.0, [0.0, 1e3], [0.0, 0.0]);
        let mut run = begin(&block, &start, &[0.0, 20.0], &by(method));
        let (mut x, mut v) = (0.0, 0.0);
        for i in 0..200 {
            let (h, p) = (0.05, f64::from((i * 37) % 11) - 5.0);
            set(&mut run, &[p, 20.0]);
            go(&mut run, h * f64::from(i + 1));
            (x, v) = (x + v * h + p * h * h / 4.0, v + p * h / 2.0);
            near(&run.state().q, &[x, 1e3], 1e-12);
            near(&run.state().v, &[v, 0.0], 1e-12);
        }
    }
}

fn opens(event: &Event) -> bool {
    matches!(event.kind, EventKind::Opening { contact: 0 })
}

/// f = 12, then 24 of a weight of 20: the force of the floor is 8, then the block rises with a = 2 for 1 s, and
/// falls with a = −4 when f = 12 again: up from h = 1, v = 2, down after (2 + √12)/4 more.
#[test]
fn a_contact_that_the_inputs_lift_opens_and_closes_again() {
    let block = system(BLOCK);
    for method in METHODS {
        let mut run = begin(&block, &State::new(0.0, [0.0; 2], [0.0; 2]), &[0.0; 2], &by(method));
        assert_eq!(run.mode(), &Mode::new(vec![0]));
        near(&run.forces().contacts, &[20.0], 1e-14);
        go(&mut run, 0.5);
        set(&mut run, &[0.0, 12.0]);
        near(&run.forces().contacts, &[8.0], 1e-14);
        near(&run.forces().accelerations, &[0.0; 2], 1e-15);
        go(&mut run, 1.0);
        assert_eq!(run.event_count(), 0);
        set(&mut run, &[0.0, 24.0]);
        assert!(run.mode().is_free() && opens(&run.events_since(0)[0]));
        go(&mut run, 2.0);
        near(&run.state().q, &[0.0, 1.0], 1e-14);
        set(&mut run, &[0.0, 12.0]);
        go(&mut run, 4.0);
        let events = run.events_since(1);
        assert!(matches!(events[0].kind, EventKind::Impact { .. }) && events.len() == 2);
        near(&[events[0].t], &[2.0 + (2.0 + 12.0_f64.sqrt()) / 4.0], 1e-14);
        assert_eq!(run.mode(), &Mode::new(vec![0]));
    }
}

/// c = 4: p = 3 is held, p = 6 leaves with a = (6 − 4)/2 = 1, and from v = 1 p = −2 slows it by 3: it stops
/// after 1/3 and stays.
#[test]
fn friction_gives_way_to_inputs_and_holds_again() {
    let (track, plane) = (system(ROUGH), system(PLANE));
    for (system, n) in [(&track, 1), (&plane, 2)] {
        let along = |p: f64| [p, 0.0][..n].to_vec();
        let start = State::new(0.0, along(0.0), along(0.0));
        let mut run = begin(system, &start, &along(3.0), &Options::default());
        assert_eq!(run.mode().sticking(), [0]);
        near(&run.forces().frictions, &along(-3.0), 1e-14);
        go(&mut run, 1.0);
        set(&mut run, &along(6.0));
        assert!(run.mode().is_free());
        go(&mut run, 2.0);
        near(&run.forces().frictions, &along(-4.0), 1e-14);
        near(&run.state().q, &along(0.5), 1e-12);
        set(&mut run, &along(-2.0));
        go(&mut run, 3.0);
        near(&run.state().q, &along(0.5 + 1.0 / 6.0), 1e-11);
        assert_eq!(run.mode().sticking(), [0]);
        let times: Vec<f64> = run.events_since(0).iter().map(|event| event.t).collect();
        near(&times, &[1.0, 2.0 + 1.0 / 3.0], 1e-11);
    }
}

/// The guard is x − 1 + 5p: it jumps over zero with p, which is no event; x̂ = 1 − 5p is crossed once.
#[test]
fn a_guard_that_inputs_move_does_not_fire() {
    let block = system(BLOCK);
    for method in METHODS {
        let start = State::new(0.0, [0.0, 1e3], [1.0, 0.0]);
        let mut run = begin(&block, &start, &[0.0, 20.0], &by(method));
        go(&mut run, 0.5);
        for p in [0.2, -0.1, 0.2, 0.0] {
            set(&mut run, &[p, 20.0]);
        }
        assert_eq!(run.event_count(), 0);
        go(&mut run, 2.0);
        let events = run.events_since(0);
        near(&events.iter().map(|event| event.t).collect::<Vec<_>>(), &[1.0], 1e-14);
        // At rest in the sense of nothing to do: the same inputs are no change.
        let stats = run.stats();
        set(&mut run, &[0.0, 20.0]);
        assert_eq!(run.stats(), stats);
    }
}

/// Thrown anew at 1 s: z = 2 + 3 τ − 5 τ², down after (3 + √49)/10 = 1.
#[test]
fn a_state_is_replaced_as_by_a_start() {
    let block = system(BLOCK);
    for method in METHODS {
        let mut run = begin(&block, &State::new(0.0, [0.0; 2], [0.0; 2]), &[0.0; 2], &by(method));
        go(&mut run, 1.0);
        run.apply(&State::new(1.0, [5.0, 2.0], [0.0, 3.0])).unwrap();
        assert!(run.mode().is_free() && run.state().q == [5.0, 2.0]);
        go(&mut run, 3.0);
        let hit = &run.events_since(0)[0];
        near(&[hit.t], &[2.0], 1e-14);
        assert_eq!(run.mode(), &Mode::new(vec![0]));
        run.apply(&State::new(3.0, [5.0, 0.0], [0.0, 0.0])).unwrap();
        assert_eq!(run.mode(), &Mode::new(vec![0]));
    }
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let block = system(BLOCK);
    let mut run = begin(&block, &State::new(0.0, [0.0; 2], [0.0; 2]), &[0.0; 2], &by(METHODS[0]));
    go(&mut run, 1.0);
    let mut copy = run.clone();
    for (state, said) in [
        (State::new(1.0, [0.0], [0.0; 2]), "coordinates: expected 2 numbers, found 1"),
        (State::new(1.0, [0.0, f64::NAN], [0.0; 2]), "z = NaN is not a finite number"),
        (
            State::new(1.0, [0.0; 2], [0.0, f64::INFINITY]),
            "velocity of z = inf is not a finite number",
        ),
        (State::new(2.0, [0.0; 2], [0.0; 2]), "time of the state 2 is not 1"),
        (State::new(1.0, [0.0, -1.0], [0.0; 2]), "the start state violates floor: gap = -1.000e0"),
    ] {
        let error = run.apply(&state).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    for (inputs, said) in [
        (&[0.0][..], "inputs: expected 2 numbers, found 1"),
        (&[0.0, f64::NAN], "f = NaN is not a finite number"),
    ] {
        assert_eq!(run.set_inputs(inputs).unwrap_err().to_string(), said);
    }
    for run in [&mut run, &mut copy] {
        set(run, &[1.0, 2.0]);
        go(run, 2.0);
    }
    assert_eq!(run.finish(), copy.finish());
    let penetrates = State::new(0.0, [0.0, -1.0], [0.0; 2]);
    let projected = Options { start: StartPolicy::Project, ..Options::default() };
    let refused = Run::with_inputs(&block, &penetrates, &[0.0; 2], &projected);
    assert!(matches!(refused, Err(StartError::Inconsistent { .. })));
}

fn controlled(run: &mut Run<'_>, steps: u32) {
    for i in 0..steps {
        let State { t, q, v } = run.state().clone();
        let u = 60.0 * q[1] + 12.0 * v[1] + 2.0 * q[0] + f64::from(i % 700) * 0.02;
        set(run, &[u]);
        go(run, t + 1e-3);
    }
}

/// In flight, at every impact, whatever turns the pole has made: a copy goes on as the run does, on
/// another thread too.
#[test]
fn a_copy_goes_on_to_the_bit() {
    let cart_pole = system(CART_POLE);
    for method in METHODS {
        let start = State::new(0.0, [0.0, 0.05], [0.0, 0.0]);
        let mut run = begin(&cart_pole, &start, &[0.0], &by(method));
        for _ in 0..10 {
            let mut copy = run.clone();
            controlled(&mut run, 300);
            let copy = std::thread::scope(|scope| {
                let there = scope.spawn(move || {
                    controlled(&mut copy, 300);
                    copy
                });
                there.join().unwrap()
            });
            assert_eq!(copy.state(), run.state());
            assert_eq!(copy.finish(), run.clone().finish());
        }
        assert!(run.event_count() > 5, "{} events", run.event_count());
    }
}

/// An observer pushes back at each impact, and stops at the third.
#[test]
fn an_observer_sees_events_changes_inputs_and_stops() {
    let cart_pole = system(CART_POLE);
    let mut run =
        begin(&cart_pole, &State::new(0.0, [0.0; 2], [1.0, 0.0]), &[5.0], &by(METHODS[0]));
    let mut seen = 0;
    let outcome = run.advance_observed(f64::INFINITY, |run, first| {
        for event in run.events_since(first).to_vec() {
            seen += usize::from(matches!(event.kind, EventKind::Impact { .. }));
            set(run, &[-10.0 * event.q_plus()[0].signum()]);
        }
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(outcome.is_continue() && run.end().is_none());
    let walls: Vec<f64> = run.events_since(0).iter().map(|event| event.q_plus()[0]).collect();
    near(&walls, &[0.3, -0.3, 0.3], 1e-14);
    assert_eq!(run.t(), run.events_since(2)[0].t);
    go(&mut run, 10.0);
}

/// A run that stops where an impact is due goes on as one that does not: bounces on a table that moves, stops at the time of
/// each of them, just before, just behind.
#[test]
fn stops_at_impacts_change_nothing() {
    let table = "system T { coordinates { y } parameters { e = 0.6, A = 0.1, w = 15, g = 9.81 } kinetic = ẏ^2/2;
        potential = g*y; contact tb { gap = y - A*sin(w*t); impact = restitution(e); } }";
    let rod = "system R { coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/24; potential = 9.81*y;
        contact a { gap = y - sin(θ)/2; slip = ẋ + sin(θ)*θ̇/2; friction = 0.3; impact = poisson(0.5); }
        contact b { gap = y + sin(θ)/2; slip = ẋ - sin(θ)*θ̇/2; friction = 0.3; impact = poisson(0.5); } }";
    let starts = [
        (table, State::new(0.0, [0.401_963_070_114_858_77], [0.0])),
        (table, State::new(0.0, [0.307_894_244_584_914_3], [0.0])),
        (rod, State::new(0.0, [0.0, 1.0, 0.3], [0.5, 0.0, 0.2])),
        (rod, State::new(0.0, [0.0, 0.7, 1.1], [-0.5, 0.0, 1.0])),
    ];
    for (text, start) in starts {
        let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, ..Options::default() };
            let begun = || Run::new(&system, &start, &options).expect("a start");
            let mut whole = begun();
            let _ = whole.advance_to(1.2);
            assert!(whole.end().is_none(), "{method:?}: {:?}", whole.end());
            let times: Vec<f64> = whole.events_since(0).iter().map(|event| event.t).collect();
            for off in [0.0, -1e-13, 1e-13, -1e-16, 3e-16] {
                let mut run = begun();
                for t in &times {
                    let _ = run.advance_to(t + off);
                }
                let _ = run.advance_to(1.2);
                assert!(run.end().is_none(), "{method:?} {off:e}: {:?}", run.end());
                let (found, wanted) = (run.state(), whole.state());
                let off_by = found.q.iter().chain(&found.v).zip(wanted.q.iter().chain(&wanted.v));
                let largest = off_by.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(largest < 1e-7, "{method:?} {off:e}: {largest:e}");
                assert_eq!(run.event_count(), whole.event_count(), "{method:?} {off:e}");
            }
        }
    }
}

/// Stops of which the second one is the time of an impact, to a few units of rounding, that a run with the first one comes to later.
#[test]
fn stops_just_before_impacts_change_nothing() {
    let table = "system T { coordinates { y } parameters { e = 0.6, A = 0.1, w = 15, g = 9.81 } kinetic = ẏ^2/2;
        potential = g*y; contact tb { gap = y - A*sin(w*t); impact = restitution(e); } }";
    let system = Interpreted::new(table).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let start = State::new(0.0, [0.401_963_070_114_858_77], [0.0]);
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        let options = Options {
            method,
            ledger: true,
            forces: ForceCheck::Bounded,
            least_gaps: true,
            ..Options::default()
        };
        let mut whole = Run::new(&system, &start, &options).expect("a start");
        let _ = whole.advance_to(1.2);
        for units in -40..40 {
            let impact = 0.853_283_601_486_957_8 + f64::from(units) * f64::EPSILON / 2.0;
            let mut run = Run::new(&system, &start, &options).expect("a start");
            for t in [0.426_641_800_743_478_9, impact, 1.2] {
                let _ = run.advance_observed(t, |_, _| ControlFlow::Continue(()));
                let _ = run.take_events();
            }
            assert!(run.end().is_none(), "{method:?} {units}: {:?}", run.end());
            let off = (run.state().q[0] - whole.state().q[0]).abs();
            assert!(off < 1e-7, "{method:?} {units}: {off:e}");
        }
    }
}

/// A time that cannot be told from the present one is come to by any method, and from a guard at zero.
#[test]
fn a_stop_that_cannot_be_told_is_reached() {
    let bouncer = "coordinates { z } kinetic = ż^2/2; potential = 10*z;
        contact floor { gap = z; impact = elastic; }";
    let swing = "coordinates { x } kinetic = ẋ^2/2; potential = x^2/2;";
    for (items, start) in [(bouncer, [0.0, 1.0]), (swing, [1.0, 0.5])] {
        let system = system(items);
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic] {
            for tiny in [5e-324, 1e-310, 1e-300, 1e-100, 1e-40] {
                let start = State::new(0.0, [start[0]], [start[1]]);
                let mut run = begin(&system, &start, &[], &by(method));
                go(&mut run, tiny);
                assert_eq!(run.t(), tiny);
                near(&run.state().v, &start.v, 1e-15);
                go(&mut run, 0.15);
                let mut whole = begin(&system, &start, &[], &by(method));
                go(&mut whole, 0.15);
                assert_eq!(run.event_count(), whole.event_count(), "{method:?} {tiny:e}");
                near(&run.state().q, &whole.state().q, 1e-13);
            }
        }
    }
}

/// A run that was asked for its forces is the run that it was.
#[test]
fn what_is_asked_leaves_no_trace() {
    for (items, inputs) in [(BLOCK, 2), (ROUGH, 1), (PLANE, 2), (CART_POLE, 1)] {
        let system = system(items);
        let start = State::new(
            0.0,
            vec![0.0; system.info().positions()],
            vec![0.0; system.info().speeds()],
        );
        let mut run = begin(&system, &start, &vec![3.0; inputs], &Options::default());
        for step in 1..20 {
            go(&mut run, 0.05 * f64::from(step));
            let saved = run.save();
            let _ = run.forces();
            assert_eq!(run.save(), saved, "{items} at {}", run.t());
        }
    }
}
