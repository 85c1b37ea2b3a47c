//! C99: one header of `static inline` functions that keep nothing and allocate nothing.

mod dialect;
mod operations;

use super::identifiers::{fields, is_c, renamed, snake};
use super::interface::{
    Reads, Sizes, arguments_of, documented, has_integrals, impacts, names, of_parameters,
    operations, own_functions, relation, sizes,
};
use super::statements::{Body, body};
use super::{Language, Target};
use crate::pipeline::Derivation;
use dialect::Place;
use eom_quadrature::{
    CENTRE, COMPONENTS_MAX, DEPTH_MAX, KINKS_MAX, NESTED_MAX, PAIRS, PAIRS_OF_15, PANELS_MAX,
};
use eom_symbolic::SymbolId;
use eom_symbolic::program::Program;
use std::cell::RefCell;

pub(super) const TARGET: Target = Target {
    options: "c",
    about: "C99: one header of functions that keep nothing and allocate nothing",
    extension: "h",
    comment: ["/* ", " */"],
    is_reserved: is_c,
    write: Some(header),
};

/// The header of a system.
fn header(derivation: &Derivation) -> String {
    let (parameters, functions) = fields(derivation, Language::C);
    let prefix = snake(&derivation.model.named.key);
    C { derivation, prefix, parameters, functions }.header()
}

struct C<'d> {
    derivation: &'d Derivation,
    prefix: String,
    /// Members of the parameters.
    parameters: Vec<String>,
    functions: Vec<String>,
}

