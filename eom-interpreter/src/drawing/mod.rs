//! What is looked at along a run: the shapes of a drawing, and numbers that are written in the names of a
//! declaration. Programs of their own, run as all others are; those of the system do not know of them.
//!
//! ```
//! use eom_core::{Mode, State, System};
//! use eom_interpreter::Interpreted;
//! use eom_interpreter::drawing::{Drawing, Instant};
//!
//! let source = "system Pendulum {
//!     coordinates { θ }
//!     parameters { l = 2 }
//!     kinetic = l^2*θ̇^2/2;
//!     potential = -9.81*l*cos(θ);
//!     draw { line [0, 0], [l*sin(θ), -l*cos(θ)]; }
//! }";
//! let pendulum = Interpreted::new(source).map_err(|mistakes| mistakes[0].to_string())?;
//! let drawing = Drawing::new(source).map_err(|mistakes| mistakes[0].to_string())?;
//! let state = State::new(0.0, [0.0], [1.0]);
//! let at = Instant { system: &pendulum, functions: &[], inputs: &[], state: &state, mode: &Mode::default() };
//! let mut line = [0.0; 4];
//! drawing.numbers(&at, &mut line);
//! assert_eq!(line, [0.0, 0.0, 0.0, -2.0]);
//! # Ok::<(), String>(())
//! ```

mod contour;

use crate::motion::{Forces, Observer, Sight, rough_rows};
use crate::run::{Context, with_registers};
use crate::tape::{FunctionTape, Layout, Tape};
use crate::tapes::lists;
use contour::contour;
use eom_codegen::diagnostic::Diagnostic;
use eom_codegen::{drawing_source, numbers_source};
use eom_core::info::FrictionKind;
use eom_core::private::check_length;
use eom_core::{Mode, SmoothFunction, State, System};
use eom_symbolic::mechanics::SystemModel;
pub use eom_symbolic::mechanics::drawing::Shape;
use eom_symbolic::program::{DrawingPrograms, Program};
use eom_symbolic::{ExprId, SymbolId, SymbolKind};

/// Where a run is.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    /// The system with its parameters.
    pub system: &'a dyn System,
    /// Functions in place of those of the declaration; those missing at the end are declared ones.
    pub functions: &'a [SmoothFunction],
    /// The inputs.
    pub inputs: &'a [f64],
    /// The state.
    pub state: &'a State,
    /// The mode, which forces depend on.
    pub mode: &'a Mode,
}

impl std::fmt::Debug for Instant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instant")
            .field("system", &self.system.info().name)
            .field("inputs", &self.inputs)
            .field("state", &self.state)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

/// The drawing of a declaration.
#[derive(Debug, Clone)]
pub struct Drawing {
    dimension: usize,
    shapes: Vec<Shape>,
    eye: Eye,
    /// For each field whether it changes in time.
    moves: Vec<bool>,
}

/// Numbers that are written in the names of a declaration.
#[derive(Debug, Clone)]
pub struct Numbers {
    eye: Eye,
}

impl Drawing {
    /// The drawing of a declaration: that of its `draw`, or the point of its plane.
    ///
    /// # Errors
    /// Where the declaration cannot be read or resolved.
    pub fn new(source: &str) -> Result<Self, Vec<Diagnostic>> {
        let model = drawing_source(source)?;
        let Some(drawing) = model.drawing.clone() else { return Err(Vec::new()) };
        let programs = DrawingPrograms::new(&model, &drawing);
        let moves = |program: &Program| {
            program.inputs().iter().any(|s| model.pool.symbol_info(*s).kind == SymbolKind::Time)
        };
        let moves = programs.fields.iter().map(moves).collect();
        let eye = Eye::new(&model, &programs, drawing.plane);
        Ok(Self { dimension: drawing.dimension, shapes: drawing.shapes, eye, moves })
    }

    /// The components of its points, 2 or 3.
    pub const fn dimension(&self) -> usize {
        self.dimension
    }

    /// Its shapes, in the order in which they are drawn.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// How many numbers its shapes have.
    pub fn count(&self) -> usize {
        self.eye.numbers.outputs.len()
    }

    /// The numbers of all shapes at an instant, one shape after another.
    pub fn numbers(&self, at: &Instant<'_>, numbers: &mut [f64]) {
        self.eye.numbers(&Read::new(at, self.eye.reads_forces), numbers);
    }

