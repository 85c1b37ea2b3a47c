//! The values that are set, with `--set` or in a scenario file: which name each belongs to, and its
//! number.
//!
//! Parameters come first, in the order of their declaration, so that the order in which they are
//! given does not matter: an expression for a parameter may use those declared before it, every
//! other expression may use all of them.

use crate::complaint::{Complaint, Origin};
use crate::model::Model;
use crate::names::Target;
use crate::numbers::{Function, Known, Mistake, evaluate};
use eom_core::info::{FunctionInfo, SystemInfo};
use eom_core::{ParameterError, SmoothFunction, State, System};
use eom_interpreter::request::stand_in;

/// A number to come: its text, and where that was given.
#[derive(Debug, Clone)]
pub(crate) struct Expression {
    /// The expression.
    pub(crate) text: String,
    /// Where it was given.
    pub(crate) origin: Origin,
}

impl Expression {
    /// Of an argument, as messages call it.
    pub(crate) fn argument(name: &str, text: &str) -> Self {
        Self { text: text.to_owned(), origin: Origin::Argument(name.to_owned()) }
    }

    /// The value.
    pub(crate) fn value(&self, known: &Known) -> Result<f64, Complaint> {
        evaluate(&self.text, known).map_err(|mistake| self.origin.complain(mistake.to_string()))
    }
}

/// A value for a name.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    /// What is set.
    pub(crate) target: Target,
    /// Its name as written.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: Expression,
}

/// Assignments by target.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    assignments: Vec<Assignment>,
}

impl Settings {
    /// Reads `name=expression` texts; a name may be set once.
    pub(crate) fn parse(texts: &[String], info: &SystemInfo) -> Result<Self, String> {
        let mut assignments: Vec<Assignment> = Vec::new();
        for text in texts {
            let (name, expression) = match text.split_once('=') {
                Some((name, expression)) => (name, Some(expression)),
                None => (text.as_str(), None),
            };
            if expression.is_none()
                && let Some((name, value)) = name.split_once(':')
            {
                return Err(format!("--set {text}: write {name}={value}"));
            }
            let target =
                Target::find(name, info).map_err(|error| format!("--set {text}: {error}"))?;
            let name = name.trim();
            let expression =
                expression.ok_or_else(|| format!("--set {text}: write {name}=EXPR"))?;
            if let Some(apart) = apart(text) {
                return Err(format!("--set {text}: write {apart}"));
            }
            if let Some(first) = assignments.iter().find(|other| other.target == target) {
                return Err(format!("--set {text}: already set by {}", first.written()));
            }
            assignments.push(Assignment {
                target,
                name: name.to_owned(),
                value: Expression::argument(&format!("--set {text}"), expression),
            });
        }
        Ok(Self { assignments })
    }

    /// Adds assignments, in place of those of the same targets.
    pub(crate) fn set(&mut self, assignments: impl IntoIterator<Item = Assignment>) {
        for assignment in assignments {
            self.assignments.retain(|other| other.target != assignment.target);
            self.assignments.push(assignment);
        }
    }

