//! Tapes: programs as data, for bounds and derivatives of what a system computes.
//!
//! A tape has the operations of the program that is integrated, in an order in which those of parameters and inputs
//! come first. A fused product is a product and a sum: over intervals nothing is rounded once. a·a is a square, sine
//! and cosine of an angle are one operation, a declared function is its default.

use super::{FunctionProgram, Instruction, Program, SystemPrograms, Value};
use crate::function::Numbers;
use crate::mechanics::{EquationsOfMotion, Law, SystemModel, Unknown};
use crate::node::{ExprId, Function, SymbolId, SymbolKind};
use eom_enclosure::{Inputs, Operation, Register, Solve, Tape};

/// A tape with what it takes for granted.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemTape {
    /// The tape.
    pub tape: Tape,
    /// The declared functions, by their index, that it holds the defaults of: with another function it says nothing.
    pub defaults: Vec<usize>,
}

/// The tapes of a system. `None` where there is nothing to compute, and for what has none: integrals, functions
/// without a default.
#[derive(Debug, Clone, Default)]
pub struct SystemTapes {
    /// g.
    pub gaps: Option<SystemTape>,
    /// Guards of events.
    pub guards: Option<SystemTape>,
    /// The extents of contacts.
    pub extents: Option<SystemTape>,
    /// q̇ = S v, where it is not v.
    pub rates: Option<SystemTape>,
    /// v̇.
    pub accelerations: Option<SystemTape>,
    /// F, then h: all that acts, but dry friction.
    pub forces: Option<SystemTape>,
    /// M, lower triangle by rows.
    pub mass_matrix: Option<SystemTape>,
    /// A by rows, then b.
    pub constraint_rows: Option<SystemTape>,
    /// φ.
    pub holonomic: Option<SystemTape>,
    /// For each contact ∇g, ∂g/∂t, its own rows, their affine parts.
    pub contact_rows: Option<SystemTape>,
    /// −∂D/∂v of each contact's own dissipation.
    pub contact_forces: Option<SystemTape>,
    /// The forces that act with the normal forces of contacts.
    pub borne_forces: Option<SystemTape>,
    /// The point terms of dry friction: c, w, J, γ.
    pub frictions: Option<SystemTape>,
    /// For each event that resets, then for each contact that assigns velocities, the state (q, v) after it.
    pub resets: Option<SystemTape>,
    /// The declared outputs.
    pub outputs: Option<SystemTape>,
    /// For each scenario t, q, v, u, before its unknowns are solved; where one depends on a parameter.
    pub starts: Option<SystemTape>,
}

impl SystemPrograms {
    /// The tapes of the system.
    pub fn tapes(&self, model: &SystemModel, equations: &EquationsOfMotion) -> SystemTapes {
        let tape = |program: &Program, results: usize| {
            let found = Lowering::new(model, &self.functions).run(program, results)?;
            (!found.tape.outputs.is_empty()).then_some(found)
        };
        let whole = |program: &Program| tape(program, program.outputs.len());
        let accelerations = if self.dynamics_solved {
            tape(&self.dynamics, model.speeds.len())
        } else {
            let solve = Solve {
                unknowns: model.speeds.len(),
                rows: model.rows.len(),
                coupled: equations.is_coupled(),
            };
            whole(&self.dynamics).map(|found| {
                let tape = Tape { solve: Some(solve), ..found.tape };
                SystemTape { tape, ..found }
            })
        };
        SystemTapes {
            gaps: whole(&self.gaps),
            guards: whole(&self.guards),
            extents: whole(&self.extents),
            rates: whole(&self.rates),
            accelerations,
            forces: whole(&forces(model, equations)),
            mass_matrix: whole(&self.mass_matrix),
            constraint_rows: whole(&self.constraint_rows),
            holonomic: whole(&self.holonomic),
            contact_rows: whole(&contact_rows(model, equations)),
            contact_forces: whole(&self.contact_forces),
            borne_forces: whole(&self.borne_forces),
            frictions: whole(&self.frictions),
            resets: whole(&resets(model)),
            outputs: Lowering::new(model, &self.functions)
                .with_forces(&self.outputs)
                .run(&self.outputs, self.outputs.outputs.len())
                .filter(|found| !found.tape.outputs.is_empty()),
            starts: whole(&starts(model)).filter(|found| {
                let first = found.tape.inputs.total();
                (first..first + found.tape.parameters).any(|place| found.tape.reads(place))
            }),
        }
    }

