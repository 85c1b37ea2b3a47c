//! The point terms of dry friction, by their places in what the tape of them writes: c, c_s, factors, w, J, γ.

use super::Read;
use crate::error::AnalysisError;
use eom_core::info::FrictionInfo;
use eom_core::system::Bearer;
use eom_core::{Mode, State, System};
use std::ops::Range;

/// The point terms of a system.
#[derive(Clone)]
pub(crate) struct Terms {
    m: usize,
    infos: Vec<&'static FrictionInfo>,
    /// The first component of each term, then their number.
    starts: Vec<usize>,
    /// What bears the force with which a term grows.
    bearers: Vec<Option<Bearer>>,
    /// Where the factors of a term's components begin, where it is weighted.
    weights: Vec<Option<usize>>,
    /// The number of coefficients.
    coefficients: usize,
    /// Where components begin among the lists of what forces act with.
    first_component: usize,
}

impl Terms {
    /// Those of a system.
    ///
    /// # Errors
    /// Where there is friction that is an integral: it has no mode of its own.
    pub(crate) fn of(system: &dyn System) -> Result<Self, AnalysisError> {
        let info = system.info();
        if let Some(integral) = info.frictions.iter().find(|term| term.components == 0) {
            let why = format!("the friction {} is an integral", integral.name);
            return Err(AnalysisError::NotSmooth { why });
        }
        let infos: Vec<&FrictionInfo> = info.frictions.iter().collect();
        let mut starts = vec![0];
        for term in &infos {
            starts.push(starts[starts.len() - 1] + term.components);
        }
        let bearers: Vec<Option<Bearer>> =
            (0..infos.len()).map(|term| Bearer::of(system, term)).collect();
        let mut coefficients = infos.len() + bearers.iter().flatten().count();
        let weights = infos.iter().map(|term| {
            let start = term.weighted.then_some(coefficients)?;
            coefficients += term.components;
            Some(start)
        });
        let weights = weights.collect();
        let (m, first_component) = (info.speeds(), info.first_component());
        Ok(Self { m, infos, starts, bearers, weights, coefficients, first_component })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// m.
    pub(crate) fn speeds(&self) -> usize {
        self.m
    }

    pub(crate) fn count(&self) -> usize {
        self.infos.len()
    }

    pub(crate) fn info(&self, term: usize) -> &'static FrictionInfo {
        self.infos[term]
    }

    pub(crate) fn bearer(&self, term: usize) -> Option<Bearer> {
        self.bearers[term]
    }

    /// Whether a term acts in a mode.
    pub(crate) fn acts(&self, term: usize, mode: &Mode) -> bool {
        match self.bearers[term] {
            Some(Bearer::Contact(contact)) => mode.is_closed(contact),
            Some(Bearer::Row(_) | Bearer::Rows { .. }) | None => true,
        }
    }

    /// The place of the first component of a term among those of constraint rows, which come last.
    pub(crate) fn place_among_rows(&self, term: usize) -> usize {
        let is_of_rows =
            |of: &usize| matches!(self.bearers[*of], Some(Bearer::Row(_) | Bearer::Rows { .. }));
        (0..term).filter(is_of_rows).map(|of| self.components(of).len()).sum()
    }

    /// `the friction of floor`.
    pub(crate) fn name(&self, term: usize) -> String {
        format!("the friction of {}", self.infos[term].name)
    }

    /// The terms that act in a mode and slide.
    pub(crate) fn acting<'a>(&'a self, mode: &'a Mode) -> impl Iterator<Item = usize> + 'a {
        (0..self.count()).filter(move |term| self.acts(*term, mode) && !mode.sticks(*term))
    }

    /// The components of a term.
    pub(crate) fn components(&self, term: usize) -> Range<usize> {
        self.starts[term]..self.starts[term + 1]
    }

    /// The place of c_s, which is c where nothing bears it.
    pub(crate) fn at_rest(&self, term: usize) -> usize {
        match self.bearers[term] {
            None => term,
            Some(_) => self.count() + self.bearers[..term].iter().flatten().count(),
        }
    }

    /// The places of the factors of the components, where they have some.
    pub(crate) fn factors(&self, term: usize) -> Option<Range<usize>> {
        let start = self.weights[term]?;
        Some(start..start + self.infos[term].components)
    }

    /// The place of a component of w.
    pub(crate) fn w(&self, component: usize) -> usize {
        self.coefficients + component
    }

    /// The place of the first entry of a row of J.
    pub(crate) fn row(&self, component: usize) -> usize {
        self.coefficients + self.starts[self.count()] + component * self.m
    }

    /// The component whose row of J begins here.
    pub(crate) fn component(&self, row: usize) -> usize {
        (row - self.row(0)).checked_div(self.m).unwrap_or(0)
    }

    /// The place of ∂Q/∂f of a component among the lists of what forces act with, where they act with its term.
    pub(crate) fn beside(&self, term: usize, component: usize) -> Option<usize> {
        self.infos[term].bears.then_some(self.first_component + component)
    }

    /// What answers to the force on a component of a term, J, and what acts with that, of all that forces act with.
    pub(crate) fn answering(
        &self,
        (term, component): (usize, usize),
        (found, borne): (&Read, Option<&Read>),
    ) -> Read {
        let m = self.m;
        let rows = |of: &Read, first: usize| Read {
            values: of.values.rows(first, m).into_owned(),
            by: of.by.rows(first, m).into_owned(),
        };
        let mut row = rows(found, self.row(component));
        if let Some((place, borne)) = self.beside(term, component).zip(borne) {
            row.add(&rows(borne, place * m));
        }
        row
    }

    /// The place of dw/dt − J a of the component whose row of J begins here.
    pub(crate) fn drift(&self, row: usize) -> usize {
        let first = self.row(0);
        self.row(self.starts[self.count()]) + (row - first).checked_div(self.m).unwrap_or(0)
    }

    /// Whether an output of the tape is c, c_s, a factor, w or J of one of these terms.
    pub(crate) fn reads(&self, terms: &[usize], output: usize) -> bool {
        terms.iter().any(|&term| {
            let mut components = self.components(term);
            output == term
                || output == self.at_rest(term)
                || self.factors(term).is_some_and(|places| places.contains(&output))
                || components.any(|component| {
                    let row = self.row(component);
                    output == self.w(component) || (row..row + self.m).contains(&output)
                })
        })
    }

    /// What the tape would write at a state, by the function of the system.
    pub(crate) fn evaluate(&self, system: &dyn System, state: &State) -> Vec<f64> {
        let components = self.starts[self.count()];
        let mut values = vec![0.0; self.coefficients + components * (2 + self.m)];
        let (c, rest) = values.split_at_mut(self.coefficients);
        let (w, rest) = rest.split_at_mut(components);
        let (rows, drift) = rest.split_at_mut(components * self.m);
        system.frictions(state.t, &state.q, &state.v, c, w, rows, drift);
        values
    }

    /// ‖w‖ of a term.
    pub(crate) fn speed(&self, term: usize, values: &[f64]) -> f64 {
        let squares = self.components(term).map(|component| values[self.w(component)].powi(2));
        squares.sum::<f64>().sqrt()
    }
}
