//! Sentences: whether what a claim says of a whole motion is so.
//!
//! ```text
//! = value           |found − value| ≤ within: as stated, or half a unit of the last digit that is printed; of a formula
//!                   10⁻⁹ of the larger of 1 and its size; of an exponent two of its standard deviations are within, too
//! < value, …        of an exponent with three of its standard deviations, of all else but for rounding
//! ```
//!
//! An eigenvalue or multiplier that is there several times is known to a root of rounding: that counts as its standard deviation.
//!
//! What is asked of one run, from a start to a time, is `whole.rs`.

pub(crate) mod whole;

use crate::critical::{Crossing, CrossingKind, critical_values};
use crate::error::AnalysisError;
use crate::linear::stability::UNCLEAR;
use crate::lyapunov::LyapunovOptions;
use crate::names::{entries, find};
use crate::orbit::{Orbit, Section, latest_return};
use crate::space::StateSpace;
use crate::variation::Variations;
use eom_core::elementary;
use eom_core::info::{Comparison, Part, Quantity, SentenceInfo, SystemInfo, Unknown};
use eom_core::{Options, ParameterError, Sentence, State, System, solve_unknowns};
use nalgebra::Complex;
use whole::WholeMotion;

/// How a system is built from one override a parameter.
pub type Build<'b> = dyn Fn(&[Option<f64>]) -> Result<Box<dyn System>, ParameterError> + 'b;

/// What was found of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// What was found; of a complex number that is claimed to be real, its real part.
    pub found: f64,
    /// The imaginary part of one that is claimed to be real, where it is none of rounding.
    pub imaginary: f64,
    /// One standard deviation of it, or how far it is known; 0 of what is computed to rounding.
    pub error: f64,
    /// What is claimed.
    pub claimed: f64,
    /// How far it may be off.
    pub within: f64,
    /// Whether it is so.
    pub holds: bool,
}

/// Between the ends of a range critical values are looked for in so many parts.
const PARTS: u32 = 20;

/// To how many digits a formula holds, and below what it is 0.
const FORMULA: f64 = 1e-9;
const NOTHING: f64 = 1e-14;

/// How exponents are measured where nothing is said of it: the span, and how many of them.
const SPANS: [f64; 2] = [1.0, 1000.0];

/// Of the spans, those that are left out before are one in so many.
const TRANSIENT: usize = 10;

/// Standard deviations by which an exponent is on a side, and of one that is claimed to be a number.
const SURE: f64 = 3.0;
const KNOWN: f64 = 2.0;

/// What part of a number is its rounding; of an eigenvalue what part of the largest.
const ROUNDING: f64 = 1e-12;

/// An error below this is printed with an exponent.
const PRINTED: f64 = 1e-5;

/// Decides a sentence of a system, by its index: with the parameters as declared, but those that it sets.
///
/// # Errors
/// Where there is no such sentence, a parameter cannot be used, or the motion has no such quantity.
pub fn decide(
    info: &'static SystemInfo,
    index: usize,
    build: &Build<'_>,
) -> Result<Verdict, AnalysisError> {
    let declared = build(&vec![None; info.parameters.len()])?;
    let said = info.sentences.get(index).zip(declared.sentence(index));
    let Some((said, numbers)) = said else {
        let (count, what) = (info.sentences.len(), "sentences");
        return Err(AnalysisError::TooFew { what, count, asked: index + 1 });
    };
    let asked = Asked { info, said, index, given: numbers.settings, build };
    let (system, _) = asked.motion(None)?;
    let numbers = system.sentence(index).ok_or(AnalysisError::TooFew {
        what: "sentences",
        count: 0,
        asked: index + 1,
    })?;
    let found = asked.found(&numbers)?;
    Ok(compared(said, found, &numbers))
}

/// What is asked of a system.
struct Asked<'a> {
    info: &'static SystemInfo,
    said: &'static SentenceInfo,
    index: usize,
    /// The values of the settings, with the parameters as declared.
    given: Vec<f64>,
    build: &'a Build<'a>,
}

