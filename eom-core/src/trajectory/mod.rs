//! What a run leaves: samples, events, the reason for its end.

pub(crate) mod end;
pub(crate) mod event;
pub(crate) mod ledger;
pub(crate) mod stats;
pub(crate) mod watched;

use crate::info::SystemInfo;
use crate::mode::Mode;
use crate::moreau::Stepped;
use crate::run::options::ForceCheck;
use crate::snapshot::words::{Value, choice, layout, value};
use crate::snapshot::{RestoreError, Snapshot};
use crate::state::State;
use crate::system::System;
use end::End;
use event::Event;
use ledger::Ledger;
use stats::Stats;
use watched::Watched;

/// A mode and where it begins.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModeSpan {
    /// When it begins.
    pub t: f64,
    /// The first sample in it, by index; past the last where none is.
    pub sample: usize,
    /// The mode.
    pub mode: Mode,
}

/// How it is known that no contact and no declared event was passed unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GuardCheck {
    /// Proven: each guard was bounded over every step of the computed motion, with its error.
    Proven,
    /// Some guard on some step was looked at in single points only, and may have passed zero twice between
    /// them: it holds a function that was given at run time or an integral, or is of forces that the motion does not determine,
    /// or the system gives no bounds. [`Trajectory::sampled`] has which.
    Sampled,
    /// By power series of many digits: the first root of each is found over every step; what follows their last terms is
    /// estimated from these, some digits below those that are asked for.
    Series,
    /// By time steps: contacts by their gaps in the middle of each, events by the signs at its ends, to first order.
    Stepped,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Trajectory {
    /// States in the order of time; the first is the start, the last the state at the end.
    pub samples: Vec<State>,
    /// Impacts, changes of contacts and declared events in the order in which they happened.
    pub events: Vec<Event>,
    /// The modes in the order of time; the first is that of the start.
    pub modes: Vec<ModeSpan>,
    /// Why the run ended.
    pub end: End,
    /// How it is known that no guard was passed unseen.
    pub guards: GuardCheck,
    /// The guards that were only sampled on some step.
    pub sampled: Vec<Watched>,
    /// Since when nothing moves, where it stays so for good.
    pub rest: Option<f64>,
    /// The work done.
    pub stats: Stats,
    /// Whether steps were short enough to see all forces: as [`Options::forces`](crate::Options::forces) asks,
    /// where the system can be bounded.
    pub forces: ForceCheck,
    /// The step and the estimate of the error, where the run went by time stepping ([`Method::Moreau`](crate::Method::Moreau)).
    pub stepped: Option<Stepped>,
    /// What changed the energy, where [`Options::ledger`](crate::Options::ledger) asks for it.
    pub ledger: Option<Ledger>,
    /// The least gap of each contact over the whole motion, to 10⁻¹² of the gaps of a step, where
    /// [`Options::least_gaps`](crate::Options::least_gaps) asks for it; a gap that cannot be bounded, and that of a
    /// closed contact, at the ends of steps only.
    pub least_gaps: Vec<f64>,
}

impl Trajectory {
    /// The impacts among the events, each with the index of its contact. Contacts that were hit at
    /// one time come one after the other, with the same event.
    pub fn impacts(&self) -> impl Iterator<Item = (usize, &Event)> {
        self.events.iter().flat_map(|event| event.struck().map(move |contact| (contact, event)))
    }

    /// The guards that were only sampled, in words.
    pub fn sampled_in_words(&self, info: &SystemInfo) -> Vec<String> {
        self.sampled.iter().map(|guard| guard.text(info)).collect()
    }

    /// The mode of a sample.
    pub fn mode_of_sample(&self, index: usize) -> Option<&Mode> {
        let after = self.modes.partition_point(|span| span.sample <= index);
        Some(&self.modes.get(after.checked_sub(1)?)?.mode)
    }

