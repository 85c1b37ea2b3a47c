//! Impacts by Newton's law whose slip in a plane turns by much: with the masses M in z, x, y the impulses are M (v⁺ − v⁻).

use super::drawn::drawn;
use super::{run, system};
use eom_core::{End, EventKind};
use fastrand::Rng;

/// Coupled masses that strike z = 0, x and y along it: M, μ, e, v⁻.
struct Struck {
    masses: [[f64; 3]; 3],
    μ: f64,
    e: f64,
    before: [f64; 3],
}

impl Struck {
    fn random(random: &mut Rng) -> Self {
        let mut number = || 2.0 * random.f64() - 1.0;
        let a: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let entry = |i: usize, j: usize| {
            let product: f64 = (0..3).map(|k| a[i][k] * a[j][k]).sum();
            product + if i == j { 0.03 } else { 0.0 }
        };
        let before = [-0.2 - number().abs(), 2.0 * number(), 2.0 * number()];
        let masses = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
        let (μ, e) = (0.1 + number().abs(), [0.0, 0.3, 0.7][random.usize(0..3)]);
        Self { masses, μ, e, before }
    }

    fn times(&self, v: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| (0..3).map(|j| self.masses[i][j] * v[j]).sum())
    }

    fn source(&self) -> String {
        let m = &self.masses;
        format!(
            "system Struck {{
                coordinates {{ z, x, y }}
                parameters {{ μ, e }}
                kinetic = ({:?}*ż^2 + {:?}*ẋ^2 + {:?}*ẏ^2)/2 + ({:?})*ż*ẋ + ({:?})*ż*ẏ + ({:?})*ẋ*ẏ;
                potential = 0;
                contact floor {{ gap = z; slip = [ẋ, ẏ]; friction = μ; impact = restitution(e); }}
            }}",
            m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]
        )
    }
}

/// Λ ≥ 0, ż⁺ = −e ż⁻, and Φ is at its limit against the slip s⁺, or within it where there is none. Where such an impact
/// would add energy the run ends and says so.
#[test]
fn a_slip_that_turns_by_much_has_its_impact() {
    let (mut random, mut slides, mut sticks) = (Rng::with_seed(3), 0, 0);
    let cases = drawn(1000);
    for case in cases.clone() {
        let struck = Struck::random(&mut random);
        let made =
            run(&system(&struck.source(), &[struck.μ, struck.e]), &[0.0; 3], &struck.before, 1e-9);
        if let End::ImpossibleImpact { .. } = made.end {
            assert!(made.end.to_string().contains("kinetic energy"), "{case}: {}", made.end);
            continue;
        }
        // With a large μ there may be several impacts.
        if matches!(made.end, End::FrictionParadox { several: true, .. }) {
            continue;
        }
        let impact = made.events.iter().find(|e| matches!(e.kind, EventKind::Impact { .. }));
        let impact = impact.unwrap_or_else(|| panic!("{case}: {}", made.end));
        let after: [f64; 3] = impact.v_plus().try_into().expect("three velocities");
        let change = std::array::from_fn(|i| after[i] - struck.before[i]);
        let [normal, x, y] = struck.times(change);
        let (slip, limit) = (after[1].hypot(after[2]), struck.μ * normal);
        let rounding = 1e-12 * (1.0 + slip + normal.abs() + after[0].abs());
        assert!(
            normal > 0.0 && (after[0] + struck.e * struck.before[0]).abs() < rounding,
            "{case}"
        );
        if slip <= rounding {
            sticks += 1;
            assert!(x.hypot(y) <= limit + rounding, "{case}: {x} {y} {limit}");
        } else {
            slides += 1;
            for (force, slip_of) in [(x, after[1]), (y, after[2])] {
                assert!(
                    (force + limit * slip_of / slip).abs() < 1e-9,
                    "{case}: {force}, {after:?}"
                );
            }
        }
    }
    assert!(slides > cases.len() / 10 && sticks > cases.len() / 50, "{slides} {sticks}");
}
