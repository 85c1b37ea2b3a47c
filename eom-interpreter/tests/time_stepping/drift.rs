//! A step of a rod that falls flat: the friction rows of its ends are nearly one. Against the modes of the step's problem, one by one.

use super::{G, stepped, system};
use eom_core::State;

const H: f64 = 1e-3;
const M: f64 = 0.8;
const J: f64 = 0.025;
const A: f64 = 0.3;
const MU: f64 = 0.3;
const E: f64 = 0.5;

/// What an end does: it is open, holds, or slides to a side.
const MODES: [Option<f64>; 4] = [None, Some(0.0), Some(1.0), Some(-1.0)];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x with A x = b, by elimination with the largest pivot; none where it is not determined.
fn solved(mut rows: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs()))?;
        rows.swap(k, pivot);
        b.swap(k, pivot);
        if rows[k][k].abs() < 1e-13 {
            return None;
        }
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            for j in k..n {
                rows[i][j] -= factor * rows[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / rows[k][k];
    }
    Some(b)
}

/// The velocities after a step of all modes that are admissible: G v⁺ = −e G v⁻ and P ≥ 0 at an end that takes an impulse, S v⁺ = 0 and
/// |Φ| ≤ μ P where it holds, Φ = −μ P σ and σ S v⁺ ≥ 0 where it slides.
fn admissible(State { q, v, .. }: &State) -> Vec<[f64; 3]> {
    let v = [v[0], v[1], v[2]];
    let free = [v[0], v[1] - H * G, v[2]];
    let (sin, cos) = (q[2] + H / 2.0 * v[2]).sin_cos();
    let gaps = [-1.0, 1.0].map(|side| [0.0, 1.0, side * A * cos]);
    let slips = [-1.0, 1.0].map(|side| [1.0, 0.0, -side * A * sin]);
    let change = |row: [f64; 3]| [row[0] / M, row[1] / M, row[2] / J];
    let mut found = Vec::new();
    for number in 0..16 {
        let modes = [MODES[number % 4], MODES[number / 4]];
        // The rows that are told, with what they have to be, and the direction of the impulse of each.
        let (mut told, mut pushes) = (Vec::new(), Vec::new());
        for (end, mode) in modes.iter().enumerate().filter_map(|(end, m)| m.map(|m| (end, m))) {
            told.push((gaps[end], -E * dot(gaps[end], v).min(0.0)));
            let slides = |k: usize| gaps[end][k] - MU * mode * slips[end][k];
            pushes.push(change([slides(0), slides(1), slides(2)]));
            if mode == 0.0 {
                told.push((slips[end], 0.0));
                pushes.push(change(slips[end]));
            }
        }
        let rows = told.iter().map(|(row, _)| pushes.iter().map(|p| dot(*row, *p)).collect());
        let wanted = told.iter().map(|(row, value)| value - dot(*row, free)).collect();
        let Some(impulses) = solved(rows.collect(), wanted) else { continue };
        let mut after = free;
        for (push, impulse) in pushes.iter().zip(&impulses) {
            after.iter_mut().zip(push).for_each(|(v, push)| *v += impulse * push);
        }
        let mut place = 0;
        let mut is_right = |(end, mode): (usize, &Option<f64>)| {
            let opens = dot(gaps[end], after) + E * dot(gaps[end], v).min(0.0);
            let Some(mode) = mode else { return opens >= -1e-14 };
            let normal = impulses[place];
            place += if *mode == 0.0 { 2 } else { 1 };
            let holds = *mode != 0.0 || impulses[place - 1].abs() <= MU * normal + 1e-14;
            normal >= -1e-14 && holds && mode * dot(slips[end], after) >= -1e-14
        };
        if modes.iter().enumerate().all(&mut is_right) {
            found.push(after);
        }
    }
    found
}

#[test]
fn a_rod_that_falls_flat() {
    let rod = system(
        "system Rod { coordinates { x, y, θ } parameters { g = 9.81 }
            kinetic = 0.8/2*(ẋ^2 + ẏ^2) + 0.025/2*θ̇^2; potential = 0.8*g*y;
            contact left { gap = y - 0.3*sin(θ); slip = ẋ + 0.3*sin(θ)*θ̇; friction = 0.3; impact = restitution(0.5); }
            contact right { gap = y + 0.3*sin(θ); slip = ẋ - 0.3*sin(θ)*θ̇; friction = 0.3; impact = restitution(0.5); } }",
    );
    for θ in [1e-5, -2e-5, 1e-6] {
        for v in [[0.0, -0.05, -0.03], [3e-7, -0.05, 0.1], [-1e-8, -0.05, 0.0], [0.02, -0.06, 0.05]]
        {
            let start = State::new(0.0, [0.0, 0.3 * f64::abs(θ) + 1e-7, θ], v);
            // A run has an even number of steps.
            let found = stepped(&rod, &start, 2.0 * H, H);
            let after = found.samples.iter().find(|sample| sample.t >= 0.75 * H);
            let after = after.expect("its first step");
            let wanted = admissible(&start);
            assert!(!wanted.is_empty(), "{start:?}");
            for wanted in wanted {
                let off = after.v.iter().zip(wanted).map(|(v, wanted)| (v - wanted).abs());
                assert!(off.fold(0.0, f64::max) < 1e-10, "{start:?}: {after:?}, {wanted:?}");
            }
        }
    }
}
