//! The programs of a drawing, or of other expressions that are looked at along a run: apart from those of the system,
//! which stay as they are.

use super::Program;
use super::functions::{FunctionProgram, function_programs};
use crate::mechanics::SystemModel;
use crate::mechanics::drawing::Drawing;
use crate::node::{ExprId, SymbolKind};

/// The programs of a drawing.
#[derive(Debug, Clone)]
pub struct DrawingPrograms {
    /// The numbers of all shapes, one after another.
    pub numbers: Program,
    /// For each shape its curve or height, of the variables of the plane; without outputs where it has none.
    pub fields: Vec<Program>,
    /// What these ask of the declared functions.
    pub functions: Vec<FunctionProgram>,
    /// Whether accelerations or multipliers are read.
    pub reads_forces: bool,
}

impl DrawingPrograms {
    /// The programs of a drawing of a model, whose pool holds its expressions.
    pub fn new(model: &SystemModel, drawing: &Drawing) -> Self {
        let fields = drawing.shapes.iter().map(|shape| shape.field);
        Self::of(model, &drawing.numbers().collect::<Vec<_>>(), &fields.collect::<Vec<_>>())
    }

    /// The programs of numbers and of fields.
    pub fn of(model: &SystemModel, numbers: &[ExprId], fields: &[Option<ExprId>]) -> Self {
        let program = |name: &str, entries: &[ExprId]| {
            let entries = entries.iter().enumerate();
            let entries = entries.map(|(i, value)| (format!("{name}[{i}]"), *value));
            Program::of_expressions(&model.pool, name, entries)
        };
        let all: Vec<ExprId> =
            numbers.iter().copied().chain(fields.iter().flatten().copied()).collect();
        let numbers = program("drawing", numbers);
        let fields: Vec<Program> =
            fields.iter().map(|field| program("field", field.as_slice())).collect();
        let functions = if model.pool.has_functions() {
            function_programs(model, fields.iter().chain([&numbers]))
        } else {
            Vec::new()
        };
        let reads_forces = model.pool.symbols_in(&all).into_iter().any(|symbol| {
            let kind = model.pool.symbol_info(symbol).kind;
            kind.is_force() || matches!(kind, SymbolKind::Acceleration(_))
        });
        Self { numbers, fields, functions, reads_forces }
    }
}