    /// The assignments.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Assignment> {
        self.assignments.iter()
    }

    /// Builds the system with the parameters and functions that are set; beside it these functions, one a
    /// declared function.
    pub(crate) fn build(
        &self,
        model: &Model,
    ) -> Result<(Box<dyn System>, Vec<SmoothFunction>), Complaint> {
        let overrides = self.overrides(model).map_err(|mut complaints| complaints.remove(0))?;
        let known = earlier(model, &overrides, model.info.parameters.len());
        let functions = self.functions(model, &known);
        let functions = functions.map_err(|mut complaints| complaints.remove(0))?;
        let system = model.build(&overrides, &functions);
        Ok((system.map_err(|error| self.unfit(model, &error))?, functions))
    }

    /// Everything that is wrong with the expressions themselves.
    pub(crate) fn mistakes(&self, model: &Model) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        let overrides = self.overrides(model).unwrap_or_else(|found| {
            complaints.extend(found);
            vec![None; model.info.parameters.len()]
        });
        let known = earlier(model, &overrides, model.info.parameters.len());
        complaints.extend(self.functions(model, &known).err().into_iter().flatten());
        // Where parameters have no values, others cannot be blamed for using them.
        if complaints.is_empty() {
            let rest = self.assignments.iter().filter(|assignment| !assignment.is_parameter());
            complaints.extend(rest.filter_map(|assignment| assignment.value(&known).err()));
        }
        complaints
    }

    /// The values of the parameters that are set, or all that is wrong with them.
    fn overrides(&self, model: &Model) -> Result<Vec<Option<f64>>, Vec<Complaint>> {
        let mut overrides = vec![None; model.info.parameters.len()];
        let mut complaints = Vec::new();
        for index in 0..overrides.len() {
            let Some(assignment) = self.find(Target::Parameter(index)) else { continue };
            match assignment.value(&earlier(model, &overrides, index)) {
                Ok(value) => overrides[index] = Some(value),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if complaints.is_empty() { Ok(overrides) } else { Err(complaints) }
    }

    /// The functions that are set, the others as declared.
    fn functions(
        &self,
        model: &Model,
        known: &Known,
    ) -> Result<Vec<SmoothFunction>, Vec<Complaint>> {
        let mut functions = Vec::new();
        let mut complaints = Vec::new();
        for (index, info) in model.info.functions.iter().enumerate() {
            match self.find(Target::Function(index)).map(|given| given.function(info, known)) {
                None => functions.push(SmoothFunction::declared()),
                Some(Ok(function)) => functions.push(function),
                Some(Err(complaint)) => complaints.push(complaint),
            }
        }
        if complaints.is_empty() { Ok(functions) } else { Err(complaints) }
    }

    /// Parameters or functions with which there is no system.
    fn unfit(&self, model: &Model, error: &ParameterError) -> Complaint {
        match error {
            ParameterError::Missing { .. } => {
                Complaint::new(format!("{error} with --set NAME=EXPR"))
            }
            ParameterError::MissingFunction { name } => {
                let named = |info: &&FunctionInfo| info.name == *name;
                let info = model.info.functions.iter().find(named);
                let arguments = info.map_or(String::new(), |info| info.arguments.join(", "));
                Complaint::new(format!(
                    "{error} with --set {name}=EXPR, an expression of {arguments}"
                ))
            }
            ParameterError::NotFinite { name, .. } | ParameterError::Bound { name, .. } => {
                let parameters = model.info.parameters;
                let index = parameters.iter().position(|parameter| parameter.name == *name);
                let set = index.and_then(|index| self.find(Target::Parameter(index)));
                match set.map(|assignment| &assignment.value.origin) {
                    Some(Origin::File(at)) => Complaint::at(at.clone(), error.to_string()),
                    _ => Complaint::new(error.to_string()),
                }
            }
            ParameterError::FunctionArguments { .. } => Complaint::new(error.to_string()),
        }
    }

    /// Puts the initial values and inputs that are set in place of those of the scenario.
    pub(crate) fn apply(
        &self,
        known: &Known,
        state: &mut State,
        inputs: &mut [f64],
    ) -> Result<(), Complaint> {
        for assignment in &self.assignments {
            let slot = match assignment.target {
                Target::Parameter(_) | Target::Function(_) => continue,
                Target::Time => &mut state.t,
                Target::Coordinate(i) => &mut state.q[i],
                Target::Velocity(i) => &mut state.v[i],
                Target::Input(i) => &mut inputs[i],
            };
            *slot = assignment.value(known)?;
        }
        Ok(())
    }

    /// Refuses what sets the state, where that comes from elsewhere.
    pub(crate) fn only_parameters(&self) -> Result<(), String> {
        match self.assignments.iter().find(|assignment| !assignment.is_parameter()) {
            None => Ok(()),
            Some(found) => Err(format!(
                "{}: `{}` is no parameter or function; write it in the state",
                found.written(),
                found.name
            )),
        }
    }

    /// What sets parameters and functions, as written.
    pub(crate) fn of_parameters(&self) -> Vec<String> {
        let found = self.assignments.iter().filter(|assignment| assignment.is_parameter());
        found.map(Assignment::written).collect()
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
    /// Whether it is one of a parameter or function.
    pub(crate) fn is_parameter(&self) -> bool {
        matches!(self.target, Target::Parameter(_) | Target::Function(_))
    }

    /// As written: `--set a=1`, or `a = 1` in a file.
    fn written(&self) -> String {
        match &self.value.origin {
            Origin::Argument(argument) => argument.clone(),
            Origin::File(_) => format!("{} = {}", self.name, self.value.text),
        }
    }

    fn value(&self, known: &Known) -> Result<f64, Complaint> {
        evaluate(&self.value.text, known).map_err(|mistake| {
            let reason = match mistake {
                Mistake::NotFinite { value: None, .. } => {
                    format!("{} must be a finite number", self.name)
                }
                Mistake::NotFinite { value: Some(value), text } => {
                    format!("{} must be a finite number, but `{text}` is {value}", self.name)
                }
                Mistake::Unreadable { .. } => mistake.to_string(),
            };
            self.value.origin.complain(reason)
        })
    }

    /// The derivatives of the value by the parameters that it mentions, which are those of the list in its order.
    pub(crate) fn rates(&self, parameters: &Known) -> Result<Vec<(usize, f64)>, Complaint> {
        let names: Vec<String> = parameters.iter().map(|(name, _)| name.clone()).collect();
        let text = &self.value.text;
        let wrong = |reason: String| {
            let what = format!("how {} moves with a parameter cannot be told: {reason}", self.name);
            self.value.origin.complain(what).help("give it as a number, which stays")
        };
        let read =
            Function::new(text, &names, &[]).map_err(|mistake| wrong(mistake.to_string()))?;
        let mut rates = Vec::new();
        for (index, (name, value)) in parameters.iter().enumerate() {
            if !read.names().contains(name) {
                continue;
            }
            let others: Vec<_> = parameters.iter().filter(|(other, _)| other != name).collect();
            let others: Vec<_> = others.into_iter().cloned().collect();
            let formula = eom_interpreter::function(text, &[name.as_str()], &others);
            let formula = formula.map_err(|mistakes| {
                let said: Vec<&str> = mistakes.iter().map(|m| m.message.as_str()).collect();
                wrong(said.join("; "))
            })?;
            let mut rate = [f64::NAN];
            if let Some(formula) = formula.given() {
                formula.partials(&[*value], &[[1, 0, 0]], &mut rate);
            }
            if !rate[0].is_finite() {
                return Err(wrong(format!("`{text}` has no derivative by {name} here")));
            }
            rates.push((index, rate[0]));
        }
        Ok(rates)
    }

    fn function(&self, info: &FunctionInfo, known: &Known) -> Result<SmoothFunction, Complaint> {
        let function = eom_interpreter::function(&self.value.text, info.arguments, known);
        function.map_err(|mistakes| {
            let said: Vec<&str> = mistakes.iter().map(|m| m.message.as_str()).collect();
            let mut names = info.arguments.to_vec();
            names.extend(known.iter().map(|(name, _)| name.as_str()));
            let names = names.join(", ");
            let complaint = self.value.origin.complain(said.join("; "));
            complaint.help(format!("`{}` may depend on {names}", info.name))
        })
    }
}

/// The parameters before an index, as far as their values are known.
fn earlier(model: &Model, overrides: &[Option<f64>], index: usize) -> Vec<(String, f64)> {
    let parameters = &model.info.parameters[..index];
    // Where a later parameter has no default yet, only those that were given have values.
    let functions: Vec<SmoothFunction> = model.info.functions.iter().map(stand_in).collect();
    let values: Vec<Option<f64>> = match model.build(overrides, &functions) {
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

/// `--set x=1 --set y=2` for `x=1,y=2`.
fn apart(text: &str) -> Option<String> {
    let pieces: Vec<&str> = text.split(',').map(str::trim).collect();
    let all_set = pieces.len() > 1 && pieces.iter().all(|piece| piece.contains('='));
    let each = || pieces.iter().map(|piece| format!("--set {piece}")).collect::<Vec<_>>();
    all_set.then(|| each().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::ModelEntry;
    use models::scene::Scene;

    eom_core::lagrangian! {
        /// A bead on the wire z = f(x).
        pub(crate) system Bead {
            coordinates { x }
            parameters { m = 1 where m > 0, g = 9.81, a = 1/2 }
            allow unused_parameter(a); // functions given at run time use it
            function f(x);
            kinetic = m/2*(ẋ^2 + ḟ^2);
            potential = m*g*f;
        }
    }

    fn scene(_: &dyn System) -> Scene {
        unreachable!("no figure is drawn")
    }

    static BEAD: ModelEntry = ModelEntry::of::<Bead>("bead", "a bead", "", scene);

    fn build(texts: &[&str]) -> Result<Box<dyn System>, String> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let bead = Model::compiled(&BEAD);
        let built = Settings::parse(&texts, bead.info)?.build(&bead);
        built.map(|(system, _)| system).map_err(|complaint| complaint.text())
    }

    #[test]
    fn a_function_is_set_by_a_formula() {
        // a = −f'(f″v² + g)/(1 + f'²) with f = a x²: f' = 2 a x, f″ = 2 a.
        let system = build(&["f=a*x^2", "a=2"]).unwrap();
        let (mut found, x, v) = ([0.0], 0.3, 0.7);
        system.accelerations(0.0, &[x], &[v], &[], &mut found, &mut []);
        let (slope, bend) = (4.0 * x, 4.0);
        let wanted = -slope * (bend * v * v + 9.81) / (1.0 + slope * slope);
        assert!((found[0] - wanted).abs() < 1e-14, "{} {wanted}", found[0]);
    }

    #[test]
    fn what_is_no_function_is_refused() {
        let table: [(&[&str], &str); 6] = [
            (
                &[],
                "function `f` has no default: give it a function with --set f=EXPR, an expression of x",
            ),
            (&["f=y^2"], "--set f=y^2: `y` is not declared\n  `f` may depend on x, m, g, a"),
            (
                &["f=x^"],
                "--set f=x^: expected an expression, found the end\n  `f` may depend on x, m, g, a",
            ),
            (&["m=1,a=2"], "--set m=1,a=2: write --set m=1 --set a=2"),
            (
                &["x_dott=1"],
                "--set x_dott=1: there is no name `x_dott`; did you mean `ẋ`?\n  parameters: m, g, a\n  \
                 functions: f\n  coordinates: x\n  velocities: ẋ\n  time: t",
            ),
            (
                &["h=x"],
                "--set h=x: there is no name `h`\n  parameters: m, g, a\n  functions: f\n  \
                 coordinates: x\n  velocities: ẋ\n  time: t",
            ),
        ];
        for (texts, message) in table {
            assert_eq!(build(texts).err().as_deref(), Some(message), "{texts:?}");
        }
    }
}
