//! An expression in the order in which a person writes it.

use super::names::{CLASS_INPUT, CLASS_NUMBER, Label, Names, Rank, call_rank};
use super::tree::{Degree, Form, IntegralForm, Kind, Product};
use super::unicode;
use crate::function::Parity;
use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use eom_elementary::order;
use std::cmp::Ordering;

impl Form {
    /// The form of an expression.
    pub(crate) fn new(pool: &ExprPool, names: &Names, e: ExprId) -> Self {
        if let Some(label) = names.let_of(e) {
            return Self::name(label.clone());
        }
        match pool.view(e) {
            View::Undefined => Self::bare(Kind::Undefined),
            View::Number(value) => Self::number(value.clone()),
            View::Symbol(symbol) => Self::name(names.label(pool, symbol)),
            View::Sum(terms) => Self::sum(pool, names, terms),
            View::Product { coefficient, factors } => {
                let c = pool.as_number(coefficient).cloned().unwrap_or(Rational::ONE);
                Self::product(pool, names, &c, factors)
            }
            View::Call(Function::Declared(partial), arguments) => {
                let label = Names::partial_label(pool, partial, arguments);
                if pool.is_at_arguments(partial, arguments) {
                    return Self::name(label);
                }
                let (rank, degree) = (label.rank, Degree::of_rank(label.rank));
                let point = arguments.iter().map(|a| Self::new(pool, names, *a)).collect();
                Self { kind: Kind::Applied(label, point), rank, degree }
            }
            View::Integral { variable, body, lower, upper } => {
                let variable = names.label(pool, variable);
                let [body, lower, upper] = [body, lower, upper].map(|e| Self::new(pool, names, e));
                let rank = Rank { shape: 2, ..body.rank };
                let degree = Degree::of_rank(rank);
                let integral = IntegralForm { variable, body, lower, upper };
                Self { kind: Kind::Integral(Box::new(integral)), rank, degree }
            }
            View::Call(function, arguments) => {
                Self::call(function, arguments.iter().map(|a| Self::new(pool, names, *a)).collect())
            }
        }
    }

    fn bare(kind: Kind) -> Self {
        let rank = Rank { class: CLASS_NUMBER, major: 0, minor: 0, shape: 0 };
        Self { kind, rank, degree: Degree::default() }
    }

    fn number(value: Rational) -> Self {
        Self::bare(Kind::Number(value))
    }

    fn name(label: Label) -> Self {
        let rank = label.rank;
        Self { kind: Kind::Name(label), rank, degree: Degree::of_rank(rank) }
    }

    /// A call; a `let` put back with its sign stands outside: sin(−Y) = −sin(Y), cos(−Y) = cos(Y).
    fn call(function: Function, mut arguments: Vec<Self>) -> Self {
        let parity = function.parity();
        let turned = parity != Parity::None && arguments[0].content().is_negative();
        if turned {
            arguments[0] = arguments[0].negated();
        }
        let rank = call_rank(function, arguments[0].rank);
        let kind = Kind::Call(function, arguments);
        let call = Self { kind, rank, degree: Degree::of_rank(rank) };
        if turned && parity == Parity::Odd { call.negated() } else { call }
    }

    fn sum(pool: &ExprPool, names: &Names, terms: &[(ExprId, ExprId)]) -> Self {
        let mut left = terms.to_vec();
        let mut forms = Vec::with_capacity(left.len());
        while let Some((label, taken, scale)) = names.let_in_sum(pool, &left) {
            forms.push(Self::name(label.clone()).scaled(&scale));
            let mut at = 0..left.len();
            left.retain(|_| at.next().is_some_and(|at| !taken.contains(&at)));
        }
        for (c, e) in left {
            let c = pool.as_number(c).cloned().unwrap_or(Rational::ONE);
            forms.push(Self::new(pool, names, e).scaled(&c));
        }
        Self::sum_of(forms)
    }

    /// Orders the terms; a positive one leads where there is one.
    fn sum_of(mut forms: Vec<Self>) -> Self {
        order::sort_by(&mut forms, Self::compare_terms);
        if let Some(positive) = forms.iter().position(|f| !f.is_negative()) {
            forms[..=positive].rotate_right(1);
        }
        if forms.len() == 1 {
            return forms.remove(0);
        }
        let degree = forms.iter().fold(Degree::default(), |degree, f| degree.max(f.degree));
        let class = forms.iter().map(|f| f.rank.class).max().unwrap_or(CLASS_NUMBER);
        let leading = forms.iter().map(|f| f.rank).filter(|r| r.class == class).min();
        let rank = forms.iter().map(Self::leading_rank).find(|r| r.class > CLASS_NUMBER);
        let rank = rank.filter(|r| r.class == class).or(leading).unwrap_or(forms[0].rank);
        Self { kind: Kind::Sum(forms), rank: Rank { class, shape: 2, ..rank }, degree }
    }

