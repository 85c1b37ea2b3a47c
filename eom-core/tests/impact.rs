//! Impact laws: the projector's identities, energy, and the corner conditions of the document.

mod common;

use common::{Model, Penny, describe};
use eom_core::impact::ImpactMap;
use eom_core::info::RowKind;
use eom_core::{Contacts, ImpactError, Law, System};

/// Rolling states of the penny on the way to the front edge, at many headings.
fn approaching(penny: &Penny) -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut states = Vec::new();
    for step in 0..40 {
        let φ = 0.157 * f64::from(step);
        let place = 0.9 * f64::from(step % 7);
        let q = [0.12 * place.cos(), 0.16 * place.sin(), 0.3, φ];
        let state = penny.rolling(0.0, &q, 10.0, 3.0 * place.sin());
        let mut map = ImpactMap::new(penny);
        map.load(penny, 0, 0.0, &state.q).expect("the masses are positive");
        if map.gap_rate(&state.v) < 0.0 {
            states.push((state.q, state.v));
        }
    }
    assert!(states.len() > 10, "enough states approach");
    states
}

fn multiply(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let entry = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
    (0..n * n).map(|ij| entry(ij / n, ij % n)).collect()
}

/// P² = P, its trace is the number of rows, and v⁺ = (1 − (1+e) P) v⁻ on rolling states.
#[test]
fn the_projector_projects_and_gives_the_map() {
    let penny = Penny::table_1();
    for (q, v) in approaching(&penny) {
        let mut map = ImpactMap::new(&penny);
        map.load(&penny, 0, 0.0, &q).unwrap();
        let mut p = vec![0.0; 16];
        map.projector(&mut p);
        for (once, twice) in p.iter().zip(multiply(4, &p, &p)) {
            assert!((once - twice).abs() < 1e-12, "P = {p:?}");
        }
        let trace: f64 = (0..4).map(|i| p[i * 5]).sum();
        assert!((trace - 3.0).abs() < 1e-13, "{trace}");
        for e in [0.0, 0.3, 1.0] {
            let mut after = v.clone();
            map.apply(&penny, Law::Restitution(e), &mut after).unwrap();
            for i in 0..4 {
                let part: f64 = (0..4).map(|j| p[i * 4 + j] * v[j]).sum();
                let wanted = v[i] - (1.0 + e) * part;
                assert!((after[i] - wanted).abs() < 1e-12, "{i}: {} for {wanted}", after[i]);
            }
        }
    }
}

/// ġ⁺ = −e ġ⁻, rolling is kept, and the energy changes by (e² − 1) of its part in P.
#[test]
fn restitution_scales_the_gap_rate_and_keeps_rolling() {
    let penny = Penny::table_1();
    for (q, v) in approaching(&penny) {
        let mut map = ImpactMap::new(&penny);
        map.load(&penny, 0, 0.0, &q).unwrap();
        let energy = |v: &[f64]| penny.energy(0.0, &q, v).total();
        let mut plastic = v.clone();
        map.apply(&penny, Law::Plastic, &mut plastic).unwrap();
        let lost = energy(&v) - energy(&plastic);
        for e in [0.0, 0.25, 0.9, 1.0] {
            let mut after = v.clone();
            let rates = map.apply(&penny, Law::Restitution(e), &mut after).unwrap();
            assert!((rates.plus + e * rates.minus).abs() < 1e-13, "e = {e}: {rates:?}");
            let change = energy(&after) - energy(&v);
            assert!((change - (e * e - 1.0) * lost).abs() < 1e-14 * energy(&v), "e = {e}");
            let slip = penny.r * after[2] * q[3].cos() - after[0];
            assert!(slip.abs() < 1e-15, "e = {e}: {slip:e}");
        }
    }
}

