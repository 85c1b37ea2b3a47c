//! All equations of a system as text and LaTeX: what `eom derive`, rustdoc and snapshots show.

mod conserved;
mod contact;
mod contact_friction;
mod contact_rows;
mod functions;
mod layout;
mod letters;
mod line;
mod named;
mod named_reduction;
mod naming;
mod needed;
mod printed_forms;
mod text;

pub use line::{Line, Printed};
pub use printed_forms::{Form, Functions, expressions, form, functions};
pub use text::{Section, formulas, to_latex, to_markdown, to_text};

use functions::Named;
use letters::Letters;
use needed::Needed;

use super::claim::sample::points::Points;
use super::closed_forms::reduce::{
    Equation, Omitted, Reduction, equations_with_multipliers, multipliers, reduce,
    reduced_equations,
};
use super::lagrange::equations::EquationsOfMotion;
use super::linear::dot;
use super::system::SystemModel;
use super::system::declared::RowKind;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::print::{self, Names};
use crate::simplify::{self, Simplifier};

/// An expression of a larger tree is not printed.
const PRINT_SIZE_MAX: usize = 6_000;

/// Equations with a longer side, in symbols, and rows, are written in names of their parts.
const EQUATION_MAX: usize = 1_200;

/// An expression that is not larger is not longer than that.
const PLAIN_SIZE_MAX: usize = 300;

/// A declared value of a larger tree is printed as declared.
const DECLARED_SIZE_MAX: usize = 600;

/// The lines of a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactText {
    /// Its name.
    pub name: String,
    /// Its law as written.
    pub law: String,
    /// Its gap, rows, projector and velocities after the impact.
    pub lines: Vec<Line>,
}

/// All equations of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquationsText {
    /// L.
    pub lagrangian: Vec<Line>,
    /// E = T + V; empty with a general Lagrangian, of which it says nothing.
    pub energy: Vec<Line>,
    /// H = v·∂L/∂v − L where it is not E.
    pub jacobi: Vec<Line>,
    /// The `let` names that occur.
    pub abbreviations: Vec<Line>,
    /// q̇ = S v where that is not q̇ = v.
    pub kinematics: Vec<Line>,
    /// What long equations are written in.
    pub named: Vec<Line>,
    /// The rows A v + b = 0.
    pub constraints: Vec<Line>,
    /// M v̇ + h = F + Aᵀλ.
    pub equations: Vec<Line>,
    /// The dependent velocities and Sᵀ(M v̇ + h) = SᵀF; empty without constraints.
    pub reduced: Vec<Line>,
    /// λ of the state; empty without constraints.
    pub multipliers: Vec<Line>,
    /// One a contact.
    pub impacts: Vec<ContactText>,
}

/// Prints all equations of a model. Works on a copy of its pool.
pub fn report(model: &SystemModel, equations: &EquationsOfMotion) -> EquationsText {
    let mut model = model.clone();
    let mut simplifier = Simplifier::default();
    let names = Names::with_simplifier(&mut model, &mut simplifier);
    let letters = Letters::new(&model, &names);
    Reporter { model, equations, simplifier, names, letters, parts_made: 0 }.run()
}

struct Reporter<'e> {
    model: SystemModel,
    equations: &'e EquationsOfMotion,
    simplifier: Simplifier,
    names: Names,
    letters: Letters,
    /// How many parts of long expressions have a name.
    parts_made: usize,
}

