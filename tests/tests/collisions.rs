//! The collisions of rough balls against closed forms: flights are parabolas, impacts the maps of
//! the theorems, written here by hand.
#![expect(non_snake_case, reason = "J, J₁ and J̃ are moments of inertia")]

use eom_core::{Options, System, Trajectory};
use eom_tests::{run, start_of, until};
use models::{BoxBall, FloorBall, TableBall, WallBall};

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

fn impacts(system: &dyn System, scenario: usize, count: usize) -> Trajectory {
    let (start, _) = start_of(system, scenario);
    run(system, &start, &Options { until_impacts: Some(count), ..Options::default() })
}

/// A ball in a vertical plane: centre, velocity, spin about the normal of the plane.
#[derive(Debug, Clone, Copy)]
struct Plane {
    x: f64,
    z: f64,
    vx: f64,
    vz: f64,
    ω: f64,
}

impl Plane {
    /// The flight to a height, met downwards or upwards; how long it takes.
    fn fly(&mut self, z: f64, g: f64, upwards: bool) -> f64 {
        let speed = (self.vz * self.vz - 2.0 * g * (z - self.z)).sqrt();
        let vz = if upwards { speed } else { -speed };
        let t = (self.vz - vz) / g;
        (self.x, self.z, self.vz) = (self.x + self.vx * t, z, vz);
        t
    }

    /// Theorem 5.2 for a homogeneous ball, J = 2/5 m r²; the touching point is (0, 0, −side·r).
    fn bounce(&mut self, r: f64, side: f64) {
        let arm = side * r;
        let (vx, ω) = (self.vx, self.ω);
        self.vx = (3.0 * vx + 4.0 * arm * ω) / 7.0;
        self.ω = (10.0 * vx / arm - 3.0 * ω) / 7.0;
        self.vz = -self.vz;
    }
}

#[test]
fn garwins_ball_comes_back_from_under_the_table() {
    let ball = TableBall::default();
    let trajectory = impacts(&ball, 0, 3);
    assert_eq!(trajectory.events.len(), 3, "{}", trajectory.end);
    let (r, g, h) = (ball.r, ball.g, ball.h);
    let mut twin = Plane { x: -0.5, z: 1.0, vx: 3.0, vz: -5.0, ω: 0.0 };
    let mut t = 0.0;
    for (i, event) in trajectory.events.iter().enumerate() {
        let under = i == 1;
        t += twin.fly(if under { h - r } else { r }, g, under);
        twin.bounce(r, if under { -1.0 } else { 1.0 });
        check("t", event.t, t, 1e-13);
        check("x", event.q_plus()[0], twin.x, 1e-13);
        check("ẋ", event.v_plus()[0], twin.vx, 1e-12);
        check("ż", event.v_plus()[2], twin.vz, 1e-12);
        check("ω", event.v_plus()[4], twin.ω, 1e-10);
    }
    assert!(twin.vx < -2.0, "the ball flies back to the hand: {}", twin.vx);
}

/// The pendulum goes to and fro on one parabola: every second impact is at the same place, with the
/// velocities of the one before reversed.
#[test]
fn the_nonholonomic_pendulum_is_periodic() {
    let trajectory = impacts(&FloorBall::default(), 0, 12);
    let events = &trajectory.events;
    assert_eq!(events.len(), 12, "{}", trajectory.end);
    let period = events[2].t - events[0].t;
    for (one, next) in events.iter().zip(&events[2..]) {
        check("period", next.t - one.t, period, 1e-14);
        for (a, b) in one.q_plus()[..3].iter().zip(next.q_plus()) {
            check("place", *a, *b, 1e-13);
        }
    }
    for event in events {
        for (plus, minus) in event.v_plus().iter().zip(event.v_minus()) {
            check("reversed", *plus, -minus, 1e-12);
        }
    }
}

/// Theorem 4.2: after impacts the solution still depends continuously on its start; starts that
/// differ by δ give states that differ by a multiple of δ, also where the impacts are not at the same
/// times.
#[test]
fn nearby_throws_stay_near() {
    let ball = FloorBall::default();
    let (start, _) = start_of(&ball, 1);
    let end = |δ: f64| {
        let mut start = start.clone();
        start.v.iter_mut().for_each(|v| *v += δ);
        start.q[2] += δ;
        run(&ball, &start, &until(2.0)).last().expect("a state").clone()
    };
    let middle = end(0.0);
    for δ in [1e-4, 1e-5, 1e-6, -1e-6] {
        for (a, b) in end(δ).q.iter().zip(&middle.q).take(3) {
            check(&format!("δ = {δ}"), *a, *b, 50.0 * δ.abs());
        }
    }
}

/// Each restitution: v⁺ of the displays of section 6.
#[test]
fn a_ball_on_a_rough_floor_with_restitution() {
    for μ in [0.0, 0.3, 0.5, 0.8, 1.0] {
        let ball = FloorBall { μ, ..FloorBall::default() };
        let trajectory = impacts(&ball, 1, 1);
        let event = &trajectory.events[0];
        let (m, r, J) = (ball.m, ball.r, ball.J);
        let J1 = J + m * r * r;
        let v = event.v_minus();
        let (direct, cross) = ((m * r * r - μ * J) / J1, J * r * (1.0 + μ) / J1);
        let (spin, kick) = ((J - μ * m * r * r) / J1, r * m * (1.0 + μ) / J1);
        let wanted = [
            direct * v[0] + cross * v[4],
            direct * v[1] - cross * v[3],
            -μ * v[2],
            -kick * v[1] + spin * v[3],
            kick * v[0] + spin * v[4],
            v[5],
        ];
        for (found, wanted) in event.v_plus().iter().zip(wanted) {
            check(&format!("μ = {μ}"), *found, wanted, 1e-12);
        }
    }
}

/// Theorem 5.1 on a run, and the dependent row is named.
#[test]
fn a_rolling_ball_meets_the_wall() {
    let ball = WallBall::default();
    let trajectory = impacts(&ball, 0, 1);
    let event = &trajectory.events[0];
    let (m, r, J) = (ball.m, ball.r, ball.J);
    let (J1, Jt) = (J + m * r * r, J + m * r * r / 2.0);
    let v = event.v_minus();
    let v2 = r * r * m / (2.0 * Jt) * v[1] + r * J / Jt * v[4];
    check("v₁", event.v_plus()[0], -v[0], 1e-13);
    check("v₂", event.v_plus()[1], v2, 1e-12);
    let ω3 = J1 / (r * Jt) * v[1] - r * r * m / (2.0 * Jt) * v[4];
    check("ω₃", event.v_plus()[4], ω3, 1e-11);
    check("rolls on", event.v_plus()[1], -r * event.v_plus()[2], 1e-13);
}

/// Sixty rough impacts keep the energy, and the ball stays in its box.
#[test]
fn a_ball_in_a_rough_box_keeps_its_energy() {
    let ball = BoxBall::default();
    let trajectory = impacts(&ball, 0, 60);
    assert_eq!(trajectory.impacts().count(), 60, "{}", trajectory.end);
    let first = &trajectory.samples[0];
    let initial = ball.energy(first.t, &first.q, &first.v).total();
    let [a, b, c] = [ball.a, ball.b, ball.c].map(|half| half - ball.r + 1e-12);
    for state in &trajectory.samples {
        check("energy", ball.energy(state.t, &state.q, &state.v).total(), initial, 1e-13 * initial);
        assert!(state.q[0].abs() <= a && state.q[1].abs() <= b && state.q[2].abs() <= c);
    }
}
