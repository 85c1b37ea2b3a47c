//! Whether two runs of one case are the same, as far as rounding lets them be.
//!
//! Collisions spread what is near: a run beside it, whose start and masses differ by a part δ = 10⁻¹⁰, tells how
//! far. Two runs of the case itself differ by what they err, which is at most some 10⁻² δ: so an event
//! may be off by
//!
//! ```text
//! base + 10⁻² max |t′ − t|        over it and those before it, t′ that of the run beside
//! ```
//!
//! and they are compared to where the run beside has other events.

use crate::runs::{Seen, Told};
use eom_core::State;

/// What the run beside differs by at the start, and the part of it that a run errs.
pub(crate) const BESIDE: f64 = 1e-10;
const SHARE: f64 = 1e-2;

/// Impacts that follow each other within this part of the span are not told apart: a series of
/// impacts that accumulates ends where rounding has it.
const APART: f64 = 1e-6;

/// A contact opens where its force is zero, and a force that fades out is so wherever rounding has it.
const FADING: f64 = 1e-2;

/// Where differences have grown beyond this, nothing is compared any more.
const GROWN: f64 = 1e-4;

/// What a run may be off, at each of its events and at its end.
#[derive(Debug)]
pub(crate) struct Allowed {
    pub(crate) events: Vec<f64>,
    /// The time to which there is something to compare.
    pub(crate) horizon: f64,
    base: f64,
}

/// Events without the last impacts of a series that ends in rest, in groups of one time.
fn readable(told: &Told, apart: f64) -> Vec<Seen> {
    let mut events: Vec<Seen> = Vec::new();
    for event in &told.events {
        if event.what.starts_with("closing") {
            let from = event.t - apart;
            events.retain(|before| !(before.t >= from && before.what.starts_with("impact")));
        }
        events.push(event.clone());
    }
    events
}

pub(crate) struct Scale {
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

impl Scale {
    /// What rounding of times and states makes of the time of an event.
    fn base(&self) -> f64 {
        1e-10 * (1.0 + (self.end - self.begin)) + 64.0 * f64::EPSILON * self.end.abs()
    }

    /// What a run errs, in units of what the run beside differs by.
    fn share(&self) -> f64 {
        SHARE + 4.0 * f64::EPSILON * self.end.abs() / BESIDE
    }

    fn apart(&self) -> f64 {
        APART * (self.end - self.begin) + 1e4 * f64::EPSILON * self.end.abs()
    }
}

/// The pairs of events of two runs, up to a time: events of one time in any order. Or the first that
/// has no partner.
fn paired<'a>(
    a: &'a [Seen],
    b: &'a [Seen],
    off: impl Fn(usize) -> f64,
    horizon: f64,
) -> Result<Vec<(usize, f64)>, String> {
    let mut taken = vec![false; b.len()];
    let mut pairs = Vec::new();
    let mut first = 0;
    for (i, event) in a.iter().enumerate() {
        let off = if event.what.starts_with("opening") { off(i).max(FADING) } else { off(i) };
        if event.t > horizon - off {
            break;
        }
        while first < b.len() && taken[first] {
            first += 1;
        }
        let candidate = (first..b.len())
            .take_while(|j| b[*j].t <= event.t + off)
            .find(|j| !taken[*j] && b[*j].what == event.what && (b[*j].t - event.t).abs() <= off);
        let Some(j) = candidate else {
            let near: Vec<&Seen> =
                b.iter().filter(|b| (b.t - event.t).abs() < 0.05).take(8).collect();
            return Err(format!(
                "{event:?} (off {off:.1e}) of the one is not in the other: {near:?}"
            ));
        };
        taken[j] = true;
        pairs.push((j, b[j].t - event.t));
    }
    Ok(pairs)
}

/// What the run beside says of a run.
pub(crate) fn allowed(run: &Told, beside: &Told, scale: &Scale) -> Allowed {
    let apart = scale.apart();
    let (a, b) = (readable(run, apart), readable(beside, apart));
    let base = scale.base();
    let mut events = Vec::new();
    let mut most = base;
    let mut horizon = run.end.t().min(beside.end.t()).min(scale.end);
    if !run.end.is_complete() || !beside.end.is_complete() {
        horizon -= apart;
    }
    for i in 0..a.len() {
        let same = paired(&a[i..=i], &b, |_| GROWN, f64::INFINITY);
        match same {
            Ok(pairs) if pairs.len() == 1 => {
                most = most.max(scale.share() * pairs[0].1.abs());
                events.push(most);
            }
            _ => {
                horizon = horizon.min(a[i].t - GROWN);
                break;
            }
        }
    }
    // An event of the run beside that this one has not.
    for event in &b {
        if event.t < horizon
            && paired(std::slice::from_ref(event), &a, |_| GROWN, f64::INFINITY).is_err()
        {
            horizon = horizon.min(event.t - GROWN);
        }
    }
    Allowed { events, horizon, base }
}

/// The events of two runs are the same up to a time.
pub(crate) fn same_events(
    run: &Told,
    other: &Told,
    until: f64,
    allowed: &Allowed,
    scale: &Scale,
) -> Result<usize, String> {
    let apart = scale.apart();
    let (a, b) = (readable(run, apart), readable(other, apart));
    let last = allowed.events.last().copied().unwrap_or(allowed.base);
    let off = |i: usize| 2.0 * allowed.events.get(i).copied().unwrap_or(last);
    // Impacts near the end may be those of a series whose closing comes behind it.
    let ends = run.end.t().min(other.end.t());
    let until = until.min(allowed.horizon).min(ends - apart);
    let forth = paired(&a, &b, off, until)?;
    paired(&b, &a, |_| 2.0 * last, until)?;
    Ok(forth.len())
}

/// How far apart two states are.
pub(crate) fn apart(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Two states at one time are the same, as far as the run beside has them so.
pub(crate) fn same_state(
    a: &State,
    b: &State,
    beside: Option<&State>,
    scale: &Scale,
) -> Result<(), String> {
    let Some(beside) = beside else { return Ok(()) };
    let size = 1.0 + a.q.iter().chain(&a.v).map(|y| y.abs()).fold(0.0, f64::max);
    let grown = apart(a, beside);
    if grown > GROWN * size {
        return Ok(());
    }
    let off = 10.0 * scale.base() * size * size + 2.0 * scale.share() * grown;
    let found = apart(a, b);
    if found <= off { Ok(()) } else { Err(format!("{a:?} and {b:?}: {found:.1e} for {off:.1e}")) }
}

impl Allowed {
    /// For a look at whether two runs are alike at all.
    pub(crate) fn loose(scale: &Scale) -> Self {
        Self { events: vec![GROWN], horizon: scale.end, base: GROWN }
    }
}
