//! Impacts with friction by Poisson's and Stronge's restitution: Routh's cases by hand, an integration of the impulse in
//! small steps, Kane's pendulum.

use super::{check, run, system, systems};
use eom_core::{End, EventKind, State, System, Trajectory};

/// A rod whose tip is hit, with a law.
fn rod(law: &str, μ: f64, e: f64) -> eom_interpreter::Interpreted {
    system(&systems::ROD.replace("restitution(e)", law), &[μ, e])
}

/// The normal impulse of the first event.
pub(crate) fn impulse(trajectory: &Trajectory) -> f64 {
    match trajectory.events.first().map(|event| &event.kind) {
        Some(EventKind::Impact { impulse, .. }) => *impulse,
        _ => panic!("{:?} {}", trajectory.events, trajectory.end),
    }
}

/// The cases of Routh's line of impulses for a uniform rod at θ, by hand: a, b, c are those of its tip.
#[test]
fn rods_take_the_impulses_of_routh() {
    let θ = 1.0_f64;
    let (n, s) = ([0.0, 1.0, -θ.cos()], [1.0, 0.0, θ.sin()]);
    let by = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + 3.0 * x[2] * y[2];
    let (a, b, c) = (by(n, n), by(s, n), by(s, s));
    assert!(b < 0.0, "what is pressed slides back");
    // μ, the slip before: it slides all through, comes to stick, comes to slide back.
    for (μ, slip) in [(0.2, 5.0), (0.2, -5.0), (0.9, 0.3), (0.9, -0.3), (0.2, 0.3), (0.25, 0.0)] {
        for e in [0.0, 0.4, 1.0] {
            let start = [slip, -2.0, 0.0];
            for law in ["poisson(e)", "stronge(e)"] {
                let trajectory = run(&rod(law, μ, e), &[0.0, θ.sin(), θ], &start, 1e-9);
                let (normal, friction) = by_hand([a, b, c], μ, (slip, -2.0), (law, e));
                check("Λ", impulse(&trajectory), normal, 1e-12 * normal);
                let [_, (_, after)] = trajectory.events[0].sides();
                for i in 0..3 {
                    let inertia = [1.0, 1.0, 3.0][i];
                    let wanted = start[i] + inertia * (n[i] * normal - s[i] * friction);
                    check("velocity", after[i], wanted, 1e-12);
                }
            }
        }
    }
}

/// Λ and Φ: sections of the line of impulses, each between the impulses at which something changes.
pub(crate) fn by_hand(
    [a, b, c]: [f64; 3],
    μ: f64,
    (slip, rate): (f64, f64),
    (law, e): (&str, f64),
) -> (f64, f64) {
    // Two sections at most: first in the direction of the slip, then with the friction that holds or that is left.
    let second = if (b / c).abs() <= μ { b / c } else { μ * b.signum() };
    let first = if slip == 0.0 { second } else { μ * slip.signum() };
    let towards = (b - c * first) * slip.signum();
    let turn = if slip != 0.0 && towards < 0.0 { -slip.abs() / towards } else { f64::INFINITY };
    let friction =
        |Λ: f64| if Λ < turn { first * Λ } else { first * turn + second * (Λ - turn) };
    let speed = |Λ: f64| rate + a * Λ - b * friction(Λ);
    let slopes = [a - b * first, a - b * second];
    let compression = if turn.is_infinite() || speed(turn) >= 0.0 {
        -rate / slopes[0]
    } else {
        turn - speed(turn) / slopes[1]
    };
    if law == "poisson(e)" || e == 0.0 {
        let whole = (1.0 + e) * compression;
        return (whole, friction(whole));
    }
    // Trapezia of the work to the turn, and beyond it.
    let work = |Λ: f64| {
        let at = Λ.min(turn);
        0.5 * at * (rate + speed(at)) + 0.5 * (Λ - at) * (speed(at) + speed(Λ))
    };
    let wanted = (1.0 - e * e) * work(compression);
    let (mut low, mut high) = (compression, 10.0 * compression);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if work(middle) < wanted { low = middle } else { high = middle }
    }
    (high, friction(high))
}

