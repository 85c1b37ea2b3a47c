//! The lines of a contact that has rows of its own, releases rows of A or assigns velocities.
//!
//! ```text
//! J = M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹        P = J B        v⁺ = v⁻ − J diag(1+eᵢ)(B v⁻ + b)
//! ```
//!
//! Rows of A vanish on v⁻, so that only those of the contact are in v⁺.

use super::super::claim::jets::Jets;
use super::super::claim::sample::{Functions, Sampler};
use super::super::closed_forms::reduce::Omitted;
use super::super::lagrange::equations::ContactEquations;
use super::super::linear::{dot, inverse, transposed};
use super::super::system::contact::{Contact, Law};
use super::contact::{PROJECTOR_MAX, row_of_b};
use super::letters::Local;
use super::{Line, Printed, Reporter};
use crate::name::{Name, Side};
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;

/// The seed of the states on which the rank of B is looked at.
const RANK_SEED: u64 = 0x0B_4A4B;

/// A row of B under its name.
struct Row {
    name: String,
    coefficients: Vec<ExprId>,
    affine: ExprId,
    /// 1 + e.
    factor: ExprId,
}

impl Reporter<'_> {
    /// Where a contact fires, what it releases.
    pub(super) fn armed_where(&self, declared: &Contact) -> Vec<Line> {
        let mut lines = Vec::new();
        if !declared.when.is_empty() {
            lines.push(Line::note(&format!("it fires where {}", declared.when_text)));
        }
        if !declared.releases.is_empty() {
            let rows =
                declared.releases.iter().map(|row| self.model.rows[*row].named.name.as_str());
            let rows: Vec<&str> = rows.collect();
            lines.push(Line::note(&format!("it releases {}", rows.join(", "))));
        }
        lines
    }

    /// What is exchanged after the impact map.
    pub(super) fn exchanges(&self, declared: &Contact) -> Option<Line> {
        let name = |index: usize| self.model.coordinates[index].named.name.as_str();
        let pairs = declared.relabel.iter().map(|&(a, b)| format!("{} ↔ {}", name(a), name(b)));
        let pairs: Vec<String> = pairs.collect();
        let text = format!("then {}, with their velocities", pairs.join(", "));
        (!pairs.is_empty()).then(|| Line::note(&text))
    }

    /// Rows, P and v⁺.
    pub(super) fn impact_with_rows(
        &mut self,
        index: usize,
        declared: &Contact,
        contact: &ContactEquations,
    ) -> Vec<Line> {
        let names = std::mem::take(&mut self.names);
        self.names = names.at_impact();
        let mut lines = Vec::new();
        let k = self.model.rows.len();
        let dropped = self.always_dropped(index);
        let (mut taken, mut first) = (Vec::new(), 0);
        for place in declared.rows_of_b(k) {
            let row = self.row(place, declared, contact);
            let form = self.one_form(&row.coefficients, row.affine);
            let form = self.simplifier.collected(&mut self.model.pool, form);
            lines.push(self.line("", row_of_b(&row.name), form));
            if dropped.contains(&place) {
                let text = format!("B[{}] depends on the rows before it: it is left out", row.name);
                lines.push(Line::note(&text));
                continue;
            }
            first += usize::from(place < k);
            taken.push(row);
        }
        if dropped.contains(&k) {
            lines.push(Line::note("omitted: the constraints hold the gap fixed"));
        } else if declared.law == Law::Assign {
            self.assigned(declared, &mut lines);
        } else {
            match self.lifted(&taken) {
                Ok(lift) => {
                    self.projector_of(&taken, &lift, &mut lines);
                    self.velocities_with_rows(&taken[first..], &lift, first, declared, &mut lines);
                }
                Err(reason) => lines.push(self.omitted(reason)),
            }
        }
        self.names = names;
        lines
    }

    /// The rows of B that depend on the others at every state.
    fn always_dropped(&self, contact: usize) -> Vec<usize> {
        let (mut model, mut equations) = (self.model.clone(), self.equations.clone());
        if model.pool.has_functions() {
            let mut pool = std::mem::take(&mut model.pool);
            Jets::default().free(&mut pool, &mut model, &mut equations);
            model.pool = pool;
        }
        let functions = Functions::new(&mut model, &equations);
        Sampler::new(&model, &functions, RANK_SEED).always_dropped(contact)
    }

    /// The row of B at a place among A, ∇g and the contact's own.
    fn row(&mut self, place: usize, declared: &Contact, contact: &ContactEquations) -> Row {
        let k = self.model.rows.len();
        let pool = &mut self.model.pool;
        let e = declared.law.restitutions().unwrap_or([ExprPool::ZERO; 3]);
        let [_, normal, tangential] = e.map(|e| pool.add(ExprPool::ONE, e));
        match place.checked_sub(k) {
            None => Row {
                name: self.model.rows[place].named.name.clone(),
                coefficients: self.equations.rows[place].clone(),
                affine: self.equations.affine[place],
                factor: ExprPool::ONE,
            },
            Some(0) => Row {
                name: declared.named.name.clone(),
                coefficients: contact.gradient.clone(),
                affine: contact.rate,
                factor: normal,
            },
            Some(own) => Row {
                name: format!("{}.{}", declared.named.name, declared.rows[own - 1].named.name),
                coefficients: contact.rows[own - 1].coefficients.clone(),
                affine: contact.rows[own - 1].affine,
                factor: tangential,
            },
        }
    }

    /// J, n×r.
    fn lifted(&mut self, rows: &[Row]) -> Result<Vec<Vec<ExprId>>, Omitted> {
        let pool = &mut self.model.pool;
        let mass = self.equations.mass.entries(pool);
        let mass = inverse(pool, &mass, &mut self.simplifier)?;
        let raised: Vec<Vec<ExprId>> = rows
            .iter()
            .map(|row| mass.iter().map(|m| dot(pool, m, &row.coefficients)).collect())
            .collect();
        let mut gram = Vec::new();
        for row in rows {
            let entries: Vec<ExprId> =
                raised.iter().map(|w| dot(pool, &row.coefficients, w)).collect();
            let entries = entries.into_iter().map(|e| self.simplifier.simplify(pool, e));
            gram.push(entries.collect::<Vec<_>>());
        }
        let gram = inverse(pool, &gram, &mut self.simplifier)?;
        let n = mass.len();
        let columns = transposed(&raised, n);
        let mut lift = Vec::new();
        for column in &columns {
            let entries: Vec<ExprId> = gram.iter().map(|g| dot(pool, column, g)).collect();
            let entries = entries.into_iter().map(|e| self.simplifier.simplify(pool, e));
            lift.push(entries.collect());
        }
        Ok(lift)
    }

    /// P = J B, entry by entry.
    fn projector_of(&mut self, rows: &[Row], lift: &[Vec<ExprId>], lines: &mut Vec<Line>) {
        let n = lift.len();
        if n > PROJECTOR_MAX {
            lines.push(Line::note(&format!("omitted: P has {n}×{n} entries")));
            return;
        }
        lines.push(Line::Note(Printed::pair(
            "P = J B, J = M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹",
            r"P = J B,\quad J = M^{-1} B^{T} (B M^{-1} B^{T})^{-1}",
        )));
        for (i, entries) in lift.iter().enumerate() {
            for j in 0..n {
                let column: Vec<ExprId> = rows.iter().map(|row| row.coefficients[j]).collect();
                let entry = dot(&mut self.model.pool, entries, &column);
                let entry = self.simplify(entry);
                let left = self.entry_of("P", i, j);
                lines.push(self.line("", left, entry));
            }
        }
    }

    /// v⁺ by the rates of the contact's rows.
    fn velocities_with_rows(
        &mut self,
        rows: &[Row],
        lift: &[Vec<ExprId>],
        first: usize,
        declared: &Contact,
        lines: &mut Vec<Line>,
    ) {
        if declared.law == Law::Project {
            lines.push(self.letters.note(
                "v⁺ = (1 − P_A)(1 − 2 P_«g») v⁻, with P_«g» and P_A as P, of ∇«g» and of the other rows",
                r"v^{+} = (1 - P_A)(1 - 2 P_{«g»}) v^{-}",
            ));
            return;
        }
        lines.push(Line::Note(Printed::pair(
            "v⁺ = v⁻ − J diag(1 + eᵢ)(B v⁻ + b)",
            r"v^{+} = v^{-} - J\, \mathrm{diag}(1 + e_i)(B v^{-} + b)",
        )));
        let mut jumps = Vec::new();
        for (position, row) in rows.iter().enumerate() {
            let mut rate = row.affine;
            for (c, v) in row.coefficients.iter().zip(self.model.velocities()) {
                let v = self.model.pool.symbol_expr(v);
                let term = self.model.pool.mul(*c, v);
                rate = self.model.pool.add(rate, term);
            }
            let local = if position == 0 { Local::GapRate } else { Local::Slip(position) };
            let named = self.local(local);
            lines.push(self.local_line(named, rate));
            jumps.push(self.model.pool.mul(row.factor, named));
        }
        for (i, entries) in lift.iter().enumerate() {
            let velocity = self.model.speeds[i].velocity;
            let pool = &mut self.model.pool;
            let before = pool.symbol_expr(velocity);
            let jump = dot(pool, &entries[first..], &jumps);
            let value = pool.sub(before, jump);
            let left = self.after(i);
            lines.push(self.line("", left, value));
        }
    }

    /// v⁺ as the contact assigns it.
    fn assigned(&mut self, declared: &Contact, lines: &mut Vec<Line>) {
        for (index, value) in &declared.assigned {
            let value = self.simplify(*value);
            let left = self.after(*index);
            lines.push(self.line("", left, value));
        }
        lines.push(Line::note("other velocities stay"));
    }

    /// ẋ⁺.
    fn after(&mut self, index: usize) -> Printed {
        let speed = &self.model.speeds[index];
        let name = Name { dots: speed.dots, side: Side::Plus, ..Name::parse(&speed.named.name) };
        let symbol = self.model.pool.symbol(SymbolKind::VelocityAfter(index), &name.unicode());
        self.symbol_text(symbol)
    }

    /// `P[x, y]`.
    fn entry_of(&self, matrix: &str, i: usize, j: usize) -> Printed {
        let (a, b) = (&self.model.speeds[i].named.name, &self.model.speeds[j].named.name);
        Printed::pair(
            format!("{matrix}[{a}, {b}]"),
            format!("{matrix}_{{{},{}}}", self.names.latex(a, 0), self.names.latex(b, 0)),
        )
    }
}
