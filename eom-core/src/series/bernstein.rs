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

use super::ORDER_MAX;
use super::step::value_and_slope;
use std::sync::OnceLock;

/// A bⱼ below this part of the largest coefficient has no sign: it is far above the rounding of bⱼ and
/// of the state, so that what the polynomial says is certain.
const MARGIN: f64 = 1e-8;

/// The degree that tells most guards that do not cross.
const FIRST: usize = 7;

/// Halvings: an interval of 2⁻⁴⁰ of the step that is still not decided is left to others.
const HALVINGS: usize = 40;

/// A root is found to this part: one more of Newton's steps is exact, or those on the guard itself are.
const CLOSE: f64 = 1e-8;

/// Newton steps.
const ITERATIONS_MAX: usize = 60;

/// What a guard does on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Crossing {
    /// It keeps its sign on (0, 1].
    None,
    /// It changes its sign for the first time at s; its slope there.
    At { s: f64, slope: f64 },
    /// It comes too near to zero to say.
    Unclear,
}

/// Bernstein coefficients, of degree `n`.
#[derive(Clone, Copy)]
struct Bernstein {
    n: usize,
    b: Coefficients,
}

/// What the signs of the coefficients say.
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
    Within {
        low: f64,
        high: f64,
        guess: f64,
    },
    Unclear,
}

/// The coefficients of a polynomial, filled up with zeros.
type Coefficients = [f64; LENGTH];

/// ORDER_MAX + 1 rounded up to whole registers.
const LENGTH: usize = (ORDER_MAX + 1).next_multiple_of(4);

/// C(j, k)/C(n, k) of each degree n, k by k: made when a degree is first asked for.
static MATRICES: [OnceLock<Vec<Coefficients>>; ORDER_MAX + 1] =
    [const { OnceLock::new() }; ORDER_MAX + 1];

/// C(j, k)/C(n, k) for k, then j, up to n.
fn matrix(n: usize) -> Vec<Coefficients> {
    let mut rows = vec![[0.0; LENGTH]; n + 1];
    rows[0][..=n].fill(1.0);
    for k in 1..=n {
        for j in k..=n {
            // C(j, k) = C(j, k − 1) (j − k + 1)/k, and so for n.
            rows[k][j] = rows[k - 1][j] * (j - k + 1) as f64 / (n - k + 1) as f64;
        }
    }
    rows
}

/// The first crossing of a polynomial that is on the side σ = ±1 of zero at s = 0; where it `leaves` it
/// is at zero there, to rounding, and goes to that side.
pub(crate) fn first_crossing(polynomial: &[f64], σ: f64, leaves: bool) -> Crossing {
    // A guard that leaves zero is divided by s: what is left of p(0) is rounding.
    let examined = if leaves { &polynomial[1..] } else { polynomial };
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for c in examined {
        largest = largest.max(c.abs());
        sum += c.abs();
    }
    let margin = MARGIN * largest;
    let first = examined.first().map_or(0.0, |first| σ * first);
    if !sum.is_finite() {
        return Crossing::Unclear;
    }
    if first - (sum - first.abs()) > margin {
        return Crossing::None;
    }
    if keeps_off(examined, σ, margin) {
        return Crossing::None;
    }
    let degree = examined.len() - 1;
    let matrix = MATRICES[degree].get_or_init(|| matrix(degree));
    let whole = Bernstein::of(matrix, examined, σ);
    match isolate(&whole, [0.0, 1.0], margin, HALVINGS) {
        Isolated::Nothing => Crossing::None,
        Isolated::Unclear => Crossing::Unclear,
        Isolated::Within { low, high, guess } => match root(examined, σ, low, high, guess) {
            // p = s q, and q = 0.
            Crossing::At { s, slope } if leaves => Crossing::At { s, slope: s * slope },
            crossing => crossing,
        },
    }
}

/// Whether the first terms keep σ p off zero, whatever the others do: they are at most Σ|cₖ|.
fn keeps_off(polynomial: &[f64], σ: f64, margin: f64) -> bool {
    let Some((first, others)) = polynomial.split_at_checked(FIRST + 1) else { return false };
    let others: f64 = others.iter().map(|c| c.abs()).sum();
    let whole = Bernstein::of(MATRICES[FIRST].get_or_init(|| matrix(FIRST)), first, σ);
    whole.b[..=FIRST].iter().all(|b| *b > margin + others)
}

impl Bernstein {
    /// Those of σ p.
    fn of(matrix: &[Coefficients], polynomial: &[f64], σ: f64) -> Self {
        let (n, mut b) = (polynomial.len() - 1, [0.0; LENGTH]);
        for (k, (row, c)) in matrix.iter().zip(polynomial).enumerate() {
            let c = σ * c;
            for (b, entry) in b[k..=n].iter_mut().zip(&row[k..=n]) {
                *b += c * entry;
            }
        }
        Self { n, b }
    }

    fn signs(&self, margin: f64) -> Signs {
        let b = &self.b[..=self.n];
        let first = b.iter().position(|b| *b <= margin).unwrap_or(b.len());
        let Some(falls) = b.get(first..).filter(|rest| !rest.is_empty()) else {
            return Signs::Keep;
        };
        // From the first that is not on the side on, all are beyond zero.
        if first > 0 && falls.iter().all(|b| *b < -margin) {
            let change = b[first - 1] / (b[first - 1] - b[first]);
            return Signs::Once { at: ((first - 1) as f64 + change) / self.n as f64 };
        }
        Signs::Others
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
        Signs::Once { at } => Isolated::Within { low, high, guess: low + (high - low) * at },
        Signs::Others if halvings == 0 => Isolated::Unclear,
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

/// The root in [low, high], where σ p falls through zero once: Newton's method, kept within the bracket.
fn root(polynomial: &[f64], σ: f64, mut low: f64, mut high: f64, guess: f64) -> Crossing {
    let mut s = guess;
    for _ in 0..ITERATIONS_MAX {
        let (p, slope) = value_and_slope(polynomial, s);
        if σ * p > 0.0 {
            low = s;
        } else {
            high = s;
        }
        let newton = s - p / slope;
        let inside = newton > low && newton < high;
        if p == 0.0 || inside && (newton - s).abs() <= CLOSE * s {
            return Crossing::At { s: if inside { newton } else { s }, slope };
        }
        if high - low <= f64::EPSILON * high {
            return Crossing::At { s, slope };
        }
        s = if inside { newton } else { 0.5 * (low + high) };
    }
    Crossing::Unclear
}

#[cfg(test)]
mod tests {
    use super::{Crossing, first_crossing};

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
        let found = first_crossing(&p, side, leaves);
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

    /// A guard at zero that leaves it comes back.
    #[test]
    fn a_guard_that_leaves_zero_comes_back() {
        check(&[0.0, 0.6], true, Some(0.6));
        check(&[0.0, 1e-5, 4.0], true, Some(1e-5));
        check(&[0.0, 1.2], true, None);
    }

    #[test]
    fn a_touch_is_not_decided() {
        for roots in [&[0.4, 0.4][..], &[0.4, 0.4 + 1e-12], &[0.0, 0.0, 0.7]] {
            let p = with_roots(roots);
            let found = first_crossing(&p, 1.0, roots[0] == 0.0);
            assert_eq!(found, Crossing::Unclear, "{roots:?}: {p:?}");
        }
        assert_eq!(first_crossing(&[f64::NAN, 1.0], 1.0, false), Crossing::Unclear);
    }
}
