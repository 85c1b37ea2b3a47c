//! The equations of motion in one of their forms, and the functions that they are made of.

use super::functions::Named;
use super::letters::Letters;
use super::named_reduction::NamedLines;
use super::needed::Needed;
use super::text::Section;
use super::{Line, Printed, Reporter};
use crate::mechanics::closed_forms::explicit::{Explicit, explicit};
use crate::mechanics::closed_forms::hamilton::{Hamiltonian, hamiltonian};
use crate::mechanics::closed_forms::reduce::{
    Equation, Omitted, Reduction, equations_with_multipliers, reduce,
};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::print::{self, Names};
use crate::simplify::Simplifier;

/// A form of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// M v̇ + h = F + Aᵀλ with A v + b = 0.
    Multipliers,
    /// Without multipliers: along the free velocities, Sᵀ(M v̇ + h) = SᵀF. The free velocities are the
    /// speeds that elimination on the rows leaves, later ones before earlier ones, or one along ker A
    /// where all others would divide by a function of the state.
    Reduced,
    /// v̇ = …, λ = ….
    Explicit,
    /// q̇ = ∂H/∂p, ṗ = −∂H/∂q + F + Aᵀλ.
    Hamiltonian,
    /// What stays along every motion, and an invariant measure.
    Conserved,
}

/// The equations in a form; or why there is none.
pub fn form(
    model: &SystemModel,
    equations: &EquationsOfMotion,
    form: Form,
) -> Result<Vec<Section>, String> {
    let mut sections = reporter(model, equations).form(form)?;
    sections.retain(|section| !section.lines.is_empty());
    Ok(sections)
}

fn reporter<'e>(model: &SystemModel, equations: &'e EquationsOfMotion) -> Reporter<'e> {
    let mut model = model.clone();
    let mut simplifier = Simplifier::default();
    let names = Names::with_simplifier(&mut model, &mut simplifier);
    let letters = Letters::new(&model, &names);
    Reporter { model, equations, simplifier, names, letters, parts_made: 0 }
}

