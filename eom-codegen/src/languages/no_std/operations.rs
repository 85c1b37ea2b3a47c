//! The functions of the file: operations, residuals, impacts.

use super::{NoStd, documented_by};
use crate::languages::interface::{
    Impact, MASS_BY_COLUMNS, Operation, Part, Reads, Results, Sizes, has_mass_by_columns,
    of_parameters, relation, rows_asked, sizes,
};
use crate::languages::statements::{Body, body};
use eom_symbolic::mechanics::{Law, Unknown};

impl NoStd<'_> {
    /// The arguments of what reads so much of a state.
    fn arguments(&self, reads: Reads) -> Vec<String> {
        let Sizes { n, m, k, r, .. } = sizes(self.derivation);
        let mut arguments = vec![
            format!("p: &{}", self.parameters_type()),
            "t: f64".to_owned(),
            format!("q: &[f64; {n}]"),
        ];
        if reads >= Reads::State {
            arguments.push(format!("v: &[f64; {m}]"));
        }
        if reads >= Reads::All && r > 0 {
            arguments.push(format!("u: &[f64; {r}]"));
        }
        if reads == Reads::Motion {
            arguments.push(format!("a: &[f64; {m}]"));
        }
        if reads == Reads::Direction {
            arguments.push(format!("weights: &[f64; {}]", m + k));
            arguments.push(format!("direction: &[f64; {}]", n + m + r));
        }
        arguments
    }

    /// A function of the file.
    pub(super) fn operation(&self, operation: &Operation<'_>) -> String {
        let Operation { name, program, reads, results, .. } = operation;
        let Body { mut lines, outputs } = body(program, &self.place());
        let mut arguments = self.arguments(*reads);
        if !operation.forces.is_empty() {
            arguments.push(format!("forces: &[f64; {}]", operation.forces.len()));
        }
        let Sizes { n, m, .. } = sizes(self.derivation);
        if let Results::Affine(part) = results
            && outputs.len() > part.size()
        {
            let count = (outputs.len() - part.size()) / part.size();
            arguments.push(format!("lambda: &[f64; {count}]"));
        }
        let state = format!("([f64; {n}], [f64; {m}])");
        let (result, value, notes) = match results {
            Results::Parts(parts) => returned(parts, |all| split(all, &outputs)),
            Results::Solve(parts) => returned(parts, |all| {
                let solved = self.solve(&outputs);
                if all.len() == 1 { format!("{solved}.0") } else { solved }
            }),
            Results::Symmetric(part) => {
                let places = (0..m).flat_map(|i| (0..m).map(move |j| (i.min(j), i.max(j))));
                let entry =
                    |(low, high): (usize, usize)| outputs[high * (high + 1) / 2 + low].clone();
                let entries: Vec<String> = places.map(entry).collect();
                returned(std::slice::from_ref(part), |_| array(&part.shape, &entries))
            }
            Results::Affine(part) => {
                let entries = affine(part.size(), &outputs);
                returned(std::slice::from_ref(part), |_| array(&part.shape, &entries))
            }
            Results::Conditions(relations) => {
                let sides = outputs.chunks(2).zip(relations);
                let all = sides.map(|(s, r)| format!("{} {} {}", s[0], relation(*r), s[1]));
                (
                    "bool".to_owned(),
                    all.collect::<Vec<_>>().join(" && "),
                    "whether all hold".to_owned(),
                )
            }
            Results::Assign(targets) => {
                lines.push("let (mut q_after, mut v_after) = (*q, *v);".to_owned());
                lines.extend(targets.iter().zip(&outputs).map(|(target, value)| match target {
                    Unknown::Coordinate(i) => format!("q_after[{i}] = {value};"),
                    Unknown::Velocity(i) => format!("v_after[{i}] = {value};"),
                }));
                (state, "(q_after, v_after)".to_owned(), "q and v after it".to_owned())
            }
            Results::Velocities(targets) => {
                lines.push("let mut v_after = *v;".to_owned());
                let targets = targets.iter().zip(&outputs);
                lines.extend(targets.map(|(i, value)| format!("v_after[{i}] = {value};")));
                (format!("[f64; {m}]"), "v_after".to_owned(), "v after it".to_owned())
            }
        };
        lines.push(value);
        let about = operation.described();
        function(&format!("{about}\n\nReturns {notes}."), name, &arguments, &result, &lines)
    }

    /// Accelerations and multipliers by loops.
    fn solve(&self, outputs: &[String]) -> String {
        let Sizes { m, k, .. } = sizes(self.derivation);
        let (mass, rest) = outputs.split_at(m * (m + 1) / 2);
        // Only the lower triangle is read.
        let entry = |i: usize, j: usize| {
            if j <= i { mass[i * (i + 1) / 2 + j].clone() } else { "0.0".to_owned() }
        };
        let entries: Vec<String> =
            (0..m).flat_map(|i| (0..m).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
        let coupled = self.derivation.equations.is_coupled();
        let mut shapes = vec![vec![k, m]];
        if coupled {
            shapes.push(vec![k, m]);
        }
        shapes.extend([vec![m], vec![k]]);
        let mut arguments = vec![array(&[m, m], &entries)];
        let mut at = 0;
        for shape in shapes {
            let size: usize = shape.iter().product();
            arguments.push(array(&shape, &rest[at..at + size]));
            at += size;
        }
        let name = if coupled { "solve_coupled" } else { "solve" };
        format!("math::{name}({})", arguments.join(", "))
    }

    /// M where it has no entries.
    pub(super) fn mass_by_columns(&self) -> Option<String> {
        let m = sizes(self.derivation).m;
        let lines = [
            format!("let (mut unit, mut mass) = ([0.0; {m}], [[0.0; {m}]; {m}]);"),
            format!("for j in 0..{m} {{"),
            "    unit[j] = 1.0;".to_owned(),
            "    mass[j] = mass_product(p, t, q, &unit);".to_owned(),
            "    unit[j] = 0.0;".to_owned(),
            "}".to_owned(),
            format!("for j in 0..{m} {{"),
            format!("    for i in j + 1..{m} {{"),
            "        mass[i][j] = mass[j][i];".to_owned(),
            "    }".to_owned(),
            "}".to_owned(),
            "mass".to_owned(),
        ];
        let about = format!(
            "{MASS_BY_COLUMNS}\n\nReturns mass ({m}, {m}) (rows and columns in the order of v)."
        );
        let arguments = self.arguments(Reads::Position);
        has_mass_by_columns(self.derivation).then(|| {
            function(&about, "mass_matrix", &arguments, &format!("[[f64; {m}]; {m}]"), &lines)
        })
    }

    /// A v + b.
    pub(super) fn residuals(&self) -> Option<String> {
        let Sizes { k, .. } = sizes(self.derivation);
        let lines = [
            format!("let (rows, offsets) = {});", rows_asked(self.derivation)),
            "core::array::from_fn(|i| math::dot(&rows[i], v) + offsets[i])".to_owned(),
        ];
        let about =
            "What the velocities miss the constraints by: A v + b, in the order of the rows.";
        let arguments = self.arguments(Reads::State);
        (k > 0).then(|| {
            function(about, "constraint_residuals", &arguments, &format!("[f64; {k}]"), &lines)
        })
    }

    /// The velocity after the impact of a contact.
    pub(super) fn impact(&self, impact: &Impact) -> String {
        let m = sizes(self.derivation).m;
        let Impact { key, label, written, contact, kept, own, .. } = impact;
        let about = format!(
            "The velocity after an impact at {key}: {written}. Not numbers where the mass matrix is not positive\n\
             definite. The law may leave the gap closing; look at its rate."
        );
        let mut lines = Vec::new();
        if !kept.is_empty() {
            lines.push("let (a, b) = constraint_rows(p, t, q);".to_owned());
        }
        lines.push("let (gradients, rates) = gap_rows(p, t, q);".to_owned());
        if *own > 0 {
            lines.push(format!("let (own, own_offsets) = contact_rows_{label}(p, t, q);"));
        }
        let rows = kept.iter().map(|row| (format!("a[{row}]"), format!("b[{row}]")));
        let gradient = (format!("gradients[{contact}]"), format!("rates[{contact}]"));
        let own = (0..*own).map(|row| (format!("own[{row}]"), format!("own_offsets[{row}]")));
        let rows: Vec<(String, String)> = rows.chain([gradient]).chain(own).collect();
        let e = if impact.law == Law::Assign {
            None
        } else if let Some(e) = impact.law.restitutions() {
            let body = body(&of_parameters(self.derivation, &e), &self.place());
            lines.extend(body.lines);
            Some(body.outputs)
        } else {
            Some(vec!["0.0".to_owned(); 3])
        };
        let list = |entries: Vec<String>| format!("[{}]", entries.join(", "));
        lines.push(match e {
            None => format!(
                "math::assigned(mass_matrix(p, t, q), &{}, v, assign_{label}(p, t, q, v))",
                list(rows.into_iter().map(|(_, offset)| offset).collect())
            ),
            Some(e) => format!(
                "math::impact(mass_matrix(p, t, q), {}, {}, {}, {}, v)",
                list(rows.into_iter().map(|(row, offset)| format!("({row}, {offset})")).collect()),
                kept.len(),
                list(e),
                impact.law == Law::Project
            ),
        });
        let arguments = self.arguments(Reads::State);
        function(&about, &format!("impact_{label}"), &arguments, &format!("[f64; {m}]"), &lines)
    }

    /// The names that a contact exchanges.
    pub(super) fn relabel(&self, impact: &Impact) -> Option<String> {
        let Sizes { n, m, .. } = sizes(self.derivation);
        let mut lines = vec!["let (mut q_after, mut v_after) = (*q, *v);".to_owned()];
        for (a, b) in &impact.relabel {
            lines.push(format!("q_after.swap({a}, {b});"));
            lines.push(format!("v_after.swap({a}, {b});"));
        }
        lines.push("(q_after, v_after)".to_owned());
        let about = "Exchanges the names that the contact exchanges after its impact map.\n\nReturns q and v.";
        let arguments = [format!("q: &[f64; {n}]"), format!("v: &[f64; {m}]")];
        let result = format!("([f64; {n}], [f64; {m}])");
        (!impact.relabel.is_empty()).then(|| {
            function(about, &format!("relabel_{}", impact.label), &arguments, &result, &lines)
        })
    }
}

