//! Numbers of a motion as users write them: a name, a `let` of the declaration, an expression in its names.

use crate::fault::unknown_name;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::info::SystemInfo;
use eom_core::{State, System as _};
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::{Instant, Numbers};
use eom_interpreter::motion::{Part, Sight, called, numbers, unknown};
use eom_symbolic::name::Name;
use pyo3::prelude::*;
use std::fmt::Write;

/// What is read along a motion.
pub(crate) enum Number {
    Part(Part),
    Written(Box<Numbers>),
    /// An expression of numbers of the motion and of the declaration, which stand for the coordinates of a system of their own.
    Mixed(Box<Numbers>, Vec<Term>),
}

/// What a name in an expression stands for.
pub(crate) enum Term {
    Part(Part),
    Parameter(usize),
    /// A `let`, its rate, an input.
    Written(Box<Numbers>),
}

impl Number {
    /// What a text stands for.
    pub(crate) fn read(py: Python<'_>, text: &str, info: &SystemInfo) -> PyResult<Self> {
        let known = numbers(info);
        if let Some((_, part, _)) = found(text, &known) {
            return Ok(Self::Part(*part));
        }
        let read = || {
            eom_codegen::forget_texts();
            // What is no number of the motion may be one of the declaration.
            Numbers::new(info.source, &[text])
                .map(|numbers| Self::Written(Box::new(numbers)))
                .map_err(|mistakes| {
                    mistakes.first().map_or_else(String::new, Diagnostic::to_string)
                })
                .or_else(|mistake| mixed(text, &known, info).unwrap_or(Err(mistake)))
        };
        py.detach(read).map_err(|mistake| {
            let is_name = text.trim().chars().all(is_of_name);
            let said = if is_name { unknown(text, &known) } else { format!("`{text}`: {mistake}") };
            unknown_name(py, said)
        })
    }

    /// What all of some texts stand for.
    pub(crate) fn all(py: Python<'_>, texts: &[String], info: &SystemInfo) -> PyResult<Vec<Self>> {
        texts.iter().map(|text| Self::read(py, text, info)).collect()
    }

    /// Its value at a state of a motion of a system.
    pub(crate) fn value(&self, system: &Interpreted, at: &mut Sight<'_>) -> f64 {
        match self {
            Self::Part(part) => part.value(at),
            Self::Written(numbers) => written(numbers, system, at),
            Self::Mixed(numbers, terms) => {
                let mut parameters = vec![0.0; system.info().parameters.len()];
                system.parameters(&mut parameters);
                let value = |term: &Term| match term {
                    Term::Part(part) => part.value(at),
                    Term::Parameter(index) => parameters[*index],
                    Term::Written(numbers) => written(numbers, system, at),
                };
                let values: Vec<f64> = terms.iter().map(value).collect();
                let state = State::new(at.state.t, values, vec![0.0; terms.len()]);
                let at =
                    Instant { system, functions: &[], inputs: &[], state: &state, mode: at.mode };
                let mut value = [f64::NAN];
                numbers.of_coordinates(&at, &mut value);
                value[0]
            }
        }
    }
}

/// The value of a number of the declaration.
fn written(numbers: &Numbers, system: &Interpreted, at: &mut Sight<'_>) -> f64 {
    let mut value = [f64::NAN];
    numbers.along(at, system.functions(), &mut value);
    value[0]
}

/// An expression of numbers of the motion and of the declaration by their names; nothing where it has none of the first.
fn mixed(
    text: &str,
    known: &[(String, Part, String)],
    info: &SystemInfo,
) -> Option<Result<Number, String>> {
    let term = |name: &str| {
        let key = Name::parse(name).ascii();
        let part = known.iter().find(|(ascii, ..)| *ascii == key);
        let parameter = || info.parameters.iter().position(|item| item.ascii == key);
        let written = || Numbers::new(info.source, &[name]).ok().map(Box::new).map(Term::Written);
        let part = part.map(|(_, part, _)| Term::Part(*part));
        part.or_else(|| parameter().map(Term::Parameter)).or_else(written)
    };
    let (mut terms, mut renamed): (Vec<Term>, String) = (Vec::new(), String::new());
    let mut words: Vec<&str> = Vec::new();
    let plain = called(text);
    let mut rest = &plain[..];
    while let Some(first) = rest.chars().next() {
        // A name or number to its end, or one other letter.
        let end =
            if is_of_name(first) { rest.find(|c| !is_of_name(c)) } else { Some(first.len_utf8()) };
        let word;
        (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let is_call = rest.trim_start().starts_with('(');
        if !is_of_name(first) || first.is_ascii_digit() || is_call {
            renamed += word;
            continue;
        }
        let known = words.iter().position(|known| *known == word);
        let place = known.or_else(|| {
            terms.push(term(word)?);
            words.push(word);
            Some(words.len() - 1)
        });
        match place {
            Some(place) => _ = write!(renamed, "eom_{place}"),
            None => renamed += word,
        }
    }
    if !terms.iter().any(|term| matches!(term, Term::Part(_))) {
        return None;
    }
    let names: Vec<String> = (0..terms.len()).map(|place| format!("eom_{place}")).collect();
    let source = format!("system Terms {{ coordinates {{ {} }} kinetic = 0; }}", names.join(", "));
    let numbers = Numbers::new(&source, &[&renamed]).map_err(|mistakes| {
        let first = mistakes.into_iter().next();
        let said = first.map(|one| [Some(one.message), one.help]);
        let said: Vec<String> = said.into_iter().flatten().flatten().collect();
        // In the words that were given; a place is one of the other text.
        let pairs = names.iter().zip(&words).rev();
        pairs.fold(said.join("\n  help: "), |said, (name, word)| said.replace(name, word))
    });
    Some(numbers.map(|numbers| Number::Mixed(Box::new(numbers), terms)))
}

/// Letters, digits, dots above letters.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36F}').contains(&c)
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
