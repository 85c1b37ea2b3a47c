//! Whether two runs of one case are the same, as far as rounding lets them be.
//!
//! Collisions spread what is near: a run beside it, whose start and masses differ by a part δ = 10⁻¹⁰, and which
//! starts later by 16 roundings of the time, tells how far. Two runs of the case itself differ by what they err, which
//! is at most some 3·10⁻² δ and 8 roundings of the time: so an event may be off by
//!
//! ```text
//! base + s max |t′ − t| + what its time can be told to       t′ that of the run beside, over it and those before it
//! s = 3·10⁻² + 8ε|t|/(δ + 16ε|t|)
//! ```
//!
//! Where a motion passes something narrow, rounding of its state and of the time there makes more of it: a well of depth V and
//! width w gives the energy εq V/w. Where two runs differ, some that are moved on their way by their tolerance (`moved`) tell
//! how far such go.
//!
//! (`runs` and `opening` say to what it can be told), and they are compared to where the run beside has other
//! events, or one run has an impact that rounding alone brings about, or two that are closer to each other than their
//! times can be told, 64ε|t| with them.

use crate::runs::{Seen, Told, later};
use eom_core::State;

/// What the run beside differs by at the start, and the part of it that a run errs.
pub(crate) const BESIDE: f64 = 1e-10;
const SHARE: f64 = 3e-2;

/// Of few runs that are moved on their way none may be moved as far as the one that is looked at.
const MOVED: f64 = 3.0;

/// Impacts that follow each other within this part of the span are not told apart: a series of
/// impacts that accumulates ends where rounding has it.
const APART: f64 = 1e-6;

/// Events of the end of a series follow each other within this.
const CLOSE: f64 = 2e-5;

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

/// Events without the last impacts of a series that ends in rest, in groups of one time. A closing that is rounding alone in one
/// run and not in the other is none of it in either.
fn readable(told: &Told, other: &Told, apart: f64) -> Vec<Seen> {
    let is_firm = |event: &Seen| event.what.starts_with("closing") && !event.is_slight;
    let mut events: Vec<Seen> = Vec::new();
    for event in &told.events {
        let same = |one: &&Seen| one.what == event.what && (one.t - event.t).abs() <= apart;
        let is_closing = event.what.starts_with("closing");
        if is_firm(event) || is_closing && other.events.iter().filter(same).any(is_firm) {
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
        1e-10 * (1.0 + (self.end - self.begin)) + self.of_time()
    }

    /// What rounding of times makes of the time of an event.
    fn of_time(&self) -> f64 {
        64.0 * f64::EPSILON * self.end.abs()
    }

    /// What a run errs, in units of what the run beside differs by.
    fn share(&self) -> f64 {
        SHARE + 8.0 * f64::EPSILON * self.end.abs() / (BESIDE + later(self.end))
    }

    fn apart(&self) -> f64 {
        APART * (self.end - self.begin) + 1e4 * f64::EPSILON * self.end.abs()
    }
}

/// The pairs of events of two runs, up to a time: events of one time in any order; how much later that of the other
/// is. Or the first that has no partner.
fn paired<'a>(
    a: &'a [Seen],
    b: &[Seen],
    off: impl Fn(usize) -> f64,
    horizon: f64,
) -> Result<Vec<f64>, &'a Seen> {
    let mut taken = vec![false; b.len()];
    let mut pairs = Vec::new();
    let mut first = 0;
    for (i, event) in a.iter().enumerate() {
        let off = off(i);
        if event.t > horizon - off {
            break;
        }
        while first < b.len() && taken[first] {
            first += 1;
        }
        let candidate = (first..b.len())
            .take_while(|j| b[*j].t <= event.t + off + b[*j].told.max(event.told))
            .find(|j| {
                let off = off + b[*j].told.max(event.told);
                let is_near = (b[*j].t - event.t).abs() <= off;
                !taken[*j] && b[*j].what == event.what && is_near
            });
        let Some(j) = candidate else { return Err(event) };
        taken[j] = true;
        pairs.push(b[j].t - event.t);
    }
    Ok(pairs)
}

/// What the run beside says of a run.
pub(crate) fn allowed(run: &Told, beside: &Told, scale: &Scale) -> Allowed {
    allowed_by(run, beside, scale.share(), scale)
}

