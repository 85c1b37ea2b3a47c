//! The reduced equations in names: elimination on named rows, which divides by named pivots and simplifies nothing.

use super::functions::{Named, Wanted};
use super::naming::{Naming, Parts};
use super::{Line, Reporter};
use crate::mechanics::closed_forms::reduce::{Equation, Omitted};
use crate::mechanics::linear::dot;
use crate::name;
use crate::node::{ExprId, SymbolId};
use crate::pool::ExprPool;
use crate::simplify::{Level, level_of};

/// The rows solved for dependent velocities.
struct Solved {
    /// The places of rows by which dependent velocities are given, and of these velocities.
    pivots: Vec<(usize, usize)>,
    free: Vec<usize>,
    /// The pivots, which must not vanish.
    conditions: Vec<ExprId>,
    redundant: Vec<usize>,
    rows: Vec<Row>,
}

/// Σ entries·v + affine = 0 and Σ entries·v̇ + drift = 0, a combination of the declared rows.
#[derive(Clone)]
struct Row {
    entries: Vec<ExprId>,
    affine: ExprId,
    drift: ExprId,
    combination: Vec<ExprId>,
}

/// S, c, κ, K, k, and the entries of A_D⁻¹, in names.
struct Motion {
    /// n×f.
    map: Vec<Vec<ExprId>>,
    drift: Vec<ExprId>,
    /// A row for each pivot, with a column for each row of A.
    inverse: Vec<Vec<ExprId>>,
    /// K, n×f.
    momenta: Vec<Vec<ExprId>>,
    /// k.
    pushes: Vec<ExprId>,
    /// The places of the free velocities.
    free: Vec<usize>,
}

/// G, β and the free speeds.
type Reduced = (Vec<Vec<ExprId>>, Vec<ExprId>, Vec<usize>);

/// The lines of a reduction.
#[derive(Default)]
pub(super) struct NamedLines {
    /// The free velocities.
    pub(super) free: Vec<SymbolId>,
    pub(super) reduced: Vec<Line>,
    /// Those of the free velocities, where they were asked for.
    pub(super) accelerations: Vec<Line>,
    pub(super) multipliers: Vec<Line>,
}

impl Row {
    fn all(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let lists = self.entries.iter_mut().chain(&mut self.combination);
        lists.chain([&mut self.affine, &mut self.drift])
    }

    /// self − factor·by.
    fn subtract(&mut self, pool: &mut ExprPool, factor: ExprId, mut by: Self) {
        for (entry, by) in self.all().zip(by.all()) {
            let product = pool.mul(factor, *by);
            *entry = pool.sub(*entry, product);
        }
    }
}