/// A motion: its system, and where it starts with which inputs.
type Motion = (Box<dyn System>, (State, Vec<f64>));

/// A quantity with its standard deviation, and how large such a quantity is there: 0 is what is little beside that.
type Found = (Complex<f64>, f64, f64);

impl Asked<'_> {
    /// The motion; with a name at a value.
    fn motion(&self, varied: Option<(&str, f64)>) -> Result<Motion, AnalysisError> {
        let parameters = self.info.parameters;
        let mut overrides = vec![None; parameters.len()];
        let named = self.said.settings.iter().copied().zip(self.given.iter().copied());
        for (name, value) in named.chain(varied) {
            if let Some(place) = parameters.iter().position(|item| item.ascii == name) {
                overrides[place] = Some(value);
            }
        }
        let system = (self.build)(&overrides)?;
        let start = self.start(&*system, varied)?;
        Ok((system, start))
    }

    /// The start of the scenario with what is set, the unknowns that are not set solved from the constraints.
    fn start(
        &self,
        system: &dyn System,
        varied: Option<(&str, f64)>,
    ) -> Result<(State, Vec<f64>), AnalysisError> {
        let none = || AnalysisError::TooFew { what: "scenarios", count: 0, asked: 1 };
        let scenario = system.scenario(self.said.scenario).ok_or_else(none)?;
        let numbers = system.sentence(self.index).map_or(Vec::new(), |numbers| numbers.settings);
        let (mut state, mut inputs) = (State::new(scenario.t, scenario.q, scenario.v), scenario.u);
        let (all, positions) = (entries(self.info), self.info.positions());
        let mut is_set = vec![false; all.len()];
        for (name, value) in self.said.settings.iter().copied().zip(numbers).chain(varied) {
            if let Some(input) = self.info.inputs.iter().position(|item| item.ascii == name) {
                inputs[input] = value;
            } else if let Some(place) = find(&all, name) {
                is_set[place] = true;
                match place.checked_sub(positions) {
                    None => state.q[place] = value,
                    Some(speed) => state.v[speed] = value,
                }
            }
        }
        let is_open = |unknown: &Unknown| match *unknown {
            Unknown::Coordinate(place) => !is_set[place],
            Unknown::Velocity(speed) => !is_set[positions + speed],
        };
        let solve = self.info.scenarios[self.said.scenario].solve.iter().copied();
        let solve: Vec<Unknown> = solve.filter(is_open).collect();
        if !solve.is_empty() {
            solve_unknowns(system, &solve, &mut state)?;
        }
        Ok((state, inputs))
    }

    /// What the sentence speaks of.
    fn found(&self, numbers: &Sentence) -> Result<Found, AnalysisError> {
        let sized = |value: f64, size: f64| (Complex::new(value, 0.0), 0.0, size);
        let real = |value: f64| sized(value, 1.0);
        match self.said.quantity {
            Quantity::Eigenvalues => {
                let (system, (start, inputs)) = self.motion(None)?;
                let linear = StateSpace::new(&*system)?.linearise(&start, &inputs)?;
                let all = linear.eigenvalues()?;
                let largest = all.iter().map(size).fold(0.0, f64::max);
                let value = self.one(&all, "eigenvalues")?;
                let rounding = self.one(&linear.roundings(&all)?, "eigenvalues")?;
                let nothing = if size(&value) <= rounding { rounding } else { ROUNDING * largest };
                let told = |part: f64| if part.abs() <= nothing { 0.0 } else { part };
                let value = Complex::new(told(value.re), told(value.im));
                let known = self.one(&linear.uncertainties(&all)?, "eigenvalues")?;
                Ok((value, unclear(known, (value, largest)), largest.min(1.0)))
            }
            Quantity::Critical => {
                let ends = numbers.numbers.iter().fold(0.0, |size: f64, end| size.max(end.abs()));
                Ok(sized(self.crossing(numbers)?.at, ends.min(1.0)))
            }
            Quantity::Frequency => Ok(real(match self.crossing(numbers)?.kind {
                CrossingKind::Oscillatory { frequency }
                | CrossingKind::Meeting { frequency }
                | CrossingKind::Tangency { frequency } => frequency,
                CrossingKind::Real | CrossingKind::Doubling => 0.0,
                CrossingKind::Several => f64::NAN,
            })),
            Quantity::Multipliers => {
                let Orbit { multipliers, uncertainties, .. } = self.orbit(numbers)?;
                let largest = multipliers.iter().map(size).fold(1.0, f64::max);
                let value = self.one(&multipliers, "multipliers")?;
                let known = self.one(&uncertainties, "multipliers")?;
                Ok((value, unclear(known, (value, largest)), 1.0))
            }
            Quantity::Period => {
                let period = self.orbit(numbers)?.period;
                Ok(sized(period, period))
            }
            Quantity::Lyapunov => self.exponent(numbers),
            Quantity::Stops => {
                let stops = self.asked_motion(numbers)?.stops()?;
                Ok(sized(stops, stops.abs()))
            }
            Quantity::Value => {
                let (value, size) = self.asked_motion(numbers)?.value(self.said.subject)?;
                Ok(sized(value, size))
            }
            Quantity::Returns => {
                let (distance, size) = self.asked_motion(numbers)?.distance();
                Ok(sized(distance, size))
            }
            Quantity::Possible => Ok(real(match self.asked_motion(numbers) {
                Ok(_) => 1.0,
                Err(error) if error.is_impossible() => 0.0,
                Err(error) => return Err(error),
            })),
        }
    }

    /// The run over a span, or to a time.
    fn asked_motion(&self, numbers: &Sentence) -> Result<WholeMotion, AnalysisError> {
        let (system, (start, inputs)) = self.motion(None)?;
        let number = numbers.numbers.first().copied().unwrap_or(f64::NAN);
        let is_time = self.said.quantity == Quantity::Value;
        let until = if is_time { number } else { start.t + number };
        WholeMotion::run(&*system, &start, &inputs, until)
    }

    /// That of several which is meant.
    fn one<T: Copy>(&self, all: &[T], what: &'static str) -> Result<T, AnalysisError> {
        let (count, asked) = (all.len(), self.said.index + 1);
        all.get(self.said.index).copied().ok_or(AnalysisError::TooFew { what, count, asked })
    }

    fn crossing(&self, numbers: &Sentence) -> Result<Crossing, AnalysisError> {
        let ends = |end: usize| numbers.numbers.get(end).copied().unwrap_or(f64::NAN);
        let (from, to) = (ends(0).min(ends(1)), ends(0).max(ends(1)));
        let at = |part: u32| from + (to - from) * f64::from(part) / f64::from(PARTS);
        let samples: Vec<f64> = (0..=PARTS).map(at).collect();
        let found = critical_values(&samples, |value| {
            let (system, (start, inputs)) = self.motion(Some((self.said.subject, value)))?;
            Ok(StateSpace::new(&*system)?.linearise(&start, &inputs)?.a)
        })?;
        self.one(&found, "critical values in the range")
    }

    fn orbit(&self, numbers: &Sentence) -> Result<Orbit, AnalysisError> {
        let subject = self.said.subject;
        let first = numbers.numbers.first().copied();
        let count = first.map_or(1, whole);
        let contact = self.info.contacts.iter().position(|item| item.ascii == subject);
        let event = self.info.events.iter().position(|item| item.ascii == subject);
        let section = match (contact, event) {
            (Some(contact), _) => Section::Impacts { contact, count },
            (None, Some(event)) => Section::Events { event, count },
            (None, None) => {
                let returns = numbers.numbers.get(1).copied().unwrap_or(1.0);
                Section::Period(first.unwrap_or(f64::NAN) * returns)
            }
        };
        let (system, (start, inputs)) = self.motion(None)?;
        let until_time = system.scenario(self.said.scenario).and_then(|it| it.until_time);
        let mut options = Options { until_time, ..Options::default() };
        options.until_time = Some(latest_return(start.t, &options));
        Variations::new(&*system)?.orbit(&start, &inputs, &options, section)
    }

    fn exponent(&self, numbers: &Sentence) -> Result<Found, AnalysisError> {
        let given = |place: usize| numbers.numbers.get(place).copied().unwrap_or(SPANS[place]);
        let (span, spans) = (given(0), whole(given(1)));
        if !(span > 0.0 && span.is_finite()) {
            let what = "an exponent over a span that is not above 0".to_owned();
            return Err(AnalysisError::NotFinite { what });
        }
        let (system, (start, inputs)) = self.motion(None)?;
        let (count, transient) = (self.said.index + 1, spans / TRANSIENT);
        let asked = LyapunovOptions { count, span, spans, transient };
        let variations = Variations::new(&*system)?;
        let all = variations.lyapunov(&start, &inputs, &Options::default(), asked)?;
        let exponent = self.one(&all, "exponents")?;
        Ok((Complex::new(exponent.value, 0.0), exponent.error, 1.0))
    }
}

