//! A hand-written body with a quaternion: q has one entry more than v.

mod common;

use common::{Model, describe, run};
use eom_core::info::{Frame, NameInfo, RotationInfo, SystemInfo};
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{Energy, Options, StartError, State, System, simulate};
use std::ops::ControlFlow;

/// A free body with principal moments J in its own axes: J ω̇ = J ω × ω, ṙ = r ∘ (0, ω)/2.
struct Body {
    moments: [f64; 3],
    idle: Model,
}

impl Body {
    fn new(moments: [f64; 3]) -> Self {
        let described = describe("Body", &[], &[], &[], &[]);
        let speed = |name| NameInfo { name, ascii: name, doc: "" };
        let rotation = RotationInfo { name: "R", ascii: "R", doc: "", frame: Frame::Body };
        let info: &'static SystemInfo = Box::leak(Box::new(SystemInfo {
            velocities: vec![speed("w_1"), speed("w_2"), speed("w_3")].leak(),
            rotations: vec![rotation].leak(),
            ..*described
        }));
        Self { moments, idle: Model::new(info, &[]) }
    }

    /// J ω turned into space.
    fn momentum(&self, state: &State) -> [f64; 3] {
        let p: [f64; 3] = std::array::from_fn(|i| self.moments[i] * state.v[i]);
        let [w, x, y, z] = [state.q[0], state.q[1], state.q[2], state.q[3]];
        let r = [x, y, z];
        let a = cross(&r, &p);
        let b = cross(&r, &a);
        std::array::from_fn(|i| p[i] + 2.0 * (w * a[i] + b[i]))
    }
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl System for Body {
    fn info(&self) -> &'static SystemInfo {
        self.idle.info
    }

    fn rates(&self, _: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
        rates[0] = -(x * v[0] + y * v[1] + z * v[2]) / 2.0;
        rates[1] = (w * v[0] + y * v[2] - z * v[1]) / 2.0;
        rates[2] = (w * v[1] + z * v[0] - x * v[2]) / 2.0;
        rates[3] = (w * v[2] + x * v[1] - y * v[0]) / 2.0;
    }

    fn accelerations(&self, _: f64, _: &[f64], v: &[f64], _: &[f64], a: &mut [f64], _: &mut [f64]) {
        let p: [f64; 3] = std::array::from_fn(|i| self.moments[i] * v[i]);
        let turn = cross(&p, &[v[0], v[1], v[2]]);
        for i in 0..3 {
            a[i] = turn[i] / self.moments[i];
        }
    }

    fn mass_matrix(&self, _: f64, _: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for i in 0..3 {
            m[4 * i] = self.moments[i];
        }
    }

    fn energy(&self, _: f64, _: &[f64], v: &[f64]) -> Energy {
        let kinetic = (0..3).map(|i| self.moments[i] * v[i] * v[i] / 2.0).sum();
        Energy { kinetic, potential: 0.0, jacobi: kinetic }
    }
}

impl Contacts for Body {}

impl Events for Body {}

impl Friction for Body {}

impl Specialised for Body {}

/// Energy and momentum in space are constant; the quaternion keeps unit length to rounding.
#[test]
fn a_free_body_keeps_its_momentum_in_space() {
    let body = Body::new([1.0, 2.0, 3.5]);
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, -0.2]);
    let options = Options { until_time: Some(100.0), ..Options::default() };
    let trajectory = run(&body, &start, &options);
    assert!(trajectory.end.is_complete());
    let (wanted, energy) = (body.momentum(&start), body.energy(0.0, &[], &start.v).total());
    for state in &trajectory.samples {
        let length = state.q.iter().map(|r| r * r).sum::<f64>();
        assert!((length - 1.0).abs() < 8.0 * f64::EPSILON, "t = {}: {length}", state.t);
        let drift = body.energy(0.0, &[], &state.v).total() - energy;
        assert!(drift.abs() < 1e-12 * energy, "t = {}: energy {drift:e}", state.t);
        for (found, wanted) in body.momentum(state).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-11, "t = {}: {found} for {wanted}", state.t);
        }
    }
}

/// About a principal axis r(t) = (cos ωt/2, 0, 0, sin ωt/2).
#[test]
fn a_turn_about_a_principal_axis_is_the_known_one() {
    let body = Body::new([1.0, 2.0, 3.5]);
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0]);
    let options = Options { until_time: Some(7.0), ..Options::default() };
    let trajectory = run(&body, &start, &options);
    let last = trajectory.last().expect("a run has samples");
    for (found, wanted) in last.q.iter().zip([10.5_f64.cos(), 0.0, 0.0, 10.5_f64.sin()]) {
        assert!((found - wanted).abs() < 1e-13, "{:?}", last.q);
    }
}

#[test]
fn a_quaternion_off_unit_length_is_refused() {
    let body = Body::new([1.0, 1.0, 1.0]);
    let start = State::new(0.0, [1.0, 0.0, 0.0, 1.0], [0.0; 3]);
    let options = Options { until_time: Some(1.0), ..Options::default() };
    let refused = simulate(&body, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    let Err(error @ StartError::NotUnit { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("the quaternion of R has length 1.414"), "{error}");
    let short = State::new(0.0, [1.0, 0.0, 0.0], [0.0; 3]);
    let refused = simulate(&body, &short, &[], &options, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(StartError::Length { expected: 4, found: 3, .. })));
}
