//! The runtime on the generated penny: against 60 digits for the figures 1–4 of bouncing-penny,
//! against its exact arcs (26), and over ten thousand impacts.
#![allow(non_snake_case, reason = "the names of the documents: Ω, R, C")]

use eom_core::{
    AbsoluteTolerance, Declared as _, End, EventKind, Law, Options, Sampling, State, System,
    Trajectory,
};
use eom_tests::{run, start_of};
use models::Penny;
use std::path::{Path, PathBuf};

/// Impact times in seconds agree with the exact ones to this.
const TIME_TOLERANCE: f64 = 1e-12;

/// One unit of rounding.
const ROUNDING: f64 = f64::EPSILON / 2.0;

/// A figure of the document.
struct Figure {
    /// The name of its files.
    name: &'static str,
    /// The half-axis a; b is 0.20.
    a: f64,
    law: Law,
    /// For how many impacts one unit of rounding of the state at each impact, adding up in the
    /// worst way, leaves the time within [`TIME_TOLERANCE`]: what the motion's sensitivity allows
    /// in doubles (`data/README.md`). Later times depend on the luck of roundings.
    exact: usize,
}

const FIGURES: [Figure; 4] = [
    Figure { name: "round_elastic", a: 0.20, law: Law::Elastic, exact: 6 },
    Figure { name: "round_project", a: 0.20, law: Law::Project, exact: 7 },
    Figure { name: "elliptic_elastic", a: 0.15, law: Law::Elastic, exact: 4 },
    Figure { name: "elliptic_project", a: 0.15, law: Law::Project, exact: 7 },
];

/// A row of the reference.
struct Impact {
    t: f64,
    contact: String,
    q: Vec<f64>,
    before: Vec<f64>,
    after: Vec<f64>,
    /// What independent errors of the states before add up to in t, in units of rounding.
    amplification: f64,
}

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/penny").join(file)
}

fn table(file: &str) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(data(file))
        .expect("the data are there");
    let head = reader.headers().expect("a header").clone();
    (head, reader.records().map(|record| record.expect("a record")).collect())
}

fn reference(name: &str) -> Vec<Impact> {
    let (head, amplifications) = table("sensitivity.csv");
    let column = head.iter().position(|name| name == "root_sum_square").expect("the column");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let amplifications: Vec<f64> = amplifications
        .iter()
        .filter(|record| &record[0] == name)
        .map(|record| number(&record[column]))
        .collect();
    let (head, records) = table(&format!("{name}.csv"));
    assert_eq!(head.len(), 15, "the columns are those that this file reads");
    let range = |record: &csv::StringRecord, from: usize| -> Vec<f64> {
        (from..from + 4).map(|i| number(&record[i])).collect()
    };
    let impact = |(record, amplification): (&csv::StringRecord, f64)| Impact {
        t: number(&record[1]),
        contact: record[2].to_owned(),
        q: range(record, 3),
        before: range(record, 7),
        after: range(record, 11),
        amplification,
    };
    records.iter().zip(amplifications).map(impact).collect()
}

fn until_impacts(penny: &Penny, law: Law, count: usize, sampling: Sampling) -> Trajectory {
    let options =
        Options { until_impacts: Some(count), law: Some(law), sampling, ..Options::default() };
    let (start, _) = start_of(penny, 0);
    run(penny, &start, &options)
}

fn impacts(penny: &Penny, law: Law, count: usize, sampling: Sampling) -> Trajectory {
    let trajectory = until_impacts(penny, law, count, sampling);
    let reached = matches!(trajectory.end, End::ReachedImpacts { impacts, .. } if impacts == count);
    assert!(reached, "{} after {} impacts", trajectory.end, trajectory.impacts().count());
    trajectory
}

fn table_of(a: f64) -> Penny {
    Penny { a, ..Penny::default() }
}

/// |x| of the velocities, so that each is compared on its own scale.
fn compare(what: &str, found: &[f64], wanted: &[f64], scales: &[f64; 4], bound: f64) {
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let error = (found - wanted).abs() / scales[i];
        assert!(error <= bound, "{what}[{i}]: {found:e}, exact {wanted:e}, error {error:e}");
    }
}

