//! Whether a program may stand for another one: it computes the same, and rounding moves it no
//! further.
//!
//! Both are run at states drawn from a fixed seed with a running bound of their rounding,
//!
//! ```text
//! e(a ± b) = e(a) + e(b) + |a ± b|        e(a·b) = |a| e(b) + |b| e(a) + |a·b|        in units of ε
//! ```

use crate::eval::Estimate;
use crate::node::{Partial, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::program::{Instruction, Program};

/// The states at which programs are compared.
const STATES: u64 = 8;

/// Where M is found column by column.
const STATES_OF_COLUMNS: u64 = 2;

/// The bound of the other program, times this, holds: two bits.
const WORSE_MAX: f64 = 4.0;

/// Two values differ by at most this many times the sum of their bounds.
const SAME: f64 = 4.0;

/// Whether what a program computes at the states at which it is regular, at half of them at least, is `good`.
fn holds(
    reference: &Program,
    pool: &ExprPool,
    states: u64,
    good: impl Fn(&dyn Fn(SymbolId) -> f64, &[Estimate]) -> bool,
) -> bool {
    let mut regular = 0;
    for state in 0..states {
        let symbol = |symbol| drawn(pool, symbol, state);
        let wanted = reference.estimates(&symbol);
        if wanted.iter().any(|x| !x.value.is_finite() || !x.size.is_finite()) {
            continue;
        }
        regular += 1;
        if !good(&symbol, &wanted) {
            return false;
        }
    }
    2 * regular >= states
}

/// Whether `program` computes what `reference` does, as accurately.
pub(in crate::program) fn is_as_good(
    program: &Program,
    reference: &Program,
    pool: &ExprPool,
) -> bool {
    holds(reference, pool, STATES, |symbol, wanted| {
        let found = program.estimates(symbol);
        // An output that is 0 in one form is measured by the largest of all.
        let floor = wanted.iter().map(|x| x.value.abs()).fold(0.0, f64::max) * f64::EPSILON;
        let good = |(found, wanted): (&Estimate, &Estimate)| {
            let apart = (found.value - wanted.value).abs();
            let same = apart <= SAME * f64::EPSILON * (found.size + wanted.size) + floor;
            // NaN is no good, which the comparisons say.
            same && found.size <= WORSE_MAX * wanted.size + SAME * wanted.value.abs()
        };
        found.iter().zip(wanted).all(good)
    })
}

/// A residual is at most so many times the rounding of its terms.
const RESIDUAL_MAX: f64 = 64.0;

/// What a program is to solve: M v̇ = f + Aᵀλ, A v̇ = −γ.
#[derive(Debug)]
pub(in crate::program) struct Equations {
    /// n.
    pub(in crate::program) speeds: usize,
    /// M v, where M has no entries.
    pub(in crate::program) product: Option<Program>,
    /// The lower triangle of M where it has entries, A, f, γ.
    pub(in crate::program) entries: Program,
}

/// Whether the outputs v̇ (n) and λ (k) of `program` solve the equations to rounding. The running bound says nothing of
/// a chain: it doubles from link to link in a recursion whose rounding does not grow.
pub(in crate::program) fn solves(
    program: &Program,
    equations: &Equations,
    pool: &ExprPool,
) -> bool {
    let Equations { speeds: n, product, entries } = equations;
    let states = if product.is_some() { STATES_OF_COLUMNS } else { STATES };
    holds(entries, pool, states, |symbol, entries| {
        let found: Vec<f64> = program.estimates(symbol).iter().map(|x| x.value).collect();
        let (x, multipliers) = found.split_at(*n);
        let Some(product) = product else {
            let (mass, rest) = entries.split_at(n * (n + 1) / 2);
            return balances(mass, rest, x, multipliers);
        };
        // As many roundings as there are bodies.
        let of_bodies = |value: f64| Estimate { value, size: *n as f64 * value.abs() };
        let rest: Vec<Estimate> = entries.iter().map(|entry| of_bodies(entry.value)).collect();
        let columns = (0..*n).flat_map(|j| column(product, pool, symbol, j).split_off(j));
        // Below the diagonal by columns: beyond it by rows.
        let by_columns: Vec<f64> = columns.collect();
        let at = |i: usize, j: usize| by_columns[j * (2 * n + 1 - j) / 2 + i - j];
        let lower = (0..*n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let mass: Vec<Estimate> = lower.map(|(i, j)| of_bodies(at(i, j))).collect();
        balances(&mass, &rest, x, multipliers)
    })
}

/// M eⱼ at a state.
fn column(
    product: &Program,
    pool: &ExprPool,
    symbol: &dyn Fn(SymbolId) -> f64,
    j: usize,
) -> Vec<f64> {
    product.evaluate(|s| match pool.symbol_info(s).kind {
        SymbolKind::Velocity(i) => f64::from(u8::from(i == j)),
        _ => symbol(s),
    })
}

/// Whether v̇ and λ solve what the lower triangle of M, and A, f, γ give.
fn balances(mass: &[Estimate], rest: &[Estimate], x: &[f64], multipliers: &[f64]) -> bool {
    let (n, k) = (x.len(), multipliers.len());
    let (rows, right) = rest.split_at(k * n);
    let moves = (0..n).all(|i| {
        let of_mass = (0..n).map(|j| (mass[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)], x[j]));
        let of_rows = multipliers.iter().enumerate().map(|(j, λ)| (rows[j * n + i], -λ));
        vanishes(of_mass.chain(of_rows).chain([(right[i], -1.0)]))
    });
    let keeps = |j: usize| {
        let of_row = (0..n).map(|i| (rows[j * n + i], x[i]));
        vanishes(of_row.chain([(right[n + j], 1.0)]))
    };
    moves && (0..k).all(keeps)
}

/// Whether Σ e x of entries and numbers is the rounding of its terms.
fn vanishes(terms: impl Iterator<Item = (Estimate, f64)>) -> bool {
    let (mut residual, mut size) = (0.0, 0.0);
    for (entry, x) in terms {
        residual += entry.value * x;
        size += (entry.size + entry.value.abs()) * x.abs();
    }
    // NaN does not vanish, which the comparison says.
    residual.abs() <= RESIDUAL_MAX * f64::EPSILON * size
}

/// A number between 0 and 1 of two others: the finaliser of SplitMix64.
fn unit(a: u64, b: u64) -> f64 {
    let mut x = a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xD1B5_4A32_D192_ED03);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The value of a symbol at a state: parameters are positive.
fn drawn(pool: &ExprPool, symbol: SymbolId, state: u64) -> f64 {
    let at = unit(u64::from(symbol.0) + 1, state + 1);
    match pool.symbol_info(symbol).kind {
        SymbolKind::Parameter(_) | SymbolKind::Constant(_) => 0.5 + 1.5 * at,
        _ => 3.0 * at - 1.5,
    }
}

/// A declared function's partial as some smooth function of its point.
fn partial_at(partial: Partial, point: &[Estimate]) -> Estimate {
    let orders = partial.orders.iter().fold(0, |sum, order| 7 * sum + u64::from(*order));
    let phase = unit(u64::from(partial.function) + 1, orders + 1);
    let sum: f64 = point.iter().enumerate().map(|(i, x)| x.value / (1.0 + i as f64)).sum();
    let value = eom_elementary::sin(6.0 * phase + sum);
    Estimate { value, size: value.abs() + point.iter().map(|x| x.size).sum::<f64>() }
}

impl Program {
    /// The outputs with bounds of their rounding in units of ε. Integrals are not estimated: NaN.
    fn estimates(&self, symbol: &dyn Fn(SymbolId) -> f64) -> Vec<Estimate> {
        let mut values: Vec<Estimate> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let estimate = estimate(instruction, &values, symbol);
            values.push(estimate);
        }
        self.outputs.iter().map(|output| values[output.value.index()]).collect()
    }
}

