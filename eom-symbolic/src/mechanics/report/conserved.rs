//! Conserved quantities, the invariant measure and what is known of motions that run backwards, as they are printed.

use super::Reporter;
use super::line::{Line, Printed};
use super::text::Section;
use crate::mechanics::conserved::measure::{Measure, measure};
use crate::mechanics::conserved::reversal::{Fault, Instant, Reversal, reversal};
use crate::mechanics::conserved::{Conserved, ConservedKind, conserved};

impl Reporter<'_> {
    /// What stays, then what is known of a measure and of motions that run backwards.
    pub(super) fn conserved(&mut self) -> Vec<Section> {
        let mut sums = 0;
        let found = conserved(&mut self.model, self.equations);
        let mut lines: Vec<Line> =
            found.iter().map(|quantity| self.quantity(quantity, &mut sums)).collect();
        if let Some(friction) = self.model.row_frictions.first() {
            let row = &friction.name;
            lines
                .push(Line::note(&format!("not decided: the friction of {row} is in no equation")));
        } else if lines.is_empty() {
            lines.push(Line::note("none of energy, momenta and their sums stays"));
        }
        let is_reset = self.model.events.iter().any(|event| !event.resets.is_empty());
        if is_reset || !self.model.contacts.is_empty() {
            lines.push(Line::note("in free motion: not of impacts, events and closed contacts"));
        }
        if !self.model.inputs.is_empty() {
            lines.push(Line::note("inputs at 0"));
        }
        let kept = match measure(&mut self.model, self.equations) {
            Measure::Kept { free, density } => {
                let density = self.simplify(density);
                let names = free.into_iter().map(|symbol| self.symbol_text(symbol).unicode);
                let names = names.collect::<Vec<_>>().join(", ");
                let over = format!("kept: density dq dη, η = {names}");
                let left = Printed::pair("density", r"\varrho");
                vec![Line::note(&over), Line::equation_of(left, self.print(density))]
            }
            Measure::Nowhere => vec![Line::note(
                "none that the symmetries keep: a steady motion attracts volume, or repels it",
            )],
            Measure::Unknown(why) => vec![Line::note(&format!("not decided: {why}"))],
        };
        vec![
            Section::of("Conserved", lines),
            Section::of("Invariant measure", kept),
            Section::of("Reversibility", self.reversibility()),
        ]
    }

    fn reversibility(&mut self) -> Vec<Line> {
        let found = match reversal(&mut self.model, self.equations) {
            Reversal::Kept { turned, instants } => {
                let names = turned.into_iter().map(|symbol| self.symbol_text(symbol).unicode);
                let image: Vec<String> = std::iter::once("t".to_owned())
                    .chain(names)
                    .map(|name| format!("{name} → −{name}"))
                    .collect();
                let image = image.join(", ");
                let mut found = vec![format!("kept: with every motion there is that of {image}")];
                found.extend(at_instants(&instants));
                found
            }
            Reversal::Broken { by, signs } => {
                let nor = match signs {
                    0 => String::new(),
                    1 => "; nor kept with the sign of a coordinate turned".to_owned(),
                    _ => format!("; nor kept with the signs of up to {signs} coordinates turned"),
                };
                vec![format!("broken by {}{nor}", by.join(", "))]
            }
            Reversal::Unknown(why) => vec![format!("not decided: {why}")],
        };
        let inputs = (!self.model.inputs.is_empty()).then(|| "inputs even in time".to_owned());
        found.into_iter().chain(inputs).map(|text| Line::note(&text)).collect()
    }

    fn quantity(&mut self, quantity: &Conserved, sums: &mut usize) -> Line {
        let left = match &quantity.kind {
            ConservedKind::Energy => Printed::pair("energy", r"\text{energy}"),
            ConservedKind::Jacobi => Printed::pair("jacobi", r"\text{Jacobi integral}"),
            ConservedKind::Sum => {
                *sums += 1;
                called(&format!("sum {sums}"))
            }
            kind => called(&kind.to_string()),
        };
        let value = self.simplify(quantity.value);
        Line::equation_of(left, self.print(value))
    }
}

/// What impacts and resets make of motions that run backwards.
fn at_instants(instants: &[Instant]) -> Vec<String> {
    let faults: Vec<String> = instants
        .iter()
        .filter_map(|Instant { name, fault }| {
            fault.map(|fault| match fault {
                Fault::Broken(why) => format!("not at {name}: {why}"),
                Fault::Unknown(why) => format!("not decided at {name}: {why}"),
            })
        })
        .collect();
    if faults.is_empty() && !instants.is_empty() {
        return vec!["at impacts too".to_owned()];
    }
    faults
}

fn called(text: &str) -> Printed {
    Printed::pair(text, format!(r"\text{{{}}}", crate::print::remark(text)))
}
