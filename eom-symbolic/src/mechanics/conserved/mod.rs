//! Conserved quantities: what stays along every motion, found among candidates and proven as claims are.
//!
//! ```text
//! energy         v·∂L/∂v − L, or T + V
//! momenta        p·ξ, ξ = W X        X: ∂/∂qᵢ, qᵢ∂/∂qⱼ − qⱼ∂/∂qᵢ, turns of a body about axes in space and of its own
//! together       Σ cₐ p·ξₐ + Σ bᵢ qᵢ + e (v·∂L/∂v − L),  cₐ and e numbers, or numbers times a parameter, bᵢ or two
//! ```
//!
//! The coordinates stand for symmetries up to a total derivative: a charge in a magnetic field keeps m ẋ − B y, what is
//! damped m ẋ + c x. A sum of coordinates alone, which a constraint holds, is none. The energy stands there for symmetries that
//! move time: what a body that turns with Ω attracts keeps E − Ω L.
//!
//! With constraints this is the nonholonomic momentum equation, d(p·ξ)/dt = p·ξ̇ + ξ·(∂L/∂q + F) + λ·A ξ: what stays is
//! asked of the motion itself, not of L, with inputs at 0. Sums are found as the kernel of the rates at random states, and
//! then decided.

pub mod measure;
pub mod reversal;

use super::claim::jets::Jets;
use super::claim::sample::{Conditions, Functions, Place, Sampler};
use super::claim::{Verdict, decide};
use super::lagrange::equations::EquationsOfMotion;
use super::lagrange::slopes;
use super::linear::{dot, transposed};
use super::system::declared::Frame;
use super::system::kinematics::rotation_matrix;
use super::system::{Condition, Statement, SystemModel};
use crate::dense::Matrix;
use crate::node::ExprId;
use crate::pool::ExprPool;
use std::fmt;

/// More candidates are not combined.
const CANDIDATES_MAX: usize = 160;

/// States beside as many as there are candidates, and their seed.
const MORE_STATES: usize = 12;
const SEED: u64 = 0xC0_15E7;

/// Below this part of a row what elimination leaves is rounding.
const NOTHING: f64 = 1e-7;

/// Coefficients have no larger denominators.
const DENOMINATOR_MAX: i64 = 12;

/// A quantity that stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conserved {
    /// What it is.
    pub kind: ConservedKind,
    /// The quantity.
    pub value: ExprId,
}

/// What a conserved quantity is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConservedKind {
    /// T + V.
    Energy,
    /// v·∂L/∂v − L, where it is another.
    Jacobi,
    /// The momentum along a coordinate or a speed.
    Momentum(String),
    /// That of a turn in the plane of two coordinates.
    Turn(String, String),
    /// That of a turn of a rotation about an axis, 1 to 3, in the frame that is not its own.
    Axis(String, usize),
    /// A sum of these.
    Sum,
}

impl fmt::Display for ConservedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Energy => f.write_str("energy"),
            Self::Jacobi => f.write_str("jacobi"),
            Self::Momentum(name) => write!(f, "momentum of {name}"),
            Self::Turn(x, y) => write!(f, "momentum of the turn of {x}, {y}"),
            Self::Axis(name, axis) => write!(f, "momentum of {name} about axis {axis}"),
            Self::Sum => f.write_str("sum"),
        }
    }
}

/// A value with its rate.
type Rated = (ExprId, ExprId);

/// A momentum that may stay, with its rate.
struct Candidate {
    kind: ConservedKind,
    value: ExprId,
    rate: ExprId,
}

/// What stays along the motions of a system. The expressions are those of the model's pool. Where a constraint has
/// friction, which acts in all motions and in none of the equations, nothing is shown to stay.
pub fn conserved(model: &mut SystemModel, equations: &EquationsOfMotion) -> Vec<Conserved> {
    if !model.row_frictions.is_empty() {
        return Vec::new();
    }
    let mut search = Search::new(model, equations);
    let (mut found, mut rest) = search.energies();
    let candidates = search.candidates();
    let (kept, others) = search.alone(candidates);
    found.extend(kept);
    rest.extend(others);
    let sums = search.sums(&rest);
    found.extend(sums);
    found
}

