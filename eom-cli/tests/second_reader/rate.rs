//! Time derivatives and differentials of `let` names: by differences of what meval says along a line.

use super::linear::derivative;
use super::moment::Moment;
use super::strings::{Component, Form, sized_number};
use super::translate::Reader;
use eom_codegen::ast::Expr;

/// Names with their values at s on a line through a moment.
type Line = fn(&Moment, f64) -> Vec<(String, f64)>;

impl Reader<'_> {
    /// The time derivative: along (t + s, q + s q̇, v + s v̇).
    pub(super) fn rate(&mut self, value: &Expr) -> Result<Form, String> {
        self.along(value, Moment::ahead)
    }

    /// The differential: along (t + s dt, q + s dq).
    pub(super) fn differential(&mut self, value: &Expr) -> Result<Form, String> {
        self.along(value, Moment::beside)
    }

    fn along(&mut self, value: &Expr, line: Line) -> Result<Form, String> {
        if !self.bound.is_empty() {
            return Err("derivatives under an integral".to_owned());
        }
        let at = |s: f64| -> Result<Vec<Component>, String> {
            let mut reader = Reader::new(self.system, self.moment);
            for (name, value) in line(self.moment, s) {
                reader.scope.set(&name, value);
            }
            let entries = reader.form(value)?.entries();
            entries.iter().map(|entry| reader.evaluate(entry)).collect()
        };
        let here = at(0.0)?;
        let rates = derivative(&|s| Ok(at(s)?.iter().map(|component| component.value).collect()))?;
        let entries =
            rates.iter().zip(&here).map(|(rate, here)| sized_number(*rate, rate.abs() + here.size));
        let entries = entries.collect();
        Ok(self.form(value)?.with(entries))
    }
}
