//! The equations of a system that is too large for them to be written out, in names of their parts:
//!
//! ```text
//! Σ M_ij v̇_j + h_i = F_i + Σ A_ri λ_r
//! v = S v_f + c,  v̇ = S v̇_f + κ                      by elimination on A v + b = 0, A v̇ + γ = 0
//! K = M S,  k = M κ + h − F
//! G v̇_f + β = 0                                      G = SᵀK, β = Sᵀk
//! λ = A_D⁻ᵀ (K v̇_f + k)_D
//! ```

use super::functions::{Named, Wanted, mass_and_bias};
use super::naming::{Definition, Naming, Parts};
use super::{Line, Reporter};
use crate::mechanics::closed_forms::reduce::Equation;
use crate::mechanics::lagrange::quadratic::Quadratic;
use crate::mechanics::linear::dot;
use crate::mechanics::system::declared::RowKind;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::{self, Level, level_of};
use crate::subst::Substitution;

impl Reporter<'_> {
    /// The functions of the equations in names; `None` where even these are too large.
    pub(super) fn named_functions(&mut self) -> Option<Named> {
        // Nobody reads what has so many entries.
        if !self.equations.mass.has_entries() {
            return None;
        }
        let n = self.model.speeds.len();
        let (speeds, rows) = self.indices();
        let letters = &self.letters.of_functions.clone();
        let equations = self.equations;
        let mut naming = self.naming_of_lets();
        let quadratic = Quadratic::of(&mut self.model);
        let rates = self.row_rates();
        let mass = equations.mass.entries(&mut self.model.pool);
        let mut wanted = Wanted::default();
        match &quadratic {
            Some(quadratic) => wanted.push_forms(quadratic, &speeds, letters),
            None => wanted.push_mass(&mass, &equations.bias, &speeds, letters),
        }
        for (r, row) in rows.iter().enumerate() {
            for (i, entry) in equations.rows[r].iter().enumerate() {
                wanted.push(format!("{}_{row}_{}", letters.row, speeds[i]), *entry);
            }
            let reactions = equations.reactions[r].iter().enumerate();
            for (i, entry) in reactions.filter(|_| equations.is_coupled()) {
                wanted.push(format!("{}_{row}_{}", letters.reaction, speeds[i]), *entry);
            }
            wanted.push(format!("{}_{row}", letters.offset), equations.affine[r]);
            wanted.push(format!("{}_{row}", letters.drift), rates[r]);
        }
        for (i, speed) in speeds.iter().enumerate() {
            wanted.push(format!("{}_{speed}", letters.force), equations.force[i]);
        }
        let Parts { mut definitions, values, .. } = self.named_parts(&mut naming, &wanted)?;
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(ExprPool::ZERO);
        let mut list = |count: usize| (0..count).map(|_| next()).collect::<Vec<_>>();
        let forms = quadratic.map(|quadratic| quadratic.rewritten(&mut list));
        let entries = if forms.is_none() { list(n * (n + 1) / 2 + n) } else { Vec::new() };
        let (mut named_rows, mut reactions) = (Vec::new(), Vec::new());
        let (mut affine, mut drift) = (Vec::new(), Vec::new());
        for _ in &rows {
            named_rows.push(list(n));
            reactions.push(if equations.is_coupled() { list(n) } else { Vec::new() });
            affine.extend(list(1));
            drift.extend(list(1));
        }
        let force = list(n);
        let entries = match forms {
            None => entries,
            Some(forms) => {
                let mut wanted = Wanted::default();
                let (mass, bias) = forms.mass_and_bias(&mut self.model);
                wanted.push_mass(&mass, &bias, &speeds, letters);
                let parts = self.named_parts(&mut naming, &wanted)?;
                definitions.extend(parts.definitions);
                parts.values
            }
        };
        let (mass, bias) = mass_and_bias(&entries, n);
        if !equations.is_coupled() {
            reactions.clone_from(&named_rows);
        }
        let rows = named_rows;
        Some(Named { naming, definitions, mass, bias, force, rows, reactions, affine, drift })
    }

    /// γ of the rows as they are declared, whose velocities have names: D of A v + b at frozen v.
    fn row_rates(&mut self) -> Vec<ExprId> {
        let velocities = self.velocities();
        let pool = &mut self.model.pool;
        let mut differentials = Vec::new();
        for (i, v) in velocities.into_iter().enumerate() {
            differentials.extend(pool.find_symbol(SymbolKind::Differential(i)).map(|s| (s, v)));
        }
        let dt = pool.find_symbol(SymbolKind::TimeDifferential);
        differentials.extend(dt.map(|dt| (dt, ExprPool::ONE)));
        let mut in_velocities = Substitution::new(differentials);
        let mut time = self.model.time_direction();
        let rows: Vec<(RowKind, ExprId)> =
            self.model.rows.iter().map(|row| (row.kind, row.declared)).collect();
        let pool = &mut self.model.pool;
        let rates = rows.into_iter().map(|(kind, declared)| {
            let rate = match kind {
                RowKind::Velocity | RowKind::Chetaev => in_velocities.apply(pool, declared),
                RowKind::Holonomic { .. } => time.derivative(pool, declared),
            };
            time.derivative(pool, rate)
        });
        rates.collect()
    }

    /// The names of the declaration that come back in print.
    fn naming_of_lets(&mut self) -> Naming {
        let lets = self.model.lets.iter().map(|declared| declared.value);
        let roots: Vec<ExprId> = self.equations.functions().chain(lets).collect();
        let mut naming = Naming::new(&self.model, &roots);
        let mut time = self.model.time_direction();
        for declared in self.model.lets.clone() {
            let rate = match level_of(&self.model.pool, declared.value) {
                Level::State => Some(time.derivative(&mut self.model.pool, declared.value)),
                _ => None,
            };
            for value in [Some(declared.value), rate].into_iter().flatten() {
                let name = self.names.let_of(value).map(|label| label.unicode.clone());
                if let Some(name) = name.filter(|_| simplify::size(&self.model.pool, value) > 2) {
                    naming.leaf(&mut self.model.pool, &name, value);
                }
            }
        }
        naming
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
        definitions.iter().map(|d| self.local_line(d.name, d.value).defining()).collect()
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
