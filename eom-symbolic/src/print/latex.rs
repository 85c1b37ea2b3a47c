//! The printer in LaTeX (amsmath).
//!
//! A function of a single symbol is written without parentheses, and a thin space parts it from a
//! factor that could be read into its argument: `\cos\varphi\, \dot{\theta}`. Other arguments
//! stand in `\left(…\right)`.

use super::names::{CLASS_PARAMETER, Label};
use super::tree::{Form, IntegralForm, Kind, Product};
use crate::function::{Function, Latex};
use crate::number::Rational;

/// How tightly a piece of text binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Power,
    Whole,
}

/// The form in LaTeX, for math mode.
pub(crate) fn latex(form: &Form) -> String {
    bound(form).0
}

fn bound(form: &Form) -> (String, Binding) {
    match &form.kind {
        Kind::Undefined => (r"\text{undefined}".to_owned(), Binding::Whole),
        Kind::Number(value) => number(value),
        Kind::Name(label) if label.superscript => (label.latex.clone(), Binding::Power),
        Kind::Name(label) => (label.latex.clone(), Binding::Whole),
        Kind::Sum(terms) => {
            (Form::joined(terms, |term| at_least(term, Binding::Product)), Binding::Sum)
        }
        Kind::Product(product) => {
            let minus = if product.negative { "-" } else { "" };
            let binding = if product.negative { Binding::Sum } else { Binding::Product };
            (format!("{minus}{}", quotient(product)), binding)
        }
        Kind::Power(base, exponent) => (power(base, exponent), Binding::Power),
        Kind::Root(base) => (format!(r"\sqrt{{{}}}", latex(base)), Binding::Whole),
        Kind::Integral(integral) => {
            let IntegralForm { variable, body, lower, upper } = &**integral;
            let (lower, upper, variable) = (latex(lower), latex(upper), &variable.latex);
            let body = at_least(body, Binding::Product);
            let text = format!(r"\int_{{{lower}}}^{{{upper}}} {body}\,\mathrm{{d}}{variable}");
            (text, Binding::Product)
        }
        Kind::Applied(label, point) => {
            let point: Vec<String> = point.iter().map(latex).collect();
            (format!("{}{}", label.latex, parenthesised(&point.join(", "))), Binding::Whole)
        }
        // A power of it needs parentheses: exp x² is exp(x²).
        Kind::Call(function, arguments) => {
            let binding = if is_named(*function) { Binding::Power } else { Binding::Whole };
            (call(*function, "", arguments), binding)
        }
    }
}

fn number(value: &Rational) -> (String, Binding) {
    let (above, below) = printed_parts(&value.abs());
    let minus = if value.is_negative() { "-" } else { "" };
    let is_whole = below == "1" && !above.contains('^');
    let text = if below == "1" { above } else { format!(r"\frac{{{above}}}{{{below}}}") };
    let binding = if value.is_negative() {
        Binding::Sum
    } else if is_whole {
        Binding::Whole
    } else {
        Binding::Product
    };
    (format!("{minus}{text}"), binding)
}

/// Numerator and denominator, with `2.5\cdot 10^{200}` for many zeros.
fn printed_parts(value: &Rational) -> (String, String) {
    let power = |text: String| match text.split_once('e') {
        Some(("1", exponent)) => format!("10^{{{exponent}}}"),
        Some((digits, exponent)) => format!(r"{digits}\cdot 10^{{{exponent}}}"),
        None => text,
    };
    let (above, below) = value.printed_parts();
    (power(above), power(below))
}

fn at_least(form: &Form, binding: Binding) -> String {
    let (text, own) = bound(form);
    if own < binding { parenthesised(&text) } else { text }
}

fn parenthesised(text: &str) -> String {
    format!(r"\left({text}\right)")
}

/// cos²φ for powers of the circular and hyperbolic functions, else baseᵉˣᵖᵒⁿᵉⁿᵗ.
fn power(base: &Form, exponent: &Form) -> String {
    let exponent = latex(exponent);
    match &base.kind {
        Kind::Call(function, arguments) if takes_exponent(*function) => {
            call(*function, &format!("^{{{exponent}}}"), arguments)
        }
        _ => format!("{}^{{{exponent}}}", at_least(base, Binding::Whole)),
    }
}

