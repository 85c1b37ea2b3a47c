//! The functions of the language: a file a family, a row a function ([`Description`]), and here their list.
//!
//! Whatever differs from function to function is in its row; printers, emitters, derivatives, series, tapes and
//! readers of numbers ask for it here. Of the algebra this knows nothing but rational numbers: what is made of a
//! [`Formula`] is made by who asks. Values, ranges and derivatives of numbers stand in
//! [`eom_elementary::Elementary`].

mod angles;
mod circular;
mod description;
mod erf;
mod exponential;
mod hyperbolic;
mod kinks;
mod step;

pub use description::{
    Description, Exact, Formula, Latex, Numbers, Parity, Rule, Rust, Smooth, Spelling, Term,
};

/// A partial derivative of a declared function; the function itself where all orders are 0.
///
/// Mixed partials are equal, so the orders alone name one: f_xyx and f_xxy are (2, 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partial {
    /// The function, by its index in the [`ExprPool`](crate::ExprPool).
    pub function: u16,
    /// How many arguments it has, at most [`Partial::ARGUMENTS_MAX`].
    pub arity: u8,
    /// How often it is differentiated with respect to each argument; 0 beyond the arity.
    pub orders: [u8; Partial::ARGUMENTS_MAX],
}

impl Partial {
    /// The most arguments of a declared function.
    pub const ARGUMENTS_MAX: usize = 3;

    /// How often it is differentiated in all.
    pub fn total(self) -> usize {
        self.orders.iter().map(|order| usize::from(*order)).sum()
    }

    /// The derivative of this partial with respect to argument `which`.
    #[must_use]
    pub fn raised(mut self, which: usize) -> Self {
        // Orders beyond 255 differ from 255 in no program: [`program`](crate::program) has 4.
        self.orders[which] = self.orders[which].saturating_add(1);
        self
    }
}

macro_rules! functions {
    ($($(#[$about:meta])* $function:ident = $family:ident::$row:ident;)*) => {
        /// A function of the language, or a declared one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Function {
            $($(#[$about])* $function,)*
            /// A declared function or a partial derivative of it; its value is given from outside.
            Declared(Partial),
        }

        impl Function {
            /// Every function of the language; declared ones are beside it.
            pub const ALL: [Self; [$(stringify!($row)),*].len()] = [$(Self::$function),*];

            /// What it is; none for a declared one.
            pub const fn description(self) -> Option<&'static Description> {
                match self {
                    $(Self::$function => Some(&$family::$row),)*
                    Self::Declared(_) => None,
                }
            }
        }
    };
}

functions! {
    /// sin x
    Sin = circular::SIN;
    /// cos x
    Cos = circular::COS;
    /// tan x
    Tan = circular::TAN;
    /// arcsin x
    Asin = angles::ASIN;
    /// arccos x
    Acos = angles::ACOS;
    /// arctan x
    Atan = angles::ATAN;
    /// The angle of (x, y): `atan2(y, x)`
    Atan2 = angles::ATAN2;
    /// sinh x
    Sinh = hyperbolic::SINH;
    /// cosh x
    Cosh = hyperbolic::COSH;
    /// tanh x
    Tanh = hyperbolic::TANH;
    /// eˣ
    Exp = exponential::EXP;
    /// ln x
    Ln = exponential::LN;
    /// |x|
    Abs = kinks::ABS;
    /// −1, 0 or 1
    Sign = kinks::SIGN;
    /// erf x
    Erf = erf::ERF;
    /// x between 0 and 1, the nearer of them elsewhere
    Ramp = step::RAMP;
    /// From 0 at 0 to 1 at 1, with a continuous second derivative
    Smoothstep = step::SMOOTHSTEP;
}

impl Function {
    /// The name in the language; that of a declared one stands in the pool:
    /// [`signature`](crate::ExprPool::signature).
    pub fn name(self) -> &'static str {
        self.description().map_or("", |description| description.name)
    }

    /// The position in [`Function::ALL`]; that of declared ones is behind it.
    pub(crate) fn position(self) -> usize {
        Self::ALL.iter().position(|function| *function == self).unwrap_or(Self::ALL.len())
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// The function that a command of LaTeX writes: `cos` of `\cos`.
    pub(crate) fn of_command(name: &str) -> Option<Self> {
        let writes = |of: &Self| match of.description().map(|description| description.latex) {
            Some(Latex::Operator(latex) | Latex::Powered(latex)) => {
                latex.strip_prefix('\\') == Some(name)
            }
            _ => false,
        };
        Self::ALL.into_iter().find(writes)
    }

    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Self::Declared(partial) => usize::from(partial.arity),
            _ if self.numbers() == Some(Numbers::Angle) => 2,
            _ => 1,
        }
    }

    /// Whether f(x, a, b) is read as f((x − a)/(b − a)).
    pub fn is_between(self) -> bool {
        self.description().is_some_and(|description| description.between)
    }

    /// What computes its values; none for a declared one, which has them from outside.
    pub fn numbers(self) -> Option<Numbers> {
        self.description().map(|description| description.numbers)
    }

    /// The value in f64; `y` is the second argument and unused by functions of one. NaN for a declared function.
    pub fn evaluate(self, x: f64, y: f64) -> f64 {
        self.numbers().map_or(f64::NAN, |numbers| numbers.value(x, y))
    }

    /// f(−x) = ±f(x).
    pub(crate) fn parity(self) -> Parity {
        self.description().map_or(Parity::None, |description| description.parity)
    }

    /// Whether an identity of it may hold on one part of the line, in doubles, and not on another: its pieces differ, a path
    /// through the end of its domain turns back, or it is as good as constant far away.
    pub(crate) fn has_branches(self) -> bool {
        !matches!(self, Self::Sin | Self::Cos | Self::Tan | Self::Declared(_))
    }

    /// Whether it, or its slope, jumps somewhere.
    pub(crate) fn has_corner(self) -> bool {
        self.description().is_some_and(|description| description.smooth == Smooth::Corner)
    }
}
