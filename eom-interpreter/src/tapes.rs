//! The tapes of a system: one for each function of its type, and for each expression of parameters.

use crate::batch::CodeInLanes;
use crate::code::Coder;
use crate::run::Context;
use crate::tape::{FunctionTape, Layout, SeriesTape, Tape};
use eom_codegen::Derivation;
use eom_core::{EventCount, Law};
use eom_machine::Machine;
use eom_symbolic::mechanics::{self, Bound, Relation, Scenario, Sentence, SystemModel};
use eom_symbolic::program::{FunctionProgram, Kernel, Program};
use eom_symbolic::{ExprId, SymbolId, SymbolKind};

/// All tapes of a system.
#[derive(Debug)]
pub(crate) struct Tapes {
    pub(crate) dynamics: Tape,
    pub(crate) series: Option<SeriesTape>,
    pub(crate) frictionless: Tape,
    /// Those of each kernel, by its place in the table.
    kernels: Vec<Vec<Tape>>,
    pub(crate) lists: Vec<FunctionTape>,
    /// The code of those before, where this machine has some.
    pub(crate) machine: Option<Machine>,
    pub(crate) lanes: CodeInLanes,
    /// The default of each parameter, in those before it.
    pub(crate) defaults: Vec<Option<Value>>,
    /// The bounds of each parameter.
    pub(crate) bounds: Vec<Vec<BoundTape>>,
    pub(crate) laws: Vec<LawTape>,
    pub(crate) scenarios: Vec<ScenarioTape>,
    pub(crate) sentences: Vec<SentenceTape>,
}

/// An expression of parameters.
#[derive(Debug)]
pub(crate) struct Value(Tape);

/// left relation right, of parameters.
#[derive(Debug)]
pub(crate) struct BoundTape {
    left: Value,
    relation: Relation,
    right: Value,
}

/// The law of a contact, of parameters.
#[derive(Debug)]
pub(crate) enum LawTape {
    Fixed(Law),
    Restitution(Value),
    Oblique { normal: Value, tangential: Value },
}

/// The numbers of a scenario, of parameters.
#[derive(Debug)]
pub(crate) struct ScenarioTape {
    time: Value,
    position: Vec<Value>,
    velocity: Vec<Value>,
    inputs: Vec<Value>,
    until_time: Option<Value>,
    until_impacts: Option<usize>,
    until_events: Option<EventCount>,
}

/// The numbers of a sentence, of parameters.
#[derive(Debug)]
pub(crate) struct SentenceTape {
    settings: Vec<Value>,
    numbers: Vec<Value>,
    value: Value,
    within: Option<Value>,
}

impl Tapes {
    /// The tapes of a derived system.
    pub(crate) fn new(derivation: &Derivation) -> Self {
        let programs = &derivation.programs;
        let lists = lists(&derivation.model, &derivation.programs.functions);
        let place = |symbol| place(derivation, symbol);
        let of = state_layout(derivation, &place, &lists);
        let place_of_force = |symbol| place_behind(derivation, symbol, &Behind::FORCES);
        let with_forces = layout_with(&Behind::FORCES, derivation, &place_of_force, &lists);
        let place_in_motion = |symbol| place_behind(derivation, symbol, &Behind::ACCELERATIONS);
        let of_motion = layout_with(&Behind::ACCELERATIONS, derivation, &place_in_motion, &lists);
        let place_along = |symbol| place_behind(derivation, symbol, &Behind::DIRECTION);
        let along = layout_with(&Behind::DIRECTION, derivation, &place_along, &lists);
        let pool = &derivation.model.pool;
        let tape = |program: &Program| {
            let layout = if program.reads_forces(pool) {
                &with_forces
            } else if program.reads_accelerations(pool) {
                &of_motion
            } else if program.reads_direction(pool) {
                &along
            } else {
                &of
            };
            Tape::new(program, layout)
        };
        let each = |programs: &[Program]| programs.iter().map(tape).collect::<Vec<_>>();
        let values = Values { derivation, lists: &lists };
        let model = &derivation.model;
        let mut tapes = Self {
            machine: None,
            lanes: CodeInLanes::default(),
            dynamics: tape(&programs.dynamics),
            series: programs.series.as_ref().map(|series| Tape::series(series, &of)),
            frictionless: tape(&programs.frictionless),
            kernels: Kernel::ALL.iter().map(|k| each(k.programs(programs))).collect(),
            defaults: model.parameters.iter().map(|p| p.default.map(|e| values.of(e))).collect(),
            bounds: model.parameters.iter().map(|p| values.bounds(&p.bounds)).collect(),
            laws: model.contacts.iter().map(|contact| values.law(contact.law)).collect(),
            scenarios: model.scenarios.iter().map(|s| values.scenario(s)).collect(),
            sentences: model.sentences.iter().map(|s| values.sentence(s)).collect(),
            lists,
        };
        let (n, m, r) = (model.positions().len(), model.speeds.len(), model.inputs.len());
        tapes.split([m, model.rows.len(), model.contacts.len()]);
        tapes.machine = tapes.coded([1, n, m, r]);
        tapes
    }