impl Reporter<'_> {
    /// The reduced equations and the multipliers; the accelerations of the free velocities where they are asked for.
    pub(super) fn named_reduction(
        &mut self,
        named: &mut Named,
        solve: bool,
    ) -> Result<NamedLines, Omitted> {
        if self.equations.is_coupled() {
            return Err(Omitted::Forces);
        }
        if let Some(row) = self.model.chetaev_row() {
            return Err(Omitted::Nonlinear { row });
        }
        let too_large = Omitted::Coupled { count: self.model.speeds.len() };
        let solved = self.eliminated(named)?;
        let mut lines = NamedLines::default();
        let motion = self.named_motion(named, &solved, &mut lines).ok_or(too_large)?;
        let accelerations = self.named_reduced(named, &motion, &mut lines).ok_or(too_large)?;
        if solve {
            self.named_accelerations(named, accelerations, &mut lines).ok_or(too_large)?;
        }
        lines.free = motion.free.iter().map(|free| self.model.speeds[*free].velocity).collect();
        let multipliers = self.named_multipliers(&mut named.naming, &solved, &motion);
        lines.multipliers.extend(multipliers);
        Ok(lines)
    }

    /// v̇_f = −G⁻¹β by elimination; G is positive definite.
    fn named_accelerations(
        &mut self,
        named: &mut Named,
        (mut mass, mut bias, free): Reduced,
        lines: &mut NamedLines,
    ) -> Option<()> {
        let pool = &mut self.model.pool;
        let n = free.len();
        for k in 0..n {
            let inverse = pool.powi(mass[k][k], -1);
            for i in k + 1..n {
                let factor = pool.mul(mass[i][k], inverse);
                for j in k + 1..n {
                    let product = pool.mul(factor, mass[k][j]);
                    mass[i][j] = pool.sub(mass[i][j], product);
                }
                let product = pool.mul(factor, bias[k]);
                bias[i] = pool.sub(bias[i], product);
            }
        }
        let mut solved = vec![ExprPool::ZERO; n];
        for k in (0..n).rev() {
            let known = dot(pool, mass[k].get(k + 1..)?, solved.get(k + 1..)?);
            let pushed = pool.add(bias[k], known);
            let quotient = pool.div(pushed, mass[k][k]);
            solved[k] = pool.neg(quotient);
        }
        let mut wanted = Wanted::default();
        for (free, value) in free.iter().zip(solved).rev() {
            let speed = &self.model.speeds[*free];
            wanted.push(name::dotted(&speed.named.name, speed.dots + 1), value);
        }
        let parts = self.named_parts(&mut named.naming, &wanted)?;
        lines.accelerations = self.defined_names(&parts.definitions);
        // What is short has no name of its own.
        for (free, value) in free.iter().rev().zip(&parts.values) {
            if parts.definitions.iter().all(|definition| definition.name != *value) {
                let left = self.symbol_text(self.model.speeds[*free].acceleration);
                let line = self.line("", left, *value);
                lines.accelerations.push(line);
            }
        }
        Some(())
    }

    /// Gauss–Jordan elimination. A pivot is a number before one of parameters before others, in the order of rows and
    /// columns.
    fn eliminated(&mut self, named: &Named) -> Result<Solved, Omitted> {
        let (n, k) = (self.model.speeds.len(), named.rows.len());
        let unit = |r: usize| {
            let entry = |i: usize| if i == r { ExprPool::ONE } else { ExprPool::ZERO };
            (0..k).map(entry).collect()
        };
        let row = |r: usize| Row {
            entries: named.rows[r].clone(),
            affine: named.affine[r],
            drift: named.drift[r],
            combination: unit(r),
        };
        let mut rows: Vec<Row> = (0..k).map(row).collect();
        let (mut pivots, mut conditions) = (Vec::new(), Vec::new());
        let chosen = self.model.free.clone();
        let pool = &mut self.model.pool;
        while let Some((r, c)) = next_pivot(pool, &named.naming, &rows, &pivots, &chosen) {
            let entry = rows[r].entries[c];
            let inverse = pool.powi(entry, -1);
            rows[r].all().for_each(|e| *e = pool.mul(*e, inverse));
            rows[r].entries[c] = ExprPool::ONE;
            for other in (0..k).filter(|other| *other != r) {
                let (factor, by) = (rows[other].entries[c], rows[r].clone());
                if factor != ExprPool::ZERO {
                    rows[other].subtract(pool, factor, by);
                    let zero = |e: &&mut ExprId| named.naming.is_zero(pool, **e);
                    rows[other].all().filter(zero).for_each(|e| *e = ExprPool::ZERO);
                }
            }
            if pool.as_number(entry).is_none() {
                conditions.push(entry);
            }
            pivots.push((r, c));
        }
        let redundant: Vec<usize> =
            (0..k).filter(|r| pivots.iter().all(|pivot| pivot.0 != *r)).collect();
        if let Some(&row) = redundant.iter().find(|r| rows[**r].affine != ExprPool::ZERO) {
            return Err(Omitted::Contradiction { row });
        }
        let free = (0..n).filter(|c| pivots.iter().all(|pivot| pivot.1 != *c)).collect();
        Ok(Solved { pivots, free, conditions, redundant, rows })
    }

    /// S, c, κ and A_D⁻¹ under names, K and k; lines for the dependent velocities and accelerations.
    fn named_motion(
        &mut self,
        named: &mut Named,
        solved: &Solved,
        lines: &mut NamedLines,
    ) -> Option<Motion> {
        let letters = self.letters.of_functions;
        let (speeds, rows) = self.indices();
        let mut wanted = Wanted::default();
        let pool = &mut self.model.pool;
        for &(r, c) in &solved.pivots {
            let row = &solved.rows[r];
            for &f in &solved.free {
                let name = format!("{}_{}_{}", letters.map, speeds[c], speeds[f]);
                wanted.push(name, pool.neg(row.entries[f]));
            }
            wanted.push(format!("{}_{}", letters.free_offset, speeds[c]), pool.neg(row.affine));
            wanted.push(format!("{}_{}", letters.free_drift, speeds[c]), pool.neg(row.drift));
        }
        for (at, condition) in solved.conditions.iter().enumerate() {
            wanted.push(format!("{}_{}", letters.pivot, at + 1), *condition);
        }
        let first = wanted.len();
        for &(r, c) in &solved.pivots {
            for (entry, row) in solved.rows[r].combination.iter().zip(&rows) {
                wanted.push(format!("{}_{}_{row}", letters.inverse, speeds[c]), *entry);
            }
        }
        let Parts { definitions, values, ends } = self.named_parts(&mut named.naming, &wanted)?;
        let before = first.checked_sub(1).and_then(|at| ends.get(at)).copied().unwrap_or(0);
        lines.reduced.extend(self.defined_names(definitions.get(..before)?));
        lines.multipliers.extend(self.defined_names(definitions.get(before..)?));
        let lines = &mut lines.reduced;
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(ExprPool::ZERO);
        let (n, f) = (speeds.len(), solved.free.len());
        let mut motion = Motion {
            map: vec![vec![ExprPool::ZERO; f]; n],
            drift: vec![ExprPool::ZERO; n],
            inverse: Vec::new(),
            momenta: Vec::new(),
            pushes: Vec::new(),
            free: solved.free.clone(),
        };
        let mut offset = vec![ExprPool::ZERO; n];
        for (at, &c) in solved.free.iter().enumerate() {
            motion.map[c][at] = ExprPool::ONE;
        }
        for &(_, c) in &solved.pivots {
            motion.map[c] = (0..f).map(|_| next()).collect();
            offset[c] = next();
            motion.drift[c] = next();
        }
        let conditions: Vec<ExprId> = solved.conditions.iter().map(|_| next()).collect();
        for _ in &solved.pivots {
            motion.inverse.push(rows.iter().map(|_| next()).collect());
        }
        let (v, a) = (self.velocities(), self.accelerations());
        for (of, added) in [(&v, &offset), (&a, &motion.drift)] {
            let moving: Vec<ExprId> = solved.free.iter().map(|f| of[*f]).collect();
            for &(_, c) in &solved.pivots {
                let moved = dot(&mut self.model.pool, &motion.map[c], &moving);
                let right = self.model.pool.add(moved, added[c]);
                lines.push(self.equation("", Equation { left: of[c], right }));
            }
        }
        lines.extend(self.conditions(&conditions));
        for row in &solved.redundant {
            let name = &self.model.rows[*row].named.name;
            lines.push(Line::note(&format!("the row {name} follows from the others")));
        }
        self.named_momenta(named, &mut motion, lines)?;
        Some(motion)
    }

    /// K = M S, k = M κ + h − F.
    fn named_momenta(
        &mut self,
        named: &mut Named,
        motion: &mut Motion,
        lines: &mut Vec<Line>,
    ) -> Option<()> {
        let letters = self.letters.of_functions;
        let (speeds, _) = self.indices();
        let pool = &mut self.model.pool;
        let mut wanted = Wanted::default();
        for (i, speed) in speeds.iter().enumerate() {
            for (j, free) in motion.free.iter().enumerate() {
                let column: Vec<ExprId> = motion.map.iter().map(|row| row[j]).collect();
                let name = format!("{}_{speed}_{}", letters.momentum, speeds[*free]);
                wanted.push(name, dot(pool, &named.mass[i], &column));
            }
            let drift = dot(pool, &named.mass[i], &motion.drift);
            let terms = [drift, named.bias[i], pool.neg(named.force[i])];
            wanted.push(format!("{}_{speed}", letters.push), pool.sum_of(&terms));
        }
        let Parts { definitions, values, .. } = self.named_parts(&mut named.naming, &wanted)?;
        lines.extend(self.defined_names(&definitions));
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(ExprPool::ZERO);
        for _ in &speeds {
            motion.momenta.push(motion.free.iter().map(|_| next()).collect());
            motion.pushes.push(next());
        }
        Some(())
    }

    /// G v̇_f + β = 0, G = SᵀK, β = Sᵀk.
    fn named_reduced(
        &mut self,
        named: &mut Named,
        motion: &Motion,
        lines: &mut NamedLines,
    ) -> Option<Reduced> {
        let letters = self.letters.of_functions;
        let (speeds, _) = self.indices();
        let pool = &mut self.model.pool;
        let f = motion.free.len();
        let column =
            |of: &[Vec<ExprId>], j: usize| -> Vec<ExprId> { of.iter().map(|row| row[j]).collect() };
        let mut wanted = Wanted::default();
        for (i, free) in motion.free.iter().enumerate() {
            let direction = column(&motion.map, i);
            for j in 0..=i {
                let other = &speeds[motion.free[j]];
                let name = format!("{}_{other}_{}", letters.reduced_mass, speeds[*free]);
                wanted.push(name, dot(pool, &direction, &column(&motion.momenta, j)));
            }
            let name = format!("{}_{}", letters.reduced_bias, speeds[*free]);
            wanted.push(name, dot(pool, &direction, &motion.pushes));
        }
        let Parts { definitions, values, .. } = self.named_parts(&mut named.naming, &wanted)?;
        lines.reduced.extend(self.defined_names(&definitions));
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(ExprPool::ZERO);
        let (mut mass, mut bias) = (vec![vec![ExprPool::ZERO; f]; f], Vec::new());
        for i in 0..f {
            for j in 0..=i {
                let entry = next();
                mass[i][j] = entry;
                mass[j][i] = entry;
            }
            bias.push(next());
        }
        let accelerations = self.accelerations();
        let free: Vec<ExprId> = motion.free.iter().map(|c| accelerations[*c]).collect();
        for (row, bias) in mass.iter().zip(&bias) {
            let inertia = dot(&mut self.model.pool, row, &free);
            let left = self.model.pool.add(inertia, *bias);
            lines.reduced.push(self.equation("", Equation { left, right: ExprPool::ZERO }));
        }
        Some((mass, bias, motion.free.clone()))
    }

    /// λ = A_D⁻ᵀ R, R = (K v̇_f + k)_D.
    fn named_multipliers(
        &mut self,
        naming: &mut Naming,
        solved: &Solved,
        motion: &Motion,
    ) -> Vec<Line> {
        let accelerations = self.accelerations();
        let free: Vec<ExprId> = motion.free.iter().map(|c| accelerations[*c]).collect();
        let (speeds, _) = self.indices();
        let mut reactions = Vec::with_capacity(solved.pivots.len());
        let mut lines = Vec::new();
        for &(_, c) in &solved.pivots {
            let inertia = dot(&mut self.model.pool, &motion.momenta[c], &free);
            let push = self.model.pool.add(inertia, motion.pushes[c]);
            let name = format!("{}_{}", self.letters.of_functions.pull, speeds[c]);
            let symbol = naming.symbol(&mut self.model.pool, &name, push);
            lines.push(self.local_line(symbol, push).defining());
            reactions.push(symbol);
        }
        for row in 0..self.model.rows.len() {
            let column: Vec<ExprId> = motion.inverse.iter().map(|of| of[row]).collect();
            let value = dot(&mut self.model.pool, &column, &reactions);
            if let Some(symbol) = self.multiplier(row) {
                let left = self.symbol_text(symbol);
                lines.push(self.line("", left, value));
            }
        }
        lines
    }
}

