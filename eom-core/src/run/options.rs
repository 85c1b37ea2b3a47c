//! What the caller chooses of a run: tolerances, the end, the samples, the budgets.

use crate::error::StartError;
use crate::info::SystemInfo;
use crate::series::{ORDER_MAX, ORDER_MIN, order_of, truncation_of};
use crate::snapshot::words::{choice, value};
use crate::system::{EventCount, Law};
use std::sync::Arc;

/// The absolute part of the error weights, in the units of each component.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AbsoluteTolerance {
    /// The same number for all coordinates and velocities.
    All(f64),
    /// One number a component, those of q first, then those of v: nq + m of them.
    Each(Vec<f64>),
}

/// The most samples of a fixed interval: what a word counts.
const SAMPLES_MAX: f64 = (1_u64 << 63) as f64;

/// Which states a trajectory keeps. The start and the last state are always kept.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sampling {
    /// Every accepted step, and each event from both sides (two samples of one time).
    Steps,
    /// The same, and within steps by series, which may be long, the states that part them in eight: what a curve is
    /// drawn through.
    Curve,
    /// The times t₀ + i·interval, from the dense output. At the time of an event the sample is
    /// the state before it. The end takes the place of a sample at the same time.
    Every(f64),
    /// These times, in rising order, none before the start, as [`Sampling::Every`] its own. Times that a
    /// run does not reach have no sample.
    At(Arc<[f64]>),
    /// Start and end only.
    Ends,
}

impl Sampling {
    /// Whether samples are at times that were asked for.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self, Self::Every(_) | Self::At(_))
    }

    /// How many of the times in a list are not after the start, which has its sample.
    pub(crate) fn count_to(&self, start: f64) -> u64 {
        let Self::At(times) = self else { return 0 };
        times.iter().take_while(|t| **t <= start).count() as u64
    }

    /// Refuses what means nothing for a run that starts at t₀, and more samples of one that ends than are counted.
    fn check(&self, t0: f64, end: Option<f64>) -> Result<(), StartError> {
        match self {
            Self::Every(interval) => {
                within("sampling interval", *interval, f64::MIN_POSITIVE, f64::MAX)?;
                // A run that is restored has begun before any time.
                let least = end.map_or(0.0, |end| (end - t0) / SAMPLES_MAX);
                let least = if least.is_finite() { least } else { 0.0 };
                within("sampling interval", *interval, least, f64::MAX)
            }
            Self::At(times) => {
                times.iter().try_for_each(|t| within("sampling time", *t, t0, f64::MAX))?;
                let mut pairs = times.iter().zip(times.iter().skip(1));
                match pairs.find(|(before, after)| before > after) {
                    Some((&before, &after)) => Err(StartError::Unsorted { before, after }),
                    None => Ok(()),
                }
            }
            Self::Steps | Self::Curve | Self::Ends => Ok(()),
        }
    }
}

/// How arcs between events are integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// The one that the motion asks for: power series in free motion of systems that have them, else Runge–Kutta,
    /// and Radau IIA for as long as the motion is stiff. What made the steps is in [`Stats`](crate::Stats).
    Automatic,
    /// The Runge–Kutta method of order 8 of Dormand and Prince.
    #[default]
    RungeKutta,
    /// Power series of the motion, of an order that follows from the relative tolerance unless
    /// [`Options::series_order`] is one; guards are
    /// polynomials whose first root is isolated. Runge–Kutta takes over where there is no series: for
    /// systems without ([`Specialised::has_series`](crate::system::Specialised::has_series)), and while contacts are
    /// closed.
    Taylor,
    /// Radau IIA of order 9, implicit, for stiff systems: a spring or a damper far faster than the
    /// motion does not limit its steps.
    Radau,
    /// Time stepping by Moreau's and Jean's rule, with steps of [`Options::step`]: of first order, for motions with more
    /// contacts than can be followed event by event. The trajectory has an estimate of its error ([`Stepped`](crate::Stepped)).
    Moreau,
}