/// A copy of a system in which statements are decided: with a symbol for each value of a declared function.
pub(super) struct Apart {
    equations: EquationsOfMotion,
    jets: Jets,
    functions: Option<Functions>,
}

impl Apart {
    pub(super) fn new(equations: &EquationsOfMotion) -> Self {
        Self { equations: equations.clone(), jets: Jets::default(), functions: None }
    }

    fn copy(&mut self, model: &SystemModel) -> (SystemModel, EquationsOfMotion) {
        let (mut model, mut equations) = (model.clone(), self.equations.clone());
        if model.pool.has_functions() {
            // Those of another copy name nodes of its pool.
            self.jets = Jets::default();
            let mut pool = std::mem::take(&mut model.pool);
            self.jets.free(&mut pool, &mut model, &mut equations);
            model.pool = pool;
        }
        (model, equations)
    }

    /// Whether an expression vanishes on every motion with inputs at 0.
    pub(super) fn vanishes(&mut self, model: &SystemModel, value: ExprId) -> bool {
        self.follow(model, &[value], true)
    }

    /// Whether expressions vanish on every motion, whatever the inputs are.
    pub(super) fn all_vanish(&mut self, model: &SystemModel, values: &[ExprId]) -> bool {
        self.follow(model, values, false)
    }

    /// Whether there are states at which that is decided.
    pub(super) fn has_states(&mut self, model: &SystemModel) -> bool {
        let (mut model, equations) = self.copy(model);
        let functions = Functions::new(&mut model, &equations);
        let conditions = Conditions::default();
        let place = Place { on_constraints: true, at: None, conditions: &conditions };
        Sampler::new(&model, &functions, SEED).state(place).is_ok()
    }

    fn follow(&mut self, model: &SystemModel, values: &[ExprId], without: bool) -> bool {
        if values.iter().all(|value| *value == ExprPool::ZERO) {
            return true;
        }
        let (mut model, equations) = self.copy(model);
        let values = values.iter().map(|value| self.jets.apply(&mut model.pool, *value)).collect();
        let functions =
            self.functions.take().unwrap_or_else(|| Functions::new(&mut model, &equations));
        let statement = Statement::Residuals(values);
        let conditions = if without { without_inputs(&mut model) } else { Vec::new() };
        let verdict = decide(&mut model, &equations, &functions, &statement, (None, &conditions));
        if !model.pool.has_functions() {
            self.functions = Some(functions);
        }
        verdict == Verdict::Follows
    }
}

/// u = 0: an input that is set as one likes keeps nothing.
fn without_inputs(model: &mut SystemModel) -> Vec<Condition> {
    let inputs = model.inputs.iter().map(|input| input.symbol).collect::<Vec<_>>();
    let still =
        |symbol| Condition { residuals: vec![model.pool.symbol_expr(symbol)], text: String::new() };
    inputs.into_iter().map(still).collect()
}

struct Search<'s> {
    model: &'s mut SystemModel,
    apart: Apart,
}

impl<'s> Search<'s> {
    fn new(model: &'s mut SystemModel, equations: &EquationsOfMotion) -> Self {
        Self { model, apart: Apart::new(equations) }
    }

    /// d/dt, accelerations as symbols.
    fn rate(&mut self, value: ExprId) -> ExprId {
        let mut direction = self.model.time_direction_with_accelerations();
        direction.derivative(&mut self.model.pool, value)
    }

    fn vanishes(&mut self, value: ExprId) -> bool {
        self.apart.vanishes(self.model, value)
    }