impl C<'_> {
    fn header(&self) -> String {
        let guard = format!("EOM_{}_H", self.prefix.to_uppercase());
        let mut parts = vec![
            self.about(),
            format!(
                "#ifndef {guard}\n#define {guard}\n\n#include <float.h>\n#include <math.h>\n#include <stddef.h>"
            ),
            self.sizes(),
            self.parameter_struct(),
        ];
        let after_elementary = parts.len() + 1;
        parts.extend(self.runtime());
        parts.extend(self.constructors());
        parts.extend(self.partials());
        let operations = operations(self.derivation);
        parts.extend(operations.iter().map(|operation| self.operation(operation)));
        parts.extend(self.mass_by_columns());
        parts.extend(self.residuals());
        for impact in impacts(self.derivation) {
            parts.push(self.impact(&impact));
            parts.extend(self.relabel(&impact));
        }
        parts.push(format!("#endif /* {guard} */"));
        let functions = own_functions(&parts, |function| function.c, |text| self.own(text));
        parts.splice(after_elementary..after_elementary, functions);
        parts.join("\n\n") + "\n"
    }

    /// A runtime text with the names of this system.
    fn own(&self, text: &str) -> String {
        let upper = self.prefix.to_uppercase();
        text.trim_end()
            .replace("eom_", &format!("{}_", self.prefix))
            .replace("EOM_", &format!("{upper}_"))
    }

    fn runtime(&self) -> Vec<String> {
        let programs = &self.derivation.programs;
        let some = |which: &dyn Fn(&Program) -> bool| programs.all().into_iter().any(which);
        let mut parts = vec![self.own(include_str!("elementary.h"))];
        let (solves, hits) =
            (!programs.dynamics_solved, !self.derivation.model.contacts.is_empty());
        if solves || hits {
            parts.push(self.own(include_str!("linear.h")));
        }
        if solves {
            parts.push(self.own(include_str!("solve.h")));
        }
        if hits {
            let text = include_str!("impact.h").replace("eom_SPACE", "EOM_SPACE");
            parts.push(self.own(&text));
        }
        let defaults = programs.functions.iter().filter_map(|list| list.default.as_ref());
        if some(&has_integrals) || defaults.into_iter().any(has_integrals) {
            parts.push(self.own(&tables()));
            parts.push(self.own(include_str!("quadrature.h")));
            parts.push(self.own(
                "/* What an integrand reads beside its variable. */\n\
                 typedef struct {\n    const eom_parameters *p;\n    double t;\n    \
                 const double *q, *v, *u, *captured;\n} eom_frame;",
            ));
        }
        parts
    }

    /// What the file is, with the meaning of its arrays.
    fn about(&self) -> String {
        let model = &self.derivation.model;
        let mut lines =
            vec![format!("{}: {}", model.named.name, first_line(&model.named.doc)), String::new()];
        for (what, names) in names(self.derivation).iter().filter(|(_, names)| !names.is_empty()) {
            let what = match *what {
                "POSITIONS" => "q".to_owned(),
                "SPEEDS" => "v".to_owned(),
                "INPUTS" => "u".to_owned(),
                other => other.to_lowercase(),
            };
            lines.push(format!("{what}: {}", names.join(", ")));
        }
        lines.extend(renamed(self.derivation, Language::C));
        lines.extend([
            String::new(),
            "All functions are pure: they read their arguments and write their results, which must not".to_owned(),
            "overlap. Matrices are stored by rows. The operations are those of the generated Rust in their".to_owned(),
            "order; compile without contraction of a*b + c (-ffp-contract=off) for the same bits. Elementary".to_owned(),
            "functions but sin and cos are those of the C library, whose last bits are its own.".to_owned(),
        ]);
        comment(&lines.join("\n"))
    }

    fn sizes(&self) -> String {
        let Sizes { n, m, k, r, c } = sizes(self.derivation);
        let upper = self.prefix.to_uppercase();
        let sizes = [("POSITIONS", n), ("SPEEDS", m), ("ROWS", k), ("INPUTS", r), ("CONTACTS", c)];
        let entries: Vec<String> =
            sizes.iter().map(|(name, size)| format!("    {upper}_{name} = {size}")).collect();
        format!("enum {{\n{}\n}};", entries.join(",\n"))
    }

    fn parameter_struct(&self) -> String {
        let model = &self.derivation.model;
        let prefix = &self.prefix;
        let mut members = Vec::new();
        for (parameter, name) in model.parameters.iter().zip(&self.parameters) {
            let about = documented(
                name,
                &parameter.named.doc,
                &parameter.default_text,
                &parameter.bound_text,
            );
            members.push(format!("    /* {} */\n    double {name};", inline(&about)));
        }
        for (function, name) in model.functions.iter().zip(&self.functions) {
            let arguments = arguments_of(self.derivation, function.partial).join(", ");
            let about = documented(name, &function.named.doc, &function.default_text, "");
            let about = format!("{about}, a function of {arguments}");
            members.push(format!("    /* {} */\n    {prefix}_function {name};", inline(&about)));
        }
        if members.is_empty() {
            members.push(
                "    /* There are none; C has no empty structure. */\n    double unused;"
                    .to_owned(),
            );
        }
        let function = if model.functions.is_empty() {
            String::new()
        } else {
            format!(
                "/* A smooth function that is given at run time: the partial derivative of these orders, one an\n \
                 * argument, at a point; {{0, 0, 0}} is the function itself. NULL stands for that of the\n \
                 * declaration. */\n\
                 typedef struct {{\n    double (*partial)(const void *context, const double *point, const int *orders);\n    \
                 const void *context;\n}} {prefix}_function;\n\n"
            )
        };
        format!("{function}typedef struct {{\n{}\n}} {prefix}_parameters;", members.join("\n"))
    }

    /// Defaults and bounds of the parameters.
    fn constructors(&self) -> Vec<String> {
        let model = &self.derivation.model;
        let prefix = &self.prefix;
        let mut lines = Vec::new();
        for (parameter, name) in model.parameters.iter().zip(&self.parameters) {
            let Some(default) = parameter.default else { continue };
            let Body { lines: computed, outputs } =
                self.of_parameters(&of_parameters(self.derivation, &[default]));
            lines.push(format!("    if (p->{name} != p->{name}) {{"));
            lines.extend(computed.iter().map(|line| format!("        {line}")));
            lines.push(format!("        p->{name} = {};\n    }}", outputs[0]));
        }
        if lines.is_empty() {
            lines.push("    (void)p;".to_owned());
        }
        let mut unset: Vec<String> =
            self.parameters.iter().map(|name| format!("    p.{name} = NAN;")).collect();
        for name in &self.functions {
            unset.push(format!("    p.{name}.partial = NULL;\n    p.{name}.context = NULL;"));
        }
        if unset.is_empty() {
            unset.push("    p.unused = 0.0;".to_owned());
        }
        vec![
            format!(
                "/* Gives every parameter that is NAN its default, computed from those before it. One without a\n \
                 * default stays NAN. */\n\
                 static inline void {prefix}_complete({prefix}_parameters *p)\n{{\n{}\n}}",
                lines.join("\n")
            ),
            format!(
                "/* All parameters and functions at their defaults. */\n\
                 static inline {prefix}_parameters {prefix}_defaults(void)\n{{\n    {prefix}_parameters p;\n{}\n    \
                 {prefix}_complete(&p);\n    return p;\n}}",
                unset.join("\n")
            ),
            self.check(),
        ]
    }

    fn check(&self) -> String {
        let prefix = &self.prefix;
        let mut lines = Vec::new();
        for (index, parameter) in self.derivation.model.parameters.iter().enumerate() {
            let name = &self.parameters[index];
            lines.push(format!(
                "    if (!(fabs(p->{name}) <= DBL_MAX)) {{\n        return {};\n    }}",
                index + 1
            ));
            for bound in &parameter.bounds {
                let program = of_parameters(self.derivation, &[bound.left, bound.right]);
                let Body { lines: computed, outputs } = self.of_parameters(&program);
                lines.push("    {".to_owned());
                lines.extend(computed.iter().map(|line| format!("        {line}")));
                let (left, right) = (&outputs[0], &outputs[1]);
                lines.push(format!(
                    "        if (!({left} {} {right})) {{\n            return {};\n        }}\n    }}",
                    relation(bound.relation),
                    index + 1
                ));
            }
        }
        if lines.is_empty() {
            lines.push("    (void)p;".to_owned());
        }
        format!(
            "/* 0 where all parameters are finite and within their bounds, else the place of the first that is\n \
             * not, from 1. */\n\
             static inline int {prefix}_check(const {prefix}_parameters *p)\n{{\n{}\n    return 0;\n}}",
            lines.join("\n")
        )
    }

    fn of_parameters(&self, program: &Program) -> Body {
        body(program, &self.place(Reads::Position, None, "values"))
    }

    fn place<'c>(
        &'c self,
        reads: Reads,
        arguments: Option<&'c [SymbolId]>,
        name: &str,
    ) -> Place<'c> {
        Place { c: self, reads, arguments, above: RefCell::default(), name: name.to_owned() }
    }

    /// For each list of partials taken together a function.
    fn partials(&self) -> Vec<String> {
        let model = &self.derivation.model;
        let lists = self.derivation.programs.functions.iter().enumerate();
        let mut parts = Vec::new();
        for (index, list) in lists {
            let (prefix, field) = (&self.prefix, &self.functions[list.function]);
            let count = list.partials.len();
            let name = format!("partials_{index}");
            let arguments = model.pool.signature(list.partials[0]).arguments.clone();
            let place = self.place(Reads::Position, Some(&arguments), &name);
            let orders: Vec<String> = list
                .partials
                .iter()
                .map(|p| format!("{{{}, {}, {}}}", p.orders[0], p.orders[1], p.orders[2]))
                .collect();
            let default = match &list.default {
                None => format!(
                    "    for (int i = 0; i < {count}; i++) {{\n        out[i] = NAN;\n    }}"
                ),
                Some(program) => {
                    let Body { lines, outputs } = body(program, &place);
                    let mut lines: Vec<String> = lines.iter().map(|l| format!("    {l}")).collect();
                    lines.extend(
                        outputs.iter().enumerate().map(|(i, o)| format!("    out[{i}] = {o};")),
                    );
                    lines.join("\n")
                }
            };
            parts.extend(place.above.into_inner());
            parts.push(format!(
                "static inline void {prefix}_{name}(const {prefix}_parameters *p, const double *q, double *out)\n{{\n    \
                 if (p->{field}.partial != NULL) {{\n        const int orders[{count}][3] = {{{}}};\n        \
                 for (int i = 0; i < {count}; i++) {{\n            \
                 out[i] = p->{field}.partial(p->{field}.context, q, orders[i]);\n        }}\n        return;\n    }}\n    \
                 (void)q;\n{default}\n}}",
                orders.join(", ")
            ));
        }
        parts
    }
}

