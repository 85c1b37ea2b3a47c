//! Systems with random numbers.

use crate::common::interpreted;
use crate::{difference, letters, letters_of, moved, options};
use eom_analysis::Variations;
use eom_core::{Run, State, System};

/// Numbers in [0, 1), the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A block on a block on a floor that shakes; a rod that falls on a floor and hits a wall; masses in a row with dry friction and
/// stops between them.
const RANDOM: [&str; 3] = [
    "/// Blocks. \n system S { coordinates { x, y, u, w } parameters { μ = A, ν = B, k = 20*C + 1, F = 8*D }
    kinetic = (ẋ^2 + ẏ^2) + (u̇^2 + ẇ^2)/2; potential = 9.81*(2*y + w) + k*x^2/2 - F*sin(3*t)*u;
    contact floor { gap = y - 0.01*sin(4*t); slip = ẋ - 0.3*cos(2*t); friction(μ + 0.1, μ); impact = restitution(0); }
    contact top { gap = w - y; slip = u̇ - ẋ; friction = ν; impact = restitution(0); } }",
    "/// A rod. \n system S { coordinates { x, y, θ } parameters { μ = A, ν = B, e = C/2, k = 8*D }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/24; potential = 9.81*y + k*(x - 1)^2/2;
    contact left { gap = y - sin(θ)/2; slip = ẋ + sin(θ)*θ̇/2; friction = μ; impact = restitution(0); }
    contact right { gap = y + sin(θ)/2; slip = ẋ - sin(θ)*θ̇/2; friction = μ; impact = restitution(0); }
    contact wall { gap = 1.2 - x - cos(θ)/2; slip = ẏ + cos(θ)*θ̇/2; friction = ν; impact = restitution(e); } }",
    "/// A row. \n system S { coordinates { x, y, z } parameters { c = 2*A, d = 2*B, k = 20*C + 4, F = 12*D }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = k*(x^2 + (y - x)^2 + (z - y)^2)/2 - F*sin(2*t)*z;
    dissipation = c*abs(ẋ) + d*abs(ż - ẏ) + 0.3*abs(ẏ);
    contact stop { gap = 0.3 - z; impact = restitution(0); } contact meet { gap = y - x + 0.2; impact = restitution(0.6); } }",
];

/// Systems with random numbers: what is answered is what differences of runs say; what is refused says why.
#[test]
fn random_systems() {
    let (mut numbers, mut answered) = (Numbers(7), 0);
    for number in 0..15 {
        let mut source = RANDOM[number % RANDOM.len()].to_owned();
        for name in ["A", "B", "C", "D"] {
            let value = format!("{:.3}", numbers.between(0.05, 0.6));
            source = source.replace(&format!("= {name}"), &format!("= {value}"));
            source = source.replace(&format!("*{name}"), &format!("*{value}"));
        }
        let system = interpreted(&source);
        let n = system.info().positions();
        let mut q: Vec<f64> = (0..n).map(|_| numbers.between(-0.2, 0.2)).collect();
        let v: Vec<f64> = (0..n).map(|_| numbers.between(-1.0, 1.0)).collect();
        match number % RANDOM.len() {
            0 => (q[1], q[3]) = (0.1 + q[1].abs(), 0.5 + q[3].abs()),
            1 => q[1] = 0.5 + q[1].abs(),
            _ => {}
        }
        let (start, t) = (State::new(0.0, q, v), numbers.between(0.5, 1.5));
        let variations = Variations::new(&system).unwrap();
        let found = match variations.transition(&start, &[], &options(), t) {
            Ok(found) => found,
            Err(why) => {
                assert!(why.to_string().contains("at t = "), "{number}: {why}");
                continue;
            }
        };
        let scale = found.matrix.amax().max(1.0);
        let same = |direction: &[f64], h: f64| {
            let mut run = Run::new(&system, &moved(&start, direction, h), &options()).unwrap();
            run.advance_to(t).is_continue() && letters_of(run.events_since(0)) == letters(&found)
        };
        for j in 0..2 * n {
            let direction: Vec<f64> = (0..2 * n).map(|i| f64::from(u8::from(i == j))).collect();
            let h = 2e-6;
            if !same(&direction, 2.0 * h) || !same(&direction, -2.0 * h) {
                continue;
            }
            let off =
                (difference(&system, &start, &direction, t, h) - found.matrix.column(j)).amax();
            assert!(
                off < 1e-6 * scale,
                "{number} {}: {off:e} of {scale:e}\n{source}",
                letters(&found)
            );
            answered += 1;
        }
    }
    assert!(answered > 70, "{answered}");
}