/// The impulse of a brick's corner, integrated in small steps of the fourth order.
#[test]
fn impulses_turn_in_a_plane() {
    let brick = "system Brick {
        coordinates { x, y, z }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters { μ = 0.3 where μ >= 0, e = 0.5 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + (ω_1^2 + 2*ω_2^2 + 3*ω_3^2)/20;
        potential = 0;
        let p = R*[0.3, -0.2, -0.5];
        let w = [ẋ, ẏ, ż] + cross([ω_1, ω_2, ω_3], p);
        contact tip { gap = z + p[3]; slip = [w[1], w[2]]; friction = μ; impact = LAW; }
    }";
    let (p, inertia) = ([0.3, -0.2, -0.5], [0.1, 0.2, 0.3]);
    let row = |direction: [f64; 3]| {
        let [d1, d2, d3] = direction;
        let [p1, p2, p3] = p;
        [d1, d2, d3, p2 * d3 - p3 * d2, p3 * d1 - p1 * d3, p1 * d2 - p2 * d1]
    };
    let rows = [row([1.0, 0.0, 0.0]), row([0.0, 1.0, 0.0]), row([0.0, 0.0, 1.0])];
    for (μ, e) in [(0.1, 0.5), (0.3, 1.0), (0.9, 0.0)] {
        for law in ["poisson(e)", "stronge(e)"] {
            let brick = system(&brick.replace("LAW", law), &[μ, e]);
            let start = [1.0, -0.4, -2.0, 0.5, 0.3, 0.2];
            let trajectory = run(&brick, &[0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], &start, 1e-9);
            let (normal, velocity) = in_small_steps(rows, inertia, μ, start, (law, e));
            check("Λ", impulse(&trajectory), normal, 1e-10);
            let [_, (_, after)] = trajectory.events[0].sides();
            for i in 0..6 {
                check("velocity", after[i], velocity[i], 1e-9);
            }
        }
    }
}

/// The velocity integrated over Λ, by the classical Runge–Kutta method in small steps, up to sticking.
pub(crate) fn in_small_steps(
    rows: [[f64; 6]; 3],
    inertia: [f64; 3],
    μ: f64,
    start: [f64; 6],
    (law, e): (&str, f64),
) -> (f64, [f64; 6]) {
    let mass = |i: usize| if i < 3 { 1.0 } else { inertia[i - 3] };
    let of = |row: usize, v: &[f64; 6]| (0..6).map(|i| rows[row][i] * v[i]).sum::<f64>();
    let pushed = |f: [f64; 3]| -> [f64; 6] {
        std::array::from_fn(|i| (0..3).map(|row| rows[row][i] * f[row]).sum::<f64>() / mass(i))
    };
    let respond = |f: [f64; 3]| {
        let v = pushed(f);
        [of(0, &v), of(1, &v), of(2, &v)]
    };
    let [cx, cy] = [respond([1.0, 0.0, 0.0]), respond([0.0, 1.0, 0.0])];
    let b = respond([0.0, 0.0, 1.0]);
    let det = cx[0] * cy[1] - cx[1] * cy[0];
    let inverse =
        |s: [f64; 2]| [(s[0] * cy[1] - s[1] * cy[0]) / det, (s[1] * cx[0] - s[0] * cx[1]) / det];
    let hold = inverse([b[0], b[1]]);
    assert!(hold[0].hypot(hold[1]) < 0.9, "with the largest coefficient it comes to stick");
    let slope = |v: &[f64; 6], stuck: bool| {
        let (x, y) = (of(0, v), of(1, v));
        let size = x.hypot(y);
        let f = if stuck { hold } else { [μ * x / size, μ * y / size] };
        pushed([-f[0], -f[1], 1.0])
    };
    let h = 5e-5;
    let (mut v, mut Λ, mut work, mut compressed) = (start, 0.0, 0.0, None::<(f64, f64)>);
    let mut stuck = false;
    loop {
        let add = |v: &[f64; 6], k: &[f64; 6], by: f64| -> [f64; 6] {
            std::array::from_fn(|i| v[i] + by * k[i])
        };
        if !stuck && of(0, &v).hypot(of(1, &v)) < 3.0 * μ * h * (cx[0] + cy[1]) {
            // What is left of the slip is taken at once: the velocity at rest is the same on every way to it.
            let f = inverse([of(0, &v), of(1, &v)]);
            v = add(&v, &pushed([-f[0], -f[1], 0.0]), 1.0);
            stuck = true;
        }
        let k1 = slope(&v, stuck);
        let k2 = slope(&add(&v, &k1, 0.5 * h), stuck);
        let k3 = slope(&add(&v, &k2, 0.5 * h), stuck);
        let k4 = slope(&add(&v, &k3, h), stuck);
        let k: [f64; 6] =
            std::array::from_fn(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0);
        let rate = of(2, &v);
        let next = add(&v, &k, h);
        let after = of(2, &next);
        // The part of the step up to its end, where that is in it; rates are straight within it.
        let part = match compressed {
            None if after >= 0.0 => {
                let part = rate / (rate - after);
                compressed = Some((Λ + part * h, work + 0.5 * part * h * rate));
                (e == 0.0).then_some(part)
            }
            Some((impulse, _)) if law == "poisson(e)" => {
                Some(((1.0 + e) * impulse - Λ) / h).filter(|part| *part <= 1.0)
            }
            Some((_, lost)) => {
                let missing = (1.0 - e * e) * lost - work;
                let part = 2.0 * missing
                    / (rate + (rate * rate + 2.0 * (after - rate) / h * missing).sqrt());
                Some(part / h).filter(|part| *part <= 1.0)
            }
            None => None,
        };
        if let Some(part) = part {
            return (Λ + part * h, add(&v, &k, part * h));
        }
        work += 0.5 * h * (rate + after);
        (v, Λ) = (next, Λ + h);
    }
}

