//! Divisors that are the same but for a factor of parameters, or that a square root has inverted; and factors
//! of parameters that meet their inverse.
//!
//! ```text
//! d = c Σ tᵢ, c of parameters        1/d = (1/c) · 1/Σ tᵢ
//! 1/√d = √(1/d), where 1/d is needed  each rounded about once
//! Σ tᵢ = 1 − cos²                    sin², which keeps its digits where the angle is small
//! c x · 1/c = x
//! ```
//!
//! Elimination leaves such divisors: a row n of length |n|² on a point mass m has the Schur complement
//! |n|²/m, and the unit normal is n/√|n|². A division takes as long as many products, and a factor of
//! parameters is inverted once a run.

use super::pairs::ENTRIES_MAX;
use crate::node::Function;
use crate::pool::ExprPool;
use crate::program::{Builder, Instruction, Program, Value};
use eom_elementary::order;
use std::collections::BTreeMap;

/// Divisors of more terms are left alone.
const TERMS_MAX: usize = 16;

/// Powers of values, none 0.
type Factors = BTreeMap<Value, i32>;

/// A product with its sign.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Term {
    factors: Factors,
    negative: bool,
}

/// A sum, without a factor of parameters, its terms in order.
type Sum = Vec<Term>;

/// d = c Σ tᵢ, which an instruction divides by, or by the root of.
#[derive(Debug)]
struct Divisor {
    constant: Factors,
    sum: Sum,
    is_root: bool,
}

/// What a sum is inverted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By this value, the first that is c times the sum.
    First(Value),
    /// The square of this function of an angle.
    Square(Function, Value),
}

/// A form and its c, whether a root of it was the first to need it, and whether something else does, too.
#[derive(Debug)]
struct Inverse {
    form: Form,
    constant: Factors,
    is_root: bool,
    pays: bool,
}

impl Program {
    /// The program with each sum inverted once.
    pub(super) fn with_fewer_divisors(self, pool: &ExprPool) -> Self {
        let fixed = self.fixed(pool);
        let divides = |i: &Instruction| matches!(i, Instruction::Div(_, d) if !fixed[d.index()]);
        if !self.instructions.iter().any(divides) {
            return self;
        }
        let divisors = Divisors::new(&self, &fixed);
        let pays = divisors.inverses.values().any(|inverse| inverse.pays);
        if pays || divisors.cancelled.iter().any(Option::is_some) {
            divisors.rebuilt()
        } else {
            self
        }
    }
}

/// The divisors of a program.
struct Divisors<'p> {
    program: &'p Program,
    /// Of each instruction what it divides by.
    found: Vec<Option<Divisor>>,
    inverses: BTreeMap<Sum, Inverse>,
    /// Of each product of which factors cancel what is left.
    cancelled: Vec<Option<Term>>,
}

impl<'p> Divisors<'p> {
    fn new(program: &'p Program, fixed: &[bool]) -> Self {
        let products = products(program);
        let mut divisors = Self {
            program,
            found: program.instructions.iter().map(|_| None).collect(),
            inverses: BTreeMap::new(),
            cancelled: cancelled(program, &products, fixed),
        };
        for (index, instruction) in program.instructions.iter().enumerate() {
            let Instruction::Div(_, d) = *instruction else { continue };
            if fixed[d.index()] {
                continue;
            }
            let (x, is_root) = match program.instructions[d.index()] {
                Instruction::Sqrt(x) => (x, true),
                _ => (d, false),
            };
            if let Some((constant, sum)) = as_sum(program, &products, fixed, x) {
                divisors.take(index, x, Divisor { constant, sum, is_root });
            }
        }
        divisors
    }

    /// Takes x, of which an instruction needs the inverse.
    fn take(&mut self, index: usize, x: Value, found: Divisor) {
        let first = || {
            let sine = squared_sine(self.program, &found.sum);
            let constant = if sine.is_some() { Factors::new() } else { found.constant.clone() };
            let form = sine.unwrap_or(Form::First(x));
            Inverse { form, constant, is_root: found.is_root, pays: sine.is_some() }
        };
        let known = self.inverses.entry(found.sum.clone()).or_insert_with(first);
        known.pays |= known.form != Form::First(x) || known.is_root != found.is_root;
        self.found[index] = Some(found);
    }

