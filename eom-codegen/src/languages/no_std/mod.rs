//! Rust without `std` and without dependencies: one file of functions on arrays.
//!
//! It is the root of a crate or a module of one. What the functions call stands in it, as far as it is
//! called: elementary functions with the bits of `eom-elementary`, products rounded once and roots by
//! integers, since `core` has neither.

mod dialect;
mod operations;
mod pieces;

use super::identifiers::{fields, renamed};
use super::interface::{
    arguments_of, documented, impacts, names, of_parameters, operations, relation,
};
use super::statements::{Body, body};
use super::{Language, Target, one_line};
use crate::pipeline::Derivation;
use dialect::Place;

pub(super) const TARGET: Target = Target {
    options: "rust --no-std",
    about: "Rust without `std` and without dependencies: one file of functions on arrays",
    extension: "rs",
    comment: ["// ", ""],
    is_reserved: |name| syn::parse_str::<syn::Ident>(name).is_err(),
    write: Some(file),
};

/// What every function is given.
const CONVENTION: &str = "\
All functions are pure and allocate nothing. They take the parameters p and a state: the time t, q with an
entry a name in POSITIONS, v with one in SPEEDS, inputs u with one in INPUTS. Matrices are arrays of their
rows. The operations are those of the generated Rust that runs on `eom-core`, in their order: the same bits.

The file is a crate of its own or a module of one. It needs Rust 1.85.";

const ATTRIBUTES: &str = "\
#![no_std]
#![forbid(unsafe_code)]
#![allow(unused_attributes, unused_variables, unused_mut, unused_parens, non_snake_case)]
#![allow(clippy::all, clippy::pedantic)]";

/// The file of a system.
fn file(derivation: &Derivation) -> String {
    let (parameters, functions) = fields(derivation, Language::NoStd);
    NoStd { derivation, parameters, functions }.file()
}

struct NoStd<'d> {
    derivation: &'d Derivation,
    /// Fields of the parameters.
    parameters: Vec<String>,
    functions: Vec<String>,
}

