//! The bouncing penny: against 60 digits, against its exact arcs, over ten thousand impacts.

mod common;

use common::{Penny, run};
use eom_core::{End, EventKind, Law, Options, Sampling, State, System, Trajectory};

/// A row of the reference: the state right after an impact.
struct Impact {
    t: f64,
    contact: usize,
    /// q, then θ̇⁺ and φ̇⁺.
    after: Vec<f64>,
    /// What roundings of the earlier states do to t.
    sensitivity: f64,
}

fn reference() -> Vec<Impact> {
    let text = include_str!("data/penny_ellipse_elastic.csv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |i: usize| fields[i].parse().expect("the data are numbers");
            Impact {
                t: number(0),
                contact: usize::from(fields[1] == "back"),
                after: (2..8).map(number).collect(),
                sensitivity: number(8),
            }
        })
        .collect()
}

fn impacts(penny: &Penny, count: usize, sampling: Sampling) -> Trajectory {
    let options = Options { until_impacts: Some(count), sampling, ..Options::default() };
    let trajectory = run(penny, &penny.start(), &options);
    assert!(
        matches!(trajectory.end, End::ReachedImpacts { impacts, .. } if impacts == count),
        "{}",
        trajectory.end
    );
    trajectory
}

/// The times agree to 10⁻¹² for 7 impacts. From the eighth on half a unit in the last place of
/// the states before moves the exact time by more than that (column `sensitivity`); there the
/// times agree within what some such units do.
#[test]
fn impact_times_agree_with_sixty_digits() {
    let trajectory = impacts(&Penny::table_1(), 20, Sampling::Ends);
    for (k, (wanted, found)) in reference().iter().zip(&trajectory.events).enumerate() {
        let error = (found.t - wanted.t).abs();
        let bound = if k < 7 { 1e-12 } else { 8.0 * wanted.sensitivity };
        assert!(error < bound, "impact {}: {error:e}, bound {bound:e}", k + 1);
        let EventKind::Impact { contact, .. } = found.kind else { panic!("{:?}", found.kind) };
        assert_eq!(contact, wanted.contact, "impact {}", k + 1);
        let after = found.q_plus.iter().chain(&found.v_plus[2..]);
        for (i, (found, wanted)) in after.zip(&wanted.after).enumerate() {
            // Velocities of up to 20/s, and a turn of φ̇ of some 100/s a metre of x.
            let error = (found - wanted).abs();
            assert!(error < 1e-9, "impact {}, number {i}: {error:e}", k + 1);
        }
    }
}

/// Between impacts the state moves on the arc (26).
#[test]
fn arcs_are_exact() {
    for (a, b) in [(0.15, 0.20), (0.20, 0.20)] {
        let penny = Penny { a, b, ..Penny::table_1() };
        let trajectory = impacts(&penny, 20, Sampling::Ends);
        for pair in trajectory.events.windows(2) {
            let (from, to) = (&pair[0], &pair[1]);
            let exact = penny.arc(&from.q_plus, &from.v_plus, to.t - from.t);
            for (i, (found, exact)) in to.q_minus.iter().zip(exact).enumerate() {
                let error = (found - exact).abs() / exact.abs().max(1.0);
                assert!(error < 2e-14, "t = {}, coordinate {i}: {error:e}", to.t);
            }
        }
    }
}

/// 10,000 elastic impacts: energy to 10⁻¹², rolling to rounding, never behind the edge.
#[test]
fn ten_thousand_impacts_keep_energy_and_constraints() {
    let penny = Penny::table_1();
    let trajectory = impacts(&penny, 10_000, Sampling::Ends);
    let energy = |q: &[f64], v: &[f64]| penny.energy(0.0, q, v).total();
    let start = penny.start();
    let initial = energy(&start.q, &start.v);
    let (mut gaps, mut rows, mut b) = ([0.0; 2], [0.0; 8], [0.0; 2]);
    for event in &trajectory.events {
        let drift = (energy(&event.q_plus, &event.v_plus) / initial - 1.0).abs();
        assert!(drift < 1e-12, "t = {}: {drift:e}", event.t);
        penny.gaps(event.t, &event.q_minus, &mut gaps);
        assert!(gaps.iter().all(|gap| *gap >= 0.0), "t = {}: {gaps:?}", event.t);
        penny.constraint_rows(event.t, &event.q_plus, &mut rows, &mut b);
        for row in rows.chunks_exact(4) {
            let slip: f64 = row.iter().zip(&event.v_plus).map(|(a, v)| a * v).sum();
            assert!(slip.abs() < 1e-16, "t = {}: slip {slip:e}", event.t);
        }
    }
}

/// The plastic law of the document, figures 2 and 4: energy only falls, the gap opens.
#[test]
fn projected_impacts_lose_energy_and_separate() {
    for (a, b) in [(0.15, 0.20), (0.20, 0.20)] {
        let penny = Penny { a, b, law: Law::Project, ..Penny::table_1() };
        let trajectory = impacts(&penny, 20, Sampling::Steps);
        for (_, impact) in trajectory.impacts() {
            let before = penny.energy(0.0, &[], &impact.v_minus).total();
            let after = penny.energy(0.0, &[], &impact.v_plus).total();
            assert!(after <= before * (1.0 + 1e-15), "t = {}", impact.t);
            let EventKind::Impact { rate_minus, rate_plus, .. } = impact.kind else { panic!() };
            assert!(rate_minus < 0.0 && rate_plus > 0.0, "{rate_minus} {rate_plus}");
        }
    }
}

/// The same bytes on every run, and samples in the order of time.
#[test]
fn runs_are_the_same_every_time() {
    let penny = Penny::table_1();
    let first = impacts(&penny, 20, Sampling::Steps);
    assert_eq!(first, impacts(&penny, 20, Sampling::Steps));
    assert!(first.samples.windows(2).all(|pair| pair[0].t <= pair[1].t));
}

/// Samples of a fixed interval come from the dense output and do not change the run.
#[test]
fn samples_at_an_interval_lie_on_the_arcs() {
    let penny = Penny::table_1();
    let trajectory = impacts(&penny, 5, Sampling::Every(0.01));
    assert_eq!(trajectory.events, impacts(&penny, 5, Sampling::Ends).events);
    let start = penny.start();
    let first = trajectory.events[0].t;
    for (i, State { t, q, .. }) in trajectory.samples.iter().enumerate() {
        if *t > first {
            break;
        }
        assert_eq!(*t, i as f64 * 0.01);
        for (q, exact) in q.iter().zip(penny.arc(&start.q, &start.v, *t)) {
            assert!((q - exact).abs() < 1e-12 * exact.abs().max(1.0), "t = {t}: {q} {exact}");
        }
    }
}
