//! The lines of a contact: its rows, projector and velocities after the impact.

use super::super::closed_forms::impact::{Impact, Metric, impact, jump, jump_factor, metric};
use super::super::closed_forms::reduce::{Omitted, Reduction};
use super::super::lagrange::equations::ContactEquations;
use super::super::linear::{dot, transposed};
use super::super::system::contact::{ImpactOf, Law};
use super::letters::{Local, letter};
use super::{ContactText, Line, Printed, Reporter};
use crate::name::{self, Name, Side};
use crate::node::{ExprId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::print::{Names, escaped};
use crate::simplify;

/// P is printed for up to this many speeds.
pub(super) const PROJECTOR_MAX: usize = 8;

/// A denominator of a larger [`size`](simplify::size) that occurs twice is printed once, as D.
const DENOMINATOR_SIZE_MAX: usize = 24;

/// w and d as the names under which they were printed.
struct Abbreviated {
    w: Vec<ExprId>,
    d: ExprId,
}

impl Reporter<'_> {
    /// The gaps are printed in the names as declared, the rest in those of what is derived.
    pub(super) fn impacts(
        &mut self,
        reduction: Result<Reduction, Omitted>,
        declared_names: &Names,
    ) -> Vec<ContactText> {
        if self.equations.contacts.is_empty() {
            return Vec::new();
        }
        let closed = reduction.and_then(|reduction| {
            let metric =
                metric(&mut self.model.pool, self.equations, &reduction, &mut self.simplifier)?;
            Ok((reduction, metric))
        });
        let contacts = self.model.contacts.clone();
        contacts
            .iter()
            .zip(&self.equations.contacts)
            .enumerate()
            .map(|(index, (declared, contact))| {
                let gap = self.print_as(contact.gap, declared_names);
                let mut lines = vec![Line::equation_of(letter(self.letters.gap), gap)];
                if declared.dissipation != ExprPool::ZERO {
                    let dissipation = self.print_as(declared.dissipation, declared_names);
                    lines.push(Line::equation_of(letter(self.letters.dissipation), dissipation));
                }
                lines.extend(self.armed_where(declared));
                lines.extend(self.borne(index, declared, declared_names));
                let plain = declared.rows.is_empty() && declared.releases.is_empty();
                match &closed {
                    _ if !self.model.row_frictions.is_empty() => lines.push(Line::note(&format!(
                        "impact, {} along the normal, with the friction of the constraints in proportion to their impulses",
                        declared.law_text
                    ))),
                    _ if !declared.frictions.is_empty() => {
                        for friction in &declared.frictions {
                            let of = (index, declared);
                            lines.extend(self.friction(of, friction, declared_names));
                        }
                    }
                    _ if !declared.borne.is_empty() => {}
                    _ if !plain || declared.law == Law::Assign => {
                        lines.extend(self.impact_with_rows(index, declared, contact));
                    }
                    Ok((reduction, metric)) => {
                        let named = (declared.named.name.as_str(), declared.law);
                        lines.extend(self.impact(contact, named, reduction, metric));
                    }
                    Err(reason) => lines.push(self.omitted(*reason)),
                }
                lines.extend(self.exchanges(declared));
                ContactText { name: declared.named.name.clone(), law: declared.whole_law(), lines }
            })
            .collect()
    }

    fn impact(
        &mut self,
        contact: &ContactEquations,
        (name, law): (&str, Law),
        reduction: &Reduction,
        metric: &Metric,
    ) -> Vec<Line> {
        let closed = impact(
            &mut self.model,
            self.equations,
            contact,
            reduction,
            metric,
            &mut self.simplifier,
        );
        let names = std::mem::take(&mut self.names);
        self.names = names.at_impact();
        let mut lines = self.rows_of_b();
        if simplify::is_zero(&mut self.model.pool, closed.square) == Some(true) {
            lines.push(Line::note("omitted: the constraints hold the gap fixed"));
        } else {
            let gradient = self.gradient_row(&closed, name, contact.rate, &mut lines);
            let abbreviated = self.abbreviate(&closed, &gradient, reduction, metric, &mut lines);
            self.projector(&closed, metric, &abbreviated, &mut lines);
            self.velocities_after(&closed, &abbreviated, law, &mut lines);
        }
        self.names = names;
        lines
    }

    /// The rows of A, as rows of B: one-forms in the differentials.
    fn rows_of_b(&mut self) -> Vec<Line> {
        let rows = self.model.rows.clone();
        let mut lines = Vec::new();
        for row in &rows {
            let value = self.one_form(&row.coefficients, row.affine);
            let value = self.simplifier.collected(&mut self.model.pool, value);
            lines.push(self.line("", row_of_b(&row.named.name), value));
        }
        lines
    }

    /// Σ coefficientᵢ dqᵢ + rate dt.
    pub(super) fn one_form(&mut self, coefficients: &[ExprId], rate: ExprId) -> ExprId {
        let pool = &mut self.model.pool;
        let dt = pool.symbol(SymbolKind::TimeDifferential, "dt");
        let dt = pool.symbol_expr(dt);
        let mut form = pool.mul(rate, dt);
        for (i, coefficient) in coefficients.iter().enumerate() {
            let differential = name::differential(&self.model.speeds[i].named.name);
            let pool = &mut self.model.pool;
            let symbol = pool.symbol(SymbolKind::Differential(i), &differential);
            let symbol = pool.symbol_expr(symbol);
            let term = pool.mul(*coefficient, symbol);
            form = pool.add(form, term);
        }
        form
    }

    /// Lines for the partial derivatives of g, for dg and for ġ; returns the names of the first.
    fn gradient_row(
        &mut self,
        closed: &Impact,
        contact: &str,
        rate: ExprId,
        lines: &mut Vec<Line>,
    ) -> Vec<ExprId> {
        let n = self.model.speeds.len();
        let mut gradient = Vec::with_capacity(n);
        for (i, value) in closed.gradient.iter().copied().enumerate() {
            gradient.push(self.named(Local::Gradient(i), value, lines));
        }
        let differential = self.one_form(&gradient, rate);
        lines.push(self.line("", row_of_b(contact), differential));
        let mut gap_rate = rate;
        for (g, v) in gradient.iter().zip(self.model.velocities()) {
            let v = self.model.pool.symbol_expr(v);
            let term = self.model.pool.mul(*g, v);
            gap_rate = self.model.pool.add(gap_rate, term);
        }
        let gap = self.letters.gap;
        let left = Printed::pair(name::dotted(gap, 1), name::latex_dotted(gap, 1));
        lines.push(self.line("", left, gap_rate));
        gradient
    }

    /// Lines for n, w and d, each in the names of the one before; returns those of w and d. What
    /// vanishes with the values of the names put in has no line: it is 0.
    fn abbreviate(
        &mut self,
        closed: &Impact,
        gradient: &[ExprId],
        reduction: &Reduction,
        metric: &Metric,
        lines: &mut Vec<Line>,
    ) -> Abbreviated {
        let n = self.model.speeds.len();
        lines.push(self.letters.note(
            "«n» = ∇«g» S, «w» = S (SᵀMS)⁻¹ «n»ᵀ, «d» = ∇«g»·«w»",
            r"«n» = \nabla «g»\, S,\quad «w» = S (S^{T} M S)^{-1} «n»^{T},\quad «d» = \nabla «g» \cdot «w»",
        ));
        let columns = transposed(&reduction.map, reduction.free.len());
        let mut reduced = Vec::with_capacity(columns.len());
        for ((column, free), full) in
            columns.iter().zip(&reduction.free).zip(&closed.reduced_gradient)
        {
            let value = dot(&mut self.model.pool, gradient, column);
            let value = self.simplifier.collected(&mut self.model.pool, value);
            let value = self.zero_with(*full, value);
            reduced.push(self.named(Local::Reduced(free.coordinate, &free.name), value, lines));
        }
        let mut direction = jump(&mut self.model.pool, metric, &reduced, &mut self.simplifier);
        for (value, full) in direction.iter_mut().zip(&closed.direction) {
            *value = self.zero_with(*full, *value);
        }
        self.name_denominators(&direction, metric, lines);
        let mut w = Vec::with_capacity(n);
        for (i, value) in direction.iter().copied().enumerate() {
            w.push(self.named(Local::Direction(i), value, lines));
        }
        let pool = &mut self.model.pool;
        let free: Vec<ExprId> =
            reduction.free.iter().map(|f| dot(pool, &f.row, &direction)).collect();
        let square = dot(&mut self.model.pool, &reduced, &free);
        let square = self.simplify(square);
        let d = self.local(Local::Square);
        lines.push(self.local_line(d, square));
        Abbreviated { w, d }
    }

    /// `value`, or 0 where `full`, the same without names of this report, is 0.
    fn zero_with(&mut self, full: ExprId, value: ExprId) -> ExprId {
        let zero = simplify::is_zero(&mut self.model.pool, full) == Some(true);
        if zero { ExprPool::ZERO } else { value }
    }

    /// `value`, or the one of 0, 1 and −1 that `full` is, as in [`Self::zero_with`].
    fn unit_with(&mut self, full: ExprId, value: ExprId) -> ExprId {
        let pool = &mut self.model.pool;
        for number in [ExprPool::ZERO, ExprPool::ONE, ExprPool::MINUS_ONE] {
            let difference = pool.sub(full, number);
            if simplify::is_zero(pool, difference) == Some(true) {
                return number;
            }
        }
        value
    }

    /// A line for each long sum by which more than one entry of w or P is divided; from here on
    /// it prints as its name.
    fn name_denominators(&mut self, direction: &[ExprId], metric: &Metric, lines: &mut Vec<Line>) {
        let mut found: Vec<(ExprId, usize)> = Vec::new();
        for entry in direction.iter().chain(metric.constrained.iter().flatten()) {
            for base in long_denominators(&self.model.pool, *entry) {
                match found.iter_mut().find(|known| known.0 == base) {
                    Some(known) => known.1 += 1,
                    None => found.push((base, 1)),
                }
            }
        }
        found.retain(|known| known.1 > 1);
        for (base, _) in found {
            let value = self.print(base);
            let name = self.names.abbreviate(
                &mut self.model,
                &mut self.simplifier,
                self.letters.denominator,
                base,
            );
            let latex = name::latex(&name);
            lines.push(Line::equation_of(Printed::pair(name, latex), value));
        }
    }

    /// A value under a name, with a line that says so; numbers and symbols keep their own.
    fn named(&mut self, local: Local<'_>, value: ExprId, lines: &mut Vec<Line>) -> ExprId {
        let pool = &self.model.pool;
        if pool.as_number(value).is_some() || pool.as_symbol(value).is_some() {
            return value;
        }
        let symbol = self.local(local);
        lines.push(self.local_line(symbol, value));
        symbol
    }

    /// A name of this report only: an input beyond the declared ones.
    pub(super) fn local(&mut self, local: Local<'_>) -> ExprId {
        let number = local.number(self.model.speeds.len());
        let kind = SymbolKind::Input(self.model.inputs.len() + number);
        let name = local.name(&self.letters, &self.model);
        let symbol = self.model.pool.symbol(kind, &name);
        self.model.pool.symbol_expr(symbol)
    }

    pub(super) fn local_line(&self, symbol: ExprId, value: ExprId) -> Line {
        match self.print(symbol) {
            Ok(left) => self.line("", left, value),
            Err(note) => note,
        }
    }

    /// P = P_A + w (M w)ᵀ/d, entry by entry.
    fn projector(
        &mut self,
        closed: &Impact,
        metric: &Metric,
        abbreviated: &Abbreviated,
        lines: &mut Vec<Line>,
    ) {
        let n = self.model.speeds.len();
        if n > PROJECTOR_MAX {
            lines.push(Line::note(&format!("omitted: P has {n}×{n} entries")));
            return;
        }
        let pool = &mut self.model.pool;
        let momentum = self.equations.mass.times(pool, &abbreviated.w).into_iter();
        let momentum: Vec<ExprId> =
            momentum.map(|entry| self.simplifier.simplify(pool, entry)).collect();
        lines.push(self.letters.note(
            "P = P_A + «w» (M «w»)ᵀ/«d», P_A = I − S (SᵀMS)⁻¹ SᵀM, M P = (M P)ᵀ",
            r"P = P_A + «w» (M «w»)^{T}/«d»,\quad P_A = I - S (S^{T} M S)^{-1} S^{T} M,\quad M P = (M P)^{T}",
        ));
        for i in 0..n {
            for j in 0..n {
                let product = self.model.pool.product_of(&[abbreviated.w[i], momentum[j]]);
                let part = self.model.pool.div(product, abbreviated.d);
                let entry = self.model.pool.add(metric.constrained[i][j], part);
                let full = closed.projector_entry(&mut self.model.pool, metric, i, j);
                let entry = self.unit_with(full, entry);
                let (a, b) = (&self.model.speeds[i].named.name, &self.model.speeds[j].named.name);
                let left = Printed::pair(
                    format!("P[{a}, {b}]"),
                    format!("P_{{{},{}}}", self.names.latex(a, 0), self.names.latex(b, 0)),
                );
                lines.push(self.line("", left, entry));
            }
        }
    }

    /// The law as one formula in v, with its e where that is not called e.
    fn law_of_impact(&self, law: Law) -> Line {
        let Some([_, e, _]) = law.restitutions() else {
            return self.letters.note(
                "v⁺ = v⁻ − 2 («ġ»/«d»_0) «w», «d»_0 = ∇«g» M⁻¹ ∇«g»ᵀ",
                r"v^{+} = v^{-} - 2 (\dot{«g»}/«d»_0)\, «w»,\quad «d»_0 = \nabla «g»\, M^{-1} \nabla «g»^{T}",
            );
        };
        let (unicode, latex) =
            ("v⁺ = v⁻ − (1 + e) («ġ»/«d») «w»", r"v^{+} = v^{-} - (1 + e) (\dot{«g»}/«d»)\, «w»");
        match self.print(e) {
            Ok(e) if e.unicode == "e" => self.letters.note(unicode, latex),
            Ok(e) => self.letters.note(
                &format!("{unicode}, e = {}", e.unicode),
                &format!(r"{latex},\quad e = {}", e.latex),
            ),
            Err(note) => note,
        }
    }

    /// v⁺ = v⁻ − (1+e)(ġ/d) w, or with d₀ for `project`.
    fn velocities_after(
        &mut self,
        closed: &Impact,
        abbreviated: &Abbreviated,
        law: Law,
        lines: &mut Vec<Line>,
    ) {
        let mut square = abbreviated.d;
        if law == Law::Project {
            match closed.free_square(&mut self.model, self.equations, &mut self.simplifier) {
                Ok(value) => {
                    square = self.local(Local::FreeSquare);
                    lines.push(self.local_line(square, value));
                }
                Err(reason) => return lines.push(self.omitted(reason)),
            }
        }
        let rate = self.local(Local::GapRate);
        lines.push(self.law_of_impact(law));
        let factor = jump_factor(&mut self.model.pool, ImpactOf::Law(law));
        for (i, &w) in abbreviated.w.iter().enumerate() {
            let speed = &self.model.speeds[i];
            let after_name =
                Name { dots: speed.dots, side: Side::Plus, ..Name::parse(&speed.named.name) };
            let (velocity, after) = (speed.velocity, SymbolKind::VelocityAfter(i));
            let after = self.model.pool.symbol(after, &after_name.unicode());
            let pool = &mut self.model.pool;
            let before = pool.symbol_expr(velocity);
            let quotient = pool.div(w, square);
            let step = pool.product_of(&[factor, rate, quotient]);
            let value = pool.sub(before, step);
            let left = self.symbol_text(after);
            lines.push(self.line("", left, value));
        }
    }
}

/// The long sums by which an expression or one of its terms is divided.
fn long_denominators(pool: &ExprPool, e: ExprId) -> Vec<ExprId> {
    match pool.view(e) {
        View::Sum(terms) => terms.iter().flat_map(|t| long_denominators(pool, t.1)).collect(),
        View::Product { factors, .. } => {
            let below = |x| pool.as_number(x).is_some_and(Rational::is_negative);
            let long = |base| {
                matches!(pool.view(base), View::Sum(_))
                    && simplify::size(pool, base) > DENOMINATOR_SIZE_MAX
            };
            let wanted = factors.iter().filter(|f| below(f.1) && long(f.0));
            wanted.map(|f| f.0).collect()
        }
        _ => Vec::new(),
    }
}

/// The name of a row of B, by the row or contact it comes from.
pub(super) fn row_of_b(name: &str) -> Printed {
    Printed::pair(format!("B[{name}]"), format!("B_{{{}}}", escaped(name)))
}