/// The corner conditions (15): Δp = λ₁ω¹ + λ₂ω² + α dh, H⁺ = H⁻, rolling after. With p⁺ linear in
/// α by (16), (17) is α (2 p⁻·d + α d·d) = 0 for the part d of dh that (16) leaves.
#[test]
fn elastic_impacts_solve_the_corner_conditions() {
    let penny = Penny::table_1();
    let inverse = [1.0 / penny.m, 1.0 / penny.m, 1.0 / penny.i, 1.0 / penny.j];
    let pair = |x: &[f64], y: &[f64]| -> f64 { (0..4).map(|i| x[i] * y[i] * inverse[i]).sum() };
    for (q, v) in approaching(&penny) {
        let (mut rows, mut b) = ([0.0; 8], [0.0; 2]);
        penny.constraint_rows(0.0, &q, &mut rows, &mut b);
        let (mut gradients, mut rates) = ([0.0; 8], [0.0; 2]);
        penny.gap_rows(0.0, &q, &mut gradients, &mut rates);
        let dh = &gradients[..4];
        let (first, second) = (&rows[..4], &rows[4..]);
        // (16) for α = 1 by Cramer's rule.
        let (g11, g12, g22) = (pair(first, first), pair(first, second), pair(second, second));
        let (h1, h2) = (pair(dh, first), pair(dh, second));
        let determinant = g11 * g22 - g12 * g12;
        let (λ1, λ2) = ((h2 * g12 - h1 * g22) / determinant, (h1 * g12 - h2 * g11) / determinant);
        let d: Vec<f64> = (0..4).map(|i| dh[i] + λ1 * first[i] + λ2 * second[i]).collect();
        let momentum: Vec<f64> = (0..4).map(|i| v[i] / inverse[i]).collect();
        let α = -2.0 * pair(&momentum, &d) / pair(&d, &d);

        let mut after = v.clone();
        let mut map = ImpactMap::new(&penny);
        map.load(&penny, 0, 0.0, &q).unwrap();
        map.apply(&penny, Law::Elastic, &mut after).unwrap();
        for i in 0..4 {
            let wanted = v[i] + α * d[i] * inverse[i];
            let error = (after[i] - wanted).abs() / wanted.abs().max(1.0);
            assert!(error < 1e-13, "{i}: {} for {wanted}", after[i]);
        }
        // An involution: backwards in time the same map takes −v⁺ to −v⁻.
        let mut back: Vec<f64> = after.iter().map(|v| -v).collect();
        map.apply(&penny, Law::Elastic, &mut back).unwrap();
        for (back, v) in back.iter().zip(&v) {
            assert!((back + v).abs() < 1e-13 * v.abs().max(1.0), "{back} for {}", -v);
        }
        // Forwards it would close the gap again.
        let again = map.apply(&penny, Law::Elastic, &mut after);
        assert!(matches!(again, Err(ImpactError::LeavesGapClosing { .. })), "{again:?}");
    }
}

