//! Contacts that fire under conditions, and contacts that exchange names, against closed forms.

mod common;

use common::{Model, describe, run};
use eom_core::info::{ContactInfo, SystemInfo};
use eom_core::{End, EventKind, Options, State, Trajectory};
use std::f64::consts::PI;

/// A system of two unit masses x, y with one contact of these conditions and exchanges.
fn describe_contact(
    when: &'static str,
    relabels: &'static [(usize, usize)],
) -> &'static SystemInfo {
    let plain = describe("Pair", &["x", "y"], &[], &["floor"], &[]);
    let contact = ContactInfo { when, relabels, ..plain.contacts[0] };
    Box::leak(Box::new(SystemInfo { contacts: Vec::leak(vec![contact]), ..*plain }))
}

/// ẍ = 0, ÿ = −y above the floor y = 0, which is there for x > 0 only.
fn shelf() -> Model {
    let mut model = Model::new(describe_contact("x > 0", &[]), &[1.0, 1.0]);
    model.force = Box::new(|_, q, _, out| out.copy_from_slice(&[0.0, -q[1]]));
    model.gaps = Box::new(|_, q, _, g| g[0] = q[1]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0]);
        rate[0] = 0.0;
    });
    model.armed = Box::new(|q, _| q[0] > 0.0);
    model
}

fn impact_times(trajectory: &Trajectory) -> Vec<f64> {
    let impacts = trajectory.events.iter();
    let impacts = impacts.filter(|event| matches!(event.kind, EventKind::Impact { .. }));
    impacts.map(|event| event.t).collect()
}

fn check_times(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{found:?} for {wanted:?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-12, "{found} for {wanted}");
    }
}

/// y = cos t falls through zero at π/2, where x = t − 3 < 0, and at 5π/2, where it bounces.
#[test]
fn a_contact_fires_where_it_is_armed() {
    let model = shelf();
    let start = State { t: 0.0, q: vec![-3.0, 1.0], v: vec![1.0, 0.0] };
    let options = Options { until_time: Some(13.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{:?}", trajectory.end);
    check_times(&impact_times(&trajectory), &[2.5 * PI, 3.5 * PI]);
    let last = trajectory.samples.last().unwrap();
    assert!((last.q[1] - 13.0_f64.cos().abs()).abs() < 1e-11, "{last:?}");
}

/// A start below the floor is no penetration where there is no floor; it does not fire from below.
#[test]
fn a_start_behind_an_unarmed_contact_is_admitted() {
    let model = shelf();
    let start = State { t: 0.0, q: vec![-1.0, -1.0], v: vec![1.0, 0.0] };
    let options = Options { until_time: Some(6.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    // y = −cos t rises through zero at π/2, where x = t − 1 > 0, and falls at 3π/2.
    check_times(&impact_times(&trajectory), &[1.5 * PI]);
}

/// x runs into a wall at 1 and takes the name of y, which runs on as x.
#[test]
fn names_are_exchanged_after_an_impact() {
    let mut model = Model::new(describe_contact("", &[(0, 1)]), &[1.0, 1.0]);
    model.gaps = Box::new(|_, q, _, g| g[0] = 1.0 - q[0]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[-1.0, 0.0]);
        rate[0] = 0.0;
    });
    model.relabel = Box::new(|q, v| {
        q.swap(0, 1);
        v.swap(0, 1);
    });
    let start = State { t: 0.0, q: vec![0.0, -1.0], v: vec![1.0, 0.5] };
    let options = Options { until_time: Some(6.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    // At t = 1 y = −1/2 becomes x and is at the wall at t = 4; then the first goes on as x.
    check_times(&impact_times(&trajectory), &[1.0, 4.0]);
    let first = &trajectory.events[0];
    assert_eq!((first.q_plus()[1], first.v_plus()[1]), (first.q_minus()[0], -1.0));
    assert_eq!((first.q_plus()[0], first.v_plus()[0]), (first.q_minus()[1], 0.5));
    let last = trajectory.samples.last().unwrap();
    let wanted = [(-4.0, -1.0), (0.0, -0.5)];
    for (i, (q, v)) in wanted.into_iter().enumerate() {
        assert!((last.q[i] - q).abs() < 1e-12 && (last.v[i] - v).abs() < 1e-12, "{last:?}");
    }
}
