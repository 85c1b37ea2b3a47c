//! Derivatives of the dynamics, and the forces that a motion needs: made where they are asked for.
//!
//! ```text
//! ρ(x, y) = (M v̇ + h − F − Aᵀλ, A v̇ + γ) = 0        x = (v̇, λ),  y one of q, v, u, p
//! K ∂x/∂y = −∂ρ/∂y, x held        K = ∂ρ/∂x = (M, −Aᵀ; A, 0)
//! f = M v̇ + h − F,  Y = ∂f/∂p
//! C v = h₂, the part of h that is quadratic in v, and Ṁ − 2 C = −B skew:
//! w = 2 h₂ − Ṁ v,  wᵢ = Σ Wᵢⱼₖ vⱼ vₖ  (j, k symmetric)        Bᵢⱼ = 2/3 Σ (Wᵢⱼₖ − Wⱼᵢₖ) vₖ,  C = (Ṁ + B)/2
//! ```
//!
//! Since no energy comes of h₂, vᵀw = 0: the sum of W over the turns of its indices is 0, and so B v = w. Where q̇ = v
//! these are Christoffel's symbols.
//!
//! The program of the dynamics may be shorter than a solve by K; how the derivatives are found of either is
//! [`accumulation`](self::accumulation).

mod accumulation;
pub(super) mod linear;
pub(super) mod slopes;

use self::accumulation::{Form, Implicit, Names, Output, shortest, shortest_product};
use super::lower::Lowering;
use super::system::is_unrolled;
use super::{Program, SystemPrograms};
use crate::mechanics::linear::dot;
use crate::mechanics::{EquationsOfMotion, SystemModel};
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use std::error::Error;
use std::fmt;

/// Why derivatives of a system are not written as straight-line code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDerivatives {
    /// The solve is left to loops.
    Loops,
    /// Forces hold multipliers, so that K is not symmetric.
    Coupled,
    /// An integral stands in the dynamics.
    Integral,
}

impl fmt::Display for NoDerivatives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loops => "its accelerations are solved for by loops",
            Self::Coupled => "its forces hold multipliers",
            Self::Integral => "its equations of motion hold integrals",
        })
    }
}

impl Error for NoDerivatives {}

impl SystemPrograms {
    /// The programs with those of the derivatives and of the inverse dynamics. What these read beside a motion is declared
    /// in the model.
    ///
    /// # Errors
    /// A system whose K is not factored by straight-line code, or whose derivatives are integrals.
    pub fn with_derivatives(
        mut self,
        model: &mut SystemModel,
        equations: &EquationsOfMotion,
    ) -> Result<Self, NoDerivatives> {
        if equations.is_coupled() {
            return Err(NoDerivatives::Coupled);
        }
        if !is_unrolled(model, equations) {
            return Err(NoDerivatives::Loops);
        }
        if !self.dynamics.integrals.is_empty() {
            return Err(NoDerivatives::Integral);
        }
        let inputs: Vec<SymbolId> = model.inputs.iter().map(|input| input.symbol).collect();
        let parameters = varied_parameters(model);
        let state = [model.positions(), model.velocities(), inputs];
        let by = state.concat();
        let [weights, direction] = declared(model, &by);
        let mut balance = Balance::new(model.clone(), equations);
        let forms = balance.forms(&self.dynamics, &by);
        self.derivatives = balance.derivatives("derivatives", &forms, &state, true);
        self.inverse_dynamics = balance.inverse_dynamics();
        self.regressor = balance.regressor(&parameters);
        let of_parameters = balance.forms(&self.dynamics, &parameters);
        self.parameter_derivatives =
            balance.derivatives("parameter_derivatives", &of_parameters, &[parameters], false);
        self.hessian_product = balance.hessian_product(&forms, &by, [&weights, &direction]);
        self.coriolis_matrix = balance.coriolis_matrix();
        self.ask_functions(model);
        Ok(self)
    }
}

/// Symbols of a weight for each of v̇ and λ and of a rate for each of `by`.
fn declared(model: &mut SystemModel, by: &[SymbolId]) -> [Vec<SymbolId>; 2] {
    let pool = &mut model.pool;
    let accelerations = model.speeds.iter().map(|speed| speed.acceleration);
    let accelerations: Vec<String> =
        accelerations.map(|symbol| pool.symbol_info(symbol).name.clone()).collect();
    let multipliers = model.rows.iter().map(|row| format!("λ({})", row.named.name));
    let weighted = accelerations.into_iter().chain(multipliers).enumerate();
    let weights = weighted
        .map(|(i, name)| pool.symbol(SymbolKind::Weight(i), &format!("μ({name})")))
        .collect();
    let direction = by.iter().enumerate().map(|(i, symbol)| {
        let name = format!("δ{}", pool.symbol_info(*symbol).name);
        pool.symbol(SymbolKind::Direction(i), &name)
    });
    [weights, direction.collect()]
}

