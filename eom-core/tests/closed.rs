//! Motion in closed contact: landing, sliding, opening, against closed forms.
#![allow(non_snake_case, reason = "J and R as in the formulas")]

mod common;

use common::{Model, ball, describe, run};
use eom_core::contact::ContactForces;
use eom_core::{Contacts, End, EventKind, Law, Mode, Options, Sampling, State, Trajectory};

const G: f64 = 9.81;

fn until(time: f64) -> Options {
    Options { until_time: Some(time), ..Options::default() }
}

/// Contacts that closed or opened, in their order: +i closes, −i opens, counted from 1.
fn changes(trajectory: &Trajectory) -> Vec<isize> {
    let number = |contact: usize| isize::try_from(contact + 1).expect("few contacts");
    let change = |kind: &EventKind| match *kind {
        EventKind::Closing { contact } | EventKind::Accumulation { contact, .. } => {
            Some(number(contact))
        }
        EventKind::Opening { contact } => Some(-number(contact)),
        EventKind::Impact { .. }
        | EventKind::Declared { .. }
        | EventKind::Stick { .. }
        | EventKind::Slip { .. } => None,
    };
    trajectory.events.iter().filter_map(|event| change(&event.kind)).collect()
}

/// The smallest gap over all samples and both sides of all events.
fn least_gap(model: &Model, trajectory: &Trajectory) -> f64 {
    let mut gaps = vec![0.0; model.info.contacts.len()];
    let mut least = f64::INFINITY;
    let states = trajectory.samples.iter().map(|s| (s.t, s.q.as_slice()));
    let sides = trajectory.events.iter().flat_map(|e| [(e.t, e.q_minus()), (e.t, e.q_plus())]);
    for (t, q) in states.chain(sides) {
        model.gaps(t, q, &mut gaps);
        least = gaps.iter().fold(least, |least, gap| least.min(*gap));
    }
    least
}

/// Mode of the last sample.
fn last_mode(trajectory: &Trajectory) -> &[usize] {
    trajectory.mode_of_sample(trajectory.samples.len() - 1).expect("there is one").closed()
}

/// Dropped from 1 m, the impacts of a ball accumulate at √(2/g) (1+e)/(1−e); there it stays.
#[test]
fn bouncing_balls_come_to_rest_at_the_limit_of_their_impacts() {
    for e in [0.0, 0.5, 0.9, 0.99] {
        let ball = ball(Law::Restitution(e));
        let trajectory = run(&ball, &State::new(0.0, [1.0], [0.0]), &until(1000.0));
        assert_eq!(trajectory.end, End::ReachedTime { t: 1000.0 }, "e = {e}");
        let exact = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
        let event = trajectory.events.last().expect("it lands");
        // Each of up to 2000 impacts is rounded.
        assert!((event.t - exact).abs() < 2e-15 * exact / (1.0 - e), "e = {e}: {event:?}");
        if e > 0.0 {
            let EventKind::Accumulation { ratio, height, impacts, .. } = event.kind else {
                panic!("{event:?}")
            };
            assert!((ratio - e).abs() < 1e-6 && height < 1e-15 && impacts > 20, "{event:?}");
        }
        assert_eq!((changes(&trajectory), last_mode(&trajectory)), (vec![1], &[0][..]));
        let last = trajectory.last().expect("there is one");
        assert_eq!((last.t, last.q[0], last.v[0]), (1000.0, 0.0, 0.0));
        assert!(least_gap(&ball, &trajectory) >= 0.0, "e = {e}");
    }
}

/// The same away from the origin, where a bounce drowns in the rounding of y.
#[test]
fn accumulation_is_seen_on_a_high_floor() {
    let mut high = ball(Law::Restitution(0.5));
    high.gaps = Box::new(|_, q, _, g| g[0] = q[0] - 100.0);
    let trajectory = run(&high, &State::new(0.0, [101.0], [0.0]), &until(10.0));
    let exact = 3.0 * (2.0_f64 / G).sqrt();
    let event = trajectory.events.last().unwrap();
    let EventKind::Accumulation { duration, .. } = event.kind else { panic!("{event:?}") };
    assert!((event.t - exact).abs() < 1e-2 * duration, "{} for {exact}, {duration:e}", event.t);
    assert_eq!(trajectory.end, End::ReachedTime { t: 10.0 });
    assert_eq!((trajectory.last().unwrap().q[0], last_mode(&trajectory)), (100.0, &[0][..]));
    assert!(trajectory.samples.iter().all(|sample| sample.q[0] >= 100.0));
}

