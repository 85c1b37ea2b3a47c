//! The printer in the syntax of the language: what it prints can be read back.

use super::tree::{Form, IntegralForm, Kind, Product};
use crate::number::Rational;

/// How tightly a piece of text binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Power,
    Whole,
}

/// The form as text.
pub(crate) fn text(form: &Form) -> String {
    bound(form).0
}

fn bound(form: &Form) -> (String, Binding) {
    match &form.kind {
        Kind::Undefined => ("undefined".to_owned(), Binding::Whole),
        Kind::Number(value) => number(value),
        Kind::Name(label) => (label.unicode.clone(), Binding::Whole),
        Kind::Sum(terms) => {
            (Form::joined(terms, |term| at_least(term, Binding::Product)), Binding::Sum)
        }
        Kind::Product(product) => {
            let minus = if product.negative { "-" } else { "" };
            let binding = if product.negative { Binding::Sum } else { Binding::Product };
            (format!("{minus}{}", quotient(product)), binding)
        }
        Kind::Power(base, exponent) => {
            let base = at_least(base, Binding::Whole);
            let exponent = at_least(exponent, Binding::Whole);
            (format!("{base}^{exponent}"), Binding::Power)
        }
        Kind::Root(base) => (format!("sqrt({})", text(base)), Binding::Whole),
        Kind::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(text).collect();
            (format!("{}({})", function.name(), arguments.join(", ")), Binding::Whole)
        }
        Kind::Integral(integral) => {
            let IntegralForm { variable, body, lower, upper } = &**integral;
            let ends = format!("{}..{}", text(lower), text(upper));
            let variable = &variable.unicode;
            (format!("integral({}, {variable} in {ends})", text(body)), Binding::Whole)
        }
        Kind::Applied(label, point) => {
            let point: Vec<String> = point.iter().map(text).collect();
            (format!("{}({})", label.unicode, point.join(", ")), Binding::Whole)
        }
    }
}

fn number(value: &Rational) -> (String, Binding) {
    let (above, below) = value.printed_parts();
    let binding = match below.as_str() {
        _ if value.is_negative() => Binding::Sum,
        "1" => Binding::Whole,
        _ => Binding::Product,
    };
    (if below == "1" { above } else { format!("{above}/{below}") }, binding)
}

fn at_least(form: &Form, binding: Binding) -> String {
    let (text, own) = bound(form);
    if own < binding { format!("({text})") } else { text }
}

/// A product without its sign: `3*m*x/(2*a)`.
fn quotient(product: &Product) -> String {
    let (above, below) = product.coefficient.printed_parts();
    let numerator = side(&above, &product.numerator);
    let count = product.denominator.len() + usize::from(below != "1");
    match count {
        0 => numerator.join("*"),
        1 => format!("{}/{}", numerator.join("*"), side(&below, &product.denominator).join("*")),
        _ => format!("{}/({})", numerator.join("*"), side(&below, &product.denominator).join("*")),
    }
}

/// The factors of one side, the number first unless it is 1 beside others.
fn side(number: &str, factors: &[Form]) -> Vec<String> {
    let mut texts = Vec::with_capacity(factors.len() + 1);
    if number != "1" || factors.is_empty() {
        texts.push(number.to_owned());
    }
    texts.extend(factors.iter().map(|f| at_least(f, Binding::Power)));
    texts
}
