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
use crate::series::SeriesInLanes;
use crate::state::State;
use crate::system::LaneSeries;
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

/// What is kept of the runs from all starts, made on this thread.
pub(super) fn runs<S: LaneSeries, T>(
    system: &S,
    starts: &[State],
    inputs: &[f64],
    options: &Options,
    keep: &impl Fn(usize, Result<Trajectory, StartError>) -> T,
) -> Vec<T> {
    let arch = Arch::new();
    let place = |_| Place { runner: Runner::new(system, inputs, options), run: None };
    let mut places: Vec<Place<'_>> = (0..arch.dispatch(Width)).map(place).collect();
    let mut queue = starts.iter().enumerate();
    let mut kept: Vec<Option<T>> = starts.iter().map(|_| None).collect();
    let (mut series, mut points) = (SeriesInLanes::new(options.order(system.info())), Vec::new());
    loop {
        let mut take = |index, run| kept[index] = Some(keep(index, run));
        for place in &mut places {
            place.go_on(&mut queue, &mut take);
        }
        let mut waiting = places.iter_mut().filter_map(Place::waiting);
        match (waiting.next(), waiting.next()) {
            (None, _) => break,
            (Some(alone), None) => alone.make_series(),
            _ => {
                let (series, points) = (&mut series, &mut points);
                arch.dispatch(Together { system, inputs, places: &mut places, series, points });
            }
        }
    }
    kept.into_iter().flatten().collect()
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
            run.go_on_to_series();
            if run.end().is_none() {
                return;
            }
            if let Some((index, run)) = self.run.take() {
                take(index, Ok(self.runner.finish(run)));
            }
        }
    }
}

/// The series of the runs that wait for them, of no more than there are lanes.
struct Together<'t, 'a, S> {
    system: &'t S,
    inputs: &'t [f64],
    places: &'t mut [Place<'a>],
    series: &'t mut SeriesInLanes,
    /// t, then y, each number in all lanes.
    points: &'t mut Vec<f64>,
}

impl<S: LaneSeries> WithSimd for Together<'_, '_, S> {
    type Output = ();

    /// Lanes without a run have what stood there.
    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let Self { system, inputs, places, series, points } = self;
        let (lanes, positions) = (D::F64_LANES, system.info().positions());
        points.resize(lanes * (1 + positions + system.info().speeds()), 0.0);
        let waiting = places.iter_mut().filter_map(Place::waiting);
        for (lane, flow) in waiting.enumerate().take(lanes) {
            let y = std::iter::once(&flow.base.t.high).chain(&flow.base.y);
            for (numbers, y) in points.chunks_exact_mut(lanes).zip(y) {
                numbers[lane] = *y;
            }
        }
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
        let waiting = places.iter_mut().filter_map(Place::waiting);
        for (lane, flow) in waiting.enumerate().take(lanes) {
            flow.take_series(series, lane);
        }
    }
}
