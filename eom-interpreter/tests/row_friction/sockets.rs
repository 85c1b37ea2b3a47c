//! Friction on slips of two and three velocities: balls in sockets, a puck between two plates.

use super::{G, METHODS, check, complete, run, run_by, system};
use eom_core::{End, EventKind, Options, State, System, Trajectory, run_scenario};

/// A ball in a socket that bears its weight, which moments turn.
const BALL: &str = "system Ball {
    coordinates { x, y, z, h }
    rotation R { body: ω_1, ω_2, ω_3 }
    parameters { μ = 0.2, μ_s = 0.3, g = 9.81, k = 0, m = 2, J = 0.3, r = 0.05 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2) + ḣ^2/2;
    potential = m*g*z;
    force ω_1 = 0.6*k*t;
    force ω_2 = 0.8*k*t;
    holonomic { pin: [x, y, z] = [0, 0, 0]; }
    row pin { slip = [r*ω_1, r*ω_2, r*ω_3]; friction(μ_s, μ); }
    contact face { gap = x - h; impact = restitution(0.5); }
    output pressure = norm(λ(pin));
    output f_1 = friction(pin)[1];
    output f_2 = friction(pin)[2];
    output f_3 = friction(pin)[3];
}";

/// A body with three moments of inertia on a ball joint at l from its centre of mass.
const TOP: &str = "system Top {
    coordinates { x, y, z }
    rotation R { body: ω_1, ω_2, ω_3 }
    parameters { m = 2, A = 0.3, B = 0.4, C = 0.2, r = 0.05, μ = 0.2, g = 9.81, l = 0.3 }
    let p = R*[0, 0, l];
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + A/2*ω_1^2 + B/2*ω_2^2 + C/2*ω_3^2;
    potential = m*g*z;
    holonomic { pin: [x, y, z] - p = [0, 0, 0]; }
    row pin { slip = [r*ω_1, r*ω_2, r*ω_3]; friction(1.5*μ, μ); }
    scenario spin { z = l; ω_1 = 0.1; ω_2 = 0.2; ω_3 = 20; solve ẋ, ẏ, ż; until t = 3; }
}";

/// A door that hangs in two sockets, the lower of which bears its weight.
const DOOR: &str = "system Door {
    coordinates { x, y, z }
    rotation R { body: ω_1, ω_2, ω_3 }
    parameters { m = 2, A = 0.3, C = 0.2, r = 0.05, μ = 0.2, g = 9.81, b = 0.4, h = 0.5 }
    let p = [x, y, z] + R*[-b, 0, -h];
    let q = [x, y, z] + R*[-b, 0, h];
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + A/2*(ω_1^2 + ω_2^2) + C/2*ω_3^2;
    potential = m*g*z;
    holonomic { low: p = [0, 0, 0]; high: [q[1], q[2]] = [0, 0]; }
    row low { slip = [r*ω_1, r*ω_2, r*ω_3]; friction = μ; }
    row high { slip = [r*ω_1, r*ω_2, r*ω_3]; friction = μ; }
    scenario swing { x = b; z = h; ω_3 = 3; solve ẋ, ẏ, ż, ω_1, ω_2; until t = 10; }
}";

/// A puck between two plates, pressed against the one or the other.
const PUCK: &str = "system Puck {
    coordinates { x, y, z }
    parameters { μ = 0.2, a = 0, g = 9.81, ν = 0.2 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    force z = a*cos(t) - g;
    holonomic { plate: z = 0; }
    row plate { slip = [ẋ, ẏ]; friction = FRICTION; }
}";

fn puck(friction: &str) -> String {
    PUCK.replace("FRICTION", friction)
}

fn stop(trajectory: &Trajectory) -> f64 {
    let stop = trajectory.events.iter().find(|e| matches!(e.kind, EventKind::Stick { .. }));
    stop.expect("it stops").t
}

