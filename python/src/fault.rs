//! What goes wrong, as exceptions of Python: the classes of `eom._errors`, with message and advice.

use eom_codegen::Style;
use eom_codegen::diagnostic::Diagnostic;
use eom_interpreter::request::Refusal;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One thing that is said of a declaration: level, name, message, help, place (line, column, and its bytes),
/// and a second place with what stands there.
pub(crate) type Message = (
    &'static str,
    Option<&'static str>,
    String,
    Option<String>,
    (usize, usize, usize, usize),
    Option<(usize, usize, String)>,
);

/// What is said of a declaration, in plain data: places of it are bound to a thread.
pub(crate) fn said(found: &[Diagnostic]) -> Vec<Message> {
    let one = |one: &Diagnostic| {
        let (line, column) = one.at.line_column();
        let bytes = one.at.byte_range();
        let note = one.note.as_ref().map(|(at, note)| {
            let (line, column) = at.line_column();
            (line, column, note.clone())
        });
        let name = one.diagnosis.map(eom_codegen::diagnosis::Diagnosis::name);
        let place = (line, column, bytes.start, bytes.end);
        (one.level.name(), name, one.message.clone(), one.help.clone(), place, note)
    };
    found.iter().map(one).collect()
}

/// The mistakes of a declaration as the command prints them.
pub(crate) fn rendered(path: &str, source: &str, found: &[Diagnostic]) -> String {
    eom_codegen::rendered(path, source, found, Style::Plain)
}

/// An exception of `eom._errors`, made with these arguments.
pub(crate) fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let made = py
        .import("eom._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1(arguments));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// A name that stands for nothing.
pub(crate) fn unknown_name(py: Python<'_>, message: String) -> PyErr {
    exception(py, "UnknownNameError", (message,))
}

/// Why there is no run or system with what is given, as an exception.
pub(crate) fn raised(py: Python<'_>, refusal: &Refusal) -> PyErr {
    exception(py, "StartError", (refusal.text(), refusal.help()))
}

/// A value that means nothing.
pub(crate) fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// Does something that does not panic: if it does, that is a mistake of eom and told as one.
pub(crate) fn guarded<T>(act: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| defect(&*panic))
}

/// What is said of a panic.
pub(crate) fn defect(panic: &(dyn Any + Send)) -> PyErr {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    let message = format!("a defect of eom: {said}; please report it, with the declaration");
    PyRuntimeError::new_err(message)
}