/// `project`: reflects on ∇g alone, (28), then projects, (32).
#[test]
fn the_projected_law_is_the_composition_of_the_document() {
    let penny = Penny::table_1();
    let inverse = [1.0 / penny.m, 1.0 / penny.m, 1.0 / penny.i, 1.0 / penny.j];
    for (q, v) in approaching(&penny) {
        let (mut gradients, mut rates) = ([0.0; 8], [0.0; 2]);
        penny.gap_rows(0.0, &q, &mut gradients, &mut rates);
        let dh = &gradients[..4];
        let rate: f64 = (0..4).map(|i| dh[i] * v[i]).sum();
        let size: f64 = (0..4).map(|i| dh[i] * dh[i] * inverse[i]).sum();
        let w: Vec<f64> = (0..4).map(|i| v[i] - 2.0 * rate / size * dh[i] * inverse[i]).collect();
        let (sin, cos) = q[3].sin_cos();
        let total = penny.i + penny.m * penny.r * penny.r;
        let θ_dot = (penny.m * penny.r * (cos * w[0] + sin * w[1]) + penny.i * w[2]) / total;
        let wanted = [penny.r * cos * θ_dot, penny.r * sin * θ_dot, θ_dot, w[3]];

        let mut map = ImpactMap::new(&penny);
        map.load(&penny, 0, 0.0, &q).unwrap();
        let mut after = v.clone();
        let after = map.apply(&penny, Law::Project, &mut after).map(|_| after);
        match after {
            Ok(after) => {
                for (after, wanted) in after.iter().zip(wanted) {
                    assert!((after - wanted).abs() < 1e-13, "{after} for {wanted}");
                }
            }
            Err(ImpactError::LeavesGapClosing { rate }) => {
                let wanted: f64 = (0..4).map(|i| dh[i] * wanted[i]).sum();
                assert!((rate - wanted).abs() < 1e-13, "{rate} for {wanted}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// A particle in the plane above a floor that moves up with unit speed, with a constraint row.
fn lift(row: [f64; 2]) -> Model {
    let info = describe("Lift", &["x", "y"], &[("row", RowKind::Velocity)], &["floor"], &[]);
    let mut model = Model::new(info, &[1.0, 2.0]);
    model.rows = Box::new(move |_, _, a, b| {
        a.copy_from_slice(&row);
        b[0] = 0.0;
    });
    model.gaps = Box::new(|t, q, _, g| g[0] = q[1] - t);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0]);
        rate[0] = -1.0;
    });
    model
}

/// On a floor that moves with speed 1: ẏ⁺ − 1 = −e (ẏ⁻ − 1).
#[test]
fn a_moving_floor_enters_by_its_rate() {
    let model = lift([1.0, 0.0]);
    let mut map = ImpactMap::new(&model);
    map.load(&model, 0, 0.0, &[0.0, 0.0]).unwrap();
    for (law, wanted) in [(Law::Elastic, 4.0), (Law::Plastic, 1.0), (Law::Project, 4.0)] {
        let mut v = [0.0, -2.0];
        let rates = map.apply(&model, law, &mut v).unwrap();
        assert!((v[1] - wanted).abs() < 1e-15 && v[0] == 0.0, "{law:?}: {v:?}");
        assert_eq!(rates.minus, -3.0);
    }
}

#[test]
fn impacts_that_cannot_happen_are_errors() {
    let model = lift([0.0, 1.0]);
    let mut map = ImpactMap::new(&model);
    assert_eq!(map.load(&model, 0, 0.0, &[0.0, 0.0]), Err(ImpactError::Dependent));

    let model = lift([1.0, 0.0]);
    let mut map = ImpactMap::new(&model);
    map.load(&model, 0, 0.0, &[0.0, 0.0]).unwrap();
    let mut v = [0.0, -2.0];
    let refused = map.apply(&model, Law::Restitution(1.5), &mut v);
    assert_eq!(refused, Err(ImpactError::Restitution { e: 1.5, low: 0.0 }));
    assert_eq!(v, [0.0, -2.0], "the velocity is left as it was");

    let mut massless = lift([1.0, 0.0]);
    massless.masses[1] = 0.0;
    let mut map = ImpactMap::new(&massless);
    let error = map.load(&massless, 0, 0.0, &[0.0, 0.0]).unwrap_err();
    assert!(error.to_string().contains("speed 1"), "{error}");
}

/// A row that repeats another is dropped, and the map is that without it.
#[test]
fn dependent_rows_are_dropped_and_reported() {
    let rows = [("row", RowKind::Velocity), ("again", RowKind::Velocity)];
    let info = describe("Twice", &["x", "y"], &rows, &["floor"], &[]);
    let twice = Model {
        info,
        rows: Box::new(|_, _, a, b| {
            a.copy_from_slice(&[1.0, 0.5, 3.0, 1.5]);
            b.fill(0.0);
        }),
        ..lift([0.0; 2])
    };
    let once = lift([1.0, 0.5]);
    let (mut from_two, mut from_one) = ([1.0, -2.0], [1.0, -2.0]);
    let mut map = ImpactMap::new(&twice);
    map.load(&twice, 0, 0.0, &[0.0, 0.0]).unwrap();
    assert_eq!(map.dropped(), [1]);
    map.apply(&twice, Law::Elastic, &mut from_two).unwrap();
    let mut map = ImpactMap::new(&once);
    map.load(&once, 0, 0.0, &[0.0, 0.0]).unwrap();
    assert!(map.dropped().is_empty());
    map.apply(&once, Law::Elastic, &mut from_one).unwrap();
    assert_eq!(from_two, from_one);
}