/// The parameters, all of them or none: where the default of a declared function holds some, what they change depends on
/// whether it is the default that acts.
fn varied_parameters(model: &SystemModel) -> Vec<SymbolId> {
    let parameters: Vec<SymbolId> = model.parameters.iter().map(|p| p.symbol).collect();
    let defaults: Vec<ExprId> = model.functions.iter().filter_map(|f| f.default).collect();
    let within = model.pool.symbols_in(&defaults);
    if within.iter().any(|symbol| parameters.contains(symbol)) { Vec::new() } else { parameters }
}

/// ρ with v̇ and λ as symbols.
struct Balance<'e> {
    /// One of its own: what is added to its pool must not move ids of that of the system.
    model: SystemModel,
    equations: &'e EquationsOfMotion,
    /// v̇ and λ.
    unknowns: Vec<ExprId>,
    /// f = M v̇ + h − F.
    efforts: Vec<ExprId>,
    /// ρ: f − Aᵀλ, then A v̇ + γ.
    residuals: Vec<ExprId>,
}

impl<'e> Balance<'e> {
    fn new(mut model: SystemModel, equations: &'e EquationsOfMotion) -> Self {
        let pool = &mut model.pool;
        let accelerations = model.speeds.iter().map(|speed| speed.acceleration);
        let a: Vec<ExprId> = accelerations.map(|symbol| pool.symbol_expr(symbol)).collect();
        let rows = model.rows.iter().enumerate();
        let multipliers = rows.map(|(row, declared)| {
            let name = format!("λ({})", declared.named.name);
            let symbol = pool.symbol(SymbolKind::Multiplier(row), &name);
            pool.symbol_expr(symbol)
        });
        let λ: Vec<ExprId> = multipliers.collect();
        let EquationsOfMotion { mass, bias, force, rows, drift, .. } = equations;
        let mut efforts = Vec::with_capacity(a.len());
        let inertias = mass.times(pool, &a);
        for ((inertial, h), f) in inertias.into_iter().zip(bias).zip(force) {
            let others = pool.sub(*h, *f);
            efforts.push(pool.add(inertial, others));
        }
        let mut residuals = efforts.clone();
        for (column, residual) in residuals.iter_mut().enumerate() {
            let of_rows: Vec<ExprId> = rows.iter().map(|row| row[column]).collect();
            let reaction = dot(pool, &of_rows, &λ);
            *residual = pool.sub(*residual, reaction);
        }
        for (row, γ) in rows.iter().zip(drift) {
            let moving = dot(pool, row, &a);
            residuals.push(pool.add(moving, *γ));
        }
        Self { model, equations, unknowns: [a, λ].concat(), efforts, residuals }
    }

    /// x, where `values` are asked for, then ∂v̇/∂y of each list of symbols y by rows, and ∂λ/∂y of each.
    fn derivatives(
        &self,
        name: &str,
        forms: &[Form],
        by: &[Vec<SymbolId>],
        values: bool,
    ) -> Program {
        let names: Vec<String> = self.unknowns.iter().map(|x| self.name_of(*x)).collect();
        let (n, unknowns) = (self.equations.mass.size(), names.len());
        let pool = &self.model.pool;
        shortest(forms, pool, name, &|b, solution, columns| {
            if values {
                names.iter().zip(solution).for_each(|(name, value)| b.output(name.clone(), *value));
            }
            for rows in [0..n, n..unknowns] {
                let mut first = 0;
                for list in by {
                    for row in rows.clone() {
                        for (symbol, column) in list.iter().zip(&columns[first..]) {
                            let y = &pool.symbol_info(*symbol).name;
                            b.output(format!("∂{}/∂{y}", names[row]), column[row]);
                        }
                    }
                    first += list.len();
                }
            }
        })
    }

    /// ∂(μ·(v̇, λ))/∂y, and its derivative by y along a direction.
    fn hessian_product(
        &self,
        forms: &[Form],
        by: &[SymbolId],
        [weights, direction]: [&[SymbolId]; 2],
    ) -> Program {
        let names = Names { pool: &self.model.pool, by, weights, direction };
        shortest_product(forms, "hessian_product", &names)
    }

