//! The printed forms, read a second time: each claim of each model is evaluated as strings by
//! meval, at random states, with the accelerations, multipliers, forces of contact, impacts and
//! energies that the generated Rust gives there.
//!
//! The macro decides claims with expressions of its own; here nothing of the algebra takes part:
//! text → meval on the one side, compiled functions on the other. Declared functions are random
//! polynomials, integrals are sums over nodes, motions in closed form are differentiated by differences.
//! What cannot be said so is listed in a snapshot with its reason, so that nothing is left out in
//! silence.

mod call;
mod draft;
mod function;
mod integral;
mod linear;
mod moment;
mod motion;
mod rate;
mod results;
mod rows;
mod solve;
mod strings;
mod subject;
mod translate;

use eom_codegen::ast;
use models::{ModelEntry, catalogue};
use moment::{Drafts, Moment};
use std::collections::BTreeMap;
use strings::{Component, Form, number};
use subject::Subject;
use translate::Reader;

/// At how many states a claim is evaluated.
const STATES: u64 = 4;

/// Parts of the sum of its terms that a residual may leave: the solve for accelerations amplifies
/// roundings, and differences leave up to 10⁻¹¹.
const TOLERANCE: f64 = 1e-9;

/// States are of the order of one: of a velocity that a row makes zero the rounding of these is left.
const LEAST: f64 = 1e-6;

/// The part by which numbers are changed to see whether that is noticed.
const CHANGE: f64 = 1e-4;

/// What became of the claims of a model.
#[derive(Default)]
struct Outcome {
    checked: usize,
    /// Names by the reason for which they were left out.
    left_out: BTreeMap<String, Vec<String>>,
    /// Where meval and the compiled functions disagree with a verdict.
    wrong: Vec<String>,
    /// Claims of which a change is not noticed.
    blind: Vec<String>,
}

/// What is stated.
#[derive(Clone, Copy)]
enum Statement<'a> {
    /// What holds, and for an erratum what fails.
    Equation(&'a ast::Equation, Option<&'a ast::Equation>),
    Motion(&'a ast::Motion),
}

/// What a state shows of a claim.
struct Seen {
    /// Left − right of the form that holds.
    left: Vec<Component>,
    /// Whether a change of it would be seen.
    notices: bool,
    /// Whether the form that is a misprint, where there is one, fails.
    fails: bool,
}

/// What all states show.
#[derive(Default)]
struct Checked {
    wrong: Vec<String>,
    notices: bool,
}

/// A claim or an erratum, as parsed.
struct Stated<'a> {
    name: &'a str,
    place: &'a ast::Place,
    statement: Statement<'a>,
}

/// Left − right by component, or why it cannot be said in strings.
fn residuals(
    system: &ast::System,
    moment: &Moment,
    equation: &ast::Equation,
) -> Result<Vec<Component>, String> {
    let mut reader = Reader::new(system, moment);
    let difference = reader.difference(&equation.lhs, &equation.rhs)?;
    difference.iter().map(|strings| reader.evaluate(strings)).collect()
}

/// Whether the check can fail here: the equation does not hold any more where its left side, or
/// each number that is known, is another by a ten-thousandth. An identity such as m₁L₁ − m₂L₂ = 0 with
/// m₁ and m₂ in L₁ and L₂ passes that.
fn notices(
    system: &ast::System,
    mut moment: Moment,
    equation: &ast::Equation,
) -> Result<bool, String> {
    let mut reader = Reader::new(system, &moment);
    let (left, right) = (reader.form(&equation.lhs)?, reader.form(&equation.rhs)?);
    let changed = left.times(&Form::Scalar(number(1.0 + CHANGE)))?.combined(&right, true)?;
    let components = changed
        .entries()
        .iter()
        .map(|strings| reader.evaluate(strings))
        .collect::<Result<Vec<_>, _>>()?;
    if !holds(&components) {
        return Ok(true);
    }
    moment.disturb(CHANGE);
    Ok(!holds(&residuals(system, &moment, equation)?))
}

/// Whether an equation holds at a state.
fn holds(components: &[Component]) -> bool {
    components.iter().all(|c| c.value.abs() <= TOLERANCE * c.size.max(LEAST))
}

impl<'a> Stated<'a> {
    /// All that a declaration states.
    fn all(system: &'a ast::System) -> impl Iterator<Item = Self> {
        let claims = system.claims.iter().map(|claim| Self {
            name: &claim.name.text,
            place: &claim.place,
            statement: match &claim.statement {
                ast::Statement::Equation(equation) => Statement::Equation(equation, None),
                ast::Statement::Motion(motion) => Statement::Motion(motion),
            },
        });
        claims.chain(system.errata.iter().map(|erratum| Self {
            name: &erratum.name.text,
            place: &erratum.place,
            statement: Statement::Equation(&erratum.corrected, Some(&erratum.printed)),
        }))
    }