    /// The same along a motion.
    pub fn along(&self, sight: &mut Sight<'_>, functions: &[SmoothFunction], to: &mut [f64]) {
        self.eye.along(sight, functions, to);
    }

    /// Whether the curve or height of a shape changes in time.
    pub fn field_moves(&self, shape: usize) -> bool {
        self.moves.get(shape).copied().unwrap_or_default()
    }

    /// The curve of a shape within a box of the plane, as lines through points: where its equation holds, by
    /// its signs on a grid of `cells` squares along each side.
    pub fn curve(
        &self,
        shape: usize,
        at: &Instant<'_>,
        range: [[f64; 2]; 2],
        cells: usize,
    ) -> Vec<Vec<[f64; 2]>> {
        contour(&self.field(shape, at), range, cells)
    }

    /// The heights of a shape over a box of the plane, row by row along the first axis.
    pub fn heights(
        &self,
        shape: usize,
        at: &Instant<'_>,
        range: [[f64; 2]; 2],
        cells: usize,
    ) -> Vec<f64> {
        let place = |axis: usize, k: usize| {
            let [low, high] = range[axis];
            low + (high - low) * k as f64 / cells.max(1) as f64
        };
        let point = |j: usize, i: usize| [place(0, i), place(1, j)];
        let points = (0..=cells).flat_map(|j| (0..=cells).map(move |i| (j, i)));
        let field = self.field(shape, at);
        points.map(|(j, i)| field(point(j, i))).collect()
    }

    /// The value of a curve's equation or a height at a point; not a number where there is none.
    fn field<'a>(&'a self, shape: usize, at: &Instant<'a>) -> impl Fn([f64; 2]) -> f64 + 'a {
        let tape = self.eye.fields.get(shape).filter(|tape| tape.outputs.len() == 1);
        // What no point changes is found once: there may be forces to solve for.
        let read = tape.map(|tape| (tape, Read::new(at, self.eye.reads_forces)));
        move |point| {
            let mut value = [f64::NAN];
            if let Some((tape, read)) = &read {
                self.eye.run(tape, read, point, &mut value);
            }
            value[0]
        }
    }
}

impl Numbers {
    /// Numbers in the names of a declaration, `let`s, velocities, accelerations and λ among them.
    ///
    /// # Errors
    /// Where the declaration or one of the texts cannot be read or resolved.
    pub fn new(source: &str, texts: &[&str]) -> Result<Self, Vec<Diagnostic>> {
        let (model, numbers) = numbers_source(source, texts)?;
        Ok(Self::of(&model, &numbers))
    }

    /// Numbers that are expressions of a model.
    pub fn of(model: &SystemModel, numbers: &[ExprId]) -> Self {
        let programs = DrawingPrograms::of(model, numbers, &[]);
        Self { eye: Eye::new(model, &programs, [model.time; 2]) }
    }

    /// Their values at an instant.
    pub fn values(&self, at: &Instant<'_>, values: &mut [f64]) {
        self.eye.numbers(&Read::new(at, self.eye.reads_forces), values);
    }

    /// The same along a motion.
    pub fn along(&self, sight: &mut Sight<'_>, functions: &[SmoothFunction], to: &mut [f64]) {
        self.eye.along(sight, functions, to);
    }

    /// Their values at an instant of a declaration of coordinates alone, whatever the system of the instant is.
    pub fn of_coordinates(&self, at: &Instant<'_>, values: &mut [f64]) {
        let (a, λ) = (vec![0.0; at.state.v.len()], Vec::new());
        let read = Read { at: *at, parameters: Vec::new(), functions: Vec::new(), a, λ };
        self.eye.run(&self.eye.numbers, &read, [0.0; 2], values);
    }
}

/// The tapes of what is looked at. Their inputs are t, q, v, u, v̇, the forces of the mode, the plane.
#[derive(Debug, Clone)]
struct Eye {
    numbers: Tape,
    fields: Vec<Tape>,
    lists: Vec<FunctionTape>,
    reads_forces: bool,
}

