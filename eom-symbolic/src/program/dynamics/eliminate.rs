//! Rows that give a velocity exactly are eliminated, not solved with a multiplier.
//!
//! Rows E A = Ã with a number as pivot, scaled to 1, give dependent accelerations D in the free
//! ones w; rows without such a pivot stay:
//!
//! ```text
//! v̇ = S w + p            Ã v̇ = −γ̃ with Ã_D = 1: p_D = −γ̃, S_D = −Ã_f, S_f = 1
//! G w − Ã'ᵀμ' = r        G = SᵀMS, r = Sᵀ(f − M p), Ã' w = −γ̃' of the rows that stay
//! μ_D = (M v̇ − f)_D      λ = Eᵀμ
//! ```
//!
//! G and r are simplified: with cos² + sin² = 1 the penny's G is diag(I + m R², J), and r is 0.

use super::solve::{Kkt, Method, solve};
use crate::mechanics::linear::dot;
use crate::node::ExprId;
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::program::lower::Lowering;
use crate::program::{Builder, Value};
use crate::simplify::{self, Simplifier};

/// Expressions of more symbols and operations are not simplified: a bound on the time it takes.
const SIMPLIFIED_SIZE_MAX: usize = 250;

/// M v̇ = f + Aᵀλ, A v̇ = −γ as expressions: n speeds, k rows.
#[derive(Debug, Clone)]
pub(in crate::program) struct Linear {
    pub(in crate::program) mass: Vec<Vec<ExprId>>,
    pub(in crate::program) rows: Vec<Vec<ExprId>>,
    pub(in crate::program) force: Vec<ExprId>,
    pub(in crate::program) drift: Vec<ExprId>,
}

/// A pool to make expressions in, with what is known of their shortest forms.
#[derive(Debug)]
pub(in crate::program) struct Algebra {
    pub(in crate::program) pool: ExprPool,
    pub(in crate::program) simplifier: Simplifier,
}

impl Algebra {
    pub(in crate::program) fn new(pool: &ExprPool) -> Self {
        Self { pool: pool.clone(), simplifier: Simplifier::default() }
    }

    /// The shortest form of what is not too long for it.
    pub(super) fn tidy(&mut self, e: ExprId) -> ExprId {
        if simplify::size(&self.pool, e) > SIMPLIFIED_SIZE_MAX {
            return e;
        }
        self.simplifier.simplify(&mut self.pool, e)
    }

    /// As a sum of terms, where it is not too long for it.
    pub(in crate::program) fn collected(&mut self, e: ExprId) -> ExprId {
        if simplify::size(&self.pool, e) > SIMPLIFIED_SIZE_MAX {
            return e;
        }
        self.simplifier.collected(&mut self.pool, e)
    }

    /// a − b·c, tidy.
    fn minus_product(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let product = self.pool.mul(b, c);
        let difference = self.pool.sub(a, product);
        self.tidy(difference)
    }
}

/// A row of Ã, γ̃ and E.
#[derive(Debug, Clone)]
struct Row {
    entries: Vec<ExprId>,
    drift: ExprId,
    combination: Vec<ExprId>,
    /// The column of its pivot.
    pivot: Option<usize>,
}

/// The reduced system; see the module.
#[derive(Debug)]
pub(in crate::program) struct Eliminated {
    rows: Vec<Row>,
    /// The free columns.
    free: Vec<usize>,
    /// G, r.
    mass: Vec<Vec<ExprId>>,
    force: Vec<ExprId>,
}

impl Eliminated {
    /// Eliminates the rows with a number as pivot; `None` where there is none.
    pub(in crate::program) fn new(algebra: &mut Algebra, system: &Linear) -> Option<Self> {
        let rows = eliminate(algebra, system);
        rows.iter().find(|row| row.pivot.is_some())?;
        let n = system.mass.len();
        let free: Vec<usize> =
            (0..n).filter(|j| rows.iter().all(|r| r.pivot != Some(*j))).collect();
        // S by columns, and p.
        let mut motion = vec![vec![ExprPool::ZERO; n]; free.len()];
        let mut offset = vec![ExprPool::ZERO; n];
        for (column, &j) in motion.iter_mut().zip(&free) {
            column[j] = ExprPool::ONE;
        }
        for row in &rows {
            let Some(dependent) = row.pivot else { continue };
            offset[dependent] = algebra.pool.neg(row.drift);
            for (column, &j) in motion.iter_mut().zip(&free) {
                column[dependent] = algebra.pool.neg(row.entries[j]);
            }
        }
        let moved: Vec<Vec<ExprId>> =
            motion.iter().map(|column| times(&mut algebra.pool, &system.mass, column)).collect();
        let inertia = times(&mut algebra.pool, &system.mass, &offset);
        let rest: Vec<ExprId> = system
            .force
            .iter()
            .zip(&inertia)
            .map(|(f, inertia)| algebra.pool.sub(*f, *inertia))
            .collect();
        let mut product = |left: &Vec<ExprId>, right: &Vec<ExprId>| {
            let entry = dot(&mut algebra.pool, left, right);
            algebra.tidy(entry)
        };
        let mut mass: Vec<Vec<ExprId>> = Vec::with_capacity(free.len());
        for left in &motion {
            mass.push(moved.iter().map(|right| product(left, right)).collect());
        }
        let force = motion.iter().map(|left| product(left, &rest)).collect();
        Some(Self { rows, free, mass, force })
    }