/// A ball at rest on the floor starts with the contact closed, and the floor bears its weight.
#[test]
fn what_rests_on_the_floor_stays_there() {
    let ball = ball(Law::Elastic);
    let start = State::new(0.0, [0.0], [0.0]);
    let resting = run(&ball, &start, &until(10.0));
    assert_eq!((&resting.end, last_mode(&resting)), (&End::ReachedTime { t: 10.0 }, &[0][..]));
    assert_eq!(resting.mode_of_sample(0).unwrap().closed(), [0]);
    let few = Options { until_impacts: Some(1), ..Options::default() };
    assert_eq!(run(&ball, &start, &few).end, End::AtRest { t: 0.0 });
    let every = Options { sampling: Sampling::Every(0.25), ..until(1.0) };
    let times: Vec<f64> = run(&ball, &start, &every).samples.iter().map(|s| s.t).collect();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    let mut forces = ContactForces::new(&ball);
    forces.solve(&ball, &Mode::new(vec![0]), (0.0, &[0.0], &[0.0], &[])).unwrap();
    assert_eq!((forces.forces(), forces.accelerations()), (&[G][..], &[0.0][..]));
}

/// A particle on a plane inclined by α, x along it downwards and y off it: with restitution e it
/// bounces to the limit time, and then slides with ẍ = g sin α; ẋ is never changed.
#[test]
fn a_ball_bounces_down_an_incline_and_slides_on() {
    for (e, α) in [(0.0, 0.3_f64), (0.5, 0.3), (0.9, 1.0), (0.99, 0.3)] {
        let info = describe("Incline", &["x", "y"], &[], &["plane"], &[]);
        let mut model = Model::new(info, &[2.0, 2.0]);
        let (sin, cos) = α.sin_cos();
        model.force =
            Box::new(move |_, _, _, f| f.copy_from_slice(&[2.0 * G * sin, -2.0 * G * cos]));
        model.gaps = Box::new(|_, q, _, g| g[0] = q[1]);
        model.gap_rows = Box::new(|_, _, grad, rate| {
            grad.copy_from_slice(&[0.0, 1.0]);
            rate[0] = 0.0;
        });
        model.law = Law::Restitution(e);
        let exact = (2.0 / (G * cos)).sqrt() * (1.0 + e) / (1.0 - e);
        let end = exact + 40.0;
        let trajectory = run(&model, &State::new(0.0, [0.0, 1.0], [0.5, 0.0]), &until(end));
        assert_eq!(trajectory.end, End::ReachedTime { t: end });
        let landed = trajectory.events.last().unwrap().t;
        // Each of up to 2000 impacts is rounded.
        let rounding = 2e-15 * exact / (1.0 - e);
        assert!((landed - exact).abs() < rounding.max(1e-13 * exact), "{landed} for {exact}");
        let last = trajectory.last().unwrap();
        let (x, speed) = (0.5 * end + 0.5 * G * sin * end * end, 0.5 + G * sin * end);
        assert!((last.q[0] / x - 1.0).abs() < 1e-13 && (last.v[0] / speed - 1.0).abs() < 1e-13);
        assert_eq!((last.q[1], last.v[1], last_mode(&trajectory)), (0.0, 0.0, &[0][..]));
        assert!(least_gap(&model, &trajectory) > -1e-15);
    }
}

/// The hemisphere of putting-green (15)–(21) in Cartesian coordinates, y upwards, with the gap
/// √(x² + y²) − R, or x² + y² − R². Energy gives θ̇² = θ̇₀² + 2g(1 − cos θ)/R, and the normal force
/// m(g cos θ − Rθ̇²) vanishes at cos θ* = 2/3 + Rθ̇₀²/(3g).
fn cartesian(radius: f64, squared: bool) -> Model {
    let info = describe("Hemisphere", &["x", "y"], &[], &["sphere"], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.force = Box::new(|_, _, _, f| f.copy_from_slice(&[0.0, -G]));
    model.potential = Box::new(|q| G * q[1]);
    model.law = Law::Plastic;
    if squared {
        model.gaps = Box::new(move |_, q, _, g| g[0] = q[0] * q[0] + q[1] * q[1] - radius * radius);
        model.gap_rows = Box::new(|_, q, grad, rate| {
            grad.copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
            rate[0] = 0.0;
        });
        model.gap_drift = Box::new(|_, _, v, γ| γ[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]));
    } else {
        model.gaps = Box::new(move |_, q, _, g| g[0] = q[0].hypot(q[1]) - radius);
        model.gap_rows = Box::new(|_, q, grad, rate| {
            let r = q[0].hypot(q[1]);
            grad.copy_from_slice(&[q[0] / r, q[1] / r]);
            rate[0] = 0.0;
        });
        // r̈ beside the accelerations: v²/r − ṙ²/r.
        model.gap_drift = Box::new(|_, q, v, γ| {
            let r = q[0].hypot(q[1]);
            let rate = (q[0] * v[0] + q[1] * v[1]) / r;
            γ[0] = (v[0] * v[0] + v[1] * v[1] - rate * rate) / r;
        });
    }
    model
}