impl Reporter<'_> {
    fn run(mut self) -> EquationsText {
        let lagrangian = vec![self.lagrangian()];
        let energy = self.energy();
        let jacobi = self.jacobi();
        let abbreviations = self.abbreviations();
        let kinematics = self.kinematics();
        let constraints = self.constraints(None);
        let declared = self.names.clone();
        self.names = declared.derived();
        let with_multipliers =
            equations_with_multipliers(&mut self.model, self.equations, &mut self.simplifier);
        let mut named = None;
        let (definitions, constraints, equations) = match self.in_names(&with_multipliers) {
            Some(functions) => {
                let named = named.insert(functions);
                let definitions = self.defined_names(&named.definitions);
                let rows = self.named_rows(named);
                (definitions, self.constraints(Some(&rows)), self.named_equations(named))
            }
            None => {
                let lines = with_multipliers.into_iter().map(|e| self.equation("", e));
                (Vec::new(), constraints, lines.collect())
            }
        };
        let reduction = reduce(&mut self.model, self.equations, &mut self.simplifier);
        let (reduced, multipliers) = self.without_rows(&reduction, named);
        let impacts = self.impacts(reduction, &declared);
        // From the last: what nothing behind it needs is left out.
        let mut needed = Needed::default();
        for contact in &impacts {
            needed.read(&contact.lines);
        }
        let multipliers = needed.of(multipliers);
        let reduced = needed.of(reduced);
        for lines in [&equations, &constraints] {
            needed.read(lines);
        }
        let definitions = needed.of(definitions);
        for lines in [&lagrangian, &energy, &jacobi, &kinematics] {
            needed.read(lines);
        }
        let abbreviations = needed.of_declared(abbreviations);
        EquationsText {
            lagrangian,
            energy,
            jacobi,
            abbreviations,
            kinematics,
            named: definitions,
            constraints,
            equations,
            reduced,
            multipliers,
            impacts,
        }
    }

    /// The functions in names, where an equation or a row is long.
    fn in_names(&mut self, equations: &[Equation]) -> Option<Named> {
        let mut rows = self.model.rows.iter().flat_map(|row| &row.coefficients);
        let is_long = equations.iter().any(|e| self.is_long(e.left) || self.is_long(e.right))
            || rows.any(|e| self.is_long(*e));
        if is_long { self.named_functions() } else { None }
    }

    /// The reduced equations and the multipliers, written out or in names.
    fn without_rows(
        &mut self,
        reduction: &Result<Reduction, Omitted>,
        named: Option<Named>,
    ) -> (Vec<Line>, Vec<Line>) {
        if self.model.rows.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let reduced = match (reduction, &named) {
            (Ok(reduction), None) => self.reduced_unless_long(reduction),
            (Err(reason), None) if !reason.is_of_size() => {
                return (vec![self.omitted(*reason)], vec![self.omitted(*reason)]);
            }
            _ => None,
        };
        let multipliers = match (reduction, &reduced) {
            (Ok(reduction), Some(_)) => Some(self.multipliers(reduction)),
            _ => None,
        };
        let reduced = match (reduced, multipliers) {
            (Some(reduced), Some(Ok(multipliers))) => return (reduced, multipliers),
            (Some(reduced), Some(Err(reason))) if !reason.is_of_size() => {
                return (reduced, vec![self.omitted(reason)]);
            }
            (reduced, _) => reduced,
        };
        self.reduction_in_names(reduced, named)
    }

    /// Both in names, or the multipliers alone.
    fn reduction_in_names(
        &mut self,
        reduced: Option<Vec<Line>>,
        known: Option<Named>,
    ) -> (Vec<Line>, Vec<Line>) {
        let is_known = known.is_some();
        let Some(mut named) = known.or_else(|| self.named_functions()) else {
            let note = self.omitted(Omitted::Coupled { count: self.model.speeds.len() });
            return (reduced.unwrap_or_else(|| vec![note.clone()]), vec![note]);
        };
        let mut lines = if is_known { Vec::new() } else { self.defined_names(&named.definitions) };
        match self.named_reduction(&mut named, false) {
            Err(reason) => {
                let note = self.omitted(reason);
                (reduced.unwrap_or_else(|| vec![note.clone()]), vec![note])
            }
            Ok(found) => match reduced {
                None => {
                    lines.extend(found.reduced);
                    (lines, found.multipliers)
                }
                Some(reduced) => {
                    let definitions = found.reduced.into_iter();
                    lines.extend(definitions.filter(|l| matches!(l, Line::Definition { .. })));
                    lines.extend(found.multipliers);
                    (reduced, lines)
                }
            },
        }
    }

    /// The reduced equations written out.
    fn reduced_unless_long(&mut self, reduction: &Reduction) -> Option<Vec<Line>> {
        let equations =
            reduced_equations(&mut self.model, self.equations, reduction, &mut self.simplifier);
        if equations.iter().any(|e| self.is_long(e.left) || self.is_long(e.right)) {
            return None;
        }
        let mut lines = self.dependent(reduction);
        lines.extend(equations.into_iter().map(|e| self.equation("", e)));
        Some(lines)
    }

    /// Whether the print of an expression is long.
    fn is_long(&self, e: ExprId) -> bool {
        let size = simplify::size(&self.model.pool, e);
        size > PRINT_SIZE_MAX
            || size > PLAIN_SIZE_MAX
                && self.print(e).is_ok_and(|printed| printed.unicode.chars().count() > EQUATION_MAX)
    }

    fn print(&self, e: ExprId) -> Result<Printed, Line> {
        self.print_as(e, &self.names)
    }

    fn print_as(&self, e: ExprId, names: &Names) -> Result<Printed, Line> {
        let size = simplify::size(&self.model.pool, e);
        Omitted::unless(size, PRINT_SIZE_MAX).map_err(|why| self.omitted(why))?;
        let (unicode, latex) = print::both(&self.model.pool, e, names);
        Ok(Printed { unicode, latex })
    }

    fn omitted(&self, reason: Omitted) -> Line {
        Line::note(&format!("omitted: {}", self.reason(reason)))
    }

    /// Why a form is left out, in the names of the declaration.
    fn reason(&self, reason: Omitted) -> String {
        match reason {
            Omitted::Contradiction { row } => {
                format!("the row {} contradicts the others", self.model.rows[row].named.name)
            }
            Omitted::Nonlinear { row } => format!(
                "the row {} is not affine in the velocities, none is eliminated by it",
                self.model.rows[row].named.name
            ),
            other => other.to_string(),
        }
    }

    fn line(&self, name: &str, left: Printed, right: ExprId) -> Line {
        match self.print(right) {
            Ok(right) => Line::Equation { name: name.to_owned(), left, right },
            Err(note) => note,
        }
    }

    /// A letter of the report and its value.
    fn letter(&self, letter: &str, value: ExprId) -> Line {
        self.line("", letters::letter(letter), value)
    }

    fn definition(&self, unicode: &str, latex: &str, value: ExprId) -> Line {
        self.line("", Printed::pair(unicode, latex), value)
    }

    /// The print of what the declaration gives: as it stands where it is long.
    fn declared(&mut self, letter: &str, value: ExprId) -> Line {
        if simplify::size(&self.model.pool, value) > DECLARED_SIZE_MAX {
            return self.letter(letter, value);
        }
        self.shortest(letter, value)
    }

    /// The shortest print of a value: as declared, or collected.
    fn shortest(&mut self, letter: &str, value: ExprId) -> Line {
        let collected = self.simplifier.collected(&mut self.model.pool, value);
        let declared = self.letter(letter, value);
        let simple = self.letter(letter, collected);
        if simple.width() < declared.width() { simple } else { declared }
    }

    fn equation(&self, name: &str, equation: Equation) -> Line {
        match self.print(equation.left) {
            Ok(left) => self.line(name, left, equation.right),
            Err(note) => note,
        }
    }

    fn simplify(&mut self, e: ExprId) -> ExprId {
        self.simplifier.simplify(&mut self.model.pool, e)
    }

    fn symbol_text(&mut self, symbol: crate::SymbolId) -> Printed {
        let e = self.model.pool.symbol_expr(symbol);
        let (unicode, latex) = print::both(&self.model.pool, e, &self.names);
        Printed { unicode, latex }
    }

    fn lagrangian(&mut self) -> Line {
        self.declared(self.letters.lagrangian, self.model.lagrangian)
    }

    /// E = T + V of a declared `kinetic` and `potential`.
    fn energy(&mut self) -> Vec<Line> {
        let (Some(kinetic), Some(potential)) = (self.model.kinetic, self.model.potential) else {
            return Vec::new();
        };
        let energy = self.model.pool.add(kinetic, potential);
        vec![self.declared(self.letters.energy, energy)]
    }

    /// H = v·∂L/∂v − L, unless T is homogeneous of degree two: then it is T + V. Factors are taken
    /// out where that is shorter and puts no minus before all.
    fn jacobi(&mut self) -> Vec<Line> {
        let EquationsOfMotion { kinetic, potential, jacobi, .. } = *self.equations;
        let energy = self.model.pool.add(kinetic, potential);
        let difference = self.model.pool.sub(energy, jacobi);
        let general = self.model.kinetic.is_none();
        let points = Points::new(&self.model, &[difference]);
        if !general && points.vanishes(&self.model.pool, difference) {
            return Vec::new();
        }
        let letter = self.letters.jacobi;
        let terms = self.shortest(letter, jacobi);
        let factored = self.simplify(jacobi);
        let factored = self.letter(letter, factored);
        let better = factored.width() < terms.width() && !factored.is_negative();
        vec![if better { factored } else { terms }]
    }

    /// Definitions of the `let` names that are more than a number or a symbol.
    fn abbreviations(&mut self) -> Vec<Line> {
        let lets = self.model.lets.clone();
        let (mut lines, mut names) = (Vec::new(), self.names.clone());
        for (index, declared) in lets.iter().enumerate() {
            names = names.before_let(index);
            let name = &declared.named.name;
            let left = Printed::pair(name, self.names.latex(name, 0));
            let right = self.print_as(declared.value, &names);
            lines.push(Line::equation_of(left, right).defining());
        }
        lines
    }

    /// q̇ = S v, without the lines ẋ = ẋ.
    fn kinematics(&mut self) -> Vec<Line> {
        let Some(kinematics) = self.model.kinematics.clone() else { return Vec::new() };
        let positions = self.model.positions();
        let velocities = self.model.velocities();
        let mut lines = Vec::new();
        for (position, rate) in positions.into_iter().zip(kinematics.rates) {
            let is_speed = self.model.pool.as_symbol(rate).is_some_and(|s| velocities.contains(&s));
            let name = self.model.pool.symbol_info(position).name.clone();
            let dotted = crate::name::dotted(&name, 1);
            let is_own = is_speed && {
                let symbol = self.model.pool.as_symbol(rate);
                symbol.is_some_and(|s| self.model.pool.symbol_info(s).name == dotted)
            };
            if !is_own {
                lines.push(self.definition(&dotted, &self.names.latex(&name, 1), rate));
            }
        }
        lines
    }

    /// A v + b = 0, as given or in names; for a holonomic row φ = 0 too.
    fn constraints(&mut self, named: Option<&[ExprId]>) -> Vec<Line> {
        let rows = self.model.rows.clone();
        let velocities = self.model.velocities();
        let mut lines = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let mut left = row.affine;
            for (entry, v) in row.coefficients.iter().zip(&velocities) {
                let v = self.model.pool.symbol_expr(*v);
                let term = self.model.pool.mul(*entry, v);
                left = self.model.pool.add(left, term);
            }
            if let RowKind::Holonomic { residual } = row.kind {
                let equation = Equation { left: residual, right: ExprPool::ZERO };
                lines.push(self.equation(&row.named.name, equation));
            }
            let left = match (named, row.kind) {
                (_, RowKind::Chetaev) => row.declared,
                (Some(named), _) => named[at],
                (None, _) => self.simplifier.collected(&mut self.model.pool, left),
            };
            let name = match row.kind {
                RowKind::Velocity | RowKind::Chetaev => row.named.name.clone(),
                RowKind::Holonomic { .. } => String::new(),
            };
            lines.push(self.equation(&name, Equation { left, right: ExprPool::ZERO }));
        }
        lines.extend(self.row_frictions());
        let by_rule = rows.iter().filter(|row| row.kind == RowKind::Chetaev);
        let by_rule: Vec<&str> = by_rule.map(|row| row.named.name.as_str()).collect();
        if !by_rule.is_empty() {
            let names = by_rule.join(", ");
            lines.push(Line::note(&format!("reactions by Chetaev's rule: {names}")));
        }
        if !self.model.empty_rows.is_empty() {
            let names = self.model.empty_rows.join(", ");
            lines.push(Line::note(&format!("left out, as they vanish: {names}")));
        }
        lines
    }

    /// The velocities in the free ones, and where that holds.
    fn dependent(&mut self, reduction: &Reduction) -> Vec<Line> {
        let mut lines = Vec::new();
        let velocities: Vec<ExprId> =
            self.model.velocities().into_iter().map(|v| self.model.pool.symbol_expr(v)).collect();
        for free in reduction.free.iter().filter(|free| !free.is_coordinate) {
            let value = dot(&mut self.model.pool, &free.row, &velocities);
            let left = self.symbol_text(free.velocity);
            lines.push(self.line("", left, value));
        }
        for coordinate in (0..velocities.len()).filter(|i| !reduction.is_free(*i)) {
            let velocity = reduction.velocity[coordinate];
            let value = self.simplifier.collected(&mut self.model.pool, velocity);
            let left = self.symbol_text(self.model.speeds[coordinate].velocity);
            lines.push(self.line("", left, value));
        }
        lines.extend(self.conditions(&reduction.conditions));
        for row in &reduction.redundant {
            let name = &self.model.rows[*row].named.name;
            lines.push(Line::note(&format!("the row {name} follows from the others")));
        }
        lines
    }

    /// Where the closed forms hold, in one line.
    fn conditions(&self, factors: &[ExprId]) -> Option<Line> {
        let (mut unicode, mut latex) = (Vec::new(), Vec::new());
        for factor in factors {
            match self.print(*factor) {
                Ok(factor) => {
                    unicode.push(format!("{} ≠ 0", factor.unicode));
                    latex.push(format!(r"{} \neq 0", factor.latex));
                }
                Err(note) => return Some(note),
            }
        }
        (!unicode.is_empty()).then(|| {
            Line::Note(Printed::pair(
                format!("where {}", unicode.join(", ")),
                format!(r"\text{{where }} {}", latex.join(r",\ ")),
            ))
        })
    }

    fn multipliers(&mut self, reduction: &Reduction) -> Result<Vec<Line>, Omitted> {
        let values = multipliers(&mut self.model, self.equations, reduction, &mut self.simplifier)?;
        let mut lines = Vec::new();
        for (row, value) in values.into_iter().enumerate() {
            if let Some(symbol) = self.model.pool.find_symbol(SymbolKind::Multiplier(row)) {
                let left = self.symbol_text(symbol);
                lines.push(self.line("", left, value));
            }
        }
        Ok(lines)
    }
}