/// The simplest entry of a row without a pivot that is not 0, what is small at the start last; of equals one of the row
/// with the fewest others. Columns that are free by choice have none.
fn next_pivot(
    pool: &ExprPool,
    naming: &Naming,
    rows: &[Row],
    pivots: &[(usize, usize)],
    chosen: &[usize],
) -> Option<(usize, usize)> {
    let open = (0..rows.len()).filter(|r| pivots.iter().all(|pivot| pivot.0 != *r));
    let mut best: Option<(u8, usize, usize, usize)> = None;
    for r in open {
        let entries = rows[r].entries.iter().enumerate();
        let entries: Vec<(usize, ExprId)> = entries
            .filter(|(c, e)| **e != ExprPool::ZERO && !chosen.contains(c))
            .map(|(c, e)| (c, *e))
            .collect();
        let sizes: Vec<f64> =
            entries.iter().map(|(_, e)| naming.at_start(pool, *e).abs()).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let count = entries.len();
        for ((c, entry), size) in entries.into_iter().zip(sizes) {
            let difficulty = difficulty(pool, entry);
            let small = difficulty == OF_STATE && size < SMALL * largest;
            let found = (difficulty + u8::from(small), count, r, c);
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    best.map(|(_, _, r, c)| (r, c))
}

/// The difficulty of an entry that depends on the state.
const OF_STATE: u8 = 2;

/// An entry below this part of the largest of its row counts as small.
const SMALL: f64 = 0.1;

/// 0 for a number, 1 for an expression of parameters, 2 for others.
fn difficulty(pool: &ExprPool, entry: ExprId) -> u8 {
    match level_of(pool, entry) {
        _ if pool.as_number(entry).is_some() => 0,
        Level::Parameter => 1,
        _ => OF_STATE,
    }
}
