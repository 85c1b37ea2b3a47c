//! A declared system with values of its parameters.

use crate::algebra::{Function, Operation, algebra};
use crate::fault::{
    Message, exception, guarded, raised, rendered, said, unknown_name, value_error,
};
use crate::operands::is_complex;
use eom_core::info::{ClaimKind, SystemInfo};
use eom_core::{ParameterError, System as _};
use eom_interpreter::Interpreted;
use eom_interpreter::names::{Target, no_such, speeds, speeds_ascii};
use eom_interpreter::request::{Given, build_some, unfit};
use eom_symbolic::mechanics::report::{Form, Section, form, to_latex, to_markdown, to_text};
use eom_symbolic::name::nearest;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::Arc;

/// The forms of the equations by name; the last is what stays along every motion.
const FORMS: [(&str, Form); 5] = [
    ("multipliers", Form::Multipliers),
    ("reduced", Form::Reduced),
    ("explicit", Form::Explicit),
    ("hamiltonian", Form::Hamiltonian),
    ("conserved", Form::Conserved),
];

/// A system; it does not change.
#[pyclass(subclass, frozen, module = "eom._eom")]
pub(crate) struct System {
    pub(crate) inner: Interpreted,
    text: Arc<str>,
    path: Option<String>,
    said: Arc<Vec<Message>>,
    pub(crate) given: Given,
    /// Whether all parameters and functions have a value that they may have.
    has_values: bool,
}

