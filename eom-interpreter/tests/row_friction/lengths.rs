//! Friction on the length of the force of several rows: pins, bearings, wires in space.

use super::systems::PIN;
use super::{G, METHODS, Method, changes, check, complete, run, run_by, system};
use eom_core::contact::open_accelerations;
use eom_core::{End, EventKind, Options, Source, State, simulate};
use std::ops::ControlFlow;

/// A wheel on a horizontal pin, turned by a moment that grows.
const WHEEL: &str = "system Wheel {
    coordinates { x, y, θ }
    parameters { μ = 0.2, μ_s = 0.2, r = 0.05, k = 0, m = 2, J = 0.3 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
    potential = m*9.81*y;
    force θ = k*t;
    holonomic { pin: [x, y] = [0, 0]; }
    row pin { slip = r*θ̇; friction(μ_s, μ); }
    output N = norm(λ(pin));
    output f = friction(pin);
}";

/// The same under a load of any direction.
const LOADED: &str = "system Loaded {
    coordinates { x, y, z }
    parameters { μ = 0.2, a = 1, b = 0, ω = 1 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    force y = a*cos(ω*t);
    force z = b*sin(ω*t);
    holonomic { guide: [y, z] = [0, 0]; }
    row guide { slip = ẋ; friction = μ; }
}";

/// A bead on a helix of radius r that rises by h a turn of 1 rad: its rows are lengths, and across each other.
const HELIX: &str = "system Helix {
    coordinates { ρ, φ, z }
    parameters { r = 0.5, h = 0.2, μ = 0.2, g = 9.81 }
    let n = r/sqrt(r^2 + h^2);
    kinetic = (ρ̇^2 + ρ^2*φ̇^2 + ż^2)/2;
    potential = g*z;
    holonomic { wire: [ρ - r, n*(z - h*φ)] = [0, 0]; }
    row wire { slip = n*(ρ^2/r*φ̇ + h/r*ż); friction = μ; }
}";

/// A rod whose lower end is held in a straight guide, and pressed against its side.
const ROD: &str = "system Rod {
    coordinates { x, y, z, θ }
    parameters { μ = 0.2, F = 3 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + θ̇^2/6;
    potential = 9.81*y;
    force z = F;
    holonomic { guide: [y - sin(θ), z] = [0, 0]; }
    row guide { slip = ẋ + sin(θ)*θ̇; friction = μ; }
}";

/// A shaft in two bearings, loaded by A and B, turned by a moment.
const SHAFT: &str = "system Shaft {
    coordinates { a_y, a_z, b_y, b_z, θ }
    parameters { μ = 0.2, r = 0.1, A = 3, B = 4, T = 0.1 }
    kinetic = (ȧ_y^2 + ȧ_z^2 + ḃ_y^2 + ḃ_z^2)/2 + (ȧ_y*ḃ_y + ȧ_z*ḃ_z)/3 + θ̇^2/2;
    force a_y = A;
    force b_z = B;
    force θ = T;
    holonomic { left: [a_y, a_z] = [0, 0]; right: [b_y, b_z] = [0, 0]; }
    row left { slip = r*θ̇; friction = μ; }
    row right { slip = r*θ̇; friction = μ; }
}";

/// Two rods on pins, the second on the end of the first: each row by the places of what its pin joins, so that λ is the force
/// there.
const DOUBLE: &str = "system Double {
    coordinates { x, y, X, Y, α, β }
    parameters { μ = 0.3, ν = 0.2, r = 0.2, m = 1.3, J = 0.2, l = 0.9 }
    kinetic = (ẋ^2 + ẏ^2)/2 + m/2*(Ẋ^2 + Ẏ^2) + J/2*(α̇^2 + β̇^2);
    potential = 9.81*(y + m*Y);
    holonomic {
        pin: [x - l*sin(α), y + l*cos(α)] = [0, 0];
        knee: [X - x - l*(sin(α) + sin(β)), Y - y + l*(cos(α) + cos(β))] = [0, 0];
    }
    row pin { slip = r*α̇; friction = μ; }
    row knee { slip = r*(β̇ - α̇); friction = ν; }
    scenario swing { α = 1.2; β = -0.4; solve x, y, X, Y, ẋ, ẏ, Ẋ, Ẏ; until t = 10; }
}";

