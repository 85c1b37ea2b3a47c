//! The rows of the table: what is done, in which unit, and what is to be reached.

use crate::compile::{CRATE_MAX, CRATE_MAX_OF_12_LINKS, MACRO_MAX};
use crate::problem::Problem;

/// Links of the pendulums that are derived.
pub const LINKS: [usize; 8] = [2, 4, 6, 8, 12, 16, 24, 32];
/// Orders of the Taylor steps; 2(order − 1) digits are e², so these are 10⁻⁹, 10⁻¹² and 10⁻¹⁵.
pub const ORDERS: [(u32, f64); 3] = [(12, 1e-9), (15, 1e-12), (19, 1e-15)];

/// A piece of work that contestants are timed at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Work {
    /// From the declared Lagrangian of the n-link pendulum to its equations.
    DeriveLinks(usize),
    /// The same of a body.
    Derive(Problem),
    /// One evaluation of accelerations and multipliers, each waiting for the one before.
    Latency(Problem),
    /// One of many evaluations.
    Batch(Problem),
    /// Accelerations and multipliers with all of their derivatives by the state, each waiting for the one before.
    Jacobian(Problem),
    /// One step of a Taylor integrator on the double pendulum.
    Taylor(u32),
    /// A run to its end; several tolerances make a curve of time and error.
    Precision(Problem),
    /// One elastic impact of the penny, of 10,000.
    Impacts,
    /// One bounce of a ball, of 150.
    Bounces,
    /// A box with friction that hops along a floor to its rest.
    Hops,
    /// Ten boxes with friction, one upon another, that slide down an incline.
    Stack,
    /// One penny with 20 impacts, of 10,000, on two cores.
    Ensemble,
    /// The macro on a declaration.
    Macro(Problem),
    /// From a declaration to compiled code, or to an integrator that can run.
    Setup(Problem),
}

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    /// Nanoseconds.
    Nanoseconds,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// How many a second two cores do.
    PerSecondOfTwoCores,
}

impl Unit {
    /// A time in nanoseconds as text.
    pub fn show(self, ns: f64) -> String {
        match self {
            Self::Nanoseconds => format!("{} ns", digits(ns)),
            Self::Microseconds => format!("{} µs", digits(ns * 1e-3)),
            Self::Milliseconds => format!("{} ms", digits(ns * 1e-6)),
            Self::Seconds => format!("{} s", digits(ns * 1e-9)),
            Self::PerSecondOfTwoCores => format!("{:.0} a second", 2e9 / ns),
        }
    }
}

