//! The ledger where the system says too little, and what it keeps beside works.

mod common;

use common::{Model, describe, run};
use eom_core::info::{PowerInfo, PowerKind, RowKind, SystemInfo};
use eom_core::{Kept, Ledger, Options, Source, State, System};

fn ledger(system: &dyn System, start: &State, until: f64) -> Ledger {
    let options = Options { until_time: Some(until), ledger: true, ..Options::default() };
    run(system, start, &options).ledger.expect("it was asked for")
}

/// m ẍ = −c ẋ, a force that the table of powers does not list.
#[test]
fn a_force_that_is_not_told_leaves_the_ledger_open() {
    let mut model = Model::new(describe("drag", &["x"], &[], &[], &[]), &[2.0]);
    model.force = Box::new(|_, _, v, force| force[0] = -0.5 * v[0]);
    let found = ledger(&model, &State::new(0.0, [0.0], [3.0]), 1.0);
    let lost = 9.0 * ((-0.5_f64).exp() - 1.0);
    assert!((found.error - lost).abs() < 1e-13, "{found:?}");
    assert!(!found.closes() && found.tolerance < 1e-11, "{found:?}");
    assert!(found.works.is_empty());
}

/// A pendulum in the plane: φ = x² + y² − 1, its row, and what projections put in.
#[test]
fn constraints_that_stand_still_do_no_work() {
    let rows = [("length", RowKind::Holonomic)];
    let mut model = Model::new(describe("pendulum", &["x", "y"], &rows, &[], &[]), &[1.0, 1.0]);
    model.force = Box::new(|_, _, _, force| force.copy_from_slice(&[0.0, -9.81]));
    model.potential = Box::new(|q| 9.81 * q[1]);
    model.rows = Box::new(|_, q, a, b| {
        a.copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, _, v, γ| γ[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    model.holonomic = Box::new(|_, q, _, φ| φ[0] = q[0] * q[0] + q[1] * q[1] - 1.0);
    let found = ledger(&model, &State::new(0.0, [1.0, 0.0], [0.0, 0.0]), 3.0);
    assert!(found.closes() && found.tolerance < 1e-9, "{found:?}");
    assert!(found.works.is_empty() && found.jumps.is_empty(), "{found:?}");
    assert!(found.error.abs() < 1e-13 && found.projections.abs() < 1e-11, "{found:?}");
    let kinds: Vec<Kept> = found.drifts.iter().map(|drift| drift.kept).collect();
    assert_eq!(kinds, [Kept::Row(0), Kept::Holonomic(0)]);
    assert!(found.drifts.iter().all(|drift| drift.residual < 1e-14), "{found:?}");
    assert_eq!(found.work(Source::Row(0)), 0.0);
}

/// A body at rest whose energy depends on time: h(t) = V(t) is told as −∂L/∂t.
#[test]
fn a_body_at_rest_keeps_its_books() {
    let info = describe("rest", &["x"], &[], &[], &[]);
    let line = PowerInfo { name: "", kind: PowerKind::Time };
    let info: &'static SystemInfo =
        Box::leak(Box::new(SystemInfo { powers: Vec::leak(vec![line]), ..*info }));
    let model = Model::new(info, &[1.0]);
    let found = ledger(&model, &State::new(0.0, [0.0], [0.0]), 4.0);
    assert!(found.closes(), "{found:?}");
    assert_eq!(found.works.len(), 1);
}