fn estimate(
    instruction: &Instruction,
    values: &[Estimate],
    symbol: &dyn Fn(SymbolId) -> f64,
) -> Estimate {
    let at = |value: crate::program::Value| values[value.index()];
    let rounded = |value: f64, size: f64| Estimate { value, size: size + value.abs() };
    let product_and = |a: Estimate, b: Estimate, [σ, τ]: [f64; 2], c: Estimate| {
        let size = a.value.abs() * b.size + b.value.abs() * a.size + c.size;
        rounded(σ * a.value * b.value + τ * c.value, size)
    };
    // f(x) with the slope of f there.
    let call = |x: Estimate, f: &dyn Fn(f64) -> f64| {
        let step = 1e-6 * (1.0 + x.value.abs());
        let slope = (f(x.value + step) - f(x.value - step)) / (2.0 * step);
        rounded(f(x.value), slope.abs() * x.size)
    };
    match *instruction {
        // Inputs are as they are given: their rounding moves all forms alike.
        Instruction::Input(s) => Estimate { value: symbol(s), size: 0.0 },
        Instruction::Constant(bits) => Estimate { value: f64::from_bits(bits), size: 0.0 },
        Instruction::Neg(a) => Estimate { value: -at(a).value, size: at(a).size },
        Instruction::Add(a, b) => rounded(at(a).value + at(b).value, at(a).size + at(b).size),
        Instruction::Sub(a, b) => rounded(at(a).value - at(b).value, at(a).size + at(b).size),
        Instruction::Mul(a, b) => {
            let (a, b) = (at(a), at(b));
            rounded(a.value * b.value, a.value.abs() * b.size + b.value.abs() * a.size)
        }
        Instruction::MulAdd(a, b, c) => product_and(at(a), at(b), [1.0, 1.0], at(c)),
        Instruction::MulSub(a, b, c) => product_and(at(a), at(b), [1.0, -1.0], at(c)),
        Instruction::NegMulAdd(a, b, c) => product_and(at(a), at(b), [-1.0, 1.0], at(c)),
        Instruction::Div(a, b) => {
            let (a, b) = (at(a), at(b));
            let value = a.value / b.value;
            rounded(value, (a.size + value.abs() * b.size) / b.value.abs())
        }
        Instruction::InverseOrZero(a) if at(a).value == 0.0 => Estimate { value: 0.0, size: 0.0 },
        Instruction::InverseOrZero(a) => call(at(a), &|x| 1.0 / x),
        Instruction::Sqrt(a) => {
            let root = at(a).value.sqrt();
            rounded(root, 0.5 * at(a).size / root)
        }
        Instruction::Powi(a, n) => call(at(a), &|x| eom_elementary::powi(x, n)),
        Instruction::Powf(a, b) => {
            let (a, b) = (at(a), at(b));
            let (base, exponent) = (
                call(a, &|x| eom_elementary::powf(x, b.value)),
                call(b, &|x| eom_elementary::powf(a.value, x)),
            );
            Estimate { value: base.value, size: base.size + exponent.size }
        }
        Instruction::Call(function, a, b) if function.arity() == 2 => {
            let (a, b) = (at(a), at(b));
            let first = call(a, &|x| function.evaluate(x, b.value));
            let second = call(b, &|x| function.evaluate(a.value, x));
            Estimate { value: first.value, size: first.size + second.size }
        }
        Instruction::Call(function, a, _) => call(at(a), &|x| function.evaluate(x, x)),
        Instruction::Partial(partial, point) => {
            partial_at(partial, &point.map(at)[..usize::from(partial.arity)])
        }
        Instruction::Variable(_) | Instruction::Captured(_) | Instruction::Integral(..) => {
            Estimate { value: f64::NAN, size: f64::NAN }
        }
    }
}
