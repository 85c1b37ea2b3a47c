//! Expressions as written. Sums and products are flat, so that the depth of a tree is the depth
//! of its brackets.

use super::{Ident, Region};

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, brackets included.
    pub region: Region,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `1.25e-7`
    Number(Number),
    /// `θ̇`
    Name(Ident),
    /// `foot.no_slip`
    Member {
        /// The contact.
        contact: Ident,
        /// One of its rows.
        row: Ident,
    },
    /// `sin(x)`
    Call {
        /// The function.
        function: Ident,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `projector[x, y]`
    Index {
        /// What is indexed.
        base: Box<Expr>,
        /// One index or two.
        indices: Vec<Expr>,
    },
    /// −a
    Neg(Box<Expr>),
    /// a − b + c, at least two terms.
    Sum(Vec<Term>),
    /// a*b/c, at least two factors; the first one multiplies.
    Product(Vec<Factor>),
    /// a^b
    Pow {
        /// The base.
        base: Box<Expr>,
        /// The exponent.
        exponent: Box<Expr>,
    },
    /// `[a, b]`; a matrix is an array of its rows.
    Array(Vec<Expr>),
    /// `sum(e, i in a..b)`
    Total(Box<Total>),
    /// `integral(e, s in a..b)`
    Integral(Box<Total>),
}

impl Expr {
    /// What it is made of.
    fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Member { .. } => Vec::new(),
            ExprKind::Call { arguments: parts, .. } | ExprKind::Array(parts) => {
                parts.iter().collect()
            }
            ExprKind::Index { base, indices } => {
                std::iter::once(&**base).chain(indices.iter()).collect()
            }
            ExprKind::Neg(inner) => vec![inner],
            ExprKind::Sum(terms) => terms.iter().map(|term| &term.expr).collect(),
            ExprKind::Product(factors) => factors.iter().map(|factor| &factor.expr).collect(),
            ExprKind::Pow { base, exponent } => vec![base, exponent],
            ExprKind::Total(total) | ExprKind::Integral(total) => {
                vec![&total.term, &total.range.first, &total.range.last]
            }
        }
    }

    /// Whether a function of one of these keys is called in it.
    pub fn calls(&self, keys: &[&str]) -> bool {
        let called = matches!(&self.kind, ExprKind::Call { function, .. }
            if keys.contains(&function.name().key.as_str()));
        called || self.parts().into_iter().any(|part| part.calls(keys))
    }

    /// Whether an integral is in it.
    pub fn integrates(&self) -> bool {
        matches!(self.kind, ExprKind::Integral(_)) || self.parts().into_iter().any(Self::integrates)
    }
}

impl Expr {
    /// Visits every name in it, those of functions, contacts and rows too; indices of sums where they are
    /// used.
    pub fn for_names(&self, visit: &mut impl FnMut(&Ident)) {
        match &self.kind {
            ExprKind::Number(_) => {}
            ExprKind::Name(ident) => visit(ident),
            ExprKind::Member { contact, row } => [contact, row].into_iter().for_each(visit),
            ExprKind::Call { function, arguments } => {
                visit(function);
                for argument in arguments {
                    argument.for_names(visit);
                }
            }
            ExprKind::Index { base, indices } => {
                base.for_names(visit);
                for index in indices {
                    index.for_names(visit);
                }
            }
            ExprKind::Neg(inner) => inner.for_names(visit),
            ExprKind::Sum(terms) => terms.iter().for_each(|term| term.expr.for_names(visit)),
            ExprKind::Product(factors) => factors.iter().for_each(|f| f.expr.for_names(visit)),
            ExprKind::Pow { base, exponent } => {
                base.for_names(visit);
                exponent.for_names(visit);
            }
            ExprKind::Array(entries) => entries.iter().for_each(|entry| entry.for_names(visit)),
            ExprKind::Total(total) | ExprKind::Integral(total) => {
                let ends = [&total.range.first, &total.range.last];
                [&total.term].into_iter().chain(ends).for_each(|part| part.for_names(visit));
            }
        }
    }
}