impl Method {
    /// All, each by the word that the command, files and pages have for it.
    pub const NAMES: [(&str, Self); 5] = [
        ("automatic", Self::Automatic),
        ("runge-kutta", Self::RungeKutta),
        ("taylor", Self::Taylor),
        ("radau", Self::Radau),
        ("moreau", Self::Moreau),
    ];

    /// The method of a word.
    pub fn named(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|(_, method)| *method)
    }

    /// Whether free motion goes by power series.
    pub(crate) fn has_series(self) -> bool {
        matches!(self, Self::Automatic | Self::Taylor)
    }
}

/// What happens to a start state that is off its constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StartPolicy {
    /// It is refused, with the residuals.
    Refuse,
    /// It is moved to the constraints orthogonally in the metric of the kinetic energy: q to
    /// φ = 0, then v to A v + b = 0. A state that penetrates a contact is still refused.
    Project,
}

/// What is known of the forces between the points at which a step asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ForceCheck {
    /// Steps are short enough to see a barrier or a pulse however narrow, what lies between two jumps, and where a force is not
    /// defined: the program of the forces is bounded over them. Where the system has none, or takes the sign of what moves in a
    /// force, or two sizes |u|, the run is one of `Sampled`, and says so.
    Bounded,
    /// Nothing: what lies between two stages of a step is stepped over.
    #[default]
    Sampled,
}

/// The options of a run.
///
/// The weights of a component y of the state are wᵧ = absolute + relative·|y|. The ratio
/// absolute/relative is also the magnitude below which a component counts as zero; the scale of
/// a coordinate is |q| + absolute/relative.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Options {
    /// How arcs are integrated.
    pub method: Method,
    /// The step of time stepping, [`Method::Moreau`], which has none of its own; the other methods choose theirs.
    pub step: Option<f64>,
    /// The order of the series of [`Method::Taylor`], from 4 to 32; without one, for the relative
    /// tolerance r, 3 − ⅔ ln ε with ε = min(r, 10¹² r²), or 1 − ln r for systems with contacts or events, which costs
    /// about least.
    pub series_order: Option<usize>,
    /// Relative tolerance of the error of a step, at least 2·10⁻¹⁵.
    pub relative_tolerance: f64,
    /// Absolute tolerance of the error of a step.
    pub absolute_tolerance: AbsoluteTolerance,
    /// The run ends at this time.
    pub until_time: Option<f64>,
    /// The run ends after this many impacts, at least 1.
    pub until_impacts: Option<usize>,
    /// The run ends after these events.
    pub until_events: Option<EventCount>,
    /// Used for every contact instead of the declared law.
    pub law: Option<Law>,
    /// Which states are kept.
    pub sampling: Sampling,
    /// A start state off its constraints.
    pub start: StartPolicy,
    /// How far a start state may be off a constraint, relative to its scale: for A v + b the
    /// kinetic norm of v, for φ and g the scales of the coordinates. A contact that is open by no more than a thousandth of
    /// this touches.
    pub start_tolerance: f64,
    /// The largest step, in units of time; infinite means that accuracy alone decides.
    #[cfg_attr(feature = "serde", serde(with = "limit"))]
    pub step_size_max: f64,
    /// The run ends after this many steps, at least 1.
    pub steps_max: u64,
    /// The run ends after this many events, at least 1.
    pub events_max: usize,
    /// Whether steps are kept short enough to see all forces.
    pub forces: ForceCheck,
    /// Whether the run keeps a [`Ledger`](crate::Ledger) of its energy. It changes nothing of the
    /// motion, and costs nothing where it is not kept.
    pub ledger: bool,
    /// Whether the run keeps the least gap of each contact over its whole arcs, not at the ends of steps alone. It
    /// changes nothing of the motion, but may count evaluations for dense output.
    pub least_gaps: bool,
}

