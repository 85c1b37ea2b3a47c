//! Derivatives of v̇ and λ: forms in which the dynamics has a linear graph, of which the one that takes the fewest operations
//! is written.
//!
//! ```text
//! explicit       v̇, λ by the program of the dynamics, differentiated as it stands
//! implicit       K ∂x/∂y = −∂ρ/∂y, x held: what solves for x solves for its slopes, and is not differentiated
//! ```
//!
//! Short programs are differentiated best as they stand; where an elimination is long the second is shorter. Of a chain of rods
//! x are the tensions: their matrix has entries of neighbours alone, and so has ∂ρ/∂y; v̇ follows of neighbours.

use super::linear::{LinearGraph, Order, Vertex};
use crate::mechanics::EquationsOfMotion;
use crate::mechanics::SystemModel;
use crate::mechanics::lagrange::tensions::{Acceleration, Tensions};
use crate::mechanics::lagrange::velocity_forms::Forms;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::program::dynamics::solve::{Kkt, Method, solve};
use crate::program::lower::Lowering;
use crate::program::{Builder, Instruction, Program, Value};
use eom_elementary::order;

/// As many of the cheapest programs are brought to their last form, which may be shorter for another one.
const FINALISTS: usize = 3;

/// As many of the shortest gradients are differentiated once more.
const GRADIENTS: usize = 2;

/// v̇ and λ as values, and the linear graph from sources y to them.
pub(in crate::program) struct Form {
    builder: Builder,
    values: Vec<Value>,
    graph: LinearGraph,
    sources: Vec<Vertex>,
    targets: Vec<Vertex>,
}

/// A linear system K x = r(y), with what it is solved by.
pub(in crate::program) struct Implicit<'e> {
    pub(in crate::program) pool: &'e ExprPool,
    pub(in crate::program) guarded: &'e [ExprId],
    pub(in crate::program) mass: &'e [Vec<ExprId>],
    pub(in crate::program) rows: &'e [Vec<ExprId>],
    /// The right sides.
    pub(in crate::program) force: (&'e [ExprId], &'e [ExprId]),
    pub(in crate::program) drift: &'e [ExprId],
    /// x as symbols.
    pub(in crate::program) unknowns: &'e [ExprId],
    /// ∂ρ/∂y with x held, by rows.
    pub(in crate::program) slopes: &'e [Vec<ExprId>],
    pub(in crate::program) results: &'e [Output],
}

/// own + Σ coefficient·unknown, with the slopes of this sum by y, x held.
pub(in crate::program) struct Output {
    pub(in crate::program) value: ExprId,
    pub(super) by_unknowns: Vec<(usize, ExprId)>,
    pub(in crate::program) slopes: Vec<ExprId>,
}

/// The instructions of a program, its products apart from its sums, and its results.
pub(super) fn imported(program: &Program) -> (Builder, Vec<Value>) {
    let mut builder = program.rewritten(|b, _, _, instruction| match instruction {
        Instruction::MulAdd(x, y, c) => {
            let product = b.mul(x, y);
            b.add(product, c)
        }
        Instruction::MulSub(x, y, c) => {
            let product = b.mul(x, y);
            b.sub(product, c)
        }
        Instruction::NegMulAdd(x, y, c) => {
            let product = b.mul(x, y);
            b.sub(c, product)
        }
        other => b.simplified(other),
    });
    let values = builder.take_outputs();
    (builder, values)
}

/// The values of M and A.
struct Matrices {
    mass: Vec<Vec<Value>>,
    rows: Vec<Vec<Value>>,
}

impl Matrices {
    /// x for right sides. The builder has each instruction once: the factors of K are made by the first call.
    fn solve(&self, lowering: &mut Lowering<'_>, force: &[Value], drift: &[Value]) -> Vec<Value> {
        let kkt = Kkt { mass: &self.mass, rows: &self.rows, force, drift };
        let (a, λ) = solve(lowering.builder(), &kkt, Method::Factors);
        [a, λ].concat()
    }

    /// The vertices of x: what solves for it is run on right sides that are variables, to which edges −∂ρ/∂y lead from
    /// the sources y.
    fn moved(
        &self,
        lowering: &mut Lowering<'_>,
        graph: &mut LinearGraph,
        sources: &[Vertex],
        slopes: &[Vec<ExprId>],
    ) -> Vec<Vertex> {
        let right = graph.vertices(slopes.len());
        let variables: Vec<Value> = (0..slopes.len() as u32)
            .map(|i| lowering.builder().push(Instruction::Variable(i)))
            .collect();
        for (i, row) in slopes.iter().enumerate() {
            let row = lowering.list(row);
            for (source, slope) in sources.iter().zip(row) {
                let b = lowering.builder();
                // A v̇ = −γ: the drift is taken with its sign.
                let slope = if i < self.mass.len() { b.neg(slope) } else { slope };
                graph.add(b, *source, right[i], slope);
            }
        }
        let (force, drift) = variables.split_at(self.mass.len());
        let moved = self.solve(lowering, force, drift);
        let known: Vec<(Value, Vertex)> = variables.iter().copied().zip(right).collect();
        graph.trace(lowering.builder(), &known, &moved)
    }
}

