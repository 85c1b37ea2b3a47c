//! Divisors that are the same but for a factor of parameters, or that a square root has inverted; and factors
//! of parameters that meet their inverse.
//!
//! ```text
//! d = c Σ tᵢ, c of parameters        1/d = (1/c) · 1/Σ tᵢ
//! Σ tᵢ = x, where 1/√x is there      1/Σ tᵢ = 1/x, 1/√x = √(1/x), each rounded about once
//! Σ tᵢ = 1 − cos²                    sin², which keeps its digits where the angle is small
//! c x · 1/c = x
//! ```
//!
//! Elimination leaves such divisors: a row n of length |n|² on a point mass m has the Schur complement
//! |n|²/m, and the unit normal is n/√|n|². A division takes as long as many products, and a factor of
//! parameters is inverted once a run.

use super::{Builder, Instruction, Program, Value};
use crate::node::Function;
use crate::pool::ExprPool;
use std::collections::BTreeMap;

/// Divisors of more terms are left alone.
const TERMS_MAX: usize = 16;

/// A product of more factors is one factor.
const FACTORS_MAX: usize = 24;

/// Powers of values.
type Factors = BTreeMap<Value, i32>;

/// A product with its sign.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Term {
    factors: Factors,
    negative: bool,
}

/// A sum, without a factor of parameters, its terms in order.
type Sum = Vec<Term>;

/// d = c Σ tᵢ.
#[derive(Debug)]
struct Divisor {
    constant: Factors,
    sum: Sum,
}

/// What a sum is inverted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By this divisor, the first that is c times the sum.
    First(Value),
    /// By the √ of this value, which is c times the sum.
    Root(Value),
    /// The square of this function of an angle.
    Square(Function, Value),
}

/// A form, its c, and whether something but one divisor has it.
#[derive(Debug)]
struct Inverse {
    form: Form,
    constant: Factors,
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
        if pays || !divisors.cancelled.is_empty() { divisors.rebuilt() } else { self }
    }
}

/// The divisors of a program.
struct Divisors<'p> {
    program: &'p Program,
    /// By the instruction that divides.
    found: BTreeMap<usize, Divisor>,
    inverses: BTreeMap<Sum, Inverse>,
    /// Products of which factors cancel, by instruction: what is left.
    cancelled: BTreeMap<usize, Term>,
}

impl<'p> Divisors<'p> {
    fn new(program: &'p Program, fixed: &[bool]) -> Self {
        let products = products(program);
        let mut divisors = Self {
            program,
            found: BTreeMap::new(),
            inverses: BTreeMap::new(),
            cancelled: cancelled(program, &products, fixed),
        };
        for (index, instruction) in program.instructions.iter().enumerate() {
            let Instruction::Div(_, d) = *instruction else { continue };
            if fixed[d.index()] {
                continue;
            }
            match program.instructions[d.index()] {
                Instruction::Sqrt(x) => {
                    if let Some(Divisor { constant, sum }) = divisor(program, &products, fixed, x) {
                        let inverse = Inverse { form: Form::Root(d), constant, pays: false };
                        divisors.inverses.entry(sum).or_insert(inverse);
                    }
                }
                _ => {
                    if let Some(found) = divisor(program, &products, fixed, d) {
                        divisors.take(index, d, found);
                    }
                }
            }
        }
        divisors
    }

    /// Takes the divisor d of an instruction.
    fn take(&mut self, index: usize, d: Value, found: Divisor) {
        let first = || match squared_sine(self.program, &found.sum) {
            Some(form) => Inverse { form, constant: Factors::new(), pays: true },
            None => Inverse { form: Form::First(d), constant: found.constant.clone(), pays: false },
        };
        let known = self.inverses.entry(found.sum.clone()).or_insert_with(first);
        known.pays |= known.form != Form::First(d);
        self.found.insert(index, found);
    }

    /// The program with the inverses that pay.
    fn rebuilt(&self) -> Program {
        let mut builder = Builder::new();
        let mut place: Vec<Value> = Vec::with_capacity(self.program.instructions.len());
        for integral in &self.program.integrals {
            builder.integral(integral.clone());
        }
        for (index, instruction) in self.program.instructions.iter().enumerate() {
            let mapped = instruction.map(|value| place[value.index()]);
            let inverse = self.found.get(&index).and_then(|divisor| {
                let inverse = self.inverses.get(&divisor.sum)?;
                inverse.pays.then_some((divisor, inverse))
            });
            let by_root = |d: &Value| {
                let pays = |inverse: &&Inverse| inverse.pays && inverse.form == Form::Root(*d);
                self.inverses.values().any(|inverse| pays(&inverse))
            };
            let value = match (instruction, mapped, inverse) {
                (_, Instruction::Div(a, _), Some((divisor, inverse))) => {
                    let inverted = self.inverted(&mut builder, &place, divisor, inverse);
                    builder.mul(a, inverted)
                }
                (Instruction::Div(_, root), Instruction::Div(a, _), _) if by_root(root) => {
                    let inverted = self.inverted_square(&mut builder, &place, *root);
                    let root = builder.sqrt(inverted);
                    builder.mul(a, root)
                }
                (_, mapped, _) => match self.cancelled.get(&index) {
                    Some(left) => quotient(&mut builder, &place, left),
                    None => builder.push(mapped),
                },
            };
            place.push(value);
        }
        builder.map_integrals(|value| place[value.index()]);
        for output in &self.program.outputs {
            builder.output(output.name.clone(), place[output.value.index()]);
        }
        builder.finish(self.program.name.clone())
    }

