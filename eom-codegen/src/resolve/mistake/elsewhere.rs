//! What has another name in other languages, and what is written here.

use crate::diagnostic::{NO_JUMPS, SWITCH};

const ANGLE: &str = "write an angle in radians: `30*pi/180`";

/// A function of other languages.
pub(crate) fn function(key: &str) -> Option<&'static str> {
    // table
    Some(match key {
        "power" => {
            "write a force times its velocity, `force(x)*x_dot`, one for each coordinate; an \
             `output` has it along a run, and the ledger of a run has the work of each term"
        }
        "log" | "logn" => "write `ln(x)`",
        "log10" => "write `ln(x)/ln(10)`",
        "log2" => "write `ln(x)/ln(2)`",
        "pow" => "write `x^n`",
        "sgn" | "signum" => "write `sign(x)`",
        "fabs" | "absolute" | "magnitude" => "write `abs(x)`",
        "normal" | "N" | "normal_force" | "reaction" | "contact_force" => {
            "write `λ(floor)` for the normal force of a contact"
        }
        "square" => "write `x^2`",
        "cube" => "write `x^3`",
        "cbrt" => "write `x^(1/3)`",
        "hypot" => "write `sqrt(x^2 + y^2)`",
        "sec" => "write `1/cos(x)`",
        "csc" => "write `1/sin(x)`",
        "cot" => "write `1/tan(x)`",
        "max" | "maximum" => "write `(a + b + abs(a - b))/2`",
        "min" | "minimum" => "write `(a + b - abs(a - b))/2`",
        "heaviside" | "Heaviside" | "step" | "Piecewise" | "piecewise" | "where" | "cond"
        | "clip" | "clamp" => SWITCH,
        "floor" | "ceil" | "round" | "mod" | "fmod" | "rem" => NO_JUMPS,
        "deg" | "degrees" | "deg2rad" | "radians" | "rad" => ANGLE,
        _ => return None,
    })
}

/// A name of other languages.
pub(crate) fn name(text: &str) -> Option<&'static str> {
    // table
    Some(match text {
        "e" => "declare it as a parameter; for powers of e write `exp(x)`",
        "λ" | "lambda" => "write `λ(floor)` for the force of a contact or of a constraint",
        "Pi" | "PI" => "write `pi`",
        "deg" | "degrees" | "degree" | "rad" | "radians" => ANGLE,
        "inf" | "Inf" | "infinity" | "oo" => {
            "write a number; a bound that is not there is left out"
        }
        "T" | "V" | "U" | "L" | "E" | "H" => {
            "declare it, `let V = …; potential = V;`; claims know `kinetic`, `potential`, `lagrangian`, `energy`, `jacobi`"
        }
        "const" | "constant" => "write that it has no rate: `rate(energy) = 0`",
        "true" | "false" | "True" | "False" => "write a number, 1 or 0",
        "kinetic" | "potential" => {
            "claims know it; elsewhere it has a name of its own: `let T = …; kinetic = T;`, then write `T`"
        }
        "lagrangian" => {
            "claims know it; elsewhere name its parts: `let T = …; let V = …; kinetic = T; potential = V;`, then \
             write `T - V`"
        }
        "energy" => {
            "claims know it; elsewhere name its parts: `let T = …; let V = …; kinetic = T; potential = V;`, then \
             write `T + V`; `eom run … --plot t:energy` draws the energy"
        }
        _ => return None,
    })
}

/// What is said of a function that others have.
pub(super) fn of_function(name: &str, instead: &str) -> (String, Option<String>) {
    (format!("`{name}` is not a function of the language"), Some(instead.to_owned()))
}

/// What is said of a name that others have.
pub(super) fn of_name(name: &str, instead: String) -> (String, Option<String>) {
    (format!("`{name}` is not declared"), Some(instead))
}

/// What is said of `u(t)`.
pub(super) fn of_time(name: &str, what: &str) -> (String, Option<String>) {
    let help = "leave `(t)` out: what changes with time has its value at that time";
    (format!("`{name}` is {what}, not a function"), Some(help.to_owned()))
}

/// What is said of `diff(x, t)`.
pub(super) fn derivative(function: &str, of: Option<String>) -> (String, Option<String>) {
    let help = match of {
        Some(dotted) => format!("write `{dotted}`"),
        None => {
            "write the dot of a name, `ẋ` or `x_dot`; that of an expression is the dot of a `let`"
                .to_owned()
        }
    };
    (format!("`{function}(…)` is no time derivative here"), Some(help))
}

/// What is said of d/dt(x) and dx/dt.
pub(super) fn fraction(of: &str, name: Option<&str>) -> (String, Option<String>) {
    let help = match name {
        Some("energy" | "kinetic" | "potential" | "lagrangian") => {
            "declare it by `let`s, `let T = …; let V = …; kinetic = T; potential = V;`, and \
             write the dots of its parts, `T_dot + V_dot`"
                .to_owned()
        }
        Some(name) => format!("write `{name}_dot`"),
        None => "declare it as a `let`, `let E = …;`, and write `E_dot`".to_owned(),
    };
    (format!("the time derivative of `{of}` is not written as a fraction"), Some(help))
}
