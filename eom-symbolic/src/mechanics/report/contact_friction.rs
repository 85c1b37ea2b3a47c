//! The lines of a contact's friction: its slip, its law, its impact.

use super::super::contact::{Contact, ContactFriction, Restitution};
use super::letters::letter;
use super::{Line, Printed, Reporter};
use crate::name;
use crate::print::Names;

impl Reporter<'_> {
    /// s, and how the friction force f on it and its impulse Φ follow from the normal force λ and impulse Λ.
    pub(super) fn friction(
        &self,
        declared: &Contact,
        friction: &ContactFriction,
        declared_names: &Names,
    ) -> Vec<Line> {
        let slip = self.letters.slip;
        let mut lines: Vec<Line> = match friction.slip.as_slice() {
            [only] => vec![Line::equation_of(letter(slip), self.print_as(*only, declared_names))],
            several => (1..)
                .zip(several)
                .map(|(i, component)| {
                    let name = format!("{slip}_{i}");
                    let left = Printed::pair(name.clone(), name::latex(&name));
                    Line::equation_of(left, self.print_as(*component, declared_names))
                })
                .collect(),
        };
        let is_wide = friction.slip.len() > 1;
        let length = |of: &str| if is_wide { format!("‖{of}‖") } else { format!("|{of}|") };
        let (f, s, [at_rest, sliding]) = (length("f"), length(slip), coefficients(friction));
        lines.push(Line::note(&format!(
            "friction f on {slip}: {f} ≤ {at_rest} λ where {slip} = 0, f = −{sliding} λ {slip}/{s} where not"
        )));
        let (impulse, law) = (length("Φ"), &declared.law_text);
        let Some(end) = end_of_restitution(friction.restitution) else {
            let after = length(&format!("{slip}⁺"));
            lines.push(Line::note(&format!(
                "impact, {law} along the normal: {impulse} ≤ {sliding} Λ where {slip}⁺ = 0, \
                 Φ = −{sliding} Λ {slip}⁺/{after} where not"
            )));
            return lines;
        };
        lines.push(Line::note(&format!(
            "impact, {law}, {end}: dΦ/dΛ = −{sliding} {slip}/{s} where it slides, |dΦ/dΛ| ≤ {sliding} where it sticks"
        )));
        lines
    }
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

/// μ_s and μ as written, in brackets where they are more than a name or number.
fn coefficients(friction: &ContactFriction) -> [String; 2] {
    [&friction.texts[0], &friction.texts[1]].map(|text| {
        let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if plain { text.clone() } else { format!("({text})") }
    })
}
