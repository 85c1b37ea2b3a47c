//! Impacts without collision: what jams where Coulomb's law has no finite forces, against Routh's line of impulses by hand.

use super::impacts::{by_hand, impulse, in_small_steps};
use super::{check, complete, run, system, systems};
use eom_core::{End, EventKind, System, Trajectory};
use eom_interpreter::Interpreted;

/// A rod with a law, whose jams are impacts.
fn rod(law: &str, μ: f64, e: f64) -> Interpreted {
    let source = systems::ROD.replace("restitution(e)", law);
    let source = source.trim_end().strip_suffix('}').expect("a declaration").to_owned();
    system(&(source + "impacts = tangential; }"), &[μ, e])
}

/// T + V of the rod, g = 9.81.
fn energy(q: &[f64], v: &[f64]) -> f64 {
    0.5 * (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2] / 6.0 + super::G * q[1]
}

#[test]
fn a_rod_jams_as_by_hand() {
    let θ = 2.0_f64.atan();
    let (n, s) = ([0.0, 1.0, -θ.cos()], [1.0, 0.0, θ.sin()]);
    let by = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + 3.0 * x[2] * y[2];
    let (a, b, c) = (by(n, n), by(s, n), by(s, s));
    for (μ, e) in [(1.4, 0.0), (1.5, 0.4), (2.0, 1.0), (8.0, 0.3)] {
        for (law, e) in [("poisson(e)", e), ("stronge(e)", e), ("restitution(e)", e)] {
            let start = [-10.0, 0.0, 0.0];
            let trajectory = run(&rod(law, μ, e), &[0.0, θ.sin(), θ], &start, 1e-11);
            let EventKind::Impact { rate_minus, rate_plus, .. } = trajectory.events[0].kind else {
                panic!("{law} {μ}: {:?} {}", trajectory.events, trajectory.end)
            };
            assert_eq!(rate_minus, 0.0);
            let hand = if law == "restitution(e)" { ("poisson(e)", 0.0) } else { (law, e) };
            let (normal, friction) = by_hand([a, b, c], μ, (-10.0, 0.0), hand);
            check("Λ", impulse(&trajectory), normal, 1e-12 * normal);
            let [(_, before), (_, after)] = trajectory.events[0].sides();
            let along = |v: &[f64]| n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
            check("ġ", rate_plus, along(after), 1e-12);
            for i in 0..3 {
                let inertia = [1.0, 1.0, 3.0][i];
                let wanted = before[i] + inertia * (n[i] * normal - s[i] * friction);
                check("velocity", after[i], wanted, 1e-11);
            }
            assert!(energy(&[0.0, 0.0], after) < energy(&[0.0, 0.0], before), "{law} {μ} {e}");
        }
    }
}

/// A slip that turns in a plane while it jams, in small steps of the impulse.
#[test]
fn a_brick_jams_in_a_plane() {
    // A long brick on its corner: p is from its centre to the corner.
    let (p, inertia) = ([-0.5, 0.02, -1.0], [0.42, 0.42, 0.02]);
    let brick = format!(
        "system Brick {{
        coordinates {{ x, y, z }}
        rotation R {{ space: ω_1, ω_2, ω_3 }}
        parameters {{ μ = 3 where μ >= 0, e = 0.5 }}
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + ({}*ω_1^2 + {}*ω_2^2 + {}*ω_3^2)/2;
        potential = 9.81*z;
        let p = R*[{}, {}, {}];
        let w = [ẋ, ẏ, ż] + cross([ω_1, ω_2, ω_3], p);
        contact tip {{ gap = z + p[3]; slip = [w[1], w[2]]; friction = μ; impact = LAW; }}
        impacts {{ tip }} = tangential;
    }}",
        inertia[0], inertia[1], inertia[2], p[0], p[1], p[2]
    );
    let row = |direction: [f64; 3]| {
        let [d1, d2, d3] = direction;
        let [p1, p2, p3] = p;
        [d1, d2, d3, p2 * d3 - p3 * d2, p3 * d1 - p1 * d3, p1 * d2 - p2 * d1]
    };
    let rows = [row([1.0, 0.0, 0.0]), row([0.0, 1.0, 0.0]), row([0.0, 0.0, 1.0])];
    for (μ, e) in [(3.0, 0.5), (4.0, 0.0)] {
        for law in ["poisson(e)", "stronge(e)"] {
            let brick = system(&brick.replace("LAW", law), &[μ, e]);
            let start = [-2.0, 0.3, 0.0, 0.0, 0.0, 0.0];
            let trajectory = run(&brick, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], &start, 1e-9);
            let (normal, velocity) = in_small_steps(rows, inertia, μ, start, (law, e));
            // The last of the slip, which small steps take at once, does some work.
            check("Λ", impulse(&trajectory), normal, 3e-6);
            let [_, (_, after)] = trajectory.events[0].sides();
            for i in 0..6 {
                check("velocity", after[i], velocity[i], 3e-5);
            }
        }
    }
}