/// The first 20 impacts of a figure: as many times within 10⁻¹² as independent roundings allow, and
/// the states with them.
fn check_figure(figure: &Figure) {
    let trajectory = impacts(&table_of(figure.a), figure.law, figure.exact, Sampling::Ends);
    let wanted = reference(figure.name);
    assert_eq!(wanted.len(), 20);
    for (k, (event, wanted)) in trajectory.events.iter().zip(&wanted).enumerate() {
        let at = format!("{}, impact {}", figure.name, k + 1);
        let error = (event.t - wanted.t).abs();
        assert!(error < TIME_TOLERANCE, "{at}: t is off by {error:e}");
        let EventKind::Impact { contact, .. } = event.kind else { panic!("{at}: {event:?}") };
        assert_eq!(Penny::INFO.contacts[contact].name, wanted.contact, "{at}");
        // Positions inherit the error of t times a speed of 0.1 m/s; angles and angular velocities
        // that of a turn of up to 20/s and its change from impact to impact of about 200/s m.
        let speeds = [0.2, 0.2, 20.0, 20.0];
        compare(&format!("{at}: q"), event.q_minus(), &wanted.q, &speeds, 1e-11);
        compare(&format!("{at}: v⁻"), event.v_minus(), &wanted.before, &speeds, 1e-11);
        compare(&format!("{at}: v⁺"), event.v_plus(), &wanted.after, &speeds, 1e-11);
    }
}

#[test]
fn the_first_impacts_of_each_figure_agree_with_sixty_digits() {
    for figure in &FIGURES {
        check_figure(figure);
    }
}

/// Times agree with the reference to 10⁻¹², or to 4 times what independent roundings come to where
/// the motion amplifies them beyond.
fn check_times(figure: &Figure, trajectory: &Trajectory) {
    for (k, (event, wanted)) in trajectory.events.iter().zip(reference(figure.name)).enumerate() {
        let bound = TIME_TOLERANCE.max(4.0 * ROUNDING * wanted.amplification);
        let error = (event.t - wanted.t).abs();
        assert!(error < bound, "{}, impact {}: {error:e}", figure.name, k + 1);
    }
}

#[test]
fn elastic_figures_have_all_twenty_impacts() {
    for figure in FIGURES.iter().filter(|figure| figure.law == Law::Elastic) {
        check_times(figure, &impacts(&table_of(figure.a), figure.law, 20, Sampling::Ends));
    }
}

/// With `project` the penny ends up grazing the edge: the run follows the reference, and stops with
/// a reason where the dip through the edge is below rounding, after 16 impacts or one more by the luck
/// of roundings. It never invents or misses an impact.
#[test]
fn projected_runs_stop_where_doubles_cannot_tell_a_graze() {
    for figure in FIGURES.iter().filter(|figure| figure.law == Law::Project) {
        let trajectory = until_impacts(&table_of(figure.a), figure.law, 20, Sampling::Ends);
        check_times(figure, &trajectory);
        assert!(matches!(trajectory.end, End::UnresolvedEvent { .. }), "{}", trajectory.end);
        let count = trajectory.impacts().count();
        assert!([16, 17].contains(&count), "{}: {count}", figure.name);
    }
}

/// The motion (26) a time τ later, its differences of sines as chords so that nothing cancels.
fn arc(penny: &Penny, q: &[f64], v: &[f64], τ: f64) -> [f64; 4] {
    let (Ω, ω) = (v[2], v[3]);
    let chord = 2.0 * (ω * τ / 2.0).sin() / ω;
    let middle = q[3] + ω * τ / 2.0;
    [
        q[0] + penny.R * Ω * chord * middle.cos(),
        q[1] + penny.R * Ω * chord * middle.sin(),
        q[2] + Ω * τ,
        q[3] + ω * τ,
    ]
}

#[test]
fn between_impacts_the_motion_is_the_closed_form() {
    for figure in &FIGURES {
        let penny = table_of(figure.a);
        let trajectory = impacts(&penny, figure.law, figure.exact, Sampling::Steps);
        let (start, _) = start_of(&penny, 0);
        let mut from = (start.t, start.q, start.v);
        let mut events = trajectory.events.iter().peekable();
        for State { t, q, v } in &trajectory.samples {
            while events.peek().is_some_and(|event| event.t < *t) {
                let event = events.next().expect("it was peeked");
                from = (event.t, event.q_plus().to_vec(), event.v_plus().to_vec());
            }
            if events.peek().is_some_and(|event| event.t == *t) {
                continue;
            }
            let exact = arc(&penny, &from.1, &from.2, t - from.0);
            let at = format!("{}, t = {t}", figure.name);
            let scales = exact.map(|x| x.abs().max(1.0));
            compare(&at, q, &exact, &scales, 1e-13);
            // Ω and ω are constant along an arc, to the last bit that projections leave.
            compare(&at, &v[2..], &from.2[2..], &[20.0; 4], 1e-14);
        }
    }
}