/// The same with this part of what the run beside differs by.
fn allowed_by(run: &Told, beside: &Told, share: f64, scale: &Scale) -> Allowed {
    let apart = scale.apart();
    let (a, b) = (readable(run, beside, apart), readable(beside, run, apart));
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
                most = most.max(base + share * pairs[0].abs());
                events.push(most + a[i].told);
            }
            _ => {
                horizon = horizon.min(a[i].t - GROWN);
                break;
            }
        }
    }
    // Which of two impacts comes first, and whether the second comes, is rounding.
    for pair in a.windows(2) {
        let apart = pair[1].t - pair[0].t;
        let told = pair[1].told + scale.of_time();
        if apart > 0.0 && apart < told && pair[1].what.starts_with("impact") {
            horizon = horizon.min(pair[0].t - GROWN);
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

/// Both without the end of the series in which an event is that only one of them has, if it is of one: what follows it closely.
/// How far a series is followed before it is ended is rounding, by larger ones where a method errs more; what comes after it,
/// and states, are compared. Whether there was something to leave out.
fn without_end_of_series(alone: &Seen, off: f64, both: [&mut Vec<Seen>; 2]) -> bool {
    // What closes and opens again between impacts is of a series.
    let is_of_series = |event: &Seen| !event.what.starts_with("event");
    let from = alone.t - off - alone.told;
    let mut times: Vec<f64> = both
        .iter()
        .flat_map(|events| events.iter())
        .filter(|event| is_of_series(event) && event.t >= alone.t && event.t < alone.t + GROWN)
        .map(|event| event.t)
        .collect();
    times.sort_by(f64::total_cmp);
    let end = times.iter().fold(alone.t, |end, t| if t - end <= CLOSE { *t } else { end });
    let is_left = |event: &Seen| is_of_series(event) && event.t >= from && event.t <= end + off;
    let left = both.each_ref().map(|events| {
        let mut names: Vec<&str> =
            events.iter().filter(|e| is_left(e)).map(|e| e.what.as_str()).collect();
        names.sort_unstable();
        names
    });
    // The same events at other times are no series that is followed less far.
    if !is_of_series(alone) || left[0].len() + left[1].len() < 2 || left[0] == left[1] {
        return false;
    }
    for events in both {
        events.retain(|event| !is_left(event));
    }
    true
}

/// The events of two runs are the same up to a time, or up to that which is returned: one of them has an impact by
/// rounding alone there.
pub(crate) fn same_events(
    run: &Told,
    other: &Told,
    until: f64,
    allowed: &Allowed,
    scale: &Scale,
) -> Result<f64, String> {
    let apart = scale.apart();
    let (mut a, mut b) = (readable(run, other, apart), readable(other, run, apart));
    let last = allowed.events.last().copied().unwrap_or(allowed.base);
    // Impacts near the end may be those of a series whose closing comes behind it.
    let ends = run.end.t().min(other.end.t());
    let until = until.min(allowed.horizon).min(ends - apart);
    let first = readable(run, other, apart);
    // By its place among all of the run.
    let off_at = |t: f64| {
        let place = first.partition_point(|event| event.t < t);
        2.0 * allowed.events.get(place).copied().unwrap_or(last)
    };
    loop {
        let off = |events: &[Seen], i: usize| off_at(events[i].t);
        let forth = paired(&a, &b, |i| off(&a, i), until).err();
        let back = paired(&b, &a, |j| off(&b, j), until).err();
        let Some(alone) = [forth, back].into_iter().flatten().min_by(|x, y| x.t.total_cmp(&y.t))
        else {
            return Ok(f64::INFINITY);
        };
        if alone.is_slight {
            return Ok(alone.t - GROWN);
        }
        let alone = alone.clone();
        if !without_end_of_series(&alone, off_at(alone.t), [&mut a, &mut b]) {
            let near: Vec<&Seen> = b
                .iter()
                .chain(&a)
                .filter(|event| (event.t - alone.t).abs() < 0.05)
                .take(8)
                .collect();
            return Err(format!("{alone:?} of the one is not in the other: {near:?}"));
        }
    }
}

/// How far apart two states are.
pub(crate) fn apart(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Two states at one time are the same, as far as the run beside has them so, and as far as the impacts before can be
/// told.
pub(crate) fn same_state(
    a: &State,
    b: &State,
    beside: Option<&State>,
    blur: f64,
    scale: &Scale,
) -> Result<(), String> {
    let Some(beside) = beside else { return Ok(()) };
    let size = 1.0 + a.q.iter().chain(&a.v).map(|y| y.abs()).fold(0.0, f64::max);
    let grown = apart(a, beside);
    if grown > GROWN * size {
        return Ok(());
    }
    let off = 10.0 * scale.base() * size * size + 2.0 * (scale.share() * grown + blur * size);
    let found = apart(a, b);
    if found <= off { Ok(()) } else { Err(format!("{a:?} and {b:?}: {found:.1e} for {off:.1e}")) }
}

impl Allowed {
    /// With what such runs differ by that are moved on their way as rounding moves them.
    pub(crate) fn widened(mut self, run: &Told, moved: &[Told], scale: &Scale) -> Self {
        for other in moved {
            let by = allowed_by(run, other, MOVED, scale);
            self.horizon = self.horizon.min(by.horizon);
            self.events.truncate(by.events.len());
            self.events.iter_mut().zip(by.events).for_each(|(off, by)| *off = off.max(by));
        }
        self
    }

    /// For a look at whether two runs are alike at all.
    pub(crate) fn loose(scale: &Scale) -> Self {
        Self { events: vec![GROWN], horizon: scale.end, base: GROWN }
    }
}
