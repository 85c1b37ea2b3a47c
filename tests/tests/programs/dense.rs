//! Solutions of the derived equations as one dense matrix, every entry from the expressions: accelerations and multipliers,
//! directions of impacts, signs of pairings.

use super::{Case, Point, SOLVE_TOLERANCE, strike};
use eom_core::State;
use eom_symbolic::ExprId;
use nalgebra::{DMatrix, DVector};

/// M a − Aᵀλ = F − h, A a = −γ with every entry from the expressions, solved as one matrix: the
/// solution, its condition, and the size of the terms of F in it, of which integrals are exact to a
/// part.
fn dense_solution(case: &Case, point: &Point) -> (Vec<f64>, f64, f64) {
    let equations = &case.derivation.equations;
    let (n, k) = (equations.mass.size(), equations.rows.len());
    let force = case.estimates(&equations.force, point);
    let bias = case.expressions(&equations.bias, point);
    let drift = case.expressions(&equations.drift, point);
    let matrix = saddle(case, point, &equations.reactions);
    let right =
        DVector::from_fn(
            n + k,
            |i, _| if i < n { force[i].value - bias[i] } else { -drift[i - n] },
        );
    let inverse_norm = matrix.clone().try_inverse().map_or(f64::INFINITY, |m| m.amax());
    let condition = matrix.amax() * inverse_norm;
    let solution = matrix.full_piv_lu().solve(&right).expect("the matrix is regular");
    let size = inverse_norm * force.iter().map(|force| force.size).fold(0.0, f64::max);
    (solution.as_slice().to_vec(), condition, size)
}

/// [M, −Rᵀ; A, 0] with every entry from the expressions.
fn saddle(case: &Case, point: &Point, reactions: &[Vec<ExprId>]) -> DMatrix<f64> {
    let equations = &case.derivation.equations;
    let (n, k) = (equations.mass.size(), equations.rows.len());
    let [mass, rows, reactions] = [equations.mass.kept(), &equations.rows, reactions]
        .map(|matrix| case.expressions(&matrix.concat(), point));
    DMatrix::from_fn(n + k, n + k, |i, j| match (i < n, j < n) {
        (true, true) => mass[i * n + j],
        (true, false) => -reactions[(j - n) * n + i],
        (false, true) => rows[(i - n) * n + j],
        (false, false) => 0.0,
    })
}

/// M w = ∇gᵀ + Aᵀλ, A w = 0 with every entry from the expressions, and ∇g·w.
pub(super) fn check_strikes(case: &Case, point: &Point) {
    let equations = &case.derivation.equations;
    let (n, k) = (equations.mass.size(), equations.rows.len());
    let matrix = saddle(case, point, &equations.rows);
    let scale = matrix.clone().try_inverse().map_or(f64::INFINITY, |inverse| inverse.amax());
    for (index, contact) in equations.contacts.iter().enumerate() {
        let found = strike(case, point, index);
        if found.is_empty() || matrix.amax() * scale > 1e4 {
            continue;
        }
        let mut right = case.expressions(&contact.gradient, point);
        right.resize(n + k, 0.0);
        let right = DVector::from_vec(right);
        let size = scale * right.amax();
        let solution = matrix.clone().full_piv_lu().solve(&right).expect("the matrix is regular");
        let gain = right.dot(&solution);
        let wanted = solution.iter().take(n).chain([&gain]);
        for (found, wanted) in found[n + 1..].iter().zip(wanted) {
            let error = (found - wanted).abs();
            let scale = SOLVE_TOLERANCE * size.max(1.0) * right.amax().max(1.0);
            assert!(error <= scale, "{} strike {index}: {found:e}, {wanted:e}", case.fixture.name);
        }
    }
}

/// The sign of det A M⁻¹Rᵀ, with every entry from the expressions, where forces hold multipliers.
pub(super) fn check_pairing(case: &Case, point: &Point) {
    let equations = &case.derivation.equations;
    let (n, k) = (equations.mass.size(), equations.rows.len());
    let State { t, q, v } = &point.state;
    let found = case.system.pairing_sign(*t, q, v, &point.inputs);
    assert_eq!(found.is_some(), equations.is_coupled(), "{}", case.fixture.name);
    let Some(found) = found else { return };
    let entries = |matrix: &[Vec<ExprId>], columns: usize| {
        let rows = if columns == 0 { 0 } else { matrix.len() };
        DMatrix::from_row_slice(rows, columns, &case.expressions(&matrix.concat(), point))
    };
    let (mass, rows) = (entries(equations.mass.kept(), n), entries(&equations.rows, n));
    let response = mass.lu().solve(&entries(&equations.reactions, n).transpose());
    let pairing = rows * response.expect("the mass matrix is regular");
    let (determinant, size) = (pairing.determinant(), pairing.amax().powf(k as f64));
    if determinant.abs() > 1e-9 * size {
        assert_eq!(found, determinant.signum(), "{}: {pairing}", case.fixture.name);
    }
}

pub(super) fn check_dynamics(case: &Case, point: &Point) -> bool {
    let (n, k) = (case.fixture.info.speeds(), case.fixture.info.rows.len());
    let (wanted, condition, size) = dense_solution(case, point);
    if condition > 1e4 {
        return false;
    }
    let (mut a, mut λ) = (vec![0.0; n], vec![0.0; k]);
    let State { t, q, v } = &point.state;
    case.system.accelerations(*t, q, v, &point.inputs, &mut a, &mut λ);
    let scale = wanted.iter().fold(size.max(1.0), |scale, x| scale.max(x.abs()));
    for (i, (found, wanted)) in a.iter().chain(&λ).zip(&wanted).enumerate() {
        let error = (found - wanted).abs();
        assert!(
            error <= SOLVE_TOLERANCE * scale,
            "{} entry {i}: {found:e}, dense {wanted:e}, condition {condition:e}",
            case.fixture.name
        );
    }
    true
}