/// A limit as it is serialised: nothing where there is none, since JSON has no infinite number.
#[cfg(feature = "serde")]
mod limit {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(limit: &f64, to: S) -> Result<S::Ok, S::Error> {
        Some(*limit).filter(|limit| limit.is_finite()).serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        Option::deserialize(from).map(|limit| limit.unwrap_or(f64::INFINITY))
    }
}

/// Tolerances near rounding: over 10,000 elastic impacts of the penny they keep the energy to
/// 10⁻¹², and impact times as well as the rounding of the states allows. With 10⁻¹² and
/// 10⁻¹⁴ a run takes 6 steps for 10.
impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::RungeKutta,
            step: None,
            series_order: None,
            relative_tolerance: 1e-14,
            absolute_tolerance: AbsoluteTolerance::All(1e-16),
            until_time: None,
            until_impacts: None,
            until_events: None,
            law: None,
            sampling: Sampling::Steps,
            start: StartPolicy::Refuse,
            start_tolerance: 1e-9,
            step_size_max: f64::INFINITY,
            steps_max: 10_000_000,
            events_max: 1_000_000,
            forces: ForceCheck::Sampled,
            ledger: false,
            least_gaps: false,
        }
    }
}

/// The smallest relative tolerance: below about ten units of rounding the error estimate of a
/// step is noise.
const RELATIVE_TOLERANCE_MIN: f64 = 2e-15;

/// A gap that is open at the start counts as touching within so many absolute tolerances.
const TOUCHING: f64 = 16.0;

/// And within this part of the start tolerance: some thousand roundings where that is not given. What is open by more is open:
/// of a place 10⁹ from the origin the start tolerance itself would be 1.
const TOUCHING_PART: f64 = 1e-3;

impl Options {
    /// Whether they say when a run ends.
    pub fn has_end(&self) -> bool {
        self.until_time.is_some() || self.until_impacts.is_some() || self.until_events.is_some()
    }

    /// The time at which a run ends, where they say nothing else that may end it.
    pub fn end_in_time(&self) -> Option<f64> {
        self.until_time.filter(|_| self.until_impacts.is_none() && self.until_events.is_none())
    }

    /// Refuses values that mean nothing, for a system started at t₀.
    pub(crate) fn check(&self, info: &SystemInfo, t0: f64) -> Result<(), StartError> {
        within("relative tolerance", self.relative_tolerance, RELATIVE_TOLERANCE_MIN, 0.1)?;
        if let Some(order) = self.series_order {
            within("order of the series", order as f64, ORDER_MIN as f64, ORDER_MAX as f64)?;
        }
        match &self.absolute_tolerance {
            AbsoluteTolerance::All(value) => {
                within("absolute tolerance", *value, f64::MIN_POSITIVE, f64::MAX)?;
            }
            AbsoluteTolerance::Each(values) => {
                let expected = info.positions() + info.speeds();
                StartError::check_length("absolute tolerances", expected, values.len())?;
                for value in values {
                    within("absolute tolerance", *value, f64::MIN_POSITIVE, f64::MAX)?;
                }
            }
        }
        self.sampling.check(t0, self.until_time)?;
        if let Some(step) = self.step {
            within("step", step, f64::MIN_POSITIVE, f64::MAX)?;
        }
        within("start tolerance", self.start_tolerance, f64::MIN_POSITIVE, 1.0)?;
        within("largest step", self.step_size_max, f64::MIN_POSITIVE, f64::INFINITY)?;
        self.check_budgets()?;
        if let Some(EventCount { event: Some(event), .. }) = self.until_events {
            let last = info.events.len() as f64 - 1.0;
            within("index of the event of the end", event as f64, 0.0, last)?;
        }
        self.until_time.map_or(Ok(()), |end| within("time of the end", end, t0, f64::MAX))
    }

    /// Refuses counts of nothing.
    fn check_budgets(&self) -> Result<(), StartError> {
        let counts = [
            ("largest number of steps", Some(self.steps_max as f64)),
            ("largest number of events", Some(self.events_max as f64)),
            ("number of impacts of the end", self.until_impacts.map(|count| count as f64)),
            ("number of events of the end", self.until_events.map(|wanted| wanted.count as f64)),
        ];
        let mut given = counts.into_iter().filter_map(|(name, count)| Some((name, count?)));
        given.try_for_each(|(name, count)| within(name, count, 1.0, f64::MAX))
    }