impl Expr {
    /// The same with other expressions for plain names.
    #[must_use]
    pub fn with_names(&self, of: &impl Fn(&Ident) -> Option<Self>) -> Self {
        let inner = |part: &Self| part.with_names(of);
        let all = |parts: &[Self]| parts.iter().map(inner).collect();
        let total = |total: &Total| {
            let ends = (inner(&total.range.first), inner(&total.range.last));
            let range = Range { first: ends.0, last: ends.1, ..total.range.clone() };
            Box::new(Total { term: inner(&total.term), index: total.index.clone(), range })
        };
        let kind = match &self.kind {
            ExprKind::Name(ident) => return of(ident).unwrap_or_else(|| self.clone()),
            ExprKind::Number(_) | ExprKind::Member { .. } => return self.clone(),
            ExprKind::Call { function, arguments } => {
                ExprKind::Call { function: function.clone(), arguments: all(arguments) }
            }
            ExprKind::Index { base, indices } => {
                ExprKind::Index { base: Box::new(inner(base)), indices: all(indices) }
            }
            ExprKind::Neg(of) => ExprKind::Neg(Box::new(inner(of))),
            ExprKind::Sum(terms) => {
                let term = |term: &Term| Term { expr: inner(&term.expr), ..term.clone() };
                ExprKind::Sum(terms.iter().map(term).collect())
            }
            ExprKind::Product(factors) => {
                let factor =
                    |factor: &Factor| Factor { expr: inner(&factor.expr), ..factor.clone() };
                ExprKind::Product(factors.iter().map(factor).collect())
            }
            ExprKind::Pow { base, exponent } => {
                ExprKind::Pow { base: Box::new(inner(base)), exponent: Box::new(inner(exponent)) }
            }
            ExprKind::Array(entries) => ExprKind::Array(all(entries)),
            ExprKind::Total(sum) => ExprKind::Total(total(sum)),
            ExprKind::Integral(sum) => ExprKind::Integral(total(sum)),
        };
        Self { kind, region: self.region }
    }
}

/// Σ of a term over an index, `sum(e, i in a..=b)`; ∫ of it over a variable, `integral(e, s in a..b)`.
#[derive(Clone, Debug)]
pub struct Total {
    /// The term.
    pub term: Expr,
    /// The index, or the variable.
    pub index: Ident,
    /// What it runs over.
    pub range: Range,
}

/// `a..b` without b, or `a..=b`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first.
    pub first: Expr,
    /// The end.
    pub last: Expr,
    /// Whether the end belongs to it.
    pub inclusive: bool,
}

/// A term of a sum.
#[derive(Clone, Debug)]
pub struct Term {
    /// Whether it is subtracted.
    pub minus: bool,
    /// The term without its sign.
    pub expr: Expr,
}

/// A factor of a product.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Whether it divides.
    pub divides: bool,
    /// The factor.
    pub expr: Expr,
}

/// A decimal literal, exact: digits · 10^exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// As written, without `_`.
    pub text: String,
    /// Its decimal digits, at least one.
    pub digits: String,
    /// The power of ten.
    pub exponent: i32,
}

/// More terms than anyone would write out.
const RANGE_MAX: i64 = 1000;

/// Why a range has no numbers to give.
#[derive(Clone, Copy, Debug)]
pub enum RangeMistake {
    /// An end that is not made of whole numbers.
    NotWhole(Region),
    /// Nothing lies in it.
    Empty,
    /// More lies in it than is unrolled.
    Long {
        /// The most.
        limit: i64,
    },
}

impl Range {
    /// The whole numbers in it, at least one.
    ///
    /// # Errors
    /// Where an end is no whole number, or the range is empty or too long.
    pub fn numbers(&self) -> Result<std::ops::RangeInclusive<i64>, RangeMistake> {
        let whole = |end: &Expr| end.whole().ok_or(RangeMistake::NotWhole(end.region));
        let (first, last) = (whole(&self.first)?, whole(&self.last)?);
        let last = if self.inclusive { last } else { last.saturating_sub(1) };
        match last.saturating_sub(first) {
            length if length < 0 => Err(RangeMistake::Empty),
            length if length >= RANGE_MAX => Err(RangeMistake::Long { limit: RANGE_MAX }),
            _ => Ok(first..=last),
        }
    }
}

