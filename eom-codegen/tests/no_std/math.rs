//! The texts as modules; generated code has what it uses of them in one.

#[path = "../../src/languages/no_std/angle.rs"]
mod angle;
#[path = "../../src/languages/no_std/arithmetic.rs"]
mod arithmetic;
#[path = "../../src/languages/no_std/error.rs"]
mod error;
#[path = "../../src/languages/no_std/exponential.rs"]
mod exponential;
#[path = "../../src/languages/no_std/inverse.rs"]
mod inverse;
#[path = "../../src/languages/no_std/power.rs"]
mod power;

use angle::*;
use arithmetic::*;
use error::*;
use exponential::*;
use inverse::*;
use power::*;

macro_rules! called {
    ($($name:ident),*) => {
        /// The function of a name; the second argument is used by functions of two only.
        pub(super) fn call(name: &str, x: f64, y: f64) -> Option<f64> {
            Some(match name {
                $(stringify!($name) => $name(x),)*
                "atan2" => atan2(x, y),
                "powf" => powf(x, y),
                "hypot" => hypot(x, y),
                _ => return None,
            })
        }
    };
}

called!(
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, exp, ln, abs, sign, erf, ramp,
    smoothstep, sqrt
);

pub(super) fn product(a: f64, b: f64, c: f64) -> f64 {
    fused(a, b, c)
}

pub(super) fn power(a: f64, n: i32) -> f64 {
    powi(a, n)
}
