//! Reduced equations, multipliers and impacts against dense linear algebra at random states.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use eom_symbolic::mechanics::closed_forms::impact::{impact, metric};
use eom_symbolic::mechanics::closed_forms::reduce::{
    Reduction, equations_with_multipliers, multipliers, reduce, reduced_equations,
};
use eom_symbolic::mechanics::lagrange::derive;
use eom_symbolic::mechanics::{EquationsOfMotion, ImpactOf, Law, SystemModel};
use eom_symbolic::simplify::Simplifier;
use eom_symbolic::{ExprId, ExprPool, SymbolId, SymbolKind};
use support::Declaration;

const STATES: u64 = 5;
const TOLERANCE: f64 = 1e-9;

/// A sequence of numbers in (0.2, 1.2), by splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        0.2 + (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

type Matrix = Vec<Vec<f64>>;

/// A⁻¹B by elimination with row exchanges.
fn solve(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let mut rows: Matrix =
        a.iter().zip(b).map(|(a, b)| a.iter().chain(b).copied().collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs())).unwrap();
        rows.swap(k, pivot);
        let head = rows[k].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = if i == k { 0.0 } else { row[k] / head[k] };
            row.iter_mut().zip(&head).for_each(|(x, h)| *x -= factor * h);
        }
    }
    rows.iter().enumerate().map(|(i, row)| row[n..].iter().map(|x| x / row[i]).collect()).collect()
}

fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transposed(b);
    a.iter()
        .map(|row| columns.iter().map(|c| row.iter().zip(c).map(|(x, y)| x * y).sum()).collect())
        .collect()
}

/// P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B.
fn projector(mass: &Matrix, rows: &Matrix) -> Matrix {
    let raised = solve(mass, &transposed(rows));
    let gram = times(rows, &raised);
    times(&raised, &solve(&gram, rows))
}

fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= TOLERANCE * (1.0 + a.abs()), "{what}: {a} and {b}");
}

/// A state on the constraints: the value of every symbol.
struct State(Vec<f64>);

impl State {
    fn random(model: &SystemModel, reduction: &Reduction, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut state = Self(model.pool.symbols().iter().map(|_| random.next()).collect());
        let velocity = state.values(&model.pool, &reduction.velocity);
        for (symbol, v) in model.velocities().into_iter().zip(velocity) {
            state.set(symbol, v);
        }
        state
    }

    fn set(&mut self, symbol: SymbolId, value: f64) {
        self.0[symbol.index()] = value;
    }

    fn values(&self, pool: &ExprPool, roots: &[ExprId]) -> Vec<f64> {
        // Symbols of later closed forms have no part in the state.
        pool.evaluate(roots, |s| self.0.get(s.index()).copied().unwrap_or(f64::NAN))
    }

    fn matrix(&self, pool: &ExprPool, rows: &[Vec<ExprId>]) -> Matrix {
        rows.iter().map(|row| self.values(pool, row)).collect()
    }
}

fn systems() -> Vec<Declaration> {
    let moving = Declaration::new(&["x", "y", "θ"], &["m", "I", "c"])
        .energies("m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2", "m*c*y")
        .dissipation("c/2*(ẋ^2 + θ̇^2)")
        .row("belt", "ẋ - sin(t)*θ̇ - c*cos(t)")
        .contact("wall", "2 - x - y*t", Law::PLASTIC, "plastic");
    // A turned plane whose squares add up to R², one coordinate of it in a further row.
    let skate = Declaration::new(&["x", "y", "φ", "s"], &["m", "J", "R"])
        .energies("m/2*(ẋ^2 + ẏ^2 + ṡ^2) + J/2*φ̇^2", "m*x*s")
        .row("edge", "R*sin(φ)*ẋ - R*cos(φ)*ẏ - t*φ")
        .row("thread", "ṡ - x*ẏ")
        .contact("wall", "2 - x - y*s", Law::ELASTIC, "elastic");
    let ball = Declaration::new(&["x", "y"], &["m"]).energies("m/2*(ẋ^2 + ẏ^2)", "m*y").contact(
        "hill",
        "y - sin(x)",
        Law::ELASTIC,
        "elastic",
    );
    vec![
        support::penny(),
        support::sleigh().contact("wall", "3 - X", Law::ELASTIC, "elastic"),
        support::inclined_disk().contact("stop", "ψ + x^2 - y", Law::ELASTIC, "elastic"),
        support::double_pendulum().contact("wall", "x2 + 3", Law::ELASTIC, "elastic"),
        support::spherical_pendulum(),
        support::rolling_ball().contact("wall", "1 - x^2 - y^2", Law::ELASTIC, "elastic"),
        support::top().contact("stop", "2 - θ - φ^2", Law::ELASTIC, "elastic"),
        moving,
        skate,
        ball,
    ]
}

