//! What nothing mentions, and parameters on which nothing depends that a run reads.

use super::{Finding, Item, Subject};
use crate::diff::Tangent;
use crate::eval::Estimate;
use crate::mechanics::claim::sample::points::agree;
use crate::mechanics::claim::sample::{Sample, Sampler, elsewhere};
use crate::mechanics::claim::sentence::Sentence;
use crate::mechanics::drawing::Drawing;
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::declared::{Bound, LineKind, Row, RowKind};
use crate::mechanics::system::{Statement, SystemModel};
use crate::node::{ExprId, Function, SymbolId, SymbolKind, View};

/// The findings.
pub(super) fn ineffective(model: &SystemModel, subject: &Subject<'_>) -> Vec<Finding> {
    let declared = subject.declared;
    // What is drawn is newer than the model with free symbols.
    let pool = &declared.pool;
    let (stated, read) = (stated(declared), read(declared, subject.equations));
    let (in_stated, mut needed) = (pool.symbols_in(&stated), pool.symbols_in(&read));
    let mut effects = Effects::new(model, subject);
    let mut ineffective = Vec::new();
    for (index, parameter) in declared.parameters.iter().enumerate() {
        if in_stated.contains(&parameter.symbol) && !needed.contains(&parameter.symbol) {
            match effects.of(index) {
                Effect::Motion => needed.push(parameter.symbol),
                Effect::Energy => ineffective.push((index, true)),
                Effect::None => ineffective.push((index, false)),
            }
        }
    }
    let needed = with_defaults(declared, needed);
    let mut findings = Vec::new();
    for (index, parameter) in declared.parameters.iter().enumerate() {
        if needed.contains(&parameter.symbol) {
            continue;
        }
        findings.push(match ineffective.iter().find(|(ineffective, _)| *ineffective == index) {
            Some(&(parameter, energy)) => Finding::IdleParameter { parameter, energy },
            None => Finding::Unused(Item::Parameter(index)),
        });
    }
    let unused = |symbol: SymbolId| !needed.contains(&symbol) && !in_stated.contains(&symbol);
    let inputs = declared.inputs.iter().enumerate().filter(|(_, input)| unused(input.symbol));
    findings.extend(inputs.map(|(index, _)| Finding::Unused(Item::Input(index))));
    let called = called(declared, &[&stated[..], &read].concat());
    let functions = (0..declared.functions.len()).filter(|f| !called.contains(f));
    findings.extend(functions.map(|index| Finding::Unused(Item::Function(index))));
    findings
}

/// What equations are derived from.
fn stated(model: &SystemModel) -> Vec<ExprId> {
    let mut all = vec![model.lagrangian, model.dissipation];
    all.extend(model.kinetic.iter().chain(&model.potential));
    all.extend(&model.forces);
    for line in &model.lines {
        match &line.kind {
            LineKind::Force(parts) => all.extend(parts.iter().map(|(_, part)| *part)),
            LineKind::Dissipation(term) => all.push(*term),
        }
    }
    all.extend(model.rows.iter().flat_map(entries));
    for contact in &model.contacts {
        all.push(contact.gap);
        all.extend(contact.rows.iter().flat_map(entries));
    }
    all
}

fn entries(row: &Row) -> Vec<ExprId> {
    let mut entries = row.coefficients.clone();
    entries.push(row.affine);
    if let RowKind::Holonomic { residual } = row.kind {
        entries.push(residual);
    }
    entries
}

