//! The functions of a system that every state needs, as programs, their values at a state, and
//! the accelerations and multipliers there.

use super::focus::{Focus, focuses};
use super::{AllDrawn, Reach, Sample, Sampler, largest};
use crate::dense::{self, Matrix};
use crate::mechanics::lagrange::equations::{ContactEquations, EquationsOfMotion};
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::program::Program;
use std::cell::RefCell;

/// Forces below this part of the largest are looked at for terms that cancel in them.
const SMALL_PART: f64 = 1e-3;

/// By what part entries are moved to see what a solution is worth, and by which numbers.
const MOVED: f64 = 1e-9;
const SPREAD_SEED: u64 = 0x5_93EA_D000;

/// The functions that every state needs, as programs: far faster than walking expressions.
#[derive(Debug)]
pub struct Functions {
    /// The coordinates, then the values of declared functions that φ and g hold.
    pub(super) unknowns: Vec<SymbolKind>,
    /// The derivatives of φ with respect to the unknowns, by rows.
    pub(super) position: Program,
    /// For each contact those of g.
    pub(super) surfaces: Vec<Program>,
    /// A by rows, b: forces may be integrals, which take far longer.
    rows: Program,
    /// A by rows, R by rows, b, M by rows where its entries are kept, h, F₀, γ.
    dynamics: Program,
    /// Else M v.
    mass_product: Option<Program>,
    /// h and F₀ of each speed as expressions, for their rounding.
    acting: Vec<[ExprId; 2]>,
    /// For each contact g, ∇g, ∂g/∂t, then its own rows, and their affine parts.
    contacts: Vec<Program>,
    /// The contact's gap as an expression, for its rounding.
    pub(crate) gaps: Vec<ExprId>,
    pub(crate) holonomic: Vec<ExprId>,
    /// m and k.
    sizes: (usize, usize),
    /// Whether the equations have pieces that differ.
    pub(crate) have_branches: bool,
    /// Whether integrals take part in the dynamics.
    pub(crate) have_integrals: bool,
    /// Where functions in them act.
    pub(crate) focuses: Vec<Focus>,
    /// The states that were drawn.
    pub(super) drawn: RefCell<AllDrawn>,
}

impl Functions {
    /// Lowers the functions of a system.
    pub fn new(model: &mut SystemModel, equations: &EquationsOfMotion) -> Self {
        let gaps: Vec<ExprId> = equations.contacts.iter().map(|c| c.gap).collect();
        let unknowns = unknowns(model, &[&equations.holonomic[..], &gaps].concat());
        let slopes = |model: &mut SystemModel, residuals: &[ExprId]| -> Vec<ExprId> {
            residuals.iter().flat_map(|e| model.pool.gradient(*e, &unknowns)).collect()
        };
        let position = slopes(model, &equations.holonomic);
        let surfaces: Vec<_> = gaps.iter().map(|gap| slopes(model, &[*gap])).collect();
        let program = |entries: Vec<ExprId>| {
            let entries = entries.into_iter().map(|e| (String::new(), e));
            Program::of_expressions(&model.pool, "functions", entries)
        };
        let rows = [&equations.rows.concat()[..], &equations.affine].concat();
        let mut dynamics: Vec<ExprId> = equations.rows.concat();
        dynamics.extend(equations.reactions.iter().flatten());
        dynamics.extend(&equations.affine);
        let mass = equations.mass.given().concat();
        let has_entries = equations.mass.has_entries();
        if has_entries {
            dynamics.extend(&mass);
        }
        dynamics.extend(&equations.bias);
        dynamics.extend(&equations.force);
        dynamics.extend(&equations.drift);
        let contact = |c: &ContactEquations| {
            let mut entries = vec![c.gap];
            entries.extend(&c.gradient);
            entries.push(c.rate);
            entries.extend(c.rows.iter().flat_map(|row| &row.coefficients));
            entries.extend(c.rows.iter().map(|row| row.affine));
            program(entries)
        };
        let have_branches = model.pool.has_branches(&dynamics);
        let have_integrals = dynamics.iter().any(|entry| model.pool.has_integral(*entry));
        let focuses = if have_branches { focuses(&model.pool, &dynamics) } else { Vec::new() };
        Self {
            have_branches,
            have_integrals,
            focuses,
            unknowns: unknowns.iter().map(|s| model.pool.symbol_info(*s).kind).collect(),
            position: program(position),
            surfaces: surfaces.into_iter().map(program).collect(),
            rows: program(rows),
            dynamics: program(dynamics),
            mass_product: (!has_entries).then(|| program(mass)),
            acting: equations.bias.iter().zip(&equations.force).map(|(h, f)| [*h, *f]).collect(),
            contacts: equations.contacts.iter().map(contact).collect(),
            gaps,
            holonomic: equations.holonomic.clone(),
            sizes: (model.speeds.len(), equations.rows.len()),
            drawn: RefCell::default(),
        }
    }

