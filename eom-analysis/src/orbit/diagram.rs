//! The points of a bifurcation diagram: where a run is when it returns to a section, the last times.

use super::Section;
use eom_core::{Event, EventKind, Mode, Sampling, State, Trajectory};

/// A return at a time of a period is this near to it, beside the period.
const ON_TIME: f64 = 1e-9;

/// Returns are the same where their numbers differ by no more than this beside the largest.
const SAME: f64 = 1e-6;

/// States of a run in which another is tried to begin, the latest first.
const TRIED: usize = 256;

/// A state with the mode it is in.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The state.
    pub state: State,
    /// The mode.
    pub mode: Mode,
}

/// A return of a run: the states before and after what happens there, which is nothing at times of a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit<'t> {
    /// What happens.
    pub event: Option<&'t Event>,
    /// Before it and after it.
    pub sides: [Side; 2],
}

impl Section {
    /// What a run has to keep for its returns; `carries` where another run is to begin in one of its states.
    pub fn sampling(self, carries: bool) -> Sampling {
        match self {
            Self::Period(period) => Sampling::Every(period),
            _ if carries => Sampling::Curve,
            _ => Sampling::Ends,
        }
    }

    /// The last returns of a run that was sampled so, the earliest first.
    pub fn visits(self, trajectory: &Trajectory, last: usize) -> Vec<Visit<'_>> {
        let of_events = |count, is: &dyn Fn(&Event) -> bool| {
            let events = trajectory.events.iter().filter(|event| is(event)).collect();
            let chosen = latest(events, count, last).into_iter();
            chosen
                .map(|event| Visit { event: Some(event), sides: sides(trajectory, event) })
                .collect()
        };
        match self {
            Self::Period(period) => {
                let at_time = |index: usize| {
                    let mode = trajectory.mode_of_sample(index).cloned().unwrap_or_default();
                    let side = Side { state: trajectory.samples[index].clone(), mode };
                    Visit { event: None, sides: [side.clone(), side] }
                };
                latest(due(trajectory, period), 1, last).into_iter().map(at_time).collect()
            }
            Self::Impacts { contact, count } => {
                of_events(count, &|event| event.struck().any(|struck| struck == contact))
            }
            Self::Events { event: wanted, count } => of_events(
                count,
                &|event| matches!(event.kind, EventKind::Declared { event } if event == wanted),
            ),
        }
    }
}

impl Section {
    /// What comes of the latest state of a run, sampled for that, of which something comes: another run goes on from there.
    /// At times of a period it begins at the time of the start, which has the same phase also where the period is another one.
    pub fn carried<T>(
        self,
        before: &Trajectory,
        mut run: impl FnMut(State) -> Option<T>,
    ) -> Option<T> {
        let samples = &before.samples;
        match self {
            Self::Period(period) => {
                let start = samples.first()?.t;
                let again = |index: usize| State { t: start, ..samples[index].clone() };
                due(before, period)
                    .into_iter()
                    .rev()
                    .take(TRIED)
                    .find_map(|index| run(again(index)))
            }
            _ => samples.iter().rev().take(TRIED).find_map(|state| run(state.clone())),
        }
    }
}

/// Of every so many the last one; of these so many.
fn latest<T>(all: Vec<T>, every: usize, last: usize) -> Vec<T> {
    let every = every.max(1);
    let count = all.len() / every;
    let returns = all.into_iter().enumerate().filter(|(k, _)| (k + 1) % every == 0);
    returns.skip(count.saturating_sub(last)).map(|(_, one)| one).collect()
}

/// The samples at whole periods after the start; the end of the run may be another one.
fn due(trajectory: &Trajectory, period: f64) -> Vec<usize> {
    let samples = &trajectory.samples;
    let start = samples.first().map_or(0.0, |start| start.t);
    let is_due = |index: &usize| {
        (samples[*index].t - start - *index as f64 * period).abs() <= ON_TIME * period
    };
    (1..samples.len()).filter(is_due).collect()
}

/// The two sides of an event; the mode of the start is that before what happens there, too.
fn sides(trajectory: &Trajectory, event: &Event) -> [Side; 2] {
    let spans = &trajectory.modes;
    let mode = |count: usize| {
        let span = count.checked_sub(1).and_then(|index| spans.get(index));
        span.map_or_else(Mode::default, |span| span.mode.clone())
    };
    let before = mode(spans.partition_point(|span| span.t < event.t).max(1));
    let after = mode(spans.partition_point(|span| span.t <= event.t));
    let [minus, plus] = event.sides().map(|(q, v)| State::new(event.t, q.to_vec(), v.to_vec()));
    [Side { state: minus, mode: before }, Side { state: plus, mode: after }]
}

/// After how many returns their numbers repeat, each of which has so many: the least p with yₖ₊ₚ = yₖ for all k, to 10⁻⁶ of
/// the largest of each; none where that is not seen twice.
pub fn repeats_after(returns: &[Vec<f64>]) -> Option<usize> {
    let width = returns.first()?.len();
    let scale = |i: usize| returns.iter().map(|numbers| numbers[i].abs()).fold(0.0, f64::max);
    let scales: Vec<f64> = (0..width).map(scale).collect();
    let is_same = |one: &Vec<f64>, other: &Vec<f64>| {
        let pairs = one.iter().zip(other).zip(&scales);
        pairs.into_iter().all(|((a, b), scale)| (a - b).abs() <= SAME * scale)
    };
    (1..=returns.len() / 2).find(|p| returns.iter().zip(&returns[*p..]).all(|(a, b)| is_same(a, b)))
}

#[cfg(test)]
mod tests {
    use super::repeats_after;

    #[test]
    fn returns_repeat() {
        let table: [(&[f64], Option<usize>); 6] = [
            (&[1.0, 1.0, 1.0], Some(1)),
            (&[1.0, 2.0, 1.0, 2.0], Some(2)),
            (&[1.0, 2.0, 1.0], None),
            (&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0], Some(3)),
            (&[1.0, 1.0 + 1e-7], Some(1)),
            (&[], None),
        ];
        for (numbers, expected) in table {
            let returns: Vec<Vec<f64>> = numbers.iter().map(|number| vec![*number]).collect();
            assert_eq!(repeats_after(&returns), expected, "{numbers:?}");
        }
    }
}
