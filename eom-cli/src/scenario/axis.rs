//! What is swept: a name with the values that it takes, listed, in equal steps, or at random.

use super::random::{Distribution, Draw};
use super::value::{Entry, Reader};
use crate::complaint::Complaint;
use crate::names::Target;
use crate::run::settings::Expression;
use eom_core::info::SystemInfo;
use std::fmt;
use toml::de::DeValue;

/// More runs than this are not made by one sweep.
pub(crate) const RUNS_MAX: usize = 10_000_000;

const RANGE: [&str; 3] = ["from", "to", "count"];
const RANDOM: [&str; 4] = ["uniform", "normal", "seed", "count"];

/// The values that a name takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    /// These in their order; there is one at least.
    Listed(Vec<f64>),
    /// So many random ones in their order.
    Drawn(Draw, usize),
    /// A random one in each run.
    Anew(Draw),
}

impl Values {
    /// How many places of the grid they take.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Listed(values) => values.len(),
            Self::Drawn(_, count) => *count,
            Self::Anew(_) => 1,
        }
    }

    /// All of them, where nothing else is swept.
    pub(crate) fn all(&self) -> Vec<f64> {
        (0..self.len()).map(|place| self.at(place, place)).collect()
    }

    /// The value at a place of the grid, in a run.
    pub(crate) fn at(&self, place: usize, run: usize) -> f64 {
        match self {
            Self::Listed(values) => values.get(place).copied().unwrap_or(f64::NAN),
            Self::Drawn(draw, _) => draw.value(place as u64),
            Self::Anew(draw) => draw.value(run as u64),
        }
    }
}

/// A name and the values that it takes, one a run.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    /// What is set.
    pub(crate) target: Target,
    /// Its name as written.
    pub(crate) name: String,
    /// The values.
    pub(crate) values: Values,
}

impl Axis {
    /// The axis of a name, or why there is none.
    pub(super) fn new(target: Target, name: &str, values: Values) -> Result<Self, String> {
        if matches!(target, Target::Function(_)) {
            return Err(format!("`{name}` is a function: sweep a parameter that it depends on"));
        }
        if values.len() == 0 {
            return Err(format!("`{name}` has no values to take"));
        }
        Ok(Self { target, name: name.to_owned(), values })
    }
}

/// The values xₖ = a + (b − a)·k/(n − 1), k = 0 … n − 1; both ends are met exactly.
fn range(from: f64, to: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1);
    (0..count)
        .map(|k| match k {
            0 => from,
            _ if k == last => to,
            _ => from + (to - from) * (k as f64 / last as f64),
        })
        .collect()
}

impl Reader {
    /// `[v1, v2]`, `{ from = a, to = b, count = n }`, or `{ uniform = [a, b], seed = s }`, `normal`; `name` is in
    /// ASCII.
    pub(super) fn axis_values(&mut self, entry: Entry<'_>, name: &str) -> Option<Values> {
        match entry.value.get_ref() {
            DeValue::Array(_) => self.numbers(entry).map(Values::Listed),
            DeValue::Table(table) => {
                let is_random =
                    ["uniform", "normal", "seed"].iter().any(|k| table.contains_key(*k));
                if is_random { self.random(entry, name) } else { self.range(entry) }
            }
            _ => {
                let message = format!(
                    "`{}` takes a list of values, {{ from = a, to = b, count = n }}, or {{ uniform = [a, b], seed = s }}",
                    entry.key
                );
                self.complain(entry.place(), message);
                None
            }
        }
    }

    fn numbers(&mut self, entry: Entry<'_>) -> Option<Vec<f64>> {
        let items = self.list(entry, "numbers");
        let values: Vec<Option<f64>> = items.into_iter().map(|item| self.number(item)).collect();
        values.into_iter().collect()
    }

    /// `{ uniform = [a, b], seed = s, count = n }`, or `normal = [mean, deviation]`; without a count each run has its own.
    fn random(&mut self, entry: Entry<'_>, name: &str) -> Option<Values> {
        let (mut given, mut seed, mut count) = (Vec::new(), None, None);
        for item in self.table(entry) {
            match item.key {
                "uniform" | "normal" => given.push((item.key, self.numbers(item)?)),
                "seed" => seed = Some(self.natural(item)?),
                "count" => count = Some(self.count(item)? as usize),
                _ => {
                    self.unknown(item, "random values have", &RANDOM);
                    return None;
                }
            }
        }
        let distribution = match (given.as_slice(), seed) {
            ([("uniform", bounds)], Some(_)) => match bounds[..] {
                [from, to] if from <= to => Some(Distribution::Uniform { from, to }),
                _ => None,
            },
            ([("normal", numbers)], Some(_)) => match numbers[..] {
                [mean, deviation] if deviation >= 0.0 => {
                    Some(Distribution::Normal { mean, deviation })
                }
                _ => None,
            },
            _ => None,
        };
        let (Some(distribution), Some(seed)) = (distribution, seed) else {
            let message = format!(
                "`{}` needs a seed, and uniform = [a, b] with a <= b or normal = [mean, deviation]",
                entry.key
            );
            self.complain(entry.place(), message);
            return None;
        };
        let draw = Draw::new(distribution, seed, name);
        Some(count.map_or(Values::Anew(draw), |count| Values::Drawn(draw, count)))
    }

