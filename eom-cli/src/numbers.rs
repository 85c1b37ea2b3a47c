//! Numbers on the command line: expressions, evaluated by meval.
//!
//! The expressions are those of the declarations: `+ - * / ^`, pi or π, the functions of the language with the
//! values that they have there, and the names that the caller knows, in Unicode or ASCII.

use eom_symbolic::name::{Name, nearest};
use meval::{Context, ContextProvider, Error, Expr, ParseError, RPNError};
use std::fmt;

/// Names with their values. Names are ASCII keys, as [`Name::ascii`] gives them.
pub type Known = [(String, f64)];

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mistake {
    /// Its value is infinite or not a number.
    NotFinite {
        /// The expression.
        text: String,
        /// Its value; `None` where it uses a word for such a value, such as `nan`.
        value: Option<String>,
    },
    /// It cannot be read.
    Unreadable {
        /// The expression.
        text: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { text, value: Some(value) } => {
                write!(f, "`{text}` is {value}, not a finite number")
            }
            Self::NotFinite { text, value: None } => write!(f, "`{text}` is not a finite number"),
            Self::Unreadable { text, reason } => write!(f, "`{text}` is not a number: {reason}"),
        }
    }
}

/// The value of an expression, or why it has none.
pub fn evaluate(text: &str, known: &Known) -> Result<f64, Mistake> {
    Scope::new(known.to_vec()).formula(text)?.at(&[])
}

/// Names with their values, for any number of expressions.
#[derive(Clone)]
pub struct Scope {
    known: Vec<(String, f64)>,
    context: Context<'static>,
}

impl Scope {
    /// Of a list of names, each of them once.
    pub fn new(known: Vec<(String, f64)>) -> Self {
        let context = context(&known);
        Self { known, context }
    }

    /// An expression, to be evaluated once or often.
    pub fn formula<'a>(&'a self, text: &'a str) -> Result<Formula<'a>, Mistake> {
        self.read(text, to_ascii(text))
    }

    fn read<'a>(&'a self, text: &'a str, ascii: String) -> Result<Formula<'a>, Mistake> {
        match ascii.parse() {
            Ok(expression) => Ok(Formula { scope: self, text, ascii, expression }),
            Err(error) => Err(mistake(text, &ascii, &error, &self.known)),
        }
    }
}

impl Scope {
    /// An expression whose names are in ASCII already.
    pub fn ascii<'a>(&'a self, text: &'a str) -> Result<Formula<'a>, Mistake> {
        self.read(text, text.to_owned())
    }

    /// Whether a name has a value.
    pub fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known == name)
    }

    /// Gives a name a value, in place of the one it had.
    pub fn set(&mut self, name: &str, value: f64) {
        self.context.var(name, value);
        match self.known.iter_mut().find(|(known, _)| known == name) {
            Some(known) => known.1 = value,
            None => self.known.push((name.to_owned(), value)),
        }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("known", &self.known).finish_non_exhaustive()
    }
}

/// An expression that was read, in the scope of its names.
#[derive(Debug)]
pub struct Formula<'a> {
    scope: &'a Scope,
    text: &'a str,
    ascii: String,
    expression: Expr,
}

impl Formula<'_> {
    /// The value, with more names that stand before those of the scope.
    pub fn at(&self, point: &Known) -> Result<f64, Mistake> {
        let Self { scope, text, ascii, expression } = self;
        let value = expression
            .eval_with_context((Point(point), &scope.context))
            .map_err(|error| mistake(text, ascii, &error, &scope.known))?;
        if value.is_finite() {
            Ok(value)
        } else {
            let (text, value) = ((*text).to_owned(), Some(value.to_string()));
            Err(Mistake::NotFinite { text, value })
        }
    }
}

/// A function of names that have other values at each point.
#[derive(Clone)]
pub struct Function {
    context: Context<'static>,
    expression: Expr,
    /// The names that it reads.
    names: Vec<String>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expression, names, .. } = self;
        let mut all = f.debug_struct("Function");
        all.field("expression", expression).field("names", names).finish_non_exhaustive()
    }
}

