//! The tree of a formula: what is printed, with the bytes in which it stands.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// A piece of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its bytes in the text.
    pub at: Range<usize>,
}

/// The forms of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// `0.98`
    Number(String),
    /// `\dot{x}_1`
    Symbol(Symbol),
    /// A symbol with brackets behind it: a function or a product.
    Applied(Symbol, Vec<Node>),
    /// −a
    Neg(Box<Node>),
    /// Terms, with whether each is subtracted.
    Sum(Vec<(bool, Node)>),
    /// Factors, with whether each divides.
    Product(Vec<(bool, Node)>),
    /// `a \cdot b`
    Dot(Box<Node>, Box<Node>),
    /// `a \times b`
    Cross(Box<Node>, Box<Node>),
    /// a^b
    Power(Box<Node>, Box<Node>),
    /// `\sqrt{a}`
    Root(Box<Node>),
    /// A function of the language by its name.
    Call(String, Vec<Node>),
    /// What a function without brackets is of: factors of which all but the last have to be constants, the last none where
    /// more follows behind a space.
    Argument {
        /// The command of the function.
        function: String,
        /// The factors.
        factors: Vec<Node>,
        /// Whether more follows.
        more: bool,
    },
    /// |a| or ‖a‖
    Bars(Box<Node>),
    /// (a, b)
    Vector(Vec<Node>),
    /// [a, b]: a vector, or what a notation makes of it.
    Bracket(Vec<Node>),
    /// A matrix by its rows.
    Matrix(Vec<Vec<Node>>),
    /// Branches, each with whether its condition holds almost everywhere (`\neq`).
    Cases(Vec<(Node, bool)>),
    /// The n-th total time derivative.
    Rate(Box<Node>, u8),
    /// ∂ⁿa/∂x∂y
    Partial(Box<Node>, Vec<Node>),
    /// ∫ over a variable between two ends.
    Integral {
        /// The integrand.
        of: Box<Node>,
        /// The variable.
        by: Symbol,
        /// Its ends.
        ends: Box<(Node, Node)>,
    },
    /// `\int_R … dR`: over a region that a notation names.
    Region {
        /// The integrand.
        of: Box<Node>,
        /// The region.
        over: Symbol,
    },
    /// Σ over an index between two ends.
    Total {
        /// The term.
        of: Box<Node>,
        /// The index.
        by: Symbol,
        /// The first and the last value.
        ends: Box<(Node, Node)>,
    },
    /// \[a\] between two values of the variable of integration.
    Between(Box<Node>, Box<(Node, Node)>),
    /// aᵀ
    Transposed(Box<Node>),
    /// `\ker A`: what A takes to 0.
    Kernel(Box<Node>),
    /// `U \oplus V`
    DirectSum(Vec<Node>),
    /// `U \cap V`
    Meet(Vec<Node>),
    /// `U \to V`
    Arrow(Box<Node>, Box<Node>),
    /// `\lim_{t \to \tau+} a`, or with `-`: the value behind an instant, or the one before it.
    OneSided {
        /// What has the limit.
        of: Box<Node>,
        /// The one behind it.
        behind: bool,
    },
    /// `\dots` between two entries of a list.
    Leaders,
    /// A piece that a notation explains as a whole, in one spelling.
    Phrase(String),
}

/// What is printed above a symbol beside an exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// v^+
    Plus,
    /// v^-
    Minus,
    /// v^\pm
    Both,
    /// v^*
    Star,
}

/// A symbol as printed: a letter with its font and accent, dots, primes, an index, a mark.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Symbol {
    /// `x`, `θ`, `\mathbf{V}`, `\bar{ω}`.
    pub letter: String,
    /// Time derivatives.
    pub dots: u8,
    /// `J'`
    pub primes: u8,
    /// The index without braces: `1`, `Nz`, `max`.
    pub index: String,
    /// `^+` and the like.
    pub mark: Mark,
}

/// What a notation explains: a symbol, with arguments where it has some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `\mathbf{V}_0`
    Symbol(Symbol),
    /// `F_x(0, 0, \theta)`: the arguments as text in one spelling.
    Applied(Symbol, String),
    /// `[\cdot, \cdot]`
    Bracket,
    /// `\int_R dR`
    Region(Symbol),
    /// `\perp`: its value is the metric.
    Orthogonal,
    /// A piece of print that is explained as a whole, without white space: `\frac{\partial L}{\partial x}(x(t))`.
    Phrase(String),
}

impl Symbol {
    /// The symbol without its dots.
    #[must_use]
    pub fn undotted(&self) -> Self {
        Self { dots: 0, ..self.clone() }
    }

    /// The symbol without its mark.
    #[must_use]
    pub fn unmarked(&self) -> Self {
        Self { mark: Mark::None, ..self.clone() }
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.dots {
            0 => f.write_str(&self.letter)?,
            dots => write!(f, "\\{}ot{{{}}}", "d".repeat(usize::from(dots)), self.letter)?,
        }
        f.write_str(&"'".repeat(usize::from(self.primes)))?;
        match self.index.chars().count() {
            0 => {}
            1 => write!(f, "_{}", self.index)?,
            _ => write!(f, "_{{{}}}", self.index)?,
        }
        f.write_str(match self.mark {
            Mark::None => "",
            Mark::Plus => "^+",
            Mark::Minus => "^-",
            Mark::Both => r"^\pm",
            Mark::Star => "^*",
        })
    }
}

impl Node {
    /// Arguments in one spelling, by which a notation knows them; `text` is what was read.
    #[must_use]
    pub fn arguments(arguments: &[Self], text: &str) -> String {
        let parts = arguments.iter().map(|node| node.spelled(text));
        parts.collect::<Vec<_>>().join(",")
    }

    fn spelled(&self, text: &str) -> String {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.to_string(),
            NodeKind::Number(number) => number.clone(),
            // Other arguments are known by their text without white space.
            _ => text.get(self.at.clone()).unwrap_or_default().split_whitespace().collect(),
        }
    }
}
