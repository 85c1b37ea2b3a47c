//! Eigenvalues and eigenvectors of a real matrix.
//!
//! ```text
//! A w = λ w        refined by Newton's method on (A − λ) w = 0, cᵀw = 1, from those of the Schur form
//! ```
//!
//! All of it is done with D⁻¹ A D (`scaled`), whose vectors are D⁻¹ w.

use super::Linearisation;
use super::scaled::scaled;
use crate::error::AnalysisError;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Steps of the iteration for the Schur form, for each row.
const STEPS_PER_ROW: usize = 200;

/// Below this part of its neighbours an entry of the Schur form is 0.
const NEGLIGIBLE: [f64; 3] = [f64::EPSILON, 8.0 * f64::EPSILON, 64.0 * f64::EPSILON];

/// Steps towards the roots of a polynomial, and below which part of the largest an imaginary part is rounding.
const ROOT_STEPS: usize = 200;
const PAIR_MIN: f64 = 1e-9;

/// Steps of Newton's method for a pair (λ, w).
const NEWTON_STEPS: usize = 4;

/// A refined eigenvalue is taken where it moved by less than this part of the norm of A.
const MOVED_MAX: f64 = 1e-6;

/// Real parts count as equal within so many roundings of the norm a row: which of undamped pairs comes first is then told by
/// their frequencies.
const SAME: f64 = 8.0;

/// A motion e^(λt) w of a linear system.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// λ, in 1/time.
    pub value: Complex<f64>,
    /// w, of length 1, its largest entry positive.
    pub vector: DVector<Complex<f64>>,
}

impl Linearisation {
    /// The eigenvalues of A: the largest real part first, of those that are equal up to rounding the largest imaginary part, of
    /// a pair that with the positive one.
    ///
    /// # Errors
    /// Where the iteration does not converge.
    pub fn eigenvalues(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        eigenvalues(&self.a)
    }

    /// The eigenvalues with their vectors, each in the entries z.
    ///
    /// # Errors
    /// Where the iteration does not converge.
    pub fn modes(&self) -> Result<Vec<Mode>, AnalysisError> {
        modes(&self.a)
    }
}

/// Of sizes that differ by no larger part none is the larger one.
const AS_LARGE: f64 = 1e-6;

/// Below this part of the largest eigenvalue a real part decides nothing.
pub const NEUTRAL: f64 = 1e-9;

/// The eigenvalues of a matrix, in the order of [`modes`].
///
/// # Errors
/// An entry that is not finite, a matrix that is not square, and an iteration that does not converge.
pub fn eigenvalues(a: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    Ok(modes(a)?.into_iter().map(|mode| mode.value).collect())
}

/// The eigenvalues of a matrix with their vectors: the largest real part first, of those that are equal up to rounding the
/// largest imaginary part, of a pair that with the positive one. Of an eigenvalue that is there several times the vectors may be one.
///
/// # Errors
/// Those of [`eigenvalues`].
pub fn modes(a: &DMatrix<f64>) -> Result<Vec<Mode>, AnalysisError> {
    if !a.is_square() || !a.iter().all(|entry| entry.is_finite()) {
        return Err(AnalysisError::NotFinite { what: "an entry of the matrix".to_owned() });
    }
    let n = a.nrows();
    if n == 0 {
        return Ok(Vec::new());
    }
    let (a, factors) = scaled(a);
    let values = schur_values(&a).unwrap_or_else(|| polynomial_values(&a));
    if !values.iter().all(|value| value.re.is_finite() && value.im.is_finite()) {
        return Err(AnalysisError::NoEigenvalues);
    }
    let mut found = Vec::with_capacity(n);
    for value in values.into_iter().filter(|value| value.im >= 0.0) {
        let mode = refined((&a, &factors), value);
        if value.im > 0.0 {
            let vector = mode.vector.map(|entry| entry.conj());
            found.push(Mode { value: mode.value.conj(), vector });
        }
        found.push(mode);
    }
    order(&mut found, SAME * n as f64 * f64::EPSILON * a.norm());
    Ok(found)
}