/// The limits and the rule of the quadrature.
fn tables() -> String {
    let number = |x: f64| format!("{x:?}");
    let list = |numbers: Vec<String>| format!("{{{}}}", numbers.join(", "));
    let pairs = PAIRS
        .iter()
        .map(|(x, weights)| list(std::iter::once(*x).chain(*weights).map(number).collect()));
    let pairs: Vec<String> = pairs.collect();
    format!(
        "enum {{\n    EOM_COMPONENTS_MAX = {COMPONENTS_MAX},\n    EOM_NESTED_MAX = {NESTED_MAX},\n    \
         EOM_KINKS_MAX = {KINKS_MAX},\n    EOM_PANELS_MAX = {PANELS_MAX},\n    EOM_DEPTH_MAX = {DEPTH_MAX},\n    \
         EOM_PAIRS = {},\n    EOM_PAIRS_OF_15 = {PAIRS_OF_15}\n}};\n\n\
         /* Weights of the point 0 in the rules of 7, 15 and 31 points; points and their weights. */\n\
         #define EOM_CENTRE {}\n#define EOM_PAIRS_TABLE {{ \\\n    {} \\\n}}",
        PAIRS.len(),
        list(CENTRE.iter().map(|w| number(*w)).collect()),
        pairs.join(", \\\n    ")
    )
}

/// The first line of a text.
fn first_line(doc: &str) -> String {
    doc.lines().next().unwrap_or_default().to_owned()
}

/// A text that cannot end a comment.
fn inline(text: &str) -> String {
    text.trim().replace("*/", "* /").replace("/*", "/ *")
}

fn comment(text: &str) -> String {
    format!("/* {} */", inline(text).replace('\n', "\n * ").replace(" * \n", " *\n"))
}