/// J ω̇ = −μ r m g ω/‖ω‖: ω falls linearly and keeps its direction, whatever that is.
#[test]
fn a_ball_spins_down_in_its_socket() {
    for (ω, method) in
        [[1.0, 2.0, -2.0], [3.0, 0.0, 0.0], [0.3, -0.4, 1e-3]].iter().zip(METHODS.iter().cycle())
    {
        let size = f64::sqrt(ω.iter().map(|ω| ω * ω).sum());
        let ball = system(BALL, &[]);
        let rate = 0.2 * 0.05 * 2.0 * G / 0.3;
        let until = 0.5 * size / rate;
        let q = [0.0, 0.0, 0.0, -9.0, 1.0, 0.0, 0.0, 0.0];
        let v = [0.0, 0.0, 0.0, 0.0, ω[0], ω[1], ω[2]];
        let last = run_by(&ball, *method, (&q, &v), until);
        for (found, ω) in complete(&last).v[4..].iter().zip(ω) {
            check("ω", *found, ω * (1.0 - rate * until / size), 1e-12);
        }
        let whole = run_by(&ball, *method, (&q, &v), 20.0);
        check("stop", stop(&whole), size / rate, 1e-11);
        assert!(complete(&whole).v.iter().all(|v| *v == 0.0));
    }
}

/// A moment k t about a fixed direction turns it from k t = μ_s r m g on, along itself: J ω = ∫ (k t − μ r m g).
#[test]
fn a_ball_gives_way_in_its_socket() {
    let (k, load) = (0.05, 0.05 * 2.0 * G);
    let (first, end) = (0.3 * load / k, 9.0);
    for method in METHODS {
        let made = run_by(
            &system(BALL, &[0.2, 0.3, G, k]),
            method,
            (&[0.0, 0.0, 0.0, -9.0, 1.0, 0.0, 0.0, 0.0], &[0.0; 7]),
            end,
        );
        let slip = made.events.iter().find(|e| matches!(e.kind, EventKind::Slip { .. }));
        check("slip", slip.expect("it gives way").t, first, 1e-11);
        let ω = (k * (end * end - first * first) / 2.0 - 0.2 * load * (end - first)) / 0.3;
        let v = &complete(&made).v;
        for (found, part) in v[4..].iter().zip([0.6, 0.8, 0.0]) {
            check("ω", *found, part * ω, 1e-9);
        }
    }
}

/// Λ at the pin takes μ r Λ/J from ω along itself, and all of it where it is more.
#[test]
fn a_ball_in_its_socket_is_struck() {
    for (speed, left) in [(3.0, 1.0 - 0.2 * 0.05 * 4.5 / 0.3 / 3.0), (80.0, 0.0)] {
        let ball = system(BALL, &[0.2, 0.2, 0.0]);
        let q = [0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0];
        let made = run(&ball, &q, &[0.0, 0.0, 0.0, speed, 1.0, 2.0, -2.0], 1.0);
        let v = &complete(&made).v;
        check("hammer", v[3], -0.5 * speed, 1e-12);
        for (found, ω) in v[4..].iter().zip([1.0, 2.0, -2.0]) {
            check("ω", *found, left * ω, 1e-13);
        }
    }
}

/// Struck off its centre, a body with three moments of inertia turns about ω⁺ that its friction is along, too:
///
/// ```text
/// J ω⁺ = Λ p × e − μ r |Λ| ω⁺/‖ω⁺‖        ġ⁺ = −ε ġ⁻        g = e·R p − h
/// ```
#[test]
fn friction_at_a_joint_turns_with_what_an_impact_leaves() {
    const STRUCK: &str = "system Struck {
        coordinates { x, y, z, h }
        rotation R { body: ω_1, ω_2, ω_3 }
        parameters { μ = 0.9, r = 0.05 }
        kinetic = ẋ^2 + ẏ^2 + ż^2 + 0.15*ω_1^2 + 0.2*ω_2^2 + 0.1*ω_3^2 + ḣ^2/2;
        potential = 0;
        holonomic { pin: [x, y, z] = [0, 0, 0]; }
        row pin { slip = [r*ω_1, r*ω_2, r*ω_3]; friction = μ; }
        let p = [x, y, z] + R*[0.3, 0.1, 0.2];
        contact face { gap = p[1] - h; impact = restitution(0.5); }
    }";
    for μ in [0.0, 0.3, 1.2] {
        let q = [0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0];
        let made = run(&system(STRUCK, &[μ]), &q, &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0], 1.31);
        let v = made.impacts().next().expect("it is struck").1.v_plus();
        let (Λ, ω) = (3.0 - v[3], &v[4..]);
        let size = ω.iter().map(|ω| ω * ω).sum::<f64>().sqrt();
        // p × e₁ = (0, p₃, −p₂).
        for ((j, ω), arm) in [0.3, 0.4, 0.2].iter().zip(ω).zip([0.0, 0.2, -0.1]) {
            check("J ω", j * ω + 0.05 * μ * Λ * ω / size, Λ * arm, 1e-13);
        }
        check("ġ", 0.2 * ω[1] - 0.1 * ω[2] - v[3], 1.5, 1e-13);
    }
}

