//! Names of a declaration as identifiers of ASCII letters: Greek letters are spelled out, as in the
//! language itself; other letters by their code point; a reserved word gets an underscore.

use crate::pipeline::Derivation;
use std::fmt::Write as _;

/// Words that cannot be names in C, in C++ (which may include the header), or are macros of `math.h`.
const C_WORDS: &[&str] = &[
    "NULL",
    "NAN",
    "INFINITY",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "const",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
    "xor_eq",
];

/// Words that cannot be names in Python.
const PYTHON_WORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try",
    "while", "with", "yield",
];

/// The identifier of the key of a name.
fn identifier(key: &str, words: &[&str]) -> String {
    let mut name = String::new();
    for letter in key.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            name.push(letter);
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "u{:04x}", u32::from(letter));
        }
    }
    if words.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// In C.
pub(super) fn c(key: &str) -> String {
    identifier(key, C_WORDS)
}

/// In Python.
pub(super) fn python(key: &str) -> String {
    identifier(key, PYTHON_WORDS)
}

/// The names of parameters, then of functions, each of them its own.
pub(super) fn fields(
    derivation: &Derivation,
    of: fn(&str) -> String,
) -> (Vec<String>, Vec<String>) {
    let model = &derivation.model;
    let mut taken: Vec<String> = Vec::new();
    let mut own = |key: &str| {
        let mut name = of(key);
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        name
    };
    let parameters = model.parameters.iter().map(|p| own(&p.named.key)).collect();
    let functions = model.functions.iter().map(|f| own(&f.named.key)).collect();
    (parameters, functions)
}

/// The name of a type in small letters: `RollingBall` → `rolling_ball`.
pub(super) fn snake(key: &str) -> String {
    let mut name = String::new();
    let mut before_is_small = false;
    for letter in identifier(key, &[]).chars() {
        if letter.is_ascii_uppercase() && before_is_small {
            name.push('_');
        }
        before_is_small = !letter.is_ascii_uppercase() && letter != '_';
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        // table
        let cases = [
            ("theta1", "theta1", "theta1"),
            ("lambda", "lambda", "lambda_"),
            ("double", "double_", "double"),
            ("é", "u00e9", "u00e9"),
            ("k_0", "k_0", "k_0"),
        ];
        for (key, in_c, in_python) in cases {
            assert_eq!((c(key).as_str(), python(key).as_str()), (in_c, in_python), "{key}");
        }
        for (name, small) in
            [("Penny", "penny"), ("RollingBall", "rolling_ball"), ("ABC2d", "abc2d")]
        {
            assert_eq!(snake(name), small);
        }
    }
}