/// The largest real part first; of those that are nearer to each other than rounding the fastest, of a pair that with the
/// positive imaginary part.
fn order(modes: &mut [Mode], rounding: f64) {
    modes.sort_by(|one, other| other.value.re.total_cmp(&one.value.re));
    let mut first = 0;
    while first < modes.len() {
        let largest = modes[first].value.re;
        let is_same = |mode: &&Mode| largest - mode.value.re <= rounding;
        let end = first + modes[first..].iter().take_while(is_same).count().max(1);
        modes[first..end].sort_by(|one, other| {
            let [im, of_other] = [one, other].map(|mode| mode.value.im);
            of_other.abs().total_cmp(&im.abs()).then(of_other.total_cmp(&im))
        });
        first = end;
    }
}

/// The largest first; of those that are as large but for rounding the largest real part, of a pair the positive imaginary part.
pub(crate) fn by_size(values: &mut [Complex<f64>]) {
    values.sort_by(|a, b| b.norm_sqr().total_cmp(&a.norm_sqr()));
    let mut first = 0;
    while first < values.len() {
        let least = (1.0 - AS_LARGE) * values[first].norm_sqr();
        let end = first + values[first..].iter().take_while(|x| x.norm_sqr() >= least).count();
        values[first..end].sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
        first = end.max(first + 1);
    }
}

/// The eigenvalues by the Schur form. It tells what is negligible from its neighbours on the diagonal, and so does not
/// end where they are 0, several times: then A ± σ has it, σ = ‖A‖. Near a multiple eigenvalue rounding may keep it from
/// ending, too: then a little more is negligible.
fn schur_values(a: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let n = a.nrows();
    let norm = a.norm();
    let ways =
        NEGLIGIBLE.into_iter().flat_map(|small| [(0.0, small), (norm, small), (-norm, small)]);
    ways.into_iter().find_map(|(shift, small)| {
        let shifted = a + DMatrix::identity(n, n) * shift;
        let schur = Schur::try_new(shifted, small, STEPS_PER_ROW * n)?;
        Some(schur.complex_eigenvalues().iter().map(|value| value - shift).collect())
    })
}

/// The roots of det(λ − A) all together, by Weierstrass: where the Schur form does not end, as near a multiple eigenvalue
/// that has one vector. There nothing tells them to better than rounding to the power of one over how many they are.
fn polynomial_values(a: &DMatrix<f64>) -> Vec<Complex<f64>> {
    let (n, coefficients) = (a.nrows(), coefficients(a));
    let center = a.trace() / n as f64;
    let radius = a.norm() + center.abs();
    let turn =
        |k: usize| Complex::from_polar(radius, 0.4 + std::f64::consts::TAU * k as f64 / n as f64);
    let mut roots: Vec<Complex<f64>> = (0..n).map(|k| center + turn(k)).collect();
    let horner = |x: Complex<f64>| {
        coefficients.iter().rev().fold(Complex::new(0.0, 0.0), |sum, c| sum * x + *c)
    };
    for _ in 0..ROOT_STEPS {
        for k in 0..n {
            let others = (0..n).filter(|j| *j != k).map(|j| roots[k] - roots[j]);
            let step = horner(roots[k]) / others.product::<Complex<f64>>();
            if step.re.is_finite() && step.im.is_finite() {
                roots[k] -= step;
            }
        }
    }
    in_pairs(roots)
}

/// c₀ to cᵣ of det(λ − A), by Faddeev and Le Verrier.
pub(crate) fn coefficients(a: &DMatrix<f64>) -> Vec<f64> {
    let n = a.nrows();
    let mut coefficients = vec![0.0; n + 1];
    coefficients[n] = 1.0;
    let mut m = DMatrix::zeros(n, n);
    for k in 1..=n {
        m = a * m;
        (0..n).for_each(|i| m[(i, i)] += coefficients[n - k + 1]);
        coefficients[n - k] = -(a * &m).trace() / k as f64;
    }
    coefficients
}