/// Names the results of a program: of v̇ and λ, and of each source the slopes of these by it.
type Write<'w> = dyn Fn(&mut Builder, &[Value], &[Vec<Value>]) + 'w;

impl Form {
    /// That of the program of the dynamics.
    pub(in crate::program) fn explicit(dynamics: &Program, by: &[SymbolId]) -> Self {
        let (mut builder, values) = imported(dynamics);
        let mut graph = LinearGraph::default();
        let sources = graph.vertices(by.len());
        let known: Vec<(Value, Vertex)> = by
            .iter()
            .zip(&sources)
            .map(|(symbol, vertex)| (builder.push(Instruction::Input(*symbol)), *vertex))
            .collect();
        let targets = graph.trace(&mut builder, &known, &values);
        Self { builder, values, graph, sources, targets }
    }

    /// That of a linear system.
    pub(super) fn implicit(system: &Implicit<'_>, count: usize) -> Self {
        let mut lowering = Lowering::guarding(system.pool, system.guarded);
        let matrices =
            Matrices { mass: lowering.matrix(system.mass), rows: lowering.matrix(system.rows) };
        let force = lowering.differences(system.force.0, system.force.1);
        let drift = lowering.list(system.drift);
        let solution = matrices.solve(&mut lowering, &force, &drift);
        for (x, value) in system.unknowns.iter().zip(&solution) {
            lowering.know(*x, *value);
        }
        let mut graph = LinearGraph::default();
        let sources = graph.vertices(count);
        let unknowns = matrices.moved(&mut lowering, &mut graph, &sources, system.slopes);
        let (mut values, mut targets) = (Vec::new(), Vec::new());
        for output in system.results {
            let target = graph.vertex();
            for (unknown, coefficient) in &output.by_unknowns {
                let slope = lowering.lower(*coefficient);
                graph.add(lowering.builder(), unknowns[*unknown], target, slope);
            }
            let own = lowering.list(&output.slopes);
            for (source, slope) in sources.iter().zip(own) {
                graph.add(lowering.builder(), *source, target, slope);
            }
            values.push(lowering.lower(output.value));
            targets.push(target);
        }
        Self { builder: lowering.into_builder(), values, graph, sources, targets }
    }

    /// That of the tensions of a chain of rods; `None` where it is none.
    pub(in crate::program) fn of_rods(
        model: &SystemModel,
        equations: &EquationsOfMotion,
        by: &[SymbolId],
    ) -> Option<Self> {
        if !equations.rows.is_empty() {
            return None;
        }
        let forms = Forms::of_rates(model, equations)?;
        let Tensions { mut pool, matrix, right, accelerations } =
            Tensions::of(&forms, &equations.force)?;
        let unknowns: Vec<ExprId> = (0..right.len())
            .map(|i| {
                let symbol = pool.symbol(SymbolKind::Multiplier(i), &format!("T[{i}]"));
                pool.symbol_expr(symbol)
            })
            .collect();
        let mut residuals = Vec::with_capacity(right.len());
        for (row, right) in matrix.iter().zip(&right) {
            let left = crate::mechanics::linear::dot(&mut pool, row, &unknowns);
            residuals.push(pool.sub(left, *right));
        }
        let slopes = pool.jacobian(&residuals, by);
        let results: Vec<Output> =
            accelerations.iter().map(|a| Output::of(&mut pool, a, &unknowns, by)).collect();
        let none = vec![ExprPool::ZERO; right.len()];
        let system = Implicit {
            pool: &pool,
            guarded: &equations.friction.guarded,
            mass: &matrix,
            rows: &[],
            force: (&right, &none),
            drift: &[],
            unknowns: &unknowns,
            slopes: &slopes,
            results: &results,
        };
        Some(Self::implicit(&system, by.len()))
    }

    /// The values and, of each source, the slopes of all by it.
    fn program(&self, order: Order, name: &str, write: &Write<'_>) -> Program {
        let mut b = self.builder.clone();
        let columns = self.graph.clone().jacobian(&mut b, &self.sources, &self.targets, order);
        write(&mut b, &self.values, &columns);
        b.finish(name)
    }

    /// The program of g = ∂(μ·(v̇, λ))/∂y.
    fn gradient(&self, order: Order, names: &Names<'_>) -> Gradient {
        let (mut builder, mut graph) = (self.builder.clone(), self.graph.clone());
        let total = graph.vertex();
        for (target, weight) in self.targets.iter().zip(names.weights) {
            let weight = builder.push(Instruction::Input(*weight));
            graph.add(&mut builder, *target, total, weight);
        }
        let values = graph.jacobian(&mut builder, &self.sources, &[total], order).concat();
        Gradient { builder, values }
    }
}

