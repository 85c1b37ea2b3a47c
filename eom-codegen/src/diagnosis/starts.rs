//! Scenarios that no run can begin with, or that nothing ends, with the default parameters.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast;
use crate::diagnostic::Level;
use eom_elementary::Digits;
use eom_symbolic::mechanics::{Scenario, SystemModel, Unknown};
use eom_symbolic::{ExprId, SymbolId, SymbolKind};

/// A gap is behind its contact below this part of the coordinates.
const BEHIND: f64 = 1e-6;

/// What is said of the scenarios.
pub(super) fn impossible(system: &ast::System, model: &SystemModel) -> Vec<Message> {
    let values = Values { model, parameters: model.defaults() };
    let pairs = system.scenarios.iter().zip(&model.scenarios);
    pairs.filter_map(|(declared, scenario)| values.said(declared, scenario)).collect()
}

/// Numbers of a scenario; what a parameter without a default or a function enters is not a number.
struct Values<'m> {
    model: &'m SystemModel,
    parameters: Vec<Option<f64>>,
}

impl Values<'_> {
    fn said(&self, declared: &ast::Scenario, scenario: &Scenario) -> Option<Message> {
        let (text, help) = self.end(scenario).or_else(|| self.behind(scenario))?;
        let name = &declared.name.text;
        Some(Message {
            diagnosis: Diagnosis::ImpossibleScenario,
            level: Level::Warning,
            at: declared.name.region,
            text: format!("scenario `{name}` {text}"),
            help: Some(format!("{help}, or `allow impossible_scenario({name});`")),
            subjects: vec![name.clone()],
        })
    }

    /// An end that is not after the start, or that never comes.
    fn end(&self, scenario: &Scenario) -> Option<(String, &'static str)> {
        let start = self.number(scenario.time);
        let end = scenario.until_time.map(|end| self.number(end));
        if let Some(end) = end.filter(|end| *end <= start) {
            let (start, end) = (Digits(start), Digits(end));
            let text = format!("ends at t = {end}, not after its start, t = {start}");
            return Some((text, "give a later `until t`"));
        }
        if end.is_some() || !self.model.contacts.is_empty() {
            return None;
        }
        let text = match (scenario.until_impacts, scenario.until_events) {
            (Some(_), None) => "ends by impacts, and there is no contact",
            (None, Some(_)) if self.model.events.is_empty() => {
                "ends by events, and there is neither a contact nor an event"
            }
            _ => return None,
        };
        Some((text.to_owned(), "end it by `until t = …;`"))
    }

    /// A contact behind which it starts.
    fn behind(&self, scenario: &Scenario) -> Option<(String, &'static str)> {
        if scenario.solve.iter().any(|unknown| matches!(unknown, Unknown::Coordinate(_))) {
            return None;
        }
        let position: Vec<f64> = scenario.position.iter().map(|q| self.number(*q)).collect();
        let time = self.number(scenario.time);
        let scale = position.iter().fold(1.0_f64, |scale, q| scale.max(q.abs()));
        let at_start = |symbol: SymbolId| match self.model.pool.symbol_info(symbol).kind {
            SymbolKind::Coordinate(index) => position.get(index).copied().unwrap_or(f64::NAN),
            SymbolKind::Time => time,
            _ => self.constant(symbol),
        };
        self.model.contacts.iter().filter(|contact| contact.when.is_empty()).find_map(|contact| {
            let gap = self.model.pool.evaluate(&[contact.gap], at_start)[0];
            (gap < -BEHIND * scale).then(|| {
                let name = &contact.named.name;
                let text = format!("starts behind contact `{name}`: its gap is {}", Digits(gap));
                (text, "start where the gap is positive or turn its sign")
            })
        })
    }

    fn number(&self, e: ExprId) -> f64 {
        self.model.pool.evaluate(&[e], |symbol| self.constant(symbol))[0]
    }

    fn constant(&self, symbol: SymbolId) -> f64 {
        self.model.default_of(symbol, &self.parameters)
    }
}