    /// Whether a quantity stays and is no constant.
    fn stays(&mut self, value: ExprId, rate: ExprId) -> bool {
        self.vanishes(rate) && !self.vanishes(value)
    }

    /// Those that stay, and the one that may stay in a sum.
    fn energies(&mut self) -> (Vec<Conserved>, Vec<Candidate>) {
        let jacobi = self.apart.equations.jacobi;
        let energy = self.apart.equations.energy(self.model);
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        for (kind, value) in [(ConservedKind::Energy, energy), (ConservedKind::Jacobi, jacobi)] {
            let is_other = kind == ConservedKind::Energy || {
                let difference = self.model.pool.sub(energy, value);
                !self.vanishes(difference)
            };
            let rate = self.rate(value);
            if is_other && self.stays(value, rate) {
                found.push(Conserved { kind, value });
            } else if kind == ConservedKind::Jacobi && found.is_empty() {
                rest.push(Candidate { kind, value: jacobi, rate });
            }
        }
        (found, rest)
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let (momenta, _) = slopes(self.model);
        let mut found = Vec::new();
        let along_coordinates = self.along_coordinates(&momenta);
        let coordinates = self.model.coordinates.clone();
        for (coordinate, p) in coordinates.iter().zip(&along_coordinates) {
            found.push((ConservedKind::Momentum(coordinate.named.name.clone()), *p));
        }
        for (speed, p) in self.model.speeds.clone().iter().zip(&momenta) {
            if !along_coordinates.contains(p) {
                found.push((ConservedKind::Momentum(speed.named.name.clone()), *p));
            }
        }
        for j in 1..coordinates.len() {
            for i in 0..j {
                let pool = &mut self.model.pool;
                let [x, y] = [i, j].map(|k| pool.symbol_expr(coordinates[k].position));
                let turned = [pool.mul(x, along_coordinates[j]), pool.mul(y, along_coordinates[i])];
                let [i, j] = [i, j].map(|k| coordinates[k].named.name.clone());
                found.push((ConservedKind::Turn(i, j), pool.sub(turned[0], turned[1])));
            }
        }
        found.extend(self.about_axes(&momenta));
        found.retain(|(_, value)| *value != ExprPool::ZERO);
        found
            .into_iter()
            .map(|(kind, value)| Candidate { kind, value, rate: self.rate(value) })
            .collect()
    }

    /// p·W ∂/∂qᵢ.
    fn along_coordinates(&mut self, momenta: &[ExprId]) -> Vec<ExprId> {
        let count = self.model.coordinates.len();
        let Some(kinematics) = &self.model.kinematics else { return momenta.to_vec() };
        let forms = kinematics.forms.clone();
        let columns = transposed(&forms, forms.len().min(count));
        columns.iter().map(|column| dot(&mut self.model.pool, column, momenta)).collect()
    }

    /// The momenta of each rotation about the axes that its speeds are not along.
    fn about_axes(&mut self, momenta: &[ExprId]) -> Vec<(ConservedKind, ExprId)> {
        let mut found = Vec::new();
        for rotation in self.model.rotations.clone() {
            let pool = &mut self.model.pool;
            let quaternion = rotation.quaternion.map(|symbol| pool.symbol_expr(symbol));
            let matrix = rotation_matrix(pool, quaternion);
            let rows = match rotation.frame {
                Frame::Body => matrix,
                Frame::Space => transposed(&matrix, 3),
            };
            let own = &momenta[rotation.speed..rotation.speed + 3];
            for (axis, row) in rows.iter().enumerate() {
                let kind = ConservedKind::Axis(rotation.named.name.clone(), axis + 1);
                found.push((kind, dot(pool, row, own)));
            }
        }
        found
    }

    /// Those that stay alone, and the rest.
    fn alone(&mut self, candidates: Vec<Candidate>) -> (Vec<Conserved>, Vec<Candidate>) {
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        for candidate in candidates {
            if self.stays(candidate.value, candidate.rate) {
                kept.push(Conserved { kind: candidate.kind, value: candidate.value });
            } else if !self.vanishes(candidate.value) {
                rest.push(candidate);
            }
        }
        (kept, rest)
    }