    /// None of them: enough for free states.
    pub(crate) fn none(model: &SystemModel) -> Self {
        let program = || Program::of_expressions(&model.pool, "functions", []);
        Self {
            have_branches: false,
            have_integrals: false,
            focuses: Vec::new(),
            unknowns: Vec::new(),
            position: program(),
            surfaces: Vec::new(),
            rows: program(),
            dynamics: program(),
            mass_product: None,
            acting: Vec::new(),
            contacts: Vec::new(),
            gaps: Vec::new(),
            holonomic: Vec::new(),
            sizes: (model.speeds.len(), 0),
            drawn: RefCell::default(),
        }
    }

    /// The programs of equations and contacts.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Program> {
        [&self.dynamics].into_iter().chain(&self.mass_product).chain(&self.contacts)
    }
}

/// What Newton moves to make residuals vanish: the coordinates, and the values of declared
/// functions in them, which are as free as the coordinates.
fn unknowns(model: &SystemModel, residuals: &[ExprId]) -> Vec<SymbolId> {
    let mut unknowns = model.positions();
    let values = model.pool.symbols_in(residuals).into_iter();
    unknowns
        .extend(values.filter(|s| matches!(model.pool.symbol_info(*s).kind, SymbolKind::Jet(_))));
    unknowns
}

/// The values of [`Functions`] at a state.
pub(crate) struct Dynamics {
    pub(crate) rows: Matrix,
    /// R: A, and what the multipliers do in forces.
    reactions: Matrix,
    pub(crate) affine: Vec<f64>,
    pub(crate) mass: Matrix,
    pub(super) bias: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) drift: Vec<f64>,
}

impl Dynamics {
    /// [M −Rᵀ; A 0] (a, λ) = (F₀ − h, −γ). Rows of closed contacts may depend on those before them: what presses on each is not
    /// determined then, their λ is any number, and what is claimed of it has to hold for every one.
    pub(super) fn solve(
        &self,
        sampler: &Sampler<'_>,
        sample: &mut Sample,
        on_all_scales: bool,
    ) -> Option<()> {
        let Self { rows, reactions, mass, bias, force, .. } = self;
        let mut random = sampler.random.clone();
        let taken = dense::independent_rows(rows);
        let n = mass.len();
        let forces = force.iter().zip(bias).map(|(f, h)| f - h);
        let push = forces.fold(0.0_f64, |size, f| size.max(f.abs())).max(f64::MIN_POSITIVE);
        let mut λ = vec![0.0; rows.len()];
        for row in (0..rows.len()).filter(|row| !taken.contains(row)) {
            let arm = largest(&reactions[row]).max(f64::MIN_POSITIVE);
            λ[row] = push / arm * (2.0 * random.f64() - 1.0);
        }
        let (matrix, right) = self.system(&taken, &λ);
        let plain = dense::solve(&matrix, &right);
        // Far away M may be singular to rounding, and what is solved with it says nothing.
        let spread = match sampler.reach {
            Reach::Near => 0.0,
            Reach::Wide | Reach::Far => largest(&spread(&matrix, &right)),
        };
        let solution =
            plain.or_else(|| on_all_scales.then(|| dense::solve_scaled(matrix, right))?)?;
        let (a, found) = solution.split_at(n);
        taken.iter().zip(found).for_each(|(row, found)| λ[*row] = *found);
        self.record(sampler, sample, (a, &λ), spread);
        Some(())
    }