fn size(value: &Complex<f64>) -> f64 {
    value.norm_sqr().sqrt()
}

/// How far a value beside a largest one is known, where it is one of several that are nearly one.
fn unclear(known: f64, (value, largest): (Complex<f64>, f64)) -> f64 {
    if known > UNCLEAR * largest && size(&value) > 0.0 { known } else { 0.0 }
}

/// How what was found compares with what is claimed.
fn compared(said: &SentenceInfo, (value, error, size): Found, numbers: &Sentence) -> Verdict {
    let claimed = numbers.value;
    // A formula that is rounding beside what there is is 0.
    let size = if claimed.abs() > NOTHING * size { claimed.abs() } else { size };
    let formula = FORMULA * size;
    let within = numbers.within.unwrap_or(formula);
    let found = match said.part {
        Part::Whole | Part::Real => value.re,
        Part::Imaginary => value.im,
        Part::Size => elementary::hypot(value.re, value.im),
    };
    let (sure, rounding) = (SURE * error, ROUNDING * claimed.abs());
    let compares = match said.comparison {
        // What is known to less than that may be it by luck.
        Comparison::Equal => (found - claimed).abs() <= within && KNOWN * error <= within,
        Comparison::Less => found + sure < claimed - rounding,
        Comparison::LessEqual => found + sure <= claimed + rounding,
        Comparison::Greater => found - sure > claimed + rounding,
        Comparison::GreaterEqual => found - sure >= claimed - rounding,
    };
    let is_real = said.part != Part::Whole || value.im.abs() <= within.max(sure);
    let imaginary = if is_real { 0.0 } else { value.im };
    Verdict { found, imaginary, error, claimed, within, holds: compares && is_real }
}

