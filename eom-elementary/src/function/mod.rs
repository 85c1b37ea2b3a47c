//! Functions of one number, each one row: what every kind of number needs of it.
//!
//! ```text
//! value     f(x) in f64: the same bits everywhere
//! range     f(X) ⊃ { f(x) : x ∈ X }
//! slope     f′, by a and f(a)
//! bend      ½ f″, by a, f(a) and f′
//! taylor    f⁽ᵏ⁾(u)/k!, k = 0 … 4
//! pace      how fast it can change along a motion of its argument
//! analytic  one analytic function of the whole line, but for poles
//! growth    sup |f(u + w) − f(u)| over complex |w| ≤ r, bounded: ∞ where f has no power series on all of that
//! ```
//!
//! Rows stand in a file a family; [`functions_of_one`](crate::functions_of_one) is their list. Sine and cosine
//! are none of them: they come together ([`sin_cos`](crate::sin_cos)).

mod circular;
mod erf;
mod exponential;
pub mod growth;
mod hyperbolic;
mod kinks;
mod step;

use crate::interval::Interval;
use crate::number::Base;
use crate::real::Real;

/// Hands the list of the functions of one number to a macro: what a function is, its name, its variant in
/// [`Elementary`](crate::Elementary), the file of its row, and the kind of its words on tapes: one that no other
/// has; 0 to 4 and 16 to 22 are those of arithmetic.
#[macro_export]
macro_rules! functions_of_one {
    ($with:ident) => {
        $with! {
            /// The tangent.
            tan Tan circular 5;
            /// The angle whose sine is x.
            asin Asin circular 6;
            /// The angle whose cosine is x.
            acos Acos circular 7;
            /// The angle whose tangent is x.
            atan Atan circular 8;
            /// The hyperbolic sine.
            sinh Sinh hyperbolic 9;
            /// The hyperbolic cosine.
            cosh Cosh hyperbolic 10;
            /// The hyperbolic tangent.
            tanh Tanh hyperbolic 11;
            /// eˣ.
            exp Exp exponential 12;
            /// The natural logarithm.
            ln Ln exponential 13;
            /// |x|; the slope at 0 is 0.
            abs Abs kinks 14;
            /// −1, 0 or 1, the sign of x; 0 for both zeros.
            sign Sign kinks 15;
            /// The error function.
            erf Erf erf 23;
            /// x between 0 and 1, the nearer of them elsewhere.
            ramp Ramp step 24;
            /// From 0 for x ≤ 0 to 1 for x ≥ 1, with two derivatives that are 0 at both.
            smoothstep Smoothstep step 25;
        }
    };
}

/// f⁽ᵏ⁾(u)/k!, k = 0 … 4.
pub type Taylor = [f64; 5];

/// By which pace a function of u changes along a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// It has no peak that is not one of u.
    None,
    /// |u̇|.
    Argument,
    /// |u̇| where u is between two numbers; elsewhere it is constant, as far as can be seen.
    Between(f64, f64),
    /// |u̇|/|u|.
    Relative,
    /// |ẇ| of its value w, an angle.
    Value,
}

/// A row of the table.
trait Row {
    const PACE: Pace;

    const ANALYTIC: bool;

    fn value(x: f64) -> f64;

    #[inline(always)]
    fn of<R: Real>(x: R) -> R {
        x.map(Self::value)
    }

    /// That of a function that does not fall.
    fn range(x: Interval) -> Interval {
        x.rising(Self::value)
    }

    fn slope<N: Base>(a: N, f: N) -> N;

    fn bend<N: Base>(a: N, f: N, slope: N) -> N;

    fn taylor(u: f64) -> Taylor;

    fn growth(u: f64, r: f64) -> f64;
}

