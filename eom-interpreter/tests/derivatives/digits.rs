//! The kernels of derivatives with 60 digits against differences of the accelerations with as many: 40 digits of each.
//!
//! Programs are run as they are, their instructions one after another, over fixed-point numbers of 256 binary places.

use super::{pendulum, sources};
use eom_codegen::{Derivation, derive_source};
use eom_symbolic::program::{Instruction, Program};
use eom_symbolic::{Function, SymbolId, SymbolKind};
use num_bigint::BigInt;

/// Binary places.
const PLACES: i32 = 256;

/// The step of differences of order 4 is 2⁻⁵⁰: its error is that to the fourth, the rounding 2⁻²⁰⁶.
const STEP: i32 = 50;

/// 10⁻⁴⁰ of the largest.
const DIGITS: f64 = 1e-40;

/// A number as a whole number of 2⁻²⁵⁶.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Fixed(BigInt);

impl Fixed {
    /// Exact for numbers whose last place is not below 2⁻²⁵⁶.
    fn of(number: f64) -> Self {
        let bits = number.to_bits();
        let (exponent, mantissa) = (((bits >> 52) & 0x7ff) as i32, bits & ((1 << 52) - 1));
        if exponent == 0 {
            return Self(BigInt::ZERO);
        }
        let mantissa = BigInt::from(mantissa | (1 << 52));
        let places = exponent - 1075 + PLACES;
        let magnitude =
            if places >= 0 { mantissa << places } else { mantissa >> places.unsigned_abs() };
        Self(if number < 0.0 { -magnitude } else { magnitude })
    }

    fn step() -> Self {
        Self(BigInt::from(1) << (PLACES - STEP))
    }

    fn abs(&self) -> Self {
        Self(BigInt::from(self.0.magnitude().clone()))
    }

    fn neg(&self) -> Self {
        Self(-&self.0)
    }

    fn add(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    fn sub(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    fn mul(&self, other: &Self) -> Self {
        Self((&self.0 * &other.0) >> PLACES)
    }

    fn div(&self, other: &Self) -> Self {
        Self((&self.0 << PLACES) / &other.0)
    }

    fn times(&self, n: i32) -> Self {
        Self(&self.0 * n)
    }

    fn sqrt(&self) -> Self {
        Self((&self.0 << PLACES).sqrt())
    }

    /// cos x + i sin x by its series at x/2⁸, squared eight times.
    fn turn(&self) -> [Self; 2] {
        const HALVED: usize = 8;
        let x = Self(&self.0 >> HALVED);
        let mut term = Self::of(1.0);
        let mut sums = [Self::of(0.0), Self::of(0.0)];
        for n in 0..80 {
            let signed = if n % 4 < 2 { term.clone() } else { term.neg() };
            sums[n % 2] = sums[n % 2].add(&signed);
            term = Self(term.mul(&x).0 / (n + 1));
        }
        let [mut c, mut s] = sums;
        for _ in 0..HALVED {
            (c, s) = (c.mul(&c).sub(&s.mul(&s)), c.mul(&s).times(2));
        }
        [c, s]
    }
}

/// The results of a program; none where it asks for more than sums, products, quotients, roots, sines and cosines.
fn run(program: &Program, symbol: &dyn Fn(SymbolId) -> Fixed) -> Option<Vec<Fixed>> {
    let mut values: Vec<Fixed> = Vec::with_capacity(program.instructions.len());
    for instruction in &program.instructions {
        let at = |value: eom_symbolic::program::Value| &values[value.index()];
        let value = match *instruction {
            Instruction::Input(s) => symbol(s),
            Instruction::Constant(bits) => Fixed::of(f64::from_bits(bits)),
            Instruction::Neg(a) => at(a).neg(),
            Instruction::Add(a, b) => at(a).add(at(b)),
            Instruction::Sub(a, b) => at(a).sub(at(b)),
            Instruction::Mul(a, b) => at(a).mul(at(b)),
            Instruction::MulAdd(a, b, c) => at(a).mul(at(b)).add(at(c)),
            Instruction::MulSub(a, b, c) => at(a).mul(at(b)).sub(at(c)),
            Instruction::NegMulAdd(a, b, c) => at(c).sub(&at(a).mul(at(b))),
            Instruction::Div(a, b) if *at(b) != Fixed::of(0.0) => at(a).div(at(b)),
            Instruction::Sqrt(a) if *at(a) > Fixed::of(0.0) => at(a).sqrt(),
            Instruction::Call(Function::Cos, a, _) => at(a).turn()[0].clone(),
            Instruction::Call(Function::Sin, a, _) => at(a).turn()[1].clone(),
            _ => return None,
        };
        values.push(value);
    }
    Some(program.outputs.iter().map(|output| values[output.value.index()].clone()).collect())
}

/// Whether each constant of a program is a whole number of 1/4096: others are rounded, and so are their products.
fn is_exact(program: &Program) -> bool {
    program.instructions.iter().all(|instruction| match instruction {
        Instruction::Constant(bits) => (f64::from_bits(*bits) * 4096.0).fract() == 0.0,
        _ => true,
    })
}

/// A system at a point: some binary fraction for each symbol.
struct Point<'d> {
    derivation: &'d Derivation,
}

impl Point<'_> {
    /// The value of a symbol.
    fn value(&self, symbol: SymbolId) -> Fixed {
        let at = |class: usize, index: usize| {
            let turn = (0.618_033_988_749_895 * (7 * class + 3 * index + 1) as f64).fract();
            (turn * 1024.0).round() / 1024.0
        };
        let number = match self.derivation.model.pool.symbol_info(symbol).kind {
            SymbolKind::Parameter(i) => 0.5 + at(0, i),
            SymbolKind::Coordinate(i) => 2.0 * at(1, i) - 0.75,
            SymbolKind::Velocity(i) => 2.0 * at(2, i) - 1.0,
            SymbolKind::Input(i) => 2.0 * at(3, i) - 1.0,
            SymbolKind::Weight(i) => 2.0 * at(4, i) - 1.0,
            SymbolKind::Direction(i) => 2.0 * at(5, i) - 1.0,
            _ => 0.25,
        };
        Fixed::of(number)
    }

