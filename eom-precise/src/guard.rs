//! The first root of a guard over a step, or that there is none: decided on its power series.
//!
//! ```text
//! p(s) = Σ pₖ sᵏ on [0, 1], σ its side at 0
//! |p₀| > Σ_{k≥1} |pₖ|             no root
//! |p₁| > Σ_{k≥2} k |pₖ|           p rises or falls: a root where the side at 1 is another
//! 2|p₂| > Σ_{k≥3} k(k−1) |pₖ|     p has one extremum at most: its value says whether p crosses, twice, or not
//! else                            both halves
//! ```
//!
//! A value at an extremum within ρ of 0, the rounding of the guard, decides nothing.

use crate::number::{Precision, Real};

/// Halvings of a step before it is given up.
const DEPTH_MAX: u32 = 200;

/// A part of a bound that its own rounding in doubles takes.
const MARGIN: f64 = 1e-9;

/// What is known of a guard on a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// It keeps its side.
    Keeps,
    /// It crosses first at this part of the step.
    Crosses(Real),
    /// It comes to zero here, to rounding, and turns back, or is too close to it to be told.
    Undecided { at: Real, value: Real },
}

/// The guard over a step: its coefficients, scaled to a step of 1.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) precision: Precision,
    /// −1 or 1.
    pub(crate) side: i8,
    /// ρ.
    pub(crate) rounding: f64,
    /// By which power of s the guard was divided, as it leaves zero at the start.
    pub(crate) power: usize,
}

/// p on a part of the step, scaled to [0, 1].
struct Piece {
    coefficients: Vec<Real>,
    /// Where it begins, and how long it is.
    from: Real,
    width: Real,
    depth: u32,
}

impl Scan {
    /// ρ of what is left of the guard, at a part of the step.
    fn rounding_at(&self, at: &Real) -> f64 {
        match self.power {
            0 => self.rounding,
            _ if at.is_zero() => 0.0,
            power => (0..power).fold(self.rounding, |rounding, _| rounding / at.to_f64()),
        }
    }

    /// The first crossing.
    pub(crate) fn first(&self, coefficients: &[Real]) -> Verdict {
        let whole = Piece {
            coefficients: coefficients.to_vec(),
            from: self.precision.zero(),
            width: self.precision.integer(1),
            depth: 0,
        };
        let mut open = vec![whole];
        while let Some(piece) = open.pop() {
            match self.of_piece(&piece) {
                Some(Verdict::Keeps) => {}
                Some(found) => return found,
                None if piece.depth >= DEPTH_MAX => {
                    let value = piece.coefficients[0].clone();
                    return Verdict::Undecided { at: piece.from, value };
                }
                None => {
                    let [left, right] = self.halves(&piece);
                    open.extend([right, left]);
                }
            }
        }
        Verdict::Keeps
    }

    /// The verdict on a piece, if it can be told without halving it.
    fn of_piece(&self, piece: &Piece) -> Option<Verdict> {
        let p = &piece.coefficients;
        let sizes: Vec<f64> = p.iter().map(|p| p.to_f64().abs()).collect();
        let weighted = |from: usize, weight: &dyn Fn(f64) -> f64| -> f64 {
            let terms = sizes.iter().enumerate().skip(from);
            terms.map(|(k, size)| weight(k as f64) * size).sum::<f64>() * (1.0 + MARGIN)
        };
        let is_inside = p[0].sign() == self.side;
        if is_inside && sizes[0] > weighted(1, &|_| 1.0) + self.rounding_at(&piece.from) {
            return Some(Verdict::Keeps);
        }
        let [second, third] = [1, 2].map(|k| sizes.get(k).copied().unwrap_or(0.0));
        if second > weighted(2, &|k| k) {
            return Some(self.monotone(piece, &self.precision.integer(1)));
        }
        if 2.0 * third > weighted(3, &|k| k * (k - 1.0)) {
            return Some(self.convex(piece));
        }
        None
    }

    /// Of a piece up to a place on which p rises or falls.
    fn monotone(&self, piece: &Piece, to: &Real) -> Verdict {
        let p = &piece.coefficients;
        if p[0].sign() != self.side {
            return Verdict::Crosses(piece.from.clone());
        }
        if value(p, to).sign() == self.side {
            return Verdict::Keeps;
        }
        let (zero, wanted) = (self.precision.zero(), -self.side);
        let root = self.root(p, &derivative(self.precision, p), (&zero, to), wanted);
        Verdict::Crosses(&piece.from + &(&piece.width * &root))
    }

    /// Of a piece on which p has one extremum at most.
    fn convex(&self, piece: &Piece) -> Verdict {
        let p = &piece.coefficients;
        let one = self.precision.integer(1);
        let slope = derivative(self.precision, p);
        let (first, last) = (slope[0].sign(), value(&slope, &one).sign());
        if first * last >= 0 {
            return self.monotone(piece, &one);
        }
        let bend = derivative(self.precision, &slope);
        let place = self.root(&slope, &bend, (&self.precision.zero(), &one), last);
        // From the extremum on p goes back to the side of its start, or leaves it.
        if first == self.side {
            return match self.monotone(piece, &place) {
                Verdict::Keeps => self.monotone(piece, &one),
                crosses => crosses,
            };
        }
        let least = value(p, &place);
        let depth = least.to_f64();
        let is_inside = p[0].sign() == self.side;
        let at = &piece.from + &(&piece.width * &place);
        if depth.abs() <= self.rounding_at(&at) && is_inside {
            let value = (0..self.power).fold(least, |value, _| &value * &at);
            return Verdict::Undecided { at, value };
        }
        self.monotone(piece, &place)
    }