impl Function {
    /// Of some names, and of others with fixed values.
    pub fn new(text: &str, names: &[String], fixed: &Known) -> Result<Self, Mistake> {
        let ascii = to_ascii(text);
        let mut known: Vec<(String, f64)> = names.iter().map(|name| (name.clone(), 0.0)).collect();
        known.extend(fixed.iter().filter(|(name, _)| !names.contains(name)).cloned());
        let wrong = |error: &Error| mistake(text, &ascii, error, &known);
        let expression: Expr = ascii.parse().map_err(|error| wrong(&error))?;
        let context = context(&known);
        expression.eval_with_context(&context).map_err(|error| wrong(&error))?;
        let read = words(&ascii);
        let names = names.iter().filter(|name| read.contains(&name.as_str())).cloned().collect();
        Ok(Self { context, expression, names })
    }

    /// The names that it reads.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its value; not a number where it has none.
    pub fn at(&self, point: &Known) -> f64 {
        self.expression.eval_with_context((Point(point), &self.context)).unwrap_or(f64::NAN)
    }
}

/// The names in an expression, in ASCII.
pub fn names_in(text: &str) -> Vec<String> {
    words(&to_ascii(text)).into_iter().map(str::to_owned).collect()
}

/// The names in an expression.
fn words(mut rest: &str) -> Vec<&str> {
    let mut words = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if starts_name(first) { name_length(rest) } else { number_length(rest) };
        let (head, tail) = rest.split_at(length.max(first.len_utf8()));
        if starts_name(first) {
            words.push(head);
        }
        rest = tail;
    }
    words
}

struct Point<'a>(&'a Known);

impl ContextProvider for Point<'_> {
    fn get_var(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

/// What other programs write for values that are not finite.
const NOT_FINITE: [&str; 3] = ["nan", "inf", "infinity"];

fn mistake(text: &str, ascii: &str, error: &Error, known: &Known) -> Mistake {
    let text = text.to_owned();
    match error {
        Error::UnknownVariable(name)
            if NOT_FINITE.iter().any(|word| name.eq_ignore_ascii_case(word)) =>
        {
            Mistake::NotFinite { text, value: None }
        }
        _ => Mistake::Unreadable { text, reason: explain(ascii, error, known) },
    }
}

/// The names of all functions: those of the language, and the root.
fn functions() -> Vec<&'static str> {
    eom_symbolic::Function::ALL
        .map(eom_symbolic::Function::name)
        .into_iter()
        .chain(["sqrt"])
        .collect()
}

/// Whether expressions may call a name.
pub fn is_function(name: &str) -> bool {
    functions().contains(&name)
}

fn context(known: &Known) -> Context<'static> {
    let mut context = Context::empty();
    context.var("pi", std::f64::consts::PI);
    context.func("sqrt", f64::sqrt);
    for function in eom_symbolic::Function::ALL {
        if function.is_between() {
            let of = move |x: &[f64]| match *x {
                [x, a, b] => function.evaluate((x - a) / (b - a), 0.0),
                [x] => function.evaluate(x, 0.0),
                _ => f64::NAN,
            };
            context.funcn(function.name(), of, 1..4);
        } else if function.arity() == 2 {
            context.func2(function.name(), move |a, b| function.evaluate(a, b));
        } else {
            context.func(function.name(), move |a| function.evaluate(a, a));
        }
    }
    for (name, value) in known {
        context.var(name.as_str(), *value);
    }
    context
}

/// The expression with each of its names in ASCII: meval reads no others.
fn to_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = if starts_name(first) { name_length(rest) } else { number_length(rest) };
        let (head, tail) = rest.split_at(word.max(first.len_utf8()));
        if starts_name(first) {
            ascii.push_str(&Name::parse(head).ascii());
        } else {
            // meval reads 0.5, but not .5.
            if head.starts_with('.') {
                ascii.push('0');
            }
            ascii.push_str(head);
        }
        rest = tail;
    }
    ascii
}