/// A double pendulum hangs above a floor that its end hits.
const KANE: &str = "system Kane {
    coordinates { α, β }
    parameters { μ = 0.5 where μ >= 0, e = 0.7 }
    let u = cos(α)*α̇ + cos(β)*β̇/2;
    let w = sin(α)*α̇ + sin(β)*β̇/2;
    kinetic = α̇^2/6 + (u^2 + w^2)/2 + β̇^2/24;
    potential = 0;
    contact floor {
        gap = cos(0.35) + cos(0.6) - cos(α) - cos(β); slip = cos(α)*α̇ + cos(β)*β̇;
        friction = μ; impact = LAW;
    }
}";

/// Newton's law gains energy for some start: the run says so. Stronge's never does.
#[test]
fn kanes_pendulum_gains_no_energy() {
    let (mut newton, mut least) = (0, f64::INFINITY);
    for (law, adds) in [("restitution(e)", true), ("stronge(e)", false)] {
        let pendulum = system(&KANE.replace("LAW", law), &[]);
        for ω in [-3.0, -2.0, -1.5, -1.0, -0.5, 0.0] {
            let start = [-1.0, ω];
            let trajectory = run(&pendulum, &[0.35, 0.6], &start, 1e-9);
            match (&trajectory.end, adds) {
                (End::ImpossibleImpact { error, .. }, true) => {
                    assert!(error.to_string().contains("multiplies the kinetic energy"), "{error}");
                    newton += 1;
                }
                (End::ReachedTime { .. }, _) => {
                    let kinetic = |v: &[f64]| pendulum.energy(0.0, &[0.35, 0.6], v).kinetic;
                    let last = &trajectory.samples[trajectory.samples.len() - 1].v;
                    let part = kinetic(last) / kinetic(&start);
                    assert!(part <= 1.0 + 1e-12, "{law} {ω}: {part}");
                    least = least.min(part);
                }
                (end, _) => panic!("{law} {ω}: {end}"),
            }
        }
    }
    assert!(newton > 0, "the paradox is among them");
    assert!(least < 0.99, "some is lost");
}

/// The tip of a rod on a belt of the speed V that rises with U, in place of a floor at rest.
const BELT: &str = "system Belt {
    coordinates { x, y, θ }
    parameters { μ = 0.5 where μ >= 0, e = 1, V = 0, U = 0 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    potential = 0;
    let X = x - cos(θ);
    let Y = y - sin(θ);
    contact tip { gap = Y - U*t; slip = Ẋ - V; friction = μ; impact = restitution(e); }
}";

