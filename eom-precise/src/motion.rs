//! The motion from a state on as a power series, and how far it holds.
//!
//! ```text
//! q̇ = S v        M v̇ − Rᵀλ = F − h,  A v̇ = −γ
//! [M −Rᵀ; A 0]₀ (v̇, λ)ₖ = (F − h, −γ)ₖ − Σ_{j≥1} [M −Rᵀ; A 0]ⱼ (v̇, λ)ₖ₋ⱼ        yₖ₊₁ = ẏₖ/(k + 1)
//! order N = 1 + ½ ln 1/ε;  h so that |y_N| h^N ≤ ε max(|y₀|, |y₁| h) of each entry and guard
//! ```
//!
//! Order and step are those of Jorba and Zou (2005), which cost least. Where terms are missing, as all of x⁶⁰ from x = 0 on up
//! to the order 60, the last ones tell nothing; so the slope of the polynomial at the end of a step is held against that of the
//! motion there, from which it is as far as what is left out.

use crate::graph::Node;
use crate::number::{Precision, Real, exp2, log2};
use crate::outline::Outline;
use crate::series::{NoValue, Series};
use crate::solve::Factored;

/// Steps are at most this long, in units of time, or times the time that has passed: a polynomial has no step of its own.
const STEP_MAX: f64 = 1024.0;

/// log₂ of how far apart slopes at the end of a step may be, times the step, in units of the tolerance: the terms that are
/// left out are some hundred times as steep as they are large.
const APART: f64 = 12.0;

/// A state of many digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// Time.
    pub t: Real,
    /// q, then v.
    pub y: Vec<Real>,
}

/// log₂ of the sizes of coefficients.
struct Logs {
    state: Vec<Vec<f64>>,
    /// Of each guard also that of the terms that it is a sum of.
    guards: Vec<(Vec<f64>, f64)>,
}

/// The motion from a state on.
#[derive(Debug)]
pub(crate) struct Motion<'o> {
    pub(crate) outline: &'o Outline,
    pub(crate) precision: Precision,
    /// Inputs, then parameters.
    pub(crate) fixed: Vec<Real>,
    order: usize,
    series: Series<'o>,
    /// yₖ of each entry, k up to the order.
    state: Vec<Vec<Real>>,
}

impl<'o> Motion<'o> {
    pub(crate) fn new(outline: &'o Outline, precision: Precision, fixed: Vec<Real>) -> Self {
        Self::of_order(precision.order(), outline, precision, fixed)
    }

    /// That of order 1: slopes alone.
    pub(crate) fn of_slopes(outline: &'o Outline, precision: Precision, fixed: Vec<Real>) -> Self {
        Self::of_order(1, outline, precision, fixed)
    }

    fn of_order(
        order: usize,
        outline: &'o Outline,
        precision: Precision,
        fixed: Vec<Real>,
    ) -> Self {
        let series = Series::new(&outline.graph, precision, (&outline.of_motion(), order));
        Self { outline, precision, fixed, order, series, state: Vec::new() }
    }

    /// Makes the series at a state.
    pub(crate) fn expand(&mut self, at: &Exact) -> Result<(), NoValue> {
        self.series.restart();
        self.state = at.y.iter().map(|entry| vec![entry.clone()]).collect();
        let mut solutions: Vec<Vec<Real>> = Vec::new();
        let mut factored = None;
        for k in 0..self.order {
            let given = self.given(&at.t, k);
            self.series.advance(k, &given)?;
            if k == 0 {
                let matrix = self.matrix(0);
                let size = self.outline.speeds + self.outline.rows.len();
                factored = Factored::of(self.precision, size, matrix);
            }
            let matrix = factored.as_ref();
            let matrix = matrix
                .ok_or_else(|| NoValue("a mass matrix or constraints that lose rank".to_owned()))?;
            let solution = matrix.solve(&self.right(k, &solutions));
            self.raise(k, &solution);
            solutions.push(solution);
        }
        // The guards' last coefficients.
        let given = self.given(&at.t, self.order);
        self.series.advance(self.order, &given)
    }

    /// What is given, of order k.
    fn given(&self, t: &Real, k: usize) -> Vec<Real> {
        let time = match k {
            0 => t.clone(),
            1 => self.precision.integer(1),
            _ => self.precision.zero(),
        };
        let state = self.state.iter().map(|entry| entry[k].clone());
        let zero = self.precision.zero();
        let fixed = self.fixed.iter().map(|value| if k == 0 { value } else { &zero }.clone());
        [time].into_iter().chain(state).chain(fixed).collect()
    }

    /// yₖ₊₁.
    fn raise(&mut self, k: usize, solution: &[Real]) {
        let next = self.precision.count(k + 1);
        let rates: Vec<Real> =
            self.outline.rates.iter().map(|rate| self.series.coefficient(*rate, k)).collect();
        let slopes = rates.iter().chain(&solution[..self.outline.speeds]);
        for (entry, slope) in self.state.iter_mut().zip(slopes) {
            let coefficient = slope.over(&next);
            entry.push(coefficient.unwrap_or_else(|| self.precision.zero()));
        }
    }

    /// [M −Rᵀ; A 0] of order j by rows.
    fn matrix(&self, j: usize) -> Vec<Real> {
        let Outline { speeds, mass, rows, reactions, .. } = self.outline;
        let mut entries = Vec::new();
        for i in 0..*speeds {
            entries.extend(mass[i].iter().map(|entry| self.series.coefficient(*entry, j)));
            entries.extend(reactions.iter().map(|row| -&self.series.coefficient(row[i], j)));
        }
        for row in rows {
            entries.extend(row.iter().map(|entry| self.series.coefficient(*entry, j)));
            entries.extend(rows.iter().map(|_| self.precision.zero()));
        }
        entries
    }

