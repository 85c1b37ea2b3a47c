//! What has to hold of the runs of a case.

use crate::case::Case;
use crate::compare::{Allowed, BESIDE, Scale, allowed, same_events, same_state};
use crate::counts::Outcome;
use crate::invariants::invariants;
use crate::opening::{changes_mode, tell};
use crate::runs::{METHODS, Subject, Told};
use eom_core::{End, Event, EventKind, Method, StartError, State, Trajectory};
use fastrand::Rng;

/// A name of an end.
pub(crate) fn name(end: &End) -> &'static str {
    match end {
        End::ReachedTime { .. } => "reached",
        End::UnresolvedEvent { .. } => "unresolved event",
        End::AccumulatingEvent { .. } => "accumulating event",
        End::NoLimit { .. } => "no limit",
        End::SingularGuard { .. } => "singular guard",
        End::StepUnderflow { .. } => "step underflow",
        End::NonFinite { .. } => "not finite",
        End::StepBudget { .. } => "step budget",
        End::EventBudget { .. } => "event budget",
        End::SampleBudget { .. } => "sample budget",
        End::UndecidedMode { .. } => "undecided mode",
        End::UndeterminedForces { .. } => "undetermined forces",
        End::UndecidedOrder { .. } => "undecided order",
        End::EndlessImpacts { .. } => "endless impacts",
        End::ImpossibleContact { .. } => "impossible contact",
        End::ImpossibleImpact { .. } => "impossible impact",
        End::ImpossibleFriction { .. } => "impossible friction",
        End::FrictionParadox { .. } => "paradox of friction",
        End::Penetrates { .. } => "penetrates",
        End::LawLeavesGapClosing { .. } => "law leaves gap closing",
        End::OffConstraints { .. } => "off constraints",
        End::DependentRows { .. } => "dependent rows",
        End::SingularMass { .. } => "singular mass",
        End::AtRest { .. }
        | End::NoImpact { .. }
        | End::ReachedImpacts { .. }
        | End::ReachedEvents { .. }
        | End::UnsolvedStep { .. }
        | End::NotFollowed { .. }
        | End::Interrupted { .. } => "other",
    }
}

/// Cuts are chosen by a generator of their own.
const CUTS: u64 = 0x5DEE_CE66;

/// So many runs are moved on their way, where two differ.
const MOVED: usize = 4;

/// Every so many systems are run by the implicit method too.
const IMPLICIT: u64 = 8;

/// What is counted of an event.
fn kind(event: &Event) -> &'static str {
    match &event.kind {
        EventKind::Impact { others, .. } if others.is_empty() => "impact",
        EventKind::Impact { .. } => "impact of several contacts",
        EventKind::Closing { .. } => "closing",
        EventKind::Accumulation { .. } => "accumulation",
        EventKind::Opening { .. } => "opening",
        EventKind::Declared { .. } => "declared event",
        EventKind::Stick { .. } => "stick",
        EventKind::Slip { .. } => "slip",
    }
}