impl Expr {
    /// What is indexed, where something is.
    #[must_use]
    pub fn base(&self) -> &ExprKind {
        match &self.kind {
            ExprKind::Index { base, .. } => base.base(),
            kind => kind,
        }
    }

    /// The whole number that an expression of whole numbers is: `2*3 - 1`.
    #[must_use]
    pub fn whole(&self) -> Option<i64> {
        match &self.kind {
            ExprKind::Number(number) => {
                let scale = 10_i64.checked_pow(u32::try_from(number.exponent).ok()?)?;
                number.digits.parse::<i64>().ok()?.checked_mul(scale)
            }
            ExprKind::Neg(inner) => inner.whole()?.checked_neg(),
            ExprKind::Sum(terms) => terms.iter().try_fold(0_i64, |sum, term| {
                let value = term.expr.whole()?;
                if term.minus { sum.checked_sub(value) } else { sum.checked_add(value) }
            }),
            ExprKind::Product(factors) => factors.iter().try_fold(1_i64, |product, factor| {
                product.checked_mul(factor.expr.whole().filter(|_| !factor.divides)?)
            }),
            _ => None,
        }
    }

    /// The names, numbers and operations in it.
    #[must_use]
    pub fn size(&self) -> usize {
        let all = |list: &[Self]| list.iter().map(Self::size).sum::<usize>();
        let total = |t: &Total| t.term.size() + t.range.first.size() + t.range.last.size();
        1 + match &self.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Member { .. } => 0,
            ExprKind::Call { arguments, .. } => all(arguments),
            ExprKind::Index { base, indices } => base.size() + all(indices),
            ExprKind::Neg(inner) => inner.size(),
            ExprKind::Sum(terms) => terms.iter().map(|term| term.expr.size()).sum(),
            ExprKind::Product(factors) => factors.iter().map(|factor| factor.expr.size()).sum(),
            ExprKind::Pow { base, exponent } => base.size() + exponent.size(),
            ExprKind::Array(entries) => all(entries),
            ExprKind::Total(t) | ExprKind::Integral(t) => total(t),
        }
    }

    /// The expression with a number for an index; an inner index of that name is another one.
    #[must_use]
    pub fn at_index(&self, index: &Ident, value: i64) -> Self {
        let at = |e: &Self| e.at_index(index, value);
        let boxed = |e: &Self| Box::new(at(e));
        let all = |list: &[Self]| list.iter().map(at).collect();
        let kind = match &self.kind {
            ExprKind::Name(name) if name.text == index.text => return self.number(value),
            kind @ (ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Member { .. }) => {
                kind.clone()
            }
            ExprKind::Call { function, arguments } => {
                ExprKind::Call { function: function.clone(), arguments: all(arguments) }
            }
            ExprKind::Index { base, indices } => {
                ExprKind::Index { base: boxed(base), indices: all(indices) }
            }
            ExprKind::Neg(inner) => ExprKind::Neg(boxed(inner)),
            ExprKind::Sum(terms) => ExprKind::Sum(
                terms.iter().map(|t| Term { minus: t.minus, expr: at(&t.expr) }).collect(),
            ),
            ExprKind::Product(factors) => ExprKind::Product(
                factors.iter().map(|f| Factor { divides: f.divides, expr: at(&f.expr) }).collect(),
            ),
            ExprKind::Pow { base, exponent } => {
                ExprKind::Pow { base: boxed(base), exponent: boxed(exponent) }
            }
            ExprKind::Array(entries) => ExprKind::Array(all(entries)),
            ExprKind::Total(total) => ExprKind::Total(Box::new(total.at_index(index, value))),
            ExprKind::Integral(total) => ExprKind::Integral(Box::new(total.at_index(index, value))),
        };
        Self { kind, region: self.region }
    }

    /// A whole number in the place of this expression.
    fn number(&self, value: i64) -> Self {
        Self::whole_number(value, self.region)
    }

    /// A whole number at a place.
    pub(crate) fn whole_number(value: i64, region: Region) -> Self {
        let digits = value.unsigned_abs().to_string();
        let number = Number { text: digits.clone(), digits, exponent: 0 };
        let number = Self { kind: ExprKind::Number(number), region };
        if value >= 0 {
            return number;
        }
        Self { kind: ExprKind::Neg(Box::new(number)), region }
    }
}

