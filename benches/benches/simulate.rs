//! Whole runs.

use divan::{Bencher, black_box};
use eom_benches::DoublePendulum;
use eom_core::{Options, Sampling, State, run_scenario, simulate};
use models::Penny;
use std::ops::ControlFlow;

fn main() {
    divan::main();
}

/// Figure 3: 20 elastic impacts of the penny.
#[divan::bench]
fn penny_20_impacts() {
    let run = run_scenario(&Penny::default(), "figure_3", &Options::default());
    black_box(run).expect("the scenario starts");
}

/// 1000 elastic impacts of the penny, only the ends kept.
#[divan::bench(sample_count = 10)]
fn penny_1000_impacts() {
    let options =
        Options { until_impacts: Some(1000), sampling: Sampling::Ends, ..Options::default() };
    let run = run_scenario(&Penny::default(), "figure_3", &options);
    black_box(run).expect("the scenario starts");
}

/// The double pendulum from (1.5, 1.5) at rest to t = 20, by relative tolerance.
#[divan::bench(args = [1e-9, 1e-12], sample_count = 20)]
fn double_pendulum(bencher: Bencher<'_, '_>, tolerance: f64) {
    let pendulum = DoublePendulum::default();
    let start = State { t: 0.0, q: vec![1.5, 1.5], v: vec![0.0, 0.0] };
    let options = Options {
        relative_tolerance: tolerance,
        absolute_tolerance: eom_core::AbsoluteTolerance::All(tolerance),
        until_time: Some(20.0),
        sampling: Sampling::Ends,
        ..Options::default()
    };
    let go_on = &mut |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
    bencher.bench_local(|| simulate(&pendulum, &start, &[], &options, go_on));
}