    fn run(&self, program: &Program) -> Option<Vec<Fixed>> {
        run(program, &|symbol| self.value(symbol))
    }

    /// The derivative of a program's results along a direction, by differences.
    fn slopes(
        &self,
        program: &Program,
        rate: &dyn Fn(SymbolId) -> Option<Fixed>,
    ) -> Option<Vec<Fixed>> {
        let h = Fixed::step();
        let at = |steps: i32| {
            run(program, &|symbol| {
                let moved = rate(symbol).map(|rate| rate.mul(&h).times(steps));
                moved.map_or_else(|| self.value(symbol), |moved| self.value(symbol).add(&moved))
            })
        };
        let [far_below, below, above, far_above] = [at(-2)?, at(-1)?, at(1)?, at(2)?];
        let slope = |i: usize| {
            let near = above[i].sub(&below[i]).times(8);
            near.sub(&far_above[i].sub(&far_below[i])).div(&h.times(12))
        };
        Some((0..above.len()).map(slope).collect())
    }
}

/// The largest difference beside the largest of the numbers, or 1.
fn difference<'n>(found: impl Iterator<Item = &'n Fixed>, wanted: &[Fixed]) -> f64 {
    let (mut worst, mut size) = (Fixed::of(0.0), Fixed::of(1.0));
    let mut count = 0;
    for (found, wanted) in found.zip(wanted) {
        worst = worst.max(found.sub(wanted).abs());
        size = size.max(wanted.abs());
        count += 1;
    }
    assert_eq!(count, wanted.len());
    // 2⁻¹⁶⁰ is beyond 40 digits.
    let ratio: BigInt = worst.div(&size).0 >> (PLACES - 160);
    f64::from(i32::try_from(ratio).unwrap_or(i32::MAX)) * 2.0_f64.powi(-160)
}