    /// The root of p between two places where it has other signs, `wanted` the one behind; p′ has one sign there.
    fn root(&self, p: &[Real], slope: &[Real], (low, high): (&Real, &Real), wanted: i8) -> Real {
        let half = self.half();
        let (mut low, mut high) = (low.clone(), high.clone());
        let mut place = &(&low + &high) * &half;
        // Newton's steps double the digits, halvings are for where they lead outside.
        for _ in 0..2 * self.precision.digits() + 200 {
            let here = value(p, &place);
            if here.sign() == wanted {
                high = place.clone();
            } else {
                low = place.clone();
            }
            if here.is_zero() {
                break;
            }
            let step = here.over(&value(slope, &place));
            let next = step.map(|step| &place - &step).filter(|next| low < *next && *next < high);
            let next = next.unwrap_or_else(|| &(&low + &high) * &half);
            let moved = (&next - &place).log2();
            place = next;
            if moved < self.precision.tolerance() - 16.0 {
                break;
            }
        }
        place
    }

    fn half(&self) -> Real {
        self.precision
            .rational(&eom_symbolic::Rational::new(1, 2).unwrap_or(eom_symbolic::Rational::ONE))
    }

    /// p(s/2), and p(s/2 + 1/2) by adding up its coefficients again and again.
    fn halves(&self, piece: &Piece) -> [Piece; 2] {
        let half = self.half();
        let mut scale = self.precision.integer(1);
        let mut left = Vec::with_capacity(piece.coefficients.len());
        for coefficient in &piece.coefficients {
            left.push(coefficient * &scale);
            scale = &scale * &half;
        }
        let mut right = left.clone();
        let n = right.len();
        for i in 0..n {
            for k in (i..n - 1).rev() {
                right[k] = &right[k] + &right[k + 1];
            }
        }
        let width = &piece.width * &half;
        let depth = piece.depth + 1;
        let from = &piece.from + &width;
        let left =
            Piece { coefficients: left, from: piece.from.clone(), width: width.clone(), depth };
        [left, Piece { coefficients: right, from, width, depth }]
    }
}

/// p(s).
pub(crate) fn value(p: &[Real], s: &Real) -> Real {
    let mut terms = p.iter().rev();
    let Some(last) = terms.next() else { return s.clone() };
    terms.fold(last.clone(), |sum, coefficient| &(&sum * s) + coefficient)
}

/// p′.
pub(crate) fn derivative(precision: Precision, p: &[Real]) -> Vec<Real> {
    let terms = p.iter().enumerate().skip(1);
    let mut slope: Vec<Real> = terms.map(|(k, p)| &precision.count(k) * p).collect();
    if slope.is_empty() {
        slope.push(precision.zero());
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(texts: &[&str]) -> Verdict {
        let precision = Precision::new(40).unwrap();
        let p: Vec<Real> = texts.iter().map(|text| precision.decimal(text).unwrap()).collect();
        Scan { precision, side: 1, rounding: 1e-38, power: 0 }.first(&p)
    }

    #[test]
    fn first_roots_are_found() {
        // (1 − 2s)(1 − 3s/2) and (1/3 − s)² ± δ.
        let Verdict::Crosses(root) = scan(&["1", "-3.5", "3"]) else { panic!() };
        assert_eq!(root.to_digits(40), "5e-1");
        let third = "-6.666666666666666666666666666666666666666666666666666667e-1";
        let above = "1.1111111111111111111111111111121111111111111111111111111e-1";
        assert_eq!(scan(&[above, third, "1"]), Verdict::Keeps);
        let below = "1.1111111111111111111111111111101111111111111111111111111e-1";
        let Verdict::Crosses(root) = scan(&[below, third, "1"]) else { panic!() };
        // δ = 10⁻³¹: the first root is 1/3 − √δ.
        assert!((root.to_f64() - (1.0 / 3.0 - 1e-31_f64.sqrt())).abs() < 1e-15);
        let touching = "1.1111111111111111111111111111111111111111111111111111111e-1";
        assert!(matches!(scan(&[touching, third, "1"]), Verdict::Undecided { .. }));
        assert_eq!(scan(&["1", "0", "-1e-1"]), Verdict::Keeps);
        let Verdict::Crosses(root) = scan(&["1e-1", "1", "-4"]) else { panic!() };
        assert!((root.to_f64() - (1.0 + 2.6_f64.sqrt()) / 8.0).abs() < 1e-15);
    }

    /// The Chebyshev polynomial of degree 9 on [0, 1] less 1.01 and less 0.99: no root, and a pair of close ones first.
    #[test]
    fn close_pairs_are_told_apart() {
        // T₉(2s − 1) in powers of s.
        let t: [i64; 10] =
            [-1, 162, -4320, 44352, -228_096, 658_944, -1_118_208, 1_105_920, -589_824, 131_072];
        let of = |shift: &str| {
            let mut texts: Vec<String> = t.iter().map(|c| (-c).to_string()).collect();
            texts[0] = shift.to_owned();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            scan(&texts)
        };
        assert_eq!(of("2.01"), Verdict::Keeps);
        let Verdict::Crosses(root) = of("1.99") else { panic!() };
        let angle = (0.99_f64).acos();
        // cos 9θ = 0.99 first where 9θ = 8π + acos 0.99.
        let wanted = f64::midpoint(1.0, ((8.0 * std::f64::consts::PI + angle) / 9.0).cos());
        assert!((root.to_f64() - wanted).abs() < 1e-14, "{} {wanted}", root.to_f64());
    }
}