/// A row: its pace, whether it is analytic, then formulas. Without a range it does not fall; `lanes` is what lanes have an instruction for.
macro_rules! row {
    (
        $(#[$about:meta])* $function:ident $pace:expr;
        analytic $analytic:expr;
        value |$x:pat_param| $value:expr;
        slope |$a:pat_param, $f:pat_param| $slope:expr;
        bend |$b:pat_param, $g:pat_param, $s:pat_param| $bend:expr;
        taylor |$u:ident| $taylor:expr;
        growth |$at:ident, $r:ident| $growth:expr;
        $(range |$y:ident| $range:expr;)?
        $(lanes $lanes:expr;)?
    ) => {
        $(#[$about])*
        pub(super) struct $function;

        impl Row for $function {
            const PACE: Pace = $pace;

            const ANALYTIC: bool = $analytic;

            #[inline(always)]
            fn value($x: f64) -> f64 {
                $value
            }

            $(
                #[inline(always)]
                fn of<R: Real>(x: R) -> R {
                    ($lanes)(x)
                }
            )?

            $(
                #[inline]
                fn range($y: Interval) -> Interval {
                    $range
                }
            )?

            #[inline]
            fn slope<N: Base>($a: N, $f: N) -> N {
                $slope
            }

            #[inline]
            fn bend<N: Base>($b: N, $g: N, $s: N) -> N {
                $bend
            }

            fn taylor($u: f64) -> Taylor {
                $taylor
            }

            #[inline]
            fn growth($at: f64, $r: f64) -> f64 {
                $growth
            }
        }
    };
}
use row;

/// f, f′, f″, f‴, f⁗ over their factorials.
#[must_use]
pub fn of_derivatives([f, f1, f2, f3, f4]: Taylor) -> Taylor {
    [f, f1, f2 / 2.0, f3 / 6.0, f4 / 24.0]
}

/// 1, whatever the kind of number.
fn one<N: Base>() -> N {
    N::of(1.0)
}

/// ½.
fn half<N: Base>() -> N {
    N::of(0.5)
}

macro_rules! table {
    ($($(#[$about:meta])* $name:ident $function:ident $family:ident $code:literal;)*) => {
        /// A function of one number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Elementary {
            $($(#[$about])* $function = $code,)*
        }

        impl Elementary {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$function),*];

            /// That of a kind of words on tapes.
            #[inline(always)]
            #[must_use]
            pub const fn of_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$function),)*
                    _ => None,
                }
            }

            /// f(x).
            #[must_use]
            pub fn value(self, x: f64) -> f64 {
                match self {
                    $(Self::$function => $family::$function::value(x),)*
                }
            }

            /// f(X).
            #[must_use]
            pub fn range(self, x: Interval) -> Interval {
                match self {
                    $(Self::$function => $family::$function::range(x),)*
                }
            }

            /// f′ at a, where f is known.
            #[must_use]
            pub fn slope<N: Base>(self, a: N, f: N) -> N {
                match self {
                    $(Self::$function => $family::$function::slope(a, f),)*
                }
            }

            /// ½ f″ at a, where f and f′ are known.
            #[must_use]
            pub fn bend<N: Base>(self, a: N, f: N, slope: N) -> N {
                match self {
                    $(Self::$function => $family::$function::bend(a, f, slope),)*
                }
            }

            /// f⁽ᵏ⁾(u)/k!.
            #[must_use]
            pub fn taylor(self, u: f64) -> Taylor {
                match self {
                    $(Self::$function => $family::$function::taylor(u),)*
                }
            }

            /// What |f(u + w) − f(u)| is at most over complex |w| ≤ r: ∞ where f has no power series on all of that.
            #[must_use]
            pub fn growth(self, u: f64, r: f64) -> f64 {
                match self {
                    $(Self::$function => $family::$function::growth(u, r),)*
                }
            }

            /// Its pace.
            #[must_use]
            pub const fn pace(self) -> Pace {
                match self {
                    $(Self::$function => $family::$function::PACE,)*
                }
            }

            /// Whether it is one analytic function of the whole line, but for poles: what holds of it about one point
            /// holds everywhere.
            #[must_use]
            pub const fn is_analytic(self) -> bool {
                match self {
                    $(Self::$function => $family::$function::ANALYTIC,)*
                }
            }
        }

        impl Interval {
            $(
                $(#[$about])*
                #[inline]
                #[must_use]
                pub fn $name(self) -> Self {
                    $family::$function::range(self)
                }
            )*
        }

        $(
            $(#[$about])*
            #[inline(always)]
            #[must_use]
            pub fn $name<R: Real>(x: R) -> R {
                $family::$function::of(x)
            }
        )*
    };
}

functions_of_one!(table);