    /// The mode of the motion from a sample to the next: at an event that changes no velocity one sample is the last of one
    /// mode and the first of the other.
    pub fn mode_after_sample(&self, index: usize) -> Option<&Mode> {
        let [from, to] = self.samples.get(index..)?.first_chunk()?;
        let begins =
            |span: &ModeSpan| span.sample == index + 1 && span.t <= from.t && from.t < to.t;
        let after = self.modes.partition_point(|span| span.sample <= index || begins(span));
        Some(&self.modes.get(after.checked_sub(1)?)?.mode)
    }

    /// What it is made of, to be kept or handed on: with the feature `serde` it can be serialised. The system is that of
    /// the run, by its names, equations and parameters; those of functions that were given at run time are not compared.
    ///
    /// ```
    /// # use eom_core::info::{NameInfo, SystemInfo};
    /// # use eom_core::system::{Contacts, Events, Friction, Specialised};
    /// # use eom_core::{Energy, Options, State, System, Trajectory, simulate};
    /// # static SPRING: SystemInfo = SystemInfo {
    /// #     name: "Spring",
    /// #     coordinates: &[NameInfo { name: "x", ascii: "x", doc: "" }],
    /// #     ..SystemInfo::EMPTY
    /// # };
    /// # struct Spring;
    /// # impl System for Spring {
    /// #     fn info(&self) -> &'static SystemInfo { &SPRING }
    /// #     fn accelerations(
    /// #         &self, _t: f64, q: &[f64], _v: &[f64], _u: &[f64], a: &mut [f64], _λ: &mut [f64],
    /// #     ) {
    /// #         a[0] = -q[0];
    /// #     }
    /// #     fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) { m[0] = 1.0; }
    /// #     fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
    /// #         let (kinetic, potential) = (v[0] * v[0] / 2.0, q[0] * q[0] / 2.0);
    /// #         Energy { kinetic, potential, jacobi: kinetic + potential }
    /// #     }
    /// # }
    /// # impl Contacts for Spring {}
    /// # impl Events for Spring {}
    /// # impl Friction for Spring {}
    /// # impl Specialised for Spring {}
    /// # use std::ops::ControlFlow;
    /// let (start, options) = (State::new(0.0, [1.0], [0.0]), Options { until_time: Some(3.0), ..Options::default() });
    /// let made = simulate(&Spring, &start, &[], &options, &mut |_| ControlFlow::Continue(()))?;
    /// assert_eq!(Trajectory::restore(&Spring, &made.save(&Spring))?, made);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, system: &dyn System) -> SavedTrajectory {
        SavedTrajectory(Snapshot::sealed(system, self.end.t(), |to| {
            to.word(KIND);
            self.write(to);
        }))
    }

    /// The trajectory of which [`Trajectory::save`] was asked, to the bit.
    ///
    /// # Errors
    /// For one of another system or format, and one that is damaged.
    pub fn restore(system: &dyn System, saved: &SavedTrajectory) -> Result<Self, RestoreError> {
        let mut from = saved.0.unsealed(system)?.counts();
        from.expect(KIND)?;
        let made = Self::read(&mut from)?;
        from.end()?;
        Ok(made)
    }

    /// The last state.
    pub fn last(&self) -> Option<&State> {
        self.samples.last()
    }
}

/// A trajectory, to be kept: [`Trajectory::save`] makes it, [`Trajectory::restore`] reads it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedTrajectory(Snapshot);

/// The first word: what follows is no run.
const KIND: u64 = layout("trajectory");

choice! { GuardCheck { 0 => Proven, 1 => Sampled, 2 => Series, 3 => Stepped } }
value! { ModeSpan { t, sample, mode } }
value! {
    Trajectory {
        samples, events, modes, end, guards, rest, stats, forces, stepped, ledger, least_gaps,
        sampled,
    },
    |it, from| it.samples.iter().try_for_each(|state| from.sizes(&state.q, &state.v))
}