impl EquationsText {
    /// The sections in their order, the empty ones left out.
    pub fn sections(&self) -> Vec<Section> {
        let named = [
            ("Lagrangian", &self.lagrangian),
            ("Energy", &self.energy),
            ("Jacobi integral", &self.jacobi),
            ("Abbreviations", &self.abbreviations),
            ("Kinematics", &self.kinematics),
            ("Named quantities", &self.named),
            ("Constraints", &self.constraints),
            ("Equations of motion", &self.equations),
            ("Reduced equations", &self.reduced),
            ("Multipliers", &self.multipliers),
        ];
        let mut sections: Vec<Section> =
            named.into_iter().map(|(title, lines)| Section::of(title, lines.clone())).collect();
        for ContactText { name, law, lines } in &self.impacts {
            sections.push(Section::of(&format!("Contact {name}: {law}"), lines.clone()));
        }
        sections.retain(|section| !section.lines.is_empty());
        sections
    }

    /// As plain text: [`to_text`].
    pub fn to_text(&self) -> String {
        to_text(&self.sections())
    }

    /// As plain text without the definitions of `let` names: where these are put to use.
    pub fn to_text_without_abbreviations(&self) -> String {
        Self { abbreviations: Vec::new(), ..self.clone() }.to_text()
    }

    /// As LaTeX: [`to_latex`].
    pub fn to_latex(&self) -> String {
        to_latex(&self.sections())
    }
}