    /// (F − h, −γ)ₖ − Σ_{j≥1} [M −Rᵀ; A 0]ⱼ (v̇, λ)ₖ₋ⱼ.
    fn right(&self, k: usize, solutions: &[Vec<Real>]) -> Vec<Real> {
        let Outline { speeds, mass, rows, reactions, force, drift, .. } = self.outline;
        let mut right: Vec<Real> =
            force.iter().map(|node| self.series.coefficient(*node, k)).collect();
        right.extend(drift.iter().map(|node| -&self.series.coefficient(*node, k)));
        let mut take = |line: usize, node: Node, place: usize, is_minus: bool| {
            for j in 1..=k {
                let Some(entry) = self.series.at(node, j) else { break };
                let term = entry * &solutions[k - j][place];
                right[line] = if is_minus { &right[line] + &term } else { &right[line] - &term };
            }
        };
        for i in 0..*speeds {
            mass[i].iter().enumerate().for_each(|(place, node)| take(i, *node, place, false));
            let columns = reactions.iter().enumerate();
            columns.for_each(|(row, node)| take(i, node[i], speeds + row, true));
        }
        for (row, nodes) in rows.iter().enumerate() {
            nodes
                .iter()
                .enumerate()
                .for_each(|(place, node)| take(speeds + row, *node, place, false));
        }
        right
    }

    /// The longest step over which the series holds.
    pub(crate) fn step(&self, t: &Real, scales: &[f64]) -> f64 {
        let longest = log2(STEP_MAX * t.to_f64().abs().max(1.0));
        let of = |list: &[Real]| list.iter().map(Real::log2).collect::<Vec<f64>>();
        let sizes = self.sizes(scales);
        let guards = self.outline.guards();
        let logs = Logs {
            state: self.state.iter().map(|entry| of(entry)).collect(),
            guards: guards
                .iter()
                .map(|node| (of(self.series.list(*node)), log2(sizes[*node])))
                .collect(),
        };
        let (mut low, mut high) = (-1000.0, longest);
        if self.holds(&logs, high) {
            return exp2(high);
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if self.holds(&logs, middle) { low = middle } else { high = middle }
        }
        exp2(low)
    }

    /// Whether the last terms of all entries and guards are below the tolerance at a step of 2^η.
    fn holds(&self, logs: &Logs, η: f64) -> bool {
        // The terms behind the first may cancel: they say nothing of how large the sum is.
        let size = |list: &[f64]| {
            let first = list.iter().take(2).enumerate();
            first.map(|(k, log)| log + k as f64 * η).fold(f64::NEG_INFINITY, f64::max)
        };
        let is_small = |list: &[f64], allowed: f64| {
            let last = list.len().saturating_sub(2)..list.len();
            last.into_iter().filter(|k| *k > 1).all(|k| list[k] + k as f64 * η <= allowed)
        };
        let tolerance = self.precision.tolerance();
        let sizes: Vec<f64> = logs.state.iter().map(|list| size(list)).collect();
        let (positions, speeds) = sizes.split_at(self.outline.positions);
        let largest = |part: &[f64]| part.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let blocks = [largest(positions), largest(speeds)];
        let entries = logs.state.iter().zip(&sizes).enumerate();
        let mut entries = entries.map(|(index, (list, size))| {
            let block = blocks[usize::from(index >= self.outline.positions)];
            is_small(list, size.max(block + tolerance) + tolerance)
        });
        let mut guards = logs.guards.iter();
        entries.all(|small| small)
            && guards.all(|(list, terms)| is_small(list, size(list).max(*terms) + tolerance))
    }

    /// Whether the slopes after a time are those of the motion from there on, `slopes`.
    pub(crate) fn ends_with(&self, slopes: &Self, time: &Real) -> bool {
        let shift = time.log2();
        let of = |entry: &[Real]| entry[0].log2().max(entry[1].log2() + shift);
        let (positions, speeds) = self.state.split_at(self.outline.positions);
        let sizes = [positions, speeds]
            .map(|block| block.iter().map(|entry| of(entry)).fold(f64::NEG_INFINITY, f64::max));
        let entries = self.state.iter().zip(&slopes.state).enumerate();
        entries.into_iter().all(|(index, (entry, found))| {
            let slope = crate::guard::derivative(self.precision, entry);
            let apart = (&crate::guard::value(&slope, time) - &found[1]).log2() + shift;
            let size = sizes[usize::from(index >= self.outline.positions)];
            apart.is_nan() || apart <= size + self.precision.tolerance() + APART
        })
    }

    /// The state after a time within the step.
    pub(crate) fn after(&self, at: &Exact, time: &Real) -> Exact {
        let y = self.state.iter().map(|entry| crate::guard::value(entry, time)).collect();
        Exact { t: &at.t + time, y }
    }

    /// The coefficients of a value, scaled to a step of 1.
    pub(crate) fn scaled(&self, node: Node, step: &Real) -> Vec<Real> {
        let mut scale = self.precision.integer(1);
        let list = self.series.list(node).iter();
        list.map(|coefficient| {
            let scaled = coefficient * &scale;
            scale = &scale * step;
            scaled
        })
        .collect()
    }

    /// What rounding makes of values, by their places.
    pub(crate) fn sizes(&self, scales: &[f64]) -> Vec<f64> {
        self.series.sizes(scales)
    }
}
