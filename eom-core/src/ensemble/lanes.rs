//! As many runs as lanes: which of them goes on, and the series of those that wait.
#![expect(
    clippy::inline_always,
    reason = "lanes are instructions only within the function that has them"
)]

use super::member::{Member, room_of};
use crate::batch::Width;
use crate::error::StartError;
use crate::flow::Flow;
use crate::info::SystemInfo;
use crate::run::Run;
use crate::run::runner::Runner;
use crate::series::{LISTED, SeriesInLanes};
use crate::system::{LaneSeries, System, parameters_of};
use crate::trajectory::Trajectory;
use eom_elementary::Lane;
use eom_elementary::pulp::{Arch, Simd, WithSimd};

/// Runs with their numbers, of which none has been begun yet.
type Queue<'q, 'a> = &'q mut dyn Iterator<Item = (usize, Member<'a>)>;

/// A place for a run, and its room.
#[derive(Default)]
struct Place<'a> {
    runner: Option<Runner<'a>>,
    /// The number of the run, and the run.
    run: Option<(usize, Run<'a>)>,
}

/// Where motions are: t, q, v, u and the parameters, each number in all lanes. A place has its lane; that of one
/// without a run has what stood there.
struct Points {
    lanes: usize,
    /// How many numbers are t, q and v.
    state: usize,
    numbers: Vec<f64>,
}

/// What makes the series of several motions.
pub(super) trait SideBySide: Sync {
    /// How many motions.
    fn width(&self) -> usize;

    /// Their series, from t, q, v, u and the parameters, each number in all lanes.
    fn expand(&self, points: &[f64], series: &mut SeriesInLanes);
}

/// A system that runs over lanes of the machine's width.
pub(super) struct Lanes<'s, S>(pub(super) &'s S);

impl<S: LaneSeries + Sync> SideBySide for Lanes<'_, S> {
    fn width(&self) -> usize {
        Arch::new().dispatch(Width)
    }

    fn expand(&self, points: &[f64], series: &mut SeriesInLanes) {
        Arch::new().dispatch(Together { system: self.0, points, series });
    }
}

/// Systems that have their own way to make several series: one of them.
pub(super) struct Listed<'s>(pub(super) &'s dyn System);

impl SideBySide for Listed<'_> {
    fn width(&self) -> usize {
        LISTED
    }

    fn expand(&self, points: &[f64], series: &mut SeriesInLanes) {
        self.0.series_in_lanes(points, series);
    }
}

/// Makes all runs on this thread, for as long as it goes on; `like` is one of them.
pub(super) fn runs(
    together: &dyn SideBySide,
    like: Member<'_>,
    queue: Queue<'_, '_>,
    goes_on: &dyn Fn() -> bool,
    take: &mut dyn FnMut(usize, Result<Trajectory, StartError>),
) {
    let (info, width) = (like.system.info(), together.width());
    let mut places: Vec<Place<'_>> = (0..width).map(|_| Place::default()).collect();
    let mut series = SeriesInLanes::new(like.options.order(info));
    let mut points = Points::new(info, width);
    while goes_on() {
        for (lane, place) in places.iter_mut().enumerate() {
            place.go_on(queue, goes_on, take, &mut |member| points.set_constants(lane, member));
        }
        match waiting(&mut places).count() {
            0 => break,
            1 => waiting(&mut places).for_each(|(_, flow)| flow.make_series()),
            _ => {
                waiting(&mut places).for_each(|(lane, flow)| points.set_state(lane, flow));
                together.expand(&points.numbers, &mut series);
                waiting(&mut places).for_each(|(lane, flow)| flow.take_series(&series, lane));
            }
        }
    }
    for Place { runner, run } in &mut places {
        if let (Some(runner), Some((index, mut run))) = (runner, run.take()) {
            run.interrupt();
            take(index, Ok(runner.finish(run)));
        }
    }
}

/// The lanes and flows of those runs that ask for a series.
fn waiting<'p, 'a: 'p>(
    places: &'p mut [Place<'a>],
) -> impl Iterator<Item = (usize, &'p mut Flow<'a>)> {
    let of_place = |(lane, place): (usize, &'p mut Place<'a>)| Some((lane, place.waiting()?));
    places.iter_mut().enumerate().filter_map(of_place)
}

impl Points {
    fn new(info: &SystemInfo, lanes: usize) -> Self {
        let state = 1 + info.positions() + info.speeds();
        let numbers = state + info.inputs.len() + info.parameters.len();
        Self { lanes, state, numbers: vec![0.0; lanes * numbers] }
    }

    /// The inputs and parameters of a run that begins.
    fn set_constants(&mut self, lane: usize, Member { system, inputs, .. }: Member<'_>) {
        let parameters = parameters_of(system);
        self.set(lane, self.state, inputs.iter().chain(&parameters));
    }

    fn set_state(&mut self, lane: usize, flow: &Flow<'_>) {
        self.set(lane, 0, std::iter::once(&flow.base.t.high).chain(&flow.base.y));
    }

    fn set<'n>(&mut self, lane: usize, first: usize, numbers: impl Iterator<Item = &'n f64>) {
        let lists = self.numbers.chunks_exact_mut(self.lanes).skip(first);
        for (list, number) in lists.zip(numbers) {
            list[lane] = *number;
        }
    }
}

impl<'a> Place<'a> {
    /// The flow of a run that asks for a series.
    fn waiting(&mut self) -> Option<&mut Flow<'a>> {
        self.run.as_mut().and_then(|(_, run)| run.automaton.awaited())
    }

    /// Goes on until the run asks for a series; with the next one where it has ended, until there is
    /// none. `prepare` is told of a run whose inputs or parameters may be others than those of the one before.
    fn go_on(
        &mut self,
        queue: Queue<'_, 'a>,
        goes_on: &dyn Fn() -> bool,
        take: &mut dyn FnMut(usize, Result<Trajectory, StartError>),
        prepare: &mut dyn FnMut(Member<'a>),
    ) {
        loop {
            let (Some(runner), Some((_, run))) = (&mut self.runner, &mut self.run) else {
                let Some((index, member)) = queue.next() else { return };
                let (runner, is_new) = room_of(&mut self.runner, member);
                if is_new {
                    prepare(member);
                }
                match runner.begin(member.start) {
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
                take(index, Ok(runner.finish(run)));
            }
        }
    }
}

/// The series of as many motions as there are lanes.
struct Together<'t, S> {
    system: &'t S,
    points: &'t [f64],
    series: &'t mut SeriesInLanes,
}

impl<S: LaneSeries> WithSimd for Together<'_, S> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let Self { system, points, series } = self;
        let info = system.info();
        let (positions, speeds) = (info.positions(), info.speeds());
        let points = D::as_simd_f64s(points).0;
        system.lane_series(
            Lane::of_register(simd, points[0]),
            #[inline(always)]
            |i| Lane::of_register(simd, points[1 + i]),
            #[inline(always)]
            |i| Lane::of_register(simd, points[1 + positions + i]),
            #[inline(always)]
            |i| Lane::of_register(simd, points[1 + positions + speeds + i]),
            series.on(simd),
        );
    }
}