/// A gradient, in the program that computes it.
struct Gradient {
    builder: Builder,
    values: Vec<Value>,
}

impl Gradient {
    /// How many operations it takes.
    fn work(&self, pool: &ExprPool) -> usize {
        let mut b = self.builder.clone();
        for value in &self.values {
            b.output("", *value);
        }
        b.finish("gradient").fused(pool).op_counts().total()
    }

    /// g and ∂g/∂y w.
    fn product(&self, order: Order, name: &str, names: &Names<'_>) -> Program {
        let (mut b, mut graph) = (self.builder.clone(), LinearGraph::default());
        let (along, sources) = (graph.vertex(), graph.vertices(names.by.len()));
        let mut known = Vec::with_capacity(sources.len());
        for ((symbol, rate), source) in names.by.iter().zip(names.direction).zip(sources) {
            let [value, rate] = [symbol, rate].map(|s| b.push(Instruction::Input(*s)));
            graph.add(&mut b, along, source, rate);
            known.push((value, source));
        }
        let targets = graph.trace(&mut b, &known, &self.values);
        let product = graph.jacobian(&mut b, &[along], &targets, order).concat();
        for (about, values) in [("∇", &self.values), ("∇² w", &product)] {
            for (symbol, value) in names.by.iter().zip(values) {
                b.output(format!("{about}[{}]", names.pool.symbol_info(*symbol).name), *value);
            }
        }
        b.finish(name)
    }
}

/// The symbols of a Hessian times a vector.
pub(in crate::program) struct Names<'n> {
    pub(in crate::program) pool: &'n ExprPool,
    /// y.
    pub(in crate::program) by: &'n [SymbolId],
    /// μ.
    pub(in crate::program) weights: &'n [SymbolId],
    /// w.
    pub(in crate::program) direction: &'n [SymbolId],
}

impl Output {
    fn of(
        pool: &mut ExprPool,
        acceleration: &Acceleration,
        unknowns: &[ExprId],
        by: &[SymbolId],
    ) -> Self {
        let mut terms = vec![(ExprPool::ONE, acceleration.own)];
        let mut by_unknowns = Vec::new();
        for term in &acceleration.terms {
            let slope =
                if term.is_negative { pool.neg(term.coefficient) } else { term.coefficient };
            terms.push((ExprPool::ONE, pool.mul(slope, unknowns[term.unknown])));
            by_unknowns.push((term.unknown, slope));
        }
        let value = pool.sum(&terms);
        let slopes = pool.jacobian(&[value], by).remove(0);
        Self { value, by_unknowns, slopes }
    }
}

/// The shortest of the programs that the forms give.
pub(in crate::program) fn shortest(
    forms: &[Form],
    pool: &ExprPool,
    name: &str,
    write: &Write<'_>,
) -> Program {
    let orders = |form| Order::ALL.map(|order| Form::program(form, order, name, write));
    shortest_of(forms.iter().flat_map(orders).collect(), pool, name)
}

/// The shortest of those of Hessians times vectors: of the shortest gradients, backward, forward or nearly so.
pub(super) fn shortest_product(forms: &[Form], name: &str, names: &Names<'_>) -> Program {
    const BACKWARD: [Order; 2] = [Order::Reverse, Order::Work { last: true }];
    const FORWARD: [Order; 2] = [Order::Forward, Order::Work { last: false }];
    let backward = |form| BACKWARD.map(|order| Form::gradient(form, order, names));
    let gradients = forms.iter().flat_map(backward);
    let mut gradients: Vec<(usize, Gradient)> =
        gradients.map(|gradient| (gradient.work(names.pool), gradient)).collect();
    order::sort_by_key(&mut gradients, |(work, _)| *work);
    gradients.truncate(GRADIENTS);
    let gradients: Vec<Gradient> = gradients.into_iter().map(|(_, gradient)| gradient).collect();
    let forward = |of| FORWARD.map(|order| Gradient::product(of, order, name, names));
    shortest_of(gradients.iter().flat_map(forward).collect(), names.pool, name)
}

fn shortest_of(programs: Vec<Program>, pool: &ExprPool, name: &str) -> Program {
    let counted = programs.into_iter();
    let counted = counted.map(|program| (program.clone().fused(pool).op_counts().total(), program));
    let mut programs: Vec<(usize, Program)> = counted.collect();
    order::sort_by_key(&mut programs, |(total, _)| *total);
    programs.truncate(FINALISTS);
    let last =
        |program: Program| program.with_shared_products(pool).with_shared_sums(pool).fused(pool);
    let shortest = programs
        .into_iter()
        .map(|(_, program)| last(program))
        .min_by_key(|p| p.op_counts().total());
    shortest.unwrap_or_else(|| Builder::new().finish(name))
}