impl Eye {
    fn new(model: &SystemModel, programs: &DrawingPrograms, plane: [SymbolId; 2]) -> Self {
        let lists = lists(model, &programs.functions);
        let place = |symbol| Places::new(model).of(model, plane, symbol);
        let inputs = Places::new(model).end;
        let parameters = model.parameters.len();
        let layout = Layout { inputs, parameters, place: &place, lists: &lists };
        let tape = |program: &Program| Tape::new(program, &layout);
        let (numbers, fields) =
            (tape(&programs.numbers), programs.fields.iter().map(tape).collect());
        Self { numbers, fields, lists, reads_forces: programs.reads_forces }
    }

    fn numbers(&self, read: &Read<'_>, numbers: &mut [f64]) {
        self.run(&self.numbers, read, [0.0; 2], numbers);
    }

    fn along(&self, sight: &mut Sight<'_>, functions: &[SmoothFunction], numbers: &mut [f64]) {
        let found = self.reads_forces.then(|| sight.forces());
        let Sight { system, inputs, state, mode, .. } = *sight;
        let at = Instant { system, functions, inputs, state, mode };
        self.numbers(&Read::with(&at, found), numbers);
    }

    fn run(&self, tape: &Tape, read: &Read<'_>, plane: [f64; 2], into: &mut [f64]) {
        check_length("numbers", tape.outputs.len(), into.len());
        let Read { at, parameters, functions, a, λ } = read;
        let State { t, q, v } = at.state;
        let context =
            Context { parameters, functions, lists: &self.lists, declared: false, machine: None };
        with_registers(tape.room, |registers| {
            tape.run(&context, &[&[*t], q, v, at.inputs, a, λ, &plane], registers);
            for (to, from) in into.iter_mut().zip(&tape.outputs) {
                *to = registers[*from as usize];
            }
        });
    }
}

/// What tapes read at an instant, but for the plane.
struct Read<'a> {
    at: Instant<'a>,
    parameters: Vec<f64>,
    functions: Vec<SmoothFunction>,
    a: Vec<f64>,
    λ: Vec<f64>,
}

impl<'a> Read<'a> {
    /// What the state alone tells.
    fn new(at: &Instant<'a>, reads_forces: bool) -> Self {
        let forces = || Observer::new(at.system, at.inputs).see(at.state, at.mode).forces();
        Self::with(at, reads_forces.then(forces))
    }

    /// v̇ and λ are 0 where nothing reads them.
    fn with(at: &Instant<'a>, forces: Option<Forces>) -> Self {
        let info = at.system.info();
        let mut parameters = vec![0.0; info.parameters.len()];
        at.system.parameters(&mut parameters);
        let mut functions = at.functions.to_vec();
        functions.resize(info.functions.len(), SmoothFunction::declared());
        let (a, λ) = if let Some(found) = forces {
            (found.accelerations, [found.multipliers, found.contacts, found.frictions].concat())
        } else {
            let of_contacts = (1 + FrictionKind::PLACES) * info.contacts.len();
            let forces = info.rows.len()
                + of_contacts
                + rough_rows(info).map(|(_, components)| components).sum::<usize>();
            (vec![0.0; at.state.v.len()], vec![0.0; forces])
        };
        Self { at: *at, parameters, functions, a, λ }
    }
}

/// Where the inputs of each kind begin.
struct Places {
    v: usize,
    u: usize,
    a: usize,
    λ: usize,
    plane: usize,
    end: usize,
}

impl Places {
    fn new(model: &SystemModel) -> Self {
        let v = 1 + model.coordinates.len() + 4 * model.rotations.len();
        let u = v + model.speeds.len();
        let a = u + model.inputs.len();
        let λ = a + model.speeds.len();
        let plane = λ + model.forces_of_mode();
        Self { v, u, a, λ, plane, end: plane + 2 }
    }

    /// The register of a symbol; parameters stand behind the inputs.
    fn of(&self, model: &SystemModel, plane: [SymbolId; 2], symbol: SymbolId) -> Option<usize> {
        match model.pool.symbol_info(symbol).kind {
            SymbolKind::Time => Some(0),
            SymbolKind::Coordinate(index) => Some(1 + index),
            SymbolKind::Velocity(index) => Some(self.v + index),
            SymbolKind::Input(index) => Some(self.u + index),
            SymbolKind::Acceleration(index) => Some(self.a + index),
            kind if kind.is_force() => Some(self.λ + model.force_place(kind)?),
            SymbolKind::Parameter(index) => Some(self.end + index),
            _ => plane.iter().position(|axis| *axis == symbol).map(|axis| self.plane + axis),
        }
    }
}