impl NoStd<'_> {
    fn file(&self) -> String {
        let mut parts = vec![self.about() + ATTRIBUTES, self.names(), self.parameter_struct()];
        parts.push(self.parameter_methods());
        parts.extend(self.partials());
        let operations = operations(self.derivation);
        parts.extend(operations.iter().map(|operation| self.operation(operation)));
        parts.extend(self.mass_by_columns());
        parts.extend(self.residuals());
        for impact in impacts(self.derivation) {
            parts.push(self.impact(&impact));
            parts.extend(self.relabel(&impact));
        }
        let math = pieces::module(&parts.join("\n"));
        parts.extend(math);
        parts.join("\n\n") + "\n"
    }

    fn about(&self) -> String {
        let named = &self.derivation.model.named;
        let doc = named.doc.lines().next().unwrap_or_default();
        let renamed = renamed(self.derivation, Language::NoStd).join("\n\n");
        let text = format!("{}: {doc}\n\n{CONVENTION}\n\n{renamed}", named.name);
        documented_by("//!", text.trim_end())
    }

    fn names(&self) -> String {
        let lines = names(self.derivation).into_iter().map(|(name, entries)| {
            format!("pub const {name}: [&str; {}] = {entries:?};", entries.len())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn place(&self) -> Place<'_> {
        let (derivation, parameters) = (self.derivation, &self.parameters);
        Place { derivation, parameters, owner: "p", arguments: None }
    }

    /// Functions are borrowed.
    fn parameters_type(&self) -> &'static str {
        if self.functions.is_empty() { "Parameters" } else { "Parameters<'_>" }
    }

    fn parameter_struct(&self) -> String {
        let model = &self.derivation.model;
        let mut fields = Vec::new();
        for (parameter, name) in model.parameters.iter().zip(&self.parameters) {
            let about = documented(
                name,
                &parameter.named.doc,
                &parameter.default_text,
                &parameter.bound_text,
            );
            fields.push(format!("    {}    pub {name}: f64,\n", documented_by("///", &about)));
        }
        for (function, name) in model.functions.iter().zip(&self.functions) {
            let arguments = arguments_of(self.derivation, function.partial);
            let about = documented(name, &function.named.doc, &function.default_text, "");
            let about = format!(
                "{about}, of {}: its partial derivative of these orders, one an argument, at a point.",
                arguments.join(", ")
            );
            let count = arguments.len();
            fields.push(format!(
                "    {}    pub {name}: Option<&'f dyn Fn([f64; {count}], [u8; {count}]) -> f64>,\n",
                documented_by("///", &about)
            ));
        }
        let (derived, lifetime) = if self.functions.is_empty() {
            ("Debug, Clone, Copy, PartialEq", "")
        } else {
            ("Clone, Copy", "<'f>")
        };
        format!(
            "/// The parameters; a default is computed from those before it.\n#[derive({derived})]\n\
             pub struct Parameters{lifetime} {{\n{}}}",
            fields.concat()
        )
    }

    /// Defaults and bounds.
    fn parameter_methods(&self) -> String {
        let own = self.parameters_type();
        let numbers = self.parameters.iter().map(|name| format!("{name}: f64::NAN"));
        let functions = self.functions.iter().map(|name| format!("{name}: None"));
        let unset: Vec<String> = numbers.chain(functions).collect();
        let (mut complete, mut check) = (Vec::new(), Vec::new());
        for index in 0..self.parameters.len() {
            complete.extend(self.completed(index));
            check.extend(self.checked(index));
        }
        check.push("Ok(())".to_owned());
        let lines = |lines: &[String]| -> String {
            lines.iter().flat_map(|line| ["        ", line, "\n"]).collect()
        };
        format!(
            "impl Default for {own} {{\n    /// All at their defaults; one without a default is NaN.\n    \
             fn default() -> Self {{\n        let mut p = Self {{ {} }};\n        p.complete();\n        p\n    }}\n}}\n\n\
             impl {own} {{\n    /// Gives every parameter that is NaN its default, computed from those before it.\n    \
             pub fn complete(&mut self) {{\n{}    }}\n\n    \
             /// The first parameter that is not finite or not within its bounds, as an error.\n    \
             pub fn check(&self) -> Result<(), &'static str> {{\n{}    }}\n}}",
            unset.join(", "),
            lines(&complete),
            lines(&check)
        )
    }

    /// The lines that give a parameter its default.
    fn completed(&self, index: usize) -> Vec<String> {
        let name = &self.parameters[index];
        let Some(default) = self.derivation.model.parameters[index].default else {
            return Vec::new();
        };
        let place = Place { owner: "self", ..self.place() };
        let Body { lines, outputs } = body(&of_parameters(self.derivation, &[default]), &place);
        let mut all = vec![format!("if self.{name}.is_nan() {{")];
        all.extend(lines.iter().map(|line| format!("    {line}")));
        all.push(format!("    self.{name} = {};", outputs[0]));
        all.push("}".to_owned());
        all
    }

    /// The lines that check it.
    fn checked(&self, index: usize) -> Vec<String> {
        let name = &self.parameters[index];
        let refuse = |condition: &str| format!("if !({condition}) {{ return Err(\"{name}\"); }}");
        let mut all = vec![refuse(&format!("self.{name}.is_finite()"))];
        for bound in &self.derivation.model.parameters[index].bounds {
            let sides = of_parameters(self.derivation, &[bound.left, bound.right]);
            let place = Place { owner: "self", ..self.place() };
            let Body { lines, outputs } = body(&sides, &place);
            all.extend(lines);
            all.push(refuse(&format!(
                "{} {} {}",
                outputs[0],
                relation(bound.relation),
                outputs[1]
            )));
        }
        all
    }

    /// For each list of partials taken together a function.
    fn partials(&self) -> Vec<String> {
        let lists = self.derivation.programs.functions.iter().enumerate();
        let parts = lists.map(|(index, list)| {
            let field = &self.functions[list.function];
            let arguments = &self.derivation.model.pool.signature(list.partials[0]).arguments[..];
            let (arity, count) = (arguments.len(), list.partials.len());
            let orders: Vec<String> =
                list.partials.iter().map(|partial| format!("{:?}", &partial.orders[..arity])).collect();
            let default = match &list.default {
                None => format!("    [f64::NAN; {count}]"),
                Some(program) => {
                    let place = Place { arguments: Some(arguments), ..self.place() };
                    let Body { mut lines, outputs } = body(program, &place);
                    lines.push(format!("[{}]", outputs.join(", ")));
                    let lines = lines.iter().flat_map(|line| line.split('\n'));
                    lines.map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
                }
            };
            format!(
                "fn partials_{index}(p: &{}, at: [f64; {arity}]) -> [f64; {count}] {{\n    \
                 if let Some(f) = p.{field} {{\n        return [{}].map(|orders| f(at, orders));\n    }}\n{default}\n}}",
                self.parameters_type(),
                orders.join(", ")
            )
        });
        parts.collect()
    }
}

/// A text as lines of a comment that documents.
fn documented_by(mark: &str, text: &str) -> String {
    let line = |line: &str| format!("{mark} {}", one_line(line)).trim_end().to_owned() + "\n";
    text.lines().map(line).collect()
}
