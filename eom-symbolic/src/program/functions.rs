//! What the programs of a system ask of its declared functions: lists of partials at one point, and
//! for each list a program of the default, where there is one.

use super::{Instruction, Program};
use crate::diff::Tangent;
use crate::mechanics::SystemModel;
use crate::node::{ExprId, Partial, SymbolId};
use crate::pool::ExprPool;
use eom_elementary::order;

/// Partials of one function at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionProgram {
    /// The function, by its index in the model.
    pub function: usize,
    /// The partials, each once, in their order.
    pub partials: Vec<Partial>,
    /// Their values for the default, of its arguments and parameters; `None` without a default.
    pub default: Option<Program>,
}

impl Program {
    /// The partials that are taken together with that of an instruction, those of the same function
    /// at the same point, with the positions of their instructions; in the order of the partials.
    /// Empty for other instructions.
    pub fn together(&self, index: usize) -> Vec<(Partial, usize)> {
        let Instruction::Partial(partial, point) = self.instructions[index] else {
            return Vec::new();
        };
        let mut found: Vec<(Partial, usize)> = self
            .instructions
            .iter()
            .enumerate()
            .filter_map(|(position, other)| match other {
                Instruction::Partial(p, at) if p.function == partial.function && *at == point => {
                    Some((*p, position))
                }
                _ => None,
            })
            .collect();
        order::sort(&mut found);
        found
    }

    /// The lists of partials that it takes, as [`Program::together`] gives them.
    pub fn partial_lists(&self) -> Vec<Vec<Partial>> {
        let lists = (0..self.instructions.len()).map(|index| self.together(index));
        let lists = lists.map(|list| list.into_iter().map(|(partial, _)| partial).collect());
        lists.filter(|list: &Vec<Partial>| !list.is_empty()).collect()
    }
}

/// The distinct lists that programs take.
pub(super) fn function_programs<'p>(
    model: &SystemModel,
    programs: impl Iterator<Item = &'p Program>,
) -> Vec<FunctionProgram> {
    let mut lists: Vec<Vec<Partial>> = programs.flat_map(Program::partial_lists).collect();
    order::sort(&mut lists);
    lists.dedup();
    if lists.is_empty() {
        return Vec::new();
    }
    // What is differentiated here must not move ids of the model's pool.
    let mut pool = model.pool.clone();
    let of_list = |partials: Vec<Partial>| {
        let function = usize::from(partials[0].function);
        let default = model.functions[function].default;
        let default = default.map(|default| of_default(&mut pool, default, &partials));
        FunctionProgram { function, partials, default }
    };
    lists.into_iter().map(of_list).collect()
}

fn of_default(pool: &mut ExprPool, default: ExprId, partials: &[Partial]) -> Program {
    let arguments = pool.signature(partials[0]).arguments.clone();
    let entries: Vec<(String, ExprId)> = partials
        .iter()
        .map(|partial| {
            let value = pool.derivative(default, &arguments, &partial.orders);
            (pool.partial_name(*partial), value)
        })
        .collect();
    Program::of_expressions(pool, &pool.signature(partials[0]).name, entries)
}

impl ExprPool {
    /// The partial derivative of given orders with respect to some symbols.
    pub fn derivative(&mut self, expr: ExprId, symbols: &[SymbolId], orders: &[u8]) -> ExprId {
        let mut value = expr;
        for (symbol, order) in symbols.iter().zip(orders) {
            for _ in 0..*order {
                value = Tangent::partial(*symbol).derivative(self, value);
            }
        }
        value
    }
}