#[pymethods]
impl System {
    /// Reads a declaration, or makes another system of `base`, with `values` in place of some of its own.
    #[new]
    #[pyo3(signature = (text, path=None, values=None, base=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        path: Option<String>,
        values: Option<&Bound<'_, PyDict>>,
        base: Option<&Bound<'_, System>>,
    ) -> PyResult<Self> {
        let base = match base {
            Some(base) => base.get().share(),
            None => Self::read(py, text, path)?,
        };
        match values {
            Some(values) if !values.is_empty() => base.with(py, values),
            _ => Ok(base),
        }
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.info().name
    }

    #[getter]
    fn doc(&self) -> &'static str {
        self.info().doc
    }

    #[getter]
    fn document(&self) -> &'static str {
        self.info().document
    }

    #[getter]
    fn source(&self) -> &str {
        &self.text
    }

    #[getter]
    fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// What is named, a list for each kind: (name, ASCII name, documentation, more).
    fn _names(&self, kind: &str) -> PyResult<Vec<(String, String, String, String)>> {
        let info = self.info();
        let plain = |items: &[eom_core::info::NameInfo]| {
            let row = |item: &eom_core::info::NameInfo| row(item.name, item.ascii, item.doc, "");
            items.iter().map(row).collect()
        };
        Ok(match kind {
            "coordinates" => (0..info.positions())
                .map(|i| {
                    let doc = info.coordinates.get(i).map_or("", |item| item.doc);
                    row(&info.position_name(i), &info.position_ascii(i), doc, "")
                })
                .collect(),
            "velocities" => speeds(info)
                .iter()
                .zip(speeds_ascii(info))
                .enumerate()
                .map(|(i, (name, ascii))| {
                    row(name, &ascii, info.velocities.get(i).map_or("", |item| item.doc), "")
                })
                .collect(),
            "parameters" => info
                .parameters
                .iter()
                .map(|item| row(item.name, item.ascii, item.doc, item.bound))
                .collect(),
            "functions" => info
                .functions
                .iter()
                .map(|item| row(item.name, item.ascii, item.doc, &item.arguments.join(", ")))
                .collect(),
            "rows" => {
                info.rows.iter().map(|item| row(item.name, item.ascii, item.doc, "")).collect()
            }
            "contacts" => info
                .contacts
                .iter()
                .map(|item| row(item.name, item.ascii, item.doc, item.law))
                .collect(),
            "events" => {
                info.events.iter().map(|item| row(item.name, item.ascii, item.doc, "")).collect()
            }
            "scenarios" => {
                info.scenarios.iter().map(|item| row(item.name, "", item.doc, "")).collect()
            }
            "inputs" => plain(info.inputs),
            "outputs" => plain(info.outputs),
            other => return Err(value_error(format!("no list of {other}"))),
        })
    }

    /// The values of the parameters in their order, NaN where one is missing.
    fn _values(&self) -> Vec<f64> {
        self.values()
    }

    /// What sets parameters and functions, by their ASCII names: what a copy is made of.
    fn _given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (info, dict) = (self.info(), PyDict::new(py));
        for (item, value) in info.parameters.iter().zip(&self.given.parameters) {
            value.map(|value| dict.set_item(item.ascii, value)).transpose()?;
        }
        for (item, value) in info.functions.iter().zip(&self.given.functions) {
            value.as_ref().map(|value| dict.set_item(item.ascii, value)).transpose()?;
        }
        Ok(dict)
    }

    /// The equations as `text`, `latex` or `markdown`; of the motion in one form where one is named.
    fn _equations(&self, py: Python<'_>, format: &str, asked: Option<&str>) -> PyResult<String> {
        let derived = self.inner.derivation();
        let form_of = |name: &str| {
            let found = FORMS.iter().find(|(known, _)| *known == name);
            found.map(|(_, form)| *form).ok_or_else(|| {
                let known = FORMS.map(|(known, _)| known);
                let message = no_such("form", name, nearest(name, known));
                value_error(format!("{message}\n  forms: {}", known.join(", ")))
            })
        };
        let sections: Vec<Section> = match asked {
            None => py.detach(|| guarded(|| derived.text().sections()))?,
            Some(name) => {
                let wanted = form_of(name)?;
                let made =
                    py.detach(|| guarded(|| form(&derived.model, &derived.equations, wanted)))?;
                made.map_err(|reason| value_error(format!("no {name} form: {reason}")))?
            }
        };
        match format {
            "text" => Ok(to_text(&sections)),
            "latex" => Ok(to_latex(&sections)),
            "markdown" => Ok(to_markdown(&sections)),
            other => Err(value_error(format!("formats: text, latex, markdown, not `{other}`"))),
        }
    }

    /// The functions of the equations of motion: operations, and of each function its entries by rows.
    fn _functions(&self, py: Python<'_>) -> PyResult<(Vec<Operation>, Vec<Function>)> {
        py.detach(|| guarded(|| algebra(&self.inner)))?.map_err(value_error)
    }

    /// The claims: name, equation, doc, verdict, printed, corrected, difference, when, closed.
    fn _claims(&self) -> Vec<[&'static str; 9]> {
        let one = |claim: &eom_core::info::ClaimInfo| {
            let verdict = match claim.kind {
                ClaimKind::Claim => "follows",
                ClaimKind::Erratum => "erratum",
            };
            [
                claim.name,
                claim.equation,
                claim.doc,
                verdict,
                claim.printed,
                claim.corrected,
                claim.difference.as_str(),
                claim.when,
                claim.closed,
            ]
        };
        self.info().claims.iter().map(one).collect()
    }

    /// What is claimed of whole motions, decided: name, equation, doc, verdict, printed; found, error, claimed, within;
    /// why it does not hold.
    fn _decided(&self, py: Python<'_>) -> PyResult<Vec<Decided>> {
        let info = self.info();
        let build = |overrides: &[Option<f64>]| {
            let made = self.inner.with_parameters(overrides);
            made.map(|system| Box::new(system) as Box<dyn eom_core::System>)
        };
        let mut rows = Vec::new();
        for (index, said) in info.sentences.iter().enumerate() {
            let decided = py.detach(|| guarded(|| eom_analysis::decide(info, index, &build)))?;
            // A claim may take seconds: Ctrl-C is heard between them.
            py.check_signals()?;
            let verdict = match &decided {
                Ok(verdict) if verdict.holds => "holds",
                Ok(_) => "does not hold",
                Err(_) => "cannot be decided",
            };
            let texts = [said.name, said.equation, said.doc, verdict, said.printed];
            let numbers = decided.as_ref().ok().map(|v| (v.found, v.error, v.claimed, v.within));
            rows.push((texts, numbers, eom_analysis::complaint(said, &decided)));
        }
        Ok(rows)
    }

    /// The warnings and notes.
    fn _said(&self) -> Vec<Message> {
        self.said.to_vec()
    }

    fn __repr__(&self) -> String {
        let info = self.info();
        let names: Vec<String> = (0..info.positions()).map(|i| info.position_name(i)).collect();
        let values = info.parameters.iter().zip(self.values());
        let values: Vec<String> = values.map(|(item, v)| format!("{} = {v}", item.name)).collect();
        let mut text = format!("<eom.System {}: coordinates {}", info.name, names.join(", "));
        if !values.is_empty() {
            text += "; parameters ";
            text += &values.join(", ");
        }
        text + ">"
    }
}