impl Reporter<'_> {
    fn form(mut self, form: Form) -> Result<Vec<Section>, String> {
        let lagrangian = vec![self.lagrangian()];
        let abbreviations = self.abbreviations();
        let mut sections = vec![Section::of("Lagrangian", lagrangian)];
        if form == Form::Conserved {
            sections.extend(self.conserved());
        } else if form == Form::Hamiltonian {
            self.names = self.names.derived();
            sections.extend(self.in_momenta()?);
        } else {
            sections.push(Section::of("Kinematics", self.kinematics()));
            let declared = self.constraints(None);
            self.names = self.names.derived();
            sections.extend(self.on_rows(form, declared)?);
        }
        let mut needed = Needed::default();
        for section in sections.iter_mut().rev() {
            section.lines = needed.of(std::mem::take(&mut section.lines));
        }
        let abbreviations = needed.of_declared(abbreviations);
        sections.insert(1, Section::of("Abbreviations", abbreviations));
        Ok(sections)
    }

    /// The forms with the constraints beside them, in names where they are long.
    fn on_rows(&mut self, form: Form, declared: Vec<Line>) -> Result<Vec<Section>, String> {
        let equations =
            equations_with_multipliers(&mut self.model, self.equations, &mut self.simplifier);
        let mut named = self.in_names(&equations);
        let mut sections = match &named {
            Some(named) => {
                let rows = self.named_rows(named);
                let definitions = self.defined_names(&named.definitions);
                vec![
                    Section::of("Named quantities", definitions),
                    Section::of("Constraints", self.constraints(Some(&rows))),
                ]
            }
            None => vec![Section::of("Constraints", declared)],
        };
        let motion = match (form, &mut named) {
            (Form::Multipliers, Some(named)) => {
                vec![Section::of("Equations of motion", self.named_equations(named))]
            }
            (Form::Multipliers, None) => {
                let lines = equations.into_iter().map(|e| self.equation("", e)).collect();
                vec![Section::of("Equations of motion", lines)]
            }
            (Form::Reduced, None) => self.without_multipliers()?,
            (Form::Explicit, None) => self.solved()?,
            (_, Some(named)) => self.named_sections(form, named)?,
            (Form::Hamiltonian | Form::Conserved, None) => Vec::new(),
        };
        sections.extend(motion);
        Ok(sections)
    }

    /// The reduced equations in names, solved or not.
    fn named_sections(&mut self, form: Form, named: &mut Named) -> Result<Vec<Section>, String> {
        let solved = form == Form::Explicit;
        let NamedLines { free, reduced, accelerations, multipliers } =
            self.named_reduction(named, solved).map_err(|reason| self.reason(reason))?;
        let free = self.free_line(free);
        let mut sections = vec![Section::of("Reduced equations", [vec![free], reduced].concat())];
        if solved {
            sections.push(Section::of("Accelerations", accelerations));
            sections.push(Section::of("Multipliers", multipliers));
        }
        Ok(sections)
    }

    /// The free velocities by name.
    fn free(&mut self, reduction: &Reduction) -> Line {
        self.free_line(reduction.free.iter().map(|free| free.velocity).collect())
    }

    fn free_line(&mut self, symbols: Vec<SymbolId>) -> Line {
        let texts: Vec<Printed> = symbols.into_iter().map(|s| self.symbol_text(s)).collect();
        if texts.is_empty() {
            return Line::note("no velocity is free");
        }
        let unicode: Vec<&str> = texts.iter().map(|text| text.unicode.as_str()).collect();
        let latex: Vec<&str> = texts.iter().map(|text| text.latex.as_str()).collect();
        Line::Note(Printed::pair(
            format!("free: {}", unicode.join(", ")),
            format!(r"\text{{free: }} {}", latex.join(r",\ ")),
        ))
    }

    fn without_multipliers(&mut self) -> Result<Vec<Section>, String> {
        let reduction = reduce(&mut self.model, self.equations, &mut self.simplifier);
        match reduction {
            Ok(reduction) => {
                if let Some(reduced) = self.reduced_unless_long(&reduction) {
                    let lines = [vec![self.free(&reduction)], reduced].concat();
                    return Ok(vec![Section::of("Reduced equations", lines)]);
                }
            }
            Err(reason) if !reason.is_of_size() => return Err(self.reason(reason)),
            Err(_) => {}
        }
        self.sections_in_names(Form::Reduced)
    }

    /// A form without multipliers in names, with what they stand for.
    fn sections_in_names(&mut self, form: Form) -> Result<Vec<Section>, String> {
        let too_large = Omitted::Coupled { count: self.model.speeds.len() };
        let mut named = self.named_functions().ok_or_else(|| self.reason(too_large))?;
        let definitions = self.defined_names(&named.definitions);
        let mut sections = vec![Section::of("Named quantities", definitions)];
        sections.extend(self.named_sections(form, &mut named)?);
        Ok(sections)
    }

    fn solved(&mut self) -> Result<Vec<Section>, String> {
        let reduction = reduce(&mut self.model, self.equations, &mut self.simplifier);
        let solved = reduction.and_then(|reduction| {
            let (model, simplifier) = (&mut self.model, &mut self.simplifier);
            Ok((explicit(model, self.equations, &reduction, simplifier)?, reduction))
        });
        let solved = match solved {
            Err(reason) if reason.is_of_size() && !self.equations.is_coupled() => {
                return self.sections_in_names(Form::Explicit);
            }
            solved => solved,
        };
        let (Explicit { accelerations, multipliers }, reduction) =
            solved.map_err(|reason| self.reason(reason))?;
        let mut sections = Vec::new();
        if !self.model.rows.is_empty() {
            let mut lines = vec![self.free(&reduction)];
            lines.extend(self.dependent(&reduction));
            sections.push(Section::of("Velocities on the constraints", lines));
        }
        let symbols: Vec<SymbolId> =
            self.model.speeds.iter().map(|speed| speed.acceleration).collect();
        let lines = symbols.into_iter().zip(accelerations);
        let lines = lines.map(|(symbol, value)| self.defined(symbol, value)).collect();
        sections.push(Section::of("Accelerations", lines));
        let rows = multipliers.into_iter().enumerate();
        let lines = rows.filter_map(|(row, value)| {
            let symbol = self.multiplier(row)?;
            Some(self.defined(symbol, value))
        });
        let lines = lines.collect();
        sections.push(Section::of("Multipliers", lines));
        Ok(sections)
    }

    /// The symbol of a multiplier, made if no equation holds it yet.
    pub(super) fn multiplier(&mut self, row: usize) -> Option<SymbolId> {
        let name = format!("λ({})", self.model.rows.get(row)?.named.name);
        Some(self.model.pool.symbol(SymbolKind::Multiplier(row), &name))
    }

    fn defined(&mut self, symbol: SymbolId, value: ExprId) -> Line {
        let left = self.symbol_text(symbol);
        self.line("", left, value)
    }

    fn in_momenta(&mut self) -> Result<Vec<Section>, String> {
        let Hamiltonian {
            momenta,
            definitions,
            velocities: _,
            hamiltonian,
            rates,
            momentum_rates,
            constraints,
        } = hamiltonian(&mut self.model, self.equations, &mut self.simplifier)
            .map_err(|reason| reason.to_string())?;
        let defined = momenta.iter().zip(definitions);
        let defined = defined
            .map(|(symbol, value)| {
                let value = self.simplifier.collected(&mut self.model.pool, value);
                self.defined(*symbol, value)
            })
            .collect();
        let energy = vec![self.letter(self.letters.jacobi, hamiltonian)];
        let positions = self.model.positions();
        let moved = self.rates_of(&positions, rates);
        let pushed = self.rates_of(&momenta, momentum_rates);
        let names: Vec<String> = self.model.rows.iter().map(|row| row.named.name.clone()).collect();
        let rows = names.iter().zip(constraints);
        let rows = rows
            .map(|(name, left)| self.equation(name, Equation { left, right: ExprPool::ZERO }))
            .collect::<Vec<_>>();
        let rows = [rows, self.row_frictions()].concat();
        Ok(vec![
            Section::of("Momenta", defined),
            Section::of("Hamiltonian", energy),
            Section::of("Constraints", rows),
            Section::of("Equations of motion", [moved, pushed].concat()),
        ])
    }

    /// ẋ = value for symbols x.
    fn rates_of(&mut self, symbols: &[SymbolId], values: Vec<ExprId>) -> Vec<Line> {
        let pairs = symbols.iter().zip(values);
        pairs
            .map(|(symbol, value)| {
                let name = self.model.pool.symbol_info(*symbol).name.clone();
                let (dotted, latex) = (crate::name::dotted(&name, 1), self.names.latex(&name, 1));
                self.definition(&dotted, &latex, value)
            })
            .collect()
    }
}