    /// The tape of expressions of a model, whose pool may have grown since the programs were made.
    pub fn tape_of(&self, model: &SystemModel, expressions: &[ExprId]) -> Option<SystemTape> {
        let named = expressions.iter().map(|value| (String::new(), *value));
        let program = Program::of_expressions(&model.pool, "expressions", named);
        Lowering::new(model, &self.functions).run(&program, expressions.len())
    }
}

/// The state after each event that resets, then after the impact of each contact that assigns velocities; what is not set stays.
fn resets(model: &SystemModel) -> Program {
    let positions = model.positions();
    let place = |target: &Unknown| match target {
        Unknown::Coordinate(index) => *index,
        Unknown::Velocity(index) => positions.len() + index,
    };
    let events = model.events.iter().filter(|event| !event.resets.is_empty());
    let events = events.map(|event| {
        event.resets.iter().map(|reset| (place(&reset.target), reset.value)).collect()
    });
    let contacts = model.contacts.iter().filter(|contact| contact.law == Law::Assign);
    let contacts = contacts.map(|contact| {
        contact.assigned.iter().map(|(speed, value)| (positions.len() + speed, *value)).collect()
    });
    let changes: Vec<Vec<(usize, ExprId)>> = events.chain(contacts).collect();
    if changes.is_empty() {
        return Program::of_expressions(&model.pool, "resets", []);
    }
    // An entry that stays may stand in no expression yet.
    let mut pool = model.pool.clone();
    let state = positions.iter().copied().chain(model.velocities());
    let state: Vec<ExprId> = state.map(|symbol| pool.symbol_expr(symbol)).collect();
    let all = changes.into_iter().flat_map(|changes| {
        let mut after = state.clone();
        for (place, value) in changes {
            after[place] = value;
        }
        after
    });
    let all: Vec<(String, ExprId)> = all.map(|entry| (String::new(), entry)).collect();
    Program::of_expressions(&pool, "resets", all)
}

/// The numbers of all scenarios.
fn starts(model: &SystemModel) -> Program {
    let all = model.scenarios.iter().flat_map(|scenario| {
        let state = scenario.position.iter().chain(&scenario.velocity);
        std::iter::once(&scenario.time).chain(state).chain(&scenario.inputs)
    });
    Program::of_expressions(&model.pool, "starts", all.map(|entry| (String::new(), *entry)))
}

fn forces(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let frictionless = &equations.friction.frictionless;
    let force = if frictionless.is_empty() { &equations.force } else { frictionless };
    let all = force.iter().chain(&equations.bias);
    Program::of_expressions(&model.pool, "forces", all.map(|entry| (String::new(), *entry)))
}

/// What the contacts have in force at their impacts.
fn contact_rows(model: &SystemModel, equations: &EquationsOfMotion) -> Program {
    let all = equations.contacts.iter().flat_map(|contact| {
        let gap = contact.gradient.iter().chain([&contact.rate]);
        let own = contact.rows.iter().flat_map(|row| &row.coefficients);
        gap.chain(own).chain(contact.rows.iter().map(|row| &row.affine))
    });
    Program::of_expressions(&model.pool, "contact_rows", all.map(|entry| (String::new(), *entry)))
}

/// A value on the way to a tape, by its place in the list of all.
type Node = u32;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// A register of the header.
    Given(Register),
    Constant(u64),
    /// An operation whose operands are nodes; of sine and cosine the sine.
    Result(Operation),
    /// The cosine beside a sine.
    Cosine(Node),
}

struct Lowering<'p> {
    model: &'p SystemModel,
    functions: &'p [FunctionProgram],
    /// How many forces of a mode it is given behind the inputs.
    forces: usize,
    nodes: Vec<Kind>,
    /// Whether a node depends on nothing of the state.
    fixed: Vec<bool>,
    defaults: Vec<usize>,
}

impl<'p> Lowering<'p> {
    fn new(model: &'p SystemModel, functions: &'p [FunctionProgram]) -> Self {
        let (nodes, fixed, defaults) = (Vec::new(), Vec::new(), Vec::new());
        Self { model, functions, forces: 0, nodes, fixed, defaults }
    }

    /// The same of a program that may read the forces of a mode.
    fn with_forces(self, program: &Program) -> Self {
        let reads = |instruction: &Instruction| match instruction {
            Instruction::Input(symbol) => {
                let kind = self.model.pool.symbol_info(*symbol).kind;
                self.model.force_place(kind).is_some()
            }
            _ => false,
        };
        let any = program.instructions.iter().any(reads);
        Self { forces: if any { self.model.forces_of_mode() } else { 0 }, ..self }
    }