/// What a run reads besides the equations, and what claims speak of.
fn read(model: &SystemModel, equations: &EquationsOfMotion) -> Vec<ExprId> {
    let mut all = Vec::new();
    let bound = |bound: &Bound| [bound.left, bound.right];
    for contact in &model.contacts {
        all.push(contact.dissipation);
        all.extend(&contact.borne);
        all.extend(contact.when.iter().flat_map(bound));
        all.extend(contact.assigned.iter().map(|(_, value)| *value));
        all.extend(contact.law.restitutions().into_iter().flatten());
    }
    for point in &equations.friction.points {
        all.extend(point.components.iter().chain([&point.coefficient]));
        all.extend(point.borne.map(|borne| borne.at_rest));
        all.extend(&point.weights);
        all.extend(point.beside.iter().flatten());
    }
    all.extend(equations.friction.spread);
    for event in &model.events {
        all.push(event.guard);
        all.extend(event.resets.iter().map(|reset| reset.value));
    }
    for scenario in &model.scenarios {
        all.push(scenario.time);
        all.extend(scenario.position.iter().chain(&scenario.velocity).chain(&scenario.inputs));
        all.extend(scenario.until_time);
    }
    all.extend(model.sentences.iter().flat_map(Sentence::expressions));
    all.extend(model.outputs.iter().map(|output| output.value));
    all.extend(model.drawing.iter().flat_map(Drawing::expressions));
    let used = called(model, &[&stated(model)[..], &all].concat());
    all.extend(used.into_iter().filter_map(|f| model.functions[f].default));
    for claim in &model.claims {
        let statements = [&claim.statement].into_iter();
        for statement in statements.chain(claim.corrected.as_ref().map(|(statement, _)| statement))
        {
            let (Statement::Residuals(parts) | Statement::Motion(parts)) = statement;
            all.extend(parts);
        }
        all.extend(claim.when.iter().flat_map(|condition| &condition.residuals));
    }
    all
}

/// The symbols, and those that defaults and bounds of parameters among them hold.
fn with_defaults(model: &SystemModel, symbols: Vec<SymbolId>) -> Vec<SymbolId> {
    let mut all = symbols;
    // A default holds earlier parameters, so that one pass from the last takes all; bounds may hold
    // any.
    let mut known = 0;
    while known < all.len() {
        known = all.len();
        for parameter in model.parameters.iter().rev() {
            if all.contains(&parameter.symbol) {
                let sides = parameter.bounds.iter().flat_map(|bound| [bound.left, bound.right]);
                let held: Vec<ExprId> = sides.chain(parameter.default).collect();
                for symbol in model.pool.symbols_in(&held) {
                    if !all.contains(&symbol) {
                        all.push(symbol);
                    }
                }
            }
        }
    }
    all
}

/// The declared functions that are called.
fn called(model: &SystemModel, expressions: &[ExprId]) -> Vec<usize> {
    if !model.pool.has_functions() {
        return Vec::new();
    }
    let mut called: Vec<usize> = Vec::new();
    for id in model.pool.below(expressions) {
        if let View::Call(Function::Declared(partial), _) = model.pool.view(id) {
            let function = usize::from(partial.function);
            if !called.contains(&function) {
                called.push(function);
            }
        }
    }
    called
}

/// What depends on a parameter.
enum Effect {
    /// Equations or contacts.
    Motion,
    /// The energy only.
    Energy,
    None,
}

/// Values of all functions at some states, to be compared with those for other parameters.
struct Effects<'m, 's> {
    sampler: Sampler<'m>,
    /// For states far away.
    far: Sampler<'m>,
    subject: &'s Subject<'s>,
    looks: Vec<(Sample, Vec<f64>)>,
    /// Integrals cost too much: what stands in equations is taken to have an effect then.
    costly: bool,
}

