//! Sums over an index, and the elements of arrays of names: `θ[2]` is the plain name `θ2`.

use super::Resolver;
use super::context::ExprContext;
use super::value::{MISTAKEN, Shaped, Value};
use crate::ast::{Expr, ExprKind, Family, Ident, Range, RangeMistake, Region, Term, Total};
use crate::diagnostic::Errors;
use crate::parse::UNROLLED_MAX;
use crate::resolve::mistake::Mistake;
use eom_symbolic::name::{self, Name};

impl Resolver<'_> {
    /// Σ of the term at each value of the index.
    pub(crate) fn total(
        &mut self,
        total: &Total,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        let before = errors.len();
        self.scope.check_index(&total.index, errors);
        let numbers = range_of(&total.range, errors);
        let Some(numbers) = numbers.filter(|_| errors.len() == before) else { return MISTAKEN };
        let count = usize::try_from(numbers.end() - numbers.start() + 1).unwrap_or(usize::MAX);
        self.unrolled = self.unrolled.saturating_add(count.saturating_mul(total.term.size()));
        if self.unrolled > UNROLLED_MAX {
            Mistake::LongUnrolling { limit: UNROLLED_MAX }.report(errors, total.index.region);
            return MISTAKEN;
        }
        let term = |k| Term { minus: false, expr: total.term.at_index(&total.index, k) };
        let terms: Vec<Term> = numbers.map(term).collect();
        self.sum(&terms, context, errors).unwrap_or_else(|mistake| {
            mistake.report(errors, total.term.region);
            MISTAKEN
        })
    }

    /// The plain name that `base[indices]` begins with, where `base` is an array of names.
    pub(crate) fn element(
        &self,
        base: &Expr,
        indices: &[Expr],
        family: Family,
    ) -> Option<Result<Ident, (Mistake, Region)>> {
        let ExprKind::Name(ident) = &base.kind else { return None };
        let (values, element) = self.elements(ident, family)?;
        let index = indices.first()?;
        Some(match index.whole() {
            Some(k) if values.contains(&k) => Ok(element(k)),
            Some(_) => {
                let (name, values) = (ident.text.clone(), values.to_vec());
                Err((Mistake::NoElement { name, values }, index.region))
            }
            None => Err((Mistake::NotAnIndex, index.region)),
        })
    }

    /// The values of the index of an array, and the name of each element: of `θ̇` and `dθ` too.
    fn elements(
        &self,
        ident: &Ident,
        family: Family,
    ) -> Option<(&[i64], impl Fn(i64) -> Ident + use<>)> {
        let differential = |base: &&str| self.scope.array(&Name::parse(base).key, family).is_some();
        let of_differential = name::split_differential(&ident.text).filter(differential);
        let base =
            Ident { text: of_differential.unwrap_or(&ident.text).to_owned(), region: ident.region };
        let values = self.scope.array(&base.name().key, family)?;
        let is_differential = of_differential.is_some();
        Some((values, move |k| {
            let element = base.element(k);
            if is_differential {
                Ident { text: name::differential(&element.text), ..element }
            } else {
                element
            }
        }))
    }

    /// A whole array: the vector of its elements, or the matrix of them where they are vectors.
    pub(crate) fn array_of(
        &mut self,
        ident: &Ident,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Option<Value> {
        let (values, element) = self.elements(ident, Family::Values)?;
        let idents: Vec<Ident> = values.iter().map(|&k| element(k)).collect();
        let values: Vec<Value> = idents.iter().map(|i| self.name(i, context, errors)).collect();
        if values.iter().any(Value::is_mistaken) {
            return Some(MISTAKEN);
        }
        let scalars: Option<Vec<_>> = values.iter().map(Value::as_scalar).collect();
        if let Some(scalars) = scalars {
            return Some(Value::Vector(scalars));
        }
        let rows = values.iter().map(|value| match value {
            Shaped::Vector(row) => Some(row.clone()),
            _ => None,
        });
        match rows.collect::<Option<Vec<_>>>() {
            Some(rows) if rows.iter().all(|row| row.len() == rows[0].len()) => {
                Some(Value::Matrix(rows))
            }
            _ => {
                Mistake::Whole { name: ident.text.clone() }.report(errors, ident.region);
                Some(MISTAKEN)
            }
        }
    }
}

/// The numbers of a range, or its mistake reported.
fn range_of(range: &Range, errors: &mut Errors) -> Option<std::ops::RangeInclusive<i64>> {
    let whole = range.first.region.to(range.last.region);
    let (mistake, at) = match range.numbers() {
        Ok(numbers) => return Some(numbers),
        Err(RangeMistake::NotWhole(at)) => (Mistake::NotAnIndex, at),
        Err(RangeMistake::Empty) => (Mistake::EmptyRange { range: range.to_string() }, whole),
        Err(RangeMistake::Long { limit }) => (Mistake::LongRange { limit }, whole),
    };
    mistake.report(errors, at);
    None
}
