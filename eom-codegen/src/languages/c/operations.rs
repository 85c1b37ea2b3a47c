//! The functions of the header: operations, residuals, impacts.

use super::{C, comment, inline};
use crate::languages::interface::{
    Impact, MASS_BY_COLUMNS, Operation, Part, Reads, Results, Sizes, has_integrals,
    has_mass_by_columns, of_parameters, reads, relation, rows_asked, sizes, uses,
};
use crate::languages::statements::{Body, body};
use eom_symbolic::SymbolKind;
use eom_symbolic::mechanics::{Law, Unknown};
use eom_symbolic::program::Instruction;

impl C<'_> {
    /// The arguments of an operation before its results, and those of a call of it.
    fn arguments(&self, reads: Reads) -> Vec<String> {
        let mut arguments = vec![
            format!("const {}_parameters *p", self.prefix),
            "double t".to_owned(),
            "const double *q".to_owned(),
        ];
        if reads >= Reads::State {
            arguments.push("const double *v".to_owned());
        }
        if reads >= Reads::All && sizes(self.derivation).r > 0 {
            arguments.push("const double *u".to_owned());
        }
        if reads == Reads::Motion {
            arguments.push("const double *a".to_owned());
        }
        if reads == Reads::Direction {
            arguments.push("const double *weights".to_owned());
            arguments.push("const double *direction".to_owned());
        }
        arguments
    }

    /// `(void)x;` for each argument that a program does not read.
    fn unread(&self, operation: &Operation<'_>) -> Vec<String> {
        if has_integrals(operation.program) {
            return Vec::new();
        }
        let is = |which: fn(SymbolKind) -> bool| reads(self.derivation, operation.program, which);
        let calls = uses(operation.program, &|i| matches!(i, Instruction::Partial(..)));
        let written = matches!(operation.results, Results::Assign(_) | Results::Velocities(_));
        let mut names = Vec::new();
        let mut unless = |read: bool, name: &str| {
            if !read {
                names.push(format!("    (void){name};"));
            }
        };
        unless(calls || is(|kind| matches!(kind, SymbolKind::Parameter(_))), "p");
        unless(is(|kind| kind == SymbolKind::Time), "t");
        unless(is(|kind| matches!(kind, SymbolKind::Coordinate(_))), "q");
        if operation.reads >= Reads::State {
            unless(written || is(|kind| matches!(kind, SymbolKind::Velocity(_))), "v");
        }
        if operation.reads >= Reads::All && sizes(self.derivation).r > 0 {
            unless(is(|kind| matches!(kind, SymbolKind::Input(_))), "u");
        }
        if operation.reads == Reads::Motion {
            unless(is(|kind| matches!(kind, SymbolKind::Acceleration(_))), "a");
        }
        if operation.reads == Reads::Direction {
            unless(is(|kind| matches!(kind, SymbolKind::Weight(_))), "weights");
            unless(is(|kind| matches!(kind, SymbolKind::Direction(_))), "direction");
        }
        names
    }

    /// A function of the header, with those that it needs above it.
    pub(super) fn operation(&self, operation: &Operation<'_>) -> String {
        let Operation { name, program, reads, results, .. } = operation;
        let place = self.place(*reads, None, name);
        let Body { lines, outputs } = body(program, &place);
        let mut lines: Vec<String> = lines.into_iter().map(|line| format!("    {line}")).collect();
        lines.splice(0..0, self.unread(operation));
        let mut arguments = self.arguments(*reads);
        if !operation.forces.is_empty() {
            arguments.push("const double *forces".to_owned());
        }
        let mut notes = Vec::new();
        let mut result = "void";
        let mut given = |part: &Part| {
            if part.size() > 0 {
                notes.push(format!("{}: {} numbers, {}", part.name, part.size(), part.about));
                arguments.push(format!("double *{}", part.name));
            }
        };
        match results {
            Results::Parts(parts) => {
                parts.iter().for_each(&mut given);
                let places =
                    parts.iter().flat_map(|part| (0..part.size()).map(move |i| (part.name, i)));
                lines.extend(
                    places.zip(&outputs).map(|((name, i), o)| format!("    {name}[{i}] = {o};")),
                );
            }
            Results::Symmetric(part) => {
                given(part);
                lines.extend(symmetric(part, &outputs));
            }
            Results::Solve(parts) => {
                parts.iter().for_each(&mut given);
                lines.extend(self.solve(&outputs));
            }
            Results::Affine(part) => {
                if outputs.len() > part.size() {
                    arguments.push("const double *lambda".to_owned());
                }
                notes.push(format!("{}: {} numbers, {}", part.name, part.size(), part.about));
                arguments.push(format!("double *{}", part.name));
                lines.extend(self.affine(part, &outputs));
            }
            Results::Conditions(relations) => {
                result = "int";
                let sides = outputs.chunks(2).zip(relations);
                let all: Vec<String> =
                    sides.map(|(s, r)| format!("{} {} {}", s[0], relation(*r), s[1])).collect();
                lines.push(format!("    return {};", all.join(" && ")));
            }
            Results::Assign(targets) => {
                arguments = arguments.into_iter().map(|a| in_place(&a)).collect();
                lines.extend(assigned(
                    &outputs,
                    targets.iter().map(|target| match target {
                        Unknown::Coordinate(i) => format!("q[{i}]"),
                        Unknown::Velocity(i) => format!("v[{i}]"),
                    }),
                ));
            }
            Results::Velocities(targets) => {
                let m = sizes(self.derivation).m;
                arguments.push("double *v_after".to_owned());
                notes.push(format!("v_after: {m} numbers, in the order of v"));
                lines.push(format!(
                    "    for (int i = 0; i < {m}; i++) {{\n        v_after[i] = v[i];\n    }}"
                ));
                lines.extend(assigned(&outputs, targets.iter().map(|i| format!("v_after[{i}]"))));
            }
        }
        let about =
            std::iter::once(operation.described()).chain(notes).collect::<Vec<_>>().join("\n");
        let mut parts = place.above.into_inner();
        parts.push(self.function(&about, result, name, &arguments, &lines));
        parts.join("\n\n")
    }

    fn function(
        &self,
        about: &str,
        result: &str,
        name: &str,
        arguments: &[String],
        lines: &[String],
    ) -> String {
        let head = format!("static inline {result} {}_{}(", self.prefix, name);
        let mut text = head.clone();
        let mut width = head.len();
        let indent = " ".repeat(8);
        for (i, argument) in arguments.iter().enumerate() {
            let end = if i + 1 == arguments.len() { ")" } else { ", " };
            if width + argument.len() + end.len() > 100 {
                text = text.trim_end().to_owned() + "\n" + &indent;
                width = indent.len();
            }
            text += argument;
            text += end;
            width += argument.len() + end.len();
        }
        format!("{}\n{text}\n{{\n{}\n}}", comment(about), lines.join("\n"))
    }

    fn solve(&self, outputs: &[String]) -> Vec<String> {
        let Sizes { m, k, .. } = sizes(self.derivation);
        let coupled = usize::from(self.derivation.equations.is_coupled());
        let multipliers = if k > 0 { "lambda" } else { "NULL" };
        let mut lines = vec![format!(
            "    double all[{}], work[{}];",
            outputs.len(),
            m * m + k * m + k * k + k
        )];
        lines.extend(outputs.iter().enumerate().map(|(i, o)| format!("    all[{i}] = {o};")));
        lines.push(format!(
            "    {}_solve({m}, {k}, {coupled}, all, a, {multipliers}, work);",
            self.prefix
        ));
        lines
    }

    fn affine(&self, part: &Part, outputs: &[String]) -> Vec<String> {
        let (constants, slopes) = outputs.split_at(part.size());
        let k = slopes.len() / part.size().max(1);
        let rows = constants.iter().enumerate().map(|(i, constant)| {
            if slopes.is_empty() {
                return format!("    {}[{i}] = {constant};", part.name);
            }
            let row = slopes[i * k..(i + 1) * k].join(", ");
            format!(
                "    {{\n        const double row[{k}] = {{{row}}};\n        {}[{i}] = {constant} + {}_dot({k}, row, lambda);\n    }}",
                part.name, self.prefix
            )
        });
        rows.collect()
    }

    /// M where it has no entries.
    pub(super) fn mass_by_columns(&self) -> Option<String> {
        if !has_mass_by_columns(self.derivation) {
            return None;
        }
        let (m, prefix) = (sizes(self.derivation).m, &self.prefix);
        let mut arguments = self.arguments(Reads::Position);
        arguments.push("double *mass".to_owned());
        let lines = [
            format!("    double unit[{m}] = {{0.0}};"),
            format!("    for (int j = 0; j < {m}; j++) {{\n        unit[j] = 1.0;"),
            format!("        {prefix}_mass_product(p, t, q, unit, mass + {m} * j);"),
            "        unit[j] = 0.0;\n    }".to_owned(),
            format!("    for (int j = 0; j < {m}; j++) {{"),
            format!("        for (int i = j + 1; i < {m}; i++) {{"),
            format!("            mass[{m} * i + j] = mass[{m} * j + i];\n        }}\n    }}"),
        ];
        let about = format!(
            "{MASS_BY_COLUMNS}\nmass: {} numbers, rows and columns in the order of v",
            m * m
        );
        Some(self.function(&about, "void", "mass_matrix", &arguments, &lines))
    }

    /// A v + b.
    pub(super) fn residuals(&self) -> Option<String> {
        let Sizes { m, k, .. } = sizes(self.derivation);
        if k == 0 {
            return None;
        }
        let mut arguments = self.arguments(Reads::State);
        arguments.push("double *residuals".to_owned());
        let lines = [
            format!("    double rows[{}], offsets[{k}];", k * m),
            format!("    {}_{}, rows, offsets);", self.prefix, rows_asked(self.derivation)),
            format!("    for (int i = 0; i < {k}; i++) {{"),
            format!(
                "        residuals[i] = {}_dot({m}, rows + {m} * i, v) + offsets[i];\n    }}",
                self.prefix
            ),
        ];
        let about = format!(
            "What the velocities miss the constraints by: A v + b.\nresiduals: {k} numbers, in the order of the rows"
        );
        Some(self.function(&about, "void", "constraint_residuals", &arguments, &lines))
    }

    /// The velocity after the impact of a contact.
    pub(super) fn impact(&self, impact: &Impact) -> String {
        let Sizes { m, c, k, .. } = sizes(self.derivation);
        let prefix = &self.prefix;
        let key = &impact.label;
        let mut arguments = self.arguments(Reads::State);
        arguments.push("double *v_after".to_owned());
        let about = format!(
            "The velocity after an impact at {}: {}. Not numbers where the mass matrix is not positive\n\
             definite. The law may leave the gap closing; look at its rate.\n\
             v_after: {m} numbers, in the order of v",
            impact.key,
            inline(&impact.written)
        );
        let name = format!("impact_{}", impact.label);
        if impact.law == Law::Assign {
            let lines = [format!("    {prefix}_assign_{key}(p, t, q, v, v_after);")];
            return self.function(&about, "void", &name, &arguments, &lines);
        }
        let count = impact.kept.len() + 1 + impact.own;
        let gap = impact.kept.len();
        let mut lines = vec![
            format!(
                "    double metric[{}], rows[{}], offsets[{count}], e[{count}];",
                m * m,
                count * m
            ),
            format!("    double gradients[{}], rates[{c}];", c * m),
            format!(
                "    double numbers[{}_SPACE({m}, {count}) + {m}];\n    int places[{}];",
                prefix.to_uppercase(),
                2 * count
            ),
        ];
        let copy = |from: usize, to: usize, rows: &str, offsets: &str| {
            let (from_at, to_at) = (from * m, to * m);
            format!(
                "    for (int i = 0; i < {m}; i++) {{\n        rows[{to_at} + i] = {rows}[{from_at} + i];\n    }}\n    \
                 offsets[{to}] = {offsets}[{from}];"
            )
        };
        if k > 0 && !impact.kept.is_empty() {
            lines.push(format!(
                "    double a[{}], b[{k}];\n    {prefix}_constraint_rows(p, t, q, a, b);",
                k * m
            ));
            lines
                .extend(impact.kept.iter().enumerate().map(|(to, from)| copy(*from, to, "a", "b")));
        }
        lines.push(format!("    {prefix}_gap_rows(p, t, q, gradients, rates);"));
        lines.push(copy(impact.contact, gap, "gradients", "rates"));
        if impact.own > 0 {
            lines.push(format!(
                "    {prefix}_contact_rows_{key}(p, t, q, rows + {}, offsets + {});",
                (gap + 1) * m,
                gap + 1
            ));
        }
        let project = i32::from(impact.law == Law::Project);
        if let Some(e) = impact.law.restitutions() {
            let Body { lines: computed, outputs } =
                self.of_parameters(&of_parameters(self.derivation, &e));
            lines.extend(computed.iter().map(|line| format!("    {line}")));
            lines.extend((0..count).map(|row| {
                format!(
                    "    e[{row}] = {};",
                    outputs[usize::from(row >= gap) + usize::from(row > gap)]
                )
            }));
        } else {
            lines.push(format!(
                "    for (int i = 0; i < {count}; i++) {{\n        e[i] = 0.0;\n    }}"
            ));
        }
        lines.extend([
            format!("    {prefix}_mass_matrix(p, t, q, metric);"),
            format!("    for (int i = 0; i < {m}; i++) {{\n        v_after[i] = v[i];\n    }}"),
            format!(
                "    {prefix}_impact({m}, {count}, {gap}, {project}, metric, rows, offsets, e, v_after, numbers, places);"
            ),
        ]);
        self.function(&about, "void", &name, &arguments, &lines)
    }

    pub(super) fn relabel(&self, impact: &Impact) -> Option<String> {
        if impact.relabel.is_empty() {
            return None;
        }
        let mut lines = vec!["    double kept;".to_owned()];
        for (a, b) in &impact.relabel {
            for x in ["q", "v"] {
                lines.push(format!(
                    "    kept = {x}[{a}];\n    {x}[{a}] = {x}[{b}];\n    {x}[{b}] = kept;"
                ));
            }
        }
        let arguments = ["double *q".to_owned(), "double *v".to_owned()];
        let about =
            "Exchanges the names that the contact exchanges after its impact map, in place.";
        Some(self.function(about, "void", &format!("relabel_{}", impact.label), &arguments, &lines))
    }
}

/// `const double *q` → `double *q`, where it is written.
fn in_place(argument: &str) -> String {
    match argument {
        "const double *q" | "const double *v" => argument.trim_start_matches("const ").to_owned(),
        _ => argument.to_owned(),
    }
}

/// Values to places, all of them taken before the first is written.
fn assigned(outputs: &[String], places: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = outputs
        .iter()
        .enumerate()
        .map(|(i, o)| format!("    const double new{i} = {o};"))
        .collect();
    lines.extend(places.enumerate().map(|(i, place)| format!("    {place} = new{i};")));
    lines
}

/// A symmetric matrix from its lower triangle.
fn symmetric(part: &Part, outputs: &[String]) -> Vec<String> {
    let m = part.shape[0];
    let mut lines = Vec::new();
    for i in 0..m {
        for j in 0..m {
            let (low, high) = (i.min(j), i.max(j));
            let value = &outputs[high * (high + 1) / 2 + low];
            lines.push(format!("    {}[{}] = {value};", part.name, i * m + j));
        }
    }
    lines
}