/// The functions of the equations of motion, entry by entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Functions<T = Printed> {
    /// M, by rows.
    pub mass: Vec<Vec<T>>,
    /// h.
    pub bias: Vec<T>,
    /// F without its multipliers.
    pub force: Vec<T>,
    /// A, by rows.
    pub rows: Vec<Vec<T>>,
    /// b.
    pub offsets: Vec<T>,
    /// The gaps.
    pub gaps: Vec<T>,
    /// ∇g, one row a contact.
    pub gradients: Vec<Vec<T>>,
}

impl Functions<ExprId> {
    /// Those of derived equations, simplified, with this F.
    fn of(
        (model, of): (&mut SystemModel, &EquationsOfMotion),
        force: &[ExprId],
        simplifier: &mut Simplifier,
    ) -> Self {
        let pool = &mut model.pool;
        let mass = of.mass.entries(pool);
        let mut list = |row: &[ExprId]| -> Vec<ExprId> {
            row.iter().map(|e| simplifier.collected(pool, *e)).collect()
        };
        let gaps: Vec<ExprId> = of.contacts.iter().map(|contact| contact.gap).collect();
        Self {
            bias: list(&of.bias),
            force: list(force),
            offsets: list(&of.affine),
            gaps: list(&gaps),
            mass: mass.iter().map(|row| list(row)).collect(),
            rows: of.rows.iter().map(|row| list(row)).collect(),
            gradients: of.contacts.iter().map(|contact| list(&contact.gradient)).collect(),
        }
    }

    fn map<T>(&self, mut to: impl FnMut(ExprId) -> T) -> Functions<T> {
        let mut list = |row: &Vec<ExprId>| row.iter().map(|e| to(*e)).collect::<Vec<T>>();
        Functions {
            mass: self.mass.iter().map(&mut list).collect(),
            bias: list(&self.bias),
            force: list(&self.force),
            rows: self.rows.iter().map(&mut list).collect(),
            offsets: list(&self.offsets),
            gaps: list(&self.gaps),
            gradients: self.gradients.iter().map(&mut list).collect(),
        }
    }
}

/// The print of these functions, simplified, whatever their length.
pub fn functions(model: &SystemModel, equations: &EquationsOfMotion) -> Functions {
    let Reporter { mut model, mut simplifier, names, .. } = reporter(model, equations);
    let names = names.derived();
    let all = Functions::of((&mut model, equations), &equations.force, &mut simplifier);
    all.map(|e| {
        let (unicode, latex) = print::both(&model.pool, e, &names);
        Printed { unicode, latex }
    })
}

/// These functions as simplified expressions of a copy of the model; F with its multipliers.
pub fn expressions(
    model: &SystemModel,
    equations: &EquationsOfMotion,
) -> (SystemModel, Functions<ExprId>) {
    let mut model = model.clone();
    let force = equations.whole_force(&mut model.pool);
    let all = Functions::of((&mut model, equations), &force, &mut Simplifier::default());
    (model, all)
}