/// What gains energy at rest gains it on a belt: neither the belt's way nor its speed makes an impact possible that is
/// none, and one that is possible is the same.
#[test]
fn a_belt_hides_no_gain() {
    let (mut refused, mut made) = (0, 0);
    for (θ, μ, e, v) in [
        (1.14_f64, 0.7, 1.0, [0.3, -1.4, 1.5]),
        (1.27, 0.8, 1.0, [0.5, -2.0, 0.7]),
        (0.39, 1.5, 1.0, [0.1, -1.8, 0.5]),
        (0.39, 0.5, 0.6, [1.5, -1.8, 0.5]),
        (1.14, 0.2, 0.5, [2.0, -1.4, 0.5]),
    ] {
        let ended = |[along, up]: [f64; 2]| {
            let start = [v[0] + along, v[1] + up, v[2]];
            run(&system(BELT, &[μ, e, along, up]), &[0.0, θ.sin(), θ], &start, 1e-9)
        };
        let still = ended([0.0, 0.0]);
        for belt in [[1e-9, 0.0], [3.0, 0.0], [0.0, 2.0], [-40.0, -7.0], [1e5, 1.0]] {
            let moved = ended(belt);
            if let End::ImpossibleImpact { .. } = &still.end {
                let same = matches!(&moved.end, End::ImpossibleImpact { .. });
                assert!(same, "{θ} {μ} {belt:?}: {}", moved.end);
                refused += 1;
                continue;
            }
            let (one, other) = (super::complete(&still), super::complete(&moved));
            for (i, drive) in [belt[0], belt[1], 0.0].into_iter().enumerate() {
                let size = 1.0 + belt[0].abs() + belt[1].abs();
                check("velocity", other.v[i] - drive, one.v[i], 1e-13 * size);
            }
            made += 1;
        }
    }
    assert!(refused >= 15 && made >= 10, "{refused} {made}");
}

/// A disc that is thrown into a corner so rough that no impulses of Newton's law fit: both contacts are named.
#[test]
fn an_impact_without_a_solution_names_its_contacts() {
    let corner = system(
        "system Corner { coordinates { x, y, θ } parameters { μ = 2 where μ >= 0, ν = 1.5 where ν >= 0 }
          kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/16; potential = 0;
          contact floor { gap = y - 1/2; slip = ẋ + θ̇/2; friction = μ; impact = restitution(0.5); }
          contact wall { gap = x - 1/2; slip = ẏ - θ̇/2; friction = ν; impact = restitution(0.5); } }",
        &[],
    );
    let trajectory = run(&corner, &[0.5, 0.5, 0.0], &[-1.0, -2.0, 3.0], 1e-9);
    let End::FrictionParadox { contacts, coefficients, .. } = &trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert_eq!(
        (contacts.as_slice(), coefficients.as_slice()),
        (&["floor", "wall"][..], &[2.0, 1.5][..])
    );
}

/// A ball that hops along goes on to roll: accumulation, and what follows, is as with Newton's law.
#[test]
fn a_ball_hops_and_rolls() {
    let of = |law: &str| {
        let ball = system(&systems::BALL.replace("restitution(e)", law), &[0.0, 0.2, 0.5]);
        let trajectory = run(&ball, &[0.0, 1.1, 0.0], &[2.0, 0.0, 0.0], 6.0);
        let last = super::complete(&trajectory);
        last.v.clone()
    };
    // Normal and slip are not coupled: all three are one.
    let newton = of("restitution(e)");
    for law in ["poisson(e)", "stronge(e)"] {
        let found = of(law);
        for i in 0..3 {
            check(law, found[i], newton[i], 1e-11);
        }
    }
    check("rolls", newton[0], 2.0 * 5.0 / 7.0, 1e-12);
}

#[test]
fn poissons_and_stronges_differ_where_the_slip_turns() {
    let θ = 1.0_f64;
    let start = State::new(0.0, [0.0, θ.sin(), θ], [0.3, -2.0, 0.0]);
    let of = |law: &str| impulse(&run(&rod(law, 0.9, 0.6), &start.q, &start.v, 1e-9));
    let [poisson, stronge] = ["poisson(e)", "stronge(e)"].map(of);
    assert!((poisson / stronge - 1.0).abs() > 1e-4, "{poisson} {stronge}");
}