impl Total {
    fn at_index(&self, index: &Ident, value: i64) -> Self {
        let shadowed = self.index.text == index.text;
        let term = if shadowed { self.term.clone() } else { self.term.at_index(index, value) };
        Self { term, index: self.index.clone(), range: self.range.at_index(index, value) }
    }
}

impl Range {
    fn at_index(&self, index: &Ident, value: i64) -> Self {
        let Self { first, last, inclusive } = self;
        Self {
            first: first.at_index(index, value),
            last: last.at_index(index, value),
            inclusive: *inclusive,
        }
    }
}

/// A term of degree 1 in one velocity.
pub(crate) struct LinearTerm {
    /// Where it stands.
    pub(crate) at: Region,
    /// The term.
    pub(crate) text: String,
    /// The velocity, as written.
    pub(crate) speed: String,
}

/// Looks for such terms in what is written, not in what it stands for.
#[derive(Clone, Copy)]
pub(crate) struct LinearSearch<'s> {
    /// The velocities that are looked for.
    pub(crate) wanted: &'s dyn Fn(&Ident) -> bool,
    /// All of them.
    pub(crate) velocity: &'s dyn Fn(&Ident) -> bool,
    /// What may stand in the other factors.
    pub(crate) coefficient: &'s dyn Fn(&Ident) -> bool,
}

impl LinearSearch<'_> {
    /// The first term of degree 1 in one velocity that is wanted.
    pub(crate) fn find(&self, expr: &Expr) -> Option<LinearTerm> {
        match &expr.kind {
            ExprKind::Sum(terms) => terms.iter().find_map(|term| self.find(&term.expr)),
            ExprKind::Neg(inner) => self.find(inner),
            ExprKind::Total(total) => self.find(&total.term),
            ExprKind::Product(factors) => {
                let mut moving = factors.iter().filter(|factor| self.moves(&factor.expr));
                let (factor, None) = (moving.next()?, moving.next()) else { return None };
                let others = factors.iter().filter(|other| !self.moves(&other.expr));
                if factor.divides
                    || !others.into_iter().all(|other| self.is_coefficient(&other.expr))
                {
                    return None;
                }
                let found = self.find(&factor.expr)?;
                let whole = self.is_velocity(&factor.expr);
                Some(if whole { Self::term(expr, found.speed) } else { found })
            }
            _ if self.is_wanted(expr) => Some(Self::term(expr, expr.to_text())),
            _ => None,
        }
    }

    fn term(expr: &Expr, speed: String) -> LinearTerm {
        LinearTerm { at: expr.region, text: expr.to_text(), speed }
    }

    fn is_wanted(&self, expr: &Expr) -> bool {
        name(expr).is_some_and(self.wanted)
    }

    fn is_velocity(&self, expr: &Expr) -> bool {
        name(expr).is_some_and(self.velocity)
    }

    fn is_coefficient(&self, expr: &Expr) -> bool {
        let mut all = true;
        expr.for_names(&mut |ident| all &= (self.coefficient)(ident));
        all
    }

    /// Whether a velocity stands in it.
    fn moves(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.for_names(&mut |ident| found |= (self.velocity)(ident));
        found
    }
}

/// `ẋ`, and `ẋ` of `ẋ[2]`.
fn name(expr: &Expr) -> Option<&Ident> {
    match &expr.kind {
        ExprKind::Name(ident) => Some(ident),
        ExprKind::Index { base, .. } => name(base),
        _ => None,
    }
}
