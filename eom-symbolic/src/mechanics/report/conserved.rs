//! Conserved quantities and the invariant measure, as they are printed.

use super::Reporter;
use super::line::{Line, Printed};
use super::text::Section;
use crate::mechanics::conserved::{Conserved, ConservedKind, conserved};
use crate::mechanics::measure::{Measure, measure};

impl Reporter<'_> {
    /// What stays, then what is known of a measure.
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
        vec![Section::of("Conserved", lines), Section::of("Invariant measure", kept)]
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

fn called(text: &str) -> Printed {
    Printed::pair(text, format!(r"\text{{{}}}", crate::print::remark(text)))
}
