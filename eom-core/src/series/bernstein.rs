//! The first root of a polynomial on [0, 1], by its Bernstein coefficients.
//!
//! ```text
//! p(s) = Σ cₖ sᵏ = Σ bⱼ C(n, j) sʲ(1 − s)ⁿ⁻ʲ        bⱼ = Σ C(j, k)/C(n, k) cₖ over k ≤ j
//! ```
//!
//! p lies between the least and the largest bⱼ, and has at most as many roots in (0, 1) as the bⱼ change
//! their sign, exactly one if they do so once. Where they do more often the interval is halved (de
//! Casteljau), the first half first. A bⱼ too near to zero for its rounding, or for the guard's, has no
//! sign: then nothing is said.
//!
//! Most often a polynomial of a low degree tells ([`ByLowDegree`]); all terms are taken where it does not.

use super::low_degree::ByLowDegree;
use super::observed::Observed;
use super::orders::{LENGTH, ORDER_MAX};
use super::root::{Bracket, Crossing, RootOf};
use pulp::Arch;
use std::sync::OnceLock;

/// A bⱼ below this part of the largest coefficient has no sign: it is far above the rounding of bⱼ and
/// of the state, so that what the polynomial says is certain.
const MARGIN: f64 = 1e-8;

/// Halvings: an interval of 2⁻⁴⁰ of the step that is still not decided is left to others.
const HALVINGS: usize = 40;

/// Bernstein coefficients, of degree `n`; those beyond it are zero.
#[derive(Clone, Copy)]
struct Bernstein {
    n: usize,
    b: [f64; LENGTH],
}

/// What the coefficients say.
enum Signs {
    /// All are those of the side.
    Keep,
    /// They change once; where the polygon of the coefficients is zero.
    Once { at: f64 },
    /// They change more often, or some are too small.
    Others,
}

/// Where the first root is.
enum Isolated {
    Nothing,
    /// One, in this interval, none before it.
    Within(Bracket),
    Unclear,
}

/// C(j, k)/C(n, k) for k, then j, up to n.
type Matrix = [[f64; LENGTH]; LENGTH];

/// Those of each degree, made when it is first asked for.
static MATRICES: [OnceLock<Box<Matrix>>; ORDER_MAX + 1] =
    [const { OnceLock::new() }; ORDER_MAX + 1];

fn matrix(n: usize) -> Matrix {
    let mut rows = [[0.0; LENGTH]; LENGTH];
    for k in 0..=n {
        for j in k..=n {
            // C(j, k) = C(j, k − 1) (j − k + 1)/k, and so for n.
            rows[k][j] = match k {
                0 => 1.0,
                _ => rows[k - 1][j] * (j - k + 1) as f64 / (n - k + 1) as f64,
            };
        }
    }
    rows
}

/// The first crossing of a guard that is on the side σ = ±1 of zero at s = 0, or goes to it; none where it is
/// after `last`.
pub(crate) fn first_crossing(guard: &mut Observed, σ: f64, last: f64) -> Crossing {
    let margin = MARGIN * guard.largest();
    let arch = Arch::new();
    match arch.dispatch(ByLowDegree { guard, σ, last, margin }) {
        Crossing::Unclear if guard.end().is_finite() => match by_all_terms(guard.q(), σ, margin) {
            Isolated::Nothing => Crossing::None,
            Isolated::Unclear => Crossing::Unclear,
            Isolated::Within(bracket) => arch.dispatch(RootOf { guard, σ, last, bracket }),
        },
        crossing => crossing,
    }
}

/// Whether σ p is above `least` on [0, 1], as far as a polynomial of a low degree tells.
pub(crate) fn stays_above(polynomial: &mut Observed, σ: f64, least: f64) -> bool {
    let search = ByLowDegree { guard: polynomial, σ, last: 1.0, margin: least };
    Arch::new().dispatch(search) == Crossing::None
}

/// What all terms tell, up to the last that is not 0.
fn by_all_terms(polynomial: &[f64], σ: f64, margin: f64) -> Isolated {
    let degree = polynomial.iter().rposition(|c| *c != 0.0).unwrap_or(0);
    let matrix = MATRICES[degree].get_or_init(|| Box::new(matrix(degree)));
    let whole = Bernstein::of(matrix, &polynomial[..=degree], σ);
    isolate(&whole, [0.0, 1.0], margin, HALVINGS)
}

impl Bernstein {
    /// Those of σ p.
    fn of(matrix: &Matrix, polynomial: &[f64], σ: f64) -> Self {
        let (n, mut b) = (polynomial.len() - 1, [0.0; LENGTH]);
        for (row, c) in matrix.iter().zip(polynomial) {
            let c = σ * c;
            for (b, entry) in b.iter_mut().zip(row) {
                *b += c * entry;
            }
        }
        Self { n, b }
    }

    fn signs(&self, margin: f64) -> Signs {
        let b = &self.b[..=self.n];
        let Some(first) = b.iter().position(|b| *b <= margin) else { return Signs::Keep };
        let (Some(before), Some(after)) = (first.checked_sub(1), b.get(first..)) else {
            return Signs::Others;
        };
        if !after.iter().all(|b| *b < -margin) {
            return Signs::Others;
        }
        let change = b[before] / (b[before] - b[first]);
        Signs::Once { at: ((before as f64 + change) / self.n as f64).clamp(0.0, 1.0) }
    }