/// Where the particle leaves the sphere, and what is so there.
fn check_release(model: &Model, radius: f64, spin: f64) {
    let start = State::new(0.0, [0.0, radius], [radius * spin, 0.0]);
    let trajectory = run(model, &start, &until(3.0));
    assert_eq!(changes(&trajectory), [-1], "{}", trajectory.end);
    assert_eq!(trajectory.mode_of_sample(0).expect("a sample").closed(), [0]);
    let event = &trajectory.events[0];
    let (q, v) = (event.q_plus(), event.v_plus());
    let (cos, rate) = (q[1] / radius, (q[1] * v[0] - q[0] * v[1]) / (radius * radius));
    let wanted = 2.0 / 3.0 + radius * spin * spin / (3.0 * G);
    assert!((cos - wanted).abs() < 1e-13, "θ̇₀ = {spin}: cos θ* = {cos} for {wanted}");
    let square = spin * spin + 2.0 * G * (1.0 - wanted) / radius;
    assert!((rate * rate / square - 1.0).abs() < 1e-12, "{rate}");
    assert!(least_gap(model, &trajectory) > -1e-14);
}

#[test]
fn a_particle_leaves_a_hemisphere_where_its_normal_force_vanishes() {
    for (radius, spin) in [(0.3, 1e-3), (0.3, 1.0), (2.0, 2.0), (0.1, 3.0)] {
        for squared in [false, true] {
            check_release(&cartesian(radius, squared), radius, spin);
        }
    }
}

/// A wheel of mass m, inertia J and radius R that rolls, ẋ = Rθ̇, even in flight, over a floor that
/// brakes its axle by −cẋ while it touches: (m + J/R²)ẍ = −cẋ there, with λ = −Jẍ/R² on the row
/// dx − R dθ; in flight ẋ stays.
#[test]
fn the_damping_of_a_contact_acts_while_it_is_closed() {
    let (m, J, R, c) = (2.0, 0.5, 0.25, 3.0);
    let info = describe(
        "Wheel",
        &["x", "y", "θ"],
        &[("roll", eom_core::info::RowKind::Velocity)],
        &["floor"],
        &[],
    );
    let mut model = Model::new(info, &[m, m, J]);
    model.force = Box::new(move |_, _, _, f| f.copy_from_slice(&[0.0, -m * G, 0.0]));
    model.rows = Box::new(move |_, _, a, b| {
        a.copy_from_slice(&[1.0, 0.0, -R]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, _, _, γ| γ[0] = 0.0);
    model.gaps = Box::new(|_, q, _, g| g[0] = q[1]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0, 0.0]);
        rate[0] = 0.0;
    });
    model.contact_forces = Box::new(move |_, _, v, f| f.copy_from_slice(&[-c * v[0], 0.0, 0.0]));
    model.law = Law::Plastic;

    let (v0, height, end) = (2.0, 0.5, 1.5);
    let trajectory =
        run(&model, &State::new(0.0, [0.0, height, 0.0], [v0, 0.0, v0 / R]), &until(end));
    assert_eq!(trajectory.end, End::ReachedTime { t: end });
    let landing = (2.0 * height / G).sqrt();
    let inertia = m + J / (R * R);
    let rate = c / inertia;
    let slowed = (-rate * (end - landing)).exp();
    let last = trajectory.last().unwrap();
    let x = v0 * landing + v0 / rate * (1.0 - slowed);
    for (found, wanted) in [(last.q[0], x), (last.v[0], v0 * slowed), (last.v[2], v0 * slowed / R)]
    {
        assert!((found / wanted - 1.0).abs() < 1e-12, "{found} for {wanted}");
    }

    let mut forces = ContactForces::new(&model);
    let (q, v) = ([0.0; 3], [v0, 0.0, v0 / R]);
    forces.solve(&model, &Mode::new(vec![0]), (0.0, &q, &v, &[])).unwrap();
    let a = -c * v0 / inertia;
    let found = [forces.accelerations(), forces.multipliers(), forces.forces()].concat();
    for (found, wanted) in found.iter().zip([a, 0.0, a / R, -J * a / (R * R), m * G]) {
        assert!((found - wanted).abs() < 1e-13, "{found} for {wanted}");
    }
    forces.solve(&model, &Mode::default(), (0.0, &q, &v, &[])).unwrap();
    assert_eq!(forces.accelerations(), [0.0, -G, 0.0], "in flight");
}

