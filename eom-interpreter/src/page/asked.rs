//! What a run is asked for, as JSON:
//!
//! ```text
//! { "scenario": "figure_3",            the first where none is named
//!   "values": { "a": 0.2, "φ": 1 },    parameters, functions as text, numbers of the start, inputs
//!   "until": 10, "impacts": 20,        its end in place of the scenario's
//!   "method": "taylor",                "automatic", "runge-kutta", "taylor", "radau"
//!   "samples": 1500,                   so many at even times, with both sides of events; all steps where none
//!   "budget": 5000 }                   milliseconds, after which it is interrupted
//! ```

use crate::names::{Target, no_such, scenario};
use crate::request::{Refusal, Settings};
use eom_core::info::SystemInfo;
use eom_core::{Method, Options};
use eom_symbolic::Rational;
use serde_json::{Map, Value};

/// The most samples at even times.
const SAMPLES_MAX: u64 = 100_000;

/// What a run is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) scenario: Option<usize>,
    pub(super) settings: Settings,
    pub(super) options: Options,
    pub(super) samples: Option<u64>,
    /// In milliseconds.
    pub(super) budget: f64,
}

impl Asked {
    /// Reads it.
    pub(super) fn new(fields: &Map<String, Value>, info: &SystemInfo) -> Result<Self, Refusal> {
        let mut asked = Self {
            scenario: (!info.scenarios.is_empty()).then_some(0),
            settings: Settings::nothing(info),
            options: Options { method: Method::Automatic, ledger: true, ..Options::default() },
            samples: None,
            budget: f64::INFINITY,
        };
        for (name, value) in fields {
            // What is null is not asked for.
            if !value.is_null() {
                asked.set(name, value, info)?;
            }
        }
        Ok(asked)
    }

    fn set(&mut self, name: &str, value: &Value, info: &SystemInfo) -> Result<(), Refusal> {
        match name {
            "scenario" => {
                self.scenario = Some(scenario(as_text(name, value)?, info).map_err(words)?);
            }
            "values" => self.values(value, info)?,
            "until" => self.options.until_time = Some(number(name, value)?),
            "impacts" => self.options.until_impacts = Some(count(name, value)? as usize),
            "method" => self.options.method = method(as_text(name, value)?)?,
            "samples" => self.samples = Some(count(name, value)?.clamp(2, SAMPLES_MAX)),
            "budget" => self.budget = number(name, value)?,
            _ => return Err(words(no_such("option", name, None))),
        }
        Ok(())
    }

    fn values(&mut self, value: &Value, info: &SystemInfo) -> Result<(), Refusal> {
        let entries = value.as_object().ok_or_else(|| words("`values` is an object".to_owned()))?;
        for (name, value) in entries {
            match Target::find(name, info).map_err(words)? {
                Target::Function(index) => {
                    let formula = as_text(name, value)?.to_owned();
                    if let Some(slot) = self.settings.given.functions.get_mut(index) {
                        *slot = Some(formula);
                    }
                }
                target => {
                    self.settings.set(target, number(name, value)?);
                }
            }
        }
        Ok(())
    }
}

fn words(message: String) -> Refusal {
    Refusal::Words(message, None)
}

fn as_text<'v>(name: &str, value: &'v Value) -> Result<&'v str, Refusal> {
    value.as_str().ok_or_else(|| words(format!("`{name}` is a text, not {value}")))
}

/// A number, or its digits as text: what reads JSON in the page is short, and may miss the last bit of a long one.
fn number(name: &str, value: &Value) -> Result<f64, Refusal> {
    let number = value.as_str().map_or_else(|| value.as_f64(), decimal);
    let number = number.filter(|number| number.is_finite());
    number.ok_or_else(|| words(format!("`{name}` is a finite number, not {value}")))
}

/// By the reader of declarations.
fn decimal(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    Rational::from_decimal(digits).map(|number| sign * number.to_f64())
}

fn count(name: &str, value: &Value) -> Result<u64, Refusal> {
    value.as_u64().ok_or_else(|| words(format!("`{name}` is a whole number, not {value}")))
}

fn method(text: &str) -> Result<Method, Refusal> {
    Method::named(text).ok_or_else(|| words(no_such("method", text, None)))
}