/// The largest relative change of the energy after an impact, over many elastic ones.
fn energy_drift(count: usize) -> f64 {
    let penny = Penny::default();
    let options = Options {
        until_impacts: Some(count),
        law: Some(Law::Elastic),
        sampling: Sampling::Ends,
        steps_max: 20 * count as u64,
        events_max: count + 1,
        ..Options::default()
    };
    let (start, _) = start_of(&penny, 0);
    let trajectory = run(&penny, &start, &options);
    let reached = matches!(trajectory.end, End::ReachedImpacts { impacts, .. } if impacts == count);
    assert!(reached, "{} after {} impacts", trajectory.end, trajectory.impacts().count());
    let energy = |t: f64, q: &[f64], v: &[f64]| penny.energy(t, q, v).total();
    let initial = energy(start.t, &start.q, &start.v);
    let events = trajectory.events.iter();
    events
        .map(|event| (energy(event.t, event.q_plus(), event.v_plus()) / initial - 1.0).abs())
        .fold(0.0, f64::max)
}

#[test]
fn ten_thousand_elastic_impacts_keep_the_energy() {
    let drift = energy_drift(10_000);
    assert!(drift < 1e-12, "the energy drifts by {drift:e}");
}

#[test]
#[ignore = "90 seconds; CONTRIBUTING says when to run it"]
fn a_million_elastic_impacts_keep_the_energy() {
    let drift = energy_drift(1_000_000);
    assert!(drift < 1e-12, "the energy drifts by {drift:e}");
}

/// A looser run is a different problem: it must still meet the first impacts to its tolerance.
#[test]
fn looser_tolerances_give_looser_times() {
    let penny = Penny::default();
    let (start, _) = start_of(&penny, 0);
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let options = Options {
            relative_tolerance: tolerance,
            absolute_tolerance: AbsoluteTolerance::All(tolerance / 100.0),
            until_impacts: Some(2),
            ..Options::default()
        };
        let trajectory = run(&penny, &start, &options);
        for (event, wanted) in trajectory.events.iter().zip(reference("elliptic_elastic")) {
            let error = (event.t - wanted.t).abs();
            // A few steps of this error, amplified by less than 30 until the second impact.
            assert!(error < 1e3 * tolerance, "tolerance {tolerance:e}: {error:e}");
        }
    }
}

/// Table I, as printed.
#[test]
fn the_defaults_are_those_of_table_i() {
    let penny = table_of(0.15);
    let printed = [
        ("R", penny.R, 0.01),
        ("m", penny.m, 0.0025),
        ("I", penny.I, 1.25e-7),
        ("J", penny.J, 6.25e-8),
        ("b", penny.b, 0.20),
    ];
    for (name, found, printed) in printed {
        assert!((found - printed).abs() < 1e-15 * printed.abs().max(1e-3), "{name}: {found}");
    }
    let default = Penny::with_parameters(&[None; 6]).expect("each parameter has a default");
    assert_eq!(default.a, 0.15, "the elliptical table");
}

/// (35): at each impact the rim is on (x/a)² + (y/b)² = 1, the front or the back as (27), (34) say.
#[test]
fn the_rim_meets_the_ellipse_at_an_impact() {
    let penny = table_of(0.15);
    let trajectory = impacts(&penny, Law::Elastic, 20, Sampling::Ends);
    for (contact, event) in trajectory.impacts() {
        let arm = if contact == 0 { penny.R } else { -penny.R };
        let (sin, cos) = event.q_minus()[3].sin_cos();
        let (x, y) = (event.q_minus()[0] + arm * cos, event.q_minus()[1] + arm * sin);
        let h = (x / penny.a).powi(2) + (y / penny.b).powi(2) - 1.0;
        assert!(h.abs() < 1e-13, "h = {h:e} at t = {}", event.t);
    }
}