/// Times at which a run of a case is looked at: all over it, and densely where something narrow is passed.
fn times(case: &Case, path: &[State]) -> Vec<f64> {
    let span = case.end - case.begin;
    let mut times: Vec<f64> = (1..400).map(|i| case.begin + span * f64::from(i) / 400.0).collect();
    for feature in &case.features {
        let w = feature.width;
        let mut around = |s: f64, width: f64| {
            times.extend((-12..=12).map(|i| s + width * f64::from(i) / 5.0));
        };
        let Some(x) = feature.coordinate else {
            around(feature.place, w);
            continue;
        };
        let passes = path.windows(2).filter(|pair| {
            (pair[0].q[x] - feature.place) * (pair[1].q[x] - feature.place) <= 0.0
                && pair[0].t < pair[1].t
        });
        for pair in passes.take(20) {
            let (a, b) = (pair[0].q[x] - feature.place, pair[1].q[x] - feature.place);
            let speed = (b - a) / (pair[1].t - pair[0].t);
            if speed != 0.0 {
                around(pair[0].t - a / speed, (w / speed).abs());
            }
        }
    }
    times.retain(|t| *t > case.begin && *t < case.end);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Places at which runs of a case are cut: some at an event.
fn cuts(case: &Case, run: &Trajectory, rng: &mut Rng) -> Vec<f64> {
    let mut cuts: Vec<f64> =
        (0..=rng.usize(..4)).map(|_| case.begin + (case.end - case.begin) * rng.f64()).collect();
    if !run.events.is_empty() && rng.bool() {
        cuts.push(run.events[rng.usize(..run.events.len())].t);
    }
    if !case.features.is_empty() && rng.bool() {
        let feature = case.features[rng.usize(..case.features.len())];
        if feature.coordinate.is_none() {
            cuts.push(feature.place + feature.width * (2.0 * rng.f64() - 1.0));
        }
    }
    cuts.retain(|t| *t > case.begin && *t < case.end);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// Whether a typed end of one run, where the other goes on, is one that rounding may bring about.
fn may_end(end: &End) -> bool {
    !matches!(
        end,
        End::Interrupted { .. }
            | End::LawLeavesGapClosing { .. }
            | End::SingularMass { .. }
            | End::AtRest { .. }
            | End::NoImpact { .. }
            | End::ImpossibleFriction { .. }
    )
}

/// What becomes of a case; or what is wrong.
pub(crate) fn examine(case: &Case, seed: u64) -> Result<Outcome, String> {
    let mut rng = Rng::with_seed(seed ^ CUTS);
    let Some(subject) = Subject::new(case) else { return Ok(Outcome::without_runs("no system")) };
    let path = match subject.trajectory(METHODS[0], case.end, &grid(case)) {
        Ok(path) => path,
        Err(refused) => return refuses_too(case, &subject, &refused),
    };
    let cuts = cuts(case, &path, &mut rng);
    let mut times = times(case, &path.samples);
    times.extend(&cuts);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let implicit = seed.is_multiple_of(IMPLICIT).then_some(Method::Radau);
    let (mut wholes, mut events) = (Vec::new(), Vec::new());
    for method in METHODS.into_iter().chain(implicit) {
        let run = subject.trajectory(method, case.end, &times);
        let run = run.map_err(|refused| format!("{method:?}: {refused}"))?;
        invariants(case, &subject, &run).map_err(|what| format!("{method:?}: {what}"))?;
        if wholes.is_empty() {
            events = run.events.iter().map(kind).collect();
        }
        wholes.push(subject.told(run));
    }
    let beside = subject.changed(case, &mut rng, BESIDE).whole(METHODS[0], case.end, &cuts);
    let Ok(beside) = beside else { return Ok(Outcome::without_runs("refused beside")) };
    let mut runs = Runs { case, subject: &subject, wholes, beside, cuts, times };
    let [a, b] = [&runs.wholes[0].end, &runs.wholes[1].end].map(name);
    let end = if a == b { a.to_owned() } else { format!("{a} / {b}") };
    let mut outcome = Outcome { end, events, remarks: Vec::new() };
    outcome.remarks.extend(implicit.map(|_| "with the implicit method"));
    let how = runs.agree(&mut rng)?;
    outcome.remarks.extend(how);
    Ok(outcome)
}

/// All methods refuse a start alike.
fn refuses_too(case: &Case, subject: &Subject, refused: &StartError) -> Result<Outcome, String> {
    match subject.whole(METHODS[1], case.end, &[]) {
        Err(other) if other.to_string() == refused.to_string() => {
            Ok(Outcome::without_runs("refused"))
        }
        other => Err(format!("{refused:?} and {:?}", other.map(|run| run.end))),
    }
}

fn grid(case: &Case) -> Vec<f64> {
    (1..200).map(|i| case.begin + (case.end - case.begin) * f64::from(i) / 200.0).collect()
}

/// The runs of a case that are compared.
struct Runs<'c> {
    case: &'c Case,
    subject: &'c Subject,
    /// Each by its method, in one go.
    wholes: Vec<Told>,
    beside: Told,
    cuts: Vec<f64>,
    /// Where runs are moved on their way.
    times: Vec<f64>,
}

impl Runs<'_> {
    /// Whether all are alike, and how far that could be told; or where they differ.
    fn agree(&mut self, rng: &mut Rng) -> Result<Option<&'static str>, String> {
        let scale = Scale { begin: self.case.begin, end: self.case.end };
        let mut off = allowed(&self.wholes[0], &self.beside, &scale);
        let mut compared = self.compare(&off, &scale, false);
        if compared.is_err() && changes_mode(&self.wholes[0]) {
            for (method, whole) in METHODS.into_iter().zip(&mut self.wholes) {
                tell(self.subject, method, whole);
            }
            off = allowed(&self.wholes[0], &self.beside, &scale);
            compared = self.compare(&off, &scale, true);
        }
        if compared.is_err() {
            let moved: Vec<Told> = (0..MOVED)
                .filter_map(|i| self.subject.moved(METHODS[i % 2], &self.times, rng))
                .collect();
            off = off.widened(&self.wholes[0], &moved, &scale);
            compared = self.compare(&off, &scale, true);
        }
        match compared {
            Err(_) if self.is_sensitive(&scale, rng) => Ok(Some("too sensitive to compare")),
            Err(what) => Err(what),
            Ok(()) if off.horizon < self.wholes[0].end.t() - 1e-3 => Ok(Some("in part")),
            Ok(()) => Ok(None),
        }
    }

    /// Whether some run a little beside differs as the other method or the cut does.
    fn is_sensitive(&self, scale: &Scale, rng: &mut Rng) -> bool {
        let Self { case, subject, wholes, .. } = self;
        let run = &wholes[0];
        let whole = run.end.t();
        (0..12).any(|i| {
            let δ = [1e-9, 1e-10, 1e-11, 1e-12][i % 4];
            let method = METHODS[(i / 4) % 2];
            let Ok(beside) = subject.changed(case, rng, δ).whole(method, case.end, &[]) else {
                return false;
            };
            let off = Allowed::loose(scale);
            name(&beside.end) != name(&run.end)
                || same_events(run, &beside, whole, &off, scale).is_err()
        })
    }

    /// All methods, and two of them cut; openings and closings of these are told how well they are known, or not.
    fn compare(&self, off: &Allowed, scale: &Scale, tells: bool) -> Result<(), String> {
        let Self { case, subject, wholes, cuts, .. } = self;
        let first = &wholes[0];
        for method in METHODS.into_iter().chain([Method::Radau]) {
            subject.restored(method, cuts)?;
        }
        for (other, method) in wholes[1..].iter().zip([METHODS[1], Method::Radau]) {
            let what = format!("{:?} and {method:?}", METHODS[0]);
            self.same(first, other, (cuts, case.end), off, scale)
                .map_err(|text| format!("{what}: {text}"))?;
        }
        for (i, (method, whole)) in METHODS.into_iter().zip(wholes).enumerate() {
            let mut stopped = subject.stopped(method, cuts).expect("it began before");
            let what = |at: &[f64]| format!("{method:?} cut at {at:?}");
            if tells {
                tell(subject, method, &mut stopped);
            }
            self.same(whole, &stopped, (cuts, case.end), off, scale)
                .map_err(|text| format!("{}: {text}", what(cuts)))?;
            let Some(until) = cuts.get(i % cuts.len().max(1)) else { continue };
            let mut shorter = match subject.whole(method, *until, cuts) {
                Ok(shorter) => shorter,
                // Beside what acts up to there a force may change too much within the rounding of t.
                Err(StartError::LateTime { .. }) => continue,
                Err(refused) => return Err(format!("{method:?} until {until}: {refused}")),
            };
            if tells {
                tell(subject, method, &mut shorter);
            }
            self.same(whole, &shorter, (&[*until], *until), off, scale)
                .map_err(|text| format!("{}: {text}", what(&[*until])))?;
        }
        Ok(())
    }

    /// Two runs have the same events up to a time, the same states at these times, and the same end.
    fn same(
        &self,
        a: &Told,
        b: &Told,
        (times, until): (&[f64], f64),
        off: &Allowed,
        scale: &Scale,
    ) -> Result<(), String> {
        let horizon = same_events(a, b, until, off, scale)?.min(off.horizon);
        if until == scale.end {
            ends(a, b, horizon)?;
        }
        for &t in times {
            let near = a.events.iter().any(|event| (event.t - t).abs() < 1e-6);
            if let (Some(x), Some(y)) = (a.at(t), b.at(t))
                && t < horizon
                && !near
            {
                same_state(x, y, self.beside.at(t), a.blur(t), scale)
                    .map_err(|text| format!("at {t:?}: {text}"))?;
            }
        }
        Ok(())
    }
}