    /// Says which outputs stand apart where they are asked for: a and λ, rows and what stands beside them.
    fn split(&mut self, [speeds, rows, contacts]: [usize; 3]) {
        (self.dynamics.split, self.frictionless.split) = (speeds, speeds);
        for (kernel, tapes) in Kernel::ALL.iter().zip(&mut self.kernels) {
            let lists = match kernel {
                Kernel::ConstraintRows | Kernel::ConstraintRowsAt => rows,
                Kernel::GapRows => contacts,
                _ => continue,
            };
            for tape in tapes {
                tape.split = lists * speeds;
            }
        }
    }

    /// Gives all tapes of the state their code; `lengths` are those of t, q, v and u.
    fn coded(&mut self, lengths: [usize; 4]) -> Option<Machine> {
        if !eom_machine::IS_POSSIBLE {
            return None;
        }
        let Self { dynamics, frictionless, kernels, series, lists, .. } = self;
        let mut coder = Coder::new(lengths, lists);
        let own = [dynamics, frictionless].into_iter().chain(kernels.iter_mut().flatten());
        let mut tapes: Vec<&mut Tape> = own.collect();
        for (at, tape) in tapes.iter_mut().enumerate() {
            // v̇ and λ are always asked for with all of t, q, v and u.
            coder.tape(tape, at < 2);
        }
        if let Some(series) = series {
            coder.series(series);
            series.start.code = series.code.as_ref().and_then(|code| code.start);
            tapes.push(&mut series.start);
        }
        let machine = coder.finish()?;
        for tape in tapes {
            tape.room_of_code = tape.code.map_or(0, |code| machine.room(code));
            // Functions that are written out may set aside more than the tape has registers.
            tape.room = tape.room.max(tape.room_of_code);
        }
        Some(machine)
    }

    /// That of a kernel which has one.
    pub(crate) fn one(&self, kernel: Kernel) -> &Tape {
        &self.kernels[kernel as usize][0]
    }

    /// That of a kernel for a contact or an event.
    pub(crate) fn of(&self, kernel: Kernel, index: usize) -> Option<&Tape> {
        self.kernels[kernel as usize].get(index)
    }
}

/// Inputs t, q, v, u.
fn state_layout<'a>(
    derivation: &Derivation,
    place: &'a dyn Fn(SymbolId) -> Option<usize>,
    lists: &'a [FunctionTape],
) -> Layout<'a> {
    let model = &derivation.model;
    let (n, m, r) = (model.positions().len(), model.speeds.len(), model.inputs.len());
    Layout { inputs: 1 + n + m + r, parameters: model.parameters.len(), place, lists }
}

/// The register of a symbol of the state, or of a parameter.
fn place(derivation: &Derivation, symbol: SymbolId) -> Option<usize> {
    let model = &derivation.model;
    let v = 1 + model.coordinates.len() + 4 * model.rotations.len();
    let u = v + model.speeds.len();
    let parameters = u + model.inputs.len();
    match model.pool.symbol_info(symbol).kind {
        SymbolKind::Time => Some(0),
        SymbolKind::Coordinate(index) => Some(1 + index),
        SymbolKind::Velocity(index) => Some(v + index),
        SymbolKind::Input(index) => Some(u + index),
        SymbolKind::Parameter(index) => Some(parameters + index),
        _ => None,
    }
}