#[test]
fn equations_vanish_on_the_motion() {
    for mut declaration in systems() {
        let equations = derive(&mut declaration.model).unwrap();
        let model = &mut declaration.model;
        let mut simplifier = Simplifier::default();
        let full = equations_with_multipliers(model, &equations, &mut simplifier);
        let reduction = reduce(model, &equations, &mut simplifier).unwrap();
        let reduced = reduced_equations(model, &equations, &reduction, &mut simplifier);
        let closed = multipliers(model, &equations, &reduction, &mut simplifier).unwrap();
        assert_eq!(reduced.len() + equations.rows.len(), model.speeds.len());
        for seed in 0..STATES {
            let mut state = State::random(model, &reduction, seed);
            let (accelerations, forces) = motion(model, &equations, &state);
            for (speed, a) in model.speeds.iter().zip(&accelerations) {
                state.set(speed.acceleration, *a);
            }
            for free in reduction.free.iter().filter(|free| !free.is_coordinate) {
                let definition = free.row.iter().zip(model.velocities());
                let definition = definition.fold(ExprPool::ZERO, |sum, (entry, v)| {
                    let v = model.pool.symbol_expr(v);
                    let term = model.pool.mul(*entry, v);
                    model.pool.add(sum, term)
                });
                let mut time = model.time_direction_with_accelerations();
                let rate = time.derivative(&mut model.pool, definition);
                state.set(free.acceleration, state.values(&model.pool, &[rate])[0]);
            }
            for (row, force) in forces.iter().enumerate() {
                let symbol = model.pool.find_symbol(SymbolKind::Multiplier(row)).unwrap();
                state.set(symbol, *force);
            }
            let dependent = state.values(&model.pool, &reduction.acceleration);
            dependent.iter().zip(&accelerations).for_each(|(a, b)| close(*a, *b, "v̇"));
            for equation in full.iter().chain(&reduced) {
                let sides = state.values(&model.pool, &[equation.left, equation.right]);
                close(sides[0], sides[1], "equation");
            }
            let values = state.values(&model.pool, &closed);
            values.iter().zip(&forces).for_each(|(a, b)| close(*a, *b, "λ"));
        }
    }
}

/// (v̇, λ) from the full linear system.
fn motion(
    model: &SystemModel,
    equations: &EquationsOfMotion,
    state: &State,
) -> (Vec<f64>, Vec<f64>) {
    let mass = state.matrix(&model.pool, equations.mass.kept());
    let rows = state.matrix(&model.pool, &equations.rows);
    let bias = state.values(&model.pool, &equations.bias);
    let force = state.values(&model.pool, &equations.force);
    let drift = state.values(&model.pool, &equations.drift);
    let (n, k) = (mass.len(), rows.len());
    let mut matrix = vec![vec![0.0; n + k]; n + k];
    let mut right = vec![vec![0.0]; n + k];
    for i in 0..n {
        matrix[i][..n].copy_from_slice(&mass[i]);
        right[i][0] = force[i] - bias[i];
        for r in 0..k {
            matrix[i][n + r] = -rows[r][i];
            matrix[n + r][i] = rows[r][i];
        }
    }
    for r in 0..k {
        right[n + r][0] = -drift[r];
    }
    let solution: Vec<f64> = solve(&matrix, &right).into_iter().map(|row| row[0]).collect();
    (solution[..n].to_vec(), solution[n..].to_vec())
}

#[test]
fn impacts_agree_with_the_projector() {
    for mut declaration in systems() {
        let equations = derive(&mut declaration.model).unwrap();
        let model = &mut declaration.model;
        let mut simplifier = Simplifier::default();
        let reduction = reduce(model, &equations, &mut simplifier).unwrap();
        let metric = metric(&mut model.pool, &equations, &reduction, &mut simplifier).unwrap();
        let n = model.speeds.len();
        for contact in &equations.contacts {
            let closed = impact(model, &equations, contact, &reduction, &metric, &mut simplifier);
            let entries: Vec<Vec<ExprId>> = (0..n)
                .map(|i| {
                    let entry = |j| closed.projector_entry(&mut model.pool, &metric, i, j);
                    (0..n).map(entry).collect()
                })
                .collect();
            let mut after =
                |law| closed.velocity_after(model, &equations, law, &mut simplifier).unwrap();
            let (elastic, plastic) =
                (after(ImpactOf::Law(Law::ELASTIC)), after(ImpactOf::Law(Law::PLASTIC)));
            let (project, reflect) = (after(ImpactOf::Law(Law::Project)), after(ImpactOf::Reflect));
            for seed in 0..STATES {
                let state = State::random(model, &reduction, seed);
                let values = |e: &[ExprId]| state.values(&model.pool, e);
                let v = values(&reduction.velocity);
                let mass = state.matrix(&model.pool, equations.mass.kept());
                let rows = state.matrix(&model.pool, &equations.rows);
                let gradient = values(&contact.gradient);
                let rate: f64 = values(&[contact.rate])[0]
                    + gradient.iter().zip(&v).map(|(g, v)| g * v).sum::<f64>();
                let mut with_contact = rows.clone();
                with_contact.push(gradient.clone());
                let p = projector(&mass, &with_contact);
                let closed_p = state.matrix(&model.pool, &entries);
                for (row, closed_row) in p.iter().zip(&closed_p) {
                    row.iter().zip(closed_row).for_each(|(a, b)| close(*a, *b, "P"));
                }
                // The jump on the rows of B is (0, …, 0, ġ).
                let raised = solve(&mass, &transposed(&with_contact));
                let mut jumps = vec![vec![0.0]; with_contact.len()];
                jumps.last_mut().unwrap()[0] = rate;
                let gram = times(&with_contact, &raised);
                let jump = times(&raised, &solve(&gram, &jumps));
                for i in 0..n {
                    close(v[i] - 2.0 * jump[i][0], values(&elastic)[i], "elastic");
                    close(v[i] - jump[i][0], values(&plastic)[i], "plastic");
                }
                let lone = solve(&mass, &transposed(&vec![gradient.clone()]));
                let square = times(&vec![gradient], &lone)[0][0];
                let free: Vec<f64> =
                    (0..n).map(|i| v[i] - 2.0 * rate / square * lone[i][0]).collect();
                let change: Matrix = free.iter().zip(&v).map(|(a, b)| vec![a - b]).collect();
                let removed = if rows.is_empty() {
                    vec![vec![0.0]; n]
                } else {
                    times(&projector(&mass, &rows), &change)
                };
                for i in 0..n {
                    close(free[i], values(&reflect)[i], "reflect");
                    close(free[i] - removed[i][0], values(&project)[i], "project");
                }
            }
        }
    }
}