    /// The tape of the first outputs of a program.
    fn run(mut self, program: &Program, results: usize) -> Option<SystemTape> {
        let outputs: Vec<Value> = program.outputs.iter().take(results).map(|o| o.value).collect();
        let inputs = self.inputs();
        let header = inputs.total();
        let outputs = self.program(program, &outputs, &mut |lowering, symbol| {
            let place = lowering.place(symbol)?;
            let is_state = place < inputs.state();
            debug_assert!(place < header + lowering.model.parameters.len());
            Some(lowering.push(Kind::Given(place as Register), !is_state))
        })?;
        let tape = self.tape(inputs, &outputs);
        Some(SystemTape { tape, defaults: self.defaults })
    }

    fn inputs(&self) -> Inputs {
        Inputs {
            positions: self.model.positions().len(),
            speeds: self.model.speeds.len(),
            inputs: self.model.inputs.len() + self.forces,
        }
    }

    /// The register of a symbol.
    fn place(&self, symbol: SymbolId) -> Option<usize> {
        let inputs = self.inputs();
        match self.model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => Some(0),
            SymbolKind::Coordinate(index) => Some(1 + index),
            SymbolKind::Velocity(index) => Some(1 + inputs.positions + index),
            SymbolKind::Input(index) => Some(inputs.state() + index),
            SymbolKind::Parameter(index) => Some(inputs.total() + index),
            kind if self.forces > 0 => {
                let first = inputs.state() + self.model.inputs.len();
                self.model.force_place(kind).map(|place| first + place)
            }
            _ => None,
        }
    }

    fn push(&mut self, kind: Kind, fixed: bool) -> Node {
        self.nodes.push(kind);
        self.fixed.push(fixed);
        (self.nodes.len() - 1) as Node
    }

    fn operation(&mut self, operation: Operation) -> Node {
        let (a, b) = operation.operands();
        let fixed = self.fixed[a as usize] && b.is_none_or(|b| self.fixed[b as usize]);
        self.push(Kind::Result(operation), fixed)
    }

    /// The nodes of values of a program, with symbols by `symbol`.
    fn program(
        &mut self,
        program: &Program,
        outputs: &[Value],
        symbol: &mut dyn FnMut(&mut Self, SymbolId) -> Option<Node>,
    ) -> Option<Vec<Node>> {
        let live = live(program, outputs);
        let mut places: Vec<Node> = vec![0; live.len()];
        for index in (0..live.len()).filter(|index| live[*index]) {
            let at = |value: Value| places[value.index()];
            places[index] = match program.instructions[index] {
                Instruction::Input(of) => symbol(self, of)?,
                Instruction::Constant(bits) => self.push(Kind::Constant(bits), true),
                Instruction::Partial(partial, point) => {
                    let point: Vec<Node> = point[..usize::from(partial.arity)]
                        .iter()
                        .map(|value| at(*value))
                        .collect();
                    self.partial(program, index, &point)?
                }
                Instruction::Call(function @ (Function::Sin | Function::Cos), a, _) => {
                    self.sine_or_cosine(function, at(a))
                }
                instruction => self.instruction(instruction, at)?,
            };
        }
        Some(outputs.iter().map(|value| places[value.index()]).collect())
    }

    fn instruction(
        &mut self,
        instruction: Instruction,
        at: impl Fn(Value) -> Node,
    ) -> Option<Node> {
        // table
        let operation = match instruction {
            Instruction::Neg(a) => Operation::Neg(at(a)),
            Instruction::Add(a, b) => Operation::Add(at(a), at(b)),
            Instruction::Sub(a, b) => Operation::Sub(at(a), at(b)),
            Instruction::Mul(a, b) => return Some(self.product(at(a), at(b))),
            Instruction::MulAdd(a, b, c) => Operation::Add(self.product(at(a), at(b)), at(c)),
            Instruction::MulSub(a, b, c) => Operation::Sub(self.product(at(a), at(b)), at(c)),
            Instruction::NegMulAdd(a, b, c) => Operation::Sub(at(c), self.product(at(a), at(b))),
            Instruction::Div(a, b) => Operation::Div(at(a), at(b)),
            Instruction::InverseOrZero(a) => Operation::InverseOrZero(at(a)),
            Instruction::Sqrt(a) => Operation::Sqrt(at(a)),
            Instruction::Powi(a, n) => Operation::Powi(at(a), n),
            Instruction::Powf(a, b) => Operation::Powf(at(a), at(b)),
            Instruction::Call(function, a, b) => match function.numbers()? {
                Numbers::One(f) => Operation::Call(f, at(a)),
                Numbers::Angle => Operation::Atan2(at(a), at(b)),
                Numbers::Sine | Numbers::Cosine => return None,
            },
            Instruction::Input(_)
            | Instruction::Constant(_)
            | Instruction::Partial(..)
            | Instruction::Variable(_)
            | Instruction::Captured(_)
            | Instruction::Integral(..) => return None,
        };
        Some(self.operation(operation))
    }

    fn product(&mut self, a: Node, b: Node) -> Node {
        self.operation(if a == b { Operation::Square(a) } else { Operation::Mul(a, b) })
    }

    fn sine_or_cosine(&mut self, function: Function, angle: Node) -> Node {
        let both = Kind::Result(Operation::SinCos(angle));
        let known = self.nodes.iter().position(|kind| *kind == both);
        let sine = match known {
            Some(sine) => sine as Node,
            None => {
                let sine = self.operation(Operation::SinCos(angle));
                self.push(Kind::Cosine(sine), self.fixed[sine as usize]);
                sine
            }
        };
        if function == Function::Sin { sine } else { sine + 1 }
    }

    /// A partial of a declared function, by its default.
    fn partial(&mut self, program: &Program, index: usize, point: &[Node]) -> Option<Node> {
        let Instruction::Partial(partial, _) = program.instructions[index] else { return None };
        let holds = |list: &&FunctionProgram| list.partials.contains(&partial);
        let list = self.functions.iter().find(holds)?;
        let which = list.partials.iter().position(|other| *other == partial)?;
        let default = list.default.as_ref()?;
        let output = default.outputs.get(which)?.value;
        let declared = self.model.functions.get(list.function)?;
        let arguments = self.model.pool.signature(declared.partial).arguments.clone();
        if !self.defaults.contains(&list.function) {
            self.defaults.push(list.function);
        }
        let nodes = self.program(default, &[output], &mut |lowering, symbol| {
            if let Some(argument) = arguments.iter().position(|argument| *argument == symbol) {
                return point.get(argument).copied();
            }
            let place = lowering.place(symbol)?;
            Some(lowering.push(Kind::Given(place as Register), true))
        })?;
        nodes.first().copied()
    }

    /// Writes the operations, those of parameters and inputs first.
    fn tape(&self, inputs: Inputs, outputs: &[Node]) -> Tape {
        let parameters = self.model.parameters.len();
        let mut registers = vec![0; self.nodes.len()];
        let mut constants: Vec<f64> = Vec::new();
        for (register, kind) in registers.iter_mut().zip(&self.nodes) {
            match *kind {
                Kind::Given(place) => *register = place,
                Kind::Constant(bits) => {
                    let known = constants.iter().position(|constant| constant.to_bits() == bits);
                    let place = known.unwrap_or(constants.len());
                    if known.is_none() {
                        constants.push(f64::from_bits(bits));
                    }
                    *register = (inputs.total() + parameters + place) as Register;
                }
                Kind::Result(_) | Kind::Cosine(_) => {}
            }
        }
        let mut next = inputs.total() + parameters + constants.len();
        let mut operations = Vec::new();
        for of_fixed in [true, false] {
            for (index, kind) in self.nodes.iter().enumerate() {
                match *kind {
                    Kind::Result(operation) if self.fixed[index] == of_fixed => {
                        operations.push(operation.with(|node| registers[node as usize]).code());
                        registers[index] = next as Register;
                        next += operation.results();
                    }
                    Kind::Cosine(sine) if self.fixed[index] == of_fixed => {
                        registers[index] = registers[sine as usize] + 1;
                    }
                    _ => {}
                }
            }
        }
        let is_fixed =
            |index: usize| self.fixed[index] && matches!(self.nodes[index], Kind::Result(_));
        Tape {
            inputs,
            parameters,
            constants: constants.into(),
            fixed: (0..self.nodes.len()).filter(|index| is_fixed(*index)).count(),
            operations: operations.into(),
            registers: next,
            outputs: outputs.iter().map(|node| registers[*node as usize]).collect(),
            solve: None,
        }
    }
}

/// Which values some outputs need.
fn live(program: &Program, outputs: &[Value]) -> Vec<bool> {
    let mut live = vec![false; program.instructions.len()];
    for value in outputs {
        live[value.index()] = true;
    }
    for (index, instruction) in program.instructions.iter().enumerate().rev() {
        if live[index] {
            instruction.for_operands(|value| live[value.index()] = true);
        }
    }
    live
}