/// The columns of a kernel's blocks, v̇ then λ, each a block for each list of so many columns.
fn columns(entries: &[Fixed], rows: [usize; 2], lists: &[usize]) -> Vec<Vec<Fixed>> {
    let mut entries = entries.iter();
    let mut columns = vec![Vec::new(); lists.iter().sum()];
    for rows in rows {
        let mut first = 0;
        for size in lists {
            for _ in 0..rows {
                let row = columns[first..first + size].iter_mut();
                row.zip(&mut entries).for_each(|(column, entry)| column.push(entry.clone()));
            }
            first += size;
        }
    }
    assert!(entries.next().is_none());
    columns
}

/// The largest error of a system; none where its programs hold other functions, or numbers that are rounded.
fn worst(derivation: &Derivation) -> Option<f64> {
    let (programs, model) = (&derivation.programs, &derivation.model);
    let kernels =
        [&programs.derivatives, &programs.parameter_derivatives, &programs.hessian_product];
    if !kernels.into_iter().chain([&programs.dynamics]).all(is_exact) {
        return None;
    }
    let point = Point { derivation };
    let inputs: Vec<SymbolId> = model.inputs.iter().map(|input| input.symbol).collect();
    let state = [model.positions(), model.velocities(), inputs];
    let parameters: Vec<SymbolId> = model.parameters.iter().map(|p| p.symbol).collect();
    let rows = [model.speeds.len(), model.rows.len()];
    let here = point.run(&programs.dynamics)?;
    let [found, by_parameters, product] = kernels.map(|program| point.run(program));
    let (found, by_parameters, product) = (found?, by_parameters?, product?);
    let (values, blocks) = found.split_at(here.len());
    let mut worst = difference(values.iter(), &here);
    let of_state = columns(blocks, rows, &state.each_ref().map(Vec::len));
    // Those of a function whose default holds parameters are none.
    let count = if by_parameters.is_empty() { 0 } else { parameters.len() };
    let of_parameters = columns(&by_parameters, rows, &[count]);
    let all = state.concat();
    let by = all.iter().zip(&of_state).chain(parameters.iter().zip(&of_parameters));
    for (symbol, column) in by {
        let rate = |other| (other == *symbol).then(|| Fixed::of(1.0));
        worst = worst.max(difference(column.iter(), &point.slopes(&programs.dynamics, &rate)?));
    }
    let symbols = |kind: fn(usize) -> SymbolKind, count: usize| -> Vec<Fixed> {
        let of =
            |i| model.pool.find_symbol(kind(i)).map_or_else(|| Fixed::of(0.0), |s| point.value(s));
        (0..count).map(of).collect()
    };
    let weights = symbols(SymbolKind::Weight, here.len());
    let direction = symbols(SymbolKind::Direction, all.len());
    let (gradient, along) = product.split_at(all.len());
    let weighted = of_state.iter().map(|column| {
        let terms = column.iter().zip(&weights).map(|(slope, weight)| slope.mul(weight));
        terms.fold(Fixed::of(0.0), |sum, term| sum.add(&term))
    });
    worst = worst.max(difference(gradient.iter(), &weighted.collect::<Vec<_>>()));
    let rate =
        |symbol| all.iter().position(|other| *other == symbol).map(|at| direction[at].clone());
    let turned = point.slopes(&programs.hessian_product, &rate)?;
    Some(worst.max(difference(along.iter(), &turned[..all.len()])))
}

/// Solved by elimination of rows, by factors, by tensions; with roots, constraints, inputs, own speeds.
const SYSTEMS: [&str; 11] = [
    "angled-wall-ball",
    "appell",
    "chaplygin-ball",
    "controlled-penny",
    "euler-ball",
    "heavy-top",
    "kovalevskaya",
    "penny",
    "rattleback",
    "rolling-disk",
    "snakeboard",
];

#[test]
fn derivatives_have_forty_digits() {
    let named = sources().into_iter().filter(|(name, _)| SYSTEMS.contains(&name.as_str()));
    let read = named.map(|(name, source)| (name, derive_source(&source).unwrap()));
    let chain = ("pendulum".to_owned(), pendulum(6));
    let mut compared = 0;
    for (name, derivation) in read.chain([chain]) {
        let worst = worst(&derivation.with_derivatives().unwrap());
        assert!(worst.is_some_and(|worst| worst < DIGITS), "{name}: {worst:?}");
        compared += 1;
    }
    assert_eq!(compared, SYSTEMS.len() + 1);
}