    fn leading_rank(&self) -> Rank {
        match &self.kind {
            Kind::Product(product) => product.numerator.first().map_or(self.rank, |f| f.rank),
            _ => self.rank,
        }
    }

    fn product(
        pool: &ExprPool,
        names: &Names,
        coefficient: &Rational,
        factors: &[(ExprId, ExprId)],
    ) -> Self {
        if let Some((label, power, own)) = names.let_power(pool, factors) {
            let scale = coefficient.mul(&own.recip().unwrap_or(Rational::ONE));
            return Self::name(label.clone()).raised_to(Self::number(power)).scaled(&scale);
        }
        let mut coefficient = coefficient.clone();
        let mut left = factors.to_vec();
        let (mut numerator, mut denominator) = (Vec::new(), Vec::new());
        while let Some((label, taken, own)) = names.let_in_product(&left) {
            coefficient = coefficient.mul(&own.recip().unwrap_or(Rational::ONE));
            numerator.push(Self::name(label.clone()));
            let mut at = 0..left.len();
            left.retain(|_| at.next().is_some_and(|at| !taken.contains(&at)));
        }
        for (base, exponent) in left {
            let number = pool.as_number(exponent).cloned();
            let below = number.as_ref().is_some_and(Rational::is_negative);
            let mut base = Self::new(pool, names, base);
            let content = base.content();
            let power = number.as_ref().and_then(Rational::as_integer);
            if let Some(scale) = power.filter(|_| !content.is_one()).and_then(|n| content.pow(n)) {
                base = base.over(&content);
                coefficient = coefficient.mul(&scale);
            }
            let exponent = match number {
                Some(n) => Self::number(n.abs()),
                None => Self::new(pool, names, exponent),
            };
            let factor = base.raised_to(exponent);
            if below { denominator.push(factor) } else { numerator.push(factor) }
        }
        Self::product_of(&coefficient, numerator, denominator)
    }

    fn product_of(coefficient: &Rational, numerator: Vec<Self>, denominator: Vec<Self>) -> Self {
        let mut product = Product {
            negative: coefficient.is_negative(),
            coefficient: coefficient.abs(),
            numerator: Vec::new(),
            denominator: Vec::new(),
        };
        for form in numerator {
            product.push(form, false);
        }
        for form in denominator {
            product.push(form, true);
        }
        order::sort_by(&mut product.numerator, Self::compare_factors);
        order::sort_by(&mut product.denominator, Self::compare_factors);
        product.into_form()
    }

    fn raised_to(self, exponent: Self) -> Self {
        let (rank, degree) = (self.rank, self.degree);
        let (kind, times) = match &exponent.kind {
            Kind::Number(n) if n.is_one() => return self,
            Kind::Number(n) if n.small_denominator() == Some(2) && n.add(n).is_one() => {
                (Kind::Root(Box::new(self)), 1)
            }
            Kind::Number(n) => {
                let times = n.as_integer().unwrap_or(1);
                (Kind::Power(Box::new(self), Box::new(exponent)), times)
            }
            _ => (Kind::Power(Box::new(self), Box::new(exponent)), 1),
        };
        Self { kind, rank, degree: degree.times(times) }
    }

    /// c·self.
    fn scaled(self, c: &Rational) -> Self {
        if c.is_one() {
            return self;
        }
        match self.kind {
            Kind::Number(value) => Self::number(value.mul(c)),
            _ => Self::product_of(c, vec![self], Vec::new()),
        }
    }

    /// The number that a base leaves outside its power, 1 where there is none. Where a `let` took
    /// its own number along, h/2 + k/2 or −Ẏ is left behind.
    fn content(&self) -> Rational {
        let terms = match &self.kind {
            Kind::Sum(terms) => &terms[..],
            Kind::Product(_) => std::slice::from_ref(self),
            _ => return Rational::ONE,
        };
        let content = terms[0].magnitude();
        let content =
            if terms.iter().all(|t| t.magnitude() == content) { content } else { Rational::ONE };
        if terms.iter().all(Self::is_negative) { content.neg() } else { content }
    }

    /// A sum, term by term over a number other than 0, or a product over it.
    fn over(self, divisor: &Rational) -> Self {
        match (self.kind, divisor.recip()) {
            (Kind::Sum(terms), Some(inverse)) => {
                Self::sum_of(terms.into_iter().map(|t| t.scaled(&inverse)).collect())
            }
            (kind @ Kind::Product(_), Some(inverse)) => Self { kind, ..self }.scaled(&inverse),
            (kind, _) => Self { kind, ..self },
        }
    }

