//! A dissipation D₁ that is known by its values and gradients only.
//!
//! D₁ is the support function of a convex body, K = {g: g·y ≤ D₁(y) for all y}, and its gradient
//! the point of K farthest in the direction y. The minimum of ½‖y‖² − f·y + D₁(y) is at y = f − g,
//! g the point of K nearest to f:
//!
//! 1. Wolfe's method (Math. Programming 11, 1976) finds the shortest vector of f − K from such
//!    points, and ends with y = 0 where f is in K.
//! 2. Newton's method solves y − f + ∂D₁/∂y = 0 from there, its matrix by differences.

use super::FrictionError;
use super::reduced::{LOAD_MAX, norm};
use crate::linear::linalg::{dot, ldlt_factor, ldlt_solve};

/// Points of K tried.
const POINTS_MAX: usize = 400;

/// ‖y‖² − min f − K ∋ p: p·y below this part of the scale squared ends Wolfe's method.
const GAP: f64 = 1e-15;

/// A weight below this is zero.
const WEIGHT: f64 = 1e-13;

/// A y below this part of the scale is zero.
const ZERO: f64 = 1e-12;

/// Steps of Newton's method.
const STEPS_MAX: usize = 30;

/// The part of ‖y‖ over which a gradient is differenced.
const DIFFERENCE: f64 = 1e-5;

/// Dinkelbach's steps, and the gain below which they end.
const LOAD_STEPS_MAX: usize = 40;
const LOAD_TOLERANCE: f64 = 1e-14;

/// D₁ and its gradient at a direction.
pub(super) type Support<'s> = dyn FnMut(&[f64]) -> (f64, Vec<f64>) + 's;

/// argmin ½‖y‖² − f·y + θ D₁(y).
pub(super) fn onset(
    f: &[f64],
    θ: f64,
    support: &mut Support<'_>,
) -> Result<Vec<f64>, FrictionError> {
    let scale = norm(f);
    if scale == 0.0 {
        return Ok(vec![0.0; f.len()]);
    }
    if !scale.is_finite() {
        return Err(FrictionError::NotFinite);
    }
    let mut y = shortest(f, θ, scale, support)?;
    if norm(&y) > ZERO * scale {
        polish(f, θ, &mut y, support);
    }
    // The minimum is −½‖y‖²; where moving does not pay the body stays.
    let (value, _) = support(&y);
    let stays = norm(&y) <= ZERO * scale || θ * value >= dot(f, &y);
    if stays {
        y.fill(0.0);
    }
    Ok(y)
}

/// max f·y/D₁(y) and its y.
pub(super) fn load(f: &[f64], support: &mut Support<'_>) -> Result<(f64, Vec<f64>), FrictionError> {
    let mut best = (0.0, vec![0.0; f.len()]);
    let mut trial = f.to_vec();
    for _ in 0..LOAD_STEPS_MAX {
        if norm(&trial) == 0.0 {
            break;
        }
        let (loss, _) = support(&trial);
        let work = dot(f, &trial);
        if work >= LOAD_MAX * loss {
            return Ok((f64::INFINITY, trial));
        }
        let ratio = work / loss;
        if ratio.is_nan() || ratio <= best.0 * (1.0 + LOAD_TOLERANCE) {
            break;
        }
        best = (ratio, trial);
        trial = onset(f, ratio, support)?;
    }
    sharpen(f, &mut best, support);
    Ok(best)
}

/// Newton's method on f = θ ∂D₁/∂y, θ = f·y/D₁, across y, as long as θ grows. Both sides have the
/// same product with y.
fn sharpen(f: &[f64], best: &mut (f64, Vec<f64>), support: &mut Support<'_>) {
    let d = f.len();
    let length = norm(&best.1);
    if length == 0.0 {
        return;
    }
    for y in &mut best.1 {
        *y /= length;
    }
    let mut last = f64::INFINITY;
    for _ in 0..STEPS_MAX {
        let (ratio, y) = (best.0, best.1.clone());
        let (_, g) = support(&y);
        let rest: Vec<f64> = f.iter().zip(&g).map(|(f, g)| f - ratio * g).collect();
        if norm(&rest) >= last {
            return;
        }
        last = norm(&rest);
        let mut matrix = slope_matrix(&y, DIFFERENCE, &mut |y| support(y).1);
        for (i, entry) in matrix.iter_mut().enumerate() {
            *entry = ratio * *entry + y[i / d] * y[i % d];
        }
        let mut step = rest;
        ldlt_factor(d, &mut matrix);
        ldlt_solve(d, &matrix, &mut step);
        let mut next: Vec<f64> = y.iter().zip(&step).map(|(y, step)| y + step).collect();
        let length = norm(&next);
        for y in &mut next {
            *y /= length;
        }
        let ratio = dot(f, &next) / support(&next).0;
        if ratio.is_nan() || ratio < best.0 * (1.0 - 4.0 * f64::EPSILON) {
            return;
        }
        *best = (ratio.max(best.0), next);
    }
}

/// ∂g/∂y by central differences over a length, made symmetric.
fn slope_matrix(y: &[f64], h: f64, g: &mut dyn FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let d = y.len();
    let (mut matrix, mut moved) = (vec![0.0; d * d], y.to_vec());
    for j in 0..d {
        moved[j] = y[j] + h;
        let right = g(&moved);
        moved[j] = y[j] - h;
        let left = g(&moved);
        moved[j] = y[j];
        for i in 0..d {
            matrix[i * d + j] = (right[i] - left[i]) / (2.0 * h);
        }
    }
    symmetrise(d, &mut matrix);
    matrix
}