    /// The program with the inverses that pay.
    fn rebuilt(&self) -> Program {
        let rebuilt = self.program.rewritten(|builder, place, index, mapped| {
            let divisor = self.found[index].as_ref();
            let inverse = divisor.and_then(|d| Some((d, self.inverses.get(&d.sum)?)));
            match (mapped, inverse, &self.cancelled[index]) {
                (Instruction::Div(a, _), Some((divisor, inverse)), _) if inverse.pays => {
                    let mut inverted = inverted(builder, place, divisor, inverse);
                    if divisor.is_root {
                        inverted = builder.sqrt(inverted);
                    }
                    builder.mul(a, inverted)
                }
                (_, _, Some(left)) => quotient(builder, place, left),
                _ => builder.push(mapped),
            }
        });
        rebuilt.finish(self.program.name.clone())
    }
}

/// 1/d = (c′/c) 1/(c′ Σ tᵢ), where c′ Σ tᵢ is what is inverted.
fn inverted(builder: &mut Builder, place: &[Value], divisor: &Divisor, inverse: &Inverse) -> Value {
    let inverted = match inverse.form {
        Form::First(x) => builder.reciprocal(place[x.index()]),
        Form::Square(function, angle) => {
            let root = builder.call(function, place[angle.index()], None);
            let square = builder.mul(root, root);
            builder.reciprocal(square)
        }
    };
    let mut factors = inverse.constant.clone();
    multiply(&mut factors, &divisor.constant, -1);
    let factor = quotient(builder, place, &Term { factors, negative: false });
    builder.mul(factor, inverted)
}

/// A product of powers, by one division at most.
fn quotient(builder: &mut Builder, place: &[Value], term: &Term) -> Value {
    let mut product = |sign: i32| {
        let mut product = builder.constant(1.0);
        for (value, power) in &term.factors {
            let power = u32::try_from(sign * power).unwrap_or(0);
            let power = builder.powi(place[value.index()], power);
            product = builder.mul(product, power);
        }
        product
    };
    let (above, below) = (product(1), product(-1));
    let inverted = builder.reciprocal(below);
    let quotient = builder.mul(above, inverted);
    if term.negative { builder.neg(quotient) } else { quotient }
}

/// Multiplies with a power of others.
fn multiply(factors: &mut Factors, others: &Factors, exponent: i32) {
    for (value, power) in others {
        *factors.entry(*value).or_default() += exponent * power;
    }
    factors.retain(|_, power| *power != 0);
}

/// Each value as a product.
fn products(program: &Program) -> Vec<Term> {
    let mut products: Vec<Term> = Vec::with_capacity(program.instructions.len());
    for (index, instruction) in program.instructions.iter().enumerate() {
        let of = |value: Value, sign: i32| (&products[value.index()], sign);
        let parts = match *instruction {
            Instruction::Neg(a) => vec![of(a, 1)],
            Instruction::Mul(a, b) => vec![of(a, 1), of(b, 1)],
            Instruction::Div(a, b) => vec![of(a, 1), of(b, -1)],
            _ => Vec::new(),
        };
        let mut product =
            Term { negative: matches!(instruction, Instruction::Neg(_)), ..Term::default() };
        for (part, sign) in &parts {
            product.negative ^= part.negative;
            multiply(&mut product.factors, &part.factors, *sign);
        }
        let is_one =
            matches!(instruction, Instruction::Constant(bits) if *bits == 1.0_f64.to_bits());
        if parts.is_empty() && !is_one || size(&product.factors, |_| true) > ENTRIES_MAX {
            let itself = Factors::from([(Value(index as u32), 1)]);
            product = Term { factors: itself, negative: false };
        }
        products.push(product);
    }
    products
}