/// A ball of unit mass on a floor y = A sin ωt. Γ = Aω²/g.
fn shaken(amplitude: f64, frequency: f64, law: Law) -> Model {
    let mut model = ball(law);
    model.gaps = Box::new(move |t, q, _, g| g[0] = q[0] - amplitude * (frequency * t).sin());
    model.gap_rows = Box::new(move |t, _, grad, rate| {
        grad[0] = 1.0;
        rate[0] = -amplitude * frequency * (frequency * t).cos();
    });
    model.gap_drift = Box::new(move |t, _, _, γ| {
        γ[0] = amplitude * frequency * frequency * (frequency * t).sin();
    });
    model
}

/// The root of f between a point where it is positive and one where it is not.
fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Plastic, thrown: the ball leaves where g = Aω² sin ωt, flies, lands, and stays if sin ωt < 1/Γ
/// there. Times by bisection of the closed forms.
#[test]
fn a_shaken_floor_throws_what_lies_on_it() {
    let (amplitude, gamma) = (0.01, 1.6);
    let ω = (gamma * G / amplitude).sqrt();
    let model = shaken(amplitude, ω, Law::Plastic);
    let end = 2.0;
    let trajectory = run(&model, &State::new(0.0, [0.0], [amplitude * ω]), &until(end));
    assert_eq!(trajectory.end, End::ReachedTime { t: end });
    let period = std::f64::consts::TAU / ω;
    let phase = (1.0 / gamma).asin() / ω;
    let mut wanted = Vec::new();
    let mut leaves = phase;
    while leaves < end {
        let (y, v) = (amplitude * (ω * leaves).sin(), amplitude * ω * (ω * leaves).cos());
        let gap = |t: f64| {
            let τ = t - leaves;
            y + v * τ - 0.5 * G * τ * τ - amplitude * (ω * t).sin()
        };
        let mut high = leaves + period / 100.0;
        while gap(high) > 0.0 {
            high += period / 100.0;
        }
        let lands = bisect(high - period / 100.0, high, gap);
        wanted.extend([(leaves, -1), (lands, 1)]);
        let next = ((lands - phase) / period).ceil() * period + phase;
        leaves = if (ω * lands).sin() < 1.0 / gamma { next } else { lands };
    }
    wanted.retain(|(t, _)| *t < end);
    let found: Vec<(f64, isize)> = trajectory
        .events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Closing { .. } => Some((event.t, 1)),
            EventKind::Opening { .. } => Some((event.t, -1)),
            _ => None,
        })
        .collect();
    assert!(found.len() > 20 && found.len() == wanted.len(), "{} {}", found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found.1, wanted.1);
        assert!((found.0 - wanted.0).abs() < 1e-12, "{found:?} for {wanted:?}");
    }
    assert!(least_gap(&model, &trajectory) > -1e-12);
}

