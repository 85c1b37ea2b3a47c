//! The functions of the module: operations, residuals, impacts.

use super::{Python, docstring, indented, list_of, tuple};
use crate::languages::interface::{
    Impact, MASS_BY_COLUMNS, Operation, Part, Reads, Results, Sizes, has_integrals,
    has_mass_by_columns, of_parameters, relation, rows_asked, sizes,
};
use crate::languages::statements::{Body, body};
use eom_symbolic::mechanics::{Law, Unknown};
use std::ops::Range;

impl Python<'_> {
    /// A function of the module.
    pub(super) fn operation(&self, operation: &Operation<'_>) -> String {
        let Operation { name, program, reads, results, .. } = operation;
        let about = operation.described();
        let Body { lines, outputs } = body(program, &self.place());
        // Integrals and solves choose by the numbers of one state: states one after another.
        let single = has_integrals(program) || matches!(results, Results::Solve(_));
        let (signature, state) = arguments(*reads);
        let (returned, notes) = self.returned(results, &outputs, single);
        let multipliers = match results {
            Results::Affine(part) if outputs.len() > part.size() => ", *, multipliers",
            _ => "",
        };
        // Behind u, which has a default.
        let forces = if operation.forces.is_empty() { "" } else { ", *, forces" };
        let mut text = vec![
            format!("def {name}({signature}{multipliers}{forces}):"),
            indented(&docstring(&format!("{about}\n\nReturns {notes}.")), 4),
            format!("    t, q, v, u, batch = _state({state})"),
        ];
        if !operation.forces.is_empty() {
            let names: Vec<String> = operation.forces.iter().map(|f| format!("{f:?}")).collect();
            text.push(format!("    forces = _entries(\"forces\", forces, {})", list_of(&names)));
            text.push("    batch = np.broadcast_shapes(batch, forces.shape[1:])".to_owned());
        }
        if *reads == Reads::Motion {
            text.push("    a = _entries(\"a\", a, SPEEDS)".to_owned());
            text.push("    batch = np.broadcast_shapes(batch, a.shape[1:])".to_owned());
        }
        if *reads == Reads::Direction {
            let lists =
                [("weights", "SPEEDS + ROWS"), ("direction", "POSITIONS + SPEEDS + INPUTS")];
            for (name, entries) in lists {
                text.push(format!("    {name} = _entries(\"{name}\", {name}, {entries})"));
                text.push(format!("    batch = np.broadcast_shapes(batch, {name}.shape[1:])"));
            }
        }
        if single {
            let (values, count) = self.values(results, &outputs);
            text.push("\n    def one(t, q, v, u):".to_owned());
            text.extend(lines.iter().map(|line| indented(line, 8)));
            text.push(format!("        return {values}"));
            text.push(format!("\n    values = _each(one, batch, {count}, t, q, v, u)"));
        } else {
            text.extend(lines.iter().map(|line| indented(line, 4)));
        }
        text.extend(returned.iter().map(|line| indented(line, 4)));
        text.join("\n")
    }

    /// What is computed at a single state, and how many numbers that are.
    fn values(&self, results: &Results, outputs: &[String]) -> (String, usize) {
        let values = list_of(outputs);
        if !matches!(results, Results::Solve(_)) {
            return (values, outputs.len());
        }
        let Sizes { m, k, .. } = sizes(self.derivation);
        let coupled = truth(self.derivation.equations.is_coupled());
        (format!("_solve({m}, {k}, {coupled}, {values})"), m + k)
    }

    /// The last lines of an operation, and what they return.
    fn returned(
        &self,
        results: &Results,
        outputs: &[String],
        single: bool,
    ) -> (Vec<String>, String) {
        let value = |index: usize| {
            if single { format!("values[{index}]") } else { outputs[index].clone() }
        };
        let some = |range: Range<usize>| range.map(value).collect::<Vec<_>>();
        let Sizes { n, m, .. } = sizes(self.derivation);
        match results {
            Results::Parts(parts) | Results::Solve(parts) => {
                let mut at = 0;
                let arrays = parts.iter().map(|part| {
                    let values = some(at..at + part.size());
                    at += part.size();
                    array(part, &values)
                });
                let line = format!("return {}", arrays.collect::<Vec<_>>().join(", "));
                let notes: Vec<String> = parts.iter().map(note).collect();
                (vec![line], notes.join(", "))
            }
            Results::Symmetric(part) => {
                let places = (0..m).flat_map(|i| (0..m).map(move |j| (i.min(j), i.max(j))));
                let values: Vec<String> =
                    places.map(|(low, high)| value(high * (high + 1) / 2 + low)).collect();
                (vec![format!("return {}", array(part, &values))], note(part))
            }
            Results::Affine(part) => {
                let values = affine(part, &some(0..outputs.len()));
                (vec![format!("return {}", array(part, &values))], note(part))
            }
            Results::Conditions(relations) => {
                let pairs = relations.iter().enumerate();
                let all = pairs.map(|(i, r)| {
                    format!("({} {} {})", value(2 * i), relation(*r), value(2 * i + 1))
                });
                let all = all.collect::<Vec<_>>().join(" & ");
                (
                    vec![format!("return np.broadcast_to({all}, batch)[()]")],
                    "whether all hold".to_owned(),
                )
            }
            Results::Assign(targets) => {
                let mut lines = vec![copy("q", n), copy("v", m)];
                lines.extend(targets.iter().enumerate().map(|(index, target)| match target {
                    Unknown::Coordinate(i) => format!("q_after[{i}] = {}", value(index)),
                    Unknown::Velocity(i) => format!("v_after[{i}] = {}", value(index)),
                }));
                lines.push("return q_after, v_after".to_owned());
                (lines, "q and v after it".to_owned())
            }
            Results::Velocities(targets) => {
                let targets = targets.iter().enumerate();
                let set = targets.map(|(index, i)| format!("v_after[{i}] = {}", value(index)));
                let last = "return v_after".to_owned();
                (
                    [copy("v", m)].into_iter().chain(set).chain([last]).collect(),
                    "v after it".to_owned(),
                )
            }
        }
    }

    /// M where it has no entries.
    pub(super) fn mass_by_columns(&self) -> Option<String> {
        let m = sizes(self.derivation).m;
        let about = format!(
            "{MASS_BY_COLUMNS}\n\nReturns mass ({m}, {m}) (rows and columns in the order of v)."
        );
        has_mass_by_columns(self.derivation).then(|| {
            format!(
                "def mass_matrix(p, t, q):\n{}\n    \
                 mass = np.stack([mass_product(p, t, q, unit) for unit in np.eye(SPEEDS)])\n    \
                 for i in range(SPEEDS):\n        mass[i, :i] = mass[:i, i]\n    return mass",
                indented(&docstring(&about), 4)
            )
        })
    }

    /// A v + b.
    pub(super) fn residuals(&self) -> Option<String> {
        let Sizes { k, .. } = sizes(self.derivation);
        let rows = rows_asked(self.derivation);
        let about = format!(
            "What the velocities miss the constraints by: A v + b.\n\nReturns residuals ({k},) (in the order of the rows)."
        );
        (k > 0).then(|| {
            format!(
                "def constraint_residuals(p, t, q, v):\n{}\n    t, q, v, u, batch = _state(t, q, v)\n    \
                 rows, offsets = {rows})\n    \
                 return _array(batch, ({k},), [_dot(row, v) + b for row, b in zip(rows, offsets)])",
                indented(&docstring(&about), 4)
            )
        })
    }

    /// The velocity after the impact of a contact.
    pub(super) fn impact(&self, impact: &Impact) -> String {
        let Sizes { m, .. } = sizes(self.derivation);
        let Impact { key, label, contact, .. } = impact;
        let about = format!(
            "The velocity after an impact at {key}: {}.\n\nNot numbers where the mass matrix is not \
             positive definite. The law may leave the gap closing;\nlook at its rate.\n\nReturns v ({m},) after it.",
            impact.written
        );
        let name = format!("impact_{label}");
        let head = format!("def {name}(p, t, q, v):\n{}", indented(&docstring(&about), 4));
        if impact.law == Law::Assign {
            return format!("{head}\n    return assign_{label}(p, t, q, v)");
        }
        let value = |e| inlined(body(&of_parameters(self.derivation, &[e]), &self.place()));
        let [kept, normal, tangential] = match impact.law.restitutions() {
            Some(values) => values.map(value),
            None => ["0.0", "0.0", "0.0"].map(str::to_owned),
        };
        let mut lines = vec!["rows = []".to_owned()];
        if !impact.kept.is_empty() {
            let places: Vec<String> = impact.kept.iter().map(ToString::to_string).collect();
            lines.push("a, b = constraint_rows(p, t, q)".to_owned());
            lines.push(format!("rows += [(a[i], b[i], {kept}) for i in {}]", tuple(&places)));
        }
        lines.push("a, b = gap_rows(p, t, q)".to_owned());
        lines.push(format!("rows.append((a[{contact}], b[{contact}], {normal}))"));
        if impact.own > 0 {
            let own = format!("contact_rows_{label}");
            lines.push(format!("a, b = {own}(p, t, q)"));
            lines.push(format!(
                "rows += [(a[i], b[i], {tangential}) for i in range({})]",
                impact.own
            ));
        }
        let (gap, project) = (impact.kept.len(), truth(impact.law == Law::Project));
        lines.push(format!("return _impact(mass_matrix(p, t, q), rows, {gap}, {project}, v)"));
        let lines: Vec<String> = lines.iter().map(|line| indented(line, 8)).collect();
        format!(
            "{head}\n    t, q, v, u, batch = _state(t, q, v)\n\n    def one(t, q, v):\n{}\n\n    \
             return _array(batch, ({m},), _each(one, batch, {m}, t, q, v))",
            lines.join("\n")
        )
    }
}

