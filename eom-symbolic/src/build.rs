//! The constructors: the only place where nodes are made, and so the only canonicaliser.
//!
//! Automatic rewrites, all of them: like terms and like powers are collected, numbers folded,
//! nested sums and products flattened, numeric factors distributed over a lone sum and taken out
//! of sums inside products, integer powers distributed over products, functions folded at the
//! arguments of [`functions`](crate::function), parity used. Nothing is expanded, nothing
//! factored, no identity of trigonometry used: that is [`simplify`](crate::simplify)'s work.

use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use crate::pool::{ExprPool, Pair};
use eom_elementary::order;

/// Shorter lists of terms are sorted, longer ones merged where they are two in order.
const MERGED_MIN: usize = 16;

impl ExprPool {
    /// a + b.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sum(&[(Self::ONE, a), (Self::ONE, b)])
    }

    /// a − b.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sum(&[(Self::ONE, a), (Self::MINUS_ONE, b)])
    }

    /// −a.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.scale(Self::MINUS_ONE, a)
    }

    /// a·b.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (a, b) {
            (Self::ZERO, other) | (other, Self::ZERO) if other != Self::UNDEFINED => Self::ZERO,
            (Self::ONE, other) | (other, Self::ONE) => other,
            _ if a != b && self.is_atom(a) && self.is_atom(b) => {
                let factors = [(a.min(b), Self::ONE), (a.max(b), Self::ONE)];
                self.intern_product(Self::ONE, &factors)
            }
            _ => self.product(Self::ONE, &[(a, Self::ONE), (b, Self::ONE)]),
        }
    }

    /// Whether an expression is a factor as it stands, whatever its exponent.
    fn is_atom(&self, e: ExprId) -> bool {
        matches!(self.view(e), View::Symbol(_) | View::Call(..))
    }

    /// a/b; [`ExprPool::UNDEFINED`] for b = 0.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.product(Self::ONE, &[(a, Self::ONE), (b, Self::MINUS_ONE)])
    }

    /// baseᵉˣᵖᵒⁿᵉⁿᵗ.
    pub fn pow(&mut self, base: ExprId, exponent: ExprId) -> ExprId {
        self.product(Self::ONE, &[(base, exponent)])
    }

    /// baseⁿ.
    pub fn powi(&mut self, base: ExprId, n: i64) -> ExprId {
        let exponent = self.integer(n);
        self.pow(base, exponent)
    }

    /// √a = a^(1/2).
    pub fn sqrt(&mut self, a: ExprId) -> ExprId {
        self.pow(a, Self::HALF)
    }

    /// Σ of expressions.
    pub fn sum_of(&mut self, expressions: &[ExprId]) -> ExprId {
        let mut terms = self.spare();
        terms.extend(expressions.iter().map(|e| (Self::ONE, *e)));
        let sum = self.sum(&terms);
        self.give_back(terms);
        sum
    }

    /// ∏ of expressions.
    pub fn product_of(&mut self, expressions: &[ExprId]) -> ExprId {
        let mut factors = self.spare();
        factors.extend(expressions.iter().map(|e| (*e, Self::ONE)));
        let product = self.product(Self::ONE, &factors);
        self.give_back(factors);
        product
    }

    /// c·e for a number c.
    pub fn scale(&mut self, c: ExprId, e: ExprId) -> ExprId {
        if c == Self::ONE {
            return e;
        }
        self.product(c, &[(e, Self::ONE)])
    }

    /// Σ cᵢ·eᵢ for numbers cᵢ.
    pub fn sum(&mut self, terms: &[Pair]) -> ExprId {
        let mut flat = self.spare();
        let sum = self.sum_into(&mut flat, terms);
        self.give_back(flat);
        sum
    }

    /// The same, with an empty list to work on.
    fn sum_into(&mut self, flat: &mut Vec<Pair>, terms: &[Pair]) -> ExprId {
        if let [(Self::ONE, e)] = *terms {
            return e;
        }
        for &(c, e) in terms {
            if e == Self::UNDEFINED || c == Self::UNDEFINED {
                return Self::UNDEFINED;
            }
            self.push_term(flat, c, e);
        }
        // The terms of one sum are distinct and in order, those of several often.
        if terms.len() > 1 && !flat.is_sorted_by(|a, b| a.1 < b.1) {
            self.order_terms(flat);
            self.merge_terms(flat);
        }
        match flat[..] {
            [] => Self::ZERO,
            [(c, e)] => self.scale_flat(c, e),
            _ => self.intern_sum(flat),
        }
    }

    /// Appends c·e, flattened and with its coefficient split off.
    fn push_term(&mut self, flat: &mut Vec<Pair>, c: ExprId, e: ExprId) {
        if c == Self::ZERO || e == Self::ZERO {
            return;
        }
        match self.view(e) {
            View::Number(_) => {
                let c = self.mul_numbers(c, e);
                flat.push((c, Self::ONE));
            }
            View::Sum(terms) if c == Self::ONE => flat.extend_from_slice(terms),
            View::Sum(terms) => {
                let at = flat.len();
                flat.extend_from_slice(terms);
                for term in &mut flat[at..] {
                    term.0 = self.mul_numbers(c, term.0);
                }
            }
            View::Product { coefficient, .. } if coefficient != Self::ONE => {
                let (c, bare) = (self.mul_numbers(c, coefficient), self.bare_product(e));
                flat.push((c, bare));
            }
            _ => flat.push((c, e)),
        }
    }

    /// Orders terms by their expressions. Flattened sums come in order already, so that most often
    /// there is nothing to do, or two lists to be merged.
    fn order_terms(&mut self, flat: &mut Vec<Pair>) {
        let descent = |list: &[Pair]| list.windows(2).position(|w| w[0].1 > w[1].1);
        let Some(first) = descent(flat) else { return };
        let middle = first + 1;
        if flat.len() < MERGED_MIN || descent(&flat[middle..]).is_some() {
            order::in_place_by(flat, |a, b| a.1.cmp(&b.1));
            return;
        }
        let mut merged = self.spare();
        let (mut left, mut right) = (flat[..middle].iter(), flat[middle..].iter().peekable());
        for &term in left.by_ref() {
            while let Some(&other) = right.next_if(|other| other.1 < term.1) {
                merged.push(other);
            }
            merged.push(term);
        }
        merged.extend(right);
        std::mem::swap(flat, &mut merged);
        self.give_back(merged);
    }

    /// Adds the coefficients of equal neighbours and drops zeros.
    fn merge_terms(&mut self, flat: &mut Vec<Pair>) {
        let mut kept = 0;
        let mut read = 0;
        while read < flat.len() {
            let (mut c, e) = flat[read];
            read += 1;
            while read < flat.len() && flat[read].1 == e {
                c = self.add_numbers(c, flat[read].0);
                read += 1;
            }
            if c != Self::ZERO {
                flat[kept] = (c, e);
                kept += 1;
            }
        }
        flat.truncate(kept);
    }

    /// c·e for an e without a coefficient of its own.
    fn scale_flat(&mut self, c: ExprId, e: ExprId) -> ExprId {
        if e == Self::ONE {
            return c;
        }
        if c == Self::ONE {
            return e;
        }
        match self.view(e) {
            View::Product { .. } => self.with_coefficient(c, e),
            _ => self.intern_product(c, &[(e, Self::ONE)]),
        }
    }

    /// Splits c·e into its numeric coefficient and the rest.
    pub fn split_coefficient(&mut self, e: ExprId) -> (ExprId, ExprId) {
        match self.view(e) {
            View::Number(_) => (e, Self::ONE),
            View::Product { coefficient, .. } if coefficient != Self::ONE => {
                (coefficient, self.bare_product(e))
            }
            _ => (Self::ONE, e),
        }
    }

    /// c·∏ baseᵉˣᵖᵒⁿᵉⁿᵗ for a number c.
    pub fn product(&mut self, coefficient: ExprId, factors: &[Pair]) -> ExprId {
        let mut flat = self.spare();
        let product = self.product_into(&mut flat, coefficient, factors);
        self.give_back(flat);
        product
    }

    /// The same, with an empty list to work on.
    fn product_into(
        &mut self,
        flat: &mut Vec<Pair>,
        coefficient: ExprId,
        factors: &[Pair],
    ) -> ExprId {
        let mut c = coefficient;
        for &(base, exponent) in factors {
            self.push_factor(flat, &mut c, base, exponent);
        }
        sort_factors(flat);
        while self.merge_factors(flat, &mut c) {}
        if c == Self::UNDEFINED
            || flat.iter().any(|f| f.0 == Self::UNDEFINED || f.1 == Self::UNDEFINED)
        {
            return Self::UNDEFINED;
        }
        if c == Self::ZERO {
            return Self::ZERO;
        }
        match flat[..] {
            [] => c,
            [(base, Self::ONE)] => self.scale_sum(c, base),
            _ => {
                if self.normalise_sums(flat, &mut c) {
                    // Bases may have become equal, or one factor be left: once more from the start.
                    return self.product(c, flat);
                }
                self.intern_product(c, flat)
            }
        }
    }

    /// c·base where base may be a sum: the number is distributed.
    fn scale_sum(&mut self, c: ExprId, base: ExprId) -> ExprId {
        match self.view(base) {
            View::Sum(_) if c != Self::ONE => self.sum(&[(c, base)]),
            _ => self.scale_flat(c, base),
        }
    }

    /// Appends base^exponent, flattened, its numbers folded into c.
    fn push_factor(
        &mut self,
        flat: &mut Vec<Pair>,
        c: &mut ExprId,
        base: ExprId,
        exponent: ExprId,
    ) {
        if exponent == Self::ZERO {
            if base == Self::UNDEFINED {
                *c = Self::UNDEFINED;
            }
            return;
        }
        let whole = self.as_number(exponent).and_then(Rational::as_integer);
        match self.view(base) {
            View::Undefined => *c = Self::UNDEFINED,
            View::Number(_) => self.push_number_power(flat, c, base, exponent),
            View::Product { coefficient, .. } if whole.is_some() => {
                self.push_number_power(flat, c, coefficient, exponent);
                for at in self.pair_range(base) {
                    let (inner, power) = self.pair(at);
                    let power = self.mul(power, exponent);
                    // √2 squared is a number again.
                    self.push_factor(flat, c, inner, power);
                }
            }
            _ => flat.push((base, exponent)),
        }
    }

    /// Folds number^exponent into c where it is rational, else keeps it as a factor.
    fn push_number_power(
        &mut self,
        flat: &mut Vec<Pair>,
        c: &mut ExprId,
        base: ExprId,
        exponent: ExprId,
    ) {
        if base == Self::ONE || exponent == Self::ONE {
            *c = self.mul_numbers(*c, base);
            return;
        }
        let folded = match (self.as_number(base), self.as_number(exponent)) {
            (Some(b), Some(n)) => power_of_number(b, n),
            _ => PowerOfNumber::Irrational,
        };
        match folded {
            PowerOfNumber::Rational(value) => {
                let value = self.number(&value);
                *c = self.mul_numbers(*c, value);
            }
            PowerOfNumber::Undefined => *c = Self::UNDEFINED,
            PowerOfNumber::Irrational => flat.push((base, exponent)),
        }
    }

    /// Adds the exponents of equal bases; true where a sum of exponents made a factor that must
    /// be flattened again.
    fn merge_factors(&mut self, flat: &mut Vec<Pair>, c: &mut ExprId) -> bool {
        if flat.windows(2).all(|w| w[0].0 != w[1].0) {
            return false;
        }
        let mut merged = self.spare();
        let mut read = 0;
        while read < flat.len() {
            let (base, mut exponent) = flat[read];
            let alone = read + 1 >= flat.len() || flat[read + 1].0 != base;
            read += 1;
            if alone {
                merged.push((base, exponent));
                continue;
            }
            while read < flat.len() && flat[read].0 == base {
                exponent = self.add(exponent, flat[read].1);
                read += 1;
            }
            self.push_factor(&mut merged, c, base, exponent);
        }
        sort_factors(&mut merged);
        std::mem::swap(flat, &mut merged);
        self.give_back(merged);
        true
    }

    /// Divides each sum that is raised to an integer power by its content and its leading sign,
    /// so that (2a − 2b)·x and −(b − a)·2x are one node. False where all were so already.
    fn normalise_sums(&mut self, flat: &mut [Pair], c: &mut ExprId) -> bool {
        let mut changed = false;
        for factor in flat {
            let (base, exponent) = *factor;
            if !matches!(self.view(base), View::Sum(_)) || self.is_primitive(base) {
                continue;
            }
            let Some(n) = self.as_number(exponent).and_then(Rational::as_integer) else { continue };
            let View::Sum(terms) = self.view(base) else { continue };
            let content = self.content_of(terms);
            let (Some(inverse), Some(power)) = (content.recip(), content.pow(n)) else { continue };
            let (inverse, power) = (self.number(&inverse), self.number(&power));
            factor.0 = self.sum(&[(inverse, base)]);
            *c = self.mul_numbers(*c, power);
            changed = true;
        }
        changed
    }

    /// Whether the content of a sum is 1, asked of each sum once.
    fn is_primitive(&mut self, sum: ExprId) -> bool {
        if let Some(known) = *self.primitive(sum) {
            return known;
        }
        let View::Sum(terms) = self.view(sum) else { return true };
        let primitive = self.content_of(terms).is_one();
        *self.primitive(sum) = Some(primitive);
        primitive
    }

    /// The number by which a sum inside a product is divided: the sign of its first term times
    /// the common magnitude of all coefficients, or the greatest common divisor of integers. Sums
    /// of unlike fractions keep them: clearing those would cost an operation a term.
    fn content_of(&self, terms: &[Pair]) -> Rational {
        // Most often several terms in a row have the same one.
        let mut before = None;
        let distinct = terms.iter().filter(|term| before.replace(term.0) != Some(term.0));
        let mut coefficients = distinct.filter_map(|&(c, _)| self.as_number(c));
        let Some(first) = coefficients.next() else { return Rational::ONE };
        let (mut content, opposite) = (first.abs(), first.neg());
        for c in coefficients.filter(|c| *c != first && **c != opposite) {
            if first.as_integer().is_none() || c.as_integer().is_none() {
                content = Rational::ONE;
            }
            if content.is_one() {
                break;
            }
            content = content.content(c);
        }
        if first.is_negative() { content.neg() } else { content }
    }

    /// The same as a number of the pool.
    pub(crate) fn content(&mut self, terms: &[Pair]) -> ExprId {
        let content = self.content_of(terms);
        self.number(&content)
    }

    /// Whether an expression starts with a minus: the sign used for the parity of functions.
    pub(crate) fn leads_negative(&self, e: ExprId) -> bool {
        let coefficient = match self.view(e) {
            View::Number(value) => return value.is_negative(),
            View::Sum(terms) => terms[0].0,
            View::Product { coefficient, .. } => coefficient,
            _ => return false,
        };
        self.as_number(coefficient).is_some_and(Rational::is_negative)
    }

    /// A function at its arguments, folded where it can be.
    pub fn call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        if arguments.contains(&Self::UNDEFINED) {
            return Self::UNDEFINED;
        }
        match self.fold_call(function, arguments) {
            Some(folded) => folded,
            None => self.intern_call(function, arguments),
        }
    }

    pub(crate) fn mul_numbers(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (a, b) {
            (Self::ONE, other) | (other, Self::ONE) => return other,
            (Self::UNDEFINED, _) | (_, Self::UNDEFINED) => return Self::UNDEFINED,
            // Half of what is left: signs of terms.
            (Self::MINUS_ONE, Self::MINUS_ONE) => return Self::ONE,
            _ => {}
        }
        if let Some(value) = self.whole(a, b, i64::checked_mul) {
            return self.integer(value);
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let value = x.mul(y);
                self.bounded_number(&value)
            }
            _ => Self::UNDEFINED,
        }
    }

    /// The operation on two integers, where its result fits: most numbers of a derivation.
    fn whole(&self, a: ExprId, b: ExprId, operation: fn(i64, i64) -> Option<i64>) -> Option<i64> {
        operation(self.as_number(a)?.as_integer()?, self.as_number(b)?.as_integer()?)
    }

    fn add_numbers(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(value) = self.whole(a, b, i64::checked_add) {
            return self.integer(value);
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let value = x.add(y);
                self.bounded_number(&value)
            }
            _ => Self::UNDEFINED,
        }
    }
}

