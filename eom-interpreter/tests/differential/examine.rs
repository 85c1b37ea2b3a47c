//! What has to hold of the runs of a case.

use crate::compare::{Allowed, BESIDE, Scale, allowed, same_events, same_state};
use crate::generate::Case;
use crate::runs::{METHODS, Subject, Told};
use eom_core::{Contacts, End, Event, EventKind, Method, State, System, Trajectory};
use fastrand::Rng;

/// A name of an end.
pub(crate) fn name(end: &End) -> &'static str {
    match end {
        End::ReachedTime { .. } => "reached",
        End::UnresolvedEvent { .. } => "unresolved event",
        End::SingularGuard { .. } => "singular guard",
        End::StepUnderflow { .. } => "step underflow",
        End::NonFinite { .. } => "not finite",
        End::StepBudget { .. } => "step budget",
        End::EventBudget { .. } => "event budget",
        End::UndecidedMode { .. } => "undecided mode",
        End::UndecidedOrder { .. } => "undecided order",
        End::EndlessImpacts { .. } => "endless impacts",
        End::ImpossibleContact { .. } => "impossible contact",
        End::ImpossibleImpact { .. } => "impossible impact",
        End::ImpossibleFriction { .. } => "impossible friction",
        End::Penetrates { .. } => "penetrates",
        End::LawLeavesGapClosing { .. } => "law leaves gap closing",
        End::OffConstraints { .. } => "off constraints",
        End::DependentRows { .. } => "dependent rows",
        End::SingularMass { .. } => "singular mass",
        End::AtRest { .. }
        | End::NoImpact { .. }
        | End::ReachedImpacts { .. }
        | End::ReachedEvents { .. }
        | End::Interrupted { .. } => "other",
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

fn size(state: &State) -> f64 {
    1.0 + state.q.iter().chain(&state.v).map(|y| y.abs()).fold(0.0, f64::max)
}

/// No gap is negative between events, energy is kept there and not gained at impacts.
fn invariants(case: &Case, subject: &Subject, run: &Trajectory) -> Result<(), String> {
    let (n, count) = (subject.start.q.len(), case.contacts);
    let mut gaps = vec![0.0; count];
    let [mut rows, mut rates] = [vec![0.0; count * n], vec![0.0; count]];
    let clock = 16.0 * f64::EPSILON * case.end.abs().max(1.0);
    // Where a reset or a pole ends a run, its last state may be anywhere.
    let is_behind = matches!(
        run.end,
        End::Penetrates { .. } | End::SingularGuard { .. } | End::NonFinite { .. }
    );
    let seen = run.samples.len() - usize::from(is_behind);
    for state in &run.samples[..seen] {
        subject.system.gaps(state.t, &state.q, &mut gaps);
        subject.system.gap_rows(state.t, &state.q, &mut rows, &mut rates);
        for (i, gap) in gaps.iter().enumerate() {
            let slope: f64 = rows[i * n..][..n].iter().map(|g| g.abs()).sum();
            let least = 1e-8 + slope * (1e-12 + clock) * size(state) + rates[i].abs() * clock;
            if *gap < -least {
                return Err(format!("gap of c{i} is {gap:e} at t = {:?} ({})", state.t, run.end));
            }
        }
    }
    energies(case, subject, run)
}

/// The energy along a run: kept on arcs, not gained at impacts.
fn energies(case: &Case, subject: &Subject, run: &Trajectory) -> Result<(), String> {
    if !case.gains_none {
        return Ok(());
    }
    let energy = |t: f64, q: &[f64], v: &[f64]| {
        let energy = subject.system.energy(t, q, v);
        (energy.total(), energy.kinetic + energy.potential.abs())
    };
    for event in &run.events {
        let [minus, plus] = event.sides();
        let (before, after) = (energy(event.t, minus.0, minus.1), energy(event.t, plus.0, plus.1));
        let gain = after.0 - before.0;
        if is_impact(event) && gain > 1e-9 * (1.0 + before.1) {
            return Err(format!("{:?} at {} adds energy {gain:e}", event.kind, event.t));
        }
    }
    if !case.keeps_energy {
        return Ok(());
    }
    let mut last = run.samples.first().map(|state| energy(state.t, &state.q, &state.v));
    let mut events = run.events.iter().peekable();
    let steepest = case.features.iter().map(|feature| 1.0 / feature.width).fold(10.0, f64::max);
    let check = |t: f64, last: Option<(f64, f64)>, found: (f64, f64)| {
        let Some(last) = last else { return Ok(()) };
        let allowed = 1e-9 * (1.0 + found.1 + last.1) + 1e-13 * steepest * (1.0 + found.1);
        if (found.0 - last.0).abs() <= allowed {
            return Ok(());
        }
        Err(format!("energy {:?} becomes {:?} before t = {t:?}", last.0, found.0))
    };
    for state in run.samples.iter().skip(1) {
        while let Some(event) = events.next_if(|event| event.t < state.t) {
            let [minus, plus] = event.sides();
            check(event.t, last, energy(event.t, minus.0, minus.1))?;
            last = Some(energy(event.t, plus.0, plus.1));
        }
        if run.events.iter().all(|event| (event.t - state.t).abs() > 1e-12) {
            check(state.t, last, energy(state.t, &state.q, &state.v))?;
        }
    }
    Ok(())
}

fn is_impact(event: &Event) -> bool {
    matches!(event.kind, EventKind::Impact { .. })
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

/// The outcomes of a case; or what is wrong.
pub(crate) fn examine(case: &Case, seed: u64) -> Result<Vec<String>, String> {
    let mut rng = Rng::with_seed(seed ^ 0x5DEE_CE66);
    let Some(subject) = Subject::new(case) else { return Ok(vec!["no system".to_owned()]) };
    let scale = Scale { begin: case.begin, end: case.end };
    let paths = METHODS.map(|method| subject.trajectory(method, case.end, &grid(case)));
    let paths = match paths {
        [Ok(first), Ok(second)] => [first, second],
        [Err(a), Err(b)] if a.to_string() == b.to_string() => {
            return Ok(vec!["refused".to_owned()]);
        }
        [a, b] => return Err(format!("{:?} and {:?}", a.err(), b.err())),
    };
    let cuts = cuts(case, &paths[0], &mut rng);
    let mut wholes = Vec::new();
    for (method, path) in METHODS.into_iter().zip(&paths) {
        let mut all = times(case, &path.samples);
        all.extend(&cuts);
        all.sort_by(f64::total_cmp);
        all.dedup();
        let run = subject.trajectory(method, case.end, &all).expect("it began before");
        invariants(case, &subject, &run).map_err(|what| format!("{method:?}: {what}"))?;
        wholes.push(Told {
            events: run.events.iter().map(crate::runs::seen).collect(),
            end: run.end,
            samples: run.samples,
        });
    }
    let beside = subject.changed(case, &mut rng, BESIDE);
    let beside = beside.whole(METHODS[0], case.end, &cuts);
    let Ok(beside) = beside else { return Ok(vec!["refused beside".to_owned()]) };
    let allowed = allowed(&wholes[0], &beside, &scale);
    let compared = compare(case, &subject, (&wholes, &beside), (&cuts, &allowed), &scale);
    if let Err(what) = compared {
        if is_sensitive(case, &subject, &wholes[0], &scale, &mut rng) {
            return Ok(vec!["too sensitive".to_owned()]);
        }
        return Err(what);
    }
    let [a, b] = [&wholes[0].end, &wholes[1].end].map(name);
    let mut outcomes = vec![if a == b { a.to_owned() } else { format!("{a} / {b}") }];
    if allowed.horizon < wholes[0].end.t() - 1e-3 {
        outcomes.push("compared in part".to_owned());
    }
    Ok(outcomes)
}

fn grid(case: &Case) -> Vec<f64> {
    (1..200).map(|i| case.begin + (case.end - case.begin) * f64::from(i) / 200.0).collect()
}

/// Whether some run a little beside differs as the other method or the cut does.
fn is_sensitive(case: &Case, subject: &Subject, run: &Told, scale: &Scale, rng: &mut Rng) -> bool {
    let whole = run.end.t();
    (0..12).any(|i| {
        let δ = [1e-9, 1e-10, 1e-11, 1e-12][i % 4];
        let Ok(beside) = subject.changed(case, rng, δ).whole(METHODS[(i / 4) % 2], case.end, &[])
        else {
            return false;
        };
        let off = Allowed::loose(scale);
        name(&beside.end) != name(&run.end)
            || same_events(run, &beside, whole, &off, scale).is_err()
    })
}

/// Both methods, and each of them cut.
fn compare(
    case: &Case,
    subject: &Subject,
    (wholes, beside): (&[Told], &Told),
    (cuts, allowed): (&[f64], &Allowed),
    scale: &Scale,
) -> Result<(), String> {
    let said = |what: String| move |text: String| format!("{what}: {text}");
    let [a, b] = [&wholes[0], &wholes[1]];
    same_events(a, b, case.end, allowed, scale).map_err(said("both methods".to_owned()))?;
    ends(a, b, allowed).map_err(said("both methods".to_owned()))?;
    for &cut in cuts {
        let near = a.events.iter().any(|event| (event.t - cut).abs() < 1e-6);
        if let (Some(x), Some(y)) = (a.at(cut), b.at(cut))
            && cut < allowed.horizon
            && !near
        {
            same_state(x, y, beside.at(cut), scale)
                .map_err(said(format!("both methods at {cut:?}")))?;
        }
    }
    for method in METHODS.into_iter().chain([Method::Radau]) {
        subject.restored(method, cuts)?;
    }
    for (method, whole) in METHODS.into_iter().zip(wholes) {
        let stopped = subject.stopped(method, cuts).expect("it began before");
        cut_run(method, whole, &stopped, (cuts, case.end), (beside, allowed), scale)?;
        for &cut in cuts.iter().take(2) {
            let shorter = subject.whole(method, cut, cuts).expect("it began before");
            cut_run(method, whole, &shorter, (&[cut], cut), (beside, allowed), scale)?;
        }
    }
    Ok(())
}

fn cut_run(
    method: Method,
    whole: &Told,
    cut: &Told,
    (cuts, until): (&[f64], f64),
    (beside, allowed): (&Told, &Allowed),
    scale: &Scale,
) -> Result<(), String> {
    let what = format!("{method:?} cut at {cuts:?}, until {until:?}");
    let said = |text: String| format!("{what}: {text}");
    same_events(whole, cut, until, allowed, scale).map_err(said)?;
    if until == scale.end {
        ends(whole, cut, allowed).map_err(said)?;
    }
    for &at in cuts {
        let near = whole.events.iter().any(|event| (event.t - at).abs() < 1e-6);
        if let (Some(x), Some(y)) = (whole.at(at), cut.at(at))
            && at < allowed.horizon
            && !near
        {
            same_state(x, y, beside.at(at), scale).map_err(said)?;
        }
    }
    Ok(())
}

/// Ends are at one place, or one is such that rounding brings it about.
fn ends(a: &Told, b: &Told, allowed: &Allowed) -> Result<(), String> {
    let (x, y) = (a.end.t(), b.end.t());
    if x.min(y) >= allowed.horizon || name(&a.end) == name(&b.end) && (x - y).abs() < 1e-4 {
        return Ok(());
    }
    if may_end(&a.end) && may_end(&b.end) {
        return Ok(());
    }
    Err(format!("{} and {}", a.end, b.end))
}

/// Prints the runs of a case.
pub(crate) fn show(case: &Case) {
    let Some(subject) = Subject::new(case) else { return };
    for method in METHODS {
        match subject.whole(method, case.end, &[]) {
            Ok(run) => {
                let begun = std::time::Instant::now();
                let stats = subject.trajectory(method, case.end, &[]).map(|run| run.stats);
                eprintln!("{method:?}: {} {stats:?} {:?}", run.end, begun.elapsed());
                for event in run.events.iter().take(60) {
                    eprintln!("   {:?} {}", event.t, event.what);
                }
            }
            Err(error) => eprintln!("{method:?}: {error}"),
        }
    }
}