/// The value of a short program as one expression: its lines as assignments within.
fn inlined(Body { lines, outputs }: Body) -> String {
    let mut value = outputs.into_iter().next().unwrap_or_default();
    for line in lines.iter().rev() {
        if let Some((name, right)) = line.split_once(" = ") {
            value = replaced(&value, name, right);
        }
    }
    value
}

/// A text with a word replaced by an expression in brackets.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(part_of_word) && !after.starts_with(part_of_word);
        result.push_str(before);
        let put = if whole { format!("({by})") } else { word.to_owned() };
        result.push_str(&put);
        rest = after;
    }
    result + rest
}

/// The names that a contact exchanges.
pub(super) fn relabel(impact: &Impact) -> Option<String> {
    if impact.relabel.is_empty() {
        return None;
    }
    let swaps =
        impact.relabel.iter().map(|(a, b)| format!("    order[[{a}, {b}]] = order[[{b}, {a}]]"));
    let about =
        "Exchanges the names that the contact exchanges after its impact map.\n\nReturns q and v.";
    // The velocity of a coordinate has its index.
    Some(format!(
        "def relabel_{}(q, v):\n{}\n    q, v = np.asarray(q, float), np.asarray(v, float)\n    \
         order = np.arange(max(len(q), len(v)))\n{}\n    return q[order[: len(q)]], v[order[: len(v)]]",
        impact.label,
        indented(&docstring(about), 4),
        swaps.collect::<Vec<_>>().join("\n")
    ))
}

