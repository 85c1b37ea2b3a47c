//! Runs that are stepped: what is taken on the way, and what a stop changes.

mod common;

use common::{Penny, ball, pendulum_in_the_plane, run};
use eom_core::{End, Event, EventKind, Law, Method, Options, Run, Sampling, State, System};

fn until(time: f64) -> Options {
    Options { until_time: Some(time), ..Options::default() }
}

fn begin<'a>(system: &'a dyn System, start: &State, options: &Options) -> Run<'a> {
    Run::new(system, start, options).unwrap_or_else(|error| panic!("{error}"))
}

/// The same run, what it records taken after each step.
fn check_taken(system: &dyn System, start: &State, options: &Options) {
    let whole = run(system, start, options);
    let mut stepped = begin(system, start, options);
    let (mut samples, mut events, mut modes) = (Vec::new(), Vec::new(), Vec::new());
    while stepped.step().is_continue() {
        let taken = stepped.take_samples();
        assert!(taken.len() <= 1100, "{} samples at once", taken.len());
        samples.extend(taken);
        events.extend(stepped.take_events());
        modes.extend(stepped.take_modes());
        assert_eq!(stepped.event_count(), events.len());
    }
    let rest = stepped.finish();
    assert!(rest.samples.len() <= 1100, "{} samples are left", rest.samples.len());
    samples.extend(rest.samples);
    events.extend(rest.events);
    modes.extend(rest.modes);
    assert_eq!((samples, events), (whole.samples, whole.events));
    assert_eq!((modes, rest.end, rest.stats), (whole.modes, whole.end, whole.stats));
}

#[test]
fn what_is_taken_on_the_way_is_what_the_trajectory_has() {
    let (ball, start) = (ball(Law::Restitution(0.5)), State::new(0.0, [1.0], [0.0]));
    for sampling in [Sampling::Steps, Sampling::Every(1e-4), Sampling::Every(0.5), Sampling::Ends] {
        // At 2 the ball rests, and the last sample of an interval is the end.
        check_taken(&ball, &start, &Options { sampling, ..until(2.0) });
    }
    let penny = Penny::table_1();
    let ten = Options { until_impacts: Some(10), ..Options::default() };
    check_taken(&penny, &penny.start(), &ten);
}

/// Stops a run at these times on the way to the end.
fn stopped(system: &dyn System, start: &State, options: &Options, stops: &[f64]) -> Vec<Event> {
    let mut run = begin(system, start, options);
    for &stop in stops {
        if run.advance_to(stop).is_continue() {
            assert_eq!((run.t(), run.state().t), (stop, stop));
        }
    }
    assert!(run.advance_to(f64::INFINITY).is_break());
    run.finish().events
}

fn check_events(stops: &[f64], found: &[Event], whole: &[Event], error: f64) {
    let kinds = |events: &[Event]| -> Vec<(u8, usize)> {
        let kind = |event: &Event| match event.kind {
            EventKind::Impact { contact, .. } => (0, contact),
            EventKind::Closing { contact } => (1, contact),
            EventKind::Accumulation { contact, .. } => (2, contact),
            _ => (3, 0),
        };
        events.iter().map(kind).collect()
    };
    assert_eq!(kinds(found), kinds(whole), "{stops:?}");
    for (found, whole) in found.iter().zip(whole) {
        assert!((found.t - whole.t).abs() < error, "{stops:?}: {} for {}", found.t, whole.t);
    }
}

/// The 60 impacts of a ball, their accumulation, rest.
#[test]
fn an_impact_at_a_stop_happens_once() {
    let (ball, start) = (ball(Law::Restitution(0.5)), State::new(0.0, [1.0], [0.0]));
    for method in [Method::RungeKutta, Method::Taylor, Method::Automatic] {
        let options = Options { method, ..until(3.0) };
        let whole = run(&ball, &start, &options).events;
        assert!(matches!(whole.last().unwrap().kind, EventKind::Accumulation { .. }));
        for event in &whole {
            let t = event.t;
            let near = [t.next_down(), t, t.next_up()];
            for stops in [&near[..], &near[..1], &near[1..2], &near[2..]] {
                check_events(stops, &stopped(&ball, &start, &options, stops), &whole, 1e-14);
            }
        }
        let every: Vec<f64> = (1..3000).map(|i| 1e-3 * f64::from(i)).collect();
        check_events(&[], &stopped(&ball, &start, &options, &every), &whole, 1e-13);
    }
}

#[test]
fn a_run_that_has_ended_stays_as_it_is() {
    let (ball, start) = (ball(Law::Elastic), State::new(0.0, [1.0], [0.0]));
    let mut run = Run::new(&ball, &start, &until(1.0)).unwrap();
    assert!(run.advance_to(0.5).is_continue());
    assert!(run.advance_to(0.25).is_continue() && run.t() == 0.5);
    for t in [1.0, 2.0, 0.5, f64::NAN] {
        assert_eq!(run.advance_to(t).break_value(), Some(&End::ReachedTime { t: 1.0 }));
        assert_eq!((run.t(), run.step().is_break()), (1.0, true));
    }
    let mut lost = Run::new(&ball, &start, &Options::default()).unwrap();
    assert!(matches!(lost.advance_to(f64::NAN).break_value(), Some(End::NonFinite { .. })));
}

/// The pendulum released level, stopped 1,000 times in a swing: the period of the closed form.
#[test]
fn stops_change_what_tolerances_allow() {
    let pendulum = pendulum_in_the_plane();
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let whole = run(&pendulum, &start, &until(2.0));
    let mut stopped = Run::new(&pendulum, &start, &Options::default()).unwrap();
    for i in 1..=1000 {
        assert!(stopped.advance_to(2e-3 * f64::from(i)).is_continue());
    }
    let (state, whole) = (stopped.state(), whole.last().unwrap());
    for (stopped, whole) in state.q.iter().chain(&state.v).zip(whole.q.iter().chain(&whole.v)) {
        assert!((stopped - whole).abs() < 1e-13, "{state:?} for {whole:?}");
    }
}
