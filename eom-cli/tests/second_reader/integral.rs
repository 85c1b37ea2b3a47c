//! Integrals of strings: meval evaluates the integrand at the nodes of Gauss and Legendre on boxes that
//! are halved along each of their sides where they are not fine enough.
//!
//! A side that passes 0 is halved there: the documents have the corner of |s| at 0, and a corner beside
//! the end of a side would lie between the nodes of many halves.
//!
//! A box is left where its halves give the same to a part of the whole ∫|e|: 10⁻¹³ for one variable,
//! 10⁻⁹ for more, where friction has a point at which its direction is not defined. What the
//! halves changed is added to what the roundings of the claim are measured by, so that a claim
//! with double integrals is read to about 10⁻⁸ of ∫|e|.

use super::TOLERANCE;
use super::results::sized;
use super::strings::{Form, Strings, sized_number};
use super::translate::{Reader, unread};
use eom_cli::numbers::Formula;
use eom_codegen::ast::{ExprKind, Total};

/// Nodes along a side.
const NODES: usize = 8;

/// How often a box is halved before an integral counts as not there.
const DEPTH: usize = 50;

/// What halves may change, as a part of ∫|e|, by the number of variables.
const fn fine(variables: usize) -> f64 {
    if variables == 1 { 1e-13 } else { 1e-9 }
}

/// What all halves together may have changed, as a part of ∫|e|.
const ERROR: f64 = 1e-6;

/// ∫ e and ∫ |e|.
#[derive(Clone, Copy, Default)]
struct Integral {
    value: f64,
    magnitude: f64,
}

impl Reader<'_> {
    /// An integral, or integrals directly within integrals over a box.
    pub(super) fn integral(&mut self, total: &Total) -> Result<Form, String> {
        if !self.bound.is_empty() {
            return Err("an integral within an integrand".to_owned());
        }
        let (mut inner, mut sides, mut variables) = (total, Vec::new(), Vec::new());
        loop {
            let ends = [&inner.range.first, &inner.range.last];
            let [first, last] = ends.map(|end| self.scalar(end));
            sides.push([first?.value, last?.value]);
            let key = inner.index.name().key;
            variables.push((key.clone(), format!("bound_{key}")));
            match &inner.term.kind {
                ExprKind::Integral(next) => inner = next,
                _ => break,
            }
        }
        self.bound.clone_from(&variables);
        let form = self.form(&inner.term);
        self.bound.clear();
        let form = form?;
        let names: Vec<String> = variables.into_iter().map(|(_, name)| name).collect();
        let entries = form.entries();
        let entries = entries.iter().map(|entry| self.over(entry, &names, &sides));
        Ok(form.with(entries.collect::<Result<_, _>>()?))
    }

    /// ∫ over a box.
    fn over(
        &self,
        integrand: &Strings,
        names: &[String],
        sides: &[[f64; 2]],
    ) -> Result<Strings, String> {
        debug_assert!(names.iter().all(|name| !self.scope.knows(&sized(name))));
        let formula = self.scope.ascii(&integrand.value).map_err(unread)?;
        let rule = Rule { formula, names, nodes: gauss_legendre(NODES) };
        let mut open = Vec::new();
        for part in halves(sides, true) {
            open.push((rule.over(&part)?, part, 0));
        }
        let whole: f64 = open.iter().map(|(part, ..)| part.magnitude).sum();
        let (mut found, mut error) = (Integral::default(), 0.0);
        while let Some((coarse, sides, depth)) = open.pop() {
            let halves = halves(&sides, false);
            let finer = halves.iter().map(|half| rule.over(half)).collect::<Result<Vec<_>, _>>()?;
            let change = coarse.value - finer.iter().map(|half| half.value).sum::<f64>();
            if change.abs() <= fine(names.len()) * whole {
                error += change.abs();
                found.value += finer.iter().map(|half| half.value).sum::<f64>();
                found.magnitude += finer.iter().map(|half| half.magnitude).sum::<f64>();
            } else if depth < DEPTH {
                open.extend(
                    finer.into_iter().zip(halves).map(|(fine, half)| (fine, half, depth + 1)),
                );
            } else {
                return Err("an integral that does not converge".to_owned());
            }
        }
        if error > ERROR * found.magnitude {
            return Err("an integral that does not converge".to_owned());
        }
        Ok(sized_number(found.value, found.magnitude + error / TOLERANCE))
    }
}

/// The parts of a box that is halved along each side: in the middle, or at 0 where it passes 0.
fn halves(sides: &[[f64; 2]], at_zero: bool) -> Vec<Vec<[f64; 2]>> {
    let mut parts = vec![Vec::new()];
    for [first, last] in sides {
        let passes = at_zero && first * last < 0.0;
        let middle = if passes { 0.0 } else { f64::midpoint(*first, *last) };
        let longer = |part: &Vec<[f64; 2]>, side| [part.as_slice(), &[side]].concat();
        parts = parts
            .iter()
            .flat_map(|part| [longer(part, [*first, middle]), longer(part, [middle, *last])])
            .collect();
    }
    parts
}

/// An integrand with the nodes and weights on [−1, 1].
struct Rule<'a> {
    formula: Formula<'a>,
    names: &'a [String],
    nodes: Vec<[f64; 2]>,
}

impl Rule<'_> {
    /// The product rule on a box.
    fn over(&self, sides: &[[f64; 2]]) -> Result<Integral, String> {
        let mut sum = Integral::default();
        let mut point: Vec<(String, f64)> =
            self.names.iter().map(|name| (name.clone(), 0.0)).collect();
        for code in 0..self.nodes.len().pow(sides.len() as u32) {
            let (mut rest, mut weight) = (code, 1.0);
            for ((_, x), [first, last]) in point.iter_mut().zip(sides) {
                let [node, share] = self.nodes[rest % self.nodes.len()];
                rest /= self.nodes.len();
                *x = f64::midpoint(*first, *last) + (last - first) / 2.0 * node;
                weight *= (last - first) / 2.0 * share;
            }
            let value = weight * self.formula.at(&point).map_err(unread)?;
            sum.value += value;
            sum.magnitude += value.abs();
        }
        Ok(sum)
    }
}

/// Nodes and weights on [−1, 1]: the zeros of P_n by Newton, w = 2/((1 − x²) P_n′(x)²).
fn gauss_legendre(n: usize) -> Vec<[f64; 2]> {
    let node = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 0.0;
        for _ in 0..10 {
            // (k + 1) P_{k+1} = (2k + 1) x P_k − k P_{k−1}
            let (mut before, mut here) = (1.0, x);
            for k in 1..n {
                let k = k as f64;
                (before, here) = (here, ((2.0 * k + 1.0) * x * here - k * before) / (k + 1.0));
            }
            slope = n as f64 * (x * here - before) / (x * x - 1.0);
            x -= here / slope;
        }
        [x, 2.0 / ((1.0 - x * x) * slope * slope)]
    };
    (0..n).map(node).collect()
}