    /// The linear system of the accelerations and of the multipliers of some rows; those of the others are given.
    fn system(&self, taken: &[usize], λ: &[f64]) -> (Matrix, Vec<f64>) {
        let Self { rows, reactions, mass, bias, force, drift, .. } = self;
        let (n, k) = (mass.len(), taken.len());
        let mut matrix = vec![vec![0.0; n + k]; n + k];
        for i in 0..n {
            matrix[i][..n].copy_from_slice(&mass[i]);
            for (j, row) in taken.iter().enumerate() {
                matrix[i][n + j] = -reactions[*row][i];
                matrix[n + j][i] = rows[*row][i];
            }
        }
        let mut forces: Vec<f64> = force.iter().zip(bias).map(|(f, h)| f - h).collect();
        for row in (0..rows.len()).filter(|row| !taken.contains(row)) {
            forces.iter_mut().zip(&reactions[row]).for_each(|(f, entry)| *f += entry * λ[row]);
        }
        let right = forces.into_iter().chain(taken.iter().map(|row| -drift[*row])).collect();
        (matrix, right)
    }

    /// Accelerations and multipliers are known no better than the solve that gave them, whose condition may be bad at all
    /// states: their sizes are at least its spread.
    pub(super) fn widen(&self, sample: &mut Sample) {
        let taken = dense::independent_rows(&self.rows);
        let λ = sample.get_all(SymbolKind::Multiplier, self.rows.len());
        let (matrix, right) = self.system(&taken, &λ);
        let moved = spread(&matrix, &right);
        let (of_speeds, of_taken) = moved.split_at(self.mass.len());
        let of_row = |row: &usize| taken.iter().position(|other| other == row);
        for (speeds, rows) in self.parts() {
            let of_speeds = speeds.iter().map(|i| of_speeds[*i]).fold(0.0, f64::max);
            let of_rows = rows.iter().filter_map(of_row).map(|j| of_taken[j]).fold(0.0, f64::max);
            for speed in speeds {
                sample.widen(SymbolKind::Acceleration(speed), of_speeds);
            }
            for row in rows {
                sample.widen(SymbolKind::Multiplier(row), of_rows);
            }
        }
    }

    /// Accelerations and multipliers with their sizes. Rows of M a = f + Rᵀλ: the terms that meet in them, over the pivot, and
    /// the largest solution of those that are solved together; at least the spread of the solution.
    fn record(
        &self,
        sampler: &Sampler<'_>,
        sample: &mut Sample,
        (a, λ): (&[f64], &[f64]),
        spread: f64,
    ) {
        let Self { rows, reactions, mass, bias, force, .. } = self;
        let terms = |i: usize| {
            let constraint: f64 = reactions.iter().zip(λ).map(|(row, λ)| (row[i] * λ).abs()).sum();
            force[i].abs() + bias[i].abs() + constraint
        };
        let most = |of: &[usize], size: &dyn Fn(usize) -> f64| {
            of.iter().map(|i| size(*i)).fold(0.0, f64::max)
        };
        let parts = self.parts();
        let all: Vec<usize> = parts.iter().flat_map(|(speeds, _)| speeds).copied().collect();
        let whole = most(&all, &terms);
        for (speeds, of_rows) in parts {
            let mut met = most(&speeds, &terms);
            if met < SMALL_PART * whole {
                met = met.max(most(&speeds, &|i| sampler.cancelled(i, sample).unwrap_or(whole)));
            }
            let inertia = most(&speeds, &|i| mass[i][i].abs());
            let arm = most(&of_rows, &|row| largest(&rows[row]));
            let size = |scale: f64| (met / scale).max(spread);
            sample.set_part(SymbolKind::Acceleration, (&speeds, a), size(inertia));
            sample.set_part(SymbolKind::Multiplier, (&of_rows, λ), size(arm));
        }
    }

    /// The speeds and rows that are solved together at this state: the others are coupled to them by no entry of M, A or R.
    fn parts(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let n = self.mass.len();
        let mut part: Vec<usize> = (0..n).collect();
        let mut join = |i: usize, j: usize| {
            let (from, to) = (part[i], part[j]);
            if from != to {
                part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            }
        };
        let coupled = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        coupled.filter(|(i, j)| self.mass[*i][*j] != 0.0).for_each(|(i, j)| join(i, j));
        let held = |row: usize| -> Vec<usize> {
            let holds = |i: &usize| self.rows[row][*i] != 0.0 || self.reactions[row][*i] != 0.0;
            (0..n).filter(holds).collect()
        };
        let held: Vec<Vec<usize>> = (0..self.rows.len()).map(held).collect();
        for speeds in &held {
            speeds.windows(2).for_each(|pair| join(pair[0], pair[1]));
        }
        let speeds = |of: usize| (0..n).filter(|i| part[*i] == of).collect::<Vec<usize>>();
        let is_of = |row: &usize, of: usize| held[*row].first().map_or(0, |i| part[*i]) == of;
        let rows = |of: usize| (0..held.len()).filter(|row| is_of(row, of)).collect();
        let parts = (0..n).map(|of| (speeds(of), rows(of)));
        parts.filter(|(speeds, _)| !speeds.is_empty()).collect()
    }
}