/// How many factors there are of some values.
fn size(factors: &Factors, of: impl Fn(Value) -> bool) -> u32 {
    factors.iter().filter(|(value, _)| of(**value)).map(|(_, power)| power.unsigned_abs()).sum()
}

/// The products of which factors of parameters cancel, and none that depend on the state, which may be 0.
fn cancelled(program: &Program, products: &[Term], fixed: &[bool]) -> Vec<Option<Term>> {
    let left = |(index, instruction): (usize, &Instruction)| {
        let Instruction::Mul(a, b) = *instruction else { return None };
        let term = &products[index];
        let itself = term.factors.contains_key(&Value(index as u32));
        let fewer = |of: bool| {
            let size = |term: &Term| size(&term.factors, |value| fixed[value.index()] == of);
            size(term) < size(&products[a.index()]) + size(&products[b.index()])
        };
        let plain = |(value, power): (&Value, &i32)| *power > 0 || fixed[value.index()];
        let cancels = !itself && fewer(true) && !fewer(false);
        (cancels && term.factors.iter().all(plain)).then(|| term.clone())
    };
    program.instructions.iter().enumerate().map(left).collect()
}

/// A value as c and Σ tᵢ; none where it has too many terms.
fn as_sum(
    program: &Program,
    products: &[Term],
    fixed: &[bool],
    value: Value,
) -> Option<(Factors, Sum)> {
    // c times one value, of which the terms are taken.
    let product = &products[value.index()];
    let (outer, inner): (Factors, Factors) =
        product.factors.iter().partition(|(factor, _)| fixed[factor.index()]);
    let mut inner = inner.into_iter();
    let (outer, start) = match (inner.next(), inner.next()) {
        (Some((inner, 1)), None) => (outer, (inner, product.negative)),
        _ => (Factors::new(), (value, false)),
    };
    let (mut sum, mut open) = (Sum::new(), vec![start]);
    while let Some((value, negative)) = open.pop() {
        match program.instructions[value.index()] {
            Instruction::Add(a, b) => open.extend([(a, negative), (b, negative)]),
            Instruction::Sub(a, b) => open.extend([(a, negative), (b, !negative)]),
            Instruction::Neg(a) => open.push((a, !negative)),
            _ => {
                let mut term = products[value.index()].clone();
                term.negative ^= negative;
                sum.push(term);
            }
        }
        if sum.len() + open.len() > TERMS_MAX {
            return None;
        }
    }
    let mut constant = common(&sum, fixed);
    for term in &mut sum {
        multiply(&mut term.factors, &constant, -1);
    }
    order::sort(&mut sum);
    multiply(&mut constant, &outer, 1);
    Some((constant, sum))
}

/// The parameters that all terms have as factors: of each the smaller power.
fn common(sum: &Sum, fixed: &[bool]) -> Factors {
    let Some((first, others)) = sum.split_first() else { return Factors::new() };
    let mut common = first.factors.clone();
    common.retain(|value, _| fixed[value.index()]);
    for other in others {
        for (value, power) in &mut common {
            let there = other.factors.get(value).copied().unwrap_or(0);
            let same_sign = there.signum() == power.signum();
            *power = if same_sign { power.signum() * there.abs().min(power.abs()) } else { 0 };
        }
        common.retain(|_, power| *power != 0);
    }
    common
}

/// The square that 1 − cos² or 1 − sin² is, where it is one of a value of the program.
fn squared_sine(program: &Program, sum: &Sum) -> Option<Form> {
    let [one, square] = sum.as_slice() else { return None };
    let (one, square) = if one.factors.is_empty() { (one, square) } else { (square, one) };
    let mut factors = square.factors.iter();
    let (Some((value, 2)), None) = (factors.next(), factors.next()) else { return None };
    if !one.factors.is_empty() || one.negative || !square.negative {
        return None;
    }
    let partner = program.sin_cos_partner(value.index())?;
    match program.instructions[partner] {
        Instruction::Call(function, angle, _) => Some(Form::Square(function, angle)),
        _ => None,
    }
}