/// What some tapes read behind t, q, v, u.
struct Behind {
    /// How many numbers.
    count: fn(&SystemModel) -> usize,
    /// Where a symbol stands among them.
    place: fn(&SystemModel, SymbolKind) -> Option<usize>,
}

impl Behind {
    /// The forces of a mode.
    const FORCES: Self =
        Self { count: SystemModel::forces_of_mode, place: |model, kind| model.force_place(kind) };

    /// v̇.
    const ACCELERATIONS: Self = Self {
        count: |model| model.speeds.len(),
        place: |_, kind| match kind {
            SymbolKind::Acceleration(index) => Some(index),
            _ => None,
        },
    };

    /// Weights of v̇ and λ, then a direction of q, v, u.
    const DIRECTION: Self = Self {
        count: |model| {
            weights(model) + model.positions().len() + model.speeds.len() + model.inputs.len()
        },
        place: |model, kind| match kind {
            SymbolKind::Weight(index) => Some(index),
            SymbolKind::Direction(index) => Some(weights(model) + index),
            _ => None,
        },
    };
}

/// How many weights there are.
fn weights(model: &SystemModel) -> usize {
    model.speeds.len() + model.rows.len()
}

fn layout_with<'a>(
    behind: &Behind,
    derivation: &Derivation,
    place: &'a dyn Fn(SymbolId) -> Option<usize>,
    lists: &'a [FunctionTape],
) -> Layout<'a> {
    let layout = state_layout(derivation, place, lists);
    Layout { inputs: layout.inputs + (behind.count)(&derivation.model), ..layout }
}

/// The register of a symbol of the state, of what stands behind it, or of a parameter.
fn place_behind(derivation: &Derivation, symbol: SymbolId, behind: &Behind) -> Option<usize> {
    let model = &derivation.model;
    let first = 1 + model.positions().len() + model.speeds.len() + model.inputs.len();
    match model.pool.symbol_info(symbol).kind {
        SymbolKind::Parameter(index) => Some(first + (behind.count)(model) + index),
        kind => match (behind.place)(model, kind) {
            Some(index) => Some(first + index),
            None => place(derivation, symbol),
        },
    }
}

/// The register of a parameter behind `inputs` others.
fn parameter(model: &SystemModel, inputs: usize, symbol: SymbolId) -> Option<usize> {
    match model.pool.symbol_info(symbol).kind {
        SymbolKind::Parameter(index) => Some(inputs + index),
        _ => None,
    }
}

/// The lists of partials with the tapes of defaults, whose inputs are the arguments.
pub(crate) fn lists(model: &SystemModel, functions: &[FunctionProgram]) -> Vec<FunctionTape> {
    functions
        .iter()
        .map(|list| {
            let declared = &model.functions[list.function];
            let arguments = &model.pool.signature(declared.partial).arguments;
            let inputs = arguments.len();
            let place = |symbol| {
                let argument = arguments.iter().position(|argument| *argument == symbol);
                argument.or_else(|| parameter(model, inputs, symbol))
            };
            let parameters = model.parameters.len();
            FunctionTape::new(list, &Layout { inputs, parameters, place: &place, lists: &[] })
        })
        .collect()
}

/// Makes tapes of expressions of parameters.
struct Values<'d> {
    derivation: &'d Derivation,
    lists: &'d [FunctionTape],
}