    fn subject(
        &self,
        model: &'a ModelEntry,
        system: &'a ast::System,
    ) -> Result<Subject<'a>, String> {
        let equations = match self.statement {
            Statement::Equation(holds, fails) => [holds].into_iter().chain(fails).collect(),
            Statement::Motion(_) => Vec::new(),
        };
        Subject::new(model, system, self.place, &equations)
    }

    /// Evaluates it at a state.
    fn at(&self, subject: &Subject<'_>, drafts: &mut Drafts, state: u64) -> Result<Seen, String> {
        let (equation, misprint) = match self.statement {
            Statement::Equation(holds, fails) => (holds, fails),
            Statement::Motion(motion) => {
                let left = motion::residuals(subject, motion, 0.0, state)?;
                let hastened = motion::residuals(subject, motion, CHANGE, state)?;
                return Ok(Seen { left, notices: !holds(&hastened), fails: true });
            }
        };
        let (moment, system) = (Moment::draw(subject, drafts, state)?, subject.declared);
        let fails = match misprint {
            Some(misprint) => !holds(&residuals(system, &moment, misprint)?),
            None => true,
        };
        let left = residuals(system, &moment, equation)?;
        Ok(Seen { left, notices: notices(system, moment, equation)?, fails })
    }

    /// Evaluates it at some states; `Err` says why it was left out.
    fn check(
        &self,
        model: &ModelEntry,
        system: &ast::System,
        drafts: &mut Drafts,
    ) -> Result<Checked, String> {
        let at = format!("{}: {}", model.name, self.name);
        let subject = self.subject(model, system)?;
        let mut checked = Checked::default();
        let mut failed = false;
        for state in 0..STATES {
            let Seen { left, notices, fails } = self.at(&subject, drafts, state)?;
            let left = left.iter().filter(|component| !holds(&[**component]));
            checked.wrong.extend(left.map(|Component { value, size }| {
                format!("{at} leaves {value:e} of {size:e} at state {state}")
            }));
            checked.notices |= notices;
            failed |= fails;
        }
        if !failed {
            checked.wrong.push(format!("{at}: the misprint holds at every state"));
        }
        Ok(checked)
    }
}

fn parsed(source: &str) -> ast::System {
    let (system, mistakes) = eom_codegen::parse::parse_text(source);
    assert!(mistakes.into_diagnostics().is_empty(), "{source}");
    system.expect("a declaration without mistakes")
}

fn outcome(model: &ModelEntry) -> Outcome {
    let system = parsed(model.info.source);
    let (mut outcome, mut drafts) = (Outcome::default(), Drafts::new());
    for stated in Stated::all(&system) {
        match stated.check(model, &system, &mut drafts) {
            Ok(Checked { wrong, notices }) => {
                outcome.checked += 1;
                outcome.wrong.extend(wrong);
                outcome.blind.extend((!notices).then(|| stated.name.to_owned()));
            }
            Err(reason) => {
                outcome.left_out.entry(reason).or_default().push(stated.name.to_owned());
            }
        }
    }
    outcome
}

#[test]
fn every_claim_holds_as_it_is_printed() {
    let (mut report, mut disagreements) = (Vec::new(), Vec::new());
    for model in catalogue() {
        let Outcome { checked, left_out, wrong, blind } = outcome(model);
        disagreements.extend(wrong);
        let all = model.info.claims.len();
        report.push(format!("{}: {checked} of {all}", model.name));
        for (reason, names) in left_out {
            report.push(format!("  {reason}: {}", names.join(", ")));
        }
        if !blind.is_empty() {
            report.push(format!("  holds whatever the numbers: {}", blind.join(", ")));
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("printed", report.join("\n")));
}

/// The check of a motion can fail: friction that is twice as fast is seen in each of these.
#[test]
fn a_wrong_motion_is_none() {
    for name in ["viscous-particle", "viscous-two-particles", "viscous-particles"] {
        let model = catalogue().iter().find(|model| model.name == name).expect("a model");
        // In LaTeX, kept apart, and in the language.
        let apart = model.info.source.replace(r"\exp(-", "§");
        let source = apart.replace("exp (", "exp (2 *").replace("exp(", "exp(2*");
        let source = source.replace('§', r"\exp(-2 ");
        assert_ne!(source, model.info.source, "{name}");
        let system = parsed(&source);
        let motions = Stated::all(&system)
            .filter(|stated| matches!(stated.statement, Statement::Motion(_)))
            .map(|stated| {
                stated
                    .check(model, &system, &mut Drafts::new())
                    .expect("a motion that is read")
                    .wrong
            });
        assert!(motions.inspect(|wrong| assert!(!wrong.is_empty(), "{name}")).count() > 0);
    }
}