/// Beside Euler's equations about the pin in the body's frame, |λ| solved for as a root: 30 digits, by extrapolation (Gragg,
/// Bulirsch, Stoer).
#[test]
fn a_top_on_a_rough_joint_turns_as_its_twin() {
    let twin = [
        (
            1.0,
            [0.543_636_319_085_229_2, -0.203_638_583_007_859_42, 19.013_501_238_011_035],
            0.989_280_104_188_039_6,
        ),
        (
            3.0,
            [-0.198_819_954_009_792_13, -0.367_623_275_531_213_1, 17.051_317_147_215_26],
            0.992_904_808_275_341_6,
        ),
    ];
    for (until, ω, upright) in twin {
        let options = Options { until_time: Some(until), ..Options::default() };
        let made = run_scenario(&system(TOP, &[]), "spin", &options).expect("it starts");
        let last = complete(&made);
        check("z/l", last.q[2] / 0.3, upright, 1e-12);
        for (found, ω) in last.v[3..].iter().zip(ω) {
            check("ω", *found, ω, 1e-11);
        }
    }
}

/// (C + m b²) ω̇ = −μ r (|λ₁| + |λ₂|), the sockets sharing the weight's moment and the centripetal force, and the force m b ω̇
/// along the swing by halves: by hand, with the classical Runge–Kutta method.
#[test]
fn a_door_in_two_sockets_stops_as_its_twin() {
    let (m, c, r, μ, b, h) = (2.0_f64, 0.2, 0.05, 0.2, 0.4, 0.5);
    let rate = |ω: f64| {
        let (across, weight) = (m * b * ω * ω, m * G * b / h);
        let mut α = 0.0;
        for _ in 0..60 {
            let along: f64 = m * b * α / 2.0;
            let low = ((weight - across) / 2.0).powi(2) + along.powi(2) + (m * G).powi(2);
            let high = f64::midpoint(weight, across).powi(2) + along.powi(2);
            α = -μ * r * (low.sqrt() + high.sqrt()) / (c + m * b * b);
        }
        α
    };
    let (mut ω, mut t, step) = (3.0, 0.0, 1e-3);
    loop {
        let k1 = rate(ω);
        let k2 = rate(ω + step / 2.0 * k1);
        let k3 = rate(ω + step / 2.0 * k2);
        let next = ω + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(ω + step * k3));
        if next < 0.0 {
            t -= ω / rate(0.5 * ω);
            break;
        }
        (ω, t) = (next, t + step);
    }
    let made = run_scenario(&system(DOOR, &[]), "swing", &Options::default()).expect("it starts");
    check("stop", stop(&made), t, 1e-9);
    assert!(complete(&made).v.iter().all(|v| *v == 0.0));
}