impl Values<'_> {
    fn of(&self, expr: ExprId) -> Value {
        let model = &self.derivation.model;
        let program = Program::of_expressions(&model.pool, "value", [(String::new(), expr)]);
        let place = |symbol| parameter(model, 0, symbol);
        let parameters = model.parameters.len();
        let layout = Layout { inputs: 0, parameters, place: &place, lists: self.lists };
        Value(Tape::new(&program, &layout))
    }

    fn all(&self, expressions: &[ExprId]) -> Vec<Value> {
        expressions.iter().map(|expr| self.of(*expr)).collect()
    }

    fn bounds(&self, bounds: &[Bound]) -> Vec<BoundTape> {
        let bound = |&Bound { left, relation, right }: &Bound| {
            let (left, right) = (self.of(left), self.of(right));
            BoundTape { left, relation, right }
        };
        bounds.iter().map(bound).collect()
    }

    fn law(&self, law: mechanics::Law) -> LawTape {
        use mechanics::Law as Declared;
        match law {
            Declared::ELASTIC => LawTape::Fixed(Law::Elastic),
            Declared::PLASTIC => LawTape::Fixed(Law::Plastic),
            Declared::Restitution([kept, e, tangential]) if kept == e && e == tangential => {
                LawTape::Restitution(self.of(e))
            }
            Declared::Restitution([_, normal, tangential]) => {
                let (normal, tangential) = (self.of(normal), self.of(tangential));
                LawTape::Oblique { normal, tangential }
            }
            Declared::Project => LawTape::Fixed(Law::Project),
            Declared::Assign => LawTape::Fixed(Law::Assign),
        }
    }

    fn sentence(&self, said: &Sentence) -> SentenceTape {
        SentenceTape {
            settings: said.settings.iter().map(|(_, value)| self.of(*value)).collect(),
            numbers: self.all(&said.numbers),
            value: self.of(said.value),
            within: said.within.map(|e| self.of(e)),
        }
    }

    fn scenario(&self, scenario: &Scenario) -> ScenarioTape {
        ScenarioTape {
            time: self.of(scenario.time),
            position: self.all(&scenario.position),
            velocity: self.all(&scenario.velocity),
            inputs: self.all(&scenario.inputs),
            until_time: scenario.until_time.map(|e| self.of(e)),
            until_impacts: scenario.until_impacts,
            until_events: scenario
                .until_events
                .map(|mechanics::EventCount { event, count }| EventCount { event, count }),
        }
    }
}

impl Value {
    /// The value with the parameters of a context.
    pub(crate) fn get(&self, context: &Context<'_>) -> f64 {
        crate::run::with_registers(self.0.room, |registers| {
            self.0.run(context, &[], registers);
            self.0.outputs.first().map_or(f64::NAN, |output| registers[*output as usize])
        })
    }
}

impl BoundTape {
    /// Whether it holds with the parameters of a context.
    pub(crate) fn holds(&self, context: &Context<'_>) -> bool {
        self.relation.holds(self.left.get(context), self.right.get(context))
    }
}

impl LawTape {
    /// The law with the parameters of a context.
    pub(crate) fn get(&self, context: &Context<'_>) -> Law {
        match self {
            Self::Fixed(law) => *law,
            Self::Restitution(e) => Law::Restitution(e.get(context)),
            Self::Oblique { normal, tangential } => {
                let (normal, tangential) = (normal.get(context), tangential.get(context));
                Law::Oblique { normal, tangential }
            }
        }
    }
}

impl SentenceTape {
    /// The numbers with the parameters of a context.
    pub(crate) fn get(&self, context: &Context<'_>) -> eom_core::Sentence {
        let all = |values: &[Value]| values.iter().map(|value| value.get(context)).collect();
        eom_core::Sentence {
            settings: all(&self.settings),
            numbers: all(&self.numbers),
            value: self.value.get(context),
            within: self.within.as_ref().map(|value| value.get(context)),
        }
    }
}

impl ScenarioTape {
    /// The numbers with the parameters of a context.
    pub(crate) fn get(&self, context: &Context<'_>) -> eom_core::Scenario {
        let all = |values: &[Value]| values.iter().map(|value| value.get(context)).collect();
        eom_core::Scenario {
            t: self.time.get(context),
            q: all(&self.position),
            v: all(&self.velocity),
            u: all(&self.inputs),
            until_time: self.until_time.as_ref().map(|value| value.get(context)),
            until_impacts: self.until_impacts,
            until_events: self.until_events,
        }
    }
}
