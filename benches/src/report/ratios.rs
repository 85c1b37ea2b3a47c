//! The table: our times beside the best peer and the hand-written limit.

use super::precision::{Curve, curves};
use super::{Row, scientific};
use crate::contest::Role;
use crate::judge::Figure;
use crate::work::{LINKS, Target, Unit, Work, digits};
use std::fmt::Write as _;

/// One line of the table. Times in ns.
struct Line {
    work: String,
    unit: Unit,
    ours: Option<(String, f64, String)>,
    peer: Option<(String, f64)>,
    /// The peer that the target names, where it does.
    rival: Option<f64>,
    limit: Option<(String, f64)>,
    /// The function whose derivatives are taken.
    function: Option<f64>,
    target: Target,
}

/// The table of the ratios, in Markdown.
pub fn ratios(rows: &[Row]) -> String {
    let mut text = String::from(
        "| work | ours | error · energy · constraint | best peer | peer / ours | by hand | \
         ours / by hand | to reach | reached |\n\
         | --- | ---: | --- | ---: | ---: | ---: | ---: | --- | --- |\n",
    );
    for row in rows {
        for line in lines(row) {
            let _ = writeln!(text, "{}", line.markdown());
        }
    }
    if let Some(line) = growth(rows) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A row is a line, but a curve is one for each error.
fn lines(row: &Row) -> Vec<Line> {
    match row.work {
        Work::Precision(problem) => {
            let curves = curves(row);
            let errors = problem.errors().iter();
            errors.map(|error| line_at(row.work, &curves, *error)).collect()
        }
        _ => vec![line(row)],
    }
}

fn line(row: &Row) -> Line {
    let target = row.work.target();
    let rival = target.peers.and_then(|(_, tool)| row.best(Role::Peer, tool));
    let named = |role| row.best(role, None).map(|(entry, best)| (entry.name.clone(), best.ns));
    Line {
        work: row.work.title(),
        unit: row.work.unit(),
        ours: row.best(Role::Ours, None).map(|(entry, best)| {
            let name = entry.name.trim_start_matches("ours").trim_start_matches(", ");
            (name.to_owned(), best.ns, quality(&best))
        }),
        peer: named(Role::Peer),
        rival: rival.map(|(_, best)| best.ns),
        limit: named(Role::Limit),
        function: row.function(),
        target,
    }
}

/// A line of the time to an error, interpolated on each curve: infinite where the error is not reached.
fn line_at(work: Work, curves: &[Curve], error: f64) -> Line {
    let best = |role: Role| {
        let here = curves.iter().filter(|curve| curve.role == role);
        let times =
            here.map(|curve| (curve.name.clone(), curve.time(error).unwrap_or(f64::INFINITY)));
        times.min_by(|(_, a), (_, b)| a.total_cmp(b))
    };
    let peer = best(Role::Peer);
    let (method, ours) = best(Role::Ours).filter(|(_, ns)| ns.is_finite()).unzip();
    let shown = method.unwrap_or_default().replace("ours, ", "");
    Line {
        work: format!("{} to an error of {error:.0e}", work.title()),
        unit: work.unit(),
        ours: ours.map(|ns| (shown, ns, scientific(Some(error)))),
        rival: peer.as_ref().map(|(_, ns)| *ns),
        peer,
        limit: best(Role::Limit),
        function: None,
        target: work.target(),
    }
}

/// Error, energy and constraint of a figure.
fn quality(figure: &Figure) -> String {
    [figure.error, figure.energy, figure.constraint].map(scientific).join(" · ")
}

impl Line {
    fn markdown(&self) -> String {
        let unit = self.unit;
        let time = |named: &Option<(String, f64)>| match named {
            Some((_, ns)) if ns.is_infinite() => "not reached".to_owned(),
            Some((name, ns)) => format!("{} ({name})", unit.show(*ns)),
            None => "–".to_owned(),
        };
        let ours = match &self.ours {
            Some((name, ns, _)) if name.is_empty() => unit.show(*ns),
            Some((name, ns, _)) => format!("{} ({name})", unit.show(*ns)),
            None => "–".to_owned(),
        };
        let quality = self.ours.as_ref().map_or("–", |(_, _, quality)| quality);
        let ratio = |above: Option<f64>, below: Option<f64>| match (above, below) {
            (Some(above), Some(below)) if above.is_finite() && below.is_finite() => {
                digits(above / below)
            }
            _ => "–".to_owned(),
        };
        let ns = |named: &Option<(String, f64)>| named.as_ref().map(|(_, ns)| *ns);
        let own = self.ours.as_ref().map(|(_, ns, _)| *ns);
        let cells = [
            self.work.clone(),
            ours,
            quality.to_owned(),
            time(&self.peer),
            ratio(ns(&self.peer), own),
            time(&self.limit),
            ratio(own, ns(&self.limit)),
            self.target.words(unit),
            self.verdict().to_owned(),
        ];
        format!("| {} |", cells.join(" | "))
    }

    /// Whether all is reached that is asked for; "?" where something of it was not measured.
    fn verdict(&self) -> &'static str {
        let limit = self.limit.as_ref().map(|(_, ns)| *ns);
        let Some((_, ours, _)) = &self.ours else {
            return if self.target == Target::default() { "–" } else { "no" };
        };
        let below_limit =
            self.target.limit.map(|factor| limit.map(|limit| ours <= &(factor * limit)));
        let ahead = self.target.peers.map(|(factor, _)| {
            // To be twice ahead may be more than anyone can; to be ahead is not.
            let possible = if factor < 1.0 { limit.unwrap_or(0.0) } else { 0.0 };
            self.rival.map(|rival| *ours <= (factor * rival).max(possible.min(rival)))
        });
        let of_function = (self.target.function)
            .map(|factor| self.function.map(|function| *ours <= factor * function));
        let in_time = self.target.time.map(|time| Some(*ours <= time));
        let asked: Vec<Option<bool>> =
            [below_limit, ahead, of_function, in_time].into_iter().flatten().collect();
        match asked {
            asked if asked.is_empty() => "–",
            asked if asked.contains(&Some(false)) => "no",
            asked if asked.contains(&None) => "?",
            _ => "yes",
        }
    }
}

