//! Systems of the tests.

use eom_interpreter::Interpreted;

/// The system of a declaration.
pub(crate) fn interpreted(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}: {source}"))
}
