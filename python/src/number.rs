//! Numbers of a motion as users write them: a name, a `let` of the declaration, an expression in its names.

use crate::fault::unknown_name;
use eom_core::info::SystemInfo;
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::Numbers;
use eom_interpreter::motion::{Part, Sight, called, numbers, unknown};
use eom_symbolic::name::Name;
use pyo3::prelude::*;

/// What is read along a motion.
pub(crate) enum Number {
    Part(Part),
    Written(Box<Numbers>),
}

impl Number {
    /// What a text stands for.
    pub(crate) fn read(py: Python<'_>, text: &str, info: &SystemInfo) -> PyResult<Self> {
        let known = numbers(info);
        if let Some((_, part, _)) = found(text, &known) {
            return Ok(Self::Part(*part));
        }
        // What is no number of the motion may be one of the declaration.
        let written = || {
            eom_codegen::forget_texts();
            Numbers::new(info.source, &[text]).ok()
        };
        match py.detach(written) {
            Some(written) => Ok(Self::Written(Box::new(written))),
            None => Err(unknown_name(py, unknown(text, &known))),
        }
    }

    /// What all of some texts stand for.
    pub(crate) fn all(py: Python<'_>, texts: &[String], info: &SystemInfo) -> PyResult<Vec<Self>> {
        texts.iter().map(|text| Self::read(py, text, info)).collect()
    }

    /// Its value at a state of a motion of a system.
    pub(crate) fn value(&self, system: &Interpreted, at: &mut Sight<'_>) -> f64 {
        match self {
            Self::Part(part) => part.value(at),
            Self::Written(numbers) => {
                let mut value = [f64::NAN];
                numbers.along(at, system.functions(), &mut value);
                value[0]
            }
        }
    }
}

/// The ASCII name and the symbol of what a text stands for; of an expression both are its text.
pub(crate) fn symbol(py: Python<'_>, text: &str, info: &SystemInfo) -> PyResult<(String, String)> {
    let known = numbers(info);
    if let Some((ascii, _, symbol)) = found(text, &known) {
        return Ok((ascii.clone(), symbol.clone()));
    }
    Number::read(py, text, info).map(|_| (text.to_owned(), text.to_owned()))
}

fn found<'k>(
    text: &str,
    known: &'k [(String, Part, String)],
) -> Option<&'k (String, Part, String)> {
    let key = Name::parse(&called(text.trim())).ascii();
    known.iter().find(|(ascii, ..)| *ascii == key)
}
