//! Names of a declaration as identifiers of ASCII letters: Greek letters are spelled out, as in the
//! language itself; other letters by their code point; what the language or another name has taken
//! gets an underscore. The file says at its top what is called otherwise.

use super::Language;
use crate::pipeline::Derivation;
use std::collections::BTreeSet;
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

/// Macros of the C standard library and of compilers that stand for something else wherever their
/// name stands.
const C_MACROS: &[&str] = &[
    "BUFSIZ",
    "CHAR_BIT",
    "CLOCKS_PER_SEC",
    "DOMAIN",
    "EOF",
    "EXIT_FAILURE",
    "EXIT_SUCCESS",
    "FALSE",
    "FILENAME_MAX",
    "FOPEN_MAX",
    "HUGE",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALL",
    "L_tmpnam",
    "MATH_ERREXCEPT",
    "MATH_ERRNO",
    "MB_CUR_MAX",
    "MB_LEN_MAX",
    "NDEBUG",
    "OVERFLOW",
    "PLOSS",
    "PTRDIFF_MAX",
    "PTRDIFF_MIN",
    "RAND_MAX",
    "SEEK_CUR",
    "SEEK_END",
    "SEEK_SET",
    "SING",
    "SIZE_MAX",
    "TLOSS",
    "TMP_MAX",
    "TRUE",
    "UNDERFLOW",
    "WCHAR_MAX",
    "WCHAR_MIN",
    "WEOF",
    "WINT_MAX",
    "WINT_MIN",
    "char16_t",
    "char32_t",
    "complex",
    "errno",
    "far",
    "i386",
    "imaginary",
    "interface",
    "linux",
    "math_errhandling",
    "near",
    "noreturn",
    "small",
    "static_assert",
    "stderr",
    "stdin",
    "stdout",
    "thread_local",
    "typeof",
    "unix",
    "vfork",
    "wchar_t",
];

/// How other macros of the C standard library begin, where a capital letter or a digit follows.
const C_FAMILIES: &[&str] = &[
    "ATOMIC_", "CHAR_M", "DBL_", "DEC", "FE_", "FLT_", "FP_", "INT_", "INT1", "INT3", "INT6",
    "INT8", "INTM", "INTP", "LC_", "LDBL_", "LLONG_", "LONG_", "M_", "PRI", "SCHAR_", "SCN",
    "SHRT_", "SIG", "TIME_", "UCHAR_", "UINT", "ULLONG_", "ULONG_", "USHRT_",
];

/// Words that cannot be names in Python, those of its own functions and values, which arguments of
/// these names would hide, and what the module itself calls so.
const PYTHON_WORDS: &[&str] = &[
    "ArithmeticError",
    "Ellipsis",
    "Exception",
    "False",
    "None",
    "NotImplemented",
    "True",
    "ValueError",
    "abs",
    "all",
    "and",
    "any",
    "as",
    "assert",
    "async",
    "await",
    "bool",
    "break",
    "case",
    "check",
    "class",
    "complex",
    "continue",
    "def",
    "del",
    "dict",
    "divmod",
    "elif",
    "else",
    "enumerate",
    "except",
    "filter",
    "finally",
    "float",
    "for",
    "from",
    "global",
    "hash",
    "id",
    "if",
    "import",
    "in",
    "int",
    "is",
    "isinstance",
    "iter",
    "lambda",
    "len",
    "list",
    "map",
    "match",
    "max",
    "min",
    "next",
    "nonlocal",
    "not",
    "np",
    "object",
    "or",
    "pass",
    "pow",
    "print",
    "property",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "self",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "try",
    "tuple",
    "type",
    "vars",
    "while",
    "with",
    "yield",
    "zip",
];

/// A key in ASCII letters. What begins with an underscore belongs to the language, and gets an n.
fn spelled(key: &str) -> String {
    let mut name = String::new();
    for letter in key.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            name.push(letter);
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "u{:04x}", u32::from(letter));
        }
    }
    if name.starts_with('_') { format!("n{name}") } else { name }
}

/// Whether C has another use for a name.
pub(super) fn is_c(name: &str) -> bool {
    let is_family = |family: &str| {
        name.strip_prefix(family).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
        })
    };
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    // EPERM, EIO, …: the numbers of errors.
    let is_error =
        name.starts_with('E') && name.len() > 3 && name.chars().all(is_capital) || name == "EIO";
    C_WORDS.contains(&name)
        || C_MACROS.contains(&name)
        || C_FAMILIES.iter().any(|family| is_family(family))
        || is_error
}

