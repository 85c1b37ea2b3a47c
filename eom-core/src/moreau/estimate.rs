//! A run by time steps and its twin in steps of twice the size, whose difference is the estimate of the error.

use super::HERE;
use super::step::{Fault, Moreau, Side};
use crate::run::options::{Method, Options};
use crate::snapshot::words::{Broken, Part, Reader, Writer, part, value};
use crate::system::{Law, System};
use crate::trajectory::event::Hit;

/// How far a run by time stepping can be trusted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stepped {
    /// The step h.
    pub step: f64,
    /// |q_h − q_2h| of each entry of q, the largest along the run: the method is of first order, and errs by about that.
    pub largest: Vec<f64>,
    /// The same of q and v at the end.
    pub last: Vec<f64>,
}

/// Evaluations of the accelerations in a step.
const EVALUATIONS: u64 = 2;

value! { Stepped { step, largest, last } }

/// The two runs.
#[derive(Clone)]
pub(crate) struct Stepping<'a> {
    moreau: Moreau<'a>,
    /// That which is told, of which the flow has the state.
    pub(crate) fine: Side,
    /// Its twin.
    pub(crate) coarse: Side,
    /// Room to look ahead.
    ahead: Side,
    told: Stepped,
    /// The least gap of each contact so far.
    least_gaps: Vec<f64>,
    /// The sign of each guard of a declared event.
    pub(crate) sides: Vec<f64>,
    /// The event that has just fired.
    pub(crate) fired: Option<usize>,
    /// Guards at the beginning and the end of a step.
    pub(crate) guards: [Vec<f64>; 2],
    /// Evaluations of the accelerations.
    evaluations: u64,
}

impl<'a> Stepping<'a> {
    /// Room for runs of a step.
    pub(crate) fn new(system: &'a dyn System, step: f64, law: Option<Law>) -> Self {
        let (info, moreau) = (system.info(), Moreau::new(system, law));
        let (n, m, events) = (info.positions(), info.speeds(), info.events.len());
        let side = moreau.side();
        Self {
            moreau,
            fine: side.clone(),
            coarse: side.clone(),
            ahead: side,
            told: Stepped { step, largest: vec![0.0; n], last: vec![0.0; n + m] },
            least_gaps: vec![f64::INFINITY; info.contacts.len()],
            sides: vec![0.0; events],
            fired: None,
            evaluations: 0,
            guards: [vec![0.0; events], vec![0.0; events]],
        }
    }

    /// Both are at a state, and nothing is known of a step before.
    pub(crate) fn place(&mut self, t: f64, q: &[f64], v: &[f64]) {
        for side in [&mut self.fine, &mut self.coarse] {
            side.q.copy_from_slice(q);
            side.v.copy_from_slice(v);
            side.carried.forget();
        }
        self.fired = None;
        self.see_gaps(t);
    }

    /// A run begins.
    pub(crate) fn rewind(&mut self) {
        self.told.largest.fill(0.0);
        self.told.last.fill(0.0);
        self.least_gaps.fill(f64::INFINITY);
        self.evaluations = 0;
    }

    /// h.
    pub(crate) fn size(&self) -> f64 {
        self.told.step
    }

    /// The twin makes a step.
    pub(crate) fn step_twin(&mut self, at: (f64, f64), u: &[f64]) -> Result<(), Fault> {
        self.evaluations += EVALUATIONS;
        self.moreau.step(at, u, &mut self.coarse)
    }

    /// The run makes a step.
    pub(crate) fn step(&mut self, at: (f64, f64), u: &[f64]) -> Result<(), Fault> {
        self.evaluations += EVALUATIONS;
        self.moreau.step(at, u, &mut self.fine)
    }

    /// Looks ahead from where the run is.
    pub(crate) fn look_from(&mut self, q: &[f64], v: &[f64]) {
        self.ahead.copy(&self.fine);
        self.ahead.q.copy_from_slice(q);
        self.ahead.v.copy_from_slice(v);
    }

