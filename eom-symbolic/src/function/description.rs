//! What a function of the language is.

use super::Function;
use crate::number::Rational;
use eom_elementary::{self as elementary, Elementary};

/// A row of the table of functions.
#[derive(Debug)]
pub struct Description {
    /// Its name in the language.
    pub name: &'static str,
    /// What computes its values.
    pub numbers: Numbers,
    /// Whether f(x, a, b) is read as f((x − a)/(b − a)): f between a and b as it is between 0 and 1.
    pub between: bool,
    /// Its derivative, which is the rule of its power series too.
    pub rule: Rule,
    /// How smooth it is.
    pub smooth: Smooth,
    /// f(−x) = ±f(x).
    pub parity: Parity,
    /// Where it is a number that is known, beside 0 for an odd one.
    pub at: &'static [(&'static [i64], Exact)],
    /// Its value at each number, where that is a number.
    pub of_number: Option<fn(&Rational) -> Rational>,
    /// k of a sine ahead by k quarters of a turn: f(x) = sin(x + kπ/2).
    pub quarters: Option<i64>,
    /// Whether 2π is a period.
    pub is_periodic: bool,
    /// A function F and a sign: ∫ f = ±F.
    pub primitive: Option<(i64, Function)>,
    /// A function g and a sign: f² = ±(1 − g²).
    pub square: Option<(i64, Function)>,
    /// What it costs, in additions.
    pub cost: u32,
    /// LaTeX.
    pub latex: Latex,
    /// Rust, where it computes with f64; on lanes it is the function of its name in `eom_elementary`.
    pub rust: Rust,
    /// C.
    pub c: Spelling,
    /// Python with NumPy.
    pub python: Spelling,
}

/// What most functions are: what a row does not say.
pub(super) const USUAL: Description = Description {
    name: "",
    numbers: Numbers::Sine,
    between: false,
    rule: Rule { weight: None, terms: &[] },
    smooth: Smooth::Analytic,
    parity: Parity::None,
    at: &[],
    of_number: None,
    quarters: None,
    is_periodic: false,
    primitive: None,
    square: None,
    cost: 12,
    latex: Latex::Operator(""),
    rust: Rust::Elementary,
    c: Spelling::Named,
    python: Spelling::Named,
};

/// What computes the values of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// The sine, which comes with the cosine of an angle.
    Sine,
    /// The cosine.
    Cosine,
    /// A function of one number.
    One(Elementary),
    /// The angle of a point (b, a).
    Angle,
}

impl Numbers {
    /// The value at one number, or at two.
    pub fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Sine => elementary::sin(a),
            Self::Cosine => elementary::cos(a),
            Self::One(function) => function.value(a),
            Self::Angle => elementary::atan2(a, b),
        }
    }
}

/// w dx = Σ ± u da of x = f(a, …), a term an argument.
///
/// ∂f/∂a is ± u/w, and along a motion w ẋ = Σ ± u ȧ, which gives the coefficients of a power series.
#[derive(Debug)]
pub struct Rule {
    /// w; 1 where there is none.
    pub weight: Option<Formula>,
    /// A term an argument.
    pub terms: &'static [Term],
}

impl Rule {
    /// dx = u da.
    pub(super) const fn slope(terms: &'static [Term; 1]) -> Self {
        Self { weight: None, terms }
    }

    /// w dx = Σ ± u da.
    pub(super) const fn weighted(weight: Formula, terms: &'static [Term]) -> Self {
        Self { weight: Some(weight), terms }
    }
}

/// ± u da.
#[derive(Debug)]
pub enum Term {
    /// u da.
    Plus(Formula),
    /// −u da.
    Minus(Formula),
}

/// A formula of x = f(a, b) and its arguments.
#[derive(Debug)]
pub enum Formula {
    /// x.
    Value,
    /// a.
    First,
    /// b.
    Second,
    /// A number.
    Integer(i64),
    /// π.
    Pi,
    /// A function of one number.
    Of(Function, &'static Self),
    /// A sum.
    Sum(&'static Self, &'static Self),
    /// A difference.
    Difference(&'static Self, &'static Self),
    /// A product.
    Product(&'static Self, &'static Self),
    /// A root.
    Root(&'static Self),
}

/// Parts of formulas.
pub(super) const ONE: Formula = Formula::Integer(1);
pub(super) const FIRST_SQUARE: Formula = Formula::Product(&Formula::First, &Formula::First);
pub(super) const SECOND_SQUARE: Formula = Formula::Product(&Formula::Second, &Formula::Second);
pub(super) const VALUE_SQUARE: Formula = Formula::Product(&Formula::Value, &Formula::Value);

/// How smooth a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smooth {
    /// It has a power series wherever it is defined.
    Analytic,
    /// It has no power series where its pieces meet: it has a tangent there, or jumps at a cut, of which no corner is made.
    Pieces,
    /// It, or its slope, jumps somewhere.
    Corner,
}

/// f(−x) = ±f(x).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parity {
    /// f(−x) = f(x)
    Even,
    /// f(−x) = −f(x)
    Odd,
    /// Neither.
    None,
}

/// A value that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exact {
    /// A number.
    Integer(i64),
    /// There is none.
    Undefined,
}

/// How LaTeX writes a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Latex {
    /// |x|.
    Bars,
    /// A name; a power of it is in parentheses.
    Operator(&'static str),
    /// A name that takes an exponent: `\cos^{2}\varphi`.
    Powered(&'static str),
}

/// How Rust writes a function of an f64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rust {
    /// The function of its name in `eom_elementary`.
    Elementary,
    /// A method of f64.
    Method(&'static str),
    /// 0 for 0, else a method of f64.
    ZeroOr(&'static str),
}

/// How another language writes a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// The function of its name in the library: C's, NumPy.
    Named,
    /// Another function of the library.
    Library(&'static str),
    /// A function that the generated text has itself: its name, and its text where it is there for programs that
    /// call it only. In C both begin with `eom_`, which becomes the prefix of the system.
    Own(&'static str, &'static str),
}