fn function(
    about: &str,
    name: &str,
    arguments: &[String],
    result: &str,
    lines: &[String],
) -> String {
    let lines: Vec<String> =
        lines.iter().flat_map(|line| line.split('\n')).map(|line| format!("    {line}")).collect();
    format!(
        "{}pub fn {name}({}) -> {result} {{\n{}\n}}",
        documented_by("///", about),
        arguments.join(", "),
        lines.join("\n")
    )
}

/// The type of arrays, what makes their value, and what they are.
fn returned(parts: &[Part], value: impl Fn(&[&Part]) -> String) -> (String, String, String) {
    let parts: Vec<&Part> = parts.iter().filter(|part| part.size() > 0).collect();
    let types: Vec<String> = parts.iter().map(|part| array_type(&part.shape)).collect();
    let notes: Vec<String> =
        parts.iter().map(|part| format!("{} ({})", part.name, part.about)).collect();
    let result =
        if let [one] = &types[..] { one.clone() } else { format!("({})", types.join(", ")) };
    (result, value(&parts), notes.join(", "))
}

/// Values as arrays, one after another.
fn split(parts: &[&Part], values: &[String]) -> String {
    let mut at = 0;
    let arrays = parts.iter().map(|part| {
        at += part.size();
        array(&part.shape, &values[at - part.size()..at])
    });
    let arrays: Vec<String> = arrays.collect();
    if let [one] = &arrays[..] { one.clone() } else { format!("({})", arrays.join(", ")) }
}

/// P0 + P lambda.
fn affine(count: usize, values: &[String]) -> Vec<String> {
    let (constants, slopes) = values.split_at(count);
    if slopes.is_empty() {
        return constants.to_vec();
    }
    let rows = constants.iter().zip(slopes.chunks(slopes.len() / count));
    rows.map(|(c, row)| format!("{c} + math::dot(&[{}], lambda)", row.join(", "))).collect()
}

fn array_type(shape: &[usize]) -> String {
    shape.iter().rev().fold("f64".to_owned(), |inner, size| format!("[{inner}; {size}]"))
}

/// Values as an array of a shape.
fn array(shape: &[usize], values: &[String]) -> String {
    let entries = match shape {
        [_, rest @ ..] if !rest.is_empty() && !values.is_empty() => {
            let size = rest.iter().product();
            values.chunks(size).map(|row| array(rest, row)).collect()
        }
        _ => values.to_vec(),
    };
    format!("[{}]", entries.join(", "))
}