fn row(name: &str, ascii: &str, doc: &str, more: &str) -> (String, String, String, String) {
    (name.to_owned(), ascii.to_owned(), doc.to_owned(), more.to_owned())
}

/// A claim of whole motions with its verdict.
type Decided = ([&'static str; 5], Option<(f64, f64, f64, f64)>, Option<String>);

/// What comes of a text: the system and what is said of it, or its mistakes, plain and as printed.
type Read = Result<(Interpreted, Vec<Message>), (Vec<Message>, String)>;

impl System {
    pub(crate) fn info(&self) -> &'static SystemInfo {
        self.inner.info()
    }

    fn values(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.info().parameters.len()];
        self.inner.parameters(&mut values);
        values
    }

    fn share(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            text: Arc::clone(&self.text),
            path: self.path.clone(),
            said: Arc::clone(&self.said),
            given: self.given.clone(),
            has_values: self.has_values,
        }
    }

    /// Refuses to evaluate what has no value, as a run does.
    pub(crate) fn check_values(&self, py: Python<'_>) -> PyResult<()> {
        if self.has_values {
            return Ok(());
        }
        let checked = self.inner.check_parameters();
        checked.map_err(|error| raised(py, &unfit(&error)))
    }

    fn read(py: Python<'_>, text: &str, path: Option<String>) -> PyResult<Self> {
        let shown = path.as_deref().unwrap_or("<system>");
        let derive = || -> Read {
            eom_codegen::forget_texts();
            match eom_codegen::diagnose_source(text) {
                Ok((derivation, found)) => Ok((Interpreted::of(derivation, text), said(&found))),
                Err(found) => Err((said(&found), rendered(shown, text, &found))),
            }
        };
        let (inner, said) = match py.detach(|| guarded(derive))? {
            Ok(read) => read,
            Err((mistakes, printed)) => {
                return Err(exception(py, "DeclarationError", (printed, mistakes, text, path)));
            }
        };
        let info = inner.info();
        let (given, has_values) = (Given::nothing(info), inner.check_parameters().is_ok());
        Ok(Self { inner, text: text.into(), path, said: Arc::new(said), given, has_values })
    }

    /// The system with other values of parameters and functions.
    fn with(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<Self> {
        let info = self.info();
        let mut given = self.given.clone();
        for (name, value) in values {
            let name: String = name.extract()?;
            let target = Target::find(&name, info).map_err(|said| unknown_name(py, said))?;
            match target {
                Target::Parameter(index) => given.parameters[index] = Some(number(&name, &value)?),
                Target::Function(index) => given.functions[index] = Some(formula(&name, &value)?),
                _ => {
                    let message = format!("`{name}` is no parameter or function");
                    return Err(value_error(message + ": give it to `run`"));
                }
            }
        }
        let inner = build_some(&self.inner, &given).map_err(|refusal| raised(py, &refusal))?;
        let has_values = match inner.check_parameters() {
            Ok(()) => true,
            // They may be given one after another.
            Err(ParameterError::Missing { .. } | ParameterError::MissingFunction { .. }) => false,
            Err(error) => return Err(raised(py, &unfit(&error))),
        };
        Ok(Self { inner, given, has_values, ..self.share() })
    }
}

/// The number that is given to a name.
pub(crate) fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    // Of a complex number NumPy drops what is imaginary, and warns.
    let found: Option<f64> = if is_complex(value) { None } else { value.extract().ok() };
    let number = found.ok_or_else(|| {
        let shown = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!("`{name}` must be a number; it is {shown}"))
    })?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(value_error(format!("`{name}` must be a finite number; it is {number}")))
    }
}

/// The formula that is given to a function.
pub(crate) fn formula(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| {
        let example = format!("{name}=\"x^2\"");
        PyTypeError::new_err(format!("`{name}` is a function: give a formula, as {example}"))
    })?;
    Ok(text.to_str()?.to_owned())
}