/// Why a sentence is not so, or cannot be decided: `does not hold: it is 4.3, claimed 4.29 within 5e-3`. Nothing of one
/// that holds.
pub fn complaint(said: &SentenceInfo, verdict: &Result<Verdict, AnalysisError>) -> Option<String> {
    let Verdict { found, imaginary, error, claimed, within, .. } = match verdict {
        Ok(verdict) if verdict.holds => return None,
        Ok(verdict) => *verdict,
        Err(reason) => return Some(format!("cannot be decided: {reason}")),
    };
    let found = match error {
        _ if imaginary != 0.0 => {
            let sign = if imaginary < 0.0 { '-' } else { '+' };
            format!("it is not real, {found} {sign} {} i", imaginary.abs())
        }
        0.0 => format!("it is {found}"),
        _ if error < PRINTED => format!("it is {found} ± {error:.1e}"),
        _ => format!("it is {found:.6} ± {error:.6}"),
    };
    Some(match said.comparison {
        Comparison::Equal => {
            format!("does not hold: {found}, claimed {claimed} within {within:e}")
        }
        _ => format!("does not hold: {found}, compared with {claimed}"),
    })
}

/// A number of things, at least one.
fn whole(count: f64) -> usize {
    (count.max(1.0).round() as i64).unsigned_abs() as usize
}
