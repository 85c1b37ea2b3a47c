//! The states of a run that are kept for its figure: of a very long run as many as a picture can show.

use crate::run::drive::Come;
use eom_core::{Event, ModeSpan, State, Trajectory};

/// More states than this are thinned: a figure is some hundreds of points wide, and each of its
/// points is drawn by many.
const STATES_MAX: usize = 200_000;

/// States, events and modes so far.
#[derive(Default)]
pub(crate) struct Thin {
    /// Each with its number in the run.
    samples: Vec<(usize, State)>,
    events: Vec<Event>,
    modes: Vec<ModeSpan>,
    /// How many samples have come.
    count: usize,
    /// Of as many samples that may go one stays.
    stride: usize,
    /// From so many on they are thinned again.
    most: usize,
}

impl Thin {
    /// Takes what has come.
    pub(crate) fn take(&mut self, come: &Come) {
        self.events.extend_from_slice(&come.events);
        self.modes.extend_from_slice(&come.modes);
        for sample in &come.samples {
            self.samples.push((self.count, sample.clone()));
            self.count += 1;
        }
        if self.samples.len() > self.most.max(STATES_MAX) {
            self.thin();
            self.most = 2 * self.samples.len();
        }
    }

    /// Lets half of the samples go: not the ends, not one of a pair at one time, which are the two sides
    /// of an event, not the first of a mode.
    fn thin(&mut self) {
        self.stride = 2 * self.stride.max(1);
        let last = self.samples.len() - 1;
        let times: Vec<f64> = self.samples.iter().map(|(_, state)| state.t).collect();
        let mut modes = self.modes.iter().map(|span| span.sample).peekable();
        let stride = self.stride;
        let mut index = 0;
        self.samples.retain(|(number, _)| {
            let at = index;
            index += 1;
            while modes.next_if(|first| first < number).is_some() {}
            at == 0
                || at == last
                || number.is_multiple_of(stride)
                || modes.peek() == Some(number)
                || times[at] == times[at - 1]
                || times[at] == times[at + 1]
        });
    }

    /// The trajectory of what is kept; its end and the rest are those of the run.
    pub(crate) fn trajectory(self, of: Trajectory) -> Trajectory {
        let Self { samples, events, mut modes, .. } = self;
        for span in &mut modes {
            span.sample = samples.partition_point(|(number, _)| *number < span.sample);
        }
        let samples = samples.into_iter().map(|(_, state)| state).collect();
        Trajectory { samples, events, modes, ..of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_core::{End, ForceCheck, GuardCheck, Mode, Stats};

    /// A million states with an event in the middle: the ends and both sides of the event stay, times
    /// rise, and each mode begins at its own state.
    #[test]
    fn a_long_run_is_thinned() {
        let state = |t: f64| State::new(t, [t], [1.0]);
        let (count, middle) = (1_000_000, 500_001);
        let mut thin = Thin::default();
        for from in (0..count).step_by(1000) {
            let time = |i: usize| if i > middle { i - 1 } else { i } as f64;
            let samples = (from..from + 1000).map(|i| state(time(i))).collect();
            let begins = [(0, 0.0), (middle + 1, middle as f64)];
            let here = begins.into_iter().filter(|(first, _)| (from..from + 1000).contains(first));
            let modes = here.map(|(sample, t)| ModeSpan { t, sample, mode: Mode::default() });
            let modes = modes.collect();
            thin.take(&Come { samples, events: Vec::new(), modes, digits: None });
            assert!(thin.samples.len() <= STATES_MAX + 1000);
        }
        let end = End::ReachedTime { t: 0.0 };
        let rest = Trajectory {
            samples: Vec::new(),
            events: Vec::new(),
            modes: Vec::new(),
            end,
            rest: None,
            stats: Stats::default(),
            ledger: None,
            least_gaps: Vec::new(),
            sampled: Vec::new(),
            forces: ForceCheck::Sampled,
            guards: GuardCheck::Sampled,
            stepped: None,
        };
        let Trajectory { samples, modes, .. } = thin.trajectory(rest);
        assert!(samples.len() > STATES_MAX / 4, "{}", samples.len());
        assert!(samples.windows(2).all(|pair| pair[0].t <= pair[1].t));
        let ends = [samples.first(), samples.last()].map(|state| state.unwrap().t);
        assert_eq!(ends, [0.0, (count - 2) as f64]);
        assert_eq!(samples.windows(2).filter(|pair| pair[0].t == pair[1].t).count(), 1);
        assert_eq!(modes[1].sample, samples.partition_point(|s| s.t < middle as f64) + 1);
        assert_eq!(samples[modes[1].sample].t, middle as f64);
    }
}