/// The motion goes on after a jam, the energy never grows, and the jams are told.
#[test]
fn a_rod_that_jams_goes_on() {
    for law in ["poisson(e)", "stronge(e)", "restitution(e)", "plastic"] {
        for θ in [0.9_f64, 1.0, 1.1] {
            let rod = rod(law, 2.5, 0.3);
            let trajectory = run(&rod, &[0.0, θ.sin(), θ], &[-8.0, 0.0, 0.0], 0.3);
            complete(&trajectory);
            let text = eom_interpreter::account::event_words(rod.info(), &trajectory.events[0]);
            assert_eq!(text, "impact of tip without collision");
            let told = eom_interpreter::account::happened(rod.info(), &trajectory.events[0]);
            assert_eq!(told.as_deref(), Some("t = 0: impact of tip without collision"));
            falls(&trajectory);
        }
    }
}

/// A rod that turns while it slides runs into the jam: the slip stops there, and the run goes on.
#[test]
fn a_motion_runs_into_a_jam() {
    let mut jams = 0;
    for (θ, ω) in [(1.4_f64, -2.0), (1.45, -4.0), (1.35, -1.0), (1.3, -3.0)] {
        let rod = rod("poisson(e)", 2.0, 0.0);
        let start = [-20.0, θ.cos() * ω, ω];
        let trajectory = run(&rod, &[0.0, θ.sin(), θ], &start, 0.5);
        let jammed = |event: &eom_core::Event| {
            matches!(event.kind, EventKind::Impact { rate_minus: 0.0, .. })
        };
        jams += usize::from(trajectory.events.iter().any(jammed));
        falls(&trajectory);
        let paradox = matches!(trajectory.end, End::FrictionParadox { several: false, .. });
        assert!(!paradox, "{θ} {ω}: {}", trajectory.end);
    }
    assert!(jams > 0);
}

fn falls(trajectory: &Trajectory) {
    let mut last = f64::INFINITY;
    for state in &trajectory.samples {
        let now = energy(&state.q, &state.v);
        assert!(now <= last + 1e-9, "at {}: {last} before, {now} now", state.t);
        last = now;
    }
}