/// Whether Python, or a line of the module, has another use for a name: `w3` and `i0_1` are values on
/// the way to a default.
pub(super) fn is_python(name: &str) -> bool {
    let is_local = name.strip_prefix(['w', 'i']).is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || c == '_')
    });
    PYTHON_WORDS.contains(&name) || is_local
}

/// Names of one scope: each its own, none that the language has another use for.
struct Scope {
    is_reserved: fn(&str) -> bool,
    taken: BTreeSet<String>,
}

impl Scope {
    fn new(is_reserved: fn(&str) -> bool) -> Self {
        Self { is_reserved, taken: BTreeSet::new() }
    }

    /// The name of a key.
    fn own(&mut self, key: &str) -> String {
        let mut name = spelled(key);
        if (self.is_reserved)(&name) {
            name.push('_');
        }
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }
}

/// The names of parameters, then of functions, each of them its own.
pub(super) fn fields(derivation: &Derivation, language: Language) -> (Vec<String>, Vec<String>) {
    let model = &derivation.model;
    let mut scope = Scope::new(language.target().is_reserved);
    let parameters = model.parameters.iter().map(|p| scope.own(&p.named.key)).collect();
    let functions = model.functions.iter().map(|f| scope.own(&f.named.key)).collect();
    (parameters, functions)
}

/// What functions of contacts, then of events, are called after: `floor` in `impact_floor`.
pub(super) fn labels(derivation: &Derivation) -> (Vec<String>, Vec<String>) {
    let model = &derivation.model;
    let of = |keys: Vec<&String>| {
        let mut scope = Scope::new(|_| false);
        keys.into_iter().map(|key| scope.own(key)).collect()
    };
    (
        of(model.contacts.iter().map(|contact| &contact.named.key).collect()),
        of(model.events.iter().map(|event| &event.named.key).collect()),
    )
}

/// A line for each name that is another one here; nothing where all are as declared.
pub(super) fn renamed(derivation: &Derivation, language: Language) -> Vec<String> {
    let model = &derivation.model;
    let (parameters, functions) = fields(derivation, language);
    let (contacts, events) = labels(derivation);
    let keys = (model.parameters.iter().map(|p| &p.named.key))
        .chain(model.functions.iter().map(|f| &f.named.key))
        .chain(model.contacts.iter().map(|c| &c.named.key))
        .chain(model.events.iter().map(|e| &e.named.key));
    let names = parameters.iter().chain(&functions).chain(&contacts).chain(&events);
    let changed = keys.zip(names).filter(|(key, name)| key != name);
    changed.map(|(key, name)| format!("`{key}` is called {name} here.")).collect()
}

/// The name of a type in small letters: `RollingBall` → `rolling_ball`.
pub(super) fn snake(key: &str) -> String {
    let mut name = String::new();
    let mut before_is_small = false;
    for letter in spelled(key).chars() {
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
        // key, in C, in Python
        let table = [
            ("theta1", "theta1", "theta1"),
            ("lambda", "lambda", "lambda_"),
            ("double", "double_", "double"),
            ("é", "u00e9", "u00e9"),
            ("k_0", "k_0", "k_0"),
            ("np", "np", "np_"),
            ("__class__", "n__class__", "n__class__"),
            ("_Complex", "n_Complex", "n_Complex"),
            ("EOF", "EOF_", "EOF"),
            ("EI", "EI", "EI"),
            ("EPERM", "EPERM_", "EPERM"),
            ("M_PI", "M_PI_", "M_PI"),
            ("M_a", "M_a", "M_a"),
            ("w12", "w12", "w12_"),
            ("i0_1", "i0_1", "i0_1_"),
            ("w", "w", "w"),
        ];
        for (key, in_c, in_python) in table {
            assert_eq!(Scope::new(is_c).own(key), in_c, "{key}");
            assert_eq!(Scope::new(is_python).own(key), in_python, "{key}");
        }
        let mut scope = Scope::new(is_c);
        let names = ["int", "int_", "é", "u00e9"].map(|key| scope.own(key));
        assert_eq!(names, ["int_", "int__", "u00e9", "u00e9_"]);
        for (name, small) in
            [("Penny", "penny"), ("RollingBall", "rolling_ball"), ("ABC2d", "abc2d")]
        {
            assert_eq!(snake(name), small);
        }
    }
}
