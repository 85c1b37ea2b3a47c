//! Motions of many contacts: a stack, a row of balls, and Painlevé's rod beyond its critical coefficient.

use super::{G, followed, last, run_with, stepped, system};
use eom_core::{End, Options, State, System};
use std::fmt::Write;

/// Boxes 2 wide and 1 high, one upon another on an incline: each of two corners is a contact.
fn stack(boxes: usize, μ: f64, φ: f64) -> String {
    let mut text = format!(
        "system Stack {{ coordinates {{ x[1..={boxes}], y[1..={boxes}], θ[1..={boxes}] }}
        parameters {{ φ = {φ}, μ = {μ}, g = 9.81 }}
        kinetic = sum(ẋ[i]^2/2 + ẏ[i]^2/2 + 5/24*θ̇[i]^2, i in 1..={boxes});
        potential = g*sum(y[i]*cos(φ) - x[i]*sin(φ), i in 1..={boxes});\n"
    );
    for i in 1..=boxes {
        for (side, s) in [("l", "-1"), ("r", "1")] {
            let arm = [
                format!("({s}*cos(θ{i}) + sin(θ{i})/2)"),
                format!("({s}*sin(θ{i}) - cos(θ{i})/2)"),
            ];
            let (vx, vy) =
                (format!("(ẋ{i} - θ̇{i}*{})", arm[1]), format!("(ẏ{i} + θ̇{i}*{})", arm[0]));
            let (gap, slip) = if i == 1 {
                (format!("y1 + {}", arm[1]), vx)
            } else {
                let j = i - 1;
                let (dx, dy) =
                    (format!("(x{i} + {} - x{j})", arm[0]), format!("(y{i} + {} - y{j})", arm[1]));
                (
                    format!("{dy}*cos(θ{j}) - {dx}*sin(θ{j}) - 1/2"),
                    format!(
                        "({vx} - ẋ{j} + θ̇{j}*{dy})*cos(θ{j}) + ({vy} - ẏ{j} - θ̇{j}*{dx})*sin(θ{j})"
                    ),
                )
            };
            let _ = writeln!(
                text,
                "contact {side}{i} {{ gap = {gap}; slip = {slip}; friction = μ; impact = plastic; }}"
            );
        }
    }
    text + "}"
}

fn at_rest(boxes: usize) -> State {
    let mut q = vec![0.0; boxes];
    q.extend((0..boxes).map(|i| i as f64 + 0.5));
    q.extend(vec![0.0; boxes]);
    State::new(0.0, q, vec![0.0; 3 * boxes])
}

/// Event by event ten boxes are too many contacts. By steps they stay on an incline where μ > tan φ and the stack does not tip, and slide as one where μ is smaller.
#[test]
fn a_stack_stays_or_slides() {
    let (boxes, φ) = (10, 0.05_f64);
    for μ in [0.3, 0.02] {
        let stack = system(&stack(boxes, μ, φ));
        let start = at_rest(boxes);
        let options = Options { until_time: Some(0.5), ..Options::default() };
        let refused = run_with(&stack, &start, &options).end;
        assert!(matches!(refused, End::ImpossibleContact { too_many: true, .. }), "{refused}");
        let run = stepped(&stack, &start, 0.5, 5e-3);
        let wanted = (G * (φ.sin() - μ * φ.cos())).max(0.0) * 0.5;
        let State { q, v, .. } = last(&run);
        for i in 0..boxes {
            assert!((v[i] - wanted).abs() < 1e-9, "box {i}: {} {wanted}", v[i]);
            assert!(v[boxes + i].abs() < 1e-9 && v[2 * boxes + i].abs() < 1e-9);
            assert!((q[boxes + i] - (i as f64 + 0.5)).abs() < 1e-9, "box {i}: {}", q[boxes + i]);
        }
    }
}

