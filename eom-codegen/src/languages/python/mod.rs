//! Python: one module of functions on NumPy arrays.

mod dialect;
mod operations;

use super::identifiers::{fields, is_python, renamed};
use super::interface::{
    arguments_of, documented, has_integrals, impacts, names, of_parameters, operations,
    own_functions, relation,
};
use super::statements::{Body, body};
use super::{Language, Target};
use crate::pipeline::Derivation;
use dialect::Place;
use eom_quadrature::{
    CENTRE, COMPONENTS_MAX, DEPTH_MAX, KINKS_MAX, NESTED_MAX, PAIRS, PAIRS_OF_15, PANELS_MAX,
};
use operations::relabel;

pub(super) const TARGET: Target = Target {
    options: "python",
    about: "Python: one module of functions on NumPy arrays, of one state or of many",
    extension: "py",
    comment: ["# ", ""],
    is_reserved: is_python,
    write: Some(module),
};

/// The module of a system.
fn module(derivation: &Derivation) -> String {
    let (parameters, functions) = fields(derivation, Language::Python);
    Python { derivation, parameters, functions }.module()
}

struct Python<'d> {
    derivation: &'d Derivation,
    /// Attributes of the parameters.
    parameters: Vec<String>,
    functions: Vec<String>,
}

/// What every function is given, and how its results are laid out.
const CONVENTION: &str = "\
Every function takes parameters p and a state: the time t, q with one entry a name in POSITIONS
along its first axis, v with one in SPEEDS, inputs u with one in INPUTS. Further axes are states: q
of shape (n,) is one state, of shape (n, N) it is N of them, as solve_ivp(..., vectorized=True) has
them; t, q, v, u broadcast over these axes. Results have them behind their own. The operations are
those of the generated Rust in their order.";