impl Sampler<'_> {
    /// M, A, b and the forces at a state.
    pub(crate) fn dynamics(&self, sample: &Sample) -> Dynamics {
        let (n, k) = self.functions.sizes;
        let values = self.run(&self.functions.dynamics, sample);
        let mut rest = values.as_slice();
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        Dynamics {
            rows: matrix(take(k * n), n),
            reactions: matrix(take(k * n), n),
            affine: take(k).to_vec(),
            mass: match &self.functions.mass_product {
                Some(product) => self.columns(product, sample),
                None => matrix(take(n * n), n),
            },
            bias: take(n).to_vec(),
            force: take(n).to_vec(),
            drift: take(k).to_vec(),
        }
    }

    /// The matrix whose product with the velocities a program computes, and which is symmetric.
    fn columns(&self, product: &Program, sample: &Sample) -> Matrix {
        let column = |j: usize| {
            product.evaluate(|symbol| match self.kind(symbol) {
                SymbolKind::Velocity(i) => f64::from(u8::from(i == j)),
                kind => sample.value(kind),
            })
        };
        (0..self.functions.sizes.0).map(column).collect()
    }

    /// The size of the terms that were added up in a force, which may have cancelled; `None` where it is not known.
    fn cancelled(&self, speed: usize, sample: &Sample) -> Option<f64> {
        let acting = self.functions.acting.get(speed)?;
        if acting.iter().all(|e| *e == ExprPool::ZERO) {
            return Some(0.0);
        }
        if self.functions.have_integrals {
            return None;
        }
        let size = self.evaluate_with_error(acting, sample).iter().map(|force| force.size).sum();
        f64::is_finite(size).then_some(size)
    }

    /// A and b at a state.
    pub(crate) fn rows(&self, sample: &Sample) -> (Matrix, Vec<f64>) {
        let (n, k) = self.functions.sizes;
        let values = self.run(&self.functions.rows, sample);
        let (rows, affine) = values.split_at(k * n);
        (matrix(rows, n), affine.to_vec())
    }

    /// The rows of a contact.
    pub(crate) fn contact(&self, contact: usize, sample: &Sample) -> ContactRows {
        let n = self.functions.sizes.0;
        let values = self.run(&self.functions.contacts[contact], sample);
        let (gap, own) = values[1..].split_at(n + 1);
        let count = own.len() / (n + 1);
        let (rows, affine) = own.split_at(count * n);
        ContactRows {
            gradient: gap[..n].to_vec(),
            rate: gap[n],
            rows: matrix(rows, n),
            affine: affine.to_vec(),
        }
    }
}

/// How far the solution of a linear system moves where its entries do, for a part of 1 of these.
fn spread(matrix: &Matrix, right: &[f64]) -> Vec<f64> {
    let solution = dense::solve_scaled(matrix.clone(), right.to_vec());
    let mut random = fastrand::Rng::with_seed(SPREAD_SEED);
    let mut moved = |x: f64| x * (1.0 + MOVED * (2.0 * random.f64() - 1.0));
    let other = matrix.iter().map(|row| row.iter().map(|x| moved(*x)).collect()).collect();
    let other = dense::solve_scaled(other, right.iter().map(|x| moved(*x)).collect());
    let (Some(solution), Some(other)) = (solution, other) else {
        return vec![f64::INFINITY; right.len()];
    };
    solution.iter().zip(&other).map(|(x, y)| ((x - y) / MOVED).abs()).collect()
}

/// Rows of n entries.
fn matrix(entries: &[f64], n: usize) -> Matrix {
    entries.chunks(n.max(1)).map(<[f64]>::to_vec).collect()
}

/// The rows of a contact at a state.
pub(crate) struct ContactRows {
    /// ∇g and ∂g/∂t.
    pub(crate) gradient: Vec<f64>,
    pub(crate) rate: f64,
    /// Its own.
    pub(crate) rows: Matrix,
    pub(crate) affine: Vec<f64>,
}
