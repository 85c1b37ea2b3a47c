//! `eom derive`: the equations of a model.

use crate::cli::{DeriveArguments, DeriveForm, Format, Part};
use crate::error::{Failure, Outcome};
use crate::files::Files;
use crate::model::{Derived, Model};
use crate::shell;
use eom_codegen::diagnostic::Diagnostic;
use eom_interpreter::json;
use eom_symbolic::mechanics::report::{
    EquationsText, Form, Section, form, to_latex, to_markdown, to_text,
};

/// Prints the equations.
pub(crate) fn print(arguments: &DeriveArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    files.reads_model(&arguments.model);
    files.check(None)?;
    let model = Model::find(&arguments.model)?;
    let DeriveArguments { format, part, form, .. } = *arguments;
    if part != Part::All && !matches!(format, Format::Text | Format::Latex | Format::Markdown) {
        return Err(Failure::refused("--part needs --format text, latex or markdown"));
    }
    if form.is_some() && format == Format::Program {
        return Err(Failure::refused("--form needs --format text, latex, markdown or json"));
    }
    if part == Part::Contacts && model.info.contacts.is_empty() {
        return Err(Failure::refused(format!("{} has no contacts", model.name)));
    }
    let text = text(&model, arguments)?;
    shell::print_line(text.trim_end())?;
    Ok(Outcome::Done)
}

/// What stays along every motion, as text or as JSON.
pub(crate) fn conserved(model: &Model, is_json: bool) -> Result<String, Failure> {
    let written = model.derived(|derived| {
        let sections = sections(derived, Part::All, Some(DeriveForm::Conserved))?;
        if is_json { as_json(model, derived, &sections) } else { Ok(to_text(&sections)) }
    });
    let refused = |reason: String| Failure::Refused(format!("{}: {reason}", model.name));
    written.map_err(|errors| explain(&errors))?.map_err(refused)
}

/// A way to write sections of the equations.
type Write<'w> = &'w dyn Fn(Derived<'_>, &[Section]) -> Result<String, String>;

/// The equations as they are asked for. The text of a model of the catalogue is the one that the macro
/// wrote into it; all else is derived again from its declaration.
fn text(model: &Model, arguments: &DeriveArguments) -> Result<String, Failure> {
    let DeriveArguments { format, part, form, .. } = *arguments;
    if format == Format::Text && part == Part::All && form.is_none() {
        return Ok(model.info.equations.as_str().to_owned());
    }
    let written = |write: Write<'_>| {
        let text = model.derived(|derived| write(derived, &sections(derived, part, form)?));
        let refused = |reason| Failure::Refused(format!("{}: {reason}", model.name));
        text.map_err(|errors| explain(&errors))?.map_err(refused)
    };
    match format {
        Format::Program => model.listings().map_err(|errors| explain(&errors)),
        Format::Json => written(&|derived, sections| as_json(model, derived, sections)),
        Format::Text => written(&|_, sections| Ok(to_text(sections))),
        Format::Latex => {
            written(&|_, sections| Ok(format!("% needs amsmath\n{}", to_latex(sections))))
        }
        Format::Markdown => written(&|_, sections| {
            Ok(format!("## {}\n\n{}", model.info.name, to_markdown(sections)))
        }),
    }
}

fn as_json(
    model: &Model,
    Derived { model: declared, equations, .. }: Derived<'_>,
    sections: &[Section],
) -> Result<String, String> {
    let value = json::system(model.info, (declared, equations), sections);
    serde_json::to_string_pretty(&value).map_err(|error| error.to_string())
}

/// What is printed: all, a part, or the motion in one form. The error says why there is no such form.
fn sections(
    derived: Derived<'_>,
    part: Part,
    asked: Option<DeriveForm>,
) -> Result<Vec<Section>, String> {
    let Some(asked) = asked else {
        return Ok(select((derived.text)(), part).sections());
    };
    form(derived.model, derived.equations, Form::from(asked)).map_err(|reason| {
        let instead = match asked {
            DeriveForm::Multipliers | DeriveForm::Reduced | DeriveForm::Conserved => {
                "--form multipliers"
            }
            DeriveForm::Explicit | DeriveForm::Hamiltonian => {
                "--form reduced or --form multipliers"
            }
        };
        format!(
            "no {} form: {reason}\n  {instead} prints the equations; `eom eval` has their values",
            asked.name()
        )
    })
}

/// The equations without those that were not asked for.
fn select(text: EquationsText, part: Part) -> EquationsText {
    match part {
        Part::All => text,
        Part::Equations => EquationsText { impacts: Vec::new(), ..text },
        Part::Contacts => EquationsText {
            lagrangian: Vec::new(),
            energy: Vec::new(),
            jacobi: Vec::new(),
            abbreviations: Vec::new(),
            kinematics: Vec::new(),
            named: Vec::new(),
            constraints: Vec::new(),
            equations: Vec::new(),
            reduced: Vec::new(),
            multipliers: Vec::new(),
            impacts: text.impacts,
        },
    }
}

impl From<DeriveForm> for Form {
    fn from(form: DeriveForm) -> Self {
        match form {
            DeriveForm::Multipliers => Self::Multipliers,
            DeriveForm::Reduced => Self::Reduced,
            DeriveForm::Explicit => Self::Explicit,
            DeriveForm::Hamiltonian => Self::Hamiltonian,
            DeriveForm::Conserved => Self::Conserved,
        }
    }
}

impl DeriveForm {
    fn name(self) -> &'static str {
        match self {
            Self::Multipliers => "unreduced",
            Self::Reduced => "reduced",
            Self::Explicit => "explicit",
            Self::Hamiltonian => "Hamiltonian",
            Self::Conserved => "conserved",
        }
    }
}

fn explain(diagnostics: &[Diagnostic]) -> Failure {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    Failure::refused(texts.join("\n"))
}
