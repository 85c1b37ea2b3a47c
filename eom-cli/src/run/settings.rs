//! The values given with `--set`: which name each belongs to, and its number.
//!
//! Parameters come first, in the order of their declaration, so that the order on the command
//! line does not matter: an expression for a parameter may use those declared before it, every
//! other expression may use all of them.

use crate::names::Target;
use crate::numbers::{Known, Mistake, evaluate};
use eom_core::{State, System};
use models::ModelEntry;

/// Assignments by target.
#[derive(Debug)]
pub(crate) struct Settings {
    assignments: Vec<Assignment>,
}

#[derive(Debug)]
struct Assignment {
    target: Target,
    /// As written, for messages.
    text: String,
    expression: String,
}

impl Settings {
    /// Reads `name=expression` texts; a name may be set once.
    pub(crate) fn parse(texts: &[String], model: &ModelEntry) -> Result<Self, String> {
        let mut assignments: Vec<Assignment> = Vec::new();
        for text in texts {
            let (name, expression) = match text.split_once('=') {
                Some((name, expression)) => (name, Some(expression)),
                None => (text.as_str(), None),
            };
            let target =
                Target::find(name, model.info).map_err(|error| format!("--set {text}: {error}"))?;
            let expression =
                expression.ok_or_else(|| format!("--set {text}: write {}=EXPR", name.trim()))?;
            if let Some(first) = assignments.iter().find(|other| other.target == target) {
                return Err(format!("--set {text}: already set by --set {}", first.text));
            }
            assignments.push(Assignment {
                target,
                text: text.clone(),
                expression: expression.to_owned(),
            });
        }
        Ok(Self { assignments })
    }

    /// Builds the system with the parameters that are set.
    pub(crate) fn build(&self, model: &ModelEntry) -> Result<Box<dyn System>, String> {
        let parameters = model.info.parameters;
        let mut overrides = vec![None; parameters.len()];
        for index in 0..parameters.len() {
            let Some(assignment) = self.find(Target::Parameter(index)) else { continue };
            let known = earlier(model, &overrides, index);
            overrides[index] = Some(assignment.value(&known)?);
        }
        (model.build)(&overrides).map_err(|error| {
            let hint = if matches!(error, eom_core::ParameterError::Missing { .. }) {
                " with --set NAME=EXPR"
            } else {
                ""
            };
            format!("{error}{hint}")
        })
    }

    /// Puts the initial values and inputs that are set in place of those of the scenario.
    pub(crate) fn apply(
        &self,
        known: &Known,
        state: &mut State,
        inputs: &mut [f64],
    ) -> Result<(), String> {
        for assignment in &self.assignments {
            let slot = match assignment.target {
                Target::Parameter(_) => continue,
                Target::Time => &mut state.t,
                Target::Coordinate(i) => &mut state.q[i],
                Target::Velocity(i) => &mut state.v[i],
                Target::Input(i) => &mut inputs[i],
            };
            *slot = assignment.value(known)?;
        }
        Ok(())
    }

    /// What sets parameters, as written.
    pub(crate) fn of_parameters(&self) -> Vec<String> {
        let is_parameter = |target| matches!(target, Target::Parameter(_));
        let found = self.assignments.iter().filter(|assignment| is_parameter(assignment.target));
        found.map(|assignment| format!("--set {}", assignment.text)).collect()
    }

    /// Whether a target is set.
    pub(crate) fn sets(&self, target: Target) -> bool {
        self.find(target).is_some()
    }

    fn find(&self, target: Target) -> Option<&Assignment> {
        self.assignments.iter().find(|assignment| assignment.target == target)
    }
}

impl Assignment {
    fn value(&self, known: &Known) -> Result<f64, String> {
        evaluate(&self.expression, known).map_err(|mistake| {
            let reason = match mistake {
                Mistake::NotFinite { value: None, .. } => {
                    format!("{} must be a finite number", self.name())
                }
                Mistake::NotFinite { value: Some(value), text } => {
                    format!("{} must be a finite number, but `{text}` is {value}", self.name())
                }
                Mistake::Unreadable { .. } => mistake.to_string(),
            };
            format!("--set {}: {reason}", self.text)
        })
    }

    /// What is set, as written.
    fn name(&self) -> &str {
        self.text.split('=').next().unwrap_or_default().trim()
    }
}

/// The parameters before an index, as far as their values are known.
fn earlier(model: &ModelEntry, overrides: &[Option<f64>], index: usize) -> Vec<(String, f64)> {
    let parameters = &model.info.parameters[..index];
    // Where a later parameter has no default yet, only those that were given have values.
    let values: Vec<Option<f64>> = match (model.build)(overrides) {
        Ok(system) => values(&*system).into_iter().map(Some).collect(),
        Err(_) => overrides.to_vec(),
    };
    let named = parameters.iter().zip(values);
    named.filter_map(|(parameter, value)| Some((parameter.ascii.to_owned(), value?))).collect()
}

/// All parameters with their values.
pub(crate) fn parameters(system: &dyn System) -> Vec<(String, f64)> {
    let names = system.info().parameters.iter().map(|parameter| parameter.ascii.to_owned());
    names.zip(values(system)).collect()
}

fn values(system: &dyn System) -> Vec<f64> {
    let mut values = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut values);
    values
}