    /// 1/x of a root √x.
    fn inverted_square(&self, builder: &mut Builder, place: &[Value], root: Value) -> Value {
        match self.program.instructions[root.index()] {
            Instruction::Sqrt(x) => reciprocal(builder, place[x.index()]),
            _ => builder.constant(1.0),
        }
    }

    /// 1/d = (c′/c) 1/(c′ Σ tᵢ), where c′ Σ tᵢ is what is inverted.
    fn inverted(
        &self,
        builder: &mut Builder,
        place: &[Value],
        divisor: &Divisor,
        inverse: &Inverse,
    ) -> Value {
        let inverted = match inverse.form {
            Form::First(d) => reciprocal(builder, place[d.index()]),
            Form::Root(root) => self.inverted_square(builder, place, root),
            Form::Square(function, angle) => {
                let root = builder.call(function, place[angle.index()], None);
                let square = builder.mul(root, root);
                reciprocal(builder, square)
            }
        };
        let mut factors = inverse.constant.clone();
        for (value, power) in &divisor.constant {
            *factors.entry(*value).or_default() -= power;
        }
        let factor = quotient(builder, place, &Term { factors, negative: false });
        builder.mul(factor, inverted)
    }
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
    let quotient = if builder.is_one(below) {
        above
    } else {
        let inverted = reciprocal(builder, below);
        builder.mul(above, inverted)
    };
    if term.negative { builder.neg(quotient) } else { quotient }
}

/// 1/d.
fn reciprocal(builder: &mut Builder, d: Value) -> Value {
    let one = builder.constant(1.0);
    builder.div(one, d)
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
            for (value, power) in &part.factors {
                *product.factors.entry(*value).or_default() += sign * power;
            }
        }
        product.factors.retain(|_, power| *power != 0);
        let is_one =
            matches!(instruction, Instruction::Constant(bits) if *bits == 1.0_f64.to_bits());
        let powers: u32 = product.factors.values().map(|power| power.unsigned_abs()).sum();
        if parts.is_empty() && !is_one || powers as usize > FACTORS_MAX {
            let itself = Factors::from([(Value(index as u32), 1)]);
            product = Term { factors: itself, negative: false };
        }
        products.push(product);
    }
    products
}

/// The products of which factors of parameters cancel, none that depend on the state.
fn cancelled(program: &Program, products: &[Term], fixed: &[bool]) -> BTreeMap<usize, Term> {
    let size =
        |term: &Term| -> u32 { term.factors.values().map(|power| power.unsigned_abs()).sum() };
    let left = |(index, instruction): (usize, &Instruction)| {
        let Instruction::Mul(a, b) = *instruction else { return None };
        let (term, parts) = (&products[index], [a, b].map(|part| &products[part.index()]));
        let itself = term.factors.contains_key(&Value(index as u32));
        let plain = |(value, power): (&Value, &i32)| *power > 0 || fixed[value.index()];
        let cancels = size(term) < parts.into_iter().map(size).sum();
        (cancels && !itself && term.factors.iter().all(plain)).then(|| (index, term.clone()))
    };
    program.instructions.iter().enumerate().filter_map(left).collect()
}

/// A value as c times a sum; none where it has too many terms.
fn divisor(program: &Program, products: &[Term], fixed: &[bool], value: Value) -> Option<Divisor> {
    // c times one value, of which the terms are taken.
    let (outer, inner): (Factors, Factors) =
        products[value.index()].factors.iter().partition(|(factor, _)| fixed[factor.index()]);
    let inner = inner.into_iter().collect::<Vec<_>>();
    let (mut sum, (outer, value, negative)) = match inner.as_slice() {
        [(inner, 1)] => (Sum::new(), (outer, *inner, products[value.index()].negative)),
        _ => (Sum::new(), (Factors::new(), value, false)),
    };
    let mut open = vec![(value, negative)];
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
    let constant = common(&sum, fixed);
    for term in &mut sum {
        for (value, power) in &constant {
            *term.factors.entry(*value).or_default() -= power;
        }
        term.factors.retain(|_, power| *power != 0);
    }
    sum.sort_unstable();
    let mut constant = constant;
    for (value, power) in outer {
        *constant.entry(value).or_default() += power;
    }
    Some(Divisor { constant, sum })
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