/// A point f − θg with its weight.
struct Vertex {
    point: Vec<f64>,
    weight: f64,
}

/// The shortest vector of f − θK by Wolfe's method.
fn shortest(
    f: &[f64],
    θ: f64,
    scale: f64,
    support: &mut Support<'_>,
) -> Result<Vec<f64>, FrictionError> {
    let mut farthest = |y: &[f64]| -> Vec<f64> {
        let (_, g) = support(y);
        f.iter().zip(&g).map(|(f, g)| f - θ * g).collect()
    };
    let mut y = farthest(f);
    let mut corral = vec![Vertex { point: y.clone(), weight: 1.0 }];
    for _ in 0..POINTS_MAX {
        if !norm(&y).is_finite() {
            return Err(FrictionError::NotFinite);
        }
        if norm(&y) <= ZERO * scale {
            return Ok(vec![0.0; f.len()]);
        }
        let point = farthest(&y);
        let gap = dot(&y, &y) - dot(&y, &point);
        if gap <= GAP * scale * scale || corral.iter().any(|v| v.point == point) {
            return Ok(y);
        }
        corral.push(Vertex { point, weight: 0.0 });
        let before = dot(&y, &y);
        y = contract(&mut corral, f.len());
        if dot(&y, &y) >= before {
            return Ok(y);
        }
    }
    Ok(y)
}

/// The shortest vector of the hull of the corral; points that it does not need are dropped.
fn contract(corral: &mut Vec<Vertex>, d: usize) -> Vec<f64> {
    loop {
        let weights = affine_weights(corral);
        if weights.iter().all(|weight| *weight > WEIGHT) {
            corral.iter_mut().zip(&weights).for_each(|(vertex, weight)| vertex.weight = *weight);
            break;
        }
        // As far towards the affine minimum as all weights stay positive.
        let part = corral
            .iter()
            .zip(&weights)
            .filter(|(_, weight)| **weight <= WEIGHT)
            .map(|(vertex, weight)| vertex.weight / (vertex.weight - weight))
            .fold(1.0, f64::min);
        for (vertex, weight) in corral.iter_mut().zip(&weights) {
            vertex.weight += part * (weight - vertex.weight);
        }
        let count = corral.len();
        corral.retain(|vertex| vertex.weight > WEIGHT);
        if corral.len() == count {
            break;
        }
    }
    let mut y = vec![0.0; d];
    let total: f64 = corral.iter().map(|vertex| vertex.weight).sum();
    for Vertex { point, weight } in corral.iter() {
        y.iter_mut().zip(point).for_each(|(y, p)| *y += weight / total * p);
    }
    y
}

/// The weights, of sum 1, of the shortest vector of the affine hull: (1 + pᵢ·pⱼ) α = 1.
fn affine_weights(corral: &[Vertex]) -> Vec<f64> {
    let count = corral.len();
    let unit =
        corral.iter().map(|v| dot(&v.point, &v.point)).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut gram = vec![0.0; count * count];
    for (i, a) in corral.iter().enumerate() {
        for (j, b) in corral.iter().enumerate() {
            gram[i * count + j] = 1.0 + dot(&a.point, &b.point) / unit;
        }
    }
    let mut weights = vec![1.0; count];
    ldlt_factor(count, &mut gram);
    ldlt_solve(count, &gram, &mut weights);
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    if weights.iter().all(|weight| weight.is_finite()) {
        return weights;
    }
    // Points that coincide to rounding: the last one adds nothing.
    let mut weights: Vec<f64> = corral.iter().map(|vertex| vertex.weight).collect();
    if let Some(last) = weights.last_mut() {
        *last = 0.0;
    }
    weights
}

/// Newton's method on y − f + θ ∂D₁/∂y = 0; keeps the y of the smallest residual.
fn polish(f: &[f64], θ: f64, y: &mut [f64], support: &mut Support<'_>) {
    let d = f.len();
    let mut residual = |y: &[f64]| -> Vec<f64> {
        let (_, g) = support(y);
        (0..d).map(|i| f[i] - y[i] - θ * g[i]).collect()
    };
    let mut rest = residual(y);
    for _ in 0..STEPS_MAX {
        let mut matrix = slope_matrix(y, DIFFERENCE * norm(y), &mut |y| {
            residual(y).iter().map(|rest| -rest).collect()
        });
        let mut step = rest.clone();
        ldlt_factor(d, &mut matrix);
        ldlt_solve(d, &matrix, &mut step);
        let next: Vec<f64> = y.iter().zip(&step).map(|(y, step)| y + step).collect();
        let left = residual(&next);
        if norm(&left).is_nan() || norm(&left) >= norm(&rest) {
            return;
        }
        y.copy_from_slice(&next);
        rest = left;
    }
}

fn symmetrise(d: usize, matrix: &mut [f64]) {
    for i in 0..d {
        for j in 0..i {
            let mean = 0.5 * (matrix[i * d + j] + matrix[j * d + i]);
            matrix[i * d + j] = mean;
            matrix[j * d + i] = mean;
        }
    }
}