/// With restitution the impacts accumulate wherever the floor lets them; where it throws, Γ > 1, the
/// ball is thrown at sin ωt = 1/Γ again and again, and its flights are ballistic in between.
#[test]
fn impacts_on_a_shaken_floor_accumulate_until_it_throws() {
    for (e, gamma, throws) in [
        (0.5, 0.8, false),
        (0.9, 0.8, false),
        (0.95, 0.3, false),
        (0.99, 0.1, false),
        (0.3, 1.2, true),
    ] {
        let amplitude = 0.01;
        let ω = (gamma * G / amplitude).sqrt();
        let model = shaken(amplitude, ω, Law::Restitution(e));
        let trajectory = run(&model, &State::new(0.0, [0.02], [0.0]), &until(30.0));
        assert_eq!(trajectory.end, End::ReachedTime { t: 30.0 });
        assert!(least_gap(&model, &trajectory) > -1e-12);
        let accumulations = trajectory
            .events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Accumulation { .. }));
        let count = accumulations.count();
        let opened: Vec<f64> = trajectory
            .events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Opening { .. }))
            .map(|event| (ω * event.t).sin() * gamma)
            .collect();
        if throws {
            assert!(count > 10 && opened.len() > 10, "{count} {}", opened.len());
            assert!(opened.iter().all(|sine| (sine - 1.0).abs() < 1e-11), "{opened:?}");
        } else {
            assert_eq!((count, opened.len()), (1, 0), "e = {e}");
            let last = trajectory.last().unwrap();
            assert!((last.q[0] - amplitude * (ω * last.t).sin()).abs() < 1e-16);
            assert_eq!(last_mode(&trajectory), [0]);
        }
        for pair in trajectory.events.windows(2) {
            let (from, to, τ) = (&pair[0], &pair[1], pair[1].t - pair[0].t);
            if matches!(
                (&from.kind, &to.kind),
                (EventKind::Impact { .. }, EventKind::Impact { .. })
            ) {
                let y = from.q_plus()[0] + from.v_plus()[0] * τ - 0.5 * G * τ * τ;
                assert!((y - to.q_minus()[0]).abs() < 1e-14, "{from:?} {to:?}");
            }
        }
    }
}

/// Hops over the hills y = H cos kx, from the valley x = −π/k with the speed v: where the particle
/// leaves and lands, in forty digits (tests/data/contact/hill.py): t, x, ẋ.
const HOPS: [(f64, f64, f64, &[[f64; 3]]); 2] = [
    (
        0.3,
        2.0,
        4.5,
        &[
            [0.418_795_527_289_561_76, -0.133_260_223_802_127_45, 2.911_047_417_612_486_5],
            [0.602_790_361_220_028_5, 0.402_357_462_365_196_1, 2.942_481_117_084_919_5],
            [1.348_846_862_946_625_3, 3.009_662_896_020_236_7, 2.909_995_738_642_198],
            [1.531_052_755_381_422, 3.539_881_266_560_993_4, 2.940_334_615_904_093],
            [2.279_087_802_668_576_4, 6.152_526_083_939_632, 2.909_002_103_152_082],
            [2.459_583_981_655_329, 6.677_589_848_223_019, 2.938_319_423_598_316],
        ],
    ),
    (
        0.3,
        2.0,
        6.0,
        &[
            [0.189_139_561_323_836_87, -0.588_565_519_507_188_3, 4.616_557_166_083_73],
            [0.786_919_399_334_151_4, 2.171_119_275_399_701, 2.107_728_503_434_23],
        ],
    ),
];

#[test]
fn a_particle_hops_over_hills() {
    for (height, k, speed, hops) in HOPS {
        let info = describe("Hills", &["x", "y"], &[], &["ground"], &[]);
        let mut model = Model::new(info, &[1.0, 1.0]);
        model.force = Box::new(|_, _, _, f| f.copy_from_slice(&[0.0, -G]));
        model.gaps = Box::new(move |_, q, _, g| g[0] = q[1] - height * (k * q[0]).cos());
        model.gap_rows = Box::new(move |_, q, grad, rate| {
            grad.copy_from_slice(&[height * k * (k * q[0]).sin(), 1.0]);
            rate[0] = 0.0;
        });
        model.gap_drift = Box::new(move |_, q, v, γ| {
            γ[0] = height * k * k * (k * q[0]).cos() * v[0] * v[0];
        });
        model.law = Law::Plastic;
        let start = State::new(0.0, [-std::f64::consts::PI / k, -height], [speed, 0.0]);
        let trajectory = run(&model, &start, &until(2.6));
        assert_eq!(trajectory.end, End::ReachedTime { t: 2.6 });
        let changes: Vec<_> = trajectory
            .events
            .iter()
            .filter(|event| !matches!(event.kind, EventKind::Impact { .. }))
            .collect();
        assert_eq!(changes.len(), hops.len(), "{changes:?}");
        for (i, (event, hop)) in changes.iter().zip(hops).enumerate() {
            let opens = matches!(event.kind, EventKind::Opening { .. });
            assert_eq!(opens, i % 2 == 0, "{event:?}");
            for (found, wanted) in [event.t, event.q_plus()[0], event.v_plus()[0]].iter().zip(hop) {
                assert!((found - wanted).abs() < 1e-11, "hop {i}: {found} for {wanted}");
            }
        }
        assert!(least_gap(&model, &trajectory) > -1e-14);
    }
}
