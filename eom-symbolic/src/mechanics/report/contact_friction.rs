//! The lines of a contact's friction: its slip, its law, its impact; and those of the friction of a constraint.

use super::super::system::contact::{Contact, ContactFriction, Resisted, Restitution, RowFriction};
use super::letters::letter;
use super::{Line, Printed, Reporter};
use crate::name;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::print::Names;

impl Reporter<'_> {
    /// Q of each speed that acts with the normal force λ of a contact, and what it does at the impact.
    pub(super) fn borne(
        &mut self,
        contact: usize,
        declared: &Contact,
        declared_names: &Names,
    ) -> Vec<Line> {
        if declared.borne.is_empty() {
            return Vec::new();
        }
        let λ = format!("λ({})", declared.named.name);
        let λ = self.model.pool.symbol(SymbolKind::ContactForce(contact), &λ);
        let mut lines = Vec::new();
        for (speed, slope) in declared.borne.iter().enumerate() {
            if *slope == ExprPool::ZERO {
                continue;
            }
            let pool = &mut self.model.pool;
            let λ = pool.symbol_expr(λ);
            let force = pool.mul(*slope, λ);
            let name = format!("Q_{}", self.model.speeds[speed].named.name);
            let left = Printed::pair(name.clone(), name::latex(&name));
            lines.push(Line::equation_of(left, self.print_as(force, declared_names)));
        }
        if declared.frictions.is_empty() {
            lines.push(Line::note(&format!(
                "impact, {} along the normal: Q is of the impulse Λ what it is of λ, at the velocity after it",
                declared.law_text
            )));
        }
        lines
    }

    /// s, and how the friction force f on it and its impulse Φ follow from the normal force λ and impulse Λ.
    pub(super) fn friction(
        &mut self,
        (contact, declared): (usize, &Contact),
        friction: &ContactFriction,
        declared_names: &Names,
    ) -> Vec<Line> {
        let letters = self.letters;
        let (slip, f, what) = match friction.resisted {
            Resisted::Slip => (letters.slip, "f", "friction"),
            Resisted::Roll => (letters.roll, "m", "rolling resistance"),
            Resisted::Spin => (letters.spin, "m", "spinning resistance"),
        };
        let mut lines = self.components(slip, &friction.slip, declared_names);
        let law = match friction.weights.as_slice() {
            [] => law(friction, (f, slip, "λ")),
            weights => self.elliptic(weights, (f, slip, "λ"), declared_names),
        };
        lines.push(Line::note(&format!("{what} {f} on {slip}: {law}")));
        let kind = |i: usize| SymbolKind::ContactFriction(contact, friction.resisted.place() + i);
        let name = format!("{}({})", friction.resisted.word(), declared.named.name);
        lines.extend(self.beside(friction, (&name, &kind), declared_names));
        lines.push(Line::note(&impact(declared, friction, slip)));
        lines
    }

    /// Q of each speed that acts with the force on a slip.
    fn beside(
        &mut self,
        friction: &ContactFriction,
        (name, kind): (&str, &dyn Fn(usize) -> SymbolKind),
        declared_names: &Names,
    ) -> Vec<Line> {
        let count = friction.borne.len();
        let pool = &mut self.model.pool;
        let symbols = (0..count).map(|i| {
            let shown = if count == 1 { name.to_owned() } else { format!("{name}[{}]", i + 1) };
            let symbol = pool.symbol(kind(i), &shown);
            pool.symbol_expr(symbol)
        });
        let symbols: Vec<ExprId> = symbols.collect();
        let mut lines = Vec::new();
        for speed in 0..self.model.speeds.len() {
            let pool = &mut self.model.pool;
            let parts = friction.borne.iter().zip(&symbols);
            let terms: Vec<ExprId> = parts.map(|(slopes, f)| pool.mul(slopes[speed], *f)).collect();
            let force = pool.sum_of(&terms);
            if force == ExprPool::ZERO {
                continue;
            }
            let name = format!("Q_{}", self.model.speeds[speed].named.name);
            let left = Printed::pair(name.clone(), name::latex(&name));
            lines.push(Line::equation_of(left, self.print_as(force, declared_names)));
        }
        lines
    }

    /// s of each constraint with friction, and how the force f on it follows from the multiplier λ.
    pub(super) fn row_frictions(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        for RowFriction { name, row, count, friction } in self.model.row_frictions.clone() {
            let slip = self.letters.slip;
            let of = if count > 1 { "those" } else { "that" };
            lines.extend(self.components(slip, &friction.slip, &self.names));
            let law = match friction.weights.as_slice() {
                [] => law(&friction, ("f", slip, "|λ|")),
                weights => self.elliptic(weights, ("f", slip, "|λ|"), &self.names),
            };
            lines.push(Line::note(&format!("friction f on {slip}, λ {of} of {name}: {law}")));
            let names = self.names.clone();
            let kind = |i: usize| SymbolKind::RowFriction(row, i);
            lines.extend(self.beside(&friction, (&format!("friction({name})"), &kind), &names));
        }
        lines
    }

    /// `s = …`, or each component of it.
    fn components(&self, slip: &str, of: &[ExprId], declared_names: &Names) -> Vec<Line> {
        if let [only] = of {
            return vec![Line::equation_of(letter(slip), self.print_as(*only, declared_names))];
        }
        let component = |(i, component): (usize, &ExprId)| {
            let name = format!("{slip}_{i}");
            let left = Printed::pair(name.clone(), name::latex(&name));
            Line::equation_of(left, self.print_as(*component, declared_names))
        };
        (1..).zip(of).map(component).collect()
    }

    /// The law of two coefficients.
    fn elliptic(
        &self,
        weights: &[ExprId],
        (f, slip, normal): (&str, &str, &str),
        declared_names: &Names,
    ) -> String {
        let shown = |(i, μ): (usize, &ExprId)| match self.print_as(*μ, declared_names) {
            Ok(printed) => bracketed(&printed.unicode),
            Err(_) => format!("μ_{i}"),
        };
        let μ: Vec<String> = (1..).zip(weights).map(shown).collect();
        let squares = (1..).zip(&μ).map(|(i, μ)| format!("({f}_{i}/{μ})²"));
        let length = (1..).zip(&μ).map(|(i, μ)| format!("({μ} {slip}_{i})²"));
        let (squares, length): (Vec<String>, Vec<String>) = (squares.collect(), length.collect());
        let each = (1..).zip(&μ).map(|(i, μ)| format!("{f}_{i} = −{normal} {μ}² {slip}_{i}/l"));
        format!(
            "{} ≤ λ² where {slip} = 0, {} where not, l² = {}",
            squares.join(" + "),
            each.collect::<Vec<_>>().join(", "),
            length.join(" + ")
        )
    }
}