/// Three digits.
pub fn digits(value: f64) -> String {
    let decimals = match value.abs() {
        large if large >= 100.0 => 0,
        large if large >= 10.0 => 1,
        large if large >= 1.0 => 2,
        large if large >= 0.1 => 3,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

/// What ours is to reach; all of what is given.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Target {
    /// At most so many times of the best peer, or of the one that is named. Waived where the
    /// hand-written limit itself is slower than that.
    pub peers: Option<(f64, Option<&'static str>)>,
    /// At most so many times of the hand-written limit.
    pub limit: Option<f64>,
    /// At most so many times of the function alone, of derivatives.
    pub function: Option<f64>,
    /// At most so long, ns.
    pub time: Option<f64>,
}

impl Work {
    /// All rows, in the order of the table.
    pub fn all() -> Vec<Self> {
        let links = LINKS.map(Self::DeriveLinks);
        let bodies = [Problem::Penny, Problem::Ball, Problem::Particle].map(Self::Derive);
        let mut all: Vec<Self> = links.into_iter().chain(bodies).collect();
        all.extend(Problem::ALL.map(Self::Latency));
        all.extend(Problem::ALL.map(Self::Batch));
        all.extend(Problem::ALL.map(Self::Jacobian));
        all.extend(ORDERS.map(|(order, _)| Self::Taylor(order)));
        all.extend(Problem::SMOOTH.map(Self::Precision));
        all.extend([Self::Impacts, Self::Bounces, Self::Hops, Self::Stack, Self::Ensemble]);
        all.extend(Problem::ALL.map(Self::Macro));
        all.extend(Problem::ALL.map(Self::Setup));
        all
    }

    /// The name by which `--only` and the peers know it.
    pub fn id(self) -> String {
        match self {
            Self::DeriveLinks(n) => format!("derive/nlink{n}"),
            Self::Derive(problem) => format!("derive/{}", problem.id()),
            Self::Latency(problem) => format!("latency/{}", problem.id()),
            Self::Batch(problem) => format!("batch/{}", problem.id()),
            Self::Jacobian(problem) => format!("jacobian/{}", problem.id()),
            Self::Taylor(order) => format!("taylor/{order}"),
            Self::Precision(problem) => format!("precision/{}", problem.id()),
            Self::Impacts => "impacts".to_owned(),
            Self::Bounces => "bounces".to_owned(),
            Self::Hops => "hops".to_owned(),
            Self::Stack => "stack".to_owned(),
            Self::Ensemble => "ensemble".to_owned(),
            Self::Macro(problem) => format!("macro/{}", problem.id()),
            Self::Setup(problem) => format!("setup/{}", problem.id()),
        }
    }

    /// What the table calls it.
    pub fn title(self) -> String {
        match self {
            Self::DeriveLinks(n) => format!("derive the {n}-link pendulum"),
            Self::Derive(problem) => format!("derive the {}", problem.title()),
            Self::Latency(problem) => format!("one evaluation, {}", problem.title()),
            Self::Batch(problem) => format!("evaluation in a batch, {}", problem.title()),
            Self::Jacobian(problem) => format!("values and Jacobian, {}", problem.title()),
            Self::Taylor(order) => format!("Taylor step of order {order}, double pendulum"),
            Self::Precision(problem) => format!("run of the {}", problem.title()),
            Self::Impacts => "penny, 10,000 impacts: one impact".to_owned(),
            Self::Bounces => {
                "bouncing ball, 150 impacts or what can be told of them: one impact".to_owned()
            }
            Self::Hops => "box with friction, from its fall to its rest: a run".to_owned(),
            Self::Stack => "ten boxes with friction on an incline, half a second: a run".to_owned(),
            Self::Ensemble => "10,000 pennies with 20 impacts each, two cores".to_owned(),
            Self::Macro(problem) => format!("macro, {}", problem.title()),
            Self::Setup(problem) => format!("from declaration to running, {}", problem.title()),
        }
    }

    /// How its times are written.
    pub fn unit(self) -> Unit {
        match self {
            Self::DeriveLinks(_) | Self::Derive(_) | Self::Precision(_) | Self::Macro(_) => {
                Unit::Milliseconds
            }
            Self::Hops | Self::Stack => Unit::Milliseconds,
            Self::Setup(_) => Unit::Seconds,
            Self::Latency(_) | Self::Batch(_) | Self::Jacobian(_) => Unit::Nanoseconds,
            Self::Taylor(_) | Self::Impacts | Self::Bounces => Unit::Microseconds,
            Self::Ensemble => Unit::PerSecondOfTwoCores,
        }
    }

    /// What is to be reached.
    pub fn target(self) -> Target {
        let (peers, limit) = match self {
            Self::DeriveLinks(32) => (Some((0.5, Some("CasADi"))), None),
            // Others of the last two are told by their errors: by time steps of first order, and of bodies that give way.
            Self::DeriveLinks(_) | Self::Macro(_) | Self::Setup(_) | Self::Hops | Self::Stack => {
                (None, None)
            }
            Self::Derive(_) => (Some((1.0, Some("SymEngine"))), None),
            Self::Latency(_) => (Some((1.0, None)), Some(1.1)),
            Self::Batch(_) => (Some((0.5, Some("heyoka"))), Some(1.25)),
            Self::Taylor(_) => (Some((1.0, None)), Some(1.25)),
            Self::Jacobian(_) | Self::Precision(_) | Self::Bounces => (Some((1.0, None)), None),
            // 2.5 µs beside 1.3 µs by hand, and 50,000 a second beside 63,600.
            Self::Impacts => (Some((1.0, None)), Some(2.5 / 1.27)),
            Self::Ensemble => (Some((1.0, None)), Some(63.6 / 50.0)),
        };
        let function = match self {
            Self::Jacobian(Problem::Pendulum6 | Problem::Pendulum12 | Problem::Ball) => Some(6.0),
            Self::Jacobian(_) => Some(4.0),
            _ => None,
        };
        let time = match self {
            Self::Macro(_) => Some(MACRO_MAX * 1e6),
            Self::Setup(Problem::Pendulum12) => Some(CRATE_MAX_OF_12_LINKS * 1e9),
            Self::Setup(_) => Some(CRATE_MAX * 1e9),
            _ => None,
        };
        Target { peers, limit, function, time }
    }

    /// The largest error with which a time counts.
    pub fn error_max(self) -> Option<f64> {
        match self {
            // Of multipliers and accelerations that were solved for in doubles.
            Self::Latency(_) | Self::Batch(_) | Self::Jacobian(_) => Some(1e-9),
            // Of the time of the 20th impact, s.
            Self::Impacts => Some(3e-10),
            // Of the last bounce, s.
            Self::Bounces => Some(1e-11),
            // Of the last state, m and m/s.
            Self::Hops | Self::Stack => Some(1e-2),
            _ => None,
        }
    }
}
