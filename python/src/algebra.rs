//! The functions of the equations of motion as a graph of operations, which SymPy makes its expressions of.
//!
//! It is that of the algebra, with rational numbers and each value once; nothing is printed and read again, so no name is
//! taken for another one. `let`s are written out, declared functions are what the declaration says.

use eom_core::System as _;
use eom_core::info::FrictionKind;
use eom_interpreter::Interpreted;
use eom_symbolic::diff::Tangent;
use eom_symbolic::mechanics::SystemModel;
use eom_symbolic::mechanics::report::expressions;
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, Function as Called, Partial, SymbolKind, View};
use std::collections::{BTreeSet, HashMap};

/// What it is, its name or number, and the operations before it, or the index, that it is of.
pub(crate) type Operation = (&'static str, String, Vec<usize>);

/// The name of a function of the equations, and its entries by rows.
pub(crate) type Function = (&'static str, Vec<Vec<usize>>);

/// M, h, F, A, b and the gaps; or what has no form there. F has its multipliers.
pub(crate) fn algebra(system: &Interpreted) -> Result<(Vec<Operation>, Vec<Function>), String> {
    let info = system.info();
    if let Some(term) = info.frictions.iter().find(|term| term.kind == FrictionKind::Row) {
        let why = "it grows with a multiplier, to the side of the slip";
        return Err(format!("the friction of `{}` has no form in SymPy: {why}", term.name));
    }
    let derived = system.derivation();
    let (model, all) = expressions(&derived.model, &derived.equations);
    let mut graph = Graph { system, model, operations: Vec::new(), places: HashMap::new() };
    let mut made = Vec::new();
    let column = |list: Vec<ExprId>| list.into_iter().map(|entry| vec![entry]).collect();
    let tables: [(&str, Vec<Vec<ExprId>>); 6] = [
        ("M", all.mass),
        ("h", column(all.bias)),
        ("F", column(all.force)),
        ("A", all.rows),
        ("b", column(all.offsets)),
        ("gaps", column(all.gaps)),
    ];
    for (name, table) in tables {
        let row = |row: &Vec<ExprId>| row.iter().map(|entry| graph.value(*entry)).collect();
        made.push((name, table.iter().map(row).collect::<Result<_, String>>()?));
    }
    Ok((graph.operations, made))
}

struct Graph<'s> {
    system: &'s Interpreted,
    /// Calls of declared functions are written out in its pool.
    model: SystemModel,
    operations: Vec<Operation>,
    places: HashMap<ExprId, usize>,
}

impl Graph<'_> {
    /// The operation that gives the value of an expression.
    fn value(&mut self, expr: ExprId) -> Result<usize, String> {
        for id in self.pending(expr) {
            let place = self.place(id)?;
            self.places.insert(id, place);
        }
        Ok(self.places[&expr])
    }

    /// What has no operation yet below an expression, children before parents.
    fn pending(&self, expr: ExprId) -> BTreeSet<ExprId> {
        let (mut open, mut found) = (vec![expr], BTreeSet::new());
        while let Some(id) = open.pop() {
            if self.places.contains_key(&id) || !found.insert(id) {
                continue;
            }
            match self.model.pool.view(id) {
                View::Sum(pairs) => open.extend(pairs.iter().flat_map(|(c, a)| [*c, *a])),
                View::Product { coefficient, factors } => {
                    open.push(coefficient);
                    open.extend(factors.iter().flat_map(|(base, power)| [*base, *power]));
                }
                View::Call(_, arguments) => open.extend(arguments),
                _ => {}
            }
        }
        found
    }

    fn place(&mut self, id: ExprId) -> Result<usize, String> {
        if let View::Call(Called::Declared(partial), point) = self.model.pool.view(id) {
            let point = point.to_vec();
            return self.declared(partial, &point);
        }
        let operation = self.operation(id)?;
        self.operations.push(operation);
        Ok(self.operations.len() - 1)
    }

    fn operation(&self, id: ExprId) -> Result<Operation, String> {
        let pool = &self.model.pool;
        let pairs = |pairs: &[(ExprId, ExprId)]| -> Vec<usize> {
            pairs.iter().flat_map(|(a, b)| [self.places[a], self.places[b]]).collect()
        };
        Ok(match pool.view(id) {
            View::Number(value) => {
                let (above, below) = value.parts();
                ("number", format!("{above}/{below}"), Vec::new())
            }
            View::Symbol(symbol) => {
                let symbol = pool.symbol_info(symbol);
                symbol_of(symbol.kind, &symbol.name)?
            }
            View::Sum(terms) => ("sum", String::new(), pairs(terms)),
            View::Product { coefficient, factors } => {
                let mut all = vec![self.places[&coefficient]];
                all.extend(pairs(factors));
                ("product", String::new(), all)
            }
            View::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.places[argument]).collect();
                ("call", function.name().to_owned(), arguments)
            }
            View::Integral { .. } => return Err("an integral has no form in SymPy".to_owned()),
            View::Undefined => return Err("a value that is not defined".to_owned()),
        })
    }

    /// A partial of a declared function at a point: that of its default.
    fn declared(&mut self, partial: Partial, point: &[ExprId]) -> Result<usize, String> {
        let pool = &mut self.model.pool;
        let found = self
            .model
            .functions
            .iter()
            .position(|known| known.partial.function == partial.function);
        let name = pool.partial_name(Partial { orders: [0; Partial::ARGUMENTS_MAX], ..partial });
        let given = |index: &usize| self.system.functions()[*index].given().is_none();
        let value = found.filter(given).and_then(|index| self.model.functions[index].default);
        let mut value = value.ok_or_else(|| {
            format!("`{name}` has no form in SymPy: write its formula into the declaration")
        })?;
        let formals = pool.signature(partial).arguments.clone();
        for (symbol, order) in formals.iter().zip(partial.orders) {
            for _ in 0..order {
                value = Tangent::partial(*symbol).derivative(pool, value);
            }
        }
        let images: Vec<_> = formals.into_iter().zip(point.iter().copied()).collect();
        let value = Substitution::new(images).apply(pool, value);
        self.value(value)
    }
}

/// A symbol by what it stands for, with its index.
fn symbol_of(kind: SymbolKind, name: &str) -> Result<Operation, String> {
    let (what, index) = match kind {
        SymbolKind::Pi => ("pi", None),
        SymbolKind::Time => ("time", None),
        SymbolKind::Parameter(index) => ("parameters", Some(index)),
        SymbolKind::Input(index) => ("inputs", Some(index)),
        SymbolKind::Coordinate(index) => ("coordinates", Some(index)),
        SymbolKind::Velocity(index) => ("velocities", Some(index)),
        SymbolKind::Multiplier(index) => ("rows", Some(index)),
        _ => return Err(format!("`{name}` has no form in SymPy")),
    };
    Ok((what, String::new(), index.into_iter().collect()))
}