    /// Values with their rates, then those times each factor; without these where that is more than so many.
    fn times(&mut self, factors: &[ExprId], plain: &[Rated], most: usize) -> Vec<Rated> {
        let mut all = plain.to_vec();
        if plain.len() * (1 + factors.len()) > most {
            return all;
        }
        let pool = &mut self.model.pool;
        for p in factors {
            all.extend(
                plain.iter().map(|(value, rate)| (pool.mul(*p, *value), pool.mul(*p, *rate))),
            );
        }
        all
    }

    /// The parameters.
    fn parameters(&mut self) -> Vec<ExprId> {
        let symbols: Vec<_> = self.model.parameters.iter().map(|p| p.symbol).collect();
        symbols.into_iter().map(|symbol| self.model.pool.symbol_expr(symbol)).collect()
    }

    /// The products of two different ones.
    fn products(&mut self, parameters: &[ExprId]) -> Vec<ExprId> {
        let pairs = (0..parameters.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.model.pool.mul(parameters[i], parameters[j])).collect()
    }

    /// The coordinates with their rates.
    fn positions(&mut self) -> Vec<Rated> {
        let symbols: Vec<_> = self.model.coordinates.iter().map(|c| c.position).collect();
        let values = symbols.into_iter().map(|symbol| self.model.pool.symbol_expr(symbol));
        let values: Vec<ExprId> = values.collect();
        values.into_iter().map(|value| (value, self.rate(value))).collect()
    }

    /// The sums that stay.
    fn sums(&mut self, rest: &[Candidate]) -> Vec<Conserved> {
        let plain: Vec<Rated> = rest.iter().map(|c| (c.value, c.rate)).collect();
        if !(1..=CANDIDATES_MAX).contains(&plain.len()) {
            return Vec::new();
        }
        let parameters = self.parameters();
        let mut all = self.times(&parameters, &plain, CANDIDATES_MAX);
        let momenta = all.len();
        let left = CANDIDATES_MAX.saturating_sub(momenta);
        let positions = self.positions();
        let products = [&parameters[..], &self.products(&parameters)].concat();
        let has_room = positions.len() * (1 + products.len()) <= left;
        let factors = if has_room { &products } else { &parameters };
        let positions = self.times(factors, &positions, left);
        if momenta + positions.len() <= CANDIDATES_MAX {
            all.extend(positions);
        }
        let mut found: Vec<Conserved> = Vec::new();
        let leads = rest.first().is_some_and(|first| first.kind == ConservedKind::Jacobi);
        for mut combination in self.kernel(&all, momenta) {
            // An energy is written with +1.
            if leads && combination[0] < -NOTHING {
                for part in &mut combination {
                    *part = -*part;
                }
            }
            let of_momenta = combination.iter().take(momenta).any(|part| part.abs() > NOTHING);
            let Some(value) = self
                .combined(&combination, all.iter().map(|(value, _)| *value))
                .filter(|_| of_momenta)
            else {
                continue;
            };
            let rate = self.rate(value);
            let is_multiple = |search: &mut Self, other: ExprId| search.is_multiple(value, other);
            if self.stays(value, rate)
                && !found.clone().iter().any(|other| is_multiple(self, other.value))
            {
                found.push(Conserved { kind: ConservedKind::Sum, value });
            }
        }
        found
    }

    /// Whether a value is a parameter times another, or less that.
    fn is_multiple(&mut self, value: ExprId, other: ExprId) -> bool {
        let parameters: Vec<_> = self.model.parameters.iter().map(|p| p.symbol).collect();
        parameters.into_iter().any(|parameter| {
            let pool = &mut self.model.pool;
            let p = pool.symbol_expr(parameter);
            let scaled = pool.mul(p, other);
            let apart = [pool.sub(value, scaled), pool.add(value, scaled)];
            apart.into_iter().any(|apart| self.vanishes(apart))
        })
    }