/// Three discs in a hoop that mesh as gears: where the last slip comes to zero the rows of all that stick depend on each other, and
/// within the static cones ẍ of the first is anything from 2.2189 to 2.2769 (a linear program of SciPy's). Whatever the order
/// of the contacts, the run says so.
#[test]
fn what_sticks_by_dependent_rows_is_not_decided_by_their_order() {
    let (μs, μk) = ([0.728, 0.213, 0.069, 0.749, 0.846], [0.56, 0.213, 0.053, 0.576, 0.651]);
    let friction = |k: usize| format!("friction({}, {}); impact = plastic; }}", μs[k], μk[k]);
    let at_hoop = |i: usize| {
        format!(
            "contact a{i} {{ gap = 1 - sqrt(x{i}^2 + y{i}^2);
            slip = (x{i}*y{i}_dot - y{i}*x{i}_dot)/sqrt(x{i}^2 + y{i}^2) + 0.2*h{i}_dot; {}",
            friction(i)
        )
    };
    let between = |i: usize, j: usize| {
        format!(
            "contact d{i}{j} {{ gap = sqrt((x{j} - x{i})^2 + (y{j} - y{i})^2) - 0.4;
            slip = ((x{j} - x{i})*(y{j}_dot - y{i}_dot) - (y{j} - y{i})*(x{j}_dot - x{i}_dot))
                /sqrt((x{j} - x{i})^2 + (y{j} - y{i})^2) - 0.2*(h{j}_dot + h{i}_dot); {}",
            friction(3 + i)
        )
    };
    let contacts = [at_hoop(0), at_hoop(1), at_hoop(2), between(0, 1), between(1, 2)];
    let (ω, w) = (-0.3, 1.6);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for k in 0..3 {
        let φ = -0.3 + 2.0 * 0.2_f64.asin() * (f64::from(k) - 1.0);
        q.extend([φ.sin(), -φ.cos(), 0.0]);
        v.extend([ω * φ.cos(), ω * φ.sin(), if k == 1 { 2.0 * ω - w } else { w }]);
    }
    for order in [[0, 1, 2, 3, 4], [0, 3, 1, 4, 2], [4, 2, 3, 1, 0], [2, 4, 0, 3, 1]] {
        let contacts: String = order.iter().map(|k| contacts[*k].as_str()).collect();
        let source = format!(
            "system Gears {{ coordinates {{ x0, y0, h0, x1, y1, h1, x2, y2, h2 }}
            kinetic = (x0_dot^2 + y0_dot^2 + x1_dot^2 + y1_dot^2 + x2_dot^2 + y2_dot^2)/2
                + (h0_dot^2 + h1_dot^2 + h2_dot^2)/100;
            potential = 9.81*(y0 + y1 + y2); {contacts} }}"
        );
        let trajectory = run(&system(&source, &[]), &q, &v, 0.4);
        let End::FrictionParadox { t, several: true, .. } = trajectory.end else {
            panic!("{order:?}: {}", trajectory.end)
        };
        assert!((t - 0.044_365_701_131).abs() < 1e-10, "{order:?}: {t}");
    }
}

/// A uniform rod at tan θ = 2 slides to the left between a floor and a ceiling. Both are closed where
/// λ_a − λ_b = g and λ_a(s μ_a − c) = λ_b(c + s μ_b): λ_b is as (2c − s(μ_a − μ_b))⁻¹, which has no end at μ_a − μ_b = 1.
#[test]
fn a_rod_between_planes_jams_where_its_forces_have_no_end() {
    for (μ, ceiling, jams) in [
        (1.2, 0.2, true),
        (1.0, 0.0, true),
        (1.7, 0.7, true),
        (1.3, 0.2, true),
        (1.2 - 1e-6, 0.2, false),
    ] {
        let source = format!(
            "system Rod {{ coordinates {{ x, y, h }} kinetic = (ẋ^2 + ẏ^2)/2 + ḣ^2/24; potential = 9.81*y;
             contact a {{ gap = y - sin(h)/2; slip = ẋ + sin(h)*ḣ/2; friction = {μ}; impact = plastic; }}
             contact b {{ gap = 2/sqrt(5) - y - sin(h)/2; slip = ẋ - sin(h)*ḣ/2; friction = {ceiling}; impact = plastic; }} }}"
        );
        let start = [0.0, 0.2_f64.sqrt(), 2.0_f64.atan()];
        let trajectory = run(&system(&source, &[]), &start, &[-5.0, 0.0, 0.0], 0.01);
        let is_told = matches!(trajectory.end, End::FrictionParadox { t: 0.0, .. });
        assert_eq!(is_told, jams, "{μ} {ceiling}: {}", trajectory.end);
    }
}