impl<'m, 's> Effects<'m, 's>
where
    's: 'm,
{
    const LOOKS: usize = 2;

    /// Where functions have pieces, such as `abs`, a parameter may matter in one that the first looks are not in.
    const PIECES: usize = 60;

    fn new(model: &'m SystemModel, subject: &'s Subject<'s>) -> Self {
        let mut sampler = Sampler::new(model, subject.functions, 0x1D1E);
        let far = Sampler::far(model, subject.functions, 0x1D1F);
        let EquationsOfMotion { mass, bias, force, .. } = subject.equations;
        let mass = mass.given().into_iter().flatten();
        let mut entries = mass.chain(bias).chain(force);
        let costly = entries.any(|e| model.pool.has_integral(*e));
        let mut looks = Vec::new();
        if !costly {
            let samples = (0..Self::LOOKS).filter_map(|_| sampler.free().ok());
            let samples: Vec<Sample> = samples.collect();
            let with_values = |sample: Sample| (sampler.all_values(&sample), sample);
            looks.extend(samples.into_iter().map(with_values).map(|(values, s)| (s, values)));
        }
        Self { sampler, far, subject, looks, costly }
    }

    fn of(&mut self, parameter: usize) -> Effect {
        if self.costly {
            return Effect::Motion;
        }
        let mut found = self.seen(parameter, 0);
        if !matches!(found, Effect::Motion) && self.looks.len() < Self::PIECES && self.has_pieces()
        {
            let before = self.looks.len();
            for k in before..Self::PIECES {
                let from = if k % 2 == 0 { &mut self.sampler } else { &mut self.far };
                if let Ok(sample) = from.free() {
                    self.looks.push((sample.clone(), self.sampler.all_values(&sample)));
                }
            }
            self.look_where_functions_act();
            if let Effect::Motion = self.seen(parameter, before) {
                found = Effect::Motion;
            }
        }
        match found {
            Effect::Energy | Effect::None if self.is_small(parameter) => Effect::Motion,
            found => found,
        }
    }

    /// Whether the slope of one of the functions by a parameter is more than its own rounding, though it be nothing beside the other
    /// terms, which have units of their own.
    fn is_small(&self, parameter: usize) -> bool {
        let mut pool = self.sampler.model().pool.clone();
        let mut slope = Tangent::partial(self.sampler.model().parameters[parameter].symbol);
        let functions: Vec<ExprId> = self.subject.equations.functions().collect();
        let slopes: Vec<ExprId> =
            functions.into_iter().map(|function| slope.derivative(&mut pool, function)).collect();
        self.looks.iter().take(Self::LOOKS).any(|(sample, _)| {
            let value = |symbol| sample.estimate(pool.symbol_info(symbol).kind);
            let found = pool.evaluate_with_error(&slopes, value);
            let none = vec![Estimate { value: 0.0, size: 0.0 }; found.len()];
            !agree(&found, &none, 1.0)
        })
    }

    fn look_where_functions_act(&mut self) {
        let functions = self.subject.functions;
        for mut sampler in elsewhere(self.sampler.model(), functions, &[], 0x1D20) {
            if let Ok(sample) = sampler.free() {
                self.looks.push((sample.clone(), self.sampler.all_values(&sample)));
            }
        }
    }

    /// Whether some function that a run reads is another one elsewhere, as `abs` is.
    fn has_pieces(&self) -> bool {
        let Subject { declared, equations, .. } = self.subject;
        let EquationsOfMotion { mass, bias, force, .. } = equations;
        let mass = mass.given().into_iter().flatten();
        let mut all: Vec<ExprId> = mass.chain(bias).chain(force).copied().collect();
        all.extend(read(declared, equations));
        declared.pool.has_branches(&all)
    }

    /// What depends on a parameter, as looks from one on show it.
    fn seen(&self, parameter: usize, from: usize) -> Effect {
        let kind = SymbolKind::Parameter(parameter);
        let mut energy = false;
        for (sample, values) in self.looks.iter().skip(from) {
            let mut other = sample.clone();
            other.set(kind, moved(sample.value(kind)));
            if !same(values, &self.sampler.all_values(&other)) {
                return Effect::Motion;
            }
            energy |= !same(&self.energies(sample), &self.energies(&other));
        }
        if energy { Effect::Energy } else { Effect::None }
    }

    fn energies(&self, sample: &Sample) -> Vec<f64> {
        let EquationsOfMotion { kinetic, potential, jacobi, .. } = self.subject.equations;
        self.sampler.evaluate(&[*kinetic, *potential, *jacobi], sample)
    }
}

/// Another value of a parameter.
fn moved(value: f64) -> f64 {
    1.37 * value + 0.11
}

/// Equal to rounding of the largest; a value that is not defined tells nothing, and counts as a
/// difference.
fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().chain(b).fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= f64::EPSILON * 1e3 * size)
}