impl Target {
    /// What is asked for, in short.
    fn words(self, unit: Unit) -> String {
        let peers = self.peers.map(|(factor, tool)| {
            let whom = tool.unwrap_or("every peer");
            if factor == 1.0 { format!("ahead of {whom}") } else { format!("{factor} of {whom}") }
        });
        let limit = self.limit.map(|factor| format!("{factor:.2} of the limit"));
        let function = self.function.map(|factor| format!("{factor} of the function"));
        let time = self.time.map(|time| unit.show(time));
        let words: Vec<String> = [limit, peers, function, time].into_iter().flatten().collect();
        if words.is_empty() { "–".to_owned() } else { words.join(", ") }
    }
}

/// How the derivation grows from 12 to 32 links: the exponent p of t ~ nᵖ, ours and CasADi's.
fn growth(rows: &[Row]) -> Option<String> {
    let (from, to) = (LINKS[4], LINKS[7]);
    let time = |n: usize, role: Role, tool: Option<&str>| {
        let row = rows.iter().find(|row| row.work == Work::DeriveLinks(n))?;
        Some(row.best(role, tool)?.1.ns)
    };
    let exponent = |role: Role, tool: Option<&str>| {
        let ratio = time(to, role, tool)? / time(from, role, tool)?;
        Some(ratio.ln() / (to as f64 / from as f64).ln())
    };
    let ours = exponent(Role::Ours, None)?;
    let casadi = exponent(Role::Peer, Some("CasADi"));
    let (peer, reached) = match casadi {
        Some(peer) => (format!("{peer:.2} (CasADi SX)"), if ours <= peer { "yes" } else { "no" }),
        None => ("–".to_owned(), "?"),
    };
    let work = format!("p of derivation ~ nᵖ, {from} to {to} links");
    Some(format!("| {work} | {ours:.2} | – | {peer} | – | – | – | no worse | {reached} |"))
}