    /// |coefficient|.
    fn magnitude(&self) -> Rational {
        match &self.kind {
            Kind::Number(value) => value.abs(),
            Kind::Product(product) => product.coefficient.clone(),
            _ => Rational::ONE,
        }
    }

    /// Whether a minus leads.
    pub(crate) fn is_negative(&self) -> bool {
        match &self.kind {
            Kind::Number(value) => value.is_negative(),
            Kind::Product(product) => product.negative,
            _ => false,
        }
    }

    /// Terms with their signs between them, each as `text` writes it without its own.
    pub(super) fn joined(terms: &[Self], text: impl Fn(&Self) -> String) -> String {
        let mut sum = String::new();
        for (at, term) in terms.iter().enumerate() {
            let (sign, term) = match (term.is_negative(), at) {
                (false, 0) => ("", text(term)),
                (false, _) => (" + ", text(term)),
                (true, 0) => ("-", text(&term.negated())),
                (true, _) => (" - ", text(&term.negated())),
            };
            sum.push_str(sign);
            sum.push_str(&term);
        }
        sum
    }

    /// −self.
    pub(crate) fn negated(&self) -> Self {
        match &self.kind {
            Kind::Sum(_) => self.clone().over(&Rational::MINUS_ONE),
            _ => self.clone().scaled(&Rational::MINUS_ONE),
        }
    }

    fn compare_factors(a: &Self, b: &Self) -> Ordering {
        a.rank.cmp(&b.rank).then_with(|| unicode::text(a).cmp(&unicode::text(b)))
    }

    /// Accelerations in the order of coordinates, then falling powers of velocities in that order,
    /// then rising degree in the parameters, then in the coordinates, then the factors in theirs.
    fn compare_terms(a: &Self, b: &Self) -> Ordering {
        let group = |f: &Self| {
            let d = f.degree;
            let acceleration = if d.acceleration == 0 { usize::MAX } else { d.acceleration };
            (acceleration, d.multiplier > 0, -d.velocity)
        };
        let rates = |f: &Self| f.ranks(|r| r.class >= CLASS_INPUT);
        let degrees = |f: &Self| (f.degree.parameter, f.degree.state);
        group(a)
            .cmp(&group(b))
            .then_with(|| rates(a).cmp(&rates(b)))
            .then_with(|| degrees(a).cmp(&degrees(b)))
            .then_with(|| a.ranks(|_| true).cmp(&b.ranks(|_| true)))
            .then_with(|| unicode::text(a).cmp(&unicode::text(b)))
    }

    /// The ranks of the factors that `wanted` accepts.
    fn ranks(&self, wanted: impl Fn(&Rank) -> bool) -> Vec<Rank> {
        let factors = match &self.kind {
            Kind::Product(product) => &product.numerator[..],
            _ => std::slice::from_ref(self),
        };
        factors.iter().map(|f| f.rank).filter(wanted).collect()
    }
}

impl Product {
    /// Multiplies by a form, or divides by it; products and numbers are taken apart.
    fn push(&mut self, form: Form, below: bool) {
        let Form { kind, rank, degree } = form;
        match kind {
            Kind::Number(value) => self.push_number(&value, below),
            Kind::Product(inner) => {
                let sign = if inner.negative { Rational::MINUS_ONE } else { Rational::ONE };
                self.push_number(&inner.coefficient.mul(&sign), below);
                let (above, under) = if below {
                    (inner.denominator, inner.numerator)
                } else {
                    (inner.numerator, inner.denominator)
                };
                self.numerator.extend(above);
                self.denominator.extend(under);
            }
            kind if below => self.denominator.push(Form { kind, rank, degree }),
            kind => self.numerator.push(Form { kind, rank, degree }),
        }
    }

    fn push_number(&mut self, value: &Rational, below: bool) {
        let value = if below { value.recip().unwrap_or(Rational::ONE) } else { value.clone() };
        self.negative ^= value.is_negative();
        self.coefficient = self.coefficient.mul(&value.abs());
    }

    fn into_form(mut self) -> Form {
        if self.denominator.is_empty() {
            if self.numerator.is_empty() {
                let value = if self.negative { self.coefficient.neg() } else { self.coefficient };
                return Form::number(value);
            }
            if self.numerator.len() == 1 && self.coefficient.is_one() && !self.negative {
                return self.numerator.remove(0);
            }
        }
        let factors = || self.numerator.iter().chain(&self.denominator);
        let degree = factors().fold(Degree::default(), |degree, f| degree.plus(f.degree));
        let rank = factors().map(|f| f.rank).max().unwrap_or(Rank {
            class: CLASS_NUMBER,
            major: 0,
            minor: 0,
            shape: 0,
        });
        Form { kind: Kind::Product(self), rank, degree }
    }
}