    fn combined(
        &mut self,
        coefficients: &[f64],
        values: impl Iterator<Item = ExprId>,
    ) -> Option<ExprId> {
        let mut terms = Vec::new();
        for (coefficient, value) in coefficients.iter().zip(values) {
            let (over, under) = ratio(*coefficient)?;
            let pool = &mut self.model.pool;
            let (over, under) = (pool.integer(over), pool.integer(under));
            let factor = pool.div(over, under);
            terms.push(pool.mul(factor, value));
        }
        Some(self.model.pool.sum_of(&terms))
    }

    /// The vectors c with Σ cₐ rateₐ = 0 at all states, by elimination: each with a 1 where the others have 0, at one of the
    /// momenta where it can be.
    fn kernel(&mut self, all: &[Rated], momenta: usize) -> Vec<Vec<f64>> {
        let (mut model, equations) = self.apart.copy(self.model);
        let rates: Vec<ExprId> =
            all.iter().map(|(_, rate)| self.apart.jets.apply(&mut model.pool, *rate)).collect();
        let functions = Functions::new(&mut model, &equations);
        let still = without_inputs(&mut model);
        let conditions = Conditions::new(&mut model.pool, &still);
        let place = Place { on_constraints: true, at: None, conditions: &conditions };
        let mut sampler = Sampler::new(&model, &functions, SEED);
        let mut rows: Matrix = Vec::new();
        for _ in 0..4 * (all.len() + MORE_STATES) {
            let Ok(sample) = sampler.state(place) else { return Vec::new() };
            let row = sampler.evaluate(&rates, &sample);
            let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
            if size > 0.0 && size.is_finite() {
                rows.push(row.iter().map(|entry| entry / size).collect());
            }
            if rows.len() == all.len() + MORE_STATES {
                return kernel(rows, (momenta, all.len()));
            }
        }
        Vec::new()
    }
}

/// The kernel of a matrix, by elimination with the largest pivots, first among the columns from `later` on.
fn kernel(mut rows: Matrix, (later, width): (usize, usize)) -> Vec<Vec<f64>> {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    let mut columns = later..width;
    loop {
        let open = |row: &usize| !pivots.iter().any(|(taken, _)| taken == row);
        let columns_now = columns.clone();
        let entries = (0..rows.len())
            .filter(open)
            .flat_map(|row| columns_now.clone().map(move |column| (row, column)));
        let largest = entries.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()));
        let Some((row, column)) = largest.filter(|(row, c)| rows[*row][*c].abs() > NOTHING) else {
            if columns.start == 0 {
                break;
            }
            columns = 0..width;
            continue;
        };
        let scale = rows[row][column];
        rows[row].iter_mut().for_each(|entry| *entry /= scale);
        let pivot = rows[row].clone();
        for (_, entries) in rows.iter_mut().enumerate().filter(|(other, _)| *other != row) {
            let factor = entries[column];
            entries.iter_mut().zip(&pivot).for_each(|(entry, p)| *entry -= factor * p);
        }
        pivots.push((row, column));
    }
    let free = (0..width).filter(|column| !pivots.iter().any(|(_, taken)| taken == column));
    free.map(|free| {
        let mut vector = vec![0.0; width];
        vector[free] = 1.0;
        for (row, column) in &pivots {
            vector[*column] = -rows[*row][free];
        }
        vector
    })
    .collect()
}

/// A number as a fraction of small numbers.
fn ratio(value: f64) -> Option<(i64, i64)> {
    (1..=DENOMINATOR_MAX).find_map(|under| {
        let over = value * under as f64;
        ((over - over.round()).abs() < 1e-5).then_some((over.round() as i64, under))
    })
}