    /// The forms that v̇ and λ have.
    fn forms(&mut self, dynamics: &Program, by: &[SymbolId]) -> Vec<Form> {
        let mass = &*self.equations.mass.entries(&mut self.model.pool);
        let slopes = self.model.pool.jacobian(&self.residuals, by);
        let EquationsOfMotion { bias, force, rows, drift, friction, .. } = self.equations;
        let result = |(i, x): (usize, &ExprId)| Output {
            value: *x,
            by_unknowns: vec![(i, ExprPool::ONE)],
            slopes: Vec::new(),
        };
        let system = Implicit {
            pool: &self.model.pool,
            guarded: &friction.guarded,
            mass,
            rows,
            force: (force, bias),
            drift,
            unknowns: &self.unknowns,
            slopes: &slopes,
            results: &self.unknowns.iter().enumerate().map(result).collect::<Vec<_>>(),
        };
        let rods = Form::of_rods(&self.model, self.equations, by);
        let others = [Form::explicit(dynamics, by), Form::implicit(&system, by.len())];
        others.into_iter().chain(rods).collect()
    }

    fn inverse_dynamics(&self) -> Program {
        let named = self.efforts.iter().enumerate().map(|(i, f)| (format!("f[{i}]"), *f));
        self.lowering().program("inverse_dynamics", named)
    }

    fn regressor(&mut self, parameters: &[SymbolId]) -> Program {
        let slopes = self.model.pool.jacobian(&self.efforts, parameters);
        let name = |symbol: &SymbolId| &self.model.pool.symbol_info(*symbol).name;
        let rows = slopes.iter().enumerate().flat_map(|(i, row)| {
            let named = row.iter().zip(parameters);
            named.map(move |(slope, p)| (format!("∂f[{i}]/∂{}", name(p)), *slope))
        });
        self.lowering().program("regressor", rows)
    }

    /// C; empty where M depends on velocities.
    fn coriolis_matrix(&mut self) -> Program {
        let velocities = self.model.velocities();
        let pool = &mut self.model.pool;
        let mass = self.equations.mass.entries(pool);
        let v: Vec<ExprId> = velocities.iter().map(|symbol| pool.symbol_expr(*symbol)).collect();
        let slopes = pool.jacobian(&self.equations.bias, &velocities);
        let second: Vec<Vec<Vec<ExprId>>> =
            slopes.iter().map(|row| pool.jacobian(row, &velocities)).collect();
        let all: Vec<ExprId> = second.iter().flatten().chain(&*mass).flatten().copied().collect();
        if pool.symbols_in(&all).iter().any(|symbol| velocities.contains(symbol)) {
            return Program::of_expressions(pool, "coriolis_matrix", []);
        }
        let n = v.len();
        let along = self.mass_along_speeds();
        let pool = &mut self.model.pool;
        // Σ ∂²hᵢ/∂vⱼ∂vₖ vₖ, and Σ (Xⱼ Mᵢₖ) vₖ.
        let turned = |pool: &mut ExprPool, i: usize, j: usize| dot(pool, &second[i][j], &v);
        let slope = |pool: &mut ExprPool, i: usize, j: usize| {
            let row: Vec<ExprId> = (0..n).map(|k| along[i][k][j]).collect();
            dot(pool, &row, &v)
        };
        let [third, sixth] = [3, 6].map(|by| {
            let by = pool.integer(by);
            pool.div(ExprPool::ONE, by)
        });
        let [less_third, less_sixth] = [third, sixth].map(|number| pool.neg(number));
        let mut entries = Vec::with_capacity(n * n);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let terms = [
                (ExprPool::HALF, dot(pool, &along[i][j], &v)),
                (third, turned(pool, i, j)),
                (less_third, turned(pool, j, i)),
                (less_sixth, slope(pool, i, j)),
                (sixth, slope(pool, j, i)),
            ];
            entries.push((format!("C[{i},{j}]"), pool.sum(&terms)));
        }
        Program::of_expressions(pool, "coriolis_matrix", entries)
    }

    /// Xₖ Mᵢⱼ by i, j, k.
    fn mass_along_speeds(&mut self) -> Vec<Vec<Vec<ExprId>>> {
        let positions = self.model.positions();
        let row = |model: &mut SystemModel, row: &Vec<ExprId>| {
            let slopes = model.pool.jacobian(row, &positions);
            slopes.into_iter().map(|slopes| model.along_speeds(slopes)).collect()
        };
        let mass = self.equations.mass.entries(&mut self.model.pool);
        mass.iter().map(|entries| row(&mut self.model, entries)).collect()
    }

    fn lowering(&self) -> Lowering<'_> {
        Lowering::guarding(&self.model.pool, &self.equations.friction.guarded)
    }

    fn name_of(&self, unknown: ExprId) -> String {
        let symbol = self.model.pool.as_symbol(unknown);
        symbol.map_or_else(String::new, |symbol| self.model.pool.symbol_info(symbol).name.clone())
    }
}
