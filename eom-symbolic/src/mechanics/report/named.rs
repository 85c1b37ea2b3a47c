//! The equations of a system that is too large for them to be written out, in names of their parts:
//!
//! ```text
//! Σ M_ij v̇_j + h_i = F_i + Σ A_ri λ_r
//! v = S v_f + c,  v̇ = S v̇_f + κ                      by elimination on A v + b = 0, A v̇ + γ = 0
//! K = M S,  k = M κ + h − F
//! G v̇_f + β = 0                                      G = SᵀK, β = Sᵀk
//! λ = A_D⁻ᵀ (K v̇_f + k)_D
//! ```

use super::naming::{Definition, Naming, Parts};
use super::{Line, Reporter};
use crate::mechanics::linear::dot;
use crate::mechanics::reduce::Equation;
use crate::node::{ExprId, SymbolId};
use crate::pool::ExprPool;

/// M, h, F, A, b, γ in names.
pub(super) struct Named {
    pub(super) naming: Naming,
    pub(super) definitions: Vec<Definition>,
    pub(super) mass: Vec<Vec<ExprId>>,
    pub(super) bias: Vec<ExprId>,
    pub(super) force: Vec<ExprId>,
    pub(super) rows: Vec<Vec<ExprId>>,
    pub(super) reactions: Vec<Vec<ExprId>>,
    pub(super) affine: Vec<ExprId>,
    pub(super) drift: Vec<ExprId>,
}

/// What is to have a name.
#[derive(Default)]
pub(super) struct Wanted(Vec<(String, ExprId)>);

impl Wanted {
    pub(super) fn push(&mut self, name: String, value: ExprId) {
        self.0.push((name, value));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Reporter<'_> {
    /// The functions of the equations in names; `None` where even these are too large.
    pub(super) fn named_functions(&mut self) -> Option<Named> {
        let n = self.model.speeds.len();
        let (speeds, rows) = self.indices();
        let letters = self.letters.of_functions;
        let equations = self.equations;
        let mut wanted = Wanted::default();
        for (r, row) in rows.iter().enumerate() {
            for (i, entry) in equations.rows[r].iter().enumerate() {
                wanted.push(format!("{}_{row}_{}", letters.row, speeds[i]), *entry);
            }
            let reactions = equations.reactions[r].iter().enumerate();
            for (i, entry) in reactions.filter(|_| equations.is_coupled()) {
                wanted.push(format!("{}_{row}_{}", letters.reaction, speeds[i]), *entry);
            }
            wanted.push(format!("{}_{row}", letters.offset), equations.affine[r]);
        }
        for i in 0..n {
            for j in 0..=i {
                let name = format!("{}_{}_{}", letters.mass, speeds[j], speeds[i]);
                wanted.push(name, equations.mass[i][j]);
            }
        }
        for (i, speed) in speeds.iter().enumerate() {
            wanted.push(format!("{}_{speed}", letters.bias), equations.bias[i]);
            wanted.push(format!("{}_{speed}", letters.force), equations.force[i]);
        }
        for (r, row) in rows.iter().enumerate() {
            wanted.push(format!("{}_{row}", letters.drift), equations.drift[r]);
        }
        let mut naming = Naming::default();
        let Parts { definitions, values, .. } = self.named_parts(&mut naming, &wanted)?;
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(ExprPool::ZERO);
        let mut named = Named {
            naming,
            definitions,
            mass: vec![vec![ExprPool::ZERO; n]; n],
            bias: Vec::new(),
            force: Vec::new(),
            rows: Vec::new(),
            reactions: Vec::new(),
            affine: Vec::new(),
            drift: Vec::new(),
        };
        for (at, _) in rows.iter().enumerate() {
            named.rows.push((0..n).map(|_| next()).collect());
            let reactions = match equations.is_coupled() {
                true => (0..n).map(|_| next()).collect(),
                false => named.rows[at].clone(),
            };
            named.reactions.push(reactions);
            named.affine.push(next());
        }
        for i in 0..n {
            for j in 0..=i {
                let entry = next();
                named.mass[i][j] = entry;
                named.mass[j][i] = entry;
            }
        }
        for _ in 0..n {
            named.bias.push(next());
            named.force.push(next());
        }
        named.drift.extend(rows.iter().map(|_| next()));
        Some(named)
    }

    pub(super) fn named_parts(&mut self, naming: &mut Naming, wanted: &Wanted) -> Option<Parts> {
        let letter = self.letters.of_functions.part;
        let made = &mut self.parts_made;
        let mut next = || {
            *made += 1;
            format!("{letter}_{made}")
        };
        naming.parts(&mut self.model.pool, &mut self.simplifier, &wanted.0, &mut next)
    }

    /// The names of speeds and rows as they stand in an index.
    pub(super) fn indices(&self) -> (Vec<String>, Vec<String>) {
        let plain = |name: &str| name.replace(['[', '.'], "_").replace([']', ','], "");
        let speeds = self.model.speeds.iter().map(|s| plain(&s.named.name)).collect();
        (speeds, self.model.rows.iter().map(|r| plain(&r.named.name)).collect())
    }

    /// A line for each name.
    pub(super) fn defined_names(&self, definitions: &[Definition]) -> Vec<Line> {
        definitions.iter().map(|d| self.local_line(d.name, d.value)).collect()
    }

    /// A v + b = 0 in names, one a row.
    pub(super) fn named_rows(&mut self, named: &Named) -> Vec<ExprId> {
        let velocities = self.velocities();
        let rows = named.rows.iter().zip(&named.affine);
        rows.map(|(row, affine)| {
            let moved = dot(&mut self.model.pool, row, &velocities);
            self.model.pool.add(moved, *affine)
        })
        .collect()
    }

    pub(super) fn velocities(&mut self) -> Vec<ExprId> {
        let velocities = self.model.velocities();
        velocities.into_iter().map(|v| self.model.pool.symbol_expr(v)).collect()
    }

    pub(super) fn accelerations(&mut self) -> Vec<ExprId> {
        let symbols: Vec<SymbolId> = self.model.speeds.iter().map(|s| s.acceleration).collect();
        symbols.into_iter().map(|s| self.model.pool.symbol_expr(s)).collect()
    }

    /// M v̇ + h = F + Aᵀλ in names.
    pub(super) fn named_equations(&mut self, named: &Named) -> Vec<Line> {
        let accelerations = self.accelerations();
        let rows = 0..self.model.rows.len();
        let multipliers: Vec<SymbolId> = rows.filter_map(|row| self.multiplier(row)).collect();
        let multipliers: Vec<ExprId> =
            multipliers.into_iter().map(|symbol| self.model.pool.symbol_expr(symbol)).collect();
        let mut lines = Vec::new();
        for i in 0..accelerations.len() {
            let pool = &mut self.model.pool;
            let inertia = dot(pool, &named.mass[i], &accelerations);
            let left = pool.add(inertia, named.bias[i]);
            let column: Vec<ExprId> = named.reactions.iter().map(|row| row[i]).collect();
            let reaction = dot(pool, &column, &multipliers);
            let right = pool.add(named.force[i], reaction);
            lines.push(self.equation("", Equation { left, right }));
        }
        lines
    }
}