impl Python<'_> {
    fn module(&self) -> String {
        let mut parts = vec![format!("{}\n\nimport numpy as np\n\n{}", self.about(), self.names())];
        parts.push(include_str!("elementary.py").trim_end().to_owned());
        let after_elementary = parts.len();
        parts.extend(self.runtime());
        parts.push(self.parameter_class());
        parts.extend(self.partials());
        let operations = operations(self.derivation);
        parts.extend(operations.iter().map(|operation| self.operation(operation)));
        parts.extend(self.mass_by_columns());
        parts.extend(self.residuals());
        for impact in impacts(self.derivation) {
            parts.push(self.impact(&impact));
            parts.extend(relabel(&impact));
        }
        let own = |text: &str| text.trim_end().to_owned();
        let functions = own_functions(&parts, |function| function.python, own);
        parts.splice(after_elementary..after_elementary, functions);
        parts.join("\n\n\n") + "\n"
    }

    fn about(&self) -> String {
        let named = &self.derivation.model.named;
        let doc = named.doc.lines().next().unwrap_or_default();
        let mut text = format!("{}: {doc}\n\n{CONVENTION}", named.name);
        let renamed = renamed(self.derivation, Language::Python);
        if !renamed.is_empty() {
            text = format!("{text}\n\n{}", renamed.join("\n"));
        }
        docstring(&text)
    }

    fn names(&self) -> String {
        let lines = names(self.derivation).into_iter().map(|(name, entries)| {
            let entries: Vec<String> = entries.iter().map(|e| format!("\"{e}\"")).collect();
            format!("{name} = {}", tuple(&entries))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn runtime(&self) -> Vec<String> {
        let programs = &self.derivation.programs;
        let solves = !programs.dynamics_solved;
        let hits = !self.derivation.model.contacts.is_empty();
        let mut parts = Vec::new();
        let mut add = |text: &str| parts.push(text.trim_end().to_owned());
        if solves || hits {
            add(include_str!("linear.py"));
        }
        if solves {
            add(include_str!("solve.py"));
        }
        if hits {
            add(include_str!("impact.py"));
        }
        let defaults = programs.functions.iter().filter_map(|list| list.default.as_ref());
        if programs.all().into_iter().chain(defaults).any(has_integrals) {
            add(&tables());
            add(include_str!("quadrature.py"));
        }
        parts
    }

    fn place(&self) -> Place<'_> {
        Place { python: self, owner: "p", arguments: None }
    }

    /// `class Parameters`: defaults from those before, `check`.
    fn parameter_class(&self) -> String {
        let model = &self.derivation.model;
        if model.parameters.is_empty() && model.functions.is_empty() {
            return "class Parameters:\n    \"\"\"There are none.\"\"\"\n\n    def check(self):\n        \
                    \"\"\"There is nothing to check.\"\"\""
                .to_owned();
        }
        let mut given = vec!["*".to_owned()];
        let mut docs =
            vec!["The parameters; a default is computed from those before it.\n".to_owned()];
        let (mut set, mut check) = (Vec::new(), Vec::new());
        for (index, parameter) in model.parameters.iter().enumerate() {
            let name = &self.parameters[index];
            docs.push(documented(
                name,
                &parameter.named.doc,
                &parameter.default_text,
                &parameter.bound_text,
            ));
            given.push(if parameter.default.is_some() {
                format!("{name}=None")
            } else {
                name.clone()
            });
            set.extend(self.set(index));
            check.extend(self.checked(index));
        }
        for (function, name) in model.functions.iter().zip(&self.functions) {
            let arguments = arguments_of(self.derivation, function.partial).join(", ");
            docs.push(documented(name, &function.named.doc, &function.default_text, ""));
            docs.push(format!(
                "    A function {name}(orders, {arguments}): its partial derivative of these orders, one\n    \
                 an argument. Given arrays where states are arrays."
            ));
            let default = if function.default.is_some() { "=None" } else { "" };
            given.push(format!("{name}{default}"));
            set.push(format!("self.{name} = {name}"));
        }
        if check.is_empty() {
            check.push("pass".to_owned());
        }
        let lines = |lines: &[String], by: usize| -> String {
            lines.iter().map(|line| indented(line, by)).collect::<Vec<_>>().join("\n")
        };
        let checks = "\"\"\"Raises ValueError where one is not finite or violates its bound.\"\"\"";
        format!(
            "class Parameters:\n{}\n\n    def __init__(self, {}):\n{}\n\n    def check(self):\n        {checks}\n{}",
            indented(&docstring(&docs.join("\n")), 4),
            given.join(", "),
            lines(&set, 8),
            lines(&check, 8)
        )
    }

    /// The lines that set a parameter.
    fn set(&self, index: usize) -> Vec<String> {
        let name = &self.parameters[index];
        let mut lines = Vec::new();
        if let Some(default) = self.derivation.model.parameters[index].default {
            let place = Place { owner: "self", ..self.place() };
            let body = body(&of_parameters(self.derivation, &[default]), &place);
            lines.push(format!("if {name} is None:"));
            lines.extend(body.lines.iter().map(|line| indented(line, 4)));
            lines.push(format!("    {name} = {}", body.outputs[0]));
        }
        lines.push(format!("self.{name} = np.float64({name})"));
        lines
    }

    /// The lines that check it.
    fn checked(&self, index: usize) -> Vec<String> {
        let (name, parameter) = (&self.parameters[index], &self.derivation.model.parameters[index]);
        let raise = |why: &str| {
            let why = why.replace('{', "{{").replace('}', "}}").replace(['"', '\\'], " ");
            format!("    raise ValueError(f\"{name} = {{self.{name}}} {why}\")")
        };
        let mut lines =
            vec![format!("if not np.isfinite(self.{name}):"), raise("is not a finite number")];
        for bound in &parameter.bounds {
            let sides = of_parameters(self.derivation, &[bound.left, bound.right]);
            let place = Place { owner: "self", ..self.place() };
            let Body { lines: computed, outputs } = body(&sides, &place);
            lines.extend(computed);
            let relation = relation(bound.relation);
            lines.push(format!("if not {} {relation} {}:", outputs[0], outputs[1]));
            lines.push(raise(&format!("violates its bound {}", parameter.bound_text)));
        }
        lines
    }

    /// For each list of partials taken together a function.
    fn partials(&self) -> Vec<String> {
        let lists = self.derivation.programs.functions.iter().enumerate();
        let parts = lists.map(|(index, list)| {
            let pool = &self.derivation.model.pool;
            let field = &self.functions[list.function];
            let orders = list.partials.iter().map(|partial| {
                let orders = &partial.orders[..usize::from(partial.arity)];
                tuple(&orders.iter().map(ToString::to_string).collect::<Vec<_>>())
            });
            let orders = tuple(&orders.collect::<Vec<_>>());
            let default = match &list.default {
                None => format!("    raise ValueError(\"the function {field} must be given\")"),
                Some(program) => {
                    let arguments = Some(&pool.signature(list.partials[0]).arguments[..]);
                    let Body { mut lines, outputs } =
                        body(program, &Place { arguments, ..self.place() });
                    lines.push(format!("return {}", list_of(&outputs)));
                    lines.iter().map(|line| indented(line, 4)).collect::<Vec<_>>().join("\n")
                }
            };
            format!(
                "def _partials_{index}(p, *at):\n    if p.{field} is not None:\n        \
                 return [p.{field}(orders, *at) for orders in {orders}]\n{default}"
            )
        });
        parts.collect()
    }
}

/// A text moved in; empty lines stay empty.
fn indented(text: &str, by: usize) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { " ".repeat(by) + line };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn list_of(entries: &[String]) -> String {
    format!("[{}]", entries.join(", "))
}

fn tuple(entries: &[String]) -> String {
    match entries {
        [one] => format!("({one},)"),
        _ => format!("({})", entries.join(", ")),
    }
}

/// A docstring, which its text cannot end.
fn docstring(text: &str) -> String {
    let text = text.trim_end().replace('\\', "\\\\").replace('"', "'");
    if text.contains('\n') {
        format!("\"\"\"{text}\n\"\"\"")
    } else {
        format!("\"\"\"{text}\"\"\"")
    }
}

/// The limits and the rule of the quadrature.
fn tables() -> String {
    let numbers =
        |numbers: &[f64]| tuple(&numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>());
    let pairs = PAIRS.iter().map(|(x, [a, b, c])| format!("    {},", numbers(&[*x, *a, *b, *c])));
    format!(
        "_COMPONENTS_MAX, _NESTED_MAX, _KINKS_MAX = {COMPONENTS_MAX}, {NESTED_MAX}, {KINKS_MAX}\n\
         _PANELS_MAX, _DEPTH_MAX, _PAIRS_OF_15 = {PANELS_MAX}, {DEPTH_MAX}, {PAIRS_OF_15}\n\
         # Weights of the point 0 in the rules of 7, 15 and 31 points; points and their weights.\n\
         _CENTRE = {}\n_PAIRS = (\n{}\n)",
        numbers(&CENTRE),
        pairs.collect::<Vec<_>>().join("\n")
    )
}
