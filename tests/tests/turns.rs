//! Angles that go on for many turns: what a run computes does not lose digits with them, and what it
//! reports goes on.

#[path = "../drawn.rs"]
mod drawn;

use drawn::drawn;
use eom_core::{
    End, Law, Method, Options, Progress, Sampling, State, System as _, ensemble_in_lanes, simulate,
};
use eom_tests::run;
use models::Penny;
use std::f64::consts::TAU;
use std::ops::ControlFlow;

eom_core::lagrangian! {
    /// A pendulum, with an event at its lowest and one at its highest point.
    system Pendulum {
        coordinates { θ }
        kinetic = θ̇^2/2;
        potential = -9.81*cos(θ);
        event rises { guard = sin(θ); rising; }
        event falls { guard = sin(θ); falling; }
    }
}

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Automatic];
/// Headings: within a turn, and so far beyond that one unit of rounding is 2.3e-10.
const HEADINGS: [f64; 2] = [0.3, -1.5e6];

/// The heading turns at φ̇ and the rim rolls at Rθ̇: x = x₀ + (Rθ̇/φ̇)(sin φ − sin φ₀), and y with −cos.
fn rolling(φ: f64, θ_rate: f64, φ_rate: f64) -> State {
    let penny = Penny::default();
    let speed = penny.R * θ_rate;
    State::new(0.0, [0.01, 0.02, 0.0, φ], [speed * φ.cos(), speed * φ.sin(), θ_rate, φ_rate])
}

/// The error of the closed form, and the steps.
fn circle(method: Method, φ: f64) -> (f64, u64) {
    let (θ_rate, φ_rate) = (2.0, 1.25);
    let penny = Penny::default();
    let start = rolling(φ, θ_rate, φ_rate);
    let sampling = Sampling::Every(0.5);
    let options = Options { method, until_time: Some(200.0), sampling, ..Options::default() };
    let trajectory = run(&penny, &start, &options);
    assert!(trajectory.events.is_empty(), "the circle does not reach the table's rim");
    let radius = penny.R * θ_rate / φ_rate;
    let errors = trajectory.samples.iter().map(|sample| {
        let turned = φ_rate * sample.t;
        // sin(φ + α) − sin φ without the rounding of φ + α.
        let (sin, cos) = (φ.sin(), φ.cos());
        let x = 0.01 + radius * (sin * turned.cos() + cos * turned.sin() - sin);
        let y = 0.02 - radius * (cos * turned.cos() - sin * turned.sin() - cos);
        let heading = (sample.q[3] - (φ + turned)).abs() / (1.0 + φ.abs());
        (sample.q[0] - x).abs().max((sample.q[1] - y).abs()).max(heading)
    });
    (errors.fold(0.0, f64::max), trajectory.stats.steps)
}

#[test]
fn a_heading_of_a_million_costs_no_digits_and_no_steps() {
    for method in METHODS {
        let [near, far] = HEADINGS.map(|φ| circle(method, φ));
        assert!(near.0 < 1e-13 && far.0 < 1e-13, "{method:?}: {:e}, {:e}", near.0, far.0);
        assert!(far.1 <= near.1 + near.1 / 20, "{method:?}: {} steps, {}", near.1, far.1);
    }
}

/// Between elastic impacts the heading turns at one rate: events, samples and what an observer sees are
/// on one line, however many turns have been taken from it.
#[test]
fn what_is_reported_goes_on() {
    let penny = Penny::default();
    for method in METHODS {
        let options = Options {
            method,
            until_impacts: Some(60),
            until_time: Some(500.0),
            law: Some(Law::Elastic),
            sampling: Sampling::Steps,
            ..Options::default()
        };
        let start = rolling(-40.0, 10.0, 0.2);
        let mut seen = Vec::new();
        let observer = &mut |at: &Progress<'_>| {
            seen.push(State::new(at.t, at.q, at.v));
            ControlFlow::Continue(())
        };
        let trajectory = simulate(&penny, &start, &[], &options, observer).expect("a start");
        let (mut t, mut φ, mut rate) = (start.t, start.q[3], start.v[3]);
        let mut turned = 0.0_f64;
        for event in &trajectory.events {
            let line = φ + rate * (event.t - t);
            assert!((event.q_minus()[3] - line).abs() < 1e-12 * (1.0 + line.abs()), "{event:?}");
            assert_eq!(event.q_minus(), event.q_plus());
            let between =
                trajectory.samples.iter().chain(&seen).filter(|s| t < s.t && s.t < event.t);
            for state in between {
                let line = φ + rate * (state.t - t);
                assert!((state.q[3] - line).abs() < 1e-12 * (1.0 + line.abs()), "{state:?}");
            }
            turned = turned.max((event.q_plus()[3] - start.q[3]).abs());
            (t, φ, rate) = (event.t, event.q_plus()[3], event.v_plus()[3]);
        }
        assert!(turned > 100.0, "{turned}");
        let last = trajectory.samples.last().expect("the end");
        assert_eq!(last.q, trajectory.events[59].q_plus());
    }
}

/// A run in lanes is the run alone.
#[test]
fn lanes_turn_angles_back_alike() {
    let penny = Penny::default();
    let options = Options {
        method: Method::Taylor,
        until_impacts: Some(30),
        until_time: Some(300.0),
        ..Options::default()
    };
    let start = |i: i32| rolling(f64::from(i) * 1e4, 10.0, 0.2 + 0.01 * f64::from(i));
    let starts: Vec<State> = (-8..8).map(start).collect();
    let together = ensemble_in_lanes(&penny, &starts, &[], &options, |_, run| run);
    for (start, together) in starts.iter().zip(together) {
        let together = together.expect("a start");
        assert_eq!(together.events, run(&penny, start, &options).events);
        let heading = penny.info().angles;
        assert_eq!(heading, [3]);
    }
}

/// An event at which whole turns are taken from an angle is one event: a guard does not come to its other
/// side by them. Turns take one period each.
#[test]
fn an_event_is_no_second_one_where_its_angle_is_turned_back() {
    for method in METHODS {
        for i in drawn(24) {
            let speed = (8 + i % 12) as f64 * if i < 12 { 1.0 } else { -1.0 };
            let pendulum = Pendulum::default();
            // Every other one comes back to the turn that none has been taken from.
            let turns = -speed.signum() * (i % 2) as f64 * 10.0;
            let start = State::new(0.0, [2.5 + turns * TAU], [speed]);
            let options = Options { method, until_time: Some(300.0), ..Options::default() };
            let trajectory = run(&pendulum, &start, &options);
            let times: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
            assert_eq!(trajectory.end, End::ReachedTime { t: 300.0 }, "{method:?} {speed}");
            assert!(times.len() > 200, "{method:?} {speed}: {} events", times.len());
            let period = (times[200] - times[0]) / 100.0;
            let errors = times.windows(3).map(|three| (three[2] - three[0] - period).abs());
            let error = errors.fold(0.0, f64::max);
            assert!(error < 1e-11, "{method:?} {speed}: {error:e}");
        }
    }
}