/// One row with a slip of two directions: v falls by μ ∫ |λ|, from either side, to v²/(2μg) on a level plate.
#[test]
fn a_puck_slides_between_its_plates() {
    for method in METHODS {
        let level = run_by(&system(&puck("μ"), &[]), method, (&[0.0; 3], &[0.6, 0.8, 0.0]), 2.0);
        let last = complete(&level);
        check("stop", stop(&level), 1.0 / (0.2 * G), 1e-12);
        check("x", last.q[0], 0.6 / (0.4 * G), 1e-13);
        check("y", last.q[1], 0.8 / (0.4 * G), 1e-13);
        // ∫₀^π |30 cos t| = 60.
        let pressed = system(&puck("μ"), &[0.1, 30.0, 0.0]);
        let last = run_by(&pressed, method, (&[0.0; 3], &[6.0, 8.0, 0.0]), std::f64::consts::PI);
        check("ẋ", complete(&last).v[0], 0.6 * (10.0 - 6.0), 1e-11);
        check("ẏ", complete(&last).v[1], 0.8 * (10.0 - 6.0), 1e-11);
    }
}

/// Two coefficients: ẋ and ẏ of s̈ᵢ = −g μᵢ² sᵢ/l, l² = Σ (μᵢ sᵢ)², so that ẋ^(1/μ_x²) and ẏ^(1/μ_y²) keep their ratio.
#[test]
fn a_puck_slides_as_its_two_coefficients_say() {
    let skate = system(&puck("[μ, ν]"), &[0.2, 0.0, G, 0.5]);
    let made = run(&skate, &[0.0; 3], &[3.0, 2.0, 0.0], 0.4);
    let v = &complete(&made).v;
    let kept = |v: [f64; 2]| v[0].ln() / 0.04 - v[1].ln() / 0.25;
    check("ratio", kept([v[0], v[1]]), kept([3.0, 2.0]), 1e-10);
    assert!(v[0] < 2.9 && v[1] < 1.0, "{v:?}");
}

/// The largest moment about the vertical that both sockets bear together: each μ r |λ| with a part τ of it about the level axis,
/// by which they press more,
///
/// ```text
/// max Σ √((μ r Nᵢ)² − τᵢ²)      N₂ = (m g b + τ₁ + τ₂)/(2 h)      N₁ = √(N₂² + (m g)²)
/// ```
fn door_bears() -> f64 {
    let weight = 2.0 * G;
    let moment = |[one, two]: [f64; 2]| {
        let side = weight * 0.4 + one + two;
        let part = |n: f64, τ: f64| ((0.01 * n).powi(2) - τ * τ).sqrt();
        part(side.hypot(weight), one) + part(side, two)
    };
    let (mut τ, mut step) = ([0.0; 2], 1e-2);
    while step > 1e-12 {
        let beside = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]];
        let next = beside.map(|d| [τ[0] + d[0], τ[1] + d[1]]);
        match next.iter().find(|next| moment(**next) > moment(τ)) {
            Some(next) => τ = *next,
            None => step /= 2.0,
        }
    }
    moment(τ)
}

/// A joint that is held beside another one on the same turns: what each bears is not determined, and it rests where it can.
#[test]
fn a_door_at_rest_is_held_by_either_socket() {
    let pushed = DOOR.replace("potential", "force ω_3 = 0.01*t; potential");
    let options = Options { until_time: Some(60.0), ..Options::default() };
    let still = pushed.replace("ω_3 = 3;", "");
    let made = run_scenario(&system(&still, &[]), "swing", &options).expect("it starts");
    let first = door_bears() / 0.01;
    let slip = made.events.iter().find(|e| matches!(e.kind, EventKind::Slip { .. }));
    check("gives way", slip.expect("it does").t, first, 1e-8);
    assert!(matches!(made.end, End::ReachedTime { .. }), "{}", made.end);
}

/// `friction(pin)` is a vector, −μ ‖λ‖ ω/‖ω‖ where it slides.
#[test]
fn forces_on_a_slip_of_three_are_read() {
    let ball = system(BALL, &[]);
    let state = State::new(
        0.0,
        [0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, -2.0],
    );
    let mut found = vec![0.0; ball.info().outputs.len()];
    let mode = eom_core::Mode::default();
    eom_core::contact::Reactions::new(&ball).outputs(&ball, &[], &state, &mode, &mut found);
    check("‖λ‖", found[0], 2.0 * G, 1e-14);
    for (found, part) in found[1..].iter().zip([-1.0, -2.0, 2.0]) {
        check("f", *found, part / 3.0 * 0.2 * 2.0 * G, 1e-14);
    }
}
