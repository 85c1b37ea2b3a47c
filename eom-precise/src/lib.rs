//! Runs of declared mechanical systems in higher precision.
//!
//! ```text
//! equations of motion, exact      graph       each expression once, with rational numbers
//!   │                             series      over power series, order after order
//!   ▼                             motion      M v̇ − Rᵀλ = F − h, A v̇ = −γ, order by order; the step
//! numbers of d digits             guard       the first root of a gap over a step, or that there is none
//!   ▼                             instant     impacts, resets
//! [`Precise`]                     run         arcs and instants to the end
//! ```
//!
//! What doubles cannot tell, a gap that comes to 10⁻¹⁷ and turns back, is a number like others with forty digits. Free
//! flight, constraints, impacts of one contact, declared events are followed; a contact that stays closed, is struck
//! together with another or accumulates its impacts ends the run ([`End::NotFollowed`](eom_core::End::NotFollowed)), dry friction is refused
//! ([`Refusal`]).

mod graph;
mod guard;
mod instant;
mod motion;
mod number;
mod outline;
mod record;
mod refusal;
mod run;
mod series;
mod solve;
mod start;

pub use motion::Exact;
pub use number::{Precision, Real};
pub use record::Happened;
pub use refusal::Refusal;
pub use start::Given;

use crate::outline::Outline;
use crate::record::Recorder;
use crate::run::Runner;
use eom_core::info::SystemInfo;
use eom_core::{ForceCheck, GuardCheck, Mode, ModeSpan, Options, Progress, Trajectory};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use std::ops::ControlFlow;

/// What a run in higher precision leaves.
#[derive(Debug, Clone)]
pub struct Precise {
    /// The run, rounded to doubles.
    pub trajectory: Trajectory,
    /// Its samples with all digits.
    pub samples: Vec<Exact>,
    /// Its impacts and events with all digits.
    pub happened: Vec<Happened>,
    /// The state at the end.
    pub last: Exact,
    /// What the energy has changed by along the motion, without impacts and events.
    pub energy_change: Real,
    /// log₂ of the largest t, entry of q and entry of v on the way.
    sizes: [f64; 3],
    /// nq.
    positions: usize,
}

impl Precise {
    /// How many digits the end shares with another state, of what was largest on the way of t, of q and of v.
    #[expect(clippy::cast_sign_loss, reason = "it is at least 0")]
    pub fn shared_digits(&self, other: &Exact) -> u32 {
        let errors = self.last.less(other).sizes(self.positions);
        let bits = self.sizes.iter().zip(errors).map(|(size, error)| size - error);
        // What was 0 on the way is 0 in both.
        let bits = bits.filter(|bits| !bits.is_nan()).fold(f64::INFINITY, f64::min);
        (bits / std::f64::consts::LOG2_10).clamp(0.0, f64::from(u32::MAX)) as u32
    }
}

/// Runs a system from a start; the observer sees the run after each step, and may stop it.
///
/// # Errors
/// What these runs do not do, a start that has no digits.
pub fn run(
    (model, equations): (&SystemModel, &EquationsOfMotion),
    info: &SystemInfo,
    given: Given<'_>,
    (options, precision): (&Options, Precision),
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<Precise, Refusal> {
    let outline = Outline::new(model, equations)?;
    let (at, fixed) = start::begin(&outline, precision, given)?;
    let mut recorder = Recorder::new(&outline, precision, options.sampling.clone());
    let first = at.clone();
    let begun = (at, fixed);
    let end = Runner::new(&outline, info, (options, precision), begun, &mut recorder).run(observer);
    recorder.finish();
    let rounded = recorder.samples.iter().map(|at| recorder.state(at)).collect();
    let Recorder { samples, events, happened, stats, last, change, sizes, .. } = recorder;
    let t = first.t.to_f64();
    let trajectory = Trajectory {
        samples: rounded,
        events,
        modes: vec![ModeSpan { t, sample: 0, mode: Mode::default() }],
        end,
        guards: GuardCheck::Series,
        rest: None,
        stats,
        forces: ForceCheck::Sampled,
        stepped: None,
        ledger: None,
        least_gaps: Vec::new(),
        sampled: Vec::new(),
    };
    let (last, positions) = (last.unwrap_or(first), outline.positions);
    let energy_change = change;
    Ok(Precise { trajectory, samples, happened, last, energy_change, sizes, positions })
}