/// ∫₀ᵗ f by Simpson's rule.
fn simpson(n: u32, t: f64, f: impl Fn(f64) -> f64) -> f64 {
    let h = t / f64::from(n);
    let part = |i: u32| {
        let weight = if i == 0 || i == n { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        weight * f(f64::from(i) * h)
    };
    h / 3.0 * (0..=n).map(part).sum::<f64>()
}

#[test]
fn a_wheel_on_a_pin_stops_when_its_friction_has_turned_it_back() {
    for (μ, r, ω) in [(0.2, 0.05, 3.0), (0.9, 0.2, -20.0), (1e-3, 0.05, 0.01)] {
        let wheel = system(WHEEL, &[μ, μ, r]);
        // J ω̇ = −μ r m g.
        let stop = 0.3 * f64::abs(ω) / (μ * r * 2.0 * G);
        for method in METHODS {
            let start = (&[0.0; 3][..], &[0.0, 0.0, ω][..]);
            let trajectory = run_by(&wheel, method, start, 1.5 * stop);
            let last = complete(&trajectory);
            let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
            check("stop", t, stop, 1e-13 * stop);
            check("angle", last.q[2], 0.5 * ω * stop, 1e-13 * f64::abs(ω) * stop);
            assert_eq!(last.v, [0.0; 3]);
        }
    }
}

#[test]
fn what_a_pin_holds_breaks_away_at_the_length() {
    let (μ, μ_s, r, k) = (0.1, 0.3, 0.2, 0.7);
    let wheel = system(WHEEL, &[μ, μ_s, r, k]);
    let trajectory = run(&wheel, &[0.0; 3], &[0.0; 3], 4.0);
    let last = complete(&trajectory);
    let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
    let slips = μ_s * r * 2.0 * G / k;
    check("breaks away", t, slips, 1e-13);
    let (τ, back) = (4.0 - slips, (μ_s - μ) * r * 2.0 * G);
    check("rate", last.v[2], (back * τ + k * τ * τ / 2.0) / 0.3, 1e-12);
}

#[test]
fn the_length_is_that_of_a_load_that_turns_and_of_one_that_passes_zero() {
    // v falls by μ ∫|(a cos ωt, b sin ωt)|; b = 0 passes through zero, a small b close by.
    for (a, b) in [(1.0, 0.0), (1.0, 1.0), (2.0, 0.5), (1.0, 1e-2), (1.0, 1e-5), (0.0, 3.0)] {
        let loaded = system(LOADED, &[0.1, a, b, 1.0]);
        for (until, method) in [2.0, 5.0, 9.0].into_iter().flat_map(|t| METHODS.map(|m| (t, m))) {
            let start = (&[0.0; 3][..], &[5.0, 0.0, 0.0][..]);
            let last = run_by(&loaded, method, start, until);
            // With t = π/2 + … each half turn is smooth but where b is small: then by its two ends.
            let size = |t: f64| (a * t.cos()).hypot(b * t.sin());
            let fallen = if a.min(b) == 0.0 {
                let (k, sign) = half_turns(until, a == 0.0);
                f64::max(a, b) * (k + sign)
            } else {
                narrow(until, &size)
            };
            // Through zero the force has a corner, which steps are shortened for.
            let tolerance = if method == Method::Radau { 2e-10 } else { 3e-12 };
            check("speed", complete(&last).v[0], 5.0 - 0.1 * fallen, tolerance);
        }
    }
}

/// ∫₀ᵗ|cos|, or ∫₀ᵗ|sin|: whole halves, and what is left.
fn half_turns(t: f64, sine: bool) -> (f64, f64) {
    let π = std::f64::consts::PI;
    let (k, t) = if sine { ((t / π).floor(), t) } else { ((t / π + 0.5).floor(), t) };
    let even = k % 2.0 == 0.0;
    if sine {
        (2.0 * k, 1.0 - if even { t.cos() } else { -t.cos() })
    } else {
        (2.0 * k, if even { t.sin() } else { -t.sin() })
    }
}

/// ∫₀ᵗ of what turns sharply at odd multiples of π/2, by parts that are ever shorter towards them.
fn narrow(t: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let mut ends = vec![0.0, t];
    for k in 0..4 {
        let at = std::f64::consts::FRAC_PI_2 * f64::from(2 * k + 1);
        ends.push(at);
        for n in 0..40 {
            let near = 1.5 * 0.5_f64.powi(n);
            ends.extend([at - near, at + near]);
        }
    }
    ends.retain(|end| (0.0..=t).contains(end));
    ends.sort_by(f64::total_cmp);
    ends.windows(2).map(|pair| simpson(1024, pair[1] - pair[0], |s| f(pair[0] + s))).sum()
}

#[test]
fn a_pendulum_on_a_rough_pin_turns_and_stays_where_it_does_in_many_digits() {
    let table = include_str!("../../../tests/data/pin/turns.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let rows: Vec<Vec<f64>> =
        rows.map(|row| row.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    assert!(rows.len() >= 10, "{}", rows.len());
    for case in rows.chunk_by(|a, b| a[..4] == b[..4]) {
        let [μ, r, angle, rate] = case[0][..4] else { panic!("{case:?}") };
        let pendulum = system(PIN, &[μ, r]);
        let (s, c) = angle.sin_cos();
        let start = ([s, -c, angle], [rate * c, rate * s, rate]);
        for method in METHODS {
            for row in case {
                let [t, at, stays] = row[5..] else { panic!("{row:?}") };
                let until = if stays == 1.0 { t + 0.1 } else { t };
                let trajectory = run_by(&pendulum, method, (&start.0, &start.1), until);
                let last = complete(&trajectory);
                check("angle", last.q[2], at, 3e-12);
                check("rate", last.v[2], 0.0, 1e-11);
                if stays == 1.0 {
                    let [(stop, 1)] = changes(&trajectory)[..] else {
                        panic!("{:?}", trajectory.events)
                    };
                    check("stop", stop, t, 3e-12);
                    assert_eq!(last.v, [0.0; 3]);
                } else {
                    assert_eq!(changes(&trajectory), []);
                }
            }
        }
    }
}

#[test]
fn a_bead_slides_down_a_helix() {
    // v̇ = −g h/l − μ √((r v²/l²)² + (g r/l)²) up, l² = r² + h²: t = ∫ dv/v̇.
    for (r, h, μ) in [(0.5_f64, 0.2, 0.2), (0.3, 0.6, 0.9), (2.0, 0.1, 0.05)] {
        let helix = system(HELIX, &[r, h, μ]);
        let l = r.hypot(h);
        let (v0, v1) = (3.0, 1.0);
        let slows = |v: f64| G * h / l + μ * (r * v * v / (l * l)).hypot(G * r / l);
        let until = simpson(2000, v0 - v1, |s| 1.0 / slows(v1 + s));
        for method in METHODS {
            let start = (&[r, 0.0, 0.0][..], &[0.0, v0 / l, v0 * h / l][..]);
            let last = run_by(&helix, method, start, until);
            check("speed", l * complete(&last).v[1], v1, 5e-12);
        }
    }
}

#[test]
fn painleves_rod_in_a_channel_has_one_motion_none_or_two() {
    // λ_y = λ⁰ + N d of the rod in a guide; N² = λ_y² + F².
    let (θ, side) = (2.0_f64.atan(), 3.0);
    let (s, c) = θ.sin_cos();
    let (mut counts, t) = ([0; 3], 1e-4);
    for μ in [0.2, 1.0, 1.3, 1.333, 1.334, 1.5, 3.0] {
        for u in [1.0, -1.0] {
            for rate in [0.0, 2.0, -7.0] {
                let rod = system(ROD, &[μ, side]);
                // Without friction λ_y = (g − sin θ θ̇²)/(1 + 3 cos²θ).
                let free = (G - s * rate * rate) / (1.0 + 3.0 * c * c);
                let d = -u * 3.0 * μ * s * c / (1.0 + 3.0 * c * c);
                let (a, b, e) = (1.0 - d * d, free * d, free * free + side * side);
                let disc = b * b + a * e;
                let roots: Vec<f64> = [1.0, -1.0]
                    .iter()
                    .map(|sign| (b + sign * disc.sqrt()) / a)
                    .filter(|n| *n >= 0.0)
                    .collect();
                counts[roots.len()] += 1;
                let options = Options { until_time: Some(t), ..Options::default() };
                // The end of the rod slides with u: ẋ + sin θ θ̇.
                let v = [u - s * rate, c * rate, 0.0, rate];
                let start = State::new(0.0, [0.0, s, 0.0, θ], v);
                let run = simulate(&rod, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
                let run = run.expect("the start is possible");
                match (&roots[..], &run.end) {
                    ([n], End::ReachedTime { .. }) => {
                        let (mut a, mut λ) = ([0.0; 4], [0.0; 2]);
                        open_accelerations(&rod, (0.0, &start.q, &start.v, &[]), &mut a, &mut λ);
                        check("N", λ[0].hypot(λ[1]), *n, 1e-11 * n);
                        check("push", a[0], -μ * u * n, 1e-11 * n);
                    }
                    (roots, End::FrictionParadox { several, contacts, .. }) if roots.len() != 1 => {
                        assert_eq!(contacts, &["guide"]);
                        assert_eq!(*several, roots.len() == 2, "{μ} {u} {rate}: {}", run.end);
                    }
                    (roots, end) => panic!("{μ} {u} {rate}: {roots:?}, {end}"),
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 3), "{counts:?}");
}

#[test]
fn two_bearings_hold_a_shaft_together() {
    let (μ, r, a, b) = (0.2, 0.1, 3.0, 4.0);
    let most = μ * r * (a + b);
    for (part, holds) in [(1e-12, false), (-1e-12, true), (0.5, false), (-0.5, true)] {
        let shaft = system(SHAFT, &[μ, r, a, b, most * (1.0 + part)]);
        let trajectory = run(&shaft, &[0.0; 5], &[0.0; 5], 2.0);
        let last = complete(&trajectory);
        assert_eq!(last.v[4] == 0.0, holds, "{part:e}: {:?}", last.v);
        check("rate", last.v[4], if holds { 0.0 } else { 2.0 * most * part }, 1e-15);
        let slid = run(&shaft, &[0.0; 5], &[0.0, 0.0, 0.0, 0.0, -9.0], 1.0);
        check("slows", complete(&slid).v[4], -9.0 + most * (2.0 + part), 1e-13);
    }
}

/// α̈ and β̈ of the two rods, by forces at the pins that are iterated: λ of both from the motion, and the motion from them.
fn of_double(
    (μ, ν, r, m, inertia, l): (f64, f64, f64, f64, f64, f64),
    [α, β]: [f64; 2],
    [p, q]: [f64; 2],
) -> [f64; 2] {
    let (mut a, mut b) = (0.0, 0.0);
    let mut forces = [0.0; 2];
    for _ in 0..4000 {
        // Of the moments: J α̈ etc. with the rods' own accelerations eliminated.
        let (sa, ca, sb, cb) = (α.sin(), α.cos(), β.sin(), β.cos());
        let cross = 2.0 * m * l * l * (ca * cb + sa * sb);
        let mass = [[inertia + l * l * (1.0 + 4.0 * m), cross], [cross, inertia + m * l * l]];
        let turn = 2.0 * m * l * l * (sa * cb - ca * sb);
        let pull = [-G * l * sa * (1.0 + 2.0 * m) - turn * q * q, -G * m * l * sb + turn * p * p];
        let (at_pin, at_knee) =
            (μ * r * forces[0] * p.signum(), ν * r * forces[1] * (q - p).signum());
        let right = [pull[0] - at_pin + at_knee, pull[1] - at_knee];
        let det = mass[0][0] * mass[1][1] - cross * cross;
        (a, b) = (
            (right[0] * mass[1][1] - cross * right[1]) / det,
            (mass[0][0] * right[1] - cross * right[0]) / det,
        );
        // The accelerations of both centres, and the forces that make them.
        let first = [l * (ca * a - sa * p * p), l * (sa * a + ca * p * p)];
        let second = [
            2.0 * first[0] + l * (cb * b - sb * q * q),
            2.0 * first[1] + l * (sb * b + cb * q * q),
        ];
        let knee = [m * second[0], m * (second[1] + G)];
        let pin = [first[0] + knee[0], first[1] + G + knee[1]];
        forces = [pin[0].hypot(pin[1]), knee[0].hypot(knee[1])];
    }
    [a, b]
}

#[test]
fn two_rough_pins_accelerate_as_by_iteration() {
    let of = (0.3, 0.2, 0.2, 1.3, 0.2, 0.9);
    let double = system(DOUBLE, &[of.0, of.1, of.2, of.3, of.4, of.5]);
    let angles = [[1.2, -0.4], [-2.0, 0.3], [0.1, 3.0], [0.7, 0.7]];
    let rates = [[1.0, -2.0], [-3.0, -1.0], [0.2, 5.0], [-0.1, 0.3]];
    for [α, β] in angles {
        for [p, q] in rates {
            let l = of.5;
            let (sa, ca, sb, cb) = (f64::sin(α), f64::cos(α), f64::sin(β), f64::cos(β));
            let at = [l * sa, -l * ca, 2.0 * l * sa + l * sb, -2.0 * l * ca - l * cb, α, β];
            let first = [l * ca * p, l * sa * p];
            let v = [
                first[0],
                first[1],
                2.0 * first[0] + l * cb * q,
                2.0 * first[1] + l * sb * q,
                p,
                q,
            ];
            let (mut a, mut λ) = ([0.0; 6], [0.0; 4]);
            open_accelerations(&double, (0.0, &at, &v, &[]), &mut a, &mut λ);
            let [α̈, β̈] = of_double(of, [α, β], [p, q]);
            check("α̈", a[4], α̈, 1e-11 * (1.0 + α̈.abs()));
            check("β̈", a[5], β̈, 1e-11 * (1.0 + β̈.abs()));
        }
    }
}

#[test]
fn both_pins_spend_what_is_lost() {
    let double = system(DOUBLE, &[]);
    let options = Options { until_time: Some(10.0), ledger: true, ..Options::default() };
    let run = eom_core::run_scenario(&double, "swing", &options).expect("it starts");
    let ledger = run.ledger.as_ref().expect("it was asked for");
    assert!(run.end.is_complete(), "{}", run.end);
    assert!(ledger.closes(), "{}", ledger.error);
    let energy = |s: &State| eom_core::System::energy(&double, s.t, &s.q, &s.v).total();
    let energies: Vec<f64> = run.samples.iter().map(energy).collect();
    assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12 * pair[0].abs()));
    let spent = ledger.work(Source::Friction(0)) + ledger.work(Source::Friction(1));
    check("work", spent, energies[energies.len() - 1] - energies[0], 1e-9);
    assert!(ledger.work(Source::Friction(0)) < -0.1 && ledger.work(Source::Friction(1)) < -0.1);
    assert!(run.events.iter().any(|event| matches!(event.kind, EventKind::Stick { .. })));
}

#[test]
fn a_run_with_pins_goes_on_from_its_words() {
    let double = system(DOUBLE, &[]);
    for method in [Method::RungeKutta, Method::Automatic] {
        let options = Options { until_time: Some(9.0), method, ..Options::default() };
        let first = eom_core::run_scenario(
            &double,
            "swing",
            &Options { until_time: Some(0.0), ..options.clone() },
        );
        let start = first.expect("it starts").samples[0].clone();
        for t in [0.3, 2.0, 7.0] {
            let mut one = eom_core::Run::new(&double, &start, &options).expect("it starts");
            let _ = one.advance_to(t);
            let mut other = eom_core::Run::restore(&double, &one.save()).expect("the same system");
            let _ = (one.advance_to(9.0), other.advance_to(9.0));
            assert_eq!(one.state(), other.state());
        }
    }
}