    /// Refuses a run that nothing would end.
    pub(crate) fn check_end(&self) -> Result<(), StartError> {
        if self.has_end() { Ok(()) } else { Err(StartError::NoEnd) }
    }

    /// The nq + m absolute tolerances.
    pub(crate) fn absolute(&self, info: &SystemInfo) -> Vec<f64> {
        match &self.absolute_tolerance {
            AbsoluteTolerance::All(value) => vec![*value; info.positions() + info.speeds()],
            AbsoluteTolerance::Each(values) => values.clone(),
        }
    }

    /// The absolute tolerance that all entries share.
    pub(crate) fn absolute_of_all(&self) -> Option<f64> {
        match &self.absolute_tolerance {
            AbsoluteTolerance::All(value) => Some(*value),
            AbsoluteTolerance::Each(_) => None,
        }
    }

    /// The order of series.
    pub(crate) fn order(&self, info: &SystemInfo) -> usize {
        let [first, _] = self.truncations(info);
        self.series_order.unwrap_or_else(|| order_of(first, has_guards(info)))
    }

    /// What a step of a series may err by at most, relative, at the start of an arc and later.
    pub(crate) fn truncations(&self, info: &SystemInfo) -> [f64; 2] {
        [has_guards(info), false].map(|guards| truncation_of(self.relative_tolerance, guards))
    }

    /// The magnitudes below which each entry of q counts as zero: absolute/relative, and 1 for
    /// the components of a unit quaternion.
    pub(crate) fn floors(&self, info: &SystemInfo) -> Vec<f64> {
        self.magnitudes(info, |absolute| absolute / self.relative_tolerance)
    }

    /// The part of the scale of a gap by which it may be open at the start and touch.
    pub(crate) fn touching(&self) -> f64 {
        self.start_tolerance * TOUCHING_PART
    }

    /// The floors of that scale: what is open by no more than the absolute tolerance touches.
    pub(crate) fn touching_floors(&self, info: &SystemInfo) -> Vec<f64> {
        let part = (TOUCHING / self.touching()).min(f64::MAX);
        self.magnitudes(info, |absolute| absolute * part)
    }

    /// A magnitude of each entry of q by its absolute tolerance, and 1 for the components of a unit quaternion.
    fn magnitudes(&self, info: &SystemInfo, of: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut magnitudes = self.absolute(info);
        magnitudes.truncate(info.positions());
        for entry in &mut magnitudes {
            *entry = of(*entry);
        }
        magnitudes[info.coordinates.len()..].fill(1.0);
        magnitudes
    }
}

/// Whether a step is searched for the roots of guards.
fn has_guards(info: &SystemInfo) -> bool {
    !(info.contacts.is_empty() && info.events.is_empty())
}

/// Refuses a number outside of [low, high], NaN included.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    low: f64,
    high: f64,
) -> Result<(), StartError> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(StartError::Option { name, value, low, high })
    }
}

choice! { AbsoluteTolerance { 0 => All(number), 1 => Each(numbers) } }
choice! { Sampling { 0 => Steps, 1 => Every(interval), 2 => At(times), 3 => Ends, 4 => Curve } }
choice! { Method { 0 => RungeKutta, 1 => Taylor, 2 => Radau, 3 => Automatic, 4 => Moreau } }
choice! { StartPolicy { 0 => Refuse, 1 => Project } }
choice! { ForceCheck { 0 => Bounded, 1 => Sampled } }
value! { EventCount { event, count } }
value! { Options {
    method, step, series_order, relative_tolerance, absolute_tolerance, until_time, until_impacts,
    until_events, law, sampling, start, start_tolerance, step_size_max, steps_max, events_max,
    forces, ledger, least_gaps,
} }