    fn range(&mut self, entry: Entry<'_>) -> Option<Values> {
        let (mut from, mut to, mut count) = (None, None, None);
        for item in self.table(entry) {
            match item.key {
                "from" => from = Some(self.number(item)?),
                "to" => to = Some(self.number(item)?),
                "count" => count = Some(self.count(item)? as usize),
                _ => {
                    self.unknown(item, "a range has", &RANGE);
                    return None;
                }
            }
        }
        let (Some(from), Some(to), Some(count)) = (from, to, count) else {
            let message = format!("`{}` needs from, to and count, the number of values", entry.key);
            self.complain(entry.place(), message);
            return None;
        };
        if count > RUNS_MAX {
            self.complain(entry.place(), format!("more than {RUNS_MAX} runs are too many"));
            return None;
        }
        Some(Values::Listed(range(from, to, count)))
    }

    /// A number that depends on nothing.
    fn number(&mut self, entry: Entry<'_>) -> Option<f64> {
        let expression = self.expression(entry)?;
        expression.value(&[]).map_err(|complaint| self.complaints.push(complaint)).ok()
    }
}

/// The axis of `--sweep name=from:to:count` or `--sweep name=v1,v2,…`.
pub(crate) fn axis_of_sweep(text: &str, info: &SystemInfo) -> Result<Axis, Complaint> {
    let written = Written { option: "--sweep", text };
    written.axis("{name}=FROM:TO:COUNT or {name}=V1,V2,…", info, |values| {
        let parts: Vec<&str> = values.split(':').collect();
        match parts.as_slice() {
            // The ranges of the language have no number of values.
            [range] if range.contains("..") => Err(written.wanted("{name}=FROM:TO:COUNT")),
            [listed] => {
                let values = listed_values(listed).into_iter().map(|text| written.number(text));
                values.collect()
            }
            [from, to, count] => {
                let steps = count.trim().parse().ok().filter(|count| *count > 0_usize);
                let Some(count) = steps else {
                    let message =
                        format!("`{}` is not a number of values, 1 or more", count.trim());
                    return Err(written.complaint(message));
                };
                if count > RUNS_MAX {
                    let message = format!("more than {RUNS_MAX} runs are too many");
                    return Err(written.complaint(message));
                }
                Ok(range(written.number(from)?, written.number(to)?, count))
            }
            _ => Err(written.wanted("{name}=FROM:TO:COUNT")),
        }
    })
}

/// The axis of `--along name=from:to`: its two ends.
pub(crate) fn axis_of_ends(text: &str, info: &SystemInfo) -> Result<Axis, Complaint> {
    let written = Written { option: "--along", text };
    written.axis("{name}=FROM:TO", info, |values| match values.split_once(':') {
        Some((from, to)) if !to.contains(':') => {
            let ends = [written.number(from)?, written.number(to)?];
            if ends[0] == ends[1] {
                return Err(written.complaint("the ends are one value"));
            }
            Ok(ends.into())
        }
        _ => Err(written.wanted("{name}=FROM:TO")),
    })
}

/// An axis as an option says it.
#[derive(Clone, Copy)]
struct Written<'t> {
    option: &'static str,
    text: &'t str,
}

impl Written<'_> {
    /// `name=values`, of which the form is told where there are none.
    fn axis(
        self,
        form: &str,
        info: &SystemInfo,
        read: impl Fn(&str) -> Result<Vec<f64>, Complaint>,
    ) -> Result<Axis, Complaint> {
        let Some((name, values)) = self.text.split_once('=') else {
            return Err(self.wanted(form));
        };
        let name = name.trim();
        let said = |message: String| self.complaint(message);
        let target = Target::find(name, info).map_err(said)?;
        Axis::new(target, name, Values::Listed(read(values)?)).map_err(said)
    }

    fn number(self, text: &str) -> Result<f64, Complaint> {
        Expression::argument(&self.to_string(), text.trim()).value(&[])
    }

    /// What should have been written of the name.
    fn wanted(self, form: &str) -> Complaint {
        let name = self.text.split_once('=').map_or(self.text, |(name, _)| name).trim();
        self.complaint(format_args!("write {}", form.replace("{name}", name)))
    }

    fn complaint(self, message: impl fmt::Display) -> Complaint {
        Complaint::new(format!("{self}: {message}"))
    }
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.option, self.text)
    }
}

/// The parts between commas that stand in no parentheses.
fn listed_values(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{listed_values, range};

    #[test]
    fn ranges_meet_both_ends() {
        let table: [(f64, f64, &[f64]); 4] = [
            (0.1, 0.3, &[0.1, 0.2, 0.3]),
            (1.0, 0.0, &[1.0, 0.0]),
            (2.0, 5.0, &[2.0]),
            (0.0, 1.0, &[0.0, 0.25, 0.5, 0.75, 1.0]),
        ];
        for (from, to, values) in table {
            assert_eq!(range(from, to, values.len()), values);
        }
    }

    #[test]
    fn commas_within_parentheses_do_not_separate() {
        let table: [(&str, &[&str]); 3] =
            [("1,2", &["1", "2"]), ("atan2(1, 2),3", &["atan2(1, 2)", "3"]), ("7", &["7"])];
        for (text, parts) in table {
            assert_eq!(listed_values(text), parts);
        }
    }
}