/// Values of a real matrix: as many pairs as stand on both sides of the axis, the others on it.
fn in_pairs(mut values: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
    values.sort_by(|a, b| b.im.total_cmp(&a.im));
    let size = values.iter().map(|value| value.norm_sqr().sqrt()).fold(0.0, f64::max);
    let is_off = |value: &&Complex<f64>| value.im.abs() > PAIR_MIN * size;
    let pairs = values.iter().filter(is_off).count() / 2;
    let on = &values[pairs..values.len() - pairs];
    let real = on.iter().map(|value| Complex::new(value.re, 0.0));
    let both = values[..pairs].iter().flat_map(|value| [*value, value.conj()]);
    both.chain(real).collect()
}

/// The eigenvalue of D⁻¹ A D near a guess, with its vector of A.
fn refined((a, factors): (&DMatrix<f64>, &[f64]), guess: Complex<f64>) -> Mode {
    let n = a.nrows();
    let (norm, complex) = (a.norm(), a.map(|entry| Complex::new(entry, 0.0)));
    let shifted = |value: Complex<f64>| {
        let mut matrix = complex.clone();
        (0..n).for_each(|i| matrix[(i, i)] -= value);
        matrix
    };
    // A step of inverse iteration; the shift keeps the matrix regular.
    let nudge = Complex::new(f64::EPSILON * norm.max(f64::MIN_POSITIVE), 0.0);
    let start = DVector::from_fn(n, |i, _| Complex::new(1.0 + 0.1 * (i as f64), 0.0));
    let mut vector = start.clone();
    for _ in 0..2 {
        let solved = shifted(guess + nudge).lu().solve(&vector);
        vector = solved.filter(is_finite).map_or(vector, |w| unit(&w));
    }
    let mut value = guess;
    for _ in 0..NEWTON_STEPS {
        let Some((next_value, next)) = newton(&shifted(value), &vector) else { break };
        let moved = value + next_value;
        let distance = (moved - guess).norm_sqr().sqrt();
        if distance.is_nan() || distance > MOVED_MAX * norm || !is_finite(&next) {
            break;
        }
        (value, vector) = (moved, unit(&next));
    }
    if guess.im == 0.0 {
        value.im = 0.0;
    }
    vector.iter_mut().zip(factors).for_each(|(entry, d)| *entry *= *d);
    Mode { value, vector: turned(&unit(&vector)) }
}

/// One step on (A − λ) w = 0, w₀ᴴw = 1: the change of λ, and w.
fn newton(
    shifted: &DMatrix<Complex<f64>>,
    w: &DVector<Complex<f64>>,
) -> Option<(Complex<f64>, DVector<Complex<f64>>)> {
    let n = w.len();
    let mut matrix = DMatrix::from_element(n + 1, n + 1, Complex::new(0.0, 0.0));
    matrix.view_mut((0, 0), (n, n)).copy_from(shifted);
    for i in 0..n {
        matrix[(i, n)] = -w[i];
        matrix[(n, i)] = w[i].conj();
    }
    let residual = shifted * w;
    let right =
        DVector::from_fn(n + 1, |i, _| if i < n { -residual[i] } else { Complex::new(0.0, 0.0) });
    let step = matrix.lu().solve(&right).filter(is_finite)?;
    Some((step[n], w + step.rows(0, n)))
}

fn is_finite(w: &DVector<Complex<f64>>) -> bool {
    w.iter().all(|entry| entry.re.is_finite() && entry.im.is_finite())
}

fn unit(w: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
    let length = w.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
    if length > 0.0 { w.map(|entry| entry / length) } else { w.clone() }
}

/// The same direction with its largest entry positive: the first of those that are nearly the largest.
fn turned(w: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
    const NEARLY: f64 = 0.999;
    let largest = w.iter().map(Complex::norm_sqr).fold(0.0, f64::max);
    let Some(pivot) = w.iter().find(|entry| entry.norm_sqr() >= NEARLY * largest) else {
        return w.clone();
    };
    let size = pivot.norm_sqr().sqrt();
    if size == 0.0 {
        return w.clone();
    }
    let turn = pivot.conj() / size;
    w.map(|entry| entry * turn)
}