    /// A step to look ahead, to [`Stepping::ahead`].
    pub(crate) fn look(&mut self, at: (f64, f64), u: &[f64]) -> Result<(), Fault> {
        self.evaluations += EVALUATIONS;
        self.moreau.step(at, u, &mut self.ahead)
    }

    /// Where the last look led.
    pub(crate) fn ahead(&self) -> (&[f64], &[f64]) {
        (&self.ahead.q, &self.ahead.v)
    }

    /// Evaluations of the accelerations so far.
    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// q_M of the last step, what was struck in it, and v⁺.
    pub(crate) fn struck(&self) -> (&[f64], &[Hit], &[f64]) {
        (&self.moreau.middle, &self.moreau.hits, &self.moreau.next)
    }

    /// The contacts that are closed, and the terms of friction that stick.
    pub(crate) fn mode(&self) -> [impl Iterator<Item = usize> + '_; 2] {
        let carried = &self.fine.carried;
        [&carried.closed, &carried.sticking].map(|list| {
            let set = list.iter().enumerate().filter(|(_, is)| **is);
            set.map(|(index, _)| index)
        })
    }

    /// Both have come to the same time; q and v of the run as they are reported.
    pub(crate) fn compare(&mut self, q: &[f64], v: &[f64]) {
        let (run, twin) = (q.iter().chain(v), self.coarse.q.iter().chain(&self.coarse.v));
        for (last, (x, y)) in self.told.last.iter_mut().zip(run.zip(twin)) {
            *last = (x - y).abs();
        }
        for (largest, last) in self.told.largest.iter_mut().zip(&self.told.last) {
            *largest = largest.max(*last);
        }
    }

    /// Sees the gaps where the run is.
    pub(crate) fn see_gaps(&mut self, t: f64) {
        let gaps = self.moreau.gaps(t, &self.fine.q).iter();
        self.least_gaps.iter_mut().zip(gaps).for_each(|(least, gap)| *least = least.min(*gap));
    }

    /// The least gap of each contact at the ends of steps.
    pub(crate) fn least_gaps(&self) -> &[f64] {
        &self.least_gaps
    }

    /// What is told of the run.
    pub(crate) fn told(&self) -> &Stepped {
        &self.told
    }
}

/// The steps of a run that goes by them; in a program without time stepping nothing, and no code for it.
pub(crate) struct Steps<'a>(Option<Box<Stepping<'a>>>);

impl<'a> Steps<'a> {
    /// Those that the options ask for.
    pub(crate) fn new(system: &'a dyn System, options: &Options) -> Self {
        let step = options.step.filter(|_| HERE && options.method == Method::Moreau);
        Self(step.map(|step| Box::new(Stepping::new(system, step, options.law))))
    }

    pub(crate) fn get(&self) -> Option<&Stepping<'a>> {
        if HERE { self.0.as_deref() } else { None }
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut Stepping<'a>> {
        if HERE { self.0.as_deref_mut() } else { None }
    }

    /// Takes them, to be put back.
    pub(crate) fn take(&mut self) -> Option<Box<Stepping<'a>>> {
        if HERE { self.0.take() } else { None }
    }

    pub(crate) fn put(&mut self, stepping: Box<Stepping<'a>>) {
        self.0 = Some(stepping);
    }
}

impl Clone for Steps<'_> {
    fn clone(&self) -> Self {
        Self(if HERE { self.0.clone() } else { None })
    }
}

impl Part for Steps<'_> {
    fn save(&self, to: &mut Writer) {
        if HERE {
            self.0.save(to);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        if HERE { self.0.restore(from) } else { Ok(()) }
    }
}

/// Lengths are those of the system.
fn fits(told: &Stepped, positions: usize, all: usize) -> bool {
    told.largest.len() == positions && told.last.len() == all
}

part! {
    Stepping<'_> {
        parts: [fine, coarse, least_gaps, sides],
        values: [told, fired, evaluations],
        room: [moreau, ahead, guards],
    },
    |it, from| from.check(fits(&it.told, it.fine.q.len(), it.fine.q.len() + it.fine.v.len()))
}