/// Puts factors bᵉ in the order of their bases.
fn sort_factors(factors: &mut [Pair]) {
    order::in_place_by(factors, |a, b| a.0.cmp(&b.0));
}

/// numberᵉˣᵖᵒⁿᵉⁿᵗ, as far as it is a number.
enum PowerOfNumber {
    Rational(Rational),
    Irrational,
    Undefined,
}

fn power_of_number(base: &Rational, exponent: &Rational) -> PowerOfNumber {
    if base.is_zero() {
        return if exponent.is_negative() {
            PowerOfNumber::Undefined
        } else {
            PowerOfNumber::Rational(Rational::ZERO)
        };
    }
    if let Some(n) = exponent.as_integer() {
        return base.pow(n).map_or(PowerOfNumber::Irrational, PowerOfNumber::Rational);
    }
    let Some(index) = exponent.small_denominator() else { return PowerOfNumber::Irrational };
    if base.is_negative() && index % 2 == 0 {
        return PowerOfNumber::Undefined;
    }
    let whole = exponent.mul(&Rational::integer(i64::from(index))).as_integer();
    match base.root(index).zip(whole).and_then(|(root, n)| root.pow(n)) {
        Some(value) => PowerOfNumber::Rational(value),
        None => PowerOfNumber::Irrational,
    }
}
