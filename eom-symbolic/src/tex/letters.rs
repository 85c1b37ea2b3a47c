//! Letters, fonts, accents and functions by their commands.

use crate::function::Function;

/// Greek letters by their commands.
const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("varkappa", "ϰ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("varpi", "ϖ"),
    ("rho", "ρ"),
    ("varrho", "ϱ"),
    ("sigma", "σ"),
    ("varsigma", "ς"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("ell", "ℓ"),
    ("infty", "∞"),
    ("hbar", "ℏ"),
    ("flat", "♭"),
    ("sharp", "♯"),
];

/// Fonts and accents: they make another symbol of a letter.
pub(super) const DRESSED: &[&str] = &[
    "mathbf",
    "boldsymbol",
    "bm",
    "mathcal",
    "mathrm",
    "mathit",
    "mathsf",
    "mathbb",
    "mathfrak",
    "vec",
    "bar",
    "hat",
    "tilde",
    "overline",
    "widehat",
    "widetilde",
    "underline",
    "breve",
    "check",
    "mathring",
    "operatorname",
    "text",
    "textbf",
];

/// Time derivatives.
pub(super) const DOTTED: &[(&str, u8)] = &[("dot", 1), ("ddot", 2), ("dddot", 3)];

/// The letter of a command.
pub(super) fn greek(command: &str) -> Option<&'static str> {
    GREEK.iter().find(|row| row.0 == command).map(|row| row.1)
}

/// Whether a command begins a symbol.
pub(super) fn begins_symbol(command: &str) -> bool {
    greek(command).is_some()
        || DRESSED.contains(&command)
        || DOTTED.iter().any(|row| row.0 == command)
}

/// Functions that have another name in the language.
const NAMED_OTHERWISE: &[(&str, &str)] = &[
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("log", "ln"),
    ("sgn", "sign"),
    ("min", "min"),
    ("max", "max"),
    ("sec", "cos"),
    ("csc", "sin"),
    ("cot", "tan"),
];

/// Those of them that are one over the function.
const RECIPROCALS: &[&str] = &["sec", "csc", "cot"];

/// Whether a command is one over its function.
pub(super) fn is_reciprocal(command: &str) -> bool {
    RECIPROCALS.contains(&command)
}

/// The function of a command, by its name in the language. A modulus is written with bars.
pub(super) fn function(command: &str) -> Option<&'static str> {
    let otherwise = NAMED_OTHERWISE.iter().find(|row| row.0 == command).map(|row| row.1);
    let same =
        || Function::from_name(command).filter(|of| *of != Function::Abs).map(Function::name);
    otherwise.or_else(same)
}