fn takes_exponent(function: Function) -> bool {
    matches!(spelling(function), Latex::Powered(_))
}

/// Whether its name stands before its arguments.
fn is_named(function: Function) -> bool {
    spelling(function) != Latex::Bars
}

/// How it is written; declared functions are [`Kind::Applied`].
fn spelling(function: Function) -> Latex {
    function.description().map_or(Latex::Operator(""), |description| description.latex)
}

/// `\cos\varphi` for a single symbol, else `\cos\left(…\right)`.
fn call(function: Function, exponent: &str, arguments: &[Form]) -> String {
    let inner: Vec<String> = arguments.iter().map(latex).collect();
    let inner = inner.join(", ");
    let name = match spelling(function) {
        Latex::Bars => return format!(r"\left|{inner}\right|"),
        Latex::Operator(name) | Latex::Powered(name) => name,
    };
    if !is_bare(function, arguments) {
        return format!("{name}{exponent}{}", parenthesised(&inner));
    }
    let gap = if exponent.is_empty() && !inner.starts_with('\\') { " " } else { "" };
    format!("{name}{exponent}{gap}{inner}")
}

/// Whether the argument stands without parentheses: `\sin k\, x` may be sin(k x).
fn is_bare(function: Function, arguments: &[Form]) -> bool {
    let is_factor = |label: &Label| {
        let factors = [r"\kappa", r"\lambda", r"\nu", r"\omega", r"\Omega"];
        let is_greek = label.latex.starts_with('\\') && !label.latex.starts_with(r"\mathrm");
        let is_angle = is_greek && !factors.iter().any(|letter| label.latex.starts_with(letter));
        label.rank.class == CLASS_PARAMETER && !is_angle
    };
    let is_alone = |form: &Form| matches!(&form.kind, Kind::Name(label) if !is_factor(label));
    is_named(function) && arguments.len() == 1 && arguments.iter().all(is_alone)
}

/// A product without its sign: numeric fractions in front, others as one fraction.
fn quotient(product: &Product) -> String {
    let (above, below) = printed_parts(&product.coefficient);
    if product.denominator.is_empty() {
        let coefficient = number(&product.coefficient).0;
        return side(&coefficient, &product.numerator);
    }
    format!(
        r"\frac{{{}}}{{{}}}",
        side(&above, &product.numerator),
        side(&below, &product.denominator)
    )
}

/// The factors side by side, the number first unless it is 1 beside others.
fn side(number: &str, factors: &[Form]) -> String {
    let mut texts = Vec::with_capacity(factors.len() + 1);
    if number != "1" || factors.is_empty() {
        texts.push(number.to_owned());
    }
    for (at, factor) in factors.iter().enumerate() {
        let mut text = if factors.len() == 1 && texts.is_empty() {
            latex(factor)
        } else {
            at_least(factor, Binding::Power)
        };
        if ends_in_argument(factor) && factors.get(at + 1).is_some_and(|next| !is_function(next)) {
            text.push_str(r"\,");
        }
        texts.push(text);
    }
    texts.join(" ")
}

/// Whether it begins with the name of a function, before which TeX itself leaves a space.
fn is_function(form: &Form) -> bool {
    match &form.kind {
        Kind::Call(function, _) => is_named(*function),
        Kind::Power(base, _) => {
            matches!(&base.kind, Kind::Call(function, _) if takes_exponent(*function))
        }
        _ => false,
    }
}

/// Whether it ends in an argument without parentheses: `\cos\varphi`, `\cos^{2}\varphi`.
fn ends_in_argument(form: &Form) -> bool {
    match &form.kind {
        Kind::Call(function, arguments) => is_bare(*function, arguments),
        Kind::Power(base, _) => is_function(form) && ends_in_argument(base),
        _ => false,
    }
}