    /// v̇ and λ.
    pub(in crate::program) fn lower(
        &self,
        pool: &ExprPool,
        system: &Linear,
    ) -> (Builder, Vec<Value>, Vec<Value>) {
        let mut lowering = Lowering::new(pool);
        let (mass, force) = (lowering.matrix(&self.mass), lowering.list(&self.force));
        let mut list = |entries: &[ExprId]| lowering.list(entries);
        let of_rows = |row: &Row| self.free.iter().map(|j| row.entries[*j]).collect::<Vec<_>>();
        let entries: Vec<Vec<Value>> = self.rows.iter().map(|row| list(&of_rows(row))).collect();
        let drift: Vec<Value> = list(&self.rows.iter().map(|row| row.drift).collect::<Vec<_>>());
        let combination: Vec<Vec<Value>> =
            self.rows.iter().map(|row| list(&row.combination)).collect();
        let whole_mass: Vec<Vec<Value>> = system.mass.iter().map(|row| list(row)).collect();
        let whole_force = list(&system.force);
        let mut b = lowering.into_builder();
        let kept: Vec<usize> =
            (0..self.rows.len()).filter(|i| self.rows[*i].pivot.is_none()).collect();
        let kkt = Kkt {
            mass: &mass,
            rows: &kept.iter().map(|i| entries[*i].clone()).collect::<Vec<_>>(),
            force: &force,
            drift: &kept.iter().map(|i| drift[*i]).collect::<Vec<_>>(),
        };
        let (free, multipliers) = solve(&mut b, &kkt, Method::Cramer);
        let zero = b.constant(0.0);
        let mut accelerations = vec![zero; system.mass.len()];
        for (j, w) in self.free.iter().zip(&free) {
            accelerations[*j] = *w;
        }
        for (i, row) in self.rows.iter().enumerate() {
            let Some(dependent) = row.pivot else { continue };
            let moved = sum_of_products(&mut b, &entries[i], &free);
            let moved = b.add(moved, drift[i]);
            accelerations[dependent] = b.neg(moved);
        }
        let mut forces = vec![zero; self.rows.len()];
        for (i, multiplier) in kept.iter().zip(multipliers) {
            forces[*i] = multiplier;
        }
        for (i, row) in self.rows.iter().enumerate() {
            let Some(dependent) = row.pivot else { continue };
            let inertia = sum_of_products(&mut b, &whole_mass[dependent], &accelerations);
            forces[i] = b.sub(inertia, whole_force[dependent]);
        }
        let multipliers = (0..system.rows.len())
            .map(|j| {
                let column: Vec<Value> = combination.iter().map(|row| row[j]).collect();
                sum_of_products(&mut b, &column, &forces)
            })
            .collect();
        (b, accelerations, multipliers)
    }
}

/// Gauss–Jordan elimination with numbers as pivots.
fn eliminate(algebra: &mut Algebra, system: &Linear) -> Vec<Row> {
    let count = system.rows.len();
    let unit =
        |i: usize| (0..count).map(move |j| if i == j { ExprPool::ONE } else { ExprPool::ZERO });
    let mut rows: Vec<Row> = (0..count)
        .map(|i| Row {
            entries: system.rows[i].clone(),
            drift: system.drift[i],
            combination: unit(i).collect(),
            pivot: None,
        })
        .collect();
    while let Some((at, column)) = next_pivot(&algebra.pool, &rows, &system.mass) {
        scale_to_one(&mut algebra.pool, &mut rows[at], column);
        rows[at].pivot = Some(column);
        let by = rows[at].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row.entries[column];
            if i == at || factor == ExprPool::ZERO {
                continue;
            }
            for (entry, other) in row.entries.iter_mut().zip(&by.entries) {
                *entry = algebra.minus_product(*entry, factor, *other);
            }
            row.drift = algebra.minus_product(row.drift, factor, by.drift);
            for (entry, other) in row.combination.iter_mut().zip(&by.combination) {
                *entry = algebra.minus_product(*entry, factor, *other);
            }
        }
    }
    rows
}

/// A number that is not 0 in a row that has no pivot: in the column whose speed M couples with the
/// fewest others, the first among equals.
fn next_pivot(pool: &ExprPool, rows: &[Row], mass: &[Vec<ExprId>]) -> Option<(usize, usize)> {
    let coupled = |j: usize| mass[j].iter().filter(|entry| **entry != ExprPool::ZERO).count();
    let of_row = |(i, row): (usize, &Row)| {
        let columns = 0..row.entries.len();
        let numbers =
            columns.filter(|j| pool.as_number(row.entries[*j]).is_some_and(|n| !n.is_zero()));
        numbers.map(|j| (coupled(j), i, j)).min()
    };
    let open = rows.iter().enumerate().filter(|(_, row)| row.pivot.is_none());
    open.filter_map(of_row).min().map(|(_, i, j)| (i, j))
}

fn scale_to_one(pool: &mut ExprPool, row: &mut Row, column: usize) {
    let inverse = pool.as_number(row.entries[column]).and_then(Rational::recip);
    let inverse = inverse.map_or(ExprPool::ONE, |inverse| pool.number(&inverse));
    let entries = row.entries.iter_mut().chain(&mut row.combination).chain([&mut row.drift]);
    entries.for_each(|e| *e = pool.mul(*e, inverse));
}

fn times(pool: &mut ExprPool, matrix: &[Vec<ExprId>], x: &[ExprId]) -> Vec<ExprId> {
    matrix.iter().map(|row| dot(pool, row, x)).collect()
}

fn sum_of_products(b: &mut Builder, x: &[Value], y: &[Value]) -> Value {
    let mut sum = b.constant(0.0);
    for (x, y) in x.iter().zip(y) {
        let term = b.mul(*x, *y);
        sum = b.add(sum, term);
    }
    sum
}