fn starts_name(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

/// Letters, digits and the combining dots, in bytes.
fn name_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36F}').contains(&c);
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Digits, the point, and the exponent with its sign, so that the e of 2e-3 is no name; in bytes.
fn number_length(text: &str) -> usize {
    let digits =
        |text: &str| text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let mantissa = digits(text);
    let rest = &text[mantissa..];
    if mantissa == 0 || !rest.starts_with(['e', 'E']) {
        return mantissa;
    }
    let sign = usize::from(rest[1..].starts_with(['+', '-']));
    match digits(&rest[1 + sign..]) {
        0 => mantissa,
        exponent => mantissa + 1 + sign + exponent,
    }
}

fn explain(ascii: &str, error: &Error, known: &Known) -> String {
    match error {
        Error::UnknownVariable(name) => unknown(name, known),
        Error::Function(name, _) => {
            format!("`{name}` cannot be called so; functions are {}", functions().join(", "))
        }
        Error::ParseError(ParseError::UnexpectedToken(at)) => {
            format!("it cannot be read from `{}` on", ascii.get(*at..).unwrap_or_default())
        }
        Error::ParseError(ParseError::MissingRParen(_))
        | Error::RPNError(RPNError::MismatchedLParen(_)) => "a parenthesis is not closed".into(),
        Error::RPNError(RPNError::MismatchedRParen(_)) => "a parenthesis is not opened".into(),
        Error::ParseError(ParseError::MissingArgument) => "something is missing at its end".into(),
        Error::RPNError(_) => "it is not an expression".into(),
    }
}

fn unknown(name: &str, known: &Known) -> String {
    let names = || known.iter().map(|(name, _)| name.as_str());
    match nearest(name, names()) {
        Some(near) => format!("there is no `{name}` here; did you mean `{near}`?"),
        None if known.is_empty() => format!("there is no `{name}` here, only pi"),
        None => {
            format!(
                "there is no `{name}` here; known are pi, {}",
                names().collect::<Vec<_>>().join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<(String, f64)> {
        vec![("R".to_owned(), 0.5), ("theta1".to_owned(), 2.0), ("e".to_owned(), 0.25)]
    }

    #[test]
    fn expressions_have_the_values_of_their_closed_form() {
        let table = [
            ("2", 2.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2e-3", 0.002),
            ("2E3+1", 2001.0),
            ("π/2", std::f64::consts::FRAC_PI_2),
            ("pi", std::f64::consts::PI),
            ("R*θ1", 1.0),
            ("R*theta1 + e", 1.25),
            (" 3 * -2 ", -6.0),
            ("sqrt(16)/abs(-2)", 2.0),
            ("atan2(1, 1)*4", std::f64::consts::PI),
            ("sign(-3) + sign(0)", -1.0),
            (".5", 0.5),
        ];
        for (text, value) in table {
            assert_eq!(evaluate(text, &known()), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused_with_the_reason() {
        let names = functions().join(", ");
        let calls =
            format!("`max(1,2)` is not a number: `max` cannot be called so; functions are {names}");
        let table = [
            ("", "`` is not a number: something is missing at its end"),
            ("2 3", "`2 3` is not a number: it cannot be read from `3` on"),
            ("2*(1", "`2*(1` is not a number: a parenthesis is not closed"),
            ("1/0", "`1/0` is inf, not a finite number"),
            ("0/0", "`0/0` is NaN, not a finite number"),
            ("NaN", "`NaN` is not a finite number"),
            ("-inf", "`-inf` is not a finite number"),
            ("theta", "`theta` is not a number: there is no `theta` here; did you mean `theta1`?"),
            ("zz", "`zz` is not a number: there is no `zz` here; known are pi, R, theta1, e"),
            ("max(1,2)", calls.as_str()),
        ];
        for (text, message) in table {
            let found = evaluate(text, &known()).map_err(|mistake| mistake.to_string());
            assert_eq!(found, Err(message.to_owned()), "{text}");
        }
    }
}
