//! As many runs as lanes: which of them goes on, and the series of those that wait.
#![expect(
    clippy::inline_always,
    reason = "lanes are instructions only within the function that has them"
)]

use crate::batch::Width;
use crate::error::StartError;
use crate::flow::Flow;
use crate::options::Options;
use crate::run::Run;
use crate::runner::Runner;
use crate::series::{LISTED, SeriesInLanes};
use crate::state::State;
use crate::system::{LaneSeries, System};
use crate::trajectory::Trajectory;
use eom_elementary::Lane;
use eom_elementary::pulp::{Arch, Simd, WithSimd};

/// Starts with their numbers, of which none has been taken yet.
type Queue<'s> = std::iter::Enumerate<std::slice::Iter<'s, State>>;

/// A place for a run, and its room.
struct Place<'a> {
    runner: Runner<'a>,
    /// The number of the start, and the run.
    run: Option<(usize, Run<'a>)>,
}

/// What makes the series of several motions.
pub(super) trait SideBySide: Sync {
    /// The system of the motions.
    fn system(&self) -> &dyn System;

    /// How many motions.
    fn width(&self) -> usize;

    /// Their series, from t, q and v, each number in all lanes.
    fn expand(&self, points: &[f64], inputs: &[f64], series: &mut SeriesInLanes);
}

/// A system that runs over lanes of the machine's width.
pub(super) struct Lanes<'s, S>(pub(super) &'s S);

impl<S: LaneSeries + Sync> SideBySide for Lanes<'_, S> {
    fn system(&self) -> &dyn System {
        self.0
    }

    fn width(&self) -> usize {
        Arch::new().dispatch(Width)
    }

    fn expand(&self, points: &[f64], inputs: &[f64], series: &mut SeriesInLanes) {
        Arch::new().dispatch(Together { system: self.0, inputs, points, series });
    }
}

/// A system that has its own way to make several series.
pub(super) struct Listed<'s>(pub(super) &'s dyn System);

impl SideBySide for Listed<'_> {
    fn system(&self) -> &dyn System {
        self.0
    }

    fn width(&self) -> usize {
        LISTED
    }

    fn expand(&self, points: &[f64], inputs: &[f64], series: &mut SeriesInLanes) {
        self.0.series_in_lanes(points, inputs, series);
    }
}

/// What is kept of the runs from all starts, made on this thread for as long as it goes on.
pub(super) fn runs<T>(
    together: &dyn SideBySide,
    (starts, inputs, options): (&[State], &[f64], &Options),
    goes_on: &dyn Fn() -> bool,
    keep: &impl Fn(usize, Result<Trajectory, StartError>) -> T,
) -> Vec<T> {
    let (system, width) = (together.system(), together.width());
    let place = |_| Place { runner: Runner::new(system, inputs, options), run: None };
    let mut places: Vec<Place<'_>> = (0..width).map(place).collect();
    let mut queue = starts.iter().enumerate();
    let mut kept: Vec<Option<T>> = starts.iter().map(|_| None).collect();
    let mut series = SeriesInLanes::new(options.order(system.info()));
    // t, then y, each number in all lanes. Lanes without a run have what stood there.
    let numbers = 1 + system.info().positions() + system.info().speeds();
    let mut points = vec![0.0; width * numbers];
    while goes_on() {
        let mut take = |index, run| kept[index] = Some(keep(index, run));
        for place in &mut places {
            place.go_on(&mut queue, goes_on, &mut take);
        }
        match waiting(&mut places).count() {
            0 => break,
            1 => waiting(&mut places).for_each(Flow::make_series),
            _ => {
                for (lane, flow) in waiting(&mut places).enumerate().take(width) {
                    let y = std::iter::once(&flow.base.t.high).chain(&flow.base.y);
                    for (numbers, y) in points.chunks_exact_mut(width).zip(y) {
                        numbers[lane] = *y;
                    }
                }
                together.expand(&points, inputs, &mut series);
                for (lane, flow) in waiting(&mut places).enumerate().take(width) {
                    flow.take_series(&series, lane);
                }
            }
        }
    }
    for Place { runner, run } in &mut places {
        if let Some((index, mut run)) = run.take() {
            run.interrupt();
            kept[index] = Some(keep(index, Ok(runner.finish(run))));
        }
    }
    kept.into_iter().flatten().collect()
}

/// The flows of those runs that ask for a series.
fn waiting<'p, 'a: 'p>(places: &'p mut [Place<'a>]) -> impl Iterator<Item = &'p mut Flow<'a>> {
    places.iter_mut().filter_map(Place::waiting)
}

impl<'a> Place<'a> {
    /// The flow of a run that asks for a series.
    fn waiting(&mut self) -> Option<&mut Flow<'a>> {
        self.run.as_mut().and_then(|(_, run)| run.automaton.awaited())
    }

    /// Goes on until the run asks for a series; from the next start where it has ended, until there is
    /// none.
    fn go_on(
        &mut self,
        queue: &mut Queue<'_>,
        goes_on: &dyn Fn() -> bool,
        take: &mut dyn FnMut(usize, Result<Trajectory, StartError>),
    ) {
        loop {
            let Some((_, run)) = &mut self.run else {
                let Some((index, start)) = queue.next() else { return };
                match self.runner.begin(start) {
                    Ok(run) => self.run = Some((index, run)),
                    Err(error) => take(index, Err(error)),
                }
                continue;
            };
            run.go_on_to_series(goes_on);
            if run.end().is_none() {
                return;
            }
            if let Some((index, run)) = self.run.take() {
                take(index, Ok(self.runner.finish(run)));
            }
        }
    }
}

/// The series of as many motions as there are lanes.
struct Together<'t, S> {
    system: &'t S,
    inputs: &'t [f64],
    points: &'t [f64],
    series: &'t mut SeriesInLanes,
}

impl<S: LaneSeries> WithSimd for Together<'_, S> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let Self { system, inputs, points, series } = self;
        let positions = system.info().positions();
        let points = D::as_simd_f64s(points).0;
        system.lane_series(
            Lane::of_register(simd, points[0]),
            #[inline(always)]
            |i| Lane::of_register(simd, points[1 + i]),
            #[inline(always)]
            |i| Lane::of_register(simd, points[1 + positions + i]),
            #[inline(always)]
            |i| Lane::splat(simd, inputs[i]),
            series.on(simd),
        );
    }
}