    /// Both halves.
    fn halves(&self) -> [Self; 2] {
        let (mut left, mut right) = (*self, *self);
        for round in 1..=self.n {
            left.b[round - 1] = right.b[0];
            for j in 0..=self.n - round {
                right.b[j] = 0.5 * (right.b[j] + right.b[j + 1]);
            }
        }
        left.b[self.n] = right.b[0];
        [left, right]
    }
}

/// The first root in [low, high], whose coefficients these are.
fn isolate(piece: &Bernstein, [low, high]: [f64; 2], margin: f64, halvings: usize) -> Isolated {
    match piece.signs(margin) {
        Signs::Keep => Isolated::Nothing,
        Signs::Once { at } => {
            Isolated::Within(Bracket { low, high, guess: low + (high - low) * at })
        }
        // The first half begins with the same coefficient, and so does its first half.
        Signs::Others if halvings == 0 || piece.b[0] <= margin => Isolated::Unclear,
        Signs::Others => {
            let middle = 0.5 * (low + high);
            let [left, right] = piece.halves();
            match isolate(&left, [low, middle], margin, halvings - 1) {
                Isolated::Nothing => isolate(&right, [middle, high], margin, halvings - 1),
                found => found,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crossing, Observed, first_crossing};

    fn crossing(p: &[f64], σ: f64, leaves: bool) -> Crossing {
        first_crossing(&mut Observed::of(p, leaves), σ, 1.0)
    }

    /// The coefficients of ∏ (rᵢ − s).
    fn with_roots(roots: &[f64]) -> Vec<f64> {
        let mut p = vec![1.0];
        for root in roots {
            let mut next = vec![0.0; p.len() + 1];
            for (k, c) in p.iter().enumerate() {
                next[k] += root * c;
                next[k + 1] -= c;
            }
            p = next;
        }
        p
    }

    fn check(roots: &[f64], leaves: bool, first: Option<f64>) {
        let p = with_roots(roots);
        let side = if leaves { p[1].signum() } else { p[0].signum() };
        let found = crossing(&p, side, leaves);
        match (found, first) {
            (Crossing::None, None) => {}
            (Crossing::At { s, slope }, Some(first)) => {
                assert!((s - first).abs() < 1e-13, "{roots:?}: {s}");
                assert!(slope * side < 0.0, "{roots:?}: it falls");
            }
            _ => panic!("{roots:?}: {found:?}"),
        }
    }

    #[test]
    fn the_first_root_is_found() {
        check(&[2.0], false, None);
        check(&[-0.5, 1.5, 3.0], false, None);
        check(&[0.25], false, Some(0.25));
        check(&[0.9, 0.3, 0.31, -0.2, 1.7], false, Some(0.3));
        check(&[0.3, 0.31, 0.32], false, Some(0.3));
        check(&[1e-6, 2.0, 3.0], false, Some(1e-6));
    }

    #[test]
    fn none_after_the_last_that_is_asked_for() {
        for (roots, leaves) in [(&[0.4][..], false), (&[0.0, 0.4], true)] {
            let p = with_roots(roots);
            let side = if leaves { p[1].signum() } else { p[0].signum() };
            let until = |last| first_crossing(&mut Observed::of(&p, leaves), side, last);
            assert_eq!(until(0.399), Crossing::None);
            assert!(matches!(until(0.401), Crossing::At { s, .. } if (s - 0.4).abs() < 1e-13));
        }
    }

    /// A guard at zero that leaves it comes back.
    #[test]
    fn a_guard_that_leaves_zero_comes_back() {
        check(&[0.0, 0.6], true, Some(0.6));
        check(&[0.0, 1e-5, 4.0], true, Some(1e-5));
        check(&[0.0, 1.2], true, None);
    }

    /// It may leave zero as a square or as a cube, with what rounding leaves of the slope.
    #[test]
    fn a_guard_that_leaves_zero_slowly_comes_back() {
        for zeros in 1..=3 {
            for slope in [0.0, 1e-15, -1e-15] {
                let mut p = vec![0.0; zeros];
                p.extend([0.7, -1.0]);
                p[1] += slope;
                let found = crossing(&p, 1.0, true);
                assert!(matches!(found, Crossing::At { s, slope }
                    if (s - 0.7).abs() < 1e-12 && (slope + (0..zeros).fold(1.0, |power, _| 0.7 * power)).abs() < 1e-12));
            }
        }
        assert_eq!(crossing(&[0.0, 0.0, -0.7, 1.0], 1.0, true), Crossing::Unclear);
    }

    #[test]
    fn a_touch_is_not_decided() {
        for roots in [&[0.4, 0.4][..], &[0.4, 0.4 + 1e-12], &[0.0, 0.4, 0.4]] {
            let p = with_roots(roots);
            let found = crossing(&p, 1.0, roots[0] == 0.0);
            assert_eq!(found, Crossing::Unclear, "{roots:?}: {p:?}");
        }
        assert_eq!(crossing(&[f64::NAN, 1.0], 1.0, false), Crossing::Unclear);
    }
}