/// The law of one coefficient.
fn law(friction: &ContactFriction, (f, slip, normal): (&str, &str, &str)) -> String {
    let of = lengths(friction);
    let (size, s, [at_rest, sliding]) = (of(f), of(slip), coefficients(friction));
    format!(
        "{size} ≤ {at_rest} {normal} where {slip} = 0, {f} = −{sliding} {normal} {slip}/{s} where not"
    )
}

/// What holds at an impact.
fn impact(declared: &Contact, friction: &ContactFriction, slip: &str) -> String {
    let law_text = &declared.law_text;
    let of = lengths(friction);
    let (impulse, s, [_, sliding]) = (of("Φ"), of(slip), coefficients(friction));
    let is_other = !friction.weights.is_empty() || friction.resisted != Resisted::Slip;
    let end = end_of_restitution(declared.restitution);
    let several = several(declared.restitution);
    match end {
        Some(end) if is_other => {
            return format!("impact, {law_text}, {end}: dΦ/dΛ is what the force is to λ{several}");
        }
        None if is_other => {
            return format!(
                "impact, {law_text} along the normal: the same of the impulses, with {slip} after it"
            );
        }
        _ => {}
    }
    let Some(end) = end else {
        let after = of(&format!("{slip}⁺"));
        return format!(
            "impact, {law_text} along the normal: {impulse} ≤ {sliding} Λ where {slip}⁺ = 0, \
             Φ = −{sliding} Λ {slip}⁺/{after} where not"
        );
    };
    format!(
        "impact, {law_text}, {end}: dΦ/dΛ = −{sliding} {slip}/{s} where it slides, |dΦ/dΛ| ≤ {sliding} where it sticks{several}"
    )
}

/// How the length of what stands for a slip is written.
fn lengths(friction: &ContactFriction) -> impl Fn(&str) -> String + use<> {
    let is_wide = friction.slip.len() > 1;
    move |of| if is_wide { format!("‖{of}‖") } else { format!("|{of}|") }
}

/// Where an impact ends that is a process in Λ.
fn end_of_restitution(restitution: Restitution) -> Option<&'static str> {
    match restitution {
        Restitution::Newton => None,
        Restitution::Poisson => Some("to Λ = (1 + e) Λ_c, Λ_c where the gap's rate is 0"),
        Restitution::Stronge => {
            Some("to W = (1 − e²) W_c, W_c the work of Λ to where the gap's rate is 0")
        }
    }
}

/// What holds of contacts that are struck together by a law that is a process for one alone.
fn several(restitution: Restitution) -> &'static str {
    match restitution {
        Restitution::Newton => "",
        Restitution::Stronge => {
            "; with others dΛ of each as √E, dE = −ġ dΛ where ġ < 0, −ġ dΛ/e² where ġ > 0, to E = 0"
        }
        Restitution::Poisson => {
            "; with others in two phases, ġ ≥ 0, Λ_c ≥ 0, then Λ ≥ (1 + e) Λ_c, Φ of each by the slip at its end"
        }
    }
}

/// μ_s and μ as written, in brackets where they are more than a name or number.
fn coefficients(friction: &ContactFriction) -> [String; 2] {
    [&friction.texts[0], &friction.texts[1]].map(|text| bracketed(text))
}

fn bracketed(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if plain { text.to_owned() } else { format!("({text})") }
}