/// A row of balls that touch, struck by the first: plastic contacts leave them with v/n each, and the floor stops them.
#[test]
fn a_row_of_balls_is_stopped_by_the_floor() {
    let (n, μ, v) = (100, 0.5, 10.0);
    let text = format!(
        "system Row {{ coordinates {{ x[1..={n}], y[1..={n}] }} parameters {{ μ = {μ}, g = 9.81 }}
        kinetic = sum(ẋ[i]^2 + ẏ[i]^2, i in 1..={n})/2; potential = g*sum(y[i], i in 1..={n});
        contact floor[i in 1..={n}] {{ gap = y[i]; slip = ẋ[i]; friction = μ; impact = plastic; }}
        contact pair[i in 1..={last}] {{ gap = x[i + 1] - x[i] - 1; impact = plastic; }} }}",
        last = n - 1
    );
    let row = system(&text);
    let mut q: Vec<f64> = (0..n).map(|i| i as f64).collect();
    q.extend(vec![0.0; n]);
    let mut speeds = vec![0.0; 2 * n];
    speeds[0] = v;
    let h = 2.5e-4;
    let run = stepped(&row, &State::new(0.0, q.clone(), speeds), 0.04, h);
    // v/n = 0.1 is gone after v/(n μ g), and (v/n)²/(2 μ g) is the way.
    let way = (v / n as f64).powi(2) / (2.0 * μ * G);
    let State { q: end, v: stopped, .. } = last(&run);
    for i in 0..n {
        // The first goes half a step before it is met.
        let met = if i == 0 { 0.5 * h * v } else { 0.0 };
        let error = end[i] - q[i] - way - met;
        assert!(error.abs() < 3.0 * h * v / n as f64, "ball {i}: {error}");
        assert!(stopped[i].abs() < 1e-9, "ball {i}: {}", stopped[i]);
    }
}

/// Where the law of forces has no solution a run that follows events ends, and steps go on: the tip sticks at once, the rod
/// turns over it. Energy does not grow.
#[test]
fn painlevés_rod_goes_on() {
    let text = "system Rod { coordinates { x, y, θ } parameters { μ = 1.6, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = g*y;
        contact tip { gap = y - sin(θ); slip = ẋ + sin(θ)*θ̇; friction = μ; impact = plastic; } }";
    let rod = system(text);
    let θ = 2.0_f64.atan();
    let start = State::new(0.0, [0.0, θ.sin(), θ], [-10.0, 0.0, 0.0]);
    let options = Options { until_time: Some(0.1), ..Options::default() };
    let paradox = run_with(&rod, &start, &options);
    assert!(matches!(paradox.end, End::FrictionParadox { .. }), "{}", paradox.end);
    let mut ends = Vec::new();
    for h in [1e-3, 5e-4, 2.5e-4] {
        let run = stepped(&rod, &start, 0.1, h);
        let energies =
            run.samples.iter().map(|state| rod.energy(state.t, &state.q, &state.v).total());
        let energies: Vec<f64> = energies.collect();
        // In the first step the tip is stopped: an impact without a collision.
        assert!(energies[1] < 0.9 * energies[0], "{:?}", &energies[..3]);
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-4)));
        ends.push(last(&run).clone());
    }
    let apart = |a: &State, b: &State| {
        a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs()).fold(0.0_f64, f64::max)
    };
    let (coarse, fine) = (apart(&ends[0], &ends[2]), apart(&ends[1], &ends[2]));
    assert!(fine < 0.6 * coarse && coarse < 0.05, "{coarse:e} {fine:e}");
}

/// Contacts and constraints: a ladder that slides down a wall.
#[test]
fn a_ladder_slides_down() {
    let text = "system Ladder { coordinates { x, y, θ } parameters { μ = 0.2, ν = 0.1, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = g*y;
        contact floor { gap = y - sin(θ); slip = ẋ - sin(θ)*θ̇; friction = μ; impact = plastic; }
        contact wall { gap = x - cos(θ); slip = ẏ + cos(θ)*θ̇; friction = ν; impact = plastic; } }";
    let ladder = system(text);
    let θ = 1.0_f64;
    let start = State::new(0.0, [θ.cos(), θ.sin(), θ], [0.0; 3]);
    let exact = followed(&ladder, &start, 0.4);
    for h in [2e-3, 1e-3] {
        let run = stepped(&ladder, &start, 0.4, h);
        let [error, fast] = super::distance(last(&run), last(&exact));
        assert!(error < h && fast < 5.0 * h, "{h}: {error:e} {fast:e}");
    }
}