/// The signature of what an operation reads, and the arguments of `_state`.
fn arguments(reads: Reads) -> (&'static str, &'static str) {
    match reads {
        Reads::Position => ("p, t, q", "t, q"),
        Reads::State => ("p, t, q, v", "t, q, v"),
        Reads::All => ("p, t, q, v, u=()", "t, q, v, u"),
        Reads::Motion => ("p, t, q, v, a, u=()", "t, q, v, u"),
        Reads::Direction => ("p, t, q, v, weights, direction, u=()", "t, q, v, u"),
    }
}

fn array(part: &Part, values: &[String]) -> String {
    format!("_array(batch, {}, {})", shape(part), list_of(values))
}

fn note(part: &Part) -> String {
    format!("{} {} ({})", part.name, shape(part), part.about)
}

fn shape(part: &Part) -> String {
    tuple(&part.shape.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// q or v over all states, to be written.
fn copy(name: &str, size: usize) -> String {
    format!("{name}_after = _array(batch, ({size},), list({name}))")
}

fn truth(holds: bool) -> &'static str {
    if holds { "True" } else { "False" }
}

/// P₀ + P λ.
fn affine(part: &Part, values: &[String]) -> Vec<String> {
    let (constants, slopes) = values.split_at(part.size());
    if slopes.is_empty() {
        return constants.to_vec();
    }
    let rows = constants.iter().zip(slopes.chunks(slopes.len() / constants.len()));
    rows.map(|(c, row)| format!("{c} + _dot({}, multipliers)", list_of(row))).collect()
}