/// Ends are at one place, or one is such that rounding brings it about.
fn ends(a: &Told, b: &Told, horizon: f64) -> Result<(), String> {
    let (x, y) = (a.end.t(), b.end.t());
    if x.min(y) >= horizon || name(&a.end) == name(&b.end) && (x - y).abs() < 1e-4 {
        return Ok(());
    }
    if may_end(&a.end) && may_end(&b.end) {
        return Ok(());
    }
    Err(format!("{} and {}", a.end, b.end))
}

/// Prints the runs of a case, whole and cut as they are compared.
pub(crate) fn show(case: &Case, seed: u64) {
    let Some(subject) = Subject::new(case) else { return };
    let mut rng = Rng::with_seed(seed ^ CUTS);
    let path = subject.trajectory(METHODS[0], case.end, &grid(case));
    let cuts = path.map(|path| cuts(case, &path, &mut rng)).unwrap_or_default();
    for (i, method) in METHODS.into_iter().chain([Method::Radau]).enumerate() {
        match subject.whole(method, case.end, &[]) {
            Ok(run) => {
                let stats = subject.trajectory(method, case.end, &[]).map(|run| run.stats);
                eprintln!("{method:?}: {stats:?}");
                tell_run(&run);
            }
            Err(error) => eprintln!("{method:?}: {error}"),
        }
        if let Ok(run) = subject.stopped(method, &cuts) {
            eprintln!("{method:?}, cut at {cuts:?}");
            tell_run(&run);
        }
        if let Some(until) = cuts.get(i % cuts.len().max(1))
            && let Ok(run) = subject.whole(method, *until, &cuts)
        {
            eprintln!("{method:?}, until {until}");
            tell_run(&run);
        }
    }
}

fn tell_run(run: &Told) {
    for event in run.events.iter().take(200) {
        eprintln!("   {:?} {}", event.t, event.what);
    }
    eprintln!("   {}", run.end);
}
